import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pair } from '../../../src/bodies/contact/distance.ts';
import { hullOf } from '../../../src/bodies/contact/hull.ts';
import { HullCore } from '../../../src/bodies/contact/polytope.ts';
import {
  applied,
  cross,
  dot,
  minus,
  norm,
  placed,
  plus,
  scaled,
  transposed,
  turned,
  type Vector,
} from '../../../src/bodies/space.ts';
import { runsOf } from '../../runs.ts';
import { rotations, vectors } from '../notation.ts';
import {
  at,
  between,
  directions,
  gapAlong,
  local,
  measured,
  outside,
  type Placed,
  pairOf,
  placedPairs,
  radiusOf,
  shape,
} from './notation.ts';

/** Of directions in which shapes that overlap much are about equally deep in each other, any may be the normal. */
const slack = (distance: number, size: number): number => (distance < 0 ? 1e-4 : 1e-11) * size;

/** Everything that makes a result right: both points belong to their shapes, the normal separates them by the distance, and no other direction by more. */
function expectRight(a: Placed, b: Placed, found = between(a, b), part = 1e-11): void {
  const size = radiusOf(a.shape) + radiusOf(b.shape);
  const { distance, normal, pointA, pointB } = found;
  expect(Math.abs(norm(normal) - 1)).toBeLessThan(1e-14);
  expect(Math.abs(gapAlong(a, b, normal) - distance)).toBeLessThan(part * size);
  expect(outside(a.shape, local(a.pose, pointA))).toBeLessThan(part * size);
  expect(outside(b.shape, local(b.pose, pointB))).toBeLessThan(part * size);
  const aside = norm(minus(minus(pointB, pointA), scaled(distance, normal)));
  expect(aside).toBeLessThan(distance < -0.1 * size ? slack(distance, size) : part * size);
  if (distance > 0) return;
  for (const n of directions(200)) expect(gapAlong(a, b, n)).toBeLessThan(distance + slack(distance, size));
}

/** No axes of the shapes are nearly, but not exactly, parallel or at right angles: normals are known to such angles only. */
const askew = ([a, b]: readonly [Placed, Placed]): boolean =>
  axesOf(a).every((u) =>
    axesOf(b).every((v) => Math.abs(dot(u, v)) > 1e-6 && Math.abs(dot(u, v)) < 1 - 1e-12),
  );

test('any two shapes', () => {
  fc.assert(
    fc.property(placedPairs.filter(askew), ([a, b]) => expectRight(a, b)),
    { numRuns: runsOf(1500), endOnFailure: true },
  );
});

test('any two shapes, however nearly parallel: distances are right, normals to the angle', () => {
  const tilts = fc.constantFrom(0, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4);
  fc.assert(
    fc.property(placedPairs, tilts, vectors(1), ([a, b], tilt, axis) => {
      fc.pre(norm(axis) > 0.1);
      const rotation = placed(a.pose, {
        translation: [0, 0, 0],
        rotation: turned(scaled(1 / norm(axis), axis), tilt),
      }).rotation;
      const tilted = { shape: b.shape, pose: { ...b.pose, rotation } };
      const size = radiusOf(a.shape) + radiusOf(b.shape);
      const { distance, normal } = between(a, tilted);
      expect(gapAlong(a, tilted, normal)).toBeGreaterThan(distance - 1e-7 * size);
      for (const n of directions(200))
        expect(gapAlong(a, tilted, n)).toBeLessThan(distance + slack(distance, size));
    }),
    { numRuns: runsOf(800), endOnFailure: true },
  );
});

test('the distance is the same the other way round, and wherever both shapes are moved together', () => {
  fc.assert(
    fc.property(placedPairs.filter(askew), rotations, vectors(100), ([a, b], rotation, translation) => {
      const size = radiusOf(a.shape) + radiusOf(b.shape);
      const { distance } = between(a, b);
      expect(Math.abs(between(b, a).distance - distance)).toBeLessThan(slack(distance, size));
      const moved = ({ shape, pose }: Placed): Placed => ({
        shape,
        pose: placed({ translation, rotation }, pose),
      });
      expect(Math.abs(between(moved(a), moved(b)).distance - distance)).toBeLessThan(
        slack(distance, size) + 1e-11,
      );
    }),
    { numRuns: runsOf(1000), endOnFailure: true },
  );
});

