import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HostFiles } from '../../src/cli/files.ts';
import { fake } from './fake.ts';
import { folder, run } from './terminal.ts';

describe('files of the host', () => {
  const home = folder({
    'lib/package.mo': 'package lib end lib;',
    'lib/sub/A.mo': 'text',
    'secret.txt': 'secret',
    'library2/x.mo': 'x',
  });
  symlinkSync(join(home, 'secret.txt'), join(home, 'lib', 'leak.mo'));
  symlinkSync(join(home, 'lib', 'sub'), join(home, 'lib', 'again'));
  const files = new HostFiles(home);
  files.allow('lib');

  it('are read below allowed folders', () => {
    expect(files.read('lib/sub/A.mo')).toBe('text');
    expect(files.read(join(home, 'lib/sub/A.mo'))).toBe('text');
    expect(files.read('lib/again/A.mo')).toBe('text');
    expect(files.list('lib')).toEqual([
      { name: 'again', folder: true },
      { name: 'leak.mo', folder: false },
      { name: 'package.mo', folder: false },
      { name: 'sub', folder: true },
    ]);
  });

  it.each([
    'secret.txt',
    'lib/../secret.txt',
    'lib/leak.mo',
    'library2/x.mo',
    '/etc/passwd',
    '',
    '.',
    'lib/\0',
  ])('%j is not read', (path) => {
    expect(files.read(path)).toBeUndefined();
  });

  it('are not listed elsewhere', () => {
    for (const path of ['.', 'lib/..', 'library2', 'lib/package.mo', 'nowhere']) {
      expect(files.list(path)).toBeUndefined();
    }
  });
});

describe('a library that is a link in a folder of libraries', () => {
  const home = folder({
    'kept/Tanks-main/package.mo':
      'package Tanks model Tank Real h(start = 1, fixed = true); equation der(h) = -h; end Tank; end Tanks;',
    'kept/Tanks-main/note.txt': 'text',
    'lib/Other.mo': 'model Other end Other;',
    'secrets/letter.txt': 'secret',
  });
  symlinkSync(join(home, 'kept/Tanks-main'), join(home, 'lib/Tanks'));
  symlinkSync(join(home, 'secrets'), join(home, 'lib/secrets'));

  it('is read, other folders that are linked there are not', () => {
    const files = new HostFiles(home);
    files.allowLibraries('lib');
    expect(files.read('lib/Tanks/note.txt')).toBe('text');
    expect(files.read('lib/secrets/letter.txt')).toBeUndefined();
  });

  it.each([
    [['--library', 'lib'], {}],
    [[], { MODELICAPATH: 'lib' }],
  ])('is found by %j and %j', async (args, env) => {
    const { status, out } = await run(['check', ...args, '--model', 'Tanks.Tank'], { cwd: home, env });
    expect(out).toContain('states        h');
    expect(status).toBe(0);
  });
});

describe('the input', () => {
  const home = folder({
    'Tank/package.mo': 'within ; package Tank model Simple end Simple; end Tank;',
    'Tank/package.order': 'Simple\nParts\n',
    'Tank/Parts/package.mo': 'within Tank; package Parts end Parts;',
    'Tank/Parts/Pipe.mo': 'within Tank.Parts; model Pipe end Pipe;',
    'Tank/Parts/Broken.mo': 'within Tank.Parts; model Broken Real end Broken;',
    'nested.mo': 'package P model A end A; package Q model B end B; end Q; function f end f; end P;',
    'mixed.mo': 'model M end M; partial model N end N; record R end R;',
    'two/a.mo': 'model A end A;',
    'two/b.mo': 'model B end B;',
    'twice.mo': 'model A end A;',
    'lost.mo': 'within Nowhere; model A end A;',
  });
  const chosen = async (line: string, env: Record<string, string> = {}, cwd = home) => {
    const done = await run(['simulate', '--json', ...line.split(' ').filter(Boolean)], {
      cwd,
      env,
      core: fake(),
    });
    return done.status === 0 ? done.core.asked.name : done.json.diagnostics[0].code;
  };

  it.each([
    ['nested.mo', 'P.Q.B'],
    ['mixed.mo', 'M'],
    ['two', 'B'],
    ['two/', 'B'],
    ['two/b.mo two/a.mo', 'A'],
    ['Tank', 'Tank.Simple'],
    ['Tank/package.mo', 'Tank.Simple'],
    ['Tank/Parts/Pipe.mo', 'Tank.Parts.Pipe'],
    ['Tank/Parts/Pipe.mo --model Tank.Simple', 'Tank.Simple'],
    ['Tank --model Tank.Parts.Pipe', 'Tank.Parts.Pipe'],
    ['--library Tank --model Tank.Parts.Pipe', 'Tank.Parts.Pipe'],
    ['--library . --model Tank.Parts.Pipe', 'Tank.Parts.Pipe'],
    ['two/a.mo twice.mo', 'duplicate-name'],
    ['lost.mo', 'unknown-class'],
    ['Tank/Parts', 'no-model'],
    ['two --model P.A', 'unknown-class'],
  ])('%s gives %s', async (line, expected) => {
    expect(await chosen(line)).toBe(expected);
  });

  it('reads a package from inside its own folder', async () => {
    expect(await chosen('package.mo', {}, join(home, 'Tank'))).toBe('Tank.Simple');
    expect(await chosen('Pipe.mo', {}, join(home, 'Tank', 'Parts'))).toBe('Tank.Parts.Pipe');
  });

  it('finds libraries by MODELICAPATH, and ignores places that do not exist', async () => {
    expect(await chosen('--model Tank.Simple', { MODELICAPATH: `/nowhere:${home}` })).toBe('Tank.Simple');
    expect(await chosen('--model Tank.Simple', {})).toBe('unknown-class');
  });

  it('finds the library of Mutabor without any setting; a copy of the user comes first', async () => {
    expect(await chosen('--model Mutabor.Electrical.Diode', {})).toBe('Mutabor.Electrical.Diode');
    const own = folder({
      'Mutabor/package.mo': 'package Mutabor end Mutabor;',
      'Mutabor/Mine.mo': 'within Mutabor; model Mine end Mine;',
    });
    expect(await chosen('--model Mutabor.Mine', { MODELICAPATH: own })).toBe('Mutabor.Mine');
    expect(await chosen('--model Mutabor.Electrical.Diode', { MODELICAPATH: own })).toBe('unknown-class');
  });

  it('suggests the class that was meant', async () => {
    const { json, status } = await run(['simulate', '--json', 'two', '--model', 'Aa'], {
      cwd: home,
      core: fake(),
    });
    expect(status).toBe(2);
    expect(json.diagnostics[0].message).toBe('There is no class `Aa`.');
  });
});
