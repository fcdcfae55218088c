/**
 * The parser of Modelica 3.6: recursive descent, one function for each rule of the grammar (specification, Appendix A), written
 * by hand because messages and recovery are half of its work. This file holds the entry points and the rule of a stored
 * definition; `cursor.ts` holds the state and the recovery, and the other rules are in the files named after them.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import type { Source } from '../diagnostic/source.ts';
import type { ClassDef, Expression, Name, StoredDefinition } from './ast.ts';
import { classDefinition, isClassStart } from './classes.ts';
import { abort, Cursor, unwind } from './cursor.ts';
import { element } from './elements.ts';
import { equation } from './equations.ts';
import { expression, name } from './expressions.ts';
import { lean } from './lazy.ts';
import { noPrefixes } from './modifications.ts';
import { outline } from './outline.ts';
import { statement } from './statements.ts';
import { T } from './tokens.ts';

export interface ParseResult {
  /** What could be read; items with mistakes in them are left out. */
  readonly definition: StoredDefinition;
  /** In the order of the text; empty if and only if all of the text was read. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParseOptions {
  /**
   * The bodies of classes in classes are passed over, and read when somebody asks for them; who is told of mistakes in them then. Comments in them are
   * not kept.
   */
  readonly later?: (mistakes: readonly Diagnostic[]) => void;
}

/** The classes of a text. Never throws: what is wrong is in the diagnostics. */
export function parse(source: Source, { later: report }: ParseOptions = {}): ParseResult {
  const none = notText(source);
  if (none) {
    const definition = { start: 0, end: 0, source, within: undefined, classes: [], comments: [] };
    return { definition, diagnostics: [none] };
  }
  const bodies = report && outline(source.text)?.flatMap(({ inner }) => inner);
  const p = new Cursor(source, undefined, report && bodies && { bodies, report });
  let within: Name | undefined;
  const classes: ClassDef[] = [];
  stoppable(() => {
    within = p.kind === T.within ? withinClause(p) : undefined;
    storedClasses(p, classes);
  });
  const { comments } = p.tokens;
  const definition = { start: 0, end: source.text.length, source, within, classes, comments };
  return { definition, diagnostics: p.mistakes() };
}

/** What is looked at of a text, and how many characters that no text has, and which share of them, make it none. */
const SAMPLE = 4096;
const FEWEST = 8;
const SHARE = 0.02;

/** A picture, an archive, a text in UTF-16: one mistake, where the characters would be thousands. */
function notText({ name, text }: Source): Diagnostic | undefined {
  const sample = text.slice(0, SAMPLE);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  const strange = sample.match(/[\u0000-\u0008\u000e-\u001f]/g)?.length ?? 0;
  if (strange < FEWEST || strange < SHARE * sample.length) return undefined;
  const zeros = sample.split('\0').length - 1;
  const isWide = zeros > sample.length / 3 && zeros < (2 * sample.length) / 3;
  return error(
    'bad-character',
    `\`${name}\` is no Modelica text${isWide ? ' in UTF-8, but seems to be in UTF-16' : ''}.`,
    {
      hint: isWide ? 'Save it in UTF-8.' : 'Models are texts in UTF-8, in files that end in `.mo`.',
    },
  );
}

/** The expression that a whole text consists of, such as the value of an option; undefined if there are mistakes. */
export function parseExpression(source: Source): {
  readonly expression: Expression | undefined;
  readonly diagnostics: readonly Diagnostic[];
} {
  const p = new Cursor(source);
  let result: Expression | undefined;
  stoppable(() => {
    result = expression(p);
    if (p.kind !== T.end_of_text) p.report('expected the end of the expression');
  });
  const diagnostics = p.mistakes();
  return { expression: diagnostics.length === 0 ? result : undefined, diagnostics };
}

/** What a text without a class around it can be a list of, each item followed by `;`. */
const itemRules = { elements: element, equations: equation, statements: statement } as const;

/** The declarations, equations or statements that a whole text consists of; a `;` may be missing at its end. */
export function parseItems<Kind extends keyof typeof itemRules>(
  kind: Kind,
  source: Source,
): {
  readonly items: readonly ReturnType<(typeof itemRules)[Kind]>[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const p = new Cursor(source);
  const rule = itemRules[kind] as (p: Cursor) => ReturnType<(typeof itemRules)[Kind]>;
  const items: ReturnType<(typeof itemRules)[Kind]>[] = [];
  stoppable(() => {
    while (p.kind !== T.end_of_text) {
      items.push(rule(p));
      if (p.kind !== T.end_of_text) p.expect(T[';'], `after this ${kind.slice(0, -1)}`);
    }
  });
  return { items, diagnostics: p.mistakes() };
}

/** Runs a rule to its end or to the mistake at which nothing around it can go on. */
function stoppable(rule: () => void): void {
  try {
    rule();
  } catch (thrown) {
    if (thrown !== abort && thrown !== unwind) throw thrown;
  }
}

/** `within A.B;` or `within;`. */
function withinClause(p: Cursor): Name | undefined {
  const [clause] = p.items(
    (q) => {
      const { start, end } = q;
      q.advance();
      if (q.kind === T[';']) return { start: end, end, global: false, parts: [] };
      return { ...name(q, 'the name of the enclosing package', false), start };
    },
    (q) => q.kind !== T.within,
    () => 'within clause',
  );
  return clause;
}

/** The classes of the text, into `classes` one by one, so that those before an exceeded limit are kept. */
function storedClasses(p: Cursor, classes: ClassDef[]): void {
  // Text between classes is one mistake, however long it is.
  let lost = false;
  const storedClass = (): void => {
    const { start, end } = p;
    const final = p.accept(T.final);
    if (isClassStart(p)) {
      lost = false;
      const prefixes = final ? { ...noPrefixes, final } : noPrefixes;
      classes.push(lean(p, classDefinition(p, start, prefixes)));
      return;
    }
    if (!lost) p.reportAt(start, end, `expected a class definition, found \`${p.tokenText()}\``);
    lost = true;
    p.giveUp();
  };
  p.items(
    storedClass,
    () => false,
    () => 'class',
  );
}
