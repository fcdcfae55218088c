/**
 * Kinks: `abs`, `min`, `max` and `sign` cause no events (specification 3.7.1), and need none while a solution only passes through them. In an
 * equation that a mode differentiates they do: the derivative jumps there, and with it velocities, as when a prescribed path has a bend.
 * So each of them has a relation of its own that is idle, until a mode shows that it differentiates the equation; from then on it
 * is a conditional expression, and the bend is an event. The same holds for what a flow carries along, which bends where the flow changes its direction.
 */
import type { SortedMode } from '../structure/analysis.ts';
import { eachNode } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { GuardedModel } from './guarded.ts';
import { differing, unknownIn } from './mode.ts';

/** The relation that a function bends at, as its operator and sides; undefined for what has no bend. */
export function bendOf(
  pool: Pool,
  op: string,
  [a, b]: readonly Expr[],
): { readonly op: 'le' | 'ge'; readonly left: Expr; readonly right: Expr } | undefined {
  switch (op) {
    case 'abs':
    case 'sign':
      return { op: 'ge', left: a!, right: pool.zero };
    case 'min':
      return { op: 'le', left: a!, right: b! };
    case 'max':
      return { op: 'ge', left: a!, right: b! };
    default:
      return undefined;
  }
}

/** The same value by the side of its bend. */
export function bent(pool: Pool, op: string, [a, b]: readonly Expr[], side: Expr): Expr {
  switch (op) {
    case 'abs':
      return pool.if(side, a!, pool.neg(a!));
    case 'sign':
      return pool.if(side, pool.one, pool.const(-1));
    default:
      return pool.if(side, a!, b!);
  }
}

/**
 * The model in which kinks cause events where the sorted mode differentiates their equations, or has to solve for what only one of their sides contains; the same one where none is
 * new.
 */
export function sharpen(model: GuardedModel, sorted: SortedMode): GuardedModel {
  const { kinks, equations } = model;
  const open = new Map(kinks.flatMap((kink) => (kink.sharp ? [] : [[kink.smooth, kink.bent]])));
  if (open.size === 0) return model;
  const found = new Set<Expr>();
  const look = (indices: readonly number[], isSharp: (bent: Expr) => boolean): void =>
    eachNode(
      indices.flatMap((index) => [equations[index]!.left, equations[index]!.right]),
      (node) => {
        const own = open.get(node);
        if (own && isSharp(own)) found.add(node);
      },
    );
  look(
    sorted.equations.flatMap(({ index, c }) => (c > 0 ? [index] : [])),
    () => true,
  );
  for (const block of sorted.blocks) {
    if (block.discrete) continue;
    const isUnknown = unknownIn(model, sorted, block);
    const present = block.equations.filter((index) => index < equations.length);
    look(present, (own) => differing([own], isUnknown).length > 0);
  }
  if (found.size === 0) return model;
  return { ...model, kinks: kinks.map((kink) => (found.has(kink.smooth) ? { ...kink, sharp: true } : kink)) };
}
