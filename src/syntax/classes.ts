/** Class definitions (Modelica 3.6, A.2.2). */
import { inserted, replaced } from '../diagnostic/fix.ts';
import type {
  Annotation,
  ClassBody,
  ClassDef,
  Element,
  ElementPrefixes,
  EnumerationLiteral,
  External,
  Ident,
  LongBody,
  Restriction,
  Section,
} from './ast.ts';
import type { Cursor } from './cursor.ts';
import { causalities, element } from './elements.ts';
import { equation } from './equations.ts';
import {
  arraySubscripts,
  componentReference,
  expression,
  stringLiteral,
  typeSpecifier,
} from './expressions.ts';
import { later } from './lazy.ts';
import { comment, optionalAnnotation, optionalClassModification, stringComment } from './modifications.ts';
import { statement } from './statements.ts';
import { flags, isKeyword, spelling, T } from './tokens.ts';

const classStarts = flags(
  ...[T.encapsulated, T.partial, T.class, T.model, T.operator, T.record, T.block],
  ...[T.expandable, T.connector, T.type, T.package, T.pure, T.impure, T.function],
);

export const isClassStart = (p: Cursor): boolean => classStarts[p.kind] === 1;

/** A class definition from its first prefix; `start` and `prefixes` come from the element around it. */
export function classDefinition(p: Cursor, start: number, prefixes: ElementPrefixes): ClassDef {
  p.enter();
  const encapsulated = p.accept(T.encapsulated);
  const partial = p.accept(T.partial);
  const purity = p.acceptOne(['pure', 'impure']);
  const restriction = classRestriction(p, purity !== undefined);
  const refining = p.accept(T.extends);
  const name = className(p);
  const skipped = p.skippedBody(name.end);
  const body = skipped
    ? undefined
    : !refining && p.kind === T['=']
      ? equalsBody(p)
      : longBody(p, name, refining);
  if (skipped) classEnd(p, name);
  p.leave();
  const head = { source: p.source, name, restriction, refining, encapsulated, partial, purity, prefixes };
  const place = { kind: 'class', start, end: p.lastEnd } as const;
  if (skipped) return later(p, { ...place, ...head, constrainedBy: undefined }, skipped);
  return { ...place, ...head, body: body!, constrainedBy: undefined };
}

/** The class of a redeclaration, which must be a short one. */
export function shortClass(p: Cursor, start: number, prefixes: ElementPrefixes): ClassDef {
  const definition = classDefinition(p, start, prefixes);
  if (definition.body.kind === 'long') {
    const { name } = definition;
    p.reportAt(name.start, name.end, 'a class in a modification must have the form `model A = B`');
  }
  return definition;
}

function classRestriction(p: Cursor, isFunction: boolean): Restriction {
  const word = spelling[p.kind] as Restriction;
  if (isFunction && p.kind !== T.function && p.kind !== T.operator) p.report('expected `function`');
  switch (p.kind) {
    case T.operator:
      p.advance();
      if (p.accept(T.record)) return 'operator record';
      if (p.accept(T.function)) return 'operator function';
      return 'operator';
    case T.expandable:
      p.advance();
      if (!p.accept(T.connector)) p.report('expected `connector` after `expandable`');
      return 'expandable connector';
    case T.class:
    case T.model:
    case T.record:
    case T.block:
    case T.connector:
    case T.type:
    case T.package:
    case T.function:
      p.advance();
      return word;
    default:
      p.report('expected a kind of class such as `model`, `package` or `function`');
      // `partial A "text"` looks like a class, `partial Real x` like a component.
      if (p.kind !== T.identifier || p.peek() === T.identifier) p.giveUp();
      return 'class';
  }
}

/** A class without a proper name is still a class: what follows belongs to it and not to the class around it. */
function className(p: Cursor): Ident {
  if (p.kind === T.identifier) return p.identifier('the name of a class');
  const { start, end } = p;
  const text = p.tokenText();
  const onNewLine = p.onNewLine();
  if (isKeyword(p.kind) && !onNewLine)
    p.report(`\`${text}\` is a reserved word and cannot be the name of a class`);
  else p.report('expected the name of this class');
  if (onNewLine || p.kind === T['='] || p.kind === T[';'] || p.kind === T.string) {
    return { start, end: start, text: '' };
  }
  const named = isKeyword(p.kind);
  p.advance();
  return { start, end, text: named ? text : '' };
}

// ---------------------------------------------------------------- class A = ...

function equalsBody(p: Cursor): ClassBody {
  p.advance();
  const { start } = p;
  if (p.kind === T.enumeration) return enumerationBody(p, start);
  if (p.kind === T.der) return derivativeBody(p, start);
  const basePrefix = p.acceptOne(causalities);
  const base = typeSpecifier(p, 'the name of a class');
  const subscripts = arraySubscripts(p);
  const modification = optionalClassModification(p);
  const text = comment(p);
  return { kind: 'short', start, end: p.lastEnd, basePrefix, base, subscripts, modification, comment: text };
}

