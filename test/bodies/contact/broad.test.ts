import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Broad } from '../../../src/bodies/contact/broad.ts';
import { convexOf } from '../../../src/bodies/contact/cores.ts';
import { boundsOf } from '../../../src/bodies/contact/support.ts';
import { applied, plus, scaled, transposed, type Vector } from '../../../src/bodies/space.ts';
import { almostLinear, orderOf } from '../../growth.ts';
import { rotations, vectors } from '../notation.ts';
import { reach, shapes } from './notation.ts';

const listed = (broad: Broad): [number, number][] =>
  Array.from({ length: broad.update() }, (_, k) => [broad.pairs[2 * k]!, broad.pairs[2 * k + 1]!]);

function place(broad: Broad, boxes: readonly (readonly [Vector, Vector])[]): void {
  for (const [k, [low, size]] of boxes.entries()) broad.bounds.set([...low, ...plus(low, size)], 6 * k);
}

function allPairs(boxes: readonly (readonly [Vector, Vector])[]): [number, number][] {
  const meets = (i: number, j: number): boolean =>
    [0, 1, 2].every((k) => {
      const [[low, size], [other, more]] = [boxes[i]!, boxes[j]!];
      return low[k]! <= other[k]! + more[k]! && other[k]! <= low[k]! + size[k]!;
    });
  return boxes.flatMap((_, i) =>
    boxes.flatMap((__, j): [number, number][] => (i < j && meets(i, j) ? [[i, j]] : [])),
  );
}

const sizes = vectors(1).map(([x, y, z]): Vector => [Math.abs(x), Math.abs(y), Math.abs(z)]);
const boxes = fc.array(fc.tuple(vectors(5), sizes), { maxLength: 60 });

test('pairs are those of all boxes that meet, also after they have moved', () => {
  fc.assert(
    fc.property(boxes, vectors(3), (some, drift) => {
      const broad = new Broad(some.length);
      place(broad, some);
      expect(listed(broad)).toEqual(allPairs(some));
      for (const part of [0.01, 0.5, 3]) {
        const moved = some.map(([low, size], k) => [plus(low, scaled(part * (k % 3), drift)), size] as const);
        place(broad, moved);
        expect(listed(broad)).toEqual(allPairs(moved));
      }
    }),
    { numRuns: 300, endOnFailure: true },
  );
});

test('boxes that touch meet, boxes at one place do not confuse', () => {
  const broad = new Broad(40);
  const unit: Vector = [1, 1, 1];
  place(
    broad,
    Array.from({ length: 40 }, () => [[0, 0, 0], unit] as const),
  );
  expect(broad.update()).toBe(780);
  place(
    broad,
    Array.from({ length: 40 }, (_, k) => [[k, 0, 0], unit] as const),
  );
  expect(listed(broad)).toEqual(Array.from({ length: 39 }, (_, k) => [k, k + 1]));
});

test('groups and objects can be left out, and come back', () => {
  const broad = new Broad(4);
  place(
    broad,
    Array.from(
      { length: 4 },
      () =>
        [
          [0, 0, 0],
          [1, 1, 1],
        ] as const,
    ),
  );
  broad.group[1] = broad.group[0]!;
  expect(listed(broad)).toEqual([
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ]);
  broad.off[0] = 1;
  expect(listed(broad)).toEqual([
    [1, 2],
    [1, 3],
    [2, 3],
  ]);
  broad.off[0] = 0;
  expect(broad.update()).toBe(5);
});

test('an object whose place is not a number is paired with all', () => {
  const broad = new Broad(3);
  place(broad, [
    [
      [0, 0, 0],
      [1, 1, 1],
    ],
    [
      [5, 0, 0],
      [1, 1, 1],
    ],
    [
      [Number.NaN, 0, 0],
      [1, 1, 1],
    ],
  ]);
  expect(listed(broad)).toContainEqual([0, 2]);
  expect(listed(broad)).toContainEqual([1, 2]);
});

test('none or one object has no pairs', () => {
  expect(new Broad(0).update()).toBe(0);
  expect(new Broad(1).update()).toBe(0);
});

test('the cost grows nearly linearly with objects in a heap', () => {
  const order = orderOf((n) => {
    const broad = new Broad(n);
    const side = Math.ceil(Math.cbrt(n));
    const heap = Array.from({ length: n }, (_, k): [Vector, Vector] => [
      [k % side, Math.floor(k / side) % side, Math.floor(k / side / side)],
      [1.01, 1.01, 1.01],
    ]);
    place(broad, heap);
    return () => {
      for (let k = 0; k < 20; k++) broad.update();
    };
  }, 1000);
  expect(order).toBeLessThan(almostLinear);
});

test('the box around a shape is as small as it can be', () => {
  fc.assert(
    fc.property(shapes, rotations, vectors(10), (shape, rotation, translation) => {
      const into = new Float64Array(6);
      boundsOf(
        convexOf(shape),
        Float64Array.from(rotation),
        Float64Array.from(translation),
        0,
        0.25,
        into,
        0,
      );
      for (const [k, axis] of (
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ] as const
      ).entries()) {
        const own = applied(transposed(rotation), axis);
        expect(into[3 + k]!).toBeCloseTo(translation[k]! + reach(shape, own) + 0.25, 12);
        expect(into[k]!).toBeCloseTo(translation[k]! - reach(shape, scaled(-1, own)) - 0.25, 12);
      }
    }),
  );
});
