/**
 * Curves over time: `CombiTimeTable`. Time events cut time into pieces, and `nextTimeEvent` is the end of the piece in force; that and the time give the
 * value, so no call depends on the calls before it, and a step that is taken back leaves nothing behind.
 *
 *     time events      Always: all points   AtDiscontinuities: points that occur twice   NoTimeEvents: none
 *                      and in all cases the first and the last point (of each period)
 *
 * At the end of a piece, before the event was handled (`nextTimeEvent` is still what it was before), the value is the limit from the left; afterwards it is
 * that from the right. Before `startTime` the value is 0.
 */
import { intervalOf, outside, type Place } from './axis.ts';
import type { Curves } from './curves.ts';

/** As `Modelica.Blocks.Types.TimeEvents` counts. */
export const timeEventKinds = ['always', 'atDiscontinuities', 'never'] as const;
export type TimeEvents = (typeof timeEventKinds)[number];

/** No event: the largest number, which `Modelica.Constants.inf` is. */
const never = Number.MAX_VALUE;

/** Rows between two events, in the time of the table; `offset` is that of its period. */
interface Piece {
  readonly side: Place['side'];
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

export class TimeTable {
  /** Times of events in a table, without shift: the first point, those in between, the last one. None where the table has only one row. */
  private readonly events: Float64Array;
  /** The first and the last row at each of these times. */
  private readonly rows: readonly { readonly first: number; readonly last: number }[];

  constructor(
    private readonly curves: Curves,
    private readonly startTime: number,
    private readonly shiftTime: number,
    timeEvents: TimeEvents,
  ) {
    const { points, min, max } = curves.axis;
    const places = new Map<number, { first: number; last: number }>();
    for (const [k, point] of points.entries()) {
      const known = places.get(point);
      if (known) known.last = k;
      else places.set(point, { first: k, last: k });
    }
    const chosen = [...places].filter(
      ([point, { first, last }]) =>
        point === min ||
        point === max ||
        timeEvents === 'always' ||
        (timeEvents === 'atDiscontinuities' && first < last),
    );
    this.events = curves.isConstant ? new Float64Array() : Float64Array.from(chosen, ([point]) => point);
    this.rows = chosen.map(([, rows]) => rows);
  }

  get min(): number {
    return this.curves.axis.min;
  }

  get max(): number {
    return this.curves.axis.max;
  }

  /** The first event after a time. */
  nextTimeEvent(time: number): number {
    const { events, startTime, shiftTime } = this;
    if (time < startTime) return startTime;
    if (events.length === 0) return never;
    const { min, max, extrapolation } = this.curves.axis;
    const own = time - shiftTime + this.slack(time);
    const offset = extrapolation === 'periodic' ? Math.floor((own - min) / (max - min)) * (max - min) : 0;
    const inside = own - offset;
    const next = inside < min ? min : events[intervalOf(events, inside, 0, events.length - 1) + 1];
    return next === undefined ? never : next + offset + shiftTime;
  }

  /** The derivative of this order by time; `before` is the value of `next` before the event at which this is evaluated, if it is one. */
  at(index: number, time: number, next: number, before: number, order: number): number {
    const { curves, startTime } = this;
    const waits = next < never && next === before;
    if (time < startTime || (waits && startTime >= next)) return 0;
    const { axis } = curves;
    if (curves.isConstant) return curves.at(index, { side: 'inside', interval: 0, at: time }, order);
    const piece = this.pieceUntil(next) ?? this.pieceAt(time);
    const at = time - this.shiftTime - piece.offset;
    if (piece.side === 'inside') {
      const interval = Math.min(intervalOf(axis.points, at, piece.from, piece.to), piece.to - 1);
      // What is constant keeps its value until the event was handled, however far a step went.
      const kept = axis.smoothness === 'constant' ? Math.min(at, axis.points[interval]!) : at;
      return curves.at(index, { side: 'inside', interval, at: kept }, order);
    }
    const { min, max } = axis;
    if (axis.extrapolation === 'none' && (at < min || at > max))
      throw outside('time', time, min + this.shiftTime, max + this.shiftTime);
    return curves.at(index, { side: piece.side, interval: piece.from, at }, order);
  }

  /** The piece that ends at an event; nothing where there is no such event. */
  private pieceUntil(next: number): Piece | undefined {
    if (!(next < never)) return undefined;
    const { events, shiftTime } = this;
    const { min, max, extrapolation } = this.curves.axis;
    const period = max - min;
    const slack = this.slack(next);
    const own = next - shiftTime;
    const periods = extrapolation === 'periodic' ? Math.ceil((own - slack - max) / period) : 0;
    const offset = periods * period;
    const found = intervalOf(events, own - offset + 2 * slack, 0, events.length - 1);
    if (Math.abs(events[found]! + offset - own) > 2 * slack) return undefined;
    if (found === 0) return extrapolation === 'periodic' ? undefined : this.beyond('left');
    return { side: 'inside', from: this.rows[found - 1]!.last, to: this.rows[found]!.first, offset };
  }

  /** The piece that a time lies in; at an event the one that begins. */
  private pieceAt(time: number): Piece {
    const { points, min, max, extrapolation } = this.curves.axis;
    const own = time - this.shiftTime;
    const period = max - min;
    if (extrapolation === 'periodic') {
      const offset = Math.floor((own - min) / period) * period;
      return { side: 'inside', from: 0, to: points.length - 1, offset };
    }
    if (own < min) return this.beyond('left');
    if (own >= max) return this.beyond('right');
    return { side: 'inside', from: 0, to: points.length - 1, offset: 0 };
  }

  private beyond(side: 'left' | 'right'): Piece {
    const last = this.curves.axis.points.length - 1;
    return side === 'left'
      ? { side, from: 0, to: 1, offset: 0 }
      : { side, from: last - 1, to: last, offset: 0 };
  }

  /** Times that differ by no more are the same: they are scaled, shifted and moved by periods. */
  private slack(time: number): number {
    const { min, max } = this.curves.axis;
    return (
      8 * Number.EPSILON * Math.max(Math.abs(time), Math.abs(this.shiftTime), Math.abs(min), Math.abs(max))
    );
  }
}
