/** A run as the page knows it: what has come of it so far. */
import type {
  ImpulseReport,
  ModeReport,
  RowsNotice,
  RunOrder,
  RunReport,
  SignalReport,
} from '../protocol.ts';
import { Growing, Series } from '../series.ts';
import { valueAt } from '../trace.ts';
import { Value } from './value.ts';

export type RunState = 'translating' | 'running' | 'held' | RunReport['status'];

export class Run {
  readonly state = new Value<RunState>('translating');
  readonly times = new Growing();
  readonly series = new Map<string, Series>();
  modes: readonly ModeReport[] = [];
  impulses: readonly ImpulseReport[] = [];
  signals: readonly SignalReport[] = [];
  suggested: readonly string[] = [];
  report: RunReport | undefined;
  /** The time that is reached, and the one to reach. */
  reached = Number.NaN;
  stopTime: number;
  readonly startTime: number;
  /** Changes whenever something has come. */
  readonly version = new Value(0);
  private byName: ReadonlyMap<string, SignalReport> | undefined;

  constructor(
    readonly order: RunOrder,
    times: { readonly startTime: number; readonly stopTime: number },
    /** What it is called where there are several. */
    readonly label = '',
    /** Which state of the texts it is of (`Engine.changes`). */
    readonly texts = 0,
  ) {
    this.startTime = times.startTime;
    this.stopTime = times.stopTime;
  }

  /** Whether another run is the same once more. */
  isLike({ order, texts }: Run): boolean {
    const meant = ({ file, model, settings, values }: RunOrder): string =>
      JSON.stringify([file, model, settings, values]);
    return texts === this.texts && meant(order) === meant(this.order);
  }

  get isOver(): boolean {
    return !['translating', 'running', 'held'].includes(this.state.now);
  }

  /** Takes what is new. */
  take(notice: RowsNotice, signals: readonly SignalReport[]): void {
    const { isAnew, first, time, columns, modes, impulses, suggested, reached, stopTime } = notice;
    this.suggested = suggested;
    if (signals !== this.signals) {
      this.signals = signals;
      this.byName = undefined;
    }
    if (isAnew) {
      this.times.count = 0;
      this.series.clear();
    }
    this.times.put(time, first);
    for (const { name, first: row, values } of columns) {
      const known = this.series.get(name);
      if (known) known.put(values, row);
      else this.series.set(name, new Series(values));
    }
    this.modes = modes;
    this.impulses = impulses;
    this.reached = reached;
    if (!Number.isNaN(stopTime)) this.stopTime = stopTime;
    if (this.state.now === 'translating') this.state.set('running');
    this.changed();
  }

  end(report: RunReport): void {
    this.report = report;
    if (!Number.isNaN(report.time)) this.reached = report.time;
    this.state.set(report.status);
    this.changed();
  }

  changed(): void {
    this.version.set(this.version.now + 1);
  }

  signal(name: string): SignalReport | undefined {
    this.byName ??= new Map(this.signals.map((signal) => [signal.name, signal]));
    return this.byName.get(name);
  }

  /** The last time of which values are known: a run that goes on may be further. */
  get lastTime(): number {
    const { values, count } = this.times;
    return count > 0 ? values[count - 1]! : this.reached;
  }

  /** Whether values of a time are known. */
  hasTime(time: number): boolean {
    const { values, count } = this.times;
    return count > 0 && time >= values[0]! && time <= this.lastTime;
  }

  /** NaN where it is not known, or does not exist. */
  valueAt(name: string, time: number): number {
    const series = this.series.get(name);
    return series ? valueAt(this.times, series, time) : Number.NaN;
  }

  /** The mode at a time: the later one where it changes. */
  modeAt(time: number): ModeReport | undefined {
    return this.modes.findLast(({ from, to }) => from <= time && time <= to);
  }
}
