/**
 * Classes that are stored beside the text of their package, in files of its folder or with `within`. They are read when somebody asks for
 * them by name, so a class that inherits such a package keeps the ways on which it does; what these say of a class is put together then.
 */
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { type ClassEntity, elementsOf } from './class.ts';
import { type Modifier, merge, type Report } from './modification.ts';
import { refines } from './replace.ts';
import type { ShapeClass } from './shape.ts';
import { classDifference, withoutSame } from './twice.ts';

/** A package whose folder holds classes, with what a way on which it is inherited says of them. */
export interface Filed {
  readonly origin: ClassEntity;
  readonly modifier: Modifier | undefined;
  /** Whether all that is inherited on this way is protected. */
  readonly hidden: boolean;
}

/** The class of a name in the folders of a class and of what it inherits; the same on all ways, or it is reported. */
export function filedClass(
  self: ClassEntity,
  ways: readonly Filed[],
  name: string,
  report: Report,
): ShapeClass | undefined {
  let found: ShapeClass | undefined;
  for (const way of ways) {
    const added = inFolder(self, way, name);
    if (!added) continue;
    found = found ? joined(found, added, self, report) : added;
  }
  return found;
}

/** What is wrong with classes of folders that stand under a name of `classes` as well, which was declared or inherited. */
export function* filedTwice(
  self: ClassEntity,
  ways: readonly Filed[],
  classes: Iterable<ShapeClass>,
): Iterable<Diagnostic> {
  const inherited = ways.filter(({ origin }) => origin !== self.origin);
  if (inherited.length === 0) return;
  for (const present of classes)
    for (const way of inherited) {
      if (elementsOf(way.origin.definition).classes.has(present.name)) continue;
      const added = inFolder(self, way, present.name);
      const beside = added && replacing(present, added);
      const problem = beside && classDifference(beside, added, self);
      if (problem) yield problem;
    }
}

/** The class beside which another one is inherited; undefined where that is what it replaces or refines. */
function replacing(top: ShapeClass, added: ShapeClass): ShapeClass | undefined {
  let present = top;
  while (refines(present.definition) || present.definition.prefixes.redeclare) {
    if (!present.inherited) {
      present.inherited = added;
      return undefined;
    }
    present = present.inherited;
  }
  return present;
}

function inFolder(
  self: ClassEntity,
  { origin, modifier, hidden }: Filed,
  name: string,
): ShapeClass | undefined {
  const nested = self.library.nested(origin, name);
  if (!nested) return undefined;
  const own = modifier?.children.get(name);
  return {
    kind: 'class',
    name,
    definition: nested.definition,
    lexical: origin.seenBy(self),
    protected: hidden,
    modifier: own,
    inherited: undefined,
    entity: origin === self && !own ? nested : undefined,
    stored: nested,
  };
}

/** One class that is inherited on two ways. */
function joined(present: ShapeClass, added: ShapeClass, self: ClassEntity, report: Report): ShapeClass {
  const problem = classDifference(present, added, self);
  if (problem) report(problem);
  const more = withoutSame(added.modifier, present.modifier);
  return {
    ...present,
    protected: present.protected && added.protected,
    modifier: merge(more, present.modifier, report),
  };
}
