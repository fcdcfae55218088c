/** Small notation for programs: members and steps in, results or the only diagnostic out. */
import { expect } from 'vitest';
import { Program, type ProgramOptions } from '../../src/actions.ts';
import { World } from '../../src/bodies.ts';
import { loadModel, Model, type SimulationResult, simulate } from '../../src/index.ts';

export type Options = ProgramOptions<string, string, string>;

/** Bodies without gravity, and a program named `p`. */
export const modelOf = (members: object, options: Options) =>
  Model('Test', { world: World({ gravity: 'none' }), ...members, p: Program('P', options) });

export const run = (members: object, options: Options, stopTime = 2): Promise<SimulationResult> =>
  simulate(loadModel(modelOf(members, options)), { stopTime, tolerance: 1e-9 });

/** As `run`; it must succeed without a word. */
export async function succeed(members: object, options: Options, stopTime = 2): Promise<SimulationResult> {
  const result = await run(members, options, stopTime);
  expect(result.diagnostics).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

/** What ends a run: code, message and hint; and how far it came. */
export async function refusal(members: object, options: Options, stopTime = 2) {
  const { diagnostics, status, table } = await run(members, options, stopTime);
  expect(status).toBe('failed');
  expect(diagnostics).toHaveLength(1);
  const { code, message, hint } = diagnostics[0]!;
  return { text: [`[${code}] ${message}`, ...(hint ? [hint] : [])].join(' | '), until: table.time.at(-1)! };
}
