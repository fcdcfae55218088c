/**
 * What a name means (specification 3.6, chapter 5). A simple name is looked up in the class, inherited elements included,
 * then among its imports, then outwards through the enclosing classes until one is `encapsulated`, and last among the
 * predefined names; the rest of a dotted name is looked up inside what its beginning means. Results are kept at the
 * class entity where the lookup began.
 */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { replaced, respelt } from '../../diagnostic/fix.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Instance, ObjectInstance, Resolution, Scope } from '../instance.ts';
import { joined } from '../instance.ts';
import { builtinNames, predefinedClasses } from '../predefined.ts';
import { protectedIn, type Refusal, refusal } from './access.ts';
import { type ClassEntity, elementsOf, entityOf } from './class.ts';
import { deadImport, findByWildcards, findGlobal, findImport, unknownImport } from './imports.ts';
import { beyondOuter, innerClass, innerComponent, noInnerClass, withInnerBases } from './inner.ts';
import { ownClasses, ownNames } from './own.ts';
import { classOfElement } from './replace.ts';
import { elementNames, elementOf, type ShapeClass, type ShapeComponent, shapeOf } from './shape.ts';
import type { ClassStore } from './store.ts';

/** What a simple name means in the static view of classes; a class has an `element` where it is one of a class. */
export type Found = (
  | { readonly kind: 'class'; readonly entity: ClassEntity; readonly element?: ShapeClass }
  /** A component of the class `owner`: a member of the instance at hand, or a constant of an enclosing class. */
  | { readonly kind: 'component'; readonly owner: ClassEntity; readonly component: ShapeComponent }
) & {
  /** Why it cannot be used by an import that gives it. */
  readonly refused?: Refusal;
};

/** What `.A` means: predefined types stand around all classes of the top level. */
const globalClass = ({ library }: ClassEntity, name: string): ClassEntity | undefined =>
  library.topLevel(name) ?? library.predefinedClass(name);

/** The class that a name means at a place, or `undefined`; where an instance uses it, with the inner class that an outer one stands for. */
export function findClass(level: ClassEntity, name: ast.Name, user?: Instance): ClassEntity | undefined {
  const first = name.parts[0];
  if (!first) return undefined;
  const found = name.global ? classFound(globalClass(level, first.text)) : findSimple(level, first.text);
  let entity = found?.kind === 'class' ? found.entity : undefined;
  if (entity && user) entity = innerClass(entity, user);
  for (let i = 1; entity && i < name.parts.length; i++) entity = nestedClass(entity, name.parts[i]!.text);
  return entity && user ? withInnerBases(entity, user) : entity;
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
  if (own.length > 0 && !dead)
    return error('unknown-class', message, { span, hint: importable(own), fix: replaced(span, own[0]!) });
  const near = level.library.suggestion(unknown, () => names);
  if (dead && (own.length > 0 || !near)) return { ...unknownImport(level.library, dead), severity: 'error' };
  if (near) {
    const meant = [...name.parts.slice(0, part).map((p) => p.text), near].join('.');
    const fix = respelt(level.span(name.parts[part]!), unknown, near);
    return error('unknown-class', message, { span, hint: `Did you mean \`${meant}\`?`, fix });
  }
  const isLibrary = part === 0 && name.parts.length > 1;
  const similar = part === 0 && !isLibrary ? level.library.suggestion(unknown, ownNames) : undefined;
  if (similar) {
    const meant = ownClasses(similar);
    return error('unknown-class', message, { span, hint: importable(meant), fix: replaced(span, meant[0]!) });
  }
  return error('unknown-class', message, { span, ...(isLibrary && missingLibrary(level.library, unknown)) });
}

