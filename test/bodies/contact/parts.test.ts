import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convexOf } from '../../../src/bodies/contact/cores.ts';
import { Pair } from '../../../src/bodies/contact/distance.ts';
import { hullOf } from '../../../src/bodies/contact/hull.ts';
import { Manifold } from '../../../src/bodies/contact/manifold.ts';
import { convexParts } from '../../../src/bodies/contact/parts.ts';
import type { HullCore } from '../../../src/bodies/contact/polytope.ts';
import type { Mesh } from '../../../src/bodies/shapes/mesh.ts';
import type { SolidShape } from '../../../src/bodies/shapes/shape.ts';
import { trianglesOf } from '../../../src/bodies/shapes/triangles.ts';
import { dot, type Vector } from '../../../src/bodies/space.ts';
import { boxMesh, joinedMesh, meshOf, refusal, rotations, vectors } from '../notation.ts';
import { arraysOf, directions, measured, shape } from './notation.ts';

const solid = (mesh: Mesh): SolidShape => ({ kind: 'mesh', mesh, scale: [1, 1, 1] });
const drawn = (given: Parameters<typeof shape>[0], resolution = 48): Mesh => {
  const { positions, indices } = trianglesOf(shape(given), resolution);
  return { name: 'test', positions: Float64Array.from(positions), triangles: indices };
};
const reach = (points: Float64Array, n: Vector): number => {
  let most = -Infinity;
  for (let k = 0; k < points.length; k += 3) {
    most = Math.max(most, dot(n, [points[k]!, points[k + 1]!, points[k + 2]!]));
  }
  return most;
};

test('the hull of points is around all of them, and made of some', () => {
  const dirs = directions(50);
  const clouds = fc.array(
    fc.oneof(
      vectors(1),
      // Many in one plane, on one line, or at one place.
      vectors(4).map(([x, y, z]): Vector => [Math.round(x), Math.round(y), Math.round(z)]),
    ),
    { minLength: 1, maxLength: 80 },
  );
  let solids = 0;
  fc.assert(
    fc.property(clouds, (cloud) => {
      const points = Float64Array.from(cloud.flat());
      const hull = hullOf(points);
      if (!hull) return;
      solids++;
      const { points: own, polygons, normals } = hull.core.shape;
      for (const n of dirs) expect(reach(own, n)).toBeCloseTo(reach(points, n), 10);
      for (const [k, polygon] of polygons.entries()) {
        const n: Vector = [normals[3 * k]!, normals[3 * k + 1]!, normals[3 * k + 2]!];
        const corner = 3 * polygon[0]!;
        const height = dot(n, [own[corner]!, own[corner + 1]!, own[corner + 2]!]);
        expect(reach(points, n)).toBeLessThan(height + 1e-5);
        expect(polygon.length).toBeGreaterThan(2);
      }
    }),
    { numRuns: 500, endOnFailure: true },
  );
  expect(solids).toBeGreaterThan(200);
});

test('faces of a hull are whole', () => {
  const box = hullOf(boxMesh([0, 0, 0], [1, 2, 3]).positions)!;
  expect(box.volume).toBeCloseTo(6, 12);
  expect(box.core.shape.polygons.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4]);
  expect(box.core.shape.edges.length).toBe(24);
  const drum = hullOf(drawn({ kind: 'cylinder', diameter: 2, length: 1 }, 48).positions)!;
  expect(drum.volume).toBeCloseTo(24 * Math.sin(Math.PI / 24), 6);
  expect(drum.core.shape.polygons.length).toBe(50);
  expect(drum.core.shape.polygons.filter(({ length }) => length === 8).length).toBe(2);
  // Points in a plane, on a line, at a place have no hull.
  expect(hullOf(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0))).toBeUndefined();
  expect(hullOf(Float64Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3))).toBeUndefined();
  expect(hullOf(Float64Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))).toBeUndefined();
});

test('the farthest vertex of a large hull is found by climbing', () => {
  const egg = hullOf(drawn({ kind: 'ellipsoid', lengthX: 1, lengthY: 2, lengthZ: 5 }, 60).positions)!.core;
  expect(egg.points.length).toBeGreaterThan(3000);
  const point = new Float64Array(3);
  for (const n of directions(2000)) {
    egg.support(...n, point, 0);
    expect(dot(n, [point[0]!, point[1]!, point[2]!])).toBeCloseTo(reach(egg.points, n), 12);
  }
});

