/** Conditions without events around assertions. */
import { expect, test } from 'vitest';
import { done, run } from '../simulate/notation.ts';

test('an assertion under such a condition is one of both', async () => {
  const text = (limit: number) => `model M Real w = time; equation
    if noEvent(w > 1) then assert(noEvent(w < ${limit}), "too far"); end if; end M;`;
  expect((await done(text(3), { stopTime: 2 })).status).toBe('done');
  const { diagnostics } = await run(text(1.5), { stopTime: 2 });
  expect(diagnostics.map(({ message }) => message).join()).toContain('too far');
});
