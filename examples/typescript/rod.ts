/**
 * An insulated rod of n cells through which heat flows, as a built-in component. With `sizes` and `times` it changes the number of its cells
 * while it runs, coarser or finer; the new cells have the heat of the old ones that they cover, so that nothing is lost.
 *
 *     model Rod
 *       HeatPort a, b;
 *       parameter Real L, A, rho, lambda, c, T0;
 *       parameter Integer sizes[:] = {5} "Numbers of cells, one after the other";
 *       parameter Real times[:] = fill(0, 0) "When the next number is taken";
 *       Real Ta, Tb "Temperatures of the first and of the last cell";
 *       Real G "Conductance from the middle of these cells to the ends";
 *     equation
 *       a.Q_flow = G*(a.T - Ta);
 *       b.Q_flow = G*(b.T - Tb);
 *       annotation(__Mutabor(builtIn = "rod"));
 *     end Rod;
 */
import { type BuiltIn, banded, scattered } from 'mutabor';

interface Rod {
  readonly L: number;
  /** Heat capacity of the whole rod, and conductance of a piece of it times its length. */
  readonly capacity: number;
  readonly conductivity: number;
  readonly T0: Float64Array;
  readonly sizes: Float64Array;
  readonly times: Float64Array;
  /** Cells of the present segment. */
  n: number;
}

export const rod: BuiltIn<Rod> = {
  name: 'rod',
  inputs: ['a.Q_flow', 'b.Q_flow'],
  outputs: { Ta: [], Tb: [], G: [] },

  allocate(instance) {
    const [L, A, rho, lambda, c] = ['L', 'A', 'rho', 'lambda', 'c'].map((name) => instance.number(name)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const [T0, sizes, times] = ['T0', 'sizes', 'times'].map((name) => instance.numbers(name)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    return { L, capacity: c * rho * A * L, conductivity: lambda * A, T0, sizes, times, n: 0 };
  },

  begin(rod, segment) {
    const { T0, sizes, times, capacity } = rod;
    rod.n = sizes[stageAt(rod, segment.time)]!;
    const before = segment.previous('T') ?? T0;
    segment.state('T', { start: spread(before, rod.n), unit: 'K', nominal: 300 });
    segment.variable('energy', { unit: 'J', description: `heat above 0 K, of ${capacity} J/K` });
    const next = times.find((t) => t > segment.time);
    if (next !== undefined) segment.nextEvent(next);
  },

  stateOutputs({ n, L, conductivity }, { x, y }) {
    y[0] = x[0]!;
    y[1] = x[n - 1]!;
    y[2] = (2 * conductivity * n) / L;
  },

  derivatives({ n, L, capacity, conductivity }, { x, u, dx }) {
    const perHeat = n / capacity;
    const between = ((conductivity * n) / L) * perHeat;
    let entering = u[0]! * perHeat;
    for (let i = 0; i < n - 1; i++) {
      const leaving = between * (x[i]! - x[i + 1]!);
      dx[i] = entering - leaving;
      entering = leaving;
    }
    dx[n - 1] = entering + u[1]! * perHeat;
  },

  variables({ n, capacity }, { x, w }) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i]!;
    w[0] = (sum * capacity) / n;
  },

  event(rod, { point, restart }) {
    if (rod.sizes[stageAt(rod, point.t)] !== rod.n) restart();
  },

  pattern: ({ n }) => ({
    derivativesByStates: banded(n, 1, 1),
    derivativesByInputs: scattered(2, [
      [0, 0],
      [n - 1, 1],
    ]),
    outputsByStates: scattered(n, [
      [0, 0],
      [1, n - 1],
    ]),
  }),
};

/** Which of the sizes is in force. */
function stageAt({ times, sizes }: Rod, time: number): number {
  let k = 0;
  while (k < times.length && k + 1 < sizes.length && time >= times[k]!) k++;
  return k;
}

/** Mean values of a function that is constant on equal cells, on n equal cells. */
function spread(values: Float64Array, n: number): Float64Array {
  const m = values.length;
  const result = new Float64Array(n);
  // In units of 1/(m n) of the length: old cells are n wide, new ones m.
  for (let i = 0; i < n; i++) {
    for (let at = i * m; at < (i + 1) * m; ) {
      const old = Math.floor(at / n);
      const end = Math.min((old + 1) * n, (i + 1) * m);
      result[i]! += (values[old]! * (end - at)) / m;
      at = end;
    }
  }
  return result;
}
