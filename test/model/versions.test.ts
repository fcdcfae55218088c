/** Versions of libraries in names and annotations (specification 3.6, sections 13.4 and 18.8). */
import { describe, expect, it } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import type { FileSystem } from '../../src/model/classes/files.ts';
import { compareVersions, sameVersion } from '../../src/model/classes/versions.ts';
import { instantiate } from '../../src/model/instances/instantiate.ts';
import { Library } from '../../src/model/library.ts';
import { parse } from '../../src/syntax/parser.ts';
import { lines, MemoryFiles, show } from './notation.ts';

/** A library whose model has as many elements as its version says, with more in its annotation. */
const edition = (size: number, more = ''): string =>
  `package V model M Real x[${size}]; end M; annotation(${more}); end V;`;

/** The user of a version of it. */
const user = (version: string, name = 'U'): string =>
  `model ${name} V.M m; annotation(uses(V(version = "${version}"))); end ${name};`;

/** What the model `U` of a text, beside files, becomes: sizes of its variables, then diagnostics. */
function using(text: string, files: Record<string, string>, roots = ['/l'], name = 'U'): string[] {
  const library = new Library({ files: new MemoryFiles(files), roots });
  const { definition } = parse(new Source('u.mo', text));
  const problems = library.add(definition);
  const { root, diagnostics } = instantiate(library, name);
  return [...(root ? show(root) : []), ...lines([...problems, ...diagnostics])];
}

describe('the version that is used', () => {
  const files = {
    '/l/V 1.2/package.mo': edition(12, 'version = "1.2"'),
    '/l/V 1.10/package.mo': edition(110, 'version = "1.10", conversion(noneFromVersion = "1.9")'),
    '/l/V 2.0.mo': edition(20, 'version = "2.0"'),
    '/l/V 3.0 Beta 1/package.mo': edition(29),
    '/l/V 3.0/package.mo': edition(30, 'version = "3.0"'),
  };

  it.each([
    ['1.2', 12],
    ['1.10', 110],
    ['2.0', 20],
    ['2.0.0', 20],
    ['3.0', 30],
    ['3.0 Beta 1', 29],
    // It needs no conversion from this one.
    ['1.9', 110],
  ])('%s is chosen among several', (version, size) => {
    expect(using(user(version), files)).toEqual([`m.x[${size}]`]);
  });

  it('where nobody says which, is the newest', () => {
    expect(using('model U V.M m; end U;', files)).toEqual(['m.x[30]']);
  });

  it('that is not there is told, with what there is', () => {
    expect(using(user('4.0'), files)).toEqual([
      'm.x[30]',
      '1:32 warning library-version `U` uses version 4.0 of `V`, but what is there is version 3.0. | ' +
        'It is read from `/l/V 3.0`; there is `/l/V 3.0`, `/l/V 3.0 Beta 1`, `/l/V 2.0.mo`, `/l/V 1.10`, `/l/V 1.2`. ' +
        'Put the version that is used into a folder `V 4.0` beside it, or write the version that is there in `uses`.',
    ]);
  });

  it('may be that of a folder without one in its name, which its annotation tells', () => {
    const plain = { ...files, '/l/V/package.mo': edition(15, 'version = "1.5"') };
    expect(using(user('1.5'), plain)).toEqual(['m.x[15]']);
    expect(using(user('1.2'), plain)).toEqual(['m.x[12]']);
    expect(using('model U V.M m; end U;', plain)).toEqual(['m.x[15]']);
  });

  it('may be in another folder of libraries', () => {
    const two = { '/a/V 1.2/package.mo': edition(12), '/b/V 1.3/package.mo': edition(13) };
    expect(using(user('1.3'), two, ['/a', '/b'])).toEqual(['m.x[13]']);
    expect(using(user('1.2'), two, ['/b', '/a'])).toEqual(['m.x[12]']);
  });

  it('gives way to the folder of a library that is named itself, with a warning', () => {
    const [sizes, problem] = using(user('1.2'), files, ['/l/V 3.0', '/l']);
    expect([sizes, problem!.split(' | ')[0]]).toEqual([
      'm.x[30]',
      '1:32 warning library-version `U` uses version 1.2 of `V`, but what is there is version 3.0.',
    ]);
  });

  it('is the same where a build is added to it', () => {
    expect(using(user('4.0.0'), { '/l/V 4.0.0+maint.2/package.mo': edition(4), ...files })).toEqual([
      'm.x[4]',
    ]);
  });
});

