/** Partial derivatives of equations by the Real variables in them. */
import { remember } from '../collections/memo.ts';
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { AuditElimination, type Terms } from './elimination.ts';
import type { AuditEvaluator, LeafValues } from './evaluator.ts';
import type { Fitting } from './residuals.ts';
import type { AuditRow } from './rows.ts';
import type { RecordedValues } from './values.ts';

/** Variables, each with the derivative of the difference of both sides by it. */
export type RowSlopes = readonly (readonly [Ref, Expr])[];

/** The slopes by the variables that are wanted; undefined where the row cannot be differentiated. */
export function slopesIn(
  { flat: { pool } }: RecordedValues,
  { left, right }: AuditRow,
  isWanted: (leaf: Expr) => boolean,
): RowSlopes | undefined {
  const { value } = gradient(pool, pool.sub(left, right), isWanted);
  return value && ([...value] as unknown as RowSlopes);
}

/** A place whose values are known by slot. */
export type SlotValues = LeafValues & { readonly now: Float64Array };

export class RecordedSlopes {
  private readonly known = new Map<AuditRow, RowSlopes>();

  constructor(private readonly evaluator: AuditEvaluator) {}

  /** A row at a place as linear terms: its slopes by slot. */
  terms({ row, assigned }: Fitting, place: LeafValues): Terms {
    const { values } = this.evaluator;
    const slopes = remember(
      this.known,
      row,
      () => slopesIn(values, row, (leaf) => values.isMoving(leaf)) ?? [],
    );
    const terms: Terms = new Map();
    for (const [ref, factor] of slopes) {
      const slope = this.evaluator.evaluate(factor, place, assigned);
      if (slope !== 0) terms.set(values.slotOf(ref), slope);
    }
    return terms;
  }

  /** For rows at a place; see `AuditElimination` for `presentOf`. */
  elimination({ now }: SlotValues, presentOf?: (slot: number) => number): AuditElimination {
    const { values } = this.evaluator;
    return new AuditElimination(
      (slot) => values.derivativeOf(slot),
      (slot) => values.isGiven(slot),
      (slot) => values.sizeOf(slot, now[slot]!),
      presentOf,
    );
  }
}
