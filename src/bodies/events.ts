/** What happens to bodies at an instant: joints that begin or cease to hold, objects that go, impulses from flanges, contact. */
import type { ComponentEvent, Point } from '../builtin/component.ts';
import { sameItems } from '../collections/lists.ts';
import { listed } from '../diagnostic/words.ts';
import { withPath } from '../names/names.ts';
import { checkTouch, Impact } from './impact.ts';
import type { MovingBodies } from './moving.ts';
import { poseBetween } from './scene/closures.ts';
import type { Setup } from './setup.ts';
import type { Snapshot } from './snapshot.ts';
import { changedSpeeds } from './starts.ts';
import { beginningOf, holdersOf, isSame, structureOf, withoutObjects } from './structure.ts';
import { resisted, tellAmbiguous, tellOverlap, tellStray, tellThrough } from './trouble.ts';

/** So many start values that are changed are named. */
const mostChanges = 8;

export class BodyEvents {
  /** Motion with which the next segment begins. */
  next: Snapshot | undefined;
  /** Start values that had to be changed. */
  changed: readonly string[] = [];
  /** Joints that may hold. */
  private readonly holders: readonly number[];
  /** The last instant at which joints began or ceased to hold, and how often each of them did. */
  private toggled: { readonly time: number; readonly counts: Map<number, number> } = {
    time: Number.NaN,
    counts: new Map(),
  };
  /** The last impact of what began to hold. */
  private impact: Impact | undefined;
  /** The motion that the model gives for the start, while something that begins to hold there may change it. */
  private given: Snapshot | undefined;

  /** @param conditionAt where inputs lie that are conditions, by name. */
  constructor(
    private readonly moving: MovingBodies,
    private readonly conditionAt: ReadonlyMap<string, number>,
  ) {
    const { joints } = moving.scene;
    this.holders = [...joints.keys()].filter((k) => joints[k]!.condition !== undefined);
  }

  /** As if nothing had happened. */
  forget(): void {
    this.next = undefined;
    this.impact = undefined;
    this.given = undefined;
  }

  /** A run goes on from a saved state; the last impact is but for reports. */
  goOn(): void {
    this.impact = undefined;
  }

  /** Joints that began or ceased to hold several times at the last instant at which any did. */
  toggledAgain(): number[] {
    return [...this.toggled.counts].flatMap(([joint, count]) => (count > 1 ? [joint] : []));
  }

  event(event: ComponentEvent): void {
    const { moving } = this;
    const { point } = event;
    const { isFirst } = moving;
    if (isFirst) {
      this.startWith(point);
      if (this.changed.length > 0)
        event.tell('info', `Loops do not allow all start values: ${this.changed.join('; ')}.`, {
          span: moving.scene.joints[moving.setup.closures[0]?.joint ?? -1]?.part.origin.span,
          hint: 'Start values that are not zero are kept where that is possible. Give values that fit, or leave some out.',
        });
    }
    const follows = this.follow(event, moving.flanges.note());
    if (this.changeStructure(event, isFirst)) event.restart();
    else {
      moving.locate(point.u);
      moving.flanges.checkFollowed();
      tellAmbiguous(moving.setup, event);
      if (!follows) this.tellChanged(event);
      if (follows === 'early') event.changed();
      else this.touch(event, isFirst);
    }
  }

  /** Sees what touches. */
  private touch(event: ComponentEvent, isFirst: boolean): void {
    const { contacts, rigid, scene } = this.moving;
    if (isFirst)
      for (const { severity, part, message, hint } of scene.remarks)
        event.tell(severity, message, { span: part.origin.span, hint });
    if (rigid.any) {
      this.touchRigidly(event, isFirst);
      if (rigid.overflows()) this.goOnAnew(event);
    }
    if (!contacts.any) return;
    const { u } = event.point;
    const isTurned = contacts.turn((condition) => u[this.conditionAt.get(condition)!] !== 0);
    const change = contacts.settle(
      event,
      (overlap) => tellOverlap(event, isFirst, overlap),
      (stray) => tellStray(event, stray),
      (through) => tellThrough(event, through),
    );
    if (change === 'segment') this.goOnAnew(event);
    else if (change === 'values' || isTurned) event.changed();
  }

  /** The same bodies in another segment. */
  private goOnAnew(event: ComponentEvent): void {
    this.moving.locate(event.point.u);
    this.next = this.moving.setup.snapshot();
    event.restart();
  }

