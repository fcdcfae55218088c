/** What each kind of class may contain, and what a component may be (specification 3.6, chapters 4 and 12): wrong models, with the place and the message. */
import { expect, test } from 'vitest';
import { refusals as problems, problems as remarks } from './notation.ts';

const pin = 'connector C Real e; flow Real f; end C;';
const calling = 'model M Real x = f(time); end M;';

test.each([
  // Functions.
  [
    `function f input Real x; output Real y; protected input Real\nz; algorithm y := x; end f; ${calling}`,
    '2:1 not-allowed The input `z` of a function cannot be protected.',
  ],
  [
    `function f input Real x; input Real a =\nz; output Real y; protected Real z = 2; algorithm y := a*x; end f; ${calling}`,
    '2:1 not-allowed The value of the input `a` depends on `z`, which is no input.',
  ],
  [
    'impure function g input Real x; output Real y; algorithm y := x; end g; function f extends\ng; end f; model M discrete Real x; equation when time > 1 then x = f(time); end when; end M;',
    '2:1 not-allowed `f` extends the impure function `g`, but is not declared `impure`.',
  ],
  [
    'impure function f input Real x; output Real y; algorithm y := x; end f; model M constant Real c =\nf(1); Real x = c; end M;',
    '2:1 not-allowed The function `f` is impure: it cannot be called here.',
  ],
  [
    'function f input Real x; output Real y; output Real z; algorithm y := x; z := x; end f; model M Real x, y; equation (x,\n2*y) = f(1); end M;',
    '2:1 not-allowed Outputs of a function are equal to variables, not to expressions.',
  ],
  // Initial sections, and what is determined before them.
  [
    `${pin} model M C c, d; initial equation\nconnect(c, d); end M;`,
    '2:1 not-allowed A connect cannot stand in an initial equation section.',
  ],
  [
    'model M Real x(start = 0); initial equation\nwhen time > 1 then x = 1; end when; equation der(x) = 1; end M;',
    '2:1 not-allowed A when-equation cannot stand in an initial equation section.',
  ],
  [
    'model M constant Real c(fixed =\nfalse) = 1; Real x = c; end M;',
    '2:1 not-allowed `c` is a constant: it cannot have `fixed = false`.',
  ],
  [
    'class O extends ExternalObject; function constructor output O o; external "C" o = a(); end constructor; function destructor input O o; external "C" b(o); end destructor; end O; model M O\no; end M;',
    '2:1 no-value The external object `o` has no value.',
  ],
  // Records with a value as a whole, and modifiers of arrays.
  [
    'record A parameter Real x = 0; parameter Real y = 0; end A; model B parameter A a = A(2, 3); end B; model M B b(a(\nx = 4)); end M;',
    '2:1 bad-binding `b.a.x` cannot be given a value: the record has one as a whole.',
  ],
  [
    'record A Real x = 0; Real y = 0; end A; model M A a(\nx = 5) = A(1, 2); end M;',
    '2:1 bad-binding `a.x` cannot be given a value: the record has one as a whole.',
  ],
  [
    'model M Real x[2](\neach start = {1, 2}); equation der(x) = x; end M;',
    '2:1 dimension-mismatch `each` gives `start` of every element of `x` an array.',
  ],
  // Elements of different sizes.
  [
    'model T parameter Integer n = 1; Real x[n] = 1:n; end T; model M T t[2](n = {2, 3}); Real y = sum(\nt.x); end M;',
    '2:1 dimension-mismatch The elements of `t.x` have different sizes: [2] and [3].',
  ],
  [
    'model T parameter Integer n = 1; Real x[n] = 1:n; end T; model M T t[2](n = {3, 2}); Real y[2] = t.x[\n3]; end M;',
    '2:1 bad-subscript Subscript 3 of `x` is outside: the dimension goes from 1 to 2.',
  ],
  [
    'model A Real x = 1; end A; model T parameter Integer n = 1; A a[n]; end T; model M T t[2](n = {2, 3}); Real y = sum(\nt.a.x); end M;',
    '2:1 dimension-mismatch The elements of `t.a.x` have different sizes: [2] and [3].',
  ],
  // Operators.
  [
    'model M Real x[2](each start = 1); Integer i = 1 + integer(time); equation der(x) = x; when time > 1 then reinit(\nx[i], 2); end when; end M;',
    '2:1 variability The subscripts of a variable in `reinit` must not change in a run.',
  ],
  [
    'model M Boolean b = smooth(0,\ntime > 1); end M;',
    '2:1 type-mismatch `smooth` needs a Real, not Boolean.',
  ],
  // Inner and outer.
  [
    'connector I = input Real; block B I u; Real y = u; end B; model M inner B\nb; equation b.u = 1; end M;',
    '2:1 not-allowed `b` is `inner`, but its connector `u` has inputs.',
  ],
  // Sections.
  [
    'record R Real x; equation\nx = 1; end R; model M R r; end M;',
    '2:1 not-allowed A record cannot have equations.',
  ],
  [
    'record B Real x; initial algorithm\nx := 1; end B; record R extends B; end R; model M R r; end M;',
    '2:1 not-allowed A record cannot have initial algorithm.',
  ],
  [
    'connector C Real e; flow Real f; algorithm\ne := 1; end C; model M C c; end M;',
    '2:1 not-allowed A connector cannot have an algorithm.',
  ],
  // Protected and prefixed elements.
  [
    'record R Real x = 1; protected\nReal y = 2; end R; model M R r; end M;',
    '2:6 not-allowed A record cannot have protected elements: `y`.',
  ],
  [
    'connector C outer\nReal e; flow Real f; end C; model M inner Real e = 1; C c; end M;',
    '2:6 not-allowed A connector cannot have elements that are `outer`: `e`.',
  ],
  [
    'record R input\nReal x = 1; end R; model M R r; end M;',
    '2:6 not-allowed A record cannot have elements that are `input`: `x`.',
  ],
  ['record R Real x =\ntime; end R; model M R r; end M;', '2:1 not-allowed A record cannot use `time`.'],
  // Packages.
  [
    'package P parameter\nReal p = 4; end P; model M Real x = P.p; end M;',
    '2:6 not-allowed `p` is no constant: a package can have no other variables.',
  ],
  // Names.
  [
    'model M Real\nInteger = 2; end M;',
    '2:1 not-allowed `Integer` is a predefined type: nothing else can have its name.',
  ],
  [
    'type E = enumeration(a,\nstart); model M E e = E.a; end M;',
    '2:1 not-allowed A literal cannot be called `start`: this is an attribute of every enumeration.',
  ],
  [
    'type E = enumeration(a, b,\na); model M E e = E.b; end M;',
    '2:1 duplicate-name `E` has the literal `a` twice.',
  ],
  // Functions.
  [
    `function f input Real u; output Real y; equation\ny = u; end f; ${calling}`,
    '2:1 not-allowed A function cannot have equations.',
  ],
  [
    `function f input Real u; output Real y; algorithm y := u; algorithm\ny := 2*u; end f; ${calling}`,
    '2:1 not-allowed A function cannot have a second body: it has an algorithm already.',
  ],
  [
    `function f input Real u; output Real y;\nReal z; algorithm z := u; y := z; end f; ${calling}`,
    '2:6 not-allowed `z` is neither an input nor an output, and public in a function.',
  ],
  [
    `partial function f input Real u; output Real y; algorithm y := u; end f;\n${calling}`,
    '2:18 bad-call The function `f` is partial: it cannot be called.',
  ],
  [
    `model A parameter Real p = 1; end A; function f input Real u; output Real y; protected A\na; algorithm y := u + a.p; end f; ${calling}`,
    '2:1 not-allowed `a` in a function is a model.',
  ],
  // Short classes.
  [
    'partial model A Real x = 1; end A; model B = A; model M B\nb; end M;',
    '2:1 type-mismatch `b` has the partial class `B`.',
  ],
  // Parts and prefixes.
  [
    'model A Real x = 1; end A; record R A\na; end R; model M R r; end M;',
    '2:1 not-allowed `r.a` is a model, and stands in a record.',
  ],
  [
    'model A Real x = 1; end A; model M parameter A\na; end M;',
    '2:1 not-allowed `a` is a model: it cannot be `parameter`.',
  ],
  [
    'connector C Real e; flow Integer\nf; end C; model M C c; end M;',
    '2:1 not-allowed `c.f` is `flow`, and Integer.',
  ],
  [
    'connector C output\nReal x; end C; model M output C c(x = 1); end M;',
    '2:6 not-allowed `c.x` is `output`, and `c` as a whole is `output`.',
  ],
  [
    'connector C input\nReal x; end C; connector O = output C; model M O c(x = 1); end M;',
    '2:6 not-allowed `c.x` is `input`, and `c` as a whole is `output`.',
  ],
  [
    'connector C Real e; flow\nReal f; end C; model M flow C c; end M;',
    '2:6 not-allowed `c.f` is `flow`, and `c` as a whole is `flow`.',
  ],
  [
    `${pin} block B C\nc; end B; model M B b; end M;`,
    '2:1 not-allowed `b.c.e` is neither an input nor an output, but in a connector of a block.',
  ],
  // Conditional components.
  [
    'model M Real x if true; equation\nx = 2; end M;',
    '2:1 not-allowed `x` is a conditional component: only connect can name it.',
  ],
  [
    'model A function f input Real u; output Real y; algorithm y := u; end f; end A; model M A a if true; Real x =\na.f(2); end M;',
    '2:1 not-allowed `a` is a conditional component: only connect can name it.',
  ],
])('%s', (text, message) => {
  expect(problems(text)).toContain(message);
});

