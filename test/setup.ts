/**
 * Property tests draw new cases in every run, except on the machine that judges a change: there the same change must always
 * give the same answer. `FC_SEED` repeats a run.
 */
import fc from 'fast-check';

const seed = process.env.FC_SEED ?? (process.env.CI ? '20260707' : undefined);
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
