/**
 * Operator records (specification 3.6, chapter 14): which function stands for an operator, a constructor or `String` with arguments of
 * given types. Types are compared by name: an operator record and the short classes that are derived from it are one type, and
 * Integer and Real are the same.
 */
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from './class.ts';
import { findClass } from './lookup.ts';
import { classOfElement } from './replace.ts';
import { elementNames, elementOf, type ShapeComponent, shapeOf } from './shape.ts';

/** What a type is compared by: the definition of an operator record, `number`, or the name of another type. */
export type TypeKey = ast.ClassDef | string;

export interface ArgumentType {
  readonly key: TypeKey;
  /** Number of dimensions. */
  readonly rank: number;
  /** The class, of an operator record. */
  readonly record?: ClassEntity | undefined;
}

/** A function with what is to be made of its arguments first. */
export interface Overload {
  readonly fn: ClassEntity;
  /** The argument, 0 or 1, that a constructor has to convert. */
  readonly conversion?: { readonly argument: 0 | 1; readonly by: ClassEntity };
}

/** One function, none, or several of which none is better than the others. */
export type Choice =
  | { readonly kind: 'one'; readonly overload: Overload }
  | { readonly kind: 'none' | 'many' };

/** The operator record that a class is or is derived from; its operators are those of the class. */
export function operatorRecordOf(entity: ClassEntity): ClassEntity | undefined {
  const seen = new Set<ast.ClassDef>();
  let at: ClassEntity | undefined = entity;
  while (at && !seen.has(at.definition)) {
    seen.add(at.definition);
    const { body, restriction } = at.definition;
    if (body.kind !== 'short') return restriction === 'operator record' ? at : undefined;
    at = findClass(at.parent ?? at, body.base);
  }
  return undefined;
}

/** The functions of an operator of an operator record: `operator function '+'`, or all of `operator '+'`. */
export function operatorFunctions(record: ClassEntity | undefined, operator: string): ClassEntity[] {
  const found = record && nestedClass(record, `'${operator}'`);
  if (!found) return [];
  if (shapeOf(found).restriction.endsWith('function')) return [found];
  return elementNames(found).flatMap((name) => {
    const fn = nestedClass(found, name);
    return fn && shapeOf(fn).restriction.endsWith('function') ? [fn] : [];
  });
}

export function nestedClass(entity: ClassEntity, name: string): ClassEntity | undefined {
  const element = elementOf(entity, name);
  return element?.kind === 'class' ? classOfElement(element, entity) : undefined;
}

/** Whether an operator record declares constructors; without them there is the one of all records. */
export const hasConstructors = (record: ClassEntity): boolean =>
  nestedClass(record, "'constructor'") !== undefined;

// ---------------------------------------------------------------- matching

export const inputsOf = (fn: ClassEntity): ShapeComponent[] =>
  [...shapeOf(fn).components.values()].filter(({ clause }) => clause.causality === 'input');

export const outputsOf = (fn: ClassEntity): ShapeComponent[] =>
  [...shapeOf(fn).components.values()].filter(({ clause }) => clause.causality === 'output');

export const hasDefault = ({ modifier, declaration }: ShapeComponent): boolean =>
  (modifier?.value ?? declaration.modification?.value) !== undefined;

/** The type of a declared component; undefined where its class is not known. */
export function componentType({ lexical, clause, declaration }: ShapeComponent): ArgumentType | undefined {
  const entity = findClass(lexical, clause.type);
  if (!entity) return undefined;
  const { predefined, enumeration, subscripts } = shapeOf(entity);
  const rank = declaration.subscripts.length + clause.subscripts.length + subscripts.length;
  if (enumeration) return { key: enumeration.path, rank };
  if (predefined) return { key: predefinedKey(predefined), rank };
  const record = operatorRecordOf(entity);
  return { key: record?.definition ?? entity.path, rank, record };
}

/** Integer and Real are one type. */
export const predefinedKey = (name: string): string =>
  name === 'Real' || name === 'Integer' ? 'number' : name;

export const recordType = (record: ClassEntity, rank = 0): ArgumentType => ({
  key: record.definition,
  rank,
  record,
});

