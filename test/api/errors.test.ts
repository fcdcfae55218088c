/** Mistakes: each is told at once, with what is meant and where it stands. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  array,
  Changes,
  Class,
  Component,
  connect,
  Failure,
  Integer,
  type Items,
  instantiate,
  loadModel,
  Model,
  merge,
  modelica,
  Par,
  potential,
  quantity,
  redeclare,
  renderDiagnostic,
  simulate,
  Var,
} from '../../src/index.ts';
import { Capacitor, Resistor } from './electric.ts';
import { problemOf, problemsOf } from './notation.ts';

/** Anything, past the types. */
const anything = (value: unknown): never => value as never;

const Body = Model('Body', { m: 1, v: Var({ init: 0, unit: 'm/s' }), equations: modelica`m*der(v) = 1` });
const Pair = Model('Pair', { left: Body, right: Body.with({ m: 2 }), row: array(Body, 3) });

test('a size that is a Real number', () => {
  expect(problemOf(() => loadModel(Model({ n: 3, x: Var({ size: 'n' }) })))).toBe(
    'type-mismatch: An array size must be an Integer, not Real. (Declare `n` as Integer; in TypeScript, `n: Integer(…)`.)',
  );
});

describe('unknown names', () => {
  test('in a change, with the nearest name', () => {
    expect(problemOf(() => Body.with(anything({ M: 2 })))).toBe(
      'unknown-modifier: There is no `M` in `Body`. (Did you mean `m`?)',
    );
    expect(problemOf(() => Pair.with({ left: anything({ mass: 2 }) }))).toBe(
      'unknown-modifier: There is no `mass` in `left`. (It has m, v. Use a `Model` instead of a map to add something.)',
    );
    expect(problemOf(() => merge(Pair, { row: { v: anything({ strat: 1 }) } }))).toBe(
      'unknown-modifier: `row.v` has no attribute `strat`. (Did you mean `start`?)',
    );
    expect(problemOf(() => Var(anything({ strat: 1 })))).toBe(
      'unknown-modifier: The variable has no attribute `strat`. (Did you mean `start`?)',
    );
    expect(problemOf(() => Model({ x: null }))).toBe('unknown-modifier: There is no `x` to be removed.');
    expect(problemOf(() => Pair.with({ left: null, right: anything({ left: null }) }))).toMatch(
      /no `left` in `right`/,
    );
    expect(problemOf(() => Model({ experiment: anything({ stoptime: 1 }) }))).toMatch(
      /Did you mean `stopTime`/,
    );
  });

  test('all mistakes of a call are told together', () => {
    const list = problemsOf(() => Pair.with(anything({ lft: {}, right: { n: 1 }, row: 5 })));
    expect(list.map(({ code }) => code)).toEqual(['unknown-modifier', 'unknown-modifier', 'bad-binding']);
  });

  test('of classes in Modelica are found when the model is translated', () => {
    const Uses = Model({ a: Class('Nowhere.Resistor') });
    expect(problemOf(() => loadModel(Uses))).toMatch(/unknown-class: .*Nowhere/);
    expect(problemOf(() => Class('not a name'))).toMatch(
      /bad-binding: `not a name` is not the name of a class/,
    );
  });
});

