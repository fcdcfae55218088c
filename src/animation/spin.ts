/**
 * What turns fast, between the times of the results: with angular velocities at both of its ends, an interval of several turns is no riddle. Times are put between so
 * that nothing turns by more than an eighth of a turn from one to the next; viewers, which turn the shorter way round, then show what happened.
 *
 * Within an interval the angular velocity goes straight from one end to the other; the rotation is its integral, and what that misses at the end is spread over the
 * interval. An object that is carried by what turns goes round with it. So its position is not interpolated, but that of the point of its body that moves most
 * gently, the centre of its circles: the point c = r - R d, fixed in the body, for which `c1 - c0 = (c0' + c1') dt/2` holds best, exactly if its acceleration is constant (an axis
 * that rests, a centre of mass in flight).
 */
import { pulse } from '../diagnostic/pulse.ts';
import { counted } from '../diagnostic/words.ts';
import type { AnimatedNode, Note, TextShape, Triangles, Triple } from './animation.ts';
import { quaternionAt } from './track.ts';
import { between, product, type Quaternion, rotated, rotationVector, turnOf, unit } from './turning.ts';

/** The turn from one time to the next, in radians: what is wanted, and what is allowed where that takes too many times. */
const FINE = Math.PI / 16;
const COARSE = Math.PI / 4;
/** Times of all objects that are put between, at most. */
const MOST = 250_000;
/** An angle that the integral may miss, in radians, and a distance, as a share of the way. */
const [MISSED_ANGLE, MISSED_SHARE] = [1, 0.4] as const;
/** And a distance that nobody would see, as a share of the scene, and of the shape. */
const [SEEN, SEEN_OF_SHAPE] = [0.02, 0.25] as const;
/** Steps of the integral over an interval that is only looked at. */
const MOST_STEPS = 64;
/** Intervals that are not understood before anything is said, and as a share of all: a crack of a whip is over before it is seen. */
const [SOME, SHARE] = [3, 0.02] as const;

/** More times than the results have. */
export interface Grid {
  readonly times: Float64Array;
  /** Where the given times are among them. */
  readonly rows: Uint32Array;
  readonly notes: Note[];
}

/** An object on some rows of the grid. */
export interface Placed {
  readonly rows: Uint32Array;
  readonly positions: ArrayLike<number>;
  readonly rotations: ArrayLike<number>;
}

/** The motion of an object at all times, known where it is seen. */
interface Motion {
  readonly name: string;
  readonly times: Float64Array;
  readonly positions: ArrayLike<number>;
  readonly rotations: ArrayLike<number>;
  readonly velocities: ArrayLike<number> | undefined;
  readonly angularVelocities: ArrayLike<number>;
  isSeen(row: number): boolean;
}

/** Times for objects in a scene of a certain size, and for each of them whether it turns fast. */
export function gridOf(
  times: Float64Array,
  nodes: readonly AnimatedNode[],
  size: number,
): { grid: Grid; fast: readonly boolean[] } {
  const motions = nodes.map((node) => motionOf(node, times));
  const turns = motions.map((motion) => motion && turnsOf(motion));
  const notes: Note[] = [];
  const needs = turns.map((own) => (own ? own.reduce((sum, turn) => sum + (turn > FINE ? turn : 0), 0) : 0));
  const needed = (): number => needs.reduce((sum, turn) => sum + turn, 0);
  const step = Math.min(COARSE, Math.max(FINE, needed() / MOST));
  const skipped = new Set<string>();
  while (needed() > MOST * step) {
    const most = needs.indexOf(Math.max(...needs));
    skipped.add(nodes[most]!.name);
    notes.push(tooOften(nodes[most]!.name, needs[most]!));
    needs[most] = 0;
  }
  const counts = new Uint32Array(Math.max(0, times.length - 1)).fill(1);
  for (const [n, own] of turns.entries())
    if (needs[n]! > 0)
      for (const [k, turn] of own!.entries()) counts[k] = Math.max(counts[k]!, Math.ceil(turn / step));
  const coarse = motions.flatMap((motion, n) => {
    const { name, geometry } = nodes[n]!;
    if (!motion || !geometry || skipped.has(name)) return [];
    return isPuzzling(motion, Math.min(SEEN * size, SEEN_OF_SHAPE * reachOf(geometry))) ? [name] : [];
  });
  if (coarse.length > 0) notes.push(tooCoarse(coarse));
  return { grid: { ...spread(times, counts), notes }, fast: needs.map((need) => need > 0) };
}

