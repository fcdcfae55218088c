import type { SimulationResult } from '../src/index.ts';

/** A result whose audit, if there was one, found nothing; throws otherwise. */
export function audited(result: SimulationResult): SimulationResult {
  const offences = result.audit?.diagnostics ?? [];
  if (offences.length > 0) throw new Error(`audit: ${offences.map(({ message }) => message).join('\n')}`);
  return result;
}
