/**
 * The run of a simulation: initialise, integrate a segment, locate an event, let it happen (`simulate/instant/iteration.ts`), restart.
 * One call of `advance` takes one step of the integrator and everything that follows from it, many rows in several calls, so that whoever drives the
 * engine can look at it, show progress and stop it at any step.
 */

import { accessTo } from '../../code/access.ts';
import { remember } from '../../collections/memo.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { attempted, Failure } from '../../diagnostic/failure.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import { ModeBank } from '../../program/cache.ts';
import { explainTicks } from '../../program/explain.ts';
import { indexOf } from '../../program/mode/analyse.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { ScheduledRows } from '../../program/ticks.ts';
import { FloatingWatch, holdLoose } from '../../program/values/floating.ts';
import { approximateInitial, solveInitial } from '../../program/values/initial.ts';
import { UndeterminedWatch } from '../../program/values/undetermined.ts';
import type { Shelf } from '../../results/table/store.ts';
import type { SignalTable } from '../../results/table/table.ts';
import { newStatistics } from '../../solve/integrator.ts';
import { KernelRows } from '../../solve/rows.ts';
import { type Counters, noCounts } from '../counters.ts';
import { notFinite } from '../instant/candidate.ts';
import { Present } from '../instant/current.ts';
import { absorbingOutputs } from '../instant/impulses.ts';
import { EventIteration } from '../instant/iteration.ts';
import { type Crossings, crossingsIn, Reactions } from '../instant/reactions.ts';
import { Relations } from '../instant/relations.ts';
import { UnseenWatch } from '../instant/unseen.ts';
import type { Settings } from '../settings.ts';
import type { Impulse, Status } from '../types.ts';
import { BoundaryWatch } from './boundary.ts';
import { Bounds, badParameters } from './bounds.ts';
import { type Beginning, Recollection } from './continued.ts';
import { briefly } from './ending.ts';
import { OutputGrid } from './grid.ts';
import { Integrators } from './integrators.ts';
import { Lookout } from './lookout.ts';
import { EventWatch } from './progress.ts';
import { Recorder } from './record.ts';
import { ModeHistory, SegmentHistory } from './segments.ts';
import { Stretch } from './stretch.ts';

/** More events of one sample than anybody can wait for. */
const mostTicks = 100_000_000;

/** Rows for which there is room where several steps are taken at once, for each of them. */
const rowsPerStep = 2;

/** Rows that are written without a pause. */
const mostRows = 128;

/** A step of the integrator, and the first event in it. */
interface Step {
  readonly from: number;
  readonly end: number;
  readonly location: ReturnType<Lookout['locate']>;
}

/** See `Engine.state`. */
export type RunState = ReturnType<Engine['state']>;

export class Engine {
  /** Undefined until initial values are known. */
  recorder: Recorder | undefined;
  /** Initial values before anything happens at the first instant, as one row, where an audit wants them. */
  initial: SignalTable | undefined;
  private bounds: Bounds | undefined;
  readonly modes: ModeHistory;
  readonly impulses: Impulse[] = [];
  readonly counters: Counters = { ...noCounts };
  /** The mode in which the run began. */
  initialMode: CompiledMode | undefined;
  /** Symbols whose values come from a result. */
  recalled: ReadonlySet<number> = new Set();
  /** Where it came to its stop time, if that was asked for. */
  ended: RunState | undefined;
  /** Undefined while the run goes on. */
  status: Status | undefined;
  time: number;
  private readonly relations: Relations;
  private readonly present: Present;
  private readonly iteration: EventIteration;
  private readonly reactions: Reactions;
  private readonly lookout: Lookout;
  private readonly events: EventWatch;
  private readonly floating: FloatingWatch;
  private readonly undetermined: UndeterminedWatch;
  private readonly unseen: UnseenWatch;
  private readonly grid: OutputGrid;
  private readonly stretch: Stretch;
  /** By mode, the last used first, with the shapes of the components that each was made for. */
  private readonly integrators: Integrators;
  /** Of all integrators. */
  private readonly solverStatistics = newStatistics();
  readonly segments = new SegmentHistory(this.solverStatistics);
  /** By row of the results: steps of the integrators so far. */
  readonly stepsAtRows: number[] = [];
  /** What writes rows in this stretch where several steps are taken at once, and the same by mode. */
  private rows: KernelRows | 'by themselves' | undefined;
  /** Steps that are taken at once, at most. */
  atOnce = 16;
  private readonly rowsByMode = new WeakMap<CompiledMode, KernelRows>();
  /** A step whose rows are not all written. */
  private step: Step | undefined;
  private nextTimeEvent = Number.POSITIVE_INFINITY;
  /** How far components look: the next step goes no further. */
  private horizon = Number.POSITIVE_INFINITY;
  /** Whether components look ahead in this stretch. */
  private isLooking = false;

