/** Events: exact times, super-dense iteration, accumulation. Expected values are closed forms. */
import { describe, expect, test } from 'vitest';
import type { Method } from '../../src/index.ts';
import { close, done, example, run } from './notation.ts';

/** Times of the events of a table: rows that share their time with the row before. */
function eventTimes(time: Float64Array): number[] {
  const times: number[] = [];
  for (let k = 1; k < time.length; k++)
    if (time[k] === time[k - 1] && times.at(-1) !== time[k]) times.push(time[k]!);
  return times;
}

const ball = `model Ball
    parameter Real e = 0.7;
    Real h(start = 1, fixed = true), v(start = 0, fixed = true);
    discrete Real impact(start = 0, fixed = true) "Time of the last impact";
    Integer n(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h < 0 then
      reinit(v, -e*pre(v));
      impact = time;
      n = pre(n) + 1;
    end when;
  end Ball;`;

/** Impact k (from 1) of a ball dropped from 1 m. */
function impactTime(k: number, e = 0.7): number {
  const first = Math.sqrt(2 / 9.81);
  let t = first;
  for (let i = 1; i < k; i++) t += 2 * first * e ** i;
  return t;
}

describe('bouncing ball', () => {
  test('impacts at their exact times', async () => {
    const { table } = await done(ball, { stopTime: 2.2, intervals: 11 });
    const n = table.get('n');
    const impact = table.get('impact');
    for (let k = 1; k <= 5; k++) {
      const found = impact[n.indexOf(k)]!;
      expect(Math.abs(found - impactTime(k))).toBeLessThan(1e-8);
    }
    const published = [0.451523641, 1.0836567384, 1.5261499065, 1.8358951242, 2.0527167766];
    published.forEach((t, k) => {
      expect(Math.abs(t - impactTime(k + 1))).toBeLessThan(1e-9);
    });
    close(table.value('h', 2), 0.0424335478);
    expect(Math.min(...table.get('h'))).toBeGreaterThan(-1e-9);
  });

  test('the accumulation point is diagnosed, and the ball never falls through the floor', async () => {
    const { status, diagnostics, time, table } = await run(ball, { stopTime: 3 });
    expect(status).toBe('failed');
    const [problem] = diagnostics.filter((d) => d.severity === 'error');
    expect(problem!.code).toBe('zeno');
    const found = Number(/before time ([\d.]+\d)/.exec(problem!.message)![1]);
    expect(Math.abs(found - 2.5586339656)).toBeLessThan(1e-6);
    expect(Math.abs(time - 2.5586339656)).toBeLessThan(1e-5);
    expect(problem!.span).toBeDefined();
    expect(Math.min(...table.get('h'))).toBeGreaterThan(-1e-9);
  });

  test.each([0.1, 0.3, 0.5, 0.9])('restitution %f', async (e) => {
    const { status, diagnostics, table } = await run(ball, { stopTime: 12, set: { e } });
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.code).toBe('zeno');
    const limit = Math.sqrt(2 / 9.81) * (1 + (2 * e) / (1 - e));
    const found = Number(/before time ([\d.]+\d)/.exec(diagnostics.at(-1)!.message)![1]);
    expect(Math.abs(found - limit)).toBeLessThan(1e-5);
    expect(Math.min(...table.get('h'))).toBeGreaterThan(-1e-9);
  });

  test('comes to rest where the model provides for it', async () => {
    const { table } = await done(example('BouncingBall'), { stopTime: 5 });
    expect(table.value('h', 5)).toBe(0);
    expect(table.value('v', 5)).toBe(0);
    expect(table.value('flying', 5)).toBe(0);
    expect(table.value('flying', 2.4)).toBe(1);
  });
});

