/**
 * What holds loops closed: a multiplier for each row of the closures, such that accelerations, or velocities after an impact,
 * satisfy them.
 *
 * Unknown are multipliers of the independent rows and accelerations of joints that `Articulated` holds. One sweep through the
 * tree for each gives a column of the matrix: how it changes rates of rows, and forces of held joints. Without held joints the
 * matrix is J M^-1 J', symmetric and positive. Multipliers of rows that depend on others follow from asking for the shortest
 * ones.
 *
 * Where something slides, forces are not along rates: J M^-1 B'. Then multipliers of all rows are unknown, and that they are the shortest ones are equations
 * as well.
 */
import type { Articulated } from './articulated.ts';
import { RADIANS } from './closure.ts';
import { choleskyOf, choleskySolved, SquareFactors } from './linear.ts';
import type { Loops } from './loops.ts';
import type { Response } from './response.ts';
import { FREE, SCREW } from './tree.ts';

/** Of the matrix with held joints, scaled: a smaller pivot is none. */
const SINGULAR = 1e-13;
/** A joint is light where its inertia is so much smaller than the largest one on loops. */
const LIGHT = 1e-3;

export class Multipliers {
  /** Of each row of the closures: force or torque, or impulse. */
  readonly values: Float64Array;
  /** Whether no multipliers keep what slides in contact: then they are not numbers. */
  isJammed = false;
  readonly #articulated: Articulated;
  /** The held joints, and how many there can be: no more than rows have to be held at once. */
  readonly #held: Int32Array;
  readonly #limit: number;
  #rank = 0;
  #size = 0;
  /** How many multipliers are unknown: those of independent rows, or of all. */
  #unknown = 0;
  #isSkew = false;
  /** Rates of rows and forces of held joints, by unknown; then its factors. */
  readonly #matrix: Float64Array;
  readonly #factors: SquareFactors;
  /** Forces of driven joints for each unknown. */
  readonly #drives: Float64Array;
  readonly #right: Float64Array;
  readonly #normal: Float64Array;
  readonly #inertias: Float64Array;

  constructor(
    readonly loops: Loops,
    readonly response: Response,
  ) {
    this.#articulated = response.articulated;
    const { most } = loops.closures;
    const { drives } = this.#articulated.motion.tree;
    this.#limit = 2 * most;
    const size = most + this.#limit;
    this.values = new Float64Array(most);
    this.#held = new Int32Array(this.#limit);
    this.#matrix = new Float64Array(size * size);
    this.#factors = new SquareFactors(size);
    this.#drives = new Float64Array(size * drives.length);
    this.#right = new Float64Array(size);
    this.#normal = new Float64Array(most * most);
    this.#inertias = new Float64Array(this.#articulated.motion.tree.n);
  }

