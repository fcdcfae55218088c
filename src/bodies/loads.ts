/** Forces and torques of a scene as wrenches on the bodies: torque and force in world axes, about the origin of the body. */

import type { Instance } from '../builtin/component.ts';
import { withPath } from '../names/names.ts';
import type { Mechanism } from './dynamics/mechanism.ts';
import type { Frames } from './frames.ts';
import { GONE } from './scene/assembly.ts';
import type { Scene, SceneForce } from './scene/scene.ts';

interface Load {
  readonly force: SceneForce;
  /** Where its values lie among the inputs. */
  readonly f: number;
  readonly t: number;
}

export class Loads {
  private readonly loads: readonly Load[];
  /** Objects whose frames are needed. */
  readonly objects: readonly number[];

  constructor(instance: Instance, { forces }: Scene) {
    const place = ({ part }: SceneForce, name: string) => instance.input(withPath(part.path, name)).start;
    this.loads = forces.map((force) => ({
      force,
      f: force.kind === 'WorldTorque' ? -1 : place(force, force.kind === 'PointToPoint' ? 'force' : 'f'),
      t: force.kind === 'WorldTorque' || force.kind === 'ForceAndTorque' ? place(force, 't') : -1,
    }));
    this.objects = [...new Set(forces.flatMap(({ a, b, resolve }) => [a, b ?? a, resolve]))];
  }

  get any(): boolean {
    return this.loads.length > 0;
  }

  /** Writes the wrenches; frames are those of now, `u` are the inputs. */
  apply(u: Float64Array, frames: Frames, mechanism: Mechanism, wrenches: Float64Array): void {
    wrenches.fill(0);
    for (const { force, f, t } of this.loads) {
      const { a, b = a, kind, resolve } = force;
      if (frames.linkOf(a) === GONE || frames.linkOf(b) === GONE) continue;
      if (kind === 'PointToPoint') this.pull(u[f]!, a, b, frames, mechanism, wrenches);
      else if (kind === 'ForceAndTorque') {
        turn(u, f, frames.rotation, a, given);
        push(frames, mechanism, wrenches, a, given, 1, b);
        push(frames, mechanism, wrenches, b, given, -1, b);
        turn(u, t, frames.rotation, a, given);
        twist(frames, wrenches, a, given, 1);
        twist(frames, wrenches, b, given, -1);
      } else {
        const isForce = kind === 'WorldForce';
        turn(u, isForce ? f : t, frames.rotation, resolve, given);
        if (isForce) push(frames, mechanism, wrenches, a, given, 1, a);
        else twist(frames, wrenches, a, given, 1);
      }
    }
  }

  /** A force along the line between two objects. */
  private pull(
    size: number,
    a: number,
    b: number,
    frames: Frames,
    mechanism: Mechanism,
    wrenches: Float64Array,
  ): void {
    let square = 0;
    for (let i = 0; i < 3; i++) {
      given[i] = frames.position[3 * b + i]! - frames.position[3 * a + i]!;
      square += given[i]! * given[i]!;
    }
    if (square === 0) return;
    const factor = size / Math.sqrt(square);
    for (let i = 0; i < 3; i++) given[i]! *= factor;
    push(frames, mechanism, wrenches, a, given, 1, a);
    push(frames, mechanism, wrenches, b, given, -1, b);
  }
}

const given = new Float64Array(3);

/** Three inputs along the axes of an object, in world axes. */
function turn(
  u: Float64Array,
  start: number,
  rotation: Float64Array,
  object: number,
  out: Float64Array,
): void {
  const r = 9 * object;
  for (let i = 0; i < 3; i++)
    out[i] =
      rotation[r + 3 * i]! * u[start]! +
      rotation[r + 3 * i + 1]! * u[start + 1]! +
      rotation[r + 3 * i + 2]! * u[start + 2]!;
}

/** A force on the body of an object, at the origin of the object `at`. */
function push(
  frames: Frames,
  { motion }: Mechanism,
  wrenches: Float64Array,
  object: number,
  force: Float64Array,
  sign: number,
  at: number,
): void {
  const link = frames.linkOf(object);
  if (link < 0) return;
  const x = frames.position[3 * at]! - motion.position[3 * link]!;
  const y = frames.position[3 * at + 1]! - motion.position[3 * link + 1]!;
  const z = frames.position[3 * at + 2]! - motion.position[3 * link + 2]!;
  const fx = sign * force[0]!;
  const fy = sign * force[1]!;
  const fz = sign * force[2]!;
  const w = 6 * link;
  wrenches[w]! += y * fz - z * fy;
  wrenches[w + 1]! += z * fx - x * fz;
  wrenches[w + 2]! += x * fy - y * fx;
  wrenches[w + 3]! += fx;
  wrenches[w + 4]! += fy;
  wrenches[w + 5]! += fz;
}

function twist(
  frames: Frames,
  wrenches: Float64Array,
  object: number,
  torque: Float64Array,
  sign: number,
): void {
  const link = frames.linkOf(object);
  if (link < 0) return;
  for (let i = 0; i < 3; i++) wrenches[6 * link + i]! += sign * torque[i]!;
}
