/**
 * Equations with derivatives on a clock that has a solver method (Modelica 3.6, section 16.8). The derivative of a state becomes a variable of its own, and the state
 * follows from tick to tick by the method, with h the time since the previous tick, and h = 0 at the first one, where states have their start values, or what initial
 * equations say, each in the place of the equation of one state:
 *
 *     ExplicitEuler        x = previous(x) + h*previous(der(x))
 *     ImplicitEuler        x = previous(x) + h*der(x)
 *     ImplicitTrapezoid    x = previous(x) + h/2*(der(x) + previous(der(x)))
 *
 * Those with several stages are in `stages.ts`.
 */
import { grouped } from '../../collections/groups.ts';
import { nodesOf, substitute } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { builderNames, type FlatBuilder } from '../core/context.ts';
import { count } from '../core/values.ts';
import { addedVariable, symbolsIn } from '../expressions/clocks.ts';
import { fixedNumber } from '../expressions/constants.ts';
import type { FlatEquality, FlatEquation, FlatMachine, Origin, SolverMethod } from '../flat.ts';
import { expressionsOf, mapExprs, nestedIn } from '../walk.ts';
import { type StagedMethod, Stages, tableaux } from './stages.ts';
import { Units } from './subpartitions.ts';

export interface Discretised {
  readonly equations: readonly FlatEquation[];
  readonly initialEquations: readonly FlatEquation[];
}

/** The equations without derivatives on clocks. */
export function discretised(
  builder: FlatBuilder,
  equations: readonly FlatEquation[],
  initialEquations: readonly FlatEquation[],
  machines: readonly FlatMachine[],
): Discretised {
  if (builder.clocks.methods.size === 0) return { equations, initialEquations };
  return new Discretisation(builder, new Units(builder, equations, machines)).run(
    equations,
    initialEquations,
  );
}

const isStaged = (method: SolverMethod): method is StagedMethod => method in tableaux;

/** A variable whose derivative is used on a clock with a solver method. */
interface State {
  readonly method: SolverMethod;
  readonly root: number;
  /** Symbol of the derivative. */
  readonly slope: number;
  readonly origin: Origin;
}

/** What determines a state at the first tick: a value, or an initial equation. */
type Begin = Expr | FlatEquality;

class Discretisation {
  private readonly states = new Map<number, State>();
  /** The time since the previous tick, by sub-partition. */
  private readonly steps = new Map<number, { readonly step: Expr; readonly isFirst: Expr }>();
  private readonly replaced = new Map<Expr, Expr>();

  constructor(
    private readonly builder: FlatBuilder,
    private readonly units: Units,
  ) {
    const methods = new Map<number, SolverMethod>();
    for (const [clock, method] of builder.clocks.methods) {
      const root = units.find(clock);
      const other = methods.get(root);
      if (other !== undefined && other !== method) this.twoMethods(other, method, clock);
      methods.set(root, method);
    }
    for (const { expressions, origin } of units.all)
      for (const node of nodesOf(...expressions)) {
        if (node.kind !== 'ref' || node.order === 0 || this.states.has(node.symbol)) continue;
        const root = units.find(node.symbol);
        const method = methods.get(root);
        if (method === undefined) continue;
        if (node.order > 1) this.tooHigh(node.symbol, origin);
        const slope = builder.add(
          addedVariable(builder, 'slope', 'Real', this.dims(node.symbol), 'discrete', origin),
        );
        this.states.set(node.symbol, { method, root, slope, origin });
      }
  }

  /** Equations that belong together are integrated by one method (section 16.8.1). */
  private twoMethods(one: SolverMethod, other: SolverMethod, clock: number): void {
    const { origin } = this.builder.clocks.conversions.find(({ result }) => result === clock)!;
    const message = `These equations would be integrated by two methods: \`${one}\` and \`${other}\`.`;
    const hint = 'Give all clocks of them the same method, or separate them by `subSample(…)`.';
    this.builder.reportAt('clock-conflict', message, { span: origin.span, hint });
  }

