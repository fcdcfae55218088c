/** Algorithm sections: order of statements, when-statements, and relations that cause events as in equations. */
import { describe, expect, test } from 'vitest';
import { check, loadModel } from '../../src/index.ts';
import { close, done, run } from './notation.ts';

/** A model of one section; `declarations` come before it, `equations` after it. */
const section = (declarations: string, statements: string, equations = ''): string =>
  `model M\n${declarations}\nalgorithm\n${statements}\n${equations && `equation\n${equations}`}\nend M;`;

async function final(text: string, stop: number, ...names: string[]): Promise<number[]> {
  const { table } = await done(text, { stopTime: stop });
  return names.map((name) => table.value(name, stop));
}

/** The instants at which a discrete variable changes. */
async function changes(text: string, name: string, stop: number): Promise<number[]> {
  const { table } = await done(text, { stopTime: stop });
  const time = table.time;
  const values = table.get(name);
  return [...time].filter((_, k) => k > 0 && values[k] !== values[k - 1]);
}

describe('when-statements', () => {
  test('a subscript beside one that changes is outside in a turn of a loop', () => {
    const text = section(
      'Real a[4, 3](each start = 0, each fixed = true); Integer k(start = 0, fixed = true);',
      `when sample(0, 1) then
         k := pre(k) + 1;
         for i in 1:4 loop
           if time > 2 then a[k, i] := time; end if;
         end for;
       end when;`,
    );
    const [problem] = check(loadModel(text)).diagnostics;
    expect(problem).toMatchObject({
      code: 'bad-subscript',
      message: 'The subscript 4 is outside 1:3.',
      notes: [{ message: 'with i = 4' }],
    });
    expect(problem!.span).toBeDefined();
  });

  test('act when their conditions become true, and values are kept in between', async () => {
    const text = section(
      'Integer n(start = 3, fixed = true); Real x(start = 7, fixed = true);',
      'when sample(0.5, 1) then n := pre(n) + 1; x := time; end when;',
    );
    expect(await final(text, 2, 'n', 'x')).toEqual([5, 1.5]);
    expect(await final(text, 0.25, 'n', 'x')).toEqual([3, 7]);
  });

  test('several assign the same variable, one after the other', async () => {
    // At t = 1 both act: 0 -> 1 -> 11; at t = 2 the second one: 110.
    const text = section(
      'Real x(start = 0, fixed = true);',
      `when time >= 1 then x := x + 1; end when;
       when {time >= 1, time >= 2} then x := 10*x + (if time >= 2 then 0 else 1); end when;`,
    );
    expect(await final(text, 1.5, 'x')).toEqual([11]);
    expect(await final(text, 2.5, 'x')).toEqual([110]);
  });

  test('the first branch that becomes true acts alone', async () => {
    const text = section(
      'Integer n(start = 0, fixed = true);',
      `when time >= 1 then n := n + 1;
       elsewhen {time >= 1, time >= 2} then n := n + 10;
       end when;`,
    );
    expect(await final(text, 1.5, 'n')).toEqual([1]);
    expect(await final(text, 2.5, 'n')).toEqual([11]);
  });

  test('mix with ordinary assignments in the order of the text', async () => {
    const text = section(
      'Integer n(start = 0, fixed = true); Real y; Real before; Real after;',
      `y := 2*time;
       before := n + y;
       when y > 1 then n := n + 1; end when;
       after := n + y;`,
    );
    const { table } = await done(text, { stopTime: 1 });
    // 2t > 1 at t = 1/2.
    expect([table.value('before', 0.25), table.value('after', 0.25)]).toEqual([0.5, 0.5]);
    close(table.value('before', 1), 3);
    close(table.value('after', 1), 3);
    // On entry n is its left limit: `before` is late by one evaluation of the event, not by an event.
    expect(table.value('n', 1)).toBe(1);
  });

  test('assign arrays, with if and for inside', async () => {
    const text = section(
      'Real a[4](each start = 0, each fixed = true); Integer k(start = 0, fixed = true);',
      `when sample(1, 1) then
         k := pre(k) + 1;
         for i in 1:4 loop
           if i <= k then a[i] := a[i] + i; elseif i == 4 then a[i] := -k; end if;
         end for;
         a[{1, 2}] := a[{2, 1}];
         a[k] := 100*a[k];
       end when;`,
    );
    // t=1: k=1: a = {1,0,0,-1}, swapped {0,1,0,-1}, a[1]*100 = 0
    // t=2: k=2: a = {1,3,0,-2}, swapped {3,1,0,-2}, a[2]*100 -> {3,100,0,-2}
    expect(await final(text, 1.5, 'a[1]', 'a[2]', 'a[3]', 'a[4]')).toEqual([0, 1, 0, -1]);
    expect(await final(text, 2.5, 'a[1]', 'a[2]', 'a[3]', 'a[4]')).toEqual([3, 100, 0, -2]);
  });

  test('take outputs of functions, and loops of unknown length', async () => {
    const text = `package P
      function both input Real u; output Real p; output Real q; algorithm p := u + 1; q := 2*u; end both;
      model M
        Real p(start = 0, fixed = true); Real q(start = 0, fixed = true); Integer k(start = 0, fixed = true);
      algorithm
        when sample(1, 1) then
          (p, q) := both(q + time);
          k := 0;
          while k*k < p loop k := k + 1; end while;
        end when;
      end M;
    end P;`;
    // t=1: p=2, q=2, k=2; t=2: p=5, q=8, k=3.
    const { table } = await done(text, { stopTime: 2.5, model: 'P.M' });
    expect(['p', 'q', 'k'].map((n) => table.value(n, 1.5))).toEqual([2, 2, 2]);
    expect(['p', 'q', 'k'].map((n) => table.value(n, 2.5))).toEqual([5, 8, 3]);
  });

  test('act at the start where they say so', async () => {
    const text = section(
      'Integer n(start = 5); Integer m(start = 5, fixed = true);',
      `when {initial(), time >= 1} then n := 7 + integer(10*time); end when;
       when time >= 0 then m := 0; end when;`,
    );
    expect(await final(text, 0.5, 'n', 'm')).toEqual([7, 5]);
    expect(await final(text, 1.5, 'n', 'm')).toEqual([17, 5]);
  });

  test('edge and change of assigned variables compare with their left limits', async () => {
    const text = section(
      `Boolean b(start = false, fixed = true); Integer rises(start = 0, fixed = true);
       Integer changes(start = 0, fixed = true);`,
      `b := sin(2*time) > 0.5;
       when edge(b) then rises := rises + 1; end when;
       when change(b) then changes := changes + 1; end when;`,
    );
    // sin(2t) = 1/2 at t = pi/12, 5pi/12, 13pi/12, ...
    expect(await final(text, 3, 'rises', 'changes')).toEqual([1, 2]);
    expect(await final(text, 3.5, 'rises', 'changes')).toEqual([2, 3]);
  });

  test('end the run by terminate, and check by assert', async () => {
    const stopping = section(
      'Integer n(start = 0, fixed = true);',
      'when sample(1, 1) then n := pre(n) + 1; if n >= 3 then terminate("enough"); end if; end when;',
    );
    const result = await run(stopping, { stopTime: 10 });
    expect(result.status).toBe('terminated');
    expect(result.table.time.at(-1)).toBe(3);
    const failing = section(
      'Integer n(start = 0, fixed = true);',
      'when sample(1, 1) then n := pre(n) + 1; assert(n < 3, "too many"); end when;',
    );
    const { status, diagnostics } = await run(failing, { stopTime: 10 });
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)).toMatchObject({ code: 'assertion' });
    expect(diagnostics.at(-1)!.message).toContain('too many');
  });

  test('a subscript outside its bounds ends the run', async () => {
    const text = section(
      'Real a[2](each start = 0, each fixed = true); Integer k(start = 0, fixed = true);',
      'when sample(1, 1) then k := pre(k) + 1; a[k] := time; end when;',
    );
    const { status, diagnostics, table } = await run(text, { stopTime: 5 });
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.message).toContain('The subscript of `a` is 3, outside its bounds 1 to 2.');
    expect([table.value('a[1]', 2.5), table.value('a[2]', 2.5)]).toEqual([1, 2]);
  });

  test('belong to the states that they stand in', async () => {
    const text = `model Machine
      block Count
        outer output Integer n;
      algorithm
        when sample(0.5, 1) then n := pre(n) + 1; end when;
      end Count;
      block Rest outer output Integer n; equation n = pre(n); end Rest;
      inner Integer n(start = 0, fixed = true);
      Count count; Rest rest;
    equation
      initialState(count);
      transition(count, rest, time >= 2, immediate = true);
    end Machine;`;
    const { table } = await done(text, { stopTime: 4, model: 'Machine' });
    expect(table.value('n', 1)).toBe(1);
    expect(table.value('n', 4)).toBe(2);
  });
});

