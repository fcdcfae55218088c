/** State machines in continuous time, against closed forms (catalogue A of multi-mode models). */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, surveyModes } from '../../src/index.ts';
import { close, done, run } from './notation.ts';

const automaton = (states: string, equations: string) => `model Automaton
    ${states}
    Boolean a = time > 2.5;
  equation
    ${equations}
    transition(mode2, mode3, a);
    annotation(experiment(StopTime = 9));
  end Automaton;`;

/** Time of the transition from mode3 to mode1: x grows from 4 exp(-1.5) at 2.5 with rate 1 + sin(t + 0.5) up to 3. */
function thirdChange(): number {
  const x = (t: number) => 4 * Math.exp(-1.5) + (t - 2.5) + Math.cos(3) - Math.cos(t + 0.5);
  let [low, high] = [2.5, 9];
  for (let k = 0; k < 200; k++) {
    const t = (low + high) / 2;
    if (x(t) < 3) low = t;
    else high = t;
  }
  return high;
}

describe('hybrid automaton', () => {
  const shared = automaton(
    `inner Real x(start = 1, fixed = true);
     block Mode1 outer output Real x; equation der(x) = 1; end Mode1;
     block Mode2 outer output Real x; equation der(x) = -x; end Mode2;
     block Mode3 outer output Real x; equation der(x) = 1 + sin(time + 0.5); end Mode3;
     Mode1 mode1; Mode2 mode2; Mode3 mode3;`,
    `initialState(mode1);
     transition(mode1, mode2, x > 2, actions = {reinit(x, 2*x)});
     transition(mode3, mode1, x >= 3, actions = {reinit(x, 1)});`,
  );

  test('a shared variable keeps its value, entry actions change it, states cascade at one instant', async () => {
    const { table, modes } = await done(shared, { model: 'Automaton', intervals: 90 });
    close(table.value('x', 0.5), 1.5);
    close(table.value('x', 1, 'before'), 2, 1e-8);
    close(table.value('x', 2.5), 4 * Math.exp(-1.5), 1e-7);
    close(table.value('x', 3), 1.3389848313, 1e-7);
    close(table.value('x', 6), 2.4259405183, 1e-7);
    const change = thirdChange();
    close(change, 6.4083428106, 1e-9);
    const entered = modes.filter((m) => m.signature === 'mode1').map((m) => m.from);
    close(entered[1]!, change, 1e-7);
    // One second later x = 2 leads through mode2 and mode3 back to mode1 at once.
    close(table.value('x', change + 0.5), 1.5, 1e-6);
    close(table.value('x', change + 1.5), 1.5, 1e-6);
    expect(modes.map((m) => m.signature)).toEqual(['mode1', 'mode2', 'mode3', 'mode1']);
  });
});

test('local variables of states, merged by an equation, give the same automaton', async () => {
  const { table, modes } = await done(
    `model Merged
       block Mode1 Real x(start = 1, fixed = true); equation der(x) = 1; end Mode1;
       block Mode2 Real x(fixed = true); equation der(x) = -x; end Mode2;
       block Mode3 Real x(fixed = true); equation der(x) = 1 + sin(time + 0.5); end Mode3;
       Mode1 mode1;
       Mode2 mode2(x(start = 2*x));
       Mode3 mode3(x(start = x));
       Real x = if activeState(mode1) then mode1.x elseif activeState(mode2) then mode2.x else mode3.x;
     equation
       initialState(mode1);
       transition(mode1, mode2, x > 2);
       transition(mode2, mode3, time > 2.5);
       transition(mode3, mode1, x >= 3);
     end Merged;`,
    { model: 'Merged', stopTime: 7, intervals: 70 },
  );
  close(table.value('x', 2.5), 4 * Math.exp(-1.5), 1e-7);
  close(table.value('x', 3), 1.3389848313, 1e-7);
  close(table.value('x', 6), 2.4259405183, 1e-7);
  close(modes[3]!.from, thirdChange(), 1e-7);
  expect(table.value('mode1.x', 2)).toBeNaN();
});

