/** Start values that what holds does not allow, in words. */
import type { Failure } from '../diagnostic/failure.ts';
import { withPath } from '../names/names.ts';
import { approach, differs, keeping, startTolerance } from './closing.ts';
import type { Led, Posture } from './posture.ts';
import { shown } from './problem.ts';
import { partFailure } from './scene/names.ts';
import type { Scene, SceneJoint } from './scene/scene.ts';
import { stepsIn } from './scene/steps.ts';
import type { Snapshot } from './snapshot.ts';
import { applied, minus, transposed, type Vector } from './space.ts';

/** Coordinates that cannot stay because others do are guesses, which need only be near. */
const near = 0.1;

/** Start values that are given and that loops have changed. Where `isGuess`, coordinates that are near count as right. */
export function changedStarts(posture: Posture, isGuess: boolean): string[] {
  const { scene, frames, mechanism } = posture;
  for (const k of scene.objects.keys()) frames.update(k, mechanism);
  const ofJoints = scene.joints.flatMap(({ name, steps, drive }, joint) =>
    (drive ? [] : steps).flatMap(({ kind, q, v, shown: { q: coordinate, v: speed } }, step) => {
      if (kind === 'spherical') return [];
      const found = [
        [coordinate, q[0]!, posture.coordinate(joint, step), isGuess ? near : startTolerance],
        [speed, v[0]!, posture.speed(joint, step), startTolerance],
      ] as const;
      return found.flatMap(([variable, given, now, tolerance]) =>
        given !== 0 && differs(given, now, tolerance)
          ? [`\`${withPath(name, variable!)}\` is ${shown(now)} instead of ${shown(given)}`]
          : [],
      );
    }),
  );
  const ofObjects = scene.objects.flatMap(({ name, fixed, pose, parent }, k) => {
    if (fixed || parent !== 0) return [];
    const [given, now] = [pose.translation, frames.pose(k).translation];
    if (!now.some((value, i) => differs(given[i]!, value))) return [];
    const text = (of: Vector) => `{${of.map(shown).join(', ')}}`;
    return [`\`${withPath(name, 'r')}\` is ${text(now)} instead of ${text(given)}`];
  });
  return [...ofJoints, ...ofObjects];
}

/** Coordinates and speeds that the model gives for pushed joints, where loops do not allow them; with others that would fit. */
export function unfitting(posture: Posture, led: readonly Led[]): Failure | undefined {
  const { joints } = posture.scene;
  const wrong = led.flatMap(({ joint, q, v }) => {
    const at = posture.drive(joint);
    const { coordinate, speed } = joints[joint]!.drive!;
    const name = (variable: string) => `\`${withPath(joints[joint]!.name, variable)}\``;
    return [
      ...(differs(q, posture.q[at.q]!) ? [`${name(coordinate)} is ${shown(q)}`] : []),
      ...(differs(v, posture.v[at.v]!) ? [`${name(speed)} is ${shown(v)}`] : []),
    ];
  });
  if (wrong.length === 0) return undefined;
  const message = `Joints with flanges do not fit into their loops at the start: ${wrong.join(', ')}.`;
  const fits = fitting(posture, led);
  return partFailure(joints[led[0]!.joint]!.part, 'bad-body', message, {
    hint: fits ? `These would fit together: ${fits}.` : 'Give them start values that close their loops.',
  });
}

/** Start values of pushed joints that fit to those of the first one. */
function fitting(posture: Posture, led: readonly Led[]): string | undefined {
  const { q, v } = posture;
  posture.start();
  for (const one of led) q[posture.drive(one.joint).q] = one.q;
  for (const one of led) v[posture.drive(one.joint).v] = one.v;
  const first = posture.linkOf(led[0]!.joint);
  const mechanism = keeping(posture, (k) => k === first);
  if (!approach(posture, mechanism)) return undefined;
  return led
    .map(({ joint }) => {
      const { name, drive } = posture.scene.joints[joint]!;
      const at = posture.drive(joint);
      const value = (variable: string, number: number) =>
        `${withPath(name, variable)} = ${Number(number.toPrecision(9))}`;
      return `${value(drive!.coordinate, q[at.q]!)}, ${value(drive!.speed, v[at.v]!)}`;
    })
    .join(', ');
}

/** In words: joints and free objects that do not move as they were given, but as they are found `now`. */
export function changedSpeeds(scene: Scene, given: Snapshot, now: Snapshot): string[] {
  const { joints, objects } = scene;
  const { at } = stepsIn(scene);
  const changes: string[] = [];
  const compare = (name: string, before: readonly number[], after: readonly number[]) => {
    const size = Math.max(1, ...before.map(Math.abs));
    if (before.every((value, i) => Math.abs(value - after[i]!) <= startTolerance * size)) return;
    changes.push(`\`${name}\` is ${vectorText(after)} instead of ${vectorText(before)}`);
  };
  for (const [k, joint] of joints.entries()) {
    const { name, steps } = joint;
    if (steps[0]?.kind === 'spherical')
      compare(withPath(name, 'w'), turning(joint, given), turning(joint, now));
    else
      for (const variable of new Set(steps.map((step) => step.shown.v))) {
        const own = [...steps.keys()].filter((step) => steps[step]!.shown.v === variable);
        const speeds = ({ speeds: all }: Snapshot) => own.map((step) => all[at[k]! + step]!);
        compare(withPath(name, variable), speeds(given), speeds(now));
      }
  }
  for (const [k, { name, fixed }] of objects.entries()) {
    if (fixed) continue;
    compare(withPath(name, 'v'), given.placed.of(k).linear, now.placed.of(k).linear);
    compare(withPath(name, 'w'), given.placed.of(k).angular, now.placed.of(k).angular);
  }
  return changes;
}

/** Angular velocity of the second object against the first, along the axes of that. */
function turning({ a, b }: SceneJoint, { placed }: Snapshot): Vector {
  const turning = minus(placed.of(b).angular, placed.of(a).angular);
  return applied(transposed(placed.of(a).pose.rotation), turning);
}

/** Rounding beside larger numbers is zero. */
function vectorText(values: readonly number[]): string {
  const size = Math.max(...values.map(Math.abs));
  const texts = values.map((value) => shown(Math.abs(value) < 1e-12 * size ? 0 : value));
  return texts.length > 1 ? `{${texts.join(', ')}}` : texts[0]!;
}
