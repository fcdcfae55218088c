/**
 * A system that is solved by code of its own from beginning to end: Newton's method around its residuals and Jacobian and the elimination that is written out for it
 * (`elimination.ts`), in one function. It gives 1, or 0 with the unknowns as they were: what does not converge as fast as it should near a solution is left to
 * the general method, which has other means.
 *
 * A linear system is corrected until its residuals are rounding errors. A nonlinear one takes whole steps with a new Jacobian each: corrections become squares of those before.
 */
import { CallWriter, type Counted, type Entry } from './calls.ts';
import { type Elimination, elimination } from './elimination.ts';
import { type Body, f64, i32, op } from './encoder.ts';
import type { Memory } from './memory.ts';
import type { SystemPlan } from './plan.ts';
import type { Program } from './unit.ts';

export interface IterationLimits {
  /** Relative accuracy of unknowns. */
  readonly tolerance: number;
  /** Corrections after the first one. */
  readonly corrections: number;
  /** By what factor each is smaller than the one before, at least. */
  readonly contraction: number;
  /** Nonlinear systems: the largest first correction, as a share of the unknowns, and one whose square is negligible. */
  readonly near: number;
  readonly last: number;
}

/** Slots that the function has beside those of the system. */
export interface IterationSlots {
  /** Where the unknowns were, the first one not a number unless the function runs. */
  readonly origin: number;
  /** Coefficients of a linear system that are no constants, and where those are that were eliminated last; where it is missing they are eliminated each time. */
  readonly varying: Int32Array;
  readonly factored: number | undefined;
  /** By unknown: the correction, and the nominal size. */
  readonly solution: Int32Array;
  readonly nominal: Int32Array;
}

export interface IterationParts {
  /** The routines of the system. */
  readonly program: Program;
  /** How corrections are found; for one unknown they are quotients. */
  readonly elimination?: { readonly code: Elimination; readonly program: Program };
  readonly slots: IterationSlots;
}

/** The function; undefined where routines are interpreted. */
export function planIteration(
  memory: Memory,
  plan: SystemPlan,
  { program, elimination: by, slots }: IterationParts,
  limits: IterationLimits,
): Counted | undefined {
  const found: Record<keyof Routines, readonly Entry[] | undefined> = {
    residual: program.entries?.(plan.residual),
    jacobian: program.entries?.(plan.jacobian),
    factor: by ? by.program.entries?.(elimination.factor) : [],
    solve: by ? by.program.entries?.(elimination.solve) : [],
    check: by ? by.program.entries?.(elimination.check) : [],
    trust: by ? by.program.entries?.(elimination.trust) : [],
  };
  if (Object.values(found).includes(undefined)) return undefined;
  return new IterationWriter(plan, slots, by?.code, found as Routines, limits).make(memory);
}

type Routines = Record<keyof typeof elimination | 'residual' | 'jacobian', readonly Entry[]>;

class IterationWriter {
  private readonly calls: CallWriter;
  private body!: Body;

  constructor(
    private readonly plan: SystemPlan,
    private readonly slots: IterationSlots,
    private readonly code: Elimination | undefined,
    private readonly routines: Routines,
    private readonly limits: IterationLimits,
  ) {
    this.calls = new CallWriter('iterate', Object.values(routines).flat());
  }

  make(memory: Memory): Counted {
    return this.calls.make(memory, (body) => {
      this.body = body;
      this.write();
    });
  }

  private write(): void {
    const { body, plan, limits, slots } = this;
    const [change, before, left] = [body.allocate(f64), body.allocate(f64), body.allocate(i32)];
    for (const [i, slot] of plan.unknowns.entries()) this.copy(slots.origin + i, slot);
    body.open(op.block);
    const all = body.depth;
    body.open(op.block);
    const failure = body.depth;
    body.open(op.block);
    const success = body.depth;
    this.call('residual');
    if (plan.linear) this.prepare();
    // What comes before the first correction lets it be as large as it may.
    body.const(plan.linear ? Number.POSITIVE_INFINITY : limits.near / limits.contraction);
    body.opIndex(op.localSet, before);
    body.constI32(limits.corrections);
    body.opIndex(op.localSet, left);
    body.open(op.loop);
    const again = body.depth;
    if (!plan.linear) this.call('jacobian', 'factor');
    if (this.code) this.call('solve');
    else this.divide();
    this.move(change);
    this.unlessSmall(change, before, failure);
    this.call('residual');
    if (plan.linear) this.leaveLinear(change, left, success, failure);
    else this.leave({ change, before, left }, success, failure);
    body.opIndex(op.localGet, change);
    body.opIndex(op.localSet, before);
    body.opIndex(op.localGet, left);
    body.constI32(1);
    body.op(op.i32Sub);
    body.opIndex(op.localTee, left);
    body.constI32(-1);
    body.op(op.i32GtS);
    this.branchIf(again);
    body.close();
    this.branch(failure);
    body.close();
    body.constI32(1);
    body.opIndex(op.localSet, left);
    this.branch(all);
    body.close();
    for (const [i, slot] of plan.unknowns.entries()) this.copy(slot, slots.origin + i);
    body.constI32(0);
    body.opIndex(op.localSet, left);
    body.close();
    // Nothing is under way any more.
    body.constI32(0);
    body.const(Number.NaN);
    body.store(slots.origin * 8);
    body.opIndex(op.localGet, left);
  }

