/**
 * Symbolic derivatives of scalar expressions. Every operator has one table entry, `slope`: its partial derivative by
 * one argument. Forward accumulation (`partial`, `total`) carries one derivative from the leaves to the root; reverse
 * accumulation (`gradient`) gives all partial derivatives of one expression in a time proportional to its size.
 *
 * Derivatives hold between events: relations, Booleans and integer-valued functions (`floor`, `sign`, …) have derivative 0,
 * `if` is differentiated branch by branch, `abs(x)` has `sign(x)`, `min` and `max` that of the argument in force. User
 * functions are differentiated by `tangent.ts`.
 */
import { fold, nodesOf, walk } from './analyse.ts';
import type { Apply, Call, Expr, Op } from './expr.ts';
import { isPiecewiseConstant } from './operators.ts';
import type { Pool } from './pool.ts';
import { isTextOperator } from './strings.ts';

/** What differentiating gives, or why there is no such thing. */
type Outcome<T> =
  | { readonly value: T; readonly reason: undefined }
  | { readonly value: undefined; readonly reason: string };

export type Derivative = Outcome<Expr>;
export type Gradient = Outcome<ReadonlyMap<Expr, Expr>>;

/** How calls of user functions are differentiated: the derivative of `call` for given derivatives of its arguments. */
export interface CallRule {
  derivative(pool: Pool, call: Call, seeds: readonly Expr[]): Derivative;
  /** The derivatives of `call` by each of its arguments, where they are found together for less than one by one. */
  partials?(pool: Pool, call: Call): readonly Expr[] | undefined;
  /** The same by time, where functions may be given for it. */
  readonly byTime?: CallRule;
}

/** Derivative by one leaf, all others held constant. */
export function partial(pool: Pool, expr: Expr, leaf: Expr, calls?: CallRule): Derivative {
  return total(pool, calls, expr, (other) => (other === leaf ? pool.one : pool.zero));
}

/** How the slope of an operator and the derivative of its argument make a term of the chain rule. */
export type Term = (pool: Pool, slope: Expr, seed: Expr, node: Apply) => Expr;

const product: Term = (pool, slope, seed) => pool.mul(slope, seed);

/**
 * The term where derivatives of arguments are known as numbers when code runs: of what does not move there is none, even where the slope
 * is infinite, as that of a root at zero.
 */
export const movingOnly: Term = (pool, slope, seed, node) => {
  const term = pool.mul(slope, seed);
  if (!steep.has(node.op) || seed.kind === 'const') return term;
  return pool.if(pool.apply('eq', seed, pool.zero), pool.zero, term);
};

/** Operators whose slope is infinite, or none, at arguments for which they have a value. */
const steep: ReadonlySet<Op> = new Set(['sqrt', 'pow', 'asin', 'acos', 'atan2']);

/** Chain rule over all leaves; `derivativeOf` gives the derivative of each. */
export function total(
  pool: Pool,
  calls: CallRule | undefined,
  expr: Expr,
  derivativeOf: (leaf: Expr) => Expr,
  memo: Map<Expr, Expr> = new Map(),
  term = product,
): Derivative {
  if (isText(expr)) return { value: undefined, reason: 'a String has no derivative' };
  const slopeOf = (node: Expr): Expr => forward(pool, calls, node, memo, derivativeOf, term);
  return outcomeOf(() => fold(expr, memo, slopeOf, differentiable));
}

function outcomeOf<T>(differentiate: () => T): Outcome<T> {
  try {
    return { value: differentiate(), reason: undefined };
  } catch (problem) {
    if (problem instanceof NotDifferentiable) return { value: undefined, reason: problem.message };
    throw problem;
  }
}

/**
 * Derivative by time: `x` becomes `der(x)`, `der(x)` the second derivative; what `isConstant` names (parameters and
 * discrete-time variables), left limits and held relations are constant. `withoutDerivative` says why a variable has none.
 */
