/** Components that are declared one by one and gathered into uniform arrays: the same model as written out, in less. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementName, subscriptedName } from '../../src/flat/core/families.ts';
import { equations, problems } from './notation.ts';
import { familiesOf, scalarText, translated } from './rolled.ts';

/** Checks that a text means the same gathered and written out; returns the arrays that are families. */
function same(text: string): string[] {
  const gathered = translated(text, false);
  const written = translated(text, true);
  if (!gathered.model || !written.model)
    throw new Error([...gathered.diagnostics, ...written.diagnostics].map((d) => d.message).join('\n'));
  expect(scalarText(gathered.model)).toEqual(scalarText(written.model));
  expect(gathered.diagnostics.map((d) => d.message)).toEqual(written.diagnostics.map((d) => d.message));
  return familiesOf(gathered.model);
}

const thermal = `
  connector Port Real T; flow Real q; end Port;
  model Cell Port a; Port b; parameter Real C = 1; parameter Real G = 2; parameter Real v[2] = {1, 2}; parameter Integer m = 2; Real T(start = 300, fixed = true);
  equation C*der(T) = a.q + b.q; a.q = G*(a.T - T); b.q = G*(b.T - T)*v[1]; end Cell;
  model Wall Port a; Port b; parameter Real G = 1; equation a.q + b.q = 0; a.q = G*(a.T - b.T); end Wall;
  model Fixed Port p; parameter Real T = 300; equation p.T = T; end Fixed;`;

const range = (n: number): number[] => Array.from({ length: n }, (_, k) => k + 1);
const each = (n: number, text: (i: number) => string): string => range(n).map(text).join(' ');
const chain = (n: number, name = 'c'): string =>
  each(n - 1, (i) => `connect(${name}${i}.b, ${name}${i + 1}.a);`);
const model = (declarations: string, body = ''): string =>
  `${thermal} model M ${declarations} equation ${body} end M;`;

