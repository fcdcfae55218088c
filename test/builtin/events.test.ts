/** Events of built-in components: indicators, times, what the model does, restarts, the end of a run. */
import { describe, expect, it } from 'vitest';
import { type BuiltIn, loadModel, type Point, type SimulateOptions, simulate } from '../../src/index.ts';

/** Runs a class that is a component in itself, or a model around it. */
const run = (builtIn: BuiltIn, text: string, options: SimulateOptions = {}) =>
  simulate(loadModel(text, undefined, {}, { builtIns: [builtIn] }), { tolerance: 1e-10, ...options });

const alone = (name: string) => `model M annotation(__Mutabor(builtIn = "${name}")); end M;`;

/** Falls from 1 m and bounces with the coefficient 1/2. */
const ball: BuiltIn<{ bounces: number[] }> = {
  name: 'ball',
  allocate: () => ({ bounces: [] }),
  begin(_, segment) {
    segment.state('h', { start: 1 });
    segment.state('v', { start: 0 });
    segment.indicators(1);
  },
  derivatives(_, { x, dx }) {
    dx[0] = x[1]!;
    dx[1] = -9.81;
  },
  indicators(_, { x, z }) {
    z[0] = x[0]!;
  },
  event({ bounces }, { point, crossed }) {
    const { x, t } = point;
    if (!crossed.includes(0) || x[1]! > 0) return;
    bounces.push(t);
    x[0] = 0;
    x[1] = -0.5 * x[1]!;
  },
};

/** x' = -x for all states. */
function decay(_: unknown, { x, dx }: Point): void {
  for (let i = 0; i < x.length; i++) dx[i] = -x[i]!;
}

describe('a time that was asked for', () => {
  it('is due once: nothing is due where nothing was asked for', async () => {
    const seen: [number, boolean][] = [];
    const once: BuiltIn = {
      name: 'once',
      allocate: () => undefined,
      begin(_, segment) {
        segment.state('x', { start: segment.previous('x')?.[0] ?? 1 });
        if (segment.first) segment.nextEvent(0.5);
      },
      derivatives: decay,
      event(_, { point, due, restart }) {
        seen.push([point.t, due]);
        if (due) restart();
      },
    };
    const { status, segments, table } = await run(once, alone('once'));
    expect(status).toBe('done');
    expect(segments.map(({ from, to }) => [from, to])).toEqual([
      [0, 0.5],
      [0.5, 1],
    ]);
    expect(seen.filter(([, due]) => due)).toEqual([[0.5, true]]);
    expect(table.value('x', 1)).toBeCloseTo(Math.exp(-1), 8);
  });
});

