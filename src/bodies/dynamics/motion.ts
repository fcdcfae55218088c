/**
 * Where the bodies of a tree are, and how fast they move.
 *
 * Everything about link k is kept in world axes about P_k, the origin of its moved frame. Positions are kept relative to the
 * first link of the tree, so that what is far from the origin of the world (a satellite, a vehicle) loses no digits against its
 * neighbours.
 */
import { FREE, PRISMATIC, SCREW, SPHERICAL, type Tree } from './tree.ts';

export class Motion {
  /** Rotations of the moved frames; link n is the world. */
  readonly frames: Float64Array;
  /** P_k relative to the first link of the tree, in world axes. */
  readonly places: Float64Array;
  /** Of the first link of a tree: where it is in the world. Other places are not used. */
  readonly bases: Float64Array;
  /** P_k relative to that of the parent. */
  readonly arms: Float64Array;
  /** Of each link 6: angular velocity, velocity of P_k. */
  readonly velocities: Float64Array;
  /** Rotations of joint frames; only of spherical and free joints. */
  readonly joints: Float64Array;

  /** Of each body: rotation, position of its origin, angular velocity, velocity of its origin; the world last. */
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly angular: Float64Array;
  readonly velocity: Float64Array;
  /** From P_k to the origin of the body. */
  readonly offsets: Float64Array;
  /** Counts how often bodies were placed: what follows from where they are holds as long as it is the same. */
  version = 0;

  constructor(readonly tree: Tree) {
    const count = tree.n + 1;
    this.frames = new Float64Array(9 * count);
    this.places = new Float64Array(3 * count);
    this.bases = new Float64Array(3 * count);
    this.arms = new Float64Array(3 * count);
    this.velocities = new Float64Array(6 * count);
    this.joints = new Float64Array(9 * count);
    this.rotation = new Float64Array(9 * count);
    this.position = new Float64Array(3 * count);
    this.angular = new Float64Array(3 * count);
    this.velocity = new Float64Array(3 * count);
    this.offsets = new Float64Array(3 * count);
    for (let i = 0; i < 9; i += 4) this.frames[9 * tree.n + i] = this.rotation[9 * tree.n + i] = 1;
  }

