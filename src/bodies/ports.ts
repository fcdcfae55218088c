/** How the component of a mechanism is joined to the model around it. */
import type { Part } from '../builtin/whole.ts';
import { classOf, type Level } from './scene/parts.ts';

/**
 * How joints with flanges are joined to the equations of the model:
 *
 * - `driven`: M a + h + der(k) = force: their motion is given, and the forces that it needs are the result;
 * - `pushed`: a + h + der(k) = A (force + J a): where loops may bind them, so that no motion can simply be given.
 *
 * Pushed joints have rotors J inside that are not there: these are turned by forces of their own.
 */
export type Leading = 'driven' | 'pushed';

/** Inputs of the mechanism by what they are, each with its name in the model. */
export interface Ports {
  readonly leading: Leading;
  /** Whether bodies may touch as rigid ones, as far as that is known. */
  readonly isRigid: boolean;
  readonly coordinates: readonly string[];
  readonly speeds: readonly string[];
  readonly accelerations: readonly string[];
  /** Forces at flanges; of driven joints their impulses alone matter. */
  readonly pushes: readonly string[];
  readonly loads: readonly string[];
  readonly conditions: readonly string[];
}

/** Names of the own variables: M of driven joints, A and J of pushed ones, h, k. */
export const own = {
  matrix: '$bodies.M',
  compliance: '$bodies.A',
  rotors: '$bodies.J',
  bias: '$bodies.h',
  momentum: '$bodies.k',
} as const;

/** What an output depends on: forces of rigid bodies that touch depend on accelerations. */
export const levelOf = (part: Part, level: Level, { isRigid }: Ports): Level =>
  isRigid && classOf(part).role === 'touch' ? 'acceleration' : level;
