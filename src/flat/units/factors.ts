/**
 * Units of expressions as products of the units that variables have, for messages: `Q*C` with `W` and `J/K` is in `W.J/K`, which says more than
 * `kg2.m4/(s5.K)`. Undefined stands for what is no product.
 */
import type { Apply, Expr } from '../../symbolic/expr.ts';
import { type Factors, factorsIn, times } from '../../units/factors.ts';
import { isOfTime } from './numbers.ts';

const none: Factors = new Map();

/** The factors of an expression; `unitOf` gives the unit text of a variable. */
export function factorsOf(
  expr: Expr,
  unitOf: (leaf: Extract<Expr, { kind: 'ref' | 'pre' | 'local' }>) => string | undefined,
): Factors | undefined {
  const of = (node: Expr): Factors | undefined => {
    switch (node.kind) {
      case 'const':
      case 'iter':
        return none;
      case 'time':
        return new Map([['s', 1]]);
      case 'ref':
        return times(factorsIn(unitOf(node)), new Map([['s', node.order]]), -1);
      case 'pre':
      case 'local':
        return factorsIn(unitOf(node));
      case 'apply':
        return applied(node);
      default:
        return undefined;
    }
  };
  const applied = ({ op, args: [a, b, c] }: Apply): Factors | undefined => {
    switch (op) {
      case 'mul':
        return times(of(a!), of(b!), 1);
      case 'div':
        return times(of(a!), of(b!), -1);
      case 'pow':
        return b!.kind === 'const' && Number.isInteger(b!.value) ? times(none, of(a!), b!.value) : undefined;
      case 'neg':
      case 'abs':
      case 'noEvent':
        return of(a!);
      case 'add':
      case 'sub':
      case 'min':
      case 'max':
        return of(goesWithAll(a!) ? b! : a!);
      case 'if':
        return of(goesWithAll(b!) ? c! : b!);
      case 'sin':
      case 'cos':
      case 'tan':
      case 'exp':
      case 'tanh':
      case 'sign':
        return none;
      default:
        return undefined;
    }
  };
  return of(expr);
}

/** Numbers and signals have the unit of what they are added to. */
const goesWithAll = (expr: Expr): boolean => expr.kind === 'const' || isOfTime(expr);
