/**
 * The declaration of a component that is in force: the one in the class, or that of a redeclaration (specification 3.6,
 * section 7.3), with all modifiers merged. A redeclared component keeps the prefixes and sizes that the redeclaration
 * does not repeat, and the modifiers of its constraining clause, or of the original declaration where there is none.
 */

import { error } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ClassEntity, entityOf } from '../classes/class.ts';
import { findClass } from '../classes/lookup.ts';
import {
  classModifierOf,
  finalError,
  type Modifier,
  merge,
  modifierOf,
  type Report,
  withoutValue,
} from '../classes/modification.ts';
import { missingElement } from '../classes/replace.ts';
import { keepingPrefixes, type ShapeComponent } from '../classes/shape.ts';
import type { Scope } from '../instance.ts';
import type { DeclaredNode, ObjectNode } from './node.ts';

const scalar: DeclaredNode['subscripts'] = [];

/** The sizes of a name, then those of its clause. */
const sizesOf = (
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
    return redeclared(component, incoming!, redeclare.element, redeclare.scope, owner, report);
  }
  if (redeclare) {
    report(
      error('bad-binding', `\`${component.name}\` is a component, but it is redeclared as a class.`, {
        span: redeclare.span,
      }),
    );
  }
  const inClass = modifierOf(declaration.modification, scope, report);
  const own = takesRecordValue(component, owner) ? withoutValue(inClass) : inClass;
  const subscripts = sizesOf(declaration, clause, scope);
  const written = clause.prefixes.final
    ? mergeFinal(component, incoming, own, report)
    : merge(incoming, own, report);
  // Modifiers of a constraining clause hold for the declaration itself too, below its own.
  const constraint = clause.constrainedBy?.modification;
  const modifier = constraint ? merge(written, classModifierOf(constraint, scope, report), report) : written;
  return { clause, declaration, lexical, modifier, subscripts };
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
  element: ast.ComponentClause,
  elementScope: Scope,
  owner: ObjectNode,
  report: Report,
): DeclaredNode {
  const { clause: original, declaration: originalDeclaration } = component;
  const lexical = entityOf(elementScope.lexical);
  const declaration = element.declarations[0] ?? originalDeclaration;
  checkRedeclaration(component, incoming, element, lexical, report);
  const scope: Scope = { instance: owner.scope, lexical: component.lexical };
  const constraint = original.constrainedBy
    ? classModifierOf(original.constrainedBy.modification, scope, report)
    : modifierOf(originalDeclaration.modification, scope, report);
  const written = sizesOf(declaration, element, elementScope);
  return {
    clause: {
      ...keepingPrefixes(element, original),
      prefixes: { ...element.prefixes, inner: original.prefixes.inner, outer: original.prefixes.outer },
    },
    declaration: {
      ...declaration,
      condition: declaration.condition ?? originalDeclaration.condition,
      comment: declaration.comment.description ? declaration.comment : originalDeclaration.comment,
    },
    lexical,
    modifier: merge(incoming, constraint, report),
    subscripts: written.length > 0 ? written : sizesOf(originalDeclaration, original, scope),
  };
}

function checkRedeclaration(
  component: ShapeComponent,
  incoming: Modifier,
  element: ast.ComponentClause,
  lexical: ClassEntity,
  report: Report,
): void {
  const { clause, declaration } = component;
  const declaredAt = component.lexical.span(declaration.name);
  const { span } = incoming.redeclare!;
  if (clause.prefixes.final) report(finalError({ span }, { span: declaredAt }));
  if (!clause.prefixes.replaceable) {
    report(
      error('bad-binding', `\`${component.name}\` is redeclared but not replaceable.`, {
        span,
        hint: 'Declare it `replaceable` to allow this redeclaration.',
        notes: [{ message: 'It is declared here.', span: declaredAt }],
      }),
    );
  }
  const constraintName = clause.constrainedBy?.name ?? clause.type;
  const constraint = findClass(component.lexical, constraintName);
  const type = findClass(lexical, element.type);
  const missing = constraint && type && missingElement(type, constraint);
  if (missing !== undefined) {
    report(
      error(
        'type-mismatch',
        `\`${type!.path}\` cannot replace \`${constraint!.path}\`: it has no element \`${missing}\`.`,
        {
          span,
          notes: [
            { message: 'The constraining type is given here.', span: component.lexical.span(constraintName) },
          ],
        },
      ),
    );
  }
}