  /** A run for which the runtime has begun; `bank` may have modes of runs before. */
  constructor(
    private readonly runtime: Runtime,
    private readonly settings: Settings,
    readonly bank: ModeBank = new ModeBank(runtime, settings.keptModes, settings.singleMode),
    /** What the inputs of the model follow. */
    private readonly inputs?: ScheduledRows,
    /** Where rows of results are kept that are too many for memory. */
    private readonly shelf?: Shelf,
  ) {
    this.modes = new ModeHistory(runtime);
    this.time = settings.startTime;
    this.grid = new OutputGrid(settings);
    runtime.values.tolerance = settings.tolerance;
    runtime.values.set(runtime.values.pool.time, settings.startTime);
    runtime.values.prepare();
    this.relations = new Relations(runtime);
    this.present = new Present(runtime, this.bank);
    this.integrators = new Integrators(runtime.values, bank, this.present, settings, this.solverStatistics);
    this.iteration = new EventIteration(runtime, this.bank, this.relations, this.present);
    this.iteration.diagnostics.push(...runtime.model.warnings);
    const { relations, present, iteration } = this;
    const boundary = new BoundaryWatch(relations, present, (relation) => iteration.slopeOf(relation));
    this.stretch = new Stretch(runtime, settings, present, this.integrators, this.grid, boundary);
    this.lookout = new Lookout(
      runtime,
      relations,
      present,
      iteration.trials,
      settings,
      this.stretch.interpolate,
      this.stretch.guess,
    );
    this.reactions = new Reactions(
      runtime.components,
      this.present,
      this.iteration.diagnostics,
      this.impulses,
    );
    this.events = new EventWatch(runtime, relations, iteration, settings);
    this.floating = new FloatingWatch(runtime.values, runtime.wording);
    this.undetermined = new UndeterminedWatch(runtime);
    this.unseen = new UnseenWatch(runtime);
  }

  /** The mode in force; undefined before the first one was found. */
  get mode(): CompiledMode {
    return this.present.mode;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.iteration.diagnostics;
  }

  // -------------------------------------------------------------- beginning and end

  /** Finds the initial mode without initial values, for looking at its structure. */
  enterInitialMode(): CompiledMode {
    this.iteration.first.guess();
    return this.mode;
  }

  initialise(): void {
    const { runtime, iteration } = this;
    const { initial } = runtime.model.flags;
    runtime.values.setVariable(initial, 1);
    this.relations.ticks.start(this.time, this.inputs);
    this.checkTicks();
    this.checkParameters(false);
    iteration.find(
      () => solveInitial(runtime, this.mode),
      () => approximateInitial(runtime, this.mode),
    );
    if (this.settings.audit) this.keepInitial();
    iteration.start();
    this.checkParameters(true);
    this.beginResults();
    runtime.values.setVariable(initial, 0);
    this.beginVisit();
    this.beginTime();
  }

  /** An audit looks at initial values before anything happens to them. */
  private keepInitial(): void {
    const recorder = new Recorder(this.runtime, true, undefined);
    this.mode.layOut();
    recorder.beginSegment(this.mode);
    if (recorder.append()) this.initial = recorder.finish({});
  }

  /** What happens at the first instant, and the first segment. */
  private beginTime(): void {
    this.relations.ticks.raise(this.time);
    this.happen([]);
    this.react(new Map());
    this.beginInterval();
    this.record();
    if (this.status) this.conclude();
    else this.beginStretch();
    for (const live of this.runtime.components.live) live.run();
  }

