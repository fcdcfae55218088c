/**
 * Where Newton's method begins at initialisation: start values that are given for some unknowns of a system say something of others too. The equations of the
 * system, and those of what is computed from it, carry them there, as far as each gives one value by a formula; an unknown that is guessed and has no start value of its own gets what comes out. So
 * a start value of `r` in `r = b - a` places the point `b`, and lengths and angles follow.
 */
import { append } from '../../collections/groups.ts';
import { attempted } from '../../diagnostic/failure.ts';
import type { Alias, Block, SolveBlock } from '../../structure/analysis.ts';
import { leavesOf, unknownsOf } from '../../structure/analysis.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { solveFor } from '../../symbolic/solve.ts';
import type { RunValues } from '../evaluation.ts';

/** A value that follows from others. */
interface Step {
  readonly unknown: Ref;
  readonly value: Expr;
}

/** Start values that are given for variables of a mode, or for what they are aliases of. */
class GivenStarts {
  private readonly givenBy = new Map<number, { readonly symbol: number; readonly sign: 1 | -1 }>();

  constructor(
    private readonly values: RunValues,
    aliases: readonly Alias[],
  ) {
    const { scalars } = values.model;
    for (const { symbol, target, sign } of aliases)
      if (scalars[symbol]!.start && !scalars[target]!.start) this.givenBy.set(target, { symbol, sign });
  }

  has({ symbol, order }: Ref): boolean {
    return (
      order === 0 && (this.values.model.scalars[symbol]?.start !== undefined || this.givenBy.has(symbol))
    );
  }

  /** The start value; that which is taken where none is given. */
  of({ symbol, order }: Ref): number {
    if (order > 0 || !this.values.model.scalars[symbol]) return 0;
    const other = this.givenBy.get(symbol);
    return other ? other.sign * this.values.startOf(other.symbol) : this.values.startOf(symbol);
  }
}

/** Guesses for the systems among blocks that are computed one after the other. */
export function guessesOf(
  values: RunValues,
  aliases: readonly Alias[],
  blocks: readonly Block[],
): Map<Block, Guesses> {
  const guesses = new Map<Block, Guesses>();
  const starts = new GivenStarts(values, aliases);
  const isOpen = (block: Block): block is SolveBlock =>
    block.kind === 'solve' && !block.linear && block.tears.some((tear) => !starts.has(tear));
  if (!blocks.some(isOpen)) return guesses;
  const readers = new Map<Expr, Block[]>();
  for (const block of blocks)
    for (const leaf of new Set(leavesOf(block))) if (leaf.kind === 'ref') append(readers, leaf, block);
  for (const block of blocks) {
    if (!isOpen(block)) continue;
    const own = new Guesses(values, starts, block, dependents(block, readers));
    if (!own.isEmpty) guesses.set(block, own);
  }
  return guesses;
}

/** A block, and all that are computed from it. */
function dependents(block: Block, readers: ReadonlyMap<Expr, readonly Block[]>): Set<Block> {
  const found = new Set([block]);
  for (const one of found)
    for (const unknown of unknownsOf(one)) for (const other of readers.get(unknown) ?? []) found.add(other);
  return found;
}

/** Guesses for one system. */
export class Guesses {
  private readonly given: readonly Ref[];
  private readonly steps: readonly Step[];
  /** Unknowns that Newton's method guesses, and start values determine in this way. */
  private readonly guessed: readonly Ref[];

  constructor(
    private readonly values: RunValues,
    private readonly starts: GivenStarts,
    block: SolveBlock,
    blocks: Iterable<Block>,
  ) {
    const around = [...blocks];
    const unknowns = around.flatMap(unknownsOf);
    const given = unknowns.filter((unknown) => starts.has(unknown));
    const open = new Set<Expr>(block.tears.filter((tear) => !starts.has(tear)));
    const steps = given.length > 0 ? carried(values.pool, around, new Set(unknowns), new Set(given)) : [];
    this.guessed = steps.map(({ unknown }) => unknown).filter((unknown) => open.has(unknown));
    this.steps = needed(steps, this.guessed);
    const read = new Set(this.steps.flatMap(({ value }) => leaves(value)));
    this.given = given.filter((unknown) => read.has(unknown));
  }

  /** Whether start values say nothing. */
  get isEmpty(): boolean {
    return this.guessed.length === 0;
  }

  /** Calls `solve` with these guesses in the memory; where it reports a failure, once more with those that the memory held. */
  improve<T>(solve: () => T | undefined): T | undefined {
    const { values, starts } = this;
    // What is known better than by start values stays.
    const fresh = this.guessed.filter((unknown) => values.get(unknown) === starts.of(unknown));
    if (fresh.length === 0) return solve();
    const before = values.saved();
    const found = this.found(fresh);
    values.memory.values.set(before);
    if (!found) return solve();
    for (const [k, unknown] of fresh.entries()) values.set(unknown, found[k]!);
    if (solve() === undefined) return undefined;
    values.memory.values.set(before);
    return solve();
  }

  /** Values of unknowns; undefined where some have none, or none differs. The memory is not what it was. */
  private found(unknowns: readonly Ref[]): number[] | undefined {
    const { values, starts } = this;
    const before = unknowns.map((unknown) => values.get(unknown));
    for (const unknown of this.given) values.set(unknown, starts.of(unknown));
    const isDone = attempted(() => {
      for (const { unknown, value } of this.steps) values.set(unknown, values.evaluate(value));
      return true;
    });
    const found = unknowns.map((unknown) => values.get(unknown));
    const isOther = found.some((value, k) => value !== before[k]);
    return isDone && isOther && found.every(Number.isFinite) ? found : undefined;
  }
}

/** What follows, one value after the other, from unknowns that are known. */
function carried(
  pool: Pool,
  blocks: readonly Block[],
  unknowns: ReadonlySet<Expr>,
  known: Set<Expr>,
): Step[] {
  const equations = blocks
    .flatMap((block): { left: Expr; right: Expr }[] => {
      if (block.kind === 'assign') return [{ left: block.unknown, right: block.value }];
      const inner = block.inner.map(({ unknown, value }) => ({ left: unknown, right: value }));
      return [...inner, ...block.residuals.map((residual) => ({ left: residual, right: pool.zero }))];
    })
    .map(({ left, right }) => {
      const own = new Set([...leaves(left), ...leaves(right)].filter((leaf) => unknowns.has(leaf)));
      return { left, right, own };
    });
  const equationsOf = new Map<Expr, typeof equations>();
  for (const equation of equations)
    for (const unknown of equation.own) append(equationsOf, unknown, equation);
  const steps: Step[] = [];
  const ready = [...equations];
  for (let equation = ready.pop(); equation; equation = ready.pop()) {
    const [unknown, ...others] = [...equation.own].filter((leaf) => !known.has(leaf));
    if (unknown?.kind !== 'ref' || others.length > 0) continue;
    const solution = solveFor(pool, equation.left, equation.right, unknown);
    if (!solution) continue;
    steps.push({ unknown, value: solution.value });
    known.add(unknown);
    ready.push(...equationsOf.get(unknown)!);
  }
  return steps;
}

/** Those of the steps that lead to the unknowns. */
function needed(steps: readonly Step[], unknowns: readonly Ref[]): Step[] {
  const wanted = new Set<Expr>(unknowns);
  const taken: Step[] = [];
  for (const step of [...steps].reverse()) {
    if (!wanted.has(step.unknown)) continue;
    taken.unshift(step);
    for (const leaf of leaves(step.value)) wanted.add(leaf);
  }
  return taken;
}
