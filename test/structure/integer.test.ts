/** Constraints among differentiated variables that linear equations with integer coefficients hide. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { revealConstraints } from '../../src/structure/linear/integer.ts';
import { Pool } from '../../src/symbolic/pool.ts';
import { printExpr } from '../../src/symbolic/print.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { Notation } from './notation.ts';

/** The equations afterwards; differentiated variables have names that begin with v, and others of `apart` values of their own. */
function reveal(
  texts: readonly string[],
  known: Record<string, number> = {},
  apart: readonly string[] = [],
): string[] {
  const notation = new Notation(known);
  const equations = texts.map((text) => notation.equation(text));
  const variables = notation.variables(equations);
  const differentiated = new Set(
    variables.filter(({ symbol }) => notation.name(symbol).startsWith('v')).map((v) => v.symbol),
  );
  const others = variables.filter(({ symbol }) => apart.includes(notation.name(symbol)));
  const own = new Set([...differentiated, ...others.map(({ symbol }) => symbol)]);
  const names = { nameOfSymbol: (symbol: number) => notation.name(symbol) };
  return revealConstraints(notation.pool, equations, variables, differentiated, own).equations.map(
    (equation, k) =>
      equation === equations[k]
        ? texts[k]!
        : `${printExpr(equation.left, names)} = ${printExpr(equation.right, names)}`,
  );
}

describe('hidden constraints', () => {
  test('of capacitors in parallel', () => {
    expect(reveal(['v1 = a - b', 'v2 = a - b', 'i = a'])).toEqual(['v1 = a - b', 'v2 = v1', 'i = a']);
    expect(reveal(['v1 = a - b', 'v2 = b - a'])).toEqual(['v1 = a - b', 'v1 + v2 = 0']);
  });

  test('of a loop, through nodes that nothing else determines', () => {
    const [, , third] = reveal(['v1 = a - b', 'v2 = b - c', 'v3 = c - a']);
    expect(third).toBe('v2 + (v1 + v3) = 0');
  });

  test('of a cut: currents that sum to nothing', () => {
    expect(reveal(['v1 + x + y = 0', 'v2 - x - y = 0'])[1]).toBe('v1 + v2 = 0');
  });

  test('with whole multiples, and with what is known', () => {
    expect(reveal(['v1 = 2*a', 'v2 = 3*a'])[1]).toBe('2*v2 = 3*v1');
    expect(reveal(['v1 = a - b', 'a - b = 5'])[1]).toBe('v1 = 5');
    expect(reveal(['v1 = a - b', 'p = a - b'], { p: 3 })[1]).toBe('v1 = p');
  });

  test('there are none where each equation has a variable of its own', () => {
    const trees = ['v1 = a - b', 'v2 = b - c', 'r = c - a', 'v3 = c'];
    expect(reveal(trees)).toEqual(trees);
    const others = ['v1 = p*a', 'v2 = p*a'];
    expect(reveal(others, { p: 2 })).toEqual(others);
  });

  test('equations that say the same or contradict stay as they are, so that they are reported', () => {
    const twice = ['a - b = 1', 'a - b = 2', 'v1 = c'];
    expect(reveal(twice)).toEqual(twice);
  });

  test('of variables with values of their own, only where structure does not show them', () => {
    const seen = ['v1 = 2*a', 'a = b', 'b = c', 'v2 = c'];
    expect(reveal(seen, {}, ['a', 'b', 'c'])).toEqual(seen);
    expect(reveal(seen)).not.toEqual(seen);
    const hidden = ['3*v1 = a + b + c', 'a + b + c = 0', 'a - b = d', 'd = 2*v2'];
    expect(reveal(hidden, {}, ['a', 'b', 'c', 'd']).filter((text) => !hidden.includes(text))).toEqual([
      '3*v1 = 0',
    ]);
    const both = ['v1 = a - b', 'v2 = a - b', 'v3 = a - b'];
    expect(reveal(both, {}, ['a', 'b'])).toEqual(['v1 = a - b', 'v2 = v1', 'v3 = v1']);
  });

  test('of random graphs: one for each capacitor that closes a loop', () => {
    const edge = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }));
    const graph = fc.array(
      edge.filter(([a, b]) => a !== b),
      { minLength: 1, maxLength: 14 },
    );
    fc.assert(
      fc.property(graph, (edges) => {
        const texts = edges.map(([a, b], k) => `v${k} = n${a} - n${b}`);
        const parent = Array.from({ length: 8 }, (_, k) => k);
        const root = (k: number): number => (parent[k] === k ? k : root(parent[k]!));
        let loops = 0;
        for (const [a, b] of edges) {
          if (root(a) === root(b)) loops++;
          parent[root(a)] = root(b);
        }
        const after = reveal(texts);
        expect(after.filter((text) => !text.includes('n'))).toHaveLength(loops);
        expect(after.filter((text, k) => text === texts[k])).toHaveLength(edges.length - loops);
      }),
    );
  });

  test('are found in a long chain of loops without delay', () => {
    const chain = (n: number) => {
      const pool = new Pool();
      const symbols = Array.from({ length: 3 * n + 1 }, (_, k) => k);
      const [node, store] = [(k: number) => pool.ref(2 * n + k), (k: number) => pool.ref(k)];
      const equations = Array.from({ length: 2 * n }, (_, k) => {
        const at = Math.floor(k / 2);
        return { left: store(k), right: pool.sub(node(at), node(at + 1)), assigns: undefined, index: k };
      });
      const variables = symbols.map((symbol) => ({
        symbol,
        stateSelect: 'default' as const,
        discrete: false,
        weight: 0,
      }));
      return () => {
        const stores = new Set(symbols.slice(0, 2 * n));
        const { equations: result } = revealConstraints(pool, equations, variables, stores);
        expect(result.filter((equation, k) => equation !== equations[k])).toHaveLength(n);
      };
    };
    expect(orderOf(chain, 4000)).toBeLessThan(almostLinear);
  });
});

