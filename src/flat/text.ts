/** Expressions as Modelica-like text, with parentheses only where they are needed. */
import type { Apply, Expr, Op } from '../symbolic/expr.ts';

/** The names that numbers in expressions stand for. */
export interface NameTable {
  readonly variable: (symbol: number) => string;
  readonly iterator: (iterator: number) => string;
  readonly fn: (fn: number) => string;
  readonly local?: (index: number) => string;
}

export function exprText(expr: Expr, names: NameTable): string {
  return printed(expr, names, 0);
}

/** Binding strength by operator; a child of lower strength is put in parentheses. */
const infix: { readonly [op in Op]?: readonly [text: string, strength: number] } = {
  or: [' or ', 2],
  and: [' and ', 3],
  lt: [' < ', 5],
  le: [' <= ', 5],
  gt: [' > ', 5],
  ge: [' >= ', 5],
  eq: [' == ', 5],
  ne: [' <> ', 5],
  concat: [' + ', 6],
  add: [' + ', 6],
  sub: [' - ', 6],
  mul: ['*', 7],
  matmul: ['*', 7],
  div: ['/', 7],
  pow: ['^', 9],
};

/** Operators whose right operand needs parentheses at equal strength. */
const leftOnly: ReadonlySet<Op> = new Set(['sub', 'div', 'pow', 'mul', 'matmul']);

const functionNames: { readonly [op in Op]?: string } = {
  idiv: 'div',
  minOf: 'min',
  maxOf: 'max',
  string: 'String',
};

function printed(expr: Expr, names: NameTable, strength: number): string {
  switch (expr.kind) {
    case 'const':
      return expr.value < 0 && strength > 6 ? `(${expr.value})` : String(expr.value);
    case 'text':
      return JSON.stringify(expr.value);
    case 'time':
      return 'time';
    case 'ref': {
      const name = names.variable(expr.symbol) + subscripts(expr.subscripts, names);
      let text = name;
      for (let k = 0; k < expr.order; k++) text = `der(${text})`;
      return text;
    }
    case 'pre':
      return `pre(${names.variable(expr.symbol)}${subscripts(expr.subscripts, names)})`;
    case 'held':
      return `held(${expr.relation})`;
    case 'local':
      return (names.local?.(expr.index) ?? `local${expr.index}`) + subscripts(expr.subscripts, names);
    case 'iter':
      return names.iterator(expr.iterator);
    case 'call': {
      const text = `${names.fn(expr.fn)}(${list(expr.args, names)})`;
      return expr.output === 0 ? text : `${text}.${expr.output + 1}`;
    }
    case 'apply':
      return applied(expr, names, strength);
  }
}

function applied(expr: Apply, names: NameTable, strength: number): string {
  const operator = infix[expr.op];
  const wrap = (text: string, own: number): string => (own < strength ? `(${text})` : text);
  if (operator && expr.args.length === 2) {
    const [symbol, own] = operator;
    const subtracted = expr.op === 'add' && negated(expr.args[1]!);
    if (subtracted) return wrap(`${printed(expr.args[0]!, names, own)} - ${subtracted}`, own);
    const left = printed(expr.args[0]!, names, expr.op === 'pow' ? own + 1 : own);
    const right = printed(expr.args[1]!, names, leftOnly.has(expr.op) || own === 5 ? own + 1 : own);
    return wrap(left + symbol + right, own);
  }
  const [first, second, third] = expr.args;
  switch (expr.op) {
    case 'neg':
      return wrap(`-${printed(first!, names, 7)}`, 6);
    case 'not':
      return wrap(`not ${printed(first!, names, 5)}`, 4);
    case 'if':
      return wrap(
        `if ${printed(first!, names, 1)} then ${printed(second!, names, 1)} else ${printed(third!, names, 1)}`,
        0,
      );
    case 'array':
      return `{${list(expr.args, names)}}`;
    case 'range':
      return wrap(rangeText(expr, names), 1);
    case 'colon':
      return ':';
    case 'comprehension':
      return `{${overText(expr, names)}}`;
    case 'sumOver':
    case 'productOver':
    case 'minOver':
    case 'maxOver':
      return `${expr.op.slice(0, -4)}(${overText(expr, names)})`;
    case 'subscript':
      return `${printed(first!, names, 10)}${subscripts(expr.args.slice(1), names)}`;
    default:
      return `${functionNames[expr.op] ?? expr.op}(${list(expr.args, names)})`;
  }
}

/** The positive text of a negative number: `x - 1` reads better than `x + -1`. */
const negated = (expr: Expr): string | undefined =>
  expr.kind === 'const' && expr.value < 0 ? String(-expr.value) : undefined;

function rangeText(expr: Apply, names: NameTable): string {
  const [first, step, last] = expr.args.map((arg) => printed(arg, names, 6));
  const byOne = expr.args[1]!.kind === 'const' && expr.args[1]!.value === 1;
  return byOne ? `${first}:${last}` : `${first}:${step}:${last}`;
}

function overText(expr: Apply, names: NameTable): string {
  const [value, ...pairs] = expr.args;
  const iterators: string[] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    iterators.push(`${printed(pairs[i]!, names, 0)} in ${printed(pairs[i + 1]!, names, 0)}`);
  }
  return `${printed(value!, names, 0)} for ${iterators.join(', ')}`;
}

const list = (args: readonly Expr[], names: NameTable): string =>
  args.map((arg) => printed(arg, names, 0)).join(', ');

const subscripts = (args: readonly Expr[], names: NameTable): string =>
  args.length > 0 ? `[${list(args, names)}]` : '';
