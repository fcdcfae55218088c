/**
 * Flows that rest: `y = semiLinear(x, a, b)` says nothing of a and b where x and y are zero. Where both are zero for good, as in a connector that is not connected,
 * a = b takes its place (rule 2 of Modelica 3.6, section 3.7.2.5).
 */
import type { Expr } from '../../symbolic/expr.ts';
import type { FlatBuilder } from '../core/context.ts';
import type { FlatEquality, FlatEquation } from '../flat.ts';

export function resting(builder: FlatBuilder, equations: readonly FlatEquation[]): readonly FlatEquation[] {
  if (builder.semiLinears.size === 0) return equations;
  const zeros = new Set<Expr>();
  for (const equation of equations)
    if (equation.kind === 'equal' && isZero(equation.right)) zeros.add(equation.left);
  return equations.map((equation) =>
    equation.kind === 'equal' && isAtRest(builder, zeros, equation.left)
      ? (equalInstead(builder, zeros, equation) ?? equation)
      : equation,
  );
}

const isZero = (expr: Expr): boolean =>
  expr.kind === 'const'
    ? expr.value === 0
    : expr.kind === 'apply' && expr.op === 'fill' && isZero(expr.args[0]!);

/** Whether an expression, or the array that it is an element of, is zero for good. */
function isAtRest({ pool }: FlatBuilder, zeros: ReadonlySet<Expr>, expr: Expr): boolean {
  return zeros.has(expr) || (expr.kind === 'ref' && zeros.has(pool.ref(expr.symbol, expr.order)));
}

function equalInstead(
  builder: FlatBuilder,
  zeros: ReadonlySet<Expr>,
  equation: FlatEquality,
): FlatEquality | undefined {
  const { right } = equation;
  const parts = right.kind === 'apply' && right.op === 'array' ? right.args : [right];
  const known = parts.map((part) => builder.semiLinears.get(part));
  if (!known.every((own) => own !== undefined && isAtRest(builder, zeros, own.x))) return undefined;
  const side = (name: 'up' | 'down'): Expr => {
    const exprs = known.map((own) => own![name]);
    return parts[0] === right ? exprs[0]! : builder.pool.raw('array', exprs);
  };
  return { ...equation, left: side('up'), right: side('down') };
}
