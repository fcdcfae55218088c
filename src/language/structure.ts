/**
 * Where a place of a text stands, from the tokens before it alone: in which classes and blocks, in which kind of section, in which declaration, equation or statement. Nothing has to be
 * right behind the place, nor in the item itself; so this is what completion asks, where the tree leaves broken items out.
 */
import type { Tokens } from '../syntax/lexer.ts';
import { flags, T } from '../syntax/tokens.ts';

export type SectionKind = 'elements' | 'equation' | 'algorithm';

/** What is open before a place. */
export interface Structure {
  /** Names of the classes around, the outermost first. */
  readonly classes: readonly string[];
  readonly section: SectionKind;
  /** The words of the blocks that are open in the innermost class: `if`, `for`, `when`, `while`. */
  readonly blocks: readonly string[];
  /** Names of the iterators of loops around. */
  readonly iterators: readonly string[];
  /** The number of the token with which the item at the place begins. */
  readonly item: number;
}

interface ClassFrame {
  readonly name: string;
  section: SectionKind;
  readonly blocks: { readonly word: number; readonly iterators: string[] }[];
}

const classWords = flags(
  ...[T.class, T.model, T.record, T.block, T.connector, T.type, T.package, T.function, T.operator],
);
const blockWords = flags(T.if, T.for, T.when, T.while);
/** Words that stand at the beginning of a part of a block. */
const branchWords = flags(T.if, T.when, T.for, T.while, T.elseif, T.elsewhen);
/** Words that cannot stand in brackets: where they do, a bracket is not closed. */
const breaksBrackets = flags(T.equation, T.algorithm, T.public, T.protected, T.loop);

/** The structure before token `limit`. */
export function structureBefore(tokens: Tokens, text: string, limit: number): Structure {
  return new StructureScan(tokens, text, limit).run();
}

class StructureScan {
  private readonly classes: ClassFrame[] = [{ name: '', section: 'elements', blocks: [] }];
  private item = 0;
  /** Open brackets, by their kinds. */
  private readonly brackets: number[] = [];

  constructor(
    private readonly tokens: Tokens,
    private readonly text: string,
    private readonly limit: number,
  ) {}

  run(): Structure {
    for (let k = 0; k < this.limit; k++) k = this.step(k);
    const { section, blocks } = this.top;
    return {
      classes: this.classes.slice(1).map(({ name }) => name),
      section,
      blocks: blocks.map(({ word }) =>
        word === T.if ? 'if' : word === T.for ? 'for' : word === T.when ? 'when' : 'while',
      ),
      iterators: blocks.flatMap(({ iterators }) => iterators),
      item: this.item,
    };
  }

  private get top(): ClassFrame {
    return this.classes.at(-1)!;
  }

  private word(k: number): string {
    return this.text.slice(this.tokens.start[k], this.tokens.end[k]);
  }

  /** Goes over token `k`; gives the last token that it went over. */
  private step(k: number): number {
    const kind = this.tokens.kind[k]!;
    if (kind === T['('] || kind === T['['] || kind === T['{']) {
      this.brackets.push(kind);
      return k;
    }
    if (kind === T[')'] || kind === T[']'] || kind === T['}']) {
      this.brackets.pop();
      return k;
    }
    if (this.brackets.length > 0) {
      const isRow = kind === T[';'] && this.brackets.at(-1) === T['['];
      if ((kind !== T[';'] || isRow) && !breaksBrackets[kind] && !this.isEndOf(k)) return k;
      this.brackets.length = 0;
    }
    return this.plain(k, kind);
  }

  /** `end A` in brackets: they are not closed. */
  private isEndOf(k: number): boolean {
    const next = this.tokens.kind[k + 1];
    return (
      this.tokens.kind[k] === T.end &&
      k + 1 < this.limit &&
      (next === T.identifier || blockWords[next!] === 1)
    );
  }

  private plain(k: number, kind: number): number {
    const { top } = this;
    switch (kind) {
      case T[';']:
        this.item = k + 1;
        return k;
      case T.equation:
      case T.algorithm:
        top.section = kind === T.equation ? 'equation' : 'algorithm';
        top.blocks.length = 0;
        this.item = k + 1;
        return k;
      case T.public:
      case T.protected:
        top.section = 'elements';
        this.item = k + 1;
        return k;
      case T.elseif:
      case T.elsewhen:
        this.item = k;
        return k;
      case T.then:
      case T.loop:
      case T.else:
        if (
          top.section !== 'elements' &&
          (kind === T.else ? top.blocks.length > 0 && this.item === k : this.isBranch())
        )
          this.item = k + 1;
        return k;
      case T.end:
        return this.end(k);
      default:
        if (classWords[kind] && this.canBeClass()) return this.opened(k);
        if (top.section !== 'elements' && blockWords[kind] && this.item === k) this.block(k, kind);
        return k;
    }
  }

  /** Whether the item is a part of a block: what comes then is another item. */
  private isBranch(): boolean {
    return branchWords[this.tokens.kind[this.item]!] === 1;
  }

  private block(k: number, word: number): void {
    const iterators: string[] = [];
    const { kind } = this.tokens;
    if (word === T.for)
      for (let at = k + 1; at < this.limit && kind[at] !== T.loop && kind[at] !== T[';']; at++) {
        const isFirst = kind[at - 1] === T.for || kind[at - 1] === T[','];
        if (
          isFirst &&
          kind[at] === T.identifier &&
          (kind[at + 1] === T.in || kind[at + 1] === T.loop || kind[at + 1] === T[','])
        )
          iterators.push(this.word(at));
      }
    this.top.blocks.push({ word, iterators });
  }

  /** In equations a class cannot begin, but the word `operator`, `type` or the like may stand there by mistake. */
  private canBeClass(): boolean {
    return this.top.section === 'elements';
  }

  /** A class that is closed by an `end` is open from its name on. */
  private opened(k: number): number {
    const { kind } = this.tokens;
    if (classWords[kind[k + 1] ?? 0] && k + 1 < this.limit) return k;
    let name = k + 1;
    const refines = kind[name] === T.extends;
    if (refines) name++;
    if (name >= this.limit || kind[name] !== T.identifier) return k;
    if (!refines && kind[name + 1] === T['=']) return k;
    this.classes.push({ name: this.word(name), section: 'elements', blocks: [] });
    this.item = name + 1;
    return name;
  }

  private end(k: number): number {
    const { kind } = this.tokens;
    this.item = k;
    if (k + 1 >= this.limit) return k;
    const next = kind[k + 1]!;
    if (blockWords[next]) {
      const { blocks } = this.top;
      const at = blocks.findLastIndex(({ word }) => word === next);
      if (at >= 0) blocks.length = at;
      return k + 1;
    }
    if (next !== T.identifier) return k;
    const name = this.word(k + 1);
    const at = this.classes.findLastIndex((one) => one.name === name);
    // A name that fits no class is a misspelt one.
    if (at > 0) this.classes.length = at;
    else if (this.classes.length > 1) this.classes.pop();
    return k + 1;
  }
}
