/** What models with bodies say of themselves: start values that are changed, impulses, states, results. */
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../src/diagnostic/failure.ts';
import { check, exportModelica, instantiate, loadModel, loadText } from '../../src/index.ts';
import { chooseSignals } from '../../src/results/plot/choose.ts';
import { close, library } from '../models/notation.ts';
import { telling } from './told.ts';

const still = 'World world(gravity = Gravity.none);';
const flat = (elements: readonly string[]) =>
  loadModel(
    loadText(
      ['model Test', 'import Mutabor.Bodies.*;', ...elements, 'end Test;'].join('\n'),
      'Test.mo',
      library(),
    ),
    'Test',
  );

describe('start values that are not kept', () => {
  const a = 'Object3D a(fixed = false, mass = 1, inertia = identity(3), velocity = {1, 0, 0});';
  const b = (velocity: string) =>
    `Object3D b(fixed = false, mass = 3, inertia = identity(3), translation = {1, 0, 0}, velocity = ${velocity});`;

  async function changed(elements: readonly string[]) {
    const { result, told } = await telling(elements);
    expect(result.status).toBe('done');
    return told.filter(({ message }) => /does not allow all start values/.test(message));
  }

  test('by a weld: momentum is shared', async () => {
    const weld = 'Weld grip(obj1 = "a", obj2 = "b");';
    const [info, ...more] = await changed([still, a, b('{0, 0, 0}'), weld]);
    expect(more).toEqual([]);
    expect(info).toMatchObject({ severity: 'info', line: weld });
    expect(info!.message).toMatch(
      /: `a.v` is \{0.25, 0, 0\} instead of \{1, 0, 0\}, `b.v` is \{0.25, 0, 0\} instead of \{0, 0, 0\}\.$/,
    );
  });

  test('by a lock', async () => {
    const joint = 'Revolute joint(obj1 = "world", obj2 = "bar", locked = true, w0 = 2);';
    const [info] = await changed([still, 'Box bar(mass = 1);', joint]);
    expect(info!.message).toMatch(/: `joint.w` is 0 instead of 2\.$/);
    expect(info!.line).toBe(joint);
  });

  test('by a lock of a joint about a point', async () => {
    const joint = 'Spherical joint(obj1 = "world", obj2 = "bar", locked = true, w0 = {0, 3, 0});';
    const [info] = await changed([still, 'Box bar(mass = 1);', joint]);
    expect(info!.message).toMatch(/: `joint.w` is \{0, 0, 0\} instead of \{0, 3, 0\}\.$/);
  });

  test('by a ball that slips at the start: v = v0 m r^2/(m r^2 + J)', async () => {
    const [info] = await changed([
      'World world(direction = {0, 0, -1});',
      'Object3D ball(fixed = false, translation = {0, 0, 0.5}, velocity = {2, 0, 0}, mass = 1, inertia = 0.25*identity(3));',
      'Rolling rolling(obj1 = "world", obj2 = "ball", radius = 0.5, ball = true);',
    ]);
    expect(info!.message).toMatch(
      /: `ball.v` is \{1, 0, 0\} instead of \{2, 0, 0\}, `ball.w` is \{0, 2, 0\} instead of \{0, 0, 0\}\.$/,
    );
  });

  test('by a weld to an arm with a rotor behind its flange, which jumps as well', async () => {
    const [info, ...more] = await changed([
      still,
      'Object3D arm(mass = 1, inertia = identity(3));',
      'Object3D hand(parent = "arm", translation = {1, 0, 0});',
      'Object3D part(fixed = false, translation = {1, 0, 0}, mass = 2, inertia = 0.5*identity(3));',
      'RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(fixed = true), w(start = 1, fixed = true));',
      'Weld grip(obj1 = "hand", obj2 = "part");',
      'Mutabor.Rotational.Inertia rotor(J = 1.5);',
      'equation',
      'connect(rotor.flange_b, joint.flange);',
    ]);
    // (1 + 1.5)*1 = (1 + 1.5 + 0.5 + 2)*w
    expect(more).toEqual([]);
    expect(info!.message).toMatch(
      /: `joint.w` is 0.5 instead of 1, `part.v` is \{0, 0.5, 0\} instead of \{0, 0, 0\}, `part.w` is \{0, 0, 0.5\} instead/,
    );
  });

  test.each([
    ['what fits', [still, a, b('{1, 0, 0}'), 'Weld grip(obj1 = "a", obj2 = "b");']],
    [
      'what begins to hold later',
      [still, a, b('{0, 0, 0}'), 'Weld grip(obj1 = "a", obj2 = "b", active = time > 0.05);'],
    ],
    [
      'a joint that is locked and stands',
      [still, 'Box bar(mass = 1);', 'Revolute j(obj1 = "world", obj2 = "bar", locked = true);'],
    ],
  ])('nothing is said of %s', async (_, elements) => {
    expect(await changed(elements)).toEqual([]);
  });
});

