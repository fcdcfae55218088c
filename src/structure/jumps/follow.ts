/**
 * Left limits that follow from start values. Where a variable with a fixed start value comes into being, so do others that constraints tie to
 * it: with `q = C*v` a fixed voltage says what the charge begins with. What follows from no start value is free (`jumps.ts`).
 *
 * First come constraints among new variables: what is new is known from itself before it is joined with anything. Then those with variables that
 * existed, and last pairs by way of such, so that it does not matter in which order three are joined. Where start
 * values contradict each other, nothing follows from both.
 */
import { remember } from '../../collections/memo.ts';
import { leaves, substitute } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { type Block, leavesOf, type SortedMode, unknownsOf } from '../analysis.ts';
import type { Knowledge } from '../nonzero.ts';
import { Numbering } from '../numbering.ts';
import { type SystemEquation, sortSystem } from '../sort.ts';
import type { Switching } from './jumps.ts';

export interface Followers {
  /** Symbols of the new variables whose values of level 1 follow. */
  readonly symbols: ReadonlySet<number>;
  /** What computes them. */
  readonly blocks: readonly Block[];
}

/**
 * `begun` are all new variables, `free` those of them without a start value that is fixed; `fresh` makes new leaves. What relations say
 * follows from the values, too.
 */
export function followersOf(
  pool: Pool,
  { variables, equations }: SortedMode,
  begun: ReadonlySet<number>,
  free: ReadonlySet<number>,
  fresh: () => Ref,
  { relationOf }: Switching,
  knowledge: Knowledge,
): Followers {
  // A start value is one of level 1 only where the variable is differentiated once.
  const known = new Set<Expr>();
  for (const { symbol, d } of variables)
    if (d === 1 && begun.has(symbol) && !free.has(symbol)) known.add(pool.ref(symbol));
  const columnOf = new Numbering(variables);
  const isLevelOne = (leaf: Expr): leaf is Ref =>
    leaf.kind === 'ref' &&
    columnOf.has(leaf.symbol) &&
    variables[columnOf.of(leaf.symbol)]!.d === leaf.order + 1;
  const constraints = equations.flatMap(({ index, c, residuals }): Constraint[] => {
    const held = residuals[c - 1];
    if (!held) return [];
    const residual = substitute(pool, held, (leaf) => {
      const relation = leaf.kind === 'held' ? relationOf(leaf.relation) : undefined;
      return relation && pool.apply(relation.op, relation.indicator, pool.zero);
    });
    return [{ index, residual, refs: leaves(residual).filter(isLevelOne) }];
  });
  const blocks: Block[] = [];
  const determine = (among: readonly Constraint[], isUnknown: (ref: Ref) => boolean): void => {
    const found = determined(pool, among, known, isUnknown, equations.length, knowledge);
    blocks.push(...found);
    for (const unknown of found.flatMap(unknownsOf)) known.add(unknown);
  };
  const isNew = ({ symbol }: Ref) => begun.has(symbol);
  if (known.size > 0) {
    determine(
      constraints.filter(({ refs }) => refs.every(isNew)),
      isNew,
    );
    determine(constraints, isNew);
    const others = new Map<Expr, Ref>();
    const other = (ref: Ref): Ref => (isNew(ref) ? ref : remember(others, ref, fresh));
    const pairs = constraints.filter(({ refs }) => refs.length === 2);
    const joined = pairs.map(({ index, residual, refs }) => ({
      index,
      residual: substitute(pool, residual, (leaf) => (isLevelOne(leaf) ? other(leaf) : undefined)),
      refs: refs.map(other),
    }));
    determine(joined, () => true);
  }
  const symbols = blocks.flatMap(unknownsOf).map(({ symbol }) => symbol);
  return { symbols: new Set(symbols.filter((symbol) => begun.has(symbol))), blocks };
}

/** A constraint in the derivative that fixes values of level 1, and these. */
interface Constraint {
  readonly index: number;
  readonly residual: Expr;
  readonly refs: readonly Ref[];
}

/** Blocks that compute what follows from what is known, of the unknowns that constraints tie to it; `guess` is no index of an equation. */
function determined(
  pool: Pool,
  constraints: readonly Constraint[],
  known: ReadonlySet<Expr>,
  isUnknown: (ref: Ref) => boolean,
  guess: number,
  knowledge: Knowledge,
): readonly Block[] {
  const reached = new Set<Expr>(known);
  const own = new Set<Constraint>();
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const constraint of constraints) {
      if (own.has(constraint) || !constraint.refs.some((ref) => reached.has(ref))) continue;
      own.add(constraint);
      for (const ref of constraint.refs) if (isUnknown(ref)) reached.add(ref);
    }
  }
  const unknowns = [...reached].filter((ref): ref is Ref => ref.kind === 'ref' && !known.has(ref));
  if (unknowns.length === 0) return [];
  const rows = [...own];
  const optional: SystemEquation[] = [
    ...rows.map(({ index, residual }) => ({ index, left: residual, right: pool.zero })),
    ...unknowns.map((unknown) => ({ index: guess, left: unknown, right: pool.time })),
  ];
  const result = sortSystem(pool, { equations: [], optional, unknowns }, knowledge);
  if (result.kind === 'singular') return [];
  const used = new Set(result.used);
  const unused = rows.filter((_, k) => !used.has(k)).flatMap(({ refs }) => refs);
  return withoutDoubt(result.blocks, new Set(unused.filter((ref) => !known.has(ref))), guess);
}

/** Blocks that use no guess, and nothing that constraints contradict: what stands in one that was not used, and all that it follows from. */
function withoutDoubt(blocks: readonly Block[], doubtful: Set<Expr>, guess: number): readonly Block[] {
  const computed = new Set<Expr>(blocks.flatMap(unknownsOf));
  const unknownsIn = (block: Block) => leavesOf(block).filter((leaf) => computed.has(leaf));
  for (const block of blocks.toReversed()) {
    if (!unknownsOf(block).some((unknown) => doubtful.has(unknown))) continue;
    for (const leaf of [...unknownsIn(block), ...unknownsOf(block)]) doubtful.add(leaf);
  }
  return blocks.filter((block) => {
    const own = unknownsOf(block);
    const isSure =
      !block.equations.includes(guess) && ![...own, ...unknownsIn(block)].some((leaf) => doubtful.has(leaf));
    if (!isSure) for (const unknown of own) doubtful.add(unknown);
    return isSure;
  });
}
