/** The bodies of a scene in one structure: what is joined to what, and where everything is. */

import type { Failure } from '../diagnostic/failure.ts';
import { withPath } from '../names/names.ts';
import { coordinateBetween, speedBetween } from './coordinates.ts';
import type { Closure } from './dynamics/closure.ts';
import { Mechanism } from './dynamics/mechanism.ts';
import { SCREW } from './dynamics/tree.ts';
import { Frames } from './frames.ts';
import { type HiddenStates, hiddenStates } from './hidden.ts';
import type { Leading } from './ports.ts';
import { shown } from './problem.ts';
import { Assembly, GONE, type JointOrigin } from './scene/assembly.ts';
import { holding, type JointClosure, jointClosure, poseBetween, stubClosure } from './scene/closures.ts';
import { partFailure } from './scene/names.ts';
import type { Scene } from './scene/scene.ts';
import { Placed, type Snapshot, tracedIn } from './snapshot.ts';
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

/** The share of what it was by which a lead has to become worse to be near a dead centre. */
const deadCentre = 1e-2;
/** Coordinates and speeds at the start may differ so much from those that fit. */
const startTolerance = 1e-6;
/** Coordinates that cannot stay because others do are guesses, which need only be near. */
const near = 0.1;
/** So many sets of start values that stay are tried where not all can. */
const mostTries = 16;
/** Starts that are tried to close loops, and how far they lie apart, in radians or metres. */
const mostAttempts = 8;
const beside = 0.05;

/** How far ahead it is looked whether loops can be closed, in radians or metres. */
const further = [1e-4, 1e-3, 1e-2];

/** What the model says of a joint with a flange. */
export interface Led {
  readonly joint: number;
  readonly q: number;
  readonly v: number;
}

export class Setup {
  readonly assembly: Assembly;
  readonly mechanism: Mechanism;
  readonly frames: Frames;
  /** Coordinates and speeds of all links. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly hidden: HiddenStates;
  closures: readonly JointClosure[];
  /** The same bodies with joints that lead the others. */
  private guide: Setup | undefined;
  /** How well joints with flanges have led loops so far. */
  private strongest = 0;
  /** By joint and step: the link, -1 where there is none. */
  private readonly links: readonly Int32Array[];

  constructor(
    readonly scene: Scene,
    private structure: Structure,
    /** By joint and step: the last coordinate that is known, from which angles go on; spherical steps have none. */
    private readonly last: readonly Float64Array[],
    readonly leading: Leading,
  ) {
    this.assembly = new Assembly(scene, structure.held, leading === 'driven', structure.removed);
    this.links = scene.joints.map(({ steps }) => new Int32Array(steps.length).fill(-1));
    for (const [k, origin] of this.assembly.origins.entries())
      if (origin.kind === 'joint') this.links[origin.joint]![origin.step] = k;
    this.closures = this.closuresNow();
    this.mechanism = new Mechanism({
      links: this.assembly.links,
      closures: this.closures.map(({ closure }) => closure),
      gravity: scene.gravity,
    });
    this.frames = new Frames(this.assembly.places);
    this.q = new Float64Array(this.mechanism.tree.nq);
    this.v = new Float64Array(this.mechanism.tree.nv);
    this.hidden = hiddenStates(scene, this.assembly.origins, this.mechanism.tree);
  }

  /** As if it were new: the same joints hold, but in other poses. */
  renew(structure: Structure): void {
    const { assembly, mechanism, frames } = this;
    this.structure = structure;
    assembly.hold(structure.held);
    this.closures = this.closuresNow();
    mechanism.renew(
      assembly.links,
      this.closures.map(({ closure }) => closure),
    );
    frames.renew(assembly.places, assembly.varying);
    this.q.fill(0);
    this.v.fill(0);
    this.guide = undefined;
    this.strongest = 0;
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
    const links = this.links[joint]!;
    if (own.steps.length === 0 || links.includes(-1)) return undefined;
    if (own.steps[0]!.kind === 'spherical')
      return [{ joint, closure: holding(own, this.assembly, pose, 'parallel') }];
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
    if (!mechanism.isBound) {
      mechanism.locate(q, v);
      return;
    }
    const outcome = mechanism.project(q, v);
    // Bodies that touch go on as they can, until events say what becomes of it.
    if (outcome === 'open' && mechanism.loops.open >= closures.length) return;
    if (outcome === 'closed') {
      if (mechanism.tree.drives.length > 0) this.checkLead();
      return;
    }
    throw outcome === 'open' ? this.cannotClose() : this.tiedDrives(mechanism.loops.tied);
  }

