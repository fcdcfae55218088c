/** Rigid bodies that begin to slip while they roll: the slip grows from nothing, much more slowly than friction alone would change it. */
import { expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { g, ground, law, near, touches, world } from './rigidnotation.ts';

type Vector = readonly [number, number, number];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a: Vector, b: Vector, by = 1): Vector => [a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]];
const times = (a: Vector, b: Vector): Vector => [a[0] * b[0], a[1] * b[1], a[2] * b[2]];
/** Turns a vector by another one. */
const turned = (x: Vector, by: Vector): Vector => {
  const angle = Math.hypot(...by);
  if (angle === 0) return x;
  const once = cross(by, x);
  return plus(plus(x, once, Math.sin(angle) / angle), cross(by, once), (1 - Math.cos(angle)) / angle ** 2);
};

const friction = 0.4;
const mass = 0.509;
const halves: Vector = [0.1316, 0.0612, 0.1416];
const rotation: Vector = [2.354, 0.4106, -2.6005];
const spin: Vector = [-3.6, 0.604, -3.808];
const about = (x: Vector, axis: Vector, angle: number): Vector =>
  turned(x, times(axis, [angle, angle, angle]));
/** The axes of the world, and those of the body at the start: turned about x, then y, then z, which go with it. */
const [x, y, z]: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const atStart = [x!, y!, z!].map((own) =>
  about(about(about(own, z!, rotation[2]), y!, rotation[1]), x!, rotation[0]),
);

/** From the centre of an ellipsoid with these axes to its lowest point. */
function lowest(axes: readonly Vector[]): Vector {
  const down = axes.map((axis) => -axis[1]) as unknown as Vector;
  const length = Math.hypot(...times(halves, down));
  return axes.reduce<Vector>(
    (sum, axis, i) => plus(sum, axis, (halves[i]! ** 2 * down[i]!) / length),
    [0, 0, 0],
  );
}

/** Rolling from the start, in steps of equal length with impulses on the cone of Coulomb (J. J. Moreau, 1988): slip and angular velocity at the end. */
function stepped(end: number, count: number): readonly number[] {
  const h = end / count;
  const squares = times(halves, halves);
  const inertia = [squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]].map(
    (s) => (mass / 5) * s,
  );
  let axes: readonly Vector[] = atStart;
  let w: Vector = spin;
  let v: Vector = times(cross(w, lowest(axes)), [-1, -1, -1]);
  let impulse: Vector = [0, mass * g * h, 0];
  let slip: Vector = [0, 0, 0];
  for (let step = 0; step < count; step++) {
    // The middle of the step.
    const middle = axes.map((axis) => turned(axis, plus([0, 0, 0], w, h / 2)));
    const by = (x: Vector, values: readonly number[]): Vector =>
      middle.reduce<Vector>((sum, axis, i) => plus(sum, axis, dot(axis, x) * values[i]!), [0, 0, 0]);
    const compliance = inertia.map((i) => 1 / i);
    const arm = lowest(middle);
    const freeW = plus(w, by(cross(by(w, inertia), w), compliance), h);
    const freeV = plus(v, [0, -g, 0], h);
    const moved = (p: Vector): readonly [Vector, Vector] => [
      plus(freeV, p, 1 / mass),
      plus(freeW, by(cross(arm, p), compliance)),
    ];
    const speed = (p: Vector): Vector => {
      const [newV, newW] = moved(p);
      return plus(newV, cross(newW, arm));
    };
    for (let round = 0; round < 2000; round++) {
      slip = speed(impulse);
      const pressed = Math.max(0, impulse[1] - 0.3 * mass * slip[1]);
      const across = [impulse[0] - 0.3 * mass * slip[0], impulse[2] - 0.3 * mass * slip[2]] as const;
      const share = Math.min(1, (friction * pressed) / Math.hypot(...across));
      const next: Vector = [share * across[0], pressed, share * across[1]];
      const change = Math.hypot(...plus(next, impulse, -1));
      impulse = next;
      if (change < 1e-14 * pressed) break;
    }
    slip = speed(impulse);
    [v, w] = moved(impulse);
    axes = axes.map((axis) => turned(axis, plus([0, 0, 0], w, h)));
  }
  return [Math.hypot(slip[0], slip[2]), ...w];
}

test.each([
  [1e-6, 1e-3],
  [1e-8, 3e-5],
])(
  'an ellipsoid that rolls slips more and more where friction does not hold it: tolerance %s',
  async (tolerance, error) => {
    const arm = lowest(atStart);
    const v = cross(spin, arm).map((x) => -x);
    const { table, statistics } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, friction)}
    Ellipsoid b(fixed = false, lengthX = ${2 * halves[0]}, lengthY = ${2 * halves[1]}, lengthZ = ${2 * halves[2]}, mass = ${mass}, rotation = {${rotation}}, translation = {0, ${-arm[1]}, 0}, velocity = {${v}}, angularVelocity = {${spin}}, ${touches});
    ContactSensor s(object1 = "ground", object2 = "b");`,
      0.03,
      { tolerance },
    );
    const [slip, ...w] = stepped(0.03, 3000);
    // Steps of twice the length change the slip by 4.5e-6 m/s.
    near(table.value('s.slipSpeed', 0.03), slip!, 1e-5);
    for (const [i, rate] of w.entries()) near(table.value(`b.w[${i + 1}]`, 0.03), rate, error);
    expect(statistics.steps).toBeLessThan(500);
  },
);
