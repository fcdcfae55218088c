/** The bodies of a scene in one structure: what is joined to what, and where everything is. */

import type { Failure } from '../diagnostic/failure.ts';
import { withPath } from '../names/names.ts';
import { coordinateBetween, speedBetween } from './coordinates.ts';
import type { Closure } from './dynamics/closure.ts';
import { Mechanism } from './dynamics/mechanism.ts';
import { SCREW } from './dynamics/tree.ts';
import { Frames } from './frames.ts';
import type { Leading } from './ports.ts';
import { shown } from './problem.ts';
import { type Assembly, assemble } from './scene/assembly.ts';
import { closuresOf, holding, type JointClosure, poseBetween } from './scene/closures.ts';
import { partFailure } from './scene/names.ts';
import type { Scene } from './scene/scene.ts';
import {
  applied,
  cross,
  matrixOf,
  minus,
  type Pose,
  placed,
  plus,
  type Quaternion,
  quaternionOf,
  transposed,
  type Vector,
} from './space.ts';
import type { Structure } from './structure.ts';

/** A motion, whatever its bodies are joined to. */
export interface Snapshot {
  /** By joint and step. */
  readonly coordinates: readonly Float64Array[];
  readonly speeds: readonly (readonly number[])[];
  /** Of spherical joints. */
  readonly orientations: readonly (Quaternion | undefined)[];
  /** By object. */
  readonly poses: readonly Pose[];
  readonly velocities: readonly { readonly linear: Vector; readonly angular: Vector }[];
}

/** The share of what it was by which a lead has to become worse to be near a dead centre. */
const deadCentre = 1e-2;
/** Coordinates and speeds at the start may differ so much from those that fit. */
const startTolerance = 1e-6;
/** Start coordinates of joints that follow others need only be near. */
const near = 0.1;
/** Starts that are tried to close loops, and how far they lie apart, in radians or metres. */
const mostAttempts = 8;
const beside = 0.05;

/** What the model says of a joint with a flange. */
export interface Led {
  readonly joint: number;
  readonly q: number;
  readonly v: number;
}

export class Setup {
  readonly assembly: Assembly;
  readonly closures: readonly JointClosure[];
  readonly mechanism: Mechanism;
  readonly frames: Frames;
  /** Coordinates and speeds of all links. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** The same bodies with joints that lead the others. */
  private guide: Setup | undefined;
  /** How well joints with flanges have led loops so far. */
  private strongest = 0;
  /** By joint and step: the link, -1 where there is none. */
  private readonly links: readonly Int32Array[];

  constructor(
    readonly scene: Scene,
    readonly structure: Structure,
    /** By joint and step: the last coordinate that is known, from which angles go on; spherical steps have none. */
    private readonly last: readonly Float64Array[],
    readonly leading: Leading,
    /** What holds besides. */
    more: (assembly: Assembly) => readonly JointClosure[] = () => [],
  ) {
    const { joints } = scene;
    this.assembly = assemble(scene, structure.held, leading === 'driven');
    this.links = joints.map(({ steps }) => new Int32Array(steps.length).fill(-1));
    for (const [k, origin] of this.assembly.origins.entries())
      if (origin.kind === 'joint') this.links[origin.joint]![origin.step] = k;
    const bound = [...structure.bound].flatMap(([joint, pose]) => this.binding(joint, pose));
    this.closures = [
      ...closuresOf(scene, this.assembly, structure.rolling),
      ...bound,
      ...more(this.assembly),
    ].filter(isBetween);
    this.mechanism = new Mechanism({
      links: this.assembly.links,
      closures: this.closures.map(({ closure }) => closure),
      gravity: scene.gravity,
    });
    this.frames = new Frames(this.assembly.places);
    this.q = new Float64Array(this.mechanism.tree.nq);
    this.v = new Float64Array(this.mechanism.tree.nv);
  }

  /** What holds a joint in a pose: a link keeps its coordinates, so that nothing is held twice. */
  private binding(joint: number, pose: Pose): JointClosure[] {
    const own = this.scene.joints[joint]!;
    const links = this.links[joint]!;
    const isSpherical = own.steps[0]?.kind === 'spherical';
    if (own.steps.length === 0 || links.includes(-1) || isSpherical) {
      const kind = isSpherical && !links.includes(-1) ? 'parallel' : 'fixed';
      return [{ joint, closure: holding(own, this.assembly, pose, kind) }];
    }
    return Array.from(links, (link, step) => ({
      joint,
      closure: { kind: 'locked', link, at: this.last[joint]![step]! },
    }));
  }

  /** The last link of a joint, -1 where it is none. */
  linkOf(joint: number): number {
    return Math.max(-1, ...this.links[joint]!);
  }

