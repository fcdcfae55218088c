import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { countScalars } from '../../src/flat/balance.ts';
import { flatten } from '../../src/flat/flatten.ts';
import type { FileSystem } from '../../src/model/classes/files.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';

const roots = (process.env.MODELICAPATH ?? '')
  .split(':')
  .filter((root) => existsSync(`${root}/Modelica/package.mo`));
const skipped = roots.length === 0;

const files: FileSystem = {
  list: (path) =>
    existsSync(path) && statSync(path).isDirectory()
      ? readdirSync(path, { withFileTypes: true }).map((e) => ({ name: e.name, folder: e.isDirectory() }))
      : undefined,
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
};

describe.skipIf(skipped)(
  `Modelica Standard Library${skipped ? ' (skipped: not on MODELICAPATH)' : ''}`,
  () => {
    // Numbers of unknowns as other tools report them for the same models.
    test.each([
      ['Modelica.Mechanics.Rotational.Examples.First', 54],
      ['Modelica.Electrical.Analog.Examples.CauerLowPassAnalog', 69],
      ['Modelica.Blocks.Examples.PID_Controller', 89],
      ['Modelica.Electrical.Analog.Examples.Rectifier', 128],
      ['Modelica.Thermal.HeatTransfer.Examples.TwoMasses', 20],
      ['Modelica.Mechanics.Translational.Examples.Damper', 59],
      ['Modelica.Electrical.Polyphase.Examples.TransformerYY', 281],
      ['Modelica.Media.Examples.WaterIF97', 34],
    ])('%s is flattened and balanced with %i unknowns', (name, expected) => {
      const library = new Library({ files, roots });
      const { root, diagnostics } = instantiate(library, name);
      expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
      const result = flatten(root!, library);
      expect(result.diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
      const { unknowns, equations, mostEquations } = countScalars(result.model!);
      expect(unknowns).toBe(expected);
      expect(unknowns).toBeGreaterThanOrEqual(equations);
      expect(unknowns).toBeLessThanOrEqual(mostEquations);
      expect(result.model!.experiment.stopTime).toBeGreaterThan(0);
    });
  },
);

describe.skipIf(skipped)('units of the Modelica Standard Library', () => {
  const library = new Library({ files, roots });
  const unitWarnings = (name: string): readonly Diagnostic[] => {
    const { root } = instantiate(library, `Modelica.${name}`);
    const { model, diagnostics } = flatten(root!, library);
    expect(model).toBeDefined();
    return diagnostics.filter(({ code }) => code === 'unit-mismatch' || code === 'bad-unit');
  };

  test.each([
    'Blocks.Examples.PID_Controller',
    'Blocks.Examples.Filter',
    'Clocked.Examples.CascadeControlledDrive.SubClocked',
    'Electrical.Analog.Examples.CauerLowPassAnalog',
    'Electrical.Analog.Examples.CompareTransformers',
    'Electrical.Analog.Examples.HeatingMOSInverter',
    'Electrical.Analog.Examples.ShowSaturatingInductor',
    'Electrical.Analog.Examples.OpAmps.Differentiator',
    'Electrical.Machines.Examples.DCMachines.DCPM_Start',
    'Electrical.Machines.Examples.InductionMachines.IMC_DOL',
    'Electrical.PowerConverters.Examples.ACDC.RectifierBridge2Pulse.ThyristorBridge2Pulse_R',
    'Electrical.Spice3.Examples.Inverter',
    'Mechanics.Rotational.Examples.First',
    'Mechanics.Translational.Examples.ElastoGap',
    'Media.Examples.WaterIF97',
    'Thermal.FluidHeatFlow.Examples.PumpAndValve',
    'Thermal.HeatTransfer.Examples.ControlledTemperature',
  ])('nothing is wrong in %s', (name) => {
    expect(unitWarnings(name).map(({ message }) => message)).toEqual([]);
  });

  // Mistakes of the library: a factor in degrees; degrees Celsius given as kelvins; a time where a number of periods is meant.
  test.each([
    ['Clocked.Examples.Systems.EngineThrottleControl', 'g_Pm = sign(P_0 - Pm) * gpratio'],
    ['Electrical.Spice3.Examples.Graetz', 'Diode.diodeRenameParametersDev('],
    ['Electrical.PowerConverters.DCAC.Control.IntersectivePWM', '{startTime - 1.25'],
  ])('one thing is wrong in %s', (name, place) => {
    const found = unitWarnings(name);
    expect(found).toHaveLength(1);
    const { source, start } = found[0]!.span!;
    expect(source.text.startsWith(place, start)).toBe(true);
  });
});
