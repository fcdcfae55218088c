import { describe, expect, test } from 'vitest';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { at, definition, references } from './notation.ts';

const resistor =
  'connector Pin Real v "potential"; flow Real i; end Pin; model R "resistor" parameter Real r = 1; Pin p, n; end R; ';

describe('definitions', () => {
  // The text after the arrow begins where the definition is.
  test.each([
    ['model M Real x; equation |x = 1; end M;', 'x; equation'],
    ['model M Real x; equation x| = 1; end M;', 'x; equation'],
    [`${resistor}model M R a; equation a.p.|v = 1; end M;`, 'v "potential"'],
    [`${resistor}model M R a; equation a.|p.v = 1; end M;`, 'p, n'],
    [`${resistor}model M R a[2]; equation a[1].p.|v = 1; end M;`, 'v "potential"'],
    [`${resistor}model M |R a; end M;`, 'R "resistor"'],
    [`${resistor}model M R a(|r = 2); end M;`, 'r = 1'],
    [`${resistor}model M R a(p(|v(start = 1))); end M;`, 'v "potential"'],
    [`${resistor}model M extends R(|r = 2); end M;`, 'r = 1'],
    [`${resistor}model M extends R; equation |p.v = 0; end M;`, 'p, n'],
    [`${resistor}model |M R a; end M;`, 'M R a'],
    [`${resistor}model M R a; end |M;`, 'M R a'],
    ['package P constant Real c = 1; end P; model M Real x = P.|c; end M;', 'c = 1'],
    ['package P model A end A; end P; model M import P.|A; A a; end M;', 'A end A; end P'],
    ['package P model A end A; end P; model M import B = P.A; |B a; end M;', 'A end A; end P'],
    ['package P model A end A; end P; model M import P.*; |A a; end M;', 'A end A; end P'],
    ['package P model A end A; end P; model M import P.{|A}; A a; end M;', 'A end A; end P'],
    ['type E = enumeration(a, b); model M parameter E e = E.|b; end M;', 'b); model'],
    ['type E = enumeration(a, b); type F = E; model M parameter F e = F.|b; end M;', 'b); type F'],
    ['function f input Real u; output Real y; end f; model M Real x = f(|u = 1); end M;', 'u; output'],
    ['function f input Real u; output Real y; end f; model M Real x = |f(u = 1); end M;', 'f input'],
    ['record A Real k; end A; model M A a = A(|k = 1); end M;', 'k; end A'],
    ['model M Real x[3]; equation for i in 1:3 loop x[|i] = 1; end for; end M;', 'i in 1:3'],
    ['model M parameter Integer i = 1; Real x[3] = {|i for i in 1:3}; end M;', 'i in 1:3'],
    ['model M parameter Integer n = 3; Real x[|n]; end M;', 'n = 3'],
    ['model M parameter Boolean b = true; Real x if |b; end M;', 'b = true'],
    [
      'model A replaceable model B = C; B b; end A; model C Real y; end C; model D Real y, z; end D; model M A a(redeclare model |B = D); end M;',
      'B = C',
    ],
    [
      'model A replaceable model B = C; B b; end A; model C Real y; end C; model D Real y, z; end D; model M A a(redeclare model B = D); Real q = a.b.|z; end M;',
      'z; end D',
    ],
    ['model A replaceable Real x; end A; model M extends A(redeclare |Integer x); end M;', undefined],
    ['model A replaceable Real x; end A; model M extends A(redeclare Integer |x); end M;', 'x; end A'],
    ['model A Real x; end A; model M extends A; redeclare Real |x; end M;', 'x; end M'],
    [
      'package P replaceable function f input Real u; output Real y; end f; end P; package Q extends P; redeclare function extends |f algorithm y := u; end f; end Q;',
      'f algorithm',
    ],
    ['model M Real x(|start = 1); end M;', undefined],
    ['model M Real x = |sin(time); end M;', undefined],
    ['model M |Real x; end M;', undefined],
    [
      'model M parameter Real k = 1; annotation(Icon(graphics = {Text(textString = "k = %|k")})); end M;',
      'k = 1; annotation',
    ],
    [
      'model M parameter Boolean on = true; parameter Real k = 1 annotation(Dialog(enable = |on)); end M;',
      'on = true',
    ],
    // What cannot be read is understood as far as the words before tell.
    [`${resistor}model M R a; Real y = a.p.|v + ; end M;`, 'v "potential"'],
    [`${resistor}model M |R a(r = ); end M;`, 'R "resistor"'],
    [`${resistor}model M R a(|r = ; end M;`, 'r = 1'],
    [`${resistor}model M R a; equation connect(a.|p, ; end M;`, 'p, n'],
    ['model M Real x; equation |x = ', 'x; equation'],
  ])('%s', (text, expected) => {
    const { service, path, offset, text: plain } = at(text);
    const found = service.definition(path, offset);
    expect(found && plain.slice(found.from, found.from + (expected ?? '').length)).toBe(expected);
  });

  test('in other texts and in libraries', () => {
    const files = new TextFiles({
      'libs/Lib/package.mo': 'package Lib end Lib;',
      'libs/Lib/A.mo': 'within Lib;\nmodel A\n Real x;\nend A;',
    });
    const options = { files, libraries: ['libs'] };
    expect(definition('model M Lib.A a; Real y = a.|x; end M;', options)).toBe('libs/Lib/A.mo:3:7');
    expect(definition('model M Lib.|A a; end M;', options)).toBe('libs/Lib/A.mo:2:7');
    expect(definition('model M Mutabor.Electrical.|Resistor a; end M;')).toMatch(
      /^mutabor\/models\/Mutabor\/Electrical\/Resistor\.mo:\d+:7$/,
    );
    expect(
      definition({ 'A.mo': 'model A Real x; end A;', 'M.mo': 'model M A a; Real y = a.|x; end M;' }),
    ).toBe('A.mo:1:14');
    const texts = {
      'L/package.mo': 'package L end L;',
      'L/A.mo': 'within L; model A end A;',
      'L/B.mo': 'within |L; model B A a; end B;',
    };
    expect(definition(texts)).toBe('L/package.mo:1:9');
    expect(definition({ ...texts, 'L/B.mo': 'within L; model B |A a; end B;' })).toBe('L/A.mo:1:17');
  });

  test('texts of libraries that are open', () => {
    const lib = {
      'libs/Lib/package.mo': 'package Lib constant Real c = 1; end Lib;',
      'libs/Lib/A.mo': 'within Lib; model A Real x = c; end A;',
    };
    const options = { files: new TextFiles(lib), libraries: ['libs'] };
    expect(definition({ 'libs/Lib/A.mo': 'within Lib; model A Real x = |c; end A;' }, options)).toBe(
      'libs/Lib/package.mo:1:27',
    );
    // And those that somebody changes.
    expect(definition({ 'libs/Lib/A.mo': 'within Lib; model A Real x = |c, y; end A;' }, options)).toBe(
      'libs/Lib/package.mo:1:27',
    );
  });
});

