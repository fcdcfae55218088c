/**
 * The plan of a mode: which routines run, and which systems are solved between them, to compute everything from the
 * states. Blocks are cut into parts by what they are needed for, so that a right-hand side computes no more than it must:
 *
 *     dynamics   derivatives of the states, and inputs of built-in components
 *     watch      what event indicators need besides
 *     outputs    everything else that is continuous
 *     event      everything at once, discrete variables included, in order of computation
 *     reaction   the part of it that may change while time and states stay, and what is computed at events only
 *
 * Values of eliminated aliases follow in `aliases`: no other code reads them.
 *
 * Small linear systems are written out as assignments; all others are solved by Newton's method at run time.
 */

import { sameItems } from '../collections/lists.ts';
import { remember } from '../collections/memo.ts';
import { Failure } from '../diagnostic/failure.ts';
import { pulse } from '../diagnostic/pulse.ts';
import {
  type Alias,
  type Block,
  leavesOf,
  type SolveBlock,
  type SortedMode,
  unknownsOf,
} from '../structure/analysis.ts';
import type { LooseBlocks } from '../structure/loose.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import { type CallRule, gradient } from '../symbolic/differentiate.ts';
import type { Expr, Leaf, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Memory } from './memory.ts';
import type { Temporaries } from './temporaries.ts';
import type { Routine, SlotAssignment } from './unit.ts';

/** Linear systems up to this many unknowns after tearing are solved by formula. */
const formulaSize = 2;

export type Step =
  | { readonly kind: 'run'; readonly routine: number }
  | { readonly kind: 'solve'; readonly system: number };

/** A system that is solved at run time: F(tears) = 0. */
export interface SystemPlan {
  readonly block: SolveBlock;
  readonly linear: boolean;
  /** Slots of the unknowns that Newton's method iterates on. */
  readonly unknowns: Int32Array;
  /** Routine that computes the inner unknowns and then the residuals. */
  readonly residual: number;
  /** Slots of the residuals. */
  readonly residuals: Int32Array;
  /** Routine that computes the Jacobian's nonzeros (after `residual`). */
  readonly jacobian: number;
  readonly nonzeros: Int32Array;
  /** What they are, in the same order. */
  readonly coefficients: readonly Expr[];
  /** Compressed columns of the Jacobian. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** An unknown that keeps its value, the left limit, while the equation that determines it says nothing: the slot of `held` is 1 then. */
export interface LooseUnknown {
  readonly unknown: Ref;
  readonly potential: Ref;
  readonly slot: number;
  readonly limit: number;
  readonly held: number;
}

/** Blocks that are computed in order. */
export interface BlockPlan {
  readonly routines: readonly Routine[];
  readonly systems: readonly SystemPlan[];
  readonly loose: readonly LooseUnknown[];
  readonly event: readonly Step[];
}

export interface Plan extends BlockPlan {
  readonly dynamics: readonly Step[];
  readonly watch: readonly Step[];
  readonly outputs: readonly Step[];
  /** Where the continuous values are known, `event` and `aliases` give no more than this. */
  readonly reaction: readonly Step[];
  /** Values of eliminated variables, once those of the others are known. */
  readonly aliases: readonly Step[];
  /** The items of `dynamics` in order, for derivatives of the right-hand side. */
  readonly items: readonly PlanItem[];
  /** Those of `watch` and of `outputs`. */
  readonly watchItems: readonly PlanItem[];
  readonly outputItems: readonly PlanItem[];
}

/** An assignment to a leaf, or a system. */
export type PlanItem = AssignItem | { readonly kind: 'system'; readonly system: number };

/** As an assignment to the slot of its leaf it is part of routines. */
export interface AssignItem extends SlotAssignment {
  readonly kind: 'assign';
  readonly leaf: Ref;
  readonly discrete: boolean;
}

/** What is differentiated: items in order of computation, which may contain more than is needed. */
export interface Differentiated {
  readonly items: readonly PlanItem[];
  readonly systems: readonly SystemPlan[];
  readonly sources: readonly Ref[];
  readonly targets: readonly Expr[];
}

export interface PlanContext {
  readonly pool: Pool;
  /** How user functions are differentiated. */
  readonly calls: CallRule;
  readonly memory: Memory;
  readonly temporaries: Temporaries;
  /** The last assignment to each leaf: modes share them. */
  readonly assignments: Map<Ref, AssignItem>;
  /** By alias: the assignments of its values, by the order of the derivative. */
  readonly copies: WeakMap<Alias, AssignItem[]>;
  /** The last partial derivatives of each expression, by the leaves that were wanted: systems of modes share most residuals. */
  readonly slopes: Map<Expr, Slopes>;
  /** Whether only events change the value of a symbol. */
  isDiscrete(symbol: number): boolean;
}

export interface Slopes {
  readonly by: readonly Leaf[];
  readonly values: ReadonlyMap<Expr, Expr>;
}

/** A value to compute besides the blocks. */
export interface Wanted {
  readonly leaf: Ref;
  readonly value: Expr;
}

/** What is computed besides the blocks. */
export interface Demand {
  /** Needed wherever derivatives are: inputs of built-in components. */
  readonly always: readonly Wanted[];
  /** Needed to find events. */
  readonly watched: readonly Wanted[];
  /** Needed at events only. */
  readonly atEvents: readonly Wanted[];
}

/** `loose` are blocks that may leave values open (`structure/loose.ts`). */
export function planMode(context: PlanContext, sorted: SortedMode, demand: Demand, loose: LooseBlocks): Plan {
  return new Planner(context, loose).plan(sorted, demand);
}

/** A plan for blocks that are computed once, in order (initial values, restarts). */
export function planBlocks(context: PlanContext, blocks: readonly Block[], loose: LooseBlocks): BlockPlan {
  return new Planner(context, loose).planBlocks(blocks);
}

/** Items of a plan alone, as steps with routines of their own; the systems are those of the plan. */
export function planItems(
  context: PlanContext,
  items: readonly PlanItem[],
): { readonly routines: readonly Routine[]; readonly steps: readonly Step[] } {
  return new Planner(context, new Map()).planItems(items);
}

class Planner {
  private readonly pool: Pool;
  private readonly routines: Routine[] = [];
  private readonly systems: SystemPlan[] = [];
  private readonly looseUnknowns: LooseUnknown[] = [];
  /** Temporaries of formulas that are computed already. */
  private readonly computed = new Set<Ref>();

