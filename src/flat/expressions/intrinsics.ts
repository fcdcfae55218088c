/**
 * The built-in functions of chapters 3.7 and 10.3 whose arguments are plain values: one row a name, with its parameters and the rule
 * that checks the arguments and builds the expression. Functions of numbers have theirs in `symbolic/intrinsics.ts`.
 */
import { sameItems } from '../../collections/lists.ts';
import type { Expr, Op } from '../../symbolic/expr.ts';
import { intrinsics, type NumberFunction } from '../../symbolic/intrinsics.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, refuse, report } from '../core/context.ts';
import {
  atMost,
  commonType,
  count,
  dimsName,
  isNumeric,
  isUnknown,
  join,
  nameOf,
  type Simple,
  simple,
  type Type,
  typeName,
  type Value,
} from '../core/values.ts';
import type { Variability } from '../flat.ts';
import { leftLimit, timeDerivativeOf } from './calculus.ts';
import { fixedNumber } from './constants.ts';
import { maximalElements } from './expressions.ts';
import { exact } from './operators.ts';
import { requiredInteger } from './subscripts.ts';

/** The parts of a call that a rule works on. */
export interface IntrinsicCall {
  readonly builder: FlatBuilder;
  readonly name: string;
  readonly args: readonly Simple[];
  readonly nodes: readonly ast.Expression[];
  readonly node: ast.Call;
  readonly context: Context;
}

export interface Builtin {
  readonly parameters: readonly string[];
  readonly required: number;
  readonly rule: (call: IntrinsicCall) => Value;
}

const level = (args: readonly Simple[]): Variability =>
  args.reduce<Variability>((v, a) => join(v, a.variability), 'constant');

function wrongType(call: IntrinsicCall, i: number, wanted: string): Simple {
  const message = `\`${call.name}\` needs ${wanted}, not ${typeName(call.args[i]!)}.`;
  return report('type-mismatch', message, call.nodes[i]!, call.context);
}

function wrongSize(call: IntrinsicCall, i: number, wanted: string): Simple {
  const message = `\`${call.name}\` needs ${wanted}, not ${dimsName(call.args[i]!.dims)}.`;
  return report('dimension-mismatch', message, call.nodes[i]!, call.context);
}

function built(
  call: IntrinsicCall,
  op: Op,
  type: Type,
  dims: readonly number[] = [],
  variability = level(call.args),
): Simple {
  return simple(call.builder.apply(op, dims, ...call.args.map((a) => a.expr)), type, variability, dims);
}

function row(parameters: string, rule: Builtin['rule'], required?: number): Builtin {
  const names = parameters === '' ? [] : parameters.split(' ');
  return { parameters: names, required: required ?? names.length, rule };
}

/** A function of numbers, for arrays element by element. */
function numeric(own: NumberFunction): Builtin {
  const rule = (call: IntrinsicCall): Value => {
    const { builder, args } = call;
    const wrong = args.findIndex((arg) => !isNumeric(arg.type));
    if (wrong >= 0) return wrongType(call, wrong, 'a number');
    const dims = args.find((arg) => arg.dims.length > 0)?.dims ?? [];
    const differing = args.findIndex((arg) => arg.dims.length > 0 && !sameItems(arg.dims, dims));
    if (differing >= 0) return wrongSize(call, differing, `size ${dimsName(dims)}`);
    const variability = level(args);
    const settled = own.stepped && !atMost(variability, 'discrete') ? 'discrete' : variability;
    const elements = {
      const: (value: number): Expr => builder.pool.const(value),
      apply: (op: Op, ...items: Expr[]): Expr => builder.apply(op, dims, ...items),
    };
    const expr = own.make(elements, ...args.map((arg) => arg.expr));
    const value = simple(expr, own.type === 'common' ? common(args) : own.type, settled, dims);
    return call.name === 'integer' ? exact(value, call.node, call.context) : value;
  };
  return { parameters: own.parameters, required: own.parameters.length, rule };
}

