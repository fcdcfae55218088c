/**
 * What changes at events only: when-equations, clocked equations, transitions of state machines, and that nothing discrete changes
 * otherwise. Conditions are computed from stored values; where these do not tell what happened in between at one instant, nothing is asked.
 */
import { append } from '../collections/groups.ts';
import type { Expr, Leaf } from '../symbolic/expr.ts';
import type { Across } from './across.ts';
import { type AuditEvaluator, type LeafValues, tolerance } from './evaluator.ts';
import type { Model } from './model.ts';
import type { AuditPoint } from './point.ts';
import { type Offences, placeText } from './report.ts';
import type { Residuals } from './residuals.ts';
import type { AuditAssignment, Clocked, When } from './rows.ts';

/** Whether a branch of a when-clause acted: surely, surely not, or perhaps. */
type Acted = 'yes' | 'no' | 'perhaps';

/** An assignment of a branch, whether that acted, and whether it may have acted again at the same instant. */
interface Assigned {
  readonly assignment: AuditAssignment;
  readonly acted: Acted;
  readonly again: boolean;
}

/** Values that a variable may take in a row at one instant: more than a run iterates. */
const mostValues = 1000;

export class Discrete {
  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly model: Model,
    private readonly offences: Offences,
  ) {}

  /** Scalars that may have been given values at an event: by `reinit`, by transitions, by states that were entered. */
  setAt(across: Across): Set<number> {
    const set = new Set<number>();
    for (const when of this.model.rows.whens)
      for (const branch of when.branches) {
        if (branch.set.length === 0 || this.acted(when, branch.conditions, across) === 'no') continue;
        for (const scalar of branch.set) set.add(scalar);
      }
    for (const machine of across.moved)
      for (const scalar of this.model.machines[machine]!.set) set.add(scalar);
    return set;
  }

  /** When-equations and clocked equations at an event. */
  check(across: Across, residuals: Residuals): void {
    // Impulses and transitions lead through values that are not stored.
    if (across.weights.size > 0 || across.moved.size > 0) return;
    for (const when of this.model.rows.whens) this.checkWhen(when, across);
    for (const { items, scalars, resets } of this.model.rows.clocked) {
      const { values } = this.evaluator;
      const changed = scalars.some((scalar) => {
        const slot = values.slot(scalar);
        return !Object.is(across.before.now[slot], across.after.now[slot]);
      });
      // Whether a clock ticked is seen by what changed.
      if (!changed) continue;
      const own = new Map(scalars.map((scalar) => [scalar, across.before.now[values.slot(scalar)]!]));
      const place = new Ticking(across, this.evaluator, own, resets);
      // At the first tick equations may determine states, whatever values they begin with.
      for (const failing of residuals.failing(items, place))
        if (!(failing.row.integrates && across.before.row < 0)) this.offences.residual(failing, across.after);
    }
  }

  private checkWhen(when: When, across: Across): void {
    // The branch of an if-equation that it stands in may not be in force: another one then assigns the same.
    if (!when.guard.every((condition) => this.evaluator.isSurely(condition, across))) return;
    const assigned = new Map<number, Assigned[]>();
    for (const branch of when.branches) {
      const acted = this.acted(when, branch.conditions, across);
      const again = branch.conditions.some((condition) => across.mayRepeat(condition));
      for (const assignment of branch.assigned)
        append(assigned, assignment.scalar, { assignment, acted, again });
    }
    for (const [scalar, list] of assigned) this.checkAssigned(scalar, list, across);
  }

  private checkAssigned(scalar: number, list: readonly Assigned[], across: Across): void {
    const { values } = this.evaluator;
    const slot = values.slot(scalar);
    const [before, after] = [across.before.now[slot]!, across.after.now[slot]!];
    if (Number.isNaN(before) || Number.isNaN(after)) return;
    const sure = list.find(({ acted }) => acted === 'yes');
    if (!sure && this.isClose(before, after, slot)) return;
    const possible = sure ? [sure] : list.filter(({ acted }) => acted === 'perhaps');
    const own = new Map([[scalar, before]]);
    const set = new Set(this.model.rows.whens.flatMap((when) => when.branches.flatMap((b) => b.set)));
    if (possible.some(({ assignment }) => across.mayBeSet(assignment.value, set))) return;
    for (const { assignment } of possible)
      for (const place of [new Ticking(across, this.evaluator, own), across.before, across.after]) {
        const results = this.evaluator.possible(assignment.value, place);
        if (results.length === 0 || results.some((value) => Number.isNaN(value))) return;
        if (results.some((value) => this.isClose(value, after, slot))) return;
      }
    const repeated = possible.flatMap(({ assignment, again }) => (again ? [assignment] : []));
    if (this.isReached(scalar, repeated, across)) return;
    const { assignment } = (possible[0] ?? list[0])!;
    const name = values.nameOf(scalar);
    const place = placeText('after', across.time);
    const message = possible[0]
      ? `The when-equation of ${name} does not hold ${place}: it is ${after}.`
      : `${name} changes from ${before} to ${after} ${placeText('between', across.time)}, but no when-equation that assigns it acts.`;
    this.offences.add({ key: `when ${name}`, message, relative: 1, span: assignment.origin.span });
  }

  /** Whether assignments that may act again and again at one instant lead from the value before it to the one after it. */
  private isReached(scalar: number, repeated: readonly AuditAssignment[], across: Across): boolean {
    const slot = this.evaluator.values.slot(scalar);
    const reached = new Set([across.before.now[slot]!]);
    for (const value of reached) {
      if (reached.size > mostValues) break;
      const place = new Ticking(across, this.evaluator, new Map([[scalar, value]]));
      for (const assignment of repeated)
        for (const next of this.evaluator.possible(assignment.value, place)) {
          if (this.isClose(next, across.after.now[slot]!, slot)) return true;
          reached.add(next);
        }
    }
    return false;
  }

  private isClose(a: number, b: number, slot: number): boolean {
    if (a === b) return true;
    return Math.abs(a - b) <= 10 * tolerance * this.evaluator.values.sizeOf(slot, a, b);
  }

  /** Whether a branch with these conditions acted at an event. */
  private acted(when: When, conditions: readonly Expr[], across: Across): Acted {
    const { evaluator } = this;
    const { guard, branches } = when;
    const set = new Set(
      this.model.rows.whens.flatMap((other) => (other === when ? [] : other.branches.flatMap((b) => b.set))),
    );
    let result: Acted = 'no';
    const own = new Set(branches.flatMap(({ assigned }) => assigned.map(({ scalar }) => scalar)));
    const single = conditions.length === 1 && branches.length === 1 && guard.length === 0;
    for (const condition of conditions) {
      if (across.heat(condition) > 0 || across.mayFlash(condition)) return 'perhaps';
      if (across.mayBeTried(condition, own) || across.mayBeSet(condition, set)) return 'perhaps';
      const before = evaluator.truth(condition, across.before);
      // What was true already does not become true.
      if (!before.no) continue;
      const after = evaluator.truth(condition, across);
      if (before.yes || after.yes) result = 'perhaps';
      if (single && !before.yes && !after.no) return 'yes';
    }
    return result;
  }

  /** Machines have one active state, and transitions are taken that are due; `wide` is the point with all that the errors of the run leave open. */
  checkMachines(point: AuditPoint, wide: () => AuditPoint): void {
    for (const { transitions, guard, active, name, origin: own } of this.model.machines) {
      if (!guard.every((condition) => this.evaluator.isSurely(condition, point))) continue;
      const count = active.reduce((sum, slot) => sum + point.now[slot]!, 0);
      if (count !== 1 && !Number.isNaN(count)) {
        const place = placeText(point.side, point.time);
        const message = `Of the states ${name}, ${count === 0 ? 'none' : count} is active ${place}, not one.`;
        this.offences.add({ key: active, message, relative: 1, span: own.span });
      }
      if (point.side === 'before') continue;
      for (const { from, condition, immediate, text, origin } of transitions) {
        if (point.now[from] !== 1 || (point.side === 'after' && !immediate)) continue;
        const truth = this.evaluator.truth(condition, point);
        if (truth.no || this.evaluator.truth(condition, wide()).no) continue;
        const message = `The transition from ${text} is not taken ${placeText(point.side, point.time)}, although its condition holds.`;
        this.offences.add({ key: condition, message, relative: 1, span: origin.span });
      }
    }
  }

  /** Discrete variables between two rows that no event separates. */
  checkConstant(scalars: Int32Array, from: AuditPoint, to: AuditPoint): void {
    const { values } = this.evaluator;
    for (const scalar of scalars) {
      const slot = values.slot(scalar);
      const [a, b] = [from.now[slot]!, to.now[slot]!];
      if (a === b || Number.isNaN(a) || Number.isNaN(b)) continue;
      const name = values.nameOf(scalar);
      const message = `${name} changes from ${a} to ${b} between the times ${from.time} and ${to.time}, without an event.`;
      const { span } = values.variableOf(scalar).origin;
      this.offences.add({ key: `constant ${name}`, message, relative: 1, span });
    }
  }
}

/** Values after an event; left limits of some variables are known. */
class Ticking implements LeafValues {
  constructor(
    private readonly across: Across,
    private readonly evaluator: AuditEvaluator,
    private readonly own: ReadonlyMap<number, number>,
    private readonly resets: Clocked['resets'] = new Map(),
  ) {}

  value(leaf: Leaf): number {
    return this.across.after.value(leaf);
  }

  candidates(leaf: Leaf): readonly number[] {
    const { values, choices } = this.evaluator;
    const choice = leaf.kind === 'held' ? choices.list[leaf.relation]! : undefined;
    const before = choice?.kind === 'pre' ? this.own.get(choice.scalar) : undefined;
    if (choice?.kind !== 'pre' || before === undefined) return this.across.candidates(leaf);
    const reset = this.resets.get(choice.scalar);
    if (!reset || this.across.after.now[values.slot(reset.flag)] === 0) return [before];
    return this.evaluator.possible(reset.start, this.across.after);
  }
}
