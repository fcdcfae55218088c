/**
 * Systems of linear equations through arrays: `x[i-1] - 2*x[i] + x[i+1] = f[i]`. Nodes that need elements before and after their own are no loop. Where
 * they are linear in all that they need of each other, they are the rows of a matrix: loops compute its coefficients and right side into arrays of
 * the field's own, and a banded elimination (`fields/run/banded.ts`) gives the unknowns.
 *
 * Unknowns are numbered by element, then by array: those of one cell of a chain lie next to each other, and the band is narrow.
 */

import { incidenceOf } from '../../collections/incidence.ts';
import { remember } from '../../collections/memo.ts';
import { sortBlocks } from '../../structure/graph/blt.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { linear } from '../../symbolic/solve.ts';
import { accessTo, affineOf, counter, isAccess } from '../elements/affine.ts';
import {
  type ArrayElement,
  type Kernel,
  keyOf,
  type LinearRow,
  type LinearSystem,
  type Scratch,
} from '../elements/kernel.ts';
import { eachAccess, eachElement, elementsOf, referencesIn } from '../elements/nodes.ts';
import type { Match } from './match.ts';

/** The arrays that systems among kernels have of their own. */
export function scratchOf(kernels: readonly Kernel[]): Scratch[] {
  return kernels.flatMap(({ system }) => (system?.rows ?? []).flatMap(scratchIn));
}

/** The arrays of a row: its right side and its coefficients. */
export const scratchIn = ({ rest, terms }: LinearRow): Scratch[] => [
  rest,
  ...terms.map(({ coefficient }) => coefficient),
];

/** Diagonals on one side; wider bands are left to the scalar part. */
const mostDiagonals = 40;

/** The kernels that solve nodes together; undefined where they are not linear, or the band is wide. */
export function systemKernels(
  pool: Pool,
  matches: readonly Match[],
  addHidden: (dims: readonly number[]) => number,
): Kernel[] | undefined {
  if (matches.some(({ node, target }) => node.extents.length > 1 || !isAccess(target))) return undefined;
  const unknowns = numbered(matches);
  const coefficients: Kernel[] = [];
  const rows: LinearRow[] = [];
  for (const { node, target, value } of matches) {
    const { extents } = node;
    const size = extents[0] ?? 1;
    const scratch = (expr: Expr): Scratch => {
      const symbol = addHidden([size]);
      coefficients.push({
        extents,
        reversed: false,
        parallel: true,
        statements: [{ target: accessTo(pool, symbol, 0, counter(0, extents.length)), value: expr }],
      });
      return { symbol, size };
    };
    const parts = linearParts(pool, value, unknowns);
    if (!parts) return undefined;
    const terms = parts.terms.map(({ access, coefficient }) => ({
      access,
      coefficient: scratch(coefficient),
    }));
    rows.push({ target, extents, rest: scratch(parts.rest), terms });
  }
  const system = systemOf(rows, unknowns);
  if (Math.max(system.lower, system.upper) > mostDiagonals) return undefined;
  return [...coefficients, systemKernel(pool, system)];
}

/** What is read stands in its statements without subscripts: all of it. */
function systemKernel(pool: Pool, system: LinearSystem): Kernel {
  const read = new Set<Expr>(system.rows.flatMap(scratchIn).map(({ symbol }) => pool.ref(symbol)));
  for (const { symbol, order } of system.known) read.add(pool.ref(symbol, order));
  const value = [...read].reduce((sum, ref) => pool.raw('add', [sum, ref]));
  const statements = system.rows.map(({ target }) => ({ target, value }));
  return { extents: [], reversed: false, parallel: false, statements, system };
}

interface Parts {
  readonly rest: Expr;
  readonly terms: readonly { readonly access: Ref; readonly coefficient: Expr }[];
}

/** A value as a linear function of the unknown arrays in it. */
function linearParts(pool: Pool, value: Expr, unknowns: ReadonlyMap<string, Int32Array>): Parts | undefined {
  const accesses = new Set<Ref>();
  let isInside = false;
  const isUnknown = (ref: Ref): boolean => unknowns.has(keyOf(ref));
  eachAccess(value, [], (ref, around) => {
    if (!isUnknown(ref)) return;
    if (around.length > 0 || !isAccess(ref)) isInside = true;
    accesses.add(ref);
  });
  if (isInside) return undefined;
  let rest = value;
  const terms: { access: Ref; coefficient: Expr }[] = [];
  for (const access of accesses) {
    const parts = linear(pool, rest, access);
    if (!parts) return undefined;
    if (referencesIn(parts.coefficient).some(isUnknown)) return undefined;
    terms.push({ access, coefficient: parts.coefficient });
    rest = parts.rest;
  }
  return { rest, terms };
}

function numbered(matches: readonly Match[]): Map<string, Int32Array> {
  const elements = new Map<string, Set<number>>();
  let last = 0;
  for (const { node, target } of matches) {
    const own = remember(elements, keyOf(target), () => new Set());
    eachElement(target, node.extents, (element) => {
      own.add(element);
      last = Math.max(last, element);
    });
  }
  const unknowns = new Map([...elements.keys()].map((key) => [key, new Int32Array(last + 1).fill(-1)]));
  let next = 0;
  for (let element = 0; element <= last; element++)
    for (const [key, own] of elements) if (own.has(element)) unknowns.get(key)![element] = next++;
  return unknowns;
}

function systemOf(rows: readonly LinearRow[], unknowns: ReadonlyMap<string, Int32Array>): LinearSystem {
  let [lower, upper] = [0, 0];
  const known = new Map<string, ArrayElement>();
  const equations: { row: LinearRow; turn: number }[] = [];
  const columns: number[][] = [];
  for (const row of rows)
    elementsOf(row.target, row.extents).forEach((element, turn) => {
      const k = unknowns.get(keyOf(row.target))![element]!;
      equations[k] = { row, turn };
      columns[k] = [k];
    });
  eachTerm({ rows, unknowns }, ({ row, column, access, element }) => {
    if (column < 0) {
      const { symbol, order } = access;
      known.set(`${keyOf(access)} ${element}`, { symbol, order, element });
      return;
    }
    columns[row]!.push(column);
    lower = Math.max(lower, row - column);
    upper = Math.max(upper, column - row);
  });
  const size = columns.length;
  const identity = Int32Array.from({ length: size }, (_, k) => k);
  const { order, starts } = sortBlocks(incidenceOf(columns, size), identity, identity);
  return { rows, unknowns, size, lower, upper, known: [...known.values()], equations, order, starts };
}

/** A term of a row in one turn: the number of the row, what is read, and its number among the unknowns, -1 where it is none. */
interface TermInTurn {
  readonly row: number;
  readonly turn: number;
  readonly access: Ref;
  readonly element: number;
  readonly column: number;
  readonly coefficient: Scratch;
}

export function eachTerm(
  { rows, unknowns }: Pick<LinearSystem, 'rows' | 'unknowns'>,
  visit: (term: TermInTurn) => void,
): void {
  for (const { target, extents, terms } of rows) {
    const own = elementsOf(target, extents);
    const numbers = unknowns.get(keyOf(target))!;
    for (const { access, coefficient } of terms)
      elementsOf(access, extents).forEach((element, turn) => {
        const column = unknowns.get(keyOf(access))![element] ?? -1;
        visit({ row: numbers[own[turn]!]!, turn, access, element, column, coefficient });
      });
  }
}

/** The element of an access in one turn. */
export function elementOf(access: Ref, turn: number): number {
  const { base, strides } = affineOf(access);
  return base + turn * (strides[0] ?? 0);
}
