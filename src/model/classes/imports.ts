/** Import clauses (specification 3.6, section 13.2): what they give, what they may not give, and those that lead nowhere. */
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { respelt } from '../../diagnostic/fix.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Refusal } from './access.ts';
import { type ClassEntity, elementsOf } from './class.ts';
import { classFound, classIn, type Found, foundElement, missingLibrary } from './lookup.ts';
import { elementNames, elementOf, shapeOf } from './shape.ts';
import type { ClassStore } from './store.ts';

/** Qualified imports go before wildcards; imported names are looked up from the top level. */
export function findImport(scope: ClassEntity, name: string): Found | 'ambiguous' | undefined {
  for (const clause of elementsOf(scope.definition).imports)
    for (const { name: given, path } of namesOf(clause))
      if (given === name) return imported(scope.library, path, path.slice(0, -1));
  const [first, ...others] = findByWildcards(scope, name);
  return others.length > 0 ? 'ambiguous' : first?.found;
}

/** What wildcard imports of a scope give for a name: different things, each with the package that has it. Protected ones are not given. */
export function findByWildcards(scope: ClassEntity, name: string): { found: Found; from: string }[] {
  const results = new Map<object, { found: Found; from: string }>();
  for (const clause of elementsOf(scope.definition).imports) {
    if (!clause.wildcard) continue;
    const parts = partsOf(clause);
    const owner = classIn(findGlobal(scope.library, parts));
    if (!owner || elementOf(owner.self, name)?.protected) continue;
    const found = imported(scope.library, [...parts, name], parts);
    const thing = found?.kind === 'class' ? found.entity : found?.component;
    if (found && thing && !results.has(thing)) results.set(thing, { found, from: parts.join('.') });
  }
  return [...results.values()];
}

/** What an import gives, with the reason where it may not. */
function imported(library: ClassStore, path: readonly string[], from: readonly string[]): Found | undefined {
  const found = findGlobal(library, path);
  const refused = found && from.length > 0 ? importRefusal(library, path, from) : undefined;
  return found && refused ? { ...found, refused } : found;
}

/** Only packages can be imported from, and only what they show (section 13.2.1). */
function importRefusal(
  library: ClassStore,
  path: readonly string[],
  from: readonly string[],
): Refusal | undefined {
  const name = path.at(-1)!;
  const owner = classIn(findGlobal(library, from));
  const { restriction } = owner ? shapeOf(owner.self) : { restriction: 'package' };
  if (restriction !== 'package')
    return {
      reason: `\`${name}\` is imported from the ${restriction} \`${from.join('.')}\`, and only packages can be imported from`,
      hint: `Move it to a package, or make \`${from.join('.')}\` one.`,
    };
  for (let k = 1; k < path.length; k++) {
    const above = classIn(findGlobal(library, path.slice(0, k)));
    if (above && elementOf(above.self, path[k]!)?.protected)
      return {
        reason: `\`${path[k]}\` of \`${above.path}\` is protected, and cannot be imported`,
        hint: 'Make it public.',
      };
  }
  return undefined;
}

/** Two imports of a class that give the same name (section 13.2.1). */
export function* importProblems(scope: ClassEntity): Iterable<Diagnostic> {
  const known = new Map<string, ast.ImportClause>();
  for (const clause of elementsOf(scope.definition).imports)
    for (const { name } of namesOf(clause)) {
      const other = known.get(name);
      if (!other) known.set(name, clause);
      else
        yield error('duplicate-name', `\`${name}\` is imported twice.`, {
          span: scope.span(clause),
          hint: 'Remove one of the two imports, or give it another name: `import A = …;`.',
          notes: [{ message: 'The other import is here.', span: scope.span(other) }],
        });
    }
}

const partsOf = ({ name }: ast.ImportClause): string[] => name.parts.map((part) => part.text);

/** The names that an import gives, each with the qualified name of what it means; none where it gives all of a package. */
function namesOf(clause: ast.ImportClause): { name: string; path: string[] }[] {
  const path = partsOf(clause);
  if (clause.wildcard) return [];
  return clause.selection
    ? clause.selection.map(({ text }) => ({ name: text, path: [...path, text] }))
    : [{ name: clause.alias?.text ?? path.at(-1)!, path }];
}

export function findGlobal(library: ClassStore, parts: readonly string[]): Found | undefined {
  let found = classFound(library.topLevel(parts[0] ?? ''));
  for (let i = 1; found && i < parts.length; i++) {
    found = found.kind === 'class' ? foundElement(found.entity.self, parts[i]!) : undefined;
  }
  return found;
}

// ---------------------------------------------------------------- imports that lead nowhere

/** An import that leads nowhere. */
interface DeadImport {
  readonly scope: ClassEntity;
  readonly clause: ast.ImportClause;
  /** What should be there. */
  readonly path: string;
}

/** The import that should give a name here but leads nowhere; one of a whole package might have given it. */
export function deadImport(level: ClassEntity, name: string): DeadImport | undefined {
  let whole: DeadImport | undefined;
  for (let scope: ClassEntity | undefined = level; scope; scope = scope.parent) {
    for (const clause of elementsOf(scope.definition).imports) {
      const named = namesOf(clause).find((given) => given.name === name);
      const parts = named?.path ?? partsOf(clause);
      if ((!named && !clause.wildcard) || findGlobal(scope.library, parts)) continue;
      const dead = { scope, clause, path: parts.join('.') };
      if (named) return dead;
      whole ??= dead;
    }
  }
  return whole;
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
const importedBy = (clause: ast.ImportClause): string[][] =>
  clause.wildcard ? [partsOf(clause)] : namesOf(clause).map(({ path }) => path);

/** The class around a scope from which a name leads to what an import cannot find, as all other names would. */
function wholeName(scope: ClassEntity, parts: readonly string[]): string | undefined {
  const { library } = scope;
  for (let at: ClassEntity | undefined = scope; at; at = at.parent)
    if (library.nested(at, parts[0]!) && findGlobal(library, [...at.path.split('.'), ...parts]))
      return at.path;
  return undefined;
}

/** The warning for an import that leads nowhere. */
export function unknownImport(library: ClassStore, { scope, clause, path }: DeadImport): Diagnostic {
  const parts = path.split('.');
  const known = parts.findIndex((_, k) => !findGlobal(library, parts.slice(0, k + 1)));
  const above = classIn(findGlobal(library, parts.slice(0, known)));
  const message = `The import of \`${path}${clause.wildcard ? '.*' : ''}\` leads nowhere.`;
  const near = library.suggestion(parts[known]!, () =>
    above ? elementNames(above.self) : library.topLevelNames(),
  );
  const meant = near && [...parts.slice(0, known), near, ...parts.slice(known + 1)].join('.');
  const whole = known === 0 ? wholeName(scope, parts) : undefined;
  if (whole) {
    const hint = `Imports have whole names: write \`${whole}.${path}\`.`;
    const fix = respelt(scope.span(clause), parts[0]!, `${whole}.${parts[0]}`);
    return warning('unknown-class', message, { span: scope.span(clause), hint, fix });
  }
  return warning('unknown-class', message, {
    span: scope.span(clause),
    ...(meant
      ? { hint: `Did you mean \`${meant}\`?`, fix: respelt(scope.span(clause), parts[known]!, near) }
      : known === 0
        ? missingLibrary(library, parts[0]!)
        : {}),
  });
}
