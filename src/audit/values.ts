/**
 * The scalars of a flat model, and where a table of results holds their values. Scalars are counted through: those of variable n
 * follow those of the variables before it, elements row-major. A *slot* is a scalar, or a derivative of one, that some equation speaks of.
 */
import { remember, rememberCyclic } from '../collections/memo.ts';
import { elementName } from '../flat/core/families.ts';
import { literalOf } from '../flat/core/text.ts';
import type { ArrayValues, FlatModel, FlatVariable, Kept } from '../flat/flat.ts';
import type { SignalTable } from '../results/table/table.ts';
import { symbolsOf } from '../symbolic/analyse.ts';
import { type ScalariseContext, scalarise } from '../symbolic/arrays.ts';
import { evaluate } from '../symbolic/evaluate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { printExpr } from '../symbolic/print.ts';
import { sizeOf } from '../symbolic/shape.ts';

/** A value below this share of the largest one that the variable has in the run counts as that share of it. */
const leastShare = 1e-2;
/** The same where nothing is known: a share of the nominal value, which is taken for 1 where none is declared. */
const leastOfNominal = 1e-3;

export class RecordedValues {
  readonly context: ScalariseContext;
  readonly iterators = new Map<number, number>();
  /** How many scalars there are. */
  readonly count: number;
  private readonly firsts: Int32Array;
  /** Scalars that built-in components determine. */
  private readonly given: ReadonlySet<number>;
  private readonly owners: Int32Array;
  private readonly slots = new Map<number, number>();
  private readonly slotOfRef = new Map<Ref, number>();
  /** By slot: the number of the signal, -1 where it is not stored, and what it is multiplied by. */
  private readonly numbers: number[] = [];
  /** The number in the table of initial values. */
  private readonly initialNumbers: number[] = [];
  private readonly initialSigns: number[] = [];
  private readonly signs: number[] = [];
  private readonly scalarOfSlot: number[] = [];
  private readonly shaping = new Map<number, readonly Expr[]>();
  private byName: Map<string, number> | undefined;
  private reader: (row: number, into: Float64Array) => void = () => {};
  /** By slot: the largest value of the run, and the size that values have at least. */
  private peaks = new Float64Array(0);
  private sizes = new Float64Array(0);
  private nominals = new Float64Array(0);
  private readonly derivativeSlots = new Map<number, number>();

  constructor(
    readonly flat: FlatModel,
    readonly table: SignalTable,
    /** One row: initial values before anything happened at the first instant. */
    readonly initial: SignalTable | undefined,
    /** Start values in place of those that are declared. */
    private readonly starts: readonly ArrayValues[],
  ) {
    this.firsts = new Int32Array(flat.variables.length);
    let count = 0;
    for (const [symbol, { dims }] of flat.variables.entries()) {
      this.firsts[symbol] = count;
      count += sizeOf(dims);
    }
    this.count = count;
    this.owners = new Int32Array(count);
    for (const [symbol, { dims }] of flat.variables.entries())
      this.owners.fill(symbol, this.firsts[symbol]!, this.firsts[symbol]! + sizeOf(dims));
    const given = flat.components.flatMap(({ equations, outputs }) => (equations ? [] : outputs));
    this.given = new Set(
      given.flatMap(({ value }) => symbolsOf(value).flatMap((symbol) => this.scalarsOf(symbol))),
    );
    this.context = {
      functions: flat.functions,
      dimsOfSymbol: (symbol) => flat.variables[symbol]!.dims,
      symbolElement: (symbol, element) => this.firsts[symbol]! + element,
      iterators: this.iterators,
      valueOfElement: (symbol, element) => this.shapingValue(symbol, element),
    };
  }

  variableOf(scalar: number): FlatVariable {
    return this.flat.variables[this.owners[scalar]!]!;
  }

  nameOf(scalar: number): string {
    const symbol = this.owners[scalar]!;
    return elementName(this.flat.variables[symbol]!, scalar - this.firsts[symbol]!);
  }

  /** The scalars of a variable. */
  scalarsOf(symbol: number): number[] {
    const size = sizeOf(this.flat.variables[symbol]!.dims);
    return Array.from({ length: size }, (_, k) => this.firsts[symbol]! + k);
  }

