/**
 * Elastic impacts without friction in space, in which faces come to lie against edges and round sides against rims: energy, momentum and angular momentum are what they were, by the masses and
 * inertias of the shapes.
 */
import { describe, expect, test } from 'vitest';
import { run } from '../../models/notation.ts';
import { telling } from '../told.ts';

type Vector = readonly [number, number, number];
interface Body {
  readonly name: string;
  readonly mass: number;
  /** About its axes. */
  readonly inertia: Vector;
}

/** A body, and the line of a model that is one. */
interface Part {
  readonly text: string;
  readonly body: Body;
}

const space = (e = 1) =>
  `World world(gravity = Gravity.none); ContactLaw law(restitution = ${e}, friction = 0);`;
const touches = 'material = "Steel", contact = true';

const box = (name: string, mass: number, [x, y, z]: Vector, more: string): Part => ({
  text: `Box ${name}(lengthX = ${x}, lengthY = ${y}, lengthZ = ${z}, mass = ${mass}, ${touches}${more});`,
  body: {
    name,
    mass,
    inertia: [(mass * (y * y + z * z)) / 12, (mass * (x * x + z * z)) / 12, (mass * (x * x + y * y)) / 12],
  },
});

function capsule(name: string, mass: number, d: number, length: number, more: string): Part {
  const r = d / 2;
  const [tube, balls] = [r * r * length, (4 / 3) * r ** 3];
  const [m, n] = [(mass * tube) / (tube + balls), (mass * balls) / (tube + balls)];
  const across =
    (m * (3 * r * r + length ** 2)) / 12 + n * (0.4 * r * r + length ** 2 / 4 + (3 / 8) * length * r);
  const body: Body = { name, mass, inertia: [across, across, (m * r * r) / 2 + 0.4 * n * r * r] };
  return {
    text: `Capsule ${name}(diameter = ${d}, length = ${length}, mass = ${mass}, ${touches}${more});`,
    body,
  };
}

/** An axis of an object with angles about x, the new y and the new z, along those of the world. */
function axes([a, b, c]: Vector): Vector[] {
  const [ca, sa, cb, sb, cc, sc] = [
    Math.cos(a),
    Math.sin(a),
    Math.cos(b),
    Math.sin(b),
    Math.cos(c),
    Math.sin(c),
  ];
  return [
    [cb * cc, ca * sc + sa * sb * cc, sa * sc - ca * sb * cc],
    [-cb * sc, ca * cc - sa * sb * sc, sa * cc + ca * sb * sc],
    [sb, -sa * cb, ca * cb],
  ];
}

function balance(bodies: readonly Body[], value: (name: string) => number) {
  let energy = 0;
  const momentum = [0, 0, 0];
  const angular = [0, 0, 0];
  for (const { name, mass, inertia } of bodies) {
    const of = (what: string) => [1, 2, 3].map((i) => value(`${name}.${what}[${i}]`)) as unknown as Vector;
    const [r, v, w] = [of('r'), of('v'), of('w')];
    for (const [k, axis] of axes(of('angles')).entries()) {
      const own = axis[0] * w[0] + axis[1] * w[1] + axis[2] * w[2];
      energy += (inertia[k]! * own * own) / 2;
      for (let i = 0; i < 3; i++) angular[i]! += inertia[k]! * own * axis[i]!;
    }
    for (let i = 0; i < 3; i++) {
      energy += (mass * v[i]! ** 2) / 2;
      momentum[i]! += mass * v[i]!;
      angular[i]! += mass * (r[(i + 1) % 3]! * v[(i + 2) % 3]! - r[(i + 2) % 3]! * v[(i + 1) % 3]!);
    }
  }
  return { energy, momentum, angular };
}

const free = (r: string, angles: string, v: string, w: string) =>
  `, fixed = false, translation = {${r}}, rotation = {${angles}}, velocity = {${v}}, angularVelocity = {${w}}`;

