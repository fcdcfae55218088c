import { describe, expect, test } from 'vitest';
import { Interrupted } from '../../src/diagnostic/pulse.ts';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { having, shown, wrong } from './notation.ts';

describe('diagnostics', () => {
  test.each([
    ['model M Real x; equation x = 1; end M;', []],
    [
      'model M Real x equation x = 1; end M;',
      ['M.mo:1:16 syntax-error expected `;` after this declaration, found `equation`'],
    ],
    ['model M Real x; equation y = 1; end M;', ['M.mo:1:26 unknown-name There is no `y` in M.']],
    ['model M Real x; equation x = 1; x = 2; end M;', ['M.mo:1:7 unbalanced', 'M.mo:1:33 unbalanced']],
    [
      'partial model P extends Q; end P;',
      ['M.mo:1:25 unknown-class The class `Q` cannot be found from `P`.'],
    ],
    [
      'package P model A extends B; end A; model C D d; end C; end P;',
      ['M.mo:1:27 unknown-class', 'M.mo:1:45 unknown-class'],
    ],
    ['connector C Real v; Real v; end C;', ['M.mo:1:26 duplicate-name']],
    ['model M parameter Real p(unit = "mm/") = 1; Real x = p; end M;', ['M.mo:1:36 bad-unit']],
  ])('of %s', (text, expected) => {
    const found = wrong(text);
    expect(found.map((one, k) => one.slice(0, expected[k]?.length ?? 0))).toEqual(expected);
  });

  test('a model that waits for connections is not asked for them', () => {
    expect(
      wrong('connector C Real v; flow Real i; end C; model M C c; equation c.v = 2*c.i; end M;'),
    ).toEqual([]);
  });

  test('a class in another one may be a part of what has what it lacks; one that stands alone is told', () => {
    const part = 'model Part outer Real speed; Real x; equation der(x) = speed; end Part;';
    const whole = 'inner Real speed = 2; Part part(x(start = 0, fixed = true));';
    expect(wrong(`model M ${part} ${whole} end M;`)).toEqual([]);
    expect(wrong(part)).toEqual([
      'M.mo:1:23 unknown-name The outer component `speed` has no inner component.',
    ]);
    const bar = 'model Bar Mutabor.Bodies.Object3D a; end Bar;';
    expect(wrong(`model M ${bar} Mutabor.Bodies.World world; Bar bar(a(parent = "world")); end M;`)).toEqual(
      [],
    );
    expect(wrong(bar).map((one) => one.slice(0, 40))).toEqual(['M.mo:1:35 no-value The model has bodies,']);
  });

  test('texts see each other', () => {
    const texts = { 'A.mo': 'model A Real x = 1; end A;', 'B.mo': 'model B extends A; Real y = x; end B;' };
    expect(wrong(texts, 'B.mo')).toEqual([]);
    expect(wrong({ 'B.mo': texts['B.mo'] }, 'B.mo')).toHaveLength(1);
  });

  test('what is wrong in another text is told at the class that needs it, with the place', () => {
    const service = having({ 'A.mo': 'model A\n  Real x = ;\nend A;', 'B.mo': 'model B A a; end B;' });
    const [problem, ...others] = service.diagnostics('B.mo');
    expect(others).toEqual([]);
    expect(shown([problem!])).toEqual(['B.mo:1:7 syntax-error expected an expression, found `;`']);
    expect(problem!.notes[0]!.span).toMatchObject({ source: { name: 'A.mo' }, start: 19 });
  });

  test('a class in two texts of a folder is told of, and each text means its own', () => {
    const texts = {
      'a.mo': 'model A Real x = 1; end A;',
      'b.mo': 'model A Real y = 1; end A; model B A a; Real z = a.y; end B;',
    };
    expect(wrong(texts, 'a.mo')).toEqual([
      'a.mo:1:7 duplicate-name The class `A` is defined in `b.mo` as well.',
    ]);
    expect(wrong(texts, 'b.mo')).toEqual([
      'b.mo:1:7 duplicate-name The class `A` is defined in `a.mo` as well.',
    ]);
    // In another folder it is a matter of its own.
    expect(wrong({ 'a.mo': texts['a.mo'], 'x/b.mo': texts['b.mo'] }, 'x/b.mo')).toEqual([]);
  });

  test('packages in folders', () => {
    const texts = {
      'L/package.mo': 'package L constant Real c = 2; end L;',
      'L/A.mo': 'within L; model A Real x = c; B b; end A;',
      'L/S/package.mo': 'within L; package S end S;',
      'L/S/D.mo': 'within L.S; model D A a; Real y = a.x; Real z = E.q; end D;',
      'other.mo': 'model O L.A a; end O;',
    };
    expect(wrong({ ...texts, 'L/B.mo': 'within L; model B Real y = c; end B;' }, 'L/A.mo')).toEqual([]);
    expect(wrong(texts, 'L/A.mo')).toEqual([
      'L/A.mo:1:31 unknown-class The class `B` cannot be found from `L.A`.',
    ]);
    expect(wrong(texts, 'other.mo')).toEqual([
      'other.mo:1:7 unknown-class The class `B` cannot be found from `L.A`.',
    ]);
    expect(wrong({ ...texts, 'L/B.mo': 'within L; model B end B;' }, 'L/S/D.mo')).toEqual([
      'L/S/D.mo:1:49 unknown-name There is no `E` in L.S.D.',
    ]);
  });

  test('a text that belongs to a package by its `within` alone', () => {
    const texts = {
      'a.mo': 'package P constant Real c = 1; end P;',
      'b.mo': 'within P; model B Real x = c; end B;',
    };
    expect(wrong(texts, 'b.mo')).toEqual([]);
    expect(wrong({ 'b.mo': texts['b.mo'] }, 'b.mo')).toEqual([
      'b.mo:1:8 unknown-class The package `P` named after `within` does not exist.',
    ]);
  });

  test('libraries, and files of folders that are not open', () => {
    const files = new TextFiles({
      'libs/Lib/package.mo': 'package Lib model A Real x = 1; end A; end Lib;',
      'work/N.mo': 'model N Real n = 3; end N;',
      'work/.git/M.mo': 'model M',
    });
    const options = { files, libraries: ['libs'], folders: ['work'] };
    expect(wrong('model M Lib.A a; N n; Real y = a.x + n.n; end M;', 'M.mo', options)).toEqual([]);
    // A text may take the place of a library, and of a file.
    const texts = {
      'Lib.mo': 'package Lib model A Real z = 1; end A; end Lib;',
      'M.mo': 'model M Lib.A a; Real y = a.x; end M;',
    };
    expect(wrong(texts, 'M.mo', options)).toEqual(['M.mo:1:29 unknown-name There is no `x` in a.']);
    const changed = {
      'work/N.mo': 'model N Real q = 3; end N;',
      'M.mo': 'model M N n; Real y = n.n; end M;',
    };
    expect(wrong(changed, 'M.mo', options)).toEqual(['M.mo:1:25 unknown-name There is no `n` in n.']);
  });

  test('checks can be stopped, and go on afterwards', () => {
    const service = having(
      'model M Mutabor.Mechanics.Rotational.Inertia a(J = 1), b(J = 2); equation connect(a.flange_b, b.flange_a); end M;',
    );
    const whole = shown(service.diagnostics('M.mo'));
    for (let most = 1; most < 4000; most = Math.ceil(most * 1.7)) {
      let looks = 0;
      const other = having({ 'M.mo': service.text('M.mo')! });
      const signal = {
        get aborted() {
          return ++looks > most;
        },
      };
      try {
        other.diagnostics('M.mo', signal);
      } catch (stopped) {
        expect(stopped).toBeInstanceOf(Interrupted);
      }
      expect(shown(other.diagnostics('M.mo'))).toEqual(whole);
    }
  });

  test('the class at a place is checked first', () => {
    const service = having('package P model A end A; model B model C end C; end B; end P;');
    expect(service.checkable('M.mo', 40)).toEqual(['P.B.C', 'P.B', 'P', 'P.A']);
    expect(service.checkable('M.mo')).toEqual(['P', 'P.A', 'P.B', 'P.B.C']);
  });
});
