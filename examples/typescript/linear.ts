/**
 * A linear system x' = A x + B u, y = C x as a built-in component. The numbers of inputs and outputs belong to the class; the number of states is that of
 * the matrices, and of the matrix W whose product with x is stored.
 *
 *     model Linear
 *       parameter Real A[:, :], B[:, :], C[:, :], W[:, :], x0[:];
 *       input Real u[size(B, 2)];
 *       output Real y[size(C, 1)];
 *       annotation(__Mutabor(builtIn = "linear"));
 *     end Linear;
 */
import type { BuiltIn } from 'mutabor';

interface Linear {
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly C: Float64Array;
  readonly W: Float64Array;
  readonly x0: Float64Array;
}

export const linear: BuiltIn<Linear> = {
  name: 'linear',
  inputs: ['u'],
  outputs: { y: [] },

  allocate(instance) {
    const x0 = instance.numbers('x0');
    for (const [name, dimension] of [
      ['A', 0],
      ['A', 1],
      ['B', 0],
      ['C', 1],
      ['W', 1],
    ] as const) {
      const size = instance.sizes(name)[dimension];
      if (size !== x0.length)
        throw new Error(`size ${dimension + 1} of ${name} is ${size}, but there are ${x0.length} states`);
    }
    const matrix = (name: string) => instance.numbers(name);
    return { A: matrix('A'), B: matrix('B'), C: matrix('C'), W: matrix('W'), x0 };
  },

  begin({ x0, W }, segment) {
    segment.state('x', { start: x0 });
    segment.variable('w', { size: x0.length === 0 ? 0 : W.length / x0.length });
  },

  stateOutputs({ C }, { x, y }) {
    y.fill(0);
    addProduct(C, x, y);
  },

  derivatives({ A, B }, { x, u, dx }) {
    dx.fill(0);
    addProduct(A, x, dx);
    addProduct(B, u, dx);
  },

  variables({ W }, { x, w }) {
    w.fill(0);
    addProduct(W, x, w);
  },
};

/** sum += matrix * vector, the matrix row by row. */
function addProduct(matrix: Float64Array, vector: Float64Array, sum: Float64Array): void {
  const columns = vector.length;
  for (let i = 0; i < sum.length; i++)
    for (let j = 0; j < columns; j++) sum[i]! += matrix[i * columns + j]! * vector[j]!;
}
