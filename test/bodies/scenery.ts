/**
 * Random scenes of rigid bodies that touch, and what physics says of all of them: stacks, rows and falling bodies on slopes, with laws for each pair of materials, pushed by forces that step, hit by hinged
 * beams, and moved by carts behind flanges.
 */
import fc from 'fast-check';
import {
  applied,
  cardan,
  cross,
  dot,
  minus,
  norm,
  plus,
  scaled,
  transposed,
  type Vector,
  zero,
} from '../../src/bodies/space.ts';
import type { SimulationResult } from '../../src/index.ts';
import { g } from './rigidnotation.ts';

const materials = ['Steel', 'Rubber'] as const;
const kinds = ['box', 'plank', 'ball', 'roller', 'puck'] as const;
type Kind = (typeof kinds)[number];

/** Half sizes along x, y and z. */
const halves: Record<Kind, Vector> = {
  box: [0.1, 0.1, 0.1],
  plank: [0.2, 0.04, 0.1],
  ball: [0.1, 0.1, 0.1],
  roller: [0.1, 0.1, 0.15],
  puck: [0.1, 0.05, 0.1],
};
const lengths = ({ 0: x, 1: y, 2: z }: Vector) =>
  `lengthX = ${2 * x}, lengthY = ${2 * y}, lengthZ = ${2 * z}`;
const shapes: Record<Kind, string> = {
  box: `Box %(${lengths(halves.box)}`,
  plank: `Box %(${lengths(halves.plank)}`,
  ball: 'Sphere %(diameter = 0.2',
  roller: 'Cylinder %(axis = 3, diameter = 0.2, length = 0.3',
  puck: 'Cylinder %(axis = 2, diameter = 0.2, length = 0.1',
};

/** Moments of inertia by mass. */
function inertiaOf(kind: Kind): Vector {
  const [x, y, z] = halves[kind];
  if (kind === 'ball') return [0.4 * x * x, 0.4 * x * x, 0.4 * x * x];
  if (kind === 'roller') return [x ** 2 / 4 + z ** 2 / 3, x ** 2 / 4 + z ** 2 / 3, x ** 2 / 2];
  if (kind === 'puck') return [x ** 2 / 4 + y ** 2 / 3, x ** 2 / 2, x ** 2 / 4 + y ** 2 / 3];
  return [(y ** 2 + z ** 2) / 3, (x ** 2 + z ** 2) / 3, (x ** 2 + y ** 2) / 3];
}

const law = fc.record({
  restitution: fc.constantFrom(0, 0, 0.3, 0.7, 1),
  friction: fc.constantFrom(0, 0.1, 0.3, 0.6, 1),
});
const speed = fc.constantFrom(0, 0, 0.5, -0.5, 1.5, -1.5);
const levels = fc.array(fc.constantFrom(-1.5, -0.6, -0.2, 0, 0.3, 0.8, 2), { minLength: 3, maxLength: 3 });

/** Loads are multiples of the weight of what they act on. */
export const sceneries = fc.record({
  slope: fc.constantFrom(0, 0, 0.15, 0.5),
  aside: fc.constantFrom(0, 0, 0, 0.2),
  laws: fc.tuple(law, law, law),
  bodies: fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      mass: fc.constantFrom(0.2, 1, 5),
      material: fc.nat(1),
      place: fc.constantFrom('on', 'on', 'beside', 'above'),
      shift: fc.constantFrom(0, 0, 0.03, -0.07),
      velocity: fc.tuple(speed, speed),
      spin: fc.tuple(speed, speed, speed),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  pushed: fc.record({ body: fc.nat(3), loads: levels, isOn: fc.boolean() }),
  hinge: fc.option(
    fc.record({ mass: fc.constantFrom(0.2, 5), w: fc.constantFrom(0, -4), material: fc.nat(1) }),
  ),
  drive: fc.constantFrom('none', 'none', 'none', 'force', 'servo'),
  cart: fc.record({ mass: fc.constantFrom(0.3, 4), loads: levels, material: fc.nat(1) }),
});
type Scenery = typeof sceneries extends fc.Arbitrary<infer T> ? T : never;

