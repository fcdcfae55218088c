import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { error } from '../../src/diagnostic/diagnostic.ts';
import { Failure } from '../../src/diagnostic/failure.ts';
import { Source } from '../../src/diagnostic/source.ts';

const source = new Source('ball.mo', 'model Ball\n  Reel h;\nend Ball;');

test('a failure that nobody catches is printed with places and hints', () => {
  const span = { source, start: 13, end: 17 };
  const failure = new Failure('flatten', [
    error('unknown-class', 'There is no `Reel`.', { span, hint: 'Did you mean `Real`?' }),
    error('no-model', 'There is no model.'),
  ]);
  expect(failure.message).toBe('There is no `Reel`.\nThere is no model.');
  expect(failure.stack).toContain('ball.mo:2:3: error: There is no `Reel`.');
  expect(failure.stack).toContain('hint: Did you mean `Real`?');
  expect(failure.diagnostics).toHaveLength(2);
});

test('what Node prints of a failure leaves out the texts of models', () => {
  const span = { source, start: 13, end: 17 };
  expect(inspect(new Failure('flatten', [error('unknown-class', 'wrong', { span })]))).not.toContain(
    'end Ball',
  );
});

test('what takes long to find out is found out where somebody asks, and once', () => {
  let asked = 0;
  const failure = new Failure('simulate', () => {
    asked++;
    return [error('assertion', 'too hot')];
  });
  expect(asked).toBe(0);
  expect([failure.message, failure.diagnostics[0]!.code]).toEqual(['too hot', 'assertion']);
  expect(asked).toBe(1);
});
