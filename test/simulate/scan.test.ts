/** Events that nothing but an indicator itself keeps a step from passing over. Expected counts and times come from closed forms and from fine scans. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { done, run } from './notation.ts';

const methods = ['auto', 'bdf', 'radau', 'rk'] as const;

/** Counts how often a condition becomes true, beside a state that moves slowly. */
const counter = (condition: string, more = '', declared = '') => `model Count
    Real x(start = 0, fixed = true) "Equals time";
    Real slow(start = 1, fixed = true);
    ${declared}
    Integer rises(start = 0, fixed = true), falls(start = 0, fixed = true);
    discrete Real last(start = 0, fixed = true);
    Boolean on = ${condition};
  equation
    der(x) = 1;
    der(slow) = -0.01*slow;
    ${more}
    when on then
      rises = pre(rises) + 1;
      last = time;
    end when;
    when not on then
      falls = pre(falls) + 1;
    end when;
  end Count;`;

/** The same without any state. */
const stateless = (condition: string) => `model Count
    Integer rises(start = 0, fixed = true), falls(start = 0, fixed = true);
    discrete Real last(start = 0, fixed = true);
    Boolean on = ${condition};
  equation
    when on then
      rises = pre(rises) + 1;
      last = time;
    end when;
    when not on then
      falls = pre(falls) + 1;
    end when;
  end Count;`;

describe('a coil and a clutch that are switched a thousand times a second', () => {
  const coil = `model PulseWidth
      Real i(start = 0, fixed = true);
    equation
      0.1*der(i) = (if sin(6283.185307179586*time) > 0.5 then 3 else 0) - i;
    end PulseWidth;`;
  /** On from T/12 to 5T/12 of each period. */
  const current = (): number => {
    const [period, tau] = [1e-3, 0.1];
    const gain = 3 * (Math.exp((-7 * period) / 12 / tau) - Math.exp((-11 * period) / 12 / tau));
    let i = 0;
    for (let k = 0; k < 2000; k++) i = i * Math.exp(-period / tau) + gain;
    return i;
  };

  test.each([10, 500, 5000].flatMap((intervals) => methods.map((method) => ({ intervals, method }))))(
    'coil, %o',
    async ({ intervals, method }) => {
      const { table, statistics } = await done(coil, { stopTime: 2, tolerance: 1e-6, intervals, method });
      expect(statistics.events).toBe(4000);
      expect(Math.abs(table.value('i', 2) - current())).toBeLessThan(1e-4);
    },
  );

  test('clutch', async () => {
    const { table, statistics } = await done(
      `model PulsedClutch
         Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), f, slip(start = 0, fixed = true);
       equation
         der(w1) = -f + 1 - w1;
         2*der(w2) = f - 1 - 2*w2;
         der(slip) = w1 - w2;
         if sin(6283.185307179586*time) > 0 then w1 = w2; else f = 0; end if;
       end PulsedClutch;`,
      { stopTime: 0.2, intervals: 10 },
    );
    const h = 5e-4;
    expect(Math.abs(table.value('slip', 0.2) - 200 * 1.5 * (h - 1 + Math.exp(-h)))).toBeLessThan(1e-6);
    // At zero the sine is not positive yet; whether the last event is before the end is up to rounding.
    expect(Math.abs(statistics.events - 400.5)).toBe(0.5);
  });
});

describe('short pulses', () => {
  const edge = 1e-4 * Math.sqrt(Math.LN2);
  test.each([
    ['abs(time - 3) < 5e-5', 3 - 5e-5],
    ['(time - 3)^2 < 1e-9', 3 - Math.sqrt(1e-9)],
    ['exp(-((time - 3)/1e-4)^2) > 0.5', 3 - edge],
    ['tanh(1e5*(time - 3)) + tanh(1e5*(3.0001 - time)) > 1', 3],
    ['max(0, 1 - 1e4*abs(time - 3)) > 0.5', 3 - 5e-5],
    ['abs(x - 3) < 5e-5', 3 - 5e-5],
    ['(x - 3)^2 < 1e-6', 3 - 1e-3],
    ['exp(-((x - 3)/1e-4)^2) > 0.5', 3 - edge],
    ['cos(x)^2 > 1 - 1e-8 and x > 1 and x < 5', Math.PI - Math.asin(1e-4)],
    ['min(x - 3, 3.0001 - x) > 0', 3],
  ])('%s', async (condition, start) => {
    for (const method of methods) {
      const runs = [
        counter(condition),
        ...(condition.includes('x') && !condition.includes('exp(-((t') ? [] : [stateless(condition)]),
      ];
      for (const text of runs) {
        const { table } = await done(text, { stopTime: 10, intervals: 10, method });
        expect([table.value('rises', 10), table.value('falls', 10)]).toEqual([1, 1]);
        expect(Math.abs(table.value('last', 10) - start)).toBeLessThan(2e-6);
      }
    }
  });
});

