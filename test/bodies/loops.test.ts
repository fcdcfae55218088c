/** Loops: mechanisms whose positions are known by geometry, and whose motion follows from energy. */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { close, library, run } from '../models/notation.ts';

describe('a four-bar linkage of four revolute joints', () => {
  const [crank, rod, rocker, ground] = [0.5, 1.2, 1, 1.4];
  // Assembled by hand: the end of the crank at angle 1, the rocker from its pivot at (ground, 0).
  const phi = 1;
  const [x, y] = [crank * Math.cos(phi), crank * Math.sin(phi)];
  const away = Math.hypot(ground - x, y);
  const toPivot = Math.atan2(-y, ground - x);
  const rodAngle = toPivot + Math.acos((rod ** 2 + away ** 2 - rocker ** 2) / (2 * rod * away));
  const [ex, ey] = [x + rod * Math.cos(rodAngle), y + rod * Math.sin(rodAngle)];
  const rockerAngle = Math.atan2(ey, ex - ground);
  const bar = (name: string, length: number) => `
    Object3D ${name}(mass = 1, centre = {${length / 2}, 0, 0}, inertia = diagonal({0.001, 0.1, 0.1}));
    Object3D ${name}End(parent = "${name}", translation = {${length}, 0, 0});`;
  const linkage = (first: string) => `World world(gravity = Gravity.none);
    Object3D pivot(parent = "world", translation = {${ground}, 0, 0});
    ${bar('crank', crank)} ${bar('rod', rod)} ${bar('rocker', rocker)}
    ${first}
    Revolute j2(obj1 = "crankEnd", obj2 = "rod", phi0 = ${rodAngle - phi + 0.05});
    Revolute j3(obj1 = "pivot", obj2 = "rocker", phi0 = ${rockerAngle - 0.1});
    Revolute j4(obj1 = "rodEnd", obj2 = "rockerEnd");`;

  test('closes, stays closed for many turns, and keeps its energy', async () => {
    const { table, diagnostics } = await run(
      'Bodies',
      linkage(`Revolute j1(obj1 = "world", obj2 = "crank", phi0 = ${phi}, w0 = 8);`),
      20,
      {
        tolerance: 1e-10,
      },
    );
    const at = (name: string, t: number) =>
      [1, 2, 3].map((i) => table.value(`${name}[${i}]`, t)) as [number, number, number];
    const energy = (t: number) =>
      ['crank', 'rod', 'rocker'].reduce((sum, name) => {
        const [v, w, r] = [at(`${name}.v`, t), at(`${name}.w`, t)[2], at(`${name}.angles`, t)[2]];
        const half = { crank, rod, rocker }[name]! / 2;
        const [u, s] = [v[0] - w * half * Math.sin(r), v[1] + w * half * Math.cos(r)];
        return sum + 0.5 * (u * u + s * s) + 0.05 * w * w;
      }, 0);
    for (const t of [0, 4, 12, 20]) {
      const [a, b] = [at('rodEnd.r', t), at('rockerEnd.r', t)];
      for (let i = 0; i < 3; i++) expect(Math.abs(a[i]! - b[i]!)).toBeLessThan(1e-10);
      close(energy(t), energy(0), 1e-7);
    }
    expect(Math.abs(table.value('j1.phi', 20))).toBeGreaterThan(20);
    expect(diagnostics).toEqual([]);
  });

  test('follows a crank with a flange, whose torque does the work', async () => {
    const { table } = await run(
      'Bodies',
      `${linkage('RevoluteWithFlange j1(obj1 = "world", obj2 = "crank");')}
      Mutabor.Rotational.Position given(phi_ref = ${phi} + 3*time);
      Real work(start = 0, fixed = true);
    equation
      der(work) = j1.tau*j1.w;
      connect(given.flange, j1.flange);`,
      3,
    );
    // The rocker by geometry.
    const angle = phi + 9;
    const [px, py] = [crank * Math.cos(angle), crank * Math.sin(angle)];
    const d = Math.hypot(ground - px, py);
    const beta = Math.atan2(-py, ground - px) + Math.acos((rod ** 2 + d ** 2 - rocker ** 2) / (2 * rod * d));
    const end = Math.atan2(py + rod * Math.sin(beta), px + rod * Math.cos(beta) - ground);
    close(Math.cos(table.value('j3.phi', 3)), Math.cos(end));
    close(Math.sin(table.value('j3.phi', 3)), Math.sin(end));
    const kinetic = (t: number) => {
      const [wr, wk] = [table.value('rod.w[3]', t), table.value('rocker.w[3]', t)];
      const r = table.value('rod.angles[3]', t);
      const [u, v] = [1, 2].map((i) => table.value(`rod.v[${i}]`, t)) as [number, number];
      const [cu, cv] = [u - (wr * rod * Math.sin(r)) / 2, v + (wr * rod * Math.cos(r)) / 2];
      const turning = 0.5 * (0.1 + 0.25 * crank ** 2) * 9 + 0.5 * (0.1 + 0.25 * rocker ** 2) * wk ** 2;
      return turning + 0.5 * (cu * cu + cv * cv) + 0.05 * wr * wr;
    };
    close(table.value('work', 3), kinetic(3) - kinetic(0));
  });
});

