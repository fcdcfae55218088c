/**
 * The past of a BDF method as a Nordsieck array, and the coefficients of the fixed-leading-coefficient form
 * on variable steps (K. R. Jackson and R. Sacks-Davis, ACM TOMS 6, 1980; Brown, Byrne, Hindmarsh, VODE, SIAM
 * J. Sci. Stat. Comput. 10, 1989). Row j holds h^j y^(j) / j! of the polynomial that interpolates the past,
 * so row 0 is y, and a change of the step by a factor is a multiplication by its powers. A step is a
 * prediction (Pascal's triangle) plus a correction `l[j] * c`, where c is what the nonlinear solver finds.
 */
import { clear, copy, get, part, set, Vector } from './vector';

export const MAX_ORDER = 5;

@unmanaged
export class Nordsieck {
  n: i32;
  /** Order of the polynomial. */
  order: i32;
  /** Step that the rows are scaled to. */
  h: f64;
  /** Sizes of the past steps, the last one first. */
  past0: f64;
  past1: f64;
  past2: f64;
  past3: f64;
  past4: f64;
  past5: f64;
  /** Coefficients of the correction. */
  l0: f64;
  l1: f64;
  l2: f64;
  l3: f64;
  l4: f64;
  l5: f64;
  /** Coefficients of a change of order. */
  c0: f64;
  c1: f64;
  c2: f64;
  c3: f64;
  c4: f64;
  c5: f64;
  /** Norm of the correction times this is the local error at the present order ... */
  errorFactor: f64;
  /** ... norm of row q times this, at one order less ... */
  errorFactorBelow: f64;
  /** ... and norm of the scaled change of the correction times this, at one order more. */
  errorFactorAbove: f64;
  /** Scale of the correction as a derivative of order q + 1, to compare corrections of two steps. */
  correctionScale: f64;

  row(j: i32): Vector {
    return part(changetype<usize>(this) + offsetof<Nordsieck>(), this.n, j);
  }

  get past(): Vector {
    return changetype<usize>(this) + offsetof<Nordsieck>('past0');
  }

  get l(): Vector {
    return changetype<usize>(this) + offsetof<Nordsieck>('l0');
  }

  get scratch(): Vector {
    return changetype<usize>(this) + offsetof<Nordsieck>('c0');
  }

  /** Begins at order one, with the values in row 0. */
  start(slope: Vector, h: f64): void {
    const z1 = this.row(1);
    for (let i = 0; i < this.n; i++) set(z1, i, h * get(slope, i));
    this.order = 1;
    this.h = h;
    for (let j = 0; j <= MAX_ORDER; j++) set(this.past, j, h);
  }

  /** Goes on from a start at order two: `curvature` is h^2 y''/2. */
  bend(curvature: Vector): void {
    copy(this.row(2), curvature, this.n);
    this.order = 2;
  }

  /** The ratio of the present step to the one before the last, which scales the comparison of two corrections. */
  stepRatio(): f64 {
    return this.h / this.past1;
  }

  /**
   * Coefficients of the step from here with the present order and step; those for other orders where
   * `neighbours`.
   */
  setCoefficients(neighbours: bool): void {
    const l = this.l;
    const past = this.past;
    const q = this.order;
    const h = this.h;
    clear(l, MAX_ORDER + 1);
    set(l, 0, 1);
    set(l, 1, 1);
    // alpha is the leading coefficient on equal steps, alphaVariable that of the predictor on the real ones.
    let alpha: f64 = -1;
    let alphaVariable: f64 = -1;
    let inverse: f64 = 1;
    let inverseLast: f64 = 1;
    let span = h;
    if (q > 1) {
      for (let j = 2; j < q; j++) {
        span += get(past, j - 2);
        inverse = h / span;
        alpha -= 1 / <f64>j;
        alphaVariable -= inverse;
        for (let i = j; i >= 1; i--) set(l, i, get(l, i) + get(l, i - 1) * inverse);
      }
      alpha -= 1 / <f64>q;
      inverseLast = -get(l, 1) - alpha;
      span += get(past, q - 2);
      inverse = h / span;
      alphaVariable = -get(l, 1) - inverse;
      for (let i = q; i >= 1; i--) set(l, i, get(l, i) + get(l, i - 1) * inverseLast);
    }
    const a1 = 1 - alphaVariable + alpha;
    const a2 = 1 + <f64>q * a1;
    this.errorFactor = abs(a1 / (alpha * a2));
    this.correctionScale = abs((a2 * inverseLast) / (get(l, q) * inverse));
    if (!neighbours) return;
    this.errorFactorBelow = 1;
    if (q > 1) {
      const a3 = alpha + 1 / <f64>q;
      const a4 = alphaVariable + inverse;
      this.errorFactorBelow = abs(((inverseLast / get(l, q)) * (1 - a4 + a3)) / a3);
    }
    span += get(past, q - 1);
    inverse = h / span;
    const a5 = alpha - 1 / <f64>(q + 1);
    const a6 = alphaVariable - inverse;
    this.errorFactorAbove = abs((1 - a6 + a5) / a2 / (inverse * <f64>(q + 2) * a5));
  }

