import { describe, expect, test } from 'vitest';
import type { OutlineItem } from '../../src/language/index.ts';
import { having, tree } from './notation.ts';

const outline = (text: string): string => tree(having(text).outline('M.mo'));

describe('the outline', () => {
  test.each([
    ['model A Real x; end A;', 'model A[component x]'],
    ['model A Real x, y(start = 1) "position"; end A;', 'model A[component x, component y]'],
    ['package P model A end A; constant Real c = 1; end P;', 'package P[model A, component c]'],
    ['type E = enumeration(a "one", b);', 'type E[literal a, literal b]'],
    ['type V = Real(unit = "V");', 'type V'],
    [
      'model A extends B; import C = D.E; import D.*; equation x = 1; algorithm y := 2; initial equation z = 3; end A;',
      'model A[extends B, import C, import D.*, equation equation, algorithm algorithm, equation initial equation]',
    ],
    [
      'within A.B; function f input Real x; output Real y; algorithm y := x; end f;',
      'function f[component x, component y, algorithm algorithm]',
    ],
    // Broken texts have what could be read.
    [
      'model A Real x; Real ; Real y; equation x = ; end A;',
      'model A[component x, component y, equation equation]',
    ],
    ['model A Real x; equation der(x) = ', 'model A[component x, equation equation]'],
    ['', ''],
  ])('of %s', (text, expected) => expect(outline(text)).toBe(expected));

  test('says what is declared', () => {
    const [a] = having(
      'partial model A "all" parameter Modelica.SI.Mass[3] m[2] "masses"; flow Real f; end A;',
    ).outline('M.mo');
    expect(a).toMatchObject({ detail: 'partial model', description: 'all', selection: { from: 14, to: 15 } });
    expect(a!.children.map(({ detail, description }) => [detail, description])).toEqual([
      ['parameter Modelica.SI.Mass[:, :]', 'masses'],
      ['flow Real', ''],
    ]);
  });

  test('has spans that nest', () => {
    const text =
      'package P\n model A "x"\n  Real x, y;\n  Real z;\n equation\n  x = 1;\n end A;\n type E = enumeration(a, b);\nend P;\n';
    const visit = (items: readonly OutlineItem[], from: number, to: number): void => {
      let last = from;
      for (const { range, selection, children } of items) {
        expect(range.from).toBeGreaterThanOrEqual(last);
        expect(selection.from).toBeGreaterThanOrEqual(range.from);
        expect(selection.to).toBeLessThanOrEqual(range.to);
        visit(children, range.from, range.to);
        last = range.to;
      }
      expect(last).toBeLessThanOrEqual(to);
    };
    visit(having(text).outline('M.mo'), 0, text.length);
  });
});

describe('folds', () => {
  const folds = (text: string): string[] =>
    having(text)
      .folds('M.mo')
      .map(
        ({ kind, from, to }) =>
          `${kind} ${text.slice(0, from).split('\n').length}-${text.slice(0, to).split('\n').length}`,
      );
  test.each([
    ['model A\n  Real x;\nequation\n  x = 1;\nend A;', ['class 1-5', 'section 3-4']],
    ['model A Real x; end A;', []],
    [
      'model A\nequation\n  if a then\n   x = 1;\n  else\n   x = 2;\n  end if;\nend A;',
      ['class 1-8', 'section 2-7', 'block 3-7'],
    ],
    ['model A\n  import B;\n  import C;\n  import D;\nend A;', ['class 1-5', 'imports 2-4']],
    ['// a\n// b\n\nmodel A\n/* c\n d */\nend A;', ['comment 1-2', 'class 4-7', 'comment 5-6']],
    [
      'model A\n  B b(\n    x = 1,\n    y = 2);\n annotation(Icon(\n  a));\nend A;',
      ['class 1-7', 'brackets 2-4', 'annotation 5-6'],
    ],
    ['model A\nprotected\n  Real x;\n  Real y;\nend A;', ['class 1-5', 'section 2-4']],
  ])('of %j', (text, expected) => expect(folds(text)).toEqual(expected));
});
