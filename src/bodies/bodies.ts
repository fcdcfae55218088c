/**
 * The mechanism of a run: what the component of `whole.ts` remembers. A segment has one setup of the scene; its hidden states are the
 * coordinates and speeds of the links that are not driven. Where loops are closed, every evaluation looks at the motion that is next to the states and
 * satisfies the closures, so that these hold whatever the tolerance is.
 */

import type {
  Ahead,
  ComponentEvent,
  ComponentPattern,
  Explanation,
  Instance,
  Point,
  Segment,
  Trouble,
  VariableDeclaration,
} from '../builtin/component.ts';
import type { Picture } from '../builtin/picture.ts';
import { sameItems } from '../collections/lists.ts';
import { remember } from '../collections/memo.ts';
import { listed } from '../diagnostic/words.ts';
import { withPath } from '../names/names.ts';
import { Contacts, type SavedContacts } from './contact/elastic/contacts.ts';
import { RigidContacts } from './contact/rigid/contacts.ts';
import type { SavedPairs } from './contact/rigid/pairs.ts';
import { Flanges, pull } from './flanges.ts';
import { checkTouch, Impact } from './impact.ts';
import { Loads } from './loads.ts';
import { massless } from './mass.ts';
import { type Output, observedIn, outputsOf } from './outputs.ts';
import { Patterns } from './pattern.ts';
import { pictureOf } from './picture.ts';
import { own, type Ports } from './ports.ts';
import * as readings from './readings.ts';
import { poseBetween } from './scene/closures.ts';
import type { Scene } from './scene/scene.ts';
import { stepsIn } from './scene/steps.ts';
import type { Setup } from './setup.ts';
import { Setups } from './setups.ts';
import type { Snapshot } from './snapshot.ts';
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
import {
  attracted,
  beyondReach,
  boundless,
  drivenInto,
  endless,
  heldByContact,
  pressed,
  resisted,
  tellAmbiguous,
  tellOverlap,
  tellStray,
  undecided,
} from './trouble.ts';

/** How much is stored of an object: position, angles, velocity, angular velocity. */
const storedNumbers = 12;

/** So many start values that are changed are named. */
const mostChanges = 8;

interface PlacedOutput extends Output {
  readonly at: number;
  /** Whether it follows from the motion of the bodies alone, without frames of objects. */
  readonly isOwn: boolean;
}

/** See `Bodies.save`. */
export interface SavedBodies {
  readonly structure: Structure;
  readonly from: Float64Array;
  readonly last: Float64Array;
  readonly momentum: Float64Array;
  readonly isFirst: boolean;
  readonly learned: ReturnType<Setup['save']>;
  readonly contacts: SavedContacts;
  readonly touches: SavedPairs;
}

export class Bodies {
  private readonly loads: Loads;
  private readonly outputs: readonly PlacedOutput[];
  /** Objects whose frames are needed wherever loads, contacts, sensors or joints are looked at. */
  private readonly observed: readonly number[];
  /** Whether forces depend on no frames. */
  private readonly isUnseen: boolean;
  private readonly flanges: Flanges;
  private readonly contacts: Contacts;
  private readonly rigid: RigidContacts;
  /** Objects whose motion is stored, in this order. */
  private readonly stored: readonly Stored[];
  private readonly declared: Results['declared'];
  /** Inputs of the last point. */
  private inputs: Float64Array = empty;
  private readonly conditionAt: ReadonlyMap<string, number>;
  /** Joints that may hold. */
  private readonly holders: readonly number[];
  /** By step of all joints: the last coordinate that is known, and what it was when the present structure began. */
  private readonly last: Float64Array;
  private readonly from: Float64Array;
  private readonly setups: Setups;
  private readonly patterns: Patterns;
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
  /** States of the point that is looked at; of each its place among coordinates, and among speeds. */
  private x: Float64Array = empty;
  private stateQ: Int32Array = none;
  private stateV: Int32Array = none;
  /** Start values that had to be changed. */
  private changed: readonly string[] = [];
  /** The motion that the model gives for the start, while something that begins to hold there may change it. */
  private given: Snapshot | undefined;
  /** Whether the component has not been told of its start yet. */
  private isFirst = true;
  /** Whether bodies are where the last states and driven coordinates say, and the frames of objects with them. */
  private isLocated = false;
  private isObserved = false;

