/** Motion from point to point. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AxisLimits, type Leg, nextBend, pieceAt, pointToPoint } from '../../src/actions/ptp.ts';
import { elsewhere } from './youbot.ts';

const limits = (speed: readonly number[], acceleration: readonly number[]): AxisLimits => ({
  speed: Float64Array.from(speed),
  acceleration: Float64Array.from(acceleration),
});
const leg = (from: readonly number[], to: readonly number[], most: AxisLimits, start = 0): Leg =>
  pointToPoint(start, Float64Array.from(from), Float64Array.from(to), most);

function at(motion: Leg, time: number) {
  const { since, base, rate, bend } = pieceAt(motion, time);
  const t = time - since;
  return {
    position: Array.from(base, (value, k) => value + t * (rate[k]! + (t * bend[k]!) / 2)),
    velocity: Array.from(rate, (value, k) => value + t * bend[k]!),
  };
}

describe('one axis', () => {
  const most = limits([2], [4]);

  test('a long way has a part at the highest speed: D/v + v/a', () => {
    const motion = leg([1], [4], most);
    expect(motion.end).toBeCloseTo(3 / 2 + 2 / 4, 14);
    expect(motion.accelerated).toBeCloseTo(0.5, 14);
    expect(motion.decelerating).toBeCloseTo(1.5, 14);
    expect(at(motion, 0.25)).toEqual({ position: [1 + 0.125], velocity: [1] });
    expect(at(motion, 1).position[0]).toBeCloseTo(2.5, 14);
    expect(at(motion, 1).velocity[0]).toBeCloseTo(2, 14);
    expect(at(motion, 1.75).position[0]).toBeCloseTo(4 - 0.125, 14);
    expect(at(motion, 1.75).velocity[0]).toBeCloseTo(1, 14);
  });

  test('a short way has none: 2 sqrt(D/a)', () => {
    const motion = leg([0], [-0.25], most, 10);
    expect(motion.end - 10).toBeCloseTo(2 * Math.sqrt(0.25 / 4), 14);
    expect(motion.decelerating).toBe(motion.accelerated);
    expect(at(motion, 10.25).velocity[0]).toBeCloseTo(-1, 12);
  });

  test('both are the same where the highest speed is just reached', () => {
    const motion = leg([0], [1], most);
    expect(motion.end).toBeCloseTo(1, 14);
    expect(motion.decelerating - motion.accelerated).toBeCloseTo(0, 14);
  });

  test('it rests before and after', () => {
    const motion = leg([1], [4], most, 3);
    expect(at(motion, 2)).toEqual({ position: [1], velocity: [0] });
    expect(at(motion, motion.end)).toEqual({ position: [4], velocity: [0] });
    expect(at(motion, 99)).toEqual({ position: [4], velocity: [0] });
  });
});

test('no way takes no time', () => {
  const motion = leg([1, 2], [1, 2], limits([1, 1], [1, 1]), 7);
  expect([motion.start, motion.end, nextBend(motion, 6)]).toEqual([7, 7, 7]);
  expect(at(motion, 7)).toEqual({ position: [1, 2], velocity: [0, 0] });
});

test('rows of the robot end at the times that are known', () => {
  const most = limits([2.68512, 2.68512, 4.8879, 5.8997, 5.8997, 2], [1.5, 1.5, 1.5, 1.5, 1.5, 0.5]);
  const rows = [[0, 0, 0, 0, 0, 0], ...elsewhere];
  let time = 0;
  const ends = rows.slice(1).map((row, k) => {
    time = leg(rows[k]!, row, most, time).end;
    return Number(time.toFixed(6));
  });
  expect(ends).toEqual([
    2.894405, 4.559738, 4.869576, 5.385974, 7.051307, 8.71664, 9.026479, 9.226479, 10.891811, 12.557144,
    12.866983, 13.383381, 15.048713,
  ]);
});

describe('any number of axes', () => {
  const positive = fc.double({ min: 0.01, max: 100, noNaN: true });
  const axis = fc.record({
    from: fc.double({ min: -10, max: 10, noNaN: true }),
    to: fc.double({ min: -10, max: 10, noNaN: true }),
    speed: positive,
    acceleration: positive,
  });
  const motions = fc.array(axis, { minLength: 1, maxLength: 6 }).map((axes) => {
    const of = (name: keyof (typeof axes)[number]) => axes.map((one) => one[name]);
    return { axes, motion: leg(of('from'), of('to'), limits(of('speed'), of('acceleration')), 2) };
  });

  test('limits are kept, and one of them is reached', () => {
    fc.assert(
      fc.property(motions, ({ axes, motion }) => {
        if (motion.end - motion.start < 1e-6) return;
        const highest = at(motion, (motion.accelerated + motion.decelerating) / 2).velocity;
        const rise = motion.accelerated - motion.start;
        const shares = axes.flatMap(({ speed, acceleration }, i) => [
          Math.abs(highest[i]!) / speed,
          Math.abs(highest[i]!) / rise / acceleration,
        ]);
        expect(Math.max(...shares)).toBeLessThan(1 + 1e-9);
        expect(Math.max(...shares)).toBeGreaterThan(1 - 1e-9);
      }),
    );
  });

  test('velocity is the derivative of position, and all are on one line', () => {
    fc.assert(
      fc.property(motions, fc.double({ min: 0.01, max: 0.99, noNaN: true }), ({ axes, motion }, part) => {
        const duration = motion.end - motion.start;
        if (duration < 1e-6) return;
        const time = motion.start + part * duration;
        const h = 1e-6 * duration;
        const [before, now, after] = [time - h, time, time + h].map((t) => at(motion, t));
        const share = axes.map(({ from, to }, i) => (now!.position[i]! - from) / (to - from));
        const lead = axes.reduce((best, { from, to }, i) => {
          return Math.abs(to - from) > Math.abs(axes[best]!.to - axes[best]!.from) ? i : best;
        }, 0);
        for (const [i, { from, to }] of axes.entries()) {
          const slope = (after!.position[i]! - before!.position[i]!) / (2 * h);
          expect(Math.abs(slope - now!.velocity[i]!)).toBeLessThan(
            (2e-4 * Math.abs(to - from) + 1e-8) / duration,
          );
          if (Math.abs(to - from) > 1e-3) expect(share[i]).toBeCloseTo(share[lead]!, 9);
        }
      }),
    );
  });

  test('bends are the instants at which the acceleration changes', () => {
    fc.assert(
      fc.property(motions, ({ motion }) => {
        const { start, accelerated, decelerating, end } = motion;
        let time = start;
        const bends: number[] = [];
        while (time < end) bends.push((time = nextBend(motion, time)));
        expect(bends).toEqual([...new Set([accelerated, decelerating, end])].filter((t) => t > start));
      }),
    );
  });
});
