/** What the types of models allow and refuse; the compiler checks this file, and running it checks that the errors are real. */
import { describe, expect, test } from 'vitest';
import {
  array,
  Map as Changes,
  Class,
  Failure,
  flow,
  Integer,
  instantiate,
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
    // @ts-expect-error: no such member
    expect((await simulation.simulate({ merge: { two: { k: 1 } } })).status).toBe('failed');
    // A component may have been redeclared as another model: only a run can tell.
    expect((await simulation.simulate({ merge: { one: { kk: 1 } } })).status).toBe('failed');
    // @ts-expect-error: a function is no value
    expect((await simulation.simulate({ merge: { one: { k: () => 1 } } })).status).toBe('failed');
  });
});
