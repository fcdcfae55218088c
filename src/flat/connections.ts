/**
 * Connections (Modelica 3.6, chapter 9). `connect` pairs the primitive variables of two connectors; union-find joins
 * the pairs into connection sets. In a set the potentials are equal and the flows sum to zero, those of outside
 * connectors (the connectors of the class that holds the connect) with a minus sign. A flow that is connected from
 * nowhere outside is zero.
 *
 * A node of the union-find is a variable (or one element of it) with the face it shows: inside or outside. An array
 * variable stays one node unless some connect names its elements; then all arrays connected with it are split.
 */
import type { Instance, ObjectInstance, VariableInstance } from '../model/instance.ts';
import type { Expr } from '../symbolic/expr.ts';
import type * as ast from '../syntax/ast.ts';
import { fixedValue, numbers } from './constants.ts';
import { type Builder, type Context, originOf } from './context.ts';
import type { FlatEquation, Origin } from './flat.ts';
import { refName, type Selection, select, unresolved, variableType } from './references.ts';
import { indicesOf } from './subscripts.ts';
import { count, dimsName, nameOf } from './values.ts';

/** One side of a connect after looking it up: connectors (or elements of an array of causal connectors). */
interface End {
  readonly selection: Selection;
  readonly outside: boolean;
  /** Chosen elements of an array variable, counted from 0; undefined for the whole. */
  readonly elements: readonly number[] | undefined;
  readonly dims: readonly number[];
  readonly name: string;
}

/** Two variables that a connect pairs. */
interface Pair {
  readonly left: VariableInstance;
  readonly leftElement: number;
  readonly leftOutside: boolean;
  readonly right: VariableInstance;
  readonly rightElement: number;
  readonly rightOutside: boolean;
  readonly origin: Origin;
}

const wholeVariable = -1;

export class Connections {
  private readonly builder: Builder;
  private readonly pairs: Pair[] = [];

  constructor(builder: Builder) {
    this.builder = builder;
  }

  /** Takes up `connect(left, right)`; connections to absent conditional components vanish. */
  connect(node: ast.ConnectEquation, context: Context): void {
    const left = this.end(node.left, context);
    const right = this.end(node.right, context);
    if (!left || !right) return;
    if (left.dims.length !== right.dims.length || left.dims.some((n, d) => n !== right.dims[d])) {
      const message = `\`${left.name}\` and \`${right.name}\` have different sizes: ${dimsName(left.dims)} and ${dimsName(right.dims)}.`;
      this.builder.report('dimension-mismatch', message, node, context);
      return;
    }
    const origin = originOf(node, context);
    if (left.elements || right.elements) {
      this.pairElements(left, right, origin);
      return;
    }
    for (const [k, item] of left.selection.items.entries()) {
      if (!this.pairInstances(item, right.selection.items[k]!, left, right, node, context, origin)) return;
    }
  }

  private pairElements(left: End, right: End, origin: Origin): void {
    const n = count(left.dims);
    const at = (end: End, k: number): [VariableInstance, number] =>
      end.elements
        ? [end.selection.items[0] as VariableInstance, end.elements[k]!]
        : (end.selection.items[0] as VariableInstance).dims.length === 0
          ? [end.selection.items[k] as VariableInstance, wholeVariable]
          : [end.selection.items[0] as VariableInstance, k];
    for (let k = 0; k < n; k++) {
      const [a, i] = at(left, k);
      const [b, j] = at(right, k);
      this.pairs.push({
        left: a,
        leftElement: i,
        leftOutside: left.outside,
        right: b,
        rightElement: j,
        rightOutside: right.outside,
        origin,
      });
    }
  }

