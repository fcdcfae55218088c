/**
 * The value of a scalar expression for given values of its leaves. Semantics are those of generated code
 * (`arithmetic.ts`); `if`, `and` and `or` evaluate only what they need, so that a recursive function ends. The
 * operators of events (`initial`, `terminal`, `sample`, `edge`, `change`) depend on the simulator's state and are asked for
 * like leaves.
 */
import { pulse } from '../diagnostic/pulse.ts';
import { children } from './analyse.ts';
import { arithmetic } from './arithmetic.ts';
import type { Apply, Call, Expr, Iter, Leaf } from './expr.ts';
import { isEventOperator, isLogical } from './operators.ts';
import { isTextOperator, orderOf, type StringTable, type TextOperator, textOperators } from './strings.ts';
import { booleanText, formatted, formattedAs, joined, numberText } from './text.ts';

export interface Environment {
  /** The value of a leaf, an iterator, or an application of an event operator. */
  readonly leaf: (leaf: Leaf | Iter | Apply) => number | string;
  /** Output number `output` (counted in scalars) of a user function; see `functions.ts`. */
  readonly call?: (node: Call, args: readonly (number | string)[]) => number | string;
  /** Why a call gives what is no number, where the reason is a variable without a value. */
  readonly gapIn?: (node: Call, args: readonly (number | string)[]) => Gap | undefined;
  /** Whether a leaf is Boolean, for `String(b)`; relations and logical operators are known to be. */
  readonly isBoolean?: (leaf: Expr) => boolean;
  /** Where it is given, all texts are the numbers that stand for them. */
  readonly strings?: StringTable | undefined;
}

/** A variable of a function without a value. */
export interface Gap {
  readonly text: string;
  /** It was used, not only left. */
  readonly isUsed: boolean;
}

type Typed = Pick<Environment, 'isBoolean' | 'strings'>;

/** The value of a numeric or Boolean (0, 1) expression. */
export function evaluate(
  expr: Expr,
  leaf: (leaf: Leaf | Iter | Apply) => number | string,
  call?: Environment['call'],
): number {
  if (expr.kind === 'const') return expr.value;
  return Number(evaluateIn(expr, call ? { leaf, call } : { leaf }));
}

/** The text of a String expression, as in messages of assertions. */
export function evaluateText(expr: Expr, environment: Environment): string {
  const value = evaluateIn(expr, environment);
  if (typeof value === 'string') return value;
  return environment.strings?.textOf(value) ?? textOf(expr, value, environment);
}

/** Number or text, whatever the expression is. */
export function evaluateIn(expr: Expr, environment: Environment): number | string {
  const values = new Map<Expr, number | string>();
  const stack: Expr[] = [expr];
  while (stack.length > 0) {
    pulse();
    const node = stack[stack.length - 1]!;
    if (values.has(node)) {
      stack.pop();
      continue;
    }
    const depth = stack.length;
    pushNeeded(node, values, stack);
    if (stack.length > depth) continue;
    stack.pop();
    values.set(node, nodeValue(node, values, environment));
  }
  return values.get(expr)!;
}

/** Pushes what must be known before `node` can be computed. */
function pushNeeded(node: Expr, values: Map<Expr, number | string>, stack: Expr[]): void {
  if (node.kind === 'apply') {
    if (isEventOperator(node.op)) return;
    if (node.op === 'if' || node.op === 'and' || node.op === 'or') {
      const next = lazyNext(node, values);
      if (next && !values.has(next)) stack.push(next);
      return;
    }
  }
  for (const child of children(node)) if (!values.has(child)) stack.push(child);
}

/** The argument that a lazy operator needs next, undefined where its value is decided. */
function lazyNext(node: Apply, values: Map<Expr, number | string>): Expr | undefined {
  const first = values.get(node.args[0]!);
  if (first === undefined) return node.args[0];
  if (node.op === 'if') return first !== 0 ? node.args[1] : node.args[2];
  return (first !== 0) === (node.op === 'or') ? undefined : node.args[1];
}

