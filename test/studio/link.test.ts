/** Links with models: what was put in comes out, and nothing else is let in. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLink, openLink, packLink, type Shared } from '../../src/studio/link.ts';

const plain: Shared = {
  files: { 'A.mo': 'model A Real x = time; end A;', 'Lib/package.mo': 'package Lib end Lib; // “ü” 🙂' },
  file: 'A.mo',
  model: 'A',
  settings: { stopTime: 2, method: 'bdf' },
  values: { k: 1e-300, on: true, name: 'left' },
  view: { diagrams: [['x', 'der(x)'], []], window: [-1, 2.5], cursor: 0, hidden: ['x'] },
};

/** A link with any content, as somebody might make it who does not use the studio. */
function forged(content: string | Uint8Array, crc?: number): string {
  const bytes = Buffer.from(content);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc ?? crcOf(bytes));
  return `share=1.${Buffer.concat([sum, deflateRawSync(bytes)]).toString('base64url')}`;
}

/** ISO 3309, bit by bit. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const without = (changes: object): string => forged(JSON.stringify({ ...plain, ...changes }));

describe('links', () => {
  it('hold a model with its files, values, settings and view', async () => {
    const link = (await packLink(plain)) as string;
    expect(link).toMatch(/^share=1\.[\w-]+$/);
    for (const address of [
      link,
      `#${link}`,
      `https://host/studio/index.html#${link}`,
      ` <file:///x#${link}>`,
    ]) {
      expect(isLink(address)).toBe(true);
      expect(await openLink(address)).toEqual(plain);
    }
    // What another program makes of it.
    const bytes = Buffer.from(link.slice('share=1.'.length), 'base64url');
    const content = inflateRawSync(bytes.subarray(4));
    expect(JSON.parse(content.toString('utf8'))).toEqual(plain);
    expect(bytes.readUInt32BE(0)).toBe(crcOf(content));
  });

  it('hold any texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[A-Z][a-z]{0,4}$/), fc.string({ unit: 'grapheme' })),
        async (texts) => {
          const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.mo`, text]));
          const shared = { ...plain, files: { ...files, 'A.mo': 'x' } };
          expect(await openLink((await packLink(shared)) as string)).toEqual(shared);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('that are cut or changed anywhere are told from right ones', async () => {
    const link = (await packLink(plain)) as string;
    for (let end = 0; end < link.length; end++)
      expect([end, await openLink(link.slice(0, end))]).toEqual([end, 'broken']);
    const start = 'share=1.'.length;
    for (let k = start; k < link.length - 1; k++) {
      const other = link[k] === 'A' ? 'B' : 'A';
      const changed = link.slice(0, k) + other + link.slice(k + 1);
      const found = await openLink(changed);
      // Bits that fill up the last character mean nothing.
      expect([
        k,
        typeof found === 'string' ? found : JSON.stringify(found) === JSON.stringify(plain),
      ]).toEqual([k, typeof found === 'string' ? 'broken' : true]);
    }
    expect(await openLink(`${link}!`)).toBe('broken');
    expect(await openLink(link.replace('=1.', '=2.'))).toBe('newer');
    expect(isLink('#token=abc')).toBe(false);
    expect(isLink('#code=x&share')).toBe(false);
  });

  it('hold nothing that a studio would not put in', async () => {
    expect(await openLink(without({}))).toEqual(plain);
    const paths = [
      '../A.mo',
      '/A.mo',
      'a/../A.mo',
      '(examples)/A.mo',
      'C:/A.mo',
      'a\\A.mo',
      '.A.mo',
      'A.js',
      'A..mo',
      '__proto__',
      '',
      `${'a'.repeat(300)}.mo`,
    ];
    for (const path of paths)
      expect([path, await openLink(without({ files: { [path]: '', 'A.mo': '' } }))]).toEqual([
        path,
        'broken',
      ]);
    const wrong = [
      { files: { 'A.mo': 5 } },
      { files: [] },
      { files: { 'B.mo': '' } },
      { file: 'toString' },
      { model: 7 },
      { settings: { stopTime: '1' } },
      { settings: { tolerance: 2 } },
      { settings: { method: 'evil' } },
      { settings: { signal: 1 } },
      { values: { k: { init: 1 } } },
      { values: { k: null } },
      { view: { diagrams: ['x'] } },
      { view: { window: [2, 1] } },
      { view: { cursor: '1' } },
      { view: [] },
    ];
    for (const change of wrong) expect([change, await openLink(without(change))]).toEqual([change, 'broken']);
    for (const content of ['', 'null', '7', '[]', '{}', '{"files":{}}'])
      expect([content, await openLink(forged(content))]).toEqual([content, 'broken']);
    expect(await openLink(forged(new Uint8Array([0xff, 0xfe])))).toBe('broken');
    expect(await openLink(forged(JSON.stringify(plain), 1))).toBe('broken');
  });

  it('have a size, before and after they are unpacked', async () => {
    const random = Array.from({ length: 40_000 }, (_, k) => ((k * 2654435761) % 2 ** 32).toString(36)).join(
      ' ',
    );
    expect(await packLink({ ...plain, files: { 'A.mo': random } })).toBe('large');
    expect(await packLink({ ...plain, files: { 'A.mo': ' '.repeat(3e6) } })).toBe('large');
    // Half a gigabyte of blanks in some hundred kilobytes of text, and one that is not even looked at.
    expect(await openLink(`share=1.${'A'.repeat(200_000)}`)).toBe('large');
    const bomb = forged(JSON.stringify({ ...plain, files: { 'A.mo': ' '.repeat(5e7) } }));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await openLink(bomb)).toBe('large');
  });
});