  private end(node: ast.ComponentRef, context: Context): End | undefined {
    const { builder } = this;
    const resolution = builder.resolve(node, context.scope);
    if (resolution.kind === 'absent') return undefined;
    if (resolution.kind !== 'component') {
      unresolved(builder, node, resolution, context);
      return undefined;
    }
    const selection = select(builder, node, resolution, context);
    if (!selection) return undefined;
    const name = refName(node);
    const first = selection.items[0];
    if (selection.dynamic) {
      builder.report(
        'variability',
        `The subscripts of \`${name}\` must be fixed in a connect.`,
        node,
        context,
      );
      return undefined;
    }
    if (first && !isConnector(first)) {
      builder.report('not-a-connector', `\`${name}\` is not a connector.`, node, context, {
        hint: first.kind === 'object' ? connectorHint(name, first) : 'Write an equation instead of connect.',
      });
      return undefined;
    }
    if (first?.kind === 'object' && first.restriction === 'expandable connector') {
      builder.report(
        'unsupported',
        `\`${name}\` is an expandable connector, which is not supported.`,
        node,
        context,
      );
      return undefined;
    }
    const outside = isConnector(resolution.parts[0]!.instance);
    if (first?.kind !== 'variable')
      return { selection, outside, elements: undefined, dims: selection.dims, name };
    return this.variableEnd(node, selection, first, outside, context);
  }

  /** A side that names variables: causal connectors such as `u[2]`. */
  private variableEnd(
    node: ast.ComponentRef,
    selection: Selection,
    first: VariableInstance,
    outside: boolean,
    context: Context,
  ): End | undefined {
    const { builder } = this;
    const name = refName(node);
    const dims = [...selection.dims, ...first.dims];
    if (selection.subscripts.length === 0) return { selection, outside, elements: undefined, dims, name };
    const part = node.parts[node.parts.length - 1]!;
    const indices = indicesOf(builder, selection.subscripts, first.dims, part, context);
    if (!indices) return undefined;
    const lists: number[][] = [];
    for (const [d, size] of first.dims.entries()) {
      const index = indices[d];
      const value = !index || index.kind === 'all' ? undefined : fixedValue(builder, index.expr);
      if (index && index.kind !== 'all' && value === undefined) {
        builder.report(
          'variability',
          `The subscripts of \`${name}\` must be fixed in a connect.`,
          node,
          context,
        );
        return undefined;
      }
      lists.push(value === undefined ? Array.from({ length: size }, (_, i) => i + 1) : numbers(value));
    }
    if (selection.items.length !== 1) {
      builder.report('unsupported', `\`${name}\` chooses elements in several components.`, node, context);
      return undefined;
    }
    const kept = lists.filter((_, d) => indices[d]?.kind !== 'element').map((list) => list.length);
    return { selection, outside, elements: rowMajor(lists, first.dims), dims: kept, name };
  }

  /** Pairs the variables of two connectors; false, with a message, where their contents differ. */
  private pairInstances(
    left: Instance,
    right: Instance,
    leftEnd: End,
    rightEnd: End,
    node: ast.ConnectEquation,
    context: Context,
    origin: Origin,
  ): boolean {
    const difference = this.pairTree(left, right, leftEnd.outside, rightEnd.outside, origin);
    if (difference === undefined) return true;
    this.builder.report(
      'connector-mismatch',
      `\`${leftEnd.name}\` and \`${rightEnd.name}\` cannot be connected: ${difference}.`,
      node,
      context,
      {
        notes: [
          { message: `\`${leftEnd.name}\` is declared here`, span: left.span },
          { message: `\`${rightEnd.name}\` is declared here`, span: right.span },
        ],
      },
    );
    return false;
  }

