/**
 * What names written outside of a class may reach in it (specification 3.6, sections 4.1 and 5.3.2): nothing that is protected, nothing in a
 * partial class, and in a class that is no package only what is encapsulated.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassNode } from '../instance.ts';
import type { ClassEntity } from './class.ts';
import { findSimple, nestedClass } from './lookup.ts';
import type { Modifier } from './modification.ts';
import { elementOf, type Shape, type ShapeClass, type ShapeComponent, shapeOf } from './shape.ts';

/** Why something that exists cannot be used. */
export interface Refusal {
  readonly reason: string;
  readonly hint: string;
}

/** Why `A.x` cannot be used, where `x` is an element of the class A. */
export function refusal(owner: ClassEntity, element: ShapeComponent | ShapeClass): Refusal | undefined {
  const { name } = element;
  const { path, collecting } = owner;
  if (element.protected) return protectedIn(owner, name, owner);
  const shape = shapeOf(owner);
  if (collecting || shape.enumeration) return undefined;
  if (shape.partial)
    return {
      reason: `\`${path}\` is partial, so that \`${name}\` in it cannot be used`,
      hint: `Use, or redeclare it to, a class that extends \`${path}\` and is not partial.`,
    };
  const isEncapsulated = element.kind === 'class' && element.definition.encapsulated;
  if (isEncapsulated || isLikePackage(shape)) return undefined;
  const what = element.kind === 'class' ? `Declare it \`encapsulated\`, or in` : 'Declare it in';
  return {
    reason: `\`${name}\` of \`${path}\` cannot be used here, because \`${path}\` has more than classes and constants: it is no package`,
    hint: `${what} a package.`,
  };
}

/** Why `a.x` cannot be used, where `x` is protected in the class of `a`, or in the class `a` itself. */
export function protectedIn({ path }: { readonly path: string }, name: string, owner: ClassNode): Refusal {
  const users = path === owner.path ? 'this class' : `its class \`${owner.path}\``;
  return {
    reason: `\`${name}\` of \`${path}\` is protected: only ${users}, and those that extend it, can use it`,
    hint: `Make it public, or extend \`${owner.path}\` and write \`${name}\` alone there.`,
  };
}

/** Whether a class holds nothing that a package could not hold. */
const isLikePackage = ({ restriction, components, sections, predefined, external }: Shape): boolean =>
  restriction === 'package' ||
  (!predefined &&
    !external &&
    sections.length === 0 &&
    [...components.values()].every(({ clause }) => clause.variability === 'constant'));

/** What is wrong with the way on which the name of a class leads to it. */
export function classNameProblem(level: ClassEntity, name: ast.Name): Diagnostic | undefined {
  const [first, ...rest] = name.parts;
  const start = name.global ? undefined : findSimple(level, first!.text);
  const refused = start?.refused;
  if (refused) return problem(level, first!, refused);
  let entity = name.global
    ? level.library.topLevel(first!.text)
    : start?.kind === 'class'
      ? start.entity
      : undefined;
  for (const part of rest) {
    const element = entity && elementOf(entity.self, part.text);
    const found = element && refusal(entity!.self, element);
    if (found) return problem(level, part, found);
    entity = entity && nestedClass(entity, part.text);
  }
  return undefined;
}

const problem = (level: ClassEntity, node: ast.Node, { reason, hint }: Refusal): Diagnostic =>
  error('not-allowed', `${reason}.`, { span: level.span(node), hint });

/** A modifier of a component for something that its class protects (section 4.1). */
export function protectedModifier(name: string, { span }: Modifier, owner: ClassEntity): Diagnostic {
  const message = `\`${name}\` of \`${owner.path}\` is protected: components of this class cannot modify it.`;
  const hint = `Make it public, or modify it in a class that extends \`${owner.path}\`.`;
  return error('not-allowed', message, { span, hint });
}
