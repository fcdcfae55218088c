/** Loading of classes: given texts with `within`, and packages in folders (specification 3.6, section 13.4). */
import { describe, expect, it } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';
import { lines, load, MemoryFiles, show } from './notation.ts';

const stored = (text: string, name = 't.mo') => parse(new Source(name, text)).definition;

const files = {
  '/lib/P/package.mo': 'within ;\npackage P constant Integer n = 2; model Inside Real x; end Inside; end P;',
  '/lib/P/package.order': 'n\nInside\nA\nSub\n',
  '/lib/P/A.mo': 'within P;\nmodel A Real x[n]; Sub.B b; end A;',
  '/lib/P/Unused.mo': 'within P;\nmodel Unused Real x end Unused;',
  '/lib/P/Sub/package.mo': 'within P;\npackage Sub end Sub;',
  '/lib/P/Sub/B.mo': 'within P.Sub;\nmodel B Real y[n + 1]; end B;',
  '/lib/Single.mo': 'package Single model M Real z; end M; end Single;',
  '/lib/V 1.2/package.mo': 'package V constant Integer minor = 2; model M Real x[minor]; end M; end V;',
  '/lib/V 1.10/package.mo': 'package V constant Integer minor = 10; model M Real x[minor]; end M; end V;',
  '/other/P/package.mo': 'package P end P;',
  '/other/Q.mo': 'model Q P.A a; end Q;',
};

function open(...roots: string[]): { library: Library; memory: MemoryFiles } {
  const memory = new MemoryFiles(files);
  return { library: new Library({ files: memory, roots }), memory };
}

describe('classes of folders that are inherited', () => {
  const base = {
    user: 'model U A a; end U;',
    a: 'model A parameter Integer p = 1; Real x[p]; end A;',
    sub: 'package Sub constant Integer k = 2; replaceable model Z Real z; end Z; end Sub;',
    b: 'model B parameter Integer p = k; Real y[p]; Z z; end B;',
    v: 'model V Deep.B b; end V;',
  };
  const within = (text: string, inner: string): string => text.replace(/ end \w+;$/, ` ${inner}$&`);
  const whole = within(
    `package Base ${base.user} end Base;`,
    base.a + within(base.sub, within('package Deep end Deep;', base.b) + base.v),
  );
  const folders = {
    '/f/Base/package.mo': `package Base ${base.user} end Base;`,
    '/f/Base/A.mo': `within Base;\n${base.a}`,
    '/f/Base/Sub/package.mo': `within Base;\n${base.sub}`,
    '/f/Base/Sub/V.mo': `within Base.Sub;\n${base.v}`,
    '/f/Base/Sub/Deep/package.mo': 'within Base.Sub;\npackage Deep end Deep;',
    '/f/Base/Sub/Deep/B.mo': `within Base.Sub.Deep;\n${base.b}`,
  };
  const users = `package T package Five = Base(A(p = 5)); package Seven extends Base(A(p = 7)); end Seven;
    package Other model A Real z; end A; end Other;`;

  const sizesOf = (shown: string[]): string[] => shown.filter((line) => line.endsWith(']'));

  /** What a model is, or what is wrong with it, with the package in folders; and with the same package in one file. */
  const both = (text: string): [string[], string[]] => {
    const answers = [new Library({ files: new MemoryFiles(folders), roots: ['/f'] }), load(whole)].map(
      (library) => {
        library.add(stored(`${users} ${text} end T;`));
        const { root, diagnostics } = instantiate(library, 'T.M');
        return diagnostics.length > 0 ? diagnostics.map(({ message }) => message) : sizesOf(show(root!));
      },
    );
    return answers as [string[], string[]];
  };

  it.each([
    ['model M Base.U u; end M;', ['u.a.x[1]']],
    ['model M Five.U u; Seven.A b; end M;', ['u.a.x[5]', 'b.x[7]']],
    ['package D extends Five(A(p = 2)); end D; model M D.U u; end M;', ['u.a.x[2]']],
    ['package D extends Base(A(p = 3)); extends Base(A(p = 3)); end D; model M D.A b; end M;', ['b.x[3]']],
    ['package D extends Base; protected extends Base; end D; model M D.A b; end M;', ['b.x[1]']],
  ])('with what is said of them: %s', (text, expected) => {
    expect(both(text)).toEqual([expected, expected]);
  });

  it.each([
    ['package E = Base; model M E.Sub.V v; E.Sub.Deep.B b; end M;', ['v.b.y[2]', 'b.y[2]']],
    ['package E = Base.Sub; model M E.Deep.B b(p = 4); end M;', ['b.y[4]']],
    [
      'package D extends Base(Sub(k = 3, Deep(B(p = k + 1)))); constant Integer k = 6; end D; model M D.Sub.V v; Base.Sub.V w; end M;',
      ['v.b.y[7]', 'w.b.y[2]'],
    ],
    [
      'package D extends Base; end D; package F = D(Sub(k = 5)); package G extends F; end G; model M G.Sub.V v; D.Sub.V w; end M;',
      ['v.b.y[5]', 'w.b.y[2]'],
    ],
    [
      'package D extends Base(Sub(redeclare model Z = Five)); model Five Real z, f[5]; end Five; end D; model M D.Sub.Deep.B b; end M;',
      ['b.y[2]', 'b.z.f[5]'],
    ],
    [
      'package D extends Base; end D; model N replaceable D.Sub.V v; end N; model M N n(redeclare Base.Sub.V v); end M;',
      ['n.v.b.y[2]'],
    ],
  ])('below folders: %s', (text, expected) => {
    expect(both(text)).toEqual([expected, expected]);
  });

  it.each([
    [
      'package D extends Base; extends Five; end D; model M D.A b; end M;',
      '`A` is inherited in two ways with different modifiers.',
    ],
    [
      'package D extends Five; extends Seven; end D; model M D.U u; end M;',
      '`A` is inherited in two ways with different modifiers.',
    ],
    [
      'package D extends Other; extends Base; end D; model M D.A b; end M;',
      '`A` is inherited in two ways, as different classes.',
    ],
    [
      'package D extends Base; model A Real z; end A; end D; model M D.A b; end M;',
      'The class `A` is also inherited, with different contents.',
    ],
    [
      'package D extends Base; redeclare model A = Other.A; end D; model M D.A b; end M;',
      'The class `A` is redeclared but not replaceable.',
    ],
  ])('as in one file: %s', (text, expected) => {
    expect(both(text)).toEqual([[expected], [expected]]);
  });
});

