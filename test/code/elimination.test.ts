/** Elimination as code: systems A x = c with known solutions, in both back ends, and what residuals say of bad pivots. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elimination, type Pivot, planElimination } from '../../src/code/elimination.ts';
import { interpretUnit } from '../../src/code/interpret.ts';
import { Memory } from '../../src/code/memory.ts';
import type { PlanContext, SystemPlan } from '../../src/code/plan.ts';
import { Temporaries } from '../../src/code/temporaries.ts';
import { compileUnit } from '../../src/code/wasm.ts';
import { SparseLu } from '../../src/solve/sparse.ts';
import { Pool } from '../../src/symbolic/pool.ts';

const shares = { rounding: 4 * Number.EPSILON, trusted: 1e-9 };

interface System {
  /** By column: entries with their rows; constants are written into the code. */
  readonly columns: readonly (readonly { row: number; value: number; constant: boolean }[])[];
  readonly right: readonly number[];
}

/** The solution of A y = r by code, and what `check` and `trust` say of the residuals A x - r. */
function solved({ columns, right }: System, backEnd: typeof compileUnit, order?: readonly Pivot[]) {
  const n = columns.length;
  const pool = new Pool();
  const memory = new Memory();
  const temporaries = new Temporaries(pool, memory, 0);
  const entries = columns.flat();
  const starts = Int32Array.from({ length: n + 1 }, (_, j) => columns.slice(0, j).flat().length);
  const rows = Int32Array.from(entries, ({ row }) => row);
  const numbers = Float64Array.from(entries, ({ value }) => value);
  const lu = new SparseLu({ n, starts, rows });
  if (!lu.factor(numbers)) return undefined;
  const [nonzeros, residuals, unknowns] = [entries.length, n, n].map((count) =>
    Int32Array.from({ length: count }, () => memory.reserve(1)),
  ) as [Int32Array, Int32Array, Int32Array];
  const coefficients = entries.map(({ value, constant }) =>
    constant ? pool.const(value) : pool.apply('sin', pool.time),
  );
  const plan = { starts, rows, nonzeros, residuals, unknowns, coefficients } as unknown as SystemPlan;
  const context = { pool, memory, temporaries } as unknown as PlanContext;
  const code = planElimination(context, plan, order ?? lu.order, shares);
  const program = backEnd({ routines: code.routines, functions: [], pool, slotOf: code.slotOf }, memory);
  const { values } = memory;
  for (const [k, slot] of nonzeros.entries()) values[slot] = numbers[k]!;
  for (const slot of code.nominal) values[slot] = 1;
  const product = (x: readonly number[]) => {
    const sums = new Array<number>(n).fill(0);
    for (const [j, column] of columns.entries())
      for (const { row, value } of column) sums[row] = sums[row]! + value * x[j]!;
    return sums;
  };
  program.run(elimination.factor);
  const x = new Array<number>(n).fill(0);
  for (let k = 0; k < 3; k++) {
    const rest = product(x).map((sum, i) => sum - right[i]!);
    for (const [i, slot] of residuals.entries()) values[slot] = rest[i]!;
    program.run(elimination.solve);
    for (const [j, slot] of code.solution.entries()) x[j] = x[j]! - values[slot]!;
  }
  const rest = product(x).map((sum, i) => sum - right[i]!);
  for (const [i, slot] of residuals.entries()) values[slot] = rest[i]!;
  for (const [j, slot] of unknowns.entries()) values[slot] = x[j]!;
  program.run(elimination.check);
  program.run(elimination.trust);
  return { x, excess: values[code.excess]!, distrust: values[code.distrust]!, rest };
}

/** Rows in which the diagonal is larger than all else together, in any order of rows. */
const regular = fc.integer({ min: 1, max: 12 }).chain((n) =>
  fc
    .record({
      others: fc.array(
        fc.tuple(fc.nat(n - 1), fc.nat(n - 1), fc.integer({ min: -9, max: 9 }), fc.boolean()),
        { maxLength: 3 * n },
      ),
      shift: fc.nat(n - 1),
      solution: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: n, maxLength: n }),
    })
    .map(({ others, shift, solution }) => {
      const matrix = Array.from({ length: n }, () => new Map<number, { value: number; constant: boolean }>());
      for (const [i, j, value, constant] of others) matrix[i]!.set(j, { value, constant });
      for (const [i, row] of matrix.entries()) {
        const sum = [...row.values()].reduce((total, { value }) => total + Math.abs(value), 1);
        row.set((i + shift) % n, { value: 2 * sum, constant: i % 2 === 0 });
      }
      const columns = Array.from({ length: n }, (_, j) =>
        matrix.flatMap((row, i) => (row.has(j) ? [{ row: i, ...row.get(j)! }] : [])),
      );
      const right = matrix.map((row) =>
        [...row].reduce((sum, [j, { value }]) => sum + value * solution[j]!, 0),
      );
      return { columns, right, solution };
    }),
);

describe('elimination as code', () => {
  for (const [name, backEnd] of [
    ['WebAssembly', compileUnit],
    ['the interpreter', interpretUnit],
  ] as const)
    test(`finds solutions in ${name}`, () => {
      fc.assert(
        fc.property(regular, ({ columns, right, solution }) => {
          const found = solved({ columns, right }, backEnd)!;
          for (const [j, x] of found.x.entries()) expect(Math.abs(x - solution[j]!)).toBeLessThan(1e-11);
          expect(found.distrust).toBeLessThanOrEqual(0);
        }),
      );
    });

  const at = (row: number, value: number) => ({ row, value, constant: false });
  const cross = {
    columns: [
      [at(0, 1e-25), at(1, 1)],
      [at(0, 1), at(1, 1)],
    ],
    right: [1, 3],
  };

  test('with bad pivots is not trusted', () => {
    const along = [
      { row: 0, column: 0 },
      { row: 1, column: 1 },
    ];
    const bad = solved(cross, compileUnit, along)!;
    expect(bad.distrust <= 0 && Math.abs(bad.x[0]! - 2) > 1e-6).toBe(false);
    const good = solved(cross, compileUnit)!;
    expect(good.x[0]).toBeCloseTo(2, 12);
    expect(good.x[1]).toBeCloseTo(1, 12);
    expect(good.excess).toBeLessThanOrEqual(0);
  });

  test('with a pivot that is zero is not trusted', () => {
    const zero = {
      columns: [
        [at(0, 0), at(1, 1)],
        [at(0, 1), at(1, 1)],
      ],
      right: [1, 3],
    };
    const along = [
      { row: 0, column: 0 },
      { row: 1, column: 1 },
    ];
    const { excess, distrust } = solved(zero, compileUnit, along)!;
    expect(excess <= 0 || distrust <= 0).toBe(false);
  });
});