/** A body that is free, hinged or driven. */
interface Actor {
  readonly name: string;
  readonly material: number;
  readonly mass: number;
  /** About its centre, along its axes. */
  readonly inertia: Vector;
  readonly centre: Vector;
  readonly kind: Kind | 'beam' | 'cart';
  /** The force on it, by time. */
  readonly push: (t: number) => Vector;
}

const steps = [0, 0.08, 0.2];
const stepped = (values: readonly number[]) => (t: number) =>
  values[steps.reduce((last, from, k) => (t >= from ? k : last), 0)]!;
const written = (values: readonly number[]) =>
  `if time < ${steps[1]} then ${values[0]} elseif time < ${steps[2]} then ${values[1]} else ${values[2]}`;

const beam: Vector = [0.25, 0.02, 0.05];
const cartHalf: Vector = [0.1, 0.06, 0.1];

export class Scene {
  readonly text: string;
  readonly actors: readonly Actor[];
  readonly gravity: Vector;
  readonly weight: number;

  constructor(readonly drawn: Scenery) {
    const { slope, aside, laws, bodies, pushed, hinge, drive, cart } = drawn;
    const direction: Vector = [Math.sin(slope), -Math.cos(slope), Math.sin(aside)];
    this.gravity = scaled(g / norm(direction), direction);
    const actors: Actor[] = [];
    const lines = [
      `World world(rigidContact = true, direction = {${direction}});`,
      ...laws.map(
        ({ restitution, friction }, k) =>
          `ContactLaw law${k}(material1 = "${materials[k >> 1]}", material2 = "${materials[(k + 1) >> 1]}", restitution = ${restitution}, friction = ${friction});`,
      ),
      `Box ground(parent = "world", lengthX = 40, lengthY = 0.2, lengthZ = 40, translation = {0, -0.1, 0}, contact = true, material = "Steel");`,
    ];
    let [x, y, right] = [0, 0, 0];
    for (const [k, { kind, mass, material, place, shift, velocity, spin }] of bodies.entries()) {
      const [hx, hy] = halves[kind];
      const isFree = place === 'above';
      if (k === 0 || place === 'beside') {
        x = k === 0 ? 0 : right + hx;
        y = hy;
        right = x + hx;
      } else {
        y += hy + (isFree ? 0.11 + Math.abs(shift) : 0);
        x += shift;
      }
      const at = [x, y, 0];
      y += hy;
      right = Math.max(right, x + hx);
      const isPushed = pushed.isOn && pushed.body % bodies.length === k;
      const push = pushed.loads.map((load) => (isPushed ? load * mass * g : 0));
      const moving = isFree
        ? `, velocity = {${velocity}, 0}, angularVelocity = {${spin}}`
        : kind === 'box' || kind === 'plank' || kind === 'puck'
          ? `, velocity = {${velocity[0]}, 0, 0}`
          : '';
      lines.push(
        `${shapes[kind].replace('%', `b${k}`)}, fixed = false, mass = ${mass}, translation = {${at}}${moving}, contact = true, material = "${materials[material]}");`,
      );
      if (isPushed) lines.push(`WorldForce push(object = "b${k}", f = {${written(push)}, 0, 0});`);
      actors.push({
        name: `b${k}`,
        material,
        mass,
        inertia: scaled(mass, inertiaOf(kind)),
        centre: zero,
        kind,
        push: (t) => [stepped(push)(t), 0, 0],
      });
    }
    if (hinge) {
      const place = [right + 0.52, 0.45, 0];
      lines.push(
        `Object3D arm; Object3D post(parent = "world", translation = {${place}});`,
        `Box beam(parent = "arm", translation = {-${beam[0]}, 0, 0}, ${lengths(beam)}, mass = ${hinge.mass}, contact = true, material = "${materials[hinge.material]}");`,
        `Revolute hinge(obj1 = "post", obj2 = "arm", w0 = ${-hinge.w});`,
      );
      actors.push({
        name: 'beam',
        material: hinge.material,
        mass: hinge.mass,
        inertia: scaled(hinge.mass / 3, [
          beam[1] ** 2 + beam[2] ** 2,
          beam[0] ** 2 + beam[2] ** 2,
          beam[0] ** 2 + beam[1] ** 2,
        ]),
        centre: zero,
        kind: 'beam',
        push: () => zero,
      });
    }
    if (drive !== 'none') {
      const { mass, loads, material } = cart;
      lines.push(
        `Box cart(${lengths(cartHalf)}, mass = ${mass}, contact = true, material = "${materials[material]}");`,
        'Object3D rail(parent = "world", translation = {-0.45, 0.08, 0});',
        `PrismaticWithFlange slide(obj1 = "rail", obj2 = "cart", s(fixed = true), v(fixed = true));`,
        'NoContact above(object1 = "cart", object2 = "ground");',
        drive === 'force'
          ? `Mutabor.Translational.Force motor(f = ${written(loads.map((load) => 2 * load * mass * g))});`
          : `Mutabor.Translational.Force motor(f = 200*${mass}*(${written(loads.map((load) => load / 5))} - slide.s) - 15*${mass}*slide.v);`,
      );
      actors.push({
        name: 'cart',
        material,
        mass,
        inertia: [1, 1, 1],
        centre: zero,
        kind: 'cart',
        push: () => zero,
      });
    }
    this.actors = actors;
    this.weight = g * actors.reduce((sum, { mass }) => sum + mass, 0);
    const names = ['ground', ...actors.map(({ name }) => name)];
    for (const [i, one] of names.entries())
      for (const other of names.slice(i + 1))
        lines.push(`ContactSensor s_${one}_${other}(object1 = "${one}", object2 = "${other}");`);
    for (const { name, kind } of actors)
      if (kind !== 'beam' && kind !== 'cart') lines.push(`AccelerationSensor a_${name}(object = "${name}");`);
    if (drive !== 'none') lines.push('equation connect(motor.flange, slide.flange);');
    this.text = lines.join('\n');
  }

