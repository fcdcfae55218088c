/**
 * The order of computation: from matched nodes to kernels, loops that are run one after the other. A node needs the nodes that
 * determine what it reads. What hangs together in a circle is still no system of equations where every element waits for
 * elements before it (or for elements after it): then the nodes are computed in one loop, each shifted against the
 * others as far as its readers ask for. With s the shifts and δ the distance from a turn of the reader to
 * the turn that writes what it reads, this is the system of difference constraints sₐ - s_b ≥ δ, solved by
 * longest paths (Bellman and Ford). Nodes that need each other within one turn are solved for each other by elimination. What is left are systems of
 * equations through arrays (`systems.ts`).
 */

import { incidenceOf } from '../../collections/incidence.ts';
import { sameItems } from '../../collections/lists.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import { sortBlocks } from '../../structure/graph/blt.ts';
import { dependsOn, substitute } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { linear } from '../../symbolic/solve.ts';
import { type Affine, accessTo, affineOf, indexValue, isAccess, isReduction } from '../elements/affine.ts';
import type { Kernel, KernelStatement } from '../elements/kernel.ts';
import { eachAccess, eachElement, movingExtents } from '../elements/nodes.ts';
import type { Divisors } from './divisors.ts';
import type { Match, MatchingMismatch } from './match.ts';
import { systemKernels } from './systems.ts';
import { noteIn, type Spread, Writers } from './writers.ts';

/** Statements that hang together in a circle: more are left to the scalar part. */
const mostTogether = 200;

export function orderMatches(
  pool: Pool,
  matches: readonly Match[],
  divisors: Divisors,
  addHidden?: (dims: readonly number[]) => number,
): readonly Kernel[] | MatchingMismatch {
  const writers = new Writers(
    matches.map(({ target, node }, writer) => ({ target, extents: node.extents, writer })),
  );
  const needs = matches.map((match) => {
    pulse();
    return neededBy(writers, match);
  });
  const kernels: Kernel[] = [];
  for (const block of blocksOf(needs.map((list) => [...list.keys()]))) {
    const members = block.sort((x, y) => x - y);
    const own = members.map((m) => matches[m]!);
    let found =
      members.length === 1
        ? single(own[0]!, needs[members[0]!]!.get(members[0]!))
        : together(pool, own, distances(members, needs), divisors);
    if (!found && addHidden) {
      found = systemKernels(pool, own, addHidden);
      // A matrix may turn out to be singular.
      divisors.assumed ||= found !== undefined;
    }
    if (!found) return { symbols: members.map((m) => matches[m]!.target.symbol) };
    kernels.push(...found);
  }
  return kernels;
}

/** What has to be computed together, each block after those that it needs; `needs` are given by item. */
function blocksOf(needs: readonly (readonly number[])[]): number[][] {
  const graph = incidenceOf(
    needs.map((list, k) => [k, ...list]),
    needs.length,
  );
  const own = Int32Array.from(needs.keys());
  const { order, starts } = sortBlocks(graph, own, own);
  return Array.from(starts.subarray(1), (end, b) => [...order.subarray(starts[b]!, end)]);
}

/** The matches that one reads from, with the distances from its turns to those that write what they read. */
function neededBy(writers: Writers, { node, target, value }: Match): Map<number, Spread> {
  const needed = new Map<number, Spread>();
  const loops = node.extents.length;
  eachAccess(value, node.extents, (access, extents) => {
    const known = writers.of(access);
    if (!known) return;
    const inner = sizeOf(extents.slice(loops));
    // Loops that do not move the access read the same again: some turn reads it, whichever it is.
    const moving = access.symbol === target.symbol ? extents : movingExtents(access, extents);
    const isExact = moving.every((n, k) => n === extents[k]);
    eachElement(access, moving, (element, count) => {
      const writer = known.writer[element];
      if (writer === undefined || writer < 0) return;
      if (isExact) noteIn(needed, writer, known.turn[element]! - Math.floor(count / inner));
      else needed.set(writer, { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY });
    });
  });
  return needed;
}

/** One node, in the direction that its own elements ask for. */
function single({ node, target, value }: Match, self: Spread | undefined): Kernel[] | undefined {
  const kernel = { extents: node.extents, statements: [{ target, value }] };
  if (!self) return [{ ...kernel, reversed: false, parallel: true }];
  const coupled = self.least !== self.most;
  if (self.most < 0) return [{ ...kernel, reversed: false, parallel: false, coupled }];
  if (self.least > 0) return [{ ...kernel, reversed: true, parallel: false, coupled }];
  return undefined;
}

