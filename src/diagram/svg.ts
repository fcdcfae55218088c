/**
 * Drawings as SVG text. User units are those of the layer, with y turned down: a point (x, y) of the layer is (x, -y) of the picture. Everything that a model writes is escaped; there are no
 * scripts, no style sheets and no addresses but those of parts of the picture itself and of pictures that it holds.
 */
import { escapeText } from '../paint/text.ts';
import type { Extent, Matrix, Point } from './geometry.ts';
import type { Drawing } from './icon.ts';
import type { Fill, Group, Path, Picture, Shape, Words } from './shapes.ts';

export interface SvgOptions {
  /** Pixels for a unit of the layer; 4 where it is left out. */
  readonly scale?: number;
  /** Pixels of the longer side, in place of a scale. */
  readonly size?: number;
  /** `#rrggbb`; nothing is painted behind the drawing where it is left out. */
  readonly ground?: string;
  /** Begins the names of parts that others refer to, where several drawings are in one page. */
  readonly prefix?: string;
  /** What readers of screens say of it; the name of the class where it is left out. */
  readonly label?: string;
}

const FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif";

export function drawingSvg(drawing: Drawing, options: SvgOptions = {}): string {
  const [[left, low], [right, high]] = drawing.extent;
  const [width, height] = [right - left, high - low];
  const scale = options.size === undefined ? (options.scale ?? 4) : options.size / Math.max(width, height);
  const writer = new Writer(options.prefix ?? '');
  const body = drawing.shapes.map((shape) => writer.write(shape)).join('\n');
  const box = [left, -high, width, height].map(text).join(' ');
  const size = `width="${text(width * scale)}" height="${text(height * scale)}"`;
  const label = escapeText(options.label ?? drawing.class);
  const ground =
    options.ground === undefined
      ? ''
      : `<rect x="${text(left)}" y="${text(-high)}" width="${text(width)}" height="${text(height)}" fill="${options.ground}"/>\n`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="mutabor-diagram" viewBox="${box}" ${size} role="img" aria-label="${label}" font-family="${FONT}" fill="none" stroke-linejoin="round">
${writer.definitions}${ground}${body}
</svg>
`;
}

/** Three digits behind the point are less than a pixel. */
function text(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Object.is(rounded, -0) ? '0' : String(rounded);
}

const point = ([x, y]: Point): string => `${text(x)} ${text(-y)}`;

/** A map of the plane with y down. */
const matrixText = ([a, b, c, d, e, f]: Matrix): string =>
  `matrix(${[a, -b, -c, d, e, -f].map((value) => String(Number(value.toPrecision(6)))).join(' ')})`;

class Writer {
  private readonly defined = new Map<string, string>();

  constructor(private readonly prefix: string) {}

  get definitions(): string {
    const all = [...this.defined].map(([content, id]) => content.replace('ID', id));
    return all.length === 0 ? '' : `<defs>${all.join('')}</defs>\n`;
  }

  write(shape: Shape): string {
    switch (shape.kind) {
      case 'group':
        return this.group(shape);
      case 'path':
        return this.path(shape);
      case 'words':
        return words(shape);
      case 'picture':
        return picture(shape);
      default:
        return shape satisfies never;
    }
  }

  private group({ role, key, tooltip, faint, area, shapes }: Group): string {
    const data = key === undefined ? '' : ` data-key="${escapeText(key)}"`;
    const opacity = faint ? ' opacity="0.35"' : '';
    const title = tooltip === undefined ? '' : `<title>${escapeText(tooltip)}</title>`;
    const inner = shapes.map((shape) => this.write(shape)).join('');
    const room = area ? unseenBox(area) : '';
    return `<g class="${role}"${data}${opacity}>${title}${room}${inner}</g>`;
  }

  private path({ pieces, fill, stroke, unseen }: Path): string {
    const d = pieces.map(([letter, ...points]) => letter + points.map(point).join(' ')).join('');
    const inside = fill ? ` fill="${this.paint(fill)}" fill-rule="evenodd"` : '';
    const dash = stroke?.dash ? ` stroke-dasharray="${stroke.dash.map(text).join(' ')}"` : '';
    const line = stroke ? ` stroke="${stroke.color}" stroke-width="${text(stroke.width)}"${dash}` : '';
    return `<path d="${d}"${inside}${line}${unseen ? ' opacity="0"' : ''}/>`;
  }

  private paint(fill: Fill): string {
    switch (fill.kind) {
      case 'plain':
        return fill.color;
      case 'hatched':
        return this.define(hatching(fill));
      case 'cylinder': {
        const [[x1, y1], [x2, y2]] = [fill.from, fill.to];
        const ends = `x1="${text(x1)}" y1="${text(-y1)}" x2="${text(x2)}" y2="${text(-y2)}"`;
        const stops = stop(0, fill.edge) + stop(0.5, fill.center) + stop(1, fill.edge);
        return this.define(
          `<linearGradient id="ID" gradientUnits="userSpaceOnUse" ${ends}>${stops}</linearGradient>`,
        );
      }
      case 'sphere': {
        const stops = stop(0, fill.center) + stop(1, fill.edge);
        const place = `cx="0" cy="0" r="1" gradientTransform="${matrixText(fill.matrix)}"`;
        return this.define(
          `<radialGradient id="ID" gradientUnits="userSpaceOnUse" ${place}>${stops}</radialGradient>`,
        );
      }
      default:
        return fill satisfies never;
    }
  }

  private define(content: string): string {
    const id = this.defined.get(content) ?? `${this.prefix}paint${this.defined.size + 1}`;
    this.defined.set(content, id);
    return `url(#${id})`;
  }
}

