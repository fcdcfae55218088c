/** Simulations of components that are declared one by one, against closed solutions and against the same model written out. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel } from '../../src/load.ts';
import type { Merge } from '../../src/merge.ts';
import { readJson, toJson } from '../../src/results/files/json.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';
import type { SimulateOptions } from '../../src/simulate/settings.ts';
import type { SimulationResult } from '../../src/simulate/types.ts';
import { rodTemperature } from '../problems/rod.ts';

const range = (n: number): number[] => Array.from({ length: n }, (_, k) => k + 1);
const each = (n: number, text: (i: number) => string): string => range(n).map(text).join('\n');
const final = (result: SimulationResult, name: string): number => result.table.get(name).at(-1)!;

async function run(text: string, options: SimulateOptions): Promise<SimulationResult> {
  const result = await simulate(loadModel(text), options);
  expect([result.status, result.diagnostics.map((d) => d.message)]).toEqual(['done', []]);
  return result;
}

const thermal = `
  connector Port Real T(unit = "K"); flow Real q; end Port;
  model Cell Port a; Port b; parameter Real C = 1; parameter Real G = 2; Real T(start = 300, fixed = true);
  equation C*der(T) = a.q + b.q; a.q = G*(a.T - T); b.q = G*(b.T - T); end Cell;
  model Fixed Port p; parameter Real T = 300; equation p.T = T; end Fixed;`;

/** The heated rod of `rodTemperature`, cell by cell. */
const rod = (n: number): string => {
  const [area, dx] = [4e-4, 1 / n];
  const cell = (i: number): string =>
    `Cell cell${i}(C = ${450 * 7500 * area * dx}, G = ${(2 * 74 * area) / dx}, T(start = 293.15));`;
  return `${thermal} model Rod ${each(n, cell)} Fixed hot(T = 493.15);
    equation connect(hot.p, cell1.a); ${each(n - 1, (i) => `connect(cell${i}.b, cell${i + 1}.a);`)} end Rod;`;
};

describe('the heated rod', () => {
  test('of 40 cells has the exact temperatures, in loops', async () => {
    const n = 40;
    const flat = loadModel(rod(n));
    expect(surveyArrays(flat)).toEqual({
      loops: ['T', 'a.T', 'a.q', 'b.T', 'b.q'].map((name) => `{cell1..cell40}.${name}`),
      scalars: [],
    });
    const result = await simulate(flat, { stopTime: 1e4, tolerance: 1e-9, intervals: 10 });
    for (const i of range(n))
      expect(Math.abs(final(result, `cell${i}.T`) / rodTemperature(n, i, 1e4) - 1)).toBeLessThan(1e-7);
    expect(result.statistics.states).toEqual(range(n).map((i) => `cell${i}.T`));
    expect(result.statistics.unknowns).toBe(5 * n + 2);
    expect(result.table.info('cell7.T')).toMatchObject({ role: 'state' });
    expect(result.table.info('cell7.a.T')).toMatchObject({ unit: 'K', role: 'local' });
    expect(result.table.info('cell7.C')).toMatchObject({ role: 'parameter' });
  });

  test('of 2,000 cells is translated in loops', async () => {
    const result = await run(rod(2000), { stopTime: 1e3, tolerance: 1e-6, intervals: 1 });
    for (const i of [1, 100, 2000])
      expect(Math.abs(final(result, `cell${i}.T`) / rodTemperature(2000, i, 1e3) - 1)).toBeLessThan(1e-5);
    // The code is that of the loops: written out it takes seconds.
    expect(result.statistics.compileMs).toBeLessThan(300);
  });
});

