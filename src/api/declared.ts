/**
 * What is known of names that a class of a Modelica library declares, as a text each:
 *
 *     'Real[3] m'                                        type, sizes, unit
 *     'Boolean', 'Integer', 'String', 'Real'
 *     'name'                                             a String that names a component beside it, or around it
 *     'enumeration Lib.Colour red green'                 with its literals
 *     'result Real[3] m'                                 a variable that the class itself determines
 *     'component Lib.Flange'
 *
 * The texts are types as well: the compiler reads from them what can be given (`Given`).
 */
import type { Template } from './template.ts';
import type { Attributes, Item, Items, ModelData, Quantity, Variable } from './value.ts';

export interface Declared {
  readonly type: string;
  readonly sizes: readonly number[];
  readonly unit: string | undefined;
  readonly isName: boolean;
  /** Those of an enumeration. */
  readonly literals: readonly string[] | undefined;
}

const FORM = /^(?:result )?(Real|Integer|Boolean|String|name)(?:\[(\d+(?:, \d+)*)\])?(?: (\S+))?$/;

/** What a text says; undefined where it says nothing. */
export function declared(text: string): Declared | undefined {
  const plain = { sizes: [], unit: undefined, isName: false, literals: undefined };
  const [word, type = '', ...literals] = text.split(' ');
  if (word === 'component') return { ...plain, type };
  if (word === 'enumeration') return { ...plain, type, literals };
  const [, own, sizes, unit] = FORM.exec(text) ?? [];
  if (own === undefined) return undefined;
  return {
    ...plain,
    type: own === 'name' ? 'String' : own,
    sizes: sizes === undefined ? [] : sizes.split(', ').map(Number),
    unit,
    isName: own === 'name',
  };
}

/** What can be given for a name; anything where the text is not known. */
export type Given<Text> = string extends Text
  ? Item
  : Text extends 'name'
    ? string | ModelData | Template
    : Text extends `result ${string}`
      ? Attributes | Variable | Template
      : Text extends `component ${string}`
        ? Items
        : Text extends `enumeration ${string} ${infer Literals}`
          ? Words<Literals> | Template
          : Text extends `Real[${string}`
            ? Numbers | Quantity | Template
            : Text extends `Real${string}`
              ? number | Quantity | Template
              : Text extends 'Integer'
                ? number | Template
                : Text extends 'Boolean'
                  ? boolean | Template
                  : string | Template;

type Numbers = readonly number[] | readonly (readonly number[])[];

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