describe('states with their own variables', () => {
  const unrelated = `model Unrelated
      block Oscillator Real p(start = 1, fixed = true), q(start = 0, fixed = true); equation der(p) = q; der(q) = -p; end Oscillator;
      block Delay
        Real x1(start = 0, fixed = true), x2(start = 0, fixed = true), x3(start = 0, fixed = true);
      equation
        0.2*der(x1) = 1 - x1;
        0.2*der(x2) = x1 - x2;
        0.2*der(x3) = x2 - x3;
      end Delay;
      Oscillator state1;
      Delay state2;
    equation
      initialState(state1);
      transition(state1, state2, time >= 1.5);
      annotation(experiment(StopTime = 2.5));
    end Unrelated;`;

  test('exist only while their state is active', async () => {
    const { table, modes } = await done(unrelated, { model: 'Unrelated' });
    close(table.value('state1.p', 1.5, 'before'), Math.cos(1.5));
    expect(table.value('state1.p', 2)).toBeNaN();
    expect(table.value('state2.x1', 1)).toBeNaN();
    const s = 5;
    close(table.value('state2.x3', 2.5), 1 - Math.exp(-s) * (1 + s + s ** 2 / 2));
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['state1', 2],
      ['state2', 3],
    ]);
  });

  test.each([
    [false, 2, 1.5],
    [true, 1, 0.5],
  ])('reset = %s: values at re-entry', async (reset, final, between) => {
    const { table } = await done(
      `model Toggle
         parameter Boolean r = false;
         block S Real x(start = 0, fixed = true); equation der(x) = 1; end S;
         S A, B;
       equation
         initialState(A);
         transition(A, B, timeInState() >= 1, reset = r);
         transition(B, A, timeInState() >= 1, reset = r);
       end Toggle;`,
      { model: 'Toggle', stopTime: 3.9, intervals: 39, set: { r: reset } },
    );
    close(table.value('A.x', 3, 'before'), final, 1e-9);
    close(table.value('A.x', 2.5), between, 1e-9);
    expect(table.value('A.x', 1.5)).toBeNaN();
  });

  test('thermostat', async () => {
    const { table, modes } = await done(
      `model Thermostat
         inner Real T(start = 20, fixed = true);
         block Off outer output Real T; equation der(T) = -0.1*T; end Off;
         block On outer output Real T; equation der(T) = 5 - 0.1*T; end On;
         Off off; On on;
       equation
         initialState(off);
         transition(off, on, T <= 18);
         transition(on, off, T >= 22);
       end Thermostat;`,
      { model: 'Thermostat', stopTime: 24 },
    );
    close(modes[1]!.from, 1.0536051566, 1e-7);
    close(modes[2]!.from - modes[1]!.from, 1.3353139262, 1e-7);
    close(modes[3]!.from - modes[2]!.from, 2.0067069546, 1e-7);
    close(table.value('T', 24), 18.8242680319);
  });
});

