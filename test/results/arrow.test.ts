/** Arrow files, as PyArrow reads them where it is installed; and files that PyArrow wrote. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrowParts, readArrow, toArrow } from '../../src/results/files/arrow.ts';
import { FormatError } from '../../src/results/files/format.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import { python, pythonHas } from './python.ts';
import { alias, anyTable, constant, contents, missing, signal } from './signals.ts';

const small = () =>
  tableOfColumns(
    [
      constant('p', 2.5),
      signal('x', undefined, { unit: 'm', displayUnit: 'mm', description: 'way', role: 'state' }),
      signal('n', undefined, { type: 'Integer' }),
      constant('q', -1),
      alias('y', 'x', -1),
      signal('b', undefined, { type: 'Boolean', hidden: true }),
    ],
    [0, 1, 1],
    [
      [3, missing, 0.1],
      [-7, missing, 2 ** 40],
      [0, 1, missing],
    ],
    [
      { signature: 'open', firstRow: 0, endRow: 2 },
      { signature: 'closed', firstRow: 2, endRow: 3 },
    ],
    {
      model: 'A.B',
      impulses: [{ time: 1, variable: 'x', weight: 3, unit: 'N.s' }],
      modes: [{ signature: 'open', from: 0, to: 1 }],
      attributes: { experiment: { stopTime: 1 } },
    },
  );

const foreign = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`files/${name}`, import.meta.url)));

describe('Arrow files', () => {
  it('read back with everything that belongs to them', () => {
    const again = readArrow(toArrow(small()));
    expect(contents(again)).toEqual(contents(small()));
    expect(again.names.map((name) => again.info(name))).toEqual(
      small().names.map((name) => small().info(name)),
    );
    for (const key of ['segments', 'modes', 'impulses', 'model', 'attributes', 'independents'] as const)
      expect(again[key]).toEqual(small()[key]);
  });

  it('read back any table', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const again = readArrow(toArrow(table));
        expect(contents(again)).toEqual(contents(table));
        expect(again.names.map((name) => again.info(name))).toEqual(
          table.names.map((name) => table.info(name)),
        );
      }),
    );
  });

  it('begin and end as the format says, all places multiples of 8', () => {
    const bytes = toArrow(small());
    const text = new TextDecoder('latin1').decode(bytes);
    expect(text.startsWith('ARROW1\0\0\xff\xff\xff\xff')).toBe(true);
    expect(text.endsWith('ARROW1')).toBe(true);
    const view = new DataView(bytes.buffer);
    const footer = view.getInt32(bytes.length - 10, true);
    expect((bytes.length - 10 - footer) % 8).toBe(0);
    // Before the footer: the end of the messages.
    expect(view.getUint32(bytes.length - 10 - footer - 8, true)).toBe(0xffffffff);
    expect(view.getUint32(bytes.length - 10 - footer - 4, true)).toBe(0);
    let length = 0;
    for (const part of arrowParts(small())) length += part.length;
    expect(length).toBe(bytes.length);
  });

  it('of PyArrow: other number formats, several batches, nulls, no metadata', () => {
    const table = readArrow(foreign('numbers.arrow'));
    expect(table.names).toEqual(['f4', 'i1', 'u2', 'i4', 'u8', 'flag']);
    expect([...table.time]).toEqual([0, 0.5, 1]);
    expect([...table.get('f4')]).toEqual([1.5, missing, -0.25]);
    expect([...table.get('i1')]).toEqual([-128, 127, missing]);
    expect([...table.get('u2')]).toEqual([0, 65535, 7]);
    expect([...table.get('i4')]).toEqual([missing, -2147483648, 2147483647]);
    expect([...table.get('u8')]).toEqual([1, 2, 2 ** 53]);
    expect([...table.get('flag')]).toEqual([1, missing, 0]);
    expect(table.info('flag')?.type).toBe('Boolean');
    expect(table.info('f4')).toMatchObject({ unit: 'V', description: 'voltage' });
    expect(table.independents[0]).toMatchObject({ name: 'time', unit: 's' });
  });

  it('of PyArrow: a stream', () => {
    expect([...readArrow(foreign('stream.arrow')).get('x')]).toEqual([1, 2]);
  });

  it.each([
    ['compressed.arrow', 'The file is compressed'],
    ['texts.arrow', 'The column name does not hold numbers'],
    ['dictionary.arrow', 'ictionar'],
  ])('of PyArrow that cannot be read: %s', (name, message) => {
    expect(() => readArrow(foreign(name))).toThrow(FormatError);
    expect(() => readArrow(foreign(name))).toThrow(message);
  });

  it('refuse what is cut short or damaged with a FormatError and nothing else', () => {
    const whole = toArrow(small());
    for (let length = 0; length < whole.length; length += 7) {
      expect(() => readArrow(whole.slice(0, length))).toThrow(FormatError);
    }
    expect(() => readArrow(Uint8Array.from('time,x\n0,1\n', (c) => c.charCodeAt(0)))).toThrow(
      'not an Arrow file',
    );
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (place, value) => {
        const broken = Uint8Array.from(whole);
        broken[place] = value;
        try {
          readArrow(broken);
        } catch (problem) {
          expect(problem).toBeInstanceOf(FormatError);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.runIf(pythonHas('pyarrow'))('are read by PyArrow', () => {
    const seen = python<Record<string, unknown>>(
      `
import pyarrow.ipc, json
t = pyarrow.ipc.open_file(path).read_all()
t.validate(full=True)
fields = [[f.name, str(f.type), {k.decode(): v.decode() for k, v in (f.metadata or {}).items()}] for f in t.schema]
print(json.dumps({'fields': fields, 'values': t.to_pydict(), 'model': json.loads(t.schema.metadata[b'mutabor'])['model']}))
`,
      toArrow(small()),
    );
    expect(seen).toEqual({
      model: 'A.B',
      fields: [
        ['time', 'double', { unit: 's' }],
        ['x', 'double', { unit: 'm', displayUnit: 'mm', description: 'way', role: 'state' }],
        ['n', 'int64', { type: 'Integer' }],
        ['y', 'double', { alias: 'x', sign: '-1' }],
        ['b', 'bool', { type: 'Boolean', hidden: 'true' }],
      ],
      values: {
        time: [0, 1, 1],
        x: [3, null, 0.1],
        n: [-7, null, 2 ** 40],
        y: [-3, null, -0.1],
        b: [false, true, null],
      },
    });
  });
});
