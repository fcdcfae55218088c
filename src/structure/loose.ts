/**
 * Potentials that values may leave open. Behind a valve that is closed, `m_flow = opening*dp` with `opening = 0` says nothing about the pressure where nothing else flows either. Structure
 * does not show that, since the valve may open: the equations are a linear system with one unknown, whose coefficient is zero for a while. Where its right-hand side is zero, too, every value is a
 * solution, and the one that was there stays.
 *
 * As in `linear/floating.ts`, what is chosen is a potential or moves one, and no flow depends on it: which of two paths without resistance carries a flow is no matter of choice. Flows of the system
 * itself must have coefficients that are zero as well.
 */
import { append } from '../collections/groups.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { type Block, leavesOf, type SolveBlock, unknownsOf } from './analysis.ts';

/** What is known of symbols, those included that are equal to them. */
export interface Kinds {
  readonly isPotential: (symbol: number) => boolean;
  readonly isFlow: (symbol: number) => boolean;
}

/** What a block may leave open. */
export interface Loose {
  /** The potential that is chosen, or moves with what is. */
  readonly potential: Ref;
  /** Flows in the block: they must not depend on the choice. */
  readonly flows: readonly Ref[];
}

export type LooseBlocks = ReadonlyMap<Block, Loose>;

/** Those of the blocks of a mode, or of an initial system, that keep their values where they do not determine them. */
export function looseBlocks(blocks: readonly Block[], { isPotential, isFlow }: Kinds): LooseBlocks {
  const loose = new Map<Block, Loose>();
  const candidates = blocks.filter(
    (block): block is SolveBlock =>
      block.kind === 'solve' && block.linear && !block.discrete && block.tears.length === 1,
  );
  if (candidates.length === 0) return loose;
  const readers = new Map<Expr, Block[]>();
  for (const block of blocks)
    for (const leaf of new Set(leavesOf(block))) if (leaf.kind === 'ref') append(readers, leaf, block);
  for (const candidate of candidates) {
    const own = unknownsOf(candidate);
    const flows = own.filter(({ symbol }) => isFlow(symbol));
    const moved = new Set(own.filter((unknown) => !flows.includes(unknown)));
    let isFree = true;
    for (const unknown of moved) {
      isFree &&= unknown.order === 0 && !isFlow(unknown.symbol);
      for (const reader of readers.get(unknown) ?? [])
        if (reader !== candidate) for (const one of unknownsOf(reader)) moved.add(one);
    }
    const potential = [...moved].find(({ symbol }) => isPotential(symbol));
    if (isFree && potential) loose.set(candidate, { potential, flows });
  }
  return loose;
}