  /** Positions and velocities of all links, for coordinates and speeds. */
  move(q: Float64Array, v: Float64Array): void {
    const { tree, frames, velocities, arms } = this;
    const { n, parent, kind, before, turn, advance, qAt, vAt } = tree;
    for (let k = 0; k < n; k++) {
      const of = kind[k]!;
      const j = parent[k]!;
      const f = 9 * j;
      const b = 12 * k;
      const m0 = frames[f]!;
      const m1 = frames[f + 1]!;
      const m2 = frames[f + 2]!;
      const m3 = frames[f + 3]!;
      const m4 = frames[f + 4]!;
      const m5 = frames[f + 5]!;
      const m6 = frames[f + 6]!;
      const m7 = frames[f + 7]!;
      const m8 = frames[f + 8]!;
      const b0 = before[b]!;
      const b1 = before[b + 1]!;
      const b2 = before[b + 2]!;
      const b3 = before[b + 3]!;
      const b4 = before[b + 4]!;
      const b5 = before[b + 5]!;
      const b6 = before[b + 6]!;
      const b7 = before[b + 7]!;
      const b8 = before[b + 8]!;
      const b9 = before[b + 9]!;
      const b10 = before[b + 10]!;
      const b11 = before[b + 11]!;
      const j0 = m0 * b0 + m1 * b3 + m2 * b6;
      const j1 = m0 * b1 + m1 * b4 + m2 * b7;
      const j2 = m0 * b2 + m1 * b5 + m2 * b8;
      const j3 = m3 * b0 + m4 * b3 + m5 * b6;
      const j4 = m3 * b1 + m4 * b4 + m5 * b7;
      const j5 = m3 * b2 + m4 * b5 + m5 * b8;
      const j6 = m6 * b0 + m7 * b3 + m8 * b6;
      const j7 = m6 * b1 + m7 * b4 + m8 * b7;
      const j8 = m6 * b2 + m7 * b5 + m8 * b8;
      let rx = m0 * b9 + m1 * b10 + m2 * b11;
      let ry = m3 * b9 + m4 * b10 + m5 * b11;
      let rz = m6 * b9 + m7 * b10 + m8 * b11;
      const t = 6 * j;
      const wx = velocities[t]!;
      const wy = velocities[t + 1]!;
      const wz = velocities[t + 2]!;
      const g = 9 * k;
      const s = 6 * k;
      const a = 3 * k;
      if (of <= SCREW) {
        const angle = q[qAt[k]!]!;
        const rate = v[vAt[k]!]!;
        if (of === PRISMATIC) {
          frames[g] = j0;
          frames[g + 1] = j1;
          frames[g + 3] = j3;
          frames[g + 4] = j4;
          frames[g + 6] = j6;
          frames[g + 7] = j7;
        } else {
          const c = Math.cos(angle);
          const d = Math.sin(angle);
          frames[g] = c * j0 + d * j1;
          frames[g + 1] = c * j1 - d * j0;
          frames[g + 3] = c * j3 + d * j4;
          frames[g + 4] = c * j4 - d * j3;
          frames[g + 6] = c * j6 + d * j7;
          frames[g + 7] = c * j7 - d * j6;
        }
        frames[g + 2] = j2;
        frames[g + 5] = j5;
        frames[g + 8] = j8;
        const along = advance[k]!;
        const slide = along * angle;
        const speed = along * rate;
        const spin = turn[k]! * rate;
        rx += slide * j2;
        ry += slide * j5;
        rz += slide * j8;
        velocities[s] = wx + spin * j2;
        velocities[s + 1] = wy + spin * j5;
        velocities[s + 2] = wz + spin * j8;
        velocities[s + 3] = velocities[t + 3]! + wy * rz - wz * ry + speed * j2;
        velocities[s + 4] = velocities[t + 4]! + wz * rx - wx * rz + speed * j5;
        velocities[s + 5] = velocities[t + 5]! + wx * ry - wy * rx + speed * j8;
      } else {
        let p = qAt[k]!;
        let i = vAt[k]!;
        let ux = 0;
        let uy = 0;
        let uz = 0;
        if (of === FREE) {
          const x = q[p]!;
          const y = q[p + 1]!;
          const z = q[p + 2]!;
          rx += j0 * x + j1 * y + j2 * z;
          ry += j3 * x + j4 * y + j5 * z;
          rz += j6 * x + j7 * y + j8 * z;
          p += 3;
          ux = j0 * v[i]! + j1 * v[i + 1]! + j2 * v[i + 2]!;
          uy = j3 * v[i]! + j4 * v[i + 1]! + j5 * v[i + 2]!;
          uz = j6 * v[i]! + j7 * v[i + 1]! + j8 * v[i + 2]!;
          i += 3;
        }
        const { joints } = this;
        joints[g] = j0;
        joints[g + 1] = j1;
        joints[g + 2] = j2;
        joints[g + 3] = j3;
        joints[g + 4] = j4;
        joints[g + 5] = j5;
        joints[g + 6] = j6;
        joints[g + 7] = j7;
        joints[g + 8] = j8;
        this.#turn(k, q, p);
        velocities[s] = wx + j0 * v[i]! + j1 * v[i + 1]! + j2 * v[i + 2]!;
        velocities[s + 1] = wy + j3 * v[i]! + j4 * v[i + 1]! + j5 * v[i + 2]!;
        velocities[s + 2] = wz + j6 * v[i]! + j7 * v[i + 1]! + j8 * v[i + 2]!;
        velocities[s + 3] = velocities[t + 3]! + wy * rz - wz * ry + ux;
        velocities[s + 4] = velocities[t + 4]! + wz * rx - wx * rz + uy;
        velocities[s + 5] = velocities[t + 5]! + wx * ry - wy * rx + uz;
      }
      arms[a] = rx;
      arms[a + 1] = ry;
      arms[a + 2] = rz;
    }
    this.#place();
  }

