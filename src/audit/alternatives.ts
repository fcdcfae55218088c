/**
 * Modes that are consistent beside the one that a run is in. A relation may choose between equations that decide it: then there may be a solution for either value, and which of them
 * a run is in depends on where it came from. Here the values of relations are turned round, one after the other, and the equations that then are in force are solved with the states as they are;
 * if all relations agree with that solution, it is another mode that would be right as well. This is looked at once for each combination of relations that a run comes through, in the
 * first row in which none of them is on its boundary.
 */
import { rememberCyclic } from '../collections/memo.ts';
import type { Span } from '../diagnostic/source.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Leaf, Ref } from '../symbolic/expr.ts';
import { one } from './elimination.ts';
import type { AuditEvaluator, LeafValues } from './evaluator.ts';
import type { Model } from './model.ts';
import type { AuditPoint } from './point.ts';
import { shown } from './report.ts';
import type { Residuals } from './residuals.ts';
import type { AuditItem } from './rows.ts';
import type { RecordedSlopes, SlotValues } from './slopes.ts';
import { relationText, watchedAt } from './watched.ts';

/** Combinations of relations, and relations of each, that are looked at. */
const mostCombinations = 64;
const mostRelations = 64;
/** Equations beyond which nothing is solved. */
const mostRows = 1000;
/** Times that other relations follow the one that was turned round. */
const mostRounds = 4;
/** Steps of Newton's method, and passes over definitions of discrete variables. */
const mostSteps = 8;
/** Changes below this share of the size of a variable are none. */
const still = 1e-7;
/** Equations that are off by less than this share of their sides change nothing. */
const rounding = 1e-14;

/** Two modes that are consistent at the same time. */
export interface Ambiguity {
  readonly message: string;
  readonly span: Span | undefined;
}

