/** A text of the workspace, with what is read from it: once, when it is first asked for. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { Source } from '../diagnostic/source.ts';
import { type Use, usesOf } from '../model/classes/versions.ts';
import type * as ast from '../syntax/ast.ts';
import { type Tokens, tokenize } from '../syntax/lexer.ts';
import { type ParseResult, parse } from '../syntax/parser.ts';

/** What other texts know of a text without looking into its classes. */
export interface Facts {
  /** The package that its classes belong to. */
  readonly within: readonly string[];
  /** The names of its classes. */
  readonly names: readonly string[];
  /** Versions of libraries that it uses. */
  readonly uses: readonly Use[];
}

export class Document {
  readonly source: Source;
  /** Mistakes in bodies of classes that are read late. */
  private readonly late: Diagnostic[] = [];
  private result: ParseResult | undefined;
  private known: Facts | undefined;
  private lexed: Tokens | undefined;

  /** A text that somebody edits is read whole; of others, bodies of classes are read when they are asked for. */
  constructor(
    readonly path: string,
    text: string,
    readonly edited: boolean,
  ) {
    this.source = new Source(path, text);
  }

  get text(): string {
    return this.source.text;
  }

  get parsed(): ParseResult {
    const later = (mistakes: readonly Diagnostic[]): void => void this.late.push(...mistakes);
    this.result ??= parse(this.source, this.edited ? {} : { later });
    return this.result;
  }

  get definition(): ast.StoredDefinition {
    return this.parsed.definition;
  }

  /** Mistakes of syntax, as far as the text was read. */
  get mistakes(): readonly Diagnostic[] {
    return [...this.parsed.diagnostics, ...this.late];
  }

  get tokens(): Tokens {
    this.lexed ??= tokenize(this.source);
    return this.lexed;
  }

  get facts(): Facts {
    const { within, classes } = this.definition;
    this.known ??= {
      within: (within?.parts ?? []).map((part) => part.text),
      names: classes.map(({ name }) => name.text),
      uses: classes.flatMap(usesOf),
    };
    return this.known;
  }
}

/** Whether other texts see no difference between two versions of a text, unless they look into its classes. */
export const sameFacts = (a: Facts, b: Facts): boolean => factsText(a) === factsText(b);

const factsText = ({ within, names, uses }: Facts): string =>
  JSON.stringify([within, names, uses.map(({ name, version }) => [name, version])]);
