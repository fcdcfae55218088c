/**
 * A field as a built-in component. Its memory is one WebAssembly memory, in bytes:
 *
 *     tables of the kernels        numbers as `loops.ts` describes them
 *     constants, data, parameters, initial values
 *     time, x, dx, u, y, w         the numbers of a point: states, derivatives, inputs, outputs, algebraic variables
 *
 * The layout belongs to the field; each run has a memory of its own and shares the code with all others.
 */
import type {
  BuiltIn,
  ComponentPattern,
  Instance,
  Point,
  PointArrays,
  PointSizes,
  Segment,
  VariableOptions,
} from '../builtin/component.ts';
import { blank } from '../flat/blank.ts';
import type { ArrayValues, FlatComponent, FlatPort, FlatVariable } from '../flat/flat.ts';
import { elementName as nameOfElement } from '../modes/variables.ts';
import type { Field, FieldState } from './field.ts';
import { type LoweredKernel, lowerKernel, type Places } from './loops.ts';
import type { Kernel } from './order.ts';
import { patternOf } from './pattern.ts';
import { Slices } from './slice.ts';
import { compileKernels, type Run } from './wasm.ts';

/** The memory of one run. */
export interface FieldMemory {
  readonly doubles: Float64Array;
  readonly runs: readonly Run[];
}

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
    ({ copy, name }): FlatPort => ({ name: `value of ${name}`, value: pool.ref(copy), dims: [] }),
  );
  const component = new FieldComponent(field, outputs);
  const determined = [...field.states, ...field.algebraic];
  return {
    path: '',
    builtIn: component,
    arrays: {
      key: component.key,
      scalars: determined.reduce((sum, { size }) => sum + size, 0),
      loose: field.states.flatMap(({ loose }) => loose ?? []),
      variables: [...determined, ...field.own].map(({ variable }) => variable),
      with: (given) => component.with(given),
    },
    inputs,
    outputs,
    parameters: new Map(field.parameters.map(({ variable, symbol }) => [variable.name, symbol])),
    equations: undefined,
    guard: [],
    origin: blank.origin,
  };
}

/** Kernels that are run one after the other: numbers of kernels in the program. */
type Routine = Int32Array;

export class FieldComponent implements BuiltIn<FieldMemory> {
  readonly name = 'arrays';
  readonly inputs: readonly string[];
  readonly outputs: Readonly<Record<string, readonly string[]>>;
  private readonly field: Field;
  /** Values of a run in place of what the model declares, by symbol. */
  private given: ReadonlyMap<number, Float64Array> = new Map();
  private readonly layout: Layout;
  private readonly kernels: LoweredKernel[] = [];
  private readonly numbers = new Map<Kernel, number>();
  private readonly once: Routine;
  private readonly forDerivatives: Routine;
  private readonly forVariables: Routine;
  /** What outputs need on which no input acts. */
  private readonly forStateOutputs: Routine;
  private readonly stateOutputList: Int32Array;
  private readonly forOutput: readonly Routine[];
  /** What derivatives and outputs need, as a whole. */
  private readonly needed: readonly Kernel[];
  private readonly outputSlots: Int32Array;

  constructor(field: Field, ports: readonly FlatPort[]) {
    this.field = field;
    this.layout = new Layout(field);
    this.inputs = field.inputs.map(({ variable }) => variable.name);
    const sizes = new Map<number, number>();
    for (const { symbol, size } of [...field.states, ...field.algebraic]) sizes.set(symbol, size);
    const slices = new Slices(field.pool, field.kernels, (symbol) => sizes.get(symbol)!);
    const own = field.outputs.map((output) => slices.of([output]));
    const names = new Map(field.inputs.map(({ symbol, variable }) => [symbol, variable.name]));
    const direct = own.map(({ reads }) => [...reads].flatMap((symbol) => names.get(symbol) ?? []));
    this.outputs = Object.fromEntries(ports.map((port, k) => [port.name, direct[k]!]));
    const still = field.outputs.flatMap((_, k) => (direct[k]!.length === 0 ? [k] : []));
    this.stateOutputList = Int32Array.from(still);
    this.outputSlots = Int32Array.from(field.outputs, ({ symbol, order, element }) =>
      this.layout.slotOf(symbol, order, element),
    );
    const read = new Set(field.outputs.map(({ symbol, order }) => `${symbol} ${order}`));
    this.needed = slices.wholly(({ symbol, order }) => order === 1 || read.has(`${symbol} ${order}`));
    this.once = this.routine(field.once);
    this.forDerivatives = this.routine(slices.wholly(({ order }) => order === 1));
    this.forVariables = this.routine(slices.wholly(({ order }) => order === 0));
    this.forStateOutputs = this.routine(slices.of(still.map((k) => field.outputs[k]!)).kernels);
    this.forOutput = own.map(({ kernels }) => this.routine(kernels));
    this.layout.close(this.kernels);
  }

