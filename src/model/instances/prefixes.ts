/**
 * What a component inherits from its declaration and from the object around it: name, path, variability, causality and
 * the other prefixes (specification 3.6, section 4.4).
 */
import type { ClassEntity } from '../classes/class.ts';
import type { Shape, ShapeComponent } from '../classes/shape.ts';
import type { InstanceBase, InstanceVariability } from '../instance.ts';
import { joined } from '../instance.ts';
import type { DeclaredNode, ObjectNode } from './node.ts';

/** The base of a model itself, or of the holder of constants of a class. */
export function rootBase(entity: ClassEntity): InstanceBase {
  const { body, name } = entity.definition;
  return {
    name: '',
    path: '',
    parent: undefined,
    variability: 'continuous',
    causality: undefined,
    connection: undefined,
    inner: false,
    outer: false,
    protected: false,
    final: false,
    conditional: false,
    description: (body.kind === 'long' ? body.description : body.comment.description)?.value ?? '',
    annotation: body.kind === 'long' ? body.annotation : body.comment.annotation,
    span: entity.span(name),
  };
}

export function baseOf(
  owner: ObjectNode,
  component: ShapeComponent,
  declared: DeclaredNode,
  shape: Shape,
): InstanceBase {
  const { clause, declaration, lexical, modifier } = declared;
  const { prefixes } = clause;
  return {
    name: component.name,
    path: joined(owner.path, component.name),
    parent: owner,
    variability: strongest(clause.variability, owner.variability),
    causality: clause.causality ?? shape.causality ?? owner.causality,
    connection: clause.connection ?? owner.connection,
    inner: prefixes.inner,
    outer: prefixes.outer,
    protected: component.protected || owner.protected,
    final: prefixes.final || (modifier?.final ?? false),
    conditional: declared.condition !== undefined,
    description: declaration.comment.description?.value ?? '',
    annotation: declaration.comment.annotation,
    span: lexical.span(declaration.name),
  };
}

/** The base of an element of an array is that of the array, but for its name. */
export function elementBase(array: ObjectNode, subscripts: string): InstanceBase {
  const { variability, causality, connection, inner, outer, final, conditional } = array;
  const { description, annotation, span } = array;
  return {
    ...{ name: array.name + subscripts, path: array.path + subscripts, parent: array },
    ...{ variability, causality, connection, inner, outer, protected: array.protected, final, conditional },
    ...{ description, annotation, span },
  };
}

const order: readonly InstanceVariability[] = ['constant', 'parameter', 'discrete', 'continuous'];

/** The lower of a component's own variability and that of the object around it (section 4.4.4). */
function strongest(own: InstanceVariability | undefined, around: InstanceVariability): InstanceVariability {
  return order[Math.min(order.indexOf(own ?? 'continuous'), order.indexOf(around))]!;
}

export function discreteUnlessReal(variability: InstanceVariability, shape: Shape): InstanceVariability {
  if (variability !== 'continuous' || shape.predefined === 'Real') return variability;
  // An external object is made once, and then is what it is.
  return shape.externalObject ? 'parameter' : 'discrete';
}
