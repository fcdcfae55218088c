/** Which signals a command line names. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { splitNames } from '../results/glob.ts';
import type { SignalTable } from '../results/table.ts';
import { type Arguments, badOption, optionValue } from './options.ts';

/** Signals for output and plot: what the user named, otherwise everything that is not hidden. */
export function selectSignals(
  args: Arguments,
  table: SignalTable,
): { table: SignalTable; diagnostics: Diagnostic[] } {
  const list = optionValue(args, 'variables');
  if (list === undefined) return { table: table.visible(), diagnostics: [] };
  const globs = splitNames(list);
  // A run that failed before its first row has no signals, and that is reported already.
  const idle = table.size > 0 ? globs.filter((glob) => table.expand(glob).length === 0) : [];
  const diagnostics = idle.map((glob) => {
    const meant = table.nearest(glob);
    const hint = meant ? `Did you mean \`${meant}\`?` : undefined;
    return badOption(`No variable matches \`${glob}\` in \`--variables\`.`, hint);
  });
  return { table: table.select(globs), diagnostics };
}
