/** Strings: how values are written, Strings that change, and Strings that grow without bounds. */
import { describe, expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';

/** What the assertion of a model says when it is violated, or why the model is refused. */
async function told(text: string): Promise<string> {
  const result = await simulate(loadModel(text), { stopTime: 1 });
  return result.diagnostics.map(({ code, message }) => `${code} ${message}`).join('; ');
}

const saying = (message: string, declarations = ''): string =>
  `model M Integer n = integer(10*time); ${declarations} equation assert(n < 7, ${message}); end M;`;

describe('String(x, …)', () => {
  test.each([
    ['String(n)', '7'],
    ['String(n, minimumLength = 3) + "|"', '7  |'],
    ['String(n, 3, false)', '  7'],
    ['String(1.23456789)', '1.23457'],
    ['String(1.23456789, 3)', '1.23'],
    ['String(1.23456789, significantDigits = 3, minimumLength = 6, leftJustified = false)', '  1.23'],
    ['String(n > 5) + String(false)', 'truefalse'],
    ['String(true, minimumLength = 5) + "|"', 'true |'],
  ])('%s is %s', async (written, text) => {
    expect(await told(saying(written))).toBe(`assertion At time 0.7: ${text}`);
  });

  test('takes arguments that fit the type', () => {
    expect(() => loadModel(saying('String(n, significantDigits = 3)'))).toThrow(
      'has no argument `significantDigits`',
    );
    expect(() => loadModel(saying('String(1.5, 2.5)'))).toThrow('`significantDigits` of `String` is Integer');
  });
});

describe('a String that changes', () => {
  test('stands for its equation in messages', async () => {
    const both =
      'Boolean late = time > 0.5; String s = if late then "late " + t else "early"; String t = String(n);';
    expect(await told(saying('s', both))).toBe('assertion At time 0.7: late 7');
  });

  test('is refused where it remembers or is assigned', async () => {
    const remembers = 'String s(start = "a"); equation when time > 0.5 then s = pre(s) + "b"; end when;';
    expect(await told(saying('s', remembers))).toBe(
      'unsupported The String s changes while the model runs, and not by an equation of its own.',
    );
    expect(await told(saying('s', 'String s = t; String t = s;'))).toBe(
      'cyclic-definition The String s is defined in terms of itself.',
    );
  });
});

test('a String that doubles again and again ends in a limit', async () => {
  const doubled = Array.from({ length: 60 }, (_, k) => `parameter String s${k + 1} = s${k} + s${k};`).join(
    ' ',
  );
  const text = saying('s60', `parameter String s0 = "ab"; ${doubled}`);
  expect(await told(text)).toBe('limit-exceeded A String has more than 1000000 characters.');
});
