import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinedMass, movedMass } from '../../src/bodies/mass.ts';
import { closedMesh } from '../../src/bodies/shapes/closed.ts';
import { type Mesh, scaledMesh } from '../../src/bodies/shapes/mesh.ts';
import { volumeOf } from '../../src/bodies/shapes/volume.ts';
import {
  applied,
  cross,
  dot,
  type Matrix,
  minus,
  norm,
  type Pose,
  plus,
  type Vector,
} from '../../src/bodies/space.ts';
import {
  boxMesh,
  boxVolume,
  expectSame,
  flawOf,
  flipped,
  joinedMesh,
  meshOf,
  refusal,
  rotations,
  vector,
  vectors,
  volumeOfMesh,
} from './notation.ts';

const unitBox = boxMesh([0, 0, 0], [1, 1, 1]);

const at = (mesh: Mesh, vertex: number): Vector =>
  vector([...mesh.positions.slice(3 * vertex, 3 * vertex + 3)]);

function moved(mesh: Mesh, { rotation, translation }: Pose): Mesh {
  const positions = mesh.positions.slice();
  for (let k = 0; k < positions.length / 3; k++) {
    positions.set(plus(translation, applied(rotation, at(mesh, k))), 3 * k);
  }
  return { ...mesh, positions };
}

/** Volume, centre and inertia of a tetrahedron: its second moments about its centre are those of a fifth of a quarter of it in each vertex. */
function tetrahedron(points: readonly Vector[]) {
  const [a, b, c, d] = points as [Vector, Vector, Vector, Vector];
  const mass = Math.abs(dot(minus(b, a), cross(minus(c, a), minus(d, a)))) / 6;
  const centre = vector([0, 1, 2].map((k) => (a[k]! + b[k]! + c[k]! + d[k]!) / 4));
  const part = (i: number, j: number) =>
    points.reduce((sum, p) => sum + (mass / 20) * (p[i]! - centre[i]!) * (p[j]! - centre[j]!), 0);
  const [xx, yy, zz] = [part(0, 0), part(1, 1), part(2, 2)];
  const [xy, xz, yz] = [-part(0, 1), -part(0, 2), -part(1, 2)];
  return { mass, centre, inertia: [yy + zz, xy, xz, xy, xx + zz, yz, xz, yz, xx + yy] as const };
}

const corners = [
  [0, 2, 1],
  [0, 1, 3],
  [1, 2, 3],
  [2, 0, 3],
];

describe('the volume of a mesh', () => {
  test('is that of a box', () => {
    fc.assert(
      fc.property(vectors(1), vectors(1), (low, more) => {
        fc.pre(more.every((value) => Math.abs(value) > 1e-3));
        const high = plus(low, vector(more.map(Math.abs)));
        expectSame(volumeOfMesh(boxMesh(low, high)), boxVolume(low, high), 1e-9);
      }),
    );
  });

  test('is that of a tetrahedron, whichever side it is seen from', () => {
    fc.assert(
      fc.property(vectors(1), vectors(1), vectors(1), vectors(1), (...points) => {
        const expected = tetrahedron(points);
        fc.pre(expected.mass > 1e-4);
        expectSame(volumeOfMesh(meshOf(points, corners)), expected, 1e-9);
      }),
    );
  });

  test('moves and turns with it, also far away', () => {
    fc.assert(
      fc.property(rotations, vectors(1e4), (rotation, translation) => {
        const pose = { rotation, translation };
        const points: Vector[] = [
          [0, 0, 0],
          [1, 0.2, 0],
          [0.1, 2, 0],
          [0.3, 0.1, 3],
        ];
        const actual = volumeOfMesh(moved(meshOf(points, corners), pose));
        // Positions themselves are rounded to 1e-12.
        expectSame(actual, movedMass(tetrahedron(points), pose), 1e-10);
      }),
    );
  });

  test('grows with its factors, mirrored or not', () => {
    const factor = fc.oneof(
      fc.double({ min: 0.1, max: 9, noNaN: true }),
      fc.double({ min: -9, max: -0.1, noNaN: true }),
    );
    fc.assert(
      fc.property(factor, factor, factor, (x, y, z) => {
        const corner: Vector = [2 * x, 3 * y, 5 * z];
        const low = vector(corner.map((value) => Math.min(0, value)));
        const high = vector(corner.map((value) => Math.max(0, value)));
        const mesh = scaledMesh(boxMesh([0, 0, 0], [2, 3, 5]), [x, y, z]);
        expectSame(volumeOfMesh(mesh), boxVolume(low, high), 1e-12, 50);
      }),
    );
  });

  test('does not depend on the orientation of faces', () => {
    const parts = joinedMesh(boxMesh([0, 0, 0], [1, 2, 3]), boxMesh([5, 0, 0], [6, 1, 1]));
    const expected = joinedMass([boxVolume([0, 0, 0], [1, 2, 3]), boxVolume([5, 0, 0], [6, 1, 1])]);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }), (which) => {
        const mixed = flipped(parts, (k) => which[k]!);
        expectSame(volumeOfMesh(mixed), expected, 1e-12, 10);
        expect(signedVolume((closedMesh(mixed) as { mesh: Mesh }).mesh)).toBeCloseTo(7, 12);
      }),
    );
  });

  test('does not need the same vertex to be the same number', () => {
    const points = [...unitBox.triangles].map((vertex) => at(unitBox, vertex));
    const faces = points.map((_, k) => k);
    expectSame(volumeOfMesh(meshOf(points, [faces])), boxVolume([0, 0, 0], [1, 1, 1]), 1e-12);
  });

  test('does not need triangles to have an area', () => {
    const mesh = meshOf(
      [...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => at(unitBox, k))],
      [[...unitBox.triangles], [0, 0, 1], [3, 3, 3]],
    );
    expectSame(volumeOfMesh(mesh), boxVolume([0, 0, 0], [1, 1, 1]), 1e-12);
  });
});

