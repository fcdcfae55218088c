/** `mutabor steady`: a state in which nothing moves, to the terminal and into a file of results with one row. */
import { extname } from 'node:path';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import { readable } from '../names/readable.ts';
import { resultFormats } from '../results/files/formats.ts';
import type { Core } from './core.ts';
import { type Arguments, optionValue } from './options.ts';
import { writeFile } from './output.ts';
import { atPoint } from './point.ts';
import { conclude, type ExitStatus, finalJson, mannerOf, painter, together } from './report.ts';
import { selectSignals } from './signals.ts';
import { chosenLines, finalLines, LISTED, listed } from './summary.ts';
import type { Io } from './surroundings.ts';

/** A derivative that is smaller, beside its terms, is rounding. */
const NEGLIGIBLE = 1e-12;

export async function steadyCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const extensions = resultFormats.map(({ extension }) => extension);
  const found = await atPoint(args, io, core, extensions, (model, options) =>
    core.steadyState(model, options),
  );
  if (typeof found === 'number') return found;
  const { result, loaded } = found;
  const { model, time, mode, residual, undetermined } = result;
  const selection = selectSignals(args, result.table);
  const path = optionValue(args, 'output');
  const format = path && resultFormats.find(({ extension }) => extension === extname(path).toLowerCase());
  const written = format ? writeFile(io, 'output', path, format.parts(selection.table)) : [];
  const late = [...selection.diagnostics, ...written];
  const status = hasErrors(late) ? 'failed' : 'done';
  const final = finalJson(selection.table.visible());
  const object = () => ({ model, status, time, mode, final, residual, undetermined });
  const text = (): string => {
    const paint = painter(io);
    const where = mode === '' ? '' : paint('dim', ` (${mode})`);
    const named = args.given.has('variables') ? selection.table : undefined;
    const lines = [
      `${paint('bold', model)}: ${paint('green', 'steady')} at ${readable(time)} s${where}`,
      ...(named
        ? listed(finalLines(named, named.names.slice(0, LISTED)), named.size)
        : chosenLines(result.table)),
      ...(residual > NEGLIGIBLE ? [`  largest derivative: ${readable(residual, 2)} of its terms`] : []),
      ...(path && written.length === 0 ? [`  wrote ${path}`] : []),
    ];
    return `${lines.join('\n')}\n`;
  };
  const diagnostics = [...together(loaded.diagnostics, result.diagnostics), ...late];
  conclude(io, mannerOf(args), diagnostics, object, text);
  if (hasErrors(selection.diagnostics)) return 2;
  return written.length > 0 ? 1 : 0;
}