function enumerationBody(p: Cursor, start: number): ClassBody {
  p.advance();
  p.expect(T['('], 'after `enumeration`');
  const literals = p.accept(T[':']) ? undefined : p.members(T[')'], enumerationLiteral);
  p.expect(T[')'], 'to close this enumeration');
  const text = comment(p);
  return { kind: 'enumeration', start, end: p.lastEnd, literals, comment: text };
}

function enumerationLiteral(p: Cursor): EnumerationLiteral {
  const name = p.identifier('the name of a literal');
  const text = comment(p);
  return { start: name.start, end: p.lastEnd, name, comment: text };
}

function derivativeBody(p: Cursor, start: number): ClassBody {
  p.advance();
  p.expect(T['('], 'after `der`');
  const base = typeSpecifier(p, 'the name of a function');
  const variables: Ident[] = [];
  p.expect(T[','], 'and the variable of differentiation');
  do variables.push(p.identifier('a variable of differentiation'));
  while (p.accept(T[',']));
  p.expect(T[')'], 'to close this derivative');
  const text = comment(p);
  return { kind: 'der', start, end: p.lastEnd, base, variables, comment: text };
}

// ---------------------------------------------------------------- class A ... end A

function longBody(p: Cursor, name: Ident, refining: boolean): LongBody {
  const { start } = p;
  const classExtends = refining ? { modification: optionalClassModification(p) } : undefined;
  const description = stringComment(p);
  p.classes.push(name);
  const blocks = p.blocks.splice(0);
  const sections: Section[] = [];
  const first = firstSection(p);
  if (first) sections.push(first);
  let external: External | undefined;
  let annotation: Annotation | undefined;
  while (!atClassEnd(p)) {
    if (p.kind === T.annotation) annotation = classAnnotation(p, annotation);
    else {
      if (annotation) p.report('the annotation of a class must be its last element', 'move it before `end`');
      if (p.kind === T.external) external = externalClause(p, external);
      else {
        if (external) p.report('only an annotation can follow an external clause');
        sections.push(...nextSection(p, sections.at(-1)));
      }
    }
  }
  p.blocks.push(...blocks);
  classEnd(p, name);
  p.classes.pop();
  const end = p.lastEnd;
  return { kind: 'long', start, end, classExtends, description, sections, external, annotation };
}

/** The elements before the first keyword; there is no section if there are none. */
function firstSection(p: Cursor): Section | undefined {
  const { start } = p;
  const elements = p.items(element, atSectionEnd, elementName);
  if (elements.length === 0) return undefined;
  return { kind: 'elements', start, end: p.lastEnd, visibility: undefined, elements };
}

function elementName({ kind }: Element): string {
  return kind === 'component' ? 'declaration' : kind === 'class' ? 'class' : `${kind} clause`;
}

const atClassEnd = (p: Cursor): boolean =>
  p.kind === T.end_of_text || (p.kind === T.end && !isBlock(p.peek())) || isBareName(p);

/** The section that begins here; none where something stands that belongs to no section. */
function nextSection(p: Cursor, last: Section | undefined): Section[] {
  const { start, index } = p;
  if (p.misplaced !== 0) return [misplacedSection(p)];
  switch (p.kind) {
    case T.initial:
    case T.equation:
    case T.algorithm:
      return [behaviourSection(p)];
    case T.end:
    case T.else:
    case T.elseif:
    case T.elsewhen:
      if (p.kind === T.end) strayEnd(p);
      else strayBranch(p);
      if (!atSectionEnd(p)) p.misplaced = last ? sectionWord(last) : 0;
      return [];
    default: {
      const visibility = p.kind === T.protected ? 'protected' : 'public';
      if (p.kind === T.protected || p.kind === T.public) p.advance();
      const elements = p.items(element, atSectionEnd, elementName);
      if (p.index === index && p.misplaced === 0) p.advance();
      return [{ kind: 'elements', start, end: p.lastEnd, visibility, elements }];
    }
  }
}

function sectionWord({ kind }: Section): number {
  return kind === 'elements' ? 0 : kind === 'equations' ? T.equation : T.algorithm;
}

function behaviourSection(p: Cursor): Section {
  const { start } = p;
  const initial = p.accept(T.initial);
  const isEquations = p.accept(T.equation);
  if (!isEquations) p.expect(T.algorithm, 'or `equation` after `initial`');
  return behaviour(p, start, initial, isEquations, atSectionEnd);
}

function behaviour(
  p: Cursor,
  start: number,
  initial: boolean,
  isEquations: boolean,
  isEnd: (p: Cursor) => boolean,
): Section {
  if (isEquations) {
    const equations = p.items(equation, isEnd, () => 'equation');
    return { kind: 'equations', start, end: p.lastEnd, initial, equations };
  }
  const statements = p.items(statement, isEnd, () => 'statement');
  return { kind: 'algorithm', start, end: p.lastEnd, initial, statements };
}

