import type { SimulationResult } from '../src/index.ts';

/** What a run gives, without times and counts of work. */
export function outcome({
  status,
  stage,
  time,
  table,
  modes,
  impulses,
  diagnostics,
}: SimulationResult): object {
  return {
    status,
    stage,
    time,
    modes,
    impulses,
    rows: Array.from({ length: table.rowCount }, (_, k) => table.time[k]),
    signals: Object.fromEntries(table.names.map((name) => [name, table.get(name)])),
    diagnostics: diagnostics.filter((d) => d.code !== 'translated-again').map(({ message }) => message),
  };
}
