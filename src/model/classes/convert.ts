/**
 * A class that was written for an earlier version of a library, as it is for the version that is there (specification 3.6, section 18.8.2): names of classes, of
 * elements and of modifiers are changed in the tree, by the rules of the library. Places stay those of the text.
 *
 * Which class a component is of is known from the text alone (`written.ts`). Rules for a class hold for it and for classes of the text that inherit from it; a
 * library lists all its own classes that a rule is for.
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import type * as ast from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import { type ElementRule, type ModifierRule, placeholder, type Rules } from './conversions.ts';
import { type Meaning, type Place, WrittenNames } from './written.ts';

/** Converts a class that stands in others, which are as they were written, the innermost first. */
export function convert(
  definition: ast.ClassDef,
  around: readonly ast.ClassDef[],
  rules: Rules,
  report: (problem: Diagnostic) => void,
): ast.ClassDef {
  let parent: Place | undefined;
  for (const outer of [...around].reverse()) parent = { definition: outer, parent };
  return new Converter(rules, report, definition).classDef(definition, parent);
}

type Tree = Readonly<Record<string, unknown>>;

class Converter {
  private readonly names: WrittenNames;

  constructor(
    private readonly rules: Rules,
    private readonly report: (problem: Diagnostic) => void,
    private readonly root: ast.ClassDef,
  ) {
    const paths = [rules.classes, rules.elements, rules.modifiers, rules.messages].flatMap((map) => [
      ...map.keys(),
    ]);
    const libraries = new Set(paths.map((path) => path.split('.')[0]!));
    const known = new Set(
      paths.flatMap((path) => path.split('.').map((_, k, all) => all.slice(0, k + 1).join('.'))),
    );
    this.names = new WrittenNames(
      (name) => libraries.has(name),
      (path) => known.has(path),
    );
  }

  // ---------------------------------------------------------------- classes

  classDef(definition: ast.ClassDef, parent: Place | undefined): ast.ClassDef {
    const place: Place = { definition, parent };
    const { body } = definition;
    const constrainedBy =
      definition.constrainedBy && this.constraint(definition.constrainedBy, parent ?? place);
    if (body.kind === 'long') return { ...definition, constrainedBy, body: this.parts(body, place) };
    if (body.kind === 'enumeration') return { ...definition, constrainedBy };
    const outside = parent ?? place;
    const base = this.className(body.base, outside);
    if (body.kind === 'der') return { ...definition, constrainedBy, body: { ...body, base } };
    const modification = this.arguments(
      body.modification,
      this.names.meaning(outside, body.base),
      outside,
      body,
    );
    return { ...definition, constrainedBy, body: { ...body, base, modification } };
  }

  private constraint(clause: ast.ConstrainedBy, place: Place): ast.ConstrainedBy {
    const modification = this.arguments(
      clause.modification,
      this.names.meaning(place, clause.name),
      place,
      clause,
    );
    return { ...clause, name: this.className(clause.name, place), modification };
  }

  /** Everything in a tree. */
  private parts<Node extends object>(node: Node, place: Place): Node {
    const changed = Object.entries(node).map(([key, value]) => [
      key,
      key === 'comment' || key === 'annotation' ? value : this.part(value, place),
    ]);
    return Object.fromEntries(changed) as Node;
  }

  private part(value: unknown, place: Place): unknown {
    if (Array.isArray(value)) return value.map((item) => this.part(item, place));
    if (typeof value !== 'object' || value === null) return value;
    switch ((value as Tree).kind) {
      case 'class':
        return this.classDef(value as ast.ClassDef, place);
      case 'component':
        return this.component(value as ast.ComponentClause, place);
      case 'extends':
        return this.extension(value as ast.ExtendsClause, place);
      case 'import':
        return this.importClause(value as ast.ImportClause);
      case 'ref':
        return this.reference(value as ast.ComponentRef, place);
      case 'call':
        // An equation or statement of this kind has its call inside.
        return 'callee' in value ? this.call(value as ast.Call, place) : this.parts(value, place);
      case 'partial': {
        const { function: name, arguments: list, ...rest } = value as ast.PartialApplication;
        const named = this.namedArguments(list, this.typesOf(name, place), place);
        return { ...rest, function: this.className(name, place), arguments: named };
      }
      default:
        return this.parts(value, place);
    }
  }

