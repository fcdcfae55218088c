/** Programs: what commands do, in which order, and that momentum is conserved. */
import { describe, expect, test } from 'vitest';
import { Program } from '../../src/actions.ts';
import { Object3D, RevoluteWithFlange, Sensor, World } from '../../src/bodies.ts';
import {
  addModels,
  Class,
  connect,
  loadModel,
  loadText,
  Model,
  modelica,
  simulate,
} from '../../src/index.ts';
import { expectContinued, Run } from '../simulate/continued.ts';
import { modelOf, succeed } from './notation.ts';

const identity = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const puck = (mass: number, x: number, v: number) =>
  Object3D({ fixed: false, mass, inertia: identity, translation: [x, 0, 0], velocity: [v, 0, 0] });
const grips = { parts: { puck: 'puck' }, places: { cart: 'cart' }, reach: 0.5, speed: 1e-6 };

describe('axes', () => {
  const axes = { speed: [1, 2], acceleration: [1, 1], start: [0.5, 0] };

  test('follow the rows, wait, and rest at the end', async () => {
    const { table } = await succeed(
      {},
      {
        axes,
        *run({ move, wait }) {
          yield wait(0.5);
          yield move([0.75, 0.25], [0.75, 0]);
          yield wait(0.25);
          yield move([0.75, -0.25]);
        },
      },
      5,
    );
    const at = (t: number) => [1, 2].map((k) => table.value(`p.position[${k}]`, t));
    // 2 sqrt(0.25/1) = 1 s for each row.
    for (const [time, position] of [
      [0.4, [0.5, 0]],
      [1, [0.625, 0.125]],
      [1.5, [0.75, 0.25]],
      [1.75, [0.75, 0.25 - 0.25 ** 2 / 2]],
      [2.5, [0.75, 0]],
      [2.75, [0.75, 0]],
      [3.25, [0.75, -0.125]],
      [5, [0.75, -0.25]],
    ] as const)
      for (const k of [0, 1]) expect(at(time)[k]).toBeCloseTo(position[k]!, 9);
    expect(table.value('p.velocity[1]', 0.75)).toBeCloseTo(0.25, 9);
  });

  test('are not moved by rows that are where they are', async () => {
    const { statistics, table } = await succeed(
      {},
      {
        axes,
        *run({ move }) {
          yield move([0.5, 0], [0.5, 0]);
          yield move([0.5, 0.25], [0.5, 0.25]);
        },
      },
    );
    expect(table.value('p.position[2]', 1)).toBe(0.25);
    // Half of the way, and its end.
    expect(statistics.events).toBe(2);
  });
});

describe('an ideal drive', () => {
  // From 0 to 1 and back with 1 rad/s2: half a second of rest, 1 s faster, 1 s slower, and the same back.
  const program = Program('Turn', {
    axes: { speed: [10], acceleration: [1] },
    *run({ move, wait }) {
      yield wait(0.5);
      yield move([1], [0]);
    },
  });
  const drive = Class('Mutabor.Rotational.Position').with({ phi_ref: modelica`program.position[1]` });
  const times = [0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4.25, 4.75];
  const acceleration = [0, 1, 1, -1, -1, -1, -1, 1, 1, 0];
  const speed = [0, 0.25, 0.75, 0.75, 0.25, -0.25, -0.75, -0.75, -0.25, 0];

  test('follows the axes: its torque is that of the inertia, without impulses', async () => {
    const Driven = Model('Driven', {
      program,
      drive,
      load: Class('Mutabor.Rotational.Inertia').with({ J: 2 }),
      connections: connect('drive.flange', 'load.flange_a'),
    });
    const { diagnostics, impulses, segments, table } = await simulate(loadModel(Driven), {
      stopTime: 5,
      intervals: 20,
    });
    expect([diagnostics, impulses, segments[0]!.states]).toEqual([[], [], 0]);
    for (const [k, time] of times.entries()) {
      expect(table.value('load.w', time)).toBeCloseTo(speed[k]!, 12);
      expect(table.value('load.a', time)).toBeCloseTo(acceleration[k]!, 12);
      expect(table.value('drive.flange.tau', time)).toBeCloseTo(-2 * acceleration[k]!, 12);
    }
    expect(table.value('load.phi', 2.5)).toBe(1);
    expect(table.value('load.phi', 5)).toBe(0);
  });

  test('moves a joint in space, whose force is the one it takes', async () => {
    const Driven = Model('Driven', {
      world: World({ gravity: 'none' }),
      arm: Object3D({ mass: 3, centre: [1, 0, 0], inertia: identity }),
      joint: RevoluteWithFlange({ obj1: 'world', obj2: 'arm' }),
      program,
      drive,
      connections: connect('drive.flange', 'joint.flange'),
    });
    const { diagnostics, table } = await simulate(loadModel(Driven), { stopTime: 5, intervals: 20 });
    expect(diagnostics).toEqual([]);
    for (const [k, time] of times.entries())
      expect(table.value('joint.tau', time)).toBeCloseTo(4 * acceleration[k]!, 9);
  });
});

