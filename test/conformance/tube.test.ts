/** The tube of references: sizes and shapes computed by hand. */
import { expect, test } from 'vitest';
import { leavesTube } from '../../conformance/tube.mjs';

/** From 0 to 10 in 10 s: 0.02 s wide and 0.02 high to either side. */
const ramp = { time: [0, 10], values: [0, 10] };
const points = (values: (t: number) => number) => {
  const time = Array.from({ length: 991 }, (_, k) => k / 100);
  return { time, values: time.map(values) };
};

test('a curve may be as far from a ramp as height and width allow together', () => {
  // Along a slope of one the corners of the rectangles are 0.04 above it.
  expect(
    leavesTube(
      ramp,
      points((t) => t + 0.0399),
    ),
  ).toBeUndefined();
  expect(
    leavesTube(
      ramp,
      points((t) => t - Math.min(t, 0.0399)),
    ),
  ).toBeUndefined();
  expect(
    leavesTube(
      ramp,
      points((t) => t + 0.0401),
    ),
  ).toBe(0);
  expect(
    leavesTube(
      ramp,
      points((t) => (t < 5 ? t : t - 0.041)),
    ),
  ).toBe(5);
});

test('a step may come a little earlier or later', () => {
  const step = { time: [0, 5, 5, 10], values: [0, 0, 1, 1] };
  expect(
    leavesTube(
      step,
      points((t) => (t < 5.019 ? 0 : 1)),
    ),
  ).toBeUndefined();
  expect(
    leavesTube(
      step,
      points((t) => (t < 4.985 ? 0 : 1)),
    ),
  ).toBeUndefined();
  expect(
    leavesTube(
      step,
      points((t) => (t < 5.055 ? 0 : 1)),
    ),
  ).toBeCloseTo(5.03, 12);
  expect(
    leavesTube(
      step,
      points((t) => (t < 4.945 ? 0 : 1)),
    ),
  ).toBeCloseTo(4.95, 12);
});

test('a constant has the height of its magnitude, and a zero one that of a thousandth', () => {
  const at = (value: number) => ({ time: [0, 10], values: [value, value] });
  expect(
    leavesTube(
      at(100),
      points(() => 100.199),
    ),
  ).toBeUndefined();
  expect(
    leavesTube(
      at(100),
      points(() => 100.201),
    ),
  ).toBe(0);
  expect(
    leavesTube(
      at(0),
      points(() => 1.99e-6),
    ),
  ).toBeUndefined();
  expect(
    leavesTube(
      at(0),
      points(() => -2.01e-6),
    ),
  ).toBe(0);
});

test('a value that is no number is outside, what comes after the reference is not compared', () => {
  expect(
    leavesTube(
      ramp,
      points((t) => (t < 3 ? t : Number.NaN)),
    ),
  ).toBe(3);
  const longer = { time: [0, 10, 11], values: [0, 10, 99] };
  expect(leavesTube(ramp, longer)).toBeUndefined();
});

test('what comes after the end of the reference does not count', () => {
  const short = { time: [0, 5], values: [0, 0] };
  expect(leavesTube(short, { time: [0, 5, 5.001, 10], values: [0, 0, 7, 7] })).toBeUndefined();
});
