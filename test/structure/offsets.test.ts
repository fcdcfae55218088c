import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { incidenceOf } from '../../src/collections/incidence.ts';
import { findOffsets } from '../../src/structure/graph/offsets.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { type Graph, graph, named, regularLists } from './graphs.ts';

const analyse = (g: Graph) => {
  const { c, d, dof, index } = findOffsets(g.incidence, g.sigma);
  return { c: [...c], d: named(g, d), dof, index };
};

describe('examples of the papers', () => {
  test('Pryce 2001: the pendulum', () => {
    expect(analyse(graph("x'' l x", "y'' l y", 'x y'))).toEqual({
      c: [0, 0, 2],
      d: { x: 2, l: 0, y: 2 },
      dof: 2,
      index: 3,
    });
  });

  test('Pantelides 1988: the pendulum as a first order system', () => {
    expect(analyse(graph("x' w", "y' z", "w' T x", "z' T y", 'x y'))).toEqual({
      c: [1, 1, 0, 0, 2],
      d: { x: 2, w: 1, y: 2, z: 1, T: 0 },
      dof: 2,
      index: 3,
    });
  });

  test('Pryce 2001: two pendula, the second one driven by the tension of the first', () => {
    const result = analyse(graph("x'' x l", "y'' y l", 'x y', "u'' u k", "v'' v k", 'u v l'));
    expect(result.c).toEqual([2, 2, 4, 0, 0, 2]);
    expect(result.d).toEqual({ x: 4, l: 2, y: 4, u: 2, k: 0, v: 2 });
    expect(result).toMatchObject({ dof: 4, index: 5 });
  });

  test('Mattsson and Söderlind 1993: a chain of constraints (linear, index 3)', () => {
    // x1 + x2 + u1 = 0, x1 + x2 + x3 + u2 = 0, x1 + x3' + u3 = 0, 2 x1'' + x2'' + x3'' + x4' + u4 = 0
    expect(analyse(graph('x1 x2', 'x1 x2 x3', "x1 x3'", "x1'' x2'' x3'' x4'"))).toEqual({
      c: [2, 2, 1, 0],
      d: { x1: 2, x2: 2, x3: 2, x4: 1 },
      dof: 2,
      index: 2,
    });
  });

  test('a forced derivative differentiates what is needed', () => {
    const g = graph("x'", 'x y');
    const { c, d, dof } = findOffsets(g.incidence, g.sigma, Int32Array.from([0, 1]));
    expect([[...c], [...d], dof]).toEqual([[0, 1], [1, 1], 1]);
  });

  test('a singular structure is refused', () => {
    const g = graph('a', 'a', 'b c');
    expect(() => findOffsets(g.incidence, g.sigma)).toThrow(/singular/);
  });
});

/** Degrees of freedom and structural index of each mode, from the catalogue of multi-mode models. */
const modes: [string, string[], number, number][] = [
  ['clutch, open', ["w1' w1 f1", "w2' w2 f2", 'f1 f2', 'f1'], 2, 1],
  ['clutch, closed', ["w1' w1 f1", "w2' w2 f2", 'f1 f2', 'w1 w2'], 1, 2],
  ['parallel capacitors, C1', ['v i', 'i i2 i1', "v' i2", 'v v1', "v1' i1"], 1, 2],
  ['parallel capacitors, R2', ['v i', 'i i2 i1', "v' i2", 'v v1', 'v1 i1'], 1, 1],
  ['shafts, joined', ["p1' w1", "p2' w2", "w1' t", "w2' t", 'p1 p2'], 2, 3],
  ['shafts, broken', ["p1' w1", "p2' w2", "w1' t", "w2' t", 't'], 4, 1],
  ['string pendulum, taut', ["x' u", "y' v", "u' x T", "v' y T", 'x y'], 2, 3],
  ['string pendulum, slack', ["x' u", "y' v", "u' x T", "v' y T", 'T'], 4, 1],
  ['two capacitors, open', ["v1' i1", "v2' i2", 'i1 i2', 'i1'], 2, 1],
  ['two capacitors, closed', ["v1' i1", "v2' i2", 'i1 i2', 'v1 v2'], 1, 2],
  ['specification issue 2411, before', ["x'"], 1, 0],
  ['specification issue 2411, after', ['x'], 0, 1],
  ['b = a', ["a'", 'b a'], 1, 1],
  ["b' = -1", ["a'", "b'"], 2, 0],
  ['half wave with inductor, conducting', ["j' u v j", 'u', "v' j"], 2, 1],
  ['half wave with inductor, blocking', ["j' u v j", 'j', "v' j"], 1, 2],
  // With both, one or no diode conducting.
  ['RLDC2, 11', rldc2('u1', 'u2'), 3, 2],
  ['RLDC2, 10', rldc2('u1', 'i2'), 4, 1],
  ['RLDC2, 01', rldc2('i1', 'u2'), 4, 1],
  ['RLDC2, 00', rldc2('i1', 'i2'), 3, 2],
];

