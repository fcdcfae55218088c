/**
 * What an animation is: objects that move, appear and disappear, by time. `animationGlb` writes it as a file for every viewer of glTF,
 * `animationPage` as a page that plays it.
 *
 * Values by time stand one after the other: three for a position, four for a rotation. A list with the values of one time alone holds for all
 * times. Between times positions go straight and rotations turn evenly, the shorter way round, unless velocities say how often an object turns meanwhile (`spin.ts`);
 * whether something is visible holds until the next time. Two equal times are a jump: what is before it, and what is after. Values of objects that are not visible
 * may be NaN.
 */
import { suggestion } from '../diagnostic/nearest.ts';
import { counted } from '../diagnostic/words.ts';
import type { Layout } from '../results/plot/layout.ts';
import { SignalTable } from '../results/table/table.ts';

export type Triple = readonly [x: number, y: number, z: number];

export interface Animation {
  readonly title: string;
  /** In seconds, increasing or equal; with fewer than two it is a still picture. */
  readonly times: Float64Array;
  readonly nodes: readonly AnimatedNode[];
  /** The direction that is up in pictures; that of y where it is left out. */
  readonly up?: Triple;
  /** Where it is left out, all that ever happens is in view, but for what leaves for a short time. */
  readonly camera?: Camera;
  /** The name of an object that a page keeps in view. Where neither this nor a camera is given and everything flies away, it goes with the object that gets farthest. */
  readonly follow?: string;
  /** Whether there is a ground, at the lowest point of all; true where it is left out. */
  readonly ground?: boolean;
  /** Forces, torques and other vectors; a page shows them on request, or at once. */
  readonly arrows?: readonly AnimatedArrow[];
  readonly showsArrows?: boolean;
  /** What is known not to be shown as it is. */
  readonly notes?: readonly Note[];
  /** What a page plots beside the picture: results of the same time, and which of them (a choice where that is left out). */
  readonly results?: SignalTable;
  readonly layout?: Layout;
}

export interface AnimatedNode {
  /** Of the object, `arm.link1`. */
  readonly name: string;
  /** Nothing but a frame where it is left out. */
  readonly geometry?: Triangles | TextShape;
  readonly material?: Material;
  readonly positions: ArrayLike<number>;
  /** Quaternions, scalar part first; they need not have unit length. */
  readonly rotations: ArrayLike<number>;
  /** Of its origin in m/s, and how fast it turns in rad/s, both along the axes of the world: three for each time. They tell what happens between times. */
  readonly velocities?: ArrayLike<number>;
  readonly angularVelocities?: ArrayLike<number>;
  /** How many times as long it is along its own axes, three for each time; once where it is left out. */
  readonly scales?: ArrayLike<number>;
  /** 0 or 1 by time; always where it is left out. */
  readonly visible?: ArrayLike<number>;
}

/** Counter-clockwise as seen from outside. */
export interface Triangles {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
  /** Red, green and blue by vertex, instead of the colour of the material. */
  readonly colors?: Float32Array;
}

/** A text in the plane of x and y, centred at the origin. */
export interface TextShape {
  readonly kind: 'text';
  readonly text: string;
  /** Of a capital letter. */
  readonly height: number;
  /** Turned to the reader, in pages. */
  readonly facing?: boolean;
}

export interface Material {
  /** Red, green and blue from 0 to 1, as screens take them (sRGB). */
  readonly color: Triple;
  /** 1 where it is left out. */
  readonly opacity?: number;
  /** From 0, like plastics, to 1, like metals; 0 where it is left out. */
  readonly metallic?: number;
  /** From 0, like a mirror, to 1, dull; a half where it is left out. */
  readonly roughness?: number;
}

export interface Camera {
  readonly position: Triple;
  /** What it looks at. */
  readonly target: Triple;
  /** From the top of the picture to its bottom, in radians; 40 degrees where it is left out. */
  readonly fieldOfView?: number;
}

/** What is not shown as it happened, and what helps. */
export interface Note {
  readonly text: string;
  readonly hint: string;
}

/** What an arrow stands for; those of a kind are drawn to one scale. */
export type ArrowKind =
  | 'force'
  | 'torque'
  | 'velocity'
  | 'acceleration'
  | 'angularVelocity'
  | 'angularAcceleration';

export interface AnimatedArrow {
  readonly name: string;
  readonly kind: ArrowKind;
  /** One of its kind where it is left out. */
  readonly color?: Triple;
  /** It points at its origin, instead of away from it. */
  readonly ends?: boolean;
  /** Where it begins, and what it is in N, N.m, m/s and so on; NaN where there is none. */
  readonly origins: ArrayLike<number>;
  readonly vectors: ArrayLike<number>;
  /** Of a force between two surfaces: their normal, which is seen with it. */
  readonly normals?: ArrayLike<number>;
}

