/**
 * Values that must be known while flattening: sizes, ranges, subscripts of components, conditions of connections.
 * Evaluates expressions over constants and parameters, following declaration equations. A parameter whose value is
 * used this way shapes the model and is marked `structural`.
 */
import { Failure } from '../../diagnostic/failure.ts';
import type { VariableInstance } from '../../model/instance.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { arithmetic } from '../../symbolic/arithmetic.ts';
import { wholeOf } from '../../symbolic/arrays.ts';
import { applied } from '../../symbolic/evaluate.ts';
import type { Apply, Call, Expr, Iter, Op } from '../../symbolic/expr.ts';
import { ForeignCalls } from '../../symbolic/foreign.ts';
import type { ExternalCalls } from '../../symbolic/function.ts';
import { Interpreter } from '../../symbolic/functions.ts';
import { type Algebra, arrayOperation, elementwise } from '../../symbolic/operations.ts';
import { isEventOperator } from '../../symbolic/operators.ts';
import { rangeValues } from '../../symbolic/ranges.ts';
import { eachElement, flatIndex, keptDims, outputOffset, type Picks, sizeOf } from '../../symbolic/shape.ts';
import { isTextOperator, StringTable } from '../../symbolic/strings.ts';
import type { Data, FlatBuilder } from '../core/context.ts';
import { type Family, ofAllElements, outerDims } from '../core/families.ts';
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
export function fixedValue(builder: FlatBuilder, expr: Expr): Data | undefined {
  return evaluateExpr(builder, expr, withParameters);
}

/** The value that a constant has by its declaration equation; undefined where it cannot be found before a run. */
export function constantValue(builder: FlatBuilder, instance: VariableInstance): Data | undefined {
  return declaredValue(builder, instance, constantsOnly);
}

/** The number that an expression of constants alone stands for; no parameter becomes structural. */
export function literalValue(builder: FlatBuilder, expr: Expr): number | undefined {
  if (expr.kind === 'const') return expr.value;
  return numberOf(evaluateExpr(builder, expr, constantsOnly));
}

export function fixedNumber(builder: FlatBuilder, expr: Expr): number | undefined {
  if (expr.kind === 'const') return expr.value;
  return numberOf(fixedValue(builder, expr));
}

function numberOf(value: Data | undefined): number | undefined {
  const only = value?.dims.length === 0 ? value.items[0] : undefined;
  return typeof only === 'number' ? only : undefined;
}

/** The number that a condition stands for whatever values parameters may get. */
export function decidedNumber(builder: FlatBuilder, expr: Expr): number | undefined {
  return isDecided(builder, expr) ? fixedNumber(builder, expr) : undefined;
}

/** Whether all parameters in an expression are structural, or there are none. */
function isDecided(builder: FlatBuilder, expr: Expr): boolean {
  return leaves(expr).every((leaf) => {
    const instance = leaf.kind === 'ref' ? builder.instances[leaf.symbol] : undefined;
    return !instance || instance.variability === 'constant' || builder.isStructural(instance);
  });
}

/** The number that an expression stands for at given values of iterators. */
export function numberAt(
  builder: FlatBuilder,
  expr: Expr,
  iterator: (iterator: number) => number | undefined,
): number | undefined {
  return numberOf(evaluateExpr(builder, expr, { parameters: true, iterator }));
}

function evaluateExpr(builder: FlatBuilder, expr: Expr, sight: Sight): Data | undefined {
  switch (expr.kind) {
    case 'const':
    case 'text':
      return scalar(expr.value);
    case 'time':
    case 'pre':
    case 'held':
    case 'local':
      return undefined;
    case 'iter': {
      const value = sight.iterator?.(expr.iterator);
      return value === undefined ? undefined : scalar(value);
    }
    case 'ref': {
      if (expr.order !== 0) return undefined;
      const instance = builder.instances[expr.symbol];
      if (!instance) return undefined;
      const around = builder.families.around(instance);
      if (around.length > 0) return elementValue(builder, instance, around, expr.subscripts, sight);
      return subscripted(builder, declaredValue(builder, instance, sight), expr.subscripts, sight);
    }
    case 'apply':
      return evaluateApply(builder, expr, sight);
    case 'call':
      return evaluateCall(builder, expr, sight);
  }
}