  lawOf(one: number, other: number) {
    return this.drawn.laws[one + other]!;
  }

  /** What is wrong with a result; nothing, if all is well. */
  faults(result: SimulationResult): string[] {
    return new Check(this, result).faults;
  }
}

interface Moving {
  readonly r: Vector;
  readonly v: Vector;
  readonly w: Vector;
}

const still: Moving = { r: zero, v: zero, w: zero };

class Check {
  readonly faults: string[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly result: SimulationResult,
  ) {
    const { table } = result;
    for (let row = 0; row < table.rowCount; row++) {
      const isJump = row > 0 && table.time[row] === table.time[row - 1];
      for (const [i, first] of this.all.entries())
        for (const second of this.all.slice(i + 1)) this.contact(row, isJump, first, second);
      for (const actor of scene.actors)
        if (actor.kind !== 'beam' && actor.kind !== 'cart') {
          this.newton(row, actor);
          if (isJump) this.momentum(row, actor);
        }
      if (row > 0) this.energy(row, isJump);
    }
  }

  private fault(row: number, what: string, by: number, limit: number): void {
    if (by <= limit) return;
    this.faults.push(`${what} at ${this.result.table.time[row]}: ${by} > ${limit}`);
  }

  private get all(): readonly (Actor | undefined)[] {
    return [undefined, ...this.scene.actors];
  }

  private vector(name: string, row: number): Vector {
    const { table } = this.result;
    return [table.at(`${name}[1]`, row), table.at(`${name}[2]`, row), table.at(`${name}[3]`, row)];
  }

  private moving(actor: Actor | undefined, row: number): Moving {
    if (!actor) return still;
    const { name } = actor;
    return {
      r: this.vector(`${name}.r`, row),
      v: this.vector(`${name}.v`, row),
      w: this.vector(`${name}.w`, row),
    };
  }

  private sensor(first: Actor | undefined, second: Actor | undefined): string {
    return `s_${first?.name ?? 'ground'}_${second?.name ?? 'ground'}`;
  }

  /** How the second moves past the first at a place. */
  private past(first: Actor | undefined, second: Actor | undefined, row: number, at: Vector): Vector {
    const [one, other] = [this.moving(first, row), this.moving(second, row)];
    const at1 = plus(one.v, cross(one.w, minus(at, one.r)));
    const at2 = plus(other.v, cross(other.w, minus(at, other.r)));
    return minus(at2, at1);
  }

