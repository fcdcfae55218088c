/** Mistakes that users of Modelica make, and what they read about them. */
import { describe, it } from 'vitest';
import { mistake } from './mistakes.ts';

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
  it.each([
    ['stream variables', 'connector C Real p; flow Real m; stream Real «h»; end C; C c;'],
    ['expandable connectors', 'expandable connector B end B; B «b»;'],
    ['state machines', 'block A end A; A a; equation «initialState(a)»;'],
    ['clocks', 'Clock «c» = Clock(0.1);'],
    ['external function', 'function f input Real x; output Real y; external "C"; end f; Real y = «f(time)»;'],
    ['when-statement', 'discrete Real x; algorithm «when time > 1 then x := 1; end when»;'],
    ['delay', 'Real y = «delay(time, 0.1)»;'],
    ['operator record', 'operator record C Real re; end C; C «c»;'],
  ])('%s', (what, body) =>
    mistake('flatten', `model M\n  ${body}\nend M;`, { code: 'unsupported', says: [what] }),
  );

  it('connections that change', async () => {
    const model = (equation: string) =>
      `${parts}  model M Resistor a, b;\n  equation ${equation}\n  end M;\nend P;`;
    await mistake('flatten', model('when time > 1 then «connect(a.p, b.p)»; end when;'), {
      code: 'unsupported',
      says: ['inside a when-equation'],
    });
    await mistake('flatten', model('if «time > 1» then connect(a.p, b.p); end if;'), {
      code: 'unsupported',
      says: ['if-condition changes at events', 'Use parameters'],
    });
  });
});