  /** Moves the polynomial one step on: every row becomes its Taylor sum, in one pass for each order. */
  predict(): void {
    const z0 = this.row(0);
    const z1 = this.row(1);
    const z2 = this.row(2);
    const z3 = this.row(3);
    const z4 = this.row(4);
    const z5 = this.row(5);
    const n = this.n;
    switch (this.order) {
      case 1:
        for (let i = 0; i < n; i++) set(z0, i, get(z0, i) + get(z1, i));
        return;
      case 2:
        for (let i = 0; i < n; i++) {
          const c = get(z2, i);
          const b = get(z1, i);
          set(z0, i, get(z0, i) + (b + c));
          set(z1, i, b + 2 * c);
        }
        return;
      case 3:
        for (let i = 0; i < n; i++) {
          const d = get(z3, i);
          const c = get(z2, i);
          const b = get(z1, i);
          set(z0, i, get(z0, i) + (b + (c + d)));
          set(z1, i, b + (2 * c + 3 * d));
          set(z2, i, c + 3 * d);
        }
        return;
      case 4:
        for (let i = 0; i < n; i++) {
          const e = get(z4, i);
          const d = get(z3, i);
          const c = get(z2, i);
          const b = get(z1, i);
          set(z0, i, get(z0, i) + (b + (c + (d + e))));
          set(z1, i, b + (2 * c + (3 * d + 4 * e)));
          set(z2, i, c + (3 * d + 6 * e));
          set(z3, i, d + 4 * e);
        }
        return;
      default:
        for (let i = 0; i < n; i++) {
          const f = get(z5, i);
          const e = get(z4, i);
          const d = get(z3, i);
          const c = get(z2, i);
          const b = get(z1, i);
          set(z0, i, get(z0, i) + (b + (c + (d + (e + f)))));
          set(z1, i, b + (2 * c + (3 * d + (4 * e + 5 * f))));
          set(z2, i, c + (3 * d + (6 * e + 10 * f)));
          set(z3, i, d + (4 * e + 10 * f));
          set(z4, i, e + 5 * f);
        }
    }
  }

  /** Undoes `predict`. */
  retreat(): void {
    const q = this.order;
    const n = this.n;
    for (let k = 1; k <= q; k++) {
      for (let j = q; j >= k; j--) {
        const upper = this.row(j - 1);
        const lower = this.row(j);
        for (let i = 0; i < n; i++) set(upper, i, get(upper, i) - get(lower, i));
      }
    }
  }

  /** Ends a step: adds the correction to every row, in one pass, and remembers the step. */
  correct(correction: Vector): void {
    const z0 = this.row(0);
    const z1 = this.row(1);
    const z2 = this.row(2);
    const z3 = this.row(3);
    const z4 = this.row(4);
    const z5 = this.row(5);
    const n = this.n;
    const past = this.past;
    const l1 = this.l1;
    const l2 = this.l2;
    const l3 = this.l3;
    const l4 = this.l4;
    const l5 = this.l5;
    switch (this.order) {
      case 1:
        for (let i = 0; i < n; i++) {
          const c = get(correction, i);
          set(z0, i, get(z0, i) + c);
          set(z1, i, get(z1, i) + l1 * c);
        }
        break;
      case 2:
        for (let i = 0; i < n; i++) {
          const c = get(correction, i);
          set(z0, i, get(z0, i) + c);
          set(z1, i, get(z1, i) + l1 * c);
          set(z2, i, get(z2, i) + l2 * c);
        }
        break;
      case 3:
        for (let i = 0; i < n; i++) {
          const c = get(correction, i);
          set(z0, i, get(z0, i) + c);
          set(z1, i, get(z1, i) + l1 * c);
          set(z2, i, get(z2, i) + l2 * c);
          set(z3, i, get(z3, i) + l3 * c);
        }
        break;
      case 4:
        for (let i = 0; i < n; i++) {
          const c = get(correction, i);
          set(z0, i, get(z0, i) + c);
          set(z1, i, get(z1, i) + l1 * c);
          set(z2, i, get(z2, i) + l2 * c);
          set(z3, i, get(z3, i) + l3 * c);
          set(z4, i, get(z4, i) + l4 * c);
        }
        break;
      default:
        for (let i = 0; i < n; i++) {
          const c = get(correction, i);
          set(z0, i, get(z0, i) + c);
          set(z1, i, get(z1, i) + l1 * c);
          set(z2, i, get(z2, i) + l2 * c);
          set(z3, i, get(z3, i) + l3 * c);
          set(z4, i, get(z4, i) + l4 * c);
          set(z5, i, get(z5, i) + l5 * c);
        }
        break;
    }
    for (let j = MAX_ORDER; j > 0; j--) set(past, j, get(past, j - 1));
    this.past0 = this.h;
  }

