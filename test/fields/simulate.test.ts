/** Whole simulations with arrays in loops, against exact results and against the same model written out. */
import { describe, expect, test } from 'vitest';
import { modulesMade } from '../../src/fields/code/wasm.ts';
import { withFields } from '../../src/fields/index.ts';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel, type Overrides } from '../../src/load.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import { check, simulate, surveyArrays } from '../../src/simulate/index.ts';
import type { SimulateOptions } from '../../src/simulate/settings.ts';
import type { SimulationResult } from '../../src/simulate/types.ts';
import { rod, rodTemperature } from '../problems/rod.ts';

const final = (result: SimulationResult, name: string): number => result.table.get(name).at(-1)!;

async function run(
  text: string,
  options: SimulateOptions,
  overrides: Overrides = {},
): Promise<SimulationResult> {
  const result = await simulate(loadModel(text, undefined, overrides), options);
  expect(result.diagnostics.filter((d) => d.severity !== 'info').map((d) => d.message)).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

describe('the heated rod', () => {
  const experiment = { stopTime: 1e5, tolerance: 1e-8, intervals: 10 };

  test('has the values of the literature', async () => {
    expect(rodTemperature(5, 1, 1e5)).toBeCloseTo(492.963024285, 8);
    expect(rodTemperature(8, 8, 1e4)).toBeCloseTo(345.849996875, 8);
  });

  for (const n of [5, 8, 100]) {
    test(`with ${n} cells`, async () => {
      const result = await run(rod, experiment, { n });
      for (const i of [1, 2, Math.ceil(n / 2), n])
        expect(Math.abs(final(result, `T[${i}]`) / rodTemperature(n, i, 1e5) - 1)).toBeLessThan(1e-7);
      expect(result.statistics.states.length).toBe(n);
      expect(result.statistics.unknowns).toBe(n + 5);
      expect(result.statistics.equations).toBe(n + 5);
      expect(result.table.info('T[1]')).toMatchObject({
        unit: 'K',
        description: 'Temperatures of the cells',
        role: 'state',
      });
      expect(result.table.info('der(T[2])')).toMatchObject({ unit: 'K/s', role: 'derivative' });
    });
  }

  test('with 10,000 cells, in no more time to translate', async () => {
    const result = await run(
      rod,
      { ...experiment, tolerance: 1e-6, stopTime: 1e4, intervals: 1 },
      { n: 10_000 },
    );
    for (const i of [1, 5000, 10_000])
      expect(Math.abs(final(result, `T[${i}]`) / rodTemperature(10_000, i, 1e4) - 1)).toBeLessThan(1e-5);
    expect(result.statistics.states.length).toBe(10_000);
    // Written out, this takes many seconds.
    expect(result.statistics.translateMs + result.statistics.compileMs).toBeLessThan(2500);
  });

  test('changes its size without translation', async () => {
    const simulation = instantiate(rod);
    const first = await simulation.simulate(experiment);
    expect(first.statistics.translations).toBe(1);
    const made = modulesMade();
    for (const n of [8, 100, 5]) {
      const result = await simulation.simulate({ ...experiment, merge: { n } });
      expect(result.statistics.translations).toBe(0);
      expect(result.statistics.states.length).toBe(n);
      expect(Math.abs(final(result, `T[${n}]`) / rodTemperature(n, n, 1e5) - 1)).toBeLessThan(1e-7);
      expect(final(result, 'bT')).toBeCloseTo(final(result, `T[${n}]`), 10);
    }
    expect(modulesMade()).toBe(made);
  });

  test('takes other values of parameters and start values', async () => {
    const simulation = instantiate(rod, { merge: { n: 20 } });
    const start = Array.from({ length: 20 }, (_, i) => 300 + i);
    for (const merge of [{ lambda: 80 }, { T: { start } }, {}]) {
      const [loops, scalars] = [
        await simulation.simulate({ ...experiment, stopTime: 1000, merge }),
        await simulation.simulate({ ...experiment, stopTime: 1000, merge, scalars: true }),
      ];
      for (const name of ['T[1]', 'T[20]', 'der(T[7])', 'mean', 'aQ'])
        expect(Math.abs(final(loops, name) - final(scalars, name))).toBeLessThan(1e-6);
    }
  });
});

describe('linear systems', () => {
  test('of other dimensions need no translation', async () => {
    const simulation = instantiate(`model ArrayOde
      parameter Real A[:,:] = {{-1, 0}, {0, -2}};
      parameter Real x0[:] = {1, 2};
      Real x[size(A, 1)](start = x0, each fixed = true);
    equation
      der(x) = A*x;
    end ArrayOde;`);
    const options = { stopTime: 2, tolerance: 1e-9 };
    const first = await simulation.simulate(options);
    expect(final(first, 'x[1]')).toBeCloseTo(0.1353352832, 7);
    expect(final(first, 'x[2]')).toBeCloseTo(0.0366312778, 7);
    const A = [
      [-1, 0, 0],
      [0, -2, 0],
      [0, 0, -3],
    ];
    const second = await simulation.simulate({ ...options, merge: { A, x0: [1.1, 2.1, 3.1] } });
    expect(second.statistics.translations).toBe(0);
    expect(final(second, 'x[1]')).toBeCloseTo(0.14886881156, 7);
    expect(final(second, 'x[2]')).toBeCloseTo(0.03846284167, 7);
    expect(final(second, 'x[3]')).toBeCloseTo(0.00768413175, 7);
  });

  const lti = `model LTI
    parameter Real A[:,:] = diagonal(-(1:n));
    parameter Integer n = 20;
    parameter Real x0[n] = {1 + 0.1*i for i in 1:n};
    Real x[n](start = x0);
  equation
    der(x) = A*x;
  end LTI;`;

  test('change their dimension', async () => {
    const simulation = instantiate(lti);
    for (const [k, n] of [20, 25].entries()) {
      const result = await simulation.simulate({ stopTime: 2, tolerance: 1e-9, merge: { n } });
      expect(result.statistics.translations).toBe(k === 0 ? 1 : 0);
      for (const i of [1, 2, 3])
        expect(final(result, `x[${i}]`)).toBeCloseTo((1 + 0.1 * i) * Math.exp(-2 * i), 7);
    }
    const given = await simulation.simulate({
      stopTime: 2,
      tolerance: 1e-9,
      merge: {
        A: Array.from({ length: 20 }, (_, i) => Array.from({ length: 20 }, (_, j) => (i === j ? -1 : 0))),
      },
    });
    expect(given.statistics.translations).toBe(0);
    expect(final(given, 'x[3]')).toBeCloseTo(1.3 * Math.exp(-2), 7);
  });
});

describe('arrays beside other equations', () => {
  test('boundaries that are components with states and events', async () => {
    const text = `model Wall
      parameter Integer n = 20;
      Real T[n](each start = 20), q[n + 1];
      Real heater(start = 50), power;
      Boolean on(start = true);
    equation
      q[1] = 5*(heater - T[1]);
      for i in 2:n loop q[i] = 10*(T[i-1] - T[i]); end for;
      q[n+1] = 2*(T[n] - 10);
      der(T) = q[1:n] - q[2:n+1];
      power = if on then 100 else 0;
      der(heater) = power - q[1];
      when T[3] > 30 then on = false; elsewhen T[3] < 28 then on = true; end when;
    end Wall;`;
    const options = { stopTime: 20, tolerance: 1e-9, intervals: 40 };
    const loops = await run(text, options);
    const scalars = await run(text, { ...options, scalars: true });
    expect(loops.statistics.events).toBe(scalars.statistics.events);
    expect(loops.statistics.events).toBeGreaterThan(3);
    for (const name of ['T[1]', 'T[20]', 'q[21]', 'heater', 'power'])
      expect(Math.abs(final(loops, name) - final(scalars, name))).toBeLessThan(1e-5);
  });

  test('an algebraic loop through elements is solved', async () => {
    const text = `model Loop
      parameter Integer n = 20;
      Real x[n](each start = 1), y[n], s;
    equation
      y = 2*x .+ s;
      s = 1 - 0.25*y[3];
      der(x) = -y;
    end Loop;`;
    const result = await run(text, { stopTime: 1, tolerance: 1e-9 });
    const other = await run(text, { stopTime: 1, tolerance: 1e-9, scalars: true });
    for (const name of ['x[1]', 'y[20]', 's']) expect(final(result, name)).toBeCloseTo(final(other, name), 7);
  });

  test('where arrays would have to be differentiated they are written out', async () => {
    const text = `model Index
      parameter Integer n = 20;
      Real x[n](each start = 1), u;
    equation
      for i in 2:n loop der(x[i]) = -x[i]; end for;
      der(x[1]) = u;
      x[1] = sin(time) + 1;
    end Index;`;
    const result = await run(text, { stopTime: 1, tolerance: 1e-9 });
    expect(final(result, 'u')).toBeCloseTo(Math.cos(1), 7);
    expect(final(result, 'x[20]')).toBeCloseTo(Math.exp(-1), 7);
  });

  test('a parameter that must not be zero is looked at again in every run', async () => {
    const simulation = instantiate(`model Mass
      parameter Integer n = 20;
      parameter Real m[n] = fill(2, n);
      Real x[n](each start = 1);
    equation
      m.*der(x) = -x;
    end Mass;`);
    const first = await simulation.simulate({ stopTime: 1, tolerance: 1e-9 });
    expect(final(first, 'x[1]')).toBeCloseTo(Math.exp(-0.5), 7);
    const zero = Array.from({ length: 20 }, (_, i) => (i === 0 ? 0 : 1));
    const second = await simulation.simulate({ stopTime: 1, tolerance: 1e-9, merge: { m: zero } });
    expect(second.status).toBe('done');
    expect(final(second, 'x[1]')).toBeCloseTo(0, 9);
    expect(final(second, 'x[2]')).toBeCloseTo(Math.exp(-1), 7);
  });

  test('large matrices cost what their numbers cost', async () => {
    const text = `model Large
      parameter Integer n = 400;
      parameter Real A[n,n] = {{if i == j then -2 else 1/(n*(i + j)) for j in 1:n} for i in 1:n};
      Real x[n](each start = 1);
    equation
      der(x) = A*x;
    end Large;`;
    const result = await run(text, { stopTime: 0.1, intervals: 1, method: 'rk' });
    expect(result.statistics.translateMs).toBeLessThan(3000);
    // One row of numbers: sum over j of A[1,j] times x, by series of the exponential to second order.
    expect(final(result, 'x[1]')).toBeCloseTo(Math.exp(-0.2), 2);
  });
});

describe('what goes wrong', () => {
  test('a value that is no number is told with its element', async () => {
    const text = `model Root
      parameter Integer n = 20;
      Real x[n](start = {0.1*i for i in 1:n}, each fixed = true);
    equation
      for i in 1:n loop der(x[i]) = -1/sqrt(x[i]); end for;
    end Root;`;
    const result = await simulate(loadModel(text), { stopTime: 1 });
    expect(result.status).toBe('failed');
    expect(result.table.rowCount).toBeGreaterThan(1);
    expect(result.diagnostics.at(-1)!.message).toMatch(/x\[1\]/);
  });

  test('bounds are watched, and told once for an array', async () => {
    const text = `model Bounded
      parameter Integer n = 20;
      Real x[n](start = {i for i in 1:n}, each fixed = true, each min = 0.5);
      Real y[n](each max = 15) = x;
    equation
      der(x) = -ones(n);
    end Bounded;`;
    const result = await simulate(loadModel(text), { stopTime: 2, intervals: 4 });
    const messages = result.diagnostics.map((d) => d.message);
    expect(messages[0]).toBe('At time 0: y[16] is 16, above its max = 15.');
    expect(messages[1]).toMatch(/^At time 1: x\[1\] is .*, below its min = 0\.5\.$/);
    expect(messages.length).toBe(2);
  });

  test('a parameter out of its bounds is an error', async () => {
    const text = `model Bounded
      parameter Integer n = 20;
      parameter Real k[n](each min = 0) = {i - 3 for i in 1:n};
      Real x[n](each start = 1, each fixed = true);
    equation
      der(x) = -k.*x;
    end Bounded;`;
    const result = await simulate(loadModel(text), { stopTime: 2 });
    expect(result.status).toBe('failed');
    expect(result.diagnostics[0]!.message).toBe('The parameter k[1] is -2, below its min = 0.');
  });
});

test('a survey tells what is computed in loops', () => {
  const survey = surveyArrays(
    loadModel(`model M
      parameter Integer n = 20;
      Real x[n], y[n];
    equation
      der(x) = -x;
      for i in 1:n loop y[i] + sin(y[i]) = time; end for;
    end M;`),
  );
  expect(survey).toEqual({
    loops: ['x'],
    scalars: [{ name: 'y', reason: 'its equations cannot be solved for whole arrays' }],
  });
});

describe('arrays of components', () => {
  const cells = `package Cells
    connector Port Real T; flow Real Q; end Port;
    model Cell
      Port a, b;
      parameter Real C = 2, G = 3;
      Real T(start = 1, fixed = true);
    equation
      a.Q = 2*G*(a.T - T);
      b.Q = 2*G*(b.T - T);
      C*der(T) = a.Q + b.Q;
    end Cell;
    model Source
      Port p;
      parameter Real T0 = 5;
    equation
      p.T = T0;
    end Source;
    model Rod
      parameter Integer n = 6;
      Cell c[n](C = {2 + 0.1*i for i in 1:n});
      Source s;
      Real mean = sum(c.T)/n;
    equation
      connect(s.p, c[1].a);
      for i in 1:n-1 loop connect(c[i].b, c[i+1].a); end for;
    end Rod;
  end Cells;`;
  const options = { stopTime: 3, tolerance: 1e-9, intervals: 3 };

  test('give what their scalars give', async () => {
    const flat = loadModel(cells, 'Cells.Rod');
    const [loops, scalars] = [
      await simulate(flat, options),
      await simulate(flat, { ...options, scalars: true }),
    ];
    expect(loops.status).toBe('done');
    expect([...loops.table.names].sort()).toEqual([...scalars.table.names].sort());
    expect(loops.table.isConstant('c[2].C')).toBe(true);
    expect(loops.table.info('c[2].C')).toEqual(scalars.table.info('c[2].C'));
    for (const name of ['c[1].T', 'c[6].T', 'c[3].a.Q', 'c[2].b.T', 'der(c[4].T)', 's.p.Q', 'mean'])
      expect(Math.abs(final(loops, name) - final(scalars, name))).toBeLessThan(1e-6);
  });

  test('may have variables of both parts, in any order', async () => {
    const flat = loadModel(`model Mixed
      model Cell
        Real x(start = 1, fixed = true);
        Boolean late(start = false, fixed = true);
      equation
        der(x) = -x;
        late = sin(time) > 0.5 or pre(late);
      end Cell;
      parameter Integer n = 3;
      Cell c[n];
      Real y, z(start = 7, fixed = true);
    equation
      der(z) = y;
      y = if c[2].late then 1 else -1;
    end Mixed;`);
    const parts = lowerModel(withFields(flat));
    expect(parts.components.length).toBe(1);
    const names = ['c[1].late', 'c[2].late', 'c[3].late', 'y', 'z'];
    const visible = parts.scalars.filter(({ variable, kind }) => variable && kind !== 'parameter');
    expect(visible.map(({ name }) => name).filter((name) => names.includes(name))).toEqual(names);
    const { table, status } = await simulate(flat, { stopTime: 1, tolerance: 1e-9 });
    expect(status).toBe('done');
    expect(table.value('z', 1)).toBeCloseTo(7 - Math.PI / 6 + (1 - Math.PI / 6), 8);
    expect(table.value('c[3].x', 1)).toBeCloseTo(Math.exp(-1), 8);
  });

  test.each([2, 3, 4])('give it also where there are %i', async (n) => {
    const flat = loadModel(cells, 'Cells.Rod', { n });
    const loops = await simulate(flat, options);
    const scalars = await simulate(flat, { ...options, scalars: true });
    expect(loops.status).toBe('done');
    expect(loops.statistics.steps).toBeLessThan(2 * scalars.statistics.steps + 10);
    for (const name of ['c[1].T', 'c[2].T', 'c[1].b.Q', 'c[2].b.T', 's.p.Q'])
      expect(Math.abs(final(loops, name) - final(scalars, name))).toBeLessThan(1e-7);
  });

  test('change their number without translation, in little more time', async () => {
    const simulation = instantiate(cells, { name: 'Cells.Rod' });
    await simulation.simulate(options);
    const many = await simulation.simulate({ ...options, merge: { n: 10_000 }, tolerance: 1e-6 });
    expect(many.status).toBe('done');
    expect(many.statistics.translations).toBe(0);
    expect(many.statistics.states.length).toBe(10_000);
    // So short a time cannot tell the end from infinity; the heat that came in is that in the cells.
    const few = await simulation.simulate({ ...options, merge: { n: 60 } });
    expect(few.statistics.translations).toBe(0);
    for (const name of ['c[1].T', 'c[2].T', 's.p.Q'])
      expect(Math.abs(final(many, name) - final(few, name))).toBeLessThan(1e-4);
  });
});

test('an array that is computed from derivatives of variables outside is no array of a field', async () => {
  const text = `model M
    Real x[3](start = {1, 2, 3}, each fixed = true);
    Real w[:] = der(x);
    Real s(start = 1, fixed = true);
    Real v[:] = {der(s), 2*der(s)};
  equation
    der(x) = -x;
    der(s) = -s;
  end M;`;
  const result = await run(text, { stopTime: 1, tolerance: 1e-9 });
  expect(final(result, 'w[2]')).toBeCloseTo(-2 * Math.exp(-1), 7);
  expect(final(result, 'v[2]')).toBeCloseTo(-2 * Math.exp(-1), 7);
});

describe('arrays of which a run needs the equations one by one', () => {
  /** The first temperature is given, so that its equation determines the heat. */
  const held = `model Held parameter Integer n = 40; Real T[n](each start = 0); Real q;
    equation T[1] = time; der(T[1]) = q + T[2] - T[1];
    for i in 2:n - 1 loop der(T[i]) = T[i - 1] - 2*T[i] + T[i + 1]; end for; der(T[n]) = T[n - 1] - T[n]; end Held;`;

  test('are described as the run uses them', async () => {
    const flat = loadModel(held);
    expect(surveyArrays(flat)).toEqual({ loops: ['T'], scalars: [] });
    const result = await simulate(flat, { stopTime: 1, tolerance: 1e-10 });
    expect(result.status).toBe('done');
    // The heat is what warms the elements: at the start that is the first alone.
    expect(result.table.get('q')[0]).toBeCloseTo(1, 12);
    expect(final(result, 'T[1]')).toBeCloseTo(1, 12);
    const { states, index, stages } = check(flat);
    expect(index).toBe(2);
    expect(states).toEqual(Array.from({ length: 39 }, (_, k) => `T[${k + 2}]`));
    expect(result.statistics.states).toEqual(states);
    const { summary, details } = stages().find(({ stage }) => stage === 'fields')!;
    expect(summary).toBe('0 arrays in loops, 1 written out');
    expect(details).toEqual(['T written out: a run needs the equations of its elements']);
  });

  test('those that stay in loops are described so', () => {
    const { summary } = check(loadModel(rod, undefined, { n: 100 }))
      .stages()
      .find(({ stage }) => stage === 'fields')!;
    expect(summary).toMatch(/^[1-9]\d* arrays? in loops, 0 written out$/);
  });
});
