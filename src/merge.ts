/**
 * Values that are merged into a model for one run: `{ R: { R: 5 }, 'C.v.start': 3, A: [[1, 2], [3, 4]] }`. Names are nested or
 * dotted, numbers count from 1 in their subscripts, and JavaScript strings are strings of the model (or the names of enumeration
 * literals).
 *
 * Most of them are numbers that the memory of a run holds: parameters that shape nothing, and start values that are declared. All others
 * (array sizes, conditions, attributes, what is wrong) are modifications, for the front end to apply or to refuse.
 */
import { type Diagnostic, error, Failure } from './diagnostic/diagnostic.ts';
import { nearest } from './diagnostic/nearest.ts';
import { Source, type Span } from './diagnostic/source.ts';
import type { FlatModel, FlatVariable } from './flat/flat.ts';
import type { Override } from './model/instantiate.ts';
import type { Given } from './simulate/session.ts';
import { leaves } from './symbolic/analyse.ts';
import type { Expr } from './symbolic/expr.ts';
import { parseExpression } from './syntax/parser.ts';

/** A value by name: of a parameter, or an attribute (`start`; `init` is a start value that is fixed). */
export type MergeValue = number | boolean | string | readonly MergeValue[] | Merge;

export interface Merge {
  readonly [name: string]: MergeValue | undefined;
}

/** One value of a merge, by its dotted name. */
export interface Entry {
  readonly name: string;
  readonly value: Exclude<MergeValue, Merge>;
}

/** Objects in objects beyond this depth are taken for a circle. */
const deepest = 100;

/** Reads a merge; throws a `Failure` for values that are none. */
export function entriesOf(merge: Merge, prefix = '', depth = 0): Entry[] {
  if (depth > deepest) throw refusal(`The values of \`${prefix}\` contain themselves.`);
  return Object.entries(merge).flatMap(([key, value]): Entry[] => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (value === undefined) return [];
    if (isNested(value)) return entriesOf(value, name, depth + 1);
    check(name, value);
    return [{ name, value }];
  });
}

function isNested(value: MergeValue): value is Merge {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function check(name: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) check(name, item);
    if (!shapeOf(value))
      throw refusal(`The rows of \`${name}\` have different lengths.`, 'dimension-mismatch');
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw refusal(`The value of \`${name}\` is ${value}, which is not a number.`);
  } else if (typeof value !== 'boolean' && typeof value !== 'string') {
    const found = value === null ? 'null' : `a ${typeof value}`;
    throw refusal(`The value of \`${name}\` is ${found}: numbers, Booleans, strings and arrays are values.`);
  }
}

function refusal(message: string, code: 'bad-binding' | 'dimension-mismatch' = 'bad-binding'): Failure {
  return new Failure('flatten', [error(code, message)]);
}

/** The sizes of nested arrays; undefined where rows have different lengths. */
function shapeOf(value: Entry['value']): readonly number[] | undefined {
  if (!Array.isArray(value)) return [];
  const items = value as readonly Entry['value'][];
  const first = items.length > 0 ? shapeOf(items[0]!) : [];
  const same = items.every((item) => {
    const shape = shapeOf(item);
    return shape && first && shape.length === first.length && shape.every((n, k) => n === first[k]);
  });
  return first && same ? [items.length, ...first] : undefined;
}

function scalarsIn(value: Entry['value']): (number | boolean | string)[] {
  return Array.isArray(value) ? value.flatMap((item) => scalarsIn(item)) : [value as number];
}

// ---------------------------------------------------------------- values

/** The variables of a flat model by name; `c.R` stands for `c[1].R`, `c[2].R`, … too. */
export class VariableNames {
  readonly flat: FlatModel;
  private readonly exact = new Map<string, FlatVariable>();
  private readonly families = new Map<string, FlatVariable[]>();

  constructor(flat: FlatModel) {
    this.flat = flat;
    for (const variable of flat.variables) {
      this.exact.set(variable.name, variable);
      if (!variable.name.includes('[')) continue;
      const family = variable.name.replace(/\[[^\]]*\]/g, '');
      const members = this.families.get(family);
      if (members) members.push(variable);
      else this.families.set(family, [variable]);
    }
  }

  find(name: string): FlatVariable | undefined {
    return this.exact.get(name);
  }

  /** Values for the memory; undefined where it takes more than values. */
  values({ name, value }: Entry): Given[] | undefined {
    const { target, attribute } = this.target(name);
    const own = this.exact.get(target);
    if (own) return givenTo(this.flat, own, attribute, value);
    const members = this.families.get(target);
    if (!members || !Array.isArray(value) || value.length !== members.length) return undefined;
    const given = members.map((member, k) =>
      givenTo(this.flat, member, attribute, (value as readonly Entry['value'][])[k]!),
    );
    return given.every((g) => g !== undefined) ? given.flat() : undefined;
  }

  /** `x.start` is the start value of `x`, unless there is a variable of that name. */
  target(name: string): { readonly target: string; readonly attribute: 'value' | 'start' | 'init' } {
    const [, target, attribute] = /^(.*)\.(start|init)$/.exec(name) ?? [];
    if (target === undefined || this.exact.has(name) || this.families.has(name))
      return { target: name, attribute: 'value' };
    return { target, attribute: attribute as 'start' | 'init' };
  }

  /** Why a value cannot be given from outside, whatever it is. */
  refusal({ name }: Entry): Diagnostic | undefined {
    const { target, attribute } = this.target(name);
    const variable = this.exact.get(target) ?? this.families.get(target)?.[0];
    if (!variable) return undefined;
    const { variability, causality, locked } = variable;
    const lock = locked?.[attribute === 'value' ? 'value' : 'start'];
    const isVariable = variability !== 'constant' && variability !== 'parameter' && causality !== 'input';
    const refuse = (message: string, hint: string): Diagnostic =>
      error('bad-binding', message, {
        hint,
        notes: [{ message: `\`${variable.name}\` is declared here`, ...spanOf(variable) }],
      });
    if (variability === 'constant')
      return refuse(`\`${target}\` is a constant.`, 'Declare it as a parameter to give it other values.');
    if (lock) {
      const what = attribute === 'value' ? `\`${target}\`` : `The start value of \`${target}\``;
      return refuse(`${what} is ${lock}.`, `Remove the prefix \`${lock}\` to give it other values.`);
    }
    if (attribute !== 'value' || !isVariable) return undefined;
    return refuse(
      `\`${target}\` is a variable: equations determine it.`,
      `Give it a start value: \`${target}.start\`.`,
    );
  }

  /** Why a value cannot be given where nothing but values can be changed. */
  refuse(entry: Entry): Diagnostic {
    const { target, attribute } = this.target(entry.name);
    const refused = this.refusal(entry);
    if (refused) return refused;
    const variable = this.exact.get(target);
    if (!variable) {
      const meant = nearest(target, this.exact.keys());
      const hint = meant ? `Did you mean \`${meant}\`?` : undefined;
      return error('unknown-modifier', `There is no variable \`${target}\` in the model.`, { hint });
    }
    const what = attribute === 'value' ? `\`${target}\`` : `\`${attribute}\` of \`${target}\``;
    return error('bad-binding', `The value of ${what} cannot be changed in this way in a flat model.`, {
      span: variable.origin.span,
      hint: 'Instantiate the model from its text or its library: then sizes, conditions and attributes can change too.',
    });
  }
}

