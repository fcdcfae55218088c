/**
 * Places for components that have none. Where nothing is placed, components stand in layers (`layered.ts`), so that lines lead from right sides of components to left sides of others; what hangs by
 * a connector above, as grounds do, stands below its neighbours. Where others are placed, each new one stands as near to its neighbours as there is room.
 */
import { rootIn } from '../collections/forest.ts';
import { append } from '../collections/groups.ts';
import { boundsOf, type Extent, type Point } from './geometry.ts';
import { layered } from './layered.ts';

/** A component without a place. */
export interface FreeBox {
  readonly name: string;
  /** Width and height. */
  readonly size: Point;
}

/** A connection as a graph sees it: names of components, and at which sides. */
export interface Tie {
  readonly from: string;
  readonly to: string;
  readonly fromSide: Side;
  readonly toSide: Side;
}

export type Side = 'left' | 'right' | 'above' | 'below' | 'middle';

const GAPS: readonly [number, number] = [24, 20];
/** Places are multiples of this. */
const GRID = 10;

const snapped = (value: number): number => Math.round(value / GRID) * GRID || 0;

/** The middles of components without places, by their names. */
export function automaticPlaces(
  free: readonly FreeBox[],
  placed: ReadonlyMap<string, Extent>,
  ties: readonly Tie[],
): Map<string, Point> {
  if (free.length === 0) return new Map();
  return placed.size === 0 ? wholeLayout(free, ties) : besideOthers(free, placed, ties);
}

/** What hangs together is laid out together; the parts stand beside and below each other, single components in rows at the end. */
function wholeLayout(free: readonly FreeBox[], ties: readonly Tie[]): Map<string, Point> {
  const { groups, single, tiesOf } = grouped(free, ties);
  const parts = groups.map((group, k) => partLayout(group, tiesOf[k]!));
  const singles = single.map(
    (box): Part => ({ places: new Map([[box.name, [0, 0]]]), bounds: boxAt([0, 0], box.size) }),
  );
  return packed([...parts, ...singles]);
}