  private importClause(clause: ast.ImportClause): ast.ImportClause {
    const path = clause.name.parts.map(({ text }) => text);
    const converted = this.converted(path);
    if (!converted) return clause;
    const last = clause.name.parts.at(-1)!;
    const keepsName = clause.wildcard || clause.selection || clause.alias || converted.at(-1) === last.text;
    return { ...clause, name: nameOf(converted, clause.name, false), alias: keepsName ? clause.alias : last };
  }

  private extension(clause: ast.ExtendsClause, place: Place): ast.ExtendsClause {
    // Bases are not looked up among what the class inherits.
    const modification = this.arguments(
      clause.modification,
      this.names.meaning(place, clause.base),
      place,
      clause,
    );
    return { ...clause, base: this.className(clause.base, place), modification };
  }

  private component(clause: ast.ComponentClause, place: Place): ast.ComponentClause {
    const type = this.names.meaning(place, clause.type);
    const other = this.conditionalClass(clause, this.names.libraryClasses(type));
    const declarations = clause.declarations.map((declaration) => {
      const { modification, subscripts, condition } = declaration;
      const list = other ? without(modification?.arguments, other.parameter) : modification?.arguments;
      const changed = this.arguments(list, type, place, declaration.name);
      const value = this.part(modification?.value, place) as ast.Modification['value'];
      const { start, end } = declaration.name;
      return {
        ...declaration,
        subscripts: this.part(subscripts, place) as ast.Subscript[],
        condition: this.part(condition, place) as ast.Expression | undefined,
        modification:
          changed || value
            ? { ...(modification ?? { start, end, assignment: false }), arguments: changed, value }
            : undefined,
      };
    });
    return {
      ...clause,
      type: other ? nameOf(other.to.split('.'), clause.type, true) : this.className(clause.type, place),
      subscripts: this.part(clause.subscripts, place) as ast.Subscript[],
      declarations,
      constrainedBy: clause.constrainedBy && this.constraint(clause.constrainedBy, place),
    };
  }

  /** Another class that a component has because of the value of one of its modifiers. */
  private conditionalClass({ declarations }: ast.ComponentClause, types: readonly string[]) {
    const list = declarations.length === 1 ? declarations[0]!.modification?.arguments?.arguments : undefined;
    for (const rule of types.flatMap((type) => this.rules.conditional.get(type) ?? []))
      for (const item of list ?? []) {
        const value =
          item.kind === 'modify' && nameText(item) === rule.parameter ? item.modification?.value : undefined;
        if (value && value !== 'break' && printExpression(value) === rule.value) return rule;
      }
    return undefined;
  }

  // ---------------------------------------------------------------- names of classes

  private typesOf(name: ast.Name, place: Place): string[] {
    return this.names.libraryClasses(this.names.meaning(place, name));
  }

  private className(name: ast.Name, place: Place): ast.Name {
    const path = this.ownPath(
      name.parts.map(({ text }) => text),
      name.global,
      place,
    );
    if (!path) return name;
    this.message(path, name);
    const converted = this.converted(path);
    return converted ? nameOf(converted, name, true) : name;
  }

  /** The path in a library that a name is, and not by a class of the text. */
  private ownPath(parts: readonly string[], global: boolean, place: Place): readonly string[] | undefined {
    const [first, ...rest] = parts;
    const found: Meaning | undefined = global
      ? { kind: 'path', path: [first!] }
      : this.names.find(place, first!);
    return found?.kind === 'path' ? [...found.path, ...rest] : undefined;
  }

  /** The new path for an old one, by the longest beginning that has a rule. */
  private converted(path: readonly string[]): string[] | undefined {
    for (let length = path.length; length > 0; length--) {
      const to = this.rules.classes.get(path.slice(0, length).join('.'));
      if (to !== undefined) return [...to.split('.'), ...path.slice(length)];
    }
    return undefined;
  }

  private message(path: readonly string[], { start, end }: ast.Node): void {
    for (let length = path.length; length > 0; length--) {
      const old = path.slice(0, length).join('.');
      for (const { text, element } of this.rules.messages.get(old) ?? [])
        if (element === undefined || path[length] === element)
          this.report(
            warning(
              'library-version',
              `\`${path.join('.')}\` cannot be converted to the version that is there.`,
              {
                span: { source: this.root.source, start, end },
                hint: text,
              },
            ),
          );
    }
  }

