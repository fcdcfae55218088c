import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkedMesh, type Mesh } from '../../src/bodies/shapes/mesh.ts';
import { type Axis, checkedShape, type GivenShape, type SolidShape } from '../../src/bodies/shapes/shape.ts';
import { type Triangles, trianglesOf } from '../../src/bodies/shapes/triangles.ts';
import { volumeOf } from '../../src/bodies/shapes/volume.ts';
import { cross, dot, minus, norm, type Vector } from '../../src/bodies/space.ts';
import { boxMesh, expectSame, flawOf, flipped, joinedMesh, volumeOfMesh } from './notation.ts';

const drawn = (given: GivenShape, resolution?: number): Triangles =>
  trianglesOf(checkedShape('it', given), resolution);
const meshed = ({ positions, indices }: Triangles): Mesh =>
  checkedMesh('test', Float64Array.from(positions), indices);
const at = (values: Float32Array, vertex: number): Vector => [
  values[3 * vertex]!,
  values[3 * vertex + 1]!,
  values[3 * vertex + 2]!,
];

/** Volume by the orientation of triangles, and whether all normals are outward and of unit length. */
function looked({ positions, normals, indices }: Triangles): {
  readonly volume: number;
  readonly worst: number;
} {
  let [volume, worst] = [0, 1];
  const lengths = Array.from({ length: normals.length / 3 }, (_, k) => norm(at(normals, k)));
  expect(lengths.filter((length) => !(Math.abs(length - 1) < 1e-6))).toEqual([]);
  for (let k = 0; k < indices.length; k += 3) {
    const [i, j, l] = [indices[k]!, indices[k + 1]!, indices[k + 2]!];
    const [a, b, c] = [at(positions, i), at(positions, j), at(positions, l)];
    volume += dot(a, cross(b, c)) / 6;
    const facing = cross(minus(b, a), minus(c, a));
    for (const vertex of [i, j, l]) worst = Math.min(worst, dot(facing, at(normals, vertex)) / norm(facing));
  }
  return { volume, worst };
}

const sizes = fc.double({ min: 0.2, max: 5, noNaN: true });
const axes = fc.constantFrom<Axis>(1, 2, 3);
const counts = fc.integer({ min: 8, max: 40 }).map((k) => 2 * k);

/** The part of its disc that a polygon covers. */
const polygon = (count: number): number => Math.sin((2 * Math.PI) / count) / ((2 * Math.PI) / count);

/** The part of a ball that remains where meridians and circles of latitude have corners: a stack of frustums of pyramids. */
function polyhedron(count: number): number {
  let sum = 0;
  for (let k = 0; k < count / 2; k++) {
    const [from, to] = [k, k + 1].map((i) => (Math.PI * i) / (count / 2)) as [number, number];
    const [r, s] = [Math.sin(from), Math.sin(to)];
    sum += ((Math.cos(from) - Math.cos(to)) * (r * r + r * s + s * s)) / 3;
  }
  return (polygon(count) * sum) / (4 / 3);
}

