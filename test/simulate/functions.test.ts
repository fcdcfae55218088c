/** Functions in equations: an equation depends on what acts on the outputs it names, and on no more. */
import { describe, expect, test } from 'vitest';
import { type Externals, loadModel, simulate } from '../../src/index.ts';
import { done } from './notation.ts';

/** Two bodies of inertia 2, one of them on a spring of stiffness 1, at the same angle by a function of records with angle and speed. */
const tied = (annotation: string): string => `
  record Motion Real angle; Real speed; end Motion;
  function motion input Real phi; input Real w; output Motion m; algorithm m.angle := 3*phi; m.speed := 3*w; annotation(${annotation}); end motion;
  function apart input Motion a; input Motion b; output Real gap; algorithm gap := (a.angle - b.angle)*(1 + (a.angle - b.angle)^2); annotation(${annotation}); end apart;
  model M
    Real phi(start = 1, fixed = true, stateSelect = StateSelect.always);
    Real w(start = 0, fixed = true, stateSelect = StateSelect.always);
    Real phi2, w2, torque;
    Motion m = motion(phi, w), m2 = motion(phi2, w2);
  equation
    der(phi) = w; der(phi2) = w2;
    2*der(w) = -phi + torque; 2*der(w2) = -torque;
    0 = apart(m, m2);
  end M;`;

describe('a constraint by a function of records', () => {
  test.each(['Inline = false', 'Inline = true'])(
    'is one of angles where no speed acts on it: %s',
    async (how) => {
      const { table } = await done(tied(how), { stopTime: 3, tolerance: 1e-9 });
      // 4 phi'' = -phi.
      expect(table.value('phi2', 3)).toBeCloseTo(Math.cos(1.5), 7);
      expect(table.value('w2', 3)).toBeCloseTo(-Math.sin(1.5) / 2, 7);
      expect(table.value('torque', 3)).toBeCloseTo(Math.cos(1.5) / 2, 7);
    },
  );

  test('is one of speeds where a speed acts on it, be it by a condition or an assertion', async () => {
    const text = (statement: string): string => `
      function f input Real x; input Real w; output Real y; algorithm ${statement} end f;
      model M Real x(start = 1, fixed = true), w = 2*time, y = f(x, w); equation der(x) = -1; end M;`;
    const { table } = await done(text('y := x; if w > 2 then y := 10*x; end if;'), { stopTime: 1.5 });
    expect(table.value('y', 1.5)).toBeCloseTo(-5, 9);
    await expect(done(text('y := x; assert(w < 2, "fast");'), { stopTime: 1.5 })).rejects.toThrow(
      'assertion',
    );
  });
});

test('functions of arrays that are written out call others, and themselves', async () => {
  const text = `
    function rotation input Real phi; output Real T[2, 2]; algorithm T := [cos(phi), sin(phi); -sin(phi), cos(phi)]; annotation(Inline = true); end rotation;
    function turned input Real T[2, 2]; input Real v[2]; output Real r[2]; algorithm r := T*v; end turned;
    function both input Real phi; input Real v[2]; output Real r[2]; protected Real u[2]; algorithm u := turned(rotation(phi), v); r := turned(rotation(phi), u); annotation(Inline = true); end both;
    function power input Real x; input Integer n; output Real y; algorithm y := if n < 1 then 1 else x*power(x, n - 1); annotation(Inline = true); end power;
    model M Real v[2](each start = 9), p = power(time, 3); equation both(time, v) = {1, 0}; end M;`;
  const { table } = await done(text, { stopTime: 2 });
  expect(table.value('v[1]', 2)).toBeCloseTo(Math.cos(4), 10);
  expect(table.value('v[2]', 2)).toBeCloseTo(Math.sin(4), 10);
  expect(table.value('p', 2)).toBeCloseTo(8, 10);
});

// An output does not depend on arguments that the statements of another one use: they are used nevertheless.
test.each([
  [
    'ix := if v[w[1]] >= 0.5 then 1 else 2;',
    'when time >= 0.5 then (y, ix) = f(5*time, {1.5, -2, 4}, {3, 1, 2}); end when;',
    [2.5, 1],
  ],
  [
    'ix := 1; while v[ix] < x loop ix := ix + 1; end while;',
    'when time >= 0.5 then (y, ix) = f(5*time, {1.5, 2, 4}, {3, 1, 2}); end when;',
    [2.5, 3],
  ],
])('statements of other outputs see their arguments: %s', async (statements, equations, wanted) => {
  const text = `function f input Real x; input Real v[:]; input Integer w[:]; output Real y; output Integer ix;
      algorithm y := x; ${statements} end f;
    model M Real y; Integer ix; equation ${equations} end M;`;
  const { table } = await done(text, { stopTime: 1 });
  expect(['y', 'ix'].map((name) => table.value(name, 1))).toEqual(wanted);
});