describe('transitions', () => {
  const machine = (transitions: string) => `model M
      block S Real y = 1; end S;
      S A, B, C;
    equation
      initialState(A);
      ${transitions}
    end M;`;

  test('the smallest priority number wins', async () => {
    const { modes } = await done(
      machine(
        'transition(A, B, time > 0.5, priority = 2); transition(A, C, time > 0.5, priority = 1); transition(B, C, false);',
      ),
      { model: 'M' },
    );
    expect(modes.map((m) => m.signature)).toEqual(['A', 'C']);
  });

  test('initial() is true at initialisation: the transition fires at once, and never again', async () => {
    const { table, modes } = await done(
      `model M
         inner Real x(start = 1, fixed = true);
         block S parameter Real k; outer output Real x; equation der(x) = k; end S;
         S A(k = 1), B(k = 2), C(k = -1);
         Boolean first = initial();
       equation
         initialState(A);
         transition(A, B, first, actions = {reinit(x, x + 3)});
         transition(B, C, initial(), priority = 1);
         transition(B, A, time > 0.5, priority = 2);
       end M;`,
      { model: 'M' },
    );
    expect(modes.map((m) => m.signature)).toEqual(['A', 'B', 'A']);
    expect(modes.map((m) => m.from)).toEqual([0, 0, 0.5]);
    close(table.value('x', 0.5), 5);
    close(table.value('x', 1), 5.5);
  });

  test('initial() with a delay: one iteration later', async () => {
    const { modes } = await done(machine('transition(A, B, initial(), immediate = false);'), { model: 'M' });
    expect(modes.map((m) => m.signature)).toEqual(['A', 'B']);
  });

  test('a delayed transition fires one iteration later', async () => {
    const { modes } = await done(
      machine(
        'transition(A, B, time > 0.5, immediate = false, priority = 1); transition(A, C, time > 0.5, priority = 2);',
      ),
      { model: 'M' },
    );
    expect(modes.map((m) => m.signature)).toEqual(['A', 'C']);
  });

  test('a livelock is diagnosed with its states', async () => {
    const { status, diagnostics } = await run(
      machine('transition(A, B, true); transition(B, A, true); transition(B, C, false, priority = 2);'),
      { model: 'M' },
    );
    expect(status).toBe('failed');
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('event-cycle');
    expect(problem.message).toMatch(/A -> B/);
    expect(problem.span).toBeDefined();
  });

  test('machines inside states begin anew with their state; synchronised transitions wait for their end', async () => {
    const { modes } = await done(
      `model Nested
         block Leaf Real y = 1; end Leaf;
         block Work
           Leaf first, second;
         equation
           initialState(first);
           transition(first, second, timeInState() >= 1);
         end Work;
         Work work;
         Leaf rest;
       equation
         initialState(work);
         transition(work, rest, time > 0.5, synchronize = true);
         transition(rest, work, timeInState() >= 0.5);
       end Nested;`,
      { model: 'Nested', stopTime: 2.8 },
    );
    expect(modes.map((m) => [m.signature, Math.round(m.from * 10) / 10])).toEqual([
      ['work, work.first', 0],
      ['rest', 1],
      ['work, work.first', 1.5],
      ['rest', 2.5],
    ]);
  });

  test.each([
    [
      'no initial state',
      machine('').replace('initialState(A);', 'transition(A, B, time > 1); transition(B, C, time > 2);'),
      'bad-call',
      'initial state',
    ],
    ['a state that is no component', machine('transition(A, time, true);'), 'type-mismatch', 'component'],
    ['no condition', machine('transition(A, B);'), 'bad-call', 'condition'],
    ['an unknown argument', machine('transition(A, B, true, prio = 2);'), 'bad-call', 'prio'],
  ])('%s is a mistake that is explained', async (_, text, code, word) => {
    const { loadModel, Failure } = await import('../../src/index.ts');
    try {
      loadModel(text, 'M');
      expect.unreachable();
    } catch (problem) {
      expect(problem).toBeInstanceOf(Failure);
      const [first] = (problem as InstanceType<typeof Failure>).diagnostics;
      expect(first!.code).toBe(code);
      expect(first!.message).toContain(word);
      expect(first!.span).toBeDefined();
    }
  });
});

