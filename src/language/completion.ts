/** What can be written at a place, from the lookup that the translator uses: names with their kinds, types and descriptions, and the words of the language. */
import { type ClassEntity, elementsOf } from '../model/classes/class.ts';
import { findGlobal } from '../model/classes/imports.ts';
import { nestedClass } from '../model/classes/lookup.ts';
import { elementNames, shapeOf } from '../model/classes/shape.ts';
import type { Library } from '../model/library.ts';
import { attributesOf, builtinNames, predefinedClasses } from '../model/predefined.ts';
import { prefixes, symbolNames, symbolOf } from '../units/symbols.ts';
import { annotations, attributes, builtins } from './builtins.ts';
import { type Context, contextAt, type Expected, type OpenCall, type Path, type Target } from './context.ts';
import { describe } from './describe.ts';
import type { Document } from './document.ts';
import {
  argumentsOf,
  calledBy,
  classOf,
  elementIn,
  type Meaning,
  meaningOf,
  memberOf,
  membersOf,
  nameOf,
  type Scope,
  topLevel,
  typeOf,
} from './meaning.ts';
import { nameText } from './outline.ts';
import type { TextRange } from './places.ts';
import { packageOf } from './scopes.ts';

export type CompletionKind =
  | 'package'
  | 'class'
  | 'function'
  | 'type'
  | 'record'
  | 'connector'
  | 'component'
  | 'variable'
  | 'parameter'
  | 'constant'
  | 'literal'
  | 'iterator'
  | 'attribute'
  | 'argument'
  | 'built-in'
  | 'annotation'
  | 'unit'
  | 'keyword';

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** The type of a component, the kind of a class. */
  readonly detail: string;
  readonly description: string;
  /** What is written in place of the range; by default the label. */
  readonly insert?: string;
  /** Those of a lower rank come first. */
  readonly rank: number;
}

/** What can be written in place of a range. */
export interface CompletionList extends TextRange {
  readonly items: readonly Completion[];
}

export function completionsAt(
  document: Document,
  library: Library,
  offset: number,
): CompletionList | undefined {
  const context = contextAt(document, offset);
  if (!context) return undefined;
  const { from, to, prefix } = context;
  const found = new Map<string, Completion>();
  for (const item of candidates(context, scopeOf(document, library, context)))
    if (isSubsequence(prefix, item.label) && !found.has(item.label)) found.set(item.label, item);
  const items = [...found.values()].sort((a, b) => a.rank - b.rank || (a.label < b.label ? -1 : 1));
  return { from, to, items };
}

/** Clients filter further while somebody writes on; what they may find then is in the list. */
export function isSubsequence(letters: string, label: string): boolean {
  const [few, many] = [letters.toLowerCase(), label.toLowerCase()];
  let at = 0;
  for (const letter of many) if (letter === few[at]) at++;
  return at >= few.length;
}

/** The scope of a place, by the names of the classes around it. */
export function scopeOf(document: Document, library: Library, { structure, from }: Context): Scope {
  let entity = packageOf(document, library);
  for (const name of structure.classes) {
    const next: ClassEntity | undefined = entity
      ? (nestedClass(entity, name) ?? library.nested(entity, name))
      : library.topLevel(name);
    if (!next) break;
    entity = next;
  }
  const source = document.source;
  const iterators = structure.iterators.map((text) => {
    const node = { start: from, end: from };
    return { iterator: { ...node, name: { ...node, text }, range: undefined }, source };
  });
  return { entity, library, iterators };
}

/** What a dotted name means. */
export function meaningOfPath(scope: Scope, { global, names }: Path): Meaning | undefined {
  const [first, ...rest] = names;
  if (first === undefined) return undefined;
  const start = global ? topLevel(scope.library, first) : meaningOf(scope, first);
  return rest.reduce((meaning, name) => meaning && memberOf(meaning, name), start);
}

/** The class whose elements a modifier names. */
export function targetClass(scope: Scope, { class: path, inside }: Target): ClassEntity | undefined {
  const meaning = meaningOfPath(scope, path);
  let entity = meaning && classOf(meaning);
  for (const name of inside) {
    const next = entity && elementIn(entity, name);
    entity = next && classOf(next);
  }
  return entity;
}

// ---------------------------------------------------------------- what is expected

