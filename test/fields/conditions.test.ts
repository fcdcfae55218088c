/** Conditions on the index of a loop: what they exclude is not looked at, and large loops stay loops. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../src/load.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';
import type { SimulationResult } from '../../src/simulate/types.ts';

const ways = [{}, { scalars: true }, { interpret: true }];

/** Runs a model to time 1, in one of the ways. */
async function run(text: string, way: object, overrides = {}): Promise<SimulationResult> {
  const flat = loadModel(text, undefined, overrides);
  const result = await simulate(flat, { stopTime: 1, intervals: 1, tolerance: 1e-9, ...way });
  expect(result.diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

const final = (result: SimulationResult, name: string): number => result.table.get(name).at(-1)!;

/** e^(-t)·Σ tᵏ/k! over k < i, at time 1: the elements of x' = (the one before) - x, from 1. */
function chain(i: number): number {
  let term = 1;
  let sum = 0;
  for (let k = 0; k < i; k++) {
    sum += term;
    term /= k + 1;
  }
  return sum / Math.E;
}

describe('a chain whose first element has no neighbour', () => {
  const rates: Record<string, string> = {
    'if-expression': 'der(x[i]) = (if i > 1 then x[i - 1] else 0) - x[i];',
    'the other way round': 'der(x[i]) = (if i < 2 then 0 else x[i - 1]) - x[i];',
    equality: 'der(x[i]) = (if i == 1 then 0 else x[i - 1]) - x[i];',
    'and in the condition': 'der(x[i]) = (if i > 1 and i <= n then x[i - 1] else 0) - x[i];',
    'not in the condition': 'der(x[i]) = (if not i <= 1 then x[i - 1] else 0) - x[i];',
    'a condition that changes': 'der(x[i]) = (if time >= -1 and i > 1 then x[i - 1] else 0) - x[i];',
    'nested conditions': 'der(x[i]) = (if i > 0 then (if i >= 2 then x[i - 1] else 0) else x[i - 2]) - x[i];',
    'if-equation': 'if i == 1 then der(x[i]) = -x[i]; else der(x[i]) = x[i - 1] - x[i]; end if;',
    elseif: `if i > n then der(x[i]) = x[i + 1]; elseif i < 2 then der(x[i]) = -x[i];
             else der(x[i]) = x[i - 1] - x[i]; end if;`,
    'branches with other left sides':
      'if i == 1 then der(x[1]) = -x[1]; else x[i - 1] - x[i] = der(x[i]); end if;',
    'branches with other numbers of equations':
      'if i == 1 then der(x[1]) = -x[1]; end if; if i > 1 then der(x[i]) = x[i - 1] - x[i]; end if;',
    'a parameter that nothing else uses': 'der(x[i]) = (if i > first then x[i - 1] else 0) - x[i];',
    'a parameter that chooses between equations':
      'if i <= first then der(x[1]) = -x[1]; else x[i - 1] - x[i] = der(x[i]); end if;',
    'a guarded relation': 'der(x[i]) = (if i > 1 and x[max(i - 1, 1)] > -1 then x[i - 1] else 0) - x[i];',
    'a relation of the element that is guarded':
      'der(x[i]) = (if i > 1 and x[i - 1] > -1 then x[i - 1] else 0) - x[i];',
  };
  const model = (rate: string): string => `model M
      parameter Integer n = 3;
      parameter Integer first = 1;
      Real x[n](each start = 1, each fixed = true);
    equation
      for i in 1:n loop ${rate} end for;
    end M;`;

  for (const [name, rate] of Object.entries(rates)) {
    test(`by ${name}`, async () => {
      for (const n of [1, 2, 3, 16, 17, 100])
        for (const way of ways) {
          const result = await run(model(rate), way, { n });
          for (const i of [1, 2, 3, 16, n])
            if (i <= n) expect(final(result, `x[${i}]`), `${n} ${i}`).toBeCloseTo(chain(i), 7);
        }
    });
  }

  test('stays a loop', () => {
    for (const [name, rate] of Object.entries(rates)) {
      if (name === 'a guarded relation') continue;
      expect(surveyArrays(loadModel(model(rate), undefined, { n: 1000 })), name).toEqual({
        loops: ['x'],
        scalars: [],
      });
    }
  });

  test('of components', async () => {
    const text = `model M
        model Cell input Real p; Real q(start = 1, fixed = true); equation der(q) = p - q; end Cell;
        parameter Integer n = 3;
        Cell c[n];
      equation
        for i in 1:n loop c[i].p = if i > 1 then c[i - 1].q else 0; end for;
      end M;`;
    for (const n of [1, 2, 3, 16, 50])
      for (const way of ways) {
        const result = await run(text, way, { n });
        expect(final(result, `c[${n}].q`)).toBeCloseTo(chain(n), 7);
      }
    expect(surveyArrays(loadModel(text, undefined, { n: 1000 })).scalars).toEqual([]);
  });
});

describe('translation', () => {
  test('takes as many nodes for a million elements as for twenty', () => {
    const nodes = (n: number): number => {
      const flat = loadModel(`model M
        Real x[${n}](each start = 1, each fixed = true), y[${n}];
      equation
        for i in 1:${n} loop
          der(x[i]) = (if i > 1 then x[i - 1] else 0) - (if i < ${n} then x[i + 1] else x[i]);
          if mod(i, 2) == 0 then y[i] = x[i - 1]; else y[i] = 1; end if;
        end for;
      end M;`);
      expect(surveyArrays(flat).scalars).toEqual([]);
      return flat.pool.size;
    };
    expect(nodes(1_000_000)).toBeLessThan(1.2 * nodes(20));
  });
});

describe('grids', () => {
  test('with conditions on both indices', async () => {
    const n = 7;
    const m = 18;
    const text = `model M
        Real x[${n},${m}](start = {{i*i + 10*j for j in 1:${m}} for i in 1:${n}}, each fixed = true), y[${n},${m}], s;
      equation
        for i in 1:${n}, j in 1:${m} loop
          der(x[i,j]) = 1;
          y[i,j] = (if i > 1 and j > 1 then x[i - 1,j - 1] elseif i < ${n} then x[i + 1,j] else -1)
            + (if i + j > 2 then 1 else x[i,j + 1]) + (if i == j then x[i,i] else 0) + (if i > j then x[i - j,j] else 0);
        end for;
        s = sum(if i > j and i > 1 then x[i - 1,j] else 2 for i in 1:${n}, j in 1:${m});
      end M;`;
    const x = (i: number, j: number): number => i * i + 10 * j + 1;
    for (const way of ways) {
      const result = await run(text, way);
      let s = 0;
      for (let i = 1; i <= n; i++)
        for (let j = 1; j <= m; j++) {
          const first = i > 1 && j > 1 ? x(i - 1, j - 1) : i < n ? x(i + 1, j) : -1;
          const rest = (i + j > 2 ? 1 : x(i, j + 1)) + (i === j ? x(i, i) : 0) + (i > j ? x(i - j, j) : 0);
          expect(final(result, `y[${i},${j}]`)).toBeCloseTo(first + rest, 6);
          s += i > j && i > 1 ? x(i - 1, j) : 2;
        }
      expect(final(result, 's')).toBeCloseTo(s, 5);
    }
  });
});

describe('indices that are parameters', () => {
  const text = `model M
      parameter Integer k = 0;
      Real x[3](start = {1, 2, 3}, each fixed = true), a, b, c;
      Boolean d;
    equation
      der(x) = fill(1, 3);
      a = if k > 0 then x[k] else 0;
      b = if k == 0 then 5 elseif k == 1 then x[k] else x[k - 1];
      if k >= 1 and k <= 3 then c = x[k]; else c = -1; end if;
      d = k > 0 and x[k] > 2.5;
    end M;`;

  test.each([
    [0, 0, 5, -1, 0],
    [1, 2, 2, 2, 0],
    [2, 3, 2, 3, 1],
    [3, 4, 3, 4, 1],
  ])('k = %d', async (k, a, b, c, d) => {
    for (const way of ways) {
      const result = await run(text, way, { k });
      expect(['a', 'b', 'c', 'd'].map((name) => Math.round(1e6 * final(result, name)) / 1e6)).toEqual([
        a,
        b,
        c,
        d,
      ]);
    }
  });

  test('are told where they are used', () => {
    expect(() => loadModel(text, undefined, { k: 4 })).toThrow(/Subscript 4 of `x` is outside/);
    expect(() => loadModel(text.replace('if k > 0 then', 'if k < 1 then'))).toThrow(/Subscript 0 of `x`/);
  });

  test('what a loop takes outside is told with the index', async () => {
    const wrong = `model M Real x[3]; equation for i in 1:3 loop x[i] = if i > 0 then x[i - 1] else 1; end for; end M;`;
    const result = await simulate(loadModel(wrong), { stopTime: 1 });
    expect(result.diagnostics[0]).toMatchObject({
      code: 'bad-subscript',
      message: 'The subscript 0 is outside 1:3.',
    });
    expect(result.diagnostics[0]!.notes[0]!.message).toBe('with i = 1');
  });
});

describe('conditions elsewhere', () => {
  test('in modifiers: values and start values of components', async () => {
    const text = `model M
        model Cell Real p; Real q(start = 1, fixed = true); equation der(q) = p - q; end Cell;
        parameter Integer n = 3;
        parameter Real y0[n] = {i/10 for i in 1:n};
        Cell c[n](p = {if i > 1 then c[i - 1].q else 2 for i in 1:n}, q(start = {if i > 1 then y0[i - 1] else 5 for i in 1:n}));
      end M;`;
    for (const n of [1, 2, 3, 20])
      for (const way of ways) {
        const result = await run(text, way, { n });
        expect(final(result, 'c[1].q')).toBeCloseTo(2 + 3 / Math.E, 7);
        if (n > 1) expect(final(result, 'c[2].q')).toBeCloseTo(2 + (3 - 1.9) / Math.E, 7);
      }
  });

  test('in subscripts, sizes, assertions and Booleans', async () => {
    const text = `model M
        parameter Integer n = 20;
        parameter Integer v[n] = 2*(1:n);
        parameter Integer k = 0;
        Real z[if k > 0 then v[k] else 3](each start = 1, each fixed = true);
        Real x[n](start = {i for i in 1:n}, each fixed = true), y[n], w[n];
        Boolean b[n];
        Integer hits[n](each start = 0, each fixed = true);
      equation
        for i in 1:size(z, 1) loop der(z[i]) = -z[i]; end for;
        for i in 1:n loop
          der(x[i]) = -x[i];
          y[i] = x[if i > 1 then i - 1 else n];
          w[i] = x[max(i - 1, 1)] - x[min(i + 1, n)];
          b[i] = i > 1 and x[i - 1] > 5;
          assert(i == 1 or x[i - 1] > 0, "not positive");
          when i > 1 and x[i - 1] < 1 then hits[i] = i; end when;
        end for;
      end M;`;
    for (const way of ways) {
      const result = await run(text, way);
      expect(result.table.names.filter((name) => name.startsWith('z['))).toHaveLength(3);
      for (let i = 1; i <= 20; i++) {
        const x = (k: number): number => k / Math.E;
        expect(final(result, `y[${i}]`)).toBeCloseTo(x(i > 1 ? i - 1 : 20), 6);
        expect(final(result, `w[${i}]`)).toBeCloseTo(x(Math.max(i - 1, 1)) - x(Math.min(i + 1, 20)), 6);
        expect(final(result, `b[${i}]`)).toBe(i > 1 && x(i - 1) > 5 ? 1 : 0);
        // x[1] begins with 1 and is less at once; those from 3 on are greater at the end.
        expect(final(result, `hits[${i}]`)).toBe(i > 1 && x(i - 1) < 1 ? i : 0);
      }
    }
  });

  test('over parameters that differ from component to component, and lists of indices', async () => {
    const text = `model M
        model C
          parameter Integer k = 0;
          Real x[3](start = {1, 2, 3}, each fixed = true), y, w;
        equation
          der(x) = zeros(3);
          y = if k > 0 then x[k] else -1;
          if k == 0 then w = 7; else w = x[k]; end if;
        end C;
        C a[3](k = {0, 2, 3}), b[20](each k = 0);
        parameter Integer at[20] = {if i > 10 then i - 10 else 0 for i in 1:20};
        Real u[20](start = {i for i in 1:20}, each fixed = true), v[20];
      equation
        for i in 1:20 loop der(u[i]) = 0; v[i] = if at[i] > 0 then u[at[i]] else -1; end for;
      end M;`;
    for (const way of ways) {
      const result = await run(text, way);
      expect([1, 2, 3].map((i) => final(result, `a[${i}].y`))).toEqual([-1, 2, 3]);
      expect([1, 2, 3].map((i) => final(result, `a[${i}].w`))).toEqual([7, 2, 3]);
      expect(['b[20].y', 'b[1].w', 'v[10]', 'v[11]', 'v[20]'].map((name) => final(result, name))).toEqual([
        -1, 7, -1, 1, 10,
      ]);
    }
  });

  test('in functions and algorithms', async () => {
    const text = `model M
        function f
          input Real v[:];
          output Real s = 0;
        algorithm
          for i in 1:size(v, 1) loop
            s := s + (if i > 1 then v[i - 1]*i else 10);
            if i > 1 and v[i - 1] > 0 then s := s + 1; end if;
          end for;
        end f;
        parameter Real p = f({1, 2, 3});
        Real x[20](each start = 1, each fixed = true), y, w;
      algorithm
        w := 0;
        for i in 1:20 loop
          w := w + (if i > 1 then x[i - 1] else 3);
          if i > 1 then w := w + x[i - 1]; end if;
        end for;
      equation
        for i in 1:20 loop der(x[i]) = -x[i]; end for;
        y = f(x);
      end M;`;
    for (const way of ways) {
      const result = await run(text, way);
      expect(final(result, 'p')).toBe(20);
      expect(final(result, 'y')).toBeCloseTo(29 + 209 / Math.E, 6);
      expect(final(result, 'w')).toBeCloseTo(3 + 38 / Math.E, 6);
    }
  });

  test('for no elements at all', async () => {
    const text = `model M
        parameter Integer n = 0;
        Real x[n](each start = 1, each fixed = true), s, t(start = 1, fixed = true);
      equation
        der(t) = -t;
        for i in 1:n loop der(x[i]) = (if i > 1 then x[i - 1] else 0) - x[i]; end for;
        s = sum(if j > 1 then x[j - 1] else 0 for j in 1:n) + product(x[j] for j in 1:n);
      end M;`;
    for (const way of ways) expect(final(await run(text, way), 's')).toBe(1);
  });
});

/** A piece of Modelica with its value at an index. */
interface Piece {
  readonly text: string;
  readonly at: (i: number) => number;
}

interface Guard {
  readonly text: string;
  readonly at: (i: number) => boolean;
}

const x = (i: number): number => i * i + 1;

const guard = (n: number): fc.Arbitrary<Guard> => {
  const bound = fc.integer({ min: -1, max: n + 2 });
  const simple: fc.Arbitrary<Guard> = fc.oneof(
    bound.map((k) => ({ text: `i > ${k}`, at: (i: number) => i > k })),
    bound.map((k) => ({ text: `${k} >= 2*i - 1`, at: (i: number) => k >= 2 * i - 1 })),
    bound.map((k) => ({ text: `i == ${k}`, at: (i: number) => i === k })),
    bound.map((k) => ({ text: `i <> ${k}`, at: (i: number) => i !== k })),
    fc
      .tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 0, max: 3 }))
      .map(([m, r]) => ({ text: `mod(i, ${m}) == ${r}`, at: (i: number) => i % m === r })),
    fc.constant({ text: 'x[i] > 20', at: (i: number) => x(i) > 20 }),
  );
  return fc.oneof(
    simple,
    simple.map((a) => ({ text: `not ${a.text}`, at: (i: number) => !a.at(i) })),
    fc.tuple(simple, simple).map(([a, b]) => ({
      text: `(${a.text}) and (${b.text})`,
      at: (i: number) => a.at(i) && b.at(i),
    })),
    fc.tuple(simple, simple).map(([a, b]) => ({
      text: `((${a.text}) or (${b.text}))`,
      at: (i: number) => a.at(i) || b.at(i),
    })),
  );
};

