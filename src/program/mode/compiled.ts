/**
 * A mode ready to run: sorted equations, plan, program, and the slots through which the event engine looks at it.
 * All modes of a simulation share one memory, so a change of mode moves no values.
 */

import type { BuiltIn } from '../../builtin/component.ts';
import type { Counted, Entry } from '../../code/calls.ts';
import { type Memory, timeSlot } from '../../code/memory.ts';
import { type Plan, planMode, type Step, type Wanted } from '../../code/plan.ts';
import { planSequence } from '../../code/sequence.ts';
import type { CodeUnit, Program } from '../../code/unit.ts';
import { remember } from '../../collections/memo.ts';
import type { Action } from '../../modes/guarded.ts';
import type { ConditionValues, Mode } from '../../modes/mode.ts';
import { guardHolds, isRelevant } from '../../modes/relevance.ts';
import { dataOnly } from '../../modes/unused.ts';
import { withoutSubscripts, withPath } from '../../names/names.ts';
import { elementName } from '../../results/table/signal.ts';
import type { DirectRhs, OdeJacobian } from '../../solve/integrator.ts';
import type { SortedMode } from '../../structure/analysis.ts';
import { isNonzero, isParametric } from '../../structure/nonzero.ts';
import { leaves, nodesOf } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { aliasResolver } from '../aliases.ts';
import { ActiveComponent } from '../components/components.ts';
import type { RunValues } from '../evaluation.ts';
import type { StateDescription } from '../explain.ts';
import { Beginning } from '../machines/initial.ts';
import { transitionsIn } from '../machines/machines.ts';
import type { ArmedAction, ArmedTransition, Watched } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import { steadyIn } from '../steady.ts';
import { type SystemFailure, SystemSolver } from '../systems.ts';
import { looseIn } from '../values/floating.ts';
import { type Beginnable, type InitialSystem, initialSystem, type Preference } from '../values/initial.ts';
import { Resets } from '../values/reset.ts';
import { Restart } from '../values/restart.ts';
import { coupledMode, type ModeCoupling, openSystems } from './coupled.ts';
import { directRhs } from './direct.ts';
import { type Excerpt, excerptOf } from './excerpt.ts';
import { systemJacobian } from './jacobian.ts';
import { Scan } from './scan.ts';
import { Sequences } from './sequences.ts';
import { type Watchlist, watchlistOf } from './watchlist.ts';

/** What has no words of its own here is described in `ReadyMode`. */
export class CompiledMode implements Beginnable {
  readonly plan: Plan;
  readonly unit: CodeUnit;
  readonly program: Program;
  readonly states: readonly Ref[];
  readonly stateNames: readonly string[];
  readonly resolve: (expr: Expr) => Expr;
  /** The routine that computes all derivatives, where one does; else -1. */
  private readonly singleRoutine: number;
  readonly stateSlots: Int32Array;
  /** Slots of all that may jump: derivatives just below the leading ones. */
  readonly jumpingSlots: Int32Array;
  readonly derivativeSlots: Int32Array;
  /** Slots of the variables and of all derivatives that the mode determines. */
  readonly variableSlots: Int32Array;
  readonly watched: readonly Watched[];
  /** By relation: 1 where nothing that is active depends on it. */
  readonly idle: Uint8Array;
  /** Conditions that can be evaluated in this mode, with their slots. */
  readonly conditionSlots: readonly { readonly condition: number; readonly slot: number }[];
  readonly actions: readonly ArmedAction[];
  readonly transitions: readonly ArmedTransition[];
  /** Whether there are assertions that hold at all times. */
  readonly asserts: boolean;
  /** By scalar: 1 where the variable exists. */
  readonly present: Uint8Array;
  readonly systems: readonly SystemSolver[];
  private readonly nonlinear: readonly SystemSolver[];
  private readonly sequences: Sequences;
  /** Large systems, by number: implicit integrators solve for their unknowns together with the states. */
  private readonly open: readonly number[];
  private readonly isOpen: ReadonlySet<SystemSolver>;
  readonly parts: readonly ActiveComponent[];
  /** Values after entering the mode. */
  readonly restart: Restart;
  /** Values after `reinit` in the mode. */
  readonly resets: Resets;
  private readonly initialSystems = new Map<Preference, InitialSystem>();
  private ownJacobian: OdeJacobian | undefined;
  private ownCoupling: ModeCoupling | undefined;
  private ownDirect: DirectRhs | undefined;
  private ownWhole: Counted | undefined;
  private ownScan: Scan | undefined;
  /** What is evaluated instead of everything once steps are taken, and whether they are since it was last activated. */
  private steps = false;
  private excerpts: { readonly [what in 'indicators' | 'solutions']: Excerpt | undefined } | undefined;
  private readonly watchlists = new Map<string, Watchlist>();
  private ownSteadiness: ((expr: Expr) => boolean) | undefined;
  private ownCrossing: boolean | undefined;
  /** Systems for initial equations, by what is new. */
  private readonly beginnings = new Map<string, Beginning>();
  private readonly memory: Memory;
  private values: Float64Array;
  /** When the bank last gave it, and the stage of the model that it belongs to. */
  lastUsed = 0;
  stage = 0;
  /** Numbers of states and of indicators, those of parts included; see `layOut`. */
  size = 0;
  indicatorCount = 0;
  /** The run in which it was last used. */
  run: number;
  failure: SystemFailure | undefined;