describe('time events', () => {
  test('happen exactly at their times, whatever the steps', async () => {
    const { table, statistics } = await done(
      `model Times
         parameter Real t1 = 0.3;
         Real x(start = 0, fixed = true);
       equation
         der(x) = if time >= t1 and time < 0.7 then 1 else 0;
       end Times;`,
      { intervals: 7 },
    );
    expect(eventTimes(table.time)).toEqual([0.3, 0.7]);
    close(table.value('x', 1), 0.4, 1e-12);
    expect(statistics.events).toBe(2);
  });

  test('sample ticks, counts and holds', async () => {
    const { table } = await done(
      `model Sampled
         Integer n(start = 0, fixed = true);
         discrete Real held(start = 0, fixed = true);
       equation
         when sample(0, 0.1) then
           n = pre(n) + 1;
           held = time;
         end when;
       end Sampled;`,
      { stopTime: 1 },
    );
    expect(table.value('n', 0)).toBe(1);
    expect(table.value('n', 0.55)).toBe(6);
    expect(table.value('n', 1)).toBe(11);
    expect(table.value('held', 0.55)).toBeCloseTo(0.5, 14);
    expect(table.value('held', 0.5, 'before')).toBeCloseTo(0.4, 14);
  });

  test('a factor of time may be zero', async () => {
    const { table } = await done(
      `model Zero
         parameter Real k = 0;
         Integer n(start = 0, fixed = true);
         Boolean below = k*time < 1;
         Boolean counted = n*time <= 2;
       equation
         when time >= 0.5 then n = 4; end when;
       end Zero;`,
    );
    expect(table.value('below', 0.9)).toBe(1);
    expect(table.value('counted', 0.4)).toBe(1);
    expect(table.value('counted', 0.9)).toBe(0);
  });

  test('a relation that is an inequality at the start is exact there', async () => {
    const { table } = await done(
      `model Start
         Real x;
         Boolean b = time > 0;
         Boolean c = time <= 0;
       equation
         x = if b then 1 else 2;
       end Start;`,
    );
    expect(table.value('b', 0)).toBe(1);
    expect(table.value('c', 1)).toBe(0);
    expect(table.value('x', 1)).toBe(1);
  });
});

describe('when', () => {
  test('elsewhen, several conditions, edge and change', async () => {
    const { table } = await done(
      `model When
         Boolean up = time > 0.2;
         Boolean up2 = time > 0.6;
         Integer first(start = 0, fixed = true), both(start = 0, fixed = true), edges(start = 0, fixed = true), changes(start = 0, fixed = true);
       equation
         when up then
           first = 1;
         elsewhen up2 then
           first = 2;
         end when;
         when {up, up2} then
           both = pre(both) + 1;
         end when;
         when time > 0.1 or edge(up) then
           edges = pre(edges) + 1;
         end when;
         when change(up) then
           changes = pre(changes) + 1;
         end when;
       end When;`,
      { stopTime: 1 },
    );
    expect(table.value('first', 0.5)).toBe(1);
    expect(table.value('first', 1)).toBe(2);
    expect(table.value('both', 1)).toBe(2);
    expect(table.value('edges', 1)).toBe(1);
    expect(table.value('changes', 1)).toBe(1);
  });

  test('initial() fires once, at the start', async () => {
    const { table } = await done(
      `model Init
         discrete Real a(start = 0), b(start = 5, fixed = true);
       equation
         when initial() then
           a = 3;
         end when;
         when {initial(), time > 0.5} then
           b = 10 + time;
         end when;
       end Init;`,
    );
    expect(table.value('a', 0)).toBe(3);
    expect(table.value('b', 0)).toBe(10);
    expect(table.value('b', 1)).toBe(10.5);
  });

  test('one event triggers the next at the same instant', async () => {
    const { table } = await done(
      `model Cascade
         Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
       equation
         when time > 0.5 then a = 1; end when;
         when a > 0 then b = a + 1; end when;
         when b > 1 then c = b + 1; end when;
       end Cascade;`,
    );
    expect(table.value('c', 0.5, 'before')).toBe(0);
    expect(table.value('c', 0.5, 'after')).toBe(3);
  });

  // Section 8.3.8 does not ask for `when`: the run ends where `terminate` is reached.
  test.each([
    ['in an if-equation', 'equation if x > 0.5 then terminate("x"); end if;', 0.5],
    [
      'in nested if-equations',
      'equation if x > 0.2 then if x > 0.7 then terminate("x"); end if; end if;',
      0.7,
    ],
    ['in a loop', 'equation for i in 1:3 loop if i*x > 0.9 then terminate("x"); end if; end for;', 0.3],
    ['where it is reached at once', 'equation terminate("x");', 0],
    ['where a parameter asks for it', 'equation if p then terminate("x"); end if;', 0],
    ['in an algorithm', 'algorithm if x > 0.5 then terminate("x"); end if;', 0.5],
    [
      'at a tick',
      'Integer n(start = 0); equation when Clock(1, 10) then n = previous(n) + 1; if n >= 5 then terminate("n"); end if; end when;',
      0.4,
    ],
    [
      'in equations on a clock',
      'Integer n(start = 0); equation n = previous(n) + sample(1, Clock(1, 10)); if n >= 5 then terminate("n"); end if;',
      0.4,
    ],
  ])('terminate %s', async (_, body, end) => {
    const { status, time, diagnostics } = await run(
      `model M parameter Boolean p = true; Real x = time; ${body} end M;`,
      { stopTime: 1 },
    );
    expect(status).toBe('terminated');
    close(time, end, 1e-9);
    expect(diagnostics.filter(({ code }) => code === 'terminated')).toHaveLength(1);
  });

  test('terminate ends the run with its message', async () => {
    const { status, time, diagnostics } = await run(
      `model Stop
         Real x(start = 0, fixed = true);
       equation
         der(x) = 1;
         when x > 0.25 then
           terminate("x is " + String(x));
         end when;
       end Stop;`,
    );
    expect(status).toBe('terminated');
    expect(time).toBeCloseTo(0.25, 10);
    expect(diagnostics.at(-1)).toMatchObject({ code: 'terminated', severity: 'warning' });
    expect(diagnostics.at(-1)!.message).toContain('x is 0.25');
  });
});

