/**
 * Starts runs, follows them and stops them. While a slider is dragged, values come faster than runs end: the newest one wins, and what is seen is replaced when a
 * run is there, not when it begins.
 */
import { displayed } from '../../results/plot/value.ts';
import type {
  HeldNotice,
  Message,
  ParameterSetting,
  RowsNotice,
  RunControl,
  RunOrder,
  RunReport,
  SignalReport,
} from '../protocol.ts';
import { Ended } from '../rpc.ts';
import { diagramsOf } from './curves/figures.ts';
import { look } from './curves/gestures.ts';
import type { Engine } from './engine.ts';
import { Run } from './run.ts';
import type { DiagramSpec, Store } from './store.ts';
import { texts } from './texts.ts';

/** Milliseconds: a run that lasts longer is seen while it goes on; one that is out of date is stopped; one that does not stop is ended. */
const VISIBLE = 120;
const OUTDATED = 1000;
const PATIENCE = 1000;

/** A run of a sweep: what it is called, and the value of the parameter. */
export interface Member {
  readonly label: string;
  readonly values: Readonly<Record<string, ParameterSetting>>;
}

export class Runs {
  private next = 1;
  private readonly known = new Map<number, Run>();
  private signals: readonly SignalReport[] = [];
  private started = 0;
  /** What the next run is compared with. */
  private last: Run | undefined;
  /** Whether another run is wanted when this one has ended. */
  private isWanted = false;
  /** Whether the person goes from event to event: what is seen follows. */
  private isToEvent = false;
  /** Ends when the worker has nothing more to do. */
  private work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly engine: () => Engine,
    /** When the models of the text are known; undefined where they are. */
    private readonly settled: () => Promise<void> | undefined,
    /** Whether what the person has written for runs are values; says so where they are none. */
    private readonly isReady: () => boolean,
  ) {
    const watch = (): void => this.watch();
    store.diagrams.follow(watch);
    store.before.follow(watch);
    store.isComparing.follow(watch);
  }

  /** Runs the model with the values that there are, to its end or to its first event. */
  async run(isToEvent = false): Promise<void> {
    if (!this.isReady()) return;
    // Who runs a text as soon as it is written means the model that is in it now.
    await this.settled();
    const { active } = this.store;
    if (active.now && !active.now.isOver) {
      this.isWanted = true;
      this.control('stop');
      return;
    }
    this.remember();
    await this.start(isToEvent);
  }

  /** Runs it again because a value has changed: as soon as it can be. */
  private again(): void {
    const active = this.store.active.now;
    if (!active || active.isOver) void this.start(false);
    else {
      this.isWanted = true;
      if (performance.now() - this.started > OUTDATED) this.control('stop');
    }
  }

  /** Something else is about to run: what is seen now is what it is compared with. */
  private remember(): void {
    const { now } = this.store.run;
    if (now?.isOver && now.report?.status !== 'failed') this.last = now;
  }

  /** Of runs that are the same the one before stays what they are compared with. */
  private compare(run: Run): void {
    const { last } = this;
    if (last && last !== run && !last.isLike(run)) this.store.before.set(last);
  }

  control(what: RunControl): void {
    const run = this.store.active.now;
    if (!run || run.isOver) return;
    this.isToEvent = what === 'event';
    void this.engine()
      .runner.ask('control', { run: run.order.run, what })
      .catch(() => {});
    if (what !== 'stop') return;
    setTimeout(() => {
      // Translation hears nothing; what has come of the run is kept.
      if (!run.isOver) this.engine().runner.restart();
    }, PATIENCE);
  }

  /** Other values of parameters than the model has: what is seen follows them. While a slider is moved, what was seen before that is what it is compared with. */
  give(values: Readonly<Record<string, ParameterSetting>>, isMoving = false): void {
    if (!isMoving) this.remember();
    this.store.values.set(values);
    if (this.store.run.now) this.again();
  }

  /** Pauses the run, or lets it go on. */
  toggleHold(): void {
    this.control(this.store.active.now?.state.now === 'held' ? 'go' : 'hold');
  }

  /** To the next event; a run that has not begun stops at its first one. */
  toEvent(): void {
    const run = this.store.active.now;
    this.store.isFollowing.set(true);
    if (!run || run.isOver) void this.run(true);
    else this.control('event');
  }

  /** Runs the model once for each value of a parameter. The family of these runs is seen, and grows while they end. */
  async sweep(members: readonly Member[]): Promise<void> {
    if (!this.isReady()) return;
    await this.settled();
    const { store } = this;
    if (store.active.now && !store.active.now.isOver) this.control('stop');
    await this.work;
    this.isWanted = false;
    store.family.set([]);
    const messages: Message[] = [];
    for (const { label, values } of members) {
      const order = this.order(false, { ...store.values.now, ...values });
      if (!order || this.isWanted) break;
      const run = await this.launch(order, label);
      const news = run.report!.messages.filter(
        ({ text, place }) => !messages.some((one) => one.text === text && isSamePlace(one.place, place)),
      );
      messages.push(...news.map((one) => ({ ...one, notes: [...one.notes, { text: texts.inRun(label) }] })));
      store.messages.set([...messages]);
      if (run.times.count > 0) store.family.set([...store.family.now, run]);
      if (run.report!.status === 'stopped') break;
    }
    if (this.isWanted) await this.start(false);
    else this.forget();
  }

  private async start(isToEvent: boolean): Promise<void> {
    const order = this.order(isToEvent, this.store.values.now);
    if (!order) return;
    this.isWanted = false;
    const { family, messages } = this.store;
    family.set([]);
    const run = await this.launch(order);
    messages.set(run.report!.messages);
    if (this.isWanted) await this.start(false);
    else this.forget();
  }

  private order(isHeld: boolean, values: RunOrder['values']): RunOrder | undefined {
    const { open, model, settings, diagrams } = this.store;
    if (open.now === undefined || model.now === undefined) return undefined;
    return {
      run: this.next++,
      file: open.now,
      model: model.now,
      settings: settings.now,
      values,
      watched: this.isFor(model.now) ? namesIn(diagrams.now) : null,
      isHeld,
    };
  }

  /** Gives the run when it is over. */
  private launch(order: RunOrder, label = ''): Promise<Run> {
    const { store } = this;
    this.started = performance.now();
    const { startTime = 0, stopTime = 1 } = { ...store.report.now?.settings, ...order.settings };
    const run = new Run(order, { startTime, stopTime }, label, this.engine().changes);
    this.known.set(order.run, run);
    store.active.set(run);
    const reported = this.engine().runner.ask('run', order);
    if (order.isHeld) this.control('event');
    const over = reported
      .catch((problem: unknown) => lost(order.run, problem))
      .then((report) => {
        run.end(report);
        this.show(run);
        return run;
      });
    this.work = over;
    return over;
  }

  /** Whether the diagrams are for a model: then they stay. */
  private isFor(model: string): boolean {
    const { diagrams, run } = this.store;
    return run.now?.order.model === model && diagrams.now.some(({ signals }) => signals.length > 0);
  }

  rows(notice: RowsNotice): void {
    this.signals = notice.signals ?? this.signals;
    const run = this.known.get(notice.run);
    run?.take(notice, this.signals);
    if (run && performance.now() - this.started > VISIBLE) this.show(run);
  }

  held({ run: number, isHeld }: HeldNotice): void {
    const run = this.known.get(number);
    if (!run || run.isOver) return;
    run.state.set(isHeld ? 'held' : 'running');
    if (!isHeld) return;
    this.show(run);
    if (this.isToEvent) this.bringIntoView(run.reached);
  }

  /** Where a part of the time is seen, another part as long. */
  private bringIntoView(time: number): void {
    const { now } = this.store.window;
    if (!now || (time >= now.from && time <= now.to)) return;
    const half = (now.to - now.from) / 2;
    look(this.store, { from: time - half, to: time + half });
  }

  private show(run: Run): void {
    const { store } = this;
    if (store.active.now !== run || (run.times.count === 0 && !run.isOver)) return;
    const former = store.run.now;
    if (former !== run) {
      const isOther = former?.order.model !== run.order.model || former?.order.file !== run.order.file;
      if (isOther) {
        store.before.set(undefined);
        this.last = undefined;
        store.window.set(undefined);
        store.isSuggested.set(true);
        if (former?.order.model !== run.order.model) store.isFollowing.set(true);
      }
      this.compare(run);
      store.run.set(run);
      // Of a run that ends before what was looked at, nothing would be seen.
      const { now: seen } = store.window;
      if (seen && (seen.from >= run.stopTime || seen.to <= run.startTime)) store.window.set(undefined);
      this.takeView(run);
    }
    if (store.isSuggested.now && run.times.count > 0) this.suggest(run);
    if (store.isFollowing.now || !(store.cursor.now >= run.startTime && store.cursor.now <= run.stopTime))
      store.cursor.set(run.lastTime);
  }

  /** What somebody wanted to be looked at who sent the model. */
  private takeView({ order }: Run): void {
    const { store } = this;
    const { file, model, view } = store.wanted.now ?? {};
    if (!view || file !== order.file || model !== order.model) return;
    store.wanted.set(undefined);
    const { diagrams, window, cursor, hidden } = view;
    if (diagrams) {
      store.isSuggested.set(false);
      store.diagrams.set(diagrams.map((signals, id) => ({ id, signals })));
    }
    if (window) store.window.set({ from: window[0], to: window[1] });
    if (hidden) store.hidden.set(new Set(hidden));
    if (cursor === undefined) return;
    store.isFollowing.set(false);
    store.cursor.set(cursor);
  }

  /** The figures that the model prefers, or curves by what they measure. */
  private suggest(run: Run): void {
    const { diagrams, report } = this.store;
    const figures = report.now?.name === run.order.model ? report.now.figures : [];
    const own = figures.filter(({ isPreferred }) => isPreferred).flatMap(diagramsOf);
    if (own.length > 0) {
      this.store.isSuggested.set(false);
      diagrams.set(own.map((spec, id) => ({ ...spec, id })));
      return;
    }
    const groups = new Map<string, string[]>();
    for (const name of run.suggested) {
      const signal = run.signal(name);
      if (!signal) continue;
      const key = signal.literals || signal.type === 'Boolean' ? 'names' : displayed(signal).unit;
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    const signals = [...groups.values()];
    const isSame = JSON.stringify(signals) === JSON.stringify(diagrams.now.map((one) => one.signals));
    if (!isSame) diagrams.set(signals.map((names, id) => ({ id, signals: names })));
  }

  /** Asks for what the diagrams show and is not there. */
  private watch(): void {
    const { run, before, family, isComparing, diagrams } = this.store;
    const names = namesIn(diagrams.now);
    for (const shown of new Set([run.now, isComparing.now ? before.now : undefined, ...family.now])) {
      if (!shown || names.every((name) => shown.series.has(name))) continue;
      void this.engine()
        .runner.ask('watch', { run: shown.order.run, names })
        .catch(() => {});
    }
  }

  /** Results that nobody can see any more. */
  private forget(): void {
    const { run, before, active, family } = this.store;
    const seen = new Set([run.now, before.now, this.last, active.now, ...family.now]);
    const gone = [...this.known].filter(([, one]) => !seen.has(one)).map(([number]) => number);
    for (const number of gone) this.known.delete(number);
    if (gone.length > 0)
      void this.engine()
        .runner.ask('forget', gone)
        .catch(() => {});
  }
}

const namesIn = (diagrams: readonly DiagramSpec[]): string[] => [
  ...new Set(diagrams.flatMap(({ signals }) => signals)),
];

const isSamePlace = (a: Message['place'], b: Message['place']): boolean =>
  a?.file === b?.file && a?.from === b?.from;

/** The report of a run whose worker has ended. */
function lost(run: number, problem: unknown): RunReport {
  const text =
    problem instanceof Ended ? texts.runEnded : texts.engineProblem(String((problem as Error).message));
  const statistics = {
    steps: 0,
    events: 0,
    modesCompiled: 0,
    translations: 0,
    translateMs: 0,
    compileMs: 0,
    simulateMs: 0,
  };
  const severity = problem instanceof Ended ? 'warning' : 'error';
  return {
    run,
    status: 'stopped',
    time: Number.NaN,
    messages: [{ severity, code: 'interrupted', text, notes: [] }],
    statistics,
    hasScene: false,
  };
}
