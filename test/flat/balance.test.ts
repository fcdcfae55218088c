import { describe, expect, test } from 'vitest';
import { countScalars } from '../../src/flat/balance.ts';
import { flattened, inModel, modelOf, problems } from './notation.ts';

const counts = (text: string): number[] => {
  const { unknowns, equations, mostEquations } = countScalars(modelOf(text));
  return [unknowns, equations, mostEquations];
};

describe('counts of scalars', () => {
  test.each([
    ['Real x; equation der(x) = -x;', [1, 1, 1]],
    ['Real x[3]; parameter Real p = 1; equation der(x) = -p*x;', [3, 3, 3]],
    [
      'parameter Integer n = 5; Real x[n]; equation x[1] = 0; for i in 2:n loop x[i] = x[i - 1]; end for;',
      [5, 5, 5],
    ],
    ['Real A[2, 3]; equation A[:, 1] = {1, 2}; A[:, 2:3] = [1, 2; 3, 4];', [6, 6, 6]],
    ['input Real u; output Real y; equation y = 2*u;', [1, 1, 1]],
    ['Real v; Real i; equation if time > 1 then v = 0; i = 1; else i = v; v = 3; end if;', [2, 2, 2]],
    ['Real v; Real i; equation v = 1; if time > 1 then i = 1; else i = v; v = 3; end if;', [2, 2, 3]],
    [
      'Integer n(start = 0); Real y; equation when time > 1 then n = 1; y = 2; elsewhen time > 2 then n = 2; y = 3; end when;',
      [2, 2, 2],
    ],
    ['Real x; equation assert(x > 0, "a"); x = 1;', [1, 1, 1]],
  ])('%s', (body, expected) => {
    expect(counts(inModel(body))).toEqual(expected);
  });
});

describe('unbalanced models', () => {
  test('too few equations: variables that occur nowhere are named', () => {
    const { diagnostics, model } = flattened(inModel('Real x; Real y;\nReal z; equation x = 1; z = 2*x;'));
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]!.code).toBe('unbalanced');
    expect(diagnostics[0]!.message).toBe('The model has 2 scalar equations for 3 unknowns: 1 too few.');
    expect(diagnostics[0]!.notes.map((n) => n.message)).toEqual(['`y` occurs in no equation']);
    expect(diagnostics[0]!.notes[0]!.span?.source.position(diagnostics[0]!.notes[0]!.span.start).line).toBe(
      2,
    );
    expect(model).toBeDefined();
  });

  test('too few equations: what conditions and assertions alone speak of is named, too', () => {
    const { diagnostics } = flattened(
      inModel('Boolean b; Boolean c; Real x; equation if b then x = 1; else x = 2; end if; assert(c, "no");'),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'The model has 1 scalar equation for 3 unknowns: 2 too few.',
    ]);
    expect(diagnostics[0]!.notes.map((n) => n.message)).toEqual([
      '`b` occurs in no equation',
      '`c` occurs in no equation',
    ]);
  });

  test('too many equations: those without unknowns are named', () => {
    const { diagnostics } = flattened(inModel('parameter Real p = 1; Real x; equation x = 1; p = 2;'));
    expect(diagnostics[0]!.message).toBe('The model has 2 scalar equations for 1 unknown: 1 too many.');
    expect(diagnostics[0]!.notes.map((n) => n.message)).toEqual(['`p = 2` contains no unknown']);
  });

  test('a component that is not balanced in itself is named', () => {
    const { diagnostics } = flattened(`connector Pin Real v; flow Real i; end Pin;
      model R Pin p; Pin n; equation p.i + n.i = 0; p.v - n.v = 2*p.i; end R;
      model S Pin p; Pin n; equation p.i + n.i = 0; end S;
      model G Pin p; equation p.v = 0; end G;
      model M R r; S s; G g; equation connect(r.p, s.p); connect(r.n, s.n); connect(s.n, g.p); end M;`);
    expect(diagnostics.map((d) => d.message)).toEqual([
      'The model has 9 scalar equations for 10 unknowns: 1 too few.',
    ]);
    expect(diagnostics[0]!.notes.map((n) => n.message)).toEqual(['`s` (S) has 1 equations but needs 2']);
  });

  test('a value for an input of the model and its equation', () => {
    expect(problems(inModel('Real x = 1; equation x = 2;'))).toEqual([
      'unbalanced 1:7 The model has 2 scalar equations for 1 unknown: 1 too many. | Remove equations, or declarations with values that equations determine already.',
    ]);
  });

  test('branches of different numbers are left to the analysis of modes', () => {
    expect(problems(inModel('Real x; equation if time < 1 then x = 1; end if;'))).toEqual([]);
    expect(problems(inModel('Real x; Real y; equation if time < 1 then x = 1; end if;'))).toHaveLength(1);
  });
});
