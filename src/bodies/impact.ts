/**
 * The instant at which joints begin to hold: impulses take the speeds that they do not allow, as in a plastic impact. Driven joints keep their speeds at
 * first; where the model around them lets these jump, the impulses change with them.
 */
import type { ComponentEvent } from '../builtin/component.ts';
import { withPath } from '../names/names.ts';
import { METRES } from './dynamics/closure.ts';
import { readImpulse, wrench } from './outputs.ts';
import { shown } from './problem.ts';
import { partFailure } from './scene/names.ts';
import type { Setup } from './setup.ts';

/** Impulses below this are none. */
const rounding = 1e-12;
/** Rounding of a momentum. */
const precision = 1e-15;
/** A closure takes part in a combination of closures that is zero where its share is greater. */
const involves = 1e-8;

/** How far a wheel may be from its plane when it begins to roll, in m. */
const touching = 1e-5;

export class Impact {
  /** By joint whose impulses are reported: what was. */
  private readonly told: ReadonlyMap<number, Float64Array>;

  constructor(
    /** The bodies with all that holds, and their speeds. */
    private readonly setup: Setup,
    private readonly beginning: readonly number[],
    readonly time: number,
  ) {
    const { joints, sensors } = setup.scene;
    const measured = sensors.flatMap(({ kind, of }) =>
      kind === 'ReactionSensor' && !joints[of]!.drive && setup.assembly.joins(of) ? [of] : [],
    );
    this.told = new Map([...beginning, ...measured].map((joint) => [joint, new Float64Array(6)]));
  }

  /**
   * Changes the speeds of the setup. Gives impulses that driven joints have to bear, jumps of the speeds of pushed ones, and the link whose motion nothing
   * resists, or -1.
   */
  strike(event: ComponentEvent): {
    readonly singular: number;
    readonly impulses: Float64Array;
    readonly jumps: Float64Array;
  } {
    const { q, v, mechanism, flanged } = this.setup;
    const { order, v: places } = flanged;
    const before = v.slice();
    mechanism.locate(q, v);
    const borne = new Float64Array(mechanism.tree.drives.length);
    const singular = mechanism.impact(v, borne);
    if (singular < 0) this.tell(event);
    mechanism.changeSpeeds(v);
    const impulses = new Float64Array(order.length);
    const jumps = new Float64Array(order.length);
    for (let i = 0; i < order.length; i++) {
      // Pushed joints are not among the driven ones.
      if (order[i]! >= 0) impulses[i] = borne[order[i]!]!;
      jumps[i] = v[places[i]!]! - before[places[i]!]!;
    }
    return { singular, impulses, jumps };
  }

  /** Speeds of driven joints, in the order of the model, jump in the same instant, while what has begun to hold does so. */
  add(change: Float64Array, event: ComponentEvent): void {
    const { v, mechanism, flanged } = this.setup;
    const ordered = new Float64Array(change.length);
    for (const [i, at] of flanged.order.entries()) ordered[at] = change[i]!;
    mechanism.jump(ordered, v);
    this.tell(event);
  }

  /** Impulses at the flanges of pushed joints, in the same instant. */
  push(impulses: Float64Array, event: ComponentEvent): void {
    const { v, mechanism, flanged } = this.setup;
    mechanism.kick(flanged.v, impulses, v);
    this.tell(event);
  }

  private read(joint: number): void {
    const { setup } = this;
    const { a, b } = setup.scene.joints[joint]!;
    setup.frames.update(a, setup.mechanism);
    setup.frames.update(b, setup.mechanism);
    readImpulse(setup, joint);
  }

  /** Reports what was added to the impulses on the second objects of the joints. */
  private tell(event: ComponentEvent): void {
    const { setup } = this;
    const least = precision * this.momentum();
    for (const [joint, told] of this.told) {
      const { name } = setup.scene.joints[joint]!;
      this.read(joint);
      for (let i = 0; i < 6; i++) {
        const weight = wrench[i]!;
        if (Math.abs(weight) <= least) continue;
        event.impulse(`${name}.${i < 3 ? 't' : 'f'}[${(i % 3) + 1}]`, weight, i < 3 ? 'N.m.s' : 'N.s');
        told[i]! += weight;
      }
    }
    this.tellAmbiguous(event);
  }

