/** Expressions of flat equations: what the scalar part says of the variables of the vector part, and putting others in their place. */

import type { ClockBase, FlatEquation, FlatModel, FlatVariable } from '../../flat/flat.ts';
import { expressionsOf, mapExprs } from '../../flat/walk.ts';
import { walk } from '../../symbolic/analyse.ts';
import type { Expr, Pre, Ref } from '../../symbolic/expr.ts';

/** Applies a function to the expressions of an equation. Algorithms and clocked equations stay as they are. */
export function mapEquation(equation: FlatEquation, map: (expr: Expr) => Expr): FlatEquation {
  return equation.kind === 'algorithm' || equation.kind === 'clocked' ? equation : mapExprs(equation, map);
}

/** References to variables and to their values before, in expressions; each once, wherever they stand. */
export class References {
  private readonly seen = new Set<Expr>();

  constructor(private readonly visit: (ref: Ref | Pre) => void) {}

  in(expr: Expr | undefined): void {
    if (!expr) return;
    const isSeen = (node: Expr): boolean => this.seen.has(node);
    walk(expr, isSeen, (node) => {
      this.seen.add(node);
      if (node.kind === 'ref' || node.kind === 'pre') this.visit(node);
    });
  }

  inAttributes({ start, min, max, nominal, binding }: FlatVariable): void {
    for (const expr of [start, min, max, nominal, binding]) this.in(expr);
  }

  /** Those of an equation; `each` sees the expressions that they are in. */
  inEquation(equation: FlatEquation, each: (expr: Expr) => void = () => {}): void {
    mapEquation(equation, (expr) => {
      this.in(expr);
      each(expr);
      return expr;
    });
  }
}

/** How often a reference is differentiated. */
export const orderOf = (ref: Ref | Pre): number => (ref.kind === 'ref' ? ref.order : 0);

/** Whether all subscripts are numbers, one for each dimension. */
export function isElement(ref: Ref | Pre, dims: readonly number[]): boolean {
  return (
    ref.subscripts.length === dims.length &&
    ref.subscripts.every((s, k) => s.kind === 'const' && s.value >= 1 && s.value <= dims[k]!)
  );
}

/**
 * Symbols in places where nothing can be put in their stead: algorithms, clocked equations, branches of if-equations, machines,
 * clocks, attributes.
 */
export function pinnedSymbols(flat: FlatModel): Set<number> {
  const pinned = new Set<number>();
  const references = new References(({ symbol }) => pinned.add(symbol));
  /** What stands in algorithms, clocked equations and branches; `inside` is true within the latter two. */
  const pin = (equation: FlatEquation, inside: boolean): void => {
    switch (equation.kind) {
      case 'algorithm':
        for (const expr of expressionsOf(flat, equation)) references.in(expr);
        return;
      case 'clocked':
        for (const symbol of equation.variables) pinned.add(symbol);
        for (const inner of equation.body) pin(inner, true);
        return;
      case 'for':
        for (const inner of equation.body) pin(inner, inside);
        return;
      case 'if':
        // What a mode determines in another way than the next cannot be an output of loops.
        for (const { body } of equation.branches) for (const inner of body) pin(inner, true);
        return;
      default:
        if (inside) references.inEquation(equation);
    }
  };
  for (const equation of [...flat.equations, ...flat.initialEquations]) pin(equation, false);
  for (const equation of flat.initialEquations) references.inEquation(equation);
  for (const { transitions, states } of flat.machines) {
    for (const { condition, actions } of transitions) {
      references.in(condition);
      for (const { target, value } of actions) {
        references.in(target);
        references.in(value);
      }
    }
    for (const { outputs } of states) for (const symbol of outputs) pinned.add(symbol);
  }
  for (const { base } of flat.clocks) references.in(clockValue(base));
  for (const { outputs } of flat.components) for (const { value } of outputs) references.in(value);
  for (const variable of flat.variables) references.inAttributes(variable);
  return pinned;
}

function clockValue(base: ClockBase): Expr {
  switch (base.kind) {
    case 'periodic':
      return base.unit;
    case 'event':
      return base.condition;
    case 'varying':
      return base.interval;
  }
}
