/**
 * The past of a BDF method as a Nordsieck array, and the coefficients of the fixed-leading-coefficient form
 * on variable steps (K. R. Jackson and R. Sacks-Davis, ACM TOMS 6, 1980; Brown, Byrne, Hindmarsh, VODE, SIAM
 * J. Sci. Stat. Comput. 10, 1989). Row j holds h^j y^(j) / j! of the polynomial that interpolates the past,
 * so `rows[0]` is y, and a change of the step by a factor is a multiplication by its powers. A step is a
 * prediction (Pascal's triangle) plus a correction `l[j] * c`, where c is what the nonlinear solver finds.
 */

export const MAX_ORDER = 5;

/** What a past is: all else belongs to a step. */
export interface NordsieckState {
  readonly rows: Float64Array[];
  readonly order: number;
  readonly h: number;
  readonly past: Float64Array;
}

export class Nordsieck {
  rows: Float64Array[];
  /** Order of the polynomial. */
  order = 1;
  /** Step that the rows are scaled to. */
  h = 0;
  /** Coefficients of the correction. */
  readonly l = new Float64Array(MAX_ORDER + 1);
  /** Norm of the correction times this is the local error at the present order ... */
  errorFactor = 0;
  /** ... norm of row q times this, at one order less ... */
  errorFactorBelow = 0;
  /** ... and norm of the scaled change of the correction times this, at one order more. */
  errorFactorAbove = 0;
  /** Scale of the correction as a derivative of order q + 1, to compare corrections of two steps. */
  correctionScale = 0;
  /** Sizes of the past steps, the last one first. */
  private past: Float64Array = new Float64Array(MAX_ORDER + 1);
  /** Coefficients of a change of order. */
  private readonly scratch = new Float64Array(MAX_ORDER + 1);

  constructor(readonly n: number) {
    this.rows = Array.from({ length: MAX_ORDER + 1 }, () => new Float64Array(n));
  }

  state(): NordsieckState {
    const { rows, order, h, past } = this;
    return { rows, order, h, past };
  }

  resume({ rows, order, h, past }: NordsieckState): void {
    this.rows = rows;
    this.order = order;
    this.h = h;
    this.past = past;
  }

  /** Begins at order one. */
  start(y: Float64Array, slope: Float64Array, h: number): void {
    const [z0, z1] = this.rows as [Float64Array, Float64Array];
    z0.set(y);
    for (let i = 0; i < this.n; i++) z1[i] = h * slope[i]!;
    this.order = 1;
    this.h = h;
    this.past.fill(h);
  }

  /** Goes on from a start at order two: `curvature` is h^2 y''/2. */
  bend(curvature: Float64Array): void {
    this.rows[2]!.set(curvature);
    this.order = 2;
  }

  /** The ratio of the present step to the one before the last, which scales the comparison of two corrections. */
  stepRatio(): number {
    return this.h / this.past[1]!;
  }

  /**
   * Coefficients of the step from here with the present order and step; those for other orders where
   * `neighbours`.
   */
  setCoefficients(neighbours: boolean): void {
    const { l, past, order: q, h } = this;
    l.fill(0);
    l[0] = 1;
    l[1] = 1;
    // alpha is the leading coefficient on equal steps, alphaVariable that of the predictor on the real ones.
    let alpha = -1;
    let alphaVariable = -1;
    let inverse = 1;
    let inverseLast = 1;
    let span = h;
    if (q > 1) {
      for (let j = 2; j < q; j++) {
        span += past[j - 2]!;
        inverse = h / span;
        alpha -= 1 / j;
        alphaVariable -= inverse;
        for (let i = j; i >= 1; i--) l[i] = l[i]! + l[i - 1]! * inverse;
      }
      alpha -= 1 / q;
      inverseLast = -l[1]! - alpha;
      span += past[q - 2]!;
      inverse = h / span;
      alphaVariable = -l[1]! - inverse;
      for (let i = q; i >= 1; i--) l[i] = l[i]! + l[i - 1]! * inverseLast;
    }
    const a1 = 1 - alphaVariable + alpha;
    const a2 = 1 + q * a1;
    this.errorFactor = Math.abs(a1 / (alpha * a2));
    this.correctionScale = Math.abs((a2 * inverseLast) / (l[q]! * inverse));
    if (!neighbours) return;
    this.errorFactorBelow = 1;
    if (q > 1) {
      const a3 = alpha + 1 / q;
      const a4 = alphaVariable + inverse;
      this.errorFactorBelow = Math.abs(((inverseLast / l[q]!) * (1 - a4 + a3)) / a3);
    }
    span += past[q - 1]!;
    inverse = h / span;
    const a5 = alpha - 1 / (q + 1);
    const a6 = alphaVariable - inverse;
    this.errorFactorAbove = Math.abs((1 - a6 + a5) / a2 / (inverse * (q + 2) * a5));
  }

