/** Who writes which element, in which turn. */
import type { Ref } from '../../symbolic/expr.ts';
import { affineOf, boundsOf } from '../elements/affine.ts';
import { type ArrayOrder, keyOf } from '../elements/kernel.ts';
import { eachElement } from '../elements/nodes.ts';

/** What is written in the turns of loops, and the number of who writes it; `atOnce` where it has one turn for all. */
export interface Written {
  readonly target: Ref;
  readonly extents: readonly number[];
  readonly writer: number;
  readonly atOnce?: boolean;
}

/** By element: the writer, -1 where there is none, and its turn. */
export interface WritersOfArray {
  readonly writer: Int32Array;
  readonly turn: Int32Array;
}

export class Writers {
  private readonly known = new Map<string, WritersOfArray>();

  constructor(written: readonly Written[]) {
    const sizes = new Map<string, number>();
    for (const { target, extents } of written) {
      const [, last] = boundsOf(affineOf(target), extents);
      sizes.set(keyOf(target), Math.max(last + 1, sizes.get(keyOf(target)) ?? 0));
    }
    for (const [key, size] of sizes)
      this.known.set(key, { writer: new Int32Array(size).fill(-1), turn: new Int32Array(size) });
    for (const { target, extents, writer: own, atOnce } of written) {
      const { writer, turn } = this.of(target)!;
      eachElement(target, extents, (element, t) => {
        writer[element] = own;
        turn[element] = atOnce ? 0 : t;
      });
    }
  }

  /** Those of an array, or of its derivative; undefined where nobody writes any of it. */
  of(array: ArrayOrder): WritersOfArray | undefined {
    return this.known.get(keyOf(array));
  }
}

/** Numbers from the least to the most of those that were noted. */
export interface Spread {
  least: number;
  most: number;
}

export function noteIn<K>(spreads: Map<K, Spread>, key: K, number: number): void {
  const known = spreads.get(key);
  if (!known) spreads.set(key, { least: number, most: number });
  else {
    if (number < known.least) known.least = number;
    if (number > known.most) known.most = number;
  }
}
