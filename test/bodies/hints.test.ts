/** What a beginner writes, and the hints that lead on. */
import { describe, expect, test } from 'vitest';
import { type Diagnostic, Failure, loadModel, loadText, simulate } from '../../src/index.ts';
import { library } from '../models/notation.ts';

/** Errors of a model of these elements, found when it is loaded or when it runs. */
async function errorsOf(elements: readonly string[]): Promise<readonly Diagnostic[]> {
  const text = ['model Test', 'import Mutabor.Bodies.*;', 'World world;', ...elements, 'end Test;'].join(
    '\n',
  );
  try {
    const { diagnostics } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'));
    return diagnostics.filter(({ severity }) => severity === 'error');
  } catch (problem) {
    if (problem instanceof Failure) return problem.diagnostics;
    throw problem;
  }
}

const beam = 'Beam beam(length = 0.4, mass = 1);';

const mistakes: readonly [title: string, elements: readonly string[], message: RegExp, hint: RegExp][] = [
  [
    'an object without quotes',
    [beam, 'Revolute joint(obj1 = world, obj2 = "beam");'],
    /^`world` is a component, not a value\.$/,
    /^If it is to be named, write "world"\.$/,
  ],
  [
    'an object without quotes in an expression',
    [beam, 'Object3D part[2](each parent = beam);', 'Revolute joint(obj1 = "world", obj2 = "beam");'],
    /^`beam` is a component, not a value\.$/,
    /^If it is to be named, write "beam"\.$/,
  ],
  [
    'a component where a number should be',
    [beam, 'Revolute joint(obj1 = "world", obj2 = "beam", phi0 = beam);'],
    /^`beam` is a component, not a value\.$/,
    /^Name one of its variables\.$/,
  ],
  [
    'the lock of a joint with a flange',
    [beam, 'RevoluteWithFlange joint(obj1 = "world", obj2 = "beam", locked = time > 1);'],
    /^`Mutabor\.Bodies\.RevoluteWithFlange` has no element `locked` to modify\.$/,
    /`Mutabor\.Rotational\.Brake` or an `IdealClutch`, or make a `Weld`/,
  ],
  [
    'the lock of a slider with a flange, in a class that extends it',
    [
      'model Rail extends PrismaticWithFlange; end Rail;',
      beam,
      'Rail joint(obj1 = "world", obj2 = "beam", locked = time > 1);',
    ],
    /has no element `locked` to modify\.$/,
    /make a `Weld` between its objects active/,
  ],
  [
    'a point mass that is free to turn',
    ['Object3D point(mass = 1, fixed = false);'],
    /^Nothing resists the free motion of the body `point`: what it moves has a mass, but no inertia against turning\.$/,
    /^Give an `inertia` to an object behind it, or use a shape/,
  ],
  [
    'a point mass in its joint',
    ['Object3D point(mass = 1);', 'Spherical joint(obj1 = "world", obj2 = "point");'],
    /^Nothing resists the motion of the joint `joint`: what it moves has a mass, but no inertia against turning\.$/,
    /`inertia`/,
  ],
  [
    'two joints about one axis with no mass between them',
    [
      beam,
      'Object3D between;',
      'Revolute joint(obj1 = "world", obj2 = "between");',
      'Revolute other(obj1 = "between", obj2 = "beam");',
    ],
    /^Nothing resists the motion of the joint `joint`: what it moves has inertia, but other joints can take up this motion\.$/,
    /^Of joints that move in the same way, .* one is too many/,
  ],
  [
    'a universal joint with slanting axes that closes a loop',
    [
      beam,
      'Revolute joint(obj1 = "world", obj2 = "beam", axis = {1, 0, 0}, w0 = 1);',
      'Universal other(obj1 = "world", obj2 = "beam", axis2 = {1, 1, 0});',
    ],
    /^`other` closes a loop, but its axes are not perpendicular\.$/,
    /two `Revolute` joints/,
  ],
  [
    'a joint that moves no mass',
    ['Object3D frame;', 'Revolute joint(obj1 = "world", obj2 = "frame");'],
    /^Nothing resists the motion of the joint `joint`: what it moves has no mass\.$/,
    /^Give a mass, a density or a material/,
  ],
  [
    'degrees by another unit',
    [beam, 'RevoluteWithFlange joint(obj1 = "world", obj2 = "beam", phi(start = 30, unit = "deg"));'],
    /declared final/,
    /multiply degrees by `Mutabor\.Constants\.pi\/180`/,
  ],
  [
    'a constant of the standard library',
    [beam, 'Revolute joint(obj1 = "world", obj2 = "beam", phi0 = Modelica.Constants.pi/4);'],
    /^There is no `Modelica` in Test\.$/,
    /^There is `Mutabor\.Constants\.pi`\. No library with a package `Modelica` is loaded/,
  ],
  [
    'a constant that only the standard library has',
    [beam, 'Revolute joint(obj1 = "world", obj2 = "beam", phi0 = Modelica.Constants.eps);'],
    /^There is no `Modelica` in Test\.$/,
    /^No library with a package `Modelica` is loaded/,
  ],
];