describe('relations in algorithm sections', () => {
  test('a thermostat switches where its equations do', async () => {
    const heated = 'der(T) = if on then 10 - T else -T;';
    const algorithm = section(
      'Real T(start = 0, fixed = true); Boolean on(start = true, fixed = true);',
      'if pre(on) then on := T < 6; else on := T < 4; end if;',
      heated,
    );
    const times = await changes(algorithm, 'on', 2);
    // Heating from 0 to 6 with rate 1 towards 10, then between 4 and 6 in both directions by ln(3/2).
    const step = Math.log(1.5);
    const first = Math.log(2.5);
    const expected = [first, first + step, first + 2 * step];
    expect(times.length).toBe(3);
    for (const [k, t] of times.entries()) close(t, expected[k]!, 1e-7);
    const equations = `model M
      Real T(start = 0, fixed = true); Boolean on(start = true, fixed = true);
    equation
      on = if pre(on) then T < 6 else T < 4;
      ${heated}
    end M;`;
    expect(await changes(equations, 'on', 2)).toEqual(times);
  });

  test('hysteresis', async () => {
    const text = section(
      'Real u; Boolean high(start = false, fixed = true);',
      'u := sin(time); if u > 0.5 then high := true; elseif u < -0.5 then high := false; end if;',
    );
    const times = await changes(text, 'high', 10);
    // Rises at pi/6, falls at 7pi/6, rises at 13pi/6, falls at 19pi/6.
    const expected = [1, 7, 13, 19].map((k) => (k * Math.PI) / 6);
    expect(times.length).toBe(4);
    for (const [k, t] of times.entries()) close(t, expected[k]!, 1e-9);
  });

  test('a limiter is integrated exactly', async () => {
    // x' = min(t, 1) from 0: x(2) = 1/2 + 1. Without an event the integrator would smear the corner.
    const text = section(
      'Real x(start = 0, fixed = true); Real y;',
      'y := time; if y > 1 then y := 1; end if;',
      'der(x) = y;',
    );
    const { table } = await done(text, { stopTime: 2 });
    close(table.value('x', 2), 1.5, 1e-12);
    expect([...table.time].filter((t) => t === 1).length).toBeGreaterThanOrEqual(2);
  });

  test('a bouncing counter', async () => {
    const ball = (count: string) => `model Ball
      Real h(start = 1, fixed = true); Real v(start = 0, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      der(h) = v; der(v) = -9.81;
      when h < 0 then reinit(v, -0.7*pre(v)); end when;
    ${count}
    end Ball;`;
    const text = ball('algorithm when h < 0 then n := n + 1; end when;');
    const times = await changes(text, 'n', 1.6);
    const expected = [0.451523641, 1.0836567384, 1.5261499065];
    expect(times.length).toBe(3);
    for (const [k, t] of times.entries()) close(t, expected[k]!, 1e-8);
    expect(await changes(ball('equation when h < 0 then n = pre(n) + 1; end when;'), 'n', 1.6)).toEqual(
      times,
    );
  });

  test('in for-statements, for every round', async () => {
    const text = section(
      'Integer n(start = 0, fixed = true); parameter Integer m = 3; Real x(start = 0, fixed = true);',
      'n := 0; for i in 1:m loop if x > i/4 then n := n + i; end if; end for;',
      'der(x) = 1;',
    );
    const times = await changes(text, 'n', 1);
    expect(times.length).toBe(3);
    for (const [k, t] of times.entries()) close(t, (k + 1) / 4, 1e-9);
    expect(await final(text, 1, 'n')).toEqual([6]);
  });

  test('floor counts at its events', async () => {
    const text = section('Integer n;', 'n := integer(4*time); n := n*n;');
    expect(await changes(text, 'n', 1.1)).toEqual([0.25, 0.5, 0.75, 1]);
  });

  test('none below noEvent, for one statement or through another', async () => {
    const text = section(
      'Real x(start = 0, fixed = true); Real y; Real z;',
      'y := noEvent(if x > 0.3 then 1 else 0); z := y + 1;',
      'der(x) = 1;',
    );
    const { statistics, table } = await done(text, { stopTime: 1 });
    expect(statistics.events).toBe(0);
    expect([table.value('z', 0.1), table.value('z', 0.9)]).toEqual([1, 2]);
  });

  test('while-loops cause none', async () => {
    const text = section(
      'Real x(start = 0, fixed = true); Real y; Boolean b;',
      'y := 0; while y < 3*x loop y := y + 1; end while; b := x > 0.5;',
      'der(x) = 1;',
    );
    const { statistics, table } = await done(text, { stopTime: 1 });
    expect(statistics.events).toBe(1);
    expect(table.value('y', 0.5)).toBe(2);
  });

  test('repeated use of a value does not grow the work', async () => {
    const text = section(
      'Real x(start = 0.3, fixed = true); Real y;',
      'y := x; for i in 1:200 loop y := if y > 2 then 2 else 2.9*y*(1 - y); end for;',
      'der(x) = 0;',
    );
    let y = 0.3;
    for (let i = 0; i < 200; i++) y = y > 2 ? 2 : 2.9 * y * (1 - y);
    const [at0] = await final(text, 1, 'y');
    close(at0!, y, 1e-6);
  });
});

