/**
 * Attributes of variables: which there are, reading them with their mistakes, merging them, converting values with units, and
 * what follows from values: type and sizes.
 */

import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { didYouMean, nearest } from '../diagnostic/nearest.ts';
import { lowered } from '../diagnostic/words.ts';
import { attributesOf } from '../model/predefined.ts';
import { shapeOf } from '../names/literals.ts';
import { converted, sameKind, unitOf } from '../units/unit.ts';
import { Template, templateOf } from './template.ts';
import {
  type Attributes,
  type ComponentAttributes,
  type Dimension,
  type Item,
  itemsOf,
  type Literal,
  ModelData,
  type NumberOrArray,
  Quantity,
  type Shortcut,
  type Value,
  Variable,
} from './value.ts';

/** What is wrong with the arguments of one call, collected. */
export class Problems {
  readonly list: Diagnostic[] = [];

  /** Gives false, the answer of a check. */
  add(code: DiagnosticCode, message: string, hint?: string): false {
    this.list.push(error(code, message, { hint }));
    return false;
  }

  /** Names what may have been meant in the problems from a number on. */
  suggest(from: number, meant: string | undefined): void {
    if (meant === undefined) return;
    for (let k = from; k < this.list.length; k++)
      this.list[k] = { ...this.list[k]!, hint: `Did you mean \`${meant}\`?` };
  }
}

/** What kind of thing each attribute is. */
const kinds = {
  type: 'name',
  value: 'value',
  start: 'value',
  init: 'value',
  fixed: 'flag',
  min: 'value',
  max: 'value',
  nominal: 'value',
  unit: 'text',
  displayUnit: 'text',
  quantity: 'text',
  stateSelect: 'choice',
  info: 'text',
  size: 'size',
  if: 'flag',
  parameter: 'prefix',
  constant: 'prefix',
  discrete: 'prefix',
  input: 'prefix',
  output: 'prefix',
  potential: 'prefix',
  flow: 'prefix',
  stream: 'prefix',
  inner: 'prefix',
  outer: 'prefix',
  final: 'prefix',
  protected: 'prefix',
  hideResult: 'prefix',
} as const satisfies Record<keyof Attributes, string>;

type AttributeName = keyof typeof kinds;

/** Attributes that a modifier can change; all others belong to the declaration. */
export const modifierNames = [...attributesOf.Real].filter((name) => name in kinds) as readonly Exclude<
  AttributeName,
  'size'
>[];

export const isModifier = (name: string): boolean => (modifierNames as readonly string[]).includes(name);

type AttributeKind = (typeof kinds)[AttributeName];

/** The attributes in an object that a user wrote; `what` names the variable. */
export function readAttributes(items: object, what: string, problems: Problems): Attributes {
  return readKinds(items, kinds, what, problems);
}

function readKinds(
  items: object,
  known: Readonly<Record<string, AttributeKind>>,
  what: string,
  problems: Problems,
): object {
  const read: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(items)) {
    if (item === undefined) continue;
    if (!Object.hasOwn(known, name)) {
      const names = Object.keys(known);
      const meant = nearest(name, names);
      problems.add(
        'unknown-modifier',
        `${what} has no attribute \`${name}\`.`,
        didYouMean(meant) ?? `Attributes are ${names.join(', ')}.`,
      );
    } else if (item === null || fits(name, known[name]!, item, what, problems)) read[name] = item;
  }
  return read;
}

function fits(name: string, kind: AttributeKind, item: unknown, what: string, problems: Problems): boolean {
  const refuse = (expected: string): false =>
    problems.add('bad-binding', `The attribute \`${name}\` of ${lowered(what)} must be ${expected}.`);
  switch (kind) {
    case 'prefix':
      return typeof item === 'boolean' || refuse('true or false');
    case 'text':
      return typeof item === 'string' || refuse('a text');
    case 'name':
      return isClassName(item) || refuse('the name of a class');
    case 'choice':
      return stateSelections.includes(item as string) || refuse(`one of ${stateSelections.join(', ')}`);
    case 'flag':
      return typeof item === 'boolean' || checkExpression(item, `\`${name}\` of ${lowered(what)}`, problems);
    case 'size':
      return checkSizes(item, what, problems);
    case 'value':
      return checkValue(item, name === 'value' ? what : `\`${name}\` of ${lowered(what)}`, problems);
  }
}

