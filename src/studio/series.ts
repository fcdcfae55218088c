/**
 * Values of a signal by row, as many as a run has: they grow at their end, and the lowest and highest of any range of rows are found quickly. Beside the values
 * lie the extremes of blocks of 16 of them, of 16 such blocks, and so on; what is at the ends of a range and no whole block is looked at one by one:
 *
 *     values    0 1 2 … 15 | 16 … 31 | … | 240 … 255 |        rows 3 to 250: values 3 … 15, blocks 1 … 14, values 240 … 249
 *     blocks        0           1      …       15
 *
 * A value that does not exist is NaN, and no extreme.
 */
import { countWhile } from '../collections/lists.ts';

const FACTOR = 16;
const SHIFT = 4;

/** Numbers that grow at their end. */
export class Growing {
  values: Float64Array = new Float64Array(64);
  count = 0;

  /** Puts values from a place on; those that there were from there on are replaced. */
  put(part: Float64Array, first = this.count): void {
    const count = first + part.length;
    if (count > this.values.length) {
      const grown = new Float64Array(Math.max(count, 2 * this.values.length));
      grown.set(this.values.subarray(0, first));
      this.values = grown;
    }
    this.values.set(part, first);
    this.count = count;
  }

  push(value: number): void {
    if (this.count === this.values.length) {
      const grown = new Float64Array(2 * this.count);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.count++] = value;
  }

  /** How many of an increasing list are less than a value; from a place on that is known. */
  before(value: number, from = 0, to = this.count): number {
    const { values } = this;
    return from + countWhile(to - from, (k) => values[from + k]! < value);
  }

  /** How many are not greater. */
  upTo(value: number, from = 0, to = this.count): number {
    const { values } = this;
    return from + countWhile(to - from, (k) => values[from + k]! <= value);
  }
}

interface Level {
  readonly low: Growing;
  readonly high: Growing;
}

export class Series extends Growing {
  /** Of whole blocks: the first level has blocks of 16 values. */
  private readonly levels: Level[] = [];
  /** What `extremes` has found. */
  low = Number.NaN;
  high = Number.NaN;

  constructor(values?: Float64Array) {
    super();
    if (values) this.put(values);
  }

  override put(part: Float64Array, first = this.count): void {
    if (first < this.count)
      for (const [k, { low, high }] of this.levels.entries())
        low.count = high.count = Math.min(low.count, first >> (SHIFT * (k + 1)));
    super.put(part, first);
    this.build();
  }

  private build(): void {
    for (let k = 0; ; k++) {
      const below = this.levels[k - 1];
      const count = (below?.low.count ?? this.count) >> SHIFT;
      if (count === 0) return;
      this.levels[k] ??= { low: new Growing(), high: new Growing() };
      const { low, high } = this.levels[k]!;
      for (let block = low.count; block < count; block++) {
        this.begin();
        this.look(below, block << SHIFT, (block + 1) << SHIFT);
        low.push(this.low);
        high.push(this.high);
      }
    }
  }

  /** The lowest and highest value from one row on and before another, in `low` and `high`; false where there is none. */
  extremes(from: number, to: number): boolean {
    this.begin();
    let [a, b] = [from, to];
    for (let k = 0; ; k++) {
      const below = this.levels[k - 1];
      const blocks = this.levels[k]?.low.count ?? 0;
      const [first, end] = [(a + FACTOR - 1) >> SHIFT, Math.min(b >> SHIFT, blocks)];
      if (first >= end) {
        this.look(below, a, b);
        return this.low <= this.high;
      }
      this.look(below, a, first << SHIFT);
      this.look(below, end << SHIFT, b);
      [a, b] = [first, end];
    }
  }

  private begin(): void {
    this.low = Number.POSITIVE_INFINITY;
    this.high = Number.NEGATIVE_INFINITY;
  }

  /** Comparisons with NaN are false. */
  private look(level: Level | undefined, from: number, to: number): void {
    const lows = (level?.low ?? this).values;
    const highs = (level?.high ?? this).values;
    let { low, high } = this;
    for (let k = from; k < to; k++) {
      if (lows[k]! < low) low = lows[k]!;
      if (highs[k]! > high) high = highs[k]!;
    }
    this.low = low;
    this.high = high;
  }
}
