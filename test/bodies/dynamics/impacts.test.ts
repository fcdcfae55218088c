/** Structure that changes at once: closures that begin to act, joints that change; momenta that are kept. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
  holding,
  link,
  numbers,
  pose,
  randomLinks,
} from './notation.ts';

describe('locks', () => {
  test('two discs on one axis turn together after they are locked', () => {
    const links = [link({ mass: ball(1, 2) }), link({ parent: 0, mass: ball(1, 3) })];
    const mechanism = new Mechanism({ links, closures: [{ kind: 'locked', link: 1, at: 4.2 }] });
    const [q, v] = [Float64Array.of(0.3, 4.2), Float64Array.of(5, -7)];
    mechanism.locate(q, v);
    expect(mechanism.impact(v)).toBe(-1);
    // (2 * 5 + 3 * (-2)) / 5; the impulse is what the second one gained.
    expect(difference(v, [4 / 5, 0])).toBeLessThan(1e-14);
    expect(mechanism.multipliers.values[0]).toBeCloseTo(3 * (4 / 5 + 2), 13);
    expect(mechanism.project(q, v)).toBe('closed');
    expect([...q]).toEqual([0.3, 4.2]);
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
        const apart = new Mechanism({ links });
        const [q, v] = [coordinates(draw, apart.tree), numbers(draw, 12)];
        apart.locate(q, v);
        const before = copied(apart);
        const closure = { kind: 'fixed', a: 0, poseA: pose(draw), b: 1, poseB: atOrigin } as const;
        const mechanism = new Mechanism({ links, closures: [holding(links, closure, q)] });
        const { motion } = mechanism;
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

describe('forces and impulses of free joints', () => {
  test('the compliance is how accelerations change with forces, and impulses make speeds jump as it says', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 6 }), fc.boolean(), (seed, n, isLoop) => {
        const draw = drawer(seed);
        const links = randomLinks(draw, { n });
        const pin = {
          kind: 'spherical',
          a: n - 1,
          poseA: at(0.3, 0.2, 0.1),
          b: -1,
          poseB: at(0, 0, 0),
        } as const;
        const { tree } = new Mechanism({ links });
        const [q, v] = [coordinates(draw, tree), numbers(draw, tree.nv)];
        const mechanism = new Mechanism({ links, closures: isLoop ? [holding(links, pin, q)] : [] });
        const places = Int32Array.from({ length: tree.nv }, (_, i) => i);
        const matrix = new Float64Array(tree.nv ** 2);
        const accelerations = (forces: Float64Array) => {
          const a = new Float64Array(tree.nv);
          mechanism.locate(q, v);
          mechanism.accelerate(forces.slice(), undefined, a);
          return a;
        };
        mechanism.locate(q, v);
        expect(mechanism.compliance(places, matrix)).toBe(-1);
        const size = 1 + Math.max(...matrix.map(Math.abs));
        const forces = numbers(draw, tree.nv);
        const [still, pushed] = [accelerations(new Float64Array(tree.nv)), accelerations(forces)];
        // Near singular positions accelerations are large, and their difference is not as exact.
        const largest = Math.max(...still.map(Math.abs), ...pushed.map(Math.abs)) * size;
        const jumped = v.slice();
        mechanism.locate(q, v);
        mechanism.kick(places, forces, jumped);
        for (let i = 0; i < tree.nv; i++) {
          let sum = 0;
          for (let j = 0; j < tree.nv; j++) sum += matrix[i * tree.nv + j]! * forces[j]!;
          expect(Math.abs(pushed[i]! - still[i]! - sum)).toBeLessThan(1e-8 * (size + largest));
          expect(Math.abs(jumped[i]! - v[i]! - sum)).toBeLessThan(1e-9 * size);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('with other speeds at the same place, everything is as if bodies were brought there', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 6 }), (seed, n) => {
        const draw = drawer(seed);
        const links = randomLinks(draw, { n });
        const pin = {
          kind: 'spherical',
          a: n - 1,
          poseA: at(0.3, 0.2, 0.1),
          b: -1,
          poseB: at(0, 0, 0),
        } as const;
        const { tree } = new Mechanism({ links });
        const [q, before, after] = [coordinates(draw, tree), numbers(draw, tree.nv), numbers(draw, tree.nv)];
        const accelerations = (bring: (mechanism: Mechanism) => void) => {
          const mechanism = new Mechanism({ links, closures: [holding(links, pin, q)] });
          const a = new Float64Array(tree.nv);
          bring(mechanism);
          mechanism.accelerate(new Float64Array(tree.nv), undefined, a);
          return a;
        };
        const changed = accelerations((mechanism) => {
          mechanism.locate(q, before);
          mechanism.impact(before.slice());
          mechanism.changeSpeeds(after);
        });
        expect(changed).toEqual(accelerations((mechanism) => mechanism.locate(q, after)));
      }),
      { numRuns: 60 },
    );
  });
});
