/** Arrays that are declared as a whole: nobody can tell them from the same elements declared one by one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeTable } from '../../src/results/compare/describe.ts';
import { readArrow, toArrow } from '../../src/results/files/arrow.ts';
import { toCsv } from '../../src/results/files/csv.ts';
import { readJson, toJson } from '../../src/results/files/json.ts';
import { readMat, toMat } from '../../src/results/files/mat.ts';
import { chooseSignals } from '../../src/results/plot/choose.ts';
import { TableBuilder } from '../../src/results/table/builder.ts';
import type { ArrayInfo, SignalInfo } from '../../src/results/table/signal.ts';
import type { SignalTable } from '../../src/results/table/table.ts';
import { alias, constant, contents, missing, signal } from './signals.ts';

const array = (name: string, dims: readonly number[], more: Partial<ArrayInfo> = {}): ArrayInfo => ({
  ...{ name, unit: '', displayUnit: '', description: '', type: 'Real', hidden: false, dims },
  source: { kind: 'trajectory' },
  ...more,
});

/** All subscripts of an array, the last one fastest. */
function eachSubscripts(dims: readonly number[]): number[][] {
  return dims.reduce<number[][]>(
    (heads, size) => heads.flatMap((head) => Array.from({ length: size }, (_, i) => [...head, i + 1])),
    [[]],
  );
}

