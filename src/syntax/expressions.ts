/**
 * Expressions (Modelica 3.6, A.2.7). Binary operators are read by precedence climbing; the tree of `a - b - c` leans left. The
 * height of each tree is counted while it is built, so that no later stage meets one that it cannot walk.
 */
import type {
  Binary,
  BinaryOperator,
  Call,
  ComponentRef,
  Expression,
  Ident,
  Iterator,
  Name,
  NamedArgument,
  PartialApplication,
  RefPart,
  StringLiteral,
  Subscript,
  TupleExpression,
  UnaryOperator,
} from './ast.ts';
import { type Cursor, MAX_HEIGHT } from './cursor.ts';
import { spelling, T } from './tokens.ts';

/** Precedence of the binary operators by kind of token, 0 for all other tokens. */
const precedence = new Uint8Array(spelling.length);
const OR = 1;
const RELATION = 3;
const ADD = 4;
const MULTIPLY = 5;
const POWER = 6;
const levels: readonly (readonly (keyof typeof T)[])[] = [
  [],
  ['or'],
  ['and'],
  ['<', '<=', '>', '>=', '==', '<>'],
  ['+', '-', '.+', '.-'],
  ['*', '/', '.*', './'],
  ['^', '.^'],
];
levels.forEach((level, strength) => {
  for (const sign of level) precedence[T[sign]] = strength;
});

const tooHigh = `an expression with more than ${MAX_HEIGHT} operators inside one another`;

export function expression(p: Cursor): Expression {
  return p.kind === T.if ? ifExpression(p) : simpleExpression(p);
}

/** An expression that is no if-expression; the left side of an equation is one. */
export function simpleExpression(p: Cursor): Expression {
  p.enter();
  const outer = p.tallest;
  p.tallest = 0;
  const first = binary(p, OR);
  let result = first;
  if (p.kind === T[':']) {
    let height = p.tallest;
    p.advance();
    let last = binary(p, OR);
    height = Math.max(height, p.tallest);
    let step: Expression | undefined;
    if (p.accept(T[':'])) {
      step = last;
      last = binary(p, OR);
      height = Math.max(height, p.tallest);
    }
    result = { kind: 'range', start: first.start, end: last.end, first, step, last };
    p.tallest = height + 1;
  }
  if (outer > p.tallest) p.tallest = outer;
  p.leave();
  return result;
}

/** Leaves the height of its tree in `p.tallest`. */
function binary(p: Cursor, least: number): Expression {
  let left = least <= ADD && isPrefix(p.kind) ? unary(p, least) : primary(p);
  let height = p.tallest;
  for (;;) {
    const sign = p.kind;
    const strength = precedence[sign]!;
    if (strength < least || strength === 0) break;
    const at = p.index;
    p.advance();
    const right = binary(p, strength + 1);
    height = 1 + Math.max(p.tallest, height);
    if (height > MAX_HEIGHT) p.refuse(tooHigh, at);
    const operator = spelling[sign] as BinaryOperator;
    left = { kind: 'binary', start: left.start, end: right.end, operator, left, right } satisfies Binary;
    if (precedence[p.kind] === strength && (strength === RELATION || strength === POWER)) chained(p, sign);
  }
  p.tallest = height;
  return left;
}

/** `a < b < c` and `a ^ b ^ c` have no meaning in Modelica. */
function chained(p: Cursor, sign: number): void {
  p.report(
    `\`${p.tokenText()}\` cannot follow an expression with \`${spelling[sign]}\``,
    precedence[sign] === RELATION ? 'combine two relations with `and`' : 'put one of them in parentheses',
  );
}

const isPrefix = (kind: number): boolean =>
  kind === T['-'] || kind === T['+'] || kind === T.not || kind === T['.-'] || kind === T['.+'];

