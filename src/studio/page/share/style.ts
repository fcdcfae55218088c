/** How reports look: on screens, light and dark, and on paper. */
export const reportStyle = `:root { color-scheme: light dark; --text: light-dark(#1f2933, #e4e7eb); --muted: light-dark(#52606d, #a8b3bf); --line: light-dark(#d9dee4, #313942); --panel: light-dark(#f6f7f9, #1b2026); --accent: light-dark(#0069a6, #4aa8e8); --error: light-dark(#c0341d, #ff8a75); --warning: light-dark(#a86400, #f5bd41); --mark: light-dark(#f9ecc0, #4d421c); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1000px; padding: 24px 20px 40px; background: light-dark(#ffffff, #14181d); color: var(--text); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 26px; }
h2 { margin: 28px 0 8px; font-size: 16px; border-bottom: 1px solid var(--line); padding-bottom: 3px; }
header p { margin: 2px 0 0; color: var(--muted); }
.status { font-size: 16px; margin: 12px 0 6px; }
.failed, .error b { color: var(--error); }
.warning b { color: var(--warning); }
dl { display: flex; flex-wrap: wrap; gap: 4px 28px; margin: 0; }
dl div { display: flex; gap: 6px; }
dt, .none, .hint, footer { color: var(--muted); }
dd { margin: 0; }
.messages { list-style: none; margin: 0; padding: 0; }
.messages p { margin: 0 0 2px; }
.messages li { padding: 3px 0; }
a { color: var(--accent); }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; }
.drawing svg { max-height: 480px; background: #ffffff; border-radius: 6px; }
.graph { overflow-x: auto; margin-bottom: 8px; }
.graph svg { width: auto; font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.mode-graph text { text-anchor: middle; fill: var(--muted); }
.mode-graph .title { fill: var(--text); font-weight: 600; }
.mode-graph .impulse { fill: var(--error); }
.mode .frame { fill: var(--panel); stroke: var(--line); stroke-width: 1.5; }
.change path { fill: none; stroke: var(--muted); stroke-width: 1.4; }
.mode-graph .tip { fill: var(--muted); }
.change .room { fill: light-dark(#ffffff, #14181d); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 4px 0 12px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 3px 18px 3px 0; border-bottom: 1px solid var(--line); }
th { color: var(--muted); font-weight: 600; }
td b { color: var(--accent); font-weight: 600; }
pre { counter-reset: line; margin: 0; padding: 8px 10px 8px 0; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; font: 12px/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
pre span { display: block; counter-increment: line; padding-left: 52px; position: relative; }
pre span::before { content: counter(line); position: absolute; left: 0; width: 40px; text-align: right; color: var(--muted); user-select: none; }
pre span:target { background: var(--mark); }
footer { margin-top: 32px; font-size: 12px; }
@media print { body { max-width: none; padding: 0; } section { break-inside: avoid; } pre { break-inside: auto; } }`;