describe('acausal states: only connectors of active states take part in connections', () => {
  const parts = `
    connector Pin Real v; flow Real i; end Pin;
    partial model Two Pin p, n; Real v, i; equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end Two;
    model C extends Two; parameter Real C = 1; equation C*der(v) = i; end C;
    model R extends Two; parameter Real R = 1; equation v = R*i; end R;
    model G Pin p; equation p.v = 0; end G;
    model V extends Two; parameter Real V = 1; equation v = V; end V;`;

  test('a capacitor is replaced by a resistor (figure 7)', async () => {
    const { table, modes } = await done(
      `package Circuits ${parts}
         model Replaced
           V s(V = 10);
           R r1(R = 10), r2(R = 5);
           C c(C = 0.01, v(start = 0, fixed = true));
           G g;
         equation
           connect(s.p, r1.p);
           connect(r1.n, c.p);
           connect(r1.n, r2.p);
           connect(c.n, s.n);
           connect(r2.n, s.n);
           connect(s.n, g.p);
           initialState(c);
           transition(c, r2, time >= 0.5);
         end Replaced;
       end Circuits;`,
      { model: 'Circuits.Replaced', stopTime: 1 },
    );
    close(table.value('r1.n.v', 0.5, 'before'), 9.93262053);
    close(table.value('r1.n.v', 0.5, 'after'), 10 / 3);
    close(table.value('s.i', 0.5, 'before'), -0.006737947, 1e-5);
    close(table.value('s.i', 0.5, 'after'), -2 / 3);
    expect(table.value('c.v', 0.75)).toBeNaN();
    expect(table.value('r2.i', 0.25)).toBeNaN();
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['c', 1],
      ['r2', 0],
    ]);
  });

  const parallel = `package Circuits ${parts}
      model Parallel
        parameter Boolean reset = false;
        V s(V = 10);
        R r1(R = 100), r2(R = 50);
        C c2(C = 2e-3, v(start = 0, fixed = true)), c1(C = 1e-3, v(start = 0, fixed = reset));
        G g;
      equation
        connect(s.p, r1.p);
        connect(r1.n, c2.p);
        connect(c2.p, c1.p);
        connect(c2.p, r2.p);
        connect(c1.n, g.p);
        connect(r2.n, g.p);
        connect(c2.n, g.p);
        connect(s.n, g.p);
        initialState(c1);
        transition(c1, r2, time >= 0.5 and time < 1);
        transition(r2, c1, time >= 1, reset = reset);
      end Parallel;
    end Circuits;`;

  test.each([
    [false, 4.9277319379, 9.8190519429],
    [true, 2.2239839474, 9.7225984551],
  ])('parallel capacitors (figure 14), re-entered with reset = %s', async (reset, after, final) => {
    const { table, modes, impulses } = await done(parallel, {
      model: 'Circuits.Parallel',
      stopTime: 2,
      set: { reset },
    });
    close(table.value('c2.v', 0.5), 8.1112439716);
    close(table.value('c2.v', 1, 'before'), 3.335975921);
    close(table.value('c2.v', 1, 'after'), after);
    close(table.value('c2.v', 2), final);
    expect(modes.map((m) => [m.signature, m.states.length, m.index])).toEqual([
      ['c1', 1, 2],
      ['r2', 1, 1],
      ['c1', 1, 2],
    ]);
    const charge = impulses.find((i) => i.variable === 'c1.i')!;
    const own = reset ? 0 : 8.1112439716e-3;
    close(charge.weight, 1e-3 * after - own, 1e-5);
  });
});

describe('what lies inside states that are not active', () => {
  const nested = `model Nested
      block Rising
        Real x(start = 0, fixed = true), y;
        Boolean high = x > 0.3;
      equation
        der(x) = 1;
        if high then y = 2*x; else der(y) = 1; end if;
      end Rising;
      block Waiting
        Real z(start = 0, fixed = true);
      equation
        der(z) = if time > 0.15 then 2 else 1;
      end Waiting;
      Rising rising;
      Waiting waiting;
      Real n(start = 0, fixed = true);
    equation
      der(n) = 1;
      initialState(rising);
      transition(rising, waiting, time >= 0.7 and time < 0.8);
      transition(waiting, rising, n > 0.9 or n > 0.5 and time > 2);
      annotation(experiment(StopTime = 1.1));
    end Nested;`;

  test('is in no signature and causes no events', async () => {
    const { modes, statistics, table } = await done(nested, { model: 'Nested' });
    expect(modes.map((m) => [m.signature, Math.round(m.from * 1e6) / 1e6])).toEqual([
      ['rising, not rising.high', 0],
      ['rising, rising.high', 0.3],
      ['waiting', 0.7],
      ['rising, not rising.high', 0.9],
    ]);
    // Neither n > 0.5 nor time > 0.15 while rising, nor time < 0.8 while waiting.
    expect(statistics.events).toBe(3);
    close(table.value('waiting.z', 0.8), 0.2);
  });

  test('makes no modes in a survey', () => {
    const { modes, complete } = surveyModes(loadModel(loadText(nested), 'Nested'));
    expect(complete).toBe(true);
    expect(modes.map((m) => m.signature).toSorted()).toEqual([
      'rising, not rising.high',
      'rising, rising.high',
      'waiting',
    ]);
  });
});

