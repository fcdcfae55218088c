/**
 * Values in graphical annotations. Most of them are literals, and are read as such. Others depend on parameters (section 18.6.6: any value can), or on variables, inside of
 * `DynamicSelect(static, dynamic)`; these are evaluated in the instance whose picture is drawn, with the values of a moment of a run where these are given.
 */
import { pulse } from '../diagnostic/pulse.ts';
import { resolve } from '../model/classes/lookup.ts';
import type { Scope, VariableInstance } from '../model/instance.ts';
import { boolean, integer, real, string, type Value } from '../model/value.ts';
import { evaluate } from '../model/values/evaluate.ts';
import { bracketed } from '../names/names.ts';
import type * as ast from '../syntax/ast.ts';
import { enumerations } from './items.ts';

/** Values of variables at a moment of a run, by their names in it: `tank.level`; undefined for those that it does not have. */
export type Values = (name: string) => number | undefined;

/** Where a text of an annotation is read. */
export interface Sight {
  readonly scope: Scope;
  readonly values?: Values | undefined;
}

export type Plain = number | boolean | string | readonly Plain[];

/** The value of an expression; undefined where there is none. Literals of the enumerations of annotations are their names. */
export function plainValue(expression: ast.Expression, sight: Sight): Plain | undefined {
  switch (expression.kind) {
    case 'number':
    case 'boolean':
    case 'string':
      return expression.value;
    case 'unary': {
      const operand = expression.operator === '-' ? plainValue(expression.operand, sight) : undefined;
      return typeof operand === 'number' ? -operand : evaluated(expression, sight);
    }
    case 'array':
      return listed(expression.elements, sight);
    case 'matrix': {
      const rows = expression.rows.map((row) => listed(row, sight));
      return rows.every((row) => row !== undefined) ? rows : undefined;
    }
    case 'ref':
      return literalOf(expression) ?? evaluated(expression, sight);
    case 'call':
      return isDynamic(expression) ? dynamicValue(expression, sight) : evaluated(expression, sight);
    default:
      return evaluated(expression, sight);
  }
}

