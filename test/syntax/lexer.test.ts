import { describe, expect, test } from 'vitest';
import { tokenize } from '../../src/syntax/lexer.ts';
import { keywords, spelling } from '../../src/syntax/tokens.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { messages, readExpression, source } from './notation.ts';

/** The tokens as `kind` for fixed ones and `kind:text` for the others, separated by spaces. */
function tokens(text: string): string {
  const { count, kind, start, end } = tokenize(source(text));
  const words: string[] = [];
  for (let i = 0; i < count - 1; i++) {
    const written = text.slice(start[i], end[i]);
    const name = spelling[kind[i]!]!;
    words.push(name === written ? name : `${name}:${written}`);
  }
  return words.join(' ');
}

const errors = (text: string): string[] => messages(tokenize(source(text)).diagnostics);

describe('tokens', () => {
  test.each([
    ['', ''],
    ['  \t\r\n', ''],
    ['a _b9 equation equations', 'identifier:a identifier:_b9 equation identifier:equations'],
    [
      '1 12 1. 1.5 1e5 1.e-5 1.5E+05 .5 .13E2',
      'integer:1 integer:12 real:1. real:1.5 real:1e5 real:1.e-5 real:1.5E+05 real:.5 real:.13E2',
    ],
    ['1.*x', 'real:1. * identifier:x'],
    ['1 .*x', 'integer:1 .* identifier:x'],
    ['a.b .c', 'identifier:a . identifier:b . identifier:c'],
    ['.+.-.*./.^', '.+ .- .* ./ .^'],
    ['<<==>>=<>:=:', '< <= = > >= <> := :'],
    ['===', '== ='],
    ['()[]{},;+-*/^=', '( ) [ ] { } , ; + - * / ^ ='],
    ['"a\\"b" "two\nlines"', 'string:"a\\"b" string:"two\nlines"'],
    ["'a b' 'it\\'s' '\"'", "identifier:'a b' identifier:'it\\'s' identifier:'\"'"],
    ['a//b\nc/*d\n*/e/**/f', 'identifier:a identifier:c identifier:e identifier:f'],
    ['/* /* */ x', 'identifier:x'],
    ['\ufeffmodel', 'model'],
  ])('of %j', (text, expected) => {
    expect(tokens(text)).toBe(expected);
    expect(errors(text)).toEqual([]);
  });

  test('every reserved word has a kind of its own', () => {
    expect(keywords.length).toBe(59);
    expect(tokens(keywords.join(' '))).toBe(keywords.join(' '));
  });

  test('comments are kept with their places', () => {
    expect(tokenize(source('a // b\n/* c */ d')).comments).toEqual([
      { start: 2, end: 6, text: '// b' },
      { start: 7, end: 14, text: '/* c */' },
    ]);
  });

  test('many different words stay different', () => {
    const words = Array.from({ length: 5000 }, (_, i) => `w${i}`);
    const { words: table, extra, count } = tokenize(source([...words, ...words].join(' ')));
    const read = Array.from({ length: count - 1 }, (_, i) => table.texts[extra[i]!]);
    expect(read).toEqual([...words, ...words]);
  });
});

describe('values', () => {
  test.each([
    ['1.', 1, false],
    ['.5', 0.5, false],
    ['1e3', 1000, false],
    ['2.5E-1', 0.25, false],
    ['17', 17, true],
  ])('%s', (text, value, integer) => {
    expect(readExpression(text)).toMatchObject({ kind: 'number', value, integer, text });
  });

  test.each([
    ['"a\\tb\\n"', 'a\tb\n'],
    ['"\\"q\\" \\\\ \\? \\\'"', '"q" \\ ? \''],
    ['"\\a\\b\\f\\v\\r"', '\u0007\b\f\v\r'],
    ['""', ''],
    ['"α\nβ"', 'α\nβ'],
  ])('%s', (text, value) => {
    expect(readExpression(text)).toMatchObject({ kind: 'string', value, text });
  });
});

describe('mistakes', () => {
  test.each([
    ['"abc\nx', ['1:1 this string is not closed'], 'string:"abc identifier:x'],
    ['"abc\\', ['1:1 this string is not closed'], 'string:"abc\\'],
    ["'abc\nx", ['1:1 this quoted identifier is not closed'], "identifier:'abc identifier:x"],
    ["'a\\", ['1:1 this quoted identifier is not closed'], "identifier:'a\\"],
    ['a /* b', ['1:3 this comment is not closed'], 'identifier:a'],
    ['"\\d"', ['1:2 there is no escape sequence `\\d`'], 'string:"\\d"'],
    ['a $ b', ['1:3 the character `$` cannot stand here'], 'identifier:a identifier:b'],
    ['aé§x', ['1:2 the character `é` cannot stand here'], 'identifier:a identifier:x'],
    ["'ü'", ['1:2 the character `ü` cannot stand in an identifier'], "identifier:'ü'"],
    ['a\u00a0b', ['1:2 this space is not the plain space character'], 'identifier:a identifier:b'],
    ['\u0000', ['1:1 the character U+0000 cannot stand here'], ''],
    ['2x', ['1:1 `2x` is not a number'], 'integer:2'],
    ['1e+', ['1:1 `1e` is not a number'], 'integer:1 +'],
    ['a != b', ['1:3 `!=` is not an operator of Modelica'], 'identifier:a <>:!= identifier:b'],
    [
      '!a && b || c',
      [
        '1:1 `!` is not an operator of Modelica',
        '1:4 `&&` is not an operator of Modelica',
        '1:9 `||` is not an operator of Modelica',
      ],
      'not:! identifier:a and:&& identifier:b or:|| identifier:c',
    ],
    ['a ** b', ['1:3 `**` is not an operator of Modelica'], 'identifier:a ^:** identifier:b'],
    ['a & b', ['1:3 the character `&` cannot stand here'], 'identifier:a identifier:b'],
  ])('%j', (text, expected, repaired) => {
    expect(errors(text)).toEqual(expected);
    expect(tokens(text)).toBe(repaired);
  });

  test('unclosed strings without end are read in linear time', () => {
    const text = (n: number): string => '"\n\\'.repeat(n);
    expect(errors(text(200_000))).toHaveLength(100);
    expect(orderOf((n) => () => errors(text(n)), 50_000)).toBeLessThan(almostLinear);
  });
});
