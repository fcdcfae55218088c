/** Built-in components inside states of state machines. */
import { describe, expect, it } from 'vitest';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';

/** x' = rate from `start`; in its second segment, which begins at x = 2, there are two states. */
const ramp: BuiltIn<{ rate: number; start: number; first: boolean[] }> = {
  name: 'ramp',
  outputs: { y: [] },
  allocate: (instance) => ({ rate: instance.number('rate'), start: instance.number('x0'), first: [] }),
  begin(memory, segment) {
    memory.first.push(segment.first);
    segment.state('x', { start: segment.previous('x')?.[0] ?? memory.start });
    if (!segment.first) segment.state('extra', { start: 0 });
    segment.indicators(1);
  },
  stateOutputs(_, { x, y }) {
    y[0] = x[0]!;
  },
  derivatives({ rate }, { dx }) {
    dx.fill(rate);
  },
  indicators(_, { x, z }) {
    z[0] = x[0]! - 2;
  },
  event(_, { point, crossed, restart }) {
    if (crossed.length > 0 && point.x.length === 1) restart();
  },
};

const load = (body: string) =>
  loadModel(
    `
    model Ramp
      parameter Real rate = 1, x0 = 0;
      output Real y;
      annotation(__Mutabor(builtIn = "ramp"));
    end Ramp;
    model M
      ${body}
    end M;`,
    'M',
    {},
    { builtIns: [ramp] },
  );

describe('a component that is a state', () => {
  it('begins anew with reset, and is missing where it is not active', async () => {
    const { status, table, segments, modes } = await simulate(
      load(`
        Ramp up;
        Ramp down(rate = -2, x0 = 3);
      equation
        initialState(up);
        transition(up, down, up.y > 1);
        transition(down, up, down.y < 0);`),
      { stopTime: 4, tolerance: 1e-9 },
    );
    expect(status).toBe('done');
    // up from 0 to 1 in 1 s, down from 3 to 0 in 1.5 s with a new segment at 2; and again.
    expect(modes.map((m) => [m.signature, m.states])).toEqual([
      ['up', ['up.x']],
      ['down', ['down.x']],
      ['up', ['up.x']],
      ['down', ['down.x']],
    ]);
    const ends = [1, 1.5, 2.5, 3.5, 4, 4];
    expect(segments.map((s) => s.states)).toEqual([1, 1, 2, 1, 1, 2].slice(0, segments.length));
    for (const [k, { to }] of segments.entries()) expect(to).toBeCloseTo(ends[k]!, 7);
    expect(table.value('up.x', 0.5)).toBeCloseTo(0.5, 8);
    expect(table.value('down.x', 0.5)).toBeNaN();
    expect(table.value('up.x', 2)).toBeNaN();
    expect(table.value('down.x', 1.25)).toBeCloseTo(2.5, 7);
    expect(table.value('down.extra', 1.25)).toBeNaN();
    expect(table.value('down.extra', 2)).toBeCloseTo(-1, 7);
    expect(table.value('up.x', 3)).toBeCloseTo(0.5, 7);
  });

  it('goes on where it was left without reset', async () => {
    const { status, table, segments } = await simulate(
      load(`
        Ramp up;
        model Pause
        end Pause;
        Pause pause;
      equation
        initialState(up);
        transition(up, pause, time > 1.5 and time < 2);
        transition(pause, up, time > 3, reset = false);`),
      { stopTime: 5, tolerance: 1e-9 },
    );
    expect(status).toBe('done');
    expect(table.value('up.y', 2)).toBeNaN();
    expect(table.value('up.x', 3.25)).toBeCloseTo(1.75, 7);
    expect(table.value('up.extra', 3.75)).toBeCloseTo(0.25, 7);
    expect(segments.map((s) => s.states)).toEqual([1, 0, 1, 2]);
  });

  it('stands deeper in a state, in several instances, and in a machine inside it', async () => {
    const { status, table, modes } = await simulate(
      load(`
        model Inner
          Ramp slow(rate = 0.5), fast(rate = 4);
        equation
          initialState(slow);
          transition(slow, fast, slow.y > 0.25);
        end Inner;
        model Work
          Inner core;
          Ramp beside[2](rate = {1, 3});
        end Work;
        model Rest
          Ramp idle(rate = 0, x0 = 7);
        end Rest;
        Work work;
        Rest rest;
        Real z(start = 0, fixed = true);
      equation
        der(z) = 1;
        initialState(work);
        transition(work, rest, z > 1 and z < 1.4);
        transition(rest, work, z > 1.5 and z < 2);`),
      { stopTime: 2.25, tolerance: 1e-9 },
    );
    expect(status).toBe('done');
    expect(modes.map((m) => m.states.join())).toEqual([
      'z,work.core.slow.x,work.beside[1].x,work.beside[2].x',
      'z,work.core.fast.x,work.beside[1].x,work.beside[2].x',
      'z,rest.idle.x',
      'z,work.core.slow.x,work.beside[1].x,work.beside[2].x',
      'z,work.core.fast.x,work.beside[1].x,work.beside[2].x',
    ]);
    expect(table.value('work.core.fast.x', 0.75)).toBeCloseTo(1, 7);
    expect(table.value('work.beside[2].x', 0.5)).toBeCloseTo(1.5, 7);
    expect(table.value('rest.idle.x', 1.25)).toBe(7);
    expect(table.value('work.core.slow.x', 1.75)).toBeCloseTo(0.125, 7);
    expect(table.value('work.beside[2].x', 2)).toBeCloseTo(1.5, 7);
    expect(table.value('work.core.fast.x', 2.25)).toBeCloseTo(1, 7);
  });
});