describe('wrong values', () => {
  test('of members', () => {
    const refusal = (value: unknown): string => problemOf(() => Model({ x: anything(value) }));
    expect(refusal(Number.NaN)).toMatch(/bad-binding: The value of `x` is not a number/);
    expect(refusal(Number.NEGATIVE_INFINITY)).toMatch(/bad-binding: The value of `x` is infinite/);
    expect(refusal(Float64Array.of(1, 2))).toMatch(/bad-binding: The value of `x` is a typed array/);
    expect(refusal(Number.POSITIVE_INFINITY)).toMatch(/bad-binding: The value of `x`/);
    expect(refusal(() => 1)).toMatch(/is a function/);
    expect(refusal(5n)).toMatch(/is a bigint/);
    expect(refusal({ start: 1 })).toMatch(/`x` is an object, but there is nothing that it could change/);
    expect(refusal([[1, 2], [3]])).toBe(
      'dimension-mismatch: The rows in the value of `x` have different lengths.',
    );
    expect(refusal(redeclare(Body))).toMatch(/There is no `x` to be replaced/);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(refusal(circle)).toMatch(/bad-binding/);
  });

  test('of attributes', () => {
    expect(problemOf(() => Par({ unit: anything(5) }))).toBe(
      'bad-binding: The attribute `unit` of the variable must be a text.',
    );
    expect(problemOf(() => Var({ stateSelect: anything('maybe') }))).toMatch(/one of never, avoid, default/);
    expect(problemOf(() => Var({ size: anything(-1) }))).toMatch(/-1 is not a size of the variable/);
    expect(problemOf(() => Var({ size: ['n', 'n +'] }))).toMatch(/`n \+` is not a size/);
    expect(problemOf(() => array(Body, 1.5))).toMatch(/1\.5 is not a size of the component/);
    expect(problemOf(() => Component(Body, anything({ iner: true })))).toMatch(/Did you mean `inner`/);
    expect(problemOf(() => Component(anything(5), {}))).toMatch(/A component needs a model/);
    expect(problemOf(() => redeclare(anything(5)))).toMatch(/Only a model or a variable/);
    expect(problemOf(() => Var({ type: 'Real x; Real' }))).toMatch(/must be the name of a class/);
    expect(problemOf(() => Var({ flow: anything('yes') }))).toMatch(/must be true or false/);
  });

  test('of components', () => {
    expect(problemOf(() => Pair.with({ left: anything(5) }))).toBe(
      'bad-binding: `left` is a component; it cannot have a value. (Write `left: { … }` with the names inside it.)',
    );
    expect(problemOf(() => Pair.with({ left: Resistor }))).toMatch(/`left: redeclare\(…\)` to replace it/);
    expect(problemOf(() => Body.with({ m: anything(Resistor) }))).toMatch(
      /`m` is a variable, not a component/,
    );
    expect(problemOf(() => Model({ extends: anything(5) }))).toMatch(/`extends` needs a model/);
    expect(problemOf(() => merge(Changes({ a: 1 }), anything(Body)))).toMatch(/cannot be merged into a map/);
    expect(problemOf(() => Model(anything(5)))).toMatch(/An object with names and values is needed/);
    expect(problemOf(() => Model({ builtIn: anything({ name: 'x' }) }))).toMatch(/`builtIn` must be/);
  });

  test('changes that contain themselves', () => {
    const circle: Record<string, unknown> = {};
    circle.left = circle;
    expect(problemOf(() => Class('A').with(circle as Items))).toMatch(/cyclic-definition/);
    expect(problemsOf(() => merge(circle as Items, circle as Items))[0]?.code).toBe('cyclic-definition');
  });

  test('units of another kind', () => {
    expect(problemOf(() => Body.with({ v: { init: quantity(3, 'kg') } }))).toBe(
      'type-mismatch: A value in `kg` cannot be given to `v`, whose unit is `m/s`.',
    );
    expect(problemOf(() => Body.with({ v: { unit: 'V' } }))).toBe(
      'type-mismatch: The unit of `v` is `m/s`; `V` is of another kind.',
    );
    expect(problemOf(() => Par({ value: quantity(1, 'parsek'), unit: 'm' }))).toMatch(
      /`parsek`.* is not known/,
    );
    expect(problemOf(() => Model({ p: Par({ value: quantity(1, 'bar'), unit: 'K' }) }))).toMatch(
      /cannot be given to `p`/,
    );
  });
});

describe('names', () => {
  test('must be identifiers', () => {
    expect(problemOf(() => Model({ 'a b': 1 }))).toBe(
      "bad-binding: `a b` cannot be the name of a member: names consist of letters, digits and `_`. (In quotes it can: `'a b'`.)",
    );
    expect(problemOf(() => Model({ when: 1 }))).toMatch(/`when` cannot be .* reserved word of Modelica/);
    expect(problemOf(() => Model('2nd', {}))).toMatch(/`2nd` cannot be the name of a model/);
    expect(loadModel(Model({ "'a b'": 1 })).variables.map(({ name }) => name)).toEqual(["'a b'"]);
  });

  test('in templates must be names', () => {
    expect(problemOf(() => modelica`x = ${'1; y = 2'}`)).toMatch(/`1; y = 2` in a template is not a name/);
    expect(problemOf(() => modelica`x = ${Number.NaN}`)).toMatch(/NaN cannot stand in a model/);
    expect(problemOf(() => modelica`x = ${anything({})}`)).toMatch(/can be inserted/);
    expect(problemOf(() => connect('a'))).toMatch(/at least two/);
  });
});

