/**
 * Animations as glTF 2.0 in one binary file (Khronos, The glTF 2.0 Specification), which every viewer opens. Objects are nodes below one node, `world`, that
 * turns what is up to y. Positions and rotations are linear between their keys. An object disappears by a scale of zero: all viewers know
 * that one. What is stretched has its shape in a node of its own below. Times begin at zero and increase strictly, so the value before a jump stands at the number just below its time.
 *
 *     header      magic, version, length
 *     JSON        nodes, meshes, materials, accessors, animation; padded with spaces
 *     BIN         all numbers; lists begin at multiples of four
 */
import { remember } from '../collections/memo.ts';
import type { Animation, Triangles, Triple } from './animation.ts';
import { linear } from './color.ts';
import { framed } from './framing.ts';
import { bytesOf, Pool } from './pool.ts';
import { type Scene, type SceneNode, sceneOf } from './scene.ts';
import { isConstant, quaternionAt, type Track } from './track.ts';
import { type Quaternion, unit } from './turning.ts';

/** An animation as a file of glTF; forces and plots are left out. */
export function animationGlb(animation: Animation): Uint8Array {
  const scene = sceneOf(animation);
  const numbers = new Numbers();
  const { materials, meshes, meshOf } = meshesOf(scene, numbers);
  const first = 2;
  const stretched = scene.nodes.filter(isStretched);
  const shapes = stretched.map((node) => ({
    name: `${node.name} shape`,
    scale: [...node.scale.values.subarray(0, 3)],
    mesh: meshOf(node),
  }));
  const shapeOf = (node: SceneNode) => first + scene.nodes.length + stretched.indexOf(node);
  const nodes = scene.nodes.map((node) => ({
    name: node.name,
    translation: [...node.position.values.subarray(0, 3)],
    rotation: xyzw(quaternionAt(node.rotation.values, 0)),
    ...(node.visible.values[0] === 0 && { scale: [0, 0, 0] }),
    ...(isStretched(node)
      ? { children: [shapeOf(node)] }
      : node.shape !== undefined && { mesh: meshOf(node) }),
  }));
  const world = { name: 'world', rotation: xyzw(scene.upright), children: nodes.map((_, i) => first + i) };
  const { fieldOfView, position, target } = framed(scene, 16 / 9);
  const camera = { name: 'camera', camera: 0, translation: position, rotation: looking(position, target) };
  const animated = channelsOf(scene, first, shapeOf, numbers);
  const [start, end] = [scene.times[0]!, scene.times.at(-1)!];
  return binary(
    {
      asset: { version: '2.0', generator: 'Mutabor', extras: { title: scene.title, start, end } },
      scene: 0,
      scenes: [{ name: scene.title, nodes: [0, 1] }],
      nodes: [world, camera, ...nodes, ...shapes],
      cameras: [{ type: 'perspective', perspective: { yfov: fieldOfView, znear: nearOf(position, target) } }],
      ...(meshes.length > 0 && { materials, meshes }),
      ...(animated.channels.length > 0 && { animations: [{ name: scene.title, ...animated }] }),
      ...numbers.described(),
    },
    numbers.bytes(),
  );
}

const isStretched = ({ shape, scale }: SceneNode): boolean =>
  shape !== undefined && scale.values.some((value) => value !== 1);

/** glTF has the scalar part last. */
const xyzw = ([w, x, y, z]: Quaternion): number[] => [x, y, z, w];

const nearOf = (position: Triple, target: Triple): number =>
  Math.hypot(...position.map((value, k) => value - target[k]!)) / 1000;

/** A camera looks along its negative z, with y as far up as can be. */
function looking(position: Triple, target: Triple): number[] {
  const z = unit(position.map((value, k) => value - target[k]!) as unknown as Triple);
  const level = Math.hypot(z[0], z[2]);
  // About y to the side, then about the new x up or down.
  const [side, down] = [Math.atan2(z[0], z[2]) / 2, -Math.atan2(z[1], level) / 2];
  const [c, s, d, t] = [Math.cos(side), Math.sin(side), Math.cos(down), Math.sin(down)];
  return [c * t, s * d, -s * t, c * d];
}