/** How often a function becomes positive and stops being so, by a look at very many points. */
function scan(f: (t: number) => number, stop: number, points = 400_000): { rises: number; falls: number } {
  let [rises, falls] = [0, 0];
  let on = f(0) > 0;
  for (let k = 1; k <= points; k++) {
    const now = f((stop * k) / points) > 0;
    if (now && !on) rises++;
    if (!now && on) falls++;
    on = now;
  }
  return { rises, falls };
}

describe('fast functions', () => {
  test.each<[string, (t: number) => number, string?, string?]>([
    ['sin(1000*x) > 0.5', (t) => Math.sin(1000 * t) - 0.5],
    ['x > 1 + 0.1*sin(900*time)', (t) => t - 1 - 0.1 * Math.sin(900 * t)],
    [
      'slow*sin(700*time) > cos(350*x) + 0.2',
      (t) => Math.exp(-0.01 * t) * Math.sin(700 * t) - Math.cos(350 * t) - 0.2,
    ],
    ['sin(500*time)*sin(510*time) > 0.9', (t) => Math.sin(500 * t) * Math.sin(510 * t) - 0.9],
    ['u > 0.3', (t) => Math.cos(800 * t + 1) - 0.3, 'u = cos(800*time + 1);', 'Real u;'],
    // 3u + w = 4v, u - w = 0: small linear systems.
    [
      'u > 0.3',
      (t) => Math.cos(800 * t + 1) - 0.3,
      '3*u + w = 4*cos(800*time + 1); u - w = 0;',
      'Real u, w;',
    ],
    // A system that is solved by iteration: u^3 + u grows with u, and is 0.33 where u is 0.3.
    ['u > 0.3', (t) => Math.cos(800 * t + 1) - 0.327, 'u^3 + u = cos(800*time + 1);', 'Real u;'],
    [
      'u > 0.3',
      (t) => Math.exp(-(((t - 1.3) / 1e-3) ** 2)) - 0.327,
      'u^3 + u = exp(-((time - 1.3)/1e-3)^2);',
      'Real u;',
    ],
    [
      '(if noEvent(sin(600*time) > 0) then 1 else -1)*x > 0.7',
      (t) => (Math.sin(600 * t) > 0 ? 1 : -1) * t - 0.7,
    ],
    ['sqrt(abs(sin(300*x))) > 0.9', (t) => Math.sqrt(Math.abs(Math.sin(300 * t))) - 0.9],
  ])('%s (%#)', async (condition, f, more = '', declared = '') => {
    const expected = scan(f, 2);
    expect(expected.rises).toBeGreaterThan(0);
    for (const method of methods) {
      const { table } = await done(counter(condition, more, declared), {
        stopTime: 2,
        intervals: 10,
        method,
      });
      expect({ rises: table.value('rises', 2), falls: table.value('falls', 2) }).toEqual(expected);
    }
  });
});

describe('touching and going back', () => {
  // x = (t - 0.3)^2 - depth exactly, below zero for 2*sqrt(depth).
  test.each([1e-2, 1e-3, 1e-4])('a parabola that dips %d below zero', async (depth) => {
    for (const method of methods) {
      const { table } = await done(
        `model Dip
           Real x(start = 0.09 - ${depth}, fixed = true), v(start = -0.6, fixed = true);
           Integer n(start = 0, fixed = true);
           discrete Real first(start = 0, fixed = true);
         equation
           der(x) = v;
           der(v) = 2;
           when x < 0 then n = pre(n) + 1; first = time; end when;
         end Dip;`,
        { stopTime: 10, intervals: 2, method },
      );
      expect(table.value('n', 10)).toBe(1);
      expect(Math.abs(table.value('first', 10) - (0.3 - Math.sqrt(depth)))).toBeLessThan(1e-4);
    }
  });
});

