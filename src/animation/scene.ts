/**
 * An animation as its writers take it: checked, shapes that are equal shared, values by time as tracks, and what has to be known of all of it (how
 * large it is, which way is up). Pictures have y upward, as glTF has it: a rotation takes the coordinates of the world to these.
 */
import {
  type AnimatedArrow,
  type AnimatedNode,
  type Animation,
  type ArrowKind,
  type Camera,
  checkAnimation,
  type Material,
  type Note,
  type TextShape,
  type Triangles,
  type Triple,
} from './animation.ts';
import { trianglesOfText } from './letters.ts';
import { Pool } from './pool.ts';
import { type Grid, gridOf, type Placed, placed } from './spin.ts';
import {
  isConstant,
  onRows,
  steppingAt,
  steppingTrack,
  straightAt,
  straightTrack,
  type Track,
  turningAt,
  turningTrack,
} from './track.ts';
import { type Quaternion, rotated, turnTo, unit } from './turning.ts';
import { Box, cornersOfBox, type Extent, type Trace, viewOf } from './view.ts';

export interface Scene {
  readonly title: string;
  readonly times: Float64Array;
  readonly shapes: readonly Triangles[];
  readonly nodes: readonly SceneNode[];
  readonly arrows: readonly SceneArrow[];
  readonly showsArrows: boolean;
  /** From the world to the picture. */
  readonly upright: Quaternion;
  /** Of all that is visible at any time, in the picture, and of what is in view at the start where there is no camera. */
  readonly extent: Extent;
  readonly home: Extent;
  /** In the picture. */
  readonly camera: Camera | undefined;
  /** What a page keeps in view: from near by, or as it is placed in what is in view at the start. */
  readonly follow: { readonly node: number; readonly isNear: boolean } | undefined;
  readonly ground: boolean;
  /** The largest angular velocity, in rad/s, as far as it is known. */
  readonly fastest: number;
  readonly notes: readonly Note[];
}

export interface SceneNode {
  readonly name: string;
  /** Undefined for a frame. */
  readonly shape: number | undefined;
  /** Whether it is turned to the reader. */
  readonly facing: boolean;
  readonly material: Required<Material>;
  readonly position: Track;
  readonly rotation: Track;
  /** Along its own axes. */
  readonly scale: Track;
  readonly visible: Track;
}

export interface SceneArrow {
  readonly name: string;
  readonly kind: ArrowKind;
  readonly color?: Triple;
  readonly ends?: boolean;
  readonly origin: Track;
  readonly vector: Track;
  /** Of the surfaces between which it acts. */
  readonly normal?: Track;
  readonly visible: Track;
}

/** Of positions, in metres and as a share of the whole, and of rotations in radians. */
const TOLERANCE = 1e-6;
/** Of normals, in radians. */
const NORMAL = 1e-3;

/** The scene of an animation, made once. */
export function sceneOf(animation: Animation): Scene {
  let scene = scenes.get(animation);
  if (!scene) scenes.set(animation, (scene = sceneIn(animation)));
  return scene;
}

/** What an animation does not show as it happened. */
export const animationNotes = (animation: Animation): readonly Note[] => sceneOf(animation).notes;

const scenes = new WeakMap<Animation, Scene>();

function sceneIn(animation: Animation): Scene {
  checkAnimation(animation);
  const { title, nodes, up = [0, 1, 0], camera, follow, arrows = [], ground = true } = animation;
  // What is constant has one value for all times; a still picture has one time.
  const given = animation.times.length > 0 ? animation.times : Float64Array.of(0);
  const size = rawSize(nodes);
  const { grid, fast } = gridOf(given, nodes, size);
  const { times } = grid;
  const shapes = new Shapes();
  const upright = turnTo(up, [0, 1, 0]);
  const tolerance = TOLERANCE * Math.min(1, size);
  const sceneNodes = nodes.map((node, n) => {
    const own = fast[n] ? placed(node, given, grid) : { ...node, rows: grid.rows };
    return sceneNode(node, own, given, grid, shapes, tolerance);
  });
  const view = viewOf(tracesOf(times, sceneNodes, shapes.items, upright));
  const wanted = nodes.findIndex(({ name }) => name === follow);
  const gone = camera ? undefined : view.follow;
  return {
    title,
    times,
    shapes: shapes.items,
    nodes: sceneNodes,
    arrows: arrows.map((arrow) => sceneArrow(arrow, given, grid, tolerance)),
    showsArrows: animation.showsArrows ?? false,
    upright,
    extent: view.extent,
    home: view.home,
    camera: camera && {
      ...camera,
      position: rotated(upright, camera.position),
      target: rotated(upright, camera.target),
    },
    follow:
      wanted >= 0
        ? { node: wanted, isNear: true }
        : gone === undefined
          ? undefined
          : { node: gone, isNear: false },
    ground,
    fastest: fastestOf(nodes),
    notes: [
      ...(sceneNodes.some(({ shape }) => shape !== undefined) ? [] : [NO_SHAPES]),
      ...(animation.notes ?? []),
      ...grid.notes,
    ],
  };
}

