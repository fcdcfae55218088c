import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinedMass, movedMass, principalMoments } from '../../src/bodies/mass.ts';
import { type ExplicitMass, type GivenMass, massOf } from '../../src/bodies/shapes/masses.ts';
import { checkedShape } from '../../src/bodies/shapes/shape.ts';
import { type Matrix, product, transposed } from '../../src/bodies/space.ts';
import { boxMesh, boxVolume, expectSame, refusal, rotations, vectors } from './notation.ts';

const box = checkedShape('it', { kind: 'box', lengthX: 1, lengthY: 2, lengthZ: 3 });
const diagonal = (x: number, y: number, z: number): Matrix => [x, 0, 0, 0, y, 0, 0, 0, z];

describe('the mass of an object', () => {
  const unit = { ...boxVolume([0, 0, 0], [1, 2, 3]), centre: [0, 0, 0] as const };
  const times = (k: number) => ({
    ...unit,
    mass: k * unit.mass,
    inertia: unit.inertia.map((value) => k * value) as unknown as Matrix,
  });

  test('from a shape and its density', () => {
    expectSame(massOf('it', { shape: box, density: 10 }), times(10), 1e-15);
  });

  test('from a shape and its material', () => {
    expectSame(massOf('it', { shape: box, material: 'Aluminium' }), times(2700), 1e-15);
  });

  test('from a shape and its mass', () => {
    expectSame(massOf('it', { shape: box, mass: 12 }), times(2), 1e-15);
  });

  test('from a mesh, about its own centre', () => {
    const mesh = boxMesh([10, 10, 10], [11, 12, 13]);
    const shape = checkedShape('it', { kind: 'mesh', mesh });
    expectSame(massOf('it', { shape, mass: 12 }), { ...times(2), centre: [10.5, 11, 11.5] }, 1e-12);
  });

  test('as it is given', () => {
    const explicit = {
      mass: 2,
      centre: [1, 2, 3] as const,
      Ixx: 3,
      Iyy: 4,
      Izz: 5,
      Ixy: 0.1,
      Ixz: 0.2,
      Iyz: 0.3,
    };
    expect(massOf('it', { explicit })).toEqual({
      mass: 2,
      centre: [1, 2, 3],
      inertia: [3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5],
    });
  });

  test('that of a point has no inertia', () => {
    expect(massOf('it', { explicit: { mass: 1 } })).toEqual({
      mass: 1,
      centre: [0, 0, 0],
      inertia: diagonal(0, 0, 0),
    });
  });

  test('may be zero', () => {
    expect(massOf('it', { shape: box, material: 'Observer' }).mass).toBe(0);
    expect(massOf('it', { shape: box, density: 0 }).inertia).toEqual(diagonal(0, 0, 0));
    expect(massOf('it', { shape: box, mass: 0 }).mass).toBe(0);
    expect(massOf('it', { explicit: { mass: 0, Ixx: 1, Iyy: 1, Izz: 1 } }).inertia).toEqual(
      diagonal(1, 1, 1),
    );
  });
});

