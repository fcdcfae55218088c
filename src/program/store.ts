/** The store of generated code: programs over the memory of a run, and what modes have in common of their plans. */

import type { Memory } from '../code/memory.ts';
import { OnceProgram } from '../code/once.ts';
import type { AssignItem, PlanContext, Slopes } from '../code/plan.ts';
import { SharedCode } from '../code/shared.ts';
import { Temporaries } from '../code/temporaries.ts';
import type { CodeUnit, Program, Routine } from '../code/unit.ts';
import type { Alias } from '../structure/analysis.ts';
import type { CallRule } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { ExternalCalls, FunctionDef } from '../symbolic/function.ts';
import type { Pool } from '../symbolic/pool.ts';
import { Tangents } from '../symbolic/tangent.ts';
import type { RunValues } from './evaluation.ts';

/** Turns units into programs: WebAssembly, or the interpreter for comparison. */
export type BackEnd = (unit: CodeUnit, memory: Memory) => Program;

/** Assignments whose code is kept beyond the modes that use them. */
const keptAssignments = 300_000;

export class CodeStore implements PlanContext {
  readonly pool: Pool;
  readonly memory: Memory;
  readonly calls: CallRule;
  readonly temporaries: Temporaries;
  readonly assignments = new Map<Ref, AssignItem>();
  readonly copies = new WeakMap<Alias, AssignItem[]>();
  readonly slopes = new Map<Expr, Slopes>();
  /** How many programs were made. */
  programs = 0;
  private readonly shared: SharedCode;

  constructor(
    { memory, pool, model }: RunValues,
    /** User functions; derivatives of them are added where they are needed. */
    readonly functions: FunctionDef[],
    private readonly external: ExternalCalls,
    readonly isDiscrete: (symbol: number) => boolean,
    /** Whether one mode is all there is so far; where there are more, they share code. */
    private readonly isSingle: () => boolean,
    private readonly backEnd: BackEnd,
  ) {
    this.pool = pool;
    this.memory = memory;
    this.calls = new Tangents(functions);
    this.temporaries = new Temporaries(pool, memory, model.scalars.length);
    this.shared = new SharedCode((unit) => backEnd(unit, memory), keptAssignments);
  }

  /** Routines over the memory. */
  unitOf(routines: readonly Routine[]): CodeUnit {
    const { functions, external, memory, pool } = this;
    return { routines, functions, external, strings: pool.strings, slotOf: memory.slotOf };
  }

  compile(unit: CodeUnit, single = this.isSingle()): Program {
    this.programs++;
    return single ? this.backEnd(unit, this.memory) : this.shared.program(unit);
  }

  /** As `compile`, for what may be computed only once. */
  compileLater(unit: CodeUnit): OnceProgram {
    return new OnceProgram(unit, this.memory, () => this.compile(unit));
  }
}
