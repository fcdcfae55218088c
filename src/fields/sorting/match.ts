/**
 * Which node determines what: each node is solved for one access, and the elements that the nodes are solved for tile every
 * unknown array exactly. Found by peeling: a node with one possibility left takes it, an element with one node
 * left gets it. Where neither is there, something is guessed, most natural first, and taken back if it leads nowhere.
 *
 * A scalar node is an equation of single elements. It may determine one of them, or stay in the scalar part; it is taken only
 * where an element has no other.
 */

import { append } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { solveFor } from '../../symbolic/solve.ts';
import { affineOf, isAccess } from '../elements/affine.ts';
import { elementsOf, type FieldNode, referencesIn } from '../elements/nodes.ts';
import type { Divisors } from './divisors.ts';

/** A node and what it determines. */
export interface Match {
  readonly node: FieldNode;
  readonly target: Ref;
  readonly value: Expr;
}

/** What must be determined. */
export interface Unknown {
  readonly symbol: number;
  readonly size: number;
  /** 1 where the derivative is what is unknown. */
  readonly order: 0 | 1;
  /** A scalar: the scalar part may determine it instead. */
  readonly optional: boolean;
}

/** Why there is no matching: these unknowns, or this node, cannot be part of it. */
export interface MatchingMismatch {
  readonly symbols: readonly number[];
}

/** A reference that a node can be solved for. */
interface Candidate {
  readonly node: number;
  readonly target: Ref;
  readonly value: Expr;
  readonly elements: Int32Array;
  /** How natural it is: most where it stands alone on a side, least where something is assumed. */
  readonly rank: number;
}

const mostGuesses = 200;

export function match(
  nodes: readonly FieldNode[],
  unknowns: ReadonlyMap<number, Unknown>,
  solutions: Solutions,
): readonly Match[] | MatchingMismatch {
  const matching = new Matching(nodes, unknowns, solutions);
  const mismatch = matching.hopeless() ?? matching.run();
  return mismatch ?? matching.matches();
}

class Matching {
  private readonly candidates: (readonly Candidate[])[];
  private readonly covering = new Map<number, Candidate[]>();
  private chosen: (Candidate | undefined)[];
  /** By unknown and element: the node that determines it, or -1. */
  private owners: Map<number, Int32Array>;
  private guesses = 0;

  constructor(
    private readonly nodes: readonly FieldNode[],
    private readonly unknowns: ReadonlyMap<number, Unknown>,
    solutions: Solutions,
  ) {
    this.candidates = nodes.map((node, k) => candidatesOf(node, k, unknowns, solutions));
    for (const list of this.candidates)
      for (const candidate of list) append(this.covering, candidate.target.symbol, candidate);
    this.chosen = nodes.map(() => undefined);
    this.owners = new Map(
      [...unknowns.values()].map(({ symbol, size }) => [symbol, new Int32Array(size).fill(-1)]),
    );
  }

  matches(): Match[] {
    return this.chosen.flatMap((candidate, k) =>
      candidate ? [{ node: this.nodes[k]!, target: candidate.target, value: candidate.value }] : [],
    );
  }

  /** Everything that cannot be matched whatever is chosen. */
  hopeless(): MatchingMismatch | undefined {
    const symbols = new Set<number>();
    for (const [k, node] of this.nodes.entries())
      if (!node.scalar && this.candidates[k]!.length === 0)
        for (const symbol of this.symbolsOf(node)) symbols.add(symbol);
    for (const unknown of this.unknowns.values())
      if (!unknown.optional && this.forced(unknown) === 'none') symbols.add(unknown.symbol);
    return symbols.size > 0 ? { symbols: [...symbols] } : undefined;
  }

  run(): MatchingMismatch | undefined {
    const problem = this.peel();
    if (problem) return problem;
    const options = this.options();
    if (!options) return undefined;
    let first: MatchingMismatch | undefined;
    for (const option of options) {
      if (++this.guesses > mostGuesses) break;
      const { chosen, owners } = this;
      this.chosen = [...chosen];
      this.owners = new Map([...owners].map(([symbol, list]) => [symbol, list.slice()]));
      this.take(option);
      const failed = this.run();
      if (!failed) return undefined;
      first ??= failed;
      this.chosen = chosen;
      this.owners = owners;
    }
    return first ?? { symbols: [options[0]!.target.symbol] };
  }

  /** Takes what is forced until nothing is. */
  private peel(): MatchingMismatch | undefined {
    for (let changed = true; changed; ) {
      changed = false;
      const failed = new Set<number>();
      for (const [k, node] of this.nodes.entries()) {
        if (node.scalar || this.chosen[k]) continue;
        const open = this.candidates[k]!.filter((c) => this.isOpen(c));
        if (open.length === 0) for (const symbol of this.symbolsOf(node)) failed.add(symbol);
        if (open.length !== 1) continue;
        this.take(open[0]!);
        changed = true;
      }
      if (failed.size > 0) return { symbols: [...failed] };
      for (const unknown of this.unknowns.values()) {
        if (unknown.optional) continue;
        const forced = this.forced(unknown);
        if (forced === 'none') return { symbols: [unknown.symbol] };
        if (!forced) continue;
        this.take(forced);
        changed = true;
      }
    }
    return undefined;
  }

