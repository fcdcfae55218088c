/** Meshes of triangles, and what holds for all of them wherever they come from. */
import { remember } from '../../collections/memo.ts';
import { problem } from '../problem.ts';
import type { Vector } from '../space.ts';

export interface Mesh {
  /** Where it comes from, for messages: the name of a file. */
  readonly name: string;
  /** x, y, z of one vertex after the other. */
  readonly positions: Float64Array;
  /** Three vertices of one triangle after the other, counted from 0. */
  readonly triangles: Uint32Array;
}

export const isMesh = (value: unknown): value is Mesh =>
  typeof value === 'object' &&
  value !== null &&
  (value as Mesh).positions instanceof Float64Array &&
  (value as Mesh).triangles instanceof Uint32Array;

/** A mesh that cannot be used, and why. */
export const badMesh = (object: string, message: string, hint?: string) =>
  problem(object, message, hint, 'bad-mesh');

/** A mesh of numbers, which may come from anywhere. */
export function checkedMesh(name: string, positions: Float64Array, triangles: Uint32Array): Mesh {
  if (positions.length % 3 !== 0 || triangles.length % 3 !== 0) {
    throw badMesh(name, 'vertices need three numbers each, and triangles three vertices.');
  }
  if (triangles.length === 0) throw badMesh(name, 'the mesh has no faces.');
  const bad = positions.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw badMesh(name, `vertex ${Math.floor(bad / 3) + 1} has a coordinate that is ${positions[bad]}.`);
  }
  const count = positions.length / 3;
  const far = triangles.findIndex((vertex) => vertex >= count);
  if (far >= 0) {
    throw badMesh(
      name,
      `triangle ${Math.floor(far / 3) + 1} has vertex ${triangles[far]! + 1}, but there are only ${count}.`,
    );
  }
  return { name, positions, triangles };
}

/** The mesh with its coordinates multiplied. */
export function scaledMesh({ name, positions, triangles }: Mesh, scale: Vector): Mesh {
  return { name, positions: positions.map((value, k) => value * scale[k % 3]!), triangles };
}

/** What follows from a mesh with a scale; large meshes are used in many runs, so it is computed once. */
export function onceScaled<Result extends object>(
  make: (mesh: Mesh, scale: Vector) => Result,
): (mesh: Mesh, scale: Vector) => Result {
  const known = new WeakMap<Mesh, Map<string, Result>>();
  return (mesh, scale) => {
    const own = remember(known, mesh, () => new Map<string, Result>());
    return remember(own, scale.join(' '), () => make(mesh, scale));
  };
}

/** For each vertex the first one at the same place. */
export function firstAtPlace(positions: Float64Array): Uint32Array {
  const first = new Uint32Array(positions.length / 3);
  const known = new Map<string, number>();
  for (let k = 0; k < first.length; k++) {
    // Adding zero makes -0 the same as 0.
    const key = `${positions[3 * k]! + 0},${positions[3 * k + 1]! + 0},${positions[3 * k + 2]! + 0}`;
    const other = known.get(key);
    if (other === undefined) known.set(key, k);
    first[k] = other ?? k;
  }
  return first;
}

/** The mesh with every place once, and only those that a triangle has. */
export function welded({ name, positions, triangles }: Mesh): Mesh {
  const first = firstAtPlace(positions);
  const numbers = new Map<number, number>();
  const joined = triangles.map((vertex) => {
    const own = first[vertex]!;
    if (!numbers.has(own)) numbers.set(own, numbers.size);
    return numbers.get(own)!;
  });
  const kept = new Float64Array(3 * numbers.size);
  for (const [vertex, number] of numbers) {
    kept.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * number);
  }
  return { name, positions: kept, triangles: joined };
}
