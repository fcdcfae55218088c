/**
 * The interpreter of units: slow, simple, and the oracle that compiled code is compared with. It also answers why a
 * routine gave something that is no finite number (`findFault`).
 */
import { children, leaves } from '../symbolic/analyse.ts';
import { type Environment, evaluateIn } from '../symbolic/evaluate.ts';
import type { Apply, Expr } from '../symbolic/expr.ts';
import { ForeignError } from '../symbolic/foreign.ts';
import { Interpreter } from '../symbolic/functions.ts';
import { isEventOperator } from '../symbolic/operators.ts';
import { Pool } from '../symbolic/pool.ts';
import { EvaluationError, foreignFault } from './fault.ts';
import type { Memory } from './memory.ts';
import type { CodeUnit, Program } from './unit.ts';

/** Runs a unit by evaluating its expressions one by one over the same memory. */
export function interpretUnit(unit: CodeUnit, memory: Memory): Program {
  return { run: (k) => interpretRoutine(unit, k, memory.values) };
}

/** Runs one routine over these values. */
export function interpretRoutine(unit: CodeUnit, k: number, values: Float64Array): void {
  const environment = environmentOf(unit, values);
  try {
    for (const { slot, value } of unit.routines[k]!.body) {
      values[slot] = Number(evaluateIn(value, environment));
    }
  } catch (problem) {
    // The interpreter's own recursion may meet the end of the stack before its limit.
    if (problem instanceof ForeignError) throw foreignFault(problem);
    if (!(problem instanceof RangeError)) throw problem;
    throw new EvaluationError('recursion', '', undefined, 'Function calls are nested too deeply.');
  }
}

function environmentOf(unit: CodeUnit, values: Float64Array): Environment {
  const { pool = new Pool(), functions, external } = unit;
  const strings = unit.strings ?? pool.strings;
  const { call, gapIn } = new Interpreter(pool, functions, undefined, external, strings);
  return { leaf: (leaf) => values[unit.slotOf(leaf)] ?? 0, call, gapIn, strings };
}

interface Cause {
  /** The innermost expression that is not finite although its operands are, or a variable that is not. */
  readonly expr: Expr;
  /** What went wrong, such as `division by zero`. */
  readonly reason: string;
  /** Nothing was computed with what has no value: a function ends without one for an output. */
  readonly isUnset?: boolean;
}

/** Where a routine first gave NaN or infinity. */
export interface Fault extends Cause {
  /** Number of the assignment in the routine. */
  readonly assignment: number;
  readonly slot: number;
  readonly value: number;
  /** The variables below `expr` with their values. */
  readonly leaves: readonly { readonly leaf: Expr; readonly value: number }[];
}

/**
 * Runs a routine on a copy of the memory and finds the first assignment whose value is not finite, and why;
 * undefined where all are finite. Checks that fail inside functions are thrown, as when the routine runs.
 */
export function findFault(unit: CodeUnit, routine: number, memory: Memory): Fault | undefined {
  const values = memory.values.slice();
  const environment = environmentOf(unit, values);
  for (const [assignment, { slot, value }] of unit.routines[routine]!.body.entries()) {
    const result = Number(evaluateIn(value, environment));
    if (!Number.isFinite(result)) {
      const cause = innermost(value, environment);
      const at = (leaf: Expr): number => values[unit.slotOf(leaf)] ?? 0;
      return {
        ...cause,
        assignment,
        slot,
        value: Number(evaluateIn(cause.expr, environment)),
        leaves: leaves(cause.expr).map((leaf) => ({ leaf, value: at(leaf) })),
      };
    }
    values[slot] = result;
  }
  return undefined;
}

/**
 * Goes down from an expression that is not finite, each time to the first operand that is not finite either. Chains of
 * operators are as long as the model makes them, so the search gives up going deeper after `deepest` steps.
 */
function innermost(root: Expr, environment: Environment): Cause {
  const deepest = 1000;
  let expr = root;
  for (let depth = 0; ; depth++) {
    const below = evaluated(expr, environment);
    const operands = below.map((operand) => Number(evaluateIn(operand, environment)));
    const next = operands.findIndex((value) => !Number.isFinite(value));
    if (next < 0 || depth === deepest) return causeOf(expr, operands, environment);
    expr = below[next]!;
  }
}

/** The operands that the value of an expression comes from: of an `if`, the branch that is chosen. */
function evaluated(expr: Expr, environment: Environment): readonly Expr[] {
  if (expr.kind !== 'apply') return children(expr);
  if (isEventOperator(expr.op)) return [];
  switch (expr.op) {
    case 'if':
      return [evaluateIn(expr.args[0]!, environment) !== 0 ? expr.args[1]! : expr.args[2]!];
    case 'and':
    case 'or':
      return [];
    case 'smooth':
      return [expr.args[1]!];
    default:
      return expr.args;
  }
}

/** Where, and why, the value of an expression is no finite number; undefined where it is one. */
export function faultIn(value: Expr, environment: Environment): Cause | undefined {
  const known = Number.isFinite(Number(evaluateIn(value, environment)));
  return known ? undefined : innermost(value, environment);
}

function causeOf(expr: Expr, operands: readonly number[], { gapIn }: Environment): Cause {
  if (expr.kind === 'call') {
    const gap = gapIn?.(expr, operands);
    return { expr, reason: gap?.text ?? 'a function gives no finite value', isUnset: gap?.isUsed === false };
  }
  if (expr.kind !== 'apply') return { expr, reason: 'no finite value' };
  return { expr, reason: domainReason(expr, operands[0] ?? 0, operands[1] ?? 0) ?? 'result too large' };
}

/** Why an operator has no finite value for these operands, where its domain is the reason. */
function domainReason({ op }: Apply, a: number, b: number): string | undefined {
  switch (op) {
    case 'div':
    case 'idiv':
    case 'mod':
    case 'rem':
      return b === 0 ? 'division by zero' : undefined;
    case 'exact':
      return 'an Integer beyond 2^53';
    case 'sqrt':
      return a < 0 ? 'square root of a negative number' : undefined;
    case 'log':
    case 'log10':
      return a === 0 ? 'logarithm of zero' : a < 0 ? 'logarithm of a negative number' : undefined;
    case 'asin':
      return 'arc sine of a number outside -1 to 1';
    case 'acos':
      return 'arc cosine of a number outside -1 to 1';
    case 'pow':
      if (a === 0 && b < 0) return 'division by zero';
      return a < 0 && !Number.isInteger(b) ? 'fractional power of a negative number' : undefined;
    default:
      return undefined;
  }
}
