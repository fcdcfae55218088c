/**
 * Balance across an event, in the sense of distributions. Where variables jump, their derivatives have impulses, and so have the variables
 * that the run reports; an equation that is linear in them holds only if the impulses balance:
 *
 *     sum of coefficient * jump of what is differentiated + sum of coefficient * weight of an impulse = 0
 *
 * Where coefficients jump as well, the sum is an integral from the values before to those after. It means something if it is the same on
 * every way (an exact differential: `C(v)*der(v)`, `m*der(T) + T*der(m)`); three ways are compared. Relations of what jumps, in coefficients, are
 * those of the way. What is driven from outside has its
 * value after the event all along, and so has what built-in components give where their parts are joined in another way. Where a variable is set by `reinit` or by a transition, or comes into being, nothing is asked of the
 * equations with its derivative.
 *
 * At one instant a state machine may pass through several states. Then the branches of an if-equation may each take a part of the impulse.
 */
import { Ties } from '../collections/forest.ts';
import { remember } from '../collections/memo.ts';
import { leaves, nodesOf, substitute } from '../symbolic/analyse.ts';
import { isRelation } from '../symbolic/arithmetic.ts';
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { type Across, leastJump } from './across.ts';
import { type Assigned, type AuditEvaluator, tolerance } from './evaluator.ts';
import type { Model } from './model.ts';
import type { Failing } from './residuals.ts';
import { type AuditBranching, type AuditItem, type AuditRow, type Conserved, rowsIn } from './rows.ts';
import { type RowSlopes, slopesIn } from './slopes.ts';

/** Impulses are solutions of systems of equations: how much they may be off, relative to their weights. */
const impulseTolerance = 1e-5;

/** Parts of the integral over [0, 1]; their nodes and weights are exact for polynomials up to degree 9. */
const panels = 64;
const fewerPanels = 11;
const nodes = [0.046910077030668, 0.2307653449471585, 0.5, 0.7692346550528415, 0.953089922969332];
const factors = [
  0.1184634425280945, 0.2393143352496833, 0.2844444444444444, 0.2393143352496833, 0.1184634425280945,
];

/** How exactly it is found where a relation changes. */
const halvings = 40;

/** The impulses of an equation: those of derivatives, those of variables, and how much they may be off together. */
interface Impulses {
  readonly jumps: number;
  readonly weights: number;
  readonly allowed: number;
}

/** A variable with an impulse, with its factor. */
interface Term {
  readonly ref: Ref;
  readonly factor: Expr;
  /** What jumps; undefined for an impulse of the variable itself. */
  readonly inner: Ref | undefined;
  readonly change: number;
}

/** A branch that may have been in force, with what does not balance in it. */
interface Candidate {
  readonly body: readonly AuditItem[];
  readonly found: readonly Failing[];
}

