/** Structure that changes: welds, locks, releases; momentum is conserved. */
import { describe, expect, test } from 'vitest';
import { applied, cardan, cross, dot, plus, transposed, type Vector } from '../../src/bodies/space.ts';
import { close, run } from '../models/notation.ts';

describe('two stages of a rocket', () => {
  const stage = (name: string, length: number, start: number, thrust: string) => `
    Cylinder ${name}(fixed = false, translation = {0, ${start}, 0}, axis = 2, length = ${length}, diameter = 0.2);
    Object3D ${name}Mass(parent = "${name}", mass = 100, inertia = identity(3));
    Object3D ${name}Bottom(parent = "${name}", translation = {0, ${-length / 2}, 0});
    WorldForce ${name}Thrust(object = "${name}Bottom", f = {0, ${thrust}, 0});`;

  test('rise together and then apart', async () => {
    const { table, segments } = await run(
      'Bodies',
      `World world;
      ${stage('s1', 2, 1, 'if time < 5 then 1e4*(1 - time/5) else 0')}
      ${stage('s2', 1, 2.5, 'if time < 5 then 0 else 2e3*(1 - (time - 5)/10)')}
      Weld coupling(obj1 = "s1", obj2 = "s2", active = time < 5);`,
      15,
    );
    close(table.value('s2.r[2]', 15), 1232.2083333333, 1e-9);
    close(table.value('s2.v[2]', 15), 77.85, 1e-9);
    expect(segments.map(({ variant }) => variant)).toContain(13);
    expect(segments.at(-1)!.variant).toBe(26);
  });
});

test('bodies that are welded while they fly have one velocity: momentum and angular momentum stay', async () => {
  const { table } = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Object3D a(fixed = false, velocity = {1, 0, 0}, mass = 2, inertia = 0.1*identity(3));
    Object3D b(fixed = false, translation = {0.5, 1, 0}, velocity = {0, -2, 1}, angularVelocity = {0, 0, 3}, mass = 3, inertia = 0.2*identity(3));
    Weld weld(obj1 = "a", obj2 = "b", active = time > 0.25);`,
    1,
  );
  const momentum = [0, 1, 2].map(
    (i) => 2 * table.value(`a.v[${i + 1}]`, 1) + 3 * table.value(`b.v[${i + 1}]`, 1),
  );
  close(momentum[0]!, 2);
  close(momentum[1]!, -6);
  close(momentum[2]!, 3);
  // About the origin: r x m v, and I w of both.
  const spin = (t: number) => {
    const at = (name: string) => [1, 2, 3].map((i) => table.value(`${name}[${i}]`, t));
    const part = (name: string, m: number, j: number) => {
      const [[x, y, z], [u, v, w], turning] = [at(`${name}.r`), at(`${name}.v`), at(`${name}.w`)] as [
        number[],
        number[],
        number[],
      ];
      return [y! * w! - z! * v!, z! * u! - x! * w!, x! * v! - y! * u!].map((l, i) => m * l + j * turning[i]!);
    };
    return part('a', 2, 0.1).map((l, i) => l + part('b', 3, 0.2)[i]!);
  };
  const [before, after] = [spin(0), spin(1)];
  for (let i = 0; i < 3; i++) close(after[i]!, before[i]!);
});

test('a joint that is locked keeps its angle, and the momentum about the joint before it', async () => {
  const { table } = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Object3D a;
    Object3D b;
    Object3D aMass(parent = "a", translation = {1, 0, 0}, mass = 2);
    Object3D aEnd(parent = "a", translation = {2, 0, 0});
    Object3D bMass(parent = "b", translation = {1, 0, 0}, mass = 3);
    Revolute j1(obj1 = "world", obj2 = "a", w0 = 1);
    Revolute j2(obj1 = "aEnd", obj2 = "b", phi0 = 0.5, w0 = -2, locked = time > 0.3 and time < 0.6);`,
    1,
  );
  const angular = (t: number) => {
    const [w1, w2] = [table.value('j1.w', t), table.value('j2.w', t)];
    // L about the origin of two points on arms of length 1 and 2 + 1.
    const c = Math.cos(table.value('j2.phi', t));
    return 2 * w1 + 3 * (4 * w1 + 2 * c * (2 * w1 + w2) + (w1 + w2));
  };
  close(angular(0.5), angular(0));
  close(angular(1), angular(0));
  close(table.value('j2.w', 0.5), 0);
  close(table.value('j2.phi', 0.4), table.value('j2.phi', 0.6));
});

