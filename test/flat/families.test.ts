import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { elementName, subscriptedName } from '../../src/flat/core/families.ts';
import { flatten } from '../../src/flat/flatten.ts';
import { variousIn } from '../../src/flat/uniformity.ts';
import type { ObjectInstance } from '../../src/model/instance.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';
import { equations, problems } from './notation.ts';
import { familiesOf, scalarText, translated } from './rolled.ts';

/** Checks that a text means the same with and without families; returns the arrays that are families. */
function same(text: string): string[] {
  const rolled = translated(text, false);
  const written = translated(text, true);
  if (!rolled.model || !written.model)
    throw new Error([...rolled.diagnostics, ...written.diagnostics].map((d) => d.message).join('\n'));
  expect(scalarText(rolled.model)).toEqual(scalarText(written.model));
  return familiesOf(rolled.model);
}

const thermal = `
  connector Port Real T; flow Real q; end Port;
  model Cell Port a; Port b; parameter Real C = 1; parameter Real G = 2; Real T(start = 300, fixed = true);
  equation C*der(T) = a.q + b.q; a.q = G*(a.T - T); b.q = G*(b.T - T); end Cell;
  model Fixed Port p; parameter Real T = 300; equation p.T = T; end Fixed;`;

describe('the same scalars as written out', () => {
  const chain = 'for i in 1:n - 1 loop connect(c[i].b, c[i + 1].a); end for;';
  test.each<[what: string, text: string, arrays: string[]]>([
    ['a chain', `${thermal} model M parameter Integer n = 5; Cell c[n]; equation ${chain} end M;`, ['c']],
    ['one element', `${thermal} model M parameter Integer n = 1; Cell c[n]; equation ${chain} end M;`, ['c']],
    [
      'two elements',
      `${thermal} model M parameter Integer n = 2; Cell c[n]; equation ${chain} end M;`,
      ['c'],
    ],
    [
      'a chain between others',
      `${thermal} model M parameter Integer n = 4; Cell c[n]; Fixed f(T = 1); Fixed g;
       equation connect(f.p, c[1].a); ${chain} connect(c[n].b, g.p); end M;`,
      ['c'],
    ],
    [
      'a ring',
      `${thermal} model M parameter Integer n = 6; Cell c[n];
       equation for i in 1:n loop connect(c[i].b, c[mod(i, n) + 1].a); end for; end M;`,
      ['c'],
    ],
    [
      'backwards, and every second one',
      `${thermal} model M parameter Integer n = 6; Cell c[n];
       equation for i in n:-2:2 loop connect(c[i].a, c[i - 1].b); end for; end M;`,
      ['c'],
    ],
    [
      'a star',
      `${thermal} model M parameter Integer n = 7; Cell c[n]; Fixed f;
       equation for i in 1:n loop connect(c[i].a, f.p); end for; end M;`,
      ['c'],
    ],
    [
      'one node of them all',
      `${thermal} model M parameter Integer n = 7; Cell c[n];
       equation for i in 1:n - 1 loop connect(c[i].a, c[i + 1].a); connect(c[i].a, c[i].b); end for; end M;`,
      ['c'],
    ],
    [
      'a grid',
      `${thermal} model M Cell c[3, 4]; Cell d[3, 4];
       equation for i in 1:3, j in 1:3 loop connect(c[i, j].b, c[i, j + 1].a); end for;
       for i in 1:2, j in 1:4 loop connect(d[i, j].b, d[i + 1, j].a); connect(c[i, j].a, d[i, j].a); end for; end M;`,
      ['c', 'd'],
    ],
    [
      'whole arrays and slices',
      `${thermal} model M Cell c[4]; Cell d[4]; Fixed f[2];
       equation connect(c.b, d.a); connect(c[1:2].a, f.p); connect(d[{4, 1}].b, c[3:4].a); end M;`,
      ['c', 'd', 'f'],
    ],
    [
      'arrays in arrays',
      `${thermal}
       model Rod parameter Integer n = 3; Cell c[n]; Port a; Port b; equation connect(a, c[1].a); connect(c[n].b, b); ${chain} end Rod;
       model M Rod r[4](each n = 2, c(C = {{1, 2}, {3, 4}, {5, 6}, {7, 8}})); equation for i in 1:3 loop connect(r[i].b, r[i + 1].a); end for; end M;`,
      ['r', 'r.c'],
    ],
    [
      'values of all kinds',
      `model A parameter Real k = 1; parameter Real m[2] = {1, 2}; parameter Integer p = 3; parameter Boolean on = true; parameter String s = "s";
         Real x(start = 1, unit = "m", min = -k, max = 5, nominal = 2); Real y[2](each start = k); Real z = k*x + m[1]; protected Real h = p; equation der(x) = -k*x; der(y) = m; end A;
       model M parameter Integer n = 3; parameter Real v[n] = {7, 8, 9};
         A a[n](k = v, each p = 4, on = {true, false, true}, each s = "t", x(start = linspace(1, 2, n), fixed = {true, false, true}));
         A b[n](k = {i^2 for i in 1:n}, m = {{i, 2*i} for i in 1:n}, y(start = {{1, 2}, {3, 4}, {5, 6}}), each x(start = 4)) "described";
         A c[2](each k = v[1], m = [1, 2; 3, 4], each y(start = {3, 4}, each min = 0)); end M;`,
      ['a', 'b', 'c'],
    ],
    [
      'records',
      `record R Real a; Real b[2]; end R; function f input R r; output R s; algorithm s := r; end f;
       model A R r; R t[2]; equation r.a = time; r.b = {1, 2}; t[1] = r; t[2] = f(r); end A;
       model M A a[3]; R r[2]; R s[2] = {R(1, {2, 3}), R(4, {5, 6})}; parameter R q[2] = {R(1, {2, 3}), R(4, {5, 6})}; Real sum1 = sum(a.r.a);
       equation r = a[2].t; end M;`,
      ['a', 'a.t', 'r', 's', 'q'],
    ],
    [
      'references from outside',
      `model A Real x[2]; Real y; equation x = {y, 2*y}; end A;
       model M parameter Integer n = 3; A a[n]; Real s = sum(a.y) + a[2].x[1] + a[end].y; Real p[n, 2] = a.x; Real q[2] = a[{3, 1}].x[2]; Real r[n] = a.x[1];
         Integer k(start = 1); Real d = a[k].y;
       equation for i in 1:n loop a[i].y = i*time; end for; when time > 1 then k = 2; end when; end M;`,
      ['a'],
    ],
    [
      'events',
      `model A Real x(start = 1); Integer k(start = 0); discrete Real h(start = 0); parameter Real limit = 0.5; Real u = if x > limit then 1 else 2;
       initial equation x = limit; equation der(x) = -x; when x < limit then reinit(x, 1 + limit); k = pre(k) + 1; h = x; end when; assert(x < 10, "too large"); end A;
       model M A a[3](limit = {0.1, 0.2, 0.3}); Real h1 = a[1].h; equation when sample(0, 1) then assert(a[2].k < 5, "often"); end when; end M;`,
      ['a'],
    ],
    [
      'inner and outer',
      `model World parameter Real g = 9; Real t = time; end World; model Leaf outer World world; outer Real shared; Real x = world.g*world.t + shared; end Leaf;
       model A inner Real shared = 3*k; parameter Real k = 1; Leaf leaf; Leaf more[2]; end A;
       model M inner World world; A a[3](k = {1, 2, 3}); end M;`,
      ['a', 'a.more'],
    ],
    [
      'causal connectors and vectors of them',
      `connector In = input Real; connector Out = output Real;
       block Gain In u; Out y; parameter Real k = 2; equation y = k*u; end Gain;
       block Mux parameter Integer n = 2; In u[n]; Out y; equation y = sum(u); end Mux;
       model M parameter Integer n = 4; In u; Gain g[n]; Mux m(n = n); Gain h[n];
       equation connect(g.y, m.u); for i in 1:n loop connect(u, g[i].u); connect(m.u[i], h[n + 1 - i].u); end for; end M;`,
      ['g', 'h'],
    ],
    [
      'connectors with arrays, and arrays of connectors',
      `connector Pin Real v; flow Real i; end Pin; connector Plug parameter Integer m = 3; Pin pin[m]; Real e[2]; flow Real f[2]; end Plug;
       model Load Plug a; Plug b; equation a.pin.v - b.pin.v = a.pin.i; a.pin.i + b.pin.i = zeros(3); a.e = b.e; a.f + b.f = {0, 0}; end Load;
       model M Load l[3]; Load k; Pin p; equation connect(l[1].b, l[2].a); connect(l[2].b, l[3].a); connect(l[3].b, k.a); connect(k.b, l[1].a); for i in 1:3 loop connect(p, l[i].a.pin[i]); end for; end M;`,
      ['l.a.pin', 'l', 'l.b.pin', 'k.a.pin', 'k.b.pin'],
    ],
    [
      'if-equations with the same left sides in all branches',
      `model A Boolean b; Real x(start = 1); Real y; equation b = x > 1; if b then der(x) = time; y = 1; elseif x > 0 then y = x; der(x) = -y;
       else y = 0; der(x) = 2*time; end if; end A; model M A a[3]; end M;`,
      ['a'],
    ],
    [
      'sizes that parameters of the elements give, if they are the same for all',
      `model A parameter Integer n = 2; Real x[n]; B b[n] if n > 1; equation for i in 1:n loop der(x[i]) = -i*x[i]; end for; end A; model B Real y = time; end B;
       model M A a[3](each n = 3); Integer total = sum(a.n) + a[2].n; Real z[a[1].n] = a[3].x; end M;`,
      ['a', 'a.b'],
    ],
    [
      'conditional connections',
      `${thermal} model M Cell c[4]; Fixed f;
       equation for i in 1:4 loop if time > i then connect(c[i].a, f.p); end if; end for; connect(c[1].b, c[2].b); end M;`,
      ['c'],
    ],
    [
      'in a state of a machine',
      `${thermal} model S Cell c[3]; equation for i in 1:2 loop connect(c[i].b, c[i + 1].a); end for; end S;
       model M S s; S t; equation initialState(s); transition(s, t, time > 1); end M;`,
      ['s.c', 't.c'],
    ],
  ])('%s', (_, text, arrays) => {
    expect(same(text).sort()).toEqual(arrays.sort());
  });
});