function spread(times: Float64Array, counts: Uint32Array): { times: Float64Array; rows: Uint32Array } {
  const rows = new Uint32Array(times.length);
  for (const [k, count] of counts.entries()) rows[k + 1] = rows[k]! + count;
  const all = new Float64Array(rows.at(-1)! + 1);
  for (let k = 0; k < times.length; k++) {
    const [from, to] = [times[k]!, times[k + 1]!];
    all[rows[k]!] = from;
    for (let i = 1; i < (counts[k] ?? 0); i++) all[rows[k]! + i] = from + ((to - from) * i) / counts[k]!;
  }
  return { times: all, rows };
}

const tooOften = (name: string, turn: number): Note => ({
  text: `${name} turns about ${Number((turn / (2 * Math.PI)).toPrecision(2))} times, more often than an animation can show. It is right at the times of the results; between them it may seem to turn otherwise.`,
  hint: 'Animate a shorter time.',
});

function tooCoarse([first, ...others]: readonly string[]): Note {
  const whose = others.length === 0 ? first : `${first} and ${counted(others.length, 'other object')}`;
  return {
    text: `The times of the results are too far apart to tell how ${whose} moved between them, where it may seem to move otherwise.`,
    hint: 'Choose more `intervals`.',
  };
}

/** Undefined where nothing is known of how it turns. */
function motionOf(node: AnimatedNode, times: Float64Array): Motion | undefined {
  const { name, positions, rotations, velocities, angularVelocities, visible } = node;
  const isWhole = (values: ArrayLike<number> | undefined, size: number): boolean =>
    values !== undefined && values.length === size * times.length;
  if (times.length < 2 || !isWhole(rotations, 4) || !isWhole(angularVelocities, 3)) return undefined;
  const known = isWhole(velocities, 3) && isWhole(positions, 3) ? velocities : undefined;
  const seen = (row: number): boolean => visible?.[visible.length === 1 ? 0 : row] !== 0;
  const isKnown = (row: number): boolean => Number.isFinite(angularVelocities![3 * row]!);
  return {
    ...{ name, times, positions, rotations, velocities: known, angularVelocities: angularVelocities! },
    isSeen: (row) => seen(row) && isKnown(row),
  };
}

/** How far a shape reaches from its origin. */
function reachOf(geometry: Triangles | TextShape): number {
  if ('kind' in geometry) return geometry.height;
  return geometry.positions.reduce((far, value) => Math.max(far, Math.abs(value)), 0);
}

/** By interval: by how much it turns, about. */
function turnsOf({ times, angularVelocities, isSeen }: Motion): Float64Array {
  const speed = (row: number): number => Math.hypot(...tripleAt(angularVelocities, row));
  return Float64Array.from({ length: times.length - 1 }, (_, k) => {
    if (!isSeen(k) || !isSeen(k + 1)) return 0;
    return Math.max(speed(k), speed(k + 1)) * (times[k + 1]! - times[k]!);
  });
}

/** Whether rows contradict what velocities say: an object that goes round several times between them, carried by another one. */
function isPuzzling(motion: Motion, unseen: number): boolean {
  const { times, isSeen } = motion;
  const intervals = times.length - 1;
  let puzzles = 0;
  const turns = turnsOf(motion);
  const centres = new Centres(motion, turns);
  for (let k = 0; k < intervals; k++) {
    if (k % 256 === 0) pulse();
    const span = times[k + 1]! - times[k]!;
    if (span === 0 || !isSeen(k) || !isSeen(k + 1)) continue;
    const count = Math.min(MOST_STEPS, Math.ceil(turns[k]! / COARSE) || 1);
    const isTurnMissed = Math.hypot(...turned(motion, k, count).missed) > MISSED_ANGLE;
    if (isTurnMissed || centres.isMissed(k, unseen)) puzzles++;
    if (puzzles >= Math.min(intervals, Math.max(SOME, SHARE * intervals))) return true;
  }
  return false;
}

