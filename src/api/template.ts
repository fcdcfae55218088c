/**
 * Pieces of Modelica inside TypeScript: `` modelica`R*i = v;` ``. A template is kept as text and read when it is known what it has to
 * be: an expression where a value is wanted, equations in `equations`. What stands in `${…}` becomes text:
 *
 *     number, boolean      2.5, (-1), true
 *     array                {1, 2}, {{1, 0}, {0, 1}}
 *     string               a name: x, motor.flange.phi, c[3].port; anything else is refused
 *     template             its text; an expression in parentheses where that matters
 *
 * Messages point at the file and line in which the template stands, as far as the stack of the call shows them.
 */
import { remember } from '../collections/memo.ts';
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { Source, type Span } from '../diagnostic/source.ts';
import { numberLiteral } from '../names/literals.ts';
import type * as ast from '../syntax/ast.ts';
import { tokenize } from '../syntax/lexer.ts';
import { parseExpression, parseItems } from '../syntax/parser.ts';
import { T } from '../syntax/tokens.ts';

/** What may stand in `${…}`. */
export type Interpolated = number | boolean | string | Template | readonly Interpolated[];

/** What a template can be read as. */
export type Reading = 'expression' | 'equations' | 'statements' | 'elements';

/** A piece of Modelica text. */
export class Template {
  private readonly read = new Map<Reading, readonly Diagnostic[]>();
  private tree: ast.Expression | undefined;
  private names: readonly string[] = [];
  private inherits = false;

  constructor(readonly source: Source) {}

  get text(): string {
    return this.source.text.trim();
  }

  /** What is wrong with the text if it has to be such a thing. */
  problems(reading: Reading): readonly Diagnostic[] {
    return remember(this.read, reading, () => this.parse(reading));
  }

  /** The syntax tree of an expression; undefined if the text is none. */
  expression(): ast.Expression | undefined {
    this.problems('expression');
    return this.tree;
  }

  /** The names that declarations declare. */
  declared(): readonly string[] {
    this.problems('elements');
    return this.names;
  }

  /** Whether declarations may declare a name: by inheritance they may declare any. */
  declares(name: string): boolean {
    return this.declared().includes(name) || this.inherits;
  }

  /** Whether a `;` stands at its end. */
  isTerminated(): boolean {
    const { kind, count } = tokenize(this.source);
    return kind[count - 2] === T[';'];
  }

