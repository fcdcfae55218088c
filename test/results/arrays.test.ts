/** Arrays of signals: elements that begin and end, parts of arrays by name, several independents. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementName, elementOf, parseReference } from '../../src/names/names.ts';
import { fromArrays, toArrays } from '../../src/results/table/arrays.ts';
import { TableBuilder, tableOfColumns } from '../../src/results/table/builder.ts';
import { Signals } from '../../src/results/table/signals.ts';
import type { SignalTable } from '../../src/results/table/table.ts';
import { alias, constant, missing, signal } from './signals.ts';

describe('names with subscripts', () => {
  it.each([
    ['T[3]', 'T', [3]],
    ['c[3].T[1,2]', 'c.T', [3, 1, 2]],
    ['der(x[2])', 'der(x)', [2]],
    ["'a[1]'[2]", "'a[1]'", [2]],
  ])('%s is an element of %s', (name, array, indices) => {
    expect(elementOf(name)).toEqual({ array, indices });
  });

  it.each(['T', 'T[:]', 'T[1:2]', 'T[i]', 'T[0]', 'T[1', "'T[1]'", 'T[]', 'T[1e3]', 'T[end]'])(
    '%s is no element',
    (name) => expect(elementOf(name)).toBeUndefined(),
  );

  it('are read as parts of arrays', () => {
    const range = (from: number, step: number, to: number) => ({ from, step, to, single: false });
    expect(parseReference('a.b[2,3:5]')).toEqual({
      array: 'a.b',
      subscripts: [{ from: 2, step: 1, to: 2, single: true }, range(3, 1, 5)],
    });
    expect(parseReference('T[ : , 1:2:9, 4:end]')?.subscripts).toEqual([
      range(1, 1, Number.POSITIVE_INFINITY),
      range(1, 2, 9),
      range(4, 1, Number.POSITIVE_INFINITY),
    ]);
    for (const wrong of ['T[1:2:3:4]', 'T[end:3]', 'T[a]', 'T[-1]'])
      expect(parseReference(wrong)).toBeUndefined();
  });

  it('are made for elements', () => {
    expect(elementName('A', [2, 1])).toBe('A[2,1]');
    expect(elementName('der(c.x)', [3])).toBe('der(c.x[3])');
  });
});

/** A rod that is refined from 2 to 3 cells at time 1 and is gone after time 2, beside a scalar. */
function refinedRod(): SignalTable {
  const builder = new TableBuilder([signal('T[1]'), signal('T[2]'), signal('u')]);
  builder.beginSegment('coarse');
  builder.append(0, Float64Array.of(10, 20, 1));
  builder.append(1, Float64Array.of(11, 21, 2));
  expect(builder.declare([signal('T[3]'), alias('last', 'T[3]', -1)])).toBe(3);
  expect(builder.trajectory('T[3]')).toBe(3);
  expect(builder.trajectory('last')).toBeUndefined();
  builder.beginSegment('fine');
  builder.append(1, Float64Array.of(12, 22, 2, 32));
  builder.append(2, Float64Array.of(13, 23, 3, 33));
  builder.beginSegment('gone', [0, 0, 1, 0]);
  builder.append(2, Float64Array.of(-1, -1, 4, -1));
  return builder.finish();
}

describe('arrays that change their size', () => {
  it('have elements that are missing where they do not exist', () => {
    const table = refinedRod();
    expect(table.names).toEqual(['T[1]', 'T[2]', 'T[3]', 'u', 'last']);
    expect([...table.get('T[3]')]).toEqual([missing, missing, 32, 33, missing]);
    expect([...table.get('last')]).toEqual([missing, missing, -32, -33, missing]);
    expect([...table.get('u')]).toEqual([1, 2, 2, 3, 4]);
    expect(table.at('T[1]', 4)).toBeNaN();
  });

  it('are given whole, padded with missing values', () => {
    const { dims, elements, values } = refinedRod().array('T');
    expect(dims).toEqual([3]);
    expect(elements).toEqual(['T[1]', 'T[2]', 'T[3]']);
    expect([...values]).toEqual([
      10,
      20,
      missing,
      11,
      21,
      missing,
      12,
      22,
      32,
      13,
      23,
      33,
      missing,
      missing,
      missing,
    ]);
  });
});

/** Names of all elements of an array, the last subscript fastest. */
function elementNames(array: string, dims: readonly number[]): string[] {
  let indices: number[][] = [[]];
  for (const size of dims) {
    indices = indices.flatMap((head) => Array.from({ length: size }, (_, i) => [...head, i + 1]));
  }
  return indices.map((list) => elementName(array, list));
}

