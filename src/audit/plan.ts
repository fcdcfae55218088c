/**
 * An expression as a list of its nodes, children before parents, so that it is evaluated over and over without looking for them: each
 * node has the places of its operands in the list. All nodes are computed, those of branches that are not in force too; calls of functions, which may
 * not end there, are left to the evaluator of `symbolic`.
 */
import { nodesOf } from '../symbolic/analyse.ts';
import { arithmetic } from '../symbolic/arithmetic.ts';
import type { Expr, Leaf } from '../symbolic/expr.ts';

export interface AuditPlan {
  readonly nodes: readonly Expr[];
  /** Three places for each node. */
  readonly operands: Int32Array;
  readonly results: Float64Array;
}

/** Undefined where an expression has to be evaluated lazily. */
export function planOf(expr: Expr): AuditPlan | undefined {
  const nodes = nodesOf(expr);
  const places = new Map(nodes.map((node, k) => [node, k]));
  const operands = new Int32Array(3 * nodes.length);
  for (const [k, node] of nodes.entries()) {
    if (node.kind === 'call' || node.kind === 'text' || node.kind === 'iter') return undefined;
    if (node.kind !== 'apply') continue;
    if (node.args.length > 3 || arithmetic(node.op, 0, 0, 0) === undefined) return undefined;
    for (const [a, arg] of node.args.entries()) operands[3 * k + a] = places.get(arg)!;
  }
  return { nodes, operands, results: new Float64Array(nodes.length) };
}

export function evaluatePlan({ nodes, operands, results }: AuditPlan, value: (leaf: Leaf) => number): number {
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k]!;
    if (node.kind === 'const') results[k] = node.value;
    else if (node.kind !== 'apply') results[k] = value(node as Leaf);
    else {
      const at = 3 * k;
      const a = results[operands[at]!]!;
      results[k] = arithmetic(node.op, a, results[operands[at + 1]!]!, results[operands[at + 2]!]!)!;
    }
  }
  return results[nodes.length - 1]!;
}
