/** Blocks of the library. */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { close, library, run } from './notation.ts';

/** `[block, [[time, value of y], …]]`; times are on the grid of outputs. */
const sources: [string, [number, number][]][] = [
  ['Constant b(k = 3)', [[1, 3]]],
  [
    'Step b(height = 2, offset = 1, startTime = 0.5)',
    [
      [0.4, 1],
      [0.6, 3],
    ],
  ],
  [
    'Ramp b(height = 4, duration = 0.5, offset = 1, startTime = 0.25)',
    [
      [0.2, 1],
      [0.5, 3],
      [0.8, 5],
    ],
  ],
  [
    'Sine b(amplitude = 2, f = 3, phase = 0.4, offset = 1, startTime = 0.1)',
    [
      [0.08, 1],
      [0.5, 1 + 2 * Math.sin(6 * Math.PI * 0.4 + 0.4)],
    ],
  ],
  [
    'Pulse b(amplitude = 2, width = 0.25, period = 0.4, offset = 1, startTime = 0.1)',
    [
      [0.05, 1],
      [0.15, 3],
      [0.25, 1],
      [0.55, 3],
      [0.65, 1],
      [0.95, 3],
    ],
  ],
  [
    'Clock b(startTime = 0.4)',
    [
      [0.2, 0],
      [1, 0.6],
    ],
  ],
  ['BooleanConstant b(k = true)', [[0.5, 1]]],
  [
    'BooleanStep b(startTime = 0.5, startValue = true)',
    [
      [0.4, 1],
      [0.6, 0],
    ],
  ],
  [
    'BooleanPulse b(width = 0.25, period = 0.4)',
    [
      [0.05, 1],
      [0.15, 0],
      [0.45, 1],
      [0.65, 0],
    ],
  ],
  ['Gain b(k = 3, u = time)', [[0.5, 1.5]]],
  ['Add b(k1 = 2, k2 = -1, u1 = time, u2 = 3)', [[0.5, -2]]],
  ['Feedback b(u1 = 5, u2 = time)', [[0.5, 4.5]]],
  ['Product b(u1 = 5, u2 = time)', [[0.5, 2.5]]],
  [
    'Abs b(u = time - 0.5)',
    [
      [0.2, 0.3],
      [0.9, 0.4],
    ],
  ],
  ['Integrator b(k = 2, y_start = 1, u = time)', [[1, 2]]],
  ['FirstOrder b(k = 2, T = 0.5, y_start = 3, u = 1)', [[1, 2 + Math.exp(-2)]]],
  [
    'SecondOrder b(k = 2, w = 3, D = 1, u = 1)',
    [
      [0, 0],
      [1, 2 - 2 * Math.exp(-3) * (1 + 3)],
    ],
  ],
  ['PI b(k = 2, T = 0.5, u = time)', [[1, 2 * (1 + 1)]]],
  [
    'Limiter b(uMax = 0.5, uMin = 0.2, u = time)',
    [
      [0.1, 0.2],
      [0.4, 0.4],
      [0.9, 0.5],
    ],
  ],
  [
    'Hysteresis b(uLow = 0.25, uHigh = 0.75, u = sin(2*Mutabor.Constants.pi*time))',
    [
      [0.1, 0],
      [0.25, 1],
      [0.44, 1],
      [0.48, 0],
      [0.9, 0],
    ],
  ],
  [
    'GreaterThreshold b(threshold = 0.5, u = time)',
    [
      [0.4, 0],
      [0.6, 1],
    ],
  ],
  [
    'LessThreshold b(threshold = 0.5, u = time)',
    [
      [0.4, 1],
      [0.6, 0],
    ],
  ],
  [
    'Switch b(u1 = 1, u2 = time < 0.5, u3 = 2)',
    [
      [0.4, 1],
      [0.6, 2],
    ],
  ],
  [
    'Not b(u = time < 0.5)',
    [
      [0.4, 0],
      [0.6, 1],
    ],
  ],
  [
    'FlipFlop b(S = time >= 0.2 and time < 0.3, R = time >= 0.6)',
    [
      [0.1, 0],
      [0.25, 1],
      [0.5, 1],
      [0.7, 0],
    ],
  ],
];

test.each(sources)('%s', async (block, values) => {
  const { table } = await run('Blocks', `${block};`, 1);
  for (const [time, value] of values) close(table.value('b.y', time), value);
});

test.each([
  ['And', [0, 0, 0, 1]],
  ['Or', [0, 1, 1, 1]],
  ['Xor', [0, 1, 1, 0]],
])('%s', async (name, table) => {
  const result = await run(
    'Blocks',
    `${name} b(u1 = time >= 2, u2 = time >= 1 and time < 2 or time >= 3);`,
    4,
  );
  expect([0, 1, 2, 3].map((k) => result.table.value('b.y', k + 0.5))).toEqual(table);
});

describe('connected blocks', () => {
  test('a control loop with saturation', async () => {
    const { table } = await run(
      'Blocks',
      `Step set(height = 1);
       Feedback difference;
       PI controller(k = 2, T = 1);
       Limiter limiter(uMax = 1.5);
       FirstOrder plant(T = 1);
     equation
       connect(set.y, difference.u1); connect(plant.y, difference.u2); connect(difference.y, controller.u);
       connect(controller.y, limiter.u); connect(limiter.y, plant.u);`,
      10,
    );
    // At the limit the plant rises as 1.5 (1 - exp(-t)).
    close(table.value('plant.y', 0.2), 1.5 * (1 - Math.exp(-0.2)));
    expect(table.value('plant.y', 10)).toBeCloseTo(1, 3);
  });

  test('a width in per cent is refused', async () => {
    const text = 'model Test Mutabor.Blocks.BooleanPulse b(width = 50); end Test;';
    const { status, diagnostics } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'));
    expect([status, diagnostics[0]?.message, diagnostics[0]?.notes[0]?.message]).toEqual([
      'failed',
      'The parameter b.width is 50, above its max = 1.',
      'it is described as "Width of a pulse, as a share of the period"',
    ]);
  });

  test('pulses are where they belong when a run begins late', async () => {
    const { table } = await run('Blocks', 'Pulse b(period = 0.1, width = 0.5);', 3.5, { startTime: 2.93 });
    expect([2.94, 2.96, 3.02, 3.08, 3.44].map((t) => table.value('b.y', t))).toEqual([1, 0, 1, 0, 1]);
  });
});
