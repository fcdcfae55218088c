/** The examples with bodies that touch, against closed forms, laws of motion, and rigid bodies stepped here. */
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { close, example } from './notation.ts';

const g = 9.81;

/** The first time at which something is true. */
const when = ({ table }: SimulationResult, isSo: (row: number) => boolean): number => {
  const row = Array.from({ length: table.rowCount }, (_, k) => k).find(isSo);
  expect(row).toBeDefined();
  return table.independents[0]!.values[row!]!;
};

/** The integral of a function, by the rule of the middle. */
function integral(f: (x: number) => number, from: number, to: number, pieces = 100_000): number {
  const h = (to - from) / pieces;
  let sum = 0;
  for (let k = 0; k < pieces; k++) sum += h * f(from + (k + 0.5) * h);
  return sum;
}

describe('shapes that bounce', () => {
  const density = 2700;
  const volumes = {
    sphere: (Math.PI / 6) * 0.16 ** 3,
    egg: (Math.PI / 6) * 0.22 * 0.16 * 0.16,
    box: 0.14 ** 3,
    cylinder: (Math.PI / 4) * 0.14 ** 2 * 0.16,
    capsule: (Math.PI / 4) * 0.1 ** 2 * 0.12 + (Math.PI / 6) * 0.1 ** 3,
  };

  test('get from the plate what they have of momentum, and do not fall through it', async () => {
    const { table } = await example(
      'BouncingShapes',
      'Real p[5](each start = 0, each fixed = true);\nequation\n  for k in 1:5 loop der(p[k]) = touch[k].f[3]; end for;',
    );
    for (const [k, [name, volume]] of Object.entries(volumes).entries()) {
      const momentum = density * volume * (g * 1.5 + table.value(`${name}.v[3]`, 1.5));
      close(table.value(`p[${k + 1}]`, 1.5), momentum, 1e-3);
      for (let row = 0; row < table.rowCount; row++)
        expect(table.at(`touch[${k + 1}].distance`, row)).toBeGreaterThan(-2e-3);
    }
    // The sphere rises to the square of 0.6 of the height from which it fell, from where it touches.
    const [height, e] = [0.4 - 0.08, 0.6];
    const top = Math.sqrt((2 * height) / g) * (1 + e);
    expect(Math.abs(table.value('sphere.r[3]', top) - (0.08 + e * e * height))).toBeLessThan(2e-3);
  });
});

describe('billiard', () => {
  const [v0, mu, d] = [2.5, 0.25, 0.0572];
  const rolling = (2 * v0) / (7 * mu * g);
  const speed = (5 / 7) * v0;
  const slid = v0 * rolling - (mu * g * rolling ** 2) / 2;
  const impact = rolling + (1.1 - d - slid) / speed;

  test('a ball that slides ends up rolling, with 5/7 of its speed', async () => {
    // It slides a little longer: it sinks in before the cloth holds it back.
    const { table } = await example('Billiard', '', { stopTime: 0.5 });
    for (const t of [0.1, 0.2]) {
      close(table.value('cue.v[1]', t), v0 - mu * g * t, 5e-3);
      close(table.value('cue.w[2]', t), (5 * mu * g * t) / d, 5e-2);
    }
    for (const t of [0.4, 0.5]) {
      close(table.value('cue.v[1]', t), speed, 1e-3);
      close(table.value('cue.w[2]', t), speed / (d / 2), 1e-3);
      expect(Math.abs(table.value('cue.r[1]', t) + 0.8 - slid - speed * (t - rolling))).toBeLessThan(5e-3);
    }
  });

  test('the balls of the triangle get its momentum, on both sides alike', async () => {
    const result = await example('Billiard', '', { modified: '(rows = 3)', stopTime: 0.8 });
    const { table } = result;
    const names = ['cue', ...Array.from({ length: 6 }, (_, k) => `ball[${k + 1}]`)];
    const sum = (name: string, t: number) =>
      names.reduce((all, ball) => all + table.value(`${ball}.${name}`, t), 0);
    close(
      when(result, (row) => table.at('ball[1].v[1]', row) > 0.1),
      impact,
      5e-3,
    );
    // Meanwhile the cloth may have taken mu g of each ball.
    const t = impact + 0.01;
    expect(Math.abs(sum('v[1]', t) - speed)).toBeLessThan(names.length * mu * g * 0.01);
    expect(table.value('ball[1].v[1]', t) + table.value('ball[4].v[1]', t)).toBeGreaterThan(0.1);
    for (const [a, b] of [
      [2, 3],
      [4, 6],
    ] as const)
      for (const time of [t, 0.7])
        expect(
          Math.abs(table.value(`ball[${a}].r[2]`, time) + table.value(`ball[${b}].r[2]`, time)),
        ).toBeLessThan(1e-3);
    const energy = (time: number) =>
      names.reduce(
        (all, ball) => all + [1, 2, 3].reduce((own, k) => own + table.value(`${ball}.v[${k}]`, time) ** 2, 0),
        0,
      );
    expect(energy(t)).toBeLessThan(speed ** 2);
    expect(energy(t)).toBeGreaterThan(0.6 * speed ** 2);
  });
});

