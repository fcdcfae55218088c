/**
 * Solving a scalar equation for one leaf, where that is possible by formula: the leaf occurs linearly, or exactly once
 * behind functions whose inverse is safe. An inverse is safe when it gives the only solution, or NaN where there is
 * none: `exp(x) = y` is solved by `log(y)`, but `sqrt(x) = y` is not solved by `y*y`, which would answer for negative y. Functions of users are undone by those that
 * are given as their inverses.
 */
import { dependents, nodesOf, substitute } from './analyse.ts';
import type { Apply, Call, Expr } from './expr.ts';
import type { Pool } from './pool.ts';

/** `expr = coefficient*leaf + rest`, both free of the leaf. */
export interface Linear {
  readonly coefficient: Expr;
  readonly rest: Expr;
}

/** `leaf = value`, valid where `pivot` is not zero; the pivot is 1 where nothing is divided by. */
export interface Solution {
  readonly value: Expr;
  readonly pivot: Expr;
}

/** How deep an inverse may nest; deeper equations are left to Newton's method. */
const deepestInverse = 64;
/** How many combinations of branches are looked at to see whether a pivot vanishes in one of them. */
const mostBranches = 64;

/** The argument of a call that makes it a value; undefined where no function computes it. */
export type Inverse = (call: Call, argument: number, value: Expr) => Expr | undefined;

export function solveFor(
  pool: Pool,
  left: Expr,
  right: Expr,
  leaf: Expr,
  inverse?: Inverse,
): Solution | undefined {
  const leftLinear = linear(pool, left, leaf);
  const rightLinear = linear(pool, right, leaf);
  if (leftLinear && rightLinear) {
    const pivot = pool.sub(leftLinear.coefficient, rightLinear.coefficient);
    return divide(pool, pool.sub(rightLinear.rest, leftLinear.rest), pivot, pool.one);
  }
  if (rightLinear?.coefficient === pool.zero) return invert(pool, left, right, leaf, inverse);
  if (leftLinear?.coefficient === pool.zero) return invert(pool, right, left, leaf, inverse);
  return undefined;
}

/** Coefficient and rest of `expr` as an affine function of `leaf`; undefined where it is not affine. */
export function linear(pool: Pool, expr: Expr, leaf: Expr): Linear | undefined {
  const affected = dependents(expr, (node) => node === leaf);
  if (!affected.has(expr)) return { coefficient: pool.zero, rest: expr };
  const parts = new Map<Expr, Linear>();
  for (const node of affected) {
    const part =
      node === leaf ? { coefficient: pool.one, rest: pool.zero } : combine(pool, node, affected, parts);
    if (!part) return undefined;
    parts.set(node, part);
  }
  return parts.get(expr);
}

/** True where a branch of the expression, taken alone, simplifies to the constant zero. */
function vanishesInBranch(pool: Pool, expr: Expr): boolean {
  const pending: Expr[] = [expr];
  for (let count = 0; pending.length > 0; count++) {
    if (count >= mostBranches) return true;
    const candidate = pending.pop()!;
    if (candidate.kind === 'const') {
      if (candidate.value === 0) return true;
      continue;
    }
    const condition = firstCondition(candidate);
    if (!condition) continue;
    for (const value of [pool.one, pool.zero]) {
      pending.push(substitute(pool, candidate, (node) => (node === condition ? value : undefined)));
    }
  }
  return false;
}

function firstCondition(expr: Expr): Expr | undefined {
  for (const node of nodesOf(expr)) if (node.kind === 'apply' && node.op === 'if') return node.args[0];
  return undefined;
}

function divide(pool: Pool, above: Expr, pivot: Expr, before: Expr): Solution | undefined {
  if (vanishesInBranch(pool, pivot)) return undefined;
  return { value: pool.quotient(above, pivot), pivot: pool.mul(before, pivot) };
}

/** Linear parts of a node that depends on the leaf, from those of its arguments. */
function combine(pool: Pool, node: Expr, affected: Set<Expr>, parts: Map<Expr, Linear>): Linear | undefined {
  if (node.kind !== 'apply') return undefined;
  const part = (k: number): Linear => {
    const arg = node.args[k]!;
    return affected.has(arg) ? parts.get(arg)! : { coefficient: pool.zero, rest: arg };
  };
  const both = (build: (a: Expr, b: Expr) => Expr, a: Linear, b: Linear): Linear => ({
    coefficient: build(a.coefficient, b.coefficient),
    rest: build(a.rest, b.rest),
  });
  const each = (build: (a: Expr) => Expr, a: Linear): Linear => ({
    coefficient: build(a.coefficient),
    rest: build(a.rest),
  });
  const [a, b] = node.args as [Expr, Expr];
  switch (node.op) {
    case 'add':
    case 'sub':
    case 'homotopy': {
      const op = node.op;
      return both((p, q) => pool.apply(op, p, q), part(0), part(1));
    }
    case 'neg':
      return each((p) => pool.neg(p), part(0));
    case 'mul':
      if (affected.has(a) && affected.has(b)) return undefined;
      return affected.has(a) ? each((p) => pool.mul(p, b), part(0)) : each((p) => pool.mul(a, p), part(1));
    case 'div':
      return affected.has(b) ? undefined : each((p) => pool.quotient(p, b), part(0));
    case 'if':
      return affected.has(a) ? undefined : both((p, q) => pool.if(a, p, q), part(1), part(2));
    case 'noEvent':
      return each((p) => pool.apply('noEvent', p), part(0));
    case 'smooth':
      return affected.has(a) ? undefined : each((p) => pool.apply('smooth', a, p), part(1));
    default:
      return undefined;
  }
}

