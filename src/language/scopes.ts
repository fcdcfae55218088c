/** The classes around a place of a text, as the library of the text has them. */
import type { Span } from '../diagnostic/source.ts';
import { ClassEntity } from '../model/classes/class.ts';
import { nestedClass } from '../model/classes/lookup.ts';
import type { Library } from '../model/library.ts';
import type * as ast from '../syntax/ast.ts';
import { nestedIn } from './checks.ts';
import type { Document } from './document.ts';

/** A class of a text with the class of the library that it is. */
export function entityOf(
  library: Library,
  definition: ast.ClassDef,
  parent: ClassEntity | undefined,
): ClassEntity {
  const name = definition.name.text;
  const found = parent ? [nestedClass(parent, name), library.nested(parent, name)] : [library.topLevel(name)];
  const own = found.find((one) => one && isSame(one.span(one.definition.name), definition));
  // Another class has its name, or its place.
  return own ?? new ClassEntity(library, definition, parent, parent ? `${parent.path}.${name}` : name);
}

const isSame = ({ source, start }: Span, { name, source: own }: ast.ClassDef): boolean =>
  source.name === own.name && start === name.start;

/** The package that the classes of a text belong to. */
export const packageOf = ({ facts }: Document, library: Library): ClassEntity | undefined =>
  facts.within.length > 0 ? library.byPath(facts.within) : undefined;

/** The classes around a place, the outermost first. A class whose end is missing goes on to the end of what is around it. */
export function classesAt(document: Document, offset: number): ast.ClassDef[] {
  const around: ast.ClassDef[] = [];
  let classes: readonly ast.ClassDef[] = document.definition.classes;
  let limit = document.text.length;
  while (classes.length > 0) {
    const inside = classes.findLast(({ start }) => start <= offset);
    if (!inside || offset < inside.name.start) break;
    const end = isClosed(inside, document.text) ? inside.end : limit;
    if (offset > end || (offset === end && isClosed(inside, document.text))) break;
    around.push(inside);
    limit = end;
    classes = nestedIn(inside);
  }
  return around;
}

/** Whether the `end` of a class is written, or it needs none. */
export const isClosed = ({ body }: ast.ClassDef, text: string): boolean =>
  body.kind !== 'long' || endName(body, text) !== undefined;

/** The name after `end`. */
export function endName(body: ast.LongBody, text: string): ast.Ident | undefined {
  const [, name] =
    /\bend\s+('(?:[^'\\]|\\.)*'|\w+)$/.exec(text.slice(Math.max(0, body.end - 1000), body.end)) ?? [];
  return name === undefined ? undefined : { text: name, start: body.end - name.length, end: body.end };
}

/** The innermost class around a place, in the library of the text. */
export function entityAt(document: Document, library: Library, offset: number): ClassEntity | undefined {
  let entity = packageOf(document, library);
  for (const definition of classesAt(document, offset)) entity = entityOf(library, definition, entity);
  return entity;
}
