/**
 * The state of a parse: the place in the tokens, and everything that has to do with mistakes. The rules of the grammar are
 * functions over a `Cursor` in the files beside this one.
 *
 * Recovery: a rule that cannot go on reports and throws `unwind`; the nearest list of items (elements, equations, statements)
 * catches it, leaves the broken item out and goes on behind the next `;` or at the next word that must belong to an enclosing rule. A
 * missing token whose place is clear is reported and taken as written. Two reports at one token are one mistake.
 */

import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { type Diagnostic, error, type Note } from '../diagnostic/diagnostic.ts';
import { type Fix, inserted, replaced } from '../diagnostic/fix.ts';
import { nearest } from '../diagnostic/nearest.ts';
import { pulse } from '../diagnostic/pulse.ts';
import type { Source, Span } from '../diagnostic/source.ts';
import type { Ident } from './ast.ts';
import { type Piece, type Tokens, tokenize } from './lexer.ts';
import type { Outline } from './outline.ts';
import { firstKeyword, flags, isKeyword, keywords, spelling, T } from './tokens.ts';

/** Levels of nesting (parentheses, classes, blocks of equations) before the text is refused; the rules are recursive. */
const MAX_DEPTH = 250;
/** Height of an expression tree before the text is refused: later stages may walk a tree recursively. */
export const MAX_HEIGHT = 2000;
const MAX_ERRORS = 100;
/** How far the parser looks for a closing bracket after a mistake. */
const MAX_LOOKAHEAD = 1000;
/** Attempts to read a misspelt word as the reserved word it resembles, in one text. */
const MAX_REPAIRS = 20;

class Unwind extends Error {}
/** Thrown to the nearest list of items; what is wrong has been reported. */
export const unwind = new Unwind('unwind');
/** Thrown to the very beginning: a limit was exceeded. */
export const abort = new Unwind('abort');

/** Bodies of classes that are passed over, in their order, and who is told of mistakes in them when they are read after all. */
export interface SkippedBodies {
  readonly bodies: readonly Outline[];
  readonly report: (mistakes: readonly Diagnostic[]) => void;
}

export class Cursor {
  readonly text: string;
  /** How many characters are read: all of the text, or those of a part. */
  readonly length: number;
  readonly tokens: Tokens;
  readonly diagnostics: Diagnostic[] = [];
  /** Number and kind of the current token. */
  index = 0;
  kind: number;
  /** Height of the highest expression finished inside the expression that is being read. */
  tallest = 0;
  /** How many pairs of `[` `]` with subscripts are open; `end` is an expression inside one. */
  subscripts = 0;
  /** The `if`, `for`, `when` and `while` blocks that are open, and the names of the open classes. */
  readonly blocks: number[] = [];
  readonly classes: Ident[] = [];
  /** `T.equation` or `T.algorithm` when one of these words is missing before the current token, otherwise 0. */
  misplaced = 0;
  private depth = 0;
  /** The first token of the item before the current one. */
  private lastItem = -1;
  private reported = -1;
  private repairs = 0;
  private nextBody = 0;

  /** Begins at the first token of the text, or of a part of it. */
  constructor(
    readonly source: Source,
    part?: Piece,
    readonly skipped?: SkippedBodies,
  ) {
    this.text = source.text;
    this.length = part ? part.end - part.start : source.text.length;
    this.tokens = tokenize(source, part, skipped?.bodies);
    this.kind = this.tokens.kind[0]!;
  }

  // -------------------------------------------------------------- moving

  advance(): void {
    if (this.kind !== T.end_of_text) this.kind = this.tokens.kind[++this.index]!;
  }

