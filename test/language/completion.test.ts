import { describe, expect, test } from 'vitest';
import { builtins } from '../../src/language/builtins.ts';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { intrinsics } from '../../src/symbolic/intrinsics.ts';
import { at, completions } from './notation.ts';

/** Names that no text declares, and the own library. */
const others = ['keyword', 'built-in', 'package'];
const named = (text: string): string => {
  const { service, path, offset } = at(text);
  const items = service.complete(path, offset)?.items ?? [];
  return items
    .filter(({ kind, detail }) => !others.includes(kind) && detail !== 'type')
    .map(({ label }) => label)
    .join(' ');
};

const pins = 'connector Pin Real v "potential"; flow Real i; end Pin; ';
const resistor = `${pins}model R "resistor" parameter Real r = 1; Pin p, n; protected Real hidden; end R; `;

describe('completion', () => {
  test.each([
    // behind dots
    [`${resistor}model M R a; equation a.| end M;`, 'n p r'],
    [`${resistor}model M R a; equation a.p.| = 0; end M;`, 'i v'],
    [`${resistor}model M R a[3]; equation a[1].p.|; end M;`, 'i v'],
    [`${resistor}model M R a; equation connect(a.|, a.n); end M;`, 'n p r'],
    [`${resistor}model N extends R; end N; model M N a; Real x = a.p.|; end M;`, 'i v'],
    [`${resistor}model M R a; Real x = 2*a.|`, 'n p r'],
    ['package P constant Real c = 1; model A end A; end P; model M Real x = P.|; end M;', 'A c'],
    ['package P constant Real c = 1; model A end A; end P; model M P.| end M;', 'A'],
    ['package P constant Real c = 1; model A end A; end P; model M extends P.|; end M;', 'A'],
    ['package P package Q model A end A; end Q; end P; model M import P.Q.|; end M;', 'A'],
    ['type E = enumeration(a "one", b); model M parameter E e = E.|; end M;', 'a b'],
    [`${resistor}model M extends R; equation p.| end M;`, 'i v'],
    [`${resistor}model M import S = R; S a; equation a.| end M;`, 'n p r'],
    ['model M Real x; equation y.| end M;', ''],
    // simple names: what is nearer comes first
    ['model M Real x; parameter Real y; equation | end M;', 'x y M'],
    ['model M Real alpha, beta; equation b| = 1; end M;', 'beta'],
    ['package P constant Real c = 1; model M Real x; equation x = |; end M; end P;', 'x M c'],
    ['model M Real x; equation for k in 1:3 loop x = |; end for; end M;', 'k x M'],
    ['model M Real x[3]; algorithm for k in 1:3 loop x[|] := 1; end for; end M;', 'k x M'],
    [`${resistor}model M | end M;`, 'M Pin R'],
    [`${resistor}model M parameter | end M;`, 'M Pin R'],
    [`${resistor}model M extends | end M;`, 'M Pin R'],
    [`${resistor}model M replaceable R a constrainedby | end M;`, 'M Pin R'],
    // new names, comments, strings and numbers
    ['model M Real | end M;', ''],
    ['model M Real x, | end M;', ''],
    ['model M // x|\n end M;', ''],
    ['model M /* x| */ end M;', ''],
    ['model M "x|" end M;', ''],
    ['model M Real x = 1.|; end M;', ''],
    ['model |', ''],
    // modifiers
    [`${resistor}model M R a(|); end M;`, 'r n p'],
    [`${resistor}model M R a(r = 2, |); end M;`, 'n p'],
    [`${resistor}model M R a(p(|)); end M;`, 'i v'],
    [`${resistor}model M R a(p.|); end M;`, 'i v'],
    [`${resistor}model M extends R(|); end M;`, 'r n p'],
    [`${resistor}model S = R(|);`, 'r n p'],
    [
      'model M Real x(|); end M;',
      'displayUnit fixed max min nominal quantity start stateSelect unbounded unit',
    ],
    ['model M Boolean x(start = true, |); end M;', 'fixed quantity'],
    [
      `${resistor}model M R a(r(|)); end M;`,
      'displayUnit fixed max min nominal quantity start stateSelect unbounded unit',
    ],
    ['model A replaceable model B = C; model C end C; end A; model M A a(|); end M;', 'B'],
    [
      'model A replaceable model B = C; end A; model C end C; model M A a(redeclare model B = |); end M;',
      'A C M',
    ],
    // values of modifiers
    [`${resistor}model M parameter Real k = 1; R a(r = |); end M;`, 'k M Pin R'],
    ['type E = enumeration(a, b); model A parameter E e; end A; model M A x(e = |); end M;', 'E.a E.b A M'],
    ['package P type E = enumeration(a); end P; model M parameter P.E e = |; end M;', 'P.E.a M'],
    ['model M Real x(stateSelect = StateSelect.|); end M;', 'always avoid default never prefer'],
    // arguments
    [
      'function f input Real u; input Real v = 1; output Real y; end f; model M Real x = f(|); end M;',
      'u v x M f',
    ],
    [
      'function f input Real u; input Real v = 1; output Real y; end f; model M Real x = f(1, |); end M;',
      'v M f',
    ],
    [
      'function f input Real u; input Real v = 1; output Real y; end f; model M Real x = f(v = 2, |); end M;',
      'u M f',
    ],
    ['function f input Real u; output Real y; end f; model M Real x = f(u = |); end M;', 'M f'],
    ['record R Real a; Real b; end R; model M R r = R(|); end M;', 'a b r M R'],
    // the words of the language
    ['model M Real x; equation if x > 0 then x = 1; end |', 'M'],
  ])('%s', (text, expected) => expect(named(text)).toBe(expected));

  test.each([
    ['model M equation i|', ['if'], []],
    ['model M al|', ['algorithm', 'replaceable'], ['if']],
    ['model M Real x = |; end M;', ['if', 'not', 'true', 'false'], ['equation']],
    ['|', ['model', 'package', 'within'], ['parameter', 'equation']],
    ['model M algorithm w|', ['while', 'when'], []],
    ['model M equation when true then e|', ['end', 'elsewhen'], []],
    ['model M equation when true then x = 1; end |', ['when'], ['if']],
    ['model M Real x(|); end M;', ['each', 'final', 'redeclare'], ['if']],
    ['model M Real x(fixed = |); end M;', ['true', 'false'], []],
  ])('words: %s', (text, some, none) => {
    const found = completions(text, {}, ['keyword']);
    expect(some.filter((word) => !found.includes(word))).toEqual([]);
    expect(none.filter((word) => found.includes(word))).toEqual([]);
  });

  test.each([
    ['model M Real x(unit = "k|"); end M;', ['kg', 'kN', 'kat'], ['N', 'rad']],
    ['model M Real x(unit = "N.m/r|"); end M;', ['rad'], ['kg']],
    ['model M Real x(displayUnit = "|"); end M;', ['deg', 'bar', 'm', 'degC'], ['km']],
    ['model M Real x(unit = ""|); end M;', [], ['m']],
  ])('units: %s', (text, some, none) => {
    const found = completions(text, {}, ['unit']);
    expect(some.filter((word) => !found.includes(word))).toEqual([]);
    expect(none.filter((word) => found.includes(word))).toEqual([]);
  });

  test('operators of state machines and others are built in', () => {
    const found = completions('model M equation | end M;', {}, ['built-in']);
    for (const name of ['transition', 'initialState', 'activeState', 'sin', 'reinit', 'time'])
      expect(found).toContain(name);
    expect(completions('model M equation Connections.| end M;')).toContain('root');
  });

  test('all built-in functions are explained', () => {
    expect([...intrinsics.keys()].filter((name) => !builtins.has(name))).toEqual([]);
    expect([...builtins.keys()].filter((name) => !intrinsics.has(name))).toEqual([]);
  });

  test('annotations', () => {
    expect(completions('model M annotation(exp|); end M;')).toEqual(['experiment']);
    expect(completions('model M annotation(experiment(StopTime = 1, |)); end M;')).toContain('Tolerance');
  });

  test('classes of the own library and of others, with descriptions', () => {
    const files = new TextFiles({
      'libs/Lib/package.mo': 'package Lib "a library" model A "the a" end A; end Lib;',
      'libs/Lib/B.mo': 'within Lib; model B "the b" end B;',
    });
    const { service, path, offset } = at('model M Lib.|; end M;', { files, libraries: ['libs'] });
    expect(
      service
        .complete(path, offset)!
        .items.map(({ label, kind, detail, description }) => [label, kind, detail, description]),
    ).toEqual([
      ['A', 'class', 'model', 'the a'],
      ['B', 'class', 'model', 'the b'],
    ]);
    expect(completions('model M Mutabor.Electrical.Re| end M;')).toContain('Resistor');
    expect(completions('model M import |')).toContain('Mutabor');
  });

  test('documents with `within`, and beside others', () => {
    const texts = {
      'L/package.mo': 'package L constant Real c = 2; end L;',
      'L/A.mo': 'within L; model A parameter Real x = 1; end A;',
      'L/B.mo': 'within L; model B A a; Real y = a.|; end B;',
    };
    expect(completions(texts)).toEqual(['x']);
    expect(
      completions({ ...texts, 'L/B.mo': 'within L; model B | end B;' }, {}, ['class', 'package']),
    ).toEqual(['A', 'B', 'L', 'Mutabor']);
    expect(
      completions({ ...texts, 'L/B.mo': 'within |; model B end B;' }, {}, ['class', 'package']),
    ).toContain('L');
  });

  test('the word that is being written is replaced', () => {
    const { service, path, offset, text } = at('model M Real alpha; equation al|pha = 1; end M;');
    const { from, to } = service.complete(path, offset)!;
    expect(text.slice(from, to)).toBe('al');
  });
});
