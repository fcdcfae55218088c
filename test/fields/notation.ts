/** The vector part of a model, run by itself at a point of a simulation that knows nothing of vector parts. */
import type { Columns, Point } from '../../src/builtin/component.ts';
import { cutFields } from '../../src/fields/cut/cut.ts';
import type { Field, FieldVariable } from '../../src/fields/field.ts';
import { type FieldComponent, fieldComponent } from '../../src/fields/run/component.ts';
import type { FieldMemory } from '../../src/fields/run/program.ts';
import { blank } from '../../src/flat/core/blank.ts';
import { elementName } from '../../src/flat/core/families.ts';
import type { FlatEquation, FlatVariable } from '../../src/flat/flat.ts';
import { loadModel, type Overrides } from '../../src/load.ts';
import { simulate } from '../../src/simulate/index.ts';

export interface Comparison {
  readonly field: Field | undefined;
  /** Names of variables that were left out, with reasons. */
  readonly leftOut: readonly string[];
  /** Largest difference of derivatives, algebraic variables and outputs, relative to 1 or the value. */
  readonly difference: number;
  readonly component: FieldComponent;
  /** Derivatives and outputs that change with states and inputs, but are not in the pattern. */
  readonly unforeseen: readonly string[];
}

/** Cuts a model and compares every number of its vector part with the scalar simulation, at time 0.1. */
export async function compared(text: string, overrides: Overrides = {}, name?: string): Promise<Comparison> {
  const flat = loadModel(text, name, overrides);
  const { cut, leftOut } = cutFields(flat, { least: 1 });
  const reasons = leftOut.map(({ symbol, reason }) => `${flat.variables[symbol]!.name}: ${reason}`);
  if (!cut)
    return {
      field: undefined,
      leftOut: reasons,
      difference: Number.NaN,
      component: undefined!,
      unforeseen: [],
    };
  const { field, rest } = cut;
  // What the loops read of the scalar part besides the model's own variables; other variables of that part are of no interest.
  const added = rest.variables
    .slice(flat.variables.length)
    .map((variable, k) => ({ ...variable, copy: false, name: `added${k}` }));
  const variables = [...flat.variables, ...added];
  const definitions = added.map((_, k): FlatEquation => {
    const symbol = flat.variables.length + k;
    const own = rest.equations.find(
      (e) => e.kind === 'equal' && e.left.kind === 'ref' && e.left.symbol === symbol,
    );
    const read = field.inputs.some((input) => input.symbol === symbol);
    if (own && read) return own;
    return {
      kind: 'equal',
      left: flat.pool.ref(symbol),
      right: flat.pool.zero,
      dims: [],
      origin: blank.origin,
    };
  });
  const whole = { ...flat, variables, equations: [...flat.equations, ...definitions] };
  const { table, status, diagnostics } = await simulate(whole, {
    stopTime: 0.1,
    intervals: 2,
    method: 'rk',
    scalars: true,
  });
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
    origin: { span: undefined },
    parameter: last,
    number: last,
    numbers: (name) => Float64Array.from(all(byName(name))),
    sizes: (name) => byName(name).dims,
    start: () => undefined,
    input: () => ({ start: 0, length: 0, dims: [] }),
    output: () => ({ start: 0, length: 0, dims: [] }),
  });
  const total = (list: readonly FieldVariable[]): number => list.reduce((sum, { size }) => sum + size, 0);
  const sizes = {
    x: total(field.states),
    u: total(field.inputs),
    y: field.outputs.length,
    w: total(field.algebraic),
    z: field.relations.reduce((sum, { size }) => sum + size, 0),
  };
  const point = { ...component.arrays(memory, sizes), t: 0.1 };
  point.x.set(field.states.flatMap(({ variable }) => all(variable)));
  point.u.set(field.inputs.flatMap(({ symbol }) => all(variables[symbol]!)));
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
  return { field, leftOut: reasons, difference, component, unforeseen: unforeseen(component, memory, point) };
}

/** Moves states and inputs one by one and looks for changes that the pattern does not know. */
function unforeseen(component: FieldComponent, memory: FieldMemory, point: Point): string[] {
  const { derivativesByStates, derivativesByInputs } = component.pattern();
  const found: string[] = [];
  component.derivatives(memory, point);
  const before = point.dx.slice();
  const move = (values: Float64Array, { starts, rows }: Columns, name: string): void => {
    for (let j = 0; j < values.length; j++) {
      const known = new Set(rows.subarray(starts[j]!, starts[j + 1]!));
      const value = values[j]!;
      values[j] = value + 0.01;
      component.derivatives(memory, point);
      values[j] = value;
      for (let i = 0; i < before.length; i++)
        if (point.dx[i] !== before[i] && !known.has(i)) found.push(`dx[${i}] by ${name}[${j}]`);
    }
  };
  move(point.x, derivativesByStates!, 'x');
  move(point.u, derivativesByInputs!, 'u');
  return found;
}
