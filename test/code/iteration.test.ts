/** Systems solved by code from beginning to end: solutions known beforehand, and what becomes of those that are not near, not regular or not defined. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attempt, type Counted } from '../../src/code/calls.ts';
import { planElimination } from '../../src/code/elimination.ts';
import { interpretUnit } from '../../src/code/interpret.ts';
import { type IterationLimits, type IterationSlots, planIteration } from '../../src/code/iteration.ts';
import { Memory } from '../../src/code/memory.ts';
import type { PlanContext, SystemPlan } from '../../src/code/plan.ts';
import { planSequence } from '../../src/code/sequence.ts';
import { Temporaries } from '../../src/code/temporaries.ts';
import type { Routine } from '../../src/code/unit.ts';
import { compileUnit } from '../../src/code/wasm.ts';
import { gradient } from '../../src/symbolic/differentiate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';

const limits: IterationLimits = { tolerance: 1e-12, corrections: 8, contraction: 0.2, near: 0.1, last: 1e-9 };
const shares = { rounding: 4 * Number.EPSILON, trusted: 1e-9 };

/** The equations of `residuals`, made of leaves for the unknowns, as a system over a memory of its own. */
function systemOf(
  n: number,
  write: (pool: Pool, x: readonly Expr[]) => readonly Expr[],
  backEnd = compileUnit,
) {
  const pool = new Pool();
  const memory = new Memory();
  const temporaries = new Temporaries(pool, memory, n);
  const x = Array.from({ length: n }, (_, k) => pool.ref(k, 0));
  const equations = write(pool, x);
  const reserve = (count: number): Int32Array =>
    Int32Array.from({ length: count }, () => memory.layout.reserve(1));
  const [unknowns, residuals, nonzeros] = [
    Int32Array.from(x, (leaf) => memory.slotOf(leaf)),
    reserve(n),
    reserve(n * n),
  ];
  const slopes = equations.map((equation) =>
    gradient(pool, equation, (leaf) => x.includes(leaf as (typeof x)[number])),
  );
  const coefficients = x.flatMap((leaf) => slopes.map((by) => by.value!.get(leaf) ?? pool.zero));
  const routines: Routine[] = [
    { name: 'residual', body: equations.map((value, i) => ({ slot: residuals[i]!, value })) },
    { name: 'jacobian', body: coefficients.map((value, k) => ({ slot: nonzeros[k]!, value })) },
  ];
  const program = backEnd({ routines, functions: [], pool, slotOf: memory.slotOf }, memory);
  const plan = {
    linear: false,
    unknowns,
    residuals,
    nonzeros,
    coefficients,
    residual: 0,
    jacobian: 1,
    starts: Int32Array.from({ length: n + 1 }, (_, j) => j * n),
    rows: Int32Array.from({ length: n * n }, (_, k) => k % n),
  } as unknown as SystemPlan;
  const along = Array.from({ length: n }, (_, k) => ({ row: k, column: k }));
  const context = { pool, memory: memory.layout, temporaries } as unknown as PlanContext;
  const code = planElimination(context, plan, along, shares);
  const by = {
    code,
    program: backEnd({ routines: code.routines, functions: [], pool, slotOf: code.slotOf }, memory),
  };
  const slots: IterationSlots = {
    origin: memory.layout.reserve(n),
    varying: nonzeros,
    factored: memory.layout.reserve(n * n),
    solution: code.solution,
    nominal: code.nominal,
  };
  const solve = planIteration(memory, plan, { program, ...(n > 1 && { elimination: by }), slots }, limits);
  const at = (start: readonly number[]) => {
    const { values } = memory;
    for (const slot of slots.nominal) values[slot] = 1;
    for (const [i, slot] of unknowns.entries()) values[slot] = start[i]!;
    const result = solve && attempt(solve, memory);
    return { result, x: Array.from(unknowns, (slot) => memory.values[slot]!) };
  };
  return { at, solve, memory, program };
}

