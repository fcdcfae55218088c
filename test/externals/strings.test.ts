/** Texts: `Modelica.Utilities.Strings`. */
import { describe, expect, it, test } from 'vitest';
import { functions } from './notation.ts';

const call = (name: string, ...args: unknown[]): unknown =>
  functions().call(`ModelicaStrings_${name}`, ...args);

test('length counts characters', () => {
  expect(['', 'abc', 'äöü', '𝄞x'].map((text) => call('length', text))).toEqual([0, 3, 3, 2]);
});

describe('substring', () => {
  it.each([
    [2, 4, 'bcd'],
    [1, 1, 'a'],
    [3, 99, 'cdef'],
    [4, 3, ''],
    [7, 9, ''],
    [0, 2, 'ab'],
    [-3, 1, 'a'],
    [2, -1, 'b'],
  ])('from %i to %i', (start, end, found) => {
    expect(call('substring', 'abcdef', start, end)).toBe(found);
  });

  it('says where a place is not meant', () => {
    const { call, printed } = functions();
    call('ModelicaStrings_substring', 'abc', 0, -1);
    expect(printed).toHaveLength(2);
    expect(printed[0]).toContain('not 0');
  });

  it('never cuts a character', () => {
    expect(call('substring', 'a𝄞b', 2, 2)).toBe('𝄞');
  });
});

test('compare', () => {
  const compare = (...args: unknown[]): unknown => call('compare', ...args);
  expect([compare('a', 'b', true), compare('b', 'a', true), compare('a', 'a', true)]).toEqual([1, 3, 2]);
  expect([compare('a', 'A', true), compare('a', 'A', false), compare('', 'a', true)]).toEqual([3, 2, 1]);
  expect([compare('ab', 'a', false), compare('Zebra', 'apple', false)]).toEqual([3, 3]);
});

test('hashes are those that the Modelica Standard Library documents', () => {
  expect(call('hashString', 'this is a test')).toBe(1827717433);
  expect(call('hashString', 'Controller.noise1')).toBe(-1025762750);
  expect(call('hashString', '')).toBe(-1431655766);
  // Of the bytes of UTF-8.
  expect(call('hashString', 'äöü')).toBe(-865501977);
});

test('white space', () => {
  expect([
    call('skipWhiteSpace', ' \t\nx', 1),
    call('skipWhiteSpace', 'x ', 2),
    call('skipWhiteSpace', 'x', 1),
  ]).toEqual([4, 3, 1]);
});

/** The next index and what was found. */
function scan(kind: string, text: string, start: number, ...more: unknown[]): [number, unknown] {
  const [next, found] = [{ value: -1 }, { value: undefined as unknown }];
  call(`scan${kind}`, text, start, ...more, next, found);
  return [next.value, found.value];
}

describe('scanning', () => {
  it.each([
    ['3.5', 1, false, 4, 3.5],
    ['  -2e3 x', 1, false, 7, -2000],
    ['+.5', 1, false, 4, 0.5],
    ['7.', 1, false, 3, 7],
    ['12abc', 1, false, 3, 12],
    ['x 4', 2, false, 4, 4],
    ['1e', 1, false, 1, 0],
    ['.', 1, false, 1, 0],
    ['-', 1, false, 1, 0],
    ['', 1, false, 1, 0],
    ['abc', 1, false, 1, 0],
    ['-1', 1, true, 1, 0],
    ['1', 1, true, 2, 1],
    [`1${'0'.repeat(100)}`, 1, false, 1, 0],
  ])('Real: “%s” from %i, unsigned %s', (text, start, unsigned, next, number) => {
    expect(scan('Real', text, start, unsigned)).toEqual([next, number]);
  });

  it.each([
    ['42', 1, false, 3, 42],
    [' -7,', 1, false, 4, -7],
    ['+3', 1, false, 3, 3],
    ['-3', 1, true, 1, 0],
    ['3.5', 1, false, 1, 0],
    ['3e1', 1, false, 1, 0],
    ['2147483647', 1, false, 11, 2147483647],
    ['2147483648', 1, false, 1, 0],
    ['', 1, false, 1, 0],
  ])('Integer: “%s” from %i, unsigned %s', (text, start, unsigned, next, number) => {
    expect(scan('Integer', text, start, unsigned)).toEqual([next, number]);
  });

  it.each([
    ['  "a b" c', 1, 8, 'a b'],
    ['"say \\"x\\""', 1, 12, 'say \\"x\\"'],
    ['""', 1, 3, ''],
    ['"open', 1, 1, ''],
    ['a', 1, 1, ''],
  ])('String: %s', (text, start, next, found) => {
    expect(scan('String', text, start)).toEqual([next, found]);
  });

  it.each([
    [' x1_a+b', 1, 6, 'x1_a'],
    ['_a', 1, 1, ''],
    ['1a', 1, 1, ''],
    ['ab', 2, 3, 'b'],
  ])('identifier: %s', (text, start, next, found) => {
    expect(scan('Identifier', text, start)).toEqual([next, found]);
  });

  it('begins at the first character at the earliest', () => {
    expect(() => scan('Real', '1', 0, false)).toThrow(/number 1, not 0/);
  });
});
