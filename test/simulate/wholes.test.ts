/** Functions of whole arrays that are called at events: results, and how often they are called. */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, type SimulationResult, simulate } from '../../src/index.ts';
import { done, run } from './notation.ts';

/** Amplitudes of the harmonics of samples, straight from the definition. */
const spectrum = `function spectrum
  input Real u[:];
  output Integer info;
  output Real a[div(size(u, 1), 2)];
  output Real b[div(size(u, 1), 2)];
protected
  Real w = 2*3.14159265358979323846/size(u, 1);
algorithm
  info := 7;
  for k in 1:div(size(u, 1), 2) loop
    a[k] := 2*sum(u[i]*cos(w*k*(i - 1)) for i in 1:size(u, 1))/size(u, 1);
    b[k] := 2*sum(u[i]*sin(w*k*(i - 1)) for i in 1:size(u, 1))/size(u, 1);
  end for;
end spectrum;`;

/** A buffer of n samples of one period. */
const sampled = (n: number): string => `model M
  ${spectrum}
  parameter Integer n = ${n};
  Real u = 1 + 3*cos(2*3.14159265358979323846*2*time) - 0.5*sin(2*3.14159265358979323846*5*time);
  Real buf[n](each start = 0, each fixed = true);
  Real a[div(n, 2)](each start = 0, each fixed = true), b[div(n, 2)](each start = 0, each fixed = true);
  Integer k(start = 0, fixed = true), info(start = 0, fixed = true);
  Real size2(start = 0, fixed = true);
algorithm
  when sample(0, 1/n) then
    k := pre(k) + 1;
    if k <= n then
      buf[k] := u;
    end if;
  end when;
  when k >= n then
    (info, a, b) := spectrum(buf);
    size2 := a*a + b*b;
  end when;
end M;`;

function numbers({ table }: SimulationResult, name: string, count: number, time: number): number[] {
  return Array.from({ length: count }, (_, k) => table.value(`${name}[${k + 1}]`, time));
}

describe('a function of many samples with many results', () => {
  test.each([20, 100, 180])('gives the amplitudes of %i samples', async (n) => {
    const result = await done(sampled(n), { stopTime: 1 });
    for (const [name, own] of [
      ['a', { 2: 3 }],
      ['b', { 5: -0.5 }],
    ] as const)
      for (const [k, value] of numbers(result, name, n / 2, 1).entries())
        expect(value).toBeCloseTo((own as Record<number, number>)[k + 1] ?? 0, 9);
    expect(result.table.value('info', 1)).toBe(7);
    expect(result.table.value('size2', 1)).toBeCloseTo(9.25, 9);
    // Before the buffer is full nothing is computed.
    expect(result.table.value('info', (n - 2) / n)).toBe(0);
  });

  test('gives the same bits where code is interpreted', async () => {
    const results = [
      await done(sampled(100), { stopTime: 1 }),
      await done(sampled(100), { stopTime: 1, interpret: true }),
    ];
    const [compiled, interpreted] = results.map((result) => numbers(result, 'a', 50, 1));
    expect(compiled).toEqual(interpreted);
  });
});

test('a long buffer takes what is assigned to the element whose turn it is', async () => {
  const n = 12_000;
  const { table } = await done(
    `model M
  Real buf[${n}](each start = -1, each fixed = true);
  Integer k(start = ${n - 2}, fixed = true);
algorithm
  when sample(0.25, 0.25) then
    k := mod(pre(k), ${n}) + 1;
    buf[k] := time;
  end when;
end M;`,
    { stopTime: 1, audit: false }, // it would look at 12,000 variables at each point
  );
  const at = (element: number) => table.value(`buf[${element}]`, 1);
  expect([n - 2, n - 1, n, 1, 2, 3, 6000].map(at)).toEqual([-1, 0.25, 0.5, 0.75, 1, -1, -1]);
  expect(table.value('buf[1]', 0.5)).toBe(-1);
});

