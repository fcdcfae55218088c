/** Accelerations of random trees against those of MuJoCo (https://mujoco.org), which shares no code with ours. */
import loadMujoco from '@mujoco/mujoco';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Mechanism } from '../../../src/bodies/dynamics/mechanism.ts';
import {
  applied,
  inverse,
  type Matrix,
  matrixOf,
  placed,
  product,
  quaternionOf,
  transposed,
  type Vector,
  zero,
} from '../../../src/bodies/space.ts';
import { coordinates, difference, drawer, numbers, type RandomLink, randomLinks } from './notation.ts';

const mujoco = await loadMujoco();
const gravity: Vector = [0.3, -9.81, 2];

/** MuJoCo has free joints only at the world; its positions are those of the body, so that nothing may lie between. */
function treeFor(draw: () => number, n: number): RandomLink[] {
  return randomLinks(draw, { n, kinds: ['revolute', 'prismatic', 'spherical', 'free'] }).map((link) =>
    link.kind === 'free' ? { ...link, parent: -1, after: { ...link.after, translation: zero } } : link,
  );
}

function xmlOf(links: readonly RandomLink[]): string {
  const element = (k: number): string => {
    const { kind, axis, before, after, mass } = links[k]!;
    const pose = placed(before, after);
    const place = inverse(after).translation;
    const turned = applied(transposed(after.rotation), axis!);
    const joint =
      kind === 'free'
        ? '<freejoint/>'
        : kind === 'spherical'
          ? `<joint type="ball" pos="${place.join(' ')}"/>`
          : `<joint type="${kind === 'revolute' ? 'hinge' : 'slide'}" pos="${place.join(' ')}" axis="${turned.join(' ')}"/>`;
    return `<body pos="${pose.translation.join(' ')}" quat="${quaternionOf(pose.rotation).join(' ')}">${joint}
      <inertial pos="${mass.centre.join(' ')}" quat="${mass.axes.join(' ')}" mass="${mass.mass}" diaginertia="${mass.moments.join(' ')}"/>
      ${children(k)}</body>`;
  };
  const children = (of: number): string => links.map((l, k) => (l.parent === of ? element(k) : '')).join('');
  return `<mujoco><compiler angle="radian"/><option gravity="${gravity.join(' ')}"><flag contact="disable"/></option>
    <worldbody>${children(-1)}</worldbody></mujoco>`;
}

/** MuJoCo numbers joints depth first. */
function order(links: readonly RandomLink[], of = -1): number[] {
  return links.flatMap((link, k) => (link.parent === of ? [k, ...order(links, k)] : []));
}

test('accelerations of random trees are those of MuJoCo', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 12 }), (seed, n) => {
      const draw = drawer(seed);
      const links = treeFor(draw, n);
      const mechanism = new Mechanism({ links, gravity: { kind: 'uniform', acceleration: gravity } });
      const { tree, motion } = mechanism;
      const q = coordinates(draw, tree);
      const v = numbers(draw, tree.nv);
      const tau = numbers(draw, tree.nv);
      const wrenches = numbers(draw, 6 * n);
      const a = new Float64Array(tree.nv);
      mechanism.locate(q, v);
      expect(mechanism.accelerate(tau, wrenches, a)).toBe(-1);

      const model = mujoco.MjModel.from_xml_string(xmlOf(links))!;
      const data = new mujoco.MjData(model);
      try {
        let [p, i] = [0, 0];
        const expected = new Float64Array(tree.nv);
        const walk = (each: (k: number, p: number, i: number, turn: Matrix) => void) => {
          [p, i] = [0, 0];
          for (const k of order(links)) {
            const at = tree.qAt[k + 1]! - 4;
            const wide = tree.kind[k]! >= 3;
            const own = wide
              ? matrixOf([q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!])
              : matrixOf([1, 0, 0, 0]);
            each(k, p, i, product(own, links[k]!.after.rotation));
            p += tree.qAt[k + 1]! - tree.qAt[k]!;
            i += tree.vAt[k + 1]! - tree.vAt[k]!;
          }
        };
        const three = (from: ArrayLike<number>, i: number): Vector => [from[i]!, from[i + 1]!, from[i + 2]!];
        walk((k, p, i, turn) => {
          const { kind, before, after } = links[k]!;
          const [qk, vk] = [tree.qAt[k]!, tree.vAt[k]!];
          const set = (from: Float64Array, into: Float64Array) => {
            if (kind === 'free') {
              into.set(applied(before.rotation, three(from, vk)), i);
              into.set(applied(transposed(turn), three(from, vk + 3)), i + 3);
            } else if (kind === 'spherical') into.set(applied(transposed(turn), three(from, vk)), i);
            else into[i] = from[vk]!;
          };
          set(v, data.qvel);
          set(tau, data.qfrc_applied);
          if (kind === 'free') {
            const placedAt = placed(before, { translation: three(q, qk), rotation: turn });
            data.qpos.set(placedAt.translation, p);
            data.qpos.set(quaternionOf(placedAt.rotation), p + 3);
          } else if (kind === 'spherical')
            data.qpos.set(quaternionOf(product(transposed(after.rotation), turn)), p);
          else data.qpos[p] = q[qk]!;
        });
        // Wrenches of MuJoCo act at centres of mass: force, torque.
        order(links).forEach((k, index) => {
          const body = 6 * (index + 1);
          const force = three(wrenches, 6 * k + 3);
          const r = applied(
            motion.rotation.slice(9 * k, 9 * k + 9) as unknown as Matrix,
            links[k]!.mass.centre,
          );
          const about: Vector = [
            r[1] * force[2] - r[2] * force[1],
            r[2] * force[0] - r[0] * force[2],
            r[0] * force[1] - r[1] * force[0],
          ];
          data.xfrc_applied.set(force, body);
          data.xfrc_applied.set(
            three(wrenches, 6 * k).map((torque, l) => torque - about[l]!),
            body + 3,
          );
        });
        mujoco.mj_forward(model, data);
        walk((k, _, i, turn) => {
          const { kind, before } = links[k]!;
          const vk = tree.vAt[k]!;
          if (kind === 'free') {
            expected.set(applied(transposed(before.rotation), three(data.qacc, i)), vk);
            expected.set(applied(turn, three(data.qacc, i + 3)), vk + 3);
          } else if (kind === 'spherical') expected.set(applied(turn, three(data.qacc, i)), vk);
          else expected[vk] = data.qacc[i]!;
        });
        expect(difference(a, expected)).toBeLessThan(1e-9);
        order(links).forEach((k, index) => {
          const place = three(data.xpos, 3 * (index + 1));
          expect(difference(three(motion.position, 3 * k), place)).toBeLessThan(1e-12);
          expect(
            difference(
              motion.rotation.slice(9 * k, 9 * k + 9),
              data.xmat.slice(9 * (index + 1), 9 * (index + 2)),
            ),
          ).toBeLessThan(1e-12);
        });
      } finally {
        data.delete();
        model.delete();
      }
    }),
    { numRuns: 100 },
  );
});
