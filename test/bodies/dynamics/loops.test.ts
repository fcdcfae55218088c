/** Loops: closed-form kinematics, random loops against dense equations of all bodies, long runs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Closure } from '../../../src/bodies/dynamics/closure.ts';
import { Mechanism } from '../../../src/bodies/dynamics/mechanism.ts';
import { type Gravity, type Link, turnOfZ } from '../../../src/bodies/dynamics/tree.ts';
import {
  applied,
  atOrigin,
  cardan,
  cross,
  identity,
  inverse,
  type Matrix,
  matrixOf,
  type Pose,
  placed,
  plus,
  product,
  scaled,
  turned,
  type Vector,
} from '../../../src/bodies/space.ts';
import { nine, solveDense, three } from './dense.ts';
import {
  at,
  ball,
  coordinates,
  type Draw,
  difference,
  direction,
  drawer,
  link,
  numbers,
  pose,
  quaternion,
  randomLinks,
} from './notation.ts';

const down: Gravity = { kind: 'uniform', acceleration: [0, 0, -9.81] };
/** About y, as the hinges of planar mechanisms in x and z. */
const aboutY = turnOfZ([0, 1, 0]);
const y = (x: number, z: number): Pose => ({ translation: [x, 0, z], rotation: aboutY });

/** Crank, coupler and rocker about y; the ground is d long. */
function fourBar(
  a: number,
  b: number,
  c: number,
  d: number,
  options: { driven?: boolean; gravity?: Gravity } = {},
) {
  const links = [
    link({ mass: ball(1, 0.1, [a / 2, 0, 0]), driven: options.driven ?? false }),
    link({ parent: 0, before: at(a, 0, 0), mass: ball(2, 0.2, [b / 2, 0, 0]) }),
    link({ before: at(d, 0, 0), mass: ball(1.5, 0.15, [c / 2, 0, 0]) }),
  ];
  const closures: Closure[] = [{ kind: 'revolute', a: 1, poseA: y(b, 0), b: 2, poseB: y(c, 0) }];
  return new Mechanism({ links, closures, gravity: options.gravity ?? down });
}

/** Angles of coupler (relative to the crank) and rocker by the law of cosines; rotations about y take x towards -z. */
function fourBarAngles(phi: number, a: number, b: number, c: number, d: number) {
  const [x, z] = [d - a * Math.cos(phi), a * Math.sin(phi)];
  const diagonal = Math.hypot(x, z);
  const toward = Math.atan2(z, x);
  const atCrank = Math.acos((b * b + diagonal * diagonal - c * c) / (2 * b * diagonal));
  const [jx, jz] = [
    a * Math.cos(phi) + b * Math.cos(toward + atCrank),
    -a * Math.sin(phi) + b * Math.sin(toward + atCrank),
  ];
  return { coupler: -(toward + atCrank) - phi, rocker: -Math.atan2(jz, jx - d) };
}

