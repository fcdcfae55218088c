/**
 * Values that are merged into a model for one run: `{ R: { R: 5 }, 'C.v.start': 3, A: [[1, 2], [3, 4]] }`. Names are nested or
 * dotted. JavaScript strings are strings of the model (or the names of enumeration literals), templates are expressions, and quantities are
 * converted to the units of their variables.
 *
 * Most of them are numbers that the memory of a run holds: parameters that shape nothing, and start values that are declared. All others
 * (array sizes, conditions, attributes, what is wrong) are modifications, for the front end to apply or to refuse, as it does with `--set`.
 */
import { checkValue, inUnit, isNumeric, Problems, scalarsIn } from './api/attributes.ts';
import type { ModelValue } from './api/model.ts';
import { Template } from './api/template.ts';
import type { AllMembers, IsRedeclared } from './api/types.ts';
import {
  type Attributes,
  ChangeSet,
  isPlain,
  type Literal,
  ModelData,
  Quantity,
  Redeclared,
  type Value,
  Variable,
} from './api/value.ts';
import { append } from './collections/groups.ts';
import { type Diagnostic, error } from './diagnostic/diagnostic.ts';
import { Failure } from './diagnostic/failure.ts';
import { suggestion } from './diagnostic/nearest.ts';
import type { Span } from './diagnostic/source.ts';
import { subscriptedName } from './flat/core/families.ts';
import type { FlatArray, FlatModel, FlatVariable } from './flat/flat.ts';
import type { Override } from './model/instances/outside.ts';
import { readOverride } from './model/instances/outside.ts';
import { literalText, shapeOf } from './names/literals.ts';
import { cutName, elementOf, partsOf, withoutSubscripts } from './names/names.ts';
import type { Given } from './program/translation.ts';
import { leaves } from './symbolic/analyse.ts';
import type { Expr } from './symbolic/expr.ts';

/** What can be merged under a name: a value, attributes (`start`; `init` is a start value that is fixed), or names inside. */
export type MergeValue = Value | Variable | ChangeSet | Merge | readonly (Merge | ChangeSet)[];

export interface Merge {
  readonly [name: string]: MergeValue | undefined;
}

/** A merge for a model whose members `M` are known; dotted names and single elements are checked when it is merged. */
export type MergeOf<M> = string extends keyof AllMembers<M>
  ? Merge
  : { readonly [Name in keyof AllMembers<M>]?: MergeOfMember<AllMembers<M>[Name]> | undefined } & {
      readonly [name: `${string}.${string}` | `${string}[${string}`]: MergeValue | undefined;
    };

/** What is inside a component is known as long as it was not redeclared; `with` and `merge` give other types then. */
type MergeOfMember<Member> =
  true extends IsRedeclared<Member>
    ? MergeValue
    : Member extends ModelValue<infer N>
      ? MergeOf<N> | ChangeSet | readonly (MergeOf<N> | ChangeSet)[]
      : Member extends Literal
        ? Value | Variable | Attributes
        : MergeValue;

/** What of a variable a name speaks of. */
type Attribute = 'value' | 'start' | 'init' | 'fixed';

/** One value of a merge, by its dotted name. */
export interface Entry {
  readonly name: string;
  readonly value: Literal | Template;
}

/** The values of a merge, in the units of the variables; throws a `Failure` for what is none. */
export function entriesOf(merge: Merge | ChangeSet, names: VariableNames | undefined): Entry[] {
  const problems = new Problems();
  const found: { name: string; value: Value }[] = [];
  if (merge instanceof ChangeSet) collect(merge.items, '', 0, found, problems);
  else if (isPlain(merge)) collect(merge, '', 0, found, problems);
  else problems.add('bad-binding', 'What is merged must be an object.', 'Write `merge: { name: value, … }`.');
  const entries = found.map(({ name, value }): Entry => {
    const unit = names?.variable(name)?.unit || undefined;
    return { name, value: inUnit(value, unit, `\`${name}\``, problems).value };
  });
  if (problems.list.length > 0) throw new Failure('flatten', problems.list);
  return entries;
}