  // ---------------------------------------------------------------- modifiers

  private arguments(
    list: ast.ClassModification | undefined,
    modified: Meaning | undefined,
    place: Place,
    { start, end }: ast.Node,
  ): ast.ClassModification | undefined {
    const types = this.names.libraryClasses(modified);
    let rest = (list?.arguments ?? []).map((item) => this.argument(item, modified, place));
    const added: ast.Argument[] = [];
    for (const rule of types.flatMap((type) => this.rules.modifiers.get(type) ?? [])) {
      const old = rule.from.map(({ name }) =>
        rest.find((item) => item.kind === 'modify' && nameText(item) === name),
      );
      if (rule.from.length > 0 && old.every((item) => item === undefined)) continue;
      rest = rest.filter((item) => !old.includes(item));
      const at = old.find((item) => item) ?? { start, end };
      // What is written itself goes before what a rule makes of others.
      for (const item of renewed(rule, old as (ast.ElementModification | undefined)[], at))
        if (!isThere(item, rest)) added.push(item);
    }
    const renamed = rest.map((item) => (item.kind === 'modify' ? this.renamed(item, types) : item));
    const all = [...renamed, ...added];
    if (!list && all.length === 0) return undefined;
    return { ...(list ?? { start, end }), arguments: all };
  }

  private argument(item: ast.Argument, modified: Meaning | undefined, place: Place): ast.Argument {
    if (item.kind === 'redeclare')
      return { ...item, element: this.part(item.element, place) as ast.ClassDef };
    if (item.kind === 'break') return item;
    const { modification } = item;
    if (!modification) return item;
    const list =
      modification.arguments &&
      this.arguments(modification.arguments, this.names.elementOf(modified, nameText(item)), place, item);
    const value = this.part(modification.value, place) as ast.Modification['value'];
    return { ...item, modification: { ...modification, arguments: list, value } };
  }

  private renamed(item: ast.ElementModification, types: readonly string[]): ast.ElementModification {
    const names = item.name.parts.map(({ text }) => text);
    const rule = this.elementRule(types, names);
    if (!rule || rule.to === '') return item;
    const rest = names.slice(rule.from.split('.').length);
    return { ...item, name: nameOf([...rule.to.split('.'), ...rest], item.name, false) };
  }

  /** The rule for an element that the most names are of. */
  private elementRule(types: readonly string[], names: readonly string[]): ElementRule | undefined {
    for (let length = names.length; length > 0; length--) {
      const from = names.slice(0, length).join('.');
      for (const type of types) {
        const rule = this.rules.elements.get(type)?.find((one) => one.from === from);
        if (rule) return rule;
      }
    }
    return undefined;
  }

  // ---------------------------------------------------------------- expressions

  private call(node: ast.Call, place: Place): ast.Call {
    const names = node.callee.parts.map(({ name }) => name);
    const path = this.ownPath(names, node.callee.global, place);
    return {
      ...this.parts({ ...node, named: [] }, place),
      callee: this.reference(node.callee, place),
      named: this.namedArguments(node.named, path ? [path.join('.')] : [], place),
    };
  }

  private namedArguments(
    list: readonly ast.NamedArgument[],
    types: readonly string[],
    place: Place,
  ): ast.NamedArgument[] {
    return list.map((item) => {
      const rule = this.elementRule(types, [item.name.text]);
      const name = rule && rule.to !== '' ? { ...item.name, text: rule.to } : item.name;
      return { ...item, name, value: this.part(item.value, place) as ast.Expression };
    });
  }

  private reference(node: ast.ComponentRef, place: Place): ast.ComponentRef {
    const parts = node.parts.map((part) => ({
      ...part,
      subscripts: this.part(part.subscripts, place) as ast.Subscript[],
    }));
    const names = parts.map(({ name }) => name);
    const path = this.ownPath(names, node.global, place);
    if (path) return this.libraryReference(node, parts, path);
    const found = this.names.find(place, names[0]!);
    if (found) return { ...node, parts: this.memberParts(parts, found) };
    // Nothing that is written here: perhaps inherited from a library.
    const rule = this.elementRule(this.names.libraryClasses({ kind: 'class', place }), names);
    return { ...node, parts: rule ? replaced(parts, 0, rule) : parts };
  }

