/** MATLAB files of version 4: the byte layout by hand, after MathWorks' description of the format, and as SciPy reads it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../src/results/files/format.ts';
import { matParts, readMat, toMat } from '../../src/results/files/mat.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import { python, pythonHas } from './python.ts';
import { alias, constant, contents, missing, plainTable, signal } from './signals.ts';

const small = () =>
  tableOfColumns(
    [
      signal('x', undefined, { unit: 'm', displayUnit: 'mm', description: 'way' }),
      constant('p', 2.5),
      alias('y', 'x', -1),
      signal('b', undefined, { type: 'Boolean' }),
    ],
    [0, 1],
    [
      [3, missing],
      [0, 1],
    ],
  );

type Part = readonly number[] | string | Float64Array | Float32Array;

/** Bytes in a notation of their own: texts, lists of 32-bit integers, arrays of numbers. */
function bytes(...parts: readonly Part[]): Uint8Array {
  const list = parts.flatMap((part) => {
    if (typeof part === 'string') return [...new TextEncoder().encode(part)];
    if ('buffer' in part) return [...new Uint8Array(part.buffer)];
    return part.flatMap((n) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >> 24) & 255]);
  });
  return Uint8Array.from(list);
}

const head: Part[] = [
  [51, 4, 11, 0, 7],
  'Aclass\0',
  // Column by column of the rows `Atrajectory`, `1.1`, nothing, `binTrans`.
  ...['A1 b', 't. i', 'r1 n', 'a  T', 'j  r', 'e  a', 'c  n', 't  s', 'o   ', 'r   ', 'y   '],
];
const normal: Part[] = [
  [51, 4, 11, 0, 7],
  'Aclass\0',
  ...['A1 b', 't. i', 'r1 n', 'a  N', 'j  o', 'e  r', 'c  m', 't  a', 'o  l', 'r   ', 'y   '],
];

