/** Arrays in functions whose sizes are known only when the function runs. */
import { describe, expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';
import { problems } from '../flat/notation.ts';
import { done, run } from './notation.ts';

const functions = `
  function primes input Integer n; output Real s; protected Boolean sieve[n] = fill(true, n); Integer found[:];
    algorithm for i in 2:n loop
      if sieve[i] then found := cat(1, found, {i}); for j in 2*i:i:n loop sieve[j] := false; end for; end if;
    end for; s := sum(found); end primes;
  function tail input Real x[:]; input Integer k; output Real s; algorithm s := sum(x[k:end]); end tail;
  function positive input Real x[:]; output Real y[:]; algorithm for i in 1:size(x, 1) loop if x[i] > 0 then y := cat(1, y, x[i:i]); end if; end for; end positive;
  function counted input Real x[:]; output Integer n; protected Real p[:] = positive(x); algorithm n := size(p, 1); end counted;
  function mean input Real x[:]; output Real m; protected Real p[:] = positive(x); algorithm m := sum(p)/max(1, size(p, 1)); end mean;
  function sorted input Real x[:]; output Real y[size(x, 1)]; protected Real low[:]; Real high[:];
    algorithm if size(x, 1) <= 1 then y := x; else
      low := fill(0.0, 0); high := fill(0.0, 0);
      for i in 2:size(x, 1) loop if x[i] < x[1] then low := cat(1, low, {x[i]}); else high := cat(1, high, {x[i]}); end if; end for;
      y := cat(1, sorted(low), {x[1]}, sorted(high)); end if; end sorted;
  record R Real a; Integer b[2]; end R;
  function mixed input R r; input Integer n; input String word; output R q; output String w; output Boolean ok; protected Real z[n, 2] = fill(r.a, n, 2);
    algorithm q.a := sum(z); q.b := {r.b[2], n}; w := ""; for i in 1:n loop w := w + word; end for; ok := size(z, 1) == n; end mixed;
  function second input Integer n; output Real y; protected Real z[n] = ones(n); algorithm y := z[2]; end second;
  function halves input Integer n; output Real s; protected Integer v[n]; algorithm for i in 1:n loop v[i] := 7/2; end for; s := sum(v); end halves;
  function half input Integer n; output Integer k; protected Integer v[n] = ones(n); algorithm k := sum(v)/2; end half;
  function named input Integer n; output Real y; protected Real z[n] = ones(n); String k; algorithm k := 3; y := z[1]; end named;
  function whole input Integer q; output Real y; algorithm y := q; end whole;
  function asked input Integer n; output Real y; protected Real z[n] = ones(n); algorithm y := whole(z[1] + 0.5); end asked;
  function inside input Integer n; output Real y; protected R r; Real z[n] = ones(n); algorithm r.b := z[1:2]; y := r.b[1]; end inside;
  function begun input Integer n; output Real y; protected Real z[n] = fill(2, n); R r(a = 1); algorithm r.a := 1.5; r.b := {n, 2}; y := r.a + sum(z); end begun;
  function carried input Real x; input Integer n; output Real y; protected Real z[n] = fill(x, n); algorithm y := sum(semiLinear(z, 2, 3)) + semiLinear(-x, 2, 3); end carried;
  function short input Integer n; output Real y; protected Real z[2]; algorithm z := ones(n); y := z[1]; end short;`;

const last = async (declarations: string, ...names: string[]): Promise<number[]> => {
  const { table } = await done(`${functions}\n  model M ${declarations} end M;`, { stopTime: 1 });
  return names.map((name) => table.value(name, 1));
};

describe('sizes that are known only when a function runs', () => {
  test.each([
    [
      'locals by the value of an input, and arrays that grow',
      'Integer n = 1 + integer(10*time); Real y = primes(n);',
      2 + 3 + 5 + 7 + 11,
    ],
    ['a range of subscripts', 'Integer k = 1 + integer(2*time); Real y = tail({1, 2, 4, 8}, k);', 12],
    ['Integers for Reals', 'Integer n = 2 + integer(2*time); Real y = begun(n);', 9.5],
    ['outputs of functions inside', 'Real y = mean({2*time, -time, 4});', 3],
    ['`semiLinear`', 'Integer n = 1 + integer(2*time); Real y = carried(5*time, n);', 3 * 2 * 5 - 3 * 5],
    ['an Integer', 'Real y = counted({time, -time, 4});', 2],
  ])('%s', async (_, declarations, wanted) => {
    expect((await last(declarations, 'y'))[0]).toBeCloseTo(wanted, 12);
  });

  test('calls inside cannot have functions as arguments', async () => {
    const { status, diagnostics } = await run(`
      partial function Form input Real x; output Real y; end Form;
      function doubled extends Form; algorithm y := 2*x; end doubled;
      function twice input Form f; input Real x; output Real y; algorithm y := f(f(x)); end twice;
      function g input Integer n; output Real y; protected Real z[n] = ones(n); algorithm y := twice(function doubled(), sum(z)); end g;
      model M Integer n = 1 + integer(2*time); Real y = g(n); end M;`);
    expect([status, diagnostics[0]?.code]).toEqual(['failed', 'unsupported']);
    expect(diagnostics[0]?.message).toContain('sizes that are known only when they run');
  });

  test('recursion with parts of other sizes', async () => {
    const names = ['q[1]', 'q[2]', 'q[3]', 'q[4]', 'q[5]'];
    expect(await last('Real q[5] = sorted({time, 0.3, -time, 0.7, 0});', ...names)).toEqual([
      -1, 0, 0.3, 0.7, 1,
    ]);
  });

  test('records, Strings and Booleans come and go', async () => {
    const text =
      'Integer n = 1 + integer(2*time); R q; String w; Boolean ok; Boolean same = w == "ababab"; equation (q, w, ok) = mixed(R(1, {5, 6}), n, "ab");';
    expect(await last(text, 'q.a', 'q.b[1]', 'q.b[2]', 'ok', 'same')).toEqual([6, 6, 3, 1, 1]);
  });

  test('outputs whose sizes follow from fixed values', async () => {
    const text =
      'parameter Real a[:] = {-2, 1, 0, -1, 2}; Real x[:] = positive(a); Real y[:] = positive({3, -1}); constant Integer n = size(positive({1, 1, -1}), 1); Real z[n] = {time, 2};';
    expect(await last(text, 'x[1]', 'x[2]', 'y[1]', 'z[2]')).toEqual([1, 2, 3, 2]);
  });

  test('`:` of a variable without a value takes the size of its start values', async () => {
    const text = 'Real x[:](start = positive({-1, 2, 3}), each fixed = true); equation der(x) = -x;';
    const [a, b] = await last(text, 'x[1]', 'x[2]');
    expect(a).toBeCloseTo(2 / Math.E, 6);
    expect(b).toBeCloseTo(3 / Math.E, 6);
    expect(problems('model M Real x[:](each start = 1); end M;')[0]).toContain(
      'The size of `x` is not known',
    );
  });

  test('they are differentiated', async () => {
    // The mean of 2 t and 4 t^2 has the derivative 1 + 4 t.
    const [v] = await last('Real m = mean({2*time + 1, -1 - time, 4*time^2 + 1}); Real v = der(m);', 'v');
    expect(v).toBeCloseTo(5, 7);
  });

  test('an unknown in such a function is found', async () => {
    const [x] = await last('Real x(start = 1); equation mean({x, x^2 + 1}) = 5;', 'x');
    // (x + x^2 + 1)/2 = 5
    expect(x).toBeCloseTo((Math.sqrt(37) - 1) / 2, 7);
  });

  test.each([
    ['Integer n = 1 + integer(3 - 3*time); Real y = second(n);', 'bad-subscript'],
    ['Integer n = 2 + integer(2*time); Real y = short(n);', 'dimension-mismatch'],
    ['Integer n = 2 + integer(2*time); Real y = halves(n);', 'type-mismatch'],
    ['Integer n = 2 + integer(2*time); Integer y = half(n);', 'type-mismatch'],
    ['Integer n = 2 + integer(2*time); Real y = named(n);', 'type-mismatch'],
    ['Integer n = 2 + integer(2*time); Real y = asked(n);', 'type-mismatch'],
    ['Integer n = 2 + integer(2*time); Real y = inside(n);', 'type-mismatch'],
  ])('%s ends the run', async (declarations, code) => {
    const { status, diagnostics } = await run(`${functions}\n  model M ${declarations} end M;`, {
      stopTime: 1,
    });
    expect(status).toBe('failed');
    expect(diagnostics[0]!.code).toBe(code);
  });

  test('sizes of variables of a model have to be known', () => {
    expect(problems(`${functions}\nmodel M Real y = sum(positive({time, 1})); end M;`)[0]).toContain(
      'The size of `y` is not known before the function runs. | Call the function in another one whose outputs have known sizes',
    );
  });
});

describe('their derivatives', () => {
  const bent = `function bent input Real x; input Integer n; output Real y; protected Real w[:];
    algorithm w := fill(x, n); w[1] := if x > 1 then 5*x - 4 else x; y := sum(w) - (n - 1)*x; end bent;`;
  const model = (body: string) => `model M ${bent} ${body} end M;`;

  test('are those of the branch that holds, however near the other one is', async () => {
    const { table } = await done(
      model(`Integer k = if time < 0.5 then 2 else 3; Real x(start = 1e-9, fixed = true);
        Real d = der(bent(1 + x, k)), e = der(bent(1 - x, k)); equation der(x) = 1e-9;`),
      { stopTime: 1 },
    );
    for (const t of [0, 0.25, 1]) {
      expect(table.value('d', t)).toBeCloseTo(5e-9, 20);
      expect(table.value('e', t)).toBeCloseTo(-1e-9, 20);
    }
  });

  test('are those of the same function with sizes that are known', async () => {
    const body = `algorithm for i in 1:n loop
        w[i] := sin(x[1])*x[2]^i + sqrt(abs(x[1]))/max(x[2], 0.1) + atan2(x[1], x[2]) + mod(x[1], 0.3) - exp(-x[1]*i)*log(x[2]) + tanh(x[1])^x[2];
      end for; y := w*w + sum(linspace(x[1], x[2], 4).^3) + product({x[1], x[2], 2}) - sum(x[1]:0.25:2);`;
    const { table } = await done(
      `model M
        function f input Real x[2]; input Integer n; output Real y; protected Real w[n]; ${body} end f;
        function g input Real x[2]; output Real y; protected constant Integer n = 3; Real w[n]; ${body} end g;
        Integer k = if time < 2 then 3 else 4;
        Real x(start = 0.4, fixed = true);
        Real d = der(f({x, 1 + x^2}, k)), e = der(g({x, 1 + x^2}));
      equation
        der(x) = 0.1;
      end M;`,
      { stopTime: 1, audit: false }, // nothing tells where mod and the range jump
    );
    for (const t of [0, 0.3, 0.7, 1]) {
      const [d, e] = [table.value('d', t), table.value('e', t)];
      expect(Math.abs(d - e)).toBeLessThan(1e-12 * Math.abs(e));
    }
  });

  test('go through external functions inside', async () => {
    const model = loadModel(
      `model M
        function square input Real x; output Real y; external "C" y = square(x); end square;
        function f input Real x; input Integer n; output Real y; protected Real w[n]; algorithm for i in 1:n loop w[i] := square(i*x); end for; y := sum(w); end f;
        Integer k = if time < 2 then 2 else 3;
        Real x(start = 3, fixed = true), d = der(f(x, k));
      equation
        der(x) = 1;
      end M;`,
      undefined,
      {},
      { externals: { square: (x: number) => x * x } },
    );
    const { table } = await simulate(model, { stopTime: 1 });
    expect(Math.abs(table.value('d', 1) - 2 * 4 * (1 + 4))).toBeLessThan(1e-7);
  });
});

describe('statements that are calls', () => {
  const library = `
    function refuse input String why; algorithm assert(false, "refused: " + why); end refuse;
    impure function say input Real x; external "C" say(x); end say;
    impure function tell input Real x[:]; output Integer n; algorithm n := size(x, 1); for v in x loop say(v); end for; end tell;
    function below
      input Real u; input Real most; output Real y;
      protected Integer n; Real v[:];
      algorithm n := integer(u) + 2; v := cat(1, fill(u, n), {3}); y := sum(v); if y > most then refuse(String(y)); end if;
    end below;
    impure function shown
      input Real u; output Real y;
      protected Integer n; Real v[:];
      algorithm n := integer(u) + 1; v := fill(u, n); for i in 1:n loop say(i); end for; tell(cat(1, v, {7})); y := n;
    end shown;`;
  const ran = async (body: string): Promise<{ said: number[]; problems: string[] }> => {
    const said: number[] = [];
    const externals = { say: (x: number) => void said.push(x) };
    try {
      const model = loadModel(
        `package P ${library}\nmodel M ${body}\nend M;\nend P;`,
        'P.M',
        {},
        { externals },
      );
      const { diagnostics } = await simulate(model, { stopTime: 1 });
      return { said, problems: diagnostics.filter((d) => d.severity === 'error').map((d) => d.message) };
    } catch (failure) {
      return { said, problems: [String(failure)] };
    }
  };

  test('are carried out in functions that are interpreted', async () => {
    const one = (y: string): string =>
      `discrete Real y(start = 0, fixed = true); algorithm when time > 0.5 then y := ${y}; end when;`;
    expect(await ran(one('shown(1.5)'))).toEqual({ said: [1, 2, 1.5, 1.5, 7], problems: [] });
    expect(await ran(one('below(time, 10)'))).toEqual({ said: [], problems: [] });
    expect((await ran(one('below(1 + time, 7)'))).problems.join()).toMatch(/refused: 7\.5/);
  });

  test('and before a run', async () => {
    const size = (most: number): string =>
      `final parameter Integer n = integer(below(1.5, ${most})); Real x[n] = fill(time, n);`;
    expect((await ran(size(8))).problems).toEqual([]);
    expect((await ran(size(7))).problems.join()).toMatch(/refused: 7\.5/);
  });

  test('of arrays without rows keep their columns', async () => {
    const functions = `
      function part input Real A[:, :]; output Real Z[size(A, 2), :]; output Integer n;
        protected Real V[size(A, 2), size(A, 2)]; algorithm V := transpose(A); n := size(A, 2); Z := V[:, n + 1:n]; end part;
      function none output Real y; protected Real N[0, 0]; Real X[0, 0]; Real Y[3, 0]; Integer n; Integer m;
        algorithm (X, n) := part(N); (Y, m) := part(ones(3, 3)); y := 10*m + n + size(Y, 1) + size(X, 2); end none;`;
    expect((await done(`model M ${functions} Real y = none(); end M;`)).table.value('y', 0)).toBe(33);
  });
});
