/**
 * The convex shapes that stand for a solid in contact. Of a mesh that is each of its connected shells, if it is convex. One that is not is cut, by planes across
 * x, y or z, into pieces whose convex hulls fill it better, until these are larger than it by two percent at most, or there are sixteen. (The hull of a
 * piece is that of its surface and of the lines along which it was cut, so no cut has to be closed.) `excess` says how much is filled that was not there.
 *
 * Where pieces of a flat face meet, each of them has points of contact of its own. A tube is taken for the full cylinder, a cavity is filled.
 */
import { closedScaled } from '../shapes/closed.ts';
import { badMesh, scaledMesh, welded } from '../shapes/mesh.ts';
import type { SolidShape } from '../shapes/shape.ts';
import { convexOf } from './cores.ts';
import { enclosedBy, type Hull, hullOf } from './hull.ts';
import type { Convex } from './support.ts';

/** Shells whose hulls are larger by less are convex. */
const CONVEX = 1e-3;
/** Hulls of pieces that are larger by less are good enough. */
const GOOD = 0.02;
const MOST_PIECES = 16;
/** A cut that gains less, as a part of the hull, is none. */
const GAIN = 1e-3;
/** Where cuts are tried, as parts of the extent. */
const CUTS = [0.25, 0.5, 0.75];

export interface Parts {
  readonly parts: readonly Convex[];
  /** By how much the parts are larger than the solid, as a part of its volume. */
  readonly excess: number;
}

/** Fails for meshes without extent in some direction; those that enclose no volume are taken for their hull, and the excess is not a number. */
export function convexParts(object: string, shape: SolidShape): Parts {
  if (shape.kind === 'cylinder' && shape.innerDiameter > 0) {
    const part = (shape.innerDiameter / shape.diameter) ** 2;
    return { parts: [convexOf(shape)], excess: part / (1 - part) };
  }
  if (shape.kind !== 'mesh') return { parts: [convexOf(shape)], excess: 0 };
  const closed = closedScaled(shape.mesh, shape.scale);
  if ('flaw' in closed) {
    const hull = hullOf(welded(scaledMesh(shape.mesh, shape.scale)).positions);
    if (!hull) throw flat(object);
    return { parts: [hull.core], excess: Number.NaN };
  }
  const { positions, triangles } = welded(closed.mesh);
  const parts: Convex[] = [];
  let [filled, solid] = [0, 0];
  for (const shell of shellsOf(positions, triangles)) {
    const volume = enclosedBy(positions, shell, positions.subarray(3 * shell[0]!));
    if (!(volume > 0)) {
      solid += volume;
      continue;
    }
    const pieces = piecesOf(soupOf(positions, shell), volume);
    if (pieces.length === 0) throw flat(object);
    for (const { core } of pieces) parts.push(core);
    filled += pieces.reduce((sum, piece) => sum + piece.volume, 0);
    solid += volume;
  }
  return { parts, excess: Math.max(0, filled / solid - 1) };
}

const flat = (object: string) =>
  badMesh(
    object,
    'the mesh is flat, so nothing can touch it.',
    'Give it a thickness, or leave it out of contact.',
  );

/** Triangles that share vertices. */
function shellsOf(positions: Float64Array, triangles: Uint32Array): Uint32Array[] {
  const parent = Int32Array.from({ length: positions.length / 3 }, (_, k) => k);
  const root = (start: number): number => {
    let k = start;
    while (parent[k] !== k) k = parent[k] = parent[parent[k]!]!;
    return k;
  };
  for (let k = 0; k < triangles.length; k += 3) {
    parent[root(triangles[k + 1]!)] = root(triangles[k]!);
    parent[root(triangles[k + 2]!)] = root(triangles[k]!);
  }
  const shells = new Map<number, number[]>();
  for (let k = 0; k < triangles.length; k += 3) {
    const own = root(triangles[k]!);
    const shell = shells.get(own) ?? [];
    shells.set(own, shell);
    shell.push(triangles[k]!, triangles[k + 1]!, triangles[k + 2]!);
  }
  return [...shells.values()].map((shell) => Uint32Array.from(shell));
}

