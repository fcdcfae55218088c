/**
 * An expression as a list of its nodes, children before parents, so that it is evaluated over and over without looking for them: each
 * operator has the places of its operands in the list. All nodes are computed, those of branches that are not in force too; calls of functions, which may
 * not end there, are left to the evaluator of `symbolic`.
 */
import { nodesOf } from '../symbolic/analyse.ts';
import { arithmetic } from '../symbolic/arithmetic.ts';
import type { Expr, Leaf, Op } from '../symbolic/expr.ts';

export interface AuditPlan {
  /** By place in the list: variables and other leaves, whose values are asked for. */
  readonly leaves: readonly (readonly [place: number, leaf: Leaf])[];
  /** Operators, with their places in `applied`. */
  readonly operators: readonly Op[];
  /** Four places for each operator: its own and those of its operands. */
  readonly applied: Int32Array;
  /** By place; constants stay. */
  readonly results: Float64Array;
}

/** Undefined where an expression has to be evaluated lazily. */
export function planOf(expr: Expr): AuditPlan | undefined {
  const nodes = nodesOf(expr);
  const places = new Map(nodes.map((node, k) => [node, k]));
  const leaves: [number, Leaf][] = [];
  const operators: Op[] = [];
  const applied: number[] = [];
  const results = new Float64Array(nodes.length);
  for (const [k, node] of nodes.entries()) {
    if (node.kind === 'call' || node.kind === 'text' || node.kind === 'iter') return undefined;
    if (node.kind === 'const') results[k] = node.value;
    else if (node.kind !== 'apply') leaves.push([k, node as Leaf]);
    else {
      if (node.args.length > 3 || arithmetic(node.op, 0, 0, 0) === undefined) return undefined;
      const operands = node.args.map((arg) => places.get(arg)!);
      applied.push(k, ...operands, ...new Array<number>(3 - operands.length).fill(0));
      operators.push(node.op);
    }
  }
  return { leaves, operators, applied: Int32Array.from(applied), results };
}

export function evaluatePlan(
  { leaves, operators, applied, results }: AuditPlan,
  value: (leaf: Leaf) => number,
): number {
  for (const [place, leaf] of leaves) results[place] = value(leaf);
  for (let k = 0, at = 0; k < operators.length; k++, at += 4) {
    const a = results[applied[at + 1]!]!;
    const b = results[applied[at + 2]!]!;
    results[applied[at]!] = arithmetic(operators[k]!, a, b, results[applied[at + 3]!]!)!;
  }
  return results[results.length - 1]!;
}