  /** Begins with what a result has at one of its times. */
  initialiseFrom(beginning: Beginning): void {
    const { runtime, iteration, relations } = this;
    const recollection = new Recollection(runtime, beginning);
    this.recalled = recollection.known;
    relations.ticks.start(this.time, this.inputs, beginning.since - beginning.time + this.time);
    this.checkTicks();
    this.checkParameters(false);
    const load = (): ReadonlySet<number> => {
      recollection.load(iteration.machines);
      return recollection.known;
    };
    iteration.recall(load, (entered) => {
      if (entered === 'components') recollection.loadComponents();
      else recollection.loadAliases(this.mode);
    });
    iteration.diagnostics.push(...recollection.report(this.mode));
    this.checkParameters(true);
    this.beginResults();
    this.beginVisit();
    this.beginTime();
  }

  private checkParameters(free: boolean): void {
    const bad = badParameters(this.runtime, free);
    if (bad.length > 0) throw new Failure('initialise', bad);
  }

  private checkTicks(): void {
    const bad = this.relations.ticks.bad((this.settings.stopTime - this.time) / mostTicks);
    if (bad.length === 0) return;
    const problems = bad.map((one) => explainTicks(this.runtime, one, mostTicks));
    throw new Failure('initialise', problems);
  }

  private end(): false {
    if (this.settings.resumable) this.takeState();
    this.outputsAt(this.time);
    this.conclude();
    this.status ??= 'done';
    return false;
  }

  /** Keeps the state before anything happens because the run ends; a component may have none to give away. */
  private takeState(): void {
    const state = attempted(() => this.state());
    if (!(state instanceof Failure)) this.ended = state;
    else
      this.iteration.diagnostics.push(
        ...state.diagnostics.map((problem): Diagnostic => ({ ...problem, severity: 'warning' })),
      );
  }

  /** The last event of a run that ends as it should, by its time or by the model itself: `terminal()` is true. */
  private conclude(): void {
    const { runtime, iteration, status } = this;
    if (!runtime.facts.asksForEnd) return;
    const before = this.mode;
    runtime.values.setVariable(runtime.model.flags.terminal, 1);
    iteration.actions.terminated = false;
    this.counters.events++;
    this.happen([]);
    this.status ??= status;
    if (this.mode !== before) this.beginInterval();
    this.record();
  }

  /** Closes the history; the results so far stay valid however the run ended, and their last row is at the time of its end. */
  finish(): void {
    if (this.recorder && this.recorder.lastTime < this.time && !this.recordLast())
      this.time = this.recorder.lastTime;
    this.modes.end(this.time);
    this.segments.end(this.time, this.counters.events);
    const { steps, evaluations, jacobians } = this.solverStatistics;
    Object.assign(this.counters, { steps, evaluations, jacobians });
  }

  /** Whether it has come to its stop time, and all that happens there has happened but the end. */
  get isThere(): boolean {
    return !this.step && this.time >= this.settings.stopTime;
  }

  /** The right-hand side of the mode in force. */
  get system(): ReturnType<Integrators['systemOf']> {
    return this.integrators.systemOf(this.mode);
  }

  /** Computes everything continuous at the time that was reached; gives the states there. */
  evaluate(): Float64Array {
    this.mode.activate();
    this.outputsAt(this.time);
    return this.stretch.y.slice(0, this.mode.size);
  }

  /** Goes to other states at the same time, and lets happen what relations ask for there; true if something did. */
  moveTo(y: Float64Array): boolean {
    const { mode, relations } = this;
    const [before, after] = [new Float64Array(mode.indicatorCount), new Float64Array(mode.indicatorCount)];
    mode.readIndicators(before);
    this.stretch.integrator.start(this.time, y);
    this.outputsAt(this.time);
    mode.readIndicators(after);
    const changed = [...after.keys()].filter((i) => {
      const watched = mode.watched[i];
      return watched ? relations.differs(watched.relation, after[i]!) : before[i]! * after[i]! < 0;
    });
    const crossed = changed.flatMap((i) => mode.watched[i]?.relation ?? []);
    if (changed.length > 0) this.event(crossed, changed, []);
    else this.beginStretch();
    return changed.length > 0;
  }

  /** Forgets all rows of results, and writes one of now. */
  recordAnew(): void {
    this.evaluate();
    this.recorder = new Recorder(this.runtime, this.settings.audit, this.shelf);
    this.stepsAtRows.length = 0;
    this.recorder.beginSegment(this.mode);
    this.record();
  }

