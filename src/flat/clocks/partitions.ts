/**
 * Clock inference (Modelica 3.6, section 16.7). Variables that occur together in an equation have the same clock: the
 * connected components of equations and variables are the sub-partitions. A component in which something is clocked is
 * a clocked one; all others together are continuous time. Clock conversions relate the clocks of sub-partitions, and those
 * related form a base-partition, whose ticks are exact fractions of one unit.
 *
 * The result is equations grouped by clock, in which no operator on clocks is left.
 */
import { append } from '../../collections/groups.ts';
import type { Note } from '../../diagnostic/diagnostic.ts';
import type { Instance } from '../../model/instance.ts';
import { children } from '../../symbolic/analyse.ts';
import type { Apply, Expr } from '../../symbolic/expr.ts';
import { isEventOperator } from '../../symbolic/operators.ts';
import { guarded } from '../behaviour/equations.ts';
import { builderNames, type FlatBuilder, note } from '../core/context.ts';
import { symbolsIn } from '../expressions/clocks.ts';
import type { Conversion, FlatClock, FlatEquation, FlatMachine, Origin } from '../flat.ts';
import { expressionsOf } from '../walk.ts';
import { Automata } from './automata.ts';
import { BaseClocks, leftLimit, type ResolvedClock, TickVariables } from './bases.ts';
import { type ClockedUnit, Units } from './subpartitions.ts';

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
  builder: FlatBuilder,
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
function checkTicks(builder: FlatBuilder, machines: readonly FlatMachine[]): void {
  for (const { states } of machines) {
    for (const state of states) {
      const symbol = builder.ticks.get(state);
      if (symbol === undefined) continue;
      const { span } = builder.added[symbol - builder.instances.length]!.origin;
      const message = `\`ticksInState()\` counts ticks, but the state machine of \`${state.name}\` is not clocked.`;
      const hint = 'Use `timeInState()`, or put equations with a clock into its states.';
      builder.reportAt('clock-conflict', message, { span, hint });
    }
  }
}

const conversionHint = 'Go from continuous time to clocked with `sample(…)`, and back with `hold(…)`.';

/** Why a variable is clocked, or is not. */
interface Reason {
  readonly symbol: number;
  readonly what: string;
  readonly origin: Origin;
  /** The reason is a transition of its machine, not an equation. */
  readonly isTransition?: boolean;
}

class Partitioner {
  /** Variables that tell when states were entered. */
  private readonly entered: ReadonlySet<number>;
  private readonly units: Units;
  private clocks: readonly ResolvedClock[] = [];
  /** Index of the clock, by root of the sub-partition. */
  private clockOf: ReadonlyMap<number, number> = new Map();

  constructor(
    private readonly builder: FlatBuilder,
    equations: readonly FlatEquation[],
    private readonly machines: readonly FlatMachine[],
  ) {
    this.entered = new Set(machines.flatMap(({ states }) => states.map((state) => state.entered)));
    this.units = new Units(builder, equations, machines);
  }

  run(initialEquations: readonly FlatEquation[]): Partitioned {
    const { builder, units } = this;
    const { idle } = units;
    const roots = this.kinds();
    const clocked = new Set<number>();
    for (const symbol of units.parent.keys())
      if (roots.has(units.find(symbol)) && !idle.has(symbol) && !builder.isFixed(symbol)) clocked.add(symbol);
    this.checkInitial(initialEquations, clocked);
    this.checkOperators(clocked);
    const failed = () => builder.diagnostics.some((d) => d.severity === 'error');
    const nothing: Partitioned = { equations: [], clocks: [], machines: [], clocked, idle };
    if (failed()) return nothing;
    const bases = new BaseClocks(builder, units, roots);
    if (failed()) return nothing;
    this.clocks = bases.clocks;
    this.clockOf = bases.clockOf;
    const equations = this.grouped(clocked);
    const machines = this.machines.filter((machine) => this.clockOfMachine(machine) === undefined);
    return { equations, clocks: this.clocks, machines, clocked, idle };
  }

