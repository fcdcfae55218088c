/** Which instances are connectors. */
import type { Instance } from '../../model/instance.ts';

/** Whether an instance is a connector, or part of one. */
export function isConnector(instance: Instance): boolean {
  if (instance.kind === 'object') return instance.restriction.endsWith('connector');
  if (instance.causality !== undefined) return true;
  for (let at: Instance | undefined = instance.parent; at?.kind === 'object'; at = at.parent) {
    if (at.restriction.endsWith('connector')) return true;
    if (!at.restriction.endsWith('record')) return false;
  }
  return false;
}
