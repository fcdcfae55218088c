import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Axis, checkedShape, type GivenShape, type SolidShape } from '../../src/bodies/shapes/shape.ts';
import { volumeOf } from '../../src/bodies/shapes/volume.ts';
import type { Vector } from '../../src/bodies/space.ts';
import { type Cell, expectSame, integrated, lengths } from './notation.ts';

const solid = (given: GivenShape): SolidShape => checkedShape('it', given) as SolidShape;
const volume = (given: GivenShape) => volumeOf('it', solid(given));

const axes = fc.constantFrom<Axis>(1, 2, 3);
/** Which of u, v, w stands in each place of x, y, z. */
const places: Readonly<Record<Axis, readonly [number, number, number]>> = {
  1: [2, 0, 1],
  2: [1, 2, 0],
  3: [0, 1, 2],
};
const turned =
  (axis: Axis, cell: Cell): Cell =>
  (a, b, c) => {
    const { at, weight } = cell(a, b, c);
    const [x, y, z] = places[axis];
    return { at: [at[x]!, at[y]!, at[z]!], weight };
  };

/** Between two radii, which may change with the height. */
const rounded =
  (inner: (h: number) => number, outer: (h: number) => number, from: number, to: number): Cell =>
  (a, b, c) => {
    const h = from + (to - from) * c;
    const [low, high] = [inner(h), outer(h)];
    const r = low + (high - low) * a;
    const at: Vector = [r * Math.cos(2 * Math.PI * b), r * Math.sin(2 * Math.PI * b), h];
    return { at, weight: (high - low) * r * 2 * Math.PI * (to - from) };
  };

/** A part of a ball about a point of the axis, between two angles from the pole. */
const ball =
  (radius: number, centre: number, from: number, to: number): Cell =>
  (a, b, c) => {
    const [r, polar, phi] = [radius * a, from + (to - from) * c, 2 * Math.PI * b];
    const s = Math.sin(polar);
    return {
      at: [r * s * Math.cos(phi), r * s * Math.sin(phi), centre + r * Math.cos(polar)],
      weight: radius * r * r * s * 2 * Math.PI * (to - from),
    };
  };

const block =
  ([x, y, z]: Vector): Cell =>
  (a, b, c) => ({ at: [x * (a - 0.5), y * (b - 0.5), z * (c - 0.5)], weight: x * y * z });

/** Half a disc in the plane of w and u, of a thickness in v. */
const halfDisc =
  (radius: number, thickness: number, centre: number, side: number): Cell =>
  (a, b, c) => {
    const [r, angle] = [radius * a, Math.PI * (c - 0.5)];
    return {
      at: [r * Math.sin(angle), thickness * (b - 0.5), centre + side * r * Math.cos(angle)],
      weight: radius * r * thickness * Math.PI,
    };
  };

describe('volume, centre and inertia are those of quadrature', () => {
  const holds = (given: GivenShape, axis: Axis, ...cells: Cell[]) =>
    expectSame(volume(given), integrated(cells.map((cell) => turned(axis, cell))), 1e-9, 10);
  const few = { numRuns: 12 };

  test('sphere and ellipsoid', () => {
    fc.assert(
      fc.property(lengths, lengths, lengths, (lengthX, lengthY, lengthZ) => {
        const unit = ball(1, 0, 0, Math.PI);
        const stretched: Cell = (a, b, c) => {
          const { at, weight } = unit(a, b, c);
          return {
            at: [(at[0] * lengthX) / 2, (at[1] * lengthY) / 2, (at[2] * lengthZ) / 2],
            weight: (weight * lengthX * lengthY * lengthZ) / 8,
          };
        };
        holds({ kind: 'ellipsoid', lengthX, lengthY, lengthZ }, 3, stretched);
        holds({ kind: 'sphere', diameter: lengthX }, 3, ball(lengthX / 2, 0, 0, Math.PI));
      }),
      few,
    );
  });

  test('box', () => {
    fc.assert(
      fc.property(lengths, lengths, lengths, (lengthX, lengthY, lengthZ) =>
        holds({ kind: 'box', lengthX, lengthY, lengthZ }, 3, block([lengthX, lengthY, lengthZ])),
      ),
      few,
    );
  });

  test('cylinder and tube', () => {
    const part = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(axes, lengths, lengths, part, (axis, diameter, length, wall) => {
        const innerDiameter = wall * diameter;
        const cell = rounded(
          () => innerDiameter / 2,
          () => diameter / 2,
          -length / 2,
          length / 2,
        );
        holds({ kind: 'cylinder', axis, diameter, length, innerDiameter }, axis, cell);
      }),
      few,
    );
  });

  test('cone and frustum, from the centre of the base', () => {
    const tops = fc.oneof(fc.constant(0), lengths);
    fc.assert(
      fc.property(axes, lengths, tops, lengths, (axis, diameter, topDiameter, length) => {
        const radius = (h: number) => (diameter + ((topDiameter - diameter) * h) / length) / 2;
        const cell = rounded(() => 0, radius, 0, length);
        holds({ kind: 'cone', axis, diameter, topDiameter, length }, axis, cell);
      }),
      few,
    );
  });

  test('capsule, whose length is that of the cylinder', () => {
    fc.assert(
      fc.property(axes, lengths, lengths, (axis, diameter, length) => {
        const [r, h] = [diameter / 2, length / 2];
        const cylinder = rounded(
          () => 0,
          () => r,
          -h,
          h,
        );
        const ends = [ball(r, h, 0, Math.PI / 2), ball(r, -h, Math.PI / 2, Math.PI)];
        holds({ kind: 'capsule', axis, diameter, length }, axis, cylinder, ...ends);
      }),
      few,
    );
  });

  test('beam, whose length is the distance of the pivots', () => {
    fc.assert(
      fc.property(axes, lengths, lengths, lengths, (axis, length, width, thickness) => {
        const middle = block([width, thickness, length]);
        const ends = [1, -1].map((side) => halfDisc(width / 2, thickness, (side * length) / 2, side));
        holds({ kind: 'beam', axis, length, width, thickness }, axis, middle, ...ends);
      }),
      few,
    );
  });
});

describe('known numbers', () => {
  test('the steel beam of a pendulum', () => {
    const { mass, inertia } = volume({ kind: 'beam', axis: 1, length: 1, width: 0.2, thickness: 0.2 });
    expect(8000 * mass).toBeCloseTo(370.2654824574, 9);
    expect(8000 * inertia[8]).toBeCloseTo(42.684364693, 8);
    expect(8000 * (inertia[8] + mass / 4)).toBeCloseTo(135.250735308, 8);
  });

  test('a thin tube is exact', () => {
    const wall = 2 ** -40;
    const { mass } = volume({ kind: 'cylinder', diameter: 1, innerDiameter: 1 - wall, length: 1 });
    expect(mass / ((Math.PI / 4) * wall * (2 - wall))).toBeCloseTo(1, 14);
  });

  test('a beam along x is wide in y and thick in z', () => {
    const { inertia } = volume({ kind: 'beam', axis: 1, length: 4, width: 2, thickness: 1 });
    const [x, y, z] = [inertia[0], inertia[4], inertia[8]];
    expect(x).toBeLessThan(y);
    expect(y).toBeLessThan(z);
  });
});
