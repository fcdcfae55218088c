/**
 * Values that must be known while flattening: sizes, ranges, subscripts of components, conditions of connections.
 * Evaluates expressions over constants and parameters, following declaration equations. A parameter whose value is
 * used this way shapes the model and is marked `structural`.
 */
import { Failure } from '../../diagnostic/failure.ts';
import type { VariableInstance } from '../../model/instance.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { arithmetic } from '../../symbolic/arithmetic.ts';
import type { Apply, Call, Expr, Op } from '../../symbolic/expr.ts';
import { Interpreter } from '../../symbolic/functions.ts';
import { ofNothing } from '../../symbolic/operators.ts';
import { rangeValues } from '../../symbolic/ranges.ts';
import { outputOffset } from '../../symbolic/shape.ts';
import { formatted, joined } from '../../symbolic/text.ts';
import type { Builder, Data } from '../core/context.ts';
import { type Family, ofAllElements, outerDims } from '../core/families.ts';
import { count } from '../core/values.ts';
import { bindingOf } from './bindings.ts';

/** What evaluation may look at besides constants. */
interface Sight {
  /** Also parameters, which become structural by it. */
  readonly parameters: boolean;
  /** Values of iterators, inside comprehensions and reductions. */
  readonly iterator?: (iterator: number) => number | undefined;
}

const constantsOnly: Sight = { parameters: false };
const withParameters: Sight = { parameters: true };

/** The value of an expression of constants and parameters; undefined where it has none. */
export function fixedValue(builder: Builder, expr: Expr): Data | undefined {
  return evaluateExpr(builder, expr, withParameters);
}

/** The number that an expression of constants alone stands for; no parameter becomes structural. */
export function literalValue(builder: Builder, expr: Expr): number | undefined {
  if (expr.kind === 'const') return expr.value;
  const value = evaluateExpr(builder, expr, constantsOnly);
  return typeof value === 'number' ? value : undefined;
}

export function fixedNumber(builder: Builder, expr: Expr): number | undefined {
  if (expr.kind === 'const') return expr.value;
  const value = fixedValue(builder, expr);
  return typeof value === 'number' ? value : undefined;
}

/** The number that a condition stands for whatever values parameters may get. */
export function decidedNumber(builder: Builder, expr: Expr): number | undefined {
  return isDecided(builder, expr) ? fixedNumber(builder, expr) : undefined;
}

/** Whether all parameters in an expression are structural, or there are none. */
function isDecided(builder: Builder, expr: Expr): boolean {
  return leaves(expr).every((leaf) => {
    const instance = leaf.kind === 'ref' ? builder.instances[leaf.symbol] : undefined;
    return !instance || instance.variability === 'constant' || instance.structural;
  });
}

/** The number that an expression stands for at given values of iterators. */
export function numberAt(
  builder: Builder,
  expr: Expr,
  iterator: (iterator: number) => number | undefined,
): number | undefined {
  const value = evaluateExpr(builder, expr, { parameters: true, iterator });
  return typeof value === 'number' ? value : undefined;
}

function evaluateExpr(builder: Builder, expr: Expr, sight: Sight): Data | undefined {
  switch (expr.kind) {
    case 'const':
    case 'text':
      return expr.value;
    case 'time':
    case 'pre':
    case 'held':
    case 'local':
      return undefined;
    case 'iter':
      return sight.iterator?.(expr.iterator);
    case 'ref': {
      if (expr.order !== 0) return undefined;
      const instance = builder.instances[expr.symbol];
      if (!instance) return undefined;
      const around = builder.families.around(instance);
      if (around.length > 0) return elementValue(builder, instance, around, expr.subscripts, sight);
      const value = declaredValue(builder, instance, sight);
      return subscripted(builder, value, expr.subscripts, sight);
    }
    case 'apply':
      return evaluateApply(builder, expr, sight);
    case 'call':
      return evaluateCall(builder, expr, sight);
  }
}

/** The value of a constant or parameter by its declaration equation. */
function declaredValue(builder: Builder, instance: VariableInstance, sight: Sight): Data | undefined {
  if (instance.variability !== 'constant' && !(sight.parameters && instance.variability === 'parameter')) {
    return undefined;
  }
  const known = builder.values.get(instance);
  if (known === 'busy') return undefined;
  if (known === undefined && !builder.values.has(instance)) {
    builder.values.set(instance, 'busy');
    const binding = bindingOf(builder, instance);
    const own = sight.parameters ? withParameters : constantsOnly;
    builder.values.set(instance, binding && evaluateExpr(builder, binding.expr, own));
  }
  const value = builder.values.get(instance) as Data | undefined;
  if (value !== undefined) builder.makeStructural(instance);
  return value;
}

