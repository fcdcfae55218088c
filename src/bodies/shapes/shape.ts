/**
 * The shapes of bodies, as values whose parameters are all known and possible: `checkedShape` makes them of what a user gave. Lengths are
 * in metres.
 *
 * Shapes with an `axis` are described with three directions u, v, w, of which w is that axis:
 *
 *     axis   u  v  w
 *     1      y  z  x
 *     2      z  x  y
 *     3      x  y  z
 */
import { nearest } from '../../diagnostic/nearest.ts';
import { problem, shown } from '../problem.ts';
import type { Vector } from '../space.ts';
import { isMesh, type Mesh } from './mesh.ts';

/** x, y or z. */
export type Axis = 1 | 2 | 3;

/** A vector that is given in the directions u, v, w of an axis. */
export const along = (axis: Axis, [u, v, w]: Vector): Vector =>
  axis === 3 ? [u, v, w] : axis === 1 ? [w, u, v] : [v, w, u];

/** Its origin is its centre. */
export interface Sphere {
  readonly kind: 'sphere';
  readonly diameter: number;
}

/** Its origin is its centre; the lengths are those of its axes, from end to end. */
export interface Ellipsoid {
  readonly kind: 'ellipsoid';
  readonly lengthX: number;
  readonly lengthY: number;
  readonly lengthZ: number;
}

/** Its origin is its centre. */
export interface Box {
  readonly kind: 'box';
  readonly lengthX: number;
  readonly lengthY: number;
  readonly lengthZ: number;
}

/** Its origin is its centre; a tube where `innerDiameter` is not zero. */
export interface Cylinder {
  readonly kind: 'cylinder';
  readonly axis: Axis;
  readonly diameter: number;
  readonly length: number;
  readonly innerDiameter: number;
}

/**
 * Its origin is the centre of the base, which has `diameter`; from there it extends by `length` in the direction of the axis. A frustum where
 * `topDiameter` is not zero.
 */
export interface Cone {
  readonly kind: 'cone';
  readonly axis: Axis;
  readonly diameter: number;
  readonly length: number;
  readonly topDiameter: number;
}

/** A cylinder of `length` with half a sphere at each end: from end to end it measures length + diameter. Its origin is its centre. */
export interface Capsule {
  readonly kind: 'capsule';
  readonly axis: Axis;
  readonly diameter: number;
  readonly length: number;
}

/**
 * A box with half a cylinder at each end, whose axes are the pivots: `length`, along w, is their distance, `width`, along u, their diameter, and
 * they lie in direction v, in which the beam measures `thickness`. Its origin is its centre.
 */
export interface Beam {
  readonly kind: 'beam';
  readonly axis: Axis;
  readonly length: number;
  readonly width: number;
  readonly thickness: number;
}

/** Its origin is that of the file. The factors of `scale` may be negative: a mirror image. */
export interface MeshShape {
  readonly kind: 'mesh';
  readonly mesh: Mesh;
  readonly scale: Vector;
}

/** The axes of a coordinate system as arrows: x red, y green, z blue. */
export interface Frame {
  readonly kind: 'frame';
  readonly length: number;
}

/** Lines in the plane of u (`length`) and v (`width`) through the origin, at distances from each other. */
export interface Grid {
  readonly kind: 'grid';
  readonly axis: Axis;
  readonly length: number;
  readonly width: number;
  readonly distance: number;
  readonly lineWidth: number;
}

/** From the origin by `length` in the direction of the axis; `diameter` is that of the outside. */
export interface Spring {
  readonly kind: 'spring';
  readonly axis: Axis;
  readonly length: number;
  readonly diameter: number;
  readonly wireDiameter: number;
  readonly windings: number;
}

/** Its origin is its centre; `diameter` is that of the tips, `angle` by how much one end is turned against the other. */
export interface GearWheel {
  readonly kind: 'gearwheel';
  readonly axis: Axis;
  readonly diameter: number;
  readonly length: number;
  readonly innerDiameter: number;
  readonly rootDiameter: number;
  readonly angle: number;
  readonly teeth: number;
}

/** Letters of height `height`, in a plane of the object or always facing the viewer. */
export interface Text {
  readonly kind: 'text';
  readonly text: string;
  readonly height: number;
  readonly plane: 'screen' | 'xy' | 'xz' | 'yz';
  readonly alignment: 'left' | 'center' | 'right';
  readonly offset: Vector;
}

