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
    /^The loop with the joint `last` cannot be closed from its start values: 3 is missing at/,
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
