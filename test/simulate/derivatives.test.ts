/** Partial derivatives of functions, and derivatives that are given for them (Modelica 3.6, section 12.7). */
import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { flattened, modelOf, problems } from '../flat/notation.ts';
import { done } from './notation.ts';

const functions = `
  function g input Real x; input Real y[2]; input Real z; input Integer n; output Real u; output Real v[2]; protected Real s;
    algorithm s := 0; for i in 1:n loop s := s + x^i*z; end for; u := s + y[1]*y[2]*x; v := {x^2*z*y[1], sin(x)}; end g;
  function h input Real x(unit = "m"); output Real y(unit = "m"); algorithm y := g(x, {x, 2}, 1, 2); end h;
  record R Real a; Real b; end R;
  function r input R p; input Real t; output R q; algorithm q.a := p.a*t^2; q.b := p.b/t; end r;
  function g_x = der(g, x);
  function g_xz = der(g, x, z);
  function g_xx = der(g_x, x);
  function h_x = der(h, x);
  function r_t = der(r, t);
`;

describe('partial derivatives', () => {
  // g = z (x + x^2 + x^3) + y1 y2 x for n = 3, h = x + 3 x^2; x = 1 + time is 2 at the end.
  test.each([
    ['g_x(1 + time, {1, 2}, 3, 3)', 3 * (1 + 4 + 12) + 2],
    ['g_xz(1 + time, {1, 2}, 3, 3)', 1 + 4 + 12],
    ['g_xx(1 + time, {1, 2}, 3, 3)', 3 * (2 + 12)],
    ['h_x(1 + time)', 1 + 12],
    ['h_x(x = 2)', 13],
  ])('%s', async (expression, wanted) => {
    const { table } = await done(`${functions}\n  model M Real y = ${expression}; end M;`, { stopTime: 1 });
    expect(table.value('y', 1)).toBeCloseTo(wanted, 12);
  });

  test('of all outputs, arrays and records among them, and as functions that are differentiated', async () => {
    const text = `${functions}
  model M Real u; Real v[2]; R q = r_t(R(5, 6), 2); parameter Real p = h_x(3); Real w; Real a;
    equation (u, v) = g_x(1 + time, {1, 2}, 3, 3); w = h_x(1 + time^2); a = der(w); end M;`;
    const { table } = await done(text, { stopTime: 1 });
    const last = (name: string): number => table.value(name, 1);
    expect(last('u')).toBeCloseTo(53, 12);
    expect(last('v[1]')).toBeCloseTo(12, 12);
    expect(last('v[2]')).toBeCloseTo(Math.cos(2), 12);
    expect(last('q.a')).toBeCloseTo(20, 12);
    expect(last('q.b')).toBeCloseTo(-1.5, 12);
    expect(last('p')).toBeCloseTo(19, 12);
    expect(last('a')).toBeCloseTo(12, 12);
  });

  test('are printed as what they are', async () => {
    const text = printFlat(modelOf(`${functions} model M Real y = g_xx(1 + time, {1, 2}, 3, 3); end M;`));
    expect(text).toContain('  function g_x = der(g, x);\n  function g_xx = der(g_x, x);\n');
    expect((await done(text, { stopTime: 1 })).table.value('y', 1)).toBeCloseTo(42, 12);
  });

  test.each([
    [
      'function f = der(g, n)',
      'bad-call',
      '`n` is no scalar of type Real: `g` cannot be differentiated by it. | It has `x`, `z`.',
    ],
    ['function f = der(g, y)', 'bad-call', '`y` is no scalar of type Real'],
    ['function f = der(g, q)', 'bad-call', '`g` has no input `q` to differentiate by.'],
    ['function f = der(R, a)', 'bad-call', '`R` is a record: only functions have partial derivatives.'],
    ['function f = der(nothing, a)', 'unknown-class', '`nothing`'],
  ])('%s is wrong', (text, code, message) => {
    const found = problems(`${functions}\n  ${text};\n  model M Real a = f(1, {1, 2}, 3, 3); end M;`);
    expect(found.join('\n')).toContain(message);
    expect(found[0]).toMatch(new RegExp(`^${code} 13:`));
  });

  test('a function cannot use its own partial derivative', () => {
    const text = `function f input Real x; output Real y; algorithm y := if x > 1 then f_x(x - 1) else x^2; end f;
      function f_x = der(f, x);
      model M Real a = f(time); end M;`;
    expect(problems(text)).toEqual(['cyclic-definition 1:70 `f` uses its own partial derivative `f_x`.']);
  });
});

