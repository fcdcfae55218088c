/** Right results pass an audit; whatever is changed in them is found. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FlatModel, loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { law, patience, tenths } from '../behaviour/random.ts';
import { afterEvents, type Copy, column, copyOf, offences, told, without } from './notation.ts';

const clutch = `model Clutch
  parameter Real J1 = 1, J2 = 2, k = 1;
  Real w1(start = 0, fixed = true), w2(start = 3, fixed = true), f;
  Real phi(start = 0, fixed = true);
  Boolean closed = time >= 1;
equation
  der(phi) = w1;
  J1*der(w1) = f - k*phi;
  J2*der(w2) = -f;
  if closed then w1 = w2; else f = 0; end if;
end Clutch;`;

const rectifier = `model Rectifier
  Real u, v(start = 0, fixed = true), i, s(start = -1);
  Boolean off(start = true);
equation
  u = sin(6*time);
  u - v = if off then s else 0.1*s;
  i = if off then 0 else s;
  off = s < 0;
  0.3*der(v) = i - v;
end Rectifier;`;

const sampler = `model Sampler
  Real x(start = 1, fixed = true);
  discrete Real y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x + y;
  when sample(0.25, 0.25) then
    y = 0.5*x + pre(y);
    n = pre(n) + 1;
  end when;
end Sampler;`;

const machine = `model Machine
  block Rising
    outer output Real x;
  equation
    der(x) = 1;
  end Rising;
  block Falling
    outer output Real x;
  equation
    der(x) = -2*x;
  end Falling;
  inner Real x(start = 0, fixed = true);
  Rising rising;
  Falling falling;
equation
  initialState(rising);
  transition(rising, falling, x > 0.7);
  transition(falling, rising, x < 0.3);
end Machine;`;

const variables = {
  clutch: ['w1', 'w2', 'f', 'phi', 'closed', 'der(w1)', 'der(w2)', 'der(phi)'],
  rectifier: ['u', 'v', 'i', 's', 'off', 'der(v)'],
  sampler: ['x', 'y', 'n', 'der(x)'],
  machine: ['x', 'rising.active', 'falling.active', 'der(x)'],
};
const booleans = ['closed', 'off', 'rising.active', 'falling.active'];
type Name = keyof typeof variables;
const texts: Record<Name, string> = { clutch, rectifier, sampler, machine };
const names = Object.keys(variables) as Name[];

const models = {} as Record<Name, FlatModel>;
const results = {} as Record<Name, SimulationResult>;

beforeAll(async () => {
  for (const name of names) {
    models[name] = loadModel(texts[name]);
    results[name] = await simulate(models[name], { stopTime: 2, tolerance: 1e-8, audit: true });
  }
});

test.each(names)('the results of %s are right, and counted', (name) => {
  const { audit, status, table } = results[name];
  expect(status).toBe('done');
  expect(audit?.diagnostics).toEqual([]);
  expect(audit?.points).toBe(table.rowCount);
  expect(audit?.events).toBe(afterEvents(copyOf(results[name])).length);
  expect(audit?.residual).toBeLessThan(1e-9);
  expect(audit?.unchecked).toBe(0);
});

test('a copy of right results passes as they do', () => {
  for (const name of names) expect(offences(models[name], copyOf(results[name]).run())).toEqual([]);
});

describe('what is changed is found', () => {
  test(
    'one value of one variable',
    () => {
      const cases = fc.record({
        name: fc.constantFrom(...names),
        which: fc.nat(),
        where: fc.nat(),
        by: fc.oneof(tenths(0.1, 2), tenths(-2, -0.1)),
      });
      return law(cases, 150, async ({ name, which, where, by }) => {
        const copy = copyOf(results[name]);
        const list = variables[name];
        const values = column(copy, list[which % list.length]!);
        const row = where % values.length;
        if (Number.isNaN(values[row])) return;
        values[row] = booleans.includes(list[which % list.length]!) ? 1 - values[row]! : values[row]! + by;
        expect(offences(models[name], copy.run())).not.toEqual([]);
      });
    },
    patience,
  );

  test(
    'one value of the first row',
    () => {
      const cases = fc.record({ name: fc.constantFrom(...names), which: fc.nat(), by: tenths(0.1, 2) });
      return law(cases, 40, async ({ name, which, by }) => {
        const copy = copyOf(results[name]);
        const list = variables[name];
        const values = column(copy, list[which % list.length]!);
        if (Number.isNaN(values[0])) return;
        values[0] = booleans.includes(list[which % list.length]!) ? 1 - values[0]! : values[0]! + by;
        expect(offences(models[name], copy.run())).not.toEqual([]);
      });
    },
    patience,
  );

  test(
    'all values from an event on',
    () => {
      const cases = fc.record({
        name: fc.constantFrom(...names),
        which: fc.nat(),
        where: fc.nat(),
        by: tenths(0.1, 2),
      });
      return law(cases, 60, async ({ name, which, where, by }) => {
        const copy = copyOf(results[name]);
        const list = variables[name];
        const values = column(copy, list[which % list.length]!);
        const events = afterEvents(copy);
        const flips = booleans.includes(list[which % list.length]!);
        for (let row = events[where % events.length]!; row < values.length; row++)
          values[row] = flips ? 1 - values[row]! : values[row]! + by;
        expect(offences(models[name], copy.run())).not.toEqual([]);
      });
    },
    patience,
  );

  test(
    'the weight of an impulse',
    () =>
      law(tenths(-2, 2, { zero: false }), 10, async (by) => {
        const copy = copyOf(results.clutch);
        expect(copy.impulses.map(({ variable }) => variable)).toEqual(['f']);
        copy.impulses = copy.impulses.map((impulse) => ({ ...impulse, weight: impulse.weight + by }));
        expect(offences(models.clutch, copy.run())).not.toEqual([]);
        copy.impulses = [];
        expect(offences(models.clutch, copy.run())).not.toEqual([]);
      }),
    patience,
  );

  test(
    'when a jump is',
    () =>
      law(
        fc.integer({ min: -40, max: 40 }).filter((rows) => Math.abs(rows) > 1),
        10,
        async (rows) => {
          const copy = copyOf(results.clutch);
          const [event] = afterEvents(copy) as [number];
          const time = copy.time[event + rows]!;
          copy.time[event] = time;
          copy.time[event - 1] = time;
          copy.time.sort((a, b) => a - b);
          expect(offences(models.clutch, copy.run())).not.toEqual([]);
        },
      ),
    patience,
  );

  test('a state that is not left', () => {
    const copy = copyOf(results.machine);
    const [event] = afterEvents(copy) as [number];
    for (let row = event; row < copy.time.length; row++) {
      column(copy, 'rising.active')[row] = 1;
      column(copy, 'falling.active')[row] = 0;
      column(copy, 'der(x)')[row] = 1;
      column(copy, 'x')[row] = column(copy, 'x')[event - 1]! + copy.time[row]! - copy.time[event]!;
    }
    expect(offences(models.machine, copy.run())).toEqual([
      expect.stringContaining('The transition from rising to falling is not taken'),
    ]);
  });

  test('a sample that is left out, or comes unasked', () => {
    const copy = copyOf(results.sampler);
    const [event] = afterEvents(copy) as [number];
    const n = column(copy, 'n');
    for (let row = event; row < n.length; row++) n[row]! += 1;
    expect(offences(models.sampler, copy.run())).toEqual([
      expect.stringContaining('The when-equation of n does not hold'),
    ]);
    const other = copyOf(results.sampler);
    const m = column(other, 'n');
    for (let row = event - 5; row < m.length; row++) m[row]! += 1;
    expect(offences(models.sampler, other.run())).toEqual([
      expect.stringContaining('n changes from 0 to 1 between the times'),
    ]);
  });

  test(
    'one value, by a thousandth',
    () => {
      const cases = fc.record({ name: fc.constantFrom('clutch', 'sampler', 'machine'), where: fc.nat() });
      return law(cases, 60, async ({ name, where }) => {
        const state = { clutch: 'phi', sampler: 'x', machine: 'x' }[name]!;
        const copy = copyOf(results[name as Name]);
        const values = column(copy, state);
        const row = where % values.length;
        // Where the integrator began with short steps, rows do not show what happened.
        if (Math.abs(values[row]!) < 0.1 || copy.time[row]! < 0.05) return;
        values[row]! *= 1.001;
        expect(offences(models[name as Name], copy.run())).not.toEqual([]);
      });
    },
    patience,
  );

  test.each(names)('an event of %s that is left out', (name) => {
    for (const event of afterEvents(copyOf(results[name]))) {
      const copy = copyOf(results[name]);
      // Without the rows of an event at its end, a run only ends earlier.
      if (event === copy.time.length - 1) continue;
      const rest = without(copy, [event - 1, event]);
      expect(offences(models[name], rest.run())).not.toEqual([]);
    }
  });
});

describe('events between rows that nothing else shows', () => {
  const run = async (text: string): Promise<{ flat: FlatModel; copy: Copy }> => {
    const flat = loadModel(text);
    const result = await simulate(flat, { stopTime: 1, intervals: 100, audit: true });
    expect(result.audit?.diagnostics).toEqual([]);
    return { flat, copy: copyOf(result) };
  };

  test('a pulse of time that begins and ends between two rows', async () => {
    const { flat, copy } = await run(`model M
      Real u = 2*time, x(start = 0, fixed = true);
    equation
      der(x) = if u > 1.004 and u < 1.012 then 1e-5 else 0;
    end M;`);
    const rest = without(
      copy,
      afterEvents(copy).flatMap((row) => [row - 1, row]),
    );
    const place = 'between the times 0.5 and 0.51, without an event.';
    expect(offences(flat, rest.run()).sort()).toEqual([
      `u < 1.012 changes from true to false ${place}`,
      `u > 1.004 changes from false to true ${place}`,
    ]);
  });

  test('a relation that changes and changes back between two rows', async () => {
    const { flat, copy } = await run(`model M
      Real u = 1 - 1e6*(time - 0.505)^2, x(start = 0, fixed = true);
    equation
      der(x) = if u > 0 then 1e-5 else 0;
    end M;`);
    const rest = without(
      copy,
      afterEvents(copy).flatMap((row) => [row - 1, row]),
    );
    expect(offences(flat, rest.run())).toEqual([expect.stringContaining('u > 0 is true at time 0.505')]);
  });

  test('a relation of a when-equation that changes from row to row', async () => {
    const { flat, copy } = await run(`model M
      Real x(start = 0, fixed = true);
      Boolean over(start = false, fixed = true);
    equation
      der(x) = 1;
      when x > 0.505 then over = true; end when;
    end M;`);
    const [event] = afterEvents(copy) as [number];
    const rest = without(copy, [event - 1, event]);
    column(rest, 'over').fill(0);
    expect(offences(flat, rest.run())).toEqual([
      expect.stringMatching(/^x > 0\.505 changes from false to true between the times 0\.5 and 0\.51/),
    ]);
  });

  test('when-equations of branches that are not in force have nothing to say', async () => {
    await run(`model M
      parameter Boolean p = true;
      discrete Real y(start = 0, fixed = true);
    equation
      if p then
        when time > 0.5 then y = time; end when;
      else
        when false then y = pre(y); end when;
      end if;
    end M;`);
  });

  test('a sample that is as if it had not been', async () => {
    const { flat, copy } = await run(`model M
      discrete Real y(start = 0, fixed = true);
    equation
      when sample(0.3, 1) then y = 1 + 0*time; end when;
    end M;`);
    const rest = without(
      copy,
      afterEvents(copy).flatMap((row) => [row - 1, row]),
    );
    column(rest, 'y').fill(0);
    expect(offences(flat, rest.run())).toEqual([
      expect.stringContaining('sample(0.3, 1) becomes true at time 0.3'),
    ]);
  });

  test('relations that cause no events may change anywhere', async () => {
    await run(`model M
      Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    equation
      der(x) = 1;
      der(y) = noEvent(if x > 0.505 then x - 0.505 else 0);
    end M;`);
  });
});

describe('counters that count several times at one instant', () => {
  // At 0.5 b goes to and fro until m is 5 or more; both counters have counted three times then.
  const flashing = `model Flashing
    Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
    Boolean b(start = false, fixed = true);
  equation
    b = time > 0.5 and pre(m) < 5 and not pre(b);
    when b then
      m = pre(m) + 2;
    end when;
    when not b then
      n = pre(n) + 1;
    end when;
  end Flashing;`;
  const flashed = (m: number, n: number) =>
    told(flashing, {
      at: 0.5,
      before: { b: () => 0, m: () => 0, n: () => 0 },
      after: { b: () => 0, m: () => m, n: () => n },
    });

  test('are right', async () => {
    expect(flashed(6, 3)).toEqual([]);
    const { table } = await simulate(loadModel(flashing));
    expect([table.value('m', 1), table.value('n', 1)]).toEqual([6, 3]);
  });

  test('count by what they are told to', () => {
    expect(flashed(5, 3)).toEqual([expect.stringContaining('The when-equation of m does not hold')]);
    expect(flashed(6, -1)).toEqual([expect.stringContaining('The when-equation of n does not hold')]);
  });
});

describe('initial values', () => {
  /** What an audit says where a model begins with other values than it should; `at` are those of all rows. */
  const begun = async (
    text: string,
    at: Readonly<Record<string, (t: number) => number>>,
  ): Promise<string[]> => {
    const flat = loadModel(text);
    const result = await simulate(flat, { stopTime: 1, intervals: 100, audit: true });
    expect(result.audit?.diagnostics).toEqual([]);
    const copy = copyOf(result);
    for (const [name, value] of Object.entries(at)) {
      column(copy, name).forEach((_, row, all) => {
        all[row] = value(copy.time[row]!);
      });
      copy.initial.set(name, value(0));
    }
    return offences(flat, copy.run());
  };

  test('a solution of the equations that does not begin with a fixed start value', async () => {
    const text = `model M
      parameter Real x0 = 2;
      Real x(start = x0/2, fixed = true), y(start = 7);
    equation
      der(x) = -x;
      y = 2*x;
    end M;`;
    const from = (x0: number) =>
      begun(text, {
        x: (t) => x0 * Math.exp(-t),
        y: (t) => 2 * x0 * Math.exp(-t),
        'der(x)': (t) => -x0 * Math.exp(-t),
      });
    expect(await from(1)).toEqual([]);
    expect(await from(1.001)).toEqual(['x begins with 1.001, but its start value 1 is fixed.']);
  });

  test('a solution of the equations that does not satisfy an initial equation', async () => {
    const text = `model M
      Real x, v;
    initial equation
      x + v = 3;
    equation
      der(x) = -x;
      v = 2*x;
    end M;`;
    const from = (x0: number) =>
      begun(text, {
        x: (t) => x0 * Math.exp(-t),
        v: (t) => 2 * x0 * Math.exp(-t),
        'der(x)': (t) => -x0 * Math.exp(-t),
      });
    expect(await from(1)).toEqual([]);
    expect(await from(1.1)).toEqual([
      expect.stringContaining('The initial equation x + v = 3 does not hold: the sides differ by 0.3 ('),
    ]);
  });

  test('fixed start values and initial equations of left limits', async () => {
    const text = `model M
      discrete Real a(start = 2, fixed = true), b;
    initial equation
      pre(b) = 5;
    equation
      when sample(2, 1) then a = pre(a) + 1; b = time; end when;
    end M;`;
    expect(await begun(text, { a: () => 2, b: () => 5 })).toEqual([]);
    expect(await begun(text, { a: () => 3 })).toEqual(['a begins with 3, but its start value 2 is fixed.']);
    expect(await begun(text, { b: () => 4 })).toEqual([
      expect.stringContaining('The initial equation pre(b) = 5 does not hold: the sides differ by -1'),
    ]);
  });

  test('what happens at the first instant takes place after them', async () => {
    for (const [text, names] of [
      ['when initial() then reinit(x, 3); end when;', ['x', 3]],
      ['when sample(0, 5) then reinit(x, 4); end when;', ['x', 4]],
    ] as const) {
      const flat = loadModel(`model M Real x(start = 1, fixed = true); equation der(x) = -1; ${text} end M;`);
      const result = await simulate(flat, { stopTime: 1, audit: true });
      expect(result.audit?.diagnostics).toEqual([]);
      expect(result.initial?.at('x', 0)).toBe(1);
      expect(result.table.at(names[0], 0)).toBe(names[1]);
    }
  });

  test('start values of a run count, not those that are declared', async () => {
    const { instantiate } = await import('../../src/index.ts');
    const model = instantiate('model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;');
    const result = await model.simulate({ stopTime: 1, merge: { x: { start: 3 } }, audit: true });
    expect(result.audit?.diagnostics).toEqual([]);
    expect(result.table.at('x', 0)).toBe(3);
    const next = await model.simulate({ stopTime: 2, from: result.table, audit: true });
    expect(next.audit?.diagnostics).toEqual([]);
    expect(next.initial).toBeUndefined();
  });
});
