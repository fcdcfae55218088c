/** Components declared `outer`: each stands for the nearest `inner` one of its name among the objects around it (specification 3.6, section 5.4). */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { innerClass, noInnerClass } from '../classes/inner.ts';
import { findClass, nestedClass } from '../classes/lookup.ts';
import { modifierOf, type Report } from '../classes/modification.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../classes/shape.ts';
import type { Instance, Scope } from '../instance.ts';
import { joined } from '../instance.ts';
import { componentMisfit, misfitText, replacementMisfit } from '../types/subtype.ts';
import { ObjectNode } from './node.ts';
import { rootBase } from './prefixes.ts';
import { componentSizes } from './sizes.ts';

/** Enters the inner component that a component declared `outer` stands for; false where there is none. */
export function enterOuter(owner: ObjectNode, component: ShapeComponent, report: Report): boolean {
  const { name } = component;
  if (!component.clause.prefixes.inner) {
    const modified = modificationProblem(owner, component, report);
    if (modified) report(modified);
  }
  for (let at: Instance | undefined = owner.parent; at; at = at.parent) {
    if (!(at instanceof ObjectNode) || at.dims.length > 0) continue;
    const inner = at.shape.components.get(name);
    if (!inner?.clause.prefixes.inner) continue;
    const problem = typeProblem(owner, component, inner);
    if (problem) report(problem);
    const member = at.innerMember(name);
    if (member === 'absent') owner.addAbsent(name);
    else if (member === 'cycle') at.maker.cycle(at, name);
    else if (member) {
      if (!problem) checkSizes(owner, component, member, report);
      owner.addOuter(name, member, component.clause.causality === 'output');
    }
    return true;
  }
  return false;
}

const spanOf = ({ lexical, declaration }: ShapeComponent): Span => lexical.span(declaration.name);

/** The error for an outer component without an inner one. */
export function noInner(owner: ObjectNode, component: ShapeComponent, reason?: string): Diagnostic {
  const { name, clause } = component;
  const type = clause.type.parts.map((part) => part.text).join('.');
  return error(
    'unknown-name',
    `The outer component \`${joined(owner.path, name)}\` has no inner component.`,
    {
      span: spanOf(component),
      isOfWhole: true,
      hint: `${reason ? `${reason} ` : ''}Declare \`inner ${type} ${name};\` in the model or in a component that contains this one.`,
    },
  );
}

/** What is said of an outer component would have to be said of the inner one, which is not this one's to change. */
function modificationProblem(
  owner: ObjectNode,
  component: ShapeComponent,
  report: Report,
): Diagnostic | undefined {
  const { name, declaration, lexical } = component;
  const own = isEmpty(declaration.modification)
    ? undefined
    : modifierOf(declaration.modification, { instance: owner.scope, lexical }, report);
  const modifier = owner.modifier?.children.get(name) ?? component.modifier ?? own;
  return (
    modifier &&
    error('not-allowed', `\`${joined(owner.path, name)}\` is outer: it cannot be modified here.`, {
      span: modifier.span,
      hint: `Modify the inner component \`${name}\` instead.`,
    })
  );
}

const isEmpty = (modification: ast.Modification | undefined): boolean =>
  !modification || (modification.value === undefined && !modification.arguments?.arguments.length);

/** The inner component must be a subtype of the outer one; which of the two is an output does not matter. */
function typeProblem(
  owner: ObjectNode,
  outer: ShapeComponent,
  inner: ShapeComponent,
): Diagnostic | undefined {
  const misfit = componentMisfit(bare(inner), bare(outer));
  return (
    misfit &&
    error(
      'type-mismatch',
      `The inner \`${inner.name}\` cannot stand for the outer \`${joined(owner.path, outer.name)}\`: ${misfitText(misfit)}.`,
      {
        span: spanOf(outer),
        hint: 'Give both the same type, or the inner one a type that has all that the outer one has.',
        notes: [{ message: 'The inner component is declared here.', span: spanOf(inner) }],
      },
    )
  );
}

/** A component without what inner and outer ones may differ in. */
function bare(component: ShapeComponent): ShapeComponent {
  const { clause, declaration } = component;
  const prefixes = { ...clause.prefixes, inner: false, outer: false };
  return {
    ...component,
    clause: { ...clause, causality: undefined, prefixes },
    declaration: { ...declaration, condition: undefined },
  };
}

/** Sizes that the outer component gives must be those of the inner one. */
function checkSizes(owner: ObjectNode, component: ShapeComponent, inner: Instance, report: Report): void {
  const { clause, declaration, lexical, name } = component;
  const type = findClass(lexical, clause.type, owner);
  const written = [...declaration.subscripts, ...clause.subscripts];
  if (!type || written.some(({ kind }) => kind === 'colon')) return;
  const scope: Scope = { instance: owner.scope, lexical };
  const subscripts = written.map((subscript) => ({ subscript, scope }));
  const declared = { clause, declaration, lexical, modifier: undefined, subscripts, condition: undefined };
  const base = { ...rootBase(type), name, path: joined(owner.path, name) };
  const dims = componentSizes(owner, base, declared, shapeOf(type), undefined, report);
  if (!dims || dims.every((size, d) => size === inner.dims[d])) return;
  const message = `The outer \`${base.path}\` has sizes [${dims.join(', ')}], but the inner \`${inner.path}\` has [${inner.dims.join(', ')}].`;
  const notes = [{ message: 'The inner component is declared here.', span: inner.span }];
  report(error('dimension-mismatch', message, { span: spanOf(component), notes }));
}

/** Few classes have outer classes in them. */
const outerClasses = new WeakMap<Shape, readonly string[]>();

/** What is wrong with the classes that an object declares `outer`: there is no inner one, or it cannot stand for the outer one. */
export function* outerClassProblems(node: ObjectNode): Iterable<Diagnostic> {
  if (node.dims.length > 0) return;
  const names = remember(outerClasses, node.shape, () =>
    [...node.shape.classes.values()].filter((one) => one.definition.prefixes.outer).map(({ name }) => name),
  );
  for (const name of names) {
    const outer = nestedClass(node.class, name)!;
    const span = outer.span(outer.definition.name);
    const inner = innerClass(outer, node);
    if (!inner) {
      const { reason, hint } = noInnerClass(outer);
      yield error('unknown-class', `${reason}.`, { span, hint });
      continue;
    }
    const misfit = replacementMisfit(inner, outer);
    if (!misfit) continue;
    const message = `The inner \`${inner.path}\` cannot stand for the outer \`${outer.path}\`: ${misfitText(misfit)}.`;
    const notes = [{ message: 'The inner class is declared here.', span: inner.span(inner.definition.name) }];
    yield error('type-mismatch', message, { span, notes });
  }
}
