/**
 * The instant at which joints begin to hold: impulses take the speeds that they do not allow, as in a plastic impact. Driven joints keep their speeds at
 * first; where the model around them lets these jump, the impulses change with them.
 */
import type { ComponentEvent } from '../builtin/component.ts';
import { readClosure, wrench } from './outputs.ts';
import type { Setup } from './setup.ts';

export class Impact {
  /** Speeds before. */
  private readonly before: Float64Array;
  /** By closure: the impulse that was reported. */
  private readonly told: readonly Float64Array[];
  /** Of each joint with a flange: its place among the driven links, and in speeds. */
  private readonly drives: readonly number[];
  private readonly places: Int32Array;

  constructor(
    /** The bodies with all that holds, and the speeds before. */
    private readonly setup: Setup,
    private readonly beginning: readonly number[],
    readonly time: number,
  ) {
    this.before = setup.v.slice();
    this.told = setup.closures.map(() => new Float64Array(6));
    const flanged = setup.scene.joints.flatMap(({ drive }, joint) => (drive ? [setup.drive(joint)] : []));
    this.drives = flanged.map(({ order }) => order);
    this.places = Int32Array.from(flanged, ({ v }) => v);
  }

  /**
   * Changes the speeds of the setup. Gives impulses that driven joints have to bear, jumps of the speeds of pushed ones, and the link whose motion nothing
   * resists, or -1.
   */
  strike(event: ComponentEvent): {
    readonly singular: number;
    readonly impulses: readonly number[];
    readonly jumps: readonly number[];
  } {
    const { q, v, mechanism } = this.setup;
    v.set(this.before);
    mechanism.locate(q, v);
    const impulses = new Float64Array(this.drives.length);
    const singular = mechanism.impact(v, impulses);
    if (singular < 0) this.tell(event);
    return {
      singular,
      impulses: this.drives.map((at) => impulses[at] ?? 0),
      jumps: Array.from(this.places, (at) => v[at]! - this.before[at]!),
    };
  }

  /** Speeds of driven joints, in the order of the model, jump in the same instant. */
  add(change: Float64Array, event: ComponentEvent): void {
    const { q, v, mechanism } = this.setup;
    const ordered = new Float64Array(change.length);
    for (const [i, at] of this.drives.entries()) ordered[at] = change[i]!;
    v.set(this.before);
    this.hold(false);
    mechanism.locate(q, v);
    mechanism.jump(ordered, v);
    this.hold(true);
    this.before.set(v);
    this.strike(event);
  }

  /** Impulses at the flanges of pushed joints, in the same instant. */
  push(impulses: Float64Array, event: ComponentEvent): void {
    const { q, v, mechanism } = this.setup;
    v.set(this.before);
    this.hold(false);
    mechanism.locate(q, v);
    mechanism.kick(this.places, impulses, v);
    this.hold(true);
    this.before.set(v);
    this.strike(event);
  }

  /** Lets what begins to hold do so, or not. */
  private hold(holds: boolean): void {
    for (const [k, { joint }] of this.setup.closures.entries())
      if (this.beginning.includes(joint)) this.setup.mechanism.closures.active[k] = holds ? 1 : 0;
  }

  /** Reports impulses on the second objects of the joints, as far as they are new. */
  private tell(event: ComponentEvent): void {
    const { setup } = this;
    for (const [k, { joint }] of setup.closures.entries()) {
      if (!this.beginning.includes(joint)) continue;
      const { name, b } = setup.scene.joints[joint]!;
      setup.frames.update(b, setup.mechanism);
      readClosure(setup, k);
      const told = this.told[k]!;
      for (let i = 0; i < 6; i++)
        event.impulse(`${name}.${i < 3 ? 't' : 'f'}[${(i % 3) + 1}]`, wrench[i]! - told[i]!);
      told.set(wrench);
    }
  }
}