/** Shapes that have a volume. */
export type SolidShape = Sphere | Ellipsoid | Box | Cylinder | Cone | Capsule | Beam | MeshShape;
/** Shapes that can only be seen. */
export type VisualShape = Frame | Grid | Spring | GearWheel | Text;
export type Shape = SolidShape | VisualShape;
export type ShapeKind = Shape['kind'];

type ShapeOf<K extends ShapeKind> = Extract<Shape, { kind: K }>;

/** A shape as users give it: what is left out has its standard value. */
export type GivenShape = {
  [K in ShapeKind]: { readonly kind: K } & Partial<Omit<ShapeOf<K>, 'kind'>>;
}[ShapeKind];

export const isSolid = (shape: Shape): shape is SolidShape => solidKinds.has(shape.kind);
const solidKinds: ReadonlySet<string> = new Set<SolidShape['kind']>([
  'sphere',
  'ellipsoid',
  'box',
  'cylinder',
  'cone',
  'capsule',
  'beam',
  'mesh',
]);

/** The shape with all its parameters; fails where there can be no such shape. */
export function checkedShape(object: string, given: GivenShape): Shape {
  const kinds = Object.keys(rules);
  if (!Object.hasOwn(rules, given.kind)) {
    const meant = nearest(String(given.kind), kinds);
    const hint = meant ? `Did you mean \`${meant}\`?` : `Shapes are ${kinds.join(', ')}.`;
    throw problem(object, `there is no shape \`${given.kind}\`.`, hint, 'unknown-name');
  }
  const name = names[given.kind];
  const all: Readonly<Record<string, Rule<unknown>>> = rules[given.kind];
  for (const parameter of Object.keys(given)) {
    if (parameter === 'kind' || Object.hasOwn(all, parameter)) continue;
    const meant = nearest(parameter, Object.keys(all));
    const hint = meant
      ? `Did you mean \`${meant}\`?`
      : `The parameters of a ${name} are ${Object.keys(all).join(', ')}.`;
    throw problem(object, `a ${name} has no parameter \`${parameter}\`.`, hint, 'unknown-name');
  }
  const shape: Record<string, unknown> = { kind: given.kind };
  for (const [parameter, { standard, holds, must }] of Object.entries(all)) {
    const value = (given as unknown as Readonly<Record<string, unknown>>)[parameter] ?? standard(shape);
    if (!holds(value)) {
      throw problem(object, `${parameter} of the ${name} is ${worded(value)}, but must be ${must}.`);
    }
    shape[parameter] = value;
  }
  const checked = shape as unknown as Shape;
  const conflict = conflictOf(checked);
  if (conflict) throw problem(object, conflict);
  return checked;
}

const names: Readonly<Record<ShapeKind, string>> = {
  sphere: 'sphere',
  ellipsoid: 'ellipsoid',
  box: 'box',
  cylinder: 'cylinder',
  cone: 'cone',
  capsule: 'capsule',
  beam: 'beam',
  mesh: 'mesh',
  frame: 'frame',
  grid: 'grid',
  spring: 'spring',
  gearwheel: 'gear wheel',
  text: 'text',
};

function worded(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number') return shown(value);
  if (Array.isArray(value)) return `{${value.map(worded).join(', ')}}`;
  return typeof value === 'object' ? 'something else' : JSON.stringify(value);
}

