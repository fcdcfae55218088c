/** What `reinit` and the actions of transitions set, where equations tie it to other variables. */
import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

/** Two inertias on a gear of 3: w1 = 3*w2, J1 = 1, J2 = 2. */
const gear = (resets: string, constraint = 'w1 = 3*w2') => `model Gear
    Real w1(start = 3, fixed = true), w2, f1, f2;
  equation
    der(w1) = f1;
    2*der(w2) = f2;
    3*f1 + f2 = 0;
    ${constraint};
    when time >= 0.5 then
      ${resets}
    end when;
  end Gear;`;

const slice = (d: { readonly span?: { source: { text: string }; start: number; end: number } }) =>
  d.span!.source.text.slice(d.span!.start, d.span!.end);

describe('reinit in a mode with constraints', () => {
  test.each([
    ['a state', 'reinit(w1, 6);', 6, 2],
    ['what follows from states', 'reinit(w2, 4);', 12, 4],
    ['both, in agreement', 'reinit(w1, 6); reinit(w2, 2);', 6, 2],
    ['an expression of values before', 'reinit(w1, -2*w1);', -6, -2],
  ])('%s: it has the value, the rest follows, nothing has an impulse', async (_, resets, w1, w2) => {
    const { table, impulses } = await done(gear(resets), { model: 'Gear' });
    close(table.value('w1', 0.5, 'after'), w1, 1e-9);
    close(table.value('w2', 0.5, 'after'), w2, 1e-9);
    close(table.value('w1', 1), w1, 1e-9);
    expect(impulses).toEqual([]);
  });

  test('positions follow, velocities stay', async () => {
    const { table } = await done(
      `model Rods
         Real x1(start = 2, fixed = true), x2, v1(start = 1, fixed = true), v2, f;
       equation
         der(x1) = v1;
         der(x2) = v2;
         der(v1) = f;
         3*der(v2) = -f;
         x1 = x2 + 2;
         when time >= 0.5 then
           reinit(x2, 10);
         end when;
       end Rods;`,
    );
    close(table.value('x1', 0.5, 'after'), 12, 1e-9);
    close(table.value('x2', 1), 10.5, 1e-9);
    close(table.value('v1', 1), 1, 1e-9);
  });

  test('on a circle', async () => {
    const { table } = await done(
      `model Circle
         Real x(start = 4, fixed = true), y(start = -3), vx(start = 0, fixed = true), vy, f;
       equation
         der(x) = vx;
         der(y) = vy;
         der(vx) = -f*x;
         der(vy) = -f*y;
         x^2 + y^2 = 25;
         when time >= 0.5 then
           reinit(x, 3);
         end when;
       end Circle;`,
    );
    close(table.value('x', 0.5, 'after'), 3, 1e-9);
    close(table.value('y', 0.5, 'after'), -4, 1e-9);
  });

  test('at the instant of a change, what is set is the left limit', async () => {
    const { table, impulses } = await done(
      `model Clutch
         Real w1(start = 1, fixed = true), w2(start = 3, fixed = true), f;
       equation
         der(w1) = f;
         2*der(w2) = -f;
         if time >= 0.5 then w1 = w2; else f = 0; end if;
         when time >= 0.5 then
           reinit(w1, 7);
         end when;
       end Clutch;`,
    );
    close(table.value('w1', 1), (7 + 2 * 3) / 3, 1e-9);
    close(impulses.find((i) => i.variable === 'f')!.weight, 13 / 3 - 7, 1e-9);
  });
});

describe('reinit that cannot be', () => {
  test.each([
    ['two that contradict each other', gear('reinit(w1, 6); reinit(w2, 5);'), -9, 'w1 = 3*w2'],
    ['against a constraint on the variable alone', gear('reinit(w1, 6);', 'w1 = 3'), 3, 'w1 = 3'],
  ])('%s', async (_, text, residual, constraint) => {
    const { diagnostics, status } = await run(text, { model: 'Gear' });
    expect(status).toBe('failed');
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('impossible-change');
    expect(problem.message).toContain(`the constraint ${constraint} would be violated by ${residual}`);
    expect(slice(problem)).toMatch(/^reinit/);
    expect(slice(problem.notes[0]!)).toBe(constraint);
  });

  test('of what is no state', async () => {
    const { diagnostics } = await run(gear('reinit(f1, 6);'), { model: 'Gear' });
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.message).toContain('reinit has no effect on f1');
    expect(slice(problem)).toBe('reinit(f1, 6)');
  });
});