const centred = `function centred
  input Real x[:]; input Real least;
  output Real y[size(x, 1)]; output Real mean;
algorithm
  mean := sum(x)/size(x, 1);
  assert(mean >= least, "the mean is too small");
  y := x .- mean;
end centred;`;

describe('where it is called', () => {
  test('several outputs in a when-equation', async () => {
    const result = await done(
      `model M
  ${centred}
  discrete Real x[90](each start = 0, each fixed = true), y[90](each start = 0, each fixed = true), mean(start = 0, fixed = true);
equation
  when sample(1, 1) then
    for i in 1:90 loop x[i] = i*time; end for;
    (y, mean) = centred(x, 0);
  end when;
end M;`,
      { stopTime: 2 },
    );
    for (const time of [1, 2]) {
      expect(result.table.value('mean', time)).toBeCloseTo(45.5 * time, 12);
      expect(numbers(result, 'y', 90, time)).toEqual(
        Array.from({ length: 90 }, (_, k) => (k + 1) * time - 45.5 * time),
      );
    }
    expect(result.table.value('mean', 0.5)).toBe(0);
  });

  test('only in the branch that is taken, with the values that statements before it gave', async () => {
    const result = await done(
      `model M
  ${centred}
  Real x[90](each start = 0, each fixed = true), y[90](each start = 0, each fixed = true);
  Integer n(start = 0, fixed = true);
algorithm
  when sample(1, 1) then
    n := pre(n) + 1;
    x[n] := -90*n;
    if n >= 2 then
      x[n] := 180;
      y := centred(x, 1);
      y[1] := 0;
    else
      y := fill(-1, 90);
    end if;
  end when;
end M;`,
      { stopTime: 2 },
    );
    // At 1 s the mean would be -1, which the function refuses; at 2 s it is (-90 + 180)/90.
    expect(numbers(result, 'y', 90, 1)).toEqual(new Array(90).fill(-1));
    expect(numbers(result, 'y', 90, 2)).toEqual(Array.from({ length: 90 }, (_, k) => [0, 179][k] ?? -1));
  });

  test('what it refuses ends the run, with its message and its place', async () => {
    const { status, diagnostics } = await run(
      `model M
  ${centred}
  discrete Real y[90](each start = 0, each fixed = true);
algorithm
  when sample(1, 1) then
    y := centred(fill(-time, 90), -1.5);
  end when;
end M;`,
      { stopTime: 3, audit: false }, // it does not end
    );
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({
      code: 'assertion',
      message: expect.stringContaining('At time 2: the mean is too small'),
    });
    expect(diagnostics[0]!.span).toBeDefined();
  });

  test('once at an event, whatever it does besides', async () => {
    const calls: number[] = [];
    const work = (x: Float64Array, y: Float64Array): void => {
      calls.push(x[0]!);
      y.set(x.map((value) => 2 * value));
    };
    const library = loadText(`model M
  impure function work
    input Real x[80]; output Real y[80]; output Real z[80];
    external "C" work(x, y);
  end work;
  discrete Real y[80](each start = 0, each fixed = true);
algorithm
  when sample(1, 1) then
    y := work(fill(time, 80));
  end when;
end M;`);
    const { status } = await simulate(loadModel(library, 'M', {}, { externals: { work } }), { stopTime: 3 });
    expect(status).toBe('done');
    expect(calls).toEqual([1, 2, 3]);
  });
});

test('the arrays of functions that call each other have room', async () => {
  const functions = Array.from(
    { length: 6 },
    (_, k) => `function f${k}
  input Real x; output Real y;
protected
  Real a[9000];
algorithm
  for i in 1:9000 loop a[i] := x + i; end for;
  y := ${k === 0 ? '0' : `f${k - 1}(x + 1)`} + a[9000] - a[1];
end f${k};`,
  );
  const { table } = await done(
    `model M
  ${functions.join('\n')}
  discrete Real y(start = 0, fixed = true);
equation
  when time >= 0.5 then y = f5(time); end when;
end M;`,
    { stopTime: 1 },
  );
  expect(table.value('y', 1)).toBe(6 * 8999);
});
