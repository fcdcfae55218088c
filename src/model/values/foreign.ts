/** Calls of external functions whose value is needed during instantiation, such as the size of a table that is read from a file. */
import { Failure } from '../../diagnostic/failure.ts';
import type { ForeignLeaf, ForeignShape } from '../../symbolic/foreign.ts';
import type * as ast from '../../syntax/ast.ts';
import type { ClassEntity } from '../classes/class.ts';
import { externalCall, implementationOf, isOutput } from '../classes/external.ts';
import { findClass } from '../classes/lookup.ts';
import { shapeOf } from '../classes/shape.ts';
import {
  type ArrayValue,
  arrayOf,
  dimsOf,
  elementsOf,
  integer,
  real,
  slopeOf,
  type Value,
} from '../value.ts';
import { blankOf } from './declared.ts';
import type { Evaluator } from './evaluator.ts';
import { type Frame, Stop } from './frame.ts';

/** Computes the outputs in the frame; the evaluation stops where that is not possible. */
export function callForeign(
  entity: ClassEntity,
  external: ast.External,
  inside: Evaluator,
  frame: Frame,
  node: ast.Node,
): void {
  const shape = shapeOf(entity);
  const { name, args, result } = externalCall(entity, external);
  const given: (number | string)[] = [];
  const along: number[] = [];
  let written = 0;
  const outputs: { readonly target: string; readonly like: Value; readonly first: number }[] = [];
  const write = (ref: ast.Expression, like: Value): ForeignShape => {
    const first = written;
    written += scalarsOf(like).length;
    outputs.push({ target: (ref as ast.ComponentRef).parts[0]!.name, like, first });
    return shaped(like, first);
  };
  const readFrom = (ref: ast.Expression): Value =>
    (isOutput(shape, ref) ? roomOf(entity, frame, ref as ast.ComponentRef) : undefined) ?? inside.value(ref);
  const handed = args.map((arg) => {
    const value = readFrom(arg);
    const first = given.length;
    given.push(...scalarsOf(value));
    along.push(...slopesOf(value));
    return { given: shaped(value, first), written: isOutput(shape, arg) ? write(arg, value) : undefined };
  });
  const foreign = {
    path: entity.path,
    name,
    implementation: implementationOf(entity.library.externals, entity, name),
    columnMajor: /fortran/i.test(external.language?.value ?? ''),
    args: handed,
    result: result && write(result, readFrom(result)),
    destroys: false,
    span: inside.span(node),
  };
  try {
    const calls = inside.budget.foreign;
    const values = calls.call({ foreign, order: 0 }, given);
    const isMoving = along.some((slope) => slope !== 0);
    const slopes = isMoving ? calls.call({ foreign, order: 1 }, [...given, ...along]) : [];
    for (const { target, like, first } of outputs)
      frame.values.set(target, filled(like, values, slopes, first));
  } catch (problem) {
    if (problem instanceof Failure) throw new Stop(problem.diagnostics[0]);
    throw problem;
  }
}

/** What stands for an output that has no value yet. */
function roomOf(entity: ClassEntity, frame: Frame, ref: ast.ComponentRef): Value | undefined {
  const { name } = ref.parts[0]!;
  const component = shapeOf(entity).components.get(name)!;
  const type = findClass(component.lexical, component.clause.type);
  return frame.values.get(name) ? undefined : blankOf(type);
}

/** The elements of a value, those of records field by field. */
function scalarsOf(value: Value): (number | string)[] {
  switch (value.kind) {
    case 'array':
      return value.elements.flatMap(scalarsOf);
    case 'record':
      return [...value.fields.values()].flatMap(scalarsOf);
    case 'enumeration':
      return [value.index];
    case 'boolean':
      return [Number(value.value)];
    default:
      return [value.value];
  }
}

/** How fast these change. */
function slopesOf(value: Value): number[] {
  if (value.kind === 'array') return value.elements.flatMap(slopesOf);
  return value.kind === 'record' ? [...value.fields.values()].flatMap(slopesOf) : [slopeOf(value)];
}

function shaped(value: Value, first: number): ForeignShape {
  if (value.kind === 'array' && value.elements[0]?.kind === 'record') {
    const size = elementSize(value);
    const elements = value.elements.map((element, k) => shaped(element, first + k * size));
    return { kind: 'records', dims: value.dims, elements };
  }
  if (value.kind !== 'record') {
    const [element = value] = elementsOf(value);
    const literals = element.kind === 'enumeration' ? element.literals : undefined;
    return { kind: 'value', type: typeOf(value), dims: dimsOf(value), first, literals };
  }
  const fields = new Map<string, ForeignShape>();
  let next = first;
  for (const [name, field] of value.fields) {
    fields.set(name, shaped(field, next));
    next += scalarsOf(field).length;
  }
  return { kind: 'record', fields };
}

/** How many elements one record of an array of them has. */
const elementSize = ({ elements: [first] }: ArrayValue): number => (first ? scalarsOf(first).length : 1);

function typeOf(value: Value): ForeignLeaf['type'] {
  const [first = value] = elementsOf(value);
  switch (first.kind) {
    case 'integer':
      return 'Integer';
    case 'enumeration':
      return first.literals.length === 0 ? 'object' : 'Integer';
    case 'boolean':
      return 'Boolean';
    case 'string':
      return 'String';
    default:
      return 'Real';
  }
}

/** A value like another one, of other elements. */
function filled(
  like: Value,
  values: readonly (number | string)[],
  slopes: readonly (number | string)[],
  first: number,
): Value {
  switch (like.kind) {
    case 'array': {
      const size = elementSize(like);
      return arrayOf(like.dims, (k) => filled(like.elements[k]!, values, slopes, first + k * size));
    }
    case 'record': {
      const fields = new Map<string, Value>();
      let next = first;
      for (const [name, field] of like.fields) {
        fields.set(name, filled(field, values, slopes, next));
        next += scalarsOf(field).length;
      }
      return { ...like, fields };
    }
    case 'enumeration':
      return { ...like, index: Number(values[first]) };
    case 'boolean':
      return { ...like, value: values[first] !== 0 };
    case 'string':
      return { ...like, value: String(values[first]) };
    case 'real':
      return real(Number(values[first]), Number(slopes[first] ?? 0));
    case 'integer':
      return integer(Number(values[first]));
  }
}
