/**
 * Clocked state machines (Modelica 3.6, chapter 17). Expected sequences are worked out by hand, or by an interpreter
 * that goes through the states tick by tick, where the translation under test is data flow (`interpreter.ts`).
 */
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/diagnostic/failure.ts';
import type { SimulationResult } from '../../src/index.ts';
import { type Machine, play, type State } from './interpreter.ts';
import { done as doneModel, example, run as runModel } from './notation.ts';

/** The model that begins the text is the one that is run. */
const modelOf = (text: string): string => /model (\w+)/.exec(text)![1]!;
const done = (text: string, options: { stopTime: number }) =>
  doneModel(text, { ...options, model: modelOf(text) });
const run = (text: string) => runModel(text, { model: modelOf(text) });

/** Values of a variable at ticks 0, 1, …, each an interval after the one before. */
function sequence({ table }: SimulationResult, name: string, ticks: number, interval = 1): number[] {
  return Array.from({ length: ticks }, (_, k) => table.value(name, (k + 0.5) * interval));
}

/** The example of 17.3.7. */
function hierarchical(): { machine: Machine; look: () => number[] } {
  const s = { v: 0, count: 0, i: 0, w: 0, j: 0 };
  const first: Machine = {
    states: [
      { run: () => (s.v += 2) },
      { run: () => (s.v -= 1) },
      { run: () => (s.count += 1) },
      {},
    ] as State[],
    transitions: [
      { from: 0, to: 1, condition: () => s.v >= 6, immediate: false },
      { from: 1, to: 2, condition: () => s.v === 0, immediate: false },
      { from: 2, to: 0, condition: () => true, immediate: false, priority: 2 },
      { from: 2, to: 3, condition: () => s.count >= 2, immediate: false },
    ],
  };
  const second: Machine = {
    states: [
      {
        run: () => {
          s.i++;
          s.w = s.v;
        },
        reset: () => {
          s.i = 0;
        },
      },
      {
        run: () => s.j++,
        reset: () => {
          s.j = 0;
        },
      },
    ] as State[],
    transitions: [{ from: 0, to: 1, condition: () => s.i > 20, immediate: false, reset: false }],
  };
  const machine: Machine = {
    states: [
      {
        machines: [first, second],
        reset: () => {
          s.count = 0;
        },
      },
      { run: () => (s.v += 5) },
    ] as State[],
    transitions: [
      {
        from: 0,
        to: 1,
        condition: () => first.memory!.state === 3 && second.memory!.state === 1,
        immediate: false,
      },
      { from: 1, to: 0, condition: () => s.v >= 20, immediate: false },
    ],
  };
  return { machine, look: () => [s.v, s.count, s.i, s.w, s.j] };
}

describe('the example of the specification', () => {
  const names = ['v', 'state1.count', 'state1.stateX.i', 'state1.stateX.w', 'state1.stateY.j'];

  test('all variables at every tick', async () => {
    const result = await done(example('ClockedMachines'), { stopTime: 10 });
    const { machine, look } = hierarchical();
    const expected = play(machine, 100, look);
    expect(expected[30]![0]).toBe(18);
    // v as far as one can follow by hand: up in twos, down in ones, a round counted, and again.
    const start = [2, 4, 6, 5, 4, 3, 2, 1, 0, 0, 2, 4, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 5, 10, 15, 20, 22];
    expect(expected.slice(0, start.length).map(([v]) => v)).toEqual(start);
    const found = names.map((name) => sequence(result, name, 100, 0.1));
    for (const [k, name] of names.entries())
      expect([name, found[k]]).toEqual([name, expected.map((row) => row[k])]);
  });

  test('without a clock the machine ticks every second, and that is said', async () => {
    const text = example('ClockedMachines').replace('when Clock(1, 10) then', '').replace('end when;', '');
    const result = await done(text, { stopTime: 31 });
    expect(result.table.value('v', 30)).toBe(18);
    const { flat } = await import('../../src/index.ts').then(({ loadText, translate }) => ({
      flat: translate(loadText(text), 'ClockedMachines'),
    }));
    const [warning] = flat.diagnostics;
    expect(warning!.severity).toBe('warning');
    expect(warning!.message).toMatch(/No clock is given for the equations of `v`.*every second/);
  });
});

