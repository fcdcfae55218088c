/**
 * What can be written at a place: a class, an expression, the name of something that is modified, an argument. The tokens of the item before the place are read with a stack of open
 * brackets, each with what it belongs to; `structure.ts` says where the item begins and what kind of section it stands in.
 */
import { flags, isKeyword, T } from '../syntax/tokens.ts';
import type { Document } from './document.ts';
import { type Structure, structureBefore } from './structure.ts';

/** A dotted name as it is written, `.A.b[2].c` without its subscripts. */
export interface Path {
  readonly global: boolean;
  readonly names: readonly string[];
}

/** What is modified: a class, and the way from it to an element. */
export interface Target {
  readonly class: Path;
  readonly inside: readonly string[];
}

/** A call that is open at a place. */
export interface OpenCall {
  readonly callee: Path;
  /** How many arguments are before the one at the place. */
  readonly index: number;
  /** The name of the argument, where it has one. */
  readonly name: string | undefined;
  /** Names of arguments before it. */
  readonly named: readonly string[];
}

export type Expected =
  /** The name of something new, a number, a comment: nothing that is known. */
  | { readonly kind: 'nothing' }
  /** The beginning of a declaration, an equation or a statement. */
  | { readonly kind: 'item' }
  | { readonly kind: 'class' }
  | { readonly kind: 'expression'; readonly of?: Target | undefined }
  /** The name of an element, or attribute, of what is modified. */
  | { readonly kind: 'modifier'; readonly target: Target; readonly used: readonly string[] }
  /** The name of something in an annotation; the names around it. */
  | { readonly kind: 'annotation'; readonly inside: readonly string[] }
  /** A class or package, from the top level. */
  | { readonly kind: 'import' }
  /** What follows `end`. */
  | { readonly kind: 'end' }
  /** A part of a unit. */
  | { readonly kind: 'unit' };

export interface Context {
  readonly structure: Structure;
  readonly expected: Expected;
  /** What stands before the last dot. */
  readonly path: Path | undefined;
  /** The word that is being written, and what it replaces. */
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  /** The calls around, the innermost last. */
  readonly calls: readonly OpenCall[];
}

/** The context of a place; undefined in comments and in strings that are no units. */
export function contextAt(document: Document, offset: number): Context | undefined {
  const { tokens, text } = document;
  const { kind, start, end } = tokens;
  if (tokens.comments.some((comment) => isInside(comment, offset))) return undefined;
  let count = countBefore(start, tokens.count, offset);
  let from = offset;
  const last = count - 1;
  if (last >= 0 && end[last]! >= offset) {
    const isWord = kind[last] === T.identifier || isKeyword(kind[last]!);
    if (kind[last] === T.string && end[last]! > offset) return unitContext(document, last, offset);
    if (kind[last] === T.integer || kind[last] === T.real) return undefined;
    if (isWord) {
      from = start[last]!;
      count = last;
    }
  }
  const dotted = pathBefore(document, count);
  const before = dotted ? dotted.first : count;
  const structure = structureBefore(tokens, text, before);
  const reader = new ItemReader(document, structure, before);
  const { expected, calls } = reader.run();
  const prefix = text.slice(from, offset);
  return { structure, expected, path: dotted?.path, prefix, from, to: offset, calls };
}

const isInside = (
  { start, end, text }: { start: number; end: number; text: string },
  offset: number,
): boolean => start < offset && (offset < end || (offset === end && text.startsWith('//')));

/** How many tokens begin before a place. */
function countBefore(start: Int32Array, count: number, offset: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  // The end of the text is a token, too.
  return Math.min(low, count - 1);
}

