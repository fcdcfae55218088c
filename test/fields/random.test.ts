/** Laws of the vector part: whatever arrays a model has, loops give what scalars give. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compared } from './notation.ts';

/** Names of a random model: states x, v; algebraic arrays; scalars u, p. */
const coefficient = fc.integer({ min: 1, max: 9 }).map((k) => (k / 4).toString());

/** An elementwise expression of element i; `refs` are what it may read there. */
const scalarExpr = (refs: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        coefficient,
        fc.constantFrom(...refs),
        fc.constantFrom('', 'sin', 'tanh', 'bent', 'curved', 'if'),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((terms) => terms.map(([c, ref, fn]) => `${c}*${applied(fn, ref)}`).join(' - '));

/** A term of an expression; only elements can be compared. */
function applied(fn: string, ref: string): string {
  if (fn === '') return ref;
  if (fn !== 'if') return `${fn}(${ref})`;
  return /\[[^:]*\]/.test(ref) ? `(if ${ref} > 0.1 then 2*${ref} - 0.1 else ${ref})` : ref;
}

interface Built {
  readonly declarations: string;
  readonly equations: string;
}

/** An algebraic array `name` from the states, in one of the ways that models write. */
const algebraic = (name: string, n: number, states: readonly string[]): fc.Arbitrary<Built> => {
  const at = (i: string) => states.map((s) => `${s}[${i}]`);
  const declarations = `Real ${name}[${n}];`;
  const built = (equations: string): Built => ({ declarations, equations });
  return fc.oneof(
    scalarExpr(states).map((e) => built(`${name} = ${e} + fill(u, ${n});`)),
    scalarExpr(at('i')).map((e) => built(`for i in 1:${n} loop ${name}[i] = ${e} + i*p; end for;`)),
    // Differences with boundaries.
    scalarExpr([...at('i'), ...at('i-1')]).map((e) =>
      built(`${name}[1] = u; for i in 2:${n} loop ${name}[i] = ${e}; end for;`),
    ),
    scalarExpr([...states.map((s) => `${s}[1:${n - 1}]`), ...states.map((s) => `${s}[2:${n}]`)]).map((e) =>
      built(`${name}[1:${n - 1}] = ${e}; ${name}[${n}] = p - ${states[0]}[2];`),
    ),
    // Chains up and down, solved for another variable than the left side.
    scalarExpr(at('i')).map((e) =>
      built(`2*${name}[1] = u; for i in 2:${n} loop ${name}[i] - 0.5*${name}[i-1] = ${e}; end for;`),
    ),
    scalarExpr(at('i')).map((e) =>
      built(`${name}[${n}] = p; for i in 1:${n - 1} loop ${e} = 3*${name}[i] + ${name}[i+1]; end for;`),
    ),
    // Two arrays that need each other, up and down, and within a turn.
    scalarExpr(at('i')).map((e) => ({
      declarations: `${declarations} Real ${name}b[${n}];`,
      equations: `${name}b[1] = u; for i in 2:${n} loop ${name}b[i] = 0.5*${name}[i-1]; end for;
        for i in 1:${n} loop ${name}[i] = ${e} - 0.25*${name}b[i]; end for;`,
    })),
    scalarExpr(at('i')).map((e) => ({
      declarations: `${declarations} Real ${name}b[${n}];`,
      equations: `for i in 1:${n} loop ${name}[i] = ${e} - 0.25*${name}b[i]; end for;
        for i in 1:${n - 1} loop ${name}b[i] = 0.5*${name}[i+1] + p; end for; ${name}b[${n}] = time;`,
    })),
    scalarExpr(at('i')).map((e) => ({
      declarations: `${declarations} Real ${name}b[${n}];`,
      equations: `for i in 1:${n} loop
          ${name}[i] + 0.5*${name}b[i] = ${e}; ${name}b[i] = ${name}[i] + i;
        end for;`,
    })),
    // Matrices and reductions.
    coefficient.map((c) =>
      built(`${name} = M*${states[0]} + ${c}*fill(sum(${states[0]}[i]*i for i in 1:${n}), ${n});`),
    ),
    coefficient.map((c) => built(`${name} = cat(1, {u, p}, ${c}*${states[0]}[3:${n}]);`)),
  );
};

const model = fc
  .record({ n: fc.integer({ min: 3, max: 9 }), count: fc.integer({ min: 1, max: 3 }) })
  .chain(({ n, count }) =>
    fc.record({
      n: fc.constant(n),
      parts: fc.tuple(...Array.from({ length: count }, (_, k) => algebraic(`a${k}`, n, ['x', 'v']))),
      rates: fc.tuple(
        scalarExpr(['x', 'v', ...Array.from({ length: count }, (_, k) => `a${k}`)]),
        scalarExpr(['x', ...Array.from({ length: count }, (_, k) => `a${k}`)]),
      ),
      reads: fc.integer({ min: 1, max: n }),
      feedsBack: fc.boolean(),
    }),
  )
  .map(
    ({ n, parts, rates, reads, feedsBack }) => `model Random
    function bent input Real a; output Real b; algorithm if a > 0 then b := sin(a); else b := a/2; end if; end bent;
    function curved input Real a; output Real b; algorithm b := a/(1 + a*a); end curved;
    parameter Real p = 0.75;
    parameter Real M[${n},${n}] = {{1/(i + 2*j) for j in 1:${n}} for i in 1:${n}};
    Real x[${n}](start = linspace(-0.5, 0.5, ${n})), v[${n}](each start = 0.25);
    Real u(start = 0.1), y;
    ${parts.map((part) => part.declarations).join('\n    ')}
  equation
    ${parts.map((part) => part.equations).join('\n    ')}
    der(x) = -(${rates[0]});
    der(v) = ${rates[1]};
    y = x[${reads}] + a0[${reads}];
    der(u) = ${feedsBack ? `-u + v[${reads}]` : 'cos(time) - u'};
  end Random;`,
  );

describe('random arrays', () => {
  test('have the derivatives, variables and outputs of the scalars, and the pattern that they say', async () => {
    await fc.assert(
      fc.asyncProperty(model, async (text) => {
        const { field, difference, leftOut, unforeseen } = await compared(text);
        expect(leftOut).toEqual([]);
        expect(field!.states.length).toBe(2);
        expect(difference).toBeLessThan(1e-12);
        expect(unforeseen).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
