/**
 * The first sign change of several indicator functions over a step. Bracketing by the Illinois variant of
 * regula falsi (M. Dowell and P. Jarratt, BIT 11, 1971), with bisection wherever it does not halve the
 * bracket in time, on all indicators at once in the manner of K. L. Hiebert and L. F. Shampine (Sandia report
 * SAND80-0180, 1980).
 *
 * A sign is -1 or +1; 0 means that it is not known yet, because the indicator has been exactly zero since the
 * beginning. It is adopted from the first nonzero value and changes only at a value strictly on the other
 * side, so the time that is found is one at which the change has happened.
 *
 * After an event a sign may be given (`hold`) that the value contradicts by its rounding error. Then it changes only at values clearly
 * larger than that error, until the value has been as far on its own side.
 */

/** Writes the indicators at time t into `out`. */
export type Indicators = (t: number, out: Float64Array) => void;

export interface RootLocation {
  /** The right end of the bracketing interval: the indicators in `changed` have changed sign here. */
  readonly time: number;
  /** The left end, where no indicator has changed. */
  readonly before: number;
  readonly changed: readonly number[];
}

/** Width of the bracket in units in the last place of time. */
const BRACKET_ULPS = 4;
const EPSILON = 2.220446049250313e-16;
/** Points inside a step at which indicators are looked at where they may touch zero and go back. */
const INTERIOR = 4;
/** So many trials may pass without halving the bracket before it is bisected. */
const PATIENCE = 3;
/** A value that contradicts its given sign does so by rounding up to this multiple of it. */
const MARGIN = 16;

/** What is known of the indicators at the left end of the next search. */
export class RootSearch {
  readonly count: number;
  private readonly signs: Int8Array;
  /** How far on the other side a value must be to count as a change. */
  private readonly margins: Float64Array;
  /** 1 where the caller sees to it that the sign changes at most once between two looks. */
  private readonly trusted: Uint8Array;
  private readonly left: Float64Array;
  private readonly right: Float64Array;
  private readonly middle: Float64Array;
  /** Values at the beginning of the search before, to see turning points without further evaluations. */
  private readonly past: Float64Array;
  private tPast = Number.NaN;
  private tLeft = Number.NaN;

  constructor(count: number) {
    this.count = count;
    this.signs = new Int8Array(count);
    this.margins = new Float64Array(count);
    this.trusted = new Uint8Array(count);
    this.left = new Float64Array(count);
    this.right = new Float64Array(count);
    this.middle = new Float64Array(count);
    this.past = new Float64Array(count);
  }

  /** Starts (again) at a point: signs are those of `values`. */
  begin(t: number, values: Float64Array): void {
    for (let i = 0; i < this.count; i++) {
      this.left[i] = values[i]!;
      this.signs[i] = Math.sign(values[i]!) || 0;
    }
    this.margins.fill(0);
    this.tLeft = t;
    this.tPast = Number.NaN;
  }

  /** An indicator begins with this sign, whatever its value. */
  hold(i: number, sign: -1 | 1): void {
    this.signs[i] = sign;
    const beyond = -sign * this.left[i]!;
    this.margins[i] = beyond > 0 ? MARGIN * beyond : 0;
  }

  /** The signs of these indicators, those with a 1, change at most once from one call of `locate` to the next. */
  trust(indicators: Uint8Array): void {
    this.trusted.fill(0);
    this.trusted.set(indicators);
  }

  /** The present sign of an indicator; 0 where it is not known yet. */
  sign(i: number): number {
    return this.signs[i]!;
  }

  /**
   * The first sign change in (left end, to]. Without one, the left end moves to `to`, ready for the next
   * step. With one, the left end moves to the time found and the signs are those after the change.
   */
  locate(to: number, evaluate: Indicators): RootLocation | undefined {
    const from = this.tLeft;
    if (this.count === 0 || !(to > from)) return undefined;
    evaluate(to, this.right);
    const changed = this.anyChange(this.right);
    if (!this.mayTouch(from, to)) return changed ? this.refine(from, to, evaluate) : this.advance(to);
    const { middle } = this;
    // A change at the end may be the second one; the first is in the first part that shows any.
    let left = from;
    for (let part = 1; part <= INTERIOR; part++) {
      const t = from + ((to - from) * part) / (INTERIOR + 1);
      if (!(t > left && t < to)) continue;
      evaluate(t, middle);
      if (this.anyChange(middle)) {
        this.right.set(middle);
        return this.refine(left, t, evaluate);
      }
      this.adopt(middle);
      this.left.set(middle);
      left = t;
    }
    return changed ? this.refine(left, to, evaluate) : this.advance(to);
  }

