/**
 * What names mean, as far as classes alone say it: nothing is instantiated. A component stands for its declaration with the redeclarations and modifiers that the classes around
 * it give, so that `tank.Medium` is the medium that is put in there.
 */
import { remember } from '../collections/memo.ts';
import type { Source, Span } from '../diagnostic/source.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import { type Found, findClass, findSimple, foundElement } from '../model/classes/lookup.ts';
import { type Modifier, merge, modifierOf } from '../model/classes/modification.ts';
import { hasConstructors, nestedClass as operatorIn } from '../model/classes/overloads.ts';
import {
  elementNames,
  modifiedClass,
  type ShapeClass,
  type ShapeComponent,
  shapeOf,
} from '../model/classes/shape.ts';
import type { Library } from '../model/library.ts';
import { attributesOf, builtinNames, type PredefinedType } from '../model/predefined.ts';
import { inForce } from '../model/types/subtype.ts';
import type * as ast from '../syntax/ast.ts';

export type Meaning =
  | { readonly kind: 'class'; readonly entity: ClassEntity; readonly element?: ShapeClass | undefined }
  /** A component of the class `owner`. */
  | { readonly kind: 'component'; readonly component: ShapeComponent; readonly owner: ClassEntity }
  /** A literal of the enumeration `owner`; it has a place where it is written in a text. */
  | {
      readonly kind: 'literal';
      readonly name: string;
      readonly owner: ClassEntity;
      readonly literal: ast.EnumerationLiteral | undefined;
    }
  | { readonly kind: 'iterator'; readonly iterator: ast.Iterator; readonly source: Source }
  /** An attribute of variables of a predefined type. */
  | { readonly kind: 'attribute'; readonly name: string; readonly type: PredefinedType }
  /** A built-in function or operator, or `time`. */
  | { readonly kind: 'builtin'; readonly name: string };

/** Where names are looked up: in a class, and before that among the iterators of the loops around a place. */
export interface Scope {
  readonly entity: ClassEntity | undefined;
  readonly library: Library;
  readonly iterators: readonly { readonly iterator: ast.Iterator; readonly source: Source }[];
}

/** The meaning of a simple name. */
export function meaningOf({ entity, library, iterators }: Scope, name: string): Meaning | undefined {
  const iterator = iterators.findLast((one) => one.iterator.name.text === name);
  if (iterator) return { kind: 'iterator', ...iterator };
  const found = entity ? findSimple(entity, name) : undefined;
  return (found && fromFound(found)) ?? topLevel(library, name) ?? builtin(name);
}

/** The meaning of `.A`, and of the first name of an import. */
export function topLevel(library: Library, name: string): Meaning | undefined {
  const entity = library.topLevel(name) ?? library.predefinedClass(name);
  return entity && { kind: 'class', entity };
}

const builtin = (name: string): Meaning | undefined =>
  builtinNames.has(name) ? { kind: 'builtin', name } : undefined;

const fromFound = (found: Found): Meaning =>
  found.kind === 'class'
    ? { kind: 'class', entity: found.entity, element: found.element }
    : { kind: 'component', component: found.component, owner: found.owner };

/** What stands behind a dot. */
export function memberOf(meaning: Meaning, name: string): Meaning | undefined {
  const entity = classOf(meaning);
  return entity && elementIn(entity, name);
}

/** An element of a class, or a literal of an enumeration. */
export function elementIn(entity: ClassEntity, name: string): Meaning | undefined {
  const found = foundElement(entity.self, name);
  return found ? fromFound(found) : literalOf(entity, name);
}

function literalOf(entity: ClassEntity, name: string): Meaning | undefined {
  const { enumeration } = shapeOf(entity.self);
  if (!enumeration?.literals.includes(name)) return undefined;
  const owner = declaringClass(entity);
  const { body } = owner.definition;
  const literals = body.kind === 'enumeration' ? body.literals : undefined;
  return { kind: 'literal', name, owner, literal: literals?.find((one) => one.name.text === name) };
}

/** The enumeration that a short class stands for. */
function declaringClass(entity: ClassEntity): ClassEntity {
  let at = entity;
  // A class that is defined by itself has no literals.
  for (let steps = 0; steps < 200; steps++) {
    const { body } = at.definition;
    const next = body.kind === 'short' ? findClass(at.parent ?? at, body.base) : undefined;
    if (!next) return at;
    at = next;
  }
  return at;
}

