/** The stages of a step all at once are those that calls of the right-hand side give one by one, to the last bit. */
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../src/load.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import type { CompiledMode } from '../../src/program/mode/compiled.ts';
import { Runtime } from '../../src/program/runtime.ts';
import { Engine } from '../../src/simulate/run/engine.ts';
import { settingsOf } from '../../src/simulate/settings.ts';
import { TSITOURAS } from '../../src/solve/rk.ts';
import { close, done, run } from './notation.ts';

/** The mode in which a model begins. */
function modeOf(text: string): CompiledMode {
  const runtime = new Runtime(lowerModel(loadModel(text)));
  runtime.begin();
  const engine = new Engine(runtime, settingsOf({}, {}));
  engine.initialise();
  return engine.mode;
}

/** What `Stages` writes, by calls of the right-hand side. */
function inTurn(mode: CompiledMode, t: number, h: number, y: Float64Array, slope: Float64Array): number[] {
  const a = TSITOURAS.a as readonly (readonly number[])[];
  const slopes = [slope];
  const points: Float64Array[] = [y];
  for (let stage = 1; stage < a.length; stage++) {
    const point = y.map((value, i) => {
      let sum = a[stage]![0]! * slope[i]!;
      for (let k = 1; k < stage; k++) sum += a[stage]![k]! * slopes[k]![i]!;
      return value + h * sum;
    });
    points.push(point);
    slopes.push(new Float64Array(y.length));
    mode.derivatives(t + TSITOURAS.c[stage]! * h, point, slopes[stage]!);
  }
  return [...slopes.slice(1), ...points.slice(-2)].flatMap((part) => [...part]);
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

test.each(models)('%s', (_name, text) => {
  const mode = modeOf(text);
  const n = mode.states.length;
  const y = new Float64Array(n);
  mode.readStates(y);
  const slope = new Float64Array(n);
  for (const [t, h] of [
    [0, 0.1],
    [1.7, 1e-5],
    [3, 2],
  ] as const) {
    expect(mode.derivatives(t, y, slope)).toBe(true);
    const expected = inTurn(mode, t, h, y, slope);
    const out = new Float64Array(8 * n);
    mode.stages!(t, h, y, slope, out);
    expect([...out]).toEqual(expected);
    for (let i = 0; i < n; i++) y[i]! += 0.01 * (i + 1);
  }
});

describe('not all at once', () => {
  test('a system is solved on the way', () => {
    const text =
      'model M Real x(start = 1, fixed = true), z(start = 1); equation der(x) = -z; z + exp(z) = x; end M;';
    expect(modeOf(text).stages).toBeUndefined();
  });

  test('many equations', () => {
    const text =
      'model M Real x[40](each start = 1, each fixed = true); equation for i in 1:40 loop der(x[i]) = -sin(x[i])*x[41 - i]; end for; end M;';
    expect(modeOf(text).stages).toBeUndefined();
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
