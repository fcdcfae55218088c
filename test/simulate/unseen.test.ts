/** Bends and steps without events, in equations that are differentiated. */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

/** A body on a prescribed path: its force needs two derivatives of x. */
const moved = (path: string, declarations = '') => `model M
  ${declarations}
  Real x, v, f;
equation
  ${path}
  v = der(x);
  f = 2*der(v);
end M;`;

const warned = async (text: string) => {
  // The audit sees of some of them what the warning is about.
  const { diagnostics } = await done(text, { stopTime: 2, model: 'M', audit: false });
  return diagnostics.map(({ code }) => code);
};

const inFunction = (body: string, annotation = '') => `function g
    input Real t;
    output Real x;
  algorithm
    ${body}
    ${annotation}
  end g;`;

describe('are told of with the equation', () => {
  test.each([
    'x = noEvent(if time < 1 then 0 else 3*(time - 1));',
    'x = noEvent(if not time < 1 then 3*(time - 1) else 0);',
    'x = noEvent(abs(time - 1));',
    'x = noEvent(max(time, 1));',
    'x = noEvent(if time < 1 or time > 3 then 0 else (time - 1)^2);',
    'x = noEvent(floor(2*time));',
    // Values fit, slopes do not.
    'x = noEvent(if time < 1 then time^2 else 3*time - 2);',
  ])('%s', async (path) => {
    expect(await warned(moved(path))).toEqual(['unseen-bend']);
  });

  test.each([
    'x := if t < 1 then 0 else 3*(t - 1);',
    'if t < 1 then x := 0; else x := 3*(t - 1)^2; end if;',
    'x := 0; for k in 1:2 loop x := x + abs(t - k); end for;',
  ])('in functions: %s', async (body) => {
    const text = moved('x = g(time);', inFunction(body));
    expect(await warned(text)).toEqual(['unseen-bend']);
  });
});

describe('are no matter', () => {
  test.each([
    'x = noEvent(if time < 1 then 0 else 3*(time - 1)^2);',
    'x = smooth(1, noEvent(if time < 1 or time > 3 then 0 else (time - 1)^2));',
    'x = smooth(1, if time < 1 then 0 else (time - 1)^2);',
    // It causes events.
    'x = if time < 1 then 0 else 3*(time - 1);',
    'x = abs(time - 1);',
  ])('%s', async (path) => {
    expect(await warned(moved(path))).toEqual([]);
  });

  test('where a function is promised to be smooth, or has no branches', async () => {
    const body = 'if t < 1 then x := 0; else x := 3*(t - 1)^2; end if;';
    const promised = inFunction(body, 'annotation(smoothOrder = 1);');
    expect(await warned(moved('x = g(time);', promised))).toEqual([]);
    expect(await warned(moved('x = g(time);', inFunction('x := t^2 + sin(t);')))).toEqual([]);
  });

  test('where nothing is differentiated', async () => {
    expect(
      await warned(`model M
  Real x(start = 0, fixed = true);
equation
  der(x) = noEvent(if time < 1 then 0 else 3);
end M;`),
    ).toEqual([]);
  });
});

describe('functions that are differentiated once have to be continuous only', () => {
  /** One derivative. */
  const once = (call: string, functions: string): string => `model M
  ${functions}
  parameter Real limit = 5;
  Real x, v;
equation
  x = ${call};
  v = der(x);
end M;`;
  const slope =
    'function dg input Real t; input Real dt; output Real dx; algorithm dx := if t < 1 then 0 else 3*dt; end dg;';

  test.each([
    ['bends are no matter', 'g(time)', inFunction('x := max(t, 1); x := x + abs(x - 1.5);')],
    [
      'a given derivative is a promise',
      'g(time)',
      `${slope} ${inFunction('if t < 1 then x := 0; else x := 3*(t - 1); end if;', 'annotation(derivative = dg);')}`,
    ],
    [
      'what decides by arguments that stay',
      'h(time, limit)',
      'function h input Real t; input Real l; output Real x; algorithm if l < 1 then x := t; else x := 2*t; end if; x := x + (if l > 3 then t^2 else 0); end h;',
    ],
    [
      'what only decides about assertions and what nobody reads',
      'h(time)',
      'function h input Real t; output Real x; protected Real unused; algorithm if t < 1 then assert(t < 9, "late"); unused := 1; else unused := 2; end if; x := t^2; end h;',
    ],
    [
      'smooth in a function that is written out in another',
      'h(time)',
      `function f input Real t; output Real x; algorithm x := smooth(1, if t < 1 then 0 else if t < 2 then (t - 1)^2 else 2*t - 3); annotation(Inline = true, smoothOrder = 1); end f;
       function h input Real t; output Real x; output Real y; algorithm x := f(t); y := f(2*t); end h;`,
    ],
    [
      'records that a given derivative does without',
      'h(time)',
      `function region input Real t; output Real k; algorithm k := if t < 1 then 1 else 2; end region;
       function f input Real t; input Real k; output Real x; algorithm x := if k < 1.5 then t else 2*t - 1; annotation(derivative(noDerivative = k) = df); end f;
       function df input Real t; input Real k; input Real dt; output Real dx; algorithm dx := if k < 1.5 then dt else 2*dt; end df;
       function h input Real t; output Real x; protected Real k; algorithm k := region(t); x := f(t, k); end h;`,
    ],
  ])('%s', async (_, call, functions) => {
    expect(await warned(once(call, functions))).toEqual([]);
  });

  test.each([
    ['a step', 'g(time)', inFunction('if t < 1 then x := 0; else x := 3; end if;')],
    [
      'a step by way of a local',
      'h(time)',
      'function h input Real t; output Real x; protected Real k; algorithm k := 1; if t > 1 then k := 2; end if; x := k*t; end h;',
    ],
    [
      'a step in a function that is called',
      'h(time)',
      `function k input Real t; output Real y; algorithm y := if t < 1 then 1 else 2; end k;
       function h input Real t; output Real x; protected Real y; algorithm x := 0; y := k(t); for i in 1:2 loop x := x + y*t; end for; end h;`,
    ],
    [
      'a step that a loop makes',
      'h(time)',
      'function h input Real t; output Real x; algorithm x := 0; while x < t loop x := x + 1; end while; end h;',
    ],
    [
      'a return',
      'h(time)',
      'function h input Real t; output Real x; algorithm x := 1; if t > 1 then return; end if; x := 2; end h;',
    ],
    ['rounding', 'g(time)', inFunction('x := floor(3*t); x := x + 1;')],
    ['the sign', 'g(time)', inFunction('x := sign(t - 1);')],
    ['the sign in a loop', 'g(time)', inFunction('x := 0; for k in 1:2 loop x := x + sign(t - k); end for;')],
  ])('%s is told', async (_, call, functions) => {
    expect(await warned(once(call, functions))).toEqual(['unseen-bend']);
  });
});

test('a promise of too little is none', async () => {
  const body = 'if t < 1 then x := 0; else x := 3*(t - 1); end if;';
  const promised = inFunction(body, 'annotation(smoothOrder = 0);');
  expect(await warned(moved('x = g(time);', promised))).toHaveLength(1);
});

test('the same bend with an event has its impulse', async () => {
  const { impulses, diagnostics } = await done(moved('x = if time < 1 then 0 else 3*(time - 1);'), {
    stopTime: 2,
  });
  expect(diagnostics).toEqual([]);
  close(impulses.find((i) => i.variable === 'f')!.weight, 6);
});
