/**
 * From a scene to a tree of links: what is fixed in each other is one body; joints between bodies are the edges of a graph, a spanning
 * forest of it are the links, and the joints that are left close loops. What no joint leads to from the world moves freely.
 *
 * A structure says which joints hold now, and in which pose; when others hold, there is another assembly of the same scene.
 */
import { rootIn } from '../../collections/forest.ts';
import type { Link } from '../dynamics/tree.ts';
import { joinedMass, type MassProperties, massless, movedMass } from '../mass.ts';
import { atOrigin, inverse, type Pose, placed, scaled } from '../space.ts';
import type { JointStep } from './joints.ts';
import { partFailure } from './names.ts';
import type { Scene, SceneJoint } from './scene.ts';

/** By joint that holds: the pose of its second object in the first. */
export type Held = ReadonlyMap<number, Pose>;

/** What a link is: a step of a joint, or the free motion of an object. */
export type LinkOrigin = JointOrigin | { readonly kind: 'free'; readonly object: number };
export interface JointOrigin {
  readonly kind: 'joint';
  readonly joint: number;
  readonly step: number;
  readonly reversed: boolean;
}

export interface Stub {
  readonly joint: number;
  readonly link: number;
}

export interface Place {
  readonly link: number;
  readonly pose: Pose;
}

/** The link of objects that are not there. */
export const GONE = -2;

/** How an object is reached from one that is fixed in it: by its own pose, or through a joint that holds. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly pose: Pose | undefined;
  readonly joint: number;
  readonly reversed: boolean;
}

/** Objects whose frames a link goes out from and leads to, and the body behind it; undefined where that is one between steps of a joint. */
interface Ends {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly body: number | undefined;
}

export class Assembly {
  readonly links: Link[] = [];
  readonly origins: LinkOrigin[] = [];
  /** Of each object: the link whose body it belongs to (-1: the world; `GONE`), and its pose in the frame of that body. */
  readonly places: Place[];
  /** By object: 1 of those that are not there. */
  readonly gone: Uint8Array;
  /** Joints that close loops, by index. */
  readonly loops: readonly number[];
  /** Joints with flanges that close loops of such: each is a link, whose end is where its second object must be. */
  readonly stubs: readonly Stub[];
  /** Of each object: its body, by number, and its pose in the frame of that. */
  private readonly bodyOf: number[] = [];
  private readonly poses: Pose[] = [];
  /** Of each object that has mass: what it is in its body, as far as it is known. */
  private readonly masses: MassProperties[] = [];
  /** Of each body: the object whose frame is its own, all its objects, its link. */
  private readonly heads: number[] = [];
  private readonly members: readonly number[][];
  private readonly linkOf: number[] = [];
  /** Ways to objects behind joints that hold, in the order in which poses follow from each other: these have others when the joints hold anew. */
  private readonly ways: Way[] = [];
  /** Objects, and their bodies. */
  readonly varying = new Set<number>();
  private readonly varyingBodies = new Set<number>();
  private readonly ends: Ends[] = [];

  constructor(
    private readonly scene: Scene,
    private held: Held,
    /** Whether joints with flanges get their motion from outside; otherwise they are pushed. */
    private readonly driven: boolean,
    /** Objects that are taken away, with all that joints tie to them. */
    private readonly removed: readonly number[] = [],
  ) {
    const { objects, joints } = scene;
    this.findBodies();
    this.members = this.heads.map(() => []);
    for (const [k, body] of this.bodyOf.entries()) this.members[body]?.push(k);
    const { branches, loops, closing } = this.span();
    this.loops = loops;
    this.grow(0, -1, branches);
    for (const body of this.freeBodies()) {
      if (this.linkOf[body] !== undefined) continue;
      this.add({ parent: -1, kind: 'free' }, { from: undefined, to: undefined, body });
      this.origins.push({ kind: 'free', object: this.heads[body]! });
      this.grow(body, this.links.length - 1, branches);
    }
    this.checkCarried();
    this.stubs = closing.map((joint): Stub => {
      this.chain(joint, false, this.linkOf[this.bodyOf[joints[joint]!.a]!]!);
      return { joint, link: this.links.length - 1 };
    });
    this.places = objects.map((_, k) => this.placeOf(k));
    this.gone = Uint8Array.from(this.places, ({ link }) => (link === GONE ? 1 : 0));
  }

  /** The same joints hold in other poses from now on. */
  hold(held: Held): void {
    const { varying, varyingBodies, ends, links, places } = this;
    if (isSameHeld(held, this.held)) return;
    this.held = held;
    for (const way of this.ways) this.follow(way);
    for (const [k, { from, body }] of ends.entries())
      if ((from !== undefined && varying.has(from)) || (body !== undefined && varyingBodies.has(body)))
        links[k] = this.linkBetween(links[k]!, ends[k]!);
    for (const k of varying) places[k] = this.placeOf(k);
  }

