/** Sorted blocks that are computed once, in order: initial values, values after a change of mode or a `reinit`. */
import type { OnceProgram } from '../../code/once.ts';
import { type BlockPlan, planBlocks } from '../../code/plan.ts';
import type { CodeUnit } from '../../code/unit.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { Block } from '../../structure/analysis.ts';
import type { Jump } from '../../structure/jumps/path.ts';
import type { LooseBlocks } from '../../structure/loose.ts';
import { type SystemEquation, sortSystem } from '../../structure/sort.ts';
import { explainSystem } from '../explain.ts';
import type { Runtime } from '../runtime.ts';
import { type SystemFailure, SystemSolver } from '../systems.ts';
import { holdLoose } from './floating.ts';
import type { Guesses } from './guesses.ts';

export class InitialSolution {
  private readonly unit: CodeUnit;
  /** Routines that the last attempt came to. */
  private readonly reached = new Set<number>();
  private readonly plan: BlockPlan;
  private readonly program: OnceProgram;
  private readonly systems: readonly SystemSolver[];

  constructor(
    private readonly runtime: Runtime,
    blocks: readonly Block[],
    private readonly guesses: ReadonlyMap<Block, Guesses> = new Map(),
    loose: LooseBlocks = new Map(),
  ) {
    this.plan = planBlocks(runtime.code, blocks, loose);
    this.unit = runtime.code.unitOf(this.plan.routines);
    this.program = runtime.code.compileLater(this.unit);
    // Where systems are not linear, their routines run again and again.
    if (this.plan.systems.some(({ linear }) => !linear)) this.program.settle();
    this.systems = this.plan.systems.map((system) => new SystemSolver(runtime.values, system, this.program));
  }

  /** Writes all unknowns into the memory; gives the first system that has no solution, if there is one. */
  attempt(): SystemFailure | undefined {
    this.program.begin();
    holdLoose(this.runtime.values, this.plan.loose);
    this.reached.clear();
    for (const system of this.systems) system.activate();
    for (const step of this.plan.event) {
      if (step.kind === 'run') {
        this.reached.add(step.routine);
        this.program.run(step.routine);
        continue;
      }
      const system = this.systems[step.system]!;
      this.reached.add(system.plan.residual).add(system.plan.jacobian);
      const solve = () => system.solveRobustly();
      const guesses = this.guesses.get(system.plan.block);
      const failure = guesses ? guesses.improve(solve) : solve();
      if (failure) return failure;
    }
    return undefined;
  }

  /** What the last attempt came to: behind that, values are missing. */
  get past(): CodeUnit {
    const routines = this.unit.routines.map((one, k) => (this.reached.has(k) ? one : { ...one, body: [] }));
    return { ...this.unit, routines };
  }

  /** As `attempt`, where a change depends on it. */
  compute(): void {
    const failure = this.attempt();
    if (failure) throw new Failure('simulate', [explainSystem(this.runtime, failure, 'impossible-change')]);
  }
}

/** Values that follow from equations and, as far as these leave them open, from what they were before: `optional` equations, the first of them first. */
export class FollowingValues {
  private readonly solution: InitialSolution;

  constructor(
    private readonly runtime: Runtime,
    private readonly values: readonly Jump[],
    equations: readonly SystemEquation[],
    optional: readonly SystemEquation[],
  ) {
    const unknowns = values.map(({ unknown }) => unknown);
    const result = sortSystem(runtime.values.pool, { equations, optional, unknowns }, runtime.knowledge);
    this.solution = new InitialSolution(runtime, result.kind === 'sorted' ? result.blocks : []);
  }

  solve(): void {
    const { values } = this.runtime;
    for (const { unknown, left } of this.values) values.set(left, values.get(unknown));
    this.solution.compute();
  }
}
