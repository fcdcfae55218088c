/**
 * Initial equations that say with what the states of a whole array begin, and nothing more:
 *
 *     initial equation
 *       for i in 1:n loop C[i].v = v0[i]; end for;
 *
 * A start value that is fixed says the same, and states that begin with one may be part of a field, which knows nothing of systems of initial equations.
 */
import type { FlatModel, FlatVariable } from '../../flat/flat.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { equationOf, type LoopedEquation, unitsOf } from '../elements/nodes.ts';
import { orderOf, References } from './references.ts';

/** An initial equation of this kind. */
interface InitialValue {
  readonly symbol: number;
  readonly unit: LoopedEquation;
  /** Of the shape of the variable. */
  readonly value: Expr;
}

export class InitialValues {
  private readonly units: readonly LoopedEquation[];
  private readonly found: readonly InitialValue[];

  constructor(private readonly flat: FlatModel) {
    this.units = unitsOf(flat.initialEquations);
    const found = this.units.flatMap((unit) => this.valueIn(unit) ?? []);
    const times = new Map<number, number>();
    for (const { symbol } of found) times.set(symbol, (times.get(symbol) ?? 0) + 1);
    const states = found.length > 0 ? differentiated(flat) : new Set<number>();
    this.found = found.filter(({ symbol }) => states.has(symbol) && times.get(symbol) === 1);
  }

  /** The states that are given their values. */
  get symbols(): readonly number[] {
    return this.found.map(({ symbol }) => symbol);
  }

  /** The model with fixed start values in place of the initial equations of some states. */
  started(symbols: ReadonlySet<number>): FlatModel {
    const { flat, units } = this;
    const taken = new Map(
      this.found.filter((one) => symbols.has(one.symbol)).map((one) => [one.symbol, one]),
    );
    if (taken.size === 0) return flat;
    const said = new Set([...taken.values()].map(({ unit }) => unit));
    const variables = flat.variables.map((variable, symbol): FlatVariable => {
      const given = taken.get(symbol);
      return given ? { ...variable, start: given.value, fixed: true } : variable;
    });
    return { ...flat, variables, initialEquations: units.filter((unit) => !said.has(unit)).map(equationOf) };
  }

  private valueIn(unit: LoopedEquation): InitialValue | undefined {
    const { body } = unit;
    if (body.kind !== 'equal') return undefined;
    return this.valueOf(unit, body.left, body.right) ?? this.valueOf(unit, body.right, body.left);
  }

  private valueOf(unit: LoopedEquation, target: Expr, value: Expr): InitialValue | undefined {
    if (target.kind !== 'ref' || target.order > 0) return undefined;
    const { symbol, subscripts } = target;
    const variable = this.flat.variables[symbol]!;
    const isFree = variable.fixed === undefined || variable.fixed === false;
    if (variable.dims.length === 0 || !isFree || variable.variability !== 'continuous') return undefined;
    if (!coversAll(unit, subscripts, variable.dims) || !this.isKnown(value)) return undefined;
    return { symbol, unit, value: this.comprehended(unit, value) };
  }

  /** Whether it is known before initial values are sought. */
  private isKnown(value: Expr): boolean {
    return leaves(value).every((leaf) => {
      if (leaf.kind !== 'ref' || leaf.order > 0) return false;
      const { variability, fixed } = this.flat.variables[leaf.symbol]!;
      return variability === 'constant' || (variability === 'parameter' && (fixed ?? true) === true);
    });
  }

  private comprehended({ loops }: LoopedEquation, value: Expr): Expr {
    const { pool } = this.flat;
    return loops.reduceRight(
      (inner, { iterator, range }) => pool.apply('comprehension', inner, pool.iter(iterator), range),
      value,
    );
  }
}

/** Whether loops go through all elements once, each loop through one of the first dimensions and in its order. */
function coversAll({ loops }: LoopedEquation, subscripts: readonly Expr[], dims: readonly number[]): boolean {
  if (loops.length > Math.min(subscripts.length, dims.length)) return false;
  return subscripts.every((subscript, k) => {
    const loop = loops[k];
    if (!loop) return subscript.kind === 'apply' && subscript.op === 'colon';
    const isTurn = subscript.kind === 'iter' && subscript.iterator === loop.iterator;
    return isTurn && isWhole(loop.range, dims[k]!);
  });
}

/** `1:n`. */
function isWhole(range: Expr, n: number): boolean {
  if (range.kind !== 'apply' || range.op !== 'range') return false;
  const [first, step, last] = range.args.map((arg) => (arg.kind === 'const' ? arg.value : Number.NaN));
  return first === 1 && step === 1 && last === n;
}

function differentiated(flat: FlatModel): Set<number> {
  const symbols = new Set<number>();
  const references = new References((ref) => {
    if (orderOf(ref) > 0) symbols.add(ref.symbol);
  });
  for (const equation of flat.equations) references.inEquation(equation);
  return symbols;
}