export function timeDerivative(
  pool: Pool,
  calls: CallRule | undefined,
  expr: Expr,
  isConstant: (symbol: number) => boolean,
  memo?: Map<Expr, Expr>,
  withoutDerivative?: (symbol: number) => string | undefined,
): Derivative {
  const derivativeOf = (leaf: Expr): Expr => {
    if (leaf.kind === 'time') return pool.one;
    const reason = leaf.kind === 'ref' ? withoutDerivative?.(leaf.symbol) : undefined;
    if (reason !== undefined) throw new NotDifferentiable(reason);
    if (leaf.kind !== 'ref' || isConstant(leaf.symbol)) return pool.zero;
    return pool.ref(leaf.symbol, leaf.order + 1, leaf.subscripts);
  };
  return total(pool, calls?.byTime ?? calls, expr, derivativeOf, memo);
}

/**
 * Partial derivatives by all leaves that `wanted` accepts; leaves whose derivative is 0 are left out. Where branches
 * meet (`if`, `min`, `max`), each branch has a sweep of its own and the results are joined by the condition: a slope of
 * a branch that is not in force may be undefined there and must not be multiplied, not even by 0.
 */
export function gradient(
  pool: Pool,
  expr: Expr,
  wanted: (leaf: Expr) => boolean,
  calls?: CallRule,
): Gradient {
  const active = new Set<Expr>();
  const joints: Joints = new Map();
  const sweep = (root: Expr): Map<Expr, Expr> => sweepBack(pool, calls, root, wanted, active, joints);
  return outcomeOf(() => {
    for (const node of nodesOf(expr)) {
      if (!wanted(node) && !differentiable(node).some((arg) => active.has(arg))) continue;
      active.add(node);
      const branch = branching(pool, node);
      if (branch) joints.set(node, join(pool, branch, sweep(branch.holds), sweep(branch.fails)));
    }
    const result = active.has(expr) ? sweep(expr) : new Map<Expr, Expr>();
    for (const [leaf, value] of result) if (value === pool.zero) result.delete(leaf);
    return result;
  });
}

/** Gradients of the nodes where branches meet. */
type Joints = Map<Expr, ReadonlyMap<Expr, Expr>>;

interface Branching {
  readonly condition: Expr;
  readonly holds: Expr;
  readonly fails: Expr;
}

function branching(pool: Pool, node: Expr): Branching | undefined {
  if (node.kind !== 'apply') return undefined;
  const [a, b, c] = node.args as [Expr, Expr, Expr];
  if (node.op === 'if') return { condition: a, holds: b, fails: c };
  if (node.op === 'min') return { condition: pool.apply('le', a, b), holds: a, fails: b };
  if (node.op === 'max') return { condition: pool.apply('ge', a, b), holds: a, fails: b };
  return undefined;
}

function join(
  pool: Pool,
  { condition }: Branching,
  holds: ReadonlyMap<Expr, Expr>,
  fails: ReadonlyMap<Expr, Expr>,
): Map<Expr, Expr> {
  const joined = new Map<Expr, Expr>();
  for (const leaf of new Set([...holds.keys(), ...fails.keys()])) {
    joined.set(leaf, pool.if(condition, holds.get(leaf) ?? pool.zero, fails.get(leaf) ?? pool.zero));
  }
  return joined;
}

/** Reverse accumulation from `root` to the wanted leaves, through joints that are known already. */
function sweepBack(
  pool: Pool,
  calls: CallRule | undefined,
  root: Expr,
  wanted: (leaf: Expr) => boolean,
  active: Set<Expr>,
  joints: Joints,
): Map<Expr, Expr> {
  const result = new Map<Expr, Expr>();
  if (!active.has(root)) return result;
  const order = new Set<Expr>();
  const ends = (node: Expr): boolean => joints.has(node) || wanted(node);
  walk(
    root,
    (node) => order.has(node) || !active.has(node),
    (node) => order.add(node),
    (node) => (ends(node) ? none : differentiable(node)),
  );
  const adjoint = new Map<Expr, Expr>([[root, pool.one]]);
  for (const node of [...order].reverse()) {
    const weight = adjoint.get(node)!;
    const joint = joints.get(node);
    if (wanted(node)) increase(pool, result, node, weight);
    else if (joint) for (const [leaf, slope] of joint) increase(pool, result, leaf, pool.mul(weight, slope));
    else backward(pool, calls, node, weight, active, adjoint);
  }
  return result;
}

function increase(pool: Pool, sums: Map<Expr, Expr>, key: Expr, term: Expr): void {
  const known = sums.get(key);
  sums.set(key, known ? pool.add(known, term) : term);
}

class NotDifferentiable extends Error {}

