/**
 * What a name means (specification 3.6, chapter 5). A simple name is looked up in the class, inherited elements included,
 * then among its imports, then outwards through the enclosing classes until one is `encapsulated`, and last among the
 * predefined names; the rest of a dotted name is looked up inside what its beginning means. Results are kept at the
 * class entity where the lookup began.
 */
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Instance, ObjectInstance, Resolution, Scope } from '../instance.ts';
import { joined } from '../instance.ts';
import { builtinNames, predefinedClasses } from '../predefined.ts';
import { type ClassEntity, elementsOf, entityOf } from './class.ts';
import { ownClasses, ownNames } from './own.ts';
import { classOfElement } from './replace.ts';
import { elementNames, elementOf, type ShapeComponent, shapeOf } from './shape.ts';
import type { ClassStore } from './store.ts';

/** What a simple name means in the static view of classes. */
export type Found =
  | { readonly kind: 'class'; readonly entity: ClassEntity }
  /** A component of the class `owner`: a member of the instance at hand, or a constant of an enclosing class. */
  | { readonly kind: 'component'; readonly owner: ClassEntity; readonly component: ShapeComponent };

/** The class that a name means at a place, or `undefined`. */
export function findClass(level: ClassEntity, name: ast.Name): ClassEntity | undefined {
  const first = name.parts[0];
  if (!first) return undefined;
  const found = name.global ? classFound(level.library.topLevel(first.text)) : findSimple(level, first.text);
  let entity = found?.kind === 'class' ? found.entity : undefined;
  for (let i = 1; entity && i < name.parts.length; i++) entity = nestedClass(entity, name.parts[i]!.text);
  return entity;
}

/** A class by its qualified name as the user writes it; inherited classes included. */
export function classByName(library: ClassStore, name: string): ClassEntity | undefined {
  // Quoted identifiers may hold dots.
  const [first, ...rest] = name.match(/'(?:[^'\\]|\\.)*'|[^.]+/g) ?? [];
  let entity = library.topLevel(first ?? '') ?? library.predefinedClass(first ?? '');
  for (const part of rest) entity = entity && nestedClass(entity, part);
  return entity;
}

const importable = (paths: readonly string[]): string =>
  `There is ${paths
    .slice(0, 3)
    .map((path) => `\`${path}\``)
    .join(' and ')}: write the whole name, or import it.`;

/** The error for a class that is not there. Where an import should have given it and leads nowhere, the error is that of the import. */
export function unknownClass(level: ClassEntity, name: ast.Name): Diagnostic {
  const written = name.parts.map((part) => part.text).join('.');
  const { part, names } = firstUnknown(level, name);
  const unknown = name.parts[part]?.text ?? '';
  const span = level.span(name);
  const ambiguous = part === 0 ? ambiguity(level, unknown) : undefined;
  if (ambiguous) return error('unknown-class', `${ambiguous}.`, { span, hint: importByName });
  const dead = part === 0 && !name.global ? deadImport(level, unknown) : undefined;
  if (dead && !dead.clause.wildcard) return { ...unknownImport(level.library, dead), severity: 'error' };
  const message = `The class \`${written}\` cannot be found from \`${level.path}\`.`;
  const own = part === 0 ? ownClasses(written) : [];
  if (own.length > 0 && !dead) return error('unknown-class', message, { span, hint: importable(own) });
  const near = level.library.suggestion(unknown, () => names);
  if (dead && (own.length > 0 || !near)) return { ...unknownImport(level.library, dead), severity: 'error' };
  if (near) {
    const meant = [...name.parts.slice(0, part).map((p) => p.text), near].join('.');
    return error('unknown-class', message, { span, hint: `Did you mean \`${meant}\`?` });
  }
  const isLibrary = part === 0 && name.parts.length > 1;
  const similar = part === 0 && !isLibrary ? level.library.suggestion(unknown, ownNames) : undefined;
  if (similar) return error('unknown-class', message, { span, hint: importable(ownClasses(similar)) });
  return error('unknown-class', message, { span, ...(isLibrary && missingLibrary(unknown)) });
}

/** What helps where a library is not there. */
export function missingLibrary(name: string): { hint: string; commandHint: string } {
  const cause = `No library with a package \`${name}\` is loaded`;
  return {
    hint: `${cause}; load the model into a \`Library\` whose \`roots\` hold it.`,
    commandHint: `${cause}; name its folder with --library.`,
  };
}

