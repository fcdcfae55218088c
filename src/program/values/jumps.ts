/**
 * The system of `structure/jumps/jumps.ts`, compiled and solved: values after an instant from the left limits in the memory, and the
 * weights of impulses. It depends on which variables bring no value of their own.
 */
import { grouped } from '../../collections/groups.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { Alias, Block } from '../../structure/analysis.ts';
import {
  type Constraint,
  type JumpingRelation,
  type JumpPart,
  jumpEquations,
} from '../../structure/jumps/jumps.ts';
import { type SystemEquation, sortSystem } from '../../structure/sort.ts';
import { leaves, nodesOf } from '../../symbolic/analyse.ts';
import { holds } from '../../symbolic/arithmetic.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import { declarationNotes } from '../explain.ts';
import type { ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import { staysBeside } from '../steady.ts';
import { Balances } from './balances.ts';
import { InitialSolution } from './solution.ts';
import { consistent, Steadiness } from './steadiness.ts';
import { switchingIn } from './switching.ts';

/** Jumps below this share of the largest value of their part of the system, or of nominal values, are rounding; weights, of the largest one. */
const negligible = 1e-9;
/**
 * Jumps below this multiple of the tolerance, beside what a variable was in the run, may make up for errors of integration; of loose tolerances no more than
 * `loose` counts.
 */
const noise = 10;
const loose = 1e-6;
/** Solutions until coefficients agree with the values after. */
const mostSolutions = 40;
/** How much of the violation of constraints the first of the steps towards a nonlinear solution takes away, and the smallest. */
const firstStep = 1 / 64;
const leastStep = 2 ** -40;
const largestStep = 1 / 16;
/** Differences below this share of the largest value on the way are rounding. */
const roundingShare = 1e-14;
/** How exactly it is found where a relation changes, as a share of a step and of the way, and how often relations may. */
const crossingShare = 1e-9;
const crossingStep = 2 ** -36;
const mostCrossings = 200;
/** The share of the change that one of its variables makes, below which a constraint held before. */
const tied = 1e-7;
/** The share of its value by which a variable may leave the way that it has gone so far. */
const nearby = 0.05;

export interface Weight {
  readonly symbol: number;
  readonly weight: number;
  /** Nothing jumps by more than errors of integration may explain. */
  readonly isNoise?: boolean;
}

export class JumpSystem {
  /** Whether time and discrete values alone determine an expression of the mode. */
  readonly isGiven: (expr: Expr) => boolean;
  /** Equations whose coefficients jump in the last solution, and which have a definite meaning all the same. */
  definite: ReadonlySet<number> = none;
  private readonly aliases: ReadonlyMap<number, readonly Alias[]>;
  private readonly solution: InitialSolution;
  /** Variables of level 1, their slots and those of their left limits. */
  private readonly unknowns: readonly Ref[];
  private readonly levelOne: Int32Array;
  private readonly left: Int32Array;
  /** Variables that may have impulses, and the slots of their weights. */
  private readonly symbols: readonly number[];
  private readonly weights: Int32Array;
  private readonly parts: readonly JumpPart[];
  private readonly balances: Balances | undefined;
  private readonly isLinear: boolean;
  /** Relations on the way. */
  private readonly sides: readonly JumpingRelation[];
  /** Constraints, and slots of what is still allowed of their violation. */
  private readonly constraints: readonly Constraint[];
  /** Leaves of coefficients: what is given among them jumps before all else. */
  private readonly atOnce: ReadonlySet<Expr>;
  private readonly slacks: Int32Array;
  /** Slots of variables that coefficients depend on, and of what stands for their values. */
  private readonly open: Int32Array;
  private readonly openCopies: Int32Array;
  /** Whether these do not depend on what jumps, so that they are known before. */
  private readonly isOpenSteady: boolean;
  /** Whether constraints hold. */
  private steadiness: Steadiness | undefined;
  /** The memory while coefficients are looked at. */
  private saved = new Float64Array(0);

  constructor(
    private readonly runtime: Runtime,
    private readonly mode: ReadyMode,
    free: ReadonlySet<number>,
  ) {
    this.aliases = grouped(mode.sorted.aliases, ({ target }) => target);
    const fresh = () => runtime.code.temporaries.fresh();
    const { pool } = runtime.values;
    const system = jumpEquations(pool, mode.sorted, free, fresh, switchingIn(runtime, mode.sorted));
    const { levelOne, weights, open } = system;
    // How jumps go through loops over arrays is not known: scalars tell.
    const isCalled = ({ left }: SystemEquation) => nodesOf(left).some((node) => node.kind === 'call');
    const arrays = mode.parts.find(({ live }) => live.component.flat.arrays);
    if (arrays && system.equations.some(isCalled)) {
      runtime.components.refuse(arrays.live.component.flat);
      throw new Failure('simulate', [undeterminedJump(runtime, mode, [])]);
    }
    this.isGiven = system.isGiven;
    const result = sortSystem(pool, system, runtime.knowledge);
    if (result.kind === 'singular') {
      throw new Failure('simulate', [undeterminedJump(runtime, mode, result.under.unknowns)]);
    }
    this.unknowns = levelOne.map(({ unknown }) => unknown);
    this.levelOne = Int32Array.from(levelOne, ({ unknown }) => runtime.values.slot(unknown));
    this.left = Int32Array.from(levelOne, ({ left }) => runtime.values.slot(left));
    this.symbols = weights.map(({ symbol }) => symbol);
    this.weights = Int32Array.from(weights, ({ leaf }) => runtime.values.slot(leaf));
    this.parts = system.parts;
    this.balances = system.balances.length > 0 ? new Balances(runtime.values, system) : undefined;
    this.open = Int32Array.from(open, ({ variable }) => runtime.values.slot(variable));
    this.openCopies = Int32Array.from(open, ({ leaf }) => runtime.values.slot(leaf));
    const stays = staysBeside(mode.sorted, new Set(this.unknowns));
    this.isOpenSteady = open.every(({ variable }) => stays(variable));
    this.solution = new InitialSolution(runtime, result.blocks);
    const isLinear = (block: Block) => block.kind === 'assign' || block.linear;
    this.sides = system.sides;
    this.isLinear =
      system.balances.length === 0 && system.sides.length === 0 && result.blocks.every(isLinear);
    this.constraints = system.constraints;
    this.atOnce = new Set(
      system.balances.flatMap(({ terms }) => terms.flatMap((term) => leaves(term.coefficient))),
    );
    this.slacks = Int32Array.from(system.constraints, ({ slack }) => runtime.values.slot(slack));
  }

  solve(): Weight[] {
    const { values } = this.runtime.values.memory;
    const { levelOne, left, weights } = this;
    for (let k = 0; k < levelOne.length; k++) values[left[k]!] = values[levelOne[k]!]!;
    for (let k = 0; k < weights.length; k++) values[weights[k]!] = 0;
    for (const slot of this.slacks) values[slot] = 0;
    this.balances?.begin();
    this.readOpen();
    if (!this.isLinear) this.follow();
    else {
      const isKnown = this.isOpenSteady && this.evaluateOpen() !== 'unknown';
      this.solution.compute();
      for (let n = 1; !isKnown && n < mostSolutions && this.improve(); n++) this.solution.compute();
    }
    this.definite = this.balances?.definite(this.together()) ?? none;
    return this.found();
  }

  /**
   * A nonlinear system may have several solutions. The one that counts is reached from the left limits while the constraints come to hold
   * little by little, as they would by an impulse of very short duration. Each step is a jump of its own, so small that one solution leads to the
   * next, and that coefficients are integrated well; weights add up. What is given jumps first. A step ends where a relation changes.
   */
  private follow(): void {
    const { values } = this.runtime.values.memory;
    const { slacks, levelOne, left, weights } = this;
    const limits = Float64Array.from(left, (slot) => values[slot]!);
    const total = new Float64Array(weights.length);
    this.takeSides();
    this.jumpGiven();
    this.takeSides();
    if (this.isSteady()) {
      this.keepSides();
      return;
    }
    let first = this.violated();
    const kept = new Float64Array(levelOne.length);
    const last = new Float64Array(levelOne.length);
    let [done, step, ratio, crossings, usual] = [0, firstStep, 0, 0, firstStep];
    while (done < 1) {
      const from = this.sides.map(({ indicator }) => this.runtime.values.evaluate(indicator));
      const share = Math.min(1, done + step);
      for (let k = 0; k < levelOne.length; k++) kept[k] = values[levelOne[k]!]!;
      for (let k = 0; k < slacks.length; k++) values[slacks[k]!] = (1 - share) * first[k]!;
      const isNear = () => this.isNear(kept, last, ratio);
      const isFound = !this.solution.attempt() && isNear() && this.agree() && isNear();
      const crossed = isFound ? this.sides.filter((side) => this.isCrossed(side)) : [];
      const until = crossed.length > 0 ? this.shareUntil(crossed, from) : 1;
      if (isFound && (until > 1 - crossingShare || step <= crossingStep)) {
        for (let k = 0; k < weights.length; k++) total[k]! += values[weights[k]!]!;
        for (let k = 0; k < levelOne.length; k++) last[k] = values[levelOne[k]!]! - kept[k]!;
        for (let k = 0; k < left.length; k++) values[left[k]!] = values[levelOne[k]!]!;
        this.balances?.begin();
        const next = Math.min(2 * step, largestStep, 1 - share);
        ratio = next / (share - done);
        [done, step] = [share, next];
        if (crossed.length === 0) continue;
        crossings += crossed.length;
        if (crossings > mostCrossings) throw this.undecided(crossed[0]!);
        for (const { leaf } of crossed) this.runtime.values.set(leaf, 1 - this.runtime.values.get(leaf));
        // What steps with the relation has to come to hold on the rest of the way.
        const rest = Math.max(1 - done, crossingStep);
        first = this.violated().map((violation) => violation / rest);
        done = 1 - rest;
        [ratio, step] = [0, Math.min(usual, rest)];
        continue;
      }
      for (let k = 0; k < levelOne.length; k++) values[levelOne[k]!] = kept[k]!;
      for (const slot of weights) values[slot] = 0;
      this.balances?.begin();
      const shorter = crossed.length > 0 ? Math.max(until, crossingStep / step) : 1 / 4;
      if (crossed.length > 0) usual = Math.max(step, firstStep);
      step *= shorter;
      ratio *= shorter;
      if (step < leastStep) {
        for (const slot of slacks) values[slot] = 0;
        this.solution.compute();
        if (!this.agree()) this.solution.compute();
        const [crossed] = this.sides.filter((side) => this.isCrossed(side));
        if (crossed) throw this.undecided(crossed);
        for (let k = 0; k < weights.length; k++) total[k]! += values[weights[k]!]!;
        break;
      }
    }
    this.checkEnd();
    this.keepSides();
    for (let k = 0; k < left.length; k++) values[left[k]!] = limits[k]!;
    for (let k = 0; k < weights.length; k++) values[weights[k]!] = total[k]!;
  }

  /** Whether the left limits satisfy the constraints: then no value moves, and rounding must not move any. */
  private isSteady(): boolean {
    const { values } = this.runtime.values.memory;
    const { levelOne, left } = this;
    for (let k = 0; k < levelOne.length; k++) if (values[levelOne[k]!] !== values[left[k]!]) return false;
    this.steadiness ??= new Steadiness(
      this.runtime,
      this.constraints.map(({ residual }) => residual),
    );
    return this.steadiness.holds(consistent);
  }

  /** The mode is evaluated where the way has ended. */
  private keepSides(): void {
    for (const { expr, leaf } of this.sides)
      if (expr.kind === 'held') this.runtime.values.set(expr, this.runtime.values.get(leaf));
  }

  /** Values that end on the boundary of a relation must agree with what it says there. */
  private checkEnd(): void {
    const { runtime } = this;
    const before = this.violated();
    for (const side of this.sides) {
      if (Math.abs(runtime.values.evaluate(side.indicator)) > this.rounding()) continue;
      runtime.values.set(side.leaf, holds(side.op, 0) ? 1 : 0);
      const violation = this.violated();
      const size = this.rounding() / roundingShare;
      if (violation.some((value, k) => Math.abs(value - before[k]!) > negligible * size))
        throw this.undecided(side);
    }
  }

  /** On which sides of relations the values are; where both sides are equal, as the event has them. */
  private takeSides(): void {
    const { runtime } = this;
    for (const { expr, op, leaf, indicator } of this.sides) {
      const difference = runtime.values.evaluate(indicator);
      const isEqual = Math.abs(difference) <= this.rounding();
      const value = isEqual ? runtime.values.evaluate(expr) !== 0 : holds(op, difference);
      runtime.values.set(leaf, value ? 1 : 0);
    }
  }

  private isCrossed({ op, leaf, indicator }: JumpingRelation): boolean {
    const { runtime } = this;
    const difference = runtime.values.evaluate(indicator);
    return (
      Math.abs(difference) > this.rounding() && holds(op, difference) !== (runtime.values.get(leaf) !== 0)
    );
  }

  /** The share of a step after which the first of the relations changes, and a little more. */
  private shareUntil(crossed: readonly JumpingRelation[], from: readonly number[]): number {
    let share = 1;
    for (const side of crossed) {
      const before = from[this.sides.indexOf(side)]!;
      const after = this.runtime.values.evaluate(side.indicator);
      share = Math.min(share, Math.max(0, before / (before - after)));
    }
    return share * (1 + crossingShare / 2);
  }

  /** Differences of values on the way below this are rounding. */
  private rounding(): number {
    const { values } = this.runtime.values.memory;
    let size = 0;
    for (const slot of this.left) size = Math.max(size, Math.abs(values[slot]!));
    return roundingShare * size;
  }

  /** Pairs of variables that a constraint ties together which held before as it does after: neither goes without the other. */
  private together(): (readonly [Expr, Expr])[] {
    const { runtime } = this;
    const { values } = runtime.values.memory;
    const { levelOne, left } = this;
    const movers = new Map<Expr, number>(this.unknowns.map((unknown, k) => [unknown, k]));
    const after = Float64Array.from(levelOne, (slot) => values[slot]!);
    const pairs: (readonly [Expr, Expr])[] = [];
    for (const { residual } of this.constraints) {
      const own = leaves(residual).filter((leaf) => movers.has(leaf));
      const [a, b] = own;
      if (!a || !b || own.length > 2) continue;
      for (let k = 0; k < levelOne.length; k++) values[levelOne[k]!] = values[left[k]!]!;
      const before = runtime.values.evaluate(residual);
      const k = movers.get(a)!;
      values[levelOne[k]!] = after[k]!;
      const alone = runtime.values.evaluate(residual);
      if (Math.abs(before) <= tied * Math.abs(alone - before)) pairs.push([a, b]);
    }
    for (let k = 0; k < levelOne.length; k++) values[levelOne[k]!] = after[k]!;
    return pairs;
  }

  /** Solves again until coefficients agree with the solution; false where this does not work out. */
  private agree(): boolean {
    for (let n = 0; n < mostSolutions; n++) {
      if (!this.improve()) return true;
      if (this.solution.attempt()) return false;
    }
    return false;
  }

  /** What is given and a coefficient jumps at once. */
  private jumpGiven(): void {
    const { runtime } = this;
    for (const { residual, given } of this.constraints) {
      if (!given || !this.atOnce.has(given)) continue;
      const size = Math.max(1, Math.abs(runtime.values.get(given))) * 2 ** -20;
      for (let n = 0; n < 3; n++) {
        const here = runtime.values.evaluate(residual);
        const at = runtime.values.get(given);
        runtime.values.set(given, at + size);
        const slope = (runtime.values.evaluate(residual) - here) / size;
        runtime.values.set(given, slope === 0 ? at : at - here / slope);
      }
    }
  }

  /** By how much constraints are violated at the values as they are. */
  private violated(): Float64Array {
    return Float64Array.from(this.constraints, ({ residual, given }) =>
      given && this.atOnce.has(given) ? 0 : this.runtime.values.evaluate(residual),
    );
  }

  /** A relation that no value after the instant agrees with. */
  private undecided({ expr }: JumpingRelation): Failure {
    const { runtime } = this;
    const origin = expr.kind === 'held' ? runtime.model.relations[expr.relation]!.origin : undefined;
    const what = runtime.wording.print(expr);
    const message = `The change at time ${runtime.values.time} is impossible: values jump back and forth over ${what}.`;
    return Failure.of('simulate', 'impossible-change', message, {
      span: origin?.span,
      hint: 'What is chosen by the relation must let values pass it in one direction; where it is the value that steps, give the step a slope.',
    });
  }

  /** Whether no variable goes much farther than in the step before; `ratio` of their lengths, 0 for the first one. */
  private isNear(from: Float64Array, last: Float64Array, ratio: number): boolean {
    const { values } = this.runtime.values.memory;
    let size = 0;
    for (let k = 0; k < from.length; k++) size = Math.max(size, Math.abs(from[k]!));
    for (let k = 0; k < from.length; k++) {
      const change = values[this.levelOne[k]!]! - from[k]! - ratio * last[k]!;
      const allowed =
        0.5 * Math.abs(ratio * last[k]!) + nearby * Math.max(Math.abs(from[k]!), nearby ** 3 * size);
      if (!(Math.abs(change) <= allowed)) return size === 0 && Number.isFinite(change);
    }
    return true;
  }

  /** Coefficients follow the values that were found; true if that changes them. */
  private improve(): boolean {
    const corrected = this.balances?.correct() ?? false;
    return this.evaluateOpen() === 'changed' || corrected;
  }

  /** Evaluates the mode for the sake of open coefficients; all else stays as it is. */
  private evaluateOpen(): 'changed' | 'same' | 'unknown' {
    if (this.open.length === 0) return 'same';
    const { memory } = this.runtime.values;
    const { size } = memory.layout;
    if (this.saved.length !== size) this.saved = new Float64Array(size);
    const { saved, open, openCopies } = this;
    saved.set(memory.values.subarray(0, size));
    const isKnown = this.mode.evaluateOutputs();
    const changed = isKnown && this.readOpen();
    const { values } = memory;
    for (let k = 0; k < open.length; k++) saved[openCopies[k]!] = values[openCopies[k]!]!;
    values.set(saved);
    return changed ? 'changed' : isKnown ? 'same' : 'unknown';
  }

  /** Takes over the values of open coefficients; true if they are others. */
  private readOpen(): boolean {
    const { values } = this.runtime.values.memory;
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
    const { values } = this.runtime.values.memory;
    const found: Weight[] = [];
    for (const { levelOne, weights } of this.parts) {
      const jump = weights.length === 0 ? 'none' : this.jump(levelOne);
      if (jump === 'none') continue;
      const isNoise = jump === 'noise';
      let largest = 0;
      for (const k of weights) largest = Math.max(largest, Math.abs(values[this.weights[k]!]!));
      for (const k of weights) {
        const weight = values[this.weights[k]!]!;
        if (!(Math.abs(weight) > negligible * largest)) continue;
        const symbol = this.symbols[k]!;
        found.push({ symbol, weight, isNoise });
        for (const alias of this.aliases.get(symbol) ?? [])
          found.push({ symbol: alias.symbol, weight: alias.sign * weight, isNoise });
      }
    }
    return found.sort((a, b) => a.symbol - b.symbol);
  }

  /** Whether one of the variables, by their positions, jumps. */
  private jump(levelOne: readonly number[]): 'none' | 'noise' | 'clear' {
    const { memory, extents, tolerance } = this.runtime.values;
    const { values } = memory;
    const share = noise * Math.min(tolerance, loose);
    let [size, jump, isClear] = [0, 0, false];
    for (const k of levelOne) {
      const slot = this.levelOne[k]!;
      const before = values[this.left[k]!]!;
      const after = values[slot]!;
      size = Math.max(size, Math.abs(before), Math.abs(after));
      const own = Math.abs(after - before);
      if (own > share * extents.of(slot)) isClear = true;
      if (own > jump && own > negligible * this.runtime.values.nominalOf(this.unknowns[k]!.symbol))
        jump = own;
    }
    if (!(jump > negligible * size)) return 'none';
    return isClear ? 'clear' : 'noise';
  }
}

const none: ReadonlySet<number> = new Set();

function undeterminedJump(runtime: Runtime, mode: ReadyMode, unknowns: readonly Ref[]): Diagnostic {
  const notes = declarationNotes(runtime, unknowns.slice(0, 8)).filter(({ span }) => span);
  const message = `The values after the change to mode ${mode.mode.signature || 'of the model'} are not determined by its equations.`;
  return error('impossible-change', message, {
    notes,
    hint: 'Set them with reinit, or give the variables start values with fixed = true.',
  });
}
