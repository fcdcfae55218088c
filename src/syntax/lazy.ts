/**
 * Classes whose bodies are read when somebody asks for them: a property of the tree reads the text, and then is that body.
 *
 * Of files of libraries only the heads of classes in others are read at first (`later`; `outline.ts` finds where they end), and annotations not at all. Mistakes in a body are told when it is
 * read.
 *
 * Other large texts are read and checked at once, but not kept (`lean`). The tree of a text takes some twenty times its memory;
 * building it costs less than keeping it, because the garbage collector has to carry about what lives. Of a library of megabytes in one
 * file a model uses a few classes. So every class is read and checked, but of a class in a large text only the head stays, and its
 * body becomes a property that reads the same text once more, without mistakes, and then is that body. Nobody can tell the difference.
 *
 * That holds for classes without classes in them: others are read once, and no part of a text is read more than twice.
 */

import type { Source } from '../diagnostic/source.ts';
import type { Annotation, ClassBody, ClassDef, ClassModification, ElementModification } from './ast.ts';
import { abort, Cursor, unwind } from './cursor.ts';
import { element } from './elements.ts';
import type { Piece } from './lexer.ts';
import { classModification } from './modifications.ts';
import type { Outline } from './outline.ts';
import { T } from './tokens.ts';

/** Characters from which on a text is large: its tree is a good part of what engines let grow before they look after it. */
const largeText = 2 ** 18;
/** Characters of the largest class that is read again: one that is most of its text is there to be used. */
const largestClass = 2 ** 15;

/** A class whose body is not read yet. */
export function later(p: Cursor, head: Omit<ClassDef, 'body'>, { inner }: Outline): ClassDef {
  const report = p.skipped!.report;
  return Object.defineProperty(head, 'body', {
    configurable: true,
    enumerable: true,
    get(this: ClassDef): ClassBody {
      const body = readBody(new Cursor(this.source, this, { bodies: inner, report }));
      Object.defineProperty(this, 'body', { value: body, enumerable: true });
      return body;
    },
  }) as ClassDef;
}

function readBody(p: Cursor): ClassBody {
  const read = readWhole(p, element);
  return read?.kind === 'class' ? read.body : empty(p.lastEnd);
}

/** What a rule reads from a piece of the text; undefined where it cannot be read. Mistakes are told. */
function readWhole<Read>(p: Cursor, rule: (p: Cursor) => Read): Read | undefined {
  let read: Read | undefined;
  try {
    read = rule(p);
    if (p.kind !== T.end_of_text) p.report(`expected \`;\``);
  } catch (thrown) {
    if (thrown !== abort && thrown !== unwind) throw thrown;
  }
  const mistakes = p.mistakes();
  if (mistakes.length > 0) p.skipped?.report(mistakes);
  return read;
}

const empty = (at: number): ClassBody => ({
  kind: 'long',
  start: at,
  end: at,
  classExtends: undefined,
  description: undefined,
  sections: [],
  external: undefined,
  annotation: undefined,
});

/** Annotations that are not read yet, with their texts. */
const unread = new WeakMap<Annotation, Source>();

/** An annotation that is not read yet. Most of them are pictures and documentation, which nobody asks for. */
export function laterAnnotation({ source, skipped }: Cursor, piece: Piece): Annotation {
  const annotation = Object.defineProperty({ ...piece }, 'modification', {
    configurable: true,
    enumerable: true,
    get(this: Annotation): ClassModification {
      const { start, end } = this;
      const part = { start: start + 'annotation'.length, end };
      const { report } = skipped!;
      const read = readWhole(new Cursor(source, part, { bodies: [], report }), classModification);
      const modification = read ?? { start, end, arguments: [] };
      Object.defineProperty(this, 'modification', { value: modification, enumerable: true });
      unread.delete(this);
      return modification;
    },
  }) as Annotation;
  unread.set(annotation, source);
  return annotation;
}

/** The arguments of an annotation that have a name. One that is not read yet and does not hold the word is not read for that. */
export function argumentsNamed(annotation: Annotation | undefined, name: string): ElementModification[] {
  if (!annotation) return [];
  const source = unread.get(annotation);
  if (source && !source.text.slice(annotation.start, annotation.end).includes(name)) return [];
  return annotation.modification.arguments.filter(
    (argument) =>
      argument.kind === 'modify' && argument.name.parts.length === 1 && argument.name.parts[0]!.text === name,
  ) as ElementModification[];
}

/** The class as it was read, or without its body until that is asked for. */
export function lean(p: Cursor, definition: ClassDef): ClassDef {
  if (p.skipped || p.length < largeText || definition.end - definition.start > largestClass)
    return definition;
  if (p.hasMistakes || !isSimple(definition.body)) return definition;
  const { body: _, ...head } = definition;
  return Object.defineProperty(head, 'body', onDemand) as ClassDef;
}

const onDemand: PropertyDescriptor & ThisType<ClassDef> = {
  configurable: true,
  enumerable: true,
  get(): ClassBody {
    const { body } = element(new Cursor(this.source, this)) as ClassDef;
    Object.defineProperty(this, 'body', { value: body, enumerable: true });
    return body;
  },
};

/** A body `... end A` without classes in it. */
function isSimple(body: ClassBody): boolean {
  if (body.kind !== 'long') return false;
  return body.sections.every((s) => s.kind !== 'elements' || s.elements.every((e) => e.kind !== 'class'));
}