/** The value of a variable of a uniform array of components: the same for all elements, or those of all elements. */
function elementValue(
  builder: Builder,
  instance: VariableInstance,
  families: readonly Family[],
  subscripts: readonly Expr[],
  sight: Sight,
): Data | undefined {
  const common = declaredValue(builder, instance, sight);
  const outer = outerDims(families);
  const numbers = subscripts.slice(0, outer.length);
  const single = numbers.length === outer.length && numbers.every(isNumber);
  if (common !== undefined && single)
    return subscripted(builder, common, subscripts.slice(outer.length), sight);
  const all = common !== undefined ? filled(common, outer) : allValues(builder, instance, families, sight);
  return subscripted(builder, all, subscripts, sight);
}

/** Whether a subscript surely selects one element. */
const isNumber = (expr: Expr): boolean =>
  expr.kind === 'const' ||
  expr.kind === 'iter' ||
  (expr.kind === 'apply' && (expr.op === 'add' || expr.op === 'sub') && expr.args.every(isNumber));

function allValues(
  builder: Builder,
  instance: VariableInstance,
  families: readonly Family[],
  sight: Sight,
): Data | undefined {
  if (instance.variability !== 'constant' && !(sight.parameters && instance.variability === 'parameter'))
    return undefined;
  const known = builder.elementValues.get(instance);
  if (known !== undefined || builder.elementValues.has(instance)) return known;
  // While they are being found there are none: values may be defined in terms of each other.
  builder.elementValues.set(instance, undefined);
  const binding = bindingOf(builder, instance);
  const all =
    binding && evaluateExpr(builder, ofAllElements(builder.pool, families, binding.expr), withParameters);
  builder.elementValues.set(instance, all);
  if (all !== undefined) builder.makeStructural(instance);
  return all;
}

function evaluateApply(builder: Builder, expr: Apply, sight: Sight): Data | undefined {
  const at = (i: number): Data | undefined => evaluateExpr(builder, expr.args[i]!, sight);
  switch (expr.op) {
    case 'if': {
      const condition = at(0);
      return condition === undefined ? undefined : at(condition ? 1 : 2);
    }
    case 'and':
      return at(0) === 0 ? 0 : at(1);
    case 'or':
      return at(0) === 1 ? 1 : at(1);
    case 'noEvent':
    case 'homotopy':
      return at(0);
    case 'smooth':
      return at(1);
    case 'initial':
    case 'terminal':
    case 'sample':
    case 'edge':
    case 'change':
    case 'der':
      return undefined;
    case 'subscript':
      return subscripted(builder, at(0), expr.args.slice(1), sight);
    case 'comprehension':
    case 'sumOver':
    case 'productOver':
    case 'minOver':
    case 'maxOver':
      return overRange(builder, expr, sight);
    default: {
      const args: Data[] = [];
      for (let i = 0; i < expr.args.length; i++) {
        const value = at(i);
        if (value === undefined) return undefined;
        args.push(value);
      }
      return applied(expr.op, args);
    }
  }
}

function overRange(builder: Builder, expr: Apply, sight: Sight): Data | undefined {
  const [body, iterator, range] = expr.args;
  if (iterator?.kind !== 'iter' || !body || !range || expr.args.length !== 3) return undefined;
  const values = evaluateExpr(builder, range, sight);
  if (!Array.isArray(values)) return undefined;
  const items: Data[] = [];
  for (const value of values as Data[]) {
    const inner: Sight = {
      ...sight,
      iterator: (i) => (i === iterator.iterator ? (value as number) : sight.iterator?.(i)),
    };
    const item = evaluateExpr(builder, body, inner);
    if (item === undefined) return undefined;
    items.push(item);
  }
  if (expr.op === 'comprehension') return items;
  return reduced(expr.op, numbers(items));
}

/** Runs a user function; one that fails, or does not end in time, has no value. */
function evaluateCall(builder: Builder, expr: Call, sight: Sight): Data | undefined {
  const args: (number | string)[] = [];
  for (const arg of expr.args) {
    const value = evaluateExpr(builder, arg, sight);
    if (value === undefined) return undefined;
    args.push(...scalars(value));
  }
  const fn = builder.functions[expr.fn]!;
  const { dims } = fn.locals[fn.inputs + expr.output]!;
  try {
    const results = new Interpreter(builder.pool, builder.functions, callLimits).run(expr.fn, args);
    return nested(results, outputOffset(fn, expr.output), dims);
  } catch (problem) {
    if (problem instanceof Failure) return undefined;
    throw problem;
  }
}

const callLimits = { iterations: 1_000_000, depth: 200 };

function scalars(value: Data): (number | string)[] {
  return typeof value === 'object' ? value.flatMap(scalars) : [value];
}

