/** The law of the state of a run: an engine that resumes it goes on, bit by bit, as the one does that it was taken from. */
import { readdirSync, readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/diagnostic/failure.ts';
import { type BuiltIn, type FlatModel, loadModel, type SimulateOptions } from '../../src/index.ts';
import { Translation } from '../../src/program/translation.ts';
import { Engine, type RunState } from '../../src/simulate/run/engine.ts';
import { driveInputs } from '../../src/simulate/run/inputs.ts';
import { settingsOf } from '../../src/simulate/settings.ts';
import { example } from './notation.ts';

/** Calls of `advance` that are compared, and a run that is longer ends there. */
const most = 3000;

class Run {
  private readonly translation: Translation;
  private readonly settings;
  private readonly inputs;

  constructor(text: string | FlatModel, options: SimulateOptions = {}, scalars = true) {
    const model = typeof text === 'string' ? loadModel(text) : text;
    this.settings = settingsOf(model.experiment, options);
    const driving = options.inputs && driveInputs(model, this.settings, options, new WeakMap());
    this.inputs = driving?.rows;
    const flat = driving?.flat ?? model;
    const manner = { interpret: false, written: new Set<string>(), scalars };
    this.translation = new Translation(flat, { ...this.settings, ...manner });
    expect(scalars || this.translation.hasArrays).toBe(true);
  }

  /** A run from the beginning or from a state, as bits of all variables after each `advance`, and why it failed at last; `look` is given the engine before each of them. */
  trace(from?: RunState, look: (engine: Engine, k: number) => void = () => {}): (BigUint64Array | string)[] {
    const { runtime, bank, model } = this.translation;
    this.translation.begin(new Map(), model, []);
    const engine = new Engine(runtime, this.settings, bank, this.inputs);
    if (from) engine.resume(from);
    else engine.initialise();
    const { values } = runtime;
    const leaves = [...model.scalars.keys()].flatMap((symbol) => [
      values.pool.ref(symbol),
      values.pool.ref(symbol, 1),
    ]);
    const hidden = () =>
      runtime.components.live.flatMap(({ point }) => [...point.x, ...point.dx, ...point.z]);
    const bits = () =>
      new BigUint64Array(
        Float64Array.from([engine.time, ...leaves.map((leaf) => values.get(leaf)), ...hidden()], (v) => v)
          .buffer,
      );
    const found: (BigUint64Array | string)[] = [];
    for (let k = 0; k < most; k++) {
      look(engine, k);
      try {
        if (!engine.advance()) break;
        found.push(bits());
      } catch (problem) {
        if (!(problem instanceof Failure)) throw problem;
        return [...found, problem.diagnostics[0]!.message];
      }
    }
    return found;
  }
}

/** States taken at random from a run, which does not notice; all that follows from each of them is what followed there. */
function expectContinued(run: Run, count = 4): void {
  const whole = run.trace();
  expect(whole.length).toBeGreaterThan(0);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat({ max: whole.length - 1 }), { minLength: 1, maxLength: count }),
      (places) => {
        const states = new Map<number, RunState>();
        const again = run.trace(undefined, (engine, k) => {
          if (places.includes(k)) states.set(k, engine.state());
        });
        expect(again).toEqual(whole);
        for (const [k, state] of states)
          expect(run.trace(state).slice(0, whole.length - k)).toEqual(whole.slice(k, k + most));
      },
    ),
    { numRuns: 1 },
  );
}

/** What bodies remember is their own. */
const hasBodies = (name: string) =>
  readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8').includes('Mutabor.Bodies');

const examples = readdirSync(new URL('../../examples/', import.meta.url))
  .filter((name) => name.endsWith('.mo') && !hasBodies(name))
  .map((name) => name.slice(0, -3));

