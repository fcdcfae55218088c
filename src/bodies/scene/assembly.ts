/**
 * From a scene to a tree of links: what is fixed in each other is one body; joints between bodies are the edges of a graph, a spanning
 * forest of it are the links, and the joints that are left close loops. What no joint leads to from the world moves freely.
 *
 * A structure says which joints hold now, and in which pose; when it changes, there is another assembly of the same scene.
 */
import { rootIn } from '../../collections/forest.ts';
import type { Link } from '../dynamics/tree.ts';
import { joinedMass, massless, movedMass } from '../mass.ts';
import { atOrigin, inverse, type Pose, placed, scaled } from '../space.ts';
import type { JointStep } from './joints.ts';
import { partFailure } from './names.ts';
import type { Scene, SceneJoint } from './scene.ts';

/** By joint that holds: the pose of its second object in the first. */
export type Held = ReadonlyMap<number, Pose>;

export interface Assembly {
  readonly links: readonly Link[];
  readonly origins: readonly LinkOrigin[];
  /** Of each object: the link whose body it belongs to (-1: the world), and its pose in the frame of that body. */
  readonly places: readonly Place[];
  /** Joints that close loops, by index. */
  readonly loops: readonly number[];
  /** Joints with flanges that close loops of such: each is a link, whose end is where its second object must be. */
  readonly stubs: readonly Stub[];
}

/** What a link is: a step of a joint, or the free motion of an object. */
export type LinkOrigin =
  | { readonly kind: 'joint'; readonly joint: number; readonly step: number; readonly reversed: boolean }
  | { readonly kind: 'free'; readonly object: number };

export interface Stub {
  readonly joint: number;
  readonly link: number;
}

export interface Place {
  readonly link: number;
  readonly pose: Pose;
}

/** `driven`: whether joints with flanges get their motion from outside; otherwise they are pushed. */
export function assemble(scene: Scene, held: Held, driven: boolean): Assembly {
  return new Assembler(scene, held, driven).assembly();
}

class Assembler {
  /** Of each object: its body, by number, and its pose in the frame of that. */
  private readonly bodyOf: number[] = [];
  private readonly poses: Pose[] = [];
  /** Of each body: the object whose frame is its own. */
  private readonly heads: number[] = [];
  private readonly links: Link[] = [];
  private readonly origins: LinkOrigin[] = [];
  /** Of each body: its link. */
  private readonly linkOf: number[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly held: Held,
    private readonly driven: boolean,
  ) {}

  assembly(): Assembly {
    this.findBodies();
    const { branches, loops, closing } = this.span();
    this.grow(0, -1, branches);
    for (const body of this.freeBodies()) {
      if (this.linkOf[body] !== undefined) continue;
      const object = this.heads[body]!;
      this.links.push({
        parent: -1,
        kind: 'free',
        before: atOrigin,
        after: atOrigin,
        ...this.weight(body),
      });
      this.origins.push({ kind: 'free', object });
      this.grow(body, this.links.length - 1, branches);
    }
    this.checkCarried();
    const stubs = closing.map((joint): Stub => {
      this.chain(joint, false, this.linkOf[this.bodyOf[this.scene.joints[joint]!.a]!]!);
      return { joint, link: this.links.length - 1 };
    });
    const places = this.scene.objects.map((_, k) => ({
      link: this.linkOf[this.bodyOf[k]!]!,
      pose: this.poses[k]!,
    }));
    return { links: this.links, origins: this.origins, places, loops, stubs };
  }

  // -------------------------------------------------------------- bodies

  /** Bodies are found from the world, then from objects that are free: their frames are those of the bodies. */
  private findBodies(): void {
    const { objects, joints } = this.scene;
    const edges: { readonly to: number; readonly pose: Pose }[][] = objects.map(() => []);
    const join = (a: number, b: number, pose: Pose) => {
      edges[a]!.push({ to: b, pose });
      edges[b]!.push({ to: a, pose: inverse(pose) });
    };
    for (const [k, { parent, fixed, pose }] of objects.entries())
      if (parent !== undefined && fixed) join(parent, k, pose);
    for (const [k, pose] of this.held) join(joints[k]!.a, joints[k]!.b, pose);
    const free = objects.flatMap(({ fixed }, k) => (fixed ? [] : [k]));
    for (const start of [0, ...free, ...objects.keys()]) {
      if (this.bodyOf[start] !== undefined) continue;
      const body = this.heads.push(start) - 1;
      const open = [start];
      [this.bodyOf[start], this.poses[start]] = [body, atOrigin];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const { to, pose } of edges[at]!) {
          if (this.bodyOf[to] !== undefined) continue;
          [this.bodyOf[to], this.poses[to]] = [body, placed(this.poses[at]!, pose)];
          open.push(to);
        }
      }
    }
  }

  private weight(body: number): Pick<Link, 'mass' | 'parts'> {
    const parts = this.scene.objects.flatMap(({ mass }, k) =>
      this.bodyOf[k] === body && mass !== massless ? [movedMass(mass, this.poses[k]!)] : [],
    );
    return { mass: joinedMass(parts), parts };
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
    const moving = joints.flatMap(({ steps }, k) => (steps.length > 0 && !this.held.has(k) ? [k] : []));
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
    return this.scene.objects.flatMap(({ fixed }, k) => (fixed ? [] : [this.bodyOf[k]!]));
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
      const step = steps[index]!;
      const isLast = n === order.length - 1;
      this.links.push({
        parent: n === 0 ? parent : this.links.length - 1,
        ...motionOf(step, reversed),
        before: n === 0 ? this.poses[from]! : atOrigin,
        after: isLast && body !== undefined ? inverse(this.poses[to]!) : atOrigin,
        ...(isLast && body !== undefined ? this.weight(body) : { mass: massless }),
        ...(drive && (this.driven ? { driven: true } : { rotor: this.scene.rotors[k]! })),
      });
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

const motionOf = (
  { kind, axis, pitch }: JointStep,
  reversed: boolean,
): Pick<Link, 'kind' | 'axis' | 'pitch'> => ({
  kind,
  axis: reversed ? scaled(-1, axis) : axis,
  pitch,
});
