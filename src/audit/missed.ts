/**
 * Events that a run has missed: a relation of an equation in force has changed from one row to the next, and no row of an event lies in between. What depends on time
 * alone is looked at between the rows as well; there a relation may have changed and changed back.
 */

import { remember } from '../collections/memo.ts';
import type { Span } from '../diagnostic/source.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Leaf } from '../symbolic/expr.ts';
import { type AuditEvaluator, type LeafValues, timeTolerance } from './evaluator.ts';
import type { Model } from './model.ts';
import type { AuditPoint } from './point.ts';
import { type Offences, shown } from './report.ts';
import { relationText, watchedAt } from './watched.ts';

/** Places between two rows at which functions of time are looked at. */
const places = 8;
/** Evaluations of functions of time in all, at most. */
const mostEvaluations = 2_000_000;

/** A row with the choices that matter there, by where they stand. */
interface Look {
  readonly point: AuditPoint;
  readonly wide: () => AuditPoint;
  readonly watched: ReadonlyMap<number, Span | undefined>;
}

export class Missed {
  /** By choice: whether it depends on time alone. */
  private readonly timed = new Map<number, boolean>();
  private last: Look | undefined;
  private evaluations = 0;

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly model: Model,
    private readonly offences: Offences,
  ) {}

  /** Takes the next row; `wide` is the same with all that the errors of the run leave open. */
  next(point: AuditPoint, wide: () => AuditPoint): void {
    const look = { point, wide, watched: watchedAt(this.model, this.evaluator, point) };
    if (this.last && !point.before)
      for (const [number, span] of look.watched)
        if (this.last.watched.has(number)) this.compare(number, span, this.last, look);
    this.last = look;
  }

  private compare(number: number, span: Span | undefined, from: Look, to: Look): void {
    const choice = this.evaluator.choices.list[number]!;
    if (choice.kind === 'pulse') {
      if (choice.ticks) this.tick(choice.ticks, span, from.point, to.point);
      return;
    }
    const leaf = this.evaluator.values.flat.pool.held(number);
    const [a, b] = [from.point.candidates(leaf), to.point.candidates(leaf)];
    if (a.length !== 1 || b.length !== 1) return;
    const between = `between the times ${from.point.time} and ${to.point.time}`;
    if (a[0] !== b[0]) {
      if ([from, to].some(({ wide }) => wide().candidates(leaf).length !== 1)) return;
      this.report(
        number,
        span,
        `changes from ${this.value(number, a[0]!)} to ${this.value(number, b[0]!)} ${between}, without an event.`,
      );
      return;
    }
    if (!this.isTimed(number)) return;
    const step = to.point.time - from.point.time;
    for (let k = 1; k < places && this.evaluations < mostEvaluations; k++) {
      this.evaluations++;
      const place = new Between(
        this.evaluator,
        this.model,
        from.point,
        from.point.time + (step * k) / places,
      );
      const found = this.evaluator.decide(number, place);
      if (found.length !== 1 || found[0] === a[0] || Number.isNaN(found[0])) continue;
      this.report(
        number,
        span,
        `is ${this.value(number, found[0]!)} at time ${place.time} and ${this.value(number, a[0]!)} ${between} otherwise, without an event.`,
      );
      return;
    }
  }

  /** `sample` between two rows. */
  private tick(
    { start, interval }: { readonly start: Expr; readonly interval: Expr },
    span: Span | undefined,
    from: AuditPoint,
    to: AuditPoint,
  ): void {
    const [[first = Number.NaN], [length = Number.NaN]] = [start, interval].map((expr) =>
      this.evaluator.possible(expr, from),
    ) as [number[], number[]];
    const { lastTime, table } = this.evaluator.values;
    const early = timeTolerance * lastTime;
    const time = first + Math.max(0, Math.floor((from.time + early - first) / length) + 1) * length;
    if (!(time <= to.time + early)) return;
    // The event may be a rounding error away from a row of the grid; at the end of a run there need not be one.
    const isEvent = (row: number): boolean =>
      table.time[row] === table.time[row + 1] && Math.abs(table.time[row]! - time) <= early;
    const isEnd = time >= table.time[table.rowCount - 1]! - early;
    if (isEnd || [-2, -1, 0, 1, 2].some((offset) => isEvent(to.row + offset))) return;
    this.offences.add({
      key: `missed sample ${first} ${length}`,
      message: `sample(${first}, ${length}) becomes true at time ${shown(time)}, between the times ${from.time} and ${to.time}, without an event.`,
      relative: 1,
      span,
    });
  }

  private report(number: number, span: Span | undefined, what: string): void {
    const text = relationText(this.evaluator, number);
    this.offences.add({ key: `missed ${number}`, message: `${text} ${what}`, relative: 1, span });
  }

  private value(number: number, value: number): string {
    return this.evaluator.choices.list[number]!.kind === 'relation' ? String(value !== 0) : String(value);
  }

  /** Whether a choice depends on time and on what changes at events only. */
  private isTimed(number: number): boolean {
    const { values, choices } = this.evaluator;
    const isTimed = (leaf: Leaf): boolean =>
      leaf.kind === 'time' ||
      (leaf.kind === 'ref' &&
        leaf.order === 0 &&
        (!values.isMoving(leaf) || this.model.drivers.has(leaf.symbol)));
    return remember(this.timed, number, () =>
      choices.operands(choices.list[number]!).every((operand) => leaves(operand).every(isTimed)),
    );
  }
}

/** A place between two rows: time goes on, what is driven by it follows, what changes at events only stays. */
class Between implements LeafValues {
  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly model: Model,
    private readonly from: AuditPoint,
    readonly time: number,
  ) {}

  value(leaf: Leaf): number {
    if (leaf.kind === 'time') return this.time;
    const driver = leaf.kind === 'ref' ? this.model.drivers.get(leaf.symbol) : undefined;
    return driver ? this.evaluator.only(driver, this) : this.from.value(leaf);
  }

  candidates(leaf: Leaf): readonly number[] {
    const isComputed = leaf.kind === 'held' && this.evaluator.choices.isComputed(leaf.relation);
    return isComputed ? this.evaluator.decide(leaf.relation, this) : this.from.candidates(leaf);
  }
}
