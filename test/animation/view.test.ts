/** What is in view where no camera is given. */
import { describe, expect, it } from 'vitest';
import type { Triple } from '../../src/animation/animation.ts';
import { framed } from '../../src/animation/framing.ts';
import { sceneOf } from '../../src/animation/scene.ts';
import { type Extent, viewOf } from '../../src/animation/view.ts';
import { animation, cube } from './scenes.ts';

/** A cube of a metre about a place. */
const at = ([x, y, z]: Triple): Extent => ({
  low: [x - 0.5, y - 0.5, z - 0.5],
  high: [x + 0.5, y + 0.5, z + 0.5],
});

const path = (place: (share: number) => Triple): Extent[] =>
  Array.from({ length: 101 }, (_, i) => at(place(i / 100)));

describe('what is in view', () => {
  it('is all that happens', () => {
    const swing = path((share) => [3 * Math.sin(12 * share), 0, 0]);
    const { home, extent, follow } = viewOf([swing, [at([0, 2, 0])]]);
    expect(home).toEqual(extent);
    expect(extent.high[1]).toBe(2.5);
    expect(extent.high[0]).toBeCloseTo(3.5, 2);
    expect(follow).toBeUndefined();
  });

  it('is without a part that is thrown away in the end', () => {
    // It rests for three quarters of the time, and then falls 100 m, of which 4 m in a fifth of that.
    const part = path((share) => [0, -100 * Math.max(0, (share - 0.75) / 0.25) ** 2, 0]);
    const { home, extent, follow } = viewOf([[at([2, 0, 0])], part]);
    expect(extent.low[1]).toBe(-100.5);
    expect(home.low[1]).toBeGreaterThan(-6);
    expect(home.high).toEqual([2.5, 0.5, 0.5]);
    expect(follow).toBeUndefined();
  });

  it('is all of a flight that takes most of the time', () => {
    const { home, extent, follow } = viewOf([[at([0, 0, 0])], path((share) => [50 * share, 0, 0])]);
    expect(home).toEqual(extent);
    expect(follow).toBeUndefined();
  });

  it('is the start where everything flies away, and what gets farthest is followed', () => {
    const slow = path((share) => [0, 100 * share, 0]);
    const fast = path((share) => [0, 1 + 900 * share, 0]);
    const { home, follow } = viewOf([slow, fast]);
    expect(home).toEqual({ low: [-0.5, -0.5, -0.5], high: [0.5, 1.5, 0.5] });
    expect(follow).toBe(1);
  });

  it('is a metre about the origin where nothing is ever seen', () => {
    expect(viewOf([[], [undefined]])).toEqual({
      extent: at([0, 0, 0]),
      home: at([0, 0, 0]),
      follow: undefined,
    });
  });

  it('is never followed where there is a camera, and what the animation follows comes first', () => {
    const away = { positions: [0, 0, 0, 900, 0, 0] };
    const nodes = [cube('a', away), cube('b', { positions: [0, 0, 0, 800, 0, 0] })];
    expect(sceneOf(animation([0, 1], nodes)).follow).toEqual({ node: 0, isNear: false });
    expect(sceneOf(animation([0, 1], nodes, { follow: 'b' })).follow).toEqual({ node: 1, isNear: true });
    const camera = { position: [0, 0, 9], target: [0, 0, 0] } as const;
    expect(sceneOf(animation([0, 1], nodes, { camera })).follow).toBeUndefined();
  });

  it('is seen from farther away where buttons cover a part, by the law of the pinhole', () => {
    // A tall thing: its height decides. A tenth is covered, so nine tenths of the angle remain.
    const tall = sceneOf(animation([], [cube('a'), cube('b', { positions: [0, 50, 0] })]));
    const distance = (covered: number) => {
      const { position, target } = framed(tall, 1, covered);
      return Math.hypot(...position.map((value, k) => value - target[k]!));
    };
    expect(distance(0.1) / distance(0)).toBeGreaterThan(1.08);
    expect(distance(0.1) / distance(0)).toBeLessThan(1.12);
  });

  it('is as wide in narrow pictures as a given camera has it, and exactly what it shows in others', () => {
    const camera = { position: [0, 0, 6], target: [0, 0, 0], fieldOfView: 1 } as const;
    const scene = sceneOf(animation([], [cube('a')], { camera }));
    expect(framed(scene, 1.6).fieldOfView).toBeCloseTo(1, 12);
    const width = (aspect: number) => aspect * Math.tan(framed(scene, aspect).fieldOfView / 2);
    expect(width(0.6)).toBeCloseTo(width(1.2), 12);
  });
});
