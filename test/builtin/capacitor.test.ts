/** A capacitor as a built-in component in a low-pass filter. Exact values by the closed form. */
import { describe, expect, it } from 'vitest';
import { capacitor } from '../../examples/typescript/capacitor.ts';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';

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
    Real V = 10;
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
    Real w(start = v0);
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
  model Slope "Uses the derivative of an output"
    extends Filter;
    Real i = 2*der(c.w);
  end Slope;
  model Short "The source determines the voltage"
    Source source(V = 3 + sin(time));
    Capacitor c;
    Ground ground;
  equation
    connect(source.p, c.p);
    connect(c.n, source.n);
    connect(source.n, ground.p);
  end Short;
end Circuits;
`;

/** Without equations that could take its place. */
const { equations: _, ...codeOnly } = capacitor;

const load = (name: string, overrides = {}, builtIns: BuiltIn[] = [capacitor]) =>
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

  it('behind two resistors', async () => {
    const model = load('Filter', { 'r.R': 100 + 10, 'c.C': 2.5e-3, 'c.v0': 0 });
    const { table } = await simulate(model, { stopTime: 1, tolerance: 1e-10 });
    expect(table.value('c.v', 1)).toBeCloseTo(9.736520191855512, 8);
  });

  it('refuses two in parallel, and names the connections', async () => {
    const { status, stage, diagnostics } = await simulate(load('Parallel', {}, [codeOnly]));
    expect([status, stage]).toEqual(['failed', 'translate']);
    const [problem] = diagnostics;
    expect(problem?.code).toBe('not-differentiable');
    expect(problem?.message).toBe(
      'Outputs of the built-in components c and d follow from hidden states and can neither be differentiated nor inverted, but other equations tie c.w, d.w together.',
    );
    expect(problem?.hint).toContain('give them `equations`');
    const notes = problem!.notes.map((note) => note.message).join('\n');
    expect(notes).toContain('c.w = c.p.v - c.n.v');
    expect(notes).toContain('d.w = the built-in component d');
    expect(notes).toContain('connection: r.n.v = d.p.v');
    expect(notes).toContain('connection: c.n.v = d.n.v');
  });

  it('refuses a derivative of an output, and another equation for it', async () => {
    const slope = await simulate(load('Slope', {}, [codeOnly]));
    expect(slope.diagnostics[0]).toMatchObject({ code: 'not-differentiable' });
    expect(slope.diagnostics[0]!.message).toBe(
      'Outputs of the built-in component c ("capacitor") follow from hidden states and can neither be differentiated nor inverted, but the derivative of c.w is needed.',
    );
    const short = await simulate(load('Short', {}, [codeOnly]));
    expect(short.diagnostics[0]!.message).toContain('but other equations determine c.w as well');
  });

  it('uses the equations of two in parallel by itself, and says so', async () => {
    const { status, diagnostics, table, segments } = await simulate(load('Parallel'), {
      stopTime: 10,
      tolerance: 1e-10,
    });
    expect(status).toBe('done');
    const told = diagnostics.filter(({ code }) => code === 'component-equations');
    expect(told.map(({ severity }) => severity)).toEqual(['info', 'info']);
    expect(told[1]!.message).toContain('The built-in component d ("capacitor") is used with its equations');
    // One state: 0.5 ohm and 2 + 3 F.
    expect(segments.map(({ states, variant }) => [states, variant])).toEqual([[1, 0]]);
    expect(table.value('d.w', 10)).toBeCloseTo(10 - 9.9 * Math.exp(-10 / 2.5), 8);
    expect(table.value('c.p.i', 0)).toBeCloseTo((2 / 5) * (9.9 / 0.5), 8);
  });

  it('uses the equations where the derivative of an output is needed', async () => {
    const slope = await simulate(load('Slope'), { stopTime: 10, tolerance: 1e-10 });
    expect(slope.status).toBe('done');
    expect(slope.table.value('i', 1)).toBeCloseTo((9.9 / 0.5) * Math.exp(-1), 6);
    const short = await simulate(load('Short'), { stopTime: 1, tolerance: 1e-10 });
    expect(short.status).toBe('done');
    expect(short.table.value('c.p.i', 1)).toBeCloseTo(2 * Math.cos(1), 8);
  });
});
