/**
 * Calls of what the language has built in: functions of plain values (`intrinsics.ts`), operators of clocks and of state machines, and a few
 * whose arguments are no values.
 */
import type * as ast from '../../syntax/ast.ts';
import type { Context, FlatBuilder, OperatorRule } from '../core/context.ts';
import { isUnknown, type Simple, typeName, type Value } from '../core/values.ts';
import { type ClockOperator, clockOperatorNames } from '../flat.ts';
import { stateOperators } from './activity.ts';
import { type CallArgument, matchArguments } from './calls.ts';
import { clockedSample, clockOperators } from './clocks.ts';
import { arrayOf, catenate, expression } from './expressions.ts';
import { type Builtin, rules } from './intrinsics.ts';
import { reduction } from './reductions.ts';
import { stringCall } from './strings.ts';
import { requiredInteger } from './subscripts.ts';

export function builtin(builder: FlatBuilder, name: string, node: ast.Call, context: Context): Value {
  const reason = unsupported.get(name) ?? (name.startsWith('Connections.') ? noGraphs : undefined);
  if (reason !== undefined) {
    return builder.report('unsupported', `\`${name}\` is not supported: ${reason}.`, node, context);
  }
  const special = specials[name] ?? stateOperators[name] ?? clockOperators[name as ClockOperator];
  if (special) return special(builder, node, context);
  const sampled = name === 'sample' ? clockedSample(builder, node, context) : undefined;
  if (sampled) return sampled;
  if (node.iterators) return reduction(builder, name, node, context);
  const row = rules[name];
  if (!row) {
    return builder.report('bad-call', `\`${name}\` cannot be called here.`, node, context);
  }
  const args = matchArguments(builder, node, row.parameters, row.required, name, context);
  if (!args) return builder.unknown;
  return ruled(builder, name, row.rule, args, node, context);
}

/** A built-in function on arguments that are translated already, as external "builtin" declarations name it. */
export function applyBuiltin(
  builder: FlatBuilder,
  name: string,
  args: readonly CallArgument[],
  node: ast.Call,
  context: Context,
): Value {
  const row = rules[name];
  if (!row || args.length < row.required || args.length > row.parameters.length) {
    const message = `The built-in function \`${name}\` is not available.`;
    return builder.report('unsupported', message, node, context);
  }
  return ruled(builder, name, row.rule, args, node, context);
}

function ruled(
  builder: FlatBuilder,
  name: string,
  rule: Builtin['rule'],
  args: readonly (CallArgument | undefined)[],
  node: ast.Call,
  context: Context,
): Value {
  const values: Simple[] = [];
  const nodes: ast.Expression[] = [];
  for (const arg of args) {
    if (!arg) break;
    if (isUnknown(arg.value)) return builder.unknown;
    if (arg.value.kind === 'record') {
      const message = `\`${name}\` cannot take a record (${typeName(arg.value)}).`;
      return builder.report('type-mismatch', message, arg.node, context);
    }
    values.push(arg.value);
    nodes.push(arg.node);
  }
  return rule({ builder, name, args: values, nodes, node, context });
}

/** Calls whose arguments are no plain values. */
const specials: { readonly [name: string]: OperatorRule } = {
  cat: (builder, node, context) => {
    const values = node.positional.map((arg) =>
      arg.kind === 'partial' ? builder.unknown : expression(builder, arg, context),
    );
    if (values.some(isUnknown)) return builder.unknown;
    if (values.length < 2 || values.some((value) => value.kind === 'record')) {
      return builder.report('bad-call', '`cat` takes a dimension and at least one array.', node, context);
    }
    const k = requiredInteger(builder, values[0]!, 'The dimension of `cat`', node.positional[0]!, context);
    return k === undefined
      ? builder.unknown
      : catenate(builder, k, values.slice(1) as Simple[], node, context);
  },
  String: stringCall,
  array: (builder, node, context) => {
    if (node.iterators) return reduction(builder, 'array', node, context);
    const values = node.positional.map((arg) =>
      arg.kind === 'partial' ? builder.unknown : expression(builder, arg, context),
    );
    return arrayOf(builder, values, node, context);
  },
  pure: (builder, node, context) => {
    const [inner] = node.positional;
    if (!inner || inner.kind === 'partial')
      return builder.report('bad-call', '`pure` takes a call.', node, context);
    return expression(builder, inner, context);
  },
  ...Object.fromEntries(
    ['assert', 'terminate', 'reinit'].map((name) => [
      name,
      (builder: FlatBuilder, node: ast.Call, context: Context) =>
        builder.report('bad-call', `\`${name}\` is an equation of its own, it has no value.`, node, context),
    ]),
  ),
};

const noGraphs = 'virtual connection graphs are not available';

/** What the language has and this version does not handle, with the reason shown. */
const unsupported = new Map<string, string>([
  ...['delay', 'spatialDistribution'].map((name): [string, string] => [name, 'delays are not available']),
  ...['inStream', 'actualStream'].map((name): [string, string] => [
    name,
    'stream connectors are not available',
  ]),
  ['cardinality', 'the number of connections cannot be asked for'],
  ['getInstanceName', 'instance names are not available'],
  ['rooted', noGraphs],
]);

/** All names that can be called without being declared. */
export const builtinNames: ReadonlySet<string> = new Set([
  ...Object.keys(rules),
  ...Object.keys(specials),
  ...Object.keys(stateOperators),
  ...clockOperatorNames,
  ...unsupported.keys(),
]);
