/**
 * The mechanism of a run: what the component of `whole.ts` remembers. A segment has one assembly of the scene; its hidden states are the
 * coordinates and speeds of the links that are not driven.
 */
import type { ComponentEvent, Instance, Point, Segment } from '../builtin/component.ts';
import type { Picture } from '../builtin/picture.ts';
import type { Part } from '../builtin/whole.ts';
import { grouped } from '../collections/groups.ts';
import { sameItems } from '../collections/lists.ts';
import type { Failure } from '../diagnostic/failure.ts';
import { Coordinates } from './coordinates.ts';
import type { Closure } from './dynamics/closure.ts';
import { Mechanism } from './dynamics/mechanism.ts';
import { Frames } from './frames.ts';
import { Loads } from './loads.ts';
import { pictureOf } from './picture.ts';
import { own, type Ports } from './ports.ts';
import { shown } from './problem.ts';
import * as readings from './readings.ts';
import { type Assembly, assemble, type Held } from './scene/assembly.ts';
import { closuresOf, holding, type JointClosure, poseBetween } from './scene/closures.ts';
import { partFailure } from './scene/names.ts';
import type { Level } from './scene/parts.ts';
import { type MeshReader, readScene, type Scene, type SceneJoint } from './scene/scene.ts';
import {
  applied,
  cross,
  type Matrix,
  minus,
  type Pose,
  placed,
  plus,
  type Quaternion,
  quaternionOf,
  transposed,
  type Vector,
} from './space.ts';

/** Writes an output at its place. */
type Write = (y: Float64Array, at: number) => void;

interface Output {
  readonly level: Level | 'matrix' | 'bias' | 'momentum';
  readonly at: number;
  readonly length: number;
  readonly write: Write;
}

/** A motion, whatever its bodies are joined to. */
interface Snapshot {
  /** By joint and step. */
  readonly coordinates: readonly Float64Array[];
  readonly speeds: readonly (readonly number[])[];
  /** Of spherical joints. */
  readonly orientations: readonly (Quaternion | undefined)[];
  /** By object. */
  readonly poses: readonly Pose[];
  readonly velocities: readonly { readonly linear: Vector; readonly angular: Vector }[];
}

/** How fast states approach what they are projected to, in 1/s. */
const pull = 5;

export class Bodies {
  private readonly scene: Scene;
  private readonly loads: Loads;
  private readonly coordinates: Coordinates;
  private readonly outputs: readonly Output[];
  private readonly conditionAt: ReadonlyMap<string, number>;
  private readonly places: { readonly [Kind in keyof Ports]: Int32Array };
  /** Joints that hold, with the poses that they hold, and wheels that touch their planes. */
  private held: Held = new Map();
  private rolling: readonly number[] = [];
  private closures: readonly JointClosure[] = [];
  /** Motion with which the next segment begins. */
  private next: Snapshot | undefined;
  private assembly!: Assembly;
  private mechanism!: Mechanism;
  private frames!: Frames;
  /** States of the point that is looked at, and coordinates and speeds of all links there. */
  private x: Float64Array = empty;
  private q = empty;
  private v = empty;
  private qdot = empty;
  private a = empty;
  private tau = empty;
  private wrenches = empty;
  /** Of each hidden state: its place among coordinates, and among speeds. */
  private stateQ: Int32Array = none;
  private stateV: Int32Array = none;
  /** Of each driven joint: its place among coordinates and speeds. */
  private drivenQ: Int32Array = none;
  private drivenV: Int32Array = none;
  /** ... and its place among the driven links; the matrix M in the order of these. */
  private order: Int32Array = none;
  private matrix = empty;
  /** Whether the component has not been told of its start yet. */
  private isFirst = true;
  /** Whether frames are those of the last states and driven coordinates. */
  private isLocated = false;
  /** Momentum that changes of the structure have brought to driven joints. */
  private readonly momentum: Float64Array;