function listed(elements: readonly ast.Expression[], sight: Sight): Plain[] | undefined {
  const values: Plain[] = [];
  for (const element of elements) {
    const value = plainValue(element, sight);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** `FillPattern.Solid`. */
function literalOf({ parts, global }: ast.ComponentRef): string | undefined {
  if (global || parts.length !== 2) return undefined;
  const [type, literal] = parts as [ast.RefPart, ast.RefPart];
  const known = Object.hasOwn(enumerations, type.name) ? enumerations[type.name]! : [];
  return known.includes(literal.name) ? literal.name : undefined;
}

const isDynamic = ({ callee, positional }: ast.Call): boolean =>
  callee.parts.length === 1 && callee.parts[0]!.name === 'DynamicSelect' && positional.length === 2;

/** The second argument where values of a run are given and it has a value with them, otherwise the first. */
function dynamicValue({ positional }: ast.Call, sight: Sight): Plain | undefined {
  const [fixed, dynamic] = positional;
  const value = sight.values && dynamic?.kind !== 'partial' ? plainValue(dynamic!, sight) : undefined;
  return value ?? (fixed && fixed.kind !== 'partial' ? plainValue(fixed, sight) : undefined);
}

function evaluated(expression: ast.Expression, sight: Sight): Plain | undefined {
  pulse();
  const locals = new Map<string, Value>();
  const known = replaced(expression, sight, locals) as ast.Expression;
  const { value } = evaluate(sight.scope, known, locals);
  return value && plainOf(value);
}

function plainOf(value: Value): Plain | undefined {
  switch (value.kind) {
    case 'real':
    case 'integer':
    case 'boolean':
    case 'string':
      return value.value;
    case 'enumeration':
      return value.index;
    case 'array':
      return nested(value.elements, value.dims);
    case 'record':
      return undefined;
    default:
      return value satisfies never;
  }
}

function nested(elements: readonly Value[], dims: readonly number[]): Plain[] | undefined {
  const size = dims[0] ?? 0;
  const step = size === 0 ? 0 : elements.length / size;
  const parts: Plain[] = [];
  for (let k = 0; k < size; k++) {
    const part =
      dims.length === 1
        ? plainOf(elements[k]!)
        : nested(elements.slice(k * step, (k + 1) * step), dims.slice(1));
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

/** The expression with names of its own for what the evaluation of models does not know: literals of annotations, and variables that have a value in the run. */
function replaced(node: unknown, sight: Sight, locals: Map<string, Value>): unknown {
  if (Array.isArray(node)) return node.map((part) => replaced(part, sight, locals));
  if (typeof node !== 'object' || node === null) return node;
  if ('kind' in node && node.kind === 'ref') {
    const ref = node as ast.ComponentRef;
    const literal = literalOf(ref);
    const value = literal === undefined ? valueInRun(ref, sight) : string(literal);
    if (value) return named(ref, value, locals);
    return ref;
  }
  if ('kind' in node && node.kind === 'call') {
    const call = node as ast.Call;
    const [fixed, dynamic] = isDynamic(call) ? call.positional : [];
    if (fixed && dynamic) return replaced(sight.values ? dynamic : fixed, sight, locals);
    // The name of a function is no variable.
    const { positional, named: given, iterators } = call;
    const parts = replaced({ positional, named: given, iterators }, sight, locals) as Partial<ast.Call>;
    return { ...call, ...parts };
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => [name, replaced(part, sight, locals)]),
  );
}

function named(ref: ast.ComponentRef, value: Value, locals: Map<string, Value>): ast.ComponentRef {
  const { start, end } = ref;
  const name = `$${locals.size}`;
  locals.set(name, value);
  return { kind: 'ref', start, end, global: false, parts: [{ start, end, name, subscripts: [] }] };
}

/** What a name is worth at the moment of the run. */
function valueInRun(ref: ast.ComponentRef, { scope, values }: Sight): Value | undefined {
  if (!values) return undefined;
  if (!ref.global && ref.parts.length === 1 && ref.parts[0]!.name === 'time') {
    const time = values('time');
    return time === undefined ? undefined : real(time);
  }
  const found = resolve(scope, ref);
  if (found.kind !== 'component') return undefined;
  const { instance } = found.parts.at(-1)!;
  if (instance.kind !== 'variable') return undefined;
  const subscripts = found.parts.map(({ part }) => numbersIn(part.subscripts, { scope, values }));
  if (subscripts.some((own) => own === undefined)) return undefined;
  return wholeValue(instance, pathWith(instance, found.parts, subscripts as number[][]), values);
}

/** The path of an instance with the subscripts that a reference to it has. */
function pathWith(
  instance: VariableInstance,
  parts: readonly { readonly part: ast.RefPart }[],
  subscripts: readonly (readonly number[])[],
): { readonly name: string; readonly elements: boolean } {
  // Names before those that the reference writes are those of the objects around it.
  const written = parts.map(({ part }, k) => part.name + bracketed(subscripts[k]!)).join('.');
  const bare = parts.map(({ part }) => part.name).join('.');
  const around = instance.path.endsWith(bare)
    ? instance.path.slice(0, instance.path.length - bare.length)
    : '';
  return { name: around + written, elements: subscripts.at(-1)!.length < instance.dims.length };
}

function wholeValue(
  instance: VariableInstance,
  { name, elements }: { readonly name: string; readonly elements: boolean },
  values: Values,
): Value | undefined {
  if (!elements) {
    const number = values(name);
    return number === undefined || Number.isNaN(number) ? undefined : typed(instance, number);
  }
  if (instance.dims.length !== 1) return undefined;
  const all = Array.from({ length: Math.min(instance.dims[0]!, MOST_ELEMENTS) }, (_, k) =>
    values(`${name}[${k + 1}]`),
  );
  if (all.some((number) => number === undefined)) return undefined;
  return { kind: 'array', dims: [all.length], elements: all.map((number) => typed(instance, number!)) };
}

/** Longer arrays are in no picture. */
const MOST_ELEMENTS = 1000;

function typed({ type, enumeration }: VariableInstance, number: number): Value {
  if (type === 'Boolean') return boolean(number !== 0);
  if (type === 'Integer') return integer(number);
  if (enumeration) return { kind: 'enumeration', ...enumeration, index: number };
  return real(number);
}

function numbersIn(subscripts: readonly ast.Subscript[], sight: Sight): number[] | undefined {
  const numbers: number[] = [];
  for (const subscript of subscripts) {
    const value = subscript.kind === 'colon' ? undefined : plainValue(subscript, sight);
    if (typeof value !== 'number') return undefined;
    numbers.push(value);
  }
  return numbers;
}
