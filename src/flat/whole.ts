/** Whether a model can be looked at by itself. */
import type { FlatModel } from './flat.ts';

/** Whether a model has no connectors and inputs of its own that somebody else has to connect, and is no part of something else itself. */
export function isWhole(model: FlatModel): boolean {
  if (model.components.some(({ whole }) => whole?.parts.some(({ path }) => path === ''))) return false;
  return !model.variables.some(({ name, flow, causality }) => {
    const depth = name.split('.').length;
    return (flow && depth <= 2) || (causality === 'input' && depth === 1);
  });
}