  /** Changes the step. */
  rescale(ratio: f64): void {
    const n = this.n;
    let factor = ratio;
    for (let j = 1; j <= this.order; j++) {
      const row = this.row(j);
      for (let i = 0; i < n; i++) set(row, i, get(row, i) * factor);
      factor *= ratio;
    }
    this.h *= ratio;
  }

  /** One order more; `correction` of the last step gives the derivative that was missing. */
  raise(correction: Vector): void {
    const past = this.past;
    const q = this.order;
    const n = this.n;
    const h = this.h;
    const l = this.scratch;
    clear(l, MAX_ORDER + 1);
    set(l, 2, 1);
    let alpha: f64 = -1;
    let sum: f64 = 1;
    let product: f64 = 1;
    let before: f64 = 1;
    let span = h;
    for (let j = 1; j < q; j++) {
      span += get(past, j);
      const xi = span / h;
      product *= xi;
      alpha -= 1 / <f64>(j + 1);
      sum += 1 / xi;
      for (let i = j + 2; i >= 2; i--) set(l, i, get(l, i) * before + get(l, i - 1));
      before = xi;
    }
    const scale = (-alpha - sum) / product;
    const top = this.row(q + 1);
    for (let i = 0; i < n; i++) set(top, i, scale * get(correction, i));
    for (let j = 2; j <= q; j++) this.add(j, get(l, j), top);
    this.order = q + 1;
  }

  /** One order less: the polynomial through one point fewer. */
  lower(): void {
    const past = this.past;
    const q = this.order;
    const h = this.h;
    const l = this.scratch;
    clear(l, MAX_ORDER + 1);
    set(l, 2, 1);
    let span: f64 = 0;
    for (let j = 1; j <= q - 2; j++) {
      span += get(past, j - 1);
      const xi = span / h;
      for (let i = j + 2; i >= 2; i--) set(l, i, get(l, i) * xi + get(l, i - 1));
    }
    for (let j = 2; j < q; j++) this.add(j, -get(l, j), this.row(q));
    this.order = q - 1;
  }

  /** The first `n` components of the polynomial at `s` steps after the point where it stands (negative inside the last step). */
  evaluate(s: f64, out: Vector, n: i32): void {
    const z0 = this.row(0);
    const z1 = this.row(1);
    const z2 = this.row(2);
    const z3 = this.row(3);
    const z4 = this.row(4);
    const z5 = this.row(5);
    switch (this.order) {
      case 1:
        for (let i = 0; i < n; i++) set(out, i, get(z0, i) + s * get(z1, i));
        return;
      case 2:
        for (let i = 0; i < n; i++) set(out, i, get(z0, i) + s * (get(z1, i) + s * get(z2, i)));
        return;
      case 3:
        for (let i = 0; i < n; i++)
          set(out, i, get(z0, i) + s * (get(z1, i) + s * (get(z2, i) + s * get(z3, i))));
        return;
      case 4:
        for (let i = 0; i < n; i++)
          set(out, i, get(z0, i) + s * (get(z1, i) + s * (get(z2, i) + s * (get(z3, i) + s * get(z4, i)))));
        return;
      default:
        for (let i = 0; i < n; i++)
          set(
            out,
            i,
            get(z0, i) +
              s * (get(z1, i) + s * (get(z2, i) + s * (get(z3, i) + s * (get(z4, i) + s * get(z5, i))))),
          );
        return;
    }
  }

  private add(j: i32, factor: f64, source: Vector): void {
    const target = this.row(j);
    for (let i = 0; i < this.n; i++) set(target, i, get(target, i) + factor * get(source, i));
  }
}

/** What is allocated for vectors of length n: the rows lie behind the numbers. */
export function nordsieckBytes(n: i32): i32 {
  return <i32>offsetof<Nordsieck>() + 8 * (MAX_ORDER + 1) * n;
}

/** Makes one of memory that is zero. */
export function newNordsieck(history: Nordsieck, n: i32): void {
  history.n = n;
  history.order = 1;
}

export function nordsieckRow(history: Nordsieck, j: i32): Vector {
  return history.row(j);
}

// A history by itself, for tests of it.

export function startPast(history: Nordsieck, slope: Vector, h: f64): void {
  history.start(slope, h);
}

export function predictPast(history: Nordsieck): void {
  history.predict();
}

export function retreatPast(history: Nordsieck): void {
  history.retreat();
}

export function rescalePast(history: Nordsieck, ratio: f64): void {
  history.rescale(ratio);
}

export function setCoefficients(history: Nordsieck, neighbours: bool): void {
  history.setCoefficients(neighbours);
}

export function correctPast(history: Nordsieck, correction: Vector): void {
  history.correct(correction);
}

export function raisePast(history: Nordsieck, correction: Vector): void {
  history.raise(correction);
}

export function lowerPast(history: Nordsieck): void {
  history.lower();
}

export function evaluatePast(history: Nordsieck, s: f64, out: Vector, n: i32): void {
  history.evaluate(s, out, n);
}
