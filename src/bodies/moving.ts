/**
 * The mechanism of a run at the point that is looked at: the setup of the present structure, brought to where states and inputs say. Where loops are
 * closed, that is the motion that is next to the states and satisfies the closures, so that these hold whatever the tolerance is.
 */
import type { Instance, Point } from '../builtin/component.ts';
import { Contacts } from './contact/elastic/contacts.ts';
import { RigidContacts } from './contact/rigid/contacts.ts';
import type { Mechanism } from './dynamics/mechanism.ts';
import { Flanges, pull } from './flanges.ts';
import { Loads } from './loads.ts';
import { observedIn } from './outputs.ts';
import type { Ports } from './ports.ts';
import type { Scene } from './scene/scene.ts';
import type { Setup } from './setup.ts';
import { Setups } from './setups.ts';
import { nothingHolds, type Structure } from './structure.ts';
import { resisted } from './trouble.ts';

export class MovingBodies {
  readonly loads: Loads;
  readonly flanges: Flanges;
  readonly contacts: Contacts;
  readonly rigid: RigidContacts;
  /** Objects whose frames are needed wherever loads, contacts, sensors or joints are looked at. */
  readonly observed: readonly number[];
  /** Whether forces depend on no frames. */
  private readonly isUnseen: boolean;
  readonly setups: Setups;
  structure: Structure = nothingHolds;
  /** That of the present segment. */
  setup!: Setup;
  /** By step of all joints: the last coordinate that is known, and what it was when the present structure began. */
  readonly last: Float64Array;
  readonly from: Float64Array;
  /** Whether the component has not been told of its start yet. */
  isFirst = true;
  /** States and inputs of the point; of each state its place among coordinates, and among speeds. */
  private x: Float64Array = empty;
  inputs: Float64Array = empty;
  stateQ: Int32Array = none;
  stateV: Int32Array = none;
  /** What the last accelerations are for, where rigid bodies may touch and nothing is driven: results and indicators need the same ones. */
  private readonly known: { u: Float64Array; of: Mechanism | undefined; changes: number } = {
    u: new Float64Array(0),
    of: undefined,
    changes: 0,
  };
  /** Whether bodies are where the last states and driven coordinates say, and the frames of objects with them. */
  private isLocated = false;
  private isObserved = false;

  constructor(
    instance: Instance,
    readonly scene: Scene,
    ports: Ports,
  ) {
    this.flanges = new Flanges(instance, scene, ports);
    const nothing = { ...scene, colliders: [] };
    this.contacts = new Contacts(scene.isRigid ? nothing : scene);
    this.rigid = new RigidContacts(scene.isRigid ? scene : nothing);
    this.loads = new Loads(instance, scene);
    this.setups = Setups.take(scene, ports.leading);
    this.last = this.setups.last;
    this.from = new Float64Array(this.last.length);
    const touching = scene.colliders.map(({ object }) => object);
    this.observed = [...new Set([...this.loads.objects, ...observedIn(scene), ...touching])];
    this.isUnseen = !this.loads.any && !this.contacts.any && !this.rigid.any;
  }

  /** The mechanism of the present structure. */
  setUp(): void {
    this.from.set(this.last);
    this.setup = this.setups.of(this.structure);
    this.stateQ = this.setup.hidden.q;
    this.stateV = this.setup.hidden.v;
    this.flanges.setUp(this.setup);
    this.contacts.setUp(this.setup.assembly, this.setup.frames, this.setup.mechanism);
    this.rigid.setUp(this.setup.assembly, this.setup.frames, this.setup.mechanism);
    this.isLocated = false;
  }

  /** As if nothing had been. */
  forget(): void {
    this.structure = nothingHolds;
    this.isFirst = true;
    this.flanges.begin(undefined);
    this.contacts.forget();
    this.rigid.forget();
    this.last.set(this.scene.joints.flatMap(({ steps }) => steps.map(({ q }) => q[0] ?? 0)));
  }

  /** Bodies are elsewhere than they were left. */
  stray(): void {
    this.isLocated = false;
  }

  // -------------------------------------------------------------- where bodies are

  /** Looks at these states. */
  follow(x: Float64Array): void {
    this.x = x;
    this.readStates();
    this.isLocated = false;
  }

  /** A run that goes on from a saved state looks at indicators first. */
  arrive({ x, u }: Point): void {
    if (this.x !== x) this.follow(x);
    this.locate(u);
  }

  /** Brings bodies and the objects that are looked at to where states and driven coordinates say. */
  locate(u: Float64Array): void {
    const { observed, setup } = this;
    this.reach(u);
    if (this.isObserved) return;
    for (let n = 0; n < observed.length; n++) setup.frames.update(observed[n]!, setup.mechanism);
    this.contacts.see(this.x);
    this.isObserved = true;
  }

  /** The same; with `isOwn`, for what follows from the motion of the bodies alone. */
  locateFor(u: Float64Array, isOwn: boolean): void {
    if (isOwn && this.isUnseen) this.reach(u);
    else this.locate(u);
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

  readStates(): void {
    const { x, stateQ, stateV } = this;
    const { q, v } = this.setup;
    for (let i = 0; i < stateQ.length; i++) q[stateQ[i]!] = x[i]!;
    for (let i = 0; i < stateV.length; i++) v[stateV[i]!] = x[stateQ.length + i]!;
  }

  writeStates(x: Float64Array): void {
    const { stateQ, stateV } = this;
    const { q, v } = this.setup;
    for (let i = 0; i < stateQ.length; i++) x[i] = q[stateQ[i]!]!;
    for (let i = 0; i < stateV.length; i++) x[stateQ.length + i] = v[stateV[i]!]!;
    this.isLocated = false;
  }

  // -------------------------------------------------------------- forces

  accelerate(u: Float64Array): void {
    const { setup, known } = this;
    const { a, tau, wrenches, mechanism } = setup;
    if (known.of === mechanism && known.changes === mechanism.changes && isSame(known.u, u)) return;
    this.flanges.push(u, a, tau);
    this.applyLoads(u);
    resisted(setup, mechanism.accelerate(tau, wrenches, a));
    if (!this.rigid.any || this.flanges.count > 0) return;
    if (known.u.length !== u.length) known.u = new Float64Array(u.length);
    known.u.set(u);
    known.of = mechanism;
    known.changes = mechanism.changes;
  }

  applyLoads(u: Float64Array): void {
    const { frames, mechanism, wrenches } = this.setup;
    this.loads.apply(u, frames, mechanism, wrenches);
    this.contacts.apply(wrenches);
  }

  /** Rates of change of the states. */
  derivatives(x: Float64Array, dx: Float64Array): void {
    const { stateQ, stateV } = this;
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
}

function isSame(one: Float64Array, other: Float64Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

const empty = new Float64Array(0);
const none = new Int32Array(0);
