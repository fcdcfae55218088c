/** What turns fast is seen to turn as it does, between the times of the results too. */
import { describe, expect, it } from 'vitest';
import type { AnimatedNode, Triple } from '../../src/animation/animation.ts';
import { animationOf } from '../../src/animation/recorded.ts';
import { animationNotes, poseAt, sceneOf } from '../../src/animation/scene.ts';
import { run } from '../models/notation.ts';
import { animation, cube, turn } from './scenes.ts';

type Quaternion = readonly [number, number, number, number];

/** What an object does: where it is, how it is turned, and the derivatives of that. */
interface Moved {
  readonly r: Triple;
  readonly q: Quaternion;
  readonly v: Triple;
  readonly w: Triple;
}

const times = (count: number, step: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => i * step);

const node = (name: string, at: readonly number[], move: (t: number) => Moved): AnimatedNode => {
  const moved = at.map(move);
  return cube(name, {
    positions: moved.flatMap(({ r }) => r),
    rotations: moved.flatMap(({ q }) => q),
    velocities: moved.flatMap(({ v }) => v),
    angularVelocities: moved.flatMap(({ w }) => w),
  });
};

const multiply = ([a, b, c, d]: Quaternion, [e, f, g, h]: Quaternion): Quaternion => [
  a * e - b * f - c * g - d * h,
  a * f + b * e + c * h - d * g,
  a * g - b * h + c * e + d * f,
  a * h + b * g - c * f + d * e,
];
const rotate = (q: Quaternion, [x, y, z]: Triple): Triple => {
  const [, ...rest] = multiply(multiply(q, [0, x, y, z]), [q[0], -q[1], -q[2], -q[3]]);
  return rest as unknown as Triple;
};
const plus = (a: Triple, b: Triple, k = 1): Triple => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const apart = (a: ArrayLike<number>, b: readonly number[]): number =>
  Math.hypot(...b.map((value, k) => value - a[k]!));
/** The angle between two rotations. */
const angle = (a: ArrayLike<number>, b: Quaternion): number =>
  4 *
  Math.asin(
    Math.min(
      apart(a, b),
      apart(
        a,
        b.map((value) => -value),
      ),
    ) / 2,
  );

/** The largest errors at many times that are no multiples of anything. */
function errors(at: readonly number[], move: (t: number) => Moved) {
  const scene = sceneOf(animation(at, [node('it', at, move)]));
  let [turned, placed] = [0, 0];
  for (let i = 0; i < 997; i++) {
    const t = (at.at(-1)! * i) / 997;
    const { rotation, position } = poseAt(scene.times, scene.nodes[0]!, t);
    turned = Math.max(turned, angle(rotation, move(t).q));
    placed = Math.max(placed, apart(position, move(t).r));
  }
  return { turned, placed, scene };
}

/** About z, at a distance of 0.3 m from the axis, by angle and speed. */
const about = (phi: number, w: number): Moved => ({
  r: [0.3 * Math.cos(phi), 0.3 * Math.sin(phi), 0.1],
  q: turn([0, 0, 1], phi) as Quaternion,
  v: [-0.3 * w * Math.sin(phi), 0.3 * w * Math.cos(phi), 0],
  w: [0, 0, w],
});

/** Chords from one time to the next, a sixteenth of pi apart, miss the circle of 0.3 m by this. */
const chord = 0.3 * (1 - Math.cos(Math.PI / 32));

