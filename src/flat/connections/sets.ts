/**
 * Connection sets by union-find over the pairs of variables that connects make. A node is a variable (or one element of
 * it) with the face it shows: inside or outside. An array variable stays one node unless some connect names its elements;
 * then all arrays connected with it are split. A variable of a uniform array of components has nodes for each element of the array.
 *
 * The nodes of a variable have consecutive numbers: `2 * (base + number of the element) + outside`. They are in the order in which connects name them,
 * and so are the sets; the members of set s are `members[start[s]]` to `members[start[s + 1] - 1]`.
 */

import { rootIn } from '../../collections/forest.ts';
import { append } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import type { VariableInstance } from '../../model/instance.ts';
import type { FlatBuilder } from '../core/context.ts';
import { outerDims } from '../core/families.ts';
import { count } from '../core/values.ts';
import type { Guard, Origin } from '../flat.ts';
import type { Holds } from './conditional.ts';

/** One side of pairs of variables. */
export interface ConnectedSide {
  readonly variable: VariableInstance;
  readonly outside: boolean;
  /**
   * Which element, by pair: row-major, from 0, among the elements of the uniform arrays around the variable or, where the connect names
   * elements of the variable itself, among those of its symbol.
   */
  readonly numbers: ArrayLike<number>;
  readonly named: boolean;
}

/** Variables that a connect pairs, once or for many elements. */
export interface Pair {
  readonly left: ConnectedSide;
  readonly right: ConnectedSide;
  readonly origin: Origin;
  /** When the connect exists. */
  readonly guard: Guard;
}

/** In place of a number: the symbol of the variable as a whole. */
export const wholeSymbol = -1;

export interface SetNode {
  readonly variable: VariableInstance;
  /** Row-major number among the elements of the uniform arrays around the variable; if it is split, of its symbol. */
  readonly number: number;
  readonly split: boolean;
  readonly outside: boolean;
}

export interface ConnectionSet {
  readonly nodes: readonly SetNode[];
  /** The connect that names the first node first. */
  readonly origin: Origin;
  /** When its members and connects exist; undefined for a set that is always the same. */
  readonly guards: SetGuards | undefined;
}

export interface SetGuards {
  /** By node. */
  readonly nodes: readonly Guard[];
  /** Pairs by positions of their nodes in the set. */
  readonly links: readonly Link[];
}

/** What nodes of one variable have in common. */
export interface ConnectionBlock {
  readonly variable: VariableInstance;
  /** Number of its first element among the elements of all variables. */
  readonly base: number;
  readonly size: number;
  readonly split: boolean;
  /** Sizes of the dimensions in which its nodes have subscripts. */
  readonly dims: readonly number[];
}

export interface ConnectionSets {
  /** Number of sets, in order of first appearance. */
  readonly size: number;
  readonly nodes: Nodes;
  /** All nodes, set after set; those of set s begin at `start[s]`. */
  readonly members: Int32Array;
  readonly start: Int32Array;
  readonly originOf: (set: number) => Origin;
  readonly guardsOf: (set: number) => SetGuards | undefined;
}

export function connectionSets(pairs: readonly Pair[], builder: FlatBuilder): ConnectionSets {
  const nodes = new Nodes(pairs, builder);
  const { appeared, firstPair } = joinPairs(pairs, nodes);
  const setOf = new Int32Array(nodes.parent.length).fill(-1);
  let size = 0;
  for (let k = 0; k < appeared.length; k++) {
    const node = appeared[k]!;
    const root = rootIn(nodes.parent, node);
    if (setOf[root] === -1) setOf[root] = size++;
    setOf[node] = setOf[root]!;
  }
  const start = new Int32Array(size + 1);
  for (let k = 0; k < appeared.length; k++) start[setOf[appeared[k]!]! + 1]!++;
  for (let s = 1; s <= size; s++) start[s]! += start[s - 1]!;
  const members = new Int32Array(appeared.length);
  const filled = start.slice();
  for (let k = 0; k < appeared.length; k++) members[filled[setOf[appeared[k]!]!]!++] = appeared[k]!;
  const linksOf = conditionalLinks(pairs, nodes, setOf, builder);
  const membersOf = (set: number): Int32Array => members.subarray(start[set]!, start[set + 1]!);
  return {
    size,
    nodes,
    members,
    start,
    originOf: (set) => pairs[firstPair[nodes.order[members[start[set]!]!]!]!]!.origin,
    guardsOf: (set) => linksOf && guardsOf(nodes, membersOf(set), linksOf[set]!, builder),
  };
}

