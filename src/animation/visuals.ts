/**
 * Components that say by their variables what they look like, as `ModelicaServices.Animation` has it: shapes and arrows whose places, sizes and colours may all change by time.
 * A shape is at `r + R' r_shape`; its own axes are `lengthDirection`, `widthDirection` as far as that is perpendicular to it, and what is perpendicular to both.
 */
import type { PicturedVisual } from '../builtin/picture.ts';
import type { SignalTable } from '../results/table/table.ts';
import type { AnimatedArrow, AnimatedNode, ArrowKind, Note, Triangles, Triple } from './animation.ts';
import { isFile, type Solid, solidOf } from './solids.ts';
import { type Form, formsOf } from './surfaces.ts';
import { type Quaternion, unit } from './turning.ts';

/** What is seen of the visuals of a run. */
export interface Seen {
  readonly nodes: readonly AnimatedNode[];
  readonly arrows: readonly AnimatedArrow[];
  readonly notes: readonly Note[];
  /** Up, where a world says it, and whether there is a ground. */
  readonly up: Triple | undefined;
  readonly ground: boolean;
}

export function seenOf(visuals: readonly PicturedVisual[], table: SignalTable): Seen {
  const nodes: AnimatedNode[] = [];
  const arrows: AnimatedArrow[] = [];
  const notes: Note[] = [];
  let up: Triple | undefined;
  for (const visual of visuals) {
    const signals = new Signals(table, visual.name);
    if (visual.kind === 'shape') nodes.push(...shapeNodes(visual, signals, notes));
    else if (visual.kind === 'vector') vector(visual.name, signals, nodes, arrows);
    else if (visual.kind === 'surface') nodes.push(...surfaceNodes(visual, signals, notes));
    else up ??= upOf(signals);
  }
  return { nodes, arrows, notes, up, ground: up !== undefined };
}

/** Signals of a component by their names in it; what it does not have is as it is declared in `ModelicaServices`. */
class Signals {
  readonly rows: number;

  constructor(
    private readonly table: SignalTable,
    private readonly name: string,
  ) {
    this.rows = table.rowCount;
  }

  private column(field: string): Float64Array | undefined {
    const name = this.name === '' ? field : `${this.name}.${field}`;
    return this.table.has(name) ? this.table.get(name) : undefined;
  }

  scalar(field: string, otherwise: number): (row: number) => number {
    const values = this.column(field);
    return values ? (row) => values[row]! : () => otherwise;
  }

  vector(field: string, otherwise: Triple): (row: number) => Triple {
    const [x, y, z] = [1, 2, 3].map((k) => this.scalar(`${field}[${k}]`, otherwise[k - 1]!));
    return (row) => [x!(row), y!(row), z!(row)];
  }

  /** The axes of the component in the world: the rows of `R.T`, which takes vectors of the world to it. */
  axes(): (row: number) => Matrix {
    const axis = (k: number): ((row: number) => Triple) => {
      const parts = [1, 2, 3].map((i) => this.scalar(`R.T[${k},${i}]`, i === k ? 1 : 0));
      return (row) => [parts[0]!(row), parts[1]!(row), parts[2]!(row)];
    };
    const [x, y, z] = [axis(1), axis(2), axis(3)];
    return (row) => [x(row), y(row), z(row)];
  }

  /** Its angular velocity along the axes of the world, where it is known. */
  turning(): ((row: number) => Triple) | undefined {
    if (!this.column('R.w[1]')) return undefined;
    const [own, axes] = [this.vector('R.w', [0, 0, 0]), this.axes()];
    return (row) => sum(axes(row), own(row));
  }

  /** Whether some of these stay what they are. */
  isStill(fields: readonly string[]): boolean {
    return fields.every((field) => {
      const values = this.column(field);
      return !values || values.every((value) => value === values[0]);
    });
  }
}

type Matrix = readonly [x: Triple, y: Triple, z: Triple];
const IDENTITY: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** What has these coordinates along the axes. */
const sum = ([x, y, z]: Matrix, [a, b, c]: Triple): Triple => [
  a * x[0] + b * y[0] + c * z[0],
  a * x[1] + b * y[1] + c * z[1],
  a * x[2] + b * y[2] + c * z[2],
];

