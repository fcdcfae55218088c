/** Problems from partial differential equations, with sparse Jacobians. */
import type { OdeSystem } from '../../src/solve/integrator.ts';
import { type Problem, patternOf, tridiagonal } from './problem.ts';

const POINTS = 24;
const n = 2 * POINTS;
const DIFFUSION = (POINTS + 1) ** 2 / 50;

const brusselatorPattern = patternOf(
  Array.from({ length: n }, (_, j) =>
    [j - 2, j - (j % 2), j - (j % 2) + 1, j + 2].filter((i) => i >= 0 && i < n),
  ),
);

const brusselatorSystem: OdeSystem = {
  n,
  rhs(_t, y, dy) {
    for (let i = 0; i < n; i += 2) {
      const u = y[i]!;
      const v = y[i + 1]!;
      const uLeft = i === 0 ? 1 : y[i - 2]!;
      const vLeft = i === 0 ? 3 : y[i - 1]!;
      const uRight = i === n - 2 ? 1 : y[i + 2]!;
      const vRight = i === n - 2 ? 3 : y[i + 3]!;
      dy[i] = 1 + u * u * v - 4 * u + DIFFUSION * (uLeft - 2 * u + uRight);
      dy[i + 1] = 3 * u - u * u * v + DIFFUSION * (vLeft - 2 * v + vRight);
    }
    return true;
  },
  jacobian: {
    pattern: brusselatorPattern,
    evaluate(_t, y, values) {
      const { starts, rows } = brusselatorPattern;
      for (let j = 0; j < n; j++) {
        const u = y[j - (j % 2)]!;
        const v = y[j - (j % 2) + 1]!;
        for (let k = starts[j]!; k < starts[j + 1]!; k++) {
          const i = rows[k]!;
          if (i === j - 2 || i === j + 2) values[k] = DIFFUSION;
          else if (j % 2 === 0) values[k] = i === j ? 2 * u * v - 4 - 2 * DIFFUSION : 3 - 2 * u * v;
          else values[k] = i === j ? -u * u - 2 * DIFFUSION : u * u;
        }
      }
      return true;
    },
  },
};

/** Brusselator with diffusion in one dimension (Hairer, Wanner II, IV.1), 24 inner points, u and v interleaved. */
export const brusselator: Problem = {
  name: 'Brusselator with diffusion',
  system: brusselatorSystem,
  start: Array.from({ length: n }, (_, i) =>
    i % 2 === 0 ? 1 + Math.sin((Math.PI * (i + 2)) / (POINTS + 1)) : 3,
  ),
  from: 0,
  to: 10,
  reference: [
    0.8969513248366, 3.130193295025, 0.8003326064511, 3.2519984671, 0.7146634588365, 3.359331251197,
    0.642205994947, 3.44899304134, 0.5832733004781, 3.520417438042, 0.5368656394864, 3.574946217723,
    0.5013227147733, 3.615007704616, 0.4748217143164, 3.643425187088, 0.4556847046997, 3.662931158037,
    0.4425315355306, 3.675870936035, 0.4343341152966, 3.68404474744, 0.4304204935848, 3.688636305576,
    0.4304619688381, 3.690187981744, 0.434462388604, 3.688597200201, 0.4427580058531, 3.683122094222,
    0.4560276055674, 3.672396629469, 0.475303972125, 3.654467500171, 0.5019670306542, 3.626878257664,
    0.5376852319134, 3.586840099177, 0.5842573404024, 3.531539679069, 0.6433010226754, 3.45863135526,
    0.7157568129639, 3.366924356543, 0.8012506141508, 3.257181744023, 0.8974898163815, 3.13279946221,
  ],
  source: 'SciPy 1.17 DOP853 at relative tolerance 3e-14, agreeing with 1e-12 to nine digits',
};

/**
 * Heat conduction in a rod of n cells with fixed ends at zero; a sine decays with the exact eigenvalue of the
 * cells.
 */
export function heatRod(n: number): Problem {
  const pattern = tridiagonal(n);
  const scale = (n + 1) ** 2;
  const eigenvalue = -4 * scale * Math.sin(Math.PI / (2 * (n + 1))) ** 2;
  const exact = (t: number): number[] =>
    Array.from({ length: n }, (_, i) => Math.exp(eigenvalue * t) * Math.sin((Math.PI * (i + 1)) / (n + 1)));
  const system: OdeSystem = {
    n,
    rhs(_t, y, dy) {
      for (let i = 0; i < n; i++) dy[i] = scale * ((y[i - 1] ?? 0) - 2 * y[i]! + (y[i + 1] ?? 0));
      return true;
    },
    jacobian: {
      pattern,
      evaluate(_t, _y, values) {
        for (let j = 0; j < n; j++) {
          for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++)
            values[k] = pattern.rows[k] === j ? -2 * scale : scale;
        }
        return true;
      },
    },
  };
  return {
    name: `heat rod, n = ${n}`,
    system,
    start: exact(0),
    from: 0,
    to: 0.2,
    reference: exact(0.2),
    source: 'exact',
    exact,
  };
}

/** A string of n masses between two walls in its slowest mode. The fastest one, with 2n/pi times its frequency, is not in the solution. */
export function swingingString(n: number): Problem {
  const k = (n + 1) ** 2;
  const shape = Array.from({ length: n }, (_, i) => Math.sin((Math.PI * (i + 1)) / (n + 1)));
  const frequency = 2 * (n + 1) * Math.sin(Math.PI / (2 * (n + 1)));
  const pattern = patternOf([
    ...shape.map((_, i) => [n + i - 1, n + i, n + i + 1].filter((row) => row >= n && row < 2 * n)),
    ...shape.map((_, i) => [i]),
  ]);
  const to = 10;
  return {
    name: `string of ${n} masses`,
    system: {
      n: 2 * n,
      rhs(_t, y, dy) {
        for (let i = 0; i < n; i++) {
          const left = i === 0 ? 0 : y[i - 1]!;
          const right = i === n - 1 ? 0 : y[i + 1]!;
          dy[i] = y[n + i]!;
          dy[n + i] = k * (left - 2 * y[i]! + right);
        }
        return true;
      },
      jacobian: {
        pattern,
        evaluate(_t, _y, values) {
          for (let j = 0; j < 2 * n; j++)
            for (let p = pattern.starts[j]!; p < pattern.starts[j + 1]!; p++)
              values[p] = j >= n ? 1 : pattern.rows[p] === n + j ? -2 * k : k;
          return true;
        },
      },
    },
    start: [...shape, ...shape.map(() => 0)],
    from: 0,
    to,
    reference: [
      ...shape.map((s) => s * Math.cos(frequency * to)),
      ...shape.map((s) => -s * frequency * Math.sin(frequency * to)),
    ],
    source: 'the mode is an eigenvector',
  };
}
