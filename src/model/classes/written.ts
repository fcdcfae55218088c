/**
 * What names in a text mean, as far as the text itself and its imports tell. Conversions need it: the library that the text was written for is not there, so the
 * names of its classes are all that is known of them.
 */
import { remember } from '../../collections/memo.ts';
import type * as ast from '../../syntax/ast.ts';

/** A class where it stands. */
export interface Place {
  readonly definition: ast.ClassDef;
  readonly parent: Place | undefined;
}

/** What a name means: something of a library, a class of the text, or a component of one. */
export type Meaning =
  | { readonly kind: 'path'; readonly path: readonly string[] }
  | { readonly kind: 'class'; readonly place: Place }
  | { readonly kind: 'component'; readonly type: ast.Name; readonly place: Place };

interface Written {
  readonly classes: ReadonlyMap<string, ast.ClassDef>;
  readonly types: ReadonlyMap<string, ast.Name>;
  readonly imports: readonly ast.ImportClause[];
  readonly bases: readonly ast.Name[];
}

export class WrittenNames {
  private readonly known = new WeakMap<ast.ClassDef, Written>();
  private readonly bases = new WeakMap<ast.ClassDef, readonly Meaning[]>();

  /** `isLibrary` tells which names at the top are libraries, `isNamed` whether a wildcard import may give a name. */
  constructor(
    private readonly isLibrary: (name: string) => boolean,
    private readonly isNamed: (path: string) => boolean,
  ) {}

  /** A simple name, from a class outwards. */
  find(place: Place, name: string): Meaning | undefined {
    for (let at: Place | undefined = place; at; at = at.parent) {
      const found = this.member(at, name) ?? this.imported(at, name);
      if (found) return found;
      if (at.definition.encapsulated) return undefined;
    }
    return this.isLibrary(name) ? { kind: 'path', path: [name] } : undefined;
  }

  /** An element of a class of the text, inherited ones included. */
  member(place: Place, name: string, seen = new Set<ast.ClassDef>()): Meaning | undefined {
    if (seen.has(place.definition)) return undefined;
    seen.add(place.definition);
    const { classes, types } = this.writtenIn(place.definition);
    const type = types.get(name);
    if (type) return { kind: 'component', type, place };
    const own = classes.get(name);
    if (own) return { kind: 'class', place: { definition: own, parent: place } };
    for (const base of this.basesOf(place)) {
      const found = base.kind === 'class' ? this.member(base.place, name, seen) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  /** What a dotted name of a class means; inside of a class that inherits from a library, something of that. */
  meaning(place: Place, { global, parts }: ast.Name): Meaning | undefined {
    const [first, ...rest] = parts.map(({ text }) => text);
    if (first === undefined) return undefined;
    if (global) return this.isLibrary(first) ? { kind: 'path', path: [first, ...rest] } : undefined;
    let at = this.find(place, first);
    for (const part of rest) {
      if (at?.kind === 'path') at = { kind: 'path', path: [...at.path, part] };
      else if (at?.kind === 'class') at = this.inside(at.place, part);
      else return undefined;
    }
    return at;
  }

  private inside(place: Place, name: string): Meaning | undefined {
    const own = this.member(place, name);
    if (own) return own;
    const library = this.basesOf(place).find((base) => base.kind === 'path');
    return library?.kind === 'path' ? { kind: 'path', path: [...library.path, name] } : undefined;
  }

  /** An element of a class, or of the class of a component, where the text tells what it is. */
  elementOf(at: Meaning | undefined, name: string): Meaning | undefined {
    const type = at?.kind === 'component' ? this.meaning(at.place, at.type) : at;
    return type?.kind === 'class' ? this.member(type.place, name) : undefined;
  }

  /** The classes of libraries that a class is, or inherits from by classes of the text. */
  libraryClasses(at: Meaning | undefined, seen = new Set<ast.ClassDef>()): string[] {
    if (!at) return [];
    if (at.kind === 'path') return [at.path.join('.')];
    if (at.kind === 'component') {
      const type = this.meaning(at.place, at.type);
      return type?.kind === 'component' ? [] : this.libraryClasses(type, seen);
    }
    if (seen.has(at.place.definition)) return [];
    seen.add(at.place.definition);
    return this.basesOf(at.place).flatMap((base) => this.libraryClasses(base, seen));
  }

  /** What a class inherits from. Its name is not looked up among what is inherited. */
  private basesOf(place: Place): readonly Meaning[] {
    const { definition } = place;
    const known = this.bases.get(definition);
    if (known) return known;
    // While they are looked up, there are none.
    this.bases.set(definition, []);
    const found = this.writtenIn(definition).bases.flatMap((base) => this.meaning(place, base) ?? []);
    this.bases.set(definition, found);
    return found;
  }

  private imported(place: Place, name: string): Meaning | undefined {
    let wildcard: Meaning | undefined;
    for (const clause of this.writtenIn(place.definition).imports) {
      const path = importedPath(clause, name);
      if (path) return { kind: 'path', path };
      if (!clause.wildcard) continue;
      const all = [...clause.name.parts.map(({ text }) => text), name];
      if (this.isNamed(all.join('.'))) wildcard = { kind: 'path', path: all };
    }
    return wildcard;
  }

  private writtenIn(definition: ast.ClassDef): Written {
    return remember(this.known, definition, () => writtenIn(definition));
  }
}

function importedPath(clause: ast.ImportClause, name: string): string[] | undefined {
  const path = clause.name.parts.map(({ text }) => text);
  if (clause.wildcard) return undefined;
  if (clause.selection)
    return clause.selection.some(({ text }) => text === name) ? [...path, name] : undefined;
  return (clause.alias?.text ?? path.at(-1)) === name ? path : undefined;
}

function writtenIn({ body }: ast.ClassDef): Written {
  const classes = new Map<string, ast.ClassDef>();
  const types = new Map<string, ast.Name>();
  const imports: ast.ImportClause[] = [];
  const bases: ast.Name[] = body.kind === 'short' ? [body.base] : [];
  for (const section of body.kind === 'long' ? body.sections : [])
    for (const element of section.kind === 'elements' ? section.elements : []) {
      if (element.kind === 'class') classes.set(element.name.text, element);
      else if (element.kind === 'import') imports.push(element);
      else if (element.kind === 'extends') bases.push(element.base);
      else for (const { name } of element.declarations) types.set(name.text, element.type);
    }
  return { classes, types, imports, bases };
}