describe('relations after a jump', () => {
  test('a value that jumps far back over its relation causes one event', async () => {
    const { table, statistics } = await done(
      `model Sawtooth
        Real x(start = 0, fixed = true);
        Integer n(start = 0, fixed = true);
      equation
        der(x) = 1 + 0.1*x;
        when x >= 1 then
          reinit(x, 0);
          n = pre(n) + 1;
        end when;
      end Sawtooth;`,
      { stopTime: 5 },
    );
    const period = 10 * Math.log(1.1);
    expect(eventTimes(table.time)).toHaveLength(5);
    expect(statistics.events).toBe(5);
    expect(table.value('n', 5)).toBe(5);
    close(table.value('x', 5), 10 * (Math.exp(0.1 * (5 - 5 * period)) - 1));
  });

  test('discrete variables see relations of the values as they are, not of the iteration before', async () => {
    // In the iteration in which the level has become 3, x > level no longer holds.
    const { table } = await done(
      `model Cascade
        Real x = 2.5*time;
        Integer level(start = 0, fixed = true);
        Real margin = x - pass;
        Real pass = if level < 1 then 1 else 3*level;
      equation
        level = if margin > 0 then pre(level) + 1 else pre(level);
      end Cascade;`,
      { stopTime: 2 },
    );
    expect(table.value('level', 0.3)).toBe(0);
    expect(table.value('level', 0.5)).toBe(1);
    expect(table.value('level', 1.3)).toBe(2);
    expect(table.value('level', 2)).toBe(2);
  });
});

describe('thermostat', () => {
  test('hysteresis switches at the exact times', async () => {
    const { table } = await done(
      `model Thermostat
         Real T(start = 20, fixed = true);
         Boolean on(start = false, fixed = true);
       equation
         der(T) = (if on then 5 else 0) - 0.1*T;
         when {T <= 18, T >= 22} then
           on = T <= 20;
         end when;
       end Thermostat;`,
      { stopTime: 24 },
    );
    const times = eventTimes(table.time);
    const cooling = 10 * Math.log(20 / 18);
    const heating = 10 * Math.log((50 - 18) / (50 - 22));
    expect(times[0]).toBeCloseTo(cooling, 7);
    close(cooling, 1.0536051566);
    expect(times.some((t) => Math.abs(t - cooling - heating) < 1e-7)).toBe(true);
    close(table.value('T', 24), 18.8242680319);
  });
});

describe('a diode', () => {
  const diode = `model Peak
      Real v(start = 0.5, fixed = true), i, s(start = -1);
      Boolean off(start = true);
    equation
      off = s < 0;
      sin(3*time) - v = if off then s else 0;
      i = if off then 0 else s;
      der(v) = i;
    end Peak;`;

  test('blocks when its current has come down to zero', async () => {
    const { table, modes } = await done(diode, { stopTime: 1 });
    close(table.value('v', 0.4), Math.sin(1.2));
    close(table.value('v', 1), 1);
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['off', 1],
      ['not off', 0],
      ['off', 1],
    ]);
    expect(modes[1]!.from).toBeCloseTo(Math.asin(0.5) / 3, 8);
    expect(modes[1]!.to).toBeCloseTo(Math.PI / 6, 8);
  });

  test('conducts for a moment while all states rest', async () => {
    const { table } = await done(diode.replace('0.5', '0.999'), { stopTime: 2, intervals: 100 });
    close(table.value('v', 2), 1);
  });
});

