/** Initial values: fixed starts, initial equations, parameters to be found, and what is wrong with them. */
import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

describe('initial conditions', () => {
  test('steady state by an initial equation', async () => {
    const { table } = await done(
      `model Steady
         Real x(start = 1);
       initial equation
         der(x) = 0;
       equation
         der(x) = 3 - x^2*x;
       end Steady;`,
    );
    close(table.value('x', 0), Math.cbrt(3), 1e-10);
    close(table.value('x', 1), Math.cbrt(3), 1e-10);
  });

  test('functions may refuse start values that are only guesses: where states are chosen, and where relations are', async () => {
    const square = `function square input Real x; output Real y; algorithm assert(x > 0.5, "too small"); y := x^2; end square;`;
    const circle = await done(
      `model Circle
         ${square}
         Real x, y;
       initial equation
         x = 1;
       equation
         der(x) + der(y) = 1;
         square(x) + square(y) = 5;
       end Circle;`,
      { stopTime: 0.1 },
    );
    // x + y = 3.1, x^2 + y^2 = 5.
    close(circle.table.value('x', 0.1), (3.1 - Math.sqrt(10 - 3.1 ** 2)) / 2, 1e-5);
    const above = await done(
      `model Above
         ${square}
         Real x;
         Boolean isAbove = square(x) > 2.25;
         Integer n = integer(square(x));
       initial equation
         x = 1;
       equation
         der(x) = 1;
       end Above;`,
    );
    expect(['isAbove', 'n'].map((name) => above.table.value(name, 0))).toEqual([0, 1]);
    expect(['isAbove', 'n'].map((name) => above.table.value(name, 0.4))).toEqual([0, 1]);
    expect(['isAbove', 'n'].map((name) => above.table.value(name, 0.6))).toEqual([1, 2]);
  });

  test('what nothing determines is told, not that a function refuses it', async () => {
    const { status, diagnostics } = await run(
      `model Closed
         function positive input Real x; output Real y; algorithm assert(x > 0, "not positive"); y := x^2; end positive;
         Real opening = if time < 1 then 0 else time - 1;
         Real dp, m, u = positive(dp + 1);
       equation
         m = opening*dp;
         m = 0;
       end Closed;`,
    );
    expect(status).toBe('failed');
    expect(diagnostics.map(({ code }) => code)).toEqual(['singular-system']);
    expect(diagnostics[0]!.message).toContain('do not determine dp at time 0');
  });

  test('a fixed start value of a discrete variable is its value before, whatever initial equations say of it', async () => {
    const discrete = (equations: string): string => `model Discrete
      discrete Real x(start = 4, fixed = true);
      parameter Real p(fixed = false, start = 1);
    equation
      when sample(0.5, 1) then x = pre(x) + 1; end when;
    initial equation
      ${equations}
    end Discrete;`;
    const { table } = await done(discrete('x = p;'));
    expect([table.value('p', 0), table.value('x', 0), table.value('x', 1)]).toEqual([4, 4, 5]);
    const { status, diagnostics } = await run(discrete('p = 1; x = 3;'));
    expect([status, diagnostics[0]!.code]).toEqual(['failed', 'initial-overdetermined']);
  });

  test.each([
    [{ r: 2 }, 3],
    [{ r: -3 }, -2],
    [{ q: 4 }, 3],
    [{ q: -6 }, -2],
    [{ e: 8 }, 3],
    [{ s: 10, e: -8 }, -2],
  ])('start values %o say where other unknowns begin', async (starts: Record<string, number>, b) => {
    const start = (name: string) => (name in starts ? `(start = ${starts[name]})` : '');
    const { table } = await done(
      `model Two "b*(b - 1) = 6 has the solutions 3 and -2"
         parameter Real a = 1;
         Real b;
         Real r${start('r')} = b - a;
         Real q${start('q')} = 2*r;
         Real e${start('e')}, s${start('s')};
       equation
         s = e*e;
         e = 2*q;
         r*b = 6;
       end Two;`,
    );
    close(table.value('b', 0), b, 1e-10);
    close(table.value('r', 0), b - 1, 1e-10);
  });

  test('where start values lead nowhere, those of the guesses themselves are tried', async () => {
    // Where q begins the root is not real; b = 3 is the only solution.
    const { table } = await done(
      `model Other
         Real b, q(start = 50), s;
       equation
         q = 10*b;
         s = sqrt(40 - q);
         b*b*b + s = 27 + sqrt(10);
       end Other;`,
    );
    close(table.value('b', 0), 3, 1e-10);
  });

  const logarithm = `function f input Real x; output Real y; algorithm assert(x > 0, "only positive numbers"); y := log(x); end f;`;

  test('a check in a function that fails on the way shortens the step', async () => {
    const { table } = await done(
      `${logarithm}
 model M Real x(start = 1); equation f(x) + 0.01*x = -5; end M;`,
    );
    // From 1, Newton's first step leads to -4.
    let [low, high] = [1e-6, 1];
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (Math.log(middle) + 0.01 * middle < -5) low = middle;
      else high = middle;
    }
    close(table.value('x', 0), low, 1e-10);
  });

  test('where it fails at the start values, the message names it with the unknowns and their values', async () => {
    const { status, diagnostics } = await run(
      `${logarithm}
 model M Real x(start = -1); equation f(x) + 0.01*x = -5; end M;`,
    );
    const { code, message, hint, notes } = diagnostics.find(({ severity }) => severity === 'error')!;
    expect([status, code]).toEqual(['failed', 'initialisation-failed']);
    expect(message).toContain('equations for x cannot be evaluated at its start values');
    expect(message).toContain('only positive numbers');
    expect(hint).toContain('start values');
    expect(notes?.map((note) => note.message).join()).toContain('x = -1');
  });

  test('a parameter with fixed = false is found through the parameter of a component', async () => {
    // A mass of 1 kg rests 0.2 m below where the spring is unstretched: c = 9.81/0.2.
    const result = await done(
      `model Spring
         parameter Real c;
         Real s, f;
       equation
         f = c*s;
       end Spring;
       model Resting
         parameter Real c(fixed = false);
         Spring spring(c = c);
         Real x(start = 0.2, fixed = true), v(fixed = true), a(fixed = true);
       equation
         v = der(x);
         a = der(v);
         a = 9.81 - spring.f;
         spring.s = x;
       end Resting;`,
    );
    close(result.table.get('c').at(-1)!, 49.05, 1e-9);
    close(result.table.get('spring.c').at(-1)!, 49.05, 1e-9);
    close(result.table.get('x').at(-1)!, 0.2, 1e-9);
  });

  test.each([
    ['above', 300],
    ['below', -300],
  ])('a function that is flat at the start value is solved where it is not: %s', async (_, wanted) => {
    // Constant between -1000 and 1000, then a line: x = 1000 + 300/0.01.
    const { table } = await done(
      `model Flat parameter Real T = ${wanted}; Real x; equation T = if noEvent(abs(x) < 1000) then 0 else 0.01*(abs(x) - 1000)*sign(x); end Flat;`,
    );
    close(table.value('x', 0), Math.sign(wanted) * 31000, 1e-9);
  });

  test('a jump of the sign is no solution', async () => {
    const { status, diagnostics } = await run(
      `model Jump Real x(start = 3); equation 0 = if noEvent(x < 1e5) then -1 else 1; end Jump;`,
    );
    expect([status, diagnostics.some(({ severity }) => severity === 'error')]).toEqual(['failed', true]);
  });

  test('a parameter with fixed = false is found', async () => {
    const { table } = await done(
      `model Find
         parameter Real k(fixed = false, start = 1);
         Real x(start = 2, fixed = true);
       initial equation
         der(x) = -3;
       equation
         der(x) = -k*x;
       end Find;`,
    );
    close(table.value('k', 0), 1.5, 1e-10);
    close(table.value('x', 1), 2 * Math.exp(-1.5));
  });

  test('initial values of a constrained system come from either variable', async () => {
    const { table, statistics } = await done(
      `model Constrained
         Real a, b(start = 3, fixed = true);
       equation
         der(a) = -b;
         a = 2*b;
       end Constrained;`,
    );
    expect(statistics.states).toHaveLength(1);
    close(table.value('a', 0), 6, 1e-12);
    close(table.value('b', 1), 3 * Math.exp(-0.5));
  });

  test('missing conditions are filled from start values, and said so', async () => {
    const { table, diagnostics } = await done(
      `model Missing
         Real x(start = 4);
       equation
         der(x) = -x;
       end Missing;`,
    );
    close(table.value('x', 1), 4 * Math.exp(-1));
    expect(diagnostics).toMatchObject([{ code: 'initial-underdetermined', severity: 'info' }]);
    expect(diagnostics[0]!.message).toContain('x = 4');
  });

  test('redundant conditions may agree', async () => {
    await done(
      `model Redundant
         Real a(start = 6, fixed = true), b(start = 3, fixed = true);
       equation
         der(a) = -b;
         a = 2*b;
       end Redundant;`,
    );
  });

  test('of redundant conditions those of states are used', async () => {
    // With F given, the speed would have to come from x*vx^2 = time, which says nothing at x = 0.
    const { table } = await done(
      `model Fixed
         Real x(start = 0, fixed = true), y(start = 0, fixed = true), F(start = 0, fixed = true);
         Real vx(start = 1, fixed = true), vy(start = -1, fixed = true);
       equation
         der(x) = vx;
         der(y) = vy;
         der(vx) = F;
         der(vy) = F - time;
         x + x^3/6 + y = 0;
       end Fixed;`,
    );
    close(table.value('x', 1), 1);
    close(table.value('vy', 1), -1.5);
  });

  test('also where the state is known by another name', async () => {
    // The state is a; with F given, it would have to come from a^2, starting from zero.
    const { table } = await done(
      `model Alias
         Real F(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
         Real x(start = 0.1, fixed = true);
         Real a = -x;
       equation
         der(a) = -0.1 - a;
         der(y) + F + a^2 = 0.01;
         der(z) + F = 0;
         y + z = 0;
       end Alias;`,
    );
    close(table.value('x', 1), 0.1);
    close(table.value('y', 1), 0);
  });

  test('contradicting conditions are named with their values', async () => {
    const { status, stage, diagnostics } = await run(
      `model Contradiction
         Real a(start = 5, fixed = true), b(start = 3, fixed = true);
       equation
         der(a) = -b;
         a = 2*b;
       end Contradiction;`,
    );
    expect([status, stage]).toEqual(['failed', 'initialise']);
    const [problem] = diagnostics;
    expect(problem!.code).toBe('initial-overdetermined');
    expect(problem!.notes[0]!.message).toMatch(/[ab] = [53] does not hold/);
  });

  test('a nonlinear system far from its solution is followed there', async () => {
    const { table } = await done(
      `model Hard
         Real x(start = 10);
       equation
         exp(x) + x^3 = 5;
       end Hard;`,
    );
    const x = table.value('x', 0);
    close(Math.exp(x) + x ** 3, 5, 1e-10);
  });

  test('unknowns that are divided by need no start values', async () => {
    const { table } = await done(`model M
      Real a, b(nominal = 3);
    equation
      a/b + a = 4.5;
      b^2*sin(a)/a + b = 2 + 4*sin(3)/3;
    end M;`);
    close(table.value('a', 0), 3);
    close(table.value('b', 0), 2);
  });

  test('an unsolvable system is shown with its residuals and values', async () => {
    const { status, stage, diagnostics } = await run(
      `model Unsolvable
         Real x(start = 1);
       equation
         x^2 + 1 = 0;
       end Unsolvable;`,
    );
    expect([status, stage]).toEqual(['failed', 'initialise']);
    const [problem] = diagnostics;
    expect(problem!.code).toBe('initialisation-failed');
    expect(problem!.message).toContain('x');
    expect(problem!.span).toBeDefined();
    expect(problem!.notes.some((n) => n.message.includes('residual'))).toBe(true);
  });

  test('the initial mode must be consistent with the values found in it', async () => {
    const { table, modes } = await done(
      `model Mode
         Real x(start = -1), y(start = 2, fixed = true);
       equation
         der(y) = -y;
         if x > 0 then x = y; else x = y + 1; end if;
       end Mode;`,
    );
    close(table.value('x', 0), 2);
    expect(modes).toHaveLength(1);
  });

  test('initial equations of variables that when-equations change', async () => {
    const { table } = await done(
      `model Counter
         Integer n;
         Real d;
         Boolean b;
       initial equation
         n = 3;
         d = 7;
         b = true;
       equation
         when time > 0.5 then
           n = pre(n) + 1;
           d = 2*pre(d);
           b = not pre(b);
         end when;
       end Counter;`,
    );
    for (const [name, before, after] of [
      ['n', 3, 4],
      ['d', 7, 14],
      ['b', 1, 0],
    ] as const) {
      expect([table.value(name, 0.25), table.value(name, 0.75)]).toEqual([before, after]);
    }
  });

  test('an initial algorithm may count with functions that cause events elsewhere', async () => {
    const { table } = await done(
      `model Periods
         Integer count;
         Real begin;
       initial algorithm
         count := integer((time - 0.3)/0.2);
         begin := 0.3 + count*0.2;
       equation
         when time >= 0.3 + (pre(count) + 1)*0.2 then
           count = pre(count) + 1;
           begin = time;
         end when;
       end Periods;`,
    );
    // At 0 the period number -2 is under way, from -0.1 to 0.1.
    close(table.value('begin', 0.05), -0.1);
    expect([0.05, 0.2, 0.4, 0.6].map((t) => table.value('count', t))).toEqual([-2, -1, 0, 1]);
    close(table.value('begin', 0.6), 0.5);
  });

  test.each([
    ['20, pre(y) = false', 20, false, 29.1],
    ['30, pre(y) = false', 30, false, 29.2],
    ['30, pre(y) = true', 30, true, 30.1],
  ])('hysteresis that begins at %s', async (_, T, y, end) => {
    // On below 29, off above 31; it rises by 10 and falls by 1 in a unit of time. The value before need not be the first one.
    const { table } = await done(
      `model Hysteresis
         Real T(start = ${T}, fixed = true);
         Boolean y;
       initial equation
         pre(y) = ${y};
       equation
         y = pre(y) and T < 31 or T < 29;
         der(T) = if y then 10 else -1;
         annotation(experiment(StopTime = ${y ? 1 : 3}));
       end Hysteresis;`,
    );
    expect(table.value('y', 0)).toBe(T < 29 || y ? 1 : 0);
    close(table.value('T', y ? 1 : 3), end);
  });
});