function shapeNodes(
  visual: Extract<PicturedVisual, { kind: 'shape' }>,
  signals: Signals,
  notes: Note[],
): AnimatedNode[] {
  const { rows } = signals;
  const sizes = [
    signals.scalar('length', 0),
    signals.scalar('width', 0),
    signals.scalar('height', 0),
  ] as const;
  const extra = signals.scalar('extra', 0);
  const [axes, origin, shift] = [
    signals.axes(),
    signals.vector('r', [0, 0, 0]),
    signals.vector('r_shape', [0, 0, 0]),
  ];
  const along = signals.vector('lengthDirection', [1, 0, 0]);
  const across = signals.vector('widthDirection', [0, 1, 0]);
  const [positions, rotations, scales] = [3, 4, 3].map((size) => new Float64Array(size * rows)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const visible = new Uint8Array(rows);
  const isGiven = isFile(visual.shapeType);
  const sized = (row: number): Triple => [sizes[0](row), sizes[1](row), sizes[2](row)];
  const isSeen = (row: number): boolean => {
    const largest = Math.max(...sized(row).map(Math.abs));
    return Number.isFinite(origin(row)[0]) && ((isGiven && extra(row) !== 1) || largest > 0);
  };
  let first = 0;
  while (first < rows && !isSeen(first)) first++;
  if (first === rows) return [];
  const solid = solidFor(visual, sized(first), extra(first), notes);
  if (!solid) return [];
  for (let row = 0; row < rows; row++) {
    if (!isSeen(row)) continue;
    visible[row] = 1;
    const own = axes(row);
    const place = sum(own, shift(row));
    const [x, y, z] = origin(row);
    positions.set([x + place[0], y + place[1], z + place[2]], 3 * row);
    const local = localAxes(along(row), across(row));
    rotations.set(quaternionOf([sum(own, local[0]), sum(own, local[1]), sum(own, local[2])]), 4 * row);
    scales.set(stretched(sized(row), solid.size, isGiven && extra(row) !== 1), 3 * row);
  }
  const directions = ['lengthDirection', 'widthDirection'].flatMap((name) =>
    [1, 2, 3].map((k) => `${name}[${k}]`),
  );
  const turning = signals.isStill(directions) ? signals.turning() : undefined;
  const node: AnimatedNode = {
    name: visual.name,
    geometry: solid.geometry,
    positions,
    rotations,
    scales,
    ...(turning && { angularVelocities: flat(rows, turning) }),
    ...(visible.includes(0) && { visible }),
  };
  return coloured(node, visible, signals);
}

const flat = (rows: number, of: (row: number) => Triple): Float64Array => {
  const values = new Float64Array(3 * rows);
  for (let row = 0; row < rows; row++) values.set(of(row), 3 * row);
  return values;
};

function solidFor(
  { name, shapeType, read }: Extract<PicturedVisual, { kind: 'shape' }>,
  size: Triple,
  extra: number,
  notes: Note[],
): Solid | undefined {
  try {
    const solid = solidOf({ type: shapeType, size, extra, read });
    if (!solid) notes.push(unknownType(name, shapeType));
    return solid;
  } catch (problem) {
    notes.push(unreadable(name, problem instanceof Error ? problem.message : String(problem)));
    return undefined;
  }
}

/** How long it is along its axes beside its solid. What has no thickness keeps a trace of one: glTF knows no shapes without a volume. */
function stretched(size: Triple, own: Triple, isGiven: boolean): Triple {
  if (isGiven) return [1, 1, 1];
  const least = 1e-6 * Math.max(...size.map(Math.abs));
  return size.map((value, k) => (Math.abs(value) < least ? least : value) / own[k]!) as unknown as Triple;
}

/** The axes of a shape in its component. Directions that are none, or are parallel, are replaced as `Frames.TransformationMatrices.from_nxy` does. */
function localAxes(along: Triple, across: Triple): Matrix {
  const x = Math.hypot(...along) < 1e-10 ? IDENTITY[0] : unit(along);
  const isParallel = Math.hypot(...cross(x, across)) ** 2 <= 1e-6;
  const other = isParallel ? (Math.abs(x[0]) > 1e-6 ? IDENTITY[1] : IDENTITY[0]) : across;
  const z = unit(cross(x, other));
  return [x, cross(z, x), z];
}

const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The rotation that takes x, y and z to these axes (Shepperd's choice of the largest component). */
function quaternionOf([x, y, z]: Matrix): Quaternion {
  const trace = x[0] + y[1] + z[2];
  const parts = [trace, x[0], y[1], z[2]];
  const most = parts.indexOf(Math.max(...parts));
  const q: Quaternion =
    most === 0
      ? [1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]]
      : most === 1
        ? [y[2] - z[1], 1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2]]
        : most === 2
          ? [z[0] - x[2], x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1]]
          : [x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 - x[0] - y[1] + z[2]];
  return unit(q);
}

