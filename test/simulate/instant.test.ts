/** What when-clauses, latches and assertions see at the instant of a change of mode: the mode that stays, not those that were tried. */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

/** A switch opens and the diode takes over: the mode in which both block would stop the current by an impulse. */
const buck = (declarations: string, equations: string) => `model Buck
    Real i(start = 2, fixed = true), v, is, id, s(start = -10), w(start = 0, fixed = true);
    Boolean on(start = true) = time < 0.5, off(start = true) = s < 0;
    ${declarations}
  equation
    i = is + id;
    0.1*der(i) = v - i;
    if on then v = 10; else is = 0; end if;
    if off then id = 0; -v = s; else v = 0; id = s; end if;
    der(w) = 1;
    ${equations}
  end Buck;`;

/** 10 - 8*exp(-10*t) up to 0.5, then it decays. */
const currentAtOne = (10 - 8 * Math.exp(-5)) * Math.exp(-5);

describe('a mode that is dropped leaves no trace', () => {
  test.each([
    ['the diode conducts', 'not off', 0.5],
    ['the diode changes', 'change(off)', 0.5],
    ['the switch was opened in the iteration before', 'not pre(on)', 0.5],
    ['a voltage that only the dropped mode has', 'abs(v) > 1000', 1],
  ])('a reinit of a bystander when %s', async (_, condition, w) => {
    const { table, impulses } = await done(buck('', `when ${condition} then reinit(w, 0); end when;`));
    close(table.value('i', 1), currentAtOne, 1e-6);
    close(table.value('w', 1), w, 1e-9);
    expect(impulses).toEqual([]);
  });

  test.each(['rk', 'bdf', 'radau', 'auto'] as const)(
    'a reinit beside a chain of capacitors, by %s',
    async (method) => {
      // The diode holds va + vb + vc at zero, in parallel with an inductance; where its current ends, the voltage begins without a slope.
      const chain = `model Chain
      Real va(start = 1), vb(start = 2), vc(start = 0), i(start = 0), u, id, s, w(start = 0, fixed = true);
      Boolean off(start = true) = s < 0;
    initial equation va = 0.1; vb = 0.2; i = -0.3;
    equation
      u = va + vb + vc;
      0.2*der(vb) = -i - id; 0.3*der(vc) = -i - id; 0.1*der(va) = -id - va/4;
      0.1*der(i) = vb + vc;
      if off then id = 0; u = s; else u = 0; id = s; end if;
      der(w) = 1;
      when change(off) then reinit(w, 0); end when;
    end Chain;`;
      for (const tolerance of [1e-3, 1e-4, 1e-6, 1e-8]) {
        const { modes, table } = await done(chain, { method, tolerance });
        close(table.value('w', 1), 1 - modes.at(-1)!.from, 1e-9);
      }
    },
  );

  test('also where something else is set at the same instant', async () => {
    const { table, impulses } = await done(
      buck(
        'Real z(start = 0, fixed = true);',
        `der(z) = 0;
         when time >= 0.5 then reinit(z, 3); end when;
         when change(off) then reinit(w, z); end when;`,
      ),
    );
    close(table.value('i', 1), currentAtOne, 1e-6);
    close(table.value('z', 1), 3, 1e-12);
    close(table.value('w', 1), 3.5, 1e-9);
    expect(impulses).toEqual([]);
  });

  test('neither in latches nor in counters nor in assertions', async () => {
    const { table } = await done(
      buck(
        'Boolean tripped(start = false, fixed = true), low(start = false, fixed = true); Integer n(start = 0, fixed = true);',
        `when abs(v) > 1000 then tripped = true; end when;
         low = v < -100 or pre(low);
         when edge(tripped) or v < -500 then n = pre(n) + 1; end when;
         assert(abs(v) < 1000, "too much");`,
      ),
    );
    expect(['tripped', 'low', 'n'].map((name) => table.value(name, 1))).toEqual([0, 0, 0]);
    close(table.value('i', 1), currentAtOne, 1e-6);
  });
});

