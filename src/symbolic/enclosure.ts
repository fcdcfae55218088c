/**
 * Ranges of expressions over a piece of time: a list of operations in order of computation, those that nothing varies in first. What varies is
 * given as ranges of values and of derivatives by time; what does not, as numbers.
 *
 * The ranges of a sum whose terms cancel are as wide as its terms are. They can be made narrower (`refine`): around the value in the middle of the piece by the slopes, and these around
 * the slope in the middle by second derivatives. This costs some three times as much.
 */

import { isLeaf, walk } from './analyse.ts';
import { arithmetic } from './arithmetic.ts';
import { type BendRule, bendRule, type Curved } from './bends.ts';
import type { Expr, Leaf, Op } from './expr.ts';
import { type RangeRule, type Ranges, rangeRule } from './intervals.ts';

/** Middles are known up to this share. */
const rounding = 8 * Number.EPSILON;

/** What a leaf is: varying as number `k`, constant, or equal to another expression. */
export type LeafMeaning =
  | { readonly kind: 'varies'; readonly k: number }
  | { readonly kind: 'constant' }
  | { readonly kind: 'equals'; readonly value: Expr };

export class Enclosure implements Curved {
  /** Nodes of the expressions, in the order in which they were given. */
  readonly roots: Int32Array;
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Values and slopes in the middle of the piece that was refined last. */
  private readonly middle: Float64Array;
  readonly slopes: Float64Array;
  /** Operations on what is constant; those on what varies follow. */
  private readonly settled: number;
  private readonly rules: readonly RangeRule[];
  private readonly bends: readonly BendRule[];
  /** Node, and its arguments, of each operation. */
  private readonly nodes: Int32Array;
  private readonly constants: readonly { readonly node: number; readonly leaf: Leaf }[];
  private readonly variables: readonly { readonly node: number; readonly k: number }[];

  /** All that varies must have rules (`rangeRule`), all else values (`arithmetic`), and all leaves a meaning. */
  constructor(roots: readonly Expr[], meaning: (leaf: Leaf) => LeafMeaning) {
    const order: Expr[] = [];
    const numberOf = new Map<Expr, number>();
    const equal = (node: Expr): Expr | undefined => {
      if (!isLeaf(node)) return undefined;
      const own = meaning(node);
      return own.kind === 'equals' ? own.value : undefined;
    };
    for (const root of roots) {
      walk(
        root,
        (node) => numberOf.has(node),
        (node) => {
          const same = equal(node);
          numberOf.set(node, same ? numberOf.get(same)! : order.push(node) - 1);
        },
        (node) => (node.kind === 'apply' ? node.args : ([equal(node)].filter(Boolean) as Expr[])),
      );
    }
    this.roots = Int32Array.from(roots, (root) => numberOf.get(root)!);
    const n = order.length;
    this.lo = new Float64Array(n);
    this.hi = new Float64Array(n);
    this.from = new Float64Array(n);
    this.to = new Float64Array(n);
    this.low = new Float64Array(n);
    this.high = new Float64Array(n);
    this.middle = new Float64Array(n);
    this.slopes = new Float64Array(n);
    const constants: { node: number; leaf: Leaf }[] = [];
    const variables: { node: number; k: number }[] = [];
    const varies = new Uint8Array(n);
    const [still, moving]: [number[], number[]] = [[], []];
    for (const [node, expr] of order.entries()) {
      if (expr.kind === 'const') this.fix(node, expr.value);
      if (expr.kind === 'apply') {
        const moves = expr.args.some((arg) => varies[numberOf.get(arg)!]);
        if (moves) varies[node] = 1;
        (moves ? moving : still).push(node);
      }
      if (!isLeaf(expr)) continue;
      const own = meaning(expr);
      if (own.kind === 'varies') {
        varies[node] = 1;
        variables.push({ node, k: own.k });
      } else constants.push({ node, leaf: expr });
    }
    const operations = [...still, ...moving];
    this.settled = still.length;
    this.rules = operations.map((node, i) => {
      const { op } = order[node] as Expr & { kind: 'apply' };
      return i < still.length ? pointRule(op) : rangeRule(op)!;
    });
    this.bends = operations.map((node) => bendRule((order[node] as Expr & { kind: 'apply' }).op));
    this.nodes = new Int32Array(4 * operations.length);
    for (const [i, node] of operations.entries()) {
      const { args } = order[node] as Expr & { kind: 'apply' };
      this.nodes.set([node, ...args.map((arg) => numberOf.get(arg)!)], 4 * i);
    }
    this.constants = constants;
    this.variables = variables;
  }

