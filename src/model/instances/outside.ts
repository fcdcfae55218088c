/**
 * Values that are given from outside the text, by `--set` or by a merge: the outermost modifier of a model. Their names are dotted and may have
 * numbers of elements, which no modifier in Modelica can have: `c[3].k = 5`. An array is made of what its declaration says and of these; a
 * uniform array of components stays uniform where it can.
 *
 * `c[3].d.v[2] = 5` is the modifier `c(d(v))` with an `ElementValue` whose `numbers` are `[[3], [], [2]]`: a list for each name on the
 * way. When the modifier of `c` is distributed to an element, its list is compared and used up.
 */
import { error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { suggestion } from '../../diagnostic/nearest.ts';
import { Source, type Span } from '../../diagnostic/source.ts';
import type * as ast from '../../syntax/ast.ts';
import { parseExpression } from '../../syntax/parser.ts';
import { type ClassEntity, entityOf } from '../classes/class.ts';
import { isScalarLiteral, type Modifier, merge, type Report, replacing } from '../classes/modification.ts';
import { builtInName } from '../classes/settings.ts';
import { elementOf, type Shape } from '../classes/shape.ts';
import type {
  Bound,
  ElementBound,
  Enumeration,
  Instance,
  InstanceBase,
  ObjectInstance,
  Scope,
  VariableInstance,
} from '../instance.ts';
import type { PredefinedType } from '../predefined.ts';
import type { ObjectNode } from './node.ts';

/**
 * The outermost modifier: values as if written in the model, whose class is `lexical` and which `root` gives when it is made.
 */
export function overriding(
  overrides: readonly Override[],
  lexical: ClassEntity,
  root: () => Instance | undefined,
  report: Report,
): Modifier | undefined {
  let result: Modifier | undefined;
  for (const { name, value, span } of overrides) {
    const parts = partsOf(name);
    if (!parts) {
      const hint = 'Names are dotted, with whole numbers as subscripts: `a.b[2].c`.';
      report(
        error('unknown-modifier', `\`${name}\` is not the name of a parameter or variable.`, { span, hint }),
      );
      continue;
    }
    const scope: Scope = {
      get instance() {
        return root();
      },
      lexical,
      source: span.source,
    };
    const outside = { name, replaces: false };
    const bound: Bound = { value, scope, span, subscripts: [], each: false, outside };
    const flags = { span, each: false, final: false, removed: false, redeclare: undefined, closed: false };
    let modifier: Modifier = { ...flags, ...leafOf(parts, bound), children: new Map() };
    for (const part of parts.toReversed())
      modifier = { ...flags, value: undefined, children: new Map([[part.name, modifier]]) };
    result = merge(modifier, result, report);
  }
  return result;
}

/** Instances among which a name is looked for. */
const mostInstances = 10_000;

/** The path of the outermost component of this name inside of an object, up to the case of letters where there is no other. */
export function pathInside(root: ObjectInstance, name: string): string | undefined {
  const lower = name.toLowerCase();
  let similar: string | undefined;
  const open: Instance[] = [root];
  for (let k = 0; k < open.length && k < mostInstances; k++) {
    const at = open[k]!;
    const object = at.kind === 'object' && at.dims.length > 0 ? (at.template ?? at.elements[0]) : at;
    if (object?.kind !== 'object') continue;
    for (const [own, member] of object.members) {
      if (own === name) return member.path;
      if (own.toLowerCase() === lower) similar ??= member.path;
      open.push(member);
    }
  }
  return similar;
}

/** A value from outside as text, a Modelica expression. Throws a `Failure`. */
export function readOverride(name: string, text: string, place: string): Override {
  const source = new Source(place, text);
  const { expression, diagnostics } = parseExpression(source);
  if (!expression) throw new Failure('syntax', diagnostics);
  return { name, value: expression, span: { source, start: 0, end: text.length } };
}

interface Part {
  readonly name: string;
  readonly numbers: readonly number[];
}

function partsOf(name: string): Part[] | undefined {
  const { expression } = parseExpression(new Source(name, name));
  if (expression?.kind !== 'ref' || expression.global) return undefined;
  const parts = expression.parts.map((part) => ({ name: part.name, numbers: part.subscripts.map(numberOf) }));
  return parts.every(({ numbers }) => numbers.every((n) => n !== undefined)) ? (parts as Part[]) : undefined;
}

const numberOf = (subscript: ast.Subscript): number | undefined =>
  subscript.kind === 'number' && subscript.integer ? subscript.value : undefined;

function leafOf(parts: readonly Part[], value: Bound): Pick<Modifier, 'value' | 'elements' | 'each'> {
  const numbers = parts.map((part) => part.numbers);
  if (numbers.some((list) => list.length > 0))
    return { value: undefined, each: false, elements: [{ numbers, where: [], value }] };
  // Who gives a number to an array of components from outside means each of them, and has no place to write so.
  return { value, each: isScalarLiteral(value.value) };
}

// ---------------------------------------------------------------- elements

/** Reports subscripts that a component or variable of these sizes does not have. */
export function checkElements(
  modifier: Modifier | undefined,
  dims: readonly number[],
  path: string,
  report: Report,
  depth = 0,
): void {
  for (const { numbers, value } of modifier?.elements ?? []) {
    const own = numbers.at(-1 - depth) ?? [];
    const message = own.length > 0 ? wrongElement(own, dims, path) : undefined;
    if (message) report(error('unknown-modifier', message, { span: value.span }));
  }
  for (const child of modifier?.children.values() ?? []) checkElements(child, dims, path, report, depth + 1);
}

function wrongElement(numbers: readonly number[], dims: readonly number[], path: string): string | undefined {
  const element = `\`${path}[${numbers.join(', ')}]\``;
  if (dims.length === 0) return `There is no ${element}: \`${path}\` is not an array.`;
  const isInside = numbers.length === dims.length && numbers.every((n, d) => n >= 1 && n <= dims[d]!);
  return isInside ? undefined : `There is no ${element}: \`${path}\` has sizes [${dims.join(', ')}].`;
}

/** Attributes that may differ between the elements of a uniform array of components. */
const varying: ReadonlySet<string> = new Set(['start']);

/**
 * An array of components that cannot stay uniform, because one of its elements has another value of a variable that is known as a whole
 * only (an array, or the member of a record with a value).
 */
export function variousArray(
  { elements = [], children }: Modifier,
  isWhole: boolean,
): ObjectInstance | undefined {
  const all = isWhole ? [...elements] : [];
  for (const [name, child] of children)
    if (isWhole || !varying.has(name)) all.push(...(child.elements ?? []));
  return all.flatMap(({ where }) => where)[0]?.at.array;
}

// ---------------------------------------------------------------- variables

/** The modifier of a variable as if it were written: what only values from outside can say is put into its values and attributes. */
export function settled(modifier: Modifier, { path }: InstanceBase, shape: Shape, report: Report): Modifier {
  const children = new Map<string, Modifier>();
  const { enumeration } = shape;
  const named = (value: Bound | undefined): Bound | undefined =>
    value && enumeration ? asLiterals(value, enumeration, report) : value;
  for (const [name, child] of withInit(modifier.children, report)) {
    const value = elementsIn(child, 1, unsaid(name, shape, child), `\`${name}\` of \`${path}\``, report);
    children.set(name, { ...child, value: ofItsType.has(name) ? named(value) : value });
  }
  return { ...modifier, value: named(elementsIn(modifier, 0, undefined, `\`${path}\``, report)), children };
}

/** Attributes that are values of the type of their variable. */
const ofItsType: ReadonlySet<string> = new Set(['start', 'min', 'max']);

/** `init` from outside is a start value that is fixed. */
function withInit(children: ReadonlyMap<string, Modifier>, report: Report): ReadonlyMap<string, Modifier> {
  const init = children.get('init');
  if (!init || !(init.value?.outside || init.elements)) return children;
  const all = new Map(children);
  all.delete('init');
  const isFixed = (value: Bound): Bound => ({ ...value, value: yes });
  const fixed: Modifier = {
    ...init,
    value: init.value && isFixed(init.value),
    ...(init.elements && {
      elements: init.elements.map((element) => ({ ...element, value: isFixed(element.value) })),
    }),
  };
  all.set('start', merge(init, all.get('start'), report)!);
  return all.set('fixed', merge(fixed, all.get('fixed'), report)!);
}

/** The value of a variable, or of an attribute of it (`depth` 1), with values of single elements. */
function elementsIn(
  { value, elements = [] }: Modifier,
  depth: 0 | 1,
  otherwise: Bound | undefined,
  what: string,
  report: Report,
): Bound | undefined {
  let whole = value;
  let single: ElementBound[] = [];
  for (const { numbers, where, value: own } of elements) {
    const index = numbers.at(-1 - depth)!;
    if (index.length > 0 || where.length > 0) single.push({ index, where, value: own });
    else {
      whole = whole ? replacing(own) : own;
      single = [];
    }
  }
  if (single.length === 0) return whole;
  const base = whole ?? otherwise;
  if (base) return { ...base, elements: single };
  const message = `${what} has no value that the other elements could keep.`;
  report(error('no-value', message, { span: single[0]!.value.span, hint: 'Give values for all elements.' }));
  return undefined;
}

/** What holds for the other elements where an attribute is not declared. */
function unsaid(name: string, { predefined }: Shape, { elements }: Modifier): Bound | undefined {
  const given = elements?.[0]?.value;
  const value = name === 'fixed' ? no : name === 'start' ? zeros[predefined!] : undefined;
  return given && value && { ...given, value, each: true };
}

const literal = (text: string): ast.Expression => parseExpression(new Source(text, text)).expression!;
const yes = literal('true');
const no = literal('false');
const zeros: { readonly [type in PredefinedType]?: ast.Expression } = {
  Real: literal('0'),
  Integer: literal('0'),
  Boolean: no,
  String: literal('""'),
};

/** Values that a variable cannot be given from outside, whatever they are. */
export function checkOutside(variable: VariableInstance, owner: ObjectNode, report: Report): void {
  const { path, span, variability, causality, binding, attributes } = variable;
  const given = [binding, ...attributes.values()].flatMap((bound) => outsideIn(bound) ?? [])[0];
  if (!given) return;
  const refuse = (message: string, hint: string): void =>
    report(
      error('bad-binding', message, {
        span: given.span,
        hint,
        notes: [{ message: `\`${path}\` is declared here`, span }],
      }),
    );
  const { name } = given.outside!;
  const isFree =
    variability === 'constant' || variability === 'parameter' || causality === 'input' || owner.bound;
  if (variable.protected)
    refuse(`\`${name}\` is protected.`, 'Remove the prefix `protected` to give it other values.');
  else if (binding?.outside && !binding.outside.replaces && !isFree)
    refuse(`\`${name}\` is a variable: equations determine it.`, `Give it a start value: \`${name}.start\`.`);
}

/** What a value has from outside. */
const outsideIn = (bound: Bound | undefined): Bound | undefined =>
  bound?.outside ? bound : bound?.elements?.at(-1)?.value;

// ---------------------------------------------------------------- components

/** Whether a modifier is about the initial value of something that only the code of a built-in component knows. */
export function isHiddenStart(entity: ClassEntity, { children, value, elements }: Modifier): boolean {
  const isStart = (name: string, { value: own, elements: single }: Modifier): boolean =>
    (name === 'start' || name === 'init') && (own?.outside !== undefined || single !== undefined);
  return (
    !value &&
    !elements &&
    children.size > 0 &&
    [...children].every(([name, child]) => isStart(name, child)) &&
    builtInName(entity) !== undefined
  );
}

/** Initial values that are given for hidden states of a built-in component, by their names. */
export function hiddenStarts({ modifier, shape }: ObjectNode): ReadonlyMap<string, Modifier> {
  const starts = new Map<string, Modifier>();
  for (const [name, child] of modifier?.children ?? []) {
    const start = child.children.get('init') ?? child.children.get('start');
    if (start && !shape.components.has(name) && !shape.classes.has(name)) starts.set(name, start);
  }
  return starts;
}

/** The modifier of a component, without a value for it as a whole unless it is a record: others have none. */
export function ofComponent(
  modifier: Modifier,
  { path }: InstanceBase,
  shape: Shape,
  report: Report,
): Modifier {
  const given = modifier.value?.outside ? modifier.value : modifier.elements?.at(-1)?.value;
  if (!given || shape.restriction.endsWith('record')) return modifier;
  const message = `\`${given.outside!.name}\` is a component; it cannot have a value.`;
  const [member] = shape.components.keys();
  const hint = member && `Give values for what is in it, by names such as \`${path}.${member}\`.`;
  report(error('bad-binding', message, { span: given.span, hint }));
  const { elements: _, ...rest } = modifier;
  return { ...rest, value: undefined };
}

/** The modifier of an element of an array of components, with a value that is its own. */
export function elementModifier(modifier: Modifier | undefined): Modifier | undefined {
  const own = modifier?.elements?.at(-1);
  return own ? { ...modifier!, value: own.value } : modifier;
}

// ---------------------------------------------------------------- enumerations

/** Literals of enumerations that are given from outside by their names alone, also as texts. */
function asLiterals(bound: Bound, enumeration: Enumeration, report: Report): Bound {
  const elements = bound.elements?.map((element) => ({
    ...element,
    value: asLiterals(element.value, enumeration, report),
  }));
  const value = bound.outside ? literalsIn(bound.value, bound, enumeration, report) : bound.value;
  return { ...bound, value, ...(elements && { elements }) };
}

function literalsIn(
  value: ast.Expression,
  bound: Bound,
  enumeration: Enumeration,
  report: Report,
): ast.Expression {
  if (value.kind === 'array') {
    const elements = value.elements.map((element) => literalsIn(element, bound, enumeration, report));
    return { ...value, elements };
  }
  const { path, literals } = enumeration;
  const name = value.kind === 'string' ? value.value.split('.').at(-1)! : singleName(value);
  if (name === undefined) return value;
  const { start, end } = value;
  if (!literals.includes(name)) {
    if (value.kind === 'ref' && elementOf(entityOf(bound.scope.lexical), name)) return value;
    const hint = suggestion(name, literals) ?? `It has ${literals.join(', ')}.`;
    report(
      error('unknown-name', `There is no literal \`${name}\` in \`${path}\`.`, { span: bound.span, hint }),
    );
  }
  const known = literals.includes(name) ? name : literals[0]!;
  const parts = [...path.split('.'), known].map((part) => ({ start, end, name: part, subscripts: [] }));
  return { kind: 'ref', start, end, global: true, parts, made: true };
}

const singleName = (value: ast.Expression): string | undefined =>
  value.kind === 'ref' && value.parts.length === 1 && value.parts[0]!.subscripts.length === 0
    ? value.parts[0]!.name
    : undefined;

export interface Override {
  /** Dotted. */
  readonly name: string;
  readonly value: ast.Expression;
  readonly span: Span;
}