/** By the given orientation. */
function signedVolume(mesh: Mesh): number {
  let total = 0;
  for (let k = 0; k < mesh.triangles.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => at(mesh, mesh.triangles[k + i]!)) as [Vector, Vector, Vector];
    total += dot(a, cross(b, c)) / 6;
  }
  return total;
}

describe('shells inside of shells', () => {
  const [outer, middle, inner] = [3, 2, 1].map((size) =>
    boxMesh([-size, -size, -size], [size, size, size]),
  ) as [Mesh, Mesh, Mesh];
  const [large, medium, small] = [3, 2, 1].map((size) =>
    boxVolume([-size, -size, -size], [size, size, size]),
  );
  const negative = (of: typeof large) => ({
    ...of!,
    mass: -of!.mass,
    inertia: of!.inertia.map((value) => -value) as unknown as Matrix,
  });
  const all = () => true;

  test('are cavities if they face the other way', () => {
    const expected = joinedMass([large!, negative(medium)]);
    expect(expected.mass).toBe(6 ** 3 - 4 ** 3);
    const hollow = joinedMesh(outer, flipped(middle, all));
    expectSame(volumeOfMesh(hollow), expected, 1e-12);
    expectSame(volumeOfMesh(flipped(hollow, all)), expected, 1e-12);
    expect(signedVolume((closedMesh(flipped(hollow, all)) as { mesh: Mesh }).mesh)).toBeCloseTo(
      expected.mass,
      9,
    );
  });

  test('are cavities if their faces do not agree', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (which) => {
        fc.pre(new Set(which).size === 2);
        const mixed = flipped(joinedMesh(middle, outer), (k) => which[k] ?? false);
        expectSame(volumeOfMesh(mixed), joinedMass([large!, negative(medium)]), 1e-12);
      }),
    );
  });

  test('are cavities if they face the same way', () => {
    const expected = joinedMass([large!, negative(medium)]);
    expectSame(volumeOfMesh(joinedMesh(middle, outer)), expected, 1e-12);
    expectSame(volumeOfMesh(flipped(joinedMesh(outer, middle), all)), expected, 1e-12);
  });

  test('may be in cavities', () => {
    const expected = joinedMass([large!, negative(medium), small!]);
    expectSame(volumeOfMesh(joinedMesh(outer, flipped(middle, all), inner)), expected, 1e-12);
    expectSame(volumeOfMesh(joinedMesh(inner, flipped(middle, all), outer)), expected, 1e-12);
    expectSame(volumeOfMesh(joinedMesh(inner, middle, outer)), expected, 1e-12);
  });

  test('may touch', () => {
    const beside = boxMesh([3, -1, -1], [4, 1, 1]);
    expectSame(
      volumeOfMesh(joinedMesh(outer, beside)),
      joinedMass([large!, boxVolume([3, -1, -1], [4, 1, 1])]),
      1e-12,
    );
    const niche = boxMesh([1, -1, -1], [3, 1, 1]);
    expect(volumeOfMesh(joinedMesh(outer, flipped(niche, all))).mass).toBeCloseTo(216 - 8, 9);
  });

  test('must not cross or coincide', () => {
    expect(flawOf(joinedMesh(outer, boxMesh([2, 2, 2], [4, 4, 4])))).toMatch(
      /^parts of the mesh cross each other, near/,
    );
    expect(flawOf(joinedMesh(outer, outer))).toMatch(/^parts of the mesh coincide, at/);
  });
});

