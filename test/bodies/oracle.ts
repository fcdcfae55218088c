/**
 * Bodies by the book, to compare with: each has six degrees of freedom, joints and all else that holds are rows of constraints between them, multipliers
 * come from one dense system, motion from the classical method of Runge and Kutta. Nothing of it is shared with `src/bodies/dynamics`.
 */
import {
  applied,
  cross,
  dot,
  inverse,
  type Matrix,
  matrixOf,
  minus,
  norm,
  type Pose,
  placed,
  plus,
  product,
  type Quaternion,
  quaternionOf,
  scaled,
  transposed,
  type Vector,
  zero,
} from '../../src/bodies/space.ts';

/** How a point or frame moves, in the world. */
export interface Moving extends Pose {
  readonly velocity: Vector;
  readonly angular: Vector;
}

export const still: Moving = {
  translation: zero,
  rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  velocity: zero,
  angular: zero,
};

/** A body; its frame lies in its centre of mass. */
export interface OracleBody {
  readonly mass: number;
  readonly inertia: Matrix;
  readonly start: Moving;
}

/** A frame in a body; -1: the world. */
export interface Mark {
  readonly body: number;
  readonly pose: Pose;
}

/** What stays between two frames, as directions in the first: of points that do not part, of turning that does not happen. */
export type Bond =
  | { readonly kind: 'directions'; readonly points: readonly Vector[]; readonly turns: readonly Vector[] }
  /** It advances along an axis as it turns about it, besides. */
  | { readonly kind: 'thread'; readonly axis: Vector; readonly pitch: number }
  /** An axis of the second stays at right angles to one of the first. */
  | { readonly kind: 'crossed'; readonly first: Vector; readonly second: Vector }
  /** A ball about the second frame rolls on the plane of the first. */
  | { readonly kind: 'rolling'; readonly normal: Vector; readonly radius: number }
  /** A rotor turns, or moves, `ratio` times as fast as the second frame about, or along, an axis. */
  | {
      readonly kind: 'geared';
      readonly axis: Vector;
      readonly turns: boolean;
      readonly ratio: number;
      readonly rotor: number;
    };

export interface Constraint {
  readonly a: Mark;
  readonly b: Mark;
  readonly bonds: readonly Bond[];
}

export const axes: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
export const rigid: Bond = { kind: 'directions', points: axes, turns: axes };

/** A row: it times speeds is zero, and it times accelerations is minus the bias. */
interface Row {
  readonly factors: Float64Array;
  bias: number;
}

/** Numbers of a body among states: place of the centre, quaternion, velocity, angular velocity. */
const perBody = 13;

export class Oracle {
  /** States of bodies, then of rotors: angle and speed. */
  y: Float64Array;
  constraints: readonly Constraint[] = [];
  /** Forces of motors on rotors. */
  forces: Float64Array;
  private readonly n: number;

  constructor(
    private readonly bodies: readonly OracleBody[],
    /** Inertias. */
    private readonly rotors: readonly number[],
    speeds: readonly number[],
    private readonly gravity: Vector,
  ) {
    this.n = 6 * bodies.length + rotors.length;
    this.y = Float64Array.from([
      ...bodies.flatMap(({ start: { translation, rotation, velocity, angular } }) => [
        ...translation,
        ...quaternionOf(rotation),
        ...velocity,
        ...angular,
      ]),
      ...speeds.flatMap((speed) => [0, speed]),
    ]);
    this.forces = new Float64Array(rotors.length);
  }

  /** A frame, now or at other states. */
  at({ body, pose }: Mark, y = this.y): Moving & { readonly arm: Vector } {
    if (body < 0) return { ...pose, velocity: zero, angular: zero, arm: zero };
    const own = this.bodyAt(body, y);
    const arm = applied(own.rotation, pose.translation);
    return {
      translation: plus(own.translation, arm),
      rotation: product(own.rotation, pose.rotation),
      velocity: plus(own.velocity, cross(own.angular, arm)),
      angular: own.angular,
      arm,
    };
  }

