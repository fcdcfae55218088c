/** Arrays that stay arrays: the public face of this folder. */
import type { FlatModel } from '../flat/flat.ts';
import { fieldComponent } from './component.ts';
import { cutFields } from './cut.ts';

export { cutFields, type LeftOut } from './cut.ts';
export { modulesMade } from './wasm.ts';

/** The model with its vector part as a component; the model itself where it has none. */
export function withFields(flat: FlatModel): FlatModel {
  const { cut } = cutFields(flat);
  if (!cut) return flat;
  return { ...cut.rest, components: [...cut.rest.components, fieldComponent(cut.field)] };
}