  /** Moves the polynomial one step on: every row becomes its Taylor sum, in one pass for each order. */
  predict(): void {
    const [z0, z1, z2, z3, z4, z5] = this.rows as Rows;
    const n = this.n;
    switch (this.order) {
      case 1:
        for (let i = 0; i < n; i++) z0[i] = z0[i]! + z1[i]!;
        return;
      case 2:
        for (let i = 0; i < n; i++) {
          const c = z2[i]!;
          const b = z1[i]!;
          z0[i] = z0[i]! + (b + c);
          z1[i] = b + 2 * c;
        }
        return;
      case 3:
        for (let i = 0; i < n; i++) {
          const d = z3[i]!;
          const c = z2[i]!;
          const b = z1[i]!;
          z0[i] = z0[i]! + (b + (c + d));
          z1[i] = b + (2 * c + 3 * d);
          z2[i] = c + 3 * d;
        }
        return;
      case 4:
        for (let i = 0; i < n; i++) {
          const e = z4[i]!;
          const d = z3[i]!;
          const c = z2[i]!;
          const b = z1[i]!;
          z0[i] = z0[i]! + (b + (c + (d + e)));
          z1[i] = b + (2 * c + (3 * d + 4 * e));
          z2[i] = c + (3 * d + 6 * e);
          z3[i] = d + 4 * e;
        }
        return;
      default:
        for (let i = 0; i < n; i++) {
          const f = z5[i]!;
          const e = z4[i]!;
          const d = z3[i]!;
          const c = z2[i]!;
          const b = z1[i]!;
          z0[i] = z0[i]! + (b + (c + (d + (e + f))));
          z1[i] = b + (2 * c + (3 * d + (4 * e + 5 * f)));
          z2[i] = c + (3 * d + (6 * e + 10 * f));
          z3[i] = d + (4 * e + 10 * f);
          z4[i] = e + 5 * f;
        }
    }
  }

  /** Undoes `predict`. */
  retreat(): void {
    const { rows, order: q, n } = this;
    for (let k = 1; k <= q; k++) {
      for (let j = q; j >= k; j--) {
        const upper = rows[j - 1]!;
        const lower = rows[j]!;
        for (let i = 0; i < n; i++) upper[i] = upper[i]! - lower[i]!;
      }
    }
  }

  /** Ends a step: adds the correction to every row, in one pass, and remembers the step. */
  correct(correction: Float64Array): void {
    const [z0, z1, z2, z3, z4, z5] = this.rows as Rows;
    const { n, past, l } = this;
    const l1 = l[1]!;
    const l2 = l[2]!;
    const l3 = l[3]!;
    const l4 = l[4]!;
    const l5 = l[5]!;
    switch (this.order) {
      case 1:
        for (let i = 0; i < n; i++) {
          const c = correction[i]!;
          z0[i] = z0[i]! + c;
          z1[i] = z1[i]! + l1 * c;
        }
        break;
      case 2:
        for (let i = 0; i < n; i++) {
          const c = correction[i]!;
          z0[i] = z0[i]! + c;
          z1[i] = z1[i]! + l1 * c;
          z2[i] = z2[i]! + l2 * c;
        }
        break;
      case 3:
        for (let i = 0; i < n; i++) {
          const c = correction[i]!;
          z0[i] = z0[i]! + c;
          z1[i] = z1[i]! + l1 * c;
          z2[i] = z2[i]! + l2 * c;
          z3[i] = z3[i]! + l3 * c;
        }
        break;
      case 4:
        for (let i = 0; i < n; i++) {
          const c = correction[i]!;
          z0[i] = z0[i]! + c;
          z1[i] = z1[i]! + l1 * c;
          z2[i] = z2[i]! + l2 * c;
          z3[i] = z3[i]! + l3 * c;
          z4[i] = z4[i]! + l4 * c;
        }
        break;
      default:
        for (let i = 0; i < n; i++) {
          const c = correction[i]!;
          z0[i] = z0[i]! + c;
          z1[i] = z1[i]! + l1 * c;
          z2[i] = z2[i]! + l2 * c;
          z3[i] = z3[i]! + l3 * c;
          z4[i] = z4[i]! + l4 * c;
          z5[i] = z5[i]! + l5 * c;
        }
        break;
    }
    for (let j = MAX_ORDER; j > 0; j--) past[j] = past[j - 1]!;
    past[0] = this.h;
  }

