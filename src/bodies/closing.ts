/** How loops are closed from start values: which of these stay, where others are tried, and what keeps loops from being closed. */
import type { Failure } from '../diagnostic/failure.ts';
import { Mechanism } from './dynamics/mechanism.ts';
import { SCREW } from './dynamics/tree.ts';
import type { Led, Posture } from './posture.ts';
import { shown } from './problem.ts';
import { partFailure } from './scene/names.ts';

/** Coordinates and speeds at the start may differ so much from those that fit. */
export const startTolerance = 1e-6;
/** So many sets of start values that stay are tried where not all can. */
const mostTries = 16;
/** Starts that are tried to close loops, and how far they lie apart, in radians or metres. */
const mostAttempts = 8;
const beside = 0.05;
/** How far ahead it is looked whether loops can be closed, in radians or metres. */
const further = [1e-4, 1e-3, 1e-2];

/** Closes loops, with coordinates and speeds that are not zero staying as far as that is possible; false if no coordinate does. */
export function closeFromStart(posture: Posture): boolean {
  const { q, v } = posture;
  const { qAt, vAt } = posture.mechanism.tree;
  const [coordinates, speeds] = [q.slice(), v.slice()];
  const isKept = closeKeeping(posture, (k) => coordinates[qAt[k]!] !== 0, coordinates, speeds);
  closeKeeping(posture, (k) => speeds[vAt[k]!] !== 0, q.slice(), speeds);
  return isKept;
}

/** Closes loops with as many of these joints as possible keeping their coordinates and speeds, those that come first; false if none does. */
function closeKeeping(
  posture: Posture,
  keeps: (link: number) => boolean,
  coordinates: Float64Array,
  speeds: Float64Array,
): boolean {
  const { q, v } = posture;
  const given = [...posture.assembly.links.keys()].filter(keeps);
  const begin = () => {
    q.set(coordinates);
    v.set(speeds);
  };
  begin();
  if (given.length > 0 && approach(posture, keeping(posture, keeps)) && isClosed(posture)) return true;
  const step = Math.ceil(given.length / mostTries);
  for (let kept = given.length - step; kept > 0; kept -= step) {
    begin();
    const last = given[kept - 1]!;
    const mechanism = keeping(posture, (k) => k <= last && keeps(k));
    if (mechanism.project(q, v) !== 'open' && isClosed(posture)) return true;
  }
  begin();
  approach(posture, posture.mechanism);
  return false;
}

/** Whether coordinates and speeds are such that all loops are closed. */
function isClosed(posture: Posture): boolean {
  const [q, v] = [posture.q.slice(), posture.v.slice()];
  const isNear = (of: Float64Array, to: Float64Array) => of.every((value, i) => !differs(value, to[i]!));
  return posture.mechanism.project(q, v) !== 'open' && isNear(posture.q, q) && isNear(posture.v, v);
}

/** The mechanism with joints that keep coordinates and speeds. */
export function keeping(
  { scene, assembly, mechanism, closures }: Posture,
  keeps: (link: number) => boolean,
): Mechanism {
  const { kind } = mechanism.tree;
  return new Mechanism({
    links: assembly.links.map((link, k) => ({
      ...link,
      driven: link.driven || (kind[k]! <= SCREW && keeps(k)),
    })),
    closures: closures.map(({ closure }) => closure),
    gravity: scene.gravity,
  });
}

/** Where all joints are stretched, or folded, no small motion closes a loop: then other starts beside it are tried. */
export function approach({ q, v }: Posture, mechanism: Mechanism): boolean {
  const [coordinates, speeds] = [q.slice(), v.slice()];
  const { n, kind, qAt, driven } = mechanism.tree;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    q.set(coordinates);
    v.set(speeds);
    for (let k = 0; attempt > 0 && k < n; k++)
      if (!driven[k] && kind[k]! <= SCREW)
        q[qAt[k]!]! += (beside * attempt * ((((k + 1) * attempt * 7) % 5) - 2)) / 2;
    if (mechanism.project(q, v) !== 'open') return true;
  }
  return false;
}

/** The joint that closes a loop which cannot be closed where joints with flanges go on as they move; -1 where there is none. */
export function stuck(posture: Posture, led: readonly Led[]): number {
  const { closures } = posture;
  const fastest = Math.max(0, ...led.map(({ v }) => Math.abs(v)));
  if (closures.length === 0 || !(fastest > 0)) return -1;
  const links = led.map(({ joint }) => posture.linkOf(joint));
  const mechanism = keeping(posture, (k) => links.includes(k));
  for (const step of further) {
    const [q, v] = [posture.q.slice(), posture.v.slice()];
    for (const one of led) q[posture.drive(one.joint).q] = one.q + (step * one.v) / fastest;
    if (mechanism.project(q, v) === 'open') return closures[mechanism.loops.open]!.joint;
  }
  return -1;
}

/** A loop that is not closed at the best position that was found. */
export function openLoop({ scene, closures, mechanism }: Posture): Failure {
  const { open, residual, isAngle } = mechanism.loops;
  const { part } = scene.joints[closures[open]!.joint]!;
  const distance = `${shown(residual)} ${isAngle ? 'rad' : 'm'}`;
  const message = `The loop with the joint \`${part.path}\` cannot be closed from its start values: ${distance} is missing at the best position that was found.`;
  return partFailure(part, 'bad-body', message, {
    hint: 'Look at the lengths of its bodies, at the axes of its joints, and at their start values.',
  });
}

/** Joints with flanges that cannot move independently. */
export function tiedDrives(posture: Posture): Failure {
  const { tied } = posture.mechanism.loops;
  const joints = posture.scene.joints.filter(({ drive }, k) => drive && tied[posture.drive(k).order] === 1);
  const list = joints.map(({ name }) => `\`${name}\``).join(', ');
  const message = `A loop ties joints with flanges to each other, or holds them: ${list}.`;
  return partFailure(joints[0]!.part, 'unsupported', message, {
    hint: 'Give flanges only to as many joints of a loop as can be moved independently.',
  });
}

/** A loop that joints with flanges cannot lead on. */
export function deadCentre({ scene, closures }: Posture): Failure {
  const { part } = scene.joints[closures[0]!.joint]!;
  const driven = scene.joints.filter(({ drive }) => drive).map(({ name }) => `\`${name}\``);
  const message = `The loop closed by \`${part.path}\` is near a dead centre, where the joints with flanges, ${driven.join(', ')}, do not say which way the others go.`;
  return partFailure(part, 'unsupported', message, {
    hint: 'Give the flange to a joint of the loop that can turn through, such as a crank.',
  });
}

/** Whether a start value is not what was found. */
export const differs = (given: number, found: number, tolerance = startTolerance): boolean =>
  Math.abs(given - found) > tolerance * Math.max(1, Math.abs(given));