describe('impulses of what begins to hold', () => {
  const arm = [
    still,
    'Object3D arm(mass = 1, centre = {1, 0, 0}, inertia = identity(3));',
    'Object3D hand(parent = "arm", translation = {2, 0, 0});',
  ];
  const unclear = /are not unique/;

  test('have units', async () => {
    const { result } = await telling([
      still,
      'Object3D a(fixed = false, mass = 1, inertia = identity(3), velocity = {1, 0, 0}, angularVelocity = {0, 0, 1});',
      'Object3D b(fixed = false, mass = 1, inertia = identity(3));',
      'Weld grip(obj1 = "a", obj2 = "b", active = time > 0.05);',
    ]);
    const units = new Map(result.impulses.map(({ variable, unit }) => [variable, unit]));
    expect(units.get('grip.f[1]')).toBe('N.s');
    expect(units.get('grip.t[3]')).toBe('N.m.s');
  });

  test.each([
    [
      'an arm that takes hold of a handle',
      'Revolute joint(obj1 = "world", obj2 = "arm", w0 = 1);',
      'the other joints of its bodies',
    ],
    [
      'the same with a flange',
      'RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(fixed = true), w(start = 1, fixed = true));',
      'the other joints of its bodies',
    ],
  ])('%s: they are not unique, and that is said', async (_, joint, others) => {
    const weld = 'Weld grip(obj1 = "world", obj2 = "hand", active = time > 0.05);';
    const { result, told } = await telling([...arm, joint, weld]);
    expect(result.status).toBe('done');
    const found = told.filter(({ message }) => unclear.test(message));
    expect(found.length).toBe(1);
    expect(found[0]).toMatchObject({ severity: 'info', line: weld });
    expect(found[0]!.message).toContain(`how \`grip\` and ${others} share the impact`);
  });

  test('two welds that begin together name each other', async () => {
    const { told } = await telling([
      still,
      'Object3D a(fixed = false, mass = 1, inertia = identity(3), velocity = {1, 0, 0});',
      'Object3D b(fixed = false, mass = 1, inertia = identity(3));',
      'Weld one(obj1 = "a", obj2 = "b", active = time > 0.05);',
      'Weld two(obj1 = "a", obj2 = "b", active = time > 0.05);',
    ]);
    const found = told.filter(({ message }) => unclear.test(message));
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining('how `one` and `two` share'),
      expect.stringContaining('how `two` and `one` share'),
    ]);
  });

  test.each([
    [
      'an arm that takes a free part',
      [
        'Revolute joint(obj1 = "world", obj2 = "arm", w0 = 1);',
        'Object3D part(fixed = false, mass = 1, inertia = identity(3));',
        'Weld grip(obj1 = "hand", obj2 = "part", active = time > 0.05);',
      ],
    ],
    ['a joint that locks', ['Revolute joint(obj1 = "world", obj2 = "arm", w0 = 1, locked = time > 0.05);']],
  ])('%s: they are unique', async (_, elements) => {
    const { result, told } = await telling([...arm, ...elements]);
    expect(result.impulses.length).toBeGreaterThan(0);
    expect(told.filter(({ message }) => unclear.test(message))).toEqual([]);
  });
});

