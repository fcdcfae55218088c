/** Right-hand sides that integrators call without JavaScript in between give what calls through it give, to the last bit. */
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../src/load.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import type { CompiledMode } from '../../src/program/mode/compiled.ts';
import { Runtime } from '../../src/program/runtime.ts';
import { Engine } from '../../src/simulate/run/engine.ts';
import { settingsOf } from '../../src/simulate/settings.ts';
import { createIntegrator } from '../../src/solve/auto.ts';
import { type DirectRhs, type Method, newStatistics, type OdeSystem } from '../../src/solve/integrator.ts';
import { close, done, run } from './notation.ts';

/** The mode in which a model begins. */
function modeOf(text: string): CompiledMode {
  const runtime = new Runtime(lowerModel(loadModel(text)));
  runtime.begin();
  const engine = new Engine(runtime, settingsOf({}, {}));
  engine.initialise();
  return engine.mode;
}

/** All that steps with a right-hand side show: 60 of them, with a restart in between. */
function stepsOf(method: Method, mode: CompiledMode, direct: DirectRhs | undefined): number[] {
  const n = mode.states.length;
  const statistics = newStatistics();
  const system: OdeSystem = { n, rhs: (t, y, dy) => mode.derivatives(t, y, dy), direct };
  const integrator = createIntegrator(method, system, { relative: 1e-6, absolute: 1e-9 }, statistics);
  const y = new Float64Array(n);
  mode.readStates(y);
  integrator.start(0, y);
  const seen: number[] = [];
  for (let k = 0; k < 60; k++) {
    if (k === 30) integrator.start(integrator.t, integrator.y);
    integrator.step(10);
    seen.push(integrator.t, ...integrator.y, statistics.evaluations);
  }
  return seen;
}

const models: readonly [string, string][] = [
  [
    'products of states',
    'model M Real a(start = 10, fixed = true), b(start = 5, fixed = true); equation der(a) = a*(1.1 - 0.4*b); der(b) = b*(0.1*a - 0.4); end M;',
  ],
  [
    'time, and a state that is the derivative of another',
    'model M Real x(start = 1, fixed = true), v(start = 0.5, fixed = true), f = sin(3*time) - x^3; equation der(x) = v; der(v) = f - 0.1*v; end M;',
  ],
  [
    'functions and events',
    `model M
      function g input Real x; output Real y; algorithm y := 0; for k in 1:3 loop y := y + x^k/k; end for; end g;
      Real x(start = 0.3, fixed = true), y(start = 2, fixed = true);
    equation
      der(x) = if y > 1 then g(x*cos(time)) else -x;
      der(y) = g(-x/(1 + y^2));
    end M;`,
  ],
  [
    'branches with other equations',
    `model M
      Real x(start = 0.3, fixed = true), y(start = 2, fixed = true), z;
    equation
      der(x) = z - x; der(y) = x*y;
      if time < 100 then z = sin(y); else 0 = x - y; end if;
    end M;`,
  ],
];

describe.each(models)('%s', (_name, text) => {
  test.each(['rk', 'bdf'] as const)('%s', (method) => {
    const mode = modeOf(text);
    expect(mode.direct).toBeDefined();
    expect(stepsOf(method, mode, mode.direct)).toEqual(stepsOf(method, modeOf(text), undefined));
  });
});

describe('not directly', () => {
  test('a system is solved on the way', () => {
    const text =
      'model M Real x(start = 1, fixed = true), z(start = 1); equation der(x) = -z; z + exp(z) = x; end M;';
    expect(modeOf(text).direct).toBeUndefined();
  });

  test('many states, which loops carry over sooner', () => {
    const states = Array.from({ length: 60 }, (_, k) => `x${k}`);
    const text = `model M Real ${states.map((x) => `${x}(start = 1, fixed = true)`).join(', ')}; equation ${states.map((x, k) => `der(${x}) = -sin(${x})*${states[59 - k]};`).join(' ')} end M;`;
    expect(modeOf(text).direct).toBeUndefined();
  });
});

describe('long runs', () => {
  test('an oscillator over 1000 periods', async () => {
    const text =
      'model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -x; end M;';
    const stopTime = 2000 * Math.PI;
    const { table, statistics } = await done(text, { method: 'rk', stopTime, tolerance: 1e-9 });
    expect(statistics.steps).toBeGreaterThan(10_000);
    close(table.value('x', stopTime), 1, 1e-4);
    // Row k of the results is at 2 k periods.
    for (const k of [100, 250, 400])
      expect(Math.abs(table.value('v', (k / 500) * stopTime))).toBeLessThan(1e-5);
  });

  test('what cannot be evaluated late in a run is told as ever', async () => {
    const text = `model M
      function root input Real x; output Real y; algorithm assert(x >= 0, "no root"); y := sqrt(x); end root;
      Real x(start = 1, fixed = true), v(start = 0, fixed = true), fuel(start = 1, fixed = true);
    equation
      der(x) = v; der(v) = -1000*x; der(fuel) = -0.1*root(fuel - 0.5);
    end M;`;
    // fuel - 0.5 = (sqrt(0.5) - t/20)^2 until t = 14.14, and then stays.
    const { table } = await done(text, { method: 'rk', stopTime: 13, tolerance: 1e-8 });
    close(table.value('fuel', 13), 0.5 + (Math.SQRT1_2 - 13 / 20) ** 2);
    const blows = text.replace('-0.1*root(fuel - 0.5)', '-0.1 - 1e-9*root(fuel - 0.5)');
    const { status, time, diagnostics } = await run(blows, { method: 'rk', stopTime: 13 });
    expect(status).toBe('failed');
    close(time, 5, 1e-4);
    expect(diagnostics.map((d) => d.message).join()).toContain('no root');
  });
});