describe("Newton's cradle", () => {
  const [l, radius, angle] = [0.3, 0.025, 0.5];
  const inertia = l * l + 0.4 * radius * radius;
  const k = Math.sin(angle / 2);
  const period =
    4 *
    Math.sqrt(inertia / (g * l)) *
    integral((x) => 1 / Math.sqrt(1 - (k * Math.sin(x)) ** 2), 0, Math.PI / 2, 1000);

  test('one ball comes, one ball flies off, and comes back', async () => {
    const { table } = await example('NewtonsCradle');
    const phi = (ball: number, t: number) => table.value(`joint[${ball}].phi`, t);
    for (const n of [0, 1, 2]) {
      const [here, there] = [n * period, (n + 0.5) * period];
      expect(Math.abs(phi(1, here) - angle)).toBeLessThan(0.01 * angle);
      for (const ball of [2, 3, 4, 5]) expect(Math.abs(phi(ball, here))).toBeLessThan(0.02 * angle);
      expect(Math.abs(phi(5, there) + angle)).toBeLessThan(0.01 * angle);
      for (const ball of [1, 2, 3, 4]) expect(Math.abs(phi(ball, there))).toBeLessThan(0.02 * angle);
    }
  });

  test('two balls come, two balls fly off', async () => {
    const { table } = await example('NewtonsCradle', '', { modified: '(lifted = 2)', stopTime: 0.7 });
    for (const ball of [4, 5])
      expect(Math.abs(table.value(`joint[${ball}].phi`, period / 2) + angle)).toBeLessThan(0.05 * angle);
    for (const ball of [1, 2, 3])
      expect(Math.abs(table.value(`joint[${ball}].phi`, period / 2))).toBeLessThan(0.05 * angle);
  });
});

test('a rattleback turns round as one that rolls without sliding does', async () => {
  const { table } = await example('Rattleback');
  const path = rolled(5, 50_000);
  for (const t of [0.3, 0.6, 0.9, 1.5, 2]) {
    const own = table.value('stone.w[3]', t);
    expect(Math.abs(own - path(t)), `${own} instead of ${path(t)} at ${t}`).toBeLessThan(0.05);
  }
  expect(table.value('stone.w[3]', 1.5)).toBeGreaterThan(2.9);
  expect(table.value('stone.w[3]', 6)).toBeLessThan(-2.5);
});

/** How fast the stone of the example turns about the vertical, rigid and without sliding: w and the vertical n in its own axes. */
function rolled(to: number, steps: number): (t: number) => number {
  const half = [0.1, 0.025, 0.015];
  const [density, brass] = [700, 8500];
  const wood = density * (4 / 3) * Math.PI * half[0]! * half[1]! * half[2]!;
  const weight = brass * 0.02 * 0.02 * 0.01;
  const m = wood + 2 * weight;
  const I = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => (i === j ? (wood * (half[(i + 1) % 3]! ** 2 + half[(i + 2) % 3]! ** 2)) / 5 : 0)),
  );
  const sides = [0.02, 0.02, 0.01];
  const place = [0.06, 0.012, 0];
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      I[i]![j]! +=
        2 *
        weight *
        (i === j
          ? (sides[(i + 1) % 3]! ** 2 + sides[(i + 2) % 3]! ** 2) / 12 +
            place.reduce((sum, x, k) => sum + (k === i ? 0 : x * x), 0)
          : -place[i]! * place[j]!);
  /** From the centre to where it touches, for the vertical n. */
  const lowest = (n: readonly number[]) => {
    const size = Math.sqrt(n.reduce((sum, x, k) => sum + (half[k]! * x) ** 2, 0));
    return n.map((x, k) => (-(half[k]! ** 2) * x) / size);
  };
  const slope = (x: readonly number[]): number[] => {
    const [w, n] = [x.slice(0, 3), x.slice(3)];
    const turning = cross(n, w);
    const r = lowest(n);
    const tiny = 1e-6;
    const before = lowest(n.map((value, k) => value - tiny * turning[k]!));
    const after = lowest(n.map((value, k) => value + tiny * turning[k]!));
    const moving = after.map((value, k) => (value - before[k]!) / (2 * tiny));
    // v = r x w; the force is m (v' + w x v + g n).
    const [a, b] = [cross(moving, w), cross(w, cross(r, w))];
    const known = a.map((value, k) => m * (value + b[k]! + g * n[k]!));
    const spun = I.map((row) => dot(row, w));
    const gyro = cross(w, spun);
    const right = cross(r, known).map((value, k) => value - gyro[k]!);
    const left = I.map((row, i) =>
      row.map((value, j) => value + m * ((i === j ? dot(r, r) : 0) - r[i]! * r[j]!)),
    );
    return [...solved(left, right), ...turning];
  };
  const h = to / steps;
  let x = [0, 0.5, -3, 0, 0, 1];
  const spins = [-3];
  const along = (by: readonly number[], size: number) => x.map((value, k) => value + size * by[k]!);
  for (let step = 0; step < steps; step++) {
    const a = slope(x);
    const b = slope(along(a, h / 2));
    const c = slope(along(b, h / 2));
    const d = slope(along(c, h));
    x = x.map((value, k) => value + (h / 6) * (a[k]! + 2 * b[k]! + 2 * c[k]! + d[k]!));
    spins.push(dot(x.slice(0, 3), x.slice(3)));
  }
  return (t) => spins[Math.round(t / h)]!;
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, k) => sum + x * b[k]!, 0);

