/**
 * A tree of rigid bodies as numbers that do not change while it moves.
 *
 * Link k is a joint and the body behind it. Its *joint frame* is fixed in the body of the parent, its *moved frame* is what the
 * joint moves, and is fixed in its own body. Inside, both frames are turned so that the axis of a joint with one degree of
 * freedom is their z; all constants are kept in these frames, so that frames that a user chose cost nothing while bodies move.
 * The world is link n, behind all others: a parent of -1 becomes n, and no loop asks for a special case.
 */
import { type MassProperties, movedMass } from '../mass.ts';
import {
  applied,
  atOrigin,
  cross,
  dot,
  inverse,
  type Matrix,
  norm,
  type Pose,
  placed,
  plus,
  scaled,
  turned,
  type Vector,
  zero,
} from '../space.ts';

export type JointKind = 'revolute' | 'prismatic' | 'screw' | 'spherical' | 'free';

/**
 * A joint and the body behind it. Coordinates q and speeds v:
 *
 * | kind | q | v |
 * |---|---|---|
 * | revolute, screw | angle | its derivative |
 * | prismatic | distance | its derivative |
 * | spherical | quaternion w, x, y, z of the moved frame in the joint frame | angular velocity |
 * | free | position and quaternion of the moved frame in the joint frame | velocity of its origin, angular velocity |
 *
 * Velocities are relative to the parent and resolved in the joint frame. Quaternions need not have unit length.
 */
export interface Link {
  /** Index of a link that comes before this one; -1: the world. */
  readonly parent: number;
  readonly kind: JointKind;
  /** In the joint frame; any length but zero. Not for spherical and free. */
  readonly axis?: Vector;
  /** Of a screw: metres for each radian. */
  readonly pitch?: number;
  /** The joint frame, in the body of the parent. */
  readonly before: Pose;
  /** The frame of the body, in the moved frame. */
  readonly after: Pose;
  /** In the frame of the body. */
  readonly mass: MassProperties;
  /** The masses that it is made of, at which gravity of a point pulls; all in the centre where that is missing. */
  readonly parts?: readonly PointMass[];
  /** Its coordinate, speed and acceleration are given from outside. Only with one degree of freedom. */
  readonly driven?: boolean;
  /** An inertia that only this joint moves, as of a rotor that turns with its coordinate. Not for what is driven. */
  readonly rotor?: number;
}

export type PointMass = Pick<MassProperties, 'mass' | 'centre'>;

/** Of a point: mu = gravitational constant times mass, in the origin of the world; pulls at the centres of masses. */
export type Gravity =
  | { readonly kind: 'none' }
  | { readonly kind: 'uniform'; readonly acceleration: Vector }
  | { readonly kind: 'point'; readonly mu: number };

/** Kinds as numbers: those with one degree of freedom come first. */
export const REVOLUTE = 0;
export const PRISMATIC = 1;
export const SCREW = 2;
export const SPHERICAL = 3;
export const FREE = 4;
const kinds: readonly JointKind[] = ['revolute', 'prismatic', 'screw', 'spherical', 'free'];
const coordinates = [1, 1, 1, 4, 7];
const speeds = [1, 1, 1, 3, 6];

/** A pivot that is smaller, relative to what it is a part of, is rounding: nothing resists that motion. */
export const SINGULAR = 1e-14;

export class Tree {
  /** Number of links. */
  readonly n: number;
  /** Lengths of q and of v. */
  readonly nq: number;
  readonly nv: number;
  /** Of each link; n for the world. */
  readonly parent: Int32Array;
  /** Of each link: the first one of its tree, that has the world as parent. */
  readonly root: Int32Array;
  readonly kind: Uint8Array;
  /** Where coordinates and speeds of each link begin; one more at the end. */
  readonly qAt: Int32Array;
  readonly vAt: Int32Array;
  readonly driven: Uint8Array;
  /** The links that are driven. */
  readonly drives: Int32Array;
  /** Places in v of joints that are not driven, in order. */
  readonly freeSpeeds: Int32Array;
  /** 1 where another link has this one as parent. */
  readonly bears: Uint8Array;
  /** Turn and advance of joints with one degree of freedom: 1 and 0, 0 and 1, 1 and pitch. */
  readonly turn: Float64Array;
  readonly advance: Float64Array;
  /** Of each link 12: rows of rotation, translation of the joint frame in the moved frame of the parent. */
  readonly before: Float64Array;
  /** Of each link 12: of the body in the moved frame. */
  readonly after: Float64Array;
  /** 1 where the body's frame is the moved frame. */
  readonly plain: Uint8Array;
  readonly rotor: Float64Array;
  readonly mass: Float64Array;
  /** Mass times centre, in the moved frame. */
  readonly moment: Float64Array;
  /** Masses that gravity of a point pulls at: where those of each link begin, each with its mass and its centre in the moved frame. */
  readonly partsAt: Int32Array;
  parts = new Float64Array(0);
  /** Of each link 6: xx, xy, xz, yy, yz, zz about the origin of the moved frame, in its axes. */
  readonly inertia: Float64Array;

  readonly links: Link[];
  /** Of each link: the frame of its body in its moved frame; how the joint frame is turned so that z is the axis. */
  readonly bodies: Pose[] = [];
  readonly #turning: readonly Pose[];

