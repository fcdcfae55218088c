/** Rows as text: `2x 3y` has the constant coefficients 2 and 3, `?x` a coefficient that changes. Weights are given by name, 30 where they are not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { peel } from '../../src/structure/peel.ts';
import { chooseColumns } from '../../src/structure/pivot.ts';

type Coefficient = number | '?';

function peeled(rows: readonly string[], given: Record<string, number> = {}) {
  const names = [...new Set(rows.join(' ').match(/[a-z]\w*/g))].sort();
  const matrix = rows.map((row) =>
    row.split(' ').map((term) => {
      const [, number, name] = /^(\?|[-\d.]*)([a-z]\w*)$/.exec(term)!;
      const value: Coefficient = number === '?' ? '?' : number === '' ? 1 : Number(number);
      return { column: names.indexOf(name!), value };
    }),
  );
  const { dependent, cores } = peel(
    matrix,
    names.map((name) => given[name] ?? 30),
    (value) => value !== '?' && value !== 0,
  );
  const text = (columns: readonly number[]) => columns.map((k) => names[k]).join(' ');
  return { dependent: text([...dependent].sort()), cores: cores.map(({ columns }) => text(columns)) };
}

describe('what needs no choice by values', () => {
  test('a column of one row, with a constant coefficient', () => {
    expect(peeled(['2x ?y'])).toEqual({ dependent: 'x', cores: [] });
    expect(peeled(['?x ?y'])).toEqual({ dependent: '', cores: ['x y'] });
  });

  test('of equals the last; the less wanted before', () => {
    expect(peeled(['x y']).dependent).toBe('y');
    expect(peeled(['x y'], { y: 40 }).dependent).toBe('x');
  });

  test('not one that is wanted more than another of its row', () => {
    expect(peeled(['x ?y', '?y ?z'], { x: 40 })).toEqual({ dependent: '', cores: ['x y z'] });
    expect(peeled(['x ?y', '?y ?z'])).toEqual({ dependent: 'x', cores: ['y z'] });
  });

  test('a row of one column, and what fits after it', () => {
    // z is dependent by the first row; then x stands beside columns that are wanted more.
    expect(peeled(['?z', '?z x ?y', '?y ?w'], { z: 10, x: 20 })).toEqual({
      dependent: 'x z',
      cores: ['w y'],
    });
  });

  test('what hangs together through a peeled row only are cores of their own', () => {
    expect(peeled(['q ?x ?y', '?x ?u', '?y ?v']).cores).toEqual(['u x', 'v y']);
  });
});

const problems = fc.integer({ min: 1, max: 6 }).chain((m) =>
  fc.record({
    matrix: fc.array(fc.array(fc.constantFrom(0, 0, 0, 1, 2, -3), { minLength: 8, maxLength: 8 }), {
      minLength: m,
      maxLength: m,
    }),
    varies: fc.array(fc.boolean(), { minLength: 48, maxLength: 48 }),
    weights: fc.array(fc.constantFrom(10, 30, 50), { minLength: 8, maxLength: 8 }),
  }),
);

test('with the best choice in the cores, states are as wanted as those of the best choice of all', () => {
  fc.assert(
    fc.property(problems, ({ matrix, varies, weights }) => {
      const rows = matrix.map((row) =>
        row.map((value, column) => ({ column, value })).filter((e) => e.value !== 0),
      );
      const best = chooseColumns(rows, weights);
      if (best.length < rows.length) return;
      const marked = rows.map((row, i) =>
        row.map((entry) => ({
          column: entry.column,
          value: { ...entry, varies: varies[8 * i + entry.column] },
        })),
      );
      const { dependent, cores } = peel(marked, weights, (value) => !value.varies);
      const chosen = [...dependent];
      for (const core of cores) {
        const own = core.rows.map((i) =>
          rows[i]!.filter(({ column }) => core.columns.includes(column)).map(({ column, value }) => ({
            column: core.columns.indexOf(column),
            value,
          })),
        );
        const found = chooseColumns(
          own,
          core.columns.map((k) => weights[k]!),
        );
        expect(found.length).toBe(core.rows.length);
        chosen.push(...found.map((k) => core.columns[k]!));
      }
      const wanted = (columns: readonly number[]) => columns.map((k) => weights[k]!).sort();
      expect(wanted(chosen)).toEqual(wanted(best));
      const square = rows.map((row) => row.filter(({ column }) => chosen.includes(column)));
      expect(chooseColumns(square, weights).length).toBe(rows.length);
    }),
  );
});
