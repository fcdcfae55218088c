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
import { elementName as nameOfElement } from '../flat/families.ts';
import type { ArrayValues, FlatComponent, FlatPort, FlatVariable } from '../flat/flat.ts';
import type { Field, FieldOutput, FieldVariable } from './field.ts';
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

/** What belongs to a field whatever the values of a run: kernels with their tables, routines, and where everything lies. */
class FieldProgram {
  readonly field: Field;
  readonly layout: Layout;
  readonly kernels: LoweredKernel[] = [];
  readonly once: Routine;
  readonly forDerivatives: Routine;
  readonly forVariables: Routine;
  /** Outputs on which no input acts, and what they need. */
  readonly stateOutputs: Int32Array;
  readonly forStateOutputs: Routine;
  readonly forOutput: readonly Routine[];
  readonly outputSlots: Int32Array;
  /** By output: names of the inputs that act on it directly. */
  readonly direct: readonly (readonly string[])[];
  /** What derivatives and outputs need, as a whole. */
  readonly needed: readonly Kernel[];
  private readonly numbers = new Map<Kernel, number>();

  constructor(field: Field) {
    this.field = field;
    this.layout = new Layout(field);
    const sizes = new Map<number, number>();
    for (const { symbol, size } of [...field.states, ...field.algebraic]) sizes.set(symbol, size);
    const slices = new Slices(field.pool, field.kernels, (symbol) => sizes.get(symbol)!);
    const own = field.outputs.map((output) => slices.of([output]));
    const names = new Map(field.inputs.map(({ symbol, variable }) => [symbol, variable.name]));
    this.direct = own.map(({ reads }) => [...reads].flatMap((symbol) => names.get(symbol) ?? []));
    const still = field.outputs.flatMap((_, k) => (this.direct[k]!.length === 0 ? [k] : []));
    this.stateOutputs = Int32Array.from(still);
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

  /**
   * What is the same for all sizes: code, and in which order it runs. How values of parameters come about (the first kernels) makes no
   * difference: a formula and the numbers that someone gives instead are data of the run.
   */
  get key(): string {
    const first = this.once.length;
    const routines = [this.forDerivatives, this.forVariables, this.forStateOutputs, ...this.forOutput];
    const keys = [
      ...this.kernels.slice(first).map(({ key }) => key),
      ...routines.map((routine) => routine.map((k) => k - first).join()),
    ];
    return keys.join('\n====\n');
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
  private readonly program: FieldProgram;
  /** Values of a run in place of what the model declares, by symbol. */
  private readonly given: ReadonlyMap<number, readonly GivenPart[]>;

  constructor(program: FieldProgram, given: ReadonlyMap<number, readonly GivenPart[]> = new Map()) {
    this.program = program;
    this.given = given;
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
      const part = { first, values: Float64Array.from(own, Number) };
      values.set(symbol, [...(values.get(symbol) ?? []), part]);
    }
    return new FieldComponent(this.program, values);
  }

  allocate(instance: Instance): FieldMemory {
    const { field, layout, kernels, once } = this.program;
    const memory = new WebAssembly.Memory({ initial: layout.pages });
    const doubles = new Float64Array(memory.buffer);
    layout.fill(memory.buffer, kernels);
    for (const { symbol, variable } of field.parameters) {
      const { name, dims } = variable;
      const values = dims.length === 0 ? [Number(instance.parameter(name))] : instance.numbers(name);
      doubles.set(values, layout.slotOf(symbol, 0, 0));
    }
    const allocated = { doubles, runs: compileKernels(kernels, memory) };
    for (const [i, { statements }] of field.once.entries()) {
      this.run(allocated, once.subarray(i, i + 1));
      for (const { target } of statements) {
        for (const { first, values } of this.given.get(target.symbol) ?? [])
          doubles.set(values, layout.slotOf(target.symbol, 0, first));
      }
    }
    this.checkSigns(doubles);
    this.checkBounds(doubles);
    return allocated;
  }

  /** What was divided by when equations were solved must have the sign that it had then. */
  private checkSigns(doubles: Float64Array): void {
    const { field, layout } = this.program;
    for (const { symbol, size, sign } of field.signs) {
      const first = layout.slotOf(symbol, 0, 0);
      for (let k = first; k < first + size; k++)
        if (Math.sign(doubles[k]!) !== sign)
          throw new Error('a parameter has another sign than when the equations were solved');
    }
  }

  /** Parameters out of bounds are an error, which the scalar model tells. */
  private checkBounds(doubles: Float64Array): void {
    const { field, layout } = this.program;
    for (const { symbol, size, min, max } of field.own) {
      const first = layout.slotOf(symbol, 0, 0);
      for (let k = first; k < first + size; k++)
        if (doubles[k]! < min || doubles[k]! > max) throw new Error('a parameter is out of its bounds');
    }
  }

  begin({ doubles }: FieldMemory, segment: Segment): void {
    const { field, layout } = this.program;
    for (const state of field.states) {
      const { variable, start, size, nominal } = state;
      const slot = layout.slotOf(start, 0, 0);
      segment.state(variable.name, {
        ...describe(state),
        start: doubles.slice(slot, slot + size),
        nominal,
        derivative: true,
      });
    }
    for (const own of field.own) {
      const { variable, symbol, size } = own;
      if (size > mostConstants || variable.type === 'String') continue;
      const slot = layout.slotOf(symbol, 0, 0);
      const value = doubles.slice(slot, slot + size);
      segment.constant(variable.name, { ...describe(own), value, type: variable.type });
    }
    for (const own of field.algebraic) segment.variable(own.variable.name, describe(own));
  }

  arrays({ doubles }: FieldMemory, sizes: PointSizes): PointArrays {
    const { x, dx, u, y, w } = this.program.layout;
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
    const { stateOutputs, outputSlots, layout, forStateOutputs } = this.program;
    if (stateOutputs.length === 0) return;
    const { doubles } = memory;
    doubles[layout.timeSlot] = t;
    this.run(memory, forStateOutputs);
    for (let i = 0; i < stateOutputs.length; i++) {
      const k = stateOutputs[i]!;
      y[k] = doubles[outputSlots[k]!]!;
    }
  }

  directOutput(memory: FieldMemory, { t, y }: Point, output: number): void {
    const { outputSlots, layout, forOutput } = this.program;
    memory.doubles[layout.timeSlot] = t;
    this.run(memory, forOutput[output]!);
    y[output] = memory.doubles[outputSlots[output]!]!;
  }

  derivatives(memory: FieldMemory, { t }: Point): void {
    memory.doubles[this.program.layout.timeSlot] = t;
    this.run(memory, this.program.forDerivatives);
  }

  variables(memory: FieldMemory, { t }: Point): void {
    memory.doubles[this.program.layout.timeSlot] = t;
    this.run(memory, this.program.forVariables);
  }

  pattern(): ComponentPattern {
    return patternOf(this.program.field, this.program.needed);
  }

  private run({ runs }: FieldMemory, routine: Routine): void {
    const { tables } = this.program.layout;
    for (let i = 0; i < routine.length; i++) {
      const k = routine[i]!;
      runs[k]!(tables[k]!);
    }
  }
}

/** Elements of a parameter that are worth a name each in the results. */
const mostConstants = 100_000;

const portName = ({ name }: FieldOutput): string => `value of ${name}`;

function describe({ variable, min, max }: FieldVariable): VariableOptions {
  const { dims, unit, displayUnit, description, hidden, causality } = variable;
  const elementName = (element: number): string => nameOfElement(variable, element);
  const array = dims.length > 0 && { size: dims, elementName };
  return { unit, displayUnit, description, min, max, hidden, output: causality === 'output', ...array };
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