const cross = (a: readonly number[], b: readonly number[]): number[] =>
  [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);

/** Three equations, by Cramer's rule. */
function solved(rows: readonly (readonly number[])[], right: readonly number[]): number[] {
  const columns = [0, 1, 2].map((j) => rows.map((row) => row[j]!));
  const determinant = (c: readonly (readonly number[])[]) => dot(c[0]!, cross(c[1]!, c[2]!));
  return [0, 1, 2].map(
    (j) => determinant(columns.map((column, k) => (k === j ? right : column))) / determinant(columns),
  );
}

test('dominoes fall one after the other; the first turns about its edge until it meets the second', async () => {
  const result = await example('Dominoes');
  const { table } = result;
  const [w, h, pitch, lean] = [0.02, 0.12, 0.06, 0.2];
  const [diagonal, corner] = [Math.hypot(w, h), Math.atan(w / h)];
  const speed = (angle: number) =>
    Math.sqrt((3 * g * (Math.cos(lean - corner) - Math.cos(angle - corner))) / diagonal);
  const meeting = Math.asin((pitch - w) / h);
  // With angle = lean + s^2 the integrand is smooth where it begins at rest.
  const time = integral((s) => (2 * s) / speed(lean + s * s), 0, Math.sqrt(meeting - lean), 10_000);
  const falls = (name: string) => when(result, (row) => table.at(`${name}.w[2]`, row) > 0.2);
  expect(Math.abs(falls('domino[1]') - time)).toBeLessThan(0.005);
  const before = lean + 0.6 * (meeting - lean);
  const then = integral((s) => (2 * s) / speed(lean + s * s), 0, Math.sqrt(before - lean), 10_000);
  expect(Math.abs(table.value('first.angles[2]', then) - before)).toBeLessThan(2e-3);
  close(table.value('first.w[2]', then), speed(before), 1e-2);
  const times = [1, 2, 3, 4, 5].map((k) => falls(`domino[${k}]`));
  for (const [k, own] of times.slice(1).entries()) expect(own).toBeGreaterThan(times[k]!);
});

describe('a stack of five boxes', () => {
  const weight = 700 * 0.2 * 0.2 * 0.1 * g;

  test('stands for ten seconds, each box under the weight of those above it', async () => {
    // A force at rest is as precise as the tolerance; that of the example is 1e-5.
    const { table } = await example('Stack', '', {
      modified: '(release = 100)',
      stopTime: 10,
      tolerance: 1e-8,
    });
    for (const k of [1, 2, 3, 4, 5]) {
      for (const t of [2, 5, 10]) close(table.value(`below[${k}].normalForce`, t), (6 - k) * weight, 1e-6);
      for (const i of [1, 2]) expect(Math.abs(table.value(`box[${k}].r[${i}]`, 10))).toBeLessThan(1e-6);
      expect(Math.abs(table.value(`box[${k}].r[3]`, 10) - table.value(`box[${k}].r[3]`, 1))).toBeLessThan(
        1e-6,
      );
    }
  });

  test('stays a stack of four when the third is knocked out', async () => {
    const result = await example('Stack');
    const { table } = result;
    const inertia = 0.5 ** 2 + 0.4 * 0.04 ** 2;
    const [head, box] = [(2 * inertia) / 0.5 ** 2, weight / g];
    // The head hits the box a little before it is at its lowest.
    const speed =
      0.5 * Math.sqrt((2 * g * 0.5 * (Math.cos(Math.asin(0.02 / 0.5)) - Math.cos(2.2))) / inertia);
    const hit = when(result, (row) => table.at('box[3].v[1]', row) > 0.1);
    close(table.value('head.v[1]', hit - 0.01), speed, 0.02);
    close(table.value('box[3].v[1]', hit + 0.01), (1.7 * speed * head) / (head + box), 0.1);
    expect(table.value('box[3].r[1]', 1.4)).toBeGreaterThan(0.5);
    for (const [k, height] of [
      [1, 0.05],
      [2, 0.15],
      [4, 0.25],
      [5, 0.35],
    ] as const) {
      expect(Math.abs(table.value(`box[${k}].r[1]`, 1.4))).toBeLessThan(0.06);
      expect(Math.abs(table.value(`box[${k}].r[3]`, 1.4) - height)).toBeLessThan(0.01);
    }
  });
});