/** Solves `expr = value` by undoing one operator after the other until the rest is linear. */
function invert(
  pool: Pool,
  expr: Expr,
  value: Expr,
  leaf: Expr,
  inverse: Inverse | undefined,
): Solution | undefined {
  const affected = dependents(expr, (node) => node === leaf);
  let inner = expr;
  let known = value;
  let pivot: Expr = pool.one;
  for (let depth = 0; depth < deepestInverse; depth++) {
    const part = linear(pool, inner, leaf);
    if (part) return divide(pool, pool.sub(known, part.rest), part.coefficient, pivot);
    if (inner.kind !== 'apply' && inner.kind !== 'call') return undefined;
    const step: Undone | undefined =
      inner.kind === 'apply'
        ? undo(pool, inner, known, affected)
        : undoCall(pool, inner, known, affected, inverse);
    if (!step || vanishesInBranch(pool, step.pivot)) return undefined;
    inner = step.inner;
    known = step.value;
    pivot = pool.mul(pivot, step.pivot);
  }
  return undefined;
}

interface Undone {
  readonly inner: Expr;
  readonly value: Expr;
  readonly pivot: Expr;
}

/** From `f(inner) = y` to `inner = value`; undefined where the leaf is in several arguments or the inverse is not safe. */
function undo(pool: Pool, node: Apply, y: Expr, affected: Set<Expr>): Undone | undefined {
  const [a, b] = node.args as [Expr, Expr];
  const inFirst = affected.has(a);
  if (b !== undefined && inFirst && affected.has(b))
    return node.op === 'mul'
      ? (undoSquare(pool, a, b, y, affected) ?? undoSquare(pool, b, a, y, affected))
      : undefined;
  const step = (inner: Expr, value: Expr, pivot: Expr = pool.one): Undone => ({ inner, value, pivot });
  switch (node.op) {
    case 'add':
      return inFirst ? step(a, pool.sub(y, b)) : step(b, pool.sub(y, a));
    case 'sub':
      return inFirst ? step(a, pool.add(y, b)) : step(b, pool.sub(a, y));
    case 'neg':
      return step(a, pool.neg(y));
    case 'mul':
      return inFirst ? step(a, pool.quotient(y, b), b) : step(b, pool.quotient(y, a), a);
    case 'div':
      return inFirst ? step(a, pool.mul(y, b)) : step(b, pool.quotient(a, y), y);
    case 'exp':
      return step(a, pool.apply('log', y));
    case 'log':
      return step(a, pool.apply('exp', y));
    case 'log10':
      return step(a, pool.apply('pow', pool.const(10), y));
    case 'sinh':
      return step(a, inverseSinh(pool, y));
    case 'tanh': {
      const quotient = pool.div(pool.add(pool.one, y), pool.sub(pool.one, y));
      return step(a, pool.mul(pool.const(0.5), pool.apply('log', quotient)));
    }
    case 'pow':
      return inFirst && isOddPower(b) ? step(a, oddRoot(pool, y, b.value)) : undefined;
    case 'noEvent':
      return step(a, y);
    case 'smooth':
      return inFirst ? undefined : step(b, y);
    default:
      return undefined;
  }
}

function undoCall(
  pool: Pool,
  call: Call,
  y: Expr,
  affected: Set<Expr>,
  inverse: Inverse | undefined,
): Undone | undefined {
  const [argument, ...others] = call.args.flatMap((arg, k) => (affected.has(arg) ? [k] : []));
  if (argument === undefined || others.length > 0) return undefined;
  const value = inverse?.(call, argument, y);
  return value && { inner: call.args[argument]!, value, pivot: pool.one };
}

/** From `(c*inner)*abs(inner) = y`, the square with the sign of what is squared: flow and pressure of an orifice. */
function undoSquare(pool: Pool, factor: Expr, size: Expr, y: Expr, affected: Set<Expr>): Undone | undefined {
  if (size.kind !== 'apply' || size.op !== 'abs') return undefined;
  const inner = size.args[0]!;
  const part = linear(pool, factor, inner);
  if (part?.rest !== pool.zero || affected.has(part.coefficient)) return undefined;
  const square = pool.div(y, part.coefficient);
  const root = pool.apply('sqrt', pool.apply('abs', square));
  return { inner, value: pool.mul(pool.apply('sign', square), root), pivot: part.coefficient };
}

/** sign(y) log(|y| + sqrt(y^2 + 1)): no cancellation for negative y. */
function inverseSinh(pool: Pool, y: Expr): Expr {
  const root = pool.apply('sqrt', pool.add(pool.mul(y, y), pool.one));
  const logarithm = pool.apply('log', pool.add(pool.apply('abs', y), root));
  return pool.mul(pool.apply('sign', y), logarithm);
}

function isOddPower(exponent: Expr): exponent is Extract<Expr, { kind: 'const' }> {
  return exponent.kind === 'const' && exponent.value > 0 && exponent.value % 2 === 1;
}

/** sign(y) |y|^(1/n). */
function oddRoot(pool: Pool, y: Expr, n: number): Expr {
  const root = pool.apply('pow', pool.apply('abs', y), pool.const(1 / n));
  return pool.mul(pool.apply('sign', y), root);
}
