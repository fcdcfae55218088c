/** Stacks and rows of rigid boxes: the motion is that of time stepping, which knows no modes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../runs.ts';
import { type Block, stepped } from './planar.ts';
import { expectCones, expectMomentum, still, textOf } from './pushed.ts';
import { g, near } from './rigidnotation.ts';
import { telling } from './told.ts';

const lengths = fc.constantFrom(0.1, 0.15, 0.2, 0.3);
const piles = fc.record({
  friction: fc.constantFrom(0, 0.1, 0.2, 0.3, 0.5),
  sizes: fc.array(fc.tuple(lengths, lengths, fc.constantFrom(0.2, 1, 2, 5)), { minLength: 2, maxLength: 3 }),
  isRow: fc.boolean(),
  pushed: fc.nat(2),
  by: fc.constantFrom(-1, -0.6, -0.3, 0.1, 0.3, 0.6, 1),
  from: fc.constantFrom(0, 0.05),
  fast: fc.constantFrom(0, 0, 1, -0.3),
});

test('stacks and rows that are pushed move as in time steps, by forces that there can be', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(piles, async ({ friction, sizes, isRow, pushed, by, from, fast }) => {
      const weight = g * sizes.reduce((sum, [, , m]) => sum + m, 0);
      const index = pushed % sizes.length;
      let [x, y] = [0, 0];
      const blocks = sizes.map(([lx, ly, m], k): Block => {
        if (isRow && k > 0) x += lx / 2;
        const block = {
          ...still,
          m,
          lx,
          ly,
          x,
          y: isRow ? ly / 2 : y + ly / 2,
          vx: k === 0 ? fast : 0,
          push: (t: number) => [k === index && t >= from ? by * weight : 0, 0] as const,
        };
        if (isRow) x += lx / 2;
        else y += ly;
        return block;
      });
      const force = `WorldForce push(object = "b${index}", f = {if time >= ${from} then ${by * weight} else 0, 0, 0});`;
      const { result, told } = await telling([textOf(blocks, friction, force)], {
        stopTime: 0.12,
        tolerance: 1e-8,
      });
      expectCones(result, friction, weight);
      expectMomentum(result, blocks, weight);
      // What cannot be decided ends with a message, and is right up to there.
      for (const { severity, message } of told)
        if (severity === 'error')
          expect(message).toMatch(/^No forces of contact and friction were found with which `/);
      if (result.status !== 'done') return;
      const expected = stepped(blocks, friction, g, 0.12);
      for (const [k, { x, y, a }] of expected.entries()) {
        near(result.table.value(`b${k}.r[1]`, 0.12), x, 1e-3);
        near(result.table.value(`b${k}.r[2]`, 0.12), y, 1e-3);
        near(result.table.value(`b${k}.angles[3]`, 0.12), a, 1e-2);
      }
    }),
    { numRuns: runsOf(12) },
  );
});
