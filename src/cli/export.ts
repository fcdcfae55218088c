/** `mutabor export`: the model for other tools, to the terminal or into a file. */
import { Failure } from '../diagnostic/failure.ts';
import type { Exported } from '../export/index.ts';
import type { Core } from './core.ts';
import { loadModel } from './load.ts';
import { readLimit } from './modes.ts';
import { type Arguments, optionValue } from './options.ts';
import { checkFile, readTargets, writeFile } from './output.ts';
import { conclude, type ExitStatus, mannerOf, refuse, showModel, together } from './report.ts';
import type { Io } from './surroundings.ts';

export async function exportCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner = mannerOf(args);
  const { limit, diagnostics: wrongLimit } = readLimit(args);
  const wrong = [...args.diagnostics, ...wrongLimit, ...checkFile(args, io, 'output', ['.mo'])];
  const loaded = await loadModel({ ...args, diagnostics: wrong }, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { model } = loaded;
  const unusable = readTargets(args, io, loaded.sources);
  const name = model.name;
  if (unusable.length > 0) return refuse(io, { status: 2, model: name, diagnostics: unusable }, manner);
  let exported: Exported;
  try {
    exported = core.exportModelica(model, { limit });
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const diagnostics = together(loaded.diagnostics, failure.diagnostics);
    return refuse(io, { status: 1, model: name, stage: failure.stage, diagnostics }, manner);
  }
  const path = optionValue(args, 'output');
  const written = path === undefined ? [] : writeFile(io, 'output', path, [exported.text]);
  const diagnostics = [...together(loaded.diagnostics, exported.diagnostics), ...written];
  const status = written.length > 0 ? 'failed' : 'done';
  conclude(io, manner, diagnostics, () => ({ model: name, status, text: exported.text }));
  if (!manner.json && path === undefined) showModel(io, exported.text);
  return written.length > 0 ? 1 : 0;
}
