/**
 * The Modelica Standard Library, where it is at hand: MODELICAPATH must name a folder with version 4.1.0. What is
 * expected was read in the sources of the library.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
});
