import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rims } from '../../../src/bodies/contact/face.ts';
import { Manifold } from '../../../src/bodies/contact/manifold.ts';
import {
  cross,
  dot,
  minus,
  norm,
  type Pose,
  placed,
  plus,
  scaled,
  turned,
  type Vector,
} from '../../../src/bodies/space.ts';
import { rotations, vectors } from '../notation.ts';
import { arraysOf, at, local, outside, type Placed, pairOf, shape } from './notation.ts';

interface Point {
  readonly id: number;
  readonly distance: number;
  readonly weight: number;
  readonly a: Vector;
  readonly b: Vector;
}

const manifoldOf = (a: Placed, b: Placed, rims?: Rims): Manifold => new Manifold(pairOf(a, b), rims);

function pointsOf(manifold: Manifold, a: Pose, b: Pose, margin = 0.01): Point[] {
  const { rotation, position } = arraysOf(a, b);
  const count = manifold.measure(rotation, position, 0, 1, margin);
  const vector = (of: Float64Array, k: number): Vector => [of[3 * k]!, of[3 * k + 1]!, of[3 * k + 2]!];
  return Array.from({ length: count }, (_, k) => ({
    id: manifold.id[k]!,
    distance: manifold.distance[k]!,
    weight: manifold.weight[k]!,
    a: vector(manifold.pointA, k),
    b: vector(manifold.pointB, k),
  }));
}

const touching = (a: Placed, b: Placed, margin = 0.01): Point[] =>
  pointsOf(manifoldOf(a, b), a.pose, b.pose, margin);

/** The points on b as x, y, distance, in order. */
const table = (points: readonly Point[]): number[][] =>
  points
    .map(({ b, distance }) => [b[0], b[1], distance].map((value) => Math.round(value * 1e9) / 1e9 + 0))
    .sort((p, q) => p[0]! - q[0]! || p[1]! - q[1]!);

const ground = at({ kind: 'box', lengthX: 10, lengthY: 10, lengthZ: 2 }, [0, 0, -1]);
const cube = (translation: Vector, rotation?: Placed['pose']['rotation']): Placed =>
  at({ kind: 'box' }, translation, rotation);

test('a box stands on its four corners', () => {
  const points = touching(ground, cube([1, 2, 0.499]));
  expect(table(points)).toEqual([
    [0.5, 1.5, -0.001],
    [0.5, 2.5, -0.001],
    [1.5, 1.5, -0.001],
    [1.5, 2.5, -0.001],
  ]);
  expect(points.map(({ weight }) => weight)).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(new Set(points.map(({ id }) => id)).size).toBe(4);
});

test('a box on one like it resists tilting as much, wherever edges that are as good as parallel cross', () => {
  for (const turning of [0, 1e-17, -1e-16, 1e-15, -1e-13, 1.5e-11, 1e-9, -1e-6, 1e-5])
    for (const shift of [0, 1e-17, -1e-15, 1e-12, 1e-7]) {
      const points = touching(cube([0, 0, 0.5]), cube([shift, -shift, 1.499], turned([0, 0, 1], turning)));
      // Four corners half a metre away from the middle, in both directions.
      for (const i of [0, 1]) {
        const mean = points.reduce((sum, { weight, b }) => sum + weight * b[i]!, 0);
        const square = points.reduce((sum, { weight, b }) => sum + weight * b[i]! * b[i]!, 0);
        expect(Math.abs(mean)).toBeLessThan(2e-5);
        expect(Math.abs(square - 1 / 4)).toBeLessThan(2e-5);
      }
    }
});