  constructor(
    private readonly context: PlanContext,
    private readonly loose: LooseBlocks,
  ) {
    this.pool = context.pool;
  }

  planBlocks(blocks: readonly Block[]): BlockPlan {
    const items = blocks.flatMap((block) => this.itemsOf(block));
    const { routines, systems, looseUnknowns: loose } = this;
    return { routines, systems, loose, event: this.steps('event', items) };
  }

  planItems(items: readonly PlanItem[]) {
    return { steps: this.steps('excerpt', items), routines: this.routines };
  }

  plan(sorted: SortedMode, { always, watched, atEvents }: Demand): Plan {
    const items = sorted.blocks.flatMap((block) => this.itemsOf(block));
    const extra = (wanted: readonly Wanted[]): PlanItem[] =>
      wanted.map(({ leaf, value }) => this.assign(leaf, value));
    const inputs = extra(always);
    const indicators = extra(watched);
    const conditions = extra(atEvents);
    const aliases = this.aliasItems(sorted, items);

    const derivatives = sorted.states.map((s) => this.pool.ref(s.symbol, s.order + 1));
    const producer = this.producers(items);
    const inDynamics = this.cone(items, producer, [
      ...derivatives,
      ...always.flatMap((w) => [...leaves(w.value)]),
    ]);
    const wanted = watched.flatMap((w) => [...leaves(w.value)]);
    const inWatch = this.cone(items, producer, wanted);
    const continuous = (item: PlanItem) => !this.isAtEvents(item);
    const dynamics = [...items.filter((item, k) => inDynamics[k] === 1 && continuous(item)), ...inputs];
    const watch = items.filter((item, k) => inDynamics[k] === 0 && inWatch[k] === 1 && continuous(item));
    const outputs = items.filter((item, k) => inDynamics[k] === 0 && inWatch[k] === 0 && continuous(item));

    const watchItems = [...watch, ...indicators];
    const changing = new Set<Expr>();
    return {
      routines: this.routines,
      systems: this.systems,
      loose: this.looseUnknowns,
      dynamics: this.steps('dynamics', dynamics),
      watch: this.steps('watch', watchItems),
      outputs: this.steps('outputs', outputs),
      event: this.steps('event', [...items, ...inputs, ...indicators, ...conditions]),
      reaction: this.steps('reaction', [
        ...this.reacting(items, changing),
        ...this.reacting(inputs, changing),
        ...this.reacting(indicators, changing),
        ...conditions,
        ...this.reacting(aliases, changing),
      ]),
      aliases: this.steps('aliases', aliases),
      items: dynamics,
      watchItems,
      outputItems: outputs,
    };
  }