describe('what differs from element to element is written out', () => {
  test.each<[what: string, text: string]>([
    [
      'sizes',
      'model A parameter Integer n = 1; Real x[n] = fill(time, n); end A; model M A a[3](n = {1, 2, 3}); end M;',
    ],
    [
      'conditional components',
      'model B Real y = time; end B; model A parameter Boolean has = true; B b if has; end A; model M A a[2](has = {true, false}); end M;',
    ],
    [
      'sizes of components inside, found from outside first',
      'model A parameter Integer n = 1; Real x[n] = fill(time, n); end A; model M Real s[size(a[1].x, 1)] = a[1].x; A a[2](n = {1, 2}); end M;',
    ],
    [
      'units',
      'model A parameter String u = "m"; Real x(unit = u) = time; end A; model M A a[2](u = {"m", "s"}); end M;',
    ],
    [
      'conditions of equations',
      'model A Boolean b; Real x; equation b = x > 1; if b then x = time; else 2*x = time; end if; end A; model M A a[2]; end M;',
    ],
    [
      'algorithms',
      'model A Real x; Real y; algorithm x := time; y := 2*x; if y > 1 then y := 1; end if; end A; model M A a[2]; end M;',
    ],
    [
      'algorithms outside that assign an element',
      'model A Real x; end A; model M A a[2]; equation a[2].x = 3; algorithm a[1].x := time; end M;',
    ],
    [
      'states',
      'model A Real x = time; end A; model M A a[2]; equation initialState(a[1]); transition(a[1], a[2], time > 1); end M;',
    ],
    [
      'machines inside',
      'model S Real x = time; end S; model A S s; S t; equation initialState(s); transition(s, t, time > 1); end A; model M A a[2]; end M;',
    ],
    [
      'clocks',
      'model A Clock c = Clock(0.1); Real u = sample(time, c); Real x = previous(x) + u; end A; model M A a[2]; end M;',
    ],
    [
      'values in terms of those of other elements',
      'model A parameter Real k = 1; end A; model M A a[3](k = {if i == 1 then 1 else 2*a[i - 1].k for i in 1:3}); end M;',
    ],
  ])('%s', (_, text) => {
    expect(same(text)).toEqual([]);
  });

  test('only those arrays', () => {
    expect(
      same(`model A parameter Integer n = 1; Real x[n] = fill(time, n); end A; model B A a[2](n = {1, 2}); Real y = time; end B;
        model M A a[3](n = {1, 2, 3}); A u[3](each n = 2); B b[2]; B c; end M;`).sort(),
    ).toEqual(['b', 'u']);
  });
});