describe('indicators', () => {
  it('find the bounces of a ball, whose velocity is changed at once', async () => {
    const seen: number[] = [];
    const watched: BuiltIn<{ bounces: number[] }> = { ...ball, allocate: () => ({ bounces: seen }) };
    const { status, table } = await run(watched, alone('ball'), { stopTime: 1.3 });
    expect(status).toBe('done');
    const first = Math.sqrt(2 / 9.81);
    // The next flights take first, first/2, …
    const expected = [1, 2, 2.5, 2.75, 2.875].map((n) => n * first);
    expect(seen).toHaveLength(expected.length);
    for (const [k, t] of expected.entries()) expect(seen[k]).toBeCloseTo(t, 8);
    expect(table.value('v', seen[0]!, 'before')).toBeCloseTo(-9.81 * first, 7);
    expect(table.value('v', seen[0]!, 'after')).toBeCloseTo(0.5 * 9.81 * first, 7);
  });

  it('on zero count for the side that they are held on, and what was decided changes the model', async () => {
    // On the boundary from the beginning: off there, and on as soon as it is left.
    const valve: BuiltIn<{ open: boolean }> = {
      name: 'valve',
      outputs: { rate: [] },
      allocate: () => ({ open: false }),
      begin(_, segment) {
        segment.state('p', { start: 1 });
        segment.indicators(1);
      },
      stateOutputs({ open }, { y }) {
        y[0] = open ? 3 : 1;
      },
      derivatives(_, { dx }) {
        dx[0] = 1;
      },
      indicators(_, { x, z }) {
        z[0] = x[0]! - 1;
      },
      sides({ open }, out) {
        out[0] = open ? 1 : -1;
      },
      event(memory, { point, crossed, changed }) {
        if (!crossed.includes(0)) return;
        memory.open = point.z[0]! > 0;
        changed();
      },
    };
    const text = `
      model Valve
        output Real rate;
        annotation(__Mutabor(builtIn = "valve"));
      end Valve;
      model M
        Valve valve;
        Real doubled = 2*valve.rate;
      end M;`;
    const { status, table, statistics } = await run(valve, text);
    expect(status).toBe('done');
    expect(statistics.events).toBe(1);
    expect([...table.get('doubled')].slice(0, 2)).toEqual([2, 2]);
    expect(table.get('doubled').at(-1)).toBe(6);
  });

  it('and relations of the model are found together', async () => {
    const text = `
      model Ball
        output Real height;
        annotation(__Mutabor(builtIn = "ball"));
      end Ball;
      model M
        Ball ball;
        discrete Integer low(start = 0, fixed = true);
      equation
        when ball.height < 0.5 then
          low = pre(low) + 1;
        end when;
      end M;`;
    const visible: BuiltIn<{ bounces: number[] }> = {
      ...ball,
      outputs: { height: [] },
      stateOutputs(_, { x, y }) {
        y[0] = x[0]!;
      },
    };
    const { table } = await run(visible, text, { stopTime: 0.6 });
    const first = Math.sqrt(1 / 9.81);
    expect(table.value('low', first - 1e-6)).toBe(0);
    expect(table.value('low', first + 1e-6)).toBe(1);
    const since = 0.6 - Math.sqrt(2 / 9.81);
    expect(table.value('ball.height', 0.6)).toBeCloseTo(
      0.5 * Math.sqrt(2 * 9.81) * since - (9.81 / 2) * since ** 2,
      7,
    );
  });
});

describe('times', () => {
  it('that are asked for are hit exactly, each once', async () => {
    const times: [number, boolean][] = [];
    const clock: BuiltIn<undefined> = {
      name: 'clock',
      allocate: () => undefined,
      begin: (_, segment) => segment.nextEvent(0.25),
      event(_, { point, due, began, nextEvent }) {
        times.push([point.t, due]);
        if (began) expect(due).toBe(false);
        if (due && point.t < 1) nextEvent(2 * point.t);
      },
    };
    const { status, statistics } = await run(clock, alone('clock'), { stopTime: 2 });
    expect(status).toBe('done');
    expect(times).toEqual([
      [0, false],
      [0.25, true],
      [0.5, true],
      [1, true],
    ]);
    expect(statistics.events).toBe(3);
  });

  it('of the model are told to the component, with inputs that have settled', async () => {
    const steps: [number, number][] = [];
    const watcher: BuiltIn<{ level: number }> = {
      name: 'watcher',
      inputs: ['u'],
      allocate: () => ({ level: 0 }),
      begin(memory, segment) {
        for (let k = 0; k <= memory.level; k++) segment.state(`x${k}`, { start: segment.time });
      },
      derivatives: (_, { dx }) => dx.fill(1),
      event(memory, { point, restart }) {
        if (point.u[0] === memory.level) return;
        steps.push([point.t, point.u[0]!]);
        memory.level = point.u[0]!;
        restart();
      },
    };
    const text = `
      model Watcher
        input Integer u;
        annotation(__Mutabor(builtIn = "watcher"));
      end Watcher;
      model M
        Watcher w(u = if time < 1 then 2 elseif time < 2 then 0 else 1);
      end M;`;
    const { segments, table } = await run(watcher, text, { stopTime: 3 });
    expect(steps).toEqual([
      [0, 2],
      [1, 0],
      [2, 1],
    ]);
    expect(segments.map((s) => [s.from, s.to, s.states])).toEqual([
      [0, 1, 3],
      [1, 2, 1],
      [2, 3, 2],
    ]);
    expect(table.value('w.x2', 0.5)).toBeCloseTo(0.5, 9);
    expect(table.value('w.x2', 1.5)).toBeNaN();
    expect(table.value('w.x1', 3)).toBeCloseTo(3, 9);
  });
});

