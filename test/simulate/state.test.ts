/** The state of a run is a value from which another engine goes on, bit by bit: see `continued.ts`. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { failureOf } from '../../src/diagnostic/failure.ts';
import { type BuiltIn, loadModel } from '../../src/index.ts';
import type { RunState } from '../../src/simulate/run/engine.ts';
import { expectContinued, expectContinuedAtRestarts, Run } from './continued.ts';
import { example } from './notation.ts';

/** Those with contact take too long; `test/bodies/contact/elastic.test.ts` has others. */
const examples = readdirSync(new URL('../../examples/', import.meta.url))
  .filter((name) => name.endsWith('.mo'))
  .map((name) => name.slice(0, -3))
  .filter((name) => !example(name).includes('contact = true'));

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

  test('arrays go on from it', () => {
    expectContinued(new Run(example('HeatRod'), {}, false), 8);
  });

  for (const method of ['auto', 'rk', 'bdf'] as const) {
    test(`relations and resets of elements go on from it by ${method}`, () => {
      expectContinued(new Run(cells, { method }, false), 8);
    });
  }

  /** Members come and go: the more there are, the faster is the last of them. */
  interface Crowd {
    count: number;
    readonly seen: number[];
  }
  const crowd: BuiltIn<Crowd> = {
    name: 'crowd',
    inputs: ['u'],
    outputs: { y: [] },
    allocate: () => ({ count: 1, seen: [] }),
    begin(memory, segment) {
      const before = segment.previous('x') ?? [1];
      const start = Array.from({ length: memory.count }, (_, k) => before[k] ?? 1 / (k + 1));
      segment.state('x', { start, nominal: memory.count % 2 === 0 ? 2 : 1 });
      segment.variable('late');
      segment.nextEvent(segment.time + 0.3);
    },
    stateOutputs({ count }, { x, y }) {
      y[0] = x.reduce((sum, value) => sum + value, 0) - count;
    },
    derivatives({ seen }, { x, u, dx }) {
      for (let k = 0; k < x.length; k++) dx[k] = (u[0]! - x[k]!) * 10 ** k + 0.01 * seen.length;
    },
    variables({ seen }, { w }) {
      w[0] = seen.at(-1) ?? 0;
    },
    event(memory, { due, point, restart }) {
      if (!due) return;
      memory.seen.push(point.u[0]!);
      memory.count = [1, 4, 0, 2][memory.seen.length % 4]!;
      restart();
    },
  };
  const withCrowd = (own: BuiltIn<Crowd>) =>
    loadModel(
      `model Crowd
        input Real u;
        output Real y;
        annotation(__Mutabor(builtIn = "crowd"));
      end Crowd;
      model M
        Crowd crowd(u = sin(3*time) + z);
        Real z(start = 0, fixed = true);
      equation
        der(z) = crowd.y - z;
        annotation(experiment(StopTime = 5));
      end M;`,
      'M',
      {},
      { builtIns: [own as BuiltIn] },
    );

  for (const method of ['auto', 'rk', 'bdf'] as const) {
    test(`a built-in component that can save and load its memory goes on from it by ${method}`, () => {
      const run = new Run(
        withCrowd({
          ...crowd,
          save: (memory) => memory,
          load: (memory, saved) => Object.assign(memory, saved),
        }),
        { method },
      );
      expectContinuedAtRestarts(run, 16);
    });
  }

  test('is not given where a built-in component keeps its memory to itself', () => {
    const run = new Run(withCrowd(crowd));
    const failure = failureOf(() => run.trace(undefined, (engine) => void engine.state()));
    const [{ code, message, hint, span }] = failure!.diagnostics as [Diagnostic];
    expect(code).toBe('component');
    expect(message).toBe(
      'The built-in component crowd ("crowd") keeps what it remembers to itself: the run has no state that could be given away.',
    );
    expect(hint).toContain('`save` and `load`');
    expect(span).toBeDefined();
  });

  test('holds values alone', () => {
    const run = new Run(withCrowd({ ...crowd, save: () => ({ go: () => 1 }), load() {} }));
    const failure = failureOf(() => run.trace(undefined, (engine) => void engine.state()));
    expect(failure?.diagnostics[0]?.message).toMatch(
      /^The built-in component crowd \("crowd"\) failed in `save` at time 0: .*could not be cloned/,
    );
  });
});