describe('behind a nonlinear system', () => {
  // a + sin(b)/2 grows with a, so that a > 0.9 means that x = sin(40*time) is larger than its value there.
  const level = 0.9 + 0.5 * Math.sin(0.2 * 0.81 - 0.45);
  const phase = Math.asin(level);
  const expected = Array.from({ length: 13 }, (_, k) =>
    [phase, Math.PI - phase].map((angle) => (angle + 2 * Math.PI * k) / 40),
  )
    .flat()
    .filter((t) => t <= 2);

  test.each(methods.flatMap((method) => [1, 700, 5000].map((intervals) => ({ method, intervals }))))(
    'a crossing is one event, however the system is solved, %o',
    async ({ method, intervals }) => {
      const { table, statistics } = await done(
        `model Loop
           Real x(start = 0, fixed = true), a(start = 0), b(start = 0);
           Integer rises(start = 0, fixed = true), falls(start = 0, fixed = true);
           discrete Real last(start = 0, fixed = true), total(start = 0, fixed = true);
         equation
           der(x) = 40*cos(40*time);
           a + 0.5*sin(b) = x;
           b + 0.5*a = 0.2*a*a;
           when a > 0.9 then rises = pre(rises) + 1; end when;
           when a <= 0.9 then falls = pre(falls) + 1; end when;
           when {a > 0.9, a <= 0.9} then last = time; total = pre(total) + time; end when;
         end Loop;`,
        { stopTime: 2, intervals, method },
      );
      expect(expected.length).toBe(26);
      expect(statistics.events).toBe(26);
      expect([table.value('rises', 2), table.value('falls', 2)]).toEqual([13, 13]);
      const slack = method === 'bdf' ? 1e-5 : 1e-6;
      expect(Math.abs(table.value('last', 2) - expected.at(-1)!)).toBeLessThan(slack);
      expect(Math.abs(table.value('total', 2) - expected.reduce((sum, t) => sum + t, 0))).toBeLessThan(
        26 * slack,
      );
    },
  );
});

describe('fast functions of states', () => {
  /** How often a condition of time becomes true until time 1, by dense sampling. */
  const rises = (holds: (t: number) => boolean): number => {
    let count = 0;
    for (let k = 1, before = holds(0); k <= 40_000; k++) {
      const now = holds(k / 40_000);
      if (now && !before) count++;
      before = now;
    }
    return count;
  };
  /** The solution of an increasing function, by bisection. */
  const solved = (f: (y: number) => number): number => {
    let [low, high] = [-50, 50];
    for (let n = 0; n < 80; n++) {
      const middle = (low + high) / 2;
      if (f(middle) > 0) high = middle;
      else low = middle;
    }
    return low;
  };

  /** `x` is the time, `z` is sin(13*time + 1) as a state. */
  const states = 'Real z(start = sin(1), fixed = true);';
  const z = (t: number): number => Math.sin(13 * t + 1);
  const cases: [
    title: string,
    declared: string,
    more: string,
    condition: string,
    holds: (t: number) => boolean,
  ][] = [
    [
      'the limit switch of a crank with a connecting rod',
      'Real b, s;',
      'sin(b)*3 = sin(30*x); s = cos(30*x) + 3*cos(b);',
      's > 3',
      (t) => Math.cos(30 * t) + 3 * Math.cos(Math.asin(Math.sin(30 * t) / 3)) > 3,
    ],
    [
      'a cubic equation',
      'Real y;',
      'y + y^3 = sin(100*x);',
      'y > 0.3',
      (t) => solved((y) => y + y ** 3 - Math.sin(100 * t)) > 0.3,
    ],
    [
      'a diode with a resistor',
      'Real v, i;',
      'i = 1e-3*(exp(v/0.1) - 1); v + 10*i = 2*sin(40*x);',
      'i > 0.1',
      (t) => {
        const v = solved((y) => y + 0.01 * (Math.exp(Math.min(y, 30) / 0.1) - 1) - 2 * Math.sin(40 * t));
        return 1e-3 * (Math.exp(v / 0.1) - 1) > 0.1;
      },
    ],
    [
      'a root of an absolute value in a system',
      'Real y;',
      'y + 0.3*y^3 = sqrt(abs(sin(50*time + 1)));',
      'y > 0.5',
      (t) => solved((y) => y + 0.3 * y ** 3 - Math.sqrt(Math.abs(Math.sin(50 * t + 1)))) > 0.5,
    ],
    [
      'a factor that rests at zero beside a limited state',
      states,
      'der(z) = 13*cos(13*time + 1);',
      'max(0, sin(64*time + 4))*(z - min(z, 0.5)) > 0',
      (t) => Math.sin(64 * t + 4) > 0 && z(t) > 0.5,
    ],
    [
      'a sign beside a limiter',
      states,
      'der(z) = 13*cos(13*time + 1);',
      '(1 + sign(z - 0.5))*max(0, sin(64*time + 4)) > 0',
      (t) => Math.sin(64 * t + 4) > 0 && z(t) > 0.5,
    ],
    [
      'arithmetic of Integers',
      'Integer f(start = 1, fixed = true), n = 3;',
      'when sample(0.5, 2) then f = pre(f)*2; end when;',
      'sin((f + f)*(n*10)*x - mod(f, 2)) > 0.5',
      (t) => (t < 0.5 ? Math.sin(60 * t - 1) : Math.sin(120 * t)) > 0.5,
    ],
    [
      'the angle of a phasor beside a state',
      '',
      '',
      'atan2(sin(50*time), cos(50*time)) > 0.2 + 0.3*x',
      (t) => Math.atan2(Math.sin(50 * t), Math.cos(50 * t)) > 0.2 + 0.3 * t,
    ],
  ];

  test.each(cases)('%s', async (_, declared, more, condition, holds) => {
    const expected = rises(holds);
    for (const [method, tolerance, intervals] of [
      ['auto', 1e-6, 500],
      ['rk', 1e-5, 50],
      ['bdf', 1e-4, 10],
    ] as const) {
      const text = counter(condition, more, declared);
      // At poles and jumps of functions, rows have values from both sides.
      const { table } = await done(text, { method, tolerance, intervals, audit: false });
      expect(table.value('rises', 1) - table.value('rises', 0)).toBe(expected);
    }
  });
});