describe('families as text', () => {
  test('equations of the class and of the connections', () => {
    const rod = `${thermal} model M parameter Integer n = 100; Cell c[n](each C = 3, T(start = linspace(300, 400, n))); Fixed f;
      equation connect(f.p, c[1].a); for i in 1:n - 1 loop connect(c[i].b, c[i + 1].a); end for; end M;`;
    expect(equations(rod)).toEqual([
      'for i in 1:100 loop',
      '  c[i].C*der(c[i].T) = c[i].a.q + c[i].b.q;',
      '  c[i].a.q = c[i].G*(c[i].a.T - c[i].T);',
      '  c[i].b.q = c[i].G*(c[i].b.T - c[i].T);',
      'end for;',
      'f.p.T = f.T;',
      'f.p.T = c[1].a.T;',
      'f.p.q + c[1].a.q = 0;',
      'for i in 1:99 loop',
      '  c[i].b.T = c[i + 1].a.T;',
      '  c[i].b.q + c[i + 1].a.q = 0;',
      'end for;',
      'c[100].b.q = 0;',
    ]);
  });

  test('a star is a sum', () => {
    const star = `${thermal} model M Cell c[50]; Fixed f; equation for i in 1:50 loop connect(f.p, c[i].a); end for; end M;`;
    expect(equations(star).slice(6)).toEqual([
      'for i in 1:50 loop',
      '  f.p.T = c[i].a.T;',
      'end for;',
      'f.p.q + sum(c.a.q) = 0;',
      'c.b.q = fill(0, 50);',
    ]);
  });

  test('a grid is two loops', () => {
    const grid = `${thermal} model M Cell c[8, 9]; equation for i in 1:8, j in 1:8 loop connect(c[i, j].b, c[i, j + 1].a); end for; end M;`;
    expect(equations(grid).slice(7)).toEqual([
      'for i in 1:8 loop',
      '  for j in 1:8 loop',
      '    c[i, j].b.T = c[i, j + 1].a.T;',
      '    c[i, j].b.q + c[i, j + 1].a.q = 0;',
      '  end for;',
      'end for;',
      'for i in 1:8 loop',
      '  c[i, 1].a.q = 0;',
      'end for;',
      'for i in 1:8 loop',
      '  c[i, 9].b.q = 0;',
      'end for;',
    ]);
  });

  test('names of elements', () => {
    expect(elementName({ name: 'T', dims: [2, 3] }, 4)).toBe('T[2,2]');
    expect(elementName({ name: 'T', dims: [] }, 0)).toBe('T');
    const nested = {
      name: 'a.bc.x',
      dims: [2, 3, 2, 2],
      within: [
        { path: 'a', rank: 1 },
        { path: 'a.bc', rank: 2 },
      ],
    };
    expect(elementName(nested, 0)).toBe('a[1].bc[1,1].x[1]');
    expect(elementName(nested, 23)).toBe('a[2].bc[3,2].x[2]');
    expect(subscriptedName(nested, [':', 'i', ':', '1'])).toBe('a.bc[i,:].x[1]');
  });
});