function* candidates(context: Context, scope: Scope): Iterable<Completion> {
  const { expected, path, structure, calls } = context;
  if (path) {
    yield* behindDot(expected, path, scope, structure.section === 'elements');
    return;
  }
  switch (expected.kind) {
    case 'nothing':
      break;
    case 'item':
      if (structure.section === 'elements') {
        yield* visible(scope, isClassMeaning);
        yield* words(structure.classes.length > 0 ? elementWords : topWords);
      } else {
        yield* visible(scope, () => true);
        yield* words(structure.section === 'equation' ? equationWords : statementWords);
        if (structure.blocks.length > 0) yield* words(['else', 'elseif', 'elsewhen', 'end']);
      }
      break;
    case 'class':
      yield* visible(scope, isClassMeaning);
      yield* words(prefixWords);
      break;
    case 'expression':
      yield* literalsOf(expected.of, scope);
      yield* namedArguments(calls.at(-1), scope);
      yield* visible(scope, () => true);
      yield* words(expressionWords);
      break;
    case 'modifier':
      yield* modifiers(expected, scope);
      yield* words(modifierWords);
      break;
    case 'annotation':
      for (const name of annotations.get(expected.inside.at(-1) ?? '') ?? [])
        yield { label: name, kind: 'annotation', detail: '', description: '', rank: 1 };
      break;
    case 'import':
      for (const name of scope.library.topLevelNames()) {
        const meaning = topLevel(scope.library, name);
        if (meaning) yield itemOf(meaning, 1);
      }
      break;
    case 'end':
      yield* endings(context);
      break;
    case 'unit':
      yield* units(context.prefix);
      break;
    default:
      expected satisfies never;
  }
}

function* behindDot(
  expected: Expected,
  path: Path,
  scope: Scope,
  isDeclaration: boolean,
): Iterable<Completion> {
  const members = (from: Scope, way: Path): Meaning[] => {
    const meaning = meaningOfPath(from, way);
    const entity = meaning && classOf(meaning);
    return entity ? membersOf(entity).filter((one) => !isHidden(one)) : [];
  };
  if (path.global && path.names.length === 0) {
    for (const name of scope.library.topLevelNames()) {
      const meaning = topLevel(scope.library, name);
      if (meaning) yield itemOf(meaning, 1);
    }
    return;
  }
  switch (expected.kind) {
    case 'item':
      for (const one of members(scope, path)) if (!isDeclaration || isClassMeaning(one)) yield itemOf(one, 1);
      if (!isDeclaration) yield* operatorsOf(path);
      break;
    case 'class':
      for (const one of members(scope, path)) if (isClassMeaning(one)) yield itemOf(one, 1);
      break;
    case 'expression':
      for (const one of members(scope, path)) yield itemOf(one, 1);
      yield* operatorsOf(path);
      break;
    case 'import':
      for (const one of members({ ...scope, entity: undefined, iterators: [] }, { ...path, global: true }))
        yield itemOf(one, 1);
      break;
    case 'modifier': {
      const { target } = expected;
      const inside = [...target.inside, ...path.names];
      yield* modifiers({ ...expected, target: { ...target, inside }, used: [] }, scope);
      break;
    }
    case 'nothing':
    case 'annotation':
    case 'end':
    case 'unit':
      break;
    default:
      expected satisfies never;
  }
}

/** `Connections.root` and its like. */
function* operatorsOf({ names }: Path): Iterable<Completion> {
  const scope = `${names.join('.')}.`;
  for (const name of builtinNames)
    if (name.startsWith(scope)) yield { ...builtinItem(name), label: name.slice(scope.length) };
}

const isClassMeaning = ({ kind }: Meaning): boolean => kind === 'class';

const isHidden = (meaning: Meaning): boolean =>
  meaning.kind === 'component'
    ? meaning.component.protected
    : meaning.kind === 'class' && meaning.element?.protected === true;

// ---------------------------------------------------------------- names

/** All that a simple name can mean at a place: what is nearer comes first. */
function* visible(scope: Scope, isWanted: (meaning: Meaning) => boolean): Iterable<Completion> {
  const seen = new Set<string>();
  for (const { name, rank } of visibleNames(scope)) {
    if (seen.has(name)) continue;
    seen.add(name);
    const meaning = meaningOf(scope, name);
    if (meaning && isWanted(meaning)) yield { ...itemOf(meaning, rank), label: name };
  }
}

