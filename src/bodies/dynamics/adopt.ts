/** Coordinates and momenta of a tree from poses and velocities of its bodies: for trees whose joints have just changed. */
import {
  applied,
  atOrigin,
  cross,
  identity,
  inverse,
  type Matrix,
  matrixOf,
  minus,
  type Pose,
  placed,
  product,
  quaternionOf,
  transposed,
  turned,
  type Vector,
  zero,
} from '../space.ts';
import type { Motion } from './motion.ts';
import { FREE, PRISMATIC, SCREW, type Tree } from './tree.ts';

/** Of all bodies, in world axes: rotations, positions of origins, angular velocities, velocities of origins; as in `Motion`. */
export interface Bodies {
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly angular: Float64Array;
  readonly velocity: Float64Array;
}

/**
 * Coordinates of all joints that are not driven, into `q`: each body as near to its pose as its joint lets it, from the root
 * on.
 */
export function takePoses(
  { n, parent, kind, driven, before, after, qAt, advance }: Tree,
  from: Bodies,
  q: Float64Array,
): void {
  const frames: Pose[] = [];
  for (let k = 0; k < n; k++) {
    const outer = parent[k] === n ? atOrigin : frames[parent[k]!]!;
    const joint = placed(outer, poseAt(before, k));
    const body: Pose = { rotation: nine(from.rotation, 9 * k), translation: three(from.position, 3 * k) };
    const p = qAt[k]!;
    if (!driven[k]) {
      const { rotation: r, translation: t } = placed(inverse(joint), placed(body, inverse(poseAt(after, k))));
      if (kind[k] === PRISMATIC) q[p] = t[2];
      else if (kind[k]! <= SCREW) {
        const angle = Math.atan2(r[3] - r[1], r[0] + r[4]);
        const near = advance[k] === 0 ? q[p]! : t[2] / advance[k]!;
        q[p] = angle + 2 * Math.PI * Math.round((near - angle) / (2 * Math.PI));
      } else {
        if (kind[k] === FREE) q.set(t, p);
        q.set(quaternionOf(r), qAt[k + 1]! - 4);
      }
    }
    const last = qAt[k + 1]! - 4;
    frames.push(
      placed(
        joint,
        kind[k]! <= SCREW
          ? {
              translation: [0, 0, advance[k]! * q[p]!],
              rotation: kind[k] === PRISMATIC ? identity : turned([0, 0, 1], q[p]!),
            }
          : {
              translation: kind[k] === FREE ? three(q, p) : zero,
              rotation: matrixOf([q[last]!, q[last + 1]!, q[last + 2]!, q[last + 3]!]),
            },
      ),
    );
  }
}

/** Momenta of bodies, added to `into` as wrenches about P_k, where `Motion` has been moved to. */
export function momenta(motion: Motion, from: Bodies, into: Float64Array): void {
  const { tree, frames, offsets } = motion;
  const { n, mass, moment, inertia } = tree;
  for (let k = 0; k < n; k++) {
    const r = nine(frames, 9 * k);
    const e = 6 * k;
    const i = inertia.subarray(e, e + 6);
    const own: Matrix = [i[0]!, i[1]!, i[2]!, i[1]!, i[3]!, i[4]!, i[2]!, i[4]!, i[5]!];
    const about = product(product(r, own), transposed(r));
    const w = three(from.angular, 3 * k);
    const h = applied(r, three(moment, 3 * k));
    const o = three(offsets, 3 * k);
    const u = minus(three(from.velocity, 3 * k), cross(w, o));
    const spin = applied(about, w);
    const [lever, push] = [cross(h, u), cross(w, h)];
    for (let l = 0; l < 3; l++) {
      into[e + l] = into[e + l]! + spin[l]! + lever[l]!;
      into[e + 3 + l] = into[e + 3 + l]! + mass[k]! * u[l]! + push[l]!;
    }
  }
}

const poseAt = (from: Float64Array, k: number): Pose => ({
  rotation: nine(from, 12 * k),
  translation: three(from, 12 * k + 9),
});
const three = (from: Float64Array, at: number): Vector => [from[at]!, from[at + 1]!, from[at + 2]!];
const nine = (from: Float64Array, at: number): Matrix => [...from.subarray(at, at + 9)] as unknown as Matrix;
