/** Variables that parameters alone determine, where events depend on them. */
import { describe, expect, test } from 'vitest';
import { isInvariant } from '../../src/modes/guarded.ts';
import { lowerModel } from '../../src/modes/lower.ts';
import { inModel, modelOf } from '../flat/notation.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { close, done } from '../simulate/notation.ts';
import { conditions, relations } from './notation.ts';

/** Names of the variables that are parameters in all but name. */
const invariants = (body: string): string[] =>
  lowerModel(modelOf(inModel(body))).scalars.flatMap((scalar) => (isInvariant(scalar) ? [scalar.name] : []));

describe('are found', () => {
  test('where time is compared with them: the instant is known beforehand', () => {
    const body = 'parameter Real p = 2; Real T = 3*p; Real x = if time < T then 0 else 1;';
    expect(invariants(body)).toEqual(['T']);
    expect(relations(inModel(body))).toEqual(['time < T at T']);
  });

  test('through other variables, element by element, on either side', () => {
    const body = `parameter Real d[3] = {1, 2, 3};
      Real a[3], b; Boolean long; Real x;
      equation
        for i in 1:3 loop 2*d[i] = a[i]; end for;
        b = max(a);
        long = b > 5;
        der(x) = if long then 1 else 2;`;
    expect(invariants(body)).toEqual(['a[1]', 'a[2]', 'a[3]', 'b', 'long']);
    expect(relations(inModel(body))).toEqual([]);
  });

  test('in branches that they decide on', () => {
    const body = `parameter Real p = 2; Real q, T, s;
      equation
        q = p - 1;
        if q <= 0 then T = 0; s = 0; else T = 1/q; s = if time < T then time else T; end if;`;
    expect(invariants(body)).toEqual(['q', 'T']);
    expect(conditions(inModel(body))).toEqual(['q <= 0 = q <= 0, structural, constant']);
    expect(relations(inModel(body))).toEqual(['time < T at T']);
  });
});

describe('are not', () => {
  test.each([
    [
      'variables that no event depends on',
      'parameter Real p = 2; Real y = 3*p; Real x; equation der(x) = y;',
    ],
    ['what changes with time', 'Real T = 2 + time/2; Real x = if time < T then 0 else 1;'],
    [
      'what initial equations determine',
      'parameter Real p(fixed = false); Real T = 3*p; Real x = if time < T then 0 else 1; initial equation p = 2;',
    ],
    [
      'variables with a start value that is fixed',
      'Real T(start = 2, fixed = true) = 2; Real x = if time < T then 0 else 1;',
    ],
    ['variables that are differentiated', 'Real T = 2; Real v = der(T); Real x = if time < T then v else 1;'],
    [
      'what a when-equation sets',
      'discrete Real T(start = 2); Real x = if time < T then 0 else 1; equation when time > 1 then T = 3; end when;',
    ],
    [
      'what two of three branches give',
      'parameter Integer k = 1; Real T, s; equation if k == 1 then T = 2; s = 0; elseif k == 2 then T = 3; s = 0; else s = T; T + s = 4; end if; Real x = if time < T then 0 else 1;',
    ],
    [
      'what a branch may say otherwise',
      'Boolean closed = time > 1; Real v = 5, u = 3; Real x = if time < v then 0 else 1; Real i; equation if closed then v = u; else i = 0; end if;',
    ],
    ['what two equations say', 'Real T = 2; Real x = if time < T then 0 else 1; equation T = 3;'],
  ])('%s', (_, body) => {
    expect(invariants(body.replace(/(equation.*?end if;) (Real x.*)$/, '$2 $1'))).toEqual([]);
  });
});

/** A motion by d with the largest speed v and acceleration a, as fast as possible: speeds up until Ta, brakes from Tv, rests from Te. */
const planner = `model Planner
  parameter Real d[2] = {3, 1};
  parameter Real v[2] = {1, 1};
  parameter Real a[2] = {2, 2};
  Real aux1[2], aux2[2], sv, sa, Ta, Tv, Te, s, sd, x, w;
equation
  for i in 1:2 loop
    aux1[i] = d[i]/v[i];
    aux2[i] = d[i]/a[i];
  end for;
  sv = 1/max(abs(aux1));
  sa = 1/max(abs(aux2));
  Ta = sv/sa;
  Tv = 1/sv;
  Te = Tv + Ta;
  if time < Ta then
    s = sa*time^2/2;
  elseif time < Tv then
    s = sa*Ta^2/2 + sv*(time - Ta);
  elseif time < Te then
    s = 1 - sa*(Te - time)^2/2;
  else
    s = 1;
  end if;
  sd = der(s);
  w = d[1]*sd;
  der(x) = w;
end Planner;`;

test('a planner of motions: events at the times that it computes, from the limits of this run', async () => {
  const { table, statistics, impulses } = await done(planner, { stopTime: 5, tolerance: 1e-8 });
  expect([...table.get('Te')].every((value) => Math.abs(value - 3.5) < 1e-12)).toBe(true);
  close(table.get('x').at(-1)!, 3, 1e-7);
  expect(statistics.events).toBe(3);
  // At its end the speed is zero but for rounding: nothing jumps.
  expect(impulses).toEqual([]);
  // v = 3/2: Ta = 3/4, Tv = 2, Te = 2.75.
  const faster = await done(planner, { stopTime: 5, set: { 'v[1]': 1.5 } });
  expect([...faster.table.get('Te')].every((value) => Math.abs(value - 2.75) < 1e-12)).toBe(true);
  close(faster.table.get('x').at(-1)!, 3, 1e-7);
});

test('results of functions that call impure ones are found once: random numbers do not begin anew at every event', async () => {
  const numbers = async (prefix: string): Promise<number[]> => {
    const run = await done(`model M
      impure function put input Integer s[33]; input Integer id;
        external "C" ModelicaRandom_setInternalState_xorshift1024star(s, size(s, 1), id);
      end put;
      function seed input Integer n; output Integer id; algorithm id := 7; put({n + k for k in 1:33}, id); end seed;
      impure function draw input Integer id; output Real y;
        external "C" y = ModelicaRandom_impureRandom_xorshift1024star(id);
      end draw;
      ${prefix} Integer id = seed(3);
      discrete Real x;
      equation when sample(0, 0.25) then x = draw(id); end when;
    end M;`);
    return [0.1, 0.3, 0.6, 0.8].map((t) => run.table.value('x', t));
  };
  const drawn = await numbers('');
  expect(new Set(drawn).size).toBe(4);
  expect(drawn).toEqual(await numbers('parameter'));
});

test('the conditions of a long if-equation are looked at once, not for each of its branches', () => {
  const branches = (n: number): string =>
    Array.from({ length: n }, (_, k) => `if x > ${k} then y = ${k}*x; else`).join('');
  const prepare = (n: number) => {
    const flat = modelOf(inModel(`Real x = time, y; equation ${branches(n)} y = x; end if;`));
    return () => lowerModel(flat);
  };
  expect(orderOf(prepare, 400)).toBeLessThan(almostLinear);
});
