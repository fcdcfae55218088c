import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pair } from '../../../src/bodies/contact/distance.ts';
import { HullCore } from '../../../src/bodies/contact/hull.ts';
import { convexOf } from '../../../src/bodies/contact/support.ts';
import {
  applied,
  cross,
  dot,
  minus,
  norm,
  placed,
  plus,
  scaled,
  turned,
  type Vector,
} from '../../../src/bodies/space.ts';
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

const near = (actual: readonly number[], expected: readonly number[], size = 1): void => {
  for (const [k, value] of expected.entries()) {
    expect(Math.abs(actual[k]! - value), `${actual} is not ${expected}`).toBeLessThan(1e-13 * size);
  }
};
const quarter = (axis: Vector): ReturnType<typeof turned> => turned(axis, Math.PI / 2);
const eighth = (axis: Vector): ReturnType<typeof turned> => turned(axis, Math.PI / 4);

describe('closed forms', () => {
  const rows: [string, Placed, Placed, distance: number, normal?: Vector, onA?: Vector][] = [
    [
      'spheres',
      at({ kind: 'sphere', diameter: 2 }),
      at({ kind: 'sphere', diameter: 4 }, [3, 4, 0]),
      2,
      [0.6, 0.8, 0],
      [0.6, 0.8, 0],
    ],
    [
      'spheres that overlap',
      at({ kind: 'sphere', diameter: 6 }),
      at({ kind: 'sphere', diameter: 6 }, [3, 4, 0]),
      -1,
      [0.6, 0.8, 0],
      [1.8, 2.4, 0],
    ],
    [
      'a sphere above a face',
      at({ kind: 'box', lengthX: 4, lengthY: 4, lengthZ: 2 }),
      at({ kind: 'sphere', diameter: 1 }, [1, 1, 2]),
      0.5,
      [0, 0, 1],
      [1, 1, 1],
    ],
    [
      'a sphere in a face',
      at({ kind: 'sphere', diameter: 1 }, [1, 1, 1.4]),
      at({ kind: 'box', lengthX: 4, lengthY: 4, lengthZ: 2 }),
      -0.1,
      [0, 0, -1],
      [1, 1, 0.9],
    ],
    [
      'a sphere at an edge',
      at({ kind: 'box', lengthX: 2, lengthY: 2, lengthZ: 2 }),
      at({ kind: 'sphere', diameter: 2 }, [4, 5, 0]),
      4,
      [0.6, 0.8, 0],
      [1, 1, 0],
    ],
    [
      'a sphere whose centre is inside a box',
      at({ kind: 'box', lengthX: 2, lengthY: 4, lengthZ: 6 }),
      at({ kind: 'sphere', diameter: 1 }, [0.75, 0, 0]),
      -0.75,
      [1, 0, 0],
      [1, 0, 0],
    ],
    [
      'a sphere beside a capsule',
      at({ kind: 'capsule', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'sphere', diameter: 1 }, [1, 0, 3]),
      2,
      [0, 0, 1],
      [1, 0, 0.5],
    ],
    [
      'a sphere beyond a capsule',
      at({ kind: 'capsule', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'sphere', diameter: 1 }, [5, 4, 0]),
      4,
      [0.6, 0.8, 0],
      [2.3, 0.4, 0],
    ],
    [
      'capsules across each other',
      at({ kind: 'capsule', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'capsule', axis: 2, diameter: 1, length: 4 }, [0.5, -0.5, 3]),
      2,
      [0, 0, 1],
      [0.5, 0, 0.5],
    ],
    [
      'parallel capsules',
      at({ kind: 'capsule', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'capsule', axis: 1, diameter: 1, length: 4 }, [2, 0, 3]),
      2,
      [0, 0, 1],
      [1, 0, 0.5],
    ],
    [
      'capsules whose axes meet',
      at({ kind: 'capsule', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'capsule', axis: 2, diameter: 1, length: 4 }),
      -1,
    ],
    [
      'capsules in each other',
      at({ kind: 'capsule', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'capsule', axis: 1, diameter: 3, length: 2 }),
      -2,
    ],
    [
      'a sphere beside a cylinder',
      at({ kind: 'cylinder', diameter: 2, length: 4 }),
      at({ kind: 'sphere', diameter: 1 }, [3, 4, 1]),
      3.5,
      [0.6, 0.8, 0],
      [0.6, 0.8, 1],
    ],
    [
      'a sphere above a cylinder',
      at({ kind: 'cylinder', diameter: 2, length: 4 }),
      at({ kind: 'sphere', diameter: 1 }, [0.3, 0.4, 3]),
      0.5,
      [0, 0, 1],
      [0.3, 0.4, 2],
    ],
    [
      'a sphere at the rim of a cylinder',
      at({ kind: 'cylinder', diameter: 2, length: 4 }),
      at({ kind: 'sphere', diameter: 2 }, [4, 0, 6]),
      4,
      [0.6, 0, 0.8],
      [1, 0, 2],
    ],
    [
      'a sphere at the tip of a cone',
      at({ kind: 'cone', axis: 2, diameter: 2, length: 3 }),
      at({ kind: 'sphere', diameter: 1 }, [0, 4, 0]),
      0.5,
      [0, 1, 0],
      [0, 3, 0],
    ],
    [
      'a sphere beside a cone',
      at({ kind: 'cone', diameter: 6, length: 4 }),
      at({ kind: 'sphere', diameter: 2 }, [1.5 + 4, 0, 2 + 3]),
      4,
      [0.8, 0, 0.6],
      [1.5, 0, 2],
    ],
    [
      'a sphere beside a frustum',
      at({ kind: 'cone', diameter: 6, length: 4, topDiameter: 0.75 * 6 - 3 * 0.25 + 0.75 }),
      at({ kind: 'sphere', diameter: 2 }, [0, 0, -2]),
      1,
      [0, 0, -1],
      [0, 0, 0],
    ],
    [
      'a sphere at the round end of a beam',
      at({ kind: 'beam', axis: 1, length: 2, width: 1, thickness: 0.2 }),
      at({ kind: 'sphere', diameter: 1 }, [4, 4, 0]),
      4,
      [0.6, 0.8, 0],
      [1.3, 0.4, 0],
    ],
    [
      'a sphere above a beam',
      at({ kind: 'beam', axis: 1, length: 2, width: 1, thickness: 0.2 }),
      at({ kind: 'sphere', diameter: 1 }, [1.2, 0.1, 1]),
      0.4,
      [0, 0, 1],
      [1.2, 0.1, 0.1],
    ],
    [
      'an ellipsoid above a face',
      at({ kind: 'box', lengthX: 8, lengthY: 8, lengthZ: 2 }),
      at({ kind: 'ellipsoid', lengthX: 2, lengthY: 4, lengthZ: 6 }, [0, 0, 5], eighth([1, 0, 0])),
      4 - Math.sqrt(6.5),
      [0, 0, 1],
    ],
    [
      'ellipsoids along an axis',
      at({ kind: 'ellipsoid', lengthX: 2, lengthY: 4, lengthZ: 6 }),
      at({ kind: 'ellipsoid', lengthX: 2, lengthY: 4, lengthZ: 6 }, [0, 0, 7]),
      1,
      [0, 0, 1],
      [0, 0, 3],
    ],
    [
      'crossing cylinders',
      at({ kind: 'cylinder', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'cylinder', axis: 2, diameter: 2, length: 4 }, [0.5, 0.5, 3]),
      1.5,
      [0, 0, 1],
      [0.5, 0, 0.5],
    ],
    [
      'crossing cylinders that overlap',
      at({ kind: 'cylinder', axis: 1, diameter: 1, length: 4 }),
      at({ kind: 'cylinder', axis: 2, diameter: 2, length: 4 }, [0.5, 0.5, 1.4]),
      -0.1,
      [0, 0, 1],
      [0.5, 0, 0.5],
    ],
    ['boxes face to face', at({ kind: 'box' }), at({ kind: 'box' }, [0.2, 0.3, 1.5]), 0.5, [0, 0, 1]],
    ['boxes face in face', at({ kind: 'box' }), at({ kind: 'box' }, [0.2, 0.3, 0.9]), -0.1, [0, 0, 1]],
    ['boxes that touch', at({ kind: 'box' }), at({ kind: 'box' }, [0.2, 0.3, 1]), 0, [0, 0, 1]],
    [
      'boxes edge to edge',
      at({ kind: 'box', lengthX: 4 }, [0, 0, 0], eighth([1, 0, 0])),
      at({ kind: 'box', lengthY: 4 }, [0, 0, 2], eighth([0, 1, 0])),
      2 - Math.SQRT2,
      [0, 0, 1],
      [0, 0, Math.SQRT1_2],
    ],
    [
      'boxes edge in edge',
      at({ kind: 'box', lengthX: 4 }, [0, 0, 0], eighth([1, 0, 0])),
      at({ kind: 'box', lengthY: 4 }, [0, 0, 1.4], eighth([0, 1, 0])),
      1.4 - Math.SQRT2,
      [0, 0, 1],
      [0, 0, Math.SQRT1_2],
    ],
    ['boxes corner to corner', at({ kind: 'box' }), at({ kind: 'box' }, [4, 5, 1]), 5, [0.6, 0.8, 0]],
    [
      'boxes corner to corner in space',
      at({ kind: 'box' }),
      at({ kind: 'box' }, [3, 3, 2]),
      3,
      [2 / 3, 2 / 3, 1 / 3],
      [0.5, 0.5, 0.5],
    ],
    [
      'boxes with one centre',
      at({ kind: 'box' }),
      at({ kind: 'box', lengthX: 2, lengthY: 3, lengthZ: 4 }),
      -1.5,
    ],
    [
      'a box inside another',
      at({ kind: 'box', lengthX: 9, lengthY: 9, lengthZ: 9 }),
      at({ kind: 'box' }, [3, 0, 0]),
      -2,
      [1, 0, 0],
    ],
    [
      'a cylinder that stands',
      at({ kind: 'box', lengthX: 4, lengthY: 4, lengthZ: 2 }),
      at({ kind: 'cylinder', diameter: 1, length: 2 }, [0.5, 0, 2.25]),
      0.25,
      [0, 0, 1],
    ],
    [
      'a cylinder that lies',
      at({ kind: 'box', lengthX: 4, lengthY: 4, lengthZ: 2 }),
      at({ kind: 'cylinder', axis: 1, diameter: 1, length: 2 }, [0.5, 0, 1.49]),
      -0.01,
      [0, 0, 1],
    ],
    [
      'a cone that lies',
      at({ kind: 'box', lengthX: 20, lengthY: 20, lengthZ: 2 }),
      at(
        { kind: 'cone', diameter: 6, length: 4 },
        [0, 0, 4],
        turned([0, 1, 0], Math.PI / 2 + Math.atan2(3, 4)),
      ),
      3 - 2.4,
      [0, 0, 1],
    ],
    [
      'a beam on its narrow side',
      at({ kind: 'box', lengthX: 4, lengthY: 4, lengthZ: 2 }),
      at({ kind: 'beam', axis: 1, length: 1, width: 1, thickness: 0.2 }, [0, 0, 1.6], quarter([1, 0, 0])),
      0.1,
      [0, 0, 1],
    ],
  ];
  test.each(rows)('%s', (_, a, b, distance, normal, onA) => {
    const found = between(a, b);
    near([found.distance], [distance], 4);
    if (normal) near(found.normal, normal, 4);
    if (onA) near(found.pointA, onA, 4);
    near(minus(found.pointB, found.pointA), scaled(found.distance, found.normal), 4);
    // The other way round.
    const back = between(b, a);
    near([back.distance], [distance], 4);
    if (normal) near(back.normal, scaled(-1, normal), 4);
  });
});

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

