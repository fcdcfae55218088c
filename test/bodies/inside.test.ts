import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Inside } from '../../src/bodies/shapes/inside.ts';
import { trianglesOf } from '../../src/bodies/shapes/triangles.ts';
import { boxMesh, vectors } from './notation.ts';

test('points are inside a tube, in its hole or around it', () => {
  const count = 64;
  const { positions, indices } = trianglesOf(
    { kind: 'cylinder', axis: 2, diameter: 2, innerDiameter: 1, length: 3 },
    count,
  );
  const inside = new Inside(Float64Array.from(positions), indices, [-1, -1.5, -1], [1, 1.5, 1]);
  // Between a circle and its polygon nothing is said.
  const gap = 1 - Math.cos(Math.PI / count) + 1e-5;
  fc.assert(
    fc.property(vectors(2), ([x, y, z]) => {
      const r = Math.hypot(x, z);
      fc.pre(Math.abs(r - 1) > gap && Math.abs(r - 0.5) > gap && Math.abs(Math.abs(y) - 1.5) > 1e-5);
      // The ray may hit an edge, which takes luck.
      expect([undefined, r < 1 && r > 0.5 && Math.abs(y) < 1.5]).toContain(inside.holds([x, y, z]));
    }),
    { numRuns: 2000 },
  );
});

test('only few points cannot be told', () => {
  const { positions, indices } = trianglesOf({ kind: 'sphere', diameter: 2 }, 48);
  const inside = new Inside(Float64Array.from(positions), indices, [-1, -1, -1], [1, 1, 1]);
  let [told, right] = [0, 0];
  for (let k = 0; k < 1000; k++) {
    const r = k % 2 ? 0.9 : 1.1;
    const [height, angle] = [(k - 499.5) / 500, 2.4 * k];
    const across = r * Math.sqrt(1 - height * height);
    const found = inside.holds([across * Math.cos(angle), across * Math.sin(angle), r * height]);
    if (found !== undefined) told++;
    if (found === r < 1) right++;
  }
  expect(right).toBe(told);
  expect(told).toBeGreaterThan(950);
});

test('points on the surface are neither', () => {
  const { positions, triangles } = boxMesh([0, 0, 0], [1, 1, 1]);
  const inside = new Inside(positions, triangles, [0, 0, 0], [1, 1, 1]);
  for (const point of [
    [0, 0.3, 0.4],
    [0.2, 1, 0.6],
    [1, 1, 0.5],
    [0, 0, 0],
    [0.5, 0.5, 1],
  ] as const) {
    expect(inside.holds(point)).toBeUndefined();
  }
  expect(inside.holds([0.5, 0.4, 0.3])).toBe(true);
  expect(inside.holds([1.5, 0.4, 0.3])).toBe(false);
});