  private bodyAt(body: number, y: Float64Array): Moving {
    const at = (i: number) => y[perBody * body + i]!;
    const q: Quaternion = [at(3), at(4), at(5), at(6)];
    const length = Math.hypot(...q);
    return {
      translation: [at(0), at(1), at(2)],
      rotation: matrixOf(q.map((x) => x / length) as unknown as Quaternion),
      velocity: [at(7), at(8), at(9)],
      angular: [at(10), at(11), at(12)],
    };
  }

  /** Changes the speeds of a body. */
  move(body: number, velocity: Vector, angular: Vector): void {
    for (let i = 0; i < 3; i++) {
      this.y[perBody * body + 7 + i]! += velocity[i]!;
      this.y[perBody * body + 10 + i]! += angular[i]!;
    }
  }

  speed(rotor: number): number {
    return this.y[perBody * this.bodies.length + 2 * rotor + 1]!;
  }

  turn(rotor: number, by: number): void {
    this.y[perBody * this.bodies.length + 2 * rotor + 1]! += by;
  }

  get fastest(): number {
    return Math.max(...this.bodies.map((_, k) => norm(this.bodyAt(k, this.y).velocity)));
  }

  // -------------------------------------------------------------- constraints

  private rows(y: Float64Array): Row[] {
    return this.constraints.flatMap(({ a, b, bonds }) => {
      const [first, second] = [this.at(a, y), this.at(b, y)];
      return bonds.flatMap((bond) => this.rowsOf(bond, a.body, b.body, first, second));
    });
  }

  private rowsOf(
    bond: Bond,
    a: number,
    b: number,
    first: ReturnType<Oracle['at']>,
    second: ReturnType<Oracle['at']>,
  ): Row[] {
    const apart = minus(second.translation, first.translation);
    const turning = minus(second.angular, first.angular);
    // The point of the first body that is where the second frame is.
    const reach = a < 0 ? zero : plus(first.arm, apart);
    const slip = minus(second.velocity, plus(first.velocity, cross(first.angular, apart)));
    const put = (row: Row, body: number, at: number, values: Vector, sign: number) => {
      if (body >= 0) for (let i = 0; i < 3; i++) row.factors[6 * body + at + i]! += sign * values[i]!;
    };
    const blank = (): Row => ({ factors: new Float64Array(this.n), bias: 0 });
    const inward = (w: Vector, arm: Vector) => cross(w, cross(w, arm));
    const point = (direction: Vector): Row => {
      const row = blank();
      put(row, b, 0, direction, 1);
      put(row, b, 3, cross(second.arm, direction), 1);
      put(row, a, 0, direction, -1);
      put(row, a, 3, cross(reach, direction), -1);
      const own = minus(inward(second.angular, second.arm), inward(first.angular, reach));
      row.bias = dot(direction, minus(own, scaled(2, cross(first.angular, slip))));
      return row;
    };
    const turn = (direction: Vector, rate = cross(first.angular, direction)): Row => {
      const row = blank();
      put(row, b, 3, direction, 1);
      put(row, a, 3, direction, -1);
      row.bias = dot(rate, turning);
      return row;
    };
    const inWorld = (direction: Vector) => applied(first.rotation, direction);
    const combined = (row: Row, other: Row, by: number): Row => {
      for (let i = 0; i < this.n; i++) row.factors[i]! += by * other.factors[i]!;
      row.bias += by * other.bias;
      return row;
    };
    switch (bond.kind) {
      case 'directions':
        return [
          ...bond.points.map((direction) => point(inWorld(direction))),
          ...bond.turns.map((direction) => turn(inWorld(direction))),
        ];
      case 'thread': {
        const axis = inWorld(bond.axis);
        return [combined(point(axis), turn(axis), -bond.pitch)];
      }
      case 'crossed': {
        const [u, v] = [inWorld(bond.first), applied(second.rotation, bond.second)];
        const rate = plus(cross(cross(first.angular, u), v), cross(u, cross(second.angular, v)));
        return [turn(cross(u, v), rate)];
      }
      case 'rolling': {
        const down = scaled(-bond.radius, inWorld(bond.normal));
        return axes.map((direction) => {
          const row = blank();
          put(row, b, 0, direction, 1);
          put(row, b, 3, cross(plus(second.arm, down), direction), 1);
          row.bias = dot(direction, inward(second.angular, second.arm));
          return row;
        });
      }
      case 'geared': {
        const axis = inWorld(bond.axis);
        const row = bond.turns ? turn(axis) : point(axis);
        for (let i = 0; i < this.n; i++) row.factors[i]! *= bond.ratio;
        row.bias *= bond.ratio;
        row.factors[6 * this.bodies.length + bond.rotor]! -= 1;
        return [row];
      }
    }
  }

