/**
 * Local simplification rules, applied when the pool builds an operator node. A rule looks at the node and at most
 * two levels below it, so building n nodes costs O(n).
 *
 * What is promised: for finite leaf values with finite intermediate values the result is the same up to rounding
 * and up to the sign of zero. A division by zero or a domain error is never folded into a constant: the node stays
 * and the error appears where the model runs; so does `0/x`. As all tools of the field do, `0*x` is taken as 0
 * even where x could be infinite.
 *
 * Normal form: sums and products have their arguments in order of id, with a constant last in sums and first in
 * products; a negative term of a sum becomes a subtraction; numeric factors move to the front of products and quotients,
 * where they are multiplied together; squares are products (one multiplication instead of a call of `pow`).
 */
import { arithmetic } from './arithmetic.ts';
import type { Apply, Const, Expr, Op } from './expr.ts';
import type { Pool } from './pool.ts';
import { formatted, joined } from './text.ts';

export function simplifyApply(pool: Pool, op: Op, args: readonly Expr[]): Expr {
  const folded = fold(pool, op, args);
  if (folded) return folded;
  const a = args[0]!;
  const b = args[1]!;
  switch (op) {
    case 'add':
      return add(pool, a, b);
    case 'sub':
      return sub(pool, a, b);
    case 'mul':
      return mul(pool, a, b);
    case 'div':
      return div(pool, a, b);
    case 'neg':
      return scale(pool, -1, a);
    case 'pow':
      return pow(pool, a, b);
    case 'sin':
    case 'tan':
    case 'asin':
    case 'atan':
    case 'sinh':
    case 'tanh':
    case 'sign':
      return isNeg(a) ? scale(pool, -1, pool.apply(op, a.args[0]!)) : pool.raw(op, args);
    case 'cos':
    case 'cosh':
      return isNeg(a) ? pool.apply(op, a.args[0]!) : pool.raw(op, args);
    case 'abs':
      return isNeg(a) ? pool.apply(op, a.args[0]!) : is(a, 'abs') ? a : pool.raw(op, args);
    case 'exact':
      return is(a, 'exact') ? a : pool.raw(op, args);
    case 'floor':
    case 'ceil':
      return is(a, 'floor') || is(a, 'ceil') ? a : pool.raw(op, args);
    case 'min':
    case 'max':
      return a === b ? a : pool.raw(op, ordered(a, b));
    case 'lt':
    case 'gt':
    case 'ne':
    case 'le':
    case 'ge':
    case 'eq':
      return relation(pool, op, a, b);
    case 'and':
    case 'or':
      return junction(pool, op, a, b);
    case 'not':
      return is(a, 'not') ? a.args[0]! : pool.raw(op, args);
    case 'if':
      return choice(pool, a, b, args[2]!);
    case 'noEvent':
      return isLeaf(a) || is(a, 'noEvent') ? a : pool.raw(op, args);
    case 'smooth':
      return isLeaf(b) ? b : pool.raw(op, args);
    case 'homotopy':
      return a === b ? a : pool.raw(op, args);
    case 'concat':
      return concat(pool, args);
    default:
      return pool.raw(op, args);
  }
}

const stringOf = ([x, length, left, digits]: readonly Const[]): string =>
  formatted(x!.value, length?.value, left && left.value !== 0, digits?.value);

/** Constant folding; a result that is no finite number stays a node. */
function fold(pool: Pool, op: Op, args: readonly Expr[]): Expr | undefined {
  const [a, b, c] = args;
  if (a === undefined) return undefined;
  if (op === 'string')
    return args.every((arg) => arg.kind === 'const') ? pool.text(stringOf(args as Const[])) : undefined;
  if (a.kind !== 'const') return undefined;
  if (b !== undefined && b.kind !== 'const') return undefined;
  if (c !== undefined && c.kind !== 'const') return undefined;
  if (args.length > 3) return undefined;
  const value = arithmetic(op, a.value, b?.value ?? 0, c?.value ?? 0);
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return pool.const(value === 0 ? 0 : value);
}

