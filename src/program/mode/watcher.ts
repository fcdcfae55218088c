/**
 * Looks for sign changes of indicators, and for turning points of functions of time, by ranges over pieces of time (`solve/isolate.ts`).
 * Ranges of states come from three points of a step: steps are so short that states are nearly parabolas in them.
 *
 * Of an indicator that is zero all along but for rounding ranges tell nothing, however short the pieces are. It is dim: looked for by itself, so that
 * others are not looked at in pieces that are too long for them because of it.
 */
import { Isolation, type Piece, type PieceFinding } from '../../solve/isolate.ts';
import type { Curved } from '../../symbolic/bends.ts';
import { Enclosure, type LeafMeaning } from '../../symbolic/enclosure.ts';
import type { Expr, Leaf } from '../../symbolic/expr.ts';
import type { Ranges } from '../../symbolic/intervals.ts';
import { disturbance, roundingShare, scatter } from './disturbance.ts';

/** Writes the states at a time inside the last step. */
export type Sampler = (t: number, out: Float64Array) => void;

/** Of what is undecided in so many of the shortest pieces, ranges tell nothing. */
const PATIENCE = 8;
/**
 * A function whose turning points count rests where it moves by no more than this share of what ranges allow: it is a sum of terms that cancel, like the length of a
 * phasor that turns.
 */
const RESTING = 1e-6;
/**
 * What is dim is looked for in so many looks, and is looked at in so many pieces, in a step: the rest of it would tell no more. After so many steps it may
 * have become clear.
 */
const DIM_LOOKS = 32;
const DIM_PIECES = 2;
const DIM_STEPS = 32;

/**
 * After so many pieces in which something may change, what states tell in a step is taken less literally with each of them: ranges of sharp functions are
 * so wide that pieces would become ever shorter. In the end what moves by no more than the errors of states themselves, and turns by no more than a small share, has no sign of its own.
 */
const FEW_PIECES = 8;
const LENIENCE = { signs: 1000, turns: 100 };

/** Points of a piece that are looked at for sign changes; so many of them, between values of this share of their range, are too many for it. */
const points = 32;
const several = 4;
const notable = 1e-3;
const golden = 0.6180339887498949;

interface Sample {
  t: number;
  readonly y: Float64Array;
}

export class Watcher {
  private readonly enclosure: Enclosure;
  private readonly bright = new Isolation((a, b) => this.examine(a, b, 0));
  private readonly dim = new Isolation((a, b) => this.examine(a, b, 1));
  /** By root: its indicator, or -1 for a function whose turning points count. */
  private readonly indicators: Int32Array;
  /** The largest values of functions whose turning points count. */
  private readonly sizes: Float64Array;
  private readonly findings: PieceFinding[];
  /** By root: 1 where it is dim, and in how many of the shortest pieces it was undecided. */
  private readonly isDim: Uint8Array;
  private readonly undecided: Uint8Array;
  private hasDim = false;
  /** Steps with something dim, and pieces with it in the step up to `dimEnd`. */
  private dimSteps = 0;
  private dimPieces = 0;
  private dimEnd = Number.NaN;
  /** What is next of the roots that are not dim, in a step up to an end. */
  private known:
    | { readonly from: number; readonly end: number; readonly piece: Piece | undefined }
    | undefined;
  /** The largest slope of each root over the piece. */
  private readonly steepest: Float64Array;
  /** Which states matter. */
  private readonly states: Int32Array;
  private readonly ranges: Curved;
  /** What varies in the middle of a piece. */
  private readonly middle: Ranges;
  private quarters: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  private samples: Sample[] = [];
  private size = 0;
  /** Where the step is looked at from, its end, pieces in which something may change in it, and how far roots may be wrong in it. */
  private start = Number.NaN;
  private end = Number.NaN;
  private pieces = 0;
  private errors: number[];
  private accuracy = 0;
  private signOf: (indicator: number) => number = () => 0;
  private sample: Sampler = () => {};

