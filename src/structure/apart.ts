/**
 * Variables that alias elimination leaves apart in a mode of several, although the mode says that they are equal: before it was entered they
 * may have differed, and their values before matter.
 *
 * Where a balance or a constraint is nonlinear, values go little by little from those before to those after (`path.ts`), each variable on its own way. This
 * concerns all variables that equations without derivatives tie to those of a nonlinear equation.
 *
 * A variable with a fixed start value that comes into being with a store brings what is in it: with `q = C*v`, `der(q) = i` and a fixed v, a charge.
 * So it is not the variable that it is connected with. One without a store says what that other variable begins with.
 */
import { isLinearIn, leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { ScalarEquation, ScalarVariable } from './sorted.ts';

/** The differentiated variables, and all others that stay apart from each other and from these; `isTimed` tells relations of time alone. */
export function keptApart(
  pool: Pool,
  equations: readonly ScalarEquation[],
  variables: readonly ScalarVariable[],
  differentiated: ReadonlySet<number>,
  isTimed: (relation: number) => boolean,
): ReadonlySet<number> {
  const apart = new Set(differentiated);
  const begun = variables.filter(({ symbol, passing, fixed }) => passing && fixed && !apart.has(symbol));
  const continuous = new Set(variables.flatMap((v) => (v.discrete ? [] : [v.symbol])));
  const features = equations.map((equation) => {
    let own = known.get(equation);
    if (!own) known.set(equation, (own = featuresOf(pool, equation, continuous, isTimed)));
    return own;
  });
  const bent = features.filter((f) => f.nonlinear).flatMap((f) => f.symbols);
  if (bent.length === 0 && begun.length === 0) return apart;
  const ties = new Ties(features);
  if (bent.length > 0) {
    const compared = variables.flatMap((v) => (v.compared ? [v.symbol] : []));
    for (const symbol of ties.reach([...bent, ...compared], () => true)) apart.add(symbol);
  }
  const passing = new Set(variables.flatMap((v) => (v.passing ? [v.symbol] : [])));
  for (const { symbol } of begun) {
    const own = ties.reach([symbol], (other) => passing.has(other));
    if ([...own].some((other) => differentiated.has(other))) apart.add(symbol);
  }
  return apart;
}

/** What matters of an equation here. */
interface Features {
  readonly symbols: readonly number[];
  readonly differential: boolean;
  /** Nonlinear in its variables, or with a choice that may depend on them. */
  readonly nonlinear: boolean;
}

/** Equations are shared by modes, and so is what is read from them. */
const known = new WeakMap<ScalarEquation, Features>();

function featuresOf(
  pool: Pool,
  { left, right, assigns, joins }: ScalarEquation,
  continuous: ReadonlySet<number>,
  isTimed: (relation: number) => boolean,
): Features {
  if (assigns !== undefined || joins !== undefined)
    return { symbols: [], differential: false, nonlinear: false };
  const residual = pool.sub(left, right);
  const own = leaves(residual);
  const refs = own.filter((leaf) => leaf.kind === 'ref' && continuous.has(leaf.symbol)) as Ref[];
  const chooses = own.some((leaf) => leaf.kind === 'held' && !isTimed(leaf.relation));
  return {
    symbols: [...new Set(refs.map((ref) => ref.symbol))],
    differential: refs.some((ref) => ref.order > 0),
    nonlinear: chooses || !isLinearIn(residual, new Set<Expr>(refs)),
  };
}

/** Which variables equations without derivatives tie together. */
class Ties {
  private readonly users = new Map<number, Features[]>();

  constructor(features: readonly Features[]) {
    for (const own of features) {
      if (own.differential) continue;
      for (const symbol of own.symbols) {
        const list = this.users.get(symbol);
        if (list) list.push(own);
        else this.users.set(symbol, [own]);
      }
    }
  }

  reach(from: readonly number[], through: (symbol: number) => boolean): Set<number> {
    const reached = new Set(from);
    const used = new Set<Features>();
    const open = [...from];
    for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop()) {
      for (const own of this.users.get(symbol) ?? []) {
        if (used.has(own)) continue;
        used.add(own);
        for (const other of own.symbols) {
          if (reached.has(other) || !through(other)) continue;
          reached.add(other);
          open.push(other);
        }
      }
    }
    return reached;
  }
}
