/** Files that commands write: whole or not at all, with what they replace as it was until then. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/cli/surroundings.ts';
import { obstacle, writeWhole } from '../../src/cli/write.ts';
import { fake } from './fake.ts';
import { folder, run } from './terminal.ts';

const model = 'model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;';

/** The part of the surroundings that writing needs, and the drafts that it tells of. */
function surroundings(cwd: string): { io: Io; drafts: (string | undefined)[] } {
  const drafts: (string | undefined)[] = [];
  const io = { cwd, drafting: (path: string | undefined) => drafts.push(path) } as unknown as Io;
  return { io, drafts };
}

/** Two parts, then what a full disk does. */
function* broken(): Generator<string> {
  yield 'new ';
  yield 'text';
  throw new Error('ENOSPC: no space left on device');
}

describe('a file', () => {
  it('takes the place of the one before, and nothing is left beside it', () => {
    const cwd = folder({ 'a.csv': 'old' });
    const { io, drafts } = surroundings(cwd);
    writeWhole(io, 'a.csv', ['new ', new TextEncoder().encode('text')]);
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8')).toBe('new text');
    expect(readdirSync(cwd)).toEqual(['a.csv']);
    expect(drafts).toHaveLength(2);
    expect(drafts[0]).toMatch(/\.mutabor-\d+-[0-9a-f]{8}\.part$/);
    expect(drafts[1]).toBeUndefined();
  });

  it('stays what it was while another is written, and where that fails', () => {
    const cwd = folder({ 'a.csv': 'old' });
    const { io } = surroundings(cwd);
    const seen: string[] = [];
    function* watched(): Generator<string> {
      for (const part of broken()) {
        yield part;
        seen.push(readFileSync(join(cwd, 'a.csv'), 'utf8'));
      }
    }
    expect(() => writeWhole(io, 'a.csv', watched())).toThrow('ENOSPC');
    expect(seen).toEqual(['old', 'old']);
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8')).toBe('old');
    expect(readdirSync(cwd)).toEqual(['a.csv']);
    expect(() => writeWhole(io, 'b.csv', broken())).toThrow('ENOSPC');
    expect(readdirSync(cwd)).toEqual(['a.csv']);
  });

  it('is that of one of two writers, not of both', () => {
    const cwd = folder();
    const { io } = surroundings(cwd);
    function* first(): Generator<string> {
      yield 'first ';
      writeWhole(io, 'a.csv', ['second ', 'second']);
      yield 'first';
    }
    writeWhole(io, 'a.csv', first());
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8')).toBe('first first');
  });

  it('keeps its permissions; a new one has those of any new file', () => {
    const cwd = folder({ 'a.csv': 'old' });
    const { io } = surroundings(cwd);
    chmodSync(join(cwd, 'a.csv'), 0o640);
    writeWhole(io, 'a.csv', ['new']);
    expect(statSync(join(cwd, 'a.csv')).mode & 0o7777).toBe(0o640);
    writeWhole(io, 'b.csv', ['new']);
    expect(statSync(join(cwd, 'b.csv')).mode & 0o7777).toBe(0o666 & ~process.umask());
  });

  it('is the one that a link leads to, be it there or not', () => {
    const cwd = folder({ 'there/a.csv': 'old' });
    const { io } = surroundings(cwd);
    symlinkSync('there/a.csv', join(cwd, 'link.csv'));
    symlinkSync('link.csv', join(cwd, 'twice.csv'));
    symlinkSync('there/b.csv', join(cwd, 'new.csv'));
    writeWhole(io, 'twice.csv', ['new']);
    writeWhole(io, 'new.csv', ['new']);
    expect(lstatSync(join(cwd, 'link.csv')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(cwd, 'twice.csv')).isSymbolicLink()).toBe(true);
    for (const name of ['a.csv', 'b.csv']) expect(readFileSync(join(cwd, 'there', name), 'utf8')).toBe('new');
    expect(readdirSync(join(cwd, 'there'))).toEqual(['a.csv', 'b.csv']);
  });

  it('may have a name as long as names can be', () => {
    const cwd = folder();
    const name = `${'n'.repeat(251)}.csv`;
    writeWhole(surroundings(cwd).io, name, ['new']);
    expect(readdirSync(cwd)).toEqual([name]);
  });

  it.runIf(process.platform === 'linux')('is written through where it is a device or a pipe', async () => {
    const cwd = folder();
    const { io, drafts } = surroundings(cwd);
    expect(() => writeWhole(io, '/dev/full', ['text'])).toThrow('ENOSPC');
    writeWhole(io, '/dev/null', ['text']);
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    spawnSync('mkfifo', [join(cwd, 'pipe.csv')]);
    const reader = spawn('cat', [join(cwd, 'pipe.csv')]);
    const text = new Promise((done) => {
      let all = '';
      reader.stdout.on('data', (data) => {
        all += data;
      });
      reader.on('close', () => done(all));
    });
    writeWhole(io, 'pipe.csv', ['through ', 'the pipe']);
    expect(await text).toBe('through the pipe');
    expect(lstatSync(join(cwd, 'pipe.csv')).isFIFO()).toBe(true);
    expect(drafts).toEqual([]);
  });
});

