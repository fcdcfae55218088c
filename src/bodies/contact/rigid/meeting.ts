/** Pairs of rigid shapes that are on each other at an event. */
import { type Hold, Touch } from '../../dynamics/touch.ts';
import { shown } from '../../problem.ts';
import { partFailure } from '../../scene/names.ts';
import type { TouchingPair } from './encounter.ts';
import type { RigidPair, RigidPairs } from './pairs.ts';
import { CLOSED, type Known } from './patch.ts';

/** What of gaps is rounding, by the size of the smaller shape. */
export const ROUNDING = 1e-12;
/** Shapes may overlap so much at the start, by that size. */
const OVERLAP = 1e-6;
/** Forces and accelerations that are none, by what they are sums of; and those that have just reached zero, or their limit. */
export const LIGHT = 1e-9;
export const REACHED = 1e-6;

/** The motion that contact acts on. */
export interface Moved {
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** Accelerations where the mechanism is, with all forces but those of contact that is not known to it. */
  accelerate(): void;
  /** Links that joints with flanges move, or that what they move is tied to. */
  readonly flanged: ReadonlySet<number>;
}

/** What has happened at an instant: pairs that were opened, or that need not press, by index, indicators of pairs that have reached zero (`crossingOf`), how pairs held of which friction or slip has reached its limit, by index, how fast pairs were at most, by index, how often it was looked at, and whether there were impacts. */
export interface Instant {
  readonly time: number;
  readonly opened: Set<number>;
  readonly carried: Set<number>;
  readonly crossed: Set<number>;
  readonly limits: Map<number, Hold>;
  readonly fastest: Map<number, number>;
  looks: number;
  hasStruck: boolean;
}

export const newInstant = (time: number): Instant => ({
  time,
  opened: new Set(),
  carried: new Set(),
  crossed: new Set(),
  limits: new Map(),
  fastest: new Map(),
  looks: 0,
  hasStruck: false,
});

/** A pair whose shapes are on each other at an event, while it is decided what becomes of that. */
export interface Meeting extends TouchingPair {
  readonly pair: RigidPair;
  /** Points that press, and those that do not part either; by their numbers in the encounter. */
  closed: number[];
  readonly lifted: number[];
  isSlipping: boolean;
  /** Friction has just reached its limit, or slip its end. */
  readonly isAtLimit: boolean;
  /** A normal force has just reached zero. */
  readonly isPulled: boolean;
  /** By their weights: the least force at which points stay; and the part of friction that holds. */
  slack: number;
  readonly allowed: number;
  /** How often something was changed back, and how often directions were. */
  changes: number;
  turns: number;
}

/** What matters for a pair at an event. */
interface Circumstances {
  readonly isFirst: boolean;
  readonly flanged: ReadonlySet<number>;
  /** Whether an indicator of the pair, by its number, has reached zero. */
  hasCrossed(which: number): boolean;
}

/** Where a pair touches, all points of it. */
export function meetingOf(
  pairs: RigidPairs,
  pair: RigidPair,
  { isFirst, flanged, hasCrossed }: Circumstances,
): Meeting[] {
  const { patch, law, a, b } = pair;
  const closed = CLOSED * patch.size;
  if (pairs.gap(pair) > closed) return [];
  const points = patch.list(pairs.rotation, pairs.position).filter(({ gap }) => gap <= closed);
  if (points.length === 0) return [];
  const depth = -Math.min(...points.map(({ gap }) => gap));
  if ((isFirst || pairs.isNew(pair)) && depth > OVERLAP * patch.size) throw overlapping(pair, depth, isFirst);
  const [known, touch] = withoutLeaving(
    pairs,
    pair,
    points.map((point) => ({ ...point.known, presses: true })),
  );
  if (known.length === 0) return [];
  const restitution = flanged.has(a) || flanged.has(b) ? 0 : law.restitution;
  const isAtLimit = hasCrossed(2);
  return [
    {
      pair,
      touch,
      a,
      b,
      restitution,
      size: patch.size,
      known,
      isAtLimit,
      closed: [],
      lifted: [],
      isSlipping: false,
      isPulled: hasCrossed(1),
      slack: 0,
      allowed: isAtLimit ? 1 - REACHED : 1 + LIGHT,
      changes: 0,
      turns: 0,
    },
  ];
}