  constructor(
    private readonly runtime: Runtime,
    readonly mode: Mode,
    readonly sorted: SortedMode,
    readonly conditions: ConditionValues,
  ) {
    this.memory = runtime.values.memory;
    this.run = runtime.values.run;
    this.states = sorted.states;
    this.stateNames = sorted.states.map((s) => runtime.wording.nameOfRef(s));
    this.restart = new Restart(runtime, this);
    this.resets = new Resets(runtime, this);
    this.present = presence(runtime, mode);
    this.resolve = aliasResolver(runtime.values.pool, sorted);
    const watched: Wanted[] = [];
    const atEvents: Wanted[] = [];
    const wanted = (list: Wanted[], value: Expr): Ref => {
      const resolved = this.resolve(value);
      const leaf = runtime.code.temporaries.of(resolved);
      list.push({ leaf, value: resolved });
      return leaf;
    };
    const want = (list: Wanted[], value: Expr): number => runtime.values.slot(wanted(list, value));
    this.conditionSlots = runtime.model.conditions.flatMap((c, condition) =>
      isRelevant(runtime.model, condition, conditions) && this.exists(c.value)
        ? [{ condition, slot: want(atEvents, c.value) }]
        : [],
    );
    this.actions = this.armActions((value) => want(atEvents, value));
    this.transitions = transitionsIn(runtime.model, conditions)
      .filter(({ transition }) => this.exists(transition.condition))
      .map(({ machine, transition }) => ({
        machine,
        transition,
        slot: want(atEvents, transition.condition),
        actionSlots: transition.actions.map(({ value }) => want(atEvents, value)),
      }));
    const always: Wanted[] = [];
    this.parts = runtime.model.components.flatMap(({ flat, inputs }, k) =>
      flat.builtIn !== dataOnly && guardHolds(flat.guard, conditions)
        ? [
            new ActiveComponent(
              runtime.values,
              runtime.components,
              k,
              inputs.map((input) => wanted(isContinuous(flat.builtIn) ? always : watched, input)),
              () => inputs.every((input) => this.isSteady(this.resolve(input))),
            ),
          ]
        : [],
    );
    this.idle = idleRelations(runtime, mode, atEvents);
    this.watched = this.watchRelations((value) => wanted(watched, value));
    this.asserts = this.actions.some((a) => a.action.kind === 'assert' && a.fire === undefined);
    const loose = looseIn(runtime.values, sorted, sorted.blocks);
    this.plan = planMode(runtime.code, sorted, { always, watched, atEvents }, loose);
    const [first, ...others] = this.plan.dynamics;
    this.singleRoutine = first?.kind === 'run' && others.length === 0 ? first.routine : -1;
    this.stateSlots = Int32Array.from(sorted.states, (s) => runtime.values.slot(s));
    this.jumpingSlots = Int32Array.from(
      sorted.variables.filter(({ d }) => d > 0),
      ({ symbol, d }) => runtime.values.slot(runtime.values.pool.ref(symbol, d - 1)),
    );
    this.derivativeSlots = Int32Array.from(sorted.states, (s) =>
      runtime.values.slot(runtime.values.pool.ref(s.symbol, s.order + 1)),
    );
    this.variableSlots = slotsOf(runtime.values, sorted);
    this.unit = runtime.code.unitOf(this.plan.routines);
    this.program = runtime.code.compile(this.unit);
    this.systems = this.plan.systems.map(
      (system) => new SystemSolver(runtime.values, system, this.program, runtime.code),
    );
    this.sequences = new Sequences(this.memory, this.systems);
    this.nonlinear = this.systems.filter(({ plan: { linear, block } }) => !linear && !block.discrete);
    this.open = openSystems(this.plan);
    this.isOpen = new Set(this.open.map((k) => this.systems[k]!));
    this.values = this.memory.values;
    this.layOut();
  }

