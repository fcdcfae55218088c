/**
 * Plots as one HTML page that needs nothing else: the picture, the results that it shows, and the script that makes it zoom, pan, read
 * out values and choose signals (`viewer.ts`). Without the script the picture is complete; it is all there is where the results are too large.
 */
import { toJson } from '../files/json.ts';
import { choiceOf } from './choose.ts';
import { type Excerpt, excerptOf, MOST_NUMBERS } from './excerpt.ts';
import {
  checkPlot,
  type Figure,
  isOpen,
  layoutFigure,
  type PlotOptions,
  type Plotted,
  runsOf,
} from './figure.ts';
import type { Layout } from './layout.ts';
import type { Run } from './member.ts';
import type { PageData } from './page.ts';
import { pageScript } from './script.ts';
import { FONTS } from './style.ts';
import { renderSvg } from './svg.ts';
import { escapeText } from './text.ts';

/** A page with the diagrams of a layout, or of a choice of signals where it is left out. */
export function plotHtml(plotted: Plotted, layout?: Layout, options: PlotOptions = {}): string {
  checkPlot(plotted, options, 'plotHtml');
  if (pageScript === '') throw new Error('Mutabor has to be built before it makes pages: npm run build.');
  const runs = runsOf(plotted);
  const figure = layoutFigure(runs, layout, options);
  const excerpts = excerptsOf(runs, figure);
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
${excerpts ? '' : TOO_MANY}<main id="plot">
${renderSvg(figure)}</main>
${excerpts ? scripts(runs, excerpts, layout, options) : ''}</body>
</html>
`;
}

/** Of each result what is drawn; undefined where one page cannot carry it. */
function excerptsOf(runs: readonly Run[], { panels }: Figure): Excerpt[] | undefined {
  const drawn = panels.flatMap(({ diagram: { signals, over } }) => (over ? [...signals, over] : signals));
  const areCurves = panels.every(({ isTimed, diagram }) => isTimed && diagram.as === 'curves');
  const excerpts = runs.map(({ table }) => excerptOf(table, drawn, areCurves, MOST_NUMBERS / runs.length));
  return excerpts.every((excerpt) => excerpt !== undefined) ? excerpts : undefined;
}

function scripts(
  runs: readonly Run[],
  excerpts: readonly Excerpt[],
  layout: Layout | undefined,
  options: PlotOptions,
): string {
  const data: PageData = {
    layout: isOpen(layout) ? null : layout,
    choice: choiceOf(runs[0]!.table),
    options,
    resolution: Math.max(...excerpts.map(({ resolution }) => resolution)),
    notes: [...new Set(excerpts.flatMap(({ notes }) => notes))],
  };
  const results = runs.map(({ label }, i) => {
    const text = inScript(toJson(excerpts[i]!.table));
    return `<script type="application/json" class="results" data-label="${escapeText(label)}">${text}</script>`;
  });
  return `${results.join('\n')}
<script type="application/json" id="data">${inScript(JSON.stringify(data))}</script>
<script>
${pageScript}</script>
`;
}

const TOO_MANY = `<p>These are more than ${MOST_NUMBERS / 1e6} million numbers, which a page does not carry: it can neither be zoomed nor read out. Draw fewer signals, or write fewer rows.</p>\n`;

/** In a script element only `<` could end it; as an escape it is the same JSON. */
const inScript = (json: string): string => json.replaceAll('<', '\\u003c');

function pageStyle(theme: 'auto' | 'light' | 'dark'): string {
  const ground = theme === 'auto' ? 'light-dark(#ffffff, #14181d)' : theme === 'dark' ? '#14181d' : '#ffffff';
  return `:root { color-scheme: ${theme === 'auto' ? 'light dark' : theme}; }
body { margin: 0; background: ${ground}; }
p { font: 13px/1.4 ${FONTS}; text-align: center; color: #7b8794; padding: 0 16px; }
#plot { margin: 0 auto; max-width: 1200px; }
#plot > svg { display: block; width: 100%; height: auto; }`;
}