  // -------------------------------------------------------------- dynamics

  /** By body: inertia about the centre along the axes of the world. */
  private inertias(y: Float64Array): Matrix[] {
    return this.bodies.map(({ inertia }, k) => {
      const { rotation } = this.bodyAt(k, y);
      return product(product(rotation, inertia), transposed(rotation));
    });
  }

  /** Forces by inertia. */
  private lightened(forces: Float64Array, inverses: readonly Matrix[]): Float64Array {
    const out = new Float64Array(this.n);
    for (const [k, { mass }] of this.bodies.entries()) {
      const at = 6 * k;
      for (let i = 0; i < 3; i++) {
        out[at + i] = forces[at + i]! / mass;
        for (let j = 0; j < 3; j++) out[at + 3 + i]! += inverses[k]![3 * i + j]! * forces[at + 3 + j]!;
      }
    }
    const first = 6 * this.bodies.length;
    for (const [k, inertia] of this.rotors.entries()) out[first + k] = forces[first + k]! / inertia;
    return out;
  }

  /** Adds what multipliers do so that rows times `of`, with biases or not, are zero. */
  private bind(of: Float64Array, y: Float64Array, inverses: readonly Matrix[], withBias: boolean): void {
    const rows = this.rows(y);
    const answers = rows.map(({ factors }) => this.lightened(factors, inverses));
    const matrix = rows.map(({ factors }) => Float64Array.from(answers, (answer) => times(factors, answer)));
    const right = Float64Array.from(rows, ({ factors, bias }) => -times(factors, of) - (withBias ? bias : 0));
    const multipliers = solved(matrix, right);
    for (const [k, answer] of answers.entries())
      for (let i = 0; i < of.length; i++) of[i]! += multipliers[k]! * answer[i]!;
  }

  private slopes(y: Float64Array): Float64Array {
    const inertias = this.inertias(y);
    const inverses = inertias.map(inverted);
    const forces = new Float64Array(this.n);
    for (const [k, { mass }] of this.bodies.entries()) {
      const { angular } = this.bodyAt(k, y);
      const gyro = cross(angular, applied(inertias[k]!, angular));
      for (let i = 0; i < 3; i++) {
        forces[6 * k + i] = mass * this.gravity[i]!;
        forces[6 * k + 3 + i] = -gyro[i]!;
      }
    }
    forces.set(this.forces, 6 * this.bodies.length);
    const a = this.lightened(forces, inverses);
    this.bind(a, y, inverses, true);
    const out = new Float64Array(y.length);
    for (const k of this.bodies.keys()) {
      const at = perBody * k;
      for (let i = 0; i < 3; i++) {
        out[at + i] = y[at + 7 + i]!;
        out[at + 7 + i] = a[6 * k + i]!;
        out[at + 10 + i] = a[6 * k + 3 + i]!;
      }
      const [w, x, v, z] = y.subarray(at + 3, at + 7) as unknown as Quaternion;
      const [p, q, r] = y.subarray(at + 10, at + 13) as unknown as Vector;
      out[at + 3] = (-p * x - q * v - r * z) / 2;
      out[at + 4] = (p * w + q * z - r * v) / 2;
      out[at + 5] = (q * w + r * x - p * z) / 2;
      out[at + 6] = (r * w + p * v - q * x) / 2;
    }
    const first = perBody * this.bodies.length;
    for (const k of this.rotors.keys()) {
      out[first + 2 * k] = y[first + 2 * k + 1]!;
      out[first + 2 * k + 1] = a[6 * this.bodies.length + k]!;
    }
    return out;
  }

