/**
 * The declaration of a component that is in force: the one in the class, or that of a redeclaration (specification 3.6,
 * section 7.3), with all modifiers merged. A redeclared component keeps the prefixes and sizes that the redeclaration
 * does not repeat, and the modifiers of its constraining clause, or of the original declaration where there is none.
 */

import { error } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { entityOf, instanceFor } from '../classes/class.ts';
import {
  bind,
  classModifierOf,
  finalError,
  lasting,
  type Modifier,
  merge,
  modifierOf,
  type Redeclare,
  type Report,
  withoutValue,
} from '../classes/modification.ts';
import { keepingPrefixes, type ShapeComponent } from '../classes/shape.ts';
import { joined, type Scope } from '../instance.ts';
import { componentRedeclarationProblems } from '../types/redeclarations.ts';
import type { DeclaredNode, ObjectNode } from './node.ts';

const scalar: DeclaredNode['subscripts'] = [];

/** The sizes of a name, then those of its clause; where a redeclaration has none, those of what it replaces. */
function sizesOf(component: ShapeComponent, owner: ObjectNode): DeclaredNode['subscripts'] {
  const { declaration, clause, lexical, replaced } = component;
  const own = writtenSizes(declaration, clause, { instance: owner.scope, lexical });
  return own.length === 0 && replaced ? sizesOf(replaced, owner) : own;
}

const writtenSizes = (
  { subscripts: own }: ast.Declaration,
  { subscripts }: ast.ComponentClause,
  scope: Scope,
): DeclaredNode['subscripts'] =>
  own.length + subscripts.length > 0
    ? [...own, ...subscripts].map((subscript) => ({ subscript, scope }))
    : scalar;

/** `incoming` are the merged modifiers from outside the declaration. */
export function declare(
  component: ShapeComponent,
  incoming: Modifier | undefined,
  owner: ObjectNode,
  report: Report,
): DeclaredNode {
  const { clause, declaration, lexical } = component;
  const scope: Scope = { instance: owner.scope, lexical };
  const redeclare = incoming?.redeclare;
  if (redeclare?.element.kind === 'component') {
    const { element } = redeclare;
    return redeclared(component, incoming!, { ...redeclare, element }, owner, report);
  }
  if (redeclare) {
    report(
      error('bad-binding', `\`${component.name}\` is a component, but it is redeclared as a class.`, {
        span: redeclare.span,
      }),
    );
  }
  // What the class of the record says of its members, in an extends clause, is what they are without that value.
  const given = owner.bound ? owner.modifier?.children.get(component.name) : undefined;
  if (given?.value && !given.final && !given.value.outside) {
    const message = `\`${joined(owner.path, component.name)}\` cannot be given a value: the record has one as a whole.`;
    const hint = `Give \`${owner.name}\` another value as a whole, or values to all of its members.`;
    report(error('bad-binding', message, { span: given.span, hint }));
  }
  const taken = owner.modifier?.children.get(component.name);
  if (taken?.removed && needsEquation(component, owner)) {
    const message = `\`${joined(owner.path, component.name)}\` cannot lose its value here: its class counts on the equation.`;
    const hint = `Take the value away in a class that extends \`${owner.class.path}\`, \`extends …(${component.name} = break)\`, and write the equation there.`;
    report(error('not-allowed', message, { span: taken.span, hint }));
  }
  const inClass = modifierOf(declaration.modification, scope, report);
  const own = takesRecordValue(component, owner) ? withoutValue(inClass) : inClass;
  const subscripts = sizesOf(component, owner);
  const written = clause.prefixes.final
    ? mergeFinal(component, incoming, own, report)
    : merge(incoming, own, report);
  // Modifiers of a constraining clause, and of what was replaced, hold for the declaration itself too, below its own.
  const below = merge(
    classModifierOf(clause.constrainedBy?.modification, scope, report),
    replacedModifier(component, owner, report),
    report,
  );
  const constraint = takesRecordValue(component, owner) ? withoutValue(below) : below;
  const modifier = merge(written, constraint, report);
  const replaced = component.replaced && sizesOf(component.replaced, owner);
  const condition = conditionOf(component);
  return { clause, declaration, lexical, modifier, subscripts, ...(replaced && { replaced }), condition };
}

