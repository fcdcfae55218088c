/** Examples of the Modelica Standard Library that use clocks or switch circuits, and some as Base Modelica, where it is on MODELICAPATH. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { printBase } from '../../src/flat/print/base.ts';
import { type SimulateOptions, simulate } from '../../src/index.ts';
import { loadModel, type Overrides } from '../../src/load.ts';
import type { FileSystem } from '../../src/model/classes/files.ts';
import { Library } from '../../src/model/library.ts';
import { runOf, sameResults } from '../behaviour/printed.ts';
import { close } from './notation.ts';

const roots = (process.env.MODELICAPATH ?? '')
  .split(':')
  .filter((root) => existsSync(`${root}/Modelica/Clocked/package.mo`));
const skipped = roots.length === 0;

const files: FileSystem = {
  list: (path) =>
    existsSync(path) && statSync(path).isDirectory()
      ? readdirSync(path, { withFileTypes: true }).map((e) => ({ name: e.name, folder: e.isDirectory() }))
      : undefined,
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
};

async function run(name: string, options: SimulateOptions = {}, overrides: Overrides = {}) {
  const model = loadModel(new Library({ files, roots }), `Modelica.${name}`, overrides);
  const result = await simulate(model, { tolerance: 1e-8, ...options });
  expect(result.diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

describe.skipIf(skipped)(`Modelica.Clocked${skipped ? ' (skipped: not on MODELICAPATH)' : ''}`, () => {
  test('the textbook PI controller follows its recursion', async () => {
    const { table } = await run(
      'Clocked.Examples.SimpleControlledDrive.ClockedWithDiscreteTextbookController',
    );
    const [kd, Td] = [table.value('PI.kd', 0), table.value('PI.Td', 0)];
    let x = 0;
    for (let k = 0; k <= 40; k++) {
      const t = k * 0.1;
      const u = table.value('PI.u', t);
      x += u / Td;
      close(table.value('PI.x', t), x, 1e-9);
      close(table.value('hold1.y', t + 0.05), kd * (x + u), 1e-9);
      // The measured speed is that just before the tick.
      close(table.value('sample1.y', t), table.value('load.w', t, 'before'), 1e-9);
    }
  });

  test.each([
    'SimpleControlledDrive.ClockedWithDiscreteController',
    'SimpleControlledDrive.ExactlyClockedWithDiscreteController',
    'CascadeControlledDrive.SubClocked',
    'CascadeControlledDrive.SuperSampled',
    'CascadeControlledDrive.AbsoluteClocks',
    'Elementary.RealSignals.ShiftSample',
    'Elementary.RealSignals.BackSample',
    'Elementary.RealSignals.SuperSampleInterpolated',
    'Elementary.RealSignals.AssignClockToTriggerHold',
    'Elementary.BooleanSignals.TickBasedPulse',
    'Systems.EngineThrottleControl',
  ])('%s runs', async (name) => {
    await run(`Clocked.Examples.${name}`);
  });
});

describe.skipIf(skipped)(
  `Switched circuits of Modelica${skipped ? ' (skipped: not on MODELICAPATH)' : ''}`,
  () => {
    const rectifiers = 'Electrical.PowerConverters.Examples.ACDC';
    /** Mean voltage of six-pulse bridges with 110 V in each phase, that are not controlled. */
    const six = (3 * Math.sqrt(6) * 110) / Math.PI;
    const angle = Math.PI / 6;

    test.each([
      ['RectifierBridge2mPulse.DiodeBridge2mPulse', six],
      ['RectifierBridge2mPulse.ThyristorBridge2mPulse_R', six * Math.cos(angle)],
      ['RectifierBridge2mPulse.ThyristorBridge2mPulse_RL', six * Math.cos(angle)],
      ['RectifierBridge2mPulse.HalfControlledBridge2mPulse', (six * (1 + Math.cos(angle))) / 2],
      ['RectifierBridge2Pulse.ThyristorBridge2Pulse_R', (Math.SQRT2 * 110 * (1 + Math.cos(angle))) / Math.PI],
    ])('%s has its mean voltage', async (name, mean) => {
      const { table } = await run(`${rectifiers}.${name}`);
      // Each value of y is the mean of two or six pulses of a period of 20 ms.
      const values = Array.from({ length: 12 }, (_, k) =>
        table.value('meanVoltage.y', 0.08 + (k + 0.5) / 600),
      );
      // Ten microsiemens of each valve that blocks.
      close(
        values.reduce((sum, y) => sum + y / 12, 0),
        mean,
        1e-3,
      );
    });

    test.each([
      ['RectifierBridge2Pulse.ThyristorBridge2Pulse_R', (Math.SQRT2 * 110 * (1 + Math.cos(angle))) / Math.PI],
      ['RectifierBridge2Pulse.ThyristorBridge2Pulse_RLV', (2 * Math.SQRT2 * 110 * Math.cos(angle)) / Math.PI],
      ['RectifierBridge2mPulse.ThyristorBridge2mPulse_RL', six * Math.cos(angle)],
    ])('%s with ideal valves', async (name, mean) => {
      const ideal = { 'rectifier.RonThyristor': 0, 'rectifier.GoffThyristor': 0 };
      const { table } = await run(`${rectifiers}.${name}`, {}, ideal);
      close(table.value('meanVoltage.y', 0.09), mean);
    });

    // Switching instants from integrals of the equations between events (quadrature and Runge-Kutta of order 8, to 1e-11).
    test.each([
      [
        'Thermal.HeatTransfer.Examples.ControlledTemperature',
        'onOffController.y',
        [0.62642534859, 2.26265005],
      ],
      ['Electrical.Analog.Examples.IdealTriacCircuit', 'idealTriac.idealThyristor.off', [0.1, 0.23630387251]],
    ])('%s switches in time', async (name, signal, instants) => {
      const { table } = await run(name);
      const found = table.time.filter(
        (_, row) => row > 0 && table.at(signal, row) !== table.at(signal, row - 1),
      );
      for (const [k, instant] of instants.entries()) close(found[k]!, instant, 1e-7);
    });

    test('ThyristorBridge2mPulse_DC_Drive runs', async () => {
      await run(`${rectifiers}.RectifierBridge2mPulse.ThyristorBridge2mPulse_DC_Drive`, { stopTime: 0.05 });
    });
  },
);

describe.skipIf(skipped)('Base Modelica has the results of', () => {
  test.each([
    'Electrical.Analog.Examples.CauerLowPassAnalog',
    'Electrical.Analog.Examples.Rectifier',
    'Mechanics.Rotational.Examples.First',
    'Electrical.Digital.Examples.HalfAdder',
    'Mechanics.MultiBody.Examples.Elementary.Pendulum',
  ])(
    '%s',
    async (name) => {
      const load = () => loadModel(new Library({ files, roots }), `Modelica.${name}`);
      await sameResults(load(), await runOf(load()), printBase(load()));
    },
    120_000,
  );
});