describe('integer-valued functions of continuous variables', () => {
  test('floor, mod and div cause events', async () => {
    const { table } = await done(
      `model Steps
         Real saw = mod(time, 0.25);
         Integer f = integer(4*time + 0.5);
         Real d = div(-3*time, 1.0);
         Real s(start = 0, fixed = true);
       equation
         der(s) = floor(10*time);
       end Steps;`,
    );
    close(table.value('saw', 0.6), 0.1, 1e-12);
    expect(table.value('f', 0.6)).toBe(2);
    expect(table.value('d', 0.9)).toBe(-2);
    close(table.value('s', 1), 4.5, 1e-12);
  });

  test('fall at the integers, from the first instant on', async () => {
    const { table } = await done(
      `model Falling
         Real f = floor(-2*time);
         Real c = ceil(2*time);
         Real m = mod(-time, 0.5);
         Real r = floor(10*(1 - time));
       end Falling;`,
      { stopTime: 2, intervals: 16 },
    );
    for (let k = 0; k < 16; k++) {
      const t = k / 8 + 1 / 16;
      expect(table.value('f', t)).toBe(Math.floor(-2 * t));
      expect(table.value('c', t)).toBe(Math.ceil(2 * t));
      close(table.value('m', t), Math.ceil(2 * t) / 2 - t, 1e-12);
    }
    expect(table.value('f', 0.5, 'before')).toBe(-1);
    expect(table.value('f', 0.5, 'after')).toBe(-2);
    expect(table.value('r', 0.75)).toBe(2);
    expect(table.value('r', 1.25)).toBe(-3);
  });
});

describe('events that do not settle', () => {
  test('a livelock of discrete values is diagnosed', async () => {
    const { status, diagnostics } = await run(
      `model Livelock
         Boolean b(start = false, fixed = true);
       equation
         b = time > 0.5 and not pre(b);
       end Livelock;`,
    );
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.code).toBe('event-cycle');
    expect(diagnostics.at(-1)!.message).toContain('b');
  });

  test('chattering is diagnosed', async () => {
    const { status, diagnostics, time } = await run(
      `model Chatter
         Real x(start = 1, fixed = true);
       equation
         der(x) = if x > 0 then -1 else 1;
       end Chatter;`,
      { stopTime: 2 },
    );
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.code).toBe('zeno');
    expect(time).toBeCloseTo(1, 5);
  });
});

describe('actions inside if-equations of a when', () => {
  test('happen only where the condition of the if holds', async () => {
    const { table } = await done(
      `model Guarded
         Real x(start = 0, fixed = true), y(start = 0, fixed = true);
       equation
         der(x) = 1;
         der(y) = 1;
         when time > 0.5 then
           if x > 10 then
             reinit(x, 0);
           else
             reinit(y, 5);
           end if;
         end when;
       end Guarded;`,
    );
    close(table.value('x', 1), 1, 1e-12);
    close(table.value('y', 1), 5.5, 1e-12);
  });
});

describe('output rows', () => {
  test('an event on a point of the grid is one pair of rows', async () => {
    const { table } = await done('model Grid Boolean b = time >= 0.5; end Grid;', { intervals: 4 });
    expect([...table.time]).toEqual([0, 0.25, 0.5, 0.5, 0.75, 1]);
    expect([...table.get('b')]).toEqual([0, 0, 0, 1, 1, 1]);
  });
});

describe('what must change at events only', () => {
  test('an Integer from a continuous expression is refused', async () => {
    const { status, diagnostics } = await run(
      `package P
         function f
           input Real u;
           output Integer n;
         algorithm
           n := integer(u);
         end f;
         model Count
           Integer n = f(10*time);
         end Count;
       end P;`,
    );
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({ code: 'variability', severity: 'error' });
    expect(diagnostics[0]!.message).toContain('n');
  });

  test('a condition without events that chooses between structures has them, with a warning', async () => {
    const { status, diagnostics, table } = await run(
      `model Quiet
         Real x(start = 0, fixed = true);
       equation
         if noEvent(time < 0.5) then der(x) = 1; else x = 3; end if;
       end Quiet;`,
    );
    expect(status).toBe('done');
    expect(diagnostics[0]).toMatchObject({ code: 'variability', severity: 'warning' });
    close(table.value('x', 0.5, 'before'), 0.5);
    close(table.value('x', 0.5), 3);
  });
});