  private routine(kernels: readonly Kernel[]): Routine {
    return Int32Array.from(kernels, (kernel) => {
      let number = this.numbers.get(kernel);
      if (number === undefined) {
        number = this.kernels.push(lowerKernel(this.field.pool, kernel, this.layout)) - 1;
        this.numbers.set(kernel, number);
      }
      return number;
    });
  }

  /** What is the same for all sizes: code, and in which order it runs. */
  get key(): string {
    const { once, forDerivatives, forVariables, forStateOutputs, forOutput } = this;
    const routines = [once, forDerivatives, forVariables, forStateOutputs, ...forOutput];
    return [...this.kernels.map(({ key }) => key), ...routines.map((routine) => routine.join())].join(
      '\n====\n',
    );
  }

  /** The same component with other values of its own parameters, or other start values. */
  with(given: readonly ArrayValues[]): FieldComponent {
    const other: FieldComponent = Object.create(this);
    const values = new Map<number, Float64Array>();
    for (const { variable, attribute, values: own } of given) {
      const known = [...this.field.states, ...this.field.own].find((item) => item.variable === variable);
      if (!known) continue;
      const symbol = attribute === 'start' && 'start' in known ? (known as FieldState).start : known.symbol;
      values.set(symbol, Float64Array.from(own, Number));
    }
    other.given = values;
    return other;
  }

  allocate(instance: Instance): FieldMemory {
    const memory = new WebAssembly.Memory({ initial: this.layout.pages });
    const doubles = new Float64Array(memory.buffer);
    this.layout.fill(memory.buffer, this.kernels);
    for (const { symbol, variable } of this.field.parameters) {
      const slot = this.layout.slotOf(symbol, 0, 0);
      const value =
        variable.dims.length === 0
          ? [Number(instance.parameter(variable.name))]
          : instance.numbers(variable.name);
      doubles.set(value, slot);
    }
    const allocated = { doubles, runs: compileKernels(this.kernels, memory) };
    for (let i = 0; i < this.once.length; i++) {
      this.run(allocated, this.once.subarray(i, i + 1));
      for (const { target } of this.field.once[i]!.statements) {
        const given = this.given.get(target.symbol);
        if (given) doubles.set(given, this.layout.slotOf(target.symbol, 0, 0));
      }
    }
    this.checkSigns(doubles);
    return allocated;
  }

  /** What was divided by when equations were solved must have the sign that it had then. */
  private checkSigns(doubles: Float64Array): void {
    for (const { symbol, sign } of this.field.signs) {
      const first = this.layout.slotOf(symbol, 0, 0);
      const { size } = [...this.field.own, ...this.field.parameters].find((item) => item.symbol === symbol)!;
      for (let k = 0; k < size; k++)
        if (Math.sign(doubles[first + k]!) !== sign)
          throw new Error('a parameter has another sign than when the equations were solved');
    }
  }

  begin({ doubles }: FieldMemory, segment: Segment): void {
    for (const { variable, start, size, nominal } of this.field.states) {
      const slot = this.layout.slotOf(start, 0, 0);
      segment.state(variable.name, {
        ...describe(variable),
        start: doubles.slice(slot, slot + size),
        nominal,
        derivative: true,
      });
    }
    for (const { variable } of this.field.algebraic) segment.variable(variable.name, describe(variable));
  }

  arrays({ doubles }: FieldMemory, sizes: PointSizes): PointArrays {
    const { x, dx, u, y, w } = this.layout;
    const view = (first: number, count: number): Float64Array => doubles.subarray(first, first + count);
    return {
      x: view(x, sizes.x),
      dx: view(dx, sizes.x),
      u: view(u, sizes.u),
      y: view(y, sizes.y),
      w: view(w, sizes.w),
      z: new Float64Array(sizes.z),
    };
  }

  stateOutputs(memory: FieldMemory, { t, y }: Point): void {
    const { stateOutputList, outputSlots } = this;
    if (stateOutputList.length === 0) return;
    const { doubles } = memory;
    doubles[this.layout.timeSlot] = t;
    this.run(memory, this.forStateOutputs);
    for (let i = 0; i < stateOutputList.length; i++) {
      const k = stateOutputList[i]!;
      y[k] = doubles[outputSlots[k]!]!;
    }
  }