describe('counters of loops beside continuous variables', () => {
  const declared = 'Integer n(start = 1, fixed = true), i, odd; Real x(start = 0, fixed = true), s;';
  const equations = 'der(x) = 1; when time > 0.5 then n = 3; end when;';

  test('change at events only, and what the loop sums up all the time', async () => {
    const loop =
      'i := 0; s := 0; odd := 0;\nwhile i < n loop i := i + 1; s := s + x; if mod(i, 2) > 0 then odd := odd + 1; end if; end while;';
    const { table } = await done(section(declared, loop, equations), { stopTime: 1 });
    // s = n*x with x = t.
    for (const [t, n, odd] of [
      [0.25, 1, 1],
      [0.75, 3, 2],
      [1, 3, 2],
    ] as const) {
      expect(table.value('i', t)).toBe(n);
      expect(table.value('odd', t)).toBe(odd);
      close(table.value('s', t), n * t);
    }
  });

  test('are known where the outputs of a function do not depend on what changes', async () => {
    const text = `record R Real a; Integer b[2]; end R;
function f input Real t; output Real a; output Integer b[2]; algorithm a := 2*t; b := {1, 2}; end f;
function g input Real t; output R r; algorithm r.a := 2*t; r.b := {1, 2}; end g;
${section('R r(b(each start = 0)); Real a, y; Integer b[2](each start = 0);', '(a, b) := f(time); r := g(time); r.a := r.a + 1; y := a + r.a*b[2]*r.b[2];')}`;
    const { table } = await done(text, { stopTime: 1 });
    close(table.value('y', 1), 2 + 3 * 2 * 2);
    expect(table.value('r.b[2]', 0)).toBe(2);
  });

  test.each([
    ['by its condition', 'while s < n loop i := i + 1; s := s + x + 1; end while;'],
    [
      'by a condition inside',
      'while i < n loop i := i + 1; s := s + x; if s > 1 then odd := i; end if; end while;',
    ],
    ['by a break', 'while i < n loop i := i + 1; s := s + x; if s > 1 then break; end if; end while;'],
  ])('are refused where a continuous one acts on them, %s', async (_, loop) => {
    const { status, diagnostics } = await run(
      section(declared, `i := 0; s := 0; odd := 0;\n${loop}`, equations),
    );
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({ code: 'variability' });
  });
});