  private contact(row: number, isJump: boolean, first: Actor | undefined, second: Actor | undefined): void {
    const { table } = this.result;
    const { weight } = this.scene;
    const sensor = this.sensor(first, second);
    const at = (name: string) => table.at(`${sensor}.${name}`, row);
    const isLast = row + 1 < table.rowCount && table.time[row] === table.time[row + 1];
    if (isLast) return;
    const { friction, restitution } = this.scene.lawOf(first?.material ?? 0, second!.material);
    const [pressing, rubbing] = [at('normalForce'), at('frictionForce')];
    const [force, torque, r, n] = ['f', 't', 'r', 'n'].map((name) =>
      this.vector(`${sensor}.${name}`, row),
    ) as [Vector, Vector, Vector, Vector];
    const scale = weight + norm(force);
    this.fault(row, `${sensor} sinks in`, -at('distance'), 1e-7);
    this.fault(row, `${sensor} pulls`, -pressing, 1e-4 * scale);
    this.fault(row, `${sensor} rubs too much`, rubbing - friction * pressing, 1e-3 * scale);
    if (pressing > 1e-3 * scale) {
      this.fault(row, `${sensor} presses from afar`, at('distance'), 1e-7);
      const slip = this.past(first, second, row, r);
      const [one, other] = [this.moving(first, row), this.moving(second, row)];
      this.fault(row, `${sensor} opens or closes while it presses`, Math.abs(dot(slip, n)), 1e-4);
      const power = dot(force, slip) + dot(torque, minus(other.w, one.w));
      this.fault(row, `${sensor} drives`, power, 1e-3 * scale);
      const slipping = norm(slip);
      if ((first?.kind === 'ball' || second!.kind === 'ball') && slipping > 1e-2)
        this.fault(
          row,
          `${sensor} slips without its friction`,
          Math.abs(dot(force, slip) / slipping + friction * pressing),
          1e-3 * scale,
        );
    }
    if (!isJump) return;
    // Impulses.
    const p = this.impulse(`${sensor}.impulse`, row);
    const along = dot(p, n);
    const size = norm(p);
    const least = 1e-6 * this.scene.weight;
    this.fault(row, `${sensor} has an impulse that pulls`, -along, 1e-6 * size + 1e-9);
    this.fault(
      row,
      `${sensor} has too much friction in an impulse`,
      Math.sqrt(Math.max(0, size * size - along * along)) - friction * along,
      1e-4 * size + least * 1e-3,
    );
    const isBall = first?.kind === 'ball' || second!.kind === 'ball';
    if (at('distance') < 1e-9 && isBall) {
      const now = dot(this.past(first, second, row, r), n);
      this.fault(row, `${sensor} goes on to approach`, -now, 1e-6);
      const before = dot(this.past(first, second, row - 1, r), n);
      const struck = new Set(
        this.result.impulses
          .filter(({ time, variable }) => time === table.time[row] && variable.includes('.impulse'))
          .map(({ variable }) => variable.split('.')[0]),
      );
      const isAlone = struck.size === 1 && struck.has(sensor);
      const isDriven = this.scene.drawn.drive !== 'none' && [first, second].some((of) => of?.kind === 'cart');
      // Both balls, or a ball and the ground: friction does not change what is along the normal.
      const isCentral = [first, second].every((of) => !of || of.kind === 'ball');
      if (isAlone && isCentral && !isDriven && before < -0.1)
        this.fault(
          row,
          `${sensor} does not bounce as its law says`,
          Math.abs(now + restitution * before),
          1e-6,
        );
    }
  }

  private impulse(name: string, row: number): Vector {
    const { table, impulses } = this.result;
    const sum = [0, 0, 0];
    for (const { time, variable, weight } of impulses)
      if (time === table.time[row] && variable.startsWith(`${name}[`))
        sum[Number(variable.at(-2)) - 1]! += weight;
    return sum as unknown as Vector;
  }

  /** Sensors with an actor, and whether it is the second object. */
  private sensorsOf(
    actor: Actor,
  ): (readonly [sensor: string, other: Actor | undefined, isSecond: boolean])[] {
    const { all } = this;
    const own = all.indexOf(actor);
    return all.flatMap((other, k) =>
      k === own
        ? []
        : [[k < own ? this.sensor(other, actor) : this.sensor(actor, other), other, k < own] as const],
    );
  }