/** Row-major scalars from a place on as nested lists. */
function nested(
  items: readonly (number | string)[],
  from: number,
  dims: readonly number[],
): Data | undefined {
  const [n, ...rest] = dims;
  if (n === undefined) return items[from];
  const size = count(rest);
  const result: Data[] = [];
  for (let i = 0; i < n; i++) {
    const item = nested(items, from + i * size, rest);
    if (item === undefined) return undefined;
    result.push(item);
  }
  return result;
}

/** Applies subscripts to a value; undefined outside its bounds. */
function subscripted(
  builder: Builder,
  value: Data | undefined,
  subscripts: readonly Expr[],
  sight: Sight,
): Data | undefined {
  if (value === undefined || subscripts.length === 0) return value;
  const [first, ...rest] = subscripts;
  if (!Array.isArray(value)) return undefined;
  const items = value as readonly Data[];
  const every = (chosen: readonly (Data | undefined)[]): Data | undefined => {
    const result = chosen.map((item) => subscripted(builder, item, rest, sight));
    return result.includes(undefined) ? undefined : (result as Data[]);
  };
  if (first!.kind === 'apply' && first!.op === 'colon') return every(items);
  const index = evaluateExpr(builder, first!, sight);
  if (typeof index === 'number') return subscripted(builder, items[index - 1], rest, sight);
  return Array.isArray(index) ? every(numbers(index as Data[]).map((i) => items[i - 1])) : undefined;
}

/** All numbers of a value, row by row. */
export function numbers(value: Data): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return [];
  return value.flatMap(numbers);
}

/** Operators on values. Elementwise where an argument is an array. */
function applied(op: Op, args: readonly Data[]): Data | undefined {
  const [a, b, c] = args;
  switch (op) {
    case 'array':
      return args;
    case 'range':
      return rangeValues(a as number, b as number, c as number);
    case 'sum':
    case 'product':
    case 'minOf':
    case 'maxOf':
      return reduced(op, numbers(a!));
    case 'fill':
      return filled(a!, args.slice(1) as number[]);
    case 'identity':
      return rangeValues(1, 1, a as number).map((i) =>
        rangeValues(1, 1, a as number).map((j) => (i === j ? 1 : 0)),
      );
    case 'diagonal':
      return numbers(a!).map((x, i, all) => all.map((_, j) => (i === j ? x : 0)));
    case 'linspace':
      return rangeValues(0, 1, (c as number) - 1).map(
        (i) => (a as number) + (i * ((b as number) - (a as number))) / ((c as number) - 1),
      );
    case 'cat':
      return a === 1 ? args.slice(1).flatMap((x) => x as Data[]) : undefined;
    case 'vector':
      return numbers(a!);
    case 'scalar':
      return numbers(a!)[0];
    case 'transpose': {
      const rows = a as number[][];
      return (rows[0] ?? []).map((_, j) => rows.map((row) => row[j]!));
    }
    case 'size':
      return undefined;
    case 'string':
      return formatted(
        a as number | string,
        b as number | undefined,
        c === undefined ? undefined : c !== 0,
        args[3] as number | undefined,
      );
    case 'concat':
      return joined(args as readonly string[]);
    default:
      return elementwise(op, args);
  }
}

function elementwise(op: Op, args: readonly Data[]): Data | undefined {
  const list = args.find((x) => Array.isArray(x)) as readonly Data[] | undefined;
  if (!list) return scalar(op, args as (number | string)[]);
  const result = list.map((_, i) =>
    elementwise(
      op,
      args.map((x) => (Array.isArray(x) ? x[i] : x)),
    ),
  );
  return result.includes(undefined) ? undefined : (result as Data[]);
}

function scalar(op: Op, args: readonly (number | string)[]): number | undefined {
  if (op === 'eq') return Number(args[0] === args[1]);
  if (op === 'ne') return Number(args[0] !== args[1]);
  if (args.some((x) => typeof x === 'string')) return undefined;
  return arithmetic(op, args[0] as number, args[1] as number, args[2] as number);
}

function reduced(op: Op, items: readonly number[]): number | undefined {
  switch (op) {
    case 'sum':
    case 'sumOver':
      return items.reduce((a, b) => a + b, ofNothing.sum);
    case 'product':
    case 'productOver':
      return items.reduce((a, b) => a * b, ofNothing.product);
    case 'minOf':
    case 'minOver':
      return items.reduce((a, b) => Math.min(a, b), ofNothing.min);
    case 'maxOf':
    case 'maxOver':
      return items.reduce((a, b) => Math.max(a, b), ofNothing.max);
    default:
      return undefined;
  }
}

function filled(value: Data, dims: readonly number[]): Data {
  if (dims.length === 0) return value;
  const inner = filled(value, dims.slice(1));
  return Array.from({ length: dims[0]! }, () => inner);
}
