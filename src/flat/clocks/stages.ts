/**
 * Solver methods with several stages (Modelica 3.6, section 16.8.2): between two ticks the equations of the sub-partition hold at further points. Each stage is a
 * copy of them, with variables of its own:
 *
 *     ExplicitMidPoint2      k2 = f(x + h/2*k1, …)                                              x + h*k2
 *     ExplicitRungeKutta4    k2 = f(x + h/2*k1, …), k3 = f(x + h/2*k2, …), k4 = f(x + h*k3, …)  x + h/6*(k1 + 2*k2 + 2*k3 + k4)
 *
 * with x and k1 = der(x) at the previous tick. Midway between ticks Real inputs have the mean of both values, all others that of the previous tick.
 */
import { nodesOf, substitute } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { type FlatBuilder, note } from '../core/context.ts';
import { addedVariable } from '../expressions/clocks.ts';
import type { FlatEquation, FlatVariable, Origin } from '../flat.ts';
import { mapExprs, nestedIn } from '../walk.ts';
import type { ClockedUnit, Units } from './subpartitions.ts';

/** A state: its symbol, and that of its derivative. */
export interface StagedState {
  readonly symbol: number;
  readonly slope: number;
}

/** A sub-partition with the time since its previous tick, which is zero at the first one. */
export interface StagedPartition {
  readonly root: number;
  readonly states: readonly StagedState[];
  readonly step: Expr;
  readonly isFirst: Expr;
  readonly origin: Origin;
}

/** By stage from the second on: where it is, and how much of the stage before moves it there; then the weights of all slopes. */
export const tableaux = {
  ExplicitMidPoint2: { stages: [0.5], weights: [0, 1] },
  ExplicitRungeKutta4: { stages: [0.5, 0.5, 1], weights: [1 / 6, 1 / 3, 1 / 3, 1 / 6] },
} as const satisfies Record<string, { stages: readonly number[]; weights: readonly number[] }>;

export type StagedMethod = keyof typeof tableaux;

export class Stages {
  readonly equations: FlatEquation[] = [];

  constructor(
    private readonly builder: FlatBuilder,
    private readonly units: Units,
  ) {}

  /** Writes the stages of a sub-partition; gives how far each state moves, in units of the step. Undefined after an error. */
  of(method: StagedMethod, partition: StagedPartition): ReadonlyMap<number, Expr> | undefined {
    const { builder } = this;
    const { pool } = builder;
    const units = this.units.all.filter(({ symbols }) =>
      [...symbols].some((symbol) => this.units.find(symbol) === partition.root),
    );
    if (!units.every((unit) => this.canBeCopied(unit))) return undefined;
    const { stages, weights } = tableaux[method];
    const slopes = [new Map(partition.states.map(({ symbol, slope }) => [symbol, pool.pre(slope) as Expr]))];
    for (const { slope } of partition.states) this.remember(slope, partition.origin);
    for (const place of stages) slopes.push(this.stage(place, slopes.at(-1)!, units, partition));
    return new Map(
      partition.states.map(({ symbol }) => {
        const dims = this.variable(symbol).dims;
        const terms = slopes.flatMap((own, k) =>
          weights[k] === 0 ? [] : [builder.apply('mul', dims, pool.const(weights[k]!), own.get(symbol)!)],
        );
        return [symbol, terms.reduce((sum, term) => builder.apply('add', dims, sum, term))];
      }),
    );
  }

