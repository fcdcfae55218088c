/** Animations as glTF: what the file says, as the validator of Khronos reads it and by hand. */
import fc from 'fast-check';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import type { Animation } from '../../src/animation/animation.ts';
import { animationGlb } from '../../src/animation/glb.ts';
import { animation, anyAnimation, box, byRow, cube, turn } from './scenes.ts';

interface Gltf {
  readonly asset: { readonly extras: unknown };
  readonly scenes: readonly { readonly nodes: readonly number[] }[];
  readonly nodes: readonly {
    readonly name: string;
    readonly mesh?: number;
    readonly translation?: readonly number[];
    readonly rotation?: readonly number[];
    readonly scale?: readonly number[];
    readonly children?: readonly number[];
  }[];
  readonly meshes?: readonly {
    readonly primitives: readonly [
      { readonly attributes: { readonly POSITION: number }; readonly material: number },
    ];
  }[];
  readonly materials?: readonly {
    readonly alphaMode?: string;
    readonly pbrMetallicRoughness: { readonly baseColorFactor: readonly number[] };
  }[];
  readonly animations?: readonly [
    {
      readonly channels: readonly {
        readonly sampler: number;
        readonly target: { readonly node: number; readonly path: string };
      }[];
      readonly samplers: readonly {
        readonly input: number;
        readonly output: number;
        readonly interpolation: string;
      }[];
    },
  ];
  readonly accessors: readonly {
    readonly bufferView: number;
    readonly count: number;
    readonly componentType: number;
    readonly type: 'SCALAR' | 'VEC3' | 'VEC4';
    readonly min?: readonly number[];
    readonly max?: readonly number[];
  }[];
  readonly bufferViews: readonly { readonly byteOffset: number; readonly byteLength: number }[];
}

/** The parts of a file, read by the rules of the specification. */
function read(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as Gltf;
  const start = 20 + length + 8;
  const numbers = (accessor: number): number[] => {
    const { bufferView, count, type, componentType } = gltf.accessors[accessor]!;
    const { byteOffset } = gltf.bufferViews[bufferView]!;
    const size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    return Array.from({ length: count * size }, (_, i) =>
      componentType === 5126
        ? view.getFloat32(start + byteOffset + 4 * i, true)
        : componentType === 5123
          ? view.getUint16(start + byteOffset + 2 * i, true)
          : view.getUint32(start + byteOffset + 4 * i, true),
    );
  };
  /** Times and values of what is animated; undefined where it is not. */
  const channel = (name: string, path: string) => {
    const node = gltf.nodes.findIndex((one) => one.name === name);
    const [clip] = gltf.animations ?? [];
    const found = clip?.channels.find(({ target }) => target.node === node && target.path === path);
    if (!clip || !found) return undefined;
    const { input, output, interpolation } = clip.samplers[found.sampler]!;
    return { times: numbers(input), values: numbers(output), interpolation };
  };
  return { gltf, numbers, channel };
}

const glb = (given: Animation) => read(animationGlb(given));

async function complaints(bytes: Uint8Array): Promise<string[]> {
  const { issues } = await validateBytes(bytes);
  return issues.messages
    .filter(({ severity }) => severity < 2)
    .map(({ code, message, pointer }) => `${code} ${message} ${pointer}`);
}

/** What a viewer shows at a time: linear, even turning (by the definition in the specification), or steps. */
function sampled(
  {
    times,
    values,
    interpolation,
  }: { times: readonly number[]; values: readonly number[]; interpolation: string },
  time: number,
): number[] {
  const size = values.length / times.length;
  const at = (key: number) => values.slice(size * key, size * key + size);
  const after = times.findIndex((own) => own > time);
  if (after === 0) return at(0);
  if (after < 0) return at(times.length - 1);
  const [a, b] = [at(after - 1), at(after)];
  if (interpolation === 'STEP') return a;
  const share = (time - times[after - 1]!) / (times[after]! - times[after - 1]!);
  if (size === 3) return a.map((value, k) => value + share * (b[k]! - value));
  const dot = a.reduce((sum, value, k) => sum + value * b[k]!, 0);
  const angle = angleOf(a, b) / 2;
  if (angle === 0) return a;
  return a.map(
    (value, k) =>
      (Math.sin((1 - share) * angle) * value + Math.sign(dot) * Math.sin(share * angle) * b[k]!) /
      Math.sin(angle),
  );
}

