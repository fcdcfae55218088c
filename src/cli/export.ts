/** `mutabor export`: the model for other tools, to the terminal or into a file. */
import { Failure } from '../diagnostic/failure.ts';
import type { Exported } from '../export/index.ts';
import type { Core } from './core.ts';
import { loadModel, refuse } from './load.ts';
import { readLimit } from './modes.ts';
import { type Arguments, optionValue } from './options.ts';
import { checkFile, readTargets, writeFile } from './output.ts';
import {
  diagnosticJson,
  type ExitStatus,
  printDiagnostics,
  printJson,
  type ReportManner,
  showModel,
  together,
} from './report.ts';
import type { Io } from './surroundings.ts';

export async function exportCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner: ReportManner = { json: args.given.has('json'), quiet: args.given.has('quiet') };
  const { limit, diagnostics: wrongLimit } = readLimit(args);
  const wrong = [...args.diagnostics, ...wrongLimit, ...checkFile(args, io, '.mo')];
  const loaded = await loadModel({ ...args, diagnostics: wrong }, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { model } = loaded;
  const unusable = readTargets(args, io, loaded.sources);
  if (unusable.length > 0)
    return refuse(io, { ok: false, status: 2, model: model.name, diagnostics: unusable }, manner);
  let exported: Exported;
  try {
    exported = core.exportModelica(model, { limit });
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const diagnostics = together(loaded.diagnostics, failure.diagnostics);
    return refuse(io, { ok: false, status: 1, model: model.name, stage: failure.stage, diagnostics }, manner);
  }
  const path = optionValue(args, 'output');
  const written = path === undefined ? [] : writeFile(args, io, 'output', [exported.text]);
  const diagnostics = [...together(loaded.diagnostics, exported.diagnostics), ...written];
  printDiagnostics(io, diagnostics, manner);
  if (manner.json)
    printJson(io, {
      model: model.name,
      status: written.length > 0 ? 'failed' : 'done',
      text: exported.text,
      diagnostics: diagnostics.map(diagnosticJson),
    });
  else if (path === undefined) showModel(io, exported.text);
  return written.length > 0 ? 1 : 0;
}