/** Objects in objects beyond this depth are taken for a circle. */
const deepest = 100;

function collect(
  items: object,
  prefix: string,
  depth: number,
  found: { name: string; value: Value }[],
  problems: Problems,
): void {
  if (depth > deepest) {
    problems.add('cyclic-definition', `The values of \`${prefix.split('.')[0]}\` contain themselves.`);
    return;
  }
  for (const [key, item] of Object.entries(items) as [string, unknown][]) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (item === undefined) continue;
    if (item instanceof ChangeSet) collect(item.items, name, depth + 1, found, problems);
    else if (item instanceof Variable) {
      const { value, parameter: _, unit, info: _i, ...others } = item.attributes;
      const measured = (given: unknown) => (unit && isNumeric(given) ? new Quantity(given, unit) : given);
      if (value !== undefined) collect({ [name]: measured(value) }, '', depth, found, problems);
      const attributes = Object.entries(others).map(([attribute, given]) => [attribute, measured(given)]);
      collect(Object.fromEntries(attributes), name, depth + 1, found, problems);
    } else if (isPlain(item)) collect(item, name, depth + 1, found, problems);
    else if (Array.isArray(item) && item.length > 0 && item.every(isNested))
      for (const [k, part] of item.entries())
        collect({ [`${name}[${k + 1}]`]: part }, '', depth + 1, found, problems);
    else if (item instanceof ModelData || item instanceof Redeclared)
      problems.add(
        'bad-binding',
        `\`${name}\` is given a model: the parts of a model are the same in all runs.`,
        'Merge it with the model, and instantiate the result.',
      );
    else if (checkValue(item, `\`${name}\``, problems)) found.push({ name, value: item });
  }
}

const isNested = (item: unknown): boolean => isPlain(item) || item instanceof ChangeSet;

// ---------------------------------------------------------------- values

/** The variables of a flat model by name; `c.R` stands for `c[1].R`, `c[2].R`, … too, and an array symbol `c.R` has elements `c[1].R`. */
export class VariableNames {
  private readonly exact = new Map<string, FlatVariable>();
  private readonly families = new Map<string, FlatVariable[]>();
  /** Components that stand for elements of arrays, by path: the array, and which element. */
  private readonly gathered = new Map<string, { readonly path: string; readonly number: number }>();
  private readonly open: ReadonlySet<FlatVariable>;

  constructor(readonly flat: FlatModel) {
    this.open = openVariables(flat);
    for (const variable of flat.variables) {
      this.exact.set(variable.name, variable);
      for (const array of variable.within ?? []) if (array.gathered) this.addGathered(array);
      if (!variable.name.includes('[')) continue;
      const family = withoutSubscripts(variable.name);
      append(this.families, family, variable);
    }
  }

  private addGathered({ path, gathered }: FlatArray): void {
    const { from, names } = gathered!;
    const before = path.slice(0, from);
    if (this.gathered.has(before + names[0])) return;
    for (const [k, name] of names.entries()) this.gathered.set(before + name, { path, number: k + 1 });
  }

  /** The variable that a name speaks of, or the first one of several. */
  variable(name: string): FlatVariable | undefined {
    const { target } = this.target(name);
    return this.exact.get(target) ?? this.families.get(target)?.[0] ?? this.element(target)?.variable;
  }

  /** Values for the memory; undefined where it takes more than values. */
  values({ name, value }: Entry): Given[] | undefined {
    const { target, attribute } = this.target(name);
    if (value instanceof Template) return undefined;
    const own = this.exact.get(target);
    if (own) return this.givenTo(own, attribute, value);
    const element = this.element(target);
    if (element) return this.givenTo(element.variable, attribute, value, element);
    const members = this.families.get(target);
    if (!members || typeof value !== 'object' || value.length !== members.length) return undefined;
    const given = members.map((member, k) => this.givenTo(member, attribute, value[k]!));
    return given.every((g) => g !== undefined) ? given.flat() : undefined;
  }