describe('the same scalars as written out, in the same order', () => {
  test.each<[what: string, text: string, arrays: string[]]>([
    [
      'a chain',
      model(
        each(16, (i) => `Cell c${i};`),
        chain(16),
      ),
      ['{c1..c16}'],
    ],
    [
      'too few',
      model(
        each(15, (i) => `Cell c${i};`),
        chain(15),
      ),
      [],
    ],
    ['several in one clause', model(`Cell ${range(20).map((i) => `c${i}`)};`, chain(20)), ['{c1..c20}']],
    [
      'numbers of their own',
      model(
        each(20, (i) => `Cell c${i}(C = ${i}, G = -${i / 2}, v = {${i}, 1e${i % 5}}, T(start = 3${i}.5));`),
        chain(20),
      ),
      ['{c1..c20}'],
    ],
    [
      'what they have in common',
      model(
        `parameter Real k = 3; ${each(17, (i) => `Cell c${i}(C = 2*k, v = {k, 1}, T(start = ${i}, fixed = true));`)}`,
        chain(17),
      ),
      ['{c1..c17}'],
    ],
    [
      'numbers that some leave out are those of the class',
      model(
        each(50, (i) =>
          i % 2 === 0 ? `Cell c${i};` : i < 49 ? `Cell c${i}(C = ${i});` : `Cell c${i}(G = 7);`,
        ),
        chain(50),
      ),
      ['{c1..c50}'],
    ],
    [
      'numbers of attributes that some leave out are those of the class, and of what it extends',
      `${thermal} model Hot extends Cell(G = 5, T(start = 400)); end Hot;
       model M ${each(40, (i) => (i % 4 === 0 ? `Hot c${i}(T(start = ${i}, fixed = true));` : i % 3 === 0 ? `Hot c${i}(G = ${i}, T(start = 1));` : `Hot c${i};`))}
       equation ${chain(40)} end M;`,
      ['{c1..c40}'],
    ],
    [
      'numbers inside of components that some leave out are those that are declared there',
      `${thermal} model Pair Port a; Port b; Cell l(C = 3); Cell r; equation connect(a, l.a); connect(l.b, r.a); connect(r.b, b); end Pair;
       model M ${each(40, (i) => (i % 4 === 0 ? `Pair c${i}(l(C = ${i}, T(start = 5)));` : i % 3 === 0 ? `Pair c${i}(r(G = ${i}));` : `Pair c${i};`))}
       equation ${chain(40)} end M;`,
      ['{c1..c40}'],
    ],
    [
      'modifiers of other forms are other arrays',
      model(
        `parameter Real g = 3; ${each(60, (i) => (i % 3 === 0 ? `Cell c${i};` : i % 3 === 1 ? `Cell c${i}(G = g);` : `Cell c${i}(m = 3);`))}`,
        chain(60),
      ),
      ['{c1..c58}', '{c2..c59}', '{c3..c60}'],
    ],
    [
      'numbers that some leave out, and that the class does not have',
      `${thermal} model Bare Port a; parameter Real R(start = 1); Real T(start = 300, fixed = true); equation der(T) = R*a.q; a.T = T; end Bare;
       model M ${each(40, (i) => (i % 2 === 0 ? `Bare c${i}(R = ${i});` : `Bare c${i}(R = 2, T(nominal = 10));`))} end M;`,
      ['{c1..c39}', '{c2..c40}'],
    ],
    [
      'in turns',
      model(
        each(18, (i) => `Wall w${i}(G = ${i}); Real x${i} = ${i}*time; Cell c${i};`),
        each(17, (i) => `connect(w${i}.b, c${i}.a); connect(c${i}.b, w${i + 1}.a);`),
      ),
      ['{w1..w18}', '{c1..c18}'],
    ],
    [
      'a star, a ring and what nothing is connected with',
      model(
        `Fixed f(T = 1); ${each(17, (i) => `Cell c${i}; Wall w${i};`)}`,
        `${each(17, (i) => `connect(f.p, c${i}.a);`)} ${each(17, (i) => `connect(w${i}.a, w${(i % 17) + 1}.b);`)}`,
      ),
      ['{c1..c17}', '{w1..w17}'],
    ],
    [
      'names in equations, in modifiers and in sizes',
      model(
        `${each(16, (i) => `Cell c${i}(C = ${i});`)} Real s; Real z[c3.m]; Cell d(C = c2.C, T(start = c7.G));`,
        's = c3.T + c5.C*c5.v[2] + sum(c4.v) - c9.a.q; der(z) = {c1.T, c2.T};',
      ),
      ['{c1..c16}'],
    ],
    [
      'components in components',
      `${thermal} model Pair parameter Real C = 1; Cell x(C = C); Cell y(C = 2*C); Port a; Port b;
       equation connect(a, x.a); connect(x.b, y.a); connect(y.b, b); end Pair;
       model M ${each(16, (i) => `Pair c${i}(C = ${i});`)} equation ${chain(16)} end M;`,
      ['{c1..c16}'],
    ],
    [
      'gathered components in gathered components, and in arrays',
      `${thermal} model Rod ${each(16, (i) => `Wall w${i}; Cell c${i}(C = ${i});`)} Port a; Port b;
       equation connect(a, c1.a); ${chain(16)} connect(c16.b, b); ${each(16, (i) => `connect(w${i}.a, c${i}.a);`)} end Rod;
       model M ${each(16, (i) => `Rod c${i}; Real u${i} = ${i};`)} Rod r[3]; equation ${chain(16)} connect(r[1].b, r[2].a); end M;`,
      ['{c1..c16}', '{c1..c16}.{w1..w16}', '{c1..c16}.{c1..c16}', 'r', 'r.{w1..w16}', 'r.{c1..c16}'],
    ],
    [
      'arrays in gathered components',
      `${thermal} model Rod Cell c[3](each C = 2); Port a; Port b;
       equation connect(a, c[1].a); for i in 1:2 loop connect(c[i].b, c[i + 1].a); end for; connect(c[3].b, b); end Rod;
       model M ${each(16, (i) => `Rod c${i};`)} Fixed f; equation connect(f.p, c1.c[2].a); ${chain(16)} end M;`,
      ['{c1..c16}', '{c1..c16}.c'],
    ],
    [
      'inherited, and modified from outside',
      `${thermal} model Base parameter Real k = 1; ${each(20, (i) => `Cell c${i}(C = ${i});`)} equation ${chain(20)} end Base;
       model M extends Base(c3(C = 30), k = 4, c4(C = k), c5(G = 3)); ${each(16, (i) => `Cell d${i};`)} equation ${chain(16, 'd')} end M;`,
      ['{c1..c20}', '{d1..d16}'],
    ],
    [
      'protected components apart',
      model(`${each(16, (i) => `Cell c${i};`)} protected ${each(16, (i) => `Cell d${i};`)}`, chain(16)),
      ['{c1..c16}', '{d1..d16}'],
    ],
    [
      'a replaceable class',
      `${thermal} model Base replaceable model Part = Wall; ${each(16, (i) => `Part c${i};`)} equation ${chain(16)} end Base;
       model M Base x; Base y(redeclare model Part = Cell); end M;`,
      ['x.{c1..c16}', 'y.{c1..c16}'],
    ],
    [
      'inner components outside of them',
      `model World parameter Real g = 9; end World;
       model Part outer World world; Real x(start = 1, fixed = true); equation der(x) = -world.g*x; end Part;
       model M inner World world(g = 3); ${each(16, (i) => `Part p${i};`)} end M;`,
      ['{p1..p16}'],
    ],
    [
      'if-equations',
      `model P Real x(start = 1, fixed = true); equation if x > 1 then der(x) = 1; else der(x) = 2; end if; end P;
       model M ${each(16, (i) => `P p${i};`)} end M;`,
      ['{p1..p16}'],
    ],
    [
      'events in the class and outside of it',
      `model Part Real x(start = 1, fixed = true); Boolean b; parameter Real k = 1;
       equation der(x) = if x > 0.5 then -k else -2*k; b = x > 0.25; when b then reinit(x, 3); end when; end Part;
       model M ${each(16, (i) => `Part p${i}(k = ${i});`)} equation when time > 1 then reinit(p3.x, 7); end when; end M;`,
      ['{p1..p16}'],
    ],
  ])('%s', (_what, text, arrays) => {
    expect(same(text)).toEqual(arrays);
  });
});

