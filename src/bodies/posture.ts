/** The bodies of a scene in one structure, what is joined to what, and where everything is: coordinates and speeds of links, and of joints. */
import { coordinateBetween, speedBetween } from './coordinates.ts';
import type { Closure } from './dynamics/closure.ts';
import { Mechanism } from './dynamics/mechanism.ts';
import { Frames } from './frames.ts';
import { type HiddenStates, hiddenStates } from './hidden.ts';
import type { Leading } from './ports.ts';
import { Assembly, GONE, type JointOrigin } from './scene/assembly.ts';
import { holding, type JointClosure, jointClosure, stubClosure } from './scene/closures.ts';
import { partFailure } from './scene/names.ts';
import type { Scene } from './scene/scene.ts';
import { type Steps, stepsIn } from './scene/steps.ts';
import {
  applied,
  conjugate,
  cross,
  matrixOf,
  type Pose,
  placed,
  plus,
  type Quaternion,
  quaternionOf,
  transposed,
  type Vector,
} from './space.ts';
import type { Structure } from './structure.ts';

/** Places of joints among coordinates, speeds and driven links. */
export interface DrivePlaces {
  readonly q: Int32Array;
  readonly v: Int32Array;
  readonly order: Int32Array;
}

/** What the model says of a joint with a flange. */
export interface Led {
  readonly joint: number;
  readonly q: number;
  readonly v: number;
}

export class Posture {
  readonly assembly: Assembly;
  readonly mechanism: Mechanism;
  readonly frames: Frames;
  /** Coordinates and speeds of all links. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** Room for what is computed from them: as in `Mechanism`. */
  readonly qdot: Float64Array;
  readonly a: Float64Array;
  readonly tau: Float64Array;
  readonly wrenches: Float64Array;
  readonly hidden: HiddenStates;
  closures: readonly JointClosure[];
  protected readonly steps: Steps;
  /** By step of all joints: the link, -1 where there is none. */
  private readonly links: Int32Array;
  /** Of joints with flanges, one after the other. */
  readonly flanged: DrivePlaces;

  constructor(
    readonly scene: Scene,
    protected structure: Structure,
    /** By step of all joints: the last coordinate that is known, from which angles go on; spherical steps have none. */
    protected readonly last: Float64Array,
    readonly leading: Leading,
  ) {
    this.assembly = new Assembly(scene, structure.held, leading === 'driven', structure.removed);
    this.steps = stepsIn(scene);
    this.links = new Int32Array(last.length).fill(-1);
    for (const [k, origin] of this.assembly.origins.entries())
      if (origin.kind === 'joint') this.links[this.steps.at[origin.joint]! + origin.step] = k;
    this.closures = this.closuresNow();
    this.mechanism = new Mechanism({
      links: this.assembly.links,
      closures: this.closures.map(({ closure }) => closure),
      gravity: scene.gravity,
    });
    this.frames = new Frames(this.assembly.places);
    const { nq, nv, n } = this.mechanism.tree;
    this.q = new Float64Array(nq);
    this.v = new Float64Array(nv);
    this.qdot = new Float64Array(nq);
    this.a = new Float64Array(nv);
    this.tau = new Float64Array(nv);
    this.wrenches = new Float64Array(6 * n);
    this.hidden = hiddenStates(scene, this.assembly.origins, this.mechanism.tree);
    const drives = scene.joints.flatMap(({ drive }, joint) => (drive ? [this.drive(joint)] : []));
    this.flanged = {
      q: Int32Array.from(drives, ({ q }) => q),
      v: Int32Array.from(drives, ({ v }) => v),
      order: Int32Array.from(drives, ({ order }) => order),
    };
  }

  /** The same joints hold, but in other poses; coordinates and speeds are none yet. */
  protected hold(structure: Structure): void {
    const { assembly, mechanism, frames } = this;
    this.structure = structure;
    assembly.hold(structure.held);
    this.closures = this.closuresNow();
    mechanism.renew(
      assembly.links,
      this.closures.map(({ closure }) => closure),
    );
    frames.renew(assembly.places, assembly.varying);
    for (const numbers of [this.q, this.v, this.qdot, this.a, this.tau, this.wrenches]) numbers.fill(0);
  }

  private closuresNow(): readonly JointClosure[] {
    const { scene, assembly } = this;
    const { bound, rolling, beginning = none } = this.structure;
    const ofJoint = (joint: number) => jointClosure(scene, assembly, joint);
    const held = (joint: number, pose: Pose): JointClosure => ({
      joint,
      closure: holding(scene.joints[joint]!, assembly, pose),
    });
    const all = [
      ...[...assembly.loops, ...rolling].map(ofJoint),
      ...assembly.stubs.map((stub) => stubClosure(scene, assembly, stub)),
      ...[...bound].flatMap(([joint, pose]) => this.binding(joint, pose) ?? [held(joint, pose)]),
      ...[...beginning].map(([joint, pose]) => (pose ? held(joint, pose) : ofJoint(joint))),
    ];
    return all.filter(({ joint, closure }) => assembly.joins(joint) && isBetween(closure));
  }

