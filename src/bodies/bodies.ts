/**
 * The mechanism of a run: what the component of `whole.ts` remembers. A segment has one setup of the scene; its hidden states are the
 * coordinates and speeds of the links that are not driven. Where loops are closed, every evaluation looks at the motion that is next to the states and
 * satisfies the closures, so that these hold whatever the tolerance is.
 */

import type {
  ComponentEvent,
  Explanation,
  Instance,
  Point,
  Segment,
  Trouble,
  VariableOptions,
} from '../builtin/component.ts';
import type { Picture } from '../builtin/picture.ts';
import type { Part } from '../builtin/whole.ts';
import { sameItems } from '../collections/lists.ts';
import { listed } from '../diagnostic/words.ts';
import { withPath } from '../names/names.ts';
import { METRES } from './dynamics/closure.ts';
import { Impact } from './impact.ts';
import { Loads } from './loads.ts';
import { massless } from './mass.ts';
import { type Output, observedIn, outputsOf } from './outputs.ts';
import { pictureOf } from './picture.ts';
import { type Leading, own, type Ports } from './ports.ts';
import { shown } from './problem.ts';
import * as readings from './readings.ts';
import { GONE } from './scene/assembly.ts';
import { poseBetween } from './scene/closures.ts';
import { partFailure } from './scene/names.ts';
import { type MeshReader, readScene } from './scene/reading.ts';
import type { Scene } from './scene/scene.ts';
import type { Led, Setup, Snapshot } from './setup.ts';
import { Setups } from './setups.ts';
import { changedSpeeds } from './starts.ts';
import {
  beginningOf,
  holdersOf,
  isSame,
  nothingHolds,
  type Structure,
  structureOf,
  withoutObjects,
} from './structure.ts';
import { attracted, beyondReach, boundless, endless, unresisted, weakJoint } from './trouble.ts';

/** How fast states approach the motion that satisfies closures, in 1/s. */
const pull = 5;

/** How far a joint with a flange may be from where loops hold it, in rad, m, rad/s or m/s. */
const torn = 1e-2;

/** The share of a jump that impulses may leave unexplained. */
const unexplained = 1e-6;
/** The share of the fastest speed by which others may differ from what they were without having jumped. */
const rounding = 1e-12;

/** How far a wheel may be from its plane when it begins to roll, in m. */
const touching = 1e-5;

/** How much is stored of an object: position, angles, velocity, angular velocity. */
const storedNumbers = 12;

/** So many start values that are changed are named. */
const mostChanges = 8;

interface PlacedOutput extends Output {
  readonly at: number;
}

/** See `Bodies.save`. */
export interface SavedBodies {
  readonly structure: Structure;
  readonly from: readonly Float64Array[];
  readonly last: readonly Float64Array[];
  readonly momentum: Float64Array;
  readonly isFirst: boolean;
  readonly learned: ReturnType<Setup['save']>;
}

