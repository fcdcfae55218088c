/** Mistakes that users of Modelica make, and what they read about them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/results/files/csv.ts';
import { run } from '../cli/terminal.ts';
import { expectPlain, home, mistake } from './mistakes.ts';

describe('syntax', () => {
  it('a semicolon is missing', () =>
    mistake(
      'syntax',
      `model Tank
  parameter Real A = 1«»
  Real h(start = 1, fixed = true);
equation
  der(h) = -A*h;
end Tank;`,
      { code: 'syntax-error', says: ['expected `;` after this declaration'] },
    ));

  it('several mistakes in one file are told at once', () =>
    mistake(
      'syntax',
      `model Many
  Real x(start = 1«;»
  Real y;
equation
  der(x) = -x«»
  y = 2*«+»*x;
end «Manny»;`,
      { code: 'syntax-error', says: ['expected `)` to close this modification'] },
      { code: 'syntax-error', says: ['expected `;` after this equation'] },
      { code: 'syntax-error', says: ['`+` cannot follow another operator', 'in parentheses'] },
      { code: 'end-name-mismatch', says: ['`end Manny` closes the class `Many`', 'write `end Many`'] },
    ));

  it('a class is not closed', () =>
    mistake('syntax', 'model Tank\n  Real h = 1;«»\n', {
      code: 'syntax-error',
      says: ['expected `end Tank;`', '`Tank` begins here'],
    }));

  it.each([
    ['`:=` in an equation', 'equation x «:=» 1;', 'write `=`'],
    ['`=` in an algorithm', 'algorithm x «=» 1;', 'write `:=`'],
    ['`==` in an equation', 'equation x «==» 1;', 'write `=`'],
    ['`=` in a condition', 'equation if time «=» 1 then x = 1; else x = 2; end if;', 'write `==`'],
    ['`**`', 'equation x = time«**»2;', 'write `^`'],
    ['`&&`', 'equation x = if time > 1 «&&» time < 2 then 1 else 2;', 'write `and`'],
    ['`!=`', 'equation x = if time «!=» 1 then 1 else 2;', 'write `<>`'],
    ['an equation among declarations', 'x «=» 1;', 'follow the word `equation`'],
    ['an if-expression without else', 'equation x = if time > 1 then 2«;»', 'a value in every case'],
    ['`else if`', 'equation if time > 1 then x = 1; else if time > 0 then x = 2; end if;«»', '`elseif`'],
    ['a number without its exponent', 'equation x = «1e»;', 'the exponent needs digits'],
  ])('%s', (_, line, hint) =>
    mistake('syntax', `model M\n  Real x;\n  ${line}\nend M;`, { code: 'syntax-error', says: [hint] }),
  );

  it('a comment or string is not closed', async () => {
    await mistake('syntax', 'model M\n  Real x = 1;\n  «/*» open\nend M;', {
      code: 'unterminated',
      says: ['put `*/` at its end'],
    });
    await mistake('syntax', 'model M «"open»\n  Real x = 1;\nend M;', {
      code: 'unterminated',
      says: ['put a'],
    });
  });
});

const parts = `package P
  connector Pin Real v; flow Real i; end Pin;
  connector Flange Real phi; flow Real tau; end Flange;
  model Resistor Pin p, n; parameter Real R = 1; equation p.v - n.v = R*p.i; p.i + n.i = 0; end Resistor;
  model Source Pin p, n; parameter Real V = 1; equation p.v - n.v = V; p.i + n.i = 0; end Source;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Wall Flange a; equation a.phi = 0; end Wall;
