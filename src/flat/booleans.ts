/**
 * Boolean constants are the numbers 0 and 1 in expressions; text for people says `false` and `true`. Where an expression is
 * Boolean its constants are replaced by references to two symbols that no variable has, and that print as the words.
 */
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

const falseSymbol = -1;
const trueSymbol = -2;

/** The word that a symbol of `spelled` stands for. */
export function booleanWord(symbol: number): string | undefined {
  if (symbol === falseSymbol) return 'false';
  return symbol === trueSymbol ? 'true' : undefined;
}

/** What is Boolean among the leaves of an expression. */
export type IsBoolean = (leaf: Expr) => boolean;

/** An expression with its Boolean constants spelled out; `boolean` says whether it is Boolean itself. */
export function spelled(pool: Pool, expr: Expr, boolean: boolean, isBoolean: IsBoolean): Expr {
  if (expr.kind === 'const') return boolean ? pool.ref(expr.value === 0 ? falseSymbol : trueSymbol) : expr;
  if (expr.kind !== 'apply') return expr;
  const part = (arg: Expr, own: boolean): Expr => spelled(pool, arg, own, isBoolean);
  const parts = (own: boolean): Expr[] => expr.args.map((arg) => part(arg, own));
  switch (expr.op) {
    case 'and':
    case 'or':
    case 'not':
      return pool.raw(expr.op, parts(true));
    case 'if':
      return pool.raw('if', [
        part(expr.args[0]!, true),
        ...expr.args.slice(1).map((arg) => part(arg, boolean)),
      ]);
    case 'array':
    case 'noEvent':
      return pool.raw(expr.op, parts(boolean));
    case 'fill':
      return pool.raw('fill', [part(expr.args[0]!, boolean), ...expr.args.slice(1)]);
    case 'eq':
    case 'ne':
      return pool.raw(expr.op, parts(expr.args.some(isBoolean)));
    default:
      return boolean ? expr : pool.raw(expr.op, parts(false));
  }
}
