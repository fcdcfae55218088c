/** Structure that changes at once: closures that begin to act, joints that change; momenta that are kept. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Closure } from '../../../src/bodies/dynamics/closure.ts';
import { Mechanism } from '../../../src/bodies/dynamics/mechanism.ts';
import { joinedMass, movedMass } from '../../../src/bodies/mass.ts';
import { atOrigin, inverse, type Pose, placed, type Vector } from '../../../src/bodies/space.ts';
import { nine, three } from './dense.ts';
import {
  at,
  ball,
  body,
  coordinates,
  difference,
  drawer,
  link,
  numbers,
  pose,
  randomLinks,
} from './notation.ts';

describe('locks', () => {
  test('two discs on one axis turn together after they are locked', () => {
    const links = [link({ mass: ball(1, 2) }), link({ parent: 0, mass: ball(1, 3) })];
    const mechanism = new Mechanism({ links, closures: [{ kind: 'locked', link: 1 }] });
    const [q, v] = [Float64Array.of(0.3, 4.2), Float64Array.of(5, -7)];
    mechanism.locate(q, v);
    mechanism.closures.hold(0, q);
    expect(mechanism.impact(v)).toBe(-1);
    // (2 * 5 + 3 * (-2)) / 5; the impulse is what the second one gained.
    expect(difference(v, [4 / 5, 0])).toBeLessThan(1e-14);
    expect(mechanism.multipliers.values[0]).toBeCloseTo(3 * (4 / 5 + 2), 13);
    expect(mechanism.project(q, v)).toBe('closed');
    expect([...q]).toEqual([0.3, 4.2]);
    // Released, the lock is gone.
    mechanism.closures.active[0] = 0;
    mechanism.locate(q, v);
    const a = new Float64Array(2);
    mechanism.accelerate(Float64Array.of(0, 1), undefined, a);
    expect(difference(a, [-1 / 2, 1 / 3 + 1 / 2])).toBeLessThan(1e-14);
  });

  test('a lock that acts from the beginning holds its coordinate', () => {
    for (const kind of ['revolute', 'prismatic', 'screw'] as const) {
      const links = [
        link({ kind: 'spherical', mass: ball(1, 1, [0.1, 0.2, 0.3]) }),
        link({
          parent: 0,
          kind,
          pitch: 0.1,
          axis: [1, 2, 3],
          before: at(1, 0, 0),
          mass: ball(2, 0.5, [1, 0, 1]),
        }),
      ];
      const rigid = [
        { ...links[0]!, mass: joinedMass([links[0]!.mass, movedMass(links[1]!.mass, links[1]!.before)]) },
      ];
      const gravity = { kind: 'uniform', acceleration: [0, 0, -9.81] as Vector } as const;
      const mechanism = new Mechanism({ links, closures: [{ kind: 'locked', link: 1 }], gravity });
      const alone = new Mechanism({ links: rigid, gravity });
      const [a, expected] = [new Float64Array(4), new Float64Array(3)];
      mechanism.locate(Float64Array.of(1, 2, 3, 4, 0), Float64Array.of(1, 2, 3, 0));
      alone.locate(Float64Array.of(1, 2, 3, 4), Float64Array.of(1, 2, 3));
      expect(mechanism.accelerate(new Float64Array(4), undefined, a)).toBe(-1);
      alone.accelerate(new Float64Array(3), undefined, expected);
      expect(difference(a, [...expected, 0])).toBeLessThan(1e-12);
    }
  });
});

describe('attached bodies', () => {
  test('two free bodies move as one, with the momentum of both', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawer(seed);
        const links = [
          link({ kind: 'free', mass: body(draw) }),
          link({ kind: 'free', mass: body(draw), after: pose(draw) }),
        ];
        const closures: Closure[] = [{ kind: 'fixed', a: 0, poseA: pose(draw), b: 1, poseB: atOrigin }];
        const mechanism = new Mechanism({ links, closures });
        const { motion } = mechanism;
        const [q, v] = [coordinates(draw, mechanism.tree), numbers(draw, 12)];
        mechanism.closures.active[0] = 0;
        mechanism.locate(q, v);
        const before = copied(mechanism);
        mechanism.closures.active[0] = 1;
        mechanism.closures.hold(0, q);
        mechanism.locate(q, v);
        expect(mechanism.impact(v)).toBe(-1);
        mechanism.locate(q, v);
        const after = copied(mechanism);
        expect(difference(after.momentum, before.momentum)).toBeLessThan(1e-11);
        expect(difference(after.angularMomentum, before.angularMomentum)).toBeLessThan(1e-11);
        expect(after.kinetic).toBeLessThan(before.kinetic);
        // One body: angular velocities are equal, and velocities differ by w x r.
        const w = three(motion.angular, 0);
        expect(difference(three(motion.angular, 1), w)).toBeLessThan(1e-11);
        const r = three(motion.position, 1).map((x, i) => x - motion.position[i]!);
        const turning = [
          w[1] * r[2]! - w[2] * r[1]!,
          w[2] * r[0]! - w[0] * r[2]!,
          w[0] * r[1]! - w[1] * r[0]!,
        ];
        expect(
          difference(
            three(motion.velocity, 1),
            turning.map((x, i) => x + motion.velocity[i]!),
          ),
        ).toBeLessThan(1e-11);
        expect(mechanism.project(q, v)).toBe('closed');

        // The same by a tree of one body, which takes the motion of both.
        const where = (k: number): Pose => ({
          rotation: nine(motion.rotation, k),
          translation: three(motion.position, k),
        });
        const inFirst = placed(inverse(where(0)), where(1));
        const merged = new Mechanism({
          links: [
            link({ kind: 'free', mass: joinedMass([links[0]!.mass, movedMass(links[1]!.mass, inFirst)]) }),
          ],
        });
        const [q1, v1] = [Float64Array.of(...q.subarray(0, 7)), Float64Array.of(...v.subarray(0, 6))];
        merged.locate(q1, v1);
        const whole = copied(merged);
        expect(difference(whole.momentum, before.momentum)).toBeLessThan(1e-11);
        expect(difference(whole.angularMomentum, before.angularMomentum)).toBeLessThan(1e-11);
      }),
      { numRuns: 50 },
    );
  });

  test('far from the origin they are held where they are', () => {
    const links = [link({ kind: 'free' }), link({ parent: 0, kind: 'free', before: at(1, 2, 3) })];
    const closures: Closure[] = [{ kind: 'fixed', a: 0, poseA: at(0.3, 0, 0), b: 1, poseB: atOrigin }];
    const mechanism = new Mechanism({ links, closures });
    const q = Float64Array.of(1e9, 2e9, -1e9, 0.5, 0.5, 0.5, 0.5, 0.1, 0.2, 0.3, 1, 0, 0, 0);
    const [kept, v] = [q.slice(), new Float64Array(12)];
    mechanism.locate(q, v);
    mechanism.closures.hold(0, q);
    expect(mechanism.project(q, v)).toBe('closed');
    expect(difference(q.slice(7), kept.slice(7))).toBeLessThan(1e-14);
  });

  test('a rod or a wheel is not held', () => {
    const links = [link({ kind: 'free' })];
    const closures: Closure[] = [{ kind: 'rod', length: 1, a: -1, poseA: atOrigin, b: 0, poseB: atOrigin }];
    const mechanism = new Mechanism({ links, closures });
    mechanism.locate(Float64Array.of(1, 0, 0, 1, 0, 0, 0), new Float64Array(6));
    expect(() => mechanism.closures.hold(0, new Float64Array(7))).toThrow('frames');
  });

  const copied = (mechanism: Mechanism) => {
    const { momentum, angularMomentum, kinetic } = mechanism.balance();
    return { momentum: momentum.slice(), angularMomentum: angularMomentum.slice(), kinetic };
  };

  test('impulses of driven joints: speeds kept, and with a jump M change more', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawer(seed);
        const links = [
          link({ kind: 'free', mass: body(draw) }),
          link({ parent: 0, driven: true, before: pose(draw), mass: body(draw) }),
          link({ parent: 1, kind: 'prismatic', before: pose(draw), mass: body(draw) }),
          link({ parent: 1, kind: 'screw', pitch: 0.2, driven: true, before: pose(draw), mass: body(draw) }),
        ];
        const mechanism = new Mechanism({ links, closures: [{ kind: 'locked', link: 2 }] });
        const { tree } = mechanism;
        const [q, v] = [coordinates(draw, tree), numbers(draw, tree.nv)];
        const places = [...tree.drives].map((k) => tree.vAt[k]!);
        mechanism.locate(q, v);
        const momenta = (speeds: Float64Array) =>
          Array.from(speeds, (_, i) => {
            const energy = [1, -1].map((step) => {
              const moved = speeds.slice();
              moved[i]! += step;
              mechanism.locate(q, moved);
              return mechanism.balance().kinetic;
            });
            return (energy[0]! - energy[1]!) / 2;
          });
        const before = momenta(v);
        mechanism.locate(q, v);
        const [after, impulses, matrix] = [v.slice(), new Float64Array(2), new Float64Array(4)];
        mechanism.impact(after, impulses);
        mechanism.driven(matrix);
        const change = numbers(draw, 2);
        mechanism.jump(change, after);
        const locked = tree.vAt[2]!;
        expect(Math.abs(after[locked]!)).toBeLessThan(1e-12);
        const gained = momenta(after).map((value, i) => value - before[i]!);
        places.forEach((i, d) => {
          expect(after[i]).toBeCloseTo(v[i]! + change[d]!, 12);
          expect(gained[i]).toBeCloseTo(
            impulses[d]! + matrix[2 * d]! * change[0]! + matrix[2 * d + 1]! * change[1]!,
            9,
          );
        });
        gained.forEach((value, i) => {
          if (!places.includes(i) && i !== locked) expect(value).toBeCloseTo(0, 9);
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('joints that change', () => {
  test('a mechanism takes the motion of one with the same bodies, where its joints allow it', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 7 }), (seed, n) => {
        const draw = drawer(seed);
        const links = randomLinks(draw, { n });
        const first = new Mechanism({ links });
        const { tree } = first;
        const [q, v] = [coordinates(draw, tree), numbers(draw, tree.nv)];
        for (let k = 0; k < n; k++) if (tree.kind[k] !== 1 && tree.kind[k]! < 3) q[tree.qAt[k]!]! *= 20;
        first.locate(q, v);
        // As free bodies, and back.
        const free = new Mechanism({
          links: links.map((item) => ({
            ...item,
            kind: 'free',
            parent: -1,
            before: atOrigin,
            after: atOrigin,
          })),
        });
        const [qf, vf] = [new Float64Array(7 * n), new Float64Array(6 * n)];
        expect(free.adopt(first.motion, qf, vf)).toBe(-1);
        expect(difference(free.motion.position, first.motion.position)).toBeLessThan(1e-12);
        expect(difference(free.motion.rotation, first.motion.rotation)).toBeLessThan(1e-12);
        expect(difference(free.motion.velocity, first.motion.velocity)).toBeLessThan(1e-11);
        const again = new Mechanism({ links });
        const [q2, v2] = [q.map((value) => value + 0.5 * draw()), new Float64Array(tree.nv)];
        again.adopt(free.motion, q2, v2);
        expect(difference(v2, v)).toBeLessThan(1e-9);
        for (let k = 0; k < n; k++)
          if (tree.kind[k]! < 3) expect(q2[tree.qAt[k]!]).toBeCloseTo(q[tree.qAt[k]!]!, 9);
        expect(difference(again.motion.rotation, first.motion.rotation)).toBeLessThan(1e-10);
      }),
      { numRuns: 50 },
    );
  });

  test('what joints do not allow is lost as in a plastic impact', () => {
    // A bar that flies is caught at its end: its angular momentum about that end stays.
    const [m, J, l] = [2, 0.3, 0.6];
    const flying = new Mechanism({ links: [link({ kind: 'free', mass: ball(m, J, [l, 0, 0]) })] });
    flying.locate(Float64Array.of(1, 0, 0, 1, 0, 0, 0), Float64Array.of(3, 1, -4, 0, 5, 0));
    const caught = new Mechanism({ links: [link({ before: at(1, 0, 0), mass: ball(m, J, [l, 0, 0]) })] });
    const [q, v] = [Float64Array.of(0), new Float64Array(1)];
    caught.adopt(flying.motion, q, v);
    // About y: r x m u has -m l u_z, and u_z of the centre is -4 - 5 l.
    expect(v[0]).toBeCloseTo((J * 5 + m * l * (4 + 5 * l)) / (J + m * l * l), 12);
    expect(q[0]).toBe(0);
  });

  test('driven joints keep their speeds, and say which impulse that takes', () => {
    const flying = new Mechanism({ links: [link({ kind: 'free', mass: ball(2, 0.5) })] });
    flying.locate(Float64Array.of(0, 0, 0, 1, 0, 0, 0), Float64Array.of(0, 0, 0, 0, 5, 0));
    const held = new Mechanism({ links: [link({ driven: true, mass: ball(2, 0.5) })] });
    const [q, v, impulses] = [Float64Array.of(0), Float64Array.of(1), new Float64Array(1)];
    held.adopt(flying.motion, q, v, impulses);
    expect(v[0]).toBe(1);
    expect(impulses[0]).toBeCloseTo(0.5 * (1 - 5), 13);
  });

  test('loops are kept closed by the impulses too', () => {
    const links = [link({ kind: 'free', mass: ball(1, 1) }), link({ kind: 'free', mass: ball(3, 1) })];
    const apart = new Mechanism({ links });
    apart.locate(
      Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0),
      Float64Array.of(4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    );
    const joined = new Mechanism({
      links,
      closures: [{ kind: 'spherical', a: 0, poseA: at(0.5, 0, 0), b: 1, poseB: at(-0.5, 0, 0) }],
    });
    const [q, v] = [new Float64Array(14), new Float64Array(12)];
    joined.adopt(apart.motion, q, v);
    expect(difference(v, [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])).toBeLessThan(1e-13);
  });
});
