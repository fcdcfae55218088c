/** Convex shapes for tests: placed at random, and known by their points in a second way. */
import fc from 'fast-check';
import { convexOf } from '../../../src/bodies/contact/cores.ts';
import { Pair } from '../../../src/bodies/contact/distance.ts';
import { type Axis, along, checkedShape, type SolidShape } from '../../../src/bodies/shapes/shape.ts';
import {
  applied,
  dot,
  identity,
  type Matrix,
  minus,
  type Pose,
  plus,
  scaled,
  transposed,
  type Vector,
  zero,
} from '../../../src/bodies/space.ts';
import { rotations, vectors } from '../notation.ts';

export type Plain = Exclude<SolidShape, { kind: 'mesh' }>;
type Given = Parameters<typeof checkedShape>[1];

export const shape = (given: Given): Plain => checkedShape('test', given) as Plain;

/** A shape at a place. */
export interface Placed {
  readonly shape: Plain;
  readonly pose: Pose;
}

export const at = (given: Given, translation: Vector = zero, rotation: Matrix = identity): Placed => ({
  shape: shape(given),
  pose: { translation, rotation },
});

export interface Measured {
  readonly distance: number;
  readonly normal: Vector;
  readonly pointA: Vector;
  readonly pointB: Vector;
}

/** Objects 0 and 1 are where these poses say. */
export function arraysOf(a: Pose, b: Pose): { rotation: Float64Array; position: Float64Array } {
  return {
    rotation: Float64Array.of(...a.rotation, ...b.rotation),
    position: Float64Array.of(...a.translation, ...b.translation),
  };
}

export function measured(pair: Pair, a: Pose, b: Pose): Measured {
  const { rotation, position } = arraysOf(a, b);
  const distance = pair.measure(rotation, position, 0, 1);
  const vector = (of: Float64Array): Vector => [of[0]!, of[1]!, of[2]!];
  return {
    distance,
    normal: vector(pair.normal),
    pointA: vector(pair.pointA),
    pointB: vector(pair.pointB),
  };
}

export const pairOf = (a: Placed, b: Placed): Pair => new Pair(convexOf(a.shape), convexOf(b.shape));
export const between = (a: Placed, b: Placed): Measured => measured(pairOf(a, b), a.pose, b.pose);

/** How far a shape extends in a direction of length 1, in the frame of the shape, by a formula for each. */
export function reach(of: Plain, n: Vector): number {
  const [u, v, w] = 'axis' in of ? along(((3 - of.axis) % 3 || 3) as Axis, n) : n;
  switch (of.kind) {
    case 'sphere':
      return of.diameter / 2;
    case 'ellipsoid':
      return Math.hypot(of.lengthX * u, of.lengthY * v, of.lengthZ * w) / 2;
    case 'box':
      return (of.lengthX * Math.abs(u) + of.lengthY * Math.abs(v) + of.lengthZ * Math.abs(w)) / 2;
    case 'cylinder':
      return (of.length * Math.abs(w) + of.diameter * Math.hypot(u, v)) / 2;
    case 'cone': {
      const across = Math.hypot(u, v) / 2;
      return Math.max(of.diameter * across, of.length * w + of.topDiameter * across);
    }
    case 'capsule':
      return (of.length * Math.abs(w) + of.diameter) / 2;
    case 'beam':
      return (of.length * Math.abs(w) + of.thickness * Math.abs(v) + of.width * Math.hypot(u, w)) / 2;
  }
}

