/** Animations of runs: shapes and arrows are where the results say. */
import { describe, expect, test } from 'vitest';
import { animationOf } from '../../src/animation/recorded.ts';
import { run } from '../models/notation.ts';

describe('the animation of a run', () => {
  test('has shapes where the objects are, and turns them as they turn', async () => {
    const result = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Box box(fixed = false, mass = 1, velocity = {1, 0, 0}, angularVelocity = {0, 0, 2}, color = "red");
      Sphere mark(parent = "box", translation = {0.5, 0, 0}, diameter = 0.1);`,
      1,
    );
    const { nodes, times } = animationOf(result)!;
    const last = times.length - 1;
    const node = (name: string) => nodes.find((one) => one.name === name)!;
    expect(node('box').positions[3 * last]).toBeCloseTo(1, 6);
    expect(node('mark').positions[3 * last + 1]).toBeCloseTo(0.5 * Math.sin(2), 6);
    // A turn by 2 about z: cos(1), sin(1).
    expect(node('box').rotations[4 * last]).toBeCloseTo(Math.cos(1), 6);
    expect(node('box').rotations[4 * last + 3]).toBeCloseTo(Math.sin(1), 6);
    expect(node('box').material!.color).toEqual([1, 0, 0]);
  });

  test('has arrows of forces, along the axes that they are given in, and between objects', async () => {
    const result = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Object3D a(fixed = false, mass = 1, inertia = identity(3), rotation = {0, 0, 1.5707963267948966});
      Object3D b(fixed = false, mass = 1, inertia = identity(3), translation = {3, 4, 0});
      WorldForce push(object = "a", resolve = "a", f = {2, 0, 0});
      PointToPoint pull(obj1 = "a", obj2 = "b", force = 10);`,
      0.001,
    );
    const arrows = animationOf(result)!.arrows!;
    const vectors = arrows.map(({ name, vectors: all }) => [
      name,
      ...Array.from({ length: 3 }, (_, i) => all[i]!),
    ]);
    const [push, there, back] = vectors as [string, number, number, number][];
    expect(push![0]).toBe('push');
    expect(push!.slice(1).map((value) => Math.round((value as number) * 1e6) / 1e6)).toEqual([0, 2, 0]);
    expect(there!.slice(1).map((value) => Math.round((value as number) * 1e6) / 1e6)).toEqual([6, 8, 0]);
    expect(back!.slice(1).map((value) => Math.round((value as number) * 1e6) / 1e6)).toEqual([-6, -8, 0]);
  });

  test('has the force and the normal where objects touch', async () => {
    const result = await run(
      'Bodies',
      `World world(direction = {0, 0, -1});
      Box table(parent = "world", translation = {0, 0, -0.1}, lengthX = 1, lengthY = 1, lengthZ = 0.2, material = "Steel", contact = true);
      Box box(fixed = false, translation = {0.2, 0, 0.1}, lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2, mass = 3, material = "Steel", contact = true);
      ContactSensor touch(object1 = "table", object2 = "box");`,
      0.5,
    );
    const { arrows, times } = animationOf(result)!;
    const last = ({ length }: ArrayLike<number>) => length - 3;
    const { name, origins, vectors, normals } = arrows![0]!;
    expect(name).toBe('touch');
    expect(normals).toHaveLength(3 * times.length);
    const at = (values: ArrayLike<number>) => Array.from(values).slice(last(values));
    for (const [k, expected] of [0.2, 0, 0].entries()) expect(at(origins)[k]).toBeCloseTo(expected, 5);
    for (const [k, expected] of [0, 0, 3 * 9.81].entries()) expect(at(vectors)[k]).toBeCloseTo(expected, 4);
    for (const [k, expected] of [0, 0, 1].entries()) expect(at(normals!)[k]).toBeCloseTo(expected, 6);
  });

  test('shows objects while they are there', async () => {
    const result = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Box soon(fixed = false, mass = 1), never(fixed = false, mass = 1);
      SpringDamper spring(obj1 = "soon", obj2 = "never", c = 1, d = 0);
      Removal away(object = "soon", active = time < 0.5), gone(object = "never");`,
      1,
    );
    const { nodes, times } = animationOf(result)!;
    const seen = (name: string, row: number) => nodes.find((one) => one.name === name)!.visible![row];
    expect([seen('soon', 0), seen('soon', times.length - 1)]).toEqual([0, 1]);
    expect([seen('never', 0), seen('never', times.length - 1)]).toEqual([0, 0]);
  });

  test('is none where nothing can be seen', async () => {
    const result = await run('Rotational', 'Inertia inertia(phi(fixed = true), w(fixed = true));', 1);
    expect(animationOf(result)).toBeUndefined();
  });
});
