import { describe, expect, test } from 'vitest';
import { equations, inModel, modelOf } from './notation.ts';

describe('equality', () => {
  test('scalar equations and derivatives', () => {
    expect(equations(inModel('Real x; Real v; equation der(x) = v; der(v) = sin(time) - 9.81*x;'))).toEqual([
      'der(x) = v;',
      'der(v) = sin(time) - 9.81*x;',
    ]);
  });

  test('an array equation is one equation', () => {
    expect(
      equations(inModel('Real x[3]; parameter Real A[3,3] = identity(3); equation der(x) = A*x;')),
    ).toEqual(['der(x) = A*x;']);
  });

  test('declaration equations of variables become equations, those of parameters stay', () => {
    const model = modelOf(inModel('parameter Real p = 2*q; parameter Real q = 3; Real y = p*time;'));
    expect(model.equations).toHaveLength(1);
    expect(model.variables.map((v) => v.binding !== undefined)).toEqual([true, true, false]);
  });

  test('a for-equation is one family', () => {
    expect(
      equations(
        inModel(
          'parameter Integer n = 4; Real x[n]; equation x[1] = 0; for i in 2:n loop x[i] = x[i-1] + i; end for;',
        ),
      ).slice(1),
    ).toEqual(['for i in 2:4 loop', '  x[i] = i + x[i - 1];', 'end for;']);
  });
});