  run(equations: readonly FlatEquation[], initialEquations: readonly FlatEquation[]): Discretised {
    const { clocks } = this.builder;
    const { begins, others } = this.beginnings(initialEquations);
    const own = equations.map((equation) => this.withoutDerivatives(equation));
    clocks.equations.splice(
      0,
      clocks.equations.length,
      ...clocks.equations.map((equation) => this.withoutDerivatives(equation)),
    );
    const stages = this.stages();
    const rules = [...this.states].map(([symbol, state]) =>
      this.rule(symbol, state, begins.get(symbol), stages.moves.get(symbol)),
    );
    return { equations: [...own, ...rules, ...stages.equations], initialEquations: others };
  }

  /** The equations of methods with several stages, and how far each state moves in a step. */
  private stages(): {
    readonly equations: readonly FlatEquation[];
    readonly moves: ReadonlyMap<number, Expr>;
  } {
    const written = new Stages(this.builder, this.units);
    const moves = new Map<number, Expr>();
    const roots = grouped([...this.states], ([, { root }]) => root);
    for (const [root, own] of roots) {
      const [first, { method, origin }] = own[0]!;
      if (!isStaged(method)) continue;
      const states = own.map(([symbol, { slope }]) => ({ symbol, slope }));
      const partition = { root, states, origin, ...this.stepOf(root, first, origin) };
      for (const [symbol, move] of written.of(method, partition) ?? []) moves.set(symbol, move);
    }
    return { equations: written.equations, moves };
  }

  /** What initial equations say of states, and those that say nothing of them. */
  private beginnings(initialEquations: readonly FlatEquation[]): {
    readonly begins: ReadonlyMap<number, Begin>;
    readonly others: readonly FlatEquation[];
  } {
    const begins = new Map<number, Begin>();
    const open: { readonly equation: FlatEquality; readonly root: number }[] = [];
    const others = initialEquations.filter((whole) => {
      const chosen = this.chosenIn(whole);
      const roots = chosen?.map((equation) => this.rootOf(equation));
      if (!chosen || !roots?.every((root) => root !== undefined)) return true;
      for (const [k, equation] of chosen.entries()) {
        const given = this.givenValue(equation);
        if (given) begins.set(given.symbol, given.value);
        else open.push({ equation, root: roots[k]! });
      }
      return false;
    });
    for (const { equation, root } of open) {
      const state = this.freeState(equation, root, begins);
      if (state === undefined) this.tooMany(equation.origin);
      else begins.set(state, equation);
    }
    return { begins, others };
  }

  /** The equations of an initial section that parameters choose; undefined where there are others. */
  private chosenIn(equation: FlatEquation): FlatEquality[] | undefined {
    const { builder } = this;
    if (equation.kind === 'equal') return [equation];
    if (equation.kind !== 'if') return undefined;
    const values = equation.branches.map(
      ({ condition }) => condition === undefined || builder.conditions[condition]!.value,
    );
    if (values.some((value) => value !== true && symbolsIn(builder, value).size > 0)) return undefined;
    const at = values.findIndex((value) => value === true || fixedNumber(builder, value) !== 0);
    const inner = (equation.branches[at]?.body ?? []).map((one) => this.chosenIn(one));
    return inner.includes(undefined) ? undefined : (inner as FlatEquality[][]).flat();
  }

  /** The sub-partition with states that an equation speaks of. */
  private rootOf(equation: FlatEquation): number | undefined {
    const symbols = symbolsIn(this.builder, ...expressionsOf(this.builder, equation));
    const roots = new Set([...this.states.values()].map(({ root }) => root));
    return [...symbols].map((symbol) => this.units.find(symbol)).find((root) => roots.has(root));
  }

  /** `x = e` with parameters in e alone. */
  private givenValue({ left, right }: FlatEquality): { symbol: number; value: Expr } | undefined {
    for (const [state, value] of [
      [left, right],
      [right, left],
    ] as const) {
      if (state.kind !== 'ref' || state.order > 0 || state.subscripts.length > 0) continue;
      if (this.states.has(state.symbol) && symbolsIn(this.builder, value).size === 0)
        return { symbol: state.symbol, value };
    }
    return undefined;
  }

  /** The state that an initial equation determines: one that it names, otherwise any of its clock that has none yet. */
  private freeState(
    equation: FlatEquality,
    root: number,
    begins: ReadonlyMap<number, Begin>,
  ): number | undefined {
    const named = symbolsIn(this.builder, equation.left, equation.right);
    const size = count(equation.dims ?? []);
    const free = [...this.states].filter(
      ([symbol, own]) => own.root === root && !begins.has(symbol) && count(this.dims(symbol)) === size,
    );
    return (free.find(([symbol]) => named.has(symbol)) ?? free[0])?.[0];
  }