/** A sign belongs to the whole first term of a sum (`-a*b` is `-(a*b)`), `not` to a relation. */
function unary(p: Cursor, least: number): Expression {
  const { start } = p;
  const operator = spelling[p.kind] as UnaryOperator;
  if (operator === 'not' && least > RELATION) p.fail('expected an operand', 'put `not ...` in parentheses');
  p.advance();
  if (operator === 'not' && p.kind === T.not) p.report('`not` cannot follow `not`', 'use parentheses');
  const operand = binary(p, operator === 'not' ? RELATION : MULTIPLY);
  p.tallest++;
  return { kind: 'unary', start, end: operand.end, operator, operand };
}

function ifExpression(p: Cursor): Expression {
  const { start } = p;
  p.enter();
  const outer = p.tallest;
  p.tallest = 0;
  const branches: { condition: Expression; value: Expression }[] = [];
  do {
    p.advance();
    const condition = conditionExpression(p);
    p.expect(T.then, 'after this condition');
    branches.push({ condition, value: expression(p) });
  } while (p.kind === T.elseif);
  if (p.kind !== T.else) p.fail('expected `else`', 'an if-expression must have a value in every case');
  p.advance();
  const otherwise = expression(p);
  p.tallest = Math.max(p.tallest + 1, outer);
  p.leave();
  return { kind: 'if', start, end: otherwise.end, branches, otherwise };
}

/** A condition; `=` in it is a slip for `==`. */
export function conditionExpression(p: Cursor): Expression {
  const left = expression(p);
  if (p.kind !== T['=']) return left;
  p.report('`=` where the comparison `==` is needed', 'write `==`');
  p.advance();
  const right = simpleExpression(p);
  return { kind: 'binary', start: left.start, end: right.end, operator: '==', left, right };
}

// ---------------------------------------------------------------- primaries

function primary(p: Cursor): Expression {
  const { tokens, index } = p;
  const start = tokens.start[index]!;
  const end = tokens.end[index]!;
  p.tallest = 0;
  switch (p.kind) {
    case T.identifier:
    case T['.']: {
      const ref = componentReference(p);
      return p.kind === T['('] ? call(p, ref) : ref;
    }
    case T.integer:
    case T.real: {
      const text = p.text.slice(start, end);
      const integer = p.kind === T.integer;
      const value = Number(text);
      if (integer ? !Number.isSafeInteger(value) : !Number.isFinite(value)) tooLarge(p, start, end, integer);
      p.advance();
      return { kind: 'number', start, end, value, integer, text };
    }
    case T.string:
      return stringLiteral(p);
    case T.true:
    case T.false: {
      const value = p.kind === T.true;
      p.advance();
      return { kind: 'boolean', start, end, value };
    }
    case T.end:
      // In a subscript, `end for` is part of a comprehension and `end;` ends the row of a matrix.
      if (p.isClosingEnd() && !(p.subscripts > 0 && (p.peek() === T.for || p.peek() === T[';']))) break;
      if (p.subscripts === 0) p.report('`end` as a value can only stand in a subscript');
      p.advance();
      return { kind: 'end', start, end };
    case T['(']:
      return indexed(p, tuple(p));
    case T['[']:
      return matrix(p);
    case T['{']:
      return array(p);
    case T.der:
    case T.initial:
    case T.pure:
      if (p.peek() === T['(']) return call(p, keywordReference(p));
      break;
  }
  return noOperand(p);
}

/** A literal that no double is equal to, or near. */
function tooLarge(p: Cursor, start: number, end: number, integer: boolean): void {
  const message = integer
    ? 'this Integer is beyond 2^53, the largest that is exact'
    : 'this number is too large: the largest Real is 1.8e308';
  const hint = integer ? 'write it as a Real, with a point' : undefined;
  p.reportAt(start, end, message, hint, [], undefined, 'limit-exceeded');
}

function noOperand(p: Cursor): never {
  if (isPrefix(p.kind)) {
    p.fail(
      `\`${p.tokenText()}\` cannot follow another operator`,
      'put the signed expression in parentheses, as in `a*(-b)`',
    );
  }
  if (p.kind === T.if) p.fail('an if-expression as an operand needs parentheses');
  p.fail('expected an expression');
}

