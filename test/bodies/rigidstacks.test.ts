/** Rigid bodies on each other: what falls on a stack, is taken from it, or pushes it. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { box, g, ground, law, near, precise, world } from './rigidnotation.ts';

const size = [0.3, 0.2, 0.2] as const;
const sensor = (name: string, first: string, second: string) =>
  `ContactSensor ${name}(object1 = "${first}", object2 = "${second}");`;

describe('a box that falls on one that rests', () => {
  test.each([
    [0, 0],
    [0.02, 0.01],
  ])('stays there at once, off its middle by %d and %d', async (x, z) => {
    const { table, statistics } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 0.3)} ${box('low', 0, 0.1, size, ', mass = 2')}
      ${box('high', x, 0.31, size, ', mass = 2', z)} ${sensor('under', 'ground', 'low')} ${sensor('between', 'low', 'high')}`,
      1,
      precise,
    );
    const lands = Math.sqrt(0.02 / g);
    near(table.value('between.normalForce', lands - 1e-6), 0, 1e-12);
    near(table.value('between.normalForce', lands + 1e-6), 2 * g, 1e-10);
    near(table.value('under.normalForce', lands + 1e-6), 4 * g, 1e-10);
    near(table.value('high.r[2]', 1), 0.3, 1e-12);
    near(table.value('high.r[1]', 1), x, 1e-12);
    near(table.value('high.r[3]', 1), z, 1e-12);
    expect(statistics.events).toBe(1);
  });
});

test('the highest of three boxes is lifted and falls back', async () => {
  const { table, statistics } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0.3)} ${[2, 3, 4].map((mass, k) => box(`b${k}`, 0, 0.1 + 0.2 * k, size, `, mass = ${mass}`)).join('\n')}
    WorldForce lift(object = "b2", f = {0, if time < 0.5 then 0 elseif time < 0.6 then 60 else 0, 0});
    ${sensor('s0', 'ground', 'b0')} ${sensor('s1', 'b0', 'b1')} ${sensor('s2', 'b1', 'b2')}`,
    1.5,
    precise,
  );
  const up = 60 / 4 - g;
  // How high and how fast it is when it is let go; it lands after.
  const [height, speed] = [(up * 0.01) / 2, up * 0.1];
  const lands = 0.6 + (speed + Math.sqrt(speed * speed + 2 * g * height)) / g;
  near(table.value('b2.r[2]', 0.6), 0.5 + height);
  near(table.value('s1.normalForce', 0.59), 3 * g, 1e-10);
  near(table.value('b2.v[2]', lands - 1e-3), speed - g * (lands - 1e-3 - 0.6), 1e-7);
  near(table.value('s2.normalForce', lands + 1e-6), 4 * g, 1e-10);
  near(table.value('s1.normalForce', 1.5), 7 * g, 1e-10);
  near(table.value('s0.normalForce', 1.5), 9 * g, 1e-10);
  near(table.value('b2.r[2]', 1.5), 0.5, 1e-12);
  expect(statistics.events).toBe(3);
});

test('a box that a force drives against two others takes them with it, without gravity', async () => {
  const { table, statistics } = await run(
    'Bodies',
    `${world(', gravity = Gravity.none')} ${law(0, 0.3)} ${box('a', -0.4, 0, size, ', mass = 1')} ${box('b', 0, 0, size, ', mass = 2')} ${box('c', 0.3, 0, size, ', mass = 3')}
    WorldForce push(object = "a", f = {2, 0, 0}); ${sensor('first', 'a', 'b')} ${sensor('second', 'b', 'c')}`,
    1,
    precise,
  );
  // It goes 0.1 m alone; momentum stays.
  const strikes = Math.sqrt(0.1);
  near(table.value('c.v[1]', 1), 2 / 6);
  near(
    table.value('c.r[1]', 1),
    0.3 + ((2 * strikes) / 6) * (1 - strikes) + ((2 / 6) * (1 - strikes) ** 2) / 2,
  );
  near(table.value('first.normalForce', 1), (2 * 5) / 6, 1e-10);
  near(table.value('second.normalForce', 1), (2 * 3) / 6, 1e-10);
  expect(statistics.events).toBe(1);
});

describe('a box that bounces on one that rests', () => {
  const [restitution, above] = [0.5, 0.1];
  const masses = [10, 3] as const;

  /** Heights and speeds of both at a time, from one impact to the next; what hardly moves rests. */
  function bouncing(until: number): { readonly heights: number[]; readonly speeds: number[] } {
    const [y, v] = [
      [0, above],
      [0, 0],
    ];
    let time = 0;
    let rests = true;
    for (;;) {
      const weight = rests ? [0, -g] : [-g, -g];
      // When the upper one meets the lower one, and that one the ground.
      const [gap, speed, by] = [y[1]! - y[0]!, v[1]! - v[0]!, weight[1]! - weight[0]!];
      const lands = rests ? Infinity : (v[0]! + Math.sqrt(v[0]! ** 2 + 2 * g * y[0]!)) / g;
      const meets =
        by < 0 ? (speed + Math.sqrt(speed ** 2 - 2 * by * gap)) / -by : speed < 0 ? gap / -speed : Infinity;
      const step = Math.min(lands, meets, until - time);
      for (const k of [0, 1]) {
        y[k] = y[k]! + v[k]! * step + (weight[k]! * step * step) / 2;
        v[k] = v[k]! + weight[k]! * step;
      }
      time += step;
      if (!(time < until)) return { heights: y, speeds: v };
      if (step === meets) {
        y[1] = y[0]!;
        const impulse = ((1 + restitution) * (v[0]! - v[1]!)) / (1 / masses[0] + 1 / masses[1]);
        v[0] = v[0]! - impulse / masses[0];
        v[1] = v[1]! + impulse / masses[1];
        rests = false;
      }
      // The ground strikes what goes down, and the upper one again, until nothing approaches.
      if (y[0]! < 1e-12 && v[0]! <= 0) {
        y[0] = 0;
        v[0] = -restitution * v[0]!;
        if (v[0]! < 1e-6) [v[0], rests] = [0, true];
      }
      if (rests && Math.abs(v[1]!) < 1e-6 && y[1]! < 1e-10) return { heights: [0, 0], speeds: [0, 0] };
    }
  }

  const bounce = (stop: number) =>
    run(
      'Bodies',
      `${world()} ${ground} ${law(restitution, 0.3)} ${box('a', 0, 0.1, [0.5, 0.2, 0.5], `, mass = ${masses[0]}`)}
      ${box('b', 0, 0.3 + above, [0.3, 0.2, 0.3], `, mass = ${masses[1]}`)} ${sensor('between', 'a', 'b')}`,
      stop,
      precise,
    );

  test('goes up and down as masses and restitution say', async () => {
    for (const time of [0.16, 0.195, 0.21]) {
      const { table } = await bounce(time);
      const { heights, speeds } = bouncing(time);
      near(table.value('a.r[2]', time), 0.1 + heights[0]!);
      near(table.value('b.r[2]', time), 0.3 + heights[1]!);
      near(table.value('b.v[2]', time), speeds[1]!, 1e-7);
    }
  });

  test('comes to rest when its bounces have accumulated', async () => {
    const { table, statistics } = await bounce(1);
    near(table.value('b.r[2]', 1), 0.3, 1e-10);
    near(table.value('b.v[2]', 1), 0, 1e-12);
    near(table.value('between.normalForce', 1), 3 * g, 1e-10);
    expect(statistics.events).toBeLessThan(100);
  });
});

