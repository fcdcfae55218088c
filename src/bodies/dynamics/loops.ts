/**
 * Mechanisms with loops: coordinates and speeds that satisfy all closures. Rows of closures may depend on each other, in planar
 * loops of revolute joints always: `Factors` picks independent ones.
 */
import { METRES } from './closure.ts';
import type { Island } from './islands.ts';
import { choleskyOf, choleskySolved } from './linear.ts';
import type { Motion } from './motion.ts';
import type { Closures } from './rows.ts';
import { FREE, PRISMATIC, SCREW, type Tree } from './tree.ts';

/** A row of the Jacobian depends on others where less than this remains of it. */
const DEPENDENT = 1e-8;
/** Rows are unit forces and torques: where the longest is this much shorter than the mechanism, it may be rounding. */
const SLIGHT = 1e-4;
/** Residuals that are rounding, in radians, and relative to the size of the loops; no size is smaller than the least. */
const CLOSED = 1e-13;
const LEAST = 1e-3;
/** Residuals may be so much larger where a step does not make them smaller, and where none does: lengths that cancel leave their rounding. */
const NEARLY = 100;
const STUCK = 1e4;
const ITERATIONS = 100;

export class Loops {
  /**
   * After `close`: the closure that is farthest from being satisfied where it failed, or -1, by how much, and whether this is an
   * angle or a length.
   */
  open = -1;
  residual = 0;
  isAngle = false;
  /** The residual as a multiple of what is allowed. */
  #excess = 0;
  /**
   * After `factor`: of each driven joint (order of `Tree.drives`) 1, where closures bind its motion, alone or with other driven
   * ones.
   */
  readonly tied: Uint8Array;
  /** After `factor`: of each closure 1, where its multipliers are not unique. */
  readonly ambiguous: Uint8Array;
  readonly #motion: Motion;
  /** Rows of closures against all speeds, and against those of free joints. */
  readonly jacobian: Float64Array;
  readonly #free: Float64Array;
  readonly #gram: Float64Array;
  readonly #right: Float64Array;
  readonly #step: Float64Array;
  /** 1 where a speed of free joints is an angular one. */
  readonly #angular: Uint8Array;
  readonly #kept: Float64Array;
  readonly #wrench = new Float64Array(6);

  constructor(readonly closures: Closures) {
    this.#motion = closures.motion;
    const { nq, nv, freeSpeeds, drives } = this.#motion.tree;
    const { most } = closures;
    this.tied = new Uint8Array(drives.length);
    this.ambiguous = new Uint8Array(closures.closures.length);
    this.jacobian = new Float64Array(most * nv);
    this.#free = new Float64Array(most * freeSpeeds.length);
    this.#gram = new Float64Array(most * most);
    this.#right = new Float64Array(most);
    this.#step = new Float64Array(freeSpeeds.length);
    this.#angular = angularOf(this.#motion.tree);
    this.#kept = new Float64Array(nq);
  }

  /**
   * Changes coordinates of free joints, as little as possible, until all closures are satisfied: Levenberg and Marquardt,
   * damped by the square of the residual, so that rows that depend on each other are harmless (J. Fan, Y. Yuan, 2005). False:
   * they cannot be; see `open`.
   */
  close(q: Float64Array, v: Float64Array): boolean {
    const motion = this.#motion;
    this.#normalise(q);
    motion.move(q, v);
    this.closures.evaluate(q);
    let norm = this.#look();
    let damping = 1;
    let fresh = false;
    for (let iteration = 0; this.#excess > 1; iteration++) {
      if (iteration === ITERATIONS || !Number.isFinite(norm)) return false;
      if (!fresh) {
        this.#differentiate();
        this.#multiply(damping, norm);
        fresh = true;
      }
      const angle = this.#descend();
      this.#kept.set(q);
      this.#move(q, angle > 1 ? 1 / angle : 1);
      motion.move(q, v);
      this.closures.evaluate(q);
      const before = norm;
      norm = this.#look();
      if (norm < before) {
        // One Jacobian serves as long as it leads on fast; residuals are squares.
        if (norm > 1e-4 * before) {
          fresh = false;
          damping = Math.max(damping / 4, 1e-6);
        }
        continue;
      }
      q.set(this.#kept);
      motion.move(q, v);
      this.closures.evaluate(q);
      norm = this.#look();
      // Rounding lets no step lead on.
      if (this.#excess <= (damping > 1e12 ? STUCK : NEARLY)) break;
      if (damping > 1e12) return false;
      fresh = false;
      damping *= damping < 1 ? 100 : 10;
    }
    this.open = -1;
    return true;
  }

  /** Sum of squares of residuals; the largest one is kept in `residual`, its closure in `open`. */
  #look(): number {
    const { count, residuals, measure, closureOf, size } = this.closures;
    let sum = 0;
    this.residual = 0;
    this.#excess = 0;
    this.open = -1;
    for (let row = 0; row < count; row++) {
      if (!measure[row]) continue;
      const g = residuals[row]!;
      sum += g * g;
      const allowed = CLOSED * (measure[row] === METRES ? Math.max(size, LEAST) : 1);
      const excess = Number.isNaN(g) ? Number.POSITIVE_INFINITY : Math.abs(g) / allowed;
      if (excess > this.#excess) {
        this.#excess = excess;
        this.residual = Math.abs(g);
        this.isAngle = measure[row] !== METRES;
        this.open = closureOf[row]!;
      }
    }
    return sum;
  }

  /** Rows against speeds: each wrench goes to the world, past all joints on its way, as far as both ways differ. */
  #differentiate(): void {
    const { closures } = this;
    const { nv, freeSpeeds } = this.#motion.tree;
    const jacobian = this.jacobian;
    jacobian.fill(0, 0, closures.count * nv);
    for (let row = 0; row < closures.count; row++) {
      const branch = closures.branch[row]!;
      this.#along(row * nv, closures.a[row]!, branch, closures.onA, row);
      this.#along(row * nv, closures.b[row]!, branch, closures.onB, row);
    }
    const width = freeSpeeds.length;
    for (let row = 0; row < closures.count; row++)
      for (let i = 0; i < width; i++) this.#free[row * width + i] = jacobian[row * nv + freeSpeeds[i]!]!;
  }

