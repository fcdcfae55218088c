/** Models with bodies at the command line. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, run } from './terminal.ts';

const home = folder({
  // A puck of 1 kg at 2 m/s is welded to one of 3 kg at rest: each gets 0.5 m/s, by an impulse of 1.5 N.s.
  'Catch.mo': `model Catch
  import Mutabor.Bodies.*;
  World world(gravity = Gravity.none);
  Box fast(fixed = false, mass = 1, velocity = {2, 0, 0}, lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1);
  Box slow(fixed = false, mass = 3, lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1);
  Weld grip(obj1 = "fast", obj2 = "slow", active = time > 0.5);
end Catch;`,
  // A pendulum on a trolley.
  'Crane.mo': `model Crane
  import Mutabor.Bodies.*;
  World world;
  Box trolley(mass = 2);
  PrismaticWithFlange drive(obj1 = "world", obj2 = "trolley", axis = {1, 0, 0}, s(fixed = true), v(fixed = true));
  Object3D rope;
  Revolute swing(obj1 = "trolley", obj2 = "rope", phi0 = 0.1);
  Sphere load(parent = "rope", translation = {0, -1, 0}, diameter = 0.2, mass = 1);
end Crane;`,
  // Two inertias that a clutch joins: one impulse with several names.
  'Clutch.mo': `model Clutch
  import Mutabor.Rotational.*;
  Inertia a(J = 1, w(start = 3, fixed = true), phi(start = 0, fixed = true));
  IdealClutch clutch(engaged = time > 0.5);
  Inertia b(J = 2, w(start = 0, fixed = true), phi(start = 0, fixed = true));
equation
  connect(a.flange_b, clutch.flange_a);
  connect(clutch.flange_b, b.flange_a);
end Clutch;`,
});
const mutabor = (line: string) => run(line.split(' '), { cwd: home });
const impulsesIn = (out: string) => out.split('\n').filter((line) => line.startsWith('  impulse'));

describe('impulses', () => {
  it('of a weld are found by names and globs', async () => {
    for (const names of ['grip.*', 'grip.f', 'grip.f[1]', '*.f']) {
      const { status, out, err } = await mutabor(`Catch.mo --variables ${names}`);
      expect([names, status, err]).toEqual([names, 0, '']);
      expect(impulsesIn(out)).toHaveLength(1);
      expect(impulsesIn(out)[0]).toMatch(/^ {2}impulse at 0\.5 s {2}grip\.f\[1\] {2}1\.5/);
    }
    const { status, out } = await mutabor('Catch.mo --variables slow.v[1]');
    expect(status).toBe(0);
    expect(impulsesIn(out)).toEqual([]);
    expect(out).toContain('slow.v[1] = 0.5 m/s');
    expect((await mutabor('Catch.mo --variables grip.g')).status).toBe(2);
  });

  it('of variables that are the same are one line', async () => {
    const { out } = await mutabor('Clutch.mo');
    // 1*3 = (1 + 2)*w: w = 1, and the impulse on b is 2.
    const torques = impulsesIn(out).filter((line) => line.includes('tau'));
    expect(torques).toHaveLength(1);
    expect(torques[0]).toMatch(/ −?2 N\.m\.s \(also /);
    for (const name of ['clutch.tau', 'a.flange_b.tau']) expect(torques[0]).toContain(name);
  });
});

describe('the summary of a mechanism', () => {
  it('shows coordinates of all joints, and of free bodies', async () => {
    const { out } = await mutabor('Crane.mo');
    expect(out).toMatch(/drive\.s .*\n.*drive\.v .*\n.*swing\.phi .*\n.*swing\.w /);
    const { out: free } = await mutabor('Catch.mo');
    expect(free).toContain('fast.r[1]');
    expect(free).not.toContain('grip.active');
  });
});

describe('arrays', () => {
  it('are meant by globs that match their names', async () => {
    const { status, out } = await mutabor('Catch.mo --variables *.r');
    expect(status).toBe(0);
    expect(out).toContain('fast.r[1]');
    expect(out).toContain('slow.r[3]');
    expect(out).not.toContain('fast.v');
  });
});

describe('animations', () => {
  it('of both kinds are written by one run', async () => {
    const { status, out, err } = await mutabor('Crane.mo --animation crane.html --animation crane.glb');
    expect([status, err]).toEqual([0, '']);
    expect(out).toContain('wrote crane.html\n  wrote crane.glb');
    expect(readFileSync(join(home, 'crane.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(readFileSync(join(home, 'crane.glb')).subarray(0, 4).toString()).toBe('glTF');
  });

  it('of a kind that is not known are refused, whatever the others are', async () => {
    const { status, err } = await mutabor('Crane.mo --animation a.html --animation a.mp4');
    expect(status).toBe(2);
    expect(err).toContain('`--animation a.mp4`: the type of the file is not known.');
    expect(existsSync(join(home, 'a.html'))).toBe(false);
  });
});

describe('other commands', () => {
  it('modes says what it does not see', async () => {
    const { out } = await mutabor('modes Catch.mo');
    expect(out).toContain(
      'hidden states of Mutabor.Bodies are not counted, and may change with grip.active\n',
    );
    expect((await mutabor('modes Crane.mo')).out).toContain('Mutabor.Bodies are not counted\n');
    expect((await mutabor('modes Clutch.mo')).out).not.toContain('not counted');
  });

  it('export says that bodies are code', async () => {
    const { status, err } = await mutabor('export Crane.mo');
    expect(status).toBe(1);
    expect(err).toContain(
      'parts of `Mutabor.Bodies` have no equations that other tools could read. [not-exportable]',
    );
    expect(err).not.toContain('Give it');
  });
});