describe('derivatives that are given', () => {
  // They are three times (the second one five times) what they should be, so that their use shows.
  const given = `
  function f input Real x; input Real k; output Real y; output Integer n; output Real z[2];
    algorithm y := k*x^2; n := 3; z := {x, x^3}; annotation(derivative(zeroDerivative = k) = fd); end f;
  function fd input Real x; input Real k; input Real dx; output Real dy; output Real dz[2];
    algorithm dy := 3*2*k*x*dx; dz := {3*dx, 9*x^2*dx}; annotation(derivative(zeroDerivative = k, order = 2) = fdd); end fd;
  function fdd input Real x; input Real k; input Real dx; input Real ddx; output Real dy; output Real dz[2];
    algorithm dy := 10*k*(dx^2 + x*ddx); dz := {5*ddx, 0}; end fdd;
  function e input Real x; input Real a; output Real y; algorithm y := x + a; annotation(derivative(noDerivative = a) = ed); end e;
  function ed input Real x; input Real a; input Real dx; output Real dy; algorithm dy := 3*dx; end ed;`;
  const at = async (declarations: string, name: string): Promise<number> =>
    (await done(`${given}\n  model M ${declarations} end M;`, { stopTime: 1, audit: false })).table.value(
      name,
      1,
    );

  // Audit off: it computes derivatives itself, and these are wrong on purpose.
  test.each([
    ['of one output', 'Real y = f(1 + time, 1); Real v = der(y);', 12],
    ['of an expression', 'Real v = der(2*f(1 + time, 1));', 24],
    ['of an element', 'Real z[2]; Real v = der(z[2]); equation (, , z) = f(1 + time, 1);', 36],
    ['of second order', 'Real y = f(1 + time^2, 1); Real w = der(y); Real v = der(w);', 10 * (4 + 2 * 2)],
    ['not with an input that must be constant', 'Real y = f(1 + time, time); Real v = der(y);', 4 + 4],
    ['without derivatives that are left out', 'Real y = e(2*time, time); Real v = der(y);', 6],
  ])('%s', async (_, declarations, wanted) => {
    expect(await at(declarations, 'v')).toBeCloseTo(wanted, 10);
  });

  test.each([
    ['f_der', 'input Real x; output Real d; algorithm d := x;', 'it has 1 inputs, not 2'],
    [
      'f_der',
      'input Real x; input Boolean b; output Real d; algorithm d := x;',
      'its input `b` has another type',
    ],
    [
      'f_der',
      'input Real x; input Real dx; output Real d[2]; algorithm d := {x, dx};',
      'its outputs have other types',
    ],
    [
      'f_der',
      'input Real x; input Real dx; output Real d; output Real e; algorithm d := x; e := dx;',
      'it has 2 outputs, not 1',
    ],
    [
      'f_der',
      'input Real x; input Integer dx; output Real d; algorithm d := x*dx;',
      'its input `dx` is not Real',
    ],
    ['f_none', 'input Real x; input Real dx; output Real d; algorithm d := x;', 'there is no such function'],
  ])('%s: %s', async (name, body, message) => {
    const text = `function f input Real x; output Real y; algorithm y := x^3; annotation(derivative = ${name}); end f;
  function f_der ${body} end f_der;
  model M Real y = f(time); Real v = der(y); end M;`;
    const { diagnostics } = flattened(text);
    expect(diagnostics.map((d) => [d.severity, d.code, d.message])).toEqual([
      ['warning', 'bad-call', `\`${name}\` cannot be the derivative of \`f\`: ${message}.`],
    ]);
    expect((await done(text, { stopTime: 1 })).table.value('v', 1)).toBeCloseTo(3, 8);
  });

  // At time 1; the function itself does not use z, or not in what is asked for.
  test.each([
    ['(noDerivative = z) = df', 'input Real dx;', 'z*dx', '2*time', 2],
    ['(zeroDerivative = z) = df', 'input Real dx;', 'z*x*dx', '3', 3],
    [' = df', 'input Real dx; input Real dz;', '2*x*dx + 0*dz', '4', 2],
  ])('inputs that only the derivative uses: %s, %s %s', async (given, more, value, z, wanted) => {
    const text = `function f input Real x; input Real z; output Real y; algorithm y := x*x; annotation(derivative${given}); end f;
  function df input Real x; input Real z; ${more} output Real d; algorithm d := ${value}; end df;
  model M Real y = f(time, ${z}); Real v = der(y); end M;`;
    // The function that is given is believed, even where it is not the derivative of the other one.
    const { table } = await done(text, { stopTime: 1, audit: false });
    expect(table.value('v', 1)).toBeCloseTo(wanted, 12);
  });

  test('f_der: inputs of another size', async () => {
    const text = `function f input Real x[2]; output Real y; algorithm y := x[1]*x[2]; annotation(derivative = f_der); end f;
  function f_der input Real x[2]; input Real dx[3]; output Real d; algorithm d := 100*dx[1]; end f_der;
  model M Real y = f({time, 3*time}); Real v = der(y); end M;`;
    expect(flattened(text).diagnostics.map(({ message }) => message)).toEqual([
      '`f_der` cannot be the derivative of `f`: its input `dx` has another size.',
    ]);
    expect((await done(text, { stopTime: 1 })).table.value('v', 1)).toBeCloseTo(6, 8);
  });
});