  /** Whether values are solutions of nonlinear systems, which depend a little on where their iterations begin. */
  get isIterated(): boolean {
    return this.nonlinear.length > 0;
  }

  /** The first use of the mode in a run: nothing of runs before may show. */
  renew(): void {
    if (this.run === this.runtime.values.run) return;
    this.run = this.runtime.values.run;
    for (const part of this.parts) part.renew();
    this.ownScan = undefined;
    this.sequences.forget();
    this.layOut();
    this.activate();
  }

  /** What it has learned in the run, as a value, and where the bank finds it again. */
  state() {
    const { stage, conditions, sorted } = this;
    const address = { stage, conditions, choices: sorted.selections.map((s) => s.dependent) };
    this.sequences.settle();
    const systems = this.systems.map((system) => system.state());
    return { address, steps: this.steps, systems, scan: this.ownScan?.state() };
  }

  resume({ steps, systems, scan }: ReturnType<CompiledMode['state']>): void {
    if (steps) this.prepare();
    for (const [k, system] of systems.entries()) this.systems[k]!.resume(system);
    if (this.excerpts) this.makeSequences();
    if (scan) this.scan.resume(scan);
  }

  /**
   * Systems may have several solutions, and are solved from where the last solution was. `keepSolutions` takes note of those at the end of a
   * step, `nextStep` begins another one there, and `restoreSolutions` goes back to its start, so that what was tried in between leaves nothing
   * behind.
   */
  keepSolutions(): void {
    for (const system of this.nonlinear) system.keep();
  }

  nextStep(): void {
    this.prepare();
    for (const system of this.nonlinear) system.next();
  }

  /** Makes code that pays once steps are taken; what a step evaluates makes none, since the memory may move. */
  private prepare(): void {
    const { frequent } = this;
    this.steps = true;
    if (this.excerpts && frequent.length === 0) return;
    this.excerpts ??= { indicators: this.indicatorExcerpt(), solutions: this.solutionExcerpt() };
    for (const system of frequent) system.write();
    this.makeSequences();
    this.follow();
  }

  private makeSequences(): void {
    const { plan, excerpts, sequences } = this;
    sequences.forget();
    for (const steps of [plan.dynamics, plan.watch, plan.outputs]) sequences.make(steps, this.program);
    for (const excerpt of [excerpts?.indicators, excerpts?.solutions])
      if (excerpt) sequences.make(excerpt.steps, excerpt.program);
  }

  private get frequent(): readonly SystemSolver[] {
    return this.systems.some(({ isFrequent }) => isFrequent)
      ? this.systems.filter(({ isFrequent }) => isFrequent)
      : none;
  }

  /**
   * Whether a solution may be another one than that on which the step began, and whether it is the one that was kept. Of systems in the open the integrator knows:
   * they are left out where `followed`.
   */
  isFar(followed: boolean): boolean {
    return this.nonlinear.some((system) => !(followed && this.isOpen.has(system)) && system.isFar);
  }