// ------------------------------------------------------------------ nodes that need each other

interface Edge {
  readonly reader: number;
  readonly writer: number;
  readonly distance: Spread;
}

function distances(members: readonly number[], needs: readonly Map<number, Spread>[]): Edge[] {
  const position = new Map(members.map((m, k) => [m, k]));
  return members.flatMap((member, reader) =>
    [...needs[member]!].flatMap(([needed, distance]) => {
      const writer = position.get(needed);
      return writer === undefined ? [] : [{ reader, writer, distance }];
    }),
  );
}

function together(
  pool: Pool,
  matches: readonly Match[],
  edges: readonly Edge[],
  divisors: Divisors,
): Kernel[] | undefined {
  if (matches.length > mostTogether) return undefined;
  if (matches.some(({ node }) => node.extents.length > 1))
    return inTheSameTurns(pool, matches, edges, divisors);
  for (const reversed of [false, true]) {
    const weights = edges.map(({ distance }) => (reversed ? -distance.least : distance.most));
    const shifts = shiftsOf(matches.length, edges, weights);
    if (!shifts) continue;
    const coupled = handedOn(edges, shifts, reversed) > 1;
    return new Fusion(pool, matches, shifts, reversed, divisors)
      .kernels()
      ?.map((kernel) => ({ ...kernel, coupled }));
  }
  return undefined;
}

/** Loops in loops share a nest where they need each other within turns alone, as the two sides of a face between cells of a grid do. */
function inTheSameTurns(
  pool: Pool,
  matches: readonly Match[],
  edges: readonly Edge[],
  divisors: Divisors,
): Kernel[] | undefined {
  const { extents } = matches[0]!.node;
  const isNest = ({ node }: Match) => sameItems(node.extents, extents);
  if (!matches.every(isNest) || edges.some(({ distance }) => distance.least !== 0 || distance.most !== 0))
    return undefined;
  const statements = inOrder(pool, matches, divisors);
  return statements && [{ extents, reversed: false, statements, parallel: true }];
}

/** Least shifts with s[reader] - s[writer] ≥ weight; undefined where a circle asks for more and more. */
function shiftsOf(count: number, edges: readonly Edge[], weights: readonly number[]): number[] | undefined {
  const shifts = new Array<number>(count).fill(0);
  for (let round = 0; round <= count; round++) {
    let changed = false;
    edges.forEach(({ reader, writer }, k) => {
      const least = shifts[writer]! + weights[k]!;
      if (shifts[reader]! >= least) return;
      shifts[reader] = least;
      changed = true;
    });
    if (!changed) return shifts.every(Number.isFinite) ? shifts : undefined;
  }
  return undefined;
}

/** How many values turns read of turns before them. */
function handedOn(edges: readonly Edge[], shifts: readonly number[], reversed: boolean): number {
  const handed = new Set<string>();
  for (const { reader, writer, distance } of edges)
    for (const apart of [distance.least, distance.most]) {
      const age = shifts[reader]! - shifts[writer]! - (reversed ? -apart : apart);
      if (age > 0) handed.add(`${writer} ${age}`);
    }
  return handed.size;
}

/** Several nodes in one loop over time: turn c of node k comes at time c + s (or s - c where loops run backwards). */
class Fusion {
  constructor(
    private readonly pool: Pool,
    private readonly matches: readonly Match[],
    private readonly shifts: readonly number[],
    private readonly reversed: boolean,
    private readonly divisors: Divisors,
  ) {}

  /** One kernel for each span of time in which the same nodes have turns. */
  kernels(): Kernel[] | undefined {
    const spans = this.matches.map((_, k) => this.span(k));
    const times = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
    const kernels: Kernel[] = [];
    for (let i = 0; i + 1 < times.length; i++) {
      const [from, to] = [times[i]!, times[i + 1]!];
      const active = this.matches.flatMap((_, k) =>
        spans[k]!.from <= from && spans[k]!.to >= to ? [k] : [],
      );
      if (active.length === 0) continue;
      // A node with one turn names its elements by number. Beside it, others must do so, too: then equal elements are equal expressions.
      const isOnce = to - from === 1 && active.some((k) => this.turns(k) === 1);
      const unordered = active.map((k) => this.statement(k, from, to, isOnce));
      const statements = inOrder(this.pool, unordered, this.divisors);
      if (!statements) return undefined;
      kernels.push({ extents: [to - from], reversed: this.reversed, statements, parallel: false });
    }
    return kernels;
  }

