/** The examples with bodies in space, against closed forms, laws of conservation, and equations in minimal coordinates stepped here. */
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { close, example, impulse } from './notation.ts';

type Vector = readonly [number, number, number];

const vector = ({ table }: SimulationResult, name: string, t: number): Vector =>
  [1, 2, 3].map((i) => table.value(`${name}[${i}]`, t)) as unknown as Vector;

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** x, y and z of an object in the world, from its angles about x, the new y and the new z. */
function axesOf([a, b, c]: Vector): readonly [Vector, Vector, Vector] {
  const [ca, sa, cb, sb, cc, sc] = [a, b, c].flatMap((angle) => [Math.cos(angle), Math.sin(angle)]) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return [
    [cb * cc, ca * sc + sa * sb * cc, sa * sc - ca * sb * cc],
    [-cb * sc, ca * cc - sa * sb * sc, sa * cc + ca * sb * sc],
    [sb, -sa * cb, ca * cb],
  ];
}

/** Inertia with these moments along axes, times an angular velocity. */
const spun = (moments: Vector, axes: readonly Vector[], w: Vector): Vector =>
  [0, 1, 2].map((i) =>
    axes.reduce((sum, axis, k) => sum + moments[k]! * dot(axis, w) * axis[i]!, 0),
  ) as unknown as Vector;

/** The classical method of Runge and Kutta. */
function stepped(f: (t: number, x: number[]) => number[], x: readonly number[], to: number, steps: number) {
  const h = to / steps;
  let at = [...x];
  const along = (slope: number[], size: number) => at.map((value, i) => value + size * slope[i]!);
  for (let k = 0; k < steps; k++) {
    const t = k * h;
    const a = f(t, at);
    const b = f(t + h / 2, along(a, h / 2));
    const c = f(t + h / 2, along(b, h / 2));
    const d = f(t + h, along(c, h));
    at = at.map((value, i) => value + (h / 6) * (a[i]! + 2 * b[i]! + 2 * c[i]! + d[i]!));
  }
  return at;
}

const g = 9.81;
/** Of a cylinder: about its axis, and across it through the centre. */
const cylinder = (m: number, radius: number, length: number) => ({
  along: (m * radius ** 2) / 2,
  across: (m * (3 * radius ** 2 + length ** 2)) / 12,
});

test('a bar with a damper swings as its equation in one angle says', async () => {
  const { table } = await example('SpacePendulum');
  // By another program: J phi'' = -m g L/2 cos(phi) - d phi'.
  close(table.value('joint.phi', 3), -1.94653032);
  close(table.value('joint.w', 3), 1.28206426);
});

test('two rods with hinges at right angles follow their equations of Lagrange', async () => {
  const { table } = await example('DoublePendulumInSpace');
  const [L, c, m] = [0.5, 0.25, 1];
  const { along, across } = cylinder(m, 0.02, L);
  // T = (A(b) a'^2 + B b'^2)/2, V = g sin(a) (m c + m (L + c cos(b)))
  const first = across + m * c * c;
  const second = (b: number) =>
    m * (L + c * Math.cos(b)) ** 2 + across * Math.cos(b) ** 2 + along * Math.sin(b) ** 2;
  const slope = (b: number) =>
    -2 * m * (L + c * Math.cos(b)) * c * Math.sin(b) + (along - across) * Math.sin(2 * b);
  const B = m * c * c + across;
  const x = stepped(
    (_, [a, b, u, v]) => [
      u!,
      v!,
      (-g * Math.cos(a!) * m * (c + L + c * Math.cos(b!)) - slope(b!) * u! * v!) / (first + second(b!)),
      (0.5 * slope(b!) * u! * u! + g * Math.sin(a!) * m * c * Math.sin(b!)) / B,
    ],
    [-0.5, 1, 0, 0],
    10,
    20_000,
  );
  const found = ['joint1.phi', 'joint2.phi', 'joint1.w', 'joint2.w'].map((name) => table.value(name, 10));
  for (const [i, value] of found.entries()) close(value, x[i]!, 2e-6);
});