  private givenTo(
    variable: FlatVariable,
    attribute: Attribute,
    value: Literal,
    { dims, first }: Part = { variable, dims: variable.dims, first: 0 },
  ): Given[] | undefined {
    if (attribute === 'fixed') return variable.fixed === value ? [] : undefined;
    const kind = attribute === 'value' ? 'value' : 'start';
    if (variable.locked?.[kind] || !this.isInMemory(variable, attribute)) return undefined;
    const shape = shapeOf(value);
    const size = dims.reduce((n, dim) => n * dim, 1);
    const same = shape?.length === dims.length && shape.every((n, k) => n === dims[k]);
    // A scalar holds for all elements, unless it is the value that decides how many there are.
    if (!same && (shape?.length !== 0 || variable.resizable)) return undefined;
    const values = scalarsIn(value).map((item) => stored(variable, item));
    if (!values.every((item) => item !== undefined)) return undefined;
    return [{ variable, first, attribute: kind, values: same ? values : new Array(size).fill(values[0]!) }];
  }

  /** Whether the code of a model reads a value from the memory, and nothing else depends on it. */
  private isInMemory(variable: FlatVariable, attribute: Attribute): boolean {
    const { variables } = this.flat;
    const isParameter = variable.variability === 'parameter';
    if (attribute === 'value') return isParameter && !variable.structural && !this.open.has(variable);
    if (isParameter || variable.variability === 'constant' || !variable.start) return false;
    if (attribute === 'init' && variable.fixed !== true) return false;
    const isKnown = (leaf: Expr): boolean => {
      if (leaf.kind !== 'ref') return leaf.kind === 'const';
      const used = variables[leaf.symbol]!;
      const isFixed = used.variability === 'constant' || used.variability === 'parameter';
      return leaf.order === 0 && isFixed && !this.open.has(used);
    };
    return leaves(variable.start).every(isKnown);
  }

  /** `c[2].R` where `c.R` is one array symbol: the variable in one component, with its own sizes. */
  private element(name: string): Part | undefined {
    return this.elementOfFamily(name) ?? this.elementOfArray(name);
  }

  /** `a[2]` or `m[1, 2]` of an array variable. */
  private elementOfArray(name: string): Part | undefined {
    const { texts = [], brackets = [] } = cutName(name) ?? {};
    const variable = texts.at(-1) === '' ? this.exact.get(name.slice(0, name.lastIndexOf('['))) : undefined;
    if (!variable || variable.within) return undefined;
    const numbers = elementOf(`[${brackets.at(-1)}]`)?.indices ?? [];
    const { dims } = variable;
    if (numbers.length !== dims.length || numbers.some((n, d) => n > dims[d]!)) return undefined;
    return { variable, dims: [], first: numbers.reduce((at, n, d) => at * dims[d]! + n - 1, 0) };
  }

  private elementOfFamily(name: string): Part | undefined {
    const numbers: number[] = [];
    let path = '';
    for (const part of partsOf(name)) {
      const { array, indices } = elementOf(part) ?? { array: part, indices: [] };
      path = path === '' ? array : `${path}.${array}`;
      const gathered = this.gathered.get(path);
      if (gathered) path = gathered.path;
      numbers.push(...(gathered ? [gathered.number] : indices));
    }
    const variable = this.exact.get(path);
    if (!variable?.within || numbers.length === 0) return undefined;
    const { dims } = variable;
    const outer = variable.within.reduce((sum, { rank }) => sum + rank, 0);
    if (numbers.length !== outer || numbers.some((n, d) => n < 1 || n > dims[d]!)) return undefined;
    if (subscriptedName(variable, numbers.map(String)) !== name) return undefined;
    const own = dims.slice(outer);
    const number = numbers.reduce((at, n, d) => at * dims[d]! + n - 1, 0);
    return { variable, dims: own, first: number * own.reduce((size, n) => size * n, 1) };
  }

