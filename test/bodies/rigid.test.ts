/** Rigid contact against closed forms: impacts, rest, sticking, sliding, rolling, leaving. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { ball, box, g, ground, law, near, precise, touches, world } from './rigidnotation.ts';

describe('a ball that falls on the ground', () => {
  /** Height and speed at a time, from bounces that are counted. */
  function bouncing(height: number, restitution: number, time: number): [number, number] {
    let at = Math.sqrt((2 * height) / g);
    if (time < at) return [height - (g * time * time) / 2, -g * time];
    let speed = restitution * g * at;
    for (let n = 0; n < 1e5 && speed > 1e-9; n++) {
      const flight = (2 * speed) / g;
      if (at + flight > time)
        return [speed * (time - at) - (g * (time - at) ** 2) / 2, speed - g * (time - at)];
      at += flight;
      speed *= restitution;
    }
    return [0, 0];
  }

  test.each([0, 0.3, 0.5, 0.7, 0.9, 0.99, 1])('rises as its restitution says: %d', async (restitution) => {
    for (const stop of [0.9, 1.7, 2.2]) {
      const { table } = await run(
        'Bodies',
        `${world()} ${ground} ${law(restitution, 0.3)} ${ball('ball', 0, 1.1)}`,
        stop,
        precise,
      );
      const [height, speed] = bouncing(1, restitution, stop);
      near(table.value('ball.r[2]', stop) - 0.1, height);
      near(table.value('ball.v[2]', stop), speed);
    }
  });

  test('comes to rest when its bounces have accumulated', async () => {
    const restitution = 0.7;
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(restitution, 0)} ${ball('ball', 0, 1.1)}`,
      3,
      precise,
    );
    const end = Math.sqrt(2 / g) * (1 + (2 * restitution) / (1 - restitution));
    near(table.value('ball.v[2]', end + 1e-3), 0);
    near(table.value('ball.r[2]', end + 1e-3), 0.1, 1e-10);
    // It still moves shortly before.
    const moving = [...table.time.keys()].filter((row) => Math.abs(table.at('ball.v[2]', row)) > 1e-9);
    const stopped = table.time[moving.at(-1)!]!;
    expect(Math.abs(stopped - end)).toBeLessThan(1e-4);
  });

  test('bounces in a corner of walls as in three directions at once', async () => {
    const walls = `Box left(parent = "world", lengthX = 0.2, lengthY = 4, lengthZ = 4, translation = {-0.1, 2, 0}, ${touches});
      Box back(parent = "world", lengthX = 4, lengthY = 4, lengthZ = 0.2, translation = {2, 2, -0.1}, ${touches});`;
    // All three walls are reached at 0.2 s.
    const height = 0.1 + 1 * 0.2 + (g * 0.04) / 2;
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${walls} ${law(1, 0)} ${ball('ball', 0.5, height, ', velocity = {-2, -1, -3}', 0.7)}`,
      0.3,
      precise,
    );
    near(table.value('ball.v[1]', 0.3), 2);
    near(table.value('ball.v[3]', 0.3), 3);
    near(table.value('ball.v[2]', 0.3), 1 + 0.2 * g - 0.1 * g);
  });
});

