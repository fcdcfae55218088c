/** Variables that sums show to be equal, of opposite sign, or zero. Sums are given by the factors of symbols in them. */
export class Signs {
  private readonly above = new Map<number, { readonly symbol: number; readonly sign: number }>();
  private readonly zeros = new Set<number>();

  /** What stands for all variables that are equal to one, up to a sign. */
  find(symbol: number): { readonly root: number; readonly sign: number } {
    let [root, sign] = [symbol, 1];
    for (let up = this.above.get(root); up; up = this.above.get(root)) {
      root = up.symbol;
      sign *= up.sign;
    }
    if (root !== symbol) this.above.set(symbol, { symbol: root, sign });
    return { root, sign };
  }

  /** A sum with each variable in place of those that are equal to it. */
  reduced(terms: ReadonlyMap<number, number>): Map<number, number> {
    const sum = new Map<number, number>();
    for (const [symbol, factor] of terms) {
      const { root, sign } = this.find(symbol);
      const total = (sum.get(root) ?? 0) + factor * sign;
      if (total === 0) sum.delete(root);
      else sum.set(root, total);
    }
    return sum;
  }

  /** Whether a sum, of one variable in place of those that are equal, is one of zeros. */
  isZero(sum: ReadonlyMap<number, number>): boolean {
    return [...sum.keys()].every((root) => this.zeros.has(root));
  }

  /** Takes note that a sum is zero; false where that says nothing of two variables yet. */
  learn(terms: ReadonlyMap<number, number>): boolean {
    const sum = this.reduced(terms);
    // What is zero still has a direction, by which two of them are the same flow.
    if (sum.size > 2) for (const root of [...sum.keys()]) if (this.zeros.has(root)) sum.delete(root);
    if (sum.size > 2) return false;
    const [a, b] = [...sum];
    if (!a) return true;
    if (!b) {
      this.zeros.add(a[0]);
      return true;
    }
    if (Math.abs(a[1]) !== Math.abs(b[1])) return false;
    if (this.zeros.has(a[0])) this.zeros.add(b[0]);
    this.above.set(a[0], { symbol: b[0], sign: -a[1] * b[1] > 0 ? 1 : -1 });
    return true;
  }
}