  get isAtEnd(): boolean {
    return this.nonlinear.every((system) => system.isAtEnd);
  }

  restoreSolutions(): void {
    for (const system of this.nonlinear) system.restore();
  }

  /** Systems begin at the solutions that another memory holds. */
  beginSolutions(from: Float64Array): void {
    for (const { plan } of this.nonlinear)
      for (const slot of plan.unknowns) if (slot < from.length) this.memory.values[slot] = from[slot]!;
  }

  /** Views of the memory may have moved since the mode was last used, and factors of systems are old. */
  activate(): void {
    this.values = this.memory.values;
    this.steps = false;
    for (const system of this.systems) system.activate();
  }

  /** Code that was made since, for restarts, may have let the memory grow. */
  private follow(): void {
    this.values = this.memory.values;
    for (const system of this.systems) system.follow();
  }

  /** Initial equations of the states that were `entered`; gives, by scalar, what has a left limit after them. */
  begin(existed: Uint8Array, entered: readonly number[]): Uint8Array {
    if (this.mode.initialEquations.length === 0) return existed;
    const key = `${entered.join()} ${this.sorted.variables.map((v) => existed[v.symbol]).join('')}`;
    const system = remember(this.beginnings, key, () =>
      this.runtime.code.temporaries.scratch(() => new Beginning(this.runtime, this, existed, entered)),
    );
    return system.solve(existed);
  }

  /** The system for the values at the beginning of a run. */
  initial(preference: Preference): InitialSystem {
    return remember(this.initialSystems, preference, () =>
      initialSystem(this.runtime, this.mode, this.sorted, preference),
    );
  }

  /** The Jacobian of the derivatives of the states by the states. */
  get jacobian(): OdeJacobian {
    this.ownJacobian ??= systemJacobian(this.runtime.code, this);
    return this.ownJacobian;
  }

  /** The mode with its large systems in the open; undefined where it has none. */
  get coupling(): ModeCoupling | undefined {
    if (this.open.length > 0) this.ownCoupling ??= coupledMode(this.runtime.code, this, this.open);
    return this.ownCoupling;
  }

  /** The unknowns of the systems in the open, in their order. */
  get openUnknowns(): readonly Ref[] {
    return this.open.flatMap((k) => this.plan.systems[k]!.block.tears);
  }

  /** The derivatives, to be called by code in WebAssembly; undefined where more is to be done for them than to run one routine. */
  get direct(): DirectRhs | undefined {
    if (this.singleRoutine < 0 || this.parts.length > 0 || this.isIterated) return undefined;
    this.ownDirect ??= directRhs(this.runtime.code, this, this.program, this.singleRoutine);
    return this.ownDirect;
  }

  /** Computes everything continuous, without JavaScript in between; undefined where more is to be done for it than to run routines. */
  get whole(): Counted | undefined {
    if (!this.direct || this.systems.length > 0 || this.plan.loose.length > 0) return undefined;
    if (this.ownWhole) return this.ownWhole;
    const { dynamics, watch, outputs, aliases } = this.plan;
    const entries: Entry[] = [];
    for (const step of [...dynamics, ...watch, ...outputs, ...aliases]) {
      const own = step.kind === 'run' ? this.program.entries?.(step.routine) : undefined;
      if (!own) return undefined;
      entries.push(...own);
    }
    this.ownWhole = planSequence(this.memory, [entries]);
    return this.ownWhole;
  }

  /** Where events could hide inside a step. */
  get scan(): Scan {
    this.ownScan ??= new Scan(this.runtime, this, this.watchlist());
    return this.ownScan;
  }

  /** It is the same in all runs, where the same components have indicators. */
  private watchlist(): Watchlist {
    const watching = this.parts.map(({ live }) => (live.point.z.length > 0 ? 1 : 0)).join();
    return remember(this.watchlists, watching, () => watchlistOf(this.runtime, this));
  }