const common = (args: readonly Simple[]): Type =>
  args.reduce<Type>((t, a) => commonType(t, a.type)!, 'Integer');

function booleanScalar(op: Op): Builtin['rule'] {
  return (call) => built(call, op, 'Boolean', [], 'discrete');
}

/** `min` and `max`: of two scalars, or over an array. */
function extreme(op: 'min' | 'max'): Builtin['rule'] {
  return (call) => {
    const [a, b] = call.args;
    if (b) {
      if (a!.dims.length > 0) return wrongSize(call, 0, 'scalars');
      if (b.dims.length > 0) return wrongSize(call, 1, 'scalars');
      const type = commonType(a!.type, b.type);
      if (type === undefined || type === 'String')
        return wrongType(call, 1, `a value comparable to ${nameOf(a!.type)}`);
      return built(call, op, type);
    }
    if (a!.dims.length === 0) return wrongSize(call, 0, 'two scalars or an array');
    return built(call, op === 'min' ? 'minOf' : 'maxOf', a!.type);
  };
}

function total(op: 'sum' | 'product'): Builtin['rule'] {
  return (call) => {
    if (!isNumeric(call.args[0]!.type)) return wrongType(call, 0, 'numbers');
    return call.args[0]!.dims.length === 0 ? call.args[0]! : built(call, op, call.args[0]!.type);
  };
}

/** Sizes given as arguments `from` on. */
function sizes(call: IntrinsicCall, from: number): number[] | undefined {
  const dims: number[] = [];
  for (let i = from; i < call.args.length; i++) {
    const what = `A size in \`${call.name}\``;
    const n = requiredInteger(call.args[i]!, what, call.nodes[i]!, call.context);
    if (n === undefined) return undefined;
    if (n < 0) {
      return refuse('dimension-mismatch', `${what} is ${n}.`, call.nodes[i]!, call.context);
    }
    dims.push(n);
  }
  if (count(dims) > maximalElements) {
    const message = `An array of ${count(dims)} elements is too large.`;
    return refuse('limit-exceeded', message, call.node, call.context);
  }
  return dims;
}

const integer = (expr: Expr): Simple => simple(expr, 'Integer', 'constant');

function filled(call: IntrinsicCall, value: Simple, dims: readonly number[] | undefined): Simple {
  if (!dims) return call.builder.unknown;
  const { pool } = call.builder;
  const expr = pool.apply('fill', value.expr, ...dims.map((n) => pool.const(n)));
  return { ...value, expr, dims: [...dims, ...value.dims] };
}

const manySizes = 'n1 n2 n3 n4 n5 n6 n7 n8';

// ---------------------------------------------------------------- the table

