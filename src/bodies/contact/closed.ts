/** Pairs of cores whose distance has a closed form: points, segments, and points with boxes. Everything is in the frame of a. */
import type { Difference } from './difference.ts';
import type { BoxCore, SegmentCore } from './polytope.ts';
import type { Convex } from './support.ts';

/** The signed distance of two cores, their nearest points, and the normal from a to b; all in the frame of a. */
export interface Result {
  distance: number;
  readonly normal: Float64Array;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
}

type ClosedForm = (between: Difference, into: Result) => void;

export const newResult = (): Result => ({
  distance: Infinity,
  normal: new Float64Array(3),
  pointA: new Float64Array(3),
  pointB: new Float64Array(3),
});

export function closedForm(a: Convex, b: Convex): ClosedForm | undefined {
  const thin = (shape: Convex): boolean => shape.kind === 'point' || shape.kind === 'segment';
  if (thin(a) && thin(b)) return betweenSegments;
  if (a.kind === 'box' && b.kind === 'point') return betweenBoxAndPoint;
  if (a.kind === 'point' && b.kind === 'box') return betweenPointAndBox;
  return undefined;
}

/** From the centres of segments to their ends. */
const halfA = new Float64Array(3);
const halfB = new Float64Array(3);

function betweenSegments({ a, b, rotation: r, translation: t }: Difference, into: Result): void {
  halfA.fill(0);
  halfB.fill(0);
  if (a.kind === 'segment') halfA[(a as SegmentCore).w] = (a as SegmentCore).half;
  if (b.kind === 'segment') {
    const { w, half } = b as SegmentCore;
    for (let k = 0; k < 3; k++) halfB[k] = half * r[3 * k + w]!;
  }
  nearest(t);
  const { normal, pointA, pointB } = into;
  for (let k = 0; k < 3; k++) {
    pointA[k] = parameters[0]! * halfA[k]!;
    pointB[k] = t[k]! + parameters[1]! * halfB[k]!;
    normal[k] = pointB[k]! - pointA[k]!;
  }
  into.distance = length(normal);
  // Between their ends, segments have a common normal, however near they are.
  const ends = Math.abs(parameters[0]!) === 1 || Math.abs(parameters[1]!) === 1;
  if (into.distance === 0 || (!ends && crossed > PARALLEL)) {
    const [x, y, z] = [normal[0]!, normal[1]!, normal[2]!];
    acrossBoth(normal);
    const along = x * normal[0]! + y * normal[1]! + z * normal[2]!;
    if (along < 0) for (let k = 0; k < 3; k++) normal[k] = -normal[k]!;
  }
  const by = length(normal);
  for (let k = 0; k < 3; k++) normal[k]! /= by;
}

/** Parameters of the nearest points of two segments, from -1 to 1. */
const parameters = new Float64Array(2);
/** The square of the sine of the angle between the segments; zero where one of them is a point. */
let crossed = 0;

/**
 * Of segments around the origin and around r. Of parallel segments the middle of what faces each other is taken, so that the points move smoothly as
 * long as they stay parallel.
 */
function nearest(r: Float64Array): void {
  const [a, b] = [halfA, halfB];
  const [aa, bb, ab, ra, rb] = [dot(a, a), dot(b, b), dot(a, b), dot(r, a), dot(r, b)];
  // The square of the cross product; the difference of squares would lose half of the digits.
  const square =
    (a[1]! * b[2]! - a[2]! * b[1]!) ** 2 +
    (a[2]! * b[0]! - a[0]! * b[2]!) ** 2 +
    (a[0]! * b[1]! - a[1]! * b[0]!) ** 2;
  crossed = square > 0 ? square / (aa * bb) : 0;
  let s = 0;
  if (crossed > PARALLEL) {
    s = clamp((ra * bb - rb * ab) / square);
  } else if (aa > 0) {
    // Where b begins and ends, measured along a.
    const [middle, reach] = [ra / aa, Math.abs(ab) / aa];
    s = clamp((Math.max(-1, middle - reach) + Math.min(1, middle + reach)) / 2);
  }
  let t = bb > 0 ? (s * ab - rb) / bb : 0;
  if (Math.abs(t) > 1) {
    t = clamp(t);
    s = aa > 0 ? clamp((ra + t * ab) / aa) : 0;
  }
  parameters[0] = s;
  parameters[1] = t;
}

/** The square of the sine of the angle between parallel segments is smaller. */
const PARALLEL = 1e-24;

/** The normal where segments meet: across both, or any that is across where they are parallel. */
function acrossBoth(n: Float64Array): void {
  const [a, b] = [halfA, halfB];
  n[0] = a[1]! * b[2]! - a[2]! * b[1]!;
  n[1] = a[2]! * b[0]! - a[0]! * b[2]!;
  n[2] = a[0]! * b[1]! - a[1]! * b[0]!;
  if (length(n) > 1e-12 * length(a) * length(b)) return;
  const e = length(a) > 0 ? a : b;
  const [x, y, z] = [Math.abs(e[0]!), Math.abs(e[1]!), Math.abs(e[2]!)];
  const least = z <= x && z <= y ? 2 : y <= x ? 1 : 0;
  const square = dot(e, e);
  for (let k = 0; k < 3; k++) n[k] = (k === least ? 1 : 0) - (square > 0 ? (e[least]! * e[k]!) / square : 0);
}

function betweenBoxAndPoint({ a, translation }: Difference, into: Result): void {
  const { normal, pointA, pointB } = into;
  pointB.set(translation);
  into.distance = ofBox((a as BoxCore).half, pointB, pointA, normal);
}

const centre = new Float64Array(3);
const foot = new Float64Array(3);
const outward = new Float64Array(3);

function betweenPointAndBox(between: Difference, into: Result): void {
  const { rotation: r, translation: t } = between;
  const { normal, pointA, pointB } = into;
  pointA.fill(0);
  between.inB(pointA, centre);
  into.distance = ofBox((between.b as BoxCore).half, centre, foot, outward);
  for (let k = 0; k < 3; k++) {
    const [x, y, z] = [r[3 * k]!, r[3 * k + 1]!, r[3 * k + 2]!];
    normal[k] = -(x * outward[0]! + y * outward[1]! + z * outward[2]!);
    pointB[k] = t[k]! + x * foot[0]! + y * foot[1]! + z * foot[2]!;
  }
}

/** The distance of a point from a box, the nearest point of its surface, and the normal from there. */
function ofBox(half: Float64Array, p: Float64Array, foot: Float64Array, normal: Float64Array): number {
  let deepest = 0;
  for (let k = 0; k < 3; k++) {
    foot[k] = Math.max(-half[k]!, Math.min(half[k]!, p[k]!));
    normal[k] = p[k]! - foot[k]!;
    if (Math.abs(p[k]!) - half[k]! > Math.abs(p[deepest]!) - half[deepest]!) deepest = k;
  }
  const distance = length(normal);
  if (distance > 0) {
    for (let k = 0; k < 3; k++) normal[k]! /= distance;
    return distance;
  }
  const side = p[deepest]! >= 0 ? 1 : -1;
  normal[deepest] = side;
  foot[deepest] = side * half[deepest]!;
  return side * p[deepest]! - half[deepest]!;
}

const clamp = (value: number): number => Math.max(-1, Math.min(1, value));
const dot = (a: Float64Array, b: Float64Array): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const length = (a: Float64Array): number => Math.sqrt(dot(a, a));