test('a box sticks below the angle of friction, and slides above it with what is left of gravity', async () => {
  const { table } = await example('Slope');
  const angle = 0.4;
  const [down, across] = [Math.cos(angle), -Math.sin(angle)];
  const along = (name: string, what: string, t: number) =>
    table.value(`${name}.${what}[1]`, t) * down + table.value(`${name}.${what}[3]`, t) * across;
  expect(Math.abs(along('eraser', 'r', 1) + 0.8)).toBeLessThan(1e-3);
  expect(Math.abs(along('eraser', 'v', 1))).toBeLessThan(1e-4);
  const a = g * (Math.sin(angle) - 0.1 * Math.cos(angle));
  for (const t of [0.5, 1]) {
    close(along('cube', 'r', t) + 0.8, (a * t * t) / 2, 2e-3);
    close(along('cube', 'v', t), a * t, 2e-3);
  }
  const ratio = (sensor: string) =>
    table.value(`${sensor}.frictionForce`, 1) / table.value(`${sensor}.normalForce`, 1);
  close(ratio('sticks'), Math.tan(angle), 1e-3);
  close(ratio('slides'), 0.1, 1e-3);
});

test('two fingers lift a box by friction, and let it slip when they press too little', async () => {
  const { table } = await example('TwoFingers');
  const [m, h, mu] = [2700 * 0.05 ** 3, 0.1, 0.6];
  for (const t of [0.7, 1, 1.3, 1.8]) {
    const angle = Math.PI * Math.min(1, t - 0.5);
    const a = t < 1.5 ? (h * Math.PI ** 2 * Math.cos(angle)) / 2 : 0;
    for (const touch of ['touch1', 'touch2']) {
      close(table.value(`${touch}.normalForce`, t), 8, 1e-3);
      close(table.value(`${touch}.frictionForce`, t), (m * (g + a)) / 2, 5e-3);
    }
    expect(Math.abs(table.value('box.r[3]', t) - 0.025 - (h * (1 - Math.cos(angle))) / 2)).toBeLessThan(3e-4);
  }
  const slipping = (table.value('box.v[3]', 2.08) - table.value('box.v[3]', 2.05)) / 0.03;
  close(slipping, -(g - (2 * mu * 1) / m), 1e-2);
  expect(Math.abs(table.value('box.r[3]', 2.5) - 0.025)).toBeLessThan(1e-4);
});

test('curling stones part as their restitution says, and stop where friction has taken their energy', async () => {
  const { table, statistics } = await example('Curling');
  const [mu, e, d] = [0.05, 0.8, 0.29];
  const slowed = (speed: number, way: number) => Math.sqrt(speed ** 2 - 2 * mu * g * way);
  const slides = (speed: number) => speed ** 2 / (2 * mu * g);
  const met = slowed(2, 2.5 - d);
  const [kept, given] = [((1 - e) / 2) * met, ((1 + e) / 2) * met];
  close(table.value('first.body.r[1]', 5), -d + slides(kept), 1e-7);
  // The line of centres in the second impact.
  const [along, across] = [Math.sqrt(d * d - 0.12 ** 2) / d, 0.12 / d];
  const at = 0.8 - d * along;
  const normal = slowed(given, at) * along;
  const third = ((1 + e) / 2) * normal;
  const second = [slowed(given, at) - third * along, -third * across] as const;
  close(table.value('third.body.r[1]', 5), 0.8 + slides(third) * along, 1e-7);
  close(table.value('third.body.r[2]', 5), 0.12 + slides(third) * across, 1e-7);
  const way = slides(Math.hypot(...second)) / Math.hypot(...second);
  close(table.value('second.body.r[1]', 5), at + way * second[0], 1e-7);
  close(table.value('second.body.r[2]', 5), way * second[1], 1e-7);
  for (const name of ['first', 'second', 'third']) {
    close(table.value(`${name}.body.r[3]`, 5), 0.06, 1e-12);
    expect(Math.abs(table.value(`${name}.body.w[3]`, 2.5))).toBeLessThan(1e-9);
  }
  expect(statistics.events).toBe(5);
});
