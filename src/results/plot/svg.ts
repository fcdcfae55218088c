/** Plots as SVG text: options in, picture out. One file serves light and dark ground, browsers and other programs. */
import { checkOptions } from '../../diagnostic/options.ts';
import { checkTable, type SignalTable } from '../table.ts';
import { placeX, placeY, round } from './curve.ts';
import { type Figure, layoutFigure, type PlotOptions, plotKinds, type Strip } from './figure.ts';
import type { Layout } from './layout.ts';
import type { Arrow, Curve, Mark, Panel } from './panel.ts';
import { curveClass, curveColor, curveDash, light, styleSheet } from './style.ts';
import { escapeText } from './text.ts';

/** A plot with the diagrams of a layout, or of a choice of signals where it is left out. */
export function plotSvg(table: SignalTable, layout?: Layout, options: PlotOptions = {}): string {
  checkTable(table, 'plotSvg');
  checkOptions(options, plotKinds, 'plotSvg');
  return renderSvg(layoutFigure(table, layout, options));
}

export function renderSvg(figure: Figure): string {
  const { width, height } = figure;
  const names = new Set(figure.panels.flatMap((panel) => panel.curves.map((curve) => curve.name)));
  const about = `${[...names].join(', ') || 'No signals'} over time`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="mutabor-plot" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(figure.title ? `${figure.title}: ${about}` : about)}">`,
    `<style>\n${styleSheet(figure.theme)}\n</style>`,
    `<rect class="ground" width="${width}" height="${height}" fill="${light.ground}"/>`,
    figure.title &&
      `<text class="title" x="16" y="30" fill="${light.text}">${escapeText(figure.title)}</text>`,
    ...figure.panels.flatMap(drawGrid),
    ...figure.strips.flatMap(drawStrip),
    ...figure.panels.flatMap(drawPanel),
    ...figure.panels.flatMap(drawAcross),
    '</svg>',
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

/** Horizontal and vertical grid lines and the labels of the value axis. */
function drawGrid({ frame, ticks, acrossTicks, acrossLabel }: Panel): string[] {
  const { left, right, top, bottom } = frame;
  const across = ticks.values.map((value) => `M${left} ${crisp(placeY(frame, value))}H${right}`).join('');
  const down = acrossTicks.values.map((value) => `M${crisp(placeX(frame, value))} ${top}V${bottom}`).join('');
  const zero = frame.y.low < 0 && frame.y.high > 0 ? crisp(placeY(frame, 0)) : undefined;
  return [
    `<path class="grid" fill="none" stroke="${light.grid}" d="${across}${down}"/>`,
    zero === undefined ? '' : `<path class="zero" stroke="${light.zero}" d="M${left} ${zero}H${right}"/>`,
    `<path class="axis" fill="none" stroke="${light.axis}" d="M${crisp(left)} ${top}V${crisp(bottom)}${acrossLabel ? `H${right}` : ''}"/>`,
    ...ticks.values.map(
      (value, i) =>
        `<text class="tick" x="${left - 8}" y="${round(placeY(frame, value) + 4)}" text-anchor="end" fill="${light.muted}">${escapeText(ticks.labels[i]!)}</text>`,
    ),
  ];
}

function drawPanel(panel: Panel): string[] {
  const { frame, label, heading, legend, more } = panel;
  const above = frame.top - 9 - (legend.length > 0 ? legend[legend.length - 1]!.y - legend[0]!.y : 0);
  return [
    heading &&
      `<text class="heading" font-size="13" font-weight="600" x="${frame.left}" y="${above - 20}" fill="${light.text}">${escapeText(heading)}</text>`,
    label &&
      `<text class="tick unit" x="${frame.left - 8}" y="${frame.top - 9}" text-anchor="end" fill="${light.muted}">${escapeText(label)}</text>`,
    ...legend.map(
      ({ order, name, detail, tooltip, x, y, width }) =>
        `<g class="entry" data-signal="${order}"><title>${escapeText(tooltip)}</title>` +
        `<rect x="${round(x - 4)}" y="${y - 14}" width="${round(width + 8)}" height="19" fill="transparent"/>` +
        `<path class="${curveClass(order)}" stroke="${curveColor(order)}" stroke-width="2.5" stroke-linecap="round"${dash(order)} d="M${round(x + 1)} ${y - 4}h15"/>` +
        `<text x="${round(x + 23)}" y="${y}" fill="${light.text}"><tspan class="name" font-weight="600">${escapeText(name)}</tspan>${detail && `<tspan class="muted" dx="6" fill="${light.muted}">${escapeText(detail)}</tspan>`}</text></g>`,
    ),
    more
      ? `<text class="muted more" x="${round(more.x)}" y="${more.y}" fill="${light.muted}">${escapeText(more.text)}</text>`
      : '',
    ...panel.curves.map((curve) => drawCurve(curve)),
    ...panel.marks.map(drawMark),
    ...panel.arrows.map(drawArrow),
  ];
}