  /** Whether something can happen inside a step that indicators tell. */
  get mayCross(): boolean {
    if (this.indicatorCount > this.watched.length) return true;
    this.ownCrossing ??= this.hasVaryingIndicators();
    return this.ownCrossing;
  }

  private hasVaryingIndicators(): boolean {
    if (this.watched.length === 0) return false;
    return this.watched.some(
      ({ relation }) => !this.isSteady(this.resolve(this.runtime.values.indicatorOf(relation))),
    );
  }

  private isSteady(expr: Expr): boolean {
    this.ownSteadiness ??= steadyIn(this.runtime, this.sorted);
    return this.ownSteadiness(expr);
  }

  // -------------------------------------------------------------- evaluation

  /** Gives the parts their places in the state vector; they may have begun another segment. */
  layOut(): void {
    let [offset, firstIndicator] = [this.states.length, this.watched.length];
    for (const part of this.parts) {
      part.offset = offset;
      part.firstIndicator = firstIndicator;
      offset += part.live.point.x.length;
      firstIndicator += part.live.point.z.length;
    }
    this.size = offset;
    this.indicatorCount = firstIndicator;
  }

  derivatives(t: number, y: Float64Array, dy: Float64Array): boolean {
    if (!this.place(t, y)) return false;
    if (this.singleRoutine >= 0) this.program.run(this.singleRoutine);
    else if (!this.execute(this.plan.dynamics)) return false;
    return this.readDerivatives(dy);
  }

  readDerivatives(dy: Float64Array): boolean {
    const { values, derivativeSlots, parts } = this;
    let check = 0;
    for (let i = 0; i < derivativeSlots.length; i++) {
      const value = values[derivativeSlots[i]!]!;
      dy[i] = value;
      check += value * 0;
    }
    if (check !== 0) return false;
    for (let k = 0; k < parts.length; k++) if (!parts[k]!.derivatives(dy)) return false;
    return true;
  }

  place(t: number, y: Float64Array): boolean {
    if (this.values !== this.memory.values) this.follow();
    const { values, stateSlots, parts } = this;
    values[timeSlot] = t;
    for (let i = 0; i < stateSlots.length; i++) values[stateSlots[i]!] = y[i]!;
    for (let k = 0; k < parts.length; k++) if (!parts[k]!.place(t, y)) return false;
    return true;
  }

  readStates(y: Float64Array): void {
    const { values, stateSlots } = this;
    for (let i = 0; i < stateSlots.length; i++) y[i] = values[stateSlots[i]!]!;
    for (const part of this.parts) part.readStates(y);
  }

  readIndicators(out: Float64Array): void {
    const { values, watched, parts } = this;
    for (let i = 0; i < watched.length; i++) out[i] = values[watched[i]!.slot]!;
    for (let k = 0; k < parts.length; k++) parts[k]!.indicators(out);
  }

  /** The indicator of a relation, once it is evaluated; undefined where it is not watched. */
  indicatorNow(relation: number): number | undefined {
    const watched = this.watched.find((w) => w.relation === relation);
    return watched && this.memory.values[watched.slot]!;
  }

  /** Names of all states, those that parts have now included; they may be many, and are formed where somebody asks. */
  allStateNames(): () => readonly string[] {
    const hidden = this.parts.map(({ live: { path, states } }) => ({ path, states }));
    return () => [
      ...this.stateNames,
      ...hidden.flatMap(({ path, states }) =>
        states.flatMap((item) =>
          Array.from({ length: item.length }, (_, k) => withPath(path, elementName(item, k))),
        ),
      ),
    ];
  }

  /** States that built-in components have now. */
  hiddenStates(): { readonly name: string; readonly count: number }[] {
    return this.parts.flatMap(({ live: { path, states, component } }) =>
      component.flat.arrays
        ? []
        : states.map(({ name, length }) => ({ name: withPath(path, name), count: length })),
    );
  }

