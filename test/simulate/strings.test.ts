/** Strings that swing slowly, in more masses than the motion needs: what is said of a method that was chosen by hand. */
import { expect, test } from 'vitest';
import type { Method } from '../../src/index.ts';
import { done } from './notation.ts';

/** In its slowest mode; as arrays, or as variables of their own. */
function swinging(n: number, asArrays: boolean): string {
  const x = (i: number): string => (i < 1 || i > n ? '0' : asArrays ? `x[${i}]` : `x${i}`);
  if (asArrays)
    return `model Swinging
      Real x[${n}](start = {sin(3.141592653589793*i/${n + 1}) for i in 1:${n}}, each fixed = true);
      Real v[${n}](each start = 0, each fixed = true);
    equation
      der(x) = v;
      for i in 1:${n} loop
        der(v[i]) = ${(n + 1) ** 2}*((if i > 1 then x[i - 1] else 0) - 2*x[i] + (if i < ${n} then x[i + 1] else 0));
      end for;
    end Swinging;`;
  const each = (write: (i: number) => string): string =>
    Array.from({ length: n }, (_, i) => write(i + 1)).join('\n');
  return `model Swinging
    ${each((i) => `Real x${i}(start = ${Math.sin((Math.PI * i) / (n + 1))}, fixed = true), v${i}(start = 0, fixed = true);`)}
  equation
    ${each((i) => `der(x${i}) = v${i}; der(v${i}) = ${(n + 1) ** 2}*(${x(i - 1)} - 2*${x(i)} + ${x(i + 1)});`)}
  end Swinging;`;
}

async function warnings(text: string, method: Method, tolerance = 1e-6) {
  const { diagnostics } = await done(text, { stopTime: 10, method, tolerance });
  return diagnostics.filter(({ code }) => code === 'fast-oscillation');
}

test.each([true, false])('rk tells once what it makes grow, and where; as arrays: %s', async (asArrays) => {
  const [first, ...others] = await warnings(swinging(30, asArrays), 'rk');
  expect(others).toEqual([]);
  expect(first?.severity).toBe('warning');
  // The fastest frequency is 62.
  expect(first?.message).toMatch(/The steps of rk .* period of about 0\.1 s .* v\D*\d+\D* moves most/);
  expect(first?.span).toBeDefined();
});

test('nothing is told of other methods, nor of steps that are short enough', async () => {
  for (const method of ['auto', 'radau', 'bdf'] as const)
    expect(await warnings(swinging(30, false), method)).toEqual([]);
  expect(await warnings(swinging(3, false), 'rk')).toEqual([]);
});
