/** A field as a built-in component: what the scalar part and the solver see of it (`program.ts` computes it). */
import type {
  BuiltIn,
  ComponentEvent,
  ComponentPattern,
  Instance,
  Point,
  PointArrays,
  PointSizes,
  Segment,
  VariableOptions,
} from '../../builtin/component.ts';
import { timeSlot } from '../../code/memory.ts';
import { append } from '../../collections/groups.ts';
import { blank } from '../../flat/core/blank.ts';
import { elementName, namesIn } from '../../flat/core/families.ts';
import type { ArrayStructure, ArrayValues, FlatComponent, FlatPort, FlatVariable } from '../../flat/flat.ts';
import type { Field, FieldOutput, FieldVariable } from '../field.ts';
import { copiedElements } from './copies.ts';
import { HeldRelations } from './held.ts';
import { patternOf } from './pattern.ts';
import { type FieldMemory, FieldProgram } from './program.ts';
import { FieldResets } from './resets.ts';

/** The component of a field, with what it reads and determines in the scalar part. */
export function fieldComponent(field: Field): FlatComponent {
  const { pool } = field;
  const inputs = field.inputs.map(
    ({ symbol, variable }): FlatPort => ({
      name: variable.name,
      value: pool.ref(symbol),
      dims: variable.dims,
    }),
  );
  const outputs = field.outputs.map(
    (output): FlatPort => ({ name: portName(output), value: pool.ref(output.copy), dims: [] }),
  );
  const program = new FieldProgram(field);
  const component = new FieldComponent(program);
  const determined = [...field.states, ...field.algebraic];
  return {
    path: '',
    builtIn: component,
    arrays: {
      key: program.key,
      scalars: determined.reduce((sum, { size }) => sum + size, 0),
      structure: structureOf(field),
      assumes: field.assumes,
      loose: field.states.flatMap(({ loose }) => loose ?? []),
      variables: [...determined, ...field.own].map(({ variable }) => variable),
      with: (given) => component.with(given),
      copies: () => copiedElements(field),
    },
    inputs,
    outputs,
    parameters: new Map(field.parameters.map(({ variable, symbol }) => [variable.name, symbol])),
    equations: undefined,
    guard: [],
    origin: blank.origin,
  };
}

function structureOf({ states, algebraic, kernels }: Field): ArrayStructure {
  const systems = kernels.flatMap(({ system }) => system ?? []);
  const variables = new Map([...states, ...algebraic].map(({ symbol, variable }) => [symbol, variable]));
  return {
    states: states.map(({ variable }) => variable),
    index: algebraic.length > 0 ? 1 : 0,
    loops: kernels.length - systems.length,
    systems: systems.map(({ unknowns }) => ({
      unknowns: () =>
        [...unknowns].flatMap(([key, numbers]) => {
          const [symbol, order] = key.split(' ').map(Number) as [number, number];
          const names = [...numbers].flatMap((number, element) =>
            number < 0 ? [] : [elementName(variables.get(symbol)!, element)],
          );
          return order > 0 ? names.map((name) => `der(${name})`) : names;
        }),
    })),
  };
}

/** Values from an element on. */
interface GivenPart {
  readonly first: number;
  readonly values: Float64Array;
}

export class FieldComponent implements BuiltIn<FieldMemory> {
  readonly name = 'arrays';
  readonly inputs: readonly string[];
  readonly outputs: Readonly<Record<string, readonly string[]>>;
  private readonly held: HeldRelations;
  private readonly resets: FieldResets;

  constructor(
    private readonly program: FieldProgram,
    /** Values of a run in place of what the model declares, by symbol. */
    private readonly given: ReadonlyMap<number, readonly GivenPart[]> = new Map(),
  ) {
    this.held = new HeldRelations(program);
    this.resets = new FieldResets(program);
    const { field, direct } = program;
    this.inputs = field.inputs.map(({ variable }) => variable.name);
    this.outputs = Object.fromEntries(field.outputs.map((output, k) => [portName(output), direct[k]!]));
  }

  /** The same component with other values of its own parameters, or other start values. */
  with(given: readonly ArrayValues[]): FieldComponent {
    const { field } = this.program;
    const values = new Map<number, GivenPart[]>();
    for (const { variable, first = 0, attribute, values: own } of given) {
      const isIt = (item: { readonly variable: FlatVariable }): boolean => item.variable === variable;
      const symbol = attribute === 'start' ? field.states.find(isIt)?.start : field.own.find(isIt)?.symbol;
      if (symbol === undefined) continue;
      append(values, symbol, { first, values: Float64Array.from(own, Number) });
    }
    return new FieldComponent(this.program, values);
  }