export class Bodies {
  private readonly scene: Scene;
  private readonly loads: Loads;
  private readonly outputs: readonly PlacedOutput[];
  /** Objects whose frames are needed at every evaluation. */
  private readonly observed: readonly number[];
  /** Where inputs lie. */
  private readonly places: {
    readonly [Kind in 'coordinates' | 'speeds' | 'accelerations' | 'pushes']: Int32Array;
  };
  private readonly leading: Leading;
  /** Objects whose motion is stored, in this order. */
  private readonly stored: readonly number[];
  /** Of each of them its results; options are frozen, because they are declared again and again. */
  private readonly results: readonly (readonly {
    readonly name: string;
    readonly options: VariableOptions;
  }[])[];
  /** Inputs of the last point. */
  private inputs: Float64Array = empty;
  private readonly conditionAt: ReadonlyMap<string, number>;
  /** By joint and step: the last coordinate that is known, and what it was when the present structure began. */
  private readonly last: readonly Float64Array[];
  private readonly from: readonly Float64Array[];
  /** What changes of the structure have brought to joints with flanges: momentum where these are driven, speed where they are pushed. */
  private readonly momentum: Float64Array;
  /** The same when the last event came. */
  private readonly momentumBefore: Float64Array;
  /** Coordinates and speeds of joints with flanges that were last seen, in turn. */
  private readonly seen: Float64Array;
  private readonly setups: Setups;
  private structure: Structure = nothingHolds;
  /** Motion with which the next segment begins. */
  private next: Snapshot | undefined;
  private setup!: Setup;
  /** The last instant at which joints began or ceased to hold, and how often each of them did. */
  private toggled: { readonly time: number; readonly counts: Map<number, number> } = {
    time: Number.NaN,
    counts: new Map(),
  };
  /** The last impact of what began to hold. */
  private impact: Impact | undefined;
  private qdot = empty;
  private a = empty;
  private tau = empty;
  private wrenches = empty;
  /** States of the point that is looked at; of each its place among coordinates, and among speeds. */
  private x: Float64Array = empty;
  private stateQ: Int32Array = none;
  private stateV: Int32Array = none;
  /** Of each joint with a flange: its place among coordinates, speeds and driven links; the matrix M in the order of these. */
  private drivenQ: Int32Array = none;
  private drivenV: Int32Array = none;
  private order: Int32Array = none;
  private matrix = empty;
  /** Of each joint with a flange, if these are pushed. */
  private readonly rotors: Float64Array;
  /** Start values that had to be changed. */
  private changed: readonly string[] = [];
  /** The motion that the model gives for the start, while something that begins to hold there may change it. */
  private given: Snapshot | undefined;
  /** Whether the component has not been told of its start yet. */
  private isFirst = true;
  /** Whether bodies are where the last states and driven coordinates say, and whether the matrix of pushed joints is known there. */
  private isLocated = false;
  private isReduced = false;

  constructor(
    instance: Instance,
    parts: readonly Part[],
    ports: Ports,
    outputs: readonly string[],
    meshes: MeshReader,
  ) {
    this.scene = readScene(instance, parts, meshes);
    this.leading = ports.leading;
    this.rotors = this.scene.rotors.filter((_, joint) => this.scene.joints[joint]!.drive);
    this.loads = new Loads(instance, this.scene);
    const places = (names: readonly string[]) => Int32Array.from(names, (name) => instance.input(name).start);
    this.places = {
      coordinates: places(ports.coordinates),
      speeds: places(ports.speeds),
      accelerations: places(ports.accelerations),
      pushes: places(ports.pushes),
    };
    this.conditionAt = new Map(ports.conditions.map((name) => [name, instance.input(name).start]));
    this.last = this.scene.joints.map(({ steps }) => new Float64Array(steps.length));
    this.from = this.last.map((own) => own.slice());
    this.setups = new Setups(this.scene, this.last, this.leading);
    this.momentum = new Float64Array(ports.coordinates.length);
    this.momentumBefore = this.momentum.slice();
    this.seen = new Float64Array(2 * ports.coordinates.length);
    this.observed = [...new Set([...this.loads.objects, ...observedIn(this.scene)])];
    const all = outputsOf(this.scene, {
      matrix: (setup, y, at) => this.writeMatrix(setup, y, at),
      compliance: (setup, y, at) => this.writeCompliance(setup, y, at),
      bias: (setup, y, at) => this.writeBias(setup, y, at),
      momentum: (_, y, at) => y.set(this.momentum, at),
    });
    this.stored = storedIn(this.scene);
    this.results = this.stored.map((k) => {
      const { part, fixed } = this.scene.objects[k]!;
      return Object.entries(part!.kind.results!).map(([name, options]) => ({
        name: withPath(part!.path, name),
        options: Object.freeze({ ...options, state: !fixed }),
      }));
    });
    this.outputs = outputs.map((name) => ({ ...all.get(name)!, at: instance.output(name).start }));
  }

  picture(): Picture {
    return pictureOf(this.scene);
  }

  // -------------------------------------------------------------- segments

  begin(segment: Segment): void {
    if (segment.first) this.forget();
    this.setUp();
    if (this.next) {
      this.setup.goOn(this.next);
      this.setup.place();
    } else {
      this.setup.start();
      this.changed = this.setup.close();
    }
    this.next = undefined;
    this.declareStates(segment);
    this.declareVariables(segment);
  }