test('a gyroscope keeps its height and goes round with the speed for which it was spun', async () => {
  const result = await example('Gyroscope', '', { tolerance: 1e-10 });
  const [l, lean] = [0.08, 0.5];
  for (const t of [0.5, 1, 1.5, 2]) {
    const [x, y, z] = vector(result, 'disc.r', t);
    expect(Math.abs(x - l * Math.sin(lean) * Math.sin(4 * t))).toBeLessThan(1e-6 * l);
    expect(Math.abs(y + l * Math.sin(lean) * Math.cos(4 * t))).toBeLessThan(1e-6 * l);
    expect(Math.abs(z - l * Math.cos(lean))).toBeLessThan(1e-6 * l);
  }
});

describe('a tumbling body', () => {
  const moments: Vector = [
    (0.2 * (0.07 ** 2 + 0.008 ** 2)) / 12,
    (0.2 * (0.15 ** 2 + 0.008 ** 2)) / 12,
    (0.2 * (0.15 ** 2 + 0.07 ** 2)) / 12,
  ];

  test('keeps its momentum, its angular momentum and its energy', async () => {
    const result = await example('TumblingBody');
    const at = (t: number) => {
      const [axes, w] = [axesOf(vector(result, 'phone.angles', t)), vector(result, 'phone.w', t)];
      return { spin: spun(moments, axes, w), energy: dot(w, spun(moments, axes, w)) / 2 };
    };
    const start = at(0);
    for (const t of [1, 3, 7, 10]) {
      close(at(t).energy, start.energy, 1e-7);
      for (const i of [0, 1, 2])
        expect(Math.abs(at(t).spin[i]! - start.spin[i]!)).toBeLessThan(1e-7 * start.spin[1]);
      close(vector(result, 'phone.r', t)[1], 0.01 * t);
    }
  });

  test("turns over as Euler's equations say", async () => {
    // What is unstable makes much of small errors.
    const result = await example('TumblingBody', '', { tolerance: 1e-12 });
    const [A, B, C] = moments;
    const own = (t: number) =>
      stepped(
        (_, [p, q, r]) => [((B - C) * q! * r!) / A, ((C - A) * r! * p!) / B, ((A - B) * p! * q!) / C],
        [0.01, 10, 0],
        t,
        20_000,
      );
    let turnedOver = false;
    for (const t of [1, 2, 3, 5]) {
      const [axes, w] = [axesOf(vector(result, 'phone.angles', t)), vector(result, 'phone.w', t)];
      const expected = own(t);
      for (const i of [0, 1, 2]) expect(Math.abs(dot(axes[i]!, w) - expected[i]!)).toBeLessThan(1e-5);
      turnedOver ||= expected[1]! < -9;
    }
    expect(turnedOver).toBe(true);
  });
});

/** Of a bar with round ends along x, as wide as y says: volume, and moments of inertia about its centre for a density of 1. */
function beam(length: number, width: number, thickness: number) {
  const [radius, box] = [width / 2, length * width];
  const ends = Math.PI * radius ** 2;
  // Integrals of x^2 and y^2 over the plane of the bar.
  const yy = (length * width ** 3) / 12 + (Math.PI * radius ** 4) / 4;
  const xx =
    (length ** 3 * width) / 12 +
    ends * (radius ** 2 / 4 + length ** 2 / 4) +
    ends * length * ((4 * radius) / (3 * Math.PI));
  const [volume, zz] = [(box + ends) * thickness, ((box + ends) * thickness ** 3) / 12];
  const moments: Vector = [yy * thickness + zz, xx * thickness + zz, (xx + yy) * thickness];
  return { volume, moments };
}