`;

describe('names', () => {
  it.each([
    ['a variable', 'Real speed; equation der(«spede») = 1;', 'unknown-name', ['`spede`', '`speed`']],
    ['a class', '«Rael» x = 1;', 'unknown-class', ['`Rael`', '`Real`']],
    ['a function', 'Real x = «sine»(time);', 'unknown-name', ['`sine`', '`sin`']],
    ['an attribute', 'Real x(«strat = 1») = 2;', 'unknown-modifier', ['`strat`', '`start`']],
    ['a library', '«Modelica.Blocks.Sources.Sine» s;', 'unknown-class', ['--library']],
    [
      'a literal of an enumeration',
      'Real x(stateSelect = StateSelect.«alwys») = 1;',
      'unknown-name',
      ['`always`'],
    ],
    ['a base class', 'extends «Basse»;', 'unknown-class', ['`Basse`']],
  ] as const)('%s that is not there', (_, body, code, says) =>
    mistake('flatten', `model M\n  ${body}\nend M;`, { code, says }),
  );

  it('a misspelt parameter in a modifier, a misspelt member', async () => {
    await mistake('flatten', `${parts}  model M Resistor r1(«r = 5»); end M;\nend P;`, {
      code: 'unknown-modifier',
      says: ['`P.Resistor`', '`r`', '`R`'],
    });
    await mistake('flatten', `${parts}  model M Resistor r1; equation r1.«voltage» = 1; end M;\nend P;`, {
      code: 'unknown-name',
      says: ['`voltage`', 'r1'],
    });
  });

  it('a protected variable or connector is used from outside', async () => {
    const part =
      'block Part output Real y; protected Real hidden = time; Pin p; equation y = hidden; end Part;';
    const model = (body: string) => `${parts}  ${part}\n  model M ${body} end M;\nend P;`;
    await mistake('flatten', model('Part part; Real x = part.«hidden»;'), {
      code: 'unknown-name',
      says: ['`hidden` of `part` is protected', '`P.Part`'],
    });
    await mistake('flatten', model('Ground g; Part part[2]; equation connect(g.p, part[1].«p»);'), {
      code: 'unknown-name',
      says: ['`p` of `part` is protected'],
    });
    await mistake('flatten', model('protected Part part; public Real x = part.y + part.«hidden»;'), {
      code: 'unknown-name',
      says: ['is protected'],
    });
  });

  it('a name is declared twice', () =>
    mistake('flatten', 'model M\n  Real x = 1;\n  Real «x» = 2;\nend M;', {
      code: 'duplicate-name',
      says: ['`x` is declared twice', 'The other declaration is here'],
    }));
});

describe('types and sizes', () => {
  it.each([
    ['a Boolean in arithmetic', 'Boolean b = time > 1; Real x = «1 + b»;', 'type-mismatch', ['Boolean']],
    [
      'a Real for an Integer parameter',
      'parameter Integer n = «2.5»;',
      'type-mismatch',
      ['`n` is Integer', 'Real'],
    ],
    [
      'a number as condition',
      'Real x; equation if «time» then x = 1; else x = 2; end if;',
      'type-mismatch',
      ['Boolean'],
    ],
    ['a text for a number', 'Real x = «"1.5"»;', 'type-mismatch', ['`x` is Real', 'String']],
    ['a unit that is no text', 'Real a(unit = «m») = 1;', 'unknown-name', ['`m`']],
    ['a Boolean where a number is needed', 'parameter Real x = «true»;', 'type-mismatch', ['Boolean']],
    [
      'sides of different sizes',
      'Real x[3], y[2]; equation x = {1, 2, 3}; «y = x»;',
      'dimension-mismatch',
      ['[2]', '[3]'],
    ],
    [
      'a matrix that does not fit',
      'parameter Real A[2,3] = ones(2, 3); Real y[2] = «A*{1, 2}»;',
      'dimension-mismatch',
      ['[2, 3]'],
    ],
    ['too few values', 'Real x[3] = «{1, 2}»;', 'dimension-mismatch', ['[3]', '[2]']],
    ['a subscript of a scalar', 'Real x = 1; Real y = «x[1]»;', 'bad-subscript', ['`x` is a scalar']],
    [
      'the derivative of an Integer',
      'Integer n(start = 0); equation der(«n») = 1;',
      'type-mismatch',
      ['`der`'],
    ],
    ['a size that varies', 'Integer n = 3; Real x[«n»] = ones(3);', 'variability', ['`n`', 'parameters']],
    ['a parameter that varies', 'Real x = time; parameter Real k = «2*x»;', 'variability', ['`k`']],
    [
      'parameters in a circle',
      'parameter Real «a» = b; parameter Real b = a;',
      'cyclic-definition',
      ['`a` → `b` → `a`'],
    ],
    ['a constant without value', 'constant Real «g»; Real x = g;', 'no-value', ['`g`']],
  ] as const)('%s', (_, body, code, says) =>
    mistake('flatten', `model M\n  ${body}\nend M;`, { code, says }),
  );

  it('functions called wrongly', () =>
    mistake(
      'flatten',
      `model M
  function f input Real a; input Real b; output Real c; algorithm c := a*b; end f;
  Real x = «f(1)»;
  Real y = f(1, 2, «3»);
  Real z = f(1, «d» = 2);
