/** What a class inherits twice (specification 3.6, section 7.1): whether two elements say the same, and what is left of two that do. */
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { inserted } from '../../diagnostic/fix.ts';
import type { Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import { type ClassEntity, entityOf, type OwnElements } from './class.ts';
import { findClass } from './lookup.ts';
import type { Modifier, Redeclare } from './modification.ts';
import type { ShapeClass, ShapeComponent, ShapeSection } from './shape.ts';

/**
 * Inheriting a declaration twice is allowed where both say the same (section 7.1): type, prefixes and sizes, and
 * the modifiers. Descriptions and annotations may differ.
 */
export function sameType(a: ShapeComponent, b: ShapeComponent): boolean {
  const prefixes = ({ clause }: ShapeComponent): string => {
    const { inner, outer } = clause.prefixes;
    return [inner, outer, clause.connection, clause.variability, clause.causality].join();
  };
  const sizes = ({ lexical, clause, declaration }: ShapeComponent): string =>
    [...declaration.subscripts, ...clause.subscripts].map((node) => textOf(lexical, node)).join();
  return (
    findClass(a.lexical, a.clause.type)?.definition === findClass(b.lexical, b.clause.type)?.definition &&
    prefixes(a) === prefixes(b) &&
    sizes(a) === sizes(b)
  );
}

/** Whether the same is said of both, by the declarations and by what modifies them from outside. */
export function sameModifiers(a: ShapeComponent, b: ShapeComponent): boolean {
  const [x, y] = [saidOf(a), saidOf(b)];
  return x.size === y.size && [...x].every(([name, text]) => y.get(name) === text);
}

/** What is said of a component: the texts of values by the names that have them, its own value and its condition by none. */
function saidOf({ lexical, declaration, modifier }: ShapeComponent): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  const written = (path: string, modification: ast.Modification | undefined): void => {
    if (!modification) return;
    const { value, arguments: inner } = modification;
    if (value) said.set(path, value === 'break' ? 'break' : textOf(lexical, value));
    for (const argument of inner?.arguments ?? []) {
      if (argument.kind !== 'modify') said.set(`${path}.${textOf(lexical, argument)}`, '');
      else
        written(`${path}.${argument.name.parts.map((part) => part.text).join('.')}`, argument.modification);
    }
  };
  written('', declaration.modification);
  if (declaration.condition) said.set(' if', textOf(lexical, declaration.condition));
  if (modifier) addSaid(said, '', modifier, textIn);
  return said;
}

/** What a modifier says, by the names of what it says it of. */
function addSaid(
  said: Map<string, string>,
  path: string,
  { value, children, redeclare, removed }: Modifier,
  redeclaration: (span: Span, redeclare: Redeclare) => string,
): void {
  if (removed) said.delete(path);
  if (value) said.set(path, textIn(value.span));
  if (redeclare) said.set(`${path}.${redeclaration(redeclare.span, redeclare)}`, '');
  for (const [name, child] of children) addSaid(said, `${path}.${name}`, child, redeclaration);
}

/** The modifiers of one declaration on two ways, where they say different things of it; those that are final tell themselves. */
export function difference(
  { modifier: earlier, ...present }: ShapeComponent,
  { modifier: later, ...added }: ShapeComponent,
): { readonly earlier: Modifier | undefined; readonly later: Modifier } | undefined {
  const [first, second] = later ? [later, earlier] : [earlier, later];
  if (!first || first.final || second?.final) return undefined;
  const isSame = sameModifiers({ ...present, modifier: earlier }, { ...added, modifier: later });
  return isSame ? undefined : { earlier: second, later: first };
}

/** Two modifiers that say different things of the same, if there are any in what is said on two ways. */
export function contradiction(
  earlier: Modifier | undefined,
  later: Modifier | undefined,
): { readonly earlier: Modifier; readonly later: Modifier } | undefined {
  if (!earlier || !later || earlier === later) return undefined;
  const [a, b] = [said(earlier), said(later)];
  if (a !== undefined && b !== undefined && a !== b) return { earlier, later };
  for (const [name, child] of later.children) {
    const found = contradiction(earlier.children.get(name), child);
    if (found) return found;
  }
  return undefined;
}

/** What a modifier says that another one does not say as well; undefined where that is nothing. */
export function withoutSame(
  modifier: Modifier | undefined,
  other: Modifier | undefined,
): Modifier | undefined {
  if (!modifier || !other) return modifier;
  const children = new Map<string, Modifier>();
  for (const [name, child] of modifier.children) {
    const rest = withoutSame(child, other.children.get(name));
    if (rest) children.set(name, rest);
  }
  const own = said(modifier);
  if (own !== said(other) || modifier.elements || modifier.removed !== other.removed)
    return { ...modifier, children };
  if (children.size > 0) return { ...modifier, value: undefined, redeclare: undefined, children };
  return undefined;
}

const said = ({ value, redeclare }: Modifier): string | undefined =>
  value ? printExpression(value.value) : redeclare && textIn(redeclare.span);