  /** The mechanism of the present structure, and room for its numbers. */
  private setUp(): void {
    for (const [k, own] of this.last.entries()) this.from[k]!.set(own);
    this.setup = this.setups.of(this.structure);
    const { nq, nv, n } = this.setup.mechanism.tree;
    this.qdot = new Float64Array(nq);
    this.a = new Float64Array(nv);
    this.tau = new Float64Array(nv);
    this.wrenches = new Float64Array(6 * n);
    this.stateQ = this.setup.hidden.q;
    this.stateV = this.setup.hidden.v;
    this.findDriven();
    this.seen.fill(Number.NaN);
    this.isLocated = false;
  }

  /** What values to come depend on between two instants; the last impact is but for reports. */
  save(): SavedBodies {
    const { structure, from, last, momentum, isFirst } = this;
    return { structure, from, last, momentum, isFirst, learned: this.setup.save() };
  }

  load({ structure, from, last, momentum, isFirst, learned }: SavedBodies): void {
    this.structure = structure;
    for (const [k, own] of from.entries()) this.last[k]!.set(own);
    this.setUp();
    this.setup.load(learned);
    for (const [k, own] of last.entries()) this.last[k]!.set(own);
    this.momentum.set(momentum);
    this.momentumBefore.set(momentum);
    this.isFirst = isFirst;
    this.impact = undefined;
  }

  /** Begins anew. */
  private forget(): void {
    this.structure = nothingHolds;
    this.next = undefined;
    this.impact = undefined;
    this.given = undefined;
    this.isFirst = true;
    this.momentum.fill(0);
    this.momentumBefore.fill(0);
    for (const [k, { steps }] of this.scene.joints.entries())
      this.last[k]!.set(steps.map(({ q }) => q[0] ?? 0));
  }

  private findDriven(): void {
    const driven = this.scene.joints.flatMap(({ drive }, joint) => (drive ? [this.setup.drive(joint)] : []));
    this.drivenQ = Int32Array.from(driven, ({ q }) => q);
    this.drivenV = Int32Array.from(driven, ({ v }) => v);
    this.order = Int32Array.from(driven, ({ order }) => order);
    this.matrix = new Float64Array(driven.length ** 2);
  }

  private declareStates(segment: Segment): void {
    const { hidden, q, v } = this.setup;
    for (const { name, nominal, from, to } of hidden.coordinates)
      segment.state(name, { start: q.subarray(from, to), hidden: true, nominal });
    for (const { name, nominal, from, to } of hidden.speeds)
      segment.state(name, { start: v.subarray(from, to), hidden: true, nominal });
  }

  private isThere(object: number): boolean {
    return this.setup.frames.linkOf(object) !== GONE;
  }

  private declareVariables(segment: Segment): void {
    for (const [n, k] of this.stored.entries())
      if (this.isThere(k)) for (const { name, options } of this.results[n]!) segment.variable(name, options);
  }

  // -------------------------------------------------------------- evaluation

  stateOutputs({ x, u, y }: Point): void {
    this.x = x;
    this.readStates();
    this.isLocated = false;
    const isDriven = this.drivenQ.length > 0;
    if (!isDriven) this.locate(u);
    for (const { level, at, write } of this.outputs) {
      if (level === 'momentum') write(this.setup, y, at);
      if (isDriven || level in own) continue;
      if (level === 'acceleration' && this.loads.any) continue;
      if (level === 'acceleration') this.accelerate(u);
      write(this.setup, y, at);
    }
  }

  directOutput({ u, y }: Point, output: number): void {
    const { level, at, write } = this.outputs[output]!;
    this.locate(u);
    if (level === 'acceleration') this.accelerate(u);
    if (level === 'bias') this.applyLoads(u);
    write(this.setup, y, at);
  }