describe('an array that is declared as a whole', () => {
  /** `c.T` of 2 by 3 components, `T` of 2, a scalar. */
  function cells(): SignalTable {
    const builder = new TableBuilder([signal('x')]);
    const own = builder.declareArray(array('c.T', [2, 2], { places: [1, 3], unit: 'K', role: 'state' }));
    expect([...own]).toEqual([1, 2, 3, 4]);
    builder.declareArray(array('p', [2], { source: { kind: 'constant', values: [7, 8] } }));
    builder.declare([alias('last', 'c[2].T[2]', -1)]);
    builder.beginSegment('');
    builder.append(0, Float64Array.of(9, 11, 12, 21, 22));
    builder.append(1, Float64Array.of(9, 111, 112, 121, 122));
    return builder.finish();
  }

  it('has elements with names, values and descriptions', () => {
    const table = cells();
    expect(table.size).toBe(8);
    expect(table.names).toEqual([
      'x',
      ...['c[1].T[1]', 'c[1].T[2]', 'c[2].T[1]', 'c[2].T[2]'],
      ...['p[1]', 'p[2]', 'last'],
    ]);
    expect([...table.get('c[2].T[1]')]).toEqual([21, 121]);
    expect(table.at('c[1].T[2]', 1)).toBe(112);
    expect(table.info('c[1].T[2]')).toEqual(signal('c[1].T[2]', undefined, { unit: 'K', role: 'state' }));
    expect(table.info('p[2]')).toEqual(constant('p[2]', 8));
    expect([...table.get('p[2]')]).toEqual([8, 8]);
    expect(table.isConstant('p[1]')).toBe(true);
    expect([...table.get('last')]).toEqual([-22, -122]);
    expect(table.aliases('last')).toEqual([{ name: 'c[2].T[2]', sign: -1 }]);
  });

  it.each([
    'c',
    'c.T',
    'c[1].T',
    'c[:].T[:]',
    'c.T[1,2]',
    'c[3].T[1]',
    'c[1].T[0]',
    'c[1].T[1,1]',
    'c[01].T[1]',
    'p[ 1]',
    'p[3]',
    'p[1',
  ])('has no element called %s', (name) => {
    expect(cells().has(name)).toBe(false);
    expect(cells().info(name)).toBeUndefined();
    expect(() => cells().get(name)).toThrow(`There is no signal named ${name}.`);
  });

  it.each([
    ['c[2].t[1]', 'c[2].T[1]'],
    ['c[2].T[9]', 'c[2].T[2]'],
    ['d.T', 'c.T'],
    ['q[1]', 'p[1]'],
    ['lst', 'last'],
  ])('is meant by %s', (wrong, right) => {
    expect(cells().nearest(wrong)).toBe(right);
    expect(() => cells().get(wrong)).toThrow(`Did you mean ${right}?`);
  });

  it('has parts', () => {
    const table = cells();
    expect(table.expand('c[2].T')).toEqual(['c[2].T[1]', 'c[2].T[2]']);
    expect(table.array('c.T[:,2]')).toMatchObject({ dims: [2], elements: ['c[1].T[2]', 'c[2].T[2]'] });
    expect([...table.array('c[:].T[2]').values]).toEqual([12, 22, 112, 122]);
    expect(table.select(['c[2].T', 'x']).names).toEqual(['x', 'c[2].T[1]', 'c[2].T[2]']);
    expect(table.select(['c[2].T']).array('c.T')).toMatchObject({
      dims: [2, 2],
      elements: [undefined, undefined, 'c[2].T[1]', 'c[2].T[2]'],
    });
    expect(table.select(['p*']).select(['p[2]']).names).toEqual(['p[2]']);
  });

  it('may have no elements', () => {
    const builder = new TableBuilder([]);
    expect([...builder.declareArray(array('T', [0]))]).toEqual([]);
    expect([...builder.declareArray(array('T', [1]))]).toEqual([0]);
    expect([...builder.declareArray(array('U', [3, 0]))]).toEqual([]);
    const table = builder.finish();
    expect(table.names).toEqual(['T[1]']);
    expect(table.expand('U')).toEqual([]);
    expect(() => table.array('U')).toThrow('There is no signal named U.');
  });

  it('keeps its trajectories when it grows, and shrinks', () => {
    const builder = new TableBuilder([]);
    expect([...builder.declareArray(array('A', [2, 1]))]).toEqual([0, 1]);
    builder.beginSegment('small');
    builder.append(0, Float64Array.of(11, 21));
    const own = builder.declareArray(array('A', [1, 2]));
    expect([...own]).toEqual([0, 2]);
    builder.declare([signal('x')]);
    expect([...builder.declareArray(array('A', [2, 2]))]).toEqual([0, 2, 1, 4]);
    builder.beginSegment('other', [true, false, true, true, false]);
    builder.append(1, Float64Array.of(111, -1, 112, 5, -1));
    const table = builder.finish();
    expect(table.names).toEqual(['A[1,1]', 'A[2,1]', 'A[1,2]', 'A[2,2]', 'x']);
    expect(table.array('A')).toMatchObject({ elements: ['A[1,1]', 'A[1,2]', 'A[2,1]', 'A[2,2]'] });
    expect([...table.array('A').values]).toEqual([11, missing, 21, missing, 111, 112, missing, missing]);
  });

  it('cannot have the name of something else', () => {
    const builder = new TableBuilder([signal('T[2]'), signal('c[1].x[3]')]);
    expect(builder.clash(array('T', [1]))).toBeUndefined();
    expect(builder.clash(array('T', [3]))).toBe('T[2]');
    expect(() => builder.declareArray(array('T', [3]))).toThrow('same name: T[2]');
    expect(builder.clash(array('c.x', [2, 3], { places: [1, 3] }))).toBe('c[1].x[3]');
    expect(builder.clash(array('c[1].x', [2]))).toBeUndefined();
    builder.declareArray(array('c[1].x', [2]));
    expect(builder.clash(array('c.x', [1, 2], { places: [1, 3] }))).toBe('c[1].x[1]');
    expect(() => builder.declare([signal('c[1].x[2]')])).toThrow('same name: c[1].x[2]');
    const constants = array('c[1].x', [2], { source: { kind: 'constant', values: [1, 2] } });
    expect(() => builder.declareArray(constants)).toThrow('same name: c[1].x[1]');
  });
});