describe('a puck that is caught', () => {
  const members = { cart: puck(3, 1, 0), puck: puck(1, 0.9, 2) };

  test('has one velocity with what catches it, and the impulse is reported', async () => {
    const { table, impulses } = await succeed(members, {
      ...grips,
      impact: true,
      *run({ attach, wait }) {
        yield wait(0.05);
        yield attach('puck', 'cart');
      },
    });
    expect(table.value('cart.v[1]', 2)).toBeCloseTo(0.5, 9);
    expect(table.value('puck.v[1]', 2)).toBeCloseTo(0.5, 9);
    const [own] = impulses.filter(({ variable }) => variable.endsWith('puck_cart.f[1]'));
    expect(own!.weight).toBeCloseTo(-1.5, 9);
    expect(own!.time).toBeCloseTo(0.05, 12);
  });

  test('goes on with that velocity when it is released at the same instant: commands are carried out in order', async () => {
    const { table, segments } = await succeed(members, {
      ...grips,
      impact: true,
      *run({ attach, release, wait }) {
        yield wait(0.05);
        yield attach('puck', 'cart');
        yield release('puck');
        yield attach('puck', 'cart', { impact: false });
        yield release('puck', 'cart');
      },
    });
    for (const name of ['cart', 'puck']) expect(table.value(`${name}.v[1]`, 2)).toBeCloseTo(0.5, 9);
    expect(segments.at(-1)!.variant).toBe(26);
  });

  test('is caught where it moves slowly enough', async () => {
    const { table } = await succeed(members, {
      ...grips,
      *run({ attach }) {
        yield attach('puck', 'cart', { speed: 2.001, turn: 1 });
      },
    });
    expect(table.value('puck.v[1]', 1)).toBeCloseTo(0.5, 9);
  });

  test('is handed from one to another: what is released keeps its velocity', async () => {
    const { table } = await succeed(
      { ...members, wall: Object3D({ parent: 'world', translation: [1, 0, 0] }) },
      {
        parts: { puck: 'puck' },
        places: { cart: 'cart', wall: 'wall' },
        reach: 5,
        speed: 1,
        turn: 1,
        impact: true,
        *run({ attach, handOver, wait }) {
          yield attach('puck', 'cart');
          yield wait(1);
          yield handOver('puck', 'wall');
        },
      },
    );
    expect(table.value('cart.v[1]', 1.5)).toBeCloseTo(0.5, 9);
    expect(table.value('puck.v[1]', 1.5)).toBeCloseTo(0, 12);
    expect(table.value('p.puck_wall.active', 1.5)).toBe(1);
    expect(table.value('p.puck_cart.active', 1.5)).toBe(0);
  });
});

test('a place catches and releases one part after the other at one instant, as many as there are', async () => {
  const names = Array.from({ length: 40 }, (_, k) => `puck${k}`);
  const members = Object.fromEntries(names.map((name, k) => [name, puck(1, 0.01 * k, 1)]));
  const { table } = await succeed(
    { ...members, cart: puck(5, 0, 0) },
    {
      parts: Object.fromEntries(names.map((name) => [name, name])),
      places: { cart: 'cart' },
      reach: 1,
      speed: 2,
      *run({ attach, release, wait }) {
        yield wait(0.1);
        for (const name of names) {
          yield attach(name, 'cart');
          yield release(name);
        }
      },
    },
    0.2,
  );
  // Each lets the cart have a sixth of the speed that is between them: 5 v + 1 = 6 v'.
  for (const [k, name] of names.entries())
    expect(table.value(`${name}.v[1]`, 0.2)).toBeCloseTo(1 - (5 / 6) ** (k + 1), 9);
  expect(table.value('cart.v[1]', 0.2)).toBeCloseTo(1 - (5 / 6) ** 40, 9);
});