describe('what is not the same for all is written out', () => {
  test.each<[what: string, text: string]>([
    [
      'sizes',
      `model P parameter Integer n = 1; Real x[n] = fill(time, n); end P; model M ${each(16, (i) => `P p${i}(n = ${i});`)} end M;`,
    ],
    [
      'conditional components',
      `model Q Real y = time; end Q; model P parameter Integer n = 1; Q q if n > 3; end P;
       model M ${each(16, (i) => `P p${i}(n = ${i});`)} end M;`,
    ],
    [
      'if-equations whose branches determine other variables',
      `model P parameter Real k = 1; Real v; Real i; equation if time > k then v = 0; else i = 0; end if; v + i = time; end P;
       model M ${each(16, (i) => `P p${i}(k = ${i});`)} end M;`,
    ],
    [
      'algorithms',
      `model P Real x; algorithm x := time; end P; model M ${each(16, (i) => `P p${i};`)} end M;`,
    ],
    [
      'variables that algorithms outside of them assign',
      `model P Real x; Real y = 2*x; end P;
       model M ${each(16, (i) => `P p${i};`)} algorithm p3.x := time; equation ${each(16, (i) => (i === 3 ? '' : `p${i}.x = ${i}*time;`))} end M;`,
    ],
    [
      'redeclared parts',
      `${thermal} model P replaceable Wall c; end P;
       model M ${each(16, (i) => `P p${i}(redeclare ${i % 2 === 0 ? 'Wall' : 'Cell'} c);`)} end M;`,
    ],
    [
      'values given by arrays around',
      `${thermal} model R ${each(16, (i) => `Cell c${i};`)} end R; model M R r[2](${range(16).map((i) => `c${i}(C = {1, ${i}})`)}); end M;`,
    ],
    [
      'states',
      `block S Integer n = 1; end S; model M ${each(16, (i) => `S s${i};`)} equation initialState(s1);
       ${each(15, (i) => `transition(s${i}, s${i + 1}, time > ${i});`)} end M;`,
    ],
    [
      'components with conditions',
      `${thermal} model M parameter Boolean b = false; ${each(16, (i) => `Cell c${i} if ${i % 2 === 0 ? 'b' : 'not b'};`)} end M;`,
    ],
  ])('%s', (_what, text) => {
    expect(same(text).filter((path) => path.includes('{'))).toEqual([]);
  });
});

