/** Systems of equations that are singular at a solution: whether it is alone, and what the user learns where it is not. */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

describe('a system that is singular where it has a solution', () => {
  const undetermined = (diagnostics: readonly { code: string; severity: string; message: string }[]) =>
    diagnostics.flatMap(({ code, severity, message }) =>
      code === 'singular-system' ? [`${severity}: ${message}`] : [],
    );

  test('with others beside it takes the nearest, and says so once', async () => {
    const { table, diagnostics } = await done(
      `model M
        Real x(start = 2), y(start = 5), c;
      equation
        c = if time < 1 then 0 else 1;
        c*(x + y) = 0;
        sin(x) = sin(-y) + c*(x - 1);
      end M;`,
      { stopTime: 2 },
    );
    close(Math.sin(table.value('x', 0.5)) + Math.sin(table.value('y', 0.5)), 0, 1e-6);
    close(table.value('x', 2), 1);
    expect(undetermined(diagnostics)).toEqual([
      'warning: The equations do not determine x, y at time 0. Values near the last ones, or near start values, are taken.',
    ]);
  });

  test('that becomes so in a run', async () => {
    const { diagnostics } = await done(
      `model M
        Real x(start = 2), y(start = 5), c;
      equation
        c = if time < 1 then 1 else 0;
        c*(x + y) = c*4*sin(time);
        sin(x) = 4*sin(-y/2) + c*(x - 1);
      end M;`,
      { stopTime: 2 },
    );
    expect(undetermined(diagnostics)).toEqual([expect.stringContaining('x, y at time 1.')]);
  });

  test('that is a double root is alone, and nothing is said', async () => {
    const { table, diagnostics } = await done(
      `model M
        Real x(start = 2), y(start = 1);
      equation
        (x - y)^2 = 0;
        x^3 + y = 2;
      end M;`,
    );
    close(table.value('x', 1), 1);
    close(table.value('y', 1), 1);
    expect(undetermined(diagnostics)).toEqual([]);
  });

  test.each([3, 4])('with %i unknowns, of which one moves alone', async (power) => {
    const { table, diagnostics } = await done(
      `model M
        Real x(start = 2), y(start = 1), z(start = 7), c;
      equation
        c = if time < 2 then 0 else 1;
        x^${power} + x + y = 3 + c*z;
        y^3 + x = 2 + c*z;
        c*(z - x*y) = c*exp(z);
      end M;`,
    );
    for (const name of ['x', 'y']) close(table.value(name, 1), 1);
    close(table.value('z', 1), 7);
    expect(undetermined(diagnostics)).toEqual([expect.stringContaining('determine z at time 0.')]);
  });
});