  constructor(
    roots: readonly { readonly value: Expr; readonly indicator: number }[],
    meaning: (leaf: Leaf) => LeafMeaning,

    /** A function whose turning points count is as good as constant where it moves by less than this share of its size. */
    private readonly still: number,
  ) {
    const used = new Set<number>();
    this.enclosure = new Enclosure(
      roots.map((r) => r.value),
      (leaf) => {
        const own = meaning(leaf);
        if (own.kind === 'varies') used.add(own.k);
        return own;
      },
    );
    this.indicators = Int32Array.from(roots, (r) => r.indicator);
    this.sizes = new Float64Array(roots.length);
    this.steepest = new Float64Array(roots.length);
    this.findings = roots.map(() => 'stays');
    this.isDim = new Uint8Array(roots.length);
    this.errors = roots.map(() => 0);
    this.undecided = new Uint8Array(roots.length);
    this.states = Int32Array.from([...used].filter((k) => k > 0)).map((k) => k - 1);
    const n = Math.max(0, ...used) + 1;
    const range = () => new Float64Array(n);
    this.ranges = { lo: range(), hi: range(), from: range(), to: range(), low: range(), high: range() };
    const [value, slope] = [range(), range()];
    this.middle = { lo: value, hi: value, from: slope, to: slope };
  }

  /** Constants have the values that `read` gives; `size` is the number of states that `sample` writes, `accuracy` a share of them that means nothing. */
  begin(
    read: (leaf: Leaf) => number,
    signOf: (indicator: number) => number,
    sample: Sampler,
    size: number,
    accuracy: number,
  ): void {
    this.enclosure.begin(read);
    this.accuracy = accuracy;
    if (size !== this.size) {
      this.samples = [];
      this.quarters = [new Float64Array(size), new Float64Array(size)];
    }
    this.size = size;
    this.signOf = signOf;
    this.sample = sample;
    this.end = Number.NaN;
    this.sizes.fill(0);
    this.brighten();
  }

  /** What was learned of the roots, as a value; `resume` goes on from it, after `begin`. */
  state() {
    const {
      sizes,
      isDim,
      undecided,
      hasDim,
      dimSteps,
      dimPieces,
      dimEnd,
      known,
      start,
      end,
      pieces,
      errors,
    } = this;
    const own = {
      sizes,
      isDim,
      undecided,
      hasDim,
      dimSteps,
      dimPieces,
      dimEnd,
      known,
      start,
      end,
      pieces,
      errors,
    };
    return structuredClone({ own, bright: this.bright.now, dim: this.dim.now });
  }

  resume(state: ReturnType<Watcher['state']>): void {
    const { own, bright, dim } = structuredClone(state);
    Object.assign(this, own);
    this.bright.now = bright;
    this.dim.now = dim;
  }

  private brighten(): void {
    this.isDim.fill(0);
    this.undecided.fill(0);
    this.hasDim = false;
    this.dimSteps = 0;
    this.known = undefined;
  }

  /** The first piece in which something may happen, as far as `budget` pieces go. */
  next(from: number, end: number, budget = Number.POSITIVE_INFINITY): Piece | undefined {
    for (const sample of this.samples) sample.t = Number.NaN;
    if (this.end !== end || from < this.start) {
      this.start = from;
      this.end = end;
      this.pieces = 0;
      if (this.states.length > 0) this.errors = this.errorsAt(end, this.accuracy, false);
    }
    // Three points of a whole step may lie on a line by accident.
    const widest = this.states.length > 0 ? 0.5 * (end - this.start) : Number.POSITIVE_INFINITY;
    const piece = this.nextBright(from, end, budget, widest);
    if (this.states.length > 0 && piece?.finding === 'single') this.pieces++;
    if (!this.hasDim) return piece;
    return this.nextDim(from, end, piece, widest) ?? piece;
  }

