import { describe, expect, test } from 'vitest';
import { elements, equations, inModel, modelOf, problems } from './notation.ts';

describe('equality', () => {
  test('scalar equations and derivatives', () => {
    expect(equations(inModel('Real x; Real v; equation der(x) = v; der(v) = -9.81*x + sin(time);'))).toEqual([
      'der(x) = v;',
      'der(v) = sin(time) - 9.81*x;',
    ]);
  });

  test('an array equation is one equation', () => {
    expect(
      equations(inModel('Real x[3]; parameter Real A[3,3] = identity(3); equation der(x) = A*x;')),
    ).toEqual(['der(x) = A*x;']);
  });

  test('zero times an array keeps its sizes', () => {
    const model = modelOf(inModel('Real x[3]; equation der(x) = 0*x;'));
    expect(model.equations[0]).toMatchObject({ dims: [3] });
    expect(equations(inModel('Real x[3]; equation der(x) = 0*x;'))).toEqual(['der(x) = 0*x;']);
  });

  test('declaration equations of variables become equations, those of parameters stay', () => {
    const model = modelOf(inModel('parameter Real p = 2*q; parameter Real q = 3; Real y = p*time;'));
    expect(model.equations).toHaveLength(1);
    expect(model.variables.map((v) => v.binding !== undefined)).toEqual([true, true, false]);
  });

  test('records are equal member by member', () => {
    const text = `record R Real a; Real b[2]; end R;
      model M R r; R s; R t(a = 3, b = {4, time}); equation r = s; s = R(b = {1, 2}, a = time); end M;`;
    expect(equations(text)).toEqual([
      't.a = 3;',
      't.b = {4, time};',
      'r.a = s.a;',
      'r.b = s.b;',
      's.a = time;',
      's.b = {1, 2};',
    ]);
  });

  test('the declaration equation of a connector that is a record gives each member its part', () => {
    const text = `record R Real a; Real b; end R; connector Out = output R;
      model M Out y = R(time, 2); end M;`;
    expect(equations(text)).toEqual(['y.a = time;', 'y.b = 2;']);
  });

  test.each([
    ['A x = B(1, 2);', '`x` has no field `b`, which its value of the type `B` has.'],
    ['A x[2] = {B(1, 2), B(3, 4)};', '`x` has no field `b`, which its value of the type `B` has.'],
    ['B x = A(1);', 'The value of `x` does not fit its member `x.b`.'],
  ])('%s: a record and its value have the same fields', (declared, message) => {
    const text = `record A Real a; end A; record B Real a; Real b; end B; model M ${declared} end M;`;
    expect(problems(text).join()).toContain(message);
  });

  test('the declaration equation of a record gives each member its part', () => {
    const text = `record R Real a; Real b; end R;
      model M R r = R(1, time); parameter R p = q; parameter R q(a = 2, b = 3); end M;`;
    expect(equations(text)).toEqual(['r.a = 1;', 'r.b = time;']);
    const model = modelOf(text);
    expect(model.variables.map((v) => [v.name, v.binding?.kind])).toEqual([
      ['r.a', undefined],
      ['r.b', undefined],
      ['p.a', 'ref'],
      ['p.b', 'ref'],
      ['q.a', 'const'],
      ['q.b', 'const'],
    ]);
  });

  test('modifiers of arrays of components are distributed', () => {
    const text = `model A parameter Real k; Real x; equation der(x) = k*x; end A;
      model M A a[3](k = {1, 2, 3}, each x(start = 5)); A b[2](k = c); parameter Real c[2] = {7, 8}; end M;`;
    const model = modelOf(text);
    const [a, b] = model.variables.filter((v) => v.name.endsWith('.k'));
    expect(elements(model, a!.binding!)).toEqual([1, 2, 3]);
    expect(b!.binding).toBe(model.pool.ref(model.variables.findIndex((v) => v.name === 'c')));
    expect(model.variables.filter((v) => v.start).map((v) => [v.name, v.dims])).toEqual([['a.x', [3]]]);
  });

  test('a variable of all elements of a component array is an array', () => {
    const text = `model A Real x; equation x = time; end A; model M A a[3]; Real s = sum(a.x); Real y[2] = a[2:3].x; end M;`;
    expect(equations(text).slice(0, 2)).toEqual(['s = sum(a.x);', 'y = a[2:3].x;']);
  });

  test('der of an expression is taken by the rules of calculus', () => {
    expect(equations(inModel('Real x; Real y; equation der(x*y) = 1; der(x) = 2*y;'))[0]).toBe(
      'y*der(x) + x*der(y) = 1;',
    );
  });
});