describe('between the times of the results', () => {
  it.each([300, -300, 1e3, 2 * Math.PI * 25, 8.986818915818128 / 0.04])(
    'an object turns at %d rad/s, and goes round its axis, though rows are 0.04 s apart',
    (w) => {
      const { turned, placed, scene } = errors(times(25, 0.04), (t) => about(w * t, w));
      expect(turned).toBeLessThan(1e-5);
      expect(placed).toBeLessThan(chord + 1e-5);
      expect(scene.notes).toEqual([]);
    },
  );

  it('keys are at most an eighth of a turn apart', () => {
    const { scene } = errors(times(25, 0.04), (t) => about(300 * t, 300));
    const { rotation } = scene.nodes[0]!;
    for (let key = 1; key < rotation.rows.length; key++) {
      const step = scene.times[rotation.rows[key]!]! - scene.times[rotation.rows[key - 1]!]!;
      expect(300 * step).toBeLessThan(Math.PI / 4 + 1e-9);
    }
    // No more of them than that: one second has 300 rad.
    expect(rotation.rows.length).toBeLessThan(450);
  });

  it('it speeds up evenly from rest over many turns, and through rest the other way', () => {
    const { turned, placed } = errors(times(40, 0.05), (t) => about(500 * (t - 1) * t, 500 * (2 * t - 1)));
    // From key to key it turns evenly: where it begins 0.05 s have 13 steps h, which miss 1000 h^2/8.
    const missed = (1000 * (0.05 / 13) ** 2) / 8;
    expect(turned).toBeLessThan(1.01 * missed);
    expect(placed).toBeLessThan(chord + 0.3 * missed);
  });

  it('a body tumbles and flies: it spins about an axis that itself goes round, and its centre of mass falls', () => {
    // A symmetric body without torques: it goes round its angular momentum at 3 rad/s, leaning by 0.4, and spins at 200 rad/s about its own axis.
    const lean = turn([1, 0, 0], 0.4) as Quaternion;
    const offset: Triple = [0.2, -0.1, 0.3];
    const move = (t: number): Moved => {
      const outer = multiply(turn([0, 0, 1], 3 * t) as Quaternion, lean);
      const q = multiply(outer, turn([0, 0, 1], 200 * t) as Quaternion);
      const w = plus([0, 0, 3], rotate(outer, [0, 0, 1]), 200);
      const arm = rotate(q, offset);
      return {
        q,
        w,
        r: plus([2 * t, 5 * t - 4.905 * t * t, 0], arm),
        v: plus([2, 5 - 9.81 * t, 0], cross(w, arm)),
      };
    };
    const { turned, placed } = errors(times(100, 0.02), move);
    // The axis moves by 0.06 rad from row to row, along an arc: its straight way is off by less than 0.06^2/8.
    expect(turned).toBeLessThan(1e-3);
    expect(placed).toBeLessThan(0.4 * (1 - Math.cos(Math.PI / 32)) + 1e-3);
  });

  it('an object that is not always seen jumps, and turns where it is seen', () => {
    const at = [0, 0.1, 0.1, 0.2, 0.3];
    const own = node('it', at, (t) => about(100 * t, 100));
    const nan = Number.NaN;
    const positions = [...Array.from(own.positions).slice(0, 12), nan, nan, nan];
    const scene = sceneOf(animation(at, [{ ...own, positions, visible: [1, 1, 1, 1, 0] }]));
    for (const t of [0.013, 0.0999, 0.1, 0.17]) {
      const { rotation, visible } = poseAt(scene.times, scene.nodes[0]!, t);
      expect(angle(rotation, about(100 * t, 100).q)).toBeLessThan(1e-5);
      expect(visible).toBe(true);
    }
    expect([0.2, 0.29, 0.3].map((t) => poseAt(scene.times, scene.nodes[0]!, t).visible)).toEqual([
      ...[true, true],
      false,
    ]);
  });

  it('what turns too often to be shown is named, and others are shown all the same', () => {
    const at = times(100, 1);
    const scene = sceneOf(
      animation(at, [
        node('rotor', at, (t) => about(1e5 * t, 1e5)),
        node('wheel', at, (t) => about(20 * t, 20)),
      ]),
    );
    expect(scene.notes).toHaveLength(1);
    // 1e7 rad are 1.6 million turns.
    expect(scene.notes[0]!.text).toContain('rotor turns about 1600000 times');
    expect(scene.times.length).toBeLessThan(250_000);
    const { rotation } = poseAt(scene.times, scene.nodes[1]!, 33.33);
    expect(angle(rotation, about(20 * 33.33, 20).q)).toBeLessThan(1e-5);
  });

  it('what cannot be known is said: an object that does not turn, but is carried round several times', () => {
    const at = times(50, 0.04);
    const round =
      (w: number) =>
      (t: number): Moved => ({ ...about(w * t, w), q: [1, 0, 0, 0], w: [0, 0, 0] });
    // Whatever the turn from row to row is: from 3 to 25 rad.
    for (let turned = 3; turned < 25; turned += 0.1) {
      const notes = animationNotes(animation(at, [node('gondola', at, round(turned / 0.04))]));
      expect(notes).toHaveLength(1);
      expect(notes[0]!.text).toContain('how gondola moved');
    }
    const carried = round(100);
    // With rows near enough there is nothing to say.
    const near = times(2000, 0.001);
    expect(sceneOf(animation(near, [node('gondola', near, carried)])).notes).toEqual([]);
  });

  it('slow objects have no more times than before, and nothing is said of falls and stops', () => {
    const at = times(50, 0.04);
    const fall = (t: number): Moved => ({
      r: [0, -5 * t * t, 0],
      q: turn([1, 0, 0], t) as Quaternion,
      v: [0, -10 * t, 0],
      w: [1, 0, 0],
    });
    const stop = (t: number): Moved => ({
      ...{ r: [Math.min(t, 0.99), 0, 0], q: [1, 0, 0, 0] },
      ...{ v: [t < 0.99 ? 1 : 0, 0, 0], w: [0, 0, 0] },
    });
    const scene = sceneOf(animation(at, [node('fall', at, fall), node('stop', at, stop)]));
    expect(scene.times).toEqual(Float64Array.from(at));
    expect(scene.notes).toEqual([]);
  });

  it('a model of a fan is right at all times, with a blade that is fixed in its hub', async () => {
    const result = await run(
      'Bodies',
      `World world;
      Box hub(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1, mass = 1);
      Box blade(parent = "hub", translation = {0.5, 0, 0}, lengthX = 1, lengthY = 0.1, lengthZ = 0.02);
      Revolute axle(obj1 = "world", obj2 = "hub", w0 = 300);`,
      10,
    );
    const scene = sceneOf(animationOf(result)!);
    const blade = scene.nodes.find(({ name }) => name === 'blade')!;
    for (const t of [0.005, 0.01, 0.333, 9.987]) {
      const { position, rotation } = poseAt(scene.times, blade, t);
      expect(angle(rotation, turn([0, 0, 1], 300 * t) as Quaternion)).toBeLessThan(1e-4);
      expect(apart(position, [0.5 * Math.cos(300 * t), 0.5 * Math.sin(300 * t), 0])).toBeLessThan(3e-3);
    }
    expect(scene.notes).toEqual([]);
  });
});
