/**
 * Values of a model in a run: the memory in which they lie, expressions evaluated on it, and the sizes and start values that declarations give
 * variables. Everything that generated code reads or writes has its slot here.
 */
import { faultIn } from '../code/interpret.ts';
import { Memory, timeSlot } from '../code/memory.ts';
import { attempted, Failure } from '../diagnostic/failure.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import { undeclaredStart } from '../modes/variables.ts';
import { type Environment, evaluateIn, evaluateText } from '../symbolic/evaluate.ts';
import type { Expr } from '../symbolic/expr.ts';
import { ForeignCalls, ForeignError } from '../symbolic/foreign.ts';
import type { ExternalCalls, FunctionDef } from '../symbolic/function.ts';
import { Interpreter } from '../symbolic/functions.ts';
import type { Pool } from '../symbolic/pool.ts';

/** Values of parameters, and of the parameters that hold start values, by scalar. */
export type GivenValues = ReadonlyMap<number, number | string>;

/** What is the same of a model in all stages of a run, whatever conditions turn out to be structural. */
export type LastingModel = Omit<GuardedModel, 'conditions' | 'kinks'>;

/** How far a value may be off from the one that was asked for. */
const agreement = 1e-6;

/** Whether two values are the same up to that, relative to their size. */
export const agrees = (a: number, b: number): boolean =>
  Math.abs(a - b) <= agreement * Math.max(1, Math.abs(a), Math.abs(b));

/** The largest sizes that variables had where segments of a run began or ended, by slot: what is small beside those of states may be an error of integration. */
export class Extents {
  now = new Map<number, number>();

  see(slots: Int32Array, values: Float64Array): void {
    for (const slot of slots) {
      const size = Math.abs(values[slot]!);
      if (size > this.of(slot)) this.now.set(slot, size);
    }
  }

  of(slot: number): number {
    return this.now.get(slot) ?? 0;
  }
}

/** Values of leaves as they were when they were last looked at. */
export class SeenValues {
  private readonly slots: Int32Array;
  private readonly seen: Float64Array;

  constructor(
    private readonly values: RunValues,
    leaves: Iterable<Expr>,
    private readonly isSame: (now: number, before: number) => boolean,
  ) {
    this.slots = Int32Array.from(leaves, (leaf) => values.slot(leaf));
    this.seen = new Float64Array(this.slots.length);
  }

  /** Takes note of the values; true if they are others than last time. */
  look(): boolean {
    const { values } = this.values.memory;
    const { slots, seen } = this;
    let changed = false;
    for (let k = 0; k < slots.length; k++) {
      const value = values[slots[k]!]!;
      if (!this.isSame(value, seen[k]!)) changed = true;
      seen[k] = value;
    }
    return changed;
  }
}

export class RunValues {
  readonly memory = new Memory();
  readonly extents = new Extents();
  /** The same of all that may jump, states and what constraints give: what is small beside them may be a rounding error. */
  readonly sizes = new Extents();
  readonly pool: Pool;
  /** Number of the run. */
  run = 0;
  /** Relative tolerance of the run. */
  tolerance = 1e-6;
  /** Values of this run in place of what is declared. */
  given: GivenValues = new Map();
  /** What parameters and start values are in this run: the same object as in the run before where all of them are the same. */
  known: object | undefined;
  /** External functions, with the objects that they made in this run. */
  readonly foreign: ForeignCalls;
  private readonly environment: Environment;
  private readonly interpreter: Interpreter;

  constructor(
    readonly model: LastingModel,
    functions: readonly FunctionDef[],
    external: ExternalCalls,
  ) {
    this.pool = model.pool;
    const { strings } = model.pool;
    this.foreign = new ForeignCalls(strings);
    this.interpreter = new Interpreter(model.pool, functions, undefined, external, strings);
    this.environment = {
      leaf: (leaf) => this.get(leaf),
      call: this.interpreter.call,
      gapIn: this.interpreter.gapIn,
      strings,
    };
  }

  /** Begins another run: nothing of the one before is left. */
  begin(given: GivenValues): void {
    this.end();
    this.run++;
    this.given = given;
    this.known = undefined;
    this.memory.clear();
    this.extents.now = new Map();
    this.sizes.now = new Map();
  }

  /** Ends the life of external objects. */
  end(): void {
    this.foreign.end((destructor, object) => this.interpreter.run(destructor, [object]));
  }

  slot(leaf: Expr): number {
    return this.memory.slotOf(leaf);
  }

  get(leaf: Expr): number {
    const slot = this.slot(leaf);
    return this.memory.values[slot]!;
  }