describe('three boxes that fall on each other beside their middles, and bounce', () => {
  const [mass, apart] = [2, 0.05];
  const [width, height] = size;
  const about = (mass / 12) * (width ** 2 + height ** 2);

  test('come to rest on each other, and energy never grows', async () => {
    const { table, statistics } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0.5, 0.3)}
      ${[0, 1, 2].map((k) => box(`b${k}`, apart * k, 0.1 + 0.2 * k + apart * (k + 1), size, `, mass = ${mass}`)).join('\n')}`,
      0.6,
    );
    let before = Infinity;
    for (let row = 0; row < table.rowCount; row++) {
      let energy = 0;
      for (const name of ['b0', 'b1', 'b2']) {
        const of = (variable: string) => table.at(`${name}.${variable}`, row);
        const square = [1, 2, 3].reduce((sum, i) => sum + of(`v[${i}]`) ** 2, 0);
        energy += (mass * square + about * of('w[3]') ** 2) / 2 + mass * g * of('r[2]');
      }
      expect(energy).toBeLessThanOrEqual(before + 1e-5);
      before = energy;
    }
    for (const [k, name] of ['b0', 'b1', 'b2'].entries()) {
      near(table.value(`${name}.r[2]`, 0.6), 0.1 + 0.2 * k, 1e-9);
      near(table.value(`${name}.v[1]`, 0.6), 0, 1e-12);
      near(table.value(`${name}.angles[3]`, 0.6), 0, 1e-8);
    }
    expect(statistics.events).toBeLessThan(600);
  });
});
