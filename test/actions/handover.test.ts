/** Two robots that face each other: one takes a ball from its plate and gives it to the other, which puts it on its own. Each has its program; the robot is one class. */
import { expect, test } from 'vitest';
import { Program } from '../../src/actions.ts';
import { Object3D, Sensor, Sphere, World } from '../../src/bodies.ts';
import { Class, loadModel, Model, modelica, simulate } from '../../src/index.ts';

const [open, closed] = [0.06, 0.048];
const { PI } = Math;
/** Over the plate with the angle π of the first joint, in front of the robot with 0. */
const low = (turned: number, opening: number) => [turned, PI / 4, PI / 4, 1.04, 0, opening];
const high = (turned: number, opening: number) => [turned, 0, PI / 2, 0, 0, opening];

const common = {
  axes: { speed: [2.7, 2.7, 4.9, 5.9, 5.9, 2], acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5] },
  parts: { ball: 'ballLock' },
  reach: 0.06,
  speed: 1e-3,
};

/** The axis of the first joint is so far in front of the base. */
const shoulder = 0.167;
/** Hands that are low in front of their robots are there. */
const forward = 2 * shoulder + 0.772037 - 0.569;

test('a ball goes from one robot to the other', async () => {
  const apart = 2 * forward;
  const start = [-0.211, 0, 0.1842] as const;
  const Cell = Model('Cell', {
    world: World({ direction: [0, 0, -1] }),
    ball: Sphere({ fixed: false, translation: start, diameter: 0.05, material: 'DryWood' }),
    ballLock: Object3D({ parent: 'ball', translation: [0, 0.025, 0] }),
    between: Sensor({ object: 'first.gripper.lock', origin: 'second.gripper.lock' }),
    give: Program('Give', {
      ...common,
      places: { plate: 'first.plateLock', hand: 'first.gripper.lock' },
      conditions: { taken: modelica`take.ball_hand.active` },
      *run({ attach, handOver, move, release, until, wait }) {
        yield attach('ball', 'plate');
        yield move(high(PI, open), low(PI, open), low(PI, closed));
        yield wait(4);
        yield handOver('ball', 'hand');
        yield move(high(PI, closed), high(0, closed), low(0, closed));
        yield until('taken');
        yield release('ball');
        yield move(low(0, open), high(0, open));
      },
    }),
    take: Program('Take', {
      ...common,
      places: { hand: 'second.gripper.lock', plate: 'second.plateLock' },
      conditions: { offered: modelica`between.distance < 0.051 and between.v*between.v < 1e-9` },
      *run({ attach, handOver, move, until, wait }) {
        yield move(high(0, open), low(0, open));
        yield until('offered');
        yield wait(4);
        yield attach('ball', 'hand');
        yield move(high(0, closed), high(PI, closed), low(PI, closed));
        yield wait(4);
        yield handOver('ball', 'plate');
        yield move(high(PI, open));
      },
    }),
    first: Class('Mutabor.Robots.YouBot').with({
      arm: modelica`give.position[1:5]`,
      opening: modelica`give.position[6]`,
    }),
    second: Class('Mutabor.Robots.YouBot').with({
      position: [apart, 0, 0.084],
      rotation: [0, 0, PI],
      arm: modelica`take.position[1:5]`,
      opening: modelica`take.position[6]`,
    }),
  });
  const { diagnostics, segments, status, table } = await simulate(loadModel(Cell), {
    stopTime: 40,
    tolerance: 1e-7,
  });
  expect(diagnostics).toEqual([]);
  expect(status).toBe('done');
  const at = (time: number) => [1, 2, 3].map((k) => table.value(`ball.r[${k}]`, time));
  // Hands turn by half a turn about their shoulders, from where they take the ball to where they give it.
  const given = [2 * shoulder - start[0], 0, start[2]];
  const put = [2 * (apart - shoulder) - given[0]!, 0, start[2]];
  // On the plate, in the first hand, in the second one, on the other plate.
  expect(segments.map(({ states }) => states)).toEqual([36, 36, 36, 36]);
  const taken = segments[2]!.from;
  for (const [k, value] of given.entries()) expect(Math.abs(at(taken)[k]! - value)).toBeLessThan(2e-5);
  for (const [k, value] of put.entries()) expect(Math.abs(at(40)[k]! - value)).toBeLessThan(4e-5);
  expect(table.value('take.ball_plate.active', 40)).toBe(1);
  expect(table.value('give.ball_hand.active', 40)).toBe(0);
});