describe('kinetics with a rate that is switched and a state of 1e-5', () => {
  const kinetics = (nominal: string) => `model Robertson
      Real a(start = 1, fixed = true), c(start = 0, fixed = true);
      Real b(start = 0, fixed = true${nominal});
      Real k = if time < 10 then 0.04 else 0.4;
    equation
      der(a) = -k*a + 1e4*b*c;
      der(b) = k*a - 1e4*b*c - 3e7*b^2;
      der(c) = 3e7*b^2;
    end Robertson;`;

  /** b follows the others within a millisecond, so that they move on the curve on which it rests; by steps of Heun. */
  function reference(): number {
    const slope = (t: number, a: number): number => {
      const k = t < 10 ? 0.04 : 0.4;
      const c = 1 - a;
      const b = (2 * k * a) / (1e4 * c + Math.sqrt(1e8 * c * c + 12e7 * k * a));
      return -3e7 * b * b;
    };
    const h = 1e-3;
    let a = 1;
    for (let n = 0; n < 100_000; n++) {
      const first = slope(n * h, a);
      a += (h / 2) * (first + slope((n + 1) * h - 1e-12, a + h * first));
    }
    return a;
  }

  test.each(
    (['bdf', 'auto'] as const).flatMap((method) => [1e-2, 1e-4].map((tolerance) => ({ method, tolerance }))),
  )('%o', async (options) => {
    const { table } = await done(kinetics(', nominal = 1e-5'), { stopTime: 100, ...options });
    close(table.value('a', 100), reference(), options.tolerance * 5);
  });

  test('needs the size of the state, and says so', async () => {
    const { status, diagnostics } = await run(kinetics(''), {
      stopTime: 100,
      tolerance: 1e-3,
      method: 'bdf',
    });
    expect(status).toBe('failed');
    const { code, hint } = diagnostics.at(-1)!;
    expect(code).toBe('step-too-small');
    expect(hint).toContain('states far below 1 need a nominal value');
  });
});

describe('runs that would never end', () => {
  test('a singularity without end of steps is diagnosed', async () => {
    const { status, diagnostics, time } = await run(
      'model Pole Real x(start = 1, fixed = true); equation der(x) = -1/x; end Pole;',
      { method: 'rk', tolerance: 1e-6 },
    );
    expect(status).toBe('failed');
    expect(diagnostics[0]!.code).toBe('step-too-small');
    expect(diagnostics[0]!.message).toContain('x');
    expect(time).toBeCloseTo(0.5, 3);
  });
});

test('discrete variables that change without end are named, with their equations', async () => {
  const { diagnostics } = await run(`model Cycle
      Boolean a(start = false), b(start = false), c(start = false);
      Real x(start = 0, fixed = true);
    equation
      der(x) = 1;
      a = not pre(b) and x > 0.5;
      b = pre(a) and x > 0.5;
      c = x > 0.7;
    end Cycle;`);
  const problem = diagnostics.find((d) => d.severity === 'error')!;
  expect(problem.code).toBe('event-cycle');
  expect(problem.message).toContain('does not settle: a, b change without end');
  expect(problem.notes.map((n) => n.message)).toEqual([
    'equation a = not pre(b) and x > 0.5',
    'equation b = pre(a) and x > 0.5',
  ]);
});

test('a ball bounces where its height is compared through an algebraic variable', async () => {
  const { table } = await done(
    `model Ball
       Real h(start = 1.05, fixed = true), v(start = 0, fixed = true), low = h - 0.05;
       Boolean b = low < 0;
     equation
       der(h) = v;
       der(v) = -9.81;
       when b then reinit(v, -0.8*pre(v)); end when;
     end Ball;`,
    { stopTime: 1, audit: false },
  );
  const first = Math.sqrt(2 / 9.81);
  const rest = 1 - first;
  close(table.value('h', 1), 0.05 + 0.8 * 9.81 * first * rest - 4.905 * rest ** 2);
});

