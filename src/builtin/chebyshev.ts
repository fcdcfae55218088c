/** Polynomials through Chebyshev points on [-1, 1], evaluated by the barycentric formula. */

/** The degree: there is one point more. */
export const degree = 6;
export const nodes = Float64Array.from({ length: degree + 1 }, (_, k) => -Math.cos((Math.PI * k) / degree));
const weights = nodes.map((_, k) => (k % 2 === 0 ? 1 : -1) * (k === 0 || k === degree ? 0.5 : 1));
/** Where a polynomial is compared with what it stands for: between the points. */
export const probes = [-0.97, -0.61, 0.26, 0.78];

/** The value at p of the polynomial that has these values at the points. */
export function interpolated(values: Float64Array, p: number): number {
  let [sum, total] = [0, 0];
  for (let k = 0; k <= degree; k++) {
    const distance = p - nodes[k]!;
    if (distance === 0) return values[k]!;
    const weight = weights[k]! / distance;
    sum += weight * values[k]!;
    total += weight;
  }
  return sum / total;
}

/** The same of several polynomials at once, whose values stand side by side. Differences from the first are interpolated: what is constant stays exactly so. */
export function interpolateAll(values: Float64Array, p: number, out: Float64Array): void {
  const width = out.length;
  out.fill(0);
  let total = 0;
  for (let k = 0; k <= degree; k++) {
    const distance = p - nodes[k]!;
    if (distance === 0) {
      out.set(values.subarray(k * width, (k + 1) * width));
      return;
    }
    const weight = weights[k]! / distance;
    total += weight;
    for (let i = 0; i < width; i++) out[i]! += weight * (values[k * width + i]! - values[i]!);
  }
  for (let i = 0; i < width; i++) out[i] = values[i]! + out[i]! / total;
}