  /** Times of the turns of a node. */
  private span(k: number): { from: number; to: number } {
    const turns = this.turns(k);
    const shift = this.shifts[k]!;
    return this.reversed ? { from: shift - turns + 1, to: shift + 1 } : { from: shift, to: shift + turns };
  }

  private turns(k: number): number {
    return this.matches[k]!.node.extents[0] ?? 1;
  }

  /** The statement of a node with the counter of the span instead of its own, or with a number where the span has one turn. */
  private statement(k: number, from: number, to: number, isOnce: boolean): KernelStatement {
    const shift = this.shifts[k]!;
    const first = this.reversed ? shift - to + 1 : from - shift;
    return composedStatement(this.pool, this.matches[k]!, [{ base: first, strides: [isOnce ? 0 : 1] }]);
  }
}

export function composedStatement(
  pool: Pool,
  { target, value }: KernelStatement,
  counters: readonly Affine[],
): KernelStatement {
  return { target: composed(pool, target, counters) as Ref, value: composed(pool, value, counters) };
}

/** An expression with its first counters replaced by functions of other counters; those of reductions stay. */
export function composed(pool: Pool, expr: Expr, counters: readonly Affine[]): Expr {
  return substitute(pool, expr, (node, below) => {
    if (node.kind === 'ref' && isAccess(node)) return composedAccess(pool, node, counters);
    if (node.kind === 'iter' && counters[node.iterator]) return indexValue(pool, counters[node.iterator]!);
    if (isReduction(node)) return pool.raw(node.op, [below[0]!, ...node.args.slice(1)]);
    return undefined;
  });
}

function composedAccess(pool: Pool, access: Ref, counters: readonly Affine[]): Ref {
  const { base, strides } = affineOf(access);
  const result: number[] = [];
  let first = base;
  strides.forEach((stride, k) => {
    const counter = counters[k];
    if (!counter) {
      result[k] = (result[k] ?? 0) + stride;
      return;
    }
    first += stride * counter.base;
    counter.strides.forEach((s, d) => {
      result[d] = (result[d] ?? 0) + stride * s;
    });
  });
  return accessTo(pool, access.symbol, access.order, {
    base: first,
    strides: Array.from(result, (s) => s ?? 0),
  });
}

/** Statements of one turn, each after those it needs; those that need each other are solved by elimination. */
function inOrder(
  pool: Pool,
  statements: readonly KernelStatement[],
  divisors: Divisors,
): KernelStatement[] | undefined {
  const needs = statements.map(({ value }) =>
    statements.flatMap(({ target }, other) => (dependsOn(value, target) ? [other] : [])),
  );
  const result: KernelStatement[] = [];
  for (const block of blocksOf(needs)) {
    const members = block.map((k) => statements[k]!);
    const alone = members.length === 1 && !dependsOn(members[0]!.value, members[0]!.target);
    const solved = alone ? members : eliminated(pool, members, divisors);
    if (!solved) return undefined;
    result.push(...solved);
  }
  return result;
}

/** Largest system that is solved by formulas. */
const mostEliminated = 12;

/** `xₖ = fₖ(x)`, linear in x: each is solved for its own unknown and put into those that follow. */
function eliminated(
  pool: Pool,
  statements: readonly KernelStatement[],
  divisors: Divisors,
): KernelStatement[] | undefined {
  if (statements.length > mostEliminated) return undefined;
  const solved: KernelStatement[] = [];
  for (const { target, value } of statements) {
    let own = value;
    for (const before of solved)
      own = substitute(pool, own, (node) => (node === before.target ? before.value : undefined));
    const parts = linear(pool, own, target);
    if (!parts) return undefined;
    const pivot = pool.sub(pool.one, parts.coefficient);
    if (!divisors.allows(pivot, target)) return undefined;
    solved.push({ target, value: pool.quotient(parts.rest, pivot) });
  }
  // Backwards: the last one holds no other unknown, the one before it only that, and so on.
  return solved.reverse();
}