test('a variable that follows from a state becomes one by it, and the state follows', async () => {
  const { table } = await done(`model M
    Real x(start = 1, fixed = true), y = 2*x;
  equation
    der(x) = -x;
    when time > 0.5 then reinit(y, 2); end when;
  end M;`);
  close(table.value('x', 0.5, 'before'), Math.exp(-0.5));
  close(table.value('x', 0.5), 1);
  close(table.value('x', 1), Math.exp(-0.5));
});

describe('actions of transitions', () => {
  const machine = (action: string) => `model Machine
      inner Real x(start = 1, fixed = true), v(start = 0, fixed = true), F, y;
      block Free outer output Real F, y; outer Real x; equation F = 0; y = 2*x; end Free;
      block Held outer output Real F, y; outer Real x; equation x = 1; y = 3*x; end Held;
      Free free;
      Held held;
    equation
      der(x) = v;
      der(v) = F;
      initialState(free);
      transition(free, held, time >= 0.5, actions = {${action}});
    end Machine;`;

  test('that constraints do not allow name the constraint, its residual and the action', async () => {
    const { diagnostics } = await run(machine('reinit(x, 5)'), { model: 'Machine' });
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.code).toBe('impossible-change');
    expect(problem.message).toContain('the constraint x = 1 is violated by 4');
    expect(slice(problem)).toBe('x = 1');
    expect(problem.notes.map((n) => [n.message, slice(n)])).toContainEqual([
      'x is set by the transition',
      'reinit(x, 5)',
    ]);
  });

  test('on what equations determine have no effect', async () => {
    const { diagnostics } = await run(machine('reinit(y, 5)'), { model: 'Machine' });
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.message).toContain('reinit has no effect on y');
    expect(slice(problem)).toBe('reinit(y, 5)');
  });

  test('of another machine that fires at the same instant count as well', async () => {
    const together = (action: string) =>
      machine('reinit(v, 6)')
        .replace('Held held;', 'Held held; block S end S; S s1, s2;')
        .replace(
          'initialState(free);',
          `initialState(free); initialState(s1); transition(s1, s2, time >= 0.5, actions = {${action}});`,
        );
    const told = async (action: string) => {
      const { diagnostics } = await run(together(action), { model: 'Machine' });
      return diagnostics.find((d) => d.severity === 'error')!;
    };
    expect(slice(await told('reinit(y, 5)'))).toBe('reinit(y, 5)');
    const impossible = await told('reinit(x, 5)');
    expect(impossible.code).toBe('impossible-change');
    expect(impossible.notes.map((n) => n.message)).toEqual(
      expect.arrayContaining(['v is set by the transition', 'x is set by the transition']),
    );
  });

  test('are left limits: a velocity that the state stops has an impulse', async () => {
    const { table, impulses } = await done(machine('reinit(v, 6)'), { model: 'Machine' });
    close(table.value('v', 1), 0, 1e-9);
    close(impulses.find((i) => i.variable === 'F')!.weight, -6, 1e-9);
  });
});