test('activeState of a state inside another one is false while that is not active', async () => {
  const { table } = await done(
    `model M
       block Step Real u = time; end Step;
       block Outer
         Step s1, s2;
         Boolean inside = activeState(s2);
       equation
         initialState(s1);
         transition(s1, s2, time > 0.25);
       end Outer;
       block Other Real q = time; end Other;
       Outer a;
       Other b;
       Boolean in1 = activeState(a.s1), in2 = activeState(a.s2);
       Real x(start = 0, fixed = true);
     equation
       der(x) = if activeState(a.s2) then 1 else 0;
       initialState(a);
       transition(a, b, time > 0.5 and time <= 0.75);
       transition(b, a, time > 0.75, reset = false);
     end M;`,
    { model: 'M' },
  );
  const at = (name: string) => [0.1, 0.4, 0.6, 0.9].map((t) => table.value(name, t));
  expect(at('in1')).toEqual([1, 0, 0, 0]);
  expect(at('in2')).toEqual([0, 1, 0, 1]);
  expect(at('a.inside')).toEqual([0, 1, Number.NaN, 1]);
  close(table.value('x', 1), 0.5);
});

describe('a variable that the active state does not assign', () => {
  const shared = (initial: string) => `model Shared
      inner Real y(start = 7);
      inner Integer n(start = 3);
      inner Real x(start = 1, fixed = true);
      block A
        outer output Real y, x;
        outer output Integer n;
      equation
        y = 1 + time;
        n = if time > 0.2 then 5 else 4;
        der(x) = 2;
      end A;
      block B Real q(start = 0, fixed = true); equation der(q) = 1; end B;
      block C outer output Integer n; equation n = 9; end C;
      A a;
      B b;
      C c;
      Real z = 2*y;
      Integer m = n + 1;
    equation
      initialState(${initial});
      transition(a, b, time >= 0.5 and time < 0.6);
      transition(b, a, time >= 0.75 and time < 0.8, actions = {reinit(x, 10)});
      transition(a, c, time >= 0.9, priority = 2);
    end Shared;`;

  test('inside a state belongs to the machines in there alone', async () => {
    const { table } = await done(
      `model M
        model Tank
          inner Real z(start = 0, fixed = true);
          block Fill outer output Real z; equation der(z) = 2; end Fill;
          block Rest end Rest;
          Fill fill; Rest rest;
        equation
          initialState(fill);
          transition(fill, rest, z >= 0.5);
        end Tank;
        block Away Real t = timeInState(); end Away;
        Tank tank; Away away;
      equation
        initialState(tank);
        transition(tank, away, time >= 1 and time < 2);
        transition(away, tank, time >= 2);
      end M;`,
      { model: 'M', stopTime: 2.5, tolerance: 1e-9 },
    );
    for (const [time, value] of [
      [0.125, 0.25],
      [0.75, 0.5],
      [2.125, 0.25],
      [2.4, 0.5],
    ] as const)
      close(table.value('tank.z', time), value, 1e-7);
    expect(table.value('tank.z', 1.5)).toBeNaN();
  });

  test('keeps its last value, whether it is algebraic, discrete or a state elsewhere', async () => {
    const { table, modes } = await done(shared('a'), { model: 'Shared', intervals: 20 });
    expect(modes.map((m) => m.signature)).toEqual(['a', 'b', 'a', 'c']);
    for (const t of [0.55, 0.7]) {
      close(table.value('y', t), 1.5, 1e-9);
      close(table.value('z', t), 3, 1e-9);
      close(table.value('x', t), 2, 1e-9);
      expect([table.value('n', t), table.value('m', t)]).toEqual([5, 6]);
    }
    close(table.value('y', 0.8), 1.8, 1e-9);
    close(table.value('x', 0.8), 10.1, 1e-9);
    close(table.value('y', 1), 1.9, 1e-9);
    close(table.value('x', 1), 10.3, 1e-9);
    expect(table.value('n', 1)).toBe(9);
  });

  test('begins with its start value', async () => {
    const { table } = await done(shared('b'), { model: 'Shared', stopTime: 0.4 });
    expect([table.value('y', 0.3), table.value('n', 0.3), table.value('x', 0.3)]).toEqual([7, 3, 1]);
  });

  test('is an error where a state declares it and does not determine it', async () => {
    const { diagnostics } = await run(
      `model Wrong
         inner Real y;
         block A outer output Real y; Real k = 2*y; end A;
         block B end B;
         A a;
         B b;
       equation
         initialState(a);
         transition(a, b, time > 0.5);
       end Wrong;`,
      { model: 'Wrong' },
    );
    expect(diagnostics.map((d) => d.code)).toContain('unbalanced');
  });
});

