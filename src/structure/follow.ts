/**
 * Left limits that follow from start values. Where a variable with a fixed start value comes into being, so do others that constraints tie to
 * it: with `q = C*v` a fixed voltage says what the charge begins with. What follows from no start value is free (`jumps.ts`).
 *
 * Of constraints that are too many, those among new variables come first: what is new is known from itself before it is joined with anything.
 */
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Knowledge } from './nonzero.ts';
import { Numbering } from './numbering.ts';
import { type SystemEquation, sortSystem } from './sort.ts';
import { type Block, type SortedMode, unknownsOf } from './sorted.ts';

export interface Followers {
  /** Symbols of the new variables whose values of level 1 follow. */
  readonly symbols: ReadonlySet<number>;
  /** What computes them. */
  readonly blocks: readonly Block[];
}

/** `begun` are all new variables, `free` those of them without a start value that is fixed. */
export function followersOf(
  pool: Pool,
  sorted: SortedMode,
  begun: ReadonlySet<number>,
  free: ReadonlySet<number>,
  knowledge: Knowledge,
): Followers {
  const { variables, equations } = sorted;
  const columnOf = new Numbering(variables);
  const isLevelOne = (leaf: Expr): leaf is Ref =>
    leaf.kind === 'ref' &&
    columnOf.has(leaf.symbol) &&
    variables[columnOf.of(leaf.symbol)]!.d === leaf.order + 1;
  // A start value is one of level 1 only where the variable is differentiated once.
  const isKnown = ({ symbol, order }: Ref) => !begun.has(symbol) || (order === 0 && !free.has(symbol));
  const constraints = equations.flatMap(({ index, c, residuals }) =>
    c > 0 ? [{ index, left: residuals[c - 1]!, refs: leaves(residuals[c - 1]!).filter(isLevelOne) }] : [],
  );
  const reached = new Set<Expr>();
  for (const { symbol, d } of variables)
    if (d === 1 && begun.has(symbol) && !free.has(symbol)) reached.add(pool.ref(symbol));
  const own: typeof constraints = [];
  for (let before = -1; before !== own.length; ) {
    before = own.length;
    for (const constraint of constraints) {
      if (own.includes(constraint) || !constraint.refs.some((ref) => reached.has(ref))) continue;
      own.push(constraint);
      for (const ref of constraint.refs) if (!isKnown(ref)) reached.add(ref);
    }
  }
  const unknowns = [...reached].filter((ref): ref is Ref => ref.kind === 'ref' && !isKnown(ref));
  if (unknowns.length === 0) return { symbols: none, blocks: [] };
  const isNew = ({ refs }: (typeof own)[number]) => refs.every((ref) => begun.has(ref.symbol));
  const ordered = [...own.filter(isNew), ...own.filter((constraint) => !isNew(constraint))];
  const guess = equations.length;
  const optional: SystemEquation[] = [
    ...ordered.map(({ index, left }) => ({ index, left, right: pool.zero })),
    ...unknowns.map((unknown) => ({ index: guess, left: unknown, right: pool.time })),
  ];
  const result = sortSystem(pool, { equations: [], optional, unknowns }, knowledge);
  return result.kind === 'sorted' ? withoutGuesses(result.blocks, guess) : { symbols: none, blocks: [] };
}

const none: ReadonlySet<number> = new Set();

/** Blocks that use no guess. */
function withoutGuesses(blocks: readonly Block[], guess: number): Followers {
  const guessed = new Set<Expr>();
  const kept = blocks.filter((block) => {
    const isGuessed = block.equations.includes(guess) || usedBy(block).some((leaf) => guessed.has(leaf));
    if (isGuessed) for (const unknown of unknownsOf(block)) guessed.add(unknown);
    return !isGuessed;
  });
  return { symbols: new Set(kept.flatMap(unknownsOf).map(({ symbol }) => symbol)), blocks: kept };
}

function usedBy(block: Block): readonly Expr[] {
  const all =
    block.kind === 'assign' ? [block.value] : [...block.residuals, ...block.inner.map((i) => i.value)];
  return all.flatMap(leaves);
}
