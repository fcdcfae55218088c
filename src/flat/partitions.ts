/**
 * Clock inference (Modelica 3.6, section 16.7). Variables that occur together in an equation have the same clock: the
 * connected components of equations and variables are the sub-partitions. A component in which something is clocked is
 * a clocked one; all others together are continuous time. Clock conversions relate the clocks of sub-partitions, and those
 * related form a base-partition, whose ticks are exact fractions of one unit.
 *
 * The result is equations grouped by clock, in which no operator on clocks is left.
 */
import { error, type Note, warning } from '../diagnostic/diagnostic.ts';
import type { Instance } from '../model/instance.ts';
import { nodesOf, substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import { isEventOperator } from '../symbolic/operators.ts';
import { Automata } from './automata.ts';
import { before } from './calculus.ts';
import { addedVariable, symbolsIn } from './clocks.ts';
import { fixedNumber } from './constants.ts';
import { type Builder, builderNames } from './context.ts';
import { guarded } from './equations.ts';
import type {
  ClockBase,
  FlatAction,
  FlatClock,
  FlatEquation,
  FlatIf,
  FlatMachine,
  Fraction,
  Guard,
  Origin,
} from './flat.ts';
import type { ClockSource, Conversion } from './notes.ts';
import {
  equal,
  isBelow,
  isInteger,
  minus,
  one,
  over,
  plus,
  type Rational,
  rationalText,
  times,
  zero,
} from './rationals.ts';
import { exprText } from './text.ts';

export interface Partitioned {
  readonly equations: readonly FlatEquation[];
  readonly clocks: readonly FlatClock[];
  /** The machines that are not clocked. */
  readonly machines: readonly FlatMachine[];
  /** Symbols of variables that are clocked. */
  readonly clocked: ReadonlySet<number>;
  /** Symbols that stand for clocks, and those that nothing uses: they have no value. */
  readonly idle: ReadonlySet<number>;
}

/** Finds the clock of every equation. Call it when all equations are translated. */
export function partition(
  builder: Builder,
  equations: readonly FlatEquation[],
  initialEquations: readonly FlatEquation[],
  machines: readonly FlatMachine[],
): Partitioned {
  const result = builder.clocks.any
    ? new Partitioner(builder, equations, machines).run(initialEquations)
    : { equations, clocks: [], machines, clocked: new Set<number>(), idle: new Set<number>() };
  checkTicks(builder, result.machines);
  return result;
}

/** Only clocked machines have ticks. */
function checkTicks(builder: Builder, machines: readonly FlatMachine[]): void {
  for (const { states } of machines) {
    for (const state of states) {
      const symbol = builder.ticks.get(state);
      if (symbol === undefined) continue;
      const { span } = builder.added[symbol - builder.instances.length]!.origin;
      const message = `\`ticksInState()\` counts ticks, but the state machine of \`${state.name}\` is not clocked.`;
      const hint = 'Use `timeInState()`, or put equations with a clock into its states.';
      builder.diagnostics.push(error('clock-conflict', message, { span, hint }));
    }
  }
}

/** What is on one clock as a whole, with the variables in it: an equation, or (without one) a state machine. */
interface Unit {
  readonly equation: FlatEquation | undefined;
  /** States in which the equation exists. */
  readonly guard: Guard;
  readonly symbols: ReadonlySet<number>;
  readonly origin: Origin;
}

/** Why a variable is clocked, or is not. */
interface Reason {
  readonly symbol: number;
  readonly what: string;
  readonly origin: Origin;
}

/** A clock in the units of its base, and where it was found. */
interface Timing {
  readonly period: Rational;
  readonly offset: Rational;
  readonly origin: Origin;
  readonly label: string;
}

/** A clock with what `interval()` is at its first tick. */
interface ResolvedClock extends FlatClock {
  readonly firstInterval: Expr;
}

interface Edge {
  readonly conversion: Conversion;
  /** Roots of the sub-partitions of argument and result. */
  readonly from: number;
  readonly to: number;
}

const clockHint =
  'Give one of them a clock, for example with `sample(u, Clock(1, 10))` or `when Clock(1, 10) then`.';

/** Sub-partitions (by root) that conversions relate. */
interface Base {
  readonly roots: number[];
  readonly edges: Edge[];
}

class Partitioner {
  private readonly builder: Builder;
  private readonly units: Unit[] = [];
  private readonly machines: readonly FlatMachine[];
  private readonly conversions: readonly Conversion[];
  private readonly idle = new Set<number>();
  /** Sub-partitions by union-find over symbols. */
  private readonly parent: Int32Array;
  private readonly clocks: ResolvedClock[] = [];
  /** Roots on which there is anything but clocks. */
  private readonly used = new Set<number>();
  /** Index of the clock, by root. */
  private readonly clockOf = new Map<number, number>();

  constructor(builder: Builder, equations: readonly FlatEquation[], machines: readonly FlatMachine[]) {
    this.builder = builder;
    this.machines = machines;
    for (const machine of machines) this.collectMachine(machine);
    const { conversions, equations: own } = builder.clocks;
    for (const equation of equations) this.collect(equation);
    const live = this.living(conversions, own);
    for (const equation of live.equations) this.collect(equation);
    this.conversions = live.conversions;
    this.parent = Int32Array.from({ length: builder.instances.length + builder.added.length }, (_, k) => k);
  }

  run(initialEquations: readonly FlatEquation[]): Partitioned {
    const { builder } = this;
    this.unite();
    for (const { symbols } of this.units)
      for (const s of symbols) if (!this.idle.has(s)) this.used.add(this.find(s));
    for (const { result } of this.conversions) if (!this.idle.has(result)) this.used.add(this.find(result));
    const clocked = this.kinds();
    const failed = builder.diagnostics.some((d) => d.severity === 'error');
    if (!failed) for (const base of this.bases(clocked)) this.resolveBase(base);
    const symbols = new Set<number>();
    for (let symbol = 0; symbol < this.parent.length; symbol++)
      if (clocked.has(this.find(symbol)) && !this.idle.has(symbol) && !builder.isFixed(symbol))
        symbols.add(symbol);
    this.checkInitial(initialEquations, symbols);
    const equations = failed ? [] : this.grouped(symbols);
    const machines = this.machines.filter((machine) => this.clockOfMachine(machine) === undefined);
    return { equations, clocks: this.clocks, machines, clocked: symbols, idle: this.idle };
  }

  // -------------------------------------------------------------- equations and variables

  /**
   * Takes up an equation. Parameters decide between branches now: they may choose clocks. What is guarded by states is on
   * the clock of their machines, one equation at a time.
   */
  private collect(equation: FlatEquation, guard: Guard = []): void {
    const { builder } = this;
    if (equation.kind === 'if') {
      const chosen = this.decided(equation);
      if (chosen) {
        for (const inner of chosen) this.collect(inner, guard);
        return;
      }
      if (isGuarded(builder, equation)) {
        const path = [...guard];
        for (const { condition, body } of equation.branches) {
          const own = condition === undefined ? path : [...path, { condition, value: true }];
          for (const inner of body) this.collect(inner, own);
          if (condition !== undefined) path.push({ condition, value: false });
        }
        return;
      }
    }
    const around = guard.map(({ condition }) => builder.conditions[condition]!.value);
    const symbols = symbolsIn(builder, ...around, ...expressionsOf(builder, equation));
    for (const inner of nestedIn(equation)) {
      const clock = builder.clocks.clockOf.get(inner);
      if (clock !== undefined) symbols.add(clock);
    }
    this.units.push({ equation, guard, symbols, origin: equation.origin });
  }

  /** All parts of a machine have the same clock. */
  private collectMachine({ states, transitions, guard, origin }: FlatMachine): void {
    const { builder } = this;
    const around = guard.map(({ condition }) => builder.conditions[condition]!.value);
    const symbols = symbolsIn(builder, ...around, ...transitions.map((t) => t.condition));
    for (const state of states) {
      symbols.add(state.active).add(state.entered);
      const ticks = builder.ticks.get(state);
      if (ticks !== undefined) symbols.add(ticks);
    }
    this.units.push({ equation: undefined, guard, symbols, origin });
  }

  private clockOfMachine({ states }: FlatMachine): number | undefined {
    return this.clockOf.get(this.find(states[0]!.active));
  }

  private decided(equation: FlatEquation & { kind: 'if' }): readonly FlatEquation[] | undefined {
    const { builder } = this;
    for (const { condition, body } of equation.branches) {
      if (condition === undefined) return body;
      const { value } = builder.conditions[condition]!;
      if (symbolsIn(builder, value).size > 0) return undefined;
      const known = fixedNumber(builder, value);
      if (known === undefined) return undefined;
      if (known !== 0) return body;
    }
    return [];
  }

  /** Conversions and equations of their arguments that are still in use: attempts at translation leave others behind. */
  private living(
    conversions: readonly Conversion[],
    equations: readonly FlatEquation[],
  ): { conversions: Conversion[]; equations: FlatEquation[] } {
    const { builder } = this;
    const used = new Set(this.units.flatMap(({ symbols }) => [...symbols]));
    for (const { source } of builder.clocks.sources) {
      if (source.kind === 'event') for (const s of symbolsIn(builder, source.condition)) used.add(s);
    }
    const result = { conversions: [] as Conversion[], equations: [] as FlatEquation[] };
    // Arguments are translated before what is made of them.
    const steps = [
      ...conversions.map((conversion) => ({ at: conversion.result, conversion, equation: undefined })),
      ...equations.map((equation) => ({
        at: equation.kind === 'equal' && equation.left.kind === 'ref' ? equation.left.symbol : -1,
        conversion: undefined,
        equation,
      })),
    ].sort((a, b) => b.at - a.at);
    for (const { at, conversion, equation } of steps) {
      if (!used.has(at)) continue;
      if (conversion) {
        result.conversions.push(conversion);
        if (conversion.argument) for (const s of symbolsIn(builder, conversion.argument)) used.add(s);
        if (conversion.clock !== undefined) used.add(conversion.clock);
      } else if (equation) {
        result.equations.push(equation);
        for (const s of symbolsIn(builder, ...expressionsOf(builder, equation))) used.add(s);
      }
    }
    for (const [symbol, instance] of builder.instances.entries())
      if (instance.type === 'Clock') this.idle.add(symbol);
    for (const { result: symbol } of conversions) if (!used.has(symbol)) this.idle.add(symbol);
    for (const { at, equation } of steps) if (equation && !used.has(at)) this.idle.add(at);
    for (const symbol of builder.clocks.symbols) this.idle.add(symbol);
    return { conversions: result.conversions.reverse(), equations: result.equations.reverse() };
  }

  private unite(): void {
    for (const { symbols } of this.units) this.together(symbols);
    for (const { relation, result, argument, clock } of this.conversions) {
      if (clock !== undefined) this.together([result, clock]);
      const same = relation.kind === 'interval' || relation.kind === 'firstTick';
      if (same && argument) this.together([result, ...symbolsIn(this.builder, argument)]);
    }
    for (const { symbol, source } of this.builder.clocks.sources) {
      if (source.kind === 'varying') this.together([symbol, ...symbolsIn(this.builder, source.interval)]);
    }
  }

  private together(symbols: Iterable<number>): void {
    let root: number | undefined;
    for (const symbol of symbols) {
      const other = this.find(symbol);
      if (root === undefined) root = other;
      else this.parent[other] = root;
    }
  }

  private find(symbol: number): number {
    const { parent } = this;
    let root = symbol;
    while (parent[root] !== root) root = parent[root]!;
    for (let at = symbol; parent[at] !== root; ) {
      const next = parent[at]!;
      parent[at] = root;
      at = next;
    }
    return root;
  }

  // -------------------------------------------------------------- clocked or continuous

  /** Roots of the clocked sub-partitions. */
  private kinds(): Set<number> {
    const clocked = new Map<number, Reason>();
    for (const reason of this.clockedReasons()) {
      const root = this.find(reason.symbol);
      if (!clocked.has(root)) clocked.set(root, reason);
    }
    const reported = new Set<number>();
    for (const reason of this.continuousReasons()) {
      const root = this.find(reason.symbol);
      const other = clocked.get(root);
      if (!other || reported.has(root)) continue;
      reported.add(root);
      this.mixed(other, reason);
    }
    return new Set(clocked.keys());
  }

  private *clockedReasons(): Generator<Reason> {
    const { builder } = this;
    for (const [symbol, origin] of builder.clocks.previous)
      yield { symbol, what: '`previous` is used of it', origin };
    for (const { relation, result, argument, clock, origin } of this.conversions) {
      const { kind } = relation;
      if (kind !== 'hold') yield { symbol: result, what: `it is the value of \`${kind}\``, origin };
      if (clock !== undefined) yield { symbol: clock, what: 'it is a clock', origin };
      if (kind === 'sample' || !argument) continue;
      for (const symbol of symbolsIn(builder, argument))
        yield { symbol, what: `\`${kind}\` takes a clocked value`, origin };
    }
    for (const [equation, symbol] of builder.clocks.clockOf) {
      yield { symbol, what: 'its equation stands in a `when` with a clock', origin: equation.origin };
    }
    for (const symbol of this.idle) {
      if (builder.instances[symbol]?.type !== 'Clock') continue;
      const { span, parent } = builder.instances[symbol]!;
      yield { symbol, what: 'it is a clock', origin: { span, component: parent?.path ?? '' } };
    }
  }

  private *continuousReasons(): Generator<Reason> {
    const { builder } = this;
    for (const { relation, result, argument, origin } of this.conversions) {
      if (relation.kind === 'hold') yield { symbol: result, what: 'it is the value of `hold`', origin };
      if (relation.kind !== 'sample' || !argument) continue;
      for (const symbol of symbolsIn(builder, argument))
        yield { symbol, what: '`sample` takes a value of continuous time', origin };
    }
    for (const { source, origin } of builder.clocks.sources) {
      if (source.kind !== 'event') continue;
      for (const symbol of symbolsIn(builder, source.condition))
        yield { symbol, what: 'the condition of an event clock is in continuous time', origin };
    }
    for (const { equation, symbols, origin } of this.units) {
      const [symbol] = symbols;
      if (symbol === undefined || !equation) continue;
      if (equation.kind === 'when')
        yield { symbol, what: 'a `when` with a Boolean condition contains it', origin };
      for (const node of nodesOf(...expressionsOf(builder, equation))) {
        if (node.kind === 'ref' && node.order > 0)
          yield { symbol: node.symbol, what: 'its derivative is used', origin };
        else if (node.kind === 'time') yield { symbol, what: 'its equation contains `time`', origin };
        else if (
          node.kind === 'apply' &&
          isEventOperator(node.op) &&
          node.op !== 'noEvent' &&
          node.op !== 'smooth'
        )
          yield { symbol, what: `its equation contains \`${node.op}\``, origin };
      }
    }
  }

  /** A clocked variable and one of continuous time that equations connect without a conversion. */
  private mixed(clocked: Reason, continuous: Reason): void {
    const path = this.pathBetween(clocked.symbol, continuous.symbol);
    const from = this.visible(clocked.symbol, path[0]);
    const to = this.visible(continuous.symbol, path[path.length - 1]);
    const notes: Note[] = [
      note(`${from} is clocked: ${clocked.what}`, clocked.origin),
      note(`${to} is in continuous time: ${continuous.what}`, continuous.origin),
      ...path
        .slice(0, -1)
        .slice(0, 6)
        .map((unit) => note('this connects them', unit.origin)),
    ];
    const message =
      from === to
        ? `${from} cannot be clocked and in continuous time: ${clocked.what}, but ${continuous.what}.`
        : `${from} is clocked and ${to} is in continuous time, but this equation brings them together.`;
    const { span } = path[path.length - 1]?.origin ?? continuous.origin;
    this.builder.diagnostics.push(
      error('clock-conflict', message, {
        span,
        hint: 'Go from continuous time to clocked with `sample(…)`, and back with `hold(…)`.',
        notes,
      }),
    );
  }

  /** A variable by its name; for one that was added, another one of the same equation. */
  private visible(symbol: number, unit: Unit | undefined): string {
    const names = builderNames(this.builder);
    const named = [symbol, ...(unit?.symbols ?? [])].find((s) => !names.variable(s).startsWith('$'));
    return named === undefined ? 'A value' : `\`${names.variable(named)}\``;
  }

  /** Equations on a shortest way from one variable to another. */
  private pathBetween(from: number, to: number): Unit[] {
    const unitsOf = new Map<number, Unit[]>();
    for (const unit of this.units) for (const s of unit.symbols) append(unitsOf, s, unit);
    const cameBy = new Map<number, { unit: Unit; from: number } | undefined>([[from, undefined]]);
    const queue = [from];
    for (let k = 0; k < queue.length && !cameBy.has(to); k++) {
      for (const unit of unitsOf.get(queue[k]!) ?? []) {
        for (const symbol of unit.symbols) {
          if (cameBy.has(symbol)) continue;
          cameBy.set(symbol, { unit, from: queue[k]! });
          queue.push(symbol);
        }
      }
    }
    const path: Unit[] = [];
    for (let at = cameBy.get(to); at; at = cameBy.get(at.from)) path.unshift(at.unit);
    return path;
  }

  private checkInitial(equations: readonly FlatEquation[], clocked: ReadonlySet<number>): void {
    for (const equation of equations) {
      const symbols = symbolsIn(this.builder, ...expressionsOf(this.builder, equation));
      const found = [...symbols].find((symbol) => clocked.has(symbol));
      if (found === undefined) continue;
      const name = builderNames(this.builder).variable(found);
      this.builder.diagnostics.push(
        error('clock-conflict', `The clocked variable \`${name}\` cannot have initial equations.`, {
          span: equation.origin.span,
          hint: 'Give it a start value: `previous` of it has that value at the first tick.',
        }),
      );
    }
  }

  // -------------------------------------------------------------- base-partitions

  /** Clocked sub-partitions that conversions relate. */
  private bases(clocked: ReadonlySet<number>): Base[] {
    const groups = new Map<number, Base>();
    for (const root of clocked) groups.set(root, { roots: [root], edges: [] });
    for (const conversion of this.conversions) {
      const { kind } = conversion.relation;
      if (kind === 'sample' || kind === 'hold' || kind === 'interval' || kind === 'firstTick') continue;
      const argument = conversion.argument && [...symbolsIn(this.builder, conversion.argument)][0];
      if (argument === undefined) continue;
      const edge = { conversion, from: this.find(argument), to: this.find(conversion.result) };
      const ends = [groups.get(edge.to)!, groups.get(edge.from)!];
      const [other, group] = ends.sort((a, b) => a.roots.length - b.roots.length) as [Base, Base];
      if (other !== group) {
        group.roots.push(...other.roots);
        group.edges.push(...other.edges);
        for (const root of other.roots) groups.set(root, group);
      }
      group.edges.push(edge);
    }
    return [...new Set(groups.values())];
  }

  private resolveBase({ roots, edges }: Base): void {
    const members = new Set(roots);
    const sources = this.builder.clocks.sources
      .map(({ symbol, source, origin }) => ({ root: this.find(symbol), source, origin }))
      .filter(({ root }) => members.has(root));
    if (sources.length === 0) {
      if (roots.some((root) => this.used.has(root))) this.defaultClock(roots, edges);
      return;
    }
    const base = this.baseOf(sources);
    if (!base) return;
    const timings = new Map<number, Timing>();
    for (const { root, source, origin } of sources) {
      const period = source.kind === 'rational' ? source.period : one;
      const timing = { period, offset: zero, origin, label: this.labelOf(source) };
      if (!this.settle(root, timing, timings)) return;
    }
    if (!this.propagate(edges, timings)) return;
    this.finish(roots, base, timings, this.firstInterval(sources[0]!.source));
  }

  /** Without any clock, the fastest equations tick once a second (16.3.1). */
  private defaultClock(roots: readonly number[], edges: readonly Edge[]): void {
    const { builder } = this;
    const origin = this.placeOf(roots);
    const timings = new Map<number, Timing>();
    timings.set(roots[0]!, { period: one, offset: zero, origin, label: 'the default clock' });
    if (!this.propagate(edges, timings)) return;
    const fastest = [...timings.values()].reduce((p, { period }) => (isBelow(period, p) ? period : p), one);
    for (const [root, { period, offset, ...rest }] of timings)
      timings.set(root, { period: over(period, fastest), offset: over(offset, fastest), ...rest });
    builder.diagnostics.push(
      warning(
        'clock-conflict',
        `No clock is given for the equations of ${this.listOf(roots)}: they tick every second.`,
        { span: origin.span, hint: clockHint },
      ),
    );
    this.finish(roots, { kind: 'periodic', unit: builder.pool.one }, timings, builder.pool.zero);
  }

  /** Makes the clocks whose ticks are known. */
  private finish(
    roots: readonly number[],
    base: ClockBase,
    timings: ReadonlyMap<number, Timing>,
    firstInterval: Expr,
  ): void {
    for (const root of roots) {
      const timing = timings.get(root);
      if (!timing) {
        if (this.used.has(root)) this.notInferred([root]);
        continue;
      }
      const clock = this.flatClock(base, timing);
      if (!clock) return;
      if (!this.used.has(root)) continue;
      this.clockOf.set(root, this.clocks.length);
      this.clocks.push({ ...clock, firstInterval });
    }
  }

  /** The one base of a partition (16.3.1). */
  private baseOf(
    sources: readonly { readonly source: ClockSource; readonly origin: Origin }[],
  ): ClockBase | undefined {
    const { pool } = this.builder;
    const [first] = sources;
    const other = sources.find(
      (s) => s !== first && (s.source.kind !== 'rational' || first!.source.kind !== 'rational'),
    );
    if (other) {
      this.conflict(
        `${this.labelOf(first!.source)} and ${this.labelOf(other.source)} are different clocks, but equations or conversions connect them.`,
        first!.origin,
        other.origin,
        'Only clocks of the form `Clock(intervalCounter, resolution)` can be related; otherwise use one clock in both places.',
      );
      return undefined;
    }
    const { source } = first!;
    switch (source.kind) {
      case 'rational':
        return { kind: 'periodic', unit: pool.one };
      case 'real':
        return { kind: 'periodic', unit: source.interval };
      case 'event':
        return { kind: 'event', condition: source.condition };
      case 'varying':
        return { kind: 'varying', interval: source.interval };
    }
  }

  private firstInterval(source: ClockSource): Expr {
    if (source.kind === 'event') return source.startInterval;
    return source.kind === 'varying' ? leftLimit(this.builder, source.interval) : this.builder.pool.zero;
  }

  private labelOf(source: ClockSource): string {
    const names = builderNames(this.builder);
    switch (source.kind) {
      case 'rational':
        return `Clock(${source.period.numerator}, ${source.period.denominator})`;
      case 'real':
      case 'varying':
        return `Clock(${exprText(source.interval, names)})`;
      case 'event':
        return 'an event clock';
    }
  }

  /** Follows the conversions from clocks that are known to the others. */
  private propagate(edges: readonly Edge[], timings: Map<number, Timing>): boolean {
    const edgesOf = new Map<number, Edge[]>();
    for (const edge of edges) for (const root of new Set([edge.from, edge.to])) append(edgesOf, root, edge);
    const queue = [...timings.keys()];
    for (let k = 0; k < queue.length; k++) {
      for (const edge of edgesOf.get(queue[k]!) ?? []) {
        const forward = edge.from === queue[k];
        const next = forward ? edge.to : edge.from;
        const timing = related(timings.get(queue[k]!)!, edge.conversion, forward);
        if (!timing) continue;
        const known = timings.has(next);
        if (!this.settle(next, timing, timings)) return false;
        if (!known) queue.push(next);
      }
    }
    return edges.every((edge) => this.checkInferred(edge, timings));
  }

  private settle(root: number, timing: Timing, timings: Map<number, Timing>): boolean {
    const known = timings.get(root);
    if (!known) {
      timings.set(root, timing);
      return true;
    }
    if (equal(known.period, timing.period) && equal(known.offset, timing.offset)) return true;
    const text = ({ period, offset }: Timing) =>
      `${rationalText(period)}${offset.numerator === 0n ? '' : ` (first after ${rationalText(offset)})`}`;
    this.conflict(
      `Equations on this clock would have two different clocks: ${timing.label} with the interval ${text(timing)}, and ${known.label} with ${text(known)}.`,
      timing.origin,
      known.origin,
      'Convert between them with `subSample`, `superSample` or `shiftSample`.',
    );
    return false;
  }

  /** A factor that is to be inferred must come out as a whole number. */
  private checkInferred({ conversion, from, to }: Edge, timings: ReadonlyMap<number, Timing>): boolean {
    const { relation, origin } = conversion;
    if ((relation.kind !== 'subSample' && relation.kind !== 'superSample') || relation.factor) return true;
    const [argument, result] = [timings.get(from), timings.get(to)];
    if (!argument || !result) return true;
    const ratio = over(result.period, argument.period);
    const factor = relation.kind === 'subSample' ? ratio : over(one, ratio);
    if (isInteger(factor) && equal(argument.offset, result.offset)) return true;
    this.conflict(
      `The factor of \`${relation.kind}\` would have to be ${rationalText(factor)}: the intervals are ${rationalText(argument.period)} and ${rationalText(result.period)}.`,
      origin,
      result.origin,
      'The slower interval must be a whole multiple of the faster one, and both must begin together.',
    );
    return false;
  }

  private conflict(message: string, at: Origin, other: Origin, hint: string): void {
    this.builder.diagnostics.push(
      error('clock-conflict', message, { span: at.span, hint, notes: [note('the other clock', other)] }),
    );
  }

  private notInferred(roots: readonly number[]): void {
    this.builder.diagnostics.push(
      error('clock-conflict', `No clock can be inferred for the equations of ${this.listOf(roots)}.`, {
        span: this.placeOf(roots).span,
        hint: clockHint,
      }),
    );
  }

  /** Names of variables of sub-partitions. */
  private listOf(roots: readonly number[]): string {
    const names = builderNames(this.builder);
    const members = new Set(roots);
    const variables = [...this.parent.keys()].filter(
      (s) => members.has(this.find(s)) && !names.variable(s).startsWith('$') && !this.builder.isFixed(s),
    );
    const list = variables.slice(0, 8).map((s) => `\`${names.variable(s)}\``);
    return `${list.join(', ')}${variables.length > 8 ? ', …' : ''}`;
  }

  private placeOf(roots: readonly number[]): Origin {
    const members = new Set(roots);
    const unit = this.units.find(({ symbols }) => [...symbols].some((s) => members.has(this.find(s))));
    const conversion = this.conversions.find(({ result }) => members.has(this.find(result)));
    return unit?.origin ?? conversion?.origin ?? { span: undefined, component: '' };
  }

  private flatClock(base: ClockBase, { period, offset, origin, label }: Timing): FlatClock | undefined {
    const problem = (message: string, hint: string): undefined => {
      this.builder.diagnostics.push(error('clock-conflict', message, { span: origin.span, hint }));
    };
    if (offset.numerator < 0n) {
      return problem(
        `This clock would tick ${rationalText(minus(zero, offset))} before its base clock begins.`,
        'Shift the clock by at least as much with `shiftSample` before `backSample`.',
      );
    }
    if (base.kind !== 'periodic' && !(isInteger(period) && isInteger(offset))) {
      return problem(
        `The ticks of ${label} cannot be divided: this clock would have the interval ${rationalText(period)} and begin at ${rationalText(offset)}.`,
        'Clocks that are not periodic can be sub-sampled and shifted by whole ticks only.',
      );
    }
    const fractions = [period, offset].map(({ numerator, denominator }): Fraction | undefined => {
      const fits =
        numerator <= BigInt(Number.MAX_SAFE_INTEGER) && denominator <= BigInt(Number.MAX_SAFE_INTEGER);
      return fits ? [Number(numerator), Number(denominator)] : undefined;
    });
    if (!fractions[0] || !fractions[1]) {
      return problem('The factors of this clock are too large.', 'Use smaller factors and resolutions.');
    }
    return { label, base, period: fractions[0], offset: fractions[1], origin };
  }

  // -------------------------------------------------------------- the result

  private grouped(clocked: ReadonlySet<number>): FlatEquation[] {
    const continuous: FlatEquation[] = [];
    const bodies = new Map<number, FlatEquation[]>();
    const put = (clock: number | undefined, equation: FlatEquation): void => {
      if (clock === undefined) continuous.push(equation);
      else append(bodies, clock, equation);
    };
    const clockOf = (symbol: number | undefined): number | undefined =>
      symbol === undefined ? undefined : this.clockOf.get(this.find(symbol));
    for (const { equation, guard, symbols } of this.units) {
      const [symbol] = symbols;
      if (!equation || this.isAboutClocks(equation)) continue;
      for (const whole of guarded(guard, [equation])) put(clockOf(symbol), whole);
    }
    const ticks = new TickVariables(this.builder, this.clocks, put);
    for (const conversion of this.conversions) {
      const { result, origin } = conversion;
      if (this.idle.has(result)) continue;
      const value = this.valueOf(conversion, ticks);
      const left = this.builder.pool.ref(result);
      const { dims } = this.builder.added[result - this.builder.instances.length]!;
      put(clockOf(result), { kind: 'equal', left, right: value, dims, origin });
    }
    const automata = this.automata(ticks);
    for (const { clock, equation } of automata.equations) put(clock, equation);
    const variables = new Map<number, number[]>();
    for (const symbol of clocked) append(variables, clockOf(symbol)!, symbol);
    for (const [symbol, clock] of [...ticks.clockOf, ...automata.clockOf]) append(variables, clock, symbol);
    const groups = [...bodies].map(([clock, body]): FlatEquation => {
      const { origin } = body[0]!;
      const own = variables.get(clock) ?? [];
      return { kind: 'clocked', clock, body, variables: own, resets: this.resetsOf(own, automata), origin };
    });
    return [...continuous, ...groups];
  }

  private automata(ticks: TickVariables): Automata {
    const clocked = this.machines.flatMap((machine) => {
      const clock = this.clockOfMachine(machine);
      return clock === undefined ? [] : [{ machine, clock }];
    });
    return new Automata(this.builder, clocked, (clock) => this.builder.pool.not(ticks.before(clock)));
  }

  /** Variables that belong to states begin anew with them. */
  private resetsOf(variables: readonly number[], { resets }: Automata): { variable: number; flag: number }[] {
    const { builder } = this;
    if (resets.size === 0) return [];
    return variables.flatMap((variable) => {
      let at: Instance | undefined = builder.instances[variable]?.parent;
      while (at && !(at.kind === 'object' && builder.states.has(at))) at = at.parent;
      const flag = at?.kind === 'object' ? resets.get(builder.states.get(at)!) : undefined;
      return flag === undefined ? [] : [{ variable, flag }];
    });
  }

  /** Equations between clocks say which clocks are the same; they have no values. */
  private isAboutClocks(equation: FlatEquation): boolean {
    return equation.kind === 'equal' && equation.left.kind === 'ref' && this.idle.has(equation.left.symbol);
  }

  private valueOf({ relation, argument, result }: Conversion, ticks: TickVariables): Expr {
    const { pool } = this.builder;
    switch (relation.kind) {
      case 'sample':
        return leftLimit(this.builder, argument!);
      case 'interval':
        return ticks.interval(this.clockOf.get(this.find(result)) ?? 0);
      case 'firstTick':
        return pool.not(ticks.before(this.clockOf.get(this.find(result)) ?? 0));
      default:
        return argument!;
    }
  }
}

/** The clock on the other side of a conversion; undefined where it is not determined by this one. */
function related(
  { period, offset, label }: Timing,
  { relation, origin }: Conversion,
  forward: boolean,
): Timing | undefined {
  switch (relation.kind) {
    case 'subSample':
    case 'superSample': {
      if (!relation.factor) return undefined;
      const factor = forward ? relation.factor : over(one, relation.factor);
      return { period: times(period, factor), offset, origin, label };
    }
    case 'shiftSample':
    case 'backSample': {
      const by = times(relation.shift, period);
      return { period, offset: forward ? plus(offset, by) : minus(offset, by), origin, label };
    }
    default:
      return undefined;
  }
}

function append<T>(lists: Map<number, T[]>, key: number, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Whether an if-equation chooses by the activity of states. */
const isGuarded = (builder: Builder, { branches }: FlatIf): boolean =>
  branches.every(({ condition }) => condition === undefined || builder.conditions[condition]!.activity);

const note = (message: string, { span }: Origin): Note => ({ message, ...(span && { span }) });

/** The value just before an instant. */
const leftLimit = (builder: Builder, expr: Expr): Expr =>
  before(builder, expr) ??
  substitute(builder.pool, expr, (leaf) => (leaf.kind === 'ref' ? before(builder, leaf) : undefined));

/** Variables that clocks need for `firstTick` and `interval`: whether they have ticked, and when. */
class TickVariables {
  readonly clockOf = new Map<number, number>();
  private readonly builder: Builder;
  private readonly clocks: readonly ResolvedClock[];
  private readonly put: (clock: number, equation: FlatEquation) => void;
  private readonly ticked = new Map<number, Expr>();
  private readonly instants = new Map<number, Expr>();

  constructor(
    builder: Builder,
    clocks: readonly ResolvedClock[],
    put: (clock: number, equation: FlatEquation) => void,
  ) {
    this.builder = builder;
    this.clocks = clocks;
    this.put = put;
  }

  /** Whether the clock has ticked before. */
  before(clock: number): Expr {
    const { pool } = this.builder;
    return this.remembered(this.ticked, clock, 'ticked', 'Boolean', pool.one);
  }

  /** Seconds since the tick before. */
  interval(clock: number): Expr {
    const { pool } = this.builder;
    const { base, period, firstInterval } = this.clocks[clock]!;
    if (base.kind === 'periodic') return pool.mul(pool.const(period[0] / period[1]), base.unit);
    const last = this.remembered(this.instants, clock, 'tickTime', 'Real', pool.time);
    return pool.if(this.before(clock), pool.sub(pool.time, last), firstInterval);
  }

  private remembered(
    known: Map<number, Expr>,
    clock: number,
    what: string,
    type: 'Boolean' | 'Real',
    value: Expr,
  ): Expr {
    let left = known.get(clock);
    if (left) return left;
    const { builder } = this;
    const { origin } = this.clocks[clock]!;
    const symbol = builder.add(addedVariable(builder, what, type, [], 'discrete', origin));
    this.clockOf.set(symbol, clock);
    this.put(clock, { kind: 'equal', left: builder.pool.ref(symbol), right: value, dims: [], origin });
    left = builder.pool.pre(symbol);
    known.set(clock, left);
    return left;
  }
}

/** An equation and all those inside it. */
function* nestedIn(equation: FlatEquation): Generator<FlatEquation> {
  yield equation;
  if (equation.kind === 'for') for (const inner of equation.body) yield* nestedIn(inner);
  if (equation.kind === 'if')
    for (const { body } of equation.branches) for (const inner of body) yield* nestedIn(inner);
}

/** All expressions of an equation, those of the conditions that it depends on included. */
function* expressionsOf(builder: Builder, equation: FlatEquation): Generator<Expr> {
  switch (equation.kind) {
    case 'equal':
      yield equation.left;
      yield equation.right;
      return;
    case 'call':
      for (const output of equation.outputs) if (output) yield output;
      yield* equation.args;
      return;
    case 'for':
    case 'clocked':
      for (const inner of equation.body) yield* expressionsOf(builder, inner);
      return;
    case 'if':
      for (const { condition, body } of equation.branches) {
        if (condition !== undefined) yield builder.conditions[condition]!.value;
        for (const inner of body) yield* expressionsOf(builder, inner);
      }
      return;
    case 'when':
      for (const { condition, body } of equation.branches) {
        yield condition;
        for (const action of body) yield* actionExpressions(action);
      }
      return;
    case 'assert':
      yield equation.condition;
      yield equation.message;
      return;
  }
}

function* actionExpressions(action: FlatAction): Generator<Expr> {
  switch (action.kind) {
    case 'assign':
    case 'reinit':
      yield action.target;
      yield action.value;
      break;
    case 'assert':
      yield action.condition;
      yield action.message;
      break;
    case 'terminate':
      yield action.message;
      break;
  }
  if ('when' in action && action.when) yield action.when;
}
