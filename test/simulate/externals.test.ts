/** External functions and objects: how arguments come and go, how often they are called, and what is said where something is wrong. */
import { describe, expect, it } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import {
  check,
  type Externals,
  Failure,
  instantiate,
  loadModel,
  type SimulateOptions,
  type SimulationResult,
  simulate,
} from '../../src/index.ts';
import type { ForeignRun } from '../../src/symbolic/foreign.ts';
import { close } from './notation.ts';

async function run(
  text: string,
  externals: Externals,
  options: SimulateOptions = {},
): Promise<SimulationResult> {
  return simulate(loadModel(text, undefined, {}, { externals }), {
    tolerance: 1e-8,
    stopTime: 1,
    ...options,
  });
}

async function done(...what: Parameters<typeof run>): Promise<SimulationResult['table']> {
  const { status, diagnostics, table } = await run(...what);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(status).toBe('done');
  return table;
}

const sine = `
  function f
    input Real u;
    output Real y;
    external "C" y = sine(u);
  end f;`;

const table = `
  class Table
    extends ExternalObject;
    function constructor
      input Real v[:];
      input String name;
      output Table t;
      external "C" t = makeTable(v, size(v, 1), name);
    end constructor;
    function destructor
      input Table t;
      external "C" closeTable(t);
    end destructor;
  end Table;
  function at
    input Table t;
    input Integer k;
    output Real y;
    external "C" y = tableAt(t, k);
  end at;`;

/** Implementations for `table` that note what happens. */
function tables() {
  const log: string[] = [];
  const externals = {
    makeTable: (v: Float64Array, n: number, name: string) => {
      log.push(`make ${name} ${n}`);
      return { v, name };
    },
    closeTable: ({ name }: { name: string }) => {
      log.push(`close ${name}`);
    },
    tableAt: ({ v }: { v: Float64Array }, k: number) => v[k - 1]!,
  };
  return { log, externals };
}

