/** Radau IIA: the numbers of the method against their definitions, its order, and the problems of the bank. */
import { describe, expect, test } from 'vitest';
import {
  ALPHA,
  BETA,
  GAMMA,
  NODES,
  StagePolynomial,
  T,
  T_INVERSE,
  WEIGHTS,
} from '../../src/solve/collocation.ts';
import { ComplexMatrix } from '../../src/solve/complex.ts';
import { brusselator, heatRod } from '../problems/field.ts';
import { oscillators } from '../problems/nonstiff.ts';
import { type Problem, patternOf } from '../problems/problem.ts';
import { hires, oregonator, protheroRobinson, robertson, robertson40, vanDerPol } from '../problems/stiff.ts';
import { relativeError, run } from './run.ts';

type Matrix = readonly (readonly number[])[];

const product = (a: Matrix, b: Matrix): number[][] =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((sum, x, k) => sum + x * b[k]![j]!, 0)));

const expectClose = (a: Matrix, b: Matrix): void =>
  a.forEach((row, i) => {
    row.forEach((x, j) => {
      expect(x).toBeCloseTo(b[i]![j]!, 13);
    });
  });

describe('the numbers of the method', () => {
  test('A integrates polynomials of degree two up to each stage, its last row those of degree four over the step', () => {
    NODES.forEach((c, i) => {
      for (let degree = 0; degree < (i === 2 ? 5 : 3); degree++) {
        const sum = NODES.reduce((s, node, j) => s + WEIGHTS[i]![j]! * node ** degree, 0);
        expect(sum).toBeCloseTo(c ** (degree + 1) / (degree + 1), 14);
      }
    });
  });

  test('T makes the inverse of A block diagonal: A T L = T with L of gamma, alpha and beta', () => {
    const blocks = [
      [GAMMA, 0, 0],
      [0, ALPHA, -BETA],
      [0, BETA, ALPHA],
    ];
    expectClose(product(product(WEIGHTS, T), blocks), T);
    expectClose(product(T, T_INVERSE), [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });

  test('the polynomial of a step is exact for cubics, and goes on beyond it', () => {
    const cubic = (x: number): number => 3 * x - 2 * x ** 2 + 5 * x ** 3;
    const polynomial = new StagePolynomial(1);
    const [z1, z2, z3] = NODES.map((c) => Float64Array.of(cubic(c)));
    polynomial.fit(z1!, z2!, z3!);
    for (const x of [0, 0.2, 0.7, 1, 1.9])
      expect(polynomial.at(0, x - 1)).toBeCloseTo(cubic(x) - cubic(1), 12);
  });
});

describe('the complex matrix', () => {
  // Zero on the diagonal, a row beside it only, and twelve unknowns, for sparse elimination.
  test.each([3, 12])('%i unknowns: what is multiplied comes back', (n) => {
    const columns = Array.from({ length: n }, (_, j) =>
      [(j + 1) % n, ...(j % 3 ? [j] : [])].sort((a, b) => a - b),
    );
    const pattern = patternOf(columns);
    const values = Float64Array.from(pattern.rows, (row, k) => Math.sin(1 + row + 2 * k));
    const [h, alpha, beta] = [0.7, 2.68, 3.05];
    const x = Float64Array.from({ length: 2 * n }, (_, i) => Math.cos(i));
    const b = new Float64Array(2 * n);
    for (let j = 0; j < n; j++) {
      const [re, im] = [x[2 * j]!, x[2 * j + 1]!];
      b[2 * j]! += alpha * re - beta * im;
      b[2 * j + 1]! += beta * re + alpha * im;
      for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++) {
        b[2 * pattern.rows[k]!]! -= h * values[k]! * re;
        b[2 * pattern.rows[k]! + 1]! -= h * values[k]! * im;
      }
    }
    const matrix = new ComplexMatrix();
    expect(matrix.factor({ pattern, values }, h, alpha, beta)).toBe(true);
    matrix.solve(b);
    b.forEach((value, i) => {
      expect(value).toBeCloseTo(x[i]!, 12);
    });
  });
});

test('order five: half the step, a thirtieth of the error', () => {
  const error = (h: number): number => {
    // Tolerances so loose that the largest step rules.
    const { integrator } = run(oscillators, 'radau', {
      relative: 1e6,
      absolute: 1e6,
      maxStep: h,
      initialStep: h,
    });
    return Math.max(...oscillators.reference.map((r, i) => Math.abs(integrator.y[i]! - r)));
  };
  const order = Math.log2(error(0.05) / error(0.025));
  expect(order).toBeGreaterThan(4.8);
  expect(order).toBeLessThan(5.2);
});

describe('published values', () => {
  test.each<[Problem, number, number, number]>([
    [robertson40, 1e-6, 1e-10, 1e-6],
    [robertson40, 1e-9, 1e-13, 2e-9],
    [robertson, 1e-6, 1e-14, 1e-5],
    [vanDerPol, 1e-6, 1e-10, 1e-5],
    [vanDerPol, 1e-9, 1e-13, 2e-8],
    [hires, 1e-6, 1e-10, 1e-5],
    [hires, 1e-9, 1e-13, 2e-8],
    [oregonator, 1e-6, 1e-10, 1e-4],
    [oregonator, 1e-9, 1e-13, 1e-7],
    [brusselator, 1e-6, 1e-6, 1e-5],
    [heatRod(100), 1e-6, 1e-6, 1e-5],
  ])('$0.name at $1', (problem, relative, absolute, error) => {
    const { integrator, outcome } = run(problem, 'radau', { relative, absolute });
    expect(outcome.kind).toBe('limit');
    expect(relativeError(integrator.y, problem.reference)).toBeLessThan(error);
  });

  test('however stiff, the nonautonomous problem of Prothero and Robinson', () => {
    for (const lambda of [-1, -1e3, -1e6, -1e9]) {
      const { integrator } = run(protheroRobinson(lambda), 'radau', { relative: 1e-7, absolute: 1e-7 });
      expect(Math.abs(integrator.y[0]! - Math.sin(10))).toBeLessThan(2e-6);
    }
  });
});

describe('dense output', () => {
  const loose = { relative: 1e6, absolute: 1e6 };

  /** The largest error anywhere in the steps, with steps of length h. */
  function errorInside(problem: Problem, h: number, options = loose): number {
    const { integrator } = run({ ...problem, to: 0 }, 'radau', {
      ...options,
      maxStep: h,
      ...(h < Number.POSITIVE_INFINITY && { initialStep: h }),
    });
    integrator.start(0, Float64Array.from(problem.start));
    const out = new Float64Array(problem.system.n);
    let largest = 0;
    for (let k = 0; integrator.step(problem.to).kind === 'step'; k++)
      for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const t = integrator.tPrevious + share * (integrator.t - integrator.tPrevious);
        integrator.interpolate(t, out);
        const exact = problem.exact!(t);
        // The first step has no slope from stages, and is of order three.
        if (k > 0)
          for (let i = 0; i < out.length; i++) largest = Math.max(largest, Math.abs(out[i]! - exact[i]!));
      }
    return largest;
  }

  test('inside steps it is of order four at least', () => {
    const order = Math.log2(errorInside(oscillators, 0.05) / errorInside(oscillators, 0.025));
    expect(order).toBeGreaterThan(4.5);
  });

  test('stiff components do not disturb it, and may not be off inside of steps either', () => {
    const problem = protheroRobinson(-1e9);
    expect(errorInside(problem, 0.1)).toBeLessThan(1e-6);
    for (const tolerance of [1e-4, 1e-6, 1e-8]) {
      const strict = { relative: tolerance, absolute: tolerance };
      expect(errorInside(problem, Number.POSITIVE_INFINITY, strict)).toBeLessThan(3 * tolerance);
    }
  });

  test('is smooth from step to step', () => {
    const { integrator } = run({ ...oscillators, to: 0 }, 'radau', { relative: 1e-6, absolute: 1e-6 });
    integrator.start(0, Float64Array.from(oscillators.start));
    const [a, b] = [new Float64Array(4), new Float64Array(4)];
    const slopeAt = (t: number, side: 1 | -1): number => {
      integrator.interpolate(t, a);
      integrator.interpolate(t + side * 1e-6, b);
      return (side * (b[0]! - a[0]!)) / 1e-6;
    };
    integrator.step(10);
    for (let k = 0; k < 20; k++) {
      const before = slopeAt(integrator.t, -1);
      integrator.step(10);
      expect(slopeAt(integrator.tPrevious, 1)).toBeCloseTo(before, 4);
    }
  });
});
