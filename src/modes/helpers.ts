/** Functions that lowering adds to those of the model, and that are code of its own. */
import type { ForeignFunction, ForeignLeaf, ForeignScope } from '../symbolic/foreign.ts';
import type { FunctionDef, FunctionLocal } from '../symbolic/function.ts';
import { markLowered } from '../symbolic/lower.ts';

/** A function of arrays with so many elements, in the form of those from outside; its result is a number. */
export function helper(
  name: string,
  sizes: readonly number[],
  span: FunctionDef['span'],
  implementation: (this: ForeignScope, ...args: Float64Array[]) => number,
): FunctionDef {
  let length = 0;
  const args = sizes.map((size) => {
    const given: ForeignLeaf = { kind: 'value', type: 'Real', dims: [size], first: length };
    length += size;
    return { given, written: undefined };
  });
  const foreign: ForeignFunction = {
    path: name,
    name,
    implementation,
    columnMajor: false,
    args,
    result: { kind: 'value', type: 'Real', dims: [], first: 0 },
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