/** Shapes are not parallel to each other by less than that, but not exactly: their normals are known to that angle only. */
const askew = ([a, b]: readonly [Placed, Placed]): boolean =>
  a.pose.rotation.every((value, k) => {
    const column = (of: Placed, j: number): Vector => [
      of.pose.rotation[j]!,
      of.pose.rotation[3 + j]!,
      of.pose.rotation[6 + j]!,
    ];
    const cosine = dot(column(a, k % 3), column(b, Math.floor(k / 3)));
    return (Math.abs(cosine) < 1 - 1e-12 && Math.abs(cosine) > 1e-6) || value === Infinity;
  });

test('any two shapes', () => {
  fc.assert(
    fc.property(placedPairs.filter(askew), ([a, b]) => expectRight(a, b)),
    { numRuns: 1500, endOnFailure: true },
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
    { numRuns: 800, endOnFailure: true },
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
    { numRuns: 1000, endOnFailure: true },
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
    { numRuns: 500, endOnFailure: true },
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
          depth < 0 ? -depth * size : 1e-10 * size,
        );
      }
    }),
    { numRuns: 500, endOnFailure: true },
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
    { numRuns: 300, endOnFailure: true },
  );
});

test('curved surfaces that touch in one point have a distance that is smooth there', () => {
  const a = at({ kind: 'ellipsoid', lengthX: 1, lengthY: 2, lengthZ: 3 }, [0, 0, 0], eighth([1, 0, 0]));
  for (const other of [
    shape({ kind: 'ellipsoid', lengthX: 3, lengthY: 1, lengthZ: 2 }),
    shape({ kind: 'cylinder', axis: 1, diameter: 1, length: 8 }),
    shape({ kind: 'cone', axis: 1, diameter: 1, length: 8, topDiameter: 0.5 }),
    shape({ kind: 'box', lengthX: 9, lengthY: 9, lengthZ: 1 }),
  ]) {
    const pair = new Pair(convexOf(a.shape), convexOf(other));
    const along = (s: number): number =>
      measured(pair, a.pose, { translation: [-2, 0.1, s], rotation: turned([0.6, 0, 0.8], s) }).distance;
    let [low, high] = [0, 4];
    while (high - low > 1e-13) {
      const middle = (low + high) / 2;
      if (along(middle) > 0) high = middle;
      else low = middle;
    }
    // Third differences of a smooth function vanish as h^3.
    const h = 1e-3;
    for (let k = -20; k <= 20; k++) {
      const s = low + (k * h) / 10;
      const third = along(s + 3 * h) - 3 * along(s + 2 * h) + 3 * along(s + h) - along(s);
      expect(Math.abs(third)).toBeLessThan(100 * h ** 3);
    }
  }
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
    { numRuns: 1500, endOnFailure: true },
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
    { numRuns: 500, endOnFailure: true },
  );
});