const scalar = (value: number | string): Data => ({ dims: [], items: [value] });

/** The value of a constant or parameter by its declaration equation. */
function declaredValue(builder: FlatBuilder, instance: VariableInstance, sight: Sight): Data | undefined {
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
  builder: FlatBuilder,
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
  const all =
    common !== undefined
      ? operated('fill', [common, ...outer.map(scalar)])
      : allValues(builder, instance, families, sight);
  return subscripted(builder, all, subscripts, sight);
}

/** Whether a subscript surely selects one element. */
const isNumber = (expr: Expr): boolean =>
  expr.kind === 'const' ||
  expr.kind === 'iter' ||
  (expr.kind === 'apply' && (expr.op === 'add' || expr.op === 'sub') && expr.args.every(isNumber));

function allValues(
  builder: FlatBuilder,
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

function evaluateApply(builder: FlatBuilder, expr: Apply, sight: Sight): Data | undefined {
  const { op, args } = expr;
  const at = (i: number): Data | undefined => evaluateExpr(builder, args[i]!, sight);
  switch (op) {
    case 'if':
    case 'and':
    case 'or': {
      // What the first operand rules out need not have a value.
      const first = at(0);
      if (first === undefined) return undefined;
      const holds = first.items[0] !== 0;
      if (op === 'if') return at(holds ? 1 : 2);
      return first.dims.length === 0 && holds === (op === 'or') ? first : at(1);
    }
    case 'noEvent':
    case 'homotopy':
      return at(0);
    case 'smooth':
      return at(1);
    case 'subscript':
      return subscripted(builder, at(0), args.slice(1), sight);
    case 'comprehension':
    case 'sumOver':
    case 'productOver':
    case 'minOver':
    case 'maxOver':
      return overRanges(builder, expr, sight);
    case 'colon':
      return undefined;
    default: {
      if (isEventOperator(op)) return undefined;
      const values: Data[] = [];
      for (let i = 0; i < args.length; i++) {
        const value = at(i);
        if (value === undefined) return undefined;
        values.push(value);
      }
      // The usual case, without lists: numbers.
      const [a, b, c] = values.map(numberOf);
      const plain = a !== undefined && values.every((value) => numberOf(value) !== undefined);
      const known = plain ? arithmetic(op, a, b ?? 0, c ?? 0) : undefined;
      if (known !== undefined) return scalar(known);
      const isBoolean = (leaf: Expr): boolean =>
        leaf.kind === 'ref' && builder.instances[leaf.symbol]?.type === 'Boolean';
      const apply = (items: (number | string)[]): number | string =>
        applied(expr, (k) => items[k] ?? 0, { isBoolean });
      // Texts that grow without end are reported as such.
      if (isTextOperator(op)) return elementwise(op, values, apply);
      return operated(op, values, apply);
    }
  }
}

/** Values are their own elements. */
const elements: Algebra<number | string> = {
  const: (value) => value,
  apply: (op, a, b) => arithmetic(op, Number(a), Number(b), 0)!,
  number: Number,
};

/** The value of an operator, undefined where sizes do not fit; `apply` is for those on scalars. */
function operated(
  op: Op,
  args: readonly Data[],
  apply: (items: (number | string)[]) => number | string = () => Number.NaN,
): Data | undefined {
  return unlessFailed(() => arrayOperation(elements, op, args) ?? elementwise(op, args, apply));
}

/** What fails has no value: whoever needs one reports it at its place. */
function unlessFailed<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (problem) {
    if (problem instanceof Failure) return undefined;
    throw problem;
  }
}

