/** The examples that are built from the library, and those with results that follow from laws. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, type SimulationResult, simulate } from '../../src/index.ts';
import { close, impulse, instants, library, states } from './notation.ts';

async function example(name: string, model = name): Promise<SimulationResult> {
  const text = readFileSync(new URL(`../../examples/${name}.mo`, import.meta.url), 'utf8');
  const result = await simulate(loadModel(loadText(text, `${name}.mo`, library()), model), { audit: true });
  expect(result.diagnostics).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

test('both styles of the hybrid automaton give the same', async () => {
  const [shared, merged] = [await example('HybridAutomaton'), await example('MergedAutomaton')];
  expect(merged.table.rowCount).toBe(shared.table.rowCount);
  for (let row = 0; row < shared.table.rowCount; row++)
    close(merged.table.at('x', row), shared.table.at('x', row));
});

test('a rod keeps its heat when its resolution changes, and ends with a linear profile', async () => {
  const { table, modes } = await example('RefinedRod', 'RefinedRod.Heated');
  expect(modes.map((mode) => mode.states.length)).toEqual([4, 8, 4]);
  for (const t of [10, 50]) close(table.value('energy', t), table.value('energy', t, 'before'), 1e-12);
  // Cell means of the straight line from 373 K to 293 K; after 150 s a rest of exp(-140*pi^2/200) remains.
  for (const i of [1, 2, 3, 4])
    expect(Math.abs(table.value(`T[${i}]`, 150) - (373 - 80 * ((i - 0.5) / 4)))).toBeLessThan(
      80 * Math.exp(-5),
    );
});

test('a bridge: diodes never carry a current backwards nor a voltage forwards', async () => {
  const { table } = await example('RectifierBridge');
  for (let row = 0; row < table.rowCount; row++) {
    for (const d of ['d1', 'd2', 'd3', 'd4']) {
      expect(table.at(`${d}.i`, row)).toBeGreaterThan(-1e-6);
      expect(table.at(`${d}.v`, row)).toBeLessThan(1e-6);
      expect(Math.abs(table.at(`${d}.v`, row) * table.at(`${d}.i`, row))).toBeLessThan(1e-9);
    }
  }
});

test('a buck converter: between its events voltage and current are those of a damped oscillation', async () => {
  const result = await example('BuckConverter');
  expect(result.impulses).toEqual([]);
  expect(result.statistics.modesCompiled).toBe(3);
  const [C, R, period] = [1e-5, 5, 2e-5];
  /** After some time with the voltage u before the inductor: v'' + v'/(R C) + v/(L C) = u/(L C), rate and frequency 1e4 and 3e4. */
  const flow = (u: number, [v, i]: readonly [number, number], t: number): [number, number] => {
    const [decay, sin, cos] = [Math.exp(-1e4 * t), Math.sin(3e4 * t), Math.cos(3e4 * t)];
    const a = v - u;
    const b = ((i - v / R) / C + 1e4 * a) / 3e4;
    const slope = decay * ((3e4 * b - 1e4 * a) * cos - (3e4 * a + 1e4 * b) * sin);
    const voltage = u + decay * (a * cos + b * sin);
    return [voltage, C * slope + voltage / R];
  };
  let state: [number, number] = [0, 0];
  const agree = (t: number): void => {
    close(result.table.value('capacitor.v', t), state[0], 1e-5);
    expect(Math.abs(result.table.value('inductor.i', t) - state[1])).toBeLessThan(1e-5);
  };
  for (let n = 0; n < 25; n++) {
    const [open, next] = [(n + 5 / 12) * period, (n + 1) * period];
    state = flow(12, state, open - n * period);
    agree(open);
    state = flow(0, state, next - open);
    // The diode conducts until the switch closes again.
    expect(state[1]).toBeGreaterThan(0);
    agree(next);
  }
});

