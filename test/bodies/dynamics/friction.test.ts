/** The law of Coulomb at points, and what friction of several points can hold. */
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
