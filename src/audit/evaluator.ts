/**
 * Values of expressions at a place of the results, by the interpreter, for all possibilities of what can be decided either way; and how
 * much a value may be off. A difference counts as zero where changes of the variables in it by `tolerance`, relative to their sizes, explain it.
 */
import { remember } from '../collections/memo.ts';
import { Failure } from '../diagnostic/failure.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { leaves } from '../symbolic/analyse.ts';
import { evaluate } from '../symbolic/evaluate.ts';
import type { Apply, Call, Expr, Iter, Leaf, Ref, Time } from '../symbolic/expr.ts';
import { Interpreter } from '../symbolic/functions.ts';
import { type AuditChoices, possibilities } from './choices.ts';
import { type AuditPlan, evaluatePlan, planOf } from './plan.ts';
import type { AuditBranching, AuditCondition, AuditItem } from './rows.ts';
import type { RecordedValues } from './values.ts';

/** How much variables may be off, relative to their sizes. */
export const tolerance = 1e-6;

/** The same for instants, relative to the end of the run. */
export const timeTolerance = 1e-10;

/** Combinations of possibilities beyond which an equation is not decided. */
const mostCases = 256;

/** A place of the results: the values of leaves there. */
export interface LeafValues {
  /** The value of a variable or the time. */
  value(leaf: Leaf): number;
  /** What a leaf can be that may have several values (`AuditChoices.open`). */
  candidates(leaf: Leaf): readonly number[];
  /** How far the value of a slot may be off where relations are decided, if that is more than usual. */
  spread?(slot: number): number;
}

export type Assigned = Map<Expr, number>;

export class AuditEvaluator {
  private readonly interpreter: Interpreter;
  private readonly plans = new Map<Expr, AuditPlan | 'lazy' | 'unknown'>();
  private readonly changing = new Map<Expr, readonly (Ref | Time)[]>();

  constructor(
    readonly values: RecordedValues,
    readonly choices: AuditChoices,
  ) {
    this.interpreter = new Interpreter(values.flat.pool, values.flat.functions);
  }

  /**
   * Visits the combinations of possibilities of some expressions until `visit` is content. True where it was, undefined
   * where there are too many to tell.
   */
  cases(
    exprs: readonly Expr[],
    place: LeafValues,
    visit: (assigned: Assigned) => boolean,
  ): boolean | undefined {
    const { assigned, several } = this.openIn(exprs, place);
    const count = several.reduce((product, { options }) => product * options.length, 1);
    if (count > mostCases) return undefined;
    for (let k = 0; k < count; k++) {
      let rest = k;
      for (const { leaf, options } of several) {
        assigned.set(leaf, options[rest % options.length]!);
        rest = Math.floor(rest / options.length);
      }
      if (visit(assigned)) return true;
    }
    return false;
  }

  /** What some expressions are decided by, where there is only one possibility. */
  sole(exprs: readonly Expr[], place: LeafValues): Assigned | undefined {
    const { assigned, several } = this.openIn(exprs, place);
    return several.length === 0 ? assigned : undefined;
  }

  /** The first of all possibilities, and what can be otherwise. */
  private openIn(
    exprs: readonly Expr[],
    place: LeafValues,
  ): {
    readonly assigned: Assigned;
    readonly several: { readonly leaf: Leaf; readonly options: readonly number[] }[];
  } {
    const assigned: Assigned = new Map();
    const several: { readonly leaf: Leaf; readonly options: readonly number[] }[] = [];
    for (const expr of exprs)
      for (const leaf of this.choices.open(expr)) {
        if (assigned.has(leaf)) continue;
        const options = place.candidates(leaf);
        assigned.set(leaf, options[0] ?? Number.NaN);
        if (options.length > 1) several.push({ leaf, options });
      }
    return { assigned, several };
  }

  /** The values that an expression can have; none where there are too many. */
  possible(expr: Expr, place: LeafValues): number[] {
    const found = new Set<number>();
    const decided = this.cases([expr], place, (assigned) => {
      found.add(this.evaluate(expr, place, assigned));
      return false;
    });
    return decided === undefined ? [] : [...found];
  }

  /** The value of an expression; NaN where it can have several. */
  only(expr: Expr, place: LeafValues): number {
    const values = this.possible(expr, place);
    return values.length === 1 ? values[0]! : Number.NaN;
  }

  /** The values that a condition can have: false, true or both. What has none, as `else`, holds. */
  truth(expr: Expr | undefined, place: LeafValues): { readonly no: boolean; readonly yes: boolean } {
    if (!expr) return { no: false, yes: true };
    const values = this.possible(expr, place);
    const unknown = values.length === 0 || values.some((value) => Number.isNaN(value));
    return { no: unknown || values.includes(0), yes: unknown || values.some((value) => value !== 0) };
  }

