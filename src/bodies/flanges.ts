/**
 * Joints with flanges: what the model gives of them, coordinates, speeds, accelerations and forces, and what it gets, the matrices and vectors of its
 * equations for them (`ports.ts`).
 */
import type { Explanation, Instance } from '../builtin/component.ts';
import { withPath } from '../names/names.ts';
import { type Leading, own, type Ports } from './ports.ts';
import type { Led } from './posture.ts';
import { shown } from './problem.ts';
import { partFailure } from './scene/names.ts';
import type { Scene, SceneJoint } from './scene/scene.ts';
import type { Setup } from './setup.ts';
import { resisted, unresisted, weakJoint } from './trouble.ts';

/** How fast what the model says approaches the motion that satisfies closures, in 1/s. */
export const pull = 5;

/** How far a joint may be from where loops hold it, in rad or m, and relative to the fastest joint. */
const torn = 1e-2;

/** The share of a jump that impulses may leave unexplained, and what of a speed is rounding. */
const unexplained = 1e-6;
const rounding = 1e-12;

/** A compliance that is none, by that of the rotor. */
const unmoved = 1e-9;

export class Flanges {
  readonly leading: Leading;
  /** What may hold joints, in words. */
  private readonly holders: string;
  /** Of the joints, by index in the scene, and as they are. */
  private readonly joints: readonly number[];
  private readonly driven: readonly SceneJoint[];
  /** Where inputs lie. */
  readonly places: {
    readonly [Kind in 'coordinates' | 'speeds' | 'accelerations' | 'pushes']: Int32Array;
  };
  /** What changes of the structure have brought: momentum of driven joints, speed of pushed ones. */
  readonly momentum: Float64Array;
  /** The same when the last event came. */
  private readonly momentumBefore: Float64Array;
  /** Coordinates and speeds that were last seen, in turn. */
  private readonly seen: Float64Array;
  readonly rotors: Float64Array;
  private setup!: Setup;
  /** As in `DrivePlaces`; the matrix in the order of these. */
  q: Int32Array = none;
  v: Int32Array = none;
  order: Int32Array = none;
  private readonly matrix: Float64Array;
  /** Whether the matrix of pushed joints is known where the bodies are. */
  private isReduced = false;

  constructor(instance: Instance, { joints, rotors }: Scene, ports: Ports) {
    const places = (names: readonly string[]) => Int32Array.from(names, (name) => instance.input(name).start);
    this.leading = ports.leading;
    this.holders = ports.isRigid ? 'welds, loops and rigid contact' : 'welds and loops';
    this.joints = [...joints.keys()].filter((joint) => joints[joint]!.drive);
    this.driven = this.joints.map((joint) => joints[joint]!);
    this.places = {
      coordinates: places(ports.coordinates),
      speeds: places(ports.speeds),
      accelerations: places(ports.accelerations),
      pushes: places(ports.pushes),
    };
    this.momentum = new Float64Array(this.joints.length);
    this.momentumBefore = this.momentum.slice();
    this.matrix = new Float64Array(this.joints.length ** 2);
    this.seen = new Float64Array(2 * this.joints.length);
    this.rotors = Float64Array.from(this.joints, (joint) => rotors[joint]!);
  }

  get count(): number {
    return this.joints.length;
  }

  /** Takes up another mechanism. */
  setUp(setup: Setup): void {
    const { q, v, order } = setup.flanged;
    this.setup = setup;
    this.q = q;
    this.v = v;
    this.order = order;
    this.seen.fill(Number.NaN);
    this.moved();
  }

  /** Has this momentum, as at an event. */
  begin(momentum: Float64Array | undefined): void {
    if (momentum) this.momentum.set(momentum);
    else this.momentum.fill(0);
    this.note();
  }

  /** Takes note of the momentum at an event; gives what changes of the structure and contact have brought since the one before. */
  note(): Float64Array {
    const steps = this.momentum.map((value, i) => value - this.momentumBefore[i]!);
    this.momentumBefore.set(this.momentum);
    return steps;
  }

  // -------------------------------------------------------------- what the model gives

