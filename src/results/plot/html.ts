/**
 * Plots as one HTML page that needs nothing else: the picture, the results that it shows, and the script that makes it zoom, pan, read
 * out values and choose signals (`viewer.ts`). Without the script the picture is complete; it is all there is where the results are too large.
 */

import { escapeText } from '../../paint/text.ts';
import { carriedResults } from './carried.ts';
import { MOST_NUMBERS } from './excerpt.ts';
import { checkPlot, layoutFigure, type PlotOptions, type Plotted, runsOf } from './figure.ts';
import type { Layout } from './layout.ts';
import { pageScript } from './script.ts';
import { FONTS } from './style.ts';
import { renderSvg } from './svg.ts';

/** A page with the diagrams of a layout, or of a choice of signals where it is left out. */
export function plotHtml(plotted: Plotted, layout?: Layout, options: PlotOptions = {}): string {
  checkPlot(plotted, options, 'plotHtml');
  if (pageScript === '') throw new Error('Mutabor has to be built before it makes pages: npm run build.');
  const runs = runsOf(plotted);
  const figure = layoutFigure(runs, layout, options);
  const results = carriedResults(runs, figure, layout, options);
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
${results ? '' : TOO_MANY}<main id="plot">
${renderSvg(figure)}</main>
${results ? `${results}\n<script>\n${pageScript}</script>\n` : ''}</body>
</html>
`;
}

const TOO_MANY = `<p>These are more than ${MOST_NUMBERS / 1e6} million numbers, which a page does not carry: it can neither be zoomed nor read out. Draw fewer signals, or write fewer rows.</p>\n`;

function pageStyle(theme: 'auto' | 'light' | 'dark'): string {
  const ground = theme === 'auto' ? 'light-dark(#ffffff, #14181d)' : theme === 'dark' ? '#14181d' : '#ffffff';
  return `:root { color-scheme: ${theme === 'auto' ? 'light dark' : theme}; }
body { margin: 0; background: ${ground}; }
p { font: 13px/1.4 ${FONTS}; text-align: center; color: #7b8794; padding: 0 16px; }
#plot { margin: 0 auto; max-width: 1200px; }
#plot > svg { display: block; width: 100%; height: auto; }`;
}
