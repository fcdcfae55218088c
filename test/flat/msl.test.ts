import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countScalars } from '../../src/flat/balance.ts';
import { flatten } from '../../src/flat/flatten.ts';
import { instantiate } from '../../src/model/instantiate.ts';
import { type FileSystem, Library } from '../../src/model/library.ts';

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
    test.each([
      ['Modelica.Mechanics.Rotational.Examples.First'],
      ['Modelica.Electrical.Analog.Examples.CauerLowPassAnalog'],
      ['Modelica.Blocks.Examples.PID_Controller'],
      ['Modelica.Electrical.Analog.Examples.Rectifier'],
      ['Modelica.Thermal.HeatTransfer.Examples.TwoMasses'],
      ['Modelica.Mechanics.Translational.Examples.Oscillator'],
    ])('%s is flattened and balanced', (name) => {
      const library = new Library({ files, roots });
      const { root, diagnostics } = instantiate(library, name);
      expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
      const result = flatten(root!, library);
      expect(result.diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
      const { unknowns, equations, mostEquations } = countScalars(result.model!);
      expect(unknowns).toBeGreaterThanOrEqual(equations);
      expect(unknowns).toBeLessThanOrEqual(mostEquations);
      expect(result.model!.experiment.stopTime).toBeGreaterThan(0);
    });
  },
);