  directOutput(memory: FieldMemory, { t, y }: Point, output: number): void {
    memory.doubles[this.layout.timeSlot] = t;
    this.run(memory, this.forOutput[output]!);
    y[output] = memory.doubles[this.outputSlots[output]!]!;
  }

  derivatives(memory: FieldMemory, { t }: Point): void {
    memory.doubles[this.layout.timeSlot] = t;
    this.run(memory, this.forDerivatives);
  }

  variables(memory: FieldMemory, { t }: Point): void {
    memory.doubles[this.layout.timeSlot] = t;
    this.run(memory, this.forVariables);
  }

  pattern(): ComponentPattern {
    return patternOf(this.field, this.needed);
  }

  private run({ runs }: FieldMemory, routine: Routine): void {
    const { tables } = this.layout;
    for (let i = 0; i < routine.length; i++) {
      const k = routine[i]!;
      runs[k]!(tables[k]!);
    }
  }
}

function describe(variable: FlatVariable): VariableOptions {
  const { dims, unit, displayUnit, description, hidden, causality } = variable;
  const elementName = (element: number): string => nameOfElement(variable, element);
  const array = dims.length > 0 && { size: dims, elementName };
  return { unit, displayUnit, description, hidden, output: causality === 'output', ...array };
}

const pageBytes = 65536;

/** Where everything lies; slots are indices of doubles. */
class Layout implements Places {
  readonly timeSlot: number;
  readonly x: number;
  readonly dx: number;
  readonly u: number;
  readonly y: number;
  readonly w: number;
  /** Addresses of the tables, by kernel. */
  tables = new Int32Array(0);
  private readonly field: Field;
  private readonly places = new Map<number, number>();
  private readonly derivatives = new Map<number, number>();
  private readonly constants = new Map<number | string, { slot: number; value: number }>();
  private next = 0;

  constructor(field: Field) {
    this.field = field;
    this.timeSlot = this.reserve(1);
    for (const { symbol, values } of field.data) this.place(symbol, values.length);
    for (const { symbol, size } of [...field.own, ...field.parameters]) this.place(symbol, size);
    for (const { start, size } of field.states) this.place(start, size);
    this.x = this.next;
    for (const { symbol, size } of field.states) this.place(symbol, size);
    this.dx = this.next;
    for (const { symbol, size } of field.states) this.derivatives.set(symbol, this.reserve(size));
    this.u = this.next;
    for (const { symbol, size } of field.inputs) this.place(symbol, size);
    this.y = this.reserve(field.outputs.length);
    this.w = this.next;
    for (const { symbol, size } of field.algebraic) this.place(symbol, size);
  }

  get time(): number {
    return 8 * this.timeSlot;
  }

  get pages(): number {
    return Math.max(1, Math.ceil((8 * this.next) / pageBytes));
  }

  addressOf = (symbol: number, order: number): number => 8 * this.slotOf(symbol, order, 0);

  constant = (value: number): number => {
    const key = Object.is(value, -0) ? '-0' : value;
    let known = this.constants.get(key);
    if (!known) this.constants.set(key, (known = { slot: this.reserve(1), value }));
    return 8 * known.slot;
  };

  slotOf(symbol: number, order: number, element: number): number {
    const first = (order === 0 ? this.places : this.derivatives).get(symbol);
    if (first === undefined) throw new Error('an array of a field has no place');
    return first + element;
  }

  /** All kernels are known: their tables come last. */
  close(kernels: readonly LoweredKernel[]): void {
    this.tables = Int32Array.from(kernels, ({ table }) => 8 * this.reserve(Math.ceil(table.length / 2)));
  }

  /** Writes what is the same in all runs. */
  fill(buffer: ArrayBuffer, kernels: readonly LoweredKernel[]): void {
    const doubles = new Float64Array(buffer);
    const integers = new Int32Array(buffer);
    for (const { symbol, values } of this.field.data) doubles.set(values, this.slotOf(symbol, 0, 0));
    for (const { slot, value } of this.constants.values()) doubles[slot] = value;
    kernels.forEach(({ table }, k) => {
      integers.set(table, this.tables[k]! / 4);
    });
  }

  private reserve(count: number): number {
    this.next += count;
    return this.next - count;
  }

  private place(symbol: number, count: number): void {
    this.places.set(symbol, this.reserve(count));
  }
}
