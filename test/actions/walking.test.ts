/** A robot that walks: it holds on with one foot and sets the other one. The example is the model; footprints are 0.2 m apart. */
import { expect, test } from 'vitest';
import { type AnyModel, loadModel, type SimulationResult, simulate } from '../../src/index.ts';

const stride = 0.2;
const steps = 3;
/** Joints turn with at most 2 rad/s and 8 rad/s2: an ankle by 0.15 rad, which lifts a foot, and all of them from stand to stand. */
const lift = 2 * Math.sqrt(0.15 / 8);
const turn = Math.acos(0.05 / 0.2) - Math.acos(0.15 / 0.2);
const over = turn / 2 + 2 / 8;
const settle = 1;
const once = lift + over + lift + settle;

const feet = { first: 'foot1', second: 'foot2.body' } as const;
const at = ({ table }: SimulationResult, foot: keyof typeof feet, time: number) =>
  [1, 2, 3].map((k) => table.value(`${feet[foot]}.r[${k}]`, time));

test('it holds on with one foot and sets the other one, again and again', async () => {
  const example = (await import(`../../examples/typescript/${'walking'}.mjs`)) as { Walking: AnyModel };
  const result = await simulate(loadModel(example.Walking), { stopTime: 15, tolerance: 1e-8 });
  expect(result.diagnostics).toEqual([]);
  expect(result.status).toBe('done');
  // Angle, speed and controller of four joints; nothing else moves, on whichever foot it stands.
  expect(result.segments.map(({ states }) => states)).toEqual(Array(2 * steps + 1).fill(12));
  for (const [k, { from }] of result.segments.entries()) expect(from).toBeCloseTo(k * once, 9);
  for (const [k, { from, to }] of result.segments.entries()) {
    const held = k % 2 === 0 ? 'first' : 'second';
    const other = k % 2 === 0 ? 'second' : 'first';
    const footprint = k % 2 === 0 ? k / 2 : (k + 3) / 2;
    const set = k % 2 === 0 ? footprint + 1 : footprint - 2;
    const begin = at(result, held, from);
    // A foot that is held stays where it is, and that is on its footprint.
    for (let n = 0; n <= 20; n++) {
      const time = from + ((to - from) * n) / 20;
      for (const [i, value] of at(result, held, time).entries())
        expect(Math.abs(value - begin[i]!)).toBeLessThan(1e-12);
    }
    for (const [i, value] of [footprint * stride, 0, 0].entries()) {
      expect(Math.abs(begin[i]! - value)).toBeLessThan(1e-7);
      expect(Math.abs(at(result, other, from)[i]! - (i === 0 ? set * stride : value))).toBeLessThan(1e-7);
    }
    // The other one is in the air on its way.
    if (k < 2 * steps) expect(at(result, other, from + lift + over / 2)[1]!).toBeGreaterThan(0.03);
  }
  const { foot1, foot2 } = { foot1: at(result, 'first', 15), foot2: at(result, 'second', 15) };
  expect(foot1[0]).toBeCloseTo(steps * stride, 7);
  expect(foot2[0]).toBeCloseTo((steps + 1) * stride, 7);
});
