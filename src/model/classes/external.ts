/** External clauses of functions (specification 3.6, section 12.9): what is called, with what, and what computes it. */
import type { ExternalFunction, Externals } from '../../symbolic/foreign.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from './class.ts';
import { inputsOf } from './overloads.ts';
import { type Shape, type ShapeComponent, shapeOf } from './shape.ts';

export interface ExternalCall {
  readonly name: string;
  readonly args: readonly ast.Expression[];
  readonly result: ast.ComponentRef | undefined;
}

/** The call of an external clause; one that is not written follows from the declarations (section 12.9.1). */
export function externalCall(entity: ClassEntity, external: ast.External): ExternalCall {
  const { functionName, result } = external;
  if (functionName) return { name: functionName.text, args: external.arguments, result };
  const components = [...shapeOf(entity).components.values()];
  const outputs = components.filter(({ clause }) => clause.causality === 'output');
  const [only] = outputs;
  const isResult = outputs.length === 1 && rankOf(only!) === 0;
  const passed = [...inputsOf(entity), ...(isResult ? [] : outputs)];
  return {
    name: entity.definition.name.text,
    args: passed.flatMap((component) => [
      refTo(component),
      ...Array.from({ length: rankOf(component) }, (_, d) => sizeCall(component, d + 1)),
    ]),
    result: isResult ? refTo(only!) : undefined,
  };
}

/** An implementation by the qualified name of the function goes before one by the name of what it calls. */
export function implementationOf(
  externals: Externals,
  { path }: ClassEntity,
  name: string,
): ExternalFunction | undefined {
  const key = [path, name].find((one) => Object.hasOwn(externals, one));
  return key === undefined ? undefined : externals[key];
}

/** Whether an argument is an output of the function, or a part of one. */
export function isOutput({ components }: Shape, node: ast.Expression): boolean {
  const name = node.kind === 'ref' ? node.parts[0]!.name : undefined;
  return name !== undefined && components.get(name)?.clause.causality === 'output';
}

const rankOf = ({ declaration, clause }: ShapeComponent): number =>
  declaration.subscripts.length + clause.subscripts.length;

function refTo({ declaration: { start, end }, name }: ShapeComponent): ast.ComponentRef {
  return { kind: 'ref', start, end, global: false, parts: [{ start, end, name, subscripts: [] }] };
}

function sizeCall(component: ShapeComponent, dimension: number): ast.Call {
  const array = refTo(component);
  const { start, end } = array;
  const callee = { ...array, parts: [{ ...array.parts[0]!, name: 'size' }] };
  const text = String(dimension);
  const number: ast.NumberLiteral = { kind: 'number', start, end, value: dimension, integer: true, text };
  return { kind: 'call', start, end, callee, positional: [array, number], named: [], iterators: undefined };
}
