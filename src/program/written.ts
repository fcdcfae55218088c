/**
 * A system that is solved by code of its own (`code/iteration.ts`), with pivots that were good when it was made. What it cannot solve to the last digits
 * is left to the general method, which looks for other pivots.
 */
import type { Counted } from '../code/calls.ts';
import { planElimination } from '../code/elimination.ts';
import { type IterationLimits, type IterationSlots, planIteration } from '../code/iteration.ts';
import type { SystemPlan } from '../code/plan.ts';
import type { Program } from '../code/unit.ts';
import { remember } from '../collections/memo.ts';
import { ROUNDOFF, TOLERANCE } from '../solve/newton.ts';
import { SparseLu } from '../solve/sparse.ts';
import type { CodeStore } from './store.ts';

/** Beyond so many multiplications the code is large, and indices cost little beside the numbers; those of a nonlinear system are done in every iteration. */
const mostProducts = { linear: 20_000, nonlinear: 500 };
/** To compare a coefficient with that of the last time, and to note it, costs as much as so many multiplications. */
const comparisons = 4;
const linear: IterationLimits = {
  tolerance: TOLERANCE,
  corrections: 6,
  contraction: 0.1,
  near: Number.POSITIVE_INFINITY,
  last: TOLERANCE,
};
/** Far from a solution there may be another one: steps are searched there. */
const nonlinear: IterationLimits = {
  tolerance: TOLERANCE,
  corrections: 8,
  contraction: 0.2,
  near: 0.1,
  last: 1e-9,
};
/** Residuals beyond this share of their terms come from bad pivots. */
const trusted = 1e-9;

export class WrittenSystem {
  private readonly slots: IterationSlots;
  /** Moves the unknowns in the memory to the solution and gives 1; or 0, with the unknowns as they were. */
  readonly iterate: Counted | undefined;

  /**
   * For a matrix that is regular; undefined where the code would be too large, or routines are interpreted. What was made before for the same pivots is taken from
   * `known`.
   */
  static of(
    store: CodeStore,
    plan: SystemPlan,
    program: Program,
    matrix: Float64Array,
    known: Map<string, WrittenSystem>,
  ): WrittenSystem | undefined {
    const { starts, rows, unknowns } = plan;
    const lu = new SparseLu({ n: unknowns.length, starts, rows });
    const most = plan.linear ? mostProducts.linear : mostProducts.nonlinear;
    if (!lu.factor(matrix) || lu.products > most) return undefined;
    const written = remember(known, lu.pivots!.join(), () => new WrittenSystem(store, plan, program, lu));
    return written.iterate && written;
  }

  private constructor(
    private readonly store: CodeStore,
    private readonly plan: SystemPlan,
    program: Program,
    lu: SparseLu,
  ) {
    const { memory } = store;
    const n = plan.unknowns.length;
    const varying = plan.nonzeros.filter((_, k) => plan.coefficients[k]!.kind !== 'const');
    const by = n > 1 || plan.linear ? eliminationOf(store, plan, lu) : undefined;
    const apart = (): Int32Array => Int32Array.from({ length: n }, () => memory.reserve(1));
    this.slots = {
      varying,
      factored: lu.products > comparisons * varying.length ? memory.reserve(varying.length) : undefined,
      origin: memory.reserve(n),
      solution: by?.code.solution ?? apart(),
      nominal: by?.code.nominal ?? apart(),
    };
    const parts = { program, ...(by && { elimination: by }), slots: this.slots };
    this.iterate = planIteration(memory, plan, parts, plan.linear ? linear : nonlinear);
  }

  /** Begins a run. */
  begin(nominal: Float64Array): void {
    const { values } = this.store.memory;
    const { slots } = this;
    if (slots.factored !== undefined)
      values.fill(Number.NaN, slots.factored, slots.factored + slots.varying.length);
    values[slots.origin] = Number.NaN;
    for (const [j, slot] of slots.nominal.entries()) values[slot] = nominal[j]!;
  }

  /** After something stopped the code: unknowns under way go back to where they were. */
  restore(): void {
    const { values } = this.store.memory;
    const { origin } = this.slots;
    if (Number.isNaN(values[origin]!)) return;
    for (const [i, slot] of this.plan.unknowns.entries()) values[slot] = values[origin + i]!;
    values[origin] = Number.NaN;
  }
}

function eliminationOf(store: CodeStore, plan: SystemPlan, lu: SparseLu) {
  return store.temporaries.scratch(() => {
    const code = planElimination(store, plan, lu.order, { rounding: ROUNDOFF, trusted });
    const unit = { ...store.unitOf(code.routines), slotOf: code.slotOf };
    return { code, program: store.compile(unit, true) };
  });
}
