/** Arguments of functions against what these declare (sections 12.2 to 12.4), and conversions of values. */
import { describe, expect, it } from 'vitest';
import { loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { close, done } from '../simulate/notation.ts';

async function problem(body: string): Promise<{ code: string; message: string }> {
  let result: Pick<SimulationResult, 'diagnostics'>;
  try {
    result = await simulate(loadModel(`model M ${body} end M;`), { stopTime: 1 });
  } catch (refused) {
    result = refused as SimulationResult;
  }
  return result.diagnostics.find(({ severity }) => severity === 'error')!;
}

const summed = (inputs: string) => `function f ${inputs} output Real z; algorithm z := sum(x); end f;`;

describe('sizes of arguments are those declared', () => {
  it.each([
    ['a number', 'input Real x[3];', 'f({time, 2, 3, 4})', /`x` of `M.f` has the size 3 but is given 4/],
    ['that of another', 'input Real x[:]; input Real y[size(x, 1)];', 'f({1, 2}, {1, 2, 3})', /size 2 but is given 3/],
    ['a value of another', 'input Integer n; input Real x[n];', 'f(2, {1, 2, 3})', /size 2 but is given 3/],
    ['its own', 'input Real x[:, size(x, 1)];', 'f([1, 2, 3; 4, 5, 6])', /size 2 but is given 3/],
    ['one after a default', 'input Real x[n]; input Integer n = 2;', 'f({1, 2, 3})', /size 2 but is given 3/],
  ])('%s', async (_, inputs, call, message) => {
    const found = await problem(`${summed(inputs)} Real a = ${call};`);
    expect(found.code).toBe('dimension-mismatch');
    expect(found.message).toMatch(message);
  }); // biome-ignore format: one case a line

  it('of fields of records', async () => {
    const record = 'record R Real v[3]; end R;';
    const fn = 'function f input R r; output Real z; algorithm z := sum(r.v); end f;';
    expect((await problem(`${record} ${fn} Real a = f(R({1, 2}));`)).message).toMatch(/`r.v` .* size 3/);
    const { table } = await done(
      `model M record R parameter Integer n = 2; Real v[n]; end R; ${fn} R r(n = 3, v = {1, 2, 3}); Real a = f(r); end M;`,
      { stopTime: 1, model: 'M' },
    );
    expect(table.value('a', 1)).toBe(6);
  });

  it('where a value is known in the run only, then', async () => {
    const fn = summed('input Integer n; input Real x[n];');
    const found = await problem(`${fn} Integer k = if time < 0.5 then 3 else 2; Real a = f(k, {1, 2, 3});`);
    expect(found).toMatchObject({ code: 'assertion', message: expect.stringContaining('At time 0.5') });
    const { table } = await done(
      `model M ${fn} Integer k = if time < 0.5 then 3 else 3; Real a = f(k, {1, 2, 3}); end M;`,
      { stopTime: 1, model: 'M' },
    );
    expect(table.value('a', 1)).toBe(6);
  });

  it('and so are those of values that variables begin with', async () => {
    const found = await problem(
      'function f input Integer n; output Real z; protected Real w[n] = ones(2); algorithm z := sum(w); end f; Real a = f(3);',
    );
    expect(found).toMatchObject({ code: 'dimension-mismatch', message: expect.stringContaining('`w`') });
  });
});

describe('a function that is called', () => {
  it.each([
    'function f input Real x; output Real z; end f;',
    'function f input Real x; output Real z; protected Real y; algorithm y := x; end f;',
    'function f input Real x; output Real y = x; output Real z; end f;',
  ])('assigns its outputs: %s', async (fn) => {
    const found = await problem(`${fn} Real a = f(3);`);
    expect(found).toMatchObject({ code: 'bad-call', message: expect.stringContaining('`z`') });
  });

  it('need not assign what is empty', async () => {
    const fn = 'function f input Real x; output Real y; output Real z[0]; algorithm y := x; end f;';
    const { table } = await done(`model M ${fn} Real a = f(3); end M;`, { stopTime: 1, model: 'M' });
    expect(table.value('a', 1)).toBe(3);
  });

  const impure = 'impure function g input Real x; output Real z; algorithm z := x; end g;';
  it.each([
    'Real a = g(3);',
    'Real a; equation a = g(3);',
    'Real a; algorithm a := g(3);',
    'pure function f input Real x; output Real z; algorithm z := g(x); end f; Real a = f(3);',
    'Real a = pure(sin(g(3)));',
    'Boolean b = time > 0.5; Real a = if b then g(3) else 0;',
  ])('is not impure: %s', async (body) => {
    expect(await problem(`${impure} ${body}`)).toMatchObject({ code: 'not-allowed' });
  });

  it('may be impure in some places', async () => {
    const { table } = await done(
      `model M ${impure}
        impure function h input Real x; output Real z; algorithm z := g(x); end h;
        pure function f input Real x; output Real z; algorithm z := pure(g(x)); end f;
        Real a = f(1), b = pure(h(2));
        parameter Real p = g(3);
        discrete Real d;
        Real x(start = g(5), fixed = true);
      initial equation
        d = g(4);
      equation
        der(x) = 0;
        when time > 0.5 then
          d = h(6);
        end when;
      end M;`,
      { stopTime: 1, model: 'M' },
    );
    const values = ['a', 'b', 'p', 'x', 'd'].map((name) => table.value(name, 1));
    expect(values).toEqual([1, 2, 3, 5, 6]);
    expect(table.value('d', 0)).toBe(4);
  });
});

describe('variables of functions begin with their values', () => {
  const records = `record R Real a = 2*b; Real b = c + 1; Real c = 3; end R;
    record S Real z = 4; end S; record Q S s; Real b = 1; end Q;`;
  it.each([
    ['in an order that works', 'Real u = t + 1; Real t = 2*x; algorithm y := u;', 7],
    ['outputs too', 'Real t = 2*x; algorithm y := y + 1;', 7, '= t'],
    ['what uses an output', 'Real u = 3*y; Real t = 2*x; algorithm y := y + u;', 24, '= t'],
    ['fields of records', 'R r; algorithm y := r.a*x;', 24],
    ['fields of records, modified', 'R r(c = x); algorithm y := r.a*x;', 24],
    ['fields of fields, modified', 'Q q(s(z = x)); algorithm y := q.s.z;', 3],
  ] as const)('%s', async (_, body, expected, ...value) => {
    const { table } = await done(
      `model M ${records} function f input Real x; output Real y ${value.join('')}; protected ${body} end f;
        Real y = f(3*time); parameter Real p = f(3); Real v[integer(p)] = ones(integer(p)); Real n = size(v, 1); end M;`,
      { stopTime: 1, model: 'M' },
    );
    close(table.value('y', 1), expected);
    expect(table.value('n', 1)).toBe(expected);
  });

  it('of constructors as well, whatever comes first', async () => {
    const { table } = await done(
      `model M ${records} function f input Real x; output R r; algorithm r.c := x; end f; R r = R(c = 4), s = R(), t = f(time); end M;`,
      { stopTime: 1, model: 'M' },
    );
    const values = ['r.a', 'r.b', 's.a', 's.b', 't.a', 't.b', 't.c'].map((name) => table.value(name, 1));
    expect(values).toEqual([10, 5, 8, 4, 8, 4, 1]);
  });

  it.each([
    ['Real u = t; Real t = u; algorithm y := u;', 'cyclic-definition'],
    ['Integer u = x; algorithm y := u;', 'type-mismatch'],
    ['Real u = true; algorithm y := u;', 'type-mismatch'],
    ['constant Real c = 2; algorithm c := 3; y := c;', 'bad-call'],
    ['Real u; algorithm y := u + x;', 'bad-call'],
  ])('or are refused: %s', async (body, code) => {
    const found = await problem(
      `function f input Real x; output Real y; protected ${body} end f; Real y = f(1.5);`,
    );
    expect(found.code).toBe(code);
  });
});

describe('conversions', () => {
  const type = 'type E = enumeration(a, b);';
  it('of Integers to enumerations know the literals', async () => {
    const fixed = await problem(`${type} parameter Integer k = 3; E e = E(k);`);
    expect(fixed).toMatchObject({ code: 'bad-call', message: expect.stringContaining('none for 3') });
    const later = await problem(`${type} Integer j = if time < 0.5 then 2 else 3; E e = E(j);`);
    expect(later).toMatchObject({ code: 'assertion', message: expect.stringContaining('none for 3') });
    const { table } = await done(
      `model M ${type} Integer j = if time < 0.5 then 2 else 1; E e = E(j); E g[2] = E({j, 3 - j}); end M;`,
      { stopTime: 1, model: 'M' },
    );
    expect(['e', 'g[1]', 'g[2]'].map((name) => table.value(name, 1))).toEqual([1, 1, 2]);
  });

  it('to texts write Reals as `%g` does, whole ones too', async () => {
    const found = await problem(
      `parameter Real r = 123456789.0; equation assert(time < 0.5,
        String(r, significantDigits = 3) + " " + String(r) + " " + String(1e10) + " " + String(3.0) + " " +
        String(time) + " " + String(12345678) + " " + String(255, format = "x") + " " + String(9, format = "o"));`,
    );
    expect(found.message).toContain('1.23e+08 1.23457e+08 1e+10 3 0.5 12345678 ff 11');
  });

  it('to texts take options by name only, and formats that fit', async () => {
    expect((await problem('parameter String s = String(3.0, 8);')).code).toBe('bad-call');
    expect((await problem('parameter String s = String(3.5, format = "x");')).code).toBe('type-mismatch');
  });

  it('to texts are the same where sizes depend on them', async () => {
    const { table } = await done(
      `model M parameter String s = String(3.14159265, significantDigits = 3);
        parameter Integer n = if s == "3.14" then 1 else 2; Real y[n] = ones(n); end M;`,
      { stopTime: 1, model: 'M' },
    );
    close(table.value('y[1]', 1), 1);
  });
});

describe('what changes without an event', () => {
  const x = 'Real x(start = 0, fixed = true); Boolean b(start = false, fixed = true); equation der(x) = 1;';
  it.each([
    `${x} when noEvent(x > 0.5) then b = true; end when;`,
    `${x} when noEvent(x > 0.5) or x > 10 then b = true; end when;`,
    `${x} when x == 0.5 then b = true; end when;`,
    `${x} algorithm when {noEvent(x > 0.5), x > 10} then b := true; end when;`,
    'function f input Real x; output Boolean b; algorithm b := x > 0.5; end f; Boolean b(start = false, fixed = true); equation when f(time) then b = true; end when;',
    'Real x = time; Boolean b; equation if noEvent(x > 0.5) then b = true; else b = false; end if;',
  ])('is no condition of `when`, and gives no Boolean: %s', async (body) => {
    expect(await problem(body)).toMatchObject({ code: 'variability' });
  });

  it('an element that changes cannot be assigned in a when-equation', async () => {
    const found = await problem(
      'Integer k = if time < 0.5 then 1 else 2; Real v[2](each start = 0); equation when sample(0.1, 0.2) then v[k] = time; end when;',
    );
    expect(found).toMatchObject({ code: 'variability', message: expect.stringContaining('subscripts') });
  });
});

it('a local variable that loops hide needs no value', async () => {
  const { table } = await done(
    `package P
      function f input Real x; output Real y; protected Integer i; algorithm y := 0; for i in 1:3 loop y := y + i*x; end for; end f;
      function g input Real x; output Real y; protected Integer i; algorithm y := sum(i*x for i in 1:3); end g;
      model M Real a = f(time), b = g(time); end M;
    end P;`,
    { model: 'P.M' },
  );
  for (const name of ['a', 'b']) close(table.value(name, 1), 6);
});

it('arrays of components without elements have the types and sizes of what they would contain', async () => {
  const { table } = await done(
    `package P
      connector C output Boolean s; output Integer k; output Real v[3]; end C;
      type E = enumeration(a, b);
      model D E e; C d[2]; end D;
      function any input Boolean b[:]; output Boolean y = false; algorithm for x in b loop y := y or x; end for; end any;
      function count input Integer k[:]; output Integer n = size(k, 1); algorithm end count;
      function countE input E e[:]; output Integer n = size(e, 1); algorithm end countE;
      model M
        parameter Integer n = 0;
        C c[n]; D m[n];
        C full[2](s = {true, false}, k = {1, 2}, v = [1, 2, 3; 4, 5, 6]);
        Boolean one = any(c.s), two = any(m.d[1].s), three = any(full[1:0].s);
        Integer none = count(c.k) + countE(m.e), width = size(c.v, 2);
        Real zero = sum(c.v) + sum(c.v[1]) + sum(m.d.v);
      end M;
    end P;`,
    { model: 'P.M' },
  );
  expect(['one', 'two', 'three', 'none', 'width', 'zero'].map((name) => table.value(name, 1))).toEqual([
    0, 0, 0, 0, 3, 0,
  ]);
});
