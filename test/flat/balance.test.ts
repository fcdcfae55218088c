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
    expect(diagnostics[0]!.notes.map((n) => n.message)).toEqual([
      '`s` (S) has 1 equation of its own but needs 2',
    ]);
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

describe('components that are not balanced in themselves', () => {
  const pins = `connector Pin Real v; flow Real i; end Pin; connector In = input Real; connector Out = output Real;
    partial model Two Pin p, n; Real v = p.v - n.v; equation p.i + n.i = 0; end Two;
    model R extends Two; equation v = 2*p.i; end R; model S extends Two; equation v = 1; end S; model G Pin p; equation p.v = 0; end G;
    model Row Pin p, n; R a, b; equation connect(p, a.p); connect(a.n, b.p); connect(b.n, n); end Row;
    block Gain In u; Out y; equation y = 2*u; end Gain;
    model A Real x; end A;`;
  const said = (text: string): string[] =>
    flattened(`${pins} ${text}`).diagnostics.flatMap(({ severity, message, notes }) => [
      `${severity} ${message}`,
      ...notes.map((note) => note.message),
    ]);

  test.each([
    // What one component lacks another one has too much: counted by hand, by section 4.8.
    [
      'model M A a; equation a.x = 1; end M;',
      [
        'warning `a` (A) has 0 equations of its own but needs 1: 1 too few. Others make up for it.',
        'the model has 1 equation of its own but needs 0',
      ],
    ],
    [
      'model B A a; Real y; equation y = 1; a.x = y; end B; model M B b; end M;',
      [
        'warning `b` (B) has 2 equations of its own but needs 1: 1 too many. Others make up for it.',
        '`b.a` (A) has 0 equations of its own but needs 1',
      ],
    ],
    [
      'model M A a[3]; equation a.x = {1, 2, 3}; end M;',
      [
        'warning `a` (A) has 0 equations of its own but needs 1: 1 too few. Others make up for it.',
        'the model has 3 equations of its own but needs 0',
      ],
    ],
    [
      'model Bad extends Two; end Bad; model M Bad b; R r; G g; equation connect(b.p, r.p); connect(b.n, r.n); connect(r.n, g.p); b.v = 3; end M;',
      [
        'warning `b` (Bad) has 2 equations of its own but needs 3: 1 too few. Others make up for it.',
        'the model has 1 equation of its own but needs 0',
      ],
    ],
  ])('%s', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  test.each([
    'model M Row r; S s; G g; R open; equation connect(r.p, s.p); connect(r.n, s.n); connect(g.p, s.n); connect(open.p, r.p); end M;',
    'model M Row r[3]; S s; G g; equation for i in 1:2 loop connect(r[i].n, r[i + 1].p); end for; connect(r[1].p, s.p); connect(r[3].n, s.n); connect(g.p, s.n); end M;',
    'block B In u; Out y, z; Gain g, h; equation connect(u, g.u); connect(g.y, h.u); connect(h.y, y); connect(g.y, z); end B; model M B b; equation b.u = time; end M;',
    // Inputs: with values, by equations, protected ones that stand for conditional ones.
    'model B input Real u; Real y = u; end B; model M B b(u = time), c; equation c.u = 2; end M;',
    'model B parameter Boolean given = false; In u if given; Real y = v; protected In v; equation connect(u, v); if not given then v = 3; end if; end B; model M B b; end M;',
    'model B In u = v if true; Real v; end B; model M B b; Gain g(u = time); equation connect(g.y, b.u); end M;',
    'record P Real a; Real b; end P; model B input P p[2]; P q[3](a = {1, 2, 3}, b = {1, 2, 3}); end B; model M B b(p = {P(1, 2), P(3, time)}); end M;',
    'model B A a; equation a.x = 1; end B; model M Real x; initial equation x = 1; equation der(x) = 1; end M;',
  ])('balanced: %s', (text) => {
    expect(said(text)).toEqual([]);
  });
});

describe('inputs that are not connected', () => {
  const blocks = `
    connector In = input Real; connector Out = output Real;
    block Gain In u; Out y; equation y = 2*u; end Gain;
    block Sum In u[2]; Out y; equation y = u[1] + u[2]; end Sum;
    block Twice In u; Gain g, h; Out y; equation connect(u, g.u); connect(g.y, h.u); connect(h.y, y); end Twice;`;
  const said = (body: string): string[] => {
    const { diagnostics } = flattened(`${blocks} model M ${body} end M;`);
    return diagnostics.flatMap(({ message, notes }) => [message, ...notes.map((note) => note.message)]);
  };

  test('one is named, at the component, with its declaration', () => {
    const { diagnostics } = flattened(
      `${blocks} model M\nGain g;\nGain h; equation connect(g.y, h.u); end M;`,
    );
    expect(diagnostics).toHaveLength(1);
    const { code, message, span, notes, hint } = diagnostics[0]!;
    expect([code, message]).toEqual(['unbalanced', 'The input `g.u` is not connected.']);
    expect(span?.source.position(span.start)).toEqual({ line: 6, column: 6 });
    expect(notes[0]!.span?.source.position(notes[0]!.span.start).line).toBe(3);
    expect(hint).toBe('Connect it, or give a value by an equation: `g.u = …`.');
  });

  test.each([
    ['Gain g; Gain h;', 'The inputs `g.u`, `h.u` are not connected.'],
    ['Sum s; equation s.u[1] = time;', 'The input `s.u[2]` is not connected.'],
    ['Sum s;', 'The input `s.u` is not connected.'],
    ['Twice t;', 'The input `t.u` is not connected.'],
    ['Gain g[4]; equation connect(g[1:3].y, g[2:4].u);', 'The input `g[1].u` is not connected.'],
    [
      'Gain g[4]; equation for i in 1:3 loop connect(g[i + 1].y, g[i].u); end for;',
      'The input `g[4].u` is not connected.',
    ],
    ['Sum s[2]; equation s.u[1] = {1, 2}; s[1].u[2] = 3;', 'The input `s[2].u[2]` is not connected.'],
    [
      'Gain g, h; equation if time > 1 then g.u = 1; else g.u = 2; end if; assert(h.u > 0, "no");',
      'The input `h.u` is not connected.',
    ],
  ])('%s', (body, expected) => {
    expect(said(body)[0]).toBe(expected);
  });

  test.each([
    'Gain g(u = time);',
    'Gain g[2](u = {1, time});',
    'Gain g[2](each u = time);',
    'Gain g; equation g.u = 3;',
    'Gain g; algorithm g.u := 3;',
    'Gain g; Twice t; equation connect(t.y, g.u); t.u = time;',
    'In u; Gain g; equation connect(u, g.u);',
    'Gain g; equation if time > 1 then g.u = 1; else g.u = 2; end if;',
    'Gain g[3]; equation for i in 1:3 loop g[i].u = i; end for;',
  ])('nothing is wrong with %s', (body) => {
    expect(said(body)).toEqual([]);
  });

  test('what else is missing is counted, with the inputs as notes', () => {
    expect(said('Gain g, h(u = 1); Real z;')).toEqual([
      'The model has 3 scalar equations for 5 unknowns: 2 too few.',
      'the input `g.u` is not connected',
      '`z` occurs in no equation',
    ]);
  });

  test('an equation too many is no matter of inputs', () => {
    expect(said('Gain g; Real x = 1; equation x = 2; g.u = 1;')[0]).toBe(
      'The model has 4 scalar equations for 3 unknowns: 1 too many.',
    );
  });
});
