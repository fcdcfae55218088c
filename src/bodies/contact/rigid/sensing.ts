/** What sensors see of rigid contact. */
import { remember } from '../../../collections/memo.ts';
import type { Scene, SceneTouch } from '../../scene/scene.ts';
import type { Pressing, Sensed } from '../sensed.ts';
import { apartOf } from './encounter.ts';
import type { RigidPair, RigidPairs } from './pairs.ts';

/** What a sensor sees; forces are those of the last accelerations. */
export function sense(pairs: RigidPairs, sensor: SceneTouch, into: Sensed): void {
  into.clear();
  const rows = pairs.rows();
  for (const { i, j, sign } of remember(watched, sensor, () => watchedBy(sensor, pairs.scene))) {
    const pair = pairs.between(i, j);
    const row = rows.get(pair);
    if (row !== undefined) into.add(pressing(pairs, pair, row), sign);
    else if (into.normalForce === 0 && pairs.areApart(pair) && pairs.distance(pair) < into.distance)
      into.near(
        { first: pair.first, second: pair.second, manifold: pair.patch.manifold },
        pairs.frames,
        sign,
      );
  }
  if (into.distance === Infinity) into.distance = 0;
}

/** Shapes that a sensor watches, by their numbers. */
interface Watched {
  readonly i: number;
  readonly j: number;
  readonly sign: number;
}

const watched = new WeakMap<SceneTouch, readonly Watched[]>();

function watchedBy({ between }: SceneTouch, { colliders }: Pick<Scene, 'colliders'>): readonly Watched[] {
  return colliders.flatMap(({ object }, i) =>
    colliders.flatMap((other, j) => {
      const sign = j > i ? between(object, other.object) : 0;
      return sign === 0 ? [] : [{ i, j, sign }];
    }),
  );
}

/** Force and torque of a pair that touches, on the second shape. */
function pressing(pairs: RigidPairs, { a, b, touch }: RigidPair, row: number): Pressing {
  const { closures, multipliers, motion } = pairs.mechanism;
  const { count, points, normal, slips, gaps } = touch!;
  const { values } = multipliers;
  const [force, torque, at, slip] = [0, 0, 0, 0].map(() => new Float64Array(3)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let pressed = 0;
  for (let k = 0; k < count; k++) pressed += values[row + k]!;
  const share = (k: number) => (pressed > 0 ? values[row + k]! / pressed : 1 / count);
  for (let k = 0; k < count; k++)
    for (let i = 0; i < 3; i++) {
      at[i]! += share(k) * points[3 * k + i]!;
      slip[i]! += share(k) * slips[3 * k + i]!;
    }
  for (let r = row; r < row + touch!.rows; r++) {
    const on = closures.skew[r] ? closures.pushB : closures.onB;
    for (let i = 0; i < 3; i++) {
      torque[i]! += values[r]! * on[6 * r + i]!;
      force[i]! += values[r]! * on[6 * r + 3 + i]!;
    }
  }
  // About where it acts instead of P_b.
  const apart = apartOf(pairs.mechanism, a, b);
  for (let i = 0; i < 3; i++) e[i] = at[i]! - apart[i]!;
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    torque[i]! -= e[j]! * force[k]! - e[k]! * force[j]!;
  }
  const turn = Float64Array.from(
    [0, 1, 2],
    (i) => motion.velocities[6 * b + i]! - motion.velocities[6 * a + i]!,
  );
  for (let i = 0; i < 3; i++) at[i]! += pairs.originOf(a, i);
  return {
    at,
    force,
    torque,
    slip,
    turn,
    normal: pressed,
    manifold: { normal },
    depth: -Math.min(...gaps),
    rate: 0,
  };
}

const e = new Float64Array(3);
