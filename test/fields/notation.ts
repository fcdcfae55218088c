/** The vector part of a model, run by itself at a point of a simulation that knows nothing of vector parts. */
import { type FieldComponent, fieldComponent } from '../../src/fields/component.ts';
import { cutFields } from '../../src/fields/cut.ts';
import type { Field, FieldVariable } from '../../src/fields/field.ts';
import type { FlatVariable } from '../../src/flat/flat.ts';
import { loadModel, type Overrides } from '../../src/load.ts';
import { elementName } from '../../src/modes/variables.ts';
import { simulate } from '../../src/simulate/index.ts';

export interface Comparison {
  readonly field: Field | undefined;
  /** Names of variables that were left out, with reasons. */
  readonly leftOut: readonly string[];
  /** Largest difference of derivatives, algebraic variables and outputs, relative to 1 or the value. */
  readonly difference: number;
  readonly component: FieldComponent;
}

/** Cuts a model and compares every number of its vector part with the scalar simulation, at time 0.1. */
export async function compared(text: string, overrides: Overrides = {}): Promise<Comparison> {
  const flat = loadModel(text, undefined, overrides);
  const { cut, leftOut } = cutFields(flat, { least: 1 });
  const reasons = leftOut.map(({ symbol, reason }) => `${flat.variables[symbol]!.name}: ${reason}`);
  if (!cut) return { field: undefined, leftOut: reasons, difference: Number.NaN, component: undefined! };
  const { field } = cut;
  const { table, status, diagnostics } = await simulate(flat, { stopTime: 0.1, intervals: 2, method: 'rk' });
  if (status !== 'done') throw new Error(diagnostics.map((d) => d.message).join('\n'));
  const last = (name: string): number => table.get(name).at(-1)!;
  const all = (variable: FlatVariable): number[] =>
    Array.from({ length: variable.dims.reduce((a, b) => a * b, 1) }, (_, k) =>
      last(elementName(variable, k)),
    );
  const component = fieldComponent(field).builtIn as FieldComponent;
  const byName = (name: string): FlatVariable => flat.variables.find((v) => v.name === name)!;
  const memory = component.allocate({
    path: '',
    parameter: last,
    number: last,
    numbers: (name) => Float64Array.from(all(byName(name))),
    sizes: (name) => byName(name).dims,
    input: () => ({ start: 0, length: 0, dims: [] }),
    output: () => ({ start: 0, length: 0, dims: [] }),
  });
  const total = (list: readonly FieldVariable[]): number => list.reduce((sum, { size }) => sum + size, 0);
  const sizes = {
    x: total(field.states),
    u: total(field.inputs),
    y: field.outputs.length,
    w: total(field.algebraic),
    z: 0,
  };
  const point = { ...component.arrays(memory, sizes), t: 0.1 };
  point.x.set(field.states.flatMap(({ variable }) => all(variable)));
  point.u.set(field.inputs.flatMap(({ variable }) => all(variable)));
  component.derivatives(memory, point);
  component.variables(memory, point);
  component.stateOutputs(memory, point);
  for (const k of field.outputs.keys()) component.directOutput(memory, point, k);
  let difference = 0;
  const compare = (name: string, value: number): void => {
    const expected = last(name);
    const error = Math.abs(value - expected) / Math.max(1, Math.abs(expected));
    if (!(error <= difference)) difference = error;
  };
  let next = 0;
  for (const { variable, size } of field.states)
    for (let k = 0; k < size; k++) compare(`der(${elementName(variable, k)})`, point.dx[next++]!);
  next = 0;
  for (const { variable, size } of field.algebraic)
    for (let k = 0; k < size; k++) compare(elementName(variable, k), point.w[next++]!);
  for (const [k, { symbol, order, element }] of field.outputs.entries()) {
    const name = elementName(flat.variables[symbol]!, element);
    compare(order === 0 ? name : `der(${name})`, point.y[k]!);
  }
  return { field, leftOut: reasons, difference, component };
}
