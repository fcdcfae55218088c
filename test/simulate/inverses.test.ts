/** `annotation(inverse(…))` of functions: who computes an argument, and where Newton's method does. */
import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

/** A function without formula for its argument: u + u^2 + u^3; `inverse` is what its annotation says. */
const polynomial = (inverse: string, more = ''): string => `
function p input Real u; input Real k = 1; output Real y; algorithm y := 0; for i in 1:3 loop y := y + k*u^i; end for;
  annotation(Inline = false, inverse(${inverse})); end p;
function q input Real y; input Real k = 1; output Real u;
algorithm u := 0; for i in 1:100 loop u := u - (u + u^2 + u^3 - y/k)/(1 + 2*u + 3*u^2); end for;
  annotation(Inline = false, inverse(y = p(u, k))); end q;
function half input Real y; input Real k; output Real u; algorithm u := y/2; annotation(Inline = false); end half;
${more}`;

const value = (u: number): number => u + u ** 2 + u ** 3;

describe('an inverse', () => {
  test('solves equations with a call, behind operators and other calls too', async () => {
    const { table } = await done(
      `${polynomial('u = q(y, k)')} model M Real x; Real z; Real w; equation p(x, 2) = time; 3*p(2*z, 1) + 1 = time; q(w) = time; end M;`,
      { stopTime: 2 },
    );
    close(value(table.value('x', 2)), 1);
    close(value(2 * table.value('z', 2)), 1 / 3);
    close(table.value('w', 2), value(2));
  });

  test('is believed', async () => {
    const { table } = await run(
      `${polynomial('u = half(y, k)')} model M Real x; equation p(x, 1) = time; end M;`,
      // What the annotation says is wrong.
      { stopTime: 1, audit: false },
    );
    expect(table.value('x', 1)).toBe(0.5);
  });

  test('solves equations on clocks and in loops', async () => {
    const { table } = await done(
      `${polynomial('u = q(y, k)')} model M Real s, x, z[3]; equation s = sample(time, Clock(1, 10)); p(x, 2) = s; for i in 1:3 loop p(z[i], 1) = i*time; end for; end M;`,
      { stopTime: 1 },
    );
    close(value(table.value('x', 1)), 0.5);
    for (const i of [1, 2, 3]) close(value(table.value(`z[${i}]`, 1)), i);
    const believed = await run(
      `${polynomial('u = half(y, k)')} model M Real s, x, z[3]; equation s = sample(time, Clock(1, 10)); p(x, 1) = s; for i in 1:3 loop p(z[i], 1) = i*time; end for; end M;`,
      // What the annotation says is wrong.
      { stopTime: 1, audit: false },
    );
    expect(believed.table.value('x', 1)).toBe(0.5);
    expect(believed.table.value('z[3]', 1)).toBe(1.5);
  });

  test.each([
    ['of another input', 'k = half(y, u)'],
    ['by a function that does not exist', 'u = nobody(y, k)'],
    ['by a function of the argument itself', 'u = half(u, k)'],
    ['without the output', 'u = half(k, k)'],
    ['of an input that does not exist', 'v = half(y, k)'],
    ['by a function with other arguments', 'u = half(y)'],
    ['by something else', 'u = 3'],
  ])('%s is left alone', async (_, inverse) => {
    const { table, diagnostics } = await done(
      `${polynomial(inverse)} model M Real x; equation p(x, 1) = time; end M;`,
      { stopTime: 1 },
    );
    close(value(table.value('x', 1)), 1);
    expect(diagnostics.map((one) => one.message)).toEqual([]);
  });

  test('is not used where the unknown is in two arguments', async () => {
    const { table } = await done(
      `${polynomial('u = half(y, k)')} model M Real x(start = 1); equation p(x, x) = 3 + time; end M;`,
      { stopTime: 0 },
    );
    close(table.value('x', 0), 1);
  });
});