function drawCurve({ name, order, path, area }: Curve): string {
  const color = curveColor(order);
  const filled = area && `<path class="area" fill="${color}" fill-opacity="0.16" d="${area}"/>`;
  return (
    `<g class="curve ${curveClass(order)}" data-signal="${order}" stroke="${color}" color="${color}"><title>${escapeText(name)}</title>${filled}` +
    `<path fill="none" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round"${dash(order)} d="${path}"/></g>`
  );
}

function drawArrow({ order, x, from, to, label, tooltip }: Arrow): string {
  const color = curveColor(order);
  const at = round(x);
  const back = to < from ? to + 9 : to - 9;
  const text = to < from ? to + 9 : to - 1;
  return (
    `<g class="impulse ${curveClass(order)}" data-signal="${order}" stroke="${color}" color="${color}"><title>${escapeText(tooltip)}</title>` +
    `<path stroke-width="2" d="M${at} ${round(from)}V${round(back)}"/>` +
    `<path class="head" fill="${color}" d="M${at} ${round(to)}L${round(x - 4.5)} ${round(back)}H${round(x + 4.5)}Z"/>` +
    `<text class="weight" x="${round(x + 8)}" y="${round(text)}" fill="${color}" stroke="none">${escapeText(label)}</text></g>`
  );
}

/** A change of mode on a curve that is not over the time. */
function drawMark({ order, x, y, tooltip }: Mark): string {
  const color = curveColor(order);
  return `<circle class="mark ${curveClass(order)}" data-signal="${order}" cx="${round(x)}" cy="${round(y)}" r="3.5" fill="${light.ground}" style="fill:var(--ground)" stroke="${color}" stroke-width="1.75"><title>${escapeText(tooltip)}</title></circle>`;
}

/** The strip of modes, and thin lines through the diagrams below it where they begin. */
function drawStrip({ cells, restarts, frames, top, isShown }: Strip): string[] {
  const lineAt = (x: number): string =>
    frames.map((frame) => `M${round(x)} ${frame.top}V${frame.bottom}`).join('');
  const again = restarts.map(
    (x) =>
      `<path class="change" stroke="${light.mark}" stroke-dasharray="2 3" d="${lineAt(x)}"><title>restart</title></path>`,
  );
  const modes = cells.map(({ left, right, label, tooltip, marked }) => {
    const width = Math.max(0.5, right - left - 1);
    const text =
      label &&
      `<text x="${round((left + right) / 2)}" y="${top + 12}" text-anchor="middle" fill="${light.muted}">${escapeText(label)}</text>`;
    const line = lineAt(left);
    const change = marked
      ? `<path class="change" stroke="${light.mark}" stroke-dasharray="2 3" d="${line}"/>`
      : '';
    if (!isShown) return change;
    return (
      `<g class="strip"><title>${escapeText(tooltip)}</title>` +
      `<rect x="${round(left + 0.5)}" y="${top}" width="${round(width)}" height="16" rx="2" fill="${light.strip}"/>${text}${change}</g>`
    );
  });
  return [...again, ...modes];
}

/** Labels of the horizontal axis, below the last diagram that has it. */
function drawAcross({ frame, acrossTicks, acrossLabel }: Panel): string[] {
  if (acrossLabel === '') return [];
  return [
    ...acrossTicks.values.map(
      (value, i) =>
        `<text class="tick" x="${round(placeX(frame, value))}" y="${frame.bottom + 17}" text-anchor="middle" fill="${light.muted}">${escapeText(acrossTicks.labels[i]!)}</text>`,
    ),
    `<text class="tick" x="${round((frame.left + frame.right) / 2)}" y="${frame.bottom + 34}" text-anchor="middle" fill="${light.muted}">${escapeText(acrossLabel)}</text>`,
  ];
}

function dash(order: number): string {
  const pattern = curveDash(order);
  return pattern && ` stroke-dasharray="${pattern}"`;
}

/** The middle of a pixel, where a thin line is sharp. */
function crisp(value: number): number {
  return Math.floor(value) + 0.5;
}