  /** Element i of the state vector in words. */
  describeState(i: number): StateDescription | undefined {
    const state = this.states[i];
    if (state) {
      const span = this.runtime.model.scalars[state.symbol]?.variable?.origin.span;
      return { name: this.stateNames[i]!, span };
    }
    const part = this.parts.findLast(({ offset }) => offset <= i);
    if (!part || i >= this.size) return undefined;
    const { live, offset } = part;
    const name = withPath(live.path, live.stateName(i - offset));
    const { arrays, origin } = live.component.flat;
    // Arrays that stay arrays stand where they are declared.
    const bare = withoutSubscripts(name);
    const own = arrays?.variables.find((variable) => withoutSubscripts(variable.name) === bare);
    return { name, span: (own ?? arrays?.variables[0])?.origin.span ?? origin.span };
  }

  /** The state that moves fastest, compared with its size. */
  fastestState(): number {
    const { values, stateSlots, derivativeSlots } = this;
    const rate = (i: number) =>
      Math.abs(values[derivativeSlots[i]!]! / (Math.abs(values[stateSlots[i]!]!) || 1));
    let fastest = 0;
    for (let i = 1; i < stateSlots.length; i++) if (rate(i) > rate(fastest)) fastest = i;
    let largest = stateSlots.length > 0 ? rate(fastest) : -1;
    for (const { live, offset } of this.parts) {
      const { x, dx } = live.point;
      for (let i = 0; i < x.length; i++) {
        const own = Math.abs(dx[i]! / (Math.abs(x[i]!) || 1));
        if (own > largest) [largest, fastest] = [own, offset + i];
      }
    }
    return fastest;
  }

  /** Indicators of the watched relations at the point the memory is at, and no more than they need. */
  evaluateWatched(isOpen = false): boolean {
    const excerpt = this.steps && this.excerpts?.indicators;
    if (excerpt) return this.execute(excerpt.steps, isOpen, excerpt.program);
    return this.execute(this.plan.dynamics, isOpen) && this.execute(this.plan.watch, isOpen);
  }

  /** Components may ask for anything. */
  private indicatorExcerpt(): Excerpt | undefined {
    const { plan, parts, watched, runtime } = this;
    if (parts.length > 0) return undefined;
    const targets = watched.map(({ leaf }) => leaf);
    return excerptOf(runtime.code, plan, [...plan.items, ...plan.watchItems], targets);
  }

  /** Solutions of nonlinear systems at the point the memory is at, and no more than they need. */
  evaluateSolutions(): boolean {
    const excerpt = this.steps && this.excerpts?.solutions;
    return excerpt ? this.execute(excerpt.steps, false, excerpt.program) : this.evaluateOutputs();
  }

  private solutionExcerpt(): Excerpt | undefined {
    const { plan, nonlinear, runtime } = this;
    if (nonlinear.length === 0) return undefined;
    const targets = nonlinear.flatMap(({ plan: { block } }) => block.tears);
    return excerptOf(runtime.code, plan, [...plan.items, ...plan.watchItems, ...plan.outputItems], targets);
  }

  /** All continuous variables at the point the memory is at. */
  evaluateOutputs(): boolean {
    const { dynamics, watch, outputs, aliases } = this.plan;
    return this.execute(dynamics) && this.execute(watch) && this.execute(outputs) && this.execute(aliases);
  }

  /** Everything, discrete variables, conditions and actions included. */
  evaluateEvent(): boolean {
    return this.execute(this.plan.event) && this.execute(this.plan.aliases);
  }

  /** As `evaluateEvent`, at a point where all continuous variables were evaluated already with other discrete values. */
  evaluateReaction(): boolean {
    return this.execute(this.plan.reaction);
  }

  execute(steps: readonly Step[], isOpen = false, program = this.program): boolean {
    if (this.values !== this.memory.values) this.follow();
    for (let k = isOpen ? 0 : this.sequences.run(steps); k < steps.length; k++) {
      const step = steps[k]!;
      if (step.kind === 'run') {
        program.run(step.routine);
        continue;
      }
      const system = this.systems[step.system]!;
      if (isOpen && this.isOpen.has(system)) {
        this.program.run(system.plan.residual);
      } else {
        const failure = system.solve();
        if (failure) {
          this.failure = failure;
          return false;
        }
      }
    }
    return true;
  }

