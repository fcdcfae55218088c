/**
 * Diagnostics as text for people: a first line that editors and terminals recognise as a place
 * (`file:line:column: error: what is wrong [code]`), the lines of the source with a caret under the place, then notes
 * and the hint.
 *
 *     ball.mo:4:7: error: `hh` is not declared [unknown-name]
 *       4 |   der(hh) = v;
 *         |       ^^
 *       hint: did you mean `h`?
 */
import type { Diagnostic, Note, Severity } from './diagnostic.ts';
import { locate, placeText, type Span } from './source.ts';
import { isControl, visible } from './visible.ts';

export interface RenderOptions {
  /** Colours by ANSI escape sequences. */
  readonly color?: boolean;
}

/** Columns between two tab stops. */
const TAB = 4;
/** A source line wider than this is cut around the caret. */
const WIDTH = 100;
/** Columns that stay visible before the caret of a cut line. */
const LEAD = 40;

export function renderDiagnostic(d: Diagnostic, options: RenderOptions = {}): string {
  const paint = options.color ? colored : plain;
  const lines = [
    paint('bold', place(d.span)) +
      paint(d.severity, `${d.severity}:`) +
      paint('bold', ` ${visible(d.message)}`) +
      paint('dim', ` [${d.code}]`),
  ];
  if (d.span) lines.push(...excerpt(d.span, paint, d.severity));
  for (const note of d.notes) lines.push(...renderNote(note, paint));
  if (d.hint) lines.push(`  ${paint('hint', 'hint:')} ${visible(d.hint)}`);
  return lines.join('\n');
}

function renderNote(note: Note, paint: Paint): string[] {
  const head = `${paint('bold', place(note.span))}${paint('note', 'note:')} ${visible(note.message)}`;
  return note.span ? [head, ...excerpt(note.span, paint, 'note')] : [`  ${head}`];
}

const place = (span: Span | undefined): string => (span ? `${visible(placeText(span))}: ` : '');

/** The first and the last line of a span, each with its underline; what lies between is shown as `...`. A place in a program has no text. */
function excerpt(shown: Span, paint: Paint, style: Style): string[] {
  const span = locate(shown);
  const { source } = span;
  if (source.text === '') return [];
  const from = source.position(span.start);
  // The last character counts, not the place after it: a span that ends with a line break ends in its own line.
  const to = source.position(Math.max(span.start, span.end - 1));
  const gutter = String(to.line).length;
  const show = (line: number, start: number, end: number): string[] => {
    const { text, column, width } = view(source.line(line), start, end);
    const number = paint('dim', `  ${String(line).padStart(gutter)} |`);
    const margin = paint('dim', `  ${' '.repeat(gutter)} |`);
    const underline = paint(style, '^'.repeat(width));
    return [`${number}${text && ` ${text}`}`, `${margin} ${' '.repeat(column)}${underline}`];
  };
  const first = from.column - 1;
  if (from.line === to.line) return show(from.line, first, first + span.end - span.start);
  const last = source.line(to.line);
  return [
    ...show(from.line, first, source.line(from.line).length),
    ...(to.line > from.line + 1 ? [paint('dim', `  ${' '.repeat(gutter)} ...`)] : []),
    ...show(to.line, last.length - last.trimStart().length, to.column),
  ];
}

/** What is shown of a line, and where in it the characters `start` to `end` are: tabs widened, long lines cut. */
function view(line: string, start: number, end: number): { text: string; column: number; width: number } {
  let text = '';
  let column = 0;
  let stop = 0;
  for (let i = 0; i <= line.length; i++) {
    if (i === Math.min(start, line.length)) column = text.length;
    if (i === Math.min(end, line.length)) stop = text.length;
    if (i === line.length) break;
    const c = line.charAt(i);
    if (c === '\t') text += ' '.repeat(TAB - (text.length % TAB));
    else text += isControl(line.charCodeAt(i)) ? '\u00b7' : c;
  }
  const width = Math.max(1, stop - column);
  if (text.length <= WIDTH) return { text, column, width };
  const from = Math.max(0, Math.min(column - LEAD, text.length - WIDTH));
  const head = from > 0 ? '...' : '';
  const tail = from + WIDTH < text.length ? '...' : '';
  const cut = head + text.slice(from + head.length, from + WIDTH - tail.length) + tail;
  return { text: cut, column: column - from, width: Math.min(width, from + WIDTH - column) };
}

type Style = Severity | 'bold' | 'dim' | 'note' | 'hint';
type Paint = (style: Style, text: string) => string;

const plain: Paint = (_, text) => text;
const colored: Paint = (style, text) => (text ? `\u001b[${codes[style]}m${text}\u001b[0m` : '');

const codes: Record<Style, string> = {
  error: '1;31',
  warning: '1;33',
  info: '1;36',
  note: '1;36',
  hint: '1;32',
  bold: '1',
  dim: '2',
};