function fastestOf(nodes: readonly AnimatedNode[]): number {
  let fastest = 0;
  for (const { geometry, angularVelocities: own = [] } of nodes)
    for (let i = 0; geometry && i < own.length; i += 3)
      fastest = Math.max(fastest, Math.hypot(own[i]!, own[i + 1]!, own[i + 2]!) || 0);
  return fastest;
}

const NO_SHAPES: Note = {
  text: 'No object has a shape: nothing but frames can be seen.',
  hint: 'Add shapes, for instance `Box` or `Cylinder` of `Mutabor.Bodies`.',
};

/** Where a node is at a time, how it is stretched, and whether it is seen. */
export const poseAt = (times: Float64Array, node: SceneNode, time: number) => ({
  position: straightAt(times, node.position, time),
  rotation: turningAt(times, node.rotation, time),
  scale: straightAt(times, node.scale, time),
  visible: steppingAt(times, node.visible, time),
});

function sceneNode(
  node: AnimatedNode,
  { rows, positions, rotations }: Placed,
  given: Float64Array,
  grid: Grid,
  shapes: Shapes,
  tolerance: number,
): SceneNode {
  const { name, geometry, material, scales, visible = [1] } = node;
  const isText = geometry !== undefined && 'kind' in geometry;
  const times = Float64Array.from(rows, (row) => grid.times[row]!);
  const seen = visible.length === 1 ? visible : seenAt(visible, rows, grid.rows);
  return {
    name,
    shape: geometry && shapes.add(geometry),
    facing: isText && geometry.facing === true,
    material: { color: [0.62, 0.66, 0.7], opacity: 1, metallic: 0, roughness: 0.5, ...material },
    position: onRows(rows, straightTrack(times, held(positions, 3, seen), tolerance)),
    rotation: onRows(rows, turningTrack(times, held(rotations, 4, seen), TOLERANCE)),
    scale: onRows(grid.rows, straightTrack(given, scales ? held(scales, 3, visible) : [1, 1, 1], TOLERANCE)),
    visible: onRows(rows, steppingTrack(seen)),
  };
}

/** Whether something is visible, at rows between the given ones too. */
function seenAt(visible: ArrayLike<number>, rows: Uint32Array, given: Uint32Array): Uint8Array {
  let last = 0;
  return Uint8Array.from(rows, (row) => {
    while (last + 1 < given.length && given[last + 1]! <= row) last++;
    return visible[last]! === 0 ? 0 : 1;
  });
}

/** An arrow is there where it has values. */
function sceneArrow(
  { name, kind, color, ends, ...arrow }: AnimatedArrow,
  times: Float64Array,
  { rows }: Grid,
  tolerance: number,
): SceneArrow {
  const lists = [arrow.origins, arrow.vectors, ...(arrow.normals ? [arrow.normals] : [])];
  const count = Math.max(...lists.map(({ length }) => length)) / 3;
  const value = (values: ArrayLike<number>, row: number, k: number) =>
    values[values.length === 3 ? k : 3 * row + k]!;
  const visible = Uint8Array.from({ length: count }, (_, row) =>
    lists.every((list) => [0, 1, 2].every((k) => Number.isFinite(value(list, row, k)))) ? 1 : 0,
  );
  let largest = 0;
  for (let i = 0; i < arrow.vectors.length; i++)
    largest = Math.max(largest, Math.abs(arrow.vectors[i]!) || 0);
  return {
    ...{ name, kind, ...(color && { color }), ...(ends && { ends }) },
    origin: onRows(rows, straightTrack(times, held(arrow.origins, 3, visible), tolerance)),
    vector: onRows(rows, straightTrack(times, held(arrow.vectors, 3, visible), TOLERANCE * (largest || 1))),
    ...(arrow.normals && {
      normal: onRows(rows, straightTrack(times, held(arrow.normals, 3, visible), NORMAL)),
    }),
    visible: onRows(rows, steppingTrack(visible)),
  };
}