describe('references', () => {
  test.each([
    ['model M Real x; equation |x = der(x); end M;', 'model M Real ‹x›; equation ‹x› = der(‹x›); end M;'],
    [
      'model A Real x; end A; model B extends A(x = 1); Real y = x; end B; model C B b(|x = 2); Real z = b.x; end C;',
      'model A Real ‹x›; end A; model B extends A(‹x› = 1); Real y = ‹x›; end B; model C B b(‹x› = 2); Real z = b.‹x›; end C;',
    ],
    [
      'model A Real x; model B Real x; Real y = |x; end B; end A;',
      'model A Real x; model B Real ‹x›; Real y = ‹x›; end B; end A;',
    ],
    [
      'model |A end A; model B A a; extends A; end B;',
      'model ‹A› end ‹A›; model B ‹A› a; extends ‹A›; end B;',
    ],
    [
      'model M Integer i; Real x[3]; equation for |i in 1:3 loop x[i] = i; end for; i = 2; end M;',
      'model M Integer i; Real x[3]; equation for ‹i› in 1:3 loop x[‹i›] = ‹i›; end for; i = 2; end M;',
    ],
    [
      'type E = enumeration(a, b); model M E e = E.|a; E f(start = E.a) = E.b; end M;',
      'type E = enumeration(‹a›, b); model M E e = E.‹a›; E f(start = E.‹a›) = E.b; end M;',
    ],
    [
      'model A replaceable Real x; end A; model B extends A; redeclare Real x; end B; model C extends A(redeclare Real |x); end C;',
      'model A replaceable Real ‹x›; end A; model B extends A; redeclare Real ‹x›; end B; model C extends A(redeclare Real ‹x›); end C;',
    ],
    [
      'model M parameter Real |k = 1; annotation(Icon(graphics = {Text(textString = "%k %{k} %name")})); end M;',
      'model M parameter Real ‹k› = 1; annotation(Icon(graphics = {Text(textString = "%‹k› %{‹k›} %name")})); end M;',
    ],
    [
      'function f input Real |u; output Real y; algorithm y := u; end f; model M Real x = f(u = 1) + f(2); end M;',
      'function f input Real ‹u›; output Real y; algorithm y := ‹u›; end f; model M Real x = f(‹u› = 1) + f(2); end M;',
    ],
  ])('%s', (text, expected) => expect(references(text)).toEqual({ 'M.mo': expected }));

  test('in all texts of the workspace, open or not', () => {
    const files = new TextFiles({
      'work/N.mo': 'model N A a; Real n = a.x; end N;',
      'libs/L.mo': 'model L Real x; end L;',
    });
    const texts = {
      'work/A.mo': 'model A Real |x; end A;',
      'work/B.mo': 'model B extends A; Real y = x; L l; Real z = l.x; end B;',
    };
    expect(references(texts, { files, folders: ['work'], libraries: ['libs'] })).toEqual({
      'work/A.mo': 'model A Real ‹x›; end A;',
      'work/B.mo': 'model B extends A; Real y = ‹x›; L l; Real z = l.x; end B;',
      'work/N.mo': 'model N A a; Real n = a.‹x›; end N;',
    });
    expect(references('model M L l; Real z = l.|x; end M;', { files, libraries: ['libs'] })).toEqual({
      'libs/L.mo': 'model L Real ‹x›; end L;',
      'M.mo': 'model M L l; Real z = l.‹x›; end M;',
    });
  });
});

