/** Solids for tests: meshes made of a few lines, integrals by quadrature, comparisons. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { MassProperties } from '../../src/bodies/mass.ts';
import { closedMesh } from '../../src/bodies/shapes/closed.ts';
import { checkedMesh, type Mesh } from '../../src/bodies/shapes/mesh.ts';
import { type Matrix, matrixOf, type Vector } from '../../src/bodies/space.ts';
import { failureOf } from '../../src/diagnostic/failure.ts';

export const vector = (values: readonly number[]): Vector => [values[0]!, values[1]!, values[2]!];

export const lengths = fc.double({ min: 0.01, max: 10, noNaN: true });
export const rotations: fc.Arbitrary<Matrix> = fc
  .tuple(...[0, 1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map(([w, x, y, z]) => matrixOf([w!, x!, y!, z!]));
export const vectors = (most: number): fc.Arbitrary<Vector> =>
  fc
    .tuple(...[0, 1, 2].map(() => fc.integer({ min: -1e6, max: 1e6 }).map((k) => (k / 1e6) * most)))
    .map(vector);

/** Both to a part of the largest of their numbers; centres to a part of `size`. */
export function expectSame(actual: MassProperties, expected: MassProperties, part = 1e-9, size = 1): void {
  expect(Math.abs(actual.mass / expected.mass - 1)).toBeLessThan(part);
  for (const [k, value] of expected.centre.entries()) {
    expect(Math.abs(actual.centre[k]! - value)).toBeLessThan(part * size);
  }
  const largest = Math.max(...expected.inertia.map(Math.abs));
  for (const [k, value] of expected.inertia.entries()) {
    expect(Math.abs(actual.inertia[k]! - value)).toBeLessThan(part * largest);
  }
}

/** What a work fails with: code, message and hint of its only diagnostic. */
export function refusal(work: () => void): string {
  const failure = failureOf(work);
  expect(failure?.diagnostics.length).toBe(1);
  const { code, message, hint } = failure!.diagnostics[0]!;
  return [`[${code}] ${message}`, ...(hint ? [hint] : [])].join(' | ');
}

// Meshes.

export function meshOf(points: readonly Vector[], faces: readonly (readonly number[])[]): Mesh {
  return checkedMesh('test', Float64Array.from(points.flat()), Uint32Array.from(faces.flat()));
}

/** A box between two corners, outward. */
export function boxMesh([x0, y0, z0]: Vector, [x1, y1, z1]: Vector): Mesh {
  const points = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k): Vector => [k & 1 ? x1 : x0, k & 2 ? y1 : y0, k & 4 ? z1 : z0],
  );
  const squares = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return meshOf(
    points,
    squares.flatMap(([a, b, c, d]) => [
      [a!, b!, c!],
      [a!, c!, d!],
    ]),
  );
}

export function joinedMesh(...meshes: readonly Mesh[]): Mesh {
  const positions = meshes.flatMap((mesh) => [...mesh.positions]);
  let first = 0;
  const triangles = meshes.flatMap((mesh) => {
    const own = [...mesh.triangles].map((vertex) => first + vertex);
    first += mesh.positions.length / 3;
    return own;
  });
  return checkedMesh('test', Float64Array.from(positions), Uint32Array.from(triangles));
}

/** With the triangles for which it holds the other way round. */
export function flipped(mesh: Mesh, which: (triangle: number) => boolean): Mesh {
  const triangles = mesh.triangles.slice();
  for (let k = 0; k < triangles.length / 3; k++) {
    if (which(k)) [triangles[3 * k], triangles[3 * k + 1]] = [triangles[3 * k + 1]!, triangles[3 * k]!];
  }
  return { ...mesh, triangles };
}

export function volumeOfMesh(mesh: Mesh): MassProperties {
  const closed = closedMesh(mesh);
  if ('flaw' in closed) throw new Error(closed.flaw);
  return closed.volume;
}

export function flawOf(mesh: Mesh): string {
  const closed = closedMesh(mesh);
  return 'flaw' in closed ? closed.flaw : 'none';
}

export const boxVolume = (low: Vector, high: Vector): MassProperties => {
  const [x, y, z] = vector(low.map((value, k) => high[k]! - value));
  const mass = x * y * z;
  return {
    mass,
    centre: vector(low.map((value, k) => (high[k]! + value) / 2)),
    inertia: [y * y + z * z, 0, 0, 0, x * x + z * z, 0, 0, 0, x * x + y * y].map(
      (value) => (mass * value) / 12,
    ) as unknown as Matrix,
  };
};

/** As OBJ text. */
export function objText({ positions, triangles }: Mesh): string {
  const rows = (word: string, values: readonly number[]) =>
    values.flatMap((_, k) => (k % 3 === 0 ? [`${word} ${values.slice(k, k + 3).join(' ')}\n`] : []));
  return [
    ...rows('v', [...positions]),
    ...rows(
      'f',
      [...triangles].map((vertex) => vertex + 1),
    ),
  ].join('');
}

/** As a binary STL file. */
export function binaryStl({ positions, triangles }: Mesh): Uint8Array {
  const bytes = new Uint8Array(84 + (50 * triangles.length) / 3);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, triangles.length / 3, true);
  for (const [k, vertex] of triangles.entries())
    for (let i = 0; i < 3; i++)
      view.setFloat32(
        84 + 50 * Math.floor(k / 3) + 12 * (1 + (k % 3)) + 4 * i,
        positions[3 * vertex + i]!,
        true,
      );
  return bytes;
}

// Quadrature.

/** A piece of a solid: from the unit cube to points, with the determinant of that map. */
export type Cell = (a: number, b: number, c: number) => { readonly at: Vector; readonly weight: number };

/** Volume, centre and inertia by Gauss's rule with 20 points in each direction. */
export function integrated(cells: readonly Cell[]): MassProperties {
  const first = [0, 0, 0];
  const second = new Array<number>(9).fill(0);
  let mass = 0;
  for (const cell of cells) {
    for (const [a, wa] of rule) {
      for (const [b, wb] of rule) {
        for (const [c, wc] of rule) {
          const { at, weight } = cell(a, b, c);
          const part = weight * wa * wb * wc;
          mass += part;
          for (let i = 0; i < 3; i++) {
            first[i]! += part * at[i]!;
            for (let j = 0; j < 3; j++) second[3 * i + j]! += part * at[i]! * at[j]!;
          }
        }
      }
    }
  }
  const centre = vector(first.map((value) => value / mass));
  const about = second.map((value, k) => value - mass * centre[Math.floor(k / 3)]! * centre[k % 3]!);
  const trace = about[0]! + about[4]! + about[8]!;
  const inertia = about.map((value, k) => (k % 4 === 0 ? trace : 0) - value) as unknown as Matrix;
  return { mass, centre, inertia };
}

/** Points and weights between 0 and 1: roots of Legendre's polynomial by Newton's method. */
const rule = ((n: number): readonly (readonly [number, number])[] =>
  Array.from({ length: n }, (_, k) => {
    let x = Math.cos((Math.PI * (k + 0.75)) / (n + 0.5));
    let slope = 0;
    for (let step = 0; step < 10; step++) {
      let [p, before] = [1, 0];
      for (let j = 1; j <= n; j++) [p, before] = [((2 * j - 1) * x * p - (j - 1) * before) / j, p];
      slope = (n * (x * p - before)) / (x * x - 1);
      x -= p / slope;
    }
    return [(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)] as const;
  }))(20);