/** The arguments through which derivatives flow; what gives Booleans, Integers or Strings is constant between events. */
function differentiable(node: Expr): readonly Expr[] {
  if (node.kind === 'call') return node.args;
  if (node.kind !== 'apply' || isPiecewiseConstant(node.op)) return none;
  switch (node.op) {
    case 'if':
    case 'smooth':
      return node.args.slice(1);
    case 'string':
    case 'concat':
    case 'pad':
    case 'format':
    case 'order':
      return none;
    default:
      return node.args;
  }
}

const none: readonly Expr[] = [];

function isText(expr: Expr): boolean {
  return expr.kind === 'text' || (expr.kind === 'apply' && expr.op !== 'order' && isTextOperator(expr.op));
}

/** Adds to the adjoint of each argument its share of `weight`, the adjoint of `node`. */
function backward(
  pool: Pool,
  calls: CallRule | undefined,
  node: Expr,
  weight: Expr,
  active: Set<Expr>,
  adjoint: Map<Expr, Expr>,
): void {
  if (node.kind !== 'apply' && node.kind !== 'call') return;
  const partials = node.kind === 'call' ? calls?.partials?.(pool, node) : undefined;
  for (let k = 0; k < node.args.length; k++) {
    const arg = node.args[k]!;
    if (!active.has(arg)) continue;
    const share = partials ? pool.mul(weight, partials[k]!) : shareOf(pool, calls, node, k, weight);
    increase(pool, adjoint, arg, share);
  }
}

function shareOf(pool: Pool, calls: CallRule | undefined, node: Apply | Call, k: number, weight: Expr): Expr {
  if (node.kind === 'call') {
    const seeds = node.args.map((_, i) => (i === k ? pool.one : pool.zero));
    return pool.mul(weight, callDerivative(pool, calls, node, seeds));
  }
  if (node.op === 'div' && k === 0) return pool.quotient(weight, node.args[1]!);
  return pool.mul(weight, slope(pool, node, k));
}

function forward(
  pool: Pool,
  calls: CallRule | undefined,
  node: Expr,
  memo: Map<Expr, Expr>,
  derivativeOf: (leaf: Expr) => Expr,
  term: Term,
): Expr {
  switch (node.kind) {
    case 'const':
    case 'text':
    case 'iter':
      return pool.zero;
    case 'time':
    case 'ref':
    case 'pre':
    case 'held':
    case 'local':
      return derivativeOf(node);
    case 'call': {
      const seeds = node.args.map((arg) => memo.get(arg)!);
      if (seeds.every((seed) => seed === pool.zero)) return pool.zero;
      return callDerivative(pool, calls, node, seeds);
    }
    case 'apply':
      return forwardApply(pool, node, (k) => memo.get(node.args[k]!)!, term);
  }
}

function callDerivative(pool: Pool, calls: CallRule | undefined, node: Call, seeds: readonly Expr[]): Expr {
  if (!calls) throw new NotDifferentiable('a user function has no derivative here');
  const derivative = calls.derivative(pool, node, seeds);
  if (!derivative.value) throw new NotDifferentiable(derivative.reason);
  return derivative.value;
}

function forwardApply(pool: Pool, node: Apply, d: (k: number) => Expr, term: Term): Expr {
  const [a, b] = node.args as [Expr, Expr];
  switch (node.op) {
    case 'add':
      return pool.add(d(0), d(1));
    case 'sub':
      return pool.sub(d(0), d(1));
    case 'neg':
      return pool.neg(d(0));
    case 'mul':
      return pool.add(pool.mul(d(0), b), pool.mul(a, d(1)));
    case 'div':
      // The quotient itself is used again, so that generated code computes it once.
      return pool.quotient(pool.sub(d(0), pool.mul(node, d(1))), b);
    case 'if':
      return pool.if(a, d(1), d(2));
    case 'min':
      return pool.if(pool.apply('le', a, b), d(0), d(1));
    case 'max':
      return pool.if(pool.apply('ge', a, b), d(0), d(1));
    case 'noEvent':
      return pool.apply('noEvent', d(0));
    case 'smooth':
      return forwardSmooth(pool, a, d(1));
    case 'homotopy':
      return pool.apply('homotopy', d(0), d(1));
    default:
      break;
  }
  if (differentiable(node).length === 0) return pool.zero;
  let sum: Expr = pool.zero;
  for (let k = 0; k < node.args.length; k++) {
    const seed = d(k);
    if (seed !== pool.zero) sum = pool.add(sum, term(pool, slope(pool, node, k), seed, node));
  }
  return sum;
}

