/**
 * What is zero for the whole of a run, so that structure must not rely on products with it: parameters with that value, and variables that an equation
 * computes from them (`c = capacitance(card, v)` of a card without capacitances) whatever the other variables are.
 */
import type { GuardedModel } from '../../modes/guarded.ts';
import { eachNode } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { type Known, KnownValues } from '../../symbolic/known.ts';
import type { Runtime } from '../runtime.ts';

/** Equations that are followed from one variable to the next. */
const mostDepth = 100;

/** Parameters and variables that are zero now and in the run. */
export function vanishing(runtime: Runtime): ReadonlySet<number> {
  const { values } = runtime;
  const found = new Set<number>();
  for (const symbol of runtime.finding(knownParameters))
    if (values.getVariable(symbol) === 0) found.add(symbol);
  const variables = new Variables(runtime);
  for (const symbol of runtime.finding(factorsOf)) if (variables.valueOf(symbol) === 0) found.add(symbol);
  return found;
}

const knownParameters = (runtime: Runtime): readonly number[] =>
  [...runtime.model.scalars.keys()].filter((symbol) => isKnownParameter(runtime, symbol));

/** Parameters that initial equations determine are not known before. */
function isKnownParameter({ model, facts }: Runtime, symbol: number): boolean {
  const { kind, variable } = model.scalars[symbol]!;
  return kind === 'parameter' && variable !== undefined && !facts.open.has(symbol);
}

/** What variables are equal to where an equation `v = …` holds in all modes. */
function definitionsOf({ model }: Runtime): ReadonlyMap<number, Expr> {
  const definitions = new Map<number, Expr>();
  const define = (variable: Expr, value: Expr) => {
    if (variable.kind !== 'ref' || variable.order > 0 || definitions.has(variable.symbol)) return;
    if (model.scalars[variable.symbol]!.kind === 'continuous') definitions.set(variable.symbol, value);
  };
  for (const { guard, left, right } of model.equations) {
    if (guard.length > 0) continue;
    define(left, right);
    define(right, left);
  }
  return definitions;
}

/** Variables that have a definition and are factors of products. */
function factorsOf(runtime: Runtime): ReadonlySet<number> {
  const definitions = runtime.finding(definitionsOf);
  const factors = new Set<number>();
  eachNode(sidesOf(runtime.model), (node) => {
    if (node.kind !== 'apply' || node.op !== 'mul') return;
    for (const arg of node.args)
      if (arg.kind === 'ref' && arg.order === 0 && definitions.has(arg.symbol)) factors.add(arg.symbol);
  });
  return factors;
}

const sidesOf = ({ equations }: GuardedModel): Expr[] =>
  equations.flatMap(({ left, right }) => [left, right]);

/** Values of variables that follow from parameters alone. */
class Variables {
  private readonly known: KnownValues;
  private readonly found = new Map<number, Known>();
  private readonly definitions: ReadonlyMap<number, Expr>;
  private depth = 0;

  constructor(private readonly runtime: Runtime) {
    this.known = new KnownValues(runtime.values.pool, runtime.model.functions);
    this.definitions = runtime.finding(definitionsOf);
  }

  valueOf(symbol: number): Known {
    if (isKnownParameter(this.runtime, symbol)) return this.runtime.values.getVariable(symbol);
    const definition = this.definitions.get(symbol);
    if (!definition || this.found.has(symbol) || this.depth > mostDepth) return this.found.get(symbol);
    // What depends on itself is not known.
    this.found.set(symbol, undefined);
    this.depth++;
    const value = this.known.of(definition, (leaf) =>
      leaf.kind === 'ref' && leaf.order === 0 ? this.valueOf(leaf.symbol) : undefined,
    );
    this.depth--;
    this.found.set(symbol, value);
    return value;
  }
}
