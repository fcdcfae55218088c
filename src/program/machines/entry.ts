/**
 * What entering a state sets, found once for each state: its own variables, and the variables outside that its equations
 * determine and whose start values vary (such a start value is the value on entry; Elmqvist, Mattsson and Otter 2014, section
 * 2.3). Start values use the values before the change, with one exception: a variable that the entered state computes from
 * such values by an explicit equation (an input with a value, a shared `xstart`) has its new value already.
 */
import { append } from '../../collections/groups.ts';
import { neededFirst } from '../../collections/order.ts';
import type { Machine, MachineState } from '../../modes/guarded.ts';
import { leaves, symbolsOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { LastingModel, RunValues } from '../evaluation.ts';

export class StateEntry {
  /** Symbols of the variables that belong to the state. */
  readonly own: readonly number[];
  /** Machines inside the state. */
  readonly machines: readonly Machine[];
  /** Symbols of variables outside that begin with a varying start value. */
  readonly shared: readonly number[];
  /** Variables in the start values that matter, those that others are computed from first. */
  private readonly foreseen: readonly number[];
  private readonly definitions: ReadonlyMap<number, readonly Expr[]>;

  constructor(
    private readonly values: RunValues,
    state: MachineState,
  ) {
    const { model } = values;
    const inside = (guard: readonly { condition: number; value: boolean }[]) =>
      guard.some((literal) => literal.value && literal.condition === state.condition);
    this.own = [...model.scalars.keys()].filter((s) => inside(model.scalars[s]!.variable?.guard ?? []));
    this.machines = model.machines.filter((machine) => inside(machine.guard));
    const equations = model.equations.filter((e) => inside(e.guard));
    const used = new Set(equations.flatMap(({ left, right }) => [...symbolsOf(left), ...symbolsOf(right)]));
    this.shared = [...used].filter((symbol) => isVarying(model, symbol));
    this.definitions = definitionsIn(equations, new Set(this.own));
    const starts = [...this.own, ...this.shared].flatMap((s) => model.scalars[s]!.start ?? []);
    this.foreseen = starts.length === 0 ? [] : this.orderOf(starts);
  }

  /** Brings what start values use up to date; call it while the memory still has the values before the change. */
  foresee(present: Uint8Array): void {
    for (const { symbol, value } of this.predictions((s) => present[s] === 1))
      this.values.setVariable(symbol, this.values.evaluate(value));
  }

  /** What start values use and the state computes itself, each from what is present and from those before it. */
  predictions(isPresent: (symbol: number) => boolean): { symbol: number; value: Expr }[] {
    const found = new Map<number, Expr>();
    for (const symbol of this.foreseen) {
      const usable = (definition: Expr) =>
        symbolsOf(definition).every((used) => found.has(used) || isPresent(used));
      const value = this.definitions.get(symbol)!.find(usable);
      if (value) found.set(symbol, value);
    }
    return [...found].map(([symbol, value]) => ({ symbol, value }));
  }

  sharedStarts(): { symbol: number; value: number }[] {
    return this.shared.map((symbol) => ({ symbol, value: this.values.startOf(symbol) }));
  }

  /** Variables with a definition that expressions use, also through other definitions. */
  private orderOf(starts: readonly Expr[]): number[] {
    const needs = (symbol: number): number[] => (this.definitions.get(symbol) ?? []).flatMap(symbolsOf);
    const order = neededFirst(starts.flatMap(symbolsOf), needs);
    return [...order].filter((symbol) => this.definitions.has(symbol));
  }
}

/** Equations that give a variable in terms of others; those of the state itself may stand on either side. */
function definitionsIn(
  equations: readonly { left: Expr; right: Expr }[],
  own: ReadonlySet<number>,
): Map<number, Expr[]> {
  const definitions = new Map<number, Expr[]>();
  const add = (variable: Expr, value: Expr): void => {
    if (variable.kind !== 'ref' || variable.order > 0) return;
    append(definitions, variable.symbol, value);
  };
  for (const { left, right } of equations) {
    add(left, right);
    if (right.kind === 'ref' && own.has(right.symbol)) add(right, left);
  }
  return definitions;
}

/** A variable outside of all states whose start value is no constant. */
function isVarying(model: LastingModel, symbol: number): boolean {
  const { start, kind, variable } = model.scalars[symbol]!;
  if (kind !== 'continuous' || !start || variable?.guard.length) return false;
  return leaves(start).some(
    (leaf) => leaf.kind !== 'ref' || model.scalars[leaf.symbol]!.kind !== 'parameter',
  );
}