describe('for', () => {
  test('a for-equation is one family', () => {
    expect(
      equations(
        inModel(
          'parameter Integer n = 4; Real x[n]; equation x[1] = 0; for i in 2:n loop x[i] = x[i-1] + i; end for;',
        ),
      ).slice(1),
    ).toEqual(['for i in 2:4 loop', '  x[i] = x[i - 1] + i;', 'end for;']);
  });

  test('nested families', () => {
    expect(
      equations(inModel('Real x[2, 3]; equation for i in 1:2, j in 1:3 loop x[i, j] = i + j; end for;')),
    ).toEqual(['for i in 1:2 loop', '  for j in 1:3 loop', '    x[i, j] = i + j;', '  end for;', 'end for;']);
  });

  test('a family may select components of a uniform array', () => {
    const text = `model A Real x; end A;
      model M A a[3]; equation for i in 1:3 loop a[i].x = i*time; end for; end M;`;
    expect(equations(text)).toEqual(['for i in 1:3 loop', '  a[i].x = i*time;', 'end for;']);
  });

  test('a family that selects among components that differ is written out', () => {
    const text = `model A parameter Integer n = 1; Real x[n]; end A;
      model M A a[3](n = 1:3); equation for i in 1:3 loop a[i].x = fill(i*time, i); end for; end M;`;
    expect(equations(text)).toEqual([
      'a[1].x = fill(time, 1);',
      'a[2].x = fill(2*time, 2);',
      'a[3].x = fill(3*time, 3);',
    ]);
  });

  test('only the loop that must be is written out', () => {
    const text = `model A parameter Integer n = 2; Real x[n]; end A;
      model M A a[2](n = {2, 3}); equation for i in 1:2, j in 1:2 loop a[i].x[j] = j*time + i; end for; end M;`;
    expect(equations(text)).toEqual([
      'for j in 1:2 loop',
      '  a[1].x[j] = j*time + 1;',
      'end for;',
      'for j in 1:2 loop',
      '  a[2].x[j] = j*time + 2;',
      'end for;',
    ]);
  });

  test('sizes that depend on the iterator are written out', () => {
    expect(
      equations(
        inModel('Real x[3]; Real y[3]; equation for i in 1:3 loop x[i] = sum(y[1:i]); y[i] = i; end for;'),
      ),
    ).toEqual([
      'x[1] = sum(y[1:1]);',
      'y[1] = 1;',
      'x[2] = sum(y[1:2]);',
      'y[2] = 2;',
      'x[3] = sum(y[1:3]);',
      'y[3] = 3;',
    ]);
  });

  test.each([
    ['Real x[3]; equation for i in 1:3 loop x[i] = k; end for;', 'unknown-name 2:46 There is no `k` in M.'],
    [
      'Integer n = 3; Real x[3]; equation for i in 1:n loop x[i] = 1; end for;',
      'variability 2:45 The bound of a range must be known before the simulation starts. | Use constants and parameters only.',
    ],
    [
      'parameter Integer n; Real x[3]; equation for i in 1:n loop x[i] = 1; end for;',
      'no-value 2:51 The bound of a range has no value that can be computed here. | Give the parameters that it depends on a value.',
    ],
    [
      'Real x[3]; equation for i in 1:10000000000 loop x[i] = 1; end for;',
      'limit-exceeded 2:30 The range has 10000000000 elements.',
    ],
  ])('%s', (body, expected) => {
    expect(problems(inModel(body))).toContain(expected);
  });
});

