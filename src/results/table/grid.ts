/** The part of an array that some subscripts choose: its sizes, and where elements stand in it. */
import type { Subscript } from '../../names/names.ts';
import type { Elements } from './signals.ts';

/** More elements than this are a mistake in a name. */
const LARGEST = 1e7;

export class ElementGrid {
  /** Sizes of the dimensions that are kept, and which ones these are. */
  readonly dims: readonly number[];
  readonly kept: readonly number[];
  readonly count: number;
  private readonly ranges: readonly Subscript[];
  private readonly sizes: readonly number[];

  /** Throws a `RangeError` where the array, which messages call `text`, has no such part. */
  constructor(
    text: string,
    subscripts: readonly Subscript[],
    private readonly elements: Elements,
  ) {
    const { rank } = elements;
    if (subscripts.length > rank) {
      throw new RangeError(
        `${text} has ${subscripts.length} subscripts, but the array has ${rank} dimensions.`,
      );
    }
    const all: Subscript = { from: 1, step: 1, to: Number.POSITIVE_INFINITY, single: false };
    this.ranges = Array.from({ length: rank }, (_, d) => {
      const range = subscripts[d] ?? all;
      const size = sizeIn(elements, d);
      if (range.single && range.from > size) {
        throw new RangeError(`${text}: the array has ${size} elements in dimension ${d + 1}.`);
      }
      return { ...range, to: Math.min(range.to, size) };
    });
    this.sizes = this.ranges.map(({ from, step, to }) => Math.max(0, Math.floor((to - from) / step) + 1));
    this.kept = this.ranges.flatMap(({ single }, d) => (single ? [] : [d]));
    this.dims = this.kept.map((d) => this.sizes[d]!);
    this.count = this.sizes.reduce((product, size) => product * size, 1);
    if (this.count > LARGEST) throw new RangeError(`${text} would have ${this.count} elements.`);
  }

  /** Row-major place of the k-th element, -1 where it is not in this part. */
  place(k: number): number {
    const { rank, subscripts } = this.elements;
    let place = 0;
    for (let d = 0; d < rank; d++) {
      const range = this.ranges[d]!;
      const index = subscripts[rank * k + d]!;
      if (!isIn(index, range)) return -1;
      place = place * this.sizes[d]! + (index - range.from) / range.step;
    }
    return place;
  }
}

/** Numbers of the scalars that are the chosen elements, in the order of the array; none where there are too many subscripts. */
export function chosenElements(elements: Elements, subscripts: readonly Subscript[]): Int32Array {
  const { rank, subscripts: own, numbers } = elements;
  if (subscripts.length > rank) return new Int32Array(0);
  return numbers.filter((_, k) => subscripts.every((range, d) => isIn(own[rank * k + d]!, range)));
}

/** The greatest subscript in a dimension. */
export function sizeIn({ rank, subscripts }: Elements, dimension: number): number {
  let size = 0;
  for (let at = dimension; at < subscripts.length; at += rank) size = Math.max(size, subscripts[at]!);
  return size;
}

function isIn(index: number, { from, step, to }: Subscript): boolean {
  return index >= from && index <= to && (index - from) % step === 0;
}
