/** Objects that are taken away while a run goes on, and that come back. */
import { describe, expect, test } from 'vitest';
import { attempted, Failure } from '../../src/diagnostic/failure.ts';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { close, library, run } from '../models/notation.ts';

const g = 9.81;

describe('a free object that is taken away', () => {
  const model = (away: string, more = '') => `World world;
    Sphere base(fixed = false, mass = 1, diameter = 0.2, translation = {0, 1, 0}, velocity = {1, 0, 0});
    Box lid(parent = "base", translation = {0.1, 0, 0}, mass = 0.5);
    Object3D arm(mass = 1, centre = {0.5, 0, 0}, inertia = identity(3));
    Revolute hinge(obj1 = "base", obj2 = "arm", w0 = 2);
    Sphere other(fixed = false, mass = 3, diameter = 0.2, translation = {5, 0, 0});
    Removal removal(object = "base", active = ${away});
    ${more}`;

  test('takes with it what is fixed in it and what joints tie to it', async () => {
    const { table } = await run('Bodies', model('time >= 0.5'), 1);
    for (const name of ['base.r[2]', 'lid.r[1]', 'arm.w[3]', 'base.v[1]']) {
      expect(Number.isFinite(table.value(name, 0.4))).toBe(true);
      expect(table.value(name, 0.8)).toBeNaN();
    }
    close(table.value('other.r[2]', 1), -g / 2);
  });

  test('comes back with its start values, and goes on from there', async () => {
    const { table } = await run('Bodies', model('time >= 0.4 and time < 0.7'), 1);
    const once = await run('Bodies', model('false'), 1);
    for (const name of ['base.r[1]', 'base.r[2]', 'arm.angles[3]', 'arm.w[3]', 'hinge.phi', 'lid.v[1]'])
      close(table.value(name, 0.9), once.table.value(name, 0.2));
  });

  test('is held by no weld, and pulled by no spring, as long as it is away', async () => {
    const { table, impulses } = await run(
      'Bodies',
      model(
        'time >= 0.5',
        `Weld weld(obj1 = "other", obj2 = "base", active = time > 0.2);
        SpringDamper spring(obj1 = "other", obj2 = "lid", c = 100, d = 0, length0 = 1);
        WorldForce push(object = "arm", f = {1e3, 0, 0});
        Sensor sensor(object = "base");
        AccelerationSensor felt(object = "other");`,
      ),
      1,
    );
    expect(new Set(impulses.map(({ time }) => Math.round(time * 10) / 10))).toEqual(new Set([0.2]));
    close(table.value('felt.a[2]', 0.8), -g);
    expect(Math.abs(table.value('felt.a[1]', 0.8))).toBeLessThan(1e-9);
    // Nothing acts on what is left but its weight; the sensor shows the last value.
    close(table.value('other.v[1]', 0.9), table.value('other.v[1]', 0.5));
    close(table.value('sensor.r[1]', 0.9), table.value('sensor.r[1]', 0.6), 1e-15);
  });

  test('may be away from the start, and be launched from what moves', async () => {
    const { table } = await run(
      'Bodies',
      `World world;
      Object3D car(mass = 10, inertia = identity(3));
      Prismatic rail(obj1 = "world", obj2 = "car", axis = {1, 0, 0}, v0 = 3);
      Sphere shot(fixed = false, parent = "car", translation = {0, 0.5, 0}, velocity = {0, 4, 0}, mass = 1, diameter = 0.1);
      Removal magazine(object = "shot", active = time < 0.5);`,
      1,
    );
    expect(table.value('shot.r[1]', 0.3)).toBeNaN();
    close(table.value('shot.r[1]', 1), 3);
    close(table.value('shot.r[2]', 1), 0.5 + 4 * 0.5 - (g / 2) * 0.25);
  });

  test('welded when it comes back, it is held where it begins', async () => {
    const { table } = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Sphere ship(fixed = false, mass = 9, diameter = 1, velocity = {1, 0, 0});
      Sphere part(fixed = false, parent = "ship", translation = {0, 2, 0}, mass = 1, diameter = 0.1, velocity = {10, 0, 0});
      Removal store(object = "part", active = time >= 0.2 and time < 0.6);
      Weld hold(obj1 = "ship", obj2 = "part", active = time >= 0.3);`,
      1,
    );
    // From 0.6 s on the part is 2 m above the ship: the momentum that it brings is shared.
    const distance = Math.hypot(
      table.value('part.r[1]', 1) - table.value('ship.r[1]', 1),
      table.value('part.r[2]', 1) - table.value('ship.r[2]', 1),
    );
    close(distance, 2);
    close(9 * table.value('ship.v[1]', 1) + table.value('part.v[1]', 1), 9 * 1 + 11);
  });
});

describe('joints of what comes back begin anew, whatever was locked in the meantime', () => {
  const chain = (locked: string) => `World world(gravity = Gravity.none);
    Object3D a(fixed = false, mass = 1, inertia = identity(3));
    Object3D m(mass = 1, inertia = identity(3));
    Object3D b(mass = 1, inertia = identity(3));
    Revolute turn(obj1 = "a", obj2 = "m");
    Prismatic slide(obj1 = "m", obj2 = "b", v0 = 1, locked = ${locked});
    Removal removal(object = "a", active = time >= 0.2 and time < 0.5);
    // Something that goes on.
    Box other(mass = 1);
    Revolute hinge(obj1 = "world", obj2 = "other", w0 = 3);`;

  test.each([
    ['time >= 0.4 and time < 0.5', 0.3, 1],
    ['time >= 0.1 and time < 0.3', 0.3, 1],
    // Locked from the instant on: three equal masses share the momentum of one.
    ['time >= 0.5', 0, 0],
    ['time >= 0.4 and time < 0.9', 0, 0],
    ['true', 0, 0],
  ])('locked = %s', async (locked, s, v) => {
    const { table } = await run('Bodies', chain(locked), 0.8);
    expect(table.value('slide.s', 0.8)).toBeCloseTo(s, 9);
    expect(table.value('slide.v', 0.8)).toBeCloseTo(v, 9);
    const momentum = ['a', 'm', 'b'].reduce((sum, name) => sum + table.value(`${name}.v[1]`, 0.8), 0);
    close(momentum, 1);
  });
});

describe('refused', () => {
  const refusal = async (...elements: string[]) => {
    const text = `model Test import Mutabor.Bodies.*; World world; ${elements.join(' ')} end Test;`;
    const model = attempted(() => loadModel(loadText(text, 'Test.mo', library()), 'Test'));
    if (model instanceof Failure) return model.diagnostics[0]!;
    const { status, diagnostics } = await simulate(model);
    expect(status).toBe('failed');
    return diagnostics.at(-1)!;
  };

  test('an object that is fixed', async () => {
    const { code, message, hint } = await refusal(
      'Box body(parent = "world");',
      'Removal removal(object = "body");',
    );
    expect(code).toBe('bad-body');
    expect(message).toBe('`removal` cannot take away `body`, which is not free.');
    expect(hint).toMatch(/fixed = false/);
  });

  test('a joint with a flange that goes with it', async () => {
    const { code, message } = await refusal(
      'Box base(fixed = false, mass = 1);',
      'Box arm(mass = 1);',
      'RevoluteWithFlange motor(obj1 = "base", obj2 = "arm");',
      'Removal removal(object = "base", active = time > 0.5);',
    );
    expect(code).toBe('bad-body');
    expect(message).toBe(
      '`removal` cannot take away `base`, to which the joint `motor` with a flange belongs.',
    );
  });

  test('what joints tie to the world', async () => {
    const { code, message } = await refusal(
      'Box base(fixed = false, mass = 1);',
      'Box arm(mass = 1);',
      'Revolute hinge(obj1 = "base", obj2 = "arm");',
      'Prismatic slide(obj1 = "world", obj2 = "arm");',
      'Removal removal(object = "base", active = time > 0.5);',
    );
    expect(code).toBe('bad-body');
    expect(message).toBe('`removal` cannot take away `base`, which joints tie to the world.');
  });

  test('what comes back into a parent that is away', async () => {
    const { code, message } = await refusal(
      'Box car(fixed = false, mass = 1);',
      'Box part(fixed = false, parent = "car", mass = 1);',
      'Removal first(object = "car", active = time > 0.2), second(object = "part", active = time < 0.5);',
    );
    expect(code).toBe('impossible-change');
    expect(message).toBe('`part` comes back, but its parent `car` is away.');
  });

  test('an object that there is not', async () => {
    const { code, hint } = await refusal(
      'Box body(fixed = false, mass = 1);',
      'Removal removal(object = "bdy");',
    );
    expect(code).toBe('unknown-name');
    expect(hint).toBe('Did you mean "body"?');
  });
});
