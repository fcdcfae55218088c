/**
 * What decides on new values of states. Where a relation of continuous variables triggers a `reinit`, as the impact of a ball does, the equations
 * have to tell how that relation goes on after the jump: a ball that bounced is a rounding error below the floor, and moves up (`simulate/crossings.ts`). That
 * is known of scalars only. So the states that such a relation depends on are left to the scalar part, with all that is between them and the
 * relation, and so are those that get the new values. Triggers of time alone leave all arrays as they are.
 */
import type { FlatModel } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import { References } from './equations.ts';

/** Symbols of the variables that are left to the scalar part for it. `isState` tells of a symbol whether its derivative occurs. */
export function impactSymbols(flat: FlatModel, isState: (symbol: number) => boolean): Set<number> {
  const found = new Set<number>();
  const open: number[] = [];
  const add = (expr: Expr): void => {
    for (const symbol of variablesIn(flat, expr)) {
      if (found.has(symbol)) continue;
      found.add(symbol);
      if (!isState(symbol)) open.push(symbol);
    }
  };
  for (const { triggers, targets } of resetsIn(flat)) {
    if (triggers.every((trigger) => variablesIn(flat, trigger).size === 0)) continue;
    for (const expr of [...triggers, ...targets]) add(expr);
  }
  if (open.length === 0) return found;
  const users = equationsBySymbol(flat);
  for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop())
    for (const expr of users.get(symbol) ?? []) add(expr);
  return found;
}

interface Reset {
  readonly triggers: readonly Expr[];
  readonly targets: readonly Expr[];
}

/** The new values that states get in when-equations and on transitions. */
function* resetsIn({ equations, machines }: FlatModel): Generator<Reset> {
  const open = [...equations];
  for (let equation = open.pop(); equation; equation = open.pop()) {
    if (equation.kind === 'for' || equation.kind === 'clocked') open.push(...equation.body);
    if (equation.kind === 'if') for (const { body } of equation.branches) open.push(...body);
    if (equation.kind !== 'when') continue;
    const targets = equation.branches.flatMap(({ body }) =>
      body.flatMap((action) => (action.kind === 'reinit' ? [action.target] : [])),
    );
    if (targets.length > 0) yield { triggers: equation.branches.map(({ condition }) => condition), targets };
  }
  for (const { transitions } of machines)
    for (const { condition, actions } of transitions)
      if (actions.length > 0) yield { triggers: [condition], targets: actions.map(({ target }) => target) };
}

function variablesIn({ variables }: FlatModel, expr: Expr): Set<number> {
  const found = new Set<number>();
  new References(({ symbol }) => {
    const { variability } = variables[symbol]!;
    if (variability === 'continuous' || variability === 'discrete') found.add(symbol);
  }).in(expr);
  return found;
}

/** By symbol: expressions of the equations that it occurs in. */
function equationsBySymbol(flat: FlatModel): Map<number, Expr[]> {
  const users = new Map<number, Expr[]>();
  for (const equation of flat.equations) {
    const symbols = new Set<number>();
    const exprs: Expr[] = [];
    const note = new References(({ symbol }) => symbols.add(symbol));
    note.inEquation(equation, (expr) => exprs.push(expr));
    for (const symbol of symbols) {
      const known = users.get(symbol);
      if (known) known.push(...exprs);
      else users.set(symbol, [...exprs]);
    }
  }
  return users;
}
