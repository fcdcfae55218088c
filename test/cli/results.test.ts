/** Commands on files of results. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readResults } from '../../src/results/files/formats.ts';
import { toJson } from '../../src/results/files/json.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import { constant, signal } from '../results/signals.ts';
import { run } from './terminal.ts';

const home = mkdtempSync(join(tmpdir(), 'mutabor-results-'));
afterAll(() => rmSync(home, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(home, name), text);
write('a.csv', 'time,x,T[1],T[2]\n0,0,1,2\n1,1,1,2\n');
write('b.csv', 'time,x,T[1],T[2]\n0,0,1,2\n1,1.5,1,2\n');
write('close.csv', 'time,x,T[1],T[2]\n0,0,1,2\n1,1.00001,1,2\n');
write('other.csv', 'time,y\n0,1\n');
write('broken.json', '{"format": "mutabor-results",\n "version": 1,\n');

const mutabor = (...words: string[]) => run(words, { cwd: home });

describe('results', () => {
  it('tells what is in a file', async () => {
    const { status, out } = await mutabor('results', 'a.csv');
    expect(status).toBe(0);
    expect(out).toContain('2 rows over time from 0 s to 1 s, 3 signals');
    expect(out).toMatch(/T +\[2\] +variable +1 … 2/);
  });

  it('writes other formats and plots, with the signals that are named', async () => {
    const { status, out } = await mutabor(
      'results',
      'a.csv',
      '--variables',
      'T',
      '--output',
      'a.mat',
      '--plot',
      'a.svg',
    );
    expect(status).toBe(0);
    expect(out).toContain('  wrote a.mat\n  wrote a.svg\n');
    expect(readResults(new Uint8Array(readFileSync(join(home, 'a.mat')))).names).toEqual(['T[1]', 'T[2]']);
    expect(readFileSync(join(home, 'a.svg'), 'utf8').match(/class="curve"/g)).toHaveLength(2);
    const again = await mutabor('results', 'a.mat', '--json');
    expect(again.json).toMatchObject({
      status: 'done',
      rows: 2,
      from: 0,
      to: 1,
      final: { 'T[1]': 1, 'T[2]': 2 },
    });
  });

  it('draws all elements of an array that is named', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `T[${i + 1}]`);
    write(
      'rod.csv',
      `time,${names.join()}\n0,${names.map((_, i) => i).join()}\n1,${names.map(() => 0).join()}\n`,
    );
    const map = await mutabor('results', 'rod.csv', '--variables', 'T', '--plot', 'rod.svg');
    expect({ status: map.status, err: map.err }).toEqual({ status: 0, err: '' });
    expect(readFileSync(join(home, 'rod.svg'), 'utf8')).toContain('T[1] … T[1000]');
    await mutabor('results', 'rod.csv', '--diagrams', 'T', '--plot', 'rod.svg');
    expect(readFileSync(join(home, 'rod.svg'), 'utf8').match(/class="curve"/g)).toHaveLength(1000);
  });

  it('draws constants that are named, and of a glob what changes', async () => {
    const curves = async (list: string) => {
      await mutabor('results', 'constant.json', '--variables', list, '--plot', 'constant.svg');
      const svg = readFileSync(join(home, 'constant.svg'), 'utf8');
      return [...svg.matchAll(/class="curve"[^>]*><title>(.*?)</g)].map((match) => match[1]);
    };
    const table = tableOfColumns(
      [constant('xp', 2), signal('x'), signal('x2')],
      [0, 1],
      [
        [0, 1],
        [1, 2],
      ],
    );
    write('constant.json', toJson(table));
    expect(await curves('x,xp')).toEqual(['x', 'xp']);
    expect(await curves('x*')).toEqual(['x', 'x2']);
  });

  it('draws PNG files and pages, with the time in another unit', async () => {
    const { status, out } = await mutabor('results', 'a.csv', '--plot', 'a.png', '--time-unit', 'ms');
    expect(status).toBe(0);
    expect(out).toContain('  wrote a.png\n');
    expect([...readFileSync(join(home, 'a.png')).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    await mutabor('results', 'a.csv', '--plot', 'a.html', '--time-unit', 'ms');
    expect(readFileSync(join(home, 'a.html'), 'utf8')).toContain('time [ms]');
  });

  it.each([
    [
      ['results', 'a.csv', '--plot', 'a.jpg'],
      '`--plot a.jpg`: the type of the file is not known. [bad-option]',
    ],
    [
      ['results', 'a.csv', '--plot', 'a.svg', '--diagrams', 'log(map(T))'],
      '`--diagrams`: A map has no logarithmic axis. [bad-option]',
    ],
    [
      ['results', 'a.csv', '--time-unit', 'ms'],
      '`--time-unit` says what a plot looks like, but there is none. [bad-option]',
    ],
    [
      ['compare', 'a.csv', 'b.csv', '--plot', 'a.svg', '--diagrams', 'map(T)'],
      '`--diagrams`: A map shows one result, but T[1] is in 2 of them. [bad-option]',
    ],
    [['results'], '0 files are named, but one file of results is needed. [bad-option]'],
    [['results', 'no.csv'], '`no.csv` does not exist. [file-not-found]'],
    [['results', '.'], '`.` is a folder. [file-not-found]'],
    [['results', 'broken.json'], '`broken.json`: Line 3, column 1: This is not JSON. [bad-file]'],
    [
      ['results', 'a.csv', '--variables', 'Tx[1]'],
      'No variable matches `Tx[1]` in `--variables`. [bad-option]',
    ],
    [['compare', 'a.csv'], '1 file is named, but at least two files of results are needed. [bad-option]'],
    [
      ['compare', 'a.csv', 'b.csv', '--tolerance', '-1'],
      '`--tolerance -1` is not a number from 0 on. [bad-option]',
    ],
    [
      ['compare', 'a.csv', 'b.csv', '--variables', 'z'],
      'No variable matches `z` in `--variables`. [bad-option]',
    ],
  ])('%j is wrong', async (words, message) => {
    const { status, err, out } = await mutabor(...words);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(`error: ${message}`);
    const { json } = await mutabor(...words, '--json');
    expect(json).toMatchObject({ status: 'failed' });
  });
});

describe('compare', () => {
  it('ends with 0 where results agree, and with 1 where they do not', async () => {
    const agreeing = await mutabor('compare', 'a.csv', 'close.csv');
    expect(agreeing.status).toBe(0);
    expect(agreeing.out).toContain('a.csv and close.csv agree in all 3 signals');
    const different = await mutabor('compare', 'a.csv', 'b.csv');
    expect(different.status).toBe(1);
    expect(different.out).toContain('a.csv and b.csv differ in 1 of 3 signals');
    expect(different.out).toMatch(/x +0\.5 +1 /);
    expect((await mutabor('compare', 'a.csv', 'close.csv', '--tolerance', '1e-6')).status).toBe(1);
    expect((await mutabor('compare', 'a.csv', 'b.csv', '--absolute', '0.6')).status).toBe(0);
    expect((await mutabor('compare', 'a.csv', 'b.csv', '--variables', 'T')).status).toBe(0);
    expect((await mutabor('compare', 'a.csv', 'b.csv', '--quiet')).out).toBe('');
  });

  it('says so where the results are those of other models', async () => {
    const { status, out } = await mutabor('compare', 'a.csv', 'other.csv');
    expect(status).toBe(1);
    expect(out).toContain('a.csv and other.csv have no signal in common.');
    expect(out).toContain('only in other.csv: y');
  });

  it('prints an object', async () => {
    const { json } = await mutabor('compare', 'a.csv', 'b.csv', '--json');
    expect(json).toMatchObject({ same: false, from: 0, to: 1, onlyFirst: [], onlySecond: [] });
    expect(json.signals[0]).toMatchObject({
      name: 'x',
      same: false,
      difference: 0.5,
      time: 1,
      magnitude: 1.5,
    });
  });

  it('compares several results with the first, and draws each in a colour of its own', async () => {
    const { status, out } = await mutabor('compare', 'a.csv', 'close.csv', 'b.csv', '--plot', 'three.svg');
    expect(status).toBe(1);
    expect(out).toContain('a.csv and close.csv agree in all 3 signals');
    expect(out).toContain('a.csv and b.csv differ in 1 of 3 signals');
    const svg = readFileSync(join(home, 'three.svg'), 'utf8');
    expect(svg.match(/class="curve"/g)).toHaveLength(3);
    for (const name of ['a.csv', 'close.csv', 'b.csv']) expect(svg).toContain(`x (${name})`);
    const { json } = await mutabor('compare', 'a.csv', 'close.csv', 'b.csv', '--json');
    expect(json).toMatchObject({
      same: false,
      comparisons: [
        { first: 'a.csv', second: 'close.csv', same: true },
        { first: 'a.csv', second: 'b.csv', same: false },
      ],
    });
  });

  it('draws named signals, or some, where nothing differs', async () => {
    const curves = async (...words: string[]) => {
      expect((await mutabor('compare', 'a.csv', 'close.csv', '--plot', 'same.svg', ...words)).status).toBe(0);
      const svg = readFileSync(join(home, 'same.svg'), 'utf8');
      return [...svg.matchAll(/class="curve"[^>]*><title>(.*?)</g)].map((match) => match[1]);
    };
    expect(await curves('--variables', 'T[1]')).toEqual(['T[1] (a.csv)', 'T[1] (close.csv)']);
    expect(await curves()).toContain('x (close.csv)');
    expect(await curves('--diagrams', 'T[2]')).toEqual(['T[2] (a.csv)', 'T[2] (close.csv)']);
  });

  it('tells which of many signals that differ it does not draw', async () => {
    const names = Array.from({ length: 42 }, (_, i) => `x${i}`);
    const table = (value: number) =>
      `time,${names.join()}\n0,${names.map(() => value).join()}\n1,${names.map(() => value).join()}\n`;
    write('ones.csv', table(1));
    write('twos.csv', table(2));
    const { err } = await mutabor('compare', 'ones.csv', 'twos.csv', '--plot', 'many.svg');
    expect(err).toContain('warning: The plot shows 40 of 42 signals; the first that it leaves out is x40.');
    const { json } = await mutabor('compare', 'ones.csv', 'twos.csv', '--plot', 'many.svg', '--json');
    expect(json.diagnostics).toMatchObject([{ code: 'limit-exceeded', severity: 'warning' }]);
  });

  it('draws what differs', async () => {
    const { out } = await mutabor('compare', 'a.csv', 'b.csv', '--plot', 'difference.svg');
    expect(out).toContain('  wrote difference.svg\n');
    const svg = readFileSync(join(home, 'difference.svg'), 'utf8');
    expect(svg.match(/class="curve"/g)).toHaveLength(2);
    expect(svg).toContain('x (b.csv)');
  });
});