test('a four-bar linkage: the rocker by geometry, the torque by the work that it does', async () => {
  const result = await example(
    'FourBar',
    'Real work(start = 0, fixed = true) "Work of the motor"; equation der(work) = motor.tau*motor.w;',
  );
  const [crank, rod, rocker, ground] = [0.25, 0.6, 0.5, 0.7];
  const geometry = (phi: number) => {
    const [x, y] = [crank * Math.cos(phi), crank * Math.sin(phi)];
    const away = Math.hypot(ground - x, y);
    const angle =
      Math.atan2(-y, ground - x) + Math.acos((rod ** 2 + away ** 2 - rocker ** 2) / (2 * rod * away));
    const [ex, ey] = [x + rod * Math.cos(angle), y + rod * Math.sin(angle)];
    return { rod: angle, rocker: Math.atan2(ey, ex - ground) };
  };
  for (const t of [0, 0.72, 1.92, 3]) {
    const expected = geometry(6 * t);
    close(Math.cos(result.table.value('joint3.phi', t)), Math.cos(expected.rocker));
    close(Math.sin(result.table.value('joint3.phi', t)), Math.sin(expected.rocker));
    const [a, b] = [vector(result, 'rod.b.r', t), vector(result, 'rocker.b.r', t)];
    for (const i of [0, 1, 2]) expect(Math.abs(a[i]! - b[i]!)).toBeLessThan(1e-10);
  }
  // Energy from the geometry, its speeds by differences.
  const energy = (t: number) => {
    const h = 1e-5;
    const places = (phi: number) => {
      const { rod: a, rocker: b } = geometry(phi);
      const [x, y] = [crank * Math.cos(phi), crank * Math.sin(phi)];
      return [
        { length: crank, angle: phi, x: x / 2, y: y / 2 },
        { length: rod, angle: a, x: x + (rod / 2) * Math.cos(a), y: y + (rod / 2) * Math.sin(a) },
        { length: rocker, angle: b, x: ground + (rocker / 2) * Math.cos(b), y: (rocker / 2) * Math.sin(b) },
      ];
    };
    const [now, before, after] = [places(6 * t), places(6 * (t - h)), places(6 * (t + h))];
    return now.reduce((sum, { length, y }, k) => {
      const { volume, moments } = beam(length, 0.05, 0.02);
      const speed = (name: 'x' | 'y' | 'angle') => (after[k]![name] - before[k]![name]) / (2 * h);
      const moving = speed('x') ** 2 + speed('y') ** 2;
      return sum + 2700 * (volume * (moving / 2 + g * y) + (moments[2] * speed('angle') ** 2) / 2);
    }, 0);
  };
  for (const t of [0.9, 2.22, 3]) close(result.table.value('work', t), energy(t) - energy(0), 1e-5);
});

test('a slider-crank: the piston by geometry, the speed by energy', async () => {
  const result = await example('SliderCrank');
  const { table } = result;
  const [r, l, area, p0, gap] = [0.05, 0.15, 0.005, 1e5, 0.02];
  const piston = (phi: number) => r * Math.cos(phi) + Math.sqrt(l * l - (r * Math.sin(phi)) ** 2);
  const longest = gap + 2 * r;
  /** Energy of the gas against the pressure around it, at a length. */
  const gas = (x: number) => area * ((p0 * longest ** 1.4) / 0.4) * x ** -0.4 + area * p0 * x;
  const energy = (phi: number, w: number) => {
    const swing = -Math.asin((r / l) * Math.sin(phi));
    const swingSpeed = (-(r / l) * Math.cos(phi) * w) / Math.cos(swing);
    const [vx, vy] = [-r * Math.sin(phi) * w, r * Math.cos(phi) * w];
    const [ux, uy] = [
      vx - (l / 3) * Math.sin(swing) * swingSpeed,
      vy + (l / 3) * Math.cos(swing) * swingSpeed,
    ];
    const slide = vx - l * Math.sin(swing) * swingSpeed;
    const kinetic =
      (0.1 + 3e-4 + 0.5 * (r / 2) ** 2) * w * w +
      0.3 * (ux * ux + uy * uy) +
      8e-4 * swingSpeed ** 2 +
      0.4 * slide ** 2;
    const height = 0.5 * (r / 2) * Math.sin(phi) + 0.3 * (r * Math.sin(phi) + (l / 3) * Math.sin(swing));
    return kinetic / 2 + g * height + gas(gap + r + l - piston(phi));
  };
  const start = energy(0, 100);
  for (const t of [0.03, 0.1, 0.17, 0.2]) {
    const phi = table.value('main.phi', t);
    close(table.value('slider.s', t), piston(phi));
    close(energy(phi, table.value('main.w', t)), start);
  }
  expect(table.value('main.phi', 0.2)).toBeGreaterThan(20);
});