test('rounding is no impulse', async () => {
  const impulses = async (speed: number) => {
    const text = `model Orbit
      import Mutabor.Bodies.*;
      World world(gravity = Gravity.none);
      Box craft(fixed = false, translation = {7e6, 0, 0}, velocity = {0, 7546.05, 0}, mass = 100, angularVelocity = {0, 0, 0.01});
      Box cover(fixed = false, parent = "craft", translation = {1, 0, 0}, lengthX = 0.1, velocity = {0, ${speed}, 0}, mass = 5);
      Weld weld(obj1 = "craft", obj2 = "cover");
    end Orbit;`;
    const { impulses } = await simulate(loadModel(loadText(text, 'Orbit.mo', library()), 'Orbit'));
    return impulses.filter(({ variable }) => variable.startsWith('weld.f'));
  };
  expect(await impulses(0)).toEqual([]);
  // A millionth of a metre per second is much beside it: nearly all of the momentum of the cover.
  const [push, ...others] = await impulses(1e-6);
  expect(others).toEqual([]);
  expect(push!.variable).toBe('weld.f[2]');
  expect(push!.weight).toBeLessThan(-3e-6);
  expect(push!.weight).toBeGreaterThan(-5e-6);
});

describe('what a beginner writes', () => {
  for (const [title, elements, message, hint] of mistakes)
    test(title, async () => {
      const errors = await errorsOf(elements);
      expect(errors[0]!.message).toMatch(message);
      expect(errors[0]!.hint).toMatch(hint);
    });

  test('a motion that is given by an equation: the flange is where to give it', async () => {
    const [error, ...others] = await errorsOf([
      beam,
      'RevoluteWithFlange joint(obj1 = "world", obj2 = "beam");',
      'equation',
      'joint.phi = sin(time);',
    ]);
    expect(others).toEqual([]);
    const { code, hint, notes, span } = error!;
    expect(code).toBe('unbalanced');
    expect(span!.source.text.slice(span!.start, span!.end)).toBe('joint.phi = sin(time)');
    expect(hint).toBe(
      'Nothing is connected with `joint.flange`, so that `joint.flange.tau` is zero. Instead of an equation, connect what is to act there, such as `Mutabor.Rotational.Position`.',
    );
    expect(notes.map(({ message }) => message).join('\n')).not.toContain('$');
    const [slider] = await errorsOf([
      beam,
      'PrismaticWithFlange joint(obj1 = "world", obj2 = "beam");',
      'equation',
      'joint.s = sin(time);',
    ]);
    expect(slider!.hint).toContain('`Mutabor.Translational.Position`');
    const [connected] = await errorsOf([
      beam,
      'RevoluteWithFlange joint(obj1 = "world", obj2 = "beam");',
      'Mutabor.Rotational.Position source(phi_ref = sin(time));',
      'equation',
      'connect(source.flange, joint.flange);',
      'joint.phi = sin(time);',
    ]);
    expect(connected!.hint).not.toContain('Nothing is connected');
  });

  test('what is missing in a loop is a length or an angle', async () => {
    // Two rods of 0.2 m do not span 1 m, even stretched: 0.6 m are missing.
    const rods = [
      'Object3D a; Beam b1(parent = "a", translation = {0.1, 0, 0}, length = 0.2, mass = 1);',
      'Object3D ae(parent = "a", translation = {0.2, 0, 0});',
      'Object3D b; Beam b2(parent = "b", translation = {0.1, 0, 0}, length = 0.2, mass = 1);',
      'Object3D be(parent = "b", translation = {0.2, 0, 0});',
      'Object3D far(parent = "world", translation = {1, 0, 0});',
      'Revolute j1(obj1 = "world", obj2 = "a");',
      'Revolute j2(obj1 = "ae", obj2 = "b");',
      'Revolute j3(obj1 = "be", obj2 = "far");',
    ];
    expect((await errorsOf(rods))[0]!.message).toMatch(/: 0\.6 m is missing/);
    // A rail that turns nothing cannot bring an object to a frame that is turned by half a radian.
    const rails = [
      'Box box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1, mass = 1);',
      'Object3D turned(parent = "world", rotation = {0, 0, 0.5});',
      'Prismatic p1(obj1 = "world", obj2 = "box", axis = {1, 0, 0});',
      'Prismatic p2(obj1 = "turned", obj2 = "box", axis = {1, 0, 0});',
    ];
    expect((await errorsOf(rails))[0]!.message).toMatch(/: 0\.\d+ rad is missing/);
  });
});