describe('positions and speeds', () => {
  test('a four-bar closes as the law of cosines says, from a rough guess', () => {
    const [a, b, c, d] = [0.3, 1, 0.8, 0.9];
    for (let phi = -3; phi <= 3; phi += 0.25) {
      const mechanism = fourBar(a, b, c, d, { driven: true });
      const expected = fourBarAngles(phi, a, b, c, d);
      const q = Float64Array.of(phi, expected.coupler + 0.3, expected.rocker - 0.2);
      const v = Float64Array.of(1, 0, 0);
      expect(mechanism.project(q, v)).toBe('closed');
      const wrap = (x: number) => Math.atan2(Math.sin(x), Math.cos(x));
      expect(q[0]).toBe(phi);
      expect(wrap(q[1]! - expected.coupler)).toBeCloseTo(0, 11);
      expect(wrap(q[2]! - expected.rocker)).toBeCloseTo(0, 11);
      const h = 1e-5;
      const [near, far] = [fourBarAngles(phi - h, a, b, c, d), fourBarAngles(phi + h, a, b, c, d)];
      expect(v[1]).toBeCloseTo(wrap(far.coupler - near.coupler) / (2 * h), 7);
      expect(v[2]).toBeCloseTo(wrap(far.rocker - near.rocker) / (2 * h), 7);
      expect([...mechanism.loops.ambiguous]).toEqual([1]);
      expect(mechanism.loops.residual).toBeLessThan(1e-12);
    }
  });

  test('a slider-crank has the stroke of its closed form', () => {
    const [r, l] = [0.1, 0.3];
    const links = [
      link({ driven: true }),
      link({ parent: 0, before: at(r, 0, 0) }),
      link({ kind: 'prismatic', axis: [1, 0, 0] }),
    ];
    const closures: Closure[] = [{ kind: 'revolute', a: 1, poseA: y(l, 0), b: 2, poseB: y(0, 0) }];
    const mechanism = new Mechanism({ links, closures });
    const [q, v] = [Float64Array.of(0, 0, r + l), new Float64Array(3)];
    for (let phi = 0; phi < 7; phi += 0.1) {
      q[0] = phi;
      v[0] = 2;
      expect(mechanism.project(q, v)).toBe('closed');
      const root = Math.sqrt(l * l - (r * Math.sin(phi)) ** 2);
      expect(q[2]).toBeCloseTo(r * Math.cos(phi) + root, 12);
      expect(v[2]).toBeCloseTo(-2 * r * Math.sin(phi) * (1 + (r * Math.cos(phi)) / root), 11);
    }
  });

  test('bars that are too short are found, and which loop they are in', () => {
    const mechanism = fourBar(0.3, 0.2, 0.2, 0.9);
    const q = Float64Array.of(0.2, 0.1, 2);
    expect(mechanism.project(q, new Float64Array(3))).toBe('open');
    expect(mechanism.loops.open).toBe(0);
    // At best all three are stretched towards each other.
    expect(mechanism.loops.residual).toBeGreaterThan(0.01);
    expect(q.every(Number.isFinite)).toBe(true);
  });

  test('bars that just reach are closed', () => {
    const mechanism = fourBar(0.3, 0.4, 0.2, 0.9);
    const q = Float64Array.of(0.2, 0.1, 2.9);
    expect(mechanism.project(q, new Float64Array(3))).toBe('closed');
    expect(Math.sin(q[0]!)).toBeCloseTo(0, 5);
  });

  test.each([1e-6, 1e-3, 1e3, 1e6])('loops of %f m close as exactly as those of one metre', (size) => {
    const [a, b, c, d] = [0.3 * size, size, 0.8 * size, 0.9 * size];
    const mechanism = fourBar(a, b, c, d, { driven: true });
    const { coupler, rocker } = fourBarAngles(0.6, a, b, c, d);
    const [q, v] = [Float64Array.of(0.6, coupler + 0.4, rocker - 0.3), Float64Array.of(1, 0, 0)];
    expect(mechanism.project(q, v)).toBe('closed');
    expect(q[1]).toBeCloseTo(coupler, 8);
    expect(q[2]).toBeCloseTo(rocker, 8);
    // A slider that has to go far.
    const slide = new Mechanism({
      links: [link({ kind: 'prismatic', axis: [1, 0, 0] })],
      closures: [
        {
          kind: 'planar',
          a: -1,
          poseA: { ...at(1000 * size, 0, 0), rotation: turnOfZ([1, 0, 0]) },
          b: 0,
          poseB: { ...atOrigin, rotation: turnOfZ([1, 0, 0]) },
        },
      ],
    });
    const x = Float64Array.of(0);
    expect(slide.project(x, new Float64Array(1))).toBe('closed');
    expect(x[0]! / (1000 * size)).toBeCloseTo(1, 12);
  });

  test('numbers that are none are not taken for closed loops', () => {
    const mechanism = fourBar(0.3, 1, 0.8, 0.9);
    expect(mechanism.project(Float64Array.of(0.5, Number.NaN, 1), new Float64Array(3))).toBe('open');
    expect(mechanism.loops.open).toBe(0);
    const closures: Closure[] = [
      { kind: 'rolling', wheel: 'disc', radius: 1, a: -1, poseA: atOrigin, b: 0, poseB: atOrigin },
    ];
    // A disc that lies flat has no lowest point.
    const flat = new Mechanism({ links: [link({ kind: 'free' })], closures });
    expect(flat.project(Float64Array.of(0, 0, 1, 1, 0, 0, 0), new Float64Array(6))).toBe('open');
  });

  test('two driven joints in a loop with one freedom are tied', () => {
    const links = [
      link({ driven: true }),
      link({ parent: 0, before: at(0.3, 0, 0) }),
      link({ before: at(0.9, 0, 0), driven: true }),
      link({ before: at(5, 0, 0), driven: true }),
    ];
    const closures: Closure[] = [{ kind: 'revolute', a: 1, poseA: y(1, 0), b: 2, poseB: y(0.8, 0) }];
    const mechanism = new Mechanism({ links, closures });
    const { coupler, rocker } = fourBarAngles(0.7, 0.3, 1, 0.8, 0.9);
    expect(mechanism.project(Float64Array.of(0.7, coupler, rocker, 0), new Float64Array(4))).toBe('tied');
    expect([...mechanism.loops.tied]).toEqual([1, 1, 0]);
  });

  test('an orientation comes home from far away', () => {
    for (const angle of [0.5, 2, 3, -3.1]) {
      const closures: Closure[] = [{ kind: 'fixed', a: -1, poseA: atOrigin, b: 0, poseB: atOrigin }];
      const mechanism = new Mechanism({ links: [link({ kind: 'free' })], closures });
      const axis: Vector = [0.6, 0, 0.8];
      const q = Float64Array.of(1, 2, 3, Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2)));
      expect(mechanism.project(q, new Float64Array(6))).toBe('closed');
      expect(difference(mechanism.motion.rotation.slice(0, 9), identity)).toBeLessThan(1e-12);
      expect(difference(mechanism.motion.position.slice(0, 3), [0, 0, 0])).toBeLessThan(1e-12);
    }
  });
});

