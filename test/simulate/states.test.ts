/** Connectors of states: several pairs of potential and flow, arrays, nested connectors, signals; values are closed forms. */
import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

describe('connectors of states', () => {
  test('nested, with an array of pins and a pair of another domain', async () => {
    const { table, modes } = await done(
      `package Plugs
         connector Pin Real v; flow Real i; end Pin;
         connector Heat Real T; flow Real Q; end Heat;
         connector Plug Pin pin[2]; Heat heat; end Plug;
         model Source
           Plug p;
         equation
           p.pin[1].v = 10;
           p.pin[2].v = 0;
           p.heat.T = 300;
         end Source;
         model Load "A resistor that warms itself"
           Plug p;
           parameter Real R;
           Real T(start = 300, fixed = true);
         equation
           p.pin[1].v - p.pin[2].v = R*p.pin[1].i;
           p.pin[1].i + p.pin[2].i = 0;
           p.heat.Q = 5*(p.heat.T - T);
           2*der(T) = p.heat.Q + R*p.pin[1].i^2;
         end Load;
         model Open
           Plug p;
         equation
           p.pin.i = zeros(2);
           p.heat.Q = 0;
         end Open;
         model Test
           Source s;
           Load a(R = 1), b(R = 2);
           Open o;
         equation
           connect(s.p, a.p);
           connect(s.p, b.p);
           connect(s.p, o.p);
           initialState(a);
           transition(a, b, time >= 0.3);
           transition(b, o, time >= 0.6);
         end Test;
       end Plugs;`,
      { model: 'Plugs.Test', stopTime: 1, intervals: 20 },
    );
    // 2 T' = 5 (300 - T) + V^2/R from 300.
    const warm = (R: number, t: number) => 300 + (100 / R / 5) * (1 - Math.exp(-2.5 * t));
    close(table.value('a.T', 0.25), warm(1, 0.25));
    close(table.value('b.T', 0.5), warm(2, 0.2));
    close(table.value('s.p.pin[1].i', 0.25), -10);
    close(table.value('s.p.pin[2].i', 0.5), 5);
    close(table.value('s.p.heat.Q', 0.5), 5 * (warm(2, 0.2) - 300));
    for (const flow of ['pin[1].i', 'pin[2].i', 'heat.Q']) close(table.value(`s.p.${flow}`, 0.8), 0);
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['a', 1],
      ['b', 1],
      ['o', 0],
    ]);
  });

  test.each([
    ['one by one', 'for k in 1:3 loop connect(s[k].p, r.p[k]); connect(s[k].p, c.p[k]); end for;'],
    ['as a whole', 'connect(s.p, r.p); connect(s.p, c.p);'],
  ])('arrays of connectors, connected %s', async (_, connects) => {
    const { table, modes } = await done(
      `package Arrays
         connector Pin Real v; flow Real i; end Pin;
         model R Pin p[3]; equation for k in 1:3 loop p[k].v = k*p[k].i; end for; end R;
         model C
           Pin p[3];
           Real v[3](each start = 0, each fixed = true);
         equation
           p.v = v;
           der(v) = p.i;
         end C;
         model S Pin p; parameter Real V; equation V - p.v = -p.i; end S;
         model Test
           S s[3](V = 1:3);
           R r;
           C c;
         equation
           ${connects}
           initialState(c);
           transition(c, r, time >= 0.5);
         end Test;
       end Arrays;`,
      { model: 'Arrays.Test', stopTime: 1, intervals: 20 },
    );
    for (const k of [1, 2, 3]) {
      close(table.value(`c.v[${k}]`, 0.25), k * (1 - Math.exp(-0.25)));
      close(table.value(`s[${k}].p.v`, 0.75), (k * k) / (k + 1));
    }
    expect(modes.map((m) => m.states.length)).toEqual([3, 0]);
  });

  test('signals: Real and Boolean outputs of two machines', async () => {
    const { table } = await done(
      `package Signals
         connector In = input Real;
         connector Out = output Real;
         connector BooleanIn = input Boolean;
         connector BooleanOut = output Boolean;
         block Gain In u; Out y; equation y = 3*u; end Gain;
         block Lag In u; Out y(start = 0, fixed = true); equation der(y) = u - y; end Lag;
         block Source Out y; equation y = time; end Source;
         block Sum In u; Real z(start = 0, fixed = true); equation der(z) = u; end Sum;
         block Flag In u; BooleanOut b; equation b = u > 0.3 and u < 0.35 or u > 0.4; end Flag;
         block Quiet BooleanOut b; equation b = time > 0.9; end Quiet;
         block Count BooleanIn u; Integer n(start = 0, fixed = true); equation when u then n = pre(n) + 1; end when; end Count;
         model Test
           Source source;
           Gain gain;
           Lag lag;
           Sum sum_;
           Flag flag;
           Quiet quiet;
           Count count;
         equation
           connect(source.y, gain.u);
           connect(source.y, lag.u);
           connect(gain.y, sum_.u);
           connect(lag.y, sum_.u);
           connect(source.y, flag.u);
           connect(flag.b, count.u);
           connect(quiet.b, count.u);
           initialState(gain);
           transition(gain, lag, time >= 0.5);
           initialState(flag);
           transition(flag, quiet, time >= 0.8);
         end Test;
       end Signals;`,
      { model: 'Signals.Test', stopTime: 1, intervals: 20 },
    );
    // The lag answers a ramp that begins at 0.5: y = t - 1 + 0.5 exp(0.5 - t).
    const lag = (t: number) => t - 1 + 0.5 * Math.exp(0.5 - t);
    close(table.value('sum_.u', 0.25), 0.75);
    close(table.value('sum_.u', 0.75), lag(0.75));
    close(table.value('sum_.z', 0.5), 0.375);
    close(table.value('sum_.z', 1), 0.375 + (1 / 2 - 1) - (0.125 - 0.5) + 0.5 * (1 - Math.exp(-0.5)));
    expect(table.value('count.n', 0.32)).toBe(1);
    expect(table.value('count.n', 0.5)).toBe(2);
    expect(table.value('count.n', 1)).toBe(3);
  });

  test('of states that are made of components, one of them with a machine inside', async () => {
    const { table, modes } = await done(
      `package Circuits
         connector Pin Real v; flow Real i; end Pin;
         partial model Two Pin p, n; Real v, i; equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end Two;
         model R extends Two; parameter Real R; equation v = R*i; end R;
         model C extends Two; equation 0.5*der(v) = i; end C;
         model V extends Two; equation v = 12; end V;
         model G Pin p; equation p.v = 0; end G;
         model RC
           Pin p, n;
           R r(R = 2);
           C c(v(start = 0, fixed = true));
         equation
           connect(p, r.p);
           connect(r.n, c.p);
           connect(c.n, n);
         end RC;
         model Stepped
           Pin p, n;
           R r1(R = 1), r2(R = 3);
         equation
           connect(p, r1.p);
           connect(p, r2.p);
           connect(r1.n, n);
           connect(r2.n, n);
           initialState(r1);
           transition(r1, r2, timeInState() >= 0.25);
         end Stepped;
         model Test
           V s;
           R r0(R = 4);
           RC rc;
           Stepped stepped;
           G g;
         equation
           connect(s.p, r0.p);
           connect(r0.n, rc.p);
           connect(r0.n, stepped.p);
           connect(rc.n, g.p);
           connect(stepped.n, g.p);
           connect(s.n, g.p);
           initialState(rc);
           transition(rc, stepped, time >= 0.5);
         end Test;
       end Circuits;`,
      { model: 'Circuits.Test', stopTime: 1, intervals: 20 },
    );
    close(table.value('r0.i', 0.25), 2 * Math.exp(-0.25 / 3));
    close(table.value('r0.i', 0.6), 12 / 5);
    close(table.value('r0.i', 0.9), 12 / 7);
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['rc', 1],
      ['stepped, stepped.r1', 0],
      ['stepped, stepped.r2', 0],
    ]);
  });

  test('that nothing outside connects never exist together', async () => {
    await expect(
      run(
        `package Alone
           connector Pin Real v; flow Real i; end Pin;
           model R Pin p; equation p.v = p.i; end R;
           model Test
             R a, b;
           equation
             connect(a.p, b.p);
             initialState(a);
             transition(a, b, time > 0.5);
           end Test;
         end Alone;`,
        { model: 'Alone.Test' },
      ),
    ).rejects.toThrow('they never exist together');
  });
});