/** Reads the element `by` further on where there is one, in one of several ways, and something else where there is none. */
const guarded = (n: number, other: Piece): fc.Arbitrary<Piece> =>
  fc
    .tuple(fc.integer({ min: -4, max: 4 }), guard(n), fc.integer({ min: 0, max: 5 }))
    .map(([by, extra, form]) => {
      const element = `x[i + (${by})]`;
      const inside = (i: number): boolean => i + by >= 1 && i + by <= n;
      const both = { at: (i: number) => (inside(i) ? x(i + by) : other.at(i)) };
      switch (form) {
        case 0:
          return {
            ...both,
            text: `(if i + (${by}) >= 1 and i + (${by}) <= ${n} then ${element} else ${other.text})`,
          };
        case 1:
          return {
            ...both,
            text: `(if i < 1 - (${by}) or i > ${n} - (${by}) then ${other.text} else ${element})`,
          };
        case 2:
          return {
            ...both,
            text: `(if i + (${by}) < 1 then ${other.text} elseif i > ${n - by} then ${other.text} else ${element})`,
          };
        case 3:
          return {
            text: `(if ${extra.text} and i + (${by}) > 0 and not i + (${by}) > ${n} then ${element} else ${other.text})`,
            at: (i) => (extra.at(i) && inside(i) ? x(i + by) : other.at(i)),
          };
        case 4:
          return {
            text: `x[mod(i + (${by}) - 1, ${n}) + 1]`,
            at: (i) => x(((((i + by - 1) % n) + n) % n) + 1),
          };
        default:
          return {
            text: `(if i > 1 and (${extra.text}) then x[div(i, 2)] else ${other.text})`,
            at: (i) => (i > 1 && extra.at(i) ? x(Math.floor(i / 2)) : other.at(i)),
          };
      }
    });