describe('impacts at one instant', () => {
  /** Equal balls of diameter 1/2 that exchange their speeds. */
  const balls = (x: string, v: string) => `model Balls
      Real x[3](start = ${x}, each fixed = true), v[3](start = ${v}, each fixed = true);
    equation
      der(x) = v;
      der(v) = zeros(3);
      for k in 1:2 loop
        when x[k + 1] - x[k] <= 0.5 + 1e-9 and v[k] > v[k + 1] then
          reinit(v[k], v[k + 1]);
          reinit(v[k + 1], v[k]);
        end when;
      end for;
    end Balls;`;

  test('travel along balls that touch', async () => {
    const { table } = await done(balls('{0, 1, 1.5}', '{1, 0, 0}'), { model: 'Balls', stopTime: 2 });
    expect([1, 2, 3].map((k) => table.value(`v[${k}]`, 1))).toEqual([0, 0, 1]);
    close(table.value('x[1]', 2), 0.5);
    close(table.value('x[2]', 2), 1);
    close(table.value('x[3]', 2), 1.5 + 1.5);
  });

  test('on one ball from both sides are an error: nothing says which comes first', async () => {
    const { diagnostics, status } = await run(balls('{0, 1, 2}', '{1, 0, -1}'), {
      model: 'Balls',
      stopTime: 2,
    });
    expect(status).toBe('failed');
    const problem = diagnostics.find((d) => d.severity === 'error')!;
    expect(problem.message).toMatch(/^v\[2\] gets two values from reinit at time 0\.[45]\d*: 1 and -1\./);
    expect(problem.notes).toHaveLength(1);
  });

  test('with a coefficient of restitution keep the momentum', async () => {
    const e = 0.5;
    const { table } = await done(
      `model Pair
         Real x1(start = 0, fixed = true), x2(start = 2, fixed = true), v1(start = 3, fixed = true), v2(start = 0, fixed = true);
       equation
         der(x1) = v1;
         der(x2) = v2;
         der(v1) = 0;
         der(v2) = 0;
         when x2 - x1 < 0.5 and v1 > v2 then
           reinit(v1, (v1 + 2*v2 - ${e}*2*(v1 - v2))/3);
           reinit(v2, (v1 + 2*v2 + ${e}*(v1 - v2))/3);
         end when;
       end Pair;`,
    );
    // Masses 1 and 2: momentum 3, speed of separation half of that of approach.
    close(table.value('v1', 1), 0, 1e-9);
    close(table.value('v2', 1), 1.5, 1e-9);
  });
});

describe('an offset that is latched when a shaft is joined', () => {
  const shaft = (offset: string) => `model Shaft
      Real phi1(start = 0, fixed = true), phi2(start = 0, fixed = true), f;
      Real w1(start = 0, fixed = true), w2(start = 0, fixed = true);
      discrete Real offset(start = 0, fixed = true);
      Boolean joined = time < 0.5 or time >= 1.5 and time < 2 or time >= 3;
    equation
      der(phi1) = w1;
      der(phi2) = w2;
      2*der(w1) = 3 - f;
      der(w2) = f;
      when joined then
        offset = ${offset};
      end when;
      if joined then phi1 = phi2 + offset; else f = 0; end if;
    end Shaft;`;

  test('from values before the change works any number of times', async () => {
    const { table, impulses, modes } = await done(shaft('pre(phi1) - pre(phi2)'), {
      model: 'Shaft',
      stopTime: 4,
    });
    expect(modes.map((m) => m.signature)).toEqual(['joined', 'not joined', 'joined', 'not joined', 'joined']);
    // Speeds 2 and 0.5 become 1.5, then 3.5 and 2 become 3.
    close(table.value('w1', 1.5, 'after'), 1.5);
    close(table.value('w1', 3, 'after'), 3);
    close(table.value('phi1', 4) - table.value('phi2', 4), 1.5);
    expect(impulses.map((i) => i.variable)).toEqual(['f', 'f']);
    for (const { weight } of impulses) close(weight, 1);
  });

  test('from values of the same instant works as well: positions do not jump', async () => {
    const { table } = await done(shaft('phi1 - phi2'), { model: 'Shaft', stopTime: 4 });
    close(table.value('w1', 1.5, 'after'), 1.5);
    close(table.value('w1', 3, 'after'), 3);
    close(table.value('phi1', 4) - table.value('phi2', 4), 1.5);
  });
});

