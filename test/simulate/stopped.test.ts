/**
 * Work that is stopped from outside: a run keeps what it has, everything else throws. How soon is tested by `interrupt.test.ts`. Signals of another thread are stood
 * for by objects that become `aborted` at some moment of the work, whatever it is doing then.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HostFiles } from '../../src/cli/files.ts';
import {
  check,
  exportModelica,
  heeding,
  Interrupted,
  instantiate,
  Library,
  loadModel,
  loadText,
  type StopSignal,
  simulate,
  surveyModes,
  toCsv,
} from '../../src/index.ts';
import { diodes } from './diodes.ts';

/** Says stop at the n-th look. */
function atLook(looks: number): StopSignal & { looks: number } {
  return {
    looks: 0,
    get aborted() {
      return ++this.looks > looks;
    },
  };
}

const decay = 'model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;';

describe('a run that is stopped', () => {
  it('keeps its rows, which are right', async () => {
    const signal = atLook(200);
    const { status, table, time, diagnostics } = await simulate(loadModel(decay), {
      tolerance: 1e-9,
      stopTime: 50,
      signal,
    });
    expect(status).toBe('stopped');
    expect(time).toBeGreaterThan(0);
    expect(time).toBeLessThan(50);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['interrupted', `The run was stopped at time ${time}.`],
    ]);
    expect(table.rowCount).toBeGreaterThan(0);
    for (let row = 0; row < table.rowCount; row++)
      expect(table.at('x', row)).toBeCloseTo(Math.exp(-table.time[row]!), 6);
  });

  it('has none where it was stopped before it began', async () => {
    for (const signal of [AbortSignal.abort(), { aborted: true }, atLook(1)]) {
      const { status, table, diagnostics } = await simulate(loadModel(decay), { signal });
      expect(status).toBe('stopped');
      expect(table.rowCount).toBe(0);
      expect(diagnostics.map(({ message }) => message)).toEqual(['The run was stopped before it began.']);
    }
  });

  it('leaves nothing behind that a run after it could meet, wherever it was', async () => {
    const whole = await instantiate(diodes(4)).simulate({ stopTime: 0.3 });
    expect(whole.status).toBe('done');
    const signal = atLook(Number.POSITIVE_INFINITY);
    await instantiate(diodes(4)).simulate({ stopTime: 0.3, signal });
    for (let n = 1; n <= 25; n++) {
      const model = instantiate(diodes(4));
      const { status } = await model.simulate({
        stopTime: 0.3,
        signal: atLook(Math.floor((signal.looks * n) / 26)),
      });
      expect(status).toBe('stopped');
      const { table } = await model.simulate({ stopTime: 0.3 });
      expect(toCsv(table)).toBe(toCsv(whole.table));
    }
  });

  it('heeds an `AbortSignal` between its steps', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const oscillator = `model M Real x(start = 1, fixed = true), y(start = 0, fixed = true);
      equation der(x) = y; der(y) = -1000*x; end M;`;
    const { status, time } = await simulate(loadModel(oscillator), {
      stopTime: 1e6,
      tolerance: 1e-9,
      signal: controller.signal,
    });
    expect(status).toBe('stopped');
    expect(time).toBeLessThan(1e6);
  });

  it('heeds an `AbortSignal` between the rows of one long step', async () => {
    // All rows lie in few steps, and each evaluates the function, which takes some milliseconds.
    const model = loadModel(`model M
      function f input Real x; output Real y = 0; algorithm for i in 1:100000 loop y := y + sin(x); end for; end f;
      Real x(start = 0, fixed = true), y;
    equation
      der(x) = 1; y = f(x);
    end M;`);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    const { status, time, table, statistics } = await simulate(model, {
      intervals: 100_000,
      signal: controller.signal,
    });
    expect(status).toBe('stopped');
    expect(statistics.steps).toBeLessThan(100);
    expect(table.rowCount).toBeGreaterThan(1);
    expect(table.rowCount).toBeLessThan(50_000);
    expect(table.time.at(-1)).toBe(time);
    expect(table.at('x', table.rowCount - 1)).toBeCloseTo(time, 8);
  });

  it('heeds its signal inside of loops that are compiled', async () => {
    const turns = 2_000_000;
    const model = loadModel(`model M
      function f input Real x; output Real y = x; algorithm while y < ${turns} loop y := y + 1; end while; end f;
      Real y = f(time);
    end M;`);
    const looks = async (stopTime: number): Promise<number> => {
      const signal = atLook(Number.POSITIVE_INFINITY);
      expect((await simulate(model, { signal, stopTime, intervals: 1 })).status).toBe('done');
      return signal.looks;
    };
    expect(await looks(1)).toBeGreaterThan(turns / 5000);
  });

  it('tells its progress first when there are initial values', async () => {
    const told: number[] = [];
    await simulate(loadModel(decay), { startTime: 3, stopTime: 4, onProgress: (time) => told.push(time) });
    expect(told[0]).toBe(3);
    told.length = 0;
    const failing = 'model M Real x(start = -1, fixed = true); equation der(x) = sqrt(x); end M;';
    const { status } = await simulate(loadModel(failing), { onProgress: (time) => told.push(time) });
    expect(status).toBe('failed');
    expect(told).toEqual([]);
  });

  it('says that its audit was stopped', async () => {
    const counted = atLook(Number.POSITIVE_INFINITY);
    await simulate(loadModel(decay), { signal: counted });
    const audited = atLook(Number.POSITIVE_INFINITY);
    await simulate(loadModel(decay), { signal: audited, audit: true });
    expect(audited.looks).toBeGreaterThan(counted.looks);
    // In the midst of the audit: how often a run looks depends on how long its steps take.
    const { status, table, audit, diagnostics } = await simulate(loadModel(decay), {
      signal: atLook((counted.looks + audited.looks) / 2),
      audit: true,
    });
    expect(status).toBe('stopped');
    expect(audit).toBeUndefined();
    expect(table.value('x', 1)).toBeCloseTo(Math.exp(-1), 4);
    expect(diagnostics.map(({ message }) => message)).toEqual(['The audit of the results was stopped.']);
  });
});

