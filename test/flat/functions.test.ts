import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { done } from '../simulate/notation.ts';
import { equations, flattened, modelOf, problems } from './notation.ts';

const norm = `function norm input Real x[:]; input Real p = 2; output Real y; protected Integer n = size(x, 1);
  algorithm y := 0; for i in 1:n loop y := y + abs(x[i])^p; end for; y := y^(1/p); end norm;`;

describe('calls', () => {
  test('one translation for each combination of sizes', () => {
    const model =
      modelOf(`${norm} model M Real a[2]; Real b[3]; Real s = norm(a); Real t = norm(b, p = 1); Real u = norm(a, 3);
      equation a = {time, 1}; b = {1, 2, time}; end M;`);
    expect(model.functions.map((f) => [f.name, f.locals[0]!.dims, f.inputs, f.outputs])).toEqual([
      ['norm', [2], 2, 1],
      ['norm', [3], 2, 1],
    ]);
  });

  test('defaults and named arguments', () => {
    expect(
      equations(`${norm} model M Real s = norm(p = 4, x = {3, time}); Real t = norm({1}); end M;`),
    ).toEqual(['s = norm({3, time}, 4);', 't = norm({1}, 2);']);
  });

  test('a default may depend on other inputs', () => {
    expect(
      equations(
        'function f input Real a; input Real b = 2*a; output Real y; algorithm y := a + b; end f; model M Real y = f(time); end M;',
      ),
    ).toEqual(['y = f(time, 2*time);']);
  });

  test('several outputs', () => {
    expect(
      equations(`function f input Real x; output Real a; output Real b; output Real c; algorithm a := x; b := 2*x; c := 3*x; end f;
        model M Real p; Real q; Real r = f(5); equation (p, , q) = f(time); end M;`),
    ).toEqual(['r = f(5);', '(p, , q) = f(time);']);
  });

  test('records among arguments and results are replaced by their fields', () => {
    const model = modelOf(`record R Real a; Real b[2]; end R;
      function f input R r; output R s; algorithm s.a := r.a + 1; s.b := 2*r.b; end f;
      model M R x; R y; equation x = R(time, {1, 2}); y = f(x); end M;`);
    expect(model.functions[0]!.locals.map((l) => [l.name, l.dims])).toEqual([
      ['r.a', []],
      ['r.b', [2]],
      ['s.a', []],
      ['s.b', [2]],
    ]);
    expect(printFlat(model)).toContain("  'y.a' = f('x.a', 'x.b');\n  'y.b' = 'f.s.b'('x.a', 'x.b');\n");
  });

  test('a function of scalars is applied to each element of an array', () => {
    expect(
      equations(
        'function f input Real x; input Real k; output Real y; algorithm y := k*x; end f; model M Real a[2] = f({time, 3}, 7); end M;',
      ),
    ).toEqual(['a = {f(time, 7), f(3, 7)};']);
  });

  test('a function of vectors is applied to each row of a matrix', async () => {
    const { table } =
      await done(`function f input Real x[2]; input Real k; output Real z; algorithm z := x[1] + k*x[2]; end f;
      function turned input Real x[:]; output Real y[size(x, 1)]; algorithm for i in 1:size(x, 1) loop y[i] := x[end + 1 - i]; end for; end turned;
      model M Real A[3, 2] = {{time, 2}, {3, 4}, {5, 6}}; Real a[3] = f(A, 10); Real b[2] = f({{1, 2}, {3, time}}, {1, 2});
        Real C[3, 2] = turned(A); Real c[2, 2] = f({A[1:2, :], A[2:3, :]}, 1); end M;`);
    const at = (name: string): number => table.value(name, 1);
    expect([at('a[1]'), at('a[2]'), at('a[3]')]).toEqual([21, 43, 65]);
    expect([at('b[1]'), at('b[2]')]).toEqual([3, 5]);
    expect([at('C[1,1]'), at('C[1,2]'), at('C[3,1]'), at('C[3,2]')]).toEqual([2, 1, 6, 5]);
    expect([at('c[1,1]'), at('c[1,2]'), at('c[2,1]'), at('c[2,2]')]).toEqual([3, 7, 7, 11]);
  });

  test('a recursive function calls itself', () => {
    const model =
      modelOf(`function fac input Integer n; output Integer y; algorithm if n <= 1 then y := 1; else y := n*fac(n - 1); end if; end fac;
      model M parameter Integer n = fac(3); Real x[n] = ones(n); end M;`);
    expect(model.functions).toHaveLength(1);
    // The size of x needs the value: 3! = 6.
    expect(model.variables.map((v) => [v.name, v.dims])).toEqual([
      ['n', []],
      ['x', [6]],
    ]);
  });

  test('sizes that depend on the value of an argument', () => {
    const text = `function pows input Real x; input Integer n; output Real y[n]; algorithm for i in 1:n loop y[i] := x^i; end for; end pows;`;
    const model = modelOf(
      `${text} model M parameter Integer n = 2; Real a[n] = pows(time, n); Real b[3] = pows(time, 3); end M;`,
    );
    expect(model.functions.map((f) => f.locals[2]!.dims)).toEqual([[2], [3]]);
    expect(problems(`${text}\nmodel M Integer k = integer(time); Real a[2] = pows(time, k); end M;`)).toEqual(
      ['unsupported 2:59 Sizes in `pows` depend on `n`, which is not known before the simulation.'],
    );
  });

  test('a parameter that a size needs is computed through a function', () => {
    const model =
      modelOf(`function count input Integer n; output Integer c; protected Integer k; algorithm c := 0; k := n;
      while k > 0 loop c := c + 1; k := div(k, 2); if c > 50 then break; end if; end while; end count;
      model M parameter Integer n = 10; Real x[:] = zeros(count(n)); end M;`);
    expect(model.variables[1]!.dims).toEqual([4]);
  });

  test('sizes in the body may depend on values of inputs and on variables that never change', () => {
    const model =
      modelOf(`function mean input Real x[:]; input Integer k; output Real y; protected Integer n = k - 1;
      algorithm y := sum(x[1:k])/k + sum(zeros(n)); end mean;
      model M Real y = mean({time, 2, 3}, 2); end M;`);
    expect(model.functions).toHaveLength(1);
    expect(printFlat(model)).toContain('  y := 0.5*sum(x[1:2]) + sum(fill(0, 1));\n');
  });

  test('branches that the sizes exclude need not make sense', () => {
    const model = modelOf(`function halves input Integer m; output Real y[m]; algorithm
        if m == 1 then y[1] := 1; else y := cat(1, halves(div(m, 2)), halves(m - div(m, 2))); end if; end halves;
      model M Real y[3] = halves(3); end M;`);
    expect(model.functions.map((f) => f.locals[1]!.dims).sort()).toEqual([[1], [2], [3]]);
  });

  test('a modifier of a function in a component speaks of that component', () => {
    expect(
      equations(`function g input Real x; input Real k; output Real y; algorithm y := k*x; end g;
        model A parameter Real k = 4; function f = g(k = k); end A;
        model M A a(k = 5); Real y = a.f(time); end M;`),
    ).toEqual(['y = A.f(time, a.k);']);
  });

  test('constants in arrays of records', () => {
    expect(
      equations(`package C record R Real m; Real v[2]; end R; constant R r[2](m = {3, 4}, v = {{1, 2}, {5, 6}}); end C;
        model M Real y = C.r[2].m; Real z = C.r[1].v[2]; end M;`),
    ).toEqual(['y = 4;', 'z = 2;']);
  });

  test('external "builtin" names a function of the language', () => {
    expect(
      equations(
        'function mySin input Real u; output Real y; external "builtin" y = sin(u); end mySin; model M Real y = mySin(time); end M;',
      ),
    ).toEqual(['y = sin(time);']);
  });

  test('constants of packages are their values', () => {
    expect(
      equations(
        'package C constant Real pi = 2*half; constant Real half = 1.5; constant Real t[2] = {1, 2}; end C; model M Real y = C.pi + C.t[2]; end M;',
      ),
    ).toEqual(['y = 5;']);
  });
});