/** Six revolute joints, each at right angles to the one before; every link is a metre long: Bricard's orthogonal loop, here closed as a cube's edges are. */
function bricard() {
  // The edges of a cube that miss two opposite corners form a closed hexagon; joint axes are chosen along the next edge but one.
  const corners: Vector[] = [
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
    [0, 1, 1],
    [0, 0, 1],
    [1, 0, 1],
  ];
  // Each joint's axis goes through its corner at right angles to the two edges that meet there.
  const edge = (k: number): Vector => {
    const [a, b] = [corners[k % 6]!, corners[(k + 1) % 6]!];
    return [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  };
  const axes = corners.map((_, k) => cross(edge((k + 5) % 6), edge(k)));
  const links: Link[] = [];
  for (let k = 1; k < 6; k++) {
    const from = k === 1 ? corners[1]! : edge(k - 1);
    const e = edge(k);
    links.push(
      link({
        parent: k - 2,
        axis: axes[k]!,
        before: at(...from),
        mass: ball(1, 0.1, [e[0] / 2, e[1] / 2, e[2] / 2]),
      }),
    );
  }
  const turn = turnOfZ(axes[0]!);
  const closures: Closure[] = [
    {
      kind: 'revolute',
      a: -1,
      poseA: { translation: corners[0]!, rotation: turn },
      b: 4,
      poseB: { translation: edge(5), rotation: turn },
    },
  ];
  return new Mechanism({ links, closures, gravity: down });
}

/** Runge and Kutta's fourth order; states are projected at every evaluation and once a step. */
function run(
  mechanism: Mechanism,
  q: Float64Array,
  v: Float64Array,
  h: number,
  steps: number,
  watch: () => void,
) {
  const { nq, nv } = mechanism.tree;
  const tau = new Float64Array(nv);
  const slopes = (p: Float64Array, w: Float64Array) => {
    const [pc, wc] = [p.slice(), w.slice()];
    if (mechanism.project(pc, wc) === 'open') throw new Error('open');
    const [a, rates] = [new Float64Array(nv), new Float64Array(nq)];
    mechanism.rates(pc, wc, rates);
    if (mechanism.accelerate(tau, undefined, a) >= 0) throw new Error('singular');
    return { a, rates };
  };
  const moved = (x: Float64Array, slope: Float64Array, by: number) =>
    x.map((value, i) => value + by * slope[i]!);
  for (let step = 0; step < steps; step++) {
    const s1 = slopes(q, v);
    const s2 = slopes(moved(q, s1.rates, h / 2), moved(v, s1.a, h / 2));
    const s3 = slopes(moved(q, s2.rates, h / 2), moved(v, s2.a, h / 2));
    const s4 = slopes(moved(q, s3.rates, h), moved(v, s3.a, h));
    for (let i = 0; i < nq; i++)
      q[i]! += (h / 6) * (s1.rates[i]! + 2 * s2.rates[i]! + 2 * s3.rates[i]! + s4.rates[i]!);
    for (let i = 0; i < nv; i++) v[i]! += (h / 6) * (s1.a[i]! + 2 * s2.a[i]! + 2 * s3.a[i]! + s4.a[i]!);
    expect(mechanism.project(q, v)).toBe('closed');
    watch();
  }
}

describe('long runs', () => {
  const energyOf = (mechanism: Mechanism) => {
    const { kinetic, potential } = mechanism.balance();
    return kinetic + potential;
  };

  test('a four-bar turns many times, closed to 1e-12, and keeps its energy', () => {
    const [a, b, c, d] = [0.3, 1, 0.8, 0.9];
    const mechanism = fourBar(a, b, c, d);
    const { coupler, rocker } = fourBarAngles(0.5, a, b, c, d);
    const [q, v] = [Float64Array.of(0.5, coupler, rocker), Float64Array.of(12, 0, 0)];
    mechanism.project(q, v);
    v.set(v.map((value) => (12 * value) / v[0]!));
    mechanism.project(q, v);
    const start = energyOf(mechanism);
    let worst = 0;
    run(mechanism, q, v, 0.002, 4000, () => {
      worst = Math.max(worst, mechanism.loops.residual);
    });
    expect(Math.abs(q[0]!)).toBeGreaterThan(40);
    expect(worst).toBeLessThan(1e-12);
    expect(Math.abs(energyOf(mechanism) / start - 1)).toBeLessThan(1e-6);
  });

  test("Bricard's loop moves, with one row too many", () => {
    const mechanism = bricard();
    const [q, v] = [new Float64Array(5), Float64Array.of(1, 0, 0, 0, 0)];
    expect(mechanism.project(q, v)).toBe('closed');
    expect([...mechanism.loops.ambiguous]).toEqual([1]);
    v.set(v.map((value) => value / v[0]!));
    mechanism.project(q, v);
    const start = energyOf(mechanism);
    let [worst, range, off] = [0, 0, 0];
    run(mechanism, q, v, 0.002, 2000, () => {
      worst = Math.max(worst, mechanism.loops.residual);
      range = Math.max(range, Math.abs(q[0]!));
      // Y. Chen, Z. You, T. Tarnai (2005), threefold symmetry, twist of a right angle: cos a + cos b + cos a cos b = 0; a cube has a = b = 90 degrees.
      const [a, b] = [Math.PI / 2 + q[0]!, Math.PI / 2 + q[1]!];
      off = Math.max(off, Math.abs(Math.cos(a) + Math.cos(b) + Math.cos(a) * Math.cos(b)));
      off = Math.max(off, Math.abs(q[2]! - q[0]!), Math.abs(q[4]! - q[0]!), Math.abs(q[3]! - q[1]!));
    });
    expect(range).toBeGreaterThan(3);
    expect(off).toBeLessThan(1e-11);
    expect(worst).toBeLessThan(1e-12);
    expect(Math.abs(energyOf(mechanism) / start - 1)).toBeLessThan(1e-6);
  });
});

describe('rods with little mass or none', () => {
  const [r, l, J, m] = [0.1, 0.3, 0.02, 1.5];
  /** Crank, rod, slider along x; the loop is closed between rod and slider, so that the rod is at the end of its chain. */
  const sliderCrank = (rod: number, driven = false) =>
    new Mechanism({
      links: [
        link({ mass: ball(1, J), driven }),
        link({ parent: 0, before: at(r, 0, 0), mass: ball(rod, 0.1 * rod) }),
        link({ kind: 'prismatic', axis: [1, 0, 0], mass: ball(m, 1) }),
      ],
      closures: [{ kind: 'revolute', a: 1, poseA: y(l, 0), b: 2, poseB: y(0, 0) }],
      gravity: down,
    });
  /** Stroke x of the slider with its derivatives by the angle of the crank. */
  const stroke = (phi: number) => {
    const [s, c] = [Math.sin(phi), Math.cos(phi)];
    const root = Math.sqrt(l * l - r * r * s * s);
    const [first, second] = [
      (-r * r * s * c) / root,
      (-r * r * (c * c - s * s)) / root - (r * r * s * c) ** 2 / root ** 3,
    ];
    return { x: r * c + root, x1: -r * s + first, x2: -r * c + second };
  };

  test.each([0, 1e-14, 1e-11, 1e-8, 1e-5])('a slider-crank whose rod has %f kg', (rod) => {
    const mechanism = sliderCrank(rod);
    for (let phi = 0.1; phi < 6; phi += 0.3) {
      const { x, x1, x2 } = stroke(phi);
      const q = Float64Array.of(phi, Math.asin((r * Math.sin(phi)) / l) * -1 - phi, x);
      const v = Float64Array.of(0, 0, 0);
      expect(mechanism.project(q, v)).toBe('closed');
      expect(q[0]).toBeCloseTo(phi, 11);
      // All speeds in proportion to the crank's.
      const w = 3;
      v[0] = w;
      v[2] = x1 * w;
      v[1] = (-r * Math.cos(phi) * w) / Math.sqrt(l * l - (r * Math.sin(phi)) ** 2) - w;
      const kept = v.slice();
      expect(mechanism.project(q, v)).toBe('closed');
      expect(difference(v, kept)).toBeLessThan(1e-11);
      const a = new Float64Array(3);
      expect(mechanism.accelerate(Float64Array.of(0.7, 0, 0.2), undefined, a)).toBe(-1);
      // (J + m x'^2) phi'' + m x' x'' w^2 = torque + force x'
      const expected = (0.7 + 0.2 * x1 - m * x1 * x2 * w * w) / (J + m * x1 * x1);
      expect(Math.abs(a[0]! - expected)).toBeLessThan((1e-9 + 10 * rod) * (1 + Math.abs(expected)));
      expect(Math.abs(a[2]! - (x1 * expected + x2 * w * w))).toBeLessThan(
        (1e-9 + 10 * rod) * (1 + Math.abs(expected)),
      );
    }
  });

  test("driven, the inertia that the crank feels is J + m x'^2", () => {
    const mechanism = sliderCrank(0, true);
    const { x, x1, x2 } = stroke(1);
    const [q, v] = [Float64Array.of(1, -1.3, x), Float64Array.of(3, 0, 0)];
    expect(mechanism.project(q, v)).toBe('closed');
    expect(q[2]).toBeCloseTo(x, 12);
    const [tau, a, matrix] = [new Float64Array(3), new Float64Array(3), new Float64Array(1)];
    expect(mechanism.driven(matrix)).toBe(-1);
    expect(mechanism.accelerate(tau, undefined, a)).toBe(-1);
    expect(matrix[0]).toBeCloseTo(J + m * x1 * x1, 12);
    expect(tau[0]).toBeCloseTo(m * x1 * x2 * 9, 11);
    // A jump of the crank takes the slider along.
    expect(mechanism.jump(Float64Array.of(2), v)).toBe(-1);
    expect(v[0]).toBeCloseTo(5, 12);
    expect(v[2]).toBeCloseTo(5 * x1, 12);
  });

  test('coupler and rocker without mass leave the crank alone', () => {
    const [b, c, d] = [1, 0.8, 0.9];
    const links = [
      link({ mass: ball(0, 2) }),
      link({ parent: 0, before: at(0.3, 0, 0), mass: ball(0, 0) }),
      link({ before: at(d, 0, 0), mass: ball(0, 0) }),
    ];
    const mechanism = new Mechanism({
      links,
      closures: [{ kind: 'revolute', a: 1, poseA: y(b, 0), b: 2, poseB: y(c, 0) }],
    });
    const { coupler, rocker } = fourBarAngles(0.7, 0.3, b, c, d);
    const [q, v, a] = [Float64Array.of(0.7, coupler, rocker), Float64Array.of(1, 0, 0), new Float64Array(3)];
    expect(mechanism.project(q, v)).toBe('closed');
    expect(mechanism.accelerate(Float64Array.of(5, 0, 0), undefined, a)).toBe(-1);
    expect(a[0]).toBeCloseTo(2.5, 11);
  });

  test('a loop without any mass is found', () => {
    const links = [0, 1, 2].map((k) =>
      link({ parent: k === 1 ? 0 : -1, before: at([0, 0.3, 0.9][k]!, 0, 0), mass: ball(0, 0) }),
    );
    const mechanism = new Mechanism({
      links,
      closures: [{ kind: 'revolute', a: 1, poseA: y(1, 0), b: 2, poseB: y(0.8, 0) }],
    });
    const { coupler, rocker } = fourBarAngles(0.7, 0.3, 1, 0.8, 0.9);
    const [q, v, a] = [Float64Array.of(0.7, coupler, rocker), Float64Array.of(1, 0, 0), new Float64Array(3)];
    expect(mechanism.project(q, v)).toBe('closed');
    expect(mechanism.accelerate(Float64Array.of(5, 0, 0), undefined, a)).toBe(0);
    expect(mechanism.driven(new Float64Array(0))).toBe(0);
  });

  test('what hangs on a loop without being part of it still needs inertia', () => {
    const links = [...sliderCrank(0).tree.links, link({ parent: 1, mass: ball(0, 0) })];
    const { closures } = sliderCrank(0).closures;
    const mechanism = new Mechanism({ links, closures });
    const { x } = stroke(1);
    const [q, v, a] = [Float64Array.of(1, -1.3, x, 0), new Float64Array(4), new Float64Array(4)];
    mechanism.project(q, v);
    expect(mechanism.accelerate(new Float64Array(4), undefined, a)).toBe(3);
  });
});

describe('two bodies and a rod between them', () => {
  // They move across the rod with speed w: the rod pulls with the reduced mass times w^2 / length, through centres of mass.
  const [m1, m2, length, speed] = [2, 3, 0.8, 1.7];
  const pull = ((m1 * m2) / (m1 + m2)) * (speed ** 2 / length);
  const bodies = [link({ kind: 'free', mass: ball(m1, 0.1) }), link({ kind: 'free', mass: ball(m2, 0.2) })];
  const q = [0, 0, 0, 1, 0, 0, 0, length, 0, 0, 1, 0, 0, 0];
  const v = [0, 0, 0, 0.3, 0.2, 0.1, 0, speed, 0, -0.5, 0.4, 0];
  const expected = [pull / m1, 0, 0, 0, 0, 0, -pull / m2, 0, 0, 0, 0, 0];

  test('as a closure', () => {
    const closures: Closure[] = [{ kind: 'rod', length, a: 0, poseA: atOrigin, b: 1, poseB: atOrigin }];
    const mechanism = new Mechanism({ links: bodies, closures });
    const [p, w, a] = [Float64Array.from(q), Float64Array.from(v), new Float64Array(12)];
    expect(mechanism.project(p, w)).toBe('closed');
    expect(difference(w, v)).toBeLessThan(1e-13);
    mechanism.accelerate(new Float64Array(12), undefined, a);
    expect(difference(a, expected)).toBeLessThan(1e-12);
    expect(mechanism.multipliers.values[0]).toBeCloseTo(-pull, 12);
    expect([...mechanism.loops.ambiguous]).toEqual([0]);
  });

  test('as a body without mass, in a universal joint of two hinges and a spherical one', () => {
    const nothing = ball(0, 0);
    const links = [
      ...bodies,
      link({ parent: 0, axis: [0, 1, 0], mass: nothing }),
      link({ parent: 2, axis: [0, 0, 1], mass: nothing }),
    ];
    const closures: Closure[] = [{ kind: 'spherical', a: 3, poseA: at(length, 0, 0), b: 1, poseB: atOrigin }];
    const mechanism = new Mechanism({ links, closures });
    // The rod turns about z of the world with speed / length, seen from a body that turns itself.
    const [p, w] = [Float64Array.from([...q, 0, 0]), Float64Array.from([...v, -0.2, speed / length - 0.1])];
    const a = new Float64Array(14);
    const kept = w.slice();
    expect(mechanism.project(p, w)).toBe('closed');
    expect(difference(w, kept)).toBeLessThan(1e-13);
    expect(mechanism.accelerate(new Float64Array(14), undefined, a)).toBe(-1);
    expect(difference(a.slice(0, 12), expected)).toBeLessThan(1e-12);
  });

  test('points that are one are led apart', () => {
    const closures: Closure[] = [{ kind: 'rod', length, a: 0, poseA: atOrigin, b: 1, poseB: atOrigin }];
    const mechanism = new Mechanism({ links: bodies, closures });
    const p = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
    expect(mechanism.project(p, new Float64Array(12))).toBe('closed');
    expect(Math.hypot(p[0]! - p[7]!, p[1]! - p[8]!, p[2]! - p[9]!)).toBeCloseTo(length, 12);
  });
});

describe('rolling', () => {
  const plane = (tilt: number): Pose => ({ translation: [0.3, -0.2, 0.5], rotation: cardan([0, tilt, 0.4]) });

  test('a sphere rolls down with 5/7 of the acceleration of one that slides', () => {
    const [r, m, tilt] = [0.2, 3, 0.3];
    const poseA = plane(tilt);
    const closures: Closure[] = [
      { kind: 'rolling', wheel: 'sphere', radius: r, a: -1, poseA, b: 0, poseB: atOrigin },
    ];
    const mechanism = new Mechanism({
      links: [link({ kind: 'free', mass: ball(m, 0.4 * m * r * r) })],
      closures,
      gravity: down,
    });
    const normal = applied(poseA.rotation, [0, 0, 1]);
    const q = Float64Array.of(
      ...plus(poseA.translation, normal.map((x) => 1.1 * r * x) as unknown as Vector),
      1,
      0,
      0,
      0,
    );
    const v = new Float64Array(6);
    expect(mechanism.project(q, v)).toBe('closed');
    const a = new Float64Array(6);
    mechanism.accelerate(new Float64Array(6), undefined, a);
    const pull = normal[2] * 9.81;
    const slope = [normal[0] * pull, normal[1] * pull, normal[2] * pull - 9.81].map((x) => (5 / 7) * x);
    expect(difference(a.slice(0, 3), slope)).toBeLessThan(1e-12);
  });

  test('a disc goes round in a circle as it leans', () => {
    // Its axis k is theta above the horizontal, all goes round the vertical n with p, and N is its spin about k: by hand,
    //   angular momentum C N k + A p (n - sin(theta) k), the centre moves across both with r N, the force on the rim is m (g + acceleration):
    //   p cos(theta) (A p sin(theta) - C N) = m g r sin(theta) + m r^2 N p cos(theta)
    const [r, m, theta, p] = [0.5, 2, 0.4, 3];
    const [A, C] = [(m * r * r) / 4, (m * r * r) / 2];
    const [sine, cosine] = [Math.sin(theta), Math.cos(theta)];
    const n = (A * p * p * sine * cosine - m * 9.81 * r * sine) / ((C + m * r * r) * p * cosine);
    const mass = { mass: m, centre: [0, 0, 0] as Vector, inertia: [A, 0, 0, 0, A, 0, 0, 0, C] as const };
    const closures: Closure[] = [
      { kind: 'rolling', wheel: 'disc', radius: r, a: -1, poseA: atOrigin, b: 0, poseB: atOrigin },
    ];
    const mechanism = new Mechanism({ links: [link({ kind: 'free', mass })], closures, gravity: down });
    // The axis of the disc: along y, then leaned about x.
    const lean = product(turned([1, 0, 0], theta), turnOfZ([0, 1, 0]));
    const axis = applied(lean, [0, 0, 1]);
    const quarter = quaternionFrom(lean);
    const centre: Vector = [0, 0, r * Math.cos(theta)];
    // w = n axis + p times the part of the vertical across the axis
    const across: Vector = [0, 0, 1].map((x, i) => x - axis[2] * axis[i]!) as unknown as Vector;
    const w = plus(
      axis.map((x) => n * x) as unknown as Vector,
      across.map((x) => p * x) as unknown as Vector,
    );
    const down2 = across.map((x) => (-r * x) / Math.hypot(...across)) as unknown as Vector;
    const u = cross(w, down2.map((x) => -x) as unknown as Vector);
    const q = Float64Array.of(...centre, ...quarter);
    const v = Float64Array.of(...u, ...w);
    const kept = v.slice();
    expect(mechanism.project(q, v)).toBe('closed');
    expect(difference(v, kept)).toBeLessThan(1e-12);
    const a = new Float64Array(6);
    mechanism.accelerate(new Float64Array(6), undefined, a);
    // All goes round the vertical: derivatives are p x what they are of.
    expect(difference(a.slice(0, 3), cross([0, 0, p], u))).toBeLessThan(1e-10);
    expect(difference(a.slice(3), cross([0, 0, p], w))).toBeLessThan(1e-10);
  });
});

test('a disc that rolls as it likes keeps its energy and does not slip', () => {
  const [r, m] = [0.5, 2];
  const inertia = [(m * r * r) / 4, 0, 0, 0, (m * r * r) / 4, 0, 0, 0, (m * r * r) / 2] as const;
  const links = [link({ kind: 'free', mass: { mass: m, centre: [0, 0, 0], inertia } })];
  const closures: Closure[] = [
    { kind: 'rolling', wheel: 'disc', radius: r, a: -1, poseA: atOrigin, b: 0, poseB: atOrigin },
  ];
  const mechanism = new Mechanism({ links, closures, gravity: down });
  const q = Float64Array.of(0, 0, r, ...quaternionFrom(product(turned([1, 0, 0], 0.3), turnOfZ([0, 1, 0]))));
  const v = Float64Array.of(3, 0, 0, 0, 6, 0.5);
  expect(mechanism.project(q, v)).toBe('closed');
  const energy = () => mechanism.balance().kinetic + mechanism.balance().potential;
  const start = energy();
  const leans = new Set<number>();
  run(mechanism, q, v, 0.001, 2000, () => {
    leans.add(Math.round(20 * mechanism.motion.rotation[8]!));
    const { motion } = mechanism;
    // The material point below the centre, against the plane.
    const k: Vector = [motion.rotation[2]!, motion.rotation[5]!, motion.rotation[8]!];
    const across = [-k[2] * k[0], -k[2] * k[1], 1 - k[2] * k[2]];
    const length = Math.hypot(...across);
    const point = across.map((x) => (-r * x) / length) as unknown as Vector;
    const slip = plus(three(motion.velocity, 0), cross(three(motion.angular, 0), point));
    expect(Math.hypot(...slip)).toBeLessThan(1e-11);
    expect(Math.abs(motion.position[2]! + point[2])).toBeLessThan(1e-12);
  });
  expect(leans.size).toBeGreaterThan(2);
  expect(Math.abs(energy() / start - 1)).toBeLessThan(1e-7);
});

const quaternionFrom = (m: Matrix): number[] => {
  const w = Math.sqrt(1 + m[0] + m[4] + m[8]) / 2;
  return [w, (m[7] - m[5]) / (4 * w), (m[2] - m[6]) / (4 * w), (m[3] - m[1]) / (4 * w)];
};

describe('random loops', () => {
  const kinds = [
    'fixed',
    'revolute',
    'prismatic',
    'screw',
    'cylindrical',
    'spherical',
    'universal',
    'planar',
    'rod',
    'rolling',
    'locked',
  ] as const;

  /** A tree and closures that fit where it is. */
  function randomLoops(draw: Draw, some: readonly (typeof kinds)[number][], n: number, driven = 0) {
    const links = randomLinks(draw, { n, driven });
    const first = new Mechanism({ links });
    const { tree, motion } = first;
    const [q, v] = [coordinates(draw, tree), numbers(draw, tree.nv)];
    first.locate(q, v);
    const where = (k: number): Pose =>
      k < 0 ? atOrigin : { rotation: nine(motion.rotation, k), translation: three(motion.position, k) };
    const closures = some.flatMap((kind, c): Closure[] => {
      if (kind === 'locked') {
        const k = links.findIndex((l) => l.kind !== 'spherical' && l.kind !== 'free' && !l.driven);
        return k < 0 ? [] : [{ kind, link: k, at: q[tree.qAt[k]!]! }];
      }
      const b = n - 1 - c;
      const a = Math.floor((draw() + 1) * 0.499 * b) - 1;
      const poseA = pose(draw);
      const wheel = draw() > 0 ? 'sphere' : 'disc';
      const poseB = placed(inverse(where(b)), placed(placed(where(a), poseA), allowed(draw, kind, wheel)));
      const base = { a, poseA, b, poseB };
      if (kind === 'screw') return [{ kind, pitch: 0.3, ...base }];
      if (kind === 'rod') return [{ kind, length: 0.7, ...base }];
      if (kind === 'rolling') return [{ kind, wheel, radius: 0.4, ...base }];
      return [{ kind, ...base }];
    });
    return { links, closures, q, v };
  }

  /** B in A, as the closure lets it be. */
  function allowed(
    draw: Draw,
    kind: Exclude<(typeof kinds)[number], 'locked'>,
    wheel: 'sphere' | 'disc',
  ): Pose {
    const s = draw();
    const spin = turned([0, 0, 1], s);
    const any = matrixOf(quaternion(draw));
    switch (kind) {
      case 'fixed':
        return atOrigin;
      case 'revolute':
        return { translation: [0, 0, 0], rotation: spin };
      case 'prismatic':
        return at(0, 0, s);
      case 'screw':
        return { translation: [0, 0, 0.3 * s], rotation: spin };
      case 'cylindrical':
        return { translation: [0, 0, draw()], rotation: spin };
      case 'spherical':
        return { translation: [0, 0, 0], rotation: any };
      case 'universal':
        return { translation: [0, 0, 0], rotation: product(turned([1, 0, 0], s), turned([0, 1, 0], draw())) };
      case 'planar':
        return { translation: [draw(), draw(), 0], rotation: spin };
      case 'rod':
        return { translation: scaled(0.7, direction(draw)), rotation: any };
      case 'rolling':
        return wheel === 'sphere'
          ? { translation: [draw(), draw(), 0.4], rotation: any }
          : {
              translation: [draw(), draw(), 0.4 * Math.cos(s)],
              rotation: product(turned([1, 0, 0], Math.PI / 2 + s), turned([0, 0, 1], draw())),
            };
    }
  }

  const cases = fc.tuple(
    fc.integer(),
    fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 2 }),
    fc.integer({ min: 3, max: 7 }),
  );

  test('residuals vanish where the closure fits, and rates are their derivatives', () => {
    fc.assert(
      fc.property(cases, ([seed, some, n]) => {
        const draw = drawer(seed);
        const { links, closures: given, q, v } = randomLoops(draw, some, n);
        const mechanism = new Mechanism({ links, closures: given });
        const { closures, motion } = mechanism;
        mechanism.locate(q, v);
        closures.evaluate(q);
        const { count } = closures;
        expect(difference(closures.residuals.slice(0, count), new Array(count).fill(0))).toBeLessThan(1e-12);
        const rate = (row: number) => {
          const [x, w] = [6 * closures.a[row]!, 6 * closures.b[row]!];
          let sum = 0;
          for (let i = 0; i < 6; i++)
            sum +=
              closures.onA[6 * row + i]! * motion.velocities[x + i]! +
              closures.onB[6 * row + i]! * motion.velocities[w + i]!;
          return sum;
        };
        const rates = Array.from({ length: count }, (_, row) => rate(row));
        const qdot = new Float64Array(mechanism.tree.nq);
        mechanism.rates(q, v, qdot);
        const h = 1e-5;
        const sides = [-h, h].map((step) => {
          const moved = q.map((value, i) => value + step * qdot[i]!);
          mechanism.locate(moved, v);
          closures.evaluate(moved);
          return closures.residuals.slice(0, count);
        });
        for (let row = 0; row < count; row++)
          if (closures.measure[row])
            expect(Math.abs((sides[1]![row]! - sides[0]![row]!) / (2 * h) - rates[row]!)).toBeLessThan(
              1e-6 * (1 + Math.abs(rates[row]!)),
            );
      }),
      { numRuns: 100 },
    );
  });

  test('a mechanism that gets other bodies in other places is as a new one', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(0, 30), ([seed, some, n], driven) => {
        const draw = drawer(seed);
        const { links, closures, q, v } = randomLoops(draw, some, n, driven);
        const light = (k: number) => (draw() > 0 ? ball(1e-5, 1e-7) : links[k]!.mass);
        const earlier = {
          links: links.map((own, k) => ({
            ...own,
            before: pose(draw),
            after: draw() > 0 ? atOrigin : pose(draw),
            mass: light(k),
          })),
          closures: closures.map((own) =>
            own.kind === 'locked' ? own : { ...own, poseA: pose(draw), poseB: pose(draw) },
          ),
        };
        const chosen = (own: Link, k: number): Link =>
          draw() > 0 ? own : draw() > 0 ? { ...own, after: atOrigin } : earlier.links[k]!;
        const now = { links: links.map(chosen), closures };
        const [fresh, used] = [now, earlier].map((options) => new Mechanism({ ...options, gravity: down }));
        const { n: count, nv } = fresh!.tree;
        used!.locate(q, v);
        used!.accelerate(new Float64Array(nv), undefined, new Float64Array(nv));
        used!.renew(now.links, now.closures);
        const tau = numbers(draw, nv);
        const [expected, found] = [fresh!, used!].map((mechanism) => {
          const own = { q: q.slice(), v: v.slice(), tau: tau.slice(), a: new Float64Array(nv) };
          mechanism.locate(own.q, own.v);
          const singular = mechanism.accelerate(own.tau, undefined, own.a);
          const bodies = Array.from({ length: count }, (_, k) => {
            const acceleration = new Float64Array(6);
            mechanism.acceleration(k, acceleration);
            return acceleration;
          });
          const outcome = mechanism.project(own.q, own.v);
          return { ...own, singular, bodies, outcome, values: mechanism.multipliers.values };
        });
        expect(found).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test('speeds and accelerations keep closures, and those of all bodies satisfy Newton and Euler', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(0, 30), ([seed, some, n], driven) => {
        const draw = drawer(seed);
        const { links, closures: given, q, v } = randomLoops(draw, some, n, driven);
        const mechanism = new Mechanism({ links, closures: given, gravity: down });
        const { closures, motion, tree, multipliers } = mechanism;
        const state = mechanism.project(q, v);
        if (state !== 'closed') return;
        const rows = Array.from({ length: closures.count }, (_, row) => row);
        // About origins of bodies instead of P_k; biases of rows follow from their rates a moment later, below.
        const moved = (wrench: Float64Array, row: number, k: number): number[] => {
          const [t, f] = [three(wrench, 2 * row), three(wrench, 2 * row + 1)];
          if (k === tree.n) return [...t, ...f];
          const o = three(motion.offsets, k);
          const shift = cross(o, f);
          return [t[0] - shift[0], t[1] - shift[1], t[2] - shift[2], ...f];
        };
        const [tau, a] = [numbers(draw, tree.nv), numbers(draw, tree.nv)];
        const wrenches = numbers(draw, 6 * n);
        const [push, drive] = [tau.slice(), a.slice()];
        expect(mechanism.accelerate(tau, wrenches, a)).toBe(-1);
        for (let i = 0; i < tree.nv; i++) expect(Number.isFinite(a[i]!)).toBe(true);
        // Forces of closures on bodies, and then the dense equations of the tree.
        const total = wrenches.slice();
        for (const row of rows) {
          const lambda = multipliers.values[row]!;
          const [ka, kb] = [closures.a[row]!, closures.b[row]!];
          moved(closures.onA, row, ka).forEach((x, i) => {
            if (ka < n) total[6 * ka + i]! += lambda * x;
          });
          moved(closures.onB, row, kb).forEach((x, i) => {
            if (kb < n) total[6 * kb + i]! += lambda * x;
          });
        }
        const expected = solveDense(mechanism, push, drive, total);
        const size = 1 + Math.max(...total.map(Math.abs));
        expect(difference(a, expected.a)).toBeLessThan(1e-9 * size);
        expect(difference(tau, expected.tau)).toBeLessThan(1e-9 * size);
        const into = new Float64Array(6);
        for (let k = 0; k < n; k++) {
          mechanism.reaction(k, into);
          expect(difference(into, expected.reactions[k]!)).toBeLessThan(1e-9 * size);
        }
        // Rates are zero now, and a moment later.
        const qdot = new Float64Array(tree.nq);
        mechanism.rates(q, v, qdot);
        const rates = (step: number) => {
          mechanism.locate(
            q.map((value, i) => value + step * qdot[i]!),
            v.map((value, i) => value + step * a[i]!),
          );
          closures.evaluate(q);
          return rows.map((row) => {
            let sum = 0;
            for (let i = 0; i < 6; i++)
              sum +=
                closures.onA[6 * row + i]! * motion.velocities[6 * closures.a[row]! + i]! +
                closures.onB[6 * row + i]! * motion.velocities[6 * closures.b[row]! + i]!;
            return sum;
          });
        };
        expect(
          difference(
            rates(0),
            rows.map(() => 0),
          ),
        ).toBeLessThan(1e-10);
        const h = 1e-6;
        const [back, on] = [rates(-h), rates(h)];
        const scale = 1 + Math.max(...a.map(Math.abs));
        rows.forEach((row) => {
          expect(Math.abs((on[row]! - back[row]!) / (2 * h)) / scale ** 2).toBeLessThan(1e-6);
        });
      }),
      { numRuns: 100 },
    );
  });

  test('links without mass are the limit of light ones', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 3, max: 6 }), (seed, n) => {
        const draw = drawer(seed);
        const made = randomLoops(draw, [draw() > 0 ? 'spherical' : 'revolute'], n, 30);
        // The last links, as far as they have one degree of freedom and bear nothing else.
        const weak = [n - 1, n - 2].filter(
          (k, i) =>
            made.links.slice(n - 1 - i, n).every((l) => l.kind === 'revolute' || l.kind === 'prismatic') &&
            made.links.every((l, j) => l.parent !== k || (i === 1 && j === n - 1)),
        );
        const solve = (share: number) => {
          const links = made.links.map((l, k) =>
            weak.includes(k)
              ? {
                  ...l,
                  mass: {
                    ...l.mass,
                    mass: share * l.mass.mass,
                    inertia: l.mass.inertia.map((x) => share * x) as unknown as Matrix,
                  },
                }
              : l,
          );
          const mechanism = new Mechanism({ links, closures: made.closures, gravity: down });
          const { tree } = mechanism;
          const [q, v] = [made.q.slice(), made.v.slice()];
          if (mechanism.project(q, v) !== 'closed') return undefined;
          const [tau, a] = [new Float64Array(tree.nv), new Float64Array(tree.nv).fill(1)];
          if (mechanism.accelerate(tau, undefined, a) >= 0) return undefined;
          const matrix = new Float64Array(tree.drives.length ** 2);
          mechanism.driven(matrix);
          const reaction = new Float64Array(6);
          mechanism.reaction(0, reaction);
          return { a, matrix, forces: [...tau, ...reaction, ...mechanism.multipliers.values] };
        };
        const [none, light] = [solve(0), solve(1e-12)];
        if (!none || !light || weak.length === 0 || Math.max(...light.a.map(Math.abs)) > 1e3) return;
        compared++;
        expect(difference(none.a, light.a)).toBeLessThan(1e-5);
        expect(difference(none.matrix, light.matrix)).toBeLessThan(1e-5);
        expect(difference(none.forces, light.forces)).toBeLessThan(1e-5);
      }),
      { numRuns: 200 },
    );
    expect(compared).toBeGreaterThan(10);
  });

  test('driven joints feel the loop: forces are M a + h', () => {
    fc.assert(
      fc.property(cases, ([seed, some, n]) => {
        const draw = drawer(seed);
        const { links, closures: given, q, v } = randomLoops(draw, some, n, 30);
        const mechanism = new Mechanism({ links, closures: given, gravity: down });
        const { tree } = mechanism;
        const places = [...tree.drives].map((k) => tree.vAt[k]!);
        const count = places.length;
        if (mechanism.project(q, v) !== 'closed' || count === 0) return;
        const force = numbers(draw, tree.nv);
        const chosen = numbers(draw, tree.nv);
        const solve = (by: number) => {
          const [tau, a] = [force.slice(), new Float64Array(tree.nv)];
          for (const i of places) a[i] = by * chosen[i]!;
          mechanism.accelerate(tau, undefined, a);
          return { tau, a };
        };
        const [still, moved] = [solve(0), solve(1)];
        const [matrix, jump] = [new Float64Array(count * count), new Float64Array(tree.nv)];
        mechanism.driven(matrix);
        mechanism.jump(
          Float64Array.from(places, (i) => chosen[i]!),
          jump,
        );
        const expected = places.map((i, row) =>
          places.reduce((sum, j, column) => sum + matrix[row * count + column]! * chosen[j]!, still.tau[i]!),
        );
        const size = 1 + Math.max(...matrix.map(Math.abs));
        expect(
          difference(
            places.map((i) => moved.tau[i]!),
            expected,
          ),
        ).toBeLessThan(1e-8 * size);
        // Speeds jump with those of driven joints as accelerations change with theirs.
        expect(
          difference(
            moved.a,
            still.a.map((value, i) => value + jump[i]!),
          ),
        ).toBeLessThan(1e-8 * size);
      }),
      { numRuns: 100 },
    );
  });
});

test('a mechanism may have no links at all', () => {
  const mechanism = new Mechanism({ links: [] });
  const nothing = new Float64Array(0);
  expect(mechanism.project(nothing, nothing)).toBe('closed');
  expect(mechanism.accelerate(nothing, undefined, nothing)).toBe(-1);
  expect(mechanism.balance().mass).toBe(0);
});

test('closures name links that exist, and lock what can be locked', () => {
  const frames = { poseA: atOrigin, poseB: atOrigin };
  const make = (closure: Closure) => new Mechanism({ links: [link({ kind: 'free' })], closures: [closure] });
  expect(() => make({ kind: 'fixed', a: 3, b: 0, ...frames })).toThrow('link 3');
  expect(() => make({ kind: 'locked', link: 0 })).toThrow('locked');
});