  /** The place of a joint among the driven links, and in coordinates and speeds. */
  drive(joint: number): { readonly order: number; readonly q: number; readonly v: number } {
    const { drives, qAt, vAt } = this.mechanism.tree;
    const link = this.links[joint]![0]!;
    return { order: drives.indexOf(link), q: qAt[link]!, v: vAt[link]! };
  }

  // -------------------------------------------------------------- coordinates of joints

  /** The coordinate of a step of a joint; frames of its objects are those of now. */
  coordinate(joint: number, step: number): number {
    const link = this.links[joint]![step]!;
    if (link >= 0) return this.q[this.mechanism.tree.qAt[link]!]!;
    const last = this.last[joint]![step]!;
    if (this.structure.held.has(joint)) return last;
    return coordinateBetween(this.scene.joints[joint]!, step, this.frames, last);
  }

  speed(joint: number, step: number): number {
    const link = this.links[joint]![step]!;
    if (link >= 0) return this.v[this.mechanism.tree.vAt[link]!]!;
    return this.structure.held.has(joint) ? 0 : speedBetween(this.scene.joints[joint]!, step, this.frames);
  }

  /** Takes note of coordinates, so that angles go on from there. */
  remember(): void {
    for (const [joint, own] of this.last.entries())
      for (const [step, { kind }] of this.scene.joints[joint]!.steps.entries())
        if (kind !== 'spherical') own[step] = this.coordinate(joint, step);
  }

  // -------------------------------------------------------------- positions

  /** Brings bodies to where coordinates say, and these to where loops are closed. */
  place(): void {
    const { q, v, mechanism, closures } = this;
    if (closures.length === 0) {
      mechanism.locate(q, v);
      return;
    }
    const outcome = mechanism.project(q, v);
    if (outcome === 'closed') {
      if (mechanism.tree.drives.length > 0) this.checkLead();
      return;
    }
    throw outcome === 'open' ? this.cannotClose() : this.tiedDrives(mechanism.loops.tied);
  }

  /** Joints with flanges lead the others of a loop. In a dead centre they cannot: there the others may go either way. */
  private checkLead(): void {
    const { weakest } = this.mechanism.loops.factors;
    this.strongest = Math.max(this.strongest, weakest);
    if (weakest > deadCentre * this.strongest) return;
    const { part } = this.scene.joints[this.closures[0]!.joint]!;
    const driven = this.scene.joints.filter(({ drive }) => drive).map(({ name }) => `\`${name}\``);
    const message = `The loop closed by \`${part.path}\` is near a dead centre, where the joints with flanges, ${driven.join(', ')}, do not say which way the others go.`;
    throw partFailure(part, 'unsupported', message, {
      hint: 'Give the flange to a joint of the loop that can turn through, such as a crank.',
    });
  }

  private cannotClose(): Failure {
    const { open, residual, isAngle } = this.mechanism.loops;
    const { part } = this.scene.joints[this.closures[open]!.joint]!;
    const distance = `${shown(residual)} ${isAngle ? 'rad' : 'm'}`;
    const message = `The loop with the joint \`${part.path}\` cannot be closed from its start values: ${distance} is missing at the best position that was found.`;
    return partFailure(part, 'bad-body', message, {
      hint: 'Look at the lengths of its bodies, at the axes of its joints, and at their start values.',
    });
  }

  private tiedDrives(tied: Uint8Array): Failure {
    const names = this.scene.joints.filter(
      ({ drive }, joint) => drive && tied[this.drive(joint).order] === 1,
    );
    const list = names.map(({ name }) => `\`${name}\``).join(', ');
    const message = `A loop ties joints with flanges to each other, or holds them: ${list}.`;
    return partFailure(names[0]!.part, 'unsupported', message, {
      hint: 'Give flanges only to as many joints of a loop as can be moved independently.',
    });
  }

  /**
   * Brings bodies from their start to where loops are closed. Start values that are not zero stay, as far as that is possible: those of others follow.
   * Gives in words which had to be changed.
   */
  close(): string[] {
    if (this.closures.length === 0) {
      this.place();
      return [];
    }
    const { q, v } = this;
    const [coordinates, speeds] = [q.slice(), v.slice()];
    const { qAt, vAt } = this.mechanism.tree;
    if (!this.approach(this.keeping((k) => coordinates[qAt[k]!] !== 0))) {
      q.set(coordinates);
      this.approach(this.mechanism);
    }
    v.set(speeds);
    this.keeping((k) => speeds[vAt[k]!] !== 0).project(q, v);
    this.place();
    return this.changes();
  }

  /** The mechanism with joints that keep coordinates and speeds. */
  private keeping(keeps: (link: number) => boolean): Mechanism {
    const { kind } = this.mechanism.tree;
    const { links } = this.assembly;
    return new Mechanism({
      links: links.map((link, k) => ({ ...link, driven: link.driven || (kind[k]! <= SCREW && keeps(k)) })),
      closures: this.closures.map(({ closure }) => closure),
      gravity: this.scene.gravity,
    });
  }

