/** Ranges and what is computed of arrays mean the same wherever they stand: in sizes, parameters, equations and functions, interpreted and compiled. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { done, run } from './notation.ts';

/** A range of decimal fractions, as text, with its elements in exact arithmetic. */
const range = fc
  .record({
    first: fc.integer({ min: -300, max: 300 }),
    step: fc.integer({ min: -60, max: 60 }).filter((s) => s !== 0),
    turns: fc.integer({ min: -3, max: 12 }),
    rest: fc.integer({ min: 0, max: 100 }),
    digits: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ first, step, turns, rest, digits }) => {
    const last = first + turns * step + Math.trunc((step * rest) / 101);
    const text = (k: number): string => (digits === 0 ? String(k) : (k / 10 ** digits).toFixed(digits));
    const values: number[] = [];
    for (let k = first; step > 0 ? k <= last : k >= last; k += step) values.push(k / 10 ** digits);
    return { bounds: [first, step, last].map(text) as [string, string, string], values };
  });

const model = ([first, step, last]: readonly string[]): string => {
  const literal = `${first}:${step}:${last}`;
  return `model M
    function f
      input Real a; input Real b; input Real c;
      output Real total = 0; output Real turns = 0;
    algorithm
      for x in a:b:c loop
        total := total + x;
        turns := turns + 1;
      end for;
    end f;
    function turns
      input Real a; input Real b; input Real c;
      output Real n = 0;
    algorithm
      for x in a:b:c loop
        n := n + 1;
      end for;
    end turns;
    function g
      input Real v[:];
      output Real total = sum(v);
      output Real least = min(v);
      output Real turns = size(v, 1);
    algorithm
    end g;
    parameter Real a = ${first};
    parameter Real b = ${step};
    parameter Real c = ${last};
    parameter Real R[:] = ${literal};
    parameter Real P[:] = a:b:c;
    Real sized[size(${literal}, 1)](each start = 1, each fixed = true);
    parameter Real n[:] = {size(R, 1), size(P, 1), size(sized, 1), size(a:b:c, 1), turns(a, b, c)};
    parameter Real s[:] = {sum(R), sum(P), sum(${literal}), sum(x for x in a:b:c), f(a, b, c), sum({x for x in ${literal}})};
    parameter Real low[:] = {min(R), min(P), min(${literal}), min(x for x in a:b:c), min({x for x in ${literal}})};
    parameter Real high[:] = {max(R), max(x for x in a:b:c), max({x for x in ${literal}})};
    parameter Real p[:] = {product(R), product(x for x in ${literal})};
    Real ns[3] = {size(a:b:c, 1), gN, hN};
    Real ss[5] = {sum(R) + 0*time, sum(a:b:c), sum(x + 0*time for x in ${literal}), gS, hS};
    Real lows[3] = {min(P), min(x for x in R), gL};
    Real gS, gN, gL, hS, hN;
    Real hit(start = 0, fixed = true);
  equation
    for i in 1:size(sized, 1) loop der(sized[i]) = 0; end for;
    der(hit) = 1;
    (gS, gL, gN) = g(R);
    (hS, hN) = f(a + 0*hit, b, c + 0*hit);
  end M;`;
};

describe('ranges and reductions', () => {
  test('are the same everywhere', async () => {
    await fc.assert(
      fc.asyncProperty(range, fc.boolean(), async ({ bounds, values }, interpret) => {
        const { table } = await done(model(bounds), { stopTime: 1, intervals: 1, interpret });
        const last = (name: string, count: number): number[] =>
          Array.from({ length: count }, (_, k) => table.get(`${name}[${k + 1}]`).at(-1)!);
        const near = (found: readonly number[], expected: number): void => {
          for (const [k, x] of found.entries())
            expect(Math.abs(x - expected), `${k}`).toBeLessThan(1e-9 * Math.max(1, Math.abs(expected)));
        };
        near(last('n', 5), values.length);
        near(last('ns', 3), values.length);
        const total = values.reduce((x, y) => x + y, 0);
        near(last('s', 6), total);
        near(last('ss', 5), total);
        near(
          last('p', 2),
          values.reduce((x, y) => x * y, 1),
        );
        near(last('low', 5), Math.min(Number.MAX_VALUE, ...values));
        near(last('lows', 3), Math.min(Number.MAX_VALUE, ...values));
        near(last('high', 3), Math.max(-Number.MAX_VALUE, ...values));
      }),
      { numRuns: 25 },
    );
  });

  test('with the bound between two roundings', async () => {
    const { table } = await done(model(['0', '0.1', '0.99999999995']), { stopTime: 1, intervals: 1 });
    for (const k of [1, 2, 3, 4, 5]) expect(table.get(`n[${k}]`).at(-1)).toBe(10);
    for (const k of [1, 2, 3, 4, 5, 6]) expect(table.get(`s[${k}]`).at(-1)).toBeCloseTo(4.5, 12);
  });

  test('a step of zero is told, wherever it comes from', async () => {
    for (const interpret of [false, true]) {
      const { status, diagnostics } = await run(
        `model M
          function f input Real s; output Real y = 0; algorithm for x in 1:s:3 loop y := y + x; end for; end f;
          Real y = f(if time < 0.5 then 1 else 0);
        end M;`,
        { stopTime: 1, interpret },
      );
      expect(status).toBe('failed');
      expect(diagnostics[0]).toMatchObject({ code: 'bad-evaluation' });
      expect(diagnostics[0]!.message).toMatch(/step of a range in .*f is zero/);
    }
  });
});

describe('iterators over lists', () => {
  test('take equal and nearly equal elements as often as they are there', async () => {
    const { table } = await done(
      `model M
        parameter Real v[2] = {0.3, 0.3};
        Real a = sum(time*x for x in {2, 2});
        Real b = sum(time*x for x in v);
        Real c[3] = {time + i for i in {1, 1, 1}};
        Real d = sum(time for x in {1, 1.0000000000000002});
      end M;`,
      { stopTime: 1, intervals: 1 },
    );
    const last = ['a', 'b', 'c[1]', 'c[2]', 'c[3]', 'd'].map((name) => table.value(name, 1));
    expect(last).toEqual([4, 0.6, 2, 2, 2, 2]);
  });
});
