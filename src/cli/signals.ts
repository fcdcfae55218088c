/** Which signals a command line names. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { didYouMean } from '../diagnostic/nearest.ts';
import { namesIn } from '../flat/core/families.ts';
import type { FlatModel } from '../flat/flat.ts';
import { TableBuilder } from '../results/table/builder.ts';
import { nameMatches, splitNames } from '../results/table/glob.ts';
import type { SignalTable } from '../results/table/table.ts';
import { type Arguments, badOption, optionValue } from './options.ts';

/** Names that nothing in a model has, before it runs. Built-in components may declare more when they begin: then only the run can tell. */
export function checkVariables(args: Arguments, model: FlatModel): Diagnostic[] {
  const list = optionValue(args, 'variables');
  if (list === undefined || model.components.length > 0) return [];
  return idleNames(splitNames(list), declared(model));
}

/** Signals for output and plot, and impulses: what the user named, otherwise everything that is not hidden. */
export function selectSignals(
  args: Arguments,
  table: SignalTable,
): { table: SignalTable; isNamed: (variable: string) => boolean; diagnostics: Diagnostic[] } {
  const list = optionValue(args, 'variables');
  if (list === undefined)
    return {
      table: table.visible(),
      isNamed: (variable) => table.info(variable)?.hidden !== true,
      diagnostics: [],
    };
  const globs = splitNames(list);
  const selected = table.select(globs);
  // A run that failed before its first row lacks the signals of built-in components, and its failure is reported already.
  return {
    table: selected,
    isNamed: (variable) => selected.has(variable) || isStruck(table, globs, variable),
    diagnostics: table.rowCount > 0 ? idleNames(globs, table) : [],
  };
}

/** Whether some globs mean a variable of which there are impulses alone, such as the force that makes a weld hold. */
const isStruck = (table: SignalTable, globs: readonly string[], variable: string): boolean =>
  !table.has(variable) && globs.some((glob) => nameMatches(glob, variable));

function idleNames(globs: readonly string[], table: SignalTable): Diagnostic[] {
  const struck = [...new Set(table.impulses.map(({ variable }) => variable))];
  const idle = globs.filter(
    (glob) =>
      table.expand(glob).length === 0 && !struck.some((variable) => isStruck(table, [glob], variable)),
  );
  return idle.map((glob) =>
    badOption(`No variable matches \`${glob}\` in \`--variables\`.`, didYouMean(table.nearest(glob))),
  );
}

/** A table without rows of what a model declares, and of derivatives that it may have. */
function declared({ variables }: FlatModel): SignalTable {
  const builder = new TableBuilder([]);
  const source = { kind: 'trajectory' } as const;
  for (const variable of variables) {
    const { name, type, dims, unit, displayUnit, description, hidden } = variable;
    if (type === 'String') continue;
    const { places = dims.map(() => name.length), names = [] } = namesIn(variable);
    const info = { name, type, dims, places, names, unit, displayUnit, description, hidden, source };
    builder.declareArray({ ...info, role: variable.causality });
    if (type !== 'Real' || variable.variability !== 'continuous') continue;
    for (let order = 1; order <= 2; order++) {
      const before = order * 'der('.length;
      builder.declareArray({
        ...info,
        name: `${'der('.repeat(order)}${name}${')'.repeat(order)}`,
        places: places.map((place) => before + place),
        names: names.map((own) => own && { ...own, from: own.from + before }),
        role: 'derivative',
      });
    }
  }
  return builder.finish({});
}
