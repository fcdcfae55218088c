/**
 * Mutabor for programs, in Node and in browsers: from Modelica text to results and pictures.
 *
 *     import { loadModel, plotSvg, simulate } from 'mutabor';
 *
 *     const model = loadModel('model Decay Real x(start = 1); equation der(x) = -x; end Decay;');
 *     const { table, status } = await simulate(model, { stopTime: 5 });
 *     table.value('x', 1);            // 0.3678…
 *     const picture = plotSvg(table); // SVG text
 *
 * Nothing here reads files: libraries on disk come through the `FileSystem` that a `Library` is given.
 */
import { type Diagnostic, error, Failure } from './diagnostic/diagnostic.ts';
import { Source } from './diagnostic/source.ts';
import type { FlatModel } from './flat/flat.ts';
import { flatten } from './flat/flatten.ts';
import { instantiate, type Override } from './model/instantiate.ts';
import { Library } from './model/library.ts';
import { parse, parseExpression } from './syntax/parser.ts';

export { type DiagnosticCode, diagnosticCodes } from './diagnostic/codes.ts';
export { type Diagnostic, Failure, type Severity, type Stage } from './diagnostic/diagnostic.ts';
export { type RenderOptions, renderDiagnostic } from './diagnostic/render.ts';
export { type Position, Source, type Span } from './diagnostic/source.ts';
export type { FlatModel } from './flat/flat.ts';
export type { Override } from './model/instantiate.ts';
export { type FileSystem, Library } from './model/library.ts';
export { FormatError, readCsv, toCsv } from './results/csv.ts';
export { readJson, toJson } from './results/json.ts';
export { chooseSignals } from './results/plot/choose.ts';
export type { PlotOptions } from './results/plot/figure.ts';
export { plotHtml } from './results/plot/html.ts';
export { plotSvg } from './results/plot/svg.ts';
export {
  type SignalInfo,
  SignalTable,
  type TableImpulse,
  type TableMode,
  type TableSegment,
} from './results/table.ts';
export {
  check,
  type Impulse,
  type Method,
  type ModelCheck,
  type ModeVisit,
  type SimulateOptions,
  type SimulationResult,
  type Statistics,
  type Status,
  simulate,
} from './simulate/index.ts';
export { parse, parseExpression } from './syntax/parser.ts';

/** Values for parameters and start values by dotted name; texts are Modelica expressions. */
export type Overrides = Readonly<Record<string, string | number | boolean>>;

/** Parses a text into a new library. Throws a `Failure` that lists all mistakes. */
export function loadText(text: string, name = 'model.mo'): Library {
  const library = new Library();
  const { definition, diagnostics } = parse(new Source(name, text));
  const problems = [...diagnostics, ...library.add(definition)];
  if (hasErrors(problems)) throw new Failure('syntax', problems);
  return library;
}

/**
 * The flat model of a class, ready to be simulated. `model` is Modelica text or a library; without a name the last
 * model of the text is taken. Throws a `Failure`.
 */
export function loadModel(model: string | Library, name?: string, overrides: Overrides = {}): FlatModel {
  const library = typeof model === 'string' ? loadText(model) : model;
  const chosen = name ?? lastModel(library);
  if (chosen === undefined)
    throw new Failure('flatten', [error('no-model', 'There is no model in the text.')]);
  const translation = translate(library, chosen, Object.entries(overrides).map(readOverride));
  if (!translation.model) throw new Failure('flatten', translation.diagnostics);
  return translation.model;
}

export interface Translation {
  /** `undefined` where there are errors. */
  readonly model: FlatModel | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Instantiates and flattens a class; what is wrong is in the diagnostics, warnings included. */
export function translate(library: Library, name: string, overrides: readonly Override[] = []): Translation {
  const { root, diagnostics } = instantiate(library, name, { overrides });
  if (!root || hasErrors(diagnostics)) return { model: undefined, diagnostics };
  const flat = flatten(root, library);
  return { model: flat.model, diagnostics: [...diagnostics, ...flat.diagnostics] };
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((item) => item.severity === 'error');
}

function lastModel(library: Library): string | undefined {
  return library.classes.findLast(
    ({ definition }) => ['model', 'block', 'class'].includes(definition.restriction) && !definition.partial,
  )?.path;
}

function readOverride([name, value]: [string, string | number | boolean]): Override {
  const source = new Source(name, String(value));
  const { expression, diagnostics } = parseExpression(source);
  if (!expression) throw new Failure('syntax', diagnostics);
  return { name, value: expression, span: { source, start: 0, end: source.text.length } };
}
