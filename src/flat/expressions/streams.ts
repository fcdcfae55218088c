/**
 * `inStream` and `actualStream` (Modelica 3.6, chapter 15). What streams into a connector from the others of its connection set is a variable
 * beside the stream variable, made where it is asked for; the connections determine it (`connections/streams.ts`).
 */
import { remember } from '../../collections/memo.ts';
import type { Instance, VariableInstance } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { blank } from '../core/blank.ts';
import { type Context, type FlatBuilder, type OperatorRule, report } from '../core/context.ts';
import { arraysAround, outerDims } from '../core/families.ts';
import { isUnknown, type Simple, type Value } from '../core/values.ts';
import type { FlatVariable } from '../flat.ts';
import { expression } from './expressions.ts';
import { symbolDims } from './references.ts';

/** Gives what stands for a reference to a stream variable; undefined where it cannot. */
type Streamed = (ref: Extract<Expr, { kind: 'ref' }>, variable: VariableInstance) => Expr | undefined;

export const streamOperators: { readonly [name: string]: OperatorRule } = {
  inStream: (node, context) => {
    const { builder } = context;
    return applied('inStream', node, context, (ref, variable) => inward(builder, ref, variable));
  },
  actualStream: (node, context) => {
    const { builder } = context;
    const { pool, families } = builder;
    return applied('actualStream', node, context, (ref, variable) => {
      const flow = flowOf(variable);
      if (!flow) return undefined;
      const outer = outerDims(families.around(variable)).length;
      const own = ref.subscripts.slice(0, outer);
      // Each of several connectors has a direction of its own.
      if (own.length < outer || own.some(isMany)) families.demandSingle(variable);
      const enters = pool.apply('gt', pool.ref(builder.symbols.get(flow)!, 0, own), pool.zero);
      const dims = variable.dims.filter((_, d) => isMany(ref.subscripts[outer + d]));
      return builder.apply('if', dims, enters, inward(builder, ref, variable), ref);
    });
  },
};

const isMany = (subscript: Expr | undefined): boolean =>
  !subscript ||
  (subscript.kind === 'apply' && /^(colon|range|array)$/.test(subscript.op)) ||
  (subscript.kind === 'ref' && subscript.subscripts.some(isMany));

function applied(name: string, node: ast.Call, context: Context, streamed: Streamed): Value {
  const [arg] = node.positional;
  const isSingle = node.positional.length === 1 && node.named.length === 0 && !node.iterators;
  const value =
    isSingle && arg && arg.kind === 'ref' && context.place !== 'function'
      ? expression(arg, context)
      : undefined;
  if (value && isUnknown(value)) return value;
  const result = value && streamedValue(context.builder, value, streamed);
  if (result) return result;
  return report('bad-call', `\`${name}\` takes a stream variable of a connector.`, arg ?? node, context, {
    hint: `Write \`${name}(connector.variable)\` with a variable that the connector declares as \`stream\`.`,
  });
}

function streamedValue(builder: FlatBuilder, value: Value, streamed: Streamed): Value | undefined {
  if (value.kind === 'simple') {
    const expr = streamedExpr(builder, value.expr, streamed);
    return expr && ({ ...value, expr, variability: 'continuous' } satisfies Simple);
  }
  const fields = new Map<string, Value>();
  for (const [name, field] of value.fields) {
    const own = streamedValue(builder, field, streamed);
    if (!own) return undefined;
    fields.set(name, own);
  }
  return fields.size > 0 ? { ...value, fields } : undefined;
}

function streamedExpr(builder: FlatBuilder, expr: Expr, streamed: Streamed): Expr | undefined {
  if (expr.kind === 'apply' && expr.op === 'array') {
    const args = expr.args.map((arg) => streamedExpr(builder, arg, streamed));
    return args.includes(undefined) ? undefined : builder.pool.apply('array', ...(args as Expr[]));
  }
  const variable = expr.kind === 'ref' && expr.order === 0 ? builder.instances[expr.symbol] : undefined;
  if (expr.kind !== 'ref' || variable?.connection !== 'stream') return undefined;
  return streamed(expr, variable);
}

function inward(
  builder: FlatBuilder,
  { subscripts }: Extract<Expr, { kind: 'ref' }>,
  variable: VariableInstance,
): Expr {
  return builder.pool.ref(inwardSymbol(builder, variable), 0, subscripts);
}

/** The variable that holds what streams into a connector; it has the sizes of the stream variable. */
export function inwardSymbol(builder: FlatBuilder, variable: VariableInstance): number {
  return remember(builder.streams, variable, () => {
    const { path, name, span, parent } = variable;
    const around = builder.families.around(variable);
    return builder.add({
      ...blank,
      name: `${path.slice(0, path.length - name.length)}'inStream(${name})'`,
      ...(around.length > 0 && { within: arraysAround(around) }),
      dims: symbolDims(builder, variable),
      hidden: true,
      guard: builder.guardOf(variable),
      origin: { span, component: parent?.path ?? '' },
    });
  });
}

/** What streams inward is measured and guessed like the stream variable itself. */
export function streamAttributes(builder: FlatBuilder, variables: readonly FlatVariable[]): FlatVariable[] {
  const declared = new Map([...builder.streams].map(([own, symbol]) => [symbol, builder.symbols.get(own)!]));
  return variables.map((variable, symbol) => {
    const like = variables[declared.get(symbol) ?? -1];
    if (!like) return variable;
    const { unit, displayUnit, quantity, start, nominal } = like;
    return { ...variable, unit, displayUnit, quantity, start, nominal };
  });
}

/** The flow variable that a stream variable goes with: that of its connector. */
export function flowOf(stream: VariableInstance): VariableInstance | undefined {
  let connector: Instance | undefined = stream.parent;
  while (connector?.kind === 'object' && connector.restriction.endsWith('record'))
    connector = connector.parent;
  if (connector?.kind !== 'object') return undefined;
  for (const member of connector.members.values())
    if (member.kind === 'variable' && member.connection === 'flow') return member;
  return undefined;
}