const share = fc.double({ min: -1, max: 1, noNaN: true });

describe('systems solved by code', () => {
  test('find the root that is near, for any number of unknowns', () => {
    const some = fc.integer({ min: 1, max: 4 }).chain((n) =>
      fc.record({
        roots: fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: n, maxLength: n }),
        mixing: fc.array(share, { minLength: n * n, maxLength: n * n }),
        bends: fc.array(share, { minLength: n, maxLength: n }),
        beside: fc.array(share, { minLength: n, maxLength: n }),
      }),
    );
    fc.assert(
      fc.property(some, ({ roots, mixing, bends, beside }) => {
        const n = roots.length;
        // 4 d_i + sum_j a_ij d_j / n + b_i (sin(x_i) - sin(root_i)), with d = x - root.
        const { at } = systemOf(n, (pool, x) =>
          x.map((_, i) => {
            const apart = x.map((leaf, j) => pool.sub(leaf, pool.const(roots[j]!)));
            const mixed = apart.map((d, j) => pool.mul(pool.const(mixing[n * i + j]! / n), d));
            const bend = pool.sub(pool.apply('sin', x[i]!), pool.const(Math.sin(roots[i]!)));
            return [...mixed, pool.mul(pool.const(bends[i]!), bend)].reduce(
              (sum, term) => pool.add(sum, term),
              pool.mul(pool.const(4), apart[i]!),
            );
          }),
        );
        const { result, x } = at(roots.map((root, i) => root + 0.05 * beside[i]!));
        expect(result).toBe(1);
        for (const [i, root] of roots.entries()) expect(Math.abs(x[i]! - root)).toBeLessThan(1e-11);
      }),
    );
  });

  const refused = (
    text: string,
    write: (pool: Pool, x: readonly Expr[]) => readonly Expr[],
    start: number[],
  ) =>
    test(`${text}: nothing is changed`, () => {
      const { at } = systemOf(start.length, write);
      const { result, x } = at(start);
      expect(result).toBe(0);
      expect(x).toEqual(start);
    });

  const square = (pool: Pool, x: Expr): Expr => pool.mul(x, x);
  refused('a solution far away', (pool, [x]) => [pool.sub(square(pool, x!), pool.const(4))], [3]);
  refused('a root of the second order', (pool, [x]) => [square(pool, x!)], [0.1]);
  refused('no solution', (pool, [x]) => [pool.add(square(pool, x!), pool.const(1e-3))], [0.3]);
  refused('a slope of zero', (pool, [x]) => [pool.sub(square(pool, x!), pool.one)], [0]);
  refused(
    'a residual that is no number',
    (pool, [x, y]) => [pool.sub(pool.apply('sqrt', x!), y!), pool.sub(x!, pool.const(1e-3))],
    [-1e-3, 0],
  );
  refused(
    'a matrix of rank one',
    (pool, [x, y]) => [
      pool.sub(pool.add(x!, y!), pool.const(2)),
      pool.sub(pool.add(x!, y!), pool.const(2.1)),
    ],
    [1, 1],
  );

  test('are not made of what is interpreted', () => {
    const { solve } = systemOf(1, (pool, [x]) => [pool.sub(x!, pool.one)], interpretUnit);
    expect(solve).toBeUndefined();
  });
});

describe('a sequence', () => {
  test('stops at the first system that is not solved, and says where', () => {
    const { at, memory, program, solve } = systemOf(1, (pool, [x]) => [pool.sub(x!, pool.one)]);
    const routine = program.entries!(0)!;
    const failing = systemOf(1, (pool, [x]) => [pool.sub(x!, pool.const(5))]).solve as Counted;
    expect(planSequence(memory, [routine, solve!, routine])()).toBe(1);
    at([0.95]);
    expect(planSequence(memory, [routine, solve!, routine])()).toBe(3);
    expect(planSequence(memory, [routine, failing, routine, solve!])()).toBe(1);
    expect(planSequence(memory, [])()).toBe(0);
  });
});
