/** Rigid contact in whole models: with joints and flanges, with sensors and switches, in random scenes, and what is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { library, run } from '../models/notation.ts';
import { expectContinued, Run } from '../simulate/continued.ts';
import { ball, box, g, ground, law, near, precise, touches, world } from './rigidnotation.ts';

const modelOf = (elements: string) =>
  loadModel(
    loadText(`model Test\n  import Mutabor.Bodies.*;\n  ${elements}\nend Test;`, 'Test.mo', library()),
    'Test',
  );

describe('joints with flanges', () => {
  test('a ball on a slider with a mass behind it falls on the ground and stays there', async () => {
    const { table } = await run(
      'Bodies',
      `import Mutabor.Translational; ${world()} ${ground} ${law(0, 0.3)}
      PrismaticWithFlange slide(obj1 = "world", obj2 = "ball", axis = {0, 1, 0}, s(start = 0.5, fixed = true), v(start = 0, fixed = true));
      Sphere ball(diameter = 0.2, mass = 1, ${touches}); Translational.Mass mass(m = 2);
      equation connect(slide.flange, mass.flange_a);`,
      1,
      precise,
    );
    // The weight of the ball moves both.
    const lands = Math.sqrt((2 * 0.4 * 3) / g);
    near(table.value('slide.v', lands - 1e-3), (-g / 3) * (lands - 1e-3), 1e-4);
    near(table.value('slide.s', 1), 0.1);
    near(table.value('slide.v', 1), 0);
  });

  test('an arm with a rotor falls on the ground and rests on its tip', async () => {
    const { table } = await run(
      'Bodies',
      `import Mutabor.Rotational; ${world()} ${ground} ${law(0, 0.3)}
      Object3D post(parent = "world", translation = {0, 0.5, 0}); Object3D arm;
      RevoluteWithFlange hinge(obj1 = "post", obj2 = "arm", phi(start = 0, fixed = true), w(start = 0, fixed = true));
      Sphere tip(parent = "arm", translation = {1, 0, 0}, diameter = 0.2, mass = 1, ${touches});
      Rotational.Inertia rotor(J = 0.5); ContactSensor touch(object1 = "ground", object2 = "tip");
      equation connect(hinge.flange, rotor.flange_a);`,
      1.5,
      precise,
    );
    const angle = -Math.asin(0.4);
    near(table.value('hinge.phi', 1.5), angle);
    near(table.value('hinge.w', 1.5), 0);
    // The moment of the normal force about the hinge is that of the weight; friction may bear some of it.
    const [n, f] = [table.value('touch.f[2]', 1.5), table.value('touch.f[1]', 1.5)];
    near(n * Math.cos(angle) + f * 0.5, g * Math.cos(angle), 1e-7);
  });

  test('a slider with a mass behind it takes a ball with it, and momentum is conserved', async () => {
    const { table } = await run(
      'Bodies',
      `import Mutabor.Translational; ${world(', gravity = Gravity.none')} ${law(0, 0)}
      PrismaticWithFlange slide(obj1 = "world", obj2 = "hammer", axis = {1, 0, 0}, s(start = 0, fixed = true), v(start = 1, fixed = true));
      Sphere hammer(diameter = 0.2, mass = 1, ${touches}); Translational.Mass mass(m = 2);
      Sphere ball(fixed = false, translation = {0.5, 0, 0}, diameter = 0.2, mass = 1, ${touches});
      equation connect(slide.flange, mass.flange_a);`,
      1,
      precise,
    );
    near(table.value('slide.v', 1), 0.75);
    near(table.value('ball.v[1]', 1), 0.75);
  });

  test('a slider pushes a box over its friction', async () => {
    const friction = 0.5;
    const { table } = await run(
      'Bodies',
      `import Mutabor.Translational; ${world()} ${ground} ${law(0, friction)}
      ContactLaw slippery(material1 = "Steel", material2 = "Aluminium", restitution = 0, friction = 0);
      Object3D rail(parent = "world", translation = {0, 0.1, 0});
      PrismaticWithFlange slide(obj1 = "rail", obj2 = "pad", axis = {1, 0, 0}, s(start = 0, fixed = true), v(start = 0, fixed = true));
      Box pad(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1, mass = 0.5, contact = true, material = "Aluminium");
      Box box(fixed = false, translation = {0.15, 0.1, 0}, lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2, mass = 2, ${touches});
      Translational.Force force(f = 20*time); equation connect(slide.flange, force.flange);`,
      1.2,
      precise,
    );
    const from = (friction * 2 * g) / 20;
    const speed = (10 * (1.44 - from ** 2) - friction * 2 * g * (1.2 - from)) / 2.5;
    near(table.value('box.v[1]', 1.2), speed, 1e-7);
    near(table.value('slide.v', 1.2), speed, 1e-7);
  });
});

describe('sensors, switches and states', () => {
  test('a sensor sees what a stack weighs', async () => {
    const box = (name: string, y: number) =>
      `Box ${name}(fixed = false, lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2, translation = {0, ${y}, 0}, mass = 3, ${touches});`;
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 0.5)} ${box('a', 0.1)} ${box('b', 0.3)} ${box('c', 0.5)}
      ContactSensor low(object1 = "ground", object2 = "a"); ContactSensor high(object1 = "b", object2 = "c");`,
      1,
      precise,
    );
    near(table.value('low.f[2]', 1), 9 * g, 1e-10);
    near(table.value('high.f[2]', 1), 3 * g, 1e-10);
    near(table.value('low.normalForce', 1), 9 * g, 1e-10);
    near(table.value('low.t[1]', 1), 0, 1e-10);
  });

  test('a sensor sees no distance while an ellipsoid rocks', async () => {
    const height = Math.hypot(0.3 * Math.sin(0.5), 0.15 * Math.cos(0.5));
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 3)}
      Ellipsoid b(fixed = false, lengthX = 0.6, lengthY = 0.3, lengthZ = 0.4, translation = {0, ${height}, 0}, rotation = {0, 0, 0.5}, mass = 2, ${touches});
      ContactSensor touch(object1 = "ground", object2 = "b");`,
      0.5,
    );
    for (let row = 0; row < table.rowCount; row++) {
      const angle = table.at('b.angles[3]', row);
      near(table.at('b.r[2]', row), Math.hypot(0.3 * Math.sin(angle), 0.15 * Math.cos(angle)));
      near(table.at('touch.distance', row), 0, 1e-10);
    }
  });

  test('what is switched off falls through', async () => {
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 0.5)} Sphere ball(fixed = false, diameter = 0.2, translation = {0, 0.1, 0}, ${touches});
      NoContact off(object1 = "ground", object2 = "ball", active = time > 0.5);`,
      1,
      precise,
    );
    near(table.value('ball.r[2]', 0.5), 0.1, 1e-12);
    near(table.value('ball.v[2]', 1), -g / 2);
  });

  test('a run goes on from its state while a ball slides, rolls and bounces, and a box stands', () => {
    const model = modelOf(`${world()} ${ground} ${law(0.5, 0.3)}
      Sphere ball(fixed = false, diameter = 0.2, translation = {0, 0.3, 1}, velocity = {2, 0, 0}, ${touches});
      Box box(fixed = false, lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2, translation = {0, 0.1, 0}, velocity = {1, 0, 0}, ${touches});`);
    expectContinued(new Run(model, { stopTime: 1 }), 12);
  });
});

describe('random scenes', () => {
  test('energy never grows, and nothing sinks in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          restitution: fc.constantFrom(0, 0.4, 1),
          friction: fc.constantFrom(0, 0.3, 1),
          balls: fc.array(
            fc.record({
              x: fc.integer({ min: -10, max: 10 }),
              vx: fc.integer({ min: -20, max: 20 }),
              vy: fc.integer({ min: -10, max: 10 }),
              spin: fc.integer({ min: -20, max: 20 }),
            }),
            { minLength: 1, maxLength: 3 },
          ),
        }),
        async ({ restitution, friction, balls }) => {
          const { table } = await run(
            'Bodies',
            `${world()} ${ground} ${law(restitution, friction)}
            Box wall(parent = "world", lengthX = 0.2, lengthY = 2, lengthZ = 4, translation = {0.7, 1, 0}, ${touches});
            ${balls
              .map(
                ({ x, vx, vy, spin }, k) =>
                  `Sphere b${k}(fixed = false, diameter = 0.2, mass = 1, translation = {${x / 100}, ${0.3 + 0.3 * k}, 0}, velocity = {${vx / 10}, ${vy / 10}, 0}, angularVelocity = {0, 3, ${spin}}, ${touches});`,
              )
              .join('\n')}`,
            0.8,
          );
          let before = Infinity;
          for (let row = 0; row < table.rowCount; row++) {
            let energy = 0;
            for (const k of balls.keys()) {
              const at = (name: string, i: number) => table.at(`b${k}.${name}[${i}]`, row);
              expect(at('r', 2)).toBeGreaterThan(0.1 - 1e-9);
              expect(at('r', 1)).toBeLessThan(0.5 + 1e-9);
              energy += g * at('r', 2);
              for (const i of [1, 2, 3]) energy += at('v', i) ** 2 / 2 + 0.002 * at('w', i) ** 2;
            }
            expect(energy - before).toBeLessThan(1e-7);
            before = energy;
          }
        },
      ),
      { numRuns: 12, seed: 3 },
    );
  }, 60_000);
});

describe('what is refused', () => {
  async function problem(elements: string): Promise<string> {
    const { diagnostics, status } = await simulate(modelOf(elements), { stopTime: 1 });
    expect(status).toBe('failed');
    const { message, hint } = diagnostics.find(({ severity }) => severity === 'error')!;
    return `${message} ${hint ?? ''}`;
  }

  // A ball falls from 0.3 m to the ground, where the box that it should have met is away, or lets it through.
  test.each([
    ['comes back', 'Removal away(object = "crate", active = time < 0.5);'],
    ['touches again', 'NoContact none(object1 = "crate", object2 = "ball", active = time < 0.5);'],
  ])('a body that %s where another one is', async (_, away) => {
    const message = await problem(
      `${world()} ${ground} ${law(0, 0.3)} ${box('crate', 0, 0.1, [0.5, 0.2, 0.5])} ${ball('ball', 0.1, 0.3)} ${away}`,
    );
    expect(message).toBe(
      '`crate` and `ball` are in each other when they begin to be able to touch, by 0.2 m. Rigid bodies cannot be. Let a body come back, or touch again, where no other one is.',
    );
  });

  test('a body that comes back where it just touches another one is right', async () => {
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 0.3)} ${box('crate', 0, 0.1, [0.5, 0.2, 0.5], ', mass = 2')} ${ball('ball', 0.35, 0.1)}
      Removal away(object = "crate", active = time < 0.5); ContactSensor s(object1 = "ground", object2 = "crate");`,
      1,
      precise,
    );
    near(table.value('s.normalForce', 0.9), 2 * g);
    near(table.value('crate.r[2]', 1), 0.1);
    near(table.value('ball.r[1]', 1), 0.35);
  });

  test('bodies that are in each other at the start, with the depth', async () => {
    expect(
      await problem(
        `${world()} ${ground} Sphere ball(fixed = false, diameter = 0.2, translation = {0, 0.05, 0}, ${touches});`,
      ),
    ).toBe(
      '`ground` and `ball` are in each other at the start, by 0.05 m. Rigid bodies cannot be. Place them so that they just touch, or leave out `contact` of one of them.',
    );
  });
});

test('rigid and elastic bodies do the same', async () => {
  const scene = (more: string) => `World world(${more}); ${ground}
    ContactLaw law(material1 = "Steel", material2 = "Steel", restitution = 0.6, friction = 0);
    ContactLaw rough(material1 = "Steel", material2 = "Aluminium", restitution = 0, friction = 0.3);
    Sphere ball(fixed = false, diameter = 0.2, translation = {0, 0.5, 0}, velocity = {1, 0, 0}, ${touches});
    Box box(fixed = false, lengthX = 0.2, lengthY = 0.1, lengthZ = 0.2, translation = {0, 0.05, 3}, velocity = {1, 0, 0}, contact = true, material = "Aluminium");`;
  const [rigid, elastic] = await Promise.all(
    ['rigidContact = true', ''].map((more) => run('Bodies', scene(more), 0.6, { tolerance: 1e-8 })),
  );
  for (const name of [
    'ball.r[1]',
    'ball.r[2]',
    'ball.v[1]',
    'ball.v[2]',
    'ball.w[3]',
    'box.r[1]',
    'box.v[1]',
  ])
    near(rigid!.table.value(name, 0.6), elastic!.table.value(name, 0.6), 1e-2);
  near(rigid!.table.value('box.r[1]', 0.6), 1 / (0.6 * g));
});

describe('a slender rod that slides on its end with much friction', () => {
  const [angle, length, width] = [1.1, 1, 0.01];
  const height = (Math.sin(angle) * length + Math.cos(angle) * width) / 2;
  const sliding = (speed: number) =>
    simulate(
      modelOf(`${world()} ${ground} ${law(0, 2)}
      Box rod(fixed = false, lengthX = ${length}, lengthY = ${width}, lengthZ = 0.1, mass = 1, rotation = {0, 0, ${angle}}, translation = {0, ${height}, 0}, velocity = {${speed}, 0, 0}, ${touches});`),
      { stopTime: 0.5 },
    );

  test('jams where friction presses it down, and is told of', async () => {
    // 1 + 3 cos^2 is less than 2 times 3 sin cos.
    const { diagnostics, status } = await sliding(-3);
    expect(status).toBe('failed');
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '`rod` slides on `ground` in such a way that rigid bodies have no force that keeps them apart: friction presses them together the more, the more they press.',
    ]);
  });

  test('falls where friction lifts it', async () => {
    const { status, table } = await sliding(3);
    expect(status).toBe('done');
    near(table.value('rod.r[2]', 0.5), width / 2, 1e-10);
  });
});

describe('what does not hold for rigid bodies is told', () => {
  test('resistance to rolling is spoken of only where the model has a law with it', async () => {
    const { diagnostics } = await run('Bodies', `${world()} ${ground} ${ball('ball', 0, 0.1)}`, 0.1);
    expect(diagnostics).toEqual([]);
  });

  test.each([
    ['in the world', 'parent = "world"', ''],
    ['in one body', 'parent = "body"', 'Object3D body(fixed = false, mass = 1);'],
  ])('shapes that are fixed %s never touch each other', async (_, parent, more) => {
    const shape = (name: string, x: number) =>
      `Box ${name}(${parent}, lengthX = 1, lengthY = 1, lengthZ = 1, translation = {${x}, 0, 0}, ${touches});`;
    const { diagnostics } = await simulate(modelOf(`${world()} ${more} ${shape('a', 0)} ${shape('b', 3)}`), {
      stopTime: 0.1,
    });
    expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: `a` has `contact = true`, but there is nothing that it could touch.',
    ]);
  });

  test('restitution behind a flange, and resistance to rolling', async () => {
    const { diagnostics, status } = await simulate(
      modelOf(`${world()} ${ground}
      ContactLaw law(material1 = "Steel", material2 = "Steel", restitution = 0.5, friction = 0.3, rolling = 0.1);
      PrismaticWithFlange slide(obj1 = "world", obj2 = "ball", axis = {0, 1, 0}, s(start = 0.5, fixed = true), v(start = 0, fixed = true));
      Sphere ball(diameter = 0.2, mass = 1, ${touches});`),
      { stopTime: 0.5 },
    );
    expect(status).toBe('done');
    expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'info: Rigid bodies roll without resistance: `rolling` of the law of `ground` and `ball` does nothing.',
      'warning: `ground` and `ball` do not bounce: a joint with a flange moves one of them, and rigid impacts of such bodies are plastic.',
    ]);
  });
});
