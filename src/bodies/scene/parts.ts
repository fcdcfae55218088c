/** The classes of `Mutabor.Bodies` as parts of a mechanism: what it reads and determines in each of them. */
import type { VariableOptions } from '../../builtin/component.ts';
import type { BuiltInPart, Part, Whole } from '../../builtin/whole.ts';
import { withPath } from '../../names/names.ts';

/** What an output follows from: positions, velocities, or accelerations and forces. */
export type Level = 'position' | 'velocity' | 'acceleration';

interface PartClass {
  readonly role: 'world' | 'object' | 'joint' | 'removal' | 'law' | 'switch' | 'touch' | 'force' | 'sensor';
  readonly outputs?: Readonly<Record<string, Level>>;
  /** What is stored of it. */
  readonly results?: Readonly<Record<string, VariableOptions>>;
  /** Outputs that are derivatives of others, by these. */
  readonly rates?: Readonly<Record<string, string>>;
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

const object: PartClass = {
  role: 'object',
  results: {
    r: { size: 3, unit: 'm', description: 'Position' },
    angles: { size: 3, unit: 'rad', displayUnit: 'deg', description: 'Angles about x, the new y, the new z' },
    v: { size: 3, unit: 'm/s', description: 'Velocity' },
    w: { size: 3, unit: 'rad/s', description: 'Angular velocity' },
  },
};
const relative: PartClass['outputs'] = {
  r: 'position',
  v: 'velocity',
  angles: 'position',
  w: 'velocity',
};
const turning = { phi: 'w' };
const sliding = { s: 'v' };

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
  Revolute: {
    role: 'joint',
    condition: 'locked',
    outputs: { phi: 'position', w: 'velocity' },
    rates: turning,
  },
  Prismatic: {
    role: 'joint',
    condition: 'locked',
    outputs: { s: 'position', v: 'velocity' },
    rates: sliding,
  },
  Screw: { role: 'joint', condition: 'locked', outputs: { phi: 'position', w: 'velocity' }, rates: turning },
  Cylindrical: {
    role: 'joint',
    condition: 'locked',
    outputs: { s: 'position', v: 'velocity', phi: 'position', w: 'velocity' },
    rates: { ...turning, ...sliding },
  },
  Universal: {
    role: 'joint',
    condition: 'locked',
    outputs: { phi: 'position', w: 'velocity' },
    rates: turning,
  },
  Planar: {
    role: 'joint',
    condition: 'locked',
    outputs: { s: 'position', v: 'velocity', phi: 'position', w: 'velocity' },
    rates: { ...turning, ...sliding },
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
  Removal: { role: 'removal', condition: 'active' },
  ContactLaw: { role: 'law' },
  NoContact: { role: 'switch', condition: 'active' },
  WorldForce: { role: 'force', loads: ['f'] },
  WorldTorque: { role: 'force', loads: ['t'] },
  PointToPoint: {
    role: 'force',
    loads: ['force'],
    outputs: { length: 'position', speed: 'velocity' },
    rates: { length: 'speed' },
  },
  ForceAndTorque: { role: 'force', loads: ['f', 't'], outputs: relative, rates: { r: 'v' } },
  Sensor: {
    role: 'sensor',
    outputs: { ...relative, distance: 'position', distanceSpeed: 'velocity' },
    rates: { r: 'v', distance: 'distanceSpeed' },
  },
  ContactSensor: {
    role: 'touch',
    outputs: {
      distance: 'position',
      r: 'velocity',
      n: 'velocity',
      f: 'velocity',
      t: 'velocity',
      normalForce: 'velocity',
      frictionForce: 'velocity',
      depthSpeed: 'velocity',
      slipSpeed: 'velocity',
      turnSpeed: 'velocity',
    },
  },
  AccelerationSensor: { role: 'sensor', outputs: { a: 'acceleration', z: 'acceleration' } },
  ReactionSensor: { role: 'sensor', outputs: { f: 'acceleration', t: 'acceleration' } },
};

/** What to use in place of the derivative of an output, or of an equation that gives it, as a sentence. */
export function insteadOf(part: Part, name: string, wish: 'derivative' | 'value'): string {
  const { role, outputs = {}, rates = {} } = classOf(part);
  const shown = (variable: string) => `\`${withPath(part.path, variable)}\``;
  if (wish === 'value')
    return role === 'joint'
      ? 'Use a joint with a flange, such as `RevoluteWithFlange`, and connect this with what gives its motion, such as `Mutabor.Rotational.Position`.'
      : 'Forces, torques and joints with flanges move bodies; sensors only look at them.';
  const rate = rates[name];
  if (rate !== undefined) return `Use ${shown(rate)}, which is its derivative.`;
  if (name === 'angles')
    return `Use ${shown('w')}, the angular velocity: derivatives of the angles follow from it.`;
  if (outputs[name] === 'velocity') return 'An `AccelerationSensor` measures accelerations.';
  return 'Forces and accelerations have no derivatives: they may jump.';
}

const library = 'Mutabor.Bodies.';

/** The class of a part, without the name of the library. */
export const classNameOf = ({ kind }: Part): string => kind.name.slice(library.length);
export const classOf = (part: Part): PartClass => partClasses[classNameOf(part)]!;

/** The parts that models may have; `whole` is the mechanism that they are together. */
export function bodyParts(whole: Whole): BuiltInPart[] {
  return Object.entries(partClasses).map(
    ([name, { outputs = {}, loads = [], condition, drive, results }]) => ({
      name: library + name,
      inputs: [...loads, ...(condition ? [condition] : []), ...(drive ? Object.values(drive) : [])],
      outputs: Object.keys(outputs),
      ...(results && { results, reading }),
      whole,
    }),
  );
}

const reading = (object: string, result: string): string =>
  `A sensor gives it to equations: \`Sensor sensor(object = "${object}");\`, then \`sensor.${result}\`.`;
