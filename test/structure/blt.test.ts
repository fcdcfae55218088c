import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Incidence, incidenceOf } from '../../src/collections/incidence.ts';
import { Matching } from '../../src/collections/matching.ts';
import { type Blocks, sortBlocks } from '../../src/structure/graph/blt.ts';
import { tear } from '../../src/structure/graph/tearing.ts';
import { adjacency, graph, regularLists } from './graphs.ts';

function blocksOf(incidence: Incidence): { blocks: number[][]; matching: Matching } {
  const matching = new Matching(incidence).maximise();
  const { order, starts }: Blocks = sortBlocks(incidence, matching.columnOf, matching.rowOf);
  const blocks = Array.from({ length: starts.length - 1 }, (_, b) => [
    ...order.subarray(starts[b]!, starts[b + 1]!),
  ]);
  return { blocks, matching };
}

describe('block lower triangular form', () => {
  test('a loop of two between what it needs and what needs it', () => {
    const { incidence } = graph('d c', 'b c a', 'a', 'b c');
    expect(blocksOf(incidence).blocks.map((block) => block.sort())).toEqual([[2], [1, 3], [0]]);
  });

  test('a chain of 200,000 needs no recursion', () => {
    const n = 200_000;
    const rows = Array.from({ length: n }, (_, i) => (i < n - 1 ? [i, i + 1] : [i]));
    const { blocks } = blocksOf(incidenceOf(rows, n));
    expect(blocks.length).toBe(n);
    expect(blocks[0]).toEqual([n - 1]);
  });

  test('every block needs only itself and what comes before; no block can be split', () => {
    fc.assert(
      fc.property(regularLists(9), (rows) => {
        const incidence = incidenceOf(rows, rows.length);
        const { blocks, matching } = blocksOf(incidence);
        expect(blocks.flat().sort((a, b) => a - b)).toEqual(rows.map((_, i) => i));
        const known = new Set<number>();
        for (const block of blocks) {
          for (const i of block) known.add(matching.columnOf[i]!);
          for (const i of block) for (const j of rows[i]!) expect(known).toContain(j);
          for (const from of block)
            for (const to of block) expect(reaches(rows, matching, from, to)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** Whether row `from` needs row `to`, directly or through others. */
function reaches(
  rows: readonly (readonly number[])[],
  matching: Matching,
  from: number,
  to: number,
): boolean {
  const seen = new Set([from]);
  for (const row of seen) for (const j of rows[row]!) seen.add(matching.rowOf[j]!);
  return seen.has(to);
}

type Of = (cell: number) => number;

describe('tearing', () => {
  test('one guess opens a ring', () => {
    const { incidence } = graph('a b', 'b c', 'c d', 'd a');
    const result = tear(incidence, new Uint8Array(8).fill(1));
    expect(result.tears.length).toBe(1);
    expect(result.inner.length).toBe(3);
  });

  test('chains in which errors would multiply are cut to pieces', () => {
    const n = 50;
    const rows = Array.from({ length: n }, (_, i) => [i - 1, i, i + 1].filter((j) => j >= 0 && j < n));
    const incidence = incidenceOf(rows, n);
    const { tears, inner } = tear(incidence, new Uint8Array(incidence.targets.length).fill(1));
    expect(tears.length).toBeLessThan(n / 3);
    // Growth of x[i+1] = 4*x[i] - x[i-1] and the like from a guess of 1; other guesses are 0.
    const values = new Float64Array(n);
    values[tears[0]!] = 1;
    for (const { row, column } of inner)
      values[column] = rows[row]!.reduce((sum, j) => sum + (j === column ? 0 : 4 * Math.abs(values[j]!)), 0);
    expect(Math.max(...values)).toBeLessThan(1e5);
  });

  test('a bridge of diodes: one guess for each, and no division by what switches', () => {
    // By diode k: voltage vk = ak*sk and current ik = bk*sk; nodes A, B, P; currents r and l of the resistors; source S.
    const { incidence } = graph(
      ...[1, 2, 3, 4].flatMap((k) => [`v${k} s${k}`, `i${k} s${k}`]),
      'v1 A P',
      'v2 A',
      'v3 B P',
      'v4 B',
      'S B',
      'r S A',
      'l P',
      'i1 i3 l',
      'r i1 i2',
      'r i3 i4',
    );
    const solvable = new Uint8Array(incidence.targets.length).fill(1);
    for (let row = 0; row < 8; row++) solvable[incidence.starts[row]! + 1] = 0;
    expect(tear(incidence, solvable).tears.length).toBe(4);
  });

  test('a large block stays sparse: in a line of resistors and diodes the potentials are guessed', () => {
    // By cell: potential u, voltage v and current i of the resistor to it, current d of the diode, which no row gives u from.
    const cells = 500;
    const [u, v, i, d] = [0, 1, 2, 3].map((k) => (cell: number) => 4 * cell + k) as [Of, Of, Of, Of];
    const rows = Array.from({ length: cells }, (_, k) => [
      k > 0 ? [v(k), u(k - 1), u(k)] : [v(k), u(k)],
      [v(k), i(k)],
      [d(k), u(k)],
      k < cells - 1 ? [i(k), i(k + 1), d(k)] : [i(k), d(k)],
    ]).flat();
    const incidence = incidenceOf(rows, 4 * cells);
    const solvable = Uint8Array.from(incidence.targets, (column, e) => {
      const isDiode = incidence.starts.findLastIndex((start) => start <= e) % 4 === 2;
      return isDiode && column % 4 === 0 ? 0 : 1;
    });
    const { tears, inner } = tear(incidence, solvable, undefined, 60);
    expect(tears.length).toBeLessThanOrEqual(cells);
    const behind = new Map(tears.map((column) => [column, new Set([column])]));
    for (const { row, column } of inner) {
      const others = rows[row]!.filter((j) => j !== column).flatMap((j) => [...behind.get(j)!]);
      behind.set(column, new Set(others));
    }
    expect(Math.max(...[...behind.values()].map((guesses) => guesses.size))).toBeLessThanOrEqual(6);
  });

  test('what an equation is not solvable for is guessed', () => {
    const { incidence } = graph('a b', 'a b');
    expect(tear(incidence, Uint8Array.from([0, 0, 0, 0]))).toEqual({
      tears: [0, 1],
      residuals: [0, 1],
      inner: [],
    });
  });

  test('guarded columns are guessed last', () => {
    const { incidence } = graph('a b c', 'a b', 'a c');
    const all = new Uint8Array(7).fill(1);
    expect(tear(incidence, all).tears).toEqual([0]);
    expect(tear(incidence, all, Uint8Array.from([1, 0, 0])).tears).toEqual([1]);
  });

  test('inner equations follow from what is known, by solvable entries alone', () => {
    const solvableSystems = regularLists(9).chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.array(fc.boolean(), { minLength: rows.flat().length, maxLength: rows.flat().length }),
      ),
    );
    fc.assert(
      fc.property(solvableSystems, fc.boolean(), ([rows, flags], isLarge) => {
        const incidence = incidenceOf(rows, rows.length);
        const limit = isLarge ? 0 : undefined;
        const { tears, residuals, inner } = tear(incidence, Uint8Array.from(flags, Number), undefined, limit);
        expect(residuals.length).toBe(tears.length);
        const known = new Set(tears);
        const list = adjacency(incidence);
        for (const { row, column } of inner) {
          const e = incidence.starts[row]! + list[row]!.indexOf(column);
          expect(flags[e]).toBe(true);
          expect(known.has(column)).toBe(false);
          for (const j of rows[row]!) if (j !== column) expect(known).toContain(j);
          known.add(column);
        }
        expect(known.size).toBe(rows.length);
        expect(new Set([...residuals, ...inner.map((step) => step.row)]).size).toBe(rows.length);
      }),
      { numRuns: 200 },
    );
  });
});