  /** Values of eliminated aliases, in every derivative that is computed for their target. */
  private aliasItems(sorted: Pick<SortedMode, 'states' | 'aliases'>, items: readonly PlanItem[]): PlanItem[] {
    /** By symbol, where it is not 0. */
    const highest = new Map<number, number>();
    const note = ({ symbol, order }: Ref) => {
      if (order > 0) highest.set(symbol, Math.max(order, highest.get(symbol) ?? 0));
    };
    sorted.states.forEach(note);
    for (const item of items) {
      if (item.kind === 'assign') note(item.leaf);
      else for (const unknown of this.systems[item.system]!.block.tears) note(unknown);
    }
    const result: PlanItem[] = [];
    for (const alias of sorted.aliases) {
      const last = highest.get(alias.target) ?? 0;
      for (let order = 0; order <= last; order++) result.push(this.copy(alias, order));
    }
    return result;
  }

  /** The assignment of an alias, or of a derivative of it; modes share most aliases. */
  private copy(alias: Alias, order: number): AssignItem {
    const known = remember(this.context.copies, alias, () => []);
    const { symbol, target, sign } = alias;
    for (let k = known.length; k <= order; k++) {
      const value = this.pool.ref(target, k);
      known.push(this.assign(this.pool.ref(symbol, k), sign === 1 ? value : this.pool.neg(value)));
    }
    return known[order]!;
  }

  // -------------------------------------------------------------- dependencies

  private producers(items: readonly PlanItem[]): Map<Expr, number> {
    const producer = new Map<Expr, number>();
    for (const [k, item] of items.entries()) {
      pulse();
      // A temporary may be computed at events by one block and always by another.
      const isAtEvents = item.kind === 'assign' && item.discrete;
      for (const leaf of this.writes(item)) if (!isAtEvents || !producer.has(leaf)) producer.set(leaf, k);
    }
    return producer;
  }

  private isAtEvents(item: PlanItem): boolean {
    return item.kind === 'system' ? this.systems[item.system]!.block.discrete : item.discrete;
  }

  private writes(item: PlanItem): readonly Ref[] {
    return item.kind === 'assign' ? [item.leaf] : unknownsOf(this.systems[item.system]!.block);
  }

  private reads(item: PlanItem): readonly Expr[] {
    return item.kind === 'assign' ? leaves(item.value) : leavesOf(this.systems[item.system]!.block);
  }

  /** Which items the given leaves depend on. */
  private cone(
    items: readonly PlanItem[],
    producer: ReadonlyMap<Expr, number>,
    roots: readonly Expr[],
  ): Uint8Array {
    const marked = new Uint8Array(items.length);
    const stack: number[] = [];
    const visit = (leaf: Expr) => {
      const k = producer.get(leaf);
      if (k === undefined || marked[k]) return;
      marked[k] = 1;
      stack.push(k);
    };
    for (const leaf of roots) visit(leaf);
    while (stack.length > 0) for (const leaf of this.reads(items[stack.pop()!]!)) visit(leaf);
    return marked;
  }

  /** The items that depend on what changes at events only, or on what is `changing`; what they compute changes too. */
  private reacting(items: readonly PlanItem[], changing: Set<Expr>): PlanItem[] {
    const changes = (leaf: Expr): boolean =>
      leaf.kind === 'ref'
        ? this.context.isDiscrete(leaf.symbol) || changing.has(leaf)
        : leaf.kind === 'pre' || leaf.kind === 'held';
    return items.filter((item) => {
      if (!this.isAtEvents(item) && !this.reads(item).some(changes)) return false;
      for (const leaf of this.writes(item)) changing.add(leaf);
      return true;
    });
  }

  // -------------------------------------------------------------- steps