describe('machines side by side', () => {
  test.each([
    ['one way', ['in', 'out']],
    ['the other way', ['out', 'in']],
  ])('change together at one instant, written %s round', async (_, order) => {
    const machine = {
      in: 'initialState(none2); transition(none2, c2, time >= 1);',
      out: 'initialState(c1); transition(c1, none1, time >= 1);',
    };
    const { table, impulses } = await done(
      `package Together
         connector Pin Real v; flow Real i; end Pin;
         model C Pin p; Real v; equation p.v = v; der(v) = p.i; end C;
         model None Pin p; equation p.i = 0; end None;
         model Test
           C c0(v(start = 1, fixed = true)), c1, c2(v(start = 4, fixed = true));
           None none1, none2;
         equation
           connect(c0.p, c1.p);
           connect(c0.p, c2.p);
           connect(c0.p, none1.p);
           connect(c0.p, none2.p);
           ${order.map((name) => machine[name as 'in' | 'out']).join('\n')}
         end Test;
       end Together;`,
      { model: 'Together.Test', stopTime: 2 },
    );
    // The capacitor that goes takes its charge with it; the others meet half way.
    close(table.value('c0.v', 1, 'after'), 2.5);
    expect(impulses.map((i) => [i.variable, Math.round(i.weight * 1e6) / 1e6])).toEqual([
      ['c0.p.i', 1.5],
      ['c2.p.i', -1.5],
    ]);
  });

  test('exchange the values of their variables', async () => {
    const { table } = await done(
      `model Exchange
         block S Real y = 1; end S;
         S a, b, c, d;
         Real x(start = 1, fixed = true), y(start = 2, fixed = true);
       equation
         der(x) = 0;
         der(y) = 0;
         initialState(a);
         transition(a, b, time >= 1, actions = {reinit(x, y)});
         initialState(c);
         transition(c, d, time >= 1, actions = {reinit(y, x)});
       end Exchange;`,
      { model: 'Exchange', stopTime: 2 },
    );
    close(table.value('x', 2), 2);
    close(table.value('y', 2), 1);
  });
});

