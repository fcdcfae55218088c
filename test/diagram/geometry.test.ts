import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apply,
  inverse,
  type Matrix,
  mapping,
  type Placing,
  type Point,
  placingMatrix,
  rotation,
  times,
} from '../../src/diagram/geometry.ts';

const coordinate = fc.integer({ min: -200, max: 200 });
const point = fc.tuple(coordinate, coordinate);
const extent = fc.tuple(point, point).filter(([a, b]) => a[0] !== b[0] && a[1] !== b[1]);
const placing = fc.record({ extent, rotation: fc.integer({ min: -360, max: 360 }), origin: point });

const near = ([x, y]: Point, [u, v]: Point): void => {
  expect(x).toBeCloseTo(u, 6);
  expect(y).toBeCloseTo(v, 6);
};

/** Step by step as the specification has it: scale, mirror, turn around the origin, move. */
function placed(
  { extent: [a, b], rotation: degrees, origin }: Placing,
  [from, to]: readonly [Point, Point],
  [x, y]: Point,
): Point {
  const u = a[0] + ((x - from[0]) / (to[0] - from[0])) * (b[0] - a[0]);
  const v = a[1] + ((y - from[1]) / (to[1] - from[1])) * (b[1] - a[1]);
  const angle = (degrees / 180) * Math.PI;
  return [
    origin[0] + u * Math.cos(angle) - v * Math.sin(angle),
    origin[1] + u * Math.sin(angle) + v * Math.cos(angle),
  ];
}

describe('maps of the plane', () => {
  test('place things as the specification says', () => {
    fc.assert(
      fc.property(placing, extent, point, (own, system, at) => {
        near(apply(placingMatrix(own, system), at), placed(own, system, at));
      }),
    );
  });

  test('have inverses, and compose', () => {
    fc.assert(
      fc.property(placing, extent, placing, point, (own, system, other, at) => {
        const [a, b] = [placingMatrix(own, system), placingMatrix(other, system)];
        near(apply(times(a, b), at), apply(a, apply(b, at)));
        near(apply(inverse(a)!, apply(a, at)), at);
      }),
    );
  });

  test('quarters of a turn are exact', () => {
    expect(apply(rotation(90), [1, 2])).toEqual([-2, 1]);
    expect(apply(rotation(-90), [1, 2])).toEqual([2, -1]);
    expect(apply(rotation(540), [1, 2])).toEqual([-1, -2]);
  });

  test('what has no size is put in the middle, and has no inverse where it maps to a line', () => {
    const flat: Matrix = mapping(
      [
        [0, 0],
        [0, 2],
      ],
      [
        [10, 0],
        [20, 4],
      ],
    );
    expect(apply(flat, [0, 1])).toEqual([15, 2]);
    expect(inverse([1, 0, 2, 0, 0, 0])).toBeUndefined();
  });
});
