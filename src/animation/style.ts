/** The style sheets of pictures that move, and of pages that play them. */
import { FONTS } from '../results/plot/style.ts';

/** Of the picture, with its menus; also where it is a part of another page. */
export const PICTURE_STYLE = `:root, :host { --text: light-dark(#1f2933, #e4e7eb); --muted: light-dark(#52606d, #9aa5b1);
  --ground: light-dark(#ffffff, #14181d); --raised: light-dark(#ffffff, #20262d); --line: light-dark(#d5dbe2, #353e48); --accent: light-dark(#0072b2, #4aa8e8); }
.stage { grid-area: stage; position: relative; overflow: hidden; min-height: 0;
  background: linear-gradient(light-dark(#dfe7ee, #1d242c), light-dark(#f6f8fa, #12161b) 70%); }
.stage canvas { display: block; position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; outline-offset: -3px; }
.stage h1 { position: absolute; left: 16px; top: 12px; margin: 0; max-width: calc(100% - 300px); font-size: 15px; font-weight: 600;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; pointer-events: none; }
.stage .missing { position: absolute; inset: 0; display: grid; place-content: center; margin: 0; padding: 32px; text-align: center; }
.labels { position: absolute; inset: 0; overflow: hidden; pointer-events: none; font-size: 12px; }
.labels span { position: absolute; left: 0; top: 0; padding: 1px 5px; border-radius: 4px; white-space: nowrap; background: light-dark(#ffffffcc, #14181dcc); }
.labels .force { color: light-dark(#a84300, #ff9d66); }
.labels .torque { color: light-dark(#71308f, #d79ae0); }
.notes { position: absolute; left: 12px; bottom: 10px; max-width: min(520px, calc(100% - 24px)); pointer-events: none; }
.notes p { display: flex; gap: 8px; align-items: flex-start; margin: 6px 0 0; padding: 6px 10px; border-radius: 8px; font-size: 13px; background: var(--raised); box-shadow: 0 1px 6px #0003; }
.notes p[hidden] { display: none; }
.notes button { pointer-events: auto; min-height: 24px; padding: 0 8px; margin-left: auto; }
.menus { position: absolute; right: 12px; top: 10px; display: flex; gap: 6px; }
.menus details { position: relative; }
.menus .panel { position: absolute; z-index: 3; right: 0; top: 38px; width: max-content; min-width: 190px; max-width: min(320px, 80vw);
  max-height: min(60vh, 420px); overflow: auto; box-sizing: border-box; padding: 8px 12px; border-radius: 8px; background: var(--raised); box-shadow: 0 2px 12px #0004; }
.panel label { display: flex; gap: 8px; align-items: baseline; padding: 4px 0; overflow-wrap: anywhere; }
.panel label.wide { flex-direction: column; gap: 4px; }
.panel select, .panel input[type=search] { width: 100%; box-sizing: border-box; }
.panel kbd { font: inherit; color: var(--muted); margin-left: auto; padding-left: 16px; white-space: nowrap; }
button, summary, select, input[type=search] { font: inherit; color: inherit; min-height: 32px; box-sizing: border-box; padding: 4px 10px; border: 1px solid var(--line);
  border-radius: 7px; background: var(--raised); }
button, summary, select { cursor: pointer; }
summary { list-style: none; display: flex; align-items: center; }
summary::-webkit-details-marker { display: none; }
button:hover, summary:hover, select:hover { border-color: var(--muted); }
button[aria-pressed=true] { color: var(--accent); border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
input { accent-color: var(--accent); }`;

/** The picture and the plot side by side, above each other where there is little room. */
export const PLAYER_STYLE = `:root { color-scheme: light dark; }
${PICTURE_STYLE}
html, body { height: 100%; margin: 0; }
body { color: var(--text); background: var(--ground); font: 14px/1.4 ${FONTS}; }
#player { display: grid; height: 100%; height: 100dvh; grid-template: "stage side" minmax(0, 1fr) "bar bar" auto / minmax(0, 1.5fr) minmax(0, 1fr); }
#player.alone { grid-template-columns: minmax(0, 1fr) 0; }
.timeline { grid-area: bar; display: flex; align-items: center; gap: 10px; padding: 8px 14px; border-top: 1px solid var(--line); }
.timeline[hidden] { display: none; }
.timeline .play { width: 44px; height: 38px; padding: 0; font-size: 15px; color: #fff; background: light-dark(#0072b2, #1f6fa3); border-color: transparent; }
.timeline .play svg { display: block; margin: auto; fill: currentColor; }
.timeline input[type=range] { flex: 1; min-width: 60px; height: 32px; margin: 0; }
.timeline output { min-width: 11ch; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.side { grid-area: side; min-width: 0; overflow: auto; border-left: 1px solid var(--line); }
.side p { color: var(--muted); padding: 0 16px; }
.alone .side { display: none; }
@media (max-width: 760px) {
  #player:not(.alone) { height: auto; grid-template: "stage" 56vh "bar" auto "side" auto / minmax(0, 1fr); }
  .timeline { flex-wrap: wrap; position: sticky; bottom: 0; z-index: 2; background: var(--ground); }
  .timeline input[type=range] { flex: 1 0 100%; order: -1; }
  .timeline output { margin-left: auto; }
  .side { border-left: 0; }
}`;
