/** Plots as SVG text: options in, picture out. One file serves light and dark ground, browsers and other programs. */
import { listed } from '../../diagnostic/words.ts';
import type { Line } from '../../paint/raster.ts';
import { escapeText } from '../../paint/text.ts';
import { round } from './curve.ts';
import { checkPlot, type Figure, layoutFigure, type PlotOptions, type Plotted, runsOf } from './figure.ts';
import type { Layout } from './layout.ts';
import { type Boxes, type Group, type Shape, shapesOf, type TextShape } from './shapes.ts';
import { colorIn, LIGHT, styleSheet } from './style.ts';

/** A plot with the diagrams of a layout, or of a choice of signals where it is left out. */
export function plotSvg(plotted: Plotted, layout?: Layout, options: PlotOptions = {}): string {
  checkPlot(plotted, options, 'plotSvg');
  return renderSvg(layoutFigure(runsOf(plotted), layout, options));
}

export function renderSvg(figure: Figure): string {
  const { width, height, title, theme } = figure;
  const names = new Set(figure.panels.flatMap(({ diagram }) => diagram.signals));
  const about = `${listed([...names], 20) || 'No signals'} over time`;
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

/** A colour as an attribute, and the class that makes it follow the theme; empty for one that is the same on every ground. */
interface Painted {
  readonly class: string;
  readonly attribute: string;
}

/** Remembers which colours of the theme were used, for the style sheet. */
class Paint {
  readonly fills = new Set<string>();
  readonly strokes = new Set<string>();

  fill(color: string): Painted {
    return painted('fill', 'f', color, this.fills);
  }

  stroke(color: string): Painted {
    return painted('stroke', 's', color, this.strokes);
  }
}

function painted(attribute: string, letter: string, color: string, used: Set<string>): Painted {
  const isThemed = Object.hasOwn(LIGHT, color);
  if (isThemed) used.add(color);
  return {
    class: isThemed ? `${letter}-${color}` : '',
    attribute: ` ${attribute}="${colorIn(LIGHT, color)}"`,
  };
}

/** The classes and colours of an element. */
function marked(name: string, ...paints: readonly Painted[]): string {
  const list = [name, ...paints.map((paint) => paint.class)].filter((text) => text !== '').join(' ');
  return (list && ` class="${list}"`) + paints.map(({ attribute }) => attribute).join('');
}

function write(shape: Shape, paint: Paint): string {
  switch (shape.kind) {
    case 'group':
      return writeGroup(shape, paint);
    case 'lines': {
      const { lines, color, width, dash = [], class: name = '' } = shape;
      const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : '';
      const thick =
        width === 1 ? '' : ` stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`;
      return `<path${marked(name, paint.stroke(color))} fill="none"${thick}${dashes} d="${lines.map(pathOf).join('')}"/>`;
    }
    case 'area': {
      const opacity = shape.opacity === 1 ? '' : ` fill-opacity="${shape.opacity}"`;
      const path = shape.lines.map((line) => `${pathOf(line)}Z`).join('');
      return `<path${marked(shape.class ?? '', paint.fill(shape.color))}${opacity} d="${path}"/>`;
    }
    case 'box': {
      const { x, y, width, height, color, radius = 0, class: name = '' } = shape;
      const corner = radius > 0 ? ` rx="${radius}"` : '';
      const fill = color === '' ? ' fill="transparent"' : marked(name, paint.fill(color));
      return `<rect${fill} x="${x}" y="${y}" width="${width}" height="${height}"${corner}/>`;
    }
    case 'boxes':
      return writeBoxes(shape, paint);
    case 'words':
      return writeWords(shape, paint);
    case 'ring': {
      const { x, y, radius, color } = shape;
      const colors = marked('', paint.fill('ground'), paint.stroke(color));
      return `<circle${colors} cx="${x}" cy="${y}" r="${radius}" stroke-width="1.75"/>`;
    }
  }
}

function writeGroup({ class: name = '', key, tooltip, shapes }: Group, paint: Paint): string {
  const data = key === undefined ? '' : ` data-key="${escapeText(key)}"`;
  const inner = shapes.map((shape) => write(shape, paint)).join('');
  return `<g${marked(name)}${data}><title>${escapeText(tooltip)}</title>${inner}</g>`;
}

function writeBoxes({ cells, color, class: name = '' }: Boxes, paint: Paint): string {
  const path = cells.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join('');
  return `<path${marked(name, paint.fill(color))} shape-rendering="crispEdges" d="${path}"/>`;
}

function writeWords(shape: TextShape, paint: Paint): string {
  const { text, x, y, size, color, anchor, bold, halo, after, class: name = '' } = shape;
  const weight = bold ? ' font-weight="600"' : '';
  const place = `x="${x}" y="${y}" font-size="${size}"${anchor ? ` text-anchor="${anchor}"` : ''}`;
  if (halo) {
    // A program that knows no style sheets would draw the border above the letters.
    const border = { ...paint.stroke('ground'), attribute: ' stroke="none"' };
    const colors = marked(`${name} halo`, paint.fill(color), border);
    return `<text${colors} stroke-width="3" ${place}${weight}>${escapeText(text)}</text>`;
  }
  if (!after) return `<text${marked(name, paint.fill(color))} ${place}${weight}>${escapeText(text)}</text>`;
  const first = `<tspan${marked('', paint.fill(color))}${weight}>${escapeText(text)}</tspan>`;
  const second = `<tspan${marked('', paint.fill(after.color))} dx="${after.gap}">${escapeText(after.text)}</tspan>`;
  return `<text${marked(name)} ${place}>${first}${second}</text>`;
}

/** `M` a point, `L` the others; one point alone is a line of no length, drawn as a dot by its round ends. */
function pathOf(line: Line): string {
  if (line.length === 0) return '';
  const points: string[] = [];
  for (let i = 0; i < line.length; i += 2) points.push(`${round(line[i]!)} ${round(line[i + 1]!)}`);
  return points.length === 1 ? `M${points[0]}h0` : `M${points[0]}L${points.slice(1).join(' ')}`;
}
