/** What a program has to do with, and how it is called in the model. */
import type { Actions, Command } from './commands.ts';

/** A program is told whether what it waited for has come. */
export type Steps = Generator<Command, void, boolean>;

/** What a program has to do with. */
export interface Plan {
  readonly axes: number;
  readonly parts: readonly string[];
  /** Those that can be removed. */
  readonly removable: readonly string[];
  readonly places: readonly string[];
  /** What parts and places are called in the model, in their order. */
  readonly objects: { readonly parts: readonly string[]; readonly places: readonly string[] };
  /** By place: the part that can be removed and is this place, as its number among these; -1 where there is none. */
  readonly owners: readonly number[];
  readonly conditions: readonly string[];
  readonly run: (actions: Actions) => Steps;
}

/** Variables of the component that belong to a place and a part. */
export const weldOf = (part: string, place: string): string => `${part}_${place}`;
export const gapOf = (part: string, place: string): string => `${part}_${place}_gap`;
export const removalOf = (part: string): string => `${part}_removal`;