describe('mistakes in the class of an array', () => {
  test('are told once, with the line', () => {
    const text = `model A\n  Real x;\nequation\n  x = y;\nend A;\nmodel M\n  A a[1000];\nend M;`;
    expect(problems(text)).toEqual([expect.stringMatching(/^unknown-name 4:7 There is no `y` in A\./)]);
  });

  test('sizes of values for the elements', () => {
    const text = `model A\n  parameter Real k;\nend A;\nmodel M\n  parameter Real v[2] = {1, 2};\n  A a[3](k = v);\nend M;`;
    expect(problems(text)).toEqual([
      'dimension-mismatch 6:14 The value for `a.k` has sizes [2], but `a` has sizes [3].',
    ]);
  });

  test('subscripts of connections', () => {
    const text = `${thermal}\nmodel M\n  Cell c[3];\nequation\n  for i in 1:3 loop\n    connect(c[i].b, c[i + 1].a);\n  end for;\nend M;`;
    expect(problems(text)[0]).toMatch(
      /^bad-subscript 10:21 Subscript 4 of `c` is outside: the dimension goes from 1 to 3\./,
    );
  });

  test('unbalanced classes are named once', () => {
    const text = 'model A Real x; Real y; equation x = time; end A; model M A a[3]; end M;';
    const [problem] = problems(text);
    expect(problem).toMatch(/^unbalanced .* 3 scalar equations for 6 unknowns/);
  });
});

