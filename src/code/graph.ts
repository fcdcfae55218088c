/**
 * The expressions of one piece of generated code as a graph in arrays, and where each shared one is computed.
 *
 * Nodes are numbered children first. The children of node i are `edges[start[i]] … edges[start[i + 1] - 1]`. Operators
 * that only mark their argument (`noEvent`, `smooth`, `homotopy`) are looked through. All results of one function
 * call hang on one node of their own (`group`), so that the function is called once.
 *
 * A branch of an `if` is evaluated only when it is chosen, so a shared expression may not simply be computed where it
 * is met first. Scopes form a tree: the whole piece, and below it one for every branch. `place` gives every node the
 * innermost scope that contains all its uses, and lists at each `if` what must be computed before it. Moving a
 * computation out of a branch is harmless, unless it can fail (function calls, subscripts): such a node goes up only
 * when both branches need it, and is otherwise computed in several scopes.
 */
import { append } from '../collections/groups.ts';
import { grown } from '../collections/lists.ts';
import { pulse } from '../diagnostic/pulse.ts';
import type { Apply, Call, Expr } from '../symbolic/expr.ts';
import { isEventOperator, isLogical } from '../symbolic/operators.ts';
import { isTextOperator } from '../symbolic/strings.ts';

/** Nodes to begin with; arrays grow. */
const capacity = 1024;

/** Placements of a node that can fail are listed up to this many scopes; beyond it is computed outside them all. */
const maximalCopies = 64;

/** What an `if` opens when it is computed in a scope. */
export interface Branching {
  readonly scope: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
  /** Shared nodes to compute first. */
  readonly before: number[];
}

export class Graph {
  /** How many nodes there are; the arrays below are longer. */
  count = 0;
  readonly nodes: Expr[] = [];
  start = new Int32Array(capacity);
  edges = new Int32Array(capacity);
  /** How many edges (and roots) lead to a node. */
  uses = new Int32Array(capacity);
  /** Operand stack that evaluation needs at least, after Sethi and Ullman. */
  need = new Uint8Array(capacity);
  /** 1 where the result is a Boolean (i32), 0 where it is a double. */
  bool = new Uint8Array(capacity);
  /** 1 where evaluation may fail, by itself or below. */
  fails = new Uint8Array(capacity);
  /** 1 for the node that stands for a whole call. */
  group = new Uint8Array(capacity);
  /** Scalar results of a call that are used, by group node. */
  readonly outputs = new Map<number, number[]>();
  /** True when some node is computed in several scopes, so that uses cannot be counted down. */
  copies = false;

  private edgeCount = 0;
  private hasBranches = false;
  private readonly open: Expr[] = [];
  private branchings = new Map<number, Branching[]>();
  private roots: number[] = [];
  private groups = new Map<string, number>();
  private readonly indexOf = new Map<Expr, number>();
  private parentOf: number[] = [];
  private depthOf: number[] = [];
  /** The `if` node that owns a scope. */
  private ownerOf: number[] = [];
  clear(): void {
    this.count = 0;
    this.edgeCount = 0;
    this.hasBranches = false;
    this.roots.length = 0;
    if (this.outputs.size > 0) this.outputs.clear();
    if (this.groups.size > 0) this.groups.clear();
    this.copies = false;
    this.indexOf.clear();
  }

  /** Adds an expression and everything below it; gives its node. Iterative: depth is limited by memory alone. */
  add(root: Expr): number {
    const top = transparent(root);
    const { open } = this;
    open.push(top);
    while (open.length > 0) {
      pulse();
      const expr = open[open.length - 1]!;
      const before = open.length;
      if (this.known(expr) < 0) {
        const children = this.childrenOf(expr);
        for (let k = children.length - 1; k >= 0; k--) {
          if (this.known(children[k]!) < 0) open.push(children[k]!);
        }
        if (open.length > before) continue;
        this.append(expr, children);
      }
      open.pop();
    }
    const node = this.known(top);
    this.uses[node]!++;
    this.roots.push(node);
    return node;
  }

  /** Adds a call as such, with the scalar results that are wanted. */
  addCall(fn: number, args: readonly Expr[], outputs: readonly number[]): number {
    const call: Call = { kind: 'call', id: -1, fn, args, output: 0 };
    const children = this.childrenOf(call);
    for (const child of children) {
      this.add(child);
      this.uses[this.roots.pop()!]!--;
    }
    const node = this.push(call, children, 1);
    this.outputs.set(node, [...outputs]);
    this.uses[node]!++;
    this.roots.push(node);
    return node;
  }