describe('when-clauses see the values of the mode that is entered at their instant', () => {
  const charge = (choice: string, declarations = '', when = 'time >= 0.5', more = '') => `model Charge
      Real v(start = 3, fixed = true), i;
      discrete Real y(start = 0, fixed = true);
      ${declarations}
    equation
      der(v) = i;
      ${choice}
      when ${when} then ${more} y = i; end when;
    end Charge;`;
  const branches = (condition: string) => `if ${condition} then v + i = 1; else i = 0; end if;`;

  test.each([
    ['an if-equation with other variables', charge(branches('time >= 0.5'))],
    ['an if-expression', charge('0 = if time >= 0.5 then v + i - 1 else i;')],
    ['a tick', charge(branches('time >= 0.5'), '', 'sample(0.5, 1)')],
    [
      'a variable that the clause itself sets',
      charge(
        branches('closed'),
        'Boolean closed(start = false, fixed = true);',
        'time >= 0.5',
        'closed = true;',
      ),
    ],
    [
      'a level that a state reaches',
      charge(`der(x) = 1; ${branches('x >= 0.5')}`, 'Real x(start = 0, fixed = true);', 'x >= 0.5'),
    ],
  ])('%s', async (_, text) => {
    const { table } = await done(text, { model: 'Charge' });
    close(table.value('y', 1), -2, 1e-9);
    close(table.value('v', 1), 1 + 2 * Math.exp(-0.5), 1e-6);
  });

  test('charges that are shared at the instant', async () => {
    const { table } = await done(`model Shared
        Real u(start = 1, fixed = true), v(start = 3, fixed = true), i;
        discrete Real y(start = 0, fixed = true);
      equation
        der(u) = i;
        der(v) = -i;
        if time >= 0.5 then u = v; else i = 0; end if;
        when sample(0, 0.5) then y = u; end when;
      end Shared;`);
    close(table.value('y', 0.75), 2, 1e-9);
  });
});

