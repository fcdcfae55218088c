/** Archives and folders of libraries: what is in them, and what is refused. Archives are made by another implementation, and spoiled byte by byte. */
import { type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { LibraryProblem, packOf } from '../../src/studio/page/libraries/pack.ts';
import { filesInZip } from '../../src/studio/page/libraries/zip.ts';
import type { LibraryPack } from '../../src/studio/protocol.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const archive = (files: Zippable): Uint8Array<ArrayBuffer> => new Uint8Array(zipSync(files));
const read = (bytes: Uint8Array<ArrayBuffer>) => filesInZip(new Blob([bytes]));
const refusal = (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  read(bytes).then(
    () => 'taken',
    (problem: unknown) => (problem instanceof LibraryProblem ? problem.message : `bug: ${problem}`),
  );
const long = 'model A end A; // '.repeat(200);

/** Where the directory has the entry of a file, and the offset of what belongs to it. */
function entryAt(bytes: Uint8Array, name: string, offset: number): number {
  const wanted = text(name);
  for (let at = bytes.length - 46; at >= 0; at--)
    if (
      bytes[at] === 0x50 &&
      bytes[at + 1] === 0x4b &&
      bytes[at + 2] === 1 &&
      wanted.every((byte, k) => bytes[at + 46 + k] === byte)
    )
      return at + offset;
  throw new Error('no such entry');
}

describe('archives', () => {
  it('are read, packed and stored files alike; what no model needs is left out', async () => {
    const bytes = archive({
      'Lib/package.mo': text(long),
      'Lib/data.csv': [text('1,2'), { level: 0 }],
      'Lib/evil.exe': text('MZ'),
      'Lib/.git/config.txt': text('x'),
    });
    const files = await read(bytes);
    expect(files.map(({ path }) => path).sort()).toEqual(['Lib/data.csv', 'Lib/package.mo']);
    const contents = Object.fromEntries(
      files.map(({ path, content }) => [path, new TextDecoder().decode(content as Uint8Array)]),
    );
    expect(contents).toEqual({ 'Lib/package.mo': long, 'Lib/data.csv': '1,2' });
  });

  it.each(['../evil.mo', 'a/../../evil.mo', '/etc/evil.mo', 'C:/evil.mo', '..\\evil.mo', 'a\nb.mo'])(
    'that lead out of themselves are refused: %j',
    async (name) => {
      expect(await refusal(archive({ [name]: text('model A end A;') }))).toContain('path that no library');
    },
  );

  it('that would become much larger than they are, are refused before they are unpacked', async () => {
    const zeros = new Uint8Array(40 * 2 ** 20);
    expect(await refusal(archive({ 'a.csv': zeros }))).toContain('a hundred times');
    expect(await refusal(archive({ 'a.csv': new Uint8Array(65 * 2 ** 20) }))).toContain('64 MB');
  });

  it('in which more comes than was announced, or less, are refused', async () => {
    const bytes = archive({ 'A.mo': text(long) });
    const at = entryAt(bytes, 'A.mo', 24);
    const view = new DataView(bytes.buffer);
    view.setUint32(at, long.length - 1, true);
    expect(await refusal(bytes)).toContain('damaged');
    view.setUint32(at, long.length + 1, true);
    expect(await refusal(bytes)).toContain('damaged');
    view.setUint32(at, long.length, true);
    expect(await refusal(bytes)).toBe('taken');
  });

  it('that are damaged anywhere are refused, and never taken with other contents', async () => {
    const good = archive({ 'Lib/package.mo': text(long), 'Lib/A.mo': [text(long), { level: 0 }] });
    for (let at = 0; at < good.length; at += 7) {
      const bytes = good.slice();
      bytes[at]! ^= 0x55;
      const said = await refusal(bytes);
      expect(said).not.toContain('bug');
      if (said !== 'taken') continue;
      for (const { content } of await read(bytes))
        expect(new TextDecoder().decode(content as Uint8Array)).toBe(long);
    }
    for (const length of [0, 10, 21, good.length >> 1, good.length - 1])
      expect(await refusal(good.slice(0, length))).toMatch(/no zip file|damaged/);
  });

  it('that are encrypted, or packed otherwise, say so', async () => {
    const bytes = archive({ 'A.mo': text(long) });
    bytes[entryAt(bytes, 'A.mo', 8)]! |= 1;
    expect(await refusal(bytes)).toBe('A.mo is encrypted.');
    const other = archive({ 'A.mo': text(long) });
    other[entryAt(other, 'A.mo', 10)] = 14;
    expect(await refusal(other)).toContain('not known');
  });
});

describe('packs', () => {
  const pack = (...paths: string[]): LibraryPack =>
    packOf(
      'given',
      paths.map((path) => ({ path, size: path.length, content: new Blob([path]) })),
    );

  it.each([
    [['Lib/package.mo', 'Lib/A.mo'], 'Lib', ['']],
    [['Repo-1.0/Lib/package.mo', 'Repo-1.0/Lib/A/package.mo', 'Repo-1.0/C.mo'], 'Repo-1.0', ['']],
    [['package.mo'], 'given', ['']],
    [['a/x/Lib/package.mo', 'a/y/Lib2/package.mo'], 'a', ['x', 'y']],
    [['One.mo'], 'given', ['']],
  ])('find the folders of packages: %j', (paths, name, roots) => {
    expect(pack(...paths)).toMatchObject({ name, roots });
  });

  it('have texts before all else, each where it says', async () => {
    const { paths, ends, texts, content } = pack('L/b.png', 'L/package.mo', 'L/package.order', 'L/a.csv');
    expect(paths).toEqual(['package.mo', 'package.order', 'b.png', 'a.csv']);
    expect(texts).toBe(2);
    const whole = await content.text();
    expect(paths.map((_, k) => whole.slice(k === 0 ? 0 : ends[k - 1], ends[k]))).toEqual([
      'L/package.mo',
      'L/package.order',
      'L/b.png',
      'L/a.csv',
    ]);
  });

  it('are not made of what has no models', () => {
    expect(() => pack('a.txt', 'b.png')).toThrow('no Modelica files');
  });
});
