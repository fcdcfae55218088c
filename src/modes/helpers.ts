/** Functions that lowering adds to those of the model, and that are code of its own. */
import type { ForeignFunction, ForeignLeaf, ForeignScope } from '../symbolic/foreign.ts';
import type { FunctionDef, FunctionLocal } from '../symbolic/function.ts';
import { markLowered } from '../symbolic/lower.ts';

/** An array of so many numbers, or of so many texts. */
type Given = number | { readonly texts: number };

/** A function of arrays, in the form of those from outside: of a `Float64Array` for numbers, and a list for texts. Its result is a number, or a text. */
export function helper(
  name: string,
  sizes: readonly Given[],
  span: FunctionDef['span'],
  implementation: (this: ForeignScope, ...args: never[]) => number | string,
  result: 'Real' | 'String' = 'Real',
): FunctionDef {
  let length = 0;
  const args = sizes.map((one) => {
    const [type, size] =
      typeof one === 'number' ? (['Real', one] as const) : (['String', one.texts] as const);
    const given: ForeignLeaf = { kind: 'value', type, dims: [size], first: length };
    length += size;
    return { given, written: undefined };
  });
  const foreign: ForeignFunction = {
    path: name,
    name,
    implementation,
    columnMajor: false,
    args,
    result: { kind: 'value', type: result, dims: [], first: 0 },
    destroys: false,
    span,
  };
  const local = (own: string, size: number): FunctionLocal => ({
    name: own,
    type: 'Real',
    dims: [size],
    initial: undefined,
  });
  return markLowered({
    name,
    locals: [local('given', length), local('written', 1)],
    inputs: 1,
    outputs: 1,
    body: [],
    external: { kind: 'foreign', foreign, order: 0 },
    span,
  });
}
