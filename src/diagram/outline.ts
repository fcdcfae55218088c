/** The outlines of graphic items in their own coordinates: lines and polygons with bends, rectangles with round corners, ellipses and parts of them. */
import type { Extent, Point } from './geometry.ts';
import { middle, upright } from './geometry.ts';
import type { EllipseItem } from './items.ts';
import type { Piece } from './shapes.ts';

const between = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2];

const same = ([ax, ay]: Point, [bx, by]: Point): boolean => ax === bx && ay === by;

/** Straight from point to point or, where it is smooth, bent from the middle of each piece to that of the next (section 18.6.1.2). */
export function lineOutline(points: readonly Point[], smooth: boolean): Piece[] {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (!first || !last) return [];
  if (!smooth || points.length < 3) return [['M', first], ...rest.map((point): Piece => ['L', point])];
  const pieces: Piece[] = [
    ['M', first],
    ['L', between(first, rest[0]!)],
  ];
  for (let k = 1; k + 1 < points.length; k++)
    pieces.push(['Q', points[k]!, between(points[k]!, points[k + 1]!)]);
  return [...pieces, ['L', last]];
}

export function polygonOutline(points: readonly Point[], smooth: boolean): Piece[] {
  const [first] = points;
  if (!first || points.length < 2) return [];
  const open = points.length > 2 && same(first, points.at(-1)!) ? points.slice(0, -1) : points;
  if (!smooth || open.length < 3) return [...lineOutline(open, false), ['Z']];
  const pieces: Piece[] = [['M', between(open.at(-1)!, first)]];
  for (const [k, point] of open.entries())
    pieces.push(['Q', point, between(point, open[(k + 1) % open.length]!)]);
  return [...pieces, ['Z']];
}

/** Of a quarter of a circle of radius 1, how far control points lie from its ends. */
const QUARTER = 0.5522847498;

export function rectangleOutline(extent: Extent, radius: number): Piece[] {
  const [[left, low], [right, high]] = upright(extent);
  const r = Math.min(Math.abs(radius), (right - left) / 2, (high - low) / 2);
  if (!(r > 0))
    return [['M', [left, low]], ['L', [right, low]], ['L', [right, high]], ['L', [left, high]], ['Z']];
  const k = r * (1 - QUARTER);
  return [
    ['M', [left + r, low]],
    ['L', [right - r, low]],
    ['C', [right - k, low], [right, low + k], [right, low + r]],
    ['L', [right, high - r]],
    ['C', [right, high - k], [right - k, high], [right - r, high]],
    ['L', [left + r, high]],
    ['C', [left + k, high], [left, high - k], [left, high - r]],
    ['L', [left, low + r]],
    ['C', [left, low + k], [left + k, low], [left + r, low]],
    ['Z'],
  ];
}

/** Counter-clockwise from `startAngle` to `endAngle`, closed as `closure` says (section 18.6.5.4). */
export function ellipseOutline({ extent, startAngle, endAngle, closure }: EllipseItem): Piece[] {
  const [[left, low], [right, high]] = upright(extent);
  const [cx, cy] = middle(extent);
  const [rx, ry] = [(right - left) / 2, (high - low) / 2];
  const at = (angle: number): Point => [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  const isWhole = Math.abs(endAngle - startAngle) >= 360;
  const start = (startAngle * Math.PI) / 180;
  const sweep = isWhole ? 2 * Math.PI : ((endAngle - startAngle) * Math.PI) / 180;
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9));
  const step = sweep / count;
  const reach = (4 / 3) * Math.tan(step / 4);
  const pieces: Piece[] = [['M', at(start)]];
  for (let k = 0; k < count; k++) {
    const [a, b] = [start + k * step, start + (k + 1) * step];
    const [[ax, ay], [bx, by]] = [at(a), at(b)];
    pieces.push([
      'C',
      [ax - reach * rx * Math.sin(a), ay + reach * ry * Math.cos(a)],
      [bx + reach * rx * Math.sin(b), by - reach * ry * Math.cos(b)],
      [bx, by],
    ]);
  }
  const how = closure === 'Automatic' ? (startAngle === 0 && endAngle === 360 ? 'Chord' : 'Radial') : closure;
  if (how === 'Radial') pieces.push(['L', [cx, cy]]);
  if (how !== 'None') pieces.push(['Z']);
  return pieces;
}