describe('the end of a run', () => {
  const final = (action: string, more = '') => `model Final
      Real x(start = 1, fixed = true);
      discrete Real y(start = 0, fixed = true);
      Integer n(start = 0, fixed = true);
    ${action}
    equation
      der(x) = -x;
      ${more}
    end Final;`;

  test.each([
    ['an equation', 'equation when terminal() then y = x; n = pre(n) + 1; end when;'],
    ['an algorithm', 'algorithm when terminal() then y := x; n := pre(n) + 1; end when;'],
  ])('is an event of %s', async (_name, action) => {
    const { table } = await done(final(action), { stopTime: 2 });
    close(table.value('y', 2), Math.exp(-2));
    expect([1.5, 2].map((t) => table.value('n', t))).toEqual([0, 1]);
    expect(table.value('y', 1.5)).toBe(0);
  });

  test('by terminate is one as well', async () => {
    const { table, status, time } = await run(
      final(
        'equation when terminal() then y = x; n = pre(n) + 1; end when;',
        'when x < 0.5 then terminate("half"); end when;',
      ),
      { stopTime: 2 },
    );
    expect(status).toBe('terminated');
    close(time, Math.LN2);
    close(table.value('y', time), 0.5);
    expect(table.value('n', time)).toBe(1);
  });

  test('may itself be called a termination', async () => {
    const { table, status, diagnostics } = await run(
      final('equation when terminal() then y = x; n = 1; terminate("over"); end when;'),
      { stopTime: 2 },
    );
    expect(status).toBe('terminated');
    expect(diagnostics.map((d) => d.code)).toEqual(['terminated']);
    close(table.value('y', 2), Math.exp(-2));
  });
});

describe('thousands of events in a small part of the run', () => {
  /** A relay with hysteresis: for a while x is a triangle wave between -h and h with the slopes 1 and -1. */
  const relay = (h: number) => `model Relay
      Real x(start = 0, fixed = true), s(start = 0, fixed = true);
      Boolean up(start = true, fixed = true);
    equation
      der(x) = if time > 2e-4 then 0 else if up then 1 else -1;
      der(s) = 1;
      up = if pre(up) then x < ${h} else x <= -${h};
    end Relay;`;

  test('are told once', async () => {
    const { diagnostics, table } = await done(relay(2e-8), { stopTime: 1, intervals: 10, tolerance: 1e-6 });
    const [note, ...others] = diagnostics.filter((d) => d.code === 'zeno');
    expect(others).toEqual([]);
    expect(note!.severity).toBe('warning');
    // Each relation changes twice in a period of 8e-8 s.
    expect(note!.message).toMatch(/^1000 events of x <=? -?2e-8 happened within 0\.0000(39|40)\d* s/);
    expect(note!.span).toBeDefined();
    close(table.value('s', 1), 1);
  });

  test('are fine a thousand times as far apart', async () => {
    const { diagnostics } = await done(relay(2e-5), { stopTime: 1, intervals: 10, tolerance: 1e-6 });
    expect(diagnostics).toEqual([]);
  });
});

test.each(['bdf', 'radau', 'rk'] as const)(
  'a ball does not fall through the floor with %s',
  async (method) => {
    for (const tolerance of [1e-2, 1e-4, 1e-6, 1e-8]) {
      const { status, diagnostics, time } = await run(
        `model Ball
         Real h(start = 1, fixed = true), v(start = 0, fixed = true);
       equation
         der(h) = v;
         der(v) = -10;
         when h < 0 then reinit(v, -0.5*v); end when;
       end Ball;`,
        { stopTime: 3, tolerance, method },
      );
      expect(status).toBe('failed');
      expect(diagnostics.at(-1)!.code).toBe('zeno');
      // Bounces accumulate at 3*sqrt(0.2).
      expect(Math.abs(time - 3 * Math.sqrt(0.2))).toBeLessThan(1e-6);
    }
  },
);

