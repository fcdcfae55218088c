/** A mode is a selection of equations; its key and signature name what chooses it, and nothing else. */
import { describe, expect, test } from 'vitest';
import { mode } from './notation.ts';

const nested = `Real x, y, z; Boolean a = time > 1, b = time > 2;
  equation x + y + z = 1; x = 2;
  if a then if b then y = 1; else z = 2; end if; else y = z; end if;`;

describe('of two conditions, one inside of the other', () => {
  test.each([
    [[], '-0', ['not a'], 'y = z'],
    [['b'], '-0', ['not a'], 'y = z'],
    [['a'], '01', ['a', 'not b'], 'z = 2'],
    [['a', 'b'], '11', ['a', 'b'], 'y = 1'],
  ])('where %j hold', (holding, key, signature, equation) => {
    const found = mode(nested, ...holding);
    expect(found.signature.split(', ').sort()).toEqual(signature);
    expect([...found.key].sort().join('')).toBe(key);
    expect(found.equations.at(-1)).toBe(equation);
    expect(found.equations).toHaveLength(5);
  });
});

describe('conditions that choose no equations', () => {
  const text = 'Real x, y; equation der(x) = 1; if x < 1 then y = 1; else y = 2; end if;';
  test.each([[[]], [['x < 1']]])('where %j hold, the mode is the same', (holding) => {
    const { key, signature, equations } = mode(text, ...holding);
    expect([key, signature]).toEqual(['-', '']);
    expect(equations).toEqual(['der(x) = 1', 'y = if [x < 1] then 1 else 2']);
  });
});

describe('signatures', () => {
  const choice = (condition: string) =>
    `Real x, y; Boolean b = time > 1; equation x + y = 1; if ${condition} then x = 2; else y = 3; end if;`;
  test.each([
    ['b', 'b', 'not b'],
    ['not b', 'not b', 'b'],
    ['time > 2', 'time > 2', 'not (time > 2)'],
  ])('%s', (condition, holds, fails) => {
    expect(mode(choice(condition), condition).signature).toBe(holds);
    expect(mode(choice(condition)).signature).toBe(fails);
  });

  test('a parameter chooses the mode without a word', () => {
    const text =
      'parameter Boolean p = true; Real x, y; equation x + y = 1; if p then x = 2; else y = 3; end if;';
    const [on, off] = [mode(text, 'p'), mode(text)];
    expect([on.signature, off.signature]).toEqual(['', '']);
    expect([on.key, off.key]).toEqual(['1', '0']);
    expect([on.equations, off.equations]).toEqual([
      ['x + y = 1', 'x = 2'],
      ['x + y = 1', 'y = 3'],
    ]);
  });
});