  private libraryReference(
    node: ast.ComponentRef,
    parts: readonly ast.RefPart[],
    path: readonly string[],
  ): ast.ComponentRef {
    this.message(path, node);
    for (let length = path.length - 1; length > 0; length--) {
      const rule = this.elementRule([path.slice(0, length).join('.')], path.slice(length));
      if (rule && rule.to !== '') {
        const to = [
          ...path.slice(0, length),
          ...rule.to.split('.'),
          ...path.slice(length + rule.from.split('.').length),
        ];
        return this.refTo(this.converted(to) ?? to, node, parts);
      }
    }
    const converted = this.converted(path);
    return converted ? this.refTo(converted, node, parts) : { ...node, parts };
  }

  /** Subscripts stay where they are, counted from the end. */
  private refTo(
    path: readonly string[],
    { start, end, ...node }: ast.ComponentRef,
    old: readonly ast.RefPart[],
  ): ast.ComponentRef {
    const parts = path.map((name, k) => {
      const subscripts = old[old.length - path.length + k]?.subscripts ?? [];
      return { start, end, name, subscripts };
    });
    return { ...node, start, end, global: true, parts };
  }

  /** Elements of components, as far as the text tells what these are. */
  private memberParts(parts: readonly ast.RefPart[], first: Meaning): readonly ast.RefPart[] {
    let at: Meaning | undefined = first;
    for (let k = 1; at && k < parts.length; k++) {
      const rest = parts.slice(k).map(({ name }) => name);
      const rule = this.elementRule(this.names.libraryClasses(at), rest);
      if (rule) return replaced(parts, k, rule);
      at = this.names.elementOf(at, rest[0]!);
    }
    return parts;
  }
}

/** The parts of a reference in which those from `k` on have a new name; an element whose new name is empty is what it stands in. */
function replaced(parts: readonly ast.RefPart[], k: number, { from, to }: ElementRule): ast.RefPart[] {
  const length = from.split('.').length;
  const old = parts.slice(k, k + length);
  const { start, end } = old[0]!;
  const names = to === '' ? [] : to.split('.');
  const middle = names.map((name, i) => {
    const subscripts = old[old.length - names.length + i]?.subscripts ?? [];
    return { start, end, name, subscripts };
  });
  return [...parts.slice(0, k), ...middle, ...parts.slice(k + length)];
}

/** The new modifiers of a rule with the values of old ones; those whose old values are not there are left out. */
function renewed(
  rule: ModifierRule,
  old: readonly (ast.ElementModification | undefined)[],
  place: ast.Node,
): ast.Argument[] {
  const values = new Map<string, ast.Expression | undefined>();
  for (const [k, { name, value }] of rule.from.entries()) {
    const written = old[k]?.modification?.value;
    values.set(placeholder(name), written && written !== 'break' ? written : value);
  }
  return rule.to.flatMap((item) => {
    let isComplete = true;
    const fill = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(fill);
      if (typeof node !== 'object' || node === null) return node;
      const ref = node as Partial<ast.ComponentRef>;
      const name = ref.kind === 'ref' && ref.parts?.length === 1 ? ref.parts[0]!.name : undefined;
      if (name !== undefined && values.has(name)) {
        isComplete &&= values.get(name) !== undefined;
        return values.get(name);
      }
      const moved = 'start' in node ? { ...node, start: place.start, end: place.end } : node;
      return Object.fromEntries(Object.entries(moved).map(([key, value]) => [key, fill(value)]));
    };
    const filled = fill(item) as ast.Argument;
    return isComplete ? [filled] : [];
  });
}

const nameText = ({ name }: ast.ElementModification): string => name.parts.map(({ text }) => text).join('.');

const isThere = (item: ast.Argument, list: readonly ast.Argument[]): boolean =>
  item.kind === 'modify' &&
  list.some((other) => other.kind === 'modify' && nameText(other) === nameText(item));

const without = (list: ast.ClassModification | undefined, name: string): ast.ClassModification | undefined =>
  list && {
    ...list,
    arguments: list.arguments.filter((item) => item.kind !== 'modify' || nameText(item) !== name),
  };

function nameOf(path: readonly string[], { start, end }: ast.Node, global: boolean): ast.Name {
  return { start, end, global, parts: path.map((text) => ({ start, end, text })) };
}