  private placeOf(object: number): Place {
    const body = this.bodyOf[object]!;
    return body === GONE
      ? { link: GONE, pose: atOrigin }
      : { link: this.linkOf[body]!, pose: this.poses[object]! };
  }

  /** Whether both objects of a joint are there. */
  joins(joint: number): boolean {
    const { a, b } = this.scene.joints[joint]!;
    return this.places[a]!.link !== GONE && this.places[b]!.link !== GONE;
  }

  // -------------------------------------------------------------- bodies

  /** Bodies are found from the world, then from objects that are free: their frames are those of the bodies. */
  private findBodies(): void {
    const { objects, joints } = this.scene;
    const ways: Way[][] = objects.map(() => []);
    for (const [k, { parent, fixed, pose }] of objects.entries()) {
      if (parent === undefined || !fixed) continue;
      ways[parent]!.push({ from: parent, to: k, pose, joint: -1, reversed: false });
      ways[k]!.push({ from: k, to: parent, pose: inverse(pose), joint: -1, reversed: true });
    }
    for (const joint of this.held.keys()) {
      const { a, b } = joints[joint]!;
      ways[a]!.push({ from: a, to: b, pose: undefined, joint, reversed: false });
      ways[b]!.push({ from: b, to: a, pose: undefined, joint, reversed: true });
    }
    for (const k of this.removed) this.bodyOf[k] = GONE;
    const free = objects.flatMap(({ fixed }, k) => (fixed ? [] : [k]));
    for (const start of [0, ...free, ...objects.keys()]) {
      if (this.bodyOf[start] !== undefined) continue;
      const body = this.heads.push(start) - 1;
      const open = [start];
      [this.bodyOf[start], this.poses[start]] = [body, atOrigin];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const way of ways[at]!) {
          if (this.bodyOf[way.to] !== undefined) continue;
          this.bodyOf[way.to] = body;
          this.follow(way);
          open.push(way.to);
          if (way.joint < 0 && !this.varying.has(way.from)) continue;
          this.ways.push(way);
          this.varying.add(way.to);
          this.varyingBodies.add(body);
        }
      }
    }
  }

  /** The pose of an object in its body, from that of the one before it. */
  private follow({ from, to, pose, joint, reversed }: Way): void {
    const held = (): Pose => (reversed ? inverse(this.held.get(joint)!) : this.held.get(joint)!);
    this.poses[to] = placed(this.poses[from]!, pose ?? held());
  }

  private weight(body: number): Pick<Link, 'mass' | 'parts'> {
    const { objects } = this.scene;
    const { masses } = this;
    const parts: MassProperties[] = [];
    for (const k of this.members[body]!) {
      const { mass } = objects[k]!;
      if (mass === massless) continue;
      if (!masses[k] || this.varying.has(k)) masses[k] = movedMass(mass, this.poses[k]!);
      parts.push(masses[k]!);
    }
    return { mass: joinedMass(parts), parts };
  }

  // -------------------------------------------------------------- links

  private add(motion: Motion, ends: Ends): void {
    this.links.push(this.linkBetween(motion, ends));
    this.ends.push(ends);
  }

  private linkBetween(motion: Motion, { from, to, body }: Ends): Link {
    return {
      ...motion,
      before: from === undefined ? atOrigin : this.poses[from]!,
      after: to === undefined ? atOrigin : inverse(this.poses[to]!),
      ...(body === undefined ? { mass: massless } : this.weight(body)),
    };
  }

  // -------------------------------------------------------------- the forest

  /** Joints that span all bodies, by body, and those that close loops: `closing` have flanges. */
  private span(): {
    readonly branches: readonly number[][];
    readonly loops: readonly number[];
    readonly closing: readonly number[];
  } {
    const { joints } = this.scene;
    const sets = this.heads.map((_, body) => body);
    const branches: number[][] = this.heads.map(() => []);
    const loops: number[] = [];
    const closing: number[] = [];
    const isGone = (object: number) => this.bodyOf[object] === GONE;
    const moving = joints.flatMap(({ steps, a, b }, k) =>
      steps.length > 0 && !this.held.has(k) && !isGone(a) && !isGone(b) ? [k] : [],
    );
    const isDriven = (k: number) => joints[k]!.drive !== undefined;
    for (const k of [...moving.filter(isDriven), ...moving.filter((k) => !isDriven(k))]) {
      const joint = joints[k]!;
      const [a, b] = [this.bodyOf[joint.a]!, this.bodyOf[joint.b]!];
      if (a === b) this.checkSameBody(joint);
      if (a === b) continue;
      const [first, second] = [rootIn(sets, a), rootIn(sets, b)];
      if (first !== second) {
        sets[first] = second;
        branches[a]!.push(k);
        branches[b]!.push(k);
      } else (joint.drive ? closing : loops).push(k);
    }
    return { branches, loops: loops.sort((a, b) => a - b), closing };
  }

  /** A joint inside a body cannot move; that is a mistake unless something holds its objects together for a while. */
  private checkSameBody(joint: SceneJoint): void {
    const { objects, joints } = this.scene;
    if (this.held.size > 0 && joint.drive) {
      const holders = [...this.held.keys()].map((k) => `\`${joints[k]!.name}\``).join(', ');
      const message = `The joint \`${joint.name}\`, which has a flange, is held by ${holders}.`;
      const hint = 'Stop it through its flange, with a brake or a clutch of `Mutabor.Rotational`.';
      throw partFailure(joint.part, 'unsupported', message, { hint });
    }
    if (this.held.size > 0) return;
    const [a, b] = [objects[joint.a]!.name, objects[joint.b]!.name];
    throw partFailure(
      joint.part,
      'bad-body',
      `The joint \`${joint.name}\` cannot move: \`${a}\` and \`${b}\` are fixed in each other.`,
      {
        hint: `An object that a joint moves has no second parent: leave out \`parent\` of \`${b}\`.`,
      },
    );
  }

  /** Bodies that a free object is part of. */
  private freeBodies(): number[] {
    return this.scene.objects.flatMap(({ fixed }, k) =>
      fixed || this.bodyOf[k] === GONE ? [] : [this.bodyOf[k]!],
    );
  }

  /** Links from a body that has one to all that joints lead to from there. */
  private grow(root: number, link: number, branches: readonly number[][]): void {
    this.linkOf[root] = link;
    const open = [root];
    for (let body = open.pop(); body !== undefined; body = open.pop()) {
      for (const k of branches[body]!) {
        const { a, b } = this.scene.joints[k]!;
        const reversed: boolean = this.bodyOf[a] !== body;
        const next: number = this.bodyOf[reversed ? a : b]!;
        if (this.linkOf[next] !== undefined) continue;
        this.chain(k, reversed, this.linkOf[body]!, next);
        this.linkOf[next] = this.links.length - 1;
        open.push(next);
      }
    }
  }

  /** The links of a joint; bodies between its steps have no mass, nor has its end where there is no body. */
  private chain(k: number, reversed: boolean, parent: number, body?: number): void {
    const { a, b, steps, drive } = this.scene.joints[k]!;
    const [from, to] = reversed ? [b, a] : [a, b];
    const order = [...steps.keys()];
    if (reversed) order.reverse();
    for (const [n, index] of order.entries()) {
      const isFirst = n === 0;
      const isLast = n === order.length - 1;
      this.add(
        {
          parent: isFirst ? parent : this.links.length - 1,
          ...motionOf(steps[index]!, reversed),
          ...(drive && (this.driven ? { driven: true } : { rotor: this.scene.rotors[k]! })),
        },
        {
          from: isFirst ? from : undefined,
          to: isLast && body !== undefined ? to : undefined,
          body: isLast ? body : undefined,
        },
      );
      this.origins.push({ kind: 'joint', joint: k, step: index, reversed });
    }
  }

  private checkCarried(): void {
    for (const [body, head] of this.heads.entries()) {
      if (this.linkOf[body] !== undefined) continue;
      const { part, name } = this.scene.objects[head]!;
      throw partFailure(
        part!,
        'bad-body',
        `Nothing carries \`${name}\`: it has no parent, and no joint moves it.`,
        {
          hint: `Write \`parent = "${this.scene.objects[0]!.name}"\` to fix it in the world, or \`fixed = false\` to let it move freely.`,
        },
      );
    }
  }
}