/** `value, (iterator, range)…`: the last iterator is the outermost. */
function overRanges(builder: FlatBuilder, expr: Apply, sight: Sight): Data | undefined {
  const items: Data[] = [];
  const dims: number[] = [];
  const visit = (last: number, inner: Sight): boolean => {
    if (last === 0) {
      const item = evaluateExpr(builder, expr.args[0]!, inner);
      if (item) items.push(item);
      return item !== undefined;
    }
    const { iterator } = expr.args[last - 1] as Iter;
    const range = evaluateExpr(builder, expr.args[last]!, inner);
    if (!range) return false;
    dims[(expr.args.length - 1 - last) / 2] = range.items.length;
    return numbers(range).every((value) =>
      visit(last - 2, { ...inner, iterator: (i) => (i === iterator ? value : inner.iterator?.(i)) }),
    );
  };
  if (!visit(expr.args.length - 1, sight)) return undefined;
  const all = operated('array', items);
  if (!all || expr.op === 'comprehension') {
    const outer = Array.from({ length: (expr.args.length - 1) / 2 }, (_, k) => dims[k] ?? 0);
    return all && { dims: [...outer, ...all.dims.slice(1)], items: all.items };
  }
  return operated(wholeOf[expr.op as keyof typeof wholeOf], [all]);
}

/** Runs a user function; one that fails, or does not end in time, has no value. */
function evaluateCall(builder: FlatBuilder, expr: Call, sight: Sight): Data | undefined {
  // Where sizes depend on it there is no other way.
  if (builder.functions[expr.fn]!.impure && !sight.parameters) return undefined;
  const args: (number | string)[] = [];
  for (const arg of expr.args) {
    const value = evaluateExpr(builder, arg, sight);
    if (value === undefined) return undefined;
    for (const item of value.items) args.push(item);
  }
  const fn = builder.functions[expr.fn]!;
  const { dims } = fn.locals[fn.inputs + expr.output]!;
  const first = outputOffset(fn, expr.output);
  const results = unlessFailed(() =>
    new Interpreter(builder.pool, builder.functions, callLimits, foreignCalls()).run(expr.fn, args),
  );
  const items = results?.slice(first, first + sizeOf(dims));
  return items && !items.includes(undefined!) ? { dims, items } : undefined;
}

/** Built-in components have no values yet, and external objects do not exist. */
function foreignCalls(): ExternalCalls {
  const calls = new ForeignCalls(new StringTable());
  return {
    component: () => {
      throw Failure.of('flatten', 'variability', 'A built-in component has no value before the simulation.');
    },
    foreign: (code, args) => {
      const { result, args: handed } = code.foreign;
      // What gives nothing is called for what it does, and that belongs to a run.
      if (!result && handed.every(({ written }) => !written))
        throw Failure.of('flatten', 'variability', `\`${code.foreign.path}\` is called in a run only.`);
      return calls.call(code, args);
    },
  };
}

const callLimits = { iterations: 1_000_000, depth: 200 };

/** Applies subscripts to a value; undefined outside its bounds. */
function subscripted(
  builder: FlatBuilder,
  value: Data | undefined,
  subscripts: readonly Expr[],
  sight: Sight,
): Data | undefined {
  if (value === undefined || subscripts.length === 0) return value;
  if (subscripts.length > value.dims.length) return undefined;
  const selection: Picks<number>[] = [];
  for (const [k, n] of value.dims.entries()) {
    const subscript = subscripts[k];
    if (!subscript || (subscript.kind === 'apply' && subscript.op === 'colon')) {
      selection.push({ items: rangeValues(1, 1, n), scalar: false });
      continue;
    }
    const index = evaluateExpr(builder, subscript, sight);
    if (!index) return undefined;
    selection.push({ items: numbers(index), scalar: index.dims.length === 0 });
  }
  const items: (number | string)[] = [];
  return unlessFailed(() => {
    eachElement(selection, (index) => items.push(value.items[flatIndex(value.dims, index)]!));
    return { dims: keptDims(selection), items };
  });
}

/** All numbers of a value, row by row. */
export function numbers(value: Data): number[] {
  return value.items.filter((item) => typeof item === 'number');
}