describe('assertions of algorithm sections that only warn', () => {
  const told = (diagnostics: readonly { code: string; severity: string; message: string }[]): string[] =>
    diagnostics.map(({ code, severity, message }) => `${severity} ${code} ${message}`);

  test('warn once, when they are violated, and the run goes on', async () => {
    const { table, diagnostics } = await done(
      section(
        'Real x = time, y;',
        'y := 2*x; assert(y < 1, "y is " + (if y > 1.5 then "large" else "one"), AssertionLevel.warning); y := y + 1;',
        '',
      ),
      { stopTime: 1 },
    );
    close(table.value('y', 1), 3);
    expect(told(diagnostics)).toEqual([
      expect.stringMatching(/^warning assertion At time 0\.50*1?: y is one$/),
    ]);
  });

  test('warn where their branch or their loop comes to them', async () => {
    const loop = `n := 0;
      for i in 1:3 loop
        if 0.3*i > x then assert(i < 3, "third", AssertionLevel.warning); break; end if;
        n := n + 1;
      end for;
      if x > 2 then assert(false, "never", AssertionLevel.warning); end if;`;
    const { table, diagnostics } = await done(section('Integer n; Real x = time;', loop, ''), {
      stopTime: 1,
    });
    expect([0.2, 0.5, 0.8, 1].map((t) => table.value('n', t))).toEqual([0, 1, 2, 3]);
    // 0.3*3 > x is the first one that is true from x = 0.6 on.
    expect(told(diagnostics)).toEqual([expect.stringMatching(/^warning assertion At time 0\.6\d*: third$/)]);
  });

  test('leave the sections as they are where they are not checked, in initial algorithms and functions', async () => {
    const text = `function f input Real x; output Real y; algorithm assert(x < 0, "f", AssertionLevel.warning); y := x; end f;
      model M Real y; Real z(start = 0);
      initial algorithm assert(time < -1, "i", AssertionLevel.warning); z := 4;
      equation der(z) = 0;
      algorithm y := f(3.0*time); end M;`;
    const { table } = await done(text, { stopTime: 1 });
    close(table.value('y', 1), 3);
    close(table.value('z', 1), 4);
  });

  test('cannot stand in a while', async () => {
    const loop =
      'n := 0; while n < 3 loop n := n + 1; assert(n < 2, "n", AssertionLevel.warning); end while;';
    await expect(done(section('Integer n; Real x = time;', loop, ''))).rejects.toThrow(
      'assertions that only warn',
    );
  });
});

