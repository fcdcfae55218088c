/** Constructors for classes of a Modelica library whose names are known: what is given to them is checked at once. */

import type { Given } from './declared.ts';
import { changed } from './merge.ts';
import { checked, itemsIn, ModelValue } from './model.ts';
import type { Taking } from './types.ts';
import { type Items, noChanges } from './value.ts';

/** What a class declares, by name (`declared.ts`). */
export type Declarations = Readonly<Record<string, string>>;

/** What can be given to a constructor. */
export type OptionsOf<D extends Declarations> = { readonly [Name in keyof D]?: Given<D[Name]> };

/** The members of a model that a constructor makes. */
export type DeclaredMembers<D extends Declarations> = { readonly [Name in keyof D]: Taking<Given<D[Name]>> };

/** Makes a component of a class; each call makes another one, which other members of its model can name. */
export interface Constructor<D extends Declarations> {
  (options?: OptionsOf<D>): ModelValue<DeclaredMembers<D>>;
  /** What the class declares. */
  readonly members: D;
}

export function constructorOf<const D extends Declarations>(name: string, members: D): Constructor<D> {
  const base = new ModelValue({ kind: 'named', name, members }, noChanges);
  const make = (options: OptionsOf<D> = {}): ModelValue<DeclaredMembers<D>> =>
    checked((problems) => {
      const { definition, changes } = changed(base, itemsIn(options, problems) as Items, problems);
      return new ModelValue(definition, changes);
    });
  // What messages and debuggers call it.
  Object.defineProperty(make, 'name', { value: name.split('.').at(-1) });
  return Object.assign(make, { members });
}
