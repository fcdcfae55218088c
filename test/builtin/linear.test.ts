/** A linear system whose number of states is that of its matrices. */
import { describe, expect, it } from 'vitest';
import { linear } from '../../examples/typescript/linear.ts';
import { instantiate, loadModel, simulate } from '../../src/index.ts';

const source = `
model Linear
  parameter Real A[:, :] = [-5];
  parameter Real B[:, :] = [5];
  parameter Real C[:, :] = [0.9];
  parameter Real W[:, :] = [1.1];
  parameter Real x0[:] = {0.2};
  input Real u[size(B, 2)];
  output Real y[size(C, 1)];
  annotation(__Mutabor(builtIn = "linear"));
end Linear;
model SSTest
  Linear ss(u = {2});
end SSTest;
model Nested
  model Sub
    Linear ss(u = {2.1});
  end Sub;
  Sub submodel;
  Real x1(start = 1.1, fixed = true);
  Linear ss(u = {2}, A = [-5, 0; 0, -5], B = [5; 5], C = [0.4, 0.4], W = [1, 1], x0 = {0.3, 0.4});
equation
  der(x1) = -x1;
end Nested;
`;

const run = (name: string, overrides: Record<string, string> = {}) =>
  simulate(loadModel(source, name, overrides, { builtIns: [linear] }), { stopTime: 1, tolerance: 1e-9 });

/** x' = -5 x + 5 u. */
const x = (x0: number, u = 2) => u - (u - x0) * Math.exp(-5);

describe('a linear system as a built-in component', () => {
  it('has one state', async () => {
    const { table, segments } = await run('SSTest');
    expect(x(0.2)).toBeCloseTo(1.9878716954, 9);
    expect(table.value('ss.x[1]', 1)).toBeCloseTo(x(0.2), 7);
    expect(table.value('ss.y[1]', 1)).toBeCloseTo(0.9 * x(0.2), 7);
    expect(table.value('ss.w[1]', 1)).toBeCloseTo(1.1 * x(0.2), 7);
    expect(segments[0]!.states).toBe(1);
  });

  it('has two states and three stored values where the matrices say so', async () => {
    const { table, segments } = await run('SSTest', {
      'ss.A': '[-5, 0; 0, -5]',
      'ss.B': '[5; 5]',
      'ss.C': '[0.5, 0.5]',
      'ss.W': '[0.5, 0.6; 0.7, 0.8; 0.9, 1.0]',
      'ss.x0': '{0.3, 0.4}',
    });
    expect(segments[0]!.states).toBe(2);
    expect(table.value('ss.x[1]', 1)).toBeCloseTo(1.98854549, 7);
    expect(table.value('ss.x[2]', 1)).toBeCloseTo(1.98921928, 7);
    expect(table.value('ss.w[3]', 1)).toBeCloseTo(0.9 * x(0.3) + x(0.4), 7);
  });

  it('stands in several places of a model, beside states of equations', async () => {
    const { table, segments } = await run('Nested');
    expect(segments[0]).toMatchObject({ states: 4, variant: 3 });
    expect(table.value('x1', 1)).toBeCloseTo(1.1 * Math.exp(-1), 7);
    expect(table.value('submodel.ss.x[1]', 1)).toBeCloseTo(x(0.2, 2.1), 7);
    expect(table.value('ss.y[1]', 1)).toBeCloseTo(0.4 * (x(0.3) + x(0.4)), 7);
  });

  it('tells that sizes do not fit, with the name of the instance', async () => {
    const { status, diagnostics } = await run('SSTest', { 'ss.x0': '{1, 2, 3}' });
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({ code: 'component' });
    expect(diagnostics[0]!.message).toBe(
      'The built-in component ss ("linear") failed in `allocate` at time 0: size 1 of A is 1, but there are 3 states.',
    );
  });

  it('changes its size from run to run without translation', async () => {
    const simulation = instantiate(source, { name: 'SSTest', builtIns: [linear] });
    const options = { stopTime: 1, tolerance: 1e-9 };
    const two = {
      A: [
        [-5, 0],
        [0, -5],
      ],
      B: [[5], [5]],
      C: [[0.5, 0.5]],
      W: [
        [0.5, 0.6],
        [0.7, 0.8],
        [0.9, 1],
      ],
      x0: [0.3, 0.4],
    };
    const first = await simulation.simulate(options);
    expect([first.statistics.translations, first.segments[0]!.states]).toEqual([1, 1]);
    const [second, third, fourth] = await Promise.all([
      simulation.simulate({ ...options, merge: { ss: two } }),
      simulation.simulate({ ...options, merge: { ss: { x0: [0.7] } } }),
      simulation.simulate(options),
    ]);
    for (const { statistics } of [second, third, fourth]) expect(statistics.translations).toBe(0);
    expect(second.segments[0]!.states).toBe(2);
    expect(second.table.value('ss.x[2]', 1)).toBeCloseTo(x(0.4), 7);
    expect(second.table.value('ss.y[1]', 1)).toBeCloseTo(0.5 * (x(0.3) + x(0.4)), 7);
    expect(second.table.value('ss.w[3]', 1)).toBeCloseTo(0.9 * x(0.3) + x(0.4), 7);
    expect(third.table.value('ss.x[1]', 1)).toBeCloseTo(x(0.7), 7);
    expect(fourth.table.value('ss.x[1]', 1)).toBeCloseTo(x(0.2), 7);
    expect(fourth.table.has('ss.x[2]')).toBe(false);
    expect(second.table.value('ss.A[2,2]', 1)).toBe(-5);
    expect([first, third, fourth].map(({ table }) => table.has('ss.A[2,2]'))).toEqual([false, false, false]);
    const starts = [first, third, fourth].map(({ table }) => table.value('ss.x0[1]', 1));
    expect(starts).toEqual([0.2, 0.7, 0.2]);
    expect(third.table.value('ss.x0[1]', 0)).toBe(0.7);
    expect(fourth.table.has('ss.A[2,2]')).toBe(false);
    expect(simulation.parameter('ss.A', { ss: two }).value).toEqual(two.A);
    expect(simulation.parameter('ss.x0').value).toEqual([0.2]);
  });

  it('is translated again where inputs or outputs are more', async () => {
    const simulation = instantiate(source, { name: 'SSTest', builtIns: [linear] });
    await simulation.simulate();
    const { statistics, status } = await simulation.simulate({ merge: { ss: { C: [[1], [2]] } } });
    expect([status, statistics.translations]).toEqual(['done', 1]);
  });

  it('has parameters that are formulas, and that equations use too', async () => {
    const text = `${source}
      model Formulas
        parameter Integer n = 2;
        parameter Real k = 5;
        Linear ss(
          u = {2 + 0*ss.A[1, 1]}, A = -k*identity(n), B = fill(k, n, 1), C = fill(0.5, 1, n),
          W = fill(0, 0, n), x0 = {0.1*i for i in 1:n});
      end Formulas;`;
    const simulation = instantiate(text, { name: 'Formulas', builtIns: [linear] });
    const { table, statistics } = await simulation.simulate({ stopTime: 1, tolerance: 1e-9 });
    expect(statistics.translations).toBe(1);
    expect(table.value('ss.x[2]', 1)).toBeCloseTo(x(0.2), 7);
    const other = await simulation.simulate({ stopTime: 1, tolerance: 1e-9, merge: { k: 3 } });
    expect(other.statistics.translations).toBe(0);
    expect(other.table.value('ss.x[1]', 1)).toBeCloseTo(2 - 1.9 * Math.exp(-3), 7);
  });
});
