/** Whether equations hold at a point, for one of the possibilities of what can be decided either way. */
import { type Assigned, type AuditEvaluator, type LeafValues, tolerance } from './evaluator.ts';
import type { AuditBranching, AuditItem, AuditRow } from './rows.ts';

/** An equation that does not hold. */
export interface Failing {
  readonly row: AuditRow;
  readonly residual: number;
  /** Relative to the size of its terms. */
  readonly relative: number;
}

/** An equation in force, with the possibilities for which it holds best. */
export interface Fitting {
  readonly row: AuditRow;
  readonly assigned: Assigned;
}

export class Residuals {
  /** The largest residual of an equation that holds, relative to its terms. */
  worst = 0;
  /** Equations that could not be checked somewhere: values are missing, or there are too many possibilities. */
  readonly unchecked = new Set<AuditRow>();

  constructor(
    private readonly evaluator: AuditEvaluator,
    /** Whether between two possibilities there may be others: along a boundary the equations of both sides are mixed. */
    private readonly mixes: boolean,
  ) {}

  /** What does not hold at a place. */
  failing(items: readonly AuditItem[], place: LeafValues): Failing[] {
    return items.flatMap((item) =>
      item.kind === 'if' ? this.inBranches(item, place) : (this.row(item, place) ?? []),
    );
  }

  /** The equations that are in force at a place. */
  inForce(items: readonly AuditItem[], place: LeafValues): Fitting[] {
    return items.flatMap((item) => {
      if (item.kind === 'if') return this.inForce(this.fittest(item, place) ?? [], place);
      const sole = this.evaluator.sole([item.left, item.right], place);
      if (sole) return [{ row: item, assigned: sole }];
      let best: Assigned = new Map();
      let least = Number.POSITIVE_INFINITY;
      this.evaluator.cases([item.left, item.right], place, (assigned) => {
        const result = this.measure(item, place, assigned);
        const relative = result === undefined ? 0 : result === 'unknown' ? 1 : result.relative;
        if (relative < least) {
          least = relative;
          best = new Map(assigned);
        }
        return relative === 0;
      });
      return [{ row: item, assigned: best }];
    });
  }

  /** The body of the branch that fits best among those that can be in force. */
  private fittest({ branches }: AuditBranching, place: LeafValues): readonly AuditItem[] | undefined {
    let best: readonly AuditItem[] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { body, isSure } of this.evaluator.possibleBranches(branches, place)) {
      const failing = !isSure || best ? this.failing(body, place).length : 0;
      if (failing < least) [least, best] = [failing, body];
    }
    return best;
  }

  /** Of the branches that can be in force, the one that fits best. */
  private inBranches({ branches }: AuditBranching, place: LeafValues): Failing[] {
    let best: Failing[] | undefined;
    let candidates = 0;
    for (const { body, isSure } of this.evaluator.possibleBranches(branches, place)) {
      const found = this.failing(body, place);
      if (found.length === 0 || (this.mixes && candidates++ > 0)) return [];
      if (!best || found.length < best.length) best = found;
      if (isSure) return best;
    }
    // No branch need be in force where there is no `else`.
    return branches.at(-1)?.condition ? [] : (best ?? []);
  }

  private row(row: AuditRow, place: LeafValues): Failing | undefined {
    let failing: Failing | undefined;
    let below = false;
    let above = false;
    const holds = this.evaluator.cases([row.left, row.right], place, (assigned) => {
      const result = this.measure(row, place, assigned);
      if (result === 'unknown') {
        this.unchecked.add(row);
        return true;
      }
      if (!result) return true;
      if (result.residual < 0) below = true;
      else above = true;
      if (!failing || result.relative < failing.relative) failing = result;
      return false;
    });
    if (holds === undefined) this.unchecked.add(row);
    return holds === false && !(this.mixes && below && above) ? failing : undefined;
  }

  /** Undefined where it holds. */
  private measure(row: AuditRow, place: LeafValues, assigned: Assigned): Failing | 'unknown' | undefined {
    const { evaluator } = this;
    const left = evaluator.evaluate(row.left, place, assigned);
    const right = evaluator.evaluate(row.right, place, assigned);
    const residual = left - right;
    if (residual === 0) return undefined;
    if (Number.isNaN(residual)) return 'unknown';
    if (row.exact) return { row, residual, relative: 1 };
    const terms = Math.abs(left) + Math.abs(right);
    if (Math.abs(residual) > tolerance * terms) {
      const allowed = tolerance * terms + evaluator.allowance(row.left, row.right, place, assigned, residual);
      const relative = (Math.abs(residual) / allowed) * tolerance;
      if (!(Math.abs(residual) <= allowed)) return { row, residual, relative };
      this.note(relative);
    } else this.note(Math.abs(residual) / terms);
    return undefined;
  }

  private note(relative: number): void {
    if (relative > this.worst) this.worst = relative;
  }
}
