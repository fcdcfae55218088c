/**
 * Statements of algorithm sections as functions of their own: whole sections that cause no events, and within others the
 * loops whose number of rounds is not known. The inputs are what the statements read and the values that assigned
 * variables have on entry, the outputs what they assign. Relations in functions cause no events.
 */
import { remember } from '../../collections/memo.ts';
import type { Span } from '../../diagnostic/source.ts';
import { nodesOf, substitute } from '../../symbolic/analyse.ts';
import { isIterated } from '../../symbolic/arrays.ts';
import type { Apply, Expr, Local } from '../../symbolic/expr.ts';
import {
  type FunctionLocal,
  type FunctionStatement,
  statementExpressions,
  statementsIn,
} from '../../symbolic/function.ts';
import type { FlatBuilder } from '../core/context.ts';
import { storage } from '../core/values.ts';
import { doneOutput } from '../expressions/functions.ts';
import { symbolDims, variableType } from '../expressions/references.ts';
import type { FlatCallEquation, FlatStatement, FlatVariable } from '../flat.ts';
import { mapStatements } from '../walk.ts';

/** A call that stands for statements; its outputs are the variables that it assigns. */
type Fragment = Pick<FlatCallEquation, 'outputs' | 'fn' | 'args'>;

export function fragment(
  builder: FlatBuilder,
  body: readonly FunctionStatement[],
  entryValue: (symbol: number) => Expr,
  name: string,
  span: Span,
): Fragment {
  const assigned = assignedBy(body);
  const section = new Section(builder, assigned, entryValue, iteratorsOf(body));
  const translated = section.statements(body);
  const fn = builder.functions.length;
  const site = callsImpure(builder, translated) ? ({ impure: true, turns: 0 } as const) : {};
  builder.functions.push({ name, ...section.signature(), body: translated, ...site, span });
  return { outputs: assigned.map((symbol) => builder.pool.ref(symbol)), fn, args: section.args() };
}

function callsImpure({ functions }: FlatBuilder, body: readonly FunctionStatement[]): boolean {
  for (const statement of statementsIn(body))
    if (statement.kind === 'multiassign' && functions[statement.fn]!.impure) return true;
  return nodesOf(...statementExpressions(body)).some(
    (node) => node.kind === 'call' && functions[node.fn]!.impure,
  );
}

/** The iterators of loops, and of what is computed over ranges inside expressions. */
function iteratorsOf(body: readonly FunctionStatement[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const statement of statementsIn(body)) if (statement.kind === 'for') found.add(statement.iterator);
  for (const node of nodesOf(...statementExpressions(body)).filter(isIterated))
    for (const arg of (node as Apply).args.slice(1)) if (arg.kind === 'iter') found.add(arg.iterator);
  return found;
}

/** The symbols that statements assign, in the order of their first assignment. */
export function assignedBy(body: readonly FlatStatement[]): number[] {
  const assigned = new Set<number>();
  for (const statement of statementsIn(body)) {
    const targets =
      statement.kind === 'assign'
        ? [statement.target]
        : statement.kind === 'multiassign'
          ? statement.targets
          : [];
    for (const target of targets) if (target?.kind === 'ref') assigned.add(target.symbol);
  }
  return [...assigned];
}

/**
 * The variables of a section's function: inputs, those for the values on entry first, then outputs. Inputs are numbered
 * as they are met, so that outputs have their numbers only after all of the section was seen.
 */
class Section {
  private readonly inputs: { readonly arg: Expr; readonly local: FunctionLocal }[] = [];
  private readonly inputOf = new Map<string, number>();

  constructor(
    private readonly builder: FlatBuilder,
    private readonly assigned: readonly number[],
    entryValue: (symbol: number) => Expr,
    private readonly iterators: ReadonlySet<number>,
  ) {
    for (const symbol of assigned)
      this.input(`entry ${symbol}`, entryValue(symbol), described(builder, symbol), 'entry ');
  }