end M;`,
      { code: 'bad-call', says: ['lacks its argument `b`', 'f(a, b)'] },
      { code: 'bad-call', says: ['takes 2 arguments but is given 3'] },
      { code: 'bad-call', says: ['no argument `d`'] },
    ));
});

describe('connections', () => {
  it('connectors of different kinds', () =>
    mistake('flatten', `${parts}  model M Resistor r; Wall w; equation «connect(r.p, w.a)»; end M;\nend P;`, {
      code: 'connector-mismatch',
      says: ['`r.p`', '`w.a`', '`phi`'],
    }));

  it('components instead of their connectors', () =>
    mistake(
      'flatten',
      `${parts}  model M Resistor r1, r2; equation connect(«r1», «r2»); end M;\nend P;`,
      { code: 'not-a-connector', says: ['`r1`', '`r1.p`, `r1.n`'] },
      { code: 'not-a-connector', says: ['`r2`', '`r2.p`, `r2.n`'] },
    ));
});

describe('constructs that are not supported are named', () => {
  it.each([['solver method', 'Clock c = Clock(Clock(0.1), solverMethod = «"Leapfrog"»);']])(
    '%s',
    (what, body) => mistake('flatten', `model M\n  ${body}\nend M;`, { code: 'unsupported', says: [what] }),
  );

  it('when inside when', () =>
    mistake(
      'flatten',
      'model M discrete Real x; algorithm when time > 1 then «when time > 2 then x := 1; end when»; end when; end M;',
      { code: 'not-allowed', says: ['When-statements'] },
    ));

  it('connections that change', async () => {
    const model = (equation: string) =>
      `${parts}  model M Resistor a, b;\n  equation ${equation}\n  end M;\nend P;`;
    await mistake('flatten', model('when time > 1 then «connect(a.p, b.p)»; end when;'), {
      code: 'bad-call',
      says: ['inside `when`'],
    });
    await mistake('flatten', model('if «time» then connect(a.p, b.p); end if;'), {
      code: 'type-mismatch',
      says: ['must be Boolean'],
    });
  });
});

describe('structure', () => {
  it('variables without equations are named', () =>
    mistake(
      'translate',
      `model «Loose»
  Real x(start = 1, fixed = true);
  Real force;
  Real power;
equation
  der(x) = -x + force;
end Loose;`,
      {
        code: 'unbalanced',
        says: ['1 scalar equation for 3 unknowns', '`power` occurs in no equation', 'force'],
      },
    ));

  it('equations that are too many are listed', async () => {
    await mistake('translate', 'model M\n  Real y;\nequation\n  y = 2*time;\n  «y = time + 1»;\nend M;', {
      code: 'unbalanced',
      says: ['2 scalar equations for 1 unknown', 'y = 2*time', 'y = time + 1'],
    });
    await mistake('translate', 'model M\n  Real x = time;\nequation\n  «x = 2*time»;\nend M;', {
      code: 'unbalanced',
      says: ['x = time', 'x = 2*time'],
    });
  });

  it('an equation for a parameter', () =>
    mistake('translate', 'model M\n  parameter Real k = 1;\n  Real x = k;\nequation\n  «k = 2»;\nend M;', {
      code: 'unbalanced',
      says: ['`k = 2` contains no unknown'],
    }));

  it('a component that lacks an equation is named', () =>
    mistake(
      'translate',
      `package P
  model Gain Real u; Real y; equation y = 2*u; end Gain;
  model «M» Gain g1, g2; equation g2.u = g1.y; end M;
