/** Elements that equal others are aliases in the results, and take no room. */

import { describe, expect, it } from 'vitest';
import { withFields } from '../../src/fields/index.ts';
import { loadModel, type SignalTable, simulate } from '../../src/index.ts';
import { chooseSignals } from '../../src/results/plot/choose.ts';

async function run(text: string, model: string): Promise<SignalTable> {
  const flat = loadModel(text, model);
  // What is tested here is not what scalars have anyway.
  expect(withFields(flat).components.map(({ arrays }) => arrays !== undefined)).toEqual([true]);
  const result = await simulate(flat, { stopTime: 1, intervals: 4 });
  expect(result.status).toBe('done');
  return result.table;
}

const chain = `
  connector Port Real T; flow Real q; end Port;
  model Cell Port a; Port b; parameter Real C = 1; parameter Real G = 2; Real T(start = 300);
  equation C*der(T) = a.q + b.q; a.q = G*(a.T - T); b.q = G*(b.T - T); end Cell;
  model Fixed Port p; parameter Real T; equation p.T = T; end Fixed;
  model Rod Cell c[50](T(start = linspace(300, 400, 50))); Fixed left(T = 300), right(T = 350);
  equation connect(left.p, c[1].a); for i in 1:49 loop connect(c[i].b, c[i + 1].a); end for; connect(c[50].b, right.p); end Rod;`;

describe('a chain of components', () => {
  it('has the same potential on both sides of a connection, and the negative flow', async () => {
    const table = await run(chain, 'Rod');
    for (const i of [1, 17, 49]) {
      expect(table.aliases(`c[${i + 1}].a.T`)).toEqual([{ name: `c[${i}].b.T`, sign: 1 }]);
      expect(table.aliases(`c[${i + 1}].a.q`)).toEqual([{ name: `c[${i}].b.q`, sign: -1 }]);
      expect([...table.get(`c[${i}].b.T`)]).toEqual([...table.get(`c[${i + 1}].a.T`)]);
      expect([...table.get(`c[${i}].b.q`)]).toEqual([...table.get(`c[${i + 1}].a.q`).map((q) => -q)]);
    }
    // Between two cells of equal conductance lies the mean of their temperatures.
    const [left, right] = [table.get('c[17].T'), table.get('c[18].T')];
    for (const [row, T] of table.get('c[17].b.T').entries())
      expect(T).toBeCloseTo((left[row]! + right[row]!) / 2, 9);
    expect(table.aliases('c[17].T')).toEqual([]);
  });
});

describe('copies of copies', () => {
  const model = (order: string) => `
    model Line Real v[100]; Real w[100]; equation ${order} for i in 1:100 loop w[i] = -v[i]; end for; end Line;
    model Lines Line l; Real x[100](each start = 1, each fixed = true);
    equation for i in 1:100 loop der(x[i]) = -i*x[i]; end for; ${order.includes('i + 1') ? 'l.v[100] = x[100];' : 'l.v[1] = x[100];'} end Lines;`;

  it.each([
    ['forwards', 'for i in 2:100 loop v[i] = v[i - 1]; end for;'],
    ['backwards', 'for i in 1:99 loop v[i] = v[i + 1]; end for;'],
  ])('are copies of the original, %s', async (_, order) => {
    const table = await run(model(order), 'Lines');
    const aliases = table.aliases('x[100]');
    expect(aliases).toHaveLength(200);
    for (const { name, sign } of aliases) expect(sign).toBe(name.startsWith('l.v') ? 1 : -1);
    const x = [...table.get('x[100]')];
    for (const i of [1, 50, 100]) {
      expect([...table.get(`l.v[${i}]`)]).toEqual(x);
      expect([...table.get(`l.w[${i}]`)]).toEqual(x.map((value) => -value));
    }
  });
});

describe('what stands at the top of a model', () => {
  it('is an alias as well, and an output is plotted under its own name', async () => {
    const table = await run(
      `model Top Real x[30](each start = 1); output Real y[30] = x; Real z[30] = -x;
       equation for i in 1:30 loop der(x[i]) = -x[i]; end for; end Top;`,
      'Top',
    );
    expect(table.aliases('x[3]')).toEqual([
      { name: 'y[3]', sign: 1 },
      { name: 'z[3]', sign: -1 },
    ]);
    expect(table.info('y[3]')?.source).toEqual({ kind: 'alias', of: 'x[3]', sign: 1 });
    expect(chooseSignals(table)).toEqual(expect.arrayContaining(['x[1]', 'y[1]']));
    expect([...table.get('z[3]')]).toEqual([...table.get('x[3]').map((value) => -value)]);
  });
});