  /** Joints with flanges lead the others of a loop. In a dead centre they cannot: there the others may go either way. */
  private checkLead(): void {
    const { weakest } = this.mechanism.loops;
    this.strongest = Math.max(this.strongest, weakest);
    if (weakest > deadCentre * this.strongest) return;
    const { part } = this.scene.joints[this.closures[0]!.joint]!;
    const driven = this.scene.joints.filter(({ drive }) => drive).map(({ name }) => `\`${name}\``);
    const message = `The loop closed by \`${part.path}\` is near a dead centre, where the joints with flanges, ${driven.join(', ')}, do not say which way the others go.`;
    throw partFailure(part, 'unsupported', message, {
      hint: 'Give the flange to a joint of the loop that can turn through, such as a crank.',
    });
  }

  /**
   * The joint that closes a loop which cannot be closed where joints with flanges go on as they move; -1 where there is none.
   */
  stuck(led: readonly Led[]): number {
    const { closures } = this;
    const fastest = Math.max(0, ...led.map(({ v }) => Math.abs(v)));
    if (closures.length === 0 || !(fastest > 0)) return -1;
    const links = led.map(({ joint }) => this.links[joint]![0]!);
    const mechanism = this.keeping((k) => links.includes(k));
    for (const step of further) {
      const [q, v] = [this.q.slice(), this.v.slice()];
      for (const one of led) q[this.drive(one.joint).q] = one.q + (step * one.v) / fastest;
      if (mechanism.project(q, v) === 'open') return closures[mechanism.loops.open]!.joint;
    }
    return -1;
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
    const isKept = this.fit();
    this.place();
    return this.changes(isKept ? near : startTolerance);
  }

  /** Coordinates, then speeds, that close loops and keep those that are not zero as far as that is possible; false if no coordinate is kept. */
  private fit(): boolean {
    const { q, v } = this;
    const [coordinates, speeds] = [q.slice(), v.slice()];
    const { qAt, vAt } = this.mechanism.tree;
    const isKept = this.closeKeeping((k) => coordinates[qAt[k]!] !== 0, coordinates, speeds);
    const placed = q.slice();
    this.closeKeeping((k) => speeds[vAt[k]!] !== 0, placed, speeds);
    return isKept;
  }

  /** Closes loops with as many of these joints as possible keeping their coordinates and speeds, those that come first; false if none does. */
  private closeKeeping(
    keeps: (link: number) => boolean,
    coordinates: Float64Array,
    speeds: Float64Array,
  ): boolean {
    const { q, v } = this;
    const given = [...this.assembly.links.keys()].filter(keeps);
    const begin = () => {
      q.set(coordinates);
      v.set(speeds);
    };
    begin();
    if (given.length > 0 && this.approach(this.keeping(keeps)) && this.isClosed()) return true;
    const step = Math.ceil(given.length / mostTries);
    for (let kept = given.length - step; kept > 0; kept -= step) {
      begin();
      const last = given[kept - 1]!;
      if (this.keeping((k) => k <= last && keeps(k)).project(q, v) !== 'open' && this.isClosed()) return true;
    }
    begin();
    this.approach(this.mechanism);
    return false;
  }