describe('classes that are marked', () => {
  const marked = (value: string, more = ''): string =>
    `${thermal} model Own extends Cell; annotation(__Mutabor(uniform = ${value})); end Own; ${more}`;

  test('are gathered from two on', () => {
    expect(
      same(`${marked('true')} model M Own c1; Own c2(C = 3); Own c3(C = 4); equation ${chain(3)} end M;`),
    ).toEqual(['{c1..c3}']);
    expect(same(`${marked('true')} model M Own c; Own d[2]; end M;`)).toEqual(['d']);
  });

  test('hand the mark on, and may take it back', () => {
    const base = marked('true', 'model Sub extends Own; end Sub;');
    expect(same(`${base} model M Sub c1; Sub c2; end M;`)).toEqual(['{c1..c2}']);
    const not = marked('true', 'model Sub extends Own; annotation(__Mutabor(uniform = false)); end Sub;');
    expect(same(`${not} model M ${each(20, (i) => `Sub c${i};`)} Sub s[20]; end M;`)).toEqual([]);
  });

  test('in words that mean nothing are told', () => {
    expect(problems(`model A annotation(__Mutabor(uniform = 1)); end A; model M A a; end M;`)).toEqual([
      expect.stringMatching(
        /^type-mismatch 1:30 The setting `uniform` of `__Mutabor` must be `true` or `false`: it is ignored\./,
      ),
    ]);
    expect(problems(`model A annotation(__Mutabor(uniforms = true)); end A; model M A a; end M;`)).toEqual([
      expect.stringMatching(
        /^unknown-modifier 1:30 `__Mutabor` has no setting `uniforms`: it is ignored\. \| Did you mean `uniform`\?/,
      ),
    ]);
    expect(problems(`model A annotation(__Mutabor(builtIn = 3)); end A; model M A a; end M;`)).toEqual([
      expect.stringMatching(
        /^type-mismatch 1:30 The setting `builtIn` of `__Mutabor` must be a string: it is ignored\./,
      ),
    ]);
  });
});

describe('names', () => {
  const within = [
    { path: 'r', rank: 1 },
    { path: 'r.{a..c}', rank: 1, gathered: { from: 2, names: ['a', "'b.x'", 'c'], turns: [0, 1, 2] } },
  ];

  test('of elements', () => {
    const variable = { name: 'r.{a..c}.x', dims: [2, 3, 2], within };
    expect(elementName(variable, 0)).toBe('r[1].a.x[1]');
    expect(elementName(variable, 9)).toBe("r[2].'b.x'.x[2]");
    expect(subscriptedName(variable, [':', 'i', '1'])).toBe('r.{a..c}[i].x[1]');
    expect(subscriptedName(variable, ['2', ':', ':'])).toBe('r[2].{a..c}.x[:]');
    expect(subscriptedName(variable, ['2', '3'])).toBe('r[2].c.x');
  });

  test('however the connections are written', () => {
    const links = range(15).map((i) => `connect(w${i}.b, w${i + 1}.a);`);
    const shuffled = links.map((_, k) => links[(4 * k) % 15]).join(' ');
    expect(
      equations(
        model(
          each(16, (i) => `Wall w${i};`),
          shuffled,
        ),
      ).slice(4),
    ).toEqual([
      'for i in 1:15 loop',
      '  {w1..w16}[i].b.T = {w1..w16}[i + 1].a.T;',
      '  {w1..w16}[i].b.q + {w1..w16}[i + 1].a.q = 0;',
      'end for;',
      'w1.a.q = 0;',
      'w16.b.q = 0;',
    ]);
  });

  test('in the text of a flat model', () => {
    expect(
      equations(model(`${each(16, (i) => `Wall w${i};`)} Fixed f;`, `connect(f.p, w3.a); ${chain(16, 'w')}`)),
    ).toEqual([
      'for i in 1:16 loop',
      '  {w1..w16}[i].a.q + {w1..w16}[i].b.q = 0;',
      '  {w1..w16}[i].a.q = {w1..w16}[i].G*({w1..w16}[i].a.T - {w1..w16}[i].b.T);',
      'end for;',
      'f.p.T = f.T;',
      'f.p.T = w3.a.T;',
      'f.p.T = w2.b.T;',
      'f.p.q + w3.a.q + w2.b.q = 0;',
      'w1.b.T = w2.a.T;',
      'w1.b.q + w2.a.q = 0;',
      'for i in 3:15 loop',
      '  {w1..w16}[i].b.T = {w1..w16}[i + 1].a.T;',
      '  {w1..w16}[i].b.q + {w1..w16}[i + 1].a.q = 0;',
      'end for;',
      'w1.a.q = 0;',
      'w16.b.q = 0;',
    ]);
  });
});