  private call(...names: readonly (keyof Routines)[]): void {
    for (const name of names) this.calls.call(...this.routines[name]);
  }

  /** Coefficients of a linear system, eliminated where they are others than last time. */
  private prepare(): void {
    const { body, slots } = this;
    this.call('jacobian');
    const { varying, factored } = slots;
    if (factored === undefined) {
      this.call('factor');
      return;
    }
    body.constI32(0);
    for (const [k, slot] of varying.entries()) {
      body.loadSlot(slot);
      body.loadSlot(factored + k);
      body.op(op.f64Ne);
      body.op(op.i32Or);
    }
    body.open(op.if);
    for (const [k, slot] of varying.entries()) this.copy(factored + k, slot);
    this.call('factor');
    body.close();
  }

  /** One residual by its slope. */
  private divide(): void {
    const { body, plan, slots } = this;
    body.constI32(0);
    body.loadSlot(plan.residuals[0]!);
    body.loadSlot(plan.nonzeros[0]!);
    body.op(op.f64Div);
    body.store(slots.solution[0]! * 8);
  }

  /** Subtracts what was found from the unknowns; leaves the largest change beside their sizes in a local. */
  private move(change: number): void {
    const { body, plan, slots } = this;
    body.const(0);
    for (const [i, slot] of plan.unknowns.entries()) {
      body.loadSlot(slots.solution[i]!);
      body.op(op.f64Abs);
      body.loadSlot(slot);
      body.op(op.f64Abs);
      body.loadSlot(slots.nominal[i]!);
      body.op(op.f64Max);
      body.op(op.f64Div);
      body.op(op.f64Max);
    }
    body.opIndex(op.localSet, change);
    for (const [i, slot] of plan.unknowns.entries()) {
      body.constI32(0);
      body.loadSlot(slot);
      body.loadSlot(slots.solution[i]!);
      body.op(op.f64Sub);
      body.store(slot * 8);
    }
  }

  /** Fails where corrections do not become smaller as they should; one that is not a number fails too. */
  private unlessSmall(change: number, before: number, failure: number): void {
    const { body, limits } = this;
    body.opIndex(op.localGet, change);
    body.opIndex(op.localGet, before);
    body.const(limits.contraction);
    body.op(op.f64Mul);
    body.const(limits.tolerance);
    body.op(op.f64Max);
    body.op(op.f64Le);
    body.op(op.i32Eqz);
    this.branchIf(failure);
  }

  /** Ends where residuals are rounding errors, or where nothing more can be done about them. */
  private leaveLinear(change: number, left: number, success: number, failure: number): void {
    const { body, code, limits } = this;
    const isNotAbove = (slot: number): void => {
      body.loadSlot(slot);
      body.const(0);
      body.op(op.f64Le);
      this.branchIf(success);
    };
    this.call('check');
    isNotAbove(code!.excess);
    body.opIndex(op.localGet, left);
    body.constI32(limits.corrections);
    body.op(op.i32Ne);
    body.opIndex(op.localGet, change);
    body.const(limits.tolerance);
    body.op(op.f64Le);
    body.op(op.i32And);
    body.open(op.if);
    this.call('trust');
    isNotAbove(code!.distrust);
    this.branch(failure);
    body.close();
  }

  /** Ends where the next correction, the square of the ratio of the last two times the last, would be negligible; residuals have to be numbers. */
  private leave(
    { change, before, left }: { readonly change: number; readonly before: number; readonly left: number },
    success: number,
    failure: number,
  ): void {
    const { body, limits, plan } = this;
    body.opIndex(op.localGet, change);
    body.const(limits.last);
    body.op(op.f64Le);
    body.op(op.f64Mul, change, change);
    body.op(op.f64Mul, change);
    body.op(op.f64Mul, before, before);
    body.const(limits.tolerance);
    body.op(op.f64Mul);
    body.op(op.f64Le);
    // The first correction has none before it.
    body.opIndex(op.localGet, left);
    body.constI32(limits.corrections);
    body.op(op.i32Ne);
    body.op(op.i32And);
    body.op(op.i32Or);
    body.open(op.if);
    body.const(0);
    for (const slot of plan.residuals) {
      body.loadSlot(slot);
      body.const(0);
      body.op(op.f64Mul);
      body.op(op.f64Add);
    }
    body.const(0);
    body.op(op.f64Eq);
    this.branchIf(success);
    this.branch(failure);
    body.close();
  }

  private copy(to: number, from: number): void {
    this.body.constI32(0);
    this.body.loadSlot(from);
    this.body.store(to * 8);
  }

  /** To the block that was opened at this depth. */
  private branch(depth: number): void {
    this.body.opIndex(op.br, this.body.depth - depth);
  }

  private branchIf(depth: number): void {
    this.body.opIndex(op.brIf, this.body.depth - depth);
  }
}