const constant: Piece = { text: '7', at: () => 7 };
const size = fc.constantFrom(1, 2, 3, 5, 16, 17, 33);

describe('random conditions', () => {
  test('choose what they say: in loops, if-equations, comprehensions and reductions', async () => {
    const cases = size.chain((n) =>
      fc.tuple(
        fc.constant(n),
        guarded(n, constant).chain((piece) => guarded(n, piece)),
        guarded(n, constant),
        guard(n),
      ),
    );
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(...ways), async ([n, a, b, g], way) => {
        const result = await run(
          `model M
            Real x[${n}](start = {i*i for i in 1:${n}}, each fixed = true), y[${n}], z[${n}], w[${n}], v[${n}], s, l;
          equation
            for i in 1:${n} loop
              der(x[i]) = 1;
              y[i] = ${a.text};
              if ${g.text} then z[i] = ${b.text}; else z[i] = i; end if;
            end for;
            w = {${a.text} for i in 1:${n}};
            v = {if ${g.text} then ${b.text} else ${a.text} for i in 1:${n}};
            s = sum(${a.text} for i in 1:${n});
            l = max(if ${g.text} then ${b.text} else -i for i in 1:${n});
          end M;`,
          way,
        );
        const all = Array.from({ length: n }, (_, k) => k + 1);
        const chosen = (i: number, otherwise: (i: number) => number): number =>
          g.at(i) ? b.at(i) : otherwise(i);
        for (const i of all) {
          expect(final(result, `y[${i}]`)).toBeCloseTo(a.at(i), 6);
          expect(final(result, `w[${i}]`)).toBeCloseTo(a.at(i), 6);
          expect(final(result, `z[${i}]`)).toBeCloseTo(
            chosen(i, (k) => k),
            6,
          );
          expect(final(result, `v[${i}]`)).toBeCloseTo(chosen(i, a.at), 6);
        }
        expect(final(result, 's')).toBeCloseTo(
          all.reduce((sum, i) => sum + a.at(i), 0),
          4,
        );
        expect(final(result, 'l')).toBeCloseTo(Math.max(...all.map((i) => chosen(i, (k) => -k))), 6);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
