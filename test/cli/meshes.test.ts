/** Files that models name: where the command looks for them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boxMesh, objText } from '../bodies/notation.ts';
import { folder, run } from './terminal.ts';

/** A cube of 2 kg whose edges have this length. */
const cube = (edge: number) => objText(boxMesh([0, 0, 0], [edge, edge, edge]));
const model = (name: string, file: string, within = '') => `${within}model ${name}
  Mutabor.Bodies.World world(gravity = Mutabor.Bodies.Gravity.none);
  Mutabor.Bodies.Mesh part(file = "${file}", mass = 2);
  Mutabor.Bodies.RevoluteWithFlange joint(obj1 = "world", obj2 = "part", phi(fixed = true), w(fixed = true));
  Mutabor.Rotational.ConstantTorque torque(tau_constant = 1);
equation
  connect(torque.flange, joint.flange);
  annotation(experiment(StopTime = 1));
end ${name};`;

/** Angular acceleration of the cube about one of its edges: 1/(m e^2 2/3). */
const acceleration = (edge: number) => 1 / ((2 * 2 * edge * edge) / 3);

const home = folder({
  'project/models/Beside.mo': model('Beside', 'meshes/one.obj'),
  'project/models/Up.mo': model('Up', '../shapes/two.obj'),
  'project/models/Far.mo': model('Far', '../../outside.obj'),
  'project/models/Missing.mo': model('Missing', 'meshes/On.obj'),
  'project/models/Broken.mo': model('Broken', 'meshes/broken.obj'),
  'project/models/Folder.mo': model('Folder', 'meshes'),
  'project/models/Uri.mo': model('Uri', 'modelica://Lib.Inner/four.obj'),
  'project/models/NoPackage.mo': model('NoPackage', 'modelica://Lob/four.obj'),
  'project/models/Out.mo': model('Out', 'modelica://Lib.Inner/../../../outside.obj'),
  'project/models/Uses.mo':
    'model Uses extends Lib.Inner.Own; annotation(experiment(StopTime = 1)); end Uses;',
  'project/models/meshes/one.obj': cube(1),
  'project/models/meshes/broken.obj': 'v 0 0 0\nw 0 0 1\n',
  'project/shapes/two.obj': cube(2),
  'outside.obj': cube(3),
  'libraries/Lib/package.mo': 'package Lib end Lib;',
  'libraries/Lib/Inner/package.mo': 'within Lib; package Inner end Inner;',
  'libraries/Lib/Inner/Own.mo': model('Own', 'four.obj', 'within Lib.Inner;\n'),
  'libraries/Lib/Inner/four.obj': cube(4),
});
const project = join(home, 'project');

async function accelerationOf(argv: readonly string[], cwd = project, input?: string): Promise<number> {
  const { status, out, err } = await run(['simulate', ...argv, '--variables', 'joint.a'], {
    cwd,
    ...(input !== undefined && { input }),
  });
  expect(err).toBe('');
  expect(status).toBe(0);
  return Number(/joint\.a = (\S+)/.exec(out)![1]);
}

async function refused(argv: readonly string[], cwd = project): Promise<string> {
  const { status, err } = await run(['simulate', ...argv], { cwd });
  expect(status).toBe(1);
  return err;
}

describe('a file that a model names', () => {
  it('is looked for from the folder of the model', async () => {
    expect(await accelerationOf(['models/Beside.mo'])).toBeCloseTo(acceleration(1), 6);
    expect(await accelerationOf([join(project, 'models/Beside.mo')], home)).toBeCloseTo(acceleration(1), 6);
    expect(await accelerationOf(['Beside.mo'], join(project, 'models'))).toBeCloseTo(acceleration(1), 6);
  });

  it('may lie above it, in the folder of the command or of a library', async () => {
    expect(await accelerationOf(['models/Up.mo'])).toBeCloseTo(acceleration(2), 6);
    const shapes = ['Up.mo', '--library', '../shapes'];
    expect(await accelerationOf(shapes, join(project, 'models'))).toBeCloseTo(acceleration(2), 6);
  });

  it('is looked for from the folder of the command where the model is piped', async () => {
    const text = model('Piped', 'models/meshes/one.obj');
    expect(await accelerationOf(['-'], project, text)).toBeCloseTo(acceleration(1), 6);
  });

  it('belongs to the class that declares the object, or to a package', async () => {
    const library = ['--library', '../libraries'];
    expect(await accelerationOf(['models/Uses.mo', ...library])).toBeCloseTo(acceleration(4), 6);
    expect(await accelerationOf(['models/Uri.mo', ...library])).toBeCloseTo(acceleration(4), 6);
  });

  it('is looked for from the folder of the program that makes the model', async () => {
    const modules = join(project, 'programs');
    mkdirSync(modules);
    writeFileSync(join(modules, 'cube.obj'), cube(5));
    const source = new URL('../../src/index.ts', import.meta.url).href;
    writeFileSync(
      join(modules, 'cube.mjs'),
      `import { Class, connect, Model } from ${JSON.stringify(source)};
      export default Model('Cube', {
        world: Class('Mutabor.Bodies.World'),
        part: Class('Mutabor.Bodies.Mesh').with({ file: 'cube.obj', mass: 2 }),
        joint: Class('Mutabor.Bodies.RevoluteWithFlange').with({
          axis: [0, 1, 0], obj1: 'world', obj2: 'part', phi: { fixed: true }, w: { fixed: true },
        }),
        torque: Class('Mutabor.Rotational.ConstantTorque').with({ tau_constant: 1 }),
        connections: connect('torque.flange', 'joint.flange'),
      });`,
    );
    expect(await accelerationOf(['programs/cube.mjs'])).toBeCloseTo(acceleration(5), 6);
  });

  it('is refused where it does not exist, or may not be read', async () => {
    expect(await refused(['models/Missing.mo'])).toContain(
      'models/Missing.mo:3:23: error: `part`: The file `models/meshes/On.obj` does not exist. [file-not-found]',
    );
    expect(await refused(['models/Missing.mo'])).toContain('hint: Did you mean `models/meshes/one.obj`?');
    expect(await refused(['models/Far.mo'])).toContain(
      'error: `part`: `../outside.obj` is outside of the folders that models may read. [file-not-found]',
    );
    expect(await refused(['models/Folder.mo'])).toContain(
      '`part`: `models/meshes` cannot be read. [file-not-found]',
    );
    expect(await refused(['models/NoPackage.mo'])).toContain(
      '`part`: There is no package `Lob`, which `modelica://Lob/four.obj` names. [file-not-found]',
    );
    expect(await refused(['models/Out.mo', '--library', '../libraries'])).toContain(
      '`part`: `modelica://Lib.Inner/../../../outside.obj` leads out of the library. [file-not-found]',
    );
    expect(await refused(['models/Beside.mo', '--set', 'part.file="/etc/passwd"'])).toContain(
      '`part`: `/etc/passwd` is outside of the folders',
    );
  });

  it('is refused with its line where it is broken', async () => {
    expect(await refused(['models/Broken.mo'])).toContain(
      'models/Broken.mo:3:23: error: `part`: `meshes/broken.obj`: line 2: `w` is not a statement of an OBJ file. [bad-mesh]',
    );
  });
});