describe('slopes that are infinite, or none, count only where something moves', () => {
  // The loop keeps the functions from being written out at their calls.
  const around = (body: string, more = ''): string =>
    `function f input Real x; input Real w; output Real y; ${more} algorithm ${body} for i in 1:2 loop y := y*1; end for; end f;`;
  const simpson = `function simpson input F f; input Real a; input Real b; output Real y; partial function F input Real x; output Real y; end F;
    protected Integer n = 4; Real h = (b - a)/n; algorithm y := f(a) + f(b);
    for i in 1:n - 1 loop y := y + f(a + i*h)*(if mod(i, 2) == 1 then 4 else 2); end for; y := y*h/3; end simpson;
    function power input Real x; input Real p; output Real y; algorithm y := x^p; end power;`;

  test.each([
    // An exponent that is an argument: of zero, and of what is negative.
    [`${around('y := x^w;')}\nmodel M Real y = f(time, 3); Real v = der(y); end M;`, 0, 0],
    [`${around('y := x^w;')}\nmodel M Real y = f(time, 3); Real v = der(y); end M;`, 1, 3],
    [`${around('y := x^w;')}\nmodel M Real y = f(time - 2, 3); Real v = der(y); end M;`, 1, 3],
    ['model M Real p = 3 + time; Real y = time^p; Real v = der(y); end M;', 1, 4],
    // Simpson's rule is exact for cubes: y = (1 + t)^4/4.
    [
      `${simpson}\nmodel M Real y = simpson(function power(p = 3), 0, 1 + time); Real v = der(y); end M;`,
      1,
      8,
    ],
    // Roots of what is zero and stays so.
    [`${around('y := x + sqrt(w);')}\nmodel M Real y = f(3*time, 0); Real v = der(y); end M;`, 1, 3],
    [
      `${around('y := x + w^0.5 + atan2(w, w) + acos(w + 1);')}\nmodel M Real y = f(3*time, 0); Real v = der(y); end M;`,
      1,
      3,
    ],
    [
      `${around('y := x + sqrt(w);')}\nmodel M Real x(start = 0, fixed = true); Real v; equation der(x) = v; f(x, 0) = 2*time; end M;`,
      1,
      2,
    ],
  ])('%s', async (text, time, expected) => {
    const { table } = await done(text, { stopTime: 1 });
    expect(table.value('v', time)).toBeCloseTo(expected, 6);
  });
});
