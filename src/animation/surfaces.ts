/**
 * Surfaces whose points a function gives, as a net of nu times nv of them. One that changes its form is a row of forms, each seen for its time: neither glTF nor its viewers
 * move single points without more.
 */
import type { PicturedPoints } from '../builtin/picture.ts';
import type { Triangles, Triple } from './animation.ts';
import { linear } from './color.ts';
import { twoSided } from './solids.ts';

/** Forms that a surface has, and points of all of them, at most. */
const [MOST_FORMS, MOST_POINTS] = [60, 60_000] as const;

export interface Form {
  readonly geometry: Triangles;
  /** The first row in which it is seen, and the first in which it is not any more. */
  readonly from: number;
  readonly to: number;
}

export function formsOf(points: PicturedPoints, nu: number, nv: number, rows: number): Form[] {
  const most = Math.max(2, Math.min(MOST_FORMS, Math.floor(MOST_POINTS / (nu * nv))));
  const count = points.still ? 1 : Math.min(most, rows);
  const starts = [...new Set(Array.from({ length: count }, (_, k) => Math.floor((k * rows) / count)))];
  return starts.map((from, k) => ({
    geometry: net(points.at(from), nu, nv),
    from,
    to: starts[k + 1] ?? rows,
  }));
}

function net(values: Float64Array, nu: number, nv: number): Triangles {
  const size = nu * nv;
  const place = (i: number, j: number): Triple => {
    const k = clamped(i, nu) * nv + clamped(j, nv);
    return [values[k]!, values[size + k]!, values[2 * size + k]!];
  };
  const positions = new Float32Array(3 * size);
  const normals = new Float32Array(3 * size);
  for (let i = 0; i < nu; i++)
    for (let j = 0; j < nv; j++) {
      positions.set(place(i, j), 3 * (i * nv + j));
      normals.set(
        normalOf(place(i - 1, j), place(i + 1, j), place(i, j - 1), place(i, j + 1)),
        3 * (i * nv + j),
      );
    }
  const indices: number[] = [];
  for (let i = 0; i + 1 < nu; i++)
    for (let j = 0; j + 1 < nv; j++) {
      const [a, b, c, d] = [i * nv + j, (i + 1) * nv + j, (i + 1) * nv + j + 1, i * nv + j + 1];
      indices.push(a, b, c, a, c, d);
    }
  const isColoured = values.length === 6 * size;
  const colors = isColoured
    ? Float32Array.from(values.subarray(3 * size), (value) => linear(Math.min(1, Math.max(0, value / 255))))
    : undefined;
  return twoSided({ positions, normals, indices: Uint32Array.from(indices), ...(colors && { colors }) });
}

const clamped = (i: number, count: number): number => Math.min(count - 1, Math.max(0, i));

function normalOf(a: Triple, b: Triple, c: Triple, d: Triple): Triple {
  const [u, v] = [
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]],
    [d[0] - c[0], d[1] - c[1], d[2] - c[2]],
  ] as [Triple, Triple];
  const n: Triple = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n);
  return length > 0 ? [n[0] / length, n[1] / length, n[2] / length] : [0, 0, 1];
}
