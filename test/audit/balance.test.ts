/** Events: what must balance, in results that are written down as formulas. Right ones are followed by wrong ones. */
import { describe, expect, test } from 'vitest';
import { type Curves, type Told, told } from './notation.ts';

const constant = (values: Readonly<Record<string, number>>): Curves =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value]));

/** Constant values before and after 1 s; `both` are those that stay. */
const step = (
  both: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  impulses: Readonly<Record<string, number>> = {},
): Told => ({
  at: 1,
  before: constant({ ...both, ...before }),
  after: constant({ ...both, ...after }),
  impulses,
});

const balances = (name: string) => expect.stringContaining(name);

describe('capacitors in series under a step of 5 V', () => {
  const text = `model M
    Real v1(start = 0, fixed = true), v2, i;
  equation
    der(v1) = i;
    3*der(v2) = i;
    v1 + v2 = if time < 1 then 0 else 5;
  end M;`;
  const rest = { i: 0, 'der(v1)': 0, 'der(v2)': 0 };

  test('share it by their capacitances: 1*3.75 = 3*1.25', () => {
    expect(told(text, step(rest, { v1: 0, v2: 0 }, { v1: 3.75, v2: 1.25 }, { i: 3.75 }))).toEqual([]);
  });

  test('one of them cannot take all', () => {
    const found = told(text, step(rest, { v1: 0, v2: 0 }, { v1: 0, v2: 5 }));
    expect(found).toEqual([balances('3*der(v2) = i does not balance across the event at time 1')]);
  });

  test('the impulse must be told, with its weight', () => {
    const after = { v1: 3.75, v2: 1.25 };
    expect(told(text, step(rest, { v1: 0, v2: 0 }, after))).toHaveLength(2);
    expect(told(text, step(rest, { v1: 0, v2: 0 }, after, { i: 3.7 }))).toHaveLength(2);
  });

  test('the sum must hold on both sides', () => {
    const found = told(text, step(rest, { v1: 0, v2: 0 }, { v1: 3, v2: 1 }, { i: 3 }));
    expect(found).toEqual([balances('v1 + v2 = if time < 1 then 0 else 5 does not hold')]);
  });
});

describe('a gear whose ratio steps from 3 to 1', () => {
  const text = `model M
    Real w1(start = 6, fixed = true), w2, f, ratio;
  equation
    ratio = if time < 1 then 3 else 1;
    der(w1) = -f;
    4*der(w2) = ratio*f;
    w1 = ratio*w2;
  end M;`;
  const rest = { f: 0, 'der(w1)': 0, 'der(w2)': 0 };
  const before = { w1: 6, w2: 2, ratio: 3 };

  test('acts with the ratio after the change: 6 + 4*2 = 5*2.8', () => {
    expect(told(text, step(rest, before, { w1: 2.8, w2: 2.8, ratio: 1 }, { f: 3.2 }))).toEqual([]);
  });

  test('not with the one before: 6 + 4*2/3 = w*(1 + 4/3)', () => {
    const w = (6 + 8 / 3) / (1 + 4 / 3);
    expect(told(text, step(rest, before, { w1: w, w2: w, ratio: 1 }, { f: 6 - w }))).toEqual([
      balances('4*der(w2) = ratio*f'),
    ]);
  });

  test('a speed that keeps its value needs no torque, the other one does', () => {
    expect(told(text, step(rest, before, { w1: 2, w2: 2, ratio: 1 }))).toEqual([balances('der(w1) = -f')]);
  });
});