describe('values', () => {
  it('may refuse what is only a guess before initial values are known', async () => {
    const text = `model M
      function positive
        input Real u;
        output Real y;
        external "C" y = positive(u);
      end positive;
      parameter Real p(fixed = false);
      discrete Real y;
    initial equation
      p = 3;
    equation
      when {initial(), time > 0.5} then
        y = positive(p);
      end when;
    end M;`;
    const positive = (u: number): number => {
      if (u <= 0) throw new Error('not positive');
      return u;
    };
    expect((await done(text, { positive })).value('y', 1)).toBe(3);
  });

  it('what functions keep belongs to a run, and is there when a parameter calls a function for its effect', async () => {
    const text = `model M
      impure function keep
        input Integer k;
        external "C" keep(k);
      end keep;
      impure function kept
        input Integer id;
        output Real y;
        external "C" y = kept(id);
      end kept;
      impure function begin
        input Integer k;
        output Integer id;
      algorithm
        keep(k);
        id := 7;
      end begin;
      parameter Integer id = begin(5);
      Real y(start = 0, fixed = true);
    equation
      when time > 0.5 then
        y = kept(id);
      end when;
    end M;`;
    const externals: Externals = {
      keep(this: ForeignRun, k: number) {
        this.kept.set('k', k);
      },
      kept(this: ForeignRun, id: number) {
        return id * ((this.kept.get('k') as number | undefined) ?? Number.NaN);
      },
    };
    for (let run = 0; run < 2; run++) expect((await done(text, externals)).value('y', 1)).toBe(35);
  });

  for (const interpret of [false, true])
    it(`each statement of a function calls anew${interpret ? ', interpreted' : ''}`, async () => {
      const text = `model M
        impure function next
          input Integer k;
          output Integer y;
          external "C" y = next(k);
        end next;
        function twice
          input Real u;
          output Real y;
        protected
          Integer a;
          Integer b;
        algorithm
          a := next(1);
          b := next(1);
          y := b - a + u;
        end twice;
        Real y(start = 0, fixed = true);
      equation
        when time > 0.5 then
          y = twice(time);
        end when;
      end M;`;
      let calls = 0;
      const table = await done(text, { next: () => ++calls }, { interpret });
      expect(table.value('y', 1)).toBeCloseTo(1.5, 6);
    });

  it('defaults of outputs may name protected Integers that follow from sizes, as LAPACK functions do', async () => {
    const text = `model M
      function f
        input Real b[:];
        output Real x[max(size(b, 1), 3)] = cat(1, b, zeros(nx - n));
        output Integer info;
      protected
        Integer n = size(b, 1);
        Integer nx = max(n, 3);
        external "FORTRAN 77" doubled(n, nx, x, info);
      end f;
      Real x[3] = f({time, 2});
    end M;`;
    const doubled = (n: number, nx: number, x: Float64Array, info: { value: number }): void => {
      for (let k = 0; k < nx; k++) x[k]! *= 2;
      info.value = n;
    };
    const table = await done(text, { doubled });
    expect([1, 2, 3].map((k) => table.value(`x[${k}]`, 1))).toEqual([2, 4, 0]);
  });

  for (const interpret of [false, true])
    it(`come and go in their types${interpret ? ', interpreted' : ''}`, async () => {
      const seen: unknown[][] = [];
      const all = await done(
        `model M
          type E = enumeration(one, two, three);
          record R
            Real a;
            Integer k[2];
          end R;
          function g
            input Real x;
            input Integer i;
            input Boolean b;
            input String s;
            input E e;
            input Real m[:, :];
            input R r;
            output Real y;
            output Integer j;
            output Boolean c;
            output Real w[size(m, 2), size(m, 1)];
            output R q;
            external "C" y = g(x, i, b, s, e, m, size(m, 1), size(m, 2), r, j, c, w, q);
          end g;
          parameter String s = "ab" + "c";
          Real y, w[3, 2];
          R q;
          discrete Integer j;
          discrete Boolean c;
        equation
          when initial() then
            (y, j, c, w, q) = g(0.5, 7, true, s, E.two, {{1, 2, 3}, {4, 5, 6}}, R(2.5, {8, 9}));
          end when;
        end M;`,
        {
          g: (
            ...args: [
              number,
              number,
              boolean,
              string,
              number,
              Float64Array,
              number,
              number,
              object,
              ...never[],
            ]
          ) => {
            const [x, i, b, s, e, m, rows, columns, r, j, c, w, q] = args as unknown as [
              number,
              number,
              boolean,
              string,
              number,
              Float64Array,
              number,
              number,
              { a: number; k: Float64Array },
              { value: number },
              { value: boolean },
              Float64Array,
              { a: number; k: Float64Array },
            ];
            seen.push([x, i, b, s, e, [...m], rows, columns, r.a, [...r.k]]);
            j.value = i + s.length;
            c.value = !b;
            w.set([10, 20, 30, 40, 50, 60]);
            q.a = -r.a;
            q.k[1] = 5;
            return 2 * x;
          },
        },
        { interpret, stopTime: 0.1 },
      );
      expect(seen[0]).toEqual([0.5, 7, true, 'abc', 2, [1, 2, 3, 4, 5, 6], 2, 3, 2.5, [8, 9]]);
      const last = (name: string) => all.value(name, 0.1);
      expect([last('y'), last('j'), last('c'), last('w[1,2]'), last('w[3,1]')]).toEqual([1, 10, 0, 20, 50]);
      expect([last('q.a'), last('q.k[1]'), last('q.k[2]')]).toEqual([-2.5, 0, 5]);
    });

  it('come column by column in FORTRAN', async () => {
    let seen: number[] = [];
    const all = await done(
      `model M
        function g
          input Real a[:, :];
          output Real b[size(a, 1), size(a, 2)] = a;
          external "FORTRAN 77" g(b);
        end g;
        Real b[2, 3] = g({{1, 2, 3}, {4, 5, 6}});
      end M;`,
      {
        g: (b: Float64Array) => {
          seen = [...b];
          b[1] = -1;
        },
      },
    );
    expect(seen).toEqual([1, 4, 2, 5, 3, 6]);
    expect([all.value('b[2,1]', 1), all.value('b[1,2]', 1)]).toEqual([-1, 2]);
  });

  it('follow from the declarations without a call in the clause', async () => {
    const seen: unknown[][] = [];
    await done(
      `model M
        function g
          input Real a[:, :];
          input Integer k;
          output Real y;
          external;
        end g;
        Real y = g({{1, 2}}, 3);
      end M;`,
      {
        g: (...args: [Float64Array, number, number, number]) => {
          seen.push([[...args[0]], ...args.slice(1)]);
          return 0;
        },
      },
    );
    expect(seen[0]).toEqual([[1, 2], 1, 2, 3]);
  });

  it('are needed for sizes', async () => {
    const all = await done(
      `model M
        function count
          input String s;
          output Integer n;
          external "C" n = count(s);
        end count;
        parameter Integer n = count("abcd");
        Real x[n] = fill(time, n);
      end M;`,
      { count: (s: string) => s.length },
    );
    expect(all.value('x[4]', 1)).toBe(1);
    expect(all.has('x[5]')).toBe(false);
  });

  it('have derivatives by differences: in Jacobians, and where equations are differentiated', async () => {
    const all = await done(
      `model M${sine}
        Real x(start = 0, fixed = true);
        Real v;
        Real a = der(v);
      equation
        der(x) = f(time);
        f(v) = time/2;
      end M;`,
      { sine: Math.sin },
    );
    close(all.value('x', 1), 1 - Math.cos(1));
    close(all.value('v', 1), Math.asin(0.5));
    close(all.value('a', 0.5), 0.5 / Math.sqrt(1 - 0.25 ** 2), 1e-5);
  });

  it('by the qualified name go before those by the name of the code', async () => {
    const all = await done(`model M${sine} Real y = f(2); end M;`, {
      sine: Math.sin,
      'M.f': (u: number) => 3 * u,
    });
    expect(all.value('y', 0)).toBe(6);
  });

  it('of WebAssembly are functions like others', async () => {
    // (func (export "half") (param f64) (result f64) (f64.mul (local.get 0) (f64.const 0.5)))
    const bytes = [
      [
        0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 124, 1, 124, 3, 2, 1, 0, 7, 8, 1, 4, 104, 97, 108, 102,
        0, 0,
      ],
      [10, 16, 1, 14, 0, 32, 0, 68, 0, 0, 0, 0, 0, 0, 224, 63, 162, 11],
    ].flat();
    const { instance } = await WebAssembly.instantiate(new Uint8Array(bytes));
    const all = await done(`model M${sine} Real y = f(time); end M;`, {
      sine: instance.exports.half as (x: number) => number,
    });
    expect(all.value('y', 1)).toBe(0.5);
  });
});