describe('for-statements over vectors whose elements change', () => {
  const rounded = (values: readonly number[]): number[] => values.map((value) => Number(value.toFixed(6)));

  test('relations in them cause events, of variables and of expressions', async () => {
    const text = section(
      'Real x[3] = {time, 2*time, 3*time}; Integer k(start = 0), j(start = 0); Real s;',
      `k := 0; s := 0;
       for v in x loop if v > 1.2 then k := k + 1; end if; s := s + v^2; end for;
       j := 0;
       for v in {x[1], 0.5, 2*x[2]} loop if v > 0.8 then j := j + 1; break; end if; j := j + 10; end for;`,
    );
    expect(rounded(await changes(text, 'k', 1))).toEqual([0.4, 0.6]);
    // Above 0.8: 4*time from 0.2 on, time from 0.8 on.
    expect(rounded(await changes(text, 'j', 1))).toEqual([0.2, 0.8]);
    expect(rounded(await final(text, 1, 'k', 's', 'j'))).toEqual([2, 14, 1]);
  });

  test('of Booleans, and in when', async () => {
    const text = section(
      'Boolean b[3] = {time > 0.2, time > 0.4, time > 0.6}; Integer n(start = 0), m(start = 0);',
      `n := 0; for q in b loop if q then n := n + 1; end if; end for;
       when time > 0.5 then for q in b loop if q then m := m + 1; end if; end for; end when;`,
    );
    expect(rounded(await changes(text, 'n', 1))).toEqual([0.2, 0.4, 0.6]);
    expect(await final(text, 1, 'n', 'm')).toEqual([3, 2]);
  });

  test('what they run over is as it was before them', async () => {
    const text = section(
      'Real x[2]; Real s;',
      'x := {time, 1}; s := 0; for v in x loop x[2] := 5; s := s + v; end for;',
    );
    expect(rounded(await final(text, 1, 's', 'x[2]'))).toEqual([2, 5]);
  });
});

