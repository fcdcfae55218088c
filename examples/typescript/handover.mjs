// One robot takes a ball from its plate and gives it to another one, which puts it on its own: `npx mutabor examples/typescript/handover.mjs --animation handover.html`.
import { Class, Model, modelica } from 'mutabor';
import { Program } from 'mutabor/actions';
import { Object3D, Sensor, Sphere, World } from 'mutabor/bodies';

const [open, closed] = [0.06, 0.048];
/** Over the plate with the angle π of the first joint, in front of the robot with 0. */
const low = (turned, opening) => [turned, Math.PI / 4, Math.PI / 4, 1.04, 0, opening];
const high = (turned, opening) => [turned, 0, Math.PI / 2, 0, 0, opening];

const common = {
  axes: { speed: [2.7, 2.7, 4.9, 5.9, 5.9, 2], acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5] },
  parts: { ball: 'ballLock' },
  reach: 0.06,
  speed: 0.001,
};

const give = Program('Give', {
  ...common,
  places: { plate: 'first.plateLock', hand: 'first.gripper.lock' },
  conditions: { taken: modelica`take.ball_hand.active` },
  *run({ attach, handOver, move, release, until, wait }) {
    yield attach('ball', 'plate');
    yield move(high(Math.PI, open), low(Math.PI, open), low(Math.PI, closed));
    yield wait(1);
    yield handOver('ball', 'hand');
    yield move(high(Math.PI, closed), high(0, closed), low(0, closed));
    yield until('taken');
    yield release('ball');
    yield move(low(0, open), high(0, open));
  },
});

const take = Program('Take', {
  ...common,
  places: { hand: 'second.gripper.lock', plate: 'second.plateLock' },
  conditions: { offered: modelica`between.distance < 0.051 and between.v*between.v < 1e-7` },
  *run({ attach, handOver, move, until, wait }) {
    yield move(high(0, open), low(0, open));
    yield until('offered');
    yield wait(1);
    yield attach('ball', 'hand');
    yield move(high(0, closed), high(Math.PI, closed), low(Math.PI, closed));
    yield wait(1);
    yield handOver('ball', 'plate');
    yield move(high(Math.PI, open));
  },
});

/** A robot that follows a program. */
const robot = (name, place) =>
  Class('Mutabor.Robots.YouBot').with({
    ...place,
    arm: modelica`${name}.position[1:5]`,
    opening: modelica`${name}.position[6]`,
  });

export const Handover = Model('Handover', {
  info: 'Two robots face each other, each with its program',
  world: World({ direction: [0, 0, -1], camera: [0.5, -2.2, 1.2], target: [0.5, 0, 0.2] }),
  ball: Sphere({
    fixed: false,
    translation: [-0.211, 0, 0.1842],
    diameter: 0.05,
    material: 'DryWood',
    color: 'Crimson',
  }),
  ballLock: Object3D({ parent: 'ball', translation: [0, 0.025, 0] }),
  between: Sensor({ object: 'first.gripper.lock', origin: 'second.gripper.lock' }),
  give,
  take,
  first: robot('give', {}),
  second: robot('take', { position: [1.074074, 0, 0.084], rotation: [0, 0, Math.PI] }),
  experiment: { stopTime: 28 },
});

export default Handover;