  /** Where all joints are stretched, or folded, no small motion closes a loop: then other starts beside it are tried. */
  private approach(mechanism: Mechanism): boolean {
    const { q, v } = this;
    const [coordinates, speeds] = [q.slice(), v.slice()];
    const { n, kind, qAt, driven } = mechanism.tree;
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      q.set(coordinates);
      v.set(speeds);
      for (let k = 0; attempt > 0 && k < n; k++)
        if (!driven[k] && kind[k]! <= SCREW)
          q[qAt[k]!]! += (beside * attempt * ((((k + 1) * attempt * 7) % 5) - 2)) / 2;
      if (mechanism.project(q, v) !== 'open') return true;
    }
    return false;
  }

  /** Start values that are given and that loops do not allow. */
  changes(): string[] {
    const { scene, frames, mechanism } = this;
    for (const k of scene.objects.keys()) frames.update(k, mechanism);
    const ofJoints = scene.joints.flatMap(({ name, steps, drive }, joint) =>
      (drive ? [] : steps).flatMap(({ kind, q, v, shown: { q: coordinate, v: speed } }, step) => {
        if (kind === 'spherical') return [];
        const found = [
          [coordinate, q[0]!, this.coordinate(joint, step), near],
          [speed, v[0]!, this.speed(joint, step), startTolerance],
        ] as const;
        return found.flatMap(([variable, given, now, tolerance]) =>
          given !== 0 && differs(given, now, tolerance)
            ? [`\`${withPath(name, variable!)}\` is ${shown(now)} instead of ${shown(given)}`]
            : [],
        );
      }),
    );
    const ofObjects = scene.objects.flatMap(({ name, fixed, pose, parent }, k) => {
      if (fixed || parent !== 0) return [];
      const now = frames.pose(k).translation;
      return now.some((value, i) => differs(pose.translation[i]!, value))
        ? [
            `\`${withPath(name, 'r')}\` is {${now.map(shown).join(', ')}} instead of {${pose.translation.map(shown).join(', ')}}`,
          ]
        : [];
    });
    return [...ofJoints, ...ofObjects];
  }

  /** A start in which pushed joints have coordinates and speeds that the model gives: all others follow them where loops are closed. */
  lead(led: readonly Led[]): void {
    const { scene, structure, last } = this;
    this.guide ??= new Setup(scene, structure, last, 'driven');
    const { guide } = this;
    guide.start();
    for (const { joint, q, v } of led) {
      const at = guide.drive(joint);
      guide.q[at.q] = q;
      guide.v[at.v] = v;
    }
    guide.startFree();
    if (guide.closures.length > 0) guide.approach(guide.mechanism);
    guide.mechanism.locate(guide.q, guide.v);
    this.goOn(guide.snapshot());
    this.place();
  }

  /** Coordinates and speeds of pushed joints are set while it moves: others change, as little as possible, where loops allow it. */
  adopt(led: readonly Led[]): void {
    const { scene, structure, last } = this;
    const guide = new Setup(scene, structure, last, 'driven');
    const { q, v, mechanism } = guide;
    guide.goOn(this.snapshot());
    for (const one of led) {
      const at = guide.drive(one.joint);
      q[at.q] = one.q;
      v[at.v] = one.v;
    }
    if (mechanism.project(q, v) !== 'closed') return;
    this.goOn(guide.snapshot());
    this.place();
  }

  /** Throws a `Failure` where loops do not allow what the model gives for pushed joints at the start. Gives in words what else had to be changed. */
  checkLed(led: readonly Led[]): string[] {
    const wrong = led.flatMap(({ joint, q, v }) => {
      const at = this.drive(joint);
      const { coordinate, speed } = this.scene.joints[joint]!.drive!;
      const name = (variable: string) => `\`${withPath(this.scene.joints[joint]!.name, variable)}\``;
      return [
        ...(differs(q, this.q[at.q]!) ? [`${name(coordinate)} is ${shown(q)}`] : []),
        ...(differs(v, this.v[at.v]!) ? [`${name(speed)} is ${shown(v)}`] : []),
      ];
    });
    if (wrong.length === 0) return this.changes();
    const { part } = this.scene.joints[led[0]!.joint]!;
    const message = `Joints with flanges do not fit into their loops at the start: ${wrong.join(', ')}.`;
    const fits = this.fitting(led);
    throw partFailure(part, 'bad-body', message, {
      hint: fits ? `These would fit together: ${fits}.` : 'Give them start values that close their loops.',
    });
  }

  /** Start values of pushed joints that fit to those of the first one. */
  private fitting(led: readonly Led[]): string | undefined {
    const { q, v } = this;
    this.start();
    for (const one of led) q[this.drive(one.joint).q] = one.q;
    for (const one of led) v[this.drive(one.joint).v] = one.v;
    const first = this.links[led[0]!.joint]![0]!;
    if (!this.approach(this.keeping((k) => k === first))) return undefined;
    return led
      .map(({ joint }) => {
        const { name, drive } = this.scene.joints[joint]!;
        const at = this.drive(joint);
        const value = (variable: string, number: number) =>
          `${withPath(name, variable)} = ${Number(number.toPrecision(9))}`;
        return `${value(drive!.coordinate, q[at.q]!)}, ${value(drive!.speed, v[at.v]!)}`;
      })
      .join(', ');
  }

  /** Coordinates and speeds that the model gives for the start. */
  start(): void {
    const { q, v, mechanism, assembly, scene } = this;
    const { qAt, vAt } = mechanism.tree;
    for (const [k, origin] of assembly.origins.entries()) {
      if (origin.kind === 'free') {
        q[qAt[k]! + 3] = 1;
        continue;
      }
      const step = scene.joints[origin.joint]!.steps[origin.step]!;
      if (step.kind !== 'spherical' || !origin.reversed) {
        q.set(step.q, qAt[k]!);
        v.set(step.v, vAt[k]!);
        continue;
      }
      q.set(conjugate(step.q as unknown as Quaternion), qAt[k]!);
      const [x, y, z] = step.v;
      v.set(applied(transposed(matrixOf(step.q as unknown as Quaternion)), [-x!, -y!, -z!]), vAt[k]!);
    }
    this.startFree();
  }

  /** Free objects, some of which may be placed in what moves. */
  startFree(): void {
    const { q, v, mechanism, assembly } = this;
    const { qAt, vAt } = mechanism.tree;
    for (const [k, origin] of assembly.origins.entries()) {
      if (origin.kind !== 'free') continue;
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
    const { parent = 0, pose, velocity, angularVelocity } = this.scene.objects[object]!;
    const { frames } = this;
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

  // -------------------------------------------------------------- from one structure to the next

  /** Everything that moves, where the bodies are now. */
  snapshot(): Snapshot {
    const { frames, mechanism, scene } = this;
    for (const k of scene.objects.keys()) frames.update(k, mechanism);
    this.remember();
    const poses = scene.objects.map((_, k) => frames.pose(k));
    return {
      coordinates: this.last.map((own) => own.slice()),
      speeds: scene.joints.map(({ steps }, joint) =>
        steps.map(({ kind }, step) => (kind === 'spherical' ? 0 : this.speed(joint, step))),
      ),
      orientations: scene.joints.map(({ a, b, steps }) =>
        steps[0]?.kind === 'spherical' ? quaternionOf(poseBetween(poses[a]!, poses[b]!).rotation) : undefined,
      ),
      poses,
      velocities: scene.objects.map((_, k) => ({
        linear: frames.linearVelocity(k),
        angular: frames.angularVelocity(k),
      })),
    };
  }

  /** Goes on with a motion of the same scene in another structure. */
  goOn({ coordinates, speeds, orientations, poses, velocities }: Snapshot): void {
    const { q, v, mechanism, assembly } = this;
    const { qAt, vAt } = mechanism.tree;
    for (const [k, origin] of assembly.origins.entries()) {
      if (origin.kind === 'free') {
        const { translation, rotation } = poses[origin.object]!;
        q.set(translation, qAt[k]!);
        q.set(quaternionOf(rotation), qAt[k]! + 3);
        v.set(velocities[origin.object]!.linear, vAt[k]!);
        v.set(velocities[origin.object]!.angular, vAt[k]! + 3);
        continue;
      }
      const orientation = orientations[origin.joint];
      if (orientation) {
        const { a, b } = this.scene.joints[origin.joint]!;
        const [from, to] = origin.reversed ? [b, a] : [a, b];
        const turning = minus(velocities[to]!.angular, velocities[from]!.angular);
        q.set(origin.reversed ? conjugate(orientation) : orientation, qAt[k]!);
        v.set(applied(transposed(poses[from]!.rotation), turning), vAt[k]!);
      } else {
        q[qAt[k]!] = coordinates[origin.joint]![origin.step]!;
        v[vAt[k]!] = speeds[origin.joint]![origin.step]!;
      }
    }
  }
}

const differs = (given: number, found: number, tolerance = startTolerance): boolean =>
  Math.abs(given - found) > tolerance * Math.max(1, Math.abs(given));

/** Inside of one body there is nothing to hold. */
const isBetween = ({ closure }: { readonly closure: Closure }): boolean =>
  closure.kind === 'locked' || closure.a !== closure.b;

const conjugate = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];