describe('homotopy', () => {
  test.each([15, -15])(
    'the simplified equation decides between several solutions: %d',
    async (simplified) => {
      const { table } = await done(
        `model Balance "An amplifier with positive feedback: 0 is a solution as well"
         Real difference, v, s = ${simplified};
       equation
         difference = v/15;
         v = homotopy(actual = if 1e4*difference > 15 then 15 elseif 1e4*difference < -15 then -15 else 1e4*difference,
           simplified = s);
       end Balance;`,
      );
      expect([table.value('v', 0), table.value('v', 1)]).toEqual([simplified, simplified]);
    },
  );

  test.each([
    ['x + 3', -2],
    ['x - 1', 2],
    ['0*x + 1', 2],
  ])('a search that begins at %s = 0', async (simplified, expected) => {
    const { table } = await done(
      `model Square
         Real x(start = 5);
       equation
         homotopy(actual = x^2 - 4, simplified = ${simplified}) = 0;
       end Square;`,
    );
    close(table.value('x', 0), expected, 1e-9);
  });
});

describe('branches', () => {
  test('that values at the beginning do not ask for need not have a value there', async () => {
    const { table } = await done(
      `model Branches
         parameter Real k = 1.5;
         Real u = time - 2;
         Real y = if u >= 0 then u^k else -1;
         Real z = if y > 0 then log(y) else 3;
         annotation(experiment(StopTime = 6));
       end Branches;`,
    );
    expect([table.value('y', 0), table.value('z', 0)]).toEqual([-1, 3]);
    close(table.value('y', 6), 8, 1e-12);
    close(table.value('z', 6), Math.log(8), 1e-12);
  });
});

