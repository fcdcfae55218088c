/**
 * Whether a coefficient can be divided by: it is a constant or a parameter other than zero, or its signs show
 * that it never vanishes (`1 + x*x`, `exp(x)`, `if c then 2 else 3`). Signs are a subset of {-, 0, +}, kept
 * as bits. And how far conditions change its size (`if off then 1 else Ron`): the rounding errors of what is divided by it
 * grow as much.
 */
import { children, nodesOf } from '../symbolic/analyse.ts';
import type { Apply, Expr } from '../symbolic/expr.ts';
import { isEventOperator } from '../symbolic/operators.ts';
import type { Inverse } from '../symbolic/solve.ts';
import type { Decisions } from './decisions.ts';

export interface Knowledge {
  /** Symbols whose value is known and does not change during a simulation. */
  readonly isParameter: (symbol: number) => boolean;
  /** The value of an expression now; only asked for expressions of parameters when it must hold for good. */
  readonly evaluate?: ((expr: Expr) => number) | undefined;
  /** How calls of functions are solved for an argument. */
  readonly inverse?: Inverse | undefined;
  /** Where to note what is concluded from values of parameters. */
  readonly decisions?: Decisions | undefined;
}

/** True where all leaves are constants and parameters. */
export function isParametric(expr: Expr, knowledge: Knowledge): boolean {
  if (expr.kind === 'const') return true;
  return nodesOf(expr).every((node) => {
    if (node.kind === 'apply') return !isEventOperator(node.op);
    return node.kind === 'const' || node.kind === 'call' || isParameter(node, knowledge);
  });
}

export function isNonzero(expr: Expr, knowledge: Knowledge): boolean {
  if (expr.kind === 'const') return expr.value !== 0;
  const nodes = nodesOf(expr);
  const { decisions, evaluate } = knowledge;
  // What is noted stays, and with it all that it refers to: knowledge may come with everything about a mode.
  const own: Knowledge = { isParameter: knowledge.isParameter, evaluate };
  const decide = (): boolean => (signsOf(nodes, own) & zero) === 0;
  const decision = decide();
  if (decisions && evaluate && nodes.some((node) => isParameter(node, own)))
    decisions.note(expr, () => decide() === decision);
  return decision;
}

/** 1 or -1 where an expression has that sign whatever its variables are, otherwise 0. */
export function definiteSign(expr: Expr, knowledge: Knowledge): -1 | 0 | 1 {
  const signs = signsOf(nodesOf(expr), knowledge);
  return signs === plus ? 1 : signs === minus ? -1 : 0;
}

/** Signs of the last of these nodes, children before parents. */
function signsOf(nodes: readonly Expr[], knowledge: Knowledge): number {
  const signs = new Map<Expr, number>();
  for (const node of nodes) signs.set(node, signOf(node, signs, knowledge));
  return signs.get(nodes[nodes.length - 1]!)!;
}

function isParameter(node: Expr, knowledge: Knowledge): boolean {
  return node.kind === 'ref' && node.order === 0 && knowledge.isParameter(node.symbol);
}

/** Smallest and largest magnitude. */
type Range = readonly [number, number];

/** The largest magnitude of a coefficient over the smallest, of all that its conditions choose between; 1 where that is not known. */
export function spread(expr: Expr, knowledge: Knowledge): number {
  const nodes = nodesOf(expr);
  if (!nodes.some((node) => node.kind === 'apply' && node.op === 'if')) return 1;
  const ranges = new Map<Expr, Range | undefined>();
  for (const node of nodes) ranges.set(node, rangeOf(node, ranges, knowledge));
  const range = ranges.get(expr);
  return range && range[0] > 0 ? range[1] / range[0] : 1;
}

function rangeOf(
  node: Expr,
  ranges: ReadonlyMap<Expr, Range | undefined>,
  knowledge: Knowledge,
): Range | undefined {
  if (node.kind === 'const') return [Math.abs(node.value), Math.abs(node.value)];
  if (isParametric(node, knowledge)) {
    const size = knowledge.evaluate && Math.abs(knowledge.evaluate(node));
    return size === undefined ? undefined : [size, size];
  }
  if (node.kind !== 'apply') return undefined;
  const [a, b, c] = node.args.map((arg) => ranges.get(arg));
  switch (node.op) {
    case 'if':
      return b && c && [Math.min(b[0], c[0]), Math.max(b[1], c[1])];
    case 'mul':
      return a && b && [a[0] * b[0], a[1] * b[1]];
    case 'div':
      return a && b && [a[0] / b[1], a[1] / b[0]];
    case 'neg':
    case 'noEvent':
      return a;
    default:
      return undefined;
  }
}

const minus = 1;
const zero = 2;
const plus = 4;
const any = minus | zero | plus;

function signOf(node: Expr, signs: ReadonlyMap<Expr, number>, knowledge: Knowledge): number {
  switch (node.kind) {
    case 'const':
      return signOfNumber(node.value);
    case 'ref':
      if (!isParameter(node, knowledge)) return any;
      return knowledge.evaluate ? signOfNumber(knowledge.evaluate(node)) : minus | plus;
    case 'apply': {
      const below = children(node).map((child) => signs.get(child)!);
      return signOfApply(node, below);
    }
    default:
      return any;
  }
}

function signOfNumber(value: number): number {
  if (Number.isNaN(value)) return any;
  return value > 0 ? plus : value < 0 ? minus : zero;
}

function signOfApply(node: Apply, args: readonly number[]): number {
  const [a, b, c] = args as [number, number, number];
  switch (node.op) {
    case 'add':
      return sum(a, b);
    case 'sub':
      return sum(a, negated(b));
    case 'neg':
      return negated(a);
    case 'mul':
      return node.args[0] === node.args[1] ? product(a, a) & (zero | plus) : product(a, b);
    case 'div':
      return product(a, b & ~zero);
    case 'pow':
      if (a === plus) return plus;
      return isEven(node.args[1]!) ? product(a, a) & (zero | plus) : any;
    case 'exp':
    case 'cosh':
      return plus;
    case 'sinh':
    case 'tanh':
    case 'atan':
    case 'asin':
      return a;
    case 'sqrt':
      return a & (zero | plus) || zero | plus;
    case 'abs':
      return (a & zero) | (a & (minus | plus) ? plus : 0);
    case 'if':
      return b | c;
    case 'min':
      return smaller(a, b);
    case 'max':
      return negated(smaller(negated(a), negated(b)));
    case 'noEvent':
      return a;
    case 'smooth':
      return b;
    case 'homotopy':
      return a | b;
    default:
      return any;
  }
}

function isEven(exponent: Expr): boolean {
  return exponent.kind === 'const' && exponent.value % 2 === 0;
}

function negated(a: number): number {
  return (a & zero) | (a & minus ? plus : 0) | (a & plus ? minus : 0);
}

function sum(a: number, b: number): number {
  if ((a & minus && b & plus) || (a & plus && b & minus)) return any;
  const signs = (a | b) & (minus | plus);
  return signs | (a & zero && b & zero ? zero : 0);
}

function product(a: number, b: number): number {
  let signs = (a | b) & zero;
  if ((a & plus && b & plus) || (a & minus && b & minus)) signs |= plus;
  if ((a & plus && b & minus) || (a & minus && b & plus)) signs |= minus;
  return signs;
}

function smaller(a: number, b: number): number {
  let signs = (a | b) & minus;
  if ((a & zero && b & (zero | plus)) || (b & zero && a & (zero | plus))) signs |= zero;
  if (a & plus && b & plus) signs |= plus;
  return signs;
}