describe('objects', () => {
  it('live as long as a run', async () => {
    const { log, externals } = tables();
    const model = `model M${table}
      parameter String name = "a";
      Table s = Table({3, 4}, name);
      Table t = Table({5, 6, 7}, "b");
      Real y = at(s, 2) + at(t, 3);
    end M;`;
    const runs = instantiate(model, { externals });
    for (const value of ['a', 'c']) {
      const result = await runs.simulate({ stopTime: 1, merge: { name: value } });
      expect(result.table.value('y', 1)).toBe(11);
      expect(log.splice(0).sort()).toEqual(
        ['close b', `close ${value}`, `make ${value} 2`, 'make b 3'].sort(),
      );
    }
    expect(runs.parameters().map(({ name }) => name)).toEqual(['name']);
  });

  it('end with a run that fails', async () => {
    const { log, externals } = tables();
    const { status } = await run(
      `model M${table}
        Table t = Table({1}, "a");
        Real y = at(t, 1);
      equation
        assert(time < 0.5, "late");
      end M;`,
      externals,
    );
    expect(status).toBe('failed');
    expect(log).toEqual(['make a 1', 'close a']);
  });

  it('of functions live as long as a call', async () => {
    const { log, externals } = tables();
    let most = 0;
    let living = 0;
    await done(
      `model M${table}
        function second
          input Real a;
          output Real y;
        protected
          Table t = Table({a, 2*a}, "l");
        algorithm
          y := at(t, 2);
          if y > 1 then
            return;
          end if;
          y := y + 1;
        end second;
        Real x(start = 0, fixed = true);
      equation
        der(x) = second(time);
      end M;`,
      externals,
    );
    for (const line of log) {
      living += line.startsWith('make') ? 1 : -1;
      most = Math.max(most, living);
    }
    expect([most, living]).toEqual([1, 0]);
  });
});