  accept(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  /** One of some reserved words, where it is here. */
  acceptOne<Word extends keyof typeof T>(words: readonly Word[]): Word | undefined {
    for (const word of words) if (this.accept(T[word])) return word;
    return undefined;
  }

  /** The kind of the token `ahead` places further on. */
  peek(ahead = 1): number {
    return this.tokens.kind[Math.min(this.index + ahead, this.tokens.count - 1)]!;
  }

  get start(): number {
    return this.tokens.start[this.index]!;
  }

  get end(): number {
    return this.tokens.end[this.index]!;
  }

  /** Where the token before the current one ends. */
  get lastEnd(): number {
    return this.index === 0 ? 0 : this.tokens.end[this.index - 1]!;
  }

  tokenText(): string {
    return this.text.slice(this.start, this.end);
  }

  enter(): void {
    pulse();
    if (++this.depth > MAX_DEPTH) this.refuse(`more than ${MAX_DEPTH} levels of nesting`);
  }

  leave(): void {
    this.depth--;
  }

  // -------------------------------------------------------------- identifiers

  identifier(what: string): Ident {
    if (this.kind !== T.identifier) return this.missingIdentifier(what);
    const { tokens, index } = this;
    const ident: Ident = {
      start: tokens.start[index]!,
      end: tokens.end[index]!,
      text: tokens.words.texts[tokens.extra[index]!]!,
    };
    this.kind = tokens.kind[++this.index]!;
    return ident;
  }

  /** A reserved word where a name belongs is taken for the name if it stands like one. */
  private missingIdentifier(what: string): Ident {
    const { start, end } = this;
    if (isKeyword(this.kind) && !this.onNewLine() && this.peek() !== T.identifier) {
      const quoted = `'${this.tokenText()}'`;
      this.report(
        `\`${this.tokenText()}\` is a reserved word and cannot be ${what}`,
        `another name, or \`${quoted}\` in quotes, can be used`,
        [],
        replaced(this.span(start, end), quoted),
      );
      const ident = { start, end, text: this.tokenText() };
      this.advance();
      return ident;
    }
    return this.fail(`expected ${what}`);
  }

  /** The body of the class whose name ends at a place, if that body is passed over. */
  skippedBody(nameEnd: number): Outline | undefined {
    const { skipped } = this;
    if (!skipped) return undefined;
    while ((skipped.bodies[this.nextBody]?.start ?? nameEnd) < nameEnd) this.nextBody++;
    const body = skipped.bodies[this.nextBody];
    return body?.start === nameEnd ? body : undefined;
  }

  /** All mistakes, in the order of the text. */
  mistakes(): Diagnostic[] {
    const all = [...this.tokens.diagnostics, ...this.diagnostics];
    return all.sort((a, b) => a.span!.start - b.span!.start);
  }

  // -------------------------------------------------------------- expecting

  /** Consumes a token that must be here, or reports that it is missing: "expected `)` `where`". */
  expect(kind: number, where: string): void {
    if (this.accept(kind)) return;
    const isClear = this.onNewLine() || closesItem[this.kind] === 1;
    const fix = isClear ? this.adding(spelling[kind]!) : undefined;
    this.report(`expected \`${spelling[kind]}\` ${where}`, undefined, [], fix);
    if (!isClear) throw unwind;
  }

  /**
   * After a member of a list that ends with `close`: true if another one follows. A comma is missing, and not the `close`, if
   * the list is closed later on.
   */
  another(close: number): boolean {
    if (this.accept(T[','])) return true;
    if (this.kind === close || !startsMember[this.kind] || !this.closesLater(close)) return false;
    this.report(`expected \`,\` or \`${spelling[close]}\``, undefined, [], this.adding(','));
    return true;
  }

  /** The members of a list up to `close`; none where that is here already. */
  members<Member>(close: number, read: (p: Cursor) => Member): Member[] {
    const members: Member[] = [];
    if (this.kind === close) return members;
    do members.push(read(this));
    while (this.another(close));
    return members;
  }

  /** True if the brackets of this item close a list that is open here, and with `close`. */
  private closesLater(close: number): boolean {
    let open = 0;
    for (let ahead = 0; ahead < MAX_LOOKAHEAD; ahead++) {
      const kind = this.peek(ahead);
      if (kind === T['('] || kind === T['['] || kind === T['{']) open++;
      else if (kind === T[')'] || kind === T[']'] || kind === T['}']) {
        if (open === 0) return kind === close;
        open--;
      } else if (kind === T.end_of_text || (kind === T[';'] && close !== T[']'])) return false;
    }
    return false;
  }

  /** The `;` after an item. */
  semicolon(what: string): void {
    if (this.accept(T[';'])) return;
    const isClear = this.onNewLine() || closesBlock[this.kind] === 1;
    const fix = isClear ? this.adding(';') : undefined;
    this.report(`expected \`;\` after this ${what}`, undefined, [], fix);
    if (!isClear) throw unwind;
  }

  /** What is missing behind the last token; words have a space before them. */
  adding(text: string, indent = ''): Fix {
    const space = indent || (/^\w/.test(text) ? ' ' : '');
    return inserted(this.source, this.lastEnd, space + text);
  }

  /** True if a line break separates the current token from the one before. */
  onNewLine(): boolean {
    return /[\r\n]/.test(this.text.slice(this.lastEnd, this.start)) || this.kind === T.end_of_text;
  }

  // -------------------------------------------------------------- reporting

  /** Reports what was expected here, with what is here instead, and gives the item up. */
  fail(message: string, hint?: string): never {
    this.report(message, hint);
    throw unwind;
  }

  /** Gives the item up after a report. */
  giveUp(): never {
    throw unwind;
  }

  /** The same for something that has been read already. */
  failAt(start: number, end: number, message: string): never {
    this.reportAt(start, end, message);
    throw unwind;
  }

  /** "expected ..." at the current token, or behind the one before if that ends its line. */
  report(message: string, hint?: string, notes: readonly Note[] = [], fix?: Fix): void {
    if (!message.startsWith('expected')) {
      this.reportAt(this.start, this.end, message, hint, notes, fix);
    } else if (this.onNewLine()) {
      const found = this.kind === T.end_of_text ? ', found the end of the text' : '';
      this.reportAt(this.lastEnd, this.lastEnd, message + found, hint, notes, fix);
    } else this.reportAt(this.start, this.end, `${message}, found ${this.describe()}`, hint, notes, fix);
  }

  reportAt(
    start: number,
    end: number,
    message: string,
    hint?: string,
    notes: readonly Note[] = [],
    fix?: Fix,
    code: DiagnosticCode = 'syntax-error',
  ): void {
    if (this.reported === this.index && code === 'syntax-error') return;
    this.reported = this.index;
    if (this.besideLexicalError()) return;
    this.diagnostics.push(error(code, message, { span: this.span(start, end), hint, notes, fix }));
    if (this.diagnostics.length >= MAX_ERRORS) this.refuse(`more than ${MAX_ERRORS} mistakes`);
  }

  /** Whether anything was reported so far, or by the lexer anywhere. */
  get hasMistakes(): boolean {
    return this.diagnostics.length > 0 || this.tokens.diagnostics.length > 0;
  }

  span(start: number, end: number): Span {
    return { source: this.source, start, end };
  }

  /** Ends the parse: the text goes beyond a limit. */
  refuse(what: string, token = this.index): never {
    const span = this.span(this.tokens.start[token]!, this.tokens.end[token]!);
    this.diagnostics.push(error('limit-exceeded', `${what}; the rest of the text is not read`, { span }));
    throw abort;
  }

  private describe(): string {
    if (this.kind === T.string) return 'a string';
    const text = this.tokenText();
    return `\`${text.length > 40 ? `${text.slice(0, 37)}...` : text}\``;
  }

  /** What the lexer has reported here is the reason for the parser's trouble, too. */
  private besideLexicalError(): boolean {
    const from = this.index === 0 ? 0 : this.tokens.start[this.index - 1]!;
    const to = this.end;
    return this.tokens.diagnostics.some(({ span }) => span!.start >= from && span!.start <= to);
  }

  // -------------------------------------------------------------- recovery

  /**
   * Items up to a token that `isEnd`, each followed by `;`. Every round consumes at least one token, or is the last.
   * `what` names an item in messages.
   */
  items<Item>(
    parse: (p: Cursor) => Item,
    isEnd: (p: Cursor) => boolean,
    what: (item: Item) => string,
  ): Item[] {
    const items: Item[] = [];
    while (this.kind !== T.end_of_text && !isEnd(this)) {
      const before = this.index;
      if (!this.attempt(() => items.push(this.item(parse, what))) && !this.repair(before, parse, isEnd)) {
        if (this.misplaced !== 0) {
          this.moveTo(before);
          break;
        }
        this.skipItem(before);
        if (this.index === before) this.advance();
      }
      this.lastItem = before;
    }
    return items;
  }

  private item<Item>(parse: (p: Cursor) => Item, what: (item: Item) => string): Item {
    const item = parse(this);
    if (this.kind === T[';']) this.advance();
    else this.semicolon(what(item));
    return item;
  }

  /** Runs a rule; false if it gave up, with the state as if its inner rules had ended. */
  private attempt(rule: () => void): boolean {
    const { depth } = this;
    const blocks = this.blocks.length;
    const classes = this.classes.length;
    const { subscripts } = this;
    try {
      rule();
      return true;
    } catch (thrown) {
      if (thrown !== unwind) throw thrown;
      this.depth = depth;
      this.blocks.length = blocks;
      this.classes.length = classes;
      this.subscripts = subscripts;
      return false;
    }
  }

  private moveTo(index: number): void {
    this.index = index;
    this.kind = this.tokens.kind[index]!;
  }

  /**
   * If the item that failed begins with a misspelt reserved word, and with the right word it can be read, reports the
   * word instead of what was reported; the item is then read again with the word as it is meant.
   */
  private repair(first: number, parse: (p: Cursor) => unknown, isEnd: (p: Cursor) => boolean): boolean {
    const { tokens, index, diagnostics, reported, misplaced } = this;
    if (tokens.kind[first] !== T.identifier || this.repairs >= MAX_REPAIRS) return false;
    const word = tokens.words.texts[tokens.extra[first]!]!;
    const meant = word.length > 2 ? nearest(word, itemWords) : undefined;
    if (meant === undefined) return false;
    this.repairs++;
    const before = diagnostics.length;
    tokens.kind[first] = firstKeyword + keywords.indexOf(meant);
    this.moveTo(first);
    // A mistake deep inside is another one; one in the first words says that the guess is wrong.
    const here = tokens.end[Math.min(first + 4, tokens.count - 1)]!;
    const readable =
      isEnd(this) ||
      (this.attempt(() => parse(this)) && diagnostics.slice(before).every(({ span }) => span!.start > here));
    diagnostics.length = before;
    if (!readable) {
      tokens.kind[first] = T.identifier;
      this.moveTo(index);
      this.reported = reported;
      this.misplaced = misplaced;
      return false;
    }
    this.moveTo(first);
    this.misplaced = 0;
    const start = tokens.start[first]!;
    const latest = diagnostics.at(-1)?.span;
    if (latest && latest.start >= start) diagnostics.pop();
    this.reported = -1;
    const fix = replaced(this.span(start, tokens.end[first]!), meant);
    this.report(`\`${word}\` is not a reserved word`, `did you mean \`${meant}\`?`, [], fix);
    this.reported = -1;
    return true;
  }

  /** Reports an equation or statement among declarations; `section` is the word that should stand before it. */
  failMisplaced(section: number): never {
    const word = spelling[section]!;
    const previous = this.lastItem;
    const { kind, words, extra, start, end } = this.tokens;
    const text = previous >= 0 && kind[previous] === T.identifier ? words.texts[extra[previous]!]! : '';
    if (nearest(text, [word]) === word) {
      const message = `\`${text}\` is not a reserved word`;
      const fix = replaced(this.span(start[previous]!, end[previous]!), word);
      this.reportAt(start[previous]!, end[previous]!, message, `did you mean \`${word}\`?`, [], fix);
    } else {
      const fix = inserted(this.source, this.lastEnd, `\n${word}`);
      this.report(`expected a declaration`, `equations and statements follow the word \`${word}\``, [], fix);
    }
    this.misplaced = section;
    throw unwind;
  }

  /** Goes behind the `;` of a broken item that began at token `first`, or to a word that cannot belong to it. */
  private skipItem(first: number): void {
    let brackets = 0;
    for (let i = first; i < this.index; i++) {
      if (this.tokens.kind[i] === T['[']) brackets++;
      else if (this.tokens.kind[i] === T[']']) brackets--;
    }
    for (; this.kind !== T.end_of_text; this.advance()) {
      if (this.kind === T['[']) brackets++;
      else if (this.kind === T[']']) brackets--;
      else if (this.kind === T[';'] && !(brackets > 0 && this.insideMatrix())) {
        this.advance();
        return;
      } else if (this.kind === T.end ? this.isClosingEnd() : this.atBlockEnd()) return;
    }
  }

  /** True if the `;` here separates rows: a `]` comes before anything that an expression cannot contain. */
  private insideMatrix(): boolean {
    for (let ahead = 1; ahead < 100; ahead++) {
      const kind = this.peek(ahead);
      if (kind === T[']']) return true;
      if (kind === T['='] || kind === T[':='] || closesBlock[kind]) return false;
    }
    return false;
  }

  /** True where two names stand side by side, or a word that only a declaration can begin with. */
  looksLikeDeclaration(): boolean {
    if (startsElement[this.kind]) return true;
    let ahead = this.kind === T['.'] ? 1 : 0;
    if (this.peek(ahead) !== T.identifier) return false;
    while (this.peek(ahead + 1) === T['.'] && this.peek(ahead + 2) === T.identifier) ahead += 2;
    return this.peek(ahead + 1) === T.identifier;
  }

  /** Tells the `end` of a class or block from that of a subscript. */
  isClosingEnd(): boolean {
    return this.kind === T.end && followsEnd[this.peek()] === 1;
  }

  /** True at a word that ends a list of equations or statements: `end if`, `else`, a new section, the end of the class. */
  atBlockEnd(): boolean {
    if (this.kind === T.initial) return this.peek() === T.equation || this.peek() === T.algorithm;
    return closesBlock[this.kind] === 1;
  }
}

/** The reserved words with which an element, a section, an equation or a statement can begin. */
const itemWords = (
  'algorithm annotation block class connect connector constant discrete encapsulated equation expandable extends ' +
  'external final flow for function if import impure initial inner input model operator outer output package ' +
  'parameter partial protected public pure record redeclare replaceable return stream type when while'
).split(' ');

/** Tokens that cannot belong to an equation, statement or declaration, but to what is around it. */
const closesBlock = flags(
  T.end_of_text,
  T.end,
  T.else,
  T.elseif,
  T.elsewhen,
  T.equation,
  T.algorithm,
  T.public,
  T.protected,
  T.external,
);
/** Tokens before which a missing `)` or `then` is taken as written. */
const closesItem = flags(T.end_of_text, T[';'], T.then, T.loop, T.end, T.else, T.equation, T.algorithm);
/** Tokens with which a member of a list can go on where a comma has been forgotten. */
const startsMember = flags(
  ...[T.identifier, T.integer, T.real, T.string, T.true, T.false, T['('], T['{'], T['['], T.not, T.if],
  ...[T.each, T.final, T.redeclare, T.replaceable, T.function, T.der],
);
/** Tokens that follow the `end` of a class or block; any other `end` is that of a subscript. */
const followsEnd = flags(T.end_of_text, T.identifier, T[';'], T.if, T.for, T.when, T.while);
/** Words that begin a declaration and nothing else. */
const startsElement = flags(
  ...[T.parameter, T.constant, T.discrete, T.flow, T.stream, T.input, T.output, T.import, T.extends],
  ...[T.redeclare, T.final, T.inner, T.outer, T.replaceable, T.encapsulated, T.partial, T.class, T.model],
  ...[T.record, T.block, T.connector, T.type, T.package, T.function, T.operator, T.expandable],
);
