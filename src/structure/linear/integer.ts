/**
 * What linear equations with whole coefficients say together (Otter and Elmqvist 2017, section 4 on linear Integer equations).
 *
 * Hidden constraints: two capacitors in parallel between nodes that are not grounded give `v1 = a - b` and `v2 = a - b`: by
 * structure a and b are determined, in truth `v1 = v2` is a constraint between states. Every combination of such
 * equations that contains no variable but differentiated ones, and what is known, replaces one of the equations it is made of.
 * Where variables keep values of their own from before (`apart.ts`), only what structure does not show by itself: `q = 2*v, v = u` says by
 * which of its neighbours v changes, `q = 2*u` in the place of the first does not.
 *
 * Redundant equations: the sums of currents of a circuit that is connected with no ground add up to `0 = 0`. An equation that
 * follows from the others is given up where something is undetermined in turn (`floating.ts`). Otherwise it becomes `0 = 0`, and
 * is reported as `0 = 5` is: by structure alone, two switches in parallel would determine their currents.
 *
 * An equation with a variable that no other equation of the kind contains is in no such combination. Such equations
 * are peeled off, again and again, O(n); what is left, if anything, are loops of capacitors, cuts of inductors and parts
 * without ground, which elimination with whole numbers goes through.
 */

import { incidenceOf, transpose } from '../../collections/incidence.ts';
import { Matching } from '../../collections/matching.ts';
import type { Pool } from '../../symbolic/pool.ts';
import type { Floating, ScalarEquation, ScalarVariable } from '../analysis.ts';
import { Numbering } from '../numbering.ts';
import { settleFloating } from './floating.ts';
import { Elimination, inPlaceOf, peel, type Row, rowInPlaceOf, rowOf } from './rows.ts';

export interface Revealed {
  /** As many as before, at the same positions. */
  readonly equations: readonly ScalarEquation[];
  readonly floating: readonly Floating[];
}

/**
 * The equations, with constraints among differentiated variables where these were hidden, and with all parts tied to a potential. `apart` are the differentiated
 * variables and others that keep values of their own.
 */
export function revealConstraints(
  pool: Pool,
  equations: readonly ScalarEquation[],
  variables: readonly ScalarVariable[],
  differentiated: ReadonlySet<number>,
  apart = differentiated,
): Revealed {
  const continuous = new Set<number>();
  for (const variable of variables) if (!variable.discrete) continuous.add(variable.symbol);
  const rows = new Map<number, Row>();
  const redundant: number[] = [];
  for (const [k, equation] of equations.entries()) {
    const row = rowOf(pool, equation, continuous);
    if (!row) continue;
    if (row.terms.size > 0) rows.set(k, row);
    else if (row.known.size === 0) redundant.push(k);
  }
  const core = peel(rows, (symbol) => !differentiated.has(symbol));
  if (core.length === 0 && redundant.length === 0) return { equations, floating: [] };
  const found = dependent(rows, core, differentiated, apart);
  const result = equations.slice();
  for (const { position, row } of found.constraints) {
    result[position] = rowInPlaceOf(pool, equations[position]!, row);
    rows.set(position, row);
  }
  redundant.push(...found.redundant);
  if (redundant.length === 0) return { equations: result, floating: [] };
  for (const position of redundant) rows.delete(position);
  const floating = settleFloating(pool, result, redundant, rows, variables);
  if (floating.length === 0)
    for (const position of found.redundant)
      result[position] = inPlaceOf(equations[position]!, pool.zero, pool.zero);
  return { equations: result, floating };
}

interface Dependent {
  /** Rows that are combinations of others but for differentiated variables, with that combination. */
  readonly constraints: { readonly position: number; readonly row: Row }[];
  /** Rows that follow from others. */
  readonly redundant: number[];
}

function dependent(
  rows: ReadonlyMap<number, Row>,
  core: readonly number[],
  differentiated: ReadonlySet<number>,
  apart: ReadonlySet<number>,
): Dependent {
  const elimination = new Elimination();
  const among = new Elimination();
  const found: Dependent = { constraints: [], redundant: [] };
  const independent: Row[] = [];
  for (const position of core) {
    const original = rows.get(position)!;
    const row = elimination.reduce(original);
    if (!row) break;
    const own = [...row.terms.keys()].find((symbol) => !differentiated.has(symbol));
    if (own !== undefined) {
      elimination.add(row, own);
      independent.push(original);
      continue;
    }
    const rest = among.reduce(row);
    if (!rest) break;
    const [state] = rest.terms.keys();
    if (state === undefined) {
      if (rest.known.size === 0) found.redundant.push(position);
      continue;
    }
    among.add(rest, state);
    if (row !== original) found.constraints.push({ position, row });
  }
  if (apart.size === differentiated.size || found.constraints.length === 0) return found;
  const left = openBeside(independent, differentiated);
  const isHidden = ({ position }: { readonly position: number }) => {
    const symbols = [...rows.get(position)!.terms.keys()].filter((symbol) => !differentiated.has(symbol));
    return symbols.some((symbol) => left.has(symbol)) || !symbols.some((symbol) => apart.has(symbol));
  };
  return { ...found, constraints: found.constraints.filter(isHidden) };
}

/**
 * The algebraic variables of independent rows that, by structure alone, one more equation could determine: those that no row needs, and those of
 * rows that can determine such a one instead.
 */
function openBeside(independent: readonly Row[], differentiated: ReadonlySet<number>): Set<number> {
  const own = independent.map(({ terms }) =>
    [...terms.keys()].filter((symbol) => !differentiated.has(symbol)),
  );
  const symbols = [...new Set(own.flat())];
  const numbering = new Numbering(symbols.map((symbol) => ({ symbol })));
  const lists = own.map((list) => list.map((symbol) => numbering.of(symbol)));
  const graph = incidenceOf(lists, symbols.length);
  const { rowOf, columnOf } = new Matching(graph).maximise();
  const users = transpose(graph);
  const open = symbols.flatMap((_, column) => (rowOf[column] === -1 ? [column] : []));
  const found = new Set(open);
  for (let column = open.pop(); column !== undefined; column = open.pop()) {
    for (let k = users.starts[column]!; k < users.starts[column + 1]!; k++) {
      const other = columnOf[users.targets[k]!]!;
      if (found.has(other)) continue;
      found.add(other);
      open.push(other);
    }
  }
  return new Set([...found].map((column) => symbols[column]!));
}