  // -------------------------------------------------------------- construction

  private watchRelations(want: (value: Expr) => Ref): Watched[] {
    const { model } = this.runtime.values;
    // Along a surface the sides of its relations are equal up to rounding.
    const slid = new Set(
      model.slides.flatMap((s) => (this.conditions[s.condition] ? s.relations.map((r) => r.relation) : [])),
    );
    return model.relations.flatMap((relation, k) => {
      if (slid.has(k) || relation.switchTime || this.idle[k]) return [];
      const indicator = this.runtime.values.indicatorOf(k);
      if (!this.exists(indicator)) return [];
      const leaf = want(indicator);
      return [{ relation: k, leaf, slot: this.runtime.values.slot(leaf) }];
    });
  }

  private armActions(want: (value: Expr) => number): ArmedAction[] {
    return this.runtime.model.actions.flatMap((action) => {
      if (!guardHolds(action.guard, this.conditions) || isIdle(this.runtime, action)) return [];
      const needed = neededBy(this.runtime.values.pool, action);
      if ((action.fire && !this.exists(action.fire)) || (needed && !this.exists(needed))) return [];
      return [{ action, fire: action.fire && want(action.fire), value: needed && want(needed) }];
    });
  }

  /** Whether all variables of an expression exist in this mode. */
  exists(expr: Expr): boolean {
    return leaves(expr).every((leaf) => leaf.kind !== 'ref' || this.present[leaf.symbol] === 1);
  }
}

/** Whether a component needs its inputs wherever derivatives are; others react at events. */
const isContinuous = ({ derivatives, indicators }: BuiltIn): boolean =>
  derivatives !== undefined || indicators !== undefined;

function presence(runtime: Runtime, mode: Mode): Uint8Array {
  const present = runtime.facts.given.slice();
  for (const variable of mode.variables) present[variable.symbol] = 1;
  return present;
}

function slotsOf({ pool, memory }: RunValues, { variables }: SortedMode): Int32Array {
  let count = 0;
  for (const { d } of variables) count += d + 1;
  const slots = new Int32Array(count);
  for (const { symbol, d } of variables)
    for (let order = d; order >= 0; order--) slots[--count] = memory.slotOf(pool.ref(symbol, order));
  return slots;
}

/**
 * Relations that only inactive states and branches ask for cause no events. Those that nothing ever asks for are there for the sake
 * of their events.
 */
function idleRelations(runtime: Runtime, mode: Mode, asked: readonly Wanted[]): Uint8Array {
  const idle = runtime.facts.askedRelations.slice();
  const use = (expr: Expr): void => {
    for (const leaf of leaves(expr)) if (leaf.kind === 'held') idle[leaf.relation] = 0;
  };
  for (const { left, right, index } of mode.equations) {
    if (!runtime.facts.asking[index]) continue;
    use(left);
    use(right);
  }
  for (const { value } of asked) use(value);
  return idle;
}

const none: readonly SystemSolver[] = [];

/** Whether parameters say that an assertion holds, as in `assert(m_flow > 0 or allowFlowReversal)`: then its relations are nobody's concern. */
function isIdle({ knowledge }: Runtime, action: Action): boolean {
  if (action.kind !== 'assert' || action.condition.kind !== 'apply' || action.condition.op !== 'or')
    return false;
  return action.condition.args.some((one) => isParametric(one, knowledge) && isNonzero(one, knowledge));
}

/** What an action asks for when it is carried out. Calls may do something: they are made only then. */
function neededBy(pool: Pool, action: Action): Expr | undefined {
  switch (action.kind) {
    case 'reinit':
      return action.value;
    case 'assert': {
      const { fire, condition } = action;
      const calls = fire && nodesOf(condition).some(({ kind }) => kind === 'call');
      return calls ? pool.if(fire, condition, pool.one) : condition;
    }
    case 'terminate':
      return undefined;
  }
}