test('discrete variables that only actions assign', async () => {
  const { table } = await done(
    `model Counter
       block S end S;
       block T Integer k(start = 7); end T;
       S a;
       T b;
       Integer count(start = 0, fixed = true);
       discrete Real level(start = 2, fixed = true);
       Boolean odd(start = false);
       Real z = count + level;
     equation
       initialState(a);
       transition(a, b, timeInState() >= 0.1,
         actions = {reinit(count, count + 1), reinit(level, 2*level), reinit(odd, not odd), reinit(b.k, 10*count)});
       transition(b, a, timeInState() >= 0.1);
     end Counter;`,
    { model: 'Counter', stopTime: 0.95, intervals: 19 },
  );
  // Entered at 0.1, 0.3, 0.5, …
  expect([0.05, 0.15, 0.35, 0.55].map((t) => table.value('count', t))).toEqual([0, 1, 2, 3]);
  expect([0.05, 0.15, 0.35, 0.55].map((t) => table.value('level', t))).toEqual([2, 4, 8, 16]);
  expect([0.05, 0.15, 0.35, 0.55].map((t) => table.value('odd', t))).toEqual([0, 1, 0, 1]);
  expect([0.15, 0.35, 0.55].map((t) => table.value('b.k', t))).toEqual([0, 10, 20]);
  close(table.value('z', 0.95), 5 + 64, 1e-12);
});

test('integer-valued functions inside a state exist as long as it', async () => {
  const { table } = await done(
    `model Stairs
       block A Real x(start = 0, fixed = true), n; equation der(x) = 5; n = floor(x); end A;
       block B end B;
       A a;
       B b;
     equation
       initialState(a);
       transition(a, b, time >= 0.5);
     end Stairs;`,
    { model: 'Stairs', intervals: 20 },
  );
  expect([0.15, 0.25, 0.45].map((t) => table.value('a.n', t))).toEqual([0, 1, 2]);
  expect(table.value('a.n', 0.7)).toBeNaN();
});

describe('a shared variable that a state declares', () => {
  const shared = (b: string, outside: string) => `model M
      inner Real y;
      Real z;
      block A outer output Real y; equation y = time; end A;
      block B outer output Real y; ${b} end B;
      A a;
      B b;
    equation
      ${outside}
      initialState(a);
      transition(a, b, time > 0.5);
    end M;`;

  test('must be determined in it', async () => {
    const { status, diagnostics } = await run(shared('Real q = 2;', 'z = 1;'), { model: 'M' });
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({
      code: 'unbalanced',
      message: 'The state b declares y as `outer output`, but no equation determines it there.',
    });
    expect(diagnostics[0]!.hint).toContain('remove its declaration there: then it keeps its last value');
  });

  test('may be determined by an equation outside', async () => {
    const { table } = await done(shared('', 'y + z = 3; if activeState(b) then y = 2*z; end if;'), {
      model: 'M',
    });
    close(table.value('y', 0.25), 0.25);
    close(table.value('y', 1), 2);
  });
});

