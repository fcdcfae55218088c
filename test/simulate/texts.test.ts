/** Strings: how values are written, Strings that change, and Strings that grow without bounds. */
import { describe, expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';
import { formattedAs } from '../../src/symbolic/text.ts';
import { done } from './notation.ts';

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
    ['String(n, minimumLength = 3, leftJustified = false)', '  7'],
    ['String(1.23456789)', '1.23457'],
    ['String(1.23456789, significantDigits = 3)', '1.23'],
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
    expect(() => loadModel(saying('String(1.5, significantDigits = 2.5)'))).toThrow(
      '`significantDigits` of `String` is Integer',
    );
    expect(() => loadModel(saying('String(1.5, 2)'))).toThrow('given by name');
  });
});

describe('a String that changes', () => {
  test('stands for its equation in messages', async () => {
    const both =
      'Boolean late = time > 0.5; String s = if late then "late " + t else "early"; String t = String(n);';
    expect(await told(saying('s', both))).toBe('assertion At time 0.7: late 7');
  });

  test('is refused where it changes continuously and is more than a message', async () => {
    expect(await told('model M String s = String(time); Boolean b = s == "1"; end M;')).toBe(
      'variability The String s changes continuously, and is used outside of messages.',
    );
    expect(() => loadModel('model M Boolean b = String(time) == "1"; end M;')).toThrow(
      'A String that changes continuously cannot be compared.',
    );
    expect(await told(saying('s', 'String s = t + String(time); String t = s;'))).toBe(
      'cyclic-definition The String s is defined in terms of itself.',
    );
  });

  const functions = `
    function chant input String word; input Integer n; output String text; protected String before = "(";
      algorithm text := before; for i in 1:n loop text := text + word + (if i < n then "," else ")"); end for; end chant;
    function rank input String s; output Integer n; algorithm n := if s == "" then 0 elseif s < "m" then 1 else 2; end rank;
    function both input String s; input Real x; output String t; output Real y; algorithm t := s + s; y := if s == "a" then x^2 else -x; end both;`;

  test.each([
    [
      'remembers',
      'String s(start = "a", fixed = true); equation when sample(0.2, 0.2) then s = pre(s) + "b"; end when;',
      's',
      'abbb',
    ],
    [
      'is assigned in an algorithm',
      'String s; algorithm when n > 2 then s := "x" + String(n); elsewhen n > 5 then s := s + "y"; end when;',
      's',
      'x3y',
    ],
    [
      'is an element',
      'String w[3](start = {"p", "q", "r"}); algorithm when n > 2 then w[2] := w[1] + w[3]; end when;',
      'w[1] + w[2] + w[3]',
      'pprr',
    ],
    [
      'goes through functions',
      'String s = chant(if n > 5 then "la" else "lo", integer(n/2));',
      's',
      '(la,la,la)',
    ],
    [
      'is one of several outputs',
      'String s; Real y; equation (s, y) = both(if n > 2 then "a" else "b", time);',
      's + String(y, significantDigits = 3)',
      'aa0.49',
    ],
    [
      'is written with a format',
      'discrete String s; equation when n > 4 then s = String(time*1000, format = "8.2f") + String(-n, format = "+05d"); end when;',
      's',
      '  500.00-0005',
    ],
    [
      'chooses a word',
      'type E = enumeration(up, down); E e = if n > 3 then E.down else E.up; String s = String(e, minimumLength = 6) + String(n > 3);',
      's',
      'down  true',
    ],
  ])('%s', async (_, declarations, message, wanted) => {
    expect(await told(functions + saying(message, declarations))).toBe(`assertion At time 0.7: ${wanted}`);
  });

  // s is "a" until 0.3, "ab" until 0.6, then "abb".
  const changing =
    'String s(start = "a", fixed = true); Real x(start = 0, fixed = true); Real y; equation when sample(0.3, 0.3) then s = pre(s) + "b"; end when;';
  test.each([
    ['of an expression', 'der(x) = if s == "ab" then 1 else 0; y = 0;', 0.3],
    ['that orders', 'der(x) = if s < "ab" then 1 elseif s >= "abb" then 10 else 0; y = 0;', 4.3],
    [
      'in a function',
      'der(x) = rank(if s == "a" then "" elseif s == "ab" then "k" else "z"); y = 0;',
      0.3 + 0.8,
    ],
    ['that changes the structure', 'if s == "ab" then der(y) = 1; else y = 5; end if; der(x) = y;', 5.045],
    ['of a branch of equations', 'if s == "ab" then der(x) = 2; y = 1; else der(x) = 0; y = 2; end if;', 0.6],
    ['of a change', 'der(x) = 0; y = 0; when change(s) then reinit(x, pre(x) + 1); end when;', 3],
  ])('is a condition %s', async (_, equations, wanted) => {
    const { table } = await done(`${functions}\nmodel M ${changing} ${equations} end M;`, { stopTime: 1 });
    expect(table.value('x', 1)).toBeCloseTo(wanted, 6);
  });

  test('code and interpreter agree', async () => {
    const text = `${functions}\nmodel M ${changing} y = rank(chant(s, 2)); der(x) = rank(s + "z") + y; end M;`;
    const [compiled, interpreted] = [
      await done(text, { stopTime: 1 }),
      await done(text, { stopTime: 1, interpret: true }),
    ];
    // rank(chant) is 1 for "(", rank(s + "z") is 1.
    expect(compiled.table.value('x', 1)).toBeCloseTo(2, 9);
    expect(interpreted.table.value('x', 1)).toBe(compiled.table.value('x', 1));
  });

  test('conditions on Strings of the model choose equations before it runs', async () => {
    const text = `model M parameter String kind = "b"; Real x(start = 1, fixed = true);
      equation if kind == "a" then der(x) = -x; else x = 1 + time; end if; end M;`;
    const { table } = await done(text.replace('x(start = 1, fixed = true)', 'x'), { stopTime: 1 });
    expect(table.value('x', 1)).toBeCloseTo(2, 12);
  });

  test('formats that are none are refused', () => {
    expect(() => loadModel(saying('String(1.5, format = "abc")'))).toThrow('"abc" is no format.');
    expect(() => loadModel(saying('String(true, format = "f")'))).toThrow('`format` is for numbers');
    expect(() => loadModel(saying('String(1.5, format = 3)'))).toThrow('`format` of `String` is String');
  });
});

