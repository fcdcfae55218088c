/**
 * Attributes of variables: which there are, reading them with their mistakes, merging them, converting values with units, and
 * what follows from values: type and sizes.
 */
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { nearest } from '../diagnostic/nearest.ts';
import type * as ast from '../syntax/ast.ts';
import { Template, templateOf } from './template.ts';
import { converted, sameKind, unitOf } from './unit.ts';
import {
  type Attributes,
  ChangeSet,
  type ComponentAttributes,
  type Dimension,
  type Item,
  isPlain,
  type Literal,
  ModelData,
  Quantity,
  type Shortcut,
  type Value,
  Variable,
} from './value.ts';

/** What is wrong with the arguments of one call, collected. */
export class Problems {
  readonly list: Diagnostic[] = [];

  add(code: DiagnosticCode, message: string, hint?: string): void {
    this.list.push(error(code, message, { hint }));
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

export type AttributeName = keyof typeof kinds;

/** Attributes that a modifier can change; all others belong to the declaration. */
export const modifierNames = [
  'quantity',
  'unit',
  'displayUnit',
  'min',
  'max',
  'start',
  'fixed',
  'nominal',
  'stateSelect',
] as const satisfies readonly AttributeName[];
export type ModifierName = (typeof modifierNames)[number];

export const isModifier = (name: string): name is ModifierName =>
  (modifierNames as readonly string[]).includes(name);

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
        meant ? `Did you mean \`${meant}\`?` : `Attributes are ${names.join(', ')}.`,
      );
    } else if (item === null || fits(name, known[name]!, item, what, problems)) read[name] = item;
  }
  return read;
}

function fits(name: string, kind: AttributeKind, item: unknown, what: string, problems: Problems): boolean {
  const refuse = (expected: string): false => {
    problems.add('bad-binding', `The attribute \`${name}\` of ${lower(what)} must be ${expected}.`);
    return false;
  };
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
      return typeof item === 'boolean' || checkExpression(item, `\`${name}\` of ${lower(what)}`, problems);
    case 'size':
      return checkSizes(item, what, problems);
    case 'value':
      return checkValue(item, name === 'value' ? what : `\`${name}\` of ${lower(what)}`, problems);
  }
}

const stateSelections: readonly string[] = ['never', 'avoid', 'default', 'prefer', 'always'];

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

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
        `${shown} is not a size of ${lower(what)}.`,
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

/** Whether something is a value, with its array rectangular and its expression readable. */
export function checkValue(item: unknown, what: string, problems: Problems): item is Value {
  if (item instanceof Template) return checkExpression(item, what, problems);
  const literal = item instanceof Quantity ? item.value : item;
  if (item instanceof Quantity && !unitOf(item.unit)) {
    problems.add('type-mismatch', `\`${item.unit}\`, the unit of the value of ${lower(what)}, is not known.`);
    return false;
  }
  if (!isLiteral(literal)) {
    const found = isPlain(item) ? 'an object' : item === null ? 'null' : `a ${typeof item}`;
    problems.add(
      'bad-binding',
      `The value of ${lower(what)} is ${Number.isNaN(item) ? 'not a number' : found}.`,
      'Values are finite numbers, Booleans, strings, arrays of them, quantities and templates.',
    );
    return false;
  }
  if (shapeOf(literal)) return true;
  problems.add('dimension-mismatch', `The rows in the value of ${lower(what)} have different lengths.`);
  return false;
}

function checkExpression(item: unknown, what: string, problems: Problems): boolean {
  if (item instanceof Template) {
    const found = item.problems('expression');
    problems.list.push(...found);
    return found.length === 0;
  }
  problems.add('bad-binding', `The value of ${lower(what)} is not an expression.`);
  return false;
}

/** More dimensions than this has no array that is not in itself. */
const MOST_DIMENSIONS = 32;

function isLiteral(item: unknown, depth = 0): item is Literal {
  if (Array.isArray(item)) return depth < MOST_DIMENSIONS && item.every((one) => isLiteral(one, depth + 1));
  return typeof item === 'number'
    ? Number.isFinite(item)
    : typeof item === 'boolean' || typeof item === 'string';
}

/** The sizes of an array, none for a scalar; undefined if its rows have different lengths. */
export function shapeOf(literal: Literal): readonly number[] | undefined {
  if (typeof literal !== 'object') return [];
  const shapes = literal.map(shapeOf);
  const [first = []] = shapes;
  const even = shapes.every(
    (shape) => shape && shape.length === first.length && shape.every((n, k) => n === first[k]),
  );
  return even ? [literal.length, ...first] : undefined;
}

