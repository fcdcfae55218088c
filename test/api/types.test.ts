/** What the types of models allow and refuse; the compiler checks this file, and running it checks that the errors are real. */
import { describe, expect, test } from 'vitest';
import {
  type AnyModel,
  array,
  Changes,
  Class,
  Failure,
  flow,
  Integer,
  instantiate,
  type Merge,
  Model,
  merge,
  modelica,
  Par,
  potential,
  quantity,
  redeclare,
  Var,
} from '../../src/index.ts';

const Pin = Model({ v: potential, i: flow({ unit: 'A' }) });
const OnePort = Model({ p: Pin, n: Pin, v: Var(), equations: modelica`v = p.v - n.v; p.i + n.i = 0;` });
const Resistor = Model({
  extends: OnePort,
  R: Par({ value: 1, unit: 'Ohm' }),
  equations: modelica`R*p.i = v`,
});
const Named = Model('Named', {
  on: true,
  A: [
    [1, 2],
    [3, 4],
  ],
  n: Integer(3),
  text: 'a',
  y: modelica`2`,
});
const Circuit = Model({ r: Resistor, all: array(Resistor, 3), named: Named, lib: Class('Lib.A') });

/** Runs what the types refuse: it has to fail. */
const refused = (call: () => unknown): void => expect(call).toThrow(Failure);

describe('changes', () => {
  test('may name members, inherited ones and those inside', () => {
    Resistor.with({ R: 5 });
    Resistor.with({ R: modelica`2`, v: { init: 1, unit: 'V' }, p: { i: Var({ nominal: 3 }) } });
    Circuit.with({
      r: { R: quantity(5, 'kOhm') },
      all: { R: [1, 2, 3] },
      named: { on: false, A: [[1]], n: 5 },
    });
    Circuit.with({ r: null, equations: modelica`x = 1`, named: { text: 'b', y: modelica`3` } });
    Circuit.with({ r: redeclare(OnePort), lib: { anything: { goes: 5 } } });
    Circuit.with(Changes({ r: { R: 1 } }));
    merge(Circuit, { r: { R: 1 } }, { named: { on: true } });
    Class('Lib.A').with({ x: 5, y: { z: { start: 1 } } });
  });

  test('may not name anything else', () => {
    // @ts-expect-error: no such member
    refused(() => Resistor.with({ r: 5 }));
    // @ts-expect-error: no such member in the component
    refused(() => Circuit.with({ r: { RR: 5 } }));
    // @ts-expect-error: no such attribute
    refused(() => Circuit.with({ r: { v: { strat: 5 } } }));
    // @ts-expect-error: a component has no value
    refused(() => Circuit.with({ named: 5 }));
    // @ts-expect-error: no such member
    refused(() => merge(Resistor, { r: 5 }));
    // @ts-expect-error: a function is no value
    refused(() => Resistor.with({ R: () => 5 }));
    // @ts-expect-error: no such member in an array of components
    refused(() => Circuit.with({ all: { RR: 5 } }));
  });
});

describe('models', () => {
  test('know their members', () => {
    const Extended = merge(Resistor, Model({ T: 300 }));
    Extended.with({ T: 20, R: 2 });
    // @ts-expect-error: no such member
    refused(() => Extended.with({ U: 2 }));
  });

  test('check what the reserved names mean', () => {
    // @ts-expect-error: equations are templates
    refused(() => Model({ equations: 'x = 1' }));
    // @ts-expect-error: no such class
    refused(() => Model({ class: 'package' }));
    // @ts-expect-error: a model is extended, not a number
    refused(() => Model({ extends: 5 }));
    // @ts-expect-error: no such attribute
    refused(() => Var({ strat: 5 }));
    // @ts-expect-error: no such choice
    refused(() => Par({ stateSelect: 'sometimes' }));
  });
});

