// A robot with two feet walks like an inchworm: it holds on with one foot, sets the other one, and lets go: `npx mutabor examples/typescript/walking.mjs --animation walking.html`.
import { Class, connect, Model, modelica } from 'mutabor';
import { Program } from 'mutabor/actions';
import { Beam, Box, Object3D, World } from 'mutabor/bodies';

/** Lengths of a leg and of the body between both, and from one footprint to the next. */
const [leg, body, stride] = [0.2, 0.1, 0.2];
const steps = 3;

/** Angles of the joints from the first foot to the second with the feet so far apart, flat on the ground. */
function stand(apart) {
  const angle = Math.acos((apart - body) / 2 / leg);
  return [angle, -angle, -angle, angle];
}
/** The same with the second foot in the air, or the first one. */
const secondUp = ([a, b, c, d]) => [a + 0.15, b, c, d];
const firstUp = ([a, b, c, d]) => [a, b, c, d + 0.15];
const [near, far] = [stand(stride), stand(2 * stride)];

const footprint = (k) => `print${k}`;
const footprints = Array.from({ length: steps + 2 }, (_, k) => footprint(k));

const program = Program('Walk', {
  axes: { speed: [2, 2, 2, 2], acceleration: [8, 8, 8, 8], start: near },
  parts: { first: 'foot1', second: 'foot2.body' },
  places: Object.fromEntries(footprints.map((name) => [name, name])),
  reach: 0.001,
  speed: 0.001,
  turn: 0.01,
  *run({ attach, move, release, wait }) {
    function* step(foot, to, ...rows) {
      yield move(...rows);
      yield wait(1);
      yield attach(foot, to);
    }
    yield attach('first', footprint(0));
    for (let k = 0; k < steps; k++) {
      yield* step('second', footprint(k + 2), secondUp(near), secondUp(far), far);
      yield release('first');
      yield* step('first', footprint(k + 1), firstUp(far), firstUp(near), near);
      yield release('second');
    }
  },
});

/** What a joint carries: a limb of some length. */
const limb = (on, length, mass, angle) =>
  Class('Mutabor.Robots.Link').with({
    on,
    reach: [length, 0, 0],
    mass,
    centre: [length / 2, 0, 0],
    inertia: [
      [1e-4, 0, 0],
      [0, (mass * length ** 2) / 12 + 1e-4, 0],
      [0, 0, (mass * length ** 2) / 12 + 1e-4],
    ],
    phi0: near[angle],
  });
const limbs = {
  leg1: limb('foot1', leg, 0.3, 0),
  body: limb('leg1.tip', body, 1, 1),
  leg2: limb('body.tip', leg, 0.3, 2),
  foot2: limb('leg2.tip', 0, 0.5, 3),
};
const servos = Object.keys(limbs).map((name, k) => ({
  name: `servo${k + 1}`,
  flange: `${name}.flange`,
  servo: Class('Mutabor.Robots.Servo').with({ T: 0.1, reference: modelica`program.position[${k + 1}]` }),
}));

/** What is seen. */
const look = (parent, length, color) =>
  Beam({ parent, length, width: 0.03, thickness: 0.03, translation: [length / 2, 0, 0], color });
const foot = { lengthX: 0.08, lengthY: 0.02, lengthZ: 0.06, color: 'DarkOrange' };

export const Walking = Model('Walking', {
  info: 'An inchworm with four joints, which stands on either foot',
  world: World({ camera: [0.4, 0.5, 1.6], target: [0.4, 0.1, 0] }),
  ...Object.fromEntries(
    footprints.map((name, k) => [name, Object3D({ parent: 'world', translation: [k * stride, 0, 0] })]),
  ),
  foot1: Box({ ...foot, fixed: false, mass: 0.5 }),
  ...limbs,
  ...Object.fromEntries(servos.map(({ name, servo }) => [name, servo])),
  look1: look('leg1.body', leg, 'DimGray'),
  look2: look('body.body', body, 'SteelBlue'),
  look3: look('leg2.body', leg, 'DimGray'),
  look4: Box({ ...foot, parent: 'foot2.body' }),
  program,
  connections: servos.map(({ name, flange }) => connect(`${name}.flange`, flange)),
  experiment: { stopTime: 15 },
});

export default Walking;
