/**
 * Index reduction at ticks. Equations with derivatives on a clock are integrated as those of continuous time are (Modelica 3.6, section 16.8.2), so equations between
 * states, as those of inverse models, are differentiated: Pantelides' algorithm finds which. Of the equations that integrate states from tick to tick those stay that
 * are needed; other states follow from the constraints. Which stay is asked of `stateSelect` first, then of fixed start values.
 */
import { incidenceOf } from '../collections/incidence.ts';
import { Matching } from '../collections/matching.ts';
import type { Origin } from '../flat/flat.ts';
import { dulmageMendelsohn } from '../structure/graph/decomposition.ts';
import { symbolsOf } from '../symbolic/analyse.ts';
import { total } from '../symbolic/differentiate.ts';
import type { Expr } from '../symbolic/expr.ts';
import { auxiliary } from './events.ts';
import type { ScalarSink } from './sink.ts';

/** A scalar equation that holds at ticks. */
export interface ClockedRow {
  readonly left: Expr;
  readonly right: Expr;
  /** Where it holds, besides ticking. */
  readonly active: Expr;
  /** The variable that it can be solved for alone. */
  readonly target?: number;
  /** The state that it integrates from tick to tick, with the derivative of it. */
  readonly integrates?: { readonly state: number; readonly slope: number } | undefined;
  readonly origin: Origin;
}

type ClockSink = Pick<ScalarSink, 'pool' | 'scalars' | 'addScalar'>;

export interface ReducedRows {
  readonly rows: readonly ClockedRow[];
  readonly unknowns: readonly number[];
}

/** So often an equation is differentiated at most: what needs more has no solution at all. */
const mostDerivatives = 8;

/** A partition in which nothing constrains the states that are integrated; undefined where there is no other one than the given. */
export function withoutConstraints(
  sink: ClockSink,
  rows: readonly ClockedRow[],
  unknowns: readonly number[],
): ReducedRows | undefined {
  const rules = rows.filter(({ integrates }) => integrates);
  if (rules.length === 0 || rows.some(({ active }) => active !== sink.pool.one)) return undefined;
  const reduction = new Reduction(sink, unknowns, rules);
  const own = rows.filter(({ integrates }) => !integrates);
  const equations = reduction.differentiated(own);
  return equations && equations.length > own.length ? reduction.chosen(equations) : undefined;
}

class Reduction {
  private readonly unknowns: number[];
  private readonly own: Set<number>;
  /** By variable, its derivative. */
  private readonly derivatives = new Map<number, number>();

  constructor(
    private readonly sink: ClockSink,
    unknowns: readonly number[],
    private readonly rules: readonly ClockedRow[],
  ) {
    this.unknowns = [...unknowns];
    this.own = new Set(unknowns);
    for (const { integrates } of rules) this.derivatives.set(integrates!.state, integrates!.slope);
  }

  /** The equations with the derivatives of those that constrain states; undefined where there are no such derivatives. */
  differentiated(equations: readonly ClockedRow[]): ClockedRow[] | undefined {
    const all = [...equations];
    let current = [...equations];
    for (let turn = 0; turn < mostDerivatives; turn++) {
      const highest = this.unknowns.filter((symbol) => !this.derivatives.has(symbol));
      const { over } = dulmageMendelsohn(this.matching(current, highest).maximise());
      if (over.rows.length === 0) return all;
      const surplus = new Set(over.rows);
      const next: ClockedRow[] = [];
      for (const [i, row] of current.entries()) {
        const made = surplus.has(i) ? this.derivative(row) : row;
        if (!made) return undefined;
        if (made !== row) all.push(made);
        next.push(made);
      }
      current = next;
    }
    return undefined;
  }

  /** With the rules of as many states as are needed. */
  chosen(equations: readonly ClockedRow[]): ReducedRows | undefined {
    const rules = this.rules
      .map((row, k) => ({ row, k, weight: this.weightOf(row.integrates!.state) }))
      .sort((a, b) => b.weight - a.weight || a.k - b.k)
      .map(({ row }) => row);
    const rows = [...equations, ...rules];
    const matching = this.matching(rows, this.unknowns).maximise(equations.length);
    if (matching.size < equations.length) return undefined;
    const kept = rows.filter((_, i) => i < equations.length || matching.augment(i));
    return matching.size === this.unknowns.length ? { rows: kept, unknowns: this.unknowns } : undefined;
  }

  private matching(rows: readonly ClockedRow[], columns: readonly number[]): Matching {
    const columnOf = new Map(columns.map((symbol, j) => [symbol, j]));
    const needed = rows.map(({ left, right }) => {
      const found = [left, right].flatMap(symbolsOf).flatMap((symbol) => columnOf.get(symbol) ?? []);
      return [...new Set(found)].sort((a, b) => a - b);
    });
    return new Matching(incidenceOf(needed, columns.length));
  }

  private weightOf(symbol: number): number {
    const { variable, fixed } = this.sink.scalars[symbol]!;
    const select = ['never', 'avoid', 'default', 'prefer', 'always'];
    return 2 * select.indexOf(variable?.stateSelect ?? 'default') + Number(fixed);
  }

  private derivative(row: ClockedRow): ClockedRow | undefined {
    const { pool } = this.sink;
    let isSmooth = true;
    const derivativeOf = (leaf: Expr): Expr => {
      if (leaf.kind === 'ref' && this.own.has(leaf.symbol))
        return pool.ref(this.derivativeSymbol(leaf.symbol));
      const kind = leaf.kind === 'ref' ? this.sink.scalars[leaf.symbol]!.kind : undefined;
      // What comes from elsewhere, or from the tick before, has no derivative here.
      if (kind !== 'parameter' && leaf.kind !== 'const') isSmooth = false;
      return pool.zero;
    };
    const [left, right] = [row.left, row.right].map(
      (side) => total(pool, undefined, side, derivativeOf).value,
    );
    if (!left || !right || !isSmooth) return undefined;
    return { left, right, active: row.active, origin: row.origin };
  }

  private derivativeSymbol(symbol: number): number {
    const known = this.derivatives.get(symbol);
    if (known !== undefined) return known;
    const name = `der(${this.sink.scalars[symbol]!.name})`;
    const made = this.sink.addScalar(auxiliary(name, 'discrete', 'Real'));
    this.derivatives.set(symbol, made);
    this.unknowns.push(made);
    this.own.add(made);
    return made;
  }
}
