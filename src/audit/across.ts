/**
 * An event as seen from both sides: what jumps, what has an impulse, and which conditions may have been different while the impulse lasted.
 * Stored are the values before and after; in between a run may have been in modes of which nothing remains but their impulses. A condition whose
 * sides have an impulse may have been either way, one whose sides jump may have been as before or as after; all others are as after.
 */
import { remember, rememberCyclic } from '../collections/memo.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Leaf, Ref } from '../symbolic/expr.ts';
import { type AuditEvaluator, type LeafValues, tolerance } from './evaluator.ts';
import type { Model } from './model.ts';
import type { AuditPoint } from './point.ts';

/** How an expression is affected: not at all, by jumps, by impulses. */
export type Heat = 0 | 1 | 2;

/** Changes below this multiple of the tolerance are no jumps. */
export const leastJump = 10;

export class Across implements LeafValues {
  readonly time: number;
  /** Machines of which a state was left or entered. */
  readonly moved: ReadonlySet<number>;
  private readonly heats = new Map<Expr, Heat>();
  private readonly discrete = new Map<number, Heat>();
  private readonly known = new Map<Leaf, readonly number[]>();

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly model: Model,
    readonly before: AuditPoint,
    readonly after: AuditPoint,
    /** By scalar. */
    readonly weights: ReadonlyMap<number, number>,
  ) {
    this.time = after.time;
    this.moved = new Set(
      model.machines.flatMap(({ marks }, k) =>
        marks.some((slot) => !Object.is(before.now[slot], after.now[slot])) ? [k] : [],
      ),
    );
  }

  value(leaf: Leaf): number {
    return this.after.value(leaf);
  }

  /** The change of a variable, NaN where it does not exist on both sides. */
  jump(ref: Ref): number {
    const slot = this.evaluator.values.slotOf(ref);
    return this.after.now[slot]! - this.before.now[slot]!;
  }

  jumps(ref: Ref): boolean {
    const { values } = this.evaluator;
    const slot = values.slotOf(ref);
    const [a, b] = [this.before.now[slot]!, this.after.now[slot]!];
    return Math.abs(b - a) > leastJump * tolerance * values.sizeOf(slot, a, b);
  }

  /** Whether a variable has an impulse: that of a derivative is the jump of what is differentiated. */
  isImpulsive(ref: Ref): boolean {
    if (ref.order === 0) return this.weights.has(ref.symbol);
    return this.jumps(this.evaluator.values.flat.pool.ref(ref.symbol, ref.order - 1));
  }

  candidates(leaf: Leaf): readonly number[] {
    return remember(this.known, leaf, () => this.choose(leaf));
  }

  /** Whether a condition may have been true for a moment: a relation that it follows from is on its boundary after the event, or it may have changed again and again. */
  mayFlash(condition: Expr): boolean {
    const { isOpen, isRepeated } = this.origins(condition);
    return isOpen || isRepeated;
  }

  /** Whether a condition may have become true more than once: it remembers (`pre`), and something that it follows from has changed. */
  mayRepeat(condition: Expr): boolean {
    return this.origins(condition).isRepeated;
  }

  /** All that a condition follows from: whether some of it can be either way after the event, and whether it remembers what has changed. */
  private origins(condition: Expr): { readonly isOpen: boolean; readonly isRepeated: boolean } {
    const { values, choices } = this.evaluator;
    const met = new Set<Leaf>();
    const open = [condition];
    let isOpen = false;
    let remembers = false;
    let stirred = false;
    for (let expr = open.pop(); expr; expr = open.pop())
      for (const leaf of choices.open(expr)) {
        if (met.has(leaf)) continue;
        met.add(leaf);
        const choice = leaf.kind === 'held' ? choices.list[leaf.relation]! : undefined;
        if (choice?.kind === 'pre') remembers = true;
        if (choice) open.push(...choices.operands(choice));
        const scalar = choice?.kind === 'pre' ? choice.scalar : leaf.kind === 'ref' ? leaf.symbol : undefined;
        if (scalar !== undefined) open.push(...(this.model.definitions.get(scalar) ?? []));
        const slot = scalar === undefined ? undefined : values.slot(scalar);
        if (slot !== undefined && this.before.now[slot] !== this.after.now[slot]) stirred = true;
        if (slot !== undefined) continue;
        const [before, after] = [this.before.candidates(leaf), this.after.candidates(leaf)];
        if (after.length > 1) isOpen = true;
        if (before.length !== 1 || before[0] !== after[0]) stirred = true;
      }
    return { isOpen, isRepeated: remembers && stirred };
  }

  /**
   * Whether a condition may have been true in a mode that was tried and given up, of which nothing remains: it depends on Real variables that equations
   * determine, and something that chooses between equations has changed, other than what the condition itself leads to (`own`).
   */
  mayBeTried(condition: Expr, own: ReadonlySet<number>): boolean {
    const isShaken = this.model.selectors.some(
      (leaf) => !(leaf.kind === 'ref' && own.has(leaf.symbol)) && this.hasChanged(leaf),
    );
    return isShaken && this.follows(condition, (leaf) => this.isDetermined(leaf));
  }

  /** Whether a condition follows from variables that other when-clauses set by `reinit` (`set`): they may have had other values inside the instant. */
  mayBeSet(condition: Expr, set: ReadonlySet<number>): boolean {
    return set.size > 0 && this.follows(condition, ({ symbol }) => set.has(symbol));
  }

  /**
   * Whether the parts of built-in components are joined in another way, and nothing else has happened: what they give is then, for all that the
   * equations do at the instant, what it is after it.
   */
  get isJoining(): boolean {
    const { conditions } = this.model.joining;
    const { values } = this.evaluator;
    const changed = values.discrete().filter((scalar) => {
      const slot = values.slot(scalar);
      return this.before.now[slot] !== this.after.now[slot];
    });
    const [condition, ...more] = changed.filter((scalar) => conditions.has(scalar));
    if (condition === undefined || more.length > 0) return false;
    const causes = new Set([condition]);
    this.follows(values.flat.pool.ref(condition), ({ symbol }) => {
      causes.add(symbol);
      return false;
    });
    return changed.every((scalar) => causes.has(scalar));
  }

  /** Whether a condition follows from a variable of a kind. */
  private follows(condition: Expr, isMeant: (leaf: Ref) => boolean): boolean {
    const { choices } = this.evaluator;
    const met = new Set<Expr>();
    const open = [condition];
    for (let expr = open.pop(); expr; expr = open.pop())
      for (const leaf of leaves(expr)) {
        if (met.has(leaf)) continue;
        met.add(leaf);
        if (leaf.kind === 'held') open.push(...choices.operands(choices.list[leaf.relation]!));
        else if (leaf.kind === 'ref') {
          if (isMeant(leaf)) return true;
          open.push(...(this.model.definitions.get(leaf.symbol) ?? []));
          const driver = this.model.drivers.get(leaf.symbol);
          if (driver) open.push(driver);
        }
      }
    return false;
  }

  private isDetermined({ symbol }: Ref): boolean {
    const { values, choices } = this.evaluator;
    if (values.isFixed(symbol) || values.isDiscrete(symbol)) return false;
    const driver = this.model.drivers.get(symbol);
    return !driver || choices.open(driver).some((leaf) => this.hasChanged(leaf));
  }

  private hasChanged(leaf: Leaf): boolean {
    const before = this.before.candidates(leaf);
    return before.length > 1 || !isSame(before, this.after.candidates(leaf));
  }

  private choose(leaf: Leaf): readonly number[] {
    const heat = this.heat(leaf);
    const after = this.after.candidates(leaf);
    if (heat === 0) return after;
    const both = new Set([...after, ...this.before.candidates(leaf)]);
    if (heat === 2 && this.isTwoValued(leaf)) for (const value of [0, 1]) both.add(value);
    return [...both];
  }

  private isTwoValued(leaf: Leaf): boolean {
    const { values, choices } = this.evaluator;
    if (leaf.kind === 'ref') return values.variableOf(leaf.symbol).type === 'Boolean';
    if (leaf.kind !== 'held') return false;
    const choice = choices.list[leaf.relation]!;
    if (choice.kind === 'pre') return values.variableOf(choice.scalar).type === 'Boolean';
    return choice.kind === 'relation';
  }

  /** How an expression is affected, also by what discrete variables in it follow from. */
  heat(expr: Expr): Heat {
    // Discrete variables may be defined in terms of each other.
    return rememberCyclic(this.heats, expr, 0, () =>
      hottest(leaves(expr).map((leaf) => this.heatOfLeaf(leaf))),
    );
  }

  private heatOfLeaf(leaf: Leaf): Heat {
    const { values, choices } = this.evaluator;
    if (leaf.kind === 'ref') {
      if (values.isFixed(leaf.symbol)) return 0;
      if (values.isDiscrete(leaf.symbol)) return this.heatOfDiscrete(leaf.symbol);
      if (this.isImpulsive(leaf)) return 2;
      return !this.model.drivers.has(leaf.symbol) && this.jumps(leaf) ? 1 : 0;
    }
    if (leaf.kind !== 'held') return 0;
    const choice = choices.list[leaf.relation]!;
    if (choice.kind === 'pre') {
      const slot = values.slot(choice.scalar);
      const own = this.heatOfLeaf(values.flat.pool.ref(choice.scalar));
      return own === 0 && this.before.now[slot] !== this.after.now[slot] ? 1 : own;
    }
    return hottest(choices.operands(choice).map((operand) => this.heat(operand)));
  }

  private heatOfDiscrete(scalar: number): Heat {
    return rememberCyclic(this.discrete, scalar, 0, () => {
      const machine = this.model.machineOf.get(scalar);
      const own = machine !== undefined && this.moved.has(machine) ? 2 : 0;
      const definitions = this.model.definitions.get(scalar) ?? [];
      return hottest([own, ...definitions.map((expr) => this.heat(expr))]);
    });
  }
}

const hottest = (heats: readonly Heat[]): Heat => Math.max(0, ...heats) as Heat;

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value) => b.includes(value));
}