  /** Changes the step. */
  rescale(ratio: number): void {
    const { rows, n } = this;
    let factor = ratio;
    for (let j = 1; j <= this.order; j++) {
      const row = rows[j]!;
      for (let i = 0; i < n; i++) row[i] = row[i]! * factor;
      factor *= ratio;
    }
    this.h *= ratio;
  }

  /** One order more; `correction` of the last step gives the derivative that was missing. */
  raise(correction: Float64Array): void {
    const { rows, past, order: q, n, h, scratch: l } = this;
    l.fill(0);
    l[2] = 1;
    let alpha = -1;
    let sum = 1;
    let product = 1;
    let before = 1;
    let span = h;
    for (let j = 1; j < q; j++) {
      span += past[j]!;
      const xi = span / h;
      product *= xi;
      alpha -= 1 / (j + 1);
      sum += 1 / xi;
      for (let i = j + 2; i >= 2; i--) l[i] = l[i]! * before + l[i - 1]!;
      before = xi;
    }
    const scale = (-alpha - sum) / product;
    const top = rows[q + 1]!;
    for (let i = 0; i < n; i++) top[i] = scale * correction[i]!;
    for (let j = 2; j <= q; j++) addTo(rows[j]!, l[j]!, top);
    this.order = q + 1;
  }

  /** One order less: the polynomial through one point fewer. */
  lower(): void {
    const { rows, past, order: q, h, scratch: l } = this;
    l.fill(0);
    l[2] = 1;
    let span = 0;
    for (let j = 1; j <= q - 2; j++) {
      span += past[j - 1]!;
      const xi = span / h;
      for (let i = j + 2; i >= 2; i--) l[i] = l[i]! * xi + l[i - 1]!;
    }
    for (let j = 2; j < q; j++) addTo(rows[j]!, -l[j]!, rows[q]!);
    this.order = q - 1;
  }

  /** The polynomial at `s` steps after the point where it stands (negative inside the last step). */
  evaluate(s: number, out: Float64Array): void {
    const [z0, z1, z2, z3, z4, z5] = this.rows as Rows;
    const n = Math.min(this.n, out.length);
    switch (this.order) {
      case 1:
        for (let i = 0; i < n; i++) out[i] = z0[i]! + s * z1[i]!;
        return;
      case 2:
        for (let i = 0; i < n; i++) out[i] = z0[i]! + s * (z1[i]! + s * z2[i]!);
        return;
      case 3:
        for (let i = 0; i < n; i++) out[i] = z0[i]! + s * (z1[i]! + s * (z2[i]! + s * z3[i]!));
        return;
      case 4:
        for (let i = 0; i < n; i++) out[i] = z0[i]! + s * (z1[i]! + s * (z2[i]! + s * (z3[i]! + s * z4[i]!)));
        return;
      default:
        for (let i = 0; i < n; i++)
          out[i] = z0[i]! + s * (z1[i]! + s * (z2[i]! + s * (z3[i]! + s * (z4[i]! + s * z5[i]!))));
        return;
    }
  }
}

type Rows = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

function addTo(target: Float64Array, factor: number, source: Float64Array): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! + factor * source[i]!;
}
