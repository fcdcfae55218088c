/** Names of objects: beside the component that uses them first, then in what is around it. */
import { expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { close, library, run } from '../models/notation.ts';
import { telling } from './told.ts';

const link = `model Link
    parameter String on;
    Object3D a;
    Beam beam(parent = "a", translation = {0.5, 0, 0}, material = "Steel");
    Object3D b(parent = "a", translation = {1, 0, 0});
    Revolute joint(obj1 = on, obj2 = "a", phi0 = 0.3);
  end Link;
  World world(gravity = Gravity.none);`;

/** At rest the end of a chain is at the sum of its bars. */
const straight = (n: number) => {
  const at = Array.from({ length: n }, (_, k) => 0.3 * (k + 1));
  return [
    at.reduce((sum, angle) => sum + Math.cos(angle), 0),
    at.reduce((sum, angle) => sum + Math.sin(angle), 0),
  ];
};

test('elements of arrays have their subscripts, and names may be computed', async () => {
  const given = await run('Bodies', `${link} Link link[3](on = {"world", "link[1].b", "link[2].b"});`, 0.1);
  const computed = await run(
    'Bodies',
    `${link} Link link[3](on = {if i == 1 then "world" else "link[" + String(i - 1) + "].b" for i in 1:3});`,
    0.1,
  );
  const [x, y] = straight(3);
  for (const { table } of [given, computed]) {
    close(table.value('link[3].b.r[1]', 0.1), x!);
    close(table.value('link[3].b.r[2]', 0.1), y!);
  }
});

test('what is nearer counts', async () => {
  const { table } = await run(
    'Bodies',
    `${link}
    model Pair
      Object3D post(parent = "world", translation = {0, 7, 0});
      Link link(on = "post");
    end Pair;
    Object3D post(parent = "world", translation = {0, -7, 0});
    Pair pair;
    Link link(on = "post"), last(on = "pair.link.b");`,
    0.1,
  );
  close(table.value('pair.link.a.r[2]', 0.1), 7);
  close(table.value('link.a.r[2]', 0.1), -7);
  close(table.value('last.a.r[2]', 0.1), 7 + Math.sin(0.3));
});

const post = 'Object3D b(parent = "world", translation = {0, 5, 0});';
const handing = `model Handing
    parameter String on;
    Link link(on = on);
  end Handing;`;

test.each([
  ['a parameter', 'Link own(on = "b");', 'own'],
  ['two parameters', `${handing} Handing whole(on = "b");`, 'whole.link'],
])('a name that %s handed in must not mean two things', async (_, element, path) => {
  const { result, told } = await telling([link, post, element]);
  expect(result.status).toBe('failed');
  expect(told[0]!.message).toBe(
    `\`${path}.joint.obj1\` is "b", which may be \`${path}.b\`, where it is used, or \`b\`, where it is written.`,
  );
  expect(told[0]!.hint).toContain(`Write ".b" or ".${path}.b"`);
});

test('a name that begins with a dot is that of the model itself', async () => {
  const { table } = await run('Bodies', `${link} ${post} Link own(on = ".b"), next(on = ".own.b");`, 0.1);
  close(table.value('own.a.r[2]', 0.1), 5);
  close(table.value('next.a.r[2]', 0.1), 5 + Math.sin(0.3));
});

test('a name that a class gives to itself is its own', async () => {
  const { table } = await run(
    'Bodies',
    `${link} ${post}
    model Own
      parameter String at = "b";
      Object3D b(parent = "world", translation = {0, 3, 0});
      Object3D tip(parent = at, translation = {1, 0, 0});
    end Own;
    Own own;`,
    0.1,
  );
  close(table.value('own.tip.r[2]', 0.1), 3);
});

test('names mean the same in a model that was printed as one class', async () => {
  const text = `model Test import Mutabor.Bodies.*; ${link} ${post} Link own(on = ".b"), next(on = "own.b"); end Test;`;
  const printed = printFlat(loadModel(loadText(text, 'Test.mo', library()), 'Test'));
  const { table } = await simulate(loadModel(loadText(printed, 'Test.mo', library()), 'Test'), {
    stopTime: 0.1,
  });
  close(table.value("'next.a'.r[2]", 0.1), 5 + Math.sin(0.3));
});
