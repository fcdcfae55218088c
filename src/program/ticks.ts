/**
 * Ticks that are known beforehand: of `sample(start, interval)`, of clocks, and of a table of inputs. The time of a tick is computed from its
 * number, never from the tick before. The ticks of a periodic clock are exact fractions of its unit: tick k lies
 * `offset + k period` units after the start, one product of integers and one quotient, so that clocks that tick at the same
 * fraction do so at the same floating-point number.
 */
import { Failure } from '../diagnostic/failure.ts';
import type { Sample, Schedule, Tick } from '../modes/guarded.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { RunValues } from './evaluation.ts';
import type { Wording } from './wording.ts';

/** Times closer than this many units in the last place are one event. */
const sameTimeUlps = 8;

interface Ticker {
  readonly flag: number;
  /** What it is, with the seconds between two ticks; undefined where these change. */
  readonly periodic?: { readonly cause: Sample | Tick; readonly interval: number };
  /** Number and time of the next tick: a value. */
  now: { k: number; due: number };
  /** What happens at tick k besides. */
  readonly act?: (k: number) => void;
  /** The time of tick k, the one after that at `time`. */
  readonly timeOf: (k: number, time: number) => number;
}

/** What a table of inputs sets, and when: the first row holds from the start of the run on. */
export interface ScheduledRows {
  readonly times: Float64Array;
  /** By row: values for all cells of the schedule. */
  readonly rows: readonly Float64Array[];
}

export class ClockTicks {
  tickers: readonly Ticker[] = [];
  /** Tickers whose flags are up. */
  private raised: Ticker[] = [];

  constructor(
    private readonly values: RunValues,
    private readonly wording: Wording,
  ) {}

  /**
   * Start values and intervals are parameters: they are known when the run begins. Inputs have values from the beginning. Where a run goes on that began before,
   * clocks tick `since` then, and what ticks at the time has done so.
   */
  start(time: number, table?: ScheduledRows, since?: number): void {
    const { samples, ticks, schedule } = this.values.model;
    const periodic = [
      ...samples.map((sample) => this.sampler(sample, time)),
      ...ticks.map((tick) => this.clock(tick, since ?? time)),
    ];
    if (since !== undefined) for (const ticker of periodic) goBeyond(ticker, time);
    this.tickers = [...periodic, ...(schedule && table ? [this.table(schedule, table, time)] : [])];
  }

  private table({ flag, cells }: Schedule, { times, rows }: ScheduledRows, start: number): Ticker {
    const slots = cells.map((symbol) => this.values.slotOf(symbol));
    const act = (row: number) => {
      const { values } = this.values.memory;
      for (const [k, slot] of slots.entries()) values[slot] = rows[row]![k]!;
    };
    act(0);
    this.values.memory.values[this.values.slotOf(flag)] = 1;
    const timeOf = (row: number) => times[row] ?? Number.POSITIVE_INFINITY;
    return { flag: this.values.slotOf(flag), now: { k: 0, due: start }, act, timeOf };
  }

  private sampler(sample: Sample, time: number): Ticker {
    const start = this.known(sample.start, 'start', sample);
    const interval = this.known(sample.interval, 'interval', sample);
    const k = Math.max(0, Math.ceil((time - start) / interval - 1e-9));
    const timeOf = (n: number) => start + n * interval;
    const periodic = { cause: sample, interval };
    return { flag: this.values.slotOf(sample.flag), periodic, now: { k, due: timeOf(k) }, timeOf };
  }

  /** A time of `sample`, which is no time where it is no number. */
  private known(expr: Expr, what: string, { origin }: Sample): number {
    const value = this.values.evaluate(expr);
    if (!Number.isNaN(value)) return value;
    const message = `The ${what} of \`sample\`, ${this.wording.print(expr)}, has no value.`;
    throw Failure.of('initialise', 'bad-evaluation', message, { span: origin.span });
  }

  private clock(tick: Tick, time: number): Ticker {
    const { schedule } = tick;
    const flag = this.values.slotOf(tick.flag);
    if (schedule.kind === 'varying') {
      const { interval } = schedule;
      const timeOf = (_: number, now: number) => now + this.positive(interval, tick, now);
      return { flag, now: { k: 0, due: time }, timeOf };
    }
    const unit = this.values.evaluate(schedule.unit);
    const at = ticksOf(schedule.period, schedule.offset);
    const timeOf = (n: number) => time + at(n) * unit;
    const interval = (schedule.period[0] / schedule.period[1]) * unit;
    return { flag, periodic: { cause: tick, interval }, now: { k: 0, due: timeOf(0) }, timeOf };
  }

  /** The interval that the tick at `time` has set. */
  private positive(interval: Expr, { origin }: Tick, time: number): number {
    const length = this.values.evaluate(interval);
    if (length > 0) return length;
    const message = `At time ${time}, the clock's interval ${this.wording.print(interval)} is ${length}; it must be positive.`;
    throw Failure.of('simulate', 'bad-evaluation', message, { span: origin.span });
  }

  /** What cannot tick, or ticks too often: its interval is not positive, or below `shortest`. */
  bad(shortest: number): { readonly cause: Sample | Tick; readonly interval: number }[] {
    return this.tickers.flatMap(({ periodic }) =>
      !periodic || (periodic.interval > 0 && periodic.interval >= shortest) ? [] : [periodic],
    );
  }

  /** The next tick, or infinity. */
  get next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { now } of this.tickers) if (now.due < next) next = now.due;
    return next;
  }

  /** Raises the flags of all that tick now; true if any does. */
  raise(time: number): boolean {
    const { values } = this.values.memory;
    for (const ticker of this.tickers) {
      const { k, due } = ticker.now;
      if (due > time && !sameTime(due, time)) continue;
      values[ticker.flag] = 1;
      ticker.act?.(k);
      this.raised.push(ticker);
    }
    return this.raised.length > 0;
  }

  /** Lowers all flags; the next ticks follow from the values at this one. True if one was up. */
  lower(time: number): boolean {
    const { raised } = this;
    if (raised.length === 0) return false;
    const { values } = this.values.memory;
    for (const ticker of raised) {
      values[ticker.flag] = 0;
      const k = ticker.now.k + 1;
      ticker.now = { k, due: ticker.timeOf(k, time) };
    }
    this.raised = [];
    return true;
  }
}

/** Takes a ticker to its first tick after a time. */
function goBeyond(ticker: Ticker, time: number): void {
  const { periodic, timeOf } = ticker;
  let { k, due } = ticker.now;
  if (periodic) k = Math.max(k, k + Math.floor((time - due) / periodic.interval) - 1);
  for (due = periodic ? timeOf(k, time) : due; due <= time || sameTime(due, time); due = timeOf(k, time)) k++;
  ticker.now = { k, due };
}

/** Tick k of a clock as a floating-point number of units, by one division of integers. */
function ticksOf(
  [p, q]: readonly [number, number],
  [a, b]: readonly [number, number],
): (k: number) => number {
  const common = gcd(q, b);
  const denominator = (q / common) * b;
  const step = p * (b / common);
  const first = a * (q / common);
  return (k) => (first + k * step) / denominator;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Whether two times are one up to rounding; none is that of infinity, which stands for never. */
export function sameTime(a: number, b: number): boolean {
  return Math.abs(a - b) <= sameTimeUlps * Number.EPSILON * Math.min(Math.abs(a), Math.abs(b));
}