  /** Impacts of rigid bodies, and what touches from here on. */
  private touchRigidly(event: ComponentEvent, isFirst: boolean): void {
    const { t, u, x } = event.point;
    const { moving } = this;
    const { flanges, rigid, setup } = moving;
    const { q, v, frames, mechanism } = setup;
    const accelerate = () => {
      for (const object of moving.observed) frames.update(object, mechanism);
      moving.accelerate(u);
    };
    rigid.turn((condition) => u[this.conditionAt.get(condition)!] !== 0);
    const before = v.slice();
    const flanged = flanges.count > 0 ? flangedLinks(setup) : new Set<number>();
    // A given motion that carries a body needs no other support, and would leave the forces of both open.
    if (flanges.isWithoutForce(u) && rigid.carry(t, flanged)) {
      moving.stray();
      event.changed();
      return;
    }
    const isNew = rigid.look(t, { q, v, accelerate, flanged }, event.crossed, isFirst);
    moving.stray();
    for (const { severity, part, message, hint } of rigid.takeRemarks(isFirst))
      event.tell(severity, message, { span: part.origin.span, hint });
    if (!isNew) return;
    this.tellStrikes(event);
    // Impulses go on to what is behind flanges.
    flanges.strike(
      [],
      Array.from(flanges.v, (at) => v[at]! - before[at]!),
    );
    moving.writeStates(x);
    event.changed();
  }

  /** Impulses of impacts that sensors of contact have seen. */
  private tellStrikes(event: ComponentEvent): void {
    const { scene, rigid } = this.moving;
    for (const sensor of scene.touches) {
      const { path } = sensor.part;
      const seen = rigid.impulse(sensor);
      for (let i = 0; i < 3; i++)
        if (seen[3 + i] !== 0) event.impulse(withPath(path, `impulse[${i + 1}]`), seen[3 + i]!, 'N.s');
      for (let i = 0; i < 3; i++)
        if (seen[i] !== 0) event.impulse(withPath(path, `angularImpulse[${i + 1}]`), seen[i]!, 'N.m.s');
    }
  }

  /** Start values that are others after the first instant, by what holds from there on. */
  private tellChanged({ tell }: ComponentEvent): void {
    const { given } = this;
    const { scene, setup, structure } = this.moving;
    if (!given) return;
    this.given = undefined;
    const changes = changedSpeeds(scene, given, setup.snapshot());
    if (changes.length === 0) return;
    const [first] = holdersOf(structure);
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
    const { moving } = this;
    const { flanges, setup } = moving;
    moving.isFirst = false;
    if (flanges.count === 0) return;
    if (flanges.leading === 'pushed') {
      const led = flanges.ledBy(u);
      setup.lead(led);
      this.changed = setup.checkLed(led);
    } else {
      moving.locate(u);
      setup.startFree();
      setup.place();
      this.changed = setup.changes();
    }
    moving.writeStates(x);
  }

  /**
   * Speeds of joints with flanges jump by impulses: then those of all others follow, as inertia says. Gives whether some do; `early` where the model does not know yet by how much
   * those with flanges do. `steps`: what the last event has brought.
   */
  private follow(event: ComponentEvent, steps: Float64Array): boolean | 'early' {
    const { flanges } = this.moving;
    const { places, leading } = flanges;
    const { u } = event.point;
    const moved = difference(u, event.before, places.coordinates);
    const jumps = difference(u, event.before, places.speeds);
    const impulses = picked(event.impulses, places.pushes);
    if (isZero(moved) && isZero(jumps) && isZero(impulses)) return false;
    this.moving.locate(u);
    if (!(isZero(moved) && flanges.explains(impulses, jumps, steps))) return this.adopt(event);
    return leading === 'pushed' ? this.kick(impulses, jumps, steps, event) : this.jump(jumps, event);
  }

  private jump(jumps: Float64Array, event: ComponentEvent): boolean {
    const { moving } = this;
    const { setup } = moving;
    const { order } = moving.flanges;
    const { x, t } = event.point;
    if (this.impact?.time === t) this.impact.add(jumps, event);
    if (moving.stateV.length === 0) return false;
    const ordered = new Float64Array(order.length);
    for (let i = 0; i < order.length; i++) ordered[order[i]!] = jumps[i]!;
    moving.readStates();
    resisted(setup, setup.mechanism.jump(ordered, setup.v));
    moving.writeStates(x);
    return true;
  }