/** Steps of a colour that changes: red, green and blue each have so many. */
const SHADES = 8;

/** The node in its colour; one for each colour that it has in turn. */
function coloured(node: AnimatedNode, visible: Uint8Array, signals: Signals): AnimatedNode[] {
  const color = signals.vector('color', [255, 0, 0]);
  const shine = signals.scalar('specularCoefficient', 0.7);
  const exact = (row: number): Triple =>
    color(row).map((value) => Math.min(1, Math.max(0, value / 255)) || 0) as unknown as Triple;
  const first = visible.indexOf(1);
  const material = (own: Triple) => ({
    color: own,
    roughness: 1 - 0.7 * Math.min(1, Math.max(0, shine(first))),
  });
  if (signals.isStill([1, 2, 3].map((k) => `color[${k}]`)))
    return [{ ...node, material: material(exact(first)) }];
  const byColor = new Map<string, { own: Triple; visible: Uint8Array }>();
  for (let row = 0; row < visible.length; row++) {
    if (visible[row] === 0) continue;
    const own = exact(row).map((value) => Math.round(value * SHADES) / SHADES) as unknown as Triple;
    const key = own.join(' ');
    if (!byColor.has(key)) byColor.set(key, { own, visible: new Uint8Array(visible.length) });
    byColor.get(key)!.visible[row] = 1;
  }
  return [...byColor.values()].map(({ own, visible: when }) => ({
    ...node,
    material: material(own),
    visible: when,
  }));
}

function surfaceNodes(
  { name, points }: Extract<PicturedVisual, { kind: 'surface' }>,
  signals: Signals,
  notes: Note[],
): AnimatedNode[] {
  const { rows } = signals;
  if (rows === 0) return [];
  const [nu, nv] = [signals.scalar('nu', 2)(0), signals.scalar('nv', 2)(0)];
  let forms: Form[];
  try {
    if (typeof points === 'string') throw new Error(points);
    forms = formsOf(points, nu, nv, rows);
  } catch (problem) {
    notes.push(unseenSurface(name, problem instanceof Error ? problem.message : String(problem)));
    return [];
  }
  const [axes, origin] = [signals.axes(), signals.vector('r_0', [0, 0, 0])];
  const positions = flat(rows, origin);
  const rotations = new Float64Array(4 * rows);
  const opacity = 1 - Math.min(1, Math.max(0, signals.scalar('transparency', 0)(0)));
  const turning = signals.turning();
  for (let row = 0; row < rows; row++) rotations.set(quaternionOf(axes(row)), 4 * row);
  return forms.flatMap(({ geometry, from, to }) => {
    const visible = Uint8Array.from({ length: rows }, (_, row) =>
      row >= from && row < to && Number.isFinite(positions[3 * row]!) ? 1 : 0,
    );
    if (!visible.includes(1) || !geometry.positions.every(Number.isFinite)) return [];
    const node = {
      ...{ name, geometry, positions, rotations },
      ...(turning && { angularVelocities: flat(rows, turning) }),
      ...(visible.includes(0) && { visible }),
    };
    return coloured(node, visible, signals).map((own) => ({
      ...own,
      material: { ...own.material!, opacity },
    }));
  });
}

/** By number of the quantity, as `Types.VectorQuantity` lists them; the last one is a length. */
const quantities = [
  'force',
  'torque',
  'velocity',
  'acceleration',
  'angularVelocity',
  'angularAcceleration',
] as const satisfies readonly ArrowKind[];

