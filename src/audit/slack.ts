/**
 * How far stored values may be off because a run integrates with errors. States are off by what the tolerance of the run allows, relative to their values or
 * to what is nominal for them; all else follows from the states by the equations that are in force. These are linearised and eliminated, variables that are
 * not differentiated first, until every value is a sum of terms of states. So a current that is the difference of two voltages, divided by a small resistance, may be
 * off by much more than either of them, and so may the derivative of a state that follows others fast.
 */
import { remember } from '../collections/memo.ts';
import { AuditElimination, type Terms } from './elimination.ts';
import { type AuditEvaluator, tolerance as auditTolerance } from './evaluator.ts';
import type { AuditPoint } from './point.ts';
import type { Residuals } from './residuals.ts';
import type { AuditItem } from './rows.ts';
import type { RecordedSlopes } from './slopes.ts';

/** States may be off by so many times the tolerance of the run. */
const stateFactor = 10;
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
    const { values } = this.evaluator;
    const fitting = this.residuals.inForce(this.items, point).filter(({ row }) => !row.exact);
    if (fitting.length > mostRows) return () => 0;
    const elimination = new AuditElimination(
      (slot) => values.derivativeOf(slot),
      (slot) => Math.max(Math.abs(point.now[slot]!), values.leastSize(slot)),
    );
    for (const { row, assigned } of fitting) {
      const terms: Terms = new Map();
      for (const [ref, factor] of this.slopes.of(row)) {
        const slope = this.evaluator.evaluate(factor, point, assigned);
        if (slope !== 0) terms.set(values.slotOf(ref), slope);
      }
      if ([...terms.values()].every(Number.isFinite)) elimination.add(terms);
    }
    elimination.finish();
    const errors = new Map<number, number>();
    return (slot) => {
      let error = errors.get(slot);
      if (error === undefined) {
        error = 0;
        for (const [free, factor] of elimination.termsOf(slot))
          error += Math.abs(factor) * this.own(free, point);
        errors.set(slot, error);
      }
      return error;
    };
  }

  /** How far a value may be off that follows from nothing else. */
  private own(slot: number, point: AuditPoint): number {
    const { values } = this.evaluator;
    if (values.derivativeOf(slot) !== undefined) return this.ofState(slot, point);
    return auditTolerance * Math.max(Math.abs(point.now[slot]!), values.leastSize(slot));
  }
}