  derivatives({ x, u, dx }: Point): void {
    const { a, qdot, stateQ, stateV } = this;
    this.locate(u);
    this.accelerate(u);
    const { q, v, mechanism, closures } = this.setup;
    mechanism.rates(q, v, qdot);
    const n = stateQ.length;
    for (let i = 0; i < n; i++) dx[i] = qdot[stateQ[i]!]!;
    for (let i = 0; i < stateV.length; i++) dx[n + i] = a[stateV[i]!]!;
    if (closures.length === 0) return;
    for (let i = 0; i < n; i++) dx[i]! += pull * (q[stateQ[i]!]! - x[i]!);
    for (let i = 0; i < stateV.length; i++) dx[n + i]! += pull * (v[stateV[i]!]! - x[n + i]!);
  }

  variables({ u, w }: Point): void {
    this.locate(u);
    this.checkFollowed();
    const { frames, mechanism } = this.setup;
    for (let n = 0, at = 0; n < this.stored.length; n++) {
      const k = this.stored[n]!;
      if (!this.isThere(k)) continue;
      frames.update(k, mechanism);
      for (let i = 0; i < 3; i++) {
        w[at + i] = frames.position[3 * k + i]!;
        w[at + 6 + i] = frames.velocity[3 * k + i]!;
        w[at + 9 + i] = frames.angular[3 * k + i]!;
      }
      readings.angles(frames, { of: k, origin: 0, resolve: 0 }, w, at + 3);
      at += storedNumbers;
    }
    this.setup.remember();
  }

  /** A given motion, or a speed that is set, may contradict what loops and welds allow. */
  private checkFollowed(): void {
    if (this.leading === 'driven') return;
    const { q, v } = this.setup;
    const joints = this.scene.joints.filter(({ drive }) => drive);
    for (const [i, { part, drive }] of joints.entries()) {
      this.checkHeld(part, drive!.coordinate, this.seen[2 * i]!, q[this.drivenQ[i]!]!);
      this.checkHeld(part, drive!.speed, this.seen[2 * i + 1]!, v[this.drivenV[i]!]!);
    }
  }

  private checkHeld(part: Part, variable: string, given: number, held: number): void {
    if (Math.abs(given - held) <= torn * Math.max(1, Math.abs(given))) return;
    const message = `\`${withPath(part.path, variable)}\` is ${shown(given)}, but welds and loops hold it at ${shown(held)}.`;
    const hint =
      'What drives the flange, or sets the speed, contradicts what holds the bodies: let one of them give way.';
    throw partFailure(part, 'impossible-change', message, { hint });
  }

  /** Brings bodies and the objects that are looked at to where states and driven coordinates say. */
  private locate(u: Float64Array): void {
    this.inputs = u;
    const { drivenQ, drivenV, places, seen } = this;
    const { q, v, frames, mechanism, closures } = this.setup;
    for (let i = 0; i < drivenQ.length; i++) {
      const coordinate = u[places.coordinates[i]!]!;
      // Where positions alone are asked for, speeds may not be known yet.
      const speed = u[places.speeds[i]!]! || 0;
      if (seen[2 * i] === coordinate && seen[2 * i + 1] === speed) continue;
      seen[2 * i] = coordinate;
      seen[2 * i + 1] = speed;
      this.isLocated = false;
    }
    if (this.isLocated) return;
    this.isReduced = false;
    if (this.isFirst && this.leading === 'pushed') this.setup.lead(this.ledBy(u));
    else {
      if (closures.length > 0) this.readStates();
      for (let i = 0; i < drivenQ.length; i++) {
        q[drivenQ[i]!] = seen[2 * i]!;
        v[drivenV[i]!] = seen[2 * i + 1]!;
      }
      this.setup.place();
    }
    for (const object of this.observed) frames.update(object, mechanism);
    this.isLocated = true;
  }

  private accelerate(u: Float64Array): void {
    const { a, tau, drivenV, places, leading } = this;
    for (let i = 0; i < drivenV.length; i++) {
      const acceleration = u[places.accelerations[i]!]!;
      if (leading === 'driven') a[drivenV[i]!] = acceleration;
      else tau[drivenV[i]!] = u[places.pushes[i]!]! + this.rotors[i]! * (acceleration - this.pulled(i));
    }
    this.applyLoads(u);
    this.checkSingular(this.setup.mechanism.accelerate(tau, this.wrenches, a));
  }