describe('what stands inside der is conserved', () => {
  const join = (left: string) => `model M
    Real v1(start = 10, fixed = true), v2(start = 0, fixed = true), i;
  equation
    ${left} = -i;
    der(v2) = i;
    if time >= 1 then v1 = v2; else i = 0; end if;
  end M;`;
  const rest = { i: 0, 'der(v1)': 0, 'der(v2)': 0 };
  const before = { v1: 10, v2: 0 };
  const v = -20 + 10 * Math.sqrt(7);

  test.each(['der(v1 + 0.05*v1^2)', '(1 + 0.1*v1)*der(v1)'])('%s: v + 0.05 v^2 + v = 15', (left) => {
    expect(told(join(left), step(rest, before, { v1: v, v2: v }, { i: v }))).toEqual([]);
    // With the capacitance before the change it would be 2*10/3.
    expect(told(join(left), step(rest, before, { v1: 20 / 3, v2: 20 / 3 }, { i: 20 / 3 }))).toHaveLength(1);
  });

  test('a charge of two variables: C*v stays 10 when C doubles', () => {
    const text = `model M
      Real v(start = 10, fixed = true), C, i;
    equation
      C = if time < 1 then 1 else 2;
      der(C*v) = i;
      i = 0;
    end M;`;
    const own = { i: 0, 'der(v)': 0, 'der(C)': 0 };
    expect(told(text, step(own, { v: 10, C: 1 }, { v: 5, C: 2 }))).toEqual([]);
    expect(told(text, step(own, { v: 10, C: 1 }, { v: 10, C: 2 }))).toHaveLength(1);
  });

  test('masses and energies of gas in two vessels that are joined', () => {
    const text = `model M
      Real m1(start = 2, fixed = true), m2, T1(start = 400, fixed = true), T2(start = 300, fixed = true);
      Real p1, p2(start = 1e5, fixed = true), massFlow, heatFlow;
    equation
      der(m1) = -massFlow;
      der(m2) = massFlow;
      m1*718*der(T1) + 718*T1*der(m1) = -heatFlow;
      m2*718*der(T2) + 718*T2*der(m2) = heatFlow;
      p1 = m1*287*T1;
      p2*2 = m2*287*T2;
      if time >= 1 then
        p1 = p2;
        T1 = T2;
      else
        massFlow = 0;
        heatFlow = 0;
      end if;
    end M;`;
    const own = { massFlow: 0, heatFlow: 0, 'der(m1)': 0, 'der(m2)': 0, 'der(T1)': 0, 'der(T2)': 0 };
    const second = 2e5 / (287 * 300);
    const gas = (m1: number, T1: number, m2: number, T2: number) => ({
      ...{ m1, T1, m2, T2 },
      p1: m1 * 287 * T1,
      p2: (m2 * 287 * T2) / 2,
    });
    /** All gas at one temperature: a third of it is in the first vessel. */
    const joined = (T: number): string[] => {
      const m1 = (2 + second) / 3;
      const impulses = { massFlow: 2 - m1, heatFlow: 718 * (2 * 400 - m1 * T) };
      return told(text, step(own, gas(2, 400, second, 300), gas(m1, T, 2 * m1, T), impulses));
    };
    expect(joined((800 + 300 * second) / (2 + second))).toEqual([]);
    expect(joined(359.198)).toHaveLength(1);
  });

  test('a form that is no differential is not judged', () => {
    const text = `model M
      Real x, y, p(start = 0, fixed = true);
    equation
      x = if time < 1 then 0 else 1;
      der(y) = der(x);
      der(p) = y*der(x);
    end M;`;
    const own = { 'der(x)': 0, 'der(y)': 0, 'der(p)': 0 };
    for (const p of [0, 0.5, 1])
      expect(told(text, step(own, { x: 0, y: 0, p: 0 }, { x: 1, y: 1, p }))).toEqual([]);
  });
});

describe('kinks and steps of prescribed motions', () => {
  const text = (x: string) => `model M
    Real x, v, F, p(start = 0, fixed = true);
  equation
    x = ${x};
    der(x) = v;
    der(v) = F;
    der(p) = F;
  end M;`;

  test('the force of a kink has an impulse, and what integrates it jumps', () => {
    const kink = text('if time < 1 then time else 2 - time');
    const rest = { F: 0, 'der(v)': 0, 'der(p)': 0 };
    const told2 = (p: number, impulses: Record<string, number>): string[] =>
      told(kink, {
        at: 1,
        before: { ...constant({ ...rest, v: 1, 'der(x)': 1, p: 0 }), x: (t) => t },
        after: { ...constant({ ...rest, v: -1, 'der(x)': -1, p }), x: (t) => 2 - t },
        impulses,
      });
    expect(told2(-2, { F: -2 })).toEqual([]);
    expect(told2(0, { F: -2 })).toEqual([balances('der(p) = F')]);
    expect(told2(0, {})).toEqual([balances('der(v) = F')]);
  });

  test('no impulse of the force lets a position jump', () => {
    const rest = { v: 0, F: 0, p: 0, 'der(x)': 0, 'der(v)': 0, 'der(p)': 0 };
    const found = told(text('if time < 1 then 0 else 1'), step(rest, { x: 0 }, { x: 1 }));
    expect(found).toEqual([balances('der(x) = v')]);
  });
});

describe('an ideal diode that an impulse turns on', () => {
  const text = `model M
    Real v(start = 0, fixed = true), i, s(start = -1), u;
    Boolean off(start = true);
  equation
    u = if time < 1 then -1 else 5;
    der(v) = i - 0.1*v;
    off = s < 0;
    u - v = if off then s else 0;
    i = if off then 0 else s;
  end M;`;
  const before = { u: -1, v: 0, i: 0, s: -1, off: 1, 'der(v)': 0 };

  test('blocks afterwards if it would conduct backwards', () => {
    const told2 = (current: number): string[] =>
      told(text.replace('else 5', 'else 5 - 5*(time - 1)'), {
        at: 1,
        before: constant(before),
        after: {
          u: (t) => 5 - 5 * (t - 1),
          v: (t) => (current === 0 ? 5 * Math.exp(-(t - 1) / 10) : 5 - 5 * (t - 1)),
          i: (t) => (current === 0 ? 0 : -5 + 0.1 * (5 - 5 * (t - 1))),
          s: (t) =>
            current === 0 ? 5 - 5 * (t - 1) - 5 * Math.exp(-(t - 1) / 10) : -5 + 0.1 * (5 - 5 * (t - 1)),
          off: () => (current === 0 ? 1 : 0),
          'der(v)': (t) => (current === 0 ? -0.5 * Math.exp(-(t - 1) / 10) : -5),
        },
        impulses: { i: 5, s: 5 },
      });
    expect(told2(0)).toEqual([]);
    expect(told2(1)).toEqual([balances('off = s < 0')]);
  });
});

