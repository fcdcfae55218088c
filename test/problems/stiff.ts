/**
 * Stiff problems. Reference values are those of F. Mazzia and C. Magherini, Test Set for Initial Value
 * Problem Solvers, release 2.4 (Bari, 2008), and of E. Hairer and G. Wanner, Solving Ordinary Differential
 * Equations II, IV.10, where `source` says so.
 */
import { denseSystem, type Problem } from './problem.ts';

const robertsonSystem = denseSystem(
  3,
  (_t, y, dy) => {
    const fast = 1e4 * y[1]! * y[2]!;
    const slow = 0.04 * y[0]!;
    const square = 3e7 * y[1]! * y[1]!;
    dy[0] = -slow + fast;
    dy[1] = slow - fast - square;
    dy[2] = square;
  },
  (_t, y) => [
    [-0.04, 1e4 * y[2]!, 1e4 * y[1]!],
    [0.04, -1e4 * y[2]! - 6e7 * y[1]!, -1e4 * y[1]!],
    [0, 6e7 * y[1]!, 0],
  ],
);

/** Chemical kinetics of H. H. Robertson (1966), at a time within the transient's tail. */
export const robertson40: Problem = {
  name: 'Robertson, t = 40',
  system: robertsonSystem,
  start: [1, 0, 0],
  from: 0,
  to: 40,
  reference: [0.7158270687194, 0.9185534764557e-5, 0.2841637457458],
  source: 'Hairer, Wanner II, IV.1 (ten digits), continued by Radau IIA at relative tolerance 1e-13',
};

/** The same over eleven decades of time. */
export const robertson: Problem = {
  ...robertson40,
  name: 'Robertson, t = 1e11',
  to: 1e11,
  reference: [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505],
  source: 'Test Set for IVP Solvers 2.4, problem ROBER',
};

/** Relaxation oscillation, mu = 1000, one and a quarter periods. */
export const vanDerPol: Problem = {
  name: 'van der Pol, mu = 1000',
  system: denseSystem(
    2,
    (_t, y, dy) => {
      dy[0] = y[1]!;
      dy[1] = 1000 * (1 - y[0]! * y[0]!) * y[1]! - y[0]!;
    },
    (_t, y) => [
      [0, 1],
      [-2000 * y[0]! * y[1]! - 1, 1000 * (1 - y[0]! * y[0]!)],
    ],
  ),
  start: [2, 0],
  from: 0,
  to: 2000,
  reference: [1.706167732170469, -0.8928097010248125e-3],
  source: 'Test Set for IVP Solvers 2.4, problem VDPOLM',
};

/** High irradiance responses of photomorphogenesis, E. Schaefer (1975). */
export const hires: Problem = {
  name: 'HIRES',
  system: denseSystem(
    8,
    (_t, y, dy) => {
      const [a, b, c, d, e, f, g, h] = y as unknown as number[];
      dy[0] = -1.71 * a! + 0.43 * b! + 8.32 * c! + 0.0007;
      dy[1] = 1.71 * a! - 8.75 * b!;
      dy[2] = -10.03 * c! + 0.43 * d! + 0.035 * e!;
      dy[3] = 8.32 * b! + 1.71 * c! - 1.12 * d!;
      dy[4] = -1.745 * e! + 0.43 * f! + 0.43 * g!;
      dy[5] = -280 * f! * h! + 0.69 * d! + 1.71 * e! - 0.43 * f! + 0.69 * g!;
      dy[6] = 280 * f! * h! - 1.81 * g!;
      dy[7] = -dy[6]!;
    },
    (_t, y) => {
      const f = y[5]!;
      const h = y[7]!;
      return [
        [-1.71, 0.43, 8.32, 0, 0, 0, 0, 0],
        [1.71, -8.75, 0, 0, 0, 0, 0, 0],
        [0, 0, -10.03, 0.43, 0.035, 0, 0, 0],
        [0, 8.32, 1.71, -1.12, 0, 0, 0, 0],
        [0, 0, 0, 0, -1.745, 0.43, 0.43, 0],
        [0, 0, 0, 0.69, 1.71, -280 * h - 0.43, 0.69, -280 * f],
        [0, 0, 0, 0, 0, 280 * h, -1.81, 280 * f],
        [0, 0, 0, 0, 0, -280 * h, 1.81, -280 * f],
      ];
    },
  ),
  start: [1, 0, 0, 0, 0, 0, 0, 0.0057],
  from: 0,
  to: 321.8122,
  reference: [
    0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
    0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
  ],
  source: 'Test Set for IVP Solvers 2.4, problem HIRES',
};