/** Whether a call with arguments of these types is one of the function; with `elements`, whether one of all elements of arrays is. */
function isMatch(
  fn: ClassEntity,
  positional: readonly ArgumentType[],
  named: ReadonlyMap<string, ArgumentType> = new Map(),
  elements = false,
): boolean {
  const inputs = inputsOf(fn);
  if (positional.length > inputs.length) return false;
  const names = new Map(inputs.slice(positional.length).map((input) => [input.name, input]));
  const fits = (given: ArgumentType, input: ShapeComponent | undefined): boolean => {
    const type = input && componentType(input);
    return type?.key === given.key && (elements ? type.rank <= given.rank : type.rank === given.rank);
  };
  return (
    positional.every((given, k) => fits(given, inputs[k])) &&
    [...named].every(([name, given]) => fits(given, names.get(name))) &&
    [...names].every(([name, input]) => named.has(name) || hasDefault(input))
  );
}

function chosen(overloads: readonly Overload[]): Choice {
  const [overload] = overloads;
  if (!overload) return { kind: 'none' };
  return overloads.length === 1 ? { kind: 'one', overload } : { kind: 'many' };
}

/** `C(…)` (section 14.3) or `String(…)` (14.4) of an operator record; arguments that are arrays may stand for all their elements. */
export function chooseCall(
  record: ClassEntity,
  operator: 'constructor' | 'String',
  positional: readonly ArgumentType[],
  named: ReadonlyMap<string, ArgumentType>,
): Choice {
  const functions = operatorFunctions(record, operator);
  const exact = functions.filter((fn) => isMatch(fn, positional, named));
  const all =
    exact.length > 0 || operator === 'String'
      ? exact
      : functions.filter((fn) => isMatch(fn, positional, named, true));
  return chosen(all.map((fn) => ({ fn })));
}

/** `operator x` (section 14.6). */
export const chooseUnary = (operator: string, x: ArgumentType): Choice =>
  chosen(operatorFunctions(x.record, operator).flatMap((fn) => (isMatch(fn, [x]) ? [{ fn }] : [])));

/** `x operator y` (section 14.5): a function for both, or one for an argument that a constructor makes of the other one. */
export function chooseBinary(operator: string, x: ArgumentType, y: ArgumentType): Choice {
  const left = operatorFunctions(x.record, operator);
  const right = y.key === x.key ? [] : operatorFunctions(y.record, operator);
  const direct = [...left, ...right].filter((fn) => isMatch(fn, [x, y]));
  if (direct.length > 0) return chosen(direct.map((fn) => ({ fn })));
  return chosen([
    ...left.flatMap((fn) => converted(fn, 1, [x, y])),
    ...(y.key === x.key ? left : right).flatMap((fn) => converted(fn, 0, [x, y])),
  ]);
}

/** Calls of a function with one argument made by a constructor of the type that is declared for it. */
function converted(
  fn: ClassEntity,
  argument: 0 | 1,
  types: readonly [ArgumentType, ArgumentType],
): Overload[] {
  const input = inputsOf(fn)[argument];
  const wanted = input && componentType(input);
  const given = types[argument];
  if (!wanted?.record || wanted.key === given.key) return [];
  const made = types.map((type, k) => (k === argument ? recordType(wanted.record!) : type));
  if (!isMatch(fn, made)) return [];
  return operatorFunctions(wanted.record, 'constructor')
    .filter((by) => isMatch(by, [given]))
    .map((by) => ({ fn, conversion: { argument, by } }));
}

/** Whether there are arguments, by position, with which both functions could be called. */
export function isAmbiguous(f: ClassEntity, g: ClassEntity): boolean {
  const [a, b] = [inputsOf(f), inputsOf(g)];
  const required = (inputs: readonly ShapeComponent[]): number =>
    inputs.filter((input) => !hasDefault(input)).length;
  const count = Math.max(required(a), required(b));
  if (count > Math.min(a.length, b.length)) return false;
  return Array.from({ length: count }, (_, k) => [componentType(a[k]!), componentType(b[k]!)] as const).every(
    ([one, other]) => one && other && one.key === other.key && one.rank === other.rank,
  );
}