/** Throws a `RangeError` that names what is wrong with an animation. */
export function checkAnimation(animation: Animation): void {
  const { times, nodes, up, camera, follow, arrows = [], results } = animation;
  for (const [i, time] of times.entries()) {
    if (!Number.isFinite(time)) throw new RangeError(`Time ${i + 1} of the animation is ${time}.`);
    if (i > 0 && time < times[i - 1]!)
      throw new RangeError(`The times of the animation decrease: after ${times[i - 1]} comes ${time}.`);
  }
  if (nodes.length === 0) throw new RangeError('The animation has no objects: there is nothing to see.');
  if (up && !(Math.hypot(...up) > 0 && up.every(Number.isFinite)))
    throw new RangeError(`Up is (${up.join(', ')}), which is no direction.`);
  for (const node of nodes) checkNode(node, times);
  for (const arrow of arrows) checkArrow(arrow, times);
  if (camera) checkCamera(camera);
  if (follow !== undefined && !nodes.some(({ name }) => name === follow)) {
    const names = nodes.map(({ name }) => name);
    throw new RangeError(
      `There is no object named ${follow} to follow. ${suggestion(follow, names) ?? ''}`.trim(),
    );
  }
  if (results !== undefined && !(results instanceof SignalTable))
    throw new RangeError('The results beside the animation are no table of signals.');
}

function checkNode({ name, geometry, material, visible, ...node }: AnimatedNode, times: Float64Array): void {
  checkLength(name, 'visible', visible ?? [1], 1, times);
  const seen = visible && Array.from(visible, (value) => value !== 0);
  checkValues(name, 'positions', node.positions, 3, times, seen);
  checkValues(name, 'rotations', node.rotations, 4, times, seen);
  const { velocities, angularVelocities, scales } = node;
  checkValues(name, 'scales', scales ?? [1, 1, 1], 3, times, seen);
  for (const [what, values] of Object.entries({ velocities, angularVelocities }))
    if (values) checkLength(name, what, values, 3, times);
  if (geometry) {
    if ('kind' in geometry) checkText(name, geometry);
    else checkTriangles(name, geometry);
  }
  for (const [what, value] of Object.entries(material ?? {}))
    if (![value].flat().every((share: number) => share >= 0 && share <= 1))
      throw new RangeError(`The ${what} of ${name} is ${value}, not from 0 to 1.`);
}

function checkArrow({ name, origins, vectors, normals }: AnimatedArrow, times: Float64Array): void {
  for (const [what, values] of Object.entries({ origins, vectors, ...(normals && { normals }) })) {
    checkLength(name, what, values, 3, times);
    for (let i = 0; i < values.length; i++)
      if (Math.abs(values[i]!) === Number.POSITIVE_INFINITY)
        throw new RangeError(`${name}: ${what}${atTime(times, Math.floor(i / 3))} are infinite.`);
  }
}

/** What is visible has values, and rotations are not zero. */
function checkValues(
  name: string,
  what: 'positions' | 'rotations' | 'scales',
  values: ArrayLike<number>,
  size: number,
  times: Float64Array,
  seen: readonly boolean[] | undefined,
): void {
  checkLength(name, what, values, size, times);
  const isSeen = (row: number): boolean =>
    !seen || (seen.length * size === values.length ? seen[row]! : seen.includes(true));
  for (let row = 0; row * size < values.length; row++) {
    const own = Array.from({ length: size }, (_, k) => values[size * row + k]!);
    const isGood = own.every(Number.isFinite) && (what !== 'rotations' || own.some((value) => value !== 0));
    if (!isGood && isSeen(row))
      throw new RangeError(
        `${name} is visible${atTime(times, row)}, but its ${what} there are ${own.join(', ')}.`,
      );
  }
}

function checkLength(
  name: string,
  what: string,
  values: ArrayLike<number>,
  size: number,
  times: Float64Array,
): void {
  if (values.length === size || values.length === size * times.length) return;
  throw new RangeError(
    `${name} has ${values.length} numbers as ${what}: ${size} are needed, or ${size} for each of ${counted(times.length, 'time')}.`,
  );
}

const atTime = (times: Float64Array, row: number): string =>
  row < times.length && times.length > 1 ? ` at time ${times[row]}` : '';

function checkTriangles(name: string, { positions, normals, indices, colors }: Triangles): void {
  const lists = { positions, normals, ...(colors && { colors }) };
  for (const [what, values] of Object.entries(lists)) {
    if (values.length !== positions.length || values.length % 3 !== 0)
      throw new RangeError(
        `The shape of ${name} has ${positions.length} numbers as positions and ${values.length} as ${what}: three are needed for each vertex.`,
      );
    const bad = values.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw new RangeError(`The ${what} of the shape of ${name} contain ${values[bad]}.`);
  }
  if (indices.length === 0 || indices.length % 3 !== 0)
    throw new RangeError(
      `The shape of ${name} has ${indices.length} corners: three are needed for each triangle.`,
    );
  const bad = indices.find((index) => index >= positions.length / 3);
  if (bad !== undefined)
    throw new RangeError(
      `The shape of ${name} has ${positions.length / 3} vertices, but a triangle with vertex ${bad}.`,
    );
}

function checkText(name: string, { height }: TextShape): void {
  if (!(height > 0 && height < Number.POSITIVE_INFINITY))
    throw new RangeError(`The text ${name} has the height ${height}; it has to be positive.`);
}

function checkCamera({ position, target, fieldOfView = 1 }: Camera): void {
  if (![...position, ...target].every(Number.isFinite))
    throw new RangeError('The camera has a position or a target that is no number.');
  if (position.every((value, i) => value === target[i]))
    throw new RangeError('The camera stands where it looks at.');
  if (!(fieldOfView > 0 && fieldOfView < Math.PI))
    throw new RangeError(`The field of view of the camera is ${fieldOfView}, not from 0 to pi.`);
}