describe('libraries that use libraries', () => {
  it('bring the version that they use', () => {
    const files = {
      '/l/W/package.mo': 'package W model N V.M m; end N; annotation(uses(V(version = "1.2"))); end W;',
      '/l/V 1.2/package.mo': edition(12),
      '/l/V 1.3/package.mo': edition(13),
    };
    expect(using('model U W.N n; end U;', files)).toEqual(['n.m.x[12]']);
    // What the model says goes before; the library is told.
    const mixed = using('model U V.M a; W.N n; annotation(uses(V(version = "1.3"))); end U;', files);
    expect(mixed.map((line) => line.split(' | ')[0])).toEqual([
      'a.x[13]',
      'n.m.x[13]',
      '1:49 warning library-version `W` uses version 1.2 of `V`, but what is there is version 1.3.',
    ]);
  });

  it('may use each other, and are told where they use themselves', () => {
    const files = {
      '/l/A.mo':
        'package A model M Real x; end M; model N B.M b; end N; annotation(version = "1", uses(B(version = "1"))); end A;',
      '/l/B.mo': 'package B model M A.M a; end M; annotation(version = "1", uses(A(version = "1"))); end B;',
      '/l/C.mo': 'package C model M Real x; end M; annotation(version = "2", uses(C(version = "1"))); end C;',
    };
    expect(using('model U A.N n; end U;', files)).toEqual(['n.b.a.x']);
    expect(using('model U C.M m; end U;', files)).toEqual([
      'm.x',
      '1:65 warning library-version `C` says that it uses itself. | Leave it out of `uses`.',
    ]);
  });

  it('are named with their version where they are missing', () => {
    expect(using(user('1.2'), { '/l/Other.mo': 'package Other end Other;' })).toEqual([
      '1:9 unknown-class The class `V.M` cannot be found from `U`. | ' +
        'No library with a package `V` is loaded, which `U` uses in version 1.2; load the model into a `Library` whose `roots` hold it.',
    ]);
  });

  it('without a version are told, texts beside the model are not', () => {
    const [, problem] = using(user('1.2'), { '/l/V.mo': edition(1) });
    expect(problem).toMatch('`U` uses version 1.2 of `V`, but what is there has no version.');
    expect(using(`${edition(3)} ${user('1.2')}`, {})).toEqual(['m.x[3]']);
  });
});