  constructor(
    instance: Instance,
    private readonly scene: Scene,
    ports: Ports,
    outputs: readonly string[],
  ) {
    this.flanges = new Flanges(instance, this.scene, ports);
    const nothing = { ...this.scene, colliders: [] };
    this.contacts = new Contacts(this.scene.isRigid ? nothing : this.scene);
    this.rigid = new RigidContacts(this.scene.isRigid ? this.scene : nothing);
    this.loads = new Loads(instance, this.scene);
    this.conditionAt = new Map(ports.conditions.map((name) => [name, instance.input(name).start]));
    const { joints } = this.scene;
    this.holders = [...joints.keys()].filter((k) => joints[k]!.condition !== undefined);
    this.last = new Float64Array(stepsIn(this.scene).plain.length);
    this.from = this.last.slice();
    this.setups = new Setups(this.scene, this.last, ports.leading);
    const touching = this.scene.colliders.map(({ object }) => object);
    this.observed = [...new Set([...this.loads.objects, ...observedIn(this.scene), ...touching])];
    const all = outputsOf(
      this.scene,
      {
        matrix: (_, y, at) => this.flanges.writeMatrix(y, at),
        compliance: (_, y, at) => this.flanges.writeCompliance(y, at),
        bias: (_, y, at) => this.flanges.writeBias(y, at),
        momentum: (_, y, at) => y.set(this.flanges.momentum, at),
      },
      (sensor) => (this.scene.isRigid ? this.rigid : this.contacts).sense(sensor),
      ports,
    );
    const { stored, declared } = remember(results, scene, () => ({
      stored: storedIn(scene),
      declared: new Map(),
    }));
    this.stored = stored;
    this.declared = declared;
    this.outputs = outputs.map((name) => {
      const output = all.get(name)!;
      return { ...output, at: instance.output(name).start, isOwn: output.level in own };
    });
    this.isUnseen = !this.loads.any && !this.contacts.any && !this.rigid.any;
    this.patterns = new Patterns(this.scene, instance, ports, outputs);
  }

  picture(): Picture {
    return pictureOf(this.scene);
  }

  // -------------------------------------------------------------- segments

  begin(segment: Segment): void {
    if (segment.first) this.forget();
    // The structure before may have been looked at once more since the motion was taken.
    if (this.next) this.last.set(this.next.coordinates);
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
    this.contacts.declare(segment);
    this.declareVariables(segment);
    this.rigid.declare(segment);
  }

  /** The mechanism of the present structure. */
  private setUp(): void {
    this.from.set(this.last);
    this.setup = this.setups.of(this.structure);
    this.stateQ = this.setup.hidden.q;
    this.stateV = this.setup.hidden.v;
    this.flanges.setUp(this.setup);
    this.contacts.setUp(this.setup.assembly, this.setup.frames, this.setup.mechanism);
    this.rigid.setUp(this.setup.assembly, this.setup.frames, this.setup.mechanism);
    this.isLocated = false;
  }

  /** What values to come depend on between two instants; the last impact is but for reports. */
  save(): SavedBodies {
    const { structure, from, last, isFirst } = this;
    const { momentum } = this.flanges;
    return {
      structure,
      from,
      last,
      momentum,
      isFirst,
      learned: this.setup.save(),
      contacts: this.contacts.save(),
      touches: this.rigid.save(),
    };
  }

  load({ structure, from, last, momentum, isFirst, learned, contacts, touches }: SavedBodies): void {
    this.structure = structure;
    this.last.set(from);
    this.setUp();
    this.setup.load(learned);
    this.last.set(last);
    this.flanges.begin(momentum);
    this.contacts.load(contacts);
    this.rigid.load(touches);
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
    this.flanges.begin(undefined);
    this.contacts.forget();
    this.rigid.forget();
    this.last.set(this.scene.joints.flatMap(({ steps }) => steps.map(({ q }) => q[0] ?? 0)));
  }