describe('folders', () => {
  it('give packages, sub-packages and classes', () => {
    const { library } = open('/lib');
    const { root, diagnostics } = instantiate(library, 'P.A');
    expect(diagnostics).toEqual([]);
    expect(show(root!)).toEqual(['x[2]', 'b.y[3]']);
  });

  it('are read only when a name in them is needed', () => {
    const { library, memory } = open('/lib');
    instantiate(library, 'P.Inside');
    expect(memory.reads).toEqual(['/lib/P/package.mo']);
    instantiate(library, 'P.A');
    expect(memory.reads).toEqual([
      '/lib/P/package.mo',
      '/lib/P/A.mo',
      '/lib/P/Sub/package.mo',
      '/lib/P/Sub/B.mo',
    ]);
  });

  it('may be one file, carry a version, or be the root itself', () => {
    expect(show(instantiate(open('/lib').library, 'Single.M').root!)).toEqual(['z']);
    expect(show(instantiate(open('/lib').library, 'V.M').root!)).toEqual(['x[10]']);
    expect(show(instantiate(open('/lib/P').library, 'P.A').root!)).toEqual(['x[2]', 'b.y[3]']);
    expect(show(instantiate(open('/lib/V 1.2').library, 'V.M').root!)).toEqual(['x[2]']);
  });

  it('files of a root that is a package are not classes of the top level', () => {
    const { library } = open('/lib/P');
    expect(library.topLevelNames()).toEqual(['P', 'Mutabor']);
    expect(instantiate(library, 'A').root).toBeUndefined();
  });

  it('the first root that holds a name decides', () => {
    expect(show(instantiate(open('/lib', '/other').library, 'Q').root!)).toEqual(['a.x[2]', 'a.b.y[3]']);
    const { diagnostics } = instantiate(open('/other', '/lib').library, 'Q');
    expect(lines(diagnostics)).toEqual(['1:9 unknown-class The class `P.A` cannot be found from `Q`.']);
  });

  it('list their classes without reading them', () => {
    const { library, memory } = open('/lib');
    expect(library.topLevelNames().sort()).toEqual(['Mutabor', 'P', 'Single', 'V']);
    const names = library.nestedNames(library.topLevel('P')!);
    expect(new Set(names)).toEqual(new Set(['Inside', 'n', 'A', 'Sub', 'Unused']));
    expect(memory.reads).toEqual(['/lib/P/package.mo', '/lib/P/package.order']);
  });

  it('are never left through a name', () => {
    const { library, memory } = open('/lib/P');
    expect(library.topLevel('../Single')).toBeUndefined();
    expect(library.byPath(['P', '../../Single'])).toBeUndefined();
    expect(memory.reads).toEqual(['/lib/P/package.mo']);
  });

  it('report syntax errors of the files that are used', () => {
    const { library } = open('/lib');
    library.add(stored('model M P.Unused u; end M;'));
    const { diagnostics } = instantiate(library, 'M');
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics[0]).toMatchObject({
      severity: 'error',
      code: 'syntax-error',
      span: { source: { name: '/lib/P/Unused.mo' } },
    });
  });

  it('classes of a file are read only when they are used', () => {
    const text = `package P "text"
      constant Real c = 3;
      model Used extends Base; Part part; Real y = c; Function f; replaceable model M = Part; end Used;
      partial model Base Real z = 1; end Base;
      model Part Real x = f(2); end Part;
      type Function = Real;
      function f input Real u; output Real y; algorithm y := u; end f;
      package Sub model Broken Real b = ; end Broken; end Sub;
      model Broken Real b = ; end Broken;
      function broken input Real u end broken;
      record Data Real end Data;
    end P;`;
    const library = new Library({ files: new MemoryFiles({ '/l/P.mo': text }), roots: ['/l'] });
    const { root, diagnostics } = instantiate(library, 'P.Used');
    expect(lines(diagnostics)).toEqual([]);
    expect(show(root!).length).toBe(4);
    const { diagnostics: wrong } = instantiate(library, 'P.Sub.Broken');
    expect(lines(wrong)).toEqual(['8:41 syntax-error expected an expression, found `;`']);
  });

  it('a file must hold the class of its name, at the place of its folder', () => {
    const memory = new MemoryFiles({
      '/l/P/package.mo': 'package P end P;',
      '/l/P/A.mo': 'within P;\nmodel B end B;',
      '/l/P/C.mo': 'within Q;\nmodel C Real x; end C;',
    });
    const library = new Library({ files: memory, roots: ['/l'] });
    library.add(stored('model M P.A a; P.C c; end M;'));
    expect(lines(instantiate(library, 'M').diagnostics)).toEqual([
      '2:7 unknown-class The file defines `B`, not the class `A` that its name promises. | The name of a file must be the name of the one class in it.',
      '1:8 unknown-class The file belongs to `P`, not to `Q`. | Write `within P;` at the beginning of the file.',
      '1:9 unknown-class The class `P.A` cannot be found from `M`.',
    ]);
  });
});

