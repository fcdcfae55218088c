/** Partial derivatives of equations by the Real variables in them. */
import { remember } from '../collections/memo.ts';
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { AuditRow } from './rows.ts';
import type { RecordedValues } from './values.ts';

export class RecordedSlopes {
  private readonly known = new Map<AuditRow, readonly (readonly [Ref, Expr])[]>();

  constructor(private readonly values: RecordedValues) {}

  /** Those of the difference of both sides; none where it cannot be differentiated. */
  of(row: AuditRow): readonly (readonly [Ref, Expr])[] {
    const { values } = this;
    const { pool } = values.flat;
    return remember(this.known, row, () => {
      const { value } = gradient(pool, pool.sub(row.left, row.right), (leaf) => values.isMoving(leaf));
      return value ? ([...value] as unknown as (readonly [Ref, Expr])[]) : [];
    });
  }
}