describe('initial equations of a state', () => {
  const begins = (initial: string, reset = true) => `model Begins
      block A Real x(start = 0, fixed = true); equation der(x) = 1; end A;
      block B
        Real y(start = 100), z(start = 100);
      ${initial}
      equation
        der(y) = 5 - y;
        der(z) = y;
      end B;
      A a;
      B b;
    equation
      initialState(a);
      transition(a, b, time >= 0.25 and time < 0.3 or time >= 0.75, reset = ${reset});
      transition(b, a, time >= 0.5 and time < 0.6);
    end Begins;`;

  test('hold whenever it is entered with reset: derivatives and relations between variables', async () => {
    const { table } = await done(begins('initial equation y = 3*z; der(y) = 2;'), { model: 'Begins' });
    for (const t of [0.25, 0.75]) {
      close(table.value('b.y', t, 'after'), 3, 1e-9);
      close(table.value('b.z', t, 'after'), 1, 1e-9);
    }
    close(table.value('b.y', 1), 5 - 2 * Math.exp(-0.25));
  });

  test('do not hold when it is entered again without reset', async () => {
    const { table } = await done(begins('initial equation y = 3*z; der(y) = 2;', false), { model: 'Begins' });
    close(table.value('b.y', 0.25, 'after'), 3, 1e-9);
    close(table.value('b.y', 0.75, 'after'), 5 - 2 * Math.exp(-0.25));
  });

  test('that are too few leave the rest to start values', async () => {
    const { table } = await done(begins('initial equation y = time;'), { model: 'Begins' });
    close(table.value('b.y', 0.75, 'after'), 0.75, 1e-9);
    close(table.value('b.z', 0.75, 'after'), 100, 1e-9);
  });

  test('that contradict each other are an error with both', async () => {
    const { diagnostics, status, time } = await run(begins('initial equation y = 1; z = 2; y + z = 4;'), {
      model: 'Begins',
    });
    expect([status, time]).toEqual(['failed', 0.25]);
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('initial-overdetermined');
    expect(problem.notes[0]!.message).toContain('b.y + b.z = 4 does not hold');
  });

  test('may set a variable that states share', async () => {
    const { table } = await done(
      `model Shared
         inner Real x(start = 0, fixed = true);
         block A outer output Real x; equation der(x) = 1; end A;
         block B outer output Real x; initial equation x = 10; equation der(x) = -1; end B;
         A a;
         B b;
       equation
         initialState(a);
         transition(a, b, x >= 0.5);
       end Shared;`,
      { model: 'Shared' },
    );
    close(table.value('x', 0.5, 'before'), 0.5, 1e-9);
    close(table.value('x', 1), 9.5, 1e-9);
  });

  test('leave what is constrained anew to the balances', async () => {
    // The wheel turns with 8 when it is attached to one with 4: the momentum 2*4 + 1*8 = 16 is shared by an inertia of 3.
    const { table, impulses } = await done(
      `model Attached
         block Free outer output Real g; equation g = 0; end Free;
         block Wheel
           outer Real w;
           Real w2(start = 8, fixed = true), phi, f;
           outer output Real g;
         initial equation
           phi = 3*time;
         equation
           der(phi) = w2;
           der(w2) = f;
           g = -f;
           w2 = w;
         end Wheel;
         inner Real w(start = 4, fixed = true);
         inner Real g;
         Free free;
         Wheel wheel;
       equation
         2*der(w) = g;
         initialState(free);
         transition(free, wheel, time >= 0.5);
       end Attached;`,
      { model: 'Attached' },
    );
    close(table.value('w', 1), 16 / 3, 1e-9);
    close(table.value('wheel.phi', 1), 1.5 + 0.5 * (16 / 3), 1e-9);
    close(impulses.find((i) => i.variable === 'g')!.weight, 2 * (16 / 3 - 4), 1e-9);
  });
});

test.each(['', 'initial equation k = 5;'])(
  'start values may use each other in any order %s',
  async (initial) => {
    const { table } = await done(
      `model Starts
       block A Real q(start = 2, fixed = true); equation der(q) = 1; end A;
       block B
         Real y(start = u + v, fixed = true), u(start = 3*v, fixed = true), v(start = base + time, fixed = true);
         Real k(start = 5);
         Real base = 7;
       ${initial}
       equation
         der(u) = 0;
         der(v) = 0;
         der(y) = 0;
         der(k) = 0;
       end B;
       A a;
       B b;
     equation
       initialState(a);
       transition(a, b, time >= 0.5);
     end Starts;`,
      { model: 'Starts' },
    );
    expect(['v', 'u', 'y', 'k'].map((name) => table.value(`b.${name}`, 1))).toEqual([7.5, 22.5, 30, 5]);
  },
);

