/**
 * Classes as they are looked at: with an instance, in which expressions of annotations have values, and the values of a moment of a run where there are any. Members of the instance are made when a
 * picture asks for them, so that a picture of a large model costs as much as what is seen of it.
 */
import { remember } from '../collections/memo.ts';
import { type ClassEntity, entityOf } from '../model/classes/class.ts';
import { findClass } from '../model/classes/lookup.ts';
import { type ShapeComponent, shapeOf } from '../model/classes/shape.ts';
import type { ObjectInstance } from '../model/instance.ts';
import { type OnDemand, onDemand } from '../model/instances/instantiate.ts';
import type * as ast from '../syntax/ast.ts';
import type { Sight, Values } from './values.ts';

/** A part of the file in which a class is written. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface View {
  readonly entity: ClassEntity;
  readonly instance: ObjectInstance;
  readonly maker: OnDemand;
  readonly values: Values | undefined;
}

export function classView(entity: ClassEntity, values?: Values): View {
  const maker = onDemand(entity);
  return { entity, instance: maker.root, maker, values };
}

/** Where a text that is written in a class is read: `lexical` is the class or a base class, as the class sees it. */
export const sightIn = ({ instance, values }: View, lexical: ClassEntity): Sight => ({
  scope: { instance, lexical },
  values,
});

/** A component of a class. */
export interface ComponentView {
  readonly component: ShapeComponent;
  /** Undefined where its class cannot be found. */
  readonly view: View | undefined;
  readonly restriction: ast.Restriction | undefined;
  readonly causality: 'input' | 'output' | undefined;
  /** A conditional component that is not there. */
  readonly absent: boolean;
  /** Sizes of an array of components, as far as they are known. */
  readonly dims: readonly number[];
}

export function componentView(owner: View, component: ShapeComponent): ComponentView {
  const found = owner.instance.find(component.name);
  const absent = found === 'absent';
  const member = absent ? undefined : found;
  const dims = member?.dims ?? [];
  if (member?.kind === 'object') {
    const instance = representative(member);
    const entity = instance && entityOf(instance.class);
    if (instance && entity) {
      const { maker, values } = owner;
      const view = { entity, instance, maker, values };
      return { component, view, restriction: instance.restriction, causality: undefined, absent, dims };
    }
  }
  const entity =
    owner.maker.typeOf(owner.instance, component) ?? findClass(component.lexical, component.clause.type);
  const shape = entity && shapeOf(entity);
  const causality = component.clause.causality ?? shape?.causality;
  const view = entity && classView(entity);
  return { component, view, restriction: shape?.restriction, causality, absent, dims };
}

/** What stands for all elements of an array of components. */
function representative(instance: ObjectInstance): ObjectInstance | undefined {
  if (instance.dims.length === 0) return instance;
  return instance.template ?? instance.elements[0] ?? instance.prototype;
}

export const isConnector = ({ restriction }: Pick<ComponentView, 'restriction'>): boolean =>
  restriction === 'connector' || restriction === 'expandable connector';

/**
 * Whether a component is declared as a connector: what is put in its place is one too. The class is looked up where the declaration is written, whatever is redeclared around it, so that nothing has to
 * be made for the answer.
 */
export function isConnectorDeclared({ clause, lexical }: ShapeComponent): boolean {
  return remember(declaredConnectors, clause, () => {
    let entity = findClass(lexical.origin, clause.type);
    for (let k = 0; entity && k < LONGEST_CHAIN; k++) {
      const { restriction, body } = entity.definition;
      if (restriction !== 'class' || body.kind !== 'short') return restriction.endsWith('connector');
      entity = findClass(entity.parent ?? entity, body.base);
    }
    return false;
  });
}

const declaredConnectors = new WeakMap<ast.ComponentClause, boolean>();
/** Of short classes. */
const LONGEST_CHAIN = 200;