function add(pool: Pool, a: Expr, b: Expr): Expr {
  if (b.kind === 'const') return addConst(pool, a, b.value);
  if (a.kind === 'const') return addConst(pool, b, a.value);
  if (rest(a) === rest(b)) {
    const sum = factor(a) + factor(b);
    if (Number.isFinite(sum)) return scale(pool, sum, rest(a));
  }
  if (is(a, 'sub') && a.args[1] === b) return a.args[0]!;
  if (is(b, 'sub') && b.args[1] === a) return b.args[0]!;
  if (isNegative(b)) {
    const minusB = scale(pool, -1, b);
    return isNegative(a) ? scale(pool, -1, add(pool, scale(pool, -1, a), minusB)) : sub(pool, a, minusB);
  }
  if (isNegative(a)) return sub(pool, b, scale(pool, -1, a));
  return pool.raw('add', ordered(a, b));
}

/** x + c. */
function addConst(pool: Pool, x: Expr, c: number): Expr {
  if (c === 0) return x;
  if (isNeg(x)) return sub(pool, pool.const(c), x.args[0]!);
  if (is(x, 'add')) {
    const last = x.args[1]!;
    if (last.kind === 'const' && Number.isFinite(last.value + c)) {
      return addConst(pool, x.args[0]!, last.value + c);
    }
  }
  if (is(x, 'sub')) {
    const first = x.args[0]!;
    if (first.kind === 'const' && Number.isFinite(first.value + c)) {
      return sub(pool, pool.const(first.value + c), x.args[1]!);
    }
  }
  return pool.raw('add', [x, pool.const(c)]);
}

function sub(pool: Pool, a: Expr, b: Expr): Expr {
  if (b.kind === 'const') {
    return a.kind === 'const' ? pool.raw('sub', [a, b]) : addConst(pool, a, -b.value);
  }
  if (a.kind === 'const') return subFrom(pool, a.value, b);
  if (rest(a) === rest(b)) {
    const difference = factor(a) - factor(b);
    if (Number.isFinite(difference)) return scale(pool, difference, rest(a));
  }
  const cancelled = cancel(pool, a, b);
  if (cancelled) return cancelled;
  if (isNegative(b)) {
    const minusB = scale(pool, -1, b);
    return isNegative(a) ? sub(pool, minusB, scale(pool, -1, a)) : add(pool, a, minusB);
  }
  if (isNegative(a)) return scale(pool, -1, add(pool, scale(pool, -1, a), b));
  return pool.raw('sub', [a, b]);
}

/** c - x. */
function subFrom(pool: Pool, c: number, x: Expr): Expr {
  if (c === 0) return scale(pool, -1, x);
  if (is(x, 'add')) {
    const last = x.args[1]!;
    if (last.kind === 'const' && Number.isFinite(c - last.value)) {
      return subFrom(pool, c - last.value, x.args[0]!);
    }
  }
  if (is(x, 'sub')) {
    const first = x.args[0]!;
    if (first.kind === 'const' && Number.isFinite(c - first.value)) {
      return addConst(pool, x.args[1]!, c - first.value);
    }
  }
  if (isNegative(x)) return addConst(pool, scale(pool, -1, x), c);
  return pool.raw('sub', [pool.const(c), x]);
}

/** a - b where one of them is a term of the other. */
function cancel(pool: Pool, a: Expr, b: Expr): Expr | undefined {
  if (is(a, 'add')) {
    if (a.args[0] === b) return a.args[1]!;
    if (a.args[1] === b) return a.args[0]!;
  }
  if (is(a, 'sub') && a.args[0] === b) return scale(pool, -1, a.args[1]!);
  if (is(b, 'add')) {
    if (b.args[0] === a) return scale(pool, -1, b.args[1]!);
    if (b.args[1] === a) return scale(pool, -1, b.args[0]!);
  }
  if (is(b, 'sub') && b.args[0] === a) return b.args[1]!;
  return undefined;
}

/** c * x, with the numeric factor of x drawn into c. */
function scale(pool: Pool, c: number, x: Expr): Expr {
  if (c === 0) return pool.zero;
  if (c === 1) return x;
  if (x.kind === 'const') {
    const product = c * x.value;
    return Number.isFinite(product) ? pool.const(product === 0 ? 0 : product) : scaled(pool, c, x);
  }
  if (isNeg(x)) return scale(pool, -c, x.args[0]!);
  if (is(x, 'mul')) {
    const first = x.args[0]!;
    if (first.kind === 'const' && (c === -1 || usable(c * first.value))) {
      return scale(pool, c * first.value, x.args[1]!);
    }
  }
  if (is(x, 'div')) {
    const [above, below] = x.args as [Expr, Expr];
    if (above.kind === 'const' && (c === -1 || usable(c * above.value))) {
      return pool.raw('div', [pool.const(above.value === 0 ? 0 : c * above.value), below]);
    }
    if (below.kind === 'const' && below.value !== 0 && (c === -1 || usable(c / below.value))) {
      return c === -1
        ? pool.raw('div', [above, pool.const(-below.value)])
        : scale(pool, c / below.value, above);
    }
  }
  if (c === -1 && is(x, 'sub')) return sub(pool, x.args[1]!, x.args[0]!);
  if (c === -1 && is(x, 'add') && x.args[1]!.kind === 'const')
    return subFrom(pool, -x.args[1].value, x.args[0]!);
  return scaled(pool, c, x);
}