describe('transitions', () => {
  const counting = (transitions: string, more = transitions.includes('c, n') ? ', c(id = 3)' : '') => `model M
    inner Integer n(start = 0) "Ticks";
    inner Integer log(start = 0) "Which state is active";
    block S
      parameter Integer id;
      outer output Integer log;
    equation
      log = id;
    end S;
    S a(id = 1), b(id = 2)${more};
  equation
    when Clock(1, 1) then
      n = previous(n) + 1;
    end when;
    initialState(a);
    ${transitions}
  end M;`;

  test('an immediate transition fires at the tick, a delayed one at the next', async () => {
    const now = await done(counting('transition(a, b, n >= 3);'), { stopTime: 6 });
    expect(sequence(now, 'log', 6)).toEqual([1, 1, 2, 2, 2, 2]);
    const later = await done(counting('transition(a, b, n >= 3, immediate = false);'), { stopTime: 6 });
    expect(sequence(later, 'log', 6)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  test('a state is active for at least one tick, and the first one at the first tick', async () => {
    const result = await done(counting('transition(a, b, n >= 1); transition(b, c, n >= 1);'), {
      stopTime: 6,
    });
    expect(sequence(result, 'log', 5)).toEqual([1, 2, 3, 3, 3]);
  });

  test('priorities, between immediate and delayed transitions too', async () => {
    const by = (p: number, q: number) =>
      counting(
        `transition(a, b, n >= 3, priority = ${p}); transition(a, c, n >= 2, immediate = false, priority = ${q});`,
      );
    const first = await done(by(1, 2), { stopTime: 6 });
    expect(sequence(first, 'log', 5)).toEqual([1, 1, 2, 2, 2]);
    const second = await done(by(2, 1), { stopTime: 6 });
    expect(sequence(second, 'log', 5)).toEqual([1, 1, 3, 3, 3]);
  });

  test('ticksInState and timeInState of the specification: active at 10, 11, 12, 13, 14 ms', async () => {
    const result = await done(
      `model M
        block State end State;
        State A0, A1, A2;
      equation
        initialState(A0);
        transition(A0, A1, sample(time, Clock(1, 1000)) > 0.0095);
        transition(A1, A2, ticksInState() >= 5, immediate = false);
      end M;`,
      { stopTime: 0.02 },
    );
    const active = sequence(result, 'A1.active', 20, 0.001);
    expect(active).toEqual(Array.from({ length: 20 }, (_, k) => (k >= 10 && k <= 14 ? 1 : 0)));
  });

  test('self transitions count anew', async () => {
    const result = await done(
      counting(
        'transition(a, a, ticksInState() >= 3, immediate = false); transition(a, b, n >= 9, priority = 2);',
      ).replace('log = id;', 'log = 10*id + ticksInState();'),
      { stopTime: 12 },
    );
    expect(sequence(result, 'log', 11)).toEqual([11, 12, 13, 11, 12, 13, 11, 12, 21, 22, 23]);
  });

  test('immediate transitions on ticks and time in the state', async () => {
    const ticks = await done(
      counting('transition(a, b, n > 0 and ticksInState() >= 3); transition(b, a, timeInState() >= 2);'),
      {
        stopTime: 12,
      },
    );
    // a is left at what would be its third tick; b at the tick that comes 2 s after it was entered.
    expect(sequence(ticks, 'log', 9)).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 1]);
  });

  test('time in the state, in equations of states', async () => {
    const result = await done(
      counting('transition(a, b, n >= 4, immediate = false);')
        .replace('log = id;', 'log = id; seconds = previous(seconds) + timeInState();')
        .replace('block S', 'inner Real seconds(start = 0);\nblock S\nouter output Real seconds;'),
      { stopTime: 8 },
    );
    // 0 + 1 + 2 + 3 in a, where n is 1 to 4, and then 0 + 1 + 2 in b.
    expect(sequence(result, 'seconds', 7)).toEqual([0, 1, 3, 6, 6, 7, 9]);
  });

  test('reset begins anew, history goes on', async () => {
    const model = (reset: boolean) => `model M
      inner Integer x(start = 100);
      block Count
        Integer k(start = 5);
        outer output Integer x;
      equation
        k = previous(k) + 1;
        x = k;
      end Count;
      block Other
        outer output Integer x;
      equation
        x = previous(x) + 10;
      end Other;
      Count a;
      Other b;
    equation
      initialState(a);
      transition(a, b, ticksInState() >= 2, immediate = false);
      transition(b, a, true, immediate = false, reset = ${reset});
      when Clock(1, 1) then
        assert(x > 0, "");
      end when;
    end M;`;
    const anew = await done(model(true), { stopTime: 8 });
    expect(sequence(anew, 'x', 7)).toEqual([6, 7, 17, 6, 7, 17, 6]);
    const on = await done(model(false), { stopTime: 8 });
    expect(sequence(on, 'x', 7)).toEqual([6, 7, 17, 8, 9, 19, 10]);
    expect(sequence(on, 'a.k', 7)).toEqual([6, 7, 7, 8, 9, 9, 10]);
  });

  const nested = (flags: string) => `model M
    inner Integer n(start = 0);
    block Steps
      parameter Integer steps;
      block S end S;
      S s1, s2, s3;
    equation
      initialState(s1);
      transition(s1, s2, ticksInState() >= steps, immediate = false);
      transition(s2, s3, ticksInState() >= steps, immediate = false);
    end Steps;
    block Both
      Steps left(steps = 1), right(steps = 2);
    end Both;
    block Pause
      outer output Integer n;
    equation
      n = previous(n) + 1;
    end Pause;
    Both work;
    Pause pause;
  equation
    initialState(work);
    transition(work, pause, ${flags});
    transition(pause, work, ticksInState() >= 2, immediate = false);
    when Clock(1, 1) then
      assert(n >= 0, "");
    end when;
  end M;`;

  test('synchronize waits for all machines inside', async () => {
    const result = await done(nested('true, immediate = false, synchronize = true'), { stopTime: 14 });
    // right: s1 at 0, 1, s2 at 2, 3, s3 at 4; the transition fires one tick later.
    const active = [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0];
    expect(sequence(result, 'work.active', 13)).toEqual(active);
    expect(sequence(result, 'work.right.s3.active', 13)).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0]);
    expect(sequence(result, 'work.left.s3.active', 6)).toEqual([0, 0, 1, 1, 1, 0]);
  });

  test('synchronize of an immediate transition', async () => {
    const result = await done(nested('true, synchronize = true'), { stopTime: 14 });
    expect(sequence(result, 'work.active', 8)).toEqual([1, 1, 1, 1, 1, 0, 0, 1]);
  });

  test('machines inside a state that is entered with history go on where they were', async () => {
    const text = nested('ticksInState() >= 3, immediate = false').replace(
      'transition(pause, work, ticksInState() >= 2, immediate = false)',
      'transition(pause, work, ticksInState() >= 2, immediate = false, reset = false)',
    );
    const result = await done(text, { stopTime: 14 });
    expect(sequence(result, 'work.active', 8)).toEqual([1, 1, 1, 0, 0, 1, 1, 1]);
    // s2 of right is active at ticks 2 and, after the pause, 5; its count begins anew.
    expect(sequence(result, 'work.right.s2.active', 8)).toEqual([0, 0, 1, 0, 0, 1, 1, 0]);
  });

  test('machines on a sub-sampled and on an event clock', async () => {
    const model = (clock: string) => `model M
      block S end S;
      S a, b;
      Integer n(start = 0);
      Boolean up = mod(time, 1) >= 0.5;
      Clock c = ${clock};
    equation
      when c then
        n = previous(n) + 1;
      end when;
      initialState(a);
      transition(a, b, n >= 3, immediate = false);
    end M;`;
    const slow = await done(model('subSample(Clock(1, 10), 5)'), { stopTime: 3 });
    expect(slow.table.value('a.active', 1.4)).toBe(1);
    expect(slow.table.value('b.active', 1.4)).toBe(0);
    expect(slow.table.value('b.active', 1.6)).toBe(1);
    const events = await done(model('Clock(up)'), { stopTime: 6 });
    // Ticks at 0.5, 1.5, …: n is 3 at 2.5, and the transition fires at the next tick.
    expect([0.4, 0.6, 2.6, 3.4].map((t) => events.table.value('n', t))).toEqual([0, 1, 3, 3]);
    expect([2.6, 3.4, 3.6].map((t) => events.table.value('b.active', t))).toEqual([0, 0, 1]);
  });

  test('outputs of states that are connected are one signal', async () => {
    const result = await done(
      `model M
        connector Out = output Integer;
        connector In = input Integer;
        block S
          parameter Integer step;
          Integer k(start = 0);
          Out y;
        equation
          k = previous(k) + 1;
          y = step*k;
        end S;
        block Sink
          In u;
          Integer sum(start = 0);
        equation
          sum = previous(sum) + u;
        end Sink;
        S a(step = 1), b(step = 10);
        Sink sink;
      equation
        connect(a.y, sink.u);
        connect(b.y, sink.u);
        initialState(a);
        transition(a, b, ticksInState() >= 2, immediate = false);
        transition(b, a, ticksInState() >= 3, immediate = false);
        when Clock(1, 2) then
          assert(sink.sum >= 0, "");
        end when;
      end M;`,
      { stopTime: 4 },
    );
    expect(sequence(result, 'sink.u', 7, 0.5)).toEqual([1, 2, 10, 20, 30, 1, 2]);
    expect(sequence(result, 'sink.sum', 7, 0.5)).toEqual([1, 3, 13, 33, 63, 64, 66]);
  });

  test('implicit equations in a state', async () => {
    const result = await done(
      `model M
        block S
          Real x(start = 1), y;
        equation
          x^3 + x = y;
          y = 2 + previous(x);
        end S;
        block T end T;
        S s;
        T t;
      equation
        initialState(s);
        transition(s, t, ticksInState() >= 2, immediate = false);
        transition(t, s, ticksInState() >= 2, immediate = false, reset = false);
        when Clock(1, 1) then
          assert(s.x > 0, "");
        end when;
      end M;`,
      { stopTime: 6 },
    );
    let x = 1;
    const xs = [true, true, false, false, true].map((active) => {
      const y = 2 + x;
      for (let i = 0; active && i < 60; i++) x -= (x ** 3 + x - y) / (3 * x * x + 1);
      return x;
    });
    for (const [k, value] of xs.entries())
      expect(Math.abs(result.table.value('s.x', k + 0.5) - value)).toBeLessThan(1e-9);
  });
});