test('the distance changes with the relative speed of the points along the normal', () => {
  fc.assert(
    fc.property(placedPairs.filter(askew), vectors(1), vectors(1), ([a, b], velocity, angular) => {
      const rate = norm(angular);
      fc.pre(rate > 0.01);
      const pair = pairOf(a, b);
      const { distance, normal, pointB } = measured(pair, a.pose, b.pose);
      const size = radiusOf(a.shape) + radiusOf(b.shape);
      // Deep inside of each other, normals jump.
      fc.pre(distance > -0.02 * size);
      const moved = (time: number): number => {
        const turn = turned(scaled(1 / rate, angular), rate * time);
        const pose = {
          translation: plus(b.pose.translation, scaled(time, velocity)),
          rotation: placed({ translation: [0, 0, 0], rotation: turn }, b.pose).rotation,
        };
        return between(a, { shape: b.shape, pose }).distance;
      };
      const speed = dot(normal, plus(velocity, cross(angular, minus(pointB, b.pose.translation))));
      const step = 1e-6 * size;
      const slopes = [(moved(step) - distance) / step, (distance - moved(-step)) / step];
      // Where another piece becomes the nearest, there are two of them.
      expect(Math.min(...slopes) - 1e-3).toBeLessThan(speed);
      expect(Math.max(...slopes) + 1e-3).toBeGreaterThan(speed);
    }),
    { numRuns: runsOf(500), endOnFailure: true },
  );
});

test('the distance goes on through touching, and remembers no more than it should', () => {
  fc.assert(
    fc.property(placedPairs.filter(askew), ([a, b]) => {
      const pair = pairOf(a, b);
      const size = radiusOf(a.shape) + radiusOf(b.shape);
      const { distance, normal } = measured(pair, a.pose, b.pose);
      fc.pre(distance > 0);
      for (const depth of [0.1, 0.01, 1e-3, 1e-6, 1e-9, 1e-12, 0, -1e-12, -1e-9, -1e-6, -1e-3]) {
        const translation = plus(b.pose.translation, scaled(depth * size - distance, normal));
        const there = { shape: b.shape, pose: { ...b.pose, translation } };
        const found = measured(pair, a.pose, there.pose);
        // Corners that do not face each other have a better normal as soon as they overlap.
        if (depth > 1e-10) expect(Math.abs(found.distance - depth * size)).toBeLessThan(1e-12 * size);
        else expect(found.distance).toBeGreaterThan(depth * size - 1e-12 * size);
        if (depth > 1e-7) expect(norm(minus(found.normal, normal))).toBeLessThan(1e-12 / depth);
        expect(Math.abs(between(a, there).distance - found.distance)).toBeLessThan(
          (Math.max(0, -depth) + 1e-11) * size,
        );
      }
    }),
    { numRuns: runsOf(500), endOnFailure: true },
  );
});

test('after any step, what is apart is apart, and what overlaps does', () => {
  fc.assert(
    fc.property(placedPairs, vectors(0.1), vectors(0.2), ([a, b], step, turn) => {
      fc.pre(norm(turn) > 1e-3);
      const pair = pairOf(a, b);
      measured(pair, a.pose, b.pose);
      const rotation = placed(
        { translation: [0, 0, 0], rotation: turned(scaled(1 / norm(turn), turn), norm(turn)) },
        b.pose,
      ).rotation;
      const there = { shape: b.shape, pose: { translation: plus(b.pose.translation, step), rotation } };
      const { distance } = measured(pair, a.pose, there.pose);
      const anew = between(a, there).distance;
      const size = radiusOf(a.shape) + radiusOf(b.shape);
      if (anew > 0) expect(Math.abs(distance - anew)).toBeLessThan(1e-11 * size);
      else expect(distance).toBeLessThan(1e-11 * size);
    }),
    { numRuns: runsOf(2000), endOnFailure: true },
  );
});

test('along a motion the distance never jumps', () => {
  fc.assert(
    fc.property(placedPairs, vectors(1), vectors(1), ([a, b], velocity, angular) => {
      const rate = norm(angular);
      const apart = minus(b.pose.translation, a.pose.translation);
      fc.pre(rate > 0.1 && norm(apart) > 0.01);
      const pair = pairOf(a, b);
      const size = radiusOf(a.shape) + radiusOf(b.shape);
      const towards = scaled(1 / norm(apart), apart);
      const step = 1e-3;
      // What a point of b moves in a step at most.
      const most = (4 * size + norm(velocity) + 3 * rate * radiusOf(b.shape)) * step;
      let before = Number.NaN;
      for (let time = 0; time < 0.4; time += step) {
        const offset = plus(scaled(size * (1.3 - 4 * time), towards), scaled(time, velocity));
        const turn = turned(scaled(1 / rate, angular), rate * time);
        const { distance } = measured(pair, a.pose, {
          translation: plus(a.pose.translation, offset),
          rotation: placed({ translation: [0, 0, 0], rotation: turn }, b.pose).rotation,
        });
        if (distance < -0.01 * size) break;
        if (time > 0) expect(Math.abs(distance - before)).toBeLessThan(most);
        before = distance;
      }
    }),
    { numRuns: runsOf(300), endOnFailure: true },
  );
});

/** The largest gap between two polytopes along normals of faces and of pairs of edges. */
function separation(a: readonly Vector[], b: readonly Vector[], axes: readonly Vector[]): number {
  let most = -Infinity;
  for (const axis of axes) {
    if (norm(axis) < 1e-9) continue;
    for (const sign of [1, -1]) {
      const n = scaled(sign / norm(axis), axis);
      const gap = Math.min(...b.map((p) => dot(n, p))) - Math.max(...a.map((p) => dot(n, p)));
      most = Math.max(most, gap);
    }
  }
  return most;
}