  /** The scalar of this name. */
  named(name: string): number | undefined {
    if (!this.byName) {
      this.byName = new Map();
      for (let scalar = 0; scalar < this.count; scalar++) this.byName.set(this.nameOf(scalar), scalar);
    }
    return this.byName.get(name);
  }

  /** Whether it never changes in a run. */
  isFixed(scalar: number): boolean {
    const { variability } = this.variableOf(scalar);
    return variability === 'parameter' || variability === 'constant';
  }

  isDiscrete(scalar: number): boolean {
    const { variability, type } = this.variableOf(scalar);
    return variability === 'discrete' || (variability === 'continuous' && type !== 'Real');
  }

  /** Whether a leaf is a variable, or a derivative of one, that changes between events. */
  isMoving(leaf: Expr): leaf is Ref {
    return leaf.kind === 'ref' && !this.isFixed(leaf.symbol) && !this.isDiscrete(leaf.symbol);
  }

  slot(scalar: number, order = 0): number {
    return remember(this.slots, scalar * 8 + order, () => {
      const { number, sign } = this.stored(this.table, scalar, order);
      this.signs.push(sign);
      if (this.initial) {
        const first = this.stored(this.initial, scalar, order);
        this.initialNumbers.push(first.number);
        this.initialSigns.push(first.sign);
      }
      this.scalarOfSlot.push(scalar);
      return this.numbers.push(number) - 1;
    });
  }

  slotOf(ref: Ref): number {
    return remember(this.slotOfRef, ref, () => this.slot(ref.symbol, ref.order));
  }

  get slotCount(): number {
    return this.numbers.length;
  }

  /** All slots are known: looks once through the table for the sizes of values. */
  settle(): void {
    const { numbers } = this;
    const stored = numbers.map((number) => Math.max(number, 0));
    this.reader = this.table.size === 0 ? () => {} : this.table.reader.rowReader(stored);
    const peaks = new Float64Array(numbers.length);
    const row = new Float64Array(numbers.length);
    for (let r = this.initial ? -1 : 0; r < this.table.rowCount; r++) {
      if (r < 0) this.loadInitial(row);
      else this.load(r, row);
      for (let k = 0; k < row.length; k++) {
        const size = Math.abs(row[k]!);
        if (size > peaks[k]!) peaks[k] = size;
      }
    }
    this.peaks = peaks;
    for (const [key, slot] of this.slots) {
      const inner = key % 8 === 0 ? undefined : this.slots.get(key - 1);
      if (inner !== undefined) this.derivativeSlots.set(inner, slot);
    }
    this.nominals = peaks.map((_, k) => this.nominalOf(this.scalarOfSlot[k]!));
    this.sizes = peaks.map((peak, k) => Math.max(leastShare * peak, leastOfNominal * this.nominals[k]!));
  }

  /** The values of a row by slot, NaN where missing. */
  load(row: number, into: Float64Array): void {
    this.reader(row, into);
    for (let k = 0; k < into.length; k++)
      into[k] = this.numbers[k]! < 0 ? Number.NaN : into[k]! * this.signs[k]!;
  }

  /** Initial values by slot, as `load` gives those of a row. */
  loadInitial(into: Float64Array): void {
    const { initial, initialNumbers, initialSigns } = this;
    const stored = initialNumbers.map((number) => Math.max(number, 0));
    if (initial && initial.size > 0) initial.reader.rowReader(stored)(0, into);
    for (let k = 0; k < into.length; k++)
      into[k] = initialNumbers[k]! < 0 ? Number.NaN : into[k]! * initialSigns[k]!;
  }

  /** The start value that a run was given for an element of a variable. */
  givenStart(variable: FlatVariable, element: number): number | undefined {
    let found: number | undefined;
    for (const { variable: own, first = 0, attribute, values } of this.starts) {
      const value = own === variable && attribute === 'start' ? values[element - first] : undefined;
      if (typeof value === 'number') found = value;
    }
    return found;
  }

  /** The end of the run, or its beginning where that is farther from zero. */
  get lastTime(): number {
    const { time, rowCount } = this.table;
    return rowCount === 0 ? 0 : Math.max(Math.abs(time[0]!), Math.abs(time[rowCount - 1]!));
  }

  /** How large a value of a slot counts, at least. */
  leastSize(slot: number): number {
    return this.sizes[slot]!;
  }

