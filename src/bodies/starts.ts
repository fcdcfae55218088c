/** Speeds at the start that what holds from then on does not allow. */
import { withPath } from '../names/names.ts';
import { shown } from './problem.ts';
import type { Scene, SceneJoint } from './scene/scene.ts';
import { stepsIn } from './scene/steps.ts';
import type { Snapshot } from './snapshot.ts';
import { applied, minus, transposed, type Vector } from './space.ts';

/** Speeds may differ so much from those that are given. */
const tolerance = 1e-6;

/** In words: joints and free objects that do not move as they were given, but as they are found `now`. */
export function changedSpeeds(scene: Scene, given: Snapshot, now: Snapshot): string[] {
  const { joints, objects } = scene;
  const { at } = stepsIn(scene);
  const changes: string[] = [];
  const compare = (name: string, before: readonly number[], after: readonly number[]) => {
    const size = Math.max(1, ...before.map(Math.abs));
    if (before.every((value, i) => Math.abs(value - after[i]!) <= tolerance * size)) return;
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
