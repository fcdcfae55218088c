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