describe('what is wrong with folders of libraries is told', () => {
  const told = (files: Record<string, string>, model: string, roots = ['/l']): readonly string[] => {
    const library = new Library({ files: new MemoryFiles(files), roots });
    return lines(instantiate(library, model).diagnostics);
  };

  it.each([
    ['/l/P/A.mo', 'within P;\nmodel A Real x = 2; end A;'],
    ['/l/P/A/package.mo', 'within P;\npackage A end A;'],
  ])('a class of package.mo that is stored again in %s', (path, text) => {
    const files = { '/l/P/package.mo': 'package P model A Real x = 1; end A; end P;', [path]: text };
    expect(told(files, 'P.A')).toEqual([
      `1:17 duplicate-name The class \`P.A\` is stored twice, in \`/l/P/package.mo\` and in \`${path}\`. | Remove the one that is not meant.`,
    ]);
  });

  it('a folder that is no package is no second class', () => {
    const files = {
      '/l/P/package.mo': 'package P model A Real x = 1; end A; end P;',
      '/l/P/A/notes.txt': 'Notes on A.',
    };
    expect(told(files, 'P.A')).toEqual([]);
  });

  it('a file without within', () => {
    const files = { '/l/P/package.mo': 'package P end P;', '/l/P/A.mo': 'model A Real x = 1; end A;' };
    expect(told(files, 'P.A')[0]).toBe(
      '1:1 unknown-class The file belongs to `P`, but does not say so. | Write `within P;` at the beginning of the file.',
    );
  });

  it('a package in a folder of another name, unless the folder itself is named', () => {
    const files = {
      '/l/P-main/package.mo': '// Of package X.\nwithin ;\npackage P "The package Q" end P;',
      '/l/P-main/A.mo': 'within P;\nmodel A Real x = 1; end A;',
      '/l/Q/package.mo': 'package P end P;',
    };
    expect(told(files, 'Q.A')[0]).toBe(
      '1:9 unknown-class The file defines `P`, not the class `Q` that the name of its folder promises. | The name of a folder must be the name of the one class in it.',
    );
    expect(told(files, 'P.A', ['/l/P-main'])).toEqual([]);
  });
});

describe('given texts', () => {
  it('are listed in their order, the last one last', () => {
    const library = load('model A Real x; end A; model B Real y; end B;', 'model C Real z; end C;');
    expect(library.classes.map((known) => known.path)).toEqual(['A', 'B', 'C']);
  });

  it('go where `within` says', () => {
    const library = load('package P constant Integer n = 3; end P;', 'within P; model A Real x[n]; end A;');
    expect(library.classes.map((known) => known.path)).toEqual(['P', 'P.A']);
    expect(show(instantiate(library, 'P.A').root!)).toEqual(['x[3]']);
  });

  it('can extend a package of a folder', () => {
    const { library } = open('/lib');
    expect(library.add(stored('within P; model New A a; end New;'))).toEqual([]);
    expect(show(instantiate(library, 'P.New').root!)).toEqual(['a.x[2]', 'a.b.y[3]']);
  });

  it('go before those of the folders', () => {
    const { library } = open('/lib');
    library.add(stored('package P model A Real own; end A; end P;'));
    expect(show(instantiate(library, 'P.A').root!)).toEqual(['own']);
  });

  it('report a missing package and a second definition', () => {
    const library = new Library();
    expect(lines(library.add(stored('within P.Q;\nmodel A end A;')))).toEqual([
      '1:8 unknown-class The package `P.Q` named after `within` does not exist. | Load the file that holds the package first.',
    ]);
    expect(lines(library.add(stored('model A end A;\nmodel A end A;')))).toEqual([
      '2:7 duplicate-name The class `A` is defined twice. | Rename one of the two classes.',
    ]);
  });
});