/** `der`, `initial` or `pure` as the name of a function. */
function keywordReference(p: Cursor): ComponentRef {
  const { start, end } = p;
  const part: RefPart = { start, end, name: p.tokenText(), subscripts: [] };
  p.advance();
  return { kind: 'ref', start, end, global: false, parts: [part] };
}

export function stringLiteral(p: Cursor): StringLiteral {
  const { start, end } = p;
  const text = p.text.slice(start, end);
  const inner = text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text.slice(1);
  const value = p.tokens.extra[p.index] === 1 ? unescaped(inner) : inner;
  p.advance();
  return { kind: 'string', start, end, value, text };
}

const escapes: Record<string, string> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const unescaped = (text: string): string => text.replace(/\\([\s\S])/g, (_, c: string) => escapes[c] ?? c);

/** Subscripts of a parenthesised expression, where there are any (Modelica 3.6, A.2.7). */
function indexed(p: Cursor, tuple: TupleExpression): Expression {
  const [array] = tuple.members;
  if (p.kind !== T['['] || tuple.members.length !== 1 || !array) return tuple;
  const subscripts = arraySubscripts(p);
  p.tallest++;
  return { kind: 'index', start: tuple.start, end: p.lastEnd, array, subscripts };
}

/** `(a)`, or the outputs `(a, , b)`. */
function tuple(p: Cursor): TupleExpression {
  const { start } = p;
  p.advance();
  const members: (Expression | undefined)[] = [];
  while (p.kind !== T[')']) {
    members.push(p.kind === T[','] ? undefined : expression(p));
    if (!p.accept(T[','])) break;
    if (p.kind === T[')']) members.push(undefined);
  }
  p.expect(T[')'], 'to close this parenthesis');
  p.tallest++;
  return { kind: 'tuple', start, end: p.lastEnd, members };
}

function matrix(p: Cursor): Expression {
  const { start } = p;
  p.advance();
  const rows: Expression[][] = [];
  do {
    const row = [expression(p)];
    while (p.another(T[']'])) row.push(expression(p));
    rows.push(exact(row));
  } while (p.accept(T[';']));
  p.expect(T[']'], 'to close this matrix');
  p.tallest++;
  return { kind: 'matrix', start, end: p.lastEnd, rows };
}

function array(p: Cursor): Expression {
  const { start } = p;
  p.advance();
  if (p.kind === T['}']) p.fail('an array constructor needs an element', '`fill(0, 0)` is an empty array');
  const first = expression(p);
  if (p.kind === T.for) {
    const iterators = forIterators(p);
    p.expect(T['}'], 'to close this array');
    p.tallest++;
    return { kind: 'comprehension', start, end: p.lastEnd, value: first, iterators };
  }
  const elements = [first];
  while (p.another(T['}'])) elements.push(expression(p));
  p.expect(T['}'], 'to close this array');
  p.tallest++;
  return { kind: 'array', start, end: p.lastEnd, elements: exact(elements) };
}

/** `for i in r, j in s`, from the word `for`. */
export function forIterators(p: Cursor): Iterator[] {
  p.advance();
  const iterators = [iterator(p)];
  while (p.accept(T[','])) iterators.push(iterator(p));
  return iterators;
}

function iterator(p: Cursor): Iterator {
  const name = p.identifier('the name of an iterator');
  const range = p.accept(T.in) ? expression(p) : undefined;
  return { start: name.start, end: p.lastEnd, name, range };
}

// ---------------------------------------------------------------- names and references

const noSubscripts: readonly Subscript[] = [];

export function componentReference(p: Cursor): ComponentRef {
  const { start } = p;
  const global = p.accept(T['.']);
  const parts = [referencePart(p)];
  while (p.accept(T['.'])) parts.push(referencePart(p));
  return { kind: 'ref', start, end: p.lastEnd, global, parts: exact(parts) };
}