describe('initial values', () => {
  it('may depend on inputs, which are known when the first segment has begun', async () => {
    const follower: BuiltIn<undefined> = {
      name: 'follower',
      inputs: ['u'],
      outputs: { y: [] },
      allocate: () => undefined,
      begin: (_, segment) => segment.state('x', { start: 0 }),
      stateOutputs(_, { x, y }) {
        y[0] = x[0]!;
      },
      derivatives(_, { x, u, dx }) {
        dx[0] = u[0]! - x[0]!;
      },
      event(_, { point, began }) {
        if (began) point.x[0] = 2 * point.u[0]!;
      },
    };
    const text = `
      model Follower
        input Real u;
        output Real y;
        annotation(__Mutabor(builtIn = "follower"));
      end Follower;
      model M
        Real z(start = 3, fixed = true);
        Follower f(u = z);
      equation
        der(z) = 0;
      end M;`;
    const { table } = await run(follower, text, { stopTime: 1 });
    expect(table.value('f.y', 0)).toBe(6);
    expect(table.value('f.x', 1)).toBeCloseTo(3 + 3 * Math.exp(-1), 8);
  });

  it('a restart at the start of the run takes effect before the first step', async () => {
    const late: BuiltIn<{ size: number }> = {
      name: 'late',
      allocate: () => ({ size: 1 }),
      begin: ({ size }, segment) => segment.state('x', { start: segment.previous('x')?.[0] ?? 5, size }),
      derivatives: decay,
      event(memory, { restart }) {
        if (memory.size === 3) return;
        memory.size++;
        restart();
      },
    };
    const { table, segments, statistics } = await run(late, alone('late'), { stopTime: 1 });
    expect(statistics.restarts).toBe(2);
    expect(segments.map((s) => [s.from, s.to, s.states])).toEqual([[0, 1, 3]]);
    expect(table.names.filter((name) => name.startsWith('x['))).toEqual(['x[1]', 'x[2]', 'x[3]']);
    expect(table.value('x[3]', 1)).toBeCloseTo(5 * Math.exp(-1), 8);
  });
});

describe('the end of a run', () => {
  it('may be asked for', async () => {
    const ending: BuiltIn<undefined> = {
      name: 'ending',
      allocate: () => undefined,
      begin: (_, segment) => segment.nextEvent(0.75),
      event: (_, { due, terminate }) => due && terminate('nothing left to do'),
    };
    const { status, time, diagnostics, table } = await run(ending, alone('ending'), { stopTime: 2 });
    expect([status, time]).toEqual(['terminated', 0.75]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'terminated', severity: 'warning' });
    expect(diagnostics[0]!.message).toContain('ended the simulation at time 0.75: nothing left to do');
    expect(table.time.at(-1)).toBe(0.75);
  });

  it('comes with an error where restarts never end', async () => {
    const endless: BuiltIn<undefined> = {
      name: 'endless',
      allocate: () => undefined,
      begin: (_, segment) => segment.state('x', { start: 1 }),
      derivatives: (_, { dx }) => dx.fill(0),
      event: (_, { point, restart }) => point.t > 0 && restart(),
    };
    const text = `
      model E annotation(__Mutabor(builtIn = "endless")); end E;
      model M
        E e;
        Boolean late = time > 0.5;
      end M;`;
    const { status, stage, diagnostics, table } = await run(endless, text);
    expect([status, stage]).toEqual(['failed', 'simulate']);
    expect(diagnostics[0]).toMatchObject({ code: 'event-cycle' });
    expect(diagnostics[0]!.notes[0]!.message).toContain('The built-in component e ("endless")');
    expect(table.value('e.x', 0.4)).toBe(1);
  });
});

