/** Functions in equations: an equation depends on what acts on the outputs it names, and on no more. */
import { describe, expect, test } from 'vitest';
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
