/**
 * Newton and Euler for every body of a mechanism and every constraint of its joints, as one dense linear system. Unknown are accelerations of
 * all bodies (angular, of the origin), wrenches in all joints, and accelerations of all joints. Closures are wrenches from outside.
 */
import type { Mechanism } from '../../../src/bodies/dynamics/mechanism.ts';
import {
  applied,
  cross,
  dot,
  type Matrix,
  minus,
  plus,
  product,
  scaled,
  transposed,
  type Vector,
} from '../../../src/bodies/space.ts';

export interface Dense {
  readonly a: number[];
  readonly tau: number[];
  /** Of each link: torque and force of its joint on its body, about the origin of the moved frame, world axes. */
  readonly reactions: number[][];
  /** Of each body: angular, of its origin. */
  readonly accelerations: number[][];
}

export const three = (from: ArrayLike<number>, k: number): Vector => [
  from[3 * k]!,
  from[3 * k + 1]!,
  from[3 * k + 2]!,
];
export const nine = (from: ArrayLike<number>, k: number): Matrix =>
  Array.from({ length: 9 }, (_, i) => from[9 * k + i]!) as unknown as Matrix;

export function solveDense(
  { tree, motion }: Mechanism,
  tau: ArrayLike<number>,
  given: ArrayLike<number>,
  wrenches: ArrayLike<number>,
): Dense {
  const { links, n, nv, vAt, gravity } = tree;
  const size = 12 * n + nv;
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1));
  let row = 0;
  const bodyAt = (k: number) => 6 * k;
  const jointAt = (k: number) => 6 * n + 6 * k;
  const speedAt = 12 * n;
  const state = (k: number) =>
    k < 0
      ? {
          o: [0, 0, 0] as Vector,
          w: [0, 0, 0] as Vector,
          u: [0, 0, 0] as Vector,
          r: [1, 0, 0, 0, 1, 0, 0, 0, 1] as Matrix,
        }
      : {
          o: three(motion.position, k),
          w: three(motion.angular, k),
          u: three(motion.velocity, k),
          r: nine(motion.rotation, k),
        };
  const units: readonly Vector[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  /** The joint of link k: P, axes e of the joint frame, columns of S in them. */
  const joint = (k: number) => {
    const { parent, kind, axis, pitch = 0, before, after } = links[k]!;
    const own = state(k);
    const back = transposed(product(own.r, transposed(after.rotation)));
    const p = minus(own.o, applied(transposed(back), after.translation));
    const outer = product(state(parent).r, before.rotation);
    const e = units.map((unit) => applied(outer, unit));
    const z = axis ? scaled(1 / Math.hypot(...axis), axis) : units[0]!;
    const none: Vector = [0, 0, 0];
    const columns: (readonly [Vector, Vector])[] =
      kind === 'revolute'
        ? [[z, none]]
        : kind === 'prismatic'
          ? [[none, z]]
          : kind === 'screw'
            ? [[z, scaled(pitch, z)]]
            : kind === 'spherical'
              ? units.map((unit) => [unit, none] as const)
              : [
                  ...units.map((unit) => [none, unit] as const),
                  ...units.map((unit) => [unit, none] as const),
                ];
    return { p, e, columns };
  };
  const joints = links.map((_, k) => joint(k));
  const toWorld = (e: readonly Vector[], x: Vector) =>
    plus(plus(scaled(x[0], e[0]!), scaled(x[1], e[1]!)), scaled(x[2], e[2]!));

  for (let k = 0; k < n; k++) {
    const { mass } = links[k]!;
    const { r, w, o } = state(k);
    const c = applied(r, mass.centre);
    const inertia = product(product(r, mass.inertia), transposed(r));
    const spun = cross(w, applied(inertia, w));
    const pull: Vector =
      gravity.kind === 'uniform'
        ? scaled(mass.mass, gravity.acceleration)
        : gravity.kind === 'point'
          ? scaled((-gravity.mu * mass.mass) / Math.hypot(...plus(o, c)) ** 3, plus(o, c))
          : [0, 0, 0];
    const force = plus([wrenches[6 * k + 3]!, wrenches[6 * k + 4]!, wrenches[6 * k + 5]!], pull);
    const torque = minus(
      [wrenches[6 * k]!, wrenches[6 * k + 1]!, wrenches[6 * k + 2]!],
      cross(c, minus(force, pull)),
    );
    const centripetal = cross(w, cross(w, c));
    for (let i = 0; i < 3; i++) {
      // m (a + alpha x c + w x (w x c)) = forces; about the centre: I alpha + w x I w = torques
      const linear = matrix[row + i]!;
      const angular = matrix[row + 3 + i]!;
      linear[bodyAt(k) + 3 + i] = mass.mass;
      for (let j = 0; j < 3; j++) {
        linear[bodyAt(k) + j] = mass.mass * cross(units[j]!, c)[i]!;
        angular[bodyAt(k) + j] = inertia[3 * i + j]!;
      }
      linear[size] = force[i]! - mass.mass * centripetal[i]!;
      angular[size] = torque[i]! - spun[i]!;
      const add = (l: number, sign: number) => {
        const { p } = joints[l]!;
        const arm = minus(p, plus(o, c));
        linear[jointAt(l) + 3 + i] = -sign;
        angular[jointAt(l) + i] = -sign;
        for (let j = 0; j < 3; j++) angular[jointAt(l) + 3 + j] = -sign * cross(arm, units[j]!)[i]!;
      };
      add(k, 1);
      links.forEach((link, l) => {
        if (link.parent === k) add(l, -1);
      });
    }
    row += 6;
  }
  for (let k = 0; k < n; k++) {
    const { parent } = links[k]!;
    const { p, e, columns } = joints[k]!;
    const [own, outer] = [state(k), state(parent)];
    const omega = minus(own.w, outer.w);
    const at = plus(own.u, cross(own.w, minus(p, own.o)));
    const arm = minus(p, outer.o);
    const speed = minus(minus(at, outer.u), cross(outer.w, arm));
    const drift = minus(cross(own.w, cross(own.w, minus(p, own.o))), cross(outer.w, minus(at, outer.u)));
    for (let i = 0; i < 3; i++) {
      const angular = matrix[row + i]!;
      const linear = matrix[row + 3 + i]!;
      const turning = cross(outer.w, e[i]!);
      for (let j = 0; j < 3; j++) {
        angular[bodyAt(k) + j] = e[i]![j]!;
        linear[bodyAt(k) + j] = dot(e[i]!, cross(units[j]!, minus(p, own.o)));
        linear[bodyAt(k) + 3 + j] = e[i]![j]!;
        if (parent < 0) continue;
        angular[bodyAt(parent) + j] = -e[i]![j]!;
        linear[bodyAt(parent) + j] = -dot(e[i]!, cross(units[j]!, arm));
        linear[bodyAt(parent) + 3 + j] = -e[i]![j]!;
      }
      columns.forEach(([rotation, translation], l) => {
        angular[speedAt + vAt[k]! + l] = -rotation[i]!;
        linear[speedAt + vAt[k]! + l] = -translation[i]!;
      });
      angular[size] = -dot(turning, omega);
      linear[size] = -dot(turning, speed) - dot(e[i]!, drift);
    }
    row += 6;
    columns.forEach(([rotation, translation], l) => {
      const own = matrix[row++]!;
      if (links[k]!.driven) {
        own[speedAt + vAt[k]! + l] = 1;
        own[size] = given[vAt[k]! + l]!;
        return;
      }
      const [t, f] = [toWorld(e, rotation), toWorld(e, translation)];
      for (let j = 0; j < 3; j++) {
        own[jointAt(k) + j] = t[j]!;
        own[jointAt(k) + 3 + j] = f[j]!;
      }
      own[size] = tau[vAt[k]! + l]!;
    });
  }
  const x = eliminated(matrix);
  const reactions = links.map((_, k) => x.slice(jointAt(k), jointAt(k) + 6));
  return {
    a: x.slice(speedAt, speedAt + nv),
    tau: links.flatMap((_, k) => {
      const { e, columns } = joints[k]!;
      const [t, f] = [reactions[k]!.slice(0, 3), reactions[k]!.slice(3)] as unknown as [Vector, Vector];
      return columns.map(
        ([rotation, translation]) => dot(t, toWorld(e, rotation)) + dot(f, toWorld(e, translation)),
      );
    }),
    reactions,
    accelerations: links.map((_, k) => x.slice(bodyAt(k), bodyAt(k) + 6)),
  };
}

/** Gauss with row pivots; the last column is the right-hand side. */
export function eliminated(matrix: Float64Array[]): number[] {
  const size = matrix.length;
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let i = column; i < size; i++)
      if (Math.abs(matrix[i]![column]!) > Math.abs(matrix[best]![column]!)) best = i;
    [matrix[column], matrix[best]] = [matrix[best]!, matrix[column]!];
    const pivot = matrix[column]!;
    if (Math.abs(pivot[column]!) < 1e-12) throw new Error('singular');
    for (let i = column + 1; i < size; i++) {
      const other = matrix[i]!;
      const factor = other[column]! / pivot[column]!;
      if (factor !== 0) for (let j = column; j <= size; j++) other[j] = other[j]! - factor * pivot[j]!;
    }
  }
  const x = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    let sum = matrix[i]![size]!;
    for (let j = i + 1; j < size; j++) sum -= matrix[i]![j]! * x[j]!;
    x[i] = sum / matrix[i]![i]!;
  }
  return x;
}