test('a loop that cannot be closed is told by its joint', async () => {
  const text = `model Test
    import Mutabor.Bodies.*;
    World world;
    Object3D a(mass = 1, inertia = identity(3));
    Object3D b(mass = 1, inertia = identity(3));
    Object3D aEnd(parent = "a", translation = {1, 0, 0});
    Object3D bEnd(parent = "b", translation = {1, 0, 0});
    Object3D far(parent = "world", translation = {5, 0, 0});
    Revolute j1(obj1 = "world", obj2 = "a");
    Revolute j2(obj1 = "far", obj2 = "b");
    Revolute last(obj1 = "aEnd", obj2 = "bEnd");
  end Test;`;
  const { status, diagnostics } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'));
  expect(status).toBe('failed');
  expect(diagnostics[0]!.message).toMatch(
    /^The loop with the joint `last` cannot be closed from its start values: 3 m is missing at/,
  );
});

test('a ball rolls down a slope with five sevenths of the acceleration', async () => {
  const { table } = await run(
    'Bodies',
    `World world(direction = {sin(0.3), 0, -cos(0.3)});
    Sphere ball(fixed = false, translation = {0, 0, 0.5}, diameter = 1, mass = 2);
    Rolling rolling(obj1 = "world", obj2 = "ball", radius = 0.5, ball = true);`,
    2,
  );
  const a = (5 / 7) * 9.81 * Math.sin(0.3);
  close(table.value('ball.r[1]', 2), 2 * a);
  close(table.value('ball.w[2]', 2), (2 * a) / 0.5);
});

