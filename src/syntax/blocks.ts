/** What equations and statements have in common: bodies in `if`, `for`, `when` and `while`, and their `end`. */

import type { Branch } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { conditionExpression, forIterators } from './expressions.ts';
import { comment } from './modifications.ts';
import { spelling, T } from './tokens.ts';

/** The grammar of the items in a body. */
export interface ItemRule<Item> {
  readonly parse: (p: Cursor) => Item;
  /** What messages call one of them. */
  readonly what: (item: Item) => string;
}

const atBlockEnd = (p: Cursor): boolean => p.atBlockEnd();

export function body<Item>(p: Cursor, rule: ItemRule<Item>): Item[] {
  return p.items(rule.parse, atBlockEnd, rule.what);
}

/** `if c then ... elseif d then ...`, or the same with `when` and `elsewhen`, from the first word. */
function branches<Item>(p: Cursor, rule: ItemRule<Item>, next: number): Branch<Item>[] {
  const list: Branch<Item>[] = [];
  do {
    p.advance();
    const condition = conditionExpression(p);
    p.expect(T.then, 'after this condition');
    list.push({ condition, body: body(p, rule) });
  } while (p.kind === next);
  return list;
}

/** `if`, with the items of equations or of algorithms. */
export const ifBlock = <Item>(p: Cursor, rule: ItemRule<Item>) =>
  block(p, 'if', () => {
    const list = branches(p, rule, T.elseif);
    return { branches: list, otherwise: p.accept(T.else) ? body(p, rule) : undefined };
  });

export const forBlock = <Item>(p: Cursor, rule: ItemRule<Item>) =>
  block(p, 'for', () => {
    const iterators = forIterators(p);
    p.expect(T.loop, 'after these iterators');
    return { iterators, body: body(p, rule) };
  });

export const whenBlock = <Item>(p: Cursor, rule: ItemRule<Item>) =>
  block(p, 'when', () => ({ branches: branches(p, rule, T.elsewhen) }));

/** Reads an `if`, `for`, `when` or `while` from its first word to the comment behind its `end`. */
export function block<Kind extends string, Inside>(p: Cursor, kind: Kind, read: () => Inside) {
  const { start, end, kind: word } = p;
  p.enter();
  p.blocks.push(word);
  const inside = read();
  p.blocks.pop();
  blockEnd(p, word, start, end);
  p.leave();
  const text = comment(p);
  return { kind, start, end: p.lastEnd, ...inside, comment: text };
}

/** `end if` and its like; where it is missing, the blocks around tell whether an `end` belongs to one of them. */
function blockEnd(p: Cursor, kind: number, start: number, end: number): void {
  const word = spelling[kind]!;
  const next = p.peek();
  if (p.kind === T.end && next === kind) {
    p.advance();
    p.advance();
    return;
  }
  const begin = { message: `this \`${word}\` is not closed`, span: p.span(start, end) };
  if (p.kind === T.else || p.kind === T.elseif || p.kind === T.elsewhen) {
    p.fail(`\`${p.tokenText()}\` cannot stand in this \`${word}\` here`);
  }
  const fix = p.adding(`end ${word};`, '\n');
  p.report(`expected \`end ${word};\``, kind === T.if ? nestedHint(p, start) : undefined, [begin], fix);
  if (p.kind !== T.end) return;
  const other = next === T.if || next === T.for || next === T.when || next === T.while;
  if (other && !p.blocks.includes(next)) {
    p.advance();
    p.advance();
  } else if (next === T[';']) p.advance();
}

/** A nested `else if` is the usual reason for a missing `end if`. */
function nestedHint(p: Cursor, start: number): string | undefined {
  const { kind, start: starts } = p.tokens;
  for (let i = p.index - 1; i > 0 && starts[i]! > start; i--) {
    if (kind[i - 1] === T.else && kind[i] === T.if)
      return '`else if` needs an `end if` of its own, `elseif` does not';
  }
  return undefined;
}