describe('files', () => {
  it('a class is stored in a folder or in a file, not in both', () => {
    const files = {
      '/l/P/package.mo': 'package P end P;',
      '/l/P/A/package.mo': 'within P; model A Real x; end A;',
      '/l/P/A.mo': 'within P; model A Real y; end A;',
    };
    expect(using('model U P.A a; end U;', files)).toEqual([
      'a.x',
      '1:17 duplicate-name The class `P.A` is stored twice, in `/l/P/A/package.mo` and in `/l/P/A.mo`. | Remove the one that is not meant.',
    ]);
  });

  it('the order of a package has all its names, once', () => {
    const files = {
      '/l/P/package.mo': 'package P constant Real c = 1; model Own end Own; end P;',
      '/l/P/package.order': 'c\nAlpa\n\nB\nB\n  Nothing\n',
      '/l/P/Alpha.mo': 'within P; model Alpha end Alpha;',
      '/l/P/B/package.mo': 'within P; package B end B;',
      '/l/P/Resources/table.txt': 'no class',
    };
    const library = new Library({ files: new MemoryFiles(files), roots: ['/l'] });
    expect(lines(library.orderProblems(library.topLevel('P')!))).toEqual([
      '2:1 warning unknown-class `Alpa` is listed, but the package has no such class or constant. | Did you mean `Alpha`?',
      '5:1 warning duplicate-name `B` is listed twice. | Leave one of them out.',
      '6:3 warning unknown-class `Nothing` is listed, but the package has no such class or constant. | Leave it out, or add the file that is missing.',
      '1:1 warning unknown-class The package also has `Own`, `Alpha`, which the file does not list. | List all classes and constants, in the order in which they are to be shown.',
    ]);
  });

  it('of a library are named from its folder, and not from elsewhere', () => {
    const files = {
      '/l/P 1.0/package.mo': 'package P end P;',
      '/l/P 1.0/Sub/package.mo': 'within P; package Sub end Sub;',
      '/l/P 1.0/Resources/a b.txt': 'resource',
      '/l/P 1.0/Sub/c.txt': 'below',
      '/l/secret.txt': 'secret',
    };
    const { resources } = new Library({ files: new MemoryFiles(files), roots: ['/l'] });
    const read = (name: string) => {
      const bytes = resources.read(name);
      return bytes && new TextDecoder().decode(bytes);
    };
    expect(read('modelica://P/Resources/a b.txt')).toBe('resource');
    expect(read('modelica://P/Resources/a%20b.txt')).toBe('resource');
    expect(read('modelica://P.Sub/c.txt')).toBe('below');
    for (const out of [
      'modelica://P/../secret.txt',
      'modelica://P/%2e%2e/secret.txt',
      'modelica://Q/secret.txt',
    ]) {
      expect(read(out)).toBeUndefined();
      expect(resources.fullName(out)).toBeUndefined();
    }
    expect(read('/l/secret.txt')).toBe('secret');
    expect(resources.fullName('modelica://P.Sub/c.txt')).toBe('/l/P 1.0/Sub/c.txt');
  });

  it('in Latin-1 are read and told, those in UTF-8 with a byte order mark are read', () => {
    const texts: Record<string, Uint8Array> = {
      '/l/L.mo': Buffer.from('model L "Wärme" Real x; end L;', 'latin1'),
      '/l/B.mo': Buffer.from('\ufeffmodel B "Wärme" Real x; end B;', 'utf8'),
      '/l/R.mo': Buffer.from('model R "a \ufffd sign" Real x; end R;', 'utf8'),
    };
    const files: FileSystem = {
      list: () => Object.keys(texts).map((path) => ({ name: path.slice(3), folder: false })),
      read: (path) => texts[path] && Buffer.from(texts[path]).toString('utf8'),
      bytes: (path) => texts[path],
    };
    const show = (name: string) => {
      const { root, diagnostics } = instantiate(new Library({ files, roots: ['/l'] }), name);
      return [...(root?.members.keys() ?? []), ...lines(diagnostics)];
    };
    expect(show('L')).toEqual([
      'x',
      '1:11 warning bad-character The file is not in UTF-8; it is read as Latin-1. | Save it in UTF-8.',
    ]);
    expect(show('B')).toEqual(['x']);
    expect(show('R')).toEqual(['x']);
  });
});

it('versions are ordered by their numbers, and a release comes after what was before it', () => {
  const ordered = ['1', '1.2', '1.10', '2.0 Beta 1', '2.0 Beta 2', '2.0 Beta 10', '2.0', '2.0.1', '10'];
  for (const [i, a] of ordered.entries())
    for (const [j, b] of ordered.entries()) expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j));
  expect(sameVersion('4.0', '4.0.0+build.7')).toBe(true);
  expect(sameVersion('Test 1', 'Test 2')).toBe(false);
});
