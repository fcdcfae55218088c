/** Solutions that end: an amplifier with positive feedback tips over where its present output is possible no more. */
import { expect, test } from 'vitest';
import { close, done } from './notation.ts';

const trigger = (input: string, declarations = '') => `model Trigger
    ${declarations}
    Real u = ${input};
    Real difference(start = 1), v(start = 15);
  equation
    difference = v/15 - u;
    v = noEvent(if 1e4*difference > 15 then 15 elseif 1e4*difference < -15 then -15 else 1e4*difference);
    annotation(experiment(StopTime = 1));
  end Trigger;`;

test('a trigger without states', async () => {
  const { table } = await done(trigger('2*sin(6.283185307179586*time)'));
  // u passes 1 at a twelfth, and -1 at seven twelfths.
  for (const [time, v] of [
    [0.01, 15],
    [0.08, 15],
    [0.09, -15],
    [0.3, -15],
    [0.5, -15],
    [0.58, -15],
    [0.59, 15],
    [0.99, 15],
  ] as const)
    expect(table.value('v', time), `at ${time}`).toBe(v);
});

test('a multivibrator', async () => {
  const { table } = await done(
    trigger('c', 'Real c(start = 0, fixed = true) = u;')
      .replace('Real u = c;', 'Real u;')
      .replace('difference = v', 'der(u) = v - 5*u;\n    difference = v'),
  );
  // c rises as 3 (1 - exp(-5 t)) until the output can be 15 no more, then falls towards -3 as far on the other side.
  const tip = 1 - 15 / 1e4;
  const first = Math.log(3 / (3 - tip)) / 5;
  const half = Math.log((3 + tip) / (3 - tip)) / 5;
  close(table.value('c', first / 2), 3 * (1 - Math.exp((-5 * first) / 2)), 1e-4);
  const t = first + half / 2;
  close(table.value('c', t), -3 + (3 + tip) * Math.exp(-5 * (t - first)), 1e-3);
  const later = first + 1.5 * half;
  close(table.value('c', later), 3 - (3 + tip) * Math.exp(-5 * (later - first - half)), 1e-3);
});