describe('pulses that come through algebraic variables', () => {
  // 10*exp(-((t - 1)/w)^2) is above 5 for 2*w*sqrt(log(2)).
  const width = 2e-3 * Math.sqrt(Math.log(2));

  test.each(['time', 'x'].flatMap((t) => ['abs(F) > 5', 'F^2 > 25'].map((on) => ({ t, on }))))(
    'and choose which equations hold, %o',
    async ({ t, on }) => {
      for (const method of methods) {
        const { table } = await done(
          `model Choice
             Real x(start = 0, fixed = true) "Equals time";
             Real z(start = 0, fixed = true), F, P, v, i;
           equation
             der(x) = 1;
             F = 10*exp(-((${t} - 1)/0.001)^2);
             P = ${on.replace(/ > .*/, '')};
             if P > ${on.replace(/.* > /, '')} then v = 0; else i = 0; end if;
             v + i = 1;
             der(z) = i;
           end Choice;`,
          { stopTime: 2, intervals: 3, method },
        );
        expect(Math.abs(table.value('z', 2) / width - 1)).toBeLessThan(1e-6);
      }
    },
  );

  test('and through a nonlinear system, where they are small beside the rest', async () => {
    // P + 0.1*sin(P) grows with P: it is above the level where F is above that of the level.
    const level = 84.5 + 0.1 * Math.sin(84.5);
    const expected = scan(
      (t) => 100 * Math.sin(t) + 0.5 * Math.exp(-(((t - 1) / 1e-4) ** 2)) - level,
      1.5,
      2_000_000,
    );
    expect(expected).toEqual({ rises: 2, falls: 1 });
    const { table } = await done(
      counter(
        'P > 84.5',
        `F = 100*sin(time) + 0.5*exp(-((time - 1)/1e-4)^2);
         P = F - 0.1*sin(P);`,
        'Real F, P;',
      ),
      { stopTime: 1.5, intervals: 3 },
    );
    expect({ rises: table.value('rises', 1.5), falls: table.value('falls', 1.5) }).toEqual(expected);
  });
});

/** A random function of time and of x, which equals time, as Modelica and as a function. */
interface Wave {
  readonly text: string;
  readonly f: (t: number) => number;
}