describe('runs of models with other parts', () => {
  const Part = Model({ k: 1, y: modelica`k` });
  const Other = Model({ k: 1, gain: 2, y: modelica`gain*k` });
  const Whole = Model({ part: Part, around: Model({ part: Part }) });
  const value = async (model: typeof Whole | AnyModel, name: string, merge: object) =>
    (await instantiate(model as AnyModel).simulate({ merge: merge as Merge })).table.value(name, 1);

  test('know what is inside as long as nothing is redeclared', async () => {
    const other = Whole.with({ part: { k: 3 } });
    instantiate(other).parameters({ part: { k: 5 }, around: { part: { k: 2 } } });
    // @ts-expect-error: no such member inside
    refused(() => instantiate(other).parameters({ around: { part: { gain: 5 } } }));
    // @ts-expect-error: no such member inside
    refused(() => instantiate(merge(Whole, { part: { k: 3 } })).parameters({ part: { gain: 5 } }));
    expect(await value(other, 'part.y', {})).toBe(3);
  });

  test('allow any name in components of which one was redeclared', async () => {
    const redeclared = Whole.with({ part: redeclare(Other) });
    instantiate(redeclared).parameters({ part: { gain: 5 } });
    instantiate(merge(Whole, { around: { part: redeclare(Other) } })).parameters({
      around: { part: { gain: 5 } },
    });
    instantiate(Whole.with(Changes({ part: redeclare(Other) }))).parameters({ part: { gain: 5 } });
    const Extended = Model({ extends: Whole, part: redeclare(Other), own: 1 });
    instantiate(Extended).parameters({ part: { gain: 5 }, own: 2 });
    const Deeper = Model({ extends: Whole, around: { part: redeclare(Other) } });
    instantiate(Deeper).parameters({ around: { part: { gain: 5 } } });
    // @ts-expect-error: but no member that there is not
    refused(() => instantiate(redeclared).parameters({ pert: { gain: 5 } }));
    // @ts-expect-error: neither in a change
    refused(() => Whole.with({ part: redeclare(Other), pert: 1 }));
    expect(await value(redeclared, 'part.y', { part: { gain: 5 } })).toBe(5);
    expect(await value(Extended, 'part.y', { part: { gain: 7 } })).toBe(7);
  });

  test('allow any name where some are declared in Modelica', async () => {
    const Declares = Model({ a: 1, declarations: modelica`parameter Real p = 1; Real q = 2*p;` });
    instantiate(Declares).parameters({ a: 2, p: 3 });
    instantiate(Model({ d: Declares, e: Model({ extends: Declares }) })).parameters({
      d: { p: 3 },
      e: { p: 2 },
    });
    Declares.with({ p: 3 });
    expect(await value(Declares, 'q', { p: 3 })).toBe(6);
  });
});

describe('runs', () => {
  const Decay = Model({ k: 1, x: Var({ init: 1 }), equations: modelica`der(x) = -k*x` });
  const simulation = instantiate(Model({ one: Decay, many: array(Decay, 2) }));

  test('take values of members', async () => {
    const { table } = await simulation.simulate({
      merge: { one: { k: 2, x: { init: 3 } }, many: [{ k: 1 }, { k: 0 }], 'many[2].x.start': 5 },
    });
    expect(table.value('one.x', 1)).toBeCloseTo(3 * Math.exp(-2), 5);
    expect(table.value('many[2].x', 1)).toBe(5);
    expect(simulation.parameter('one.k', { one: { k: 7 } }).value).toBe(7);
    expect((await simulation.simulate({ merge: Changes({ one: { k: 0 } }) })).status).toBe('done');
  });

  test('take nothing else', async () => {
    const Two = Model({ one: Decay });
    // @ts-expect-error: no such member inside, in all runs
    refused(() => instantiate(Two, { merge: { one: { kk: 1 } } }));
    // @ts-expect-error: no such member
    expect((await simulation.simulate({ merge: { two: { k: 1 } } })).status).toBe('failed');
    // @ts-expect-error: no such member inside
    expect((await simulation.simulate({ merge: { one: { kk: 1 } } })).status).toBe('failed');
    // @ts-expect-error: nor beside one that there is
    expect((await simulation.simulate({ merge: { one: { k: 1, kk: 1 } } })).status).toBe('failed');
    // @ts-expect-error: nor in a list of components
    expect((await simulation.simulate({ merge: { many: [{ k: 1 }, { kk: 1 }] } })).status).toBe('failed');
    // @ts-expect-error: a parameter has attributes, but not this one
    expect((await simulation.simulate({ merge: { one: { k: { strat: 1 } } } })).status).toBe('failed');
    // @ts-expect-error: a function is no value
    expect((await simulation.simulate({ merge: { one: { k: () => 1 } } })).status).toBe('failed');
  });
});