  #along(into: number, from: number, to: number, wrenches: Float64Array, row: number): void {
    const { tree, frames, joints, arms } = this.#motion;
    const { parent, kind, turn, advance, vAt } = tree;
    const [jacobian, w] = [this.jacobian, this.#wrench];
    for (let i = 0; i < 6; i++) w[i] = wrenches[6 * row + i]!;
    for (let k = from; k !== to; k = parent[k]!) {
      const of = kind[k]!;
      const i = into + vAt[k]!;
      const f = 9 * k;
      if (of <= SCREW) {
        const [x, y, z] = [frames[f + 2]!, frames[f + 5]!, frames[f + 8]!];
        let sum = advance[k]! * (x * w[3]! + y * w[4]! + z * w[5]!);
        if (of !== PRISMATIC) sum += turn[k]! * (x * w[0]! + y * w[1]! + z * w[2]!);
        jacobian[i] = jacobian[i]! + sum;
      } else {
        const angular = of === FREE ? i + 3 : i;
        for (let c = 0; c < 3; c++) {
          const [x, y, z] = [joints[f + c]!, joints[f + 3 + c]!, joints[f + 6 + c]!];
          if (of === FREE) jacobian[i + c] = jacobian[i + c]! + x * w[3]! + y * w[4]! + z * w[5]!;
          jacobian[angular + c] = jacobian[angular + c]! + x * w[0]! + y * w[1]! + z * w[2]!;
        }
      }
      const [rx, ry, rz] = [arms[3 * k]!, arms[3 * k + 1]!, arms[3 * k + 2]!];
      w[0] = w[0]! + ry * w[5]! - rz * w[4]!;
      w[1] = w[1]! + rz * w[3]! - rx * w[5]!;
      w[2] = w[2]! + rx * w[4]! - ry * w[3]!;
    }
  }

  /**
   * The factor of J J' and some damping, of rows that bind positions. Far away, where the residual is large against all that J
   * could reach, its square would be too much.
   */
  #multiply(damping: number, norm: number): void {
    const { count, measure } = this.closures;
    const width = this.#step.length;
    const [gram, j] = [this.#gram, this.#free];
    let trace = 0;
    gram.fill(0, 0, count * count);
    for (const { rows, count: own, columns } of this.closures.islands)
      for (let r = 0; r < own; r++)
        for (let s = 0; s <= r; s++) {
          const [a, b] = [rows[r]!, rows[s]!];
          if (!(measure[a] && measure[b])) continue;
          let sum = 0;
          for (let i = 0; i < columns.length; i++)
            sum += j[a * width + columns[i]!]! * j[b * width + columns[i]!]!;
          gram[a * count + b] = sum;
          if (a === b) trace += sum;
        }
    const least = Math.max(damping * Math.min(norm, 0.01 * trace), 1e-15 * trace, Number.MIN_VALUE);
    for (let a = 0; a < count; a++) gram[a * count + a] = gram[a * count + a]! + least;
    choleskyOf(gram, count);
  }

