/** The history of a BDF method, as the kernel has it (`src/solve/kernels/nordsieck.ts`), by itself. */
import { sharedKernel } from '../../src/solve/kernel.ts';

export const MAX_ORDER = 5;

const { exports } = sharedKernel();
/** Places of doubles behind the two integers. */
const [H, L, ERROR_FACTOR] = [0, 7, 19] as const;

export class Nordsieck {
  private readonly at: number;
  private readonly given: number;

  constructor(private readonly n: number) {
    const kernel = sharedKernel();
    this.at = kernel.allocate(this, exports.nordsieckBytes(n));
    this.given = kernel.allocate(this, 8 * n);
    exports.newNordsieck(this.at, n);
  }

  get rows(): Float64Array[] {
    return Array.from({ length: MAX_ORDER + 1 }, (_, j) =>
      sharedKernel().doubles(exports.nordsieckRow(this.at, j), this.n),
    );
  }

  get order(): number {
    return sharedKernel().integers(this.at, 2)[1]!;
  }

  set order(order: number) {
    sharedKernel().integers(this.at, 2)[1] = order;
  }

  private get numbers(): Float64Array {
    return sharedKernel().doubles(this.at + 8, ERROR_FACTOR + 1);
  }

  get h(): number {
    return this.numbers[H]!;
  }

  set h(h: number) {
    this.numbers[H] = h;
  }

  get l(): Float64Array {
    return this.numbers.slice(L, L + MAX_ORDER + 1);
  }

  get errorFactor(): number {
    return this.numbers[ERROR_FACTOR]!;
  }

  private give(values: Float64Array): number {
    sharedKernel().doubles(this.given, this.n).set(values);
    return this.given;
  }

  start(y: Float64Array, slope: Float64Array, h: number): void {
    this.rows[0]!.set(y);
    exports.startPast(this.at, this.give(slope), h);
  }

  predict(): void {
    exports.predictPast(this.at);
  }

  retreat(): void {
    exports.retreatPast(this.at);
  }

  rescale(ratio: number): void {
    exports.rescalePast(this.at, ratio);
  }

  setCoefficients(neighbours: boolean): void {
    exports.setCoefficients(this.at, neighbours ? 1 : 0);
  }

  correct(correction: Float64Array): void {
    exports.correctPast(this.at, this.give(correction));
  }

  raise(correction: Float64Array): void {
    exports.raisePast(this.at, this.give(correction));
  }

  lower(): void {
    exports.lowerPast(this.at);
  }

  evaluate(s: number, out: Float64Array): void {
    exports.evaluatePast(this.at, s, this.given, out.length);
    out.set(sharedKernel().doubles(this.given, out.length));
  }
}
