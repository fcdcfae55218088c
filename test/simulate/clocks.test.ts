/**
 * Clocks (Modelica 3.6, chapter 16): ticks at exact fractions, values at ticks, inference and its errors. Expected
 * sequences are worked out by hand from the definitions, or by recursions written here.
 */
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/diagnostic/failure.ts';
import type { SimulationResult } from '../../src/index.ts';
import { close, done, run } from './notation.ts';

/** Times at which a variable takes a new value, with the values. */
function changes({ table }: SimulationResult, name: string): [number, number][] {
  const values = table.get(name);
  const result: [number, number][] = [];
  for (let k = 1; k < values.length; k++)
    if (values[k] !== values[k - 1]) result.push([table.time[k]!, values[k]!]);
  return result;
}

/** Values of a variable at instants. */
const at = ({ table }: SimulationResult, name: string, times: readonly number[]): number[] =>
  times.map((t) => table.value(name, t));

async function problem(text: string): Promise<{ code: string; message: string; line: number | undefined }> {
  const diagnostics = await run(text).then(
    (result) => result.diagnostics,
    (failure: Failure) => failure.diagnostics,
  );
  const found = diagnostics.find((d) => d.severity === 'error')!;
  expect(found).toBeDefined();
  const { span } = found;
  const line = span?.source.text.slice(0, span.start).split('\n').length;
  return { code: found.code, message: found.message, line };
}

