/** Which classes a class may inherit (specification 3.6, sections 4.5.2, 7.1 and 7.1.4). */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { predefinedClasses } from '../predefined.ts';
import { type ClassEntity, elementsOf } from './class.ts';
import { findClass } from './lookup.ts';
import { extendsOperators } from './operators.ts';
import { aKind } from './rules.ts';
import type { Shape } from './shape.ts';

/** What is wrong with a clause `extends B`, or a short class `A = B`, of a class. */
export function baseProblems(
  derived: ast.ClassDef,
  base: ClassEntity,
  lexical: ClassEntity,
  name: ast.Name,
): Diagnostic[] {
  const span = lexical.span(name);
  const problems = [kindProblem(derived, base)];
  if (derived.body.kind === 'long') {
    problems.push(extendsOperators(base), replaceableProblem(lexical, name), purityProblem(derived, base));
  }
  return problems.flatMap((problem) =>
    problem ? [error(problem.code ?? 'not-allowed', problem.message, { span, hint: problem.hint })] : [],
  );
}

type Problem = Pick<Diagnostic, 'message' | 'hint'> & Partial<Pick<Diagnostic, 'code'>>;

/** Kinds of classes that a class of each kind can inherit, besides its own and `class` (table in section 7.1.3). */
const others: Partial<Record<ast.Restriction, readonly ast.Restriction[]>> = {
  'operator function': ['function'],
  connector: ['type', 'record', 'operator record'],
  block: ['record'],
  model: ['record', 'block'],
  // Whatever has instances: a `class` is used for all of them.
  class: ['record', 'connector', 'type', 'block', 'model'],
};

/** What is wrong with a class of one kind that extends one of another. */
export function kindProblem(
  { restriction: own }: ast.ClassDef,
  { definition, path }: ClassEntity,
): Problem | undefined {
  const { restriction } = definition;
  const isAllowed = restriction === own || restriction === 'class' || others[own]?.includes(restriction);
  if (isAllowed || definition === predefinedClasses.get('ExternalObject')) return undefined;
  const kinds = [own, ...(others[own] ?? [])].map((kind) => `${kind}s`);
  const last = kinds.length > 1 ? ` and ${kinds.at(-1)}` : '';
  const rest = kinds.length > 1 ? kinds.slice(0, -1) : kinds;
  const list = `${rest.join(', ')}${last}`;
  return {
    message: `${aKind(own)} cannot extend the ${restriction} \`${path}\`.`,
    hint: `${list[0]!.toUpperCase()}${list.slice(1)} can be extended by ${aKind(own).toLowerCase()}.`,
  };
}

/** A function that extends an impure one is impure, and says so (section 12.3). */
function purityProblem(derived: ast.ClassDef, { definition, path }: ClassEntity): Problem | undefined {
  if (definition.purity !== 'impure' || derived.purity === 'impure') return undefined;
  return {
    message: `\`${derived.name.text}\` extends the impure function \`${path}\`, but is not declared \`impure\`.`,
    hint: `Write \`impure function ${derived.name.text}\`.`,
  };
}

/** What a class extends cannot be replaced, nor lie in what can: it would not be known what the class is (section 7.1.4). */
function replaceableProblem(lexical: ClassEntity, name: ast.Name): Problem | undefined {
  const found = replaceableIn(lexical, name);
  return (
    found && {
      message: `\`${found.path}\` is replaceable: it cannot be extended.`,
      hint: 'Extend a class that is not replaceable, or refine an inherited one: `redeclare model extends A`.',
    }
  );
}

/** The first class that can be replaced among those that a name leads through. */
export function replaceableIn(
  lexical: ClassEntity,
  name: ast.Name,
  seen = new Set<ast.ClassDef>(),
): ClassEntity | undefined {
  for (const k of name.parts.keys()) {
    const entity = findClass(lexical, { ...name, parts: name.parts.slice(0, k + 1) });
    if (!entity || seen.has(entity.definition)) continue;
    seen.add(entity.definition);
    const { prefixes, body } = entity.definition;
    if (prefixes.replaceable) return entity;
    const behind =
      body.kind === 'short' ? replaceableIn(entity.parent ?? entity, body.base, seen) : undefined;
    if (behind) return behind;
  }
  return undefined;
}

/** Names of classes that are extended do not come from other classes that are: their order would matter (section 7.1.1). */
export function* inheritedBases(entity: ClassEntity, { classes, components }: Shape): Iterable<Diagnostic> {
  const own = elementsOf(entity.definition);
  for (const { clause } of own.extends) {
    const [first] = clause.base.parts;
    if (!first || clause.base.global || own.classes.has(first.text)) continue;
    const inherited = classes.get(first.text) ?? components.get(first.text);
    if (!inherited || inherited.lexical.definition === entity.definition) continue;
    const message = `\`${first.text}\` is inherited: \`${entity.path}\` cannot extend it, or what is in it.`;
    yield error('not-allowed', message, {
      span: entity.span(clause.base),
      hint: 'Write its whole name, from the class that declares it.',
    });
  }
}

/** What is extended whole, and nothing can be added to: arrays, simple types and classes with a prefix. */
export function wholeness({ predefined, subscripts, causality }: Shape): string | undefined {
  if (subscripts.length > 0) return 'an array';
  return predefined ? 'a simple type' : causality && `\`${causality}\``;
}

/** A class that inherits such a one has nothing else (section 4.5.2). */
export function combinedProblem(
  entity: ClassEntity,
  base: ClassEntity,
  clause: ast.ExtendsClause,
  what: string,
): Diagnostic | undefined {
  const { extends: bases, components, sections } = elementsOf(entity.definition);
  if (bases.length + components.length + sections.length === 1) return undefined;
  return error(
    'not-allowed',
    `\`${entity.path}\` extends \`${base.path}\`, which is ${what}, and has more besides.`,
    {
      span: entity.span(clause.base),
      hint: `Declare a component of this class instead.`,
    },
  );
}
