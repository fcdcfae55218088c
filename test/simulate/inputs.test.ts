/** Inputs that follow a table: expected values are areas under polygons and steps, by hand. */
import { describe, expect, test } from 'vitest';
import {
  fromArrays,
  instantiate,
  loadModel,
  readCsv,
  type SimulateOptions,
  simulate,
} from '../../src/index.ts';
import { close, done, run } from './notation.ts';

const integrator = `
model M
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
end M;`;

const polygon = { time: [0, 1, 3], u: [0, 2, -2] };

describe('Real inputs', () => {
  test('are interpolated linearly, with an event at every row', async () => {
    const { table, statistics } = await done(integrator, { stopTime: 3, intervals: 300, inputs: polygon });
    close(table.value('u', 0.25), 0.5, 1e-14);
    close(table.value('u', 2), 0, 1e-14);
    close(table.value('x', 1), 1, 1e-9);
    close(table.value('x', 2), 2, 1e-9);
    close(table.value('x', 3), 1, 1e-9);
    expect(statistics.events).toBe(2);
  });

  test('are held until the next row where that is asked for', async () => {
    const { table } = await done(integrator, { stopTime: 4, inputs: polygon, hold: true });
    expect(table.value('u', 0.999)).toBe(0);
    expect(table.value('u', 1, 'before')).toBe(0);
    expect(table.value('u', 1)).toBe(2);
    close(table.value('x', 3), 4, 1e-9);
    close(table.value('x', 4), 2, 1e-9);
  });

  test('cannot be held where there is no table', async () => {
    const { status, stage, diagnostics } = await run(integrator, { hold: true });
    expect([status, stage]).toEqual(['failed', 'initialise']);
    expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'bad-option',
        'The option `hold` says how inputs follow a table, but there is none.',
        'Add the option `inputs`.',
      ],
    ]);
  });

  test('step where two rows have the same time, exactly there', async () => {
    const inputs = { time: [0, 1 / 3, 1 / 3, 1], u: [0, 0, 3, 3] };
    const { table } = await done(integrator, { stopTime: 1, inputs });
    expect(table.value('u', 1 / 3, 'before')).toBe(0);
    expect(table.value('u', 1 / 3)).toBe(3);
    close(table.value('x', 1), 2, 1e-12);
  });

  test('a step of a position that is differentiated twice is told in the words of the model', async () => {
    const text = `model M input Real r; Real s, v, a; equation s = r; v = der(s); a = der(v); end M;`;
    for (const hold of [false, true]) {
      const inputs = { time: [0, 1, 1, 2], r: [0, 0, 1, 1] };
      const { status, time, diagnostics } = await run(text, { stopTime: 2, inputs, hold });
      expect([status, time]).toEqual(['failed', 1]);
      const [{ message, hint }] = diagnostics as [(typeof diagnostics)[0]];
      expect(message).toContain('the constraint r = its value in the table of inputs is violated by -1');
      expect(message + hint).not.toContain('$');
      expect(hint).toContain('Where the table steps');
    }
  });

  test('of several rows of one time, the first ends what was before and the last begins what follows', async () => {
    const inputs = { time: [0, 1, 1, 1, 2], u: [0, 1, 77, 4, 4] };
    const { table } = await done(integrator, { stopTime: 2, inputs });
    close(table.value('x', 1), 0.5, 1e-9);
    close(table.value('x', 2), 4.5, 1e-9);
  });

  test('a run may begin between two rows, and at a step', async () => {
    const { table } = await done(integrator, { startTime: 0.5, stopTime: 2, inputs: polygon });
    close(table.value('u', 0.5), 1, 1e-14);
    close(table.value('x', 2), 0.75 + 1, 1e-9);
    const step = await done(integrator, { stopTime: 1, inputs: { time: [-1, 0, 0], u: [5, 5, 1] } });
    close(step.table.value('x', 1), 1, 1e-9);
  });

  test('before the first row and after the last they keep its value, and a warning says so', async () => {
    const inputs = { time: [1, 2], u: [2, 4] };
    const { table, diagnostics } = await done(integrator, { stopTime: 3, inputs });
    close(table.value('x', 1), 2, 1e-9);
    close(table.value('x', 2), 5, 1e-9);
    close(table.value('x', 3), 9, 1e-9);
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'bad-input: The run begins at 0 s, before the first row of the table of inputs, which is that of 1 s; outside, inputs keep the values of that row.',
      'bad-input: The run ends at 3 s, after the last row of the table of inputs, which is that of 2 s; outside, inputs keep the values of that row.',
    ]);
  });

  test('what is held after the last row is what was asked for: no warning', async () => {
    const { diagnostics } = await done(integrator, { stopTime: 9, inputs: polygon, hold: true });
    expect(diagnostics).toEqual([]);
  });

  test('a step of a voltage gives the impulse C·Δu in the current of a capacitor, a ramp the current C·u′', async () => {
    const text = `
      model M
        input Real u;
        Real v, i;
      equation
        v = u;
        3*der(v) = i;
      end M;`;
    const inputs = { time: [0, 1, 1, 2], u: [0, 1, 5, 1] };
    const { table, impulses } = await done(text, { stopTime: 2, inputs });
    close(table.value('i', 0.5), 3);
    close(table.value('i', 1.5), -12);
    expect(impulses).toHaveLength(1);
    expect(impulses[0]).toMatchObject({ time: 1, variable: 'i' });
    close(impulses[0]!.weight, 12);
  });

  test('a position given by a table accelerates a mass: kinks are impulses of the force', async () => {
    const text = `
      model M
        input Real s;
        Real v, f;
      equation
        v = der(s);
        2*der(v) = f;
      end M;`;
    const { table, impulses } = await done(text, { stopTime: 3, inputs: { time: [0, 1, 3], s: [0, 4, 2] } });
    close(table.value('v', 0.5), 4);
    close(table.value('v', 2), -1);
    expect(impulses.map(({ time, variable }) => `${variable} at ${time}`)).toEqual(['f at 1']);
    close(impulses[0]!.weight, -10);
  });

  test('a polygon has no jumps, whatever its numbers are', async () => {
    const text = 'model M input Real u; Real v, i; equation v = u; der(v) = i; end M;';
    const inputs = { time: [0.1, 0.3, 0.7, 1.1, 1.9], u: [0.1, 1 / 3, -7.7, 1e6, 1e-3] };
    const { impulses } = await done(text, { startTime: 0.1, stopTime: 1.9, inputs });
    expect(impulses).toEqual([]);
  });

  test('drive state events', async () => {
    const text = `
      model M
        input Real u;
        Boolean high = u > 1.5;
        Integer n(start = 0, fixed = true);
        Real at(start = 0, fixed = true);
      equation
        when high then
          n = pre(n) + 1;
          at = time;
        end when;
      end M;`;
    const { table } = await done(text, { stopTime: 3, inputs: { time: [0, 1, 2, 3], u: [0, 2, 0, 2] } });
    expect(table.value('n', 3)).toBe(2);
    close(table.value('at', 1), 0.75, 1e-9);
    close(table.value('at', 3), 2.75, 1e-9);
  });

  test('arrays have a column for every element', async () => {
    const text = `
      model M
        input Real u[2];
        Real x[2](each start = 0, each fixed = true);
      equation
        der(x) = u;
      end M;`;
    const { table } = await done(text, {
      stopTime: 1,
      inputs: {
        time: [0, 1],
        u: [
          [0, 3],
          [2, 3],
        ],
      },
    });
    close(table.value('x[1]', 1), 1, 1e-9);
    close(table.value('x[2]', 1), 3, 1e-9);
    const half = await run(text, { inputs: { time: [0, 1], 'u[1]': [0, 1] } });
    expect(half.status).toBe('failed');
    expect(half.diagnostics[0]!.message).toBe(
      'The table of inputs has values for some elements of `u`, but not for u[2].',
    );
  });

  test('an input whose default is a start value keeps it where the table has no column for it', async () => {
    const text = `
      model M
        input Real u, w(start = 3);
        Real x(start = 0, fixed = true);
      equation
        der(x) = u + w;
      end M;`;
    const { table, diagnostics } = await done(text, { stopTime: 1, inputs: { time: [0, 1], u: [1, 1] } });
    close(table.value('x', 1), 4, 1e-9);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'The input w has no value; its start value 3 is used.',
    ]);
  });
});

