/** What closes loops: joints between bodies that are already in the tree, as constraints. `Closures` (`rows.ts`) writes their rows. */
import type { Pose } from '../space.ts';
import type { Touch } from './touch.ts';

/**
 * Frames A and B are fixed in the bodies of links a and b (-1: the world); z is the axis, or the normal of a plane.
 *
 * | kind | holds |
 * |---|---|
 * | fixed | B on A |
 * | parallel | the orientation of B in A |
 * | revolute, prismatic, cylindrical | B turns, slides, does both along z |
 * | screw | slides by `pitch` metres for each radian |
 * | spherical | origins together |
 * | universal | origins together; x of A stays at right angles to y of B |
 * | planar | B stays in the plane z = 0 of A and turns about z |
 * | rod | origins keep the distance `length` |
 * | rolling | a sphere, or a disc about z of B, with centre in the origin of B, rolls without slip on the plane z = 0 of A, on the side of +z |
 * | locked | the joint of `link`, of one degree of freedom and not driven, keeps its coordinate |
 * | touch | shapes with the frames A and B touch each other at some points |
 */
export type Closure =
  | ({
      readonly kind:
        | 'fixed'
        | 'parallel'
        | 'revolute'
        | 'prismatic'
        | 'cylindrical'
        | 'spherical'
        | 'universal'
        | 'planar';
    } & Between)
  | ({ readonly kind: 'screw'; readonly pitch: number } & Between)
  | ({ readonly kind: 'rod'; readonly length: number } & Between)
  | ({ readonly kind: 'rolling'; readonly wheel: 'sphere' | 'disc'; readonly radius: number } & Between)
  | TouchClosure
  | { readonly kind: 'locked'; readonly link: number; readonly at?: number };

export type TouchClosure = { readonly kind: 'touch'; readonly touch: Touch } & Between;

interface Between {
  readonly a: number;
  readonly poseA: Pose;
  readonly b: number;
  readonly poseB: Pose;
}

/** How many rows a closure has. */
export const rowsOf = (closure: Closure): number =>
  closure.kind === 'touch' ? closure.touch.rows : rowsOfKind[closure.kind];

const rowsOfKind: Readonly<Record<Exclude<Closure['kind'], 'touch'>, number>> = {
  fixed: 6,
  parallel: 3,
  revolute: 5,
  prismatic: 5,
  screw: 5,
  cylindrical: 4,
  spherical: 3,
  universal: 4,
  planar: 3,
  rod: 1,
  rolling: 3,
  locked: 1,
};

/** What a residual is in; rows that bind velocities alone have none. */
export const NONE = 0;
export const METRES = 1;
export const RADIANS = 2;