test('a grain on a plate a million times as large', () => {
  const plate = at({ kind: 'box', lengthX: 1e3, lengthY: 1e3, lengthZ: 1 });
  for (const kind of ['box', 'ellipsoid'] as const) {
    const grain = at({ kind, lengthX: 1e-3, lengthY: 1e-3, lengthZ: 1e-3 }, [300, -200, 0.5 + 1e-3]);
    const { distance, normal } = between(plate, grain);
    expect(Math.abs(distance - 0.5e-3)).toBeLessThan(1e-12);
    near(normal, [0, 0, 1]);
  }
});

test('a shape in itself is as deep as it is thin', () => {
  for (const [given, depth] of [
    [{ kind: 'box', lengthX: 1, lengthY: 2, lengthZ: 3 }, 1],
    [{ kind: 'ellipsoid', lengthX: 1, lengthY: 2, lengthZ: 3 }, 1],
    [{ kind: 'sphere', diameter: 2 }, 2],
    [{ kind: 'cylinder', diameter: 2, length: 1 }, 1],
    [{ kind: 'cylinder', diameter: 1, length: 2 }, 1],
    [{ kind: 'capsule', diameter: 1, length: 2 }, 1],
    [{ kind: 'beam', length: 2, width: 1, thickness: 0.5 }, 0.5],
  ] as const) {
    const found = between(at(given), at(given));
    expect(Math.abs(found.distance + depth), given.kind).toBeLessThan(1e-9);
  }
});

