/** Operator records in simulations: complex numbers with results known by hand. */
import { describe, expect, test } from 'vitest';
import { done } from './notation.ts';

const complex = `operator record Complex Real re; Real im;
  encapsulated operator 'constructor' function fromReal import Complex; input Real re; input Real im = 0; output Complex result(re = re, im = im); algorithm end fromReal; end 'constructor';
  encapsulated operator function '0' import Complex; output Complex c; algorithm c := Complex(0); end '0';
  encapsulated operator function '+' import Complex; input Complex a; input Complex b; output Complex c; algorithm c := Complex(a.re + b.re, a.im + b.im); end '+';
  encapsulated operator '-'
    function negate import Complex; input Complex a; output Complex c; algorithm c := Complex(-a.re, -a.im); end negate;
    function subtract import Complex; input Complex a; input Complex b; output Complex c; algorithm c := Complex(a.re - b.re, a.im - b.im); end subtract;
  end '-';
  encapsulated operator '*'
    function multiply import Complex; input Complex a; input Complex b; output Complex c; algorithm c := Complex(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end multiply;
    function hermitian import Complex; input Complex a[:]; input Complex b[size(a, 1)]; output Complex c; algorithm c := Complex(0);
      for i in 1:size(a, 1) loop c := Complex(c.re + a[i].re*b[i].re + a[i].im*b[i].im, c.im + a[i].re*b[i].im - a[i].im*b[i].re); end for; end hermitian;
  end '*';
  encapsulated operator function '==' import Complex; input Complex a; input Complex b; output Boolean same; algorithm same := a.re == b.re and a.im == b.im; end '==';
end Complex;
`;

async function values(body: string, ...names: string[]): Promise<number[]> {
  const { table } = await done(`${complex}model M\n${body.replace(/\n\s*/g, ' ')}\nend M;`, { stopTime: 2 });
  return names.map((name) => table.value(name, 2));
}

describe('complex numbers', () => {
  test('arithmetic, with conversions', async () => {
    // With t = 2: x = 2 + 3j, x^2 = -5 + 12j, 1 - x = -1 - 3j.
    expect(
      await values(
        'Complex x = Complex(time, 3); Complex y = x*x; Complex z = 1 - x; Real b = if y == Complex(-5, 12) then 1 else 0;',
        'y.re',
        'y.im',
        'z.re',
        'z.im',
        'b',
      ),
    ).toEqual([-5, 12, -1, -3, 1]);
  });

  test('arrays element by element, by a function for arrays, in matrices and sums', async () => {
    const body = `Complex x[2] = {Complex(time, 1), Complex(0, 3)}; Complex y[2] = x + {3, 4}; Complex z[2] = 2*x; Complex h = x*x;
      Complex A[2, 2] = [Complex(1), Complex(0, 1); Complex(0), Complex(2)]; Complex b[2] = A*x; Complex s = sum(x); Complex t = sum(k*x[k] for k in 1:2);
      Complex u[2] = Complex({time, 5}, 7); Integer n = size(x, 1); Complex nothing[0]; Complex o = sum(nothing);`;
    // h = |2 + j|^2 + |3j|^2; b = {2 + j + j*3j, 6j}; t = 2 + j + 6j.
    const names = [
      'y[1].re',
      'y[1].im',
      'y[2].re',
      'z[2].im',
      'h.re',
      'h.im',
      'b[1].re',
      'b[1].im',
      'b[2].im',
      's.re',
      's.im',
      't.re',
      't.im',
      'u[1].re',
      'u[2].im',
      'n',
      'o.re',
    ];
    expect(await values(body, ...names)).toEqual([5, 1, 4, 6, 14, 0, -1, 1, 6, 2, 4, 2, 7, 2, 7, 2, 0]);
  });

  test('a constant of them decides on a size', async () => {
    expect(
      await values(
        'constant Complex j = Complex(0, 1); constant Complex k = 2 - j*j; Real x[integer(k.re)] = {1, 2, time};',
        'x[3]',
        'k.re',
      ),
    ).toEqual([2, 3]);
  });

  test('an alternating-current network: the currents of impedances in series', async () => {
    const body = `connector Pin Complex v; flow Complex i; end Pin;
      model Z parameter Complex z; Pin p; Pin n; equation p.v - n.v = z*p.i; p.i + n.i = Complex(0); end Z;
      model Source parameter Complex v; Pin p; Pin n; equation p.v - n.v = v; p.i + n.i = Complex(0); end Source;
      model Ground Pin p; equation p.v = Complex(0); end Ground;
      Source s(v = Complex(10, 5)); Z a(z = Complex(3, 4)); Z b(z = Complex(1, -2)); Ground g;
      equation connect(s.p, a.p); connect(a.n, b.p); connect(b.n, s.n); connect(g.p, s.n);`;
    // (10 + 5j)/(4 + 2j) = 2.5; the voltage of b is (1 - 2j) 2.5.
    const found = await values(body, 'a.p.i.re', 'a.p.i.im', 'b.p.v.re', 'b.p.v.im', 'g.p.i.re');
    for (const [k, wanted] of [2.5, 0, 2.5, -5, 0].entries()) expect(found[k]).toBeCloseTo(wanted, 12);
  });

  test('states: z = exp(j t) by der of its parts', async () => {
    const body = `Complex z(re(start = 1, fixed = true), im(start = 0, fixed = true)); Complex dz = Complex(0, 1)*z;
      equation der(z.re) = dz.re; der(z.im) = dz.im;`;
    const [re, im] = await values(body, 'z.re', 'z.im');
    expect(re).toBeCloseTo(Math.cos(2), 5);
    expect(im).toBeCloseTo(Math.sin(2), 5);
  });
});

