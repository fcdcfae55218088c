/**
 * Options that programs give to functions as objects. The compiler checks them where programs are written in TypeScript; here they are checked for all
 * others, so that a name that does not exist is reported instead of being ignored.
 */
import { type Diagnostic, error } from './diagnostic.ts';
import { Failure } from './failure.ts';
import { didYouMean, nearest } from './nearest.ts';

/** What an option may be. */
export interface OptionKind {
  readonly is: (value: unknown) => boolean;
  /** As in: must be … */
  readonly what: string;
}

const ofType = (type: string, what: string): OptionKind => ({ is: (value) => typeof value === type, what });

export const kind = {
  number: ofType('number', 'a number'),
  flag: ofType('boolean', 'true or false'),
  text: ofType('string', 'a text'),
  function: ofType('function', 'a function'),
  /** An object with names and values. */
  object: {
    is: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    what: 'an object',
  } satisfies OptionKind,
  list: { is: Array.isArray, what: 'a list' } satisfies OptionKind,
  anything: { is: () => true, what: 'anything' } satisfies OptionKind,
  oneOf: (...choices: readonly string[]): OptionKind => ({
    is: (value) => choices.includes(value as string),
    what: `one of ${choices.map((choice) => `'${choice}'`).join(', ')}`,
  }),
  listOf: (isItem: (value: unknown) => boolean, what: string): OptionKind => ({
    is: (value) => Array.isArray(value) && value.every(isItem),
    what,
  }),
  instanceOf: (type: abstract new (...args: never) => unknown, what: string): OptionKind => ({
    is: (value) => value instanceof type,
    what,
  }),
};

export type OptionKinds<Options> = { readonly [Name in keyof Required<Options>]: OptionKind };

/** What is wrong with the options of a function; options that are undefined count as left out. */
export function badOptions<Options>(
  options: unknown,
  kinds: OptionKinds<Options>,
  name: string,
): Diagnostic[] {
  const names = Object.keys(kinds);
  const list = `Options are ${names.join(', ')}.`;
  if (!kind.object.is(options))
    return [error('bad-option', `The options of \`${name}\` must be an object.`, { hint: list })];
  const wrong: Diagnostic[] = [];
  for (const [option, value] of Object.entries(options as object)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(kinds, option)) {
      const meant =
        nearest(option, names) ?? names.find((one) => option.length > 2 && one.startsWith(option));
      const hint = didYouMean(meant) ?? list;
      wrong.push(error('bad-option', `\`${name}\` has no option \`${option}\`.`, { hint }));
      continue;
    }
    const { is, what } = kinds[option as keyof Options];
    if (is(value)) continue;
    const message = `The option \`${option}\` of \`${name}\` must be ${what}, not ${shown(value)}.`;
    wrong.push(error('bad-option', message));
  }
  return wrong;
}

/** Throws a `Failure` where options are wrong. */
export function requireOptions<Options>(options: unknown, kinds: OptionKinds<Options>, name: string): void {
  const wrong = badOptions(options, kinds, name);
  if (wrong.length > 0) throw new Failure('flatten', wrong);
}

/** Throws a `Failure` where an argument of a function is of the wrong kind; `what` names it. */
export function requireArgument(
  value: unknown,
  expected: OptionKind,
  what: string,
  name: string,
  hint?: string,
): void {
  if (expected.is(value)) return;
  const message = `${what} of \`${name}\` must be ${expected.what}, not ${shown(value)}.`;
  throw new Failure('flatten', [error('bad-option', message, { hint })]);
}

/** Throws a `RangeError` where options are wrong: for functions that know no diagnostics. */
export function checkOptions<Options>(options: unknown, kinds: OptionKinds<Options>, name: string): void {
  const [first] = badOptions(options, kinds, name);
  if (first) throw new RangeError(first.hint ? `${first.message} ${first.hint}` : first.message);
}

/** A value in messages. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the text '${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
    case 'undefined':
      return 'undefined';
    default:
      return `a ${typeof value}`;
  }
}
