/**
 * The rows of closures at a position.
 *
 * Each closure is some rows. A row has a residual g of positions (metres or radians; not for what only binds velocities), its rate as a
 * wrench on each of its two links, rate = a.(velocity of link a) + b.(velocity of link b), and the bias that the derivative of
 * the rate has beside accelerations. Wrenches and velocities are those of `Motion`: in world axes about P_k. Where g = 0, the
 * rate is its derivative; elsewhere, for orientations, it is the derivative of the angle about the same axis, which leads
 * Newton's method home from any angle.
 */
import { type Pose, placed } from '../space.ts';
import { type Closure, METRES, NONE, RADIANS, rowsOf } from './closure.ts';
import { column, cross, dot, rotationBetween } from './flat.ts';
import { Island, islandsOf } from './islands.ts';
import type { Motion } from './motion.ts';
import { A, arm, B, d, look, omega, sA, sB, uA, uB, wA, wB } from './sight.ts';
import { touchRows } from './touchrows.ts';
import { PRISMATIC, SCREW } from './tree.ts';

export class Closures {
  /** Rows of the closures. */
  count = 0;
  /** Most rows that there can be. */
  readonly most: number;
  /** Of each row: its closure, links a and b, the link below which these two branch, what its residual is in. */
  readonly closureOf: Int32Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly branch: Int32Array;
  readonly measure: Uint8Array;
  readonly residuals: Float64Array;
  readonly biases: Float64Array;
  /** Of each row 6. */
  readonly onA: Float64Array;
  readonly onB: Float64Array;
  /** Of each row 1 where its force is not along its rate; then its wrenches, of each row 6. */
  readonly skew: Uint8Array;
  readonly pushA: Float64Array;
  readonly pushB: Float64Array;
  /** How far from each other the numbers are that residuals are differences of. */
  size = 0;
  readonly islands: readonly Island[];
  /** Of each closure its island. */
  readonly #islandOf: readonly Island[];
  /** Of each closure 24: poses of A and B in moved frames, by rows and translation; of a locked joint its coordinate. */
  readonly #frames: Float64Array;
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #branch: Int32Array;
  #row = 0;

  constructor(
    readonly motion: Motion,
    public closures: readonly Closure[],
  ) {
    const { n, parent } = motion.tree;
    this.most = closures.reduce((sum, closure) => sum + rowsOf(closure), 0);
    this.closureOf = new Int32Array(this.most);
    this.a = new Int32Array(this.most);
    this.b = new Int32Array(this.most);
    this.branch = new Int32Array(this.most);
    this.measure = new Uint8Array(this.most);
    this.residuals = new Float64Array(this.most);
    this.biases = new Float64Array(this.most);
    this.onA = new Float64Array(6 * this.most);
    this.onB = new Float64Array(6 * this.most);
    this.skew = new Uint8Array(this.most);
    this.pushA = new Float64Array(6 * this.most);
    this.pushB = new Float64Array(6 * this.most);
    this.#frames = new Float64Array(24 * closures.length);
    const inTree = (k: number, of: number) => {
      if (!(Number.isInteger(k) && k >= -1 && k < n)) throw new Error(`closure ${of} has no link ${k}`);
      return k < 0 ? n : k;
    };
    this.#a = Int32Array.from(closures, (it, c) =>
      it.kind === 'locked' ? parent[inTree(it.link, c)]! : inTree(it.a, c),
    );
    this.#b = Int32Array.from(closures, (it, c) => inTree(it.kind === 'locked' ? it.link : it.b, c));
    this.#branch = this.#a.map((a, c) => this.#meeting(a, this.#b[c]!));
    [this.islands, this.#islandOf] = this.#divide();
    for (const closure of closures)
      if (closure.kind === 'locked') {
        const { link } = closure;
        if (motion.tree.kind[link]! > SCREW || motion.tree.driven[link])
          throw new Error(`link ${link} cannot be locked`);
      }
    this.renew(closures);
  }