  // -------------------------------------------------------------- state

  /** Those whose state is one value, `now`. */
  private get watches(): readonly { now: unknown }[] {
    const { relations, stretch, iteration } = this;
    const { zeno, pace: eventPace } = this.events;
    const { extents, sizes } = this.runtime.values;
    const own = [
      ...relations.ticks.tickers,
      relations,
      iteration.machines,
      zeno,
      stretch.pace,
      eventPace,
      stretch.choice,
    ];
    return [...own, extents, sizes];
  }

  /**
   * All that values to come depend on, between two calls of `advance`; what was recorded, counted and reported is no part of it. It holds numbers,
   * truth values, texts and lists of them alone, and means something to translations of this model only.
   */
  state() {
    const { runtime, present, integrators, bank, grid } = this;
    const { time, step, nextTimeEvent, horizon, isLooking } = this;
    const { reached, imminent, mark } = this.stretch;
    const { used } = bank;
    return structuredClone({
      own: { time, step, nextTimeEvent, horizon, isLooking },
      stretch: { reached, imminent, mark },
      nextOutput: grid.next,
      memory: runtime.values.lasting(),
      components: runtime.components.live.map((live) => live.state()),
      modes: used.map((mode) => ({ ...mode.state(), integrators: integrators.state(mode) })),
      inForce: used.indexOf(this.mode),
      stage: bank.stage,
      stages: bank.origins,
      present: { conditions: present.conditions, known: present.known },
      search: this.lookout.search.state(),
      watches: this.watches.map(({ now }) => now),
    });
  }

  /** Goes on where another engine of the same model, values and settings had come to; in place of `initialise`. From the end of a run on, rows begin anew. */
  resume(state: RunState, isEnd = false): void {
    const { runtime, bank, integrators } = this;
    const { own, memory, components, modes, inForce, ...rest } = structuredClone(state);
    const restore = (): void => {
      for (const [k, saved] of components.entries()) if (saved) runtime.components.live[k]!.resume(saved);
      runtime.values.recall(memory);
    };
    restore();
    bank.restage(rest.stages);
    this.relations.ticks.start(this.time, this.inputs);
    const known = modes.map((saved) => {
      const mode = bank.again(saved);
      integrators.resume(mode, saved.integrators);
      mode.resume(saved);
      return mode;
    });
    bank.enterStage(rest.stage);
    this.time = own.time;
    Object.assign(this.present, rest.present, { mode: known[inForce] });
    this.beginStretch();
    // What has happened since the segment began is not forgotten.
    const present = modes[inForce]!;
    integrators.resume(this.mode, present.integrators);
    this.stretch.resume();
    this.mode.resume(present);
    this.lookout.search.resume(rest.search);
    for (const [k, now] of rest.watches.entries()) Object.assign(this.watches[k]!, { now });
    Object.assign(this.stretch, rest.stretch);
    this.grid.next = rest.nextOutput;
    Object.assign(this, own);
    restore();
    this.beginResults();
    this.beginVisit();
    this.beginInterval();
    if (!isEnd) return;
    this.grid.begin(this.time);
    this.outputsAt(this.time);
    this.record();
    this.mode.restoreSolutions();
  }

  private beginResults(): void {
    this.bounds = new Bounds(this.runtime, this.settings.tolerance);
    this.initialMode = this.mode;
    this.recorder = new Recorder(this.runtime, this.settings.audit, this.shelf);
  }

  // -------------------------------------------------------------- stretches between events

  /** Continues from the values in the memory in the mode in force. */
  private beginStretch(): void {
    const { mode } = this;
    this.bank.trim(mode);
    mode.activate();
    mode.layOut();
    const { extents, sizes, memory } = this.runtime.values;
    extents.see(mode.stateSlots, memory.values);
    sizes.see(mode.jumpingSlots, memory.values);
    this.rows = undefined;
    this.stretch.begin(this.time);
    this.lookout.begin(this.time);
    for (const relation of this.lookout.takeGaps()) this.iteration.checkValue(relation);
    this.nextTimeEvent = Math.min(this.relations.nextTime(this.time, mode.idle), this.reactions.nextTime);
    this.lookAhead();
  }

