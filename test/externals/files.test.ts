/** Matrices in files, streams, folders: what is read, what is refused, and what is said of it. */
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { inflate } from '../../src/externals/files/inflate.ts';
import { functions, vector, type World } from './notation.ts';

/** The rows of a matrix in a file. */
function read(files: World['files'], file: string, name: string): number[][] {
  const { call } = functions({ files });
  const sizes = vector(0, 0);
  call('ModelicaIO_readMatrixSizes', file, name, sizes);
  const [rows, columns] = [sizes[0]!, sizes[1]!];
  const into = new Float64Array(rows * columns);
  call('ModelicaIO_readRealMatrix', file, name, into, rows, columns, false);
  return Array.from({ length: rows }, (_, i) => [...into.subarray(i * columns, (i + 1) * columns)]);
}

describe('text files', () => {
  const text = `#1
# first a comment
double a(2,3)   # two rows
0 1, 2.5e1 # a comment
 -3
\t+4; .5
float b ( 1 , 2 )
0.1 2
double c(1,1) 7
`;
  const own = (name: string, content = text): number[][] => read({ 'a.txt': content }, 'a.txt', name);

  it('hold several matrices, elements row by row, wherever lines end', () => {
    expect(own('a')).toEqual([
      [0, 1, 25],
      [-3, 4, 0.5],
    ]);
    expect(own('b')).toEqual([[0.1, 2]]);
    expect(own('c')).toEqual([[7]]);
    expect(own('a', `\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(own('a'));
  });

  it('may say something else after all elements', () => {
    expect(own('a', '#1\ndouble a(1,2)\n1 2\ninteger b(1,1)\n7\n')).toEqual([[1, 2]]);
    expect(own('a', '#1\ndouble a(1,2)\n1 2\nend\n')).toEqual([[1, 2]]);
  });

  it.each([
    ['a', '#1\ndouble a(1,2)\n1 2\n3 4\n', /line 4 .*“3” follows all 2 elements/],
    ['x', text, /no matrix “x” in the file “a\.txt”; there are a, b, c/],
    ['a', text.slice(3), /does not begin with `#1`/],
    [
      'a',
      '#1\ndouble a(2,2)\n1 2\n3\n',
      /“a” in line 2 of the file “a\.txt” has 3 elements instead of 2 × 2 = 4/,
    ],
    ['a', '#1\ndouble a(1,2)\n1 2 3\n', /line 3 .*“3” follows all 2 elements/],
    ['a', '#1\ndouble a(1,2)\n1 x\n', /line 3 of the file “a\.txt”: “x” is no number/],
    ['a', '#1\ndouble a(1,1)\n1,5.5.5\n', /“5\.5\.5” |“5\.5\.5”/],
  ])('what is wrong is named: %s', (name, content, message) => {
    expect(() => own(name, content)).toThrow(message);
  });
});

describe('comma-separated values', () => {
  const prefix = 'ModelicaStandardTables_CombiTable1D_';
  const value = (content: string, u: number, delimiter = ',', skip = 0): number => {
    const { call, number } = functions({ files: { 'a.csv': content } });
    const none = [new Float64Array(), 0, 2];
    const own = call(
      `${prefix}init3`,
      'a.csv',
      'Values',
      ...none,
      vector(2),
      1,
      1,
      1,
      false,
      delimiter,
      skip,
    );
    return number(`${prefix}getValue`, own, 1, u);
  };

  it('have any delimiter, and lines that are skipped', () => {
    expect(value('0,1\n1,3\n', 0.5)).toBe(2);
    expect(value('t;y\n0;1\r\n1;3', 0.5, ';', 1)).toBe(2);
    expect(value('0 1\n1   3\n\n', 0.5, ' ')).toBe(2);
    expect(value('0\t1\n1\t3\n', 0.5, '\t')).toBe(2);
    expect(value(' 0 1\n1\t3 \n', 0.5, ' ')).toBe(2);
    expect(value('0\t\t1\n1\t3\n', 0.5, '\t')).toBe(2);
  });

  it('may have quotes around numbers, and a separator at the end of a line', () => {
    expect(value('"0","1"\n\'1\' , " 3"\n', 0.5)).toBe(2);
    expect(value('0,1,\n1,3,\n', 0.5)).toBe(2);
  });

  it.each([
    ['t,y\n0,1', 0, /line 1 of the file “a\.csv”: “t” is no number/],
    ['0,,1\n1,,2', 0, /line 1 of the file “a\.csv”: value 2 is missing/],
    ['"0,1\n1,2', 0, /line 1 of the file “a\.csv”: “"0” is no number/],
    ['0,1\n1', 0, /line 2 of the file “a\.csv” has 1 values, those before it have 2/],
    ['0,1', 3, /no values in the file “a\.csv” after 3 header lines/],
  ])('what is wrong is named', (content, skip, message) => {
    expect(() => value(content, 0, ',', skip)).toThrow(message);
  });
});

/** A matrix of version 4; `type` is the digit of the elements. */
function mat4(
  name: string,
  rows: number,
  columns: number,
  values: readonly number[],
  type = 0,
  little = true,
  isText = false,
): Uint8Array {
  const size = [8, 4, 4, 2, 2, 1][type]!;
  const view = new DataView(new ArrayBuffer(20 + name.length + 1 + size * values.length));
  const kind = (little ? 0 : 1000) + 10 * type + (isText ? 1 : 0);
  for (const [k, n] of [kind, rows, columns, 0, name.length + 1].entries()) view.setInt32(4 * k, n, little);
  for (let k = 0; k < name.length; k++) view.setUint8(20 + k, name.charCodeAt(k));
  const set = [view.setFloat64, view.setFloat32, view.setInt32, view.setInt16, view.setUint16, view.setUint8][
    type
  ]!;
  for (const [k, x] of values.entries()) set.call(view, 21 + name.length + k * size, x, little);
  return new Uint8Array(view.buffer);
}

/** An element of version 5, padded. */
function element(kind: number, data: Uint8Array, padded = true): Uint8Array {
  const length = padded ? Math.ceil(data.length / 8) * 8 : data.length;
  const bytes = new Uint8Array(8 + length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, kind, true);
  view.setUint32(4, data.length, true);
  bytes.set(data, 8);
  return bytes;
}

const joined = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const doubles = (...x: number[]): Uint8Array => new Uint8Array(Float64Array.from(x).buffer);
const ints = (...x: number[]): Uint8Array => new Uint8Array(Int32Array.from(x).buffer);
const letters = (text: string): Uint8Array => new TextEncoder().encode(text);

const array5 = (name: string, dims: number[], flags: number, ...rest: Uint8Array[]): Uint8Array =>
  element(
    14,
    joined(element(6, ints(flags, 0)), element(5, ints(...dims)), element(1, letters(name)), ...rest),
  );

function mat5(...elements: Uint8Array[]): Uint8Array {
  const head = new Uint8Array(128).fill(32);
  head.set([0, 1, 73, 77], 124);
  return joined(head, ...elements);
}

describe('MATLAB files', () => {
  const rows = [
    [1, 3, 5],
    [2, 4, 6],
  ];
  const six = [1, 2, 3, 4, 5, 6];

  it.each([0, 1, 2, 3, 4, 5])('of version 4, elements of kind %i, both orders of bytes', (type) => {
    for (const little of [true, false]) {
      const file = joined(mat4('other', 1, 1, [9], type, little), mat4('a', 2, 3, six, type, little));
      expect(read({ 'a.mat': file }, 'a.mat', 'a')).toEqual(rows);
    }
  });

  const plain = array5('a', [2, 3], 6, element(9, doubles(...six)));

  it('of version 5, also compressed, with small elements, and in structures', () => {
    const shortName = joined(element(6, ints(6, 0)), element(5, ints(2, 3)));
    // A name and its kind in four bytes, followed by the letters.
    const short = element(
      14,
      joined(shortName, Uint8Array.of(1, 0, 1, 0, 97, 0, 0, 0), element(2, Uint8Array.from(six))),
    );
    expect(read({ 'a.mat': mat5(plain) }, 'a.mat', 'a')).toEqual(rows);
    expect(read({ 'a.mat': mat5(short) }, 'a.mat', 'a')).toEqual(rows);
    const packed = element(15, new Uint8Array(deflateSync(plain)), false);
    expect(
      read({ 'a.mat': mat5(packed, array5('b', [1, 1], 6, element(9, doubles(7)))) }, 'a.mat', 'b'),
    ).toEqual([[7]]);
    expect(read({ 'a.mat': mat5(packed) }, 'a.mat', 'a')).toEqual(rows);
    const names = element(1, letters('x\0\0\0a\0\0\0'));
    const one = array5('', [1, 1], 6, element(9, doubles(8)));
    const structure = array5(
      's',
      [1, 1],
      2,
      element(5, ints(4)),
      names,
      one,
      array5('', [2, 3], 6, element(9, doubles(...six))),
    );
    expect(read({ 'a.mat': mat5(structure) }, 'a.mat', 's.a')).toEqual(rows);
    expect(() => read({ 'a.mat': mat5(structure) }, 'a.mat', 's.y')).toThrow(
      /no field “y” in “s\.y”, only x, a/,
    );
  });

  const twoOnes = [1, 2].map((x) => array5('', [1, 1], 6, element(9, doubles(x))));

  it.each<[string, Uint8Array, string, RegExp]>([
    ['a name that is not there', mat5(plain), 'b', /no matrix “b” in the file “a\.mat”; there are a/],
    ['the end of a file', mat5(plain).slice(0, 180), 'a', /“a\.mat” cannot be read: it ends too early/],
    ['the end of a file of version 4', mat4('a', 2, 3, six).slice(0, 40), 'a', /ends too early/],
    ['other bytes', Uint8Array.from({ length: 300 }, (_, k) => k % 251), 'a', /is no MATLAB file/],
    [
      'version 7.3',
      joined(Uint8Array.of(0x89), letters('HDF\r\n....')),
      'a',
      /version 7\.3; save it with -v7/,
    ],
    ['texts of version 4', mat4('a', 1, 2, [65, 66], 0, true, true), 'a', /“a” is a text/],
    [
      'arrays of structures',
      mat5(array5('s', [1, 2], 2, element(5, ints(4)), element(1, letters('a\0\0\0')), ...twoOnes)),
      's.a',
      /“s” in “s\.a” is an array of 1 × 2 structures, not one/,
    ],
    ['texts', mat5(array5('a', [1, 1], 4, element(4, Uint8Array.of(65, 0)))), 'a', /no matrix of numbers/],
    ['complex numbers', mat5(array5('a', [1, 1], 6 | 0x800, element(9, doubles(1)))), 'a', /complex/],
    ['more dimensions', mat5(array5('a', [1, 1, 2], 6, element(9, doubles(1, 2)))), 'a', /3 dimensions/],
    ['damaged data', mat5(element(15, Uint8Array.of(0x78, 0x9c, 7, 1, 2, 3), false)), 'a', /damaged/],
    ['data of another kind', mat5(element(15, Uint8Array.of(1, 2, 3, 4), false)), 'a', /not packed by zlib/],
  ])('%s', (_, content, name, message) => {
    expect(() => read({ 'a.mat': content }, 'a.mat', name)).toThrow(message);
  });

  test('unpacks whatever zlib packs', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.array(fc.constantFrom(1, 2, 3), { maxLength: 3000 }).map((own) => Uint8Array.from(own)),
    );
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 9 }), (own, level) => {
        expect([...inflate(new Uint8Array(deflateSync(own, { level })))]).toEqual([...own]);
      }),
    );
  });
});

