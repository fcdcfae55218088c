/** Meshes from files: OBJ and STL. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileMesh } from '../../src/bodies/shapes/file.ts';
import { checkedMesh } from '../../src/bodies/shapes/mesh.ts';
import { boxMesh, boxVolume, expectSame, refusal, volumeOfMesh } from './notation.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const obj = (text: string) => fileMesh('part.obj', bytes(text));
const stl = (content: string | Uint8Array) =>
  fileMesh('part.STL', typeof content === 'string' ? bytes(content) : content);

const square = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

describe('OBJ', () => {
  test('reads vertices and faces in all their forms', () => {
    const { positions, triangles } = obj(`# a comment
mtllib part.mtl
o part
v 0 0 0 1.0
v 1.5e0 0 0 0.2 0.3 0.4
v +1 .5 -2 # corner
vt 0 0
vn 0 0 1
g side
usemtl red
s off
f 1 2 3
f 1/1 2/1 3/1
f 1/1/1 2/1/1 3/1/1
f 1//1 2//1 3//1
f -3 -2 -1
`);
    expect([...positions]).toEqual([0, 0, 0, 1.5, 0, 0, 1, 0.5, -2]);
    expect([...triangles]).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  test('negative numbers count from where they stand', () => {
    expect([...obj(`${square}f -4 -3 -2\nv 9 9 9\nf -5 -3 -2`).triangles]).toEqual([0, 1, 2, 0, 2, 3]);
  });

  test('cuts polygons into triangles', () => {
    expect([...obj(`${square}v -1 0.5 0\nf 1 2 3 4 5`).triangles]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4]);
  });

  test('joins continued lines, and reads lines of any system', () => {
    const text = `${square}f 1 2 \\\n3 4\n`;
    const expected = [0, 1, 2, 0, 2, 3];
    expect([...obj(text).triangles]).toEqual(expected);
    expect([...obj(text.replaceAll('\n', '\r\n')).triangles]).toEqual(expected);
    expect([...obj(text.replaceAll('\n', '\r')).triangles]).toEqual(expected);
    expect([...obj(`${square}f 1 2 3 \\`).triangles]).toEqual([0, 1, 2]);
  });

  test('a box of six squares has its volume', () => {
    const text = `v 1 1 1\nv 3 1 1\nv 1 4 1\nv 3 4 1\nv 1 1 5\nv 3 1 5\nv 1 4 5\nv 3 4 5
f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6`;
    expectSame(volumeOfMesh(obj(text)), boxVolume([1, 1, 1], [3, 4, 5]), 1e-12, 5);
  });

  test.each([
    ['v 1 2', 'line 1: a vertex needs three coordinates.'],
    ['v 1 2 x', 'line 1: `x` is not a coordinate.'],
    ['v 1 nan 0', 'line 1: `nan` is not a coordinate.'],
    ['v 1 2 1e999', 'line 1: `1e999` is not a coordinate.'],
    [`${square}f 1 2`, 'line 5: a face needs three vertices.'],
    [`${square}f 1 2 0`, 'line 5: there is no vertex 0: they are counted from 1.'],
    [`${square}f 1 2 -5`, 'line 5: vertex -5 does not exist: there are 4 before this line.'],
    [`${square}\nf 1 2 3\nf 1 2 5`, 'line 7: vertex 5 does not exist: there are 4.'],
    [`${square}f 1 2 3.5`, 'line 5: `3.5` is not a vertex of a face.'],
    [`${square}f /1 2 3`, 'line 5: `/1` is not a vertex of a face.'],
    [`${square}\nf 1 \\\n2 x`, 'line 6: `x` is not a vertex of a face.'],
    [square, 'the mesh has no faces.'],
    ['', 'the mesh has no faces.'],
    ['<html>', 'line 1: `<html>` is not a statement of an OBJ file.'],
    ['cstype bspline', 'line 1: `cstype` is a curved surface. | Export the mesh with flat faces.'],
  ])('refuses %j', (text, message) => {
    expect(refusal(() => obj(text))).toBe(`[bad-mesh] \`part.obj\`: ${message}`);
  });
});

/** The corners of the triangles of a box. */
function facets(): number[][] {
  const { positions, triangles } = boxMesh([0, 0, 0], [1, 2, 3]);
  return Array.from({ length: triangles.length / 3 }, (_, k) =>
    [0, 1, 2].flatMap((i) => [...positions.slice(3 * triangles[3 * k + i]!, 3 * triangles[3 * k + i]! + 3)]),
  );
}

function binary(all: readonly (readonly number[])[], header = '', count = all.length): Uint8Array {
  const result = new Uint8Array(84 + 50 * all.length);
  result.set(bytes(header));
  const view = new DataView(result.buffer);
  view.setUint32(80, count, true);
  for (const [k, corners] of all.entries()) {
    for (const [i, value] of corners.entries()) view.setFloat32(84 + 50 * k + 12 + 4 * i, value, true);
  }
  return result;
}