function vector(name: string, signals: Signals, nodes: AnimatedNode[], arrows: AnimatedArrow[]): void {
  const { rows } = signals;
  const [axes, origin, own] = [
    signals.axes(),
    signals.vector('r', [0, 0, 0]),
    signals.vector('coordinates', [0, 0, 0]),
  ];
  const origins = flat(rows, origin);
  const vectors = flat(rows, (row) => sum(axes(row), own(row)));
  const kind = quantities[signals.scalar('quantity', 1)(0) - 1];
  const ends = signals.scalar('headAtOrigin', 0);
  if (kind) {
    const color = signals
      .vector(
        'color',
        [0, 0, 255],
      )(0)
      .map((value) => value / 255) as unknown as Triple;
    arrows.push({ name, kind, origins, vectors, color, ...(rows > 0 && ends(0) !== 0 && { ends: true }) });
  } else nodes.push(...distance(name, origins, vectors, ends, signals));
}

/** An arrow whose length is one in space. */
function distance(
  name: string,
  origins: Float64Array,
  vectors: Float64Array,
  ends: (row: number) => number,
  signals: Signals,
): AnimatedNode[] {
  const { rows } = signals;
  const lengths = Float64Array.from({ length: rows }, (_, row) =>
    Math.hypot(...vectors.subarray(3 * row, 3 * row + 3)),
  );
  const visible = Uint8Array.from(lengths, (length) => (length > 0 && Number.isFinite(length) ? 1 : 0));
  if (!visible.includes(1)) return [];
  const positions = origins.map((value, k) => (ends(Math.floor(k / 3)) !== 0 ? value - vectors[k]! : value));
  const rotations = new Float64Array(4 * rows);
  for (let row = 0; row < rows; row++) {
    const [x, y, z] = vectors.subarray(3 * row, 3 * row + 3);
    rotations.set(visible[row] ? quaternionOf(localAxes([x!, y!, z!], [0, 1, 0])) : [1, 0, 0, 0], 4 * row);
  }
  const scales = Float64Array.from({ length: 3 * rows }, (_, k) => lengths[Math.floor(k / 3)]! || 1);
  return coloured(
    { name, geometry: ARROW, positions, rotations, scales, ...(visible.includes(0) && { visible }) },
    visible,
    signals,
  );
}

/** A rod and a cone along x, from 0 to 1. */
const ARROW: Triangles = (() => {
  const none = (): Uint8Array => new Uint8Array();
  const part = (type: string, from: number, to: number, width: number): Triangles => {
    const { geometry } = solidOf({ type, size: [1, 1, 1], extra: 0, read: none })!;
    const positions = geometry.positions.map((value, k) =>
      k % 3 === 0 ? from + (to - from) * value : width * value,
    );
    return { ...geometry, positions };
  };
  const [rod, head] = [part('cylinder', 0, 0.85, 0.03), part('cone', 0.85, 1, 0.09)];
  const join = (a: Float32Array, b: Float32Array): Float32Array => Float32Array.from([...a, ...b]);
  return {
    positions: join(rod.positions, head.positions),
    normals: join(rod.normals, head.normals),
    indices: Uint32Array.from([
      ...rod.indices,
      ...head.indices.map((index) => index + rod.positions.length / 3),
    ]),
  };
})();

/** `gravityType` 2 is uniform gravity, along `n`. */
function upOf(signals: Signals): Triple | undefined {
  if (signals.rows === 0 || signals.scalar('gravityType', 2)(0) !== 2) return undefined;
  const n = signals.vector('n', [0, -1, 0])(0);
  const up = n.map((value) => 0 - value) as unknown as Triple;
  return Math.hypot(...up) > 0 && up.every(Number.isFinite) ? up : undefined;
}

const unknownType = (name: string, type: string): Note => ({
  text: `${name} is not shown: its \`shapeType\` "${type}" is not known.`,
  hint: 'Shapes are box, sphere, cylinder, pipecylinder, cone, pipe, beam, gearwheel, spring, and files of type .dxf, .obj and .stl.',
});

const unreadable = (name: string, why: string): Note => ({
  text: `${name} is not shown: ${why.replace(/[.]?$/, '.')}`,
  hint: 'Files are named as `modelica://Library/Resources/part.dxf`, and lie below the folder of a library or below the working folder.',
});

const unseenSurface = (name: string, why: string): Note => ({
  text: `The surface ${name} is not shown: ${why.replace(/[.]?$/, '.')}`,
  hint: 'Surfaces are shown that are no elements of arrays, and whose function can be called here.',
});