describe('streams and folders', () => {
  const world = { files: { 'a.txt': 'one\ntwo\r\n\nfour', 'd/x.txt': '', 'd/y.txt': 'y\n' } };
  const { call, printed } = functions(world);

  it('reads lines', () => {
    expect(['a.txt', 'd/x.txt', 'd/y.txt'].map((name) => call('ModelicaInternal_countLines', name))).toEqual([
      4, 0, 1,
    ]);
    const into = ['', '', '', ''];
    call('ModelicaInternal_readFile', 'a.txt', into, 4);
    expect(into).toEqual(['one', 'two', '', 'four']);
    const end = { value: false };
    expect([call('ModelicaInternal_readLine', 'a.txt', 2, end), end.value]).toEqual(['two', false]);
    expect([call('ModelicaInternal_readLine', 'a.txt', 5, end), end.value]).toEqual(['', true]);
    expect(() => call('ModelicaInternal_readLine', 'a.txt', 0, end)).toThrow(/number 1, not 0/);
    expect(() => call('ModelicaInternal_readFile', 'a.txt', into, 5)).toThrow(/has 4 lines, not 5/);
    expect(() => call('ModelicaInternal_countLines', 'b.txt')).toThrow(/b\.txt/);
  });

  it('prints', () => {
    call('ModelicaInternal_print', 'hello', '');
    expect(printed).toEqual(['hello']);
  });

  it('knows files and folders', () => {
    expect(['a.txt', 'd', 'nothing'].map((name) => call('ModelicaInternal_stat', name))).toEqual([2, 3, 1]);
    expect(call('ModelicaInternal_getNumberOfFiles', 'd')).toBe(2);
    const names = ['', ''];
    call('ModelicaInternal_readDirectory', 'd', 2, names);
    expect(names).toEqual(['x.txt', 'y.txt']);
    expect(() => call('ModelicaInternal_getNumberOfFiles', 'e')).toThrow(/no folder “e”/);
    expect(call('ModelicaInternal_fullPathName', 'a.txt')).toBe('/folder/a.txt');
  });

  it.each([
    ['ModelicaInternal_removeFile', ['a.txt'], /“a\.txt” is not removed: models do not change files/],
    ['ModelicaInternal_rename', ['a.txt', 'b'], /“a\.txt” is not renamed/],
    ['ModelicaInternal_rmdir', ['d'], /“d” is not removed/],
    [
      'ModelicaIO_writeRealMatrix',
      ['a.txt', 'a', vector(), 0, 0, true, '4'],
      /nothing is appended to the file “a\.txt”/,
    ],
    ['ModelicaInternal_setenv', ['A', 'b', false], /no environment variable is set/],
    ['system', ['rm -rf x'], /no command is run/],
    ['exit', [1], /terminate/],
  ])('%s is refused', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(message);
  });

  it('keeps what is written in memory, for the run alone', () => {
    const { call, printed } = functions(world);
    const print = (text: string): unknown => call('ModelicaInternal_print', text, 'out.txt');
    print('one');
    print('two');
    expect(printed).toEqual(['“out.txt” is written in memory only: models do not write files']);
    expect(call('ModelicaInternal_countLines', '/folder/out.txt')).toBe(2);
    expect(call('ModelicaInternal_stat', 'out.txt')).toBe(2);
    call('ModelicaInternal_copyFile', 'a.txt', 'copy.txt');
    call('ModelicaInternal_print', '\nfive', 'copy.txt');
    expect(call('ModelicaInternal_countLines', 'copy.txt')).toBe(5);
    call('ModelicaInternal_rename', 'copy.txt', 'moved.txt');
    expect([call('ModelicaInternal_stat', 'copy.txt'), call('ModelicaInternal_stat', 'moved.txt')]).toEqual([
      1, 2,
    ]);
    call('ModelicaInternal_removeFile', 'moved.txt');
    expect(call('ModelicaInternal_stat', 'moved.txt')).toBe(1);
    call('ModelicaInternal_mkdir', 'new');
    expect(call('ModelicaInternal_stat', 'new')).toBe(3);
    call('ModelicaInternal_print', 'x', 'new/x.txt');
    expect(() => call('ModelicaInternal_rmdir', 'new')).toThrow(/not removed/);
    expect(call('ModelicaInternal_getNumberOfFiles', 'new')).toBe(1);
    expect(functions(world).call('ModelicaInternal_stat', 'out.txt')).toBe(1);
    expect(call('ModelicaInternal_temporaryFileName')).toBe('/folder/temporary1.txt');
  });

  it('knows the working folder and those around it, so that folders can be made in it', () => {
    const { call } = functions(world);
    expect(['.', '/folder', '/folder/', '/'].map((name) => call('ModelicaInternal_stat', name))).toEqual([
      3, 3, 3, 3,
    ]);
    expect(['/fold', '/folder/none', '/other'].map((name) => call('ModelicaInternal_stat', name))).toEqual([
      1, 1, 1,
    ]);
  });

  it('reads matrices that it has written', () => {
    const { call } = functions();
    const write = (name: string, values: Float64Array, append: boolean): unknown =>
      call('ModelicaIO_writeRealMatrix', 'm.mat', name, values, 2, 3, append, '7');
    const [a, b] = [vector(1, 2, 3, 4, 5, 6), vector(6, 5, 4, 3, 2, 1)];
    expect([write('a', a, false), write('b', b, true)]).toEqual([true, true]);
    for (const [name, values] of [
      ['a', a],
      ['b', b],
    ] as const) {
      const into = new Float64Array(6);
      call('ModelicaIO_readRealMatrix', 'm.mat', name, into, 2, 3, false);
      expect(into).toEqual(values);
    }
  });

  it('replaces a matrix of the same name, as the C code does', () => {
    const { call } = functions();
    const write = (name: string, x: number, append: boolean, version = '4'): unknown =>
      call('ModelicaIO_writeRealMatrix', 'm.mat', name, vector(x), 1, 1, append, version);
    const value = (name: string): number => {
      const into = vector(0);
      call('ModelicaIO_readRealMatrix', 'm.mat', name, into, 1, 1, false);
      return into[0]!;
    };
    write('a', 1, false);
    write('b', 2, true);
    write('a', 3, true);
    expect([value('a'), value('b')]).toEqual([3, 2]);
    write('b', 4, false);
    expect(value('b')).toBe(4);
    expect(() => value('a')).toThrow(/no matrix “a”/);
    expect(() => write('a', 1, false, '5')).toThrow(/no version 5 of MATLAB files/);
  });

  it('knows the time, and nothing of the process', () => {
    const parts = Array.from({ length: 7 }, () => ({ value: 0 }));
    call('ModelicaInternal_getTime', ...parts);
    expect(parts[6]!.value).toBeGreaterThan(2000);
    expect(parts[5]!.value).toBeGreaterThan(0);
    const [content, exist] = [{ value: 'x' }, { value: true }];
    call('ModelicaInternal_getenv', 'HOME', false, content, exist);
    expect([content.value, exist.value]).toEqual(['', false]);
  });

  it('refuses a matrix of another size', () => {
    const files = { 'a.txt': '#1\ndouble a(1,2)\n1 2' };
    const { call } = functions({ files });
    expect(() => call('ModelicaIO_readRealMatrix', 'a.txt', 'a', vector(0, 0, 0), 3, 1, false)).toThrow(
      /has 1 × 2 elements, not 3 × 1/,
    );
  });
});