test.each([
  'record R Real x; end R; connector C flow R r; Real e[1]; end C; model M parameter R p(x = 1); C c; equation c.e = {2}; end M;',
  `connector In = input Real; block B In u; end B; model M B b(u = 1); end M;`,
  `${pin} model A C c; end A; model M A a if true; C d if true; equation connect(a.c, d); end M;`,
  'model A function f input Real u; output Real y; algorithm y := u; end f; Real x = f(2); end A; model M A a if true; end M;',
  'type In = input Real; type Out = output Real[2]; function f In u; Out y; algorithm y := {u, 2*u}; end f; model M Real x[2] = f(time); end M;',
  'partial function g input Real u; output Real y; end g; function f extends g; algorithm y := u; end f; model M Real x = f(time); end M;',
  "package P constant Real c = 2; type E = enumeration('start', b); end P; model M Real x = P.c; P.E e = P.E.b; end M;",
])('allowed: %s', (text) => {
  expect(problems(text)).toEqual([]);
});

test('flow outside of connectors has no effect, which is told', () => {
  const [remark, ...others] = remarks('model M flow\nReal x = 1; end M;');
  expect(remark).toContain('2:6');
  expect(remark).toContain('`x` is `flow`, which has no effect in a model.');
  expect(others).toEqual([]);
});
