/** How the cost of work grows with its size, whatever else the machine does. */

/**
 * The order of growth: 1 where four times the size costs four times as much, 2 where it costs sixteen times as much. The
 * cost is the time this process computes, the least of three rounds; `prepare` is not part of it.
 */
export function orderOf(prepare: (size: number) => () => unknown, size: number): number {
  const factor = 4;
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 3; round++) {
    for (const [k, n] of [size, factor * size].entries()) {
      const work = prepare(n);
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      least[k] = Math.min(least[k]!, user + system);
    }
  }
  return Math.log(least[1]! / least[0]!) / Math.log(factor);
}

/** What linear work stays below, with its logarithms, caches and garbage, and quadratic work does not. */
export const almostLinear = 1.75;