const stateSelections: readonly string[] = ['never', 'avoid', 'default', 'prefer', 'always'];

/** A name as classes have it: `Modelica.Units.SI.Voltage`. */
export const isClassName = (item: unknown): item is string =>
  typeof item === 'string' && /^\.?[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(item);

/** Whether something is a list of sizes: numbers, expressions, or `:`. */
function checkSizes(item: unknown, what: string, problems: Problems): boolean {
  return (Array.isArray(item) ? item : [item]).every((size) => {
    if (size instanceof Template) return checkExpression(size, what, problems);
    const fine =
      typeof size === 'string'
        ? size === ':' || templateOf(size).expression() !== undefined
        : Number.isInteger(size) && (size as number) >= 0;
    if (!fine) {
      const shown =
        typeof size === 'string' ? `\`${size}\`` : typeof size === 'number' ? size : 'What is given';
      problems.add(
        'bad-binding',
        `${shown} is not a size of ${lowered(what)}.`,
        'Sizes are whole numbers or expressions.',
      );
    }
    return fine;
  });
}

/** What the attributes of a component are. */
const componentKinds: Readonly<Record<keyof ComponentAttributes, AttributeKind>> = {
  size: 'size',
  if: 'flag',
  inner: 'prefix',
  outer: 'prefix',
  final: 'prefix',
  protected: 'prefix',
  info: 'text',
  value: 'value',
};

/** The attributes of a component that a user wrote. */
export function readComponentAttributes(items: object, problems: Problems): ComponentAttributes {
  const given = Object.entries(items).filter(([, item]) => item !== null);
  return readKinds(Object.fromEntries(given), componentKinds, 'The component', problems);
}

/** What is no value, in messages. */
function described(item: unknown): string {
  if (item === null) return 'null';
  if (Number.isNaN(item)) return 'not a number';
  if (typeof item === 'number') return 'infinite';
  if (ArrayBuffer.isView(item)) return 'a typed array';
  return typeof item === 'object' ? 'an object' : `a ${typeof item}`;
}

/** Whether something is a value, with its array rectangular and its expression readable. */
export function checkValue(item: unknown, what: string, problems: Problems): item is Value {
  if (item instanceof Template) return checkExpression(item, what, problems);
  const literal = item instanceof Quantity ? item.value : item;
  if (item instanceof Quantity && !unitOf(item.unit)) {
    return problems.add(
      'type-mismatch',
      `\`${item.unit}\`, the unit of the value of ${lowered(what)}, is not known.`,
    );
  }
  if (!isLiteral(literal)) {
    return problems.add('bad-binding', `The value of ${lowered(what)} is ${described(item)}.`, hintFor(item));
  }
  if (!shapeOf(literal))
    return problems.add(
      'dimension-mismatch',
      `The rows in the value of ${lowered(what)} have different lengths.`,
    );
  const types = [...new Set(scalarsIn(literal).map((one) => typeof one))];
  if (types.length <= 1) return true;
  const list = types.map((type) => literalTypes[type as keyof typeof literalTypes]).join(' and ');
  return problems.add(
    'type-mismatch',
    `The elements in the value of ${lowered(what)} are of different types: ${list}.`,
  );
}

function hintFor(item: unknown): string {
  if (ArrayBuffer.isView(item)) return 'Write `Array.from(…)`.';
  // A constructor of a class.
  if (typeof item === 'function' && 'members' in item) return `Write \`${item.name}()\`.`;
  return 'Values are finite numbers, Booleans, strings, arrays of them, quantities and templates.';
}

const literalTypes = { number: 'numbers', boolean: 'Booleans', string: 'texts' };

export function isNumeric(value: unknown): value is NumberOrArray {
  return Array.isArray(value) ? value.every(isNumeric) : typeof value === 'number';
}

/** The elements of an array, row by row. */
export function scalarsIn(value: Literal): ScalarLiteral[] {
  return typeof value === 'object' ? value.flatMap(scalarsIn) : [value];
}

/** Reports a value that is known and not of the type of its variable; types that are classes are known later. */
export function checkType(value: Literal | Template, type: string, what: string, problems: Problems): void {
  if (value instanceof Template) return;
  const wrong = scalarsIn(value).find((one) => !fitsType(one, type));
  if (wrong === undefined) return;
  problems.add('type-mismatch', `${what} is ${type} but is given ${typeOfScalar(wrong)}.`);
}

type ScalarLiteral = number | boolean | string;

const typeOfScalar = (value: ScalarLiteral): string =>
  typeof value === 'number' ? 'Real' : typeof value === 'boolean' ? 'Boolean' : 'String';

function fitsType(value: ScalarLiteral, type: string): boolean {
  if (type === 'Integer') return Number.isInteger(value);
  return !['Real', 'Boolean', 'String'].includes(type) || typeOfScalar(value) === type;
}

function checkExpression(item: unknown, what: string, problems: Problems): boolean {
  if (item instanceof Template) {
    const found = item.problems('expression');
    problems.list.push(...found);
    return found.length === 0;
  }
  return problems.add('bad-binding', `The value of ${lowered(what)} is not an expression.`);
}

/** More dimensions than this has no array that is not in itself. */
const MOST_DIMENSIONS = 32;

function isLiteral(item: unknown, depth = 0): item is Literal {
  if (Array.isArray(item)) return depth < MOST_DIMENSIONS && item.every((one) => isLiteral(one, depth + 1));
  return typeof item === 'number'
    ? Number.isFinite(item)
    : typeof item === 'boolean' || typeof item === 'string';
}

/** What is said of a variable, as attributes. */
export function attributesIn(item: Item, what: string, problems: Problems): Attributes | undefined {
  if (item instanceof Variable) return item.attributes;
  if (isShortcut(item)) return item.variable.attributes;
  if (item instanceof ModelData) {
    problems.add(
      'bad-binding',
      `${what} is a variable, not a component.`,
      'Use `redeclare(…)` to replace it.',
    );
    return undefined;
  }
  return readAttributes(itemsOf(item) ?? { value: item }, what, problems);
}

export const isShortcut = (item: unknown): item is Shortcut =>
  typeof item === 'function' && (item as Partial<Shortcut>).variable instanceof Variable;

// ---------------------------------------------------------------- merging

/** Attributes with later ones over them; `null` stays, to take an attribute away from what they are merged into. */
export function mergeAttributes(...all: readonly Attributes[]): Attributes {
  return Object.assign({}, ...all.map(expanded));
}

/** `init` as what it stands for, `start` that is `fixed`: only names that Modelica knows remain. */
export function expanded(attributes: Attributes): Attributes {
  const simple: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(attributes)) {
    if (item === undefined) continue;
    if (name === 'init') {
      simple.start = item;
      simple.fixed = item === null ? null : true;
    } else simple[name] = item;
  }
  return simple;
}