  /** Of each closure its links; the number of links is the world. */
  ties(): { readonly a: number; readonly b: number }[] {
    return this.closures.map((_, c) => ({ a: this.#a[c]!, b: this.#b[c]! }));
  }

  /** The islands, and of each closure its own. */
  #divide(): [Island[], Island[]] {
    const { closures, motion } = this;
    const of = islandsOf(motion.tree, this.ties());
    const all = new Map<number, Island>();
    for (const first of new Set(of)) {
      const own = [...closures.keys()].filter((c) => of[c] === first);
      const links = own.flatMap((c) => [this.#a[c]!, this.#b[c]!]);
      const rows = own.map((c) => rowsOf(closures[c]!));
      all.set(first, new Island(motion.tree, links, rows));
    }
    return [[...all.values()], Array.from(of, (first) => all.get(first)!)];
  }

  /** The same closures in other places. */
  renew(closures: readonly Closure[]): void {
    this.closures = closures;
    closures.forEach((closure, c) => {
      if (closure.kind === 'locked') {
        this.#frames[24 * c] = closure.at ?? 0;
      } else {
        this.#store(24 * c, this.#a[c]!, closure.poseA);
        this.#store(24 * c + 12, this.#b[c]!, closure.poseB);
      }
    });
  }

  /** The last link that is on both ways to the world. */
  #meeting(a: number, b: number): number {
    const { n, parent } = this.motion.tree;
    // Parents come first; the world, which is last, is met at the end.
    const before = (k: number) => (k === n ? -1 : k);
    let [x, y] = [a, b];
    while (x !== y) {
      if (before(x) > before(y)) x = parent[x]!;
      else y = parent[y]!;
    }
    return x;
  }

  #store(at: number, k: number, pose: Pose): void {
    const { n, bodies } = this.motion.tree;
    const { rotation, translation } = k === n ? pose : placed(bodies[k]!, pose);
    this.#frames.set(rotation, at);
    this.#frames.set(translation, at + 9);
  }

  /** Marks the links on loops. */
  mark(looped: Uint8Array): void {
    const { parent } = this.motion.tree;
    looped.fill(0);
    for (let c = 0; c < this.closures.length; c++) {
      const branch = this.#branch[c]!;
      for (let k = this.#a[c]!; k !== branch; k = parent[k]!) looped[k] = 1;
      for (let k = this.#b[c]!; k !== branch; k = parent[k]!) looped[k] = 1;
    }
  }

  /** Rows of all closures, where `Motion` has been moved to; those of bodies that touch have biases only where these are wanted, because they take long. */
  evaluate(q: Float64Array, withBiases = false): void {
    this.#row = 0;
    this.size = 0;
    for (let c = 0; c < this.closures.length; c++) {
      this.#measure(this.#a[c]!, this.#branch[c]!);
      this.#measure(this.#b[c]!, this.#branch[c]!);
      this.#evaluate(c, q, withBiases);
    }
    this.count = this.#row;
    for (const island of this.islands) island.count = 0;
    for (let row = 0; row < this.count; row++) {
      const island = this.#islandOf[this.closureOf[row]!]!;
      island.rows[island.count++] = row;
    }
  }

  #evaluate(c: number, q: Float64Array, withBiases: boolean): void {
    const closure = this.closures[c]!;
    if (closure.kind === 'locked') {
      this.#lock(c, closure.link, q);
      return;
    }
    const size = look(this.motion, this.#a[c]!, this.#b[c]!, this.#frames, 24 * c);
    this.size = Math.max(this.size, size);
    switch (closure.kind) {
      case 'fixed':
        this.#places(c, 0, 3);
        this.#angles(c);
        return;
      case 'parallel':
        this.#angles(c);
        return;
      case 'revolute':
        this.#places(c, 0, 3);
        this.#tilts(c);
        return;
      case 'prismatic':
        this.#places(c, 0, 2);
        this.#angles(c);
        return;
      case 'screw':
        this.#places(c, 0, 2);
        this.#tilts(c);
        this.#thread(c, closure.pitch);
        return;
      case 'cylindrical':
        this.#places(c, 0, 2);
        this.#tilts(c);
        return;
      case 'spherical':
        this.#places(c, 0, 3);
        return;
      case 'universal':
        this.#places(c, 0, 3);
        this.#cross(c);
        return;
      case 'planar':
        this.#places(c, 2, 3);
        this.#tilts(c);
        return;
      case 'rod':
        this.#rod(c, closure.length);
        return;
      case 'rolling':
        this.#roll(c, closure.wheel, closure.radius);
        return;
      case 'touch':
        touchRows(this, c, closure.touch, withBiases);
    }
  }

  /** Ways between joints are among the numbers that residuals are differences of, also where they lead back to the origin. */
  #measure(link: number, branch: number): void {
    const { tree, arms } = this.motion;
    for (let k = link; k !== branch; k = tree.parent[k]!)
      for (let i = 3 * k; i < 3 * k + 3; i++) this.size = Math.max(this.size, Math.abs(arms[i]!));
  }

  /** A new row of closure c, without wrenches. */
  begin(c: number, residual: number, measure: number): number {
    const row = this.#row++;
    this.closureOf[row] = c;
    this.a[row] = this.#a[c]!;
    this.b[row] = this.#b[c]!;
    this.branch[row] = this.#branch[c]!;
    this.measure[row] = measure;
    this.residuals[row] = residual;
    this.biases[row] = 0;
    this.skew[row] = 0;
    this.onA.fill(0, 6 * row, 6 * row + 6);
    this.onB.fill(0, 6 * row, 6 * row + 6);
    return row;
  }

  /** Adds a force along e, at distances from P_a and P_b. */
  force(
    row: number,
    e: Float64Array,
    fromA: Float64Array,
    fromB: Float64Array,
    onA = this.onA,
    onB = this.onB,
  ): void {
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      onB[6 * row + i] = fromB[j]! * e[k]! - fromB[k]! * e[j]!;
      onB[6 * row + 3 + i] = e[i]!;
      onA[6 * row + i] = -(fromA[j]! * e[k]! - fromA[k]! * e[j]!);
      onA[6 * row + 3 + i] = -e[i]!;
    }
  }

  /** Adds a torque along e. */
  torque(row: number, e: Float64Array, by = 1): void {
    for (let i = 0; i < 3; i++) {
      this.onB[6 * row + i] = this.onB[6 * row + i]! + by * e[i]!;
      this.onA[6 * row + i] = this.onA[6 * row + i]! - by * e[i]!;
    }
  }

  /** The origin of B has no coordinate `from` to `to` in A. */
  #places(c: number, from: number, to: number): void {
    this.#drift();
    for (let axis = from; axis < to; axis++) {
      column(A, axis, e);
      const row = this.begin(c, dot(e, d), METRES);
      this.force(row, e, arm, sB);
      this.biases[row] = dot(e, drift);
    }
  }

  /** What the acceleration of B's origin, seen from A, has beside accelerations of links: `drift`; its velocity: `slip`. */
  #drift(): void {
    // w_B x (w_B x s_B) - w_A x (w_A x arm) - 2 w_A x slip, slip = u_B + w_B x s_B - u_A - w_A x arm
    cross(wB, sB, t);
    cross(wA, arm, r);
    for (let i = 0; i < 3; i++) slip[i] = uB[i]! + t[i]! - uA[i]! - r[i]!;
    cross(wB, t, drift);
    for (let i = 0; i < 3; i++) r[i] = r[i]! + 2 * slip[i]!;
    cross(wA, r, t);
    for (let i = 0; i < 3; i++) drift[i] = drift[i]! - t[i]!;
  }