/** A mesh for each shape in each material. */
function meshesOf(scene: Scene, numbers: Numbers) {
  const materials: object[] = [];
  const meshes: object[] = [];
  const materialNumbers = new Map<string, number>();
  const meshNumbers = new Map<string, number>();
  const meshOf = ({ shape, material }: SceneNode): number => {
    const triangles = scene.shapes[shape!]!;
    const { opacity, metallic, roughness } = material;
    const color = triangles.colors ? [1, 1, 1] : material.color.map(linear);
    const paint = {
      pbrMetallicRoughness: {
        baseColorFactor: [...color, opacity],
        metallicFactor: metallic,
        roughnessFactor: roughness,
      },
      ...(opacity < 1 && { alphaMode: 'BLEND' }),
    };
    const number = remember(materialNumbers, JSON.stringify(paint), () => materials.push(paint) - 1);
    return remember(meshNumbers, `${shape} ${number}`, () => {
      const primitive = { ...geometryOf(triangles, numbers), material: number };
      return meshes.push({ primitives: [primitive] }) - 1;
    });
  };
  return { materials, meshes, meshOf };
}

function geometryOf({ positions, normals, indices, colors }: Triangles, numbers: Numbers) {
  return {
    attributes: {
      POSITION: numbers.add(positions, 'VEC3', VERTICES, true),
      NORMAL: numbers.add(normals, 'VEC3', VERTICES),
      ...(colors && { COLOR_0: numbers.add(colors.map(linear), 'VEC3', VERTICES) }),
    },
    indices: numbers.add(indices, 'SCALAR', CORNERS),
  };
}

function channelsOf(
  { times, nodes }: Scene,
  first: number,
  shapeOf: (node: SceneNode) => number,
  numbers: Numbers,
) {
  const channels: object[] = [];
  const samplers: object[] = [];
  const add = (
    node: number,
    path: string,
    track: Track,
    size: number,
    value: (key: number) => number[],
    steps = false,
  ) => {
    if (isConstant(track)) return;
    const keys = increasing(times, track.rows, steps);
    const output = new Float32Array(size * keys.length);
    for (const [i, { key }] of keys.entries()) output.set(value(key), size * i);
    const sampler = {
      input: numbers.add(
        Float32Array.from(keys, ({ time }) => time),
        'SCALAR',
        undefined,
        true,
      ),
      output: numbers.add(output, size === 4 ? 'VEC4' : 'VEC3'),
      interpolation: steps ? 'STEP' : 'LINEAR',
    };
    channels.push({ sampler: samplers.push(sampler) - 1, target: { node, path } });
  };
  for (const [i, own] of nodes.entries()) {
    const { position, rotation, scale, visible } = own;
    const node = first + i;
    const three = (values: Track['values']) => (key: number) => [...values.subarray(3 * key, 3 * key + 3)];
    add(node, 'translation', position, 3, three(position.values));
    add(node, 'rotation', rotation, 4, (key) => xyzw(quaternionAt(rotation.values, key)));
    add(node, 'scale', visible, 3, (key) => [0, 0, 0].fill(visible.values[key]!), true);
    if (isStretched(own)) add(shapeOf(own), 'scale', scale, 3, three(scale.values));
  }
  return { channels, samplers };
}

/**
 * Keys with times that increase strictly in single precision. Where two are equal there, the value before moves to the number below; of
 * more than two the first and the last remain. What steps needs no value before.
 */
function increasing(
  times: Float64Array,
  rows: ArrayLike<number>,
  steps: boolean,
): { time: number; key: number }[] {
  const kept: { time: number; key: number }[] = [];
  for (let key = 0; key < rows.length; key++) {
    const time = Math.fround(times[rows[key]!]! - times[0]!);
    const last = kept.at(-1);
    if (!last || time > last.time) {
      kept.push({ time, key });
      continue;
    }
    const earlier = kept.at(-2);
    const below = below32(time);
    if (steps || time === 0 || (earlier && earlier.time >= below)) last.key = key;
    else {
      last.time = below;
      kept.push({ time, key });
    }
  }
  return kept;
}