export class AuditBalance {
  private readonly slopes = new Map<AuditRow, Map<string, RowSlopes | undefined>>();
  private readonly own = new Map<AuditRow, readonly Ref[]>();
  private ties: Ties | undefined;
  /** The present event. */
  private across!: Across;
  private exempt: ReadonlySet<number> = new Set();
  /** Branches of the present event that need not have been in force. */
  private perhaps: Candidate[] = [];

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly model: Model,
  ) {}

  /** What does not balance; `set` are scalars that were given values. */
  failing(across: Across, set: ReadonlySet<number>): Failing[] {
    this.across = across;
    this.exempt = set;
    if (set.size > 0) {
      this.ties ??= tiesOf(this.model.all.map((row) => this.refsOf(row)));
      this.exempt = this.ties.with(set);
    }
    this.perhaps = [];
    const found = this.among(this.model.rows.items);
    return [...found, ...this.unexplained()];
  }

  /**
   * Rows that need not have been in force, such as those of states that exclude each other: one of those with the derivative of what
   * jumps must balance, or there must have been one that gives it a value.
   */
  private unexplained(): Failing[] {
    const failing = this.perhaps.flatMap(({ found }) => found);
    if (failing.length === 0) return [];
    const wrong = new Set(failing.map(({ row }) => row));
    const loose = this.perhaps.flatMap(({ body }) => rowsIn(body));
    return failing.filter(({ row }) => {
      const jumping = this.refsOf(row).filter((ref) => ref.order > 0 && this.across.isImpulsive(ref));
      const explains = (other: AuditRow): boolean =>
        jumping.some(({ symbol, order }) => {
          const orders = this.refsOf(other).flatMap((ref) => (ref.symbol === symbol ? [ref.order] : []));
          return orders.includes(order) ? !wrong.has(other) : orders.includes(order - 1);
        });
      return jumping.length > 0 && !loose.some((other) => other !== row && explains(other));
    });
  }

  private among(items: readonly AuditItem[]): Failing[] {
    return items.flatMap((item) => (item.kind === 'if' ? this.inBranches(item) : (this.row(item) ?? [])));
  }

  private inBranches({ branches }: AuditBranching): readonly Failing[] {
    const candidates: Candidate[] = [];
    let open = true;
    for (const { body, isSure } of this.evaluator.possibleBranches(branches, this.across)) {
      candidates.push({ body, found: this.among(body) });
      open = !isSure;
    }
    // No branch need be in force where there is no `else`.
    if (open) this.perhaps.push(...candidates);
    if (open || candidates.some(({ found }) => found.length === 0)) return [];
    candidates.sort((a, b) => a.found.length - b.found.length);
    for (const { found, body } of candidates) {
      const others = candidates.flatMap((other) => (other.body === body ? [] : rowsIn(other.body)));
      if (found.every(({ row }) => this.isShared(row, others))) return [];
    }
    return candidates[0]?.found ?? [];
  }

  /** Whether the rest of the impulse of a row is in that of another branch. */
  private isShared(row: AuditRow, others: readonly AuditRow[]): boolean {
    return this.casesOf(row).some((mine) =>
      others.some((other) =>
        this.casesOf(other).some((rest) => {
          const allowed = mine.allowed + rest.allowed;
          return (
            Math.abs(mine.weights - rest.weights) <= allowed &&
            Math.abs(mine.jumps + rest.jumps + mine.weights) <= allowed
          );
        }),
      ),
    );
  }

  private casesOf(row: AuditRow): Impulses[] {
    const cases: Impulses[] = [];
    this.each(row, (impulses) => {
      if (impulses) cases.push(impulses);
      return false;
    });
    return cases;
  }

  private row(row: AuditRow): Failing | undefined {
    let failing: Failing | undefined;
    const holds = this.each(row, (impulses) => {
      if (!impulses) return true;
      const { jumps, weights, allowed } = impulses;
      const residual = jumps + weights;
      if (!(Math.abs(residual) > allowed)) return true;
      const relative = (Math.abs(residual) / allowed) * impulseTolerance;
      if (!failing || relative < failing.relative) failing = { row, residual, relative };
      return false;
    });
    return holds === false ? failing : undefined;
  }

  /** Visits the impulses of a row for all possibilities; undefined where they have no meaning. */
  private each(row: AuditRow, visit: (impulses: Impulses | undefined) => boolean): boolean | undefined {
    const refs = this.refsOf(row);
    if (row.conserved) return this.eachConserved(row.conserved, refs, visit);
    const impulsive = refs.filter((ref) => this.across.isImpulsive(ref));
    if (impulsive.length === 0 || this.isExempt(refs)) return undefined;
    const wanted = new Set<Expr>(impulsive);
    // Small changes of other variables count as well.
    const slopes = this.slopesOf(
      row,
      refs.filter((ref) => ref.order > 0 || wanted.has(ref)),
    );
    if (!slopes) return undefined;
    const isLinear = (factor: Expr): boolean => !leaves(factor).some((leaf) => wanted.has(leaf));
    if (slopes.some(([ref, factor]) => wanted.has(ref) && !isLinear(factor))) return undefined;
    const terms = slopes
      .filter(([, factor]) => isLinear(factor))
      .map(([ref, factor]) => this.term(ref, this.onTheWay(factor)));
    return this.evaluator.cases(
      terms.map(({ factor }) => factor),
      this.across,
      (assigned) => visit(this.sum(terms, assigned)),
    );
  }

  /** As `each`, where whole expressions are differentiated that jump: their own jumps count, whatever their variables do. */
  private eachConserved(
    { residual, quantities }: Conserved,
    refs: readonly Ref[],
    visit: (impulses: Impulses | undefined) => boolean,
  ): boolean | undefined {
    if (this.isExempt(refs)) return undefined;
    const isImpulsive = (leaf: Expr) => refs.includes(leaf as Ref) && this.across.isImpulsive(leaf as Ref);
    const wanted = new Set<Expr>([...quantities.keys(), ...leaves(residual).filter(isImpulsive)]);
    const { value: slopes } = gradient(this.evaluator.values.flat.pool, residual, (leaf) => wanted.has(leaf));
    if (!slopes || [...slopes.values()].some((factor) => leaves(factor).some((leaf) => wanted.has(leaf))))
      return undefined;
    const terms = [...slopes]
      .filter(([leaf]) => !quantities.has(leaf))
      .map(([leaf, factor]) => this.term(leaf as Ref, this.onTheWay(factor)));
    return this.evaluator.cases([...slopes.values()], this.across, (assigned) => {
      const others = this.sum(terms, assigned);
      if (!others) return visit(undefined);
      let { jumps, allowed } = others;
      for (const [leaf, quantity] of quantities) {
        const slope = this.evaluator.evaluate(slopes.get(leaf)!, this.across, assigned);
        const [before, after] = [this.across.before, this.across.after].map((side) =>
          this.evaluator.only(quantity, side),
        ) as [number, number];
        jumps += slope * (after - before);
        allowed += tolerance * Math.abs(slope) * (Math.abs(before) + Math.abs(after));
      }
      return visit(Number.isNaN(jumps + others.weights) ? undefined : { ...others, jumps, allowed });
    });
  }

  private isExempt(refs: readonly Ref[]): boolean {
    const { pool } = this.evaluator.values.flat;
    return refs.some(
      ({ symbol, order }) =>
        order > 0 && (this.exempt.has(symbol) || Number.isNaN(this.across.jump(pool.ref(symbol, order - 1)))),
    );
  }

  private term(ref: Ref, factor: Expr): Term {
    const { pool } = this.evaluator.values.flat;
    if (ref.order === 0)
      return { ref, factor, inner: undefined, change: this.across.weights.get(ref.symbol)! };
    const inner = pool.ref(ref.symbol, ref.order - 1);
    return { ref, factor, inner, change: this.across.jump(inner) };
  }

  private sum(terms: readonly Term[], assigned: Assigned): Impulses | undefined {
    const moving = this.movingIn(terms);
    const total = (parts: readonly number[]): Impulses => this.total(terms, parts, assigned);
    if (moving.length === 0) return total(this.at(terms, assigned));
    const parts = this.straight(terms, moving, assigned);
    const result = total(parts);
    const allowed = result.allowed + this.quadratureError(terms, parts, moving, assigned);
    for (const late of [true, false]) {
      const other = total(this.stepwise(terms, moving, late, assigned));
      const difference = Math.abs(result.jumps + result.weights - other.jumps - other.weights);
      if (!(difference <= allowed + other.allowed)) return undefined;
    }
    return { ...result, allowed };
  }

  /** What the integral may be off where functions, which may have steps, are factors: as much as one with fewer parts differs. */
  private quadratureError(
    terms: readonly Term[],
    parts: readonly number[],
    moving: readonly Ref[],
    assigned: Assigned,
  ): number {
    if (!terms.some(({ factor }) => nodesOf(factor).some((node) => node.kind === 'call'))) return 0;
    const coarse = this.straight(terms, moving, assigned, fewerPanels);
    return parts.reduce((sum, part, k) => sum + Math.abs(part - coarse[k]!), 0);
  }

  /** Sums the contributions of the terms, with what they may be off. */
  private total(terms: readonly Term[], parts: readonly number[], assigned: Assigned): Impulses {
    const { values } = this.evaluator;
    let [jumps, weights, allowed] = [0, 0, 0];
    for (const [k, { ref, factor, inner, change }] of terms.entries()) {
      if (inner) jumps += parts[k]!;
      else weights += parts[k]!;
      const slope = Math.abs(this.evaluator.evaluate(factor, this.across, assigned));
      const slot = values.slotOf(inner ?? ref);
      // Jumps that are small beside what a variable was in the run are errors of integration, for which no impulses are reported.
      const own = inner ? leastJump * values.largest(slot) : Math.abs(change);
      const size = Math.max(own, values.leastSize(slot));
      allowed += impulseTolerance * Math.abs(parts[k]!) + tolerance * slope * size;
    }
    return { jumps, weights, allowed };
  }

  /** Contributions with the factors after the event. */
  private at(terms: readonly Term[], assigned: Assigned): number[] {
    return terms.map(({ factor, change }) => this.evaluator.evaluate(factor, this.across, assigned) * change);
  }

  /** Real variables of the factors that jump, except those that are driven from outside and not differentiated. */
  private movingIn(terms: readonly Term[]): Ref[] {
    const inner = new Set<Expr | undefined>(terms.map((term) => term.inner));
    const { values } = this.evaluator;
    const { drivers, joining } = this.model;
    const found = new Set<Ref>();
    for (const { factor } of terms)
      for (const leaf of leaves(factor)) {
        if (!values.isMoving(leaf) || (drivers.has(leaf.symbol) && !inner.has(leaf))) continue;
        if (this.across.jump(leaf) !== 0) found.add(leaf);
      }
    const isGiven = ({ symbol }: Ref): boolean => joining.given.has(symbol);
    return [...found].some(isGiven) && this.across.isJoining
      ? [...found].filter((ref) => !isGiven(ref))
      : [...found];
  }

  /** A factor with relations of what jumps written out, also where discrete variables stand for them. */
  private onTheWay(factor: Expr, inside: ReadonlySet<Expr> = new Set()): Expr {
    const { values, choices } = this.evaluator;
    const { pool } = values.flat;
    const jumps = (leaf: Expr): boolean => values.isMoving(leaf) && this.across.jumps(leaf);
    return substitute(pool, factor, (leaf) => {
      if (leaf.kind === 'ref' && values.isDiscrete(leaf.symbol) && !inside.has(leaf)) {
        const [definition, ...more] = this.model.definitions.get(leaf.symbol) ?? [];
        if (!definition || more.length > 0) return undefined;
        const written = this.onTheWay(definition, new Set([...inside, leaf]));
        return nodesOf(written).some((node) => node.kind === 'apply' && isRelation(node.op))
          ? written
          : undefined;
      }
      const choice = leaf.kind === 'held' ? choices.list[leaf.relation]! : undefined;
      if (choice?.kind !== 'relation') return undefined;
      const compared = [choice.left, choice.right].flatMap(leaves);
      // An impulse decides, whatever the finite values on the way are.
      if (
        !compared.some(jumps) ||
        compared.some((side) => side.kind === 'ref' && this.across.isImpulsive(side))
      )
        return undefined;
      return pool.apply(choice.op, choice.left, choice.right);
    });
  }

  /** All variables go together. */
  private straight(
    terms: readonly Term[],
    moving: readonly Ref[],
    assigned: Assigned,
    parts = panels,
  ): number[] {
    const total = terms.map(() => 0);
    const place = new Map(assigned);
    const moveTo = (share: number): void => {
      for (const ref of moving) place.set(ref, this.valueAt(ref, share));
    };
    const edges = this.edges(terms, parts, (relation, share) => {
      moveTo(share);
      return this.evaluator.evaluate(relation, this.across, place) !== 0;
    });
    for (let panel = 1; panel < edges.length; panel++) {
      const [from, width] = [edges[panel - 1]!, edges[panel]! - edges[panel - 1]!];
      for (const [k, node] of nodes.entries()) {
        moveTo(from + node * width);
        for (const [t, part] of this.at(terms, place).entries()) total[t]! += factors[k]! * width * part;
      }
    }
    return total;
  }

  /** Ends of the parts of the integral; a part ends where a relation in a factor changes. */
  private edges(
    terms: readonly Term[],
    parts: number,
    holds: (relation: Expr, share: number) => boolean,
  ): number[] {
    const edges = Array.from({ length: parts + 1 }, (_, k) => k / parts);
    const relations = new Set(
      terms.flatMap(({ factor }) =>
        nodesOf(factor).filter((node) => node.kind === 'apply' && isRelation(node.op)),
      ),
    );
    for (const relation of relations) {
      for (let k = 0; k < parts; k++) {
        let [low, high] = [k / parts, (k + 1) / parts];
        const before = holds(relation, low);
        if (holds(relation, high) === before) continue;
        for (let n = 0; n < halvings; n++) {
          const middle = (low + high) / 2;
          if (holds(relation, middle) === before) low = middle;
          else high = middle;
        }
        edges.push(high);
      }
    }
    return relations.size > 0 ? edges.sort((a, b) => a - b) : edges;
  }

  /** One variable goes after the other. Impulses of what does not go itself come after all of them (`late`) or before, in the reverse order. */
  private stepwise(
    terms: readonly Term[],
    moving: readonly Ref[],
    late: boolean,
    assigned: Assigned,
  ): number[] {
    const place = new Map(assigned);
    for (const ref of moving) place.set(ref, this.valueAt(ref, late ? 1 : 0));
    const total = this.at(terms, place);
    for (const ref of moving) place.set(ref, this.valueAt(ref, 0));
    for (const ref of late ? moving : moving.toReversed()) {
      const parts = this.straight(terms, [ref], place);
      for (const [k, { inner }] of terms.entries()) if (inner === ref) total[k] = parts[k]!;
      place.set(ref, this.valueAt(ref, 1));
    }
    return total;
  }

  private valueAt(ref: Ref, share: number): number {
    const before = this.across.before.now[this.evaluator.values.slotOf(ref)]!;
    return before + share * this.across.jump(ref);
  }

  private refsOf(row: AuditRow): readonly Ref[] {
    return remember(this.own, row, () => {
      const all = [...new Set([...leaves(row.left), ...leaves(row.right)])];
      return all.filter((leaf) => this.evaluator.values.isMoving(leaf));
    });
  }

  private slopesOf(row: AuditRow, impulsive: readonly Ref[]): RowSlopes | undefined {
    const known = remember(this.slopes, row, () => new Map());
    const wanted = new Set<Expr>(impulsive);
    const key = impulsive.map(({ id }) => id).join();
    if (!known.has(key))
      known.set(
        key,
        slopesIn(this.evaluator.values, row, (leaf) => wanted.has(leaf)),
      );
    return known.get(key);
  }
}

/** Variables that equations tie together two by two, such as the velocities of a rigid chain: who sets one of them sets all. */
function tiesOf(rows: readonly (readonly Ref[])[]): Ties {
  const ties = new Ties();
  for (const refs of rows) {
    const [a, b, c] = new Set(refs.map(({ symbol }) => symbol));
    if (a !== undefined && b !== undefined && c === undefined) ties.tie(a, b);
  }
  return ties;
}
