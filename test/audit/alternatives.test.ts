/** Where two modes are consistent, a note says so; where there is one, nothing is said. */
import { describe, expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';

async function notes(text: string, stopTime = 1): Promise<string[]> {
  const { audit, status, diagnostics } = await simulate(loadModel(text), { stopTime, audit: true });
  expect([status, audit?.diagnostics]).toEqual(['done', []]);
  const told = diagnostics.filter(({ code }) => code === 'several-modes');
  expect(told).toEqual(audit?.notes);
  for (const { severity, span } of told) expect([severity, span !== undefined]).toEqual(['info', true]);
  return told.map(({ message }) => message);
}

/** `u > 0` has to be what the branches say. */
const choice = (high: string, low: string): string => `model M
  Real s(start = 0, fixed = true), u(start = 1);
equation
  der(s) = 0.5;
  if u > 0 then u = ${high}; else u = ${low}; end if;
end M;`;

describe('two modes', () => {
  test('branches that both agree with the condition', async () => {
    const [message, ...others] = await notes(choice('2 - s', '-1 - s'));
    expect(message).toMatch(/^Two modes are consistent at time 0: u > 0 is (true|false) with u = /);
    expect(message).toMatch(/u = 2(,|\.$)/);
    expect(message).toMatch(/u = -1(,|\.$)/);
    expect(others).toEqual([]);
  });

  test('a characteristic that falls crosses the line of its load twice', async () => {
    // Low: 0.9 = v + v. High: 0.9 = v + 0.1 v.
    const message = `model M
      Real v, i, E = 0.9 + 0*time;
      Boolean high(start = false);
    equation
      E = v + 2*i;
      high = v > 0.5;
      i = if high then 0.05*v else 0.5*v;
    end M;`;
    expect(await notes(message)).toEqual([
      'Two modes are consistent at time 0: v > 0.5 is false with v = 0.45, and could be true with v = 0.8182.',
    ]);
  });

  test('a condition that holds itself, until it has to', async () => {
    const text = `model M
      Real x(start = 0.5, fixed = true), i;
      Boolean on(start = false);
    equation
      der(x) = 1;
      on = x > 1 or i > 0.3;
      i = if on then 1 else 0;
    end M;`;
    expect(await notes(text)).toEqual([
      'Two modes are consistent at time 0: i > 0.3 is false with i = 0, and could be true with i = 1.',
    ]);
  });

  test('a latch that holds by its own force', async () => {
    const text = `model M
      Real F, x(start = 0, fixed = true), v(start = 1, fixed = true);
      Boolean locked(start = false, fixed = true);
    equation
      der(x) = v;
      der(v) = F + 0.2;
      locked = if pre(locked) then abs(F) < 0.5 else x > 0.3;
      if locked then F = -0.2; else F = 1; end if;
    end M;`;
    const told = await notes(text);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('abs(F) < 0.5 is true with F = -0.2, and could be false with F = 1.');
  });

  test('an ideal diode with a negative resistance', async () => {
    // Blocking: s = -0.2 V. Conducting: -2 s = -0.2.
    const text = `model M
      Real v, i, s(start = -1);
      Boolean off(start = true);
    equation
      off = s < 0;
      v = if off then s else 0;
      i = if off then 0 else s;
      0.5 = v - 2*i + 0.7 + 0*time;
    end M;`;
    expect(await notes(text)).toEqual([
      'Two modes are consistent at time 0: s < 0 is true with s = -0.2, and could be false with s = 0.1.',
    ]);
  });
});

describe('one mode', () => {
  test.each([
    ['branches of which one agrees', choice('2 - s', '1 - s')],
    [
      'an ideal diode with a resistance',
      `model M
        Real v, i, s(start = -1);
        Boolean off(start = true);
      equation
        off = s < 0;
        v = if off then s else 0;
        i = if off then 0 else s;
        sin(10*time) = v + 2*i;
      end M;`,
    ],
    [
      'hysteresis, which remembers',
      `model M
        Real T(start = 15, fixed = true);
        Boolean on(start = true, fixed = true);
      equation
        der(T) = -5*(T - 5) + (if on then 120 else 0);
        on = if pre(on) then T < 22 else T < 20;
      end M;`,
    ],
  ])('%s', async (_, text) => {
    expect(await notes(text)).toEqual([]);
  });
});