describe('elements that share trajectories', () => {
  /** b is {-a[2], a[1], a[2]}. */
  function sharing(): SignalTable {
    const builder = new TableBuilder([signal('x')]);
    const first = builder.reserve(2);
    builder.declareShared(array('a', [2]), Int32Array.of(1 + first, 2 + first));
    builder.declareShared(array('b', [3]), Int32Array.of(-(2 + first), 1 + first, 2 + first));
    builder.beginSegment('');
    builder.append(0, Float64Array.of(5, 10, 20));
    return builder.finish();
  }

  it('are aliases of the first one', () => {
    const table = sharing();
    expect(contents(table).signals).toEqual([
      { name: 'x', values: [5] },
      ...[10, 20].map((value, i) => ({ name: `a[${i + 1}]`, values: [value] })),
      ...[-20, 10, 20].map((value, i) => ({ name: `b[${i + 1}]`, values: [value] })),
    ]);
    expect(table.info('a[2]')?.source).toEqual({ kind: 'trajectory' });
    expect(table.info('b[1]')?.source).toEqual({ kind: 'alias', of: 'a[2]', sign: -1 });
    expect(table.aliases('b[1]')).toEqual([
      { name: 'a[2]', sign: -1 },
      { name: 'b[3]', sign: -1 },
    ]);
    expect(table.aliases('b[2]')).toEqual([{ name: 'a[1]', sign: 1 }]);
    expect(chooseSignals(table)).toEqual(['x', 'a[1]', 'a[2]']);
  });

  it('have values of their own where the first one is left out', () => {
    const some = sharing().select(['b']);
    expect(some.info('b[1]')?.source).toEqual({ kind: 'trajectory' });
    expect(some.info('b[3]')?.source).toEqual({ kind: 'alias', of: 'b[1]', sign: -1 });
    expect([...some.get('b[3]')]).toEqual([20]);
  });

  it('are aliases in files', () => {
    const table = sharing();
    for (const back of [readJson(toJson(table)), readArrow(toArrow(table)), readMat(toMat(table))]) {
      expect(contents(back)).toEqual(contents(table));
      expect(back.aliases('a[2]')).toEqual(table.aliases('a[2]'));
    }
    expect(contents(readJson(toJson(table.select(['b']))))).toEqual(contents(table.select(['b'])));
  });

  it('cannot be declared twice', () => {
    const builder = new TableBuilder([signal('c[1]')]);
    builder.declareShared(array('a', [1]), Int32Array.of(1));
    expect(() => builder.declareShared(array('a', [2]), Int32Array.of(1, 1))).toThrow('same name: a');
    expect(() => builder.declareShared(array('c', [2]), Int32Array.of(1, 1))).toThrow('same name: c[1]');
  });
});

/** An array as it is declared, and its elements one by one. */
interface Written {
  readonly whole: ArrayInfo;
  readonly elements: readonly SignalInfo[];
}

const texts = ['a', 'bc', 'x_1', "'q[1]'", 'Ω'];

/**
 * Arrays with dimensions anywhere in their names, which are written out here by hand. Parts of a name are `text`, `text[2]` and
 * `text` with subscripts.
 */