describe('many segments', () => {
  it('have the sizes that the component wants, and continue each other', async () => {
    const sizeAt = (k: number) => 1 + (k % 7);
    /** All its states are exp(-t), in as many copies as the number of the segment says. */
    const changing: BuiltIn<{ k: number }> = {
      name: 'changing',
      allocate: () => ({ k: 0 }),
      begin(memory, segment) {
        const size = sizeAt(memory.k++);
        segment.state('x', { start: segment.previous('x')?.[0] ?? 1, size });
        segment.nextEvent(memory.k / 1000);
      },
      derivatives: decay,
      event: (_, { due, restart }) => due && restart(),
    };
    const { status, segments, statistics, table } = await run(changing, alone('changing'), {
      tolerance: 1e-8,
      intervals: 10,
    });
    expect(status).toBe('done');
    // The last one begins where the run ends.
    expect(segments.map((s) => s.states)).toEqual(Array.from({ length: 1001 }, (_, k) => sizeAt(k)));
    expect(statistics.restarts).toBe(1000);
    expect(statistics.modesCompiled).toBe(1);
    expect(statistics.jacobians).toBe(0);
    expect(table.value('x[1]', 1, 'before')).toBeCloseTo(Math.exp(-1), 7);
    expect(segments.reduce((sum, s) => sum + s.steps, 0)).toBe(statistics.steps);
    expect(segments.reduce((sum, s) => sum + s.evaluations, 0)).toBe(statistics.evaluations);
  });
});

describe('an input with an impulse', () => {
  const integrator: BuiltIn = {
    name: 'integrator',
    inputs: ['u'],
    outputs: { y: [] },
    stateOutputs(_, { x, y }) {
      y[0] = x[0]!;
    },
    allocate: () => undefined,
    begin(_, segment) {
      segment.state('x', { start: 0 });
    },
    derivatives(_, { u, dx }) {
      dx[0] = u[0]!;
    },
  };
  const text = `model Integrator
      input Real u;
      output Real y(start = 0);
      annotation(__Mutabor(builtIn = "integrator"));
    end Integrator;
    model Hit
      Real v1(start = 0, fixed = true), v2, i;
      Integrator integral(u = i);
    equation
      (if time < 0.5 then 0 else 5) = v1 + v2;
      der(v1) = i;
      3*der(v2) = i;
    end Hit;`;

  it('is told: code cannot tell what becomes of its states', async () => {
    const { status, diagnostics } = await run(integrator, text);
    expect(status).toBe('done');
    const [warned] = diagnostics.filter((d) => d.code === 'impulse');
    expect(warned!.message).toMatch(
      /integral .* has an input with an impulse at time 0.5, which its states do not see/,
    );
  });

  it('comes to an end where differences of code are its factors', async () => {
    const power: BuiltIn = {
      name: 'power',
      inputs: ['u', 'v'],
      outputs: { y: ['u', 'v'] },
      directOutput(_, { u, y }) {
        // What stands beside leaves rounding in differences.
        y[0] = u[0]! * (2 + Math.sin(u[1]!)) + 1e3 * Math.cos(u[1]!);
      },
      allocate: () => undefined,
      begin: () => {},
    };
    const { status, table } = await run(
      power,
      `model Power
        input Real u, v;
        output Real y;
        annotation(__Mutabor(builtIn = "power"));
      end Power;
      model Hit
        Real v1(start = 0, fixed = true), v2, i;
        Power power(u = i, v = v1);
      equation
        (if time < 0.5 then 0 else 5) = v1 + v2;
        der(v1) = i;
        3*der(v2) = i;
      end Hit;`,
    );
    expect(status).toBe('done');
    expect(table.value('v1', 1)).toBeCloseTo(3.75, 9);
  });

  it('makes its states jump where the component has equations', async () => {
    const { table, diagnostics } = await run({ ...integrator, equations: 'der(y) = u;' }, text);
    expect(diagnostics.map((d) => d.code)).toContain('component-equations');
    expect(table.value('integral.y', 1)).toBeCloseTo(3.75, 9);
  });
});
