/** What animations show of a run beside the pictures of built-in components, by name. */
import type { PicturedPoints, PicturedVisual } from '../builtin/picture.ts';
import { elementNames } from '../flat/core/families.ts';
import type { FlatModel, FlatVisual } from '../flat/flat.ts';
import type { Runtime } from '../program/runtime.ts';
import type { SignalTable } from '../results/table/table.ts';
import { leaves } from '../symbolic/analyse.ts';
import { scalarise } from '../symbolic/arrays.ts';
import { evaluate } from '../symbolic/evaluate.ts';
import { Interpreter } from '../symbolic/functions.ts';
import { sizeOf } from '../symbolic/shape.ts';

/** All of them, those in arrays one by one. Their texts are taken now: the next run may have others. */
export function visualsOf(runtime: Runtime, table: SignalTable): PicturedVisual[] {
  const { flat } = runtime.model;
  const { visuals = [], variables, read = missing } = flat;
  if (visuals.length === 0) return [];
  const texts = textsOf(runtime);
  return visuals.flatMap(({ kind, field, anchor, points = '' }: FlatVisual) =>
    elementNames(variables[anchor]!).map((scalar): PicturedVisual => {
      const name = scalar.slice(0, -field.length).replace(/\.$/, '');
      if (kind === 'shape') return { kind, name, shapeType: texts.get(scalar) ?? '', read };
      if (kind !== 'surface') return { kind, name };
      return { kind, name, points: typeof points === 'string' ? points : pointsOf(flat, points, table) };
    }),
  );
}

const missing = (name: string): never => {
  throw new Error(`the file “${name}” does not exist`);
};

/** Parameters that are texts, by name. */
function textsOf({ model, values }: Runtime): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [symbol, { name, kind, variable }] of model.scalars.entries())
    if (kind === 'parameter' && variable?.type === 'String')
      texts.set(name, values.text(values.pool.ref(symbol)));
  return texts;
}

/** The function of a surface, called with what its arguments are in the results. */
function pointsOf(
  { pool, functions, variables }: FlatModel,
  { fn, args }: Exclude<FlatVisual['points'], string | undefined>,
  table: SignalTable,
): PicturedPoints {
  const times = table.independents[0]!.values;
  /** Names of scalars, which are counted through. */
  const names = new Map<number, string>();
  const firsts: number[] = [];
  let count = 0;
  for (const { dims } of variables) {
    firsts.push(count);
    count += sizeOf(dims);
  }
  const context = {
    functions,
    iterators: new Map<number, number>(),
    dimsOfSymbol: (symbol: number) => variables[symbol]!.dims,
    symbolElement: (symbol: number, element: number) => {
      const scalar = firsts[symbol]! + element;
      if (!names.has(scalar)) names.set(scalar, elementNames(variables[symbol]!)[element]!);
      return scalar;
    },
  };
  const isStill = args.every((arg) =>
    [...leaves(arg)].every((leaf) => {
      const variability = leaf.kind === 'ref' ? variables[leaf.symbol]!.variability : undefined;
      return variability === 'parameter' || variability === 'constant';
    }),
  );
  let given: ReturnType<typeof scalarise> | undefined;
  const interpreter = new Interpreter(pool, functions);
  return {
    still: isStill,
    at: (row) => {
      given ??= args.flatMap((arg) => scalarise(pool, context, arg));
      const values = given.map((arg) =>
        evaluate(
          arg,
          (leaf) => (leaf.kind === 'ref' ? table.at(names.get(leaf.symbol)!, row) : times[row]!),
          interpreter.call,
        ),
      );
      return Float64Array.from(interpreter.run(fn, values), Number);
    },
  };
}
