/** Modifications, redeclarations, descriptions and annotations (Modelica 3.6, A.2.5 and the end of A.2.7). */
import { replaced } from '../diagnostic/fix.ts';
import type {
  Annotation,
  Argument,
  ClassModification,
  Comment,
  ElementModification,
  ElementPrefixes,
  Modification,
  StringComment,
  StringLiteral,
} from './ast.ts';
import { isClassStart, shortClass } from './classes.ts';
import type { Cursor } from './cursor.ts';
import { componentClause1, constrainingClause } from './elements.ts';
import { connectEquation } from './equations.ts';
import { expression, name, stringLiteral } from './expressions.ts';
import { laterAnnotation } from './lazy.ts';
import { WHOLE } from './lexer.ts';
import { T } from './tokens.ts';

export const noPrefixes: ElementPrefixes = {
  redeclare: false,
  final: false,
  inner: false,
  outer: false,
  replaceable: false,
  each: false,
};

/** What follows the name of a component: `(...)`, `= e`, `(...) = e`; nothing if none of them is here. */
export function modification(p: Cursor): Modification | undefined {
  const { start } = p;
  const hasArguments = p.kind === T['('];
  if (!hasArguments && p.kind !== T['='] && p.kind !== T[':=']) return undefined;
  const list = hasArguments ? classModification(p) : undefined;
  const assignment = p.kind === T[':='] && !hasArguments;
  let value: Modification['value'];
  if (p.kind === T['='] || p.kind === T[':=']) {
    if (p.kind === T[':='] && hasArguments)
      p.report(
        '`:=` where `=` is needed after a modification',
        undefined,
        [],
        replaced(p.span(p.start, p.end), '='),
      );
    p.advance();
    value = p.accept(T.break) ? 'break' : expression(p);
  }
  return { start, end: p.lastEnd, arguments: list, value, assignment };
}

/** `(a = 1, redeclare ...)`, from the `(`; `inheritance` allows the `break` of selective model extension. */
export function classModification(p: Cursor, inheritance = false): ClassModification {
  const { start } = p;
  p.enter();
  p.advance();
  const list = p.members(T[')'], () =>
    inheritance && p.kind === T.break ? inheritanceBreak(p) : modificationArgument(p),
  );
  p.expect(T[')'], 'to close this modification');
  p.leave();
  return { start, end: p.lastEnd, arguments: list.slice() };
}

export const optionalClassModification = (p: Cursor, inheritance = false): ClassModification | undefined =>
  p.kind === T['('] ? classModification(p, inheritance) : undefined;

function modificationArgument(p: Cursor): Argument {
  const { start } = p;
  const redeclare = p.accept(T.redeclare);
  const each = p.accept(T.each);
  const final = p.accept(T.final);
  const replaceable = p.accept(T.replaceable);
  if (!redeclare && !replaceable) return elementModification(p, start, each, final);
  const prefixes = { ...noPrefixes, redeclare, each, final, replaceable };
  const element = isClassStart(p) ? shortClass(p, start, prefixes) : componentClause1(p, start, prefixes);
  const constrainedBy = replaceable ? constrainingClause(p, false) : undefined;
  const end = p.lastEnd;
  return {
    kind: 'redeclare',
    start,
    end,
    element: constrainedBy ? { ...element, end, constrainedBy } : element,
  };
}

function elementModification(p: Cursor, start: number, each: boolean, final: boolean): ElementModification {
  const target = name(p, 'the name of what is modified', false);
  const change = modification(p);
  const description = stringComment(p);
  return {
    kind: 'modify',
    start,
    end: p.lastEnd,
    each,
    final,
    name: target,
    modification: change,
    description,
  };
}

function inheritanceBreak(p: Cursor): Argument {
  const { start } = p;
  p.advance();
  const target =
    p.kind === T.connect ? connectEquation(p) : p.identifier('a component or `connect` after `break`');
  return { kind: 'break', start, end: p.lastEnd, target };
}

// ---------------------------------------------------------------- descriptions

const noComment: Comment = { description: undefined, annotation: undefined };

/** The description and annotation that may end any element, equation or statement. */
export function comment(p: Cursor): Comment {
  if (p.kind !== T.string && p.kind !== T.annotation) return noComment;
  const description = stringComment(p);
  return { description, annotation: optionalAnnotation(p) };
}

export function stringComment(p: Cursor): StringComment | undefined {
  if (p.kind !== T.string) return undefined;
  const parts: StringLiteral[] = [stringLiteral(p)];
  while (p.kind === T['+']) {
    p.advance();
    if (p.kind !== T.string) p.fail('expected a string after the `+` of this description');
    parts.push(stringLiteral(p));
  }
  const value = parts.length === 1 ? parts[0]!.value : parts.map((part) => part.value).join('');
  return { start: parts[0]!.start, end: p.lastEnd, value, parts };
}

export function optionalAnnotation(p: Cursor): Annotation | undefined {
  if (p.kind !== T.annotation) return undefined;
  const { start, end } = p;
  const isWhole = p.tokens.extra[p.index] === WHOLE;
  p.advance();
  if (isWhole) return laterAnnotation(p, { start, end });
  if (p.kind !== T['(']) p.fail('expected `(` after `annotation`');
  const list = classModification(p);
  return { start, end: p.lastEnd, modification: list };
}