describe('errors', () => {
  async function problem(text: string): Promise<string> {
    const diagnostics = await run(text).then(
      (result) => result.diagnostics,
      (failure: Failure) => failure.diagnostics,
    );
    const found = diagnostics.find((d) => d.severity === 'error')!;
    return `${found.span?.source.text.slice(0, found.span.start).split('\n').length}: ${found.message}`;
  }
  const machine = (transition: string, state = 'n = previous(n) + 1;') =>
    `model M\ninner Integer n(start = 0);\nblock S\nouter output Integer n;\nequation\nwhen Clock(1, 10) then\n${state}\nend when;\nend S;\nblock T end T;\nS s;\nT t;\nequation\ninitialState(s);\n${transition}\nend M;`;

  test('an immediate condition on what the states compute', async () => {
    expect(await problem(machine('transition(s, t, n >= 3);'))).toBe(
      '15: Whether this transition fires depends on n, and at the same tick n on whether it fires.',
    );
  });

  test('a condition in continuous time', async () => {
    const text = machine('transition(s, t, late);').replace('T t;', 'T t; Boolean late = time > 1;');
    expect(await problem(text)).toMatch(/^15: .* is clocked and `late` is in continuous time/);
  });

  test('a condition that contains time', async () => {
    const late = machine('transition(s, t, n >= 1 and time > 1, immediate = false);');
    expect(await problem(late)).toBe(
      '15: This transition is in continuous time (its condition contains `time`), but its state machine is clocked.',
    );
    const ended = machine('transition(s, t, terminal());');
    expect(await problem(ended)).toMatch(/^15: .*its condition contains `terminal`/);
    const sampled = machine('transition(s, t, sample(time) > 1);');
    expect((await run(sampled)).status).toBe('done');
  });

  test('actions', async () => {
    expect(
      await problem(machine('transition(s, t, n >= 3, immediate = false, actions = {reinit(n, 0)});')),
    ).toMatch(/^15: .*no actions/);
  });

  test('ticks of a machine in continuous time', async () => {
    expect(
      await problem(
        'model M\nblock S end S;\nS a, b;\nequation\ninitialState(a);\ntransition(a, b, ticksInState() > 3);\nend M;',
      ),
    ).toMatch(/^6: .*not clocked/);
  });

  test('a continuous-time equation in a state of a clocked machine', async () => {
    expect(
      await problem(
        machine('transition(s, t, n >= 3, immediate = false);', 'n = previous(n) + 1;').replace(
          'outer output Integer n;',
          'outer output Integer n;\nReal x(start = 0, fixed = true) = time;',
        ),
      ),
    ).toMatch(/continuous time/);
  });
});

test('the time in a state begins at the tick that enters it, for delayed transitions too', async () => {
  const { table } = await done(
    `model Lamp
       block A
         Integer n(start = 0);
       equation
         when Clock(1, 5) then n = previous(n) + 1; end when;
       end A;
       block B
         Integer m(start = 0);
       equation
         m = previous(m) + 1;
       end B;
       A a;
       B b;
     equation
       initialState(a);
       transition(a, b, a.n >= 7, immediate = false);
       transition(b, a, timeInState() >= 1, immediate = false);
     end Lamp;`,
    { stopTime: 4 },
  );
  // n = 7 at 1.2 s, so b begins at 1.4 s; its condition holds at 2.4 s, so a begins again at 2.6 s.
  expect([1.3, 1.5, 2.5, 2.7].map((t) => table.value('b.active', t))).toEqual([0, 1, 1, 0]);
});