describe('calls', () => {
  it('of functions that count are made once at an event', async () => {
    let calls = 0;
    const all = await done(
      `model M
        impure function next
          output Real y;
          external "C" y = next();
        end next;
        Real x(start = 0, fixed = true);
        Real z(start = 0, fixed = true);
      equation
        der(z) = x;
        when sample(0.125, 0.125) then
          x = next();
        end when;
      end M;`,
      { next: () => ++calls },
    );
    expect(all.value('x', 0.9)).toBe(7);
  });

  it.each([
    [
      'from the beginning on',
      'when {initial(), sample(1, 1)} then y = next(time); end when; z = 0;',
      [0, 1, 2, 3],
    ],
    [
      'where values choose a branch',
      'when sample(0, 1) then y = next(time); end when; z = if y > 1.5 then 1 else 0;',
      [0, 1, 2, 3],
    ],
    [
      'where values choose the mode',
      'when sample(1, 1) then y = next(time); end when; if y > 1.5 then der(z) = 1; else z = 0; end if;',
      [1, 2, 3],
    ],
    [
      'where another call has to wait for initial values',
      'when {initial(), sample(1, 1)} then y = next(time); end when; z^3 + z = y;',
      [0, 1, 2, 3],
    ],
    [
      'on a clock',
      'when Clock(1, 1) then y = next(sample(time)); end when; z = if hold(y) > 1.5 then 1 else 0;',
      [0, 1, 2, 3],
    ],
    [
      'in other functions',
      'when {initial(), sample(1, 1)} then y = twice(time) - 1; end when; z = 0;',
      [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5],
    ],
  ])('of impure functions are made once each time a clause acts, %s', async (_, equations, times) => {
    const calls: number[] = [];
    const all = await done(
      `model M
        impure function next
          input Real t;
          output Real y;
          external "C" y = next(t);
        end next;
        impure function twice
          input Real t;
          output Real y;
        algorithm
          y := next(t);
          y := next(t + 0.5);
        end twice;
        Real y(start = 0, fixed = false);
        Real z(start = 0);
      equation
        ${equations}
      end M;`,
      { next: (t: number) => calls.push(t) },
      { stopTime: 3 },
    );
    expect(calls).toEqual(times);
    // What a clause got is what was given at its last call before.
    expect(all.value('y', 3)).toBe(equations.includes('twice') ? 7 : times.length);
  });

  it('of impure functions in loops are calls of their own', async () => {
    let calls = 0;
    const all = await done(
      `model M
        impure function next
          output Real y;
          external "C" y = next();
        end next;
        Real a[3](each start = 0, each fixed = true), b[2](each start = 0, each fixed = true);
        Real sum(start = 0, fixed = true), n(start = 0, fixed = true);
        Real c[2](each start = 0, each fixed = true);
      equation
        when {initial(), sample(1, 1)} then
          for i in 1:2 loop
            c[i] = next();
          end for;
        end when;
      algorithm
        when {initial(), sample(1, 1)} then
          for i in 1:3 loop
            a[i] := next();
          end for;
          for i in 1:2 loop
            if time > 0.5 then
              b[i] := next();
            end if;
          end for;
          sum := 0;
          while sum < 2 loop
            sum := sum + 1;
            n := next();
          end while;
        end when;
      end M;`,
      { next: () => ++calls },
      { stopTime: 1 },
    );
    const at = (time: number) => [1, 2, 3].map((k) => all.value(`a[${k}]`, time));
    for (const time of [0, 1]) {
      const [first, ...rest] = at(time) as [number, number, number];
      expect(rest).toEqual([first + 1, first + 2]);
    }
    const others = ['b[1]', 'b[2]', 'c[1]', 'c[2]', 'n'].map((name) => all.value(name, 1));
    expect(new Set([...at(1), ...others]).size).toBe(8);
    expect(calls).toBe(7 + 9);
  });

  it('without outputs are made when it is time', async () => {
    const told: string[] = [];
    await done(
      `model M
        function tell
          input String s;
          external "C" tell(s);
        end tell;
        function both
          input String a;
        algorithm
          tell(a);
          tell(a);
        end both;
      equation
        when time > 0.5 then
          both("now");
        end when;
      initial algorithm
        tell("first");
      end M;`,
      { tell: (s: string) => void told.push(s) },
    );
    expect(told).toContain('first');
    expect(told.filter((s) => s === 'now')).toHaveLength(2);
  });
});