describe('at one instant through several states', () => {
  const text = `model M
    block Waiting end Waiting;
    block Charging end Charging;
    block Done end Done;
    Real v(start = 0, fixed = true), i;
    Waiting waiting;
    Charging charging;
    Done done;
  equation
    der(v) = i - 0.1*v;
    if activeState(charging) then v = 10 - 5*time; else i = 0; end if;
    initialState(waiting);
    transition(waiting, charging, time >= 1);
    transition(charging, done, i < 0);
  end M;`;
  const flags = (state: number) => ({
    'waiting.active': Number(state === 0),
    'charging.active': Number(state === 1),
    'done.active': Number(state === 2),
    'waiting.entered': 0,
    'charging.entered': state > 0 ? 1 : 0,
    'done.entered': state > 1 ? 1 : 0,
  });
  const before = constant({ v: 0, i: 0, 'der(v)': 0, ...flags(0) });

  test('the impulse of a state that is left at once is that of its equations', () => {
    const after = {
      ...constant({ i: 0, ...flags(2) }),
      v: (t: number) => 5 * Math.exp(-(t - 1) / 10),
      'der(v)': (t: number) => -0.5 * Math.exp(-(t - 1) / 10),
    };
    expect(told(text, { at: 1, before, after, impulses: { i: 5 } })).toEqual([]);
    expect(told(text, { at: 1, before, after })).toEqual([balances('der(v) = i - 0.1*v')]);
  });

  test('a state whose transition is due must be left', () => {
    const after = {
      ...constant({ ...flags(1), 'der(v)': -5 }),
      v: (t: number) => 10 - 5 * t,
      i: (t: number) => -5 + 0.1 * (10 - 5 * t),
    };
    expect(told(text, { at: 1, before, after, impulses: { i: 5 } })).toEqual([
      balances('The transition from charging to done is not taken'),
    ]);
  });

  test('melting takes what warming leaves of the heat', () => {
    const ice = `model M
      block Solid end Solid;
      block Melting end Melting;
      Real T(start = 263.15, fixed = true), x, Q, hot(start = 350, fixed = true);
      Solid solid;
      Melting melting;
    equation
      2000*der(hot) = -Q;
      if activeState(melting) then
        T = 273.15;
        334000*der(x) = Q;
      else
        2100*der(T) = Q;
        x = 0;
      end if;
      if time >= 1 then T = hot; else Q = 0; end if;
      initialState(solid);
      transition(solid, melting, T >= 273.15 and Q > 0);
    end M;`;
    const states = (melting: number) => ({
      'solid.active': 1 - melting,
      'melting.active': melting,
      'solid.entered': 0,
      'melting.entered': melting,
    });
    const run = (x: number) =>
      told(ice, {
        at: 1,
        before: constant({ T: 263.15, x: 0, Q: 0, hot: 350, 'der(T)': 0, 'der(hot)': 0, ...states(0) }),
        after: constant({ T: 273.15, x, Q: 0, hot: 273.15, 'der(x)': 0, 'der(hot)': 0, ...states(1) }),
        impulses: { Q: 2000 * 76.85 },
      });
    expect(run((2000 * 76.85 - 21000) / 334000)).toEqual([]);
    expect(run(0.1938)).toHaveLength(1);
  });
});

describe('a capacitance that is switched from 1 to 2, under der', () => {
  const text = `model M
    Real v(start = 10, fixed = true);
    discrete Real C(start = 1, fixed = true);
  equation
    when time >= 1 then C = 2; end when;
    der(C*v) = 0;
  end M;`;

  test('leaves the charge as it is', () => {
    expect(told(text, step({ 'der(v)': 0 }, { v: 10, C: 1 }, { v: 5, C: 2 }))).toEqual([]);
  });

  test('cannot leave the voltage as it is', () => {
    const found = told(text, step({ 'der(v)': 0 }, { v: 10, C: 1 }, { v: 10, C: 2 }));
    expect(found).toEqual([balances('der(C*v) = 0 does not balance across the event at time 1')]);
  });
});
