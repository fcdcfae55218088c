/** Impulses that enter equations nonlinearly: a warning where a product has no meaning, none where it has. */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

/** Two inertias and a clutch that is closed in [1, 2) and from 3 on; at 1 the torque has the impulse 4/3. */
const clutch = (declarations: string, equations: string) => `model Clutch
    Real w1(start = 1, fixed = true), w2(start = 3, fixed = true), f1, f2;
    Real s(start = 5, fixed = true);
    ${declarations}
    Boolean closed = time >= 1 and time < 2 or time >= 3;
  equation
    der(w1) = f1 + (if time >= 2 and time < 3 then 1 else 0);
    2*der(w2) = f2;
    f1 + f2 = 0;
    der(s) = 0;
    if closed then w1 = w2; else f1 = 0; end if;
    ${equations}
    annotation(experiment(StopTime = 4));
  end Clutch;`;

const warnings = async (declarations: string, equations: string) => {
  const result = await done(clutch(declarations, equations), { model: 'Clutch' });
  return result.diagnostics.filter((d) => d.code === 'impulse');
};

test.each([
  ['an impulse times a value that jumps', 'Real p;', 'p = f1*w1;', 'f1', 'w1, which jumps'],
  ['a quotient', 'Real p;', 'p = f1/w1;', 'f1', 'w1, which jumps'],
  ['two impulses', 'Real p;', 'p = f1*f2;', 'f1', 'f2, which has one too'],
  ['the derivative of what jumps', 'Real p;', 'p = w2*der(w1);', 'der(w1)', 'w2, which jumps'],
  ['an algebraic variable that jumps', 'Real p, d;', 'd = w1 - w2; p = f1*d;', 'f1', 'd, which jumps'],
])('%s', async (_, declarations, equations, variable, reason) => {
  const [first, ...others] = await warnings(declarations, equations);
  expect(others).toEqual([]);
  expect(first!.severity).toBe('warning');
  expect(first!.message).toContain(
    `${variable} has an impulse at time 1, and its factor depends on ${reason}`,
  );
  expect(first!.span!.source.text.slice(first!.span!.start, first!.span!.end)).toContain('p = ');
});

test.each([
  ['a power', 'Real h(start = 0, fixed = true);', 'der(h) = f1^2;'],
  ['a function', 'Real p;', 'p = exp(f1);'],
  ['its absolute value', 'Real p;', 'p = abs(f1);'],
])('%s of an impulse', async (_, declarations, equations) => {
  const [first, ...others] = await warnings(declarations, equations);
  expect(others).toEqual([]);
  expect(first!.message).toContain('f1, which has an impulse at time 1, enters nonlinearly');
});

test('no warning where the factor is continuous, constant or discrete: the weight is exact', async () => {
  const { impulses, diagnostics } = await done(
    clutch(
      'Real p, q, r; discrete Real g(start = 2, fixed = true);',
      'p = f1*s; q = (1 + time)*f1; r = g*f1; when time >= 1 then g = 3; end when;',
    ),
    { model: 'Clutch' },
  );
  expect(diagnostics.filter((d) => d.code === 'impulse')).toEqual([]);
  const weight = (variable: string) => impulses.find((i) => i.variable === variable && i.time === 1)!.weight;
  close(weight('f1'), 4 / 3, 1e-9);
  close(weight('p'), (5 * 4) / 3, 1e-9);
  close(weight('q'), (2 * 4) / 3, 1e-9);
  close(weight('r'), (3 * 4) / 3, 1e-9);
});

test('no warning without an impulse', async () => {
  const { diagnostics } = await done(
    `model Quiet
       Real x(start = 0, fixed = true), p, u;
     equation
       der(x) = u;
       p = u^2*x;
       if time < 0.5 then u = 1; else x = 0.5; end if;
     end Quiet;`,
  );
  expect(diagnostics).toEqual([]);
});

describe('an impulse counts as an infinitely large value', () => {
  const pin = (breaks: string) => `
model Pin "Two shafts that are coupled by a pin, at speeds that differ"
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean intact(start = true, fixed = true);
equation
  2*der(w1) = -tau;
  3*der(w2) = tau;
  intact = pre(intact) and not ${breaks};
  if time >= 1 and intact then
    w1 = w2;
  else
    tau = 0;
  end if;
end Pin;`;

  test.each([
    'abs(tau) > 100',
    'tau^2 > 100',
    'max(tau, -tau) > 100',
    'tanh(tau) > 0.5',
    'sqrt(1 + tau^2) > 100',
    '(tau > 100 or tau < -100)',
  ])('a pin that breaks at %s does not hold', async (breaks) => {
    const { table, impulses } = await done(pin(breaks), { stopTime: 2 });
    expect([table.value('w1', 2), table.value('w2', 2)]).toEqual([10, 0]);
    expect(impulses).toEqual([]);
  });

  test.each(['tau < -100', 'abs(w1) > 100', 'tanh(tau) > 2'])(
    'a pin that breaks at %s holds: speeds become equal',
    async (breaks) => {
      const { table, impulses } = await done(pin(breaks), { stopTime: 2 });
      close(table.value('w1', 2), 4);
      close(table.value('w2', 2), 4);
      expect(impulses.map((i) => i.variable)).toEqual(['tau']);
      close(impulses[0]!.weight, 12);
    },
  );
});
