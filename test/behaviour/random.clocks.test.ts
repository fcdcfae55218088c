/** Laws of clocks on random models: ticks and values of any tree of clock operators are those of rational arithmetic. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameWhenPrinted } from './printed.ts';
import { cases, law, patience, succeed } from './random.ts';

/** An operator applied to an earlier clock of the list. */
interface Step {
  readonly op: 'subSample' | 'superSample' | 'shiftSample' | 'backSample';
  readonly parent: number;
  readonly n: number;
  readonly resolution: number;
}

interface Tree {
  readonly interval: readonly [number, number];
  readonly steps: readonly Step[];
}

/** A clock as integers over one denominator: ticks at (offset + k period) / denominator. */
interface Timing {
  readonly period: bigint;
  readonly offset: bigint;
  readonly denominator: bigint;
}

const stopTime = 3;

const tree: fc.Arbitrary<Tree> = fc
  .record({
    interval: fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 2, max: 30 })),
    steps: fc.array(
      fc.record({
        op: fc.constantFrom('subSample', 'superSample', 'shiftSample', 'backSample'),
        parent: fc.nat(9),
        n: fc.integer({ min: 1, max: 5 }),
        resolution: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ interval, steps }) => ({
    interval,
    steps: steps.map((step, k) => ({ ...step, parent: step.parent % (k + 1) })),
  }))
  .filter((data) => timings(data).every(({ offset }) => offset >= 0n));

function timings({ interval: [n, d], steps }: Tree): Timing[] {
  const result: Timing[] = [{ period: BigInt(n), offset: 0n, denominator: BigInt(d) }];
  for (const { op, parent, n: count, resolution } of steps) {
    const { period, offset, denominator } = result[parent]!;
    const k = BigInt(count);
    const r = BigInt(resolution);
    switch (op) {
      case 'subSample':
        result.push({ period: period * k, offset, denominator });
        break;
      case 'superSample':
        result.push({ period, offset: offset * k, denominator: denominator * k });
        break;
      case 'shiftSample':
        result.push({ period: period * r, offset: offset * r + k * period, denominator: denominator * r });
        break;
      case 'backSample':
        result.push({ period: period * r, offset: offset * r - k * period, denominator: denominator * r });
        break;
    }
  }
  return result;
}

const modelOf = ({ interval, steps }: Tree): string => {
  const call = ({ op, n, resolution, parent }: Step, what: string) =>
    `${op}(${what}${parent}, ${n}${op.startsWith('su') ? '' : `, ${resolution}`})`;
  const all = [`Clock(${interval[0]}, ${interval[1]})`, ...steps.map((step) => call(step, 'c'))];
  return `model M
${all.map((text, k) => `  Clock c${k} = ${text}; Integer n${k}(start = 0), y${k}(start = 0);`).join('\n')}
equation
  when c0 then y0 = previous(y0) + 1; end when;
${steps.map((step, k) => `  y${k + 1} = ${call(step, 'y')};`).join('\n')}
${all.map((_, k) => `  when c${k} then n${k} = previous(n${k}) + 1; end when;`).join('\n')}
end M;`;
};

/** Numerators of the ticks up to the stop time. */
function ticksOf({ period, offset, denominator }: Timing): bigint[] {
  const ticks: bigint[] = [];
  for (let t = offset; t <= BigInt(stopTime) * denominator; t += period) ticks.push(t);
  return ticks;
}

/** Values of each clock's variable at its ticks: that of its parent at the last tick not after it. */
function valuesOf({ steps }: Tree, all: readonly Timing[]): number[][] {
  const values: number[][] = [ticksOf(all[0]!).map((_, k) => k + 1)];
  for (const [k, { parent }] of steps.entries()) {
    const own = all[k + 1]!;
    const source = all[parent]!;
    const ticks = ticksOf(source);
    values.push(
      ticksOf(own).map((t) => {
        const passed = ticks.filter((s) => s * own.denominator <= t * source.denominator).length;
        return passed === 0 ? 0 : values[parent]![passed - 1]!;
      }),
    );
  }
  return values;
}

describe('clocks', () => {
  test(
    'trees of operators tick and hold values as rational arithmetic says',
    () =>
      law(cases(tree, modelOf), 60, async ({ text, data }) => {
        const { table } = await succeed(text, { stopTime, intervals: 1 });
        const all = timings(data);
        const values = valuesOf(data, all);
        for (const [k, clock] of all.entries()) {
          const n = table.get(`n${k}`);
          const y = table.get(`y${k}`);
          const rows = [...n.keys()].filter((i) => (i === 0 ? n[0] === 1 : n[i] !== n[i - 1]));
          const expected = ticksOf(clock).map((t) => Number(t) / Number(clock.denominator));
          expect(rows.map((i) => table.time[i])).toEqual(expected);
          expect(rows.map((i) => y[i])).toEqual(values[k]);
        }
      }),
    patience,
  );

  test(
    'trees of operators are printed as texts that have their results',
    () => law(cases(tree, modelOf), 15, ({ text }) => sameWhenPrinted(text, stopTime)),
    patience,
  );
});