  /** Components say how far they can look; where their indicators stand for something else, these are looked at anew. */
  private lookAhead(): void {
    this.horizon = Number.POSITIVE_INFINITY;
    this.isLooking = false;
    for (const part of this.mode.parts) {
      const ahead = part.lookAhead();
      if (!ahead) continue;
      this.isLooking = true;
      if (ahead.renewed) this.lookout.renew(part);
      if (ahead.isStiff) this.stretch.integrator.expectStiff?.();
      this.horizon = Math.min(this.horizon, ahead.until);
    }
  }

  /** Takes one step and what follows from it, or goes on with the rows of a step that has many of them; false when the run is over, or has to begin again. */
  advance(): boolean {
    if (this.status || this.runtime.components.isRefused) return false;
    if (!this.step && this.time >= this.settings.stopTime) return this.end();
    this.step ??= this.takeSteps() ?? this.takeStep();
    const { from, end, location } = this.step;
    if (
      !this.writeOutputs(location ? location.time : end, location !== undefined || end === this.nextTimeEvent)
    )
      return true;
    this.step = undefined;
    this.follow(from, this.time);
    if (this.mode.asserts) {
      this.outputsAt(this.time);
      this.iteration.actions.checkAssertions(this.mode);
      if (this.iteration.actions.terminated) {
        this.status = 'terminated';
        this.conclude();
        return false;
      }
    }
    if (location) this.stateEvent(location.changed, location.before);
    else if (this.stretch.imminent.length > 0) this.stateEvent(this.stretch.imminent, end);
    else if (this.stretch.reached.length > 0 || end === this.nextTimeEvent) {
      this.outputsAt(this.time);
      this.event([], [], this.stretch.reached);
    } else if (!this.reviewStates() && this.isLooking) {
      this.outputsAt(this.time);
      this.lookAhead();
      if (this.horizon <= this.time) this.event([], [], []);
    }
    return true;
  }

  /** Several steps in which nothing can happen, and their rows; undefined where the next one has to be taken by itself. */
  private takeSteps(): Step | undefined {
    this.rows ??= this.plainRows() ?? 'by themselves';
    if (this.rows === 'by themselves') return undefined;
    const { rows, grid, stretch, time: from } = this;
    const { next } = grid;
    const { steps } = this.solverStatistics;
    rows.begin(rowsPerStep * this.atOnce, (k) => grid.at(next + k));
    let end = from;
    try {
      end = stretch.run(rows, Math.min(this.settings.stopTime, this.nextTimeEvent), this.atOnce);
    } finally {
      for (let k = 0; k < rows.count; k++) {
        this.recorder!.appendRow(rows.time(k), rows.row(k));
        this.stepsAtRows.push(steps + rows.stepsAt(k));
      }
      grid.next += rows.count;
      this.time = Math.max(from, stretch.integrator.t);
    }
    if (!(end > from)) return undefined;
    if (end !== this.nextTimeEvent) stretch.checkPace(from);
    return { from, end, location: undefined };
  }

  /** Rows that the integrator can write in this stretch. */
  private plainRows(): KernelRows | undefined {
    const { mode, recorder, bounds, horizon, isLooking } = this;
    if (!this.stretch.integrator.run || mode.size === 0 || mode.mayCross || !mode.scan.isIdle)
      return undefined;
    if (isLooking || horizon < Number.POSITIVE_INFINITY || mode.asserts || bounds!.count > 0)
      return undefined;
    if (mode.sorted.selections.length > 0) return undefined;
    const { whole: run } = mode;
    if (!run) return undefined;
    const { slots, present } = recorder!;
    return remember(this.rowsByMode, mode, () => {
      const { get } = accessTo(this.runtime.values.memory);
      const addresses = slots.map((slot) => 8 * slot);
      return new KernelRows({ get, run, addresses, present }, mode.size);
    });
  }

