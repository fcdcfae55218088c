/** If-equations become guards and conditions, or conditional expressions where branches have the same structure. */
import { describe, expect, test } from 'vitest';
import { nodesOf } from '../../src/symbolic/analyse.ts';
import { conditions, equations, lowered, scalars } from './notation.ts';

const clutch = `Real w1, w2, f; Boolean closed = time >= 1;
  equation der(w1) = f; 2*der(w2) = -f; if closed then w1 = w2; else f = 0; end if;`;

describe('branches', () => {
  test('of different structure are guarded by their condition', () => {
    expect(conditions(clutch)).toEqual(['closed = closed, structural']);
    expect(equations(clutch)).toEqual([
      'closed := [time >= 1]',
      'der(w1) = f',
      '2*der(w2) = -f',
      'closed: w1 = w2',
      'not closed: f = 0',
    ]);
  });

  test('that give a value to the same variable are one equation', () => {
    const text =
      'Real x, y; equation der(x) = 1; if x < 1 then y = 1; elseif x < 2 then y = x; else y = 3; end if;';
    expect(equations(text)).toEqual(['der(x) = 1', 'y = if [x < 1] then 1 elseif [x < 2] then x else 3']);
    expect(conditions(text)).toEqual(['x < 1 = [x < 1]', 'x < 2 = [x < 2]']);
  });

  test('inside of branches have the outer condition before their own', () => {
    const text = `parameter Boolean p = true; Real x, y;
      equation if x > 1 then if p then y = 1; else x = 2*y; end if; else y = x; end if; der(x) = y;`;
    expect(equations(text)).toEqual([
      'x > 1, p: y = 1',
      'x > 1, not p: x = 2*y',
      'not x > 1: y = x',
      'der(x) = y',
    ]);
  });

  test('of a condition that is known are chosen', () => {
    const text = 'Real x; equation if 1 < 2 then x = 1; else x^2 = 2; end if;';
    expect(equations(text)).toEqual(['x = 1']);
    expect(conditions(text)).toEqual([]);
  });

  test('of a parameter never change during a run', () => {
    const text =
      'parameter Boolean p = true; Real x, y; equation x + y = 1; if p then x = 2; else y = 3; end if;';
    expect(conditions(text)).toEqual(['p = p, structural, constant']);
  });
});

describe('scalars', () => {
  const text = `parameter Real k = 2; input Real u; Real x[2]; Integer n; Boolean b = x[1] > u;
    equation der(x) = {k, u}; when b then n = pre(n) + 1; end when;`;
  test.each([
    ['parameter', ['k']],
    ['input', ['u']],
    ['continuous', ['x[1]', 'x[2]']],
    ['discrete', ['n', 'b', '$when1']],
    ['flag', ['$initial', '$terminal']],
  ])('%s', (kind, names) => expect(scalars(text, kind)).toEqual(names));
});

test('initial equations stand by themselves; those of discrete variables tell their left limit, too', () => {
  const text =
    'Real x; Integer n; initial equation x = 2; n = 3; equation der(x) = 1; when x > 3 then n = 1; end when;';
  expect(equations(text, 'initialEquations')).toEqual(['pre(n) = 3', 'x = 2', 'n := 3']);
});

describe('many statements on one variable', () => {
  /** How much there is to read in all equations and relations. */
  const size = (text: string): number => {
    const { equations, relations } = lowered(text);
    return [...equations, ...relations].reduce(
      (sum, { left, right }) => sum + nodesOf(left, right).length,
      0,
    );
  };
  test.each([
    [
      'relations of it',
      'Real x; algorithm x := time; for i in 1:n loop if x > i/n then x := x - 1/i; end if; end for;',
    ],
    [
      'values on the way',
      'Real x[n], s; algorithm s := 0; for i in 1:n loop s := s + i*time; x[i] := s; end for;',
    ],
    [
      'sums of those before',
      'Real x[n]; algorithm for i in 1:n loop x[i] := i*time; end for; for i in 2:n loop x[i] := x[i] + x[i - 1]; end for;',
    ],
  ])('%s grow with their number', (_, body) => {
    const [few, many] = [200, 800].map((n) => size(`parameter Integer n = ${n}; ${body}`));
    expect(many! / few!).toBeLessThan(5);
  });
});