  private withoutDerivatives(equation: FlatEquation): FlatEquation {
    const { builder } = this;
    const derivative = (node: Expr): State | undefined =>
      node.kind === 'ref' && node.order > 0 ? this.states.get(node.symbol) : undefined;
    if (!nodesOf(...expressionsOf(builder, equation)).some(derivative)) return equation;
    const result = mapExprs(equation, (expr) =>
      substitute(
        builder.pool,
        expr,
        (node, below) => {
          const state = derivative(node);
          return state && builder.pool.ref(state.slope, 0, below);
        },
        this.replaced,
      ),
    );
    // The clocks of equations inside `when clock then` are known by these.
    const { clockOf } = builder.clocks;
    const inner = [...nestedIn(result)];
    for (const [k, before] of [...nestedIn(equation)].entries()) {
      const clock = clockOf.get(before);
      if (clock !== undefined) clockOf.set(inner[k]!, clock);
    }
    return result;
  }

  private rule(
    symbol: number,
    { method, root, slope, origin }: State,
    begin: Begin | undefined,
    move: Expr | undefined,
  ): FlatEquation {
    const { builder } = this;
    const { pool, clocks } = builder;
    const dims = this.dims(symbol);
    for (const own of [symbol, slope]) if (!clocks.previous.has(own)) clocks.previous.set(own, origin);
    const { step, isFirst } = this.stepOf(root, symbol, origin);
    const [now, before] = [pool.ref(slope), pool.pre(slope)];
    const mean = builder.apply('mul', dims, pool.const(0.5), builder.apply('add', dims, now, before));
    const slopes = { ExplicitEuler: before, ImplicitEuler: now, ImplicitTrapezoid: mean };
    const far = isStaged(method) ? (move ?? before) : slopes[method];
    const moved = builder.apply('mul', dims, step, far);
    const next = builder.apply('add', dims, pool.pre(symbol), moved);
    const own = pool.ref(symbol);
    const integrates = { state: symbol, slope };
    if (begin?.kind === 'equal') {
      const equation = this.withoutDerivatives(begin) as FlatEquality;
      const left = builder.apply('if', dims, isFirst, equation.left, own);
      const right = builder.apply('if', dims, isFirst, equation.right, next);
      return { kind: 'equal', left, right, dims, integrates, origin: begin.origin };
    }
    const right = begin ? builder.apply('if', dims, isFirst, begin, next) : next;
    return { kind: 'equal', left: own, right, dims, integrates, origin };
  }

  private stepOf(
    root: number,
    symbol: number,
    origin: Origin,
  ): { readonly step: Expr; readonly isFirst: Expr } {
    const known = this.steps.get(root);
    if (known) return known;
    const { builder } = this;
    const { pool } = builder;
    const property = (kind: 'interval' | 'firstTick'): Expr => {
      const type = kind === 'interval' ? 'Real' : 'Boolean';
      const result = builder.add(addedVariable(builder, kind, type, [], 'discrete', origin));
      const argument = pool.ref(symbol);
      builder.clocks.conversions.push({ relation: { kind }, result, argument, clock: undefined, origin });
      return pool.ref(result);
    };
    const isFirst = property('firstTick');
    const made = { step: pool.if(isFirst, pool.zero, property('interval')), isFirst };
    this.steps.set(root, made);
    return made;
  }

  private dims(symbol: number): readonly number[] {
    const { instances, added } = this.builder;
    return (instances[symbol] ?? added[symbol - instances.length]!).dims;
  }

  private tooMany({ span }: Origin): void {
    const message = 'There are more initial equations than states on this clock.';
    const hint = 'Each initial equation determines the value that one state has at the first tick.';
    this.builder.reportAt('clock-conflict', message, { span, hint });
  }

  private tooHigh(symbol: number, { span }: Origin): void {
    const name = builderNames(this.builder).variable(symbol);
    const message = `The second derivative of \`${name}\` is used on a clock with a solver method.`;
    const hint = 'Give the first derivative a variable of its own.';
    this.builder.reportAt('unsupported', message, { span, hint });
  }
}
