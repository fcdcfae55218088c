/**
 * Vectors, rotations and poses as values, for what is done once: describing bodies, shapes and joints. Inner loops work on typed arrays.
 *
 * A rotation is the matrix that takes coordinates in a frame to coordinates in the frame that it is placed in: r_parent = translation + rotation r.
 */
export type Vector = readonly [x: number, y: number, z: number];
/** Three rows, one after the other. */
export type Matrix = readonly [
  xx: number,
  xy: number,
  xz: number,
  yx: number,
  yy: number,
  yz: number,
  zx: number,
  zy: number,
  zz: number,
];
/** A unit quaternion, scalar part first. */
export type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** Where a frame is in another one. */
export interface Pose {
  readonly translation: Vector;
  readonly rotation: Matrix;
}

export const zero: Vector = [0, 0, 0];
export const identity: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];
export const atOrigin: Pose = { translation: zero, rotation: identity };

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (k: number, a: Vector): Vector => [k * a[0], k * a[1], k * a[2]];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const norm = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);

export const applied = (m: Matrix, a: Vector): Vector => [
  m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
  m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
  m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
];
export const transposed = (m: Matrix): Matrix => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
export const product = (a: Matrix, b: Matrix): Matrix => [
  a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
  a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
  a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
  a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
  a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
  a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
  a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
  a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
  a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
];
export const sum = (a: Matrix, b: Matrix): Matrix => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
  a[4] + b[4],
  a[5] + b[5],
  a[6] + b[6],
  a[7] + b[7],
  a[8] + b[8],
];

/** Where a frame is that is placed in one that is placed itself. */
export const placed = (outer: Pose, inner: Pose): Pose => ({
  translation: plus(outer.translation, applied(outer.rotation, inner.translation)),
  rotation: product(outer.rotation, inner.rotation),
});

/** Where the outer frame is in the inner one. */
export const inverse = ({ translation, rotation }: Pose): Pose => {
  const back = transposed(rotation);
  return { translation: scaled(-1, applied(back, translation)), rotation: back };
};

/** Rotation about an axis of unit length. */
export function turned([x, y, z]: Vector, angle: number): Matrix {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const d = 1 - c;
  return [
    c + d * x * x,
    d * x * y - s * z,
    d * x * z + s * y,
    d * x * y + s * z,
    c + d * y * y,
    d * y * z - s * x,
    d * x * z - s * y,
    d * y * z + s * x,
    c + d * z * z,
  ];
}

/** Rotation about x, then about the new y, then about the new z. */
export const cardan = ([x, y, z]: Vector): Matrix =>
  product(product(turned([1, 0, 0], x), turned([0, 1, 0], y)), turned([0, 0, 1], z));

/** Angles of `cardan` of the matrix that begins at `from`, to where `at` says; the first one is zero where the second is a right angle. */
export function writeCardanAngles(m: ArrayLike<number>, from: number, to: Float64Array, at: number): void {
  const xx = m[from]!;
  const xy = m[from + 1]!;
  const rest = Math.sqrt(xx * xx + xy * xy);
  const isRight = rest < 1e-12;
  to[at] = isRight ? 0 : Math.atan2(-m[from + 5]!, m[from + 8]!);
  to[at + 1] = Math.atan2(m[from + 2]!, rest);
  to[at + 2] = isRight ? Math.atan2(m[from + 3]!, m[from + 4]!) : Math.atan2(-xy, xx);
}

/** The matrix of a quaternion, which need not have unit length. */
export function matrixOf([w, x, y, z]: Quaternion): Matrix {
  const s = 2 / (w * w + x * x + y * y + z * z);
  return [
    1 - s * (y * y + z * z),
    s * (x * y - w * z),
    s * (x * z + w * y),
    s * (x * y + w * z),
    1 - s * (x * x + z * z),
    s * (y * z - w * x),
    s * (x * z - w * y),
    s * (y * z + w * x),
    1 - s * (x * x + y * y),
  ];
}

/** The rotation back. */
export const conjugate = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];

/** The quaternion of a rotation; of the two, the one whose scalar part is not negative. */
export function quaternionOf(m: Matrix): Quaternion {
  const [w, x, y, z] = longQuaternion(m);
  return w < 0 ? [-w, -x, -y, -z] : [w, x, y, z];
}

/** Divides by the largest number of the quaternion, so that no digits are lost. */
function longQuaternion(m: Matrix): Quaternion {
  const ww = 1 + m[0] + m[4] + m[8];
  const xx = 1 + m[0] - m[4] - m[8];
  const yy = 1 - m[0] + m[4] - m[8];
  const zz = 1 - m[0] - m[4] + m[8];
  const largest = Math.max(ww, xx, yy, zz);
  const r = Math.sqrt(largest);
  const s = 0.5 / r;
  if (ww === largest) return [r / 2, s * (m[7] - m[5]), s * (m[2] - m[6]), s * (m[3] - m[1])];
  if (xx === largest) return [s * (m[7] - m[5]), r / 2, s * (m[1] + m[3]), s * (m[2] + m[6])];
  if (yy === largest) return [s * (m[2] - m[6]), s * (m[1] + m[3]), r / 2, s * (m[5] + m[7])];
  return [s * (m[3] - m[1]), s * (m[2] + m[6]), s * (m[5] + m[7]), r / 2];
}