describe('equations that have no values behind an event', () => {
  // x = 1 - 0.7*t, and the integral of its square root is 2/3 of x^(3/2)/0.7.
  test.each(
    ['auto', 'rk', 'bdf', 'radau'].flatMap((method) => ['>', '>='].map((relation) => ({ method, relation }))),
  )('the event happens before them, %o', async ({ method, relation }) => {
    const { table, statistics } = await done(
      `model Root
           Real x(start = 1, fixed = true), y, z(start = 0, fixed = true);
         equation
           der(x) = -0.7;
           y = if x ${relation} 0 then sqrt(x) else 0;
           der(z) = y;
         end Root;`,
      { stopTime: 3, method: method as Method, tolerance: 1e-9 },
    );
    expect(statistics.events).toBe(1);
    close(table.value('z', 0.6), (2 / 3 / 0.7) * (1 - 0.58 ** 1.5), 1e-6);
    close(table.value('z', 3), 2 / 3 / 0.7, 1e-6);
    close(table.value('x', 3), -1.1, 1e-9);
    expect(table.value('y', 3)).toBe(0);
  });

  test('a function that refuses what is behind an event is not asked there', async () => {
    const { table } = await done(
      `function root
         input Real u;
         output Real y;
       algorithm
         assert(u >= 0, "negative");
         y := sqrt(u);
       end root;
       model Root
         Real x(start = 1, fixed = true), z(start = 0, fixed = true);
       equation
         der(x) = -0.7;
         der(z) = if x > 0 then root(x) else 0;
       end Root;`,
      { stopTime: 3 },
    );
    close(table.value('z', 3), 2 / 3 / 0.7, 1e-6);
  });

  test('what is wrong without any event is still told', async () => {
    const { status, diagnostics } = await run(
      `model Root
         Real x(start = 1, fixed = true), z(start = 0, fixed = true);
       equation
         der(x) = -0.7;
         der(z) = sqrt(x);
       end Root;`,
      { stopTime: 3 },
    );
    expect(status).toBe('failed');
    expect(diagnostics[0]!.code).toBe('bad-evaluation');
    expect(diagnostics[0]!.message).toContain('Square root of a negative number in sqrt(x) at time 1.42857');
  });

  // a - b = (1 - t)^2 until both are equal.
  test.each(['auto', 'rk', 'bdf', 'radau'] as const)(
    'levels that become equal stay so, by %s',
    async (method) => {
      for (const tolerance of [1e-4, 1e-6, 1e-8]) {
        const { table } = await done(
          `model Levels
           Real a(start = 1, fixed = true), b(start = 0, fixed = true), q;
         equation
           q = if a > b then sqrt(a - b) elseif a < b then -sqrt(b - a) else 0;
           der(a) = -q;
           der(b) = q;
         end Levels;`,
          { stopTime: 3, method, tolerance },
        );
        close(table.value('a', 0.6), 0.58, 100 * tolerance);
        close(table.value('a', 3), 0.5, 1e-9);
        close(table.value('b', 3), 0.5, 1e-9);
      }
    },
  );
});

describe('a value that becomes zero and stays there', () => {
  test.each(['auto', 'rk', 'bdf', 'radau'] as const)('has reached it: %s', async (method) => {
    for (const intervals of [3, 500]) {
      const { table } = await done(
        `model Clipped
           Real x(start = 1, fixed = true), empty, full, waves;
           Integer n(start = 0, fixed = true), m(start = 0, fixed = true), rises(start = 0, fixed = true), falls(start = 0, fixed = true);
         equation
           der(x) = -1;
           empty = max(0, x - 0.45);
           full = min(1, 2*time);
           waves = sin(205.5*time)*max(0, 1 - 17.88*abs(time - 0.2241));
           when empty <= 0 then n = pre(n) + 1; end when;
           when not full < 1 then m = pre(m) + 1; end when;
           when waves > 0 then rises = pre(rises) + 1; end when;
           when not waves > 0 then falls = pre(falls) + 1; end when;
         end Clipped;`,
        { method, intervals },
      );
      expect(['n', 'm', 'rises', 'falls'].map((name) => table.value(name, 1))).toEqual([1, 1, 4, 4]);
    }
  });
});

describe('signals in small units have the same events as large ones', () => {
  test.each([1, 1e-6, 1e-9, 1e-12, 1e-15])('a tooth of %s', async (unit) => {
    for (const method of ['auto', 'rk', 'bdf', 'radau'] as const) {
      const { table } = await done(
        `model Tooth
           Real q(start = 0, fixed = true);
           Integer k(start = 0, fixed = true);
         equation
           der(q) = ${unit};
           when q >= 0.095*${unit} then
             k = pre(k) + 1;
             reinit(q, 0);
           end when;
         end Tooth;`,
        { method },
      );
      expect(table.value('k', 1)).toBe(10);
      close(table.value('q', 1) / unit, 0.05, 1e-6);
    }
  });

  test.each([1, 1e-9, 1e-12, 1e-15])('half waves of %s', async (unit) => {
    const { table } = await done(
      `model Waves
         Real y = max(0, ${unit}*cos(64*time));
         Integer k(start = 0, fixed = true);
       equation
         when y > 0 then k = pre(k) + 1; end when;
       end Waves;`,
    );
    // Becomes positive at 3/2 pi, 7/2 pi and so on of 64 t.
    expect(table.value('k', 1)).toBe(Math.floor((64 / Math.PI - 1.5) / 2) + 1);
  });
});

