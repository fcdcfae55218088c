/**
 * What holds loops closed: a multiplier for each row of the closures, such that accelerations, or velocities after an impact,
 * satisfy them.
 *
 * Unknown are multipliers of the independent rows and accelerations of joints that `Articulated` holds. One sweep through the
 * tree for each gives a column of the matrix: how it changes rates of rows, and forces of held joints. Without held joints the
 * matrix is J M^-1 J', symmetric and positive. Multipliers of rows that depend on others follow from asking for the shortest
 * ones.
 *
 * Where something slides, forces are not along rates: J M^-1 B'. Then multipliers of all rows are unknown, and that no combination of rows that is zero takes part in them are
 * equations as well.
 */
import type { Articulated } from './articulated.ts';
import { RADIANS } from './closure.ts';
import type { Island } from './islands.ts';
import { choleskyOf, choleskySolved, SquareFactors } from './linear.ts';
import type { Loops } from './loops.ts';
import type { Response } from './response.ts';
import type { Closures } from './rows.ts';
import { type Bearing, share } from './sharing.ts';
import { FREE, SCREW } from './tree.ts';

/** Of the matrix with held joints, scaled: a smaller pivot is none. */
const SINGULAR = 1e-13;
/** A joint is light where its inertia is so much smaller than the largest one on loops. */
const LIGHT = 1e-3;

export class Multipliers {
  /** Of each row of the closures: force or torque, or impulse. */
  readonly values: Float64Array;
  readonly #parts: readonly IslandMultipliers[];

