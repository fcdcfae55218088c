/**
 * What causes events in the vector part (compare `modes/events.ts`). Relations of elements have held values there (`fields/sorting/relations.ts`). A part of
 * an expression that causes events, holds discrete values or depends on time, but speaks of scalars alone, becomes a variable of the scalar part,
 * which the loops then read: it is computed once, and steps do not pass over its pulses (`program/mode/watchlist.ts`).
 */

import { remember } from '../../collections/memo.ts';
import { blank } from '../../flat/core/blank.ts';
import type { FlatEquation, FlatModel, FlatVariable } from '../../flat/flat.ts';
import { children, fold } from '../../symbolic/analyse.ts';
import { isRelation } from '../../symbolic/arithmetic.ts';
import type { Expr, Op, Ref } from '../../symbolic/expr.ts';
import { isEventOperator } from '../../symbolic/operators.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { isAccess, withArguments } from './affine.ts';
import type { Kernel } from './kernel.ts';

/** Kernels in which every part that belongs to the scalar part is a variable of it; adds these and their equations. */
export function hoist(
  pool: Pool,
  watch: FieldWatch,
  kernels: readonly Kernel[],
  variables: FlatVariable[],
  equations: FlatEquation[],
): Kernel[] {
  const symbols = new Map<Expr, Ref>();
  const outside = (expr: Expr): Expr =>
    remember(symbols, expr, () => {
      const left = pool.ref(variables.push({ ...blank, name: `$scalar${symbols.size + 1}`, copy: true }) - 1);
      equations.push({ kind: 'equal', left, right: expr, dims: [], origin: blank.origin });
      return left;
    });
  const hoisted = (expr: Expr, loud: boolean): Expr => {
    if (expr.kind === 'time' || !(watch.acts(expr, loud) || watch.isTimed(expr))) return expr;
    if (!watch.varies(expr)) return outside(expr);
    const inner = loud && !silences(expr);
    if (expr.kind !== 'apply' && expr.kind !== 'call') return expr;
    return withArguments(pool, expr, (arg) => hoisted(arg, inner));
  };
  return kernels.map((kernel) => ({
    ...kernel,
    statements: kernel.statements.map(({ target, value }) => ({ target, value: hoisted(value, true) })),
  }));
}

/** What expressions do at events. */
export class FieldWatch {
  private readonly varying = new Map<Expr, boolean>();
  private readonly timed = new Map<Expr, boolean>();
  private readonly continuous = new Map<Expr, boolean>();
  private readonly acting = new Map<Expr, boolean>();
  private readonly quietlyActing = new Map<Expr, boolean>();

  constructor(private readonly flat: FlatModel) {}

  /** Whether there are arrays or counters in it. */
  varies(expr: Expr): boolean {
    return contains(expr, this.varying, (node) => node.kind === 'iter' || isAccess(node));
  }

  isTimed(expr: Expr): boolean {
    return contains(expr, this.timed, ({ kind }) => kind === 'time');
  }

  /** Whether it holds what only the scalar part can compute. */
  acts(expr: Expr, loud: boolean): boolean {
    return remember(loud ? this.acting : this.quietlyActing, expr, () => {
      if (expr.kind === 'pre' || expr.kind === 'held') return true;
      if (expr.kind === 'apply' && isEventOperator(expr.op)) return true;
      if (loud && causesEvents(expr) && this.isContinuous(expr)) return true;
      const inner = loud && !silences(expr);
      return children(expr).some((arg) => this.acts(arg, inner));
    });
  }

  /** Whether it can change between events. */
  isContinuous(expr: Expr): boolean {
    return contains(expr, this.continuous, (node) => {
      if (node.kind !== 'ref') return node.kind === 'time';
      return node.order > 0 || this.flat.variables[node.symbol]?.variability === 'continuous';
    });
  }
}

/** Whether some node of an expression is of a kind; `known` holds what was found before. */
function contains(expr: Expr, known: Map<Expr, boolean>, isIt: (node: Expr) => boolean): boolean {
  return fold(expr, known, (node) => isIt(node) || children(node).some((child) => known.get(child)));
}

const stepping: ReadonlySet<Op> = new Set<Op>(['floor', 'ceil', 'idiv', 'mod', 'rem']);

/** Whether an operator causes events where its operands are continuous. */
export function causesEvents(expr: Expr): boolean {
  return expr.kind === 'apply' && (isRelation(expr.op) || stepping.has(expr.op));
}

/** As in `modes/events.ts`: no events below. */
export function silences(expr: Expr): boolean {
  if (expr.kind !== 'apply') return false;
  if (expr.op === 'noEvent') return true;
  const order = expr.args[0];
  return expr.op === 'smooth' && order?.kind === 'const' && order.value >= 1;
}
