/**
 * The first sign change of several indicator functions over a step. Bracketing by the Illinois variant of
 * regula falsi (M. Dowell and P. Jarratt, BIT 11, 1971), with bisection wherever it does not halve the
 * bracket in time, on all indicators at once in the manner of K. L. Hiebert and L. F. Shampine (Sandia report
 * SAND80-0180, 1980).
 *
 * A sign is -1 or +1; 0 means that it is not known yet, because the indicator has been exactly zero since the
 * beginning. It is adopted from the first nonzero value and changes only at a value strictly on the other
 * side (or at zero, where the caller says so: `close`), so the time that is found is one at which the change has happened.
 *
 * After an event a sign may be given (`hold`) that the value contradicts by its rounding error. Then it changes only at values clearly
 * larger than that error, until the value has been as far on its own side. The same holds where somebody says how large errors are: that is
 * asked only where a sign seems to have changed. Of an error that passes by, it is asked again in the next search.
 */

/** Writes the indicators at time t into `out`. */
export type Indicators = (t: number, out: Float64Array) => void;

/** Writes the errors of the indicators at time t into `out`, and 1 into `passing` where one counts for the present search alone. */
export type Errors = (t: number, out: Float64Array, passing: Uint8Array) => void;

export interface RootLocation {
  /** The right end of the bracketing interval: the indicators in `changed` have changed sign here. */
  readonly time: number;
  /** The left end, where no indicator has changed. */
  readonly before: number;
  readonly changed: readonly number[];
}

/** Width of the bracket in units in the last place of time. */
const BRACKET_ULPS = 4;
/** Sign changes this close to each other are one event. */
const TOGETHER_ULPS = 4;
/** Points inside a step at which indicators are looked at where they may touch zero and go back. */
const INTERIOR = 4;
/** So often a dip of an indicator is followed; it is not where it does not lower its values below this share. */
const MOST_DIPS = 8;
const SHALLOW = 0.9;
/** So many trials may pass without halving the bracket before it is bisected. */
const PATIENCE = 3;
/** A value that contradicts its given sign does so by rounding up to this multiple of it. */
const MARGIN = 16;

/** A value that is larger is no rounding error of zero, where nobody says how large these are. */
const CLEAR = 1e-12;

/** A time, and how far an indicator is from changing there. */
interface Point {
  readonly t: number;
  readonly v: number;
}

/** What is known of the indicators at the left end of the next search. */
export class RootSearch {
  private readonly signs: Int8Array;
  /** How far on the other side a value must be to count as a change. */
  private readonly margins: Float64Array;
  /** 1 where zero itself is on the other side, once a value has been clearly on its own side; 2 until then. */
  private readonly closed: Uint8Array;
  private readonly clear: Float64Array;
  /** 1 where the caller sees to it that the sign changes at most once between two looks. */
  private readonly trusted: Uint8Array;
  private readonly left: Float64Array;
  private readonly right: Float64Array;
  private readonly middle: Float64Array;
  private readonly errors: Float64Array;
  /** 1 where the error passes by, and the margins without those that do. */
  private readonly passing: Uint8Array;
  private readonly lasting: Float64Array;
  private hasPassing = false;
  /** 1 for indicators that had changed at the right end when it was looked at: evaluated again, they may differ a little. */
  private readonly seen: Uint8Array;
  /** Times and values of points inside a step, its ends included. */
  private readonly times = new Float64Array(INTERIOR + 2);
  private readonly inside: readonly Float64Array[];
  /** Values at the beginning of the search before, to see turning points without further evaluations. */
  private readonly past: Float64Array;
  private tPast = Number.NaN;
  private tLeft = Number.NaN;
  private step = 0;
  /** Of the present search. */
  private rounding: Errors | undefined;

  constructor(readonly count: number) {
    this.signs = new Int8Array(count);
    this.margins = new Float64Array(count);
    this.closed = new Uint8Array(count);
    this.clear = new Float64Array(count);
    this.trusted = new Uint8Array(count);
    this.left = new Float64Array(count);
    this.right = new Float64Array(count);
    this.middle = new Float64Array(count);
    this.errors = new Float64Array(count);
    this.passing = new Uint8Array(count);
    this.lasting = new Float64Array(count);
    this.seen = new Uint8Array(count);
    this.inside = Array.from({ length: INTERIOR + 2 }, () => new Float64Array(count));
    this.past = new Float64Array(count);
  }

  /** Starts (again) at a point: signs are those of `values`. */
  begin(t: number, values: Float64Array): void {
    for (let i = 0; i < this.count; i++) {
      this.left[i] = values[i]!;
      this.signs[i] = Math.sign(values[i]!) || 0;
    }
    this.margins.fill(0);
    this.closed.fill(0);
    this.hasPassing = false;
    this.tLeft = t;
    this.tPast = Number.NaN;
  }

  /** An indicator is another function from here on. */
  renew(i: number, value: number): void {
    this.left[i] = value;
    this.signs[i] = Math.sign(value) || 0;
    this.margins[i] = 0;
    this.closed[i] = 0;
    this.tPast = Number.NaN;
  }

