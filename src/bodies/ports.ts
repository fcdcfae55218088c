/** How the component of a mechanism is joined to the model around it. */

/** Inputs of the mechanism by what they are, each with its name in the model. */
export interface Ports {
  readonly coordinates: readonly string[];
  readonly speeds: readonly string[];
  readonly accelerations: readonly string[];
  readonly loads: readonly string[];
  readonly conditions: readonly string[];
}

/** Names of the own variables. */
export const own = { matrix: '$bodies.M', bias: '$bodies.h', momentum: '$bodies.k' } as const;
