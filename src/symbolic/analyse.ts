/**
 * Questions about expressions: which leaves, how they enter, and replacing them. Expressions can be deep (a sum of
 * 100,000 terms is a chain), so every walk keeps its own stack; and they share subexpressions, so every walk visits a
 * node once.
 */
import { countWhile, grown, sameItems } from '../collections/lists.ts';
import { pulse } from '../diagnostic/pulse.ts';
import type { Apply, Expr, Leaf } from './expr.ts';
import type { Pool } from './pool.ts';

/** The nodes below a node. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'apply':
    case 'call':
      return expr.args;
    case 'ref':
    case 'pre':
    case 'local':
      return expr.subscripts;
    default:
      return none;
  }
}

const none: readonly Expr[] = [];

/**
 * Visits every node below `root` that is not yet `known`, children before parents; visiting must make it known.
 * `below` says where to go from a node.
 */
export function walk(
  root: Expr,
  known: (node: Expr) => boolean,
  visit: (node: Expr) => void,
  below: (node: Expr) => readonly Expr[] = children,
): void {
  if (known(root)) return;
  const stack: Expr[] = [root];
  while (stack.length > 0) {
    pulse();
    const node = stack[stack.length - 1]!;
    if (known(node)) {
      stack.pop();
      continue;
    }
    const depth = stack.length;
    const next = below(node);
    for (let k = 0; k < next.length; k++) if (!known(next[k]!)) stack.push(next[k]!);
    if (stack.length > depth) continue;
    stack.pop();
    visit(node);
  }
}

/** The result of an expression, from the results of what is below it; those that are known already are not asked for again. */
export function fold<T>(
  root: Expr,
  results: Map<Expr, T> | WeakMap<Expr, T>,
  resultOf: (node: Expr) => T,
  below?: (node: Expr) => readonly Expr[],
): T {
  const isKnown = (node: Expr): boolean => results.has(node);
  walk(root, isKnown, (node) => results.set(node, resultOf(node)), below);
  return results.get(root)!;
}

/** Visits every node of some expressions of one pool once, parents before children. As quick as a walk can be: it is done for all code. */
export function eachNode(roots: Iterable<Expr>, visit: (node: Expr) => void): void {
  /** One bit for each node that was met, by its id. */
  let met = new Int32Array(1024);
  const stack: Expr[] = [];
  const meet = (node: Expr): void => {
    const word = node.id >> 5;
    if (word >= met.length) met = grown(met, word + 1);
    const bit = 1 << (node.id & 31);
    if ((met[word]! & bit) !== 0) return;
    met[word]! |= bit;
    stack.push(node);
  };
  for (const root of roots) {
    meet(root);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      visit(node);
      const below = children(node);
      for (let k = 0; k < below.length; k++) meet(below[k]!);
    }
  }
}

/** All nodes of some expressions, children before parents, each once. */
export function nodesOf(...roots: readonly Expr[]): Expr[] {
  const seen = new Set<Expr>();
  const isSeen = (node: Expr): boolean => seen.has(node);
  for (const root of roots) walk(root, isSeen, (node) => seen.add(node));
  return [...seen];
}

/** The distinct leaves, by id. Remembered for each expression asked for. */
export function leaves(expr: Expr): readonly Leaf[] {
  if (expr.leaves) return expr.leaves;
  const found: Leaf[] = [];
  const stack: Expr[] = [];
  const search = ++searches;
  const meet = (node: Expr): void => {
    if (node.id >= metIn.length) metIn = grown(metIn, node.id + 1);
    if (metIn[node.id] === search) return;
    metIn[node.id] = search;
    stack.push(node);
  };
  meet(expr);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    pulse();
    if (isLeaf(node)) found.push(node);
    const below = node.leaves ?? children(node);
    for (let k = 0; k < below.length; k++) meet(below[k]!);
  }
  found.sort((a, b) => a.id - b.id);
  expr.leaves = found;
  return found;
}

/** By id of a node: the last search for leaves that met it. Calls with thousands of arguments have as many outputs, each of which is searched. */
let metIn = new Float64Array(1024);
let searches = 0;

/** Symbols of the variables in an expression, once for each derivative. */
export function symbolsOf(expr: Expr): number[] {
  return leaves(expr).flatMap((leaf) => (leaf.kind === 'ref' ? [leaf.symbol] : []));
}