/** What nobody sees stays where it was last seen, or where it is seen first: it need not have values. */
function held(values: ArrayLike<number>, size: number, visible: ArrayLike<number>): ArrayLike<number> {
  const count = values.length / size;
  const isEver = Array.from(visible).some((value) => value !== 0);
  const isSeen = (row: number): boolean => (visible.length === count ? visible[row] !== 0 : isEver);
  const filled = Float64Array.from(values);
  let last = 0;
  while (last < count && !isSeen(last)) last++;
  // Never seen at all: at the origin, not turned.
  if (last === count) return Float64Array.from({ length: size }, (_, k) => (size === 4 && k === 0 ? 1 : 0));
  for (let row = 0; row < count; row++) {
    if (isSeen(row)) last = row;
    else filled.copyWithin(row * size, last * size, (last + 1) * size);
  }
  return filled;
}

/** Shapes with unit normals, each once. */
class Shapes {
  readonly items: Triangles[] = [];
  private readonly known = new Map<object, number | undefined>();
  private readonly numbers = new Map<string, number>();
  private readonly floats = new Pool<Float32Array>();
  private readonly integers = new Pool<Uint32Array>();

  /** Undefined for a text without letters. */
  add(geometry: Triangles | TextShape): number | undefined {
    if (this.known.has(geometry)) return this.known.get(geometry);
    const number = this.numberOf('kind' in geometry ? trianglesOfText(geometry) : geometry);
    this.known.set(geometry, number);
    return number;
  }

  private numberOf({ positions, normals, indices, colors }: Triangles): number | undefined {
    if (indices.length === 0) return undefined;
    const own = unitNormals(normals);
    const lists = [positions, own, ...(colors ? [colors] : [])].map((list) => this.floats.add(list));
    const key = `${lists} ${this.integers.add(indices)}`;
    let number = this.numbers.get(key);
    if (number !== undefined) return number;
    number = this.items.push({ positions, normals: own, indices, ...(colors && { colors }) }) - 1;
    this.numbers.set(key, number);
    return number;
  }
}

function unitNormals(normals: Float32Array): Float32Array {
  const own = new Float32Array(normals.length);
  for (let i = 0; i < normals.length; i += 3) {
    const normal = [normals[i]!, normals[i + 1]!, normals[i + 2]!];
    own.set(normal.some((value) => value !== 0) ? unit(normal) : [0, 0, 1], i);
  }
  return own;
}

/** The distance over which positions and shapes spread; only its order of magnitude matters. */
function rawSize(nodes: readonly AnimatedNode[]): number {
  let [low, high, shape] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const { positions, geometry } of nodes) {
    for (let i = 0; i < positions.length; i++) {
      const value = positions[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (!geometry) continue;
    if ('kind' in geometry) shape = Math.max(shape, geometry.height);
    else for (const value of geometry.positions) shape = Math.max(shape, Math.abs(value));
  }
  return Math.max(high - low, shape) || 1;
}

/** Times at which it is looked where objects are. */
const SAMPLES = 400;

/** Where objects are in the picture, by time: boxes about the corners of the boxes about their shapes. */
function tracesOf(
  times: Float64Array,
  nodes: readonly SceneNode[],
  shapes: readonly Triangles[],
  upright: Quaternion,
): Trace[] {
  const corners = shapes.map(({ positions }) => cornersOf(positions));
  const [start, end] = [times[0]!, times.at(-1)!];
  const count = end > start ? SAMPLES : 0;
  const sampled = Array.from({ length: count + 1 }, (_, i) => start + ((end - start) * i) / (count || 1));
  return nodes.map((node) => {
    const at = (time: number): Extent | undefined => {
      const { position, rotation, scale, visible } = poseAt(times, node, time);
      if (!visible) return undefined;
      const box = new Box();
      for (const [a, b, c] of node.shape === undefined ? [ORIGIN] : corners[node.shape]!) {
        const [x, y, z] = rotated(rotation, [a * scale[0], b * scale[1], c * scale[2]]);
        box.add(rotated(upright, [x + position[0], y + position[1], z + position[2]]));
      }
      return box.extent;
    };
    const isStill = [node.position, node.rotation, node.scale, node.visible].every(isConstant);
    return isStill ? [at(start)] : sampled.map(at);
  });
}

const ORIGIN: Triple = [0, 0, 0];

function cornersOf(positions: Float32Array): Triple[] {
  const box = new Box();
  for (let i = 0; i < positions.length; i += 3) box.add(positions.subarray(i, i + 3));
  return cornersOfBox(box.extent!);
}
