/**
 * Functions as arguments (Modelica 3.6, section 12.4.2). A function with some of its inputs bound, `function f(a = 1)`, is a record of
 * the bound values that can be called: a function that takes it is translated for that function, and gets the bound values as
 * further inputs.
 */
import { type ClassEntity, entityOf } from '../../model/classes/class.ts';
import { findClass, resolve } from '../../model/classes/lookup.ts';
import { inputsOf } from '../../model/classes/overloads.ts';
import { type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import { closureMisfit, misfitText } from '../../model/types/subtype.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, refuse, report } from '../core/context.ts';
import { isUnknown, leaves, type RecordValue, typeName, type Value } from '../core/values.ts';
import { type CallArgument, matchSlots } from './calls.ts';
import { expression } from './expressions.ts';
import { fitted } from './functions.ts';
import { localValue, refName } from './references.ts';

/** A function as a value; `fields` are the inputs that are bound. */
export interface ClosureValue extends RecordValue {
  readonly closure: ClassEntity;
}

export const isClosure = (value: Value | undefined): value is ClosureValue =>
  value?.kind === 'record' && value.closure !== undefined;

/** The function type that a component is declared with, if it is one. */
export function functionType(component: ShapeComponent): ClassEntity | undefined {
  const type = findClass(component.lexical, component.clause.type);
  return type && shapeOf(type).restriction.endsWith('function') ? type : undefined;
}

/** The value for an input: a function where one is declared. */
export function argumentValue(
  node: ast.Expression | ast.PartialApplication,
  component: ShapeComponent,
  context: Context,
): Value {
  if (functionType(component)) return functionValue(node, context);
  if (node.kind !== 'partial') return expression(node, context);
  const message = `\`${component.name}\` is no function, but is given one.`;
  return report('type-mismatch', message, node, context);
}

function functionValue(node: ast.Expression | ast.PartialApplication, context: Context): Value {
  if (node.kind !== 'ref' && node.kind !== 'partial')
    return report('type-mismatch', 'A function is needed here.', node, context, {
      hint: 'Write the name of a function, or `function f(a = 1)` to bind some of its inputs.',
    });
  const ref = node.kind === 'ref' ? node : referenceTo(node.function);
  const local = ref.global ? undefined : localValue(ref.parts[0]!.name, context);
  const resolution = local ? undefined : resolve(context.scope, ref);
  const entity = resolution?.kind === 'class' ? entityOf(resolution.class) : undefined;
  const isFunction = entity && shapeOf(entity).restriction.endsWith('function');
  const value: Value | undefined = isFunction
    ? { kind: 'record', path: entity.path, dims: [], fields: new Map(), closure: entity }
    : local;
  if (!isClosure(value)) {
    const message = `\`${refName(ref)}\` is not a function that can be given as an argument.`;
    return report('type-mismatch', message, ref, context);
  }
  if (value.closure.definition.partial)
    return report('bad-call', `The function \`${value.path}\` is partial.`, ref, context);
  return node.kind === 'partial' ? bound(value, node, context) : value;
}

const referenceTo = (name: ast.Name): ast.ComponentRef => ({
  kind: 'ref',
  start: name.start,
  end: name.end,
  global: name.global,
  parts: name.parts.map(({ start, end, text }) => ({ start, end, name: text, subscripts: [] })),
});

/** A function with further inputs bound. */
function bound(value: ClosureValue, node: ast.PartialApplication, context: Context): Value {
  const fields = new Map(value.fields);
  const names = freeInputs(value).map((input) => input.name);
  for (const { name, value: given } of node.arguments) {
    const input = freeInputs({ ...value, fields }).find((one) => one.name === name.text);
    if (!input) {
      const message = `\`${value.path}\` has no input \`${name.text}\` that could be bound.`;
      return report('bad-call', message, name, context, {
        hint: names.length > 0 ? `It has ${names.map((one) => `\`${one}\``).join(', ')}.` : undefined,
      });
    }
    const own = argumentValue(given, input, context);
    // It has the type of the input: one translation serves an Integer and a Real.
    const typed = isUnknown(own) ? undefined : fitted(input, own, given, context);
    if (!typed) return context.builder.unknown;
    fields.set(input.name, typed);
  }
  return { ...value, fields };
}

const freeInputs = ({ closure, fields }: Pick<ClosureValue, 'closure' | 'fields'>): ShapeComponent[] =>
  inputsOf(closure).filter((input) => !fields.has(input.name));

/** A function for an input of a function type; undefined, with a message, where it has other inputs or outputs. */
export function fittedFunction(
  component: ShapeComponent,
  type: ClassEntity,
  value: Value,
  node: ast.Node,
  context: Context,
): Value | undefined {
  const wrong = isClosure(value) ? difference(value, type) : 'it is no function';
  if (wrong === undefined) return value;
  const message = `\`${typeName(value)}\` cannot be given for \`${component.name}\`, a \`${type.path}\`: ${wrong}.`;
  return refuse('type-mismatch', message, node, context);
}

/** A function that is given can be called as the type says; inputs that are bound do not count. */
function difference({ closure, fields }: ClosureValue, type: ClassEntity): string | undefined {
  const found = closureMisfit(closure, type, new Set(fields.keys()));
  return found && misfitText(found);
}

/** The arguments of a call of a function that was given: those of the call by position or name, and the bound ones. */
export function closureArguments(
  value: ClosureValue,
  node: ast.Call,
  context: Context,
): (CallArgument | undefined)[] | undefined {
  const free = freeInputs(value);
  const slots = matchSlots(
    node,
    free.map((input) => input.name),
    refName(node.callee),
    context,
  );
  return (
    slots &&
    inputsOf(value.closure).map((input) => {
      const given = value.fields.get(input.name);
      if (given) return { node, value: given };
      const slot = slots[free.indexOf(input)];
      return slot && { node: slot, value: argumentValue(slot, input, context) };
    })
  );
}

/** What distinguishes translations for different functions among values, leaves apart. */
export function closureKeys(builder: FlatBuilder, value: Value): string[] {
  if (value.kind !== 'record') return [];
  const inner = [...value.fields].flatMap(([name, field]) =>
    closureKeys(builder, field).map((key) => `${name}:${key}`),
  );
  if (!isClosure(value)) return inner;
  const { numbers } = builder;
  const number = numbers.get(value.closure) ?? numbers.size;
  numbers.set(value.closure, number);
  const names = leaves(value).map(({ name }) => name);
  return [`f${number}(${names.join(' ')})`, ...inner];
}