export class Alternatives {
  readonly found: Ambiguity[] = [];
  private readonly seen = new Set<string>();
  private readonly reported = new Set<string>();
  private readonly timed = new Map<number, boolean>();

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly model: Model,
    private readonly residuals: Residuals,
    private readonly slopes: RecordedSlopes,
  ) {}

  next(point: AuditPoint): void {
    if (this.seen.size >= mostCombinations || this.model.all.length > mostRows) return;
    const { pool } = this.evaluator.values.flat;
    const watched = this.relationsAt(point);
    const values = new Map<number, number>();
    for (const number of watched.keys()) {
      const [value, other] = point.candidates(pool.held(number));
      if (value === undefined || other !== undefined) return;
      values.set(number, value);
    }
    const key = keyOf(values);
    if (this.seen.has(key) || values.size > mostRelations) return;
    this.seen.add(key);
    for (const number of values.keys())
      if (this.isDetermined(number)) this.turn(number, point, values, watched);
  }

  private relationsAt(place: SlotValues): Map<number, Span | undefined> {
    const { list } = this.evaluator.choices;
    const watched = watchedAt(this.model, this.evaluator, place);
    return new Map([...watched].filter(([number]) => list[number]!.kind !== 'pulse'));
  }

  private turn(
    number: number,
    point: AuditPoint,
    values: ReadonlyMap<number, number>,
    watched: ReadonlyMap<number, Span | undefined>,
  ): void {
    const assumed = new Map(values);
    assumed.set(number, 1 - values.get(number)!);
    for (let round = 0; round < mostRounds; round++) {
      const other = this.solved(point, assumed);
      if (!other) return;
      const violated = this.violated(other);
      if (!violated || violated.has(number)) return;
      if (violated.size === 0) {
        this.report(number, watched.get(number), point, { values, other });
        return;
      }
      for (const [relation, value] of violated) assumed.set(relation, value);
    }
  }

  /** Relations that do not have the values assumed, with those that they have; undefined where they are on their boundaries. */
  private violated(other: Assumption): Map<number, number> | undefined {
    const found = new Map<number, number>();
    for (const number of this.relationsAt(other).keys()) {
      const [value, second] = this.evaluator.decide(number, other);
      if (value === undefined || second !== undefined) return undefined;
      if (value !== other.held(number)) found.set(number, value);
    }
    return found;
  }

  /** The solution for assumed values of relations, with states as they are; undefined where there is none. */
  private solved(point: AuditPoint, assumed: ReadonlyMap<number, number>): Assumption | undefined {
    const { values } = this.evaluator;
    const place = new Assumption(this.evaluator, point, assumed);
    for (let pass = 0; this.follow(this.model.rows.items, place); pass++)
      if (pass === mostSteps) return undefined;
    for (let step = 0; step < mostSteps; step++) {
      const changes = this.changes(place);
      let isStill = true;
      for (const [slot, change] of changes) {
        if (!Number.isFinite(change)) return undefined;
        if (Math.abs(change) <= still * values.sizeOf(slot, place.now[slot]!)) continue;
        // States stay as they are.
        if (values.derivativeOf(slot) !== undefined) return undefined;
        isStill = false;
        place.now[slot]! += change;
      }
      if (isStill)
        return this.residuals.failing(this.model.rows.items, place).length === 0 ? place : undefined;
    }
    return undefined;
  }

  /** Discrete variables follow what defines them; true if one changed. */
  private follow(items: readonly AuditItem[], place: Assumption): boolean {
    let changed = false;
    for (const { row, assigned } of this.residuals.inForce(items, place)) {
      const { left, right, exact } = row;
      if (!exact || left.kind !== 'ref') continue;
      const value = this.evaluator.evaluate(right, place, assigned);
      const slot = this.evaluator.values.slotOf(left);
      if (place.now[slot] === value || Number.isNaN(value)) continue;
      place.now[slot] = value;
      changed = true;
    }
    return changed;
  }

  /** One step of Newton's method; none where all equations hold. */
  private changes(place: Assumption): Map<number, number> {
    const fitting = this.residuals.inForce(this.model.rows.items, place).filter(({ row }) => !row.exact);
    let isSolved = true;
    const rests = fitting.map(({ row, assigned }) => {
      const left = this.evaluator.evaluate(row.left, place, assigned);
      const right = this.evaluator.evaluate(row.right, place, assigned);
      if (!(Math.abs(left - right) <= rounding * (Math.abs(left) + Math.abs(right)))) isSolved = false;
      return left - right;
    });
    if (isSolved) return new Map();
    const elimination = this.slopes.elimination(place, (slot) => place.now[slot]!);
    for (const [k, rest] of rests.entries()) {
      const terms = this.slopes.terms(fitting[k]!, place);
      if (rest !== 0) terms.set(one, rest);
      elimination.add(terms);
    }
    elimination.finish();
    return elimination.constants();
  }

  /** Whether a relation depends on values that equations determine, rather than on states and time alone. */
  private isDetermined(number: number): boolean {
    const { choices } = this.evaluator;
    const choice = choices.list[number]!;
    return choice.kind === 'relation' && this.determinedIn(choices.operands(choice)).length > 0;
  }

  private determinedIn(operands: readonly Expr[]): Ref[] {
    const { values } = this.evaluator;
    const all = new Set(operands.flatMap((operand) => leaves(operand)));
    return [...all].filter((leaf): leaf is Ref => {
      if (!values.isMoving(leaf)) return false;
      return !this.isTimed(leaf.symbol) && values.derivativeOf(values.slotOf(leaf)) === undefined;
    });
  }

  /** Whether a scalar is a function of time, whatever relations are. */
  private isTimed(scalar: number): boolean {
    const { values } = this.evaluator;
    const driver = this.model.drivers.get(scalar);
    if (!driver) return false;
    // A Real variable and an Integer may each be what the other is equal to.
    return rememberCyclic(this.timed, scalar, false, () =>
      leaves(driver).every((leaf) => {
        if (leaf.kind !== 'ref') return leaf.kind === 'time';
        return values.isFixed(leaf.symbol) || this.isTimed(leaf.symbol);
      }),
    );
  }

  private report(
    number: number,
    span: Span | undefined,
    point: AuditPoint,
    { values, other }: { readonly values: ReadonlyMap<number, number>; readonly other: Assumption },
  ): void {
    const turned = new Map([...values.keys()].map((relation) => [relation, other.held(relation)]));
    const pair = [keyOf(values), keyOf(turned)].sort().join(' | ');
    if (this.reported.has(pair)) return;
    this.reported.add(pair);
    const { values: table, choices } = this.evaluator;
    const refs = this.determinedIn(choices.operands(choices.list[number]!)).slice(0, 3);
    const listed = ({ now }: { readonly now: Float64Array }): string =>
      refs
        .map(
          (ref) =>
            `${'der('.repeat(ref.order)}${table.nameOf(ref.symbol)}${')'.repeat(ref.order)} = ${shown(now[table.slotOf(ref)]!)}`,
        )
        .join(', ');
    const isTrue = values.get(number) !== 0;
    const message = `Two modes are consistent at time ${shown(point.time)}: ${relationText(this.evaluator, number)} is ${isTrue} with ${listed(point)}, and could be ${!isTrue} with ${listed(other)}.`;
    this.found.push({ message, span });
  }
}

/** A row of the results with other values of relations, and what follows from them. */
class Assumption implements LeafValues {
  readonly now: Float64Array;

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly point: AuditPoint,
    private readonly assumed: ReadonlyMap<number, number>,
  ) {
    this.now = point.now.slice();
  }

  held(number: number): number {
    const known = this.assumed.get(number);
    if (known !== undefined) return known;
    // Relations that did not matter before are what they are.
    const found = this.evaluator.choices.isComputed(number)
      ? this.evaluator.decide(number, this)
      : this.point.candidates(this.evaluator.values.flat.pool.held(number));
    return found[0] ?? Number.NaN;
  }

  value(leaf: Leaf): number {
    if (leaf.kind === 'ref') return this.now[this.evaluator.values.slotOf(leaf)]!;
    return this.point.value(leaf);
  }

  candidates(leaf: Leaf): readonly number[] {
    return [leaf.kind === 'held' ? this.held(leaf.relation) : this.value(leaf)];
  }
}

function keyOf(values: ReadonlyMap<number, number>): string {
  return [...values].map(([number, value]) => `${number}=${value}`).join();
}
