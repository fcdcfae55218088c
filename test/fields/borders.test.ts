/** Chains, rings and grids of cells with their conductances inside stay loops, which are cut at their borders. */
import { describe, expect, test } from 'vitest';
import {
  array,
  connect,
  flow,
  instantiate,
  Model,
  modelica,
  potential,
  surveyArrays,
  Var,
} from '../../src/index.ts';

const Port = Model('Port', { T: potential, Q: flow });
/** Two conductances in series between two cells: G/2 from one to the next. */
const G = 3;
const Cell = Model('Cell', {
  a: Port,
  b: Port,
  C: 2,
  T: Var({ init: 300 }),
  equations: modelica`C*der(T) = a.Q + b.Q; a.Q = ${G}*(a.T - T); b.Q = ${G}*(b.T - T);`,
});
const Square = Model('Square', {
  w: Port,
  e: Port,
  n: Port,
  s: Port,
  C: 2,
  T: Var({ init: 300 }),
  equations: modelica`
    C*der(T) = w.Q + e.Q + n.Q + s.Q;
    w.Q = ${G}*(w.T - T); e.Q = ${G}*(e.T - T); n.Q = ${G}*(n.T - T); s.Q = ${G}*(s.T - T);
  `,
});

/** How fast a wave decays that has an angle `phi` from cell to cell. */
const rate = (phi: number): number => (G / 2 / 2) * (2 - 2 * Math.cos(phi));

/** The model is in loops, and every cell ends where its wave has decayed to `factor`. */
async function decays(
  simulation: ReturnType<typeof instantiate>,
  wave: ReadonlyMap<string, number>,
  factor: number,
): Promise<void> {
  expect(surveyArrays(simulation.model).scalars).toEqual([]);
  const { status, table, diagnostics } = await simulation.simulate({
    stopTime: 1,
    tolerance: 1e-10,
    intervals: 1,
  });
  expect([status, diagnostics]).toEqual(['done', []]);
  for (const [name, value] of wave)
    expect(Math.abs(table.value(`${name}.T`, 1) - 300 - factor * value)).toBeLessThan(1e-6);
}

describe('a line of cells', () => {
  const n = 40;
  const line = (angle: (i: number) => number, isRing: boolean) => {
    const wave = new Map(Array.from({ length: n }, (_, i) => [`c${i}`, Math.cos(angle(i))]));
    const cells = [...wave].map(([name, value]) => [name, Cell.with({ T: { init: 300 + value } })]);
    const pairs = Array.from({ length: isRing ? n : n - 1 }, (_, i) =>
      connect(`c${i}.b`, `c${(i + 1) % n}.a`),
    );
    return { wave, simulation: instantiate(Model({ ...Object.fromEntries(cells), connections: pairs })) };
  };

  test('with two ends', async () => {
    const { wave, simulation } = line((i) => (Math.PI * (i + 0.5)) / n, false);
    await decays(simulation, wave, Math.exp(-rate(Math.PI / n)));
  });

  test('of which some are given one modifier more', async () => {
    const names = Array.from({ length: n }, (_, i) => `c${i}`);
    const wave = names.map((_, i) => Math.cos((Math.PI * (i + 0.5)) / n));
    const cells = names.map((name, i) => [
      name,
      Cell.with({ T: { init: 300 + wave[i]! }, ...(i % 7 === 0 && { C: 2 }) }),
    ]);
    const pairs = names.slice(1).map((name, i) => connect(`c${i}.b`, `${name}.a`));
    const simulation = instantiate(Model({ ...Object.fromEntries(cells), connections: pairs }));
    await decays(simulation, new Map(names.map((name, i) => [name, wave[i]!])), Math.exp(-rate(Math.PI / n)));
    // Another value for one of them: energy is kept, and its own capacity counts.
    const merged = await simulation.simulate({ stopTime: 10_000, tolerance: 1e-9, merge: { c7: { C: 20 } } });
    const energy = wave.reduce((sum, value, i) => sum + (i === 7 ? 20 : 2) * (300 + value), 0);
    expect(merged.table.value('c20.T', 10_000)).toBeCloseTo(energy / (2 * n + 18), 3);
  });

  test('that is a ring', async () => {
    const { wave, simulation } = line((i) => (2 * Math.PI * i) / n, true);
    await decays(simulation, wave, Math.exp(-rate((2 * Math.PI) / n)));
  });
});