  private refine(from: number, to: number, evaluate: Indicators): RootLocation {
    const { left, right, middle } = this;
    let a = from;
    let b = to;
    let width = b - a;
    let trials = 0;
    let lastSide = 0;
    for (;;) {
      const tolerance = BRACKET_ULPS * EPSILON * Math.max(Math.abs(a), Math.abs(b), to - from);
      if (b - a <= tolerance) break;
      let t = this.estimate(a, b);
      if (++trials > PATIENCE) {
        t = a + 0.5 * (b - a);
        trials = 0;
        width = b - a;
      }
      // Steps over the root by half the tolerance, so that the bracket closes from both sides.
      t = Math.min(Math.max(t, a + 0.5 * tolerance), b - 0.5 * tolerance);
      if (!(t > a && t < b)) break;
      evaluate(t, middle);
      if (this.anyChange(middle)) {
        b = t;
        right.set(middle);
        if (lastSide === 1) for (let i = 0; i < this.count; i++) left[i] = 0.5 * left[i]!;
        lastSide = 1;
      } else {
        a = t;
        this.adopt(middle);
        left.set(middle);
        if (lastSide === -1) for (let i = 0; i < this.count; i++) right[i] = 0.5 * right[i]!;
        lastSide = -1;
      }
      if (b - a <= 0.5 * width) {
        width = b - a;
        trials = 0;
      }
    }
    return this.report(a, b, evaluate);
  }

  /** The earliest zero of the straight lines through the two ends. */
  private estimate(a: number, b: number): number {
    const { left, right, signs, margins } = this;
    let earliest = b;
    for (let i = 0; i < this.count; i++) {
      if (!this.hasChanged(i, right)) continue;
      const share = (left[i]! + signs[i]! * margins[i]!) / (left[i]! - right[i]!);
      const t = a + share * (b - a);
      if (t < earliest) earliest = t;
    }
    return Number.isFinite(earliest) ? earliest : a + 0.5 * (b - a);
  }

  private report(a: number, b: number, evaluate: Indicators): RootLocation {
    const { right } = this;
    evaluate(b, right);
    const changed: number[] = [];
    for (let i = 0; i < this.count; i++) if (this.hasChanged(i, right)) changed.push(i);
    this.begin(b, right);
    return { time: b, before: a, changed };
  }

  private advance(to: number): undefined {
    this.past.set(this.left);
    this.tPast = this.tLeft;
    this.adopt(this.right);
    this.left.set(this.right);
    this.tLeft = to;
    return undefined;
  }

  private anyChange(values: Float64Array): boolean {
    for (let i = 0; i < this.count; i++) if (this.hasChanged(i, values)) return true;
    return false;
  }

  private hasChanged(i: number, values: Float64Array): boolean {
    return this.signs[i]! * values[i]! < -this.margins[i]!;
  }

  /** Signs of indicators that were zero so far; margins end where values are clearly on their own side. */
  private adopt(values: Float64Array): void {
    const { signs, margins } = this;
    for (let i = 0; i < this.count; i++) {
      if (signs[i] === 0) signs[i] = Math.sign(values[i]!) || 0;
      else if (signs[i]! * values[i]! > margins[i]!) margins[i] = 0;
    }
  }

  /**
   * Whether an indicator with equal signs at both ends may touch zero in between: the parabola through the
   * last three points turns towards zero near this step. Without a third point, always.
   */
  private mayTouch(from: number, to: number): boolean {
    const { past, left, right, signs, tPast } = this;
    if (!(tPast < from)) return this.trusted.includes(0);
    const h = to - from;
    const before = from - tPast;
    for (let i = 0; i < this.count; i++) {
      if (this.trusted[i]) continue;
      if (signs[i] === 0) return true;
      const slope = (right[i]! - left[i]!) / h;
      const slopeBefore = (left[i]! - past[i]!) / before;
      const curvature = (slope - slopeBefore) / (h + before);
      if (curvature * signs[i]! <= 0) continue;
      const turn = 0.5 * (from + to) - slope / (2 * curvature);
      if (turn > from - TURN_MARGIN * h && turn < to + TURN_MARGIN * h) return true;
    }
    return false;
  }
}

/** A turning point so close outside the step counts as well, since the parabola is not exact. */
const TURN_MARGIN = 0.5;