  constructor(
    instance: Instance,
    parts: readonly Part[],
    ports: Ports,
    outputs: readonly string[],
    meshes: MeshReader,
  ) {
    this.scene = readScene(instance, parts, meshes);
    this.loads = new Loads(instance, this.scene);
    this.coordinates = new Coordinates(this.scene);
    const places = (names: readonly string[]) => Int32Array.from(names, (name) => instance.input(name).start);
    this.places = {
      coordinates: places(ports.coordinates),
      speeds: places(ports.speeds),
      accelerations: places(ports.accelerations),
      loads: places(ports.loads),
      conditions: places(ports.conditions),
    };
    this.conditionAt = new Map(ports.conditions.map((name) => [name, instance.input(name).start]));
    this.momentum = new Float64Array(ports.coordinates.length);
    const writers = this.writers();
    this.outputs = outputs.map((name) => {
      const { start, length } = instance.output(name);
      return { at: start, length, ...writers.get(name)! };
    });
  }

  // -------------------------------------------------------------- segments

  begin(segment: Segment): void {
    if (segment.first) this.forget();
    this.assembly = assemble(this.scene, this.held);
    this.closures = closuresOf(this.scene, this.assembly, this.rolling);
    this.mechanism = new Mechanism({
      links: this.assembly.links,
      closures: this.closures.map(({ closure }) => closure),
      gravity: this.scene.gravity,
    });
    this.frames = new Frames(this.assembly.places);
    const { nq, nv, n } = this.mechanism.tree;
    this.q = new Float64Array(nq);
    this.qdot = new Float64Array(nq);
    this.v = new Float64Array(nv);
    this.a = new Float64Array(nv);
    this.tau = new Float64Array(nv);
    this.wrenches = new Float64Array(6 * n);
    this.coordinates.begin(this.assembly, this.held.keys());
    this.findDriven();
    if (this.next) this.goOn(this.next);
    else this.placeAtStart();
    this.next = undefined;
    this.place();
    this.declareStates(segment);
    this.declareVariables(segment);
    this.isLocated = false;
  }

  /** Begins anew. */
  private forget(): void {
    this.held = new Map();
    this.rolling = [];
    this.next = undefined;
    this.momentum.fill(0);
    this.coordinates.forget();
  }

  private findDriven(): void {
    const { qAt, vAt, drives } = this.mechanism.tree;
    const links = new Map<string, number>();
    for (const [k, origin] of this.assembly.origins.entries())
      if (origin.kind === 'joint') links.set(this.scene.joints[origin.joint]!.name, k);
    const driven = this.scene.joints.filter(({ drive }) => drive).map(({ name }) => links.get(name)!);
    this.drivenQ = Int32Array.from(driven, (k) => qAt[k]!);
    this.drivenV = Int32Array.from(driven, (k) => vAt[k]!);
    this.order = Int32Array.from(driven, (k) => drives.indexOf(k));
    this.matrix = new Float64Array(driven.length ** 2);
  }

  /** Coordinates and speeds that the model gives for the start. */
  private placeAtStart(): void {
    const { q, v, mechanism, assembly, scene } = this;
    const { qAt, vAt } = mechanism.tree;
    for (const [k, origin] of assembly.origins.entries()) {
      if (origin.kind === 'free') {
        q[qAt[k]! + 3] = 1;
        continue;
      }
      const step = scene.joints[origin.joint]!.steps[origin.step]!;
      const isWide = step.kind === 'spherical';
      q.set(isWide && origin.reversed ? conjugate(step.q) : step.q, qAt[k]!);
      v.set(step.v, vAt[k]!);
    }
    this.placeFree();
    this.isFirst = true;
  }