function nodeValue(
  node: Expr,
  values: Map<Expr, number | string>,
  environment: Environment,
): number | string {
  switch (node.kind) {
    case 'const':
      return node.value;
    case 'text':
      return environment.strings?.numberOf(node.value) ?? node.value;
    case 'time':
    case 'ref':
    case 'pre':
    case 'held':
    case 'local':
    case 'iter':
      return environment.leaf(node);
    case 'call': {
      if (!environment.call) throw new Error('a user function is called where functions are not known');
      const args = node.args.map((arg) => values.get(arg)!);
      return environment.call(node, args);
    }
    case 'apply':
      if (isEventOperator(node.op)) return environment.leaf(node);
      return applied(node, (k) => (node.args[k] ? values.get(node.args[k]!)! : 0), environment);
  }
}

/** The value of a scalar operator, given the values of its arguments. */
export function applied(
  node: Apply,
  at: (k: number) => number | string,
  environment: Typed,
): number | string {
  switch (node.op) {
    case 'if':
      return at(0) !== 0 ? at(1) : at(2);
    case 'and':
    case 'or': {
      const first = at(0) !== 0;
      return first === (node.op === 'or') ? Number(first) : Number(at(1) !== 0);
    }
    default:
      break;
  }
  if (isTextOperator(node.op))
    return environment.strings
      ? numberOfText(node.op, node, at, environment.strings)
      : textOperation(node.op, node, at, environment);
  const a = at(0);
  const b = at(1);
  if (typeof a === 'string' && typeof b === 'string')
    return arithmetic(node.op, orderOf(a, b), 0, 0) ?? unexpected(node);
  return arithmetic(node.op, Number(a), Number(b), Number(at(2))) ?? unexpected(node);
}

/** An operator on texts, where they are texts. */
function textOperation(
  op: TextOperator,
  node: Apply,
  at: (k: number) => number | string,
  environment: Typed,
): number | string {
  switch (op) {
    case 'string':
    case 'pad':
      return stringOf(node, at, environment);
    case 'concat':
      return joined(node.args.map((arg, k) => textOf(arg, at(k), environment)));
    case 'format':
      return formattedAs(Number(at(0)), String(at(1)));
    case 'order':
      return orderOf(String(at(0)), String(at(1)));
  }
}

/** The same where they are numbers. */
function numberOfText(
  op: TextOperator,
  { args }: Apply,
  at: (k: number) => number | string,
  { operators }: StringTable,
): number {
  const values = args.map((_, k) => Number(at(k)));
  if (op === 'concat') return values.reduce((a, b) => operators.concat(a, b));
  const usual = textOperators[op].slice(values.length) as number[];
  return (operators[op] as (...operands: number[]) => number)(...values, ...usual);
}

/** `String(x)`, `String(x, minimumLength, leftJustified, significantDigits)`; later arguments may be missing. */
function stringOf(node: Apply, at: (k: number) => number | string, environment: Typed): string {
  const value = at(0);
  const isWord = typeof value === 'number' && isBoolean(node.args[0]!, environment);
  const digits = node.args.length > 3 ? Number(at(3)) : undefined;
  const leftJustified = node.args.length > 2 ? at(2) !== 0 : undefined;
  return formatted(isWord ? booleanText(value) : value, Number(at(1)), leftJustified, digits);
}

function textOf(expr: Expr, value: number | string, environment: Typed): string {
  if (typeof value === 'string') return value;
  return isBoolean(expr, environment) ? booleanText(value) : numberText(value);
}

function isBoolean(expr: Expr, environment: Typed): boolean {
  if (expr.kind === 'held') return true;
  if (expr.kind !== 'apply') return environment.isBoolean?.(expr) ?? false;
  if (isLogical(expr.op) || isEventOperator(expr.op)) return true;
  switch (expr.op) {
    case 'if':
      return isBoolean(expr.args[1]!, environment);
    case 'noEvent':
      return isBoolean(expr.args[0]!, environment);
    default:
      return false;
  }
}

function unexpected(node: Apply): never {
  throw new Error(`operator ${node.op} has no scalar value; arrays are resolved before evaluation`);
}