  /** Runs of assignments become routines; systems stand between them. */
  private steps(name: string, items: readonly PlanItem[]): Step[] {
    const steps: Step[] = [];
    let body: SlotAssignment[] = [];
    const flush = () => {
      if (body.length === 0) return;
      steps.push({ kind: 'run', routine: this.routine(`${name}${steps.length || ''}`, body) });
      body = [];
    };
    for (const item of items) {
      if (item.kind === 'assign') {
        body.push(item);
      } else {
        flush();
        steps.push({ kind: 'solve', system: item.system });
      }
    }
    flush();
    return steps;
  }

  private routine(name: string, body: readonly SlotAssignment[]): number {
    this.routines.push({ name, body });
    return this.routines.length - 1;
  }

  private assign(leaf: Ref, value: Expr, discrete = false): AssignItem {
    const { assignments } = this.context;
    const last = assignments.get(leaf);
    if (last && last.value === value && last.discrete === discrete) return last;
    const item: AssignItem = { kind: 'assign', leaf, slot: this.slot(leaf), value, discrete };
    assignments.set(leaf, item);
    return item;
  }

  private slot(leaf: Expr): number {
    return this.context.memory.slotOf(leaf);
  }

  // -------------------------------------------------------------- blocks

  private itemsOf(block: Block): PlanItem[] {
    if (block.kind === 'assign') return [this.assign(block.unknown, block.value, block.discrete)];
    if (block.linear && block.tears.length <= formulaSize) return this.formula(block);
    return [{ kind: 'system', system: this.system(block) }];
  }

  /**
   * A small linear system by Cramer's rule: with the tears at zero the residuals are r0, and tears = -J^-1 r0. The inner
   * unknowns at zero are temporaries of their own, so that no leaf is assigned twice.
   */
  private formula(block: SolveBlock): PlanItem[] {
    const { pool } = this;
    const items: PlanItem[] = [];
    const assign = (leaf: Ref, value: Expr): void => {
      items.push(this.assign(leaf, value, block.discrete));
    };
    /** The same value may stand in several formulas. */
    const keep = (value: Expr): Ref => {
      const leaf = this.context.temporaries.of(value);
      if (this.computed.has(leaf)) return leaf;
      assign(leaf, value);
      // What is computed at events only is no help in between.
      if (!block.discrete) this.computed.add(leaf);
      return leaf;
    };
    const { entries: jacobian, tangents } = this.entries(block, keep);
    const atZero = new Map<Expr, Expr>(block.tears.map((t) => [t, pool.zero]));
    const replace = (expr: Expr) => substitute(pool, expr, (leaf) => atZero.get(leaf));
    for (const { unknown, value } of block.inner) atZero.set(unknown, keep(replace(value)));
    const r = block.residuals.map((residual) => keep(replace(residual)));
    const entry = (row: number, column: number): Expr =>
      jacobian.find((e) => e.row === row && e.column === column)?.value ?? pool.zero;
    const [unknown] = block.tears;
    if (block.tears.length === 1) {
      const [rest, slope] = [r[0]!, entry(0, 0)];
      const value = pool.neg(pool.quotient(rest, slope));
      assign(unknown!, this.unlessOpen(block, unknown!, value, [rest, slope], tangents, keep));
    } else {
      const [a, b, c, d] = [entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)];
      const determinant = keep(pool.sub(pool.mul(a, d), pool.mul(b, c)));
      assign(block.tears[0]!, pool.quotient(pool.sub(pool.mul(b, r[1]!), pool.mul(d, r[0]!)), determinant));
      assign(block.tears[1]!, pool.quotient(pool.sub(pool.mul(c, r[0]!), pool.mul(a, r[1]!)), determinant));
    }
    for (const inner of block.inner) assign(inner.unknown, inner.value);
    return items;
  }

  /** A value; where the block leaves it open, since all `factors` are zero, the left limit. */
  private unlessOpen(
    block: Block,
    unknown: Ref,
    value: Expr,
    factors: readonly Expr[],
    tangents: ReadonlyMap<Expr, ReadonlyMap<number, Expr>>,
    keep: (value: Expr) => Ref,
  ): Expr {
    const loose = this.loose.get(block);
    if (!loose) return value;
    const { pool } = this;
    const { potential, flows } = loose;
    const slopes = flows.map((flow) => tangents.get(flow)?.get(0) ?? pool.zero);
    const isHeld = [...factors, ...slopes]
      .map((factor) => pool.apply('eq', factor, pool.zero))
      .reduce((all, one) => pool.apply('and', all, one));
    const [held, limit] = [keep(isHeld), pool.pre(unknown.symbol)];
    const [slot, limitSlot, heldSlot] = [this.slot(unknown), this.slot(limit), this.slot(held)];
    this.looseUnknowns.push({ unknown, potential, slot, limit: limitSlot, held: heldSlot });
    return pool.if(held, limit, value);
  }

