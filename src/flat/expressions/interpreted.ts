/**
 * Functions with arrays whose sizes are known only when they run. Code is written for fixed sizes; such a function is interpreted instead
 * (`model/values/interpret.ts`), whenever it is called: its inputs and outputs have fixed sizes, and whatever is inside, calls of other functions too, may
 * have any. It is handed over as external functions are, and differentiated by forward differentiation of what the interpreter computes.
 */

import { sameItems } from '../../collections/lists.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { outputsOf } from '../../model/classes/overloads.ts';
import {
  boolean,
  dimsName,
  dimsOf,
  elementsOf,
  integer,
  type Value as Result,
  real,
  slopeOf,
  string,
} from '../../model/value.ts';
import { evaluateFunction } from '../../model/values/evaluate.ts';
import type { ExternalFunction, ForeignFunction, ForeignRun } from '../../symbolic/foreign.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Simple, Type, Value } from '../core/values.ts';

/** Whether a value can be handed over to the interpreter: arrays of records, and functions, cannot. */
export function isHandedOver(value: Value): boolean {
  if (value.kind === 'simple') return value.type !== 'Clock' && value.type !== 'unknown';
  return (
    value.closure === undefined && value.dims.length === 0 && [...value.fields.values()].every(isHandedOver)
  );
}

/** What computes the outputs, by their names, from the inputs, in their order. */
export function interpretation(
  entity: ClassEntity,
  inputs: ReadonlyMap<string, Value>,
  outputs: ReadonlyMap<string, Value>,
  at: ast.Node,
): ExternalFunction {
  const own = [...inputs];
  return function (...given: readonly unknown[]) {
    const values = new Map(own.map(([name, like], k) => [name, resultOf(like, given[k])]));
    const results = interpreted(entity, values, at, this);
    return Object.fromEntries(
      [...outputs].map(([name, like]) => [name, plain(entity, name, like, results.get(name)!)]),
    );
  };
}

/** How fast the outputs change, for inputs and how fast these change. */
export function tangentOf(
  entity: ClassEntity,
  inputs: ReadonlyMap<string, Value>,
  outputs: ReadonlyMap<string, Value>,
  at: ast.Node,
): NonNullable<ForeignFunction['tangent']> {
  const own = [...inputs];
  return (given, along) => {
    const values = new Map(own.map(([name, like], k) => [name, resultOf(like, given[k], along[k])]));
    const results = interpreted(entity, values, at);
    return Object.fromEntries([...outputs.keys()].map((name) => [name, slopesIn(results.get(name)!)]));
  };
}

/** How fast a value changes, as implementations of external functions give numbers. */
function slopesIn(value: Result): unknown {
  if (value.kind === 'array') return value.elements.map(slopeOf);
  if (value.kind !== 'record') return slopeOf(value);
  return Object.fromEntries([...value.fields].map(([name, field]) => [name, slopesIn(field)]));
}

/** The outputs of a function by their names. */
export function interpreted(
  entity: ClassEntity,
  inputs: ReadonlyMap<string, Result>,
  at: ast.Node,
  run?: ForeignRun,
): ReadonlyMap<string, Result> {
  const { value, diagnostics } = evaluateFunction(entity, inputs, at, run);
  if (!value) throw new Failure('simulate', diagnostics);
  return new Map(outputsOf(entity).map(({ name }, k) => [name, value[k]!]));
}

/** A value of given elements. */
export const dataValue = (like: Simple, items: readonly (number | string)[]): Result =>
  resultOf(like, like.dims.length === 0 ? items[0] : items);

function resultOf(like: Value, given: unknown, along?: unknown): Result {
  if (like.kind === 'record') {
    const fields = given as Readonly<Record<string, unknown>>;
    const slopes = along as Readonly<Record<string, unknown>> | undefined;
    return {
      kind: 'record',
      path: like.path,
      operators: like.operators,
      fields: new Map(
        [...like.fields].map(([name, field]) => [name, resultOf(field, fields[name], slopes?.[name])]),
      ),
    };
  }
  const { type, dims } = like;
  if (dims.length === 0) return scalarOf(type, given, along);
  return {
    kind: 'array',
    dims,
    elements: Array.from(given as ArrayLike<unknown>, (one, k) =>
      scalarOf(type, one, (along as ArrayLike<unknown> | undefined)?.[k]),
    ),
  };
}

function scalarOf(type: Type, given: unknown, along: unknown): Result {
  switch (type) {
    case 'Integer':
      return integer(Number(given));
    case 'Boolean':
      return boolean(Boolean(given));
    case 'String':
      return string(String(given));
    default:
      if (typeof type === 'object') return { kind: 'enumeration', ...type, index: Number(given) };
      return real(Number(given), Number(along ?? 0));
  }
}

/** A value as implementations of external functions give it. */
function plain(entity: ClassEntity, name: string, like: Value, value: Result): unknown {
  if (like.kind === 'record') {
    if (value.kind !== 'record') throw new Error('an output is no record');
    return Object.fromEntries(
      [...like.fields].map(([field, own]) => [
        field,
        plain(entity, `${name}.${field}`, own, value.fields.get(field)!),
      ]),
    );
  }
  const dims = dimsOf(value);
  if (!sameItems(dims, like.dims)) {
    const message = `\`${name}\` of \`${entity.path}\` has the size ${dimsName(dims)} in this call, not ${dimsName(like.dims)}.`;
    throw Failure.of('simulate', 'dimension-mismatch', message, {
      span: entity.span(entity.definition.name),
    });
  }
  const elements = elementsOf(value).map((element) => {
    if (element.kind === 'enumeration') return element.index;
    return element.kind === 'array' || element.kind === 'record' ? Number.NaN : element.value;
  });
  return like.dims.length === 0 ? elements[0] : elements;
}
