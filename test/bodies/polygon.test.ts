/** Flat polygons as triangles: all of these go round as the polygon does, and their areas add up to its area, so that none covers what is outside. */
import { describe, expect, test } from 'vitest';
import { polygonTriangles } from '../../src/bodies/shapes/polygon.ts';
import { cross, dot, minus, type Vector } from '../../src/bodies/space.ts';
import { loadModel, simulate } from '../../src/index.ts';
import { close } from '../models/notation.ts';

type Point = readonly [number, number];

const star: Point[] = Array.from({ length: 14 }, (_, k) => {
  const [radius, angle] = [k % 2 === 0 ? 1 : 0.3, (Math.PI * k) / 7];
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
});
const comb: Point[] = [
  [0, 0],
  [9, 0],
  ...[4, 3, 2, 1, 0].flatMap((k): Point[] => [
    [2 * k + 1, 3],
    [2 * k, 3],
    ...(k > 0
      ? ([
          [2 * k, 1],
          [2 * k - 1, 1],
        ] as Point[])
      : []),
  ]),
];
const spiral: Point[] = [0, 1].flatMap((side) =>
  Array.from({ length: 40 }, (_, k): Point => {
    const along = side === 0 ? k : 39 - k;
    const [radius, angle] = [1 + 0.1 * along + 0.4 * side, -0.4 * along];
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  }),
);
const shapes: Record<string, Point[]> = {
  square: [
    [0, 0],
    [2, 0],
    [2, 2],
    [0, 2],
  ],
  'an L': [
    [0, 3],
    [0, 0],
    [3, 0],
    [3, 1],
    [1, 1],
    [1, 3],
  ],
  'a square with a hole, to which a cut leads': [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [0, 0],
    [1, 1],
    [1, 3],
    [3, 3],
    [3, 1],
    [1, 1],
  ],
  'a square with corners on its edges': [
    [0, 0],
    [1, 0],
    [2, 0],
    [2, 1],
    [2, 2],
    [1, 1.5],
    [0, 2],
  ],
  star,
  comb,
  spiral,
};

/** In a plane of space that is not one of the axes. */
const [first, second]: [Vector, Vector] = [
  [2 / 3, 2 / 3, 1 / 3],
  [1 / 3, -2 / 3, 2 / 3],
];
const placed = ([x, y]: Point): Vector => [
  7 + x * first[0] + y * second[0],
  -2 + x * first[1] + y * second[1],
  x * first[2] + y * second[2],
];

describe.each(Object.entries(shapes))('%s', (_, points) => {
  const normal = cross(first, second);
  test.each([0, 1, 2, 3])('is covered once, from whichever corner it begins (%i)', (begin) => {
    const corners = [...points.slice(begin), ...points.slice(0, begin)];
    const area = Math.abs(
      corners.reduce((sum, [x, y], k) => {
        const [u, v] = corners[(k + 1) % corners.length]!;
        return sum + (x * v - u * y) / 2;
      }, 0),
    );
    const space = corners.map(placed);
    const areas = polygonTriangles(space).map(
      ([a, b, c]) => dot(normal, cross(minus(space[b]!, space[a]!), minus(space[c]!, space[a]!))) / 2,
    );
    expect(areas).toHaveLength(corners.length - 2);
    close(
      areas.reduce((sum, value) => sum + Math.abs(value), 0),
      area,
      1e-12,
    );
    close(Math.abs(areas.reduce((sum, value) => sum + value, 0)), area, 1e-12);
  });
});

test('a ball lies on the foot of an L whose sides are one face each, and not on what is missing of its square', async () => {
  const sides = [0, 1, 2, 3, 4, 5].map((k) => [k + 1, ((k + 1) % 6) + 1, ((k + 1) % 6) + 7, k + 7]);
  const outline = [0, 0.3, 0, 0, 0.3, 0, 0.3, 0.1, 0.1, 0.1, 0.1, 0.3];
  const vertices = [0, 0.1].flatMap((z) =>
    [0, 1, 2, 3, 4, 5].map((k) => `v ${outline[2 * k]} ${outline[2 * k + 1]} ${z}\n`),
  );
  const faces = [[6, 5, 4, 3, 2, 1], [7, 8, 9, 10, 11, 12], ...sides].map((face) => `f ${face.join(' ')}\n`);
  const text = `model OnTheFoot
  import Mutabor.Bodies.*;
  World world(rigidContact = true);
  Mesh part(parent = "world", file = "L.obj", contact = true);
  Sphere ball(fixed = false, translation = {0.2, 0.15, 0.05}, diameter = 0.08, mass = 1, contact = true);
  ContactLaw law(restitution = 0);
end OnTheFoot;`;
  const files = { 'L.obj': [...vertices, ...faces].join('') };
  const { diagnostics, table } = await simulate(loadModel(text, undefined, {}, { files }), { stopTime: 0.2 });
  expect(diagnostics).toEqual([]);
  close(table.value('ball.r[2]', 0.2), 0.14, 1e-9);
  close(table.value('ball.r[1]', 0.2), 0.2, 1e-9);
});