describe('meshes without a volume', () => {
  const without = (face: number): Mesh => ({
    ...unitBox,
    triangles: unitBox.triangles.filter((_, k) => Math.floor(k / 3) !== face),
  });

  test('with a hole', () => {
    expect(flawOf(without(0))).toMatch(
      /^the mesh is not closed: 3 edges have a face on one side only, the one between vertices \d and \d, from \(.*\) to \(.*\), for instance\.$/,
    );
  });

  test('with a third face at an edge', () => {
    const points = [...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => at(unitBox, k)), [5, 5, 5] as Vector];
    expect(flawOf(meshOf(points, [[...unitBox.triangles], [0, 1, 8]]))).toBe(
      'the mesh is not the surface of a solid: 1 edge has more than two faces, the one between vertices 1 and 2, from (0, 0, 0) to (1, 0, 0), for instance.',
    );
  });

  test('with one side only: the projective plane of six vertices', () => {
    const faces = '125 126 134 136 145 234 235 246 356 456'
      .split(' ')
      .map((face) => [...face].map((digit) => Number(digit) - 1));
    const points = [1, 2, 3, 4, 5, 6].map((k): Vector => [k, k * k, k ** 3]);
    expect(flawOf(meshOf(points, faces))).toMatch(
      /^the mesh has no inside: going around on its surface one comes to the other side of it, at the edge between vertices/,
    );
  });

  test('that are flat', () => {
    const flat = scaledMesh(unitBox, [1, 1, 0]);
    expect(flawOf(flat)).not.toBe('none');
    const squashed = boxMesh([0, 0, 0], [1, 1, 1e-14]);
    expect(flawOf(squashed)).toMatch(/^the part of the mesh with vertex \d, at \(.*\), has no volume\.$/);
    expect(flawOf(boxMesh([0, 0, 0], [1, 1, 1e-6]))).toBe('none');
  });

  test('the failure names object, file and what to do', () => {
    const mesh = { ...without(3), name: 'finger.obj' };
    expect(refusal(() => volumeOf('robot.finger', { kind: 'mesh', mesh, scale: [1, 1, 1] }))).toMatch(
      /^\[bad-mesh\] `robot\.finger`: finger\.obj: the mesh is not closed: .* \| Repair the mesh in the program that made it, or give the mass properties/,
    );
  });
});

test('a fine sphere approaches the closed form with the square of its resolution', () => {
  const errors = [16, 32, 64].map((count) =>
    Math.abs(volumeOfMesh(sphere(count)).mass / ((4 / 3) * Math.PI) - 1),
  );
  expect(errors[0]! / errors[1]!).toBeCloseTo(4, 0);
  expect(errors[1]! / errors[2]!).toBeCloseTo(4, 1);
});

/** An octahedron whose faces are cut into `count` squared, on the unit sphere. */
function sphere(count: number): Mesh {
  const points: Vector[] = [];
  for (const [x, y, z] of [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [
    k & 1 ? -1 : 1,
    k & 2 ? -1 : 1,
    k & 4 ? -1 : 1,
  ])) {
    const point = (i: number, j: number): Vector => {
      const place: Vector = [x! * i, y! * j, z! * (count - i - j)];
      return vector(place.map((value) => value / norm(place)));
    };
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count - i; j++) {
        points.push(point(i, j), point(i + 1, j), point(i, j + 1));
        if (i + j < count - 1) points.push(point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
      }
    }
  }
  return meshOf(points, [points.map((_, k) => k)]);
}
