/** Sliding along boundaries where both sides push back, against closed forms (Filippov; catalogue F3). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

const sliding = { sliding: true };
const times = (modes: readonly { from: number }[]) => modes.slice(1).map((m) => m.from);

describe('x falls to zero and stays there', () => {
  test.each([
    ['an expression', 'der(x) = if x > 0 then -1 else 1;', 'x = 0'],
    ['three branches', 'der(x) = if x > 0 then -1 elseif x < 0 then 1 else 0;', 'x = 0'],
    ['a relation the other way round', 'der(x) = if 0 >= x then 1 else -1;', '0 = x'],
    ['an if-equation', 'if x > 0 then der(x) = -1; else der(x) = 1; end if;', 'x = 0'],
    ['a Boolean', 'positive = x > 0; der(x) = if not positive then 1 else -1;', 'x = 0'],
  ])('%s', async (_, equations, surface) => {
    const { table, modes, impulses, statistics } = await done(
      `model F3
         Real x(start = 1, fixed = true);
         Boolean positive${equations.includes('positive') ? '' : ' = true'};
       equation
         ${equations}
       end F3;`,
      { ...sliding, stopTime: 3 },
    );
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['', 1],
      [`sliding along ${surface}`, 0],
    ]);
    close(modes[1]!.from, 1, 1e-9);
    close(table.value('x', 0.5), 0.5, 1e-9);
    expect(Math.abs(table.value('x', 2))).toBeLessThan(1e-15);
    expect(impulses).toEqual([]);
    expect(statistics.events).toBe(1);
  });

  test('without the option this is chattering, and the message tells of it', async () => {
    const { status, diagnostics } = await run(
      'model F3 Real x(start = 1, fixed = true); equation der(x) = if x > 0 then -1 else 1; end F3;',
      { stopTime: 3 },
    );
    expect(status).toBe('failed');
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('zeno');
    expect(problem.message).toContain('both sides of the relation push back');
    expect(problem.hint).toContain('the option `sliding`');
    expect(problem.commandHint).toContain('--sliding');
  });
});

test('a relay on a double integrator: along x1 + x2 = 0 the speed is -x1', async () => {
  const { table, modes } = await done(
    `model Relay
       Real x1(start = 1, fixed = true), x2(start = 0, fixed = true), s, u;
     equation
       s = x1 + x2;
       u = if s > 0 then -2 else 2;
       der(x1) = x2;
       der(x2) = u;
     end Relay;`,
    { ...sliding, stopTime: 3, intervals: 300 },
  );
  // x1 = 1 - t^2 and x2 = -2 t meet at t = sqrt(2) - 1.
  const begin = Math.SQRT2 - 1;
  close(modes[1]!.from, begin, 1e-8);
  const x1 = (t: number) => (1 - begin ** 2) * Math.exp(-(t - begin));
  for (const t of [1, 2, 3]) {
    close(table.value('x1', t), x1(t));
    close(table.value('x2', t), -x1(t));
    // The equivalent control keeps x2' = -x2.
    close(table.value('u', t), x1(t));
  }
});

test('it ends when one side stops pushing back', async () => {
  const { table, modes } = await done(
    `model Exit
       Real x(start = 0, fixed = true), y(start = 0.3, fixed = true);
     equation
       der(x) = 1;
       der(y) = if y > 0 then x - 1 else 1;
     end Exit;`,
    { ...sliding, stopTime: 2 },
  );
  expect(modes.map((m) => m.signature)).toEqual(['', 'sliding along y = 0', '']);
  close(modes[1]!.from, 1 - Math.sqrt(0.4), 1e-8);
  close(modes[2]!.from, 1, 1e-8);
  close(table.value('y', 2), 0.5);
});

test('dry friction as a relay sticks and slips as it should', async () => {
  // Catalogue C17: a mass from rest, driven by sin t against a friction of 0.7.
  const { table, modes } = await done(
    `model Coulomb
       Real x(start = 0, fixed = true), v(start = 0, fixed = true);
     equation
       der(x) = v;
       der(v) = sin(time) - (if v > 0 then 0.7 else -0.7);
     end Coulomb;`,
    { ...sliding, stopTime: 7 },
  );
  const slips = [0.775397497, 3.219805724, 3.91699015, 6.361398378];
  const changes = times(modes.filter((m) => m.from > 0.1 || m.from === 0));
  for (const [k, t] of slips.entries()) close(changes.at(k - 4)!, t);
  close(table.value('x', 3.5), 0.43249394);
  expect(Math.abs(table.value('x', 6.9))).toBeLessThan(1e-6);
});

test('along two surfaces at once', async () => {
  const { table, modes } = await done(
    `model Corner
       Real x(start = 1, fixed = true), y(start = 1, fixed = true), z;
     equation
       der(x) = if x > 0 then -1 else 1;
       der(y) = if y > 0 then -2 else 2;
       z = (if x > 0 then 1 else 0) + (if y > 0 then 10 else 0);
     end Corner;`,
    { ...sliding, stopTime: 2 },
  );
  expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
    ['', 2],
    ['sliding along y = 0', 1],
    ['sliding along x = 0, sliding along y = 0', 0],
  ]);
  close(times(modes)[0]!, 0.5, 1e-9);
  close(times(modes)[1]!, 1, 1e-9);
  // Both sides hold one half of the time.
  close(table.value('z', 0.75), 1 + 5, 1e-9);
  close(table.value('z', 2), 0.5 + 5, 1e-9);
});

test('an input that becomes too strong ends it at once', async () => {
  const { table, modes } = await done(
    `model Pushed
       Real x(start = 1, fixed = true);
     equation
       der(x) = (if x > 0 then -1 else 1) + (if time >= 2 then 3 else 0);
     end Pushed;`,
    { ...sliding, stopTime: 3 },
  );
  expect(modes.map((m) => m.signature)).toEqual(['', 'sliding along x = 0', '']);
  close(times(modes)[1]!, 2, 1e-12);
  close(table.value('x', 3), 2);
});

test('a boundary that is crossed is no reason to slide', async () => {
  const { table, modes } = await done(
    `model Crossing
       Real x(start = 1, fixed = true);
     equation
       der(x) = if x > 0 then -1 else -3;
     end Crossing;`,
    { ...sliding, stopTime: 2 },
  );
  expect(modes).toHaveLength(1);
  close(table.value('x', 2), -3);
});

test('inside a state it ends with the state', async () => {
  const { table, modes } = await done(
    `model Machine
       block Slider Real x(start = 1, fixed = true); equation der(x) = if x > 0 then -4 else 4; end Slider;
       block Rest end Rest;
       Slider slider;
       Rest rest;
     equation
       initialState(slider);
       transition(slider, rest, time >= 0.5 and time < 0.6);
       transition(rest, slider, time >= 0.75);
     end Machine;`,
    { model: 'Machine', ...sliding, stopTime: 1.1, intervals: 22 },
  );
  expect(modes.map((m) => m.signature)).toEqual([
    'slider',
    'slider, sliding along slider.x = 0',
    'rest',
    'slider',
    'slider, sliding along slider.x = 0',
  ]);
  close(table.value('slider.x', 0.9), 0.4, 1e-8);
});

describe('levels that become equal in finite time', () => {
  // With q = k*sqrt(d), the root of the difference d falls at the rate k/2*(1/A1 + 1/A2).
  const law = fc.tuple(
    fc.double({ min: 0.5, max: 3, noNaN: true }),
    fc.double({ min: 0.5, max: 3, noNaN: true }),
    fc.double({ min: 0.3, max: 2, noNaN: true }),
    fc.double({ min: 0.2, max: 2, noNaN: true }),
  );

  test('slide along where both sides come to the same', async () => {
    await fc.assert(
      fc.asyncProperty(law, async ([A1, A2, difference, k]) => {
        const end = (2 * Math.sqrt(difference)) / (k * (1 / A1 + 1 / A2));
        const { table } = await done(
          `model Tanks
             Real a(start = ${1 + difference}, fixed = true), b(start = 1, fixed = true), q, d = a - b;
           equation
             q = (if d >= 0 then 1 else -1)*${k}*sqrt(abs(d));
             ${A1}*der(a) = -q;
             ${A2}*der(b) = q;
           end Tanks;`,
          { sliding: true, stopTime: 2 * end, tolerance: 1e-7 },
        );
        const level = (A1 * (1 + difference) + A2) / (A1 + A2);
        for (const name of ['a', 'b'])
          expect(Math.abs(table.value(name, 2 * end) - level)).toBeLessThan(1e-5);
        const root = Math.sqrt(difference) * 0.5;
        expect(Math.abs(table.value('d', end / 2) - root * root)).toBeLessThan(1e-4);
      }),
      { numRuns: 15 },
    );
  });

  test.each(['auto', 'rk'] as const)('rest where a branch says so (%s)', async (method) => {
    const { table } = await done(
      `model EqualLevels
         Real a(start = 1, fixed = true), b(start = 0, fixed = true), q;
       equation
         q = if a > b then sqrt(a - b) elseif a < b then -sqrt(b - a) else 0;
         der(a) = -q;
         der(b) = q;
       end EqualLevels;`,
      { stopTime: 3, tolerance: 1e-6, method },
    );
    expect(Math.abs(table.value('a', 0.6) - 0.58)).toBeLessThan(1e-5);
    for (const name of ['a', 'b']) expect(Math.abs(table.value(name, 3) - 0.5)).toBeLessThan(1e-5);
    expect(table.value('q', 3)).toBe(0);
  });
});