  /** Whether a condition must have its value. */
  isSurely({ expr, value }: AuditCondition, place: LeafValues): boolean {
    const { no, yes } = this.truth(expr, place);
    return value ? !no : !yes;
  }

  /** The branches that can be in force, up to the first that surely is where those before it are not. */
  *possibleBranches(
    branches: AuditBranching['branches'],
    place: LeafValues,
  ): Generator<{ readonly body: readonly AuditItem[]; readonly isSure: boolean }> {
    for (const { condition, body } of branches) {
      const { no, yes } = this.truth(condition, place);
      if (yes) yield { body, isSure: !no };
      if (!no) return;
    }
  }

  /** NaN where something is missing, or cannot be computed. */
  evaluate(expr: Expr, place: LeafValues, assigned: Assigned): number {
    pulse();
    if (expr.kind === 'const') return expr.value;
    const read = (leaf: Leaf): number =>
      (assigned.size > 0 ? assigned.get(leaf) : undefined) ?? place.value(leaf);
    const plan = remember(this.plans, expr, () => this.planOf(expr));
    if (plan === 'unknown') return Number.NaN;
    if (plan !== 'lazy') return evaluatePlan(plan, read);
    try {
      return evaluate(
        expr,
        (leaf: Leaf | Iter | Apply) => read(leaf as Leaf),
        (node: Call, args) => this.interpreter.call(node, args),
      );
    } catch (problem) {
      if (problem instanceof Failure) return Number.NaN;
      throw problem;
    }
  }

  /** Results have no Strings. */
  private planOf(expr: Expr): AuditPlan | 'lazy' | 'unknown' {
    const isText = (leaf: Leaf): boolean =>
      (leaf.kind === 'ref' || leaf.kind === 'pre') && this.values.isText(leaf.symbol);
    return leaves(expr).some(isText) ? 'unknown' : (planOf(expr) ?? 'lazy');
  }

  /** How far `left - right` may be off, where its value is `difference`; `spread` says how much more than usual variables may be off. */
  allowance(
    left: Expr,
    right: Expr,
    place: LeafValues,
    assigned: Assigned,
    difference: number,
    spread: (slot: number) => number = () => 0,
  ): number {
    const { values } = this;
    let sum = 0;
    for (const leaf of this.changingIn(left, right)) {
      const value = place.value(leaf);
      const slot = leaf.kind === 'time' ? -1 : values.slotOf(leaf);
      const change =
        leaf.kind === 'time'
          ? timeTolerance * values.lastTime
          : Math.max(tolerance * values.sizeOf(slot, value), spread(slot));
      let most = 0;
      // A bend, as of `min` or `max`, may have a slope on one side only.
      for (const moved of [value + change, value - change]) {
        assigned.set(leaf, moved);
        const other = this.evaluate(left, place, assigned) - this.evaluate(right, place, assigned);
        if (Math.abs(other - difference) > most) most = Math.abs(other - difference);
      }
      assigned.delete(leaf);
      if (Number.isFinite(most)) sum += most;
    }
    return sum;
  }

  /** What a choice can be at a place, from its operands. */
  decide(number: number, place: LeafValues): readonly number[] {
    const choice = this.choices.list[number]!;
    const { pool } = this.values.flat;
    const operands = this.choices.operands(choice);
    const [left, right = pool.zero] = operands as [Expr, Expr?];
    const found = new Set<number>();
    const decided = this.cases(operands, place, (assigned) => {
      const [a, b] = [this.evaluate(left, place, assigned), this.evaluate(right, place, assigned)];
      if (Number.isNaN(a - b)) {
        for (const value of [0, 1]) found.add(value);
        return false;
      }
      const near = tolerance * (Math.abs(a) + Math.abs(b));
      const own = choice.kind === 'floor' ? a - Math.round(a) : a - b;
      const allowed =
        near > 0 && Math.abs(own) <= near
          ? near
          : near + this.allowance(left, right, place, assigned, a - b, (slot) => place.spread?.(slot) ?? 0);
      for (const value of possibilities(choice, [a, b], allowed)) found.add(value);
      return false;
    });
    if (decided === undefined) return [0, 1];
    return [...found];
  }

  /** Real variables, and the time, that occur on either side. */
  private changingIn(left: Expr, right: Expr): readonly (Ref | Time)[] {
    const own = (expr: Expr): readonly (Ref | Time)[] =>
      remember(this.changing, expr, () =>
        leaves(expr).filter((leaf) => leaf.kind === 'time' || this.values.isMoving(leaf)),
      );
    const [a, b] = [own(left), own(right)];
    return b.length === 0 ? a : [...new Set([...a, ...b])];
  }
}
