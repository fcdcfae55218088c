/**
 * The system of `structure/jumps.ts`, compiled and solved: values after an instant from the left limits in the memory, and the
 * weights of impulses. It depends on which variables bring no value of their own.
 */
import { type Diagnostic, error, Failure, type Note } from '../diagnostic/diagnostic.ts';
import { type JumpPart, jumpEquations } from '../structure/jumps.ts';
import { type SystemEquation, sortSystem } from '../structure/sort.ts';
import type { Alias } from '../structure/sorted.ts';
import { nodesOf } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { Balances } from './balances.ts';
import type { CompiledMode } from './compiled.ts';
import type { Runtime } from './runtime.ts';
import { Solution } from './solution.ts';
import { NeedsScalars } from './written.ts';

/** Jumps below this share of the largest value of their part of the system, or of nominal values, are rounding; weights, of the largest one. */
const negligible = 1e-9;
/** Solutions until coefficients agree with the values after. */
const mostSolutions = 40;

export interface Weight {
  readonly symbol: number;
  readonly weight: number;
}

export class JumpSystem {
  /** Whether time and discrete values alone determine an expression of the mode. */
  readonly isGiven: (expr: Expr) => boolean;
  /** Equations whose coefficients jump in the last solution, and which have a definite meaning all the same. */
  definite: ReadonlySet<number> = none;
  private readonly runtime: Runtime;
  private readonly mode: CompiledMode;
  private readonly aliases: ReadonlyMap<number, readonly Alias[]>;
  private readonly solution: Solution;
  /** Variables of level 1, their slots and those of their left limits. */
  private readonly movers: readonly number[];
  private readonly levelOne: Int32Array;
  private readonly left: Int32Array;
  /** Variables that may have impulses, and the slots of their weights. */
  private readonly symbols: readonly number[];
  private readonly weights: Int32Array;
  private readonly parts: readonly JumpPart[];
  private readonly balances: Balances | undefined;
  /** Values of level 1 in the last solution. */
  private last: Float64Array | undefined;
  /** Slots of variables that coefficients depend on, and of what stands for their values. */
  private readonly open: Int32Array;
  private readonly openCopies: Int32Array;

  constructor(runtime: Runtime, mode: CompiledMode, free: ReadonlySet<number>) {
    this.runtime = runtime;
    this.mode = mode;
    this.aliases = byTarget(mode.sorted.aliases);
    const fresh = () => runtime.temporaries.fresh();
    const system = jumpEquations(runtime.pool, mode.sorted, free, fresh, (leaf) => runtime.switches(leaf));
    const { levelOne, weights, open } = system;
    // How jumps go through loops over arrays is not known: scalars tell.
    const isCalled = ({ left }: SystemEquation) => nodesOf(left).some((node) => node.kind === 'call');
    if (mode.parts.some(({ live }) => live.component.flat.arrays) && system.equations.some(isCalled))
      throw new NeedsScalars();
    this.isGiven = system.isGiven;
    const result = sortSystem(runtime.pool, system, runtime.knowledge);
    if (result.kind === 'singular') {
      throw new Failure('simulate', [undeterminedJump(runtime, mode, result.under.unknowns)]);
    }
    this.movers = levelOne.map(({ unknown }) => unknown.symbol);
    this.levelOne = Int32Array.from(levelOne, ({ unknown }) => runtime.slot(unknown));
    this.left = Int32Array.from(levelOne, ({ left }) => runtime.slot(left));
    this.symbols = weights.map(({ symbol }) => symbol);
    this.weights = Int32Array.from(weights, ({ leaf }) => runtime.slot(leaf));
    this.parts = system.parts;
    this.balances = system.balances.length > 0 ? new Balances(runtime, system) : undefined;
    this.open = Int32Array.from(open, ({ variable }) => runtime.slot(variable));
    this.openCopies = Int32Array.from(open, ({ leaf }) => runtime.slot(leaf));
    this.solution = new Solution(runtime, result.blocks);
  }

  solve(): Weight[] {
    const { values } = this.runtime.memory;
    const { levelOne, left, weights } = this;
    for (let k = 0; k < levelOne.length; k++) values[left[k]!] = values[levelOne[k]!]!;
    for (let k = 0; k < weights.length; k++) values[weights[k]!] = 0;
    this.balances?.begin();
    this.readOpen();
    this.compute();
    for (let n = 1; n < mostSolutions && this.improve(); n++) this.solution.compute();
    this.keep();
    this.definite = this.balances?.definite() ?? none;
    return this.found();
  }

