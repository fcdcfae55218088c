/** What always equals a state, or any other variable, is its alias in the results: one column under several names. */
import { describe, expect, test } from 'vitest';
import { chooseSignals } from '../../src/results/plot/choose.ts';
import { done } from './notation.ts';

/** `name` and its aliases, a sign in front of negatives. */
async function classOf(text: string, name: string): Promise<string[]> {
  const { table } = await done(text);
  for (const { name: other, sign } of table.aliases(name))
    for (const time of [0, 0.3, 1]) expect(table.value(other, time)).toBe(sign * table.value(name, time));
  return table.aliases(name).map(({ name: other, sign }) => (sign < 0 ? `-${other}` : other));
}

describe('what equals a state is its alias', () => {
  test('however it is written, at the top of the model and in components', async () => {
    const text = `
      model Part Real u, v; equation v = u; end Part;
      model M
        Part p;
        Real x(start = 1, fixed = true), a = x, b, c, d[2] = {x, b}, e = 2*x;
        output Real o;
      equation
        der(x) = -x;
        b = a;
        c + x = 0;
        o = b;
        p.u = x;
      end M;`;
    expect(await classOf(text, 'x')).toEqual(['p.u', 'p.v', 'a', 'b', '-c', 'd[1]', 'd[2]', 'o']);
    expect(await classOf(text, 'e')).toEqual([]);
  });

  test('in loops, and from there in scalars', async () => {
    const text = `
      model M
        parameter Integer n = 20;
        Real T[n](start = 1:n, each fixed = true), U[n] = T, V[n];
        Real z = T[3], q = -U[4], s = T[3] + T[4];
        output Real o = der(T[5]);
      equation
        der(T) = -T;
        V = -U;
      end M;`;
    expect(await classOf(text, 'T[3]')).toEqual(['U[3]', '-V[3]', 'z']);
    expect(await classOf(text, 'T[4]')).toEqual(['U[4]', '-V[4]', '-q']);
    expect(await classOf(text, 'der(T[5])')).toEqual(['o']);
    expect(await classOf(text, 's')).toEqual([]);
  });

  test('but not where it is so in some modes only', async () => {
    const text = `
      model M
        Real x(start = 1, fixed = true), y;
      equation
        der(x) = -1;
        if time < 0.5 then y = x; else y = 2*x; end if;
      end M;`;
    expect(await classOf(text, 'x')).toEqual([]);
  });

  test('and is plotted under its own name where it is an output of the model', async () => {
    const { table } = await done(`
      model M
        Real x(start = 1, fixed = true);
        output Real o = x;
      equation
        der(x) = -x;
      end M;`);
    expect(chooseSignals(table)).toEqual(['x', 'o']);
  });
});
