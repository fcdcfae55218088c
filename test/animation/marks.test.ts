/** How long arrows are drawn. */
import { expect, test } from 'vitest';
import type { AnimatedArrow } from '../../src/animation/animation.ts';
import { usualSize } from '../../src/animation/player/marks.ts';
import { sceneOf } from '../../src/animation/scene.ts';
import { animation, cube } from './scenes.ts';

const force = (name: string, sizes: readonly number[]): AnimatedArrow => ({
  name,
  kind: 'force',
  origins: [0, 0, 0],
  vectors: sizes.flatMap((size) => [size, 0, 0]),
});

const usual = (times: readonly number[], ...arrows: AnimatedArrow[]): number =>
  usualSize(sceneOf(animation(times, [cube('a')], { arrows })), 'force');

test('the longest arrow is that of the largest force', () => {
  expect(usual([0, 1, 2, 3], force('a', [1, 2, 5, 3]), force('b', [4]))).toBe(5);
  expect(usual([0, 1, 2, 3], force('a', [1, 2, 3, 3]), force('b', [4]))).toBe(4);
  expect(usual([0, 1], force('a', [0, 0]))).toBe(0);
});

test('an impact does not make all other arrows short', () => {
  const times = [0, 0.5, 0.501, 0.502, 1];
  expect(usual(times, force('a', [2, 2, 3000, 2, 2]))).toBe(2);
  // It is the whole time in which this one acts.
  expect(usual(times, force('a', [0, 0, 3000, 0, 0]))).toBe(3000);
});