describe('states and results', () => {
  const pendulum = [
    'World world;',
    'Box bar(mass = 1);',
    'Revolute joint(obj1 = "world", obj2 = "bar", locked = activeState(held));',
    'Box free(fixed = false, mass = 1);',
  ];
  const states = ['block State end State;', 'State open;', 'State held;', 'State again;'];
  const machine = [
    ...pendulum,
    ...states,
    'equation',
    'initialState(open);',
    'transition(open, held, time > 0.3, immediate = false);',
    'transition(held, again, time > 0.6, immediate = false);',
  ];

  test('a check counts hidden states: 7 + 6 of a free body, 2 of a hinge', () => {
    const { hidden, states: visible } = check(flat(machine));
    expect(visible).toEqual([]);
    expect(hidden.reduce((sum, { count }) => sum + count, 0)).toBe(15);
    expect(hidden.map(({ name }) => name).sort()).toEqual(['free.q', 'free.qd', 'joint.q', 'joint.qd']);
  });

  test('modes have the states after what they lock and release', async () => {
    const { result } = await telling(machine, { stopTime: 1 });
    expect(result.modes.map((mode) => mode.states.length)).toEqual([15, 13, 15]);
  });

  test('results of objects are listed with their units', () => {
    const results = instantiate(flat(machine))
      .variables()
      .filter(({ kind }) => kind === 'result');
    expect(results.map(({ name, unit, dims }) => `${name}[${dims}] ${unit}`)).toEqual(
      ['bar', 'free'].flatMap((name) => [
        `${name}.r[3] m`,
        `${name}.angles[3] rad`,
        `${name}.v[3] m/s`,
        `${name}.w[3] rad/s`,
      ]),
    );
  });

  test('equations that read them are told to use a sensor', () => {
    const problem = failureOf(() =>
      flat(['World world;', 'Box bar(parent = "world");', 'Real x = bar.r[1];']),
    );
    const { code, message, hint } = problem!.diagnostics[0]!;
    expect(code).toBe('unknown-name');
    expect(message).toBe('`bar.r` is a result of the run, which equations cannot read.');
    expect(hint).toContain('`Sensor sensor(object = "bar");`, then `sensor.r`');
  });

  test('what has mass is shown first, numbers before truth values', async () => {
    const { result } = await telling([
      still,
      'Object3D frame(parent = "world");',
      'Box box(fixed = false, mass = 1);',
      'Box other(fixed = false, mass = 1);',
      'Weld weld(obj1 = "box", obj2 = "other", active = time > 0.05);',
    ]);
    const shown = chooseSignals(result.table);
    expect(shown.length).toBe(8);
    expect(shown.every((name) => /^(box|other)\./.test(name))).toBe(true);
  });

  test('names that are no results are not found as before', () => {
    const problem = failureOf(() =>
      flat(['World world;', 'Box bar(parent = "world");', 'Real x = bar.rr[1];']),
    );
    expect(problem!.diagnostics[0]!.message).toBe('There is no `rr` in bar.');
  });
});

describe('what cannot be differentiated', () => {
  const bodies = [
    'World world;',
    'Box bar(mass = 1);',
    'Universal joint(obj1 = "world", obj2 = "bar");',
    'Sensor sensor(object = "bar");',
    'SpringDamper spring(obj1 = "world", obj2 = "bar", c = 1, d = 0, length0 = 0);',
  ];

  test.each([
    ['sensor.r[1]', 'sensor.r', 'Use `sensor.v`, which is its derivative.', 'Sensor'],
    ['sensor.distance', 'sensor.distance', 'Use `sensor.distanceSpeed`, which is its derivative.', 'Sensor'],
    ['sensor.angles[1]', 'sensor.angles', 'Use `sensor.w`, the angular velocity', 'Sensor'],
    ['sensor.v[1]', 'sensor.v', 'An `AccelerationSensor` measures accelerations.', 'Sensor'],
    ['joint.phi[2]', 'joint.phi', 'Use `joint.w`, which is its derivative.', 'Universal'],
    ['spring.length', 'spring.length', 'Use `spring.speed`, which is its derivative.', 'SpringDamper'],
  ])('der(%s)', async (written, name, hint, line) => {
    const { result, told } = await telling([...bodies, `Real x = der(${written});`]);
    expect(result.status).toBe('failed');
    const problem = told.find(({ severity }) => severity === 'error')!;
    expect(problem.code).toBe('not-differentiable');
    expect(problem.message).toMatch(`\`${name}\` cannot be differentiated`);
    expect(problem.hint).toContain(hint);
    expect(problem.line).toMatch(new RegExp(`^${line} `));
  });

  test('nor given by an equation', async () => {
    const { told } = await telling([...bodies, 'equation', 'sensor.r[1] = 1;']);
    const problem = told.find(({ code }) => code === 'not-differentiable')!;
    expect(problem.message).toMatch(/^`sensor.r` cannot be given by equations/);
    expect(problem.hint).toMatch(/joints with flanges/);
    expect(told.map(({ message }) => message).join()).not.toMatch(/\$bodies/);
  });

  test('the velocity in its place has the values', async () => {
    const { result } = await telling(
      [
        'World world;',
        'Box bar(fixed = false, mass = 1);',
        'Sensor sensor(object = "bar");',
        'Real x = sensor.v[2];',
      ],
      { stopTime: 1 },
    );
    close(result.table.value('x', 1), -9.81);
  });
});

test('export says that bodies have no equations', () => {
  const problem = failureOf(() =>
    exportModelica(flat(['World world;', 'Box box(fixed = false, mass = 1);'])),
  );
  expect(problem!.diagnostics[0]).toMatchObject({
    code: 'not-exportable',
    message: '`world` and other parts of `Mutabor.Bodies` have no equations that other tools could read.',
  });
});