test('a Furuta pendulum follows its equations of Lagrange, with motor and controller, and stands', async () => {
  const { table } = await example('FurutaPendulum');
  const [m, c, L, n, k, R, K] = [0.1, 0.15, 0.2, 10, 0.03, 1, [-0.45, 6, -0.6, 0.78]] as const;
  const own = cylinder(m, 0.005, 0.3);
  const arm = cylinder(0.2, 0.01, L).across + 0.2 * (L / 2) ** 2 + n * n * 2e-5;
  const [B, D] = [m * c * L, m * c * c + own.across];
  const E = D - own.along;
  const slopes =
    (target: number) =>
    (_: number, [a, b, u, v]: number[]) => {
      const [sin, cos] = [Math.sin(b!), Math.cos(b!)];
      const voltage = -(K[0] * (a! - target) + K[1] * b! + K[2] * u! + K[3] * v!);
      const torque = (n * k * (voltage - n * k * u!)) / R;
      const A = arm + m * L * L + own.along + E * sin * sin;
      // A a'' - B cos b'' = p;  D b'' - B cos a'' = q
      const p = torque - 2 * E * sin * cos * u! * v! - B * sin * v! * v!;
      const q = E * sin * cos * u! * u! + m * g * c * sin;
      const det = A * D - (B * cos) ** 2;
      return [u!, v!, (D * p + B * cos * q) / det, (A * q + B * cos * p) / det];
    };
  const agree = (t: number, x: readonly number[]) => {
    for (const [i, name] of ['turn.phi', 'swing.phi', 'turn.w', 'swing.w'].entries())
      expect(Math.abs(table.value(name, t) - x[i]!), name).toBeLessThan(2e-6);
  };
  agree(0.96, stepped(slopes(0), [0, 0.2, 0, 0], 0.96, 4000));
  const turning = stepped(slopes(0), [0, 0.2, 0, 0], 3, 12_000);
  agree(3.68, stepped(slopes(0.8), turning, 0.68, 4000));
  expect(Math.abs(table.value('swing.phi', 8))).toBeLessThan(1e-4);
  close(table.value('turn.phi', 8), 0.8, 1e-3);
});

test('a rocket in space: both stages rise, and the second one goes on', async () => {
  const { table } = await example('TwoStageRocket3D');
  // Together: v = 25 (2 t - t^2/5) - g t; then each by itself.
  close(table.value('stage1.hull.r[2]', 5), 1 + 294.0416666667);
  close(table.value('stage1.hull.v[2]', 5), 75.95);
  close(table.value('stage1.hull.r[2]', 9), 1 + 294.0416666667 + 75.95 * 4 - (g * 4 ** 2) / 2);
  expect(table.value('stage1.hull.r[2]', 12)).toBeNaN();
  close(table.value('stage2.hull.r[2]', 15), 1232.2083333333, 1e-9);
  close(table.value('stage2.hull.v[2]', 15), 77.85, 1e-9);
});

test('a satellite: whatever the wheel does, angular momentum stays', async () => {
  const result = await example('Satellite');
  const { table } = result;
  const hull: Vector = [1, 1, 1].map((_, i) => (200 / 12) * [3.25, 3.25, 2][i]!) as unknown as Vector;
  const { along, across } = cylinder(5, 0.15, 0.05);
  const spin = (t: number, side: 'before' | 'after' = 'after') => {
    const at = (name: string) =>
      [1, 2, 3].map((i) => table.value(`${name}[${i}]`, t, side)) as unknown as Vector;
    const axes = axesOf(at('hull.angles'));
    const [a, b] = [spun(hull, axes, at('hull.w')), spun([across, across, along], axes, at('wheel.w'))];
    return [0, 1, 2].map((i) => a[i]! + b[i]!);
  };
  const start = spin(0);
  for (const t of [8, 35.2, 44.8, 60, 80])
    for (const i of [0, 1, 2]) expect(Math.abs(spin(t)[i]! - start[i]!)).toBeLessThan(1e-6);
  const before = spin(60, 'before');
  for (const i of [0, 1, 2]) expect(Math.abs(before[i]! - start[i]!)).toBeLessThan(1e-6);
  // The motor acts between hull and wheel: J' w' = tau with 1/J' = 1/Jhull + 1/Jwheel, if the hull turns slowly about its own axis alone.
  const J = 1 / (1 / hull[2] + 1 / along);
  close(table.value('bearing.w', 20), (0.5 * 20) / J, 1e-5);
  close(table.value('bearing.w', 56), (0.5 * 10) / J, 1e-5);
  close(impulse(result, 'bearing.tau', 60), -J * table.value('bearing.w', 60, 'before'));
  expect(table.value('bearing.w', 72)).toBe(0);
  // About the axis of the wheel there is nothing left.
  const left = dot(axesOf(vector(result, 'hull.angles', 80))[2], vector(result, 'hull.w', 80));
  expect(Math.abs(left)).toBeLessThan(1e-8);
});

