import { describe, expect, test } from 'vitest';
import { done } from '../simulate/notation.ts';
import { inModel, modelOf, problems } from './notation.ts';

describe('values of parameters that name each other', () => {
  const start = (useT: boolean) =>
    inModel(`parameter Boolean useT = ${useT};
      parameter Real T = if useT then 3 else h/5;
      parameter Real h = if useT then 5*T else 7;
      Real x = T + h;`);

  test('are no circle where a known condition chooses', async () => {
    // T = 3, h = 15; T = 7/5, h = 7.
    expect((await done(start(true))).table.value('x', 0)).toBeCloseTo(18, 12);
    expect((await done(start(false))).table.value('x', 0)).toBeCloseTo(8.4, 12);
  });

  test('the condition then shapes the model', () => {
    const structural = modelOf(start(true)).variables.flatMap(({ name, structural: is }) =>
      is ? [name] : [],
    );
    expect(structural).toContain('useT');
  });

  test.each([
    [
      'parameter Boolean b = true; parameter Real p = if b then q else 1; parameter Real q = if b then p else 2;',
    ],
    ['parameter Real p = if q > 0 then 1 else 2; parameter Real q = p;'],
  ])('are one where none does: %s', (text) => {
    expect(problems(inModel(text))).toEqual([
      expect.stringMatching(/^cyclic-definition .*defined in terms of itself: `[pq]` → `[pq]` → `[pq]`/),
    ]);
  });
});