/** Components that lines tie together, in the order of their first members. */
function grouped(
  free: readonly FreeBox[],
  ties: readonly Tie[],
): { groups: FreeBox[][]; single: FreeBox[]; tiesOf: Tie[][] } {
  const number = new Map(free.map(({ name }, k) => [name, k]));
  const parent = free.map((_, k) => k);
  const inside = ties.filter(({ from, to }) => number.has(from) && number.has(to));
  for (const { from, to } of inside) {
    const [a, b] = [rootIn(parent, number.get(from)!), rootIn(parent, number.get(to)!)];
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  const members = new Map<number, FreeBox[]>();
  const own = new Map<number, Tie[]>();
  for (const [k, box] of free.entries()) append(members, rootIn(parent, k), box);
  for (const tie of inside) append(own, rootIn(parent, number.get(tie.from)!), tie);
  const roots = [...members.keys()].filter((root) => own.has(root));
  return {
    groups: roots.map((root) => members.get(root)!),
    tiesOf: roots.map((root) => own.get(root)!),
    single: [...members].flatMap(([root, boxes]) => (own.has(root) ? [] : boxes)),
  };
}

/** Places of some components, and the rectangle around them. */
interface Part {
  readonly places: ReadonlyMap<string, Point>;
  readonly bounds: Extent;
}

function partLayout(free: readonly FreeBox[], ties: readonly Tie[]): Part {
  const hanging = hangingOf(free, ties);
  const standing = free.filter(({ name }) => !hanging.has(name));
  const number = new Map(standing.map(({ name }, k) => [name, k]));
  const edges = ties.flatMap((tie) => {
    const [from, to] = isBackwards(tie) ? [tie.to, tie.from] : [tie.from, tie.to];
    const [a, b] = [number.get(from), number.get(to)];
    return a === undefined || b === undefined ? [] : [[a, b] as const];
  });
  const { along, across } = layered({ sizes: standing.map((box) => box.size), edges, gaps: GAPS });
  const places = new Map<string, Point>();
  for (const [k, { name }] of standing.entries())
    places.set(name, [snapped(along[k]!), snapped(-across[k]!)]);
  placeHanging(free, hanging, places, ties);
  const bounds = boundsOf(free.flatMap(({ name, size }) => [...boxAt(places.get(name)!, size)]))!;
  return { places, bounds };
}

/** How much wider than high a drawing may be. */
const PROPORTION = 1.6;

/** Parts in rows from above to below, around the middle. */
function packed(parts: readonly Part[]): Map<string, Point> {
  const sizes = parts.map(
    ({ bounds: [low, high] }): Point => [high[0] - low[0] + 2 * GRID, high[1] - low[1] + 2 * GRID],
  );
  const area = sizes.reduce((sum, [width, height]) => sum + width * height, 0);
  const most = Math.max(Math.sqrt(PROPORTION * area), ...sizes.map(([width]) => width));
  const places = new Map<string, Point>();
  let [x, y, row, widest] = [0, 0, 0, 0];
  for (const [k, { places: own, bounds }] of parts.entries()) {
    const [width, height] = sizes[k]!;
    if (x > 0 && x + width > most) [x, y, row] = [0, y - row, 0];
    const shift: Point = [snapped(x - bounds[0][0]), snapped(y - bounds[1][1])];
    for (const [name, at] of own) places.set(name, [at[0] + shift[0], at[1] + shift[1]]);
    x += width;
    row = Math.max(row, height);
    widest = Math.max(widest, x);
  }
  const middle: Point = [snapped((widest - 2 * GRID) / 2), snapped((y - row + 2 * GRID) / 2)];
  for (const [name, at] of places) places.set(name, [at[0] - middle[0], at[1] - middle[1]]);
  return places;
}

/** Whether a line leaves on the left and arrives on the right. */
const isBackwards = ({ fromSide, toSide }: Tie): boolean =>
  (fromSide === 'left' && toSide !== 'left') || (toSide === 'right' && fromSide !== 'right');

/** Components all of whose lines end above them, as at a ground, or whose only line ends below: they stand under or over the others. */
function hangingOf(free: readonly FreeBox[], ties: readonly Tie[]): ReadonlyMap<string, 'above' | 'below'> {
  const sides = new Map<string, Side[]>();
  for (const { from, to, fromSide, toSide } of ties) {
    append(sides, from, fromSide);
    append(sides, to, toSide);
  }
  const hanging = new Map<string, 'above' | 'below'>();
  for (const { name } of free) {
    const own = sides.get(name) ?? [];
    if (own.length > 0 && own.every((side) => side === 'above')) hanging.set(name, 'above');
    else if (own.length === 1 && own[0] === 'below') hanging.set(name, 'below');
  }
  return hanging.size === free.length ? new Map() : hanging;
}

function placeHanging(
  free: readonly FreeBox[],
  hanging: ReadonlyMap<string, 'above' | 'below'>,
  places: Map<string, Point>,
  ties: readonly Tie[],
): void {
  if (hanging.size === 0) return;
  const boxes = new Map(free.map((box) => [box.name, box]));
  const occupied = new Occupied([...places].map(([name, at]) => boxAt(at, boxes.get(name)!.size)));
  const near = neighboursOf(ties);
  for (const [name, side] of hanging) {
    const { size } = boxes.get(name)!;
    const others = pointsAt(near.get(name), places);
    const x = snapped(others.reduce((sum, at) => sum + at[0], 0) / Math.max(1, others.length));
    const rows = others.map((at) => at[1]);
    const y = side === 'above' ? Math.min(...rows) - 40 : Math.max(...rows) + 40;
    const place = occupied.nearest([x, snapped(y)], size);
    places.set(name, place);
    occupied.add(boxAt(place, size));
  }
}

/** Each beside what it is connected with, those with placed neighbours first. */
function besideOthers(
  free: readonly FreeBox[],
  placed: ReadonlyMap<string, Extent>,
  ties: readonly Tie[],
): Map<string, Point> {
  const occupied = new Occupied([...placed.values()]);
  const boxes = new Map(free.map((box) => [box.name, box]));
  const near = neighboursOf(ties);
  const at = new Map<string, Point>(
    [...placed].map(([name, [a, b]]) => [name, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]]),
  );
  const places = new Map<string, Point>();
  const put = (name: string, wish: Point): void => {
    const { size } = boxes.get(name)!;
    const place = occupied.nearest([snapped(wish[0]), snapped(wish[1])], size);
    places.set(name, place);
    at.set(name, place);
    occupied.add(boxAt(place, size));
  };
  // From what is placed outwards.
  const queue = [...placed.keys()];
  for (let k = 0; k < queue.length; k++) {
    for (const name of near.get(queue[k]!) ?? []) {
      if (at.has(name) || !boxes.has(name)) continue;
      const others = pointsAt(near.get(name), at);
      const [x, y] = [0, 1].map(
        (axis) => others.reduce((sum, point) => sum + point[axis]!, 0) / others.length,
      );
      put(name, others.length > 1 ? [x!, y!] : [x! + 40, y!]);
      queue.push(name);
    }
  }
  // What nothing leads to stands in a row below.
  const low = Math.min(...[...placed.values()].map(([a, b]) => Math.min(a[1], b[1])));
  let left = Math.min(...[...placed.values()].map(([a, b]) => Math.min(a[0], b[0])));
  for (const { name, size } of free) {
    if (places.has(name)) continue;
    put(name, [left + size[0] / 2, low - 10 - size[1] / 2]);
    left += size[0] + 2 * GRID;
  }
  return places;
}