  private declareStates(segment: Segment): void {
    const { hidden, q, v } = this.setup;
    for (const { name, nominal, from, to } of hidden.coordinates)
      segment.state(name, { start: q.subarray(from, to), hidden: true, nominal });
    for (const { name, nominal, from, to } of hidden.speeds)
      segment.state(name, { start: v.subarray(from, to), hidden: true, nominal });
  }

  private declareVariables(segment: Segment): void {
    const { removed } = this.structure;
    const { gone } = this.setup.assembly;
    segment.variables(
      remember(this.declared, removed.join(), () =>
        Object.freeze(this.stored.flatMap(({ object, results }) => (gone[object] === 1 ? [] : results))),
      ),
    );
  }

  // -------------------------------------------------------------- evaluation

  stateOutputs({ x, u, y }: Point): void {
    this.x = x;
    this.readStates();
    this.isLocated = false;
    const isDriven = this.flanges.count > 0;
    if (!isDriven) this.locate(u);
    // Accelerations are those of all outputs.
    let isAccelerated = false;
    for (const { level, at, write, isOwn } of this.outputs) {
      if (level === 'momentum') write(this.setup, y, at);
      if (isDriven || isOwn) continue;
      if (level === 'acceleration' && this.loads.any) continue;
      if (level === 'acceleration' && !isAccelerated) this.accelerate(u);
      isAccelerated ||= level === 'acceleration';
      write(this.setup, y, at);
    }
  }

  directOutput({ u, y }: Point, output: number): void {
    const { level, at, write, isOwn } = this.outputs[output]!;
    if (isOwn && this.isUnseen) this.reach(u);
    else this.locate(u);
    if (level === 'acceleration') this.accelerate(u);
    if (level === 'bias') this.applyLoads(u);
    write(this.setup, y, at);
  }

  derivatives({ x, u, dx }: Point): void {
    const { stateQ, stateV } = this;
    this.locate(u);
    this.accelerate(u);
    const { q, v, a, qdot, mechanism } = this.setup;
    mechanism.rates(q, v, qdot);
    const n = stateQ.length;
    for (let i = 0; i < n; i++) dx[i] = qdot[stateQ[i]!]!;
    for (let i = 0; i < stateV.length; i++) dx[n + i] = a[stateV[i]!]!;
    this.contacts.derivatives(dx);
    if (!mechanism.isBound) return;
    for (let i = 0; i < n; i++) dx[i]! += pull * (q[stateQ[i]!]! - x[i]!);
    for (let i = 0; i < stateV.length; i++) dx[n + i]! += pull * (v[stateV[i]!]! - x[n + i]!);
  }

  variables({ u, w }: Point): void {
    this.locate(u);
    this.flanges.checkFollowed();
    const { frames, mechanism, assembly } = this.setup;
    const { position, velocity, angular } = frames;
    for (let n = 0, at = 0, before = -1; n < this.stored.length; n++) {
      const k = this.stored[n]!.object;
      if (assembly.gone[k] === 1) continue;
      frames.update(k, mechanism);
      for (let i = 0; i < 3; i++) {
        w[at + i] = position[3 * k + i]!;
        w[at + 6 + i] = velocity[3 * k + i]!;
        w[at + 9 + i] = angular[3 * k + i]!;
      }
      readings.worldAngles(frames, k, before, w, at + 3, at + 3 - storedNumbers);
      before = k;
      at += storedNumbers;
    }
    this.setup.remember();
  }

  indicators(point: Point): void {
    const { z } = point;
    this.arrive(point);
    this.contacts.indicators(z);
    if (!this.rigid.any) return;
    if (this.rigid.isTouching) this.accelerate(point.u);
    this.rigid.indicators(z);
  }

