/** Partial derivatives of equations by the Real variables in them. */
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { AuditRow } from './rows.ts';
import type { RecordedValues } from './values.ts';

export class RecordedSlopes {
  private readonly known = new Map<AuditRow, readonly (readonly [Ref, Expr])[]>();

  constructor(private readonly values: RecordedValues) {}

  /** Those of the difference of both sides; none where it cannot be differentiated. */
  of(row: AuditRow): readonly (readonly [Ref, Expr])[] {
    let known = this.known.get(row);
    if (!known) {
      const { values } = this;
      const { pool } = values.flat;
      const isReal = (leaf: Expr): boolean =>
        leaf.kind === 'ref' && !values.isFixed(leaf.symbol) && !values.isDiscrete(leaf.symbol);
      const { value } = gradient(pool, pool.sub(row.left, row.right), isReal);
      this.known.set(row, (known = value ? ([...value] as unknown as (readonly [Ref, Expr])[]) : []));
    }
    return known;
  }
}