describe('parts of arrays', () => {
  /** Row r, element [i,j] of A: 100 r + 10 i + j; element [2,2] was never recorded. */
  function matrix(): SignalTable {
    const names = [
      'A[1,1]',
      'A[1,2]',
      'A[1,3]',
      'A[2,1]',
      'A[2,3]',
      'c[1].x',
      'c[2].x',
      'der(y[1])',
      'der(y[2])',
    ];
    const signals = [...names.map((name) => signal(name)), constant('p[1]', 7), constant('p[2]', 8)];
    const value = (name: string, row: number) => 100 * row + Number((name.match(/\d/g) ?? []).join(''));
    return tableOfColumns(
      signals,
      [0, 1],
      names.map((name) => [value(name, 0), value(name, 1)]),
    );
  }

  it.each([
    ['A[1,:]', ['A[1,1]', 'A[1,2]', 'A[1,3]']],
    ['A[:,3]', ['A[1,3]', 'A[2,3]']],
    ['A[2,2:end]', ['A[2,3]']],
    ['A[1,1:2:3]', ['A[1,1]', 'A[1,3]']],
    ['A[2]', ['A[2,1]', 'A[2,3]']],
    ['A', ['A[1,1]', 'A[1,2]', 'A[1,3]', 'A[2,1]', 'A[2,3]']],
    ['c[:].x', ['c[1].x', 'c[2].x']],
    ['c.x[2]', ['c[2].x']],
    ['der(y)', ['der(y[1])', 'der(y[2])']],
    ['der(y[2:2])', ['der(y[2])']],
    ['p[:]', ['p[1]', 'p[2]']],
    ['A[1,?]', ['A[1,1]', 'A[1,2]', 'A[1,3]']],
    ['A[1,2]', ['A[1,2]']],
    ['A[7,:]', []],
    ['A[1,2,3]', []],
    ['B', []],
  ])('%s means %j', (text, names) => {
    expect(matrix().expand(text)).toEqual(names);
  });

  it('have sizes without the dimensions of single subscripts', () => {
    const table = matrix();
    expect(table.array('A[1:2,3]')).toMatchObject({ dims: [2], elements: ['A[1,3]', 'A[2,3]'] });
    expect([...table.array('A[1:2,3]').values]).toEqual([13, 23, 113, 123]);
    expect(table.array('A[2]')).toMatchObject({ dims: [3], elements: ['A[2,1]', undefined, 'A[2,3]'] });
    expect([...table.array('A[2]').values]).toEqual([21, missing, 23, 121, missing, 123]);
    expect(table.array('A[2,3]')).toMatchObject({ dims: [], elements: ['A[2,3]'] });
    expect(table.array('A')).toMatchObject({ dims: [2, 3] });
    expect([...table.array('p').values]).toEqual([7, 8, 7, 8]);
  });

  it('are refused where there is no such part', () => {
    const table = matrix();
    expect(() => table.array('B')).toThrow('There is no signal named B.');
    expect(() => table.array('A[1,2,3]')).toThrow('3 subscripts, but the array has 2 dimensions');
    expect(() => table.array('A[3,:]')).toThrow('2 elements in dimension 1');
    expect(() => table.get('c[1].X')).toThrow('Did you mean c[1].x?');
    const sparse = tableOfColumns([signal('x[99999,99999]')], [], [[]]);
    expect(() => sparse.array('x')).toThrow('would have');
    expect(sparse.expand('x')).toEqual(['x[99999,99999]']);
  });

  it('select signals, in table order', () => {
    expect(matrix().select(['der(y)', 'A[2,:]']).names).toEqual([
      'A[2,1]',
      'A[2,3]',
      'der(y[1])',
      'der(y[2])',
    ]);
  });

  it('agree with the elements one by one', () => {
    const dims = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(dims, fc.infiniteStream(fc.nat()), (sizes, random) => {
        const names = elementNames('q', sizes);
        const table = tableOfColumns(
          names.map((name) => signal(name)),
          [0, 1],
          names.map((_, i) => [i, -i]),
        );
        const draw = (n: number) => 1 + (random.next().value % n);
        const picks = sizes.map((size) => {
          const from = draw(size);
          const to = from + (random.next().value % (size - from + 1));
          return { from, to };
        });
        const text = `q[${picks.map(({ from, to }) => `${from}:${to}`).join(',')}]`;
        const inside = names.filter((name) =>
          elementOf(name)!.indices.every((index, i) => index >= picks[i]!.from && index <= picks[i]!.to),
        );
        const part = table.array(text);
        expect(table.expand(text)).toEqual(inside);
        expect(part.elements).toEqual(inside);
        expect(part.dims).toEqual(picks.map(({ from, to }) => to - from + 1));
        expect([...part.values]).toEqual([0, 1].flatMap((row) => inside.map((name) => table.at(name, row))));
      }),
    );
  });
});

