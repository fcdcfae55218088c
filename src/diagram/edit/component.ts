/** Adding and removing components. */
import { warning } from '../../diagnostic/diagnostic.ts';
import { type ClassEntity, elementsOf } from '../../model/classes/class.ts';
import { findClass } from '../../model/classes/lookup.ts';
import { annotationOf, basesOf } from '../../model/classes/settings.ts';
import { elementOf, shapeOf } from '../../model/classes/shape.ts';
import type * as ast from '../../syntax/ast.ts';
import type { TextChange } from '../../syntax/change.ts';
import { argumentsNamed } from '../../syntax/lazy.ts';
import { keywords } from '../../syntax/tokens.ts';
import { everyNode, nodesIn } from '../../syntax/walk.ts';
import type { Placing } from '../geometry.ts';
import { wantedText } from './annotation.ts';
import { placingArguments } from './place.ts';
import {
  beginsLine,
  type Edit,
  type Edited,
  editableBody,
  edited,
  indentAt,
  insertion,
  itemRemoval,
  lineBreak,
  mannerOf,
  ownComponent,
  type Refused,
  refused,
  removal,
} from './text.ts';

export interface AddOptions {
  readonly placing: Placing;
  /** The name of the component; what its class proposes where it is left out. */
  readonly name?: string;
}

export interface Added extends Edited {
  /** The name of the new component. */
  readonly name: string;
}

/** A new component of a class. */
export function addComponent(
  entity: ClassEntity,
  type: ClassEntity,
  { placing, name }: AddOptions,
): Added | Refused {
  const body = editableBody(entity);
  if ('ok' in body) return body;
  const problem = unfit(entity, type);
  if (problem) return problem;
  const prefixes = wordsOf(textIn(type, 'defaultComponentPrefixes'));
  const isShared = prefixes.includes('inner') || prefixes.includes('outer');
  const proposed = name ?? proposedName(type);
  if ((name !== undefined || isShared) && isTaken(entity, proposed)) {
    const why = isShared ? ', and one is enough' : '';
    return refused('duplicate-name', `\`${entity.path}\` has \`${proposed}\` already${why}.`, {
      span: entity.span(entity.definition.name),
    });
  }
  if (!isIdentifier(proposed))
    return refused('syntax-error', `\`${proposed}\` cannot be the name of a component.`, {
      hint: 'Names are letters, digits and `_`, or anything between single quotes.',
    });
  const chosen = freeName(entity, proposed);
  const { text } = entity.definition.source;
  const manner = mannerOf(text);
  const place = wantedText([['Placement', [['transformation', placingArguments(placing, manner)]]]], manner);
  const head = [...prefixes, nameFrom(entity, type), chosen].join(' ');
  const blank = manner.comma === ',' ? ' ' : '';
  const declaration = `${head} annotation${blank}(${place});`;
  return { ...edited([elementInsertion(entity, body, declaration)]), name: chosen };
}

/** What keeps a class from being that of a component. */
function unfit(entity: ClassEntity, type: ClassEntity): Refused | undefined {
  const { restriction } = entity.definition;
  const span = entity.span(entity.definition.name);
  if (!['model', 'block', 'class', 'connector', 'expandable connector', 'record'].includes(restriction))
    return refused(
      'not-allowed',
      `\`${entity.path}\` is a ${restriction}, which has no components in a diagram.`,
      {
        span,
        hint: 'Components are added to models and blocks.',
      },
    );
  const what = shapeOf(type).restriction;
  if (['package', 'function', 'operator', 'operator function'].includes(what))
    return refused('not-allowed', `\`${type.path}\` is a ${what}: there can be no component of it.`);
  if (contains(type, entity))
    return refused('cyclic-definition', `\`${type.path}\` contains \`${entity.path}\`, or is the same.`, {
      span,
      hint: 'A class cannot have components of itself.',
    });
  return undefined;
}

/** Classes that are looked into to find out whether a class contains another one. */
const MOST_CLASSES = 5000;

