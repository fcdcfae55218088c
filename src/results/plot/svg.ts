/** Plots as SVG text: options in, picture out. One file serves light and dark ground, browsers and other programs. */
import { type Line, round } from './curve.ts';
import { checkPlot, type Figure, layoutFigure, type PlotOptions, type Plotted, runsOf } from './figure.ts';
import type { Layout } from './layout.ts';
import { type Boxes, type Group, type Shape, shapesOf, type Words } from './shapes.ts';
import { colorIn, LIGHT, styleSheet } from './style.ts';
import { escapeText } from './text.ts';

/** A plot with the diagrams of a layout, or of a choice of signals where it is left out. */
export function plotSvg(plotted: Plotted, layout?: Layout, options: PlotOptions = {}): string {
  checkPlot(plotted, options, 'plotSvg');
  return renderSvg(layoutFigure(runsOf(plotted), layout, options));
}

export function renderSvg(figure: Figure): string {
  const { width, height, title, theme } = figure;
  const names = new Set(figure.panels.flatMap(({ diagram }) => diagram.signals));
  const listed = [...names].slice(0, 20).join(', ') + (names.size > 20 ? ` and ${names.size - 20} more` : '');
  const about = `${listed || 'No signals'} over time`;
  const paint = new Paint();
  const body = shapesOf(figure).map((shape) => write(shape, paint));
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="mutabor-plot" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(title ? `${title}: ${about}` : about)}">`,
    `<style>\n${styleSheet(theme, paint.fills, paint.strokes)}\n</style>`,
    ...body,
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

/** Attributes of colours; remembers which colours of the theme were used, for the style sheet. */
class Paint {
  readonly fills = new Set<string>();
  readonly strokes = new Set<string>();

  fill(color: string, name = ''): string {
    if (color in LIGHT) this.fills.add(color);
    return `${classes(name, color in LIGHT ? `f-${color}` : '')} fill="${colorIn(LIGHT, color)}"`;
  }

  stroke(color: string, name = ''): string {
    if (color in LIGHT) this.strokes.add(color);
    return `${classes(name, color in LIGHT ? `s-${color}` : '')} stroke="${colorIn(LIGHT, color)}"`;
  }
}

function classes(...names: readonly string[]): string {
  const list = names.filter((name) => name !== '').join(' ');
  return list && ` class="${list}"`;
}

function write(shape: Shape, paint: Paint): string {
  switch (shape.kind) {
    case 'group':
      return writeGroup(shape, paint);
    case 'lines': {
      const { lines, color, width, dash = [], class: name } = shape;
      const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : '';
      const thick =
        width === 1 ? '' : ` stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`;
      return `<path${paint.stroke(color, name)} fill="none"${thick}${dashes} d="${lines.map(pathOf).join('')}"/>`;
    }
    case 'area': {
      const opacity = shape.opacity === 1 ? '' : ` fill-opacity="${shape.opacity}"`;
      const path = shape.lines.map((line) => `${pathOf(line)}Z`).join('');
      return `<path${paint.fill(shape.color, shape.class)}${opacity} d="${path}"/>`;
    }
    case 'box': {
      const { x, y, width, height, color, radius = 0, class: name } = shape;
      const corner = radius > 0 ? ` rx="${radius}"` : '';
      const fill = color === '' ? ' fill="transparent"' : paint.fill(color, name);
      return `<rect${fill} x="${x}" y="${y}" width="${width}" height="${height}"${corner}/>`;
    }
    case 'boxes':
      return writeBoxes(shape, paint);
    case 'words':
      return writeWords(shape, paint);
    case 'ring':
      paint.fills.add('ground');
      return `<circle${paint.stroke(shape.color, 'f-ground')} cx="${shape.x}" cy="${shape.y}" r="${shape.radius}" fill="${LIGHT.ground}" stroke-width="1.75"/>`;
  }
}

function writeGroup({ class: name = '', key, tooltip, shapes }: Group, paint: Paint): string {
  const data = key === undefined ? '' : ` data-key="${escapeText(key)}"`;
  const inner = shapes.map((shape) => write(shape, paint)).join('');
  return `<g${classes(name)}${data}><title>${escapeText(tooltip)}</title>${inner}</g>`;
}

function writeBoxes({ cells, color, class: name }: Boxes, paint: Paint): string {
  const path = cells.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join('');
  return `<path${paint.fill(color, name)} shape-rendering="crispEdges" d="${path}"/>`;
}

function writeWords(shape: Words, paint: Paint): string {
  const { text, x, y, size, color, anchor, bold, halo, after, class: name = '' } = shape;
  const weight = bold ? ' font-weight="600"' : '';
  const place = `x="${x}" y="${y}" font-size="${size}"${anchor ? ` text-anchor="${anchor}"` : ''}`;
  const border = halo ? ` stroke-width="3" ${paint.stroke('ground').replace(/^ class="[^"]*"/, '')}` : '';
  const own = `${name}${halo ? ' halo s-ground' : ''}`;
  if (!after) return `<text${paint.fill(color, own)} ${place}${weight}${border}>${escapeText(text)}</text>`;
  const second = `<tspan${paint.fill(after.color)} dx="${after.gap}">${escapeText(after.text)}</tspan>`;
  return `<text${classes(name)} ${place}><tspan${paint.fill(color)}${weight}>${escapeText(text)}</tspan>${second}</text>`;
}

/** `M` a point, `L` the others; one point alone is a line of no length, drawn as a dot by its round ends. */
function pathOf(line: Line): string {
  if (line.length === 0) return '';
  const points: string[] = [];
  for (let i = 0; i < line.length; i += 2) points.push(`${round(line[i]!)} ${round(line[i + 1]!)}`);
  return points.length === 1 ? `M${points[0]}h0` : `M${points[0]}L${points.slice(1).join(' ')}`;
}