test('a strip becomes an edge, and a corner that is cut off two corners, without a change of weights', () => {
  // Over the edge of the ground by all but a strip.
  const weights = (x: number, angle = 0): number[] => {
    const points = touching(ground, cube([x, 1, 0.499], turned([0, 0, 1], angle)));
    return [1, -1].map((side) =>
      points.reduce((sum, { weight, b }) => sum + ((b[1] - 1) * side > 0 ? weight : 0), 0),
    );
  };
  for (const strip of [1e-3, 1e-6, 1e-10])
    for (const share of weights(5.5 - strip)) expect(Math.abs(share - 1 / 2)).toBeLessThan(1e-12);
  // What of a corner is cut off by the edge of the ground is two corners with its weight.
  for (const cut of [1e-3, 1e-6]) {
    const points = touching(ground, cube([5 - Math.SQRT1_2 + cut, 0, 0.499], turned([0, 0, 1], Math.PI / 4)));
    const right = points.reduce((sum, { weight, b }) => sum + (b[0] > 4.9 ? weight : 0), 0);
    expect(points.length).toBe(5);
    expect(Math.abs(right - 1 / 4)).toBeLessThan(1e-9);
  }
});

test('points that are a little apart are listed, others are not', () => {
  expect(touching(ground, cube([1, 2, 0.509])).map(({ distance }) => distance > 0)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(touching(ground, cube([1, 2, 0.511]))).toEqual([]);
});

test('a box that is tilted has corners at different heights, and stands on an edge at last', () => {
  for (const tilt of [1e-9, 1e-4, 0.005, 0.03, 0.5]) {
    const rotation = turned([0, 1, 0], tilt);
    // The lower edge touches.
    const height = (Math.cos(tilt) + Math.sin(tilt)) / 2;
    const points = touching(ground, cube([0, 0, height], rotation));
    expect(points.length).toBe(Math.sin(tilt) < 0.01 ? 4 : 2);
    const heights = points.map(({ distance }) => distance).sort((p, q) => p - q);
    expect(Math.abs(heights[0]!)).toBeLessThan(1e-12);
    expect(Math.abs(heights[1]!)).toBeLessThan(1e-12);
    for (const rest of heights.slice(2)) expect(Math.abs(rest - Math.sin(tilt))).toBeLessThan(1e-12);
  }
});

test('a box that is over the edge of another touches it with two corners and two crossings of edges', () => {
  expect(table(touching(ground, cube([4.8, 0, 0.5])))).toEqual([
    [4.3, -0.5, 0],
    [4.3, 0.5, 0],
    [5, -0.5, 0],
    [5, 0.5, 0],
  ]);
});

test('a box that is over the corner of another touches it with all kinds of points', () => {
  const points = touching(ground, cube([4.8, 4.7, 0.5]));
  expect(table(points)).toEqual([
    [4.3, 4.2, 0],
    [4.3, 5, 0],
    [5, 4.2, 0],
    [5, 5, 0],
  ]);
  expect(new Set(points.map(({ id }) => id)).size).toBe(4);
  // The corner of the ground is one of them, and its height is that under the tilted face.
  const tilt = 1e-3;
  const tilted = touching(ground, cube([4.8, 4.7, 0.5], turned([0, 1, 0], tilt)));
  const corner = tilted.find(({ b }) => Math.abs(b[0] - 5) + Math.abs(b[1] - 5) < 1e-6)!;
  expect(corner.distance).toBeCloseTo(0.5 - 0.5 / Math.cos(tilt) - 0.2 * Math.tan(tilt), 8);
});

test('boxes that are turned against each other touch in an octagon', () => {
  const points = touching(cube([0, 0, -0.5]), cube([0, 0, 0.5], turned([0, 0, 1], Math.PI / 4)));
  expect(points.length).toBe(8);
  const apothem = 0.5;
  for (const { a, weight } of points) {
    expect(Math.hypot(a[0], a[1])).toBeCloseTo(apothem / Math.cos(Math.PI / 8), 12);
    expect(weight).toBeCloseTo(1 / 8, 12);
  }
  expect(new Set(points.map(({ id }) => id)).size).toBe(8);
});

test('a cylinder stands on its rim, and when it is tilted the lowest point of the rim is one of the points', () => {
  const cylinder = (tilt: number, axis: Vector): Placed =>
    at(
      { kind: 'cylinder', diameter: 1, length: 2 },
      [0.3, 0.2, Math.cos(tilt) + Math.sin(tilt) / 2],
      turned(axis, tilt),
    );
  const standing = touching(ground, cylinder(0, [1, 0, 0]));
  expect(standing.length).toBe(8);
  for (const { b, distance, weight } of standing) {
    expect(Math.hypot(b[0] - 0.3, b[1] - 0.2)).toBeCloseTo(0.5, 12);
    expect(Math.abs(distance)).toBeLessThan(1e-12);
    expect(weight).toBeCloseTo(1 / 8, 12);
  }
  for (const tilt of [1e-7, 1e-4, 0.005, 0.015, 0.1]) {
    const points = touching(ground, cylinder(tilt, [0.6, 0.8, 0]));
    expect(Math.abs(Math.min(...points.map(({ distance }) => distance)))).toBeLessThan(1e-12);
    if (tilt === 0.005) expect(points.length).toBe(8);
    if (tilt === 0.1) expect(points.length).toBe(1);
  }
});

test('a small box on a cylinder is held by its own corners, a large one by the rim', () => {
  const drum = at({ kind: 'cylinder', diameter: 4, length: 2 });
  expect(table(touching(drum, cube([0.5, 0, 1.5])))).toEqual([
    [0, -0.5, 0],
    [0, 0.5, 0],
    [1, -0.5, 0],
    [1, 0.5, 0],
  ]);
  const lid = at({ kind: 'box', lengthX: 9, lengthY: 9, lengthZ: 1 }, [0, 0, 1.5]);
  for (const { a } of touching(drum, lid)) expect(Math.hypot(a[0], a[1])).toBeCloseTo(2, 12);
  // A coin on the drum, over its edge.
  const coin = at({ kind: 'cylinder', diameter: 1, length: 0.1 }, [1.8, 0, 1.05]);
  const points = touching(drum, coin);
  expect(points.length).toBeGreaterThan(4);
  for (const { b } of points) {
    expect(Math.hypot(b[0], b[1])).toBeLessThan(2 + 1e-12);
    expect(Math.hypot(b[0] - 1.8, b[1])).toBeLessThan(0.5 + 1e-12);
  }
});

test('what lies on its side touches with two points', () => {
  for (const given of [
    { kind: 'cylinder', axis: 1, diameter: 1, length: 2 },
    { kind: 'capsule', axis: 1, diameter: 1, length: 2 },
  ] as const) {
    const points = touching(ground, at(given, [0, 1, 0.499]));
    expect(table(points)).toEqual([
      [-1, 1, -0.001],
      [1, 1, -0.001],
    ]);
    expect(points.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
    // Rolled by any angle, it is the same.
    expect(table(touching(ground, at(given, [0, 1, 0.499], turned([1, 0, 0], 0.7))))).toEqual(table(points));
    // Over the edge of the ground, the line ends there.
    expect(table(touching(ground, at(given, [4.5, 1, 0.5])))).toEqual([
      [3.5, 1, 0],
      [5, 1, 0],
    ]);
  }
});

test('a cone lies on a line from its rim to its tip', () => {
  const lying = turned([0, 1, 0], Math.PI / 2 + Math.atan2(3, 4));
  const points = touching(ground, at({ kind: 'cone', diameter: 6, length: 4 }, [0, 0, 2.4], lying));
  expect(points.length).toBe(2);
  expect(norm(minus(points[0]!.b, points[1]!.b))).toBeCloseTo(5, 12);
  for (const { distance } of points) expect(Math.abs(distance)).toBeLessThan(1e-12);
});

test('a beam lies on its outline, stands on its side, and on its round end', () => {
  const flat = at({ kind: 'beam', axis: 1, length: 2, width: 1, thickness: 0.2 }, [0, 0, 0.1]);
  const points = touching(ground, flat);
  expect(points.length).toBe(8);
  for (const { b } of points) expect(Math.hypot(Math.max(0, Math.abs(b[0]) - 1), b[1])).toBeCloseTo(0.5, 12);
  const side = at(
    { kind: 'beam', axis: 1, length: 2, width: 1, thickness: 0.2 },
    [0, 0, 0.5],
    turned([1, 0, 0], Math.PI / 2),
  );
  expect(table(touching(ground, side))).toEqual([
    [-1, -0.1, 0],
    [-1, 0.1, 0],
    [1, -0.1, 0],
    [1, 0.1, 0],
  ]);
  const end = at(
    { kind: 'beam', axis: 3, length: 2, width: 1, thickness: 0.2 },
    [0, 0, 1.5],
    turned([0, 0, 1], Math.PI / 2),
  );
  expect(table(touching(ground, end))).toEqual([
    [-0.1, 0, 0],
    [0.1, 0, 0],
  ]);
});

test('a tilted beam has the lowest point of its outline among its points', () => {
  for (const axis of [
    [1, 0, 0],
    [0, 1, 0],
    [0.6, 0.8, 0],
    [-0.28, 0.96, 0],
    [0.8, -0.6, 0],
  ] as const) {
    const beam = at(
      { kind: 'beam', axis: 1, length: 2, width: 1, thickness: 0.2 },
      [0, 0, 0.1],
      turned(axis, 0.003),
    );
    const manifold = manifoldOf(ground, beam);
    const points = pointsOf(manifold, ground.pose, beam.pose, 0.1);
    const lowest = Math.min(...points.map(({ distance }) => distance));
    expect(Math.abs(lowest - manifold.pair.distance)).toBeLessThan(1e-12);
  }
});

test('parallel capsules, cylinders and edges touch along what they share', () => {
  const capsule = (translation: Vector): Placed =>
    at({ kind: 'capsule', axis: 1, diameter: 1, length: 2 }, translation);
  expect(table(touching(capsule([0, 0, 0]), capsule([1.5, 0, 1])))).toEqual([
    [0.5, 0, 0],
    [1, 0, 0],
  ]);
  const cylinder = at({ kind: 'cylinder', axis: 1, diameter: 1, length: 2 }, [1.5, 0, 1]);
  expect(table(touching(capsule([0, 0, 0]), cylinder))).toEqual([
    [0.5, 0, 0],
    [1, 0, 0],
  ]);
  const edge = cube([1.3, 0, 0.5 + Math.SQRT1_2], turned([1, 0, 0], Math.PI / 4));
  expect(table(touching(capsule([0, 0, 0]), edge))).toEqual([
    [0.8, 0, 0],
    [1, 0, 0],
  ]);
  // Beyond each other's ends they touch in one point; so do those that cross.
  expect(touching(capsule([0, 0, 0]), capsule([2.6, 0, 0.8])).length).toBe(1);
  const across = at({ kind: 'capsule', axis: 2, diameter: 1, length: 2 }, [0, 0, 1]);
  expect(touching(capsule([0, 0, 0]), across).length).toBe(1);
});

test('cylinders that cross at a small angle touch between their ends only', () => {
  const angle = 0.01;
  const below = at({ kind: 'cylinder', axis: 1, diameter: 1, length: 4 });
  const above = at(
    { kind: 'cylinder', axis: 1, diameter: 1, length: 4 },
    [0, 0, 1],
    turned([0, 0, 1], angle),
  );
  // The ends of the axes are 2 sin(angle) beside each other.
  const expected = Math.hypot(1, 2 * Math.sin(angle)) - 1;
  for (const { distance } of touching(below, above))
    expect(Math.abs(distance / expected - 1)).toBeLessThan(1e-3);
});

test('spheres and ellipsoids touch in one point', () => {
  expect(touching(ground, at({ kind: 'sphere', diameter: 1 }, [1, 2, 0.5]))).toMatchObject([{ weight: 1 }]);
  const egg = at({ kind: 'ellipsoid', lengthX: 1, lengthY: 2, lengthZ: 1 }, [1, 2, 0.499]);
  expect(table(touching(ground, egg))).toEqual([[1, 2, -0.001]]);
});

// Laws.

const solids = [
  shape({ kind: 'box', lengthX: 1, lengthY: 0.8, lengthZ: 0.6 }),
  shape({ kind: 'cylinder', diameter: 0.8, length: 0.6 }),
  shape({ kind: 'cylinder', axis: 2, diameter: 0.6, length: 0.9 }),
  shape({ kind: 'cone', diameter: 1, length: 0.6, topDiameter: 0.5 }),
  shape({ kind: 'beam', axis: 1, length: 0.8, width: 0.4, thickness: 0.6 }),
  shape({ kind: 'capsule', axis: 1, length: 0.8, diameter: 0.6 }),
];
/** One on top of the other, a little tilted. */
const stacks = fc
  .record({
    below: fc.constantFrom(...solids.slice(0, 5)),
    above: fc.constantFrom(...solids),
    turn: fc.integer({ min: -100, max: 100 }),
    tilt: vectors(1).filter((v) => norm(v) > 0.1),
    angle: fc.integer({ min: 0, max: 100 }),
    offset: vectors(0.4),
    depth: fc.integer({ min: -5, max: 5 }),
    all: rotations,
    origin: vectors(5),
  })
  .map(({ below, above, turn, tilt, angle, offset, depth, all, origin }): [Placed, Placed] => {
    const height = (of: Placed['shape']): number => (of.kind === 'cone' ? (of === above ? 0 : 0.6) : 0.3);
    const leaning = placed(
      { translation: [0, 0, 0], rotation: turned(scaled(1 / norm(tilt), tilt), 1e-4 * angle) },
      { translation: [0, 0, 0], rotation: turned([0, 0, 1], turn) },
    );
    const whole = { translation: origin, rotation: all };
    const there: Vector = [offset[0], offset[1], height(below) + height(above) + 1e-3 * depth];
    return [
      { shape: below, pose: whole },
      { shape: above, pose: placed(whole, { translation: there, rotation: leaning.rotation }) },
    ];
  });

test.each(['fixed', 'lowest'] as const)(
  'points lie on both shapes, one above the other, and none of the shapes is nearer; rims: %s',
  (rims) => {
    fc.assert(
      fc.property(stacks, ([a, b]) => {
        const manifold = manifoldOf(a, b, rims);
        const points = pointsOf(manifold, a.pose, b.pose, 0.1);
        fc.pre(points.length > 0);
        const normal: Vector = [manifold.normal[0]!, manifold.normal[1]!, manifold.normal[2]!];
        // Points of two edges that are nearly parallel, which they may be the less the deeper they overlap, are in the middle between them.
        const sine = 0.02 + (7 * Math.max(0, -manifold.pair.distance)) / 0.4;
        const length = Math.max(...points.map(({ a: p }) => norm(minus(p, points[0]!.a))));
        const between = manifold.base === 0 ? (sine * length) / 2 : 0;
        for (const { a: p, b: q, distance } of points) {
          // A point above a tilted face may be beyond its end, by the tilt times the distance.
          expect(outside(a.shape, local(a.pose, p))).toBeLessThan(6e-3 + between);
          expect(outside(b.shape, local(b.pose, q))).toBeLessThan(6e-3 + between);
          // Where faces hardly lie against each other any more, normals of several lists are averaged; these may differ the more, the deeper they overlap.
          const leaning = rims === 'fixed' ? 0 : sine * Math.abs(distance);
          expect(norm(minus(minus(q, p), scaled(distance, normal)))).toBeLessThan(1e-12 + leaning);
        }
        const sum = points.reduce((total, { weight }) => total + weight, 0);
        expect(sum).toBeCloseTo(1, 12);
        if (rims === 'fixed')
          expect(new Set(points.map(({ id }) => id)).size, JSON.stringify(points)).toBe(points.length);
        // Along the normal of the reference nothing can be farther apart than along the best one.
        const least = Math.min(...points.map(({ distance }) => distance));
        expect(least).toBeLessThan(manifold.pair.distance + 0.02);
      }),
      { numRuns: 1000, endOnFailure: true },
    );
  },
);

test('distances of points change with their relative speeds', () => {
  fc.assert(
    fc.property(stacks, vectors(1), vectors(1), ([a, b], velocity, angular) => {
      const manifold = manifoldOf(a, b, 'fixed');
      const rate = norm(angular);
      fc.pre(rate > 0.1);
      const before = pointsOf(manifold, a.pose, b.pose, 0.1);
      const normal: Vector = [manifold.normal[0]!, manifold.normal[1]!, manifold.normal[2]!];
      const step = 1e-6;
      const turn = turned(scaled(1 / rate, angular), rate * step);
      const pose = {
        translation: plus(b.pose.translation, scaled(step, velocity)),
        rotation: placed({ translation: [0, 0, 0], rotation: turn }, b.pose).rotation,
      };
      const after = new Map(pointsOf(manifold, a.pose, pose, 0.1).map((point) => [point.id, point]));
      for (const { id, b: q, distance } of before) {
        const then = after.get(id);
        // Crossings of edges that are nearly parallel may move fast.
        if (!then || Math.floor(id / 2 ** 40) === 3) continue;
        const speed = dot(normal, plus(velocity, cross(angular, minus(q, b.pose.translation))));
        // Points that move along an edge, and the turning of the reference, add the tilt times a speed.
        expect(Math.abs((then.distance - distance) / step - speed)).toBeLessThan(0.05);
      }
    }),
    { numRuns: 500, endOnFailure: true },
  );
});

test('a force that is a sum over points by weight changes continuously while a box is pushed over an edge', () => {
  const rotation = placed(
    { translation: [0, 0, 0], rotation: turned([0.6, 0.8, 0], 2e-3) },
    { translation: [0, 0, 0], rotation: turned([0, 0, 1], 0.4) },
  ).rotation;
  const box = cube([0, 0, 0], rotation);
  const manifold = manifoldOf(ground, box);
  const force = (x: number): Vector => {
    const points = pointsOf(manifold, ground.pose, { translation: [x, 4.6, 0.495], rotation }, 0.01);
    let [f, mx, my] = [0, 0, 0];
    for (const { distance, weight, b } of points) {
      const own = weight * Math.max(0, -distance);
      f += own;
      mx += own * b[1];
      my += own * b[0];
    }
    return [f, mx, my];
  };
  const step = 1e-4;
  const kinds = new Set<number>();
  for (let x = 4; x < 5.2; x += step) {
    const change = minus(force(x + step), force(x));
    kinds.add(manifold.count);
    // The sum is about 0.005 and its arm 5; it has slopes, but no steps.
    expect(norm(change)).toBeLessThan(0.3 * step);
  }
  expect(kinds.size).toBeGreaterThan(1);
});

/** What is left of a change of a function when the interval in which it happens becomes short; 0 where it changes by less than a bound. */
function jump(of: (x: number) => number, from: number, to: number, bound: number): number {
  let [low, high] = [from, to];
  let [first, last] = [of(low), of(high)];
  while (high - low > 1e-12 && Math.abs(last - first) > bound) {
    const middle = (low + high) / 2;
    const value = of(middle);
    if (Math.abs(value - first) > Math.abs(last - value)) [high, last] = [middle, value];
    else [low, first] = [middle, value];
  }
  return Math.abs(last - first) > bound ? Math.abs(last - first) : 0;
}

test('a force that is a sum over points by weight changes continuously while something tips over', () => {
  const lying = turned([0, 1, 0], Math.PI / 2);
  const shapes = [
    [{ kind: 'box' }, turned([0, 0, 1], 0)],
    [{ kind: 'box' }, turned([0, 0, 1], 0.6)],
    [{ kind: 'cylinder' }, turned([0, 0, 1], 0.6)],
    [{ kind: 'cylinder', length: 2 }, lying],
    [{ kind: 'capsule' }, lying],
    [{ kind: 'beam', length: 2, width: 1, thickness: 1 }, turned([1, 0, 0], Math.PI / 2)],
  ] as const;
  const depths = [1e-4, 0.03];
  for (const [depth, given, start] of depths.flatMap((d) => shapes.map((shape) => [d, ...shape] as const))) {
    const manifold = manifoldOf(ground, at(given));
    // The lowest point is always as deep.
    const force = (tilt: number): number => {
      const rotation = placed(
        { translation: [0, 0, 0], rotation: turned([0, 1, 0], tilt) },
        { translation: [0, 0, 0], rotation: start },
      ).rotation;
      const pose = { translation: [0, 0, 3] as const, rotation };
      const { rotation: r, position } = arraysOf(ground.pose, pose);
      const height = 3 - manifold.pair.measure(r, position, 0, 1) - depth;
      const points = pointsOf(manifold, ground.pose, { translation: [0, 0, height], rotation }, 1e-3);
      return points.reduce((sum, { weight, distance }) => sum + weight * Math.max(0, -distance), 0);
    };
    const most = 0.04 + 9 * depth;
    const step = most / 1081;
    for (let tilt = -most; tilt < most; tilt += step)
      expect(jump(force, tilt, tilt + step, 0.01 * depth), given.kind).toBeLessThan(1e-4 * depth);
    expect(force(0)).toBeCloseTo(depth, 12);
    if (depth < 1e-3) expect(force(most)).toBeCloseTo(depth, 12);
  }
});

test('nor does it jump where something that is pressed deep into a narrow ledge tips over', () => {
  for (const turn of [0, 0.3, Math.PI / 4]) {
    const reach = Math.SQRT1_2 * Math.cos(Math.PI / 4 - turn);
    const manifold = manifoldOf(ground, cube([0, 0, 3]));
    // The box is 0.001 over the ground, and its lowest point 0.02 deep in it.
    const moment = (tilt: number): Vector => {
      const rotation = placed(
        { translation: [0, 0, 0], rotation: turned([0, 1, 0], tilt) },
        { translation: [0, 0, 0], rotation: turned([0, 0, 1], turn) },
      ).rotation;
      const x = 4.999 + reach * Math.cos(tilt) + Math.sin(tilt) / 2;
      const pose = (z: number) => ({ translation: [x, 0, z] as const, rotation });
      manifold.forget();
      const { rotation: r, position } = arraysOf(ground.pose, pose(1));
      const height = 1 - manifold.pair.measure(r, position, 0, 1);
      // From above, so that the normal is up.
      for (const above of [0.005, -0.005, -0.01, -0.015])
        pointsOf(manifold, ground.pose, pose(height + above));
      let [f, mx, my] = [0, 0, 0];
      for (const { distance, weight, b } of pointsOf(manifold, ground.pose, pose(height - 0.02))) {
        const own = weight * Math.max(0, -distance);
        f += own;
        mx += own * b[1];
        my += own * (b[0] - 5);
      }
      return [f, mx, my];
    };
    const step = 2e-5;
    for (let tilt = 0.01; tilt < 0.025; tilt += step)
      for (const side of [1, -1])
        expect(
          norm(minus(moment(side * (tilt + step)), moment(side * tilt))),
          `${turn} ${side * tilt}`,
        ).toBeLessThan(0.02 * step);
  }
});

test('numbers of points stay the same while nothing changes but the poses', () => {
  const manifold = manifoldOf(ground, cube([0, 0, 0.5]));
  const ids = (z: number, tilt: number): number[] =>
    pointsOf(manifold, ground.pose, { translation: [0, 0, z], rotation: turned([0.6, 0.8, 0], tilt) }, 0.05)
      .map(({ id }) => id)
      .sort((p, q) => p - q);
  const first = ids(0.52, 0);
  for (const [z, tilt] of [
    [0.51, 0.001],
    [0.5, 0.01],
    [0.499, -0.005],
    [0.495, 1e-9],
    [0.52, -0.015],
  ] as const) {
    expect(ids(z, tilt)).toEqual(first);
  }
});
