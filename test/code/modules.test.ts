/** Modules are known by their bytes, and go with others to other threads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetCode, moduleOf } from '../../src/code/modules.ts';
import { compiledCode, instantiate, type Merge, useCode } from '../../src/index.ts';

const empty = (version: number) => Uint8Array.of(0, 0x61, 0x73, 0x6d, version, 0, 0, 0);

test('the same bytes are the same module', () => {
  forgetCode();
  expect(moduleOf(empty(1))).toBe(moduleOf(empty(1)));
  expect(compiledCode().size).toBe(1);
  expect(() => moduleOf(empty(2))).toThrow(WebAssembly.CompileError);
  expect(compiledCode().size).toBe(1);
  const code = compiledCode();
  forgetCode();
  expect(compiledCode().size).toBe(0);
  useCode(code);
  expect(moduleOf(empty(1))).toBe([...code.values()][0]);
});

test('simulations of the same model share their code', async () => {
  forgetCode();
  const text =
    'model M parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end M;';
  await instantiate(text).simulate();
  const { size } = compiledCode();
  expect(size).toBeGreaterThan(0);
  const { table } = await instantiate(text).simulate({ merge: { k: 2 }, tolerance: 1e-9 });
  expect(table.value('x', 1)).toBeCloseTo(Math.exp(-2), 8);
  expect(compiledCode().size).toBe(size);
});

describe('threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-'));
  beforeAll(async () => {
    const entry = new URL('../../src/index.ts', import.meta.url).pathname;
    await build({ entryPoints: [entry], outfile: join(folder, 'index.mjs'), bundle: true, format: 'esm' });
    writeFileSync(join(folder, 'worker.mjs'), program);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Two tanks that a valve connects when the first one is full: events, modes, a loop of nonlinear equations. */
  const text = `model Tanks
    parameter Real k = 1, full = 0.5;
    Real h1(start = 0, fixed = true), h2(start = 0, fixed = true), q, p;
  equation
    der(h1) = 1 - q;
    der(h2) = q - k*h2;
    p + p^3 = h1;
    if h1 > full then q = p; else q = 0; end if;
  end Tanks;`;

  interface Answer {
    readonly finals: readonly number[];
    readonly compiled: number;
  }

  const program = `import { parentPort, workerData } from 'node:worker_threads';
    import { compiledCode, instantiate, useCode } from './index.mjs';
    const { text, code, merges } = workerData;
    useCode(code);
    const simulation = instantiate(text);
    const finals = [];
    for (const merge of merges) {
      const { table } = await simulation.simulate({ merge, stopTime: 5 });
      finals.push(table.value('h2', 5));
    }
    parentPort.postMessage({ finals, compiled: compiledCode().size - code.size });`;

  function inThread(merges: readonly Merge[]): Promise<Answer> {
    const workerData = { text, code: compiledCode(), merges };
    const worker = new Worker(join(folder, 'worker.mjs'), { workerData });
    return new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    });
  }

  test('get code from each other, and give the same results', async () => {
    forgetCode();
    const simulation = instantiate(text);
    const merges = Array.from({ length: 8 }, (_, n) => ({ k: 0.5 + n / 4, full: 0.2 + n / 10 }));
    const expected: number[] = [];
    for (const merge of merges) {
      const { table, status } = await simulation.simulate({ merge, stopTime: 5 });
      expect(status).toBe('done');
      expected.push(table.value('h2', 5));
    }
    expect(new Set(expected).size).toBe(merges.length);
    const answers = await Promise.all([0, 1, 2, 3].map((n) => inThread(merges.slice(2 * n, 2 * n + 2))));
    expect(answers.flatMap((answer) => answer.finals)).toEqual(expected);
    expect(answers.map((answer) => answer.compiled)).toEqual([0, 0, 0, 0]);
  });
});