  /** The scopes that `if` node i opens when it is computed in this scope. */
  branching(node: number, scope: number): Branching {
    const found = this.branchings.get(node)?.find((b) => b.scope === scope);
    if (!found) throw new Error('an if-expression is computed outside its scope');
    return found;
  }

  /** Finds the scopes; to be called once everything is added. The outermost scope is 0. */
  place(): void {
    this.branchings = new Map();
    this.parentOf = [-1];
    this.depthOf = [0];
    this.ownerOf = [-1];
    if (!this.hasBranches) return;
    const scopes: number[][] = Array.from({ length: this.count }, () => []);
    for (const root of this.roots) addTo(scopes[root]!, 0);
    for (let node = this.count - 1; node >= 0; node--) {
      const used = scopes[node]!;
      const places = this.fails[node] === 1 ? this.reduce(used) : [this.common(used)];
      if (places.length > 1) this.copies = true;
      for (const scope of used) this.hoist(node, scope, places);
      for (const scope of places) this.passDown(node, scope, scopes);
    }
  }

  /** True where the node is an `if` with branches, or an `and`/`or` whose second operand may fail. */
  isBranching(node: number): boolean {
    const expr = this.nodes[node]!;
    if (expr.kind !== 'apply') return false;
    if (expr.op === 'if') return !this.isSelect(node);
    if (expr.op !== 'and' && expr.op !== 'or') return false;
    return this.childCount(node) === 2 && this.fails[this.child(node, 1)] === 1;
  }

  /** An `if` between leaves: cheaper without branches. */
  isSelect(node: number): boolean {
    return this.isLeaf(this.child(node, 1)) && this.isLeaf(this.child(node, 2));
  }

  isLeaf(node: number): boolean {
    return this.start[node] === this.start[node + 1] && this.group[node] === 0 && this.fails[node] === 0;
  }

  child(node: number, k: number): number {
    return this.edges[this.start[node]! + k]!;
  }

  childCount(node: number): number {
    return this.start[node + 1]! - this.start[node]!;
  }

  private known(expr: Expr): number {
    return this.indexOf.get(expr) ?? -1;
  }

  private childrenOf(expr: Expr): readonly Expr[] {
    switch (expr.kind) {
      case 'local':
        return expr.subscripts.every((s) => s.kind === 'const') ? none : expr.subscripts.map(transparent);
      case 'apply':
        if (isEventOperator(expr.op)) return none;
        if (expr.op === 'pow' && isSmallPower(expr.args[1]!)) return [transparent(expr.args[0]!)];
        for (const arg of expr.args) if (transparent(arg) !== arg) return expr.args.map(transparent);
        return expr.args;
      case 'call':
        return expr.args.map(transparent);
      default:
        return none;
    }
  }

  private append(expr: Expr, children: readonly Expr[]): void {
    if (expr.kind !== 'call') {
      this.indexOf.set(expr, this.push(expr, children, 0));
      return;
    }
    const key = `${expr.fn}:${expr.args.map((arg) => arg.id).join()}`;
    let group = this.groups.get(key);
    if (group === undefined) {
      group = this.push(expr, children, 1);
      this.groups.set(key, group);
      this.outputs.set(group, []);
    }
    const outputs = this.outputs.get(group)!;
    if (!outputs.includes(expr.output)) outputs.push(expr.output);
    this.uses[group]!++;
    this.addEdge(group);
    const node = this.finish(expr, 1, 0);
    this.fails[node] = 1;
    this.indexOf.set(expr, node);
  }

  private push(expr: Expr, children: readonly Expr[], group: 0 | 1): number {
    const isText = expr.kind === 'apply' && isTextOperator(expr.op);
    let fails = group === 1 || isText || (expr.kind === 'local' && children.length > 0) ? 1 : 0;
    let need = 1;
    for (let k = 0; k < children.length; k++) {
      const child = this.known(children[k]!);
      this.addEdge(child);
      this.uses[child]!++;
      if (this.fails[child] === 1) fails = 1;
      const own = this.need[child]!;
      need = k > 0 && own === need ? need + 1 : Math.max(need, own);
    }
    const node = this.finish(expr, need, group);
    this.fails[node] = fails;
    return node;
  }

  private finish(expr: Expr, need: number, group: 0 | 1): number {
    const node = this.count++;
    if (this.count === this.uses.length) this.grow();
    this.nodes[node] = expr;
    this.start[node + 1] = this.edgeCount;
    this.uses[node] = 0;
    this.need[node] = need;
    this.group[node] = group;
    this.fails[node] = 0;
    this.bool[node] = this.isBoolean(node) ? 1 : 0;
    this.hasBranches ||= this.isBranching(node);
    return node;
  }