describe('discrete inputs', () => {
  const counter = `
    model M
      input Boolean b;
      Integer rises(start = 0, fixed = true), falls(start = 0, fixed = true);
    equation
      when b then rises = pre(rises) + 1; end when;
      when not b then falls = pre(falls) + 1; end when;
    end M;`;

  test('Booleans change at rows, and their edges are events', async () => {
    const inputs = { time: [0, 1, 2, 3, 4], b: [false, true, true, false, true] };
    const { table, statistics } = await done(counter, { stopTime: 5, inputs });
    expect(table.value('b', 0.999)).toBe(0);
    expect(table.value('b', 1)).toBe(1);
    expect(table.value('rises', 5)).toBe(2);
    expect(table.value('falls', 5)).toBe(1);
    // A row that changes nothing is no event.
    expect(statistics.events).toBe(3);
  });

  test('what is true from the beginning does not become true', async () => {
    const { table } = await done(counter, { stopTime: 2, inputs: { time: [0, 1], b: [true, false] } });
    expect(table.value('rises', 2)).toBe(0);
    expect(table.value('falls', 2)).toBe(1);
  });

  test('Booleans and enumerations can be texts, by themselves and in arrays', async () => {
    const model = loadModel(`model M
      type Gear = enumeration(low, high);
      input Gear gear; input Gear two[2]; input Boolean on;
      Integer n = Integer(gear), m = 10*Integer(two[1]) + Integer(two[2]); Boolean b = on;
    end M;`);
    const inputs = {
      time: [0, 1],
      gear: ['low', 'M.Gear.high'],
      two: [
        ['low', 'high'],
        ['high', 'low'],
      ],
      on: ['true', 'false'],
    };
    const { table, status, diagnostics } = await simulate(model, { stopTime: 2, inputs });
    expect({ status, diagnostics }).toEqual({ status: 'done', diagnostics: [] });
    for (const [t, n, m, b] of [
      [0.5, 1, 12, 1],
      [1.5, 2, 21, 0],
    ] as const)
      expect([table.value('n', t), table.value('m', t), table.value('b', t)]).toEqual([n, m, b]);
    const wrong = await simulate(model, { stopTime: 2, inputs: { ...inputs, gear: ['low', 'hihg'] } });
    expect(wrong.status).toBe('failed');
    expect(wrong.diagnostics[0]).toMatchObject({
      code: 'bad-input',
      message: 'The table of inputs has "hihg" for `gear`, not one of low, high.',
    });
  });

  test('Integers and enumerations are held; values that they cannot have are errors', async () => {
    const text = `
      model M
        type Gear = enumeration(low, high);
        input Integer n;
        input Gear gear;
        Real x(start = 0, fixed = true);
      equation
        der(x) = if gear == Gear.high then 10*n else n;
      end M;`;
    const inputs = { time: [0, 1, 2], n: [1, 3, 3], gear: [1, 1, 2] };
    const { table } = await done(text, { stopTime: 3, inputs });
    close(table.value('x', 3), 1 + 3 + 30, 1e-9);
    const messages = async (wrong: SimulateOptions['inputs']): Promise<string[]> =>
      (await run(text, { inputs: wrong! })).diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ message }) => message);
    expect(await messages({ time: [0, 2], n: [1, 1.5], gear: [1, 3] })).toEqual([
      'Row 2 of the table of inputs (time 2): `n` is 1.5, not a whole number.',
      'Row 2 of the table of inputs (time 2): `gear` is 3, but the enumeration has 2 values.',
    ]);
  });

  test('switch the structure: an ideal switch follows its input', async () => {
    const text = `
      model M
        input Boolean closed;
        Real v1(start = 10, fixed = true), v2(start = 1, fixed = true), i;
      equation
        1*der(v1) = -i;
        2*der(v2) = i;
        if closed then v1 = v2; else i = 0; end if;
      end M;`;
    const { table, impulses } = await done(text, {
      stopTime: 2,
      inputs: { time: [0, 1], closed: [false, true] },
    });
    close(table.value('v1', 2), 4);
    expect(impulses).toHaveLength(1);
    close(impulses[0]!.weight, 6);
  });
});

