import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { error, Failure } from '../../src/diagnostic/diagnostic.ts';
import { Source } from '../../src/diagnostic/source.ts';

const source = new Source('ball.mo', 'model Ball\n  Reel h;\nend Ball;');

test('the message of a failure has places and hints', () => {
  const span = { source, start: 13, end: 17 };
  const failure = new Failure('flatten', [
    error('unknown-class', 'There is no `Reel`.', { span, hint: 'Did you mean `Real`?' }),
    error('no-model', 'There is no model.'),
  ]);
  expect(failure.message).toBe('ball.mo:2:3: There is no `Reel`. Did you mean `Real`?\nThere is no model.');
  expect(failure.diagnostics).toHaveLength(2);
});

test('what Node prints of a failure leaves out the texts of models', () => {
  const span = { source, start: 13, end: 17 };
  expect(inspect(new Failure('flatten', [error('unknown-class', 'wrong', { span })]))).not.toContain(
    'end Ball',
  );
});