describe('MATLAB files', () => {
  it('have the layout of the format, byte by byte', () => {
    const texts = ['[s]', 'way [m|mm]', '', '', '[:#(type=Boolean)]'].map((text) => text.padEnd(18));
    const expected = bytes(
      ...head,
      ...[[51, 4, 5, 0, 5], 'name\0', 'timex   p   y   b   '],
      ...[[51, 18, 5, 0, 12], 'description\0', texts.join('')],
      ...[[20, 4, 5, 0, 9], 'dataInfo\0'],
      ...[
        [0, 1, 0, -1],
        [2, 2, 0, -1],
        [1, 2, 0, 0],
        [2, -2, 0, -1],
        [2, 3, 0, -1],
      ],
      ...[[0, 2, 2, 0, 7], 'data_1\0', Float64Array.of(0, 2.5, 1, 2.5)],
      ...[[0, 3, 2, 0, 7], 'data_2\0', Float64Array.of(0, 3, 0, 1, missing, 1)],
    );
    expect(toMat(small())).toEqual(expected);
  });

  it('come in parts', () => {
    expect([...matParts(small())].length).toBeGreaterThan(6);
  });

  it('read back with units, types, aliases and constants', () => {
    const again = readMat(toMat(small()));
    expect(contents(again)).toEqual(contents(small()));
    expect(again.info('x')).toMatchObject({ unit: 'm', displayUnit: 'mm', description: 'way', type: 'Real' });
    expect(again.info('b')).toMatchObject({ unit: '', description: '', type: 'Boolean' });
    expect(again.info('y')?.source).toEqual({ kind: 'alias', of: 'x', sign: -1 });
    expect(again.isConstant('p')).toBe(true);
    expect(again.independents[0]).toMatchObject({ name: 'time', unit: 's' });
  });

  it('read back any table', () => {
    fc.assert(
      fc.property(plainTable, (table) => {
        expect(contents(readMat(toMat(table)))).toEqual(contents(table));
      }),
    );
  });

  it('of other programs: not transposed, single precision, names ended by zeros, negative columns first', () => {
    const file = bytes(
      ...normal,
      // Rows `Time`, `b`, `a`: columns T b a, i 0 0, ...
      ...[[51, 3, 4, 0, 5], 'name\0', 'Tbai\0\0m\0\0e\0\0'],
      ...[[51, 3, 1, 0, 12], 'description\0', '   '],
      ...[[20, 3, 4, 0, 9], 'dataInfo\0', [0, 2, 2, 1, -2, 2, 0, 0, 0, -1, -1, -1]],
      ...[[10, 2, 1, 0, 7], 'data_1\0', Float32Array.of(0, 1)],
      ...[[10, 2, 2, 0, 7], 'data_2\0', Float32Array.of(0, 1, 0.5, 0.25)],
    );
    const table = readMat(file);
    expect(table.names).toEqual(['b', 'a']);
    expect([...table.get('b')]).toEqual([-0.5, -0.25]);
    expect([...table.get('a')]).toEqual([0.5, 0.25]);
    expect(table.aliases('a')).toEqual([{ name: 'b', sign: -1 }]);
  });

  it('with the greatest byte first', () => {
    const little = toMat(tableOfColumns([signal('x')], [0, 1], [[3, 4]]));
    const big = Uint8Array.from(little);
    const view = new DataView(big.buffer);
    // Turns every number around; the texts stay.
    for (let place = 0; place < big.length; ) {
      const at = (i: number) => new DataView(little.buffer).getInt32(place + 4 * i, true);
      const [type, count, nameLength] = [at(0), at(1) * at(2), at(4)];
      for (let i = 0; i < 5; i++) view.setInt32(place + 4 * i, i === 0 ? type + 1000 : at(i));
      const size = type === 51 ? 1 : type === 20 ? 4 : 8;
      const start = place + 20 + nameLength;
      for (let i = 0; i < count; i++) big.subarray(start + i * size, start + (i + 1) * size).reverse();
      place = start + count * size;
    }
    expect([...readMat(big).get('x')]).toEqual([3, 4]);
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', bytes(), 'The file is empty.'],
    ['a text', bytes('time,x\n0,1\n1,2\n3,4\n5,6'), 'Byte 0: This is no MATLAB file of version 4.'],
    ['version 5', bytes('MATLAB 5.0 MAT-file, Platform: GLNXA64'.padEnd(128)), 'version 5.0'],
    ['version 7.3', bytes('MATLAB 7.3 MAT-file, Platform: GLNXA64'.padEnd(512)), 'version 7.3'],
    ['other matrices', bytes([0, 1, 1, 0, 2], 'a\0', Float64Array.of(1)), 'The matrix Aclass'],
    ['a header of negative size', bytes([0, -1, 1, 0, 2], 'a\0'), 'makes no sense'],
    ['a matrix of enormous size', bytes([0, 2e9, 2e9, 0, 2], 'a\0'), 'The file ends in the matrix a'],
    ['a matrix of enormous size without numbers', bytes([51, 2e9, 0, 0, 7], 'Aclass\0'), 'makes no sense'],
    ['another class', bytes([51, 2, 1, 0, 7], 'Aclass\0', 'AB'), 'no Atrajectory of version 1.1, but A B'],
    [
      'a column that is not there',
      bytes(
        ...head,
        ...[[51, 4, 2, 0, 5], 'name\0', 'timex   '],
        ...[[51, 1, 2, 0, 12], 'description\0', '  '],
        ...[[20, 4, 2, 0, 9], 'dataInfo\0', [0, 1, 0, -1, 2, 7, 0, -1]],
        ...[[0, 1, 2, 0, 7], 'data_1\0', Float64Array.of(0, 1)],
        ...[[0, 2, 1, 0, 7], 'data_2\0', Float64Array.of(0, 1)],
      ),
      'x is said to be in column 7 of data_2',
    ],
    [
      'a column between two others',
      bytes(
        ...head,
        ...[[51, 4, 2, 0, 5], 'name\0', 'timex   '],
        ...[[51, 1, 2, 0, 12], 'description\0', '  '],
        ...[[0, 4, 2, 0, 9], 'dataInfo\0', Float64Array.of(0, 1, 0, -1, 2, 1.5, 0, -1)],
        ...[[0, 1, 2, 0, 7], 'data_1\0', Float64Array.of(0, 1)],
        ...[[0, 2, 1, 0, 7], 'data_2\0', Float64Array.of(0, 1)],
      ),
      'x is said to be in column 1.5 of data_2',
    ],
    [
      'rows without a time',
      bytes(
        ...head,
        ...[[51, 4, 1, 0, 5], 'name\0', 'time'],
        ...[[51, 1, 1, 0, 12], 'description\0', ' '],
        ...[[20, 4, 1, 0, 9], 'dataInfo\0', [0, 1, 0, -1]],
        ...[[0, 1, 2, 0, 7], 'data_1\0', Float64Array.of(0, 1)],
        ...[[0, 0, 9, 0, 7], 'data_2\0'],
      ),
      'The matrix data_2 has no column for the time.',
    ],
  ])('refuse %s', (_, file, message) => {
    expect(() => readMat(file)).toThrow(FormatError);
    expect(() => readMat(file)).toThrow(message);
  });

  it('refuse every file that is cut short, and none of them otherwise than by a FormatError', () => {
    const whole = toMat(small());
    for (let length = 0; length < whole.length; length++) {
      expect(() => readMat(whole.slice(0, length))).toThrow(FormatError);
    }
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (place, value) => {
        const broken = Uint8Array.from(whole);
        broken[place] = value;
        try {
          readMat(broken);
        } catch (problem) {
          expect(problem).toBeInstanceOf(FormatError);
        }
      }),
    );
  });

  it.runIf(pythonHas('scipy'))('are read by SciPy', () => {
    const seen = python<Record<string, unknown>>(
      `
import scipy.io, json, math
m = scipy.io.loadmat(path, chars_as_strings=False)
text = lambda a: [''.join(a[:, i]).rstrip() for i in range(a.shape[1])]
plain = lambda a: [[None if math.isnan(v) else float(v) for v in row] for row in a]
print(json.dumps({'class': [''.join(r).rstrip() for r in m['Aclass']], 'name': text(m['name']),
  'description': text(m['description']), 'info': m['dataInfo'].tolist(), 'data_1': plain(m['data_1']), 'data_2': plain(m['data_2'])}))
`,
      toMat(small()),
    );
    expect(seen).toEqual({
      class: ['Atrajectory', '1.1', '', 'binTrans'],
      name: ['time', 'x', 'p', 'y', 'b'],
      description: ['[s]', 'way [m|mm]', '', '', '[:#(type=Boolean)]'],
      info: [
        [0, 2, 1, 2, 2],
        [1, 2, 2, -2, 3],
        [0, 0, 0, 0, 0],
        [-1, -1, 0, -1, -1],
      ],
      data_1: [
        [0, 1],
        [2.5, 2.5],
      ],
      data_2: [
        [0, 1],
        [3, null],
        [0, 1],
      ],
    });
  });
});
