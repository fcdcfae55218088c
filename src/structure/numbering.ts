/** Numbers of some symbols, 0, 1, … in the order given. An array by symbol: every equation of every mode asks for its variables. */
export class Numbering {
  /** By symbol: its number + 1; 0 for others. */
  private readonly numbers: Int32Array;

  /** Where `isIn` is false, a symbol takes its number but is not found. */
  constructor(list: readonly { readonly symbol: number }[], isIn?: (k: number) => boolean) {
    let size = 0;
    for (const { symbol } of list) size = Math.max(size, symbol + 1);
    this.numbers = new Int32Array(size);
    for (let k = 0; k < list.length; k++) if (!isIn || isIn(k)) this.numbers[list[k]!.symbol] = k + 1;
  }

  /** The number of a symbol; -1 for others. */
  of(symbol: number): number {
    return symbol < this.numbers.length ? this.numbers[symbol]! - 1 : -1;
  }

  has(symbol: number): boolean {
    return this.of(symbol) >= 0;
  }
}