/** `smooth(p, x)` promises p continuous derivatives of x, so its derivative is smooth of order p - 1, if any. */
function forwardSmooth(pool: Pool, order: Expr, derivative: Expr): Expr {
  if (order.kind === 'const' && order.value >= 1) {
    return pool.apply('smooth', pool.const(order.value - 1), derivative);
  }
  return pool.apply('noEvent', derivative);
}

/** Partial derivative of an operator by its argument number k. */
function slope(pool: Pool, node: Apply, k: number): Expr {
  const [a, b] = node.args as [Expr, Expr];
  const number = (value: number): Expr => pool.const(value);
  const one = pool.one;
  switch (node.op) {
    case 'add':
      return one;
    case 'sub':
      return number(k === 0 ? 1 : -1);
    case 'neg':
      return number(-1);
    case 'mul':
      return k === 0 ? b : a;
    case 'div':
      return k === 0 ? pool.div(one, b) : pool.neg(pool.quotient(node, b));
    case 'pow':
      return powSlope(pool, node, k);
    case 'sin':
      return pool.apply('cos', a);
    case 'cos':
      return pool.neg(pool.apply('sin', a));
    case 'tan':
      return pool.add(one, pool.mul(node, node));
    case 'asin':
      return pool.div(one, pool.apply('sqrt', pool.sub(one, pool.mul(a, a))));
    case 'acos':
      return pool.div(number(-1), pool.apply('sqrt', pool.sub(one, pool.mul(a, a))));
    case 'atan':
      return pool.div(one, pool.add(one, pool.mul(a, a)));
    case 'atan2': {
      const square = pool.add(pool.mul(a, a), pool.mul(b, b));
      return k === 0 ? pool.quotient(b, square) : pool.neg(pool.quotient(a, square));
    }
    case 'sinh':
      return pool.apply('cosh', a);
    case 'cosh':
      return pool.apply('sinh', a);
    case 'tanh':
      return pool.sub(one, pool.mul(node, node));
    case 'exp':
      return expSlope(pool, node);
    case 'log':
      return pool.div(one, a);
    case 'log10':
      return pool.div(number(Math.LOG10E), a);
    case 'sqrt':
      return pool.div(number(0.5), node);
    case 'abs':
      return pool.apply('sign', a);
    case 'mod':
      return k === 0 ? one : pool.neg(pool.apply('floor', pool.div(a, b)));
    case 'rem':
      return k === 0 ? one : pool.neg(pool.apply('idiv', a, b));
    case 'noEvent':
    case 'homotopy':
      return k === 0 ? one : pool.zero;
    case 'smooth':
      return k === 1 ? one : pool.zero;
    default:
      if (differentiable(node).length === 0) return pool.zero;
      throw new NotDifferentiable(`the array operator ${node.op} is differentiated by its elements`);
  }
}

/** Arguments from here on have no finite exponential; sigmoids, `1/(1 + exp(x))`, have their values there. */
const LARGEST_EXPONENT = Math.log(Number.MAX_VALUE);
/** Stands for the slope there: times a share that is zero it is zero, which an infinite one would not be. */
const STEEP = 1e300;

/** The exponential itself where it is a number. Its pieces fit as far as numbers go, which `smooth` says. */
function expSlope(pool: Pool, node: Apply): Expr {
  const isNumber = pool.apply('lt', node.args[0]!, pool.const(LARGEST_EXPONENT));
  const pieces = pool.if(isNumber, node, pool.const(STEEP));
  return pool.apply('smooth', pool.const(Number.MAX_SAFE_INTEGER), pieces);
}

function powSlope(pool: Pool, node: Apply, k: number): Expr {
  const [a, b] = node.args as [Expr, Expr];
  // Of zero and below, powers have values for certain exponents only: there is nothing along which they change.
  if (k === 1)
    return pool.if(pool.apply('gt', a, pool.zero), pool.mul(pool.apply('log', a), node), pool.zero);
  return pool.mul(b, pool.apply('pow', a, pool.sub(b, pool.one)));
}