describe('what begins to move long after an event', () => {
  test.each([
    ['a dead zone', '100*max(0, x - 0.05)', 1.25],
    ['a high power', '1e10*x^9', 1],
    ['an exponential function', '200*exp(200*(x - 0.1))', 10],
  ])('is integrated: %s in each of ten teeth', async (_, slope, expected) => {
    for (const method of ['bdf', 'radau', 'rk', 'auto'] as const)
      for (const tolerance of [1e-4, 1e-6]) {
        const { table } = await done(
          `model Teeth
             Real q(start = 0, fixed = true), x(start = 0, fixed = true), stiff(start = 0, fixed = true);
           equation
             der(stiff) = -1e4*(stiff - 1);
             der(x) = 1;
             der(q) = ${slope};
             when x >= 0.1 then reinit(x, 0); end when;
           end Teeth;`,
          { method, tolerance },
        );
        close(table.value('q', 1), expected, 500 * tolerance);
      }
  });
});

describe('a relation without a value', () => {
  const model = (slope: string, declared = '') => `model Gap
      Real x(start = 1, fixed = true), y(start = 0, fixed = true);
      ${declared}
    equation
      der(x) = -2;
      der(y) = ${slope};
    end Gap;`;

  test.each([
    ['in an equation', model('if log(x) > -1 then 1 else 0')],
    ['that a Boolean variable is equal to', model('if b then 1 else 0', 'Boolean b = sqrt(x) > 0.5;')],
    ['from the beginning on', model('if log(-x) > -1 then 1 else 0')],
  ])('is an error where something depends on it: %s', async (_, text) => {
    const { status, diagnostics } = await run(text);
    expect(status).toBe('failed');
    expect(diagnostics[0]!.code).toBe('bad-evaluation');
    expect(diagnostics[0]!.message).toMatch(/has no value at time .* negative number in (log|sqrt)/);
    expect(diagnostics[0]!.span).toBeDefined();
  });

  test.each([
    ['behind a condition', 'if x > 0.1 then (if log(x) > -1 then 1 else 0.5) else 0', 0.38303],
    ['behind `and`', 'if x > 0.1 and log(x) > -1 then 1 else 0', 0.31606],
  ])('does no harm %s', async (_, slope, expected) => {
    // log(x) = -1 at x = 1/e, after (1 - 1/e)/2 = 0.31606; x = 0.1 after 0.45.
    const { table } = await done(model(slope));
    expect(table.value('y', 1)).toBeCloseTo(expected, 4);
  });
});

test('branches of `when`, and of `if` in it, may determine different variables: the others keep their values', async () => {
  const { table } = await done(
    `model M
      discrete Real x(start = -1, fixed = true), y(start = -2, fixed = true), z(start = -3, fixed = true);
      Integer n(start = 5, fixed = true), m(start = 6, fixed = true);
    equation
      when sample(0.125, 0.25) then if time < 0.4 then x = time; else y = time; end if; end when;
      when sample(0.125, 0.25) then if time < 0.4 then z = time; end if; end when;
      when time > 0.5 then n = 1; elsewhen time > 0.7 then m = 2; end when;
    end M;`,
    { stopTime: 1 },
  );
  const at = (name: string): number[] => [0.1, 0.2, 0.45, 0.65, 0.95].map((t) => table.value(name, t));
  expect(at('x')).toEqual([-1, 0.125, 0.375, 0.375, 0.375]);
  expect(at('y')).toEqual([-2, -2, -2, 0.625, 0.875]);
  expect(at('z')).toEqual([-3, 0.125, 0.375, 0.375, 0.375]);
  expect(at('n')).toEqual([5, 5, 5, 1, 1]);
  expect(at('m')).toEqual([6, 6, 6, 6, 2]);
});

test('where solutions go apart from a bend at once, and equations have values on one side only, the side is found', async () => {
  const { table } = await done(
    `model Apart
      Real p1(start = 0, fixed = true), p2(start = 0, fixed = true), q(start = 0, fixed = true);
      Real x1, x2, b1 = abs(x1), b2 = abs(x2), v1 = der(b1), v2 = der(b2);
    equation
      der(p1) = -1;
      der(p2) = 1;
      p1 = x1*(1 + b1^1.5);
      p2 = x2*(1 + b2^1.5);
      der(q) = b1 + b2;
    end Apart;`,
    { stopTime: 1 },
  );
  // b + b^2.5 = t, and the integral of b over t is b^2/2 + b^3.5*2.5/3.5.
  let [low, high] = [0, 1];
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (middle + middle ** 2.5 < 1) low = middle;
    else high = middle;
  }
  close(table.value('x1', 1), -low, 1e-9);
  close(table.value('b1', 1), low, 1e-9);
  close(table.value('v2', 1), 1 / (1 + 2.5 * low ** 1.5), 1e-9);
  close(table.value('q', 1), 2 * (low ** 2 / 2 + (low ** 3.5 * 2.5) / 3.5), 1e-5);
});
