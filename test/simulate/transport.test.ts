/** `spatialDistribution` against the characteristics of the transport equation: both directions, initial profiles, jumps, changes of structure. */
import { describe, expect, it } from 'vitest';
import { loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { close, done } from './notation.ts';

/** Nothing is expected where a signal jumps. */
function follows(
  { table }: SimulationResult,
  name: string,
  expected: (t: number) => number | undefined,
  tolerance = 1e-6,
) {
  const values = table.get(name);
  for (const [k, time] of [...table.time].entries())
    expect(Math.abs(values[k]! - (expected(time) ?? values[k]!)), `${name} at ${time}`).toBeLessThanOrEqual(
      tolerance,
    );
}

describe('a line that moves forward', () => {
  it('gives what entered one length before, and at first what was in it', async () => {
    const result = await done(
      `model M
        Real x, a, b;
      equation
        x = 0.5*time;
        (a, b) = spatialDistribution(sin(3*time), -7, x, true, {0, 0.25, 1}, {4, 2, 5});
      end M;`,
      { stopTime: 10 },
    );
    const initial = (xi: number) => (xi < 0.25 ? 4 - 8 * xi : 2 + 4 * (xi - 0.25));
    follows(result, 'a', (t) => Math.sin(3 * t), 1e-12);
    // A jump where the initial profile ends: 4 against sin(0).
    const at2 = [...result.table.time].flatMap((t, k) =>
      Math.abs(t - 2) < 1e-9 ? [result.table.get('b')[k]!] : [],
    );
    close(at2[0]!, 4, 1e-8);
    expect(Math.abs(at2.at(-1)!)).toBeLessThan(1e-8);
    const expected = (t: number) => (t < 2 ? initial(1 - t / 2) : Math.sin(3 * (t - 2)));
    for (const [k, t] of [...result.table.time].entries())
      if (Math.abs(t - 2) > 1e-9) close(result.table.get('b')[k]!, expected(t), 1e-8);
  });

  it('with a speed that changes: the delay is what the equation says', async () => {
    const result = await done(
      `model M
        Real x(start = 3, fixed = true), b;
        Real v = 1 + 0.5*cos(time);
      equation
        der(x) = v;
        (, b) = spatialDistribution(time, 0, x, v >= 0);
      end M;`,
      { stopTime: 12, tolerance: 1e-9 },
    );
    const x = (t: number) => t + 0.5 * Math.sin(t);
    follows(
      result,
      'b',
      (t) => {
        if (x(t) <= 1) return 0;
        let [low, high] = [0, t];
        for (let k = 0; k < 100; k++) {
          const middle = (low + high) / 2;
          if (x(middle) < x(t) - 1) low = middle;
          else high = middle;
        }
        return low;
      },
      1e-7,
    );
  });

  it('starting from rest, where what entered has a root in space', async () => {
    // x = t^2: what is at the end entered at sqrt(t^2 - 1).
    const result = await done(
      'model M Real b; equation (, b) = spatialDistribution(time, 0, time^2, true); end M;',
      { stopTime: 3 },
    );
    follows(result, 'b', (t) => (t <= 1 ? 0 : Math.sqrt(t * t - 1)), 1e-7);
  });

  it('lets jumps leave in events', async () => {
    const { table, statistics } = await done(
      `model M
        Real u = if time < 1 then 0 elseif time < 1.5 then 1 else 2;
        Real b, i(start = 0, fixed = true);
        discrete Real at(start = 0, fixed = true);
      equation
        (, b) = spatialDistribution(u, 0, 0.25*time, true);
        der(i) = b;
        when b > 1.5 then
          at = time;
        end when;
      end M;`,
      { stopTime: 8 },
    );
    close(table.value('at', 8), 5.5, 1e-9);
    close(table.value('i', 8), 0.5 + 2 * 2.5, 1e-9);
    expect(statistics.events).toBeLessThanOrEqual(5);
  });
});

describe('a line that turns', () => {
  it('gives back what had entered', async () => {
    // x = sin(t): what entered from 0 to pi/2 comes back at the same side, in reverse.
    const result = await done(
      `model M
        Real x(start = 0, fixed = true), v = 0.8*cos(time), a, b;
      equation
        der(x) = v;
        (a, b) = spatialDistribution(time, -time, x, v >= 0, {0, 1}, {0, 10});
      end M;`,
      { stopTime: 4.6, tolerance: 1e-10 },
    );
    const x = (t: number) => 0.8 * Math.sin(t);
    const turn = Math.PI / 2;
    // Then what was left of the initial profile, 0 to 0.2, and what entered at the other side.
    follows(
      result,
      'a',
      (t) => {
        if (t <= turn) return t;
        if (x(t) >= 0) return Math.PI - t;
        if (Math.abs(x(t) + 0.2) < 1e-9) return undefined;
        return x(t) > -0.2 ? -10 * x(t) : Math.asin((x(t) + 1) / 0.8) - Math.PI;
      },
      2e-7,
    );
    const turned = (t: number) => (Math.abs(t - turn) < 1e-9 ? undefined : t > turn);
    follows(result, 'b', (t) => (turned(t) ? -t : turned(t) === false ? 10 * (1 - x(t)) : undefined), 2e-7);
  });

  it('backwards is forwards seen from the other end', async () => {
    const result = await done(
      `model M
        Real a, b, c, d;
      equation
        (a, b) = spatialDistribution(sin(time), 3, time, true, {0, 1}, {1, 2});
        (c, d) = spatialDistribution(3, sin(time), -time, false, {0, 1}, {2, 1});
      end M;`,
      { stopTime: 3 },
    );
    const { table } = result;
    for (const [k] of [...table.time].entries()) {
      close(table.get('a')[k]!, table.get('d')[k]!, 1e-12);
      close(table.get('b')[k]!, table.get('c')[k]!, 1e-12);
    }
  });

  it('without events for the direction', async () => {
    const { table } = await done(
      `model M
        Real x(start = 0, fixed = true), v = cos(time), a, b, i(start = 0, fixed = true);
      equation
        der(x) = v;
        (a, b) = spatialDistribution(1, 2, x, noEvent(v >= 0));
        der(i) = b;
      end M;`,
      { stopTime: 3, tolerance: 1e-8, audit: false }, // the audit wants an event where b jumps
    );
    // b is 0 until the line turns, then 2.
    close(table.value('i', 3), 2 * (3 - Math.PI / 2), 1e-3);
  });

  it('rests without forgetting, and takes in what has changed meanwhile', async () => {
    const { table } = await done(
      `model M
        Real x(start = 0, fixed = true), b, i(start = 0, fixed = true);
        Real v = if time < 0.5 or time > 2 then 1 else 0;
      equation
        der(x) = v;
        (, b) = spatialDistribution(time, 0, x, v >= 0);
        der(i) = b;
      end M;`,
      { stopTime: 3.5 },
    );
    // From 2.5 on what entered in 0 to 0.5, from 3 on what entered from 2 on.
    close(table.value('b', 2.75), 0.25, 1e-9);
    close(table.value('b', 3.25), 2.25, 1e-9);
    close(table.value('i', 3.5), 0.125 + (2.5 ** 2 - 2 ** 2) / 2, 1e-6);
  });
});

describe('lines in a model', () => {
  it('of several quantities, each with its own profile', async () => {
    const { table } = await done(
      `model M
        Real a[2], b[2];
      equation
        (a, b) = spatialDistribution({time, 2*time}, {0, 0}, time, true, {0, 1}, [1, 2; 3, 5]);
      end M;`,
      { stopTime: 3 },
    );
    const values = ['b[1]', 'b[2]'].map((name) => [table.value(name, 0.5), table.value(name, 3)]);
    for (const [k, expected] of [1.5, 2, 4, 4].entries()) close(values[k >> 1]![k & 1]!, expected, 1e-9);
  });

  it('in a row, joined both ways, are one line', async () => {
    const result = await done(
      `model M
        model Pipe
          Real in0, in1, out0, out1, x, v;
        equation
          der(x) = v;
          (out0, out1) = spatialDistribution(in0, in1, x, v >= 0);
        initial equation
          x = 0;
        end Pipe;
        Pipe p[3];
        Real v = 2*cos(time);
      equation
        for i in 1:3 loop
          p[i].v = v;
        end for;
        for i in 1:2 loop
          p[i].out1 = p[i + 1].in0;
          p[i + 1].out0 = p[i].in1;
        end for;
        p[1].in0 = 1 + time;
        p[3].in1 = 5;
      end M;`,
      { stopTime: 3, model: 'M', tolerance: 1e-9 },
    );
    // x reaches 2: the front has passed two pipes, and goes back.
    follows(result, 'p[1].out0', (t) => (t <= Math.PI / 2 ? 1 + t : 1 + Math.PI - t), 2e-6);
    close(result.table.value('p[3].out0', 3), 5, 1e-12);
  });

  it('a ring turns for ever', async () => {
    const { table } = await done(
      `model M
        Real y, i(start = 0, fixed = true);
      equation
        (, y) = spatialDistribution(y, 0, 0.7*time, true, {0, 0.5, 0.5, 1}, {1, 1, 3, 3});
        der(i) = y;
      end M;`,
      { stopTime: 100 },
    );
    close(table.value('i', 100), 200, 1e-6);
  });

  it('as a differential equation with a delay: the method of steps', async () => {
    const result = await done(
      `model M
        Real x(start = 1, fixed = true), y;
      equation
        der(x) = -y;
        (, y) = spatialDistribution(x, 0, time, true, {0, 1}, {1, 1});
      end M;`,
      { stopTime: 8 },
    );
    follows(result, 'x', (t) => {
      let [sum, factorial] = [1, 1];
      for (let k = 1; k <= Math.floor(t) + 1; k++) {
        factorial *= k;
        sum += ((-1) ** k * (t - k + 1) ** k) / factorial;
      }
      return sum;
    });
  });

  it('rests while it is not there', async () => {
    const { table } = await done(
      `model M
        model Moving
          outer output Real y;
          Real x(start = 0), z;
        equation
          der(x) = 1;
          (, z) = spatialDistribution(time, 0, x, true);
          y = z;
        end Moving;
        model Idle
          outer output Real y;
        equation
          y = -1;
        end Idle;
        inner Real y;
        Moving moving;
        Idle idle;
      equation
        initialState(moving);
        transition(moving, idle, time > 0.5 and time < 3, reset = false);
        transition(idle, moving, time > 3, reset = false);
      end M;`,
      { stopTime: 5, model: 'M' },
    );
    close(table.value('y', 2), -1, 1e-12);
    close(table.value('y', 3.75), 0.25, 1e-8);
    close(table.value('y', 4.25), 3.25, 1e-8);
  });

  it('begins anew where a state is entered anew', async () => {
    const { table } = await done(
      `model M
        model Moving
          outer output Real y;
          Real x(start = 0), z;
        equation
          der(x) = 1;
          (, z) = spatialDistribution(7, 0, x, true, {0, 1}, {1, 2});
          y = z;
        end Moving;
        model Idle
          outer output Real y;
        equation
          y = -1;
        end Idle;
        inner Real y;
        Moving moving;
        Idle idle;
      equation
        initialState(moving);
        transition(moving, idle, time > 1.5 and time < 3);
        transition(idle, moving, time > 3);
      end M;`,
      { stopTime: 5, model: 'M' },
    );
    close(table.value('y', 1.25), 7, 1e-9);
    close(table.value('y', 3.25), 1.75, 1e-8);
  });

  it('goes on where the structure around it changes', async () => {
    const { table } = await done(
      `model M
        Real x(start = 0, fixed = true), v(start = 1, fixed = true), y;
        Boolean held = time > 0.5 and time < 2;
      equation
        der(x) = v;
        if held then
          v = 0;
        else
          der(v) = 0;
        end if;
        (, y) = spatialDistribution(time, 0, x, v >= 0, {0, 1}, {3, 4});
      end M;`,
      { stopTime: 6 },
    );
    close(table.value('x', 6), 0.5, 1e-9);
    close(table.value('y', 6), 3.5, 1e-9);
  });

  it('jumps with its position', async () => {
    const { table } = await done(
      `model M
        Real x(start = 0, fixed = true), y;
      equation
        der(x) = 1;
        when time > 0.5 then
          reinit(x, 0.75);
        end when;
        (, y) = spatialDistribution(10, 0, x, true, {0, 1}, {0, 1});
      end M;`,
      { stopTime: 0.9 },
    );
    close(table.value('y', 0.45), 0.55, 1e-9);
    close(table.value('y', 0.6), 0.15, 1e-9);
    close(table.value('y', 0.9), 10, 1e-9);
  });
});

describe('what is wrong', () => {
  for (const [text, code, message] of [
    ['(a, b) = spatialDistribution(1, 2, time, true, {0, 0.5}, {1, 2});', 'bad-transport', /begin with 0, end with 1/],
    ['(a, b) = spatialDistribution(1, 2, time, true, {0, 0.7, 0.5, 1}, {1, 2, 3, 4});', 'bad-transport', /not decrease/],
    ['(a, b) = spatialDistribution(1, 2, time, true, {0, 1}, {1, 2, 3});', 'dimension-mismatch', /2 initial points but 3/],
    ['(a, b) = spatialDistribution(1, 2, time, true, {0, 1}, {time, 2});', 'variability', /must not change/],
    ['(a, b) = spatialDistribution(1, {2}, time, true);', 'type-mismatch', /`in1`/],
    ['(a, b) = spatialDistribution(1, 2, time, 1);', 'type-mismatch', /`positiveVelocity`/],
    ['(a, b) = spatialDistribution(1, 2, -time, true);', 'bad-transport', /decreases at time .* is true/],
    ['(a, b, c) = spatialDistribution(1, 2, time, true);', 'bad-call', /has 2 outputs but 3/],
    ['(a, b) = spatialDistribution(1, 2, time);', 'bad-call', /positiveVelocity/],
  ] as const) // biome-ignore format: one case a line
    it(text, async () => {
      let diagnostics: SimulationResult['diagnostics'];
      try {
        const model = loadModel(`model M Real a, b, c = 1; equation ${text} end M;`);
        ({ diagnostics } = await simulate(model, { stopTime: 2 }));
      } catch (problem) {
        ({ diagnostics } = problem as SimulationResult);
      }
      const found = diagnostics.find(({ severity }) => severity === 'error')!;
      expect(found.message).toMatch(message);
      expect(found.code).toBe(code);
      expect(found.span).toBeDefined();
    });
});
