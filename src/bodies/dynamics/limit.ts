/**
 * How much friction it takes that several points hold two surfaces on each other: of all ways to share a force F and a torque T among points that press with f_k, the
 * one with the least ratio |t_k|/f_k. By duality that is the largest of all
 *
 *     (F u + T w) / sum f_k |u + w x r_k|
 *
 * over motions (u, w), and the motion for which it is largest is the one that begins where friction does not suffice.
 */

export interface Limit {
  /** The coefficient of friction that is needed. */
  needed: number;
  /** How large force and torque are. */
  wanted: number;
  /** How surfaces begin to move past each other: along two directions, and turning. */
  readonly motion: Float64Array;
}

const ROUNDS = 200;
const EXACT = 1e-15;

/** `places` are those of the points, two numbers each, from where F acts. */
export function limitOf(
  forces: ArrayLike<number>,
  places: Float64Array,
  fx: number,
  fy: number,
  torque: number,
): Limit {
  const count = places.length / 2;
  let [pressing, length] = [0, 0];
  for (let k = 0; k < count; k++) {
    pressing += Math.max(0, forces[k]!);
    length = Math.max(length, Math.hypot(places[2 * k]!, places[2 * k + 1]!));
  }
  const motion = new Float64Array(3);
  const wanted = Math.hypot(fx, fy, length > 0 ? torque / length : 0);
  if (wanted === 0) return { needed: 0, wanted, motion };
  motion[0] = fx / wanted;
  motion[1] = fy / wanted;
  motion[2] = length > 0 ? torque / (wanted * length * length) : 0;
  if (!(pressing > 0)) return { needed: Number.POSITIVE_INFINITY, wanted, motion };
  if (length === 0) return { needed: wanted / pressing, wanted, motion };
  let needed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // The least sum of f |motion| at a given power, as squares with weights (E. Weiszfeld, 1937).
    const h = [0, 0, 0, 0, 0, 0];
    let sum = 0;
    const least = 1e-14 * Math.hypot(motion[0]!, motion[1]!, motion[2]! * length);
    for (let k = 0; k < count; k++) {
      const [x, y] = [places[2 * k]!, places[2 * k + 1]!];
      const speed = Math.hypot(motion[0]! - motion[2]! * y, motion[1]! + motion[2]! * x);
      const force = Math.max(0, forces[k]!);
      sum += force * speed;
      const weight = force / Math.max(speed, least);
      h[0]! += weight;
      h[1]! -= weight * y;
      h[2]! += weight * x;
      h[3]! += weight * (x * x + y * y);
    }
    const power = fx * motion[0]! + fy * motion[1]! + torque * motion[2]!;
    const before = needed;
    needed = sum > 0 ? power / sum : Number.POSITIVE_INFINITY;
    if (!(Math.abs(needed - before) > EXACT * needed)) break;
    // h [u w] = [F T]; u = (F - h12 w) / h0
    const stiff = h[3]! - (h[1]! * h[1]! + h[2]! * h[2]!) / h[0]!;
    const turn = stiff > 1e-15 * h[3]! ? (torque - (h[1]! * fx + h[2]! * fy) / h[0]!) / stiff : 0;
    const [x, y] = [(fx - h[1]! * turn) / h[0]!, (fy - h[2]! * turn) / h[0]!];
    const size = Math.hypot(x, y, turn * length);
    motion[0] = x / size;
    motion[1] = y / size;
    motion[2] = turn / size;
  }
  return { needed, wanted, motion };
}