describe('if', () => {
  test('branches keep their structure; equal conditions share one place in the table', () => {
    const text = inModel(`Real x; Real v; Real i; Boolean closed = time > 1; equation
      if closed then v = 0; else i = 0; end if;
      if time < 0.5 then der(x) = 10; elseif closed then x = -5; else x = 1; end if; v + i = 1;`);
    expect(equations(text).slice(1, -1)).toEqual([
      'if closed then',
      '  v = 0;',
      'else',
      '  i = 0;',
      'end if;',
      'if time < 0.5 then',
      '  der(x) = 10;',
      'elseif closed then',
      '  x = -5;',
      'else',
      '  x = 1;',
      'end if;',
    ]);
    expect(modelOf(text).conditions.map((c) => c.label)).toEqual(['closed', 'time < 0.5']);
  });

  test('labels name the component', () => {
    const text = `model S Real v; Real i; Boolean c = time > 1; equation if c then v = 0; else i = 0; end if; i = v + 1; end S;
      model M S a; S b; end M;`;
    expect(modelOf(text).conditions.map((c) => c.label)).toEqual(['a.c', 'b.c']);
  });

  test('conditions of constants are decided, those of parameters stay', () => {
    expect(equations(inModel('Real x; equation if true then x = 1; else x = 2; end if;'))).toEqual([
      'x = 1;',
    ]);
    expect(
      equations(inModel('parameter Boolean p = true; Real x; equation if p then x = 1; else x = 2; end if;')),
    ).toHaveLength(5);
  });

  test('a branch that its parameter excludes need not make sense', () => {
    const text = `model A Real y; equation y = 1; end A;
      model M parameter Boolean has = false; A a if has; Real x; equation if has then x = a.y; else x = 2; end if; end M;`;
    expect(equations(text)).toEqual(['x = 2;']);
  });
});

describe('when', () => {
  test('assignments, reinit, assert and terminate', () => {
    const text = inModel(`Real x(start = 1); discrete Real y; Integer n(start = 0); equation der(x) = -1;
      when x < 0 then reinit(x, 1); n = pre(n) + 1; y = x; assert(n < 9, "many"); terminate("done");
      elsewhen time > 3 then n = 0; y = 2; end when;`);
    expect(equations(text).slice(1)).toEqual([
      'when x < 0 then',
      '  reinit(x, 1);',
      '  n = pre(n) + 1;',
      '  y = x;',
      '  assert(n < 9, "many");',
      '  terminate("done");',
      'elsewhen time > 3 then',
      '  n = 0;',
      '  y = 2;',
      'end when;',
    ]);
  });

  test('a vector of conditions stays a vector', () => {
    expect(
      equations(
        inModel(
          'Integer n(start = 0); equation when {initial(), sample(0, 0.1)} then n = pre(n) + 1; end when;',
        ),
      )[0],
    ).toBe('when {initial(), sample(0, 0.1)} then');
  });

  test('if and for inside', () => {
    const text =
      inModel(`Integer n(start = 0); Integer m[2](each start = 0); Real x; equation der(x) = 1; when time > 1 then
      if x > 2 then n = 1; reinit(x, 0); elseif x > 1 then n = 2; end if; for i in 1:2 loop m[i] = i; end for; end when;`);
    expect(equations(text).slice(1)).toEqual([
      'when time > 1 then',
      '  n = if x > 2 then 1 elseif x > 1 then 2 else pre(n);',
      '  if x > 2 then reinit(x, 0); end if;',
      '  m[1] = 1;',
      '  m[2] = 2;',
      'end when;',
    ]);
  });

  test('edge and change are relations between a variable and its left limit', () => {
    expect(
      equations(
        inModel('Boolean b = time > 1; Integer n = 2; Boolean e = edge(b); Boolean c = change(n);'),
      ).slice(2),
    ).toEqual(['e = b and not pre(b);', 'c = change(n);']);
  });

  test('what a when assigns is discrete', () => {
    const model = modelOf(
      inModel('Real y(start = 0); Real x; equation x = pre(y); when time > 1 then y = 2; end when;'),
    );
    expect(model.variables.map((v) => [v.name, v.variability])).toEqual([
      ['y', 'discrete'],
      ['x', 'continuous'],
    ]);
  });

  test.each([
    [
      'Real x; equation reinit(x, 1); x = 1;',
      'bad-call 2:18 `reinit` can stand only inside a when-equation. | Write `when condition then reinit(…); end when;`.',
    ],
    [
      'Integer x; equation when time > 1 then x + 1 = 2; end when;',
      'bad-binding 2:40 Inside `when` the left side must be a variable. | Write `variable = expression`.',
    ],
    [
      'parameter Integer n = 2; Real x[n] = ones(n); equation when time > 1 then n = 3; end when;',
      'bad-binding 2:75 Inside `when` the left side must be a variable: this is a parameter, which does not change at events. | Declare it without `parameter` or `constant`, with a start value.',
    ],
    [
      'Integer x(start = 0); equation when time > 1 then x = 1; reinit(x, 2); end when;',
      'bad-call 2:65 `reinit` needs a continuous Real variable. | Only states, variables whose derivative appears in the model, can be given new values.',
    ],
    [
      'Real x; equation when x then x = 1; end when;',
      'type-mismatch 2:23 The condition of `when` must be Boolean, not Real.',
    ],
    [
      'Real x; equation when time > 1 then when time > 2 then x = 1; end when; end when;',
      'not-allowed 2:37 When-equations cannot be nested.',
    ],
    [
      'Real x; equation x = {1, 2};',
      'dimension-mismatch 2:18 The sides of the equation have different sizes: scalar and [2].',
    ],
    [
      'Real x; equation x = true;',
      'type-mismatch 2:18 The sides of the equation have different types: Real and Boolean.',
    ],
    ['Real x; equation assert(1, "a"); x = 1;', 'type-mismatch 2:25 `assert` needs a Boolean, not Integer.'],
    [
      'Real x; equation assert(x > 1); x = 1;',
      'bad-call 2:18 The call of `assert` lacks its argument `message`. | Call it as `assert(condition, message, level)`.',
    ],
    [
      'Real x; equation x = 1; transition(x, x, true);',
      'type-mismatch 2:36 A state of a state machine must be a component of this class. | Declare a component (of any class) and name it here.',
    ],
  ])('%s', (body, expected) => {
    expect(problems(inModel(body))).toContain(expected);
  });
});

