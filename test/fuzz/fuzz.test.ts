/** The fuzzer itself, a short run of it, and what it found before: see the head of `fuzz.ts`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HostFiles } from '../../src/cli/files.ts';
import { root } from '../docs/pages.ts';
import { readCorpus } from './corpus.ts';
import { judge, signatureOf } from './judge.ts';
import { signals } from './limits.ts';
import { members, mutated, tokensOf } from './mutate.ts';
import { Random } from './random.ts';
import { Runner } from './runner.ts';
import { shrunk } from './shrink.ts';

const corpus = readCorpus(root);
const files = new HostFiles(join(root, 'models'));
files.allow('.');

describe('the fuzzer', () => {
  it('makes the same text of the same seed, and others of others', () => {
    const texts = (seed: number): string[] =>
      Array.from({ length: 50 }, (_, n) => mutated(new Random(seed, n), corpus));
    expect(texts(7)).toEqual(texts(7));
    const all = new Set([...texts(7), ...texts(8)]);
    expect(all.size).toBeGreaterThan(90);
  });

  it('takes texts apart so that they can be put together again', () => {
    expect(corpus.length).toBeGreaterThan(150);
    for (const text of corpus) {
      expect(tokensOf(text).join('')).toBe(text);
      expect(members(text).join('')).toBe(text);
    }
  });

  it('comes to results with the models that it begins with', async () => {
    for (const name of ['BouncingBall', 'DriveTrain']) {
      const text = readFileSync(join(root, 'examples', `${name}.mo`), 'utf8');
      expect(await judge(text, files, 1)).toEqual({ reached: 'results' });
    }
  });

  it('finds exceptions', async () => {
    const broken = {
      list: files.list.bind(files),
      read: () => {
        throw new TypeError('nobody expects this');
      },
    };
    const { finding } = await judge('model M extends Mutabor.Blocks.Gain; end M;', broken, 1);
    expect(finding).toMatchObject({ kind: 'crash', stage: 'flatten' });
    expect(finding!.message).toContain('nobody expects this');
  });

  it('lives on where a text ends the process that judges it', async () => {
    const script = `process.on('message', ({ text }) => {
      if (text === '') process.send({ reached: 'tree' });
      else process.kill(process.pid, text);
    }); process.on('disconnect', () => process.exit())`;
    const folder = mkdtempSync(join(tmpdir(), 'mutabor-fuzz-'));
    const file = join(folder, 'worker.mjs');
    writeFileSync(file, script);
    const runner = new Runner(pathToFileURL(file));
    const kindOf = async (text: string) => (await runner.judge({ text, seed: 1 })).finding?.kind;
    expect(await kindOf(signals.memory)).toBe('memory');
    expect(await kindOf('')).toBeUndefined();
    expect(await kindOf(signals.time)).toBe('hang');
    expect(await kindOf('SIGKILL')).toBe('crash');
    expect(await kindOf('')).toBeUndefined();
    runner.end();
    rmSync(folder, { recursive: true });
  });

  it('knows two findings for the same if only names and numbers differ', () => {
    const finding = (message: string) => signatureOf({ kind: 'crash', stage: 'check', message });
    expect(finding('There is no `a` at 1.5e3.')).toBe(finding('There is no `bc` at 20.'));
    expect(finding('There is no `a` at 1.')).not.toBe(finding('There is one `a` at 1.'));
  });

  it('makes texts as small as what they show', async () => {
    const text = 'model A\n  Real x;\n  Real y;\nequation\n  x = 1;\n  y = sin(x) + 2;\nend A;\n';
    const shows = async (candidate: string): Promise<boolean> => /sin\(x/.test(candidate);
    expect(await shrunk(text, shows)).toBe('sin(x');
    expect(await shrunk(text, async (candidate) => candidate === text)).toBe(text);
  });

  it('finds nothing in a short run', () => {
    const script = join(root, 'test/fuzz/run.mjs');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [script, '--seed', '20', '--cases', '200'],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/200 cases of seed 20: 0 findings/);
    expect(status).toBe(0);
  });
});

describe('what was found is gone', () => {
  const folder = join(root, 'test/fuzz/found');

  it.each(readdirSync(folder))('%s', async (name) => {
    const { finding } = await judge(readFileSync(join(folder, name), 'utf8'), files, 1);
    expect(finding).toBeUndefined();
  });
});
