/** A row of the results as a place at which expressions have values. */
import { remember } from '../collections/memo.ts';
import type { Expr, Leaf } from '../symbolic/expr.ts';
import type { AuditEvaluator, LeafValues } from './evaluator.ts';

/** Where a row lies: at an instant with an event, or not. */
export type RowSide = 'before' | 'after' | 'between';

const either: readonly number[] = [0, 1];

export class AuditPoint implements LeafValues {
  readonly time: number;
  readonly side: RowSide;
  /** By slot. */
  readonly now: Float64Array;
  /** The values of the row before, at the same instant. */
  readonly before: Float64Array | undefined;
  private readonly known = new Map<Leaf, readonly number[]>();

  constructor(
    private readonly evaluator: AuditEvaluator,
    /** The number of the row; -1 are initial values before anything happens at the first instant. */
    readonly row: number,
    /** What discrete variables follow from, where they need not agree with it: along a boundary. */
    private readonly definitions?: ReadonlyMap<number, readonly Expr[]>,
    private readonly slack?: (slot: number) => number,
  ) {
    const { values } = evaluator;
    const { time, rowCount } = values.table;
    this.now = new Float64Array(values.slotCount);
    this.time = time[Math.max(row, 0)]!;
    if (row < 0) {
      this.side = 'before';
      values.loadInitial(this.now);
      return;
    }
    const follows = row > 0 && time[row - 1] === this.time;
    const precedes = row + 1 < rowCount && time[row + 1] === this.time;
    this.side = precedes ? 'before' : follows ? 'after' : 'between';
    values.load(row, this.now);
    if (!follows) return;
    this.before = new Float64Array(values.slotCount);
    values.load(row - 1, this.before);
  }

  /** The same row, with relations that can be either way where values are off by so much, by slot. */
  widened(spread: (slot: number) => number): AuditPoint {
    return new AuditPoint(this.evaluator, this.row, this.definitions, spread);
  }

  spread(slot: number): number {
    return this.slack?.(slot) ?? 0;
  }

  value(leaf: Leaf): number {
    if (leaf.kind === 'time') return this.time;
    if (leaf.kind === 'ref') return this.now[this.evaluator.values.slotOf(leaf)]!;
    return Number.NaN;
  }

  candidates(leaf: Leaf): readonly number[] {
    return remember(this.known, leaf, () =>
      leaf.kind === 'held' ? this.choose(leaf.relation) : this.stored(leaf),
    );
  }

  private stored(leaf: Leaf): readonly number[] {
    const value = this.value(leaf);
    if (Number.isNaN(value)) return either;
    const own = leaf.kind === 'ref' ? this.definitions?.get(leaf.symbol) : undefined;
    if (!own) return [value];
    // It may be defined in terms of itself.
    this.known.set(leaf, [value]);
    return [...new Set([value, ...own.flatMap((expr) => this.evaluator.possible(expr, this))])];
  }

  private choose(number: number): readonly number[] {
    const { values, choices } = this.evaluator;
    const choice = choices.list[number]!;
    switch (choice.kind) {
      case 'pulse':
        return this.side === 'between' && this.row > 0 ? [0] : either;
      case 'initial':
        return this.row < 0 ? either : [0];
      case 'terminal':
        return this.row === values.table.rowCount - 1 ? either : [0];
      case 'pre': {
        const slot = values.slot(choice.scalar);
        const now = this.now[slot]!;
        const earlier = this.before?.[slot];
        return earlier === undefined || earlier === now ? [now] : [now, earlier];
      }
      default:
        return this.evaluator.decide(number, this);
    }
  }
}
