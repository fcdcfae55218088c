/** Vectors and rotations in typed arrays, for loops that allocate nothing. */

export const dot = (x: Float64Array, y: Float64Array): number =>
  x[0]! * y[0]! + x[1]! * y[1]! + x[2]! * y[2]!;

export function cross(x: Float64Array, y: Float64Array, into: Float64Array): void {
  const a = x[1]! * y[2]! - x[2]! * y[1]!;
  const b = x[2]! * y[0]! - x[0]! * y[2]!;
  into[2] = x[0]! * y[1]! - x[1]! * y[0]!;
  into[0] = a;
  into[1] = b;
}

/** Column of a matrix of three rows that begins at a place. */
export function column(matrix: Float64Array, of: number, into: Float64Array, at = 0): void {
  into[0] = matrix[at + of]!;
  into[1] = matrix[at + 3 + of]!;
  into[2] = matrix[at + 6 + of]!;
}

/** One of two directions at right angles to n, which has length 1, and to each other: 0 or 1. */
export function acrossOf(n: Float64Array, axis: number, into: Float64Array): void {
  const [x, y, z] = [Math.abs(n[0]!), Math.abs(n[1]!), Math.abs(n[2]!)];
  const least = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  into.fill(0);
  into[least] = 1;
  cross(n, into, into);
  const length = Math.sqrt(dot(into, into));
  for (let i = 0; i < 3; i++) into[i] = into[i]! / length;
  if (axis === 1) cross(n, into, into);
}

/** Rotation of a frame that is fixed in link k, and its origin from P_k, in world axes. */
export function placeFrame(
  frames: Float64Array,
  k: number,
  from: Float64Array,
  at: number,
  rotation: Float64Array,
  origin: Float64Array,
): void {
  for (let i = 0; i < 3; i++) {
    const f = 9 * k + 3 * i;
    const [x, y, z] = [frames[f]!, frames[f + 1]!, frames[f + 2]!];
    for (let j = 0; j < 3; j++)
      rotation[3 * i + j] = x * from[at + j]! + y * from[at + 3 + j]! + z * from[at + 6 + j]!;
    origin[i] = x * from[at + 9]! + y * from[at + 10]! + z * from[at + 11]!;
  }
}

/** The rotation from A to B, as axis times angle in A. */
export function rotationBetween(A: Float64Array, B: Float64Array, phi: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let l = 0; l < 3; l++) sum += A[3 * l + i]! * B[3 * l + j]!;
      between[3 * i + j] = sum;
    }
  const m = between;
  let largest = 0;
  squares[0] = 1 + m[0]! + m[4]! + m[8]!;
  squares[1] = 1 + m[0]! - m[4]! - m[8]!;
  squares[2] = 1 - m[0]! + m[4]! - m[8]!;
  squares[3] = 1 - m[0]! - m[4]! + m[8]!;
  for (let i = 1; i < 4; i++) if (squares[i]! > squares[largest]!) largest = i;
  const twice = Math.sqrt(squares[largest]!);
  const k = 0.5 / twice;
  let w = twice / 2;
  if (largest === 0) {
    phi[0] = k * (m[7]! - m[5]!);
    phi[1] = k * (m[2]! - m[6]!);
    phi[2] = k * (m[3]! - m[1]!);
  } else {
    const i = largest - 1;
    const [j, l] = [(i + 1) % 3, (i + 2) % 3];
    w = k * (m[3 * l + j]! - m[3 * j + l]!);
    phi[i] = twice / 2;
    phi[j] = k * (m[3 * i + j]! + m[3 * j + i]!);
    phi[l] = k * (m[3 * i + l]! + m[3 * l + i]!);
    if (w < 0) {
      w = -w;
      for (let o = 0; o < 3; o++) phi[o] = -phi[o]!;
    }
  }
  const sine = Math.hypot(phi[0]!, phi[1]!, phi[2]!);
  const factor = sine > 0 ? (2 * Math.atan2(sine, w)) / sine : 2;
  for (let i = 0; i < 3; i++) phi[i] = phi[i]! * factor;
}

const between = new Float64Array(9);
const squares = new Float64Array(4);