describe('tables', () => {
  const messages = async (options: SimulateOptions): Promise<string[]> => {
    const { status, diagnostics } = await simulate(loadModel(integrator), options);
    expect(status).toBe('failed');
    return diagnostics.map(({ code, message, hint }) =>
      [`${code}: ${message}`, hint].filter(Boolean).join(' '),
    );
  };

  test('that do not fit are errors that say what is wrong', async () => {
    expect(await messages({ inputs: { time: [0, 1], v: [1, 2] } })).toEqual([
      'bad-input: No column of the table of inputs is named as an input of the model: it has `v`. Inputs are `u`.',
    ]);
    expect(await messages({ inputs: { time: [0, 1], u: [1] } })).toEqual([
      'bad-input: The table of inputs is wrong: u has 1 entries, but time has 2.',
    ]);
    expect(await messages({ inputs: { time: [0, 1, 0.5], u: [1, 2, 3] } })).toEqual([
      'bad-input: The table of inputs is wrong: Rows must follow in time: 0.5 after 1.',
    ]);
    expect(await messages({ inputs: { time: [], u: [] } })).toEqual([
      'bad-input: The table of inputs has no rows.',
    ]);
    expect(await messages({ inputs: { t: [0, 1], u: [1, 2] } })).toEqual([
      'bad-input: The rows of the table of inputs count `t`, not `time`.',
    ]);
    expect(await messages({ inputs: readCsv('time,u\n0,1\n1,\n2,3\n') })).toEqual([
      'bad-input: Row 2 of the table of inputs (time 1): `u` has no value.',
    ]);
    expect(await messages({ inputs: { time: [0, Number.POSITIVE_INFINITY], u: [1, 2] } })).toEqual([
      'bad-input: Row 2 of the table of inputs: the time Infinity is not a finite number.',
    ]);
  });

  test('columns that drive nothing are told, with what may have been meant', async () => {
    const { diagnostics } = await done(integrator, { inputs: { time: [0, 1], u: [1, 2], U2: [1, 2] } });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'The model has no input `U2`; what the table has for it is not used.',
    ]);
  });

  test('units must be those of the model', async () => {
    const text = integrator.replace('Real u;', 'Real u(unit = "V");');
    const inputs = fromArrays({ time: [0, 1], u: [1, 2] }, { units: { u: 'mV' } });
    const { status, diagnostics } = await simulate(loadModel(text), { inputs });
    expect(status).toBe('failed');
    expect(diagnostics[0]!.message).toBe('The table of inputs has `u` in mV, the model in V.');
  });

  test('a model without inputs cannot be driven', async () => {
    const { diagnostics } = await simulate(loadModel('model M Real x = time; end M;'), { inputs: polygon });
    expect(diagnostics[0]!.message).toBe('The model has no inputs that a table could drive.');
  });

  test('a simulation object is translated once for all tables with the same columns', async () => {
    const object = instantiate(integrator);
    const areas: number[] = [];
    for (const height of [1, 2, 5]) {
      const { table, statistics } = await object.simulate({
        stopTime: 1,
        inputs: { time: [0, 0.5, 1], u: [0, height, 0] },
      });
      areas.push(table.value('x', 1));
      expect(statistics.translations).toBe(height === 1 ? 1 : 0);
    }
    for (const [k, height] of [1, 2, 5].entries()) close(areas[k]!, height / 2);
  });

  test('an input cannot have a value and a column', async () => {
    const object = instantiate(loadModel(integrator));
    const { status, diagnostics } = await object.simulate({ inputs: polygon, merge: { u: 3 } });
    expect(status).toBe('failed');
    expect(diagnostics[0]!.message).toContain('`u`');
  });

  test('results of one run drive another one', async () => {
    const source = await done(
      `
      model Source
        Real u(start = 0, fixed = true);
      equation
        der(u) = if time < 1 then 1 else -1;
      end Source;`,
      { stopTime: 2 },
    );
    const { table } = await done(integrator, { stopTime: 2, inputs: source.table.select(['u']) });
    close(table.value('x', 2), 1);
  });

  test('ten thousand rows take seconds, not minutes', async () => {
    const time = Array.from({ length: 10_001 }, (_, k) => k / 1000);
    const inputs = { time, u: time.map((t) => Math.sin(t)) };
    const { table } = await done(integrator, { stopTime: 10, inputs, audit: false });
    // The trapezoidal rule is off by h² / 12 of the difference of the slopes.
    close(table.value('x', 10), (1 - Math.cos(10)) * (1 - 1e-6 / 12), 1e-8);
  });
});
