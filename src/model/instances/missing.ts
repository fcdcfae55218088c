/**
 * Inner components that a model lacks (specification 3.6, section 5.4). Where components declare something `outer` and nothing around them is the
 * `inner` one, it is added to the model, provided that all of them are of one class, which can be instantiated as it is.
 */
import { grouped } from '../../collections/groups.ts';
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import type { ClassEntity } from '../classes/class.ts';
import { findClass } from '../classes/lookup.ts';
import type { Report } from '../classes/modification.ts';
import { missingInnerMessage } from '../classes/settings.ts';
import { elementOf, type ShapeComponent, shapeOf } from '../classes/shape.ts';
import { joined } from '../instance.ts';
import type { ObjectNode } from './node.ts';
import { noInner } from './outer.ts';

/** An outer component without an inner one. */
export interface MissingInner {
  readonly owner: ObjectNode;
  readonly component: ShapeComponent;
}

/** A component that is added to a model, and what is said about that. */
export interface AddedInner {
  readonly component: ShapeComponent;
  readonly notice: Diagnostic;
}

/** Components to add to a model of a class, by name; those that cannot be added are reported. */
export function innersFor(
  missing: readonly MissingInner[],
  model: ClassEntity,
  report: Report,
): ReadonlyMap<string, AddedInner> {
  const added = new Map<string, AddedInner>();
  for (const [name, outers] of grouped(missing, ({ component }) => component.name)) {
    const component = isFree(name, model) ? commonInner(outers) : undefined;
    if (component) added.set(name, { component, notice: addedInner(outers[0]!, component) });
    else for (const { owner, component: outer } of outers) report(noInner(owner, outer, differences(outers)));
  }
  return added;
}

/** Whether a model has nothing of a name, or what is outer itself: then it becomes the inner component. */
function isFree(name: string, model: ClassEntity): boolean {
  const element = elementOf(model, name);
  if (element?.kind !== 'component') return !element;
  const { inner, outer } = element.clause.prefixes;
  return outer && !inner;
}

/** The inner component for some outer ones, which must all be of the same class. */
function commonInner(outers: readonly MissingInner[]): ShapeComponent | undefined {
  const typed = outers.flatMap(({ component }) => {
    const { clause, declaration, lexical } = component;
    const type = findClass(lexical, clause.type);
    const isArray = clause.subscripts.length + declaration.subscripts.length > 0;
    return type && !isArray ? [{ component, type }] : [];
  });
  if (typed.length < outers.length) return undefined;
  const [first] = typed;
  const isSame = typed.every(({ type }) => type.definition === first!.type.definition);
  return isSame && isWhole(first!.type) ? innerOf(first!.component) : undefined;
}

/** Which classes outer components of one name have, where that is more than one. */
function differences(outers: readonly MissingInner[]): string | undefined {
  const paths = outers.map(({ component }) => findClass(component.lexical, component.clause.type)?.path);
  const [first, second] = new Set(paths);
  return first === undefined || second === undefined
    ? undefined
    : `None can be added, since those that are outer are of different classes, \`${first}\` and \`${second}\`.`;
}

/** A variable alone would have nothing that determines it. */
function isWhole(type: ClassEntity): boolean {
  const { partial, predefined, subscripts } = shapeOf(type);
  return !partial && !predefined && subscripts.length === 0 && !type.definition.prefixes.outer;
}

function innerOf(component: ShapeComponent): ShapeComponent {
  const { clause, declaration } = component;
  return {
    ...component,
    clause: { ...clause, causality: undefined, prefixes: { ...clause.prefixes, inner: true, outer: false } },
    declaration: { ...declaration, modification: undefined, condition: undefined },
    protected: false,
    modifier: undefined,
  };
}

function addedInner(
  { owner, component }: MissingInner,
  { clause, lexical, declaration, name }: ShapeComponent,
): Diagnostic {
  const type = findClass(lexical, clause.type)!;
  const declared = `\`inner ${type.path} ${name}\``;
  const message = `The outer component \`${joined(owner.path, component.name)}\` has no inner component: ${declared} is added to the model.`;
  const hint =
    missingInnerMessage(type.definition) ?? `Declare ${declared} in the model to give it other parameters.`;
  return warning('unknown-name', message, { span: lexical.span(declaration.name), hint });
}