  /** Walks two connectors in parallel; returns what differs. */
  private pairTree(
    left: Instance,
    right: Instance,
    leftOutside: boolean,
    rightOutside: boolean,
    origin: Origin,
  ): string | undefined {
    if (left.kind === 'variable' && right.kind === 'variable') {
      const difference = variablesDiffer(left, right);
      if (difference !== undefined || left.variability === 'parameter' || left.variability === 'constant') {
        return difference;
      }
      this.pairs.push({
        left,
        leftElement: wholeVariable,
        leftOutside,
        right,
        rightElement: wholeVariable,
        rightOutside,
        origin,
      });
      return undefined;
    }
    if (left.kind !== 'object' || right.kind !== 'object') return 'only one of them has members';
    if (left.dims.length > 0 || right.dims.length > 0) {
      if (left.elements.length !== right.elements.length) {
        return `\`${left.name}\` and \`${right.name}\` have different sizes`;
      }
      for (const [k, element] of left.elements.entries()) {
        const difference = this.pairTree(element, right.elements[k]!, leftOutside, rightOutside, origin);
        if (difference !== undefined) return difference;
      }
      return undefined;
    }
    for (const name of right.members.keys()) {
      if (!left.members.has(name)) return `only the second one has \`${name}\``;
    }
    for (const [name, member] of left.members) {
      const other = right.members.get(name);
      if (!other) return `only the first one has \`${name}\``;
      const difference = this.pairTree(member, other, leftOutside, rightOutside, origin);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  /** The equations of all connection sets, and of the flows that are connected nowhere. */
  equations(): FlatEquation[] {
    const sets = connectionSets(this.pairs);
    const result: FlatEquation[] = [];
    for (const set of sets.sets) {
      if (set.nodes[0]!.variable.connection === 'flow') result.push(this.flowEquation(set.nodes, set.origin));
      else result.push(...this.potentialEquations(set.nodes, set.origin));
    }
    for (const instance of this.builder.instances) {
      if (instance.connection !== 'flow') continue;
      for (const node of sets.unconnected(instance)) {
        const origin = { span: instance.span, component: componentOf(instance) };
        result.push(this.flowEquation([node], origin));
      }
    }
    return result;
  }

  private expr(node: SetNode): Expr {
    const { pool, symbols } = this.builder;
    const symbol = symbols.get(node.variable)!;
    if (node.element === wholeVariable) return pool.ref(symbol);
    const subscripts: Expr[] = [];
    let rest = node.element;
    for (let d = node.variable.dims.length - 1; d >= 0; d--) {
      const n = node.variable.dims[d]!;
      subscripts.unshift(pool.const((rest % n) + 1));
      rest = Math.floor(rest / n);
    }
    return pool.ref(symbol, 0, subscripts);
  }

  private flowEquation(nodes: readonly SetNode[], origin: Origin): FlatEquation {
    const { pool } = this.builder;
    const { variable, element } = nodes[0]!;
    const dims = element === wholeVariable ? variable.dims : [];
    let sum: Expr | undefined;
    for (const node of [...nodes.filter((n) => !n.outside), ...nodes.filter((n) => n.outside)]) {
      const flow = this.expr(node);
      if (!sum) sum = node.outside ? this.builder.apply('neg', dims, flow) : flow;
      else sum = this.builder.apply(node.outside ? 'sub' : 'add', dims, sum, flow);
    }
    const zero =
      dims.length === 0 ? pool.zero : pool.apply('fill', pool.zero, ...dims.map((n) => pool.const(n)));
    return { kind: 'equal', left: sum!, right: zero, dims, origin };
  }

  private potentialEquations(nodes: readonly SetNode[], origin: Origin): FlatEquation[] {
    const hub = this.expr(nodes[0]!);
    const dims = nodes[0]!.element === wholeVariable ? nodes[0]!.variable.dims : [];
    const result: FlatEquation[] = [];
    for (const node of nodes.slice(1)) {
      const right = this.expr(node);
      if (right !== hub) result.push({ kind: 'equal', left: hub, right, dims, origin });
    }
    return result;
  }
}

/** Dotted name of the component that a connector belongs to. */
function componentOf(instance: VariableInstance): string {
  let at: Instance | undefined = instance.parent;
  while (at && at.kind === 'object' && (isConnector(at) || at.restriction.endsWith('record'))) at = at.parent;
  return at?.path ?? '';
}

function isConnector(instance: Instance): boolean {
  if (instance.kind === 'object') return instance.restriction.endsWith('connector');
  if (instance.causality !== undefined) return true;
  for (let at: Instance | undefined = instance.parent; at?.kind === 'object'; at = at.parent) {
    if (at.restriction.endsWith('connector')) return true;
    if (!at.restriction.endsWith('record')) return false;
  }
  return false;
}

function connectorHint(name: string, instance: ObjectInstance): string {
  const members = (instance.elements[0] ?? instance).members;
  const names = [...members.values()].filter(isConnector).map((m) => `\`${name}.${m.name}\``);
  return names.length > 0 ? `Its connectors are ${names.join(', ')}.` : 'It has no connectors.';
}

function variablesDiffer(left: VariableInstance, right: VariableInstance): string | undefined {
  if (left.connection !== right.connection) {
    const kind = (v: VariableInstance): string =>
      v.connection === 'flow' ? 'a flow' : v.connection === 'stream' ? 'a stream' : 'not a flow';
    return `\`${left.path}\` is ${kind(left)}, \`${right.path}\` is ${kind(right)}`;
  }
  if (nameOf(variableType(left)) !== nameOf(variableType(right))) {
    return `\`${left.path}\` is ${nameOf(variableType(left))}, \`${right.path}\` is ${nameOf(variableType(right))}`;
  }
  if (left.dims.length !== right.dims.length || left.dims.some((n, d) => n !== right.dims[d])) {
    return `\`${left.path}\` has sizes ${dimsName(left.dims)}, \`${right.path}\` has ${dimsName(right.dims)}`;
  }
  return undefined;
}

function rowMajor(lists: readonly number[][], sizes: readonly number[]): number[] {
  let result = [0];
  for (let d = 0; d < sizes.length; d++) {
    const next: number[] = [];
    for (const at of result) for (const i of lists[d]!) next.push(at * sizes[d]! + i - 1);
    result = next;
  }
  return result;
}

// ---------------------------------------------------------------- connection sets

interface SetNode {
  readonly variable: VariableInstance;
  /** Row-major number of the element, or -1 for the whole variable. */
  readonly element: number;
  readonly outside: boolean;
}

interface ConnectionSets {
  readonly sets: readonly { readonly nodes: readonly SetNode[]; readonly origin: Origin }[];
  /** The parts of a variable that no connect reaches from outside its component. */
  readonly unconnected: (variable: VariableInstance) => SetNode[];
}

function connectionSets(pairs: readonly Pair[]): ConnectionSets {
  const split = splitVariables(pairs);
  const nodes: SetNode[] = [];
  const numbersOf = new Map<VariableInstance, Map<number, number>>();
  const parent: number[] = [];
  const origins: Origin[] = [];
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
      const a = number(pair.left, at(pair.leftElement, pair.left), pair.leftOutside, pair.origin);
      const b = number(pair.right, at(pair.rightElement, pair.right), pair.rightOutside, pair.origin);
      union(parent, a, b);
    }
  }
  return {
    sets: grouped(nodes, parent, origins),
    unconnected: (variable) => {
      const own = numbersOf.get(variable);
      const parts = split.has(variable) ? [...Array(count(variable.dims)).keys()] : [wholeVariable];
      return parts
        .filter((element) => !own?.has(2 * (element + 1)))
        .map((element) => ({ variable, element, outside: false }));
    },
  };
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

/** Sets with their nodes, in order of first appearance. */
function grouped(
  nodes: readonly SetNode[],
  parent: number[],
  origins: readonly Origin[],
): { nodes: SetNode[]; origin: Origin }[] {
  const setOf = new Map<number, { nodes: SetNode[]; origin: Origin }>();
  for (const [n, node] of nodes.entries()) {
    const root = find(parent, n);
    const set = setOf.get(root);
    if (set) set.nodes.push(node);
    else setOf.set(root, { nodes: [node], origin: origins[n]! });
  }
  return [...setOf.values()];
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