describe('a ladder of resistors and capacitors, declared in turns', () => {
  const n = 24;
  const ladder = `
    connector Pin Real v; flow Real i; end Pin;
    partial model Two Pin p; Pin n; Real v = p.v - n.v; equation p.i + n.i = 0; end Two;
    model Resistor extends Two; parameter Real R = 1; equation v = R*p.i; end Resistor;
    model Capacitor extends Two(v(start = 0, fixed = true)); parameter Real C = 1; equation C*der(v) = p.i; end Capacitor;
    model Source extends Two; parameter Real V = 1; equation v = V; end Source;
    model Ground Pin p; equation p.v = 0; end Ground;
    model Ladder Source source(V = 5); Ground ground; ${each(n, (i) => `Resistor r${i}(R = 2); Capacitor c${i}(C = 0.5);`)}
    equation connect(source.n, ground.p); connect(source.p, r1.p);
      ${each(n, (i) => `connect(r${i}.n, c${i}.p); connect(c${i}.n, ground.p);${i < n ? ` connect(r${i}.n, r${i + 1}.p);` : ''}`)}
    end Ladder;`;
  /** Voltage k of a uniform ladder with RC = 1: modes sin(k w), w = (2 m - 1) pi/(2 n + 1). */
  const exact = (k: number, t: number): number => {
    let rest = 0;
    for (let m = 1; m <= n; m++) {
      const w = ((2 * m - 1) * Math.PI) / (2 * n + 1);
      const share = (4 / (2 * n + 1)) * range(n).reduce((sum, j) => sum + Math.sin(j * w), 0);
      rest += share * Math.sin(k * w) * Math.exp(-4 * Math.sin(w / 2) ** 2 * t);
    }
    return 5 * (1 - rest);
  };

  test('is computed in loops', () => {
    const { loops, scalars } = surveyArrays(loadModel(ladder));
    const inside = ['v', 'p.v', 'p.i', 'n.v', 'n.i'];
    const all = ['r', 'c'].flatMap((name) => inside.map((own) => `{${name}1..${name}24}.${own}`));
    expect(loops).toEqual(expect.arrayContaining(all));
    expect(scalars).toEqual([]);
  });

  test.each([{ scalars: false }, { scalars: true }])('has the exact voltages: %o', async (how) => {
    const result = await run(ladder, { ...how, stopTime: 20, tolerance: 1e-9, intervals: 4 });
    for (const k of range(n)) expect(Math.abs(final(result, `c${k}.v`) - exact(k, 20))).toBeLessThan(1e-6);
    expect(final(result, 'r1.p.i')).toBeCloseTo((5 - exact(1, 20)) / 2, 6);
  });
});

describe('results', () => {
  const names = range(16).map((i) => (i % 2 === 0 ? `p${i}` : `'p.${i}'`));
  const text = `
    model Part parameter Real k[2] = {1, 2}; Real x[2](start = {1, 2}, each fixed = true); Real y; equation der(x) = -k.*x; y = x[1] + x[2]; end Part;
    model Box ${names.map((name, i) => `Part ${name}(k = {${i + 1}, 0});`).join(' ')} end Box;
    model M Box b[2]; end M;`;
  const first = (i: number, t: number): number => Math.exp(-i * t);

  test('have the names of the components', async () => {
    const { table } = await run(text, { stopTime: 1, tolerance: 1e-10, intervals: 1 });
    const written = await run(text, { stopTime: 1, tolerance: 1e-10, intervals: 1, scalars: true });
    expect(new Set(table.names)).toEqual(new Set(written.table.names));
    for (const name of written.table.names) {
      expect(table.info(name)!.role).toBe(written.table.info(name)!.role);
      expect(Math.abs(table.get(name).at(-1)! - written.table.get(name).at(-1)!)).toBeLessThan(1e-8);
    }
    expect(table.get("b[2].'p.3'.x[1]").at(-1)).toBeCloseTo(first(3, 1), 8);
    expect(table.get("der(b[1].'p.5'.x[1])").at(-1)).toBeCloseTo(-5 * first(5, 1), 8);
    expect(table.get('b[2].p16.y').at(-1)).toBeCloseTo(2 + first(16, 1), 8);
    expect(table.get('b[1].p4.k[1]')).toEqual(written.table.get('b[1].p4.k[1]'));
  });

  test('are found as arrays, in parts and by patterns', async () => {
    const { table } = await run(text, { stopTime: 1, tolerance: 1e-8, intervals: 1 });
    expect(table.array('b[2].p4.x')).toMatchObject({ dims: [2], elements: ['b[2].p4.x[1]', 'b[2].p4.x[2]'] });
    expect(table.expand('b[1].p4.x[2:2]')).toEqual(['b[1].p4.x[2]']);
    expect(table.expand('b.p4.y')).toEqual(['b[1].p4.y', 'b[2].p4.y']);
    expect(table.expand('b[1].p1?.y')).toEqual(['b[1].p10.y', 'b[1].p12.y', 'b[1].p14.y', 'b[1].p16.y']);
    expect(table.has('b[1].p5.y')).toBe(false);
    expect(() => table.get('b[1].p18.y')).toThrow(
      /There is no signal named b\[1\]\.p18\.y\. Did you mean b\[1\]\.p\d+\.y\?/,
    );
    expect(readJson(toJson(table)).get("b[2].'p.3'.y")).toEqual(table.get("b[2].'p.3'.y"));
  });
});

