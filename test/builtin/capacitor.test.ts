/** Demonstration E1: a capacitor as a built-in component in a low-pass filter. Exact values by the closed form. */
import { describe, expect, it } from 'vitest';
import { capacitor } from '../../examples/typescript/capacitor.ts';
import { loadModel, simulate } from '../../src/index.ts';

const library = `
package Circuits
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Source
    Pin p, n;
    parameter Real V = 10;
  equation
    p.v - n.v = V;
    p.i + n.i = 0;
  end Source;
  model Resistor
    Pin p, n;
    parameter Real R = 0.5;
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end Resistor;
  model Capacitor
    Pin p, n;
    parameter Real C = 2;
    parameter Real v0 = 0.1;
    Real w;
  equation
    w = p.v - n.v;
    0 = p.i + n.i;
    annotation(__Mutabor(builtIn = "capacitor"));
  end Capacitor;
  model Filter
    Source source;
    Resistor r;
    Capacitor c;
    Ground ground;
  equation
    connect(source.p, r.p);
    connect(r.n, c.p);
    connect(c.n, source.n);
    connect(source.n, ground.p);
  end Filter;
  model Parallel
    extends Filter;
    Capacitor d(C = 3);
  equation
    connect(d.p, c.p);
    connect(d.n, c.n);
  end Parallel;
end Circuits;
`;

const load = (name: string, overrides = {}, builtIns = [capacitor]) =>
  loadModel(library, `Circuits.${name}`, overrides, { builtIns });

describe('a capacitor as a built-in component', () => {
  it.each([
    [0.5, 0.1, 9.99955054069535],
    [5, 3, 7.424843911799904],
    [5, 0.1, 6.357993532402721],
  ])('in a filter with R = %s from %s V', async (R, v0, expected) => {
    const model = load('Filter', { 'r.R': R, 'c.v0': v0 });
    const { status, table, diagnostics, segments } = await simulate(model, {
      stopTime: 10,
      tolerance: 1e-10,
    });
    expect(diagnostics).toEqual([]);
    expect(status).toBe('done');
    expect(table.value('c.v', 10)).toBeCloseTo(expected, 8);
    expect(table.value('c.w', 10)).toBeCloseTo(expected, 8);
    expect(table.value('c.p.i', 0)).toBeCloseTo((10 - v0) / R, 12);
    expect(segments.map(({ states, variant }) => [states, variant])).toEqual([[1, 1]]);
  });
});
