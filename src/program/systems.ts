/**
 * Systems of algebraic equations at run time: Newton's method on the slots of the memory. Linear systems take whole steps. Those that are solved often
 * are written out as code; during integration the factors of the last solution are tried first. At initialisation a system that does not
 * converge from its start values is followed from a solvable neighbour (F(x) - (1 - lambda) F(x0) = 0). Where it cannot even be
 * evaluated there, or is singular, unknowns that start at zero start at their nominal values instead: zero is a poor guess of what is divided by, or
 * of what is squared, as the flow through two orifices that a valve has just opened. At last other guesses are tried: for one unknown, where its residual changes its sign.
 */
import { attempt } from '../code/calls.ts';
import { EvaluationError } from '../code/fault.ts';
import type { SystemPlan } from '../code/plan.ts';
import type { Program } from '../code/unit.ts';
import { attempted, Failure } from '../diagnostic/failure.ts';
import { bracketed } from '../solve/bracket.ts';
import { continuation, Newton, type NewtonOutcome, type NonlinearSystem } from '../solve/newton.ts';
import type { RunValues } from './evaluation.ts';
import type { CodeStore } from './store.ts';
import { WrittenSystem } from './written.ts';

export interface SystemFailure {
  readonly plan: SystemPlan;
  readonly outcome: Exclude<NewtonOutcome, { kind: 'converged' }>;
  /** Values of the residuals at the best point. */
  readonly residuals: Float64Array;
  /** The check inside a function that fails there, where that is why it cannot be evaluated. */
  readonly fault: EvaluationError | undefined;
}

/** Changes in a step, as a share of the value; and differences of values that are the same solution. */
const far = 0.5;
const same = 0.01;
const negligible = 1e-4;

/** So far beside a solution another one is looked for, as a share of the sizes of unknowns, and so much of that must remain. */
const beside = 1e-2;
const remaining = 0.1;
const golden = (Math.sqrt(5) - 1) / 2;

/** A system that was solved so often gets code of its own. Where it is made for the first time, that takes about as long as 1500 solutions without it; runs that follow find it made. */
const oftenSolved = 300;
/** Where pivots do not stay good, as those that turn with a shaft, code serves as long as it misses few solutions; then other code is made, so many times in a run. */
const oftenMissed = 10;
const missedShare = 0.05;
const mostCodes = 8;

export class SystemSolver implements NonlinearSystem {
  readonly n: number;
  readonly pattern: NonlinearSystem['pattern'];
  private newton!: Newton;
  private nominal: Float64Array = new Float64Array(0);
  /** The run for which the method was set up: it keeps factors, and sizes of the unknowns may depend on parameters. */
  private begun = -1;
  private readonly x: Float64Array;
  /** Values of the unknowns at the ends of a step. */
  private atStart: Float64Array;
  private atEnd: Float64Array;
  /** Residuals at the start of a continuation, and its parameter; 1 means the system itself. */
  private readonly offset: Float64Array;
  private lambda = 1;
  private values: Float64Array;
  /** The check that failed last. */
  private fault: EvaluationError | undefined;
  /** The system as code, where there is some; all that were made, by their pivots. */
  private written: WrittenSystem | undefined;
  private readonly codes = new Map<string, WrittenSystem>();
  /** The matrix by which its pivots were chosen. */
  private origin: Float64Array | undefined;
  /** How often it was solved since there is code, or since there is none; how often that was missed, and made. */
  private now = { solved: 0, missed: 0, made: 0 };

  constructor(
    private readonly run: RunValues,
    readonly plan: SystemPlan,
    private readonly program: Program,
    /** Where code is made for systems that are solved often. */
    private readonly store?: CodeStore,
  ) {
    this.n = plan.unknowns.length;
    this.pattern = { n: this.n, starts: plan.starts, rows: plan.rows };
    this.x = new Float64Array(this.n);
    this.atStart = new Float64Array(this.n);
    this.atEnd = new Float64Array(this.n);
    this.offset = new Float64Array(this.n);
    this.values = run.memory.values;
    this.begin();
  }

  /** Sets the method up for a run. */
  private begin(): void {
    const { run, plan } = this;
    this.nominal = Float64Array.from(plan.block.tears, (tear) => run.nominalOf(tear.symbol));
    this.newton = new Newton(this, { nominal: this.nominal, reuse: !plan.linear, linear: plan.linear });
    this.written = undefined;
    this.now = { solved: 0, missed: 0, made: 0 };
    this.begun = run.run;
  }

  /** Whether it has been solved so often that code of its own pays. */
  get isFrequent(): boolean {
    const { store, written, now } = this;
    return !!store && !written && now.solved >= oftenSolved && now.made < mostCodes;
  }

  /** The code that solves it, where there is some. */
  get code(): WrittenSystem | undefined {
    return this.written;
  }