function* visibleNames({ entity, library, iterators }: Scope): Iterable<{ name: string; rank: number }> {
  for (const { iterator } of iterators) yield { name: iterator.name.text, rank: 0 };
  let depth = 1;
  for (let at = entity; at; at = at.parent) {
    for (const name of elementNames(at.self)) yield { name, rank: depth };
    for (const clause of elementsOf(at.definition).imports) {
      const path = clause.name.parts.map((part) => part.text);
      if (clause.wildcard) {
        const whole = findGlobal(library, path);
        if (whole?.kind === 'class')
          for (const name of elementNames(whole.entity.self)) yield { name, rank: depth + 1 };
      } else if (clause.selection) for (const { text } of clause.selection) yield { name: text, rank: depth };
      else yield { name: clause.alias?.text ?? path.at(-1)!, rank: depth };
    }
    if (at.definition.encapsulated) break;
    depth++;
  }
  for (const name of builtinNames) if (!name.includes('.')) yield { name, rank: 20 };
  for (const name of predefinedClasses.keys()) yield { name, rank: 18 };
  for (const name of library.topLevelNames()) yield { name, rank: 15 };
}

/** A name as it is shown. */
function itemOf(meaning: Meaning, rank: number): Completion {
  const label = nameOf(meaning);
  switch (meaning.kind) {
    case 'class':
      return {
        label,
        kind: kindOfClass(meaning.entity),
        detail: describeShort(meaning.entity),
        description: describe(meaning).text,
        rank,
      };
    case 'component': {
      const { component } = meaning;
      const { clause, declaration } = component;
      const isArray = clause.subscripts.length + declaration.subscripts.length > 0;
      const description = declaration.comment.description?.value ?? '';
      return {
        label,
        kind: kindOfComponent(meaning),
        detail: nameText(clause.type) + (isArray ? '[:]' : ''),
        description,
        rank,
      };
    }
    case 'literal':
      return {
        label,
        kind: 'literal',
        detail: meaning.owner.path,
        description: describe(meaning).text,
        rank,
      };
    case 'iterator':
      return { label, kind: 'iterator', detail: '', description: '', rank };
    case 'attribute':
      return {
        label,
        kind: 'attribute',
        detail: meaning.type,
        description: attributes.get(label)?.text ?? '',
        rank,
      };
    case 'builtin':
      return { ...builtinItem(label), rank };
    default:
      return meaning satisfies never;
  }
}

function describeShort({ definition }: ClassEntity): string {
  const { partial, restriction, body } = definition;
  return `${partial ? 'partial ' : ''}${restriction}${body.kind === 'short' ? ` = ${nameText(body.base)}` : ''}`;
}

function builtinItem(name: string): Completion {
  const { form, text } = builtins.get(name) ?? { form: name, text: '' };
  return { label: name, kind: 'built-in', detail: form, description: text, rank: 20 };
}

function kindOfClass({ definition }: ClassEntity): CompletionKind {
  switch (definition.restriction) {
    case 'package':
      return 'package';
    case 'function':
    case 'operator function':
    case 'operator':
      return 'function';
    case 'type':
      return 'type';
    case 'record':
    case 'operator record':
      return 'record';
    case 'connector':
    case 'expandable connector':
      return 'connector';
    case 'class':
    case 'model':
    case 'block':
      return 'class';
    default:
      return definition.restriction satisfies never;
  }
}

function kindOfComponent({ component }: Extract<Meaning, { kind: 'component' }>): CompletionKind {
  const { variability } = component.clause;
  if (variability === 'parameter' || variability === 'constant') return variability;
  const type = typeOf(component);
  const shape = type && shapeOf(type.self);
  if (shape?.restriction.endsWith('connector')) return 'connector';
  return !shape || shape.predefined ? 'variable' : 'component';
}

// ---------------------------------------------------------------- modifiers and arguments

function* modifiers(
  { target, used }: Extract<Expected, { kind: 'modifier' }>,
  scope: Scope,
): Iterable<Completion> {
  const entity = targetClass(scope, target);
  if (!entity) return;
  const { predefined } = shapeOf(entity.self);
  if (predefined) {
    for (const name of attributesOf[predefined])
      if (!used.includes(name))
        yield { ...itemOf({ kind: 'attribute', name, type: predefined }, 1), insert: `${name} = ` };
    return;
  }
  for (const meaning of membersOf(entity)) {
    const name = nameOf(meaning);
    if (used.includes(name) || isHidden(meaning) || meaning.kind === 'literal') continue;
    // Only what is replaceable can be put in place of a class.
    if (meaning.kind === 'class') {
      const { replaceable } = (meaning.element?.definition ?? meaning.entity.definition).prefixes;
      const { restriction } = meaning.entity.definition;
      if (replaceable) yield { ...itemOf(meaning, 2), insert: `redeclare ${restriction} ${name} = ` };
    } else
      yield {
        ...itemOf(
          meaning,
          meaning.kind === 'component' && meaning.component.clause.variability === 'parameter' ? 0 : 1,
        ),
      };
  }
}

