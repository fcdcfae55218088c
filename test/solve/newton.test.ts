/**
 * Newton's method on standard problems (J. J. More, B. S. Garbow, K. E. Hillstrom, ACM TOMS 7, 1981) and on
 * what cannot be solved.
 */
import { describe, expect, test } from 'vitest';
import type { SparsePattern } from '../../src/collections/pattern.ts';
import { continuation, Newton, type NonlinearSystem } from '../../src/solve/newton.ts';
import { densePattern } from '../../src/solve/sparse.ts';
import { patternOf, tridiagonal } from '../problems/problem.ts';

type Vector = Float64Array;

/** A small system by its equations and the rows of its Jacobian. */
function system(n: number, f: (x: Vector) => number[], rows: (x: Vector) => number[][]): NonlinearSystem {
  return {
    n,
    pattern: densePattern(n),
    residual(x, r) {
      r.set(f(x));
      return true;
    },
    jacobian(x, values) {
      rows(x).forEach((row, i) => {
        row.forEach((v, j) => {
          values[i + j * n] = v;
        });
      });
      return true;
    },
  };
}

const rosenbrock = system(
  2,
  ([a, b]) => [10 * (b! - a! * a!), 1 - a!],
  ([a]) => [
    [-20 * a!, 10],
    [-1, 0],
  ],
);

const powellSingular = system(
  4,
  ([a, b, c, d]) => [
    a! + 10 * b!,
    Math.sqrt(5) * (c! - d!),
    (b! - 2 * c!) ** 2,
    Math.sqrt(10) * (a! - d!) ** 2,
  ],
  ([a, b, c, d]) => [
    [1, 10, 0, 0],
    [0, 0, Math.sqrt(5), -Math.sqrt(5)],
    [0, 2 * (b! - 2 * c!), -4 * (b! - 2 * c!), 0],
    [2 * Math.sqrt(10) * (a! - d!), 0, 0, -2 * Math.sqrt(10) * (a! - d!)],
  ],
);

const powellBadlyScaled = system(
  2,
  ([a, b]) => [1e4 * a! * b! - 1, Math.exp(-a!) + Math.exp(-b!) - 1.0001],
  ([a, b]) => [
    [1e4 * b!, 1e4 * a!],
    [-Math.exp(-a!), -Math.exp(-b!)],
  ],
);

const freudensteinRoth = system(
  2,
  ([a, b]) => [-13 + a! + ((5 - b!) * b! - 2) * b!, -29 + a! + ((b! + 1) * b! - 14) * b!],
  ([, b]) => [
    [1, (10 - 3 * b!) * b! - 2],
    [1, (3 * b! + 2) * b! - 14],
  ],
);

/** Broyden's tridiagonal function of size n. */
function broyden(n: number): NonlinearSystem {
  const pattern: SparsePattern = tridiagonal(n);
  return {
    n,
    pattern,
    residual(x, r) {
      for (let i = 0; i < n; i++) r[i] = (3 - 2 * x[i]!) * x[i]! - (x[i - 1] ?? 0) - 2 * (x[i + 1] ?? 0) + 1;
      return true;
    },
    jacobian(x, values) {
      for (let j = 0; j < n; j++) {
        for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++) {
          const i = pattern.rows[k]!;
          values[k] = i === j ? 3 - 4 * x[j]! : i === j + 1 ? -1 : -2;
        }
      }
      return true;
    },
  };
}