describe('records in functions', () => {
  const coefficients = `record Coefficients parameter Integer n = 5; parameter Real a[n]; parameter Real b[:] = fill(2, n); end Coefficients;
    record Two = Coefficients(n = 2, a = {3, 4});
    function f input Real x; output Real y; protected Two c; algorithm
      y := 0; for i in 1:c.n loop y := y + c.a[i]*c.b[i]*x^i; end for; end f;`;

  test('have fields whose sizes are other fields', async () => {
    // 2*(3*x + 4*x^2) at 2.
    const { table } = await done(`${coefficients}\n model M Real y = f(2); Real z = f(time + 2); end M;`);
    expect(table.value('y', 0)).toBeCloseTo(44, 12);
    expect(table.value('z', 0)).toBeCloseTo(44, 12);
  });

  test('sizes that nothing gives are missing', () => {
    const text = `${coefficients.replace('n = 5', 'n')} function g input Real x; output Real y; protected Coefficients c; algorithm y := x; end g;
      model M Real y = g(time); end M;`;
    expect(problems(text).length).toBeGreaterThan(0);
  });
});

test('a modifier of a function speaks of the instance in which it is written', async () => {
  const { table } = await done(`package P
    function plain input Real x; output Real y; algorithm y := x; end plain;
    function tilted input Real x; output Real y; input Real phi = 0; algorithm y := x + 10*phi; end tilted;
    model World replaceable function gravity = plain; Real own = gravity(1); end World;
    model Part outer World world; Real g = world.gravity(2); end Part;
    model Sub Part part; end Sub;
    model M parameter Real latitude = 3; inner World world(redeclare function gravity = tilted(phi = latitude)); Sub sub; end M;
    end P;`);
  expect(table.value('world.own', 0)).toBe(31);
  expect(table.value('sub.part.g', 0)).toBe(32);
});