  private addEdge(child: number): void {
    if (this.edgeCount === this.edges.length) this.edges = grown(this.edges);
    this.edges[this.edgeCount++] = child;
  }

  private grow(): void {
    this.start = grown(this.start);
    this.uses = grown(this.uses);
    this.need = grown(this.need);
    this.bool = grown(this.bool);
    this.fails = grown(this.fails);
    this.group = grown(this.group);
  }

  private isBoolean(node: number): boolean {
    const expr = this.nodes[node]!;
    if (expr.kind !== 'apply') return false;
    if (expr.op === 'if') return this.bool[this.child(node, 1)] === 1 && this.bool[this.child(node, 2)] === 1;
    return isLogical(expr.op);
  }

  /** Notes for the children of a node computed in a scope where they are used. */
  private passDown(node: number, scope: number, scopes: number[][]): void {
    const first = this.start[node]!;
    const last = this.start[node + 1]!;
    if (!this.isBranching(node)) {
      for (let e = first; e < last; e++) addTo(scopes[this.edges[e]!]!, scope);
      return;
    }
    const branching = {
      scope,
      whenTrue: this.openScope(scope, node),
      whenFalse: this.openScope(scope, node),
      before: [],
    };
    append(this.branchings, node, branching);
    addTo(scopes[this.edges[first]!]!, scope);
    const second = (this.nodes[node] as Apply).op === 'or' ? branching.whenFalse : branching.whenTrue;
    addTo(scopes[this.edges[first + 1]!]!, second);
    if (last - first > 2) addTo(scopes[this.edges[first + 2]!]!, branching.whenFalse);
  }

  private openScope(parent: number, owner: number): number {
    this.parentOf.push(parent);
    this.depthOf.push(this.depthOf[parent]! + 1);
    this.ownerOf.push(owner);
    return this.parentOf.length - 1;
  }

  /** A node used in `scope` but computed further out is computed before the `if` that leads there. */
  private hoist(node: number, scope: number, places: readonly number[]): void {
    if (places.includes(scope) || this.isLeaf(node)) return;
    let inner = scope;
    while (!places.includes(this.parentOf[inner]!)) inner = this.parentOf[inner]!;
    const { before } = this.branching(this.ownerOf[inner]!, this.parentOf[inner]!);
    if (before[before.length - 1] !== node) before.push(node);
  }

  private common(scopes: readonly number[]): number {
    let result = scopes[0]!;
    for (let k = 1; k < scopes.length; k++) {
      let other = scopes[k]!;
      while (result !== other) {
        if (this.depthOf[result]! < this.depthOf[other]!) other = this.parentOf[other]!;
        else result = this.parentOf[result]!;
      }
    }
    return result;
  }

  /** The outermost of these scopes, where two branches of one `if` make their surroundings. */
  private reduce(scopes: readonly number[]): number[] {
    if (scopes.length === 1) return [scopes[0]!];
    const places = new Set(scopes);
    for (let changed = true; changed; ) {
      changed = false;
      for (const scope of [...places]) {
        if (!places.has(scope)) continue;
        if (this.isCovered(scope, places)) {
          places.delete(scope);
          changed = true;
        } else if (scope > 0 && this.isPairComplete(scope, places)) {
          places.add(this.parentOf[scope]!);
          changed = true;
        }
      }
    }
    return places.size > maximalCopies ? [this.common(scopes)] : [...places];
  }

  private isCovered(scope: number, places: ReadonlySet<number>): boolean {
    for (let outer = this.parentOf[scope]!; outer >= 0; outer = this.parentOf[outer]!) {
      if (places.has(outer)) return true;
    }
    return false;
  }

  private isPairComplete(scope: number, places: ReadonlySet<number>): boolean {
    const branching = this.branching(this.ownerOf[scope]!, this.parentOf[scope]!);
    return places.has(branching.whenTrue) && places.has(branching.whenFalse);
  }
}

const none: readonly Expr[] = [];

/** Looks through operators that only mark their argument. */
export function transparent(expr: Expr): Expr {
  let inner = expr;
  while (inner.kind === 'apply') {
    if (inner.op === 'noEvent' || inner.op === 'homotopy') inner = inner.args[0]!;
    else if (inner.op === 'smooth') inner = inner.args[1]!;
    else break;
  }
  return inner;
}

/** Exponents that are written as products. */
export function isSmallPower(exponent: Expr): boolean {
  if (exponent.kind !== 'const') return false;
  const { value } = exponent;
  return value === 2 || value === 3 || value === 4 || value === -1 || value === -2;
}

function addTo(scopes: number[], scope: number): void {
  if (!scopes.includes(scope)) scopes.push(scope);
}
