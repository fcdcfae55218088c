/**
 * Connection sets by union-find over the pairs of variables that connects make. A node is a variable (or one element of
 * it) with the face it shows: inside or outside. An array variable stays one node unless some connect names its elements;
 * then all arrays connected with it are split.
 */
import type { VariableInstance } from '../model/instance.ts';
import type { Holds } from './choices.ts';
import type { Builder } from './context.ts';
import type { Guard, Origin } from './flat.ts';
import { count } from './values.ts';

/** Two variables that a connect pairs. */
export interface Pair {
  readonly left: VariableInstance;
  readonly leftElement: number;
  readonly leftOutside: boolean;
  readonly right: VariableInstance;
  readonly rightElement: number;
  readonly rightOutside: boolean;
  readonly origin: Origin;
  /** When the connect exists. */
  readonly guard: Guard;
}

export const wholeVariable = -1;

export interface SetNode {
  readonly variable: VariableInstance;
  /** Row-major number of the element, or -1 for the whole variable. */
  readonly element: number;
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

interface ConnectionSets {
  readonly sets: readonly ConnectionSet[];
  /** The parts of a variable that no connect reaches from outside its component. */
  readonly unconnected: (variable: VariableInstance) => SetNode[];
}

export function connectionSets(pairs: readonly Pair[], builder: Builder): ConnectionSets {
  const split = splitVariables(pairs);
  const nodes: SetNode[] = [];
  const numbersOf = new Map<VariableInstance, Map<number, number>>();
  const parent: number[] = [];
  const origins: Origin[] = [];
  const links: Link[] = [];
  const conditional = builder.guards.size > 0 || pairs.some((pair) => pair.guard.length > 0);
  const number = (variable: VariableInstance, element: number, outside: boolean, origin: Origin): number => {
    let own = numbersOf.get(variable);
    if (!own) numbersOf.set(variable, (own = new Map()));
    const key = 2 * (element + 1) + Number(outside);
    let n = own.get(key);
    if (n === undefined) {
      n = nodes.length;
      own.set(key, n);
      nodes.push({ variable, element, outside });
      parent.push(n);
      origins.push(origin);
    }
    return n;
  };
  for (const pair of pairs) {
    const elements = split.has(pair.left) ? count(pair.left.dims) : 1;
    const whole = pair.leftElement === wholeVariable && pair.rightElement === wholeVariable;
    for (let k = 0; k < (whole ? elements : 1); k++) {
      const at = (element: number, variable: VariableInstance): number =>
        element === wholeVariable && split.has(variable) && variable.dims.length > 0 ? k : element;
      const left = number(pair.left, at(pair.leftElement, pair.left), pair.leftOutside, pair.origin);
      const right = number(pair.right, at(pair.rightElement, pair.right), pair.rightOutside, pair.origin);
      union(parent, left, right);
      if (conditional) links.push({ left, right, pair });
    }
  }
  const sets = grouped(nodes, parent, origins);
  return {
    sets: conditional ? withGuards(sets, links, builder) : sets,
    unconnected: (variable) => {
      const own = numbersOf.get(variable);
      const parts = split.has(variable) ? [...Array(count(variable.dims)).keys()] : [wholeVariable];
      return parts
        .filter((element) => !own?.has(2 * (element + 1)))
        .map((element) => ({ variable, element, outside: false }));
    },
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
    const root = find(parent, n);
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
  const links = guards.links.filter(({ left, right }) => find(parent, left) !== find(parent, right));
  const firm = new Map<number, SetNode[]>();
  for (const [n, node] of nodes.entries()) {
    const root = find(parent, n);
    const group = firm.get(root);
    if (group) group.push(node);
    else firm.set(root, [node]);
  }
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
    const [a, b] = [find(parent, left), find(parent, right)];
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
  const number = (variable: VariableInstance): number => {
    let n = numbersOf.get(variable);
    if (n === undefined) {
      n = parent.length;
      numbersOf.set(variable, n);
      parent.push(n);
    }
    return n;
  };
  const named: number[] = [];
  for (const pair of pairs) {
    const a = number(pair.left);
    const b = number(pair.right);
    if (pair.leftElement !== wholeVariable) named.push(a);
    if (pair.rightElement !== wholeVariable) named.push(b);
    // Elements of different arrays may be connected without a link between the arrays as a whole.
    if (pair.leftElement === wholeVariable && pair.rightElement === wholeVariable) union(parent, a, b);
  }
  const roots = new Set(named.map((n) => find(parent, n)));
  const split = new Set<VariableInstance>();
  for (const [variable, n] of numbersOf) {
    if (variable.dims.length > 0 && roots.has(find(parent, n))) split.add(variable);
  }
  return split;
}

/** Two nodes that a connect joins. */
interface Link {
  readonly left: number;
  readonly right: number;
  readonly pair: Pair;
}

/** A set with the numbers of its nodes. */
interface NumberedSet extends ConnectionSet {
  readonly nodes: SetNode[];
  readonly numbers: number[];
}

/** Sets with their nodes, in order of first appearance. */
function grouped(nodes: readonly SetNode[], parent: number[], origins: readonly Origin[]): NumberedSet[] {
  const setOf = new Map<number, NumberedSet>();
  for (const [n, node] of nodes.entries()) {
    const root = find(parent, n);
    const set = setOf.get(root);
    if (set) {
      set.nodes.push(node);
      set.numbers.push(n);
    } else setOf.set(root, { nodes: [node], numbers: [n], origin: origins[n]!, guards: undefined });
  }
  return [...setOf.values()];
}

function withGuards(
  sets: readonly NumberedSet[],
  links: readonly Link[],
  builder: Builder,
): readonly ConnectionSet[] {
  const place: { set: number; position: number }[] = [];
  for (const [set, { numbers }] of sets.entries()) {
    for (const [position, n] of numbers.entries()) place[n] = { set, position };
  }
  const linksOf: Link[][] = sets.map(() => []);
  for (const { left, right, pair } of links) {
    const { set, position } = place[left]!;
    linksOf[set]!.push({ left: position, right: place[right]!.position, pair });
  }
  return sets.map((set, k) => {
    const guards = set.nodes.map((node) => builder.guardOf(node.variable));
    const changes = guards.some((g) => g.length > 0) || linksOf[k]!.some((l) => l.pair.guard.length > 0);
    return changes ? { ...set, guards: { nodes: guards, links: linksOf[k]! } } : set;
  });
}

function find(parent: number[], n: number): number {
  let root = n;
  while (parent[root] !== root) root = parent[root]!;
  for (let at = n; parent[at] !== root; ) {
    const next = parent[at]!;
    parent[at] = root;
    at = next;
  }
  return root;
}

/** The smaller number becomes the root, so that sets keep the order of the text. */
function union(parent: number[], a: number, b: number): void {
  const ra = find(parent, a);
  const rb = find(parent, b);
  if (ra < rb) parent[rb] = ra;
  else parent[ra] = rb;
}