test('many parts are attached, released and removed at one instant', async () => {
  const names = Array.from({ length: 30 }, (_, k) => `b${k}`);
  const { segments, table } = await succeed(
    { cart: puck(1, 0, 0), ...Object.fromEntries(names.map((name, k) => [name, puck(1, k, 0)])) },
    {
      parts: Object.fromEntries(names.map((name) => [name, { lock: name, body: name }])),
      places: { cart: 'cart' },
      reach: 100,
      speed: 1,
      *run({ attach, release, remove, wait }) {
        for (const name of names) yield attach(name, 'cart');
        yield wait(0.5);
        for (const name of names.slice(10)) yield release(name);
        for (const name of names.slice(20)) yield remove(name);
      },
    },
    1,
  );
  expect(segments.map(({ variant }) => variant)).toEqual([13, 13 * 11]);
  expect(table.value('b29.r[1]', 0.25)).toBe(29);
  expect(table.value('b29.r[1]', 0.75)).toBeNaN();
});

test('a part is a place for others; what is on it is free when it is removed', async () => {
  const removable = (name: string) => ({ lock: name, body: name });
  const { segments, table } = await succeed(
    { tray: puck(2, 0, 1.5), puck: puck(1, 0.1, 0), cart: puck(3, 0.2, 0) },
    {
      parts: { puck: removable('puck'), tray: removable('tray') },
      places: { onTray: 'tray', cart: 'cart' },
      reach: 1,
      speed: 1,
      impact: true,
      *run({ attach, remove, wait }) {
        yield attach('puck', 'onTray');
        yield wait(0.1);
        yield attach('tray', 'cart');
        yield wait(0.1);
        yield remove('tray');
        yield wait(0.1);
        yield attach('puck', 'cart');
      },
    },
    0.4,
  );
  const speeds = (time: number) => ['tray', 'puck', 'cart'].map((name) => table.value(`${name}.v[1]`, time));
  for (const [time, expected] of [
    [0.05, [1, 1, 0]],
    [0.15, [0.5, 0.5, 0.5]],
    [0.25, [Number.NaN, 0.5, 0.5]],
    [0.35, [Number.NaN, 0.5, 0.5]],
  ] as const)
    for (const [k, speed] of speeds(time).entries()) {
      if (Number.isNaN(expected[k]!)) expect(speed).toBeNaN();
      else expect(speed).toBeCloseTo(expected[k]!, 12);
    }
  expect(segments.map(({ variant }) => variant)).toEqual([26, 13, 26, 13]);
  const holds = (time: number) => [1, 2, 3, 4].map((k) => table.value(`p.holds[${k}]`, time));
  expect([0.05, 0.15, 0.25, 0.35].map(holds)).toEqual([
    [1, 0, 0, 0],
    [1, 0, 0, 1],
    [0, 0, 0, 0],
    [0, 1, 0, 0],
  ]);
});