/** `unit = "m/|"`: the part behind the last operator. */
function unitContext(document: Document, token: number, offset: number): Context | undefined {
  const { tokens, text } = document;
  const { kind, start, end } = tokens;
  const name = kind[token - 1] === T['='] ? text.slice(start[token - 2], end[token - 2]) : '';
  if (name !== 'unit' && name !== 'displayUnit') return undefined;
  const written = text.slice(start[token]! + 1, offset);
  const prefix = /[A-Za-zµ%]*$/.exec(written)![0];
  const structure = structureBefore(tokens, text, token);
  return {
    structure,
    expected: { kind: 'unit' },
    path: undefined,
    prefix,
    from: offset - prefix.length,
    to: offset,
    calls: [],
  };
}

/** The dotted name that ends with a dot before token `count`, and its first token. */
function pathBefore({ tokens, text }: Document, count: number): { path: Path; first: number } | undefined {
  const { kind, start, end } = tokens;
  const names: string[] = [];
  let at = count - 1;
  if (kind[at] !== T['.']) return undefined;
  for (;;) {
    let before = at - 1;
    if (kind[before] === T[']']) before = bracketBefore(kind, before) - 1;
    if (before < 0 || kind[before] !== T.identifier) break;
    names.unshift(text.slice(start[before], end[before]));
    at = before - 1;
    if (kind[at] !== T['.']) return { path: { global: false, names }, first: before };
  }
  return { path: { global: true, names }, first: at };
}

/** The `[` of the `]` at a token. */
function bracketBefore(kind: Uint8Array, close: number): number {
  let depth = 0;
  for (let k = close; k >= 0; k--) {
    if (kind[k] === T[']']) depth++;
    else if (kind[k] === T['['] && --depth === 0) return k;
    else if (kind[k] === T[';']) break;
  }
  return 0;
}

// ---------------------------------------------------------------- items

const prefixWords = flags(
  ...[
    T.redeclare,
    T.final,
    T.inner,
    T.outer,
    T.replaceable,
    T.flow,
    T.stream,
    T.discrete,
    T.parameter,
    T.constant,
  ],
  ...[T.input, T.output, T.each, T.encapsulated, T.partial, T.pure, T.impure, T.expandable],
);
const classWords = flags(
  ...[T.class, T.model, T.record, T.block, T.connector, T.type, T.package, T.function, T.operator],
);

/** Reserved words that are called like functions. */
const calledWords = flags(T.connect, T.der, T.initial, T.pure);

/** What a list of tokens is about, outside of all brackets or inside of one. */
interface Frame {
  readonly role: 'item' | 'behaviour' | 'modification' | 'call' | 'annotation' | 'group';
  /** What is read next. */
  phase: 'start' | 'type' | 'name' | 'declared' | 'value' | 'class name' | 'import' | 'import list' | 'end';
  /** The class of a declaration, an extends clause, a redeclaration. */
  type: Path | undefined;
  /** Of modifications. */
  readonly target?: Target;
  /** The name that is modified here, or of the argument. */
  element: readonly string[];
  used: string[];
  index: number;
  readonly callee?: Path;
  /** Names of annotations around. */
  readonly inside?: readonly string[];
  /** Within redeclarations elements are declared. */
  redeclares: boolean;
}

class ItemReader {
  private readonly stack: Frame[];
  /** The dotted name that was read last. */
  private last: Path | undefined;

  constructor(
    private readonly document: Document,
    private readonly structure: Structure,
    private readonly limit: number,
  ) {
    this.stack = [frame(structure.section === 'elements' ? 'item' : 'behaviour')];
  }

  run(): { expected: Expected; calls: OpenCall[] } {
    const { kind } = this.document.tokens;
    for (let k = this.structure.item; k < this.limit; k++) k = this.step(k, kind[k]!);
    const calls = this.stack.flatMap(({ role, callee, index, element, used }) =>
      role === 'call' && callee ? [{ callee, index, name: element[0], named: used }] : [],
    );
    return { expected: this.expected(), calls };
  }

  private get top(): Frame {
    return this.stack.at(-1)!;
  }

  private text(k: number): string {
    const { tokens, text } = this.document;
    return text.slice(tokens.start[k], tokens.end[k]);
  }