  private system(block: SolveBlock): number {
    const n = block.tears.length;
    const { temporaries } = this.context;
    const k = this.systems.length;
    const inside: SlotAssignment[] = block.inner.map(({ unknown, value }) => ({
      slot: this.slot(unknown),
      value,
    }));
    const residuals = temporaries.slotsOf(block.residuals, inside);
    const residual = this.routine(`residual${k}`, inside);
    const body: SlotAssignment[] = [];
    const { entries } = this.entries(block, (value) => {
      const leaf = temporaries.of(value);
      body.push({ slot: this.slot(leaf), value });
      return leaf;
    });
    entries.sort((a, b) => a.column - b.column || a.row - b.row);
    const starts = new Int32Array(n + 1);
    for (const { column } of entries) starts[column + 1]!++;
    for (let j = 0; j < n; j++) starts[j + 1]! += starts[j]!;
    const values = entries.map(({ value }) => value);
    const nonzeros = temporaries.slotsOf(values, body);
    this.systems.push({
      block,
      linear: block.linear,
      unknowns: Int32Array.from(block.tears, (t) => this.slot(t)),
      residual,
      residuals,
      jacobian: this.routine(`jacobian${k}`, body),
      nonzeros,
      coefficients: values,
      starts,
      rows: Int32Array.from(entries, ({ row }) => row),
    });
    return k;
  }

  /**
   * Derivatives of the residuals by the tears, through the inner unknowns (forward mode); `keep` gives a
   * derivative that is used further a leaf of its own. Also those of the inner unknowns.
   */
  private entries(
    block: SolveBlock,
    keep: (value: Expr) => Ref,
  ): {
    entries: { row: number; column: number; value: Expr }[];
    tangents: ReadonlyMap<Expr, ReadonlyMap<number, Expr>>;
  } {
    const { pool } = this;
    const entries: { row: number; column: number; value: Expr }[] = [];
    const tangents = new Map<Expr, Map<number, Expr>>();
    for (const [k, tear] of block.tears.entries()) tangents.set(tear, new Map([[k, pool.one]]));
    /** Nonzero derivatives of an expression, by tear. */
    const differentiate = (expr: Expr): Map<number, Expr> => {
      const row = new Map<number, Expr>();
      for (const [leaf, slope] of slopesOf(this.context, expr, (l) => tangents.has(l))) {
        for (const [k, tangent] of tangents.get(leaf)!) {
          const term = pool.mul(slope, tangent);
          row.set(k, row.has(k) ? pool.add(row.get(k)!, term) : term);
        }
      }
      for (const [k, value] of row) if (value === pool.zero) row.delete(k);
      return row;
    };
    for (const { unknown, value } of block.inner) {
      const row = differentiate(value);
      for (const [k, tangent] of row)
        if (tangent.kind === 'apply' || tangent.kind === 'call') row.set(k, keep(tangent));
      tangents.set(unknown, row);
    }
    for (const [row, residual] of block.residuals.entries()) {
      for (const [column, value] of differentiate(residual)) entries.push({ row, column, value });
    }
    return { entries, tangents };
  }
}

/** Partial derivatives of an expression by the leaves that are wanted; a function without one is the model's error. */
function slopesOf(context: PlanContext, expr: Expr, wanted: (leaf: Expr) => boolean): Slopes['values'] {
  const by = leaves(expr).filter(wanted);
  const last = context.slopes.get(expr);
  if (last && sameItems(last.by, by)) return last.values;
  const { value: values, reason } = gradient(context.pool, expr, wanted, context.calls);
  if (!values) {
    const message = `A derivative is needed that does not exist: ${reason}.`;
    throw Failure.of('translate', 'not-differentiable', message);
  }
  context.slopes.set(expr, { by, values });
  return values;
}
