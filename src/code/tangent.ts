/**
 * Derivatives of straight-line code, forward: if `w := e(u, v)`, then `dw := ∂e/∂u du + ∂e/∂v dv`, where du is the
 * tangent of u. One run of the tangent code gives the product of a Jacobian with one direction.
 */
import { Failure } from '../diagnostic/failure.ts';
import { type CallRule, total } from '../symbolic/differentiate.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

/** `leaf := value`, in order of computation. */
export interface TangentDefinition {
  readonly leaf: Expr;
  readonly value: Expr;
}

/**
 * The tangents of definitions, for given tangents of the seeds (leaves, usually). `tangents` holds those of the seeds
 * and afterwards those of all leaves that depend on them; a leaf without one has tangent zero. `fresh` names the
 * tangent of a leaf; where the tangent is itself a leaf or a constant, nothing new is defined.
 */
export function tangentCode(
  pool: Pool,
  calls: CallRule | undefined,
  definitions: readonly TangentDefinition[],
  tangents: Map<Expr, Expr>,
  fresh: (leaf: Expr) => Expr,
): TangentDefinition[] {
  const code: TangentDefinition[] = [];
  for (const { leaf, value } of definitions) {
    const tangent = total(pool, calls, value, (other) => tangents.get(other) ?? pool.zero);
    if (tangent.value === undefined) {
      const message = `A derivative is needed where there is none: ${tangent.reason}.`;
      throw Failure.of('translate', 'not-differentiable', message);
    }
    if (tangent.value === pool.zero) {
      tangents.delete(leaf);
    } else if (tangent.value.kind === 'ref' || tangent.value.kind === 'const') {
      tangents.set(leaf, tangent.value);
    } else {
      const name = fresh(leaf);
      code.push({ leaf: name, value: tangent.value });
      tangents.set(leaf, name);
    }
  }
  return code;
}
