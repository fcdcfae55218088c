/** On which of some sources (states, outputs of built-in components) the leaves of a plan depend, through what is computed in between. */
import { leavesOf, unknownsOf } from '../structure/analysis.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { PlanItem, SystemPlan } from './plan.ts';

export class Dependence {
  /** Numbers of sources, increasing. */
  private readonly known = new Map<Expr, Int32Array>();
  /** Last number of a union that saw a source. */
  private readonly seen: Int32Array;
  private union = 0;

  constructor(sources: readonly Expr[]) {
    this.seen = new Int32Array(sources.length).fill(-1);
    for (const [k, source] of sources.entries()) this.known.set(source, Int32Array.of(k));
  }

  of(leaf: Expr): Int32Array {
    return this.known.get(leaf) ?? none;
  }

  set(leaf: Expr, sources: Int32Array): void {
    this.known.set(leaf, sources);
  }

  /** Follows items in order of computation. */
  follow(items: readonly PlanItem[], systems: readonly SystemPlan[]): void {
    for (const item of items) {
      if (item.kind === 'assign') {
        this.set(item.leaf, this.unite(leaves(item.value)));
        continue;
      }
      const sources = this.ofSystem(systems[item.system]!);
      for (const unknown of unknownsOf(systems[item.system]!.block)) this.set(unknown, sources);
    }
  }

  /** What the unknowns of a system depend on. */
  ofSystem({ block }: SystemPlan): Int32Array {
    return this.unite(leavesOf(block));
  }

  unite(read: readonly Expr[]): Int32Array {
    const stamp = this.union++;
    const sources: number[] = [];
    for (const leaf of read) {
      for (const source of this.known.get(leaf) ?? none) {
        if (this.seen[source] === stamp) continue;
        this.seen[source] = stamp;
        sources.push(source);
      }
    }
    return Int32Array.from(sources).sort();
  }
}

const none = new Int32Array(0);