/** A section without what other sections of its kind say; undefined where nothing is left. */
export function withoutRepeated(
  section: ShapeSection['section'],
  lexical: ClassEntity,
  others: readonly ShapeSection[],
): ShapeSection['section'] | undefined {
  const same = others.filter((o) => o.section.kind === section.kind && o.section.initial === section.initial);
  if (section.kind === 'algorithm') {
    const text = textOf(lexical, section);
    return same.some((other) => textOf(other.lexical, other.section) === text) ? undefined : section;
  }
  const known = new Set(
    same.flatMap((other) =>
      other.section.kind === 'equations'
        ? other.section.equations.map((equation) => textOf(other.lexical, equation))
        : [],
    ),
  );
  const equations = section.equations.filter((equation) => !known.has(textOf(lexical, equation)));
  if (equations.length === section.equations.length) return section;
  return equations.length > 0 ? { ...section, equations } : undefined;
}

/** What differs between two classes of one name that are inherited on two ways, or of which one is inherited (section 7.1). */
export function classDifference(
  present: ShapeClass,
  added: ShapeClass,
  self: ClassEntity,
): Diagnostic | undefined {
  const { name } = added;
  const [here, there] = [placeOf(present), placeOf(added)];
  if (!sameClass(present, added)) {
    if (present.lexical.definition === self.definition)
      return error('duplicate-name', `The class \`${name}\` is also inherited, with different contents.`, {
        span: here,
        hint: 'Write `redeclare` before it, or rename it.',
        fix: added.definition.prefixes.replaceable
          ? inserted(present.definition.source, present.definition.start, 'redeclare ')
          : undefined,
        notes: [{ message: 'The inherited class is here.', span: there }],
      });
    return error('duplicate-name', `\`${name}\` is inherited in two ways, as different classes.`, {
      span: there,
      hint: 'Rename one of them, or say the same on both ways.',
      notes: [{ message: 'The other class is here.', span: here }],
    });
  }
  if (sameSaid(present.modifier, added.modifier)) return undefined;
  const [later, earlier] = added.modifier
    ? [added.modifier, present.modifier]
    : [present.modifier!, added.modifier];
  return error('duplicate-name', `\`${name}\` is inherited in two ways with different modifiers.`, {
    span: later.span,
    hint: 'Say the same on both, or modify it where they meet, in both extends clauses.',
    notes: earlier ? [{ message: 'The other modifier is here.', span: earlier.span }] : [],
  });
}

/** The place of its name, which may be in another file than what is around it. */
export const placeOf = ({ definition: { source, name } }: ShapeClass): Span => ({
  source,
  start: name.start,
  end: name.end,
});

function sameSaid(a: Modifier | undefined, b: Modifier | undefined): boolean {
  if (a === b) return true;
  const [x, y] = [new Map<string, string>(), new Map<string, string>()];
  if (a) addSaid(x, '', a, replacementOf);
  if (b) addSaid(y, '', b, replacementOf);
  return x.size === y.size && [...x].every(([name, text]) => y.get(name) === text);
}

/** A redeclaration as text, with the place of the class that is meant instead of its name. */
function replacementOf(span: Span, { element, scope }: Redeclare): string {
  if (element.kind !== 'class' || element.body.kind !== 'short') return textIn(span);
  const { base } = element.body;
  const meant = findClass(entityOf(scope.lexical), base)?.definition;
  if (!meant) return textIn(span);
  const before = textIn({ ...span, end: base.start });
  return `${before}${meant.source.name}:${meant.start}${textIn({ ...span, start: base.end })}`;
}

function sameClass(a: ShapeClass, b: ShapeClass): boolean {
  const [x, y] = [a.definition, b.definition];
  if (x === y) return true;
  if (x.body.kind === 'short' && y.body.kind === 'short') {
    const base = ({ lexical }: ShapeClass, name: ast.Name) => findClass(lexical, name)?.definition;
    return (
      base(a, x.body.base) === base(b, y.body.base) &&
      textOf(a.lexical, x.body.modification) === textOf(b.lexical, y.body.modification)
    );
  }
  return textOf(a.lexical, x) === textOf(b.lexical, y);
}

/** What a class redeclares as an element, its extends clauses cannot modify as well: one of the two would be lost (section 7.3). */
export function* doubledProblems(
  { classes, components, extends: bases }: OwnElements,
  lexical: ClassEntity,
): Iterable<Diagnostic> {
  const redeclared = new Set<string>();
  for (const { clause, declaration } of components)
    if (clause.prefixes.redeclare) redeclared.add(declaration.name.text);
  for (const [name, { definition }] of classes) if (definition.prefixes.redeclare) redeclared.add(name);
  if (redeclared.size === 0) return;
  for (const { clause } of bases)
    for (const argument of clause.modification?.arguments ?? []) {
      const name = modifiedName(argument);
      if (name === undefined || !redeclared.has(name)) continue;
      const message = `\`${name}\` is modified here, and redeclared in the same class.`;
      const hint = 'Write the modifier where the element is redeclared.';
      yield error('duplicate-name', message, { span: lexical.span(argument), hint });
    }
}

const modifiedName = (argument: ast.Argument): string | undefined => {
  if (argument.kind === 'modify') return argument.name.parts[0]?.text;
  if (argument.kind !== 'redeclare') return undefined;
  const { element } = argument;
  return element.kind === 'class' ? element.name.text : element.declarations[0]?.name.text;
};

const textOf = (entity: ClassEntity, node: ast.Node | undefined): string =>
  node ? normalised(entity.definition.source.text.slice(node.start, node.end)) : '';

const textIn = ({ source, start, end }: Span): string => normalised(source.text.slice(start, end));

const normalised = (text: string): string => text.replace(/\s+/g, '');
