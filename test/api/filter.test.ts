/** Filter circuits against their closed solutions (a capacitor charged through a resistor). */
import { describe, expect, test } from 'vitest';
import { loadModel, Model, merge, modelica, simulate, Var } from '../../src/index.ts';
import { Capacitor, ConstantVoltage, Ground, Resistor } from './electric.ts';

const Filter = Model('Filter', {
  R: merge(Resistor, { R: 0.5 }),
  C: merge(Capacitor, { C: 2, v: Var({ init: 0.1 }) }),
  V: ConstantVoltage.with({ V: 10 }),
  ground: Ground,
  connections: modelica`
    connect(V.p, R.p);
    connect(R.n, C.p);
    connect(C.n, V.n);
    connect(V.n, ground.p);
  `,
});

async function final(
  model: Parameters<typeof loadModel>[0],
  stopTime: number,
  name: string,
): Promise<number> {
  const { status, table, diagnostics } = await simulate(loadModel(model), { stopTime, tolerance: 1e-10 });
  expect([status, diagnostics]).toEqual(['done', []]);
  return table.final().get(name) as number;
}

/** The voltage of a capacitor that a source charges through a resistor. */
const charged = (V: number, v0: number, tau: number, t: number): number => V - (V - v0) * Math.exp(-t / tau);

describe('low-pass filter', () => {
  test('charges as the exponential says', async () => {
    expect(await final(Filter, 10, 'C.v')).toBeCloseTo(charged(10, 0.1, 1, 10), 8);
    expect(await final(Filter, 10, 'C.v')).toBeCloseTo(9.99955054069535, 8);
  });

  test('changes by merging, and the model before stays as it was', async () => {
    const other = Filter.with({ R: { R: 5 }, C: { v: { init: 3 } } });
    expect(await final(other, 10, 'C.v')).toBeCloseTo(7.424843911799904, 7);
    expect(await final(Filter.with({ R: { R: 5 } }), 10, 'C.v')).toBeCloseTo(6.357993532402721, 7);
    expect(await final(Filter, 10, 'C.v')).toBeCloseTo(9.99955054069535, 8);
  });
});
