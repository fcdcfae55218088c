/** How the component of a mechanism is joined to the model around it. */

/**
 * How joints with flanges are joined to the equations of the model:
 *
 * - `driven`: force = M acceleration + h + der(k): their motion is given, and the forces that it needs are the result;
 * - `pushed`: acceleration = A force + b + der(k): where loops may bind them, so that no motion can simply be given.
 */
export type Leading = 'driven' | 'pushed';

/** Inputs of the mechanism by what they are, each with its name in the model. */
export interface Ports {
  readonly leading: Leading;
  readonly coordinates: readonly string[];
  readonly speeds: readonly string[];
  /** Of driven joints. */
  readonly accelerations: readonly string[];
  /** Of pushed joints. */
  readonly pushes: readonly string[];
  readonly loads: readonly string[];
  readonly conditions: readonly string[];
}

/** Names of the own variables: M or A, h or b, k. */
export const own = { matrix: '$bodies.M', bias: '$bodies.h', momentum: '$bodies.k' } as const;
