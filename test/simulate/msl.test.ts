/** Examples of the Modelica Standard Library that use clocks, where it is on MODELICAPATH. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { flatten } from '../../src/flat/flatten.ts';
import { simulate } from '../../src/index.ts';
import { instantiate } from '../../src/model/instantiate.ts';
import { type FileSystem, Library } from '../../src/model/library.ts';
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

async function run(name: string) {
  const library = new Library({ files, roots });
  const { root } = instantiate(library, `Modelica.Clocked.Examples.${name}`);
  const { model, diagnostics } = flatten(root!, library);
  expect(diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
  const result = await simulate(model!, { tolerance: 1e-8 });
  expect(result.diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

describe.skipIf(skipped)(`Modelica.Clocked${skipped ? ' (skipped: not on MODELICAPATH)' : ''}`, () => {
  test('the textbook PI controller follows its recursion', async () => {
    const { table } = await run('SimpleControlledDrive.ClockedWithDiscreteTextbookController');
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
    await run(name);
  });
});