test('a function begins its records with the values of modifiers and of the record itself', async () => {
  const text = `record R Real a = 3; Real b = 2*a; Real c; end R;
    function f input Real x; output Real y; protected R r(c = x); R s(a = 10, c = 1); algorithm y := r.a + r.b + r.c + s.b; end f;
    model M Real y = f(time); end M;`;
  const { table } = await done(text, { stopTime: 2 });
  expect(table.value('y', 2)).toBe(3 + 6 + 2 + 20);
});

test('functions that are written out keep their events where they ask for them', async () => {
  const f = (annotation: string): string =>
    `function f input Real x; output Real y; algorithm y := if x > 1 then 5 else 2; annotation(${annotation}); end f;
    model M Real y = f(time); end M;`;
  const events = async (annotation: string): Promise<number> =>
    (await done(f(annotation), { stopTime: 2 })).statistics.events;
  expect(await events('Inline = true')).toBe(1);
  expect(await events('GenerateEvents = true')).toBe(1);
  expect(await events('Inline = true, GenerateEvents = false')).toBe(0);
  expect(await events('LateInline = true')).toBe(0);
  expect(await events('Inline = false')).toBe(0);
});

test('functions that ask for events have them in branches and loops', async () => {
  // The steps are at 0.25, 0.5 and 0.75, so the integral over 0 to 1 is 0.75 + 0.5 + 0.25.
  const f = (type: string, loop: string): string =>
    `function f input Real x; output ${type} z; algorithm z := 0; ${loop}
      annotation(GenerateEvents = true); end f;`;
  const steps = 'for i in 1:3 loop if x > 0.25*i then z := z + 1; end if; end for;';
  const real = await done(
    `${f('Real', steps)}\nmodel M Real x(start = 0, fixed = true); equation der(x) = f(time); end M;`,
  );
  expect(real.statistics.events).toBe(3);
  expect(Math.abs(real.table.value('x', 1) - 1.5)).toBeLessThan(1e-12);
  const whole = await done(`${f('Integer', steps)}\nmodel M Integer b = f(time); end M;`);
  expect([0.2, 0.3, 0.6, 0.8].map((t) => whole.table.value('b', t))).toEqual([0, 1, 2, 3]);
  const shared = await done(`${f('Real', steps)}
model M Real x[3](each start = 0, each fixed = true); equation for i in 1:3 loop der(x[i]) = f(time); end for; end M;`);
  expect(Math.abs(shared.table.value('x[2]', 1) - 1.5)).toBeLessThan(1e-12);
  const floor =
    await done(`function g input Real x; output Integer z; algorithm z := integer(x); annotation(GenerateEvents = true); end g;
model M Real x(start = 0, fixed = true); Integer b = g(10*x); equation der(x) = 1; end M;`);
  expect([0.25, 0.55, 0.95].map((t) => floor.table.value('b', t))).toEqual([2, 5, 9]);
});

test('sizes in a loop of a function may depend on its iterator, where its range is known', async () => {
  // Blocks of two along the diagonal: row 3 holds 3 and 4 + 10 in its last two columns.
  const text = `function f input Real x; output Real A[4, 4]; protected Integer m = 2; algorithm A := zeros(4, 4);
    for i in 1:2 loop A[2*i - 1, (i - 1)*m + 1:i*m] := {2*i - 1, 2*i} + fill(x*(i - 1), m); end for; end f;
    model M Real A[4, 4] = f(5*time); end M;`;
  const { table } = await done(text, { stopTime: 2 });
  expect(
    ['A[1,1]', 'A[1,2]', 'A[1,3]', 'A[3,2]', 'A[3,3]', 'A[3,4]'].map((name) => table.value(name, 2)),
  ).toEqual([1, 2, 0, 0, 13, 14]);
});