  /** It was solved so often by its code without being asked. */
  solvedElsewhere(times: number): void {
    this.now.solved += times;
  }

  /** Makes the code, between evaluations: the memory may move. */
  write(matrix: Float64Array | undefined = this.newton.matrix?.slice()): void {
    if (!matrix) return;
    this.now = { solved: 0, missed: 0, made: this.now.made + 1 };
    this.origin = matrix;
    this.written = WrittenSystem.of(this.store!, this.plan, this.program, matrix, this.codes);
    this.follow();
    this.written?.begin(this.nominal);
  }

  private discard(): void {
    this.written = undefined;
    this.now = { solved: 0, missed: 0, made: this.now.made };
  }

  /** The memory may have moved. */
  follow(): void {
    this.values = this.run.memory.values;
  }

  /** As `follow`, without the factors of solutions before. */
  activate(): void {
    this.follow();
    if (this.begun === this.run.run) this.newton.reset();
    else this.begin();
  }

  /** Where the step began and ended, and the factors, as a value. */
  state() {
    const { atStart, atEnd, newton, now } = this;
    const origin = this.written && this.origin;
    return { ...structuredClone({ atStart, atEnd, now, origin }), newton: newton.state() };
  }

  resume({ atStart, atEnd, newton, now, origin }: ReturnType<SystemSolver['state']>): void {
    this.atStart.set(atStart);
    this.atEnd.set(atEnd);
    this.newton.resume(newton);
    if (origin) this.write(origin);
    this.now = { ...now };
  }

  /** Takes note of the unknowns at the end of a step. */
  keep(): void {
    for (let i = 0; i < this.n; i++) this.atEnd[i] = this.values[this.plan.unknowns[i]!]!;
  }

  /** Whether an unknown has come so far in the step that it may have left its solution for another one. */
  get isFar(): boolean {
    return this.atEnd.some((end, i) => Math.abs(end - this.atStart[i]!) > this.share(i, far));
  }

  /** Whether the unknowns are what they were at the end of the step. */
  get isAtEnd(): boolean {
    const { values, plan } = this;
    return this.atEnd.every((end, i) => Math.abs(values[plan.unknowns[i]!]! - end) <= this.share(i, same));
  }

  /** A share of the size of an unknown; what is small beside its nominal value may be an error. */
  private share(i: number, share: number): number {
    const size = Math.max(Math.abs(this.atStart[i]!), Math.abs(this.atEnd[i]!));
    return share * size + negligible * this.nominal[i]!;
  }

  /** Begins another step at the end of the last one. */
  next(): void {
    [this.atStart, this.atEnd] = [this.atEnd, this.atStart];
    this.restore();
  }

  /** Brings back the unknowns at the start of the step. */
  restore(): void {
    for (let i = 0; i < this.n; i++) this.values[this.plan.unknowns[i]!] = this.atStart[i]!;
  }

  residual(x: Float64Array, r: Float64Array): boolean {
    const { values, plan, offset } = this;
    for (let i = 0; i < x.length; i++) values[plan.unknowns[i]!] = x[i]!;
    if (!this.runs(plan.residual)) return false;
    const rest = 1 - this.lambda;
    for (let i = 0; i < r.length; i++)
      r[i] = values[plan.residuals[i]!]! - (rest === 0 ? 0 : rest * offset[i]!);
    return true;
  }

  /** `residual` ran at the same point just before or the point is what the memory holds. */
  jacobian(x: Float64Array, entries: Float64Array): boolean {
    const { values, plan } = this;
    for (let i = 0; i < x.length; i++) values[plan.unknowns[i]!] = x[i]!;
    if (!this.runs(plan.jacobian)) return false;
    for (let k = 0; k < entries.length; k++) entries[k] = values[plan.nonzeros[k]!]!;
    return true;
  }

  /** A check inside a function that fails says of a trial no more than that it went too far. */
  private runs(routine: number): boolean {
    try {
      this.program.run(routine);
      return true;
    } catch (problem) {
      if (!(problem instanceof EvaluationError) || problem.kind !== 'assertion') throw problem;
      this.fault = problem;
      return false;
    }
  }

  /** Solves from the values in the memory; undefined on success. */
  solve(): SystemFailure | undefined {
    this.read();
    if (this.written) {
      this.now.solved++;
      if (attempt(this.written.iterate!, this.run.memory) === 1) return undefined;
      this.written.restore();
      if (++this.now.missed > oftenMissed && this.now.missed > missedShare * this.now.solved) this.discard();
    } else this.now.solved++;
    const outcome = this.newton.solve(this.x);
    const isLost = outcome.kind !== 'converged' && outcome.kind !== 'not-finite' && !this.plan.linear;
    return this.finish(isLost ? (this.solveFromAfar() ?? outcome) : outcome);
  }

