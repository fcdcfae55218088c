/**
 * Variables of functions as their declarations describe them: type, sizes, fields of records. Sizes of fields may depend on other fields of the
 * same record (`Integer n = 2; Real a[n];`): these are known by the values that they begin with.
 */
import { countedType, countOf } from '../../model/classes/counted.ts';
import { operatorRecordOf } from '../../model/classes/overloads.ts';
import { modifierOfField, type Shape, type ShapeComponent } from '../../model/classes/shape.ts';
import { type Context, refuse, reportSize, withLocal } from '../core/context.ts';
import { arrayLike, isUnknown, simple, type Value } from '../core/values.ts';
import { literalValue } from './constants.ts';
import { expression } from './expressions.ts';
import { declaredType, defaultOf, typeOf } from './functions.ts';
import { requiredInteger } from './subscripts.ts';

/** A value with the type and sizes that a declaration asks for; `:` takes its size from the default. */
export function likeDeclared(
  component: ShapeComponent,
  place: Context,
  initial: Value | undefined,
): Value | undefined {
  const declared = declaredType(place.builder, component);
  if (!declared) return undefined;
  const dims: number[] = [];
  for (const [d, { subscript, lexical }] of declared.subscripts.entries()) {
    const context: Context = { ...place, scope: { instance: undefined, lexical } };
    const what = `The size of \`${component.name}\``;
    const counted = subscript.kind === 'colon' ? undefined : countedType(context.scope, subscript);
    const n =
      subscript.kind === 'colon'
        ? initial?.dims[d]
        : counted
          ? countOf(counted)
          : requiredInteger(expression(subscript, context), what, subscript, context);
    if (n === undefined) {
      if (subscript.kind === 'colon') {
        reportSize('unsupported', `${what} is not known before the function runs.`, subscript, context, {
          hint: 'Call the function in another one whose outputs have known sizes: there its results may have any.',
        });
      }
      return undefined;
    }
    dims.push(n);
  }
  const type = typeOf(declared.shape);
  if (type) return simple(place.builder.pool.zero, type, 'continuous', dims);
  if (!declared.shape.restriction.endsWith('record')) {
    const context: Context = { ...place, scope: { instance: undefined, lexical: component.lexical } };
    const { restriction, externalObject } = declared.shape;
    const message = `\`${component.name}\` in a function is a ${restriction}.`;
    const code = restriction === 'function' || externalObject ? 'unsupported' : 'not-allowed';
    const hint = 'A function can have variables, records and functions.';
    return refuse(code, message, component.declaration, context, { hint });
  }
  const fields = new Map<string, Value>();
  const inside = withSizes(component, declared.shape, place);
  for (const [name, member] of declared.shape.components) {
    const takesSize = [...member.declaration.subscripts, ...member.clause.subscripts].some(
      ({ kind }) => kind === 'colon',
    );
    const initial = takesSize ? beginning(component, member, place, inside) : undefined;
    const field = likeDeclared(member, inside, initial);
    if (!field) return undefined;
    fields.set(
      name,
      arrayLike(field, dims, (expr) => expr),
    );
  }
  const operators = operatorRecordOf(declared.entity);
  return { kind: 'record', path: declared.entity.path, operators, dims, fields };
}

/** The context of sizes in a record: Integer fields are known by their values, where these are constant. */
function withSizes(component: ShapeComponent, { components }: Shape, place: Context): Context {
  const subscripts = [...components.values()].flatMap(({ declaration, clause }) => [
    ...declaration.subscripts,
    ...clause.subscripts,
  ]);
  let inside = place;
  if (subscripts.every(({ kind }) => kind === 'colon' || kind === 'number')) return inside;
  for (const [name, member] of components) {
    const type = declaredType(place.builder, member);
    if (!type || typeOf(type.shape) !== 'Integer' || type.subscripts.length > 0) continue;
    const value = beginning(component, member, place, inside);
    const isKnown = value?.kind === 'simple' && literalValue(place.builder, value.expr) !== undefined;
    if (isKnown) inside = withLocal(inside, name, value);
  }
  return inside;
}

/** What a field begins with: the value that a modifier of the declaration gives to it, or the record itself. */
function beginning(
  component: ShapeComponent,
  field: ShapeComponent,
  place: Context,
  inside: Context,
): Value | undefined {
  const given = modifierOfField(component, field.name);
  const own = given ?? defaultOf(field);
  if (!own) return undefined;
  const scope = { instance: undefined, lexical: own.lexical };
  const value = expression(own.expr, { ...(given ? place : inside), scope });
  return isUnknown(value) ? undefined : value;
}