  /** B has the orientation of A. */
  #angles(c: number): void {
    rotationBetween(A, B, phi);
    for (let axis = 0; axis < 3; axis++) {
      column(A, axis, e);
      this.#turning(this.begin(c, phi[axis]!, RADIANS));
    }
  }

  /** z of B is z of A. */
  #tilts(c: number): void {
    column(A, 2, t);
    column(B, 2, r);
    cross(t, r, phi);
    const sine = Math.hypot(phi[0]!, phi[1]!, phi[2]!);
    const angle = Math.atan2(sine, dot(t, r));
    // Upside down, any axis leads back.
    if (sine < 1e-9 && angle > 1) for (let i = 0; i < 3; i++) phi[i] = Math.PI * A[3 * i]!;
    else if (sine > 0) for (let i = 0; i < 3; i++) phi[i] = phi[i]! * (angle / sine);
    for (let axis = 0; axis < 2; axis++) {
      column(A, axis, e);
      this.#turning(this.begin(c, dot(e, phi), RADIANS));
    }
  }

  /** A row that binds turning about e of A. */
  #turning(row: number): void {
    this.torque(row, e);
    cross(wA, e, t);
    this.biases[row] = dot(omega, t);
  }

  /** x of A is at right angles to y of B. */
  #cross(c: number): void {
    column(A, 0, t);
    column(B, 1, r);
    const row = this.begin(c, dot(t, r), RADIANS);
    cross(r, t, e);
    this.torque(row, e);
    // omega . (w_B x y) x x + y x (w_A x x)
    cross(wB, r, s);
    cross(s, t, e);
    this.biases[row] = dot(omega, e);
    cross(wA, t, s);
    cross(r, s, e);
    this.biases[row] = this.biases[row]! + dot(omega, e);
  }

  /** B advances in A by the pitch for each radian; of all turns, those that fit best. */
  #thread(c: number, pitch: number): void {
    let angle = 0;
    let [sine, cosine] = [0, 0];
    for (let i = 0; i < 3; i++) {
      sine += A[3 * i + 1]! * B[3 * i]! - A[3 * i]! * B[3 * i + 1]!;
      cosine += A[3 * i]! * B[3 * i]! + A[3 * i + 1]! * B[3 * i + 1]!;
    }
    angle = Math.atan2(sine, cosine);
    column(A, 2, e);
    const along = dot(e, d);
    const turns = pitch === 0 ? 0 : Math.round((along / pitch - angle) / (2 * Math.PI));
    const row = this.begin(c, along - pitch * (angle + 2 * Math.PI * turns), METRES);
    this.#drift();
    this.force(row, e, arm, sB);
    this.torque(row, e, -pitch);
    cross(wA, e, t);
    this.biases[row] = dot(e, drift) - pitch * dot(omega, t);
  }

  /** Two points keep their distance. */
  #rod(c: number, length: number): void {
    const distance = Math.sqrt(dot(d, d));
    // Points that are one have no direction; any one leads them apart.
    if (distance > 0) for (let i = 0; i < 3; i++) e[i] = d[i]! / distance;
    else column(A, 2, e);
    const row = this.begin(c, distance - length, METRES);
    this.force(row, e, sA, sB);
    // e.(w_B x (w_B x s_B) - w_A x (w_A x s_A)) + (square of the velocity across e) / distance
    cross(wB, sB, t);
    cross(wA, sA, r);
    for (let i = 0; i < 3; i++) slip[i] = uB[i]! + t[i]! - uA[i]! - r[i]!;
    cross(wB, t, drift);
    cross(wA, r, t);
    const along = dot(e, slip);
    this.biases[row] =
      dot(e, drift) - dot(e, t) + (dot(slip, slip) - along * along) / Math.max(distance, Number.MIN_VALUE);
  }

  /** The lowest point of a wheel is on the plane and does not slip; s goes from its centre to that point. */
  #roll(c: number, wheel: 'sphere' | 'disc', radius: number): void {
    column(A, 2, e);
    if (wheel === 'sphere') {
      cross(wA, e, t);
      for (let i = 0; i < 3; i++) {
        s[i] = -radius * e[i]!;
        rate[i] = -radius * t[i]!;
      }
    } else this.#rim(radius);
    // From P_a and P_b to the point, and how fast it moves past the centre.
    for (let i = 0; i < 3; i++) {
      arm[i] = arm[i]! + s[i]!;
      phi[i] = sB[i]! + s[i]!;
    }
    cross(wB, phi, t);
    cross(wA, arm, r);
    for (let i = 0; i < 3; i++) slip[i] = uB[i]! + t[i]! - uA[i]! - r[i]!;
    // w_B x (w_B x s_B + s') - w_A x (u_B + w_B x s_B + s' - u_A)
    cross(wB, sB, t);
    for (let i = 0; i < 3; i++) {
      t[i] = t[i]! + rate[i]!;
      r[i] = uB[i]! + t[i]! - uA[i]!;
    }
    cross(wB, t, drift);
    cross(wA, r, t);
    for (let i = 0; i < 3; i++) drift[i] = drift[i]! - t[i]!;
    const height = dot(e, d) + dot(e, s);
    for (let axis = 0; axis < 3; axis++) {
      column(A, axis, e);
      const row = this.begin(c, axis === 2 ? height : 0, axis === 2 ? METRES : NONE);
      this.force(row, e, arm, phi);
      cross(wA, e, t);
      this.biases[row] = dot(e, drift) + dot(t, slip);
    }
  }

  /** The lowest point of a disc about z of B: against the part of the normal that lies in it. */
  #rim(radius: number): void {
    column(B, 2, t);
    const along = dot(e, t);
    cross(wA, e, r);
    cross(wB, t, phi);
    const change = dot(r, t) + dot(e, phi);
    let [square, product] = [0, 0];
    for (let i = 0; i < 3; i++) {
      s[i] = e[i]! - along * t[i]!;
      rate[i] = r[i]! - change * t[i]! - along * phi[i]!;
      square += s[i]! * s[i]!;
      product += s[i]! * rate[i]!;
    }
    const length = Math.sqrt(square);
    for (let i = 0; i < 3; i++) {
      rate[i] = (-radius * (rate[i]! - (product / square) * s[i]!)) / length;
      s[i] = (-radius * s[i]!) / length;
    }
  }

  /** The coordinate of a joint. */
  #lock(c: number, k: number, q: Float64Array): void {
    const { tree, frames, arms, velocities } = this.motion;
    const row = this.begin(
      c,
      q[tree.qAt[k]!]! - this.#frames[24 * c]!,
      tree.kind[k] === PRISMATIC ? METRES : RADIANS,
    );
    const parent = tree.parent[k]!;
    column(frames, 2, e, 9 * k);
    if (tree.kind[k] !== PRISMATIC) {
      this.torque(row, e);
      return;
    }
    for (let i = 0; i < 3; i++) {
      arm[i] = arms[3 * k + i]!;
      wA[i] = velocities[6 * parent + i]!;
    }
    this.force(row, e, arm, zero);
    cross(wA, arm, t);
    cross(wA, t, r);
    this.biases[row] = -dot(e, r);
  }
}

const slip = new Float64Array(3);
const drift = new Float64Array(3);
const e = new Float64Array(3);
const phi = new Float64Array(3);
const s = new Float64Array(3);
const rate = new Float64Array(3);
const zero: Float64Array = new Float64Array(3);
const t = new Float64Array(3);
const r = new Float64Array(3);