  lookAhead(point: Point): Ahead | undefined {
    const { contacts, rigid } = this;
    if (!contacts.any && !rigid.any) return undefined;
    this.arrive(point);
    return contacts.any ? contacts.look(point.t) : rigid.lookAhead(point.t);
  }

  /** A run that goes on from a saved state looks at indicators first. */
  private arrive({ x, u }: Point): void {
    if (this.x !== x) {
      this.x = x;
      this.readStates();
      this.isLocated = false;
    }
    this.locate(u);
  }

  pattern(): ComponentPattern {
    return this.flanges.count > 0 || this.scene.isRigid
      ? unknownPattern
      : this.patterns.of(this.setup, this.contacts.stateCount, this.contacts.coupled());
  }

  sides(out: Int8Array): void {
    this.contacts.sides(out);
    this.rigid.sides(out);
  }

  /** Brings bodies and the objects that are looked at to where states and driven coordinates say. */
  private locate(u: Float64Array): void {
    const { observed, setup } = this;
    this.reach(u);
    if (this.isObserved) return;
    for (let n = 0; n < observed.length; n++) setup.frames.update(observed[n]!, setup.mechanism);
    this.contacts.see(this.x);
    this.isObserved = true;
  }

  /** The bodies alone. */
  private reach(u: Float64Array): void {
    this.inputs = u;
    const { flanges, setup } = this;
    if (flanges.see(u)) this.isLocated = false;
    if (this.isLocated) return;
    flanges.moved();
    if (this.isFirst && flanges.leading === 'pushed' && flanges.count > 0) setup.lead(flanges.ledBy(u));
    else {
      if (setup.mechanism.isBound) this.readStates();
      flanges.place();
      setup.place();
    }
    this.isLocated = true;
    this.isObserved = false;
  }

  private accelerate(u: Float64Array): void {
    const { setup } = this;
    const { a, tau, wrenches, mechanism } = setup;
    this.flanges.push(u, a, tau);
    this.applyLoads(u);
    resisted(setup, mechanism.accelerate(tau, wrenches, a));
  }

  private applyLoads(u: Float64Array): void {
    const { frames, mechanism, wrenches } = this.setup;
    this.loads.apply(u, frames, mechanism, wrenches);
    this.contacts.apply(wrenches);
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
    this.flanges.note();
    if (this.changeStructure(event, isFirst)) event.restart();
    else {
      this.locate(point.u);
      this.flanges.checkFollowed();
      tellAmbiguous(this.setup, event);
      if (!follows) this.tellChanged(event);
      this.touch(event, isFirst);
    }
  }

  /** Sees what touches. */
  private touch(event: ComponentEvent, isFirst: boolean): void {
    const { contacts, scene } = this;
    if (isFirst)
      for (const { severity, part, message, hint } of scene.remarks)
        event.tell(severity, message, { span: part.origin.span, hint });
    if (this.rigid.any) {
      this.touchRigidly(event, isFirst);
      if (this.rigid.overflows()) this.goOnAnew(event);
    }
    if (!contacts.any) return;
    const { u } = event.point;
    const isTurned = contacts.turn((condition) => u[this.conditionAt.get(condition)!] !== 0);
    const change = contacts.settle(
      event,
      (overlap) => tellOverlap(event, isFirst, overlap),
      (stray) => tellStray(event, stray),
    );
    if (change === 'segment') this.goOnAnew(event);
    else if (change === 'values' || isTurned) event.changed();
  }

  /** The same bodies in another segment. */
  private goOnAnew(event: ComponentEvent): void {
    this.locate(event.point.u);
    this.next = this.setup.snapshot();
    event.restart();
  }

