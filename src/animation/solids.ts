/**
 * Shapes by their types, as `ModelicaServices.Animation.Shape` names them: along x from 0 to `length`, `width` along y, `height` along z. Those whose form does not depend on
 * their sizes are made once, of size 1, and stretched.
 */
import { fileMesh } from '../bodies/shapes/file.ts';
import { checkedShape, type GivenShape } from '../bodies/shapes/shape.ts';
import { trianglesOf } from '../bodies/shapes/triangles.ts';
import type { Triangles, Triple } from './animation.ts';

export interface Solid {
  readonly geometry: Triangles;
  /** Its length, width and height where it is not stretched. */
  readonly size: Triple;
}

/** What a shape is, apart from where. */
export interface SolidData {
  readonly type: string;
  /** Length, width and height where it is seen first. */
  readonly size: Triple;
  readonly extra: number;
  readonly read: (file: string) => Uint8Array;
}

const ONE: Triple = [1, 1, 1];

/** Undefined for a type that is not known; throws where a file cannot be read. */
export function solidOf({ type, size, extra, read }: SolidData): Solid | undefined {
  const [length, width, height] = size.map((one) => Math.max(Math.abs(one), 1e-9)) as unknown as Triple;
  switch (type) {
    case 'box':
      return { geometry: shape({ kind: 'box' }, 0.5), size: ONE };
    case 'sphere':
      return { geometry: shape({ kind: 'sphere' }, 0.5), size: ONE };
    case 'cylinder':
      return { geometry: shape({ kind: 'cylinder', axis: 1 }, 0.5), size: ONE };
    case 'pipe':
    case 'pipecylinder':
      return {
        geometry: shape({ kind: 'cylinder', axis: 1, innerDiameter: between(0, extra, 0.999) }, 0.5),
        size: ONE,
      };
    case 'cone':
      return { geometry: shape({ kind: 'cone', axis: 1, topDiameter: between(0, extra, 1e3) }), size: ONE };
    case 'gearwheel':
      return { geometry: gear(extra), size: ONE };
    case 'beam':
      return {
        geometry: shape({ kind: 'beam', axis: 1, length, width, thickness: height }, length / 2),
        size: [length, width, height],
      };
    case 'spring': {
      const wireDiameter = Math.min(height / 2, 0.9 * width);
      const windings = between(0.25, extra, 1000);
      return {
        geometry: shape({ kind: 'spring', axis: 1, length, diameter: width, wireDiameter, windings }),
        size: [length, width, width],
      };
    }
  }
  if (!isFile(type)) return undefined;
  // A number stands for a file of this name.
  const file = /^\d+$/.test(type) ? `${type}.dxf` : type.replace(/^file:\/\//i, '');
  return { geometry: twoSided(shape({ kind: 'mesh', mesh: fileMesh(file, read(file)) })), size: ONE };
}

export const isFile = (type: string): boolean => /^\d+$|:\/\/|\.[a-z0-9]+$/i.test(type);

const between = (low: number, value: number, high: number): number =>
  Math.min(high, Math.max(low, Number.isFinite(value) ? value : low));

/** Triangles, moved along x. */
function shape(given: GivenShape, shift = 0): Triangles {
  const key = given.kind === 'mesh' ? undefined : JSON.stringify([given, shift]);
  const before = key === undefined ? undefined : made.get(key);
  if (before) return before;
  const { positions, ...rest } = trianglesOf(checkedShape('shape', given));
  const own = { ...rest, positions: positions.map((value, k) => (k % 3 === 0 ? value + shift : value)) };
  if (key !== undefined && made.size < MOST_MADE) made.set(key, own);
  return own;
}

const made = new Map<string, Triangles>();
const MOST_MADE = 200;

/** A wheel with teeth outside or, where their number is negative, inside: what is farther from the axis than the middle of the teeth is then as much nearer. */
function gear(extra: number): Triangles {
  const teeth = between(3, Math.round(Math.abs(extra)), 2000);
  const own = shape({ kind: 'gearwheel', axis: 1, teeth, innerDiameter: extra < 0 ? 0.8 : 0 }, 0.5);
  if (extra >= 0) return own;
  const positions = own.positions.slice();
  const normals = own.normals.slice();
  for (let k = 0; k < positions.length; k += 3) {
    const [y, z] = [positions[k + 1]!, positions[k + 2]!];
    const radius = Math.hypot(y, z);
    const factor = (PITCH - radius) / radius;
    positions[k + 1] = y * factor;
    positions[k + 2] = z * factor;
    // Across the axis the outside is now the inside.
    const outward = (normals[k + 1]! * y + normals[k + 2]! * z) / radius ** 2;
    normals[k + 1]! -= 2 * outward * y;
    normals[k + 2]! -= 2 * outward * z;
  }
  return { positions, normals, indices: turnedOver(own.indices) };
}

/** Radius of the tips and of the roots together. */
const PITCH = 0.95;

const turnedOver = (indices: Uint32Array): Uint32Array =>
  indices.map((_, k) => indices[k - (k % 3) + (2 - (k % 3))]!);

/** Faces of files can be seen from both sides. */
export function twoSided({ positions, normals, indices, colors }: Triangles): Triangles {
  const count = positions.length / 3;
  const twice = (list: Float32Array, sign: number): Float32Array => {
    const both = new Float32Array(2 * list.length);
    both.set(list);
    both.set(
      list.map((value) => sign * value),
      list.length,
    );
    return both;
  };
  const both = new Uint32Array(2 * indices.length);
  both.set(indices);
  both.set(
    turnedOver(indices).map((index) => index + count),
    indices.length,
  );
  return {
    positions: twice(positions, 1),
    normals: twice(normals, -1),
    indices: both,
    ...(colors && { colors: twice(colors, 1) }),
  };
}