  /** A piece with what is dim, before the one with what is not. */
  private nextDim(from: number, end: number, piece: Piece | undefined, widest: number): Piece | undefined {
    if (this.dimEnd !== end) {
      this.dimEnd = end;
      this.dimPieces = 0;
      if (++this.dimSteps === DIM_STEPS) this.brighten();
    }
    if (this.dimPieces === DIM_PIECES) return undefined;
    const dim = this.dim.next(from, piece ? piece.end : end, DIM_LOOKS, widest);
    if (dim?.finding === 'stays') this.dimPieces = DIM_PIECES;
    if (!dim || dim.finding === 'stays' || (piece && piece.start <= dim.start)) return undefined;
    this.dimPieces++;
    return dim;
  }

  private nextBright(from: number, end: number, budget: number, widest: number): Piece | undefined {
    const { known } = this;
    if (known && known.end === end && known.from <= from && !(known.piece && known.piece.start < from))
      return known.piece;
    const piece = this.bright.next(from, end, budget, widest);
    if (piece?.finding === 'open') this.darken();
    this.known = this.hasDim ? { from, end, piece } : undefined;
    return piece;
  }

  /** Roots that one of the shortest pieces leaves undecided become dim where that happens again and again. */
  private darken(): void {
    const { findings, undecided, isDim } = this;
    for (let r = 0; r < findings.length; r++) {
      if (findings[r] !== 'open' || ++undecided[r]! < PATIENCE) continue;
      isDim[r] = 1;
      this.hasDim = true;
      this.bright.forget();
    }
  }

  /** An indicator whose sign changes several times over a piece that ranges tell nothing of, by more than what rounding explains. */
  lost(a: number, b: number): number | undefined {
    const { enclosure, indicators } = this;
    const errors = this.errorsAt(0.5 * (a + b), roundingShare, true);
    this.cover(a, b);
    enclosure.evaluate(this.ranges);
    const least = Array.from(enclosure.roots, (node, r) =>
      Math.max(notable * (enclosure.hi[node]! - enclosure.lo[node]!), errors[r]!),
    );
    const signs = new Int8Array(least.length);
    const changes = new Int32Array(least.length);
    for (let k = 0; k < points; k++) {
      // Not in regular intervals, of which a period may be a part.
      const t = a + ((k + ((k * golden) % 1)) / points) * (b - a);
      this.cover(t, t);
      enclosure.evaluate(this.ranges);
      for (const [r, value] of this.values().entries()) {
        if (indicators[r]! < 0 || !(Math.abs(value) > least[r]!)) continue;
        const sign = Math.sign(value);
        if (signs[r] === -sign) changes[r]!++;
        signs[r] = sign;
      }
    }
    const found = changes.findIndex((count) => count >= several);
    return found < 0 ? undefined : indicators[found]!;
  }

  /** Errors of the roots at a time where states, and time if it counts, are wrong by a share of what they are at the end of the step. */
  private errorsAt(t: number, share: number, isTimeWrong: boolean): number[] {
    const { enclosure, ranges } = this;
    this.cover(this.end, this.end);
    const sizes = ranges.lo.map((lo, k) => Math.max(Math.abs(lo), Math.abs(ranges.hi[k]!)));
    this.cover(t, t);
    enclosure.evaluate(ranges);
    const values = this.values();
    sizes[0] = isTimeWrong ? t : 0;
    for (let k = 0; k < sizes.length; k++) {
      const size = k === 0 ? sizes[0] : Math.max(Math.abs(ranges.lo[k]!), sizes[k]!);
      ranges.lo[k] = ranges.lo[k]! + scatter(k) * disturbance * size;
      ranges.hi[k] = ranges.lo[k]!;
    }
    enclosure.evaluate(ranges);
    return this.values().map((value, r) => (share * Math.abs(value - values[r]!)) / disturbance || 0);
  }

  private valuesAt(t: number): number[] {
    this.cover(t, t);
    this.enclosure.evaluate(this.ranges);
    return this.values();
  }

  /** The roots over a piece without length. */
  private values(): number[] {
    const { roots, lo, hi } = this.enclosure;
    const values: number[] = [];
    for (const node of roots) values.push(0.5 * (lo[node]! + hi[node]!));
    return values;
  }

