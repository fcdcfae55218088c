import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { inModel, modelOf, problems } from './notation.ts';

test('attributes of a variable, through types and modifiers', () => {
  const model = modelOf(`type Length = Real(unit = "m", quantity = "Length", min = 0);
    model M parameter Real s = 2; Length x(start = s, fixed = true, displayUnit = "mm", nominal = 10, stateSelect = StateSelect.prefer) "position";
    equation der(x) = -x; end M;`);
  const x = model.variables[1]!;
  expect(x).toMatchObject({
    name: 'x',
    type: 'Real',
    unit: 'm',
    displayUnit: 'mm',
    quantity: 'Length',
    description: 'position',
    fixed: true,
    stateSelect: 'prefer',
    hidden: false,
    guard: [],
    variability: 'continuous',
    causality: 'local',
  });
  expect([x.start?.kind, x.min, x.nominal]).toEqual(['ref', model.pool.zero, model.pool.const(10)]);
});

test('attributes of arrays hold for each element or have a value for each', () => {
  const model = modelOf(inModel('Real x[2](each start = 1, fixed = {true, false}); equation der(x) = -x;'));
  expect(model.variables[0]!.fixed).toEqual([true, false]);
  expect(model.variables[0]!.start).toBe(model.pool.one);
});

describe('scalars for arrays', () => {
  const cell =
    'model C parameter Real p = 1; Real x[2](each start = 1, each fixed = true); equation der(x) = {p, p}; end C;';

  test.each([
    ['literal', inModel('Real x[2](start = 1); equation der(x) = -x;'), '`start` of `x`, which is an array'],
    [
      'expression',
      inModel('parameter Real s = 1; Real x[2](start = s); equation der(x) = -x;'),
      '`start` of `x`, which is an array',
    ],
    ['text', inModel('Real x[2](unit = "s") = {time, time};'), '`unit` of `x`, which is an array'],
    ['inherited', `${cell} model M extends C(x(start = 4)); end M;`, '`start` of `x`, which is an array'],
    ['around', `${cell} model M C c[3](each x(start = 4)); end M;`, '`start` of `c.x`, which is an array'],
    [
      'components',
      `${cell} model M parameter Real k = 3; C c[2](p = k); end M;`,
      '`c.p`, which is in an array',
    ],
  ])('%s', (_, text, what) => {
    const told = problems(text).filter((problem) => problem.includes('dimension-mismatch'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`A scalar is given for ${what}.`);
  });

  test.each([
    ['each', inModel('Real x[2](each start = 1); equation der(x) = -x;')],
    ['a list', inModel('Real x[2](start = {1, 2}); equation der(x) = -x;')],
    [
      'of the type of elements',
      `type T = Real(start = 2, unit = "m"); model M T x[2]; equation der(x) = -x; end M;`,
    ],
    ['each of a list', `${cell} model M C c[3](each x(start = {4, 5})); end M;`],
    ['each inside', `${cell} model M C c[3](x(each start = 4)); end M;`],
    ['each of components', `${cell} model M parameter Real k = 3; C c[2](each p = k); end M;`],
  ])('right: %s', (_, text) => {
    expect(problems(text).filter((problem) => problem.includes('dimension-mismatch'))).toEqual([]);
  });
});

test('variability by declaration, type and when', () => {
  const model = modelOf(
    inModel(`constant Integer c = 1; parameter Boolean p = true; Boolean b = time > 1; Integer n = 2; Real w(start = 0); Real x;
      equation der(x) = 1; when b then w = x; end when;`),
  );
  expect(model.variables.map((v) => `${v.name} ${v.variability}`)).toEqual([
    'c constant',
    'p parameter',
    'b discrete',
    'n discrete',
    'w discrete',
    'x continuous',
  ]);
});

test('protected variables and HideResult are hidden', () => {
  const model = modelOf(
    inModel('Real a = 1; Real b = 2 annotation(HideResult = true); protected Real c = 3;'),
  );
  expect(model.variables.map((v) => v.hidden)).toEqual([false, true, true]);
});

describe('differences of temperatures', () => {
  const measures = (text: string): string[] =>
    modelOf(text).variables.map(({ name, displayUnit, quantity }) =>
      `${name}: ${displayUnit || 'own'} ${quantity}`.trim(),
    );

  test('are not shown in a unit whose zero lies elsewhere', () => {
    expect(
      measures(`type TD = Real(unit = "K", displayUnit = "degC") annotation(absoluteValue = false);
        type Deep = TD(quantity = "ThermodynamicTemperature");
        type T = Real(unit = "K", displayUnit = "degC", quantity = "ThermodynamicTemperature");
        type Long extends TD; end Long;
        type Again = TD annotation(absoluteValue = true);
        model M T a = 300; TD b = 10; Deep c = 10; Long d[2] = {1, 2}; Again e = 300;
          T f = 10 annotation(absoluteValue = false); TD g = 300 annotation(absoluteValue = true);
          Real h(unit = "K", displayUnit = "degF", quantity = "TemperatureDifference") = 10;
          Real k(unit = "degC", displayUnit = "K", quantity = "TemperatureDifference") = 10; end M;`),
    ).toEqual([
      'a: degC ThermodynamicTemperature',
      'b: own',
      'c: own TemperatureDifference',
      'd: own',
      'e: degC',
      'f: own TemperatureDifference',
      'g: degC',
      'h: own TemperatureDifference',
      'k: own TemperatureDifference',
    ]);
  });

  test('keep display units with the same zero, and annotations that say nothing change nothing', () => {
    expect(
      measures(
        inModel(`Real a(unit = "K", displayUnit = "mK") = 1 annotation(absoluteValue = false);
          Real b(unit = "m", displayUnit = "mm") = 1 annotation(absoluteValue = false);
          Real c(unit = "K", displayUnit = "degC") = 1 annotation(absoluteValue = 0);
          Real d(unit = "K", displayUnit = "degC") = 1 annotation(__Other(absoluteValue = false));`),
      ),
    ).toEqual(['a: mK', 'b: mm', 'c: degC', 'd: degC']);
  });

  test('can be added to a temperature in degC, whatever quantity their type names', () => {
    const type = 'type TD = Real(unit = "K", quantity = "ThermodynamicTemperature")';
    const body = 'input TD d; input Real T(unit = "degC"); Real sum(unit = "degC") = T + d;';
    const found = (annotation: string) => problems(`${type} ${annotation}; ${inModel(body)}`);
    expect(found('annotation(absoluteValue = false)')).toEqual([]);
    expect(found('').join()).toContain('unit-mismatch');
  });
});

test('enumerations keep the names of their literals', () => {
  const model = modelOf(inModel('type E = enumeration(one, two); parameter E e = E.two;'));
  expect(model.variables[0]).toMatchObject({ type: 'Integer', literals: ['one', 'two'] });
  expect(model.variables[0]!.binding).toBe(model.pool.const(2));
});

test('the experiment annotation, each setting from the nearest class that has it', () => {
  const text = `model Base annotation(experiment(StartTime = 1, StopTime = 5, Tolerance = 1e-4)); end Base;
    model M extends Base; annotation(experiment(StopTime = 1e1, NumberOfIntervals = 20, Interval = 0.5)); end M;`;
  expect(modelOf(text).experiment).toEqual({
    startTime: 1,
    stopTime: 10,
    tolerance: 1e-4,
    interval: 0.5,
    intervals: 20,
  });
  expect(modelOf(inModel('Real x = 1;')).experiment).toEqual({});
});

test('a parameter that an attribute needs is structural', () => {
  const model = modelOf(
    inModel('parameter Boolean f = true; Real x(fixed = f, start = 1); equation der(x) = 1;'),
  );
  expect(model.variables[0]!.structural).toBe(true);
});

test('an input with a value of its own is an ordinary variable', () => {
  const model = modelOf(inModel('input Real u = 3; input Real w; Real y = u + w;'));
  expect(model.variables.map((v) => v.causality)).toEqual(['local', 'input', 'local']);
});

test('a constant without a value is an error', () => {
  expect(problems(inModel('constant Real c; Real x = c;'))).toContain(
    'no-value 2:15 The constant `c` has no value.',
  );
});

describe('wrong attributes', () => {
  test.each([
    ['Real x(start = true) = 1;', 'type-mismatch 2:16 `start` of `x` is Real but is given Boolean.'],
    [
      'Real x[2](start = {1, 2, 3}) = {1, 2};',
      'dimension-mismatch 2:19 `start` of `x` has sizes [2] but is given [3].',
    ],
    ['Real x(unit = 3) = 1;', 'type-mismatch 2:15 `unit` of `x` is String but is given Integer.'],
    [
      'Real x(fixed = time > 1) = 1;',
      'variability 2:16 `fixed` of `x` must be known before the simulation starts.',
    ],
    ['Real x(start = y) = 1;', 'unknown-name 2:16 There is no `y` in M.'],
  ])('%s', (body, expected) => {
    expect(problems(inModel(body))).toContain(expected);
  });
});

test('the flat model as text', () => {
  const model = modelOf(`function twice input Real u; output Real y; algorithm y := 2*u; end twice;
    connector Pin Real v(unit = "V"); flow Real i(unit = "A"); end Pin;
    model M "all of it" parameter Integer n = 2 "count"; Real x[n](each start = 1); Pin p; Boolean b = x[1] > 0;
    initial equation x[1] = 3;
    equation for i in 1:n loop der(x[i]) = twice(x[i]); end for; p.v = 1;
    when b then reinit(x[1], -x[1]); end when;
    assert(x[1] > -9, "low", AssertionLevel.warning);
    end M;`);
  expect(printFlat(model)).toBe(`model M "all of it"
  function twice
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end twice;
  final parameter Integer n = 2 "count";
  Real[2] x(each start = 1);
  Real 'p.v'(unit = "V") annotation(__Mutabor(potential = true));
  Real 'p.i'(unit = "A");
  Boolean b;
initial equation
  x[1] = 3;
equation
  b = x[1] > 0;
  for i in 1:2 loop
    der(x[i]) = twice(x[i]);
  end for;
  'p.v' = 1;
  when b then
    reinit(x[1], -x[1]);
  end when;
  assert(x[1] > -9, "low", AssertionLevel.warning);
  'p.i' = 0;
end M;
`);
});
