/** Arrays of components in simulations: closed solutions, names of elements, values for single elements. */
import { describe, expect, test } from 'vitest';
import { instantiate, type SimulationResult } from '../../src/index.ts';
import { close, done } from './notation.ts';

const thermal = `
  connector Port Real T; flow Real q; end Port;
  model Cell Port a; Port b; parameter Real C = 1; parameter Real G = 2; Real T(start = 1, fixed = true);
  equation C*der(T) = a.q + b.q; a.q = G*(a.T - T); b.q = G*(b.T - T); end Cell;
  model Fixed Port p; parameter Real T = 0; equation p.T = T; end Fixed;`;

const final = ({ table }: SimulationResult, name: string): number => table.get(name)!.at(-1)!;

describe('arrays of components', () => {
  /**
   * Between neighbours of a chain the conductance is G/2, to the fixed ends G. With one half cell more at each end, sin(k π (i - 1/2)/n) is an eigenvector:
   * the differences to the neighbours give 2 sin²(kπ/2n) each, and the ends at zero fit because the wave is odd there.
   */
  test('a chain between fixed temperatures decays like its eigenvector', async () => {
    const n = 12;
    const k = 3;
    const text = `${thermal}\n model M parameter Integer n = ${n}; Cell c[n](T(start = {sin(${k}*3.141592653589793*(i - 0.5)/n) for i in 1:n}));
      Fixed l; Fixed r; equation connect(l.p, c[1].a); for i in 1:n - 1 loop connect(c[i].b, c[i + 1].a); end for; connect(c[n].b, r.p); end M;`;
    const result = await done(text, { stopTime: 0.7 });
    const rate = 2 * (1 - Math.cos((k * Math.PI) / n));
    for (let i = 1; i <= n; i++) {
      const expected = Math.sin((k * Math.PI * (i - 0.5)) / n) * Math.exp(-rate * 0.7);
      expect(Math.abs(final(result, `c[${i}].T`) - expected)).toBeLessThan(1e-6);
    }
  });

  test('a star: each element for itself, the flows summed at the node', async () => {
    const text = `${thermal}\n model M Cell c[5](C = {1, 2, 3, 4, 5}, each G = 2, T(start = 1:5)); Fixed f(T = 10);
      equation for i in 1:5 loop connect(c[i].a, f.p); end for; end M;`;
    const result = await done(text, { stopTime: 1 });
    let flow = 0;
    for (let i = 1; i <= 5; i++) {
      const expected = 10 + (i - 10) * Math.exp(-2 / i);
      close(final(result, `c[${i}].T`), expected);
      flow += 2 * (10 - expected);
    }
    close(final(result, 'f.p.q'), -flow);
  });

  test('elements have their names in the order of the elements', async () => {
    const { table } = await done(
      `${thermal} model Pair Cell d[2]; equation connect(d[1].b, d[2].a); end Pair;\n model M Pair p[2]; end M;`,
      { stopTime: 0.1 },
    );
    const temperatures = table.names.filter((name) => /\.T$/.test(name) && !/[ab]\.T$/.test(name));
    expect(temperatures).toEqual(['p[1].d[1].T', 'p[1].d[2].T', 'p[2].d[1].T', 'p[2].d[2].T']);
  });

  test('events of single elements', async () => {
    const text = `model Ball Real h(start = 1, fixed = true); Real v(start = 0, fixed = true); parameter Real g = 2; Integer n(start = 0, fixed = true);
      equation der(h) = v; der(v) = -g; when h < 0 then reinit(v, -pre(v)); n = pre(n) + 1; end when; end Ball;
      model M Ball b[3](g = {2, 8, 18}); end M;`;
    // The first impact is at sqrt(2/g) = 1/k for g = 2 k², the others follow at twice that time.
    const result = await done(text, { stopTime: 2.2 });
    expect([1, 2, 3].map((k) => final(result, `b[${k}].n`))).toEqual([1, 2, 3]);
  });

  test('what goes wrong is told with the element', async () => {
    const text = `model A parameter Real k = 1; Real x(start = 0, fixed = true); equation der(x) = k; assert(x < 2, "x is too large"); end A;
      model M A a[3](k = {1, 2, 5}); end M;`;
    const { diagnostics, status, time } = await instantiate(text).simulate({ stopTime: 1 });
    expect(status).toBe('failed');
    expect(time).toBeCloseTo(0.4, 3);
    expect(diagnostics.map(({ message }) => message).join()).toContain('x is too large');
  });
});

describe('values for elements', () => {
  const text = `model A parameter Real k = 1; parameter Real m[2] = {1, 2}; Real x(start = 1, fixed = true); equation der(x) = -k*x*m[1]*m[2]; end A;
    model M parameter Integer n = 3; A a[n](k = {1, 2, 3}); end M;`;
  const at = async (merge: object): Promise<number[]> => {
    const result = await simulation.simulate({ merge: merge as never, stopTime: 0.5, tolerance: 1e-9 });
    expect(result.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
    return [1, 2, 3].map((i) => final(result, `a[${i}].x`));
  };
  const simulation = instantiate(text);
  const decay = (rates: readonly number[], start = [1, 1, 1]): number[] =>
    rates.map((rate, i) => start[i]! * Math.exp(-rate));
  test.each<[merge: object, expected: number[]]>([
    [{}, decay([1, 2, 3])],
    [{ 'a[2].k': 5 }, decay([1, 5, 3])],
    [{ 'a[2].m': [1, 1] }, decay([1, 1, 3])],
    [{ 'a[3].x.start': 7 }, decay([1, 2, 3], [1, 1, 7])],
    [{ 'a.k': [3, 2, 1] }, decay([3, 2, 1])],
    [{ a: { x: { start: [2, 3, 4] } } }, decay([1, 2, 3], [2, 3, 4])],
  ])('%j', async (merge, expected) => {
    for (const [i, value] of (await at(merge)).entries()) close(value, expected[i]!);
  });
});
