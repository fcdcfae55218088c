/**
 * Whether the constraints of a mode hold with the left limits. Where they do, nothing jumps, and an event costs no more than this. While the
 * mode stays, only constraints that contain what events change are looked at: a step of a source, a sampled value, a conditional expression. The terms of each are computed apart, so that a violation is measured by their size.
 */
import type { OnceProgram } from '../../code/once.ts';
import type { SlotAssignment } from '../../code/unit.ts';
import { remember } from '../../collections/memo.ts';
import type { SortedMode } from '../../structure/analysis.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { gradient } from '../../symbolic/differentiate.ts';
import type { Expr, Leaf } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { type RunValues, SeenValues } from '../evaluation.ts';
import type { Runtime } from '../runtime.ts';

/** A constraint that events may violate holds when the sum of its terms is below this share of their sizes. */
const rounding = 1e-10;

/** Left limits that violate constraints by less, as a share of their terms, do not jump: the time of an event is no better known. */
export const consistent = 1e-12;

/** Discrete values that differ by less than a share of them are the same. */
const isSame = (now: number, before: number): boolean => !(Math.abs(now - before) > 1e-13 * Math.abs(now));

/** Terms of one constraint, by their numbers: `from .. to`. */
interface Sum {
  readonly from: number;
  readonly to: number;
}

/** What events change in expressions: relations, discrete variables and values before. */
export function switchedInputs(runtime: Runtime, exprs: readonly Expr[]): SeenValues {
  const switching = new Set(exprs.flatMap((expr) => runtime.facts.switchedIn(expr)));
  return new SeenValues(runtime.values, switching, isSame);
}

export class Steadiness {
  private ownInputs: SeenValues | undefined;
  private readonly program: OnceProgram;
  private readonly sums: readonly Sum[];
  /** Slots of all terms, and which of them count for the size: an offset that is written on both sides says nothing of what is compared. */
  private readonly slots: Int32Array;
  private readonly counts: readonly boolean[];
  /** By constraint that was looked at more closely: how it changes with its variables. */
  private readonly slopes = new Map<Expr, Slopes>();

  constructor(
    private readonly runtime: Runtime,
    private readonly constraints: readonly Expr[],
  ) {
    const terms = constraints.map((constraint) => termsOf(runtime.values.pool, constraint));
    let from = 0;
    this.sums = terms.map(({ length }) => ({ from, to: (from += length) }));
    const isGiven = (leaf: Leaf): boolean =>
      leaf.kind === 'ref' && runtime.model.scalars[leaf.symbol]?.kind === 'parameter';
    this.counts = terms.flat().map((term) => leaves(term).some((leaf) => !isGiven(leaf)));
    const body: SlotAssignment[] = [];
    this.slots = runtime.code.temporaries.slotsOf(terms.flat(), body);
    this.program = runtime.code.compileLater(runtime.code.unitOf([{ name: 'constraints', body }]));
  }

  /** What events change in the constraints. */
  get inputs(): SeenValues {
    this.ownInputs ??= switchedInputs(this.runtime, this.constraints);
    return this.ownInputs;
  }

  /**
   * Whether all hold at the point the memory is at, up to a share of the sizes of their terms, or `ofSizes` of those that their terms have with the largest values of
   * the run.
   */
  holds(share = rounding, ofSizes = 0): boolean {
    this.program.begin();
    this.program.run(0);
    const { values } = this.runtime.values.memory;
    const { sums, slots, counts } = this;
    for (let n = 0; n < sums.length; n++) {
      const { from, to } = sums[n]!;
      let sum = 0;
      let size = 0;
      for (let k = from; k < to; k++) {
        const term = values[slots[k]!]!;
        sum += term;
        if (counts[k]) size += Math.abs(term);
      }
      if (Math.abs(sum) <= share * size) continue;
      if (!(ofSizes > 0 && Math.abs(sum) <= ofSizes * this.largest(this.constraints[n]!))) return false;
    }
    return true;
  }

  /** Size of the terms of a constraint with the largest values of the run. */
  private largest(constraint: Expr): number {
    const { values } = this.runtime;
    const slopes = remember(this.slopes, constraint, () => slopesOf(this.runtime, constraint));
    return sizeBy(values, slopes, (leaf) => values.sizes.of(values.slot(leaf)));
  }
}

/** Size of the terms of a residual: the sum of |dF/dx * x|, at least 1. */
export function magnitude(runtime: Runtime, residual: Expr): number {
  const { values } = runtime;
  return 1 + sizeBy(values, slopesOf(runtime, residual), (leaf) => values.get(leaf));
}

/** How an expression changes with its variables. */
type Slopes = ReadonlyMap<Expr, Expr>;

const slopesOf = ({ values, code }: Runtime, expr: Expr): Slopes =>
  gradient(values.pool, expr, (e) => e.kind === 'ref', code.calls).value ?? noSlopes;

const noSlopes: Slopes = new Map();

function sizeBy(values: RunValues, slopes: Slopes, value: (leaf: Expr) => number): number {
  let sum = 0;
  for (const [leaf, slope] of slopes) sum += Math.abs(values.evaluate(slope) * value(leaf));
  return sum;
}

/** Constraints of a mode that events may violate, in all derivatives that hold for values below the leading ones. */
export function switchedConstraints(runtime: Runtime, { equations }: SortedMode): Expr[] {
  return equations.flatMap(({ c, residuals }) =>
    c === 0
      ? none
      : residuals.slice(0, c).filter((residual) => runtime.facts.switchedIn(residual).length > 0),
  );
}

const none: readonly Expr[] = [];

/** The summands of an expression, with their signs. */
function termsOf(pool: Pool, expr: Expr): Expr[] {
  const terms: Expr[] = [];
  const open = [{ expr, negative: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { expr: own, negative } = next;
    const [a, b] = own.kind === 'apply' ? own.args : [];
    const op = own.kind === 'apply' ? own.op : undefined;
    if (op === 'add' || op === 'sub') {
      open.push({ expr: a!, negative }, { expr: b!, negative: negative !== (op === 'sub') });
    } else if (op === 'neg') open.push({ expr: a!, negative: !negative });
    else terms.push(negative ? pool.neg(own) : own);
  }
  return terms;
}