describe('a breaking chain', () => {
  const [L, M, D] = [0.2, 2, 0.1];
  // A rod with half balls at its ends.
  const [radius, straight, m] = [0.015, 0.16, 0.2];
  const [tube, ends] = [Math.PI * radius ** 2 * straight, (4 / 3) * Math.PI * radius ** 3];
  const rho = m / (tube + ends);
  const rod =
    rho * tube * (straight ** 2 / 12 + radius ** 2 / 4) +
    rho * ends * ((2 / 5) * radius ** 2 + straight ** 2 / 4 + (3 / 8) * straight * radius);

  /** Parts: which of the absolute angles carry them, with which lengths; mass and inertia. */
  const parts = [0, 1, 2].map((k) => ({
    m,
    J: rod,
    arms: [0, 1, 2].map((i) => (i < k ? L : i === k ? L / 2 : 0)),
    turns: k,
  }));
  const weight = { m: M, J: (M * D * D) / 10, arms: [L, L, L + 0.05], turns: 2 };

  /** Accelerations of the angles: M(i,j) = sum m li lj cos(ai - aj), and so on. */
  function accelerations(all: typeof parts, [a0, a1, a2, w0, w1, w2]: number[]): number[] {
    const [a, w] = [
      [a0!, a1!, a2!],
      [w0!, w1!, w2!],
    ];
    const rows = [0, 1, 2].map((i) => {
      const row = [0, 0, 0, 0];
      for (const { m, J, arms, turns } of all) {
        for (const j of [0, 1, 2]) {
          row[j]! += m * arms[i]! * arms[j]! * Math.cos(a[i]! - a[j]!) + (i === j && i === turns ? J : 0);
          row[3]! -= m * arms[i]! * arms[j]! * Math.sin(a[i]! - a[j]!) * w[j]! ** 2;
        }
        row[3]! -= m * g * arms[i]! * Math.cos(a[i]!);
      }
      return row;
    });
    for (const k of [0, 1, 2])
      for (const i of [0, 1, 2]) {
        if (i === k) continue;
        const factor = rows[i]![k]! / rows[k]![k]!;
        for (let j = 0; j < 4; j++) rows[i]![j]! -= factor * rows[k]![j]!;
      }
    return rows.map((row, k) => row[3]! / row[k]!);
  }

  const slopes = (all: typeof parts) => (_: number, x: number[]) => [...x.slice(3), ...accelerations(all, x)];

  /** Force of the weld on the weight. */
  const force = (x: number[]) => {
    const [a, w, acc] = [x.slice(0, 3), x.slice(3), accelerations([...parts, weight], x)];
    const along = (i: number) => Math.cos(a[i]!) * acc[i]! - Math.sin(a[i]!) * w[i]! ** 2;
    const against = (i: number) => Math.sin(a[i]!) * acc[i]! + Math.cos(a[i]!) * w[i]! ** 2;
    const sum = (of: (i: number) => number) => weight.arms.reduce((s, l, i) => s + l * of(i), 0);
    return M * Math.hypot(sum(against), sum(along) + g);
  };

  test('breaks where the force is too large, by its equations of Lagrange; the weight flies on', async () => {
    const result = await example('BreakingChain');
    const { table } = result;
    const whole = slopes([...parts, weight]);
    let [low, high] = [0, 0.5];
    // The force grows until the chain hangs: the first time at which it is fmax.
    const at = (t: number) => stepped(whole, [0, 0, 0, 0, 0, 0], t, 1000);
    for (let t = 0; t < 0.5; t += 0.01)
      if (force(at(t)) > 50) {
        [low, high] = [t - 0.01, t];
        break;
      }
    for (let k = 0; k < 40; k++) {
      const middle = (low + high) / 2;
      if (force(at(middle)) > 50) high = middle;
      else low = middle;
    }
    const [event] = result.segments.slice(1);
    close(event!.from, high);
    const x = at(high);
    const later = 0.5 - high;
    const place = weight.arms.reduce(
      (p, l, i) => [p[0]! + l * Math.cos(x[i]!), p[1]! + l * Math.sin(x[i]!)],
      [0, 0],
    );
    const speed = weight.arms.reduce(
      (p, l, i) => [p[0]! - l * Math.sin(x[i]!) * x[3 + i]!, p[1]! + l * Math.cos(x[i]!) * x[3 + i]!],
      [0, 0],
    );
    const [px, py] = vector(result, 'weight.r', 0.5);
    close(px, place[0]! + speed[0]! * later);
    close(py, place[1]! + speed[1]! * later - (g * later ** 2) / 2);
    close(table.value('weight.w[3]', 0.5), x[5]!);
    const chain = stepped(slopes(parts), x, later, 4000);
    close(table.value('link1.hinge.phi', 0.5), chain[0]!, 1e-5);
    close(table.value('link2.hinge.phi', 0.5), chain[1]! - chain[0]!, 1e-5);
    close(table.value('link3.hinge.phi', 0.5), chain[2]! - chain[1]!, 1e-5);
  });
});