describe('mistakes are told of the component that has them', () => {
  const wrong = (declare: (i: number) => string, body = ''): string =>
    model(
      each(16, (i) => `\n${declare(i)}`),
      body,
    );

  test.each<[what: string, text: string, message: RegExp]>([
    [
      'a name in a component',
      wrong((i) => `Cell c${i};`, '\nc3.x = 1;'),
      /^unknown-name 23:4 There is no `x` in c3\./,
    ],
    [
      'a subscript',
      wrong((i) => `Cell c${i};`, '\nc3[2].T = 1;'),
      /^bad-subscript 23:1 `c3` is not an array\./,
    ],
    [
      'a component as a value',
      wrong((i) => `Cell c${i};`, '\nc3 = 1;'),
      /^type-mismatch 23:1 `c3` is a component, not a value\./,
    ],
    [
      'a component in a connect',
      wrong((i) => `Cell c${i};`, '\nconnect(c3, c4.a);'),
      /^not-a-connector 23:9 `c3` is not a connector\. \| Its connectors are `c3\.a`, `c3\.b`\./,
    ],
    ['a modifier', wrong((i) => `Cell c${i}(${i === 5 ? 'D' : 'C'} = 1);`), /^unknown-modifier 11:9 .*`D`/],
    ['a modifier of all', wrong((i) => `Cell c${i}(D = ${i});`), /^unknown-modifier 7:9 .*`D`/],
    [
      'an attribute of all',
      wrong((i) => `Cell c${i}(T(stert = ${i}));`),
      /^unknown-modifier 7:11 `c1\.T` of type `Real` has no attribute `stert`/,
    ],
    [
      'a type',
      wrong((i) => `Cell c${i}(C = ${i === 7 ? '{1, 2}' : 1});`),
      /^dimension-mismatch 13:13 `c7\.C` /,
    ],
    [
      'sizes',
      wrong((i) => `Cell c${i}(v = {${i}, 1, 2});`),
      /^dimension-mismatch 7:13 `c1\.v` has sizes \[2\] but is given \[3\]/,
    ],
    ['what a parameter needs', wrong((i) => `Cell c${i}(C = c1.C);`), /^cyclic-definition .*`c1\.C`/],
    [
      'a chain of components that nothing determines',
      wrong((i) => `Wall w${i};`, '\nw3.a.q = 1;'),
      /^unbalanced/,
    ],
  ])('%s', (_what, text, message) => {
    expect(problems(text)[0]).toMatch(message);
  });
});

describe('random models', () => {
  interface Declaration {
    readonly kind: 'Cell' | 'Wall' | 'Pair' | 'Real';
    readonly form: number;
    readonly value: number;
  }
  const declaration: fc.Arbitrary<Declaration> = fc.record({
    kind: fc.constantFrom('Cell', 'Wall', 'Pair', 'Real'),
    form: fc.integer({ min: 0, max: 3 }),
    value: fc.integer({ min: -9, max: 9 }),
  });
  const marked = `${thermal.replaceAll(/end (Cell|Wall);/g, 'annotation(__Mutabor(uniform = true)); end $1;')}
    model Pair parameter Real G = 1; Cell x(G = G); Wall w; Cell y(G = 2*G); Port a; Port b;
    equation connect(a, x.a); connect(x.b, w.a); connect(w.b, y.a); connect(y.b, b);
    annotation(__Mutabor(uniform = true)); end Pair;`;
  const text = ({ kind, form, value }: Declaration, i: number): string => {
    if (kind === 'Real') return `Real p${i} = ${value}*time;`;
    const start = kind === 'Cell' ? `, T(start = ${value}, fixed = true)` : '';
    const forms = ['', `(G = ${value})`, `(G = k*${form}${start})`, `(G = ${value}.25${start})`];
    return `${kind} p${i}${forms[form]};`;
  };

  test('have the same scalars', () => {
    fc.assert(
      fc.property(
        fc.array(declaration, { minLength: 2, maxLength: 14 }),
        fc.array(fc.tuple(fc.nat(13), fc.boolean(), fc.nat(13), fc.boolean()), { maxLength: 14 }),
        fc.nat(3),
        (declarations, wires, chained) => {
          const parts = declarations.flatMap(({ kind }, i) => (kind === 'Real' ? [] : [i]));
          const port = (k: number, second: boolean) => `p${parts[k % parts.length]}.${second ? 'b' : 'a'}`;
          const connects =
            parts.length === 0 ? [] : wires.map(([i, s, j, t]) => `connect(${port(i, s)}, ${port(j, t)});`);
          const links =
            chained === 0
              ? []
              : parts.slice(1).map((_, k) => `connect(${port(k, true)}, ${port(k + 1, false)});`);
          const body = [...links, ...connects].join(' ');
          same(
            `${marked} model M parameter Real k = 3; ${declarations.map(text).join(' ')} equation ${body} end M;`,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
