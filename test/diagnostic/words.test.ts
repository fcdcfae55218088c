import { describe, expect, test } from 'vitest';
import { error, hasErrors, warning } from '../../src/diagnostic/diagnostic.ts';
import { Failure } from '../../src/diagnostic/failure.ts';
import { didYouMean, suggestion } from '../../src/diagnostic/nearest.ts';
import { capitalised, counted, listed, lowered } from '../../src/diagnostic/words.ts';

describe('words of messages', () => {
  test('one thing has no plural, none and several have', () => {
    expect([0, 1, 2].map((n) => counted(n, 'state'))).toEqual(['0 states', '1 state', '2 states']);
    expect(counted(2, 'more is', 'more are')).toBe('2 more are');
  });

  test('a list ends where nobody reads on', () => {
    expect(listed(['a', 'b', 'c'], 3)).toBe('a, b, c');
    expect(listed(['a', 'b', 'c'], 1)).toBe('a and 2 more');
    expect(listed([], 3)).toBe('');
  });

  test('sentences begin with a capital, their parts do not', () => {
    expect(capitalised('the model')).toBe('The model');
    expect(lowered('The model')).toBe('the model');
    expect(capitalised('')).toBe('');
  });

  test('what may have been meant is asked where something is near', () => {
    expect(suggestion('lenght', ['width', 'length'])).toBe('Did you mean `length`?');
    expect(suggestion('xyz', ['width'])).toBeUndefined();
    expect(didYouMean('')).toBeUndefined();
  });
});

test('warnings are no errors', () => {
  expect(hasErrors([warning('unsupported', 'w')])).toBe(false);
  expect(hasErrors([warning('unsupported', 'w'), error('unsupported', 'e')])).toBe(true);
  expect(hasErrors([])).toBe(false);
});

test('a failure of one error begins its stack where it was made', () => {
  const failure = Failure.of('translate', 'unsupported', 'No.', { hint: 'Do not.' });
  expect(failure.stage).toBe('translate');
  expect(failure.diagnostics).toEqual([error('unsupported', 'No.', { hint: 'Do not.' })]);
  const frames = failure.stack!.split('\n').filter((line) => line.trimStart().startsWith('at '));
  expect(frames[0]).toContain('words.test.ts');
});
