/** Base Modelica: names, functions and what it has no words for. That the text means the same is a law of `behaviour/random.printed.test.ts`. */
import { expect, test } from 'vitest';
import { printBase } from '../../src/flat/print/base.ts';
import { Failure } from '../../src/index.ts';
import { flattened, modelOf } from './notation.ts';

test('a package with functions and one model, all names quoted', () => {
  const text = `package P
    function f input Real u; output Real y; protected Real w; algorithm w := u; y := 2*w; end f;
    model A Real x; end A;
    model M "described"
      A a; protected parameter Real p = 2; A b[2]; public Boolean 'an odd \\'name\\'' = time > 0.5;
    equation a.x = f(p*time); for i in 1:2 loop b[i].x = i; end for;
    end M;
  end P;`;
  expect(printBase(modelOf(text, 'P.M')).split('\n')).toEqual([
    '//! base 0.1.0',
    "package 'P.M'",
    "  function 'P.f'",
    "    input Real 'u';",
    "    output Real 'y';",
    "    protected Real 'w';",
    '  algorithm',
    "    'w' := 'u';",
    "    'y' := 2*'w';",
    "  end 'P.f';",
    `  model 'P.M' "described"`,
    "    Real 'a.x';",
    "    parameter Real 'p' = 2 annotation(HideResult = true);",
    "    Real[2] 'b.x' annotation(HideResult = true);",
    "    Boolean 'an odd \\'name\\'';",
    '  equation',
    "    'an odd \\'name\\'' = time > 0.5;",
    "    'a.x' = 'P.f'('p'*time);",
    "    for 'i' in 1:2 loop",
    "      'b.x'['i'] = 'i';",
    '    end for;',
    "  end 'P.M';",
    "end 'P.M';",
    '',
  ]);
});

test('functions keep the derivatives and inverses that are given for them, under the names of the text', () => {
  const text = `package P
    function f input Real x; input Real z; output Real y; algorithm y := x*x; annotation(derivative(noDerivative = z) = df); end f;
    function df input Real x; input Real z; input Real dx; output Real d; algorithm d := 2*x*dx; annotation(derivative(order = 2, noDerivative = z) = ddf); end df;
    function ddf input Real x; input Real z; input Real dx; input Real ddx; output Real d; algorithm d := 2*dx*dx + 2*x*ddx; end ddf;
    function g input Real x; output Real y; algorithm y := x^3; annotation(inverse(x = root(y))); end g;
    function root input Real y; output Real x; algorithm x := y^(1/3); end root;
    function g_x = der(g, x);
    model M Real y = f(time, 3); Real v = der(y); Real a = der(v); Real q; Real s = g_x(time); equation g(q) = 8 + time; end M;
  end P;`;
  const printed = printBase(modelOf(text, 'P.M'));
  for (const line of [
    "annotation(derivative(noDerivative = 'z') = 'P.df');",
    "annotation(derivative(order = 2, noDerivative = 'z') = 'P.ddf');",
    "annotation(inverse('x' = 'P.root'('y')));",
    "function 'P.g_x' = der('P.g', 'x');",
  ])
    expect(printed).toContain(line);
  const again = flattened(printed, "'P.M'.'P.M'");
  expect(again.diagnostics).toEqual([]);
});

test('bound inputs of functions have their declared type, whatever is given first', () => {
  const text = `package P
    partial function I input Real u; output Real y; end I;
    function quad input Real a; input I f; output Real s; algorithm s := f(a/2); end quad;
    function lin input Real A; input Real u; output Real y; algorithm y := A*u; end lin;
    model M Real y = quad(1, function lin(A = 2)), z = quad(1, function lin(A = time)); end M;
  end P;`;
  const printed = printBase(modelOf(text, 'P.M'));
  expect(printed).toContain("input Real 'f.A';");
  expect(printed).not.toContain('integer');
});

test.each([
  ['model M Real x; equation when Clock(0.1) then x = previous(x) + 1; end when; end M;', 'clocks'],
  [
    'model M model S Real x(start = 0); equation der(x) = 1; end S; S a, b; equation initialState(a); transition(a, b, a.x > 1); end M;',
    'state machines',
  ],
])('%s', (text, what) => {
  const model = modelOf(text);
  const refused = (): string => printBase(model);
  expect(refused).toThrow(Failure);
  expect(refused).toThrow(`Base Modelica 0.1.0 has no ${what}.`);
});