  /** What is known at the left end, as a value; `resume` goes on from it. */
  state() {
    const { signs, margins, closed, clear, trusted, left, past, tPast, tLeft } = this;
    return structuredClone({ signs, margins, closed, clear, trusted, left, past, tPast, tLeft });
  }

  resume(state: ReturnType<RootSearch['state']>): void {
    Object.assign(this, structuredClone(state));
  }

  /** An indicator begins with this sign, whatever its value. One that is no larger than its rounding error has to become so before it changes. */
  hold(i: number, sign: -1 | 1, error = 0): void {
    this.signs[i] = sign;
    const beyond = -sign * this.left[i]!;
    const isRounding = Math.abs(this.left[i]!) <= error;
    this.margins[i] = Math.max(MARGIN * beyond, isRounding ? error : 0);
  }

  /**
   * An indicator changes where it becomes exactly zero, as that of `level <= 0` where a level stays at zero. It does not where it begins there, or
   * is not larger than its rounding error.
   */
  close(i: number, error = CLEAR): void {
    this.clear[i] = error;
    this.closed[i] = this.signs[i]! * this.left[i]! > Math.max(this.margins[i]!, error) ? 1 : 2;
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
   * step. With one, the left end moves to the time found and the signs are those after the change. `rounding` writes the errors of
   * the indicators where these were evaluated last. The rounding of times is that of the whole `step` of which this is a part.
   */
  locate(
    to: number,
    evaluate: Indicators,
    rounding?: Errors,
    step = to - this.tLeft,
  ): RootLocation | undefined {
    const from = this.tLeft;
    if (this.count === 0 || !(to > from)) return undefined;
    this.step = step;
    this.rounding = rounding;
    evaluate(to, this.right);
    const changed = this.isRealChange(to, this.right);
    if (!this.mayTouch(from, to)) return changed ? this.refine(from, to, evaluate) : this.advance(to);
    return this.lookInside(from, to, evaluate);
  }

  /** A change at the end may be the second one; the first is in the first part that shows any. */
  private lookInside(from: number, to: number, evaluate: Indicators): RootLocation | undefined {
    const { inside, times } = this;
    const last = INTERIOR + 1;
    times[0] = from;
    inside[0]!.set(this.left);
    for (let part = 1; part <= last; part++) {
      const t = part === last ? to : from + ((to - from) * part) / last;
      times[part] = t;
      if (part < last) evaluate(t, inside[part]!);
      else inside[last]!.set(this.right);
      // A dip may be anywhere after the point before the last: what later points show of rounding errors does not count there.
      if (part >= 2) this.settle(inside[part - 2]!);
      const changed = this.isRealChange(t, inside[part]!);
      const dip = this.dipBefore(part, evaluate);
      if (dip !== undefined) return this.refine(this.leftOf(dip, part), dip, evaluate);
      if (changed) {
        this.right.set(inside[part]!);
        return this.refine(this.leftOf(t, part), t, evaluate);
      }
      this.adopt(inside[part]!);
    }
    return this.advance(to);
  }

  /** Goes on from the last of the points inside, up to `part`, that lie before t. */
  private leftOf(t: number, part: number): number {
    let k = part - 1;
    while (k > 0 && this.times[k]! >= t) k--;
    this.left.set(this.inside[k]!);
    return this.times[k]!;
  }

  /** A time before point `part` at which an indicator has changed that has not in the points: the parabola through the last three dips to zero. */
  private dipBefore(part: number, evaluate: Indicators): number | undefined {
    if (part < 2) return undefined;
    const { inside, times, signs } = this;
    for (let i = 0; i < this.count; i++) {
      const sign = signs[i]!;
      if (this.trusted[i] || sign === 0 || this.hasChanged(i, inside[part]!)) continue;
      const at = (k: number): Point => ({ t: times[k]!, v: sign * inside[k]![i]! });
      const time = this.dip(i, at(part - 2), at(part - 1), at(part), evaluate);
      if (time !== undefined) return time;
    }
    return undefined;
  }

  /** Follows the lowest point of the parabola through three points until the value there is what it says. */
  private dip(i: number, a: Point, b: Point, c: Point, evaluate: Indicators): number | undefined {
    let [left, middle, right] = [a, b, c];
    for (let n = 0; n < MOST_DIPS; n++) {
      const before = (middle.v - left.v) / (middle.t - left.t);
      const after = (right.v - middle.v) / (right.t - middle.t);
      const curvature = (after - before) / (right.t - left.t);
      if (!(curvature > 0)) return undefined;
      const t = 0.5 * (left.t + middle.t) - before / (2 * curvature);
      if (!(t > left.t && t < right.t) || t === middle.t) return undefined;
      const least = left.v + (t - left.t) * (before + curvature * (t - middle.t));
      if (least > SHALLOW * Math.min(left.v, middle.v, right.v)) return undefined;
      evaluate(t, this.middle);
      if (this.isRealChange(t, this.middle)) {
        this.right.set(this.middle);
        return t;
      }
      const lowest = { t, v: this.signs[i]! * this.middle[i]! };
      const isLeft = t < middle.t;
      if (lowest.v < middle.v)
        [left, middle, right] = isLeft ? [left, lowest, middle] : [middle, lowest, right];
      else if (isLeft) left = lowest;
      else right = lowest;
    }
    return undefined;
  }

  private refine(from: number, to: number, evaluate: Indicators): RootLocation {
    const { left, right, middle } = this;
    let a = from;
    let b = to;
    let width = b - a;
    let trials = 0;
    let lastSide = 0;
    this.see(right);
    for (;;) {
      const tolerance = BRACKET_ULPS * Number.EPSILON * Math.max(Math.abs(a), Math.abs(b), this.step);
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
      if (this.isChange(middle)) {
        b = t;
        right.set(middle);
        this.see(middle);
        if (lastSide === 1) for (let i = 0; i < this.count; i++) left[i] = 0.5 * left[i]!;
        lastSide = 1;
      } else {
        a = t;
        this.adopt(middle);
        this.settle(middle);
        left.set(middle);
        if (lastSide === -1) for (let i = 0; i < this.count; i++) right[i] = 0.5 * right[i]!;
        lastSide = -1;
      }
      if (b - a <= 0.5 * width) {
        width = b - a;
        trials = 0;
      }
    }
    return this.report(a, this.together(b, to, evaluate), evaluate);
  }

  /** Changes that differ by rounding are one: the time a little later, where more indicators have changed by then. */
  private together(found: number, to: number, evaluate: Indicators): number {
    if (this.count === 1) return found;
    const later = Math.min(to, found + TOGETHER_ULPS * Number.EPSILON * Math.max(Math.abs(found), this.step));
    if (!(later > found)) return found;
    evaluate(later, this.middle);
    let more = false;
    for (let i = 0; i < this.count; i++) {
      const changes = this.hasChanged(i, this.middle);
      if (this.seen[i] && !changes) return found;
      more ||= changes && !this.seen[i];
    }
    if (!more) return found;
    this.see(this.middle);
    return later;
  }

  private see(values: Float64Array): void {
    for (let i = 0; i < this.count; i++) this.seen[i] = this.hasChanged(i, values) ? 1 : 0;
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
    const { right, signs } = this;
    const changed: number[] = [];
    for (let i = 0; i < this.count; i++) if (this.seen[i]) changed.push(i);
    const sides = changed.map((i) => (signs[i]! > 0 ? -1 : 1));
    evaluate(b, right);
    this.begin(b, right);
    for (const [k, i] of changed.entries()) this.hold(i, sides[k]!);
    return { time: b, before: a, changed };
  }

  private advance(to: number): undefined {
    if (this.hasPassing) this.margins.set(this.lasting);
    this.hasPassing = false;
    this.past.set(this.left);
    this.tPast = this.tLeft;
    this.adopt(this.right);
    this.settle(this.right);
    this.left.set(this.right);
    this.tLeft = to;
    return undefined;
  }

  /** Whether an indicator has changed. */
  isChange(values: Float64Array): boolean {
    for (let i = 0; i < this.count; i++) if (this.hasChanged(i, values)) return true;
    return false;
  }

  /** Whether a value has changed sign by more than its rounding error. */
  private isRealChange(t: number, values: Float64Array): boolean {
    if (!this.isChange(values)) return false;
    const { errors, margins, passing, lasting, rounding } = this;
    if (!rounding) return true;
    passing.fill(0);
    rounding(t, errors, passing);
    if (!this.hasPassing) lasting.set(margins);
    for (let i = 0; i < this.count; i++) {
      if (!(errors[i]! > margins[i]!)) continue;
      margins[i] = errors[i]!;
      if (passing[i]) this.hasPassing = true;
      else lasting[i] = errors[i]!;
    }
    return this.isChange(values);
  }

  private hasChanged(i: number, values: Float64Array): boolean {
    const value = this.signs[i]! * values[i]!;
    return value < -this.margins[i]! || (value === 0 && this.closed[i] === 1);
  }

  /** Signs of indicators that were zero so far. */
  private adopt(values: Float64Array): void {
    const { signs } = this;
    for (let i = 0; i < this.count; i++) if (signs[i] === 0) signs[i] = Math.sign(values[i]!) || 0;
  }

  /** Margins end where values are clearly on their own side; from there on zero counts where it is on the other side. */
  private settle(values: Float64Array): void {
    const { signs, margins, lasting, closed, clear } = this;
    for (let i = 0; i < this.count; i++) {
      const value = signs[i]! * values[i]!;
      if (!(value > margins[i]!)) continue;
      margins[i] = 0;
      lasting[i] = 0;
      if (closed[i] === 2 && value > clear[i]!) closed[i] = 1;
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
      if (this.trusted[i] || this.hasChanged(i, right)) continue;
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
