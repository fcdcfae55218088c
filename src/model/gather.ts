/**
 * Components that are declared one by one but are all the same, as programs write them: `Cell c1(C = 1); Cell c2(C = 2); …`. Siblings of
 * one class whose modifiers differ in numbers alone are *gathered*: they are instantiated once, as the elements of a uniform array are, with
 * a template whose modifiers hold the numbers of all of them. They keep their names; the number of an element is its place in the order
 * of declaration.
 *
 * Gathering pays where there are many; a class that says so in its annotation is gathered from two on, or never.
 */
import type * as ast from '../syntax/ast.ts';
import { printExpression } from '../syntax/print.ts';
import type { ClassEntity } from './class.ts';
import type { Declared } from './declare.ts';
import type { Bound, ElementNumber, Scope } from './instance.ts';
import { findClass } from './lookup.ts';
import { type Modifier, merge, modifierOf } from './modification.ts';
import { builtInName, markedUniform } from './settings.ts';
import { type Shape, type ShapeComponent, shapeOf } from './shape.ts';

/** A component with its declaration and all modifiers. */
export interface Sibling {
  readonly component: ShapeComponent;
  readonly declared: Declared;
}

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
  let all = known.get(shape);
  if (!all) known.set(shape, (all = allSiblings(shape)));
  return all.get(name);
}

function allSiblings(shape: Shape): ReadonlyMap<string, Siblings> {
  const result = new Map<string, Siblings>();
  if (!/^(model|block|class)$/.test(shape.restriction) || shape.predefined) return result;
  const groups = new Map<string, ShapeComponent[]>();
  const scopes = new Numbering<ClassEntity>();
  for (const component of shape.components.values()) {
    if (!isPlain(component)) continue;
    const { clause, lexical } = component;
    const type = clause.type.parts.map((part) => part.text).join('.');
    const key = `${type} ${scopes.of(lexical)} ${component.protected} ${clause.prefixes.final}`;
    const group = groups.get(key);
    if (group) group.push(component);
    else groups.set(key, [component]);
  }
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
  if (shape.predefined || !/^(model|block|class)$/.test(shape.restriction)) return undefined;
  const hasAlgorithms = shape.sections.some(({ section }) => section.kind === 'algorithm');
  const marked = markedUniform(entity);
  if (hasAlgorithms || marked === false || builtInName(entity)) return undefined;
  return marked ? 2 : leastSiblings;
}

// ---------------------------------------------------------------- modifiers

/** Groups of siblings whose modifiers are the same, up to numbers. */
export function groupsOf(entity: ClassEntity, siblings: readonly Sibling[]): Sibling[][] {
  const groups = new Map<string, Sibling[]>();
  const scopes: Scopes = new Numbering();
  for (const sibling of completed(entity, siblings)) {
    const { modifier } = sibling.declared;
    const key = modifier ? keyOf(modifier, scopes) : '';
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(sibling);
    else groups.set(key, [sibling]);
  }
  return [...groups.values()];
}

/** Siblings that also say what only others do, of numbers that the class declares: with `G = 2` there, `c1` is `c1(G = 2)` beside `c2(G = 3)`. */
function completed(entity: ClassEntity, siblings: readonly Sibling[]): readonly Sibling[] {
  const { components } = shapeOf(entity);
  /** By variable and attribute, or value: the first modifier that speaks of it, with the literal of the class in place of its own. */
  const defaults = new Map<string, { readonly whole: Modifier; readonly parts: Map<string, Modifier> }>();
  for (const { declared } of siblings)
    for (const [name, own] of declared.modifier?.children ?? []) {
      const known = defaults.get(name);
      const component = components.get(name);
      const literals = known || !component ? undefined : literalsOf(component);
      if (!known && !literals) continue;
      const { whole, parts } = known ?? { whole: literals!, parts: new Map<string, Modifier>() };
      defaults.set(name, { whole, parts });
      if (own.value && whole.value && !parts.has('')) parts.set('', withLiteral(own, whole.value));
      for (const [attribute, given] of own.children) {
        const literal = whole.children.get(attribute)?.value;
        if (given.value && literal && !parts.has(attribute))
          parts.set(attribute, withLiteral(given, literal));
      }
    }
  if (defaults.size === 0) return siblings;
  return siblings.map((sibling) => {
    const { modifier } = sibling.declared;
    const children = new Map(modifier?.children);
    for (const [name, { whole, parts }] of defaults)
      children.set(name, filled(children.get(name), whole, parts));
    const first = modifier ?? [...defaults.values()][0]!.whole;
    const all = { ...first, value: modifier?.value, children };
    return { ...sibling, declared: { ...sibling.declared, modifier: all } };
  });
}

/** A modifier of a variable with the parts that it lacks. */
function filled(own: Modifier | undefined, whole: Modifier, parts: ReadonlyMap<string, Modifier>): Modifier {
  const attributes = new Map(own?.children);
  for (const [name, part] of parts) if (name !== '' && !attributes.has(name)) attributes.set(name, part);
  const value = own?.value ?? parts.get('')?.value;
  const plain = { ...whole, each: false, final: false, value: undefined };
  return { ...(own ?? plain), value, children: attributes };
}

const withLiteral = (given: Modifier, { value }: Bound): Modifier => ({
  ...given,
  value: { ...given.value!, value },
  closed: true,
});

/** What the class says of a Real of its own, as far as these are literals. */
function literalsOf({ clause, declaration, lexical, modifier }: ShapeComponent): Modifier | undefined {
  const type = findClass(lexical, clause.type);
  const isScalar = clause.subscripts.length + declaration.subscripts.length === 0;
  if (!type || shapeOf(type).predefined !== 'Real' || !isScalar || clause.prefixes.final) return undefined;
  const written = modifierOf(declaration.modification, { instance: undefined, lexical }, () => {});
  const all = merge(modifier, written, () => {});
  if (!all || all.final) return undefined;
  const isLiteral = (one: Modifier | undefined): boolean =>
    one?.value !== undefined &&
    !one.final &&
    (isLogical(one.value.value) || numbersIn(one.value.value) === '#');
  const children = new Map([...all.children].filter(([, one]) => isLiteral(one)));
  return { ...all, value: isLiteral(all) ? all.value : undefined, children };
}

const isLogical = ({ kind }: ast.Expression): boolean => kind === 'boolean';

type Scopes = Numbering<Scope['instance'] | Scope['lexical']>;

/** Objects by numbers, in the order in which they were met. */
class Numbering<T> {
  private readonly known = new Map<T, number>();

  of(object: T): number {
    const number = this.known.get(object) ?? this.known.size;
    this.known.set(object, number);
    return number;
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