describe('conditions', () => {
  const members = {
    cart: puck(3, 1, 0),
    puck: puck(1, 0, 2),
    gap: Sensor({ object: 'cart', origin: 'puck' }),
  };
  const near = { near: modelica`gap.distance < 0.1` };

  test('are waited for', async () => {
    const told: (readonly [number, boolean])[] = [];
    const { table } = await succeed(members, {
      ...grips,
      conditions: near,
      impact: true,
      *run(robot) {
        told.push([robot.now(), yield robot.until('near')]);
        yield robot.attach('puck', 'cart');
        told.push([robot.now(), yield robot.until('near')]);
      },
    });
    expect(told.map(([, answer]) => answer)).toEqual([true, true]);
    expect(told[1]![0]).toBeCloseTo(0.45, 9);
    expect(table.value('cart.v[1]', 0.44)).toBe(0);
    expect(table.value('cart.v[1]', 0.46)).toBeCloseTo(0.5, 9);
  });

  test('are those after what was attached and released at the same instant', async () => {
    const told: (readonly [number, boolean])[] = [];
    const { table } = await succeed(members, {
      ...grips,
      reach: 5,
      impact: true,
      conditions: { free: modelica`p.holds[1] < 0.5`, slow: modelica`abs(gap.distanceSpeed) < 0.1` },
      *run({ now, until, attach, release, wait }) {
        yield wait(0.2);
        told.push([now(), yield until('slow', 0)]);
        yield attach('puck', 'cart');
        told.push([now(), yield until('slow', 0)], [now(), yield until('free', 0.1)]);
        yield release('puck');
        told.push([now(), yield until('free', 0.5)]);
      },
    });
    const times = told.map(([time]) => Number(time.toFixed(9)));
    expect(told.map(([, answer]) => answer)).toEqual([false, true, false, true]);
    expect(times).toEqual([0.2, 0.2, 0.2, 0.3]);
    // 1 kg with 2 m/s and 3 kg at rest.
    expect(table.value('cart.v[1]', 1)).toBeCloseTo(0.5, 9);
  });

  test('are waited for no longer than is said', async () => {
    const told: boolean[] = [];
    const times: number[] = [];
    await succeed(members, {
      ...grips,
      conditions: near,
      *run(robot) {
        told.push(yield robot.until('near', 0));
        told.push(yield robot.until('near', 0.3));
        times.push(robot.now());
        told.push(yield robot.until('near', 1));
        times.push(robot.now());
      },
    });
    expect(told).toEqual([false, false, true]);
    expect(times[0]).toBeCloseTo(0.3, 12);
    expect(times[1]).toBeCloseTo(0.45, 9);
  });
});

test('parts of programs are generators of their own, and loops are loops', async () => {
  const { table } = await succeed(
    {},
    {
      axes: { speed: [10], acceleration: [4] },
      *run({ move, wait }) {
        function* back(to: number) {
          yield move([to]);
          yield wait(0.5);
          yield move([0]);
        }
        for (let k = 1; ; k++) yield* back(k);
      },
    },
    20,
  );
  // k-th loop: 2 sqrt(k/4) there, 0.5 s, and as much back.
  const begin = (k: number) =>
    Array.from({ length: k - 1 }, (_, j) => 2 * Math.sqrt(j + 1) + 0.5).reduce((a, b) => a + b, 0);
  for (const k of [1, 2, 3])
    expect(table.value('p.position[1]', begin(k) + Math.sqrt(k) + 0.2)).toBeCloseTo(k, 9);
});

test('two programs hand over a part: one waits for what the other holds', async () => {
  const limits = { parts: { part: 'part' }, reach: 1, speed: 1e-9, impact: true };
  const Two = Model('Two', {
    world: World({ gravity: 'none' }),
    left: puck(2, 0, 1),
    right: puck(2, 0.2, 0),
    part: puck(2, 0, 1),
    give: Program('Give', {
      ...limits,
      places: { left: 'left' },
      conditions: { taken: modelica`take.holds[1] > 0.5` },
      *run({ attach, until, release }) {
        yield attach('part', 'left');
        yield until('taken');
        yield release('part');
      },
    }),
    take: Program('Take', {
      ...limits,
      places: { right: 'right' },
      *run({ attach, wait }) {
        yield wait(0.5);
        yield attach('part', 'right');
      },
    }),
  });
  const { diagnostics, table } = await simulate(loadModel(Two), { stopTime: 1, tolerance: 1e-9 });
  expect(diagnostics).toEqual([]);
  // All three are one body for an instant: 2*1 + 2*1 = 6*v.
  for (const name of ['left', 'right', 'part']) expect(table.value(`${name}.v[1]`, 1)).toBeCloseTo(2 / 3, 9);
  expect(table.value('give.part_left.active', 1)).toBe(0);
  expect(table.value('take.part_right.active', 1)).toBe(1);
});

