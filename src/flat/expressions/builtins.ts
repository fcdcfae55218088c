/**
 * Calls of what the language has built in: functions of plain values (`intrinsics.ts`), operators of clocks and of state machines, and a few
 * whose arguments are no values.
 */
import { withPath } from '../../names/names.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type OperatorRule, report } from '../core/context.ts';
import { isUnknown, type Simple, simple, type Value } from '../core/values.ts';
import { type ClockOperator, clockOperatorNames } from '../flat.ts';
import { stateOperators } from './activity.ts';
import { type CallArgument, matchArguments } from './calls.ts';
import { clockedSample, clockOperators } from './clocks.ts';
import { delayCall } from './delays.ts';
import { arrayOf, expression, joined } from './expressions.ts';
import { onRecords } from './fields.ts';
import { graphOperators } from './graph.ts';
import { type Builtin, rules } from './intrinsics.ts';
import { reduction } from './reductions.ts';
import { streamOperators } from './streams.ts';
import { stringCall } from './strings.ts';
import { requiredInteger } from './subscripts.ts';
import { transportOutputs } from './transport.ts';

export function builtin(name: string, node: ast.Call, context: Context): Value {
  const special =
    specials[name] ??
    stateOperators[name] ??
    streamOperators[name] ??
    graphOperators[name] ??
    clockOperators[name as ClockOperator];
  if (special) return special(node, context);
  const sampled = name === 'sample' ? clockedSample(node, context) : undefined;
  if (sampled) return sampled;
  if (node.iterators) return reduction(name, node, context);
  const row = rules[name];
  if (!row) {
    return report('bad-call', `\`${name}\` cannot be called here.`, node, context);
  }
  const [measured] = name === 'size' || name === 'ndims' ? node.positional : [];
  const around = measured ? { ...context, measured } : context;
  const args = matchArguments(node, row.parameters, row.required, name, around);
  if (!args) return context.builder.unknown;
  return ruled(name, row.rule, args, node, context);
}

/** What the language has built in with several outputs. */
export const severalOutputs: ReadonlyMap<
  string,
  (node: ast.Call, context: Context) => readonly Value[] | undefined
> = new Map([['spatialDistribution', transportOutputs]]);

/** A built-in function on arguments that are translated already, as external "builtin" declarations name it. */
export function applyBuiltin(
  name: string,
  args: readonly CallArgument[],
  node: ast.Node,
  context: Context,
): Value {
  const row = rules[name];
  if (!row || args.length < row.required || args.length > row.parameters.length) {
    const message = `The built-in function \`${name}\` is not available.`;
    return report('unsupported', message, node, context);
  }
  return ruled(name, row.rule, args, node, context);
}

function ruled(
  name: string,
  rule: Builtin['rule'],
  args: readonly (CallArgument | undefined)[],
  node: ast.Node,
  context: Context,
): Value {
  const { builder } = context;
  const given = args.filter((arg) => arg !== undefined);
  if (given.some(({ value }) => value.kind === 'record') && !given.some(({ value }) => isUnknown(value)))
    return onRecords(name, given, node, context, (simple) => ruled(name, rule, simple, node, context));
  const values: Simple[] = [];
  const nodes: ast.Node[] = [];
  for (const arg of args) {
    if (!arg) break;
    if (isUnknown(arg.value) || arg.value.kind === 'record') return builder.unknown;
    values.push(arg.value);
    nodes.push(arg.node);
  }
  return rule({ builder, name, args: values, nodes, node, context });
}

/** The arguments by position. */
const valuesOf = (node: ast.Call, context: Context): Value[] =>
  node.positional.map((arg) => (arg.kind === 'partial' ? context.builder.unknown : expression(arg, context)));

/** Calls whose arguments are no plain values. */
const specials: { readonly [name: string]: OperatorRule } = {
  cat: (node, context) => {
    const { unknown } = context.builder;
    const values = valuesOf(node, context);
    if (values.some(isUnknown)) return unknown;
    if (values.length < 2)
      return report('bad-call', '`cat` takes a dimension and at least one array.', node, context);
    const k = requiredInteger(values[0]!, 'The dimension of `cat`', node.positional[0]!, context);
    return k === undefined ? unknown : joined(k, values.slice(1), node, context);
  },
  String: stringCall,
  array: (node, context) =>
    node.iterators ? reduction('array', node, context) : arrayOf(valuesOf(node, context), node, context),
  delay: delayCall,
  spatialDistribution: (node, context) => transportOutputs(node, context)?.[0] ?? context.builder.unknown,
  getInstanceName: (node, context) => {
    const { builder, component, scope, place } = context;
    if (!matchArguments(node, [], 0, 'getInstanceName', context)) return builder.unknown;
    if (place === 'function')
      return report('bad-call', '`getInstanceName` cannot stand in a function.', node, context, {
        hint: 'A function belongs to no instance: pass the name as an input.',
      });
    // Elements of an array have names of their own; a model in a package is named without the package.
    builder.families.demandSingle({ parent: scope.instance });
    const model = builder.name.slice(builder.name.lastIndexOf('.') + 1);
    return simple(
      builder.pool.text(component === '' ? model : withPath(model, component)),
      'String',
      'constant',
    );
  },
  pure: (node, context) => {
    const [inner] = node.positional;
    if (!inner || inner.kind === 'partial') return report('bad-call', '`pure` takes a call.', node, context);
    return expression(inner, { ...context, purified: inner });
  },
  ...Object.fromEntries(
    ['assert', 'terminate', 'reinit'].map((name) => [
      name,
      (node: ast.Call, context: Context) =>
        report('bad-call', `\`${name}\` is an equation of its own, it has no value.`, node, context),
    ]),
  ),
};

/** All names that can be called without being declared. */
export const builtinNames: ReadonlySet<string> = new Set([
  ...Object.keys(rules),
  ...Object.keys(specials),
  ...Object.keys(stateOperators),
  ...Object.keys(streamOperators),
  ...Object.keys(graphOperators),
  ...clockOperatorNames,
]);