test('a lamp behind a thyristor: the current ends where its parts cancel', async () => {
  const result = await example('PhaseControl');
  const [w, R, L, a] = [2 * Math.PI * 50, 100, 0.1, 0.004];
  const particular = (t: number) =>
    (325 * (R * Math.sin(w * t) - w * L * Math.cos(w * t))) / (R * R + w * w * L * L);
  const current = (t: number) => particular(t) - particular(a) * Math.exp((-R / L) * (t - a));
  const times = instants(result);
  for (const [k, t] of [times[1]!, times[3]! - 0.02, times[5]! - 0.04].entries()) {
    close(times[2 * k]!, 0.02 * k + a);
    expect(Math.abs(current(t))).toBeLessThan(1e-5);
  }
  expect(states(result)).toEqual([0, 1, 0, 1, 0, 1, 0]);
});

test('a drive train: momentum through a gear', async () => {
  const result = await example('DriveTrain');
  const car = 10 * Math.exp(-0.2 / 6);
  const motor = (0.5 * 220 + (6 / 2) * car) / (0.5 + 6 / 4);
  close(result.table.value('motor.w', 1), motor);
  close(result.table.value('car.w', 1), motor / 2);
  close(impulse(result, 'clutch.tau', 1), 0.5 * (motor - 220));
  // Behind the freewheel the car rolls against the drag alone.
  close(result.table.value('car.w', 7), result.table.value('car.w', 4) * Math.exp((-0.2 / 6) * 3));
});

test('stick and slip repeats itself', async () => {
  const times = instants(await example('StickSlip'));
  for (let k = 2; k < times.length; k++) close(times[k]! - times[k - 2]!, 1 + 3 * (Math.PI / 4));
});

test('impacts in a row', async () => {
  const result = await example('Cradle');
  const v = (t: number) => ['a', 'b', 'c'].map((body) => result.table.value(`${body}.v`, t));
  const expected: [number, number[]][] = [
    [0.8, [0, 2, 0]],
    [1.5, [0, -0.4, 1.2]],
    [2.5, [0, -0.4, 0]],
    [4, [-0.4, 0, 0]],
  ];
  for (const [t, speeds] of expected) for (const [k, speed] of speeds.entries()) close(v(t)[k]!, speed);
  close(impulse(result, 'cw.f', 1 + 1 / 1.2), -2.4);
});

describe('tanks', () => {
  test('what flows in is there, flows out or runs over', async () => {
    const result = await example('Tanks');
    const { table } = result;
    const g = 9.80665;
    // 500 h' = 6 - 4e-4*1000 g h up to 0.8 m
    const [rate, steady] = [(0.4 * g) / 500, 6 / (0.4 * g)];
    const full = Math.log((0.1 - steady) / (0.8 - steady)) / rate;
    close(instants(result)[0]!, full);
    close(table.value('upper.overflow', 120), 6 - 0.4 * g * 0.8);
    close(table.value('upper.h', 306), 0.8 * Math.exp(-rate * 156));
    expect(result.modes.at(-1)!.signature).toContain(' lower.dry');
    close(-table.value('lower.outlet.m_flow', 900), table.value('lower.inlet.m_flow', 900));
  });
});

test('a house: the ice melts with its heat of fusion', async () => {
  const { table, modes } = await example('House');
  const melting = modes.find((mode) => mode.signature === 'ice.melting')!;
  let heat = 0;
  for (let row = 1; row < table.rowCount; row++) {
    if (table.time[row - 1]! < melting.from || table.time[row]! > melting.to) continue;
    const mean = (table.at('bucket.Q_flow', row) + table.at('bucket.Q_flow', row - 1)) / 2;
    heat += mean * (table.time[row]! - table.time[row - 1]!);
  }
  close(heat, 5 * 334e3, 1e-3);
  for (const t of [1800, 3600, 7200]) close(table.value('ice.T', t), 273.15);
  for (let row = 0; row < table.rowCount; row++) expect(table.at('room.T', row)).toBeLessThan(294.01);
});
