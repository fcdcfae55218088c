/**
 * The method Radau IIA of order five, in numbers: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.5 and IV.8. A step of length h
 * solves for the increments z of three stages, z = h A f(y + z). With T, which makes the inverse of A block diagonal, their linear systems fall apart into a real one
 * and a complex one:
 *
 *     T^-1 A^-1 T  =  | gamma               |
 *                     |        alpha  -beta |
 *                     |        beta   alpha |
 */

const ROOT = Math.sqrt(6);

/** Where in the step the stages are. */
export const NODES = [(4 - ROOT) / 10, (4 + ROOT) / 10, 1] as const;

/** A, row by row. */
export const WEIGHTS = [
  [(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
  [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
  [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9],
] as const;

const [THIRD, NINTH] = [Math.cbrt(81), Math.cbrt(9)];
const REAL_PART = (12 - THIRD + NINTH) / 60;
const IMAGINARY_PART = ((THIRD + NINTH) * Math.sqrt(3)) / 60;
const SQUARE = REAL_PART ** 2 + IMAGINARY_PART ** 2;

/** The eigenvalues of the inverse of A: gamma, and alpha with plus or minus beta times i. */
export const GAMMA = 30 / (6 + THIRD - NINTH);
export const ALPHA = REAL_PART / SQUARE;
export const BETA = IMAGINARY_PART / SQUARE;

export const T = [
  [0.09123239487089294, -0.1412552950209542, -0.030029194105147424],
  [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
  [0.966048182615093, 1, 0],
] as const;

export const T_INVERSE = [
  [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
  [-4.178718591551905, -0.3276828207610624, 0.47662355450055044],
  [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
] as const;

/** What the stages count for in the slope at the start of the polynomial below, over the whole step, with the sign reversed. */
export const START_WEIGHTS = [-(13 + 7 * ROOT) / 3, (-13 + 7 * ROOT) / 3, -1 / 3] as const;

const [C1, C2] = NODES;

/**
 * The error of the polynomial below, which is (h^4 y''''/6) times the integral of (c - c1)(c - c2)(c - 1), has this shape, of slope one at the start of the step. So its slope
 * there, where that of the solution is known, tells all of it.
 */
export function errorShape(c: number): number {
  return c * (1 - c) ** 2 * (1 - 2.5 * c);
}

/**
 * The polynomial of degree three through the start of a step and its stages, by divided differences at c = 1, c2, c1 and 0: as what the solution at `s` is
 * away from the end of the step, where s = -1 is its start and s > 0 lies beyond.
 */
export class StagePolynomial {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly third: Float64Array;

  constructor(n: number) {
    this.first = new Float64Array(n);
    this.second = new Float64Array(n);
    this.third = new Float64Array(n);
  }

  /** Through the increments of the stages. */
  fit(z1: Float64Array, z2: Float64Array, z3: Float64Array): void {
    const { first, second, third } = this;
    for (let i = 0; i < z1.length; i++) {
      const end = (z2[i]! - z3[i]!) / (C2 - 1);
      const middle = (z1[i]! - z2[i]!) / (C1 - C2);
      const bend = (middle - z1[i]! / C1) / C2;
      first[i] = end;
      second[i] = (middle - end) / (C1 - 1);
      third[i] = second[i]! - bend;
    }
  }

  at(i: number, s: number): number {
    return s * (this.first[i]! + (s - (C2 - 1)) * (this.second[i]! + (s - (C1 - 1)) * this.third[i]!));
  }

  /** Its derivative by `s` at the end of the step. */
  endSlope(i: number): number {
    return this.first[i]! + (1 - C2) * (this.second[i]! + (1 - C1) * this.third[i]!);
  }

  set({ first, second, third }: Pick<StagePolynomial, 'first' | 'second' | 'third'>): void {
    this.first.set(first);
    this.second.set(second);
    this.third.set(third);
  }
}