describe('for-statements that are left by break', () => {
  const times = Array.from({ length: 40 }, (_, k) => 0.0137 + 0.025 * k);

  test('count at events, whatever stands before and behind the break', async () => {
    const declared = 'Integer n, m; Real x = time, s;';
    const loop = `n := 0; m := 0; s := 0;
      for i in 1:5 loop
        m := m + 1;
        if s > x then break; end if;
        s := s + 0.2*x + 0.1;
        n := i;
      end for;
      m := m + 10;`;
    const { table, statistics } = await done(section(declared, loop, ''), { stopTime: 1 });
    const expected = (x: number) => {
      const result = { n: 0, m: 0, s: 0 };
      for (let i = 1; i <= 5; i++) {
        result.m++;
        if (result.s > x) break;
        result.s += 0.2 * x + 0.1;
        result.n = i;
      }
      return { ...result, m: result.m + 10 };
    };
    for (const t of times) {
      const { n, m, s } = expected(t);
      expect([table.value('n', t), table.value('m', t)]).toEqual([n, m]);
      close(table.value('s', t), s);
    }
    // s after k rounds is k*(0.2*x + 0.1): it is x at 0.1*k/(1 - 0.2*k), for k = 1 to 3 within the run.
    expect(statistics.events).toBe(3);
  });

  test('leave the innermost loop alone, be the break in one condition or in another', async () => {
    const declared = 'Integer n, m; Real x = time;';
    const loop = `n := 0; m := 0;
      for i in 1:3 loop
        for j in 1:4 loop
          if 0.1*i*j > x then break; elseif x > 0.9 then m := m + 1; if j > 1 then break; end if; end if;
          n := n + 1;
        end for;
        if n > 6 then break; end if;
        m := m + 100;
      end for;`;
    const { table } = await done(section(declared, loop, ''), { stopTime: 1 });
    const expected = (x: number): number[] => {
      let [n, m] = [0, 0];
      for (let i = 1; i <= 3; i++) {
        for (let j = 1; j <= 4; j++) {
          if (0.1 * i * j > x) break;
          if (x > 0.9) {
            m++;
            if (j > 1) break;
          }
          n++;
        }
        if (n > 6) break;
        m += 100;
      }
      return [n, m];
    };
    for (const t of times) expect([table.value('n', t), table.value('m', t)]).toEqual(expected(t));
  });

  test('end at once where the break has no condition', async () => {
    const loop = 'n := 0; for i in 1:3 loop n := n + (if x > 0.5 then 2 else 1); break; n := 100; end for;';
    const { table } = await done(section('Integer n; Real x = time;', loop, ''), { stopTime: 1 });
    expect([table.value('n', 0.4), table.value('n', 0.6)]).toEqual([1, 2]);
  });
});

