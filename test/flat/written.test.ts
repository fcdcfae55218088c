/** What is printed of a flat model, where reading it again would mistake one thing for another. */
import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { exportModelica, loadModel, simulate } from '../../src/index.ts';

/** The value of variables at the end, of the text that is printed for a model. */
async function again(text: string, write: (text: string) => string): Promise<(name: string) => number> {
  const written = write(text);
  const result = await simulate(loadModel(written), { stopTime: 1, tolerance: 1e-9 });
  expect(result.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  return (name) => result.table.value(name, 1);
}

describe.each([
  ['flat text', (text: string) => printFlat(loadModel(text))],
  ['exported text', (text: string) => exportModelica(loadModel(text)).text],
])('%s', (_, write) => {
  test('keeps products, quotients and powers of elements apart from those of matrices', async () => {
    const value = await again(
      `model M Real a[2, 2] = {{1, 2}, {3, 4}}; Real b[2, 2] = {{10, 12}, {14, 16}};
        Real p[2, 2] = a .* b; Real m[2, 2] = a*b; Real q[2, 2] = b ./ a; Real e[2, 2] = a .^ a; Real s[2, 2] = a .+ 1; end M;`,
      write,
    );
    const all = (name: string): number[] =>
      ['[1,1]', '[1,2]', '[2,1]', '[2,2]'].map((subscripts) => value(name + subscripts));
    expect(all('p')).toEqual([10, 24, 42, 64]);
    expect(all('m')).toEqual([38, 44, 86, 100]);
    expect(all('q')).toEqual([10, 6, 14 / 3, 4]);
    expect(all('e')).toEqual([1, 4, 27, 256]);
    expect(all('s')).toEqual([2, 3, 4, 5]);
  });

  test('writes names that would be reserved words or functions, and keeps names apart that look alike', async () => {
    const value = await again(
      `package P model C Real b = 3*time; end C;
        model M C a; Real 'a.b' = 5; Real 'end' = 7; Real sin = a.b; Real x;
        algorithm x := 2; for k in 1:3 loop x := x + k; end for; end M; end P;`,
      write,
    );
    expect([value("'a.b'"), value("'a.b_2'"), value("'end'"), value("'sin'"), value('x')]).toEqual([
      3, 5, 7, 3, 8,
    ]);
  });

  test('declares a function once for each size, and one for each output that is asked for alone', async () => {
    const value = await again(
      `package P
        record R Real a; Real b; end R;
        function f input Real u[:]; output R r; algorithm r.a := u[1]; r.b := sum(u); end f;
        model M R x = f({time, 2}); R y = f({time, 2, 3}); end M; end P;`,
      write,
    );
    expect(["'x.a'", "'x.b'", "'y.a'", "'y.b'"].map(value)).toEqual([1, 3, 1, 6]);
  });

  test('writes Booleans as numbers where they select elements, and elements of what has no name', async () => {
    const value = await again(
      `model M Boolean b = time > 0.5; Real v[Boolean] = {10, 20}; Real x = v[b]; constant Real t[3] = {1, 4, 9};
        Integer n = 1 + integer(1.5*time); Real y = t[n]; Real z[3] = ([time; 2; 3])[:, 1]; end M;`,
      write,
    );
    expect([value('x'), value('y'), value('z[1]'), value('z[3]')]).toEqual([20, 4, 1, 3]);
  });

  test('writes matrices that are put together of arrays of other ranks', async () => {
    const value = await again(
      'model M Real v[2] = {time, 2}; Real A[2, 3] = [v, {{1, 2}, {3, 4}}]; Real B[3, 1] = [v; 7]; end M;',
      write,
    );
    const names = ['A[1,1]', 'A[1,2]', 'A[2,1]', 'A[2,3]', 'B[2,1]', 'B[3,1]'];
    expect(names.map(value)).toEqual([1, 1, 2, 4, 2, 7]);
  });
});

test('strings keep every character, also those that have no escape sequence', () => {
  const said = 'tab\t line\n quote" back\\ bell\u0007 escape\u001b';
  const text =
    'model M parameter String s = "tab\\t line\\n quote\\" back\\\\ bell\\a escape\u001b"; Real x = time; end M;';
  const bound = (source: string): unknown => {
    const { binding } = loadModel(source).variables[0]!;
    return binding?.kind === 'text' ? binding.value : undefined;
  };
  expect(bound(text)).toBe(said);
  expect(bound(printFlat(loadModel(text)))).toBe(said);
});

test('a step in an equation between states cannot be exported: states would have to jump', () => {
  const model = (more: string): string =>
    `model M Real v(start = 1); Real i; Real q(start = 0, fixed = true); Boolean on = time > 0.5; ${more}
      equation v = if on then 2 else 1; der(v) = i; der(q) = i; end M;`;
  const oneMode = exportModelica(loadModel(model('')));
  expect(oneMode.diagnostics.map((d) => [d.code, d.severity])).toEqual([['not-exportable', 'warning']]);
  const twoModes = model('Real a; Real b; equation a + b = 1; if time < 0.7 then a = 0; else b = 0; end if;');
  expect(() => exportModelica(loadModel(twoModes))).toThrow('on changes at events in the mode time < 0.7');
});