/** Whether no joint with a flange is inside of a body, where these joints hold and objects are taken away. */
export function flangesAreLinks({ objects, joints }: Scene, held: Held, removed: readonly number[]): boolean {
  const gone = new Set(removed);
  const sets = objects.map((_, k) => k);
  const join = (a: number, b: number): void => {
    if (!gone.has(a) && !gone.has(b)) sets[rootIn(sets, a)] = rootIn(sets, b);
  };
  for (const [k, { parent, fixed }] of objects.entries()) if (parent !== undefined && fixed) join(k, parent);
  for (const joint of held.keys()) join(joints[joint]!.a, joints[joint]!.b);
  return joints.every(
    ({ drive, a, b }) => !drive || gone.has(a) || gone.has(b) || rootIn(sets, a) !== rootIn(sets, b),
  );
}

/** Whether the same joints hold in the same poses. */
function isSameHeld(a: Held, b: Held): boolean {
  for (const [joint, pose] of a) if (b.get(joint) !== pose) return false;
  return a.size === b.size;
}

/** What poses do not change of a link. */
type Motion = Omit<Link, 'before' | 'after' | 'mass'>;

const motionOf = (
  { kind, axis, pitch }: JointStep,
  reversed: boolean,
): Pick<Link, 'kind' | 'axis' | 'pitch'> => ({
  kind,
  axis: reversed ? scaled(-1, axis) : axis,
  pitch,
});