/** The numbering of the nodes. */
export class Nodes {
  readonly parent: Int32Array;
  /** In which order they appeared; -1 for those that no connect names. */
  readonly order: Int32Array;
  readonly blocks: ConnectionBlock[] = [];
  /** Number of the block, by element. */
  private readonly blockOf: Int32Array;
  private readonly own = new Map<VariableInstance, ConnectionBlock>();

  constructor(pairs: readonly Pair[], builder: FlatBuilder) {
    const split = splitVariables(pairs);
    let base = 0;
    for (const { left, right } of pairs) {
      for (const { variable } of [left, right]) {
        if (this.own.has(variable)) continue;
        const outer = outerDims(builder.families.around(variable));
        const dims = split.has(variable) ? [...outer, ...variable.dims] : outer;
        const block = { variable, base, size: count(dims), split: split.has(variable), dims };
        this.own.set(variable, block);
        this.blocks.push(block);
        base += block.size;
      }
    }
    this.blockOf = new Int32Array(base);
    for (const [k, block] of this.blocks.entries()) this.blockOf.fill(k, block.base, block.base + block.size);
    this.parent = new Int32Array(2 * base);
    for (let node = 0; node < 2 * base; node++) this.parent[node] = node;
    this.order = new Int32Array(2 * base).fill(-1);
  }

  /** The nodes of one side of a pair: one, or one for each element of a variable that is split by another connect. */
  of({ variable, outside, named }: ConnectedSide): { first: number; each: number } {
    const { base, split } = this.own.get(variable)!;
    return { first: 2 * base + Number(outside), each: split && !named ? count(variable.dims) : 1 };
  }

  /** Number of the block of a node. */
  block(node: number): number {
    return this.blockOf[node >> 1]!;
  }

  at(node: number): SetNode {
    const { variable, base, split } = this.blocks[this.block(node)]!;
    return { variable, number: (node >> 1) - base, split, outside: (node & 1) === 1 };
  }

  /** The parts of a variable that no connect reaches from outside its component; undefined if none does. */
  unconnected(variable: VariableInstance): number[] | undefined {
    const block = this.own.get(variable);
    if (!block) return undefined;
    const result: number[] = [];
    for (let unit = block.base; unit < block.base + block.size; unit++)
      if (this.order[2 * unit] === -1) result.push(2 * unit);
    return result;
  }
}

/** Joins the nodes of all pairs; gives the nodes in order of appearance, each with the pair that names it first. */
function joinPairs(pairs: readonly Pair[], nodes: Nodes): { appeared: Int32Array; firstPair: Int32Array } {
  const { order } = nodes;
  const appeared = new Int32Array(order.length);
  const firstPair = new Int32Array(order.length);
  let next = 0;
  for (const [p, pair] of pairs.entries()) {
    const meet = (node: number): void => {
      if (order[node] !== -1) return;
      order[node] = next;
      appeared[next] = node;
      firstPair[next++] = p;
    };
    eachLink(pair, nodes, (left, right) => {
      meet(left);
      meet(right);
      join(nodes, left, right);
    });
  }
  return { appeared: appeared.subarray(0, next), firstPair };
}

function eachLink(pair: Pair, nodes: Nodes, visit: (left: number, right: number) => void): void {
  const left = nodes.of(pair.left);
  const right = nodes.of(pair.right);
  const each = Math.max(left.each, right.each);
  for (let k = 0; k < pair.left.numbers.length; k++) {
    const from = left.each * pair.left.numbers[k]!;
    const to = right.each * pair.right.numbers[k]!;
    for (let e = 0; e < each; e++) visit(left.first + 2 * (from + e), right.first + 2 * (to + e));
  }
}