describe('hovering', () => {
  const hover = (texts: string): string[] => {
    const { service, path, offset } = at(texts);
    const { kind, code, text, unit, value, declaredIn } = service.hover(path, offset) ?? {
      kind: '',
      code: '',
      text: '',
    };
    return [
      kind,
      code,
      text,
      unit && `unit ${unit}`,
      value && `value ${value}`,
      declaredIn && `in ${declaredIn}`,
    ].filter((one) => !!one) as string[];
  };
  test.each([
    [
      'model M parameter Real k(unit = "N/m") = 2 "stiffness"; equation k| = 1; end M;',
      ['parameter', 'parameter Real k(unit = "N/m") = 2', 'stiffness', 'unit N/m', 'in M'],
    ],
    [
      'type Mass = Real(unit = "kg", min = 0); model M Mass |m[3] "masses"; end M;',
      ['component', 'Mass[3] m', 'masses', 'unit kg', 'in M'],
    ],
    [
      'type Mass = Real(unit = "kg", min = 0); model M |Mass m; end M;',
      ['type', 'type Mass = Real(unit = "kg", min = 0)', 'unit kg'],
    ],
    [
      'model M constant Real c = 2*3; parameter Real k = 2*|c; end M;',
      ['constant', 'constant Real c = 2*3', 'value 6', 'in M'],
    ],
    [
      'model A parameter Real k = 1; end A; model M extends A(k = 7); Real x = |k; end M;',
      ['parameter', 'parameter Real k = 1', 'value 7', 'in A'],
    ],
    [
      'function f "square" input Real u; input Integer n = 2; output Real y; end f; model M Real x = |f(1); end M;',
      ['function', 'y = f(Real u, Integer n = 2)', 'square'],
    ],
    ['type E = enumeration(a "first", b); model M E e = E.|a; end M;', ['literal', 'E.a', 'first', 'in E']],
    [
      'model M Real x[2]; equation for i in 1:2 loop x[|i] = 1; end for; end M;',
      ['iterator', 'for i in 1:2'],
    ],
    [
      'model M Real x(|fixed = true); end M;',
      [
        'attribute',
        'fixed = false',
        'whether start is an initial condition; true for parameters and constants',
      ],
    ],
    [
      'model M Real x = |atan2(1, 2); end M;',
      ['built-in function', 'atan2(y, x)', 'angle of the point (x, y), in the range from -pi to pi'],
    ],
    ['model M Real x = |time; end M;', ['built-in variable', 'time', 'the independent variable, in seconds']],
    [
      'connector C Real v; flow Real i; end C; model M C c; equation c.|i = 0; end M;',
      ['component', 'flow Real i', 'in C'],
    ],
    ['partial model |M "some" end M;', ['model', 'partial model M', 'some']],
    ['model M Real x; equation x = 1 |; end M;', []],
  ])('%s', (text, expected) => expect(hover(text)).toEqual(expected));

  test('documentation', () => {
    const { service, path, offset } = at(
      'model A annotation(Documentation(info = "<html>" + "<p>x</p></html>")); end A; model M |A a; end M;',
    );
    expect(service.hover(path, offset)!.documentation).toEqual({
      text: '<html><p>x</p></html>',
      html: true,
      path: 'M.mo',
    });
  });
});