end P;`,
      { code: 'unbalanced', says: ['`g1` (P.Gain) has 1 equation of its own but needs 2', 'g1.u'] },
    ));

  it('two when-equations for one variable, in the words of the model', () =>
    mistake(
      'translate',
      `model M
  discrete Real a(start = 0);
equation
  when time > 0.5 then a = 1; end when;
  «when time > 0.7 then a = 2; end when»;
end M;`,
      {
        code: 'unbalanced',
        says: ['2 scalar equations for 1 unknown', 'edge(time > 0.5)', 'edge(time > 0.7)'],
      },
    ));

  it('two sources in parallel', () =>
    mistake(
      'translate',
      `${parts}  model Circuit
    Source r; Source s;
  equation
    connect(s.p, r.p);
    «connect(r.n, s.n)»;
  end Circuit;
end P;`,
      { code: 'structurally-singular', says: ['r.n.v', 's.n.v', '(in r)', '(in s)'] },
    ));

  it('over- and underdetermined parts are told apart', () =>
    mistake(
      'translate',
      `model M
  Real a, b, c, d;
equation
  a + b = time;
  a - b = 1;
  «a*b = 3»;
  c + d = a;
end M;`,
      {
        code: 'structurally-singular',
        says: ['nothing determines all of c, d', '3 equations determine only 2 unknowns (a, b)'],
      },
    ));

  it('an Integer that would follow a Real', async () => {
    await mistake('flatten', 'model M\n  Integer n(start = 0);\nequation\n  «n = 2.5*time»;\nend M;', {
      code: 'type-mismatch',
      says: ['integer(…)'],
    });
    await mistake(
      'translate',
      'model M\n  Real r = 3*time;\n  Integer n(start = 0);\nequation\n  «n = r»;\nend M;',
      { code: 'structurally-singular', says: ['nothing determines n'] },
    );
  });

  it('Booleans that need each other', () =>
    mistake('translate', 'model M\n  Boolean a, b;\nequation\n  «a = not b»;\n  b = a;\nend M;', {
      code: 'cyclic-definition',
      says: ['a, b depend on each other', 'pre()'],
    }));

  it('a subscript outside its array in a loop', () =>
    mistake(
      'translate',
      `model Rod
  parameter Integer n = 4;
  Real T[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    «der(T[i]) = T[i + 1] - T[i]»;
  end for;
end Rod;`,
      { code: 'bad-subscript', says: ['The subscript 5 is outside 1:4', 'with i = 4'] },
    ));

  it('classes that contain or extend themselves', async () => {
    await mistake('flatten', 'model M\n  M «part»;\nend M;', {
      code: 'cyclic-definition',
      says: ['The class `M` contains itself', 'part.part'],
    });
    await mistake('flatten', 'model «M»\n  extends M;\nend M;', {
      code: 'cyclic-definition',
      says: ['inherits from itself'],
    });
  });

  it('an import that leads nowhere', () =>
    mistake('flatten', 'model M\n  import Modelica.Constants.pi;\n  Real x = «pi»;\nend M;', {
      code: 'unknown-name',
      says: ['`pi` is imported from `Modelica.Constants.pi`'],
    }));

  it('an import of a whole package that is not there: one error, at the import', async () => {
    await mistake(
      'flatten',
      'model M\n  «import Mutabor.Rotation.*»;\n  Inertia a(J = 1), b(J = 2);\n  Spring s;\nequation\n  connect(a.flange_b, s.flange_a);\n  connect(s.flange_b, b.flange_a);\nend M;',
      {
        code: 'unknown-class',
        says: ['`Mutabor.Rotation.*` leads nowhere', 'Did you mean `Mutabor.Rotational`?'],
      },
    );
    await mistake(
      'flatten',
      'model M\n  «import Modelica.Mechanics.Rotational.Components.*»;\n  Inertia a(J = 1);\n  IdealGear g;\nend M;',
      {
        code: 'unknown-class',
        says: ['No library with a package `Modelica` is loaded', '--library'],
      },
    );
    await mistake('flatten', 'model M\n  «import Mutabor.Electrical.Resistr»;\n  Resistr r;\nend M;', {
      code: 'unknown-class',
      says: ['Did you mean `Mutabor.Electrical.Resistor`?'],
    });
    await mistake(
      'flatten',
      'package P\n  package Q model A Real x = 1; end A; end Q;\n  package R\n    model M\n      «import Q.A»;\n      A a;\n    end M;\n  end R;\nend P;',
      {
        code: 'unknown-class',
        says: ['`Q.A` leads nowhere', 'Imports have whole names: write `P.Q.A`.'],
      },
    );
    await mistake('flatten', 'model M\n  import Modelica.Constants.*;\n  Real x = «quux»;\nend M;', {
      code: 'unknown-name',
      says: ['`Modelica.Constants.*` leads nowhere'],
    });
  });

  it('an import that leads nowhere and is not needed: a warning at the import, once', async () => {
    const warnings = async (text: string): Promise<string[]> => {
      writeFileSync(join(home, 'model.mo'), text);
      const { status, json } = await run(['simulate', 'model.mo', '--output', 'model.csv', '--json'], {
        cwd: home,
      });
      expect(status).toBe(0);
      return json.diagnostics.map(
        (d: { severity: string; line: number; message: string; hint?: string }) =>
          `${d.severity} ${d.line} ${d.message} ${d.hint ?? ''}`,
      );
    };
    expect(
      await warnings(`package P
        import Mutabor.Electrical.{Resistor, Capacitr};
        model Base
          import Modelica.Constants.*;
          Real b = 1;
        end Base;
        model Unused
          import Nowhere;
        end Unused;
        model M
          extends Base;
          import Mutabor.Rotation;
          import R = Mutabor.Electrical.Resistor;
          Base more[3];
          Real x = time;
        end M;
      end P;`),
    ).toEqual([
      expect.stringMatching(
        /^warning 12 The import of `Mutabor.Rotation` leads nowhere\. .*`Mutabor.Rotational`/,
      ),
      expect.stringMatching(
        /^warning 2 The import of `Mutabor.Electrical.Capacitr` leads .*`Mutabor.Electrical.Capacitor`/,
      ),
      expect.stringMatching(/^warning 4 The import of `Modelica.Constants.\*` leads nowhere\. .*`Modelica`/),
    ]);
    expect(
      await warnings('model M import Mutabor.*; import Mutabor.Electrical.*; Real x = time; end M;'),
    ).toEqual([]);
  });

  it('a class of the library without its package', async () => {
    await mistake('flatten', 'model M\n  «Resistor» r(R = 1);\nend M;', {
      code: 'unknown-class',
      says: ['`Mutabor.Electrical.Resistor`', 'import it'],
    });
    await mistake('flatten', 'model M\n  «Electrical.Resistor» r(R = 1);\nend M;', {
      code: 'unknown-class',
      says: ['`Mutabor.Electrical.Resistor`'],
    });
    await mistake('flatten', 'model M\n  «Spring» s;\nend M;', {
      code: 'unknown-class',
      says: ['`Mutabor.Rotational.Spring`', '`Mutabor.Translational.Spring`'],
    });
    await mistake('flatten', 'model M\n  «Gear» g;\nend M;', {
      code: 'unknown-class',
      says: ['`Mutabor.Bodies.GearWheel`', 'import it'],
    });
    await mistake('flatten', 'model M\n  «Rezistor» r;\nend M;', {
      code: 'unknown-class',
      says: ['`Mutabor.Electrical.Resistor`', 'import it'],
    });
  });
});

describe('values', () => {
  it('a square root below zero: equation and value, results so far kept', async () => {
    const json = await mistake(
      'simulate',
      `model Tank
  Real h(start = 1, fixed = true);
equation
  «der(h) = -2*sqrt(h) - 0.1»;
  annotation(experiment(StopTime = 2));
end Tank;`,
      {
        code: 'bad-evaluation',
        says: ['Square root of a negative number in sqrt(h) at time 0.847', 'h = -'],
      },
    );
    // The level is zero at t = 1 - ln(21)/20: separate the variables with s = sqrt(h).
    const empty = 1 - Math.log(21) / 20;
    expect(json.time).toBeCloseTo(empty, 5);
    const table = readCsv(readFileSync(join(home, 'model.csv'), 'utf8'));
    expect(table.time.at(-1)).toBeGreaterThan(empty - 0.005);
    expect(table.value('h', 0)).toBe(1);
  });

  it.each([
    ['y = log(1 - 2*time)', 'Logarithm', 'time = 0.5'],
    ['y = asin(2*time)', 'Arc sine of a number outside -1 to 1 in asin(2*time)', 'time = 0.5'],
    ['y = 1/(if time < 0.5 then 1 else 0)', 'Division by zero', 'at time 0.5'],
    ['y = (0.5 - time)^0.5', 'Fractional power of a negative number', 'time = 0.5'],
    ['y = exp(2000*time)', 'Result too large in exp(2000*time)', 'time = 0.3'],
  ])('%s, on which no state depends', (equation, ...says) =>
    mistake('simulate', `model M\n  Real y;\nequation\n  «${equation}»;\nend M;`, {
      code: 'bad-evaluation',
      says,
    }),
  );

  it('division by a parameter that is zero', () =>
    mistake('initialise', 'model M\n  parameter Real R = 0;\n  Real i = «1/R»;\nend M;', {
      code: 'bad-evaluation',
      says: ['Division by zero in 1/R at time 0', 'R = 0'],
    }));

  it('a subscript that leaves its array', () =>
    mistake(
      'simulate',
      `model M
  parameter Real table[3] = {1, 2, 3};
  Integer k(start = 1);
  Real y;
equation
  when sample(0, 0.25) then k = pre(k) + 1; end when;
  «y = table[k]»;
end M;`,
      { code: 'index-out-of-range', says: ['at time 0.5', 'k = 4'] },
    ));

  it('initial equations without solution: residual and equation', () =>
    mistake(
      'initialise',
      'model M\n  Real x(start = 1);\nequation\n  der(x) = 1;\ninitial equation\n  «x^2 = -1»;\nend M;',
      {
        code: 'initialisation-failed',
        says: ['for x has no solution', 'equation x^2 = -1', 'residual of x^2 + 1 = 0 is 1'],
      },
    ));

  it('initial conditions that contradict each other', () =>
    mistake(
      'initialise',
      'model M\n  Real «x»(start = 1, fixed = true);\nequation\n  der(x) = -x;\ninitial equation\n  x = 2;\nend M;',
      {
        code: 'initial-overdetermined',
        says: ['more initial conditions than states', 'x = 1 does not hold'],
      },
    ));

  it('equations that contradict each other', () =>
    mistake('initialise', 'model M\n  Real x, y;\nequation\n  «x + y = time»;\n  2*x + 2*y = 3;\nend M;', {
      code: 'singular-system',
      says: ['do not determine x, y at time 0', '2*x + 2*y = 3'],
    }));

  it('a system that loses its solution', () =>
    mistake('simulate', 'model M\n  Real x(start = 1);\nequation\n  «x^2 = 0.5 - time»;\nend M;', {
      code: 'not-converged',
      says: ['for x has no solution', 'at time 0.5.', 'residual'],
    }));

  it('a solution that grows without bound: the state is named', async () => {
    const json = await mistake(
      'simulate',
      `model M
  Real slow(start = 0, fixed = true);
  Real «fast»(start = 1, fixed = true);
equation
  der(slow) = 1;
  der(fast) = fast^2;
  annotation(experiment(StopTime = 3));
end M;`,
      { code: 'step-too-small', says: ['The state fast has the largest error', 'grow without bound'] },
    );
    expect(json.time).toBeCloseTo(1, 4);
  });

  it('events without end', async () => {
    const json = await mistake(
      'simulate',
      `model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  «when h < 0 then reinit(v, -0.7*pre(v)); end when»;
  annotation(experiment(StopTime = 5));
end Ball;`,
      { code: 'zeno', says: ['Events of h < 0 accumulate', '2.5586'] },
    );
    expect(json.time).toBeCloseTo(Math.sqrt(2 / 9.81) * (1 + (2 * 0.7) / 0.3), 3);
    await mistake('simulate', 'model M\n  Boolean «a»(start = false);\nequation\n  a = not pre(a);\nend M;', {
      code: 'event-cycle',
      says: ['does not settle: a changes without end'],
    });
  });

  it('a new value for a variable that equations determine', () =>
    mistake(
      'simulate',
      'model M\n  Real x(start = 0, fixed = true), y = 2*time;\nequation\n  der(x) = 1;\n  when x > 0.5 then «reinit(y, 0)»; end when;\nend M;',
      { code: 'bad-call', says: ['reinit has no effect on y'] },
    ));

  it('an assertion of the model', () =>
    mistake(
      'simulate',
      'model M\n  Real x = 1 - time;\nequation\n  «assert(x > 0.5, "level " + String(x))»;\nend M;',
      {
        code: 'assertion',
        says: ['At time 0.5', 'level 0.5'],
      },
    ));
});

describe('the command line', () => {
  const wrong = async (line: string, ...says: string[]) => {
    writeFileSync(join(home, 'Good.mo'), 'model Good Real x = time; end Good;');
    const argv = line.split(' ');
    const { status, err } = await run(argv, { cwd: home });
    expect(status).toBe(2);
    for (const part of says) expect(err).toContain(part);
    expectPlain(err);
    const { status: same, json } = await run([...argv, '--json'], { cwd: home });
    expect({ same, status: json.status, stage: json.stage }).toEqual({
      same: 2,
      status: 'failed',
      stage: null,
    });
  };

  it.each([
    ['simulate', '[no-model]', 'Name a Modelica file'],
    ['simulate Missing.mo', '[file-not-found]', '`Missing.mo` does not exist'],
    ['simulate Good.mo --library nowhere', '[file-not-found]', '`nowhere` does not exist'],
    ['simulate Good.mo --model Godo', '[unknown-class]', '`Godo`', 'Did you mean `Good`?'],
    ['simulate Good.mo --stpo 1', '[bad-option]', '`--stpo`', '`--stop`'],
    ['simulate Good.mo --stop soon', '[bad-option]', 'soon'],
    ['simulate Good.mo --stop -1', '[bad-option]', '-1'],
    ['simulate Good.mo --tolerance 0', '[bad-option]', '--tolerance'],
    ['simulate Good.mo --method euler', '[bad-option]', 'euler'],
    ['simulate Good.mo --output x.xyz', '[bad-option]', 'x.xyz'],
    ['simulate Good.mo --set x', '[bad-option]', '--set'],
    ['simulte Good.mo', '[bad-option]', 'Did you mean `simulate`?'],
  ])('mutabor %s', (line, ...says) => wrong(line, ...says));

  it('names variables that nothing in the model matches, before the run', async () => {
    const { status, json } = await run(['simulate', 'Good.mo', '--variables', 'y', '--json'], { cwd: home });
    expect(status).toBe(2);
    expect(json).toMatchObject({ status: 'failed', final: {}, diagnostics: [{ code: 'bad-option' }] });
  });

  it.each([
    ['', 'The text holds no classes.'],
    ['\uFEFF', 'The text holds no classes.'],
    ['// nothing\n', 'The text holds no classes.'],
    ['partial model P end P;', 'only the partial model `P`'],
    ['function f end f;', 'only the function `f`'],
  ])('a file without a model: %j', async (text, message) => {
    writeFileSync(join(home, 'Empty.mo'), text);
    const { status, err } = await run(['check', 'Empty.mo'], { cwd: home });
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});
