/** Impulses of rigid impacts, as sensors of contact report them: what bodies gain of momentum is what they get. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { ball, box, g, ground, law, near, precise, world } from './rigidnotation.ts';

type Impulses = readonly {
  readonly time: number;
  readonly variable: string;
  readonly weight: number;
  readonly unit?: string;
}[];

/** The sum of all impulses of a sensor until a time. */
const total = (impulses: Impulses, sensor: string, until: number, what = 'impulse'): number[] =>
  [1, 2, 3].map((i) =>
    impulses.reduce(
      (sum, { variable, weight, time }) =>
        sum + (variable === `${sensor}.${what}[${i}]` && time <= until ? weight : 0),
      0,
    ),
  );

describe('the impulse of an impact', () => {
  test.each([0, 0.4, 1])('stops a ball and throws it back, with restitution %d', async (restitution) => {
    const { impulses } = await run(
      'Bodies',
      `${world()} ${ground} ${law(restitution, 0.3)} ${ball('ball', 0, 1.1, ', mass = 2')}
      ContactSensor on(object1 = "ground", object2 = "ball"); ContactSensor back(object1 = "ball", object2 = "ground");`,
      0.6,
      precise,
    );
    const falls = Math.sqrt(2 / g);
    const first = impulses.filter(({ time }) => Math.abs(time - falls) < 1e-6);
    expect(first.map(({ variable, unit }) => [variable, unit])).toEqual([
      ['on.impulse[2]', 'N.s'],
      ['back.impulse[2]', 'N.s'],
    ]);
    near(first[0]!.weight, 2 * (1 + restitution) * g * falls);
    near(first[1]!.weight, -2 * (1 + restitution) * g * falls);
  });

  test('is what each of two bodies gains of momentum, along and across', async () => {
    const masses = [1, 3];
    const { table, impulses } = await run(
      'Bodies',
      `${world(', gravity = Gravity.none')} ${law(0.6, 0.2)}
      ${ball('a', -1, 0.05, ', mass = 1, velocity = {3, 0.5, 0}, angularVelocity = {0, 4, 9}')}
      ${box('b', 0, 0, [0.3, 0.4, 0.5], ', mass = 3, velocity = {-1, 0, 0.2}, angularVelocity = {0, 0, 0.3}', 0.02)}
      ContactSensor hit(object1 = "a", object2 = "b");`,
      1,
      precise,
    );
    const hit = total(impulses, 'hit', 1);
    expect(Math.hypot(...hit)).toBeGreaterThan(1);
    expect(Math.hypot(hit[1]!, hit[2]!)).toBeGreaterThan(0.05);
    for (const [k, name] of ['a', 'b'].entries())
      for (const i of [0, 1, 2]) {
        const gained = table.value(`${name}.v[${i + 1}]`, 1) - table.value(`${name}.v[${i + 1}]`, 0);
        near(masses[k]! * gained, (k === 0 ? -1 : 1) * hit[i]!, 1e-9);
      }
  });

  test('turns what it meets beside its centre, about the origin of the second object', async () => {
    const { table, impulses } = await run(
      'Bodies',
      `${world(', gravity = Gravity.none')} ${law(0.6, 0.2)}
      ${ball('a', 9, 0.05, ', mass = 1, velocity = {3, 0.5, 0}, angularVelocity = {0, 4, 9}', 5)}
      ${box('b', 10, 0, [0.3, 0.4, 0.5], ', mass = 3, velocity = {-1, 0, 0}', 5.02)}
      ContactSensor hit(object1 = "a", object2 = "b"); ContactSensor back(object1 = "b", object2 = "a"); ContactSensor any(object1 = "a");`,
      1,
      precise,
    );
    const gained = (name: string) =>
      [1, 2, 3].map((i) => table.value(`${name}[${i}]`, 1) - table.value(`${name}[${i}]`, 0));
    const [back, hit, any] = ['back', 'hit', 'any'].map((name) => total(impulses, name, 1, 'angularImpulse'));
    for (const i of [0, 1, 2]) near(back![i]!, 0.4 * 0.1 ** 2 * gained('a.w')[i]!, 1e-9);
    // The box does not turn until then: its axes are those of the world.
    const at = impulses[0]!.time;
    const mean = (3 * (0.3 ** 2 + 0.4 ** 2)) / 12;
    expect(Math.abs(hit![2]!)).toBeGreaterThan(0.01);
    near(table.value('b.w[3]', at + 1e-9), hit![2]! / mean, 1e-6);
    const arm = [1, 2, 3].map((i) => table.value(`b.r[${i}]`, at) - table.value(`a.r[${i}]`, at));
    const impulse = total(impulses, 'hit', 1);
    for (const i of [0, 1, 2]) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      // About the centre of the ball, what both get is opposite.
      near(hit![i]! + arm[j]! * impulse[k]! - arm[k]! * impulse[j]!, -back![i]!, 1e-9);
      near(any![i]!, -back![i]!, 1e-12);
    }
    expect(new Set(impulses.map(({ variable, unit }) => `${variable.split(/[.[]/)[1]} ${unit}`))).toEqual(
      new Set(['impulse N.s', 'angularImpulse N.m.s']),
    );
  });

  test('passes through a row of balls, from each to the next', async () => {
    const { table, impulses } = await run(
      'Bodies',
      `${world(', gravity = Gravity.none')} ${law(1, 0)}
      ${ball('a', -1, 0, ', mass = 1, velocity = {2, 0, 0}')} ${ball('b', 0, 0, ', mass = 1')} ${ball('c', 0.2, 0, ', mass = 1')}
      ContactSensor first(object1 = "a", object2 = "b"); ContactSensor second(object1 = "b", object2 = "c");
      ContactSensor any(object1 = "b");`,
      1,
      precise,
    );
    near(total(impulses, 'first', 1)[0]!, 2);
    near(total(impulses, 'second', 1)[0]!, 2);
    near(table.value('c.v[1]', 1), 2);
    // What b gives to all others: 2 to one, and -2 to the other.
    near(total(impulses, 'any', 1)[0]!, 0);
  });

  test('and the weight in between are all that moves a ball that bounces until it rests', async () => {
    const { table, impulses } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0.5, 0)} ${ball('ball', 0, 0.3, ', mass = 2')}
      ContactSensor on(object1 = "ground", object2 = "ball");`,
      1,
      precise,
    );
    // At rest the ground bears the weight: until then impulses do.
    const falls = Math.sqrt(0.4 / g);
    const rests = falls * (1 + (2 * 0.5) / (1 - 0.5));
    near(table.value('ball.v[2]', 1), 0);
    near(total(impulses, 'on', 1)[1]!, 2 * g * rests, 1e-5);
  });
});
