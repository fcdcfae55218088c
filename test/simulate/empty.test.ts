/** Arrays of size zero, and what stands around them: `y` has a known value at the end, for n = 0 and for other sizes. */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

/** Name, text of a model M with a parameter `n` of default 0, and the value of `y` at time 1 by n. */
const models: readonly [string, string, readonly number[]][] = [
  [
    'parameters and variables',
    `model M
      parameter Integer n = 0;
      parameter Real a[n] = fill(2, n);
      Real x[n](start = a, each fixed = true), y;
    equation
      der(x) = a;
      y = sum(x) + product(a) + size(x, 1);
    end M;`,
    [1, 4 + 2 + 1, 8 + 4 + 2],
  ],
  [
    'loops from 1 to 0, and from 2 to n',
    `model M
      parameter Integer n = 0;
      Real x[n], y;
    equation
      for i in 1:n loop x[i] = i*time; end for;
      y = 1 + sum(x[i] for i in 2:n) + max(0, n);
    end M;`,
    [1, 2, 1 + 2 + 2],
  ],
  [
    'products of matrices and vectors',
    `model M
      parameter Integer n = 0;
      parameter Real A[2, n] = fill(3, 2, n), B[n, 2] = fill(4, n, 2), c[n] = fill(5, n);
      Real P[2, 2] = A*B, v[2] = A*c, Q[n, n] = B*A, w[n] = B*{1, 2}, d = c*c;
      Real y = P[1, 2] + v[2] + d + sum(w) + sum(Q) + sum(transpose(A)*{1, 1});
    end M;`,
    [0, 12 + 15 + 25 + 12 + 24 + 6, 24 + 30 + 50 + 24 + 96 + 12],
  ],
  [
    'arrays of components',
    `connector Pin Real v; flow Real i; end Pin;
    model Resistor
      Pin p, n;
      parameter Real R = 1;
    equation
      p.v - n.v = R*p.i;
      p.i + n.i = 0;
    end Resistor;
    model Source
      Pin p, n;
    equation
      p.v = 6;
      n.v = 0;
    end Source;
    model M
      parameter Integer n = 0;
      Resistor r[n](each R = 2), load;
      Source source;
      Real y = source.n.i + sum(r.p.i);
    equation
      connect(source.p, load.p);
      connect(source.n, load.n);
      for i in 1:n loop
        connect(r[i].p, load.p);
        connect(r[i].n, load.n);
      end for;
    end M;`,
    [6, 6 + 3 + 3, 6 + 6 + 6],
  ],
  [
    'arrays of connectors',
    `connector Input = input Real;
    block Adder
      parameter Integer n = 0;
      Input u[n];
      output Real y = 1 + sum(u);
    end Adder;
    connector Output = output Real;
    block Source
      parameter Integer n = 0;
      Output y[n] = fill(3, n);
    end Source;
    model M
      parameter Integer n = 0;
      Adder adder(n = n);
      Source source(n = n);
      Real y = adder.y;
    equation
      connect(source.y, adder.u);
    end M;`,
    [1, 4, 7],
  ],
  [
    'branches that make no sense without elements',
    `model M
      parameter Integer n = 0;
      parameter Real k[n] = fill(7, n);
      Real x[n] = fill(time, n), u, v, y;
    equation
      if n > 0 then
        for i in 1:2 loop if i == 1 then u = k[i] + x[n]; end if; end for;
      else
        u = 0;
      end if;
      v = if n == 0 then 10 else k[n];
      y = u + v;
    end M;`,
    [10, 15, 15],
  ],
  [
    'branches chosen by an enumeration that shapes the model',
    `model M
      type Kind = enumeration(low, high);
      parameter Integer n = 0;
      parameter Kind kind = if n == 0 then Kind.low else Kind.high;
      parameter Real k[if kind == Kind.low then 0 else n] = fill(7, if kind == Kind.low then 0 else n);
      Real u[3], y = sum(u);
    equation
      u[1] = time;
      if kind == Kind.low then
        for i in 1:2 loop u[i + 1] = 1; end for;
      elseif kind == Kind.high then
        for i in 1:2 loop u[i + 1] = k[1]*i; end for;
      else
        u[2:3] = k[{1, 2}];
      end if;
    end M;`,
    [3, 22, 22],
  ],
  [
    'functions with inputs and outputs without elements',
    `function f
      input Real u[:];
      output Real r[size(u, 1)];
      output Real s = 1;
    protected
      Real h[size(u, 1), size(u, 1)] = identity(size(u, 1));
    algorithm
      r := 2*h*u;
      for i in 1:size(u, 1) loop s := s + r[i]; end for;
    end f;
    model M
      parameter Integer n = 0;
      Real x[n] = fill(3*time, n), r[n], s, y;
    equation
      (r, s) = f(x);
      y = s + sum(f(x)) + sum(r[1:n]);
    end M;`,
    [1, 19, 37],
  ],
  [
    'parameters computed at the beginning',
    `function coefficients
      input Integer n;
      output Real a[n];
      output Real b;
    algorithm
      for i in 1:n loop a[i] := i; end for;
      b := 5;
    end coefficients;
    model M
      parameter Integer n = 0;
      parameter Real a[n](each fixed = false), b(fixed = false);
      Real x[n], y = b + sum(x);
    initial equation
      (a, b) = coefficients(n);
      x = a;
    equation
      der(x) = zeros(n);
    end M;`,
    [5, 6, 8],
  ],
  [
    'concatenation, slices, ranges, reductions',
    `model M
      parameter Integer n = 0;
      Real a[n] = fill(time, n), b[n + 2] = cat(1, a, {1, 2}), c[n, 2] = [a, a];
      Real y = sum(b[1:n]) + sum(b[n + 1:end]) + sum({a[i]^2 for i in 1:n}) + sum(c[:, 2]) + sum(linspace(1, 2, n + 2)) + size([a; b], 1);
    end M;`,
    [0 + 3 + 0 + 0 + 3 + 2, 1 + 3 + 1 + 1 + 4.5 + 4, 2 + 3 + 2 + 2 + 6 + 6],
  ],
  [
    'when, algorithms and discrete arrays',
    `model M
      parameter Integer n = 0;
      discrete Real m[n](each start = 1, each fixed = true);
      Boolean b[n] = {time > 0.5 for i in 1:n};
      Integer count(start = 0, fixed = true);
      Real s, y = s + count + sum(m);
    equation
      when time > 0.5 then
        m = fill(4, n);
        count = pre(count) + 1;
      end when;
      when b then end when;
    algorithm
      s := 0;
      for i in 1:n loop s := s + (if b[i] then 10 else 0); end for;
    end M;`,
    [1, 15, 29],
  ],
  [
    'records with arrays, and arrays of records',
    `record R
      parameter Integer n = 0;
      Real a[n];
      Real b = 2;
    end R;
    model M
      parameter Integer n = 0;
      R one(n = n, a = fill(3, n));
      R many[n](each n = 1, each a = {1});
      Real y = one.b + sum(one.a) + sum(many.b) + sum(many[i].a[1] for i in 1:n);
    end M;`,
    [2, 2 + 3 + 2 + 1, 2 + 6 + 4 + 2],
  ],
  [
    'two dimensions',
    `model M
      parameter Integer n = 0;
      Real A[n, 3] = fill(time, n, 3), B[3, n] = transpose(A), y;
    equation
      y = sum(A[:, 1]) + sum(B[2, :]) + size(A, 2) + ndims(B) + sum(A .* A) + min(size(B)) + sum(-A);
    end M;`,
    [5, 1 + 1 + 3 + 2 + 3 + 1 - 3, 2 + 2 + 3 + 2 + 6 + 2 - 6],
  ],
];

describe('arrays of size zero', () => {
  describe.each(models)('%s', (_name, text, values) => {
    test.each(values.map((y, n) => [n, y]))('n = %i', async (n, y) => {
      const { table } = await done(text, { set: { n }, stopTime: 1, model: 'M' });
      close(table.value('y', 1), y);
      expect(table.value('y', 1)).not.toBeNaN();
    });
  });
});
