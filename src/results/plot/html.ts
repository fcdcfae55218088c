/**
 * Plots as one HTML page that needs nothing else: the picture, the results that it shows, and the script that makes it zoom, pan, read
 * out values and choose signals (`viewer.ts`). Without the script the picture is complete.
 */
import { toJson } from '../json.ts';
import { excerptOf } from './excerpt.ts';
import { checkPlot, isOpen, layoutFigure, type PlotOptions, type Plotted, runsOf } from './figure.ts';
import type { Layout } from './layout.ts';
import type { PageData } from './page.ts';
import { pageScript } from './script.ts';
import { renderSvg } from './svg.ts';
import { escapeText } from './text.ts';

/** A page with the diagrams of a layout, or of a choice of signals where it is left out. */
export function plotHtml(plotted: Plotted, layout?: Layout, options: PlotOptions = {}): string {
  checkPlot(plotted, options, 'plotHtml');
  if (pageScript === '') throw new Error('Mutabor has to be built before it makes pages: npm run build.');
  const runs = runsOf(plotted);
  const figure = layoutFigure(runs, layout, options);
  const drawn = figure.panels.flatMap(({ diagram }) => [
    ...diagram.signals,
    ...(diagram.over ? [diagram.over] : []),
  ]);
  const excerpts = runs.map(({ table }) => excerptOf(table, drawn));
  const data: PageData = {
    layout: isOpen(layout) ? null : layout,
    options,
    notes: [...new Set(excerpts.flatMap(({ notes }) => notes))],
  };
  const results = runs.map(({ label }, i) => {
    const text = inScript(toJson(excerpts[i]!.table));
    return `<script type="application/json" class="results" data-label="${escapeText(label)}">${text}</script>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${figure.theme === 'auto' ? 'light dark' : figure.theme}">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeText(figure.title || 'Plot')}</title>
<style>
${pageStyle(figure.theme)}
</style>
</head>
<body>
<main id="plot">
${renderSvg(figure)}</main>
${results.join('\n')}
<script type="application/json" id="data">${inScript(JSON.stringify(data))}</script>
<script>
${pageScript}</script>
</body>
</html>
`;
}

/** In a script element only `<` could end it; as an escape it is the same JSON. */
const inScript = (json: string): string => json.replaceAll('<', '\\u003c');

function pageStyle(theme: 'auto' | 'light' | 'dark'): string {
  const ground = theme === 'auto' ? 'light-dark(#ffffff, #14181d)' : theme === 'dark' ? '#14181d' : '#ffffff';
  return `:root { color-scheme: ${theme === 'auto' ? 'light dark' : theme}; }
body { margin: 0; background: ${ground}; }
#plot { margin: 0 auto; max-width: 1200px; }
#plot > svg { display: block; width: 100%; height: auto; }`;
}