/** What helps where a library is not there. */
export function missingLibrary(library: ClassStore, name: string): { hint: string; commandHint: string } {
  const wanted = library.wantedVersion(name);
  const use = wanted ? `, which \`${wanted.user}\` uses in version ${wanted.version}` : '';
  const cause = `No library with a package \`${name}\` is loaded${use}`;
  return {
    hint: `${cause}; load the model into a \`Library\` whose \`roots\` hold it.`,
    commandHint: `${cause}; name its folder with --library.`,
  };
}

function firstUnknown(level: ClassEntity, name: ast.Name): { part: number; names: Iterable<string> } {
  let entity: ClassEntity | undefined;
  for (const [part, ident] of name.parts.entries()) {
    const next =
      part === 0
        ? name.global
          ? globalClass(level, ident.text)
          : classIn(findSimple(level, ident.text))
        : entity && nestedClass(entity, ident.text);
    if (!next) return { part, names: entity ? classNames(entity) : visibleNames(level, true) };
    entity = next;
  }
  return { part: 0, names: [] };
}

export const classIn = (found: Found | undefined): ClassEntity | undefined =>
  found?.kind === 'class' ? found.entity : undefined;

export const classFound = (entity: ClassEntity | undefined): Found | undefined =>
  entity && { kind: 'class', entity };

/** A class among the elements of another. */
export function nestedClass(entity: ClassEntity, name: string): ClassEntity | undefined {
  const element = elementOf(entity.self, name);
  if (element?.kind !== 'class') return undefined;
  return classOfElement(element, entity.self, (problem) => shapeOf(entity.self).problems.push(problem));
}

/** A simple name, from `level` outwards. */
export function findSimple(level: ClassEntity, name: string): Found | undefined {
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
  if (scope.self === scope) return foundElement(scope.self, name);
  const original = elementOf(scope.origin, name);
  return original && foundElement(scope.self, name, original);
}

