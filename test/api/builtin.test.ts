/** Built-in components in models written in TypeScript. */
import { describe, expect, test } from 'vitest';
import { capacitor } from '../../examples/typescript/capacitor.ts';
import {
  array,
  type BuiltIn,
  connect,
  instantiate,
  Model,
  modelFromJson,
  modelica,
  modelToJson,
  toModelica,
  Var,
} from '../../src/index.ts';
import { ConstantVoltage, Ground, Pin, Resistor } from './electric.ts';
import { expectClose, final, problemOf } from './notation.ts';

const Capacitor = Model('Capacitor', {
  builtIn: capacitor,
  p: Pin,
  n: Pin,
  C: 1,
  v0: 0,
  w: Var({ unit: 'V' }),
  equations: modelica`w = p.v - n.v; 0 = p.i + n.i;`,
});
const Filter = Model('Filter', {
  V: ConstantVoltage.with({ V: 10 }),
  R: Resistor.with({ R: 0.5 }),
  C: Capacitor.with({ C: 2, v0: 0.1 }),
  ground: Ground,
  connections: [connect('V.p', 'R.p'), connect('R.n', 'C.p'), connect('C.n', 'V.n', 'ground.p')],
});

const charged = (V: number, v0: number, tau: number, t: number): number => V - (V - v0) * Math.exp(-t / tau);

describe('a built-in component', () => {
  test('is a part of a model, brought along by it', async () => {
    expectClose(await final(Filter, 10, ['C.w', 'C.v']), [9.99955054069535, 9.99955054069535]);
    expectClose(await final(Filter.with({ R: { R: 5 } }), 10, ['C.w']), [6.357993532402721]);
  });

  test('takes other values in each run', async () => {
    const filter = instantiate(Filter);
    const { table } = await filter.simulate({
      stopTime: 1,
      tolerance: 1e-10,
      merge: { C: { v0: 3 }, R: { R: 1 } },
    });
    expectClose([table.value('C.w', 1)], [charged(10, 3, 2, 1)]);
  });

  test('is inherited, and can be in arrays', async () => {
    const Two = Model({
      V: ConstantVoltage.with({ V: 1 }),
      R: array(Resistor, 2).with({ R: [1, 2] }),
      C: array(Model({ extends: Capacitor, n0: 0 }), 2),
      ground: Ground,
      connections: modelica`
        for i in 1:2 loop
          connect(V.p, R[i].p);
          connect(R[i].n, C[i].p);
          connect(C[i].n, ground.p);
        end for;
        connect(V.n, ground.p);
      `,
    });
    expectClose(await final(Two, 1, ['C[1].w', 'C[2].w']), [charged(1, 0, 1, 1), charged(1, 0, 2, 1)]);
  });

  test('is an annotation in Modelica, and a name in JSON', async () => {
    expect(toModelica(Capacitor)).toContain('annotation (__Mutabor(builtIn = "capacitor"));');
    const text = modelToJson(Filter);
    expectClose(await final(modelFromJson(text, [capacitor]), 10, ['C.w']), [9.99955054069535]);
    expect(problemOf(() => modelFromJson(text))).toMatch(/`capacitor` was not given/);
  });

  test('shares its name with no other', () => {
    const other: BuiltIn = { name: 'capacitor', allocate: () => undefined, begin: () => {} };
    expect(problemOf(() => instantiate(Model({ a: Capacitor, b: Model({ builtIn: other }) })))).toBe(
      'duplicate-name: Two different built-in components are named `capacitor`. (Rename one of them.)',
    );
  });
});