const writtenArray = (first: string): fc.Arbitrary<Written> =>
  fc
    .record({
      parts: fc.array(
        fc.record({
          text: fc.constantFrom(...texts),
          fixed: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
          dims: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      isDerivative: fc.boolean(),
      values: fc.option(fc.infiniteStream(fc.double({ noNaN: true })), { nil: undefined }),
      hidden: fc.boolean(),
      role: fc.constantFrom('state' as const, 'local' as const, 'output' as const),
    })
    .map(({ parts, isDerivative, values, hidden, role }) => {
      let name = isDerivative ? `der(${first}` : first;
      const places: number[] = [];
      for (const { text, fixed, dims } of parts) {
        name += `.${text}${fixed !== undefined && dims.length === 0 ? `[${fixed}]` : ''}`;
        places.push(...dims.map(() => name.length));
      }
      if (isDerivative) name += ')';
      const dims = parts.flatMap((part) => part.dims);
      const all = eachSubscripts(dims);
      const constants = all.map(() => values?.next().value ?? 0);
      const about = { unit: 'm', description: 'of all', hidden, role };
      const whole = array(name, dims, {
        ...{ places, ...about },
        source: values ? { kind: 'constant', values: constants } : { kind: 'trajectory' },
      });
      const nameOf = (subscripts: readonly number[]): string => {
        const left = [...subscripts];
        const written = parts.map(({ text, fixed, dims }) => {
          const own = dims.length > 0 ? left.splice(0, dims.length) : fixed === undefined ? [] : [fixed];
          return `.${text}${own.length > 0 ? `[${own.join(',')}]` : ''}`;
        });
        const plain = first + written.join('');
        return isDerivative ? `der(${plain})` : plain;
      };
      const elements = all.map((subscripts, k) =>
        signal(
          nameOf(subscripts),
          values ? { kind: 'constant', value: constants[k]! } : { kind: 'trajectory' },
          about,
        ),
      );
      return { whole, elements };
    });

/** The same table twice: arrays whole, and written out. */
const tables: fc.Arbitrary<readonly [SignalTable, SignalTable]> = fc
  .record({
    arrays: fc.tuple(writtenArray('k'), writtenArray('l'), writtenArray('m')),
    cells: fc.infiniteStream(fc.double()),
    rows: fc.nat(3),
  })
  .map(({ arrays, cells, rows }) => {
    const whole = new TableBuilder([signal('x'), constant('g', 9.81)]);
    const written = new TableBuilder([signal('x'), constant('g', 9.81)]);
    for (const { whole: info, elements } of arrays) {
      whole.declareArray(info);
      written.declare(elements);
    }
    expect(whole.width).toBe(written.width);
    for (const builder of [whole, written]) builder.beginSegment('all');
    for (let row = 0; row < rows; row++) {
      const values = Float64Array.from({ length: whole.width }, () => cells.next().value);
      for (const builder of [whole, written]) builder.append(row, values);
    }
    return [whole.finish(), written.finish()] as const;
  });

describe('arrays of any shape', () => {
  it('have the names of their elements written out, and all that belongs to these', () => {
    fc.assert(
      fc.property(tables, ([whole, written]) => {
        expect(contents(whole)).toEqual(contents(written));
        expect([...whole.final()]).toEqual([...written.final()]);
        for (const name of written.names) {
          expect(whole.has(name)).toBe(true);
          expect(whole.info(name)).toEqual(written.info(name));
          expect(whole.isConstant(name)).toBe(written.isConstant(name));
        }
      }),
    );
  });

  it('are written to the same files', () => {
    fc.assert(
      fc.property(tables, ([whole, written]) => {
        expect(toCsv(whole)).toBe(toCsv(written));
        expect(toJson(whole)).toBe(toJson(written));
        expect(toMat(whole)).toEqual(toMat(written));
        expect(toArrow(whole)).toEqual(toArrow(written));
        expect(contents(readJson(toJson(whole)))).toEqual(contents(whole));
      }),
    );
  });

  it('have the same parts, descriptions and choice for plots', () => {
    fc.assert(
      fc.property(tables, fc.infiniteStream(fc.nat()), ([whole, written], random) => {
        const draw = (n: number): number => random.next().value % n;
        for (const name of written.names) {
          // Subscripts become ranges or disappear.
          const text = name.replace(/\[(\d)/g, (own, i) => ['[:', `[${i}:3`, '[1:2:3', own][draw(4)]!);
          for (const asked of [text, name.replace(/\[[\d,]*\]/g, ''), `${name.slice(0, 2)}*`]) {
            expect(whole.expand(asked)).toEqual(written.expand(asked));
            expect(whole.select([asked]).names).toEqual(written.select([asked]).names);
            expect(outcome(() => whole.array(asked))).toEqual(outcome(() => written.array(asked)));
          }
        }
        expect(describeTable(whole)).toBe(describeTable(written));
        expect(chooseSignals(whole)).toEqual(chooseSignals(written));
        expect(whole.visible().names).toEqual(written.filter(({ hidden }) => !hidden).names);
        const kept = whole.filter(({ name }) => name.length % 2 === 0);
        expect(contents(kept)).toEqual(contents(written.filter(({ name }) => name.length % 2 === 0)));
      }),
      { numRuns: 40 },
    );
  });

  it('keep their elements when sizes change', () => {
    const dims = fc.tuple(fc.nat(3), fc.nat(3));
    fc.assert(
      fc.property(fc.array(dims, { minLength: 1, maxLength: 5 }), (sizes) => {
        const [whole, written] = [new TableBuilder([]), new TableBuilder([])];
        for (const [row, own] of sizes.entries()) {
          const names = eachSubscripts(own).map((subscripts) => `T[${subscripts}]`);
          for (const name of names)
            if (written.trajectory(name) === undefined) written.declare([signal(name)]);
          const columns = whole.declareArray(array('T', own));
          expect([...columns]).toEqual(names.map((name) => written.trajectory(name)));
          const present = Uint8Array.from({ length: whole.width }, (_, column) =>
            Number(columns.includes(column)),
          );
          const values = Float64Array.from({ length: whole.width }, (_, column) => 100 * row + column);
          for (const builder of [whole, written]) {
            builder.beginSegment(`${row}`, present);
            builder.append(row, values);
          }
        }
        const [a, b] = [whole.finish(), written.finish()];
        expect(contents(a)).toEqual(contents(b));
        expect(outcome(() => a.array('T'))).toEqual(outcome(() => b.array('T')));
      }),
    );
  });
});

/** The value, or the message of what is thrown, without guesses. */
function outcome<T>(work: () => T): T | string {
  try {
    return work();
  } catch (problem) {
    return (problem as Error).message.replace(/ Did you mean .*$/s, '');
  }
}