const corners = (of: Placed): Vector[] => {
  const { lengthX, lengthY, lengthZ } = of.shape as { lengthX: number; lengthY: number; lengthZ: number };
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
    plus(
      of.pose.translation,
      applied(of.pose.rotation, [
        (k & 1 ? 0.5 : -0.5) * lengthX,
        (k & 2 ? 0.5 : -0.5) * lengthY,
        (k & 4 ? 0.5 : -0.5) * lengthZ,
      ]),
    ),
  );
};
const axesOf = ({ pose: { rotation: r } }: Placed): Vector[] => [
  [r[0], r[3], r[6]],
  [r[1], r[4], r[7]],
  [r[2], r[5], r[8]],
];

test('boxes that overlap are as deep in each other as the best of all faces and pairs of edges says', () => {
  const boxes = fc.record({
    l: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 1, max: 30 }))),
    r: rotations,
    t: vectors(1.5),
  });
  const boxOf = ({ l, r, t }: { l: number[]; r: Placed['pose']['rotation']; t: Vector }): Placed =>
    at({ kind: 'box', lengthX: l[0]! / 10, lengthY: l[1]! / 10, lengthZ: l[2]! / 10 }, t, r);
  let overlapping = 0;
  fc.assert(
    fc.property(boxes, boxes, (one, two) => {
      const [a, b] = [boxOf(one), boxOf(two)];
      const edges = axesOf(a).flatMap((u) => axesOf(b).map((v) => cross(u, v)));
      const expected = separation(corners(a), corners(b), [...axesOf(a), ...axesOf(b), ...edges]);
      const { distance } = between(a, b);
      if (expected < 0) {
        overlapping++;
        expect(Math.abs(distance - expected)).toBeLessThan(1e-11);
      } else {
        // Between corners they are farther apart than along any of these.
        expect(distance).toBeGreaterThan(expected - 1e-12);
      }
      // The same boxes as hulls of points.
      const hull = (of: Placed): HullCore =>
        new HullCore({
          points: Float64Array.from(corners(at(of.shape)).flat()),
          polygons: [],
          normals: new Float64Array(0),
          edges: new Uint32Array(0),
          neighbours: [],
        });
      const hulls = measured(new Pair(hull(a), hull(b)), a.pose, b.pose);
      expect(Math.abs(hulls.distance - distance)).toBeLessThan(1e-11);
    }),
    { numRuns: runsOf(1500), endOnFailure: true },
  );
  expect(overlapping).toBeGreaterThan(100);
});

test('sizes from a millimetre to a kilometre', () => {
  fc.assert(
    fc.property(placedPairs.filter(askew), fc.constantFrom(1e-3, 1e-2, 10, 1e3), ([a, b], factor) => {
      const large = ({ shape: of, pose }: Placed): Placed => ({
        shape: shape(
          Object.fromEntries(
            Object.entries(of).map(([key, value]) => [
              key,
              typeof value === 'number' && key !== 'axis' ? factor * value : value,
            ]),
          ) as unknown as Parameters<typeof shape>[0],
        ),
        pose: { ...pose, translation: scaled(factor, pose.translation) },
      });
      const size = radiusOf(a.shape) + radiusOf(b.shape);
      const { distance } = between(a, b);
      expect(Math.abs(between(large(a), large(b)).distance / factor - distance)).toBeLessThan(
        slack(distance, size),
      );
    }),
    { numRuns: runsOf(500), endOnFailure: true },
  );
});

test('hulls of any points', () => {
  const clouds = fc
    .array(vectors(1), { minLength: 4, maxLength: 60 })
    .map((points) => Float64Array.from(points.flat()));
  const reach = (points: Float64Array, pose: Placed['pose'], n: Vector): number => {
    const own = applied(transposed(pose.rotation), n);
    let most = -Infinity;
    for (let k = 0; k < points.length; k += 3) {
      most = Math.max(most, dot(own, [points[k]!, points[k + 1]!, points[k + 2]!]));
    }
    return most + dot(n, pose.translation);
  };
  fc.assert(
    fc.property(clouds, clouds, rotations, vectors(1.5), (one, two, rotation, translation) => {
      const [a, b] = [hullOf(one), hullOf(two)];
      fc.pre(a !== undefined && b !== undefined && a.volume > 1e-3 && b.volume > 1e-3);
      const poses = [at({ kind: 'box' }).pose, { translation, rotation }] as const;
      const { distance, normal, pointA, pointB } = measured(new Pair(a!.core, b!.core), ...poses);
      const gap = (n: Vector): number => -reach(two, poses[1], scaled(-1, n)) - reach(one, poses[0], n);
      expect(Math.abs(gap(normal) - distance)).toBeLessThan(1e-11);
      expect(norm(minus(minus(pointB, pointA), scaled(distance, normal)))).toBeLessThan(1e-11);
      for (const n of directions(300)) expect(gap(n)).toBeLessThan(distance + 1e-11);
    }),
    { numRuns: runsOf(300), endOnFailure: true },
  );
});
