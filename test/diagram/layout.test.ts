/** Layers, places and lines that nobody has drawn: laws on random graphs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { automaticPlaces, type Side, type Tie } from '../../src/diagram/automatic.ts';
import type { Extent, Point } from '../../src/diagram/geometry.ts';
import { type LayeredGraph, layered } from '../../src/diagram/layered.ts';
import { Router, straight } from '../../src/diagram/route.ts';
import { almostLinear, orderOf } from '../growth.ts';

const graphs: fc.Arbitrary<LayeredGraph> = fc.integer({ min: 1, max: 25 }).chain((count) =>
  fc.record({
    sizes: fc.array(fc.tuple(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 5, max: 60 })), {
      minLength: count,
      maxLength: count,
    }),
    edges: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 40 }),
    gaps: fc.constant([20, 10] as const),
  }),
);

describe('layers', () => {
  test('a chain is one row, and an edge past a node has a place of its own', () => {
    const sizes = [0, 1, 2].map(() => [20, 20] as const);
    const { along, across, bends, layer } = layered({
      sizes,
      edges: [
        [0, 1],
        [1, 2],
        [0, 2],
      ],
      gaps: [10, 10],
    });
    expect(layer).toEqual([0, 1, 2]);
    expect(along).toEqual([10, 40, 70]);
    expect(bends.map((list) => list.length)).toEqual([0, 0, 1]);
    expect(Math.abs(bends[2]![0]![1] - across[1]!)).toBeGreaterThanOrEqual(20);
  });

  test('edges cross no more than they must', () => {
    // Two bundles that would cross if the order of the nodes were kept.
    const sizes = Array.from({ length: 6 }, () => [10, 10] as const);
    const { across } = layered({
      sizes,
      edges: [
        [0, 5],
        [1, 4],
        [2, 3],
      ],
      gaps: [10, 10],
    });
    expect(Math.sign(across[0]! - across[1]!)).toBe(Math.sign(across[5]! - across[4]!));
    expect(Math.sign(across[1]! - across[2]!)).toBe(Math.sign(across[4]! - across[3]!));
  });

  test('nodes never overlap, and edges lead from layer to layer unless they close a cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { along, across, layer, size } = layered(graph);
        expect(layered(graph)).toEqual(layered(graph));
        const { sizes, edges, gaps } = graph;
        for (const [a, one] of sizes.entries()) {
          expect(Number.isFinite(along[a]) && Number.isFinite(across[a])).toBe(true);
          expect(Math.abs(across[a]!) + one[1] / 2).toBeLessThanOrEqual(size[1] / 2 + 1e-6);
          for (const [b, other] of sizes.entries()) {
            if (a >= b || layer[a] !== layer[b]) continue;
            expect(Math.abs(across[a]! - across[b]!)).toBeGreaterThanOrEqual(
              (one[1] + other[1]) / 2 + gaps[1] - 1e-6,
            );
          }
        }
        for (const [from, to] of edges) if (from !== to) expect(layer[from]).not.toBe(layer[to]);
        if (isAcyclic(sizes.length, edges))
          for (const [from, to] of edges) expect(layer[from]! < layer[to]! || from === to).toBe(true);
      }),
    );
  });

  test('cost grows almost as the graph does', () => {
    const chain = (count: number) => () => {
      const edges = Array.from({ length: count - 3 }, (_, k) => [k, k + 1 + (k % 3)] as const);
      return layered({
        sizes: edges
          .map(() => [20, 20] as const)
          .concat([
            [20, 20],
            [20, 20],
            [20, 20],
          ]),
        edges,
        gaps: [10, 10],
      });
    };
    expect(orderOf(chain, 2000)).toBeLessThan(almostLinear);
  });
});

function isAcyclic(count: number, edges: LayeredGraph['edges']): boolean {
  const waiting = new Array<number>(count).fill(0);
  const real = edges.filter(([from, to]) => from !== to);
  for (const [, to] of real) waiting[to]!++;
  const done = [...waiting.keys()].filter((node) => waiting[node] === 0);
  for (const node of done)
    for (const [from, to] of real) if (from === node && --waiting[to]! === 0) done.push(to);
  return done.length === count;
}

const sides: fc.Arbitrary<Side> = fc.constantFrom('left', 'right', 'above', 'below', 'middle');
const overlap = ([a, b]: Extent, [c, d]: Extent): boolean =>
  a[0] < d[0] && c[0] < b[0] && a[1] < d[1] && c[1] < b[1];
const boxAt = ([x, y]: Point, [w, h]: Point): Extent => [
  [x - w / 2, y - h / 2],
  [x + w / 2, y + h / 2],
];

describe('places', () => {
  test('of components without one cover nothing, and are the same each time', () => {
    const cases = fc.record({
      free: fc.integer({ min: 0, max: 12 }),
      placed: fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })), {
        maxLength: 5,
      }),
      ties: fc.array(fc.tuple(fc.nat(16), fc.nat(16), sides, sides), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(cases, ({ free, placed, ties }) => {
        const boxes = Array.from({ length: free }, (_, k) => ({ name: `f${k}`, size: [20, 20] as const }));
        const others = new Map(placed.map(([x, y], k) => [`p${k}`, boxAt([10 * x, 10 * y], [20, 20])]));
        const name = (k: number): string => (k < free ? `f${k}` : `p${k - free}`);
        const own = ties.map(
          ([a, b, fromSide, toSide]): Tie => ({ from: name(a), to: name(b), fromSide, toSide }),
        );
        const known = own.filter(
          ({ from, to }) =>
            from !== to &&
            [from, to].every((one) => (one[0] === 'f' ? Number(one.slice(1)) < free : others.has(one))),
        );
        const places = automaticPlaces(boxes, others, known);
        expect(places).toEqual(automaticPlaces(boxes, others, known));
        expect([...places.keys()].sort()).toEqual(boxes.map((box) => box.name).sort());
        const all = [...places.values()].map((at) => boxAt(at, [20, 20]));
        for (const [k, one] of all.entries()) {
          for (const other of all.slice(k + 1)) expect(overlap(one, other)).toBe(false);
          for (const other of others.values()) expect(overlap(one, other)).toBe(false);
        }
      }),
    );
  });
});

describe('lines', () => {
  const end = (at: Point, outwards?: Point, box?: Extent) => ({ at, outwards, box, net: at.join() });

  test('are horizontal and vertical, and end where they must', () => {
    const point = fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 }));
    const direction = fc.constantFrom<Point | undefined>([1, 0], [-1, 0], [0, 1], [0, -1], undefined);
    fc.assert(
      fc.property(point, point, direction, direction, (a, b, from, to) => {
        const points = new Router([]).route(end(a, from), end(b, to));
        expect([points[0], points.at(-1)]).toEqual(points.length > 1 ? [a, b] : [a, a]);
        for (let k = 1; k < points.length; k++)
          expect(points[k]![0] === points[k - 1]![0] || points[k]![1] === points[k - 1]![1]).toBe(true);
      }),
    );
  });

  test('leave outwards, go round what lies between, and not upon each other', () => {
    const wall: Extent = [
      [-10, -30],
      [10, 30],
    ];
    const router = new Router([wall]);
    const points = router.route(end([-50, 0], [1, 0]), end([50, 0], [-1, 0]));
    const isThrough = points.some(
      (point, k) =>
        k > 0 &&
        overlap(
          [
            [Math.min(point[0], points[k - 1]![0]), Math.min(point[1], points[k - 1]![1]) - 1e-9],
            [Math.max(point[0], points[k - 1]![0]), Math.max(point[1], points[k - 1]![1]) + 1e-9],
          ],
          wall,
        ),
    );
    expect(isThrough).toBe(false);
    const free = new Router([]);
    const first = free.route(end([0, 0], [1, 0]), end([60, 40], [-1, 0]));
    const second = free.route(end([0, 10], [1, 0]), end([60, 50], [-1, 0]));
    const turn = (line: readonly Point[]) => line[1]![0];
    expect(turn(first)).not.toBe(turn(second));
  });

  test('have no points in vain', () => {
    expect(
      straight([
        [0, 0],
        [5, 0],
        [5, 0],
        [10, 0],
        [10, 5],
      ]),
    ).toEqual([
      [0, 0],
      [10, 0],
      [10, 5],
    ]);
  });
});
