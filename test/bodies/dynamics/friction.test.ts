/** The law of Coulomb at points, and what friction of several points can hold. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { solveCoulomb } from '../../../src/bodies/dynamics/coulomb.ts';
import { limitOf } from '../../../src/bodies/dynamics/limit.ts';

const free = (...values: number[]) => Float64Array.from(values);
const single = (velocity: Float64Array, friction: number) =>
  solveCoulomb({
    count: 1,
    matrix: free(1, 0, 0, 0, 3.5, 0, 0, 0, 3.5),
    free: velocity,
    friction: free(friction),
    slips: free(Number.NaN, Number.NaN),
  });

test('a ball that meets the ground sticks, slides or parts', () => {
  expect([...single(free(1, 1, 0), 0.3).forces]).toEqual([0, 0, 0]);
  const sticks = single(free(-2, 0.6, -0.8), 0.3);
  expect(sticks.forces[1]).toBeCloseTo(-0.6 / 3.5, 14);
  expect(sticks.rates[2]).toBeCloseTo(0, 14);
  const slides = single(free(-2, 6, -8), 0.3);
  expect(slides.forces[0]).toBeCloseTo(2, 14);
  expect(slides.forces[1]).toBeCloseTo(-0.36, 12);
  expect(slides.forces[2]).toBeCloseTo(0.48, 12);
});

test('a point that is pressed down by its own friction jams', () => {
  const { jammed } = solveCoulomb({
    count: 1,
    matrix: free(1, 0.8, 0, 0.8, 1, 0, 0, 0, 1),
    free: free(-1, 0, 0),
    friction: free(2),
    slips: free(1, 0),
  });
  expect(jammed).toBe(0);
});

test('friction that is needed: for a force its share of the load, however that is distributed; for a torque that of the arms', () => {
  const square = free(1, 1, -1, 1, -1, -1, 1, -1);
  expect(limitOf([1, 1, 1, 1], square, 2, 0, 0).needed).toBeCloseTo(0.5, 14);
  expect(limitOf([1, 1, 1, 1], square, 0, 0, 2).needed).toBeCloseTo(2 / (4 * Math.SQRT2), 14);
  // All of the load on two of the points: the force acts between these, so it has a torque about the middle.
  const { needed, motion } = limitOf([2, 0, 0, 2], square, 0, 2, 2);
  expect(needed).toBeCloseTo(0.5, 12);
  expect(motion[2]! / motion[1]!).toBeCloseTo(0, 6);
});

/** W of a box of 1 kg and given half lengths, and velocities at corners of its lower face before contact acts; of each the normal, then two axes across. */
function corners(
  half: readonly number[],
  twist: readonly number[],
  places: readonly (readonly [number, number])[],
) {
  const inertia = [0, 1, 2].map((i) => (half[(i + 1) % 3]! ** 2 + half[(i + 2) % 3]! ** 2) / 3);
  const rows = places.flatMap(([x, z]) => {
    const arm = [x * half[0]!, -half[1]!, z * half[2]!];
    return [1, 0, 2].map((axis) => {
      const e = [0, 1, 2].map((i) => Number(i === axis));
      const turn = [0, 1, 2].map(
        (i) => arm[(i + 1) % 3]! * e[(i + 2) % 3]! - arm[(i + 2) % 3]! * e[(i + 1) % 3]!,
      );
      return [...turn, ...e];
    });
  });
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + (value * b[i]!) / (inertia[i] ?? 1), 0);
  return {
    matrix: Float64Array.from(rows.flatMap((a) => rows.map((b) => product(a, b)))),
    free: Float64Array.from(rows, (row) => row.reduce((sum, value, i) => sum + value * twist[i]!, 0)),
  };
}

test('corners of a box that strikes obey the law, however many share the load', () => {
  const number = fc.integer({ min: -100, max: 100 }).map((k) => k / 50);
  const half = fc.integer({ min: 5, max: 50 }).map((k) => k / 50);
  const place = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 }));
  fc.assert(
    fc.property(
      fc.record({
        halves: fc.tuple(half, half, half),
        turning: fc.tuple(number, number, number),
        moving: fc.tuple(number, number, number),
        friction: fc.constantFrom(0.1, 0.3, 0.8),
        places: fc.uniqueArray(place, { minLength: 3, maxLength: 8, selector: String }),
      }),
      ({ halves, turning, moving, friction, places }) => {
        const { matrix, free: before } = corners(
          halves,
          [...turning, ...moving],
          places.map(([x, z]) => [x / 4, z / 4] as const),
        );
        const count = places.length;
        const slips = new Float64Array(2 * count).fill(Number.NaN);
        const { forces, rates } = solveCoulomb({
          count,
          matrix,
          free: before,
          friction: new Float64Array(count).fill(friction),
          slips,
        });
        const [speed, force] = [before, forces].map((list) => Math.max(1e-3, ...list.map(Math.abs))) as [
          number,
          number,
        ];
        for (let k = 0; k < count; k++) {
          const [p, x, y] = forces.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
          const [v, a, b] = rates.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
          expect(p).toBeGreaterThanOrEqual(0);
          expect(v).toBeGreaterThanOrEqual(-1e-11 * speed);
          expect((p / force) * (v / speed)).toBeLessThanOrEqual(1e-11);
          const most = friction * p;
          expect(Math.hypot(x, y)).toBeLessThanOrEqual(most + 1e-11 * force);
          // What is lost is the most that friction can take.
          expect((x * a + y * b + most * Math.hypot(a, b)) / (force * speed)).toBeLessThanOrEqual(1e-10);
        }
      },
    ),
    { numRuns: 200 },
  );
});
