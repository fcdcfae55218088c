/**
 * Texts as numbers. In a run the value of a String is a number that stands for its text; equal texts have equal numbers, and the empty one is 0, so that
 * code can hold, compare and remember them like Integers. What makes new texts, or looks into them, asks this table.
 */
import { Failure } from '../diagnostic/failure.ts';
import { formatted, formattedAs, joined } from './text.ts';

/** More different texts are surely a mistake: they are made anew again and again. */
const mostTexts = 1_000_000;

export class StringTable {
  private readonly texts: string[] = [''];
  private readonly numbers = new Map<string, number>([['', 0]]);

  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    if (this.texts.length >= mostTexts)
      throw Failure.of('simulate', 'limit-exceeded', `There are more than ${mostTexts} different Strings.`, {
        hint: 'Look for a String that is made anew at each event or in a loop.',
      });
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  textOf(number: number): string {
    return this.texts[number] ?? '';
  }

  /** The operators on texts, by numbers. */
  readonly operators = {
    concat: (a: number, b: number): number => this.numberOf(joined([this.textOf(a), this.textOf(b)])),
    string: (x: number, length: number, left: number, digits: number): number =>
      this.numberOf(formatted(x, length, left !== 0, digits)),
    pad: (a: number, length: number, left: number): number =>
      this.numberOf(formatted(this.textOf(a), length, left !== 0)),
    format: (x: number, format: number): number => this.numberOf(formattedAs(x, this.textOf(format))),
    order: (a: number, b: number): number => orderOf(this.textOf(a), this.textOf(b)),
  } as const;
}

export const orderOf = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export type TextOperator = keyof StringTable['operators'];

/** The operators on texts, with the values of arguments that may be missing at the end. */
export const textOperators: { readonly [Op in TextOperator]: readonly (number | undefined)[] } = {
  concat: [undefined, undefined],
  string: [undefined, 0, 1, 0],
  pad: [undefined, 0, 1],
  format: [undefined, undefined],
  order: [undefined, undefined],
};

export const isTextOperator = (op: string): op is TextOperator => Object.hasOwn(textOperators, op);
