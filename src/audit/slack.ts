/**
 * How far stored values may be off because a run integrates with errors. States are off by what the tolerance of the run allows, relative to their values or
 * to what is nominal for them; all else follows from the states, and from what built-in components give, by the equations that are in force. These are linearised and eliminated, variables that are
 * not differentiated first, until every value is a sum of terms of states. So a current that is the difference of two voltages, divided by a small resistance, may be
 * off by much more than either of them, and so may the derivative of a state that follows others fast.
 */
import { remember } from '../collections/memo.ts';
import { type AuditEvaluator, tolerance as auditTolerance } from './evaluator.ts';
import type { AuditPoint } from './point.ts';
import type { Residuals } from './residuals.ts';
import type { AuditItem } from './rows.ts';
import type { RecordedSlopes } from './slopes.ts';

/** States may be off by so many times the tolerance of the run. */
export const stateFactor = 10;
/** Rows beyond which nothing is eliminated. */
const mostRows = 3000;

export class Slack {
  private readonly known = new WeakMap<AuditPoint, (slot: number) => number>();

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly residuals: Residuals,
    private readonly slopes: RecordedSlopes,
    private readonly items: readonly AuditItem[],
    private readonly tolerance: number,
  ) {}

  /** How far a state may be off at a point. */
  ofState(slot: number, point: AuditPoint): number {
    const size = Math.max(Math.abs(point.now[slot]!), this.evaluator.values.nominal(slot));
    return stateFactor * this.tolerance * size;
  }

  /** How far any value may be off at a point, by slot. */
  at(point: AuditPoint): (slot: number) => number {
    return remember(this.known, point, () => this.eliminated(point));
  }

  private eliminated(point: AuditPoint): (slot: number) => number {
    const fitting = this.residuals.inForce(this.items, point).filter(({ row }) => !row.exact);
    if (fitting.length > mostRows) return () => 0;
    const elimination = this.slopes.elimination(point);
    for (const one of fitting) {
      const terms = this.slopes.terms(one, point);
      if ([...terms.values()].every(Number.isFinite)) elimination.add(terms);
    }
    elimination.finish();
    const errors = new Map<number, number>();
    return (slot) =>
      remember(errors, slot, () => {
        const terms = [...elimination.termsOf(slot)];
        return terms.reduce((sum, [free, factor]) => sum + Math.abs(factor) * this.own(free, point), 0);
      });
  }

  /** How far a value may be off that follows from nothing else. */
  private own(slot: number, point: AuditPoint): number {
    const { values } = this.evaluator;
    if (values.derivativeOf(slot) !== undefined) return this.ofState(slot, point);
    return auditTolerance * values.sizeOf(slot, point.now[slot]!);
  }
}