  /** The step against the residuals; gives its largest angle. */
  #descend(): number {
    const { count, residuals, measure } = this.closures;
    const [right, step, j] = [this.#right, this.#step, this.#free];
    const width = step.length;
    for (let row = 0; row < count; row++) right[row] = measure[row] ? -residuals[row]! : 0;
    choleskySolved(this.#gram, count, right);
    let angle = 0;
    for (let i = 0; i < width; i++) {
      let sum = 0;
      for (let row = 0; row < count; row++) if (measure[row]) sum += j[row * width + i]! * right[row]!;
      step[i] = sum;
      if (this.#angular[i]) angle = Math.max(angle, Math.abs(sum));
    }
    return angle;
  }

  /** Coordinates after a part of the step. */
  #move(q: Float64Array, part: number): void {
    const { n, kind, driven, qAt } = this.#motion.tree;
    const step = this.#step;
    let i = 0;
    for (let k = 0; k < n; k++) {
      if (driven[k]) continue;
      let p = qAt[k]!;
      if (kind[k]! <= SCREW) {
        q[p] = q[p]! + part * step[i++]!;
        continue;
      }
      if (kind[k] === FREE) for (let end = p + 3; p < end; p++) q[p] = q[p]! + part * step[i++]!;
      const [x, y, z] = [(part * step[i]!) / 2, (part * step[i + 1]!) / 2, (part * step[i + 2]!) / 2];
      const [a, b, c, d] = [q[p]!, q[p + 1]!, q[p + 2]!, q[p + 3]!];
      q[p] = a - x * b - y * c - z * d;
      q[p + 1] = b + x * a + y * d - z * c;
      q[p + 2] = c + y * a + z * b - x * d;
      q[p + 3] = d + z * a + x * c - y * b;
      i += 3;
    }
    this.#normalise(q);
  }

  #normalise(q: Float64Array): void {
    const { n, kind, qAt } = this.#motion.tree;
    for (let k = 0; k < n; k++) {
      if (kind[k]! <= SCREW) continue;
      const p = qAt[k + 1]! - 4;
      const length = Math.hypot(q[p]!, q[p + 1]!, q[p + 2]!, q[p + 3]!);
      for (let i = p; i < p + 4; i++) q[i] = q[i]! / length;
    }
  }

  /**
   * Which rows of `Closures` are independent, and what that means for driven joints and multipliers; after these have been
   * evaluated.
   */
  factor(): void {
    const { closures } = this;
    const { islands } = closures;
    const width = this.#step.length;
    this.#differentiate();
    this.tied.fill(0);
    this.ambiguous.fill(0);
    let longest = SLIGHT * Math.max(1, closures.size);
    for (let row = 0; row < closures.count; row++) {
      let square = 0;
      for (let i = row * width; i < (row + 1) * width; i++) square += this.#free[i]! ** 2;
      longest = Math.max(longest, Math.sqrt(square));
    }
    for (const island of islands) {
      island.factor(this.#free, width, DEPENDENT, longest);
      for (let which = 0; which < island.count - island.factors.rank; which++) this.#note(island, which);
    }
  }

  /** What a combination of rows that is zero means for multipliers, and for driven joints, which it should not bind. */
  #note({ nulls, rows, count }: Island, which: number): void {
    const { closures, jacobian } = this;
    const { drives, vAt, nv } = this.#motion.tree;
    const at = which * count;
    for (let i = 0; i < count; i++)
      if (Math.abs(nulls[at + i]!) > DEPENDENT) this.ambiguous[closures.closureOf[rows[i]!]!] = 1;
    if (drives.length === 0) return;
    let largest = 0;
    for (let i = 0; i < closures.count * nv; i++) largest = Math.max(largest, Math.abs(jacobian[i]!));
    for (let d = 0; d < drives.length; d++) {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += nulls[at + i]! * jacobian[rows[i]! * nv + vAt[drives[d]!]!]!;
      if (Math.abs(sum) > 10 * DEPENDENT * largest) this.tied[d] = 1;
    }
  }

  /** After `factor`: the length of the row that is left least of, relative to the longest. */
  get weakest(): number {
    return Math.min(1, ...this.closures.islands.map(({ factors }) => factors.weakest));
  }

  /** After `factor`: of each combination of rows that is zero, the closures that take more than this part in it. */
  combinations(part: number): Set<number>[] {
    const { closureOf, islands } = this.closures;
    const found: Set<number>[] = [];
    for (const { nulls, rows, count, factors } of islands)
      for (let which = 0; which < count - factors.rank; which++) {
        const involved = new Set<number>();
        for (let i = 0; i < count; i++)
          if (Math.abs(nulls[which * count + i]!) > part) involved.add(closureOf[rows[i]!]!);
        found.push(involved);
      }
    return found;
  }

  /** Changes speeds of free joints, as little as possible, until they satisfy closures; after `factor`. */
  align(v: Float64Array): void {
    const { closures } = this;
    const { nv, freeSpeeds } = this.#motion.tree;
    for (let row = 0; row < closures.count; row++) {
      let sum = 0;
      for (let i = 0; i < nv; i++) sum -= this.jacobian[row * nv + i]! * v[i]!;
      this.#right[row] = sum;
    }
    this.#step.fill(0);
    for (const island of closures.islands) island.shortest(this.#right, this.#step);
    for (let i = 0; i < freeSpeeds.length; i++) v[freeSpeeds[i]!] = v[freeSpeeds[i]!]! + this.#step[i]!;
  }
}

function angularOf({ n, kind, vAt, freeSpeeds }: Tree): Uint8Array {
  const angular = new Uint8Array(vAt[n]!);
  for (let k = 0; k < n; k++) {
    if (kind[k] === PRISMATIC) continue;
    angular.fill(1, kind[k] === FREE ? vAt[k]! + 3 : vAt[k]!, vAt[k + 1]!);
  }
  return Uint8Array.from(freeSpeeds, (i) => angular[i]!);
}