  private turned(actor: Actor, row: number, moments: Vector): Vector {
    const rotation = cardan(this.vector(`${actor.name}.angles`, row));
    const own = applied(transposed(rotation), moments);
    return applied(rotation, [
      own[0] * actor.inertia[0],
      own[1] * actor.inertia[1],
      own[2] * actor.inertia[2],
    ]);
  }

  /** Newton and Euler: accelerations are those of the forces. */
  private newton(row: number, actor: Actor): void {
    const { table } = this.result;
    const { name, mass, push } = actor;
    const { r, w } = this.moving(actor, row);
    const isAfter = row > 0 && table.time[row] === table.time[row - 1];
    const isBefore = row + 1 < table.rowCount && table.time[row] === table.time[row + 1];
    const t = table.time[row]! + (isAfter ? 1e-9 : isBefore ? -1e-9 : 0);
    let force = plus(scaled(mass, this.scene.gravity), push(t));
    let torque: Vector = zero;
    let scale = this.scene.weight + norm(push(t));
    for (const [sensor, , isSecond] of this.sensorsOf(actor)) {
      const sign = isSecond ? 1 : -1;
      const f = scaled(sign, this.vector(`${sensor}.f`, row));
      const at = this.vector(`${sensor}.r`, row);
      force = plus(force, f);
      torque = plus(torque, plus(scaled(sign, this.vector(`${sensor}.t`, row)), cross(minus(at, r), f)));
      scale += norm(f);
    }
    const acceleration = this.vector(`a_${name}.a`, row);
    const turning = this.vector(`a_${name}.z`, row);
    const spun = cross(w, this.turned(actor, row, w));
    this.fault(
      row,
      `${name} is not moved by its forces`,
      norm(minus(scaled(mass, acceleration), force)),
      1e-6 * scale,
    );
    this.fault(
      row,
      `${name} is not turned by its torques`,
      norm(minus(plus(this.turned(actor, row, turning), spun), torque)),
      1e-6 * scale,
    );
  }

  /** Jumps of velocities are those of impulses. */
  private momentum(row: number, actor: Actor): void {
    const { name, mass } = actor;
    const [before, after] = [this.moving(actor, row - 1), this.moving(actor, row)];
    let linear: Vector = zero;
    let angular: Vector = zero;
    let scale = 1e-2 * mass;
    for (const [sensor, other, isSecond] of this.sensorsOf(actor)) {
      const p = this.impulse(`${sensor}.impulse`, row);
      const l = this.impulse(`${sensor}.angularImpulse`, row);
      scale += norm(p);
      if (isSecond) {
        linear = plus(linear, p);
        angular = plus(angular, l);
      } else {
        const lever = minus(this.moving(other, row).r, after.r);
        linear = minus(linear, p);
        angular = minus(angular, plus(l, cross(lever, p)));
      }
    }
    this.fault(
      row,
      `${name} jumps without an impulse`,
      norm(minus(scaled(mass, minus(after.v, before.v)), linear)),
      1e-3 * (mass * (1 + norm(before.v)) + scale),
    );
    this.fault(
      row,
      `${name} jumps in turning without an impulse`,
      norm(minus(this.turned(actor, row, minus(after.w, before.w)), angular)),
      1e-3 * (mass * (1 + norm(before.v)) + scale),
    );
  }

  private energyAt(row: number): { readonly kinetic: number; readonly all: number } {
    let [kinetic, all] = [0, 0];
    for (const actor of this.scene.actors) {
      const { r, v, w } = this.moving(actor, row);
      const isCart = actor.kind === 'cart';
      kinetic += (actor.mass * dot(v, v)) / 2 + (isCart ? 0 : dot(w, this.turned(actor, row, w)) / 2);
      all -= actor.mass * dot(this.scene.gravity, r);
    }
    return { kinetic, all: all + kinetic };
  }

  /** Impacts take energy. */
  private energy(row: number, isJump: boolean): void {
    const { drive } = this.scene.drawn;
    const [before, after] = [this.energyAt(row - 1), this.energyAt(row)];
    if (isJump)
      this.fault(row, 'an impact brings energy', after.kinetic - before.kinetic, 1e-7 * (1 + before.kinetic));
    const isPushed = this.scene.drawn.pushed.isOn || drive !== 'none';
    if (!isJump && !isPushed)
      this.fault(row, 'energy grows', after.all - before.all, 1e-5 * (1 + before.kinetic + after.kinetic));
  }
}
