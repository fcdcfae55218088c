/**
 * Small models with what must come out of them, computed independently: by hand where there is a closed form, otherwise by time-stepping of
 * the complementarity problem or by hand-written event integration. `trials.json` lists them: values at times, on a side of an event or
 * interpolated, sums of impulses, an error that must end the run, bounds of statistics. An event may be 1e-5 s away.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, type SignalTable, type SimulationResult, simulate } from '../../src/index.ts';
import { library } from '../models/notation.ts';

interface Trial {
  readonly file: string;
  readonly model: string;
  readonly options: readonly string[];
  readonly checks: readonly Check[];
  readonly impulses?: readonly {
    readonly time: number;
    readonly variable: string;
    readonly weight: number;
    readonly tolerance: number;
  }[];
  readonly expectError?: string;
  readonly orWarning?: boolean;
  readonly noWarnings?: boolean;
  readonly atMost?: { readonly modesCompiled?: number };
}

interface Check {
  readonly variable: string;
  readonly time: number;
  readonly side?: 'before' | 'after';
  readonly value: number;
  readonly tolerance: number;
}

const folder = new URL('.', import.meta.url);
const trials: readonly Trial[] = JSON.parse(readFileSync(new URL('trials.json', folder), 'utf8'));
const shared = library();

describe('trials', () => {
  test.each(trials.map((trial) => [trial.file, trial] as const))(
    '%s',
    async (_, trial) => {
      const result = await run(trial);
      const codes = (severity: string) =>
        result.diagnostics.filter((d) => d.severity === severity).map((d) => d.code);
      if (trial.expectError) {
        if (trial.orWarning && result.status === 'done') expect(codes('warning')).not.toEqual([]);
        else expect(codes('error')).toContain(trial.expectError);
        return;
      }
      expect(codes('error')).toEqual([]);
      expect(result.status).toBe('done');
      for (const check of trial.checks) verify(result.table, check);
      for (const { variable, time, weight, tolerance } of trial.impulses ?? [])
        near(impulse(result, variable, time), weight, tolerance, `impulse of ${variable}`);
      if (trial.noWarnings) expect(codes('warning')).toEqual([]);
      const { modesCompiled } = trial.atMost ?? {};
      if (modesCompiled !== undefined)
        expect(result.statistics.modesCompiled).toBeLessThanOrEqual(modesCompiled);
    },
    60_000,
  );
});

async function run({ file, model, options }: Trial): Promise<SimulationResult> {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const at = options.indexOf('--stop');
  return simulate(loadModel(loadText(text, file, shared), model), {
    stopTime: Number(options[at + 1]),
    ...(options.includes('--sliding') && { sliding: true }),
  });
}

function verify(table: SignalTable, { variable, time, side, value, tolerance }: Check): void {
  const own = side ? eventNear(table, time) : time;
  near(table.value(variable, own, side), value, tolerance, `${variable} at ${time} ${side ?? ''}`);
}

function near(actual: number, expected: number, tolerance: number, what: string): void {
  expect(Math.abs(actual - expected), `${what}: ${actual} instead of ${expected}`).toBeLessThanOrEqual(
    tolerance,
  );
}

/** The time of the event that is meant. */
function eventNear({ time: times }: SignalTable, time: number): number {
  for (let row = 0; row + 1 < times.length; row++)
    if (times[row] === times[row + 1] && Math.abs(times[row]! - time) <= 1e-5) return times[row]!;
  return time;
}

function impulse({ impulses }: SimulationResult, variable: string, time: number): number {
  const own = impulses.filter((i) => i.variable === variable && Math.abs(i.time - time) <= 1e-5);
  return own.reduce((sum, i) => sum + i.weight, 0);
}