describe('a grid of cells', () => {
  const [rows, columns] = [9, 12];
  const value = (i: number, j: number): number =>
    Math.cos((Math.PI * (i + 0.5)) / rows) * Math.cos((2 * Math.PI * (j + 0.5)) / columns);
  const factor = Math.exp(-rate(Math.PI / rows) - rate((2 * Math.PI) / columns));
  const starts = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => 300 + value(i, j)),
  );
  const waveOf = (name: (i: number, j: number) => string) =>
    new Map(starts.flatMap((row, i) => row.map((start, j) => [name(i, j), start - 300] as const)));

  test.each([
    [
      'row by row',
      modelica`for i in 1:${rows - 1} loop for j in 1:${columns} loop connect(c[i, j].s, c[i + 1, j].n); end for; end for;`,
    ],
    [
      'column by column',
      modelica`for j in 1:${columns} loop for i in 1:${rows - 1} loop connect(c[i, j].s, c[i + 1, j].n); end for; end for;`,
    ],
  ])('that is an array, connected %s', async (_, down) => {
    const across = modelica`for i in 1:${rows} loop for j in 1:${columns - 1} loop connect(c[i, j].e, c[i, j + 1].w); end for; end for;`;
    const grid = Model({
      c: array(Square, rows, columns).with({ T: { init: starts } }),
      connections: [across, down],
    });
    await decays(
      instantiate(grid),
      waveOf((i, j) => `c[${i + 1},${j + 1}]`),
      factor,
    );
  });

  test.each(['row by row', 'column by column'])('that is declared cell by cell, %s', async (order) => {
    const places = starts.flatMap((row, i) => row.map((start, j) => ({ i, j, start })));
    if (order === 'column by column') places.sort((a, b) => a.j - b.j || a.i - b.i);
    const cells = places.map(({ i, j, start }) => [`c${i}_${j}`, Square.with({ T: { init: start } })]);
    const pairs = starts.flatMap((row, i) =>
      row.flatMap((_, j) => [
        ...(j > 0 ? [connect(`c${i}_${j - 1}.e`, `c${i}_${j}.w`)] : []),
        ...(i > 0 ? [connect(`c${i - 1}_${j}.s`, `c${i}_${j}.n`)] : []),
      ]),
    );
    const grid = Model({ ...Object.fromEntries(cells), connections: pairs });
    await decays(
      instantiate(grid),
      waveOf((i, j) => `c${i}_${j}`),
      factor,
    );
  });

  test('with a gap, of which one side is held warm and some cells are larger', async () => {
    // Heat that enters at the warm side is what the cells have more than at the start.
    const Warm = Model('Warm', {
      p: Port,
      Q: Var({ init: 0 }),
      equations: modelica`p.T = 400; der(Q) = -p.Q`,
    });
    const capacity = (i: number, j: number) => ((i * j) % 5 === 1 ? 6 : 2);
    const cells = starts.flatMap((row, i) =>
      row.map((_, j) => [`c${i}_${j}`, capacity(i, j) === 2 ? Square : Square.with({ C: 6 })]),
    );
    const pairs = starts.flatMap((row, i) =>
      row.flatMap((_, j) => [
        connect(j > 0 ? `c${i}_${j - 1}.e` : 'warm.p', `c${i}_${j}.w`),
        ...(i > 0 && !(i === 4 && j === 6) ? [connect(`c${i - 1}_${j}.s`, `c${i}_${j}.n`)] : []),
      ]),
    );
    const simulation = instantiate(Model({ warm: Warm, ...Object.fromEntries(cells), connections: pairs }));
    expect(surveyArrays(simulation.model).scalars).toEqual([]);
    const { table } = await simulation.simulate({ stopTime: 5, tolerance: 1e-10, intervals: 1 });
    const gained = starts.flatMap((row, i) =>
      row.map((_, j) => capacity(i, j) * (table.value(`c${i}_${j}.T`, 5) - 300)),
    );
    expect(gained.reduce((sum, one) => sum + one, 0) / table.value('warm.Q', 5)).toBeCloseTo(1, 8);
    expect(table.value('c3_6.s.Q', 5)).toBe(0);
  });

  test('that is closed to a torus in one direction', async () => {
    const across = modelica`for i in 1:${rows} loop for j in 1:${columns - 1} loop connect(c[i, j].e, c[i, j + 1].w); end for; connect(c[i, ${columns}].e, c[i, 1].w); end for;`;
    const down = modelica`for i in 1:${rows - 1} loop for j in 1:${columns} loop connect(c[i, j].s, c[i + 1, j].n); end for; end for;`;
    const turned = (i: number, j: number) =>
      Math.cos((Math.PI * (i + 0.5)) / rows) * Math.cos((2 * Math.PI * j) / columns);
    const init = starts.map((row, i) => row.map((_, j) => 300 + turned(i, j)));
    const grid = Model({
      c: array(Square, rows, columns).with({ T: { init } }),
      connections: [across, down],
    });
    const wave = new Map(
      init.flatMap((row, i) => row.map((start, j) => [`c[${i + 1},${j + 1}]`, start - 300] as const)),
    );
    await decays(instantiate(grid), wave, factor);
  });
});