/** The angle between two rotations. */
const angleOf = (a: readonly number[], b: readonly number[]): number => {
  const minus = Math.hypot(...a.map((value, k) => value - b[k]!));
  const plus = Math.hypot(...a.map((value, k) => value + b[k]!));
  return 4 * Math.asin(Math.min(minus, plus) / 2);
};

describe('an animation as glTF', () => {
  it('keeps of a straight motion the ends, and of a bent one the corners', () => {
    const rows = 101;
    const times = Array.from({ length: rows }, (_, i) => i / 100);
    const { gltf, channel } = glb(
      animation(times, [
        cube('straight', { positions: byRow(rows, (i) => [i / 100, 0, 2]) }),
        cube('bent', { positions: byRow(rows, (i) => [Math.abs(i / 100 - 0.5), 0, 0]) }),
        cube('still', { positions: [1, 2, 3] }),
      ]),
    );
    expect(channel('straight', 'translation')).toEqual({
      times: [0, 1],
      values: [0, 0, 2, 1, 0, 2],
      interpolation: 'LINEAR',
    });
    expect(channel('bent', 'translation')).toEqual({
      times: [0, 0.5, 1],
      values: [0.5, 0, 0, 0, 0, 0, 0.5, 0, 0],
      interpolation: 'LINEAR',
    });
    expect(channel('still', 'translation')).toBeUndefined();
    expect(gltf.nodes.find(({ name }) => name === 'still')!.translation).toEqual([1, 2, 3]);
    expect(gltf.asset.extras).toEqual({ title: 'test', start: 0, end: 1 });
  });

  it('turns evenly over many turns, on one side of all quaternions', () => {
    const rows = 401;
    const times = Array.from({ length: rows }, (_, i) => i / 100);
    // Ten rad/s about z; every third quaternion is the negative one, which is the same rotation.
    const rotations = byRow(rows, (i) =>
      turn([0, 0, 1], i / 10).map((value) => (i % 3 === 0 ? -value : value)),
    );
    const { channel } = glb(animation(times, [cube('wheel', { rotations })]));
    const found = channel('wheel', 'rotation')!;
    expect(found.times.length).toBeLessThan(60);
    for (let key = 1; key < found.times.length; key++) {
      const [a, b] = [key - 1, key].map((k) => found.values.slice(4 * k, 4 * k + 4)) as [number[], number[]];
      expect(a.reduce((sum, value, k) => sum + value * b[k]!, 0)).toBeGreaterThan(0.9);
    }
    for (const [i, time] of times.entries()) {
      const [w, x, y, z] = turn([0, 0, 1], i / 10);
      // Times in single precision are off by 2e-7 s at most.
      expect(angleOf(sampled(found, time), [x, y, z, w])).toBeLessThan(5e-6);
    }
  });

  it('is as exact for small things as for large ones', () => {
    // A mirror of a tenth of a millimetre that trembles by a micrometre.
    const rows = 101;
    const times = Array.from({ length: rows }, (_, i) => i / 100);
    const tremble = (i: number) => 1e-6 * Math.sin(i);
    const { channel } = glb(
      animation(times, [
        cube('mirror', {
          geometry: box(1e-4, 1e-4, 1e-5),
          positions: byRow(rows, (i) => [tremble(i), 0, 0]),
        }),
      ]),
    );
    const found = channel('mirror', 'translation')!;
    for (const [i, time] of times.entries())
      expect(Math.abs(sampled(found, Math.fround(time))[0]! - tremble(i))).toBeLessThan(1e-10);
  });

  it('jumps between two numbers that follow each other, and is after the jump at its time', () => {
    const { channel } = glb(
      animation(
        [3, 4, 4, 4, 5],
        [
          cube('ball', {
            positions: [0, 0, 0, 1, 0, 0, 7, 7, 7, 9, 0, 0, 9, 1, 0],
            rotations: byRow(5, (i) => turn([1, 0, 0], i < 2 ? 0 : 2)),
          }),
        ],
      ),
    );
    const below = 1 - 2 ** -24;
    expect(channel('ball', 'translation')).toEqual({
      times: [0, below, 1, 2],
      values: [0, 0, 0, 1, 0, 0, 9, 0, 0, 9, 1, 0],
      interpolation: 'LINEAR',
    });
    const { times } = channel('ball', 'rotation')!;
    expect(times.slice(0, 3)).toEqual([0, below, 1]);
  });

  it('keeps what is after a jump at the very beginning', () => {
    const { channel } = glb(animation([0, 0, 1], [cube('a', { positions: [5, 0, 0, 0, 0, 0, 1, 0, 0] })]));
    expect(channel('a', 'translation')).toMatchObject({ times: [0, 1], values: [0, 0, 0, 1, 0, 0] });
  });

  it('makes objects appear and disappear by their scale, without values where they are not', () => {
    const nan = Number.NaN;
    const { gltf, channel } = glb(
      animation(
        [0, 1, 1, 2, 3],
        [
          cube('guest', {
            visible: [0, 0, 1, 1, 0],
            positions: [nan, nan, nan, nan, nan, nan, 2, 0, 0, 3, 0, 0, nan, nan, nan],
          }),
          cube('ghost', { visible: [0], positions: [nan, nan, nan] }),
          cube('spirit', { visible: [0, 0, 0, 0, 0], positions: [nan, nan, nan] }),
        ],
      ),
    );
    expect(channel('guest', 'scale')).toEqual({
      times: [0, 1, 3],
      values: [0, 0, 0, 1, 1, 1, 0, 0, 0],
      interpolation: 'STEP',
    });
    expect(sampled(channel('guest', 'translation')!, 1)).toEqual([2, 0, 0]);
    expect(sampled(channel('guest', 'translation')!, 1.5)).toEqual([2.5, 0, 0]);
    expect(gltf.nodes.slice(2).map(({ scale }) => scale)).toEqual([0, 1, 2].map(() => [0, 0, 0]));
    expect(gltf.nodes.slice(3).map(({ translation }) => translation)).toEqual([0, 1].map(() => [0, 0, 0]));
  });

  it('turns as often as angular velocities say, with keys that no viewer can read otherwise', () => {
    const times = Array.from({ length: 26 }, (_, i) => i / 25);
    const { channel } = glb(
      animation(times, [
        cube('fan', {
          rotations: times.flatMap((t) => turn([0, 0, 1], 300 * t)),
          angularVelocities: times.flatMap(() => [0, 0, 300]),
        }),
      ]),
    );
    const found = channel('fan', 'rotation')!;
    for (let key = 1; key < found.times.length; key++)
      expect(300 * (found.times[key]! - found.times[key - 1]!)).toBeLessThan(Math.PI / 4 + 1e-3);
    for (const t of [0.005, 0.01, 0.123, 0.5, 0.987]) {
      const [w, x, y, z] = turn([0, 0, 1], 300 * t);
      // Times in single precision, at 300 rad/s.
      expect(angleOf(sampled(found, t), [x, y, z, w])).toBeLessThan(1e-4);
    }
  });

  it('stretches shapes in nodes of their own, so that objects appear and disappear all the same', async () => {
    const given = animation(
      [0, 1, 2],
      [cube('spring', { scales: [1, 1, 1, 1, 1, 3, 1, 1, 2], visible: [1, 1, 0] }), cube('box')],
    );
    const { gltf, channel } = glb(given);
    const outer = gltf.nodes.find(({ name }) => name === 'spring')!;
    expect(outer.mesh).toBeUndefined();
    const inner = gltf.nodes[outer.children![0]!]!;
    expect(inner.mesh).toBe(0);
    const stretched = channel(inner.name, 'scale')!;
    expect(sampled(stretched, 0.5)).toEqual([1, 1, 2]);
    expect(stretched.interpolation).toBe('LINEAR');
    expect(channel('spring', 'scale')).toMatchObject({ interpolation: 'STEP', times: [0, 2] });
    expect(await complaints(animationGlb(given))).toEqual([]);
  });

  it('shares equal shapes and equal materials', () => {
    const red = { color: [1, 0, 0] } as const;
    const { gltf } = glb(
      animation(
        [],
        [
          cube('a', { material: red }),
          cube('b', { material: { color: [1, 0, 0] } }),
          cube('c', { material: { color: [1, 0, 0], opacity: 0.5 } }),
          cube('d', { geometry: box(2, 1, 1), material: red }),
        ],
      ),
    );
    expect(gltf.nodes.slice(2).map(({ mesh }) => mesh)).toEqual([0, 0, 1, 2]);
    expect(gltf.materials).toHaveLength(2);
    expect(gltf.materials![1]).toMatchObject({ alphaMode: 'BLEND' });
    const places = gltf.meshes!.map(({ primitives }) => primitives[0].attributes.POSITION);
    expect(places[0]).toBe(places[1]);
    const { min, max } = gltf.accessors[places[2]!]!;
    expect([min, max]).toEqual([
      [-1, -0.5, -0.5],
      [1, 0.5, 0.5],
    ]);
    expect(gltf.animations).toBeUndefined();
  });

  it('writes colours by their light', () => {
    const { gltf } = glb(animation([], [cube('a', { material: { color: [0.5, 1, 0], opacity: 0.25 } })]));
    const [r, g, b, opacity] = gltf.materials![0]!.pbrMetallicRoughness.baseColorFactor;
    // IEC 61966-2-1: half of the scale is 21.4 % of the light.
    expect(r).toBeCloseTo(0.21404114, 7);
    expect([g, b, opacity]).toEqual([1, 0, 0.25]);
  });

  it.each([
    [
      [0, 1, 0],
      [0, 0, 0, 1],
    ],
    [
      [0, 0, 1],
      [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    ],
    [
      [0, 0, 9],
      [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    ],
    [
      [1, 0, 0],
      [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    ],
  ] as const)('turns %j upward', (up, rotation) => {
    const { gltf } = glb(animation([], [cube('a')], { up }));
    for (const [k, value] of gltf.nodes[0]!.rotation!.entries()) expect(value).toBeCloseTo(rotation[k]!, 15);
    expect(gltf.scenes[0]!.nodes).toEqual([0, 1]);
    expect(gltf.nodes[0]!.children).toEqual([2]);
  });

  it('has text as triangles, each to be seen from both sides', async () => {
    const given = animation(
      [],
      [
        cube('label', { geometry: { kind: 'text', text: 'HI', height: 2 } }),
        cube('nothing', { geometry: { kind: 'text', text: ' ', height: 2 } }),
      ],
    );
    const { gltf } = glb(given);
    const { min, max } = gltf.accessors[gltf.meshes![0]!.primitives[0].attributes.POSITION]!;
    // Capitals of height 2, and the halves of the strokes.
    expect(max![1]! - min![1]!).toBeCloseTo(2 * (1 + 0.9 / 7), 6);
    expect(max![0]! + min![0]!).toBeCloseTo(0, 6);
    expect([min![2], max![2]]).toEqual([0, 0]);
    expect(gltf.nodes[3]!.mesh).toBeUndefined();
    expect(await complaints(animationGlb(given))).toEqual([]);
  });

  it('is one that the validator of Khronos has nothing against, whatever moves, and gives back all values', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnimation, async (given) => {
        const bytes = animationGlb(given);
        expect(await complaints(bytes)).toEqual([]);
        const { gltf, channel } = read(bytes);
        const { times } = given;
        for (const [n, { positions, rotations, visible }] of given.nodes.entries()) {
          // Names need not differ.
          const node = { ...gltf.nodes[2 + n]!, name: given.nodes[n]!.name };
          if (
            given.nodes.some(
              ({ name }, m) => m !== n && (name === node.name || ['world', 'camera'].includes(name)),
            )
          )
            continue;
          for (const [row, time] of times.entries()) {
            // Within 1e-6, and what times in single precision add. The last row at a time is what is seen then; the first one is seen just before.
            if (times[row + 1] === time || (visible && visible[row] === 0)) continue;
            const at = Math.fround(time - times[0]!);
            const of = (values: ArrayLike<number>, size: number) =>
              Array.from({ length: size }, (_, k) => values[values.length === size ? k : size * row + k]!);
            const moved = channel(node.name, 'translation');
            const [x, y, z] = of(positions, 3) as [number, number, number];
            const place = moved ? sampled(moved, at) : node.translation!;
            expect(Math.hypot(place[0]! - x, place[1]! - y, place[2]! - z)).toBeLessThan(2e-6);
            const turned = channel(node.name, 'rotation');
            const [w, ...vector] = of(rotations, 4);
            expect(angleOf(turned ? sampled(turned, at) : node.rotation!, [...vector, w!])).toBeLessThan(
              2e-6,
            );
            const scaled = channel(node.name, 'scale');
            expect(scaled ? sampled(scaled, at) : (node.scale ?? [1, 1, 1])).toEqual([1, 1, 1]);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