describe('values that are needed for sizes', () => {
  const twice = 'function twice input Integer n; output Integer m; algorithm m := 2*n; end twice;';

  test('of a function of scalars for each element of an array', async () => {
    const { table } = await done(`${twice}
      model M parameter Integer n[3] = twice({1, 2, 3}); Real x[sum(n)] = ones(sum(n)); Real y = sum(x); end M;`);
    expect(table.value('y', 0)).toBe(12);
    expect(
      problems(`function f input Integer a; input Integer b; output Integer c; algorithm c := a + b; end f;
      model M parameter Integer n[3] = f({1, 2, 3}, {1, 2}); Real x[sum(n)]; end M;`).join(),
    ).toContain('sizes');
  });

  test('of a function of vectors for each row of a matrix', async () => {
    const total =
      'function total input Integer v[2]; output Integer s; output Integer w[2]; algorithm s := sum(v); w := {v[2], v[1]}; end total;';
    const { table } = await done(`${total}
      model M parameter Integer n[3] = total({{1, 2}, {3, 4}, {5, 6}}); Real x[n[2]] = ones(n[2]); Real y = sum(x); end M;`);
    expect(table.value('y', 0)).toBe(7);
  });

  test('where a default names what is declared behind it', async () => {
    const longer = `function longer input Real v[:]; output Real x[size(v, 1) + 1] = cat(1, v, fill(7, more)); output Integer n = size(v, 1) + more;
      protected Integer more = 1; algorithm end longer;`;
    const { table } = await done(`${longer} ${twice}
      model M parameter Real p[:] = longer({1, 2}); Real q[3] = longer({time + 3, 4}); Real s = sum(p); Real t = sum(q); end M;`);
    expect([table.value('s', 0), table.value('t', 0)]).toEqual([10, 14]);
  });
});