  /**
   * The matrix and its factors; after `Loops.factor`, and after inertias have been reduced. False: nothing resists held joints;
   * `Articulated.singular` is the first.
   */
  prepare(): boolean {
    const { response } = this;
    const { rank, rows, order } = this.loops.factors;
    const { tree } = this.#articulated.motion;
    if (!this.#collect(rank)) return false;
    this.isJammed = false;
    this.#isSkew = this.loops.closures.isSkew;
    const unknown = (this.#unknown = this.#isSkew ? rows : rank);
    const size = (this.#size = unknown + this.#articulated.holding);
    for (let i = 0; i < size; i++) {
      response.clear();
      if (i < unknown) this.#apply(order[i]!, 1);
      else response.a[tree.vAt[this.#held[i - unknown]!]!] = 1;
      response.sweep();
      for (let j = 0; j < size; j++)
        this.#matrix[j * size + i] =
          j < rank
            ? this.#rate(order[j]!, response.accelerations)
            : j < unknown
              ? this.#null(j - rank, i)
              : response.tau[tree.vAt[this.#held[j - unknown]!]!]!;
      for (let d = 0; d < tree.drives.length; d++)
        this.#drives[i * tree.drives.length + d] = response.tau[tree.vAt[tree.drives[d]!]!]!;
    }
    if (size === rank && !this.#isSkew) choleskyOf(this.#matrix, size);
    else if (!this.#factors.factor(this.#matrix, size, SINGULAR)) {
      if (!this.#isSkew) return this.#fail();
      this.isJammed = true;
    }
    return true;
  }

  /** How an unknown takes part in a combination of rows that is zero. */
  #null(which: number, unknown: number): number {
    const { rows, order } = this.loops.factors;
    return unknown < rows ? this.loops.nulls[which * rows + order[unknown]!]! : 0;
  }

  /**
   * Marks joints on loops that are light against others: forces that only pass through them would drown what moves them. True:
   * there are new ones, and inertias have to be reduced again. After `Loops.factor`, and after inertias have been reduced.
   */
  lighten(): boolean {
    const { light, looped, holding, motion } = this.#articulated;
    const { n, kind, driven } = motion.tree;
    const inertias = this.#inertias;
    let largest = 0;
    for (let k = 0; k < n; k++) {
      inertias[k] = looped[k] && !driven[k] ? this.#inertia(k) : 0;
      if (inertias[k]! < Number.POSITIVE_INFINITY) largest = Math.max(largest, inertias[k]!);
    }
    let marked = 0;
    for (let k = 0; k < n; k++) {
      if (!(looped[k] && kind[k]! <= SCREW) || driven[k] || light[k] || holding + marked === this.#limit)
        continue;
      if (inertias[k]! >= LIGHT * largest) continue;
      light[k] = 1;
      marked++;
    }
    return marked > 0;
  }

  /** The mass that rows of closures feel in a joint: its inertia by the square of its entries in the Jacobian, taken in metres. */
  #inertia(k: number): number {
    const { pivots, inertias, motion } = this.#articulated;
    const { nv, kind, vAt } = motion.tree;
    const { jacobian, factors, closures } = this.loops;
    let [own, square] = [pivots[k]!, 0];
    if (kind[k]! > SCREW) {
      // The mean of its inertias for turning; of a free joint, its mass.
      const x = 21 * k + (kind[k] === FREE ? 15 : 0);
      own = (inertias[x]! + inertias[x + 3]! + inertias[x + 5]!) / 3;
    }
    const width = kind[k]! > SCREW ? 3 : 1;
    for (let i = 0; i < factors.rank; i++) {
      const row = factors.order[i]!;
      const scale = closures.measure[row] === RADIANS ? closures.size : 1;
      for (let c = 0; c < width; c++) square += (scale * jacobian[row * nv + vAt[k]! + c]!) ** 2;
    }
    return square > 0 ? own / square : Number.POSITIVE_INFINITY;
  }

  #collect(rank: number): boolean {
    this.#rank = rank;
    const { held, holding, motion } = this.#articulated;
    const { n, driven } = motion.tree;
    if (holding > this.#limit) return this.#fail();
    let count = 0;
    for (let k = 0; k < n && count < holding; k++) if (held[k] && !driven[k]) this.#held[count++] = k;
    return true;
  }

  #fail(): boolean {
    const { held, motion } = this.#articulated;
    const { driven } = motion.tree;
    this.#articulated.singular = held.findIndex((of, k) => of === 1 && driven[k] === 0);
    return false;
  }

  /** Row times velocities or accelerations of links. */
  #rate(row: number, of: Float64Array): number {
    const { a, b, onA, onB } = this.loops.closures;
    const [r, x, y] = [6 * row, 6 * a[row]!, 6 * b[row]!];
    let sum = 0;
    for (let i = 0; i < 6; i++) sum += onA[r + i]! * of[x + i]! + onB[r + i]! * of[y + i]!;
    return sum;
  }

  /** A multiplier of a row, as wrenches of the response. */
  #apply(row: number, by: number): void {
    const { a, b, skew, pushA, pushB, onA: rateA, onB: rateB } = this.loops.closures;
    const { wrenches } = this.response;
    const [r, x, y] = [6 * row, 6 * a[row]!, 6 * b[row]!];
    const [onA, onB] = skew[row] ? [pushA, pushB] : [rateA, rateB];
    for (let i = 0; i < 6; i++) {
      wrenches[x + i] = wrenches[x + i]! + by * onA[r + i]!;
      wrenches[y + i] = wrenches[y + i]! + by * onB[r + i]!;
    }
  }

  #solve(): void {
    if (this.isJammed) this.#right.fill(Number.NaN);
    else if (this.#size === this.#rank && !this.#isSkew)
      choleskySolved(this.#matrix, this.#size, this.#right);
    else this.#factors.solve(this.#matrix, this.#size, this.#right);
  }

  /**
   * The shortest multipliers that cancel rates of links, with biases of rows or not, and the accelerations of held joints that
   * cancel what `lacks` (by place in v; undefined: nothing). Both go to the response, whose next sweep is what they do. After
   * `prepare`.
   */
  bind(of: Float64Array, withBias: boolean, lacks: Float64Array | undefined): void {
    const { values, response } = this;
    const { biases } = this.loops.closures;
    const { order, rows } = this.loops.factors;
    const { vAt } = this.#articulated.motion.tree;
    const [right, rank, unknown, held] = [this.#right, this.#rank, this.#unknown, this.#held];
    for (let i = 0; i < rank; i++)
      right[i] = -this.#rate(order[i]!, of) - (withBias ? biases[order[i]!]! : 0);
    right.fill(0, rank, unknown);
    for (let i = unknown; i < this.#size; i++) right[i] = lacks ? -lacks[vAt[held[i - unknown]!]!]! : 0;
    this.#solve();
    values.fill(0);
    for (let i = 0; i < unknown; i++) values[order[i]!] = right[i]!;
    for (let i = unknown; i < this.#size; i++) response.a[vAt[held[i - unknown]!]!] = right[i]!;
    if (!this.#isSkew) this.#shorten(rows - rank);
    for (let row = 0; row < rows; row++) if (values[row] !== 0) this.#apply(row, values[row]!);
  }

  /** Takes from multipliers what lies in the space of those that do nothing. */
  #shorten(nulls: number): void {
    if (nulls === 0) return;
    const { values } = this;
    const { rows } = this.loops.factors;
    const [n, normal, right] = [this.loops.nulls, this.#normal, this.#right];
    for (let a = 0; a < nulls; a++) {
      right[a] = 0;
      for (let row = 0; row < rows; row++) right[a] = right[a]! + n[a * rows + row]! * values[row]!;
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let row = 0; row < rows; row++) sum += n[a * rows + row]! * n[b * rows + row]!;
        normal[a * nulls + b] = sum;
      }
    }
    choleskyOf(normal, nulls);
    choleskySolved(normal, nulls, right);
    for (let row = 0; row < rows; row++)
      for (let a = 0; a < nulls; a++) values[row] = values[row]! - right[a]! * n[a * rows + row]!;
  }

  /** Adds to the matrix of driven joints what closures add; after `prepare`. */
  stiffen(matrix: Float64Array): void {
    const count = this.#articulated.motion.tree.drives.length;
    const [right, drives, size, rank] = [this.#right, this.#drives, this.#size, this.#rank];
    for (let column = 0; column < count; column++) {
      // A unit acceleration changes rates of rows by what their multipliers change its force, with the other sign, and forces
      // of held joints by what their accelerations change its own.
      for (let i = 0; i < size; i++) right[i] = (i < rank ? 1 : -1) * drives[i * count + column]!;
      this.#solve();
      for (let row = 0; row < count; row++)
        for (let i = 0; i < size; i++)
          matrix[row * count + column] = matrix[row * count + column]! + drives[i * count + row]! * right[i]!;
    }
  }
}