/** Those places that are known. */
function pointsAt(names: readonly string[] = [], places: ReadonlyMap<string, Point>): Point[] {
  return names.map((name) => places.get(name)).filter((place) => place !== undefined);
}

function neighboursOf(ties: readonly Tie[]): Map<string, string[]> {
  const near = new Map<string, string[]>();
  const add = (name: string, other: string): void => {
    const list = near.get(name);
    if (list) list.push(other);
    else near.set(name, [other]);
  };
  for (const { from, to } of ties) {
    add(from, to);
    add(to, from);
  }
  return near;
}

const boxAt = ([x, y]: Point, [width, height]: Point): Extent => [
  [x - width / 2, y - height / 2],
  [x + width / 2, y + height / 2],
];

/** Squares of the plane that are taken. */
class Occupied {
  private readonly cells = new Set<string>();

  constructor(boxes: readonly Extent[]) {
    for (const box of boxes) this.add(box);
  }

  add(box: Extent): void {
    for (const key of cellsIn(box)) this.cells.add(key);
  }

  /** The free place nearest to a wish, searched in squares around it. */
  nearest([x, y]: Point, size: Point): Point {
    const step = 2 * GRID;
    for (let ring = 0; ring < MOST_RINGS; ring++) {
      for (const [dx, dy] of ringOf(ring)) {
        const place: Point = [x + dx * step, y + dy * step];
        if (cellsIn(boxAt(place, size)).every((key) => !this.cells.has(key))) return place;
      }
    }
    return [x, y];
  }
}

const MOST_RINGS = 60;

/** Steps to the squares of a ring, those below and beside first. */
function ringOf(ring: number): Point[] {
  if (ring === 0) return [[0, 0]];
  const steps: Point[] = [];
  for (let k = -ring; k <= ring; k++) {
    steps.push([k, -ring], [k, ring]);
    if (Math.abs(k) < ring) steps.push([-ring, k], [ring, k]);
  }
  return steps.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
}

/** Larger boxes than this many squares are no obstacle for others: they are backgrounds. */
const MOST_CELLS = 10_000;

function cellsIn([a, b]: Extent): string[] {
  const [left, right] = [Math.floor((a[0] - 4) / GRID), Math.ceil((b[0] + 4) / GRID)];
  const [low, high] = [Math.floor((a[1] - 4) / GRID), Math.ceil((b[1] + 4) / GRID)];
  if (!((right - left) * (high - low) <= MOST_CELLS)) return [];
  const keys: string[] = [];
  for (let x = left; x < right; x++) for (let y = low; y < high; y++) keys.push(`${x} ${y}`);
  return keys;
}