  /** Reads coordinates and speeds; true where they are others than before. */
  see(u: Float64Array): boolean {
    const { seen } = this;
    const { coordinates, speeds } = this.places;
    let isNew = false;
    for (let i = 0; i < this.count; i++) {
      const coordinate = u[coordinates[i]!]!;
      // Where positions alone are asked for, speeds may not be known yet.
      const speed = u[speeds[i]!]! || 0;
      if (seen[2 * i] === coordinate && seen[2 * i + 1] === speed) continue;
      seen[2 * i] = coordinate;
      seen[2 * i + 1] = speed;
      isNew = true;
    }
    return isNew;
  }

  /** Gives the mechanism the coordinates and speeds that were seen. */
  place(): void {
    const { q, v } = this.setup;
    for (let i = 0; i < this.count; i++) {
      q[this.q[i]!] = this.seen[2 * i]!;
      v[this.v[i]!] = this.seen[2 * i + 1]!;
    }
  }

  /** The bodies are elsewhere. */
  moved(): void {
    this.isReduced = false;
  }

  /** Accelerations of driven joints, or forces of pushed ones with those of their rotors. */
  push(u: Float64Array, a: Float64Array, tau: Float64Array): void {
    const { accelerations, pushes } = this.places;
    for (let i = 0; i < this.count; i++) {
      const acceleration = u[accelerations[i]!]!;
      if (this.leading === 'driven') a[this.v[i]!] = acceleration;
      else tau[this.v[i]!] = u[pushes[i]!]! + this.rotors[i]! * (acceleration - this.pulled(i));
    }
  }

  /** Coordinates and speeds, by joint. */
  ledBy(u: Float64Array): readonly Led[] {
    const { coordinates, speeds } = this.places;
    return this.joints.map((joint, i) => ({ joint, q: u[coordinates[i]!]!, v: u[speeds[i]!]! || 0 }));
  }

  /** A given motion, or a speed that is set, may contradict what loops and welds allow. */
  checkFollowed(): void {
    if (this.leading === 'driven') return;
    const { q, v } = this.setup;
    let fastest = 1;
    for (let i = 0; i < v.length; i++) fastest = Math.max(fastest, Math.abs(v[i]!));
    for (let i = 0; i < this.count; i++) {
      const joint = this.driven[i]!;
      const { coordinate, speed } = joint.drive!;
      this.checkHeld(joint, coordinate, this.seen[2 * i]!, q[this.q[i]!]!, 1);
      this.checkHeld(joint, speed, this.seen[2 * i + 1]!, v[this.v[i]!]!, fastest);
    }
  }

  private checkHeld({ part }: SceneJoint, variable: string, given: number, held: number, size: number): void {
    if (Math.abs(given - held) <= torn * Math.max(size, Math.abs(given))) return;
    const message = `\`${withPath(part.path, variable)}\` is ${shown(given)}, but ${this.holders} hold it at ${shown(held)}.`;
    throw partFailure(part, 'impossible-change', message, {
      hint: 'What drives the flange, or sets the speed, contradicts what holds the bodies: let one of them give way.',
    });
  }

  // -------------------------------------------------------------- what the model gets

