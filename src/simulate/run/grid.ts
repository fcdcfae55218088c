/** The even grid of times at which rows of results are written. */
import type { Settings } from '../settings.ts';

export class OutputGrid {
  /** Number of the first time whose row is not written. */
  next = 1;
  /** Rows begin here. */
  private start: number;

  constructor(private readonly settings: Pick<Settings, 'startTime' | 'stopTime' | 'intervals'>) {
    this.start = settings.startTime;
  }

  /** Rows begin anew at a time. */
  begin(time: number): void {
    this.start = time;
    this.next = 1;
  }

  /** The k-th time; infinity after the last. */
  at(k: number): number {
    const { start } = this;
    const { stopTime, intervals } = this.settings;
    if (k > intervals) return Number.POSITIVE_INFINITY;
    return k === intervals ? stopTime : start + (stopTime - start) * (k / intervals);
  }
}
