/** `--input`: the file whose columns the inputs of a model follow, and `--from`: the result that a run begins with. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { attempted, Failure } from '../diagnostic/failure.ts';
import type { FlatModel } from '../flat/flat.ts';
import { SignalTable } from '../results/table/table.ts';
import { type Beginning, beginningOf } from '../simulate/run/continued.ts';
import { inputCell } from '../simulate/run/inputs.ts';
import { type Arguments, badOption, optionValue } from './options.ts';
import { readTable } from './results.ts';
import type { Io } from './surroundings.ts';

/** The table for a run; undefined where none is asked for. */
export function inputTable(
  args: Arguments,
  io: Io,
  model: FlatModel,
): { readonly table: SignalTable | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const path = optionValue(args, 'input');
  if (path === undefined) return { table: undefined, diagnostics: [] };
  const table = readTable(io, path, inputCell(model));
  return table instanceof SignalTable
    ? { table, diagnostics: [] }
    : { table: undefined, diagnostics: [table] };
}

/** The row of a result that a run begins with; undefined where none is asked for. */
export function originRow(
  args: Arguments,
  io: Io,
): { readonly beginning?: Beginning; readonly diagnostics: readonly Diagnostic[] } {
  const path = optionValue(args, 'from');
  if (path === undefined) return { diagnostics: [] };
  const table = readTable(io, path);
  if (!(table instanceof SignalTable)) return { diagnostics: [table] };
  const time = optionValue(args, 'from-time');
  const found = attempted(() => beginningOf(table, time === undefined ? undefined : Number(time)));
  return found instanceof Failure
    ? { diagnostics: found.diagnostics }
    : { beginning: found, diagnostics: [] };
}

/** What is wrong with `--from-time`. */
export function checkFrom(args: Arguments): Diagnostic[] {
  if (!args.given.has('from-time') || args.given.has('from')) return [];
  const message = '`--from-time` says which row of a result a run begins with, but there is none.';
  return [badOption(message, 'Add `--from FILE`.')];
}

/** What is wrong with `--hold`. */
export function checkHold(args: Arguments): Diagnostic[] {
  if (!args.given.has('hold') || args.given.has('input')) return [];
  const message = '`--hold` says how inputs follow a table, but there is none.';
  return [badOption(message, 'Add `--input FILE`.')];
}