const amount = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true }).map((v) => Number(v.toFixed(4)));
const argument = fc.constantFrom('time', 'x');
const wave: fc.Arbitrary<Wave> = fc.oneof(
  fc.tuple(amount(20, 400), amount(0, 6), argument).map(([w, phi, t]) => ({
    text: `sin(${w}*${t} + ${phi})`,
    f: (s: number) => Math.sin(w * s + phi),
  })),
  fc.tuple(amount(0.1, 1.9), amount(0.003, 0.05), argument).map(([at, width, t]) => ({
    text: `exp(-((${t} - ${at})/${width})^2)`,
    f: (s: number) => Math.exp(-(((s - at) / width) ** 2)),
  })),
  fc.tuple(amount(0.1, 1.9), amount(20, 300), argument).map(([at, steep, t]) => ({
    text: `tanh(${steep}*(${t} - ${at}))`,
    f: (s: number) => Math.tanh(steep * (s - at)),
  })),
  fc.tuple(amount(0.1, 1.9), amount(1, 20), argument).map(([at, slope, t]) => ({
    text: `max(0, 1 - ${slope}*abs(${t} - ${at}))`,
    f: (s: number) => Math.max(0, 1 - slope * Math.abs(s - at)),
  })),
);
const combined: fc.Arbitrary<Wave> = fc
  .tuple(wave, wave, fc.constantFrom('+', '*', '-'))
  .map(([a, b, op]) => ({
    text: `(${a.text} ${op} ${b.text})`,
    f: (t: number) => (op === '+' ? a.f(t) + b.f(t) : op === '-' ? a.f(t) - b.f(t) : a.f(t) * b.f(t)),
  }));