describe('several independents', () => {
  it('count rows and subscripts', () => {
    const over = { over: ['throttle'] };
    const table = tableOfColumns(
      [signal('tau[1]', undefined, over), signal('tau[2]', undefined, over)],
      [100, 200, 300],
      [
        [1, 2, 3],
        [10, 20, 30],
      ],
      [],
      {
        axis: { name: 'speed', unit: 'rad/s', description: 'of the shaft' },
        dimensions: [{ name: 'throttle', unit: '1', description: '', values: Float64Array.of(0, 1) }],
      },
    );
    expect(table.independents.map(({ name }) => name)).toEqual(['speed', 'throttle']);
    expect([...table.independents[0]!.values]).toEqual([100, 200, 300]);
    const { dims, axes, values } = table.select(['tau']).array('tau');
    expect(dims).toEqual([2]);
    expect(axes[0]).toMatchObject({ name: 'throttle', values: Float64Array.of(0, 1) });
    expect([...values]).toEqual([1, 10, 2, 20, 3, 30]);
  });
});

describe('aliases', () => {
  it('are told with their signs', () => {
    const table = tableOfColumns(
      [signal('x'), alias('y', 'x', -1), alias('z', 'y', -1), signal('w'), constant('p', 1)],
      [0],
      [[1], [1]],
    );
    expect(table.aliases('x')).toEqual([
      { name: 'y', sign: -1 },
      { name: 'z', sign: 1 },
    ]);
    expect(table.aliases('y')).toEqual([
      { name: 'x', sign: -1 },
      { name: 'z', sign: -1 },
    ]);
    expect(table.aliases('w')).toEqual([]);
    expect(table.aliases('p')).toEqual([]);
  });
});

describe('tables that begin with the same signals', () => {
  it('go on by themselves, with constants of their own', () => {
    const array = (name: string, size: number, values?: readonly number[]) => {
      const { source: _, ...info } = signal(name);
      const source = values ? ({ kind: 'constant', values } as const) : ({ kind: 'trajectory' } as const);
      return { ...info, dims: [size], source };
    };
    const first = new TableBuilder([constant('p', Number.NaN), alias('q', 'p', -1), signal('x')]);
    first.declareArray(array('c', 2, [0, 0]));
    first.declareArray(array('T', 2));
    const made = [1, 2].map((k) => {
      const builder = first.copy();
      builder.setConstant(0, k);
      builder.setConstant(3, [10 * k, 20 * k]);
      expect([...builder.declareArray(array('T', 2 + k))].slice(0, 3)).toEqual([1, 2, 3]);
      builder.declare([signal(`own${k}`)]);
      builder.beginSegment('');
      builder.append(
        0,
        Float64Array.from({ length: builder.width }, (_, i) => 100 * k + i),
      );
      return builder.finish();
    });
    for (const [i, table] of made.entries()) {
      const k = i + 1;
      const names = ['p', 'q', 'x', 'c[1]', 'c[2]', 'T[1]', 'T[2]', 'T[3]', ...(k === 2 ? ['T[4]'] : [])];
      expect(table.names).toEqual([...names, `own${k}`]);
      expect(table.at('p', 0)).toBe(k);
      expect(table.at('q', 0)).toBe(-k);
      expect([table.at('c[1]', 0), table.at('c[2]', 0)]).toEqual([10 * k, 20 * k]);
      expect(table.info('p')?.source).toEqual({ kind: 'constant', value: k });
      expect(table.info('c[2]')?.source).toEqual({ kind: 'constant', value: 20 * k });
      expect([table.at('x', 0), table.at('T[3]', 0)]).toEqual([100 * k, 100 * k + 3]);
    }
    first.beginSegment('');
    first.append(0, Float64Array.of(1, 2, 3));
    const own = first.finish();
    expect(own.names).toEqual(['p', 'q', 'x', 'c[1]', 'c[2]', 'T[1]', 'T[2]']);
    expect([own.at('p', 0), own.at('T[2]', 0)]).toEqual([Number.NaN, 3]);
  });
});

