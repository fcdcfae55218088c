/** Initial values: what is fixed, initial equations, and start values where these do not suffice. */
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/diagnostic/failure.ts';
import { solveInitial } from '../../src/program/values/initial.ts';
import { Program } from './notation.ts';

describe('values', () => {
  test.each<[string, string, Record<string, number>]>([
    [
      'of a state with its derivative',
      'Real x(start = 3, fixed = true); equation der(x) = -2*x;',
      { x: 3, 'der(x)': -6 },
    ],
    [
      'of an initial equation',
      'Real x; initial equation x^3 = 8; equation der(x) = -x;',
      { x: 2, 'der(x)': -2 },
    ],
    ['of rest', 'Real x; initial equation der(x) = 0; equation der(x) = 6 - 2*x;', { x: 3, 'der(x)': 0 }],
    [
      'that depend on a parameter',
      'parameter Real a = 5; Real x(start = 2*a, fixed = true); equation der(x) = a;',
      { x: 10, 'der(x)': 5 },
    ],
    ['of a linear system', 'Real a, b; equation a + b = 5; a - b = 1;', { a: 3, b: 2 }],
    [
      'of a discrete variable',
      'Integer n(start = 4, fixed = true); Real x = 2*n; equation when time > 1 then n = 7; end when;',
      { n: 4, x: 8 },
    ],
    [
      'of a pendulum of length 5: the constraint holds, and so does its derivative',
      `Real x(start = 3, fixed = true), y(start = -4), u(start = 4, fixed = true), v, F;
       equation der(x) = u; der(y) = v; der(u) = F*x; der(v) = F*y - 10; x^2 + y^2 = 25;`,
      // x u + y v = 0, and u^2 + v^2 + F*25 - 10 y = 0
      { x: 3, y: -4, u: 4, v: 3, F: -(16 + 9 + 40) / 25 },
    ],
  ])('%s', (_, body, expected) => {
    const program = new Program(body);
    solveInitial(program.runtime, program.mode());
    for (const [name, value] of Object.entries(expected))
      expect(program.value(name), name).toBeCloseTo(value, 9);
  });
});

describe('messages', () => {
  test('start values that nothing fixes are named', () => {
    const program = new Program(
      'Real x(start = 3), y(start = 1, fixed = true); equation der(x) = -x; der(y) = x;',
    );
    const found = solveInitial(program.runtime, program.mode());
    expect(found.map(({ severity }) => severity)).toEqual(['info']);
    expect(found[0]!.message).toContain('x = 3');
    expect(found[0]!.message).not.toContain('y = 1');
    expect(program.values('x', 'y', 'der(y)')).toEqual([3, 1, 3]);
  });

  test('conditions that contradict each other fail', () => {
    const program = new Program(
      'Real x(start = 3, fixed = true); initial equation x = 4; equation der(x) = -x;',
    );
    expect(() => solveInitial(program.runtime, program.mode())).toThrow(Failure);
  });

  test('conditions that agree do not', () => {
    const program = new Program(
      'Real x(start = 3, fixed = true); initial equation x = 3; equation der(x) = -x;',
    );
    expect(solveInitial(program.runtime, program.mode())).toEqual([]);
    expect(program.value('x')).toBe(3);
  });
});
