import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArrow, toArrow } from '../../src/results/files/arrow.ts';
import { csvParts, readCsv, toCsv } from '../../src/results/files/csv.ts';
import { FormatError } from '../../src/results/files/format.ts';
import { readResults } from '../../src/results/files/formats.ts';
import { readJson, toJson } from '../../src/results/files/json.ts';
import { jsonErrorPlace } from '../../src/results/files/jsontext.ts';
import { readMat, toMat } from '../../src/results/files/mat.ts';
import { fromArrays } from '../../src/results/table/arrays.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import type { SignalTable } from '../../src/results/table/table.ts';
import { alias, anyTable, constant, contents, missing, segmentedTable, signal } from './signals.ts';

describe('CSV', () => {
  it('has time first, names quoted where needed, empty fields where missing, shortest numbers', () => {
    const table = tableOfColumns(
      [constant('p', 0.1), signal('a[1,2]'), signal('der(x)'), alias("'q\"'", 'der(x)', -1)],
      [0, 0.5, 0.5],
      [
        [1, missing, 1e-300],
        [0.1 + 0.2, 1e21, Number.POSITIVE_INFINITY],
      ],
    );
    expect(toCsv(table)).toBe(
      [
        `time,p,"a[1,2]",der(x),"'q""'"`,
        '0,0.1,1,0.30000000000000004,-0.30000000000000004',
        '0.5,0.1,,1e+21,-1e+21',
        '0.5,0.1,1e-300,Infinity,-Infinity',
        '',
      ].join('\n'),
    );
  });

  it('comes in parts that join to the whole', () => {
    const time = Array.from({ length: 100_000 }, (_, i) => i);
    const table = tableOfColumns([signal('x')], time, [time]);
    const parts = [...csvParts(table)];
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('').split('\n').length).toBe(100_002);
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        expect(contents(readCsv(toCsv(table)))).toEqual(contents(table));
      }),
    );
  });

  it('reads files of other tools: byte order mark, CR LF, quoted header, no final line break', () => {
    const table = readCsv('\uFEFF"Time","a ""b""","c\r\nd"\r\n0,1,2\r\n\r\n1,,-3e2');
    expect(table.names).toEqual(['a "b"', 'c\r\nd']);
    expect([...table.get('a "b"')]).toEqual([1, missing]);
    expect([...table.get('c\r\nd')]).toEqual([2, -300]);
  });

  it.each([
    ['', 'Line 1: The first column must be named time.'],
    ['x,time\n1,2\n', 'Line 1: The first column must be named time.'],
    ['time,x,x\n', 'Line 1: There are two columns named x.'],
    ['time,x\n1\n', 'Line 2: 1 fields where the header has 2.'],
    ['time,x\n1,2\n\n2,abc\n', 'Line 4, column 2: "abc" is not a number.'],
    ['time,x\n,2\n', 'Line 2, column 1: The time is missing.'],
    ['time,x\n1,2\n0,2\n', 'Line 3, column 1: The time decreases.'],
    ['time,"x\n1,2\n', 'Line 1: A quote is not closed.'],
    ['time,"x"y\n1,2\n', 'Line 1: Text follows after a closing quote.'],
  ])('refuses %j', (text, message) => {
    expect(() => readCsv(text)).toThrow(FormatError);
    expect(() => readCsv(text)).toThrow(message);
  });

  it('gives a table or a FormatError for any text', () => {
    const char = fc.constantFrom('time', ',', '"', '\n', '\r', '1', 'x', ' ', '-');
    fc.assert(
      fc.property(fc.array(char, { maxLength: 20 }), (chars) => {
        try {
          readCsv(`time${chars.join('')}`);
        } catch (problem) {
          expect(problem).toBeInstanceOf(FormatError);
        }
      }),
    );
  });
});

