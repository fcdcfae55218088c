/**
 * Notation for the law that what is printed can be read again and means the same: a model and its text run side by side, and all that
 * both have moves alike.
 */
import { elementName } from '../../src/flat/core/families.ts';
import { printBase } from '../../src/flat/print/base.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { identifier, quoted } from '../../src/flat/print/names.ts';
import {
  exportModelica,
  Failure,
  type FlatModel,
  loadModel,
  type SimulationResult,
  simulate,
} from '../../src/index.ts';
import { prefixesOf } from '../../src/names/names.ts';
import { agree } from './random.ts';

const intervals = 25;

/** The exported text of a model; undefined where export refuses it with a reason. */
export const exportText = (model: FlatModel): string | undefined =>
  writtenText(() => exportModelica(model).text);

/** The text of a model in Base Modelica; undefined where this has no words for it. */
export const baseText = (model: FlatModel): string | undefined => writtenText(() => printBase(model));

function writtenText(write: () => string): string | undefined {
  let text = '';
  const problem = failureOf(() => {
    text = write();
  });
  if (!problem) return text;
  const codes = problem.diagnostics.map(({ code }) => code);
  if (codes.includes('not-exportable')) return undefined;
  throw new Error(`export fails otherwise: ${problem.message}`);
}

function failureOf(action: () => unknown): Failure | undefined {
  try {
    action();
    return undefined;
  } catch (problem) {
    if (problem instanceof Failure) return problem;
    throw problem;
  }
}

/** Throws unless the flat text of a model has its results, and goes through modes at the same times. */
export async function sameWhenPrinted(source: string, stopTime?: number): Promise<void> {
  const result = await runOf(loadModel(source), stopTime);
  if (result.status !== 'done') throw new Error(statusOf(result));
  const text = printFlat(loadModel(source));
  await sameResults(loadModel(source), result, text);
  const again = await runOf(loadModel(text), stopTime);
  const [found, wanted] = [again, result].map(({ modes }) => modes.map(({ from }) => from));
  if (found!.length !== wanted!.length) throw new Error(`${found} instead of ${wanted} in\n${text}`);
  for (const [k, from] of wanted!.entries()) agree(found![k]!, from, 1e-6, `mode ${k + 1} of\n${text}`);
}

/** Throws unless a text that was written of a model has its results. */
export async function sameResults(model: FlatModel, result: SimulationResult, text: string): Promise<void> {
  const shown = `in\n${text}`;
  const problem = failureOf(() => loadModel(text));
  if (problem) throw new Error(`${problem.message} ${shown}`);
  const again = await runOf(loadModel(text), result.time, toleranceOf(model));
  if (again.status !== result.status)
    throw new Error(`${statusOf(again)} instead of ${statusOf(result)} ${shown}`);
  let compared = 0;
  for (const variable of model.variables) {
    const size = variable.dims.reduce((product, n) => product * n, 1);
    for (let k = 0; k < size; k++) {
      const name = elementName(variable, k);
      const written = writtenName(variable, k).find((one) => again.table.has(one));
      if (!result.table.has(name) || written === undefined) continue;
      compared++;
      for (let j = 0; j <= intervals; j++) {
        const time = ((j + 0.3) * result.time) / (intervals + 1);
        const expected = result.table.value(name, time);
        if (Number.isNaN(expected)) continue;
        agree(again.table.value(written, time), expected, 1e-5, `${name} at ${time} ${shown}`);
      }
    }
  }
  if (compared === 0) throw new Error(`nothing to compare ${shown}`);
}

/**
 * An element of a variable in a text, which has arrays whole (`'c.x'[2]`) or written out (`'c[2].x'`), and in which some components may have
 * stayed (`'c.d'.x`, `c.'d.x'`).
 */
function writtenName(variable: FlatModel['variables'][number], k: number): string[] {
  const plain = elementName({ name: 'x', dims: variable.dims }, k).slice(1);
  return [
    ...cuts(variable.name).map((name) => name + plain),
    ...cuts(elementName(variable, k)),
    quoted(variable.name) + plain,
  ];
}

/** A dotted name as one identifier, or as several with dots between them. */
function cuts(name: string): string[] {
  const dots = prefixesOf(name).map((prefix) => prefix.length);
  if (dots.length > 6) return [identifier(name)];
  return Array.from({ length: 2 ** dots.length }, (_, bits) => {
    const ends = [...dots.filter((_, k) => bits & (1 << k)), name.length];
    return ends.map((end, k) => identifier(name.slice(k === 0 ? 0 : ends[k - 1]! + 1, end))).join('.');
  });
}

export const runOf = (
  model: FlatModel,
  stopTime?: number,
  tolerance = toleranceOf(model),
): Promise<SimulationResult> =>
  simulate(model, { tolerance, intervals: 200, ...(stopTime !== undefined && { stopTime }) });

/**
 * So tight that the same equations in another form give the same numbers. A built-in component has only one form, the code, and steps of
 * bodies that touch are dear: models with components run with the tolerance of their experiment.
 */
function toleranceOf({ components, experiment }: FlatModel): number {
  return (components.length > 0 ? experiment.tolerance : undefined) ?? 1e-9;
}

const statusOf = ({ status, diagnostics }: SimulationResult): string =>
  `${status} (${diagnostics.map(({ message }) => message).join('; ')})`;
