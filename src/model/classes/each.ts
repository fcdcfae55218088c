/**
 * `each` stands before modifiers of arrays only (specification 3.6, section 7.2.5): of an element in a component that is an array, or of an attribute of one. It may
 * stand deeper inside, `a[3](b(each p = 1))`.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { type Fix, replaced } from '../../diagnostic/fix.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from './class.ts';
import { findClass } from './lookup.ts';
import { elementOf, type Shape, shapeOf } from './shape.ts';

/** Of the declarations of a class. */
export function* eachInDeclarations(_: ClassEntity, { components }: Shape): Iterable<Diagnostic> {
  for (const { clause, declaration, lexical } of components.values()) {
    const written = declaration.modification?.arguments;
    if (!written || !hasEach(written)) continue;
    const type = findClass(lexical, clause.type);
    const own = declaration.subscripts.length + clause.subscripts.length > 0;
    if (type && !own) yield* eachProblems(type, written, lexical);
  }
}

/** Of a modification of a class, or of a component that has no sizes of its own. */
export function* eachProblems(
  type: ClassEntity,
  written: ast.ClassModification | undefined,
  lexical: ClassEntity,
): Iterable<Diagnostic> {
  if (!written || !hasEach(written) || shapeOf(type).subscripts.length > 0) return;
  for (const argument of written.arguments) {
    if (argument.kind !== 'modify') continue;
    const { parts } = argument.name;
    // `each c.a = 1` is about `a`: the array is `c`.
    if (argument.each && scalarAt(type, { ...argument.name, parts: parts.slice(0, -1) }))
      yield error('not-allowed', '`each` modifies the elements of an array, and this is none.', {
        span: lexical.span(argument),
        hint: 'Remove `each`, or give the component sizes.',
        fix: withoutEach(lexical.span(argument)),
      });
    const nested = argument.modification?.arguments;
    const inner = nested && scalarAt(type, argument.name);
    if (inner) yield* eachProblems(inner, nested, lexical);
  }
}

/** The class of a component in a class, where neither it nor one around it is an array. */
function scalarAt(type: ClassEntity, { parts }: ast.Name): ClassEntity | undefined {
  let at: ClassEntity | undefined = type;
  for (const { text } of parts) {
    const element = at && shapeOf(at).subscripts.length === 0 ? elementOf(at, text) : undefined;
    if (element?.kind !== 'component') return undefined;
    const { clause, declaration, lexical } = element;
    if (declaration.subscripts.length + clause.subscripts.length > 0) return undefined;
    at = findClass(lexical, clause.type);
  }
  return at;
}

const hasEach = ({ arguments: args }: ast.ClassModification): boolean =>
  args.some(
    (argument) =>
      argument.kind === 'modify' &&
      (argument.each || (argument.modification?.arguments && hasEach(argument.modification.arguments))),
  );

/** An argument without the `each` with which it begins. */
export function withoutEach({ source, start, end }: Span): Fix | undefined {
  const [word] = /^each\s+/.exec(source.text.slice(start, end)) ?? [];
  return word === undefined
    ? undefined
    : replaced({ source, start, end: start + word.length }, '', 'Remove `each`');
}
