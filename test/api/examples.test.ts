/** The examples in JavaScript against closed solutions. */
import { expect, test } from 'vitest';
import { type AnyModel, loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { expectClose } from './notation.ts';

async function example(name: string, model = 'default', stopTime?: number): Promise<SimulationResult> {
  const module = (await import(`../../examples/typescript/${name}.mjs`)) as Record<string, AnyModel>;
  const result = await simulate(loadModel(module[model]!), {
    tolerance: 1e-10,
    ...(stopTime && { stopTime }),
  });
  expect([result.status, result.diagnostics]).toEqual(['done', []]);
  return result;
}

test('filter', async () => {
  const { table } = await example('filter');
  expectClose([table.value('C.v', 10)], [10 - 9.9 * Math.exp(-10)], 1e-8);
});

/** y' = A y + b, from y0 to t, by its Taylor series in small steps. */
function linear(
  A: readonly (readonly number[])[],
  b: readonly number[],
  y0: readonly number[],
  t: number,
): number[] {
  const steps = 4000;
  const h = t / steps;
  let y = [...y0];
  for (let k = 0; k < steps; k++) {
    let term = A.map((row, i) => row.reduce((sum, a, j) => sum + a * y[j]!, b[i]!));
    const next = y.map((value, i) => value + h * term[i]!);
    for (let order = 2; order < 12; order++) {
      term = A.map((row) => row.reduce((sum, a, j) => sum + a * term[j]!, 0));
      const factor = h ** order / Array.from({ length: order }, (_, n) => n + 1).reduce((a, n) => a * n, 1);
      for (const [i, value] of term.entries()) next[i]! += factor * value;
    }
    y = next;
  }
  return y;
}

test('motor', async () => {
  const { table } = await example('motor');
  // State of the controller, current, speed: x' = (r - w)/T, L i' = k (x + r - w) - R i - w, J w' = i - tau.
  const [r, T, k, R, L, J] = [10, 0.5, 2, 0.5, 0.05, 0.101];
  const A = [
    [0, 0, -1 / T],
    [k / L, -R / L, (-k - 1) / L],
    [0, 1 / J, 0],
  ];
  const free = linear(A, [r / T, (k * r) / L, 0], [0, 0, 0], 3);
  const braked = linear(A, [r / T, (k * r) / L, -2 / J], free, 3);
  const at = (t: number): number[] =>
    ['controller.x', 'motor.L.i', 'load.w'].map((name) => table.value(name, t));
  expectClose(at(3), free, 1e-7);
  expectClose(at(6), braked, 1e-7);
});

test('mobile', async () => {
  const { table } = await example('mobile', 'default', 0.4);
  // Seven weights hang on the uppermost spring, three on each of the next.
  const forces = ['mobile.spring.a.f', 'mobile.left.spring.a.f', 'mobile.right.left.spring.a.f'];
  for (const t of [0, 0.4]) {
    const expected = [7, 3, 1].map((n) => 0.1 * 9.81 * n);
    expectClose(
      forces.map((name) => table.value(name, t)),
      expected,
      1e-8,
    );
  }
});

test('tanks', async () => {
  const n = 5;
  const rate = 1e-5 * 1000 * 9.81;
  const level = (i: number, t: number): number => {
    let sum = 1 / n;
    for (let k = 1; k < n; k++) {
      const decay = Math.exp(-rate * (2 - 2 * Math.cos((Math.PI * k) / n)) * t);
      sum += (2 / n) * Math.cos((Math.PI * k) / (2 * n)) * Math.cos((Math.PI * k * (i - 0.5)) / n) * decay;
    }
    return 2 * sum;
  };
  const { table } = await example('tanks');
  for (const t of [20, 200]) {
    const names = [1, 2, 3, 4, 5].map((i) => `tank[${i}].h`);
    expectClose(
      names.map((name) => table.value(name, t)),
      [1, 2, 3, 4, 5].map((i) => level(i, t)),
      1e-7,
    );
  }
  expectClose([table.value('total', 150)], [2], 1e-9);
});

test('thermostat', async () => {
  const { table, modes } = await example('thermostat');
  const first = 100 * Math.log(22 / 19);
  const cooling = 100 * Math.log(16 / 14);
  const heating = 100 * Math.log(21 / 19);
  expectClose(
    modes.slice(1, 5).map(({ from }) => from),
    [first, first + cooling, first + cooling + heating, first + 2 * cooling + heating],
    1e-8,
  );
  expectClose([table.value('T', first), table.value('T', first + cooling)], [21, 19], 1e-8);
});

test('control', async () => {
  const PI = await example('control');
  expectClose(
    [PI.table.value('body.s', 1.5), PI.table.value('body.v', 1.5)],
    [155.24584447, 100.18551326],
    1e-9,
  );
  const P = await example('control', 'P');
  expectClose(
    [P.table.value('body.s', 1.5), P.table.value('body.v', 1.5)],
    [133.38452025, 98.03694943],
    1e-9,
  );
});

test('crane', async () => {
  const { table } = await example('crane');
  const [M, m, L, J, g] = [50, 200, 2, 0.4 * 200 * 0.25 ** 2, 9.81];
  /** Of trolley and angle, by Lagrange: (M + m) s'' + m L (phi'' cos - phi'^2 sin) = f, m L s'' cos + (m L^2 + J) phi'' = -m g L sin. */
  const slope = ([s, phi, v, w]: number[]): number[] => {
    const [cos, sin] = [Math.cos(phi!), Math.sin(phi!)];
    const [p, q] = [200 * (3 - s!) - 500 * v! + 2000 * phi! + m * L * w! * w! * sin, -m * g * L * sin];
    const [a, b, c] = [M + m, m * L * cos, m * L * L + J];
    const det = a * c - b * b;
    return [v!, w!, (c * p - b * q) / det, (a * q - b * p) / det];
  };
  let y = [0, 0, 0, 0];
  const h = 1e-3;
  for (let k = 1; k <= 8000; k++) {
    const at = (by: number, k: readonly number[]) => y.map((value, i) => value + by * k[i]!);
    const k1 = slope(y);
    const k2 = slope(at(h / 2, k1));
    const k3 = slope(at(h / 2, k2));
    const k4 = slope(at(h, k3));
    y = y.map((value, i) => value + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
    if (k % 2000 !== 0) continue;
    const found = ['rail.s', 'hook.phi', 'rail.v', 'hook.w'].map((name) => table.value(name, k * h));
    expectClose(found, y, 1e-6);
  }
});

test('youbot', async () => {
  const { table, segments } = await example('youbot', 'default', 12);
  const at = (name: string, time: number) => [1, 2, 3].map((k) => table.value(`${name}.r[${k}]`, time));
  const [taken, put] = segments.slice(1).map(({ from }) => from) as [number, number];
  expect(at('ball', taken - 0.01)).toEqual([-0.211, 0, 0.1842]);
  // The way up takes 2 sqrt(way/a); then the hand is where its angles say, to what the servos lag behind.
  const lifted = taken + 2 * Math.sqrt(1.04 / 1.5);
  for (const [k, value] of [-0.76282 + 0.569, 0.025, 0.394].entries())
    expect(Math.abs(at('robot.gripper.lock', lifted)[k]! - value)).toBeLessThan(2e-3);
  expect(segments.map(({ states }) => states)).toEqual(segments.map(() => 18));
  expect(at('ball', put + 1)).toEqual(at('ball', put + 2));
  for (const [k, value] of [-0.211, 0, 0.1842].entries())
    expect(Math.abs(at('ball', put + 1)[k]! - value)).toBeLessThan(1e-6);
});

/** With the tolerance that it has itself. */
const asIs = async (name: string): Promise<SimulationResult> => {
  const module = (await import(`../../examples/typescript/${name}.mjs`)) as { default: AnyModel };
  const result = await simulate(loadModel(module.default));
  expect([result.status, result.diagnostics]).toEqual(['done', []]);
  return result;
};

test('handover', async () => {
  const { table } = await asIs('handover');
  // Shoulders are 0.167 m in front of the bases, which are 1.074 m apart; hands turn about them by half a turn.
  const given = 2 * 0.167 + 0.211;
  const at = [1, 2, 3].map((k) => table.value(`ball.r[${k}]`, 28));
  expectClose(at, [2 * (1.074074 - 0.167) - given, 0, 0.1842], 1e-4);
  expect(table.value('take.ball_plate.active', 28)).toBe(1);
});

test('gripping', async () => {
  const { table } = await asIs('gripping');
  // Lifted by 0.22 m by two fingers, and on the plate again with its weight.
  expect(table.value('box.r[3]', 7.5)).toBeGreaterThan(0.4);
  expectClose([table.value('box.r[3]', 12)], [table.value('box.r[3]', 3)], 1e-5);
  expectClose([table.value('plate.normalForce', 12)], [0.0875 * 9.81], 1e-5);
});