  /** M, in the order of the model. */
  writeMatrix(y: Float64Array, at: number): void {
    const { order, matrix, rotors } = this;
    const n = order.length;
    if (this.leading === 'pushed') {
      this.writeCompliance(y, at);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) y[at + i * n + j] = (i === j ? 1 : 0) - y[at + i * n + j]! * rotors[j]!;
      return;
    }
    resisted(this.setup, this.setup.mechanism.driven(matrix));
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) y[at + i * n + j] = matrix[order[i]! * n + order[j]!]!;
  }

  /** A of pushed joints. What touches may hold them: then it is zero, so that no force that a given motion needs is a quotient of rounding errors. */
  writeCompliance(y: Float64Array, at: number): void {
    const { matrix, rotors } = this;
    const { mechanism, closures } = this.setup;
    const n = this.count;
    if (!this.isReduced) {
      resisted(this.setup, mechanism.compliance(this.v, matrix));
      const isTouched = mechanism.closures.closures.length > closures.length;
      for (let i = 0; isTouched && i < n; i++)
        for (let j = 0; j < n; j++) {
          const entry = matrix[i * n + j]!;
          if (entry * entry * rotors[i]! * rotors[j]! < rounding * rounding) matrix[i * n + j] = 0;
        }
    }
    this.isReduced = true;
    y.set(matrix, at);
  }

  /** h, where loads are applied. */
  writeBias(y: Float64Array, at: number): void {
    const { a, tau, wrenches } = this.setup;
    const isDriven = this.leading === 'driven';
    for (let i = 0; i < this.count; i++)
      if (isDriven) a[this.v[i]!] = 0;
      else tau[this.v[i]!] = -this.rotors[i]! * this.pulled(i);
    resisted(this.setup, this.setup.mechanism.accelerate(tau, wrenches, a));
    for (let i = 0; i < this.count; i++)
      y[at + i] = isDriven ? tau[this.v[i]!]! : -(a[this.v[i]!]! + this.pulled(i));
  }

  /** What the acceleration of a pushed joint has besides, so that the model follows the motion that satisfies closures. */
  private pulled(i: number): number {
    const { q, v } = this.setup;
    return (
      pull ** 2 * (q[this.q[i]!]! - this.seen[2 * i]!) + 2 * pull * (v[this.v[i]!]! - this.seen[2 * i + 1]!)
    );
  }

  // -------------------------------------------------------------- impulses

  /** What begins to hold brings impulses that driven joints have to bear, or jumps of the speeds of pushed ones. */
  strike(impulses: ArrayLike<number>, jumps: ArrayLike<number>): void {
    for (let i = 0; i < this.count; i++)
      this.momentum[i]! += this.leading === 'driven' ? impulses[i]! : -jumps[i]!;
  }

  /** Whether speeds jump as impulses and changes of the structure say: `M jumps + steps` is `impulses`, or `A impulses`. */
  explains(impulses: Float64Array, jumps: Float64Array, steps: Float64Array): boolean {
    const n = jumps.length;
    const [matrix, compliance] = [new Float64Array(n * n), new Float64Array(n * n)];
    this.writeMatrix(matrix, 0);
    if (this.leading === 'pushed') this.writeCompliance(compliance, 0);
    else for (let i = 0; i < n; i++) compliance[i * n + i] = 1;
    let fastest = 0;
    for (let i = 0; i < n; i++) fastest = Math.max(fastest, Math.abs(this.seen[2 * i + 1]!));
    for (let i = 0; i < n; i++) {
      const step = steps[i]!;
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

  /** The first of the joints in these equations that no force moves: what touches holds it. */
  heldAmong(variables: ReadonlySet<string>): SceneJoint | undefined {
    const { driven, matrix, rotors } = this;
    const n = this.count;
    if (this.leading === 'driven') return undefined;
    this.writeCompliance(new Float64Array(n * n), 0);
    return driven.find((_, i) => {
      const row = matrix.subarray(i * n, i * n + n);
      return (
        variables.has(`${own.compliance}[${i + 1},${i + 1}]`) &&
        row.every((value) => Math.abs(value) * rotors[i]! < unmoved)
      );
    });
  }

  /** Whether the model has found no force for some joint. */
  isWithoutForce(u: Float64Array): boolean {
    return this.places.pushes.some((place) => !Number.isFinite(u[place]!));
  }

  /** Equations of driven joints that their inertias do not determine. */
  explainSingular(variables: ReadonlySet<string>): Explanation | undefined {
    const { order, matrix, setup } = this;
    if (this.leading === 'pushed' || setup.mechanism.driven(matrix) >= 0) return undefined;
    const weak = weakJoint(matrix, order.length);
    const at = order.indexOf(weak) + 1;
    if (weak < 0 || !variables.has(`${own.matrix}[${at},${at}]`)) return undefined;
    const { part: _, ...explanation } = unresisted(setup, setup.mechanism.tree.drives[weak]!);
    return explanation;
  }
}

const none = new Int32Array(0);