  /** Goes on for so long, in steps of about `h`. */
  run(duration: number, h: number): void {
    const steps = Math.max(1, Math.round(duration / h));
    const dt = duration / steps;
    const moved = (y: Float64Array, by: number, slope: Float64Array) =>
      y.map((value, i) => value + by * slope[i]!);
    for (let step = 0; step < steps; step++) {
      const { y } = this;
      const k1 = this.slopes(y);
      const k2 = this.slopes(moved(y, dt / 2, k1));
      const k3 = this.slopes(moved(y, dt / 2, k2));
      const k4 = this.slopes(moved(y, dt, k3));
      this.y = y.map((value, i) => value + (dt / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
    }
  }

  /** Constraints take, by impulses, the speeds that they do not allow. */
  strike(): void {
    const { y, bodies } = this;
    const speeds = new Float64Array(this.n);
    const place = (i: number) => {
      const k = Math.floor(i / 6);
      if (k < bodies.length) return perBody * k + 7 + (i % 6);
      return perBody * bodies.length + 2 * (i - 6 * bodies.length) + 1;
    };
    for (let i = 0; i < this.n; i++) speeds[i] = y[place(i)]!;
    this.bind(speeds, y, this.inertias(y).map(inverted), false);
    for (let i = 0; i < this.n; i++) y[place(i)] = speeds[i]!;
  }
}

/** The frame B of a mark that is carried by A, moving against it as said, along the axes of A. */
export function carried(a: Moving, by: Moving): Moving {
  const arm = applied(a.rotation, by.translation);
  return {
    ...placed(a, by),
    velocity: plus(plus(a.velocity, cross(a.angular, arm)), applied(a.rotation, by.velocity)),
    angular: plus(a.angular, applied(a.rotation, by.angular)),
  };
}

/** The other way round: A from B. */
export function carrying(b: Moving, by: Moving): Moving {
  const pose = placed(b, inverse(by));
  const angular = minus(b.angular, applied(pose.rotation, by.angular));
  const arm = applied(pose.rotation, by.translation);
  const velocity = minus(minus(b.velocity, cross(angular, arm)), applied(pose.rotation, by.velocity));
  return { ...pose, angular, velocity };
}

function times(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Pivots below this share of the first are none: rows may depend on each other. */
const dependent = 1e-11;

/** A solution of a symmetric system that has one, by elimination with the largest pivots of the diagonal. */
function solved(matrix: Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const order = Array.from({ length: n }, (_, i) => i);
  let first = 0;
  let rank = 0;
  for (; rank < n; rank++) {
    let best = rank;
    for (let k = rank; k < n; k++)
      if (matrix[order[k]!]![order[k]!]! > matrix[order[best]!]![order[best]!]!) best = k;
    [order[rank], order[best]] = [order[best]!, order[rank]!];
    const own = order[rank]!;
    const pivot = matrix[own]![own]!;
    if (rank === 0) first = pivot;
    if (!(pivot > dependent * first)) break;
    for (let k = rank + 1; k < n; k++) {
      const i = order[k]!;
      const factor = matrix[i]![own]! / pivot;
      if (factor === 0) continue;
      for (let l = rank + 1; l < n; l++) matrix[i]![order[l]!]! -= factor * matrix[own]![order[l]!]!;
      right[i]! -= factor * right[own]!;
    }
  }
  const x = new Float64Array(n);
  for (let k = rank - 1; k >= 0; k--) {
    const own = order[k]!;
    let sum = right[own]!;
    for (let l = k + 1; l < rank; l++) sum -= matrix[own]![order[l]!]! * x[order[l]!]!;
    x[own] = sum / matrix[own]![own]!;
  }
  return x;
}

function inverted([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const cofactors = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  return cofactors.map((value) => value / determinant) as unknown as Matrix;
}