/** The Belousov-Zhabotinskii reaction after R. J. Field and R. M. Noyes (1974). */
export const oregonator: Problem = {
  name: 'Oregonator',
  system: denseSystem(
    3,
    (_t, y, dy) => {
      const [a, b, c] = y as unknown as [number, number, number];
      dy[0] = 77.27 * (b + a * (1 - 8.375e-6 * a - b));
      dy[1] = (c - (1 + a) * b) / 77.27;
      dy[2] = 0.161 * (a - c);
    },
    (_t, y) => [
      [77.27 * (1 - 2 * 8.375e-6 * y[0]! - y[1]!), 77.27 * (1 - y[0]!), 0],
      [-y[1]! / 77.27, -(1 + y[0]!) / 77.27, 1 / 77.27],
      [0.161, 0, -0.161],
    ],
  ),
  start: [1, 2, 3],
  from: 0,
  to: 360,
  reference: [0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3],
  source: 'Test Set for IVP Solvers 2.4, problem OREGO',
};

/** A. Prothero and A. Robinson (1974): y' = lambda (y - sin t) + cos t, so y = sin t however stiff. */
export function protheroRobinson(lambda: number): Problem {
  const exact = (t: number): number[] => [Math.sin(t)];
  return {
    name: `Prothero-Robinson, lambda = ${lambda}`,
    system: denseSystem(
      1,
      (t, y, dy) => {
        dy[0] = lambda * (y[0]! - Math.sin(t)) + Math.cos(t);
      },
      () => [[lambda]],
    ),
    start: [0],
    from: 0,
    to: 10,
    reference: exact(10),
    source: 'exact',
    exact,
  };
}

/**
 * Two volumes in a pipe between pressures that rise: flows go with the root of differences of pressure, made linear near zero. Inflows are such that all
 * flows stay alike, so pressures follow exactly. What drives the flows at the beginning is far below the tolerance.
 */
export const pipe: Problem = (() => {
  const [c, width, level] = [1e5, 0.01, 1e5];
  const flow = (dp: number): number => dp / (dp * dp + width * width) ** 0.25;
  const slope = (dp: number): number => (0.5 * dp * dp + width * width) / (dp * dp + width * width) ** 1.25;
  const differences = (t: number, y: Float64Array) =>
    [level + t - y[0]!, y[0]! - y[1]!, y[1]! - level] as const;
  const exact = (t: number): number[] => [level + (2 * t) / 3, level + t / 3];
  return {
    name: 'pipe at rest',
    system: denseSystem(
      2,
      (t, y, dy) => {
        const [f0, f1, f2] = differences(t, y).map(flow) as [number, number, number];
        dy[0] = c * (f0 - f1) + 2 / 3;
        dy[1] = c * (f1 - f2) + 1 / 3;
      },
      (t, y) => {
        const [g0, g1, g2] = differences(t, y).map(slope) as [number, number, number];
        return [
          [-c * (g0 + g1), c * g1],
          [c * g1, -c * (g1 + g2)],
        ];
      },
    ),
    start: exact(0),
    from: 0,
    to: 1,
    reference: exact(1),
    source: 'exact',
    exact,
  };
})();

export const stiffProblems: readonly Problem[] = [robertson40, robertson, vanDerPol, hires, oregonator];