/** How far shapes move, by their size, until it is seen whether they come nearer as their points say; and how much less they may. */
const AHEAD = 1e-6;
const HALF = 0.5;
/** What turns goes along a curve: for so long it departs from its tangent by less than this part of the way. */
const STRAIGHT = 0.1;
/** No longer than that, in s: what hardly moves does not leave either. */
const LONGEST = 1e-2;

/**
 * A point at the end of a face or an edge, which it leaves at this instant, is on the other shape no more: how it moves along the normal does not matter. Of points
 * that approach, these are the ones by which shapes would come nearer than they do.
 */
function withoutLeaving(
  pairs: RigidPairs,
  pair: RigidPair,
  all: readonly Known[],
): readonly [readonly Known[], Touch] {
  const { patch, law } = pair;
  let known = all;
  for (;;) {
    patch.take(known);
    const touch = new Touch(patch, law.friction);
    pairs.lookAt(pair, touch);
    const { count, gaps } = touch;
    const rates = Array.from({ length: count }, (_, k) => pairs.approachOf(touch, k));
    const fastest = Math.max(...rates.map(({ speed }) => speed));
    const approach = Math.max(...rates.map(({ along }) => -along));
    const turning = pairs.turningOf();
    const bend = turning * (turning * patch.size + fastest);
    const time = Math.min(LONGEST, (AHEAD * patch.size) / fastest, (STRAIGHT * Math.abs(approach)) / bend);
    const gapAfter = (k: number) => gaps[k]! + time * rates[k]!.along;
    const nearest = [...rates.keys()].reduce((one, k) => (gapAfter(k) < gapAfter(one) ? k : one), 0);
    const way = -time * rates[nearest]!.along;
    const rounding = 10 * (AHEAD ** 2 * patch.size + patch.error);
    if (!(way > rounding) || pairs.distanceAfter(pair, time) - gapAfter(nearest) <= HALF * way)
      return [known, touch];
    known = known.filter((_, k) => k !== nearest);
    if (known.length === 0) return [known, touch];
  }
}

/** Moves bodies apart that overlap by errors of the run. */
export function separate(pairs: RigidPairs, moved: Moved, near: readonly Meeting[]): void {
  const { mechanism } = pairs;
  const overlaps = near.filter(({ touch, size }) => touch.gaps.some((gap) => gap < -ROUNDING * 1e-2 * size));
  if (overlaps.length === 0) return;
  for (const { pair, touch, known } of overlaps) {
    const points = known.map((point, k) => ({ ...point, presses: touch.gaps[k]! < 0 }));
    pair.patch.take(points);
    pair.touch = new Touch(pair.patch, 0);
  }
  pairs.install();
  mechanism.loops.close(moved.q, moved.v);
  for (const { pair, known } of overlaps) {
    pair.patch.take(known);
    pair.touch = undefined;
  }
  mechanism.touch([]);
  mechanism.locate(moved.q, moved.v);
  for (const { pair, touch } of near) pairs.lookAt(pair, touch);
}

function overlapping({ first, second }: RigidPair, depth: number, isFirst: boolean) {
  const when = isFirst ? 'at the start' : 'when they begin to be able to touch';
  const hint = isFirst
    ? 'Rigid bodies cannot be. Place them so that they just touch, or leave out `contact` of one of them.'
    : 'Rigid bodies cannot be. Let a body come back, or touch again, where no other one is.';
  return partFailure(
    second.part,
    isFirst ? 'bad-body' : 'impossible-change',
    `\`${first.part.path}\` and \`${second.part.path}\` are in each other ${when}, by ${shown(depth)} m.`,
    { hint },
  );
}
