/**
 * The Jacobian of the right-hand side of a mode, df/dy, exact and sparse. Forward differentiation of the plan gives code that
 * carries one direction of the states to their derivatives; columns whose rows do not meet share a direction
 * (`colour`), so that few runs give all entries. Systems take part through their own Jacobian: for F(u, z) = 0,
 * F_u du = -F_z dz with the factors at the solution.
 */
import { colour, compressed, transposed } from '../collections/pattern.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { Dependence } from './dependence.ts';
import type { Plan, PlanContext, PlanItem } from './plan.ts';
import { type TangentDefinition, tangentCode } from './tangent.ts';
import type { Routine, SlotAssignment } from './unit.ts';

export type TangentStep =
  | { readonly kind: 'run'; readonly routine: number }
  /** Reads the derivatives of the residuals, writes those of the unknowns. */
  | {
      readonly kind: 'solve';
      readonly system: number;
      readonly residualSlot: number;
      readonly unknowns: Int32Array;
    };

export interface JacobianPlan {
  readonly routines: readonly Routine[];
  readonly steps: readonly TangentStep[];
  /** Compressed columns. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  /** By state: the slot of its direction. */
  readonly seeds: Int32Array;
  /** By state: the slot of the direction of its derivative; -1 where that does not depend on the states. */
  readonly results: Int32Array;
  /** Columns by colour. */
  readonly groups: readonly Int32Array[];
}

export function planJacobian(context: PlanContext, plan: Plan, states: readonly Ref[]): JacobianPlan {
  return context.temporaries.scratch(() => new JacobianPlanner(context, plan, states).plan());
}

class JacobianPlanner {
  private readonly pool: Pool;
  private readonly routines: Routine[] = [];
  private readonly steps: TangentStep[] = [];
  private body: SlotAssignment[] = [];
  /** Directions of leaves that depend on the states. */
  private readonly tangents = new Map<Expr, Expr>();
  /** On which states a leaf depends. */
  private readonly dependence: Dependence;

  constructor(
    private readonly context: PlanContext,
    private readonly source: Plan,
    private readonly states: readonly Ref[],
  ) {
    this.pool = context.pool;
    this.dependence = new Dependence(states);
  }

  plan(): JacobianPlan {
    const seeds = this.states.map((state) => {
      const seed = this.context.temporaries.fresh();
      this.tangents.set(state, seed);
      return this.slot(seed);
    });
    for (const item of this.source.items) {
      if (item.kind === 'assign') this.assign(item);
      else this.system(item.system);
    }
    this.flush();
    const derivatives = this.states.map((s) => this.pool.ref(s.symbol, s.order + 1));
    const byRow = derivatives.map((d) => this.dependence.of(d));
    const pattern = transposed(compressed(byRow), this.states.length);
    return {
      routines: this.routines,
      steps: this.steps,
      starts: pattern.starts,
      rows: pattern.rows,
      seeds: Int32Array.from(seeds),
      results: Int32Array.from(derivatives, (d) => {
        const tangent = this.tangents.get(d);
        return tangent ? this.slot(tangent) : -1;
      }),
      groups: colour(pattern),
    };
  }

  private assign({ leaf, value }: PlanItem & { kind: 'assign' }): void {
    this.define([{ leaf, value }]);
    if (this.tangents.has(leaf)) this.dependence.set(leaf, this.dependence.unite(leaves(value)));
  }

  private system(index: number): void {
    const { block } = this.source.systems[index]!;
    const dependencies = this.dependence.ofSystem(this.source.systems[index]!);
    if (dependencies.length === 0) return;
    const inner = block.inner.map(({ unknown, value }) => ({ leaf: unknown, value }));
    // With the unknowns of Newton's method at rest, the inner ones still move with what is outside.
    this.define(inner);
    const residuals = block.residuals.map((value) => ({ leaf: this.context.temporaries.fresh(), value }));
    this.define(residuals);
    const residualSlot = this.context.temporaries.run(residuals.length);
    for (const [i, { leaf }] of residuals.entries()) {
      this.body.push({ slot: residualSlot + i, value: this.tangents.get(leaf) ?? this.pool.zero });
    }
    this.flush();
    const tears = block.tears.map((tear) => {
      const tangent = this.context.temporaries.fresh();
      this.tangents.set(tear, tangent);
      this.dependence.set(tear, dependencies);
      return this.slot(tangent);
    });
    this.steps.push({ kind: 'solve', system: index, residualSlot, unknowns: Int32Array.from(tears) });
    this.define(inner);
    for (const { leaf } of inner) this.dependence.set(leaf, dependencies);
  }

  private define(definitions: readonly TangentDefinition[]): void {
    const { temporaries, calls } = this.context;
    const fresh = () => temporaries.fresh();
    for (const { leaf, value } of tangentCode(this.pool, calls, definitions, this.tangents, fresh)) {
      this.body.push({ slot: this.slot(leaf), value });
    }
  }

  private flush(): void {
    if (this.body.length === 0) return;
    this.steps.push({ kind: 'run', routine: this.routines.length });
    this.routines.push({ name: `tangent${this.routines.length || ''}`, body: this.body });
    this.body = [];
  }

  private slot(leaf: Expr): number {
    return this.context.memory.slotOf(leaf);
  }
}

/** The systems whose factors a Jacobian needs. */
export function systemsIn(steps: readonly TangentStep[]): number[] {
  return steps.flatMap((s) => (s.kind === 'solve' ? [s.system] : []));
}
