/** Values that functions give whatever their unknown arguments are. */
import { expect, test } from 'vitest';
import { loadModel, loadText } from '../../src/index.ts';
import { KnownValues } from '../../src/symbolic/known.ts';
import { done } from '../simulate/notation.ts';

/** The outputs of a function with these statements, where x is unknown and c, n have values. */
function outputs(statements: string, c: number, n = 3): readonly (number | undefined)[] {
  const flat = loadModel(
    loadText(`package P
      function g input Real u; input Real f; output Real v; output Real w; algorithm v := f*u; w := u/(f + 1); end g;
      function f input Real x; input Real c; input Integer n; output Real y; output Real z; protected Real a[3]; Real b; algorithm
        y := 0; z := 1; ${statements} end f;
      model M Real y; Real z; equation (y, z) = f(time, 1, 3); end M;
    end P;`),
    'P.M',
  );
  const index = flat.functions.findIndex(({ name }) => name.endsWith('f'));
  return new KnownValues(flat.pool, flat.functions).outputs(index, [undefined, c, n]);
}

const open = undefined;

test.each<[string, number, readonly (number | undefined)[]]>([
  // Products and quotients of zero, sums of what is known.
  ['y := c*x; z := 0/x;', 0, [0, 0]],
  ['y := c*x; z := c + 2*n;', 2, [open, 8]],
  // Branches that depend on what is not known give what they agree on.
  [
    'if x > 0 then y := c*x; z := 5; elseif x < -1 then y := c; z := 5; else y := -c*x^2; z := 5; end if;',
    0,
    [0, 5],
  ],
  ['if x > 0 then y := 1; z := 5; else z := 5; end if;', 0, [open, 5]],
  ['if c > 0 then y := x; else y := 7; end if; z := if c > 0 or x > 0 then 1 else 2;', 0, [7, open]],
  ['if c > 0 and x > 0 then y := x; else y := 7; end if; z := if c < 1 or x > 0 then 1 else 2;', 0, [7, 1]],
  // Loops, arrays, calls.
  ['for k in 1:n loop y := y + k; z := z*c; end for;', 0, [6, 0]],
  ['for k in 1:n loop if k > 2 then break; end if; y := y + k; end for; z := x;', 0, [3, open]],
  ['a := {c, x, 2}; y := a[1] + a[3]; z := a[2];', 4, [6, open]],
  ['a := {1, 2, 3}; a[integer(x)] := 5; y := a[1]; z := 4;', 4, [open, 4]],
  ['a := {1, 2, 3}; a[n] := c; y := sum(a); z := a[2];', 4, [7, 2]],
  ['(y, z) := g(x, c);', 0, [0, open]],
  ['(y, z) := g(c, x);', 0, [0, 0]],
  ['y := g(c, 3) + c; while z < 10 loop z := 2*z; end while;', 1, [4, 16]],
])('%s with c = %d', (statements, c, expected) => {
  expect(outputs(statements, c)).toEqual(expected);
});

test.each([
  'while z < x loop z := 2*z; end while;',
  'if x > 0 then return; end if; y := 3;',
  'for k in 1:n loop if x > k then break; end if; y := 4; end for;',
])('nothing is known after %s', (statements) => {
  expect(outputs(statements, 0)).toEqual([]);
});

test('what a function gives is found once for the same arguments, known or not', () => {
  // 12,000 calls of two statements each would be more than are looked at.
  expect(outputs('for k in 1:n loop (y, z) := g(x, c); end for;', 0, 12_000)).toEqual([0, open]);
  expect(outputs('for k in 1:n loop (y, z) := g(c, k - k); end for;', 2, 12_000)).toEqual([0, 2]);
});

/** A node between two resistors of 1, with a capacitance that a function computes, and its voltage. */
const node = (c0: number): string => `package P
  record Card Real c0; Real grading; end Card;
  record Result Real i; Real c; end Result;
  function device input Card card; input Real v; output Result r; algorithm
    r.i := 0;
    if v > card.grading then r.c := card.c0*(1 + v)/2; else r.c := card.c0/sqrt(1 - v); end if;
  end device;
  model M
    parameter Card card = Card(${c0}, 5);
    Result r; Real v(start = 0); Real i;
  equation
    r = device(card, v);
    i = r.c*der(v);
    (sin(time) - v) - v - i = 0;
  end M;
end P;`;

test('a capacitance that is zero for good makes no state', async () => {
  const { table, statistics } = await done(node(0), { stopTime: 2 });
  expect(statistics.states).toEqual([]);
  for (const t of [0, 0.5, 2]) expect(table.value('v', t)).toBeCloseTo(Math.sin(t) / 2, 9);
});

test('another value of the parameter makes it one', async () => {
  // c(v) der(v) = sin(t) - 2 v with c = c0/sqrt(1 - v), by the classical method of Runge and Kutta in steps of 1e-3.
  const slope = (t: number, v: number) => ((Math.sin(t) - 2 * v) * Math.sqrt(1 - v)) / 0.3;
  let v = 0;
  const h = 1e-3;
  for (let k = 0; k < 2000; k++) {
    const t = k * h;
    const k1 = slope(t, v);
    const k2 = slope(t + h / 2, v + (h / 2) * k1);
    const k3 = slope(t + h / 2, v + (h / 2) * k2);
    v += (h / 6) * (k1 + 2 * k2 + 2 * k3 + slope(t + h, v + h * k3));
  }
  for (const [text, set] of [
    [node(0.3), {}],
    [node(0), { 'card.c0': 0.3 }],
  ] as const) {
    const { table, statistics } = await done(text, { stopTime: 2, set });
    expect(statistics.states).toHaveLength(1);
    expect(table.value('v', 2)).toBeCloseTo(v, 6);
  }
});