/** The next smaller number of single precision, of a positive one. */
function below32(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0]!--;
  return new Float32Array(bits.buffer)[0]!;
}

// What a list is for: vertices or corners of triangles.
const VERTICES = 34962;
const CORNERS = 34963;

type List = Float32Array | Uint16Array | Uint32Array;

/** Lists of numbers, each once for each use, and their descriptions: an accessor and a view of the buffer have the same number. */
class Numbers {
  private readonly lists: List[] = [];
  private readonly accessors: object[] = [];
  private readonly targets: (number | undefined)[] = [];
  private readonly uses = new Map<string, { readonly pool: Pool<List>; readonly numbers: number[] }>();

  /** The number of the accessor. */
  add(
    values: Float32Array | Uint32Array,
    type: 'SCALAR' | 'VEC3' | 'VEC4',
    target?: number,
    isBounded = false,
  ): number {
    const isShort = values instanceof Uint32Array && values.every((value) => value < 65535);
    const list = isShort ? Uint16Array.from(values) : values;
    const { pool, numbers } = remember(this.uses, `${type} ${target} ${isBounded}`, () => ({
      pool: new Pool<List>(),
      numbers: [],
    }));
    const place = pool.add(list);
    return (numbers[place] ??= this.describe(list, type, target, isBounded));
  }

  private describe(
    list: List,
    type: 'SCALAR' | 'VEC3' | 'VEC4',
    target: number | undefined,
    isBounded: boolean,
  ) {
    const size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    this.lists.push(list);
    this.targets.push(target);
    return (
      this.accessors.push({
        bufferView: this.accessors.length,
        componentType: list instanceof Float32Array ? 5126 : list instanceof Uint16Array ? 5123 : 5125,
        count: list.length / size,
        type,
        ...(isBounded && { min: extremes(list, size, Math.min), max: extremes(list, size, Math.max) }),
      }) - 1
    );
  }

  described(): object {
    if (this.accessors.length === 0) return {};
    let byteOffset = 0;
    const bufferViews = this.lists.map(({ byteLength }, n) => {
      const target = this.targets[n];
      const view = { buffer: 0, byteOffset, byteLength, ...(target && { target }) };
      byteOffset += padded(byteLength);
      return view;
    });
    return { accessors: this.accessors, bufferViews, buffers: [{ byteLength: byteOffset }] };
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.lists.reduce((sum, list) => sum + padded(list.byteLength), 0));
    let offset = 0;
    for (const list of this.lists) {
      bytes.set(bytesOf(list), offset);
      offset += padded(list.byteLength);
    }
    return bytes;
  }
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;

function extremes(list: ArrayLike<number>, size: number, better: (a: number, b: number) => number): number[] {
  const found = Array.from({ length: size }, (_, k) => list[k]!);
  for (let i = size; i < list.length; i++) found[i % size] = better(found[i % size]!, list[i]!);
  return found;
}

function binary(description: object, bytes: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(description));
  const json = new Uint8Array(padded(text.length)).fill(0x20);
  json.set(text);
  const chunks = [
    { kind: 0x4e4f534a, data: json },
    ...(bytes.length > 0 ? [{ kind: 0x004e4942, data: bytes }] : []),
  ];
  const length = chunks.reduce((sum, { data }) => sum + 8 + data.length, 12);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  for (const [i, word] of [0x46546c67, 2, length].entries()) view.setUint32(4 * i, word, true);
  let offset = 12;
  for (const { kind, data } of chunks) {
    view.setUint32(offset, data.length, true);
    view.setUint32(offset + 4, kind, true);
    file.set(data, offset + 8);
    offset += 8 + data.length;
  }
  return file;
}