export const rules: { readonly [name: string]: Builtin } = {
  ...Object.fromEntries(
    [...intrinsics].flatMap(([name, row]) => (row.numeric ? [[name, numeric(row.numeric)]] : [])),
  ),
  min: row('x y', extreme('min'), 1),
  max: row('x y', extreme('max'), 1),
  sum: row('A', total('sum')),
  product: row('A', total('product')),
  size: row(
    'A i',
    (call) => {
      const { pool } = call.builder;
      const { dims } = call.args[0]!;
      if (call.args.length === 1) {
        const expr = pool.apply('array', ...dims.map((n) => pool.const(n)));
        return simple(expr, 'Integer', 'constant', [dims.length]);
      }
      const i = requiredInteger(call.args[1]!, 'The dimension in `size`', call.nodes[1]!, call.context);
      if (i === undefined) return call.builder.unknown;
      const n = dims[i - 1];
      if (n === undefined) return wrongSize(call, 0, `an array with at least ${i} dimensions`);
      return simple(pool.const(n), 'Integer', 'constant');
    },
    1,
  ),
  ndims: row('A', (call) =>
    simple(call.builder.pool.const(call.args[0]!.dims.length), 'Integer', 'constant'),
  ),
  zeros: row(manySizes, (call) => filled(call, integer(call.builder.pool.zero), sizes(call, 0)), 1),
  ones: row(manySizes, (call) => filled(call, integer(call.builder.pool.one), sizes(call, 0)), 1),
  fill: row(`s ${manySizes}`, (call) => filled(call, call.args[0]!, sizes(call, 1)), 2),
  identity: row('n', (call) => {
    const dims = sizes(call, 0);
    if (!dims) return call.builder.unknown;
    const n = call.builder.pool.const(dims[0]!);
    return simple(call.builder.pool.apply('identity', n), 'Integer', 'constant', [dims[0]!, dims[0]!]);
  }),
  diagonal: row('v', (call) => {
    const { dims, type } = call.args[0]!;
    return dims.length === 1
      ? built(call, 'diagonal', type, [dims[0]!, dims[0]!])
      : wrongSize(call, 0, 'a vector');
  }),
  linspace: row('x1 x2 n', (call) => {
    const wrong = call.args.findIndex((arg) => !isNumeric(arg.type));
    if (wrong >= 0) return wrongType(call, wrong, 'a number');
    const what = 'The size in `linspace`';
    const n = requiredInteger(call.args[2]!, what, call.nodes[2]!, call.context);
    if (n === undefined) return call.builder.unknown;
    if (n < 2) {
      const message = '`linspace` needs at least 2 points.';
      return report('bad-call', message, call.nodes[2]!, call.context);
    }
    const { pool } = call.builder;
    const expr = pool.apply('linspace', call.args[0]!.expr, call.args[1]!.expr, pool.const(n));
    return simple(expr, 'Real', level(call.args), [n]);
  }),
  transpose: row('A', (call) => {
    const { dims, type } = call.args[0]!;
    return dims.length === 2
      ? built(call, 'transpose', type, [dims[1]!, dims[0]!])
      : wrongSize(call, 0, 'a matrix');
  }),
  symmetric: row('A', (call) => {
    const { dims, type } = call.args[0]!;
    const square = dims.length === 2 && dims[0] === dims[1];
    return square ? built(call, 'symmetric', type, dims) : wrongSize(call, 0, 'a square matrix');
  }),
  outerProduct: row('x y', (call) => {
    const wrong = call.args.findIndex((arg) => arg.dims.length !== 1);
    if (wrong >= 0) return wrongSize(call, wrong, 'a vector');
    return built(call, 'outerProduct', common(call.args), [call.args[0]!.dims[0]!, call.args[1]!.dims[0]!]);
  }),
  cross: row('x y', (call) => {
    const wrong = call.args.findIndex((arg) => !sameItems(arg.dims, [3]));
    return wrong >= 0
      ? wrongSize(call, wrong, 'vectors of size 3')
      : built(call, 'cross', common(call.args), [3]);
  }),
  skew: row('x', (call) =>
    sameItems(call.args[0]!.dims, [3])
      ? built(call, 'skew', call.args[0]!.type, [3, 3])
      : wrongSize(call, 0, 'a vector of size 3'),
  ),
  scalar: row('A', (call) =>
    count(call.args[0]!.dims) === 1
      ? built(call, 'scalar', call.args[0]!.type)
      : wrongSize(call, 0, 'one element'),
  ),
  vector: row('A', (call) => {
    const { dims, type } = call.args[0]!;
    const large = dims.filter((n) => n > 1).length;
    return large > 1
      ? wrongSize(call, 0, 'at most one dimension above 1')
      : built(call, 'vector', type, [count(dims)]);
  }),
  matrix: row('A', (call) => {
    const { dims, type } = call.args[0]!;
    if (dims.slice(2).some((n) => n !== 1))
      return wrongSize(call, 0, 'size 1 in all dimensions after the second');
    return built(call, 'matrix', type, [dims[0] ?? 1, dims[1] ?? 1]);
  }),
  edge: row('b', (call) => {
    if (call.args[0]!.type !== 'Boolean') return wrongType(call, 0, 'a Boolean');
    const before = leftLimit(call.args[0]!, call.nodes[0]!, call.context);
    const { pool } = call.builder;
    const expr = pool.and(call.args[0]!.expr, pool.not(before.expr));
    return isUnknown(before) ? before : { ...call.args[0]!, expr };
  }),
  change: row('v', (call) => {
    const before = leftLimit(call.args[0]!, call.nodes[0]!, call.context);
    const expr = call.builder.pool.apply('ne', call.args[0]!.expr, before.expr);
    return isUnknown(before) ? before : { ...call.args[0]!, type: 'Boolean', expr };
  }),
  pre: row('y', (call) => leftLimit(call.args[0]!, call.nodes[0]!, call.context)),
  der: row('x', (call) => {
    if (!isNumeric(call.args[0]!.type)) return wrongType(call, 0, 'a Real');
    return timeDerivativeOf(call.args[0]!, call.nodes[0]!, call.context);
  }),
  initial: row('', booleanScalar('initial')),
  terminal: row('', booleanScalar('terminal')),
  sample: row('start interval', (call) => {
    const wrong = call.args.findIndex((arg) => !isNumeric(arg.type) || arg.dims.length > 0);
    if (wrong >= 0) return wrongType(call, wrong, 'a number');
    const varying = call.args.findIndex((arg) => !atMost(arg.variability, 'parameter'));
    if (varying >= 0) {
      const message = `The ${varying === 0 ? 'start' : 'interval'} of \`sample\` must be a parameter expression.`;
      return report('variability', message, call.nodes[varying]!, call.context, {
        hint: '`sample(start, interval)` is true at regular times; a value in continuous time is sampled with `sample(u, Clock(interval))`.',
      });
    }
    const interval =
      call.args[1]!.variability === 'constant' ? fixedNumber(call.builder, call.args[1]!.expr) : undefined;
    if (interval !== undefined && interval <= 0) {
      const message = 'The interval of `sample` must be positive.';
      return report('bad-call', message, call.nodes[1]!, call.context);
    }
    return built(call, 'sample', 'Boolean', [], 'discrete');
  }),
  noEvent: row('e', (call) => {
    const { type, dims, variability } = call.args[0]!;
    return built(call, 'noEvent', type, dims, variability);
  }),
  smooth: row('p e', (call) => {
    if (call.args[0]!.type !== 'Integer') return wrongType(call, 0, 'an Integer');
    return built(call, 'smooth', call.args[1]!.type, call.args[1]!.dims);
  }),
  homotopy: row('actual simplified', (call) => {
    const wrong = call.args.findIndex((arg) => !isNumeric(arg.type));
    if (wrong >= 0) return wrongType(call, wrong, 'a number');
    if (!sameItems(call.args[0]!.dims, call.args[1]!.dims))
      return wrongSize(call, 1, dimsName(call.args[0]!.dims));
    return built(call, 'homotopy', call.args[0]!.type, call.args[0]!.dims);
  }),
  semiLinear: row('x k1 k2', (call) => {
    const wrong = call.args.findIndex((arg) => !isNumeric(arg.type) || arg.dims.length > 0);
    if (wrong >= 0) return wrongType(call, wrong, 'a number');
    const { pool } = call.builder;
    const [x, up, down] = call.args.map((arg) => arg.expr) as [Expr, Expr, Expr];
    const chosen = pool.if(pool.apply('ge', x, pool.zero), pool.mul(up, x), pool.mul(down, x));
    return simple(pool.apply('smooth', pool.zero, chosen), 'Real', level(call.args));
  }),
  Integer: row('e', (call) => {
    const { type } = call.args[0]!;
    if (typeof type !== 'object' && type !== 'Integer' && type !== 'Boolean')
      return wrongType(call, 0, 'an enumeration');
    return { ...call.args[0]!, type: 'Integer' };
  }),
};
