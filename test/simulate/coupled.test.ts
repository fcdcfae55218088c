/**
 * Large algebraic systems, which an implicit method solves for together with the states: a line of diodes against Runge-Kutta's method on the same equations, whose node
 * potentials are found by Newton's method on three diagonals; with steps of its source, events and changes of mode.
 */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

const n = 40;
const [R, S, C, Is, Vt] = [10, 5, 1e-5, 1e-6, 0.04];

interface Line {
  /** The voltage at the beginning of the line. */
  readonly source: (t: number) => number;
  /** Capacitors that are joined, from a time on. */
  readonly joined?: { readonly from: number; readonly pair: readonly [number, number] };
}

/** Potentials of the nodes, from those of the capacitors behind resistors. */
function potentials(source: number, c: Float64Array, u: Float64Array): void {
  for (let iteration = 0; iteration < 200; iteration++) {
    const [d, r] = [new Float64Array(n), new Float64Array(n)];
    let largest = 0;
    for (let i = 0; i < n; i++) {
      const before = i > 0 ? u[i - 1]! : source;
      const after = i < n - 1 ? (u[i]! - u[i + 1]!) / R : 0;
      const steep = Is * Math.exp(u[i]! / Vt);
      r[i] = (before - u[i]!) / R - after - (steep - Is) - (u[i]! - c[i]!) / S;
      d[i] = 1 / R + (i < n - 1 ? 1 / R : 0) + steep / Vt + 1 / S;
      if (i > 0) {
        d[i]! -= 1 / (R * R * d[i - 1]!);
        r[i]! += r[i - 1]! / (R * d[i - 1]!);
      }
    }
    for (let i = n - 1, next = 0; i >= 0; i--) {
      next = (r[i]! + (i < n - 1 ? next / R : 0)) / d[i]!;
      // Exponentials are approached in small steps.
      const step = Math.max(-0.1, Math.min(0.1, next));
      u[i]! += step;
      largest = Math.max(largest, Math.abs(step));
    }
    if (largest < 1e-14) return;
  }
}