  private applyLoads(u: Float64Array): void {
    const { frames, mechanism } = this.setup;
    this.loads.apply(u, frames, mechanism, this.wrenches);
  }

  /** M of joints with flanges, in the order of the model. */
  private writeMatrix(setup: Setup, y: Float64Array, at: number): void {
    const { order, matrix, rotors } = this;
    const n = order.length;
    if (this.leading === 'pushed') {
      this.writeCompliance(setup, y, at);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) y[at + i * n + j] = (i === j ? 1 : 0) - y[at + i * n + j]! * rotors[j]!;
      return;
    }
    this.checkSingular(setup.mechanism.driven(matrix));
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) y[at + i * n + j] = matrix[order[i]! * n + order[j]!]!;
  }

  /** A of pushed joints. */
  private writeCompliance({ mechanism }: Setup, y: Float64Array, at: number): void {
    if (!this.isReduced) this.checkSingular(mechanism.compliance(this.drivenV, this.matrix));
    this.isReduced = true;
    y.set(this.matrix, at);
  }

  /** h of joints with flanges; wrenches are in place. */
  private writeBias({ mechanism }: Setup, y: Float64Array, at: number): void {
    const { a, tau, drivenV, rotors } = this;
    const isDriven = this.leading === 'driven';
    for (let i = 0; i < drivenV.length; i++)
      if (isDriven) a[drivenV[i]!] = 0;
      else tau[drivenV[i]!] = -rotors[i]! * this.pulled(i);
    this.checkSingular(mechanism.accelerate(tau, this.wrenches, a));
    for (let i = 0; i < drivenV.length; i++)
      y[at + i] = isDriven ? tau[drivenV[i]!]! : -(a[drivenV[i]!]! + this.pulled(i));
  }

  /** What the acceleration of a pushed joint has besides, so that the model follows the motion that satisfies closures. */
  private pulled(i: number): number {
    const { seen, drivenQ, drivenV } = this;
    const { q, v } = this.setup;
    return pull ** 2 * (q[drivenQ[i]!]! - seen[2 * i]!) + 2 * pull * (v[drivenV[i]!]! - seen[2 * i + 1]!);
  }

  private checkSingular(link: number): void {
    if (link < 0) return;
    const { part, code, message, ...options } = unresisted(this.setup, link);
    throw partFailure(part, code, message, options);
  }

  private readStates(): void {
    const { x, stateQ, stateV } = this;
    const { q, v } = this.setup;
    for (let i = 0; i < stateQ.length; i++) q[stateQ[i]!] = x[i]!;
    for (let i = 0; i < stateV.length; i++) v[stateV[i]!] = x[stateQ.length + i]!;
  }

  private writeStates(x: Float64Array): void {
    const { stateQ, stateV } = this;
    const { q, v } = this.setup;
    for (let i = 0; i < stateQ.length; i++) x[i] = q[stateQ[i]!]!;
    for (let i = 0; i < stateV.length; i++) x[stateQ.length + i] = v[stateV[i]!]!;
    this.isLocated = false;
  }

  // -------------------------------------------------------------- events

  event(event: ComponentEvent): void {
    const { point } = event;
    const { isFirst } = this;
    if (isFirst) {
      this.startWith(point);
      if (this.changed.length > 0)
        event.tell('info', `Loops do not allow all start values: ${this.changed.join('; ')}.`, {
          span: this.scene.joints[this.setup.closures[0]?.joint ?? -1]?.part.origin.span,
          hint: 'Start values that are not zero are kept where that is possible. Give values that fit, or leave some out.',
        });
    }
    const follows = this.follow(event);
    this.momentumBefore.set(this.momentum);
    if (this.changeStructure(event, isFirst)) event.restart();
    else {
      this.locate(point.u);
      this.checkFollowed();
      this.tellAmbiguous(event);
      if (!follows) this.tellChanged(event);
    }
  }

  /** Start values that are others after the first instant, by what holds from there on. */
  private tellChanged({ tell }: ComponentEvent): void {
    const { given, scene, setup } = this;
    if (!given) return;
    this.given = undefined;
    const changes = changedSpeeds(scene, given, setup.snapshot());
    if (changes.length === 0) return;
    const [first] = holdersOf(this.structure);
    tell(
      'info',
      `What holds from the start does not allow all start values: ${listed(changes, mostChanges)}.`,
      {
        span: first === undefined ? undefined : scene.joints[first]!.part.origin.span,
        hint: 'Impulses change the speeds in the first instant. Give speeds that fit to what is welded or locked, or rolls.',
      },
    );
  }

  /** Initial values, now that driven coordinates are known. */
  private startWith({ u, x }: Point): void {
    this.isFirst = false;
    if (this.drivenQ.length === 0) return;
    if (this.leading === 'pushed') {
      const led = this.ledBy(u);
      this.setup.lead(led);
      this.changed = this.setup.checkLed(led);
    } else {
      this.locate(u);
      this.setup.startFree();
      this.setup.place();
      this.changed = this.setup.changes();
    }
    this.writeStates(x);
  }

  /** Coordinates and speeds of joints with flanges. */
  private ledBy(u: Float64Array): readonly Led[] {
    const { coordinates, speeds } = this.places;
    const joints = this.scene.joints.flatMap(({ drive }, joint) => (drive ? [joint] : []));
    return joints.map((joint, i) => ({ joint, q: u[coordinates[i]!]!, v: u[speeds[i]!]! || 0 }));
  }

  /** Speeds of joints with flanges jump by impulses: then those of all others follow, as inertia says. True if some do. */
  private follow(event: ComponentEvent): boolean {
    const { places } = this;
    const { u } = event.point;
    const change = (at: Int32Array) => Float64Array.from(at, (place) => u[place]! - event.before[place]!);
    const [moved, jumps] = [change(places.coordinates), change(places.speeds)];
    const impulses = Float64Array.from(places.pushes, (at) => event.impulses[at]!);
    if (isZero(moved) && isZero(jumps) && isZero(impulses)) return false;
    this.locate(u);
    if (!(isZero(moved) && this.explains(impulses, jumps))) return this.adopt(event);
    return this.leading === 'pushed' ? this.kick(impulses, jumps, event) : this.jump(jumps, event);
  }

  private jump(jumps: Float64Array, event: ComponentEvent): boolean {
    const { order, stateV, setup } = this;
    const { x, t } = event.point;
    if (this.impact?.time === t) this.impact.add(jumps, event);
    if (stateV.length === 0) return false;
    const ordered = new Float64Array(order.length);
    for (let i = 0; i < order.length; i++) ordered[order[i]!] = jumps[i]!;
    this.checkSingular(setup.mechanism.jump(ordered, setup.v));
    this.writeStates(x);
    return true;
  }

  private kick(impulses: Float64Array, jumps: Float64Array, event: ComponentEvent): boolean {
    const { x, t } = event.point;
    const { mechanism, v } = this.setup;
    // What turns the rotors, which are not there, are forces as well.
    for (let i = 0; i < impulses.length; i++) impulses[i]! += this.rotors[i]! * jumps[i]!;
    this.readStates();
    this.checkSingular(mechanism.kick(this.drivenV, impulses, v));
    this.writeStates(x);
    if (this.impact?.time === t) this.impact.push(impulses, event);
    return true;
  }

  /** Counts how often joints begin or cease to hold at one instant. */
  private noteToggled(joints: readonly number[], time: number): void {
    if (this.toggled.time !== time) this.toggled = { time, counts: new Map() };
    const { counts } = this.toggled;
    for (const joint of joints) counts.set(joint, (counts.get(joint) ?? 0) + 1);
  }

  /** Whether speeds jump as impulses and changes of the structure say: `M jumps + step of k` is `impulses`, or `A impulses`. */
  private explains(impulses: Float64Array, jumps: Float64Array): boolean {
    const n = jumps.length;
    const [matrix, compliance] = [new Float64Array(n * n), new Float64Array(n * n)];
    this.writeMatrix(this.setup, matrix, 0);
    if (this.leading === 'pushed') this.writeCompliance(this.setup, compliance, 0);
    else for (let i = 0; i < n; i++) compliance[i * n + i] = 1;
    let fastest = 0;
    for (let i = 0; i < n; i++) fastest = Math.max(fastest, Math.abs(this.seen[2 * i + 1]!));
    for (let i = 0; i < n; i++) {
      const step = this.momentum[i]! - this.momentumBefore[i]!;
      let [sum, size] = [step, Math.abs(step)];
      // Speeds are solutions of systems of equations: also those that do not jump differ by rounding.
      let least = 0;
      for (let j = 0; j < n; j++) least += Math.abs(matrix[i * n + j]!) * rounding * fastest;
      for (let j = 0; j < n; j++)
        for (const term of [matrix[i * n + j]! * jumps[j]!, -compliance[i * n + j]! * impulses[j]!]) {
          sum += term;
          size += Math.abs(term);
        }
      if (Math.abs(sum) > unexplained * size + least) return false;
    }
    return true;
  }

  /** The model sets coordinates or speeds of joints with flanges: those of all others stay as they are, as far as loops allow it. */
  private adopt({ before, point: { u, x } }: ComponentEvent): boolean {
    if (this.setup.closures.length === 0) return false;
    const { drivenQ, drivenV, places, setup } = this;
    this.readStates();
    for (let i = 0; i < drivenQ.length; i++) {
      setup.q[drivenQ[i]!] = before[places.coordinates[i]!]!;
      setup.v[drivenV[i]!] = before[places.speeds[i]!]!;
    }
    setup.place();
    setup.adopt(this.ledBy(u));
    this.writeStates(x);
    return true;
  }

  /** Takes up what conditions say; true where bodies and joints are others from here on. */
  private changeStructure(event: ComponentEvent, isFirst: boolean): boolean {
    const { scene } = this;
    const { u } = event.point;
    const isTrue = (condition: string | undefined) =>
      condition !== undefined && u[this.conditionAt.get(condition)!] !== 0;
    const removed = [
      ...new Set(scene.removals.flatMap(({ objects, condition }) => (isTrue(condition) ? objects : []))),
    ].sort((a, b) => a - b);
    const holders = scene.joints.flatMap(({ condition, a, b }, k) =>
      isTrue(condition) && !removed.includes(a) && !removed.includes(b) ? [k] : [],
    );
    const remains = sameItems(removed, this.structure.removed);
    if (remains && isSame(holders, this.structure)) return false;
    this.locate(u);
    let motion = this.setup.snapshot();
    if (!remains) {
      this.structure = withoutObjects(scene, this.structure, removed);
      const setup = this.setups.of(this.structure);
      setup.goOn(motion);
      setup.mechanism.locate(setup.q, setup.v);
      motion = setup.snapshot();
    }
    const { structure } = this;
    if (isFirst) this.given = motion;
    const poseOf = (joint: number) => {
      const { a, b } = scene.joints[joint]!;
      return poseBetween(motion.poses[a]!, motion.poses[b]!);
    };
    const before = new Set(holdersOf(structure));
    const beginning = holders.filter((k) => !before.has(k));
    this.noteToggled([...beginning, ...[...before].filter((k) => !holders.includes(k))], event.point.t);
    this.structure = structureOf(scene, holders, structure, poseOf, (held) =>
      this.setups.keepsFlanges(held, structure.removed),
    );
    this.next = beginning.length > 0 ? this.collide(event, motion, beginning) : motion;
    return true;
  }

  /**
   * What ends is over before what begins takes the speeds that it does not allow, by impulses; driven joints keep their speeds and have to bear
   * some. Gives the motion after it.
   */
  private collide(event: ComponentEvent, motion: Snapshot, beginning: readonly number[]): Snapshot {
    const setup = this.setups.of(beginningOf(this.structure, beginning));
    setup.goOn(motion);
    this.checkTouch(setup, beginning);
    this.impact = new Impact(setup, beginning, event.point.t);
    const { singular, impulses, jumps } = this.impact.strike(event);
    this.checkSingular(singular);
    for (let i = 0; i < this.momentum.length; i++)
      this.momentum[i]! += this.leading === 'driven' ? impulses[i]! : -jumps[i]!;
    setup.mechanism.locate(setup.q, setup.v);
    return setup.snapshot();
  }

  /** What begins to roll must touch its plane. */
  private checkTouch({ scene, mechanism, closures, q, v }: Setup, beginning: readonly number[]): void {
    if (!beginning.some((joint) => scene.joints[joint]!.rolling)) return;
    mechanism.locate(q, v);
    mechanism.closures.evaluate(q);
    for (let row = 0; row < mechanism.closures.count; row++) {
      const { joint } = closures[mechanism.closures.closureOf[row]!]!;
      const residual = Math.abs(mechanism.closures.residuals[row]!);
      const isTouch =
        beginning.includes(joint) &&
        scene.joints[joint]!.rolling &&
        mechanism.closures.measure[row] === METRES;
      if (!isTouch || residual <= touching) continue;
      const { part } = scene.joints[joint]!;
      const message = `\`${part.path}\` begins to hold, but the wheel does not touch its plane: ${shown(residual)} m are missing.`;
      throw partFailure(part, 'impossible-change', message, {
        hint: 'Let it hold when the distance is zero.',
      });
    }
  }

  // -------------------------------------------------------------- the end of a run

  explain(trouble: Trouble): Explanation | undefined {
    const { setup } = this;
    const { time } = trouble;
    switch (trouble.kind) {
      case 'not-finite':
        return attracted(setup, time) ?? boundless(setup, this.a, this.inputs, time);
      case 'singular':
        return this.explainSingular(trouble.variables);
      case 'small-steps':
        return attracted(setup, time) ?? beyondReach(setup, this.ledBy(this.inputs), time);
      case 'endless': {
        const again = [...this.toggled.counts].filter(([, count]) => count > 1);
        return endless(
          this.scene,
          again.map(([joint]) => joint),
          time,
        );
      }
    }
  }

  /** Equations of driven joints that their inertias do not determine. */
  private explainSingular(variables: ReadonlySet<string>): Explanation | undefined {
    const { order, matrix, setup } = this;
    const n = order.length;
    if (this.leading === 'pushed' || setup.mechanism.driven(matrix) >= 0) return undefined;
    const weak = weakJoint(matrix, n);
    const at = order.indexOf(weak) + 1;
    if (weak < 0 || !variables.has(`${own.matrix}[${at},${at}]`)) return undefined;
    const { part: _, ...explanation } = unresisted(setup, setup.mechanism.tree.drives[weak]!);
    return explanation;
  }

  /** Reactions that are measured although bodies that are rigid do not determine them. */
  private tellAmbiguous({ tell }: ComponentEvent): void {
    const { closures, mechanism } = this.setup;
    const { ambiguous } = mechanism.loops;
    if (!ambiguous.includes(1)) return;
    const loops = closures.flatMap(({ joint }, k) => (ambiguous[k] ? [this.scene.joints[joint]!.name] : []));
    for (const { kind, part, of } of this.scene.sensors) {
      if (kind !== 'ReactionSensor') continue;
      const { name } = this.scene.joints[of]!;
      tell(
        'warning',
        `The reaction in \`${name}\` may not be unique: rigid bodies in the loop closed by \`${loops.join('`, `')}\` do not say how they share the load.`,
        {
          span: part.origin.span,
          hint: 'The smallest forces that hold the loop are shown. A joint that leaves more freedom makes them unique.',
        },
      );
    }
  }
}

const isZero = (values: Float64Array): boolean => values.every((value) => value === 0);
/** All objects but the world: those with mass come first, as people want to see them first. */
function storedIn({ objects }: Scene): number[] {
  const all = [...objects.keys()].slice(1);
  return all.sort((a, b) => Number(objects[a]!.mass === massless) - Number(objects[b]!.mass === massless));
}

const empty = new Float64Array(0);
const none = new Int32Array(0);