  /** Locks that hold a joint: a link keeps its coordinates, so that nothing is held twice. Undefined where it is none. */
  private binding(joint: number, pose: Pose): JointClosure[] | undefined {
    const own = this.scene.joints[joint]!;
    const links = this.linksOf(joint);
    if (own.steps.length === 0 || links.includes(-1)) return undefined;
    if (own.steps[0]!.kind === 'spherical')
      return [{ joint, closure: holding(own, this.assembly, pose, 'parallel') }];
    return Array.from(links, (link, step) => ({
      joint,
      closure: { kind: 'locked', link, at: this.last[this.steps.at[joint]! + step]! },
    }));
  }

  private linksOf(joint: number): Int32Array {
    const { at } = this.steps;
    return this.links.subarray(at[joint], at[joint + 1]);
  }

  /** The last link of a joint, -1 where it is none. */
  linkOf(joint: number): number {
    const { at } = this.steps;
    let last = -1;
    for (let step = at[joint]!; step < at[joint + 1]!; step++) last = Math.max(last, this.links[step]!);
    return last;
  }

  /** The place of a joint among the driven links, and in coordinates and speeds. */
  drive(joint: number): { readonly order: number; readonly q: number; readonly v: number } {
    const { drives, qAt, vAt } = this.mechanism.tree;
    const link = this.links[this.steps.at[joint]!]!;
    return { order: drives.indexOf(link), q: qAt[link]!, v: vAt[link]! };
  }

  // -------------------------------------------------------------- coordinates of joints

  /** The coordinate of a step of a joint; frames of its objects are those of now. */
  coordinate(joint: number, step: number): number {
    const at = this.steps.at[joint]! + step;
    const link = this.links[at]!;
    if (link >= 0) return this.q[this.mechanism.tree.qAt[link]!]!;
    const last = this.last[at]!;
    if (this.structure.held.has(joint)) return last;
    return coordinateBetween(this.scene.joints[joint]!, step, this.frames, last);
  }

  speed(joint: number, step: number): number {
    const link = this.links[this.steps.at[joint]! + step]!;
    if (link >= 0) return this.v[this.mechanism.tree.vAt[link]!]!;
    return this.structure.held.has(joint) ? 0 : speedBetween(this.scene.joints[joint]!, step, this.frames);
  }

  /** Takes note of coordinates, so that angles go on from there. */
  remember(): void {
    const { plain, at } = this.steps;
    for (let step = 0; step < plain.length; step++) {
      const joint = plain[step]!;
      if (joint >= 0) this.last[step] = this.coordinate(joint, step - at[joint]!);
    }
  }

  // -------------------------------------------------------------- the start

  /** Coordinates and speeds that the model gives for the start. */
  start(): void {
    const { q, mechanism, assembly } = this;
    const { qAt } = mechanism.tree;
    for (const [k, origin] of assembly.origins.entries())
      if (origin.kind === 'free') q[qAt[k]! + 3] = 1;
      else this.startJoint(k, origin);
    this.startFree();
  }

  /** Coordinates and speeds of a link that a joint is. */
  protected startJoint(k: number, { joint, step: index, reversed }: JointOrigin): void {
    const { q, v } = this;
    const { qAt, vAt } = this.mechanism.tree;
    const step = this.scene.joints[joint]!.steps[index]!;
    if (step.kind !== 'spherical' || !reversed) {
      q.set(step.q, qAt[k]!);
      v.set(step.v, vAt[k]!);
      return;
    }
    q.set(conjugate(step.q as unknown as Quaternion), qAt[k]!);
    const [x, y, z] = step.v;
    v.set(applied(transposed(matrixOf(step.q as unknown as Quaternion)), [-x!, -y!, -z!]), vAt[k]!);
  }

  /** Free objects, some of which may be placed in what moves; all, or some of them. */
  startFree(begins: (object: number) => boolean = () => true): void {
    const { q, v, mechanism, assembly } = this;
    const { qAt, vAt } = mechanism.tree;
    for (const [k, origin] of assembly.origins.entries()) {
      if (origin.kind !== 'free' || !begins(origin.object)) continue;
      mechanism.locate(q, v);
      const { pose, velocity, angularVelocity } = this.motionAtStart(origin.object);
      q.set(pose.translation, qAt[k]!);
      q.set(quaternionOf(pose.rotation), qAt[k]! + 3);
      v.set(velocity, vAt[k]!);
      v.set(angularVelocity, vAt[k]! + 3);
    }
  }

  /** Pose and velocities in the world that a free object has at the start. */
  private motionAtStart(object: number): { pose: Pose; velocity: Vector; angularVelocity: Vector } {
    const { part, name, parent = 0, pose, velocity, angularVelocity } = this.scene.objects[object]!;
    const { frames } = this;
    if (this.assembly.places[parent]!.link === GONE) {
      const message = `\`${name}\` comes back, but its parent \`${this.scene.objects[parent]!.name}\` is away.`;
      throw partFailure(part!, 'impossible-change', message, {
        hint: 'Let the parent come back before, or at the same time.',
      });
    }
    frames.update(parent, this.mechanism);
    const around = frames.pose(parent);
    const arm = applied(around.rotation, pose.translation);
    const turning = frames.angularVelocity(parent);
    const moving = plus(frames.linearVelocity(parent), cross(turning, arm));
    return {
      pose: placed(around, pose),
      velocity: plus(moving, applied(around.rotation, velocity)),
      angularVelocity: plus(turning, applied(around.rotation, angularVelocity)),
    };
  }
}

/** Inside of one body there is nothing to hold. */
const isBetween = (closure: Closure): boolean => closure.kind === 'locked' || closure.a !== closure.b;

const none: ReadonlyMap<number, undefined> = new Map();