  /** One more stage, `place` steps after the previous tick; gives the derivatives in it. */
  private stage(
    place: number,
    before: ReadonlyMap<number, Expr>,
    units: readonly ClockedUnit[],
    { root, states, step, isFirst, origin }: StagedPartition,
  ): Map<number, Expr> {
    const { builder } = this;
    const { pool } = builder;
    const copies = new Map<number, Expr>();
    const slopes = new Map<number, Expr>();
    for (const { symbol } of states) {
      const { dims } = this.variable(symbol);
      const far = builder.apply('mul', [], pool.const(place), step);
      const moved = builder.apply('mul', dims, far, before.get(symbol)!);
      const at = builder.apply('add', dims, this.remember(symbol, origin), moved);
      copies.set(symbol, this.copy(symbol, origin, at));
      slopes.set(symbol, this.copy(symbol, origin));
    }
    for (const { relation, result } of builder.clocks.conversions) {
      const isInput = relation.kind !== 'interval' && relation.kind !== 'firstTick';
      if (!isInput || this.units.find(result) !== root || place === 1) continue;
      const { type, dims } = this.variable(result);
      const [now, then] = [pool.ref(result), this.remember(result, origin)];
      const mean = builder.apply('mul', dims, pool.const(0.5), builder.apply('add', dims, now, then));
      const between = builder.apply('if', dims, isFirst, now, type === 'Real' ? mean : then);
      copies.set(result, this.copy(result, origin, between));
    }
    const given = new Set(builder.clocks.conversions.map(({ result }) => result));
    for (const { symbols } of units)
      for (const symbol of symbols)
        if (!copies.has(symbol) && !given.has(symbol) && this.variable(symbol).type !== 'Clock')
          copies.set(symbol, this.copy(symbol, origin));
    for (const { equation } of units)
      if (equation && equation.kind !== 'assert') this.equations.push(this.copied(equation, copies, slopes));
    return slopes;
  }

  private copied(
    equation: FlatEquation,
    copies: ReadonlyMap<number, Expr>,
    slopes: ReadonlyMap<number, Expr>,
  ): FlatEquation {
    const { pool, clocks } = this.builder;
    const memo = new Map<Expr, Expr>();
    const result = mapExprs(equation, (expr) =>
      substitute(
        pool,
        expr,
        (node, below) => {
          if (node.kind !== 'ref') return undefined;
          const copy = (node.order > 0 ? slopes : copies).get(node.symbol);
          return copy?.kind === 'ref' ? pool.ref(copy.symbol, 0, below) : undefined;
        },
        memo,
      ),
    );
    const inner = [...nestedIn(result)];
    for (const [k, before] of [...nestedIn(equation)].entries()) {
      const clock = clocks.clockOf.get(before);
      if (clock !== undefined) clocks.clockOf.set(inner[k]!, clock);
    }
    return result;
  }

  /** A variable like another one, with a value where it is given. */
  private copy(symbol: number, origin: Origin, value?: Expr): Expr {
    const { builder } = this;
    const { type, dims } = this.variable(symbol);
    const own = builder.pool.ref(
      builder.add(addedVariable(builder, 'stage', type as FlatVariable['type'], dims, 'discrete', origin)),
    );
    if (value) this.equations.push({ kind: 'equal', left: own, right: value, dims, origin });
    return own;
  }

  /** The value at the previous tick. */
  private remember(symbol: number, origin: Origin): Expr {
    const { pool, clocks } = this.builder;
    if (!clocks.previous.has(symbol)) clocks.previous.set(symbol, origin);
    return pool.pre(symbol);
  }

  /** Equations between continuous variables can hold at other points too; what depends on ticks, or on states of machines, cannot. */
  private canBeCopied({ equation, expressions, guard, origin }: ClockedUnit): boolean {
    const remembers = nodesOf(...expressions).find(({ kind }) => kind === 'pre');
    const fits = !equation || ['equal', 'call', 'for', 'assert'].includes(equation.kind);
    if (fits && equation && guard.length === 0 && !remembers) return true;
    const what = remembers
      ? 'uses `previous`'
      : guard.length > 0 || !equation
        ? 'belongs to a state machine'
        : `is ${equation.kind === 'if' ? 'an if-equation' : 'no equation between expressions'}`;
    const message = `On a clock with a solver method of several stages this ${what}, which has no meaning between ticks.`;
    this.builder.reportAt('unsupported', message, {
      span: origin.span,
      hint: 'Use "ExplicitEuler", or put it on a clock of its own, and give values on by `subSample(…)`.',
      notes: [note('this is solved in several stages', origin)],
    });
    return false;
  }

  private variable(symbol: number): {
    readonly type: FlatVariable['type'] | 'Clock' | string;
    readonly dims: readonly number[];
  } {
    const { instances, added } = this.builder;
    const { type, dims } = instances[symbol] ?? added[symbol - instances.length]!;
    return { type: typeof type === 'object' ? 'Integer' : type, dims };
  }
}