describe('periodic clocks', () => {
  test('a counter ticks at the start and at every interval', async () => {
    const result = await done(
      `model M
        Integer n(start = 0);
      equation
        when Clock(1, 10) then
          n = previous(n) + 1;
        end when;
      end M;`,
      { stopTime: 0.55 },
    );
    expect(changes(result, 'n').map(([, n]) => n)).toEqual([2, 3, 4, 5, 6]);
    expect(changes(result, 'n').map(([t]) => t)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(result.table.value('n', 0)).toBe(1);
  });

  test('ticks do not drift: the time of tick k is k times the interval, rounded once', async () => {
    const result = await done(
      `model M
        Integer n(start = 0);
        Real t(start = 0);
      equation
        when Clock(1, 3) then
          n = previous(n) + 1;
          t = sample(time);
        end when;
      end M;`,
      { stopTime: 33334, intervals: 2 },
    );
    const n = result.table.get('n');
    const t = result.table.get('t');
    expect(n[n.length - 1]).toBe(100003);
    for (let k = 0; k < n.length; k += 997) expect(t[k]).toBe((n[k]! - 1) / 3);
  });

  test('a Real interval, also given by a parameter', async () => {
    const result = await done(
      `model M
        parameter Real T = 0.25;
        Integer n(start = 0);
        Real dt;
        Clock c = Clock(T);
      equation
        when c then
          n = previous(n) + 1;
          dt = interval();
        end when;
      end M;`,
      { stopTime: 1, set: { T: 0.125 } },
    );
    expect(result.table.value('n', 1)).toBe(9);
    expect(result.table.value('dt', 0)).toBe(0.125);
  });

  test('an interval that each tick sets', async () => {
    const result = await done(
      `model M "The example of 16.3: ticks at 0, 0.003, 0.007, 0.012, …"
        Integer counter(start = 2);
        Real y(start = 0), dt;
        Clock c = Clock(counter, 1000);
      equation
        when c then
          counter = previous(counter) + 1;
          y = previous(y) + 1;
          dt = interval();
        end when;
      end M;`,
      { stopTime: 0.02 },
    );
    expect(result.table.value('y', 0)).toBe(1);
    const found = changes(result, 'y');
    expect(found.map(([, y]) => y)).toEqual([2, 3, 4, 5]);
    for (const [k, t] of [0.003, 0.007, 0.012, 0.018].entries()) close(found[k]![0], t, 1e-12);
    expect(result.table.value('dt', 0)).toBe(0.002);
    close(result.table.value('dt', 0.007), 0.004, 1e-12);
  });
});

describe('between continuous time and clocks', () => {
  test('sample gives the left limit, of the initialised model at the first tick', async () => {
    const result = await done(
      `model M "16.5.1: yc begins with 2, not with the start value"
        Real y(start = 1), yc;
      initial equation
        der(y) = 0;
      equation
        der(y) + y = 2;
        yc = sample(y, Clock(0.1));
      end M;`,
    );
    close(result.table.value('yc', 0), 2);
  });

  test('a value that jumps at the tick is sampled as it was before', async () => {
    const result = await done(
      `model M
        Boolean b = time >= 0.5;
        Integer k = if b then 7 else 3;
        Boolean bd;
        Integer kd;
      equation
        bd = sample(b, Clock(1, 2));
        kd = sample(k, Clock(1, 2));
      end M;`,
      { stopTime: 1.2 },
    );
    expect(at(result, 'bd', [0, 0.5, 0.9, 1])).toEqual([0, 0, 0, 1]);
    expect(at(result, 'kd', [0, 0.5, 0.9, 1])).toEqual([3, 3, 3, 7]);
  });

  test('hold gives the start value before the first tick', async () => {
    const result = await done(
      `model M
        Real x(start = 5), y;
      equation
        when shiftSample(Clock(1, 1), 2) then
          x = previous(x) + 1;
        end when;
        y = hold(x);
      end M;`,
      { stopTime: 4 },
    );
    expect(at(result, 'y', [0, 1.5, 2, 2.5, 3])).toEqual([5, 5, 6, 6, 7]);
  });

  test('a sampled PI controller of a continuous plant follows the exact recursion', async () => {
    const result = await done(
      `model Loop "x' = -x + u with u held; PI by implicit Euler"
        parameter Real k = 2, Ti = 0.5;
        Real x(start = 0, fixed = true);
        Real xd, e, s(start = 0), ud(start = 0), u;
      equation
        der(x) = -x + u;
        xd = sample(x, Clock(1, 10));
        e = 1 - xd;
        s = previous(s) + interval()/Ti*e;
        ud = k*(e + s);
        u = hold(ud);
      end Loop;`,
      { stopTime: 2, tolerance: 1e-10 },
    );
    // Between ticks the plant is exact: x := u + (x - u) exp(-h).
    let x = 0;
    let s = 0;
    for (let n = 0; n <= 20; n++) {
      close(result.table.value('xd', n / 10), x, 1e-7);
      const e = 1 - x;
      s += (0.1 / 0.5) * e;
      const u = 2 * (e + s);
      close(result.table.value('u', n / 10), u, 1e-7);
      x = u + (x - u) * Math.exp(-0.1);
    }
  });

  test('sample(start, interval) is still the event', async () => {
    const result = await done(
      `model M
        Integer n(start = 0, fixed = true);
      equation
        when sample(0.05, 0.1) then
          n = pre(n) + 1;
        end when;
      end M;`,
      { stopTime: 1 },
    );
    expect(result.table.value('n', 1)).toBe(10);
  });

  test('noClock is not sample of hold', async () => {
    const result = await done(
      `model NoClockVsSampleHold "16.5.2"
        Clock clk1 = Clock(0.1);
        Clock clk2 = subSample(clk1, 2);
        Real x(start = 0), y(start = 0), z(start = 0);
      equation
        when clk1 then
          x = previous(x) + 0.1;
        end when;
        when clk2 then
          y = noClock(x);
          z = sample(hold(x));
        end when;
      end NoClockVsSampleHold;`,
      { stopTime: 0.5 },
    );
    for (let k = 0; k <= 2; k++) {
      close(result.table.value('y', 0.2 * k + 0.05), 0.1 * (2 * k + 1), 1e-12);
      close(result.table.value('z', 0.2 * k + 0.05), 0.1 * 2 * k, 1e-12);
    }
  });
});

describe('sub-clocks', () => {
  test('seconds, milliseconds and minutes', async () => {
    const result = await done(
      `model ClockTicks "16.11"
        Integer second = sample(1, Clock(1));
        Integer seconds(start = -1) = mod(previous(seconds) + second, 60);
        Integer milliSeconds(start = -1) = mod(previous(milliSeconds) + superSample(second, 1000), 1000);
        Integer minutes(start = -1) = mod(previous(minutes) + subSample(second, 60), 60);
      end ClockTicks;`,
      { stopTime: 125, intervals: 5 },
    );
    for (const t of [0, 1, 59, 60, 61, 119, 120, 124]) {
      expect(result.table.value('seconds', t)).toBe(t % 60);
      expect(result.table.value('minutes', t)).toBe(Math.floor(t / 60));
    }
    expect(result.table.value('milliSeconds', 3.0015)).toBe(1);
    expect(result.table.value('milliSeconds', 3.9995)).toBe(999);
  });

  test('superSample repeats, shiftSample delays, backSample begins with the start value', async () => {
    const result = await done(
      `model M "The examples of 16.5.2"
        Integer y = integer(sample(time + 0.5, Clock(1)));
        Integer ySub = subSample(y, 4);
        Integer ySubSuper = superSample(ySub, 5);
        Integer yShift(start = 10) = shiftSample(y, 1, 5);
        Integer yShift2 = subSample(shiftSample(superSample(y, 5), 1), 5);
        Integer yBack = backSample(yShift, 1, 5);
        Integer yLate = shiftSample(yShift, 4, 5);
        Integer n(start = 0) = if ySubSuper >= 0 then previous(n) + 1 else 0;
      end M;`,
      { stopTime: 9 },
    );
    expect(at(result, 'ySub', [0, 3.9, 4, 7.9, 8])).toEqual([0, 0, 4, 4, 8]);
    expect(at(result, 'ySubSuper', [0, 3.9, 4.1, 7.9, 8])).toEqual([0, 0, 4, 4, 8]);
    expect(changes(result, 'n').map(([t]) => t)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((k) => (k * 4) / 5),
    );
    expect(at(result, 'yShift', [0, 0.1, 0.25, 1.1, 1.25, 2.1])).toEqual([10, 10, 0, 0, 1, 1]);
    expect(at(result, 'yShift2', [0.25, 1.1, 1.25, 2.1])).toEqual([0, 0, 1, 1]);
    expect(at(result, 'yBack', [0, 0.9, 1, 1.9, 2])).toEqual([10, 10, 0, 0, 1]);
    expect(at(result, 'yLate', [1, 1.9, 2])).toEqual([0, 0, 1]);
  });

  test('a factor is inferred from the clocks on both sides', async () => {
    const result = await done(
      `model M
        Integer a(start = 0), b(start = 0), c(start = 0);
      equation
        when Clock(1, 10) then
          a = previous(a) + 1;
        end when;
        b = subSample(a);
        when Clock(3, 10) then
          c = previous(c) + 10*b;
        end when;
      end M;`,
      { stopTime: 1 },
    );
    // b = 1, 4, 7, 10 at 0, 0.3, 0.6, 0.9.
    expect(at(result, 'c', [0, 0.3, 0.6, 0.9])).toEqual([10, 50, 120, 220]);
  });

  test('an inferred clock follows from the equations', async () => {
    const result = await done(
      `model M
        Integer a(start = 0), b(start = 0);
        Real dt;
        Boolean first;
      equation
        when Clock() then
          a = previous(a) + 1;
        end when;
        b = subSample(a, 2);
        when Clock(4, 10) then
          dt = interval(b);
          first = firstTick(b);
        end when;
      end M;`,
      { stopTime: 1 },
    );
    expect(changes(result, 'a').map(([t]) => t)).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
    expect(result.table.value('dt', 0.5)).toBe(0.4);
    expect(at(result, 'first', [0, 0.3, 0.4, 0.9])).toEqual([1, 1, 0, 0]);
  });
});

test('without any clock, the fastest equations tick every second', async () => {
  const text = `model M
    Integer n(start = 0) = previous(n) + 1;
    Integer k(start = 0) = previous(k) + superSample(n, 4);
  end M;`;
  const result = await done(text, { stopTime: 8.5 });
  expect(at(result, 'n', [0, 3.9, 4, 7.9, 8])).toEqual([1, 1, 2, 2, 3]);
  expect(at(result, 'k', [0, 1, 2, 3, 4])).toEqual([1, 2, 3, 4, 6]);
});

describe('event clocks', () => {
  test('tick when the condition becomes true, and sample what made it true', async () => {
    const result = await done(
      `model M "16.3: both delays are one iteration"
        Boolean b = time >= 0.5;
        Clock c = Clock(b);
        Boolean b2 = sample(b, c);
        Integer n(start = 0) = if b2 then previous(n) + 1 else 100;
      end M;`,
    );
    expect(changes(result, 'n')).toEqual([[0.5, 1]]);
  });

  test('do not tick where the condition has been true since initial values were found, as when-clauses do not act', async () => {
    const result = await done(
      `model M "cos(t) is above 0 from 3 pi/2 on again"
        Boolean b = cos(time) > 0;
        Boolean c(start = false, fixed = true) = cos(time) > 0;
        Integer n(start = 0), m(start = 0), k(start = 0, fixed = true);
      equation
        when Clock(b) then n = previous(n) + 1; end when;
        when Clock(c) then m = previous(m) + 1; end when;
        when c then k = pre(k) + 1; end when;
      end M;`,
      { stopTime: 6 },
    );
    for (const name of ['n', 'm', 'k']) {
      expect(changes(result, name).map(([, value]) => value)).toEqual([1]);
      close(changes(result, name)[0]![0], (3 * Math.PI) / 2, 1e-7);
    }
  });

  test('at zero crossings of a state; interval and firstTick', async () => {
    const result = await done(
      `model M "x = sin(t) is above 0.5 from pi/6 + 2 k pi on"
        Real x(start = 0, fixed = true), v(start = 1, fixed = true);
        Clock c = Clock(x > 0.5, 0.125);
        Real t, dt;
        Boolean first;
        Integer n(start = 0);
      equation
        der(x) = v;
        der(v) = -x;
        when c then
          t = sample(time);
          dt = interval();
          first = firstTick();
          n = previous(n) + 1;
        end when;
      end M;`,
      { stopTime: 20, tolerance: 1e-10 },
    );
    const ticks = changes(result, 'n');
    expect(ticks.map(([, n]) => n)).toEqual([1, 2, 3, 4]);
    for (const [k, [t]] of ticks.entries()) close(t, Math.PI / 6 + 2 * Math.PI * k, 1e-7);
    expect(result.table.value('dt', 1)).toBe(0.125);
    close(result.table.value('dt', 8), 2 * Math.PI, 1e-7);
    expect(at(result, 'first', [0.2, 1, 8])).toEqual([0, 1, 0]);
  });

  test('every third tick, from the second on', async () => {
    const result = await done(
      `model M
        Integer r = integer(time + 0.5);
        Clock c = Clock(change(r));
        Clock d = shiftSample(subSample(c, 3), 1);
        Clock e = shiftSample(c, 1);
        Integer n(start = 0), m(start = 0), k(start = 0);
      equation
        when c then n = previous(n) + 1; end when;
        when d then m = previous(m) + 1; end when;
        when e then k = previous(k) + 1; end when;
      end M;`,
      { stopTime: 10 },
    );
    // c ticks at 0.5, 1.5, …, 9.5; d is shifted by one interval of its own, which is 3 ticks of c.
    expect(changes(result, 'n').map(([t]) => t)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((t) => t + 0.5));
    expect(changes(result, 'm').map(([t]) => t)).toEqual([3.5, 6.5, 9.5]);
    expect(changes(result, 'k').map(([t]) => t)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((t) => t + 0.5));
  });

  test('superSample makes up for subSample', async () => {
    const result = await done(
      `model M
        Boolean b = mod(integer(time + 0.5), 2) > 0;
        Clock u = Clock(b);
        Clock y2 = superSample(subSample(u, 4), 2);
        Integer n(start = 0);
      equation
        when y2 then n = previous(n) + 1; end when;
      end M;`,
      { stopTime: 12 },
    );
    expect(changes(result, 'n').map(([t]) => t)).toEqual([0.5, 4.5, 8.5]);
  });
});

describe('in larger models', () => {
  test('clocks in connectors, records and enumerations; parameters choose a clock', async () => {
    const result = await done(
      `model M
        connector ClockOut = output Clock;
        connector ClockIn = input Clock;
        type Colour = enumeration(red, green, blue);
        record Pair Integer a(start = 1); Real b(start = 0.5); end Pair;
        block Source
          parameter Integer factor = 0;
          ClockOut y;
          Clock c = Clock(1, 10);
        equation
          y = if factor > 0 then subSample(c, factor) else c;
        end Source;
        block Counter
          ClockIn c;
          Pair p;
          Colour colour(start = Colour.blue);
        equation
          when c then
            p.a = previous(p.a) + 1;
            p.b = 2*previous(p.b);
            colour = if previous(colour) == Colour.blue then Colour.red else Colour.blue;
          end when;
        end Counter;
        Source source(factor = 3);
        Counter counter;
        Pair held;
      equation
        connect(source.y, counter.c);
        held = hold(counter.p);
      end M;`,
      { stopTime: 1, model: 'M' },
    );
    expect(at(result, 'held.a', [0, 0.25, 0.35, 0.65])).toEqual([2, 2, 3, 4]);
    expect(at(result, 'held.b', [0, 0.25, 0.35, 0.65])).toEqual([1, 1, 2, 4]);
    expect(at(result, 'counter.colour', [0, 0.35, 0.65])).toEqual([1, 3, 1]);
  });

  test('a tick that changes the mode is one tick', async () => {
    const result = await done(
      `model M "A capacitor that a clocked switch charges and discharges"
        Real v(start = 0, fixed = true), i;
        Boolean b(start = false), closed(start = false);
        Integer n(start = 0);
        Real seen;
      equation
        der(v) = i;
        if closed then v = 5; else i = -v; end if;
        closed = hold(b);
        when Clock(1, 2) then
          n = previous(n) + 1;
          b = mod(n, 3) == 0;
          seen = sample(v);
        end when;
      end M;`,
      { stopTime: 2.8 },
    );
    expect(at(result, 'n', [0, 0.5, 1, 1.5, 2, 2.5])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(at(result, 'closed', [0.9, 1, 1.4, 1.5, 2.4, 2.5])).toEqual([0, 1, 1, 0, 0, 1]);
    // Sampled before the switch closes, and before it opens.
    close(result.table.value('seen', 1.2), 0);
    close(result.table.value('seen', 1.7), 5);
    close(result.table.value('seen', 2.2), 5 * Math.exp(-0.5));
  });

  test('arrays and loops', async () => {
    const result = await done(
      `model M "A moving average of four samples"
        Real u = time, ud[4](each start = 0), y, z[3](each start = 0);
      equation
        ud[1] = sample(u, Clock(1, 10));
        for i in 2:4 loop
          ud[i] = previous(ud[i - 1]);
        end for;
        y = sum(ud)/4;
        for k in 1:3 loop
          when Clock() then
            z[k] = previous(z[k]) + k*subSample(superSample(y, k), k);
          end when;
        end for;
      end M;`,
      { stopTime: 1 },
    );
    const samples = (n: number) => [0, 1, 2, 3].map((k) => Math.max(0, n - k) / 10);
    let sum = 0;
    for (let n = 0; n <= 10; n++) {
      const y = samples(n).reduce((a, b) => a + b) / 4;
      sum += y;
      close(result.table.value('y', n / 10), y, 1e-9);
      close(result.table.value('z[3]', n / 10), 3 * sum, 1e-9);
    }
  });
});

describe('simultaneous equations', () => {
  test('a linear loop', async () => {
    const result = await done(
      `model M
        Real a(start = 0), b, c;
      equation
        a = previous(a) + 0.5*b;
        b = c - a;
        3*c + b = sample(time, Clock(1, 2)) + 4;
      end M;`,
      { stopTime: 1.6 },
    );
    // c = a + b and a = p + b/2 give 3(p + 3b/2) + b = t + 4.
    let p = 0;
    for (const t of [0, 0.5, 1, 1.5]) {
      const b = (t + 4 - 3 * p) / 5.5;
      p += b / 2;
      for (const later of [t, t + 0.1]) {
        close(result.table.value('b', later), b, 1e-12);
        close(result.table.value('a', later), p, 1e-12);
        close(result.table.value('c', later), p + b, 1e-12);
      }
    }
  });

  test('an equation that is nonlinear in its variable', async () => {
    const result = await done(
      `model M
        Real x(start = 1), y(start = 0);
        parameter Real r = 2;
      equation
        when Clock(1, 4) then
          x^3 + x = r + previous(x);
          r*y = x + y^3/100;
        end when;
      end M;`,
      { stopTime: 1 },
    );
    let x = 1;
    for (let k = 0; k <= 4; k++) {
      const right = 2 + x;
      for (let i = 0; i < 50; i++) x -= (x ** 3 + x - right) / (3 * x * x + 1);
      close(result.table.value('x', k / 4), x, 1e-9);
      const y = result.table.value('y', k / 4);
      close(2 * y - (y * y * y) / 100, x, 1e-9);
    }
  });

  test('a larger system, solved at ticks alone', async () => {
    const result = await done(
      `model M "A chain of 8 springs, moved at one end"
        Real x[8](each start = 0), u;
      equation
        u = sample(sin(time), Clock(1, 5));
        for i in 2:7 loop
          x[i - 1] - 2*x[i] + x[i + 1] = 0.1*(x[i]^3 - previous(x[i]));
        end for;
        x[1] = u;
        x[8] = 0;
      end M;`,
      { stopTime: 1 },
    );
    const x = (i: number, t: number) => result.table.value(`x[${i}]`, t);
    for (let k = 1; k <= 5; k++) {
      const t = k / 5;
      close(x(1, t), Math.sin(t), 1e-7);
      for (let i = 2; i < 8; i++) {
        const left = x(i - 1, t) - 2 * x(i, t) + x(i + 1, t);
        close(left - 0.1 * (x(i, t) ** 3 - x(i, t - 0.1)), 0, 1e-6);
        expect(x(i, t + (k < 5 ? 0.1 : 0))).toBe(x(i, t));
      }
    }
  });

  test('branches of if-equations and algorithms', async () => {
    const result = await done(
      `model M
        Integer n(start = 0), m(start = 0);
        Real s(start = 0);
      equation
        when Clock(1, 10) then
          n = previous(n) + 1;
          if mod(n, 2) == 0 then
            m = previous(m) + 10;
          else
            m = previous(m) + 1;
          end if;
          assert(n < 1000, "never");
        end when;
      algorithm
        s := 0;
        for i in 1:n loop
          s := s + i;
        end for;
      end M;`,
      { stopTime: 0.45 },
    );
    expect(at(result, 'm', [0, 0.1, 0.2, 0.3, 0.4])).toEqual([1, 11, 12, 22, 23]);
    expect(at(result, 's', [0, 0.1, 0.2, 0.3, 0.4])).toEqual([1, 3, 6, 10, 15]);
  });
});

describe('errors', () => {
  const cases: [string, string, RegExp, number][] = [
    [
      'two clocks in one partition',
      'Real x(start = 0), y(start = 0);\nequation\nwhen Clock(1, 10) then\nx = previous(x) + 1;\nend when;\nwhen Clock(1, 5) then\ny = previous(y) + x;\nend when;',
      /two different clocks/,
      7,
    ],
    [
      'factors that contradict each other',
      'Integer a = sample(1, Clock(1, 10));\nInteger b = subSample(a, 2);\nInteger c = subSample(a, 3);\nInteger d;\nequation\nd = b + c;',
      /two different clocks/,
      4,
    ],
    [
      'an inferred factor that is no whole number',
      'Integer a = sample(1, Clock(2, 10));\nInteger b = subSample(a);\nequation\nwhen Clock(3, 10) then\nassert(b > 0, "");\nend when;',
      /factor of `subSample` would have to be 3\/2/,
      3,
    ],
    [
      'two Real clocks',
      'Real a = sample(time, Clock(0.1));\nReal c = a + sample(time, Clock(0.1));',
      /different clocks/,
      2,
    ],
    [
      'continuous and clocked in one equation',
      'Real x(start = 1, fixed = true);\nReal y = sample(x, Clock(0.1));\nequation\nder(x) = -y;',
      /`y` is clocked and `x` is in continuous time/,
      5,
    ],
    [
      'mixing through other equations',
      'Real x(start = 1, fixed = true);\nReal y = sample(x, Clock(0.1));\nReal z;\nequation\nz = 2*y;\nder(x) = -z;',
      /`y` is clocked and `x` is in continuous time/,
      7,
    ],
    [
      'time in a clocked equation',
      'Real x(start = 0);\nequation\nwhen Clock(1, 10) then\nx = previous(x) + time;\nend when;',
      /`time`/,
      5,
    ],
    [
      'a clock that cannot be inferred',
      'Integer a(start = 0), b;\nequation\nwhen Clock() then\na = previous(a) + 1;\nend when;\nb = subSample(a);\nwhen Clock(1, 2) then\nassert(b >= 0, "");\nend when;',
      /No clock can be inferred for the equations of `a`/,
      5,
    ],
    [
      'a clock that cannot be inferred for a value without a name',
      'Real a = sample(time, Clock(1, 10)), b = superSample(c);\nReal c = subSample(sample(time), 5);\nReal d = a + b;',
      /No clock can be inferred for the equations of `c`/,
      3,
    ],
    [
      'a number of seconds with a resolution',
      'Real x(start = 1, fixed = true) = time;\nReal y = sample(x, Clock(0.01, 100));',
      /both arguments must be Integers/,
      3,
    ],
    [
      'an interval in place of a clock',
      'Real x = time;\nReal y = sample(x, 0.1);',
      /start of `sample` must be a parameter/,
      3,
    ],
    [
      'backSample before the first tick',
      'Integer a(start = 0) = sample(1, Clock(3, 10));\nInteger b(start = 0) = shiftSample(a, 3);\nInteger c = backSample(b, 4);',
      /before its base clock begins/,
      4,
    ],
    [
      'a faster event clock',
      'Clock u = Clock(time > 0.5);\nClock y = superSample(u, 2);\nInteger n(start = 0);\nequation\nwhen y then\nn = previous(n) + 1;\nend when;',
      /cannot be divided/,
      3,
    ],
    [
      'previous of an expression',
      'Real x(start = 0);\nequation\nwhen Clock(1, 2) then\nx = previous(2*x);\nend when;',
      /needs a variable/,
      5,
    ],
    [
      'hold of an expression',
      'Real x(start = 0), y;\nequation\nwhen Clock(1, 2) then\nx = previous(x) + 1;\nend when;\ny = hold(2*x);',
      /needs a variable/,
      7,
    ],
    [
      'a solver method',
      'Real x(start = 1);\nequation\nwhen Clock(Clock(1, 10), solverMethod = "Leapfrog") then\nder(x) = -x;\nend when;',
      /solver method/,
      4,
    ],
    [
      'a derivative in a clocked equation',
      'Real x(start = 1);\nequation\nwhen Clock(1, 10) then\nder(x) = -previous(x);\nend when;',
      /derivative/,
      5,
    ],
    [
      'a factor that changes',
      'Integer n(start = 1) = previous(n) + sample(1, Clock(1, 2));\nInteger m = subSample(n, n);',
      /known before the run/,
      3,
    ],
    ['an interval of zero', 'Integer n(start = 1) = previous(n) + sample(1, Clock(0.0));', /positive/, 2],
    [
      'a loop of Integers',
      'Integer n(start = 1), m;\nequation\nn = m + sample(1, Clock(1, 2));\nm = if n > 3 then n else 2*n;',
      /is not Real/,
      5,
    ],
    [
      'elsewhen',
      'Integer n(start = 1);\nequation\nwhen Clock(1, 2) then\nn = previous(n) + 1;\nelsewhen Clock(1, 3) then\nn = 0;\nend when;',
      /elsewhen/,
      6,
    ],
    [
      'a conflict where the interval is asked for',
      'Real a = sample(time, Clock(1, 10));\nReal b = sample(time, Clock(1, 5));\nReal c = a + b + interval();',
      /two different clocks/,
      3,
    ],
    [
      'a clock that changes',
      'Boolean b = time > 1;\nClock c = if b then Clock(1) else Clock(2);',
      /known before the run/,
      3,
    ],
    [
      'an initial equation',
      'Real x(start = 1);\ninitial equation\nx = 3;\nequation\nwhen Clock(1, 2) then\nx = previous(x) + 1;\nend when;',
      /cannot have initial equations/,
      4,
    ],
    [
      'too few equations',
      'Real x(start = 1), y, z;\nequation\nwhen Clock(1, 2) then\nx = previous(x) + y;\nx = previous(x) + 1;\nz = x;\nx + z = 3;\nend when;',
      /cannot determine|scalar equations/,
      0,
    ],
  ];
  test.each(cases)('%s', async (_, body, message, line) => {
    const found = await problem(`model M\n${body}\nend M;`);
    expect(found.message).toMatch(message);
    if (line > 0) expect(found.line).toBe(line);
  });
});

describe('operands without influence on a value have a say in its clock', () => {
  test.each(['0*sample(time, Clock(0.25))', '(s - s)', 'min(s, s)*0'])('%s', async (operand) => {
    const result = await done(
      `model M Real x(start = 0) = previous(x) + 1 + ${operand}; Real s = sample(time, Clock(0.25)); Real y = hold(x); end M;`,
      { stopTime: 1 },
    );
    expect(at(result, 'y', [0.1, 0.3, 0.6, 0.8, 1])).toEqual([1, 2, 3, 4, 5]);
  });
});