  private input(key: string, arg: Expr, { name, type, dims }: Described, prefix = ''): number {
    const local = { name: prefix + name, type, dims, initial: undefined };
    return remember(this.inputOf, key, () => this.inputs.push({ arg, local }) - 1);
  }

  /** Two passes: the first finds all inputs, the second knows how many there are. */
  statements(body: readonly FunctionStatement[]): FunctionStatement[] {
    mapStatements(body, (expr) => this.renamed(expr));
    return mapStatements(body, (expr) => this.renamed(expr));
  }

  signature(): { locals: FunctionLocal[]; inputs: number; outputs: number } {
    const outputs = this.assigned.map((symbol, k): FunctionLocal => {
      const { local } = this.inputs[k]!;
      return { ...local, name: this.builder.instances[symbol]!.path, initial: this.builder.pool.local(k) };
    });
    if (outputs.length === 0) outputs.push(doneOutput(this.builder));
    return {
      locals: [...this.inputs.map(({ local }) => local), ...outputs],
      inputs: this.inputs.length,
      outputs: outputs.length,
    };
  }

  args(): Expr[] {
    return this.inputs.map(({ arg }) => arg);
  }

  private leftLimit(symbol: number): number {
    const { builder } = this;
    return this.input(`pre ${symbol}`, builder.pool.pre(symbol), described(builder, symbol), 'pre ');
  }

  private variable(symbol: number, order: number): number {
    const { builder } = this;
    const own = order === 0 ? this.assigned.indexOf(symbol) : -1;
    if (own >= 0) return this.inputs.length + own;
    const prefix = 'der '.repeat(order);
    const ref = builder.pool.ref(symbol, order);
    return this.input(`ref ${symbol} ${order}`, ref, described(builder, symbol), prefix);
  }

  /** What only the simulator knows is handed in; `edge` and `change` are written as what they mean. */
  private eventOperator(node: Apply, below: readonly Expr[]): Expr | undefined {
    const { pool } = this.builder;
    switch (node.op) {
      case 'initial':
      case 'terminal':
      case 'sample':
        return pool.local(this.input(`apply ${node.id}`, node, { name: node.op, type: 'Boolean', dims: [] }));
      case 'edge':
      case 'change': {
        const [variable] = node.args;
        if (variable?.kind !== 'ref') return undefined;
        const before = pool.local(this.leftLimit(variable.symbol), (below[0] as Local).subscripts);
        return node.op === 'edge'
          ? pool.and(below[0]!, pool.not(before))
          : pool.apply('ne', below[0]!, before);
      }
      default:
        return undefined;
    }
  }

  /** An expression over the function's own variables. */
  private renamed(expr: Expr): Expr {
    const { pool } = this.builder;
    const memo = new Map<Expr, Expr>();
    const local = (index: number, subscripts: readonly Expr[]): Expr =>
      pool.local(
        index,
        subscripts.map((s) => this.renamed(s)),
      );
    return substitute(
      pool,
      expr,
      (node, below) => {
        switch (node.kind) {
          case 'time':
            return pool.local(this.input('time', node, { name: 'time', type: 'Real', dims: [] }));
          case 'iter': {
            if (this.iterators.has(node.iterator)) return undefined;
            const name = this.builder.iterators[node.iterator]!;
            return pool.local(this.input(`iter ${node.iterator}`, node, { name, type: 'Integer', dims: [] }));
          }
          case 'pre':
            return local(this.leftLimit(node.symbol), node.subscripts);
          case 'ref':
            return local(this.variable(node.symbol, node.order), node.subscripts);
          case 'apply':
            return this.eventOperator(node, below);
          default:
            return undefined;
        }
      },
      memo,
    );
  }
}

type Described = Pick<FlatVariable, 'name' | 'type' | 'dims'>;

function described(builder: FlatBuilder, symbol: number): Described {
  const instance = builder.instances[symbol];
  if (!instance) return builder.added[symbol - builder.instances.length]!;
  return { name: instance.path, type: storage(variableType(instance)), dims: symbolDims(builder, instance) };
}
