import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { incidenceOf, transpose } from '../../src/collections/incidence.ts';
import { Matching } from '../../src/collections/matching.ts';
import { dulmageMendelsohn } from '../../src/structure/graph/decomposition.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { adjacency, graph, lists } from './graphs.ts';

/** The size of a maximum matching by trying everything. */
function bruteForce(rows: readonly (readonly number[])[], i = 0, taken = 0): number {
  if (i === rows.length) return 0;
  let best = bruteForce(rows, i + 1, taken);
  for (const column of rows[i]!) {
    if (taken & (1 << column)) continue;
    best = Math.max(best, 1 + bruteForce(rows, i + 1, taken | (1 << column)));
  }
  return best;
}

function expectMatching(matching: Matching) {
  const rows = adjacency(matching.graph);
  let size = 0;
  matching.columnOf.forEach((column, row) => {
    if (column === -1) return;
    size++;
    expect(rows[row]).toContain(column);
    expect(matching.rowOf[column]).toBe(row);
  });
  expect(matching.rowOf.filter((row) => row !== -1).length).toBe(size);
  expect(matching.size).toBe(size);
}

const sizes = fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }));
const structures = sizes.chain(([m, n]) => fc.tuple(lists(m, n), fc.constant(n)));

describe('maximum matching', () => {
  test('an alternating path turns earlier choices round', () => {
    const { incidence } = graph('a b', 'a', 'b c', 'c d');
    expect([...new Matching(incidence).maximise().columnOf]).toEqual([1, 0, 2, 3]);
  });

  test('has the size that trying everything finds', () => {
    fc.assert(
      fc.property(structures, ([rows, columns]) => {
        const matching = new Matching(incidenceOf(rows, columns)).maximise();
        expectMatching(matching);
        expect(matching.size).toBe(bruteForce(rows));
      }),
      { numRuns: 250 },
    );
  });

  test('row by row it takes a row exactly when the size grows', () => {
    fc.assert(
      fc.property(structures, fc.nat(7), ([rows, columns], first) => {
        const start = Math.min(first, rows.length);
        const matching = new Matching(incidenceOf(rows, columns)).maximise(start);
        expect(matching.size).toBe(bruteForce(rows.slice(0, start)));
        const taken = rows.slice(0, start).filter((_, i) => matching.columnOf[i] !== -1);
        for (let i = start; i < rows.length; i++) {
          const possible = bruteForce([...taken, rows[i]!]) > taken.length;
          expect(matching.augment(i)).toBe(possible);
          if (possible) taken.push(rows[i]!);
          expectMatching(matching);
        }
      }),
      { numRuns: 250 },
    );
  });

  test('a chain of 200,000 rows that all have to move', () => {
    const n = 200_000;
    const rows = Array.from({ length: n }, (_, i) => (i < n - 1 ? [i, i + 1] : [0]));
    const matching = new Matching(incidenceOf(rows, n)).maximise();
    expect(matching.size).toBe(n);
    expect(matching.columnOf[0]).toBe(1);
  });

  test('many rows that do not fit cost one walk through the graph', () => {
    const extras = (n: number) => {
      const rows = Array.from({ length: n }, (_, i) => [i, Math.min(i + 1, n - 1)]);
      const extra = Array.from({ length: n }, (_, i) => [i]);
      const matching = new Matching(incidenceOf([...rows, ...extra], n)).maximise(n);
      return () => {
        for (let i = n; i < 2 * n; i++) if (matching.augment(i)) throw new Error(`row ${i} fits`);
      };
    };
    expect(orderOf(extras, 12_500)).toBeLessThan(almostLinear);
  });
});

describe('decomposition of Dulmage and Mendelsohn', () => {
  test('two equations for one unknown, one equation for two others', () => {
    const { incidence } = graph('a', 'a', 'b c', 'd');
    const parts = dulmageMendelsohn(new Matching(incidence).maximise());
    expect(parts.over).toEqual({ rows: [0, 1], columns: [0] });
    expect(parts.under).toEqual({ rows: [2], columns: [1, 2] });
    expect(parts.well).toEqual({ rows: [3], columns: [3] });
  });

  test('parts cover everything once, do not touch, and have the right shape', () => {
    fc.assert(
      fc.property(structures, ([rows, columns]) => {
        const incidence = incidenceOf(rows, columns);
        const matching = new Matching(incidence).maximise();
        const { over, under, well } = dulmageMendelsohn(matching);
        const all = (k: 'rows' | 'columns') => [...over[k], ...under[k], ...well[k]].sort((a, b) => a - b);
        expect(all('rows')).toEqual(rows.map((_, i) => i));
        expect(all('columns')).toEqual(Array.from({ length: columns }, (_, j) => j));
        expect(well.rows.length).toBe(well.columns.length);
        expect(over.rows.length - over.columns.length).toBe(rows.length - matching.size);
        expect(under.columns.length - under.rows.length).toBe(columns - matching.size);
        // Over-determined equations have no other unknowns; under-determined unknowns stand in no other
        // equations.
        for (const i of over.rows) for (const j of rows[i]!) expect(over.columns).toContain(j);
        const rowsOf = adjacency(transpose(incidence));
        for (const j of under.columns) for (const i of rowsOf[j]!) expect(under.rows).toContain(i);
      }),
      { numRuns: 250 },
    );
  });
});