describe('history of nested machines', () => {
  const nested = (reset: boolean) => `model Nested
      block Leaf Real x(start = 0, fixed = true); equation der(x) = 1; end Leaf;
      block Work
        Leaf first, second;
      equation
        initialState(first);
        transition(first, second, timeInState() >= 0.3, reset = false);
        transition(second, first, timeInState() >= 0.1, reset = false);
      end Work;
      block Rest Real y = 1; end Rest;
      Work work;
      Rest rest;
    equation
      initialState(work);
      transition(work, rest, time >= 0.6 and time < 1);
      transition(rest, work, time >= 1, reset = ${reset});
    end Nested;`;

  test('goes on with its outer state, also inside', async () => {
    const { table, modes } = await done(nested(false), { model: 'Nested', stopTime: 1.55, intervals: 31 });
    // first for 0.3, second for 0.1, first for 0.2; then the clock of first runs on since it was entered at 0.4.
    expect(modes.map((m) => m.signature)).toEqual([
      'work, work.first',
      'work, work.second',
      'work, work.first',
      'rest',
      'work, work.second',
      'work, work.first',
      'work, work.second',
      'work, work.first',
    ]);
    close(table.value('work.second.x', 1, 'after'), 0.1);
    close(table.value('work.first.x', 1.15), 0.55);
  });

  test('is forgotten when the outer state begins anew', async () => {
    const { table } = await done(nested(true), { model: 'Nested', stopTime: 1.55, intervals: 31 });
    close(table.value('work.first.x', 1, 'after'), 0);
    close(table.value('work.second.x', 1.35), 0.05);
    close(table.value('work.first.x', 1.45), 0.35);
  });
});
