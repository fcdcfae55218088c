/** The time from a signal to the end of work; what is left then is tested by `stopped.test.ts`. */
import { describe, expect, it } from 'vitest';
import { check, heeding, Interrupted, loadModel, type StopSignal, simulate } from '../../src/index.ts';
import { diodes, times } from './diodes.ts';

/** Milliseconds that this process has computed: what else the machine does takes none of them. */
function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Says stop after some milliseconds. */
function afterMs(delay: number): StopSignal & { readonly end: number } {
  const end = computed() + delay;
  return {
    end,
    get aborted() {
      return computed() >= end;
    },
  };
}

/** A chain of nonlinear equations. */
const large = (n: number): string => `model Large
${times(n, (k) => `  Real x${k}(start = ${k % 7}, fixed = true), a${k};`)}
equation
${times(n, (k) => `  der(x${k}) = a${k}; a${k} + 0.1*sin(a${(k + 1) % n}) = -2*x${k};`)}
end Large;`;

describe('the time from a signal to the end', () => {
  /** A tenth of a second is aimed at; collecting garbage comes on top. */
  const soon = 500;

  const endsSoon = async (delay: number, work: (signal: StopSignal) => unknown): Promise<void> => {
    const signal = afterMs(delay);
    try {
      await work(signal);
    } catch (problem) {
      expect(problem).toBeInstanceOf(Interrupted);
    }
    const late = computed() - signal.end;
    expect(late, 'the work was over before it was stopped').toBeGreaterThan(0);
    expect(late).toBeLessThan(soon);
  };

  it('is short while a large model is read and translated', async () => {
    const text = large(1500);
    await endsSoon(100, (signal) => heeding(signal, () => loadModel(text)));
    const model = loadModel(text);
    for (const delay of [50, 200, 400])
      await endsSoon(delay, (signal) => heeding(signal, () => check(model)));
    for (const delay of [100, 500])
      await endsSoon(delay, (signal) => simulate(model, { signal, stopTime: 1e3 }));
  });

  it('is short while modes are looked for', async () => {
    const model = loadModel(diodes(60));
    for (const delay of [50, 300, 900])
      await endsSoon(delay, (signal) => simulate(model, { signal, stopTime: 1e3 }));
  });

  it('is short where functions loop', async () => {
    const model = loadModel(`model M
      function f input Real x; output Real y = 0; algorithm while y < 5e6 loop y := y + x/x; end while; end f;
      Real x(start = 1, fixed = true);
    equation
      der(x) = 1e-6*f(x);
    end M;`);
    await endsSoon(300, (signal) => simulate(model, { signal, stopTime: 1e3 }));
  });
});