describe('mistakes', () => {
  const wrong = async (text: string) => {
    try {
      const { status, diagnostics } = await run(text);
      expect(status).toBe('failed');
      return diagnostics[0]!;
    } catch (problem) {
      return (problem as { diagnostics: { code: string; message: string; span?: { start: number } }[] })
        .diagnostics[0]!;
    }
  };
  const placed = async (statements: string, at: string) => {
    const text = section(
      'Integer n(start = 0); Real x(start = 0, fixed = true); Real y;',
      statements,
      'der(x) = 1;',
    );
    const { code, message, span } = await wrong(text);
    expect(text.slice(span!.start).startsWith(at)).toBe(true);
    return `${code}: ${message}`;
  };

  test('when inside when', async () => {
    expect(
      await placed('y := x;\nwhen x > 1 then\n  when x > 2 then n := 1; end when;\nend when;', 'when x > 2'),
    ).toBe('not-allowed: When-statements cannot be nested.');
  });

  test('when inside if, for and while', async () => {
    for (const [open, close] of [
      ['if x > 3 then', 'end if;'],
      ['for i in 1:2 loop', 'end for;'],
      ['while x > 3 loop', 'end while;'],
    ]) {
      expect(await placed(`y := x; ${open} when x > 2 then n := 1; end when; ${close}`, 'when')).toBe(
        'not-allowed: A when-statement cannot stand inside `if`, `for` or `while`.',
      );
    }
  });

  test('reinit', async () => {
    expect(await placed('y := x; when x > 2 then n := 1; reinit(x, 0); end when;', 'reinit')).toBe(
      'bad-call: `reinit` cannot stand in an algorithm.',
    );
  });

  test('a variable of when that changes between events too', async () => {
    const { code, message } = await wrong(
      section(
        'Real x(start = 0, fixed = true); Real z;',
        'z := x; when x > 1 then z := 5; end when;',
        'der(x) = 1;',
      ),
    );
    expect(`${code}: ${message}`).toBe(
      'variability: The Real variable z can change at events only, but its equation changes continuously.',
    );
  });

  test('when in functions and in initial algorithms', async () => {
    const text = `package P
      function f input Real u; output Real y; algorithm when u > 1 then y := 1; end when; end f;
      model M Real x = f(time); end M; end P;`;
    expect((await wrong(text)).message).toBe('A function cannot contain a when-statement.');
    const initial =
      'model M Integer n; initial algorithm when time > 1 then n := 1; end when; equation when time > 3 then n = 1; end when; end M;';
    expect((await wrong(initial)).message).toBe('A when-statement cannot stand in an initial algorithm.');
  });
});

describe('sections that read arrays of components and records', () => {
  const cells = `model C parameter Real k = 1; Real x = k*time; Real v[2] = {time, k}; end C;
    record R Real a; Real v[2]; end R;`;

  test.each([
    ['elements', 'C c[3](k = {1, 2, 3}); Real s;', 's := c[1].x + 10*c[2].x;', 21],
    [
      'in a loop',
      'C c[3](k = {1, 2, 3}); Real s;',
      's := 0; for i in 1:3 loop s := s + c[i].x*i; end for;',
      14,
    ],
    ['as a whole', 'C c[3](k = {1, 2, 3}); Real s;', 's := sum(c.x);', 6],
    ['by a number', 'C c[3](k = {1, 2, 3}); Real s; Integer n;', 'n := 2; s := c[n].v[2];', 2],
    [
      'of records',
      'R r[2] = {R(time, {1, 2}), R(2*time, {3, 4})}; Real s;',
      's := 0; for i in 1:2 loop s := s + r[i].a + r[i].v[2]; end for;',
      9,
    ],
    [
      'under conditions',
      'C c[3](k = {1, 2, 3}); Real s;',
      'if c[3].x > 1.5 then s := c[1].x; else s := -c[2].v[2]; end if;',
      1,
    ],
    [
      'at events',
      'C c[3](k = {1, 2, 3}); Real s;',
      'when c[3].x > 1.5 then s := c[1].x + c[2].v[2]; end when;',
      2.5,
    ],
  ])('%s', async (_, declared, body, expected) => {
    const { table } = await done(`${cells}\nmodel M ${declared} algorithm ${body} end M;`);
    close(table.value('s', 1), expected);
  });
});

