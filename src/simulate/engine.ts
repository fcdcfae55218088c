/**
 * The event engine: initialise, integrate a segment, locate an event, iterate until nothing changes, restart. Time is
 * super-dense: at one instant there are as many iterations as the model needs.
 *
 * During an iteration values of the continuous variables are either real or tried. When a structural condition proposes another
 * mode, that mode is entered from the left limits; if there other conditions are violated, the left limits come
 * back and the next combination is tried. Only the mode in which the iteration settles changes the values.
 */
import { EvaluationError } from '../code/fault.ts';
import { type Diagnostic, error, Failure, warning } from '../diagnostic/diagnostic.ts';
import type { Integrator, OdeSystem } from '../solve/integrator.ts';
import { createIntegrator } from '../solve/auto.ts';
import { RootSearch } from '../solve/roots.ts';
import { chooseDependent } from '../structure/pivot.ts';
import { gradient } from '../symbolic/differentiate.ts';
import { ModeBank } from './bank.ts';
import type { CompiledMode } from './compiled.ts';
import { explainFault, explainSystem, listNames } from './explain.ts';
import { solveInitial } from './initial.ts';
import { systemJacobian } from './jacobian.ts';
import { Recorder } from './record.ts';
import { Relations } from './relations.ts';
import type { Weight } from './restart.ts';
import type { Runtime } from './runtime.ts';
import type { Impulse, Method, ModeVisit, Status } from './types.ts';
import { type Accumulation, ZenoWatch } from './zeno.ts';

/** Iterations at one instant before the engine gives up (a cycle of modes or of discrete values). */
const mostIterations = 100;
/** A choice of states is changed when its determinant falls below this share of the best. */
const leastQuality = 0.3;

export interface Settings {
  readonly startTime: number;
  readonly stopTime: number;
  readonly tolerance: number;
  readonly intervals: number;
  readonly method: Method;
}

export interface Counters {
  steps: number;
  evaluations: number;
  jacobians: number;
  events: number;
  modeChanges: number;
}

