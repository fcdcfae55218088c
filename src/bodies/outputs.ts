/** Outputs of a mechanism: coordinates of joints, what force elements and sensors read, and the terms of driven joints. */

import type { Part } from '../builtin/whole.ts';
import { grouped } from '../collections/groups.ts';
import { withPath } from '../names/names.ts';
import type { Sensed } from './contact/sensed.ts';
import { vectorIn } from './frames.ts';
import { levelOf, own, type Ports } from './ports.ts';
import * as readings from './readings.ts';
import { classOf, type Level } from './scene/parts.ts';
import type { Scene, SceneTouch } from './scene/scene.ts';
import type { Setup } from './setup.ts';
import { cross, minus, plus, type Vector, zero } from './space.ts';

/** Writes an output from a place on. */
export type Write = (setup: Setup, y: Float64Array, at: number) => void;

export interface Output {
  readonly level: Level | keyof typeof own;
  readonly write: Write;
}

/** Outputs of all parts by name; those of the mechanism itself are given. */
export function outputsOf(
  { joints, forces, sensors, touches }: Scene,
  ownOutputs: Readonly<Record<keyof typeof own, Write>>,
  sense: (sensor: SceneTouch) => Sensed,
  ports: Ports,
): ReadonlyMap<string, Output> {
  const outputs = new Map<string, Output>();
  for (const level of Object.keys(own) as (keyof typeof own)[])
    outputs.set(own[level], { level, write: ownOutputs[level] });
  const add = (part: Part, level: Level, all: Readonly<Record<string, Write>>) => {
    for (const [name, write] of Object.entries(all)) outputs.set(withPath(part.path, name), { level, write });
  };
  const addRelative = (part: Part, against: readings.Against) => {
    add(part, 'position', {
      r: ({ frames }, y, at) => readings.position(frames, against, y, at),
      angles: ({ frames }, y, at) => readings.angles(frames, against, y, at),
    });
    add(part, 'velocity', {
      v: ({ frames }, y, at) => readings.velocity(frames, against, y, at),
      w: ({ frames }, y, at) => readings.angularVelocity(frames, against, y, at),
    });
  };
  const addDistance = (part: Part, against: readings.Against, length: string, speed: string) => {
    add(part, 'position', {
      [length]: ({ frames }, y, at) => {
        y[at] = readings.distance(frames, against);
      },
    });
    add(part, 'velocity', {
      [speed]: ({ frames }, y, at) => {
        y[at] = readings.distanceSpeed(frames, against);
      },
    });
  };

  for (const { part, kind, a, b = a } of forces) {
    const against = { of: b, origin: a, resolve: a };
    if (kind === 'PointToPoint') addDistance(part, against, 'length', 'speed');
    if (kind === 'ForceAndTorque') addRelative(part, against);
  }
  for (const { part, kind, ...against } of sensors) {
    const { of, resolve } = against;
    if (kind === 'Sensor') {
      addRelative(part, against);
      addDistance(part, against, 'distance', 'distanceSpeed');
    } else {
      const [turning, moving] = kind === 'AccelerationSensor' ? ['z', 'a'] : ['t', 'f'];
      const read = kind === 'AccelerationSensor' ? readAcceleration : readReaction;
      const write =
        (from: number): Write =>
        (setup, y, at) => {
          read(setup, of);
          resolved(setup, resolve, from, y, at);
        };
      add(part, 'acceleration', { [turning!]: write(0), [moving!]: write(3) });
    }
  }
  for (const sensor of touches) {
    const of = (
      name: keyof Omit<Sensed, 'clear' | 'add' | 'near' | 'stamp'>,
    ): Readonly<Record<string, Write>> => ({
      [name]: (_, y, at) => {
        const value = sense(sensor)[name];
        if (typeof value === 'number') y[at] = value;
        else y.set(value, at);
      },
    });
    for (const [name, level] of Object.entries(classOf(sensor.part).outputs!))
      add(sensor.part, levelOf(sensor.part, level, ports), of(name as 'distance'));
  }
  for (const [joint, { part, steps, drive, a, b }] of joints.entries()) {
    if (drive) continue;
    const against = { of: b, origin: a, resolve: a };
    const by = (name: 'q' | 'v') => grouped([...steps.keys()], (step) => steps[step]!.shown[name]);
    for (const [name, all] of by('q'))
      if (name !== undefined)
        add(part, 'position', {
          [name]: (setup, y, at) => {
            for (let i = 0; i < all.length; i++) y[at + i] = setup.coordinate(joint, all[i]!);
          },
        });
    for (const [name, all] of by('v'))
      add(part, 'velocity', {
        [name!]: (setup, y, at) => {
          if (steps[0]!.kind === 'spherical') readings.angularVelocity(setup.frames, against, y, at);
          else for (let i = 0; i < all.length; i++) y[at + i] = setup.speed(joint, all[i]!);
        },
      });
  }
  return outputs;
}