describe('left limits', () => {
  const step = (initial: string) => `model Step "A step of a graph: what is active now was decided before"
      Boolean active, own, next, last;
      Integer entered(start = 0, fixed = true);
    initial equation
      ${initial}
      pre(next) = pre(own);
      pre(last) = pre(own);
    equation
      active = own;
      own = pre(next);
      next = active and time < 1 or time >= 2;
      last = pre(active);
      when active and not last then
        entered = pre(entered) + 1;
      end when;
      annotation(experiment(StopTime = 3));
    end Step;`;

  test.each([
    ['active = true;', 1, 1],
    ['active = false;', 0, 1],
    ['pre(own) = true;', 1, 1],
    ['true = active;', 1, 1],
  ])('follow from %s', async (initial, first, entered) => {
    const { table } = await done(step(initial));
    expect([0, 0.5, 1.5, 2.5].map((t) => table.value('active', t))).toEqual([first, first, 0, 1]);
    expect(table.value('entered', 3)).toBe(entered);
  });

  test('are computed in the order in which they depend on parameters and on each other', async () => {
    const { table } = await done(
      `model Random
         function next
           input Integer state;
           output Real raw;
           output Integer following;
         algorithm
           following := mod(5*state + 3, 16);
           raw := following/16;
         end next;
         final parameter Integer seed(fixed = false);
         Integer state;
         discrete Real raw, drawn;
       initial equation
         drawn = 10*raw;
         raw = next(pre(state));
         pre(state) = 2*seed;
         seed = 3;
       equation
         when sample(0.5, 1) then
           (raw, state) = next(pre(state));
         end when;
         when sample(0.5, 1) then
           drawn = 10*raw;
         end when;
         annotation(experiment(StopTime = 2));
       end Random;`,
    );
    // 6 gives 33 mod 16 = 1, then 8
    close(table.value('raw', 0), 1 / 16, 1e-12);
    close(table.value('drawn', 0.25), 10 / 16, 1e-12);
    close(table.value('drawn', 1), 10 / 16, 1e-12);
    close(table.value('drawn', 2), 10 * (8 / 16), 1e-12);
  });

  test('that are fixed contradict what follows from an initial equation', async () => {
    const { diagnostics } = await run(
      `model Contradiction
        Boolean active, next(start = false, fixed = true);
      initial equation
        active = true;
      equation
        active = pre(next);
        next = time > 1;
      end Contradiction;`,
    );
    expect(diagnostics[0]?.code).toBe('initial-overdetermined');
  });
});