  /** Goes over a token, or a dotted name; gives the last token of it. */
  private step(k: number, kind: number): number {
    if (kind === T.identifier || (kind === T['.'] && this.document.tokens.kind[k + 1] === T.identifier))
      return this.name(k);
    const { top } = this;
    if (calledWords[kind] && this.document.tokens.kind[k + 1] === T['('] && top.role !== 'annotation') {
      this.last = { global: false, names: [this.text(k)] };
      if (top.role === 'behaviour') top.phase = 'value';
      return k;
    }
    switch (kind) {
      case T['(']:
        this.open();
        break;
      case T['[']:
      case T['{']:
        this.stack.push({ ...frame('group'), phase: 'value' });
        break;
      case T[')']:
      case T[']']:
      case T['}']:
        if (this.stack.length > 1) this.stack.pop();
        this.last = undefined;
        return k;
      case T[',']:
        this.comma();
        break;
      case T['=']:
      case T[':=']:
        this.equal();
        break;
      case T.annotation:
        this.last = undefined;
        this.stack.push({ ...frame('annotation'), inside: [], phase: 'value' });
        // The bracket that follows is that of the annotation.
        if (this.document.tokens.kind[k + 1] === T['('] && k + 1 < this.limit) {
          this.top.phase = 'start';
          return k + 1;
        }
        this.stack.pop();
        return k;
      case T.extends:
      case T.constrainedby:
        if (top.role === 'item' || top.role === 'modification') top.phase = 'start';
        top.type = undefined;
        top.redeclares = true;
        break;
      case T.import:
      case T.within:
        top.phase = 'import';
        break;
      case T.end:
        if (this.stack.length === 1) top.phase = 'end';
        break;
      case T.redeclare:
      case T.replaceable:
        top.redeclares = true;
        break;
      case T.if:
        if (top.role === 'item' && top.phase === 'declared') top.phase = 'value';
        break;
      default:
        if (classWords[kind]) this.classWord();
        else if (!prefixWords[kind] && top.role === 'behaviour') top.phase = 'value';
    }
    this.last = undefined;
    return k;
  }

  /** A dotted name from token `k` on. */
  private name(k: number): number {
    const { kind } = this.document.tokens;
    const global = kind[k] === T['.'];
    let at = global ? k + 1 : k;
    const names = [this.text(at)];
    while (at + 2 < this.limit && kind[at + 1] === T['.'] && kind[at + 2] === T.identifier) {
      at += 2;
      names.push(this.text(at));
    }
    const path = { global, names };
    this.last = path;
    this.named(path);
    return at;
  }

  private named(path: Path): void {
    const { top } = this;
    switch (top.role) {
      case 'item':
        this.declare(path);
        break;
      case 'modification':
        if (top.redeclares) this.declare(path);
        else if (top.phase !== 'value') top.element = path.names;
        break;
      case 'annotation':
        if (top.phase !== 'value') top.element = path.names;
        break;
      case 'behaviour':
        top.phase = 'value';
        break;
      case 'call':
      case 'group':
        break;
      default:
        top.role satisfies never;
    }
  }

  /** The names of a declaration: its class, then what is declared. */
  private declare(path: Path): void {
    const { top } = this;
    switch (top.phase) {
      case 'start':
      case 'type':
        top.type = path;
        top.phase = 'name';
        break;
      case 'name':
        top.element = path.names;
        top.phase = 'declared';
        break;
      case 'class name':
        top.element = path.names;
        top.phase = 'type';
        break;
      default:
    }
  }

  private classWord(): void {
    const { top } = this;
    if (top.role === 'item' || top.redeclares) top.phase = 'class name';
  }