  // -------------------------------------------------------------- clocked or continuous

  /** Roots of the clocked sub-partitions. */
  private kinds(): Set<number> {
    const clocked = new Map<number, Reason>();
    for (const reason of this.clockedReasons()) {
      const root = this.units.find(reason.symbol);
      if (!clocked.has(root)) clocked.set(root, reason);
    }
    const reported = new Set<number>();
    for (const reason of this.continuousReasons()) {
      const root = this.units.find(reason.symbol);
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
    for (const { relation, result, argument, clock, origin } of this.units.conversions) {
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
    for (const symbol of this.units.idle) {
      if (builder.instances[symbol]?.type !== 'Clock') continue;
      const { span, parent } = builder.instances[symbol]!;
      yield { symbol, what: 'it is a clock', origin: { span, component: parent?.path ?? '' } };
    }
  }

  private *continuousReasons(): Generator<Reason> {
    const { builder } = this;
    for (const { relation, result, argument, origin } of this.units.conversions) {
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
    for (const { equation, expressions, symbols, origin } of this.units.all) {
      const [symbol] = symbols;
      if (symbol === undefined) continue;
      const contains = equation?.kind === 'algorithm' && equation.body.some(({ kind }) => kind === 'when');
      if (equation?.kind === 'when' || contains)
        yield { symbol, what: 'a `when` with a Boolean condition contains it', origin };
      const isTransition = equation === undefined;
      const place = isTransition ? 'its condition' : 'its equation';
      for (const node of this.nodesOf(expressions)) {
        if (node.kind === 'ref' && node.order > 0)
          yield { symbol: node.symbol, what: 'its derivative is used', origin };
        else if (node.kind === 'time')
          yield { symbol, what: `${place} contains \`time\``, origin, isTransition };
        else if (
          node.kind === 'apply' &&
          isEventOperator(node.op) &&
          node.op !== 'noEvent' &&
          node.op !== 'smooth'
        )
          yield { symbol, what: `${place} contains \`${node.op}\``, origin, isTransition };
      }
    }
  }

  /** All parts of expressions, but for those of `timeInState()`, which clocked machines have as well. */
  private nodesOf(expressions: readonly Expr[]): ReadonlySet<Expr> {
    const isTimeInState = ({ op, args: [time, since] }: Apply): boolean =>
      op === 'sub' && time?.kind === 'time' && since?.kind === 'ref' && this.entered.has(since.symbol);
    const seen = new Set<Expr>();
    const open = [...expressions];
    for (let node = open.pop(); node; node = open.pop()) {
      if (seen.has(node) || (node.kind === 'apply' && isTimeInState(node))) continue;
      seen.add(node);
      open.push(...children(node));
    }
    return seen;
  }

  /** A clocked variable and one of continuous time that equations connect without a conversion. */
  private mixed(clocked: Reason, continuous: Reason): void {
    const path = this.pathBetween(clocked.symbol, continuous.symbol);
    const from = this.visible(clocked.symbol, path[0]);
    if (continuous.isTransition) {
      const message = `This transition is in continuous time (${continuous.what}), but its state machine is clocked.`;
      const { span } = continuous.origin;
      const notes = [note(`${from} is clocked: ${clocked.what}`, clocked.origin)];
      this.builder.reportAt('clock-conflict', message, { span, hint: conversionHint, notes });
      return;
    }
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
    this.builder.reportAt('clock-conflict', message, {
      span,
      hint: conversionHint,
      notes,
    });
  }

  /** A variable by its name; for one that was added, another one of the same equation. */
  private visible(symbol: number, unit: ClockedUnit | undefined): string {
    const names = builderNames(this.builder);
    const named = [symbol, ...(unit?.symbols ?? [])].find((s) => !names.variable(s).startsWith('$'));
    return named === undefined ? 'A value' : `\`${names.variable(named)}\``;
  }

  /** Equations on a shortest way from one variable to another. */
  private pathBetween(from: number, to: number): ClockedUnit[] {
    const unitsOf = new Map<number, ClockedUnit[]>();
    for (const unit of this.units.all) for (const s of unit.symbols) append(unitsOf, s, unit);
    const cameBy = new Map<number, { unit: ClockedUnit; from: number } | undefined>([[from, undefined]]);
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
    const path: ClockedUnit[] = [];
    for (let at = cameBy.get(to); at; at = cameBy.get(at.from)) path.unshift(at.unit);
    return path;
  }

  private checkInitial(equations: readonly FlatEquation[], clocked: ReadonlySet<number>): void {
    for (const equation of equations) {
      const symbols = symbolsIn(this.builder, ...expressionsOf(this.builder, equation));
      const found = [...symbols].find((symbol) => clocked.has(symbol));
      if (found === undefined) continue;
      const name = builderNames(this.builder).variable(found);
      const message = `The clocked variable \`${name}\` cannot have initial equations.`;
      this.builder.reportAt('clock-conflict', message, {
        span: equation.origin.span,
        hint: 'Give it a start value: `previous` of it has that value at the first tick.',
      });
    }
  }

  /** What makes a partition one of continuous time needs a solver method (section 16.8.1); signals of the past are not kept on clocks at all. */
  private checkOperators(clocked: ReadonlySet<number>): void {
    const { builder, units } = this;
    const solved = new Set([...builder.clocks.methods.keys()].map((clock) => units.find(clock)));
    for (const [symbol, { operator, origin }] of builder.clocks.leftLimits) {
      if (!clocked.has(symbol) || solved.has(units.find(symbol))) continue;
      const name = builderNames(builder).variable(symbol);
      const message = `\`${operator}\` is used of the clocked variable \`${name}\`, whose clock has no solver method.`;
      const hint =
        operator === 'pre'
          ? 'The value at the tick before is `previous(…)`.'
          : `Compare it with its value at the tick before, \`previous(${name})\`.`;
      builder.reportAt('clock-conflict', message, { span: origin.span, hint });
    }
    for (const { builtIn, inputs, outputs, origin } of builder.components) {
      const symbols = [...inputs, ...outputs].flatMap(({ value }) => [...symbolsIn(builder, value)]);
      if (!symbols.some((symbol) => clocked.has(symbol))) continue;
      const message = `\`${builtIn.name}\` is on a clock: its signals are in continuous time.`;
      const hint = `Give it what is held, \`${builtIn.name}(hold(…), …)\`, and sample its value; values at ticks before are \`previous(…)\`.`;
      builder.reportAt('clock-conflict', message, { span: origin.span, hint });
    }
  }

  private clockOfMachine({ states }: FlatMachine): number | undefined {
    return this.clockOf.get(this.units.find(states[0]!.active));
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
      symbol === undefined ? undefined : this.clockOf.get(this.units.find(symbol));
    for (const { equation, guard, symbols } of this.units.all) {
      const [symbol] = symbols;
      if (!equation || this.isAboutClocks(equation)) continue;
      for (const whole of guarded(guard, [equation])) put(clockOf(symbol), whole);
    }
    const ticks = new TickVariables(this.builder, this.clocks, put);
    for (const conversion of this.units.conversions) {
      const { result, origin } = conversion;
      if (this.units.idle.has(result)) continue;
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
    return (
      equation.kind === 'equal' && equation.left.kind === 'ref' && this.units.idle.has(equation.left.symbol)
    );
  }

  private valueOf({ relation, argument, result }: Conversion, ticks: TickVariables): Expr {
    switch (relation.kind) {
      case 'sample':
        return leftLimit(this.builder, argument!);
      case 'interval':
        return ticks.interval(this.clockOf.get(this.units.find(result))!);
      case 'firstTick':
        return this.builder.pool.not(ticks.before(this.clockOf.get(this.units.find(result))!));
      default:
        return argument!;
    }
  }
}