/** Warnings about the imports of classes, and of those around them in the texts that were given, that lead nowhere; nobody needed them. */
export function deadImports(library: ClassStore, classes: Iterable<ClassEntity>): Diagnostic[] {
  const given = new Set(library.classes);
  const known = new Set<ast.ClassDef>();
  const found: Diagnostic[] = [];
  for (const entity of classes) {
    const around: ClassEntity[] = [];
    let scope: ClassEntity | undefined = entity.origin;
    for (; scope && !given.has(scope); scope = scope.parent) around.push(scope);
    if (!scope) continue;
    for (const one of [...around, scope]) {
      if (known.has(one.definition)) continue;
      known.add(one.definition);
      for (const clause of elementsOf(one.definition).imports)
        for (const parts of importedBy(clause))
          if (!findGlobal(library, parts))
            found.push(unknownImport(library, { scope: one, clause, path: parts.join('.') }));
    }
  }
  return found;
}

/** The qualified names of what an import gives; that of the package where it gives all of it. */
function importedBy({ name, selection }: ast.ImportClause): string[][] {
  const own = name.parts.map((part) => part.text);
  return selection ? selection.map((ident) => [...own, ident.text]) : [own];
}

/** The warning for an import that leads nowhere. */
function unknownImport(library: ClassStore, { scope, clause, path }: DeadImport): Diagnostic {
  const parts = path.split('.');
  const known = parts.findIndex((_, k) => !findGlobal(library, parts.slice(0, k + 1)));
  const above = classIn(findGlobal(library, parts.slice(0, known)));
  const message = `The import of \`${path}${clause.wildcard ? '.*' : ''}\` leads nowhere.`;
  const near = library.suggestion(parts[known]!, () =>
    above ? elementNames(above.self) : library.topLevelNames(),
  );
  const meant = near && [...parts.slice(0, known), near, ...parts.slice(known + 1)].join('.');
  return warning('unknown-class', message, {
    span: scope.span(clause),
    ...(meant ? { hint: `Did you mean \`${meant}\`?` } : known === 0 ? missingLibrary(parts[0]!) : {}),
  });
}

function firstUnknown(level: ClassEntity, name: ast.Name): { part: number; names: Iterable<string> } {
  let entity: ClassEntity | undefined;
  for (const [part, ident] of name.parts.entries()) {
    const next =
      part === 0
        ? name.global
          ? level.library.topLevel(ident.text)
          : classIn(findSimple(level, ident.text))
        : entity && nestedClass(entity, ident.text);
    if (!next) return { part, names: entity ? classNames(entity) : visibleNames(level, true) };
    entity = next;
  }
  return { part: 0, names: [] };
}

const classIn = (found: Found | undefined): ClassEntity | undefined =>
  found?.kind === 'class' ? found.entity : undefined;

const classFound = (entity: ClassEntity | undefined): Found | undefined =>
  entity && { kind: 'class', entity };

/** A class among the elements of another. */
export function nestedClass(entity: ClassEntity, name: string): ClassEntity | undefined {
  const element = elementOf(entity.self, name);
  if (element?.kind !== 'class') return undefined;
  return classOfElement(element, entity.self, (problem) => shapeOf(entity.self).problems.push(problem));
}

/** A simple name, from `level` outwards. */
function findSimple(level: ClassEntity, name: string): Found | undefined {
  const known = level.found.get(name);
  if (known !== undefined) return known ?? undefined;
  const found = search(level, name);
  if (!isCollecting(level)) level.found.set(name, found ?? null);
  return found;
}

function isCollecting(level: ClassEntity): boolean {
  for (let at: ClassEntity | undefined = level; at; at = at.parent) if (at.self.collecting) return true;
  return false;
}

function search(level: ClassEntity, name: string): Found | undefined {
  let scope: ClassEntity | undefined = level;
  while (scope) {
    const found = findLocal(scope, name) ?? findImport(scope, name);
    if (found === 'ambiguous') return undefined;
    if (found) return found;
    if (scope.definition.encapsulated) return classFound(level.library.predefinedClass(name));
    scope = scope.parent;
  }
  return classFound(level.library.predefinedClass(name) ?? level.library.topLevel(name));
}

/** An element of the scope's own class, in the version that `self` gives it. */
function findLocal(scope: ClassEntity, name: string): Found | undefined {
  if (scope.self !== scope && !elementOf(scope.origin, name)) return undefined;
  return foundElement(scope.self, name);
}