/**
 * Four branches between two nodes at a voltage U: twice a capacitor (v, i) with a diode (u, i), twice an
 * inductor (j) with a resistor. A conducting diode has u = 0, a blocking one i = 0.
 */
function rldc2(first: string, second: string): string[] {
  return ['i1 i2 j1 j2', 'U v1 u1', 'U v2 u2', "U j1 j1'", "U j2 j2'", "i1 v1'", "i2 v2'", first, second];
}

describe('modes of the catalogue', () => {
  test.each(modes)('%s', (_, equations, dof, index) => {
    expect(analyse(graph(...equations))).toMatchObject({ dof, index });
  });
});

/** Rows with random orders, on a structure that has a perfect matching. */
const systems = regularLists(6).chain((rows) =>
  fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: rows.flat().length, maxLength: rows.flat().length })
    .map((orders) => ({ rows, sigma: Int32Array.from(orders), incidence: incidenceOf(rows, rows.length) })),
);

/** The best transversal by trying all permutations, and Pryce's fixpoint from it. */
function pryce(rows: readonly (readonly number[])[], sigma: Int32Array, minimum: readonly number[]) {
  const n = rows.length;
  const matrix = rows.map(() => new Array<number>(n).fill(Number.NEGATIVE_INFINITY));
  let e = 0;
  for (let i = 0; i < n; i++) for (const j of rows[i]!) matrix[i]![j] = sigma[e++]!;
  let best: number[] = [];
  let value = Number.NEGATIVE_INFINITY;
  const visit = (chosen: number[], total: number) => {
    const i = chosen.length;
    if (i === n) {
      if (total > value) [best, value] = [chosen, total];
      return;
    }
    for (let j = 0; j < n; j++) {
      if (!chosen.includes(j) && matrix[i]![j]! >= 0) visit([...chosen, j], total + matrix[i]![j]!);
    }
  };
  visit([], 0);
  const c = new Array<number>(n).fill(0);
  let d: number[] = [];
  for (let changed = true; changed; ) {
    changed = false;
    d = minimum.map((least, j) => Math.max(least, ...c.map((ci, i) => matrix[i]![j]! + ci)));
    for (let i = 0; i < n; i++) {
      const next = d[best[i]!]! - matrix[i]![best[i]!]!;
      if (next !== c[i]) changed = true;
      c[i] = next;
    }
  }
  return { c, d, value, matrix };
}

describe('laws', () => {
  test('offsets are feasible, tight on the transversal, and the smallest', () => {
    fc.assert(
      fc.property(systems, ({ rows, sigma, incidence }) => {
        const { c, d, transversal, dof } = findOffsets(incidence, sigma);
        const expected = pryce(
          rows,
          sigma,
          rows.map(() => 0),
        );
        for (let i = 0; i < rows.length; i++) {
          for (const j of rows[i]!) expect(d[j]! - c[i]!).toBeGreaterThanOrEqual(expected.matrix[i]![j]!);
          const j = transversal.columnOf[i]!;
          expect(d[j]! - c[i]!).toBe(expected.matrix[i]![j]);
        }
        expect([...c]).toEqual(expected.c);
        expect([...d]).toEqual(expected.d);
        expect(dof).toBe(expected.value);
      }),
      { numRuns: 250 },
    );
  });

  test('a lower bound on d acts like an equation that contains the derivative', () => {
    fc.assert(
      fc.property(systems, fc.array(fc.nat(2), { minLength: 6, maxLength: 6 }), (system, bounds) => {
        const { rows, sigma, incidence } = system;
        const minimum = bounds.slice(0, rows.length);
        const { c, d } = findOffsets(incidence, sigma, Int32Array.from(minimum));
        const expected = pryce(rows, sigma, minimum);
        expect([...c]).toEqual(expected.c);
        expect([...d]).toEqual(expected.d);
      }),
      { numRuns: 200 },
    );
  });

  test('100,000 equations with thousands of constraints', () => {
    // Rigidly coupled inertias in a row: w_k' and torques t_k, t_k+1, and w_k = w_k+1.
    const chain = (n: number) => {
      const rows: number[][] = [];
      const orders: number[] = [];
      for (let k = 0; k < n; k++) {
        const torques = k === 0 ? [n] : k === n - 1 ? [n + k - 1] : [n + k - 1, n + k];
        rows.push([k, ...torques]);
        orders.push(1, ...torques.map(() => 0));
        if (k === n - 1) continue;
        rows.push([k, k + 1]);
        orders.push(0, 0);
      }
      const incidence = incidenceOf(rows, 2 * n - 1);
      return () => findOffsets(incidence, Int32Array.from(orders));
    };
    expect(chain(50_000)()).toMatchObject({ dof: 1, index: 2 });
    expect(orderOf(chain, 12_500)).toBeLessThan(almostLinear);
  });
});