/** Voltages of the capacitors and potentials of the nodes at the given times, by RK4 in steps of 1 us. */
function integrated({ source, joined }: Line, times: readonly number[]): { c: number[]; u: number[] }[] {
  const h = 1e-6;
  const u = new Float64Array(n);
  const slope = (t: number, c: Float64Array): Float64Array => {
    potentials(source(t), c, u);
    const dc = Float64Array.from(c, (v, i) => (u[i]! - v) / (S * C));
    if (joined && t > joined.from) {
      const [a, b] = joined.pair;
      dc[a] = dc[b] = 0.5 * (dc[a]! + dc[b]!);
    }
    return dc;
  };
  const moved = (c: Float64Array, by: number, k: Float64Array) => c.map((v, i) => v + by * k[i]!);
  let c: Float64Array = new Float64Array(n);
  let step = 0;
  return times.map((time) => {
    for (; step < Math.round(time / h); step++) {
      // Steps of the source and changes happen between steps.
      const t = (step + 1e-6) * h;
      const end = (step + 1 - 1e-6) * h;
      if (joined && step === Math.round(joined.from / h)) {
        const [a, b] = joined.pair;
        c[a] = c[b] = 0.5 * (c[a]! + c[b]!);
      }
      const k1 = slope(t, c);
      const k2 = slope(t + 0.5 * h, moved(c, 0.5 * h, k1));
      const k3 = slope(t + 0.5 * h, moved(c, 0.5 * h, k2));
      const k4 = slope(end, moved(c, h, k3));
      c = c.map((v, i) => v + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
    }
    potentials(source(time - 1e-12), c, u);
    return { c: [...c], u: [...u] };
  });
}

/** The equations of the line; `more` declares and `others` says what else there is, `law(i)` what flows into capacitor i. */
function line(source: string, { more = '', others = '', law = (i: number) => `is${i}` } = {}): string {
  const each = (write: (i: number) => string): string =>
    Array.from({ length: n }, (_, i) => write(i + 1)).join('\n');
  return `
model Line
  parameter Real R = ${R}, S = ${S}, C = ${C}, Is = ${Is}, Vt = ${Vt};
  Real u0 = ${source};
  ${more}
  ${each((i) => `Real u${i}, id${i}, ir${i}, is${i}, c${i}(start = 0, fixed = true);`)}
equation
  ${each(
    (i) => `ir${i} = (u${i - 1} - u${i})/R;
  id${i} = Is*(exp(u${i}/Vt) - 1);
  is${i} = (u${i} - c${i})/S;
  C*der(c${i}) = ${law(i)};
  ir${i} - ${i < n ? `ir${i + 1}` : '0'} - id${i} - is${i} = 0;`,
  )}
  ${others}
end Line;`;
}

const sine = (t: number): number => 5 * Math.sin(2 * Math.PI * 500 * t);

describe('a line of diodes', () => {
  test.each(['auto', 'bdf', 'rk', 'radau'] as const)('by %s', async (method) => {
    const times = [0.0002, 0.0005, 0.001, 0.0015, 0.002];
    const { table } = await done(line('5*sin(2*3.141592653589793*500*time)'), { stopTime: 0.002, method });
    const expected = integrated({ source: sine }, times);
    for (const [k, t] of times.entries()) {
      for (const i of [1, 2, 3, 10, 40]) {
        close(table.value(`c${i}`, t), expected[k]!.c[i - 1]!, 2e-6);
        close(table.value(`u${i}`, t), expected[k]!.u[i - 1]!, 2e-6);
      }
    }
  });

  test('whose source steps', async () => {
    const source = (t: number): number => (t < 0.0005 ? 2 : t < 0.0012 ? -3 : 1);
    const times = [0.0004, 0.0006, 0.001, 0.0013, 0.002];
    const { table, statistics } = await done(
      line('if time < 0.0005 then 2 elseif time < 0.0012 then -3 else 1'),
      { stopTime: 0.002 },
    );
    expect(statistics.events).toBe(2);
    for (const [k, { c, u }] of integrated({ source }, times).entries())
      for (const i of [1, 2, 5, 40]) {
        close(table.value(`c${i}`, times[k]!), c[i - 1]!, 2e-6);
        close(table.value(`u${i}`, times[k]!), u[i - 1]!, 2e-6);
      }
  });

  test('whose nodes cause events', async () => {
    const { table, statistics } = await done(
      line('5*sin(2*3.141592653589793*500*time)', {
        more: 'Real seen(start = 0, fixed = true); discrete Real at(start = 0, fixed = true);',
        others: 'der(seen) = if u2 > 0.2 then 1 else 0; when u2 > 0.2 then at = time; end when;',
      }),
      { stopTime: 0.0015 },
    );
    expect(statistics.events).toBe(2);
    // The first crossing, by bisection on the reference.
    const over = (steps: number): number => integrated({ source: sine }, [steps * 1e-6])[0]!.u[1]! - 0.2;
    let [low, high] = [1, 200];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (over(middle) > 0) high = middle;
      else low = middle;
    }
    const [a, b] = [over(low), over(high)];
    const at = table.value('at', 0.0015);
    close(at, (low + a / (a - b)) * 1e-6, 1e-5);
    // Where it is found, the system is solved to the end: interpolated unknowns are not good enough.
    close(table.value('u2', at), 0.2, 1e-11);
  });

  test('two of whose capacitors are joined: charge is kept, and an impulse flows', async () => {
    const joined = { from: 0.0006, pair: [2, 5] as const };
    const times = [0.0005, 0.0007, 0.001, 0.0015];
    const { table, impulses } = await done(
      line('5*sin(2*3.141592653589793*500*time)', {
        more: 'Real f; Boolean closed = time >= 0.0006;',
        others: 'if closed then c3 = c6; else f = 0; end if;',
        law: (i) => (i === 3 ? 'is3 - f' : i === 6 ? 'is6 + f' : `is${i}`),
      }),
      { stopTime: 0.0015, intervals: 300 },
    );
    const expected = integrated({ source: sine, joined }, times);
    for (const [k, { c, u }] of expected.entries())
      for (const i of [1, 3, 4, 6, 40]) {
        close(table.value(`c${i}`, times[k]!), c[i - 1]!, 2e-6);
        close(table.value(`u${i}`, times[k]!), u[i - 1]!, 2e-6);
      }
    const [before] = integrated({ source: sine }, [joined.from]);
    expect(impulses).toHaveLength(1);
    close(impulses[0]!.weight / C, 0.5 * (before!.c[2]! - before!.c[5]!), 1e-5);
  });
});
