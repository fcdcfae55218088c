/**
 * Connections (Modelica 3.6, chapter 9). `connect` pairs the primitive variables of two connectors; union-find joins
 * the pairs into connection sets. In a set the potentials are equal and the flows sum to zero, those of outside
 * connectors (the connectors of the class that holds the connect) with a minus sign. A flow that is connected from
 * nowhere outside is zero.
 *
 * Connections and connectors may exist only sometimes. A connect exists under the branches of the if-equations around it
 * and while the class that holds it does; a connector in a state of a state machine is a member of its set only while
 * the state is active (Elmqvist, Mattsson and Otter 2014, section 3.2: the others of the set stay connected, whoever was
 * named in the connects). Where conditional connects form a tree, each of them is a bridge with one row that is either
 * an equal potential or a sum of flows; for other sets the equations of all combinations are written as nested
 * if-equations.
 */
import { error } from '../diagnostic/diagnostic.ts';
import type { Instance, ObjectInstance, VariableInstance } from '../model/instance.ts';
import type { Expr } from '../symbolic/expr.ts';
import type * as ast from '../syntax/ast.ts';
import { type Choice, Choices, chosenEquations, type Holds, mostCombinations } from './choices.ts';
import { fixedValue, numbers } from './constants.ts';
import { type Builder, type Context, originOf } from './context.ts';
import type { FlatEquation, Guard, Origin } from './flat.ts';
import { refName, type Selection, select, unresolved, variableType } from './references.ts';
import {
  activeSets,
  type Bridge,
  type Bridges,
  bridgesOf,
  type ConnectionSet,
  connectionSets,
  originOfFlow,
  type Pair,
  type SetGuards,
  type SetNode,
  wholeVariable,
} from './sets.ts';
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

/** The connect that a pair comes from, and when it exists. */
type Cause = Pick<Pair, 'origin' | 'guard'>;

/** Equations that depend on the same conditions. */
interface Block {
  readonly choices: readonly Choice[];
  /** The set with which it began. */
  readonly set: ConnectionSet;
  readonly parts: ((holds: Holds) => FlatEquation[])[];
}

export class Connections {
  private readonly builder: Builder;
  private readonly pairs: Pair[] = [];
  /** Connects that were reported as impossible. */
  private readonly refused = new Set<Origin>();
  /** Literals of the branches around the connects that are being taken up. */
  private branch: Guard = [];

  constructor(builder: Builder) {
    this.builder = builder;
  }

  /** What `work` connects exists only where a guard holds. */
  within<T>(guard: Guard, work: () => T): T {
    const outer = this.branch;
    this.branch = [...outer, ...guard];
    const result = work();
    this.branch = outer;
    return result;
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
    const held = this.builder.guardOf(context.scope.instance);
    const cause: Cause = { origin: originOf(node, context), guard: [...held, ...this.branch] };
    if (left.elements || right.elements) {
      this.pairElements(left, right, cause);
      return;
    }
    for (const [k, item] of left.selection.items.entries()) {
      if (!this.pairInstances(item, right.selection.items[k]!, left, right, node, context, cause)) return;
    }
  }