// As printf of C writes them.
test.each([
  [5.2353535345, '2.6f', '5.235354'],
  [6565.3525356, '2.0e', '7e+03'],
  [0.000012345, 'g', '1.2345e-05'],
  [123456789, '.3g', '1.23e+08'],
  [0.5, '#.3g', '0.500'],
  [-42, '6d', '   -42'],
  [42, '-6d', '42    '],
  [7.25391, '+08.2f', '+0007.25'],
  [1e-10, 'E', '1.000000E-10'],
  [2.5, ' .1f', ' 2.5'],
  [2.5, '.0f', '2'],
  [0.5, '.0f', '0'],
  [1.5, '.0f', '2'],
  [0.125, '.2e', '1.25e-01'],
  [0.125, '.1e', '1.2e-01'],
  [9.5, '.0e', '1e+01'],
  [1234565, 'g', '1.23456e+06'],
  [1e22, 'f', '10000000000000000000000.000000'],
  [5e-324, '.3e', '4.941e-324'],
  [3.25, '#.0f', '3.'],
  [3, '#.1g', '3.'],
  [10, '#x', '0xa'],
  [10, '#08X', '0X00000A'],
  [10, '#o', '012'],
  [0, '#x', '0'],
  [7, '05d', '00007'],
  [7, '05.3d', '  007'],
])('%s as %s is %s', (value, format, wanted) => {
  expect(formattedAs(value, format)).toBe(wanted);
});

test('a String that doubles again and again ends in a limit', async () => {
  const doubled = Array.from({ length: 60 }, (_, k) => `parameter String s${k + 1} = s${k} + s${k};`).join(
    ' ',
  );
  const text = saying('s60', `parameter String s0 = "ab"; ${doubled}`);
  expect(await told(text)).toBe('limit-exceeded A String has more than 1000000 characters.');
});