  /** What ranges tell of the roots that are dim, or of the others. */
  private examine(a: number, b: number, dim: 0 | 1): PieceFinding {
    const { enclosure, findings, indicators, isDim } = this;
    this.cover(a, b);
    enclosure.evaluate(this.ranges);
    let open = false;
    for (let r = 0; r < findings.length; r++) {
      findings[r] = isDim[r] === dim ? this.judge(r) : 'stays';
      if (findings[r] === 'open') open = true;
    }
    if (open && !this.narrow(a, b)) return 'open';
    if (findings.some((finding, r) => finding === 'single' && indicators[r]! >= 0)) this.checkEnd(b);
    return findings.includes('single') ? 'single' : 'stays';
  }

  /** What the ranges tell of a root. */
  private judge(r: number): PieceFinding {
    const { enclosure, indicators } = this;
    const node = enclosure.roots[r]!;
    const lo = enclosure.lo[node]!;
    const hi = enclosure.hi[node]!;
    const from = enclosure.from[node]!;
    const to = enclosure.to[node]!;
    this.steepest[r] = Math.max(-from, to);
    const isMonotone = from >= 0 || to <= 0;
    if (indicators[r]! < 0) {
      const size = Math.max(-lo, hi);
      if (size < Number.POSITIVE_INFINITY) this.sizes[r] = Math.max(this.sizes[r]!, size);
      // Nothing is known of the slopes where something is beyond all numbers: a logistic curve before its step.
      const isFlat =
        !(this.steepest[r]! < Number.POSITIVE_INFINITY) && hi - lo <= this.still * this.sizes[r]!;
      return isMonotone || isFlat || this.isSlow(r) ? 'stays' : 'open';
    }
    const sign = this.signOf(indicators[r]!);
    if (sign > 0 ? lo > 0 : sign < 0 && hi < 0) return 'stays';
    if (!isMonotone) return 'open';
    const away = sign > 0 ? from >= 0 : sign < 0 && to <= 0;
    return away ? 'stays' : 'single';
  }

  /** Whether a function of states would move by no more than a small share of its size in the whole step, at the pace it has at most in the piece. */
  private isSlow(r: number): boolean {
    if (this.states.length === 0) return false;
    return (this.end - this.start) * this.steepest[r]! <= this.still * this.sizes[r]!;
  }

  /** Narrower ranges, for what they leave open; false where some of it stays so. What moves by less than the errors of states has no sign of its own. */
  private narrow(a: number, b: number): boolean {
    const { enclosure, indicators, findings, steepest, sizes } = this;
    const half = 0.5 * (b - a);
    this.bend(a, b);
    enclosure.refine(this.ranges, this.middle, half);
    const lenience = 2 ** Math.max(0, this.pieces - FEW_PIECES);
    const still = this.still * Math.min(lenience, LENIENCE.turns);
    const errors = Math.min(lenience, LENIENCE.signs);
    let decided = true;
    const quiet: number[] = [];
    for (let r = 0; r < findings.length; r++) {
      if (findings[r] !== 'open') continue;
      findings[r] = this.judge(r);
      if (findings[r] !== 'open') continue;
      const isTurning = indicators[r]! < 0;
      const least = isTurning ? still * sizes[r]! : errors * this.errors[r]!;
      if (half * steepest[r]! > least) decided = false;
      else if (isTurning && this.mayRest(r)) quiet.push(r);
      else findings[r] = 'single';
    }
    if (quiet.length > 0) this.judgeQuiet(quiet, a, b);
    return decided;
  }

  /** Whether a function hardly moves in the middle of the piece that was looked at last. */
  private mayRest(r: number): boolean {
    const { roots, slopes } = this.enclosure;
    return Math.abs(slopes[roots[r]!]!) <= RESTING * this.steepest[r]!;
  }

  /** Functions that hardly move over a piece may turn there, but for those that rest. */
  private judgeQuiet(quiet: readonly number[], a: number, b: number): void {
    const { findings, steepest } = this;
    const [first, middle, last] = [a, 0.5 * (a + b), b].map((t) => this.valuesAt(t));
    for (const r of quiet) {
      const moved = Math.max(Math.abs(middle![r]! - first![r]!), Math.abs(last![r]! - middle![r]!));
      if (moved <= RESTING * 0.5 * (b - a) * steepest[r]!) this.rests(r);
      else findings[r] = 'single';
    }
  }