test('poses that are not numbers have distances that are not', () => {
  for (const kinds of [
    ['sphere', 'sphere'],
    ['box', 'cylinder'],
  ] as const) {
    const [a, b] = [at({ kind: kinds[0] }), at({ kind: kinds[1] }, [2, 0, 0])];
    const pair = pairOf(a, b);
    expect(measured(pair, a.pose, b.pose).distance).toBe(1);
    expect(measured(pair, a.pose, { ...b.pose, translation: [Number.NaN, 0, 0] }).distance).toBeNaN();
    expect(measured(pair, a.pose, { ...b.pose, translation: [Infinity, 0, 0] }).distance).toBeNaN();
    const rotation = b.pose.rotation.map(() => Number.NaN) as unknown as Placed['pose']['rotation'];
    expect(measured(pair, a.pose, { ...b.pose, rotation }).distance).toBeNaN();
    expect(measured(pair, a.pose, b.pose).distance).toBe(1);
  }
});

test('radii of curvature', () => {
  const radii = (a: Placed, b: Placed): [number, number] => {
    const pair = pairOf(a, b);
    measured(pair, a.pose, b.pose);
    return [pair.radiusA, pair.radiusB];
  };
  const table = at({ kind: 'box', lengthX: 9, lengthY: 9, lengthZ: 2 });
  expect(radii(table, at({ kind: 'sphere', diameter: 3 }, [0, 0, 4]))).toEqual([Infinity, 1.5]);
  // At the end of semiaxis c the principal radii are a^2 / c and b^2 / c.
  const [, ellipsoid] = radii(
    table,
    at({ kind: 'ellipsoid', lengthX: 2, lengthY: 4, lengthZ: 6 }, [0, 0, 5]),
  );
  expect(ellipsoid).toBeCloseTo(2 / 3, 12);
  const [, side] = radii(table, at({ kind: 'cylinder', axis: 1, diameter: 3, length: 2 }, [0, 0, 5]));
  expect(side).toBeCloseTo(1.5, 12);
  const [, end] = radii(table, at({ kind: 'cylinder', diameter: 3, length: 2 }, [0, 0, 5]));
  expect(end).toBe(Infinity);
});
