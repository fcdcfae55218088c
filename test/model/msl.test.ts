/**
 * The Modelica Standard Library, where it is at hand: MODELICAPATH must name a folder with version 4.1.0. What is
 * expected was read in the sources of the library.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import type { FileSystem } from '../../src/model/classes/files.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { at, lines } from './notation.ts';

const files: FileSystem = {
  list: (path) => {
    try {
      return readdirSync(path, { withFileTypes: true }).map((e) => ({
        name: e.name,
        folder: e.isDirectory(),
      }));
    } catch {
      return undefined;
    }
  },
  read: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
};

const roots = (process.env.MODELICAPATH ?? '').split(':').filter((root) => root !== '');
const found = roots.some((root) => files.read(join(root, 'Modelica', 'package.mo')) !== undefined);
const reason = found ? '' : ' (skipped: MODELICAPATH names no folder with Modelica/package.mo)';

describe.skipIf(!found)(`Modelica Standard Library${reason}`, () => {
  const library = new Library({ files, roots });
  const open = (name: string) => {
    const { root, diagnostics } = instantiate(library, name);
    expect(lines(diagnostics)).toEqual([]);
    return root!;
  };

  it('Modelica.Mechanics.Rotational.Examples.First', () => {
    const root = open('Modelica.Mechanics.Rotational.Examples.First');
    expect([...root.members.keys()]).toEqual([
      'amplitude',
      'f',
      'Jmotor',
      'Jload',
      'ratio',
      'damping',
      'fixed',
      'torque',
      'inertia1',
      'idealGear',
      'inertia2',
      'spring',
      'inertia3',
      'damper',
      'sine',
    ]);
    expect(at(root, 'inertia1.flange_a.tau')).toMatchObject({ connection: 'flow', type: 'Real' });
  });

  it('Modelica.Electrical.Analog.Examples.CauerLowPassAnalog', () => {
    const root = open('Modelica.Electrical.Analog.Examples.CauerLowPassAnalog');
    expect(at(root, 'C1.p.v')).toMatchObject({ type: 'Real', variability: 'continuous' });
  });

  it('Modelica.Blocks.Examples.PID_Controller', () => {
    const root = open('Modelica.Blocks.Examples.PID_Controller');
    expect(at(root, 'PI.controllerType')).toMatchObject({ type: 'enumeration', variability: 'parameter' });
    // The derivative part of a PI controller is absent.
    const controller = at(root, 'PI');
    expect(controller.kind === 'object' && [...controller.absent]).toContain('D');
  });

  it('Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum', () => {
    const root = open('Modelica.Mechanics.MultiBody.Examples.Elementary.DoublePendulum');
    const body = at(root, 'boxBody1.body');
    // `outer world` stands for the one inner component.
    expect(body.kind === 'object' && body.outers?.get('world')).toBe(at(root, 'world'));
    expect(at(root, 'revolute1.frame_a.R.T')).toMatchObject({ dims: [3, 3] });
  });

  it('models of version 3.2.3 are converted', async () => {
    const own = new Library({ files, roots });
    const text = `model U
      import SI = Modelica.SIunits;
      parameter SI.Conversions.NonSIunits.Time_minute p = SI.Conversions.to_minute(42);
      Modelica.Blocks.Math.LinearDependency linear(y0 = 10, k1 = 100, k2 = 1000, u1 = 1, u2 = 1);
      Modelica.Blocks.Sources.Sine sine(freqHz = 0.25);
      annotation(uses(Modelica(version = "3.2.3")));
    end U;`;
    loadText(text, 'u.mo', own);
    const { table } = await simulate(loadModel(own, 'U', {}), { stopTime: 1 });
    // 42 s in minutes; y0 (1 + k1 u1 + k2 u2), as version 3.2.3 documents it; a quarter of a period.
    expect(table.value('p', 1)).toBeCloseTo(0.7, 12);
    expect(table.value('linear.y', 1)).toBeCloseTo(11010, 9);
    expect(table.value('sine.y', 1)).toBeCloseTo(1, 9);
  });
});
