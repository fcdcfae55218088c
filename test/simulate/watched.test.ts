/** Runs that are watched and held: what is seen on the way is a part of the result, and waiting changes nothing. */
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../src/load.ts';
import type { SignalTable } from '../../src/results/table/table.ts';
import { type RunSoFar, type SimulateOptions, simulate } from '../../src/simulate/index.ts';
import { example } from './notation.ts';

const examples = [
  'IdealClutch',
  'BouncingBall',
  'BreakingPendulum',
  'BuckConverter',
  'HeatRod',
  'SpacePendulum',
  'SampledDrive',
];

/** Every number of a table. */
function numbersOf(table: SignalTable, rows = table.rowCount): Float64Array[] {
  return [table.time, ...table.names.map((name) => table.get(name))].map((list) => list.slice(0, rows));
}

const tomorrow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe('a run that is held', () => {
  it.each(examples)('at each event and whenever it looks up gives the same bits: %s', async (name) => {
    const model = loadModel(example(name));
    const plain = await simulate(model);
    let held = 0;
    const wait = async (): Promise<void> => {
      if (held++ < 40) await tomorrow();
    };
    const result = await simulate(model, { onEvent: wait, onProgress: wait });
    expect(held).toBeGreaterThan(0);
    expect(result.table.names).toEqual(plain.table.names);
    expect(numbersOf(result.table)).toEqual(numbersOf(plain.table));
    expect(result.impulses).toEqual(plain.impulses);
    expect(result.statistics.events).toBe(plain.statistics.events);
    expect(result.modes.map(({ signature, from, to }) => [signature, from, to])).toEqual(
      plain.modes.map(({ signature, from, to }) => [signature, from, to]),
    );
  });

  it('is told each event, when it has happened', async () => {
    const model = loadModel(example('IdealClutch'));
    const seen: [time: number, w1: number, rows: number][] = [];
    const { table } = await simulate(model, {
      onEvent: (time, soFar) => {
        const now = soFar.table();
        seen.push([time, now.at('w1', now.rowCount - 1), now.rowCount]);
      },
    });
    expect(seen.map(([time]) => time)).toEqual([5, 7]);
    // The common speed after the clutch has closed, by the momentum before.
    const [j1, j2, k1, k2] = [1, 2, 0.01, 0.0125];
    const [before1, before2] = [Math.exp((-k1 / j1) * 5), 1.5 * Math.exp((-k2 / j2) * 5)];
    expect(seen[0]![1]).toBeCloseTo((j1 * before1 + j2 * before2) / (j1 + j2), 7);
    expect(table.value('w1', 5)).toBe(seen[0]![1]);
  });

  it('can be stopped while it waits, and keeps what it has', async () => {
    const controller = new AbortController();
    const onEvent = async (): Promise<void> => {
      await tomorrow();
      controller.abort();
    };
    const model = loadModel(example('IdealClutch'));
    const { status, time, table } = await simulate(model, { onEvent, signal: controller.signal });
    expect(status).toBe('stopped');
    expect(time).toBe(5);
    expect(table.time.at(-1)).toBe(5);
    const early = new AbortController();
    const onProgress = async (): Promise<void> => early.abort();
    expect(await simulate(model, { onProgress, signal: early.signal })).toMatchObject({
      status: 'stopped',
      time: 0,
    });
  });

  it('fails with what a function throws that watches it', async () => {
    const model = loadModel(example('IdealClutch'));
    const watch = { onEvent: () => Promise.reject(new Error('mine')) };
    await expect(simulate(model, watch)).rejects.toThrow('mine');
  });
});

describe('what there is so far', () => {
  /** Looks at all that can be seen at each event. */
  async function watched(name: string, options: SimulateOptions = {}) {
    const seen: { table: SignalTable; modes: readonly string[]; impulses: number }[] = [];
    const look = (soFar: RunSoFar): void => {
      const modes = soFar.modes().map(({ signature }) => signature);
      seen.push({ table: soFar.table(), modes, impulses: soFar.impulses.length });
    };
    const onProgress: SimulateOptions['onProgress'] = (_time, _stop, soFar) => look(soFar);
    const result = await simulate(loadModel(example(name)), {
      ...options,
      onProgress,
      onEvent: (_, soFar) => look(soFar),
    });
    return { result, seen };
  }

  it.each(examples)('is the beginning of the whole: %s', async (name) => {
    const { result, seen } = await watched(name);
    expect(seen.length).toBeGreaterThan(0);
    for (const { table } of [seen[0]!, seen[seen.length >> 1]!, seen.at(-1)!]) {
      const { rowCount } = table;
      expect(rowCount).toBeGreaterThan(0);
      for (const signal of table.names)
        expect(table.get(signal)).toEqual(result.table.get(signal).slice(0, rowCount));
      expect(table.time).toEqual(result.table.time.slice(0, rowCount));
      expect(table.segments.at(-1)!.endRow).toBe(rowCount);
    }
  });

  it('has the modes and impulses up to now', async () => {
    const { result, seen } = await watched('IdealClutch');
    expect([...new Set(seen.map(({ modes }) => modes.length))]).toEqual([1, 2, 3]);
    expect([...new Set(seen.map(({ impulses }) => impulses))]).toEqual([0, 2]);
    expect(seen.at(-1)!.modes).toEqual(result.modes.map(({ signature }) => signature));
    expect(result.modes).toHaveLength(3);
  });
});