describe('parts of arrays that subscripts choose which change', () => {
  test('rows, slices and several elements', async () => {
    const { table } = await done(
      `model M
        Integer k(start = 1, fixed = true);
        Real m[3, 4](each start = 0, each fixed = true);
        Real n[3](each start = 0, each fixed = true);
      algorithm
        when sample(0.5, 1) then
          k := mod(pre(k), 3) + 1;
          m[k, 2:3] := {time, 10*k};
          m[k, :] := m[k, :] + {0, 0, 0, 1};
          n[{k, mod(k, 3) + 1}] := {1, 2};
          m[{k, 1}, {1}] := [5; 6];
        end when;
      end M;`,
      { stopTime: 3 },
    );
    // k is 2, 3, 1; of equal subscripts the last one counts.
    const expected = [
      [6, 2.5, 10, 1],
      [5, 0.5, 20, 1],
      [5, 1.5, 30, 1],
    ];
    for (const [i, row] of expected.entries())
      for (const [j, value] of row.entries()) close(table.value(`m[${i + 1},${j + 1}]`, 3), value);
    expect([1, 2, 3].map((i) => table.value(`n[${i}]`, 3))).toEqual([1, 2, 1]);
  });

  test('end the run outside of their bounds', async () => {
    const result = await run(
      `model M
        Integer k(start = 1, fixed = true);
        Real m[2, 2](each start = 0, each fixed = true);
      algorithm
        when sample(1, 1) then
          k := pre(k) + 1;
          m[k, :] := {1, 1};
        end when;
      end M;`,
      { stopTime: 3 },
    );
    expect(result.status).toBe('failed');
    expect(result.diagnostics.map(({ message }) => message).join()).toMatch(/Subscript 1 of `m` is 3/);
  });
});

describe('many statements on one variable', () => {
  test('have the values of plain loops', async () => {
    const text = section(
      'Real x, u = sin(time), a[5]; Integer c;',
      `x := u;
       c := 0;
       for i in 1:200 loop
         if x > i/200 then x := x - 0.001*i; c := c + 1; else x := x + 0.002; end if;
       end for;
       for i in 1:5 loop a[i] := i; end for;
       for j in 1:100 loop a[mod(j, 5) + 1] := a[mod(j + 1, 5) + 1]*0.5 + u; end for;`,
    );
    const { table } = await done(text, { stopTime: 1.5 });
    for (const time of [0, 0.3, 0.9, 1.5]) {
      const u = Math.sin(time);
      let x = u;
      let c = 0;
      for (let i = 1; i <= 200; i++)
        if (x > i / 200) {
          x -= 0.001 * i;
          c++;
        } else x += 0.002;
      const a = [1, 2, 3, 4, 5];
      for (let j = 1; j <= 100; j++) a[j % 5] = a[(j + 1) % 5]! * 0.5 + u;
      close(table.value('x', time), x);
      expect(table.value('c', time)).toBe(c);
      for (const [k, value] of a.entries()) close(table.value(`a[${k + 1}]`, time), value);
    }
  });

  test('are not computed where the branch that they stand in is not taken', async () => {
    const text = section(
      'Real x = 1 - time, y;',
      'y := 0; if x > 0 then for i in 1:200 loop y := y + sqrt(x); end for; end if;',
    );
    const { table } = await done(text, { stopTime: 1.5 });
    close(table.value('y', 0.75), 100);
    expect(table.value('y', 1.5)).toBe(0);
  });

  test('are differentiated', async () => {
    const text = section(
      'Real x(start = 1, fixed = true), y, z;',
      'y := 0; for i in 1:200 loop y := y + x*x/200; end for;',
      'der(x) = 1; z = der(y);',
    );
    close((await final(text, 1.5, 'z'))[0]!, 5);
  });
});