/** What is said of a variable, as attributes. */
export function attributesIn(item: Item, what: string, problems: Problems): Attributes | undefined {
  if (item instanceof Variable) return item.attributes;
  if (isShortcut(item)) return item.variable.attributes;
  if (item instanceof ChangeSet) return readAttributes(item.items, what, problems);
  if (isPlain(item)) return readAttributes(item, what, problems);
  if (item instanceof ModelData) {
    problems.add(
      'bad-binding',
      `${what} is a variable, not a component.`,
      'Use `redeclare(…)` to replace it.',
    );
    return undefined;
  }
  return readAttributes({ value: item }, what, problems);
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
      `A value in \`${value.unit}\` cannot be given to ${lower(what)}, whose unit is \`${target}\`.`,
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

// ---------------------------------------------------------------- what values tell

/** The type of a variable beside the one that is asked for, by its name. */
export type TypeOfName = (name: string) => string | undefined;

/** The type of a variable: as declared, or as its values tell. */
export function typeOf(attributes: Attributes, typeOfName: TypeOfName): string {
  if (attributes.type) return attributes.type;
  for (const value of [attributes.value, attributes.start]) {
    const type = value === undefined || value === null ? undefined : typeOfValue(value, typeOfName);
    if (type) return type;
  }
  return 'Real';
}

function typeOfValue(value: Value, typeOfName: TypeOfName): string | undefined {
  if (value instanceof Template) return typeOfExpression(value.expression(), typeOfName);
  if (value instanceof Quantity) return 'Real';
  if (typeof value === 'object') return value.length > 0 ? typeOfValue(value[0]!, typeOfName) : undefined;
  return typeof value === 'boolean' ? 'Boolean' : typeof value === 'string' ? 'String' : undefined;
}

const logical: readonly string[] = ['<', '<=', '>', '>=', '==', '<>', 'and', 'or'];
const logicalCalls: readonly string[] = ['initial', 'terminal', 'edge', 'change', 'activeState', 'firstTick'];
/** Calls that have the type of their first argument. */
const transparentCalls: readonly string[] = [
  'pre',
  'previous',
  'hold',
  'noEvent',
  'noClock',
  'subSample',
  'superSample',
];

/** What the form of an expression tells; numbers are taken for Real. */
function typeOfExpression(tree: ast.Expression | undefined, typeOfName: TypeOfName): string | undefined {
  switch (tree?.kind) {
    case 'boolean':
      return 'Boolean';
    case 'string':
      return 'String';
    case 'unary':
      return tree.operator === 'not' ? 'Boolean' : undefined;
    case 'binary':
      return logical.includes(tree.operator) ? 'Boolean' : undefined;
    case 'if':
      return typeOfExpression(tree.otherwise, typeOfName);
    case 'tuple':
      return tree.members.length === 1 ? typeOfExpression(tree.members[0], typeOfName) : undefined;
    case 'array':
      return typeOfExpression(tree.elements[0], typeOfName);
    case 'ref':
      return tree.parts.length === 1 ? typeOfName(tree.parts[0]!.name) : undefined;
    case 'call':
      return typeOfCall(tree, typeOfName);
    default:
      return undefined;
  }
}

function typeOfCall({ callee, positional }: ast.Call, typeOfName: TypeOfName): string | undefined {
  const name = callee.parts.map((part) => part.name).join('.');
  if (logicalCalls.includes(name)) return 'Boolean';
  if (name === 'Clock') return 'Clock';
  const [first] = positional;
  if (!transparentCalls.includes(name) || !first || first.kind === 'partial') return undefined;
  return typeOfExpression(first, typeOfName);
}

/** The sizes of a variable: as declared, otherwise those of its value or start value. */
export function sizesOf(attributes: Attributes): readonly Dimension[] {
  const { size, value, start } = attributes;
  if (size !== undefined && size !== null) return dimensionsOf(size);
  const given = literalOf(value);
  // A parameter takes the sizes of whatever value it is given.
  if (given !== undefined) {
    const shape = shapeOf(given) ?? [];
    return attributes.parameter || attributes.constant ? shape.map(() => ':') : shape;
  }
  const guess = literalOf(start);
  return guess === undefined ? [] : (shapeOf(guess) ?? []);
}

/** Sizes as a list. */
export const dimensionsOf = (size: Dimension | readonly Dimension[] | undefined): readonly Dimension[] =>
  size === undefined ? [] : typeof size === 'object' && !(size instanceof Template) ? size : [size];

function literalOf(value: Value | null | undefined): Literal | undefined {
  if (value === undefined || value === null || value instanceof Template) return undefined;
  return value instanceof Quantity ? value.value : value;
}

/** Whether an expression is an array by its form: `{…}`, `[…]`, `x[:]`, `linspace(…)`. */
export function isArrayExpression(tree: ast.Expression | undefined): boolean {
  switch (tree?.kind) {
    case 'array':
    case 'matrix':
    case 'comprehension':
    case 'range':
      return true;
    case 'ref':
      return tree.parts.some((part) =>
        part.subscripts.some((one) => one.kind === 'colon' || one.kind === 'range'),
      );
    case 'call':
      return [
        'linspace',
        'fill',
        'zeros',
        'ones',
        'cat',
        'vector',
        'identity',
        'diagonal',
        'transpose',
      ].includes(tree.callee.parts.map((part) => part.name).join('.'));
    case 'unary':
      return isArrayExpression(tree.operand);
    case 'binary':
      return isArrayExpression(tree.left) || isArrayExpression(tree.right);
    default:
      return false;
  }
}
