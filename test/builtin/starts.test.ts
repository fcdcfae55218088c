/** Initial values of hidden states, given by a merge, by overrides and by `--set` alike. */
import { describe, expect, test } from 'vitest';
import {
  type BuiltIn,
  type Failure,
  instantiate,
  loadModel,
  type Merge,
  renderDiagnostic,
  simulate,
} from '../../src/index.ts';

/** h' = v, v' = -g; and three decays. */
const ball: BuiltIn = {
  name: 'ball',
  outputs: { y: [] },
  allocate: (instance) => ({ g: instance.number('g') }),
  begin: (_, segment) => {
    segment.state('h', { start: 1 });
    segment.state('v', { start: 0 });
    segment.state('T', { start: [1, 2, 3] });
    segment.state('m', { start: 1, size: [2, 2] });
  },
  stateOutputs: (_, { x, y }) => {
    y[0] = x[0]!;
  },
  derivatives: (memory, { x, dx }) => {
    dx[0] = x[1]!;
    dx[1] = -(memory as { g: number }).g;
    for (let k = 2; k < 9; k++) dx[k] = -x[k]!;
  },
};
const text = `package P
  model Ball parameter Real g = 10; Real y; annotation(__Mutabor(builtIn = "ball")); end Ball;
  model Two parameter Real up = 4; Ball ball, many[2]; end Two;
end P;`;
const builtIns = [ball];
const shared = instantiate(text, { builtIns });
const e = Math.exp(-1);

describe('values', () => {
  test.each<[Record<string, string>, Merge, Record<string, number>]>([
    [{}, {}, { 'ball.h': -4, 'ball.T[2]': 2 * e }],
    [{ 'ball.h.start': '5' }, { ball: { h: { start: 5 } } }, { 'ball.h': 0, 'ball.y': 0, 'many[1].h': -4 }],
    [{ 'ball.v.init': '2*up' }, { 'ball.v.init': 8 }, { 'ball.h': 4 }],
    [{ 'ball.T.start': '7' }, { ball: { T: { start: 7 } } }, { 'ball.T[1]': 7 * e, 'ball.T[3]': 7 * e }],
    [
      { 'ball.T.start': '{4, 5, 6}' },
      { ball: { T: { start: [4, 5, 6] } } },
      { 'ball.T[1]': 4 * e, 'ball.T[3]': 6 * e },
    ],
    [{ 'ball.T[2].start': '9' }, { 'ball.T[2].start': 9 }, { 'ball.T[1]': e, 'ball.T[2]': 9 * e }],
    [{ 'ball.m[2, 1].start': '9' }, { 'ball.m[2, 1].start': 9 }, { 'ball.m[1,2]': e, 'ball.m[2,1]': 9 * e }],
    [
      { 'many.h.start': '5' },
      { many: { h: { start: 5 } } },
      { 'many[1].h': 0, 'many[2].h': 0, 'ball.h': -4 },
    ],
    [{ 'many[2].h.start': '5' }, { 'many[2].h.start': 5 }, { 'many[1].h': -4, 'many[2].h': 0 }],
    [{ 'many.h.start': '{5, 6}' }, { many: { h: { start: [5, 6] } } }, { 'many[1].h': 0, 'many[2].h': 1 }],
  ])('%j', async (overrides, merge, expected) => {
    const before = shared.lastResult;
    const runs = [
      await shared.simulate({ merge, tolerance: 1e-9 }),
      await simulate(loadModel(text, undefined, overrides, { builtIns }), { tolerance: 1e-9 }),
    ];
    for (const { status, table, diagnostics } of runs) {
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(status).toBe('done');
      for (const [name, value] of Object.entries(expected))
        expect(table.value(name, 1)).toBeCloseTo(value, 7);
    }
    // Code is the same whatever the states begin with.
    if (before)
      expect([runs[0]!.statistics.translations, runs[0]!.diagnostics.map((d) => d.message)]).toEqual([0, []]);
  });
});

describe('what cannot be given', () => {
  const said = async (overrides: Record<string, string>): Promise<string> => {
    try {
      const { status, diagnostics } = await simulate(loadModel(text, undefined, overrides, { builtIns }));
      expect(status).toBe('failed');
      return diagnostics.map((problem) => renderDiagnostic(problem)).join('\n');
    } catch (problem) {
      return (problem as Failure).diagnostics.map((one) => renderDiagnostic(one)).join('\n');
    }
  };
  const at = (name: string, value: string, message: string, hint?: string): string =>
    [
      `${name}:1:1: error: ${message}`,
      `  1 | ${value}`,
      `    | ${'^'.repeat(value.length)}`,
      ...(hint ? [`  hint: ${hint}`] : []),
    ].join('\n');

  test.each<[Record<string, string>, string]>([
    [
      { 'ball.height.start': '5' },
      at(
        'ball.height.start',
        '5',
        'The built-in component `ball` has no state `height`. [unknown-modifier]',
        'Its states are h, v, T, m.',
      ),
    ],
    [
      { 'ball.t.start': '5' },
      at(
        'ball.t.start',
        '5',
        'The built-in component `ball` has no state `t`. [unknown-modifier]',
        'Did you mean `T`?',
      ),
    ],
    [
      { 'ball.T.start': '{1, 2}' },
      at(
        'ball.T.start',
        '{1, 2}',
        'The hidden state `ball.T` has sizes [3], but an initial value is given for 2 elements. [dimension-mismatch]',
      ),
    ],
    [
      { 'ball.T[4].start': '1' },
      at(
        'ball.T[4].start',
        '1',
        'The hidden state `ball.T` has sizes [3], but an initial value is given for its element [4]. [dimension-mismatch]',
      ),
    ],
    [
      { 'ball.h[1].start': '1' },
      at(
        'ball.h[1].start',
        '1',
        'The hidden state `ball.h` is a scalar, but an initial value is given for its element [1]. [dimension-mismatch]',
      ),
    ],
    [
      { 'ball.h.start': 'true' },
      [
        'ball.h.start:1:1: error: `ball.h.start` must be a number, or a list of numbers, that is known before the run. [type-mismatch]',
        '  1 | true',
        '    | ^^^^',
      ].join('\n'),
    ],
    [
      { 'ball.h': '5' },
      [
        'ball.h:1:1: error: `P.Ball` has no element `h` to modify. [unknown-modifier]',
        '  1 | 5',
        '    | ^',
        '  hint: The initial value of a hidden state is `h.start`.',
      ].join('\n'),
    ],
  ])('%j', async (overrides, expected) => {
    expect(await said(overrides)).toBe(expected);
  });

  test('in a merge, and the next run is not disturbed', async () => {
    const { status, diagnostics } = await shared.simulate({ merge: { ball: { hh: { start: 5 } } } });
    expect([status, diagnostics.map(({ code }) => code)]).toEqual(['failed', ['unknown-modifier']]);
    expect((await shared.simulate({ tolerance: 1e-9 })).table.value('ball.h', 1)).toBeCloseTo(-4, 7);
  });
});