function contains(type: ClassEntity, entity: ClassEntity): boolean {
  const seen = new Set<ast.ClassDef>();
  const queue = [type];
  for (let next = queue.pop(); next && seen.size < MOST_CLASSES; next = queue.pop()) {
    if (next.definition === entity.definition) return true;
    if (seen.has(next.definition)) continue;
    seen.add(next.definition);
    const { components } = elementsOf(next.definition);
    const around = next.definition.body.kind === 'short' ? (next.parent ?? next) : next;
    for (const { clause } of components) {
      if (clause.variability === 'parameter' || clause.variability === 'constant') continue;
      const own = findClass(next, clause.type);
      if (own) queue.push(own);
    }
    for (const base of basesOf(next.definition)) {
      const own = findClass(around, base);
      if (own) queue.push(own);
    }
  }
  return false;
}

// ---------------------------------------------------------------- names

/** The text of an annotation of a class or of one that it extends. */
function textIn(entity: ClassEntity, name: string): string {
  const seen = new Set<ast.ClassDef>();
  const queue = [entity];
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (seen.has(next.definition)) continue;
    seen.add(next.definition);
    for (const { modification } of argumentsNamed(annotationOf(next.definition), name)) {
      const value = modification?.value;
      if (value && value !== 'break' && value.kind === 'string') return value.value;
    }
    const around = next.definition.body.kind === 'short' ? (next.parent ?? next) : next;
    for (const base of basesOf(next.definition)) {
      const own = findClass(around, base);
      if (own) queue.push(own);
    }
  }
  return '';
}

const allowedPrefixes = ['replaceable', 'inner', 'outer', 'constant', 'parameter', 'discrete'];

/** In the order that the grammar asks for. */
function wordsOf(text: string): string[] {
  const given = new Set(text.split(/\s+/));
  return ['inner', 'outer', 'replaceable', 'constant', 'parameter', 'discrete'].filter(
    (word) => given.has(word) && allowedPrefixes.includes(word),
  );
}

const reserved = new Set<string>(keywords);

const isIdentifier = (name: string): boolean =>
  (/^[A-Za-z_]\w*$/.test(name) && !reserved.has(name)) || /^'(?:[^'\\]|\\.)+'$/.test(name);

/** That of the annotation, or the name of the class with a small letter at its beginning. */
function proposedName(type: ClassEntity): string {
  const given = textIn(type, 'defaultComponentName');
  if (isIdentifier(given)) return given;
  const own = type.definition.name.text.replace(/^'(.*)'$/, '$1').replace(/\W+/g, '_');
  // A name of capitals alone is an abbreviation.
  const small = /^[A-Z\d_]+$/.test(own) ? own.toLowerCase() : own.charAt(0).toLowerCase() + own.slice(1);
  return isIdentifier(small) ? small : `${small.replace(/^\W*(?=\d|$)/, 'c')}1`;
}

const isTaken = (entity: ClassEntity, name: string): boolean => elementOf(entity, name) !== undefined;

/** A name that nothing in the class has; a `1` at its end is left out before it is counted on. */
export function freeName(entity: ClassEntity, proposed: string): string {
  if (!isTaken(entity, proposed)) return proposed;
  const quoted = proposed.startsWith("'");
  const stem = (quoted ? proposed.slice(1, -1) : proposed).replace(/1$/, '');
  for (let k = 1; ; k++) {
    const name = quoted ? `'${stem}${k}'` : `${stem}${k}`;
    if (!isTaken(entity, name)) return name;
  }
}

/** The shortest name by which a class is found from another one. */
function nameFrom(entity: ClassEntity, type: ClassEntity): string {
  const parts = type.path.match(/'(?:[^'\\]|\\.)*'|[^.]+/g) ?? [];
  for (let k = parts.length - 1; k > 0; k--) {
    const name = parts.slice(k);
    if (findClass(entity, nameOf(name))?.definition === type.definition) return name.join('.');
  }
  const isHidden = findClass(entity, nameOf(parts))?.definition !== type.definition;
  return `${isHidden ? '.' : ''}${parts.join('.')}`;
}

const nameOf = (parts: readonly string[]): ast.Name => ({
  ...{ start: 0, end: 0, global: false },
  parts: parts.map((text) => ({ start: 0, end: 0, text })),
});

