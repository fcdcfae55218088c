/**
 * Components that are declared one by one but are all the same, as programs write them: `Cell c1(C = 1); Cell c2(C = 2); …`. Siblings of
 * one class whose modifiers differ in numbers alone are *gathered*: they are instantiated once, as the elements of a uniform array are, with
 * a template whose modifiers hold the numbers of all of them. They keep their names; the number of an element is its place in the order
 * of declaration.
 *
 * Gathering pays where there are many; a class that says so in its annotation is gathered from two on, or never.
 */

import { grouped } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import type * as ast from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import type { ClassEntity } from '../classes/class.ts';
import { findClass } from '../classes/lookup.ts';
import { type Modifier, merge, modifierOf } from '../classes/modification.ts';
import { builtInName, markedUniform } from '../classes/settings.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../classes/shape.ts';
import type { Bound, ElementNumber, Scope } from '../instance.ts';
import type { Sibling } from './node.ts';

/** Components of one class in one class. */
export interface Siblings {
  readonly class: ClassEntity;
  readonly components: readonly ShapeComponent[];
  /** So many of them, with the same modifiers up to numbers, are gathered. */
  readonly least: number;
}

/** Fewer siblings are not worth the loops that they would become. */
const leastSiblings = 16;

const known = new WeakMap<Shape, ReadonlyMap<string, Siblings>>();

/** The siblings of a component that may be gathered with it. */
export function siblingsOf(shape: Shape, name: string): Siblings | undefined {
  const all = remember(known, shape, () => allSiblings(shape));
  return all.get(name);
}

const isModel = ({ restriction, predefined }: Shape): boolean =>
  !predefined && /^(model|block|class)$/.test(restriction);

function allSiblings(shape: Shape): ReadonlyMap<string, Siblings> {
  const result = new Map<string, Siblings>();
  if (!isModel(shape)) return result;
  const scopes = new Numbering<ClassEntity>();
  const groups = grouped([...shape.components.values()].filter(isPlain), (component) => {
    const { clause, lexical } = component;
    const type = clause.type.parts.map((part) => part.text).join('.');
    return `${type} ${scopes.of(lexical)} ${component.protected} ${clause.prefixes.final}`;
  });
  for (const components of groups.values()) {
    if (components.length < 2) continue;
    const { lexical, clause } = components[0]!;
    const entity = findClass(lexical, clause.type);
    const least = entity && leastOf(entity);
    if (least === undefined || components.length < least) continue;
    const siblings = { class: entity!, components, least };
    for (const { name } of components) result.set(name, siblings);
  }
  return result;
}

/** Nothing is said of the component that could make it something else than an ordinary part. */
function isPlain({ clause, declaration }: ShapeComponent): boolean {
  const { inner, outer, redeclare } = clause.prefixes;
  return (
    !(inner || outer || redeclare || clause.connection || clause.variability || clause.causality) &&
    clause.subscripts.length + declaration.subscripts.length === 0 &&
    !declaration.condition
  );
}

/** How many components of a class are gathered; undefined where its equations are none that families can have. */
function leastOf(entity: ClassEntity): number | undefined {
  const shape = shapeOf(entity);
  if (!isModel(shape)) return undefined;
  const hasAlgorithms = shape.sections.some(({ section }) => section.kind === 'algorithm');
  const marked = markedUniform(entity);
  if (hasAlgorithms || marked === false || builtInName(entity)) return undefined;
  return marked ? 2 : leastSiblings;
}

// ---------------------------------------------------------------- modifiers

/** Groups of siblings whose modifiers are the same, up to numbers. */
export function groupsOf(entity: ClassEntity, siblings: readonly Sibling[]): Sibling[][] {
  const scopes: Scopes = new Numbering();
  const groups = grouped(completed(entity, siblings), ({ declared: { modifier } }) =>
    modifier ? keyOf(modifier, scopes) : '',
  );
  return [...groups.values()];
}

/** Siblings that also say what only others do, of numbers that the class declares: with `G = 2` there, `c1` is `c1(G = 2)` beside `c2(G = 3)`. */
function completed(entity: ClassEntity, siblings: readonly Sibling[]): readonly Sibling[] {
  const modifiers = completedInside(
    entity,
    undefined,
    siblings.map(({ declared }) => declared.modifier),
  );
  return siblings.map((sibling, k) => ({
    ...sibling,
    declared: { ...sibling.declared, modifier: modifiers[k] },
  }));
}

type Modifiers = readonly (Modifier | undefined)[];

/** Modifiers of instances of a class, of which `outer` is said where it is declared. */
function completedInside(entity: ClassEntity, outer: Modifier | undefined, modifiers: Modifiers): Modifiers {
  const names = new Set(modifiers.flatMap((own) => [...(own?.children.keys() ?? [])]));
  let result = modifiers;
  for (const name of names) {
    const component = shapeOf(entity).components.get(name);
    const type = component && typeOf(component);
    if (!type) continue;
    const { lexical, modifier, declaration } = component;
    const written = modifierOf(declaration.modification, { instance: undefined, lexical }, () => {});
    const said = merge(
      outer?.children.get(name),
      merge(modifier, written, () => {}),
      () => {},
    );
    const own = result.map((one) => one?.children.get(name));
    const children =
      shapeOf(type).predefined === 'Real' ? completedReal(said, own) : completedInside(type, said, own);
    result = withChildren(result, name, children);
  }
  return result;
}