describe('joints with flanges in loops', () => {
  /** Kinetic energy of crank and rod of a slider-crank for the speed 1 of the crank, by geometry. */
  const [r, l] = [0.3, 1];
  const [crankInertia, rodInertia, piston] = [0.0085 + 0.15 ** 2, 0.0843333, 2];
  const unit = (phi: number) => {
    const beta = -Math.asin((r / l) * Math.sin(phi));
    const turning = (-(r / l) * Math.cos(phi)) / Math.cos(beta);
    const centre = [
      -r * Math.sin(phi) - 0.5 * Math.sin(beta) * turning,
      r * Math.cos(phi) + 0.5 * Math.cos(beta) * turning,
    ];
    const sliding = -r * Math.sin(phi) - l * Math.sin(beta) * turning;
    return {
      energy:
        0.5 *
        (crankInertia +
          rodInertia * turning ** 2 +
          centre[0]! ** 2 +
          centre[1]! ** 2 +
          piston * sliding ** 2),
      sliding,
      turning,
      beta,
    };
  };
  const phi = 0.7;
  const start = unit(phi);
  const engine = `World world(gravity = Gravity.none);
    Object3D crank(mass = 1, centre = {0.15, 0, 0}, inertia = diagonal({0.001, 0.0085, 0.0085}));
    Object3D pin(parent = "crank", translation = {${r}, 0, 0});
    Object3D rod(mass = 1, centre = {0.5, 0, 0}, inertia = diagonal({0.001, 0.0843333, 0.0843333}));
    Object3D tip(parent = "rod", translation = {${l}, 0, 0});
    Object3D head(mass = ${piston}, inertia = 0.1*identity(3));
    Revolute j1(obj1 = "world", obj2 = "crank", phi0 = ${phi}, w0 = 4);
    Revolute j2(obj1 = "pin", obj2 = "rod", phi0 = ${start.beta - phi}, w0 = ${4 * (start.turning - 1)});
    Revolute j4(obj1 = "tip", obj2 = "head");`;
  const s0 = r * Math.cos(phi) + l * Math.cos(start.beta);

  test('a piston goes through its dead centres, and the crank turns on', async () => {
    const { table } = await run(
      'Bodies',
      `${engine} PrismaticWithFlange j3(obj1 = "world", obj2 = "head", s(start = ${s0}, fixed = true), v(start = ${4 * start.sliding}, fixed = true));`,
      4,
      { tolerance: 1e-10 },
    );
    expect(table.value('j1.phi', 4)).toBeGreaterThan(4 * Math.PI);
    for (const t of [0.8, 2, 3.2, 4]) {
      const now = unit(table.value('j1.phi', t));
      const w = 4 * Math.sqrt(start.energy / now.energy);
      close(table.value('j1.w', t), w);
      close(table.value('j3.s', t), r * Math.cos(table.value('j1.phi', t)) + l * Math.cos(now.beta));
      close(table.value('j3.v', t), w * now.sliding);
    }
  });

  test('a flange at each end of a loop with one degree of freedom: a motor here, a damper there', async () => {
    const { table } = await run(
      'Bodies',
      `${engine.replace('Revolute j1(', 'RevoluteWithFlange j1(')}
      PrismaticWithFlange j3(obj1 = "world", obj2 = "head", s(start = ${s0}, fixed = true), v(start = ${4 * start.sliding}, fixed = true));
      Mutabor.Rotational.Inertia rotor(J = 0.5);
      Mutabor.Translational.Damper damper(d = 3);
      Mutabor.Translational.Fixed wall;
      Real lost(start = 0, fixed = true);
    equation
      connect(rotor.flange_b, j1.flange);
      connect(wall.flange, damper.flange_a);
      connect(damper.flange_b, j3.flange);
      der(lost) = 3*j3.v^2;`.replace(
        'phi0 = 0.7, w0 = 4',
        'phi(start = 0.7, fixed = true), w(start = 4, fixed = true)',
      ),
      4,
      { tolerance: 1e-10 },
    );
    for (const t of [0.8, 2, 4]) {
      const w = table.value('j1.w', t);
      const energy = (unit(table.value('j1.phi', t)).energy + 0.25) * w ** 2;
      close(energy + table.value('lost', t), 16 * (start.energy + 0.25));
      close(table.value('rotor.w', t), w);
    }
  });

  /** The same with flanges at all joints. */
  const flanged = engine
    .replace('phi0 = 0.7, w0 = 4', 'phi(start = 0.7, fixed = true), w(start = 4, fixed = true)')
    .replace('"head");', `"head", phi0 = ${-start.beta}, w0 = ${-4 * start.turning});`)
    .replaceAll('Revolute j', 'RevoluteWithFlange j');
  const slide = `PrismaticWithFlange j3(obj1 = "world", obj2 = "head", s(start = ${s0}, fixed = true), v(start = ${4 * start.sliding}, fixed = true));`;

  test('all joints of a loop may have flanges', async () => {
    const { table } = await run(
      'Bodies',
      `${flanged} ${slide}
      Mutabor.Rotational.Inertia rotor(J = 0.5);
      Mutabor.Rotational.Damper damper(d = 0.3);
      Mutabor.Rotational.Fixed support;
      Real lost(start = 0, fixed = true);
    equation
      connect(rotor.flange_b, j2.flange);
      connect(support.flange, damper.flange_a);
      connect(damper.flange_b, j4.flange);
      der(lost) = 0.3*j4.w^2;`,
      4,
      { tolerance: 1e-10 },
    );
    const energy = (t: number) => {
      const { energy, turning } = unit(table.value('j1.phi', t));
      return (energy + 0.25 * (turning - 1) ** 2) * table.value('j1.w', t) ** 2;
    };
    expect(table.value('j1.phi', 4)).toBeGreaterThan(4 * Math.PI);
    for (const t of [0.8, 2, 4]) {
      const { beta, turning } = unit(table.value('j1.phi', t));
      const w = table.value('j1.w', t);
      close(energy(t) + table.value('lost', t), energy(0));
      close(table.value('rotor.w', t), (turning - 1) * w);
      expect(table.value('j4.phi', t) + beta).toBeCloseTo(0, 7);
    }
  });

  test('bodies without mass on a loop are turned by the rotor behind a flange', async () => {
    const light = engine
      .replace(/mass = 1, centre = \{0.15.*?\}\)/, '')
      .replace(/mass = 1, centre = \{0.5.*?\}\)/, '')
      .replace('Revolute j1(', 'RevoluteWithFlange j1(')
      .replace('phi0 = 0.7, w0 = 4', 'phi(start = 0.7, fixed = true), w(start = 4, fixed = true)');
    expect(light).toContain('crank();');
    expect(light).toContain('rod();');
    const { table } = await run(
      'Bodies',
      `${light} Prismatic j3(obj1 = "world", obj2 = "head", s0 = ${s0});
      Mutabor.Rotational.Inertia rotor(J = 0.2);
    equation
      connect(rotor.flange_b, j1.flange);`,
      4,
      { tolerance: 1e-10 },
    );
    const inertia = (angle: number) => 0.2 + piston * unit(angle).sliding ** 2;
    expect(table.value('j1.phi', 4)).toBeGreaterThan(4 * Math.PI);
    for (const t of [0.8, 2, 4])
      close(table.value('j1.w', t), 4 * Math.sqrt(inertia(phi) / inertia(table.value('j1.phi', t))));
  });

  test('a speed or an angle that is set takes the loop with it', async () => {
    const { table } = await run(
      'Bodies',
      `${engine
        .replace('Revolute j1(', 'RevoluteWithFlange j1(')
        .replace('phi0 = 0.7, w0 = 4', 'phi(start = 0.7, fixed = true), w(start = 4, fixed = true)')}
      Prismatic j3(obj1 = "world", obj2 = "head", s0 = ${s0});
    equation
      when time > 0.5 then
        reinit(j1.w, 7);
      end when;
      when time > 1 then
        reinit(j1.phi, j1.phi + 0.4);
        reinit(j1.w, -3);
      end when;`,
      1.5,
      { tolerance: 1e-10 },
    );
    const energy = (t: number) => unit(table.value('j1.phi', t)).energy * table.value('j1.w', t) ** 2;
    for (const t of [0.3, 0.6, 0.9, 1.2, 1.5]) {
      const { sliding, beta } = unit(table.value('j1.phi', t));
      close(table.value('j3.s', t), r * Math.cos(table.value('j1.phi', t)) + l * Math.cos(beta));
      close(table.value('j3.v', t), sliding * table.value('j1.w', t));
    }
    close(energy(0.3), energy(0));
    close(energy(0.9), energy(0.6));
    close(energy(1.5), energy(1.2));
    close(energy(0.6), 49 * unit(table.value('j1.phi', 0.5)).energy);
    close(energy(1.2), 9 * unit(table.value('j1.phi', 1)).energy);
  });

  test('a speed that contradicts another flange of the loop is refused', async () => {
    const text = `model Test
      import Mutabor.Bodies.*;
      ${flanged} ${slide}
    equation
      when time > 0.5 then
        reinit(j1.w, 7);
      end when;
    end Test;`;
    const { status, diagnostics } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'));
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.message).toMatch(/^`j1\.w` is 7, but welds and loops hold it at /);
  });

  test('start values that do not close the loop are told with those that do', async () => {
    const text = `model Test
      import Mutabor.Bodies.*;
      ${engine.replace('Revolute j1(', 'RevoluteWithFlange j1(')}
      PrismaticWithFlange j3(obj1 = "world", obj2 = "head", s0 = 1.1, s(fixed = true), v(fixed = true));
    end Test;`;
    const { status, diagnostics } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'));
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.message).toMatch(
      /^Joints with flanges do not fit into their loops at the start: /,
    );
    // The piston by geometry, for the crank as it is.
    const fits = [...diagnostics.at(-1)!.hint!.matchAll(/j(\d)\.(\w+) = (-?\d+(?:\.\d+)?)/g)];
    const value = (name: string) =>
      Number(fits.find(([, joint, variable]) => `j${joint}.${variable}` === name)![3]);
    close(value('j1.phi'), phi);
    close(value('j3.s'), s0);
    close(value('j1.w'), 4);
    close(value('j3.v'), 4 * start.sliding);
  });

  test('a weld stops an arm and the rotor behind it, and lets them go again', async () => {
    const { table, impulses } = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Object3D arm(mass = 1, centre = {1, 0, 0}, inertia = identity(3));
      RevoluteWithFlange j(obj1 = "world", obj2 = "arm", phi(fixed = true), w(start = 2, fixed = true));
      Weld brake(obj1 = "world", obj2 = "arm", active = time >= 0.25 and time < 0.5);
      Mutabor.Rotational.Inertia rotor(J = 3);
      Mutabor.Rotational.ConstantTorque motor(tau_constant = 10);
    equation
      connect(rotor.flange_b, j.flange);
      connect(motor.flange, rotor.flange_a);`,
      1,
    );
    close(table.value('j.w', 0.4), 0);
    close(table.value('j.w', 1), (10 / 5) * 0.5);
    close(table.value('rotor.w', 1), (10 / 5) * 0.5);
    const [stop] = impulses.filter(({ variable }) => variable === 'brake.t[3]');
    close(stop!.weight, -5 * (2 + 0.5));
  });
});

describe('a light wheel with a motor drives a heavy carriage', () => {
  for (const mass of [10, 0.1, 1e-3, 1e-5])
    test(`${mass} kg against 100 kg`, async () => {
      const { table } = await run(
        'Bodies',
        `World world(direction = {0, 0, -1});
        Object3D carriage(mass = 100, inertia = identity(3));
        Prismatic rail(obj1 = "world", obj2 = "carriage", axis = {1, 0, 0});
        Cylinder wheel(axis = 2, diameter = 0.6, length = 0.05, mass = ${mass});
        Object3D ground(parent = "world", translation = {0, 0, -0.3});
        RevoluteWithFlange motor(obj1 = "carriage", obj2 = "wheel", axis = {0, 1, 0}, phi(fixed = true), w(fixed = true));
        Rolling rolling(obj1 = "ground", obj2 = "wheel", radius = 0.3, axis = {0, 1, 0});
        Mutabor.Rotational.ConstantTorque torque(tau_constant = 3);
      equation
        connect(torque.flange, motor.flange);`,
        2,
        { tolerance: 1e-9 },
      );
      // Torque by radius, against all masses and the inertia of the wheel.
      const speed = (2 * (3 / 0.3)) / (100 + mass * 1.5);
      close(table.value('rail.v', 2), speed);
      close(table.value('motor.w', 2), speed / 0.3);
    });
});

test('start values that a loop does not allow are told', async () => {
  const text = `model Test
    import Mutabor.Bodies.*;
    World world(gravity = Gravity.none);
    Object3D a(mass = 1, inertia = identity(3));
    Object3D b(mass = 1, inertia = identity(3));
    Prismatic first(obj1 = "world", obj2 = "a", v0 = 1);
    Prismatic second(obj1 = "world", obj2 = "b", v0 = 3);
    Revolute pin(obj1 = "a", obj2 = "b");
  end Test;`;
  const { table, diagnostics } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'));
  expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'info: Loops do not allow all start values: `second.v` is 1 instead of 3.',
  ]);
  close(table.value('first.v', 1), 1);
});

// What else there is in the model does not matter.
test.each([
  ['alone', '', ''],
  ['where bodies may touch rigidly', ', rigidContact = true', ''],
  [
    'and beside a joint with a flange',
    ', rigidContact = true',
    'Object3D cart(mass = 1, inertia = identity(3)); PrismaticWithFlange rail(obj1 = "world", obj2 = "cart", s(start = 0, fixed = true), v(start = 1, fixed = true));',
  ],
])('of start values that do not fit together the first ones are kept, %s', async (_, said, others) => {
  // A four-bar linkage, read off from a drawing.
  const { table, diagnostics } = await run(
    'Bodies',
    `World world(gravity = Gravity.none${said});
    ${others}
    Object3D pivot(parent = "world", translation = {1.3, 0, 0});
    Object3D a(mass = 1, inertia = identity(3)), b(mass = 1, inertia = identity(3)), c(mass = 1, inertia = identity(3));
    Object3D aEnd(parent = "a", translation = {0.5, 0, 0});
    Object3D bEnd(parent = "b", translation = {1.2, 0, 0});
    Object3D cEnd(parent = "c", translation = {0.9, 0, 0});
    Revolute j1(obj1 = "world", obj2 = "a", phi0 = 1, w0 = 2);
    Revolute j2(obj1 = "aEnd", obj2 = "b", phi0 = -0.5);
    Revolute j3(obj1 = "pivot", obj2 = "c", phi0 = 1.5);
    Revolute j4(obj1 = "bEnd", obj2 = "cEnd");`,
    0.1,
  );
  expect(diagnostics).toEqual([]);
  close(table.value('j1.phi', 0), 1, 1e-12);
  close(table.value('j1.w', 0), 2, 1e-12);
  close(table.value('j1.phi', 1e-3), 1.002, 1e-5);
  const [x, y] = [1.3 + 0.9 * Math.cos(table.value('j3.phi', 0)), 0.9 * Math.sin(table.value('j3.phi', 0))];
  close(Math.hypot(x - 0.5 * Math.cos(1), y - 0.5 * Math.sin(1)), 1.2, 1e-12);
});
