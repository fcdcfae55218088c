import { describe, expect, test } from 'vitest';
import { convexOf } from '../../../src/bodies/contact/cores.ts';
import { Pair } from '../../../src/bodies/contact/distance.ts';
import { minus, scaled, turned, type Vector } from '../../../src/bodies/space.ts';
import { at, between, measured, type Placed, pairOf, shape } from './notation.ts';

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