/** What a parameter may be, and what it is where it is left out; that may depend on parameters before it. */
interface Rule<T> {
  readonly standard: (shape: Readonly<Record<string, unknown>>) => T | undefined;
  readonly holds: (value: unknown) => boolean;
  readonly must: string;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isVector = (value: unknown): value is Vector =>
  Array.isArray(value) && value.length === 3 && value.every(isNumber);

/** A length that is greater than zero; by default a number, or a part of another length. */
const size = (standard: number, of?: string): Rule<number> => ({
  standard: (shape) => (of === undefined ? standard : standard * (shape[of] as number)),
  holds: (value) => isNumber(value) && value > 0,
  must: 'greater than zero',
});
const optional: Rule<number> = {
  standard: () => 0,
  holds: (value) => isNumber(value) && value >= 0,
  must: 'zero or greater',
};
const finite: Rule<number> = { standard: () => 0, holds: isNumber, must: 'a finite number' };
const between = (standard: number, from: number, to: number): Rule<number> => ({
  standard: () => standard,
  holds: (value) => isNumber(value) && value >= from && value <= to,
  must: `between ${from} and ${to}`,
});
const count = (standard: number, from: number, to: number): Rule<number> => ({
  standard: () => standard,
  holds: (value) => Number.isInteger(value) && (value as number) >= from && (value as number) <= to,
  must: `a whole number between ${from} and ${to}`,
});
const axis: Rule<Axis> = {
  standard: () => 3,
  holds: (value) => value === 1 || value === 2 || value === 3,
  must: '1 (x), 2 (y) or 3 (z)',
};
const oneOf = <T extends string>(standard: T, ...others: T[]): Rule<T> => ({
  standard: () => standard,
  holds: (value) => value === standard || others.includes(value as T),
  must: `one of ${[standard, ...others].map((word) => JSON.stringify(word)).join(', ')}`,
});

const rules: {
  readonly [K in ShapeKind]: { readonly [P in Exclude<keyof ShapeOf<K>, 'kind'>]: Rule<ShapeOf<K>[P]> };
} = {
  sphere: { diameter: size(1) },
  ellipsoid: { lengthX: size(1), lengthY: size(1), lengthZ: size(1) },
  box: { lengthX: size(1), lengthY: size(1), lengthZ: size(1) },
  cylinder: { axis, diameter: size(1), length: size(1), innerDiameter: optional },
  cone: { axis, diameter: size(1), length: size(1), topDiameter: optional },
  capsule: { axis, diameter: size(1), length: size(1) },
  beam: { axis, length: size(1), width: size(0.2), thickness: size(0.1) },
  mesh: {
    mesh: { standard: () => undefined, holds: isMesh, must: 'a mesh that was read from a file' },
    scale: {
      standard: () => [1, 1, 1],
      holds: (value) => isVector(value) && value.every((factor) => factor !== 0),
      must: 'three numbers that are not zero',
    },
  },
  frame: { length: size(0.2) },
  grid: {
    axis,
    length: size(1),
    width: size(0.6),
    distance: size(0.1),
    lineWidth: size(0.05, 'distance'),
  },
  spring: {
    axis,
    length: size(1),
    diameter: size(1),
    wireDiameter: size(0.05, 'diameter'),
    windings: between(5, 0.25, 1000),
  },
  gearwheel: {
    axis,
    diameter: size(1),
    length: size(1),
    innerDiameter: optional,
    rootDiameter: size(0.9, 'diameter'),
    angle: finite,
    teeth: count(20, 3, 2000),
  },
  text: {
    text: {
      standard: () => undefined,
      holds: (value) => typeof value === 'string' && value !== '',
      must: 'a text that is not empty',
    },
    height: size(0.1),
    plane: oneOf('screen', 'xy', 'xz', 'yz'),
    alignment: oneOf('center', 'left', 'right'),
    offset: { standard: () => [0, 0, 0], holds: isVector, must: 'three numbers' },
  },
};

/** Lines of a grid in one direction that anybody can tell apart. */
const MOST_LINES = 2000;

/** Which parameters of a shape contradict each other. */
function conflictOf(shape: Shape): string | undefined {
  const less = <S extends Shape>(of: S, small: keyof S, large: keyof S): string | undefined =>
    of[small] < of[large]
      ? undefined
      : `${String(small)} of the ${names[of.kind]} is ${worded(of[small])}, but must be less than ${String(large)}, which is ${worded(of[large])}.`;
  switch (shape.kind) {
    case 'cylinder':
      return less(shape, 'innerDiameter', 'diameter');
    case 'spring':
      return less(shape, 'wireDiameter', 'diameter');
    case 'gearwheel':
      return less(shape, 'innerDiameter', 'rootDiameter') ?? less(shape, 'rootDiameter', 'diameter');
    case 'grid':
      return Math.max(shape.length, shape.width) / shape.distance <= MOST_LINES
        ? undefined
        : `distance of the grid is ${worded(shape.distance)}, which makes more than ${MOST_LINES} lines.`;
    default:
      return undefined;
  }
}