/** x, y, z of the corners of one triangle after the other. */
type Soup = Float64Array;

const soupOf = (positions: Float64Array, shell: Uint32Array): Soup => {
  const soup = new Float64Array(3 * shell.length);
  for (const [k, vertex] of shell.entries()) soup.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * k);
  return soup;
};

interface Piece {
  readonly soup: Soup;
  readonly hull: Hull;
  /** The best two pieces that a cut makes of it, when they were looked for. */
  halves?: readonly [Piece, Piece] | undefined;
}

const pieceOf = (soup: Soup): Piece | undefined => {
  const hull = hullOf(soup);
  return hull && { soup, hull };
};

function piecesOf(soup: Soup, volume: number): Hull[] {
  const whole = pieceOf(soup);
  if (!whole) return [];
  const pieces: Piece[] = [whole];
  const filled = (): number => pieces.reduce((sum, { hull }) => sum + hull.volume, 0);
  if (filled() <= (1 + CONVEX) * volume) return [whole.hull];
  while (pieces.length < MOST_PIECES && filled() > (1 + GOOD) * volume) {
    for (const piece of pieces) piece.halves ??= bestCut(piece);
    const gain = ({ hull, halves }: Piece): number =>
      halves ? hull.volume - halves[0].hull.volume - halves[1].hull.volume : -Infinity;
    let best = pieces.reduce((one, two) => (gain(two) > gain(one) ? two : one));
    // A ring gains nothing by the first cut.
    if (gain(best) < GAIN * whole.hull.volume) {
      best = pieces.reduce((one, two) => (two.halves && two.hull.volume > one.hull.volume ? two : one));
    }
    if (!best.halves) break;
    pieces.splice(pieces.indexOf(best), 1, ...best.halves);
  }
  return pieces.map(({ hull }) => hull);
}

/** That with the smallest hulls; of equals, the middle of the longest extent. */
function bestCut({ soup }: Piece): readonly [Piece, Piece] | undefined {
  let best: readonly [Piece, Piece] | undefined;
  let least = Infinity;
  const extents = [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let k = axis; k < soup.length; k += 3) {
      low = Math.min(low, soup[k]!);
      high = Math.max(high, soup[k]!);
    }
    return { axis, low, high };
  });
  extents.sort((p, q) => q.high - q.low - (p.high - p.low));
  for (const { axis, low, high } of extents) {
    for (const part of [0.5, ...CUTS.filter((cut) => cut !== 0.5)]) {
      const at = low + part * (high - low);
      const below = pieceOf(cutOff(soup, axis, at, 1));
      const above = pieceOf(cutOff(soup, axis, at, -1));
      if (!below || !above) continue;
      const sum = below.hull.volume + above.hull.volume;
      if (sum < least * (1 - 1e-9)) {
        least = sum;
        best = [below, above];
      }
    }
  }
  return best;
}

/** The triangles on one side of a plane across an axis; those that it cuts lose what is beyond. */
function cutOff(soup: Soup, axis: number, at: number, side: number): Soup {
  const kept: number[] = [];
  const within = (k: number): number => side * (at - soup[k + axis]!);
  for (let k = 0; k < soup.length; k += 9) {
    // What lies in the plane belongs to the other side, if to any.
    if (!(Math.max(within(k), within(k + 3), within(k + 6)) > 0)) continue;
    const polygon: number[][] = [];
    for (let i = 0; i < 3; i++) {
      const [p, q] = [k + 3 * i, k + 3 * ((i + 1) % 3)];
      const [here, there] = [within(p), within(q)];
      if (here >= 0) polygon.push([soup[p]!, soup[p + 1]!, soup[p + 2]!]);
      if (here > 0 !== there > 0 && here !== 0 && there !== 0) {
        const t = here / (here - there);
        const cut = [0, 1, 2].map((j) => soup[p + j]! + t * (soup[q + j]! - soup[p + j]!));
        cut[axis] = at;
        polygon.push(cut);
      }
    }
    for (let i = 2; i < polygon.length; i++) kept.push(...polygon[0]!, ...polygon[i - 1]!, ...polygon[i]!);
  }
  return Float64Array.from(kept);
}