/** The value in the unit of its variable; the value itself if there is no unit to convert. */
export function inUnit(
  value: Value,
  unit: string | undefined,
  what: string,
  problems: Problems,
): { readonly value: Literal | Template; readonly unit: string | undefined } {
  if (!(value instanceof Quantity)) return { value, unit };
  const from = unitOf(value.unit)!;
  const target = unit ?? from.coherent;
  const to = unitOf(target);
  if (!to || !sameKind(from, to)) {
    problems.add(
      'type-mismatch',
      `A value in \`${value.unit}\` cannot be given to ${lowered(what)}, whose unit is \`${target}\`.`,
    );
    return { value: 0, unit };
  }
  const convert = (item: Literal): Literal =>
    typeof item === 'object' ? item.map(convert) : converted(item as number, from, to)!;
  return { value: convert(value.value), unit: target };
}

/** Whether two units can be meant for one variable. */
export function compatibleUnits(a: string, b: string): boolean {
  const [first, second] = [unitOf(a), unitOf(b)];
  return a === b || !first || !second || sameKind(first, second);
}

/** Sizes as a list. */
export const dimensionsOf = (size: Dimension | readonly Dimension[] | undefined): readonly Dimension[] =>
  size === undefined ? [] : typeof size === 'object' && !(size instanceof Template) ? size : [size];