  /** A function that rests does not turn; of one that does so again and again, ranges tell nothing. */
  private rests(r: number): void {
    const { findings, undecided, isDim } = this;
    findings[r] = 'stays';
    if (isDim[r] || ++undecided[r]! < PATIENCE) return;
    isDim[r] = 1;
    this.hasDim = true;
  }

  /** An indicator that moves towards zero has not changed if it has not at the end. */
  private checkEnd(b: number): void {
    const { indicators, findings } = this;
    const values = this.valuesAt(b);
    for (let r = 0; r < findings.length; r++) {
      if (findings[r] !== 'single' || indicators[r]! < 0) continue;
      if (this.signOf(indicators[r]!) * values[r]! > 0) findings[r] = 'stays';
    }
  }

  /** Ranges of time and of the states over a piece. */
  private cover(a: number, b: number): void {
    const { lo, hi, from, to } = this.ranges;
    lo[0] = a;
    hi[0] = b;
    from[0] = 1;
    to[0] = 1;
    if (this.states.length === 0) return;
    const width = b - a;
    const middle = a + 0.5 * width;
    // The middle is asked for again, and so are the ends.
    const ym = this.at(middle, a, b);
    const ya = this.at(a, middle, b);
    const yb = this.at(b, a, middle);
    for (const k of this.states) {
      const p = ya[k]!;
      const q = ym[k]!;
      const r = yb[k]!;
      const bend = Math.abs(p - 2 * q + r);
      lo[k + 1] = Math.min(p, q, r) - bend;
      hi[k + 1] = Math.max(p, q, r) + bend;
      if (width === 0) continue;
      const before = (2 * (q - p)) / width;
      const after = (2 * (r - q)) / width;
      // States that rest have no rounding errors.
      const rounding = before === 0 && after === 0 ? 0 : (8 * Number.EPSILON * Math.abs(q)) / width;
      const spread = Math.abs(after - before) + rounding;
      from[k + 1] = Math.min(before, after) - spread;
      to[k + 1] = Math.max(before, after) + spread;
    }
  }

  /** Second derivatives over the piece whose ranges are known, and what varies in the middle of it, from five points. */
  private bend(a: number, b: number): void {
    const { middle, ranges } = this;
    const step = 0.25 * (b - a);
    const m = a + 2 * step;
    middle.lo[0] = m;
    middle.from[0] = 1;
    if (this.states.length === 0) return;
    const [y1, y3] = this.quarters;
    this.sample(a + step, y1);
    this.sample(b - step, y3);
    const ym = this.at(m, a, b);
    const ya = this.at(a, m, b);
    const yb = this.at(b, a, m);
    for (const k of this.states) {
      const p = ya[k]!;
      const q = y1[k]!;
      const r = ym[k]!;
      const s = y3[k]!;
      const t = yb[k]!;
      const first = p - 2 * q + r;
      const second = q - 2 * r + s;
      const third = r - 2 * s + t;
      const low = Math.min(first, second, third);
      const high = Math.max(first, second, third);
      const rounding = 8 * Number.EPSILON * Math.abs(r);
      const spread = high - low + (low === 0 && high === 0 ? 0 : rounding);
      ranges.low[k + 1] = (low - spread) / step ** 2;
      ranges.high[k + 1] = (high + spread) / step ** 2;
      middle.lo[k + 1] = r;
      middle.from[k + 1] = (p - 8 * q + 8 * s - t) / (12 * step);
    }
  }

  /** States at a time; those at two other times stay known. */
  private at(t: number, keep: number, keepToo: number): Float64Array {
    for (const sample of this.samples) if (sample.t === t) return sample.y;
    let free = this.samples.find((s) => s.t !== keep && s.t !== keepToo);
    if (!free) this.samples.push((free = { t, y: new Float64Array(this.size) }));
    free.t = t;
    this.sample(t, free.y);
    return free.y;
  }
}
