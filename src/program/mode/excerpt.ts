/**
 * An excerpt of a mode: no more than some values depend on, as a program of its own. Where events are looked for, many points of a step are evaluated for
 * a few indicators; what accelerates the bodies of a machine is mostly not among what they ask for.
 */
import { neededItems } from '../../code/jacobian.ts';
import { type Plan, type PlanItem, planItems, type Step } from '../../code/plan.ts';
import type { Program } from '../../code/unit.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { CodeStore } from '../store.ts';

/** Code of its own costs time to make: an excerpt has at most this part of the work. */
const largestShare = 0.7;

export interface Excerpt {
  readonly program: Program;
  readonly steps: readonly Step[];
}

/** What the targets depend on, of these items of the plan; undefined where that is most of them. */
export function excerptOf(
  code: CodeStore,
  { systems }: Plan,
  items: readonly PlanItem[],
  targets: readonly Expr[],
): Excerpt | undefined {
  const work = (item: PlanItem): number =>
    item.kind === 'assign' ? 1 : systems[item.system]!.block.inner.length + systems[item.system]!.rows.length;
  const workOf = (some: readonly PlanItem[]): number => some.reduce((sum, item) => sum + work(item), 0);
  const needed = neededItems({ items, systems, sources: [], targets });
  if (workOf(needed) > largestShare * workOf(items)) return undefined;
  const { routines, steps } = planItems(code, needed);
  return { program: code.compile(code.unitOf(routines)), steps };
}
