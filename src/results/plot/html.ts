/**
 * Plots as one HTML page that needs nothing else: the SVG picture, and a small script that shows values under the
 * pointer and switches signals off and on by their legend entries. Without the script the picture is complete.
 */
import { checkOptions } from '../../diagnostic/options.ts';
import { checkTable, type SignalTable } from '../table.ts';
import { drawable } from './curve.ts';
import { type Figure, layoutFigure, type PlotOptions, plotKinds } from './figure.ts';
import type { Layout } from './layout.ts';
import { renderSvg } from './svg.ts';
import { escapeText } from './text.ts';
import { type Display, displayOf, prettyUnit } from './units.ts';

/** A page with the diagrams of a layout, or of a choice of signals where it is left out. */
export function plotHtml(table: SignalTable, layout?: Layout, options: PlotOptions = {}): string {
  checkTable(table, 'plotHtml');
  checkOptions(options, plotKinds, 'plotHtml');
  const figure = layoutFigure(table, layout, { ...(isNarrow(layout) && { width: 960 }), ...options });
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

/** One column, which a page has more room for than a picture. */
const isNarrow = (layout: Layout | undefined): boolean =>
  typeof layout === 'string' ? !layout.includes('|') : layout === undefined || !('rows' in layout);

/** More rows than this cannot be told apart with a pointer. */
const MOST_ROWS = 4000;

/** What the script needs: the geometry of the diagrams and values by row. `over` are values along the horizontal axis. */
function readoutData(table: SignalTable, figure: Figure): object {
  const rows = readoutRows(table.time);
  const signals = new Map(figure.panels.flatMap(({ curves }) => curves.map((curve) => [curve.order, curve])));
  const shown = (name: string, { scale, offset }: Display): (number | null)[] => {
    const values = table.get(name);
    return rows.map((row) => {
      const value = values[row]! * scale + offset;
      return drawable(value) ? Number(value.toPrecision(7)) : null;
    });
  };
  return {
    axis: table.independents[0]!.name,
    unit: prettyUnit(table.independents[0]!.unit),
    panels: figure.panels.map(({ frame, column, over, curves }) => {
      const { left, right, top, bottom, x, y } = frame;
      const info = over === undefined ? undefined : table.info(over)!;
      return {
        column,
        ...{ left, right, top, bottom, from: x.low, to: x.high, low: y.low, high: y.high },
        signals: curves.map(({ order }) => order),
        ...(info && { over: shown(info.name, displayOf(info.unit, info.displayUnit)) }),
      };
    }),
    time: rows.map((row) => table.time[row]),
    signals: [...signals.values()].map(({ name, order, display }) => ({
      name,
      order,
      unit: prettyUnit(display.unit),
      boolean: table.info(name)!.type === 'Boolean',
      values: shown(name, display),
    })),
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
.plot .curve.off, .plot .impulse.off, .plot .mark.off { display: none; }
.plot .cursor { stroke: #7b8794; fill: none; pointer-events: none; }
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

  const signalOf = new Map(data.signals.map((signal) => [signal.order, signal]));

  // Over the time, all diagrams of the column are read off at once; elsewhere, the nearest point of the diagram.
  const pointed = (x, y) => {
    const panel = data.panels.find((p) => x >= p.left && x <= p.right && y >= p.top && y <= p.bottom);
    if (panel && panel.over) return nearestPoint(panel, x, y);
    const column = data.panels.filter((p) => !p.over && x >= p.left && x <= p.right);
    if (column.length === 0 || data.time.length === 0) return undefined;
    const [top, bottom] = [Math.min(...column.map((p) => p.top)), Math.max(...column.map((p) => p.bottom))];
    if (y < top || y > bottom) return undefined;
    const { left, right, from, to } = column[0];
    const time = from + ((x - left) / (right - left)) * (to - from);
    const path = column.map((p) => 'M' + x + ' ' + p.top + 'V' + p.bottom).join('');
    return { time, row: rowAt(time), path, orders: [...new Set(column.flatMap((p) => p.signals))] };
  };
  const nearestPoint = (panel, x, y) => {
    let best;
    let least = Infinity;
    for (const order of panel.signals) {
      if (hidden.has(String(order))) continue;
      signalOf.get(order).values.forEach((value, row) => {
        const across = panel.over[row];
        if (value === null || across === null) return;
        const px = panel.left + ((across - panel.from) / (panel.to - panel.from)) * (panel.right - panel.left);
        const py = panel.bottom - ((value - panel.low) / (panel.high - panel.low)) * (panel.bottom - panel.top);
        const distance = (px - x) ** 2 + (py - y) ** 2;
        if (distance >= least) return;
        least = distance;
        best = { time: data.time[row], row, path: 'M' + (px - 6) + ' ' + py + 'h12M' + px + ' ' + (py - 6) + 'v12', orders: panel.signals };
      });
    }
    return best;
  };

  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const point = pointed((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
    if (!point) return leave();
    cursor.setAttribute('d', point.path);
    readout.replaceChildren(line('', data.axis + ' = ' + show(point.time) + (data.unit && ' ' + data.unit)));
    for (const order of point.orders) {
      const signal = signalOf.get(order);
      if (hidden.has(String(order))) continue;
      const curve = svg.querySelector('.curve[data-signal="' + order + '"]');
      const value = valueAt(signal.values, point.time, point.row);
      const text = signal.boolean && value !== null ? String(signal.values[point.row] !== 0) : show(value);
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
