/** `mutabor flatten`: the flat model as text. */

import { printFlat } from '../flat/print/class.ts';
import type { Core } from './core.ts';
import { loadModel } from './load.ts';
import type { Arguments } from './options.ts';
import { type ExitStatus, printDiagnostics, type ReportManner, refuse, showModel } from './report.ts';
import type { Io } from './surroundings.ts';

export async function flattenCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner: ReportManner = { json: false, quiet: false };
  const loaded = await loadModel(args, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  printDiagnostics(io, loaded.diagnostics, manner);
  showModel(io, printFlat(loaded.model));
  return 0;
}
