/** Implementations of the external functions that the Modelica Standard Library declares, by the names that its clauses call. */
import type { Externals } from '../symbolic/foreign.ts';
import { fft } from './fft.ts';
import { lapack } from './lapack/index.ts';
import { random } from './random.ts';
import { strings } from './strings.ts';
import type { Surroundings } from './surroundings.ts';
import { system } from './system.ts';
import { tables } from './tables/index.ts';

export type { Surroundings } from './surroundings.ts';

export const standardExternals = (surroundings: Surroundings): Externals => ({
  ...tables(surroundings),
  ...random,
  ...strings(surroundings),
  ...system(surroundings),
  ...fft,
  ...lapack,
});