/** A thin plate against a rod, whose corners come and go; a capsule that is turned over the side of a thin plate, twice. */
const scenes: readonly (readonly [string, readonly Part[], number])[] = [
  [
    'a rod and a plate',
    [
      box(
        'a',
        3.48314,
        [0.458086, 0.00333904, 0.250541],
        free(
          '-0.7, -0.0323743, -0.0427253',
          '0.97661, 0.15462, -1.46904',
          '2.48172, -0.0206274, -0.0909198',
          '-2.19521, 5.82348, -1.92785',
        ),
      ),
      box(
        'b',
        3.31889,
        [0.425623, 0.019555, 0.0355597],
        free(
          '0, 0.0369552, -0.0325010',
          '2.77727, -0.126331, -0.109705',
          '0, 0.0458008, -0.0925012',
          '0.704535, 6.15748, 0.828141',
        ),
      ),
    ],
    0.48,
  ],
  [
    'a capsule and a plate',
    [
      capsule(
        'a',
        4.86673,
        0.0596172,
        0.0902483,
        free(
          '-0.7, -0.0997166, -0.0849794',
          '2.92958, 0.363795, -1.71154',
          '2.48433, 0.0346213, -0.0329327',
          '-2.50751, -1.12329, 3.69408',
        ),
      ),
      box(
        'b',
        2.96232,
        [0.433422, 0.0107451, 0.248234],
        free(
          '0, -0.0372793, -0.0281136',
          '1.03746, -0.663693, 0.737774',
          '0, -0.0978240, -0.146613',
          '-3.2123, 3.73227, 2.99793',
        ),
      ),
    ],
    0.48,
  ],
  [
    'a plate and a long capsule',
    [
      box(
        'a',
        1.96366,
        [0.4757, 0.00533092, 0.307972],
        free(
          '-0.7, -0.0764399, 0.0051108',
          '-2.719, -0.906723, 0.857904',
          '2.89033, -0.179992, 0.150285',
          '2.34675, -1.07697, -3.1432',
        ),
      ),
      capsule(
        'b',
        3.21531,
        0.050116,
        0.250381,
        free(
          '0, 0.0327536, -0.0229854',
          '2.0583, 1.24502, -2.2495',
          '0, -0.087417, 0.194011',
          '-0.102485, -7.35618, 5.0718',
        ),
      ),
    ],
    0.415,
  ],
];

describe('what parts elastically', () => {
  test.each(scenes)('%s, with the energy that it had', async (_, parts, stopTime) => {
    const bodies = parts.map(({ body }) => body);
    const elements = `${space()} ${parts.map(({ text }) => text).join('\n')}`;
    const { table, statistics } = await run('Bodies', elements, stopTime, { tolerance: 1e-8 });
    expect(statistics.events).toBeGreaterThan(1);
    const before = balance(bodies, (name) => table.value(name, 0));
    const after = balance(bodies, (name) => table.value(name, stopTime));
    // Work below 1e-4 of the energy of an impact is not told from none, and it is up to twice as stiff for the rest.
    expect(Math.abs(after.energy / before.energy - 1)).toBeLessThan(3e-4);
    for (let i = 0; i < 3; i++) {
      expect(Math.abs(after.momentum[i]! - before.momentum[i]!)).toBeLessThan(1e-12 * 10);
      expect(Math.abs(after.angular[i]! - before.angular[i]!)).toBeLessThan(1e-6);
    }
  });

  test('on a hinge does so, too', async () => {
    const a = box(
      'a',
      4.19183,
      [0.432963, 0.0117277, 0.0312849],
      free(
        '-0.7, -0.039313, -0.0924958',
        '-1.01523, -0.475441, 2.74005',
        '3.47811, -0.128197, -0.187632',
        '-1.49862, -4.59746, -3.7936',
      ),
    );
    const b = capsule('b', 1.68756, 0.156999, 0.252399, '');
    const { table } = await run(
      'Bodies',
      `${space()} ${a.text} ${b.text}
      Object3D pin(parent = "world", rotation = {-1.69704, 0.655786, -0.253958}, translation = {0.0108285, -0.0641872, -0.0616786});
      Object3D bearing(parent = "b", translation = {0.0433741, 0.00170548, -0.0471366}, rotation = {2.26366, 0.639725, -1.60691});
      Revolute hinge(obj1 = "pin", obj2 = "bearing", w0 = -4.62178);`,
      0.345,
      { tolerance: 1e-8 },
    );
    const energy = (t: number) => balance([a.body, b.body], (name) => table.value(name, t)).energy;
    expect(Math.abs(table.value('hinge.w', 0.345) + 4.62178)).toBeGreaterThan(0.5);
    expect(Math.abs(energy(0.345) / energy(0) - 1)).toBeLessThan(1e-4);
  });

  test('is told of where a tolerance is too large for its energy', async () => {
    const rods = [
      box(
        'a',
        4.92608,
        [0.570888, 0.03383, 0.0228924],
        free(
          '-0.7, 0.0516001, -0.0068855',
          '1.02916, -0.97735, -2.12636',
          '2.55116, -0.0427114, 0.173724',
          '-2.52821, -2.67327, -6.96813',
        ),
      ),
      box(
        'b',
        4.76056,
        [0.548022, 0.0150219, 0.0251024],
        free(
          '0, 0.0383603, 0.00410101',
          '0.232597, -0.0165345, 2.55603',
          '0, 0.00953058, 0.0533306',
          '-4.34721, -4.20708, -0.648048',
        ),
      ),
    ];
    const lines = [space(), ...rods.map(({ text }) => text)];
    const rough = await telling(lines, { stopTime: 0.47, tolerance: 1e-4 });
    expect(rough.told.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^`a` and `b` part at time 0\.258\d+, having gained \d\S+ % of the energy with which they met, beside what their restitution and friction took\.$/,
      ),
    ]);
    const fine = await telling(lines, { stopTime: 0.47, tolerance: 1e-6 });
    expect(fine.told).toEqual([]);
  });
});