/** Whether the value of a variable is an equation of the model or block that has it: others cannot take it away (section 4.8). */
const needsEquation = ({ clause, declaration }: ShapeComponent, { class: own }: ObjectNode): boolean =>
  declaration.modification?.value !== undefined &&
  clause.variability !== 'parameter' &&
  clause.variability !== 'constant' &&
  clause.causality !== 'input' &&
  ['model', 'block'].includes(own.definition.restriction);

/** Modifiers that hold for whatever stands in the place of a component (section 7.3.2). */
function constraintOf(component: ShapeComponent, owner: ObjectNode, report: Report): Modifier | undefined {
  const { clause, declaration, lexical, replaced } = component;
  const scope: Scope = { instance: owner.scope, lexical };
  const own =
    replaced || clause.constrainedBy
      ? classModifierOf(clause.constrainedBy?.modification, scope, report)
      : modifierOf(declaration.modification, scope, report);
  return merge(own, replacedModifier(component, owner, report), report);
}

/** What remains of the component that a `redeclare` in a class replaces. */
function replacedModifier(
  { replaced }: ShapeComponent,
  owner: ObjectNode,
  report: Report,
): Modifier | undefined {
  if (!replaced) return undefined;
  const given = replaced.modifier && lasting(replaced.modifier, report);
  return merge(
    bind(given, (scope) => instanceFor(scope, owner)),
    constraintOf(replaced, owner, report),
    report,
  );
}

/** The condition of a component, or of what it replaces, with the class in which it is written. */
function conditionOf({ declaration, lexical, replaced }: ShapeComponent): DeclaredNode['condition'] {
  const { condition } = declaration;
  return condition ? { expression: condition, lexical } : replaced && conditionOf(replaced);
}

/** The value of a record as a whole says nothing about its constants and final members (section 12.6). */
export const takesRecordValue = ({ clause }: ShapeComponent, owner: ObjectNode): boolean =>
  owner.bound && clause.variability !== 'constant' && !clause.prefixes.final;

/** `final` before a declaration protects its value and everything in it. */
function mergeFinal(
  component: ShapeComponent,
  incoming: Modifier | undefined,
  own: Modifier | undefined,
  report: Report,
): Modifier | undefined {
  if (!incoming) return own;
  const span = component.lexical.span(component.declaration.name);
  report(finalError(incoming, { span }));
  return own;
}

function redeclared(
  component: ShapeComponent,
  incoming: Modifier,
  { element, scope, under }: Redeclare & { readonly element: ast.ComponentClause },
  owner: ObjectNode,
  report: Report,
): DeclaredNode {
  const { clause: original, declaration: originalDeclaration } = component;
  const declaration = element.declarations[0] ?? originalDeclaration;
  for (const problem of componentRedeclarationProblems(component, incoming)) report(problem);
  const replacing = merge(under, constraintOf(component, owner, report), report);
  const constraint = takesRecordValue(component, owner) ? withoutValue(replacing) : replacing;
  const written = writtenSizes(declaration, element, scope);
  return {
    clause: {
      ...keepingPrefixes(element, original),
      prefixes: { ...element.prefixes, inner: original.prefixes.inner, outer: original.prefixes.outer },
    },
    declaration: {
      ...declaration,
      comment: declaration.comment.description ? declaration.comment : originalDeclaration.comment,
    },
    lexical: entityOf(scope.lexical),
    modifier: merge({ ...incoming, redeclare: undefined }, constraint, report),
    ...(written.length > 0
      ? { subscripts: written, replaced: sizesOf(component, owner) }
      : { subscripts: sizesOf(component, owner) }),
    condition: conditionOf(component),
  };
}