  constructor({ closures, jacobian }: Loops, response: Response) {
    this.values = new Float64Array(closures.most);
    this.#parts = closures.islands.map(
      (island) => new IslandMultipliers(island, closures, jacobian, response, this.values),
    );
  }

  /** Whether no multipliers keep what slides in contact: then they are not numbers. */
  get isJammed(): boolean {
    return this.#parts.some(({ isJammed }) => isJammed);
  }

  /**
   * The matrix and its factors; after `Loops.factor`, and after inertias have been reduced. False: nothing resists held joints;
   * `Articulated.singular` is the first.
   */
  prepare(): boolean {
    return this.#parts.every((part) => part.prepare());
  }

  /**
   * Marks joints on loops that are light against others: forces that only pass through them would drown what moves them. True:
   * there are new ones, and inertias have to be reduced again. After `Loops.factor`, and after inertias have been reduced.
   */
  lighten(): boolean {
    return this.#parts.filter((part) => part.lighten()).length > 0;
  }

  /**
   * The shortest multipliers that cancel rates of links, with biases of rows or not, and the accelerations of held joints that
   * cancel what `lacks` (by place in v; undefined: nothing). Both go to the response, whose next sweep is what they do. After
   * `prepare`. `isShared`: points that touch share what is left open.
   */
  bind(of: Float64Array, withBias: boolean, lacks: Float64Array | undefined, isShared = withBias): void {
    this.values.fill(0);
    for (const part of this.#parts) part.bind(of, withBias, lacks, isShared);
  }

  /** Adds to the matrix of driven joints what closures add; after `prepare`. */
  stiffen(matrix: Float64Array): void {
    for (const part of this.#parts) part.stiffen(matrix);
  }
}

/** The same of one island. Rows are numbered as in the island. */
class IslandMultipliers {
  isJammed = false;
  readonly #articulated: Articulated;
  /** The held joints, and how many there can be: no more than rows have to be held at once. */
  readonly #held: Int32Array;
  readonly #limit: number;
  #holding = 0;
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
    readonly island: Island,
    readonly closures: Closures,
    readonly jacobian: Float64Array,
    readonly response: Response,
    /** Of all rows. */
    readonly values: Float64Array,
  ) {
    this.#articulated = response.articulated;
    const { most, links } = island;
    const { drives } = this.#articulated.motion.tree;
    this.#limit = 2 * most;
    const size = most + this.#limit;
    this.#held = new Int32Array(this.#limit);
    this.#matrix = new Float64Array(size * size);
    this.#factors = new SquareFactors(size);
    this.#drives = new Float64Array(size * drives.length);
    this.#right = new Float64Array(size);
    this.#normal = new Float64Array(most * most);
    this.#inertias = new Float64Array(links.length);
  }

  prepare(): boolean {
    const { response, island } = this;
    const { links } = island;
    const { rank, rows, order } = island.factors;
    const { tree } = this.#articulated.motion;
    if (!this.#collect(rank)) return false;
    this.isJammed = false;
    this.#isSkew = false;
    for (let i = 0; i < rows; i++) if (this.closures.skew[island.rows[i]!]) this.#isSkew = true;
    const unknown = (this.#unknown = this.#isSkew ? rows : rank);
    const size = (this.#size = unknown + this.#holding);
    for (let i = 0; i < size; i++) {
      response.clear(links);
      if (i < unknown) this.#apply(order[i]!, 1);
      else response.a[tree.vAt[this.#held[i - unknown]!]!] = 1;
      response.sweep(links);
      for (let j = 0; j < size; j++)
        this.#matrix[j * size + i] =
          j < rank
            ? this.#rate(order[j]!, response.accelerations)
            : j < unknown
              ? this.#null(j - rank, i)
              : response.tau[tree.vAt[this.#held[j - unknown]!]!]!;
      for (let d = 0; d < tree.drives.length; d++)
        this.#drives[i * tree.drives.length + d] = this.#isOwn(tree.drives[d]!)
          ? response.tau[tree.vAt[tree.drives[d]!]!]!
          : 0;
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
    const { factors, nulls } = this.island;
    const { rows, order } = factors;
    return unknown < rows ? nulls[which * rows + order[unknown]!]! : 0;
  }

  lighten(): boolean {
    const { light, looped, held, motion } = this.#articulated;
    const { kind, driven } = motion.tree;
    const { links } = this.island;
    const inertias = this.#inertias;
    let [largest, holding, marked] = [0, 0, 0];
    for (const [i, k] of links.entries()) {
      inertias[i] = looped[k] && !driven[k] ? this.#inertia(k) : 0;
      if (inertias[i]! < Number.POSITIVE_INFINITY) largest = Math.max(largest, inertias[i]!);
      if (held[k] && !driven[k]) holding++;
    }
    for (const [i, k] of links.entries()) {
      if (!(looped[k] && kind[k]! <= SCREW) || driven[k] || light[k] || holding + marked === this.#limit)
        continue;
      if (inertias[i]! >= LIGHT * largest) continue;
      light[k] = 1;
      marked++;
    }
    return marked > 0;
  }

  /** Whether a link is one of the island. */
  #isOwn(link: number): boolean {
    const { root } = this.#articulated.motion.tree;
    return this.island.roots.has(root[link]!);
  }

  /** The mass that rows of closures feel in a joint: its inertia by the square of its entries in the Jacobian, taken in metres. */
  #inertia(k: number): number {
    const { pivots, inertias, motion } = this.#articulated;
    const { nv, kind, vAt } = motion.tree;
    const { jacobian, closures, island } = this;
    let [own, square] = [pivots[k]!, 0];
    if (kind[k]! > SCREW) {
      // The mean of its inertias for turning; of a free joint, its mass.
      const x = 21 * k + (kind[k] === FREE ? 15 : 0);
      own = (inertias[x]! + inertias[x + 3]! + inertias[x + 5]!) / 3;
    }
    const width = kind[k]! > SCREW ? 3 : 1;
    for (let i = 0; i < island.factors.rank; i++) {
      const row = island.rows[island.factors.order[i]!]!;
      const scale = closures.measure[row] === RADIANS ? closures.size : 1;
      for (let c = 0; c < width; c++) square += (scale * jacobian[row * nv + vAt[k]! + c]!) ** 2;
    }
    return square > 0 ? own / square : Number.POSITIVE_INFINITY;
  }

  #collect(rank: number): boolean {
    this.#rank = rank;
    const { held, motion } = this.#articulated;
    this.#holding = 0;
    for (const k of this.island.links) {
      if (!held[k] || motion.tree.driven[k]) continue;
      if (this.#holding === this.#limit) return this.#fail();
      this.#held[this.#holding++] = k;
    }
    return true;
  }

  #fail(): boolean {
    const { held, motion } = this.#articulated;
    const { driven } = motion.tree;
    this.#articulated.singular = this.island.links.find((k) => held[k] === 1 && driven[k] === 0) ?? -1;
    return false;
  }

  /** Row times velocities or accelerations of links. */
  #rate(which: number, of: Float64Array): number {
    const { a, b, onA, onB } = this.closures;
    const row = this.island.rows[which]!;
    const [r, x, y] = [6 * row, 6 * a[row]!, 6 * b[row]!];
    let sum = 0;
    for (let i = 0; i < 6; i++) sum += onA[r + i]! * of[x + i]! + onB[r + i]! * of[y + i]!;
    return sum;
  }

  /** A multiplier of a row, as wrenches of the response. */
  #apply(which: number, by: number): void {
    const { a, b, skew, pushA, pushB, onA: rateA, onB: rateB } = this.closures;
    const row = this.island.rows[which]!;
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

  bind(of: Float64Array, withBias: boolean, lacks: Float64Array | undefined, isShared: boolean): void {
    const { values, response, island } = this;
    const { biases } = this.closures;
    const { order, rows } = island.factors;
    const { vAt } = this.#articulated.motion.tree;
    const [right, rank, unknown, held] = [this.#right, this.#rank, this.#unknown, this.#held];
    for (let i = 0; i < rank; i++)
      right[i] = -this.#rate(order[i]!, of) - (withBias ? biases[island.rows[order[i]!]!]! : 0);
    right.fill(0, rank, unknown);
    for (let i = unknown; i < this.#size; i++) right[i] = lacks ? -lacks[vAt[held[i - unknown]!]!]! : 0;
    this.#solve();
    for (let i = 0; i < unknown; i++) values[island.rows[order[i]!]!] = right[i]!;
    for (let i = unknown; i < this.#size; i++) response.a[vAt[held[i - unknown]!]!] = right[i]!;
    if (rows > rank && !this.isJammed) {
      if (!this.#isSkew) this.#shorten(rows - rank);
      if (isShared) this.#share(rows - rank);
    }
    for (let i = 0; i < rows; i++) {
      const value = values[island.rows[i]!]!;
      if (value !== 0) this.#apply(i, value);
    }
  }

  /** Takes from multipliers what lies in the space of those that do nothing. */
  #shorten(nulls: number): void {
    const { values, island } = this;
    const { count: rows, rows: own, nulls: n } = island;
    const [normal, right] = [this.#normal, this.#right];
    for (let a = 0; a < nulls; a++) {
      right[a] = 0;
      for (let row = 0; row < rows; row++) right[a] = right[a]! + n[a * rows + row]! * values[own[row]!]!;
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let row = 0; row < rows; row++) sum += n[a * rows + row]! * n[b * rows + row]!;
        normal[a * nulls + b] = sum;
      }
    }
    choleskyOf(normal, nulls);
    choleskySolved(normal, nulls, right);
    for (let row = 0; row < rows; row++)
      for (let a = 0; a < nulls; a++) values[own[row]!] = values[own[row]!]! - right[a]! * n[a * rows + row]!;
  }

  /** Has points that touch share what is left open. */
  #share(nulls: number): void {
    const { values, island, closures } = this;
    const { count, rows } = island;
    const bearings: Bearing[] = [];
    for (let i = 0; i < count; i++) {
      const c = closures.closureOf[rows[i]!]!;
      if (i > 0 && c === closures.closureOf[rows[i - 1]!]) continue;
      const closure = closures.closures[c]!;
      if (closure.kind === 'touch') bearings.push({ touch: closure.touch, row: i });
    }
    if (bearings.length === 0) return;
    const own = Float64Array.from(rows.subarray(0, count), (row) => values[row]!);
    if (this.#isSkew) this.#shareSkew(own, nulls, bearings);
    else share(own, island.nulls, nulls, bearings);
    for (let i = 0; i < count; i++) values[rows[i]!] = own[i]!;
  }

  /** Forces that are not along rates: what can be added to them without a change of these rates is found from the matrix, and moves held joints as well. */
  #shareSkew(own: Float64Array, nulls: number, bearings: readonly Bearing[]): void {
    const { response } = this;
    const { order, rows } = this.island.factors;
    const { vAt } = this.#articulated.motion.tree;
    const [right, rank, unknown, size] = [this.#right, this.#rank, this.#unknown, this.#size];
    const free = new Float64Array(nulls * rows);
    const moves = new Float64Array(nulls * this.#holding);
    for (let a = 0; a < nulls; a++) {
      right.fill(0, 0, size);
      right[rank + a] = 1;
      this.#solve();
      for (let i = 0; i < unknown; i++) free[a * rows + order[i]!] = right[i]!;
      for (let i = unknown; i < size; i++) moves[a * this.#holding + i - unknown] = right[i]!;
    }
    const parts = share(own, free, nulls, bearings);
    if (!parts) return;
    for (let h = 0; h < this.#holding; h++)
      for (let a = 0; a < nulls; a++)
        response.a[vAt[this.#held[h]!]!]! += parts[a]! * moves[a * this.#holding + h]!;
  }

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
