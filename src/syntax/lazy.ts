/**
 * Classes of large texts whose bodies are read again when somebody asks for them. The tree of a text takes some twenty times its memory;
 * building it costs less than keeping it, because the garbage collector has to carry about what lives. Of a library of megabytes in one
 * file a model uses a few classes. So every class is read and checked, but of a class in a large text only the head stays, and its
 * body becomes a property that reads the same text once more, without mistakes, and then is that body. Nobody can tell the difference.
 *
 * That holds for classes without classes in them: others are read once, and no part of a text is read more than twice.
 */
import type { ClassBody, ClassDef } from './ast.ts';
import { Cursor } from './cursor.ts';
import { element } from './elements.ts';

/** Characters from which on a text is large: its tree is a good part of what engines let grow before they look after it. */
const largeText = 2 ** 18;
/** Characters of the largest class that is read again: one that is most of its text is there to be used. */
const largestClass = 2 ** 15;

/** The class as it was read, or without its body until that is asked for. */
export function lean(p: Cursor, definition: ClassDef): ClassDef {
  if (p.length < largeText || definition.end - definition.start > largestClass) return definition;
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
