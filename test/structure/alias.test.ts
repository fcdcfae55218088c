import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eliminateAliases } from '../../src/structure/alias.ts';
import type { ScalarVariable } from '../../src/structure/analysis.ts';
import { Notation } from './notation.ts';

function eliminate(
  texts: readonly string[],
  attributes: Record<string, Partial<ScalarVariable>> = {},
  known: Record<string, number> = {},
) {
  const notation = new Notation(known);
  const equations = texts.map((text) => notation.equation(text));
  const differentiated = new Set(
    notation.names
      .filter((name) => texts.some((text) => text.includes(`${name}'`)))
      .map((n) => notation.symbol(n)),
  );
  const variables = notation.variables(equations, attributes);
  const result = eliminateAliases(notation.pool, equations, variables, differentiated);
  return {
    notation,
    variables: result.variables.map(({ symbol, stateSelect }) => `${notation.name(symbol)}:${stateSelect}`),
    aliases: result.aliases.map(
      ({ symbol, target, sign }) =>
        `${notation.name(symbol)}=${sign === 1 ? '' : '-'}${notation.name(target)}`,
    ),
    kept: result.equations.map(({ index }) => texts[index]),
    equations: result.equations,
    raw: result.aliases,
  };
}

describe('alias elimination', () => {
  test('in every way to write it', () => {
    const ways = [
      'x = y',
      'x - y = 0',
      '0 = y - x',
      '-x = -y',
      'x + y = 0',
      'x = -y',
      '0 = -(x + y)',
      '-y = x',
    ];
    expect(ways.map((way) => eliminate([way]).aliases[0])).toEqual([
      'y=x',
      'y=x',
      'x=y',
      'y=x',
      'y=-x',
      'y=-x',
      'y=-x',
      'x=-y',
    ]);
  });

  test('what is none', () => {
    const ways = ["x' = y'", 'x = 2*y', 'x + y = 1', 'x = p', 'x = y + z', 'x = sin(y)', 'x*y = 0', 'z := y'];
    for (const way of ways) expect(eliminate([way], {}, { p: 1 }).aliases).toEqual([]);
  });

  test('chains multiply their signs and other equations speak of the survivor', () => {
    const { aliases, equations, notation } = eliminate(['a = -b', 'b = -c', 'c + d = 0', "d' = a*b"]);
    expect(aliases.sort()).toEqual(['a=-d', 'b=d', 'c=-d']);
    expect(equations.map(({ right }) => right)).toEqual([notation.expr('-(d*d)')]);
  });

  test('x = y and x = -y leave an equation for zero', () => {
    const { aliases, equations, notation } = eliminate(['x = y', 'x = -y']);
    expect(aliases).toEqual(['y=x']);
    expect(equations[0]).toMatchObject({ left: notation.expr('x'), right: notation.expr('-x') });
  });

  test('two differentiated variables stay two, also along a chain', () => {
    const { aliases, kept } = eliminate(["x' = 1", "y' = z", 'x = f', 'f = y']);
    expect(aliases).toEqual(['f=x']);
    expect(kept).toContain('f = y');
  });

  test('the survivor: differentiated, then stateSelect, then weight', () => {
    expect(eliminate(["y' = 1", 'x = y'], { x: { weight: 9 } }).aliases).toEqual(['x=y']);
    expect(eliminate(['x = y'], { y: { stateSelect: 'prefer' } }).aliases).toEqual(['x=y']);
    expect(eliminate(['x = y'], { y: { weight: 1 } }).aliases).toEqual(['x=y']);
  });

  test('the survivor takes the strongest stateSelect; two `always` stay two', () => {
    expect(eliminate(["y' = 1", 'x = y'], { x: { stateSelect: 'always' } }).variables).toEqual(['y:always']);
    expect(eliminate(["r' = 1", 'r = s'], { r: { stateSelect: 'never' } }).variables).toEqual(['r:default']);
    const always = { stateSelect: 'always' } as const;
    expect(eliminate(['x = y'], { x: always, y: always }).aliases).toEqual([]);
  });

  test('any values that satisfy the equations satisfy the aliases, and what is kept says nothing new', () => {
    const link = fc.record({ a: fc.nat(7), b: fc.nat(7), sign: fc.constantFrom(1, -1) });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(1, -1), { minLength: 8, maxLength: 8 }),
        fc.array(link),
        (signs, links) => {
          // Values v_k = signs[k]: every link is written so that it holds for them.
          const texts = links
            .filter(({ a, b }) => a !== b)
            .map(({ a, b }) => `x${a} = ${signs[a] === signs[b] ? '' : '-'}x${b}`);
          const { raw, kept, notation } = eliminate(texts);
          const value = (symbol: number) => signs[Number(notation.name(symbol).slice(1))]!;
          for (const { symbol, target, sign } of raw) expect(value(symbol)).toBe(sign * value(target));
          // One equation goes for each alias; a survivor is nobody's alias.
          expect(raw.length + kept.length).toBe(texts.length);
          const gone = new Set(raw.map(({ symbol }) => symbol));
          expect(gone.size).toBe(raw.length);
          for (const { target } of raw) expect(gone.has(target)).toBe(false);
          for (const { left, right } of eliminate(texts).equations) {
            expect(left === right).toBe(true);
          }
        },
      ),
    );
  });
});
