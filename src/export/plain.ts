/** A model with one structure in the words of other tools: its variables and equations as they are, arrays whole. */
import type { FlatModel, FlatVariable } from '../flat/flat.ts';
import { namesOf } from '../flat/print.ts';
import type { NameTable } from '../flat/text.ts';
import type { TextParts } from './text.ts';
import { quoted, standardOperators } from './words.ts';

export function plainModel(flat: FlatModel): Omit<TextParts, 'remarks'> & { readonly names: NameTable } {
  const known = namesOf(flat);
  return {
    names: {
      ...known,
      variable: (symbol) => quoted(known.variable(symbol)),
      element: (symbol, subscripts) => `${quoted(known.variable(symbol))}[${subscripts.join(', ')}]`,
      fn: (fn) => quoted(known.fn(fn)),
      ...standardOperators,
    },
    functions: flat.functions,
    declarations: flat.variables.map((variable, symbol) => ({ symbol, variable: standard(variable) })),
    initial: flat.initialEquations,
    sections: [{ title: '', equations: flat.equations }],
  };
}

/** Values of enumerations are Integers in a flat model. */
function standard(variable: FlatVariable): FlatVariable {
  return { ...variable, flow: false };
}