describe('work of one piece', () => {
  it('throws where it is stopped, at any look', () => {
    const model = loadModel(diodes(2));
    const works: (() => unknown)[] = [
      () => loadModel(diodes(2)),
      () => check(model),
      () => surveyModes(model),
      () => exportModelica(model),
    ];
    for (const work of works) {
      const counted = atLook(Number.POSITIVE_INFINITY);
      // What was found out once need not be again.
      work();
      heeding(counted, work);
      expect(counted.looks).toBeGreaterThan(10);
      for (let n = 0; n < 10; n++) {
        const signal = atLook(Math.floor((counted.looks * n) / 10));
        expect(() => heeding(signal, work)).toThrow(Interrupted);
      }
    }
    expect(check(model).status).toBe('ok');
  });

  it('leaves a library as it was, wherever it is stopped', () => {
    const root = new URL('../../', import.meta.url);
    const text = readFileSync(new URL('examples/BuckConverter.mo', root), 'utf8');
    const library = (): Library => {
      const files = new HostFiles(fileURLToPath(new URL('models', root)));
      files.allow('.');
      return loadText(text, 'BuckConverter.mo', new Library({ files, roots: ['Mutabor'] }));
    };
    const counted = atLook(Number.POSITIVE_INFINITY);
    const whole = heeding(counted, () => loadModel(library()));
    for (let n = 0; n < 60; n++) {
      const own = library();
      const signal = atLook(Math.floor((counted.looks * n) / 100));
      expect(() => heeding(signal, () => loadModel(own))).toThrow(Interrupted);
      expect(loadModel(own).equations.length).toBe(whole.equations.length);
    }
  });

  it('heeds the signal of the innermost work, and none when that is over', () => {
    const stop = { aborted: true };
    const go = { aborted: false };
    expect(() => heeding(stop, () => loadModel(decay))).toThrow(Interrupted);
    expect(heeding(stop, () => heeding(go, () => loadModel(decay))).name).toBe('Decay');
    expect(() => heeding(stop, () => heeding(undefined, () => loadModel(decay)))).toThrow(Interrupted);
    expect(loadModel(decay).name).toBe('Decay');
  });
});
