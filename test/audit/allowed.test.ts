/** What a run is allowed to be off is no offence: states at the level of the tolerance, what follows them fast, relations on their boundaries. */
import { describe, expect, test } from 'vitest';
import { loadModel, type Method, simulate } from '../../src/index.ts';

const tolerances = [1e-4, 1e-6, 1e-9];
const methods: readonly Method[] = ['auto', 'rk', 'bdf'];

const models: Record<string, { readonly text: string; readonly stopTime: number; readonly stiff?: true }> = {
  'a state that has decayed to the level of the tolerance': {
    text: 'model M Real i(start = 10, fixed = true); equation 1e-3*der(i) = -5*i; end M;',
    stopTime: 1,
  },
  'a stiff state that follows an input': {
    text: 'model M Real s(start = 0, fixed = true); equation der(s) = 1e6*(cos(time) - s); end M;',
    stopTime: 10,
    stiff: true,
  },
  'a stiff oscillation with jumps': {
    text: `model M Real x(start = 2, fixed = true), y(start = 0, fixed = true);
      equation der(x) = y; der(y) = 100*(1 - x^2)*y - x; end M;`,
    stopTime: 300,
    stiff: true,
  },
  'a fast state behind a slow one that decays': {
    text: `model M Real x(start = 1, fixed = true), y(start = 0, fixed = true);
      equation der(x) = -x; der(y) = 1e5*(x^2 - y); end M;`,
    stopTime: 20,
    stiff: true,
  },
  'the smaller of two bends that are met at once': {
    text: `model M Real a = max(0, sin(64*time)), b = max(0, cos(40*time)); Integer k(start = 0, fixed = true);
      equation when min(a, b) > 0 then k = pre(k) + 1; end when; end M;`,
    stopTime: 1,
  },
  'a relay that takes away its own cause': {
    text: `model M Real v, g; Boolean s(start = false, fixed = true);
      equation g = if time < 0.5 or s then 1 else 0; v = 2*g; when v < 0.8 then s = true; end when; end M;`,
    stopTime: 1,
  },
  'a Real variable that is equal to an Integer': {
    text: `model M Integer n(start = 0, fixed = true); Real y = n; Boolean b = y > 0.5;
      equation when time >= 0.5 then n = 1; end when; end M;`,
    stopTime: 1,
  },
  'an inertia that changes beside a momentum that does not': {
    text: `model M Real w(start = 2, fixed = true); discrete Real J(start = 2, fixed = true);
      equation when time >= 0.5 then J = 1; end when; der(J*w + 0.1*w^3) = 0; end M;`,
    stopTime: 1,
  },
  'slopes with kinks': {
    text: `model M Real x(start = 1, fixed = true), y(start = 0, fixed = true);
      equation der(x) = y; der(y) = -abs(x)*x - max(0, x - 0.5) + min(0.2, y); end M;`,
    stopTime: 5,
  },
  'capacitors that discharge through ideal diodes until no current is left': {
    text: `model M
      parameter Integer n = 6;
      Real v[n](start = {1.0*i for i in 1:n}, each fixed = true), i[n - 1], s[n - 1](each start = -1);
      Boolean off[n - 1](each start = true);
    equation
      for k in 1:n - 1 loop
        v[k + 1] - v[k] - 0.1*i[k] = if off[k] then s[k] else 0;
        i[k] = if off[k] then 0 else s[k];
        off[k] = s[k] < 0;
      end for;
      der(v[1]) = i[1];
      for k in 2:n - 1 loop der(v[k]) = i[k] - i[k - 1]; end for;
      der(v[n]) = -i[n - 1];
    end M;`,
    stopTime: 20,
  },
  'a fuse that an impulse melts': {
    text: `model M
      Real v1(start = 10, fixed = true), v2(start = 0, fixed = true), f;
      Boolean broken(start = false, fixed = true), closed = time >= 1;
    equation
      der(v1) = -f;
      der(v2) = f;
      when abs(f) > 10 then broken = true; end when;
      if closed and not broken then v1 = v2; else f = 0; end if;
    end M;`,
    stopTime: 2,
  },
  'a nonlinear capacitance whose circuit is switched': {
    text: `model M
      Real v(start = 1, fixed = true), w(start = 4, fixed = true), C, i;
      discrete Real u(start = 3, fixed = true);
      Boolean closed = time >= 1;
    equation
      C = 1 + v^2;
      C*der(v) = i + u - v;
      2*der(w) = -i - 0.2*w;
      when time >= 0.5 then u = -2; end when;
      if closed then v = w; else i = 0; end if;
    end M;`,
    stopTime: 2,
  },
  'a mass that changes while it is coupled': {
    text: `model M
      Real v(start = 1, fixed = true), w(start = 5, fixed = true), F;
      discrete Real m(start = 1, fixed = true);
      Boolean coupled = time >= 0.5;
    equation
      der(m*v) = F - 0.3*v;
      3*der(w) = -F;
      when time >= 0.5 then m = 2; end when;
      if coupled then v = w; else F = 0; end if;
    end M;`,
    stopTime: 2,
  },
};

describe.each(Object.entries(models))('%s', (_, { text, stopTime, stiff }) => {
  const wanted = methods.filter((method) => !stiff || method !== 'rk');
  test.each(wanted)('by the method %s', async (method) => {
    const flat = loadModel(text);
    for (const tolerance of tolerances) {
      const { status, audit } = await simulate(flat, { stopTime, tolerance, method, audit: true });
      expect([status, audit?.diagnostics]).toEqual(['done', []]);
    }
  });
});

test('slopes of a few rows between events that seem to be straight', async () => {
  const text = `model M Integer k(start = 0, fixed = true); Real v(start = 2, fixed = true), x(start = 1, fixed = true);
    equation der(v) = -5; when v < 2*sin(90*time) then k = pre(k) + 1; end when; der(x) = cos(30*time); end M;`;
  for (const intervals of [30, 40, 50, 55, 60, 500]) {
    const { diagnostics, table } = await simulate(loadModel(text), { intervals, audit: true });
    expect(diagnostics).toEqual([]);
    expect(table.value('x', 1)).toBeCloseTo(1 + Math.sin(30) / 30, 5);
  }
});