/** An object at all rows where it is fast, and at the given times. */
export function placed(node: AnimatedNode, given: Float64Array, grid: Grid): Placed {
  const motion = motionOf(node, given)!;
  const turns = turnsOf(motion);
  const centres = new Centres(motion, turns);
  const rows: number[] = [];
  const [positions, rotations]: number[][] = [[], []];
  const isMoving = node.positions.length > 3;
  for (let k = 0; k < given.length; k++) {
    if (k % 256 === 0) pulse();
    rows.push(grid.rows[k]!);
    rotations!.push(...quaternionAt(node.rotations, k));
    if (isMoving) positions!.push(...tripleAt(node.positions, k));
    const count = k + 1 < given.length ? grid.rows[k + 1]! - grid.rows[k]! : 1;
    if (count === 1 || !(turns[k]! > FINE)) continue;
    const { between: within } = turned(motion, k, count);
    const place = isMoving ? centres.path(k) : undefined;
    for (let i = 1; i < count; i++) {
      rows.push(grid.rows[k]! + i);
      rotations!.push(...within[i - 1]!);
      if (place) positions!.push(...place(i / count, within[i - 1]!));
    }
  }
  return {
    rows: Uint32Array.from(rows),
    positions: isMoving ? positions! : node.positions,
    rotations: rotations!,
  };
}

/** Rotations inside of an interval that is divided evenly, and what the integral missed at its end. */
function turned(
  { times, rotations, angularVelocities }: Motion,
  k: number,
  count: number,
): { between: Quaternion[]; missed: Triple } {
  const step = (times[k + 1]! - times[k]!) / count;
  const [from, to] = [tripleAt(angularVelocities, k), tripleAt(angularVelocities, k + 1)];
  const own: Quaternion[] = [];
  let now = unit(quaternionAt(rotations, k));
  for (let i = 0; i < count; i++) {
    const share = (i + 0.5) / count;
    const turn = from.map((value, axis) => step * (value + share * (to[axis]! - value)));
    now = product(turnOf(turn as unknown as Triple), now);
    own.push(now);
  }
  const missed = rotationVector(between(now, unit(quaternionAt(rotations, k + 1))));
  own.pop();
  return { between: own.map((one, i) => product(one, turnOf(missed, (i + 1) / count))), missed };
}

/** The points of a body that move gently, by interval. */
class Centres {
  /** Of each interval the normal equations for d, upper half and right side; see `equations`. */
  private readonly known = new Map<number, Float64Array>();

  constructor(
    private readonly motion: Motion,
    private readonly turns: Float64Array,
  ) {}

  /** Where the object is at a share of an interval, turned in a certain way. */
  path(k: number): ((share: number, turn: Quaternion) => Triple) | undefined {
    const { motion } = this;
    const span = motion.times[k + 1]! - motion.times[k]!;
    if (!motion.velocities) return (share) => straight(motion.positions, k, share);
    const offset = this.offset(k);
    const [from, to] = [k, k + 1].map((row) => this.centre(row, offset)) as [Moving, Moving];
    return (share, turn) => {
      const arm = rotated(turn, offset);
      return [0, 1, 2].map((axis) => {
        const [a, b] = [from.place[axis]!, to.place[axis]!];
        const [u, v] = [span * from.velocity[axis]!, span * to.velocity[axis]!];
        // Hermite's cubic.
        const rest = b - a;
        const bend = share * (1 - share) * ((1 - share) * (u - rest) - share * (v - rest));
        return a + share * rest + bend + arm[axis]!;
      }) as unknown as Triple;
    };
  }

  /** Whether even the gentlest point does not go as its velocities say, over an interval or with the next: chance may hide it from one of the two. */
  isMissed(k: number, unseen: number): boolean {
    const { velocities, times, isSeen } = this.motion;
    if (!velocities) return false;
    const isMissed = (to: number): boolean =>
      this.misses(k, to, [0, 0, 0], unseen) && this.misses(k, to, this.offset(k), unseen);
    const isLonger = times[k + 2]! > times[k + 1]! && isSeen(k + 2);
    return isMissed(k + 1) || (isLonger && isMissed(k + 2));
  }

  private misses(k: number, end: number, offset: Triple, unseen: number): boolean {
    const { motion } = this;
    const span = motion.times[end]! - motion.times[k]!;
    const [from, to] = [k, end].map((row) => this.centre(row, offset)) as [Moving, Moving];
    const missed = from.place.map(
      (value, axis) => to.place[axis]! - value - (span / 2) * (from.velocity[axis]! + to.velocity[axis]!),
    );
    const way = (span / 2) * (Math.hypot(...from.velocity) + Math.hypot(...to.velocity));
    return Math.hypot(...missed) > MISSED_SHARE * way + unseen;
  }

