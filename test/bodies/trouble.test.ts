/** Runs with bodies that cannot go on: what is said, and where. */
import { describe, expect, test } from 'vitest';
import { close } from '../models/notation.ts';
import { telling } from './told.ts';

async function ending(elements: readonly string[], stopTime = 1, tolerance = 1e-6) {
  const { result, told } = await telling(elements, { stopTime, tolerance });
  expect(result.status).toBe('failed');
  const errors = told.filter(({ severity }) => severity === 'error');
  expect(errors.length).toBe(1);
  expect(errors[0]!.message).not.toMatch(/\$bodies|built-in component|\.qd/);
  return { ...errors[0]!, result };
}

describe('no inertia behind a flange', () => {
  const joint = 'RevoluteWithFlange joint(obj1 = "world", obj2 = "body");';
  const massless = ['World world;', 'Object3D body;', joint];
  const coupled = (parts: readonly string[]) => [...massless, ...parts];

  test('is told of the joint', async () => {
    const { code, message, hint, line } = await ending(massless);
    expect(code).toBe('bad-body');
    expect(message).toMatch(/^Nothing resists the motion of the joint `joint`: what it moves has no mass/);
    expect(hint).toMatch(/an object behind it, or an inertia to what is connected to its flange/);
    expect(line).toBe(joint);
  });

  test.each([
    ['a mass on the axis', ['Object3D point(parent = "body", translation = {0, 0, 1}, mass = 1);']],
    [
      'a spring',
      [
        'Mutabor.Rotational.Spring spring(c = 1);',
        'Mutabor.Rotational.Fixed wall;',
        'equation',
        'connect(spring.flange_b, joint.flange);',
        'connect(spring.flange_a, wall.flange);',
      ],
    ],
  ])('%s does not resist', async (_, more) => {
    const { code, line } = await ending(coupled(more));
    expect(code).toBe('bad-body');
    expect(line).toBe(joint);
  });

  test('of two joints the one is named that no inertia resists', async () => {
    const idle = 'PrismaticWithFlange idle(obj1 = "world", obj2 = "frame");';
    const { message, line } = await ending([
      'World world;',
      'Object3D frame;',
      idle,
      'Box box(mass = 1);',
      'RevoluteWithFlange wheel(obj1 = "world", obj2 = "box");',
      'Mutabor.Rotational.IdealGear gear(ratio = 2);',
      'equation',
      'connect(gear.flange_b, wheel.flange);',
    ]);
    expect(message).toMatch(/`idle`/);
    expect(line).toBe(idle);
  });

  test.each([
    ['a rotor', 1, 'connect(rotor.flange_b, joint.flange);'],
    [
      'a rotor behind a gear',
      3,
      'connect(rotor.flange_b, gear.flange_a); connect(gear.flange_b, joint.flange);',
    ],
  ])('%s resists', async (_, ratio, connections) => {
    const { result } = await telling(
      coupled([
        'Mutabor.Rotational.Inertia rotor(J = 2);',
        'Mutabor.Rotational.Torque motor(tau = 4);',
        ...(ratio === 1 ? [] : [`Mutabor.Rotational.IdealGear gear(ratio = ${ratio});`]),
        'equation',
        'connect(motor.flange, rotor.flange_a);',
        connections,
      ]),
      { stopTime: 1 },
    );
    expect(result.status).toBe('done');
    close(result.table.value('rotor.w', 1), 2);
    close(result.table.value('joint.w', 1), 2 / ratio);
  });
});

describe('motions without bound', () => {
  test('a force beyond all numbers', async () => {
    const body = 'Object3D body(fixed = false, mass = 1, inertia = identity(3));';
    const { code, message, line } = await ending([
      'World world;',
      body,
      'WorldForce force(object = "body", f = {exp(2000*time), 0, 0});',
    ]);
    expect(code).toBe('bad-evaluation');
    expect(message).toMatch(/^The motion of `body` grows beyond all numbers at time 0\.35/);
    expect(line).toBe(body);
  });

  test.each([
    ['at the point that attracts it', ''],
    // It falls from rest: r^(3/2) has a singularity at t = pi/2*sqrt(r^3/(2*mu)).
    ['that falls into it', ', translation = {1, 0, 0}'],
  ])('a body %s', async (_, placed) => {
    const body = `Object3D body(fixed = false, mass = 1, inertia = identity(3)${placed});`;
    const { code, message, line, result } = await ending(
      ['World world(gravity = Gravity.point, mu = 2);', body],
      3,
    );
    expect(code).toBe('bad-body');
    expect(message).toMatch(/^`body` is at the point that attracts it, the origin of the world, at time/);
    expect(line).toBe(body);
    close(result.time, placed === '' ? 0 : Math.PI / 4, 1e-4);
  });
});

