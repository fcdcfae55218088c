/**
 * What decides on new values of states, and is changed by them. Where a relation of continuous variables triggers a `reinit` that changes how that relation goes
 * on, as the impact of a ball does, the equations have to tell so after the jump: a ball that bounced is a rounding error below the floor, and
 * moves up (`simulate/instant/crossings.ts`). That is known of scalars only. So the states that such a relation depends on are left to the scalar
 * part, with all that is between them and the relation, and so are those that get the new values. A variable that follows from a state, and gets a new value,
 * takes the place of that state, which is a choice of scalars too. Other new values leave arrays as they are.
 */
import { remember } from '../../collections/memo.ts';
import type { FlatModel } from '../../flat/flat.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { orderOf, References } from './references.ts';

/** Symbols of the variables that are left to the scalar part for it. `isState` tells of a symbol whether its derivative occurs. */
export function impactSymbols(flat: FlatModel, isState: (symbol: number) => boolean): Set<number> {
  const found = new Set<number>();
  let uses: Uses | undefined;
  for (const { triggers, targets } of resetsIn(flat)) {
    const following = [...variablesIn(flat, targets)].filter((symbol) => !isState(symbol));
    if (following.length > 0) {
      uses ??= new Uses(flat, isState);
      for (const symbol of uses.reached(following)) found.add(symbol);
    }
    const own = variablesIn(flat, triggers);
    if (own.size === 0) continue;
    uses ??= new Uses(flat, isState);
    const deciding = uses.reached(own);
    const rates = [...deciding].filter(isState).flatMap((state) => uses!.ofDerivative(state));
    const changing = uses.reached(variablesIn(flat, rates));
    const changed = [...variablesIn(flat, targets)];
    if (!changed.some((symbol) => deciding.has(symbol) || changing.has(symbol))) continue;
    for (const symbol of [...deciding, ...changed]) found.add(symbol);
  }
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

function variablesIn({ variables }: FlatModel, exprs: readonly Expr[]): Set<number> {
  const found = new Set<number>();
  const references = new References(({ symbol }) => {
    const { variability } = variables[symbol]!;
    if (variability === 'continuous' || variability === 'discrete') found.add(symbol);
  });
  for (const expr of exprs) references.in(expr);
  return found;
}

/** Which equations variables and derivatives occur in. */
class Uses {
  /** By symbol: expressions of the equations with the variable, and of those with its derivative. */
  private readonly values = new Map<number, Expr[]>();
  private readonly derivatives = new Map<number, Expr[]>();

  constructor(
    private readonly flat: FlatModel,
    private readonly isState: (symbol: number) => boolean,
  ) {
    for (const equation of flat.equations) {
      const refs: { readonly symbol: number; readonly order: number }[] = [];
      const exprs: Expr[] = [];
      new References((ref) => refs.push({ symbol: ref.symbol, order: orderOf(ref) })).inEquation(
        equation,
        (expr) => exprs.push(expr),
      );
      for (const { symbol, order } of refs) {
        remember(order > 0 ? this.derivatives : this.values, symbol, () => []).push(...exprs);
      }
    }
  }

  /** Expressions of the equations with the derivative of a state. */
  ofDerivative(state: number): readonly Expr[] {
    return this.derivatives.get(state) ?? [];
  }

  /** Variables, and all that equations without derivatives tie to them, up to states. */
  reached(symbols: Iterable<number>): Set<number> {
    const found = new Set(symbols);
    const open = [...found];
    for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop()) {
      if (this.isState(symbol)) continue;
      for (const next of variablesIn(this.flat, this.values.get(symbol) ?? [])) {
        if (found.has(next)) continue;
        found.add(next);
        open.push(next);
      }
    }
    return found;
  }
}
