/** What models with bodies say: messages with the lines that they point to. */
import {
  type Diagnostic,
  loadModel,
  loadText,
  type SimulateOptions,
  type SimulationResult,
  simulate,
} from '../../src/index.ts';
import { library } from '../models/notation.ts';

export type Told = Pick<Diagnostic, 'severity' | 'code' | 'message' | 'hint'> & {
  /** The element that it points to; undefined where that is in another text. */
  readonly line: string | undefined;
};

/** Simulates a model of these elements, each on a line of its own. */
export async function telling(
  elements: readonly string[],
  options: SimulateOptions = { stopTime: 0.1 },
): Promise<{ readonly result: SimulationResult; readonly told: readonly Told[] }> {
  const text = ['model Test', 'import Mutabor.Bodies.*;', ...elements, 'end Test;'].join('\n');
  const result = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'), options);
  const told = result.diagnostics.map(({ severity, code, message, hint, span }) => {
    const before = span?.source.name === 'Test.mo' ? text.slice(0, span.start).split('\n') : [];
    return { severity, code, message, hint, line: text.split('\n')[before.length - 1] };
  });
  return { result, told };
}