  allocate(instance: Instance): FieldMemory {
    const { field, layout, once } = this.program;
    const memory = this.program.memory();
    const { doubles } = memory;
    for (const { symbol, variable } of field.parameters) {
      const { name, dims } = variable;
      const values = dims.length === 0 ? [Number(instance.parameter(name))] : instance.numbers(name);
      doubles.set(values, layout.slotOf(symbol, 0, 0));
    }
    for (const [i, { statements }] of field.once.entries()) {
      this.program.run(memory, once.subarray(i, i + 1));
      for (const { target } of statements) {
        for (const { first, values } of this.given.get(target.symbol) ?? [])
          doubles.set(values, layout.slotOf(target.symbol, 0, first));
      }
    }
    // What was divided by when equations were solved must have the sign that it had then.
    for (const { symbol, size, sign } of field.signs)
      if (this.valuesOf(memory, symbol, size).some((value) => Math.sign(value) !== sign))
        throw new Error('a parameter has another sign than when the equations were solved');
    // Parameters out of bounds are an error, which the scalar model tells.
    for (const { symbol, size, min, max } of field.own)
      if (this.valuesOf(memory, symbol, size).some((value) => value < min || value > max))
        throw new Error('a parameter is out of its bounds');
    return memory;
  }

  private valuesOf({ doubles }: FieldMemory, symbol: number, size: number): Float64Array {
    const slot = this.program.layout.slotOf(symbol, 0, 0);
    return doubles.subarray(slot, slot + size);
  }

  begin(memory: FieldMemory, segment: Segment): void {
    const { field } = this.program;
    for (const state of field.states) {
      const { variable, size, nominal } = state;
      const start = this.valuesOf(memory, state.start, size).slice();
      segment.state(variable.name, { ...describe(state), start, nominal, derivative: true });
    }
    for (const own of field.own) {
      const { variable, symbol, size } = own;
      if (size > mostConstants || variable.type === 'String') continue;
      const value = this.valuesOf(memory, symbol, size).slice();
      segment.constant(variable.name, { ...describe(own), value, type: variable.type });
    }
    for (const own of field.algebraic)
      if (!own.variable.copy) segment.variable(own.variable.name, describe(own));
    segment.indicators(this.held.count);
  }

  arrays({ doubles }: FieldMemory, sizes: PointSizes): PointArrays {
    const { x, dx, u, y, w, z } = this.program.layout;
    const view = (first: number, count: number): Float64Array => doubles.subarray(first, first + count);
    return {
      x: view(x, sizes.x),
      dx: view(dx, sizes.x),
      u: view(u, sizes.u),
      y: view(y, sizes.y),
      w: view(w, sizes.w),
      z: view(z, sizes.z),
    };
  }

  stateOutputs(memory: FieldMemory, { t, y }: Point): void {
    const { stateOutputs, outputSlots, forStateOutputs } = this.program;
    const { doubles } = memory;
    doubles[timeSlot] = t;
    this.held.seek(memory, false);
    if (stateOutputs.length === 0) return;
    this.program.run(memory, forStateOutputs);
    for (let i = 0; i < stateOutputs.length; i++) {
      const k = stateOutputs[i]!;
      y[k] = doubles[outputSlots[k]!]!;
    }
  }

  directOutput(memory: FieldMemory, { t, y }: Point, output: number): void {
    const { outputSlots, forOutput } = this.program;
    memory.doubles[timeSlot] = t;
    this.program.run(memory, forOutput[output]!);
    y[output] = memory.doubles[outputSlots[output]!]!;
  }

  derivatives(memory: FieldMemory, { t }: Point): void {
    memory.doubles[timeSlot] = t;
    this.held.seek(memory, true);
    this.program.run(memory, this.program.forDerivatives);
  }

  variables(memory: FieldMemory, { t }: Point): void {
    memory.doubles[timeSlot] = t;
    this.program.run(memory, this.program.forVariables);
  }

  indicators(memory: FieldMemory, { t }: Point): void {
    memory.doubles[timeSlot] = t;
    this.program.run(memory, this.program.forIndicators);
  }

  sides(memory: FieldMemory, out: Int8Array): void {
    this.held.sides(memory, out);
  }

  event(memory: FieldMemory, { point, crossed, began, changed }: ComponentEvent): void {
    memory.doubles[timeSlot] = point.t;
    memory.seeking = false;
    this.resets.apply(memory);
    if (!this.held.update(memory, crossed)) return;
    if (began && this.program.field.isInitialised)
      throw new Error('relations of elements decide on initial values');
    changed();
  }

  save({ doubles, counts, seeking }: FieldMemory): Omit<FieldMemory, 'runs'> {
    return { doubles: doubles.slice(), counts, seeking };
  }

  load(memory: FieldMemory, { doubles, counts, seeking }: FieldMemory): void {
    memory.doubles.set(doubles);
    memory.counts.set(counts);
    memory.seeking = seeking;
  }

  pattern(): ComponentPattern {
    return patternOf(this.program.field, this.program.needed);
  }
}

/** Elements of a parameter that are worth a name each in the results. */
const mostConstants = 100_000;

const portName = ({ name }: FieldOutput): string => `value of ${name}`;

function describe({ variable, min, max }: FieldVariable): VariableOptions {
  const { dims, unit, displayUnit, description, hidden, causality } = variable;
  const array = dims.length > 0 && { size: dims, ...namesIn(variable) };
  return { unit, displayUnit, description, min, max, hidden, output: causality === 'output', ...array };
}
