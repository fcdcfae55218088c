/** Rotations as quaternions, scalar part first, in lists of numbers. */
import type { Triple } from './animation.ts';

export type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** `conj(a) b`: the rotation that leads from a to b, in the frame that a turns. */
export function between(a: Quaternion, b: Quaternion): Quaternion {
  const [w, x, y, z] = a;
  return [
    w * b[0] + x * b[1] + y * b[2] + z * b[3],
    w * b[1] - x * b[0] - y * b[3] + z * b[2],
    w * b[2] + x * b[3] - y * b[0] - z * b[1],
    w * b[3] - x * b[2] + y * b[1] - z * b[0],
  ];
}

/** `a b`: first b, then a, both along fixed axes. */
export function product(a: Quaternion, b: Quaternion): Quaternion {
  return between([a[0], -a[1], -a[2], -a[3]], b);
}

/** The rotation about an axis by an angle, of their product. */
export function turnOf([x, y, z]: Triple, share = 1): Quaternion {
  const half = (share * Math.hypot(x, y, z)) / 2;
  const k = half === 0 ? 0 : ((share / 2) * Math.sin(half)) / half;
  return [Math.cos(half), k * x, k * y, k * z];
}

/** Axis times angle of a unit quaternion, the shorter way round. */
export function rotationVector([w, x, y, z]: Quaternion): Triple {
  const sine = Math.hypot(x, y, z);
  const k = sine < 1e-30 ? 0 : (2 * Math.atan2(sine, Math.abs(w)) * (w < 0 ? -1 : 1)) / sine;
  return [k * x, k * y, k * z];
}

export function rotated([w, x, y, z]: Quaternion, [a, b, c]: Triple): Triple {
  const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
}

export function unit<T extends readonly number[]>(values: T): T {
  const length = Math.hypot(...values);
  return values.map((value) => value / length) as unknown as T;
}

/** The shortest rotation that takes one direction to another. */
export function turnTo(from: Triple, to: Triple): Quaternion {
  const [a, b] = [unit(from), unit(to)];
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  // Half a turn, about the first axis that is not along it.
  if (cosine < -1 + 1e-12) {
    const [x, y, z] = Math.abs(a[0]) < 0.9 ? [0, -a[2], a[1]] : [a[2], 0, -a[0]];
    return unit([0, x, y, z] as const);
  }
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]] as const;
  return unit([1 + cosine, ...cross] as const);
}

/** Part of the way from a to b, evenly, the shorter way round. */
export function slerp(a: Quaternion, b: Quaternion, share: number): Quaternion {
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const sine = Math.sin(angle);
  const [p, q] =
    sine < 1e-6
      ? [1 - share, sign * share]
      : [Math.sin((1 - share) * angle) / sine, (sign * Math.sin(share * angle)) / sine];
  return unit([p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2], p * a[3] + q * b[3]] as const);
}
