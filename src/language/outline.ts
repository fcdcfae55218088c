/** The outline of a text: classes, components and sections as a tree. The spans of children lie in those of their parents, in order and apart. */

import type * as ast from '../syntax/ast.ts';
import type { TextRange } from './places.ts';

export type OutlineKind =
  | ast.Restriction
  | 'component'
  | 'extends'
  | 'import'
  | 'literal'
  | 'equation'
  | 'algorithm';

export interface OutlineItem {
  readonly kind: OutlineKind;
  readonly name: string;
  /** What is declared, in a few words: `parameter Real`, `model`, `initial`. */
  readonly detail: string;
  readonly description: string;
  /** All of it. */
  readonly range: TextRange;
  /** Its name, or where it begins. */
  readonly selection: TextRange;
  readonly children: readonly OutlineItem[];
}

/** The tree of a text. */
export const outlineOf = (definition: ast.StoredDefinition): OutlineItem[] =>
  definition.classes.map(classItem);

function classItem(definition: ast.ClassDef): OutlineItem {
  const { name, restriction, body, partial, encapsulated } = definition;
  const words = [encapsulated && 'encapsulated', partial && 'partial', restriction];
  return {
    kind: restriction,
    name: name.text,
    detail: words.filter(Boolean).join(' ') + baseText(body),
    description: descriptionOf(definition),
    range: rangeOf(definition),
    selection: rangeOf(name),
    children: childrenOf(body),
  };
}

export function descriptionOf({ body }: ast.ClassDef): string {
  return (body.kind === 'long' ? body.description : body.comment.description)?.value ?? '';
}

const baseText = (body: ast.ClassBody): string =>
  body.kind === 'short' || body.kind === 'der' ? ` = ${nameText(body.base)}` : '';

export const nameText = ({ global, parts }: ast.Name): string =>
  (global ? '.' : '') + parts.map((part) => part.text).join('.');

function childrenOf(body: ast.ClassBody): OutlineItem[] {
  switch (body.kind) {
    case 'long':
      return body.sections.flatMap(sectionItems);
    case 'enumeration':
      return (body.literals ?? []).map((literal) =>
        leaf('literal', literal.name, literal, '', literal.comment),
      );
    case 'short':
    case 'der':
      return [];
    default:
      return body satisfies never;
  }
}

function sectionItems(section: ast.Section): OutlineItem[] {
  switch (section.kind) {
    case 'elements':
      return section.elements.flatMap(elementItems);
    case 'equations':
      return [behaviourItem('equation', section, section.equations.length)];
    case 'algorithm':
      return [behaviourItem('algorithm', section, section.statements.length)];
    default:
      return section satisfies never;
  }
}

function behaviourItem(
  kind: 'equation' | 'algorithm',
  section: ast.EquationSection | ast.AlgorithmSection,
  count: number,
): OutlineItem {
  const { start, end, initial } = section;
  const name = initial ? `initial ${kind}` : kind;
  return {
    kind,
    name,
    detail: `${count}`,
    description: '',
    range: { from: start, to: end },
    selection: { from: start, to: Math.min(start + kind.length, end) },
    children: [],
  };
}

function elementItems(element: ast.Element): OutlineItem[] {
  switch (element.kind) {
    case 'class':
      return [classItem(element)];
    case 'component':
      return element.declarations.map((declaration, k) => componentItem(element, declaration, k === 0));
    case 'extends':
      return [leaf('extends', named(element.base), element, '', undefined)];
    case 'import': {
      const name = element.alias ?? named(element.name);
      const all = element.wildcard
        ? '.*'
        : element.selection
          ? `.{${element.selection.map((one) => one.text).join(', ')}}`
          : '';
      const text = element.alias ? element.alias.text : nameText(element.name) + all;
      return [leaf('import', { ...name, text }, element, '', element.comment)];
    }
    default:
      return element satisfies never;
  }
}

const named = (name: ast.Name): ast.Ident => ({ start: name.start, end: name.end, text: nameText(name) });

function componentItem(
  clause: ast.ComponentClause,
  declaration: ast.Declaration,
  isFirst: boolean,
): OutlineItem {
  const place = isFirst ? { start: clause.start, end: declaration.end } : declaration;
  return leaf('component', declaration.name, place, typeText(clause, declaration), declaration.comment);
}

/** The prefixes, type and sizes of a component: `flow Real[3]`. */
export function typeText(clause: ast.ComponentClause, declaration: ast.Declaration): string {
  const { connection, variability, causality, prefixes, type } = clause;
  const words = [prefixes.inner && 'inner', prefixes.outer && 'outer', connection, variability, causality];
  const rank = clause.subscripts.length + declaration.subscripts.length;
  const sizes = rank > 0 ? `[${Array(rank).fill(':').join(', ')}]` : '';
  return [...words.filter(Boolean), nameText(type) + sizes].join(' ');
}

function leaf(
  kind: OutlineKind,
  name: ast.Ident,
  place: ast.Node,
  detail: string,
  comment: ast.Comment | undefined,
): OutlineItem {
  const description = comment?.description?.value ?? '';
  return {
    kind,
    name: name.text,
    detail,
    description,
    range: rangeOf(place),
    selection: rangeOf(name),
    children: [],
  };
}

const rangeOf = ({ start, end }: ast.Node): TextRange => ({ from: start, to: end });
