/** What stays as it is between events: values that follow from discrete ones, from parameters, and from outputs of components that only step. */
import { rememberCyclic } from '../collections/memo.ts';
import { type AssignBlock, type SortedMode, unknownsOf } from '../structure/analysis.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Runtime } from './runtime.ts';

/** Says of variables of a mode, without aliases, whether they stay as they are wherever `movers` go: formulas compute them from others alone. */
export function staysBeside({ blocks }: SortedMode, movers: ReadonlySet<Expr>): (variable: Ref) => boolean {
  const values = new Map<Expr, Expr | undefined>();
  for (const block of blocks)
    for (const unknown of unknownsOf(block))
      values.set(unknown, block.kind === 'assign' ? block.value : undefined);
  const known = new Map<Expr, boolean>();
  const stays = (leaf: Expr): boolean =>
    rememberCyclic(known, leaf, false, () => {
      if (movers.has(leaf)) return false;
      const value = values.get(leaf);
      return value ? leaves(value).every(stays) : !values.has(leaf);
    });
  return stays;
}

/** Says of expressions of a mode, without aliases, whether only events change them. */
export function steadyIn({ model, facts }: Runtime, { states, blocks }: SortedMode): (expr: Expr) => boolean {
  const assigned = new Map<Ref, AssignBlock | undefined>(states.map((state) => [state, undefined]));
  for (const block of blocks)
    for (const unknown of unknownsOf(block))
      assigned.set(unknown, block.kind === 'assign' ? block : undefined);
  const known = new Map<Ref, boolean>();
  const isFixed = (leaf: Ref): boolean => {
    const block = assigned.get(leaf);
    if (block) return block.discrete || isSteady(block.value);
    return !assigned.has(leaf) && model.scalars[leaf.symbol]?.kind === 'parameter';
  };
  const isSteady = (expr: Expr): boolean =>
    leaves(expr).every((leaf) => {
      if (facts.switches(leaf)) return true;
      if (leaf.kind !== 'ref') return false;
      if (!known.has(leaf)) known.set(leaf, isFixed(leaf));
      return known.get(leaf)!;
    });
  return isSteady;
}
