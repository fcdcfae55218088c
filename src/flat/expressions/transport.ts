/**
 * `spatialDistribution` (Modelica 3.6, section 3.7.4.2). The component (`src/builtin/transport.ts`) gives what stands at the ends inside; the outputs are those, and
 * what enters where something enters. A choice in equations keeps apart what depends on what: two lines in a row are no loop.
 */
import { transport } from '../../builtin/transport.ts';
import { sameItems } from '../../collections/lists.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, refuse } from '../core/context.ts';
import { atMost, isNumeric, isUnknown, type Simple, simple, typeName, type Value } from '../core/values.ts';
import { type CallArgument, matchArguments } from './calls.ts';
import { past } from './delays.ts';
import { elementIndex, indexed } from './subscripts.ts';

const names = ['in0', 'in1', 'x', 'positiveVelocity', 'initialPoints', 'initialValues'];

/** The arguments; in0 and in1 are scalars or vectors. */
interface Line {
  readonly in0: Simple;
  readonly in1: Simple;
  readonly x: Simple;
  readonly positive: Simple;
  /** Points and values, each a vector, or one for each element of in0. */
  readonly initial: readonly [Simple, Simple];
}

/** Both outputs; undefined after an error. */
export function transportOutputs(node: ast.Call, context: Context): [Value, Value] | undefined {
  const { builder } = context;
  const line = lineOf(node, context);
  if (!line) return undefined;
  const [many] = line.in0.dims;
  if (many === undefined) return endsOf(line, node, context);
  const ends = Array.from({ length: many }, (_, k) => endsOf(elementOf(line, k, context), node, context));
  const all = (side: 0 | 1): Value => {
    const values = ends.map((pair) => pair[side]);
    if (values.some(isUnknown)) return builder.unknown;
    const exprs = values.map(({ expr }) => expr);
    return simple(builder.pool.raw('array', exprs), 'Real', 'continuous', [many]);
  };
  return [all(0), all(1)];
}

function lineOf(node: ast.Call, context: Context): Line | undefined {
  const args = matchArguments(node, names, 4, 'spatialDistribution', context);
  if (!args || args.some((arg) => arg && isUnknown(arg.value))) return undefined;
  const wrong = args.findIndex((arg, k) => arg && !fits(arg.value, k, args[0]!.value.dims));
  if (wrong >= 0) {
    const message = `\`${names[wrong]}\` of \`spatialDistribution\` cannot be ${typeName(args[wrong]!.value)}.`;
    return refuse('type-mismatch', message, args[wrong]!.node, context);
  }
  const [in0, in1, x, positive] = args.map((arg) => arg?.value) as Simple[];
  const initial = [initialOf(args, 4, [0, 1], context), initialOf(args, 5, [0, 0], context)] as const;
  if (!initial[0] || !initial[1]) return undefined;
  const [points, values] = initial.map((value) => value!.dims.at(-1));
  if (points !== values) {
    const message = `\`spatialDistribution\` has ${points} initial points but ${values} initial values.`;
    return refuse('dimension-mismatch', message, node, context);
  }
  return { in0: in0!, in1: in1!, x: x!, positive: positive!, initial: [initial[0], initial[1]] };
}

/** Whether a value can be argument k, where in0 has these sizes. */
function fits(value: Value, k: number, sizes: readonly number[]): boolean {
  if (value.kind === 'record' || (k === 3 ? value.type !== 'Boolean' : !isNumeric(value.type))) return false;
  const { dims } = value;
  if (k <= 1) return dims.length <= 1 && sameItems(dims, sizes);
  if (k <= 3) return dims.length === 0;
  return dims.length === 1 || (sizes.length === 1 && dims.length === 2 && dims[0] === sizes[0]);
}

/** Initial points or values; undefined after an error. */
function initialOf(
  args: readonly (CallArgument | undefined)[],
  k: number,
  otherwise: readonly number[],
  context: Context,
): Simple | undefined {
  const { pool } = context.builder;
  const arg = args[k];
  if (!arg) {
    const exprs = otherwise.map((value) => pool.const(value));
    return simple(pool.raw('array', exprs), 'Real', 'constant', [otherwise.length]);
  }
  const value = arg.value as Simple;
  if (atMost(value.variability, 'parameter')) return value;
  const message = `\`${names[k]}\` of \`spatialDistribution\` must not change in a run.`;
  return refuse('variability', message, arg.node, context);
}

/** Number k of several lines that move together. */
function elementOf({ in0, in1, x, positive, initial }: Line, k: number, { builder }: Context): Line {
  const index = elementIndex(builder.pool.const(k + 1));
  const element = (value: Simple): Simple => indexed(builder, value, [index]) as Simple;
  const own = (value: Simple) => (value.dims.length === 2 ? element(value) : value);
  const [points, values] = initial;
  return { in0: element(in0), in1: element(in1), x, positive, initial: [own(points), own(values)] };
}

function endsOf(
  { in0, in1, x, positive, initial }: Line,
  node: ast.Call,
  context: Context,
): [Simple, Simple] {
  const { pool, unknown } = context.builder;
  const forward = positive.expr;
  const inputs = [
    { name: 'in0', value: in0 },
    { name: 'in1', value: in1 },
    { name: 'x', value: x },
    {
      name: 'positive',
      value: simple(pool.if(forward, pool.one, pool.zero), 'Real', positive.variability),
    },
  ];
  const outputs = [
    { name: 'z0', dims: [] },
    { name: 'z1', dims: [] },
  ];
  const parameters = initial.map((value, k) => ({ name: names[4 + k]!, value }));
  const inside = past(transport, inputs, outputs, node, context, parameters);
  if (!inside) return [unknown, unknown];
  const [z0, z1] = inside;
  return [
    simple(pool.if(forward, in0.expr, z0!), 'Real', 'continuous'),
    simple(pool.if(forward, z1!, in1.expr), 'Real', 'continuous'),
  ];
}
