/**
 * Overconstrained connections (Modelica 3.6, section 9.4). Types and records with a function `equalityConstraint` have more variables than
 * degrees of freedom, so that equating them around a loop says too much. They are the nodes of a virtual graph, whose edges are connects
 * and `Connections.branch`. In a spanning tree of it (`spanning.ts`) connects equate; where a connect is broken, the function gives as many
 * residuals as there are degrees of freedom.
 *
 * `Connections.isRoot` and `rooted` ask for the tree (`expressions/graph.ts`). Where connects or components exist only sometimes, each combination has trees of its own, and answers are conditions.
 */
import { rootIn } from '../../collections/forest.ts';
import { remember } from '../../collections/memo.ts';
import { entityOf } from '../../model/classes/class.ts';
import type { Instance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import {
  type Context,
  type FlatBuilder,
  originOf,
  type Rootedness,
  refuse,
  withLocal,
} from '../core/context.ts';
import { count, isUnknown, leaves } from '../core/values.ts';
import { fixedNumber } from '../expressions/constants.ts';
import { expression } from '../expressions/expressions.ts';
import { callFunction } from '../expressions/functions.ts';
import { constraintOf, overdetermined } from '../expressions/graph.ts';
import { instanceValue } from '../expressions/references.ts';
import type { FlatEquation, Guard, Origin } from '../flat.ts';
import {
  ConnectionChoices,
  chosenCondition,
  chosenEquations,
  type Holds,
  mostCombinations,
} from './conditional.ts';
import { type SpanningForest, spanningForest } from './spanning.ts';

interface GraphEdge {
  readonly kind: 'branch' | 'connect';
  readonly a: Instance;
  readonly b: Instance;
  readonly guard: Guard;
  readonly node: ast.Node;
  readonly context: Context;
}

interface RootMark {
  readonly at: Instance;
  /** Undefined for a definite root. */
  readonly priority: number | undefined;
  readonly guard: Guard;
  readonly origin: Origin;
}

/** A part of the graph that nothing connects with others. */
interface Part {
  readonly nodes: Instance[];
  readonly edges: GraphEdge[];
  readonly marks: RootMark[];
}

/** A spanning forest with the edges that were active for it. */
interface ActiveForest extends SpanningForest {
  readonly numbers: ReadonlyMap<Instance, number>;
  readonly nodes: readonly Instance[];
  readonly branches: readonly GraphEdge[];
  readonly links: readonly GraphEdge[];
}

export class OverdeterminedGraph {
  private readonly edges: GraphEdge[] = [];
  private readonly marks: RootMark[] = [];
  private readonly reported = new Set<object>();

  constructor(private readonly builder: FlatBuilder) {}

  mark(): readonly [number, number] {
    return [this.edges.length, this.marks.length];
  }

  rewind([edges, marks]: readonly [number, number]): void {
    this.edges.length = edges;
    this.marks.length = marks;
  }

  connect(a: Instance, b: Instance, guard: Guard, node: ast.Node, context: Context): void {
    this.edges.push({ kind: 'connect', a, b, guard, node, context });
  }

  /** Takes up `Connections.branch`, `root` or `potentialRoot`. */
  operator(name: string, node: ast.Call, guard: Guard, context: Context): void {
    const { positional, named } = node;
    const nodes = positional.slice(0, name === 'branch' ? 2 : 1);
    const arguments_ = name === 'branch' ? [2, 2] : name === 'root' ? [1, 1] : [1, 2];
    const total = positional.length + named.length;
    if (
      positional.length < arguments_[0]! ||
      total > arguments_[1]! ||
      named.some((one) => one.name.text !== 'priority')
    ) {
      refuse('bad-call', `\`Connections.${name}\` is called with wrong arguments.`, node, context, {
        hint: `Call it as \`Connections.${signatures[name]}\`.`,
      });
      return;
    }
    const found = nodes.map((arg) => overdetermined(`Connections.${name}`, arg, context));
    const [a, b] = found;
    if (!a || found.includes(undefined)) return;
    const origin = originOf(node, context);
    if (name === 'branch') this.edges.push({ kind: 'branch', a, b: b!, guard, node, context });
    else if (name === 'root') this.marks.push({ at: a, priority: undefined, guard, origin });
    else {
      const given = positional[1] ?? named[0]?.value;
      const priority = given ? this.priority(given, context) : 0;
      if (priority !== undefined) this.marks.push({ at: a, priority, guard, origin });
    }
  }

  private priority(node: ast.Expression | ast.PartialApplication, context: Context): number | undefined {
    const value = node.kind === 'partial' ? undefined : expression(node, context);
    if (value && isUnknown(value)) return undefined;
    const number =
      value?.kind === 'simple' && value.type === 'Integer'
        ? fixedNumber(this.builder, value.expr)
        : undefined;
    if (number !== undefined && number >= 0) return number;
    return refuse(
      'bad-call',
      'The priority of a potential root must be a fixed Integer, 0 or more.',
      node,
      context,
    );
  }

  equations(): FlatEquation[] {
    const choices = new ConnectionChoices(this.builder);
    return this.parts().flatMap((part) => {
      const own = choices.of(this.guardsOf(part));
      const origin = this.originOf(part);
      const equations = chosenEquations(own, origin, (holds) => this.equationsOf(part, holds));
      if (equations) return equations;
      const message = `The connection graph of \`${part.nodes[0]!.path}\` has more than ${mostCombinations} combinations.`;
      this.builder.reportAt('limit-exceeded', message, { span: origin.span });
      return [];
    });
  }

  /** The answers to `isRoot` and `rooted`. */
  rootedness(): Map<Instance, Rootedness> {
    const { builder } = this;
    const choices = new ConnectionChoices(builder);
    const result = new Map<Instance, Rootedness>();
    for (const part of this.parts()) {
      const own = choices.of(this.guardsOf(part));
      const forests = new Map<string, ActiveForest>();
      const forestOf = (holds: Holds): ActiveForest => {
        const key = own
          .flatMap(({ conditions }) => conditions.map((c) => holds([{ condition: c, value: true }])))
          .join();
        return remember(forests, key, () => this.forest(part, holds));
      };
      const partner = new Map<Instance, Instance>();
      for (const { kind, a, b } of part.edges) {
        if (kind !== 'branch') continue;
        if (!partner.has(a)) partner.set(a, b);
        if (!partner.has(b)) partner.set(b, a);
      }
      for (const node of part.nodes) {
        const other = partner.get(node);
        const answer = (ask: (forest: ActiveForest) => boolean): Expr =>
          chosenCondition(builder, own, (holds) => ask(forestOf(holds))) ?? builder.pool.bool(false);
        result.set(node, {
          isRoot: answer(({ numbers, roots }) => roots.has(numbers.get(node) ?? -1)),
          rooted:
            other &&
            answer(({ numbers, depth }) => {
              const [own, its] = [numbers.get(node), numbers.get(other)];
              return own !== undefined && its !== undefined && depth[own]! < depth[its]!;
            }),
        });
      }
    }
    return result;
  }

  private parts(): Part[] {
    const numbers = new Map<Instance, number>();
    const parent: number[] = [];
    const number = (node: Instance): number => remember(numbers, node, () => parent.push(parent.length) - 1);
    for (const { at } of this.marks) number(at);
    for (const { a, b } of this.edges) {
      const [ra, rb] = [rootIn(parent, number(a)), rootIn(parent, number(b))];
      parent[Math.max(ra, rb)] = Math.min(ra, rb);
    }
    const parts = new Map<number, Part>();
    const partOf = (node: Instance): Part =>
      remember(parts, rootIn(parent, numbers.get(node)!), () => ({ nodes: [], edges: [], marks: [] }));
    for (const node of numbers.keys()) partOf(node).nodes.push(node);
    for (const edge of this.edges) partOf(edge.a).edges.push(edge);
    for (const mark of this.marks) partOf(mark.at).marks.push(mark);
    return [...parts.values()];
  }

  private guardsOf({ nodes, edges, marks }: Part): Guard[] {
    return [
      ...nodes.map((node) => this.builder.guardOf(node)),
      ...edges.map(({ guard }) => guard),
      ...marks.map(({ guard }) => guard),
    ];
  }

  private originOf({ nodes, edges }: Part): Origin {
    const first = edges[0];
    return first ? originOf(first.node, first.context) : { span: nodes[0]!.span, component: '' };
  }

  /** The spanning forest of what is active. */
  private forest(part: Part, holds: Holds): ActiveForest {
    const nodes = part.nodes.filter((node) => holds(this.builder.guardOf(node)));
    const numbers = new Map(nodes.map((node, k) => [node, k]));
    const edges = part.edges.filter(({ a, b, guard }) => numbers.has(a) && numbers.has(b) && holds(guard));
    const marks = part.marks.filter(({ at, guard }) => numbers.has(at) && holds(guard));
    const branches = edges.filter(({ kind }) => kind === 'branch');
    const links = edges.filter(({ kind }) => kind === 'connect');
    const pair = ({ a, b }: GraphEdge) => [numbers.get(a)!, numbers.get(b)!] as const;
    const forest = spanningForest({
      size: nodes.length,
      branches: branches.map(pair),
      connects: links.map(pair),
      roots: marks.flatMap(({ at, priority }) => (priority === undefined ? [numbers.get(at)!] : [])),
      potential: marks.flatMap(({ at, priority }) =>
        priority === undefined ? [] : [{ node: numbers.get(at)!, priority }],
      ),
    });
    return { ...forest, numbers, nodes, branches, links };
  }

  private equationsOf(part: Part, holds: Holds): FlatEquation[] {
    const forest = this.forest(part, holds);
    for (const k of forest.closing) this.reportClosing(forest.branches[k]!);
    for (const node of forest.rootless) this.reportRootless(forest, node);
    return forest.links.flatMap((link, k) => {
      const kind = forest.connects[k]!;
      return kind === 'kept' ? this.equal(link) : kind === 'broken' ? this.constrained(link) : [];
    });
  }

  private equal({ a, b, node, context }: GraphEdge): FlatEquation[] {
    const { builder } = this;
    const origin = originOf(node, context);
    const others = leaves(instanceValue(builder, b));
    return leaves(instanceValue(builder, a)).flatMap(({ value }, k): FlatEquation[] => {
      const { expr: left, dims, variability } = value;
      const isFixed = variability === 'parameter' || variability === 'constant';
      return isFixed ? [] : [{ kind: 'equal', left, right: others[k]!.value.expr, dims, origin }];
    });
  }

  /** `zeros(n) = equalityConstraint(a, b)`. */
  private constrained({ a, b, node, context }: GraphEdge): FlatEquation[] {
    const { builder } = this;
    const { pool } = builder;
    const named = (name: string): ast.ComponentRef => ({
      kind: 'ref',
      global: false,
      parts: [{ name, subscripts: [], start: node.start, end: node.end }],
      start: node.start,
      end: node.end,
    });
    const [left, right] = [named('$a'), named('$b')];
    const call: ast.Call = {
      kind: 'call',
      callee: named('equalityConstraint'),
      positional: [left, right],
      named: [],
      iterators: undefined,
      start: node.start,
      end: node.end,
    };
    const inside = withLocal(
      withLocal(context, '$a', instanceValue(builder, a)),
      '$b',
      instanceValue(builder, b),
    );
    const value = callFunction(entityOf(constraintOf(a)!), call, inside);
    if (isUnknown(value) || value.kind !== 'simple') return [];
    const { dims, expr } = value;
    const zero =
      dims.length === 0 ? pool.zero : pool.apply('fill', pool.zero, ...dims.map((n) => pool.const(n)));
    const origin = originOf(node, context);
    return count(dims) === 0 ? [] : [{ kind: 'equal', left: zero, right: expr, dims, origin }];
  }

  private reportClosing({ a, b, node, context }: GraphEdge): void {
    if (this.reported.has(node)) return;
    this.reported.add(node);
    const message = `\`Connections.branch(${a.path}, ${b.path})\` closes a loop of branches, or joins two definite roots.`;
    refuse('bad-graph', message, node, context, {
      hint: 'Branches and definite roots must form trees with one root each: leave out one of them, or make it a potential root.',
    });
  }

  private reportRootless({ nodes }: ActiveForest, at: number): void {
    const node = nodes[at]!;
    if (this.reported.has(node)) return;
    this.reported.add(node);
    // The place in the model itself, not that in the class of the connector.
    let component = node;
    while (component.parent?.parent) component = component.parent;
    this.builder.reportAt('bad-graph', `Nothing that is connected with \`${node.path}\` is a root.`, {
      span: component.span,
      hint: 'Connect it with a component that has `Connections.root` or `Connections.potentialRoot`, such as a source, a world or a ground.',
    });
  }
}

const signatures: { readonly [name: string]: string } = {
  branch: 'branch(a.R, b.R)',
  root: 'root(a.R)',
  potentialRoot: 'potentialRoot(a.R, priority)',
};