// ---------------------------------------------------------------- laws

const cell = `connector Pin Real v; flow Real i; end Pin;
  model Leaf Pin p; Pin n; parameter Real R = 1; equation p.v - n.v = R*p.i; p.i + n.i = 0; end Leaf;`;

/** A class with random contents, and modifiers for an array of it. */
const classes = fc.record({
  state: fc.boolean(),
  leaves: fc.constantFrom('', 'Leaf l;', 'Leaf l[2](R = {k, 2*k});'),
  event: fc.boolean(),
  modifiers: fc.subarray(['k = {i*j0 for i in 1:n}', 'x(start = linspace(0, 1, n))', 'each y(min = 1)']),
});

/** Statements that connect an array of n elements. */
const connects = fc.array(
  fc.oneof(
    fc.constantFrom(
      'for i in 1:n - 1 loop connect(c[i].n, c[i + 1].p); end for;',
      'for i in 1:n loop connect(c[i].n, c[mod(i, n) + 1].p); end for;',
      'for i in 1:n loop connect(c[i].p, hub); end for;',
      'connect(c.p, d.n);',
      'for i in 1:2:n loop connect(c[i].n, d[n + 1 - i].p); end for;',
      'for i in 1:n, j in 1:m loop connect(e[i, j].p, c[i].p); end for;',
      'for i in 1:n - 1, j in 1:m loop connect(e[i, j].n, e[i + 1, j].p); end for;',
      'for i in 1:n, j in 1:m - 1 loop connect(e[i, j].n, e[i, j + 1].n); end for;',
      'connect(e[:, 1].p, d.p);',
    ),
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
      .map(([a, b]) => `connect(c[${a}].p, d[${b}].n);`),
  ),
  { maxLength: 5 },
);