export class Engine {
  readonly bank: ModeBank;
  readonly recorder: Recorder;
  readonly visits: ModeVisit[] = [];
  readonly impulses: Impulse[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly counters: Counters = { steps: 0, evaluations: 0, jacobians: 0, events: 0, modeChanges: 0 };
  /** Undefined while the run goes on. */
  status: Status | undefined;
  time: number;
  private readonly runtime: Runtime;
  private readonly settings: Settings;
  private readonly relations: Relations;
  private readonly zeno: ZenoWatch;
  private readonly integrators = new Map<CompiledMode, Integrator>();
  private conditions: boolean[] = [];
  private mode!: CompiledMode;
  private integrator!: Integrator;
  private search!: RootSearch;
  private y: Float64Array = new Float64Array(0);
  private indicators: Float64Array = new Float64Array(0);
  private nextOutput = 1;
  private nextTimeEvent = Number.POSITIVE_INFINITY;
  private visitFrom: number;
  /** Left limits of everything at the beginning of a trial. */
  private left: Float64Array = new Float64Array(0);
  /** Slots of values that belong to the event iteration. */
  private readonly eventSlots: readonly number[];
  private warned = new Set<string>();

  constructor(runtime: Runtime, settings: Settings) {
    this.runtime = runtime;
    this.settings = settings;
    this.time = settings.startTime;
    this.visitFrom = settings.startTime;
    runtime.set(runtime.pool.time, settings.startTime);
    runtime.prepare();
    this.bank = new ModeBank(runtime);
    this.relations = new Relations(runtime);
    this.zeno = new ZenoWatch(settings.stopTime - settings.startTime);
    this.recorder = new Recorder(runtime);
    this.eventSlots = eventSlots(runtime, this.relations);
  }

  get currentMode(): CompiledMode {
    return this.mode;
  }

  // -------------------------------------------------------------- initialisation

  /** Finds the initial mode without initial values; for checks of the structure. */
  enterInitialMode(): CompiledMode {
    this.relations.setExactly();
    this.conditions = this.runtime.model.conditions.map((c) => this.runtime.evaluate(c.value) !== 0);
    this.mode = this.bank.get(this.conditions);
    return this.mode;
  }

  initialise(): void {
    const { runtime } = this;
    const flag = runtime.pool.ref(runtime.model.flags.initial);
    runtime.set(flag, 1);
    this.relations.startSamples(this.time);
    this.checkSamples();
    this.enterInitialMode();
    let notes: Diagnostic[] = [];
    for (let n = 0; ; n++) {
      if (n > mostIterations) throw new Failure('initialise', [this.cycle('initialisation')]);
      notes = solveInitial(runtime, this.mode.mode, this.mode.sorted);
      this.mode.activate();
      this.evaluateEvent('initialise');
      let changed = this.updatePre();
      if (this.updateWatched([])) changed = true;
      if (this.readConditions()) {
        this.mode = this.bank.get(this.conditions);
        changed = true;
      }
      if (!changed) break;
    }
    this.diagnostics.push(...notes);
    const better = this.betterStates();
    if (better) this.mode = better;
    this.mode.activate();
    this.evaluateEvent('initialise');
    this.performActions('initialise');
    runtime.set(flag, 0);
    this.beginVisit();
    this.relations.tick(this.time);
    this.iterate([]);
    this.recorder.beginSegment(this.mode);
    this.recorder.append();
    this.beginSegment();
  }

  private checkSamples(): void {
    const bad = this.relations.badSamples();
    if (bad.length === 0) return;
    throw new Failure(
      'initialise',
      bad.map((k) => {
        const { origin, interval } = this.runtime.model.samples[k]!;
        return error('bad-evaluation', `The interval of sample, ${this.runtime.print(interval)}, is not positive.`, { span: origin.span });
      }),
    );
  }

  // -------------------------------------------------------------- segments

  /** Continues from the values in the memory in the current mode. */
  private beginSegment(): void {
    const { mode } = this;
    mode.activate();
    const n = mode.states.length;
    let integrator = this.integrators.get(mode);
    if (!integrator) this.integrators.set(mode, (integrator = this.createIntegrator(mode)));
    this.integrator = integrator;
    if (this.y.length !== n) this.y = new Float64Array(n);
    mode.readStates(this.y);
    integrator.start(this.time, this.y);
    if (this.search?.count !== mode.watched.length) {
      this.search = new RootSearch(mode.watched.length);
      this.indicators = new Float64Array(mode.watched.length);
    }
    this.readIndicators(this.indicators);
    this.search.begin(this.time, this.indicators);
    this.holdSigns();
    this.nextTimeEvent = this.relations.nextTime(this.time);
  }

  private createIntegrator(mode: CompiledMode): Integrator {
    const { tolerance, method } = this.settings;
    const system: OdeSystem = {
      n: mode.states.length,
      rhs: (t, y, dy) => this.guarded(() => mode.derivatives(t, y, dy)),
      get jacobian() {
        return jacobian();
      },
    };
    let made: OdeSystem['jacobian'];
    const jacobian = () => (made ??= systemJacobian(this.runtime, mode));
    const absolute = Float64Array.from(mode.states, (s) => tolerance * this.nominal(s.symbol));
    return createIntegrator(method, system, { relative: tolerance, absolute });
  }

  /** Absolute tolerances follow the nominal value; without one they are small enough for quantities of any usual unit. */
  private nominal(symbol: number): number {
    const declared = this.runtime.model.scalars[symbol]?.nominal;
    return declared ? Math.abs(this.runtime.evaluate(declared)) || 1 : 1;
  }

  /** The sign of each indicator is what the held value of its relation says, also where the indicator is zero. */
  private holdSigns(): void {
    const { relations } = this.runtime.model;
    for (const [i, { relation }] of this.mode.watched.entries()) {
      const { op } = relations[relation]!;
      const positive = this.relations.held(relation) === (op === 'gt' || op === 'ge');
      this.search.signs[i] = positive ? 1 : -1;
    }
  }

  private readIndicators(out: Float64Array): void {
    const { values } = this.runtime.memory;
    const { watched } = this.mode;
    for (let i = 0; i < watched.length; i++) out[i] = values[watched[i]!.slot]!;
  }

  /** Takes one step and what follows from it; false when the run is over. */
  advance(): boolean {
    if (this.status) return false;
    if (this.time >= this.settings.stopTime) return this.end('done');
    const limit = Math.min(this.settings.stopTime, this.nextTimeEvent);
    const end = this.integrateTo(limit);
    const location = this.mode.watched.length > 0 ? this.search.locate(end, this.indicatorsAt) : undefined;
    const reached = location ? location.time : end;
    this.writeOutputs(reached);
    this.time = reached;
    if (location) {
      this.stateEvent(location.changed.map((i) => this.mode.watched[i]!.relation));
    } else if (reached === this.nextTimeEvent) {
      this.event([]);
    } else {
      this.reviewStates();
    }
    return true;
  }

  /** One step of the integrator, or a jump to the limit where there is nothing to integrate. */
  private integrateTo(limit: number): number {
    if (this.mode.states.length === 0) return this.stepWithoutStates(limit);
    const outcome = this.integrator.step(limit);
    if (outcome.kind === 'failed') throw this.integrationFailure(outcome.reason, outcome.component);
    return this.integrator.t;
  }

  /** Without states, indicators of time are still watched: the output grid sets the pace. */
  private stepWithoutStates(limit: number): number {
    if (this.mode.watched.length === 0) return limit;
    const { startTime, stopTime, intervals } = this.settings;
    return Math.min(limit, this.time + (stopTime - startTime) / Math.max(intervals, 100));
  }

  private readonly indicatorsAt = (t: number, out: Float64Array): void => {
    this.interpolate(t);
    this.mode.place(t, this.y);
    if (this.guarded(() => this.mode.evaluateWatched())) this.readIndicators(out);
  };

  private interpolate(t: number): void {
    if (this.mode.states.length === 0) return;
    if (t === this.integrator.t) this.y.set(this.integrator.y);
    else this.integrator.interpolate(t, this.y);
  }

  /** Rows of the output grid up to and including `end`, then the memory stands at `end`. */
  private writeOutputs(end: number): void {
    const { startTime, stopTime, intervals } = this.settings;
    for (;;) {
      const t = this.nextOutput >= intervals ? stopTime : startTime + ((stopTime - startTime) * this.nextOutput) / intervals;
      if (t > end || this.nextOutput > intervals) break;
      this.nextOutput++;
      this.outputsAt(t);
      this.recorder.append();
    }
    this.outputsAt(end);
    this.checkAsserts();
  }

  private outputsAt(t: number): void {
    this.interpolate(t);
    this.mode.place(t, this.y);
    if (!this.guarded(() => this.mode.evaluateOutputs())) throw this.evaluationFailure('simulate');
  }

  // -------------------------------------------------------------- events

  private stateEvent(changed: readonly number[]): void {
    this.event(changed);
    for (const relation of changed) {
      const found = this.zeno.note(relation, this.relations.held(relation), this.time);
      if (found) throw new Failure('simulate', [this.accumulation(found)]);
    }
  }

  /** The row before, the iteration, the row after. */
  private event(changed: readonly number[]): void {
    this.counters.events++;
    this.recorder.append();
    this.updatePre();
    this.relations.tick(this.time);
    this.iterate(changed);
    this.recorder.append();
    if (!this.status) this.beginSegment();
  }

  /** Event iteration until nothing changes. `changed` are relations whose indicators were seen to change sign. */
  private iterate(changed: readonly number[]): void {
    const before = this.mode;
    this.relations.updateTimeRelations(this.time);
    this.updateWatched([]);
    for (const relation of changed) this.flip(relation);
    let ticking = true;
    let entered = this.mode;
    let weights: Weight[] = [];
    this.remember();
    const tried = new Set<CompiledMode>([this.mode]);
    for (let n = 0; ; n++) {
      if (n > mostIterations) throw new Failure('simulate', [this.cycle('event iteration')]);
      this.evaluateEvent('simulate');
      let again = false;
      if (this.performActions('simulate')) {
        // What an action sets is real: it becomes a left limit, from which the mode restarts.
        this.remember();
        weights = this.restart(entered);
        tried.clear();
        tried.add(this.mode);
        again = true;
      }
      if (this.status) break;
      if (this.updatePre()) again = true;
      if (!again && this.relations.updateTimeRelations(this.time)) again = true;
      if (!again && this.updateWatched(weights)) again = true;
      if (this.readConditions()) {
        weights = this.tryMode(entered, tried);
        again = true;
      }
      if (again) continue;
      if (!ticking) break;
      ticking = false;
      this.relations.clearTicks();
      entered = this.mode;
    }
    this.settle(before, weights);
  }

  /** Enters the mode that the conditions ask for, from the left limits. */
  private tryMode(entered: CompiledMode, tried: Set<CompiledMode>): Weight[] {
    this.recall();
    const mode = this.bank.get(this.conditions);
    if (tried.has(mode)) throw new Failure('simulate', [this.modeCycle([...tried, mode])]);
    tried.add(mode);
    this.mode = mode;
    return this.restart(entered);
  }

  private restart(entered: CompiledMode): Weight[] {
    this.mode.activate();
    return this.mode.restart.run(entered.present);
  }

  private settle(before: CompiledMode, weights: readonly Weight[]): void {
    const better = this.betterStates();
    if (better) {
      this.mode = better;
      better.activate();
      this.evaluateEvent('simulate');
    }
    for (const { symbol, weight } of weights) {
      this.impulses.push({ time: this.time, variable: this.runtime.nameOf(symbol), weight });
    }
    if (this.mode === before) return;
    if (this.mode.mode.key !== before.mode.key) this.counters.modeChanges++;
    this.endVisit(before);
    this.beginVisit();
    this.recorder.beginSegment(this.mode);
  }

  /** Takes the values of the memory as left limits. */
  private remember(): void {
    const { memory } = this.runtime;
    this.left = memory.values.slice(0, memory.layout.size);
  }

  /** Brings the left limits back; what belongs to the iteration (discrete values, relations, flags) stays. */
  private recall(): void {
    const { values } = this.runtime.memory;
    const kept = this.eventSlots.map((slot) => values[slot]!);
    values.set(this.left);
    for (const [i, slot] of this.eventSlots.entries()) values[slot] = kept[i]!;
  }

  // -------------------------------------------------------------- parts of an iteration

  private evaluateEvent(stage: 'initialise' | 'simulate'): void {
    if (!this.guarded(() => this.mode.evaluateEvent())) throw this.evaluationFailure(stage);
  }

  /** Left limits of discrete variables become their values; true if any discrete value was new. */
  private updatePre(): boolean {
    const { model, pool } = this.runtime;
    let changed = false;
    for (const symbol of model.remembered) {
      const now = this.runtime.get(pool.ref(symbol));
      const pre = pool.pre(symbol);
      if (this.runtime.get(pre) === now) continue;
      this.runtime.set(pre, now);
      if (model.scalars[symbol]!.kind === 'discrete') changed = true;
    }
    return changed;
  }

  /** New values of the watched relations; an impulse counts as an infinitely large value of its variable. */
  private updateWatched(weights: readonly Weight[]): boolean {
    const { values } = this.runtime.memory;
    let changed = false;
    for (const { relation, slot } of this.mode.watched) {
      const indicator = this.impulsive(relation, weights) || values[slot]!;
      if (this.relations.update(relation, indicator)) changed = true;
    }
    return changed;
  }

  private impulsive(relation: number, weights: readonly Weight[]): number {
    if (weights.length === 0) return 0;
    const { pool, model, calls } = this.runtime;
    const { left, right } = model.relations[relation]!;
    const bySymbol = new Map(weights.map((w) => [w.symbol, w.weight]));
    const isImpulsive = (leaf: { kind: string; symbol?: number; order?: number }) =>
      leaf.kind === 'ref' && leaf.order === 0 && bySymbol.has(leaf.symbol!);
    const slopes = gradient(pool, pool.sub(left, right), isImpulsive, calls).value;
    let sum = 0;
    for (const [leaf, slope] of slopes ?? []) {
      if (leaf.kind === 'ref') sum += this.runtime.evaluate(slope) * bySymbol.get(leaf.symbol)!;
    }
    return sum;
  }

  /** An indicator that was seen to change sign is taken by its side, even where rounding puts it on zero. */
  private flip(relation: number): void {
    const { op } = this.runtime.model.relations[relation]!;
    const i = this.mode.watched.findIndex((w) => w.relation === relation);
    if (i < 0) return;
    const value = this.runtime.memory.values[this.mode.watched[i]!.slot]!;
    if (value !== 0) return;
    const positive = this.relations.held(relation) === (op === 'gt' || op === 'ge');
    this.relations.update(relation, positive ? -1 : 1);
  }

  /** Reads the conditions of the mode; true if a structural one changed. */
  private readConditions(): boolean {
    const { values } = this.runtime.memory;
    const { conditions } = this.runtime.model;
    let changed = false;
    for (const { condition, slot } of this.mode.conditionSlots) {
      const value = values[slot] !== 0;
      if (this.conditions[condition] === value) continue;
      this.conditions[condition] = value;
      if (conditions[condition]!.structural) changed = true;
    }
    return changed;
  }

  /** Performs what fired; true if a value was set. */
  private performActions(stage: 'initialise' | 'simulate'): boolean {
    const { values } = this.runtime.memory;
    const resets: { target: number; value: number }[] = [];
    for (const { action, fire, value } of this.mode.actions) {
      if (fire !== undefined && values[fire] === 0) continue;
      switch (action.kind) {
        case 'reinit':
          resets.push({ target: action.target, value: values[value!]! });
          break;
        case 'assert':
          if (values[value!] === 0) this.violated(action, stage);
          break;
        case 'terminate':
          this.diagnostics.push(
            warning('terminated', `The model ended the simulation at time ${this.time}: ${this.runtime.text(action.message)}`, {
              span: action.origin.span,
            }),
          );
          this.status = 'terminated';
          break;
      }
    }
    for (const { target, value } of resets) this.reset(target, value);
    return resets.length > 0;
  }

  private reset(symbol: number, value: number): void {
    const { pool } = this.runtime;
    this.runtime.set(pool.ref(symbol), value);
    const alias = this.mode.sorted.aliases.find((a) => a.symbol === symbol);
    if (alias) this.runtime.set(pool.ref(alias.target), alias.sign * value);
  }

  private checkAsserts(): void {
    const { values } = this.runtime.memory;
    for (const { action, fire, value } of this.mode.actions) {
      if (action.kind !== 'assert' || fire !== undefined) continue;
      if (this.runtime.evaluate(action.condition) === 0) this.violated(action, 'simulate');
      else values[value!] = 1;
    }
  }

  private violated(action: CompiledMode['actions'][number]['action'] & { kind: 'assert' }, stage: 'initialise' | 'simulate'): void {
    const message = this.runtime.text(action.message);
    const options = { span: action.origin.span };
    if (action.level === 'error') throw new Failure(stage, [error('assertion', `At time ${this.time}: ${message}`, options)]);
    if (this.warned.has(message)) return;
    this.warned.add(message);
    this.diagnostics.push(warning('assertion', `At time ${this.time}: ${message}`, options));
  }

  // -------------------------------------------------------------- choice of states

  /** Another choice of states where the present one has become bad at the values in the memory. */
  private betterStates(): CompiledMode | undefined {
    const { selections } = this.mode.sorted;
    if (selections.length === 0) return undefined;
    let better = false;
    const choices = selections.map((selection) => {
      const matrix = selection.jacobian.map((row) => row.map((entry) => this.runtime.evaluate(entry)));
      const { dependent, quality } = chooseDependent(matrix, selection.weights, selection.dependent);
      if (!(quality < leastQuality)) return selection.dependent;
      better = true;
      return dependent;
    });
    if (!better) return undefined;
    const mode = this.bank.get(this.conditions, choices);
    return mode === this.mode ? undefined : mode;
  }

  private reviewStates(): void {
    const better = this.betterStates();
    if (!better) return;
    const before = this.mode;
    this.mode = better;
    better.activate();
    this.evaluateEvent('simulate');
    this.endVisit(before);
    this.beginVisit();
    this.recorder.beginSegment(better);
    this.beginSegment();
  }

  // -------------------------------------------------------------- history and end

  private beginVisit(): void {
    this.visitFrom = this.time;
  }

  private endVisit(mode: CompiledMode): void {
    this.visits.push({
      signature: mode.signature,
      from: this.visitFrom,
      to: this.time,
      states: mode.states.map((s) => this.runtime.nameOfRef(s)),
      index: mode.sorted.index,
    });
  }

  private end(status: Status): boolean {
    this.runtime.set(this.runtime.pool.ref(this.runtime.model.flags.terminal), 1);
    this.updatePre();
    this.evaluateEvent('simulate');
    this.performActions('simulate');
    this.status ??= status;
    return false;
  }

  /** Closes the history; the results so far stay valid however the run ended. */
  finish(): void {
    if (this.mode) this.endVisit(this.mode);
    for (const integrator of this.integrators.values()) {
      this.counters.steps += integrator.statistics.steps;
      this.counters.evaluations += integrator.statistics.evaluations;
      this.counters.jacobians += integrator.statistics.jacobians;
    }
  }

  // -------------------------------------------------------------- failures

  /** Checks inside user functions throw; while integrating they are a reason for a smaller step first. */
  private fault: EvaluationError | undefined;

  private guarded(evaluate: () => boolean): boolean {
    try {
      return evaluate();
    } catch (problem) {
      if (!(problem instanceof EvaluationError)) throw problem;
      this.fault = problem;
      return false;
    }
  }

  private evaluationFailure(stage: 'initialise' | 'simulate'): Failure {
    if (this.fault) {
      const code = this.fault.kind === 'assertion' || this.fault.kind === 'index-out-of-range' ? this.fault.kind : 'limit-exceeded';
      return new Failure(stage, [error(code, `At time ${this.time}: ${this.fault.message}`, { span: this.fault.span })]);
    }
    const { failure } = this.mode;
    if (failure) return new Failure(stage, [explainFault(this.runtime, this.mode.plan.routines) ?? explainSystem(this.runtime, failure)]);
    return new Failure(stage, [explainFault(this.runtime, this.mode.plan.routines) ?? error('bad-evaluation', `The equations cannot be evaluated at time ${this.time}.`)]);
  }

  private integrationFailure(reason: 'step-too-small' | 'not-finite' | 'singular', component: number): Failure {
    this.time = this.integrator.t;
    const state = this.mode.states[component];
    const name = state ? this.runtime.nameOfRef(state) : 'the states';
    if (reason === 'not-finite') {
      this.mode.failure = undefined;
      const dy = new Float64Array(this.y.length);
      this.y.set(this.integrator.y);
      this.guarded(() => this.mode.derivatives(this.time + this.integrator.stepSize, this.y, dy));
      const why = this.evaluationFailure('simulate');
      return why;
    }
    const span = state && this.runtime.model.scalars[state.symbol]?.variable?.origin.span;
    return new Failure('simulate', [
      error('step-too-small', `The integrator cannot go on at time ${this.time}: its steps would become too small. The state ${name} has the largest error.`, {
        span,
        hint: 'The solution may grow without bound here, or an equation may be discontinuous without an event (noEvent).',
        notes: [{ message: `${name} = ${this.integrator.y[component]}` }],
      }),
    ]);
  }

  private accumulation({ kind, time, relation }: Accumulation): Diagnostic {
    const { op, left, right, origin } = this.runtime.model.relations[relation]!;
    const text = this.runtime.print(this.runtime.pool.raw(op, [left, right]));
    const message =
      kind === 'zeno'
        ? `Events of ${text} accumulate: infinitely many of them happen before time ${time}.`
        : `Events of ${text} follow each other without end near time ${time}: both sides of the relation push back.`;
    return error('zeno', message, {
      span: origin.span,
      hint:
        kind === 'zeno'
          ? 'Let the model come to rest: switch to equations without the impact when it becomes small.'
          : 'Add hysteresis, or model the sliding along the boundary.',
    });
  }

  private cycle(where: string): Diagnostic {
    const { model, pool } = this.runtime;
    const changing = model.remembered
      .filter((s) => this.runtime.get(pool.ref(s)) !== this.runtime.get(pool.pre(s)))
      .map((s) => this.runtime.nameOf(s));
    const what = changing.length > 0 ? ` (${listNames(changing)})` : '';
    return error('event-cycle', `The ${where} at time ${this.time} does not settle: values keep changing${what}.`, {
      hint: 'Two when-clauses or conditions may trigger each other; use pre() or hysteresis to break the cycle.',
    });
  }

  private modeCycle(modes: readonly CompiledMode[]): Diagnostic {
    return error('event-cycle', `No mode is consistent at time ${this.time}: each one leads to another.`, {
      hint: 'The conditions contradict each other at these values; hysteresis, or a mode for the boundary, resolves it.',
      notes: modes.map((m) => ({ message: `tried the mode: ${m.signature}` })),
    });
  }
}

function eventSlots(runtime: Runtime, relations: Relations): number[] {
  const { model, pool } = runtime;
  const own = model.scalars.flatMap((s, symbol) =>
    s.kind === 'discrete' || s.kind === 'flag' ? [runtime.slot(pool.ref(symbol))] : [],
  );
  return [...relations.heldSlots, ...own, ...model.remembered.map((symbol) => runtime.slot(pool.pre(symbol)))];
}