describe('what stands in the way', () => {
  it('is told before anything is written', () => {
    const cwd = folder({ 'a.mo': model });
    const { io } = surroundings(cwd);
    mkdirSync(join(cwd, 'd.csv'));
    symlinkSync('a.mo', join(cwd, 'link.mo'));
    linkSync(join(cwd, 'a.mo'), join(cwd, 'other.mo'));
    expect(obstacle(io, 'b.csv', [])).toBeUndefined();
    expect(obstacle(io, 'd.csv', [])).toBe('it is a folder');
    expect(obstacle(io, 'no/b.csv', [])).toContain('does not exist');
    expect(obstacle(io, 'a.mo', ['b.mo'])).toBeUndefined();
    for (const path of ['a.mo', './a.mo', join(cwd, 'a.mo'), 'link.mo', 'other.mo'])
      expect(obstacle(io, path, ['a.mo'])).toBe('it is an input of this command');
  });

  it.runIf(process.getuid?.() !== 0)('may be permissions, of the file or of its folder', () => {
    const cwd = folder({ 'a.csv': 'old', 'closed/b.csv': 'old' });
    const { io } = surroundings(cwd);
    chmodSync(join(cwd, 'a.csv'), 0o444);
    expect(obstacle(io, 'a.csv', [])).toBe('permission denied');
    expect(() => writeWhole(io, 'a.csv', ['new'])).toThrow('EACCES');
    chmodSync(join(cwd, 'closed'), 0o555);
    expect(obstacle(io, 'closed/b.csv', [])).toContain('new files are needed in the folder');
    chmodSync(join(cwd, 'closed'), 0o755);
  });

  it('may be the input of a command, which is never overwritten', async () => {
    const cwd = folder({ 'M.mo': model, 'm.csv': model, 'P/package.mo': 'package P end P;' });
    writeFileSync(join(cwd, 'P/M.mo'), `within P; ${model}`);
    const refused = async (line: string): Promise<void> => {
      const { status, err } = await run(line.split(' '), { cwd, core: fake() });
      expect(err).toContain('cannot be written: it is an input of this command. [bad-option]');
      expect(status).toBe(2);
    };
    await refused('export M.mo --as modelica --output M.mo');
    await refused('simulate m.csv --output m.csv');
    expect(readFileSync(join(cwd, 'M.mo'), 'utf8')).toBe(model);
    // A class of a library is read when it is needed.
    const { status, err } = await run(
      ['export', '--library', '.', '--model', 'P.M', '--as', 'modelica', '--output', 'P/M.mo'],
      { cwd },
    );
    expect(err).toContain('it is an input of this command');
    expect(status).toBe(2);
    expect(readFileSync(join(cwd, 'P/M.mo'), 'utf8')).toBe(`within P; ${model}`);
    writeFileSync(join(cwd, 'r.csv'), 'time,x\n0,1\n1,2\n');
    await refused('results r.csv --output r.csv');
    await refused('results r.csv --output ./r.csv --variables x');
    expect(readFileSync(join(cwd, 'r.csv'), 'utf8')).toBe('time,x\n0,1\n1,2\n');
  });

  it('is told where a comparison cannot be drawn', async () => {
    const cwd = folder({ 'a.csv': 'time,x\n0,1\n1,2\n', 'b.csv': 'time,x\n0,1\n1,3\n' });
    symlinkSync('/dev/full', join(cwd, 'full.svg'));
    const { status, err, json } = await run('compare a.csv b.csv --plot full.svg --json'.split(' '), { cwd });
    expect(status).toBe(1);
    expect(err).toBe('');
    expect(json.diagnostics[0].message).toContain('could not be written: ENOSPC');
  });
});

describe.runIf(process.platform === 'linux')('what is no file', () => {
  const cwd = folder({ 'M.mo': model });

  it('is refused as an input', async () => {
    spawnSync(
      'mkfifo',
      ['pipe.mo', 'pipe.csv', 'pipe.mjs'].map((name) => join(cwd, name)),
    );
    for (const line of ['check pipe.mo', 'check /dev/zero', 'simulate pipe.mjs', 'results pipe.csv']) {
      const { status, err } = await run(line.split(' '), { cwd });
      expect(err).toContain('is a pipe or a device, not a file. [file-not-found]');
      expect(status).toBe(2);
    }
    expect((await run(['compare', '/dev/zero', '/dev/zero'], { cwd })).status).toBe(2);
  });

  it('is no class of a library', async () => {
    const library = folder({ 'P/package.mo': 'package P end P;' });
    spawnSync('mkfifo', [join(library, 'P/Pipe.mo')]);
    const { status } = await run(['check', '--library', library, '--model', 'P.Pipe'], { cwd });
    expect(status).not.toBe(0);
    expect(existsSync(join(library, 'P/Pipe.mo'))).toBe(true);
  });
});