describe('reinit at the instant at which a constraint ends', () => {
  /** Two bodies, of masses 1 and 4, that move together until 0.5; a force of 2 acts on the first. */
  const pair = (declared: string, choice: string, whens: string) => `model Pair
      Real v1(start = 0, fixed = true), v2, F;
      ${declared}
    equation
      der(v1) = 2 - F;
      4*der(v2) = F;
      ${choice}
      ${whens}
    end Pair;`;
  const branches = (on: string) => `if ${on} then v1 = v2; else F = 0; end if;`;
  const latch = 'Boolean on(start = true, fixed = true);';

  test.each([
    [
      'a condition of time',
      '',
      branches('time < 0.5'),
      'when time >= 0.5 then reinit(v1, v1 + 4); end when;',
    ],
    [
      'an if-expression',
      '',
      '0 = if time < 0.5 then v1 - v2 else F;',
      'when time >= 0.5 then reinit(v1, v1 + 4); end when;',
    ],
    [
      'a latch of the same clause',
      latch,
      branches('on'),
      'when time >= 0.5 then on = false; reinit(v1, v1 + 4); end when;',
    ],
    ['a level', latch, branches('on'), 'when v1 > 0.2 then on = false; reinit(v1, v1 + 4); end when;'],
  ])('what is let go does not follow: %s', async (_, declared, choice, whens) => {
    const { table, impulses } = await done(pair(declared, choice, whens));
    close(table.value('v1', 1), 0.2 + 4 + 1, 1e-6);
    close(table.value('v2', 1), 0.2, 1e-6);
    expect(impulses).toEqual([]);
  });

  test('both partners are set', async () => {
    const whens = 'when time >= 0.5 then reinit(v1, v1 + 4); reinit(v2, v2 - 1); end when;';
    const { table } = await done(pair('', branches('time < 0.5'), whens));
    close(table.value('v1', 1), 5.2, 1e-6);
    close(table.value('v2', 1), -0.8, 1e-6);
  });

  test('an inductor that a switch bypasses', async () => {
    const circuit = (resets: string) => `model Inductors
        import Mutabor.Electrical.*;
        Ground g;
        Inductor a(L = 1, i(start = 2, fixed = true)), b(L = 1);
        Switch s(closed = time >= 0.5);
      equation
        connect(g.p, a.p);
        connect(a.n, b.p);
        connect(b.n, g.p);
        connect(s.p, a.n);
        connect(s.n, g.p);
        when time >= 0.5 then ${resets} end when;
      end Inductors;`;
    const one = await done(circuit('reinit(a.i, 7);'));
    expect([one.table.value('a.i', 1), one.table.value('b.i', 1)]).toEqual([7, 2]);
    const both = await done(circuit('reinit(a.i, 4); reinit(b.i, 7);'));
    expect([both.table.value('a.i', 1), both.table.value('b.i', 1)]).toEqual([4, 7]);
  });

  test('a body that is kicked off from rest', async () => {
    const { table } = await done(`model Kick
        Real x(start = 0, fixed = true), v, N;
        Boolean rest(start = true, fixed = true);
      equation
        der(x) = v;
        2*der(v) = N;
        if rest then v = 0; else N = 0; end if;
        when time >= 0.5 then rest = false; reinit(v, 3); end when;
      end Kick;`);
    close(table.value('x', 1), 1.5, 1e-6);
  });

  test('a variable that is a state from then on', async () => {
    const { table } = await done(`model Begins
        Real y(start = 3);
      equation
        if time < 0.5 then y = 3; else der(y) = -1; end if;
        when time >= 0.5 then reinit(y, 8); end when;
      end Begins;`);
    close(table.value('y', 1), 7.5, 1e-6);
  });

  test('constraints that last are followed, those that begin share momentum', async () => {
    const { table } = await done(`model Exchange
        Real a(start = 1, fixed = true), b, c(start = 5, fixed = true), e, F, G, H;
      equation
        der(a) = -F - H;
        der(b) = F - G;
        der(c) = G;
        der(e) = H;
        a = 2*e;
        if time < 0.5 then a = b; G = 0; else b = c; F = 0; end if;
        when time >= 0.5 then reinit(a, 10); end when;
      end Exchange;`);
    // a is free with e on its gear; b, which was 1, meets c.
    expect(table.value('a', 1)).toBeCloseTo(10, 9);
    expect(table.value('e', 1)).toBeCloseTo(5, 9);
    expect(table.value('b', 1)).toBeCloseTo(3, 9);
  });
});