function scaled(pool: Pool, c: number, x: Expr): Expr {
  return c === -1 ? pool.raw('neg', [x]) : pool.raw('mul', [pool.const(c), x]);
}

function mul(pool: Pool, a: Expr, b: Expr): Expr {
  if (a.kind === 'const') return scale(pool, a.value, b);
  if (b.kind === 'const') return scale(pool, b.value, a);
  const c = factor(a) * factor(b);
  if ((factor(a) !== 1 || factor(b) !== 1) && usable(c)) return scale(pool, c, mul(pool, rest(a), rest(b)));
  const reciprocal = timesReciprocal(pool, a, b) ?? timesReciprocal(pool, b, a);
  return reciprocal ?? pool.raw('mul', ordered(a, b));
}

/** a * (c/d) = c * (a/d). */
function timesReciprocal(pool: Pool, a: Expr, b: Expr): Expr | undefined {
  if (!is(b, 'div')) return undefined;
  const above = b.args[0]!;
  if (above.kind !== 'const' || above.value === 0) return undefined;
  return scale(pool, above.value, div(pool, a, b.args[1]!));
}

function div(pool: Pool, a: Expr, b: Expr): Expr {
  if (b.kind === 'const') return divConst(pool, a, b.value);
  const below = factor(b);
  if (a.kind === 'const') {
    if (below !== 1 && usable(a.value / below))
      return pool.raw('div', [pool.const(a.value / below), rest(b)]);
    return pool.raw('div', [a, b]);
  }
  const c = factor(a) / below;
  if ((factor(a) !== 1 || below !== 1) && usable(c)) return scale(pool, c, div(pool, rest(a), rest(b)));
  return pool.raw('div', [a, b]);
}

/** a / c; a multiplication where the reciprocal is exact. */
function divConst(pool: Pool, a: Expr, c: number): Expr {
  if (c === 0) return pool.raw('div', [a, pool.const(c)]);
  if (c === 1) return a;
  if (c === -1) return scale(pool, -1, a);
  if (isPowerOfTwo(c)) return scale(pool, 1 / c, a);
  const quotient = factor(a) / c;
  if (factor(a) !== 1 && factor(a) !== -1 && usable(quotient)) return scale(pool, quotient, rest(a));
  if (is(a, 'div')) {
    const [above, below] = a.args as [Expr, Expr];
    if (below.kind === 'const' && usable(below.value * c)) return divConst(pool, above, below.value * c);
    if (above.kind === 'const' && usable(above.value / c)) {
      return pool.raw('div', [pool.const(above.value / c), below]);
    }
  }
  if (isNeg(a)) return divConst(pool, a.args[0]!, -c);
  return pool.raw('div', [a, pool.const(c)]);
}

function pow(pool: Pool, a: Expr, b: Expr): Expr {
  if (a.kind === 'const' && a.value === 1) return pool.one;
  if (b.kind !== 'const') return pool.raw('pow', [a, b]);
  const n = b.value;
  if (n === 0) return pool.one;
  if (n === 1) return a;
  if (n === 2) return mul(pool, a, a);
  if (n === -1) return div(pool, pool.one, a);
  if (!Number.isInteger(n)) return pool.raw('pow', [a, b]);
  if (isNeg(a)) {
    const power = pow(pool, a.args[0]!, b);
    return n % 2 === 0 ? power : scale(pool, -1, power);
  }
  if (is(a, 'pow') && n > 0) {
    const inner = a.args[1]!;
    if (inner.kind === 'const' && Number.isInteger(inner.value) && inner.value > 0) {
      return pool.raw('pow', [a.args[0]!, pool.const(inner.value * n)]);
    }
  }
  return pool.raw('pow', [a, b]);
}

