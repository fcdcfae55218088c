/** `sum` with iterators adds arrays element by element (specification 3.6, section 10.3.4.1), in models, in functions and before a run; the other reductions take scalars. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problems } from '../flat/notation.ts';
import { runsOf } from '../runs.ts';
import { done } from './notation.ts';

const complex = `operator record C
    Real re; Real im;
    encapsulated operator function '+' import P.C; input C a; input C b; output C c; algorithm c := C(a.re + b.re, a.im + b.im); end '+';
    encapsulated operator function '*' import P.C; input Real a; input C b; output C c; algorithm c := C(a*b.re, a*b.im); end '*';
    encapsulated operator function '0' import P.C; output C c; algorithm c := C(0, 0); end '0';
  end C;`;

/** Where a sum stands; its value is in `y`, which has the sizes `[2, 3]`. `s` is 1 at the end, and known before in a parameter. */
const places: readonly [string, (sum: string) => string][] = [
  ['an equation', (sum) => `Real s = time; Real y[2, 3] = ${sum};`],
  ['an algorithm', (sum) => `Real s = time; Real y[2, 3]; algorithm y := ${sum};`],
  [
    'a function',
    (sum) =>
      `function f input Real s; output Real y[2, 3]; algorithm y := ${sum}; end f; Real y[2, 3] = f(time);`,
  ],
  [
    'a size',
    (sum) =>
      `final parameter Integer s = 1; final parameter Integer n[2, 3] = ${sum}; Real v[n[1, 1]*n[1, 1] + 1]; Real y[2, 3] = n*time*size(v, 1)/(n[1, 1]^2 + 1); equation v = fill(time, size(v, 1));`,
  ],
];

const written = (rows: readonly (readonly number[])[]): string =>
  `[${rows.map((row) => row.map(String).join(', ')).join('; ')}]`;

const entry = fc.integer({ min: -3, max: 3 });
const matrices = fc.array(fc.array(entry, { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 2 });

describe('sums of arrays', () => {
  it.each(places)('in %s', async (_, place) => {
    await fc.assert(
      fc.asyncProperty(matrices, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (a, n, two) => {
        const iterators = two ? `for i in 1:${n}, j in {2, 5}` : `for i in 1:${n}`;
        const weights = Array.from({ length: n }, (_, i) => i + 1);
        const factor = weights.reduce((all, i) => all + i, 0) * (two ? 7 : 1);
        const { table } = await done(
          `model M ${place(`sum(i*${two ? 'j*' : ''}s*${written(a)} ${iterators})`)} end M;`,
          { stopTime: 1 },
        );
        for (const [r, row] of a.entries())
          for (const [c, own] of row.entries())
            expect(table.value(`y[${r + 1},${c + 1}]`, 1)).toBeCloseTo(own * factor, 9);
      }),
      { numRuns: runsOf(8) },
    );
  });

  it('of operator records, and of none', async () => {
    const { table } = await done(
      `package P ${complex}
       model M
         C v[2] = {C(1, 2), C(time, 4)};
         C y[2] = sum(i*v for i in 1:2);
         Real z[2] = sum(k*{1, time} for k in 1:0);
       end M;
       end P;`,
      { stopTime: 1 },
    );
    const names = ['y[1].re', 'y[1].im', 'y[2].re', 'y[2].im', 'z[1]', 'z[2]'];
    expect(names.map((name) => table.value(name, 1))).toEqual([3, 6, 3, 12, 0, 0]);
  });

  it('must fit', () => {
    const wrong = (body: string): string[] => problems(`model M ${body} end M;`);
    expect(wrong('Real y = sum(k*{1, time} for k in 1:2);').join()).toMatch(/y/);
    expect(wrong('Real y = product(k*{1, time} for k in 1:2);').join()).toMatch(/product.*scalar numbers/);
    expect(wrong('parameter Real y = max(k*{1, 2} for k in 1:2);').join()).toMatch(/max.*scalars/);
    expect(wrong('Real y[2] = sum("a" for k in 1:2);').join()).toMatch(/sum.*numbers/);
  });
});