describe('actions at one instant', () => {
  const model = (rest: string) => `model Two
      block Phase end Phase;
      Real x(start = 0, fixed = true), z = -x;
      Phase a1, a2, b1, b2;
    equation
      der(x) = 1;
      initialState(a1);
      initialState(b1);
      ${rest}
    end Two;`;
  const first = 'transition(a1, a2, x >= 1, actions = {reinit(x, 5)});';

  test.each([
    ['two machines', `${first} transition(b1, b2, x >= 1, actions = {reinit(x, 7)});`, '5 and 7'],
    ['a machine and a when-clause', `${first} when x >= 1 then reinit(x, 7); end when;`, '7 and 5'],
  ])('of %s that contradict each other are an error', async (_name, rest, values) => {
    const { status, diagnostics } = await run(model(rest), { model: 'Two', stopTime: 2 });
    expect(status).toBe('failed');
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('bad-call');
    expect(problem.message).toMatch(
      new RegExp(`^x gets two values from reinit at time 1\\.?0*\\d*: ${values}`),
    );
    expect(problem.span).toBeDefined();
    expect(problem.notes[0]!.span).toBeDefined();
  });

  test.each([
    ['two machines', `${first} transition(b1, b2, x >= 1, actions = {reinit(x, 2 + 3)});`],
    ['a machine and a when-clause', `${first} when x >= 1 then reinit(x, 5); end when;`],
  ])('of %s that agree are none', async (_name, rest) => {
    const { table } = await done(model(rest), { model: 'Two', stopTime: 2 });
    close(table.value('x', 2), 6);
  });

  test('one after the other are none: the second waits for what the first sets', async () => {
    const { table } = await done(model(`${first} transition(b1, b2, x >= 4, actions = {reinit(x, 2*x)});`), {
      model: 'Two',
      stopTime: 2,
    });
    close(table.value('x', 2), 11);
  });
});

describe('conditions that hold only while something changes', () => {
  const toggled = (condition: string, more = '') => `model Toggled
      block S end S;
      S up, down;
      Real x(start = 0, fixed = true);
      Boolean pressed = mod(time, 0.5) < 0.25, rises = edge(pressed), tick = sample(0.5, 0.5);
      Integer presses(start = 0, fixed = true);
    equation
      when pressed then presses = pre(presses) + 1; end when;
      der(x) = if activeState(up) then 1 else -1;
      initialState(up);
      transition(up, down, ${condition}${more});
      transition(down, up, ${condition}${more});
    end Toggled;`;

  // Up until 0.5, down until 1, then up: 0.5 - 0.5 + 0.3. At the beginning, nothing has changed.
  test.each([
    ['a Boolean that becomes true', 'edge(pressed)'],
    ['a counter that changes', 'change(presses)'],
    ['written out', 'presses <> pre(presses)'],
    ['a Boolean that is equal to one', 'rises'],
    ['an instant of time', 'edge(tick)'],
  ])('%s', async (_, condition) => {
    for (const more of ['', ', immediate = false']) {
      const { table, modes } = await done(toggled(condition, more), {
        model: 'Toggled',
        stopTime: 1.3,
        intervals: 13,
      });
      close(table.value('x', 0.5), 0.5, 1e-9);
      close(table.value('x', 1), 0, 1e-9);
      close(table.value('x', 1.3), 0.3, 1e-9);
      expect(modes.map(({ signature }) => signature)).toEqual(['up', 'down', 'up']);
    }
  });

  test('beside a machine inside the state, whose own condition passes at the same instant', async () => {
    const text = `model Nested
        block S end S;
        block Outer
          S a, b;
          input Boolean u;
        equation
          initialState(a);
          transition(a, b, edge(u));
        end Outer;
        Boolean u = time >= 1, v = time >= 2;
        Outer first(u = u), second(u = v);
        Integer n(start = 0, fixed = true);
      equation
        initialState(first);
        transition(first, second, edge(u), actions = {reinit(n, if activeState(first.a) then 1 else 2)});
      end Nested;`;
    const { table } = await done(text, { model: 'Nested', stopTime: 3 });
    // The outer machine comes first: what is inside of it does not move.
    close(table.value('n', 1.5), 1);
    close(table.value('second.a.active', 1.5), 1);
    close(table.value('second.b.active', 2.5), 1);
  });
});
