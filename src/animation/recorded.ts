/** The animation of a run: shapes of built-in components follow the results. */
import type { Picture, PicturedShape } from '../builtin/picture.ts';
import type { Layout } from '../results/plot/layout.ts';
import type { SignalTable } from '../results/table/table.ts';
import type { AnimatedNode, Animation } from './animation.ts';

/** What an animation is made of; `SimulationResult` is such a thing. */
export interface Recorded {
  readonly model: string;
  readonly table: SignalTable;
  readonly pictures: readonly Picture[];
}

export interface RecordedOptions {
  readonly title?: string | undefined;
  /** What is plotted beside the picture. */
  readonly layout?: Layout | undefined;
}

/** Undefined where there is nothing to see. */
export function animationOf(
  { model, table, pictures }: Recorded,
  { title = model, layout }: RecordedOptions = {},
): Animation | undefined {
  const [first] = pictures;
  if (!first) return undefined;
  return {
    title,
    times: table.independents[0]!.values,
    nodes: pictures.flatMap(({ shapes }) => shapes.map((shape) => nodeOf(shape, table))),
    up: first.up,
    ...(first.camera && { camera: first.camera }),
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
    ...(visible.includes(0) && { visible }),
  };
}

/** The three elements of a signal, row by row. */
function columns(table: SignalTable, name: string): Float64Array {
  const values = new Float64Array(3 * table.rowCount);
  for (let i = 0; i < 3; i++)
    for (const [row, value] of table.get(`${name}[${i + 1}]`).entries()) values[3 * row + i] = value;
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
