/**
 * Stores of charge that are joined: whatever way they are written, what each of them gives the others is the change of what is in it. The
 * voltage after follows from the sum by bisection.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { close, done, run } from './notation.ts';

function final({ table }: SimulationResult, name: string): number {
  return table.get(name).at(-1)!;
}

function weight({ impulses }: SimulationResult, name: string): number {
  return impulses.flatMap((i) => (i.variable === name ? [i.weight] : [])).reduce((a, b) => a + b, 0);
}

/** Where an increasing function is zero. */
function root(f: (v: number) => number): number {
  let [low, high] = [-100, 100];
  for (let n = 0; n < 200; n++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return low;
}

// ---------------------------------------------------------------- new variables

describe('a new variable with a fixed start value', () => {
  test('brings the charge of its store, also where it is the voltage of another one', async () => {
    const result = await done(
      `model M
  Real v1(start = 3, fixed = true), i, v3(start = 1, fixed = true), q3;
equation
  der(v1) = -i;
  if time >= 1 then q3 = 2*v3; der(q3) = i; v3 = v1; else i = 0; end if;
end M;`,
      { stopTime: 2 },
    );
    for (const name of ['v1', 'v3']) close(final(result, name), 5 / 3);
    close(weight(result, 'i'), 4 / 3);
  });

  test('brings it by way of other variables, and of a nonlinear law', async () => {
    const result = await done(
      `model M
  Real v1(start = 3, fixed = true), i, v3(start = 1, fixed = true), u, q3;
equation
  der(v1) = -i;
  if time >= 1 then u = 2*v3; q3 + 0.1*q3^3 = u; der(q3) = i; v3 = v1; else i = 0; end if;
end M;`,
      { stopTime: 2 },
    );
    const q = (v: number) => root((q) => q + 0.1 * q ** 3 - 2 * v);
    const v = root((v) => v + q(v) - 3 - q(1));
    close(final(result, 'v1'), v);
    close(weight(result, 'i'), q(v) - q(1));
  });

  test('gives its speed to what is geared with it', async () => {
    const result = await done(
      `model M
  Real w1(start = 3, fixed = true), f, w3(start = 1, fixed = true), w4, g;
equation
  2*der(w1) = -f;
  if time >= 1 then 5*der(w3) = f - g; w4 = 2*w3; 3*der(w4) = g/2; w3 = w1; else f = 0; end if;
end M;`,
      { stopTime: 2 },
    );
    // Inertias 2, and 5 + 3*2^2 of the new unit as w1 sees it.
    close(final(result, 'w1'), (2 * 3 + 17 * 1) / 19);
  });

  test('without a store says what the variable begins with that it is equal to', async () => {
    const result = await done(
      `model M
  inner Real y(start = 5, fixed = true);
  block A
    outer output Real y;
  equation
    der(y) = -1;
  end A;
  block B
    outer output Real y;
    Real x(start = 2, fixed = true);
  equation
    y = x;
    der(y) = 0;
  end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, time >= 1);
end M;`,
      { stopTime: 2, model: 'M' },
    );
    close(final(result, 'y'), 2);
  });

  test.each(['v3 = v1; v2 = v3;', 'v3 = v1; v2 = v1;', 'v1 = v2; v3 = v2;'])(
    'says what others begin with that are tied to it, however: %s',
    async (joins) => {
      const result = await done(
        `model M
  Real v1(start = 3, fixed = true), i, j, v2(start = 9), v3(start = 1, fixed = true), q3;
equation
  der(v1) = -i - j;
  if time >= 1 then q3 = 2*v3; der(q3) = i; 7*der(v2) = j; ${joins} else i = 0; j = 0; end if;
end M;`,
        { stopTime: 2 },
      );
      close(final(result, 'v2'), (1 * 3 + (2 + 7) * 1) / 10);
    },
  );

  test('and another one, joined: each brings its own', async () => {
    const result = await done(
      `model M
  Real v1(start = 3, fixed = true), i, j, v2(start = 9, fixed = true), q2, v3(start = 1, fixed = true), q3;
equation
  der(v1) = -i - j;
  if time >= 1 then q3 = 2*v3; der(q3) = i; q2 = 7*v2; der(q2) = j; v3 = v1; v2 = v3; else i = 0; j = 0; end if;
end M;`,
      { stopTime: 2 },
    );
    close(final(result, 'v2'), (3 + 2 * 1 + 7 * 9) / 10);
    close(weight(result, 'j'), 7 * ((3 + 2 + 63) / 10 - 9));
  });

  test('lets a difference with what existed jump, and what is computed from it', async () => {
    const result = await done(
      `model M
  Real w1(start = 3, fixed = true), f, w3(start = 1, fixed = true), slip, a;
equation
  2*der(w1) = -f;
  if time >= 1 then 5*der(w3) = f; slip = w3 - w1; der(slip) = a; w3 = w1; else f = 0; end if;
end M;`,
      { stopTime: 2 },
    );
    close(final(result, 'w1'), (2 * 3 + 5 * 1) / 7);
    close(weight(result, 'a'), 2);
  });
});

// ---------------------------------------------------------------- the way

describe('factors and laws are those of the way', () => {
  const joined = (law: string, start: [number, number], other = 2) => `model M
  Real v1(start = ${start[0]}, fixed = true), v2(start = ${start[1]}, fixed = true), i, p;
  Boolean high = v1 >= 1.2;
equation
  ${law}
  ${other}*der(v2) = -i;
  if time >= 1 then v1 = v2; else i = 0; end if;
end M;`;

  test('a factor of a variable that is one with another after the event', async () => {
    const result = await done(joined('p = 10*v1; v1*der(p) = i;', [1, 4], 1), { stopTime: 2 });
    // 5 v^2 + v = 5 + 4
    close(final(result, 'v1'), (-1 + Math.sqrt(181)) / 10);
    expect(result.diagnostics).toEqual([]);
  });

  test.each([
    '(if v1 < 1.2 then 1 else 4)*der(v1) = i; p = v1;',
    'noEvent(if v1 < 1.2 then 1 else 4)*der(v1) = i; p = v1;',
    'p = if v1 < 1.2 then 1 else 4; p*der(v1) = i;',
    '(if high then 4 else 1)*der(v1) = i; p = v1;',
    'p = if not high then v1 else 4*v1 - 3.6; der(p) = i;',
    'p = 10*v1; (if v1 < 1.2 then 0.1 else 0.4)*der(p) = i;',
    'p = if v1 < 1.2 then v1 else 4*v1 - 3.6; der(p) = i;',
    'der(if v1 < 1.2 then v1 else 4*v1 - 3.6) = i; p = v1;',
    'p = max(v1, 4*v1 - 3.6); der(p) = i;',
    'p = v1 + max(0, 3*(v1 - 1.2)); der(p) = i;',
  ])('a relation on the way: %s', async (law) => {
    const result = await done(joined(law, [1, 2]), { stopTime: 2 });
    // 0.2 at a capacitance of 1, then 4: 0.2 + 4 (v - 1.2) = 2 (2 - v)
    close(final(result, 'v1'), 8.6 / 6);
    close(weight(result, 'i'), 2 * (2 - 8.6 / 6));
    expect(result.diagnostics).toEqual([]);
  });

  test('a store with a bend that the values do not reach', async () => {
    const result = await done(joined('p = v1*abs(v1) + 0.2*v1; der(p) = i;', [-1, 0.5], 0.3), {
      stopTime: 2,
    });
    // -v^2 + 0.5 v = -1.2 + 0.15
    close(final(result, 'v1'), (0.5 - Math.sqrt(0.25 + 4 * 1.05)) / 2);
  });

  test('a function of a variable under der', async () => {
    const result = await done(
      `model M
  function q
    input Real v;
    output Real q;
  algorithm
    q := v + 0.1*v^3;
  end q;
  Real v1(start = -1, fixed = true), v2(start = 0.5, fixed = true), i;
equation
  der(q(v1)) = i;
  0.3*der(v2) = -i;
  if time >= 1 then v1 = v2; else i = 0; end if;
end M;`,
      { stopTime: 2 },
    );
    close(
      final(result, 'v1'),
      root((v) => v + 0.1 * v ** 3 + 0.3 * v + 1.1 - 0.15),
    );
  });

  test('a store whose charge steps, and a voltage that passes the step', async () => {
    const result = await done(joined('p = v1 + (if v1 < 0 then -1 else 1); der(p) = i;', [-1, 9], 0.5), {
      stopTime: 2,
    });
    // v + 1 + 0.5 v = -2 + 4.5
    close(final(result, 'v1'), 1);
  });

  test.each([2, 2.5])('a charge in the middle of a step has no voltage (%d)', async (v2) => {
    const result = await run(joined('p = v1 + (if v1 < 0 then -1 else 1); der(p) = i;', [-1, v2], 0.5), {
      stopTime: 2,
    });
    expect(result.status).toBe('failed');
    const [problem] = result.diagnostics;
    expect(problem).toMatchObject({ code: 'impossible-change' });
    expect(problem!.message).toContain('v1 < 0');
    expect(problem!.span).toBeDefined();
  });
});

// ---------------------------------------------------------------- laws

/** A store: equations by the number of its variables, and the charge at a voltage. */
interface Law {
  readonly text: (k: number) => string;
  readonly charge: (v: number) => number;
  /** Whether the variable q is used. */
  readonly q: boolean;
  /** Whether its branches are modes. */
  readonly branches?: boolean;
}

const parameters = fc.record({
  a: fc.integer({ min: 1, max: 40 }).map((n) => n / 10),
  b: fc.integer({ min: 1, max: 40 }).map((n) => n / 10),
  at: fc.integer({ min: -20, max: 20 }).map((n) => n / 10),
});

const laws = parameters.chain(({ a, b, at }) => {
  const steps = (v: number) => (v < at ? a : b) * (v - at);
  return fc.constantFrom<Law>(
    { text: (k) => `${a}*der(v${k}) = i${k};`, charge: (v) => a * v, q: false },
    { text: (k) => `q${k} = ${a}*v${k}; der(q${k}) = i${k};`, charge: (v) => a * v, q: true },
    { text: (k) => `der(${a}*v${k} + ${b}*v${k}^3) = i${k};`, charge: (v) => a * v + b * v ** 3, q: false },
    {
      text: (k) => `q${k} = ${a}*v${k} + ${b}*v${k}*abs(v${k}); der(q${k}) = i${k};`,
      charge: (v) => a * v + b * v * Math.abs(v),
      q: true,
    },
    {
      text: (k) => `(if v${k} < ${at} then ${a} else ${b})*der(v${k}) = i${k};`,
      charge: steps,
      q: false,
    },
    {
      text: (k) => `q${k} = (if v${k} < ${at} then ${a} else ${b})*(v${k} - (${at})); der(q${k}) = i${k};`,
      charge: steps,
      q: true,
    },
    {
      text: (k) => `q${k} = 2*v${k}; (${a} + ${b}*v${k}^2)*der(q${k}) = 2*i${k};`,
      charge: (v) => a * v + (b * v ** 3) / 3,
      q: true,
    },
    {
      text: (k) => `q${k} = ${a}*v${k} + ${b}*max(0, v${k} - (${at})); der(q${k}) = i${k};`,
      charge: (v) => a * v + b * Math.max(0, v - at),
      q: true,
      branches: true,
    },
  );
});

const stores = fc.array(
  fc.record({
    law: laws,
    start: fc.integer({ min: -30, max: 30 }).map((n) => n / 10 + 0.013),
    kind: fc.constantFrom<'old' | 'fixed' | 'free'>('old', 'old', 'fixed', 'free'),
  }),
  { minLength: 2, maxLength: 4 },
);

test('charge is conserved, however stores are written', async () => {
  await fc.assert(
    fc.asyncProperty(stores, fc.boolean(), async (all, turned) => {
      fc.pre(all.some(({ kind }) => kind === 'old'));
      fc.pre(
        all.filter(({ kind }) => kind === 'fixed').length < 2 || all.every(({ kind }) => kind !== 'free'),
      );
      // Which mode a new store begins in is not known beforehand; such a model may be refused.
      fc.pre(all.every(({ kind, law }) => kind === 'old' || !law.branches));
      const lines = (kind: boolean) =>
        all.flatMap(({ law, kind: own }, k) => ((own === 'old') === kind ? [law.text(k)] : [])).join('\n  ');
      const declared = all.map(({ law, start, kind }, k) => {
        const attributes = `start = ${start}, fixed = ${kind !== 'free'}`;
        return `v${k}(${attributes}), i${k}${law.q ? `, q${k}` : ''}`;
      });
      const joins = all.slice(1).map((_, k) => (turned ? `v${k + 1} = v${k};` : `v${k} = v${k + 1};`));
      const sum = all.map((_, k) => `i${k}`).join(' + ');
      const opened = all.flatMap(({ kind }, k) => (kind === 'old' ? [`i${k} = 0;`] : []));
      const text = `model M
  Real ${declared.join(', ')};
equation
  ${lines(true)}
  if time >= 1 then
    ${lines(false)}
    ${joins.join(' ')}
    ${sum} = 0;
  else
    ${opened.join(' ')}
  end if;
end M;`;
      const result = await done(text, { stopTime: 1.5 });
      // Those without a start value begin with that of another one that is new, or have no part in this.
      const fixed = all.find(({ kind }) => kind === 'fixed')?.start;
      const begins = all.map(({ kind, start }) => (kind === 'free' ? fixed : start));
      const sumOf = (charge: (k: number) => number) =>
        all.reduce((total, _, k) => (begins[k] === undefined ? total : total + charge(k)), 0);
      const whole = sumOf((k) => all[k]!.law.charge(begins[k]!));
      const v = root((v) => sumOf((k) => all[k]!.law.charge(v)) - whole);
      for (const [k, { law }] of all.entries()) {
        close(final(result, `v${k}`), v, 1e-6 * Math.max(1, 1 / Math.max(1e-3, Math.abs(v))));
        const given = begins[k] === undefined ? 0 : law.charge(v) - law.charge(begins[k]);
        expect(Math.abs(weight(result, `i${k}`) - given)).toBeLessThanOrEqual(1e-6 * (1 + Math.abs(whole)));
      }
    }),
    { numRuns: 25 },
  );
});
