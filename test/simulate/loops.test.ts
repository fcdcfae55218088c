/** Loops over the values of types and over Strings, and iterators whose range follows from their use as a subscript (specification 3.6, sections 10.1, 10.5 and 11.2.2). */
import { describe, expect, test } from 'vitest';
import { inModel, problems } from '../flat/notation.ts';
import { close, done, run } from './notation.ts';

const types = 'type E = enumeration(one, two, three); record R Real v[3]; end R;';

interface Case {
  /** The sizes of `x`. */
  readonly sizes: string;
  /** What assigns its elements; `%` is `=` in equations and `:=` in statements. */
  readonly loop: string;
  readonly elements: readonly number[];
  /** More variables, which a function would have to declare. */
  readonly more?: string;
}

const choice = 'x[i] % if i then 7 else 3;';
const double = 'x[e] % 2*Integer(e);';
const grid = 'x[i, j] % 10*i + j;';
const all: readonly number[] = [11, 12, 13, 21, 22, 23];

const cases: readonly Case[] = [
  { sizes: '4', loop: 'for i loop x[i] % 10*i; end for;', elements: [10, 20, 30, 40] },
  { sizes: 'Boolean', loop: `for i loop ${choice} end for;`, elements: [3, 7] },
  { sizes: 'Boolean', loop: `for i in Boolean loop ${choice} end for;`, elements: [3, 7] },
  { sizes: 'Boolean', loop: `for i in false:true loop ${choice} end for;`, elements: [3, 7] },
  { sizes: 'E', loop: `for e loop ${double} end for;`, elements: [2, 4, 6] },
  { sizes: 'E', loop: `for e in E loop ${double} end for;`, elements: [2, 4, 6] },
  { sizes: 'E', loop: `for e in E.one:E.three loop ${double} end for;`, elements: [2, 4, 6] },
  { sizes: '2, 3', loop: `for i, j loop ${grid} end for;`, elements: all },
  { sizes: '2, 3', loop: `for i in {2, 1}, j loop ${grid} end for;`, elements: all },
  { sizes: '2, 3', loop: `for i loop for j loop ${grid} end for; end for;`, elements: all },
  {
    sizes: '3, Boolean, E',
    loop: 'for i, b, e loop x[i, b, e] % 100*i + (if b then 10 else 0) + Integer(e); end for;',
    elements: [1, 2, 3].flatMap((i) => [0, 10].flatMap((b) => [1, 2, 3].map((e) => 100 * i + b + e))),
  },
  {
    sizes: '2',
    more: 'R r[2];',
    loop: 'for k, i loop r[k].v[i] % k*i; end for; for k loop x[k] % sum(r[k].v[i] for i); end for;',
    elements: [6, 12],
  },
  {
    sizes: '3',
    loop: `for s in {"a", "bb", "ccc"} loop
      x[if s == "a" then 1 elseif s == "bb" then 2 else 3] % if s == "bb" then 5 else 4;
    end for;`,
    elements: [4, 5, 4],
  },
  {
    sizes: '2',
    more: 'Real a[3];',
    loop: 'a % {1, 2, 4}; for i loop x[i] % i*sum(a[i] for i); end for;',
    elements: [7, 14],
  },
  { sizes: '2', more: 'Real a[3];', loop: 'a % {a0[i]^2 for i}; x % {a[end], sum(a)};', elements: [16, 21] },
];
const constant = 'constant Real a0[3] = {1, 2, 4};';

/** The elements of an array at the end of a run, which has values of the types for its subscripts. */
async function elements(text: string, array: string): Promise<number[]> {
  const { table } = await done(text, { stopTime: 0.1 });
  const names = table.names.filter((name) => name.startsWith(`${array}[`));
  return names.map((name) => table.value(name, 0.1));
}

describe.each([
  ['equation', '='],
  ['algorithm', ':='],
])('loops in an %s section', (section, sign) => {
  test.each(cases)('x[$sizes]: $loop', async ({ sizes, more = '', loop, elements: expected }) => {
    const text = `model M ${types} ${constant} ${more} Real x[${sizes}]; ${section} ${loop.replaceAll('%', sign)} end M;`;
    expect(await elements(text, 'x')).toEqual(expected);
  });
});

describe('loops of functions', () => {
  test.each(cases)('x[$sizes]: $loop', async ({ sizes, more = '', loop, elements: expected }) => {
    // The parameter is computed by the interpreter of declarations, the variable by compiled code.
    const text = `model M ${types} ${constant}
      function f
        input Real u; output Real x[${sizes}]; protected ${more}
      algorithm
        ${loop.replaceAll('%', ':=')}
        ${'x := u*x;'}
      end f;
      parameter Integer n = integer(sum(f(1)));
      Real size[n] = fill(time, n);
      Real x[${sizes}] = f(10*time);
    end M;`;
    const found = await elements(text, 'x');
    expect(found).toHaveLength(expected.length);
    for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, 12);
    const total = expected.reduce((sum, value) => sum + value, 0);
    expect(await elements(text, 'size')).toHaveLength(total);
  });
});