  /**
   * Solves from the nominal values, to either side: the solution that was followed has ended, as where an amplifier with positive feedback tips over, or nothing was
   * known. Undefined where that leads to no solution; `x` then is what it was.
   */
  private solveFromAfar(): NewtonOutcome | undefined {
    const best = this.x.slice();
    for (const side of [1, -1]) {
      for (let i = 0; i < this.n; i++) this.x[i] = side * this.nominal[i]!;
      this.newton.reset();
      const outcome = this.newton.solve(this.x);
      if (outcome.kind === 'converged') return outcome;
    }
    this.x.set(best);
    return undefined;
  }

  /** As `solve`, with all means. */
  solveRobustly(): SystemFailure | undefined {
    this.read();
    let start = Float64Array.from(this.x);
    let direct = this.newton.solve(this.x);
    if (direct.kind === 'not-finite' || (direct.kind === 'singular' && start.includes(0))) {
      start = start.map((value, i) => value || this.nominal[i]!);
      this.x.set(start);
      direct = this.newton.solve(this.x);
    }
    if (direct.kind === 'converged') return this.finish(direct);
    this.lambda = 1;
    this.x.set(start);
    this.residual(this.x, this.offset);
    const homotopy = {
      set: (lambda: number) => {
        this.lambda = lambda;
      },
    };
    const followed = continuation(this.newton, homotopy, this.x);
    this.lambda = 1;
    this.offset.fill(0);
    if (followed.kind === 'converged') return this.finish(followed);
    return this.finish(this.solveElsewhere(start) ?? followed);
  }

  /** Solves from other guesses than the start values; undefined where none leads to a solution, and `x` is what it was. */
  private solveElsewhere(start: Float64Array): NewtonOutcome | undefined {
    if (this.n > 1) return this.solveFromAfar();
    const best = this.x.slice();
    const [point, residual] = [new Float64Array(1), new Float64Array(1)];
    const value = (x: number): number => {
      point[0] = x;
      return this.residual(point, residual) ? residual[0]! : Number.NaN;
    };
    const guess = bracketed(value, start[0]!, Math.max(this.nominal[0]!, Math.abs(start[0]!)));
    if (guess !== undefined) {
      this.x[0] = guess;
      this.newton.reset();
      const outcome = this.newton.solve(this.x);
      if (outcome.kind === 'converged') return outcome;
    }
    this.x.set(best);
    return undefined;
  }

  /** Whether the last solution may be one of many: the equations are singular there. */
  get isSingular(): boolean {
    return this.newton.isSingular;
  }

  /**
   * Unknowns, by number, that are others where the method begins a little beside the solution that the memory holds: nothing determines them. None where a solution is
   * alone, as that of `x^2 = 0`. Everything is as before afterwards.
   */
  undetermined(): number[] {
    this.read();
    const { x, nominal, values, plan } = this;
    const own = x.slice();
    const size = (i: number) => Math.max(Math.abs(own[i]!), nominal[i]!);
    for (let i = 0; i < x.length; i++) x[i] = own[i]! + beside * ((((i + 1) * golden) % 1) + 0.5) * size(i);
    this.newton.reset();
    // Whatever a function says of such a point is nobody's concern.
    const outcome = attempted(() => this.newton.solve(x));
    const isFound = !(outcome instanceof Failure) && outcome.kind === 'converged';
    const moved = [...x.keys()].filter((i) => Math.abs(x[i]! - own[i]!) > beside * remaining * size(i));
    x.set(own);
    for (let i = 0; i < x.length; i++) values[plan.unknowns[i]!] = own[i]!;
    this.runs(plan.residual);
    this.newton.reset();
    return isFound ? moved : [];
  }

  /** Factors the Jacobian at the solution, so that `tangent` can be asked for. */
  factor(): boolean {
    this.read();
    return this.newton.factorAt(this.x);
  }

  /** Replaces the derivative of the residuals by that of the unknowns. */
  tangent(b: Float64Array): void {
    for (let i = 0; i < b.length; i++) b[i] = -b[i]!;
    this.newton.solveLinear(b);
  }

  private read(): void {
    for (let i = 0; i < this.n; i++) this.x[i] = this.values[this.plan.unknowns[i]!]!;
  }

  private finish(outcome: NewtonOutcome): SystemFailure | undefined {
    const { values, plan, x } = this;
    for (let i = 0; i < x.length; i++) values[plan.unknowns[i]!] = x[i]!;
    if (outcome.kind === 'converged') return undefined;
    this.newton.reset();
    const residuals = new Float64Array(this.n).fill(Number.NaN);
    this.fault = undefined;
    this.residual(x, residuals);
    return { plan, outcome, residuals, fault: this.fault };
  }
}
