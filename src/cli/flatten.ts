/** `mutabor flatten`: the flat model as text. */

import { Failure } from '../diagnostic/failure.ts';
import { printBase } from '../flat/print/base.ts';
import { printFlat } from '../flat/print/class.ts';
import type { Core } from './core.ts';
import { loadModel } from './load.ts';
import type { Arguments } from './options.ts';
import {
  type ExitStatus,
  printDiagnostics,
  type ReportManner,
  refuse,
  showModel,
  together,
} from './report.ts';
import type { Io } from './surroundings.ts';

export async function flattenCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner: ReportManner = { json: false, quiet: false };
  const loaded = await loadModel(args, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { model } = loaded;
  let text: string;
  try {
    text = args.given.has('base') ? printBase(model) : printFlat(model);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const diagnostics = together(loaded.diagnostics, failure.diagnostics);
    return refuse(io, { status: 1, model: model.name, stage: failure.stage, diagnostics }, manner);
  }
  printDiagnostics(io, loaded.diagnostics, manner);
  showModel(io, text);
  return 0;
}