function referencePart(p: Cursor): RefPart {
  const { start, end, text } = p.identifier('a name');
  if (p.kind !== T['[']) return { start, end, name: text, subscripts: noSubscripts };
  const subscripts = arraySubscripts(p);
  return { start, end: p.lastEnd, name: text, subscripts };
}

/**
 * The same list without room to grow. An array that grows by `push` holds space for sixteen more members; in trees of millions
 * of short lists that is most of the memory, and the garbage collector has to carry it about.
 */
export const exact = <Member>(list: Member[]): Member[] => (list.length > 1 ? list.slice() : list);

/** `[i, :]`, or nothing. */
export function arraySubscripts(p: Cursor): readonly Subscript[] {
  if (p.kind !== T['[']) return noSubscripts;
  p.advance();
  p.subscripts++;
  const subscripts = [subscript(p)];
  while (p.another(T[']'])) subscripts.push(subscript(p));
  p.expect(T[']'], 'to close these subscripts');
  p.subscripts--;
  p.tallest++;
  return exact(subscripts);
}

function subscript(p: Cursor): Subscript {
  if (p.kind !== T[':']) return expression(p);
  const { start, end } = p;
  p.advance();
  return { kind: 'colon', start, end };
}

/** A dotted name; `global` says whether a leading point is allowed. */
export function name(p: Cursor, what: string, global: boolean): Name {
  const { start } = p;
  const isGlobal = global && p.accept(T['.']);
  const parts: Ident[] = [p.identifier(what)];
  while (p.kind === T['.'] && p.peek() !== T['{'] && p.peek() !== T['*']) {
    p.advance();
    parts.push(p.identifier(what));
  }
  return { start, end: p.lastEnd, global: isGlobal, parts: exact(parts) };
}

export const typeSpecifier = (p: Cursor, what: string): Name => name(p, what, true);

// ---------------------------------------------------------------- calls

/** The arguments of a call, from the `(`. */
export function call(p: Cursor, callee: ComponentRef): Call {
  let positional: (Expression | PartialApplication)[] = noArguments;
  let named: NamedArgument[] = noArguments;
  let iterators: Iterator[] | undefined;
  p.advance();
  if (p.kind !== T[')']) {
    do {
      if (p.kind === T.identifier && p.peek() === T['=']) named = appended(named, namedArgument(p));
      else {
        if (named.length > 0) p.fail('a positional argument cannot follow a named one');
        positional = appended(positional, argument(p));
      }
    } while (p.another(T[')']));
    if (p.kind === T.for) {
      if (positional.length !== 1 || named.length > 0) p.fail('`for` must follow the only argument');
      iterators = forIterators(p);
    }
  }
  p.expect(T[')'], 'to close this call');
  p.tallest++;
  return {
    kind: 'call',
    start: callee.start,
    end: p.lastEnd,
    callee,
    positional: exact(positional),
    named: exact(named),
    iterators,
  };
}

/** Shared by all calls without arguments of a kind; never changed. */
const noArguments: never[] = [];

function appended<Member>(list: Member[], member: Member): Member[] {
  if (list.length === 0) return [member];
  list.push(member);
  return list;
}

function namedArgument(p: Cursor): NamedArgument {
  const name = p.identifier('the name of an argument');
  p.advance();
  const value = argument(p);
  return { start: name.start, end: p.lastEnd, name, value };
}

function argument(p: Cursor): Expression | PartialApplication {
  if (p.kind !== T.function) return expression(p);
  const { start } = p;
  p.advance();
  const target = typeSpecifier(p, 'the name of a function');
  p.expect(T['('], 'after the name of this function');
  const named = p.members(T[')'], () => {
    if (p.kind !== T.identifier || p.peek() !== T['='])
      p.fail('expected a named argument', 'a partial application has arguments of the form `name = value`');
    return namedArgument(p);
  });
  p.expect(T[')'], 'to close this partial application');
  return { kind: 'partial', start, end: p.lastEnd, function: target, arguments: named };
}