describe('solids are closed, look outward and have their volume', () => {
  const holds = (given: GivenShape, count: number, expected: number, least = 0.7) => {
    const triangles = drawn(given, count);
    const { volume, worst } = looked(triangles);
    expect(Math.abs(volume / expected - 1)).toBeLessThan(3e-6);
    expect(Math.abs(volumeOfMesh(meshed(triangles)).mass / expected - 1)).toBeLessThan(3e-6);
    expect(worst).toBeGreaterThan(least);
  };
  const exact = (given: GivenShape): number => volumeOf('it', checkedShape('it', given) as SolidShape).mass;

  test('box', () => {
    fc.assert(
      fc.property(sizes, sizes, sizes, (lengthX, lengthY, lengthZ) =>
        holds({ kind: 'box', lengthX, lengthY, lengthZ }, 8, lengthX * lengthY * lengthZ, 0.9999),
      ),
      { numRuns: 20 },
    );
  });

  test('sphere and ellipsoid', () => {
    fc.assert(
      fc.property(sizes, sizes, sizes, counts, (lengthX, lengthY, lengthZ, count) => {
        const sphere: GivenShape = { kind: 'sphere', diameter: lengthX };
        const ellipsoid: GivenShape = { kind: 'ellipsoid', lengthX, lengthY, lengthZ };
        holds(sphere, count, exact(sphere) * polyhedron(count));
        holds(ellipsoid, count, exact(ellipsoid) * polyhedron(count), 0);
      }),
      { numRuns: 20 },
    );
  });

  test('cylinder and tube', () => {
    const walls = fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 0.9, noNaN: true }));
    fc.assert(
      fc.property(axes, sizes, sizes, walls, counts, (axis, diameter, length, wall, count) => {
        const shape: GivenShape = {
          kind: 'cylinder',
          axis,
          diameter,
          length,
          innerDiameter: wall * diameter,
        };
        holds(shape, count, exact(shape) * polygon(count));
      }),
      { numRuns: 20 },
    );
  });

  test('cone and frustum', () => {
    const tops = fc.oneof(fc.constant(0), sizes);
    fc.assert(
      fc.property(axes, sizes, sizes, tops, counts, (axis, diameter, length, topDiameter, count) => {
        const shape: GivenShape = { kind: 'cone', axis, diameter, length, topDiameter };
        holds(shape, count, exact(shape) * polygon(count));
      }),
      { numRuns: 20 },
    );
  });

  test('the tip of a cone has a normal for each side', () => {
    const { positions, normals, indices } = drawn({ kind: 'cone', diameter: 1, length: 1 }, 8);
    let sides = 0;
    for (let k = 0; k < indices.length; k += 3) {
      const corners = [indices[k]!, indices[k + 1]!, indices[k + 2]!];
      const [a, b, c] = corners.map((vertex) => at(positions, vertex)) as [Vector, Vector, Vector];
      const tip = corners.find((vertex) => at(positions, vertex)[2] === 1);
      if (tip === undefined) continue;
      const facing = cross(minus(b, a), minus(c, a));
      expect(dot(facing, at(normals, tip)) / norm(facing)).toBeGreaterThan(0.999);
      sides++;
    }
    expect(sides).toBe(8);
  });

  test('capsule', () => {
    fc.assert(
      fc.property(axes, sizes, sizes, counts, (axis, diameter, length, half) => {
        // Halves of spheres are halves of the whole if a quarter of a circle has a whole number of edges.
        const count = 4 * Math.ceil(half / 4);
        const cylinder = (Math.PI / 4) * diameter ** 2 * length * polygon(count);
        const ends = (Math.PI / 6) * diameter ** 3 * polyhedron(count);
        holds({ kind: 'capsule', axis, diameter, length }, count, cylinder + ends);
      }),
      { numRuns: 20 },
    );
  });

  test('beam', () => {
    fc.assert(
      fc.property(axes, sizes, sizes, sizes, counts, (axis, length, width, thickness, count) => {
        const ends = (Math.PI / 4) * width ** 2 * thickness * polygon(count);
        holds({ kind: 'beam', axis, length, width, thickness }, count, length * width * thickness + ends);
      }),
      { numRuns: 20 },
    );
  });

  test('their centres and axes are those of the bodies', () => {
    for (const axis of [1, 2, 3] as const) {
      for (const given of [
        { kind: 'cone', axis, diameter: 1, length: 2, topDiameter: 0.5 },
        { kind: 'beam', axis, length: 2, width: 0.4, thickness: 0.1 },
        { kind: 'capsule', axis, diameter: 0.5, length: 2 },
      ] as const) {
        const body = volumeOf('it', checkedShape('it', given) as SolidShape);
        expectSame(volumeOfMesh(meshed(drawn(given, 160))), body, 2e-3);
      }
    }
  });
});

describe('meshes', () => {
  test('are turned outward, with sharp edges', () => {
    const mesh = flipped(boxMesh([0, 0, 0], [1, 2, 3]), (k) => k % 3 === 0);
    const triangles = drawn({ kind: 'mesh', mesh, scale: [1, 1, -1] });
    const { volume, worst } = looked(triangles);
    expect(volume).toBeCloseTo(6, 5);
    expect(worst).toBeCloseTo(1, 6);
  });

  test('have cavities that look into them', () => {
    const mesh = joinedMesh(
      boxMesh([0, 0, 0], [3, 3, 3]),
      flipped(boxMesh([1, 1, 1], [2, 2, 2]), () => true),
    );
    expect(looked(drawn({ kind: 'mesh', mesh })).volume).toBeCloseTo(26, 4);
  });

  test('are smooth where they are round', () => {
    const fine = meshed(drawn({ kind: 'sphere' }, 48));
    const { positions, normals } = drawn({ kind: 'mesh', mesh: fine });
    for (let k = 0; k < positions.length / 3; k++) {
      expect(dot(at(positions, k), at(normals, k))).toBeGreaterThan(0.5 * 0.99);
    }
  });

  test('that are not closed are drawn as they are', () => {
    const mesh = checkedMesh(
      'm',
      Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      Uint32Array.of(0, 2, 1, 0, 0, 1),
    );
    const { normals, indices } = drawn({ kind: 'mesh', mesh });
    expect([...indices]).toEqual([0, 1, 2]);
    expect(at(normals, 0)).toEqual([0, 0, -1]);
  });
});

