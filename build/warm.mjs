/** Runs a few examples, so that what V8 compiles for that is kept from the first process on (`src/cli/kept.ts`). */
import { readFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const { keep, modules } = await import(new URL('node/kept.js', dist).href);
const { loadModel, simulate } = modules.index;

for (const name of ['VanDerPol', 'BouncingBall', 'IdealClutch', 'HeatRod']) {
  const text = readFileSync(new URL(`../examples/${name}.mo`, import.meta.url), 'utf8');
  const { status } = await simulate(loadModel(text));
  if (status !== 'done') throw new Error(`${name}: ${status}`);
}
keep();
