/** Damaged models: whatever is left out, exchanged or repeated, flattening ends with a model or with messages. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { almostLinear, orderOf } from '../growth.ts';
import { elements, flattened, SyntaxProblem } from './notation.ts';

const sound = `
connector Pin Real v; flow Real i; end Pin;
record R Real a; Integer b[2]; end R;
function f input Real x[:]; input Integer n = 2; output Real y[n]; output Real z; protected Real s = sum(x);
algorithm for k in 1:n loop y[k] := s*k; end for; z := if s > 1 then 1 else size(x, 1); while z > 9 loop z := z - 1; end while; end f;
model Part parameter Real p = 1; Pin a; Pin b; Real u; equation a.v - b.v = u; a.i + b.i = 0; u = p*a.i; end Part;
model M
  parameter Integer n = 3; constant Real c[2] = {1, 2}; type E = enumeration(on, off);
  Part q[n](p = {1, 2, 3}); Real x[n](each start = 1, each fixed = true); R r = R(time, {1, 2}); E e = if x[1] > 0 then E.on else E.off;
  Real w(start = 0); Boolean open(start = false); Real y[2]; Real z; Real m[2, 2] = [1, 2; 3, time]*identity(2);
  input Real u0; discrete Real d(start = 0);
initial equation
  w = 2;
equation
  for i in 1:n - 1 loop connect(q[i].b, q[i + 1].a); end for;
  connect(q[n].b, q[1].a);
  for i in 1:n loop der(x[i]) = -x[i] + sum(j*x[j] for j in 1:n); end for;
  (y, z) = f(x);
  open = w > 3 and not pre(open);
  if open then w = sin(time); else der(w) = u0 + r.a*c[2]; end if;
  when {open, sample(0, 0.1)} then d = pre(d) + max(y); reinit(x[2], 0); if d > 3 then terminate("end"); end if; end when;
  assert(z < 100, "z is " + String(z));
end M;
`;

const tokens = sound.match(/[A-Za-z_]\w*|\d+(\.\d+)?|"[^"]*"|<=|>=|<>|==|:=|\S|\n/g)!;

test('the model itself is sound', () => {
  expect(flattened(sound, 'M').diagnostics.map((d) => d.message)).toEqual([]);
});

test('damaged models are answered, not crashed on', () => {
  const place = fc.nat(tokens.length - 1);
  const damage = fc.oneof(
    fc.tuple(fc.constant('drop'), place, place),
    fc.tuple(fc.constant('swap'), place, place),
    fc.tuple(fc.constant('copy'), place, place),
  );
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
      const text = [...tokens];
      for (const [kind, a, b] of damages) {
        if (kind === 'drop') text[a] = '';
        else if (kind === 'copy') text[a] = tokens[b]!;
        else [text[a], text[b]] = [text[b]!, text[a]!];
      }
      let outcome: ReturnType<typeof flattened>;
      try {
        outcome = flattened(text.join(' '), 'M');
      } catch (problem) {
        // Syntax errors are reported by the notation itself; anything else is a crash.
        if (problem instanceof SyntaxProblem) return true;
        throw problem;
      }
      return outcome.model !== undefined || outcome.diagnostics.some((d) => d.severity === 'error');
    }),
    { numRuns: 400 },
  );
});

test('many components are flattened in linear time', () => {
  const text = (n: number): string => `connector Pin Real v; flow Real i; end Pin;
    model Part parameter Real p = 1; parameter Real k = 1; Pin a; Pin b; equation a.v - b.v = p*k*a.i; a.i + b.i = 0; end Part;
    model Ground Pin p; equation p.v = 0; end Ground;
    model M Part q[${n}](p = {${Array.from({ length: n }, (_, i) => i + 1).join(', ')}}, k = {i^2 for i in 1:${n}}); Ground g; equation
      for i in 1:${n - 1} loop connect(q[i].b, q[i + 1].a); connect(q[i].a, g.p); end for;
      connect(q[${n}].b, g.p); end M;`;
  expect(orderOf((size) => () => flattened(text(size)), 500)).toBeLessThan(almostLinear);
  const n = 2000;
  const { model, diagnostics } = flattened(text(n));
  expect(diagnostics).toEqual([]);
  const scalars = model!.variables.reduce((sum, { dims }) => sum + dims.reduce((size, d) => size * d, 1), 0);
  expect(scalars).toBe(6 * n + 2);
  const { binding } = model!.variables.find((variable) => variable.name === 'q.k')!;
  expect(elements(model!, binding!).at(-1)).toBe(n * n);
});

test('a mistake in a class is told once, not for each of its components', () => {
  const text = `model T parameter Real k = 1; Real x = time; Real y; equation y = hold(sample(x, Clock(0.5))); end T;
    model M T t[16](k = {i for i in 1:16}); T a; T b; end M;`;
  expect(flattened(text).diagnostics.map(({ code }) => code)).toEqual(['bad-call']);
});

test('a mistake below many conditions is told once', () => {
  const depth = 60;
  const names = Array.from({ length: depth }, (_, k) => `p${k}`);
  const parameters = names.map((name) => `parameter Boolean ${name} = true;`).join(' ');
  const chosen = names.reduce((inner, name) => `(if ${name} then ${inner} else 0)`, 'x[7]');
  const both = names.reduce((inner, name) => `(${name} and ${inner})`, 'x[7] > 1');
  for (const equation of [`y = ${chosen};`, `y = if ${both} then 1 else 0;`]) {
    const { diagnostics } = flattened(
      `model M ${parameters} Real x[3], y; equation der(x) = -x; ${equation} end M;`,
    );
    expect(diagnostics.map((d) => d.message)).toEqual([
      'Subscript 7 of `x` is outside: the dimension goes from 1 to 3.',
    ]);
  }
  const open = names
    .slice(1)
    .reduce((inner, name) => `(if ${name} then ${inner} else 0)`, '(if not p0 then x[7] else 5)');
  expect(
    flattened(`model M ${parameters} Real x[3], y; equation der(x) = -x; y = ${open}; end M;`).diagnostics,
  ).toEqual([]);
});

/** What is wrong in a part is told although it was first translated, and kept, in an attempt that is taken back. */
test.each([
  [
    'a modifier',
    'parameter Integer n(start = 3) = S.wrong; Integer i = if time > 0.5 then 1 else 2;',
    'if n == 1 then 0 else z[i]',
  ],
  [
    'a function',
    'function f input Real x; output Real y; algorithm y := x*wrong; end f;',
    'if 3 > k then z[4] else f(time)',
  ],
  ['a constant of a package', 'package P constant Real g = wrong; end P;', 'if 3 > k then z[4] else P.g'],
  [
    'a function of a constant',
    'package P constant Real g = wrong; end P; function f input Real x; output Real y; algorithm y := x; end f;',
    'if 3 > k then z[4] else f(P.g)',
  ],
])('%s is translated again with its errors', (_, declarations, value) => {
  const { diagnostics } = flattened(
    `model M type S = enumeration(a, b); ${declarations} parameter Integer k = 3; parameter Real z[3] = {1, 2, 3}; Real p; equation p = ${value}; end M;`,
  );
  const told = diagnostics.filter(({ message }) => message.startsWith('There is no `wrong`'));
  expect(told).toHaveLength(1);
});