describe('a chain that walks', () => {
  // Two legs of 1 m with a driven hip. A foot that is held keeps its leg at rest, so that the other one swings about the hip.
  const leg = { mass: 1, centre: [0.5, 0, 0], inertia: identity } as const;
  const Walker = Model('Walker', {
    world: World({ gravity: 'none' }),
    ground: Object3D({ parent: 'world' }),
    spot: Object3D({ parent: 'world', translation: [1, 1, 0] }),
    a: Object3D({ ...leg, fixed: false }),
    hip: Object3D({ parent: 'a', translation: [1, 0, 0] }),
    b: Object3D(leg),
    footB: Object3D({ parent: 'b', translation: [1, 0, 0] }),
    joint: RevoluteWithFlange({ obj1: 'hip', obj2: 'b', phi: { init: 0 }, w: { init: 0 } }),
    servo: Class('Mutabor.Robots.Servo').with({ J: 1e-4, reference: modelica`walk.position[1]` }),
    connections: connect('servo.flange', 'joint.flange'),
    walk: Program('Walk', {
      axes: { speed: [2], acceleration: [2] },
      parts: { footA: 'a', footB: 'footB' },
      places: { ground: 'ground', spot: 'spot' },
      reach: 1e-3,
      speed: 1e-3,
      *run({ attach, move, release, wait }) {
        yield attach('footA', 'ground');
        yield move([Math.PI / 2]);
        yield wait(3);
        yield attach('footB', 'spot');
        yield release('footA');
        yield move([Math.PI]);
        yield wait(3);
      },
    }),
  });

  test('stands on one foot and then on the other', async () => {
    const { diagnostics, table, segments } = await simulate(loadModel(Walker), {
      stopTime: 12,
      tolerance: 1e-9,
    });
    expect(diagnostics).toEqual([]);
    expect(new Set(segments.map(({ states }) => states))).toEqual(new Set([3]));
    // Leg b points from the hip at (1, 0) to (1, 1); a quarter of a turn more brings the other foot there, too.
    expect(table.value('a.r[1]', 12)).toBeCloseTo(1, 4);
    expect(table.value('a.r[2]', 12)).toBeCloseTo(1, 4);
    expect(table.value('hip.r[1]', 12)).toBeCloseTo(1, 4);
    expect(table.value('footB.r[2]', 12)).toBeCloseTo(1, 4);
  });
});

test('a run goes on from its state: the program is told the same again', () => {
  const model = modelOf(
    { cart: puck(3, 1, 0), puck: puck(1, 0, 2), gap: Sensor({ object: 'cart', origin: 'puck' }) },
    {
      ...grips,
      axes: { speed: [1], acceleration: [4] },
      conditions: { near: modelica`gap.distance < 0.1` },
      impact: true,
      *run(robot) {
        const isNear = yield robot.until('near', 1);
        yield robot.move([isNear ? 0.3 : -1], [robot.now()]);
        yield robot.attach('puck', 'cart');
        yield robot.wait(0.2);
        yield robot.release('puck');
      },
    },
  );
  expectContinued(new Run(loadModel(model), { stopTime: 2 }));
});

test('a second run of a model begins with a new program', async () => {
  const flat = loadModel(
    modelOf(
      {},
      {
        axes: { speed: [1], acceleration: [1] },
        *run({ move }) {
          yield move([1]);
        },
      },
    ),
  );
  for (let k = 0; k < 2; k++) {
    const { table } = await simulate(flat, { stopTime: 3 });
    expect([0, 1, 3].map((t) => table.value('p.position[1]', t))).toEqual([0, 0.5, 1]);
  }
});

test('a model in Modelica has a program as a component, and gives it conditions', async () => {
  const Catcher = Program('Catcher', {
    ...grips,
    conditions: ['near'],
    impact: true,
    *run({ attach, until }) {
      yield until('near');
      yield attach('puck', 'cart');
    },
  });
  const library = loadText(`model Cell
    import Mutabor.Bodies.*;
    World world(gravity = Gravity.none);
    Object3D cart(fixed = false, mass = 3, inertia = identity(3), translation = {1, 0, 0});
    Object3D puck(fixed = false, mass = 1, inertia = identity(3), velocity = {2, 0, 0});
    Sensor gap(object = "cart", origin = "puck");
    Catcher program(near = gap.distance < 0.1, reach = 0.2);
  end Cell;`);
  const builtIns = addModels(library, { Catcher });
  const { diagnostics, table } = await simulate(loadModel(library, 'Cell', {}, { builtIns }), {
    stopTime: 1,
  });
  expect(diagnostics).toEqual([]);
  expect(table.value('cart.v[1]', 0.44)).toBe(0);
  expect(table.value('cart.v[1]', 0.46)).toBeCloseTo(0.5, 9);
});