describe('a source that steps lets values jump in the mode that stands, and the impulse leads to another mode', () => {
  /** Two capacitors in series; the diode in parallel to the second one blocks when the source becomes negative. */
  const divider = (extra: string) => `model Divider
      Real u = if time < 0.5 then 0 else -2, e, v(start = 0, fixed = true), w(start = 0, fixed = true), iv, iw, id, s(start = 1);
      Real z(start = 0, fixed = true);
      Boolean off = s < 0;
      discrete Real y(start = 0, fixed = true);
    equation
      v = e;
      w = u - e;
      der(v) = iv;
      der(w) = iw;
      iw = iv + id;
      e = if off then s else 0;
      id = if off then 0 else s;
      der(z) = 1;
      ${extra}
    end Divider;`;

  test.each([
    ['nothing else', 'when time < 0 then y = 0; end when;', 0, 1],
    ['a bystander that is set', 'when time >= 0.5 then reinit(z, 0); y = e; end when;', -1, 0.5],
    ['a tick', 'when sample(0.5, 1) then reinit(z, 0); y = e; end when;', -1, 0.5],
    ['a change of the diode', 'when change(off) then reinit(z, 0); y = e; end when;', -1, 0.5],
  ])('%s at that instant', async (_, extra, y, z) => {
    const { table, impulses } = await done(divider(extra), { model: 'Divider' });
    close(table.value('e', 1), -1, 1e-9);
    close(table.value('y', 1), y, 1e-9);
    close(table.value('z', 1), z, 1e-9);
    expect(impulses.map((i) => i.variable)).toEqual(['iv', 'iw']);
  });

  test('a freewheel that is overtaken', async () => {
    const { table, impulses } = await done(`model Freewheel
        Real u = if time < 0.5 then 2 else -1, w(start = 2, fixed = true), f, s(start = 1);
        Boolean free = s < 0;
        discrete Real y(start = 0, fixed = true);
      equation
        2*der(w) = f;
        if free then f = 0; u - w = s; else w = u; f = s; end if;
        when time >= 0.5 then y = w; end when;
      end Freewheel;`);
    close(table.value('w', 1), 2, 1e-9);
    close(table.value('y', 1), 2, 1e-9);
    expect(impulses).toEqual([]);
  });

  test('an impulse is seen although something is set at its instant', async () => {
    const { table } = await done(`model Blow
        Real v, i, z(start = 0, fixed = true);
        Integer n(start = 0, fixed = true);
        Boolean seen(start = false, fixed = true);
      equation
        v = if time < 0.5 then 0 else 3;
        der(v) = i;
        der(z) = 1;
        when time >= 0.5 then reinit(z, 0); end when;
        when i > 1e6 then n = pre(n) + 1; end when;
        seen = i > 1e6 or pre(seen);
      end Blow;`);
    expect([table.value('n', 1), table.value('seen', 1)]).toEqual([1, 1]);
    close(table.value('z', 1), 0.5, 1e-9);
  });

  test('a shaft that the blow breaks lets nothing through, whatever is set at that instant', async () => {
    const { table } = await done(`model Broken
        Real wa(start = 2, fixed = true), wb(start = 2, fixed = true), wc(start = -1, fixed = true), tau, k, z(start = 0, fixed = true);
        Boolean broken(start = false, fixed = true);
      equation
        der(wa) = tau;
        3*der(wb) = -tau + k;
        4*der(wc) = -k;
        when abs(tau) >= 5 then broken = true; end when;
        if broken then tau = 0; else wa = wb; end if;
        if time >= 0.5 then wb = wc; else k = 0; end if;
        der(z) = 1;
        when abs(tau) > 100 then reinit(z, 0); end when;
      end Broken;`);
    close(table.value('wa', 1), 2, 1e-9);
    close(table.value('wb', 1), (3 * 2 - 4) / 7, 1e-9);
    close(table.value('z', 1), 0.5, 1e-9);
    expect(table.value('broken', 1)).toBe(1);
  });
});

describe('several iterations at one instant', () => {
  test('what is set leads to what is set next; the last one leaves no trace of the first', async () => {
    const { table } = await done(`model Cascade
        Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
        discrete Real seen(start = 0, fixed = true);
      equation
        der(x) = 1;
        der(y) = 0;
        der(z) = 0;
        when x >= 0.5 then reinit(y, pre(y) + 1); end when;
        when y > 0.5 then reinit(z, 3*y); seen = y; end when;
        when z > 2 then reinit(x, 0); reinit(y, 0); end when;
      end Cascade;`);
    close(table.value('x', 0.9), 0.4, 1e-9);
    expect(['y', 'z', 'seen'].map((name) => table.value(name, 0.9))).toEqual([0, 3, 1]);
  });

  test('a fuse that an impulse blows lets no charge through', async () => {
    const { table, impulses } = await done(`model Fuse
        Real v1(start = 4, fixed = true), v2(start = 0, fixed = true), i, z(start = 0, fixed = true);
        Boolean blown(start = false, fixed = true);
      equation
        der(v1) = -i;
        3*der(v2) = i;
        when abs(i) > 10 then blown = true; end when;
        if time >= 0.5 and not blown then v1 = v2; else i = 0; end if;
        der(z) = 1;
        when blown then reinit(z, 0); end when;
      end Fuse;`);
    expect(['v1', 'v2', 'blown'].map((name) => table.value(name, 1))).toEqual([4, 0, 1]);
    close(table.value('z', 1), 0.5, 1e-9);
    expect(impulses).toEqual([]);
  });

  test('a source that steps as its connection opens', async () => {
    const { table, impulses } = await done(`model Opened
        Real x, f, z(start = 0, fixed = true), r = if time < 0.5 then 1 else 5;
      equation
        der(x) = f;
        if time >= 0.5 then f = 0; else x = r; end if;
        der(z) = 1;
        when time >= 0.5 then reinit(z, 0); end when;
      end Opened;`);
    close(table.value('x', 1), 1, 1e-12);
    expect(impulses).toEqual([]);
  });
});