function foundElement(owner: ClassEntity, name: string): Found | undefined {
  const element = elementOf(owner, name);
  if (!element) return undefined;
  if (element.kind === 'component') return { kind: 'component', owner, component: element };
  const entity = classOfElement(element, owner, (problem) => shapeOf(owner).problems.push(problem));
  return { kind: 'class', entity };
}

/** Qualified imports go before wildcards (section 13.2); imported names are looked up from the top level. */
function findImport(scope: ClassEntity, name: string): Found | 'ambiguous' | undefined {
  const { imports } = elementsOf(scope.definition);
  for (const clause of imports) {
    const parts = clause.name.parts.map((part) => part.text);
    if (clause.selection) {
      if (clause.selection.some((ident) => ident.text === name))
        return findGlobal(scope.library, [...parts, name]);
    } else if (!clause.wildcard && (clause.alias?.text ?? parts.at(-1)) === name) {
      return findGlobal(scope.library, parts);
    }
  }
  const [first, ...others] = findByWildcards(scope, name);
  return others.length > 0 ? 'ambiguous' : first?.found;
}

/** What wildcard imports of a scope give for a name: different things, each with the package that has it. */
function findByWildcards(scope: ClassEntity, name: string): { found: Found; from: string }[] {
  const results = new Map<object, { found: Found; from: string }>();
  for (const clause of elementsOf(scope.definition).imports) {
    if (!clause.wildcard) continue;
    const parts = clause.name.parts.map((part) => part.text);
    const found = findGlobal(scope.library, [...parts, name]);
    const thing = found?.kind === 'class' ? found.entity : found?.component;
    if (found && thing && !results.has(thing)) results.set(thing, { found, from: parts.join('.') });
  }
  return [...results.values()];
}

const importByName = 'Import the one that is meant by its name.';

/** Why a name means nothing that several wildcard imports give (section 13.2.1). */
function ambiguity(level: ClassEntity, name: string): string | undefined {
  for (let scope: ClassEntity | undefined = level; scope; scope = scope.parent) {
    if (findLocal(scope, name)) return undefined;
    const found = findImport(scope, name);
    if (found === 'ambiguous') {
      const packages = findByWildcards(scope, name).map(({ from }) => `\`import ${from}.*\``);
      return `\`${name}\` is ambiguous: ${packages.join(' and ')} give one each`;
    }
    if (found || scope.definition.encapsulated) return undefined;
  }
  return undefined;
}

/** An import that leads nowhere. */
interface DeadImport {
  readonly scope: ClassEntity;
  readonly clause: ast.ImportClause;
  /** What should be there. */
  readonly path: string;
}

/** The import that should give a name here but leads nowhere; one of a whole package might have given it. */
function deadImport(level: ClassEntity, name: string): DeadImport | undefined {
  let whole: DeadImport | undefined;
  for (let scope: ClassEntity | undefined = level; scope; scope = scope.parent) {
    for (const clause of elementsOf(scope.definition).imports) {
      const { alias, wildcard, selection } = clause;
      const own = clause.name.parts.map((part) => part.text);
      const isNamed = selection
        ? selection.some((ident) => ident.text === name)
        : !wildcard && (alias?.text ?? own.at(-1)) === name;
      const parts = selection ? [...own, name] : own;
      if ((!isNamed && !wildcard) || findGlobal(scope.library, parts)) continue;
      const dead = { scope, clause, path: parts.join('.') };
      if (isNamed) return dead;
      whole ??= dead;
    }
  }
  return whole;
}

function findGlobal(library: ClassStore, parts: readonly string[]): Found | undefined {
  let found = classFound(library.topLevel(parts[0] ?? ''));
  for (let i = 1; found && i < parts.length; i++) {
    found = found.kind === 'class' ? foundElement(found.entity.self, parts[i]!) : undefined;
  }
  return found;
}

