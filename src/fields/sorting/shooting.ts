/**
 * Shooting: a loop that begins with a guess at one end of a chain, and an equation of the scalar part that tells at the other end how good the guess was. In
 * a ladder of resistors voltage and current of a rung follow from those of the rung before, so that a loop and one unknown are all there is to solve; but
 * the error of the guess, though it be rounding alone, is multiplied in each turn, and after fifty of them nothing is left of the
 * values (U. M. Ascher, R. M. M. Mattheij and R. D. Russell, Numerical Solution of Boundary Value Problems for Ordinary Differential Equations, 1988,
 * chapter 4). Sums along a chain hand on one value from turn to turn, and are harmless.
 *
 * Whether errors do grow depends on numbers. So all loops are found that could: those whose turns hand on two values or more, and through which inputs act on outputs.
 */
import type { Pool } from '../../symbolic/pool.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import type { ArrayElement, Kernel } from '../elements/kernel.ts';
import { Slices } from './slice.ts';

/** What so few turns make of rounding errors does not matter. */
const leastTurns = 8;

/** The symbols that such loops determine, by loop. */
export function shotSymbols(
  pool: Pool,
  kernels: readonly Kernel[],
  outputs: readonly ArrayElement[],
  isInput: (symbol: number) => boolean,
): ReadonlySet<number>[] {
  const isLong = ({ coupled, extents }: Kernel): boolean => coupled === true && sizeOf(extents) >= leastTurns;
  if (!kernels.some(isLong)) return [];
  const slices = new Slices(pool, kernels);
  const shot = new Map<string, ReadonlySet<number>>();
  for (const output of outputs) {
    const { kernels: needed, reads } = slices.of([output]);
    if (![...reads].some(isInput)) continue;
    for (const { statements } of needed.filter(isLong)) {
      const symbols = new Set(statements.map(({ target }) => target.symbol));
      shot.set([...symbols].join(), symbols);
    }
  }
  return [...shot.values()];
}