function unseenBox([[left, low], [right, high]]: Extent): string {
  return `<rect x="${text(left)}" y="${text(-high)}" width="${text(right - left)}" height="${text(high - low)}" fill="#fff" opacity="0"/>`;
}

const stop = (offset: number, color: string): string => `<stop offset="${offset}" stop-color="${color}"/>`;

/** A tile as wide as the distance of the lines, turned as they are; crossed ones have two lines in it. */
function hatching({ color, lines, angles, distance, width }: Extract<Fill, { kind: 'hatched' }>): string {
  const d = text(distance);
  const across = `M0 ${text(distance / 2)}H${d}`;
  const down = angles.length > 1 ? `M${text(distance / 2)} 0V${d}` : '';
  const turn = angles[0] === 0 ? '' : ` patternTransform="rotate(${-angles[0]!})"`;
  return `<pattern id="ID" patternUnits="userSpaceOnUse" width="${d}" height="${d}"${turn}><rect width="${d}" height="${d}" fill="${color}"/><path d="${across}${down}" stroke="${lines}" stroke-width="${text(width)}"/></pattern>`;
}

function words({
  text: content,
  at,
  anchor,
  size,
  angle,
  color,
  font,
  bold,
  italic,
  underlined,
  width,
}: Words): string {
  const [x, y] = at;
  const place = `x="${text(x)}" y="${text(-y)}" font-size="${text(size)}"`;
  const turn = angle === 0 ? '' : ` transform="rotate(${text(-angle)} ${text(x)} ${text(-y)})"`;
  const style = [
    anchor === 'start' ? '' : ` text-anchor="${anchor}"`,
    bold ? ' font-weight="bold"' : '',
    italic ? ' font-style="italic"' : '',
    underlined ? ' text-decoration="underline"' : '',
    font === undefined ? '' : ` font-family="${family(font)}"`,
    width === undefined ? '' : ` textLength="${text(width)}" lengthAdjust="spacingAndGlyphs"`,
  ];
  return `<text ${place} fill="${color}"${style.join('')}${turn}>${escapeText(content)}</text>`;
}

/** The name of a font, and what is like it. */
function family(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} _-]/gu, '').slice(0, 60);
  return plain === '' || plain === 'sans-serif'
    ? FONT
    : plain === 'serif' || plain === 'monospace'
      ? plain
      : `'${plain}', ${FONT}`;
}

/** Turned upside down first: pictures have their beginning above, layers below. */
function picture({ source, size: [width, height], matrix }: Picture): string {
  const [a, b, c, d, e, f] = matrix;
  const upright: Matrix = [a, b, -c, -d, c * height + e, d * height + f];
  const inSvg = [upright[0], -upright[1], upright[2], -upright[3], upright[4], -upright[5]];
  const place = `width="${text(width)}" height="${text(height)}" transform="matrix(${inSvg.map((value) => text(value)).join(' ')})"`;
  return `<image ${place} href="${escapeText(source)}"/>`;
}