describe('first guess of the mode', () => {
  const diode = (start: string) => `model Diode "An ideal diode between a source and a resistor"
      Real s${start}, v, i;
      Boolean off(start = true) = s < 0;
    equation
      v = if off then s else 0;
      i = if off then 0 else s;
      v + 2*i = -6;
    end Diode;`;

  test('start values of discrete variables guess the mode', async () => {
    const { table } = await done(diode(''));
    close(table.value('v', 0), -6);
    expect(table.value('i', 0)).toBe(0);
    expect(table.value('off', 0)).toBe(1);
  });

  test('a wrong guess is corrected', async () => {
    const { table } = await done(diode('(start = 1)').replace('start = true', 'start = false'));
    close(table.value('v', 0), -6);
    expect(table.value('off', 0)).toBe(1);
  });

  test('relations of time are known: neither a start value nor an earlier guess speaks for them', async () => {
    const { table } = await done(`model Known
        Boolean late(start = true) = time > 1;
        parameter Real t0(fixed = false);
        Boolean begun = time > t0;
        Real x, y;
      initial equation
        x = if late then 2 else 1;
        t0 = -1;
        y = if begun then 2 else 1;
      equation
        der(x) = 0;
        der(y) = 0;
      end Known;`);
    expect(table.value('late', 0)).toBe(0);
    close(table.value('x', 0), 1);
    expect(table.value('begun', 0)).toBe(1);
    close(table.value('y', 0), 2);
  });
});