test('a box is the same as a mesh', () => {
  const [hull] = convexParts('box', solid(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]))).parts;
  const box = convexOf(shape({ kind: 'box' }));
  fc.assert(
    fc.property(rotations, rotations, vectors(1.2), (one, two, translation) => {
      const a = { translation: [0, 0, 0] as const, rotation: one };
      const b = { translation, rotation: two };
      const expected = measured(new Pair(box, box), a, b).distance;
      expect(Math.abs(measured(new Pair(hull!, box), a, b).distance - expected)).toBeLessThan(1e-11);
      expect(Math.abs(measured(new Pair(hull!, hull!), a, b).distance - expected)).toBeLessThan(1e-11);
    }),
    { numRuns: 300, endOnFailure: true },
  );
  // And stands as one.
  const ground = convexOf(shape({ kind: 'box', lengthX: 9, lengthY: 9, lengthZ: 1 }));
  const { rotation, position } = arraysOf(
    { translation: [0, 0, -0.5], rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    { translation: [1, 1, 0.499], rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1] },
  );
  for (const [a, b] of [
    [ground, hull!],
    [hull!, ground],
  ] as const) {
    const manifold = new Manifold(new Pair(a, b));
    const isUpper = a === hull;
    expect(manifold.measure(rotation, position, isUpper ? 1 : 0, isUpper ? 0 : 1, 0.01)).toBe(4);
    for (let k = 0; k < 4; k++) {
      expect(manifold.distance[k]).toBeCloseTo(-0.001, 12);
      expect(manifold.weight[k]).toBeCloseTo(0.25, 12);
    }
  }
});

test('convex shells are parts as they are', () => {
  const two = joinedMesh(boxMesh([0, 0, 0], [1, 1, 1]), boxMesh([3, 0, 0], [4, 2, 1]));
  const { parts, excess } = convexParts('boxes', solid(two));
  expect(parts.length).toBe(2);
  expect(excess).toBeLessThan(1e-12);
  const ball = convexParts('ball', solid(drawn({ kind: 'sphere', diameter: 2 })));
  expect(ball.parts.length).toBe(1);
  expect(ball.excess).toBeLessThan(1e-6);
});

/** A prism over a polygon in the plane of x and y; triangles of the ends are given. */
function prism(
  outline: readonly (readonly [number, number])[],
  ends: readonly (readonly number[])[],
  height: number,
): Mesh {
  const n = outline.length;
  const points = [0, height].flatMap((z) => outline.map(([x, y]): Vector => [x, y, z]));
  const sides = outline.flatMap((_, k) => {
    const next = (k + 1) % n;
    return [
      [k, next, n + next],
      [k, n + next, n + k],
    ];
  });
  return meshOf(points, [
    ...ends.map(([a, b, c]) => [a!, c!, b!]),
    ...ends.map((end) => end.map((k) => n + k)),
    ...sides,
  ]);
}

test('an angle is cut into two boxes', () => {
  const outline = [
    [0, 0],
    [4, 0],
    [4, 2],
    [2, 2],
    [2, 4],
    [0, 4],
  ] as const;
  const angle = prism(
    outline,
    [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 4],
      [0, 4, 5],
    ],
    1,
  );
  const { parts, excess } = convexParts('angle', solid(angle));
  expect(parts.length).toBe(2);
  expect(excess).toBeLessThan(1e-9);
  // The notch is free: a ball in it is away from all parts.
  const ball = convexOf(shape({ kind: 'sphere', diameter: 1 }));
  const distances = parts.map((part) => {
    const at = (translation: Vector) => ({ translation, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] as const });
    return measured(new Pair(part, ball), at([0, 0, 0]), at([3, 3, 0.5])).distance;
  });
  expect(Math.min(...distances)).toBeCloseTo(0.5, 12);
});

test('a ring is cut until its hole is free', () => {
  const ring = drawn({ kind: 'cylinder', diameter: 4, length: 1, innerDiameter: 3 }, 32);
  const { parts, excess } = convexParts('ring', solid(ring));
  expect(parts.length).toBeGreaterThan(7);
  expect(parts.length).toBeLessThan(17);
  expect(excess).toBeLessThan(0.15);
  const ball = convexOf(shape({ kind: 'sphere', diameter: 2 }));
  const there = { translation: [0, 0, 0] as const, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1] as const };
  for (const part of parts) expect(measured(new Pair(part, ball), there, there).distance).toBeGreaterThan(0);
});

test('what is filled that was not there is told', () => {
  const tube = shape({ kind: 'cylinder', diameter: 2, innerDiameter: 1, length: 3 });
  expect(convexParts('tube', tube).excess).toBeCloseTo(1 / 3, 12);
  const hollow = joinedMesh(boxMesh([0, 0, 0], [4, 4, 4]), boxMesh([1, 1, 1], [3, 3, 3]));
  const { parts, excess } = convexParts('hollow', solid(hollow));
  expect(parts.length).toBe(1);
  expect(excess).toBeCloseTo(8 / 56, 12);
  const { positions, triangles } = boxMesh([0, 0, 0], [1, 1, 1]);
  const open = { name: 'open', positions, triangles: triangles.slice(3) };
  expect(convexParts('open', solid(open)).excess).toBeNaN();
  expect((convexParts('open', solid(open)).parts[0] as HullCore).points.length).toBe(24);
});

test('a flat mesh is refused', () => {
  const flat = meshOf(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
    ],
    [
      [0, 1, 2],
      [1, 3, 2],
    ],
  );
  expect(refusal(() => convexParts('sheet', solid(flat)))).toBe(
    '[bad-mesh] `sheet`: the mesh is flat, so nothing can touch it. | Give it a thickness, or leave it out of contact.',
  );
});
