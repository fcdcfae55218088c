/**
 * Slopes at the points of a curve, for cubic Hermite interpolation by local procedures. All but `akima` and `modifiedAkima` keep the curve monotone
 * where the points are.
 *
 * - H. Akima: A new method of interpolation and smooth curve fitting based on local procedures. J. ACM 17 (1970), 589-602.
 * - C. Ionita: Makima piecewise cubic interpolation (2019): Akima's weights with a term that avoids overshoot at flat parts.
 * - F. N. Fritsch, J. Butland: A method for constructing local monotone piecewise cubic interpolants. SIAM J. Sci. Stat. Comput. 5 (1984), 300-304.
 * - M. Steffen: A simple method for monotonic interpolation in one dimension. Astron. Astrophys. 239 (1990), 443-450.
 *
 * At the ends the first two continue the divided differences linearly, the others take that of the last interval.
 */

/** Points and values, at least two of them; points increase strictly. */
export type SlopeRule = (x: ArrayLike<number>, y: ArrayLike<number>) => Float64Array;

export const akima: SlopeRule = (x, y) => weighted(x, y, (a, b) => Math.abs(b - a));

export const modifiedAkima: SlopeRule = (x, y) =>
  weighted(x, y, (a, b) => Math.abs(b - a) + Math.abs(b + a) / 2, 0);

export const fritschButland: SlopeRule = (x, y) =>
  monotone(x, y, (before, after, d0, d1) => {
    const sum = before + after;
    return (3 * sum) / ((sum + after) / d0 + (sum + before) / d1);
  });

export const steffen: SlopeRule = (x, y) =>
  monotone(x, y, (before, after, d0, d1) => {
    const parabola = (d0 * after + d1 * before) / (before + after);
    const least = Math.min(Math.abs(d0), Math.abs(d1));
    return Math.sign(d0) * Math.min(Math.abs(parabola), 2 * least);
  });

/** Akima's mean of the differences on both sides. `flat` is the slope where all weights are zero, by default the mean of both. */
function weighted(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weight: (a: number, b: number) => number,
  flat?: number,
): Float64Array {
  const n = x.length;
  const inner = differences(x, y);
  const [first, second = first] = [inner[0]!, inner[1]];
  const [last, previous = last] = [inner[n - 2]!, inner[n - 3]];
  // d[k] and d[k + 1] are the differences before and after point k - 1.
  const d = [
    3 * first - 2 * second,
    2 * first - second,
    ...inner,
    2 * last - previous,
    3 * last - 2 * previous,
  ];
  return Float64Array.from({ length: n }, (_, k) => {
    const [d1, d2, d3, d4] = [d[k]!, d[k + 1]!, d[k + 2]!, d[k + 3]!];
    const [left, right] = [weight(d1, d2), weight(d3, d4)];
    const sum = left + right;
    if (!(sum > 0)) return flat ?? (d2 + d3) / 2;
    const share = left / sum;
    return (1 - share) * d2 + share * d3;
  });
}

function monotone(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  mean: (before: number, after: number, d0: number, d1: number) => number,
): Float64Array {
  const n = x.length;
  const d = differences(x, y);
  return Float64Array.from({ length: n }, (_, k) => {
    if (k === 0) return d[0]!;
    if (k === n - 1) return d[n - 2]!;
    const [d0, d1] = [d[k - 1]!, d[k]!];
    return d0 * d1 > 0 ? mean(x[k]! - x[k - 1]!, x[k + 1]! - x[k]!, d0, d1) : 0;
  });
}

/** Divided differences of neighbours. */
export const differences = (x: ArrayLike<number>, y: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: x.length - 1 }, (_, k) => (y[k + 1]! - y[k]!) / (x[k + 1]! - x[k]!));
