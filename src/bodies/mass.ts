/** Mass, centre and inertia of rigid bodies, and what bodies have together that are joined rigidly. */
import {
  applied,
  type Matrix,
  minus,
  type Pose,
  plus,
  product,
  scaled,
  sum,
  transposed,
  type Vector,
  zero,
} from './space.ts';

export interface MassProperties {
  readonly mass: number;
  /** The centre of mass, in the frame of the body. */
  readonly centre: Vector;
  /** About the centre of mass, in the axes of the body. */
  readonly inertia: Matrix;
}

export const massless: MassProperties = { mass: 0, centre: zero, inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0] };

/** The same body, in a frame in which its own has this pose. */
export const movedMass = ({ mass, centre, inertia }: MassProperties, pose: Pose): MassProperties => ({
  mass,
  centre: plus(pose.translation, applied(pose.rotation, centre)),
  inertia: product(product(pose.rotation, inertia), transposed(pose.rotation)),
});

/** Bodies as one, all given in the same frame. */
export function joinedMass(parts: readonly MassProperties[]): MassProperties {
  const mass = parts.reduce((total, part) => total + part.mass, 0);
  const moment = parts.reduce((total, part) => plus(total, scaled(part.mass, part.centre)), zero);
  const centre = mass > 0 ? scaled(1 / mass, moment) : zero;
  const inertia = parts.reduce(
    (total, part) => sum(total, sum(part.inertia, ofPoint(part.mass, minus(part.centre, centre)))),
    massless.inertia,
  );
  return { mass, centre, inertia };
}

/** Inertia of a point at r, about the origin. */
function ofPoint(mass: number, [x, y, z]: Vector): Matrix {
  const [xx, yy, zz] = [mass * x * x, mass * y * y, mass * z * z];
  const [xy, xz, yz] = [-mass * x * y, -mass * x * z, -mass * y * z];
  return [yy + zz, xy, xz, xy, xx + zz, yz, xz, yz, xx + yy];
}

/**
 * The moments of inertia about the principal axes, the smallest first: eigenvalues of a symmetric matrix by rotations that make one pair of
 * elements zero after the other (Jacobi 1846). Small ones are as exact as the elements are.
 */
export function principalMoments(inertia: Matrix): Vector {
  const a = [...inertia];
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    if (a[1] === 0 && a[2] === 0 && a[5] === 0) break;
    for (const [p, q, r] of pairs) rotate(a, p, q, r);
  }
  const [x, y, z] = [a[0]!, a[4]!, a[8]!].sort((one, other) => one - other);
  return [x!, y!, z!];
}

/** Six suffice for the last digit. */
const MOST_SWEEPS = 30;
const pairs = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 2, 0],
] as const;

/** Makes the elements pq and qp zero; r is the third index. */
function rotate(a: number[], p: number, q: number, r: number): void {
  const off = a[3 * p + q]!;
  const difference = a[4 * q]! - a[4 * p]!;
  // The rotation by less than 45 degrees: t is the tangent of its angle.
  const t =
    off === 0
      ? 0
      : ((difference < 0 ? -1 : 1) * 2 * off) / (Math.abs(difference) + Math.hypot(difference, 2 * off));
  const c = 1 / Math.hypot(1, t);
  const s = t * c;
  const [first, second] = [a[3 * p + r]!, a[3 * q + r]!];
  a[4 * p]! -= t * off;
  a[4 * q]! += t * off;
  a[3 * p + q] = a[3 * q + p] = 0;
  a[3 * p + r] = a[3 * r + p] = c * first - s * second;
  a[3 * q + r] = a[3 * r + q] = s * first + c * second;
}
