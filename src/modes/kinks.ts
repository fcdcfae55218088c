/**
 * Kinks: `abs`, `min`, `max` and `sign` cause no events (specification 3.7.1), and need none while a solution only passes through them. In an
 * equation that a mode differentiates they do: the derivative jumps there, and with it velocities, as when a prescribed path has a bend.
 * So each of them has a relation of its own that is idle, until a mode shows that it differentiates the equation; from then on it
 * is a conditional expression, and the bend is an event.
 */
import type { SortedMode } from '../structure/analysis.ts';
import { eachNode } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { GuardedModel } from './guarded.ts';

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

/** The model in which kinks cause events where the sorted mode differentiates their equations; the same one where none is new. */
export function sharpen(model: GuardedModel, sorted: SortedMode): GuardedModel {
  const { kinks, equations } = model;
  const open = new Set(kinks.flatMap((kink) => (kink.sharp ? [] : [kink.smooth])));
  if (open.size === 0) return model;
  const found = new Set<Expr>();
  const differentiated = sorted.equations.flatMap(({ index, c }) => (c > 0 ? [equations[index]!] : []));
  eachNode(
    differentiated.flatMap(({ left, right }) => [left, right]),
    (node) => {
      if (open.has(node)) found.add(node);
    },
  );
  if (found.size === 0) return model;
  return { ...model, kinks: kinks.map((kink) => (found.has(kink.smooth) ? { ...kink, sharp: true } : kink)) };
}
