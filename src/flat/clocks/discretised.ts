/**
 * Equations with derivatives on a clock that has a solver method (Modelica 3.6, section 16.8). The derivative of a state becomes a variable of its own, and the state
 * follows from tick to tick by the method, with h the time since the previous tick, and h = 0 at the first one, where states have their initial values:
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
import { addedVariable, symbolsIn } from '../expressions/clocks.ts';
import { fixedNumber } from '../expressions/constants.ts';
import type { FlatEquation, FlatMachine, Origin, SolverMethod } from '../flat.ts';
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
    for (const [clock, method] of builder.clocks.methods) methods.set(units.find(clock), method);
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

  run(equations: readonly FlatEquation[], initialEquations: readonly FlatEquation[]): Discretised {
    const { clocks } = this.builder;
    const begins = new Map<number, Expr>();
    const others = initialEquations.filter((equation) => !this.begins(equation, begins));
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

  /** Notes what an initial equation says of a state: `x = e` with parameters in e alone. True where that is all it says. */
  private begins(equation: FlatEquation, begins: Map<number, Expr>): boolean {
    const { builder } = this;
    if (equation.kind === 'if') {
      const chosen = equation.branches.find(
        ({ condition }) =>
          condition === undefined || fixedNumber(builder, builder.conditions[condition]!.value) !== 0,
      );
      const isKnown = equation.branches.every(
        ({ condition }) =>
          condition === undefined || symbolsIn(builder, builder.conditions[condition]!.value).size === 0,
      );
      return isKnown && (chosen?.body ?? []).every((inner) => this.begins(inner, begins));
    }
    if (equation.kind !== 'equal') return false;
    for (const [state, value] of [
      [equation.left, equation.right],
      [equation.right, equation.left],
    ] as const) {
      if (state.kind !== 'ref' || state.order > 0 || state.subscripts.length > 0) continue;
      if (!this.states.has(state.symbol) || symbolsIn(builder, value).size > 0) continue;
      begins.set(state.symbol, value);
      return true;
    }
    return false;
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
    begin: Expr | undefined,
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
    const right = begin ? builder.apply('if', dims, isFirst, begin, next) : next;
    return { kind: 'equal', left: pool.ref(symbol), right, dims, origin };
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

  private tooHigh(symbol: number, { span }: Origin): void {
    const name = builderNames(this.builder).variable(symbol);
    const message = `The second derivative of \`${name}\` is used on a clock with a solver method.`;
    const hint = 'Give the first derivative a variable of its own.';
    this.builder.reportAt('unsupported', message, { span, hint });
  }
}
