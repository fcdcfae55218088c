/**
 * What belongs to a field whatever the values of a run: kernels with their tables, in which order they run for what, their code, and
 * where everything lies. All runs share it.
 */
import { faultOf, messageOf } from '../../code/fault.ts';
import { timeSlot } from '../../code/memory.ts';
import { remember } from '../../collections/memo.ts';
import { Interpreter } from '../../symbolic/functions.ts';
import { FieldLayout } from '../code/layout.ts';
import { type LoweredKernel, lowerKernel } from '../code/loops.ts';
import { LoopModule, type RunLoops } from '../code/wasm.ts';
import { type ElementValues, eachTurn, evaluateElement } from '../elements/evaluate.ts';
import { LoopFunctions } from '../elements/functions.ts';
import { type Kernel, keyOf } from '../elements/kernel.ts';
import { referencesIn } from '../elements/nodes.ts';
import { type Field, firstHidden } from '../field.ts';
import { Slices } from '../sorting/slice.ts';
import { FieldSystemSolver } from './banded.ts';

/** Kernels that are run one after the other: numbers of kernels in the program, and -1, -2, … for its systems of equations. */
export type KernelRoutine = Int32Array;

/** The memory of one run. */
export interface FieldMemory {
  readonly doubles: Float64Array;
  readonly runs: readonly RunLoops[];
  /** Whether initial values are being sought. */
  seeking: boolean;
  /** How often each element that can get new values has got one. */
  readonly counts: Float64Array;
}

export class FieldProgram {
  readonly layout: FieldLayout;
  readonly kernels: LoweredKernel[] = [];
  readonly once: KernelRoutine;
  readonly forDerivatives: KernelRoutine;
  readonly forVariables: KernelRoutine;
  readonly forIndicators: KernelRoutine;
  /** Indicators on which no input acts. */
  readonly forStateIndicators: KernelRoutine;
  /** Outputs on which no input acts, and what they need. */
  readonly stateOutputs: Int32Array;
  readonly forStateOutputs: KernelRoutine;
  readonly forOutput: readonly KernelRoutine[];
  readonly outputSlots: Int32Array;
  /** By output: names of the inputs that act on it directly. */
  readonly direct: readonly (readonly string[])[];
  /** What derivatives and outputs need, as a whole. */
  readonly needed: readonly Kernel[];
  /** What the kernels were made of, by number. */
  private readonly sources: Kernel[] = [];
  private readonly systems: FieldSystemSolver[] = [];
  private readonly numbers = new Map<Kernel, number>();
  private readonly functions: LoopFunctions;
  private compiled: LoopModule | undefined;

  constructor(readonly field: Field) {
    this.functions = new LoopFunctions(field.pool, field.functions, field.kernels, field.once);
    this.layout = new FieldLayout(field, this.functions.numberOf);
    const slices = new Slices(field.pool, field.kernels);
    const own = field.outputs.map((output) => slices.of([output]));
    const names = new Map(field.inputs.map(({ symbol, variable }) => [symbol, variable.name]));
    this.direct = own.map(({ reads }) => [...reads].flatMap((symbol) => names.get(symbol) ?? []));
    const still = field.outputs.flatMap((_, k) => (this.direct[k]!.length === 0 ? [k] : []));
    this.stateOutputs = Int32Array.from(still);
    this.outputSlots = Int32Array.from(field.outputs, ({ symbol, order, element }) =>
      this.layout.slotOf(symbol, order, element),
    );
    const read = new Set(field.outputs.map(keyOf));
    this.needed = slices.wholly((target) => target.order === 1 || read.has(keyOf(target)));
    this.once = this.routine(field.once);
    this.forDerivatives = this.routine(slices.wholly(({ order }) => order === 1));
    this.forVariables = this.routine(
      slices.wholly(({ symbol, order }) => order === 0 && symbol < firstHidden),
    );
    const indicators = new Set(field.relations.map(({ indicator }) => indicator));
    this.forIndicators = this.routine(slices.wholly(({ symbol }) => indicators.has(symbol)));
    const early = indicatorsOfStates(field);
    this.forStateIndicators = this.routine(slices.wholly(({ symbol }) => early.has(symbol)));
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
    const routines = [
      this.forDerivatives,
      this.forVariables,
      this.forIndicators,
      this.forStateIndicators,
      this.forStateOutputs,
      ...this.forOutput,
    ];
    const keys = [
      this.functions.runningKey,
      this.field.relations.map(({ op }) => op).join(),
      ...this.kernels.slice(first).map(({ key }) => key),
      ...routines.map((routine) => routine.map((k) => (k < 0 ? k : k - first)).join()),
    ];
    return keys.join('\n====\n');
  }