describe('balls that slide and roll', () => {
  test('a ball that slides rolls in the end with 5/7 of its speed', async () => {
    const friction = 0.3;
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, friction)} ${ball('ball', 0, 0.1, ', velocity = {2, 0, 0}')}`,
      2,
      precise,
    );
    const rolls = (2 / 7) * (2 / (friction * g));
    near(table.value('ball.v[1]', 2), 10 / 7);
    near(table.value('ball.w[3]', 2), -100 / 7);
    near(
      table.value('ball.r[1]', 2),
      2 * rolls - (friction * g * rolls * rolls) / 2 + (10 / 7) * (2 - rolls),
    );
  });

  test('a ball with side spin goes straight on once it rolls', async () => {
    const friction = 0.25;
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, friction)} ${ball('ball', 0, 0.1, ', velocity = {1, 0, 0}, angularVelocity = {30, 7, 0}')}`,
      2,
      precise,
    );
    // Slip is v + w x (0, -r, 0): (1 + 0, 0, -3); it ends after 2/7 of it is gone by friction.
    const slip = [1, -3] as const;
    near(table.value('ball.v[1]', 2), 1 - (2 / 7) * slip[0]);
    near(table.value('ball.v[3]', 2), -(2 / 7) * slip[1]);
    near(table.value('ball.w[2]', 2), 7);
  });

  test('a cylinder rolls with 2/3 of its speed', async () => {
    const friction = 0.3;
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, friction)} Cylinder c(fixed = false, axis = 3, diameter = 0.2, length = 0.3, translation = {0, 0.1, 0}, velocity = {2, 0, 0}, ${touches});`,
      1,
      precise,
    );
    near(table.value('c.v[1]', 1), 4 / 3);
    near(table.value('c.r[2]', 1), 0.1);
  });

  test.each([
    [0, 2 / 3, 2],
    [1e7, 10 / 17, 10 / 7],
  ])('a ball leaves a sphere where it should, with friction %d', async (friction, cosine, part) => {
    const start = 0.05;
    const { table } = await run(
      'Bodies',
      `${world()} ${law(0, friction)} Sphere big(parent = "world", diameter = 2, ${touches});
      ${ball('ball', 1.1 * Math.sin(start), 1.1 * Math.cos(start))}`,
      3,
      precise,
    );
    const leaves = cosine * Math.cos(start);
    const speed = Math.sqrt(part * g * 1.1 * (Math.cos(start) - leaves));
    near(table.value('ball.v[1]', 3), speed * leaves);
  });
});

describe('boxes', () => {
  const size = [0.3, 0.2, 0.4] as const;
  test.each([0.5, 0.999, 1.001, 1.5])('on a slope of %d times the friction angle', async (share) => {
    const friction = 0.4;
    const angle = Math.atan(friction * share);
    const { table } = await run(
      'Bodies',
      `${world(`, direction = {${Math.sin(angle)}, ${-Math.cos(angle)}, 0}`)} ${ground} ${law(0, friction)} ${box('box', 0, 0.1, size)}`,
      2,
      precise,
    );
    const acceleration = share > 1 ? g * (Math.sin(angle) - friction * Math.cos(angle)) : 0;
    near(table.value('box.r[1]', 2), 2 * acceleration);
    near(table.value('box.v[1]', 2), 2 * acceleration);
    near(table.value('box.r[2]', 2), 0.1, 1e-12);
  });

  test('a box that is pushed up a slope stops and comes back', async () => {
    const [friction, angle] = [0.2, 0.5];
    const { table } = await run(
      'Bodies',
      `${world(`, direction = {${Math.sin(angle)}, ${-Math.cos(angle)}, 0}`)} ${ground} ${law(0, friction)} ${box('box', 0, 0.1, size, ', velocity = {-3, 0, 0}')}`,
      2,
      precise,
    );
    const up = g * (Math.sin(angle) + friction * Math.cos(angle));
    const down = g * (Math.sin(angle) - friction * Math.cos(angle));
    const turns = 3 / up;
    near(table.value('box.v[1]', 2), down * (2 - turns));
    near(table.value('box.r[1]', 2), -4.5 / up + (down * (2 - turns) ** 2) / 2);
  });

  test('a box slides when a force exceeds its friction', async () => {
    const [friction, mass] = [0.4, 10];
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, friction)} ${box('box', 0, 0.1, size, `, mass = ${mass}`)} WorldForce push(object = "box", f = {40*time, 0, 0});`,
      2,
      precise,
    );
    const from = (friction * mass * g) / 40;
    near(table.value('box.v[1]', 2), (40 / mass) * (2 - from ** 2 / 2) - friction * g * (2 - from));
    near(table.value('box.r[2]', 2), 0.1, 1e-12);
  });

  test('a tall box tips where it would not slide yet, and slides where it would not tip yet', async () => {
    const pushed = (friction: number, stop: number) =>
      run(
        'Bodies',
        `${world()} ${ground} ${law(0, friction)} ${box('box', 0, 0.2, [0.2, 0.4, 0.2], ', mass = 10')}
        Object3D top(parent = "box", translation = {0, 0.2, 0}); WorldForce push(object = "top", f = {40*time, 0, 0});`,
        stop,
        precise,
      );
    // It tips at 10 g 0.1/0.4 N, that is 0.613 s, about its edge, and slides at friction times 10 g.
    const tips = (10 * g * 0.25) / 40;
    const still = await pushed(0.6, tips - 1e-3);
    near(still.table.value('box.angles[3]', tips - 1e-3), 0, 1e-12);
    const falls = await pushed(0.6, tips + 0.2);
    // I w' = 40 t (0.4 c - 0.2 s) - m g (0.1 c - 0.2 s) for the angle from its edge, by a few lines of Runge and Kutta.
    const inertia = (10 * (0.2 ** 2 + 0.4 ** 2)) / 12 + 10 * (0.1 ** 2 + 0.2 ** 2);
    const rate = (t: number, a: number) => {
      const [c, s] = [Math.cos(a), Math.sin(a)];
      return (40 * t * (0.4 * c + 0.1 * s) - 10 * g * (0.1 * c - 0.2 * s)) / inertia;
    };
    let [a, w] = [0, 0];
    const h = 0.2 / 4000;
    for (let n = 0; n < 4000; n++) {
      const t = tips + n * h;
      const k1 = rate(t, a);
      const k2 = rate(t + h / 2, a + (h * w) / 2);
      const k3 = rate(t + h / 2, a + (h * w) / 2 + (h * h * k1) / 4);
      const k4 = rate(t + h, a + h * w + (h * h * k2) / 2);
      a += h * w + (h * h * (k1 + k2 + k3)) / 6;
      w += (h * (k1 + 2 * k2 + 2 * k3 + k4)) / 6;
    }
    near(falls.table.value('box.angles[3]', tips + 0.2), -a);
    near(falls.table.value('box.r[1]', tips + 0.2), 0.1 - 0.1 * Math.cos(a) + 0.2 * Math.sin(a));
    const slides = await pushed(0.2, 0.6);
    const from = (0.2 * 10 * g) / 40;
    near(slides.table.value('box.v[1]', 0.6), 4 * (0.18 - from ** 2 / 2) - 0.2 * g * (0.6 - from));
    near(slides.table.value('box.angles[3]', 0.6), 0, 1e-12);
  });

  test('five of them on each other stand for 10 s', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 0.5)} ${names.map((name, k) => box(name, 0, 0.1 + 0.2 * k, [0.2, 0.2, 0.2])).join('\n')}`,
      10,
      precise,
    );
    for (const [k, name] of names.entries()) {
      near(table.value(`${name}.r[2]`, 10), 0.1 + 0.2 * k, 1e-12);
      near(table.value(`${name}.r[1]`, 10), 0, 1e-12);
      near(table.value(`${name}.angles[3]`, 10), 0, 1e-12);
    }
  });

  test('a box that falls flat bounces as a ball does', async () => {
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0.6, 0.4)} ${box('box', 0, 0.6, size)}`,
      0.5,
      precise,
    );
    const lands = Math.sqrt(1 / g);
    near(table.value('box.v[2]', 0.5), 0.6 * g * lands - g * (0.5 - lands));
    near(table.value('box.angles[3]', 0.5), 0, 1e-12);
  });

  test('a box that slides and turns stops doing both at once', async () => {
    const { table } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 0.4)} ${box('box', 0, 0.1, [0.3, 0.2, 0.3], ', velocity = {1, 0, 0}, angularVelocity = {0, 5, 0}')}`,
      1,
      precise,
    );
    // Friction of four corners, which bear what the forces of friction leave to them: a few lines of time stepping.
    const corners = [
      [0.15, 0.15],
      [0.15, -0.15],
      [-0.15, -0.15],
      [-0.15, 0.15],
    ] as const;
    /** By mass. */
    const rates = ([, , vx, vz, a, w]: readonly number[]) => {
      const [c, s] = [Math.cos(a!), Math.sin(a!)];
      const points = corners.map(([x, z]) => [c * x + s * z, -s * x + c * z] as const);
      const slips = points.map(([x, z]) => [vx! + w! * z, vz! - w! * x] as const);
      let [fx, fz, turning] = [0, 0, 0];
      for (let n = 0; n < 40; n++) {
        const [ex, ez] = [-0.1 * fx, -0.1 * fz];
        [fx, fz, turning] = [0, 0, 0];
        for (const [k, [x, z]] of points.entries()) {
          const [sx, sz] = slips[k]!;
          const load = g / 4 + (ex * x + ez * z) / 0.09;
          const by = (-0.4 * load) / Math.hypot(sx, sz);
          fx += by * sx;
          fz += by * sz;
          turning += z * by * sx - x * by * sz;
        }
      }
      return [vx!, vz!, fx, fz, w!, turning / 0.015];
    };
    const plus = (y: readonly number[], h: number, d: readonly number[]) =>
      y.map((value, i) => value + h * d[i]!);
    let y: readonly number[] = [0, 0, 1, 0, 0, 5];
    // Steps become smaller as it stops.
    for (let n = 0; n < 5000 && Math.hypot(y[2]!, y[3]!) > 1e-6; n++) {
      const h = 2e-3 * Math.hypot(y[2]!, y[3]!);
      const k1 = rates(y);
      const k2 = rates(plus(y, h / 2, k1));
      const k3 = rates(plus(y, h / 2, k2));
      const k4 = rates(plus(y, h, k3));
      y = y.map((value, i) => value + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
    }
    const [x, z] = [y[0]!, y[1]!];
    near(table.value('box.r[1]', 1), x, 1e-6);
    near(table.value('box.r[3]', 1), z, 1e-6);
    near(table.value('box.v[1]', 1), 0, 1e-12);
    near(table.value('box.w[2]', 1), 0, 1e-12);
  });
});

describe('impacts', () => {
  test('a row of equal balls passes on what it gets, one or two', async () => {
    const balls = (moving: number) =>
      Array.from({ length: 5 }, (_, k) =>
        ball(`b${k}`, 0.2 * k - (k < moving ? 0.3 : 0), 0, k < moving ? ', velocity = {1, 0, 0}' : ''),
      ).join('\n');
    for (const moving of [1, 2]) {
      const { table } = await run(
        'Bodies',
        `${world(', gravity = Gravity.none')} ${law(1, 0.3)} ${balls(moving)}`,
        1,
        precise,
      );
      for (let k = 0; k < 5; k++) near(table.value(`b${k}.v[1]`, 1), k >= 5 - moving ? 1 : 0);
    }
  });

  test('a rod that falls on its end turns as its impulse says', async () => {
    const [angle, length, mass, restitution] = [0.6, 1, 2, 0.5];
    const { table } = await run(
      'Bodies',
      `${world(', gravity = Gravity.none')} ${ground} ${law(restitution, 0)}
      Box rod(fixed = false, lengthX = ${length}, lengthY = 1e-3, lengthZ = 1e-3, mass = ${mass}, rotation = {0, 0, ${angle}}, translation = {0, 0.5, 0}, velocity = {0, -1, 0}, ${touches});`,
      0.25,
      precise,
    );
    // The corner that is lowest, from the middle.
    const arm = -(length / 2) * Math.cos(angle) + 0.5e-3 * Math.sin(angle);
    const inertia = (mass * (length ** 2 + 1e-6)) / 12;
    const impulse = (1 + restitution) / (1 / mass + (arm * arm) / inertia);
    near(table.value('rod.v[2]', 0.25), -1 + impulse / mass);
    near(table.value('rod.w[3]', 0.25), (arm * impulse) / inertia);
    near(table.value('rod.v[1]', 0.25), 0);
  });

  test('a ball with friction takes up spin at an impact', async () => {
    const { table } = await run(
      'Bodies',
      `${world(', gravity = Gravity.none')} ${ground} ${law(0.8, 0.1)} ${ball('ball', 0, 0.2, ', velocity = {3, -1, 0}')}`,
      0.2,
      precise,
    );
    // It slides all the time: 0.1 (1 + 0.8) of the speed against it.
    near(table.value('ball.v[1]', 0.2), 3 - 0.18);
    near(table.value('ball.v[2]', 0.2), 0.8);
    near(table.value('ball.w[3]', 0.2), -0.18 / (0.4 * 0.1));
  });

  test('a pendulum that hits a wall', async () => {
    const { table } = await run(
      'Bodies',
      `${world(', gravity = Gravity.none')} ${law(0.5, 0)}
      Box wall(parent = "world", lengthX = 0.2, lengthY = 4, lengthZ = 4, translation = {0.2, 0, 0}, ${touches});
      Revolute hinge(obj1 = "world", obj2 = "arm", w0 = 0.5);
      Object3D arm;
      Sphere bob(parent = "arm", translation = {0, -1, 0}, diameter = 0.2, mass = 3, ${touches});`,
      1,
      precise,
    );
    // The wall begins at x = 0.1, where the ball is at once: it moves to the other side.
    near(table.value('hinge.w', 1), -0.25);
  });
});