describe('relations follow what steps before anything acts', () => {
  test('a diode that a source turns on', async () => {
    const { table } = await done(`model Step
        Real e, vc(start = -3, fixed = true), ic, s(start = -1), u = if time < 0.5 then 8 else -3;
        Boolean off = s < 0;
        discrete Real y(start = 9, fixed = true);
      equation
        when time >= 0.5 then y = e; end when;
        vc = e - u;
        der(vc) = ic;
        -e = if off then s else 0;
        ic = if off then 0 else s;
      end Step;`);
    close(table.value('e', 0.4), 5, 1e-9);
    close(table.value('y', 1), 0, 1e-9);
    // The capacitor is charged by the step: from -3 to 3.
    close(table.value('vc', 1), 3, 1e-9);
  });

  test.each(['rk', 'bdf', 'radau'] as const)(
    'what is limited by a condition is never beyond its limit: %s',
    async (method) => {
      const { table } = await done(
        `model Limited
         Real g = 0.5 - time, y = if g > 0 then g else 0, x(start = 0.3, fixed = true), w = if x > 0 then x else 0;
         Integer n[4](each start = 0, each fixed = true);
       equation
         der(x) = -1;
         when y < 0 then n[1] = pre(n[1]) + 1; end when;
         when y >= 0 then n[2] = pre(n[2]) + 1; end when;
         when w < 0 then n[3] = pre(n[3]) + 1; end when;
         when w >= 0 then n[4] = pre(n[4]) + 1; end when;
       end Limited;`,
        { method },
      );
      expect([1, 2, 3, 4].map((k) => table.value(`n[${k}]`, 1))).toEqual([0, 0, 0, 0]);
    },
  );
});

describe('what an instant passes through may have no values', () => {
  test('a ramp begins at its end, until its relation of time follows the time at which it ends', async () => {
    const { table } = await done(
      `function bounded "Refuses what is above one half"
  input Real x;
  output Real y;
algorithm
  assert(x <= 0.5, "x is too large");
  y := x;
end bounded;
model Ramp
  Real y, z;
  discrete Real T(start = 0, fixed = true), goal(start = 0, fixed = true);
equation
  y = if time < T then goal - (T - time)*2 else goal;
  when time >= 1 then
    goal = 1;
    T = time + 0.5;
  end when;
  z = bounded(y - (if time < 1 then 0 else 2*(time - 1)));
end Ramp;`,
      { stopTime: 2 },
    );
    for (const [t, y, z] of [
      [0.5, 0, 0],
      [1.25, 0.5, 0],
      [2, 1, -1],
    ] as const) {
      close(table.value('y', t), y);
      close(table.value('z', t), z);
    }
  });

  test('a valve that closes slowly is closed first, from where its pressure is no guess', async () => {
    const { table } = await done(
      `function drop "Of a pipe, for small flows"
  input Real q;
  output Real dp;
algorithm
  assert(abs(q) < 1.5, "q is too large");
  dp := q*abs(q);
  annotation(derivative = slope);
end drop;
function slope
  input Real q, dq;
  output Real ddp;
algorithm
  ddp := 2*abs(q)*dq;
end slope;
model Closing
  Real p, y;
  discrete Real T(start = 0, fixed = true), goal(start = 1, fixed = true);
equation
  y = if time < T then goal + (T - time)*2 else goal;
  when time >= 1 then
    goal = 0;
    T = time + 0.5;
  end when;
  p + drop(y*p) = 2;
end Closing;`,
      { stopTime: 2 },
    );
    close(table.value('p', 0.5), 1);
    // y^2*p^2 + p = 2 with y = 0.6.
    close(table.value('p', 1.2), (Math.sqrt(3.88) - 1) / 0.72);
    close(table.value('p', 2), 2);
  });
});
