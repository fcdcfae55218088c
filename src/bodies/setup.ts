/** How a mechanism gets where it has to be: from start values, from joints with flanges that lead it, from the structure before. */
import { closeFromStart, deadCentre, openLoop, tiedDrives } from './closing.ts';
import { type Led, Posture } from './posture.ts';
import { GONE } from './scene/assembly.ts';
import { poseBetween } from './scene/closures.ts';
import { Placed, type Snapshot, tracedIn } from './snapshot.ts';
import { applied, conjugate, minus, quaternionOf, transposed } from './space.ts';
import { changedStarts, unfitting } from './starts.ts';
import type { Structure } from './structure.ts';

/** The share of what it was by which a lead has to become worse to be near a dead centre. */
const nearDeadCentre = 1e-2;

export class Setup extends Posture {
  /** The same bodies with joints that lead the others. */
  private guide: Setup | undefined;
  /** How well joints with flanges have led loops so far. */
  private strongest = 0;

  /** As if it were new: the same joints hold, but in other poses. */
  renew(structure: Structure): void {
    this.hold(structure);
    this.guide = undefined;
    this.strongest = 0;
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
    throw outcome === 'open' ? openLoop(this) : tiedDrives(this);
  }

  /** Joints with flanges lead the others of a loop. In a dead centre they cannot: there the others may go either way. */
  private checkLead(): void {
    const { weakest } = this.mechanism.loops;
    this.strongest = Math.max(this.strongest, weakest);
    if (!(weakest > nearDeadCentre * this.strongest)) throw deadCentre(this);
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
    const isKept = closeFromStart(this);
    this.place();
    return changedStarts(this, isKept);
  }

  /** Start values that are given and that loops do not allow, in words. */
  changes(): string[] {
    return changedStarts(this, true);
  }

  /** A start in which pushed joints have coordinates and speeds that the model gives: all others follow them where loops are closed. */
  lead(led: readonly Led[]): void {
    if (this.closures.length === 0) {
      this.startLed(led);
      this.place();
      return;
    }
    const { scene, structure, last } = this;
    this.guide ??= new Setup(scene, structure, last, 'driven');
    const { guide } = this;
    guide.startLed(led);
    if (guide.closures.length > 0) closeFromStart(guide);
    guide.mechanism.locate(guide.q, guide.v);
    this.goOn(guide.snapshot());
    this.place();
  }

  private startLed(led: readonly Led[]): void {
    this.start();
    for (const { joint, q, v } of led) {
      const at = this.drive(joint);
      this.q[at.q] = q;
      this.v[at.v] = v;
    }
    this.startFree();
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
    const failure = unfitting(this, led);
    if (failure) throw failure;
    return this.changes();
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
    const { plain, at, spherical } = this.steps;
    const speeds = new Float64Array(plain.length);
    for (let step = 0; step < plain.length; step++) {
      const joint = plain[step]!;
      if (joint >= 0) speeds[step] = this.speed(joint, step - at[joint]!);
    }
    const orientation = (joint: number) => {
      const { a, b } = scene.joints[joint]!;
      return quaternionOf(poseBetween(frames.pose(a), frames.pose(b)).rotation);
    };
    return {
      coordinates: this.last.slice(),
      speeds,
      orientations: new Map(spherical.map((joint) => [joint, orientation(joint)])),
      placed: new Placed(objects, frames),
      gone: this.assembly.gone,
    };
  }

  /** Goes on with a motion of the same scene in another structure. What was not there begins as at the start. */
  goOn({ coordinates, speeds, orientations, placed: before, gone }: Snapshot): void {
    const { q, v, mechanism, assembly, frames, scene } = this;
    const { qAt, vAt } = mechanism.tree;
    const begins = (object: number) => gone[object] === 1;
    const { at } = this.steps;
    for (let k = 0; k < scene.objects.length; k++)
      if (assembly.gone[k] === 1) frames.leave(k, before.of(k).pose);
    for (const [k, origin] of assembly.origins.entries()) {
      if (origin.kind === 'free') {
        const { pose, linear, angular } = before.of(origin.object);
        q.set(pose.translation, qAt[k]!);
        q.set(quaternionOf(pose.rotation), qAt[k]! + 3);
        v.set(linear, vAt[k]!);
        v.set(angular, vAt[k]! + 3);
        continue;
      }
      const orientation = orientations.get(origin.joint);
      const { a, b } = scene.joints[origin.joint]!;
      if (begins(a) || begins(b)) this.startJoint(k, origin);
      else if (orientation) {
        const [from, to] = origin.reversed ? [b, a] : [a, b];
        const turning = minus(before.of(to).angular, before.of(from).angular);
        q.set(origin.reversed ? conjugate(orientation) : orientation, qAt[k]!);
        v.set(applied(transposed(before.of(from).pose.rotation), turning), vAt[k]!);
      } else {
        const step = at[origin.joint]! + origin.step;
        q[qAt[k]!] = coordinates[step]!;
        v[vAt[k]!] = speeds[step]!;
      }
    }
    if (gone.includes(1)) this.startFree(begins);
  }
}