describe('impure functions', () => {
  const library = `
    impure function next input Real u; output Integer y; external "C" y = next(u); end next;
    impure function twice input Real u; output Integer y; algorithm y := 100*next(u); y := y + next(u); end twice;
    impure function say input String s; external "C" say(s); end say;`;

  /** What is called in two seconds, and the value of n at the end. */
  async function calls(body: string): Promise<[string, number]> {
    const made: string[] = [];
    let count = 0;
    const externals = {
      next: (u: number) => {
        made.push(String(Math.round(10 * u) / 10));
        return ++count;
      },
      say: (text: string) => {
        made.push(text);
      },
    } as unknown as Externals;
    const model = loadModel(
      `package P ${library} model M ${body} end M; end P;`,
      undefined,
      {},
      { externals },
    );
    const { status, table } = await simulate(model, { stopTime: 2 });
    expect(status).toBe('done');
    return [made.join(' '), table.value('n', 2)];
  }
  const n = 'Integer n(start = 0, fixed = true);';

  test.each([
    ['in when-equations', `${n} equation when sample(0.5, 1) then n = next(time); end when;`, '0.5 1.5', 2],
    ['in algorithms', `${n} algorithm when sample(0.5, 1) then n := next(time); end when;`, '0.5 1.5', 2],
    ['in expressions', `${n} equation when sample(0.5, 1) then n = next(1) + 1; end when;`, '1 1', 3],
    [
      'equal calls in one expression',
      `${n} equation when sample(0.5, 1) then n = max(next(1), next(1)); end when;`,
      '1 1 1 1',
      4,
    ],
    ['in functions', `${n} equation when sample(0.5, 1) then n = twice(1); end when;`, '1 1 1 1', 304],
    [
      'in loops',
      `${n} Integer m[3](each start = 0, each fixed = true); equation when sample(0.5, 2) then for i in 1:3 loop m[i] = next(1); end for; n = m[1]*m[2]*m[3]; end when;`,
      '1 1 1',
      6,
    ],
    [
      'one after the other',
      `${n} Integer m(start = 0, fixed = true); equation when sample(0.5, 1) then m = next(0); end when; when change(m) then n = next(m); end when;`,
      '0 1 0 3',
      4,
    ],
    [
      'in initial equations',
      'Integer n; initial equation n = next(1); equation when sample(0.5, 1) then n = pre(n) + 1; end when;',
      '1',
      3,
    ],
    [
      'in initial algorithms',
      'Integer n; initial algorithm n := next(1); equation when sample(0.5, 1) then n = pre(n) + 1; end when;',
      '1',
      3,
    ],
    ['in parameters', 'parameter Integer n = next(1); Real x = n*time;', '1', 1],
    [
      'on clocks',
      'Integer n(start = 0); equation when Clock(1) then n = next(previous(n)); end when;',
      '0 1 2',
      3,
    ],
    [
      'without outputs',
      `${n} equation when sample(0.5, 1) then n = pre(n) + 1; say("a" + String(n)); end when;`,
      'a1 a2',
      2,
    ],
    [
      'in equation sections, at the beginning',
      'parameter Real p = 3; Real x = 2*p*(1 + time); Integer n = 0; equation say("x" + String(x));',
      'x6',
      0,
    ],
  ])('are called once: %s', async (_, body, made, value) => {
    expect(await calls(body)).toEqual([made, value]);
  });
});