test('`end` is the last value of the type that counts', async () => {
  const text = `model M ${types} Real x[E] = {1, 2, 3}; Real b[Boolean] = {4, 5}; Real y[2] = {x[end], b[end]}; end M;`;
  expect(await elements(text, 'y')).toEqual([3, 5]);
});

test.each([
  [
    'Real x[3], y[4]; equation\nfor i loop x[i] = time; y[i] = time; end for;',
    '2:25 dimension-mismatch `i` would run over 1:3 in `x[i]`, but over 1:4 in `y[i]`.',
  ],
  [
    'Real x[2], y[Boolean]; algorithm\nfor i loop x[i] := 1;\ny[i] := 1; end for;',
    '3:1 dimension-mismatch `i` would run over values of Integer in `x[i]`, but over values of Boolean in `y[i]`.',
  ],
  [
    'Real x[1]; equation\nfor i loop x[1] = i; end for;',
    '2:5 bad-subscript `i` has no range, and is never a subscript that could give it one.',
  ],
  [
    'Real x[3]; equation\nfor i loop x[i + 0] = i; end for;',
    '2:5 bad-subscript `i` has no range, and is never a subscript that could give it one.',
  ],
  ['Real x[3]; equation for i loop\nz[i] = i; end for;', '2:1 unknown-name There is no `z` in M.'],
  [
    'Real x[E] = {1, 2, 3}; Real y =\nx[1];',
    '2:3 type-mismatch A subscript of `x` must be a value of `M.E`, not an Integer.',
  ],
  ['Real x[3] = {1, 2, 3}; Real y =\nx[E.one];', '2:3 type-mismatch A subscript of `x` must be an Integer.'],
  [
    'Real x[Boolean] = {1, 2}; Real y =\nx[2];',
    '2:3 type-mismatch A subscript of `x` must be a value of `Boolean`, not an Integer.',
  ],
  [
    'Real x; algorithm\nfor e in E.one:E.two:E.three loop x := 1; end for;',
    '2:10 type-mismatch A bound of the loop is M.E.',
  ],
])('%s', (body, message) => {
  const [first] = problems(inModel(`${types} ${body}`).replace('\n', ' '));
  const [, code, place, rest] = first!.match(/^(\S+) (\S+) ([^|]*?)(?: \|.*)?$/)!;
  expect(`${place} ${code} ${rest}`).toBe(message);
});

describe('loops over the rows of arrays (section 11.2.2)', () => {
  const library = `
    function f input Real m[:, :]; output Real s; algorithm s := 0; for r in m loop s := s + r[1]*r[2]; end for; end f;
    function g input Real m[:, :, :]; output Real s;
    algorithm s := 0; for r in m loop for q in r loop for e in q loop s := s + e; end for; end for; end for; end g;
    function n input Integer m[:, :]; output Integer k; algorithm k := 0; for r in m loop k := k + r[2]; end for; end n;
    record R Real a; Integer k; end R;`;

  test.each([
    ['in functions', 'Real s = f({{time, 2}, {3, 4}});', 14],
    ['in functions, twice', 'Real s = g({{{time, 2}, {3, 4}}, {{5, 6}, {7, 8}}});', 36],
    ['in comprehensions', 'Real x[2] = {sum(r) for r in {{time, 2}, {3, 4}}}, s = x[1] + 10*x[2];', 73],
    ['in reductions', 'Real s = sum(r[1]*time for r in {{1, 2}, {3, 4}});', 4],
    ['where sizes follow', 'Real x[n({{1, 2}, {3, 1}})] = fill(time, size(x, 1)), s = sum(x);', 3],
    [
      'over records',
      'R rs[2] = {R(time, 2), R(5, 3)}; Real s; algorithm s := 0; for r in rs loop s := s + r.a*r.k; end for;',
      17,
    ],
  ])('%s', async (_, body, expected) => {
    const { table } = await done(`package P ${library} model M ${body} end M; end P;`, { model: 'P.M' });
    close(table.value('s', 1), expected);
  });

  test('cannot change what they run over, and run over no scalars', async () => {
    const refused = (body: string) =>
      run(`model M ${body} end M;`).then(
        () => '',
        ({ diagnostics }: { diagnostics: readonly { message: string }[] }) => diagnostics[0]!.message,
      );
    expect(
      await refused(
        'Real s = f({{1, 2}, {3, 4}}); function f input Real u[:, :]; output Real s; protected Real m[size(u, 1), size(u, 2)] = u; algorithm for r in m loop m[1, 1] := r[2]; end for; s := m[1, 1]; end f;',
      ),
    ).toMatch(/cannot change what it runs over/);
    expect(
      await refused('Real s; algorithm s := 0; for r in {{1, 2}, {3, 4}} loop s := s + r[1]; end for;'),
    ).toMatch(/cannot run over Integer\[2, 2\] here/);
    expect(
      await refused('Real x[2]; equation for r in {{1, 2}, {2, 4}} loop x[r[1]] = r[2]; end for;'),
    ).toMatch(/cannot run over Integer\[2, 2\] here/);
    expect(await refused('Real s; algorithm for r in 3 loop s := r; end for;')).toMatch(/cannot run over/);
  });
});