describe('equations', () => {
  test('whose units do not fit are told at their place in the template', () => {
    const Falling = Model('Falling', {
      m: Par({ value: 2, unit: 'kg' }),
      s: Var({ init: 0, unit: 'm' }),
      v: Var({ init: 1, unit: 'm/s' }),
      equations: modelica`
        der(s) = v;
        m*der(v) = -s;
      `,
    });
    const [problem, ...others] = instantiate(Falling).diagnostics;
    expect(others).toEqual([]);
    expect([problem?.severity, problem?.code]).toEqual(['warning', 'unit-mismatch']);
    expect(renderDiagnostic(problem!)).toMatch(
      /errors\.test\.ts:\d+:9: .*\n +\d+ \| +m\*der\(v\) = -s;\n +\| +\^{13}\n/,
    );
  });

  test('that cannot be read are told at their place in the template', () => {
    const [problem] = problemsOf(() =>
      Model({
        x: 1,
        equations: modelica`
          x = 2;
          y = * 3;
        `,
      }),
    );
    expect([problem?.code, problem?.message]).toEqual(['syntax-error', 'expected an expression, found `*`']);
    expect(renderDiagnostic(problem!)).toMatch(/errors\.test\.ts:\d+:15: .*\n +\d+ \| +y = \* 3;\n +\| +\^$/);
    expect(problemOf(() => Model({ x: modelica`1 +` }))).toMatch(/syntax-error/);
    expect(problemOf(() => Model({ x: modelica`a = b` }))).toMatch(/expected the end of the expression/);
    expect(problemOf(() => Model({ equations: anything('x = 1') }))).toMatch(/not a template/);
    expect(problemOf(() => Model({ declarations: modelica`x = 1;` }))).toMatch(/expected a declaration/);
    expect(problemOf(() => Model({ equations: modelica`x = 1; end Model; model B` }))).toMatch(
      /syntax-error/,
    );
  });

  test('with unknown names are told at their place, when the model is translated', () => {
    const Wrong = Model({
      b: Model({
        x: Var({ init: 1 }),
        equations: modelica`
          der(x) = -y;
        `,
      }),
    });
    const [problem] = problemsOf(() => loadModel(Wrong));
    expect(problem?.code).toBe('unknown-name');
    expect(renderDiagnostic(problem!)).toMatch(
      /errors\.test\.ts:\d+:21: error: .*\n +\d+ \| +der\(x\) = -y;\n +\| {21}\^/,
    );
  });

  test('in changes are told at their place, too', () => {
    const change = modelica`2*nothing`;
    const [problem] = problemsOf(() => loadModel(Model({ b: Body.with({ m: change }) })));
    expect(renderDiagnostic(problem!)).toMatch(
      /errors\.test\.ts:\d+:31: error: .*nothing.*\n.*2\*nothing\n +\| +\^{7}/s,
    );
  });

  test('that connect what is no connector', () => {
    const Wrong = Model({ a: Capacitor, b: Body, connections: connect('a.p', 'b') });
    const [problem] = problemsOf(() => loadModel(Wrong));
    expect(problem?.code).toBe('not-a-connector');
    expect(problem?.span && renderDiagnostic(problem)).toContain('errors.test.ts');
    const Different = Model({ a: Capacitor, b: Model({ x: potential }), connections: connect('a.p', 'b') });
    expect(problemsOf(() => loadModel(Different))[0]?.code).toBe('connector-mismatch');
  });

  test('of what goes wrong while it runs', async () => {
    const Wrong = Model({ y: Var(), equations: modelica`y = log(0.5 - time);` });
    const { status, diagnostics } = await simulate(loadModel(Wrong));
    expect(status).toBe('failed');
    expect(renderDiagnostic(diagnostics[0]!)).toMatch(/errors\.test\.ts:\d+:\d+: error: Logarithm of zero/);
  });
});

