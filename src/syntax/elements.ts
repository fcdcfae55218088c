/** The elements of a class: imports, extends clauses, classes and components (Modelica 3.6, A.2.2 to A.2.4). */
import type {
  ComponentClause,
  ConstrainedBy,
  Declaration,
  Element,
  ElementPrefixes,
  ExtendsClause,
  Ident,
  ImportClause,
} from './ast.ts';
import { classDefinition, isClassStart } from './classes.ts';
import type { Cursor } from './cursor.ts';
import { arraySubscripts, conditionExpression, name, typeSpecifier } from './expressions.ts';
import { lean } from './lazy.ts';
import {
  comment,
  modification,
  noPrefixes,
  optionalAnnotation,
  optionalClassModification,
} from './modifications.ts';
import { flags, T } from './tokens.ts';

/** Words that begin an equation and can never begin a declaration. */
const isEquationStart = flags(T.connect, T.der, T.for, T.if, T.when, T.while);

export function element(p: Cursor): Element {
  if (p.kind === T.import) return importClause(p);
  if (p.kind === T.extends) return extendsClause(p);
  if (isEquationStart[p.kind]) p.failMisplaced(p.kind === T.while ? T.algorithm : T.equation);
  const { start } = p;
  const prefixes = elementPrefixes(p);
  const inside = isClassStart(p) ? classDefinition(p, start, prefixes) : componentClause(p, start, prefixes);
  const constrainedBy = prefixes.replaceable ? constrainingClause(p, true) : undefined;
  // Not a copy: that would ask for the body of a class.
  const whole = constrainedBy ? Object.assign(inside, { end: p.lastEnd, constrainedBy }) : inside;
  return whole.kind === 'class' ? lean(p, whole) : whole;
}

function elementPrefixes(p: Cursor): ElementPrefixes {
  switch (p.kind) {
    case T.redeclare:
    case T.final:
    case T.inner:
    case T.outer:
    case T.replaceable:
      break;
    default:
      return noPrefixes;
  }
  const redeclare = p.accept(T.redeclare);
  const final = p.accept(T.final);
  const inner = p.accept(T.inner);
  const outer = p.accept(T.outer);
  const replaceable = p.accept(T.replaceable);
  return { redeclare, final, inner, outer, replaceable, each: false };
}

function importClause(p: Cursor): ImportClause {
  const { start } = p;
  p.advance();
  let alias: Ident | undefined;
  if (p.kind === T.identifier && p.peek() === T['=']) {
    alias = p.identifier('a name');
    p.advance();
  }
  const target = name(p, 'the name of a class', false);
  let wildcard = false;
  let selection: Ident[] | undefined;
  if (!alias && p.accept(T['.*'])) wildcard = true;
  else if (!alias && p.accept(T['.'])) {
    if (p.accept(T['*'])) wildcard = true;
    else selection = importList(p);
  }
  const text = comment(p);
  return { kind: 'import', start, end: p.lastEnd, name: target, alias, wildcard, selection, comment: text };
}

function importList(p: Cursor): Ident[] {
  p.expect(T['{'], 'or `*` after the point');
  const list: Ident[] = [];
  do list.push(p.identifier('the name of a class'));
  while (p.accept(T[',']));
  p.expect(T['}'], 'to close this list');
  return list;
}

function extendsClause(p: Cursor): ExtendsClause {
  const { start } = p;
  p.advance();
  const base = typeSpecifier(p, 'the name of a class');
  const change = optionalClassModification(p, true);
  const annotation = optionalAnnotation(p);
  return { kind: 'extends', start, end: p.lastEnd, base, modification: change, annotation };
}

/** `constrainedby ...`, followed by a description in a class but not in a modification. */
export function constrainingClause(p: Cursor, described: boolean): ConstrainedBy | undefined {
  if (p.kind !== T.constrainedby) return undefined;
  const { start } = p;
  p.advance();
  const bound = typeSpecifier(p, 'the name of a class');
  const change = optionalClassModification(p);
  const text = described ? comment(p) : { description: undefined, annotation: undefined };
  return { start, end: p.lastEnd, name: bound, modification: change, comment: text };
}

// ---------------------------------------------------------------- components

function componentClause(p: Cursor, start: number, prefixes: ElementPrefixes): ComponentClause {
  const head = componentHead(p, start, prefixes);
  if (head.type.start === start) {
    if (p.kind === T['='] || p.kind === T['('] || p.kind === T['==']) p.failMisplaced(T.equation);
    if (p.kind === T[':=']) p.failMisplaced(T.algorithm);
  }
  const declarations = [declaration(p, true)];
  while (p.accept(T[','])) declarations.push(declaration(p, true));
  return { ...head, end: p.lastEnd, declarations };
}

/** The component of a redeclaration: one declaration, without a condition. */
export function componentClause1(p: Cursor, start: number, prefixes: ElementPrefixes): ComponentClause {
  const head = componentHead(p, start, prefixes);
  const declarations = [declaration(p, false)];
  return { ...head, end: p.lastEnd, declarations };
}

function componentHead(p: Cursor, start: number, prefixes: ElementPrefixes): ComponentClause {
  const connection = p.acceptOne(connections);
  const variability = p.acceptOne(variabilities);
  const causality = p.acceptOne(causalities);
  const type = typeSpecifier(p, 'a declaration');
  const subscripts = arraySubscripts(p);
  return {
    kind: 'component',
    start,
    end: start,
    prefixes,
    connection,
    variability,
    causality,
    type,
    subscripts,
    declarations: [],
    constrainedBy: undefined,
  };
}

const connections = ['flow', 'stream'] as const;
const variabilities = ['constant', 'parameter', 'discrete'] as const;
export const causalities = ['input', 'output'] as const;

function declaration(p: Cursor, conditional: boolean): Declaration {
  const ident = p.identifier('the name of a component');
  const subscripts = arraySubscripts(p);
  const change = modification(p);
  const condition = conditional && p.accept(T.if) ? conditionExpression(p) : undefined;
  const text = comment(p);
  return {
    start: ident.start,
    end: p.lastEnd,
    name: ident,
    subscripts,
    modification: change,
    condition,
    comment: text,
  };
}