  /** Whether coordinates and speeds are such that all loops are closed. */
  private isClosed(): boolean {
    const [q, v] = [this.q.slice(), this.v.slice()];
    const isNear = (of: Float64Array, to: Float64Array) => of.every((value, i) => !differs(value, to[i]!));
    return this.mechanism.project(q, v) !== 'open' && isNear(this.q, q) && isNear(this.v, v);
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

  /** Start values that are given and that loops do not allow; coordinates that are so near count as right. */
  changes(guessed = near): string[] {
    const { scene, frames, mechanism } = this;
    for (const k of scene.objects.keys()) frames.update(k, mechanism);
    const ofJoints = scene.joints.flatMap(({ name, steps, drive }, joint) =>
      (drive ? [] : steps).flatMap(({ kind, q, v, shown: { q: coordinate, v: speed } }, step) => {
        if (kind === 'spherical') return [];
        const found = [
          [coordinate, q[0]!, this.coordinate(joint, step), guessed],
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
    if (guide.closures.length > 0) guide.fit();
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
    const { q, mechanism, assembly } = this;
    const { qAt } = mechanism.tree;
    for (const [k, origin] of assembly.origins.entries())
      if (origin.kind === 'free') q[qAt[k]! + 3] = 1;
      else this.startJoint(k, origin);
    this.startFree();
  }

  /** Coordinates and speeds of a link that a joint is. */
  private startJoint(k: number, { joint, step: index, reversed }: JointOrigin): void {
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

  // -------------------------------------------------------------- from one structure to the next

  /** What it has learned on its way, and where it has left objects that are gone, as a value. */
  save() {
    const { strongest, frames, assembly, mechanism } = this;
    const left = assembly.places.flatMap(({ link }, k) =>
      link === GONE ? [{ object: k, pose: frames.pose(k) }] : [],
    );
    return { strongest, light: mechanism.articulated.light, left };
  }

  load({ strongest, light, left }: ReturnType<Setup['save']>): void {
    this.strongest = strongest;
    this.mechanism.articulated.light.set(light);
    for (const { object, pose } of left) this.frames.leave(object, pose);
  }

  /** Everything that moves, where the bodies are now. */
  snapshot(): Snapshot {
    const { frames, mechanism, scene } = this;
    const objects = tracedIn(scene);
    for (const k of objects) frames.update(k, mechanism);
    this.remember();
    const between = (a: number, b: number) => poseBetween(frames.pose(a), frames.pose(b));
    return {
      coordinates: this.last.map((own) => own.slice()),
      speeds: scene.joints.map(({ steps }, joint) =>
        steps.map(({ kind }, step) => (kind === 'spherical' ? 0 : this.speed(joint, step))),
      ),
      orientations: scene.joints.map(({ a, b, steps }) =>
        steps[0]?.kind === 'spherical' ? quaternionOf(between(a, b).rotation) : undefined,
      ),
      placed: new Placed(objects, frames),
      gone: Uint8Array.from(this.assembly.places, ({ link }) => (link === GONE ? 1 : 0)),
    };
  }

  /** Goes on with a motion of the same scene in another structure. What was not there begins as at the start. */
  goOn({ coordinates, speeds, orientations, placed: before, gone }: Snapshot): void {
    const { q, v, mechanism, assembly, frames, scene } = this;
    const { qAt, vAt } = mechanism.tree;
    const begins = (object: number) => gone[object] === 1;
    for (const k of scene.objects.keys())
      if (assembly.places[k]!.link === GONE) frames.leave(k, before.of(k).pose);
    for (const [k, origin] of assembly.origins.entries()) {
      if (origin.kind === 'free') {
        const { pose, linear, angular } = before.of(origin.object);
        q.set(pose.translation, qAt[k]!);
        q.set(quaternionOf(pose.rotation), qAt[k]! + 3);
        v.set(linear, vAt[k]!);
        v.set(angular, vAt[k]! + 3);
        continue;
      }
      const orientation = orientations[origin.joint];
      const { a, b } = scene.joints[origin.joint]!;
      if (begins(a) || begins(b)) this.startJoint(k, origin);
      else if (orientation) {
        const [from, to] = origin.reversed ? [b, a] : [a, b];
        const turning = minus(before.of(to).angular, before.of(from).angular);
        q.set(origin.reversed ? conjugate(orientation) : orientation, qAt[k]!);
        v.set(applied(transposed(before.of(from).pose.rotation), turning), vAt[k]!);
      } else {
        q[qAt[k]!] = coordinates[origin.joint]![origin.step]!;
        v[vAt[k]!] = speeds[origin.joint]![origin.step]!;
      }
    }
    if (gone.includes(1)) this.startFree(begins);
  }
}

const differs = (given: number, found: number, tolerance = startTolerance): boolean =>
  Math.abs(given - found) > tolerance * Math.max(1, Math.abs(given));

/** Inside of one body there is nothing to hold. */
const isBetween = (closure: Closure): boolean => closure.kind === 'locked' || closure.a !== closure.b;

const none: ReadonlyMap<number, undefined> = new Map();

const conjugate = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];
