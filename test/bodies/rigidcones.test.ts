/** Rigid bodies that push each other: forces are such as contact and friction can have, and momentum and angles change as they and velocities say. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { type Block, stepped } from './planar.ts';
import { expectCones, expectMomentum, still, textOf } from './pushed.ts';
import { box, g, law, near, precise, world } from './rigidnotation.ts';

describe('three boxes on each other of which the middle one is pushed', () => {
  const friction = 0.2;
  const boxes = (lx: number, force: number): Block[] =>
    [0, 1, 2].map((k) => ({
      ...still,
      m: 1,
      lx,
      ly: 0.2,
      x: 0,
      y: 0.1 + 0.2 * k,
      push: () => [k === 1 ? force : 0, 0],
    }));

  test.each([0.2, 0.3])('stick and slide as friction says, of length %d', async (lx) => {
    const blocks = boxes(lx, 10);
    const result = await run(
      'Bodies',
      textOf(blocks, friction, 'WorldForce push(object = "b1", f = {10, 0, 0});'),
      0.15,
      precise,
    );
    const { table } = result;
    // The highest is drawn along by all the friction there is, the lowest stays.
    near(table.value('b0.r[1]', 0.15), 0, 1e-12);
    near(table.value('b2.v[1]', 0.15), friction * g * 0.15);
    near(table.value('b1.v[1]', 0.15), (10 - 3 * friction * g) * 0.15);
    expectCones(result, friction, 3 * g);
    expect(result.statistics.events).toBeLessThan(12);
  });

  // The middle one slides from the lowest one, tips over its edge, and leaves it with the edge of its own end.
  test.each([
    [0.3, 10],
    [0.2, 30],
  ])('keep their momentum where one leaves another over an edge: length %d, force %d', async (lx, force) => {
    const blocks = boxes(lx, force);
    const result = await run(
      'Bodies',
      textOf(blocks, friction, `WorldForce push(object = "b1", f = {${force}, 0, 0});`),
      0.4,
      {
        tolerance: 1e-8,
      },
    );
    expectCones(result, friction, 3 * g);
    expectMomentum(result, blocks, 3 * g);
  });
});

// Where the boxes end in one plane, edges lie along each other, and cross anywhere.
test('a box that tips over an edge beneath turns as fast as its angular velocity says', async () => {
  const force = -0.6 * 3 * g;
  const blocks = [
    { ...still, m: 1, lx: 0.1, ly: 0.2, x: 0, y: 0.1, vx: -0.3, push: () => [force, 0] as const },
    { ...still, m: 1, lx: 0.1, ly: 0.2, x: 0, y: 0.3 },
    { ...still, m: 1, lx: 0.3, ly: 0.1, x: 0, y: 0.45 },
  ];
  const result = await run(
    'Bodies',
    textOf(blocks, 0.1, `WorldForce push(object = "b0", f = {${force}, 0, 0});`),
    0.1,
    precise,
  );
  const { table } = result;
  for (let row = 1; row < table.rowCount; row++) {
    const step = table.time[row]! - table.time[row - 1]!;
    const turned = table.at('b1.angles[3]', row) - table.at('b1.angles[3]', row - 1);
    near(turned, (step / 2) * (table.at('b1.w[3]', row) + table.at('b1.w[3]', row - 1)), 1e-7);
  }
  expectMomentum(result, blocks, 3 * g);
  near(table.value('b1.angles[3]', 0.1), stepped(blocks, 0.1, g, 0.1)[1]!.a, 1e-4);
});

describe('free boxes that hit face on face', () => {
  const free = world(', gravity = Gravity.none');
  const one = (name: string, x: number, more: string) =>
    box(name, x, 0, [0.2, 0.2, 0.2], `, mass = 2, ${more}`);

  test('come to rest', async () => {
    const { table } = await run(
      'Bodies',
      `${free} ${law(0, 0.3)} ${one('a', -0.3, 'velocity = {1, 0, 0}')} ${one('b', 0.3, 'velocity = {-1, 0, 0}')}`,
      1,
    );
    for (const name of ['a', 'b']) near(table.value(`${name}.v[1]`, 1), 0, 1e-12);
    near(table.value('b.r[1]', 1) - table.value('a.r[1]', 1), 0.2, 1e-10);
  });

  test('go on together, however fast', async () => {
    const { table } = await run(
      'Bodies',
      `${free} ${law(0, 0.3)} ${one('a', -0.3, 'velocity = {101, 50, 3}')} ${one('b', 0.3, 'velocity = {100, 50, 3}')}`,
      1,
    );
    for (const name of ['a', 'b'])
      for (const [i, v] of [100.5, 50, 3].entries()) near(table.value(`${name}.v[${i + 1}]`, 1), v);
  });

  test('turn together afterwards', async () => {
    const { table } = await run(
      'Bodies',
      `${free} ${law(0, 0.9)} ${one('a', -0.3, 'velocity = {1, 0, 0}, angularVelocity = {3, 0, 0}')} ${one('b', 0.3, 'velocity = {-1, 0, 0}')}`,
      1,
    );
    for (const name of ['a', 'b']) near(table.value(`${name}.w[1]`, 1), 1.5);
  });
});
