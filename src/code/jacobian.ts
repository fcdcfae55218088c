/**
 * Jacobians of what a mode computes, exact and sparse: of its right-hand side, df/dy, and of anything else by states and inputs. Forward
 * differentiation of the plan gives code that carries one direction of the sources to the targets; columns whose rows do not meet share a direction
 * (`colour`), so that few runs give all entries. Systems take part through their own Jacobian: for F(u, z) = 0,
 * F_u du = -F_z dz with the factors at the solution. Where nearly every column needs a direction of its own, the nonzeros are accumulated instead (`accumulation.ts`).
 */
import { colour, compressed, transposed } from '../collections/pattern.ts';
import { leavesOf, unknownsOf } from '../structure/analysis.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { type AccumulationPlan, planAccumulation } from './accumulation.ts';
import { Dependence } from './dependence.ts';
import type { Differentiated, Plan, PlanContext, PlanItem } from './plan.ts';
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

export type JacobianPlan = DirectionPlan | AccumulationPlan;

export interface DirectionPlan {
  readonly kind: 'directions';
  readonly routines: readonly Routine[];
  readonly steps: readonly TangentStep[];
  /** Compressed columns. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  /** By source: the slot of its direction. */
  readonly seeds: Int32Array;
  /** By target: the slot of its direction; -1 where that is zero. */
  readonly results: Int32Array;
  /** Columns by colour. */
  readonly groups: readonly Int32Array[];
}

/** With fewer directions there is little to gain. */
const MANY_DIRECTIONS = 8;
/** A product costs so many times what an assignment of generated code does. */
const ACCUMULATION_COST = 4;

/** The Jacobian of the derivatives of states by the states. */
export function planJacobian(context: PlanContext, plan: Plan, states: readonly Ref[]): JacobianPlan {
  const { items, systems } = plan;
  const targets = states.map((s) => context.pool.ref(s.symbol, s.order + 1));
  return planDerivatives(context, { items, systems, sources: states, targets });
}

/** The Jacobian of the targets (rows) by the sources (columns). */
export function planDerivatives(context: PlanContext, differentiated: Differentiated): JacobianPlan {
  const { temporaries } = context;
  const plan = temporaries.scratch(() => new JacobianPlanner(context, differentiated).plan());
  if (plan.groups.length < MANY_DIRECTIONS) return plan;
  const assignments = plan.routines.reduce((count, { body }) => count + body.length, 0);
  const most = (assignments * plan.groups.length) / ACCUMULATION_COST;
  return temporaries.scratch(() => planAccumulation(context, differentiated, most)) ?? plan;
}

/** The items that the targets depend on. */
export function neededItems({ items, systems, targets }: Differentiated): PlanItem[] {
  const wanted = new Set<Expr>(targets.flatMap((target) => [...leaves(target)]));
  const needed: PlanItem[] = [];
  for (const item of [...items].reverse()) {
    const system = item.kind === 'system' ? systems[item.system]!.block : undefined;
    const writes = item.kind === 'system' ? unknownsOf(system!) : [item.leaf];
    if (!writes.some((leaf) => wanted.has(leaf))) continue;
    needed.push(item);
    for (const leaf of item.kind === 'system' ? leavesOf(system!) : leaves(item.value)) wanted.add(leaf);
  }
  return needed.reverse();
}

class JacobianPlanner {
  private readonly pool: Pool;
  private readonly routines: Routine[] = [];
  private readonly steps: TangentStep[] = [];
  private body: SlotAssignment[] = [];
  /** Directions of leaves that depend on the sources. */
  private readonly tangents = new Map<Expr, Expr>();
  /** On which sources a leaf depends. */
  private readonly dependence: Dependence;

  constructor(
    private readonly context: PlanContext,
    private readonly differentiated: Differentiated,
  ) {
    this.pool = context.pool;
    this.dependence = new Dependence(differentiated.sources);
  }

  plan(): DirectionPlan {
    const { items, sources, targets } = this.differentiated;
    const seeds = sources.map((source) => {
      const seed = this.context.temporaries.fresh();
      this.tangents.set(source, seed);
      return this.slot(seed);
    });
    for (const item of items) {
      if (item.kind === 'assign') this.assign(item);
      else this.system(item.system);
    }
    const wanted = targets.map((target) => this.target(target));
    this.flush();
    const byRow = wanted.map((leaf) => (this.tangents.has(leaf) ? this.dependence.of(leaf) : none));
    const pattern = transposed(compressed(byRow), sources.length);
    return {
      kind: 'directions',
      routines: this.routines,
      steps: this.steps,
      starts: pattern.starts,
      rows: pattern.rows,
      seeds: Int32Array.from(seeds),
      results: Int32Array.from(wanted, (leaf) => {
        const tangent = this.tangents.get(leaf);
        return tangent ? this.slot(tangent) : -1;
      }),
      groups: colour(pattern),
    };
  }

  /** The leaf that holds a target. */
  private target(value: Expr): Expr {
    if (value.kind === 'ref') return value;
    const leaf = this.context.temporaries.fresh();
    this.assign({ leaf, value });
    return leaf;
  }

  private assign({ leaf, value }: TangentDefinition): void {
    this.define([{ leaf, value }]);
    if (this.tangents.has(leaf)) this.dependence.set(leaf, this.dependence.unite(leaves(value)));
  }

  private system(index: number): void {
    const plan = this.differentiated.systems[index]!;
    const { block } = plan;
    const dependencies = this.dependence.ofSystem(plan);
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

const none = new Int32Array(0);
