/** The table of built-in functions: what a row says holds wherever the function is called. */
import { describe, expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';
import { intrinsics } from '../../src/symbolic/intrinsics.ts';

/** Functions of numbers, with arguments and what they give there. */
const known: Readonly<Record<string, readonly [args: readonly number[], value: number]>> = {
  sin: [[0.5], Math.sin(0.5)],
  cos: [[0.5], Math.cos(0.5)],
  tan: [[0.5], Math.tan(0.5)],
  asin: [[0.5], Math.PI / 6],
  acos: [[0.5], Math.PI / 3],
  atan: [[1], Math.PI / 4],
  sinh: [[0.5], (Math.exp(0.5) - Math.exp(-0.5)) / 2],
  cosh: [[0.5], (Math.exp(0.5) + Math.exp(-0.5)) / 2],
  tanh: [[0.5], (Math.E - 1) / (Math.E + 1)],
  exp: [[0.5], Math.sqrt(Math.E)],
  log: [[2], Math.LN2],
  log10: [[1000], 3],
  sqrt: [[2.25], 1.5],
  atan2: [[-1, -1], (-3 * Math.PI) / 4],
  abs: [[-1.5], 1.5],
  sign: [[-1.5], -1],
  floor: [[-1.5], -2],
  ceil: [[-1.5], -1],
  integer: [[-1.5], -2],
  div: [[-7, 2], -3],
  mod: [[-7, 2], 1],
  rem: [[-7, 2], -1],
};

describe('functions of numbers', () => {
  test('are all tried here', () => {
    const numeric = [...intrinsics].filter(([, row]) => row.numeric).map(([name]) => name);
    expect(numeric.sort()).toEqual(Object.keys(known).sort());
  });

  test('have one value as size, parameter, equation, and element by element', async () => {
    const lines = Object.entries(known).map(([name, [args, value]]) => {
      const call = `${name}(${args.join(', ')})`;
      // `one` is a variable that stays 1, so that the equation is compiled.
      const compiled = `${name}(${args.map((x) => `${x}*one`).join(', ')})`;
      const arrays = `${name}(${args.map((x) => `{${x}*one, ${x}}`).join(', ')})`;
      return `parameter Real p_${name} = ${call};
        Real s_${name}[if abs(${call} - (${value})) < 1e-12 then 1 else 2] = fill(time, size(s_${name}, 1));
        Real y_${name} = ${compiled};
        Real v_${name}[:] = ${arrays};`;
    });
    const text = `model M Real one(start = 1, fixed = true); ${lines.join('\n')} equation der(one) = 0; end M;`;
    const { status, table } = await simulate(loadModel(text), { stopTime: 1, intervals: 1 });
    expect(status).toBe('done');
    for (const [name, [, value]] of Object.entries(known)) {
      for (const signal of [`p_${name}`, `y_${name}`, `v_${name}[1]`, `v_${name}[2]`])
        expect(table.value(signal, 1), signal).toBeCloseTo(value, 12);
      expect(table.names.filter((one) => one.startsWith(`s_${name}[`))).toHaveLength(1);
    }
  });
});