describe('whatever is given', () => {
  const given = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
    fc.object({
      key: fc.constantFrom(
        'm',
        'v',
        'left',
        'right',
        'start',
        'init',
        'extends',
        'equations',
        'size',
        '__proto__',
      ),
    }),
    fc.constantFrom(
      Body,
      Pair,
      Var({ init: 1 }),
      modelica`2`,
      redeclare(Body),
      quantity(2, 'kg'),
      Changes({ m: 1 }),
    ),
  );

  /** Nothing but a `Failure` may be thrown; a model that was made must be one that the front end accepts or refuses. */
  function refusedOrRight(make: () => unknown): void {
    try {
      const made = make();
      if (made instanceof Pair.constructor) loadModel(made as typeof Pair);
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      expect(problem.diagnostics.length).toBeGreaterThan(0);
      for (const item of problem.diagnostics) expect(renderDiagnostic(item)).toContain('error');
    }
  }

  test('it is right, or the failure says what is wrong', () => {
    fc.assert(
      fc.property(given, given, (a, b) => {
        refusedOrRight(() => Model(anything(a)));
        refusedOrRight(() => Model({ x: anything(a), y: anything(b) }));
        refusedOrRight(() => Model({ extends: Pair, left: anything(a), equations: anything(b) }));
        refusedOrRight(() => Pair.with(anything(a)));
        refusedOrRight(() => Pair.with({ left: anything(a), row: { v: anything(b) } }));
        refusedOrRight(() => merge(Pair, anything(a), anything(b)));
        refusedOrRight(() => merge(anything(a), anything(b)));
        refusedOrRight(() => Class('Lib.A').with({ x: anything(a) }));
        refusedOrRight(() => Model({ x: Var(anything(a), anything(b)) }));
        refusedOrRight(() => Model({ c: Component(Body, anything(a)), d: array(Body, anything(b)) }));
        refusedOrRight(() => modelica`x = ${anything(a)}`);
      }),
      { numRuns: 150 },
    );
  });
});

describe('limits', () => {
  test('components in components', () => {
    let model = Model({ x: 1 });
    for (let k = 0; k < 600; k++) model = anything(Model({ m: model, k }));
    expect(problemOf(() => loadModel(model))).toMatch(/limit-exceeded/);
  });

  test('an array of components is no model', () => {
    expect(problemOf(() => loadModel(array(Body, 3)))).toMatch(/no-model: `Body` is an array of components/);
    expect(problemOf(() => Model({ extends: array(Body, 3) }))).toMatch(/not an array of components/);
    expect(problemOf(() => Model({ bodies: anything([Body, Body]) }))).toMatch(/Write `array\(model, n\)`/);
  });

  test('names in templates are known', () => {
    const Gears = Model({ declarations: modelica`parameter Real ratio = 2; function f = sin;`, x: 1 });
    expect(problemOf(() => Gears.with(anything({ ration: 3 })))).toMatch(/There is no `ration`/);
    const open = Gears.with(anything({ ratio: 3 }));
    expect(loadModel(open).variables.map(({ name }) => name)).toEqual(['ratio', 'x']);
  });

  test('what is in Modelica cannot be taken away', () => {
    expect(problemOf(() => Class('Lib.A').with({ x: null }))).toMatch(
      /unsupported: `x` is declared in Modelica/,
    );
  });

  test('a failure is an error with all messages', () => {
    expect(() => Body.with(anything({ a: 1, b: 2 }))).toThrow(Failure);
    expect(() => Body.with(anything({ a: 1 }))).toThrow('There is no `a` in `Body`.');
    const [problem] = problemsOf(() => Integer(anything({ unite: 'm' })));
    expect(renderDiagnostic(problem!)).toMatch(
      /^\/.*errors\.test\.ts:\d+:\d+: error: The variable has no attribute `unite`.*\n {2}hint/,
    );
  });
});