  /** How large a value of a slot counts, or the larger of two. */
  sizeOf(slot: number, value: number, other = 0): number {
    return Math.max(Math.abs(value), Math.abs(other), this.sizes[slot]!);
  }

  /** An expression as it was written. */
  print(expr: Expr): string {
    return printExpr(expr, {
      nameOfSymbol: (scalar) => this.nameOf(scalar),
      nameOfValue: (scalar, value) => literalOf(this.variableOf(scalar), value),
      nameOfFunction: (fn) => this.flat.functions[fn]!.name,
    });
  }

  /** What is declared as nominal, or 1. */
  nominal(slot: number): number {
    return this.nominals[slot]!;
  }

  /** Whether a built-in component says what it is. */
  isGiven(slot: number): boolean {
    return this.given.has(this.scalarOfSlot[slot]!);
  }

  /** The slot of the derivative of a slot, where there is one. */
  derivativeOf(slot: number): number | undefined {
    return this.derivativeSlots.get(slot);
  }

  /** The largest size of its values in the run. */
  largest(slot: number): number {
    return this.peaks[slot]!;
  }

  /** Scalars that are stored with their derivatives. */
  derivatives(): number[] {
    return [...this.slots].flatMap(([key, slot]) => {
      const scalar = Math.floor(key / 8);
      const isStored = key % 8 === 1 && this.numbers[slot]! >= 0 && this.numbers[this.slot(scalar)]! >= 0;
      return isStored ? [scalar] : [];
    });
  }

  /** Whether a scalar is a String. */
  isText(scalar: number): boolean {
    const symbol = this.owners[scalar];
    return symbol !== undefined && this.flat.variables[symbol]?.type === 'String';
  }

  /** Scalars that change at events only. */
  discrete(): Int32Array {
    const all = this.flat.variables.flatMap(({ type }, symbol) => {
      const scalars = this.scalarsOf(symbol);
      const [first] = scalars;
      if (first === undefined || type === 'String' || this.isFixed(first) || !this.isDiscrete(first))
        return [];
      return scalars;
    });
    return Int32Array.from(all);
  }

  /** Scalars of which the model says that they are conserved, or do not grow. */
  kept(): { readonly scalar: number; readonly kind: Kept }[] {
    return this.flat.variables.flatMap(({ kept }, symbol) =>
      kept ? this.scalarsOf(symbol).map((scalar) => ({ scalar, kind: kept })) : [],
    );
  }

  private nominalOf(scalar: number): number {
    const symbol = this.owners[scalar]!;
    const { nominal } = this.flat.variables[symbol]!;
    if (!nominal) return 1;
    const own = scalarise(this.flat.pool, this.context, nominal);
    const read = (leaf: { kind: string; symbol?: number }): number => {
      const name = leaf.kind === 'ref' ? this.nameOf(leaf.symbol!) : undefined;
      return name && this.table.info(name) ? this.table.at(name, 0) : Number.NaN;
    };
    return Math.abs(evaluate(own[scalar - this.firsts[symbol]!] ?? own[0]!, read)) || 1;
  }

  private stored(table: SignalTable, scalar: number, order: number): { number: number; sign: number } {
    let name = this.nameOf(scalar);
    let sign = 1;
    for (let hops = 0; hops < 8; hops++) {
      let wanted = name;
      for (let k = 0; k < order; k++) wanted = `der(${wanted})`;
      const number = table.reader.find(wanted);
      if (number !== undefined) return { number, sign };
      const source = table.info(name)?.source;
      // Derivatives of aliases are those of the variables that they stand for.
      if (source?.kind !== 'alias') break;
      name = source.of;
      sign *= source.sign;
    }
    return { number: -1, sign };
  }

  /** Constants, and parameters that shaped the flat model, are what they were when it was made. */
  private shapingValue(symbol: number, element: number): number | undefined {
    const { structural, variability, binding, type } = this.flat.variables[symbol]!;
    if (!(structural || variability === 'constant') || !binding || type === 'String') return undefined;
    const values = rememberCyclic(this.shaping, symbol, [], () =>
      scalarise(this.flat.pool, this.context, binding),
    );
    const value = values[element];
    return value?.kind === 'const' ? value.value : undefined;
  }
}