  /** The text on one line and without comments. */
  oneLine(): string {
    if (!/[\n\r]|\/\//.test(this.text)) return this.text;
    const { start, end, count } = tokenize(this.source);
    const pieces = Array.from({ length: count - 1 }, (_, k) => this.source.text.slice(start[k], end[k]));
    return pieces.join(' ');
  }

  /** The text without the spaces around it. */
  span(): Span {
    const { text } = this.source;
    const start = text.length - text.trimStart().length;
    return { source: this.source, start, end: Math.max(start, text.trimEnd().length) };
  }

  private parse(reading: Reading): readonly Diagnostic[] {
    if (reading === 'expression') {
      const { expression, diagnostics } = parseExpression(this.source);
      this.tree = expression;
      return diagnostics;
    }
    if (reading !== 'elements') return parseItems(reading, this.source).diagnostics;
    const { items, diagnostics } = parseItems(reading, this.source);
    this.names = items.flatMap(namesOf);
    this.inherits = items.some((item) => item.kind === 'extends');
    return diagnostics;
  }
}

function namesOf(element: ast.Element): readonly string[] {
  switch (element.kind) {
    case 'class':
      return [element.name.text];
    case 'component':
      return element.declarations.map((declaration) => declaration.name.text);
    case 'import': {
      const { alias, selection, name } = element;
      return [...(selection ?? [alias ?? name.parts.at(-1)!])].map((ident) => ident.text);
    }
    case 'extends':
      return [];
  }
}

/** A piece of Modelica: equations, an expression, declarations or statements, as the place where it is used asks for. */
export function modelica(pieces: TemplateStringsArray, ...values: readonly Interpolated[]): Template {
  const place = callSite();
  // The call is at the opening quote: so many spaces in front give the first line the columns that it has in its file.
  let text = ' '.repeat(place.column);
  for (const [k, piece] of pieces.raw.entries()) {
    text += piece;
    if (k < values.length) text += interpolated(values[k]!, place);
  }
  return new Template(new Source(place.name, text, { line: place.line }));
}

/** Connections of connectors by name, each with the one before it: `connect('a.p', 'b.n')`. */
export function connect(...names: readonly string[]): Template {
  const place = callSite();
  if (names.length < 2) throw wrong(place, 'A connection needs at least two connectors.');
  const list = names.map((name) => {
    if (typeof name !== 'string') throw wrong(place, 'The names of connectors are texts.');
    return interpolated(name, place);
  });
  const text = list.slice(1).map((name, k) => `connect(${list[k]}, ${name});`);
  return new Template(new Source(place.name, text.join(' '), { line: place.line }));
}

/** A template with a given text, for what programs write. */
export function templateOf(text: string, name = 'model'): Template {
  return new Template(new Source(name, text));
}

/** A place in a program. */
export interface ProgramPlace {
  readonly name: string;
  readonly line: number;
  /** From 1; 0 where it is not known. */
  readonly column: number;
}

/** The frames that matter: this function, the one that asks, and the one that called it. */
const FRAMES = 3;

/** `at f (file:///a.mjs:1:2)`, `at a.mjs:1:2`, or `f@a.mjs:1:2`: file, line and column. */
const FRAME = /(?:^.*\(|^\s*at (?:async )?|^[^/]*@|^)(.+?)(?:\?[^:]*)?:(\d+):(\d+)\)?$/;

/** Where the function that asks was called, if the stack says so; or one further out, over so many others. */
export function callSite(further = 0): ProgramPlace {
  const { stackTraceLimit } = Error;
  const count = FRAMES + further;
  // A short stack is a cheap one.
  Error.stackTraceLimit = count;
  const { stack = '' } = new Error('place');
  Error.stackTraceLimit = stackTraceLimit;
  const frames = stack.split('\n').filter((line) => /:\d+:\d+\)?$/.test(line));
  const found = FRAME.exec(frames[count - 1] ?? '');
  if (!found) return { name: 'model', line: 1, column: 0 };
  const name = found[1]!.replace(/^file:\/\//, '');
  return { name, line: Number(found[2]), column: Number(found[3]) };
}

/** A failure whose diagnostics, where they have no better place, point at a place in a program. */
export function failure(diagnostics: readonly Diagnostic[], place: ProgramPlace): Failure {
  const span = { source: new Source(place.name, '', { line: place.line }), start: 0, end: 0 };
  return new Failure(
    'syntax',
    diagnostics.map((item) => (item.span ? item : { ...item, span })),
  );
}

const wrong = (place: ProgramPlace, message: string, hint?: string): Failure =>
  failure([error('bad-binding', message, { hint })], place);

/** A dotted name with subscripts. */
const REFERENCE = /^\.?[A-Za-z_]\w*(\[[\w\s,:+*-]+\])?(\.[A-Za-z_]\w*(\[[\w\s,:+*-]+\])?)*$/;

function interpolated(value: Interpolated, place: ProgramPlace): string {
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw wrong(place, `The number ${value} cannot stand in a model.`);
      return numberText(value);
    case 'boolean':
      return String(value);
    case 'string':
      if (REFERENCE.test(value)) return value;
      throw wrong(
        place,
        `\`${value}\` in a template is not a name.`,
        'Inserted strings are names; write Modelica text in the template itself, or nest templates.',
      );
    default:
      if (value instanceof Template) return nested(value);
      if (!Array.isArray(value))
        throw wrong(place, 'Only numbers, Booleans, names, arrays and templates can be inserted.');
      if (value.length === 0) return 'zeros(0)';
      return `{${value.map((item: Interpolated) => interpolated(item, place)).join(', ')}}`;
  }
}

/** A number as Modelica reads it anywhere: a sign needs parentheses after an operator. */
export const numberText = (value: number): string =>
  value < 0 || Object.is(value, -0) ? `(${numberLiteral(value)})` : numberLiteral(value);

/** The text of a template inside another one, on one line so that the lines of the outer one are those of its file. */
function nested(inner: Template): string {
  const tree = inner.expression();
  const text = inner.oneLine();
  const simple =
    !tree || tree.kind === 'ref' || tree.kind === 'number' || tree.kind === 'call' || tree.kind === 'array';
  return simple ? text : `(${text})`;
}
