/** What the commands print: diagnostics for people on the error stream, or one JSON object on standard output. */
import { styleText } from 'node:util';
import type { Diagnostic, Stage } from '../diagnostic/diagnostic.ts';
import { renderDiagnostic } from '../diagnostic/render.ts';
import { locate, type Span } from '../diagnostic/source.ts';
import { visible } from '../diagnostic/visible.ts';
import { isNamed, valueText } from '../results/plot/value.ts';
import type { SignalTable } from '../results/table/table.ts';
import type { Arguments } from './options.ts';
import type { Output, Stream } from './surroundings.ts';

/** The last one is what shells show of a command that writes to a pipe which nobody reads any more. */
export type ExitStatus = 0 | 1 | 2 | 141;

export interface ReportManner {
  readonly json: boolean;
  readonly quiet: boolean;
}

export const mannerOf = ({ given }: Arguments): ReportManner => ({
  json: given.has('json'),
  quiet: given.has('quiet'),
});

/** Nobody reads further. */
const mostPrinted = 20;

/** Prints diagnostics for people; `quiet` leaves errors only. */
export function printDiagnostics(io: Output, diagnostics: readonly Diagnostic[], manner: ReportManner): void {
  if (manner.json) return;
  const shown = manner.quiet ? diagnostics.filter((item) => item.severity === 'error') : diagnostics;
  for (const item of shown.slice(0, mostPrinted))
    io.err.write(`${renderDiagnostic({ ...item, hint: hintOf(item) }, { color: usesColor(io, io.err) })}\n`);
  if (shown.length > mostPrinted) io.err.write(`… and ${shown.length - mostPrinted} more.\n`);
}

/**
 * The diagnostics of two stages together. That a model is unbalanced is found twice: by the numbers when it is
 * flattened, and by the equations when its structure is analysed. It is reported once, with all that is known: at an
 * equation too many, but at the model where equations are missing, since any of several variables may lack one. Inputs that are not connected
 * explain all of it.
 */
export function together(early: readonly Diagnostic[], late: readonly Diagnostic[]): Diagnostic[] {
  const counted = early.find((item) => item.code === 'unbalanced');
  const analysed = late.find((item) => item.code === 'unbalanced');
  if (!counted || !analysed) return [...early, ...late];
  const surplus = counted.message.endsWith('too many.');
  const isExplained = !surplus && !counted.message.endsWith('too few.');
  const merged = {
    ...analysed,
    ...counted,
    ...(surplus && analysed.span && { span: analysed.span, hint: analysed.hint }),
    notes: [...counted.notes, ...(isExplained ? [] : analysed.notes)],
  };
  return [
    ...early.filter((item) => item !== counted),
    ...late.map((item) => (item === analysed ? merged : item)),
  ];
}

function usesColor(io: Output, stream: Stream): boolean {
  return stream.isTerminal && !io.env.NO_COLOR && io.env.TERM !== 'dumb';
}

/** Styles for text on standard output; plain where colours are not wanted. */
export function painter(
  io: Output,
): (style: 'bold' | 'dim' | 'green' | 'yellow' | 'red', text: string) => string {
  const color = usesColor(io, io.out);
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}

/** Prints a text that holds names and strings of the user; of escape sequences only the colours of a painter are obeyed. */
export function show(io: Output, text: string): void {
  const parts = usesColor(io, io.out) ? text.split(colours) : [text];
  io.out.write(parts.map((part, k) => (k % 2 === 1 ? part : visible(part))).join(''));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const colours = /(\u001b\[\d+m)/;

/** Prints the text of a model: as it is, for files and other programs, and so that it can be looked at on a terminal. */
export function showModel(io: Output, text: string): void {
  io.out.write(io.out.isTerminal ? visible(text) : text);
}

/** How a command ends: its diagnostics, then one object with them for programs, or a text for people. */
export function conclude(
  io: Output,
  manner: ReportManner,
  diagnostics: readonly Diagnostic[],
  object: () => object,
  text?: () => string,
): void {
  printDiagnostics(io, diagnostics, manner);
  if (manner.json) printJson(io, { ...object(), diagnostics: diagnostics.map(diagnosticJson) });
  else if (text && !manner.quiet) show(io, text());
}

/** Why a command ended before there were results. */
export interface Refusal {
  readonly status: ExitStatus;
  readonly model?: string;
  readonly stage?: Stage;
  readonly diagnostics: readonly Diagnostic[];
}

/** Says why a command gives no results. */
export function refuse(io: Output, refusal: Refusal, manner: ReportManner): ExitStatus {
  const { status, model = null, stage = null, diagnostics } = refusal;
  const nothing = { time: null, final: {}, modes: [], segments: [], impulses: [], statistics: {} };
  const failed = { model, status: 'failed', stage, ...nothing };
  conclude(io, manner, diagnostics, () => failed);
  return status;
}

/** Values of the last row by name: Booleans and literals of enumerations as such, `null` where missing. */
export function finalJson(table: SignalTable): Record<string, number | boolean | string | null> {
  return Object.fromEntries(
    [...table.final()].map(([name, value]) => {
      const info = table.info(name)!;
      if (value === null || !isNamed(info)) return [name, value];
      return [name, info.literals ? valueText(info, value) : value !== 0];
    }),
  );
}

/** Numbers that JSON cannot hold become `null`. */
export function printJson(io: Output, value: object): void {
  // JSON itself escapes what is below 32 only.
  const text = JSON.stringify(value, null, 2).replace(/[\u007f-\u009f]/g, visible);
  io.out.write(`${text}\n`);
}

const hintOf = ({ hint, commandHint }: Diagnostic): string | undefined => commandHint ?? hint;

export function diagnosticJson(item: Diagnostic): object {
  return {
    code: item.code,
    severity: item.severity,
    message: item.message,
    ...placeJson(item.span),
    hint: hintOf(item) ?? null,
    notes: item.notes.map((note) => ({ message: note.message, ...placeJson(note.span) })),
  };
}

export function placeJson(span: Span | undefined): object {
  if (!span) return { file: null, line: null, column: null, endLine: null, endColumn: null };
  const written = locate(span);
  const start = written.source.position(written.start);
  const end = written.source.position(written.end);
  return {
    file: written.source.name,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}
