/** Notation of these tests: Modelica text in, lines of flat text or `code line:column message` out. */

import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { Source } from '../../src/diagnostic/source.ts';
import type { FlatModel } from '../../src/flat/flat.ts';
import { flatten } from '../../src/flat/flatten.ts';
import { equationLines } from '../../src/flat/print/equations.ts';
import { namesOf } from '../../src/flat/print/names.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { type ScalariseContext, scalarise } from '../../src/symbolic/arrays.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { parse } from '../../src/syntax/parser.ts';

export interface Outcome {
  readonly model: FlatModel | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The text of a test has syntax errors. */
export class SyntaxProblem extends Error {
  override name = 'SyntaxProblem';
}

/** Flattens the last class of a text (or the named one); the text must be free of syntax errors. */
export function flattened(text: string, name?: string): Outcome {
  const parsed = parse(new Source('test.mo', text));
  if (parsed.diagnostics.length > 0)
    throw new SyntaxProblem(parsed.diagnostics.map((d) => d.message).join('\n'));
  const library = new Library();
  const problems = library.add(parsed.definition);
  const last = name ?? parsed.definition.classes.at(-1)!.name.text;
  const instance = instantiate(library, last);
  const before = [...problems, ...instance.diagnostics];
  if (!instance.root || before.some((d) => d.severity === 'error'))
    return { model: undefined, diagnostics: before };
  const result = flatten(instance.root, library);
  return { model: result.model, diagnostics: [...before, ...result.diagnostics] };
}

/** The model of a text that must be right. */
export function modelOf(text: string, name?: string): FlatModel {
  const { model, diagnostics } = flattened(text, name);
  if (!model) throw new Error(problemTexts(diagnostics).join('\n'));
  return model;
}

/** The equations of a model, one line each, nested ones indented. */
export function equations(text: string, name?: string): string[] {
  const model = modelOf(text, name);
  const names = namesOf(model);
  return model.equations.flatMap((equation) => equationLines(equation, model, names, ''));
}

/** `model M <body> end M;` */
export const inModel = (body: string): string => `model M\n${body}\nend M;`;

/** What is wrong with a text: `code line:column message`, then ` | hint`. */
export function problems(text: string, name?: string): string[] {
  return problemTexts(flattened(text, name).diagnostics);
}

function problemTexts(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map((d) => {
    const at = d.span ? d.span.source.position(d.span.start) : undefined;
    const place = at ? ` ${at.line}:${at.column}` : '';
    return `${d.code}${place} ${d.message}${d.hint ? ` | ${d.hint}` : ''}`;
  });
}

/** The elements of an expression of a model for given values of its variables (row-major lists for arrays). */
export function elements(
  model: FlatModel,
  expr: Expr,
  values: Readonly<Record<string, number | readonly number[]>> = {},
): number[] {
  const first: number[] = [];
  const flat: number[] = [];
  for (const variable of model.variables) {
    first.push(flat.length);
    const size = variable.dims.reduce((a, b) => a * b, 1);
    const given = values[variable.name] ?? Number.NaN;
    for (let k = 0; k < size; k++) flat.push(typeof given === 'number' ? given : given[k]!);
  }
  const context: ScalariseContext = {
    functions: model.functions,
    dimsOfSymbol: (symbol) => model.variables[symbol]!.dims,
    symbolElement: (symbol, index) => first[symbol]! + index,
    iterators: new Map(),
  };
  return scalarise(model.pool, context, expr).map((element) =>
    evaluate(element, (leaf) => (leaf.kind === 'ref' ? flat[leaf.symbol]! : Number.NaN)),
  );
}

/** The value of the first equation's right side. */
export const firstRight = (
  model: FlatModel,
  values?: Readonly<Record<string, number | readonly number[]>>,
): number[] => {
  const equation = model.equations[0]!;
  if (equation.kind !== 'equal') throw new Error('the first equation is no equality');
  return elements(model, equation.right, values);
};
