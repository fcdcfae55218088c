import { remember } from '../collections/memo.ts';

/**
 * Detection of events that accumulate. The times at which one relation takes one value are watched: where their
 * intervals shrink geometrically, the sum of all that would follow is known, and once it is negligible against the
 * length of the run the accumulation point is certain. Events of one relation that follow each other without any such law within
 * no time to speak of are chattering; many relations may well change at once. Thousands of events in a small part of the run may be meant, but
 * are reported once.
 */

/** So many intervals must shrink by nearly the same ratio. */
const leastIntervals = 5;
const ratioSpread = 0.05;
/** Remaining time, as a share of the run, below which the accumulation point counts as reached. */
const negligibleShare = 1e-7;
/** So many events of a relation in a row, each within `chatterShare` of the run after the other, are chattering. */
const chatterEvents = 500;
const chatterShare = 1e-9;
/** So many events of a relation in a row, each within `denseShare` of the run after the other, are worth a note. */
const denseEvents = 1000;
const denseShare = 1e-6;

export interface Accumulation {
  readonly kind: 'zeno' | 'chattering';
  /** The time at which infinitely many events accumulate. */
  readonly time: number;
  readonly relation: number;
}

/** Events of a relation that follow each other closely. */
export interface Dense {
  readonly relation: number;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

export class ZenoWatch {
  /** All that it knows, as a value. */
  now = {
    sequences: new Map<number, { first: number; last: number; count: number }>(),
    reported: false,
    /** Last event times by relation and value. */
    histories: new Map<number, number[]>(),
    /** By relation: its last event, and how many in a row were close to the one before. */
    bursts: new Map<number, { last: number; close: number }>(),
  };

  constructor(private readonly span: number) {}

  /**
   * A relation took a value at an event. Where that does not turn its sides back (`isPushedBack`), as those of `sin(1e9*x) > 0` on its way, there is no
   * chattering, however close its events are.
   */
  note(
    relation: number,
    value: boolean,
    time: number,
    isPushedBack: () => boolean,
  ): Accumulation | undefined {
    if (this.isBurst(relation, time) && isPushedBack()) return { kind: 'chattering', time, relation };
    const key = 2 * relation + (value ? 1 : 0);
    const times = remember(this.now.histories, key, () => []);
    times.push(time);
    if (times.length > leastIntervals + 1) times.shift();
    return this.accumulation(relation, times);
  }

  /** An event of a relation; gives the events that are worth a note, once in a run. */
  dense(relation: number, time: number): Dense | undefined {
    if (this.now.reported) return undefined;
    const sequence = remember(this.now.sequences, relation, () => ({ first: time, last: time, count: 0 }));
    if (time - sequence.last > denseShare * this.span) {
      sequence.first = time;
      sequence.count = 0;
    }
    sequence.last = time;
    if (++sequence.count < denseEvents) return undefined;
    this.now.reported = true;
    return { relation, count: sequence.count, from: sequence.first, to: time };
  }

  private isBurst(relation: number, time: number): boolean {
    const burst = remember(this.now.bursts, relation, () => ({ last: Number.NEGATIVE_INFINITY, close: 0 }));
    burst.close = time - burst.last < chatterShare * this.span ? burst.close + 1 : 0;
    burst.last = time;
    return burst.close > chatterEvents;
  }

  private accumulation(relation: number, times: readonly number[]): Accumulation | undefined {
    if (times.length <= leastIntervals) return undefined;
    const intervals = times.slice(1).map((t, k) => t - times[k]!);
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let k = 1; k < intervals.length; k++) {
      const ratio = intervals[k]! / intervals[k - 1]!;
      least = Math.min(least, ratio);
      most = Math.max(most, ratio);
    }
    if (!(most < 1) || most - least > ratioSpread * most) return undefined;
    const remaining = (intervals[intervals.length - 1]! * most) / (1 - most);
    if (remaining > negligibleShare * this.span) return undefined;
    return { kind: 'zeno', time: times[times.length - 1]! + remaining, relation };
  }
}