/** Modifiers with others for one name, as far as these are new. */
const withChildren = (modifiers: Modifiers, name: string, children: Modifiers): Modifiers =>
  modifiers.map((one, k) => {
    const child = children[k];
    if (!child || child === one?.children.get(name)) return one;
    return { ...(one ?? empty(child)), children: new Map(one?.children).set(name, child) };
  });

/** The class of a Real, or of a component of a model, of which there is just one; undefined for all else. */
function typeOf({ clause, declaration, lexical }: ShapeComponent): ClassEntity | undefined {
  if (clause.subscripts.length + declaration.subscripts.length > 0 || clause.prefixes.final) return undefined;
  const type = findClass(lexical, clause.type);
  const shape = type && shapeOf(type);
  return shape?.predefined === 'Real' || (shape && isModel(shape)) ? type : undefined;
}

/** Modifiers of a Real: its value, and its attributes. */
function completedReal(said: Modifier | undefined, modifiers: Modifiers): Modifiers {
  if (!said || said.final) return modifiers;
  const values = completedValues(said, modifiers);
  const attributes = new Set(modifiers.flatMap((own) => [...(own?.children.keys() ?? [])]));
  let result = values;
  for (const name of attributes) {
    const literal = said.children.get(name);
    const own = result.map((one) => one?.children.get(name));
    result = withChildren(result, name, literal ? completedValues(literal, own) : own);
  }
  return result;
}

/** Where some give a value, those that do not have the literal that is declared. */
function completedValues({ value, final }: Modifier, modifiers: Modifiers): Modifiers {
  const given = modifiers.find((own) => own?.value);
  if (!given || !value || final || !isLiteral(value.value)) return modifiers;
  const bound: Bound = { ...given.value!, value: value.value };
  return modifiers.map((own) =>
    own?.value ? own : { ...(own ?? { ...given, children: new Map() }), value: bound },
  );
}

/** A modifier that says nothing, where another one is. */
const empty = ({ span }: Modifier): Modifier => ({
  span,
  each: false,
  final: false,
  value: undefined,
  removed: false,
  children: new Map(),
  redeclare: undefined,
  closed: true,
});

const isLiteral = (value: ast.Expression): boolean => value.kind === 'boolean' || numbersIn(value) === '#';

type Scopes = Numbering<Scope['instance'] | Scope['lexical']>;

/** Objects by numbers, in the order in which they were met. */
class Numbering<T> {
  private readonly known = new Map<T, number>();

  of(object: T): number {
    return remember(this.known, object, () => this.known.size);
  }
}

/** What a modifier says but for numbers; undefined where it says what holds for one component alone. */
function keyOf(modifier: Modifier, scopes: Scopes): string | undefined {
  const { each, final, removed, value, elements, children, redeclare } = modifier;
  if (redeclare || elements || value?.outside || (value && value.subscripts.length > 0)) return undefined;
  let key = `${each ? 'each ' : ''}${final ? 'final ' : ''}${removed ? 'break' : ''}${value ? valueKey(value, scopes) : ''}`;
  for (const name of [...children.keys()].sort()) {
    const own = keyOf(children.get(name)!, scopes);
    if (own === undefined) return undefined;
    key += `(${name} ${own})`;
  }
  return key;
}

function valueKey({ value, scope, each }: Bound, scopes: Scopes): string {
  const shape = numbersIn(value);
  if (shape !== undefined) return shape;
  return `${each} ${scopes.of(scope.instance)} ${scopes.of(scope.lexical)} ${printExpression(value)}`;
}

/** The shape of a number or of an array of numbers; undefined for other expressions. */
function numbersIn(value: ast.Expression): string | undefined {
  if (value.kind === 'number') return '#';
  if (value.kind === 'unary') return numbersIn(value.operand) === '#' ? '#' : undefined;
  if (value.kind !== 'array') return undefined;
  const parts = value.elements.map(numbersIn);
  return parts.includes(undefined) ? undefined : `{${parts.join()}}`;
}

/** One modifier for a group of siblings: numbers become arrays of them, of which each element takes its own. */
export function gathered(
  modifiers: readonly (Modifier | undefined)[],
  number: ElementNumber,
): Modifier | undefined {
  const first = modifiers[0];
  if (!first) return undefined;
  const children = new Map<string, Modifier>();
  for (const name of first.children.keys())
    children.set(
      name,
      gathered(
        modifiers.map((modifier) => modifier!.children.get(name)),
        number,
      )!,
    );
  const values = modifiers.flatMap((modifier) => modifier!.value ?? []);
  return { ...first, value: first.value && gatheredValue(first.value, values, number), children };
}

function gatheredValue(first: Bound, values: readonly Bound[], number: ElementNumber): Bound {
  const elements = values.map(({ value }) => value);
  if (numbersIn(first.value) === undefined) return first;
  const text = printExpression(first.value);
  if (elements.every((value) => printExpression(value) === text)) return first;
  const { start, end } = first.value;
  return { ...first, value: { kind: 'array', elements, start, end }, subscripts: [number], each: false };
}
