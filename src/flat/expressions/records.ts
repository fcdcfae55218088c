/**
 * Records from their fields, `R(a, b = 2)`, and from components that have these: `R(m)` of a model, block or connector (Modelica 3.6,
 * sections 12.6 and 12.6.1). Arrays where scalars are declared make arrays of records, as for all functions.
 */
import { type ClassEntity, entityOf } from '../../model/classes/class.ts';
import { resolve } from '../../model/classes/lookup.ts';
import { operatorRecordOf } from '../../model/classes/overloads.ts';
import { isModifiable, type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import type { ObjectInstance } from '../../model/instance.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, refuse } from '../core/context.ts';
import { isUnknown, type Value } from '../core/values.ts';
import type { CallArgument } from './calls.ts';
import { argumentValue } from './closures.ts';
import {
  type ArgumentByName,
  applyElementwise,
  declaredType,
  defaultOf,
  fitted,
  matchDeclared,
  vectorised,
  withDefaults,
} from './functions.ts';
import { localValue, refName } from './references.ts';

export function constructRecord(entity: ClassEntity, node: ast.Call, context: Context): Value {
  const { unknown } = context.builder;
  const components = [...shapeOf(entity).components.values()];
  const source = componentOf(node, context);
  const args = source
    ? castArguments(entity, components, source, node, context)
    : matchDeclared(entity, components, node, context, undefined, isModifiable);
  if (!args || args.some(({ value }) => isUnknown(value))) return unknown;
  const excess = vectorised(entity, args, node, context);
  if (!excess) return unknown;
  const make = (given: readonly ArgumentByName[]): Value | undefined => recordOf(entity, given, context);
  return (excess.length === 0 ? make(args) : applyElementwise(args, excess, context, make)) ?? unknown;
}

function recordOf(entity: ClassEntity, args: readonly ArgumentByName[], context: Context): Value | undefined {
  const fields = new Map<string, Value>();
  for (const { component, value, node } of args) {
    const field = fitted(component, value, node, context);
    if (!field) return undefined;
    fields.set(component.name, field);
  }
  return { kind: 'record', path: entity.path, operators: operatorRecordOf(entity), dims: [], fields };
}

/** The single argument of a call, where that is a component that is no record. */
interface Source {
  readonly ref: ast.ComponentRef;
  readonly instance: ObjectInstance;
}

function componentOf({ positional, named, iterators }: ast.Call, context: Context): Source | undefined {
  const [ref] = positional;
  if (positional.length !== 1 || named.length > 0 || iterators || ref?.kind !== 'ref') return undefined;
  if (!ref.global && localValue(ref.parts[0]!.name, context)) return undefined;
  const resolution = resolve(context.scope, ref);
  const instance = resolution.kind === 'component' ? resolution.parts.at(-1)!.instance : undefined;
  return instance?.kind === 'object' && !isRecord(entityOf(instance.class)) ? { ref, instance } : undefined;
}

const isRecord = (entity: ClassEntity): boolean => shapeOf(entity).restriction.endsWith('record');

/** The fields of a record that have namesakes among the public components of the source; the others have their defaults. */
function castArguments(
  entity: ClassEntity,
  components: readonly ShapeComponent[],
  { ref, instance }: Source,
  node: ast.Call,
  context: Context,
): ArgumentByName[] | undefined {
  const members = shapeOf(entityOf(instance.class)).components;
  const given = components.map((component): CallArgument | undefined => {
    const member = members.get(component.name);
    if (!member || member.protected || !isModifiable(component)) return undefined;
    const part = { ...ref.parts.at(-1)!, name: component.name, subscripts: [] };
    const field: ast.ComponentRef = { ...ref, parts: [...ref.parts, part] };
    const type = declaredType(context.builder, component)?.entity;
    const nested: ast.Call = { ...node, positional: [field] };
    const value =
      type && isRecord(type) && componentOf(nested, context)
        ? constructRecord(type, nested, context)
        : argumentValue(field, component, context);
    return { node: ref, value };
  });
  const lacking = components.find((component, k) => !given[k] && !defaultOf(component));
  if (lacking) {
    const message = `\`${refName(ref)}\` has no public component \`${lacking.name}\`, which the record \`${entity.path}\` needs.`;
    return refuse('bad-call', message, ref, context, {
      hint: `Give each field its value: \`${refName(node.callee)}(${components
        .filter(isModifiable)
        .map(({ name }) => `${name} = …`)
        .join(', ')})\`.`,
    });
  }
  return withDefaults(entity, components, given, node, context);
}