/** An element of a class; for text that knows it as `original`, what stands in the place of that. */
export function foundElement(
  owner: ClassEntity,
  name: string,
  original?: ShapeComponent | ShapeClass,
): Found | undefined {
  let element = elementOf(owner, name);
  if (!element) return undefined;
  if (element.kind === 'component') return { kind: 'component', owner, component: element };
  // A `class extends` without `redeclare` adds a class, and leaves the inherited one to the text that used it.
  while (
    original?.kind === 'class' &&
    element.inherited &&
    element.definition !== original.definition &&
    !element.definition.prefixes.redeclare
  )
    element = element.inherited;
  const entity = classOfElement(element, owner, (problem) => shapeOf(owner).problems.push(problem));
  return { kind: 'class', entity, element };
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

/** The element that a part of a reference chooses in an array of components, where it is one and is known. */
type Choice = (array: ObjectInstance, part: ast.RefPart) => ObjectInstance | undefined;

/**
 * What a reference means in a scope: first the members of its instance, then outwards through the classes
 * that lexically enclose it. The first element of an array of components stands for all of them, unless `choose` gives another one.
 */
export function resolve(scope: Scope, ref: ast.ComponentRef, choose?: Choice): Resolution {
  const first = ref.parts[0]!;
  const level = entityOf(scope.lexical);
  if (!ref.global && scope.instance?.kind === 'object' && belongs(level, first.name)) {
    const member = scope.instance.find(first.name);
    if (member === 'absent') return { kind: 'absent', path: joined(scope.instance.path, first.name) };
    if (member) return resolveMembers([{ part: first, instance: member }], ref, scope.instance, choose);
    if (shapeOf(entityOf(scope.instance.class)).components.has(first.name)) return failed(scope.instance, 0);
  }
  const found = ref.global ? classFound(globalClass(level, first.name)) : findSimple(level, first.name);
  if (found?.refused) return unknown(0, level, found.refused);
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
  start: ObjectInstance,
  choose: Choice | undefined,
): Resolution {
  let owner: ObjectInstance | undefined = start;
  for (let i = 1; i < ref.parts.length; i++) {
    const part = ref.parts[i]!;
    const { instance, part: before } = parts.at(-1)!;
    if (instance.kind === 'variable') return unknown(i, instance);
    const unseen = owner && beyondOuter(owner, before.name, part.name);
    if (unseen) return unknown(i, instance, unseen);
    const isListed = instance.dims.length > 0 && !instance.template;
    const element = isListed ? choose?.(instance, before) : undefined;
    const { holder, member }: ReturnType<typeof memberIn> = memberIn(element ?? instance, part.name);
    owner = holder;
    if (member === 'absent')
      return {
        kind: 'absent',
        path: `${instance.path}.${part.name}`,
        expandable: instance.potential.has(part.name),
      };
    if (member) {
      if (elementOf(entityOf(instance.class), part.name)?.protected)
        return unknown(i, instance, protectedIn(instance, part.name, instance.class));
      parts.push({ part, instance: member });
      continue;
    }
    const entity = entityOf(instance.class);
    const found = foundElement(entity, part.name);
    if (found?.kind === 'class') {
      const refused = classRefusal(parts, part.name);
      if (refused) return unknown(i, instance, refused);
      const inClass = resolveInClass(found.entity, ref, i + 1, holder);
      const isValue = inClass.kind === 'literal' || inClass.kind === 'constant';
      return isValue && !ref.made ? unknown(i, instance, throughComponent(instance, part.name)) : inClass;
    }
    if (found) return failed(instance, i);
    const known = [...elementNames(entity)];
    const near = entity.library.suggestion(part.name, () => known);
    return unknown(i, instance, { nearest: near, known, class: instance.class });
  }
  return { kind: 'component', parts };
}

/** By way of a component, functions can be called in its classes; constants and literals are named by the class (section 5.3.2). */
const throughComponent = (instance: ObjectInstance, name: string): Refusal => ({
  reason: `\`${name}\` of \`${instance.path}\` is a class: by way of a component, only its functions can be reached`,
  hint: `Name the class instead: \`${instance.class.path}.${name}\`.`,
});

/** Why a class cannot be reached by way of a component: it is protected, or the component is an array (section 5.3.2). */
function classRefusal(
  parts: readonly { readonly part: ast.RefPart; readonly instance: Instance }[],
  name: string,
): Refusal | undefined {
  const { instance } = parts.at(-1)! as { instance: ObjectInstance };
  if (elementOf(entityOf(instance.class), name)?.protected)
    return protectedIn(instance, name, instance.class);
  const array = parts.find((one) => one.instance.dims.length > 0)?.instance;
  return (
    array && {
      reason: `\`${name}\` of \`${instance.path}\` cannot be used: \`${array.path}\` is an array of components`,
      hint: `Name the class instead: \`${instance.class.path}.${name}\`.`,
    }
  );
}

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
    const entity = innerClass(found.entity, holder);
    return entity
      ? resolveInClass(ref.parts.length === 1 ? withInnerBases(entity, holder) : entity, ref, 1, holder)
      : unknown(0, found.entity, noInnerClass(found.entity));
  }
  return resolveConstant(found.owner, found.component, ref, 0, scope.instance);
}

const noInnerComponent = ({ path }: ClassEntity, { name }: ShapeComponent): Refusal => ({
  reason: `The outer \`${name}\` of \`${path}\` has no inner component here`,
  hint: `Declare \`inner … ${name}\` in the model or in a component that contains this one.`,
});

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
    const refused = ref.made ? undefined : refusal(entity.self, elementOf(entity.self, name)!);
    if (refused) return unknown(i, entity, refused);
    if (found.kind === 'component') return resolveConstant(found.owner, found.component, ref, i, instance);
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
  user: Instance | undefined,
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
  let instance = component.clause.prefixes.outer
    ? innerComponent(component.name, user)
    : owner.library.constantOf(owner, component);
  if (!instance && component.clause.prefixes.outer)
    return unknown(at, owner, noInnerComponent(owner, component));
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
