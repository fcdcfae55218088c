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
