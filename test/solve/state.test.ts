/** The law of states: an integrator that resumes a state goes on, bit by bit, as the one does that the state was taken from. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIntegrator } from '../../src/solve/auto.ts';
import type { Integrator, IntegratorOptions, Method, OdeSystem } from '../../src/solve/integrator.ts';
import { SparseLu } from '../../src/solve/sparse.ts';
import { ladder } from '../problems/coupled.ts';
import { brusselator, heatRod } from '../problems/field.ts';
import { arenstorf, oscillators } from '../problems/nonstiff.ts';
import { type Problem, patternOf } from '../problems/problem.ts';
import { hires, oregonator, pipe, robertson40, vanDerPol } from '../problems/stiff.ts';

const options: IntegratorOptions = { relative: 1e-6, absolute: 1e-9 };

/** The same problem without its Jacobian. */
const byDifferences = (problem: Problem, more: Partial<OdeSystem> = {}): Problem => ({
  ...problem,
  name: `${problem.name} by differences`,
  system: { n: problem.system.n, rhs: problem.system.rhs.bind(problem.system), ...more },
});

/** Forty relaxations in a ring, whose neighbours change places at y = 0.5: patterns are learned, and learned again. */
const ring: Problem = {
  name: 'ring with a loose pattern',
  system: {
    n: 40,
    loose: true,
    rhs(t, y, dy) {
      for (let i = 0; i < 40; i++) {
        const j = (i + (y[i]! > 0.5 ? 1 : 7)) % 40;
        dy[i] = -300 * (y[i]! - Math.cos(t + i)) - 200 * y[i]! * (y[i]! - y[j]!) ** 2;
      }
      return true;
    },
  },
  start: Array.from({ length: 40 }, (_, i) => Math.cos(i)),
  from: 0,
  to: 3,
  reference: [],
  source: '',
};

/** Stiff at first, and easy later: the automatic choice goes over to BDF and back. */
const calming: Problem = {
  name: 'what calms down',
  system: {
    n: 1,
    rhs(t, y, dy) {
      dy[0] = -(1 + 1e4 * Math.exp(-t)) * (y[0]! - Math.sin(t));
      return true;
    },
  },
  start: [0],
  from: 0,
  to: 60,
  reference: [],
  source: '',
};

/** All that the next `count` steps show, with a restart in between. */
function seen(integrator: Integrator, { to, system }: Problem, count: number): number[] {
  const numbers: number[] = [];
  const middle = new Float64Array(system.n);
  const look = (): void => {
    integrator.interpolate(0.3 * integrator.tPrevious + 0.7 * integrator.t, middle);
    numbers.push(integrator.t, integrator.tPrevious, integrator.stepSize, integrator.order);
    numbers.push(integrator.method === 'bdf' ? 1 : 0, ...integrator.y, ...middle);
  };
  look();
  for (let k = 0; k < count && integrator.t < to; k++) {
    // As after an event.
    if (k === Math.floor(count / 2))
      integrator.start(
        integrator.t,
        integrator.y.map((value) => 1.01 * value),
      );
    integrator.step(to);
    look();
  }
  return numbers;
}

const cases: readonly (readonly [method: Method, problem: Problem, steps: number])[] = [
  ['rk', oscillators, 300],
  ['rk', arenstorf, 120],
  ['bdf', oregonator, 300],
  ['bdf', ladder(25), 200],
  ['bdf', byDifferences(hires), 150],
  ['bdf', brusselator, 60],
  ['bdf', byDifferences(heatRod(60), { pattern: heatRod(60).system.jacobian!.pattern }), 60],
  ['bdf', ring, 150],
  ['radau', oregonator, 150],
  ['radau', byDifferences(hires), 60],
  ['radau', brusselator, 40],
  ['radau', ring, 60],
  ['auto', robertson40, 150],
  ['auto', vanDerPol, 400],
  ['auto', byDifferences(ring, { loose: true }), 150],
  ['auto', calming, 600],
  ['auto', pipe, 200],
];

describe('a fresh integrator that resumes gives the same bits', () => {
  const named = cases.map(([method, problem, most]) => ({ method, problem, most, name: problem.name }));
  test.each(named)('$method, $name', ({ method, problem, most }) => {
    fc.assert(
      fc.property(fc.nat(most), (before) => {
        const { system, from, start, to } = problem;
        const first = createIntegrator(method, system, options);
        first.start(from, Float64Array.from(start));
        for (let k = 0; k < before && first.t < to; k++) first.step(to);
        const state = first.state();
        const kept = structuredClone(state);
        const expected = seen(first, problem, 60);
        // What the first one does afterwards leaves its state alone.
        expect(state).toEqual(kept);
        const after = first.state();
        const other = createIntegrator(method, system, options);
        other.resume(state);
        expect(seen(other, problem, 60)).toEqual(expected);
        expect(other.state()).toEqual(after);
        // Nor does going on from it change a state: it can be resumed again, in the integrator it was taken from as well.
        first.resume(state);
        expect(seen(first, problem, 60)).toEqual(expected);
        expect(state).toEqual(kept);
      }),
      { numRuns: 8, examples: [[0]] },
    );
  });

  test('where the automatic choice has gone over to BDF, and back', () => {
    const integrator = createIntegrator('auto', calming.system, options);
    integrator.start(0, Float64Array.of(0));
    const methods: string[] = [];
    while (integrator.t < calming.to) {
      if (methods.at(-1) !== integrator.method) methods.push(integrator.method);
      const again = createIntegrator('auto', calming.system, options);
      again.resume(integrator.state());
      integrator.step(calming.to);
      again.step(calming.to);
      expect([again.t, again.method, ...again.y]).toEqual([integrator.t, integrator.method, ...integrator.y]);
    }
    expect(methods).toEqual(['rk', 'bdf', 'rk']);
  });
});

test('a state of another method, or of another system, is refused', () => {
  const rk = createIntegrator('rk', oscillators.system, options);
  const bdf = createIntegrator('bdf', oscillators.system, options);
  expect(() => bdf.resume(rk.state())).toThrow(/bdf for \d+ states cannot go on from rk for \d+/);
  expect(() => createIntegrator('rk', calming.system, options).resume(rk.state())).toThrow(/rk for 1 states/);
});

test('a factorisation with the pivots of another one is the same, where they are not those it would choose', () => {
  // A band of twelve with small numbers on the diagonal, at first large ones.
  const n = 12;
  const pattern = patternOf(
    Array.from({ length: n }, (_, j) => [j - 1, j, j + 1].filter((i) => i >= 0 && i < n)),
  );
  const values = (diagonal: number): Float64Array => {
    const numbers = new Float64Array(pattern.rows.length);
    for (let j = 0; j < n; j++)
      for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++)
        numbers[k] = pattern.rows[k] === j ? diagonal * (1 + j / 7) : 1 / (1 + k);
    return numbers;
  };
  const solved = (lu: SparseLu): number[] => {
    const b = Float64Array.from({ length: n }, (_, i) => Math.sin(i + 1));
    lu.solve(b);
    return [...b];
  };
  const [first, other, fresh] = [new SparseLu(pattern), new SparseLu(pattern), new SparseLu(pattern)];
  first.factor(values(1));
  first.factor(values(1e-4));
  other.factor(values(1e-4), first.pivots);
  fresh.factor(values(1e-4));
  expect(other.pivots).toEqual(first.pivots);
  expect(solved(other)).toEqual(solved(first));
  expect(fresh.pivots).not.toEqual(first.pivots);
});