describe('solvable systems', () => {
  test('Rosenbrock', () => {
    const x = Float64Array.of(-1.2, 1);
    expect(new Newton(rosenbrock).solve(x).kind).toBe('converged');
    expect(x[0]).toBeCloseTo(1, 11);
    expect(x[1]).toBeCloseTo(1, 11);
  });

  test('Powell, whose Jacobian is singular at the solution', () => {
    const x = Float64Array.of(3, -1, 0, 1);
    expect(new Newton(powellSingular).solve(x).kind).toBe('converged');
    for (const v of x) expect(Math.abs(v)).toBeLessThan(1e-10);
  });

  test('Powell, badly scaled, with the published solution', () => {
    const x = Float64Array.of(0, 1);
    const nominal = Float64Array.of(1e-5, 10);
    expect(new Newton(powellBadlyScaled, { nominal }).solve(x).kind).toBe('converged');
    expect(x[0]! / 1.098159e-5).toBeCloseTo(1, 6);
    expect(x[1]! / 9.106146).toBeCloseTo(1, 6);
  });

  test('Freudenstein and Roth, from the side of the solution', () => {
    const x = Float64Array.of(6, 5);
    expect(new Newton(freudensteinRoth).solve(x).kind).toBe('converged');
    expect(x[0]).toBeCloseTo(5, 10);
    expect(x[1]).toBeCloseTo(4, 10);
  });

  test('Broyden, 1000 unknowns, sparse', () => {
    const n = 1000;
    const f = broyden(n);
    const x = new Float64Array(n).fill(-1);
    const newton = new Newton(f);
    expect(newton.solve(x).kind).toBe('converged');
    expect(newton.iterations).toBeLessThan(10);
    const r = new Float64Array(n);
    f.residual(x, r);
    expect(Math.max(...r.map(Math.abs))).toBeLessThan(1e-13);
  });

  test('a singular start is left by a regularised step', () => {
    const square = system(
      1,
      ([a]) => [a! * a! - 4],
      ([a]) => [[2 * a!]],
    );
    const plane = system(
      2,
      ([a, b]) => [a! * a! + b! - 3, a! + b! * b! - 5],
      ([a, b]) => [
        [2 * a!, 1],
        [1, 2 * b!],
      ],
    );
    // 4 a b = 1 makes the Jacobian singular.
    const x = Float64Array.of(0.5, 0.5);
    expect(new Newton(plane).solve(x).kind).toBe('converged');
    expect(x[0]! ** 2 + x[1]!).toBeCloseTo(3, 11);
    expect(x[0]! + x[1]! ** 2).toBeCloseTo(5, 11);
    const y = Float64Array.of(1e-9);
    expect(new Newton(square).solve(y).kind).toBe('converged');
    expect(Math.abs(y[0]!)).toBeCloseTo(2, 12);
  });

  test('a linear system whose residuals are known to 1e-9 only is solved as far as that goes', () => {
    // The parenthesis is zero but for rounding, which changes with every step.
    const star = system(
      2,
      ([a, b]) => [a! - 1e6 * (b! + 0.1 - b! - 0.1), a! + 1.1e-4 - 1e-5 * b!],
      () => [
        [1, 0],
        [1, -1e-5],
      ],
    );
    for (const start of [0, 1, 10.9, -300]) {
      const x = Float64Array.of(0, start);
      expect(new Newton(star, { linear: true }).solve(x).kind).toBe('converged');
      expect(Math.abs(x[0]!)).toBeLessThan(1e-8);
      expect(Math.abs(x[1]! - 11)).toBeLessThan(1e-3);
    }
  });

  test('also where what cancels in the residuals has no derivative', () => {
    // Currents of a short circuit meet at a point with a large resistance to ground: their sum is zero, but for rounding.
    const short = system(
      2,
      ([u, i]) => [u! - 0.5 + 1e6 * (u! - i! + i! - u!), 1e-5 * i! - 70],
      () => [
        [1, 0],
        [0, 1e-5],
      ],
    );
    for (const start of [0, 3.7, -1e5]) {
      const x = Float64Array.of(0.3, start);
      expect(new Newton(short, { linear: true }).solve(x).kind).toBe('converged');
      // Spacing of numbers at 7e6, times 1e6.
      expect(Math.abs(x[0]! - 0.5)).toBeLessThan(1e6 * 2 ** -29);
      expect(x[1]! / 7e6).toBeCloseTo(1, 12);
    }
  });

  test('but not where a residual remains that rounding does not explain', () => {
    const wrong = system(
      2,
      ([a, b]) => [a! + b! - 1, 3 * a! + 3 * b! - 4],
      () => [
        [1, 1],
        [3, 3.0001],
      ],
    );
    expect(new Newton(wrong, { linear: true }).solve(Float64Array.of(0, 0)).kind).not.toBe('converged');
  });

  test('equations of different size do not spoil each other', () => {
    const sizes = system(
      2,
      ([a, b]) => [1e-3 * a! + 1e17 * b! - 1e17, a! - b! - 1],
      () => [
        [1e-3, 1e17],
        [1, -1],
      ],
    );
    const x = Float64Array.of(0, 0);
    expect(new Newton(sizes, { linear: true }).solve(x).kind).toBe('converged');
    expect(x[0]!).toBeCloseTo(2, 12);
    expect(x[1]!).toBeCloseTo(1, 12);
  });

  test('redundant equations that do not contradict have the solution next to the start', () => {
    const f = system(
      2,
      ([a, b]) => [a! + b! - 2, 3 * (a! + b!) - 6],
      () => [
        [1, 1],
        [3, 3],
      ],
    );
    const x = Float64Array.of(4, 0);
    expect(new Newton(f).solve(x).kind).toBe('converged');
    expect(x[0]! + x[1]!).toBeCloseTo(2, 11);
    // A step along (-4, -1) in the metric of the sizes of the unknowns, 4 and 1: (4 - 32/17, -2/17).
    expect(x[0]).toBeCloseTo(36 / 17, 5);
  });

  // Newton's method alone goes from x to -x and back.
  test.each([0.5, 0.55, 0.45, 1 / 3])('a steep root: sign(x) |x|^%f', (power) => {
    const sides = [-3e5, -1, -1e-3, 7e-5, 2, 4e4];
    for (const start of sides) {
      const steep = system(
        2,
        ([x, y]) => [Math.sign(x!) * Math.abs(x!) ** power + 0.1 * y!, y! - 1e-3],
        ([x]) => [
          [power * Math.abs(x!) ** (power - 1), 0.1],
          [0, 1],
        ],
      );
      const x = new Float64Array([start, 1]);
      const newton = new Newton(steep, { nominal: new Float64Array([1, 1]) });
      expect(newton.solve(x).kind).toBe('converged');
      expect(newton.iterations).toBeLessThan(60);
      expect(Math.abs(x[0]! + 1e-4 ** (1 / power))).toBeLessThan(2e-12);
    }
  });

  test('where the logarithm ends, steps become shorter', () => {
    const log: NonlinearSystem = {
      n: 1,
      pattern: densePattern(1),
      residual(x, r) {
        r[0] = Math.log(x[0]!);
        return x[0]! > 0;
      },
      jacobian(x, values) {
        values[0] = 1 / x[0]!;
        return true;
      },
    };
    const x = Float64Array.of(30);
    expect(new Newton(log).solve(x).kind).toBe('converged');
    expect(x[0]).toBeCloseTo(1, 12);
  });
});