describe('what is wrong', () => {
  it('is a missing implementation only where its value is needed', async () => {
    const model = loadModel(`model M${table}${sine}
      Table t = Table({1, 2}, "a");
      parameter Real p = f(1);
      Real x(start = p, fixed = true);
    equation
      der(x) = at(t, 1)*p;
    end M;`);
    const checked = check(model);
    expect(checked.status).toBe('ok');
    expect(
      checked.diagnostics.every(
        ({ code, severity }) => code === 'missing-external' && severity === 'warning',
      ),
    ).toBe(true);
    expect(checked.diagnostics).toHaveLength(4);
    const { status, diagnostics } = await simulate(model);
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({ code: 'missing-external', severity: 'error' });
    expect(diagnostics[0]!.message).toMatch(
      /`M\.(f|Table\.constructor)` has no implementation `(sine|makeTable)`/,
    );
    expect(diagnostics[0]!.hint).toContain('externals: {');
  });

  it('is a size that nothing can compute', () => {
    const load = () =>
      loadModel(`model M
        function count output Integer n; external "C" n = count(); end count;
        Real x[count()];
      end M;`);
    expect(load).toThrow(Failure);
    expect(load).toThrow(/`M.count` has no implementation `count`/);
  });

  it('tells whose value a constructor that fails was to give', async () => {
    const { diagnostics } = await run(
      `model M
        class T extends ExternalObject;
          function constructor input Integer n; output T t; external "C" t = make(n); end constructor;
          function destructor input T t; external "C" drop(t); end destructor;
        end T;
        model C parameter Integer n = 1; T table = T(n); end C;
        C a, b(n = -1);
      end M;`,
      {
        make: (n: number) => {
          if (n < 0) throw new Error('n is negative');
          return {};
        },
        drop: () => {},
      },
    );
    const [problem] = diagnostics.filter(({ severity }) => severity === 'error');
    expect(problem).toMatchObject({ code: 'external-failed', message: '`M.T.constructor`: n is negative.' });
    expect(problem!.notes).toMatchObject([{ message: 'in the value of b.table' }]);
  });

  for (const [what, implementation, message] of [
    ['a text instead of a number', () => 'x', /must give a number, not x/],
    ['nothing', () => {}, /must give a number, not undefined/],
    ['a promise', async () => 1, /asynchronous/],
  ] as const)
    it(`is ${what}`, async () => {
      const { status, diagnostics } = await run(`model M${sine} Real y = f(time); end M;`, {
        sine: implementation,
      });
      expect(status).toBe('failed');
      expect(diagnostics.at(-1)!.code).toBe('external-failed');
      expect(diagnostics.at(-1)!.message).toMatch(message);
    });

  it('is a literal that the enumeration does not have', async () => {
    const model = `model M
      type E = enumeration(low, high);
      function f input Real x; output E y; external "C" y = f(x); end f;
      E y;
    equation
      when time > 0.5 then y = f(time); end when;
    end M;`;
    const { status, diagnostics } = await run(model, { f: () => 3 });
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.message).toContain('must give a number from 1 to 2 (low, high), not 3');
    const table = await done(model, { f: () => 2 });
    expect(table.value('y', 1)).toBe(2);
  });

  it('is told by the function itself; once is a reason for a smaller step', async () => {
    const model = `model M${sine} Real x(start = 0, fixed = true); equation der(x) = f(time); end M;`;
    const { status, diagnostics, time } = await run(model, {
      sine: (t: number) => {
        if (t > 0.5) throw new Error('outside of the table');
        return t;
      },
    });
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.message).toContain('`M.f`: outside of the table');
    expect(time).toBeLessThanOrEqual(0.5);
    let failed = false;
    const all = await done(model, {
      sine: (t: number) => {
        if (t > 0.5 && !failed) {
          failed = true;
          throw new Error('only once');
        }
        return t;
      },
    });
    close(all.value('x', 1), 0.5);
  });

  it('are options that are no functions', () => {
    const load = () => loadModel('model M end M;', 'M', {}, { externals: { f: 1 as never } });
    expect(load).toThrow(/externals/);
  });
});

