/**
 * Classes declared `outer`: each stands for the nearest `inner` class of its name in the objects around the one that uses it
 * (specification 3.6, section 5.4). Components declared so are entered when they are made (`instances/outer.ts`).
 */
import type { Instance, ObjectInstance } from '../instance.ts';
import type { Refusal } from './access.ts';
import { type ClassEntity, entityOf } from './class.ts';
import { findClass } from './lookup.ts';
import { classOfElement } from './replace.ts';
import { elementOf, type ShapeClass, shapeOf } from './shape.ts';

export const isOuter = ({ definition }: ClassEntity): boolean => definition.prefixes.outer;

/** The class that a class stands for where an instance uses it: itself, unless it is declared `outer`. */
export function innerClass(entity: ClassEntity, user: Instance | undefined): ClassEntity | undefined {
  if (!isOuter(entity)) return entity;
  for (let at = user; at; at = at.parent) {
    if (at.kind !== 'object' || at.dims.length > 0) continue;
    const owner = entityOf(at.class);
    const element = shapeOf(owner).classes.get(entity.definition.name.text);
    if (element && isInner(element, entity)) return classOfElement(element, owner);
  }
  return undefined;
}

/** A class as an instance uses it: where it extends outer classes, it extends the inner ones that these stand for there. */
export function withInnerBases(entity: ClassEntity, user: Instance | undefined): ClassEntity {
  const { outerBases } = shapeOf(entity);
  if (outerBases.length === 0 || !user) return entity;
  const inners = new Map(entity.inners);
  for (const outer of outerBases) {
    const inner = innerClass(outer, user);
    if (!inner || inners.has(outer.definition)) return entity;
    inners.set(outer.definition, inner);
  }
  return withInnerBases(entity.extending(inners), user);
}

const isInner = ({ definition }: ShapeClass, outer: ClassEntity): boolean =>
  definition.prefixes.inner && definition !== outer.definition;

/** Why an outer class means nothing. */
export const noInnerClass = ({ definition, path }: ClassEntity): Refusal => ({
  reason: `The outer ${definition.restriction} \`${path}\` has no inner ${definition.restriction}`,
  hint: `Declare \`inner ${definition.restriction} ${definition.name.text} = …;\` in the model or in a component that contains this one.`,
});

/** The inner component that an outer one of a class, not of an object, stands for where an instance uses it. */
export function innerComponent(name: string, user: Instance | undefined): Instance | undefined {
  for (let at = user; at; at = at.parent) {
    if (at.kind !== 'object' || at.dims.length > 0) continue;
    const inner = shapeOf(entityOf(at.class)).components.get(name)?.clause.prefixes.inner;
    const found = inner ? at.find(name) : undefined;
    if (found) return found === 'absent' ? undefined : found;
  }
  return undefined;
}

/** Why an element of an inner component cannot be reached by way of an outer one: the type of that one does not have it. */
export function beyondOuter(owner: ObjectInstance, outer: string, name: string): Refusal | undefined {
  if (!owner.outers?.has(outer)) return undefined;
  const component = shapeOf(entityOf(owner.class)).components.get(outer);
  const type = component && findClass(component.lexical, component.clause.type, owner);
  // What an expandable connector has is known from its connections.
  if (!type || shapeOf(type).restriction === 'expandable connector' || elementOf(type, name))
    return undefined;
  return {
    reason: `\`${outer}\` is declared as an outer \`${type.path}\`, which has no \`${name}\``,
    hint: `Declare it as an outer component of the type that has \`${name}\`.`,
  };
}
