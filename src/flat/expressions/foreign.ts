/**
 * External functions (Modelica 3.6, section 12.9). The function of the model is one like others: its body hands all arguments of the external clause, as
 * the elements of one array, to a function that is code from outside, and takes its outputs from the array that comes back.
 *
 *     external "C" y = f(a, size(a, 1), info)     becomes     $given := {a…, size(a, 1), info};   $written := f($given);   info := …;   y := …;
 */
import type { ClassEntity } from '../../model/classes/class.ts';
import { type ExternalCall, externalCall, implementationOf, isOutput } from '../../model/classes/external.ts';
import { isImpure } from '../../model/classes/functions.ts';
import { nestedClass } from '../../model/classes/lookup.ts';
import { inputsOf } from '../../model/classes/overloads.ts';
import { type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { ForeignArgument, ForeignFunction, ForeignShape } from '../../symbolic/foreign.ts';
import type { FunctionDef, FunctionLocal, FunctionStatement } from '../../symbolic/function.ts';
import { markLowered } from '../../symbolic/lower.ts';
import type * as ast from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import type { Context, FlatBuilder } from '../core/context.ts';
import { count, isUnknown, type Simple, simple, storage, type Value } from '../core/values.ts';
import { expression } from './expressions.ts';
import { applyFunction, declaredType } from './functions.ts';

/** What an external function becomes: statements over its variables, of which there may be one more, and the clause as text. */
export interface ForeignBody {
  readonly statements: readonly FunctionStatement[];
  readonly added: readonly FunctionLocal[];
  readonly clause: string;
}

/** `context` knows the variables of the function, of which there are so many; undefined after an error. */
export function foreignBody(
  entity: ClassEntity,
  external: ast.External,
  variables: number,
  context: Context,
): ForeignBody | undefined {
  const shape = shapeOf(entity);
  const call = externalCall(entity, external);
  const args = call.args.map((node) => ({ node, value: expression(node, context) }));
  const result = call.result && expression(call.result, context);
  if (args.some(({ value }) => isUnknown(value)) || (result && isUnknown(result))) return undefined;
  const given = new Places();
  const written = new Places();
  const handed = args.map(({ node, value }): ForeignArgument => {
    const isWritten = isOutput(shape, node);
    return { given: given.add(value), written: isWritten ? written.add(value) : undefined };
  });
  const destructor = result && destructorOf(entity, result, external, context);
  const foreign: ForeignFunction = {
    path: entity.path,
    name: call.name,
    implementation: implementationOf(context.builder.externals, entity, call.name),
    columnMajor: /fortran/i.test(external.language?.value ?? ''),
    args: handed,
    result: result && written.add(result, destructor),
    destroys: isOfObject(entity) && entity.definition.name.text === 'destructor',
    impure: isTakenForImpure(entity),
    span: entity.span(entity.definition.name),
  };
  return {
    ...statementsOf(context.builder, foreign, given, written, variables),
    clause: clauseText(external, call),
  };
}

/** Statements that hand all inputs to an implementation, which gives an object with the outputs by their names. */
export function handedOver(
  builder: FlatBuilder,
  base: Pick<ForeignFunction, 'path' | 'name' | 'implementation' | 'tangent' | 'span'>,
  inputs: readonly Value[],
  outputs: ReadonlyMap<string, Value>,
  variables: number,
): Omit<ForeignBody, 'clause'> {
  const given = new Places();
  const written = new Places();
  const foreign: ForeignFunction = {
    ...base,
    columnMajor: false,
    args: inputs.map((value) => ({ given: given.add(value), written: undefined })),
    result: {
      kind: 'record',
      fields: new Map([...outputs].map(([name, value]) => [name, written.add(value)])),
    },
    destroys: false,
  };
  return statementsOf(builder, foreign, given, written, variables);
}

/** The clause as it is written out in full. */
function clauseText({ language }: ast.External, { name, args, result }: ExternalCall): string {
  const target = result ? `${printExpression(result)} = ` : '';
  const spoken = language ? `"${language.value}" ` : '';
  return `external ${spoken}${target}${name}(${args.map((arg) => printExpression(arg)).join(', ')})`;
}

// ---------------------------------------------------------------- external objects

/** What does not say what it is may do something, and may give other values than before (section 12.3); what makes and ends objects belongs to these. */
const isTakenForImpure = (entity: ClassEntity): boolean =>
  isImpure(entity) || (entity.definition.purity === undefined && !isOfObject(entity));

const isOfObject = ({ parent }: ClassEntity): boolean =>
  parent !== undefined && shapeOf(parent).externalObject;

/** The number of the function that ends the life of what a constructor makes. */
function destructorOf(
  { parent, definition }: ClassEntity,
  made: Value,
  node: ast.Node,
  context: Context,
): number | undefined {
  const entity =
    parent && shapeOf(parent).externalObject && definition.name.text === 'constructor'
      ? nestedClass(parent, 'destructor')
      : undefined;
  const component = entity && inputsOf(entity)[0];
  if (!entity || !component || made.kind !== 'simple') return undefined;
  const value = simple(context.builder.pool.zero, made.type, 'parameter');
  return applyFunction(entity, [{ component, node, value }], node, context)?.fn;
}

/** The end of the life of an external object that is a variable of a function; nothing for other variables. */
export function destruction(
  component: ShapeComponent,
  variable: Value,
  context: Context,
): FunctionStatement | undefined {
  const entity = declaredType(context.builder, component)?.entity;
  const destructor = entity && shapeOf(entity).externalObject && nestedClass(entity, 'destructor');
  const input = destructor && inputsOf(destructor)[0];
  if (!destructor || !input) return undefined;
  const node = component.declaration;
  const outputs = applyFunction(destructor, [{ component: input, node, value: variable }], node, context);
  return outputs && { kind: 'multiassign', targets: [], fn: outputs.fn, args: outputs.args, span: undefined };
}

/** Statements with others at their end, wherever that is. */
export function ending(
  body: readonly FunctionStatement[],
  last: readonly FunctionStatement[],
): FunctionStatement[] {
  const inside = (statement: FunctionStatement): FunctionStatement[] => {
    switch (statement.kind) {
      case 'return':
        return [...last, statement];
      case 'if': {
        const branches = statement.branches.map((one) => ({ ...one, body: one.body.flatMap(inside) }));
        return [{ ...statement, branches }];
      }
      case 'for':
      case 'while':
        return [{ ...statement, body: statement.body.flatMap(inside) }];
      default:
        return [statement];
    }
  };
  return last.length === 0 ? [...body] : [...body.flatMap(inside), ...last];
}

// ---------------------------------------------------------------- arguments as the elements of an array

/** Values one after the other. */
class Places {
  length = 0;
  readonly values: Simple[] = [];

  add(value: Value, destructor?: number): ForeignShape {
    if (value.kind === 'record') {
      const fields = new Map([...value.fields].map(([name, field]) => [name, this.add(field)]));
      const record: ForeignShape = { kind: 'record', fields };
      const { dims } = value;
      if (dims.length === 0) return record;
      const elements = Array.from({ length: count(dims) }, (_, k) => elementShape(record, dims, k));
      return { kind: 'records', dims, elements };
    }
    const { type, dims } = value;
    const first = this.length;
    this.length += count(dims);
    this.values.push(value);
    const literals = typeof type === 'object' ? type.literals : undefined;
    const isObject = literals?.length === 0;
    return { kind: 'value', type: isObject ? 'object' : storage(type), dims, first, destructor, literals };
  }
}

/** One record of an array of them: the elements of its fields lie one after the other, behind those of the records before it. */
function elementShape(shape: ForeignShape, outer: readonly number[], k: number): ForeignShape {
  switch (shape.kind) {
    case 'record':
      return {
        kind: 'record',
        fields: new Map([...shape.fields].map(([name, own]) => [name, elementShape(own, outer, k)])),
      };
    case 'records': {
      const dims = shape.dims.slice(outer.length);
      const size = count(dims);
      return { kind: 'records', dims, elements: shape.elements.slice(k * size, (k + 1) * size) };
    }
    case 'value': {
      const dims = shape.dims.slice(outer.length);
      return { ...shape, dims, first: shape.first + k * count(dims) };
    }
  }
}

function statementsOf(
  { pool, functions }: FlatBuilder,
  foreign: ForeignFunction,
  given: Places,
  written: Places,
  variables: number,
): Omit<ForeignBody, 'clause'> {
  const { span, name } = foreign;
  const local = (own: string, length: number): FunctionLocal => ({
    name: own,
    type: 'Real',
    dims: [length],
    initial: undefined,
  });
  const code: FunctionDef = markLowered({
    name,
    locals: [local('given', given.length), local('written', written.length)],
    inputs: 1,
    outputs: 1,
    body: [],
    external: { kind: 'foreign', foreign, order: 0 },
    span,
  });
  const fn = functions.push(code) - 1;
  const vectors = given.values.map(({ expr }) => pool.raw('vector', [expr]));
  const all = vectors.length === 0 ? pool.raw('array', []) : pool.raw('cat', [pool.one, ...vectors]);
  if (written.length === 0)
    return { statements: [{ kind: 'multiassign', targets: [undefined], fn, args: [all], span }], added: [] };
  const buffer = pool.local(variables);
  let next = 1;
  const element = (): Expr => pool.local(variables, [pool.const(next++)]);
  const outputs = written.values.map(
    ({ expr, dims }): FunctionStatement => ({
      kind: 'assign',
      target: expr,
      value: nested(pool, dims, element),
      span,
    }),
  );
  const called: FunctionStatement = { kind: 'assign', target: buffer, value: pool.call(fn, [all], 0), span };
  return { statements: [called, ...outputs], added: [local('$written', written.length)] };
}

/** An array of sizes `dims` of elements that come row by row. */
function nested(pool: FlatBuilder['pool'], dims: readonly number[], element: () => Expr): Expr {
  const [n, ...rest] = dims;
  if (n === undefined) return element();
  return pool.raw(
    'array',
    Array.from({ length: n }, () => nested(pool, rest, element)),
  );
}
