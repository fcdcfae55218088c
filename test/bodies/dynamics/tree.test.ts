/** Trees of bodies: closed forms, minimal coordinates by hand, and random trees against dense equations of all bodies. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Mechanism } from '../../../src/bodies/dynamics/mechanism.ts';
import type { Gravity, Link } from '../../../src/bodies/dynamics/tree.ts';
import { matrixOf, type Vector } from '../../../src/bodies/space.ts';
import { nine, solveDense, three } from './dense.ts';
import { at, ball, coordinates, difference, drawer, link, numbers, randomLinks } from './notation.ts';

const down: Gravity = { kind: 'uniform', acceleration: [0, 0, -9.81] };

function accelerated(links: readonly Link[], gravity: Gravity, q: number[], v: number[], tau?: number[]) {
  const mechanism = new Mechanism({ links, gravity });
  const a = new Float64Array(mechanism.tree.nv);
  const { nq, nv } = mechanism.tree;
  mechanism.locate(Float64Array.from(q.slice(0, nq)), Float64Array.from(v.slice(0, nv)));
  const singular = mechanism.accelerate(Float64Array.from(tau ?? v.map(() => 0)), undefined, a);
  return { mechanism, a: [...a], singular };
}

describe('closed forms', () => {
  test('a pendulum', () => {
    // (J + m l^2) phi'' = -m g l sin phi, about y, hanging along -z.
    const links = [link({ mass: ball(2, 0.3, [0, 0, -0.7]) })];
    const { a } = accelerated(links, down, [0.6], [1.3]);
    expect(a[0]).toBeCloseTo((-2 * 9.81 * 0.7 * Math.sin(0.6)) / (0.3 + 2 * 0.49), 12);
  });

  test('a double pendulum in the plane', () => {
    // Points of mass m at the ends of rods of length l; angles from the vertical, the second relative to the first one.
    const [m1, m2, l1, l2, g] = [1.5, 0.8, 1.1, 0.6, 9.81];
    const links = [
      link({ mass: ball(m1, 0, [0, 0, -l1]) }),
      link({ parent: 0, before: at(0, 0, -l1), mass: ball(m2, 0, [0, 0, -l2]) }),
    ];
    const [p1, r, w1, wr] = [0.4, 1.1, -0.7, 2.1];
    const [p2, w2] = [p1 + r, w1 + wr];
    // M [p1'', p2''] = f in absolute angles
    const c = m2 * l1 * l2 * Math.cos(p1 - p2);
    const s = m2 * l1 * l2 * Math.sin(p1 - p2);
    const [a11, a22] = [(m1 + m2) * l1 * l1, m2 * l2 * l2];
    const f1 = -s * w2 * w2 - (m1 + m2) * g * l1 * Math.sin(p1);
    const f2 = s * w1 * w1 - m2 * g * l2 * Math.sin(p2);
    const det = a11 * a22 - c * c;
    const [e1, e2] = [(f1 * a22 - f2 * c) / det, (a11 * f2 - c * f1) / det];
    const { a } = accelerated(links, down, [p1, r], [w1, wr]);
    expect(a[0]).toBeCloseTo(e1, 11);
    expect(a[1]).toBeCloseTo(e2 - e1, 11);
  });

  test('a cart with a pendulum, pushed', () => {
    const [M, m, l, g, F] = [2, 0.5, 0.9, 9.81, 3];
    const [phi, w] = [0.8, 1.7];
    const links = [
      link({ kind: 'prismatic', axis: [1, 0, 0], mass: ball(M, 1) }),
      link({ parent: 0, mass: ball(m, 0, [0, 0, -l]) }),
    ];
    // x of the bob: x - l sin(phi) for a rotation about +y.
    const [s, c] = [Math.sin(phi), Math.cos(phi)];
    const x = (F - m * l * w * w * s - m * g * s * c) / (M + m - m * c * c);
    const { a } = accelerated(links, down, [0.3, phi], [0.2, w], [F, 0]);
    expect(a[0]).toBeCloseTo(x, 11);
    expect(a[1]).toBeCloseTo((x * c - g * s) / l, 11);
  });

  test('a screw turns as it advances', () => {
    const [J, m, h] = [0.2, 3, 0.05];
    const links = [link({ kind: 'screw', axis: [0, 0, 2], pitch: h, mass: ball(m, J) })];
    const { a, mechanism } = accelerated(links, down, [2], [5], [0.4]);
    expect(a[0]).toBeCloseTo((0.4 - m * 9.81 * h) / (J + m * h * h), 11);
    expect(mechanism.motion.position[2]).toBeCloseTo(0.1, 14);
    expect(mechanism.motion.velocity[2]).toBeCloseTo(0.25, 14);
  });

  test('a spherical pendulum goes round on a horizontal circle', () => {
    // A bob on a rod at angle theta with Omega^2 = g / (l cos theta) stays at that angle.
    const [l, theta] = [1.3, 0.7];
    const omega = Math.sqrt(9.81 / (l * Math.cos(theta)));
    const links = [link({ kind: 'spherical', mass: ball(1, 1e-9, [0, 0, -l]) })];
    const { a, mechanism } = accelerated(
      links,
      down,
      [Math.cos(theta / 2), 0, Math.sin(theta / 2), 0],
      [0, 0, omega],
    );
    expect(difference(a, [0, 0, 0])).toBeLessThan(1e-7);
    const into = new Float64Array(6);
    mechanism.acceleration(0, into);
    expect(difference(into.slice(3), [0, 0, 0])).toBeLessThan(1e-12);
  });

  test('a fast gyroscope precesses', () => {
    // Steady precession with a horizontal axis: Omega = m g l / (C spin), exactly when the axis is horizontal.
    const [m, l, A, C, spin] = [0.7, 0.2, 0.01, 0.004, 300];
    const Omega = (m * 9.81 * l) / (C * spin);
    const mass = { mass: m, centre: [l, 0, 0] as Vector, inertia: [C, 0, 0, 0, A, 0, 0, 0, A] as const };
    const links = [link({ kind: 'spherical', mass })];
    const { a } = accelerated(links, down, [1, 0, 0, 0], [spin, 0, Omega]);
    // The angular velocity is spin along the axis, which goes round with Omega.
    expect(difference(a, [0, Omega * spin, 0])).toBeLessThan(1e-11);
  });

  test('a free body follows Euler', () => {
    const [A, B, C] = [1, 2, 2.5];
    const mass = { mass: 3, centre: [0, 0, 0] as Vector, inertia: [A, 0, 0, 0, B, 0, 0, 0, C] as const };
    const w = [0.3, -1.2, 0.8] as const;
    const { a } = accelerated([link({ kind: 'free', mass })], down, [1, 2, 3, 1, 0, 0, 0], [4, 5, 6, ...w]);
    const euler = [((B - C) / A) * w[1] * w[2], ((C - A) / B) * w[2] * w[0], ((A - B) / C) * w[0] * w[1]];
    expect(difference(a, [0, 0, -9.81, ...euler])).toBeLessThan(1e-14);
  });

  test('a satellite on a circle keeps it', () => {
    const [mu, r] = [3.986004418e14, 7e6];
    const links = [link({ kind: 'free', mass: ball(100, 20) })];
    const { a } = accelerated(
      links,
      { kind: 'point', mu },
      [r, 0, 0, 1, 0, 0, 0],
      [0, Math.sqrt(mu / r), 0, 0, 0, 0],
    );
    expect(difference(a, [-mu / r ** 2, 0, 0, 0, 0, 0])).toBeLessThan(1e-14);
  });

  test('far from the origin no digits are lost', () => {
    // The same arm on a free base, near the origin and at 1e9 m.
    const links = [
      link({ kind: 'free', mass: ball(5, 2) }),
      link({ parent: 0, before: at(0.5, 0, 0), mass: ball(1, 0.2, [0.4, 0.1, 0]) }),
      link({ parent: 1, axis: [1, 1, 0], before: at(0.8, 0, 0), mass: ball(0.5, 0.1, [0.3, 0, 0.2]) }),
    ];
    const v = [0, 0, 0, 0.1, 0.2, 0.3, 1, -2];
    const rest = [0.5, 0.5, -0.5, 0.5, 0.3, 0.8];
    const near = accelerated(links, { kind: 'none' }, [0, 0, 0, ...rest], v).a;
    const far = accelerated(links, { kind: 'none' }, [1e9, -1e9, 1e9, ...rest], v).a;
    expect(far).toEqual(near);
  });

  test('an outer link of a thousand has the acceleration of one alone when it hangs straight', () => {
    // A straight chain at rest that hangs down does not move.
    const links = Array.from({ length: 1000 }, (_, k) =>
      link({ parent: k - 1, before: at(0, 0, k ? -1 : 0), mass: ball(1, 0.1, [0, 0, -0.5]) }),
    );
    const zeros = links.map(() => 0);
    expect(accelerated(links, down, zeros, zeros).a.every((value) => value === 0)).toBe(true);
  });
});

describe('what nothing resists', () => {
  const nothing = ball(0, 0);
  test.each<[string, Link[], number]>([
    ['a massless body on a revolute joint', [link({}), link({ parent: 0, mass: nothing })], 1],
    ['a point on its axis', [link({ mass: ball(1, 0) })], 0],
    ['a massless body that slides', [link({ kind: 'prismatic', mass: nothing })], 0],
    ['a massless screw', [link({ kind: 'screw', pitch: 1, mass: nothing })], 0],
    ['a point on a rod in a spherical joint', [link({ kind: 'spherical', mass: ball(1, 0, [0, 0, 1]) })], 0],
    ['a free point', [link({ kind: 'free', mass: ball(1, 0, [0.1, 0.2, 0.3]) })], 0],
    ['a free body without mass', [link({ kind: 'free', mass: nothing })], 0],
    ['two hinges with one axis', [link({ mass: nothing }), link({ parent: 0, axis: [0, -1, 0] })], 0],
    [
      'a chain that ends in a frame',
      [
        link({}),
        link({ parent: 0, axis: [1, 0, 0] }),
        link({ parent: 1, before: at(1, 0, 0), mass: nothing }),
      ],
      2,
    ],
  ])('%s', (_, links, expected) => {
    const { mechanism, singular } = accelerated(
      links,
      down,
      [...new Float64Array(9).fill(1)],
      [1, 1, 1, 1, 1, 1],
    );
    expect(singular).toBe(expected);
    expect(mechanism.driven(new Float64Array(1))).toBe(expected);
  });

  test('a massless body that others hold is well', () => {
    const links = [link({ mass: nothing }), link({ parent: 0, axis: [1, 0, 0], before: at(0, 0, 1) })];
    expect(accelerated(links, down, [0.1, 0.2], [1, 2]).singular).toBe(-1);
  });

  test('a massless driven joint at the tip is well', () => {
    const links = [link({}), link({ parent: 0, mass: nothing, driven: true })];
    expect(accelerated(links, down, [0.1, 0.2], [1, 2]).singular).toBe(-1);
  });
});

test('links must follow their parents, and have axes', () => {
  expect(() => new Mechanism({ links: [link({ parent: 0 })] })).toThrow('parent');
  expect(() => new Mechanism({ links: [link({ axis: [0, 0, 0] })] })).toThrow('axis');
  expect(() => new Mechanism({ links: [link({ kind: 'screw' })] })).toThrow('pitch');
  expect(() => new Mechanism({ links: [link({ kind: 'free', driven: true })] })).toThrow('driven');
});

describe('random trees', () => {
  const gravities: readonly Gravity[] = [{ kind: 'none' }, down, { kind: 'point', mu: 30 }];
  const given = fc.tuple(fc.integer(), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 2 }));

  test('satisfy the equations of all their bodies', () => {
    fc.assert(
      fc.property(given, fc.constantFrom(0, 50, 100), ([seed, n, g], driven) => {
        const draw = drawer(seed);
        const mechanism = new Mechanism({ links: randomLinks(draw, { n, driven }), gravity: gravities[g]! });
        const { tree } = mechanism;
        const [q, v, tau, a] = [
          coordinates(draw, tree),
          numbers(draw, tree.nv),
          numbers(draw, tree.nv),
          numbers(draw, tree.nv),
        ];
        const wrenches = numbers(draw, 6 * n);
        mechanism.locate(q, v);
        const expected = solveDense(mechanism, tau, a, wrenches);
        expect(mechanism.accelerate(tau, wrenches, a)).toBe(-1);
        expect(difference(a, expected.a)).toBeLessThan(1e-9);
        expect(difference(tau, expected.tau)).toBeLessThan(1e-9);
        const into = new Float64Array(6);
        for (let k = 0; k < n; k++) {
          mechanism.reaction(k, into);
          expect(difference(into, expected.reactions[k]!)).toBeLessThan(1e-9);
          mechanism.acceleration(k, into);
          expect(difference(into, expected.accelerations[k]!)).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('velocities are derivatives of positions', () => {
    fc.assert(
      fc.property(given, ([seed, n]) => {
        const draw = drawer(seed);
        const mechanism = new Mechanism({ links: randomLinks(draw, { n }) });
        const { tree, motion } = mechanism;
        const [q, v] = [coordinates(draw, tree), numbers(draw, tree.nv)];
        const rates = new Float64Array(tree.nq);
        mechanism.rates(q, v, rates);
        const [h, moved] = [1e-5, [] as { p: Float64Array; r: Float64Array }[]];
        for (const step of [-h, h]) {
          mechanism.locate(
            q.map((value, i) => value + step * rates[i]!),
            v,
          );
          moved.push({ p: motion.position.slice(), r: motion.rotation.slice() });
        }
        mechanism.locate(q, v);
        for (let k = 0; k < n; k++) {
          const slope = (of: 'p' | 'r', i: number) => (moved[1]![of][i]! - moved[0]![of][i]!) / (2 * h);
          const velocity = [0, 1, 2].map((i) => slope('p', 3 * k + i));
          expect(difference(three(motion.velocity, k), velocity)).toBeLessThan(1e-7);
          const [x, y, z] = three(motion.angular, k);
          const r = nine(motion.rotation, k);
          const spin = [0, -z, y, z, 0, -x, -y, x, 0];
          const turned = Array.from({ length: 9 }, (_, i) =>
            [0, 1, 2].reduce((sum, j) => sum + spin[3 * Math.floor(i / 3) + j]! * r[3 * j + (i % 3)]!, 0),
          );
          expect(
            difference(
              turned,
              Array.from({ length: 9 }, (_, i) => slope('r', 9 * k + i)),
            ),
          ).toBeLessThan(1e-7);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('their energy changes by the power of forces, momenta by forces', () => {
    fc.assert(
      fc.property(given, ([seed, n, g]) => {
        const draw = drawer(seed);
        const links = randomLinks(draw, { n }).map((item) => ({ ...item, driven: false }));
        const mechanism = new Mechanism({ links, gravity: gravities[g]! });
        const { tree, motion } = mechanism;
        const [q, v, tau, a] = [
          coordinates(draw, tree),
          numbers(draw, tree.nv),
          numbers(draw, tree.nv),
          new Float64Array(tree.nv),
        ];
        const wrenches = numbers(draw, 6 * n);
        mechanism.locate(q, v);
        mechanism.accelerate(tau, wrenches, a);
        let power = v.reduce((sum, value, i) => sum + value * tau[i]!, 0);
        for (let k = 0; k < n; k++)
          for (let i = 0; i < 3; i++)
            power +=
              wrenches[6 * k + i]! * motion.angular[3 * k + i]! +
              wrenches[6 * k + 3 + i]! * motion.velocity[3 * k + i]!;
        const rates = new Float64Array(tree.nq);
        mechanism.rates(q, v, rates);
        const h = 1e-5;
        const energies = [-h, h].map((step) => {
          mechanism.locate(
            q.map((value, i) => value + step * rates[i]!),
            v.map((value, i) => value + step * a[i]!),
          );
          const { kinetic, potential } = mechanism.balance();
          return kinetic + potential;
        });
        const slope = (energies[1]! - energies[0]!) / (2 * h);
        expect(Math.abs(slope - power)).toBeLessThan(1e-5 * (1 + Math.abs(power) + Math.abs(energies[0]!)));
      }),
      { numRuns: 50 },
    );
  });

  test('energy and momenta are sums over bodies', () => {
    fc.assert(
      fc.property(given, ([seed, n, g]) => {
        const draw = drawer(seed);
        const mechanism = new Mechanism({ links: randomLinks(draw, { n }), gravity: gravities[g]! });
        const { tree, motion } = mechanism;
        mechanism.locate(coordinates(draw, tree), numbers(draw, tree.nv));
        let [mass, kinetic, potential] = [0, 0, 0];
        const [centre, momentum, angular] = [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
        ];
        const each = (visit: (m: number, x: number[], u: number[], spin: number[]) => void) =>
          tree.links.forEach(({ mass: { mass: m, centre: c, inertia } }, k) => {
            const times = (r: ArrayLike<number>, s: ArrayLike<number>) =>
              [0, 3, 6].map((i) => r[i]! * s[0]! + r[i + 1]! * s[1]! + r[i + 2]! * s[2]!);
            const r = nine(motion.rotation, k);
            const back = [0, 1, 2].flatMap((i) => [r[i]!, r[i + 3]!, r[i + 6]!]);
            const arm = times(r, c);
            const w = three(motion.angular, k);
            const x = arm.map((value, i) => value + motion.position[3 * k + i]!);
            const u = [
              w[1] * arm[2]! - w[2] * arm[1]!,
              w[2] * arm[0]! - w[0] * arm[2]!,
              w[0] * arm[1]! - w[1] * arm[0]!,
            ].map((value, i) => value + motion.velocity[3 * k + i]!);
            const spin = times(r, times(inertia, times(back, w)));
            visit(m, x, u, spin);
            kinetic +=
              (m * (u[0]! ** 2 + u[1]! ** 2 + u[2]! ** 2) +
                spin[0]! * w[0] +
                spin[1]! * w[1] +
                spin[2]! * w[2]) /
              2;
          });
        each((m, x, u) => {
          mass += m;
          for (let i = 0; i < 3; i++) {
            centre[i]! += m * x[i]!;
            momentum[i]! += m * u[i]!;
          }
          if (g === 1) potential += 9.81 * m * x[2]!;
          if (g === 2) potential -= (30 * m) / Math.hypot(...x);
        });
        kinetic = 0;
        each((m, x, u, spin) => {
          const d = x.map((value, i) => value - centre[i]! / mass);
          for (let i = 0; i < 3; i++) {
            const [j, l] = [(i + 1) % 3, (i + 2) % 3];
            angular[i]! += spin[i]! + m * (d[j]! * u[l]! - d[l]! * u[j]!);
          }
        });
        const actual = mechanism.balance();
        expect(actual.mass).toBeCloseTo(mass, 12);
        expect(difference([actual.kinetic, actual.potential], [kinetic, potential])).toBeLessThan(1e-12);
        expect(
          difference(
            actual.centre,
            centre.map((value) => value / mass),
          ),
        ).toBeLessThan(1e-12);
        expect(difference(actual.momentum, momentum)).toBeLessThan(1e-12);
        expect(difference(actual.angularMomentum, angular)).toBeLessThan(1e-11);
      }),
      { numRuns: 50 },
    );
  });
});

describe('driven joints', () => {
  test('their matrix and vector give the forces of any accelerations, and free joints follow', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(30, 60, 100),
        (seed, n, driven) => {
          const draw = drawer(seed);
          const mechanism = new Mechanism({ links: randomLinks(draw, { n, driven }), gravity: down });
          const { tree } = mechanism;
          const places = [...tree.drives].map((k) => tree.vAt[k]!);
          const count = places.length;
          const [q, v, force] = [coordinates(draw, tree), numbers(draw, tree.nv), numbers(draw, tree.nv)];
          const [matrix, jump] = [new Float64Array(count * count), new Float64Array(tree.nv)];
          mechanism.locate(q, v);
          const solve = (given: (i: number) => number) => {
            const [tau, a] = [force.slice(), new Float64Array(tree.nv)];
            places.forEach((i) => {
              a[i] = given(i);
            });
            mechanism.accelerate(tau, undefined, a);
            return { tau, a };
          };
          const still = solve(() => 0);
          const chosen = numbers(draw, tree.nv);
          const moved = solve((i) => chosen[i]!);
          expect(mechanism.driven(matrix)).toBe(-1);
          const change = Float64Array.from(places, (i) => chosen[i]!);
          expect(mechanism.jump(change, jump)).toBe(-1);
          const expected = places.map((i, row) =>
            places.reduce(
              (sum, j, column) => sum + matrix[row * count + column]! * chosen[j]!,
              still.tau[i]!,
            ),
          );
          expect(
            difference(
              places.map((i) => moved.tau[i]!),
              expected,
            ),
          ).toBeLessThan(1e-9);
          // Speeds jump with those of driven joints as accelerations change with theirs.
          const follow = still.a.map((value, i) => value + jump[i]!);
          expect(difference(moved.a, follow)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('when their speeds jump, the momentum along every free joint is kept', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 8 }), (seed, n) => {
        const draw = drawer(seed);
        const mechanism = new Mechanism({ links: randomLinks(draw, { n, driven: 50 }), gravity: down });
        const { tree } = mechanism;
        const [q, v] = [coordinates(draw, tree), numbers(draw, tree.nv)];
        const change = numbers(draw, tree.drives.length);
        const impulses = new Float64Array(change.length);
        const after = v.slice();
        mechanism.locate(q, v);
        expect(mechanism.jump(change, after, impulses)).toBe(-1);
        // The momentum of coordinate i is dT/dv_i; T is quadratic, so that differences are exact.
        const energy = (speeds: Float64Array) => {
          mechanism.locate(q, speeds);
          return mechanism.balance().kinetic;
        };
        const momentum = (speeds: Float64Array, i: number) => {
          const [up, down] = [speeds.slice(), speeds.slice()];
          up[i]! += 1;
          down[i]! -= 1;
          return (energy(up) - energy(down)) / 2;
        };
        const expected = new Float64Array(tree.nv);
        tree.drives.forEach((k, d) => {
          expect(after[tree.vAt[k]!]).toBeCloseTo(v[tree.vAt[k]!]! + change[d]!, 12);
          expected[tree.vAt[k]!] = impulses[d]!;
        });
        const actual = expected.map((_, i) => momentum(after, i) - momentum(v, i));
        expect(difference(actual, expected)).toBeLessThan(1e-9);
      }),
      { numRuns: 50 },
    );
  });
});

test('quaternions may have any length', () => {
  const links = [link({ kind: 'free', mass: ball(1, 1) })];
  const mechanism = new Mechanism({ links });
  mechanism.locate(Float64Array.of(0, 0, 0, 2, -4, 6, 1), new Float64Array(6));
  expect(difference(mechanism.motion.rotation.slice(0, 9), matrixOf([2, -4, 6, 1]))).toBeLessThan(1e-15);
});