  /** How much momentum there is, of which rounding takes its part. */
  private momentum(): number {
    const { scene, frames, mechanism } = this.setup;
    const { velocity } = frames;
    let sum = 0;
    for (let k = 0; k < scene.objects.length; k++) {
      const { mass } = scene.objects[k]!.mass;
      if (mass === 0) continue;
      frames.update(k, mechanism);
      const [x, y, z] = [velocity[3 * k]!, velocity[3 * k + 1]!, velocity[3 * k + 2]!];
      sum += mass * Math.sqrt(x * x + y * y + z * z);
    }
    return sum;
  }

  /** Impulses of rigid bodies that share a load in ways that nothing determines. */
  private tellAmbiguous({ tell }: ComponentEvent): void {
    const { joints } = this.setup.scene;
    for (const joint of new Set(this.beginning)) {
      const { name, part, condition } = joints[joint]!;
      const sharing = this.sharing(joint);
      // What holds a joint that moves shares nothing with the bearing of this joint, which carries the rest.
      const isAlone = sharing?.size === 0;
      if (!sharing || (isAlone && condition === withPath(name, 'locked')) || !this.struck(joint)) continue;
      const names = [...sharing].map((other) => `\`${joints[other]!.name}\``);
      const others = isAlone ? 'the other joints of its bodies' : names.join(', ');
      const message = `The impulses \`${name}.f\` and \`${name}.t\` are not unique: rigid bodies do not say how \`${name}\` and ${others} share the impact.`;
      tell('info', message, {
        span: part.origin.span,
        hint: 'The smallest ones are shown; speeds after the impact are unique. A joint that leaves more freedom makes the impulses unique, too.',
      });
    }
  }

  private struck(joint: number): boolean {
    return this.told.get(joint)!.some((value) => Math.abs(value) > rounding);
  }

  /** Other joints that could bear what this one does; undefined where its impulses are unique. */
  private sharing(joint: number): Set<number> | undefined {
    const { closures, mechanism } = this.setup;
    let found: Set<number> | undefined;
    for (const combination of mechanism.loops.combinations(involves)) {
      const involved = new Set([...combination].map((closure) => closures[closure]!.joint));
      if (!involved.delete(joint)) continue;
      found = new Set([...(found ?? []), ...involved]);
    }
    return found;
  }
}

/** What begins to roll must touch its plane. */
export function checkTouch({ scene, mechanism, closures, q, v }: Setup, beginning: readonly number[]): void {
  if (!beginning.some((joint) => scene.joints[joint]!.rolling)) return;
  mechanism.locate(q, v);
  mechanism.closures.evaluate(q);
  for (let row = 0; row < mechanism.closures.count; row++) {
    const { joint } = closures[mechanism.closures.closureOf[row]!]!;
    const residual = Math.abs(mechanism.closures.residuals[row]!);
    const isTouch =
      beginning.includes(joint) && scene.joints[joint]!.rolling && mechanism.closures.measure[row] === METRES;
    if (!isTouch || residual <= touching) continue;
    const { part } = scene.joints[joint]!;
    if (Number.isNaN(residual))
      throw partFailure(part, 'impossible-change', `The wheel of \`${part.path}\` lies flat on its plane.`, {
        hint: 'A disc rolls on its rim: its `axis` must not be along the `normal`. A ball has `ball = true`.',
      });
    const message = `\`${part.path}\` begins to hold, but the wheel does not touch its plane: ${shown(residual)} m are missing.`;
    throw partFailure(part, 'impossible-change', message, {
      hint: 'Let it hold when the distance is zero.',
    });
  }
}
