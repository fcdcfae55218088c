/**
 * A linear system that is solved by code of its own (`code/elimination.ts`), for pivots that were good when it was made. What it cannot solve to the last digits
 * is left to the general method, which looks for other pivots.
 */
import { type Elimination, elimination, planElimination } from '../code/elimination.ts';
import type { SystemPlan } from '../code/plan.ts';
import type { Program } from '../code/unit.ts';
import { remember } from '../collections/memo.ts';
import { ROUNDOFF, TOLERANCE } from '../solve/newton.ts';
import { SparseLu } from '../solve/sparse.ts';
import type { CodeStore } from './store.ts';

/** Beyond so many multiplications the code is large, and indices cost little beside the numbers. */
const mostProducts = 20_000;
/** Corrections of the first solution, each smaller by this factor at least. */
const refinements = 6;
const contraction = 0.1;
/** Residuals beyond this share of their terms come from bad pivots. */
const trusted = 1e-9;

export class WrittenSystem {
  private readonly code: Elimination;
  private readonly program: Program;
  /** Nonzeros that are no constants, and where those are kept that were factored last. */
  private readonly varying: Int32Array;
  private readonly factored: number;

  /** For a matrix that is regular; undefined where the code would be too large. What was made before for the same pivots is taken from `known`. */
  static of(
    store: CodeStore,
    plan: SystemPlan,
    matrix: Float64Array,
    known: Map<string, WrittenSystem>,
  ): WrittenSystem | undefined {
    const { starts, rows, unknowns } = plan;
    const lu = new SparseLu({ n: unknowns.length, starts, rows });
    if (!lu.factor(matrix) || lu.products > mostProducts) return undefined;
    return remember(known, lu.pivots!.join(), () => new WrittenSystem(store, plan, lu));
  }

  private constructor(
    private readonly store: CodeStore,
    private readonly plan: SystemPlan,
    lu: SparseLu,
  ) {
    const { memory, temporaries } = store;
    this.varying = plan.nonzeros.filter((_, k) => plan.coefficients[k]!.kind !== 'const');
    this.factored = memory.reserve(this.varying.length);
    const shares = { rounding: ROUNDOFF, trusted };
    const { code, program } = temporaries.scratch(() => {
      const code = planElimination(store, plan, lu.order, shares);
      const unit = { ...store.unitOf(code.routines), slotOf: code.slotOf };
      return { code, program: store.compile(unit, true) };
    });
    this.code = code;
    this.program = program;
  }

  /** Begins a run. */
  begin(nominal: Float64Array): void {
    const { values } = this.store.memory;
    const { code, factored, varying } = this;
    values.fill(Number.NaN, factored, factored + varying.length);
    for (const [j, slot] of code.nominal.entries()) values[slot] = nominal[j]!;
  }

  /**
   * Moves the unknowns in the memory to the solution; false where that was not possible. `runs` runs routines of the system, and says whether
   * they could be evaluated.
   */
  solve(values: Float64Array, nominal: Float64Array, runs: (routine: number) => boolean): boolean {
    const { plan, program, code } = this;
    if (!runs(plan.residual) || !runs(plan.jacobian)) return false;
    if (this.isOther(values)) program.run(elimination.factor);
    let before = Number.POSITIVE_INFINITY;
    for (let k = 0; k <= refinements; k++) {
      program.run(elimination.solve);
      const change = this.move(values, nominal);
      if (!(change <= Math.max(contraction * before, TOLERANCE))) return false;
      before = change;
      if (!runs(plan.residual)) return false;
      program.run(elimination.check);
      if (values[code.excess]! <= 0) return true;
      if (k === 0 || !(change <= TOLERANCE)) continue;
      program.run(elimination.trust);
      return values[code.distrust]! <= 0;
    }
    return false;
  }

  /** Whether the matrix is another one than that which was factored last; then it is noted. */
  private isOther(values: Float64Array): boolean {
    const { varying, factored } = this;
    let isOther = false;
    for (let k = 0; k < varying.length; k++) {
      const value = values[varying[k]!]!;
      if (value === values[factored + k]) continue;
      values[factored + k] = value;
      isOther = true;
    }
    return isOther;
  }

  /** Subtracts what was found from the unknowns; the largest change beside their sizes. */
  private move(values: Float64Array, nominal: Float64Array): number {
    const { solution } = this.code;
    const { unknowns } = this.plan;
    let largest = 0;
    for (let i = 0; i < unknowns.length; i++) {
      const x = values[unknowns[i]!]!;
      const change = values[solution[i]!]!;
      const size = Math.abs(change) / Math.max(Math.abs(x), nominal[i]!);
      if (!(size <= largest)) largest = size;
      values[unknowns[i]!] = x - change;
    }
    return largest;
  }
}
