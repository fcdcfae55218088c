/** The animation of a run: shapes of components follow the results. */
import type {
  Picture,
  PicturedArrow,
  PicturedLink,
  PicturedShape,
  PicturedVisual,
} from '../builtin/picture.ts';
import type { Layout } from '../results/plot/layout.ts';
import type { SignalTable } from '../results/table/table.ts';
import type { AnimatedArrow, AnimatedNode, Animation } from './animation.ts';
import { type Link, linkNode } from './links.ts';
import { seenOf } from './visuals.ts';

/** What an animation is made of; `SimulationResult` is such a thing. */
export interface Recorded {
  readonly model: string;
  readonly table: SignalTable;
  readonly pictures: readonly Picture[];
  readonly visuals?: readonly PicturedVisual[];
}

export interface RecordedOptions {
  readonly title?: string | undefined;
  /** What is plotted beside the picture. */
  readonly layout?: Layout | undefined;
}

/** Undefined where there is nothing to see. */
export function animationOf(
  { model, table, pictures, visuals = [] }: Recorded,
  { title = model, layout }: RecordedOptions = {},
): Animation | undefined {
  const [first] = pictures;
  const seen = seenOf(visuals, table);
  const nodes = [
    ...pictures.flatMap(({ shapes, links }) => [
      ...shapes.map((shape) => nodeOf(shape, table)),
      ...links.map((link) => linkNode(linkOf(link, table))),
    ]),
    ...seen.nodes,
  ];
  if (!first && nodes.length === 0) return undefined;
  const up = first?.up ?? seen.up;
  return {
    title,
    times: table.independents[0]!.values,
    nodes,
    arrows: [
      ...pictures.flatMap(({ arrows }) => arrows.map((arrow) => arrowOf(arrow, table))),
      ...seen.arrows,
    ],
    // What is there to be seen is shown, what follows from other things on request.
    showsArrows: seen.arrows.length > 0,
    notes: seen.notes,
    ...(up && { up }),
    ground: seen.ground || pictures.some(({ ground }) => ground),
    ...(first?.camera && { camera: first.camera }),
    results: table.visible(),
    ...(layout && { layout }),
  };
}

function nodeOf(shape: PicturedShape, table: SignalTable): AnimatedNode {
  const { name, geometry, color, opacity } = shape;
  const positions = columns(table, shape.position);
  const angles = columns(table, shape.angles);
  const rows = positions.length / 3;
  const rotations = new Float64Array(4 * rows);
  const visible = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    quaternion(angles.subarray(3 * row, 3 * row + 3), rotations, 4 * row);
    visible[row] = Number.isFinite(positions[3 * row]!) ? 1 : 0;
  }
  return {
    name,
    ...(geometry && { geometry }),
    material: { color, opacity },
    positions,
    rotations,
    velocities: columns(table, shape.velocity),
    angularVelocities: columns(table, shape.angularVelocity),
    ...(visible.includes(0) && { visible }),
  };
}

function linkOf({ name, from, to, rest }: PicturedLink, table: SignalTable): Link {
  const known = table.has(rest) ? table.get(rest)[0] : undefined;
  return { name, from: places(table, from), to: places(table, to), rest: known };
}

function arrowOf({ name, kind, position, normal, vector }: PicturedArrow, table: SignalTable): AnimatedArrow {
  const origins = columns(table, position);
  if ('towards' in vector) {
    const ends = places(table, vector.towards);
    const vectors = ends.map((end, i) => end - origins[i]!);
    const sizes = table.get(vector.signal);
    for (let row = 0; row < sizes.length; row++) {
      const length = Math.hypot(vectors[3 * row]!, vectors[3 * row + 1]!, vectors[3 * row + 2]!);
      for (let i = 3 * row; i < 3 * row + 3; i++) vectors[i] = (vectors[i]! * sizes[row]!) / length;
    }
    return { name, kind, origins, vectors };
  }
  const vectors = columns(table, vector.signal);
  if (vector.along !== undefined) turn(vectors, columns(table, vector.along));
  return { name, kind, origins, vectors, ...(normal && { normals: columns(table, normal) }) };
}

/** Vectors along the axes of a frame, along those of the world, in place. */
function turn(vectors: Float64Array, angles: Float64Array): void {
  const q = new Float64Array(4);
  for (let i = 0; i < vectors.length; i += 3) {
    quaternion(angles.subarray(i, i + 3), q, 0);
    const [w, x, y, z] = q as unknown as [number, number, number, number];
    const [a, b, c] = vectors.subarray(i, i + 3) as unknown as [number, number, number];
    // v + 2 w (u x v) + 2 u x (u x v)
    const [d, e, f] = [y * c - z * b, z * a - x * c, x * b - y * a];
    vectors[i] = a + 2 * (w * d + y * f - z * e);
    vectors[i + 1] = b + 2 * (w * e + z * d - x * f);
    vectors[i + 2] = c + 2 * (w * f + x * e - y * d);
  }
}

/** Where something is by time; what has no signal is at the origin. */
const places = (table: SignalTable, signal: string | undefined): Float64Array =>
  signal === undefined ? new Float64Array(3 * table.rowCount) : columns(table, signal);

/** The three elements of a signal, row by row; NaN where there is none, as of an object that is away all the time. */
function columns(table: SignalTable, name: string): Float64Array {
  const values = new Float64Array(3 * table.rowCount).fill(Number.NaN);
  for (let i = 0; i < 3; i++) {
    const element = `${name}[${i + 1}]`;
    if (!table.has(element)) continue;
    for (const [row, value] of table.get(element).entries()) values[3 * row + i] = value;
  }
  return values;
}

/** Turns about x, then the new y, then the new z. */
function quaternion(angles: Float64Array, into: Float64Array, at: number): void {
  const [a, b, c] = [angles[0]! / 2, angles[1]! / 2, angles[2]! / 2];
  const [ca, sa, cb, sb, cc, sc] = [
    Math.cos(a),
    Math.sin(a),
    Math.cos(b),
    Math.sin(b),
    Math.cos(c),
    Math.sin(c),
  ];
  into[at] = ca * cb * cc - sa * sb * sc;
  into[at + 1] = sa * cb * cc + ca * sb * sc;
  into[at + 2] = ca * sb * cc - sa * cb * sc;
  into[at + 3] = ca * cb * sc + sa * sb * cc;
}