test('a gas is integrated by its pressure and temperature, through a function with a given derivative', async () => {
  const text = `
    function density input Real p; input Real T; output Real d; algorithm d := p/(287*T); annotation(derivative = density_der, Inline = false); end density;
    function density_der input Real p; input Real T; input Real p_der; input Real T_der; output Real d_der;
      algorithm d_der := p_der/(287*T) - p*T_der/(287*T^2); annotation(Inline = false); end density_der;
    model M
      Real p(start = 1e5, fixed = true, stateSelect = StateSelect.prefer), T(start = 300, fixed = true, stateSelect = StateSelect.prefer);
      Real d = density(p, T), m, U;
    equation
      m = 2*d; U = m*718*T;
      der(m) = 0.1; der(U) = 0.1*1005*350;
    end M;`;
  const { table, statistics } = await done(text, { stopTime: 10 });
  expect([...statistics.states].sort()).toEqual(['T', 'p']);
  const m = 2e5 / (287 * 300) + 1;
  const U = (2e5 / 287) * 718 + 1005 * 350;
  expect(table.value('T', 10)).toBeCloseTo(U / (718 * m), 6);
  expect(table.value('p', 10) / ((U * 287) / (718 * 2))).toBeCloseTo(1, 9);
});

describe('a record is assigned as a whole', () => {
  const library = `
    record R Real a; Real b; end R;
    function swap input R r; output R s; algorithm s.a := r.b; s.b := r.a; end swap;
    function turned input R r; output R s; algorithm s := r; for k in 1:3 loop s := swap(s); end for; end turned;
    function byCall input Real x; output Real y; protected R r; algorithm r.a := x; r.b := 10; r := turned(r); y := 100*r.a + r.b; end byCall;
    function byFields input Real x; output Real y; protected R r; algorithm r.a := x; r.b := 10; r := R(r.b, r.a); y := 100*r.a + r.b; end byFields;`;

  test('fields that are read have the values of before', async () => {
    const text = `package P ${library}
      model M Real y = byCall(1 + time), z = byFields(1 + time); R r, s;
      algorithm r.a := 1 + time; r.b := 10; r := swap(r);
      algorithm s.a := 1 + time; s.b := 10; s := R(s.b, s.a);
      end M; end P;`;
    const { table } = await done(text, { model: 'P.M' });
    for (const [name, value] of Object.entries({
      y: 1002,
      z: 1002,
      'r.a': 10,
      'r.b': 2,
      's.a': 10,
      's.b': 2,
    }))
      expect(table.value(name, 1)).toBeCloseTo(value, 10);
  });

  test('a function that gives it is called once, and not for each field', async () => {
    let count = 0;
    const externals = { counted: (x: number) => x + 0 * ++count } as unknown as Externals;
    const calls = async (depth: number): Promise<number> => {
      const functions = Array.from(
        { length: depth },
        (_, k) =>
          `function f${k + 1} input Real x; output R r; protected R s; algorithm s := f${k}(x); r.a := s.b; r.b := s.a; for j in 1:2 loop r.a := r.a + 0; end for; end f${k + 1};`,
      ).join('\n');
      const text = `package P record R Real a; Real b; end R;
        function counted input Real x; output Real y; external "C" y = counted(x); end counted;
        function f0 input Real x; output R r; algorithm r.a := counted(x); r.b := 2*x; for j in 1:2 loop r.b := r.b + 0; end for; end f0;
        ${functions}
        model M R r = f${depth}(time); end M; end P;`;
      count = 0;
      const { status, table } = await simulate(loadModel(text, undefined, {}, { externals }), {
        stopTime: 1,
        intervals: 10,
      });
      expect(status).toBe('done');
      expect(table.value(depth % 2 === 0 ? 'r.b' : 'r.a', 1)).toBeCloseTo(2, 12);
      return count;
    };
    expect(await calls(5)).toBe(await calls(1));
  });
});

test('a function with a derivative that does without an argument is not written out in another one', async () => {
  // The statement of value says that it does not depend on p itself; its derivative does not need that of the properties.
  const text = `package P
    function properties input Real p; output Real d; algorithm d := p^2; for k in 1:3 loop d := d + 0; end for; end properties;
    function value input Real p; input Real d; output Real y; algorithm y := d; annotation(derivative(noDerivative = d) = value_der, Inline = false); end value;
    function value_der input Real p; input Real d; input Real p_der; output Real y_der; algorithm y_der := 2*p*p_der; end value_der;
    function direct input Real p; output Real y; algorithm y := value(p, properties(p)); annotation(Inline = true); end direct;
    model M Real x(start = 1, fixed = true), y = direct(x), v = der(y); equation der(x) = 3; end M; end P;`;
  const { table } = await done(text, { model: 'P.M' });
  expect(table.value('v', 1)).toBeCloseTo(2 * 4 * 3, 8);
});