test('what an arm with a motor catches brings its momentum through the gear into the rotor', async () => {
  const result = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Object3D arm(mass = 2, inertia = 0.3*identity(3));
    Object3D hand(parent = "arm", translation = {1, 0, 0});
    Object3D ball(fixed = false, translation = {1, -1, 0}, velocity = {0, 2, 0}, mass = 0.5, inertia = 0.01*identity(3));
    RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(fixed = true), w(fixed = true));
    Weld grip(obj1 = "hand", obj2 = "ball", active = time >= 0.5);
    Mutabor.Rotational.IdealGear gear(ratio = 10);
    Mutabor.Rotational.Inertia rotor(J = 0.02);
  equation
    connect(joint.flange, gear.flange_b);
    connect(gear.flange_a, rotor.flange_b);`,
    1,
  );
  const { table, impulses } = result;
  // About the axis: 0.3 + 10^2 0.02 of arm and rotor, 0.5 1^2 + 0.01 of the ball, which comes with 0.5 2 1.
  const w = 1 / (0.3 + 2 + 0.51);
  close(table.value('joint.w', 1), w);
  close(table.value('rotor.w', 1), 10 * w);
  close(table.value('ball.v[2]', 0.5 + 1e-9), w);
  // The hand has to slow the ball down.
  const push = impulses.filter(({ variable }) => variable === 'grip.f[2]');
  close(
    push.reduce((sum, { weight }) => sum + weight, 0),
    0.5 * (w - 2),
  );
});

test('a part is handed over: one weld ends at the instant at which the other begins', async () => {
  const { table } = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Object3D a(fixed = false, velocity = {1, 0, 0}, mass = 1, inertia = identity(3));
    Object3D b(fixed = false, translation = {0, 1, 0}, velocity = {4, 0, 0}, mass = 1, inertia = identity(3));
    Object3D part(fixed = false, velocity = {1, 0, 0}, mass = 1, inertia = identity(3));
    Weld first(obj1 = "a", obj2 = "part", active = time < 0.5);
    Weld second(obj1 = "b", obj2 = "part", active = time >= 0.5);`,
    1,
  );
  // a is not part of it.
  close(table.value('a.v[1]', 1), 1);
  close(table.value('b.v[1]', 1) + table.value('part.v[1]', 1), 5);
});

test('the reaction in a weld is measured, and it breaks where that is too much', async () => {
  const { table } = await run(
    'Bodies',
    `World world;
    Object3D beam(fixed = false, mass = 2, inertia = identity(3));
    Object3D hook(parent = "world");
    Boolean holds(start = true, fixed = true);
    WorldForce load(object = "beam", f = {0, -10*time, 0});
    Weld weld(obj1 = "hook", obj2 = "beam", active = holds);
    ReactionSensor sensor(joint = "weld");
  equation
    when sensor.f[2] > 30 then
      holds = false;
    end when;`,
    2,
  );
  // 2 g + 10 t = 30
  const t = (30 - 2 * 9.81) / 10;
  close(table.value('sensor.f[2]', 0.5), 2 * 9.81 + 5);
  const fall = 2 - t;
  close(table.value('beam.v[2]', 2), -(9.81 * fall + (5 * (4 - t * t)) / 2));
});

test('the reaction in a locked joint is that of joint and lock together, whichever object is named first', async () => {
  for (const [ends, sign] of [
    ['obj1 = "world", obj2 = "a"', 1],
    ['obj1 = "a", obj2 = "world"', -1],
  ] as const) {
    const { table } = await run(
      'Bodies',
      `World world;
      Object3D a(mass = 1, centre = {1, 0, 0}, inertia = identity(3));
      Revolute j(${ends}, locked = time > 0.2);
      ReactionSensor r(joint = "j");`,
      1,
    );
    const phi = sign * table.value('j.phi', 1);
    close(table.value('r.f[2]', 1), sign * 9.81);
    close(table.value('r.t[3]', 1), sign * 9.81 * Math.cos(phi));
  }
});

