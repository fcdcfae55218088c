/**
 * Systems y' = f(y, u) with algebraic equations g(y, u) = 0 in the open, with exact solutions. As ordinary systems they solve g for u by themselves.
 */
import type { CoupledSystem, OdeSystem } from '../../src/solve/integrator.ts';
import { type Problem, patternOf } from './problem.ts';

interface Equations {
  readonly n: number;
  readonly m: number;
  /** Writes f and g. */
  values(point: Float64Array, out: Float64Array): void;
  /** Row, column and value of the entries of d(f, g)/d(y, u). */
  entries(point: Float64Array): (readonly [number, number, number])[];
  /** Solves g = 0 for u, from the u that the point has. */
  solve(point: Float64Array): void;
}

function coupledSystem({ n, m, values, entries, solve }: Equations): OdeSystem & { coupled: CoupledSystem } {
  const last = new Float64Array(n + m);
  const out = new Float64Array(n + m);
  const ordered = (point: Float64Array) => entries(point).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return {
    n,
    rhs(_, y, dy) {
      last.set(y.subarray(0, n));
      solve(last);
      values(last, out);
      dy.set(out.subarray(0, n));
      return true;
    },
    coupled: {
      m,
      iterated: true,
      nominal: new Float64Array(m).fill(1e-3),
      evaluate(_, point, result) {
        values(point, result);
        return true;
      },
      jacobian: {
        pattern: patternOf(
          Array.from({ length: n + m }, (_, j) =>
            ordered(last).flatMap(([row, column]) => (column === j ? [row] : [])),
          ),
        ),
        evaluate(_, point, result) {
          for (const [k, [, , value]] of ordered(point).entries()) result[k] = value;
          return true;
        },
      },
      read: (point) => point.set(last.subarray(n), n),
      write: (point) => last.set(point.subarray(n, n + m), n),
    },
  };
}

/** y' = -u with u^3 + u = y: 1.5 u^2 + ln u + t stays. */
export const leak: Problem = {
  name: 'leak through a cubic valve',
  system: coupledSystem({
    n: 1,
    m: 1,
    values: (point, out) => {
      out[0] = -point[1]!;
      out[1] = point[1]! ** 3 + point[1]! - point[0]!;
    },
    entries: (point) => [
      [0, 1, -1],
      [1, 0, -1],
      [1, 1, 3 * point[1]! ** 2 + 1],
    ],
    solve: (point) => {
      for (let k = 0; k < 60; k++)
        point[1]! -= (point[1]! ** 3 + point[1]! - point[0]!) / (3 * point[1]! ** 2 + 1);
    },
  }),
  start: [10],
  from: 0,
  to: 5,
  reference: [leakAt(5)],
  source: 'by separation of variables',
  exact: (t) => [leakAt(t)],
};

function leakAt(t: number): number {
  const kept = 1.5 * 4 + Math.log(2);
  let u = 2;
  for (let k = 0; k < 200; k++)
    u = Math.max(u - (1.5 * u * u + Math.log(u) + t - kept) / (3 * u + 1 / u), 0.1 * u);
  return u ** 3 + u;
}

/**
 * Capacitors behind resistors s at the nodes of a chain of resistors between two grounds: (u[i-1] - 2 u[i] + u[i+1]) + (y[i] - u[i])/s = 0 and
 * y' = (u - y)/(s c). Sines are its modes.
 */
export function ladder(n: number, { s = 0.5, c = 1e-3, to = 0.02 } = {}): Problem {
  const mode = (k: number, i: number): number => Math.sin(((k + 1) * (i + 1) * Math.PI) / (n + 1));
  const rate = (k: number): number => {
    const stiffness = 2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1));
    return stiffness / (c * (1 + s * stiffness));
  };
  const weights: readonly (readonly [number, number])[] = [
    [0, 1],
    [Math.floor(n / 2), 0.3],
    [n - 1, 0.2],
  ];
  const exact = (t: number): number[] =>
    Array.from({ length: n }, (_, i) =>
      weights.reduce((sum, [k, weight]) => sum + weight * Math.exp(-rate(k) * t) * mode(k, i), 0),
    );
  const system = coupledSystem({
    n,
    m: n,
    values: (point, out) => {
      for (let i = 0; i < n; i++) {
        const current = (point[i]! - point[n + i]!) / s;
        const before = i > 0 ? point[n + i - 1]! : 0;
        const after = i < n - 1 ? point[n + i + 1]! : 0;
        out[i] = -current / c;
        out[n + i] = before - 2 * point[n + i]! + after + current;
      }
    },
    entries: () =>
      Array.from({ length: n }, (_, i) => [
        [i, i, -1 / (s * c)] as const,
        [i, n + i, 1 / (s * c)] as const,
        [n + i, i, 1 / s] as const,
        [n + i, n + i, -2 - 1 / s] as const,
        ...(i > 0 ? [[n + i, n + i - 1, 1] as const] : []),
        ...(i < n - 1 ? [[n + i, n + i + 1, 1] as const] : []),
      ]).flat(),
    solve: (point) => {
      // Gauss on three diagonals.
      const [d, r] = [new Float64Array(n), new Float64Array(n)];
      for (let i = 0; i < n; i++) {
        d[i] = 2 + 1 / s - (i > 0 ? 1 / d[i - 1]! : 0);
        r[i] = point[i]! / s + (i > 0 ? r[i - 1]! / d[i - 1]! : 0);
      }
      for (let i = n - 1; i >= 0; i--) point[n + i] = (r[i]! + (i < n - 1 ? point[n + i + 1]! : 0)) / d[i]!;
    },
  });
  return {
    name: `ladder of ${n}`,
    system,
    start: exact(0),
    from: 0,
    to,
    reference: exact(to),
    source: 'by its modes',
    exact,
  };
}
