/** Joints that close loops, and wheels that roll, as closures of the tree. */
import type { Closure } from '../dynamics/closure.ts';
import { atOrigin, cross, dot, inverse, type Matrix, type Pose, placed, type Vector } from '../space.ts';
import type { Assembly, Place, Stub } from './assembly.ts';
import { directionsIn } from './joints.ts';
import { partFailure } from './names.ts';
import type { Scene, SceneJoint } from './scene.ts';

/** A closure, and the joint that it is. */
export interface JointClosure {
  readonly joint: number;
  readonly closure: Closure;
}

/** A joint that closes a loop of an assembly, or a wheel that touches its plane. */
export const jointClosure = ({ joints }: Scene, assembly: Assembly, joint: number): JointClosure => ({
  joint,
  closure: closureOf(joints[joint]!, assembly),
});

/** What keeps the end of a link where the second object of its joint is. */
export function stubClosure({ joints }: Scene, { places }: Assembly, { joint, link }: Stub): JointClosure {
  const b = places[joints[joint]!.b]!;
  return { joint, closure: { kind: 'fixed', a: link, poseA: atOrigin, b: b.link, poseB: b.pose } };
}

/** What keeps the second object of a joint, or its orientation, where it is against the first; `pose` is that. */
export function holding(
  { a, b }: SceneJoint,
  { places }: Assembly,
  pose: Pose,
  kind: 'fixed' | 'parallel' = 'fixed',
): Closure {
  const [first, second] = [places[a]!, places[b]!];
  return { kind, a: first.link, poseA: placed(first.pose, pose), b: second.link, poseB: second.pose };
}

function closureOf(joint: SceneJoint, { places }: Assembly): Closure {
  const [a, b] = [places[joint.a]!, places[joint.b]!];
  const between = (first: Matrix, second: Matrix) => ({
    a: a.link,
    poseA: turnedPlace(a, first),
    b: b.link,
    poseB: turnedPlace(b, second),
  });
  if (joint.rolling) {
    const { normal, radius, ball, axis } = joint.rolling;
    const wheel = ball ? 'sphere' : 'disc';
    return { kind: 'rolling', wheel, radius, ...between(alongZ(normal), alongZ(axis)) };
  }
  const [step, second] = joint.steps as [SceneJoint['steps'][number], SceneJoint['steps'][number]?];
  const frame = alongZ(joint.kind === 'Planar' ? joint.steps[2]!.axis : step.axis);
  switch (joint.kind) {
    case 'Screw':
      return { kind: 'screw', pitch: step.pitch, ...between(frame, frame) };
    case 'Universal':
      checkPerpendicular(joint, step.axis, second!.axis);
      return { kind: 'universal', ...between(alongX(step.axis), alongY(second!.axis)) };
    default:
      return { kind: kinds[joint.kind]!, ...between(frame, frame) };
  }
}

/** A closure knows of no other angle between the axes. */
function checkPerpendicular({ part }: SceneJoint, first: Vector, second: Vector): void {
  if (Math.abs(dot(first, second)) <= perpendicular) return;
  const message = `\`${part.path}\` closes a loop, but its axes are not perpendicular.`;
  throw partFailure(part, 'unsupported', message, {
    hint: 'Make them perpendicular, or use two `Revolute` joints with an object between them.',
  });
}

/** The cosine of the angle between two axes that is rounding. */
const perpendicular = 1e-9;

const kinds: Readonly<Record<string, 'revolute' | 'prismatic' | 'cylindrical' | 'spherical' | 'planar'>> = {
  Revolute: 'revolute',
  Prismatic: 'prismatic',
  Cylindrical: 'cylindrical',
  Spherical: 'spherical',
  Planar: 'planar',
};

const turnedPlace = ({ pose }: Place, rotation: Matrix): Pose => placed(pose, { ...atOrigin, rotation });

const ofColumns = (x: Vector, y: Vector, z: Vector): Matrix => [
  x[0],
  y[0],
  z[0],
  x[1],
  y[1],
  z[1],
  x[2],
  y[2],
  z[2],
];

/** Rotations whose z, x or y is the axis. */
function alongZ(axis: Vector): Matrix {
  const [x, y] = directionsIn(axis);
  return ofColumns(x, y, axis);
}
function alongX(axis: Vector): Matrix {
  const [y] = directionsIn(axis);
  return ofColumns(axis, y, cross(axis, y));
}
function alongY(axis: Vector): Matrix {
  const [z] = directionsIn(axis);
  return ofColumns(cross(axis, z), axis, z);
}

/** The pose of the second object of a joint in the first. */
export const poseBetween = (first: Pose, second: Pose): Pose => placed(inverse(first), second);
