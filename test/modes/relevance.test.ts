/** A condition matters where what stands before it in some guard holds. */
import { describe, expect, test } from 'vitest';
import { isRelevant } from '../../src/modes/relevance.ts';
import { lowered } from './notation.ts';

/** Labels of the conditions that matter where some hold. */
function relevant(text: string, ...holding: string[]): string[] {
  const model = lowered(text);
  const values = model.conditions.map(({ label }) => holding.includes(label));
  return model.conditions
    .filter((_, k) => isRelevant(model, k, values))
    .map(({ label }) => label)
    .sort();
}

const flags = 'Boolean a = time > 1, b = time > 2, c = time > 3; Real x, y, z; equation x + y + z = 1;';

describe('inside of a branch', () => {
  const text = `${flags} z = 2; if a then if b then x = 1; else y = 1; end if; else x = y; end if;`;
  test.each([
    [[], ['a']],
    [['b'], ['a']],
    [['a'], ['a', 'b']],
  ])('where %j hold, %j matter', (holding, expected) => expect(relevant(text, ...holding)).toEqual(expected));
});

describe('in a chain of elseif', () => {
  const text = `${flags} z = 2; if a then x = 1; elseif b then y = 1; elseif c then x = y; else x = 2*y; end if;`;
  test.each([
    [['a'], ['a']],
    [['b'], ['a', 'b']],
    [[], ['a', 'b', 'c']],
  ])('where %j hold, %j matter', (holding, expected) => expect(relevant(text, ...holding)).toEqual(expected));
});

test('in two places, one of which is always there', () => {
  const text = `${flags} if b then z = 2; else x = 2; end if; if a then if b then x = 1; else y = 1; end if; else x = y; end if;`;
  expect(relevant(text)).toEqual(['a', 'b']);
});

test('of an action', () => {
  const text = `Boolean a = time > 1; Real x; equation der(x) = 1;
    if a then when x > 2 then reinit(x, 0); end when; end if;`;
  expect(relevant(text)).toEqual(['a']);
});