  /** From the left limits; where that does not work out, from what was found last: conditions may have changed since, and little else. */
  private compute(): void {
    const { values } = this.runtime.memory;
    const { levelOne, left, last } = this;
    if (!last || !this.solution.attempt()) {
      if (!last) this.solution.compute();
      return;
    }
    for (let k = 0; k < levelOne.length; k++) values[levelOne[k]!] = last[k]!;
    if (!this.solution.attempt()) return;
    for (let k = 0; k < levelOne.length; k++) values[levelOne[k]!] = values[left[k]!]!;
    this.solution.compute();
  }

  private keep(): void {
    const { values } = this.runtime.memory;
    this.last = Float64Array.from(this.levelOne, (slot) => values[slot]!);
  }

  /** Coefficients follow the values that were found; true if that changes them. */
  private improve(): boolean {
    const corrected = this.balances?.correct() ?? false;
    if (this.open.length === 0) return corrected;
    const { memory } = this.runtime;
    const saved = memory.values.slice(0, memory.layout.size);
    const known = this.mode.evaluateOutputs();
    const changed = known && this.readOpen();
    const copies = Array.from(this.openCopies, (slot) => memory.values[slot]!);
    memory.values.set(saved);
    for (const [k, slot] of this.openCopies.entries()) memory.values[slot] = copies[k]!;
    return changed || corrected;
  }

  /** Takes over the values of open coefficients; true if they are others. */
  private readOpen(): boolean {
    const { values } = this.runtime.memory;
    let changed = false;
    for (let k = 0; k < this.open.length; k++) {
      const value = values[this.open[k]!]!;
      const copy = this.openCopies[k]!;
      if (Math.abs(value - values[copy]!) > 1e-12 * Math.abs(value)) changed = true;
      values[copy] = value;
    }
    return changed;
  }

  /** Weights above rounding, those of aliases too. */
  private found(): Weight[] {
    const { values } = this.runtime.memory;
    const found: Weight[] = [];
    for (const { levelOne, weights } of this.parts) {
      if (weights.length === 0 || !this.jumps(levelOne)) continue;
      let largest = 0;
      for (const k of weights) largest = Math.max(largest, Math.abs(values[this.weights[k]!]!));
      for (const k of weights) {
        const weight = values[this.weights[k]!]!;
        if (!(Math.abs(weight) > negligible * largest)) continue;
        const symbol = this.symbols[k]!;
        found.push({ symbol, weight });
        for (const alias of this.aliases.get(symbol) ?? [])
          found.push({ symbol: alias.symbol, weight: alias.sign * weight });
      }
    }
    return found.sort((a, b) => a.symbol - b.symbol);
  }

  /** Whether one of the variables, by their positions, jumps. */
  private jumps(levelOne: readonly number[]): boolean {
    const { values } = this.runtime.memory;
    let [size, jump] = [0, 0];
    for (const k of levelOne) {
      const before = values[this.left[k]!]!;
      const after = values[this.levelOne[k]!]!;
      size = Math.max(size, Math.abs(before), Math.abs(after));
      const own = Math.abs(after - before);
      if (own > jump && own > negligible * this.runtime.nominalOf(this.movers[k]!)) jump = own;
    }
    return jump > negligible * size;
  }
}

const none: ReadonlySet<number> = new Set();

function byTarget(aliases: readonly Alias[]): Map<number, Alias[]> {
  const groups = new Map<number, Alias[]>();
  for (const alias of aliases) {
    const group = groups.get(alias.target);
    if (group) group.push(alias);
    else groups.set(alias.target, [alias]);
  }
  return groups;
}

function undeterminedJump(runtime: Runtime, mode: CompiledMode, unknowns: readonly Ref[]): Diagnostic {
  const notes: Note[] = unknowns.slice(0, 8).flatMap((u) => {
    const span = runtime.model.scalars[u.symbol]?.variable?.origin.span;
    return span ? [{ message: `${runtime.nameOfRef(u)} is declared here`, span }] : [];
  });
  return error(
    'impossible-change',
    `The values after the change to mode ${mode.mode.signature || 'of the model'} are not determined by its equations.`,
    { notes, hint: 'Set them with reinit, or give the variables start values with fixed = true.' },
  );
}