  /** Impacts of rigid bodies, and what touches from here on. */
  private touchRigidly(event: ComponentEvent, isFirst: boolean): void {
    const { t, u, x } = event.point;
    const { q, v, frames, mechanism } = this.setup;
    const accelerate = () => {
      for (const object of this.observed) frames.update(object, mechanism);
      this.accelerate(u);
    };
    this.rigid.turn((condition) => u[this.conditionAt.get(condition)!] !== 0);
    const { flanges } = this;
    const before = v.slice();
    const flanged = flanges.count > 0 ? flangedLinks(this.setup) : new Set<number>();
    // A given motion that carries a body needs no other support, and would leave the forces of both open.
    if (flanges.isWithoutForce(u) && this.rigid.carry(t, flanged)) {
      this.isLocated = false;
      event.changed();
      return;
    }
    const isNew = this.rigid.look(t, { q, v, accelerate, flanged }, event.crossed, isFirst);
    this.isLocated = false;
    for (const { severity, part, message, hint } of this.rigid.takeRemarks(isFirst))
      event.tell(severity, message, { span: part.origin.span, hint });
    if (!isNew) return;
    this.tellStrikes(event);
    // Impulses go on to what is behind flanges.
    flanges.strike(
      [],
      Array.from(flanges.v, (at) => v[at]! - before[at]!),
    );
    this.writeStates(x);
    event.changed();
  }

