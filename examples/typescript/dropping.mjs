// A robot takes a ball from its plate, drops it, takes it again where it has come to rest, and puts it down: `npx mutabor examples/typescript/dropping.mjs --animation dropping.html`.
import { Class, Model, modelica } from 'mutabor';
import { Program } from 'mutabor/actions';
import { ContactLaw, ContactSensor, Object3D, Sphere, World } from 'mutabor/bodies';

const [open, closed] = [0.06, 0.048];
const above = (opening) => [Math.PI, 0, Math.PI / 2, 0, 0, opening];
const atPlate = (opening) => [Math.PI, Math.PI / 4, Math.PI / 4, 1.057, 0, opening];

const program = Program('Drop', {
  axes: { speed: [2.7, 2.7, 4.9, 5.9, 5.9, 2], acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5] },
  parts: { ball: 'ballLock' },
  places: { plate: 'robot.plateLock', hand: 'robot.gripper.lock' },
  reach: 0.06,
  speed: 0.01,
  turn: 0.5,
  *run({ attach, handOver, move, release, wait }) {
    function* fetch() {
      yield move(atPlate(open));
      yield wait(0.5);
      yield attach('ball', 'hand');
      yield move(above(closed));
    }
    yield* fetch();
    yield release('ball');
    yield wait(1);
    yield* fetch();
    yield move(atPlate(closed));
    yield wait(0.5);
    yield handOver('ball', 'plate');
    yield move(above(open));
  },
});

export const Dropping = Model('Dropping', {
  info: 'A robot drops a ball, and takes it again',
  world: World({ direction: [0, 0, -1], camera: [-0.9, -1.1, 0.9], target: [-0.05, 0, 0.25] }),
  law: ContactLaw({ restitution: 0.6, friction: 0.3, rolling: 0.001, stiffness: 1e-3 }),
  ball: Sphere({
    fixed: false,
    translation: [-0.211, 0, 0.1843],
    diameter: 0.05,
    material: 'DryWood',
    contact: true,
    color: 'Crimson',
  }),
  ballLock: Object3D({ parent: 'ball', translation: [0, 0.025, 0] }),
  plate: ContactSensor({ object1: 'robot.surface', object2: 'ball' }),
  program,
  robot: Class('Mutabor.Robots.YouBot').with({
    contact: true,
    gripper: { contact: false },
    arm: modelica`program.position[1:5]`,
    opening: modelica`program.position[6]`,
  }),
  experiment: { stopTime: 15, tolerance: 1e-7 },
});

export default Dropping;