// ---------------------------------------------------------------- places for declarations

/** Behind the last public element, or at the beginning of the class. */
function elementInsertion(entity: ClassEntity, body: ast.LongBody, declaration: string): TextChange {
  const { definition } = entity;
  const { text } = definition.source;
  const section = body.sections.findLast(
    (one): one is ast.ElementSection => one.kind === 'elements' && one.visibility !== 'protected',
  );
  const last = section?.elements.at(-1);
  const at = section?.end ?? headEnd(definition, body);
  return insertion(at, onNewLine(text, at, last?.start, definition, declaration));
}

/** Behind the name and the description of a class. */
export function headEnd({ name }: ast.ClassDef, { classExtends, description }: ast.LongBody): number {
  return Math.max(name.end, classExtends?.modification?.end ?? 0, description?.end ?? 0);
}

/** A piece of text on a line of its own, indented like what stands before it; on the same line where the class has only one. */
export function onNewLine(
  text: string,
  at: number,
  before: number | undefined,
  { start, end }: ast.ClassDef,
  piece: string,
): string {
  if (!text.slice(start, end).includes('\n')) return ` ${piece}`;
  const like = before !== undefined && beginsLine(text, before) ? indentAt(text, before) : undefined;
  const rest = text.slice(at).match(/^[ \t]*(?:\/\/[^\r\n]*)?/)![0];
  // What follows on the same line goes to the next one.
  const isEnd = /^[ \t]*(?:\/\/[^\r\n]*)?(?:\r?\n|$)/.test(text.slice(at));
  const tail = isEnd || rest.trim() !== '' ? '' : lineBreak(text) + indentAt(text, start);
  return `${lineBreak(text)}${like ?? `${indentAt(text, start)}  `}${piece}${tail}`;
}

// ---------------------------------------------------------------- removing

/** Removes a component with all connections, and transitions, that name it. */
export function removeComponent(entity: ClassEntity, name: string): Edit {
  const own = ownComponent(entity, name);
  if ('ok' in own) return own;
  const { clause, declaration } = own;
  const { text } = entity.definition.source;
  const k = clause.declarations.indexOf(declaration);
  const declared =
    clause.declarations.length === 1
      ? removal(text, clause.start, clause.end)
      : itemRemoval(clause.declarations, k);
  const { gone, left } = mentions(entity, name);
  const removals = gone.map(({ start, end }) => removal(text, start, end));
  const warnings = left.map((equation) =>
    warning('unknown-name', `This still names \`${name}\`.`, {
      span: entity.span(equation),
      hint: 'Remove or change it.',
    }),
  );
  return edited([declared, ...removals], warnings);
}

/** Equations that go with a component, and others that name it. */
function mentions({ definition }: ClassEntity, name: string): { gone: ast.Equation[]; left: ast.Node[] } {
  const gone: ast.Equation[] = [];
  const left: ast.Node[] = [];
  const names = (ref: ast.ComponentRef): boolean => !ref.global && ref.parts[0]?.name === name;
  for (const section of elementsOf(definition).sections) {
    if (section.kind === 'algorithm') {
      for (const statement of section.statements) if (mentionsName(statement, names)) left.push(statement);
      continue;
    }
    for (const equation of nodesIn(section.equations)) {
      if (equation.kind === 'connect') {
        if (names(equation.left) || names(equation.right)) gone.push(equation);
      } else if (equation.kind === 'call' && isTransition(equation.call)) {
        const states = equation.call.positional.slice(0, 2);
        if (states.some((one) => one.kind === 'ref' && names(one))) gone.push(equation);
      } else if (equation.kind === 'equal' || equation.kind === 'call') {
        if (mentionsName(equation, names)) left.push(equation);
      }
    }
  }
  return { gone, left };
}

const isTransition = ({ callee }: ast.Call): boolean =>
  callee.parts.length === 1 && /^(transition|initialState)$/.test(callee.parts[0]!.name);

function mentionsName(node: ast.Node, names: (ref: ast.ComponentRef) => boolean): boolean {
  for (const part of everyNode(node)) if (part.kind === 'ref' && names(part)) return true;
  return false;
}