  private centre(row: number, offset: Triple): Moving {
    const { positions, rotations, velocities, angularVelocities } = this.motion;
    const arm = rotated(unit(quaternionAt(rotations, row)), offset);
    const swing = cross(tripleAt(angularVelocities, row), arm);
    const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    return {
      place: minus(tripleAt(positions, row), arm),
      velocity: minus(tripleAt(velocities!, row), swing),
    };
  }

  /** The vector d in the body, from the interval and those beside it; where it is not determined, the shortest. What hardly turns is not carried round. */
  private offset(k: number): Triple {
    if (!(this.turns[k]! > FINE)) return [0, 0, 0];
    const sum = new Float64Array(9);
    for (const one of [k - 1, k, k + 1])
      for (const [i, value] of this.equations(one).entries()) sum[i]! += value;
    return solved(sum);
  }

  /**
   * `(R1 - R0) d - dt/2 (w0 x R0 + w1 x R1) d = r1 - r0 - dt/2 (v0 + v1)`, squared. There are turns for which this holds for all d (tan(x) = x); so the velocity of the
   * centre should not change either, which counts little.
   */
  private equations(k: number): Float64Array {
    const known = this.known.get(k);
    if (known) return known;
    const own = new Float64Array(9);
    this.known.set(k, own);
    const { times, positions, rotations, velocities, angularVelocities, isSeen } = this.motion;
    const span = times[k + 1]! - times[k]!;
    if (!(span > 0) || !isSeen(k) || !isSeen(k + 1)) return own;
    const at = (row: number) => ({
      turn: unit(quaternionAt(rotations, row)),
      place: tripleAt(positions, row),
      velocity: tripleAt(velocities!, row),
      spin: tripleAt(angularVelocities, row),
    });
    const [a, b] = [at(k), at(k + 1)];
    const columns = AXES.map((axis) => {
      const [p, q] = [rotated(a.turn, axis), rotated(b.turn, axis)];
      const [u, v] = [cross(a.spin, p), cross(b.spin, q)];
      return [0, 1, 2].flatMap((i) => [
        q[i]! - p[i]! - (span / 2) * (u[i]! + v[i]!),
        LITTLE * span * (v[i]! - u[i]!),
      ]);
    });
    const right = [0, 1, 2].flatMap((i) => [
      b.place[i]! - a.place[i]! - (span / 2) * (a.velocity[i]! + b.velocity[i]!),
      LITTLE * span * (b.velocity[i]! - a.velocity[i]!),
    ]);
    const dot = (x: readonly number[], y: readonly number[]): number =>
      x.reduce((sum, value, i) => sum + value * y[i]!, 0);
    const [x, y, z] = columns as [number[], number[], number[]];
    own.set([dot(x, x), dot(x, y), dot(x, z), dot(y, y), dot(y, z), dot(z, z)]);
    own.set([dot(x, right), dot(y, right), dot(z, right)], 6);
    return own;
  }
}

interface Moving {
  readonly place: Triple;
  readonly velocity: Triple;
}

const LITTLE = 0.01;
const AXES: readonly Triple[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Of a symmetric system [xx xy xz yy yz zz | x y z] the solution; one that is shorter where it is hardly determined. */
function solved(system: Float64Array): Triple {
  const [xx, xy, xz, yy, yz, zz, x, y, z] = system as unknown as readonly number[] as [
    ...[number, number, number, number, number, number],
    ...[number, number, number],
  ];
  const little = 1e-9 * (xx + yy + zz);
  if (little === 0) return [0, 0, 0];
  const [a, b, c]: Triple[] = [
    [xx + little, xy, xz],
    [xy, yy + little, yz],
    [xz, yz, zz + little],
  ];
  const right: Triple = [x, y, z];
  const determinant = triple(a!, b!, c!);
  return [
    triple(right, b!, c!) / determinant,
    triple(a!, right, c!) / determinant,
    triple(a!, b!, right) / determinant,
  ];
}

const triple = (a: Triple, b: Triple, c: Triple): number => {
  const [x, y, z] = cross(b, c);
  return a[0] * x + a[1] * y + a[2] * z;
};

const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const tripleAt = (values: ArrayLike<number>, row: number): Triple => [
  values[3 * row]!,
  values[3 * row + 1]!,
  values[3 * row + 2]!,
];

const straight = (positions: ArrayLike<number>, k: number, share: number): Triple => {
  const [a, b] = [tripleAt(positions, k), tripleAt(positions, k + 1)];
  return a.map((value, i) => value + share * (b[i]! - value)) as unknown as Triple;
};