describe('events without end', () => {
  const pendulum = [
    'World world;',
    'Object3D a(mass = 1, centre = {1, 0, 0}, inertia = identity(3));',
    'Object3D tip(parent = "a", translation = {2, 0, 0});',
    'Object3D b(fixed = false, translation = {2, 0, 0}, mass = 1, inertia = identity(3));',
    'Revolute joint(obj1 = "world", obj2 = "a");',
    'ReactionSensor reaction(joint = "joint");',
  ];

  test('are told of the weld and its condition', async () => {
    const weld = 'Weld weld(obj1 = "tip", obj2 = "b", active = reaction.f[2] < 8);';
    const { code, message, hint, line } = await ending([...pendulum, weld]);
    expect(code).toBe('event-cycle');
    expect(message).toMatch(
      /^`weld` begins and ceases to hold without end at time 0\.27.*: `weld.active` depends on what changes with it\.$/,
    );
    expect(hint).toMatch(/Remember what has happened/);
    expect(line).toBe(weld);
  });
});

describe('loops that cannot follow', () => {
  const bar = (name: string, length: number) => [
    `Object3D ${name}(mass = 1, centre = {${length / 2}, 0, 0}, inertia = 0.1*identity(3));`,
    `Object3D ${name}End(parent = "${name}", translation = {${length}, 0, 0});`,
  ];

  test.each([1e-3, 1e-4, 1e-6, 1e-9])(
    'a crank that is turned too far, at tolerance %g',
    async (tolerance) => {
      const closing = 'Revolute j4(obj1 = "rodEnd", obj2 = "rockerEnd");';
      const { code, message, line, result } = await ending(
        [
          'World world;',
          'Object3D pivot(parent = "world", translation = {1.4, 0, 0});',
          ...bar('crank', 0.5),
          ...bar('rod', 1.2),
          ...bar('rocker', 0.6),
          'RevoluteWithFlange j1(obj1 = "world", obj2 = "crank", phi0 = 1);',
          'Revolute j2(obj1 = "crankEnd", obj2 = "rod", phi0 = -0.85);',
          'Revolute j3(obj1 = "pivot", obj2 = "rocker", phi0 = 1.5);',
          closing,
          'Mutabor.Rotational.Position given(phi_ref = 1 + 3*time);',
          'equation',
          'connect(given.flange, j1.flange);',
        ],
        1,
        tolerance,
      );
      // Rod and rocker are one line: 1.8^2 = 0.5^2 + 1.4^2 - 2*0.5*1.4*cos(phi).
      const most = Math.acos((0.25 + 1.96 - 3.24) / 1.4);
      expect(code).toBe('bad-body');
      expect(message).toMatch(
        /^The loop closed by `j4` cannot follow its joints with flanges beyond `j1.phi` = 2\.397/,
      );
      expect(line).toBe(closing);
      close(result.time, (most - 1) / 3, 1e-4);
    },
  );

  test('a piston that is pulled too far', async () => {
    const { message, result } = await ending([
      'World world;',
      ...bar('crank', 0.5),
      ...bar('rod', 1),
      'Object3D piston(mass = 1, inertia = identity(3));',
      'Revolute j1(obj1 = "world", obj2 = "crank", phi0 = 1.5);',
      'Revolute j2(obj1 = "crankEnd", obj2 = "rod", phi0 = -2);',
      'Revolute j3(obj1 = "rodEnd", obj2 = "piston");',
      'PrismaticWithFlange guide(obj1 = "world", obj2 = "piston", axis = {1, 0, 0}, s0 = 1);',
      'Mutabor.Translational.Position given(s_ref = 1 + time);',
      'equation',
      'connect(given.flange, guide.flange);',
    ]);
    expect(message).toMatch(/cannot follow its joints with flanges beyond `guide.s` = 1\.5/);
    close(result.time, 0.5, 1e-4);
  });
});