  private symbolsOf(node: FieldNode): number[] {
    const symbols = new Set(referencesIn(node.left, node.right).map(({ symbol }) => symbol));
    return [...symbols].filter((symbol) => this.unknowns.get(symbol)?.optional === false);
  }

  private isOpen({ node, target, elements }: Candidate): boolean {
    if (this.chosen[node]) return false;
    const owners = this.owners.get(target.symbol)!;
    for (let k = 0; k < elements.length; k++) if (owners[elements[k]!] !== -1) return false;
    return true;
  }

  private take(candidate: Candidate): void {
    this.chosen[candidate.node] = candidate;
    const owners = this.owners.get(candidate.target.symbol)!;
    const { node, elements } = candidate;
    for (let k = 0; k < elements.length; k++) owners[elements[k]!] = node;
  }

  /** The only candidate for some element of an unknown; `none` where an element has none at all. */
  private forced({ symbol, size }: Unknown): Candidate | 'none' | undefined {
    const owners = this.owners.get(symbol)!;
    if (!owners.includes(-1)) return undefined;
    const open = (this.covering.get(symbol) ?? []).filter((c) => this.isOpen(c));
    const counts = new Int32Array(size);
    for (const { elements } of open) for (let k = 0; k < elements.length; k++) counts[elements[k]!]!++;
    let isAny = false;
    for (let element = 0; element < size; element++) {
      if (owners[element] !== -1) continue;
      if (counts[element] === 0) return 'none';
      isAny ||= counts[element] === 1;
    }
    return isAny ? open.find(({ elements }) => elements.some((e) => counts[e] === 1)) : undefined;
  }

  /** What can be tried next, most natural first; undefined when everything is determined. */
  private options(): Candidate[] | undefined {
    let best: Candidate[] | undefined;
    const consider = (open: Candidate[]): void => {
      if (!best || open.length < best.length) best = open;
    };
    for (const [k, node] of this.nodes.entries()) {
      if (node.scalar || this.chosen[k]) continue;
      consider(this.candidates[k]!.filter((c) => this.isOpen(c)));
    }
    for (const { symbol, optional } of this.unknowns.values()) {
      const element = this.owners.get(symbol)!.indexOf(-1);
      if (optional || element < 0) continue;
      consider(this.covering.get(symbol)!.filter((c) => this.isOpen(c) && c.elements.includes(element)));
    }
    return best && [...best].sort((a, b) => b.rank - a.rank);
  }
}

/** The accesses that a node can be solved for. */
function candidatesOf(
  node: FieldNode,
  index: number,
  unknowns: ReadonlyMap<number, Unknown>,
  solutions: Solutions,
): Candidate[] {
  const targets = new Set(referencesIn(node.left, node.right));
  return [...targets].flatMap((target): Candidate[] => {
    if (unknowns.get(target.symbol)?.order !== target.order) return [];
    const solution = solutions.of(node, target);
    return solution ? [{ node: index, target, ...solution }] : [];
  });
}

/** A node solved for an access. */
interface Solved {
  readonly value: Expr;
  readonly elements: Int32Array;
  readonly rank: number;
}

/** Nodes solved for their accesses, each once however often a model is tried. */
export class Solutions {
  private readonly known = new Map<FieldNode, Map<Ref, Solved | undefined>>();

  constructor(
    private readonly pool: Pool,
    private readonly divisors: Divisors,
  ) {}

  of(node: FieldNode, target: Ref): Solved | undefined {
    const solved = remember(this.known, node, () => new Map());
    if (!solved.has(target)) solved.set(target, this.solve(node, target));
    return solved.get(target);
  }

  private solve({ left, right, scalar, extents }: FieldNode, target: Ref): Solved | undefined {
    if (!isAccess(target) && (scalar || extents.length > 0)) return undefined;
    const solution = isInjective(target, extents) && solveFor(this.pool, left, right, target);
    if (!solution) return undefined;
    const elements = elementsOf(target, extents);
    const { value, pivot } = solution;
    const isExplicit = left === target || right === target;
    if (this.divisors.isSure(pivot)) return { value, elements, rank: isExplicit ? 2 : 1 };
    return this.divisors.allows(pivot, target) ? { value, elements, rank: 0 } : undefined;
  }
}

/** Whether no two turns meet the same element. Sufficient: each loop steps over everything that the loops with smaller strides reach. */
function isInjective(target: Ref, extents: readonly number[]): boolean {
  const { strides } = affineOf(target);
  if (strides.length > extents.length) return false;
  const loops = extents
    .map((n, k) => ({ n, stride: Math.abs(strides[k] ?? 0) }))
    .filter(({ n }) => n > 1)
    .sort((a, b) => a.stride - b.stride);
  let reach = 0;
  for (const { n, stride } of loops) {
    if (stride <= reach) return false;
    reach += stride * (n - 1);
  }
  return true;
}
