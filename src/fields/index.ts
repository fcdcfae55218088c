/** Arrays that stay arrays: the public face of this folder. */

import { requireFlat } from '../flat/core/require.ts';
import type { FlatModel } from '../flat/flat.ts';
import { type CutOptions, cutFields } from './cut/cut.ts';
import { fieldComponent } from './run/component.ts';

export { modulesMade } from './code/wasm.ts';
export type { LeftOut } from './cut/candidates.ts';
export { cutFields } from './cut/cut.ts';

/** Which arrays of a model are computed in loops, and which could be but are not. */
export interface ArraySurvey {
  /** Names of the variables of the vector part. */
  readonly loops: readonly string[];
  readonly scalars: readonly { readonly name: string; readonly reason: string }[];
}

export function surveyArrays(flat: FlatModel): ArraySurvey {
  requireFlat(flat, 'surveyArrays');
  const { cut, leftOut } = cutFields(flat);
  const inside = cut ? [...cut.field.states, ...cut.field.algebraic] : [];
  return {
    loops: inside.flatMap(({ variable }) => (variable.copy ? [] : [variable.name])),
    scalars: leftOut.map(({ symbol, reason }) => ({ name: flat.variables[symbol]!.name, reason })),
  };
}

/** The model with its vector part as a component; the model itself where it has none. */
export function withFields(flat: FlatModel, options?: CutOptions): FlatModel {
  const { cut } = cutFields(flat, options);
  if (!cut) return flat;
  return { ...cut.rest, components: [...cut.rest.components, fieldComponent(cut.field)] };
}