describe('JSON', () => {
  it('reads back what it writes, with everything that belongs to it', () => {
    const table = tableOfColumns(
      [
        signal('h', undefined, { unit: 'm', displayUnit: 'cm', description: 'height', role: 'state' }),
        signal('b', undefined, { type: 'Boolean', hidden: true }),
        constant('p', 2),
        alias('k', 'h', -1),
      ],
      [0, 1, 1],
      [
        [1, 2, missing],
        [0, 1, Number.NEGATIVE_INFINITY],
      ],
      [
        { signature: 'open', firstRow: 0, endRow: 2 },
        { signature: 'closed', firstRow: 2, endRow: 3 },
      ],
      {
        model: 'A.B',
        impulses: [
          { time: 1, variable: 'h', weight: 3 },
          { time: 1, variable: 'weld.f[1]', weight: 2, unit: 'N.s' },
        ],
        modes: [{ signature: 'open', from: 0, to: 1 }],
      },
    );
    const again = readJson(toJson(table));
    expect(contents(again)).toEqual(contents(table));
    expect(again.names.map((name) => again.info(name))).toEqual(table.names.map((name) => table.info(name)));
    for (const key of ['segments', 'modes', 'impulses', 'model'] as const)
      expect(again[key]).toEqual(table[key]);
  });

  it('reads back any table', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        expect(contents(readJson(toJson(table)))).toEqual(contents(table));
      }),
    );
  });

  it('writes an alias whose target was not selected as a trajectory', () => {
    const table = tableOfColumns([signal('x'), alias('y', 'x', -1)], [0, 1], [[1, 2]]).select(['y']);
    expect([...readJson(toJson(table)).get('y')]).toEqual([-1, -2]);
  });

  it('keeps what belongs to it: attributes, independents, arrays over them, the sign of zero', () => {
    const table = tableOfColumns(
      [
        signal('q[1]', undefined, { over: ['x'] }),
        signal('q[2]', undefined, { over: ['x'] }),
        constant('z', -0),
      ],
      [0, 1],
      [
        [-0, 1],
        [2, 3],
      ],
      [],
      {
        axis: { name: 'w', unit: 'rad/s', description: 'speed' },
        dimensions: [{ name: 'x', unit: 'm', description: '', values: Float64Array.of(0.1, 0.2) }],
        attributes: { experiment: { stopTime: 1, method: 'bdf' }, list: [1, 'two', null, true] },
      },
    );
    const again = readJson(toJson(table));
    expect(again.attributes).toEqual(table.attributes);
    expect(again.independents).toEqual(table.independents);
    expect(again.info('q[1]')).toEqual(table.info('q[1]'));
    expect(again.array('q').axes[0]?.name).toBe('x');
    expect(Object.is(again.at('q[1]', 0), -0)).toBe(true);
    expect(Object.is(again.at('z', 0), -0)).toBe(true);
  });

  const start = '{"format":"mutabor-results","version":1,"model":"","modes":[],"impulses":[],"segments":[],';
  const x = '"name":"x","type":"Real","unit":"","displayUnit":"","description":""';
  it.each([
    ['{', 'Line 1, column 2: This is not JSON.'],
    ['{\n  "format": tru\n}', 'Line 2, column 13: This is not JSON.'],
    [`${start}"time":[0,1`, `column ${start.length + 12}: This is not JSON.`],
    ['[]', 'The file must be an object, not [].'],
    ['{}', 'The file has no field `format`.'],
    ['{"format":"other"}', 'This is not a mutabor-results file.'],
    ['{"format":"mutabor-results","version":2}', 'Version 2 of the format is unknown.'],
    [`${start}"time":1}`, 'time must be a list, not 1.'],
    [`${start}"time":[0,"x"],"signals":[]}`, 'time[1] must be a number, not "x".'],
    [`${start}"time":[0],"signals":[{"name":"x"}]}`, 'signals[0] has no field `unit`.'],
    [
      `${start}"time":[0],"signals":[{${x.replace('Real', 'String')},"value":1}]}`,
      'must be one of Real, Integer, Boolean',
    ],
    [`${start}"time":[0],"signals":[{${x}}]}`, 'signals[0] has no values.'],
    [`${start}"time":[0],"signals":[{${x},"values":[]}]}`, 'x has 0 values, but there are 1 rows.'],
    [`${start}"time":[0],"signals":[{${x},"of":"y","sign":1}]}`, 'x is an alias of an unknown signal.'],
    [
      `${start}"time":[0],"signals":[{${x},"of":"y","sign":2}]}`,
      'signals[0].sign must be one of 1, -1, not 2.',
    ],
    [`${start}"time":[1,0],"signals":[]}`, 'Rows must follow in time'],
    [`${start}"time":[],"signals":[],"independents":[{"name":"t"}]}`, 'independents[0] has no field `unit`.'],
  ])('refuses %s', (text, message) => {
    expect(() => readJson(text)).toThrow(FormatError);
    expect(() => readJson(text)).toThrow(message);
  });

  it('says where a text stops being JSON: nowhere for JSON, somewhere for what JSON.parse refuses', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0.5e3',
      'null',
      'true',
      ' ',
      '\n',
      '01',
      '\\',
      '\u0001',
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((list) => list.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(jsonErrorPlace(text) === undefined).toBe(valid);
      }),
      { numRuns: 1000 },
    );
  });

  it('is not afraid of depth', () => {
    expect(() => readJson('['.repeat(200_000))).toThrow(FormatError);
  });
});

describe('tables with segments, and arrays that change their size', () => {
  const everything = (table: SignalTable) => ({
    ...contents(table),
    infos: table.names.map((name) => table.info(name)),
    segments: table.segments,
    modes: table.modes,
    impulses: table.impulses,
    attributes: table.attributes,
    independents: table.independents,
  });

  it('are the same after JSON and Arrow, to the last bit', () => {
    fc.assert(
      fc.property(segmentedTable, (table) => {
        for (const again of [readJson(toJson(table)), readArrow(toArrow(table))]) {
          expect(everything(again)).toEqual(everything(table));
        }
      }),
    );
  });

  it('have the same values after CSV and MATLAB', () => {
    fc.assert(
      fc.property(segmentedTable, (table) => {
        for (const again of [readCsv(toCsv(table)), readMat(toMat(table))]) {
          expect(contents(again)).toEqual(contents(table));
        }
      }),
    );
  });

  it('are told apart by how their files begin', () => {
    fc.assert(
      fc.property(segmentedTable, (table) => {
        const utf8 = new TextEncoder();
        for (const bytes of [
          utf8.encode(toJson(table)),
          utf8.encode(toCsv(table)),
          toArrow(table),
          toMat(table),
        ]) {
          expect(contents(readResults(bytes))).toEqual(contents(table));
        }
      }),
      { numRuns: 20 },
    );
    const table = fromArrays({ time: [0, 1], x: [2, 3] });
    for (const before of ['', '\ufeff', '\n'.repeat(100)])
      expect(contents(readResults(new TextEncoder().encode(before + toJson(table))))).toEqual(
        contents(table),
      );
    for (const wrong of [[], [0xff, 0xfe, 0x80], [1, 2, 3, 0, 5]]) {
      expect(() => readResults(Uint8Array.from(wrong))).toThrow(FormatError);
    }
  });

  it('of another independent keep its name in CSV', () => {
    const table = fromArrays({ w: [1, 2], tau: [3, 4] });
    expect(toCsv(table)).toBe('w,tau\n1,3\n2,4\n');
    expect(readCsv(toCsv(table), 'w').independents[0]).toMatchObject({ name: 'w', unit: '' });
    expect(() => readCsv(toCsv(table))).toThrow('The first column must be named time.');
  });
});