describe('Fourier transforms', () => {
  const amplitudes = (u: number[]): { info: unknown; a: number[]; phase: number[] } => {
    const n = Math.floor(u.length / 2) + 1;
    const [a, phase] = [new Float64Array(n), new Float64Array(n)];
    const work = new Float64Array(3 * u.length + 2 * n);
    const info = functions().call(
      'ModelicaFFT_kiss_fftr',
      Float64Array.from(u),
      u.length,
      work,
      work.length,
      a,
      phase,
    );
    return { info, a: [...a], phase: [...phase] };
  };

  // Lengths with small factors, with a large prime, and the smallest.
  it.each([2, 4, 30, 34, 58, 128, 360])('of %i samples is what the sum gives', (n) => {
    const u = Array.from({ length: n }, (_, k) => Math.sin(k * k) + k / n);
    const { info, a, phase } = amplitudes(u);
    expect(info).toBe(0);
    for (let k = 0; k <= n / 2; k++) {
      let [re, im] = [0, 0];
      for (const [j, x] of u.entries()) {
        re += x * Math.cos((2 * Math.PI * j * k) / n);
        im -= x * Math.sin((2 * Math.PI * j * k) / n);
      }
      const scale = n / 2 + 1;
      expect(a[k]! * Math.cos(phase[k]!)).toBeCloseTo(re / scale, 10);
      expect(a[k]! * Math.sin(phase[k]!)).toBeCloseTo(im / scale, 10);
    }
  });

  it('needs an even number of samples', () => {
    expect(amplitudes([1, 2, 3]).info).toBe(1);
  });
});
