/**
 * The built-in functions of chapters 3.7 and 10.3 whose arguments are plain values: one row a name, with its parameters and the rule
 * that checks the arguments and builds the expression. Functions of numbers have theirs in `symbolic/intrinsics.ts`.
 */
import { sameItems } from '../../collections/lists.ts';
import { dimsName } from '../../model/value.ts';
import type { Expr, Op } from '../../symbolic/expr.ts';
import { intrinsics, type NumberFunction } from '../../symbolic/intrinsics.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, refuse, report } from '../core/context.ts';
import {
  atMost,
  commonType,
  count,
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
import { stacked } from './references.ts';
import { elementsOf, requiredInteger } from './subscripts.ts';

/** The parts of a call that a rule works on. */
export interface IntrinsicCall {
  readonly builder: FlatBuilder;
  readonly name: string;
  readonly args: readonly Simple[];
  readonly nodes: readonly ast.Node[];
  readonly node: ast.Node;
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
  return { parameters: own.parameters, required: own.parameters.length, rule: ofNumbers(rule) };
}

/** A rule that takes numbers alone. */
function ofNumbers(rule: Builtin['rule'], isFine = ({ type }: Simple) => isNumeric(type)): Builtin['rule'] {
  return (call) => {
    const wrong = call.args.findIndex((arg) => !isFine(arg));
    return wrong >= 0 ? wrongType(call, wrong, 'a number') : rule(call);
  };
}

const isScalarNumber = ({ type, dims }: Simple): boolean => isNumeric(type) && dims.length === 0;

type Shaping = (dims: readonly number[]) => readonly number[] | false;

/** Operators on one array: its name, what it must be, and the sizes of the result where it is that. */
const shapings: { readonly [op in Op]?: readonly [parameter: string, wanted: string, sizes: Shaping] } = {
  diagonal: ['v', 'a vector', (dims) => dims.length === 1 && [...dims, ...dims]],
  transpose: ['A', 'a matrix', (dims) => dims.length === 2 && dims.toReversed()],
  symmetric: ['A', 'a square matrix', (dims) => dims.length === 2 && dims[0] === dims[1] && dims],
  skew: ['x', 'a vector of size 3', (dims) => sameItems(dims, [3]) && [3, 3]],
  scalar: ['A', 'one element', (dims) => count(dims) === 1 && []],
  vector: [
    'A',
    'at most one dimension above 1',
    (dims) => dims.filter((n) => n > 1).length < 2 && [count(dims)],
  ],
  matrix: [
    'A',
    'size 1 in all dimensions after the second',
    ([rows = 1, columns = 1, ...rest]) => rest.every((n) => n === 1) && [rows, columns],
  ],
  noEvent: ['e', 'any value', (dims) => dims],
};

const shaped = Object.entries(shapings).map(([op, [parameter, wanted, sizes]]) => [
  op,
  row(parameter, (call) => {
    const { dims, type } = call.args[0]!;
    const result = sizes(dims);
    return result ? built(call, op as Op, type, result) : wrongSize(call, 0, wanted);
  }),
]);

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
    if (a!.type === 'String') return wrongType(call, 0, 'numbers, Booleans or values of an enumeration');
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

function linspace(call: IntrinsicCall): Value {
  const n = requiredInteger(call.args[2]!, 'The size in `linspace`', call.nodes[2]!, call.context);
  if (n === undefined) return call.builder.unknown;
  if (n < 2) return report('bad-call', '`linspace` needs at least 2 points.', call.nodes[2]!, call.context);
  const { pool } = call.builder;
  const expr = pool.apply('linspace', call.args[0]!.expr, call.args[1]!.expr, pool.const(n));
  return simple(expr, 'Real', level(call.args), [n]);
}

function sample(call: IntrinsicCall): Value {
  const varying = call.args.findIndex((arg) => !atMost(arg.variability, 'parameter'));
  if (varying >= 0) {
    const message = `The ${varying === 0 ? 'start' : 'interval'} of \`sample\` must be a parameter expression.`;
    return report('variability', message, call.nodes[varying]!, call.context, {
      hint: '`sample(start, interval)` is true at regular times; a value in continuous time is sampled with `sample(u, Clock(interval))`.',
    });
  }
  const { variability, expr } = call.args[1]!;
  const interval = variability === 'constant' ? fixedNumber(call.builder, expr) : undefined;
  if (interval !== undefined && interval <= 0)
    return report('bad-call', 'The interval of `sample` must be positive.', call.nodes[1]!, call.context);
  return built(call, 'sample', 'Boolean', [], 'discrete');
}

function homotopy(call: IntrinsicCall): Value {
  const { type, dims } = call.args[0]!;
  if (!sameItems(dims, call.args[1]!.dims)) return wrongSize(call, 1, dimsName(dims));
  return built(call, 'homotopy', type, dims);
}

/** Of arrays element by element; a scalar goes with every element (section 12.4.6). */
function semiLinear(call: IntrinsicCall): Value {
  const { args, builder } = call;
  const dims = args.find((arg) => arg.dims.length > 0)?.dims ?? [];
  const wrong = args.findIndex((arg) => arg.dims.length > 0 && !sameItems(arg.dims, dims));
  if (wrong >= 0) return wrongSize(call, wrong, dimsName(dims));
  const { pool } = builder;
  const of = (x: Expr, up: Expr, down: Expr): Simple => {
    const chosen = pool.if(pool.apply('ge', x, pool.zero), pool.mul(up, x), pool.mul(down, x));
    const expr = pool.apply('smooth', pool.zero, chosen);
    builder.semiLinears.set(expr, { x, up, down });
    return simple(expr, 'Real', level(args));
  };
  const columns = args.map((arg) => (arg.dims.length > 0 ? elementsOf(builder, arg) : undefined));
  const values = Array.from({ length: count(dims) }, (_, k) => {
    const [x, up, down] = args.map((arg, a) => (columns[a]?.[k] as Simple | undefined)?.expr ?? arg.expr);
    return of(x!, up!, down!);
  });
  return stacked(builder, values, dims);
}

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
  ...Object.fromEntries(shaped),
  linspace: row('x1 x2 n', ofNumbers(linspace)),
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
  edge: row('b', (call) => {
    if (call.args[0]!.type !== 'Boolean') return wrongType(call, 0, 'a Boolean');
    const before = leftLimit(call.args[0]!, call.nodes[0]!, call.context, 'edge');
    const { pool } = call.builder;
    const expr = pool.and(call.args[0]!.expr, pool.not(before.expr));
    return isUnknown(before) ? before : { ...call.args[0]!, expr };
  }),
  change: row('v', (call) => {
    const before = leftLimit(call.args[0]!, call.nodes[0]!, call.context, 'change');
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
  sample: row('start interval', ofNumbers(sample, isScalarNumber)),
  smooth: row('p e', (call) => {
    const [order] = call.args;
    if (order!.type !== 'Integer' || order!.dims.length > 0) return wrongType(call, 0, 'an Integer');
    if (!atMost(order!.variability, 'parameter') && call.context.place !== 'function') {
      const message = 'The order of `smooth` must be a parameter expression.';
      return report('variability', message, call.nodes[0]!, call.context);
    }
    const known = fixedNumber(call.context.builder, order!.expr);
    if (known !== undefined && known < 0) {
      const message = `The order of \`smooth\` must be at least 0, not ${known}.`;
      return report('bad-call', message, call.nodes[0]!, call.context);
    }
    if (!isNumeric(call.args[1]!.type)) return wrongType(call, 1, 'a Real');
    return built(call, 'smooth', call.args[1]!.type, call.args[1]!.dims);
  }),
  homotopy: row('actual simplified', ofNumbers(homotopy)),
  semiLinear: row('x k1 k2', ofNumbers(semiLinear)),
  Integer: row('e', (call) => {
    const { type } = call.args[0]!;
    if (typeof type !== 'object' && type !== 'Integer' && type !== 'Boolean')
      return wrongType(call, 0, 'an enumeration');
    return { ...call.args[0]!, type: 'Integer' };
  }),
};
