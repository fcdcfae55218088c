/** What a run works on: `check` and `surveyModes` describe the same equations, and a user's mistake is found in them once. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { check, loadModel, simulate, surveyModes } from '../../src/index.ts';
import { Engine } from '../../src/simulate/run/engine.ts';

const decay = `model M parameter Integer n = 40; Real x[n](each start = 1, each fixed = true);
  equation for i in 1:n loop der(x[i]) = -x[i]; end for; end M;`;

/** z[2] to z[39] need each other; s is a state in one of two modes. */
const coupled = `model M parameter Integer n = 40; Real x[n](each start = 1, each fixed = true); Real z[n];
  Real s(start = 0, fixed = true); Boolean on = time > 0.5;
  equation for i in 1:n loop der(x[i]) = -z[i]; end for; z[1] = x[1] + s; z[n] = x[n];
  for i in 2:n - 1 loop 4*z[i] = z[i - 1] + z[i + 1] + x[i]; end for; if on then s = 2; else der(s) = 1; end if; end M;`;

const names = (name: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, k) => `${name}[${from + k}]`);

describe('arrays that stay arrays are described as such', () => {
  test('one loop, no assignment', () => {
    const flat = loadModel(decay);
    const expected = { states: names('x', 1, 40), index: 0, assignments: 0, loops: 1, systems: [] };
    expect(check(flat)).toMatchObject({ status: 'ok', unknowns: 40, equations: 40, ...expected });
    expect(surveyModes(flat).modes.map(({ structure }) => structure)).toMatchObject([expected]);
  });

  test('a linear system through an array, beside modes', () => {
    const flat = loadModel(coupled);
    const systems = [{ unknowns: names('z', 2, 39), iterated: 38, linear: true }];
    expect(check(flat)).toMatchObject({ states: ['s', ...names('x', 1, 40)], index: 1, systems });
    const { status, modes } = surveyModes(flat);
    expect(status).toBe('ok');
    expect(modes.map(({ signature }) => signature)).toEqual(['not on', 'on']);
    expect(modes.map(({ structure }) => structure!.states.length)).toEqual([41, 40]);
    for (const { structure } of modes) expect(structure).toMatchObject({ index: 1, systems });
    expect(modes[1]!.disappears.states).toEqual(['s']);
  });

  test('with the states and the index that a run has', async () => {
    for (const text of [decay, coupled]) {
      const { modes, statistics } = await simulate(loadModel(text), {});
      const survey = surveyModes(loadModel(text)).modes;
      expect(statistics.states).toEqual(check(loadModel(text)).states);
      expect(modes.map(({ signature, states, index }) => ({ signature, states, index }))).toEqual(
        survey.map(({ signature, structure }) => ({
          signature,
          states: structure!.states,
          index: structure!.index,
        })),
      );
    }
  });

  test('in scalars where a run needs them: what an integral depends on is given', async () => {
    // The derivatives of u are those of a given function: x follows by differentiation, and arrays cannot be differentiated.
    const text = `model M parameter Integer n = 20; Real x[n]; Real u[n](each start = 0, each fixed = true);
      equation for i in 1:n loop der(u[i]) = x[i]; end for; u[1] = sin(time); for i in 2:n loop u[i] = 2*u[i - 1]; end for; end M;`;
    const { statistics } = await simulate(loadModel(text), {});
    expect(check(loadModel(text))).toMatchObject({
      status: 'ok',
      states: statistics.states,
      loops: 0,
      index: 2,
    });
  });
});

describe("a user's mistake in a model with arrays is found once", () => {
  afterEach(() => vi.restoreAllMocks());

  const model = (declarations: string, equations: string): string =>
    `model M parameter Integer n = 100; Real x[n](each start = 1, each fixed = true); ${declarations}
     equation for i in 1:n loop der(x[i]) = -x[i]; end for; ${equations} end M;`;

  test.each([
    ['an assertion', model('', 'assert(false, "never");'), 'assertion', 'At time 0: never'],
    [
      'an assertion about elements',
      model('', 'assert(sum(x) < 50, "much");'),
      'assertion',
      'At time 0: much',
    ],
    [
      'a function that fails',
      `function f input Real u; output Real y; algorithm assert(u < 0, "positive"); y := u; end f;
       ${model('Real s;', 's = f(x[1]);')}`,
      'assertion',
      'positive',
    ],
    [
      'a value without a number',
      model('Real s; parameter Real p = 0;', 's = sqrt(p - 1);'),
      'bad-evaluation',
      'Square root of a negative number in sqrt(p - 1) at time 0.',
    ],
    [
      'a parameter out of bounds',
      model('parameter Real p(min = 0) = -1;', ''),
      'out-of-bounds',
      'The parameter p is -1, below its min = 0.',
    ],
  ])('%s', async (_, text, code, message) => {
    const starts = vi.spyOn(Engine.prototype, 'initialise');
    const { status, diagnostics } = await simulate(loadModel(text), {});
    expect(status).toBe('failed');
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
    expect(diagnostics[0]!.message).toContain(message);
    expect(starts).toHaveBeenCalledTimes(1);
  });

  test('elements without a number are explained by their equation', async () => {
    const text = model('Real y[n];', 'for i in 1:n loop y[i] = 1/(x[i] - 1); end for;');
    const { diagnostics } = await simulate(loadModel(text), {});
    expect(diagnostics.map((d) => d.message)).toEqual(['Division by zero in 1/(x[1] - 1) at time 0.']);
    expect(diagnostics[0]!.span).toBeDefined();
  });

  test('while scalars still help where equations cannot be solved with arrays', async () => {
    const starts = vi.spyOn(Engine.prototype, 'initialise');
    const text = `model M parameter Integer n = 20; parameter Real k[n](each min = 0) = fill(-1, n); Real x[n](each start = 1, each fixed = true);
      equation for i in 1:n loop der(x[i]) = k[i]*x[i]; end for; end M;`;
    const { diagnostics } = await simulate(loadModel(text), {});
    expect(diagnostics[0]!.message).toBe('The parameter k[1] is -1, below its min = 0.');
    expect(starts).toHaveBeenCalledTimes(2);
  });
});