  /** The memory of a run, with code over it; `data` is filled in. */
  memory(): FieldMemory {
    const { layout, kernels, functions } = this;
    this.compiled ??= new LoopModule(kernels, functions);
    const memory = layout.memory(this.compiled.room.slots);
    layout.fill(memory.buffer, kernels);
    const runs = this.compiled.runs(memory, layout.stack);
    return {
      doubles: new Float64Array(memory.buffer),
      runs,
      seeking: true,
      counts: new Float64Array(this.field.resets.length),
    };
  }

  run(memory: FieldMemory, routine: KernelRoutine): void {
    const { tables } = this.layout;
    const { runs, doubles } = memory;
    try {
      for (let i = 0; i < routine.length; i++) {
        const k = routine[i]!;
        if (k >= 0) runs[k]!(tables[k]!);
        else this.systems[-1 - k]!.solve(doubles);
      }
    } catch (problem) {
      throw faultOf(problem, this.compiled!.sites, doubles, () => {
        const values = doubles.slice();
        return () => messageOf(() => this.interpret(values, routine));
      });
    }
  }

  /** Goes through the turns of a routine until a check in a function fails, which says why. */
  private interpret(doubles: Float64Array, routine: KernelRoutine): void {
    const { layout, field } = this;
    const { call } = new Interpreter(field.pool, field.functions);
    const values: ElementValues = {
      time: doubles[timeSlot]!,
      get: (symbol, order, element) => doubles[layout.slotOf(symbol, order, element)]!,
      call: (node, args) => Number(call(node, args)),
    };
    for (const k of routine) {
      if (k < 0) continue;
      const { extents, statements, reversed } = this.sources[k]!;
      eachTurn(
        extents,
        (counts) => {
          for (const { value } of statements) evaluateElement(value, counts, values);
        },
        reversed,
      );
    }
  }

  private routine(kernels: readonly Kernel[]): KernelRoutine {
    return Int32Array.from(kernels, (kernel) => {
      return remember(this.numbers, kernel, () => this.numberOf(kernel));
    });
  }

  private numberOf(kernel: Kernel): number {
    const { field, layout } = this;
    if (kernel.system)
      return -this.systems.push(new FieldSystemSolver(kernel.system, (...place) => layout.slotOf(...place)));
    this.sources.push(kernel);
    return this.kernels.push(lowerKernel(field.pool, kernel, layout)) - 1;
  }
}

/** Indicators that are computed without any input. */
function indicatorsOfStates({ inputs, kernels, relations }: Field): Set<number> {
  const affected = new Set(inputs.map(({ symbol }) => keyOf({ symbol, order: 0 })));
  for (let count = -1; count !== affected.size; ) {
    count = affected.size;
    for (const { statements } of kernels)
      for (const { target, value } of statements)
        if (referencesIn(value).some((ref) => affected.has(keyOf(ref)))) affected.add(keyOf(target));
  }
  const indicators = relations.map(({ indicator }) => indicator);
  return new Set(indicators.filter((symbol) => !affected.has(keyOf({ symbol, order: 0 }))));
}
