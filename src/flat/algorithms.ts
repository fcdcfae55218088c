/**
 * Algorithm sections of models (Modelica 3.6, section 11.1.2): all assigned variables together are one vector equation
 * `(assigned) = section(read)`. The statements become a function whose inputs are what the section reads and the values
 * that assigned variables have on entry (the left limit of discrete ones, the start value of others), and whose
 * outputs are what it assigns. Relations in it do not cause events.
 */
import { substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionLocal, FunctionStatement } from '../symbolic/function.ts';
import type * as ast from '../syntax/ast.ts';
import { boundValue } from './bindings.ts';
import { type Builder, type Context, originOf, spanOf } from './context.ts';
import type { FlatEquation, FlatVariable } from './flat.ts';
import { isDiscrete, variableType } from './references.ts';
import { statements } from './statements.ts';
import { storage } from './values.ts';

export function algorithmEquation(
  builder: Builder,
  node: ast.AlgorithmSection,
  context: Context,
): FlatEquation[] {
  const errors = builder.diagnostics.length;
  const body = statements(builder, node.statements, context);
  if (builder.diagnostics.length > errors) return [];
  const assigned = new Set<number>();
  for (const target of targetsOf(body)) if (target.kind === 'ref') assigned.add(target.symbol);
  if (assigned.size === 0) return [];
  const section = new Section(builder, [...assigned]);
  const translated = section.statements(body);
  const fn = builder.functions.length;
  builder.functions.push({
    name: context.component ? `${context.component}.algorithm` : 'algorithm',
    ...section.signature(),
    body: translated,
    span: spanOf(node, context),
  });
  const outputs = [...assigned].map((symbol) => builder.pool.ref(symbol));
  return [{ kind: 'call', outputs, fn, args: section.args(), origin: originOf(node, context) }];
}

function* targetsOf(body: readonly FunctionStatement[]): Generator<Expr> {
  for (const statement of body) {
    switch (statement.kind) {
      case 'assign':
        yield statement.target;
        break;
      case 'multiassign':
        for (const target of statement.targets) if (target) yield target;
        break;
      case 'if':
        for (const branch of statement.branches) yield* targetsOf(branch.body);
        break;
      case 'for':
      case 'while':
        yield* targetsOf(statement.body);
        break;
      default:
        break;
    }
  }
}

/**
 * The variables of a section's function: inputs, those for the values on entry first, then outputs. Inputs are numbered
 * as they are met, so that outputs have their numbers only after all of the section was seen.
 */
class Section {
  private readonly builder: Builder;
  private readonly assigned: readonly number[];
  private readonly inputs: { readonly arg: Expr; readonly local: FunctionLocal }[] = [];
  private readonly inputOf = new Map<string, number>();

  constructor(builder: Builder, assigned: readonly number[]) {
    this.builder = builder;
    this.assigned = assigned;
    for (const symbol of assigned)
      this.input(`entry ${symbol}`, entryValue(builder, symbol), symbol, 'entry ');
  }

  private input(key: string, arg: Expr, symbol: number | undefined, prefix: string): number {
    let index = this.inputOf.get(key);
    if (index !== undefined) return index;
    index = this.inputs.length;
    this.inputOf.set(key, index);
    const { name, type, dims } =
      symbol === undefined
        ? { name: 'time', type: 'Real' as const, dims: [] }
        : described(this.builder, symbol);
    const local: FunctionLocal = {
      name: prefix + name,
      type,
      dims,
      initial: undefined,
    };
    this.inputs.push({ arg, local });
    return index;
  }

  /** Two passes: the first finds all inputs, the second knows how many there are. */
  statements(body: readonly FunctionStatement[]): FunctionStatement[] {
    mapped(body, (expr) => this.renamed(expr));
    return mapped(body, (expr) => this.renamed(expr));
  }

  signature(): { locals: FunctionLocal[]; inputs: number; outputs: number } {
    const outputs = this.assigned.map((symbol, k): FunctionLocal => {
      const { local } = this.inputs[k]!;
      const name = this.builder.instances[symbol]!.path;
      return { ...local, name, initial: this.builder.pool.local(k) };
    });
    return {
      locals: [...this.inputs.map(({ local }) => local), ...outputs],
      inputs: this.inputs.length,
      outputs: outputs.length,
    };
  }

  args(): Expr[] {
    return this.inputs.map(({ arg }) => arg);
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
      (leaf) => {
        if (leaf.kind === 'time') return pool.local(this.input('time', leaf, undefined, ''));
        if (leaf.kind === 'pre') {
          const index = this.input(`pre ${leaf.symbol}`, pool.pre(leaf.symbol), leaf.symbol, 'pre ');
          return local(index, leaf.subscripts);
        }
        if (leaf.kind !== 'ref') return undefined;
        const own = leaf.order === 0 ? this.assigned.indexOf(leaf.symbol) : -1;
        if (own >= 0) return local(this.inputs.length + own, leaf.subscripts);
        const key = `ref ${leaf.symbol} ${leaf.order}`;
        const prefix = 'der '.repeat(leaf.order);
        return local(
          this.input(key, pool.ref(leaf.symbol, leaf.order), leaf.symbol, prefix),
          leaf.subscripts,
        );
      },
      memo,
    );
  }
}

function mapped(body: readonly FunctionStatement[], change: (expr: Expr) => Expr): FunctionStatement[] {
  return body.map((statement) => mappedStatement(statement, change));
}

function mappedStatement(node: FunctionStatement, change: (expr: Expr) => Expr): FunctionStatement {
  switch (node.kind) {
    case 'assign':
      return { ...node, target: change(node.target), value: change(node.value) };
    case 'multiassign': {
      const targets = node.targets.map((target) => target && change(target));
      return { ...node, targets, args: node.args.map(change) };
    }
    case 'if': {
      const branches = node.branches.map((branch) => ({
        condition: branch.condition && change(branch.condition),
        body: mapped(branch.body, change),
      }));
      return { ...node, branches };
    }
    case 'for':
      return { ...node, range: change(node.range), body: mapped(node.body, change) };
    case 'while':
      return { ...node, condition: change(node.condition), body: mapped(node.body, change) };
    case 'assert':
      return { ...node, condition: change(node.condition), message: change(node.message) };
    case 'break':
    case 'return':
      return node;
  }
}

function described(builder: Builder, symbol: number): Pick<FlatVariable, 'name' | 'type' | 'dims'> {
  const instance = builder.instances[symbol];
  if (!instance) return builder.added[symbol - builder.instances.length]!;
  return { name: instance.path, type: storage(variableType(instance)), dims: instance.dims };
}

/** What an assigned variable is before the first statement. */
function entryValue(builder: Builder, symbol: number): Expr {
  const instance = builder.instances[symbol]!;
  const { pool } = builder;
  if (isDiscrete(builder, instance)) return pool.pre(symbol);
  const bound = instance.attributes.get('start');
  const start =
    bound && boundValue(builder, bound, instance, { name: 'start', type: variableType(instance) });
  const value = start?.expr ?? pool.zero;
  if (instance.dims.length === 0 || (start && start.dims.length > 0)) return value;
  return pool.apply('fill', value, ...instance.dims.map((n) => pool.const(n)));
}