  /** Positions from those relative to the parent. */
  #place(): void {
    const { tree, places, bases, arms } = this;
    const { n, parent } = tree;
    for (let k = 0; k < n; k++) {
      const j = parent[k]!;
      const a = 3 * k;
      const b = 3 * j;
      if (j === n) {
        bases[a] = arms[a]!;
        bases[a + 1] = arms[a + 1]!;
        bases[a + 2] = arms[a + 2]!;
      } else {
        places[a] = places[b]! + arms[a]!;
        places[a + 1] = places[b + 1]! + arms[a + 1]!;
        places[a + 2] = places[b + 2]! + arms[a + 2]!;
      }
    }
  }

  /** The frame of a link whose joint frame is known, by the quaternion at p. */
  #turn(k: number, q: Float64Array, p: number): void {
    const { frames, joints } = this;
    const w = q[p]!;
    const x = q[p + 1]!;
    const y = q[p + 2]!;
    const z = q[p + 3]!;
    const s = 2 / (w * w + x * x + y * y + z * z);
    const r0 = 1 - s * (y * y + z * z);
    const r1 = s * (x * y - w * z);
    const r2 = s * (x * z + w * y);
    const r3 = s * (x * y + w * z);
    const r4 = 1 - s * (x * x + z * z);
    const r5 = s * (y * z - w * x);
    const r6 = s * (x * z - w * y);
    const r7 = s * (y * z + w * x);
    const r8 = 1 - s * (x * x + y * y);
    for (let i = 9 * k; i < 9 * k + 9; i += 3) {
      const a = joints[i]!;
      const b = joints[i + 1]!;
      const c = joints[i + 2]!;
      frames[i] = a * r0 + b * r3 + c * r6;
      frames[i + 1] = a * r1 + b * r4 + c * r7;
      frames[i + 2] = a * r2 + b * r5 + c * r8;
    }
  }

  /** Poses and velocities of the frames of the bodies, after `move`. */
  bodies(): void {
    const { tree, frames, velocities, places, bases, rotation, position, angular, velocity, offsets } = this;
    const { n, root, plain, after } = tree;
    this.version++;
    for (let k = 0; k < n; k++) {
      const a = 3 * k;
      const base = 3 * root[k]!;
      const f = 9 * k;
      const s = 6 * k;
      let ox = 0;
      let oy = 0;
      let oz = 0;
      if (plain[k]) {
        for (let i = f; i < f + 9; i++) rotation[i] = frames[i]!;
      } else {
        const b = 12 * k;
        const c0 = after[b]!;
        const c1 = after[b + 1]!;
        const c2 = after[b + 2]!;
        const c3 = after[b + 3]!;
        const c4 = after[b + 4]!;
        const c5 = after[b + 5]!;
        const c6 = after[b + 6]!;
        const c7 = after[b + 7]!;
        const c8 = after[b + 8]!;
        for (let i = f; i < f + 9; i += 3) {
          const x = frames[i]!;
          const y = frames[i + 1]!;
          const z = frames[i + 2]!;
          rotation[i] = x * c0 + y * c3 + z * c6;
          rotation[i + 1] = x * c1 + y * c4 + z * c7;
          rotation[i + 2] = x * c2 + y * c5 + z * c8;
        }
        const tx = after[b + 9]!;
        const ty = after[b + 10]!;
        const tz = after[b + 11]!;
        ox = frames[f]! * tx + frames[f + 1]! * ty + frames[f + 2]! * tz;
        oy = frames[f + 3]! * tx + frames[f + 4]! * ty + frames[f + 5]! * tz;
        oz = frames[f + 6]! * tx + frames[f + 7]! * ty + frames[f + 8]! * tz;
        offsets[a] = ox;
        offsets[a + 1] = oy;
        offsets[a + 2] = oz;
      }
      const wx = velocities[s]!;
      const wy = velocities[s + 1]!;
      const wz = velocities[s + 2]!;
      position[a] = bases[base]! + (places[a]! + ox);
      position[a + 1] = bases[base + 1]! + (places[a + 1]! + oy);
      position[a + 2] = bases[base + 2]! + (places[a + 2]! + oz);
      angular[a] = wx;
      angular[a + 1] = wy;
      angular[a + 2] = wz;
      velocity[a] = velocities[s + 3]! + wy * oz - wz * oy;
      velocity[a + 1] = velocities[s + 4]! + wz * ox - wx * oz;
      velocity[a + 2] = velocities[s + 5]! + wx * oy - wy * ox;
    }
  }

  /** Derivatives of coordinates. */
  rates(q: Float64Array, v: Float64Array, qdot: Float64Array): void {
    const { n, kind, qAt, vAt } = this.tree;
    for (let k = 0; k < n; k++) {
      const of = kind[k]!;
      let p = qAt[k]!;
      let i = vAt[k]!;
      if (of < SPHERICAL) {
        qdot[p] = v[i]!;
        continue;
      }
      if (of === FREE) for (let end = p + 3; p < end; ) qdot[p++] = v[i++]!;
      const w = q[p]!;
      const x = q[p + 1]!;
      const y = q[p + 2]!;
      const z = q[p + 3]!;
      const a = v[i]! / 2;
      const b = v[i + 1]! / 2;
      const c = v[i + 2]! / 2;
      qdot[p] = -a * x - b * y - c * z;
      qdot[p + 1] = a * w + b * z - c * y;
      qdot[p + 2] = b * w + c * x - a * z;
      qdot[p + 3] = c * w + a * y - b * x;
    }
  }
}
