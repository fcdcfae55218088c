/**
 * Inertias that joints with flanges on loops get while accelerations are found, and that are taken off again where the model joins
 * (`ports.ts`). With them every such joint resists by itself: whatever the bodies of a loop weigh and however they are placed, matrices exist and are
 * bounded. Their size does not matter for results; near the inertia that a joint really moves, no digits are lost.
 */
import { applied, norm, placed, plus } from '../space.ts';
import type { Assembly } from './assembly.ts';
import type { BareScene } from './scene.ts';

/** Of each joint that has a flange: mass, or moment of inertia, of what it carries in an assembly, at any coordinates. */
export function rotorsOf({ joints }: BareScene, { links, origins }: Assembly): Float64Array {
  const masses = links.map(({ mass }) => mass.mass);
  const moments = links.map(({ mass: { mass, centre, inertia }, after }) => {
    const arm = norm(plus(after.translation, applied(after.rotation, centre)));
    return (inertia[0] + inertia[4] + inertia[8]) / 2 + mass * arm ** 2;
  });
  for (const [k, { parent, before }] of [...links.entries()].reverse()) {
    if (parent < 0) continue;
    const arm = norm(placed(links[parent]!.after, before).translation);
    masses[parent]! += masses[k]!;
    moments[parent]! += moments[k]! + masses[k]! * arm ** 2;
  }
  const rotors = new Float64Array(joints.length);
  for (const kind of ['prismatic', 'revolute'] as const) {
    const of = kind === 'prismatic' ? masses : moments;
    const own = origins.flatMap((origin, k) =>
      origin.kind === 'joint' && joints[origin.joint]!.drive && links[k]!.kind === kind
        ? [{ joint: origin.joint, value: of[k]! }]
        : [],
    );
    const otherwise = Math.max(0, ...own.map(({ value }) => value)) || 1;
    for (const { joint, value } of own) rotors[joint] = value || otherwise;
  }
  return rotors;
}