/** What appeared first becomes the root, so that sets keep the order of the text. */
function join({ parent, order }: Nodes, a: number, b: number): void {
  const ra = rootIn(parent, a);
  const rb = rootIn(parent, b);
  if (order[ra]! < order[rb]!) parent[rb] = ra;
  else parent[ra] = rb;
}

/** Two nodes that a connect joins. */
interface Link {
  readonly left: number;
  readonly right: number;
  readonly pair: Pair;
}

/** By set, the pairs with numbers of nodes; undefined in models where everything exists always. */
function conditionalLinks(
  pairs: readonly Pair[],
  nodes: Nodes,
  setOf: Int32Array,
  builder: FlatBuilder,
): Link[][] | undefined {
  if (builder.guards.size === 0 && pairs.every((pair) => pair.guard.length === 0)) return undefined;
  const result: Link[][] = [];
  for (const pair of pairs) {
    eachLink(pair, nodes, (left, right) => {
      const links = (result[setOf[left]!] ??= []);
      links.push({ left, right, pair });
    });
  }
  return result;
}

function guardsOf(
  nodes: Nodes,
  members: Int32Array,
  links: readonly Link[],
  builder: FlatBuilder,
): SetGuards | undefined {
  const guards = Array.from(members, (node) => builder.guardOf(nodes.at(node).variable));
  if (guards.every((g) => g.length === 0) && links.every(({ pair }) => pair.guard.length === 0))
    return undefined;
  const position = new Map(Array.from(members, (node, k) => [node, k]));
  return {
    nodes: guards,
    links: links.map(({ left, right, pair }) => ({
      left: position.get(left)!,
      right: position.get(right)!,
      pair,
    })),
  };
}

/** What is left of a set in one combination of the conditions: sets that are always the same. */
export function activeSets({ nodes, guards }: ConnectionSet, holds: Holds): ConnectionSet[] {
  const parent = nodes.map((_, n) => n);
  const connected: (Origin | undefined)[] = nodes.map(() => undefined);
  for (const { left, right, pair } of guards?.links ?? []) {
    if (!holds(pair.guard)) continue;
    union(parent, left, right);
    connected[left] ??= pair.origin;
    connected[right] ??= pair.origin;
  }
  const active = new Map<number, { nodes: SetNode[]; origin: Origin; guards: undefined }>();
  for (const [n, node] of nodes.entries()) {
    // The outside face of a connector that nothing is connected with is left to the equations of its class.
    if (!holds(guards?.nodes[n] ?? []) || (node.outside && !connected[n])) continue;
    const root = rootIn(parent, n);
    const set = active.get(root);
    if (set) set.nodes.push(node);
    else active.set(root, { nodes: [node], origin: connected[n] ?? originOfFlow(node), guards: undefined });
  }
  return [...active.values()];
}

/** A conditional connect that alone holds the two sides of a set together. */
export interface Bridge {
  readonly left: SetNode;
  readonly right: SetNode;
  readonly pair: Pair;
  /** The nodes of one of the sides. */
  readonly side: readonly SetNode[];
}

export interface Bridges {
  /** What connects that always exist hold together. */
  readonly firm: readonly (readonly SetNode[])[];
  readonly bridges: readonly Bridge[];
}

/** Nodes in the sides of all bridges of one set; a long chain of them is quadratic. */
const mostSideNodes = 200_000;

/**
 * The bridges of a set whose conditional connects form a tree over what is connected firmly. Then no combinations are
 * needed: the flows of the whole set sum to zero at all times, those of a side do where its bridge is open, and the
 * sums of what is connected in any combination are differences of these. Undefined for all other sets.
 */
