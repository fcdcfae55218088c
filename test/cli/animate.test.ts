/** Animations from the command line: what they cannot show is told, and they are written all the same. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, run } from './terminal.ts';

const model = (name: string, elements: string) => `model ${name}
  import Mutabor.Bodies.*;
  World world;
  ${elements}
  annotation(experiment(StopTime = 1));
end ${name};`;

const home = folder({
  'Frame.mo': model('Frame', 'Object3D body(fixed = false, mass = 1, inertia = identity(3));'),
  'Wheel.mo': model(
    'Wheel',
    'Cylinder wheel(mass = 1); Revolute axle(obj1 = "world", obj2 = "wheel", w0 = 300);',
  ),
  // The gondola stays upright; between two of ten rows it goes round more than once.
  'Gondola.mo': model(
    'Gondola',
    `Beam arm(mass = 1, length = 1); Object3D tip(parent = "arm", translation = {0.5, 0, 0});
  Revolute axle(obj1 = "world", obj2 = "arm", w0 = 100);
  Box gondola(mass = 1e-3, lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1);
  Revolute pin(obj1 = "tip", obj2 = "gondola", w0 = -100);`,
  ),
});

const animated = (file: string, ...more: string[]) =>
  run(['simulate', file, '--animation', ...more], { cwd: home });

describe('--animation', () => {
  it('says that nothing has a shape', async () => {
    const { status, err } = await animated('Frame.mo', 'frame.html');
    expect(status).toBe(0);
    expect(err).toContain('No object has a shape');
    expect(err).toContain('[incomplete-animation]');
    expect(readFileSync(join(home, 'frame.html'), 'utf8')).toContain('No object has a shape');
  });

  it('has nothing to say of a wheel that turns fast, however few rows there are', async () => {
    const { status, err } = await animated('Wheel.mo', 'wheel.glb', '--intervals', '5');
    expect([status, err]).toEqual([0, '']);
    expect(existsSync(join(home, 'wheel.glb'))).toBe(true);
  });

  it('says what goes round between two rows, and nothing with more of them', async () => {
    const { status, err } = await animated('Gondola.mo', 'gondola.glb', '--intervals', '10');
    expect(status).toBe(0);
    expect(err).toContain('too far apart to tell how gondola moved');
    expect(err).toContain('intervals');
    expect((await animated('Gondola.mo', 'gondola.glb', '--intervals', '400')).err).toBe('');
  });
});