describe('what is only seen', () => {
  /** Within which limits it lies. */
  const bounds = ({ positions }: Triangles): number[][] =>
    [0, 1, 2].map((k) => {
      const values = [...positions].filter((_, i) => i % 3 === k);
      return [Math.min(...values), Math.max(...values)].map((value) => Math.round(value * 1e4) / 1e4);
    });

  test('a frame has three arrows with their colours', () => {
    const triangles = drawn({ kind: 'frame', length: 2 });
    expect(flawOf(meshed(triangles))).not.toContain('not closed');
    expect(looked(triangles).worst).toBeGreaterThan(0.7);
    expect(bounds(triangles).map(([, high]) => high)).toEqual([2, 2, 2]);
    const { positions, colors } = triangles;
    expect(colors!.length).toBe(positions.length);
    for (const [axis, main] of [0, 1, 2].entries()) {
      const tip = Array.from({ length: positions.length / 3 }, (_, k) => k).find(
        (k) => at(positions, k)[axis]! > 1.99,
      )!;
      const color = at(colors!, tip);
      expect(color.indexOf(Math.max(...color))).toBe(main);
    }
  });

  test('a grid has lines at its distance', () => {
    const triangles = drawn({ kind: 'grid', length: 1, width: 0.6, distance: 0.1, lineWidth: 0.01 });
    expect(triangles.positions.length / 3).toBe((11 + 7) * 24);
    expect(bounds(triangles)).toEqual([
      [-0.505, 0.505],
      [-0.305, 0.305],
      [-0.005, 0.005],
    ]);
    expect(looked(triangles).worst).toBeCloseTo(1, 6);
    expect(bounds(drawn({ kind: 'grid', axis: 1 }))[0]).toEqual([-0.0025, 0.0025]);
  });

  test('a spring is a closed wire of its length', () => {
    const wire = 0.02;
    const triangles = drawn(
      { kind: 'spring', length: 2, diameter: 0.5, wireDiameter: wire, windings: 10 },
      96,
    );
    const { volume, worst } = looked(triangles);
    expect(flawOf(meshed(triangles))).toBe('none');
    expect(worst).toBeGreaterThan(0.9);
    const way = Math.hypot(2, 2 * Math.PI * 10 * (0.25 - wire / 2));
    expect(volume / ((Math.PI / 4) * wire ** 2 * way * polygon(24))).toBeCloseTo(1, 2);
    const [x, y, z] = bounds(triangles);
    expect(x![1]).toBeCloseTo(0.25, 3);
    expect(y![0]).toBeCloseTo(-0.25, 3);
    expect(z![0]).toBeCloseTo(0, 1);
    expect(z![1]).toBeCloseTo(2, 1);
  });

  test('a gear wheel has its teeth', () => {
    const [teeth, tip, root, inner, length] = [12, 1, 0.8, 0.3, 0.2];
    const triangles = drawn({
      kind: 'gearwheel',
      diameter: 2 * tip,
      rootDiameter: 2 * root,
      innerDiameter: 2 * inner,
      length,
      teeth,
    });
    expect(flawOf(meshed(triangles))).toBe('none');
    const { volume, worst } = looked(triangles);
    expect(worst).toBeGreaterThan(0.95);
    // Triangles from the axis: over the tip, over two flanks and over the root of each tooth.
    const pitch = (2 * Math.PI) / teeth;
    const [wide, narrow] = [Math.sin(0.3 * pitch), Math.sin(0.2 * pitch)];
    const outside = (teeth / 2) * (tip ** 2 * wide + root ** 2 * wide + 2 * tip * root * narrow);
    const hole = (teeth / 2) * inner ** 2 * (2 * wide + 2 * narrow);
    expect(volume).toBeCloseTo(length * (outside - hole), 5);
    expect(bounds(triangles)[2]).toEqual([-0.1, 0.1]);
  });

  test('a helical gear wheel is closed, with and without a hole', () => {
    for (const innerDiameter of [0, 0.5]) {
      for (const angle of [0.5, -0.5]) {
        const triangles = drawn({ kind: 'gearwheel', axis: 2, length: 0.3, innerDiameter, angle });
        expect(flawOf(meshed(triangles))).toBe('none');
        const { volume, worst } = looked(triangles);
        expect(volume).toBeGreaterThan(0);
        expect(worst).toBeGreaterThan(0.9);
      }
    }
  });

  test('a text is left to the viewer', () => {
    expect(drawn({ kind: 'text', text: 'hello' }).indices.length).toBe(0);
  });
});

test('the resolution may be coarse', () => {
  for (const resolution of [1, 3, 5]) {
    const triangles = drawn({ kind: 'sphere' }, resolution);
    expect(flawOf(meshed(triangles))).toBe('none');
    expect(looked(triangles).volume).toBeGreaterThan(0);
  }
});