describe('what cannot be solved ends cleanly', () => {
  test('Freudenstein and Roth, from the side of the local minimum (11.41, -0.8968)', () => {
    const x = Float64Array.of(0.5, -2);
    const outcome = new Newton(freudensteinRoth).solve(x);
    expect(['no-convergence', 'singular']).toContain(outcome.kind);
    expect(x[1]).toBeCloseTo(-0.8968, 1);
  });

  test('contradicting equations are singular, and the worse one is named', () => {
    const f = system(
      2,
      ([a, b]) => [a! + b! - 1, a! + b! - 2],
      () => [
        [1, 1],
        [1, 1],
      ],
    );
    const outcome = new Newton(f).solve(Float64Array.of(1, 0));
    expect(outcome.kind).toBe('singular');
  });

  test('no real solution', () => {
    const f = system(
      1,
      ([a]) => [a! * a! + 1],
      ([a]) => [[2 * a!]],
    );
    expect(new Newton(f).solve(Float64Array.of(3)).kind).not.toBe('converged');
  });

  test('an equation that is not a number is named', () => {
    const f = system(
      2,
      ([a]) => [a!, Number.NaN],
      () => [
        [1, 0],
        [0, 1],
      ],
    );
    expect(new Newton(f).solve(Float64Array.of(1, 1))).toEqual({ kind: 'not-finite', equation: 1 });
  });
});

describe('inside an integration', () => {
  test('old factors are used again along a path, to full accuracy', () => {
    let p = 0;
    let jacobians = 0;
    const f: NonlinearSystem = {
      n: 1,
      pattern: densePattern(1),
      residual(x, r) {
        r[0] = x[0]! ** 3 + x[0]! - p;
        return true;
      },
      jacobian(x, values) {
        jacobians++;
        values[0] = 3 * x[0]! ** 2 + 1;
        return true;
      },
    };
    const newton = new Newton(f, { reuse: true });
    const x = Float64Array.of(0);
    for (let k = 0; k <= 100; k++) {
      const root = k / 100;
      p = root ** 3 + root;
      expect(newton.solve(x).kind).toBe('converged');
      expect(Math.abs(x[0]! - root)).toBeLessThan(1e-12);
    }
    expect(jacobians).toBeLessThan(60);
    // Tangent dx/dp = 1 / (3 x^2 + 1) at x = 1.
    expect(newton.factorAt(x)).toBe(true);
    const tangent = Float64Array.of(1);
    newton.solveLinear(tangent);
    expect(tangent[0]).toBeCloseTo(0.25, 12);
  });

  test('continuation reaches a solution that Newton alone does not', () => {
    let lambda = 1;
    const f = system(
      1,
      ([a]) => [(1 - lambda) * (a! - 10) + lambda * Math.atan(a!)],
      ([a]) => [[1 - lambda + lambda / (1 + a! * a!)]],
    );
    const set = (value: number): void => {
      lambda = value;
    };
    const x = Float64Array.of(1e3);
    expect(continuation(new Newton(f), { set }, x).kind).toBe('converged');
    expect(Math.abs(x[0]!)).toBeLessThan(1e-12);
  });
});

