/** Stiff systems whose derivatives come from nonlinear equations. */
import { expect, test } from 'vitest';
import { done } from './notation.ts';

test('a derivative that a nonlinear equation gives, and that errors of the state change much, costs no steps', async () => {
  // x follows cos(time) at a distance of der(x)/1e6, and der(x) changes its sign again and again.
  const { table, statistics } = await done(
    `model Follower
      Real x(start = 1, fixed = true), w, u;
    equation
      der(x) = w;
      w*(1 + 0.1*tanh(w)) + 1e-3*u = 1e6*(cos(time) - x);
      u = exp(0.1*w);
    end Follower;`,
    { stopTime: 30, tolerance: 1e-6 },
  );
  for (const t of [6, 18, 30]) expect(Math.abs(table.value('x', t) - Math.cos(t))).toBeLessThan(1e-5);
  expect(statistics.steps).toBeLessThan(2000);
});