/** The equations afterwards, and what floats. Potentials begin with n, what conditions compare with s. */
function float(texts: readonly string[], known: Record<string, number> = {}): [string[], string[]] {
  const notation = new Notation(known);
  const equations = texts.map((text) => notation.equation(text));
  const variables = notation.variables(equations).map((variable) => {
    const name = notation.name(variable.symbol);
    return { ...variable, potential: name.startsWith('n'), compared: name.startsWith('s') };
  });
  const names = { nameOfSymbol: (symbol: number) => notation.name(symbol) };
  const result = revealConstraints(notation.pool, equations, variables, new Set());
  const after = result.equations.map((equation, k) =>
    equation === equations[k]
      ? texts[k]!
      : `${printExpr(equation.left, names)} = ${printExpr(equation.right, names)}`,
  );
  return [after, result.floating.map(({ symbol, held }) => `${notation.name(symbol)}${held ? ' held' : ''}`)];
}

describe('floating parts', () => {
  const loop = ['i1 + i2 = 0', 'i1 + i2 = 0', 'n1 - n2 = p', 'n1 - n2 = r*i1'];

  test('one potential stays as it was', () => {
    const [after, floating] = float(loop, { p: 5, r: 2 });
    expect(floating).toEqual(['n2 held']);
    expect(after.filter((text) => !loop.includes(text))).toEqual(['n2 = pre(n2)']);
  });

  test('also where only differences of potentials enter nonlinearly', () => {
    const [, floating] = float(['i1 + i2 = 0', 'i1 + i2 = 0', 'n1 - n2 = p', 'i1 = exp(n1 - n2)'], { p: 5 });
    expect(floating).toEqual(['n2 held']);
  });

  test('not where a potential enters for itself', () => {
    expect(float(['i1 + i2 = 0', 'i1 + i2 = 0', 'n1 - n2 = p', 'i1 = exp(n1)*n2'], { p: 5 })[1]).toEqual([]);
  });

  test('not where sums contradict each other, nor where what is known may differ', () => {
    expect(float(['i1 + i2 = 0', 'i1 + i2 = 5', 'n1 - n2 = p', 'n1 - n2 = r*i1'], { p: 5, r: 2 })[1]).toEqual(
      [],
    );
    expect(
      float(['i1 + i2 = q', 'i1 + i2 = p', 'n1 - n2 = p', 'n1 - n2 = r*i1'], { p: 5, q: 5, r: 2 })[1],
    ).toEqual([]);
  });

  test('what is known cancels where it is the same', () => {
    expect(
      float(['i1 + i2 = p', 'i1 + i2 = p', 'n1 - n2 = p', 'n1 - n2 = r*i1'], { p: 5, r: 2 })[1],
    ).toHaveLength(1);
  });

  test('variables that conditions compare are kept small', () => {
    const [after, floating] = float(
      ['i1 = 0', 'i2 = 0', 'i1 + i2 = 0', 's1 = n0 - n1', 's2 = n1 - n2', 'n0 = 0', 'n2 = p'],
      { p: 8 },
    );
    expect(floating).toEqual(['n1']);
    expect(after[2]).toBe('s2 = s1');
  });
});
