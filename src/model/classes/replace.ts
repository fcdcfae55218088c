/**
 * The class that an element of a shape stands for: as declared, refined by `class extends`, or replaced by a redeclaration
 * (specification 3.6, section 7.3), with the modifiers of its constraining clause.
 */
import { error } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { ClassEntity, entityOf } from './class.ts';
import { findClass } from './lookup.ts';
import { classModifierOf, type Modifier, merge, type Report } from './modification.ts';
import { type ShapeClass, shapeOf } from './shape.ts';

/** The class that an element of a shape stands for, with redeclarations and modifications. */
export function classOfElement(
  element: ShapeClass,
  self: ClassEntity,
  report: Report = () => {},
): ClassEntity {
  if (element.entity) return element.entity;
  const { modifier, name, definition, lexical, folder, inherited } = element;
  const path = `${self.path}.${name}`;
  const replacement = modifier?.redeclare;
  if (replacement?.element.kind === 'class') {
    const around = entityOf(replacement.scope.lexical);
    element.entity = new ClassEntity(self.library, replacement.element, around, path, {
      modifier: merge(nestedModifier(modifier), constraintModifier(element, report), report),
    });
    checkConstraint(element, element.entity, replacement.span, report);
  } else if (
    lexical === self &&
    self.origin === self &&
    !modifier &&
    !inherited &&
    !definition.constrainedBy
  ) {
    element.entity = self.library.nested(self, name)!;
  } else {
    const refines = definition.body.kind === 'long' && definition.body.classExtends !== undefined;
    const constraint = constraintModifier(inherited && !refines ? inherited : element, report);
    element.entity = new ClassEntity(self.library, definition, lexical, path, {
      modifier: merge(nestedModifier(modifier), below(constraint, definition), report),
      folder,
      ...(inherited && refines && { refined: classOfElement(inherited, self, report) }),
    });
  }
  return element.entity;
}

/** The modifiers of a constraining clause are weaker than those that the class itself writes. */
function below(constraint: Modifier | undefined, { body }: ast.ClassDef): Modifier | undefined {
  if (!constraint || body.kind !== 'short' || !body.modification) return constraint;
  const children = new Map(constraint.children);
  for (const argument of body.modification.arguments) {
    if (argument.kind === 'modify') children.delete(argument.name.parts[0]?.text ?? '');
  }
  return children.size > 0 ? { ...constraint, children } : undefined;
}

/** A replacement must have what the constraining class promises (section 7.3.2). */
function checkConstraint(element: ShapeClass, replacement: ClassEntity, span: Span, report: Report): void {
  const { constrainedBy, body } = element.definition;
  const name = constrainedBy?.name ?? (body.kind === 'short' ? body.base : undefined);
  const constraint = name
    ? findClass(element.lexical, name)
    : new ClassEntity(replacement.library, element.definition, element.lexical, replacement.path);
  const missing = constraint && missingElement(replacement, constraint);
  if (missing === undefined) return;
  report(
    error('type-mismatch', `\`${element.name}\` cannot be replaced by a class without \`${missing}\`.`, {
      span,
      notes: [
        {
          message: 'The constraining class is given here.',
          span: element.lexical.span(name ?? element.definition.name),
        },
      ],
    }),
  );
}

/** The first public component of `constraint` that `type` lacks: then it is no subtype (section 6.5). */
export function missingElement(type: ClassEntity, constraint: ClassEntity): string | undefined {
  if (type.definition === constraint.definition) return undefined;
  const shape = shapeOf(type);
  const wanted = shapeOf(constraint);
  if (type.collecting || constraint.collecting) return undefined;
  if (wanted.predefined) return shape.predefined === wanted.predefined ? undefined : wanted.predefined;
  for (const [name, component] of wanted.components) {
    if (!component.protected && !shape.components.has(name)) return name;
  }
  return undefined;
}

const nestedModifier = (modifier: Modifier | undefined): Modifier | undefined =>
  modifier && modifier.children.size > 0 ? { ...modifier, redeclare: undefined } : undefined;

/** Modifiers of the constraining clause, or of the replaced short class, hold for every replacement (section 7.3.2). */
function constraintModifier(element: ShapeClass, report: Report): Modifier | undefined {
  const { constrainedBy, body } = element.definition;
  if (!constrainedBy && !element.modifier?.redeclare) return undefined;
  const modification = constrainedBy
    ? constrainedBy.modification
    : body.kind === 'short'
      ? body.modification
      : undefined;
  return classModifierOf(modification, { instance: undefined, lexical: element.lexical }, report);
}
