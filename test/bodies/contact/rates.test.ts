/** How points and normals of contact move while shapes do, against differences of where they are a little before and after. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convexOf } from '../../../src/bodies/contact/cores.ts';
import { Patch } from '../../../src/bodies/contact/rigid/patch.ts';
import type { Convex } from '../../../src/bodies/contact/support.ts';
import type { Sight } from '../../../src/bodies/dynamics/sight.ts';
import { Touch } from '../../../src/bodies/dynamics/touch.ts';

const ball = (diameter: number) => convexOf({ kind: 'sphere', diameter });
const box = convexOf({ kind: 'box', lengthX: 0.6, lengthY: 0.4, lengthZ: 0.8 });
const capsule = convexOf({ kind: 'capsule', axis: 2, length: 0.5, diameter: 0.3 });
const ellipsoid = convexOf({ kind: 'ellipsoid', lengthX: 0.6, lengthY: 0.4, lengthZ: 0.5 });

type Vector = readonly [number, number, number];
const number = fc.integer({ min: -100, max: 100 }).map((n) => n / 50);
const vector: fc.Arbitrary<Vector> = fc.tuple(number, number, number);

/** A rotation that turns by a vector (Rodrigues), by rows. */
function rotated([x, y, z]: Vector): number[] {
  const angle = Math.hypot(x, y, z);
  const k = angle > 0 ? [x / angle, y / angle, z / angle] : [0, 0, 1];
  const [s, c] = [Math.sin(angle), 1 - Math.cos(angle)];
  const skew = [0, -k[2]!, k[1]!, k[2]!, 0, -k[0]!, -k[1]!, k[0]!, 0];
  return skew.map((a, n) => {
    const [i, j] = [Math.floor(n / 3), n % 3];
    const square = k[i]! * k[j]! - (i === j ? 1 : 0);
    return (i === j ? 1 : 0) + s * a + c * square;
  });
}

const times = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: 9 }, (_, n) => {
    const [i, j] = [3 * Math.floor(n / 3), n % 3];
    return a[i]! * b[j]! + a[i + 1]! * b[3 + j]! + a[i + 2]! * b[6 + j]!;
  });

interface Placed {
  readonly turn: Vector;
  readonly w: Vector;
  readonly u: Vector;
}

const cross = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);

/** Two shapes, the second one just on the first in a direction; A is where it is, and both move, but neither apart nor into each other. */
function placed(a: Convex, b: Convex, one: Placed, other: Placed, toward: Vector) {
  const [A, B] = [rotated(one.turn), rotated(other.turn)];
  const patch = new Patch(a, b);
  const rotation = Float64Array.from([...A, ...B]);
  const at = (by: number) => Float64Array.from([0, 0, 0, ...toward.map((x) => by * x)]);
  let by = 3;
  for (let round = 0; round < 60; round++) by -= 0.9 * patch.distance(rotation, at(by));
  const place = at(by).slice(3);
  const known = patch.list(rotation, at(by)).map(({ known }) => ({ ...known, presses: true }));
  patch.take(known);
  patch.measure(rotation, at(by));
  const { points, normal } = patch;
  const slip = cross(
    other.w,
    place.map((x, i) => points[i]! - x),
  ).map((x, i) => x + other.u[i]! - one.u[i]! - cross(one.w, points)[i]!);
  const parting = slip.reduce((sum, x, i) => sum + x * normal[i]!, 0);
  const uB = other.u.map((x, i) => x - parting * normal[i]!);
  const sight: Sight = {
    A: Float64Array.from(A),
    B: Float64Array.from(B),
    fromA: new Float64Array(3),
    fromB: place,
    wA: Float64Array.from(one.w),
    wB: Float64Array.from(other.w),
    uA: Float64Array.from(one.u),
    uB: Float64Array.from(uB),
    apart: place,
  };
  /** Points and normals after a time. */
  const after = (time: number) => {
    const scaled = (v: Vector): Vector => [time * v[0], time * v[1], time * v[2]];
    patch.measure(
      Float64Array.from([...times(rotated(scaled(one.w)), A), ...times(rotated(scaled(other.w)), B)]),
      Float64Array.from([...scaled(one.u), ...Array.from(place, (x, i) => x + time * uB[i]!)]),
    );
    return [...patch.points.subarray(0, 3 * patch.count), ...patch.normals.subarray(0, 3 * patch.count)];
  };
  return { patch, sight, after };
}

test.each([
  ['a ball on a box', box, ball(0.3)],
  ['a box on a ball', ball(0.3), box],
  ['a ball on a capsule', capsule, ball(0.3)],
  ['a capsule on a ball', ball(0.3), capsule],
  ['two balls', ball(0.3), ball(0.5)],
  ['an ellipsoid on a box', box, ellipsoid],
  ['a ball on an ellipsoid', ellipsoid, ball(0.3)],
] as const)('%s', (_, a, b) => {
  const moving = fc.record({ turn: vector, w: vector, u: vector });
  fc.assert(
    fc.property(moving, moving, vector, (one, other, direction) => {
      const length = Math.hypot(...direction);
      fc.pre(length > 0.1);
      const toward = direction.map((x) => x / length) as unknown as Vector;
      const { patch, sight, after } = placed(a, b, one, other, toward);
      fc.pre(patch.count === 1);
      const step = 1e-4;
      const [early, before, behind, late] = [-2, -1, 1, 2].map((n) => after(n * step)) as [
        number[],
        number[],
        number[],
        number[],
      ];
      const rates = before.map((x, i) => (early[i]! - late[i]! + 8 * (behind[i]! - x)) / (12 * step));
      const short = before.map((x, i) => (behind[i]! - x) / (2 * step));
      // Where the contact goes over an edge there are no rates.
      fc.pre(rates.every((x, i) => Math.abs(x - short[i]!) < 1e-4));
      const touch = new Touch(patch, 0);
      touch.move(sight);
      for (const [i, rate] of [...touch.pointRates, ...touch.normalRates].entries())
        expect(Math.abs(rate - rates[i]!), `${i}: ${rate} instead of ${rates[i]}`).toBeLessThan(1e-7);
    }),
    { numRuns: 60 },
  );
});