function relation(pool: Pool, op: 'lt' | 'gt' | 'ne' | 'le' | 'ge' | 'eq', a: Expr, b: Expr): Expr {
  const reflexive = op === 'le' || op === 'ge' || op === 'eq';
  if (a === b) return pool.bool(reflexive);
  if (a.kind === 'text' && b.kind === 'text') {
    const order = a.value < b.value ? -1 : 1;
    return pool.bool(arithmetic(op, order, 0, 0) === 1);
  }
  return pool.raw(op, op === 'eq' || op === 'ne' ? ordered(a, b) : [a, b]);
}

/** The order of arguments is kept: a back end may evaluate the second only where the first does not decide. */
function junction(pool: Pool, op: 'and' | 'or', a: Expr, b: Expr): Expr {
  const decides = op === 'or';
  if (a === b) return a;
  if (a.kind === 'const') return (a.value !== 0) === decides ? pool.bool(decides) : b;
  if (b.kind === 'const') return (b.value !== 0) === decides ? pool.bool(decides) : a;
  if ((is(a, 'not') && a.args[0] === b) || (is(b, 'not') && b.args[0] === a)) return pool.bool(decides);
  return pool.raw(op, [a, b]);
}

function choice(pool: Pool, condition: Expr, then: Expr, otherwise: Expr): Expr {
  if (condition.kind === 'const') return condition.value !== 0 ? then : otherwise;
  if (then === otherwise) return then;
  if (is(condition, 'not')) return choice(pool, condition.args[0]!, otherwise, then);
  if (is(then, 'if') && then.args[0] === condition) return choice(pool, condition, then.args[1]!, otherwise);
  if (is(otherwise, 'if') && otherwise.args[0] === condition) {
    return choice(pool, condition, then, otherwise.args[2]!);
  }
  return pool.raw('if', [condition, then, otherwise]);
}

function concat(pool: Pool, args: readonly Expr[]): Expr {
  const parts: Expr[] = [];
  for (const arg of args) {
    const last = parts[parts.length - 1];
    if (arg.kind === 'text' && arg.value === '') continue;
    if (arg.kind === 'text' && last?.kind === 'text')
      parts[parts.length - 1] = pool.text(joined([last.value, arg.value]));
    else parts.push(arg);
  }
  if (parts.length === 0) return pool.text('');
  if (parts.length === 1) return parts[0]!;
  return pool.raw('concat', parts);
}

/** The numeric factor of a term: c of `c*x`, -1 of `-x`, else 1. */
function factor(e: Expr): number {
  if (e.kind !== 'apply') return 1;
  if (e.op === 'neg') return -1;
  if (e.op !== 'mul') return 1;
  const first = e.args[0]!;
  return first.kind === 'const' ? first.value : 1;
}

/** What `factor` multiplies. */
function rest(e: Expr): Expr {
  if (e.kind !== 'apply') return e;
  if (e.op === 'neg') return e.args[0]!;
  return e.op === 'mul' && e.args[0]!.kind === 'const' ? e.args[1]! : e;
}

/** True where the sign can be drawn out at no cost. */
function isNegative(e: Expr): boolean {
  if (e.kind !== 'apply') return false;
  if (e.op === 'neg') return true;
  const [first, second] = e.args;
  if (e.op === 'mul') return first!.kind === 'const' && first!.value < 0;
  if (e.op !== 'div') return false;
  return (first!.kind === 'const' && first!.value < 0) || (second!.kind === 'const' && second!.value < 0);
}

/** Neither overflown nor underflown, so that the factor still means what it meant. */
function usable(c: number): boolean {
  return Number.isFinite(c) && Math.abs(c) > 1e-290;
}

function isPowerOfTwo(c: number): boolean {
  const exponent = Math.log2(Math.abs(c));
  return Number.isInteger(exponent) && Math.abs(exponent) < 1000 && 2 ** exponent === Math.abs(c);
}

/** Constants last, else by id. */
function ordered(a: Expr, b: Expr): [Expr, Expr] {
  if (a.kind === 'const') return [b, a];
  if (b.kind === 'const') return [a, b];
  return a.id <= b.id ? [a, b] : [b, a];
}

function isLeaf(e: Expr): boolean {
  return e.kind !== 'apply' && e.kind !== 'call';
}

function is<O extends Op>(e: Expr, op: O): e is Apply & { op: O } {
  return e.kind === 'apply' && e.op === op;
}

const isNeg = (e: Expr): e is Apply & { op: 'neg' } => is(e, 'neg');