describe('an arm', () => {
  const powers = [1, 2, 3].map((k) => `servo${k}.motor.tau*servo${k}.rotor.w`).join(' + ');
  const measured = `Real work(start = 0, fixed = true); equation der(work) = ${powers};`;
  const links: readonly [name: string, length: number, axes: readonly number[]][] = [
    ['column', 0.3, [1, 0, 2]],
    ['upper', 0.4, [0, 1, 2]],
    ['lower', 0.4, [0, 1, 2]],
  ];

  test('gains the energy that its motors give', async () => {
    const result = await example('Arm', measured, { tolerance: 1e-9 });
    const energy = (t: number) => {
      const arm = links.reduce((sum, [name, length, order]) => {
        const { volume, moments } = beam(length, 0.06, 0.04);
        const own = order.map((k) => moments[k]!) as unknown as Vector;
        const [r, v, w] = ['r', 'v', 'w'].map((what) => vector(result, `${name}.beam.${what}`, t)) as [
          Vector,
          Vector,
          Vector,
        ];
        const axes = axesOf(vector(result, `${name}.beam.angles`, t));
        return sum + 2700 * (volume * (dot(v, v) / 2 + g * r[1]) + dot(w, spun(own, axes, w)) / 2);
      }, 0);
      const rotors = [1, 2, 3].reduce(
        (sum, k) => sum + 1e-4 * result.table.value(`servo${k}.rotor.w`, t) ** 2,
        0,
      );
      const [r, v, w] = ['r', 'v', 'w'].map((what) => vector(result, `part.${what}`, t)) as [
        Vector,
        Vector,
        Vector,
      ];
      const part = 0.5 * (dot(v, v) / 2 + g * r[1]) + (0.5 * 0.06 ** 2 * dot(w, w)) / 20;
      return arm + rotors / 2 + part;
    };
    const start = energy(0);
    for (const t of [0.497, 1.197, 2.1, 2.52, 3.5]) close(start + result.table.value('work', t), energy(t));
  });

  test('comes to its angles, where its motors bear the weights', async () => {
    const { table } = await example('Arm');
    const at = (names: readonly string[], t: number) => names.map((name) => table.value(name, t));
    const joints = ['column.joint.phi', 'upper.joint.phi', 'lower.joint.phi'];
    for (const [i, angle] of [2, 1.4, -1.4].entries())
      expect(Math.abs(at(joints, 3.5)[i]! - angle)).toBeLessThan(1e-3);
    const mass = 2700 * beam(0.4, 0.06, 0.04).volume;
    const [second, third] = at(joints, 3.5).slice(1) as [number, number];
    const elbow = mass * g * 0.2 * Math.cos(second + third);
    const shoulder = elbow + mass * g * (0.2 + 0.4) * Math.cos(second);
    close(table.value('servo3.motor.tau', 3.5), elbow / 50, 1e-3);
    close(table.value('servo2.motor.tau', 3.5), shoulder / 50, 1e-3);
  });

  test('takes a part, and throws it', async () => {
    const result = await example('Arm');
    for (const i of [0, 1, 2]) expect(vector(result, 'part.r', 1.197)[i]).toBe([0.61, 0.25, 0][i]);
    const apart = (t: number) => {
      const [hand, part] = [vector(result, 'lower.b.r', t), vector(result, 'part.r', t)];
      return Math.hypot(...hand.map((value, i) => value - part[i]!));
    };
    close(apart(2.52), apart(1.197), 1e-2);
    close(apart(2.52), apart(1.75));
    const [r, v] = [vector(result, 'part.r', 2.6), vector(result, 'part.v', 2.6)];
    expect(Math.hypot(...v)).toBeGreaterThan(1);
    const end = vector(result, 'part.r', 3.5);
    for (const i of [0, 1, 2]) close(end[i]!, r[i]! + v[i]! * 0.9 - (i === 1 ? (g * 0.9 ** 2) / 2 : 0));
  });
});