/** Symbol to the highest order of derivative that occurs (`Ref` only). */
export function incidence(expr: Expr): Map<number, number> {
  const orders = new Map<number, number>();
  for (const leaf of leaves(expr)) {
    if (leaf.kind !== 'ref') continue;
    const known = orders.get(leaf.symbol);
    if (known === undefined || known < leaf.order) orders.set(leaf.symbol, leaf.order);
  }
  return orders;
}

/** True where `leaf` occurs in `expr`. */
export function dependsOn(expr: Expr, leaf: Expr): boolean {
  if (expr === leaf) return true;
  if (expr.id < leaf.id) return false;
  const all = leaves(expr);
  return all[countWhile(all.length, (k) => all[k]!.id < leaf.id)] === leaf;
}

/** Which nodes of `expr` contain a node that `isTarget` accepts. */
export function dependents(expr: Expr, isTarget: (node: Expr) => boolean): Set<Expr> {
  const found = new Set<Expr>();
  for (const node of nodesOf(expr)) {
    if (isTarget(node) || children(node).some((child) => found.has(child))) found.add(node);
  }
  return found;
}

/** What stands for a node; `below` are its children after replacement. Undefined keeps the node. */
export type Replacement = (node: Expr, below: readonly Expr[]) => Expr | undefined;

/**
 * Replaces nodes (mostly leaves and iterators) and simplifies what is built anew. A `memo` may be shared by calls with the
 * same replacement.
 */
export function substitute(
  pool: Pool,
  expr: Expr,
  replacement: Replacement,
  memo: Map<Expr, Expr> = new Map(),
): Expr {
  return fold(expr, memo, (node) => {
    const below = children(node);
    const same = below.every((child) => memo.get(child) === child);
    const renewed = same ? below : below.map((child) => memo.get(child)!);
    return replacement(node, renewed) ?? (same ? node : rebuild(pool, node, renewed));
  });
}

/** The same kind of node over other children; itself where these are its own. */
export function rebuild(pool: Pool, node: Expr, below: readonly Expr[]): Expr {
  if (sameItems(below, children(node))) return node;
  switch (node.kind) {
    case 'apply':
      return pool.apply(node.op, ...below);
    case 'call':
      return pool.call(node.fn, below, node.output);
    case 'ref':
      return pool.ref(node.symbol, node.order, below);
    case 'pre':
      return pool.pre(node.symbol, below);
    case 'local':
      return pool.local(node.index, below);
    default:
      return node;
  }
}

/** True where `expr` is affine in the leaves together (products of two of them are not). */
export function isLinearIn(expr: Expr, targets: ReadonlySet<Expr>): boolean {
  const degree = new Map<Expr, number>();
  for (const node of nodesOf(expr)) degree.set(node, targets.has(node) ? 1 : degreeOf(node, degree));
  return degree.get(expr)! <= 1;
}

/** Degree as a polynomial, from those of the nodes below: 0, 1, or 2 for anything higher or not polynomial. */
export function degreeOf(node: Expr, degree: ReadonlyMap<Expr, number>): number {
  const below = children(node);
  let highest = 0;
  for (const child of below) highest = Math.max(highest, degree.get(child)!);
  if (highest === 0) return 0;
  if (node.kind !== 'apply') return 2;
  return applyDegree(node, highest, (k) => degree.get(below[k]!)!);
}

function applyDegree(node: Apply, highest: number, degreeAt: (k: number) => number): number {
  switch (node.op) {
    case 'add':
    case 'sub':
    case 'neg':
    case 'noEvent':
    case 'smooth':
    case 'homotopy':
      return highest;
    case 'mul':
      return Math.min(degreeAt(0) + degreeAt(1), 2);
    case 'div':
      return degreeAt(1) === 0 ? highest : 2;
    case 'if':
      return degreeAt(0) === 0 ? highest : 2;
    default:
      return 2;
  }
}

export function isLeaf(node: Expr): node is Leaf {
  switch (node.kind) {
    case 'time':
    case 'ref':
    case 'pre':
    case 'held':
    case 'local':
      return true;
    default:
      return false;
  }
}

/** Whether some node below (or at) `root` satisfies the test; nodes in `seen` are not visited again. */
export function reachable(
  root: Expr,
  test: (expr: Expr) => boolean,
  seen = new Set<Expr>(),
  below: (expr: Expr) => readonly Expr[] = children,
): boolean {
  if (seen.has(root)) return false;
  seen.add(root);
  const stack = [root];
  while (stack.length > 0) {
    const expr = stack.pop()!;
    if (test(expr)) return true;
    for (const child of below(expr)) {
      if (!seen.has(child)) {
        seen.add(child);
        stack.push(child);
      }
    }
  }
  return false;
}