  /** What touches takes part, as far as it presses and friction holds; the model knew it as if it held in any case, and learns what that changes. */
  private kick(
    impulses: Float64Array,
    jumps: Float64Array,
    steps: Float64Array,
    event: ComponentEvent,
  ): true | 'early' {
    const { x, t } = event.point;
    const { moving } = this;
    const { setup, flanges, rigid } = moving;
    const { mechanism, q, v } = setup;
    // What turns the rotors, which are not there, are forces as well.
    for (let i = 0; i < impulses.length; i++) impulses[i]! += flanges.rotors[i]! * jumps[i]!;
    moving.readStates();
    const before = v.slice();
    resisted(setup, mechanism.kick(flanges.v, impulses, v));
    // What has come to rest but for rounding has no impulses: contact need not bear what rounding leaves of them.
    const isStruck = v.some((speed, i) => Math.abs(speed - before[i]!) > rigid.still);
    const bears = !isStruck || rigid.bears(t);
    if (bears && isStruck) this.tellStrikes(event);
    else if (!bears) {
      v.set(before);
      rigid.release();
      mechanism.locate(q, v);
      resisted(setup, mechanism.kick(flanges.v, impulses, v));
      flanges.strike(
        [],
        Array.from(flanges.v, (at, i) => v[at]! - before[at]! - steps[i]! - jumps[i]!),
      );
    }
    moving.writeStates(x);
    if (this.impact?.time === t) this.impact.push(impulses, event);
    return bears ? true : 'early';
  }

  /** Counts how often joints begin or cease to hold at one instant. */
  private noteToggled(joints: readonly number[], time: number): void {
    if (this.toggled.time !== time) this.toggled = { time, counts: new Map() };
    const { counts } = this.toggled;
    for (const joint of joints) counts.set(joint, (counts.get(joint) ?? 0) + 1);
  }

  /** The model sets coordinates or speeds of joints with flanges: those of all others stay as they are, as far as loops allow it. */
  private adopt({ before, point: { u, x } }: ComponentEvent): boolean {
    const { moving } = this;
    const { flanges, setup } = moving;
    if (setup.closures.length === 0) return false;
    moving.readStates();
    flanges.see(before);
    flanges.place();
    setup.place();
    setup.adopt(flanges.ledBy(u));
    moving.writeStates(x);
    return true;
  }

  /** Takes up what conditions say; true where bodies and joints are others from here on. */
  private changeStructure(event: ComponentEvent, isFirst: boolean): boolean {
    const { moving } = this;
    const { scene, setups, contacts } = moving;
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
    const remains = sameItems(removed, moving.structure.removed);
    if (remains && isSame(holders, moving.structure)) return false;
    moving.locate(u);
    contacts.keep();
    let motion = moving.setup.snapshot();
    if (!remains) {
      moving.structure = withoutObjects(scene, moving.structure, removed);
      const setup = setups.of(moving.structure);
      setup.goOn(motion);
      setup.mechanism.locate(setup.q, setup.v);
      motion = setup.snapshot();
    }
    const { structure } = moving;
    if (isFirst) this.given = motion;
    const poseOf = (joint: number) => {
      const { a, b } = scene.joints[joint]!;
      return poseBetween(motion.placed.of(a).pose, motion.placed.of(b).pose);
    };
    const before = new Set(holdersOf(structure));
    const beginning = holders.filter((k) => !before.has(k));
    this.noteToggled([...beginning, ...[...before].filter((k) => !holders.includes(k))], event.point.t);
    moving.structure = structureOf(scene, holders, structure, poseOf, (held) =>
      setups.keepsFlanges(held, structure.removed),
    );
    this.next = beginning.length > 0 ? this.collide(event, motion, beginning) : motion;
    return true;
  }

  /**
   * What ends is over before what begins takes the speeds that it does not allow, by impulses; driven joints keep their speeds and have to bear
   * some. Gives the motion after it.
   */
  private collide(event: ComponentEvent, motion: Snapshot, beginning: readonly number[]): Snapshot {
    const { setups, structure, flanges } = this.moving;
    const setup = setups.of(beginningOf(structure, beginning));
    setup.goOn(motion);
    checkTouch(setup, beginning);
    this.impact = new Impact(setup, beginning, event.point.t);
    const { singular, impulses, jumps } = this.impact.strike(event);
    resisted(setup, singular);
    flanges.strike(impulses, jumps);
    return setup.snapshot();
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
