/** Tables whose plots show everything that a plot can show; their pictures are committed as snapshots. */
import { TableBuilder } from '../../src/results/table/builder.ts';
import type { SignalInfo } from '../../src/results/table/signal.ts';
import type { SignalTable, TableImpulse } from '../../src/results/table/table.ts';
import { constant, missing, signal } from './signals.ts';

type Row = readonly [time: number, ...values: number[]];

function table(
  model: string,
  signals: SignalInfo[],
  segments: readonly (readonly [signature: string, rows: readonly Row[]])[],
  impulses: readonly TableImpulse[] = [],
): SignalTable {
  const builder = new TableBuilder(signals);
  for (const [signature, rows] of segments) {
    builder.beginSegment(signature);
    for (const [time, ...values] of rows) builder.append(time, Float64Array.from(values));
  }
  return builder.finish({ model, impulses });
}

const grid = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);

const state = { role: 'state' } as const;

/** Closed form: between impacts the ball flies on a parabola; each impact keeps 0.7 of the speed. */
export function bouncingBall(): SignalTable {
  const [g, e] = [9.81, 0.7];
  const rows: Row[] = [];
  let start = 0;
  let [h, v] = [1, 0];
  while (start < 2.3) {
    const flight = (v + Math.sqrt(v * v + 2 * g * h)) / g;
    for (const t of grid(0, flight, 40)) rows.push([start + t, h + v * t - (g * t * t) / 2, v - g * t]);
    start += flight;
    v = -e * (v - g * flight);
    h = 0;
  }
  return table(
    'BouncingBall',
    [
      constant('g', g),
      signal('h', undefined, { unit: 'm', description: 'height above the floor', ...state }),
      signal('v', undefined, { unit: 'm/s', description: 'velocity', ...state }),
    ],
    [['', rows]],
  );
}

/** Two inertias: engaged from 2 s to 4 s; afterwards the second one is gone. */
export function clutch(): SignalTable {
  const together = (t: number): number => 4.5 - 0.4 * (t - 2);
  return table(
    'Drive.Clutch',
    [
      signal('inertia1.w', undefined, { unit: 'rad/s', description: 'speed of the motor', ...state }),
      signal('inertia2.w', undefined, { unit: 'rad/s', description: 'speed of the load', ...state }),
      signal('clutch.tau', undefined, { unit: 'N.m', description: 'torque of the clutch' }),
      signal('engaged', undefined, { type: 'Boolean', description: 'clutch is closed' }),
      signal('overloaded', undefined, { type: 'Boolean' }),
    ],
    [
      ['engaged=false', grid(0, 2, 40).map((t): Row => [t, 8 - 0.5 * t, 1 + 0.5 * t, 0, 0, 0])],
      [
        'engaged=true',
        [...grid(2, 3.2, 24).map((t) => [t, 0]), ...grid(3.2, 4, 16).map((t) => [t, 1])].map(
          ([t, over]): Row => [t!, together(t!), together(t!), 12 + 4 * Math.sin(6 * t!), 1, over!],
        ),
      ],
      ['load lost', grid(4, 6, 40).map((t): Row => [t, together(4) + 0.9 * (t - 4), missing, missing, 0, 0])],
    ],
    [{ time: 2, variable: 'clutch.tau', weight: 3.5 }],
  );
}

/** Display units, large numbers, an exponent, quoted and dangerous names. */
export function heater(): SignalTable {
  const rows = grid(0, 7200, 200).map((t): Row => {
    const warm = 1 - Math.exp(-t / 1500);
    return [
      t,
      293.15 + 60 * warm,
      293.15 + 45 * warm * warm,
      101325 + 24000 * warm,
      2.5e-6 * Math.cos(t / 600),
    ];
  });
  return table(
    "Plant.'Heater <b>'",
    [
      signal('wall.T', undefined, {
        unit: 'K',
        displayUnit: 'degC',
        description: 'wall temperature',
        ...state,
      }),
      signal('water.T', undefined, {
        unit: 'K',
        displayUnit: 'degC',
        description: 'temperature of the water, averaged over the whole length of the pipe',
        ...state,
      }),
      signal('p', undefined, { unit: 'Pa', description: 'pressure', role: 'output' }),
      signal("'<script>alert(1)</script>'", undefined, { unit: 'm3/s', role: 'output' }),
    ],
    [['', rows]],
  );
}

/** Twelve curves in one panel: more than colours. */
export function waves(): SignalTable {
  const count = 12;
  const phases = Array.from({ length: count }, (_, i) => i);
  return table(
    'Waves',
    phases.map((i) => signal(`wave[${i + 1}].y`)),
    [['', grid(0, 10, 300).map((t): Row => [t, ...phases.map((i) => Math.sin(t - i / 3) * (1 + i / 8))])]],
  );
}

/** A million points of a fast oscillation whose amplitude is known. */
export function dense(): SignalTable {
  const builder = new TableBuilder([signal('y', undefined, { unit: 'V', ...state })]);
  builder.beginSegment('');
  const values = new Float64Array(1);
  for (let i = 0; i < 1_000_000; i++) {
    const t = i / 1e6;
    values[0] = (i % 2 === 0 ? 1 : -1) * Math.sin(Math.PI * t);
    builder.append(t, values);
  }
  return builder.finish({ model: 'Dense' });
}

/**
 * Closed form: two stages rise together, separate at 40 s, and fall from there on parabolas of their own; the first one is no longer followed
 * after 70 s. Its tank has so many cells as it has fuel for.
 */
export function rocket(): SignalTable {
  const builder = new TableBuilder([
    signal('h', undefined, { unit: 'm', displayUnit: 'km', description: 'height', ...state }),
    signal('v', undefined, { unit: 'm/s', description: 'velocity', ...state }),
    signal('stage1.h', undefined, { unit: 'm', displayUnit: 'km', description: 'height of the first stage' }),
    signal('stage1.v', undefined, { unit: 'm/s', description: 'velocity of the first stage' }),
    signal('m', undefined, { unit: 'kg', description: 'mass', ...state }),
    signal('x', undefined, { unit: 'm', displayUnit: 'km', description: 'way along the ground' }),
    ...[1, 2, 3].map((i) => signal(`p[${i}]`, undefined, { unit: 'Pa', displayUnit: 'bar' })),
  ]);
  const row = (t: number, together: boolean): number[] => {
    const fall = t - 40;
    const rise = together ? 2.5 * t * t : 4000 + 200 * fall + 4 * fall * fall;
    const dropped = 4000 + 200 * fall - 4.9 * fall * fall;
    const mass = together ? 9000 - 120 * t : 2000 - 20 * fall;
    const speed = together ? 5 * t : 200 + 8 * fall;
    return [
      rise,
      speed,
      dropped,
      200 - 9.8 * fall,
      mass,
      2 * t ** 1.9,
      4e5 - 3e3 * t,
      3e5 - 2e3 * t,
      2e5 - 1e3 * t,
    ];
  };
  const segment = (signature: string, from: number, to: number, present: readonly number[]): void => {
    builder.beginSegment(signature, present);
    for (const t of grid(from, to, 80)) builder.append(t, Float64Array.from(row(t, to <= 40)));
  };
  segment('together', 0, 40, [1, 1, 0, 0, 1, 1, 1, 1, 1]);
  segment('separated', 40, 70, [1, 1, 1, 1, 1, 1, 1, 0, 0]);
  segment('alone', 70, 90, [1, 1, 0, 0, 1, 1, 1, 0, 0]);
  return builder.finish({ model: 'Rocket' });
}