test('factors of a linear system serve as long as its matrix stays the same, and no longer', () => {
  let [matrix, right] = [
    [4, 1, 2, 3],
    [1, 2],
  ];
  const linear = system(
    2,
    ([a, b]) => [
      matrix[0]! * a! + matrix[1]! * b! - right[0]!,
      matrix[2]! * a! + matrix[3]! * b! - right[1]!,
    ],
    () => [matrix.slice(0, 2), matrix.slice(2)],
  );
  const newton = new Newton(linear, { linear: true });
  const x = new Float64Array(2);
  const solved = (): number[] => {
    expect(newton.solve(x).kind).toBe('converged');
    return [...x];
  };
  const expectClose = (values: number[], expected: number[]): void =>
    values.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k]!, 14);
    });
  expectClose(solved(), [0.1, 0.6]);
  right = [5, 5];
  expectClose(solved(), [1, 1]);
  matrix = [1, 1, 1, -1];
  right = [3, 1];
  expectClose(solved(), [2, 1]);
  newton.factorAt(x);
  matrix = [2, 0, 0, 4];
  expectClose(solved(), [1.5, 0.25]);
});

test('a root where nothing can be evaluated is not taken for found', () => {
  // The root is -5e-9, and there are only values above zero: what is missing is small, but no rounding.
  const oneSided: NonlinearSystem = {
    n: 1,
    pattern: densePattern(1),
    residual(x, r) {
      r[0] = x[0]! + 5e-9;
      return x[0]! >= 0;
    },
    jacobian(_, values) {
      values[0] = 1;
      return true;
    },
  };
  for (const start of [1e-9, 1e-12, 1e-25]) {
    const x = Float64Array.of(start);
    expect(new Newton(oneSided).solve(x).kind).not.toBe('converged');
  }
});

test('a ladder whose source rises is corrected once at each time, by what its factors are known to leave', () => {
  // A cell has the voltage along it, a current and the potential at its end, and three rows. All numbers are integers, so that right-hand sides are exact.
  const cells = 300;
  const n = 3 * cells;
  const rows = Array.from({ length: n }, (_, row): [number, number][] => {
    const j = row - (row % 3);
    if (row % 3 === 0) return [[j, 1], ...(j > 0 ? [[j - 1, -1] as [number, number]] : []), [j + 2, 1]];
    if (row % 3 === 1)
      return [
        [j, 6272],
        [j + 1, -1],
      ];
    return [[j + 1, 1], ...(j + 4 < n ? [[j + 4, -1] as [number, number]] : []), [j + 2, -1]];
  });
  const pattern = patternOf(
    Array.from({ length: n }, (_, j) => rows.flatMap((row, i) => (row.some(([k]) => k === j) ? [i] : []))),
  );
  let time = 0;
  let evaluations = 0;
  const wanted = (i: number): number => (i % 3 === 2 ? 1e6 + (i % 7) : 1 + (i % 5)) * (1000 + time);
  const product = (row: number, x: (j: number) => number): number =>
    rows[row]!.reduce((sum, [j, factor]) => sum + factor * x(j), 0);
  const ladder: NonlinearSystem = {
    n,
    pattern,
    residual(x, r) {
      evaluations++;
      for (let i = 0; i < n; i++) r[i] = product(i, (j) => x[j]!) - product(i, wanted);
      return true;
    },
    jacobian(_x, values) {
      for (let j = 0; j < n; j++)
        for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++)
          values[k] = rows[pattern.rows[k]!]!.find(([other]) => other === j)![1];
      return true;
    },
  };
  const newton = new Newton(ladder, { linear: true });
  const x = new Float64Array(n);
  for (; time < 100; time++) {
    expect(newton.solve(x).kind).toBe('converged');
    for (let i = 0; i < n; i++) {
      // Currents are differences of potentials, times 6272.
      const size = i % 3 === 2 ? wanted(i) : 6272 * wanted(2);
      expect(Math.abs(x[i]! - wanted(i))).toBeLessThan(1e-14 * size);
    }
  }
  // Two where it is solved, and one more where the factors are new.
  expect(evaluations).toBeLessThanOrEqual(2 * 100 + 1);
});
