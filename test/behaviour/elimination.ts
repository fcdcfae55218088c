/** Linear systems for the references that laws are compared with: small, dense, and nothing of the product in them. */

/** Pivots below this belong to singular systems; steps are much longer. */
const smallestPivot = 1e-10;

/** Gaussian elimination with row pivoting of the matrix with its right side; undefined where it is singular. */
export function eliminate(a: number[][]): number[] | undefined {
  const n = a.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i]![k]!) > Math.abs(a[pivot]![k]!)) pivot = i;
    if (Math.abs(a[pivot]![k]!) < smallestPivot) return undefined;
    [a[k], a[pivot]] = [a[pivot]!, a[k]!];
    for (let i = k + 1; i < n; i++) {
      const factor = a[i]![k]! / a[k]![k]!;
      if (factor !== 0) for (let j = k; j <= n; j++) a[i]![j]! -= factor * a[k]![j]!;
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k--) {
    let sum = a[k]![n]!;
    for (let j = k + 1; j < n; j++) sum -= a[k]![j]! * x[j]!;
    x[k] = sum / a[k]![k]!;
  }
  return x;
}
