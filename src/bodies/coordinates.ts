/** Coordinates and speeds of joints, whatever they are in the present assembly: links, held, or closing a loop. */
import type { Mechanism } from './dynamics/mechanism.ts';
import type { Frames } from './frames.ts';
import * as readings from './readings.ts';
import type { Assembly } from './scene/assembly.ts';
import type { JointStep } from './scene/joints.ts';
import { directionsIn } from './scene/joints.ts';
import type { Scene, SceneJoint } from './scene/scene.ts';
import { applied, dot, turned, type Vector } from './space.ts';

export class Coordinates {
  /** By joint and step: the last coordinate that is known; spherical steps have none. */
  readonly last: Float64Array[];
  /** By joint and step: the link, -1 where there is none now. */
  private links: Int32Array[] = [];
  private held: ReadonlySet<number> = new Set();

  constructor(private readonly scene: Scene) {
    this.last = scene.joints.map(({ steps }) => new Float64Array(steps.length));
    this.forget();
  }

  /** Back to the start. */
  forget(): void {
    for (const [k, { steps }] of this.scene.joints.entries())
      this.last[k]!.set(steps.map(({ q }) => q[0] ?? 0));
  }

  /** Begins another assembly. */
  begin({ origins }: Assembly, held: Iterable<number>): void {
    this.links = this.scene.joints.map(({ steps }) => new Int32Array(steps.length).fill(-1));
    for (const [k, origin] of origins.entries())
      if (origin.kind === 'joint') this.links[origin.joint]![origin.step] = k;
    this.held = new Set(held);
  }

  linkOf(joint: number, step: number): number {
    return this.links[joint]![step]!;
  }

  /** The coordinate of a step; frames of the objects of the joint are those of now. */
  coordinate(joint: number, step: number, q: Float64Array, { tree }: Mechanism, frames: Frames): number {
    const link = this.links[joint]![step]!;
    if (link >= 0) return q[tree.qAt[link]!]!;
    const last = this.last[joint]![step]!;
    if (this.held.has(joint)) return last;
    const own = this.scene.joints[joint]!;
    return closest(last, own.steps[step]!, relativeCoordinate(own, step, frames));
  }

  speed(joint: number, step: number, v: Float64Array, { tree }: Mechanism, frames: Frames): number {
    const link = this.links[joint]![step]!;
    if (link >= 0) return v[tree.vAt[link]!]!;
    return this.held.has(joint) ? 0 : relativeSpeed(this.scene.joints[joint]!, step, frames);
  }

  /** Takes note of coordinates, so that angles go on from there. */
  remember(q: Float64Array, mechanism: Mechanism, frames: Frames): void {
    for (const [joint, own] of this.last.entries()) {
      for (let step = 0; step < own.length; step++)
        if (this.scene.joints[joint]!.steps[step]!.kind !== 'spherical')
          own[step] = this.coordinate(joint, step, q, mechanism, frames);
    }
  }
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
function relativeSpeed(joint: SceneJoint, index: number, frames: Frames): number {
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