test('enumerations without a start value begin with their first literal', async () => {
  const { table, diagnostics } = await done(`
    model M
      type Gear = enumeration(low, high);
      parameter Gear given;
      Gear gear;
      Boolean isLow = given == Gear.low;
    equation
      when time >= 0.5 then gear = Gear.high; end when;
    end M;`);
  expect([0, 0.4, 0.6].map((time) => table.value('gear', time))).toEqual([1, 1, 2]);
  expect(table.value('isLow', 0)).toBe(1);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'The parameter given has no value; low is used.',
  ]);
});

describe('what remembers is not set by values on the way to the initial ones', () => {
  /** Signals that are 60 from the beginning on, and nothing that start values of 0 would tell. */
  const signals: readonly (readonly [string, string, string])[] = [
    ['a product', 'Real T(start = 20, fixed = true), y = 3*T;', 'der(T) = 0;'],
    ['an initial equation', 'Real y; initial equation y = 60;', 'der(y) = 0;'],
    ['a steady state', 'Real y; initial equation der(y) = 0;', 'der(y) = 60 - y;'],
    [
      'a sum of elements',
      'Real T[20](each start = 3, each fixed = true), y = sum(T);',
      'der(T) = zeros(20);',
    ],
    ['a nonlinear system', 'Real T(start = 216060, fixed = true), y;', 'y + y^3 = T; der(T) = 0;'],
    ['a linear system', 'Real T(start = 20, fixed = true), y, z;', 'y + z = 4*T; y - z = 2*T; der(T) = 0;'],
    [
      'a mode',
      'Real T(start = 20, fixed = true), y;',
      'if T > 10 then y = 3*T; else y = 0; end if; der(T) = 0;',
    ],
  ];
  const declared = `Boolean low = y < 54;
    Boolean latch(start = false, fixed = true), started(start = false), plain, kept(start = false, fixed = true);
    Integer rises(start = 0, fixed = true), changes(start = 0, fixed = true), largest(start = 0, fixed = true);`;
  const equations = `latch = y < 54 or pre(latch);
    started = y < 54 or pre(started);
    plain = y < 54 or pre(plain);
    rises = if edge(low) then pre(rises) + 1 else pre(rises);
    changes = if change(low) then pre(changes) + 1 else pre(changes);
    largest = max(pre(largest), if low then 5 else 0);`;
  const names = ['low', 'latch', 'started', 'plain', 'kept', 'rises', 'changes', 'largest'];

  test.each(signals)('%s', async (_, signal, rest) => {
    const [variables, initial = ''] = signal.split('initial equation');
    const { table } = await done(`model Latches
        ${variables}
        ${declared}
      ${initial && `initial equation ${initial}`}
      equation
        ${rest}
        ${equations}
      algorithm
        if y < 54 then
          kept := true;
        end if;
      end Latches;`);
    close(table.value('y', 1), 60);
    for (const name of names)
      expect([name, table.value(name, 0), table.value(name, 1)]).toEqual([name, 0, 0]);
  });

  test('also beside what counts at the beginning', async () => {
    const { table } = await done(`model Counts
        Real T(start = 20, fixed = true), y = 3*T;
        ${declared}
        Integer once(start = 0, fixed = true), twice(start = 0, fixed = true), sum(start = 0, fixed = true);
      equation
        der(T) = 0;
        ${equations}
        when initial() then
          once = pre(once) + 1;
        end when;
        when {initial(), time > 0.5} then
          twice = pre(twice) + 1;
        end when;
        sum = pre(sum) + (if initial() then 1 else 0);
      algorithm
        if y < 54 then
          kept := true;
        end if;
      end Counts;`);
    for (const name of names) expect([name, table.value(name, 1)]).toEqual([name, 0]);
    expect([table.value('once', 1), table.value('twice', 1), table.value('sum', 1)]).toEqual([1, 2, 1]);
  });

  /** Both modes are consistent; the start value of the latch chooses. */
  test.each([
    ['on = v < 1 or pre(on)', 'if on then v = 0; else i = 0; end if; v + 2*i = 10', false, 10],
    ['on = v < 1 or pre(on)', 'if on then v = 0; else i = 0; end if; v + 2*i = 10', true, 0],
    ['on = pre(on) and v > 1', 'if on then v = 3; else i = 2; end if; v + 2*i = 4', true, 3],
    ['on = pre(on) and v > 1', 'if on then v = 3; else i = 2; end if; v + 2*i = 4', false, 0],
  ])('%s chooses the mode by its start value: %s, %s', async (latch, equations, start, v) => {
    const { table } = await done(`model Trip
        Real i, v;
        Boolean on(start = ${start}, fixed = true);
      equation
        ${latch};
        ${equations};
      end Trip;`);
    expect([table.value('v', 1), table.value('on', 1)]).toEqual([v, Number(start)]);
  });

  test('but it is by initial values', async () => {
    const { table } = await done(`model Latches
        Real T(start = 10, fixed = true), y = 3*T;
        ${declared}
      equation
        der(T) = 20;
        ${equations}
      algorithm
        if y < 54 then
          kept := true;
        end if;
      end Latches;`);
    for (const name of ['latch', 'started', 'plain', 'kept']) expect(table.value(name, 1)).toBe(1);
    expect([table.value('low', 0), table.value('low', 1)]).toEqual([1, 0]);
    expect(table.value('largest', 1)).toBe(5);
  });

  test('thermostats and hysteresis of the library', async () => {
    const { table } = await done(`model Rod
        import Mutabor.Thermal.*;
        import Mutabor.Blocks.*;
        HeatCapacitor c(C = 1), d[20](each C = 1, each T(start = 293, fixed = true));
        Thermostat t, u;
        FixedTemperature outside(T = 293);
        ThermalConductor g(G = 1);
        Constant minus(k = 20);
        Gain gain(k = -1);
        Hysteresis h(uLow = -25, uHigh = -18);
      initial equation
        der(c.T) = 0;
      equation
        connect(c.port, t.port);
        connect(c.port, g.port_a);
        connect(g.port_b, outside.port);
        connect(d[3].port, u.port);
        connect(minus.y, gain.u);
        connect(gain.y, h.u);
      end Rod;`);
    for (const name of ['t.on', 'u.on', 'h.y']) expect([name, table.value(name, 1)]).toEqual([name, 0]);
    close(table.value('c.T', 1), 293);
  });
});

test('a system without a solution is told of, not what would be computed from it', async () => {
  const { diagnostics } = await run(`model M
    Real x, v, w;
  equation
    x^2 + exp(x) = -1;
    v^3 + exp(v) = x + 9;
    w = 1/v^2;
  end M;`);
  expect(diagnostics.at(-1)!.code).toBe('initialisation-failed');
  expect(diagnostics.at(-1)!.message).toBe(
    'The system of equations for x has no solution near its start values at time 0.',
  );
});
