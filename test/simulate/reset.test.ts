/** What `reinit` and the actions of transitions set, where equations tie it to other variables. */
import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

/** Two inertias on a gear of 3: w1 = 3*w2, J1 = 1, J2 = 2. */
const gear = (resets: string, constraint = 'w1 = 3*w2') => `model Gear
    Real w1(start = 3, fixed = true), w2, f1, f2;
  equation
    der(w1) = f1;
    2*der(w2) = f2;
    3*f1 + f2 = 0;
    ${constraint};
    when time >= 0.5 then
      ${resets}
    end when;
  end Gear;`;

const slice = (d: { readonly span?: { source: { text: string }; start: number; end: number } }) =>
  d.span!.source.text.slice(d.span!.start, d.span!.end);

describe('reinit in a mode with constraints', () => {
  test.each([
    ['a state', 'reinit(w1, 6);', 6, 2],
    ['what follows from states', 'reinit(w2, 4);', 12, 4],
    ['both, in agreement', 'reinit(w1, 6); reinit(w2, 2);', 6, 2],
    ['an expression of values before', 'reinit(w1, -2*w1);', -6, -2],
  ])('%s: it has the value, the rest follows, nothing has an impulse', async (_, resets, w1, w2) => {
    const { table, impulses } = await done(gear(resets), { model: 'Gear' });
    close(table.value('w1', 0.5, 'after'), w1, 1e-9);
    close(table.value('w2', 0.5, 'after'), w2, 1e-9);
    close(table.value('w1', 1), w1, 1e-9);
    expect(impulses).toEqual([]);
  });

  test('positions follow, velocities stay', async () => {
    const { table } = await done(
      `model Rods
         Real x1(start = 2, fixed = true), x2, v1(start = 1, fixed = true), v2, f;
       equation
         der(x1) = v1;
         der(x2) = v2;
         der(v1) = f;
         3*der(v2) = -f;
         x1 = x2 + 2;
         when time >= 0.5 then
           reinit(x2, 10);
         end when;
       end Rods;`,
    );
    close(table.value('x1', 0.5, 'after'), 12, 1e-9);
    close(table.value('x2', 1), 10.5, 1e-9);
    close(table.value('v1', 1), 1, 1e-9);
  });

  test('on a circle', async () => {
    const { table } = await done(
      `model Circle
         Real x(start = 4, fixed = true), y(start = -3), vx(start = 0, fixed = true), vy, f;
       equation
         der(x) = vx;
         der(y) = vy;
         der(vx) = -f*x;
         der(vy) = -f*y;
         x^2 + y^2 = 25;
         when time >= 0.5 then
           reinit(x, 3);
         end when;
       end Circle;`,
    );
    close(table.value('x', 0.5, 'after'), 3, 1e-9);
    close(table.value('y', 0.5, 'after'), -4, 1e-9);
  });

  test('at the instant of a change, what is set is the left limit', async () => {
    const { table, impulses } = await done(
      `model Clutch
         Real w1(start = 1, fixed = true), w2(start = 3, fixed = true), f;
       equation
         der(w1) = f;
         2*der(w2) = -f;
         if time >= 0.5 then w1 = w2; else f = 0; end if;
         when time >= 0.5 then
           reinit(w1, 7);
         end when;
       end Clutch;`,
    );
    close(table.value('w1', 1), (7 + 2 * 3) / 3, 1e-9);
    close(impulses.find((i) => i.variable === 'f')!.weight, 13 / 3 - 7, 1e-9);
  });
});

describe('reinit that cannot be', () => {
  test.each([
    ['two that contradict each other', gear('reinit(w1, 6); reinit(w2, 5);'), -9, 'w1 = 3*w2'],
    ['against a constraint on the variable alone', gear('reinit(w1, 6);', 'w1 = 3'), 3, 'w1 = 3'],
  ])('%s', async (_, text, residual, constraint) => {
    const { diagnostics, status } = await run(text, { model: 'Gear' });
    expect(status).toBe('failed');
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('impossible-change');
    expect(problem.message).toContain(`the constraint ${constraint} would be violated by ${residual}`);
    expect(slice(problem)).toMatch(/^reinit/);
    expect(slice(problem.notes[0]!)).toBe(constraint);
  });

  test('of what is no state', async () => {
    const { diagnostics } = await run(gear('reinit(f1, 6);'), { model: 'Gear' });
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.message).toContain('reinit has no effect on f1');
    expect(slice(problem)).toBe('reinit(f1, 6)');
  });
});

describe('actions of transitions', () => {
  const machine = (action: string) => `model Machine
      inner Real x(start = 1, fixed = true), v(start = 0, fixed = true), F, y;
      block Free outer output Real F, y; outer Real x; equation F = 0; y = 2*x; end Free;
      block Held outer output Real F, y; outer Real x; equation x = 1; y = 3*x; end Held;
      Free free;
      Held held;
    equation
      der(x) = v;
      der(v) = F;
      initialState(free);
      transition(free, held, time >= 0.5, actions = {${action}});
    end Machine;`;

  test('that constraints do not allow name the constraint, its residual and the action', async () => {
    const { diagnostics } = await run(machine('reinit(x, 5)'), { model: 'Machine' });
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('impossible-change');
    expect(problem.message).toContain('the constraint x = 1 is violated by 4');
    expect(slice(problem)).toBe('x = 1');
    expect(problem.notes.map((n) => [n.message, slice(n)])).toContainEqual([
      'x is set by the transition',
      'reinit(x, 5)',
    ]);
  });

  test('on what equations determine have no effect', async () => {
    const { diagnostics } = await run(machine('reinit(y, 5)'), { model: 'Machine' });
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.message).toContain('reinit has no effect on y');
    expect(slice(problem)).toBe('reinit(y, 5)');
  });

  test('are left limits: a velocity that the state stops has an impulse', async () => {
    const { table, impulses } = await done(machine('reinit(v, 6)'), { model: 'Machine' });
    close(table.value('v', 1), 0, 1e-9);
    close(impulses.find((i) => i.variable === 'F')!.weight, -6, 1e-9);
  });
});