  private takeStep(): Step {
    const from = this.time;
    const limit = Math.min(this.settings.stopTime, this.nextTimeEvent, this.horizon);
    const end = this.stretch.stepTo(from, this.mode.scan.quiet(from, limit));
    const growth = this.stretch.growth(from);
    if (growth) this.iteration.diagnostics.push(growth);
    const location = this.lookout.locate(this.time, end);
    // Steps that end at events are as many as those, and counted as such.
    if (!location && end !== this.nextTimeEvent) this.stretch.checkPace(from);
    const gaps = this.lookout.takeGaps();
    if (!location && gaps.length > 0 && this.stretch.evaluatesAt(end))
      for (const relation of gaps) this.iteration.checkValue(relation);
    this.mode.restoreSolutions();
    return { from, end, location };
  }

  /** Tells components that remember their inputs what these were in a step. */
  private follow(from: number, to: number): void {
    const followers = this.mode.parts.filter(({ live }) => live.builtIn.follow);
    if (followers.length === 0 || !(to > from)) return;
    const known = new Map<number, readonly Float64Array[]>();
    this.outputsAt(to);
    const inputsNow = followers.map((part) => (part.isSteady ? part.copiedInputs() : undefined));
    const inputsAt = (t: number): readonly Float64Array[] =>
      remember(known, t, () => {
        this.outputsAt(t);
        return followers.map((part) => part.copiedInputs());
      });
    for (const [k, { live }] of followers.entries())
      live.follow(from, to, (t) => inputsNow[k] ?? inputsAt(t)[k]!);
    this.mode.restoreSolutions();
  }

  /** Rows of the output grid up to and including `end`, some of them at a time; an event there writes its own. True when they are all written. */
  private writeOutputs(end: number, atEvent: boolean): boolean {
    const { grid } = this;
    const first = grid.next;
    for (let t = grid.at(first); t <= end; t = grid.at(grid.next)) {
      if (grid.next - first === mostRows) return false;
      grid.next++;
      if (atEvent && t === end) break;
      // The last row is the one after the end of the run has happened.
      if (t === this.settings.stopTime && this.runtime.facts.asksForEnd) break;
      pulse();
      this.outputsAt(t);
      this.record();
      this.time = t;
      this.stretch.setMark(t);
    }
    this.time = end;
    return true;
  }

  /** A row of results; a value that is no number is an error even where no state depends on it. */
  private record(): void {
    this.stepsAtRows.push(this.solverStatistics.steps);
    if (!this.recorder!.append()) throw this.endBefore(this.present.time);
    const { mode, sorted, plan, present, systems } = this.mode;
    this.iteration.diagnostics.push(
      ...this.bounds!.left(present),
      ...this.floating.open(mode, sorted, plan.loose),
      ...this.undetermined.warnings(systems),
    );
    holdLoose(this.runtime.values, plan.loose);
  }

  private outputsAt(t: number): void {
    this.stretch.guess(t);
    if (!this.stretch.evaluatesAt(t)) throw this.endBefore(t);
  }

  private readonly hasValuesAt = (t: number): boolean => this.stretch.evaluatesAt(t) && this.recorder!.read();

  /** Ends the run at the last time before t at which there are values, with a row; says why there are none behind it. */
  private endBefore(t: number): Failure {
    const { stretch, present } = this;
    const recorded = this.recorder!.lastTime;
    const lastTime = Number.isNaN(recorded) ? stretch.mark.time : recorded;
    const edge = stretch.findEdge(lastTime, t, this.hasValuesAt);
    // Where nothing is found between the last row and t, the last row it is; at the beginning there is none.
    this.time = edge?.last ?? (Number.isNaN(lastTime) ? t : lastTime);
    return present.evaluationFailure('simulate', this.time);
  }

  /** A row where a run ended between rows; false where the states are not known there, or nobody would wait for it. */
  private recordLast(): boolean {
    if (!this.stretch.isCurrent) return false;
    this.mode.restoreSolutions();
    if (!briefly(() => this.hasValuesAt(this.time))) return false;
    this.record();
    return true;
  }

  // -------------------------------------------------------------- events

  /**
   * `changed` are indicators, those of relations before those of components. Where the equations have no values behind the change, it happens `before`,
   * at the other end of the bracket, and as if sides had become equal, where that changes anything.
   */
  private stateEvent(changed: readonly number[], before: number): void {
    const isBlocked =
      !this.stretch.evaluatesAt(this.time) || notFinite(this.runtime, this.mode) !== undefined;
    if (isBlocked) {
      this.time = before;
      this.outputsAt(before);
    }
    const { watched, scan, parts } = this.mode;
    const crossed = changed.flatMap((i) => watched[i]?.relation ?? []);
    const equal = isBlocked ? crossed.filter((relation) => this.relations.changesAtZero(relation)) : [];
    if (equal.length > 0) this.event([], changed, equal);
    else this.event(crossed, changed, []);
    this.events.note(crossed, scan.timed, this.time);
    this.events.noteArrays(parts, changed, this.time);
  }