  /** `x.start` is the start value of `x`, unless there is a variable of that name. */
  target(name: string): { readonly target: string; readonly attribute: Attribute } {
    const [, target, attribute] = /^(.*)\.(start|init|fixed)$/.exec(name) ?? [];
    if (target === undefined || this.exact.has(name) || this.families.has(name) || this.element(name))
      return { target: name, attribute: 'value' };
    return { target, attribute: attribute as Attribute };
  }

  /** Why a value cannot be given where nothing but values can be changed. */
  refuse({ name }: Entry): Diagnostic {
    const { target, attribute } = this.target(name);
    const variable = this.variable(name);
    if (!variable) {
      const hint = suggestion(target, this.exact.keys());
      return error('unknown-modifier', `There is no variable \`${target}\` in the model.`, { hint });
    }
    const [message, hint] = this.reason(variable, name, attribute);
    const notes = [{ message: `\`${variable.name}\` is declared here`, ...spanOf(variable) }];
    return error('bad-binding', message, { hint, notes });
  }

  private reason(variable: FlatVariable, name: string, attribute: Attribute): [string, string] {
    const { variability, causality, locked } = variable;
    const lock = locked?.[attribute === 'value' ? 'value' : 'start'];
    const isVariable = variability !== 'constant' && variability !== 'parameter' && causality !== 'input';
    if (variability === 'constant')
      return [`\`${name}\` is a constant.`, 'Declare it as a parameter to give it other values.'];
    if (lock) return [`\`${name}\` is ${lock}.`, `Remove the prefix \`${lock}\` to give it other values.`];
    if (attribute === 'value' && isVariable)
      return [
        `\`${name}\` is a variable: equations determine it.`,
        `Give it a start value: \`${name}.start\`.`,
      ];
    const instead =
      'Instantiate the model from its text or its library: then sizes, conditions and attributes can change too.';
    return [`The value of \`${name}\` cannot be changed in this way in a flat model.`, instead];
  }
}

function spanOf({ origin }: FlatVariable): { readonly span?: Span } {
  return origin.span ? { span: origin.span } : {};
}

/** Elements of a variable that follow each other, from `first` on. */
interface Part {
  readonly variable: FlatVariable;
  readonly dims: readonly number[];
  readonly first: number;
}

/** Parameters that initial equations determine, and those that depend on them: their values are no data of a run. */
function openVariables({ variables }: FlatModel): Set<FlatVariable> {
  const open = new Set(
    variables.filter((v) => v.variability === 'parameter' && v.fixed === false && !v.binding),
  );
  const isOpen = (leaf: Expr) => leaf.kind === 'ref' && open.has(variables[leaf.symbol]!);
  for (let size = -1; open.size > 0 && size < open.size; ) {
    size = open.size;
    for (const variable of variables)
      if (variable.binding && leaves(variable.binding).some(isOpen)) open.add(variable);
  }
  return open;
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
      // Zero has no sign in what is written in a model, so it has none here either.
      return typeof value === 'number' ? value + 0 : undefined;
    case 'Integer':
      return Number.isInteger(value) ? (value as number) + 0 : undefined;
    case 'Boolean':
      return typeof value === 'boolean' ? Number(value) : undefined;
    case 'String':
      return typeof value === 'string' ? value : undefined;
  }
}

// ---------------------------------------------------------------- modifications

/** A value as a modification of the model. */
export function overrideOf({ name, value }: Entry): Override {
  return value instanceof Template
    ? { name, value: value.expression()!, span: value.span() }
    : readOverride(name, literalText(value), `merge ${name}`);
}