describe('many runs', () => {
  test('take values for single components without a translation', async () => {
    const simulation = instantiate(
      `${thermal} model M ${each(20, (i) => `Cell c${i}(C = ${i});`)} Fixed f(T = 400);
       equation ${each(20, (i) => `connect(f.p, c${i}.a);`)} end M;`,
    );
    const warmed = (C: number, T0: number): number => 400 + (T0 - 400) * Math.exp(-2 / C);
    const values = async (merge: Merge): Promise<number[]> => {
      const { table, statistics, status } = await simulation.simulate({
        merge,
        stopTime: 1,
        tolerance: 1e-10,
      });
      expect(status).toBe('done');
      return [statistics.translations, ...[3, 7, 20].map((i) => table.get(`c${i}.T`).at(-1)!)];
    };
    const close = (translations: number, ...expected: number[]) => [
      translations,
      ...expected.map((value) => expect.closeTo(value, 5)),
    ];
    expect(await values({})).toEqual(close(1, warmed(3, 300), warmed(7, 300), warmed(20, 300)));
    expect(await values({ c7: { C: 1 }, 'c3.T.start': 350 })).toEqual(
      close(0, warmed(3, 350), warmed(1, 300), warmed(20, 300)),
    );
    expect(await values({})).toEqual(close(0, warmed(3, 300), warmed(7, 300), warmed(20, 300)));
  });

  test('tell start values that nothing fixes by the first of them', async () => {
    const loose = 'model P Real x(start = 1); equation der(x) = -x; end P;';
    const flat = loadModel(`${loose} model M ${each(50, (i) => `P p${i}(x(start = ${i}));`)} end M;`);
    const messages = async (scalars: boolean): Promise<string[]> =>
      (await simulate(flat, { scalars })).diagnostics.map(({ message }) => message);
    expect(await messages(false)).toEqual([
      expect.stringMatching(/start values are used: \{p1\.\.p50\}\.x = \{1, 2, 3, .{40,60}…\.$/),
    ]);
    expect(await messages(true)).toEqual([
      expect.stringMatching(/start values are used: p1\.x = 1, p2\.x = 2, .* and 42 more\.$/),
    ]);
  });

  test('tell names that there are not', async () => {
    const simulation = instantiate(`${thermal} model M ${each(20, (i) => `Cell c${i};`)} end M;`);
    const told = async (merge: Merge): Promise<string[]> => {
      const { status, diagnostics } = await simulation.simulate({ merge });
      return [status, ...diagnostics.map(({ message }) => message)];
    };
    expect(await told({ c7: { D: 1 } })).toEqual(['failed', '`Cell` has no element `D` to modify.']);
    expect(await told({ c77: { C: 1 } })).toEqual(['failed', '`M` has no element `c77` to modify.']);
  });
});

describe('random networks of cells', () => {
  const network = fc.record({
    cells: fc.array(fc.record({ C: fc.integer({ min: 1, max: 9 }), T: fc.integer({ min: 1, max: 400 }) }), {
      minLength: 16,
      maxLength: 30,
    }),
    /** Some cells are not connected with the one before them, but with an earlier one. */
    jumps: fc.array(fc.tuple(fc.integer({ min: 2, max: 30 }), fc.nat()), { maxLength: 4 }),
    isMixed: fc.boolean(),
  });

  test('keep their heat, and give what they give written out', async () => {
    await fc.assert(
      fc.asyncProperty(network, async ({ cells, jumps, isMixed }) => {
        const before = new Map(jumps.map(([i, j]) => [i, 1 + (j % (i - 1))]));
        const links = range(cells.length - 1).map(
          (i) => `connect(c${before.get(i + 1) ?? i}.b, c${i + 1}.a);`,
        );
        const declared = cells.map(({ C, T }, k) => {
          const beside = isMixed ? `Real x${k} = ${k}*c${k + 1}.T;` : '';
          return `Cell c${k + 1}(C = ${C}, T(start = ${T})); ${beside}`;
        });
        const text = (mark: string): string =>
          `${thermal.replace('end Cell;', `${mark} end Cell;`)}
           model M ${declared.join('\n')} equation ${links.join('\n')} end M;`;
        const options = { stopTime: 2, tolerance: 1e-9, intervals: 2 };
        const loops = await run(text(''), options);
        const scalars = await run(text(''), { ...options, scalars: true });
        const written = await run(text('annotation(__Mutabor(uniform = false));'), {
          ...options,
          scalars: true,
        });
        const heat = cells.reduce((sum, { C, T }) => sum + C * T, 0);
        const kept = cells.reduce((sum, { C }, k) => sum + C * final(loops, `c${k + 1}.T`), 0);
        expect(Math.abs(kept / heat - 1)).toBeLessThan(1e-8);
        // All signals in their order, with the same bits.
        expect([...scalars.table.final()]).toEqual([...written.table.final()]);
        for (const [name, value] of written.table.final())
          expect(Math.abs(final(loops, name) - value!)).toBeLessThanOrEqual(
            1e-6 * Math.max(1, Math.abs(value!)),
          );
      }),
      { numRuns: 12 },
    );
  });
});
