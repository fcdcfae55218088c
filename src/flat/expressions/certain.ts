/**
 * Outputs that some way through a function leaves without a value (Modelica 3.6, section 12.4.4). Which way a call takes shows when it runs: each of them gets a
 * variable that says whether it was assigned, and an assertion at the end.
 */
import { assignmentsIn } from '../../model/classes/assigned.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { type FunctionLocal, type FunctionStatement, rewriteStatements } from '../../symbolic/function.ts';
import type { Pool } from '../../symbolic/pool.ts';
import type { Value } from '../core/values.ts';

export interface Certified {
  readonly body: readonly FunctionStatement[];
  /** What is asserted at the end. */
  readonly last: readonly FunctionStatement[];
  /** Further variables. */
  readonly added: readonly FunctionLocal[];
}

/** `outputs` are those of the function, in their order; `variables` is how many variables it has. */
export function certified(
  pool: Pool,
  entity: ClassEntity,
  outputs: readonly Value[],
  body: readonly FunctionStatement[],
  variables: number,
): Certified {
  const shape = shapeOf(entity);
  const { uncertain } = assignmentsIn(shape);
  const names = [...shape.components.values()].flatMap(({ name, clause }) =>
    clause.causality === 'output' ? [name] : [],
  );
  /** Flags by the variable whose assignments they note. */
  const flags = new Map<number, Expr>();
  const last: FunctionStatement[] = [];
  const added: FunctionLocal[] = [];
  const span = entity.span(entity.definition.name);
  for (const name of uncertain) {
    const output = outputs[names.indexOf(name)];
    if (output?.kind !== 'simple' || output.expr.kind !== 'local') continue;
    const flag = pool.local(variables + added.length);
    flags.set(output.expr.index, flag);
    let own = `${name}_assigned`;
    while (shape.components.has(own)) own += '_';
    added.push({ name: own, type: 'Boolean', dims: [], initial: pool.zero });
    const message = pool.text(`The function ${entity.path} ends without a value for its output ${name}.`);
    last.push({ kind: 'assert', condition: flag, message, span });
  }
  if (flags.size === 0) return { body, last, added };
  const noted = (targets: readonly (Expr | undefined)[]): FunctionStatement[] =>
    targets.flatMap((target) => {
      const flag = target?.kind === 'local' ? flags.get(target.index) : undefined;
      return flag ? [{ kind: 'assign', target: flag, value: pool.one, span }] : [];
    });
  const rewriter = {
    assign: (one: Extract<FunctionStatement, { kind: 'assign' }>) => [one, ...noted([one.target])],
    multiassign: (one: Extract<FunctionStatement, { kind: 'multiassign' }>) => [one, ...noted(one.targets)],
    expression: (expr: Expr) => expr,
    range: (expr: Expr) => expr,
  };
  return { body: rewriteStatements(rewriter, body), last, added };
}