describe('wrong calls', () => {
  const f = 'function f input Real a; input Integer b = 1; output Real y; algorithm y := a*b; end f; ';
  test.each([
    ['Real y = f();', 'bad-call 2:18 The call of `f` lacks its argument `a`. | Call it as `f(a, b)`.'],
    ['Real y = f(1, 2, 3);', 'bad-call 2:26 `f` takes 2 arguments but is given 3. | Call it as `f(a, b)`.'],
    ['Real y = f(1, c = 3);', 'bad-call 2:23 `f` has no argument `c`. | Call it as `f(a, b)`.'],
    ['Real y = f(1, a = 3);', 'bad-call 2:23 The argument `a` of `f` is given twice.'],
    ['Real y = f(true);', 'type-mismatch 2:20 `a` is Real but is given Boolean.'],
    ['Real y = f(1, 1.5);', 'type-mismatch 2:23 `b` is Integer but is given Real.'],
    [
      'Real y = f({1, 2}, {1, 2, 3});',
      'dimension-mismatch 2:18 The arguments of `f` have different sizes: [2] and [3].',
    ],
    [
      'Real y = y2(1); Real y2;',
      'bad-call 2:18 `y2` is not a function. | Subscripts stand in square brackets: `y2[…]`.',
    ],
    ['Real y; Real z; equation (y, z) = f(1);', 'bad-call 2:34 `f` has 1 outputs but 2 are wanted.'],
    [
      'discrete Real y; discrete Real z; equation when time > 1 then (y, z) = f(1); end when;',
      'bad-call 2:71 `f` has 1 outputs but 2 are wanted.',
    ],
    ['Real y = M(1);', 'bad-call 2:18 `M` is a model, not a function.'],
  ])('%s', (body, expected) => {
    expect(problems(`${f}\nmodel M ${body} end M;`)).toContain(expected);
  });

  test.each([
    [
      'function f input Real x; output Real y; algorithm y := x; end f; function g input Real x; output Real y = h(f, x); end g; function h input Real f; input Real x; output Real y; algorithm y := x; end h;',
      'type-mismatch',
      '`f` is a function, not a value.',
    ],
    [
      'function g input Real x; output Real y; algorithm y := z; end g;',
      'unknown-name',
      'There is no `z` in g.',
    ],
    [
      'function g input Real x; output Real y; algorithm y := {x, x}; end g;',
      'dimension-mismatch',
      'Sizes differ in the assignment: scalar and [2].',
    ],
    [
      'function g input Real x; output Real y; algorithm y := true; end g;',
      'type-mismatch',
      'Boolean cannot be assigned to Real.',
    ],
    [
      'function g input Real x; output Real y; algorithm when x > 1 then y := 1; end when; end g;',
      'bad-call',
      'A function cannot contain a when-statement.',
    ],
  ])('%s', (text, code, message) => {
    const [first] = problems(`${text} model M Real y = g(1); end M;`);
    expect(first).toMatch(new RegExp(`^${code} 1:\\d+ `));
    expect(first).toContain(message);
  });
});

test('an assertion that would only warn is told to be unchecked, once', () => {
  const text = `function f input Real x[:]; output Real y; algorithm
      assert(x[1] > 0, "low", AssertionLevel.warning); assert(x[1] < 9, "high"); y := sum(x); end f;
    model M Real y = f({time}) + f({time, 1}); end M;`;
  const found = problems(text);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(
    /^unsupported 2:7 Assertions of functions and initial algorithms are not checked .* `warning`\./,
  );
  expect(problems(text.replace(', AssertionLevel.warning', ''))).toEqual([]);
});

test('where it is evaluated for a size it warns', () => {
  const text = `function f input Integer n; output Integer m; algorithm
      assert(n < 3, "many", level = AssertionLevel.warning); m := n; end f;
    model M parameter Integer n = 4; Real x[f(n)] = ones(f(n)); end M;`;
  expect(problems(text).filter((item) => item.startsWith('assertion'))).toEqual(['assertion 2:7 many']);
  expect(problems(text.replace(', level = AssertionLevel.warning', ''))[0]).toMatch(/^assertion 2:7 many/);
});

test('a warning says where a function asks for events and has none', () => {
  const warnings = (body: string): string[] =>
    flattened(`function f input Real x; output Real z; protected Integer k; algorithm z := 0; k := 1; ${body}
      annotation(GenerateEvents = true); end f;
      model M Real x; equation der(x) = f(time); end M;`).diagnostics.map(
      (d) => `${d.severity}: ${d.message}`,
    );
  const step = 'if x > 0.25*k then z := z + 1; end if; k := k + 1;';
  expect(warnings(`for i in 1:3 loop ${step} end for;`)).toEqual([]);
  expect(warnings('while k <= 3 loop z := z + x; k := k + 1; end while;')).toEqual([
    'warning: Relations in the function `f` cause no events, although it asks for them by `GenerateEvents`.',
  ]);
  expect(warnings(`while k <= 3 loop ${step} end while;`)).toHaveLength(1);
});