/** Equations or statements that no word introduces, after a mistake that has been reported. */
function misplacedSection(p: Cursor): Section {
  const { start, index, misplaced } = p;
  // The first item has been tried as a declaration; to read it here is what makes progress certain.
  const isEnd = (q: Cursor): boolean => atSectionEnd(q) || (q.index > index && q.looksLikeDeclaration());
  p.misplaced = 0;
  return behaviour(p, start, false, misplaced === T.equation, isEnd);
}

function atSectionEnd(p: Cursor): boolean {
  return p.kind === T.annotation || p.atBlockEnd() || isBareName(p);
}

/** `A;` in the class `A`: the word `end` before it has been forgotten. */
function isBareName(p: Cursor): boolean {
  return p.kind === T.identifier && p.peek() === T[';'] && p.tokenText() === p.classes.at(-1)?.text;
}

function classAnnotation(p: Cursor, earlier: Annotation | undefined): Annotation | undefined {
  const list = p.items(
    optionalAnnotation,
    (q) => q.kind !== T.annotation,
    () => 'annotation',
  );
  const all = [earlier, ...list].filter((one) => one !== undefined);
  const second = all[1];
  if (second) {
    p.reportAt(
      second.start,
      second.start + 'annotation'.length,
      'a class has one annotation',
      'join the two',
    );
  }
  return all[0];
}

function externalClause(p: Cursor, earlier: External | undefined): External | undefined {
  if (earlier) p.report('a function has one external clause');
  const [external] = p.items(
    externalCall,
    (q) => q.kind !== T.external,
    () => 'external clause',
  );
  return earlier ?? external;
}

function externalCall(p: Cursor): External {
  const { start } = p;
  p.advance();
  const language = p.kind === T.string ? stringLiteral(p) : undefined;
  let result: External['result'];
  let functionName: Ident | undefined;
  let list: External['arguments'] = [];
  if (p.kind === T.identifier || p.kind === T['.']) {
    if (p.peek() !== T['(']) {
      result = componentReference(p);
      p.expect(T['='], 'after the result of this external function');
    }
    functionName = p.identifier('the name of an external function');
    p.expect(T['('], 'after the name of this external function');
    list = p.members(T[')'], expression);
    p.expect(T[')'], 'to close this call');
  }
  const annotation = optionalAnnotation(p);
  return { start, end: p.lastEnd, language, result, functionName, arguments: list, annotation };
}

// ---------------------------------------------------------------- the end of a class

const isBlock = (kind: number): boolean =>
  kind === T.if || kind === T.for || kind === T.when || kind === T.while;

/** `end if` without its `if`. */
function strayEnd(p: Cursor): void {
  const word = spelling[p.peek()];
  // After another mistake it is the end of a block whose beginning could not be read.
  if (p.diagnostics.length === 0) p.report(`\`end ${word}\` without \`${word}\``);
  p.advance();
  p.advance();
  p.accept(T[';']);
}

function strayBranch(p: Cursor): void {
  if (p.diagnostics.length === 0) p.report(`\`${p.tokenText()}\` outside an if- or when-equation`);
  while (p.kind !== T.end && p.kind !== T.end_of_text) p.advance();
}

/** `end Name`: a missing one is told from a misspelt one by the names of the classes around. */
function classEnd(p: Cursor, name: Ident): void {
  const begin = { message: `\`${name.text}\` begins here`, span: p.span(name.start, name.end) };
  if (p.kind !== T.end) {
    p.report(`expected \`end ${name.text};\``, undefined, [begin], p.adding(`end ${name.text};`, '\n'));
    p.accept(T.identifier);
    return;
  }
  if (p.peek() !== T.identifier) {
    p.advance();
    if (p.tokenText() !== name.text)
      p.report(`expected \`${name.text}\` after \`end\``, undefined, [begin], p.adding(name.text));
    if (p.kind !== T[';'] && !p.onNewLine()) p.advance();
    return;
  }
  const { tokens, index } = p;
  const written = tokens.words.texts[tokens.extra[index + 1]!]!;
  if (written === name.text || name.text === '') {
    p.advance();
    p.advance();
    return;
  }
  const outer = p.classes.some((other, i) => i < p.classes.length - 1 && other.text === written);
  if (outer) {
    const fix = inserted(p.source, p.start, `end ${name.text};\n`);
    p.report(`\`end ${name.text};\` is missing before this`, undefined, [begin], fix);
    return;
  }
  p.advance();
  p.reportAt(
    p.start,
    p.end,
    `\`end ${written}\` closes the class \`${name.text}\``,
    `write \`end ${name.text}\``,
    [begin],
    replaced(p.span(p.start, p.end), name.text),
    'end-name-mismatch',
  );
  p.advance();
}
