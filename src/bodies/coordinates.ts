/** Coordinates and speeds of joints from the motion of their objects: of those that close loops. */
import type { Frames } from './frames.ts';
import * as readings from './readings.ts';
import { directionsIn, type JointStep } from './scene/joints.ts';
import type { SceneJoint } from './scene/scene.ts';
import { applied, dot, turned, type Vector } from './space.ts';

/** The coordinate of a step of a joint; an angle is the one next to the last one. */
export function coordinateBetween(joint: SceneJoint, step: number, frames: Frames, last: number): number {
  return closest(last, joint.steps[step]!, relativeCoordinate(joint, step, frames));
}

/** Of all angles that look alike, the one next to the last one. */
function closest(last: number, { kind }: JointStep, angle: number): number {
  if (kind === 'prismatic') return angle;
  return angle + 2 * Math.PI * Math.round((last - angle) / (2 * Math.PI));
}

const vector = new Float64Array(3);
const relative = new Float64Array(9);

const againstFirst = ({ a, b }: SceneJoint): readings.Against => ({ of: b, origin: a, resolve: a });

const read = (
  how: (frames: Frames, against: readings.Against, y: Float64Array, at: number) => void,
  frames: Frames,
  joint: SceneJoint,
): Vector => {
  how(frames, againstFirst(joint), vector, 0);
  return [vector[0]!, vector[1]!, vector[2]!];
};

/** The coordinate of a step, from the poses of the two objects of its joint. */
function relativeCoordinate(joint: SceneJoint, index: number, frames: Frames): number {
  const step = joint.steps[index]!;
  if (step.kind === 'prismatic') return dot(step.axis, read(readings.position, frames, joint));
  readings.rotation(frames, againstFirst(joint), relative);
  const turns = joint.steps.filter(({ kind }) => kind !== 'prismatic');
  if (turns.length === 1) return angleAbout(step.axis, relative);
  // Two axes: the first one turns the second, the second leaves itself alone.
  const [first, second] = turns as [JointStep, JointStep];
  if (index === 0) return angleBetween(first.axis, second.axis, product(relative, second.axis));
  const back = -angleBetween(second.axis, first.axis, transposedProduct(relative, first.axis));
  return back;
}

/** The speed of a step, from the velocities of the two objects of its joint. */
export function speedBetween(joint: SceneJoint, index: number, frames: Frames): number {
  const step = joint.steps[index]!;
  if (step.kind === 'prismatic') return dot(step.axis, read(readings.velocity, frames, joint));
  const w = read(readings.angularVelocity, frames, joint);
  const turns = joint.steps.filter(({ kind }) => kind !== 'prismatic');
  if (turns.length === 1) return dot(step.axis, w);
  // w = axis1 w1 + (axis2, turned by the first angle) w2
  const [first, second] = turns as [JointStep, JointStep];
  const along = applied(turned(first.axis, relativeCoordinate(joint, 0, frames)), second.axis);
  const c = dot(first.axis, along);
  const [p, q] = [dot(first.axis, w), dot(along, w)];
  return index === 0 ? (p - c * q) / (1 - c * c) : (q - c * p) / (1 - c * c);
}

/** The angle of a rotation about an axis. */
function angleAbout(axis: Vector, m: Float64Array): number {
  const [u] = directionsIn(axis);
  return angleBetween(axis, u, product(m, u));
}

/** By how much `from` is turned about the axis to point as `to` does, both seen along the axis. */
function angleBetween(axis: Vector, from: Vector, to: Vector): number {
  const [u, v] = directionsIn(axis);
  return Math.atan2(dot(v, to), dot(u, to)) - Math.atan2(dot(v, from), dot(u, from));
}

const product = (m: Float64Array, a: Vector): Vector => [
  m[0]! * a[0] + m[1]! * a[1] + m[2]! * a[2],
  m[3]! * a[0] + m[4]! * a[1] + m[5]! * a[2],
  m[6]! * a[0] + m[7]! * a[1] + m[8]! * a[2],
];
const transposedProduct = (m: Float64Array, a: Vector): Vector => [
  m[0]! * a[0] + m[3]! * a[1] + m[6]! * a[2],
  m[1]! * a[0] + m[4]! * a[1] + m[7]! * a[2],
  m[2]! * a[0] + m[5]! * a[1] + m[8]! * a[2],
];
