/** The classes of `Mutabor.Bodies` as parts of a mechanism: what it reads and determines in each of them. */
import type { BuiltInPart, Part, Whole } from '../../builtin/whole.ts';

/** What an output follows from: positions, velocities, or accelerations and forces. */
export type Level = 'position' | 'velocity' | 'acceleration';

interface PartClass {
  readonly role: 'world' | 'object' | 'joint' | 'force' | 'sensor';
  readonly outputs?: Readonly<Record<string, Level>>;
  /** Forces and torques that the mechanism reads. */
  readonly loads?: readonly string[];
  /** A Boolean that changes the structure. */
  readonly condition?: 'locked' | 'active';
  /** Variables of a joint that is moved from outside. */
  readonly drive?: Drive;
}

/** Names of coordinate, speed, acceleration and force. */
export interface Drive {
  readonly coordinate: string;
  readonly speed: string;
  readonly acceleration: string;
  readonly force: string;
}

const object: PartClass = { role: 'object' };
const relative: PartClass['outputs'] = {
  r: 'position',
  v: 'velocity',
  angles: 'position',
  w: 'velocity',
};

export const partClasses: Readonly<Record<string, PartClass>> = {
  World: { role: 'world' },
  Object3D: object,
  Sphere: object,
  Ellipsoid: object,
  Box: object,
  Cylinder: object,
  Cone: object,
  Capsule: object,
  Beam: object,
  Mesh: object,
  FrameMark: object,
  Grid: object,
  CoilSpring: object,
  GearWheel: object,
  TextMark: object,
  Revolute: { role: 'joint', condition: 'locked', outputs: { phi: 'position', w: 'velocity' } },
  Prismatic: { role: 'joint', condition: 'locked', outputs: { s: 'position', v: 'velocity' } },
  Screw: { role: 'joint', condition: 'locked', outputs: { phi: 'position', w: 'velocity' } },
  Cylindrical: {
    role: 'joint',
    condition: 'locked',
    outputs: { s: 'position', v: 'velocity', phi: 'position', w: 'velocity' },
  },
  Universal: { role: 'joint', condition: 'locked', outputs: { phi: 'position', w: 'velocity' } },
  Planar: {
    role: 'joint',
    condition: 'locked',
    outputs: { s: 'position', v: 'velocity', phi: 'position', w: 'velocity' },
  },
  Spherical: { role: 'joint', condition: 'locked', outputs: { w: 'velocity' } },
  RevoluteWithFlange: {
    role: 'joint',
    drive: { coordinate: 'phi', speed: 'w', acceleration: 'a', force: 'tau' },
  },
  PrismaticWithFlange: {
    role: 'joint',
    drive: { coordinate: 's', speed: 'v', acceleration: 'a', force: 'f' },
  },
  Weld: { role: 'joint', condition: 'active' },
  Rolling: { role: 'joint', condition: 'active' },
  WorldForce: { role: 'force', loads: ['f'] },
  WorldTorque: { role: 'force', loads: ['t'] },
  PointToPoint: { role: 'force', loads: ['force'], outputs: { length: 'position', speed: 'velocity' } },
  ForceAndTorque: { role: 'force', loads: ['f', 't'], outputs: relative },
  Sensor: { role: 'sensor', outputs: { ...relative, distance: 'position', distanceSpeed: 'velocity' } },
  AccelerationSensor: { role: 'sensor', outputs: { a: 'acceleration', z: 'acceleration' } },
  ReactionSensor: { role: 'sensor', outputs: { f: 'acceleration', t: 'acceleration' } },
};

const library = 'Mutabor.Bodies.';

/** The class of a part, without the name of the library. */
export const classNameOf = ({ kind }: Part): string => kind.name.slice(library.length);
export const classOf = (part: Part): PartClass => partClasses[classNameOf(part)]!;

/** The parts that models may have; `whole` is the mechanism that they are together. */
export function bodyParts(whole: Whole): BuiltInPart[] {
  return Object.entries(partClasses).map(([name, { outputs = {}, loads = [], condition, drive }]) => ({
    name: library + name,
    inputs: [...loads, ...(condition ? [condition] : []), ...(drive ? Object.values(drive) : [])],
    outputs: Object.keys(outputs),
    whole,
  }));
}