/** All names that a simple name could mean here, or those of classes alone, for suggestions. */
function* visibleNames(level: ClassEntity, onlyClasses = false): Iterable<string> {
  for (let scope: ClassEntity | undefined = level; scope; scope = scope.parent) {
    yield* onlyClasses ? classNames(scope.self) : elementNames(scope.self);
    for (const clause of elementsOf(scope.definition).imports) {
      const name = clause.alias?.text ?? clause.name.parts.at(-1)?.text;
      if (name && !clause.wildcard && !clause.selection) yield name;
      for (const ident of clause.selection ?? []) yield ident.text;
      const parts = clause.name.parts.map((part) => part.text);
      const whole = clause.wildcard ? classIn(findGlobal(level.library, parts)) : undefined;
      if (whole) yield* onlyClasses ? classNames(whole) : elementNames(whole.self);
    }
  }
  yield* level.library.topLevelNames();
  yield* onlyClasses ? predefinedClasses.keys() : builtinNames;
}

function* classNames(entity: ClassEntity): Iterable<string> {
  const { components } = shapeOf(entity.self);
  for (const name of elementNames(entity.self)) if (!components.has(name)) yield name;
}

/**
 * What a reference means in a scope: first the members of its instance, then outwards through the classes
 * that lexically enclose it.
 */
export function resolve(scope: Scope, ref: ast.ComponentRef): Resolution {
  const first = ref.parts[0]!;
  const level = entityOf(scope.lexical);
  if (!ref.global && scope.instance?.kind === 'object' && belongs(level, first.name)) {
    const member = scope.instance.find(first.name);
    if (member === 'absent') return { kind: 'absent', path: joined(scope.instance.path, first.name) };
    if (member) return resolveMembers([{ part: first, instance: member }], ref);
    if (shapeOf(entityOf(scope.instance.class)).components.has(first.name)) return failed(scope.instance, 0);
  }
  const found = ref.global ? classFound(level.library.topLevel(first.name)) : findSimple(level, first.name);
  if (found) return resolveStatic(found, ref, scope);
  const dotted = ref.parts.map((part) => part.name).join('.');
  if (builtinNames.has(dotted)) return { kind: 'builtin', name: dotted };
  return unknown(0, level, reasonFor(scope, level, first.name));
}

/** Why a name means nothing, or what may have been meant by it. */
function reasonFor(
  scope: Scope,
  level: ClassEntity,
  name: string,
): { nearest?: string | undefined; reason?: string } {
  const ambiguous = ambiguity(level, name);
  if (ambiguous) return { reason: ambiguous };
  const dead = deadImport(level, name);
  if (dead && !dead.clause.wildcard)
    return { reason: `\`${name}\` is imported from \`${dead.path}\`, which cannot be found` };
  const near = level.library.suggestion(name, () => candidates(scope, level));
  if (near || !dead) return { nearest: near };
  return {
    reason: `There is no \`${name}\` in ${level.path}, and its import of \`${dead.path}.*\` leads nowhere`,
  };
}

/** A part of a reference that was not found in a class or an instance, and what more is known of it. */
const unknown = (
  part: number,
  { path }: { readonly path: string },
  more: Partial<Extract<Resolution, { kind: 'unknown' }>> = {},
): Resolution => ({ kind: 'unknown', part, within: path, nearest: undefined, ...more });

/** A component that could not be made, for reasons that were reported. */
const failed = (place: { readonly path: string }, part: number): Resolution =>
  unknown(part, place, { reason: 'failed' });

function* candidates(scope: Scope, level: ClassEntity): Iterable<string> {
  yield* visibleNames(level);
  if (scope.instance?.kind === 'object') yield* scope.instance.members.keys();
}

/** Names of an instance count only if the class in which the text stands has them. */
const belongs = (level: ClassEntity, name: string): boolean =>
  level.self === level || elementOf(level.origin, name) !== undefined;

function resolveMembers(
  parts: { part: ast.RefPart; instance: Instance }[],
  ref: ast.ComponentRef,
): Resolution {
  for (let i = 1; i < ref.parts.length; i++) {
    const part = ref.parts[i]!;
    const { instance } = parts.at(-1)!;
    if (instance.kind === 'variable') return unknown(i, instance);
    const { holder, member } = memberIn(instance, part.name);
    if (member === 'absent')
      return {
        kind: 'absent',
        path: `${instance.path}.${part.name}`,
        expandable: instance.potential.has(part.name),
      };
    if (member) {
      if (isProtected(instance, part.name)) {
        const reason = `\`${part.name}\` of \`${instance.path}\` is protected: only its class \`${instance.class.path}\`, and those that extend it, can use it`;
        return unknown(i, instance, { reason });
      }
      parts.push({ part, instance: member });
      continue;
    }
    const entity = entityOf(instance.class);
    const found = foundElement(entity, part.name);
    if (found?.kind === 'class') {
      return resolveInClass(found.entity, ref, i + 1, holder);
    }
    if (found) return failed(instance, i);
    const known = [...elementNames(entity)];
    const near = entity.library.suggestion(part.name, () => known);
    return unknown(i, instance, { nearest: near, known, class: instance.class });
  }
  return { kind: 'component', parts };
}