describe('the flat text', () => {
  it('has the external clause, and gives the same when it is read again', async () => {
    const flat = loadModel(`model M${sine} parameter Real p = f(0.5); Real y = f(p*time); end M;`);
    const text = printFlat(flat);
    expect(text).toContain('external "C" y = sine(u);');
    const all = await done(text, { sine: Math.sin });
    close(all.value('y', 1), Math.sin(Math.sin(0.5)));
  });
});

it('Strings are given as they are put together while the model runs', async () => {
  const count = { count: (s: string) => s.length };
  const model = (what: string) => `model M
      function f input String s; output Real n; external "C" n = count(s); end f;
      parameter String p = "xyz";
      parameter String q = "ab" + p;
      Real y = time*f(${what});
    end M;`;
  expect((await done(model('q'), count)).value('y', 1)).toBe(5);
  expect((await done(model('"ab" + p'), count)).value('y', 1)).toBe(5);
  expect((await done(model('if time < 0.5 then "a" else "abcd"'), count)).value('y', 1)).toBe(4);
});

describe('arrays of records', () => {
  const types = `
    record Point Real x; Integer n; Real v[2]; end Point;
    record Line Point ends[2]; String name; end Line;
    function lengths
      input Point p[:];
      output Real y[size(p, 1)];
      external "C" lengths(p, size(p, 1), y);
    end lengths;
    function moved
      input Point p[:];
      input Real by;
      output Point q[size(p, 1)];
      external "C" moved(p, by, q);
    end moved;
    function made
      input Real x;
      output Point q[2];
      external "C" q = made(x);
    end made;
    function ofLines
      input Line lines[:, :];
      output Real y;
      external "C" y = ofLines(lines);
    end ofLines;`;
  interface Point {
    x: number;
    n: number;
    v: Float64Array;
  }
  const externals = {
    lengths: (p: Point[], n: number, y: Float64Array) => {
      for (let k = 0; k < n; k++) y[k] = p[k]!.x * p[k]!.n + 10 * p[k]!.v[1]!;
    },
    moved: (p: Point[], by: number, q: Point[]) => {
      for (const [k, point] of p.entries()) {
        q[k]!.x = point.x + by;
        q[k]!.n = point.n + 1;
        q[k]!.v[0] = point.v[1]!;
        q[k]!.v[1] = point.v[0]!;
      }
    },
    made: (x: number) => [
      { x, n: 1, v: [1, 2] },
      { x: 2 * x, n: 3, v: [3, 4] },
    ],
    ofLines: (lines: { ends: Point[]; name: string }[]) =>
      lines.reduce(
        (sum, { ends, name }, k) => sum + (k + 1) * (ends[0]!.x - ends[1]!.v[0]!) * name.length,
        0,
      ),
  } as unknown as Externals;
  const points = '{Point(time, 2, {3, 4}), Point(5, 6, {7, 8})}';

  it('are given', async () => {
    const found = await done(
      `package P ${types} model M Real y[2] = lengths(${points}); end M; end P;`,
      externals,
    );
    close(found.value('y[1]', 1), 42);
    close(found.value('y[2]', 1), 110);
  });

  it('are written in place, and returned', async () => {
    const found = await done(
      `package P ${types} model M Point q[2] = moved(${points.replace('time', '1')}, 0.5); Point r[2] = made(1); end M; end P;`,
      externals,
    );
    expect(['x', 'n', 'v[1]', 'v[2]'].map((name) => found.value(`q[2].${name}`, 1))).toEqual([5.5, 7, 8, 7]);
    expect(['x', 'n', 'v[1]', 'v[2]'].map((name) => found.value(`q[1].${name}`, 1))).toEqual([1.5, 3, 4, 3]);
    expect(['x', 'n', 'v[1]', 'v[2]'].map((name) => found.value(`r[2].${name}`, 1))).toEqual([2, 3, 3, 4]);
  });

  it('may be in arrays of records', async () => {
    const line = (name: string, x: number) =>
      `Line({Point(${x}, 1, {0, 0}), Point(0, 1, {2, 0})}, "${name}")`;
    const found = await done(
      `package P ${types} model M Real y = ofLines({{${line('a', 3)}, ${line('bb', 5)}}}); end M; end P;`,
      externals,
    );
    // 1*(3 - 2)*1 + 2*(5 - 2)*2
    close(found.value('y', 1), 13);
  });

  it('where sizes follow from them', async () => {
    const counting = `${types} function counted input Point p[:]; output Integer n; external "C" n = counted(p); end counted;`;
    const found = await done(
      `package P ${counting} model M Real y[counted({Point(1, 2, {0, 0}), Point(1, 3, {0, 0})})] = fill(1, size(y, 1)), s = sum(y); end M; end P;`,
      { counted: (p: Point[]) => p[0]!.n + p[1]!.n } as unknown as Externals,
    );
    close(found.value('s', 1), 5);
  });

  it('must come back with their size', async () => {
    await expect(
      done(`package P ${types} model M Point r[2] = made(1); end M; end P;`, {
        made: () => [{ x: 1, n: 1, v: [1, 2] }],
      } as unknown as Externals),
    ).rejects.toThrow();
  });
});

it('what functions compute for a constant of a package is computed once, however often a run uses it', async () => {
  const seen = { calls: 0 };
  const table = await done(
    `package Medium
      ${sine}
      constant Real c[2] = {f(0.5), f(1)};
      function property
        input Real T;
        output Real h;
      algorithm
        h := c[1] + c[2]*T;
      end property;
      model Plant
        Real x(start = 1, fixed = true);
      equation
        der(x) = -property(x);
      end Plant;
    end Medium;`,
    {
      sine: (u: number) => {
        seen.calls++;
        return Math.sin(u);
      },
    },
  );
  const [a, b] = [Math.sin(0.5), Math.sin(1)];
  close(table.value('x', 1), (1 + a / b) * Math.exp(-b) - a / b, 1e-7);
  expect(seen.calls).toBe(2);
});
