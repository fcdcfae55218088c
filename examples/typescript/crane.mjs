// A crane: a trolley that is driven along a beam, a load that swings below it, and a controller that takes it to its place without a swing.
import { Class, connect, Model, modelica, Par } from 'mutabor';
import { Box, Cylinder, Object3D, PrismaticWithFlange, Revolute, Sphere, World } from 'mutabor/bodies';

const world = World();
const trolley = Box({ lengthX: 0.6, lengthY: 0.2, lengthZ: 0.4, mass: 50, color: 'DarkOrange' });
const rope = Object3D();

export const Crane = Model('Crane', {
  info: 'The controller feeds back where the trolley is and how the load swings',
  target: Par({ value: 3, unit: 'm', info: 'Where the load has to go' }),
  world,
  trolley,
  rope,
  line: Cylinder({ parent: rope, axis: 2, length: 2, diameter: 0.02, translation: [0, -1, 0] }),
  load: Sphere({ parent: rope, diameter: 0.5, translation: [0, -2, 0], mass: 200, color: 'SteelBlue' }),
  rail: PrismaticWithFlange({ obj1: world, obj2: trolley, s: { init: 0 }, v: { init: 0 } }),
  hook: Revolute({ obj1: trolley, obj2: rope }),
  drive: Class('Mutabor.Translational.Force').with({
    f: modelica`200*(target - rail.s) - 500*rail.v + 2000*hook.phi`,
  }),
  connections: connect('drive.flange', 'rail.flange'),
  experiment: { stopTime: 20 },
});

export default Crane;
