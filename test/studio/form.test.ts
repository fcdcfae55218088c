/** Texts as they are written in files: what is read is written again byte by byte, and is the same text for everybody. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formOf, readForm, writtenIn } from '../../src/studio/form.ts';
import { runsOf } from '../runs.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('texts of files', () => {
  it('have one kind of line end, and no mark', () => {
    expect(readForm(utf8('\ufeffa\r\nb\r\n')).text).toBe('a\nb\n');
    expect(readForm(utf8('a\rb\nc')).text).toBe('a\nb\nc');
    expect(formOf('a\r\nb\nc\r\n').form.lineEnd).toBe('\r\n');
  });

  it('are Latin-1 where they are no UTF-8, and stay so', () => {
    const bytes = Uint8Array.from([...'"Kr'].map((letter) => letter.charCodeAt(0)).concat(0xe4, 0x66, 0x74));
    const { text, form } = readForm(bytes);
    expect(text).toBe('"Kräft');
    expect(writtenIn(form, text)).toEqual(bytes);
    // What Latin-1 does not have makes it UTF-8.
    expect(writtenIn(form, `${text}Ω`)).toEqual(utf8(`${text}Ω`));
  });

  it('are written again as they were', () => {
    const ends = fc.constantFrom('\n', '\r\n');
    const lines = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', 'ä', '€', 'Ω') }), { minLength: 1 });
    fc.assert(
      fc.property(ends, fc.boolean(), lines, (end, hasMark, parts) => {
        const bytes = utf8(`${hasMark ? '\ufeff' : ''}${parts.join(end)}`);
        const { text, form } = readForm(bytes);
        expect(text).toBe(parts.join('\n'));
        expect(writtenIn(form, text)).toEqual(bytes);
      }),
      { numRuns: runsOf(100) },
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { text, form } = readForm(bytes);
        if (!/\r/.test(new TextDecoder('latin1').decode(bytes))) expect(writtenIn(form, text)).toEqual(bytes);
      }),
      { numRuns: runsOf(100) },
    );
  });
});