describe('masses that there cannot be', () => {
  const ways = 'Give explicit mass properties, a shape and its density or material, or a shape and its mass.';
  const finger = checkedShape('it', { kind: 'text', text: 'finger' });
  test.each<[string, GivenMass, string]>([
    ['nothing', {}, `[bad-body] \`arm\`: nothing says which mass it has. | ${ways}`],
    ['a shape alone', { shape: box }, `[bad-body] \`arm\`: nothing says which mass it has. | ${ways}`],
    [
      'mass and density',
      { shape: box, mass: 1, density: 2 },
      '[bad-body] `arm`: its mass is given twice, by a mass and by a density. | Give only one of them.',
    ],
    [
      'no shape',
      { mass: 1 },
      `[bad-body] \`arm\`: it has no shape from which its inertia could be found. | ${ways}`,
    ],
    [
      'a shape without volume',
      { mass: 1, shape: finger },
      `[bad-body] \`arm\`: a text can only be seen: it has no volume. | ${ways}`,
    ],
    [
      'a negative mass',
      { shape: box, mass: -1 },
      '[bad-body] `arm`: mass is -1, but must be a finite number that is not negative.',
    ],
    [
      'an inertia without a mass',
      { explicit: { Ixx: 1, Iyy: 1, Izz: 1 } as ExplicitMass },
      '[bad-body] `arm`: mass is undefined, but must be a finite number that is not negative.',
    ],
    [
      'a density that is not a number',
      { shape: box, density: Number.NaN },
      '[bad-body] `arm`: density is NaN, but must be a finite number that is not negative.',
    ],
    [
      'an infinite inertia',
      { explicit: { mass: 1, Ixx: Number.POSITIVE_INFINITY } },
      '[bad-body] `arm`: Ixx is Infinity, but must be a finite number.',
    ],
    [
      'a centre without a place',
      { explicit: { mass: 1, centre: [0, Number.NaN, 0] } },
      '[bad-body] `arm`: the centre of mass is {0, NaN, 0}, but must be three finite numbers.',
    ],
    [
      'a negative moment',
      { explicit: { mass: 1, Ixx: -1, Iyy: 1, Izz: 1 } },
      '[bad-body] `arm`: no body has this inertia: about its principal axes it would be -1, 1 and 1 kg.m2, and one of them is negative. | Products of inertia must be small against the moments; look at their signs and units.',
    ],
    [
      'products that are too large',
      { explicit: { mass: 1, Ixx: 1, Iyy: 1, Izz: 1, Ixy: 2 } },
      '[bad-body] `arm`: no body has this inertia: about its principal axes it would be -1, 1 and 3 kg.m2, and one of them is negative. | Products of inertia must be small against the moments; look at their signs and units.',
    ],
    [
      'moments against the triangle inequality',
      { explicit: { mass: 1, Ixx: 1, Iyy: 1, Izz: 2.5 } },
      '[bad-body] `arm`: no body has this inertia: about its principal axes it would be 1, 1 and 2.5 kg.m2, and the last is greater than the sum of the others. | Moments of inertia are about the centre of mass, in the axes of the object.',
    ],
    [
      'an unknown material',
      { shape: box, material: 'Aluminum' },
      '[unknown-name] `arm`: there is no solid material `Aluminum`. | Did you mean `Aluminium`?',
    ],
  ])('%s', (_, given, message) => {
    expect(refusal(() => massOf('arm', given))).toBe(message);
  });

  test('sizes beyond the numbers of a computer', () => {
    const huge = checkedShape('it', { kind: 'sphere', diameter: 1e150 });
    expect(refusal(() => massOf('arm', { shape: huge, mass: 1 }))).toContain('beyond the numbers');
    const large = checkedShape('it', { kind: 'sphere', diameter: 1e100 });
    expect(refusal(() => massOf('arm', { shape: large, density: 1 }))).toContain('beyond the numbers');
    const tiny = checkedShape('it', { kind: 'sphere', diameter: 1e-150 });
    expect(refusal(() => massOf('arm', { shape: tiny, mass: 1 }))).toContain('beyond the numbers');
  });

  test('rounded moments of a plate and of a rod are those of bodies', () => {
    expect(massOf('it', { explicit: { mass: 1, Ixx: 0.08333, Iyy: 0.08333, Izz: 0.16667 } }).mass).toBe(1);
    expect(massOf('it', { explicit: { mass: 1, Iyy: 0.0833, Izz: 0.0833 } }).mass).toBe(1);
  });

  test('a rod that lies askew is a body, in whichever direction', () => {
    fc.assert(
      fc.property(rotations, (turn) => {
        const [Ixx, Ixy, Ixz, , Iyy, Iyz, , , Izz] = product(
          product(turn, diagonal(0, 1, 1)),
          transposed(turn),
        );
        expect(massOf('it', { explicit: { mass: 1, Ixx, Iyy, Izz, Ixy, Ixz, Iyz } }).mass).toBe(1);
      }),
    );
  });
});

describe('principal moments', () => {
  const moments = fc.double({ min: -5, max: 5, noNaN: true });

  test('do not change when a body is turned', () => {
    fc.assert(
      fc.property(rotations, moments, moments, moments, (turn, ...given) => {
        const turned = product(product(turn, diagonal(...given)), transposed(turn));
        const expected = [...given].sort((a, b) => a - b);
        const size = Math.max(...given.map(Math.abs), 1e-300);
        for (const [k, value] of principalMoments(turned).entries()) {
          expect(Math.abs(value - expected[k]!)).toBeLessThanOrEqual(1e-14 * size);
        }
      }),
    );
  });

  test('of a matrix with known eigenvalues', () => {
    const [a, b, c] = principalMoments([2, -1, 0, -1, 2, -1, 0, -1, 2]);
    expect(a).toBeCloseTo(2 - Math.SQRT2, 14);
    expect(b).toBeCloseTo(2, 14);
    expect(c).toBeCloseTo(2 + Math.SQRT2, 14);
    expect(principalMoments(diagonal(3, 1, 2))).toEqual([1, 2, 3]);
    expect(
      principalMoments([1e-200, 1e-200, 0, 1e-200, 1e-200, 0, 0, 0, 0]).map((x) => x * 1e200)[2],
    ).toBeCloseTo(2, 14);
  });
});

test('bodies that are joined, then moved, are those that are moved, then joined', () => {
  fc.assert(
    fc.property(rotations, vectors(10), vectors(1), (rotation, translation, at) => {
      const pose = { rotation, translation };
      const parts = [
        massOf('a', { shape: box, mass: 3 }),
        movedMass(massOf('b', { shape: box, density: 1 }), {
          rotation: transposed(rotation),
          translation: at,
        }),
      ];
      const joined = joinedMass(parts.map((part) => movedMass(part, pose)));
      expectSame(joined, movedMass(joinedMass(parts), pose), 1e-12, 10);
    }),
  );
});
