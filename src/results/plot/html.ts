/**
 * Plots as one HTML page that needs nothing else: the SVG picture, and a small script that shows values under the
 * pointer and switches signals off and on by their legend entries. Without the script the picture is complete.
 */
import type { SignalTable } from '../table.ts';
import { chooseSignals } from './choose.ts';
import { drawable } from './curve.ts';
import { type Figure, layoutFigure, type PlotOptions } from './figure.ts';
import { renderSvg } from './svg.ts';
import { escapeText } from './text.ts';
import { prettyUnit } from './units.ts';

/** A page with a plot of the named signals, or of a choice of them where the list is empty. */
export function plotHtml(
  table: SignalTable,
  names: readonly string[] = [],
  options: PlotOptions = {},
): string {
  const figure = layoutFigure(table, names.length > 0 ? names : chooseSignals(table), {
    width: 960,
    ...options,
  });
  // In a script element only `<` could end it; as an escape it is the same JSON.
  const data = JSON.stringify(readoutData(table, figure)).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${figure.theme === 'auto' ? 'light dark' : figure.theme}">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeText(figure.title || 'Plot')}</title>
<style>
${PAGE_STYLE}
</style>
</head>
<body>
<figure class="plot">
${renderSvg(figure)}<output class="mutabor-readout" hidden></output>
</figure>
<script type="application/json" id="data">${data}</script>
<script>
${PAGE_SCRIPT}
</script>
</body>
</html>
`;
}

/** More rows than this cannot be told apart with a pointer. */
const MOST_ROWS = 4000;

/** What the script needs: the geometry of the picture and values by row. */
function readoutData(table: SignalTable, figure: Figure): object {
  const rows = readoutRows(table.time);
  const frames = figure.panels.map((panel) => panel.frame);
  const first = frames[0];
  const last = frames[frames.length - 1];
  return {
    left: first?.left ?? 0,
    right: first?.right ?? 0,
    top: first?.top ?? 0,
    bottom: last?.bottom ?? 0,
    from: figure.time.low,
    to: figure.time.high,
    time: rows.map((row) => table.time[row]),
    signals: figure.panels.flatMap((panel) =>
      panel.curves.map(({ name, order, display }) => {
        const boolean = table.info(name)!.type === 'Boolean';
        const values = table.get(name);
        return {
          name,
          order,
          unit: prettyUnit(display.unit),
          boolean,
          values: rows.map((row) => {
            const value = values[row]! * display.scale + display.offset;
            return drawable(value) ? Number(value.toPrecision(7)) : null;
          }),
        };
      }),
    ),
  };
}

/** All rows, or some at equal steps of time where there are too many; both rows of an event stay together. */
function readoutRows(times: Float64Array): number[] {
  const rows: number[] = [];
  const step = times.length > MOST_ROWS ? (times[times.length - 1]! - times[0]!) / MOST_ROWS : 0;
  let next = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < times.length; row++) {
    const time = times[row]!;
    if (time < next && time !== times[rows[rows.length - 1]!]) continue;
    rows.push(row);
    if (time >= next) next = time + step;
  }
  return rows;
}

const PAGE_STYLE = `:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#ffffff, #14181d); }
.plot { position: relative; margin: 0; width: min(100%, 1200px); }
.plot svg { display: block; width: 100%; height: auto; }
.plot .entry[role] { cursor: pointer; }
.plot .entry:focus-visible { outline: 2px solid #3a9fdc; outline-offset: 2px; }
.plot .off { opacity: 0.3; }
.plot .curve.off, .plot .impulse.off { display: none; }
.plot .cursor { stroke: #7b8794; pointer-events: none; }
.mutabor-readout { position: absolute; pointer-events: none; padding: 6px 10px; border-radius: 6px; white-space: pre;
  font: 12px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; color: light-dark(#1f2933, #e4e7eb);
  background: light-dark(#ffffffee, #20262dee); box-shadow: 0 1px 6px #0004; }
.mutabor-readout i { display: inline-block; width: 10px; height: 3px; margin-right: 6px; vertical-align: middle; }`;

/** Runs in the reader's browser. Texts are set as text, never as HTML. */
const PAGE_SCRIPT = `(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const svg = document.querySelector('.plot svg');
  const readout = document.querySelector('.mutabor-readout');
  const hidden = new Set();

  for (const entry of svg.querySelectorAll('.entry')) {
    const toggle = () => {
      const signal = entry.dataset.signal;
      hidden.has(signal) ? hidden.delete(signal) : hidden.add(signal);
      for (const part of svg.querySelectorAll('[data-signal="' + signal + '"]')) {
        part.classList.toggle('off', hidden.has(signal));
      }
      entry.setAttribute('aria-pressed', String(!hidden.has(signal)));
    };
    entry.setAttribute('role', 'button');
    entry.setAttribute('tabindex', '0');
    entry.setAttribute('aria-pressed', 'true');
    entry.addEventListener('click', toggle);
    entry.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      toggle();
    });
  }

  const cursor = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  cursor.setAttribute('class', 'cursor');
  svg.append(cursor);

  const rowAt = (time) => {
    let low = 0;
    let high = data.time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (data.time[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const valueAt = (values, time, row) => {
    const a = values[row];
    const b = values[row + 1];
    const step = data.time[row + 1] - data.time[row];
    if (a === null || b === null || b === undefined || !(step > 0)) return a;
    return a + ((b - a) * (time - data.time[row])) / step;
  };
  const show = (value) => (value === null ? 'missing' : String(Number(value.toPrecision(5))).replace('-', '\\u2212'));

  const line = (color, text) => {
    const row = document.createElement('div');
    if (color) {
      const swatch = document.createElement('i');
      swatch.style.background = color;
      row.append(swatch);
    }
    row.append(text);
    return row;
  };

  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale;
    const y = (event.clientY - box.top) * scale;
    if (x < data.left || x > data.right || y < data.top || y > data.bottom || data.time.length === 0) return leave();
    const time = data.from + ((x - data.left) / (data.right - data.left)) * (data.to - data.from);
    const row = rowAt(time);
    cursor.setAttribute('d', 'M' + x + ' ' + data.top + 'V' + data.bottom);
    readout.replaceChildren(line('', 'time = ' + show(time) + ' s'));
    for (const signal of data.signals) {
      if (hidden.has(String(signal.order))) continue;
      const curve = svg.querySelector('.curve[data-signal="' + signal.order + '"]');
      const value = valueAt(signal.values, time, row);
      const text = signal.boolean && value !== null ? String(signal.values[row] !== 0) : show(value);
      const unit = signal.unit && value !== null ? ' ' + signal.unit : '';
      readout.append(line(getComputedStyle(curve).color, signal.name + ' = ' + text + unit));
    }
    readout.hidden = false;
    const right = event.clientX - box.left + 16;
    readout.style.left = (right + readout.offsetWidth > box.width ? right - 32 - readout.offsetWidth : right) + 'px';
    readout.style.top = Math.max(0, event.clientY - box.top - readout.offsetHeight / 2) + 'px';
  });
  const leave = () => {
    readout.hidden = true;
    cursor.removeAttribute('d');
  };
  svg.addEventListener('pointerleave', leave);
})();`;
