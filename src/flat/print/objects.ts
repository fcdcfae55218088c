/**
 * Classes of external objects as text (Modelica 3.6, section 12.9.7): the constructor and the destructor that the flat model has as functions are
 * inside again. Of a constructor there is a function for each combination of sizes, so its arrays are written with open ones.
 */
import type { FunctionDef } from '../../symbolic/function.ts';

export interface ObjectClass {
  readonly name: string;
  readonly constructors: ReadonlySet<number>;
  readonly destructor: number;
}

/** The classes of external objects by their paths; only those that are written as they were, with functions in another language. */
export function objectClasses(
  functions: readonly FunctionDef[],
  nameOf: (path: string) => string,
): ReadonlyMap<string, ObjectClass> {
  const classes = new Map<string, ObjectClass>();
  const numbersOf = (name: string): number[] =>
    functions.flatMap((one, k) => (one.name === name && one.clause !== undefined ? [k] : []));
  for (const { locals, inputs, outputs, name } of functions) {
    const path = outputs === 1 ? locals[inputs]!.object : undefined;
    if (path === undefined || name !== `${path}.constructor` || classes.has(path)) continue;
    const [destructor] = numbersOf(`${path}.destructor`);
    const constructors = new Set(numbersOf(name));
    if (destructor !== undefined && constructors.size > 0)
      classes.set(path, { name: nameOf(path), constructors, destructor });
  }
  return classes;
}

/** Whether statements of a function begin or end the life of an object, which no text can say. */
export const managesObjects = (
  { body, clause }: FunctionDef,
  { constructors, destructor }: ObjectClass,
): boolean =>
  clause === undefined &&
  body.some(
    (statement) =>
      statement.kind === 'multiassign' && (statement.fn === destructor || constructors.has(statement.fn)),
  );