/** The names of arguments that a call does not have yet. */
function* namedArguments(call: OpenCall | undefined, scope: Scope): Iterable<Completion> {
  if (!call || call.name !== undefined) return;
  const fn = calledBy(meaningOfPath(scope, call.callee));
  if (!fn) return;
  for (const [k, component] of argumentsOf(fn).entries()) {
    if (k < call.index - call.named.length || call.named.includes(component.name)) continue;
    const item = itemOf({ kind: 'component', component, owner: fn }, 0);
    yield { ...item, label: component.name, kind: 'argument', insert: `${component.name} = ` };
  }
}

/** Literals of the enumeration that a value is to be of, with its name. */
function* literalsOf(of: Target | undefined, scope: Scope): Iterable<Completion> {
  const entity = of && targetOfValue(scope, of);
  const { enumeration, predefined } = entity
    ? shapeOf(entity.self)
    : { enumeration: undefined, predefined: undefined };
  if (predefined === 'Boolean') yield* words(['true', 'false'], -1);
  if (!enumeration || !of) return;
  const written = nameFrom(scope, entity!);
  for (const meaning of membersOf(entity!)) {
    if (meaning.kind !== 'literal') continue;
    const label = `${written}.${meaning.name}`;
    yield { ...itemOf(meaning, -1), label };
  }
}

/** The class of the element whose value is given; attributes have the type of the variable, or their own. */
function targetOfValue(scope: Scope, of: Target): ClassEntity | undefined {
  const name = of.inside.at(-1);
  const predefined = (type: string): ClassEntity | undefined => scope.library.predefinedClass(type);
  if (name === 'stateSelect') return predefined('StateSelect');
  if (name === 'fixed' || name === 'unbounded') return predefined('Boolean');
  const variable =
    name === 'start' || name === 'min' || name === 'max' ? { ...of, inside: of.inside.slice(0, -1) } : of;
  return targetClass(scope, variable);
}

/** How a class is written at a place: by its last name where that means it, else by its whole one. */
function nameFrom(scope: Scope, { path, definition }: ClassEntity): string {
  const last = path.split('.').at(-1)!;
  const meaning = meaningOf(scope, last);
  return meaning?.kind === 'class' && meaning.entity.definition === definition ? last : path;
}

// ---------------------------------------------------------------- words and units

const list = (text: string): string[] => text.split(' ');
const topWords = list(
  'within model block package function record connector type class operator partial encapsulated expandable final',
);
const elementWords = list(
  'parameter constant discrete input output flow stream extends import redeclare final inner outer replaceable public protected equation algorithm initial annotation end external model block package function record connector type class operator partial encapsulated expandable',
);
const prefixWords = list('flow stream discrete parameter constant input output');
const equationWords = list('if for when connect end annotation equation algorithm initial public protected');
const statementWords = list(
  'if for when while end return break annotation equation algorithm initial public protected',
);
const expressionWords = list('if then else elseif not and or true false der initial function end');
const modifierWords = list('each final redeclare replaceable');

function* words(all: readonly string[], rank = 30): Iterable<Completion> {
  for (const label of all) yield { label, kind: 'keyword', detail: '', description: '', rank };
}

/** `end` closes the innermost block, or the class. */
function* endings({ structure }: Context): Iterable<Completion> {
  const block = structure.blocks.at(-1);
  const name = structure.classes.at(-1);
  if (block) yield* words([block], 0);
  if (name) yield { label: name, kind: 'class', detail: '', description: '', rank: 1 };
}

/** Symbols of units; with prefixes where somebody has begun to write one. */
function* units(written: string): Iterable<Completion> {
  for (const symbol of symbolNames) yield unitItem(symbol, 1);
  if (written === '') return;
  for (const prefix of prefixes.keys())
    for (const symbol of symbolNames)
      if (symbolOf(symbol)!.symbol.prefixed && (prefix + symbol).startsWith(written))
        yield unitItem(prefix + symbol, 2);
}

function unitItem(label: string, rank: number): Completion {
  const { symbol, scale } = symbolOf(label)!;
  const coherent = symbol.coherent
    .map(([name, exponent]) => (exponent === 1 ? name : `${name}${exponent}`))
    .join('.');
  const factor = scale * symbol.factor;
  const description =
    factor === 1 && symbol.offset === 0 ? '' : `${Number(factor.toPrecision(12))} ${coherent}`;
  return { label, kind: 'unit', detail: coherent, description, rank };
}
