/** Outputs on which inputs act directly: order of computation, algebraic loops, both back ends. */
import { describe, expect, it } from 'vitest';
import { type BuiltIn, loadModel, type SimulateOptions, simulate } from '../../src/index.ts';

/** A lead: x' = u - x, y = x + k u; the second output is a nonlinear function of the other input alone. */
const lead: BuiltIn<{ k: number; calls: number }> = {
  name: 'lead',
  inputs: ['u', 'p'],
  outputs: { y: ['u'], q: ['p'], s: [] },
  allocate: (instance) => ({ k: instance.number('k'), calls: 0 }),
  begin(_, segment) {
    segment.state('x', { start: 0 });
  },
  stateOutputs(memory, { x, y }) {
    memory.calls++;
    y[2] = x[0]!;
  },
  directOutput({ k }, { x, u, y }, output) {
    if (output === 0) y[0] = x[0]! + k * u[0]!;
    else y[1] = u[1]! ** 3;
  },
  derivatives(_, { x, u, dx }) {
    dx[0] = u[0]! - x[0]!;
  },
};

/** Elementwise products of a vector and its running sums, as arrays of any size. */
const sums: BuiltIn<{ n: number; from: number; to: number }> = {
  name: 'sums',
  inputs: ['a', 'v'],
  outputs: { w: ['v'] },
  allocate(instance) {
    const { start, length, dims } = instance.input('v');
    expect(dims).toEqual([length]);
    expect(instance.output('w')).toEqual({ start: 0, length, dims });
    expect(instance.input('a')).toEqual({ start: 0, length: 1, dims: [] });
    return { n: length, from: start, to: instance.output('w').start };
  },
  begin() {},
  directOutput({ n, from, to }, { u, y }) {
    let sum = 0;
    for (let i = 0; i < n; i++) y[to + i] = sum += u[from + i]!;
  },
};

const source = `
model Lead
  parameter Real k = 0.5;
  input Real u, p;
  output Real y, q, s;
  annotation(__Mutabor(builtIn = "lead"));
end Lead;
model Chain "The input of the second output depends on the first"
  Lead lead(u = sin(time), p = lead.y);
end Chain;
model Loop "u = 1 - y: a linear loop through the component"
  Lead lead(u = 1 - lead.y, p = 0);
end Loop;
model Cubic "u from u + u^3 = 2 + sin(time): a nonlinear one"
  Lead lead(u = 0, p(start = 1));
equation
  lead.p + lead.q = 2 + sin(time);
end Cubic;
model Sums
  parameter Integer n = 3;
  model Running
    parameter Integer n;
    input Real a;
    input Real v[n];
    output Real w[n];
    annotation(__Mutabor(builtIn = "sums"));
  end Running;
  Running summed(n = n, a = time, v = {i*time for i in 1:n});
end Sums;
`;

const run = (name: string, options: SimulateOptions = {}, overrides = {}) =>
  simulate(loadModel(source, name, overrides, { builtIns: [lead, sums] }), {
    stopTime: 2,
    tolerance: 1e-9,
    ...options,
  });

describe.each([false, true])('direct outputs, interpreted: %s', (interpret) => {
  it('are computed when their inputs are known', async () => {
    const { table, diagnostics } = await run('Chain', { interpret });
    expect(diagnostics).toEqual([]);
    // x' = sin t - x from 0
    const x = (t: number) => (Math.sin(t) - Math.cos(t) + Math.exp(-t)) / 2;
    for (const t of [0.5, 1, 2]) {
      expect(table.value('lead.s', t)).toBeCloseTo(x(t), 7);
      expect(table.value('lead.y', t)).toBeCloseTo(x(t) + 0.5 * Math.sin(t), 7);
      expect(table.value('lead.q', t)).toBeCloseTo((x(t) + 0.5 * Math.sin(t)) ** 3, 7);
    }
  });

  it.each(['bdf', 'rk'] as const)('may be part of a linear loop, %s', async (method) => {
    const { table, diagnostics } = await run('Loop', { interpret, method });
    expect(diagnostics).toEqual([]);
    // u = (1 - x)/1.5, x' = (1 - x)/1.5 - x = (2 - 5 x)/3
    const x = (t: number) => 0.4 * (1 - Math.exp((-5 / 3) * t));
    expect(table.value('lead.x', 2)).toBeCloseTo(x(2), 6);
    expect(table.value('lead.u', 2)).toBeCloseTo((1 - x(2)) / 1.5, 6);
  });

  it('may be part of a nonlinear loop', async () => {
    const { table, diagnostics } = await run('Cubic', { interpret });
    expect(diagnostics.filter((d) => d.severity !== 'info')).toEqual([]);
    for (const t of [0, 1, 2]) {
      const p = table.value('lead.p', t);
      expect(p + p ** 3).toBeCloseTo(2 + Math.sin(t), 7);
    }
  });

  it('are arrays of any size, also of one and of none', async () => {
    for (const n of [0, 1, 3, 40]) {
      const { table, diagnostics, segments } = await run('Sums', { interpret }, { n });
      expect(diagnostics).toEqual([]);
      expect(segments[0]!.states).toBe(0);
      for (let i = 1; i <= n; i++) expect(table.value(`summed.w[${i}]`, 2)).toBeCloseTo(i * (i + 1), 12);
    }
  });
});