const ascii = (all: readonly (readonly number[])[]): string =>
  [
    'solid a box with a long name facet',
    ...all.map(
      (c) => `  facet normal 0 0 0\n    outer loop
      vertex ${c[0]} ${c[1]} ${c[2]}\n      vertex ${c[3]} ${c[4]} ${c[5]}\n      vertex ${c[6]} ${c[7]} ${c[8]}
    endloop\n  endfacet`,
    ),
    'endsolid',
  ].join('\n');

describe('STL', () => {
  const volume = boxVolume([0, 0, 0], [1, 2, 3]);

  test.each<[string, string | Uint8Array]>([
    ['text', ascii(facets())],
    ['text of capital letters', ascii(facets()).toUpperCase()],
    ['text with other ends of lines', ascii(facets()).replaceAll('\n', '\r\n')],
    ['several solids', `${ascii(facets().slice(0, 5))}\n${ascii(facets().slice(5))}`],
    ['binary', binary(facets())],
    ['binary that begins as text does', binary(facets(), 'solid part\nfacet normal 0 0 0')],
    ['a part of a buffer', new Uint8Array([9, ...binary(facets())]).subarray(1)],
  ])('%s', (_, content) => {
    const mesh = stl(content);
    expect(mesh.positions.length).toBe(8 * 3);
    expectSame(volumeOfMesh(mesh), volume, 1e-12, 5);
  });

  test('zeros of both signs are one place', () => {
    const all = facets().map((corners, k) => corners.map((value) => (value === 0 && k % 2 ? -0 : value)));
    expect(stl(ascii(all)).positions.length).toBe(24);
    expect(stl(binary(all)).positions.length).toBe(24);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['too short', new Uint8Array(10), 'the file is too short for an STL file.'],
    [
      'cut off',
      binary(facets()).slice(0, 600),
      'the file should have 684 bytes for its 12 triangles, but has 600.',
    ],
    [
      'too long',
      new Uint8Array([...binary(facets()), 1]),
      'the file should have 684 bytes for its 12 triangles, but has 685.',
    ],
    ['empty', binary([]), 'the mesh has no faces.'],
    ['NaN', binary([[0, 0, 0, 1, Number.NaN, 0, 0, 1, 0]]), 'vertex 2 has a coordinate that is NaN.'],
    ['no faces', 'solid x\nendsolid x', 'the mesh has no faces.'],
    [
      'four corners',
      ascii(facets()).replace('endloop', 'vertex 0 0 0\nendloop'),
      'line 8: this facet has 4 vertices, but must have three.',
    ],
    ['a bad number', ascii(facets()).replace('vertex 0', 'vertex o'), 'line 4: `o` is not a coordinate.'],
    [
      'two numbers',
      ascii(facets()).replace('vertex 0 ', 'vertex '),
      'line 4: a vertex needs three coordinates.',
    ],
    ['a corner outside', 'solid\nvertex 0 0 0', 'line 2: a vertex stands outside of a loop.'],
    ['a loop in a loop', 'solid\nouter loop\nouter loop', 'line 3: the loop before this one is not closed.'],
    ['an open end', 'solid\nfacet\nouter loop\nvertex 0 0 0', 'the file ends in the midst of a facet.'],
    ['other words', 'solid x\nhello', 'line 2: `hello` is not a word of an STL file.'],
  ])('refuses a file that is %s', (_, content, message) => {
    expect(refusal(() => stl(content))).toBe(`[bad-mesh] \`part.STL\`: ${message}`);
  });
});

test('a file of another kind is refused by its name', () => {
  expect(refusal(() => fileMesh('part.step', bytes('')))).toBe(
    '[bad-mesh] `part.step`: this is not a file of a mesh that can be read. | Meshes are read from files of type .obj, .stl and .dxf.',
  );
  expect(refusal(() => fileMesh('a.obj/part', bytes('')))).toContain('not a file of a mesh');
});

test('numbers that are no mesh are refused', () => {
  const three = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  expect(refusal(() => checkedMesh('m', three, Uint32Array.of(0, 1, 3)))).toBe(
    '[bad-mesh] `m`: triangle 1 has vertex 4, but there are only 3.',
  );
  expect(refusal(() => checkedMesh('m', three, Uint32Array.of(0, 1)))).toContain('three vertices');
});

test('whatever a file contains, it is a mesh or a failure', () => {
  const words = fc.constantFrom(
    'v',
    'f',
    '0',
    '1',
    '-1',
    '2/3',
    '\n',
    ' ',
    '\\',
    '#',
    'solid',
    'facet',
    'vertex',
    'outer loop',
    'endloop',
    'x',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), fc.constantFrom('a.obj', 'a.stl'), (text, name) => {
      const content = bytes(text.join(' '));
      let mesh: ReturnType<typeof fileMesh> | undefined;
      try {
        mesh = fileMesh(name, content);
      } catch {
        expect(refusal(() => fileMesh(name, content))).toMatch(/^\[bad-mesh\] `a\.(obj|stl)`: /);
      }
      if (mesh) expect(mesh.triangles.every((vertex) => 3 * vertex < mesh.positions.length)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