describe('reinit beside a constraint that a relation has chosen', () => {
  /** A capacitor that discharges through a resistor; a diode lets it charge a second one, so that both go together. */
  const circuit = (reset: string) => `model Circuit
      import Mutabor.Electrical.*;
      Ground g;
      Capacitor c(C = 1, v(start = 1, fixed = true)), d(C = 1, v(start = 0, fixed = true));
      ConstantCurrent source(I = 0.1);
      Diode diode;
    equation
      connect(source.p, g.p);
      connect(source.n, c.p);
      connect(c.p, diode.p);
      connect(diode.n, d.p);
      connect(c.n, g.p);
      connect(d.n, g.p);
      when time >= 0.5 then ${reset} end when;
    end Circuit;`;

  test('what a diode would have to drive backwards stays', async () => {
    // Both are at 0.5 at first, and rise by 0.05 each in a second.
    const { table } = await done(circuit('reinit(d.v, 10);'));
    close(table.value('d.v', 1), 10, 1e-9);
    close(table.value('c.v', 1), 0.525 + 0.05, 1e-6);
  });

  test('what it can drive forwards follows', async () => {
    const { table } = await done(circuit('reinit(c.v, 2);'), { audit: false });
    close(table.value('c.v', 1), 2.025, 1e-6);
    close(table.value('d.v', 1), 2.025, 1e-6);
  });

  test('a freewheel that is overtaken', async () => {
    const { table } = await done(`model Freewheel
        import Mutabor.Rotational.*;
        Torque torque(tau = 1);
        Inertia a(J = 1, w(start = 0, fixed = true), phi(start = 0, fixed = true)), b(J = 1, w(start = 0));
        OneWayClutch clutch;
      equation
        connect(torque.flange, a.flange_a);
        connect(a.flange_b, clutch.flange_a);
        connect(clutch.flange_b, b.flange_a);
        when time >= 0.5 then reinit(b.w, 20); end when;
      end Freewheel;`);
    close(table.value('b.w', 1), 20, 1e-9);
    close(table.value('a.w', 1), 0.25 + 0.5, 1e-6);
  });
});

describe('reinit of what another variable remembers', () => {
  /**
   * A core whose field i is limited in what it adds to the polarisation J; b is the point from which it is counted. What J follows is E, of which only changes count: a new point
   * changes neither J nor i, so that (1 + m)*i = time.
   */
  const core = (m: number, resets: string, more = '') => `model Core
      Real B(start = 0, fixed = true), J(start = 0, fixed = true), E, i(stateSelect = StateSelect.prefer), a;
      Real b(start = 0, fixed = true, stateSelect = StateSelect.prefer);
      ${more}
    equation
      der(B) = 1;
      B = J + ${m}*i;
      a = if i >= 10 then 10 else i;
      E = a - b;
      der(J) = der(E);
      der(b) = 0;
      ${resets}
    end Core;`;

  test('changes neither, however far they would go together', async () => {
    const { table, impulses } = await run(core(0.01, 'when time >= 1 then reinit(b, 20); end when;'), {
      stopTime: 2,
      audit: false, // In the sense of distributions J would have to follow E.
    });
    expect(impulses).toEqual([]);
    close(table.value('J', 1, 'after'), 1 / 1.01, 1e-6);
    close(table.value('i', 2), 2 / 1.01, 1e-6);
  });

  test('moves nothing by rounding: what is latched at the instant is not passed there', async () => {
    const latch = `when sample(0.05, 0.05) then
        last = i;
        reinit(b, i + 3);
      end when;
      below = i < pre(last);
      when below then
        passed = pre(passed) + 1;
      end when;`;
    const more = `Boolean below; discrete Real last(start = -1, fixed = true); Integer passed(start = 0, fixed = true);`;
    const { table } = await run(core(1e-7, latch, more), { stopTime: 2, audit: false });
    expect(table.value('passed', 2)).toBe(0);
    close(table.value('i', 2), 2 / (1 + 1e-7), 1e-6);
  });
});
