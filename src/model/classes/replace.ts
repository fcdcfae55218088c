/**
 * The class that an element of a shape stands for: as declared, refined by `class extends`, or replaced by a redeclaration
 * (specification 3.6, section 7.3), with the modifiers of its constraining clause.
 */
import type * as ast from '../../syntax/ast.ts';
import { ClassEntity, entityOf } from './class.ts';
import { classModifierOf, lasting, type Modifier, merge, type Report } from './modification.ts';
import type { ShapeClass } from './shape.ts';

/** The class that an element of a shape stands for, with redeclarations and modifications. */
export function classOfElement(
  element: ShapeClass,
  self: ClassEntity,
  report: Report = () => {},
): ClassEntity {
  element.entity ??= made(element, self, report);
  return element.entity;
}

function made(element: ShapeClass, self: ClassEntity, report: Report): ClassEntity {
  const { modifier, name, definition, lexical, stored, inherited } = element;
  const path = `${self.path}.${name}`;
  const replacement = modifier?.redeclare;
  if (replacement?.element.kind === 'class') {
    const around = entityOf(replacement.scope.lexical);
    return new ClassEntity(around.library, replacement.element, around, path, {
      modifier: nestedModifier(modifier),
      constraint: merge(replacement.under, constraintOf(element, report), report),
    });
  }
  const isPlain = !modifier && !inherited && !definition.constrainedBy;
  if (isPlain && lexical === self && self.origin === self) return self.library.nested(self, name)!;
  return new ClassEntity(self.library, definition, lexical, path, {
    modifier: nestedModifier(modifier),
    constraint: merge(clauseModifier(element, report), replacedModifier(element, report), report),
    folder: stored?.folder,
    stored,
    ...(inherited && refines(definition) && { refined: classOfElement(inherited, self, report) }),
  });
}

/** Whether a definition is a `class extends`, which refines the inherited class of its name. */
export const refines = ({ refining }: ast.ClassDef): boolean => refining;

const nestedModifier = (modifier: Modifier | undefined): Modifier | undefined =>
  modifier && modifier.children.size > 0 ? { ...modifier, redeclare: undefined } : undefined;

/**
 * Modifiers that hold for every class in the place of this one (section 7.3.2): those of the constraining clause, or where the first
 * declaration has none those of itself.
 */
function constraintOf(element: ShapeClass, report: Report): Modifier | undefined {
  const { definition, inherited } = element;
  const { body, constrainedBy } = definition;
  const isFirst = !inherited || refines(definition);
  const own =
    isFirst && !constrainedBy && body.kind === 'short'
      ? modifierIn(element, body.modification, report)
      : clauseModifier(element, report);
  return merge(own, replacedModifier(element, report), report);
}

const clauseModifier = (element: ShapeClass, report: Report): Modifier | undefined =>
  modifierIn(element, element.definition.constrainedBy?.modification, report);

/** What remains of the class that a `redeclare` in a class replaces. */
function replacedModifier({ definition, inherited }: ShapeClass, report: Report): Modifier | undefined {
  if (!inherited || refines(definition)) return undefined;
  const given = inherited.modifier && lasting(inherited.modifier, report);
  return merge(given, constraintOf(inherited, report), report);
}

const modifierIn = (
  { lexical }: ShapeClass,
  modification: ast.ClassModification | undefined,
  report: Report,
): Modifier | undefined => classModifierOf(modification, { instance: undefined, lexical }, report);