  private pairElements(left: End, right: End, cause: Cause): void {
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
        ...cause,
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
    cause: Cause,
  ): boolean {
    const difference = this.pairTree(left, right, leftEnd.outside, rightEnd.outside, cause);
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
    cause: Cause,
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
        ...cause,
      });
      return undefined;
    }
    if (left.kind !== 'object' || right.kind !== 'object') return 'only one of them has members';
    if (left.dims.length > 0 || right.dims.length > 0) {
      if (left.elements.length !== right.elements.length) {
        return `\`${left.name}\` and \`${right.name}\` have different sizes`;
      }
      for (const [k, element] of left.elements.entries()) {
        const difference = this.pairTree(element, right.elements[k]!, leftOutside, rightOutside, cause);
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
      const difference = this.pairTree(member, other, leftOutside, rightOutside, cause);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  /** The equations of all connection sets, and of the flows that are connected nowhere; conditional ones last. */
  equations(): FlatEquation[] {
    const choices = new Choices(this.builder);
    const blocks = new Map<string, Block>();
    const add = (set: ConnectionSet, guards: readonly Guard[], part: Block['parts'][number]): void => {
      const own = choices.of(guards);
      const key = own.map((choice) => choice.conditions.join()).join(';');
      const block = blocks.get(key);
      if (block) block.parts.push(part);
      else blocks.set(key, { choices: own, set, parts: [part] });
    };
    const result: FlatEquation[] = [];
    for (const set of this.sets()) {
      const { guards } = set;
      const bridges = bridgesOf(set);
      if (!guards) result.push(...this.setEquations(set));
      else if (bridges) {
        result.push(...this.firmEquations(set, bridges));
        for (const bridge of bridges.bridges) {
          add(set, [bridge.pair.guard], (holds) => this.bridgeEquations(bridge, holds(bridge.pair.guard)));
        }
      } else if (this.mayMeet(set, guards, choices)) {
        add(set, [...guards.nodes, ...guards.links.map((link) => link.pair.guard)], (holds) =>
          activeSets(set, holds).flatMap((active) => this.setEquations(active)),
        );
      }
    }
    for (const block of blocks.values()) result.push(...this.blockEquations(block));
    return result;
  }

  /** Sets of connected variables, then each flow that no connect names as a set of its own. */
  private *sets(): Generator<ConnectionSet> {
    const { builder } = this;
    const { sets, unconnected } = connectionSets(this.pairs, builder);
    yield* sets;
    for (const instance of builder.instances) {
      if (instance.connection !== 'flow') continue;
      const guard = builder.guardOf(instance);
      const guards = guard.length > 0 ? { nodes: [guard], links: [] } : undefined;
      for (const node of unconnected(instance)) yield { nodes: [node], origin: originOfFlow(node), guards };
    }
  }

  private setEquations({ nodes, origin }: ConnectionSet): FlatEquation[] {
    if (nodes[0]!.variable.connection === 'flow') return [this.flowEquation(nodes, origin)];
    return this.potentialEquations(nodes, origin);
  }

  /** What holds in a set whether its bridges are open or closed. */
  private firmEquations({ nodes, origin }: ConnectionSet, { firm }: Bridges): FlatEquation[] {
    if (nodes[0]!.variable.connection === 'flow') return [this.flowEquation(nodes, origin)];
    return firm.flatMap((group) => this.potentialEquations(group, origin));
  }

  private bridgeEquations({ left, right, pair, side }: Bridge, closed: boolean): FlatEquation[] {
    if (left.variable.connection === 'flow') return closed ? [] : [this.flowEquation(side, pair.origin)];
    return closed ? this.potentialEquations([left, right], pair.origin) : [];
  }

  private blockEquations({ choices, set, parts }: Block): readonly FlatEquation[] {
    const { origin, nodes } = set;
    const equations = chosenEquations(choices, origin, (holds) => parts.flatMap((part) => part(holds)));
    if (equations) return equations;
    const number = choices.reduce((n, choice) => n + choice.conditions.length, 0);
    this.builder.diagnostics.push(
      error(
        'limit-exceeded',
        `The connections of \`${connectorName(nodes[0]!)}\` depend on ${number} conditions in more than ${mostCombinations} combinations.`,
        {
          span: origin.span,
          hint: 'Use components that switch (with equations of their own) in place of connects in if-equations.',
        },
      ),
    );
    return [];
  }

  /**
   * False, with a message, for connectors of different states of one machine with nothing outside (requirement 1 of
   * Elmqvist, Mattsson and Otter 2014): two of them never exist together.
   */
  private mayMeet({ nodes }: ConnectionSet, guards: SetGuards, choices: Choices): boolean {
    for (const { condition } of guards.nodes[0]!) {
      const machine = choices.machineOf(condition);
      if (!machine) continue;
      const states = guards.nodes.map((guard) => guard.find((l) => machine.includes(l.condition))?.condition);
      const link = guards.links.find(({ left, right }) => states[left] !== states[right]);
      if (!link || states.includes(undefined)) continue;
      if (!this.refused.has(link.pair.origin))
        this.refuse(nodes[link.left]!, nodes[link.right]!, link.pair.origin);
      return false;
    }
    return true;
  }

  private refuse(left: SetNode, right: SetNode, origin: Origin): void {
    this.refused.add(origin);
    const [a, b] = [connectorName(left), connectorName(right)];
    this.builder.diagnostics.push(
      error(
        'connector-mismatch',
        `\`${a}\` and \`${b}\` belong to different states of one state machine and are connected with nothing outside of it: they never exist together.`,
        {
          span: origin.span,
          hint: 'Connect both with a connector outside of the state machine, or remove the connect.',
        },
      ),
    );
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

/** The connector of a variable. */
function connectorName({ variable }: SetNode): string {
  const { parent } = variable;
  return parent?.kind === 'object' && isConnector(parent) ? parent.path : variable.path;
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