describe('a locked joint of any kind carries all of a weight, and nothing is said to be ambiguous', () => {
  for (const joint of ['Revolute', 'Prismatic', 'Screw', 'Cylindrical', 'Universal', 'Planar', 'Spherical'])
    for (const reversed of [false, true])
      test(`${joint}${reversed ? ', reversed' : ''}`, async () => {
        const [first, second, sign] = reversed ? ['a', 'world', -1] : ['world', 'a', 1];
        const { table, diagnostics } = await run(
          'Bodies',
          `World world;
          Object3D a(mass = 2, centre = {0.3, 0.4, 0.5}, inertia = identity(3));
          ${joint} j(obj1 = "${first}", obj2 = "${second}", locked = true);
          ReactionSensor r(joint = "j");`,
          0.1,
        );
        const weight = 2 * 9.81 * sign;
        const expected = { f: [0, weight, 0], t: [-0.5 * weight, 0, 0.3 * weight] };
        for (const [name, values] of Object.entries(expected))
          for (const [i, value] of values.entries())
            expect(table.value(`r.${name}[${i + 1}]`, 0.1)).toBeCloseTo(value, 9);
        expect(diagnostics).toEqual([]);
      });
});

describe('impulses of joints', () => {
  const weights = (impulses: readonly { variable: string; weight: number }[], name: string) =>
    ['f', 't'].map((kind) =>
      [1, 2, 3].map(
        (i) => impulses.find(({ variable }) => variable === `${name}.${kind}[${i}]`)?.weight ?? 0,
      ),
    );
  const expectClose = (actual: readonly number[][], expected: readonly number[][]) => {
    for (const [k, row] of expected.entries())
      for (const [i, value] of row.entries()) expect(actual[k]![i]).toBeCloseTo(value, 6);
  };

  test('a joint that locks takes all of the momentum, as a weld in its place does', async () => {
    const model = (joint: string) => `World world(gravity = Gravity.none);
      Object3D a(mass = 1, centre = {1, 0, 0}, inertia = identity(3));
      ${joint}`;
    const locked = await run(
      'Bodies',
      model('Revolute j(obj1 = "world", obj2 = "a", w0 = 2, locked = time > 0.5);'),
      1,
    );
    // The centre turns with 2 rad/s and has come to the angle 1.
    const expected = [
      [2 * Math.sin(1), -2 * Math.cos(1), 0],
      [0, 0, -4],
    ];
    expectClose(weights(locked.impulses, 'j'), expected);
    const reversed = await run(
      'Bodies',
      model('Revolute j(obj1 = "a", obj2 = "world", w0 = -2, locked = time > 0.5);'),
      1,
    );
    expectClose(
      weights(reversed.impulses, 'j'),
      expected.map((row) => row.map((value) => -value)),
    );
  });

  test('what is measured shows the shock that goes through it', async () => {
    // A part is held at the wall; another one comes and is welded to it.
    const { impulses } = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Object3D part(fixed = false, mass = 1, inertia = identity(3));
      Object3D other(fixed = false, mass = 2, inertia = identity(3), translation = {1, -0.5, 0}, velocity = {0, 3, 0});
      Weld hold(obj1 = "world", obj2 = "part");
      Weld meet(obj1 = "part", obj2 = "other", active = time > 0.5);
      ReactionSensor felt(joint = "hold");`,
      1,
    );
    expectClose(weights(impulses, 'meet'), [
      [0, -6, 0],
      [0, 0, 0],
    ]);
    // The wall gives 6 N.s, at the other part, 1 m away and now 1 m above.
    expectClose(weights(impulses, 'hold'), [
      [0, -6, 0],
      [0, 0, -6],
    ]);
  });
});

describe('what is measured while an arm with a motor grips', () => {
  const arm = (sensor: string) => `World world;
    Object3D arm(mass = 1, centre = {0.15, 0, 0}, inertia = 0.01*identity(3));
    Sphere part(fixed = false, mass = 1, diameter = 0.1, translation = {0.3, 0.2, 0});
    RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(start = 0.7, fixed = true), w(fixed = true));
    Weld grip(obj1 = "arm", obj2 = "part", active = time > 0.3);
    Mutabor.Rotational.Inertia rotor(J = 0.1);
    Mutabor.Rotational.IdealGear gear(ratio = 5);
    ${sensor}
  equation
    connect(rotor.flange_b, gear.flange_a);
    connect(gear.flange_b, joint.flange);`;

  test.each([
    ['nothing', ''],
    ['an acceleration', 'AccelerationSensor measured(object = "part");'],
    ['a reaction', 'ReactionSensor measured(joint = "grip");'],
  ])('%s: the arm moves as its momentum says, without a word', async (_, sensor) => {
    const { table, diagnostics } = await run('Bodies', arm(sensor), 1, { tolerance: 1e-9 });
    expect(diagnostics).toEqual([]);
    // Energy after the grip: of arm, part and rotor as one.
    const centre = (t: number) => {
      const [phi, w] = [table.value('joint.phi', t), table.value('joint.w', t)];
      const part = [1, 2].map((i) => table.value(`part.r[${i}]`, t)) as [number, number];
      const inertia = 0.01 + 0.15 ** 2 + (0.4 * 0.05 ** 2 + part[0] ** 2 + part[1] ** 2) + 0.1 * 25;
      return 0.5 * inertia * w ** 2 + 9.81 * (0.15 * Math.sin(phi) + part[1]);
    };
    close(centre(0.6), centre(0.4));
    close(centre(1), centre(0.4));
  });
});

test('what hangs on a measured weld follows a flange that jumps, and keeps its energy', async () => {
  // Welded from the start, with other speeds: the impact makes the motor jump. Whether a weld is measured must not matter.
  const { table } = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Object3D load(fixed = false, translation = {-0.2, -1, 1.1}, rotation = {0, -0.3, -0.8}, velocity = {0, 0.7, 0.3}, angularVelocity = {0.4, -0.5, 0.8},
      mass = 3, centre = {0.1, -0.1, 0}, inertia = diagonal({0.6, 0.4, 0.5}));
    Object3D hook(mass = 2, centre = {0.1, -0.2, 0.2}, inertia = diagonal({0.4, 0.5, 0.4}));
    Object3D arm(mass = 1, centre = {0.2, 0.1, 0.1}, inertia = diagonal({0.5, 0.6, 0.3}));
    Universal cross(obj1 = "load", obj2 = "hook", axis1 = {1, 0, 0}, axis2 = {0, 1, 0}, phi0 = {-0.3, 0.7}, w0 = {-0.9, -0.5});
    RevoluteWithFlange joint(obj1 = "arm", obj2 = "world", axis = {0.2, -0.8, 0}, phi(start = 0.6, fixed = true), w(start = -0.3, fixed = true));
    Weld grip(obj1 = "arm", obj2 = "hook");
    ReactionSensor felt(joint = "grip");
    Mutabor.Rotational.IdealGear gear(ratio = 2.4);
    Mutabor.Rotational.Inertia rotor(J = 0.13);
  equation
    connect(joint.flange, gear.flange_b);
    connect(gear.flange_a, rotor.flange_b);`,
    0.5,
    { tolerance: 1e-10 },
  );
  const energy = (t: number) => {
    const vector = (name: string) =>
      [1, 2, 3].map((i) => table.value(`${name}[${i}]`, t)) as unknown as Vector;
    let sum = 0.5 * 0.13 * table.value('rotor.w', t) ** 2;
    for (const [name, mass, centre, inertia] of [
      ['load', 3, [0.1, -0.1, 0], [0.6, 0.4, 0.5]],
      ['hook', 2, [0.1, -0.2, 0.2], [0.4, 0.5, 0.4]],
      ['arm', 1, [0.2, 0.1, 0.1], [0.5, 0.6, 0.3]],
    ] as const) {
      const rotation = cardan(vector(`${name}.angles`));
      const w = vector(`${name}.w`);
      const u = plus(vector(`${name}.v`), cross(w, applied(rotation, centre)));
      const own = applied(transposed(rotation), w);
      sum += 0.5 * (mass * dot(u, u) + own.reduce((part, value, i) => part + inertia[i]! * value ** 2, 0));
    }
    return sum;
  };
  for (const t of [0.05, 0.1, 0.2, 0.5]) close(energy(t), energy(0));
});
