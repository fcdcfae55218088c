/** Springs and ropes: they reach from one end to the other, at all times. */
import { describe, expect, it, test } from 'vitest';
import { type Link, linkNode } from '../../src/animation/links.ts';
import { animationOf } from '../../src/animation/recorded.ts';
import { poseAt, sceneOf } from '../../src/animation/scene.ts';
import { run } from '../models/notation.ts';
import { animation } from './scenes.ts';

const ends = (...rows: (readonly [number, number, number])[]): Float64Array => Float64Array.from(rows.flat());

/** The lowest and the highest point of the shape along its axis, in the world. */
function reach(link: Link, times: readonly number[], time: number): number[][] {
  const scene = sceneOf(animation(times, [linkNode(link)]));
  const node = scene.nodes[0]!;
  const { position, rotation, scale } = poseAt(scene.times, node, time);
  const { positions } = scene.shapes[node.shape!]!;
  const heights = Array.from({ length: positions.length / 3 }, (_, i) => positions[3 * i + 2]!);
  const [w, x, y, z] = rotation;
  return [Math.min(...heights), Math.max(...heights)].map((height) => {
    const length = height * scale[2];
    // The third column of the matrix of a quaternion.
    const axis = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    return position.map((value, k) => value + length * axis[k]!);
  });
}

const close = (a: readonly number[], b: readonly number[]): void => {
  for (const [k, value] of b.entries()) expect(a[k]).toBeCloseTo(value, 5);
};

describe('what stretches between two places', () => {
  const from = ends([0, 0, 0], [1, 0, 0], [1, 0, 0]);
  const to = ends([0, 0, 2], [1, 3, 4], [1, 0, -1]);

  it.each([undefined, 0, 1.5])('reaches from one to the other, with a length of %s without force', (rest) => {
    const link = { name: 'it', from, to, rest };
    for (const [row, time] of [0, 1, 2].entries()) {
      const [low, high] = reach(link, [0, 1, 2], time);
      close(low!, [...from.subarray(3 * row, 3 * row + 3)]);
      close(high!, [...to.subarray(3 * row, 3 * row + 3)]);
    }
  });

  it('is a coil that stretches in its length alone, or a thin line', () => {
    const node = linkNode({ name: 'it', from, to, rest: 1 });
    expect(Array.from(node.scales!)).toEqual([1, 1, 2, 1, 1, 5, 1, 1, 1]);
    const width = (rest: number | undefined): number => {
      const { geometry } = linkNode({ name: 'it', from, to, rest });
      if (!geometry || 'kind' in geometry) throw new Error('A link has triangles.');
      return Math.max(...geometry.positions.filter((_, i) => i % 3 === 0));
    };
    expect(width(1)).toBeGreaterThan(5 * width(undefined));
  });

  it('has a direction where its ends meet, and is not seen where it has none', () => {
    const meeting = { name: 'it', from: ends([0, 0, 0], [0, 0, 0]), to: ends([1, 0, 0], [0, 0, 0]), rest: 1 };
    close(reach(meeting, [0, 1], 1)[0]!, [0, 0, 0]);
    const nan = Number.NaN;
    const gone = linkNode({ ...meeting, to: ends([1, 0, 0], [nan, nan, nan]) });
    expect(Array.from(gone.visible!)).toEqual([1, 0]);
    expect(() => sceneOf(animation([0, 1], [gone]))).not.toThrow();
  });

  it('does not twist when it turns over', () => {
    // Half a turn about x in small steps, through the direction opposite to where it began.
    const angles = Array.from({ length: 41 }, (_, i) => (i * Math.PI) / 20);
    const own = linkNode({
      name: 'it',
      from: ends(...angles.map(() => [0, 0, 0] as const)),
      to: ends(...angles.map((angle) => [0, Math.sin(angle), Math.cos(angle)] as const)),
      rest: 1,
    });
    for (let row = 0; row < angles.length; row++)
      for (const k of [2, 3]) expect(own.rotations[4 * row + k]).toBeCloseTo(0, 12);
  });
});

test('springs and ropes of a model are seen, also those that begin at the world', async () => {
  const result = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Box box(mass = 1);
    Prismatic guide(obj1 = "world", obj2 = "box", axis = {1, 0, 0}, s0 = 3);
    SpringDamper spring(obj1 = "world", obj2 = "box", c = 4, length0 = 2);
    PointToPoint rope(obj1 = "box", obj2 = "world", force = 0);`,
    1,
  );
  const scene = sceneOf(animationOf(result)!);
  const node = (name: string) => scene.nodes.find((one) => one.name === name)!;
  // It swings about its length without force with 2 rad/s: 2 + cos(2 t).
  for (const t of [0, 0.2, 1]) {
    const { scale, position } = poseAt(scene.times, node('spring'), t);
    expect(2 * scale[2]).toBeCloseTo(2 + Math.cos(2 * t), 5);
    expect(position[0]).toBeCloseTo((2 + Math.cos(2 * t)) / 2, 5);
  }
  expect(node('rope').shape).not.toBe(node('spring').shape);
  // The spring pulls the box, which the world does not feel.
  const arrows = animationOf(result)!.arrows!.filter(({ name }) => name === 'spring');
  expect(arrows).toHaveLength(1);
  expect(arrows[0]!.vectors[0]).toBeCloseTo(-4, 6);
});
