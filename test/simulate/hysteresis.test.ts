/** Hysteresis: branches that follow the sign of a derivative, behind a stiff circuit. */
import { expect, test } from 'vitest';
import { done } from './notation.ts';

/** A coil whose core rises along one curve and falls along another; eddy currents, and a small inductance that makes it stiff. */
const core = (inductance: number): string => `model Core
  parameter Real L = ${inductance};
  Real i(start = 0, fixed = true), b(start = 0, fixed = true), h(start = 0, fixed = true);
  Real rising, falling;
  Boolean asc(start = true);
equation
  L*der(i) = 3*sin(time + 0.5) - i - der(b);
  der(b) = (i - h)/0.1;
  rising = tanh(h - 0.5);
  falling = tanh(h + 0.5);
  asc = der(h) > 0;
  if asc then
    der(b) = 0.05*der(h) + der(rising);
  else
    der(b) = 0.05*der(h) + der(falling);
  end if;
end Core;`;

/** Without inductance: i = 3 sin(t + 1/2) - der(b), so that der(b) = (3 sin(t + 1/2) - h)/1.1, whose sign chooses the branch. By the classical method of Runge and Kutta. */
function fieldAt(end: number): number {
  const slope = (t: number, h: number): number => {
    const rate = (3 * Math.sin(t + 0.5) - h) / 1.1;
    return rate / (0.05 + 1 / Math.cosh(h + (rate > 0 ? -0.5 : 0.5)) ** 2);
  };
  const n = 200_000;
  const s = end / n;
  let h = 0;
  for (let k = 0; k < n; k++) {
    const t = k * s;
    const k1 = slope(t, h);
    const k2 = slope(t + s / 2, h + (s / 2) * k1);
    const k3 = slope(t + s / 2, h + (s / 2) * k2);
    h += (s / 6) * (k1 + 2 * k2 + 2 * k3 + slope(t + s, h + s * k3));
  }
  return h;
}

test.each([1e-6, 1e-4])('turns once at each peak, tolerance %d', async (tolerance) => {
  const { table, statistics } = await done(core(1e-6), { stopTime: 12, tolerance, audit: false });
  // The field turns where it meets the current, four times.
  expect(statistics.events).toBeLessThanOrEqual(6);
  for (const t of [2, 5, 8, 12])
    expect(Math.abs(table.value('h', t) - fieldAt(t))).toBeLessThan(200 * tolerance);
});