test('no event is missed, whatever the output interval, the tolerance and the method', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(wave, combined),
      // At zero, what has decayed below the smallest number touches it.
      amount(-0.9, 0.9).filter((level) => Math.abs(level) > 1e-3),
      fc.constantFrom(...methods),
      fc.constantFrom(1e-4, 1e-6, 1e-9),
      async (own, level, method, tolerance) => {
        // Where it nearly touches the level, counts are up to rounding.
        const expected = scan((t) => own.f(t) - level, 2);
        for (const margin of [-1e-4, 1e-4])
          fc.pre(
            JSON.stringify(scan((t) => own.f(t) - level - margin, 2, 50_000)) === JSON.stringify(expected),
          );
        for (const intervals of [10, 500, 5000]) {
          const { table } = await done(counter(`${own.text} > ${level}`), {
            stopTime: 2,
            intervals,
            method,
            tolerance,
          });
          expect({ rises: table.value('rises', 2), falls: table.value('falls', 2) }).toEqual(expected);
        }
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

test('what is zero all along, because fast terms cancel, does not hold up the run', async () => {
  const { statistics } = await done(`model Cancelled
      Real u = sin(31*time), e, i, v(start = 0, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      e = u + v;
      i = u - e;
      der(v) = 0;
      when i < 0 then n = pre(n) + 1; end when;
    end Cancelled;`);
  expect(statistics.events).toBe(0);
}, 20_000);

test('the length of a phasor, which rests while its parts turn fast, ends no steps', async () => {
  const { statistics, table } = await done(
    `model Phasor
      Real u = cos(1000*time), v = sin(1000*time), length = sqrt(u^2 + v^2);
      Boolean on = length*time > 0.5;
      Real x(start = 0, fixed = true);
    equation
      der(x) = if on then exp(length) - x else -x;
    end Phasor;`,
    { stopTime: 1, tolerance: 1e-8 },
  );
  expect(table.value('x', 1)).toBeCloseTo(Math.E - Math.sqrt(Math.E), 7);
  expect(statistics.steps).toBeLessThan(200);
});

describe('events that are more than a run can follow', () => {
  const failure = async (condition: string, stopTime: number) => {
    const { status, diagnostics } = await run(counter(condition), { stopTime });
    expect(status).toBe('failed');
    return diagnostics.find(({ severity }) => severity === 'error')!;
  };

  test('are told, instead of passed over', async () => {
    for (const pace of [1e7, 1e9]) {
      const { code, message, span } = await failure(`sin(${pace}*time) > 0.5`, 1000);
      expect(code).toBe('limit-exceeded');
      expect(message).toContain(`sin(${pace}*time) > 0.5 changes several times between`);
      expect(span).toBeDefined();
    }
  });

  test('end a run that would have no end', async () => {
    const { status, diagnostics } = await run('model M Integer i = integer(1e17*time); end M;');
    expect(status).toBe('failed');
    const { code, message, span } = diagnostics[0]!;
    expect(code).toBe('limit-exceeded');
    expect(message).toMatch(/Events follow each other too closely at time .*: at this pace 1e\+17 more/);
    expect(span).toBeDefined();
  });

  test('are named where states move between them, which have nothing to do with it', async () => {
    const { status, diagnostics } = await run(
      `model M Real x(start = 0, fixed = true); discrete Real next(start = 1, fixed = true);
      equation der(x) = 1; when time >= pre(next) then next = pre(next) + 1e-12; end when; end M;`,
      { stopTime: 2 },
    );
    expect(status).toBe('failed');
    expect(diagnostics[0]!.message).toMatch(
      /^Events follow each other too closely at time 1\.0000\d*, such as those of time >= pre\(next\)/,
    );
  }, 60_000);

  test('are no chattering where they do not turn back', async () => {
    const { code, message } = await failure('sin(1e9*x) > 0.5', 10);
    expect(code).toBe('limit-exceeded');
    expect(message).toContain('sin(1000000000*x) > 0.5');
  });

  test('are followed where they come to an end', async () => {
    const { table } = await done(
      `model Burst
         Real x(start = 0, fixed = true);
         Integer rises(start = 0, fixed = true);
       equation
         der(x) = if x < 4e-6 then 1 else 0;
         when sin(1e9*x) > 0.5 then
           rises = pre(rises) + 1;
         end when;
       end Burst;`,
      { stopTime: 10, intervals: 10 },
    );
    expect(table.value('rises', 10)).toBe(Math.floor(4e3 / (2 * Math.PI) - 1 / 12) + 1);
  });

  test('are followed where the run is short', async () => {
    // sin(φ) = 1/2 at π/6 and 5π/6 of each turn.
    const turns = 1000 / (2 * Math.PI);
    const { table } = await done(counter('sin(1e9*time) > 0.5'), { stopTime: 1e-6 });
    expect(table.value('rises', 1e-6)).toBe(Math.floor(turns - 1 / 12) + 1);
    expect(table.value('falls', 1e-6)).toBe(Math.floor(turns - 5 / 12) + 1);
  });
});

describe('a relation that rests on its boundary hides no events of another', () => {
  // v < u, with v = 4.5 - 5 t and u = 4.5 sin(90 t): how often it becomes true, on a fine grid.
  const rises = ((): number => {
    let [count, before] = [0, false];
    for (let k = 0; k <= 1e6; k++) {
      const now = 4.5 - 5e-6 * k < 4.5 * Math.sin(9e-5 * k);
      if (now && !before) count++;
      before = now;
    }
    return count;
  })();

  test.each([
    ['a sum with what stays zero', 'Real d(start = 0, fixed = true), y = sin(time) + d;', 'der(d) = -d;'],
    ['an integral of its derivative', 'Real y(start = 0, fixed = true);', 'der(y) = cos(time);'],
  ])('%s', async (_, declared, equations) => {
    const text = `model Beside
      Real v(start = 4.5, fixed = true), u = 4.5*sin(90*time);
      ${declared}
      Integer k(start = 0, fixed = true), m(start = 0, fixed = true);
    equation
      der(v) = -5;
      ${equations}
      when v < u then k = pre(k) + 1; end when;
      when y > sin(time) then m = pre(m) + 1; end when;
    end Beside;`;
    for (const method of methods)
      for (const tolerance of [1e-3, 1e-5, 1e-6]) {
        const { table } = await done(text, { method, tolerance });
        expect(table.value('k', 1)).toBe(rises);
      }
  });
});

describe('two sides that are equal for a while, as those of a limiter', () => {
  const edge = Math.asin(2 / 3);
  /** How often 1.5*sin(w*t) rises above 1 before the time 1. */
  const rises = (w: number): number => Math.floor((w - edge) / (2 * Math.PI)) + 1;
  test.each([
    ['u > min(u, 1)', 1],
    ['min(max(u, -1), 1) < u', 1],
    ['u > noEvent(if u > 1 then 1 else u)', 1],
    ['abs(u - min(u, 1)) > 0', 1],
    ['(u - min(u, 1))^2 > 0', 1],
    ['abs(u - min(max(u, -1), 1)) > 0', 2],
    ['abs(u - min(max(u, -1), 1)) > 1e-7', 2],
    ['max(u, 1) > 1', 1],
    ['abs(u - 1) + (u - 1) > 1e-12', 1],
    ['sqrt((u - 1)^2) + (u - 1) > 1e-9', 1],
  ])('%s', async (condition, perPeriod) => {
    for (const [w, method] of [
      [20, 'rk'],
      [30, 'bdf'],
      [64, 'auto'],
    ] as const)
      for (const tolerance of [1e-3, 1e-6]) {
        const text = counter('on', `u = 1.5*sin(${w}*time);`, 'Real u;').replace(
          'Boolean on = on',
          `Boolean on = ${condition}`,
        );
        const { table } = await done(text, { stopTime: 1, intervals: 10, method, tolerance });
        // Below -1 half a period later.
        const falls = perPeriod === 2 ? Math.floor((w - Math.PI - edge) / (2 * Math.PI)) + 1 : 0;
        expect([w, table.value('rises', 1)]).toEqual([w, rises(w) + falls]);
      }
  });
});

test.each([
  ['a*b > 0', (s: number, c: number) => s > 0 && c > 0],
  ['(s + abs(s))*(c + abs(c)) > 0', (s: number, c: number) => s > 0 && c > 0],
  ['a > a*b', (s: number, c: number) => s > 0 && c < 1],
  ['min(a, b) > 0', (s: number, c: number) => s > 0 && c > 0],
])('products of rectified signals, %s', async (condition, isOn) => {
  const n = 1_000_000;
  let exact = 0;
  for (let k = 0; k < n; k++) {
    const t = (k + 0.5) / n;
    if (isOn(Math.sin(100 * t), Math.cos(70 * t))) exact += 1 / n;
  }
  for (const method of methods) {
    const { table } = await done(
      `model Products
         Real s = sin(100*time), c = cos(70*time), a = max(0, s), b = max(0, c), q(start = 0, fixed = true);
       equation
         der(q) = if ${condition} then 1 else 0;
       end Products;`,
      { intervals: 10, method },
    );
    expect(Math.abs(table.value('q', 1) - exact)).toBeLessThan(1e-5);
  }
});

describe('steps do not pass over what functions of time do to the states', () => {
  const stop = 10;
  const pulse = '1000/sqrt(3.141592653589793)*exp(-((time - 5)/1e-3)^2)';
  /** The pulse has the weight one. */
  const left = Math.exp(-5) * Math.exp(1e-6 / 4);

  test.each([
    ['in a derivative', 'Real x(start = 0, fixed = true);', `der(x) = -x + ${pulse};`],
    ['by a variable', 'Real x(start = 0, fixed = true), u;', `u = ${pulse}; der(x) = -x + u;`],
    [
      'through a linear system',
      'Real x(start = 0, fixed = true), a, b;',
      `a + 2*b = ${pulse}; 3*a - b + x = 0; der(x) = b*7/3 - 4/3*x;`,
    ],
    [
      'whose parts are beyond all numbers before it',
      'Real x(start = 0, fixed = true), p = 1/(1 + exp(-(time - 5)/1e-4));',
      'der(x) = -x + p*(1 - p)*1e4;',
    ],
    [
      'at a time that is not round',
      'parameter Real p = 5; Real x(start = 0, fixed = true);',
      `der(x) = -x + ${pulse.replace('- 5', '- p')};`,
    ],
  ])('a short pulse %s, without any event', async (_, declared, equations) => {
    for (const method of methods)
      for (const tolerance of [1e-5, 1e-6, 1e-8]) {
        const text = `model Dose ${declared} equation ${equations} end Dose;`;
        const { table } = await done(text, { stopTime: stop, intervals: 10, method, tolerance });
        expect(Math.abs(table.value('x', stop) / left - 1)).toBeLessThan(2000 * tolerance);
      }
  });

  test('in loops over arrays', async () => {
    const { table } = await done(
      `model Doses
         Real x[20](each start = 0, each fixed = true);
       equation
         for i in 1:20 loop der(x[i]) = -x[i] + i*${pulse}; end for;
       end Doses;`,
      { stopTime: stop, intervals: 10, tolerance: 1e-8 },
    );
    for (let i = 1; i <= 20; i++)
      expect(Math.abs(table.value(`x[${i}]`, stop) / (i * left) - 1)).toBeLessThan(1e-6);
  });

  /** Peaks of a power of a sine: the equation is linear, so that the result is an integral (here by the trapezoidal rule in very small steps). */
  test('narrow peaks that come again and again', async () => {
    const n = 400_000;
    let exact = 0;
    for (let k = 1; k < n; k++) {
      const t = (100 * k) / n;
      exact += (100 / n) * Math.exp(-0.01 * (100 - t)) * Math.sin(t) ** 400;
    }
    exact += (50 / n) * Math.sin(100) ** 400;
    for (const method of methods) {
      const { table } = await done(
        `model Peaks
           Real x(start = 0, fixed = true), other(start = 1, fixed = true);
         equation
           der(x) = -0.01*x + sin(time)^400;
           der(other) = -0.001*other;
         end Peaks;`,
        { stopTime: 100, intervals: 10, tolerance: 1e-7, method },
      );
      expect(Math.abs(table.value('x', 100) - exact)).toBeLessThan(1e-4);
    }
  });

  /** A rectifier: its diode charges for a short time before the peaks of the source, and the capacitor keeps its voltage in between. */
  test.each([
    { what: 'few', capacitance: 1e-4, periods: 2.5 },
    { what: 'large store', capacitance: 1e-3, periods: 12.25 },
  ])('charging through a diode with an exponential, %o', async ({ capacitance, periods }) => {
    const w = 314;
    const [saturation, thermal, series, load] = [1e-14, 0.025, 10, 1000];
    const end = (periods * 2 * Math.PI) / w;
    /** The diode's voltage solves a scalar equation; classical Runge-Kutta in small steps. */
    let vd = 0;
    const slope = (t: number, v: number): number => {
      const u = 10 * Math.sin(w * t) - v;
      if (u < 0) vd = Math.min(vd, 0);
      for (let k = 0; k < 200; k++) {
        const i = saturation * Math.expm1(vd / thermal);
        const f = series * i + vd - u;
        const change = f / ((series * (i + saturation)) / thermal + 1);
        vd -= Math.max(-0.05, Math.min(0.05, change));
        if (Math.abs(change) < 1e-13) break;
      }
      return (saturation * Math.expm1(vd / thermal) - v / load) / capacitance;
    };
    const n = Math.round(end / 4e-6);
    const h = end / n;
    let v = 0;
    for (let k = 0; k < n; k++) {
      const t = k * h;
      const k1 = slope(t, v);
      const k2 = slope(t + h / 2, v + (h / 2) * k1);
      const k3 = slope(t + h / 2, v + (h / 2) * k2);
      const k4 = slope(t + h, v + h * k3);
      v += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    const text = (n: number): string => `model Rectifier
        Real v[${n}](each start = 0, each fixed = true), i[${n}], vd[${n}](each start = 0);
      equation
        for k in 1:${n} loop
          i[k] = ${saturation}*(exp(vd[k]/${thermal}) - 1);
          10*sin(${w}*time) - v[k] = ${series}*i[k] + vd[k];
          ${capacitance}*der(v[k]) = i[k] - v[k]/${load};
        end for;
      end Rectifier;`;
    for (const method of methods)
      for (const tolerance of [1e-3, 1e-4, 1e-5, 1e-6, 1e-8]) {
        const { table } = await done(text(1), { stopTime: end, intervals: 10, method, tolerance });
        expect(Math.abs(table.value('v[1]', end) - v)).toBeLessThan(
          Math.max(1e-5, Math.min(0.12, 1500 * tolerance)),
        );
      }
    const { table } = await done(text(20), { stopTime: end, intervals: 10 });
    expect(Math.abs(table.value('v[20]', end) - v)).toBeLessThan(1e-3);
  });

  test('harmonic functions of time cost no steps where all is linear', async () => {
    const text = (frequency: number) => `model Filter
        Real x(start = 0, fixed = true);
      equation
        der(x) = 1e-12*sin(${frequency}*time) - x;
      end Filter;`;
    const [slow, fast] = [
      await done(text(1), { stopTime: 10, intervals: 10 }),
      await done(text(1e4), { stopTime: 10, intervals: 10 }),
    ];
    expect(fast.statistics.steps).toBeLessThan(10 + slow.statistics.steps);
  });
});