  constructor(
    links: readonly Link[],
    readonly gravity: Gravity,
  ) {
    this.links = [...links];
    const n = (this.n = links.length);
    this.parent = Int32Array.from(links, ({ parent }, k) => {
      if (!(Number.isInteger(parent) && parent >= -1 && parent < k))
        throw new Error(`link ${k} before its parent`);
      return parent < 0 ? n : parent;
    });
    this.root = new Int32Array(n);
    this.parent.forEach((parent, k) => {
      this.root[k] = parent === n ? k : this.root[parent]!;
    });
    this.kind = Uint8Array.from(links, ({ kind }) => kinds.indexOf(kind));
    this.qAt = offsets(this.kind, coordinates);
    this.vAt = offsets(this.kind, speeds);
    this.nq = this.qAt[n]!;
    this.nv = this.vAt[n]!;
    this.driven = Uint8Array.from(links, ({ driven }, k) => {
      if (driven && this.kind[k]! > SCREW) throw new Error(`link ${k} cannot be driven`);
      return driven ? 1 : 0;
    });
    const all = Int32Array.from(links.keys());
    this.drives = all.filter((k) => this.driven[k]);
    const own = (k: number) => Array.from({ length: speeds[this.kind[k]!]! }, (_, i) => this.vAt[k]! + i);
    this.freeSpeeds = Int32Array.from([...all].filter((k) => !this.driven[k]).flatMap(own));
    this.bears = new Uint8Array(n + 1);
    for (const parent of this.parent) this.bears[parent] = 1;
    this.turn = Float64Array.from(links, ({ kind }) => (kind === 'prismatic' ? 0 : 1));
    this.advance = Float64Array.from(links, ({ kind, pitch = 0 }) =>
      kind === 'prismatic' ? 1 : kind === 'screw' ? pitch : 0,
    );
    this.before = new Float64Array(12 * n);
    this.after = new Float64Array(12 * n);
    this.plain = new Uint8Array(n);
    this.rotor = Float64Array.from(links, ({ rotor = 0 }) => rotor);
    this.mass = new Float64Array(n);
    this.moment = new Float64Array(3 * n);
    this.inertia = new Float64Array(6 * n);
    this.partsAt = new Int32Array(n + 1);
    this.#turning = links.map((link, k) => ({ translation: zero, rotation: axes(link, k) }));
    for (let k = 0; k < n; k++) this.#place(k);
    this.#divide();
  }

  /** The same joints in other places, with other bodies. */
  renew(links: readonly Link[]): void {
    // The frame of a link lies in the body of its parent, which may be another one.
    const isNew = new Set<number>();
    for (let k = 0; k < links.length; k++) {
      const link = links[k]!;
      if (link !== this.links[k]) isNew.add(k);
      else if (!isNew.has(link.parent)) continue;
      this.links[k] = link;
      this.#place(k);
    }
    if (isNew.size > 0) this.#divide();
  }

  #place(k: number): void {
    const { parent, before, after, mass } = this.links[k]!;
    const turning = this.#turning[k]!;
    const body = placed(inverse(turning), after);
    this.bodies[k] = body;
    const outer = parent < 0 ? atOrigin : this.bodies[parent]!;
    store(this.before, k, placed(placed(outer, before), turning));
    store(this.after, k, body);
    this.plain[k] = same(body) ? 1 : 0;
    this.#weigh(k, movedMass(mass, body));
  }

  /** What gravity of a point pulls at. */
  #divide(): void {
    if (this.gravity.kind !== 'point') return;
    const parts: number[] = [];
    for (const [k, link] of this.links.entries()) {
      const { translation, rotation } = this.bodies[k]!;
      for (const { mass, centre } of link.parts ?? [link.mass])
        if (mass > 0) parts.push(mass, ...plus(translation, applied(rotation, centre)));
      this.partsAt[k + 1] = parts.length / 4;
    }
    this.parts = Float64Array.from(parts);
  }

  #weigh(k: number, { mass, centre, inertia }: MassProperties): void {
    this.mass[k] = mass;
    this.moment.set(scaled(mass, centre), 3 * k);
    const [x, y, z] = centre;
    const about: readonly number[] = [
      inertia[0] + mass * (y * y + z * z),
      inertia[1] - mass * x * y,
      inertia[2] - mass * x * z,
      inertia[4] + mass * (x * x + z * z),
      inertia[5] - mass * y * z,
      inertia[8] + mass * (x * x + y * y),
    ];
    this.inertia.set(about, 6 * k);
  }
}

function offsets(kind: Uint8Array, sizes: readonly number[]): Int32Array {
  const at = new Int32Array(kind.length + 1);
  kind.forEach((of, k) => {
    at[k + 1] = at[k]! + sizes[of]!;
  });
  return at;
}

/** A rotation that takes z to the axis of the joint. */
function axes({ kind, axis, pitch }: Link, k: number): Matrix {
  if (kind === 'spherical' || kind === 'free') return atOrigin.rotation;
  const length = axis ? norm(axis) : 0;
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) throw new Error(`link ${k} has no axis`);
  if (kind === 'screw' && !Number.isFinite(pitch)) throw new Error(`link ${k} has no pitch`);
  return turnOfZ(scaled(1 / length, axis!));
}

/** The shortest rotation that takes z to a direction; for -z about x. */
export function turnOfZ(direction: Vector): Matrix {
  const z: Vector = [0, 0, 1];
  const about = cross(z, direction);
  const sine = norm(about);
  if (sine === 0) return direction[2] > 0 ? atOrigin.rotation : turned([1, 0, 0], Math.PI);
  return turned(scaled(1 / sine, about), Math.atan2(sine, dot(z, direction)));
}

function store(into: Float64Array, k: number, { rotation, translation }: Pose): void {
  into.set(rotation, 12 * k);
  into.set(translation, 12 * k + 9);
}

const same = ({ rotation, translation }: Pose): boolean =>
  rotation.every((value, i) => value === atOrigin.rotation[i]) && translation.every((value) => value === 0);