  /** A free object may be placed in one that moves. */
  private placeFree(): void {
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

  /** Coordinates and speeds of the motion that a change of the structure ended. */
  private goOn({ coordinates, speeds, orientations, poses, velocities }: Snapshot): void {
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

  /** Everything that moves, where the bodies are now. */
  private snapshot(): Snapshot {
    const { frames, mechanism, coordinates, q, v, scene } = this;
    for (const k of scene.objects.keys()) frames.update(k, mechanism);
    coordinates.remember(q, mechanism, frames);
    const poses = scene.objects.map((_, k) => poseIn(frames, k));
    return {
      coordinates: coordinates.last.map((own) => own.slice()),
      speeds: scene.joints.map(({ steps }, j) =>
        steps.map(({ kind }, s) =>
          kind === 'spherical' ? 0 : coordinates.speed(j, s, v, mechanism, frames),
        ),
      ),
      orientations: scene.joints.map(({ a, b, steps }) =>
        steps[0]?.kind === 'spherical' ? quaternionOf(poseBetween(poses[a]!, poses[b]!).rotation) : undefined,
      ),
      poses,
      velocities: scene.objects.map((_, k) => ({
        linear: vectorIn(frames.velocity, k),
        angular: vectorIn(frames.angular, k),
      })),
    };
  }

  /** Pose and velocities in the world that a free object has at the start. */
  private motionAtStart(object: number): { pose: Pose; velocity: Vector; angularVelocity: Vector } {
    const { parent = 0, pose, velocity, angularVelocity } = this.scene.objects[object]!;
    const { frames } = this;
    frames.update(parent, this.mechanism);
    const around = poseIn(frames, parent);
    const arm = applied(around.rotation, pose.translation);
    const turning = vectorIn(frames.angular, parent);
    const moving = plus(vectorIn(frames.velocity, parent), cross(turning, arm));
    return {
      pose: placed(around, pose),
      velocity: plus(moving, applied(around.rotation, velocity)),
      angularVelocity: plus(turning, applied(around.rotation, angularVelocity)),
    };
  }

  private declareStates(segment: Segment): void {
    const { assembly, scene, mechanism } = this;
    const { qAt, vAt } = mechanism.tree;
    const [places, speeds]: [number[], number[]] = [[], []];
    const declare = (name: string, values: Float64Array, from: number, to: number, into: number[]) => {
      segment.state(name, { start: values.slice(from, to), hidden: true });
      for (let i = from; i < to; i++) into.push(i);
    };
    const free = assembly.origins.flatMap((origin, k) => {
      if (origin.kind === 'free') return [{ k, name: scene.objects[origin.object]!.name }];
      const { name, steps, drive } = scene.joints[origin.joint]!;
      return drive ? [] : [{ k, name: steps.length > 1 ? `${name}.step${origin.step + 1}` : name }];
    });
    for (const { k, name } of free) declare(`${name}.q`, this.q, qAt[k]!, qAt[k + 1]!, places);
    for (const { k, name } of free) declare(`${name}.qd`, this.v, vAt[k]!, vAt[k + 1]!, speeds);
    this.stateQ = Int32Array.from(places);
    this.stateV = Int32Array.from(speeds);
  }

  private declareVariables(segment: Segment): void {
    for (const [k, { name }] of this.scene.objects.entries()) {
      if (k === 0) continue;
      segment.variable(`${name}.r`, { size: 3, unit: 'm', description: 'Position' });
      segment.variable(`${name}.angles`, {
        size: 3,
        unit: 'rad',
        displayUnit: 'deg',
        description: 'Angles about x, the new y, the new z',
      });
      segment.variable(`${name}.v`, { size: 3, unit: 'm/s', description: 'Velocity' });
      segment.variable(`${name}.w`, { size: 3, unit: 'rad/s', description: 'Angular velocity' });
    }
  }

  // -------------------------------------------------------------- evaluation

  stateOutputs({ x, u, y }: Point): void {
    this.x = x;
    this.readStates();
    this.isLocated = false;
    const isDriven = this.drivenQ.length > 0;
    if (!isDriven) this.locate(u);
    for (const { level, at, write } of this.outputs) {
      if (level === 'momentum') write(y, at);
      if (isDriven || level === 'matrix' || level === 'bias' || level === 'momentum') continue;
      if (level === 'acceleration' && this.loads.any) continue;
      if (level === 'acceleration') this.accelerate(u);
      write(y, at);
    }
  }

  directOutput({ u, y }: Point, output: number): void {
    const { level, at, write } = this.outputs[output]!;
    this.locate(u);
    if (level === 'acceleration') this.accelerate(u);
    if (level === 'bias') this.loads.apply(u, this.frames, this.mechanism, this.wrenches);
    write(y, at);
  }

  derivatives({ x, u, dx }: Point): void {
    const { q, v, a, qdot, stateQ, stateV } = this;
    this.locate(u);
    this.accelerate(u);
    this.mechanism.rates(q, v, qdot);
    const n = stateQ.length;
    for (let i = 0; i < n; i++) dx[i] = qdot[stateQ[i]!]!;
    for (let i = 0; i < stateV.length; i++) dx[n + i] = a[stateV[i]!]!;
    if (this.closures.length === 0) return;
    // States follow what they were projected to, so that they stay near it.
    for (let i = 0; i < n; i++) dx[i]! += pull * (q[stateQ[i]!]! - x[i]!);
    for (let i = 0; i < stateV.length; i++) dx[n + i]! += pull * (v[stateV[i]!]! - x[n + i]!);
  }

  variables({ u, w }: Point): void {
    this.locate(u);
    const { frames } = this;
    let at = 0;
    for (let k = 1; k < this.scene.objects.length; k++) {
      frames.update(k, this.mechanism);
      const against = { of: k, origin: 0, resolve: 0 };
      for (let i = 0; i < 3; i++) {
        w[at + i] = frames.position[3 * k + i]!;
        w[at + 6 + i] = frames.velocity[3 * k + i]!;
        w[at + 9 + i] = frames.angular[3 * k + i]!;
      }
      readings.angles(frames, against, w, at + 3);
      at += 12;
    }
  }

  /** Brings bodies and the objects that are looked at to where states and driven coordinates say. */
  private locate(u: Float64Array): void {
    const { q, v, drivenQ, drivenV, places } = this;
    for (let i = 0; i < drivenQ.length; i++) {
      const coordinate = u[places.coordinates[i]!]!;
      // Where positions alone are asked for, speeds may not be known yet.
      const speed = u[places.speeds[i]!]! || 0;
      if (q[drivenQ[i]!] === coordinate && v[drivenV[i]!] === speed) continue;
      q[drivenQ[i]!] = coordinate;
      v[drivenV[i]!] = speed;
      this.isLocated = false;
    }
    if (this.isLocated) return;
    if (this.closures.length > 0) this.readStates();
    this.place();
    for (const object of this.observed) this.frames.update(object, this.mechanism);
    this.isLocated = true;
  }

  /** Brings bodies to where coordinates say, and these to where loops are closed. */
  private place(): void {
    const { q, v, mechanism, closures } = this;
    if (closures.length === 0) {
      mechanism.locate(q, v);
      return;
    }
    const outcome = mechanism.project(q, v);
    if (outcome === 'closed') return;
    const { open, residual, tied } = mechanism.loops;
    throw outcome === 'open' ? this.cannotClose(closures[open]!.joint, residual) : this.tiedDrives(tied);
  }

  private cannotClose(joint: number, distance: number): Failure {
    const { part } = this.scene.joints[joint]!;
    return partFailure(
      part,
      'bad-body',
      `The loop with the joint \`${part.path}\` cannot be closed: at best ${shown(distance)} is missing.`,
      {
        hint: 'Look at the lengths of its bodies, at the axes of its joints, and at their start values.',
      },
    );
  }

  private tiedDrives(tied: Uint8Array): Failure {
    const driven = this.scene.joints.filter(({ drive }) => drive);
    const names = driven.filter((_, i) => tied[this.order[i]!] === 1);
    const list = names.map(({ name }) => `\`${name}\``).join(', ');
    return partFailure(
      names[0]!.part,
      'unsupported',
      `A loop ties the joints with flanges to each other, or holds them: ${list}.`,
      {
        hint: 'Give flanges only to as many joints of a loop as can be moved independently.',
      },
    );
  }

  private accelerate(u: Float64Array): void {
    const { a, tau, drivenV, places } = this;
    for (let i = 0; i < drivenV.length; i++) a[drivenV[i]!] = u[places.accelerations[i]!]!;
    this.loads.apply(u, this.frames, this.mechanism, this.wrenches);
    this.checkSingular(this.mechanism.accelerate(tau, this.wrenches, a));
  }

  private checkSingular(link: number): void {
    if (link < 0) return;
    const origin = this.assembly.origins[link]!;
    const [part, what] =
      origin.kind === 'free'
        ? [this.scene.objects[origin.object]!.part!, 'the free motion of the body']
        : [this.scene.joints[origin.joint]!.part, 'the motion of the joint'];
    throw partFailure(
      part,
      'bad-body',
      `Nothing resists ${what} \`${part.path}\`: what it moves has no mass, or no inertia about its axis.`,
      {
        hint: 'Give a mass, a density or a material to an object behind it.',
      },
    );
  }

  // -------------------------------------------------------------- events

  event(event: ComponentEvent): void {
    const { point, before, began } = event;
    if (began && this.isFirst) this.startWith(point);
    this.follow(point, before);
    if (this.changeStructure(point.u)) event.restart();
  }

  /** Initial values where driven coordinates are known. */
  private startWith({ u, x }: Point): void {
    this.isFirst = false;
    if (this.drivenQ.length === 0) return;
    this.locate(u);
    this.placeFree();
    this.isLocated = false;
    this.locate(u);
    this.writeStates(x);
  }

  private readStates(): void {
    const { q, v, x, stateQ, stateV } = this;
    for (let i = 0; i < stateQ.length; i++) q[stateQ[i]!] = x[i]!;
    for (let i = 0; i < stateV.length; i++) v[stateV[i]!] = x[stateQ.length + i]!;
  }

  private writeStates(x: Float64Array): void {
    const { q, v, stateQ, stateV } = this;
    for (let i = 0; i < stateQ.length; i++) x[i] = q[stateQ[i]!]!;
    for (let i = 0; i < stateV.length; i++) x[stateQ.length + i] = v[stateV[i]!]!;
  }

  /** Takes up what conditions say; true where bodies and joints are others from here on. */
  private changeStructure(u: Float64Array): boolean {
    const { joints } = this.scene;
    const holds = joints.flatMap(({ condition }, k) => {
      const at = condition === undefined ? undefined : this.conditionAt.get(condition);
      return at !== undefined && u[at] !== 0 ? [k] : [];
    });
    const isWheel = (k: number) => joints[k]!.rolling !== undefined;
    const held = holds.filter((k) => !isWheel(k));
    const rolling = holds.filter(isWheel);
    if (sameItems(held, [...this.held.keys()]) && sameItems(rolling, this.rolling)) return false;
    this.locate(u);
    const poses = this.snapshot().poses;
    const poseOf = ({ a, b }: SceneJoint) => poseBetween(poses[a]!, poses[b]!);
    const beginning = [
      ...held
        .filter((k) => !this.held.has(k))
        .map((k) => holding(joints[k]!, this.assembly, poseOf(joints[k]!))),
      ...closuresOf(
        this.scene,
        { ...this.assembly, loops: [] },
        rolling.filter((k) => !this.rolling.includes(k)),
      ).map(({ closure }) => closure),
    ].filter((closure) => closure.kind === 'locked' || closure.a !== closure.b);
    if (beginning.length > 0) this.collide(beginning);
    this.next = this.snapshot();
    this.held = new Map(held.map((k) => [k, this.held.get(k) ?? poseOf(joints[k]!)]));
    this.rolling = rolling;
    return true;
  }

  /** What begins to hold takes the speeds that it does not allow, by impulses; driven joints keep theirs and have to bear some. */
  private collide(beginning: readonly Closure[]): void {
    const { q, v, order, scene } = this;
    const joined = new Mechanism({
      links: this.assembly.links,
      closures: [...this.closures.map(({ closure }) => closure), ...beginning],
      gravity: scene.gravity,
    });
    joined.locate(q, v);
    const impulses = new Float64Array(order.length);
    this.checkSingular(joined.impact(v, impulses));
    for (let i = 0; i < order.length; i++) this.momentum[i]! += impulses[order[i]!]!;
    this.mechanism.locate(q, v);
  }

  /** Speeds of free joints jump with those of driven ones, as inertia says. */
  private follow({ u, x }: Point, before: Float64Array): void {
    const { order, places, stateQ, stateV, v } = this;
    const change = new Float64Array(order.length);
    for (let i = 0; i < order.length; i++) {
      const at = places.speeds[i]!;
      change[order[i]!] = u[at]! - before[at]!;
    }
    if (stateV.length === 0 || change.every((value) => value === 0)) return;
    this.locate(u);
    this.checkSingular(this.mechanism.jump(change, v));
    for (let i = 0; i < stateV.length; i++) x[stateQ.length + i] = v[stateV[i]!]!;
    this.isLocated = false;
  }

  picture(): Picture {
    return pictureOf(this.scene);
  }

  // -------------------------------------------------------------- outputs

  /** Objects whose frames outputs and forces need. */
  private get observed(): readonly number[] {
    return (this.observedObjects ??= [
      ...new Set([
        ...this.loads.objects,
        ...this.scene.joints.flatMap(({ a, b, drive }) => (drive ? [] : [a, b])),
        ...this.scene.sensors.flatMap(({ of, origin, resolve, kind }) =>
          kind === 'ReactionSensor' ? [resolve] : [of, origin, resolve],
        ),
      ]),
    ]);
  }
  private observedObjects: readonly number[] | undefined;

  /** By the name of an output: how it is computed. */
  private writers(): Map<string, { readonly level: Output['level']; readonly write: Write }> {
    const writers = new Map<string, { readonly level: Output['level']; readonly write: Write }>();
    writers.set(own.matrix, { level: 'matrix', write: (y, at) => this.writeMatrix(y, at) });
    writers.set(own.bias, { level: 'bias', write: (y, at) => this.writeBias(y, at) });
    writers.set(own.momentum, { level: 'momentum', write: (y, at) => y.set(this.momentum, at) });
    const add = (part: Part, level: Level, all: Readonly<Record<string, Write>>) => {
      for (const [name, write] of Object.entries(all)) writers.set(`${part.path}.${name}`, { level, write });
    };
    for (const { part, kind, a, b = a } of this.scene.forces) {
      if (kind === 'PointToPoint') {
        const against = { of: b, origin: a, resolve: a };
        add(part, 'position', { length: (y, at) => void (y[at] = readings.distance(this.frames, against)) });
        add(part, 'velocity', {
          speed: (y, at) => void (y[at] = readings.distanceSpeed(this.frames, against)),
        });
      }
      if (kind === 'ForceAndTorque') this.addRelative(add, part, { of: b, origin: a, resolve: a });
    }
    for (const { part, kind, of, origin, resolve } of this.scene.sensors) {
      const against = { of, origin, resolve };
      if (kind === 'AccelerationSensor') {
        add(part, 'acceleration', {
          z: (y, at) => this.writeAcceleration(of, resolve, 0, y, at),
          a: (y, at) => this.writeAcceleration(of, resolve, 3, y, at),
        });
        continue;
      }
      if (kind === 'ReactionSensor') {
        add(part, 'acceleration', {
          t: (y, at) => this.writeReaction(of, resolve, 0, y, at),
          f: (y, at) => this.writeReaction(of, resolve, 3, y, at),
        });
        continue;
      }
      this.addRelative(add, part, against);
      add(part, 'position', { distance: (y, at) => void (y[at] = readings.distance(this.frames, against)) });
      add(part, 'velocity', {
        distanceSpeed: (y, at) => void (y[at] = readings.distanceSpeed(this.frames, against)),
      });
    }
    for (const [index, { part, steps, drive, a, b }] of this.scene.joints.entries()) {
      if (drive) continue;
      const against = { of: b, origin: a, resolve: a };
      const by = (name: 'q' | 'v') => grouped([...steps.keys()], (step) => steps[step]!.shown[name]);
      for (const [name, own] of by('q'))
        if (name !== undefined)
          add(part, 'position', { [name]: (y, at) => this.writeCoordinates(index, own, y, at) });
      for (const [name, own] of by('v'))
        add(part, 'velocity', {
          [name!]: (y, at) =>
            steps[own[0]!]!.kind === 'spherical'
              ? readings.angularVelocity(this.frames, against, y, at)
              : this.writeSpeeds(index, own, y, at),
        });
    }
    return writers;
  }

  private addRelative(
    add: (part: Part, level: Level, all: Readonly<Record<string, Write>>) => void,
    part: Part,
    against: readings.Against,
  ): void {
    add(part, 'position', {
      r: (y, at) => readings.position(this.frames, against, y, at),
      angles: (y, at) => readings.angles(this.frames, against, y, at),
    });
    add(part, 'velocity', {
      v: (y, at) => readings.velocity(this.frames, against, y, at),
      w: (y, at) => readings.angularVelocity(this.frames, against, y, at),
    });
  }

  private writeCoordinates(joint: number, steps: readonly number[], y: Float64Array, at: number): void {
    for (let i = 0; i < steps.length; i++)
      y[at + i] = this.coordinates.coordinate(joint, steps[i]!, this.q, this.mechanism, this.frames);
  }

  private writeSpeeds(joint: number, steps: readonly number[], y: Float64Array, at: number): void {
    for (let i = 0; i < steps.length; i++)
      y[at + i] = this.coordinates.speed(joint, steps[i]!, this.v, this.mechanism, this.frames);
  }

  /** Angular acceleration (from 0) or acceleration of the origin (from 3) of an object. */
  private writeAcceleration(
    object: number,
    resolve: number,
    from: number,
    y: Float64Array,
    at: number,
  ): void {
    const { frames, mechanism } = this;
    const link = frames.linkOf(object);
    wrench.fill(0);
    if (link >= 0) {
      mechanism.acceleration(link, wrench);
      const [o, l] = [3 * object, 3 * link];
      const { position, angular } = mechanism.motion;
      const arm: Vector = [
        frames.position[o]! - position[l]!,
        frames.position[o + 1]! - position[l + 1]!,
        frames.position[o + 2]! - position[l + 2]!,
      ];
      const turning = vectorIn(angular, link);
      const more = plus(
        cross([wrench[0]!, wrench[1]!, wrench[2]!], arm),
        cross(turning, cross(turning, arm)),
      );
      for (let i = 0; i < 3; i++) wrench[3 + i]! += more[i]!;
    }
    this.resolved(resolve, from, y, at);
  }

  /** Torque about the origin of the second object (from 0) or force (from 3) of the first object of a joint on the second. */
  private writeReaction(joint: number, resolve: number, from: number, y: Float64Array, at: number): void {
    const { steps, b } = this.scene.joints[joint]!;
    const origin = this.assembly.origins;
    const link = steps.length > 0 ? this.coordinates.linkOf(joint, steps.length - 1) : -1;
    wrench.fill(0);
    if (link >= 0) {
      this.mechanism.reaction(link, wrench);
      void origin;
      void b;
    }
    this.resolved(resolve, from, y, at);
  }

  /** Three numbers of the wrench along the axes of an object. */
  private resolved(object: number, from: number, y: Float64Array, at: number): void {
    const { rotation } = this.frames;
    const r = 9 * object;
    for (let i = 0; i < 3; i++)
      y[at + i] =
        rotation[r + i]! * wrench[from]! +
        rotation[r + 3 + i]! * wrench[from + 1]! +
        rotation[r + 6 + i]! * wrench[from + 2]!;
  }

  /** M of driven joints, in the order of the model. */
  private writeMatrix(y: Float64Array, at: number): void {
    const { order } = this;
    const n = order.length;
    this.checkSingular(this.mechanism.driven(this.matrix));
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) y[at + i * n + j] = this.matrix[order[i]! * n + order[j]!]!;
  }

  /** Forces that driven joints need at no acceleration; wrenches are in place. */
  private writeBias(y: Float64Array, at: number): void {
    for (let i = 0; i < this.drivenV.length; i++) this.a[this.drivenV[i]!] = 0;
    this.checkSingular(this.mechanism.accelerate(this.tau, this.wrenches, this.a));
    for (let i = 0; i < this.drivenV.length; i++) y[at + i] = this.tau[this.drivenV[i]!]!;
  }
}

const wrench = new Float64Array(6);
const empty = new Float64Array(0);
const none = new Int32Array(0);

const conjugate = ([w, x, y, z]: readonly number[]): number[] => [w!, -x!, -y!, -z!];

const vectorIn = (array: Float64Array, k: number): Vector => [
  array[3 * k]!,
  array[3 * k + 1]!,
  array[3 * k + 2]!,
];

const poseIn = (frames: Frames, k: number): Pose => ({
  translation: vectorIn(frames.position, k),
  rotation: Array.from(frames.rotation.subarray(9 * k, 9 * k + 9)) as unknown as Matrix,
});