export function bridgesOf({ nodes, guards }: ConnectionSet): Bridges | undefined {
  if (!guards || guards.nodes.some((guard) => guard.length > 0)) return undefined;
  const parent = nodes.map((_, n) => n);
  const always = nodes.map((node) => !node.outside);
  for (const { left, right, pair } of guards.links) {
    if (pair.guard.length > 0) continue;
    union(parent, left, right);
    always[left] = always[right] = true;
  }
  // The outside face of a connector is not part of any sum while nothing is connected with it.
  if (always.includes(false)) return undefined;
  const links = guards.links.filter(({ left, right }) => rootIn(parent, left) !== rootIn(parent, right));
  const firm = new Map<number, SetNode[]>();
  for (const [n, node] of nodes.entries()) append(firm, rootIn(parent, n), node);
  if (links.length !== firm.size - 1) return undefined;
  const sides = sidesOf(links, parent, firm);
  return (
    sides && {
      firm: [...firm.values()],
      bridges: links.map(({ left, right, pair }, k) => ({
        left: nodes[left]!,
        right: nodes[right]!,
        pair,
        side: sides[k]!,
      })),
    }
  );
}

/** For each edge of a tree the nodes on its smaller side: a range of a depth-first order, or what is left of it. */
function sidesOf(
  links: readonly Link[],
  parent: number[],
  firm: ReadonlyMap<number, readonly SetNode[]>,
): SetNode[][] | undefined {
  const edges = new Map<number, { readonly to: number; readonly link: number }[]>();
  for (const root of firm.keys()) edges.set(root, []);
  for (const [link, { left, right }] of links.entries()) {
    const [a, b] = [rootIn(parent, left), rootIn(parent, right)];
    edges.get(a)!.push({ to: b, link });
    edges.get(b)!.push({ to: a, link });
  }
  const order: SetNode[] = [];
  const first: number[] = [];
  const end: number[] = [];
  const stack = [{ at: [...firm.keys()][0]!, link: -1, closing: false }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { at, link, closing } = next;
    if (closing) {
      end[link] = order.length;
      continue;
    }
    if (link >= 0) {
      first[link] = order.length;
      stack.push({ at, link, closing: true });
    }
    for (const node of firm.get(at)!) order.push(node);
    for (const edge of edges.get(at)!) {
      if (edge.link !== link) stack.push({ at: edge.to, link: edge.link, closing: false });
    }
  }
  let total = 0;
  for (const k of links.keys()) total += Math.min(end[k]! - first[k]!, order.length - end[k]! + first[k]!);
  if (total > mostSideNodes) return undefined;
  return links.map((_, k) =>
    2 * (end[k]! - first[k]!) <= order.length
      ? order.slice(first[k]!, end[k]!)
      : [...order.slice(0, first[k]!), ...order.slice(end[k]!)],
  );
}

/** Where the equation of a flow that is connected nowhere comes from. */
export function originOfFlow({ variable }: SetNode): Origin {
  let at = variable.parent;
  while (at?.kind === 'object' && /connector$|record$/.test(at.restriction)) at = at.parent;
  return { span: variable.span, component: at?.path ?? '' };
}

/** Array variables that must be connected element by element, because a connect somewhere names elements. */
function splitVariables(pairs: readonly Pair[]): ReadonlySet<VariableInstance> {
  const numbersOf = new Map<VariableInstance, number>();
  const parent: number[] = [];
  const number = (variable: VariableInstance): number =>
    remember(numbersOf, variable, () => parent.push(parent.length) - 1);
  const named: number[] = [];
  for (const { left, right } of pairs) {
    const a = number(left.variable);
    const b = number(right.variable);
    if (left.named) named.push(a);
    if (right.named) named.push(b);
    // Elements of different arrays may be connected without a link between the arrays as a whole.
    if (!left.named && !right.named) union(parent, a, b);
  }
  const roots = new Set(named.map((n) => rootIn(parent, n)));
  const split = new Set<VariableInstance>();
  for (const [variable, n] of numbersOf) {
    if (variable.dims.length > 0 && roots.has(rootIn(parent, n))) split.add(variable);
  }
  return split;
}

/** The smaller number becomes the root, so that sets keep the order of the text. */
function union(parent: number[], a: number, b: number): void {
  const ra = rootIn(parent, a);
  const rb = rootIn(parent, b);
  if (ra < rb) parent[rb] = ra;
  else parent[ra] = rb;
}