const isProtected = (instance: ObjectInstance, name: string): boolean =>
  shapeOf(entityOf(instance.class)).components.get(name)?.protected === true;

/** The object that stands for all elements of an array of components. */
function representative(instance: ObjectInstance): ObjectInstance | undefined {
  if (instance.dims.length === 0) return instance;
  return instance.template ?? instance.elements[0] ?? instance.prototype;
}

/** A member of an object, or of what stands for all elements of an array; making it may show that they differ. */
function memberIn(
  instance: ObjectInstance,
  name: string,
): { holder: ObjectInstance | undefined; member: Instance | 'absent' | undefined } {
  const uniform = instance.template !== undefined;
  const holder = representative(instance);
  const member = holder?.find(name);
  return uniform && !instance.template ? memberIn(instance, name) : { holder, member };
}

function resolveStatic(found: Found, ref: ast.ComponentRef, scope: Scope): Resolution {
  if (found.kind === 'class') {
    const builtin = ref.parts.length === 1 && builtinCall(found.entity);
    if (builtin) return { kind: 'builtin', name: builtin };
    const holder = scope.instance?.kind === 'object' ? scope.instance : undefined;
    return resolveInClass(found.entity, ref, 1, holder);
  }
  return resolveConstant(found.owner, found.component, ref, 0);
}

/** Predefined types are built-in names; predefined enumerations are classes like those of the user. */
const builtinCall = (entity: ClassEntity): string | undefined =>
  entity.library.predefinedClass(entity.path) === entity && !shapeOf(entity).enumeration
    ? entity.path
    : undefined;

function resolveInClass(
  start: ClassEntity,
  ref: ast.ComponentRef,
  from: number,
  instance: ObjectInstance | undefined,
): Resolution {
  let entity = start;
  for (let i = from; i < ref.parts.length; i++) {
    const { name } = ref.parts[i]!;
    const { enumeration } = shapeOf(entity.self);
    if (enumeration) {
      const index = enumeration.literals.indexOf(name);
      if (index >= 0 && i === ref.parts.length - 1) {
        return {
          kind: 'literal',
          enumeration: enumeration.path,
          literals: enumeration.literals,
          index: index + 1,
        };
      }
      return unknown(i, entity, { nearest: nearest(name, enumeration.literals) });
    }
    const found = foundElement(entity.self, name);
    if (!found) {
      const near = entity.library.suggestion(name, () => elementNames(entity.self));
      return unknown(i, entity, { nearest: near });
    }
    if (found.kind === 'component') return resolveConstant(found.owner, found.component, ref, i);
    entity = found.entity;
  }
  return { kind: 'class', class: entity, ...(instance && { instance }) };
}

/** A component found in a class, not in an instance: only constants have a value there (section 5.3.1). */
function resolveConstant(
  owner: ClassEntity,
  component: ShapeComponent,
  ref: ast.ComponentRef,
  at: number,
): Resolution {
  const { restriction } = owner.definition;
  if (
    component.clause.variability !== 'constant' &&
    restriction !== 'package' &&
    restriction !== 'function'
  ) {
    const reason = `\`${component.name}\` of the class \`${owner.path}\` is no constant, so it has no value outside its instances`;
    return unknown(at, owner, { reason });
  }
  let instance = owner.library.constantOf(owner, component);
  if (!instance) return failed(owner, at);
  const subscripts = [...(ref.parts[at]?.subscripts ?? [])];
  for (let i = at + 1; i < ref.parts.length; i++) {
    const { name } = ref.parts[i]!;
    const { holder, member }: ReturnType<typeof memberIn> =
      instance.kind === 'object' ? memberIn(instance, name) : { holder: undefined, member: undefined };
    if (!member || member === 'absent') {
      const names = holder ? elementNames(entityOf(holder.class)) : [];
      return unknown(i, instance, { nearest: nearest(name, names) });
    }
    instance = member;
    subscripts.push(...ref.parts[i]!.subscripts);
  }
  return { kind: 'constant', instance, subscripts };
}
