/** `--input`: the file whose columns the inputs of a model follow. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { FlatModel } from '../flat/flat.ts';
import { SignalTable } from '../results/table/table.ts';
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

/** What is wrong with `--hold`. */
export function checkHold(args: Arguments): Diagnostic[] {
  if (!args.given.has('hold') || args.given.has('input')) return [];
  const message = '`--hold` says how inputs follow a table, but there is none.';
  return [badOption(message, 'Add `--input FILE`.')];
}