/** Grows stiff in time, with a limiter that is reached again and again, functions of time that hide events, and a clock. */
const varied = `
  model Varied
    Real x(start = 1, fixed = true), v(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0.5), level(start = 1, fixed = true);
    discrete Real held(start = 0, fixed = true);
    Boolean up, filling(start = false, fixed = true);
    parameter Real tick = 0.37;
  equation
    der(x) = v;
    der(v) = -x - 0.1*v + (if up then 0.3 else 0) + 0.2*sin(37*time)^3;
    der(y) = -(1 + exp(time))*(y - sin(time)) + z;
    z^3 + z = 1 + x + held;
    up = x < 0.2 or sin(50*time) > 0.999;
    der(level) = if filling then 0.5 else -sqrt(max(level, 0));
    filling = not pre(filling) and level < 0.1 or pre(filling) and level < 1 + 0.1*sin(3*time);
    when sample(0.1, tick) then
      held = 0.5*pre(held) + x;
    end when;
    annotation(experiment(StopTime = 8));
  end Varied;`;

/** Thirty-six nonlinear equations at once, solved with sparse factors, whose boundary is switched. */
const grid = `
  model Grid
    function f input Real d; output Real i; algorithm i := d + 0.1*d^3 + 0.2*atan(3*d); annotation(Inline = false); end f;
    Real u[8, 8];
    Real s(start = 0, fixed = true);
    Boolean on(start = false, fixed = true);
  equation
    when sample(0.5, 0.7) then on = not pre(on); end when;
    for k in 1:8 loop
      u[1, k] = if on then 2*sin(2*time) + s else sin(k*time);
      u[8, k] = -s*k;
    end for;
    for k in 2:7 loop
      u[k, 1] = 0.1*k;
      u[k, 8] = cos(time + k);
      for j in 2:7 loop
        f(u[k, j] - u[k - 1, j]) + f(u[k, j] - u[k + 1, j]) + f(u[k, j] - u[k, j - 1]) + f(u[k, j] - u[k, j + 1]) = 0;
      end for;
    end for;
    der(s) = u[4, 4] - s;
    annotation(experiment(StopTime = 3));
  end Grid;`;

/** Along a surface for a while. */
const sliding = `
  model Sliding
    Real x(start = 1, fixed = true);
  equation
    der(x) = (if x > 0 then -1 else 1) + 0.8*sin(time) + (if time > 4 then 2 else 0);
    annotation(experiment(StopTime = 6));
  end Sliding;`;

/** From time 1 on there is a system of equations whose unknowns depend on a condition, which shows when it is sorted. */
const promoting = `
  model Promoting
    Real x(start = 0, fixed = true), a, b, c(start = 0, fixed = true), i;
  equation
    der(x) = cos(3*time) + 0.1*a;
    if time < 1 then
      a = 1;
      b = x;
      i = 0;
    else
      a + b + a^3 = x;
      (if x > 0.1 then a - 0.5*b else b + b^3 - x) = 0;
      c = x + 0.3*i;
    end if;
    der(c) = -i;
    annotation(experiment(StopTime = 6));
  end Promoting;`;

/** A machine that goes on with the values of states that it has left. */
const delayed = `
  model Delayed
    inner Real x(start = 0, fixed = true);
    block Up outer output Real x; Real own(start = 0, fixed = true); equation der(own) = 1 - own; der(x) = 1 + own; end Up;
    block Down outer output Real x; equation der(x) = -1; end Down;
    Up up;
    Down down;
  equation
    initialState(up);
    transition(up, down, x > 0.7, immediate = false, reset = false);
    transition(down, up, x < 0.2 + 0.05*sin(time), immediate = false, reset = false);
    annotation(experiment(StopTime = 5));
  end Delayed;`;

/** Elements with relations of their own, a clock that resets one of them, and something that reads them all. */
const cells = `
  model Cells
    parameter Integer n = 40;
    parameter Real unused[:] = {1, 2, 3};
    Real x[n](start = linspace(1, 2, n), each fixed = true);
    Real q(start = 0, fixed = true);
  equation
    for k in 1:n loop
      der(x[k]) = (if x[k] > 0.8 then -2 else -1)*x[k] + 0.1*q;
    end for;
    der(q) = x[3] - q;
    when sample(0.15, 0.4) then reinit(x[3], 2*pre(x[3]) + 0.5); end when;
    annotation(experiment(StopTime = 2));
  end Cells;`;