  get size(): number {
    return this.lo.length;
  }

  /** What is constant has these values from now on. */
  begin(read: (leaf: Leaf) => number): void {
    for (const { node, leaf } of this.constants) this.fix(node, read(leaf));
    this.run(0, this.settled);
  }

  /** Ranges of all roots where what varies has these ranges. */
  evaluate(ranges: Ranges): void {
    this.place(ranges);
    this.run(this.settled, this.rules.length);
  }

  /** Narrower ranges over a piece of this half length, in the middle of which what varies has the values and slopes of `middle`. */
  refine(ranges: Curved, middle: Ranges, half: number): void {
    this.evaluate(middle);
    for (let k = 0; k < this.size; k++) {
      this.middle[k] = 0.5 * (this.lo[k]! + this.hi[k]!);
      this.slopes[k] = 0.5 * (this.from[k]! + this.to[k]!);
    }
    this.place(ranges);
    for (const { node, k } of this.variables) {
      this.low[node] = ranges.low[k]!;
      this.high[node] = ranges.high[k]!;
      this.tighten(node, half);
    }
    const { rules, bends, nodes, settled } = this;
    for (let i = settled, j = 4 * settled; i < rules.length; i++, j += 4) {
      const node = nodes[j]!;
      const a = nodes[j + 1]!;
      const b = nodes[j + 2]!;
      const c = nodes[j + 3]!;
      rules[i]!(this, node, a, b, c);
      bends[i]!(this, node, a, b, c);
      this.tighten(node, half);
    }
  }

  private place({ lo, hi, from, to }: Ranges): void {
    for (const { node, k } of this.variables) {
      this.lo[node] = lo[k]!;
      this.hi[node] = hi[k]!;
      this.from[node] = from[k]!;
      this.to[node] = to[k]!;
    }
  }

  /** By the mean value theorem, for slopes and then for values. */
  private tighten(k: number, half: number): void {
    const turned = half * Math.max(-this.low[k]!, this.high[k]!);
    narrowed(this.from, this.to, k, this.slopes[k]!, turned);
    const moved = half * Math.max(-this.from[k]!, this.to[k]!);
    narrowed(this.lo, this.hi, k, this.middle[k]!, moved);
  }

  private run(first: number, end: number): void {
    const { rules, nodes } = this;
    for (let i = first, j = 4 * first; i < end; i++, j += 4)
      rules[i]!(this, nodes[j]!, nodes[j + 1]!, nodes[j + 2]!, nodes[j + 3]!);
  }

  private fix(node: number, value: number): void {
    this.lo[node] = value;
    this.hi[node] = value;
  }
}

/** What an operator makes of numbers. */
function pointRule(op: Op): RangeRule {
  return (x, k, a, b, c) => {
    const value = arithmetic(op, x.lo[a]!, x.lo[b]!, x.lo[c]!) ?? Number.NaN;
    const isKnown = !Number.isNaN(value);
    x.lo[k] = isKnown ? value : Number.NEGATIVE_INFINITY;
    x.hi[k] = isKnown ? value : Number.POSITIVE_INFINITY;
  };
}

/** The part of a range that is no further from a middle than this, but for rounding. */
function narrowed(least: Float64Array, most: Float64Array, k: number, middle: number, away: number): void {
  const room = away + rounding * (Math.abs(middle) + away);
  const low = Math.max(least[k]!, middle - room);
  const high = Math.min(most[k]!, middle + room);
  if (!(low <= high)) return;
  least[k] = low;
  most[k] = high;
}