  set(leaf: Expr, value: number): void {
    const slot = this.slot(leaf);
    this.memory.values[slot] = value;
  }

  /** Of a variable, by its symbol. */
  getVariable(symbol: number): number {
    const slot = this.slotOf(symbol);
    return this.memory.values[slot]!;
  }

  setVariable(symbol: number, value: number): void {
    const slot = this.slotOf(symbol);
    this.memory.values[slot] = value;
  }

  slotOf(symbol: number): number {
    return this.memory.layout.slotOfSymbol(symbol);
  }

  /** A variable gets a value, and is said to have had it before. */
  setBoth(symbol: number, value: number): void {
    this.setVariable(symbol, value);
    this.set(this.pool.pre(symbol), value);
  }

  /** The memory as it is now. */
  saved(): Float64Array {
    return this.memory.values.slice(0, this.memory.layout.size);
  }

  /** What lasts of the memory, as a value for any memory of the model: keys and values in turn. */
  lasting() {
    const { memory, model } = this;
    const { values } = memory;
    const { refs, pres, relations } = memory.layout.lasting(model.scalars.length);
    const taken = (list: readonly (readonly [number, number])[]): Float64Array =>
      Float64Array.from(list.flatMap(([key, slot]) => [key, values[slot]!]));
    return { time: this.time, refs: taken(refs), pres: taken(pres), relations: taken(relations) };
  }

  /** Brings it back. */
  recall(lasting: ReturnType<RunValues['lasting']>): void {
    const { memory } = this;
    for (const kind of ['refs', 'pres', 'relations'] as const) {
      const pairs = lasting[kind];
      const slots = memory.layout.slotsOf(
        kind,
        pairs.filter((_, i) => i % 2 === 0),
      );
      const { values } = memory;
      for (let k = 0; k < slots.length; k++) values[slots[k]!] = pairs[2 * k + 1]!;
    }
    memory.values[timeSlot] = lasting.time;
  }

  /** Does work later as it would be done now: with the memory as it is now, which is as before afterwards. */
  later<T>(work: () => T): () => T {
    const then = this.saved();
    return () => {
      const now = this.saved();
      this.memory.values.set(then);
      try {
        return work();
      } finally {
        this.memory.values.set(now);
      }
    };
  }

  /** Left - right of a relation, whose sign says whether it holds. */
  indicatorOf(relation: number): Expr {
    const { left, right } = this.model.relations[relation]!;
    return this.pool.sub(left, right);
  }

  get time(): number {
    return this.memory.values[timeSlot]!;
  }

  /** The value of an expression at the current contents of the memory. */
  evaluate(expr: Expr): number {
    if (expr.kind === 'const') return expr.value;
    if (expr.kind === 'ref' && expr.subscripts.length === 0) return this.get(expr);
    return Number(evaluateIn(expr, this.environment));
  }

  /** The same of values that may be guesses: NaN where a function refuses them, by an assertion of its own or from outside. */
  evaluateGuess(expr: Expr): number {
    const found = attempted(() => this.evaluate(expr));
    if (!(found instanceof Failure)) return found;
    if (found instanceof ForeignError || found.diagnostics[0]?.code === 'assertion') return Number.NaN;
    throw found;
  }

  /** Where, and why, an expression has no finite value. */
  faultIn(expr: Expr): ReturnType<typeof faultIn> {
    return faultIn(expr, this.environment);
  }

  text(expr: Expr): string {
    return evaluateText(expr, this.environment);
  }

  /** Typical size of a variable. */
  nominalOf(symbol: number): number {
    const declared = this.model.scalars[symbol]?.nominal;
    return (declared && Math.abs(this.evaluate(declared))) || 1;
  }

  /** The start value of a variable in this run. */
  startOf(symbol: number): number {
    const scalar = this.model.scalars[symbol]!;
    const { start, startSymbol } = scalar;
    if (startSymbol !== undefined) return this.getVariable(startSymbol);
    return start ? this.evaluate(start) : undeclaredStart(scalar);
  }

  /** Start values of everything as first guesses. */
  prepare(): void {
    const { model, pool } = this;
    const { scalars } = model;
    for (let symbol = 0; symbol < scalars.length; symbol++) {
      if (scalars[symbol]!.kind === 'parameter') continue;
      const value = this.startOf(symbol);
      this.setVariable(symbol, Number.isFinite(value) ? value : 0);
    }
    for (const symbol of model.remembered) this.set(pool.pre(symbol), this.getVariable(symbol));
  }
}