  private open(): void {
    const { top, last } = this;
    const isDeclaration = top.role === 'item' || (top.role === 'modification' && top.redeclares);
    if (isDeclaration && top.type && (top.phase === 'declared' || top.phase === 'name')) {
      this.stack.push({ ...frame('modification'), target: { class: top.type, inside: [] } });
    } else if (top.role === 'modification' && !top.redeclares && top.phase !== 'value') {
      const { class: own, inside } = top.target!;
      this.stack.push({
        ...frame('modification'),
        target: { class: own, inside: [...inside, ...top.element] },
      });
    } else if (top.role === 'annotation' && top.phase !== 'value') {
      this.stack.push({ ...frame('annotation'), inside: [...top.inside!, ...top.element] });
    } else if (last) this.stack.push({ ...frame('call'), callee: last, phase: 'value' });
    else this.stack.push({ ...frame('group'), phase: 'value' });
    this.last = undefined;
  }

  private comma(): void {
    const { top } = this;
    switch (top.role) {
      case 'item':
        top.phase = top.phase === 'import' || top.phase === 'import list' ? 'import list' : 'name';
        break;
      case 'modification':
      case 'annotation':
        if (top.element.length > 0) top.used.push(top.element[0]!);
        top.element = [];
        top.phase = 'start';
        top.redeclares = false;
        break;
      case 'call':
        if (top.element.length > 0) top.used.push(top.element[0]!);
        top.element = [];
        top.index++;
        break;
      case 'behaviour':
      case 'group':
        break;
      default:
        top.role satisfies never;
    }
  }

  private equal(): void {
    const { top, last } = this;
    switch (top.role) {
      case 'item':
      case 'modification':
        // `model A = B`: a class follows.
        if (top.phase === 'type') top.type = undefined;
        else if (top.phase !== 'import') {
          top.phase = 'value';
          top.redeclares = false;
        }
        break;
      case 'annotation':
        top.phase = 'value';
        break;
      case 'call':
        if (last?.names.length === 1) top.element = last.names;
        break;
      case 'behaviour':
        top.phase = 'value';
        break;
      case 'group':
        break;
      default:
        top.role satisfies never;
    }
  }

  private expected(): Expected {
    const { top } = this;
    switch (top.role) {
      case 'item':
        return this.expectedInItem();
      case 'behaviour':
        return top.phase === 'end'
          ? { kind: 'end' }
          : top.phase === 'start'
            ? { kind: 'item' }
            : { kind: 'expression' };
      case 'modification':
        if (top.redeclares) return this.expectedInItem();
        if (top.phase !== 'value') return { kind: 'modifier', target: top.target!, used: top.used };
        return {
          kind: 'expression',
          of: { ...top.target!, inside: [...top.target!.inside, ...top.element] },
        };
      case 'annotation':
        return top.phase === 'value' ? { kind: 'expression' } : { kind: 'annotation', inside: top.inside! };
      case 'call':
      case 'group':
        return { kind: 'expression' };
      default:
        return top.role satisfies never;
    }
  }

  private expectedInItem(): Expected {
    const { phase, type, element } = this.top;
    switch (phase) {
      case 'start':
        return this.isFirst() ? { kind: 'item' } : { kind: 'class' };
      case 'type':
        return { kind: 'class' };
      case 'value':
        return {
          kind: 'expression',
          of: type && element.length > 0 ? { class: type, inside: [] } : undefined,
        };
      case 'import':
      case 'import list':
        return { kind: 'import' };
      case 'end':
        return { kind: 'end' };
      case 'name':
      case 'declared':
      case 'class name':
        return { kind: 'nothing' };
      default:
        return phase satisfies never;
    }
  }

  /** Whether nothing of the item is written yet, but strings. */
  private isFirst(): boolean {
    const { kind } = this.document.tokens;
    for (let k = this.structure.item; k < this.limit; k++) if (kind[k] !== T.string) return false;
    return true;
  }
}

const frame = (role: Frame['role']): Frame => ({
  role,
  phase: 'start',
  type: undefined,
  element: [],
  used: [],
  index: 0,
  redeclares: false,
});