it('signals that are copied get others of their own, whoever was copied from whom', () => {
  const first = new Signals([signal('e[1]'), signal('p')].map((info) => ({ info })));
  const copy = first.copy();
  first.add({ info: signal('e[3]') });
  copy.add({ info: signal('e[2]') });
  const second = copy.copy();
  copy.add({ info: signal('e[5]') });
  second.add({ info: signal('e[4]') });
  const all = { first, copy, second };
  const subscripts = Object.entries(all).map(([name, own]) => [name, ...own.elementsOf('e')!.subscripts]);
  expect(subscripts).toEqual([
    ['first', 1, 3],
    ['copy', 1, 2, 5],
    ['second', 1, 2, 4],
  ]);
  for (const own of Object.values(all)) expect(own.find('p')?.signal).toBe(1);
  expect(first.find('e[2]')).toBeUndefined();
  expect(second.find('e[5]')).toBeUndefined();
});

describe('many signals that begin and end', () => {
  it('take no room where they do not exist, and keep every value', () => {
    const count = 40;
    const builder = new TableBuilder([]);
    const values = new Float64Array(count * 100);
    for (let segment = 0; segment < count; segment++) {
      const first = builder.declare(Array.from({ length: 100 }, (_, i) => signal(`s${segment}.x[${i + 1}]`)));
      builder.beginSegment(
        `segment ${segment}`,
        Uint8Array.from({ length: first + 100 }, (_, i) => (i < first ? 0 : 1)),
      );
      for (let row = 0; row < 50; row++) {
        for (let i = 0; i < 100; i++) values[first + i] = segment * 1e6 + row * 1e3 + i;
        builder.append(segment + row / 50, values);
      }
    }
    const table = builder.finish();
    for (const segment of [0, 17, 39]) {
      const column = table.get(`s${segment}.x[42]`);
      expect(column.filter((value) => !Number.isNaN(value))).toHaveLength(50);
      for (let row = 0; row < 50; row++) {
        expect(column[50 * segment + row]).toBe(segment * 1e6 + row * 1e3 + 41);
        expect(table.at(`s${segment}.x[42]`, 50 * segment + row)).toBe(segment * 1e6 + row * 1e3 + 41);
      }
    }
  });
});

describe('plain arrays', () => {
  it('are what they were after both ways', () => {
    const data = { time: [0, 1], x: [1, null], A: [[[1, 2]], [[3, 4]]], on: [true, false] };
    const table = fromArrays(
      { ...data, p: 7 },
      { units: { x: 'm', A: 'V' }, descriptions: { x: 'way' }, model: 'M' },
    );
    expect(table.names).toEqual(['x', 'A[1,1]', 'A[1,2]', 'on', 'p']);
    expect(table.info('A[1,2]')).toMatchObject({ unit: 'V', type: 'Real' });
    expect(table.info('x')).toMatchObject({ unit: 'm', description: 'way' });
    expect(table.info('on')?.type).toBe('Boolean');
    expect(table.isConstant('p')).toBe(true);
    expect(toArrays(table, ['x', 'A', 'on'], { missing: null })).toEqual({ ...data, on: [1, 0] });
    expect(Object.keys(toArrays(table))).toEqual(['time', 'x', 'A[1,1]', 'A[1,2]', 'on']);
    expect(toArrays(table, ['A[1,:]', 'p']).p).toEqual([7, 7]);
    expect(toArrays(table, ['o*'])).toEqual({ time: [0, 1], on: [1, 0] });
    expect(toArrays(table, ['x']).x).toEqual([1, missing]);
  });

  it('of different lengths are filled up with missing values', () => {
    const table = fromArrays({ t: [0, 1], T: [[1], [2, 3]] });
    expect(table.independents[0]).toMatchObject({ name: 't', unit: '' });
    expect([...table.array('T').values]).toEqual([1, missing, 2, 3]);
  });

  it('are refused where they do not fit', () => {
    expect(() => fromArrays({})).toThrow('The table has no values.');
    expect(() => fromArrays({ time: 1 })).toThrow('time has no values.');
    expect(() => fromArrays({ time: [0, 1], x: [1] })).toThrow('x has 1 entries, but time has 2.');
    expect(() => toArrays(fromArrays({ time: [0] }), ['tme'])).toThrow('There is no signal named tme.');
  });
});
