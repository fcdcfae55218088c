/** Problems that are not stiff: celestial mechanics, oscillations, linear systems with exact solutions. */
import { denseSystem, type Problem } from './problem.ts';

/** Period of the Arenstorf orbit below. */
const ARENSTORF_PERIOD = 17.065216560157964;

/**
 * Restricted three-body problem: a closed orbit around earth and moon with three loops. Very sensitive:
 * errors grow a millionfold.
 */
export const arenstorf: Problem = {
  name: 'Arenstorf orbit',
  system: {
    n: 4,
    rhs(_t, y, dy) {
      const mu = 0.012277471;
      const nu = 1 - mu;
      const [x1, x2, v1, v2] = y as unknown as [number, number, number, number];
      const d1 = ((x1 + mu) ** 2 + x2 * x2) ** 1.5;
      const d2 = ((x1 - nu) ** 2 + x2 * x2) ** 1.5;
      dy[0] = v1;
      dy[1] = v2;
      dy[2] = x1 + 2 * v2 - (nu * (x1 + mu)) / d1 - (mu * (x1 - nu)) / d2;
      dy[3] = x2 - 2 * v1 - (nu * x2) / d1 - (mu * x2) / d2;
      return true;
    },
  },
  start: [0.994, 0, 0, -2.0015851063790824],
  from: 0,
  to: ARENSTORF_PERIOD,
  reference: [0.994, 0, 0, -2.0015851063790824],
  source: 'Hairer, Norsett, Wanner I, II.0: a periodic orbit',
};

/** Seven stars in a plane, with close encounters. Positions first, then velocities. */
export const pleiades: Problem = {
  name: 'Pleiades',
  system: {
    n: 28,
    rhs(_t, y, dy) {
      for (let i = 0; i < 7; i++) {
        let ax = 0;
        let ay = 0;
        for (let j = 0; j < 7; j++) {
          if (i === j) continue;
          const dx = y[j]! - y[i]!;
          const dz = y[7 + j]! - y[7 + i]!;
          const r2 = dx * dx + dz * dz;
          const pull = (j + 1) / (r2 * Math.sqrt(r2));
          ax += pull * dx;
          ay += pull * dz;
        }
        dy[i] = y[14 + i]!;
        dy[7 + i] = y[21 + i]!;
        dy[14 + i] = ax;
        dy[21 + i] = ay;
      }
      return true;
    },
  },
  start: [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0],
  from: 0,
  to: 3,
  reference: [
    0.3706139143970502, 0.3237284092057233e1, -0.3222559032418324e1, 0.659709145577531, 0.3425581707156584,
    0.1562172101400631e1, -0.7003092922212495, -0.3943437585517392e1, -0.327138097397255e1,
    0.5225081843456543e1, -0.259061243497747e1, 0.1198213693392275e1, -0.2429682344935824,
    0.109144924042898e1, 0.3417003806314313e1, 0.1354584501625501e1, -0.2590065597810775e1,
    0.2025053734714242e1, -0.1155815100160448e1, -0.8072988170223021, 0.595239635420871, -0.374124496123401e1,
    0.377345968575063, 0.9386858869551074, 0.3667922227200571, -0.347404635380849, 0.2344915448180937e1,
    -0.1947020434263292e1,
  ],
  source: 'Test Set for IVP Solvers 2.4, problem PLEI',
};

/** Two oscillators of frequencies 1 and 3, weakly damped by nothing: y = (cos t, -sin t, sin 3t, 3 cos 3t). */
export const oscillators: Problem = exactProblem(
  'two oscillators',
  [
    [0, 1, 0, 0],
    [-1, 0, 0, 0],
    [0, 0, 0, 1],
    [0, 0, -9, 0],
  ],
  10,
  (t) => [Math.cos(t), -Math.sin(t), Math.sin(3 * t), 3 * Math.cos(3 * t)],
);

/** A real spectrum {-1, -3}: y1 = e^-t + e^-3t, y2 = e^-t - e^-3t. */
export const decay: Problem = exactProblem(
  'decay',
  [
    [-2, 1],
    [1, -2],
  ],
  2,
  (t) => [Math.exp(-t) + Math.exp(-3 * t), Math.exp(-t) - Math.exp(-3 * t)],
);

function exactProblem(name: string, rows: number[][], to: number, exact: (t: number) => number[]): Problem {
  const n = rows.length;
  const system = denseSystem(
    n,
    (_t, y, dy) => {
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += rows[i]![j]! * y[j]!;
        dy[i] = sum;
      }
    },
    () => rows,
  );
  return { name, system, start: exact(0), from: 0, to, reference: exact(to), source: 'exact', exact };
}