describe('signatures', () => {
  const signature = (text: string): string | undefined => {
    const { service, path, offset } = at(text);
    const found = service.signature(path, offset);
    return (
      found && `${found.label} ${found.active === undefined ? '-' : found.parameters[found.active]!.text}`
    );
  };
  const f = 'function f input Real u "first"; input Integer n[:] = {2}; output Real y; end f; ';
  test.each([
    [`${f}model M Real x = f(|); end M;`, 'f(Real u, Integer[:] n = {2}) Real u'],
    [`${f}model M Real x = f(1, |); end M;`, 'f(Real u, Integer[:] n = {2}) Integer[:] n = {2}'],
    [`${f}model M Real x = f(n = |); end M;`, 'f(Real u, Integer[:] n = {2}) Integer[:] n = {2}'],
    [`${f}model M Real x = f(sin(|)); end M;`, 'sin(x) x'],
    [`${f}model M Real x = f(sin(1), |`, 'f(Real u, Integer[:] n = {2}) Integer[:] n = {2}'],
    [`${f}model M Real x = f({1, 2, |}); end M;`, 'f(Real u, Integer[:] n = {2}) Real u'],
    ['model M equation connect(a, |); end M;', 'connect(a, b) b'],
    [
      'model M equation transition(a, b, true, immediate = |); end M;',
      'transition(from, to, condition, immediate = true, reset = true, synchronize = false, priority = 1) immediate = true',
    ],
    ['record A Real k; Real l = 1; end A; model M A a = A(|); end M;', 'A(Real k, Real l = 1) Real k'],
    ['model M Real x(|); end M;', undefined],
    ['model M Real x = (|); end M;', undefined],
  ])('%s', (text, expected) => expect(signature(text)).toBe(expected));
});

test('names are classified for colours', () => {
  const text = 'package P type T = Real; end P; model M parameter P.T k = 1; Real x = sin(k); end M;';
  const { service } = at(`${text}|`);
  expect(
    service
      .names('M.mo')
      .map(({ from, to, kind, declares }) => `${text.slice(from, to)} ${kind}${declares ? '!' : ''}`),
  ).toEqual([
    'P package!',
    'T type!',
    'Real type',
    'P package',
    'M class!',
    'P package',
    'T type',
    'k parameter!',
    'Real type',
    'x variable!',
    'sin built-in',
    'k parameter',
    'M class',
  ]);
});