/** All that can stand behind a dot. */
export function membersOf(entity: ClassEntity): Meaning[] {
  const { enumeration } = shapeOf(entity.self);
  const literals = (enumeration?.literals ?? []).flatMap((name) => literalOf(entity, name) ?? []);
  const elements = new Set(elementNames(entity.self));
  return [...literals, ...[...elements].flatMap((name) => elementIn(entity, name) ?? [])];
}

/** The class whose elements stand behind a dot: the class itself, or that of the component. */
export function classOf(meaning: Meaning): ClassEntity | undefined {
  switch (meaning.kind) {
    case 'class':
      return meaning.entity;
    case 'component':
      return typeOf(meaning.component);
    case 'literal':
      return meaning.owner;
    case 'iterator':
    case 'attribute':
    case 'builtin':
      return undefined;
    default:
      return meaning satisfies never;
  }
}

const types = new WeakMap<ShapeComponent, { readonly type: ClassEntity | undefined }>();

/** The class of a component, with what modifiers put into it. */
export function typeOf(component: ShapeComponent): ClassEntity | undefined {
  return remember(types, component, () => {
    const { clause, declaration, lexical } = inForce(component);
    const type = findClass(lexical, clause.type);
    const own = modifierOf(declaration.modification, { instance: undefined, lexical }, silent);
    const outer: Modifier | undefined = component.modifier && { ...component.modifier, redeclare: undefined };
    return { type: type && modifiedClass(type, merge(outer, own, silent), silent) };
  }).type;
}

export const silent = (): void => {};

/** What a modifier of a class or a component names: an element, or an attribute of a variable. */
export function modifiable(entity: ClassEntity, name: string): Meaning | undefined {
  const { predefined } = shapeOf(entity.self);
  if (!predefined) return elementIn(entity, name);
  return attributesOf[predefined].has(name) ? { kind: 'attribute', name, type: predefined } : undefined;
}

/** The function that a call of a class calls: a constructor where the class has one. */
export function calledBy(meaning: Meaning | undefined): ClassEntity | undefined {
  const entity = meaning && classOf(meaning);
  if (!entity) return undefined;
  const { externalObject, restriction } = shapeOf(entity.self);
  if (!externalObject && !(restriction === 'operator record' && hasConstructors(entity))) return entity;
  const made = operatorIn(entity, externalObject ? 'constructor' : "'constructor'");
  if (made?.definition.restriction !== 'operator') return made ?? entity;
  const [first] = elementNames(made);
  return (first === undefined ? undefined : operatorIn(made, first)) ?? entity;
}

/** What a call takes: the inputs of a function, the fields of a record. */
export function argumentsOf(entity: ClassEntity): ShapeComponent[] {
  const { components, restriction } = shapeOf(entity.self);
  const isFunction = restriction.endsWith('function');
  return [...components.values()].filter(
    ({ clause, protected: hidden }) => !hidden && (!isFunction || clause.causality === 'input'),
  );
}

// ---------------------------------------------------------------- places

/** Where something is declared first: redeclarations of it are other mentions of the same. Undefined for what no text declares. */
export function declarationOf(meaning: Meaning): Span | undefined {
  switch (meaning.kind) {
    case 'class':
      return rootClass(meaning);
    case 'component': {
      let { component } = meaning;
      while (component.replaced) component = component.replaced;
      return component.lexical.span(component.declaration.name);
    }
    case 'literal':
      return meaning.literal && meaning.owner.span(meaning.literal.name);
    case 'iterator': {
      const { start, end } = meaning.iterator.name;
      return { source: meaning.source, start, end };
    }
    case 'attribute':
    case 'builtin':
      return undefined;
    default:
      return meaning satisfies never;
  }
}

function rootClass({ entity, element }: Extract<Meaning, { kind: 'class' }>): Span | undefined {
  let at = element;
  while (at?.inherited) at = at.inherited;
  const { name, source } = at?.definition ?? entity.definition;
  return isPredefined(entity) ? undefined : { source, start: name.start, end: name.end };
}

export const isPredefined = (entity: ClassEntity): boolean =>
  entity.library.predefinedClass(entity.path) === entity;

/** What tells whether two names mean the same. */
export function identityOf(meaning: Meaning): string {
  const place = declarationOf(meaning);
  if (place) return `${place.source.name} ${place.start}`;
  return `${meaning.kind} ${nameOf(meaning)}`;
}

export function nameOf(meaning: Meaning): string {
  switch (meaning.kind) {
    case 'class':
      return meaning.element?.name ?? meaning.entity.definition.name.text;
    case 'component':
      return meaning.component.name;
    case 'iterator':
      return meaning.iterator.name.text;
    case 'literal':
    case 'attribute':
    case 'builtin':
      return meaning.name;
    default:
      return meaning satisfies never;
  }
}