function spanOf({ origin }: FlatVariable): { readonly span?: Span } {
  return origin.span ? { span: origin.span } : {};
}

function givenTo(
  flat: FlatModel,
  variable: FlatVariable,
  attribute: 'value' | 'start' | 'init',
  value: Entry['value'],
): Given[] | undefined {
  const kind = attribute === 'value' ? 'value' : 'start';
  if (variable.locked?.[kind] || !isInMemory(flat, variable, attribute)) return undefined;
  const shape = shapeOf(value);
  const size = variable.dims.reduce((n, dim) => n * dim, 1);
  const same = shape?.length === variable.dims.length && shape.every((n, k) => n === variable.dims[k]);
  // A scalar holds for all elements.
  if (!same && shape?.length !== 0) return undefined;
  const values = scalarsIn(value).map((item) => stored(variable, item));
  if (!values.every((item) => item !== undefined)) return undefined;
  return [{ variable, attribute: kind, values: same ? values : new Array(size).fill(values[0]!) }];
}

/** Whether the code of a model reads a value from the memory, and nothing else depends on it. */
function isInMemory(
  { variables }: FlatModel,
  variable: FlatVariable,
  attribute: 'value' | 'start' | 'init',
): boolean {
  const isParameter = variable.variability === 'parameter';
  if (attribute === 'value') return isParameter && !variable.structural && variable.fixed !== false;
  if (isParameter || variable.variability === 'constant' || !variable.start) return false;
  if (attribute === 'init' && variable.fixed !== true) return false;
  const isKnown = (leaf: Expr) =>
    leaf.kind === 'const' ||
    (leaf.kind === 'ref' &&
      leaf.order === 0 &&
      ['constant', 'parameter'].includes(variables[leaf.symbol]!.variability));
  return leaves(variable.start).every(isKnown);
}

/** A value as the memory holds it; undefined where its type does not fit. */
function stored(
  { type, literals }: FlatVariable,
  value: number | boolean | string,
): number | string | undefined {
  if (literals) {
    const index = typeof value === 'string' ? literals.indexOf(value.split('.').at(-1)!) : -1;
    return index < 0 ? undefined : index + 1;
  }
  switch (type) {
    case 'Real':
      return typeof value === 'number' ? value : undefined;
    case 'Integer':
      return Number.isInteger(value) ? (value as number) : undefined;
    case 'Boolean':
      return typeof value === 'boolean' ? Number(value) : undefined;
    case 'String':
      return typeof value === 'string' ? value : undefined;
  }
}

// ---------------------------------------------------------------- modifications

/** A value as modifications of the model. */
export function overridesOf(names: VariableNames | undefined, { name, value }: Entry): Override[] {
  const { target, attribute } = names?.target(name) ?? { target: name, attribute: 'value' };
  const enumeration = names?.find(target)?.enumeration;
  const override = (at: string, text: string): Override => {
    const source = new Source(`merge ${at}`, text);
    const { expression, diagnostics } = parseExpression(source);
    if (!expression) throw new Failure('syntax', diagnostics);
    return { name: at, value: expression, span: { source, start: 0, end: text.length } };
  };
  const text = modelicaText(value, enumeration);
  if (attribute !== 'init') return [override(name, text)];
  return [override(`${target}.start`, text), override(`${target}.fixed`, 'true')];
}

/** A value in Modelica. */
function modelicaText(value: Entry['value'], enumeration: string | undefined): string {
  if (Array.isArray(value)) {
    const shape = shapeOf(value)!;
    if (shape.includes(0)) return `fill(0, ${shape.join(', ')})`;
    return `{${value.map((item: Entry['value']) => modelicaText(item, enumeration)).join(', ')}}`;
  }
  if (typeof value !== 'string') return String(value);
  if (enumeration) return `${enumeration}.${value.split('.').at(-1)!}`;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
