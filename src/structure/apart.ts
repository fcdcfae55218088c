/**
 * Variables that alias elimination leaves apart in a mode of several, although the mode says that they are equal: before it was entered they
 * may have differed, and their values before matter.
 *
 * Where a balance or a constraint is nonlinear, values go little by little from those before to those after (`structure/jumps/path.ts`), each variable on its own way. This
 * concerns all variables that equations without derivatives tie to those of a nonlinear equation.
 *
 * A variable with a fixed start value that comes into being with a store brings what is in it: with `q = C*v`, `der(q) = i` and a fixed v, a charge.
 * So it is not the variable that it is connected with. One without a store says what that other variable begins with. And what comes into being as
 * a state takes over the value of a variable that it is equal to, but not where that one keeps a store of its own.
 */
import { Ties } from '../collections/forest.ts';
import { remember } from '../collections/memo.ts';
import { isLinearIn, leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { ScalarEquation, ScalarVariable } from './analysis.ts';

/** The differentiated variables, and all others that stay apart from each other and from these; `isTimed` recognises relations of time alone. */
export function keptApart(
  pool: Pool,
  equations: readonly ScalarEquation[],
  variables: readonly ScalarVariable[],
  differentiated: ReadonlySet<number>,
  isTimed: (relation: number) => boolean,
): ReadonlySet<number> {
  const apart = new Set(differentiated);
  const isNewState = ({ symbol, passing }: ScalarVariable) =>
    passing !== undefined && differentiated.has(symbol);
  const others = variables.filter(({ symbol, discrete }) => !discrete && !apart.has(symbol));
  const begun = variables.some(isNewState)
    ? others
    : others.filter((v) => v.passing !== undefined && v.fixed);
  const continuous = new Set(variables.flatMap((v) => (v.discrete ? [] : [v.symbol])));
  const features = equations.map((equation) =>
    remember(known, equation, () => featuresOf(pool, equation, continuous, isTimed)),
  );
  const bent = features.filter((f) => f.nonlinear).flatMap((f) => f.symbols);
  if (bent.length > 0) {
    const compared = variables.flatMap((v) => (v.compared ? [v.symbol] : []));
    for (const symbol of tiesOf(features, () => '').with([...bent, ...compared])) apart.add(symbol);
  }
  if (begun.length > 0) {
    const passing = new Map(variables.map((v) => [v.symbol, v.passing]));
    const stores = tiesOf(features, (symbol) => passing.get(symbol)).with(differentiated);
    for (const { symbol } of begun) if (stores.has(symbol)) apart.add(symbol);
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

/** Which variables of the same kind equations without derivatives tie together. */
function tiesOf(features: readonly Features[], kindOf: (symbol: number) => string | undefined): Ties {
  const ties = new Ties();
  for (const { symbols, differential } of features) {
    if (differential) continue;
    const first = new Map<string | undefined, number>();
    for (const symbol of symbols) {
      const kind = kindOf(symbol);
      const other = first.get(kind);
      if (other === undefined) first.set(kind, symbol);
      else ties.tie(symbol, other);
    }
  }
  return ties;
}
