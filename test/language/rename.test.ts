import { describe, expect, test } from 'vitest';
import { isRefused, type Refusal, type Renaming } from '../../src/language/index.ts';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { changedText } from '../../src/syntax/change.ts';
import { at, type Texts } from './notation.ts';

function renamed(texts: Texts, name: string, options = {}): Record<string, string> | string {
  const { service, path, offset } = at(texts, options);
  const result: Renaming | Refusal = service.rename(path, offset, name);
  if (isRefused(result)) return result.refused;
  const changed = [...result.changes].map(([file, list]) => [file, changedText(service.text(file)!, list)]);
  return Object.fromEntries([...changed, ...result.moves.map(({ from, to }) => [`${from} →`, to])]);
}

describe('renaming', () => {
  test.each([
    ['model M Real |x; equation x = der(x); end M;', 'model M Real q; equation q = der(q); end M;'],
    ['model |A end A; model B A a; extends A; end B;', 'model q end q; model B q a; extends q; end B;'],
    [
      'model A Real x; end A; model B extends A(x = 1); end B; model C B b(|x = 2); Real z = b.x; end C;',
      'model A Real q; end A; model B extends A(q = 1); end B; model C B b(q = 2); Real z = b.q; end C;',
    ],
    [
      'model A Real x; model B Real x; Real y = |x; end B; end A;',
      'model A Real x; model B Real q; Real y = q; end B; end A;',
    ],
    [
      'model M Real x[3]; equation for |i in 1:3 loop x[i] = i; end for; end M;',
      'model M Real x[3]; equation for q in 1:3 loop x[q] = q; end for; end M;',
    ],
    [
      'type E = enumeration(|a, b); model M E e = E.a; end M;',
      'type E = enumeration(q, b); model M E e = E.q; end M;',
    ],
    [
      'model A replaceable Real x; end A; model B extends A; redeclare Real |x; end B; model C extends A(redeclare Real x); end C;',
      'model A replaceable Real q; end A; model B extends A; redeclare Real q; end B; model C extends A(redeclare Real q); end C;',
    ],
    [
      'package P model C end C; end P; model M import A = P.C; |A a; end M;',
      'package P model C end C; end P; model M import q = P.C; q a; end M;',
    ],
    [
      'package P model C end C; end P; model M import A = P.C; import P.C; A a; |C c; end M;',
      'package P model q end q; end P; model M import A = P.q; import P.q; A a; q c; end M;',
    ],
    [
      'model W Real g; end W; model A outer W |w; Real x = w.g; end A; model M inner W w; A a; end M;',
      'model W Real g; end W; model A outer W q; Real x = q.g; end A; model M inner W q; A a; end M;',
    ],
    [
      'function f input Real |u; output Real y; algorithm y := u; end f; model M Real x = f(u = 1); end M;',
      'function f input Real q; output Real y; algorithm y := q; end f; model M Real x = f(q = 1); end M;',
    ],
    [
      'model M parameter Real |k = 1; annotation(Icon(graphics = {Text(textString = "%k")})); end M;',
      'model M parameter Real q = 1; annotation(Icon(graphics = {Text(textString = "%q")})); end M;',
    ],
    ["model M Real |'a b'; equation 'a b' = 1; end M;", 'model M Real q; equation q = 1; end M;'],
  ])('%s', (text, expected) => expect(renamed(text, 'q')).toEqual({ 'M.mo': expected }));

  test.each([
    ['model M Real |x; Real y; end M;', 'y', 'has `y` already'],
    ['model M Real |x; Real y = x; equation end M;', 'y', 'has `y` already'],
    ['model M Real |x; end M;', 'model', 'a reserved word'],
    ['model M Real |x; end M;', '2x', 'no identifier'],
    ['model M Real |x; end M;', 'a.b', 'no identifier'],
    ['model M Real |x; end M;', 'sin', 'part of the language'],
    ['model M Real |x; end M;', 'Real', 'part of the language'],
    ['model M Real x = |sin(1); end M;', 'q', 'part of the language'],
    ['model M Real x(|start = 1); end M;', 'q', 'part of the language'],
    ['model M |Real x; end M;', 'q', 'part of the language'],
    ['model M Mutabor.Electrical.|Resistor r; end M;', 'q', 'declared in a library'],
    ['model M Mutabor.Electrical.Resistor r(|R = 1); end M;', 'q', 'declared in a library'],
    ['model M Real x; equation x =| 1; end M;', 'q', 'no name here'],
    // Capturing, and being captured.
    ['package P constant Real c = 1; model M Real |x; Real y = c; end M; end P;', 'c', 'something else'],
    ['package P constant Real |c = 1; model M Real x; Real y = c; end M; end P;', 'x', 'something else'],
    [
      'model M parameter Integer n = 2; Real x[2]; equation for |i in 1:2 loop x[i] = n; end for; end M;',
      'n',
      'something else',
    ],
    ['model A Real |x; end A; model B extends A; Real y; end B;', 'y', 'has `y` already'],
    ['model |A end A; model B end B;', 'B', 'There is a class `B` already'],
    ['model M Real |x; equation x = 1; end M;', 'x y', 'no identifier'],
    ['type E = enumeration(|a, b);', 'b', 'has a literal `b` already'],
  ])('%s to %s is refused', (text, name, reason) => expect(renamed(text, name)).toMatch(reason));

  test('in all texts, with the files of classes', () => {
    const texts = {
      'L/package.mo': 'package L end L;',
      'L/A.mo': 'within L; model |A Real x; end A;',
      'L/B.mo': 'within L; model B A a; end B;',
      'M.mo': 'model M L.A a; end M;',
    };
    const options = { files: new TextFiles({ 'L/package.order': 'A\nB\n' }) };
    expect(renamed(texts, 'C', options)).toEqual({
      'L/A.mo': 'within L; model C Real x; end C;',
      'L/B.mo': 'within L; model B C a; end B;',
      'M.mo': 'model M L.C a; end M;',
      'L/package.order': 'C\nB\n',
      'L/A.mo →': 'L/C.mo',
    });
    const whole = { ...texts, 'L/A.mo': 'within L; model A end A;', 'L/package.mo': 'package |L end L;' };
    expect(renamed(whole, 'K')).toEqual({
      'L/package.mo': 'package K end K;',
      'L/A.mo': 'within K; model A end A;',
      'L/B.mo': 'within K; model B A a; end B;',
      'M.mo': 'model M K.A a; end M;',
      'L →': 'K',
    });
  });

  test('inner components that libraries look for keep their names', () => {
    const files = new TextFiles({
      'libs/L.mo': 'package L model W Real g = 1; end W; model A outer W w; Real x = w.g; end A; end L;',
    });
    expect(renamed('model M inner L.W |w; L.A a; end M;', 'v', { files, libraries: ['libs'] })).toMatch(
      'found by its name',
    );
  });

  test('there and back gives the same text', () => {
    const text = 'package P model A Real x; end A; model B extends A(x = 1); Real y = x; end B; end P;';
    for (const offset of ['P', 'A', 'x', 'B', 'y'].map((name) => text.indexOf(name))) {
      const { service } = at(`${text}|`);
      const there = service.rename('M.mo', offset, 'other');
      if (isRefused(there)) throw new Error(there.refused);
      service.change('M.mo', there.changes.get('M.mo')!);
      const changed = service.text('M.mo')!;
      const at2 = changed.indexOf('other');
      const name = text.slice(offset).match(/^\w+/)![0];
      const back = service.rename('M.mo', at2, name);
      if (isRefused(back)) throw new Error(back.refused);
      service.change('M.mo', back.changes.get('M.mo')!);
      expect(service.text('M.mo')).toBe(text);
    }
  });
});
