/**
 * Animations as one HTML page that needs nothing else: the scene, the results that are plotted beside it, and the script that plays them
 * (`player/page.ts`).
 */

import { escapeText } from '../paint/text.ts';
import { carriedResults, inScript } from '../results/plot/carried.ts';
import { layoutFigure, runsOf } from '../results/plot/figure.ts';
import type { Animation } from './animation.ts';
import { packed } from './pack.ts';
import { sceneOf } from './scene.ts';
import { pageScript } from './script.ts';
import { PLAYER_STYLE } from './style.ts';

/** A page that plays an animation. */
export function animationPage(animation: Animation): string {
  if (pageScript === '') throw new Error('Mutabor has to be built before it makes pages: npm run build.');
  const scene = sceneOf(animation);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeText(scene.title || 'Animation')}</title>
<style>
${PLAYER_STYLE}
</style>
</head>
<body>
<main id="player"><noscript>This page needs JavaScript to play the animation.</noscript></main>
<script type="application/json" id="scene">${inScript(packed(scene))}</script>
${plotOf(animation)}<script>
${pageScript}</script>
</body>
</html>
`;
}

/** The results for the plot. Where they are too many, the page says so. */
function plotOf({ results, layout }: Animation): string {
  if (!results) return '';
  const options = { title: '' };
  const runs = runsOf(results);
  const carried = carriedResults(runs, layoutFigure(runs, layout, options), layout, options);
  return carried ? `${carried}\n` : `${TOO_MANY}\n`;
}

const TOO_MANY =
  '<p id="unplotted">The results are more than a page carries: there is no plot. Draw fewer signals, or write fewer rows.</p>';