/** By how much a point lies outside of a shape, about; negative inside. */
export function outside(of: Plain, p: Vector): number {
  const [u, v, w] = 'axis' in of ? along(((3 - of.axis) % 3 || 3) as Axis, p) : p;
  switch (of.kind) {
    case 'sphere':
      return Math.hypot(u, v, w) - of.diameter / 2;
    case 'ellipsoid': {
      const least = Math.min(of.lengthX, of.lengthY, of.lengthZ) / 2;
      return (Math.hypot((2 * u) / of.lengthX, (2 * v) / of.lengthY, (2 * w) / of.lengthZ) - 1) * least;
    }
    case 'box':
      return Math.max(
        Math.abs(u) - of.lengthX / 2,
        Math.abs(v) - of.lengthY / 2,
        Math.abs(w) - of.lengthZ / 2,
      );
    case 'cylinder':
      return Math.max(Math.abs(w) - of.length / 2, Math.hypot(u, v) - of.diameter / 2);
    case 'cone': {
      const [low, high] = [of.diameter / 2, of.topDiameter / 2];
      const side = (Math.hypot(u, v) - low) * of.length + w * (low - high);
      return Math.max(-w, w - of.length, side / Math.hypot(of.length, low - high));
    }
    case 'capsule':
      return Math.hypot(u, v, Math.max(0, Math.abs(w) - of.length / 2)) - of.diameter / 2;
    case 'beam': {
      const beyond = Math.max(0, Math.abs(w) - of.length / 2);
      return Math.max(Math.abs(v) - of.thickness / 2, Math.hypot(u, beyond) - of.width / 2);
    }
  }
}

export const local = ({ translation, rotation }: Pose, p: Vector): Vector =>
  applied(transposed(rotation), minus(p, translation));

/** How far apart shapes are along a direction of length 1, from a to b; the distance is the largest of all directions. */
export function gapAlong(a: Placed, b: Placed, n: Vector): number {
  const inA = applied(transposed(a.pose.rotation), n);
  const inB = applied(transposed(b.pose.rotation), scaled(-1, n));
  const centres = dot(n, minus(b.pose.translation, a.pose.translation));
  return centres - reach(a.shape, inA) - reach(b.shape, inB);
}

/** Half the largest extent. */
export const radiusOf = (of: Plain): number => convexOf(of).size / 2;

// Random ones.

const length = fc.integer({ min: 1, max: 40 }).map((k) => k / 20);
const axis = fc.constantFrom<Axis>(1, 2, 3);
export const shapes: fc.Arbitrary<Plain> = fc
  .oneof(
    fc.record({ kind: fc.constant('sphere' as const), diameter: length }),
    fc.record({ kind: fc.constant('ellipsoid' as const), lengthX: length, lengthY: length, lengthZ: length }),
    fc.record({ kind: fc.constant('box' as const), lengthX: length, lengthY: length, lengthZ: length }),
    fc.record({ kind: fc.constant('cylinder' as const), axis, diameter: length, length }),
    fc.record({
      kind: fc.constant('cone' as const),
      axis,
      diameter: length,
      length,
      topDiameter: fc.oneof(fc.constant(0), length),
    }),
    fc.record({ kind: fc.constant('capsule' as const), axis, diameter: length, length }),
    fc.record({ kind: fc.constant('beam' as const), axis, length, width: length, thickness: length }),
  )
  .map((given) => shape(given));

/** Where shapes often meet. */
export const placedPairs = fc
  .record({
    a: shapes,
    b: shapes,
    turnA: rotations,
    turnB: rotations,
    origin: vectors(3),
    towards: vectors(1).filter((d) => Math.hypot(...d) > 0.1),
    part: fc.integer({ min: 0, max: 130 }),
  })
  .map(({ a, b, turnA, turnB, origin, towards, part }): [Placed, Placed] => {
    const far = (part / 100) * (radiusOf(a) + radiusOf(b));
    const there = plus(origin, scaled(far / Math.hypot(...towards), towards));
    return [
      { shape: a, pose: { translation: origin, rotation: turnA } },
      { shape: b, pose: { translation: there, rotation: turnB } },
    ];
  });

/** Directions that are spread evenly. */
export function directions(count: number): Vector[] {
  return Array.from({ length: count }, (_, k): Vector => {
    const [z, angle] = [1 - (2 * k + 1) / count, k * Math.PI * (3 - Math.sqrt(5))];
    const across = Math.sqrt(1 - z * z);
    return [across * Math.cos(angle), across * Math.sin(angle), z];
  });
}