/** Objects whose frames outputs need. */
export const observedIn = ({ joints, sensors }: Scene): number[] => [
  ...joints.flatMap(({ a, b }) => [a, b]),
  ...sensors.flatMap(({ of, origin, resolve, kind }) =>
    kind === 'ReactionSensor' ? [resolve] : [of, origin, resolve],
  ),
];

/** Three angular numbers and three linear ones, in world axes. */
export const wrench = new Float64Array(6);

/** Three numbers of the wrench along the axes of an object. */
function resolved(
  { frames: { rotation } }: Setup,
  object: number,
  from: number,
  y: Float64Array,
  at: number,
): void {
  const r = 9 * object;
  for (let i = 0; i < 3; i++)
    y[at + i] =
      rotation[r + i]! * wrench[from]! +
      rotation[r + 3 + i]! * wrench[from + 1]! +
      rotation[r + 6 + i]! * wrench[from + 2]!;
}

/** Angular acceleration of an object and acceleration of its origin, into `wrench`. */
function readAcceleration({ frames, mechanism }: Setup, object: number): void {
  wrench.fill(0);
  const link = frames.linkOf(object);
  if (link < 0) return;
  mechanism.acceleration(link, wrench);
  const arm = minus(vectorIn(frames.position, object), vectorIn(mechanism.motion.position, link));
  const turning = vectorIn(mechanism.motion.angular, link);
  const more = plus(cross(vectorIn(wrench, 0), arm), cross(turning, cross(turning, arm)));
  for (let i = 0; i < 3; i++) wrench[3 + i]! += more[i]!;
}

/** Torque, about the origin of the second object, and force of the first object of a joint on the second, into `wrench`. */
function readReaction(setup: Setup, joint: number): void {
  readTransmitted(setup, joint, (link) => setup.mechanism.reaction(link, wrench));
}

/** The same of impulses, after an impact or a jump. */
export function readImpulse(setup: Setup, joint: number): void {
  readTransmitted(setup, joint, (link) => setup.mechanism.impulse(link, wrench));
}

function readTransmitted(setup: Setup, joint: number, readLink: (link: number) => void): void {
  total.fill(0);
  const add = () => {
    for (let i = 0; i < 6; i++) total[i]! += wrench[i]!;
  };
  const last = setup.linkOf(joint);
  for (const [index, { joint: of, closure }] of setup.closures.entries()) {
    // What holds steps before the last one acts on what is between them.
    if (of !== joint || (closure.kind === 'locked' && closure.link !== last)) continue;
    readClosure(setup, index);
    add();
  }
  if (last >= 0) {
    readLink(last);
    fromFirst(setup, joint, last);
    add();
  }
  wrench.set(total);
}

const total = new Float64Array(6);

/** What the last link of a joint bears, as that of the first object on the second, about the origin of the second. */
function fromFirst({ assembly, scene, frames }: Setup, joint: number, link: number): void {
  const origin = assembly.origins[link]!;
  if (origin.kind === 'free' || !origin.reversed) return;
  // It is that of the second object on the first, about the origin of the first.
  for (let i = 0; i < 6; i++) wrench[i]! *= -1;
  const { a, b } = scene.joints[joint]!;
  moveWrench(vectorIn(frames.position, a), vectorIn(frames.position, b));
}

/** What a closure does to the second object of its joint, about the origin of that: force and torque, or impulses. */
function readClosure({ mechanism, closures: own, frames, scene, assembly }: Setup, index: number): void {
  const { closures, multipliers, motion } = mechanism;
  wrench.fill(0);
  for (let row = 0; row < closures.count; row++) {
    if (closures.closureOf[row] !== index) continue;
    for (let i = 0; i < 6; i++) wrench[i]! += multipliers.values[row]! * closures.onB[6 * row + i]!;
  }
  const { joint, closure } = own[index]!;
  const { b } = scene.joints[joint]!;
  const link = closure.kind === 'locked' ? closure.link : frames.linkOf(b);
  const from = link < 0 ? zero : minus(vectorIn(motion.position, link), vectorIn(motion.offsets, link));
  const origin = assembly.origins[link];
  // What keeps a link that leads from the second object to the first acts on the first.
  if (closure.kind === 'locked' && origin?.kind === 'joint' && origin.reversed)
    for (let i = 0; i < 6; i++) wrench[i]! *= -1;
  moveWrench(from, vectorIn(frames.position, b));
}

/** The torque is about `to` instead of `from`. */
function moveWrench(from: Vector, to: Vector): void {
  const more = cross(minus(from, to), vectorIn(wrench, 1));
  for (let i = 0; i < 3; i++) wrench[i]! += more[i]!;
}