const zeno = `
  model Zeno
    Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -9.81;
    when h < 0 then reinit(v, -0.6*pre(v)); end when;
    annotation(experiment(StopTime = 5));
  end Zeno;`;

describe('the state of a run', () => {
  for (const name of examples) {
    test(`${name} goes on from it`, () => {
      expectContinued(new Run(example(name)));
    });
  }

  for (const method of ['auto', 'rk', 'bdf'] as const) {
    for (const [name, text] of Object.entries({
      varied,
      grid,
      bridge: example('RectifierBridge'),
      pendulum: example('Pendulum'),
      rocket: example('TwoStageRocket'),
      machines: example('ClockedMachines'),
    })) {
      test(`${name} goes on from it by ${method}`, () => {
        expectContinued(new Run(text, { method }), 8);
      });
    }
  }

  test('a solution goes on sliding', () => {
    expectContinued(new Run(sliding, { sliding: true }), 8);
  });

  test('inputs go on along their table', () => {
    const text = 'model M input Real u; Real x(start = 0, fixed = true); equation der(x) = u - x; end M;';
    const time = Array.from({ length: 30 }, (_, k) => k / 20);
    const inputs = { time, u: time.map((t) => Math.sin(9 * t)) };
    for (const hold of [false, true]) expectContinued(new Run(text, { inputs, hold, stopTime: 1.5 }), 8);
  });

  test('conditions that were found to be structural on the way still are', () => {
    const run = new Run(promoting);
    const stages: number[] = [];
    run.trace(undefined, (engine) => stages.push(engine.state().stage));
    expect(new Set(stages)).toEqual(new Set([0, 1]));
    expectContinued(run, 16);
  });

  test('delayed transitions and states that were left keep what they know', () => {
    expectContinued(new Run(delayed), 16);
  });

  test('events that accumulate are seen as they would have been', () => {
    const run = new Run(zeno);
    expect(run.trace().at(-1)).toMatch(/accumulate|without end/);
    expectContinued(run, 16);
  });

  test('equations cease to have values where they would have', () => {
    const text =
      'model M Real x(start = 0, fixed = true), y; equation der(x) = 1 + 0.1*sin(x); y = sqrt(0.55 - x); end M;';
    const run = new Run(text, { stopTime: 1, intervals: 2 });
    const whole = run.trace();
    expect(whole.at(-1)).toMatch(/sqrt/);
    const states: RunState[] = [];
    run.trace(undefined, (engine) => states.push(engine.state()));
    for (const [k, state] of states.entries()) expect(run.trace(state)).toEqual(whole.slice(k));
  });

  test('is a value: a copy of it that was written down and read again is as good', () => {
    const run = new Run(varied);
    let state: RunState | undefined;
    const whole = run.trace(undefined, (engine, k) => {
      if (k === 40) state = engine.state();
    });
    expect(run.trace(deserialize(serialize(state)))).toEqual(whole.slice(40));
  });

  test('arrays go on from it', () => {
    expectContinued(new Run(example('HeatRod'), {}, false), 8);
  });

  for (const method of ['auto', 'rk', 'bdf'] as const) {
    test(`relations and resets of elements go on from it by ${method}`, () => {
      expectContinued(new Run(cells, { method }, false), 8);
    });
  }

  test('is not given where a built-in component has a memory of its own', () => {
    const own: BuiltIn = { name: 'own', allocate: () => ({}), begin() {} };
    const text = 'model M annotation(__Mutabor(builtIn = "own")); end M;';
    const run = new Run(loadModel(text, undefined, {}, { builtIns: [own] }));
    expect(() => run.trace(undefined, (engine) => void engine.state())).toThrow(/remembers is its own/);
  });
});
