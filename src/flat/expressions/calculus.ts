/**
 * `der` and `pre`, which change what the references below them mean: the derivative of a variable is a symbol of higher
 * order, its left limit a `Pre` (Modelica 3.6, sections 3.7.4.2 and 3.7.5.1).
 */

import { children, nodesOf, symbolsOf } from '../../symbolic/analyse.ts';
import { timeDerivative } from '../../symbolic/differentiate.ts';
import type { ArrayOp, Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, originOf, refuse, report } from '../core/context.ts';
import { atMost, type Simple } from '../core/values.ts';
import { isDiscrete } from './references.ts';

export function timeDerivativeOf(value: Simple, node: ast.Node, context: Context): Simple {
  if (value.type === 'Integer') {
    const message = '`der` needs a continuous Real variable, not an Integer.';
    return report('type-mismatch', message, node, context);
  }
  if (value.variability === 'discrete') {
    return report('variability', 'A discrete-time variable has no derivative.', node, context, {
      hint: 'It changes at events only; `der` needs a continuous-time variable.',
    });
  }
  const expr = derivative(value.expr, node, context);
  return expr ? { ...value, type: 'Real', expr } : context.builder.unknown;
}

function derivative(expr: Expr, node: ast.Node, context: Context): Expr | undefined {
  const { builder } = context;
  const { pool } = builder;
  if (expr.kind === 'apply' && linearOnArrays.has(expr.op)) {
    const args: Expr[] = [];
    for (const arg of expr.args) {
      const inner = derivative(arg, node, context);
      if (!inner) return undefined;
      args.push(inner);
    }
    return pool.apply(expr.op, ...args);
  }
  // What jumps at events has to be seen as a whole: it is what a change conserves. Functions are differentiated with the equations of a mode.
  if (switches(builder, expr) || nodesOf(expr).some((node) => node.kind === 'call' || isOnArrays(node)))
    return pool.apply('der', expr);
  const constant = (symbol: number): boolean => builder.isFixed(symbol) || changesAtEvents(builder, symbol);
  const result = timeDerivative(pool, undefined, expr, constant);
  if (result.value) return result.value;
  const message = `This cannot be differentiated: ${result.reason}.`;
  return refuse('not-differentiable', message, node, context, {
    hint: 'Give the expression a variable of its own and write `der` of that variable.',
  });
}

function changesAtEvents(builder: FlatBuilder, symbol: number): boolean {
  const { instances, added } = builder;
  const instance = instances[symbol];
  return instance
    ? isDiscrete(builder, instance)
    : added[symbol - instances.length]!.variability === 'discrete';
}

/** Whether events change the value of an expression of which only parts have derivatives. */
function switches(builder: FlatBuilder, root: Expr): boolean {
  const stack = [root];
  for (let expr = stack.pop(); expr; expr = stack.pop()) {
    if (expr.kind === 'pre') return true;
    if (expr.kind === 'ref') {
      if (!builder.isFixed(expr.symbol) && changesAtEvents(builder, expr.symbol)) return true;
    }
    if (expr.kind === 'apply') {
      if (jumping.has(expr.op)) return true;
      if (expr.op === 'noEvent' || expr.op === 'smooth') continue;
    }
    stack.push(...children(expr));
  }
  return false;
}

/** Operators whose value jumps, or whose derivative does: there a relation chooses between slopes, and holds only one of them. */
const jumping: ReadonlySet<string> = new Set([
  'if',
  'min',
  'max',
  'sign',
  'floor',
  'ceil',
  'idiv',
  'mod',
  'rem',
]);

/** Operators that are differentiated by their elements, once these are known. */
const isOnArrays = (expr: Expr): boolean => expr.kind === 'apply' && onArrays.has(expr.op);

const onArrays: ReadonlySet<string> = new Set<ArrayOp>([
  'array',
  'sum',
  'transpose',
  'matmul',
  'product',
  'minOf',
  'maxOf',
  'sumOver',
  'productOver',
  'minOver',
  'maxOver',
  'comprehension',
  'fill',
  'diagonal',
  'linspace',
  'cat',
  'cross',
  'skew',
  'outerProduct',
  'symmetric',
  'scalar',
  'vector',
  'matrix',
  'promote',
  'subscript',
]);

const linearOnArrays: ReadonlySet<string> = new Set(['array', 'add', 'sub', 'neg', 'transpose', 'sum']);

export function leftLimit(value: Simple, node: ast.Node, context: Context, operator = 'pre'): Simple {
  const isContinuous = !atMost(value.variability, 'discrete');
  // At the beginning the two are the same (section 8.6).
  if (isContinuous && context.place === 'initial' && before(context.builder, value.expr)) return value;
  if (isContinuous && context.place !== 'when') {
    const message = '`pre` of a continuous-time variable can stand only inside `when`.';
    return report('variability', message, node, context, {
      hint: 'In equations on a clock the value at the tick before is `previous(…)`.',
    });
  }
  const isLiteral = value.expr.kind === 'const' && (node as ast.Expression).kind !== 'ref';
  const expr = isLiteral ? undefined : before(context.builder, value.expr);
  if (expr) {
    const { leftLimits } = context.builder.clocks;
    for (const symbol of symbolsOf(value.expr))
      if (!leftLimits.has(symbol)) leftLimits.set(symbol, { operator, origin: originOf(node, context) });
    return {
      ...value,
      expr,
      variability: atMost(value.variability, 'parameter') ? value.variability : 'discrete',
    };
  }
  return report('bad-call', '`pre`, `edge` and `change` need a variable.', node, context, {
    hint: 'Give the expression a variable of its own.',
  });
}

/** The left limit of a variable or of an array of variables; undefined for other expressions. */
export function before(builder: FlatBuilder, expr: Expr): Expr | undefined {
  const { pool } = builder;
  switch (expr.kind) {
    case 'const':
    case 'text':
      return expr;
    case 'ref': {
      if (builder.isFixed(expr.symbol)) return expr;
      return expr.order === 0 ? pool.pre(expr.symbol, expr.subscripts) : undefined;
    }
    case 'apply': {
      if (expr.op !== 'array') return undefined;
      const args = expr.args.map((arg) => before(builder, arg));
      return args.includes(undefined) ? undefined : pool.apply('array', ...(args as Expr[]));
    }
    default:
      return undefined;
  }
}