  /** The row before, whose values the memory has, what happens, and the row after. */
  private event(crossed: readonly number[], indicators: readonly number[], reached: readonly number[]): void {
    const { counters, runtime } = this;
    const started = performance.now();
    const { modeChanges, restarts } = counters;
    const before = this.mode;
    const ofComponents = crossingsIn(before.parts, indicators);
    const { programs } = runtime.code;
    counters.events++;
    this.record();
    for (const part of before.parts) part.rememberInputs();
    this.relations.ticks.raise(this.time);
    this.happen(crossed, reached);
    this.react(ofComponents);
    if (counters.modeChanges !== modeChanges || counters.restarts !== restarts || this.hasOtherParts(before))
      this.beginInterval();
    this.record();
    if (this.status) this.conclude();
    else {
      this.beginStretch();
      this.events.check(crossed, this.mode.parts, this.time);
    }
    if (counters.restarts !== restarts) counters.restartMs += performance.now() - started;
    if (counters.modeChanges === modeChanges) return;
    const spent = performance.now() - started;
    if (runtime.code.programs === programs) {
      counters.knownChanges++;
      counters.knownChangeMs += spent;
    } else counters.newChangeMs += spent;
  }

  /** Built-in components follow, and what they do to the equations. */
  private react(crossed: Crossings): void {
    if (this.status) return;
    this.counters.restarts += this.reactions.run(crossed, () => this.happen([]));
    if (this.reactions.terminated) this.status = 'terminated';
  }

  /** The state vector is another one from here on. */
  private beginInterval(): void {
    const { mode, segments, time } = this;
    const { events } = this.counters;
    mode.layOut();
    this.modes.settle(time, mode);
    segments.end(time, events);
    const builtIn = mode.parts.filter(({ live }) => !live.component.flat.arrays);
    const variant = builtIn.reduce((sum, { live }) => sum + live.point.x.length, 0);
    segments.begin(time, mode.size, variant, events);
    this.recorder!.beginSegment(mode);
  }

  private happen(crossed: readonly number[], reached: readonly number[] = []): void {
    const before = this.mode;
    this.stretch.reached = [];
    this.stretch.imminent = [];
    for (const relation of reached) this.relations.update(relation, 0);
    const own = this.runtime.finding(absorbingOutputs);
    for (const { symbol, weight } of this.iteration.run(crossed, reached)) {
      this.reactions.note(symbol, weight);
      if (!this.runtime.model.scalars[symbol]!.variable || own.has(symbol)) continue;
      this.impulses.push({ time: this.time, variable: this.runtime.wording.nameOf(symbol), weight });
    }
    if (this.iteration.actions.terminated) this.status = 'terminated';
    if (this.mode.mode.key === before.mode.key) return;
    this.counters.modeChanges++;
    this.modes.end(this.time);
    this.beginVisit();
  }

  /** Another choice of states is no event for the model, only for the integrator. True where there is one. */
  private reviewStates(): boolean {
    if (this.mode.sorted.selections.length === 0) return false;
    const { time, isGood } = this.stretch.choice.now;
    if (isGood && time === this.time) return false;
    this.outputsAt(this.time);
    const before = this.mode;
    if (!this.present.reviewStates()) return false;
    if (this.hasOtherParts(before)) this.beginInterval();
    this.beginStretch();
    return true;
  }

  /** Another choice of states lets the same components read their inputs elsewhere. */
  private hasOtherParts(before: CompiledMode): boolean {
    return this.mode !== before && this.mode.parts.length > 0;
  }

  private beginVisit(): void {
    const { mode } = this;
    this.iteration.diagnostics.push(
      ...this.floating.warnings(mode.mode, mode.sorted, true),
      ...this.unseen.warnings(mode.sorted),
    );
    this.modes.begin(this.time, mode, indexOf(this.runtime.model, mode.sorted));
  }
}
