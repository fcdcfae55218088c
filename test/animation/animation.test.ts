/** Animations that are wrong, and how they are packed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnimatedNode, Animation } from '../../src/animation/animation.ts';
import { animationGlb } from '../../src/animation/glb.ts';
import { animationPage } from '../../src/animation/html.ts';
import { packed, unpacked } from '../../src/animation/pack.ts';
import { sceneOf } from '../../src/animation/scene.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import { signal } from '../results/signals.ts';
import { animation, anyAnimation, box, cube } from './scenes.ts';

const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;

const node = (more: Partial<AnimatedNode>, about: Partial<Animation> = {}): Animation =>
  animation([0, 1], [cube('arm', more)], about);

const wrong: readonly (readonly [what: string, given: Animation, message: RegExp])[] = [
  ['no objects', animation([0, 1], []), /has no objects: there is nothing to see/],
  [
    'times that decrease',
    animation([0, 2, 1], [cube('a')]),
    /times of the animation decrease: after 2 comes 1/,
  ],
  ['times without values', animation([0, nan], [cube('a')]), /Time 2 of the animation is NaN/],
  [
    'a position that is missing',
    node({ positions: [0, 0, 0, 0, nan, 0] }),
    /arm is visible at time 1, but its positions there are 0, NaN, 0/,
  ],
  ['a constant that is missing', node({ positions: [nan, 0, 0], visible: [0, 1] }), /arm is visible/],
  ['a position that is infinite', node({ positions: [infinity, 0, 0] }), /arm is visible.*Infinity/],
  ['a rotation that is none', node({ rotations: [0, 0, 0, 0] }), /its rotations there are 0, 0, 0, 0/],
  [
    'too few positions',
    animation([0, 1, 2], [cube('arm', { positions: [0, 0, 0, 1, 1, 1] })]),
    /arm has 6 numbers as positions: 3 are needed, or 3 for each of 3 times/,
  ],
  [
    'too many rotations',
    node({ rotations: new Float64Array(12) }),
    /arm has 12 numbers as rotations: 4 are needed/,
  ],
  ['visibility of other times', node({ visible: [1, 0, 1] }), /arm has 3 numbers as visible/],
  [
    'a colour out of range',
    node({ material: { color: [0, 2, 0] } }),
    /The color of arm is 0,2,0, not from 0 to 1/,
  ],
  [
    'an opacity out of range',
    node({ material: { color: [0, 0, 0], opacity: nan } }),
    /The opacity of arm is NaN/,
  ],
  [
    'triangles without vertices',
    node({ geometry: { ...box(1, 1, 1), indices: Uint32Array.of(0, 1, 24) } }),
    /24 vertices, but a triangle with vertex 24/,
  ],
  [
    'corners that are no triangles',
    node({ geometry: { ...box(1, 1, 1), indices: Uint32Array.of(0, 1) } }),
    /has 2 corners: three are needed/,
  ],
  [
    'normals of other vertices',
    node({ geometry: { ...box(1, 1, 1), normals: new Float32Array(6) } }),
    /72 numbers as positions and 6 as normals/,
  ],
  [
    'vertices without values',
    node({ geometry: { ...box(1, 1, 1), positions: new Float32Array(72).fill(nan) } }),
    /positions of the shape of arm contain NaN/,
  ],
  [
    'a text without height',
    node({ geometry: { kind: 'text', text: 'A', height: 0 } }),
    /text arm has the height 0/,
  ],
  ['up that is no direction', node({}, { up: [0, 0, 0] }), /Up is \(0, 0, 0\), which is no direction/],
  [
    'a camera in what it looks at',
    node({}, { camera: { position: [1, 1, 1], target: [1, 1, 1] } }),
    /camera stands where it looks at/,
  ],
  [
    'a camera that is to follow what there is not',
    node({}, { follow: 'armm' }),
    /There is no object named armm to follow.*arm/,
  ],
  [
    'a camera that sees nothing',
    node({}, { camera: { position: [1, 1, 1], target: [0, 0, 0], fieldOfView: 4 } }),
    /field of view of the camera is 4/,
  ],
  [
    'forces of other times',
    node({}, { arrows: [{ name: 'push', kind: 'force', origins: [0, 0], vectors: [1, 0, 0] }] }),
    /push has 2 numbers as origins/,
  ],
  [
    'forces that are infinite',
    node({}, { arrows: [{ name: 'push', kind: 'force', origins: [0, 0, 0], vectors: [infinity, 0, 0] }] }),
    /push: vectors.* infinite/,
  ],
];

describe('animations that are wrong', () => {
  it.each(wrong)('say so: %s', (_, given, message) => {
    expect(() => animationGlb(given)).toThrow(message);
    expect(() => animationPage(given)).toThrow(message);
    expect(() => animationGlb(given)).toThrow(RangeError);
  });

  it('say so: a plot of signals that there are not', () => {
    const results = tableOfColumns([signal('phi')], [0, 1], [[0, 1]]);
    expect(() => animationPage(node({}, { results, layout: 'psi' }))).toThrow(
      'There is no signal named psi.',
    );
  });
});

describe('what a page carries', () => {
  it('is the scene, number by number', () => {
    fc.assert(
      fc.property(anyAnimation, (given) => {
        const scene = sceneOf(given);
        expect(unpacked(packed(scene))).toEqual(plain(scene));
      }),
      { numRuns: 50 },
    );
  });

  it('is not the results where they are too many, which the page says', () => {
    const time = Array.from({ length: 3000 }, (_, i) => i);
    const names = Array.from({ length: 700 }, (_, i) => `x${i}`);
    const table = tableOfColumns(
      names.map((name) => signal(name)),
      time,
      names.map(() => time),
    );
    const many = animationPage(node({}, { results: table, layout: 'x*' }));
    expect(many).toContain('The results are more than a page carries');
    expect(many).not.toContain('class="results"');
    expect(animationPage(node({}, { results: table, layout: 'x1' }))).toContain('class="results"');
  });

  it('is small: a shape once, of a straight motion two keys', () => {
    const rows = 10_000;
    const times = Array.from({ length: rows }, (_, i) => i / 100);
    const positions = times.flatMap((t) => [t, 0, 0]);
    const given = animation(
      times,
      Array.from({ length: 20 }, (_, i) => cube(`box${i}`, { positions })),
    );
    const scene = sceneOf(given);
    expect(scene.shapes).toHaveLength(1);
    // The times have eight bytes each, in base 64.
    expect(packed(scene).length).toBeLessThan((rows * 8 * 4) / 3 + 20_000);
  });
});

/** Without what JSON leaves out: members that are undefined, the sign of zero. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return value + 0;
  if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (part === undefined ? [] : [[key, plain(part)]])),
  );
}