  /** Impulses of impacts that sensors of contact have seen. */
  private tellStrikes(event: ComponentEvent): void {
    for (const sensor of this.scene.touches) {
      const { path } = sensor.part;
      const seen = this.rigid.impulse(sensor);
      for (let i = 0; i < 3; i++)
        if (seen[3 + i] !== 0) event.impulse(withPath(path, `impulse[${i + 1}]`), seen[3 + i]!, 'N.s');
      for (let i = 0; i < 3; i++)
        if (seen[i] !== 0) event.impulse(withPath(path, `angularImpulse[${i + 1}]`), seen[i]!, 'N.m.s');
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
    if (this.flanges.count === 0) return;
    if (this.flanges.leading === 'pushed') {
      const led = this.flanges.ledBy(u);
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

  /** Speeds of joints with flanges jump by impulses: then those of all others follow, as inertia says. True if some do. */
  private follow(event: ComponentEvent): boolean {
    const { places, leading } = this.flanges;
    const { u } = event.point;
    const moved = difference(u, event.before, places.coordinates);
    const jumps = difference(u, event.before, places.speeds);
    const impulses = picked(event.impulses, places.pushes);
    if (isZero(moved) && isZero(jumps) && isZero(impulses)) return false;
    this.locate(u);
    if (!(isZero(moved) && this.flanges.explains(impulses, jumps))) return this.adopt(event);
    return leading === 'pushed' ? this.kick(impulses, jumps, event) : this.jump(jumps, event);
  }

  private jump(jumps: Float64Array, event: ComponentEvent): boolean {
    const { stateV, setup } = this;
    const { order } = this.flanges;
    const { x, t } = event.point;
    if (this.impact?.time === t) this.impact.add(jumps, event);
    if (stateV.length === 0) return false;
    const ordered = new Float64Array(order.length);
    for (let i = 0; i < order.length; i++) ordered[order[i]!] = jumps[i]!;
    this.readStates();
    resisted(setup, setup.mechanism.jump(ordered, setup.v));
    this.writeStates(x);
    return true;
  }

  private kick(impulses: Float64Array, jumps: Float64Array, event: ComponentEvent): boolean {
    const { x, t } = event.point;
    const { setup, flanges } = this;
    // What turns the rotors, which are not there, are forces as well.
    for (let i = 0; i < impulses.length; i++) impulses[i]! += flanges.rotors[i]! * jumps[i]!;
    this.readStates();
    resisted(setup, setup.mechanism.kick(flanges.v, impulses, setup.v));
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

  /** The model sets coordinates or speeds of joints with flanges: those of all others stay as they are, as far as loops allow it. */
  private adopt({ before, point: { u, x } }: ComponentEvent): boolean {
    if (this.setup.closures.length === 0) return false;
    const { flanges, setup } = this;
    this.readStates();
    flanges.see(before);
    flanges.place();
    setup.place();
    setup.adopt(flanges.ledBy(u));
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
    const holders = this.holders.filter((k) => {
      const { condition, a, b } = scene.joints[k]!;
      return isTrue(condition) && !removed.includes(a) && !removed.includes(b);
    });
    const remains = sameItems(removed, this.structure.removed);
    if (remains && isSame(holders, this.structure)) return false;
    this.locate(u);
    this.contacts.keep();
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
      return poseBetween(motion.placed.of(a).pose, motion.placed.of(b).pose);
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
    checkTouch(setup, beginning);
    this.impact = new Impact(setup, beginning, event.point.t);
    const { singular, impulses, jumps } = this.impact.strike(event);
    resisted(setup, singular);
    this.flanges.strike(impulses, jumps);
    return setup.snapshot();
  }

  // -------------------------------------------------------------- the end of a run

  private heldByContact(variables: ReadonlySet<string>, time: number): Explanation | undefined {
    const joint = this.rigid.any ? this.flanges.heldAmong(variables) : undefined;
    return joint && heldByContact(joint, this.rigid.closest(), time);
  }

  explain(trouble: Trouble): Explanation | undefined {
    const { setup } = this;
    const { time } = trouble;
    switch (trouble.kind) {
      case 'not-finite':
        return attracted(setup, time) ?? boundless(setup, setup.a, this.inputs, time);
      case 'singular':
        return this.flanges.explainSingular(trouble.variables) ?? this.heldByContact(trouble.variables, time);
      case 'small-steps':
        return (
          attracted(setup, time) ??
          beyondReach(setup, this.flanges.ledBy(this.inputs), time) ??
          pressed(this.contacts.pressing(), time) ??
          undecided(this.rigid.closest(), time)
        );
      case 'endless': {
        const again = [...this.toggled.counts].filter(([, count]) => count > 1);
        const joints = again.map(([joint]) => joint);
        return (
          endless(this.scene, joints, time) ??
          drivenInto(this.rigid.carried(), time) ??
          undecided(this.rigid.closest(), time)
        );
      }
    }
  }
}

/** Links of all trees that joints with flanges are in. */
function flangedLinks(setup: Setup): Set<number> {
  const { root, n } = setup.mechanism.tree;
  const { joints } = setup.scene;
  const roots = new Set(joints.flatMap(({ drive }, joint) => (drive ? [root[setup.linkOf(joint)]!] : [])));
  return new Set(Array.from({ length: n }, (_, k) => k).filter((k) => roots.has(root[k]!)));
}

function isZero(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return false;
  return true;
}

/** Values at places. */
function picked(values: Float64Array, places: Int32Array): Float64Array {
  const found = new Float64Array(places.length);
  for (let i = 0; i < found.length; i++) found[i] = values[places[i]!]!;
  return found;
}

/** By how much values at places differ. */
function difference(values: Float64Array, others: Float64Array, places: Int32Array): Float64Array {
  const found = new Float64Array(places.length);
  for (let i = 0; i < found.length; i++) found[i] = values[places[i]!]! - others[places[i]!]!;
  return found;
}

/** What is stored of the objects of a scene. */
interface Results {
  readonly stored: readonly Stored[];
  /** By objects that are taken away: what is declared of the others. */
  readonly declared: Map<string, readonly VariableDeclaration[]>;
}

const results = new WeakMap<Scene, Results>();

interface Stored {
  readonly object: number;
  readonly results: readonly VariableDeclaration[];
}

/** All objects but the world: those with mass come first, as people want to see them first. */
function storedIn({ objects }: Scene): Stored[] {
  const all = [...objects.keys()].slice(1);
  const isMassless = (k: number) => Number(objects[k]!.mass === massless);
  return all
    .sort((a, b) => isMassless(a) - isMassless(b))
    .map((object) => {
      const { part, fixed } = objects[object]!;
      // Frozen, because they are declared again and again.
      const results = Object.entries(part!.kind.results!).map(([name, options]) =>
        Object.freeze({
          name: withPath(part!.path, name),
          options: Object.freeze({ ...options, state: !fixed }),
        }),
      );
      return { object, results };
    });
}

const unknownPattern: ComponentPattern = {};
const empty = new Float64Array(0);
const none = new Int32Array(0);