describe('algorithm sections', () => {
  test('are one equation for all that they assign', () => {
    const model = modelOf(
      inModel(
        'Real x; Real y; Real z[2]; algorithm y := 2*x; for i in 1:2 loop z[i] := y*i; end for; equation der(x) = z[1];',
      ),
    );
    expect(model.equations[0]).toMatchObject({ kind: 'call' });
    expect(
      equations(inModel('Real x = time; Real y(start = 3); algorithm if x > 1 then y := x; end if;'))[1],
    ).toBe('algorithm');
  });

  test('that cause no events are calls', () => {
    expect(
      equations(
        inModel(
          'parameter Real p = 2; Real x = time; Real y(start = 3); algorithm if p > 1 then y := x; end if;',
        ),
      )[1],
    ).toBe('(y) = algorithm(3, p, x);');
  });

  test('with conditions that change keep their statements; values on entry depend on variability', () => {
    const { equations: all, pool } = modelOf(
      inModel(
        'Real x = time; Real y(start = 3); Real z; algorithm if x > 1 then y := x; end if; when x > 2 then z := y; end when;',
      ),
    );
    const [, section] = all;
    expect(section).toMatchObject({
      kind: 'algorithm',
      assigned: [
        { symbol: 1, entry: pool.const(3) },
        { symbol: 2, entry: pool.pre(2) },
      ],
      body: [{ kind: 'if' }, { kind: 'when' }],
    });
  });
});

test('initial equations stand apart', () => {
  const model = modelOf(inModel('Real x; initial equation x = 2; equation der(x) = -x;'));
  expect([model.initialEquations.length, model.equations.length]).toEqual([1, 1]);
});

describe('classes that extend outer ones', () => {
  const rest =
    'package Q0 model X Real y = 1; end X; end Q0; package Q1 model X Real y = 7*time; end X; end Q1; model M inner package Q = Q1; Sub s; end M;';

  test.each([
    ['by their name', 'model Sub outer package Q = Q0; model X = Q.X; X x; end Sub;', 's.x.y'],
    ['as a base', 'model Sub outer package Q = Q0; extends Q.X; end Sub;', 's.y'],
  ])('extend the inner ones, also in packages that are outer: %s', (_, sub, name) => {
    expect(equations(`package P ${sub} ${rest} end P;`, 'P.M')).toEqual([`${name} = 7*time;`]);
  });

  test('components of classes in outer packages are those of the inner one', () => {
    expect(
      equations(`package P model Sub outer package Q = Q0; Q.X x; end Sub; ${rest} end P;`, 'P.M'),
    ).toEqual(['s.x.y = 7*time;']);
  });
});
