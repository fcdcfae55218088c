/** Islands: which closures act on each other, and that others do not matter. */
import { expect, test } from 'vitest';
import type { Closure } from '../../../src/bodies/dynamics/closure.ts';
import { islandsOf } from '../../../src/bodies/dynamics/islands.ts';
import { Mechanism } from '../../../src/bodies/dynamics/mechanism.ts';
import { Tree, turnOfZ } from '../../../src/bodies/dynamics/tree.ts';
import { at, ball, link } from './notation.ts';

const gravity = { kind: 'uniform', acceleration: [0, 0, -9.81] } as const;

test('closures of trees that others tie together are of one island, but the world ties nothing', () => {
  // Trees 0 with 1, 2, 3, 4 with 5; 6 is the world.
  const links = [{}, { parent: 0 }, {}, {}, {}, { parent: 4 }].map(link);
  const tree = new Tree(links, gravity);
  const islands = (...pairs: [number, number][]) => [
    ...islandsOf(
      tree,
      pairs.map(([a, b]) => ({ a, b })),
    ),
  ];
  expect(islands([0, 6], [2, 6], [6, 3])).toEqual([0, 1, 2]);
  expect(islands([0, 6], [6, 1], [2, 6])).toEqual([0, 0, 2]);
  expect(islands([6, 0], [2, 6], [5, 6], [3, 6], [4, 1])).toEqual([0, 1, 0, 3, 0]);
  expect(islands([0, 2], [3, 4], [6, 5], [2, 3])).toEqual([0, 0, 0, 0]);
});

/** Crank, coupler and rocker, `by` times as long and as heavy; their links begin at `first` and come `apart` from each other. */
function fourBar(by: number, first: number, apart: number, driven: boolean) {
  const links = [
    link({ mass: ball(by, 0.1, [0.15 * by, 0, 0]), driven }),
    link({ parent: first, before: at(0.3 * by, 0, 0), mass: ball(2 * by, 0.2, [by / 2, 0, 0]) }),
    link({ before: at(0.9 * by, 0, 0), mass: ball(1.5 * by, 0.15, [0.4 * by, 0, 0]) }),
  ];
  const pose = (x: number) => ({ translation: [x, 0, 0], rotation: turnOfZ([0, 1, 0]) }) as const;
  const [a, b] = [first + apart, first + 2 * apart];
  const closure: Closure = { kind: 'revolute', a, poseA: pose(by), b, poseB: pose(0.8 * by) };
  return { links, closure };
}

test.each([false, true])('two loops side by side move as each of them alone (driven: %s)', (driven) => {
  const [one, two] = [1, 3];
  const alone = [one, two].map((by) => fourBar(by, 0, 1, driven));
  const [left, right] = [fourBar(one, 0, 2, driven), fourBar(two, 1, 2, driven)];
  const both = {
    links: [0, 1, 2].flatMap((k) => [left.links[k]!, right.links[k]!]),
    closure: [left.closure, right.closure],
  };
  const moving = (mechanism: Mechanism, q: number[], v: number[]) => {
    const [at, speeds] = [Float64Array.from(q), Float64Array.from(v)];
    expect(mechanism.project(at, speeds)).toBe('closed');
    const [tau, a] = [new Float64Array(q.length), new Float64Array(q.length)];
    expect(mechanism.accelerate(tau, undefined, a)).toBe(-1);
    const matrix = new Float64Array(mechanism.tree.drives.length ** 2);
    mechanism.driven(matrix);
    return { at, speeds, tau, a, values: mechanism.multipliers.values, matrix };
  };
  const starts = [
    { q: [0.5, -1.6, -1.9], v: [2, 0, 0] },
    { q: [0.9, -1.7, -1.8], v: [-1, 0.3, 0] },
  ];
  const each = alone.map(({ links, closure }, i) =>
    moving(new Mechanism({ links, closures: [closure], gravity }), starts[i]!.q, starts[i]!.v),
  );
  const mixed = (key: 'at' | 'speeds') => [0, 1, 2].flatMap((k) => each.map((own) => own[key][k]!));
  const mechanism = new Mechanism({ links: both.links, closures: both.closure, gravity });
  const together = moving(mechanism, mixed('at'), mixed('speeds'));
  expect(mechanism.closures.islands.map(({ links }) => [...links])).toEqual([
    [0, 2, 4],
    [1, 3, 5],
  ]);
  const near = (value: number, expected: number) =>
    expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
  for (const [i, own] of each.entries()) {
    for (const key of ['at', 'speeds', 'tau', 'a'] as const)
      for (let k = 0; k < 3; k++) near(together[key][2 * k + i]!, own[key][k]!);
    for (let row = 0; row < 5; row++) near(together.values[5 * i + row]!, own.values[row]!);
    if (driven) near(together.matrix[3 * i]!, own.matrix[0]!);
  }
  if (driven) near(together.matrix[1]!, 0);
});
