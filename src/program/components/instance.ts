/** An instance of a class as its built-in part sees it: parameters with their values, places of inputs and outputs. */
import type { Instance, ParameterValue, Place } from '../../builtin/component.ts';
import type { FlatPort } from '../../flat/flat.ts';
import type { Component, ComponentParameter } from '../../modes/guarded.ts';
import { sizeOf } from '../../symbolic/shape.ts';

/** Sizes, empty for a scalar, and elements row by row. */
export interface Parameter {
  readonly dims: readonly number[];
  readonly elements: readonly (number | boolean | string)[];
}

/** Problems are thrown as errors, for the component that asked. */
export function instanceOf(
  { flat, parameters }: Component,
  evaluate: (parameter: ComponentParameter) => Parameter,
  start: (output: number) => readonly number[] | undefined,
  values: object | undefined,
): Instance {
  const parameter = (name: string): Parameter => {
    const found = parameters.get(name);
    if (!found) throw new Error(`there is no parameter ${name} in its class`);
    return evaluate(found);
  };
  let places: Readonly<Record<'input' | 'output', ReadonlyMap<string, Place>>> | undefined;
  const placeOf = (name: string, what: 'input' | 'output'): Place => {
    places ??= { input: placesOf(flat.inputs), output: placesOf(flat.outputs) };
    const place = places[what].get(name);
    if (!place) throw new Error(`it has no ${what} ${name}`);
    return place;
  };
  return {
    path: flat.path,
    origin: flat.origin,
    values,
    parameter: (name) => nested(parameter(name)),
    number: (name) => {
      const { dims, elements } = parameter(name);
      const [value] = elements;
      if (dims.length > 0 || typeof value !== 'number')
        throw new Error(`the parameter ${name} is not a number`);
      return value;
    },
    numbers: (name) => numbersOf(parameter(name)),
    sizes: (name) => parameter(name).dims,
    start: (name) => start(flat.outputs.findIndex((port) => port.name === name)),
    input: (name) => placeOf(name, 'input'),
    output: (name) => placeOf(name, 'output'),
  };
}

export function numbersOf({ elements }: Pick<Parameter, 'elements'>): Float64Array {
  const numbers = new Float64Array(elements.length);
  for (let k = 0; k < numbers.length; k++) numbers[k] = Number(elements[k]);
  return numbers;
}

/** Where variables lie that come one after the other, by name. */
export function placesOf(ports: readonly FlatPort[]): Map<string, Place> {
  let start = 0;
  return new Map(
    ports.map(({ name, dims }) => {
      const length = sizeOf(dims);
      start += length;
      return [name, { start: start - length, length, dims }];
    }),
  );
}

/** A parameter as nested lists. */
function nested({ dims, elements }: Parameter): ParameterValue {
  if (dims.length === 0) return elements[0]!;
  const [length, ...rest] = dims as [number, ...number[]];
  const each = sizeOf(rest);
  return Array.from({ length }, (_, k) =>
    nested({ dims: rest, elements: elements.slice(k * each, (k + 1) * each) }),
  );
}
