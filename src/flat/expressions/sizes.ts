/**
 * Sizes of arguments against those that a function declares (Modelica 3.6, sections 12.4.1 and 12.4.5). Sizes may depend on other arguments, their sizes or their
 * values; where a value is known only when the function runs, the size is checked then.
 */
import type { ClassEntity } from '../../model/classes/class.ts';
import { countedType, countOf } from '../../model/classes/counted.ts';
import type { ShapeComponent } from '../../model/classes/shape.ts';
import type { FunctionStatement } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, contextOf, refuse, withLocal } from '../core/context.ts';
import { isUnknown, type Value } from '../core/values.ts';
import { fixedNumber } from './constants.ts';
import { expression } from './expressions.ts';
import { type ArgumentByName, declaredType } from './functions.ts';

/** A declared size that is not known yet. */
interface Open {
  readonly name: string;
  readonly subscript: ast.Expression;
  readonly lexical: ClassEntity;
  readonly size: number;
}

/** Whether arguments have the sizes that the function declares; sizes that are known when it runs are listed. Undefined after an error. */
export function checkedSizes(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  context: Context,
): readonly Open[] | undefined {
  const { builder } = context;
  let inner = contextOf(builder, { instance: undefined, lexical: entity }, context.component, 'function');
  for (const [i, { component }] of args.entries()) inner = withLocal(inner, component.name, values[i]!);
  const open: Open[] = [];
  for (const [i, { component, node }] of args.entries()) {
    const wrong = mismatch(component, values[i]!, component.name, inner, open);
    if (!wrong) continue;
    const { name, wanted, given } = wrong;
    const message = `\`${name}\` of \`${entity.path}\` has the size ${wanted} but is given ${given}.`;
    return refuse('dimension-mismatch', message, node, context);
  }
  return open;
}

/** Statements that check what was not known before. */
export function sizeAssertions(open: readonly Open[], context: Context): FunctionStatement[] {
  const { pool } = context.builder;
  return open.flatMap(({ name, subscript, lexical, size }): FunctionStatement[] => {
    const value = expression(subscript, { ...context, scope: { instance: undefined, lexical } });
    if (value.kind === 'record' || isUnknown(value)) return [];
    const message = pool.text(
      `An argument of size ${size} does not have the size that \`${name}\` declares.`,
    );
    return [
      {
        kind: 'assert',
        condition: pool.apply('eq', value.expr, pool.const(size)),
        message,
        span: lexical.span(subscript),
      },
    ];
  });
}

interface Mismatch {
  readonly name: string;
  readonly wanted: number;
  readonly given: number;
}

/** A size of a value, or of one of its fields, that is not the declared one. */
function mismatch(
  component: ShapeComponent,
  value: Value,
  name: string,
  context: Context,
  open: Open[],
): Mismatch | undefined {
  const { builder } = context;
  const declared = declaredType(builder, component);
  if (!declared) return undefined;
  const { subscripts, shape } = declared;
  const before = value.dims.length - subscripts.length;
  for (const [d, { subscript, lexical }] of subscripts.entries()) {
    if (subscript.kind === 'colon') continue;
    const given = value.dims[before + d]!;
    const wanted = sizeOf(subscript, { ...context, scope: { instance: undefined, lexical } });
    if (wanted === undefined) open.push({ name, subscript, lexical, size: given });
    else if (wanted !== given) return { name, wanted, given };
  }
  if (value.kind !== 'record' || shape.restriction === 'function') return undefined;
  return fieldMismatch([...shape.components.values()], value.fields, name, context);
}

/** Sizes of fields may depend on other fields; those that are not known here are those that the record was made with. */
function fieldMismatch(
  members: readonly ShapeComponent[],
  fields: ReadonlyMap<string, Value>,
  name: string,
  context: Context,
): Mismatch | undefined {
  let siblings: Context = { ...context, locals: undefined };
  for (const [field, value] of fields)
    if (value.dims.length === 0) siblings = withLocal(siblings, field, value);
  for (const member of members) {
    const value = fields.get(member.name);
    const wrong = value && mismatch(member, value, `${name}.${member.name}`, siblings, []);
    if (wrong) return wrong;
  }
  return undefined;
}

function sizeOf(subscript: ast.Expression, context: Context): number | undefined {
  const { builder } = context;
  const counted = countedType(context.scope, subscript);
  if (counted) return countOf(counted);
  const start = builder.mark();
  const value = expression(subscript, context);
  const isWrong = builder.diagnostics.length > start[0];
  if (isWrong) builder.rewind(start);
  return isWrong || value.kind === 'record' || isUnknown(value)
    ? undefined
    : fixedNumber(builder, value.expr);
}