test('random classes in random patterns of connections are the same as written out', () => {
  fc.assert(
    fc.property(
      classes,
      connects,
      fc.integer({ min: 3, max: 6 }),
      fc.integer({ min: 1, max: 3 }),
      (own, all, n, m) => {
        const text = `${cell}
        model C Pin p; Pin n; parameter Real k = 1; Real x(start = 0); Real y; ${own.leaves}
        equation ${own.state ? 'der(x) = -k*x + p.i;' : 'x = k*p.i;'} y = p.v - n.v; p.i + n.i${own.leaves ? '' : ' + 0*x'} = 0; p.v - n.v = x;
          ${own.event ? 'when x > 0.5 then reinit(x, 0); end when;' : ''} ${own.leaves.includes('[') ? 'connect(l[1].n, l[2].p); connect(p, l[1].p);' : ''} end C;
        model M parameter Integer n = ${n}; parameter Integer m = ${m}; parameter Real j0 = 2; Pin hub; C c[n]${own.modifiers.length > 0 ? `(${own.modifiers.join(', ')})` : ''}; C d[n]; Leaf e[n, m];
        equation ${all.join('\n')} end M;`;
        same(
          text.replaceAll(
            'when x > 0.5 then reinit(x, 0)',
            own.state ? 'when x > 0.5 then reinit(x, 0)' : 'when x > 0.5 then terminate("end")',
          ),
        );
      },
    ),
    { numRuns: 25 },
  );
});

describe('decided before anything is translated', () => {
  const rootOf = (text: string) => {
    const { definition } = parse(new Source('test.mo', text));
    const library = new Library();
    library.add(definition);
    return { library, root: instantiate(library, 'M').root! };
  };
  const cell = 'model Cell Real x; equation x = 1; end Cell;';

  test.each<[what: string, text: string, arrays: string[]]>([
    ['equations alone', `${cell} model M Cell c[3]; end M;`, []],
    [
      'an algorithm',
      `model A Real x; algorithm x := 1; end A; ${cell} model M A a[3]; Cell c[3]; end M;`,
      ['a'],
    ],
    [
      'an algorithm in an array in an array',
      `model A Real x; algorithm x := 1; end A; model B A a[2]; end B; ${cell} model M B b[3]; Cell c[3]; end M;`,
      ['b', 'b.a'],
    ],
    [
      'an array around one without',
      `model A Real x; algorithm x := 1; end A; ${cell} model B A a; Cell c[2]; end B; model M B b[3]; end M;`,
      ['b'],
    ],
    [
      'a state machine',
      `model S end S; model A S s; S t; equation if true then initialState(s); end if; transition(s, t, time > 1); end A;
       model M A a[3]; end M;`,
      ['a'],
    ],
    ['code', `model A Real x; annotation(__Mutabor(builtIn = "code")); end A; model M A a[2]; end M;`, ['a']],
    [
      'variables outside that it determines',
      `model A outer output Real x; equation x = 1; end A; model M inner Real x; A a[2]; end M;`,
      ['a'],
    ],
    [
      'a single algorithm',
      `model A Real x; algorithm x := 1; end A; ${cell} model M A a; Cell c[3]; end M;`,
      [],
    ],
  ])('%s', (_, text, arrays) => {
    expect([...variousIn(rootOf(text).root)].map(({ path }) => path).sort()).toEqual(arrays);
  });

  test('an array is written out for what is various in it, another stays', () => {
    const { root, library } = rootOf(
      `${cell} model A Boolean b; Real x; equation b = x > 1; if b then x = time; else 2*x = time; end if; end A;
       model M A a[2]; Cell c[3]; end M;`,
    );
    expect(flatten(root, library).model).toBeDefined();
    const isUniform = (name: string) => (root.members.get(name) as ObjectInstance).template !== undefined;
    expect([isUniform('a'), isUniform('c')]).toEqual([false, true]);
  });

  test('a name that does not exist is looked for once: arrays are not written out for it', () => {
    const { root, library } = rootOf(
      'model Cell Real x; equation der(x) = y; end Cell; model M Cell c[1000000]; end M;',
    );
    expect(flatten(root, library).diagnostics.map(({ message }) => message)).toEqual([
      'There is no `y` in Cell.',
    ]);
    expect((root.members.get('c') as ObjectInstance).template).toBeDefined();
  });
});
