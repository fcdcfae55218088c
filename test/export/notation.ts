/** Notation for exported models: what was written, run with one structure alone. */
import { expect } from 'vitest';
import { identifier as quoted } from '../../src/flat/print/names.ts';
import { exportModelica, loadModel, loadText, type SimulationResult, simulate } from '../../src/index.ts';
import { example } from '../simulate/notation.ts';

/** Both runs have rows at the same times; values between them are interpolated. */
const intervals = 200;

export interface Both {
  /** The model itself, with all its modes. */
  readonly model: SimulationResult;
  /** Its exported text, with one structure. */
  readonly text: SimulationResult;
  readonly written: string;
}

/** Writes the model of a text (or of an example) and runs both. */
export async function both(source: string, name?: string, stopTime?: number): Promise<Both> {
  const text = source.includes('\n') ? source : example(source);
  const load = () => loadModel(loadText(text), name ?? source);
  const options = { tolerance: 1e-8, intervals, ...(stopTime !== undefined && { stopTime }) };
  const { text: written } = exportModelica(load());
  const model = await simulate(load(), options);
  const run = await simulate(loadModel(written), { ...options, singleMode: true });
  for (const result of [model, run]) {
    expect(result.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
    expect(result.status).toBe('done');
  }
  return { model, text: run, written };
}

/** The largest difference between a model and its text, relative to values of at least 1, wherever a variable exists. */
export function difference({ model, text }: Both): { worst: number; at: string } {
  let worst = 0;
  let at = '';
  const names = model.table.names.filter((name) => text.table.names.includes(quoted(name)));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    for (let k = 0; k <= intervals; k++) {
      const time = (model.time * k) / intervals;
      const expected = model.table.value(name, time);
      if (Number.isNaN(expected)) continue;
      const error =
        Math.abs(text.table.value(quoted(name), time) - expected) / Math.max(1, Math.abs(expected));
      if (error <= worst) continue;
      worst = error;
      at = `${name} at ${time}`;
    }
  }
  return { worst, at };
}
