import { describe, expect, it } from 'vitest';
import { TableBuilder } from '../../src/results/table/builder.ts';
import type { SignalTable } from '../../src/results/table/table.ts';
import { alias, constant, signal } from './signals.ts';

/** x jumps from 2 to 5 at time 1; y exists only afterwards. */
function jumping(): SignalTable {
  const builder = new TableBuilder([
    constant('g', 9.81),
    signal('x'),
    signal('y'),
    alias('minusX', 'x', -1),
    alias('again', 'minusX', -1),
    alias('minusG', 'g', -1),
  ]);
  const values = new Float64Array(2);
  const row = (time: number, x: number, y: number) => {
    values[0] = x;
    values[1] = y;
    builder.append(time, values);
  };
  builder.beginSegment('closed=true', [true, false]);
  row(0, 0, 77);
  row(1, 2, 77);
  builder.beginSegment('closed=false', Uint8Array.of(1, 1));
  row(1, 5, 10);
  row(3, 9, 30);
  return builder.finish({ model: 'Jump', impulses: [{ time: 1, variable: 'i', weight: 6 }] });
}

describe('a signal table', () => {
  it('gives columns with NaN where a variable does not exist', () => {
    const table = jumping();
    expect([...table.time]).toEqual([0, 1, 1, 3]);
    expect([...table.get('x')]).toEqual([0, 2, 5, 9]);
    expect([...table.get('y')]).toEqual([Number.NaN, Number.NaN, 10, 30]);
  });

  it('has a reader that knows signals by their numbers, and where each is stored', () => {
    const { reader } = jumping();
    expect([...reader.eachName()]).toEqual(['g', 'x', 'y', 'minusX', 'again', 'minusG']);
    expect(['g', 'y', 'minusX', 'z'].map((name) => reader.find(name))).toEqual([0, 2, 3, undefined]);
    expect([0, 1, 3, 4, 5].map((number) => reader.column(number))).toEqual([
      { index: -1, scale: 9.81 },
      { index: 0, scale: 1 },
      { index: 0, scale: -1 },
      { index: 0, scale: 1 },
      { index: -1, scale: -9.81 },
    ]);
    const columns = [...reader.eachColumn(Int32Array.of(3, 2))].map(([number, values]) => [
      number,
      [...values],
    ]);
    expect(columns).toEqual([
      [3, [-0, -2, -5, -9]],
      [2, [Number.NaN, Number.NaN, 10, 30]],
    ]);
    const row = new Float64Array(2);
    reader.rowReader([5, 2])(3, row);
    expect([...row, reader.value(1, 2)]).toEqual([-9.81, 30, 5]);
  });

  it('stays as it was when its builder goes on', () => {
    const builder = new TableBuilder([signal('x')]);
    builder.beginSegment('');
    builder.append(0, Float64Array.of(1));
    const table = builder.finish();
    builder.append(1, Float64Array.of(2));
    const [[, values]] = table.reader.eachColumn(Int32Array.of(0)) as unknown as [[number, Float64Array]];
    expect([table.rowCount, [...table.get('x')], [...values]]).toEqual([1, [1], [1]]);
  });

  it('follows aliases with their signs, also to constants', () => {
    const table = jumping();
    expect([...table.get('minusX')]).toEqual([-0, -2, -5, -9]);
    expect([...table.get('again')]).toEqual([0, 2, 5, 9]);
    expect([...table.get('minusG')]).toEqual([-9.81, -9.81, -9.81, -9.81]);
    expect(table.isConstant('minusG')).toBe(true);
    expect(table.isConstant('again')).toBe(false);
  });

  it('interpolates, and tells the two sides of an event apart', () => {
    const table = jumping();
    expect(table.value('x', 0.5)).toBe(1);
    expect(table.value('x', 1)).toBe(5);
    expect(table.value('x', 1, 'before')).toBe(2);
    expect(table.value('x', 2)).toBe(7);
    expect(table.value('x', 3)).toBe(9);
    expect(table.value('y', 0.5)).toBeNaN();
    expect(table.value('y', 1, 'before')).toBeNaN();
    expect(table.value('y', 1.5)).toBe(15);
    for (const time of [-1e-9, 3.1, Number.NaN]) expect(table.value('x', time)).toBeNaN();
  });

  it('remembers segments, drops those without rows', () => {
    const builder = new TableBuilder([signal('x')]);
    builder.beginSegment('a');
    builder.append(0, Float64Array.of(1));
    builder.beginSegment('instantaneous');
    builder.beginSegment('b');
    builder.append(0, Float64Array.of(2));
    builder.append(1, Float64Array.of(3));
    expect(builder.finish().segments).toEqual([
      { signature: 'a', firstRow: 0, endRow: 1 },
      { signature: 'b', firstRow: 1, endRow: 3 },
    ]);
  });

  it('ends with the last row, null where missing', () => {
    expect(Object.fromEntries(jumping().final())).toEqual({
      g: 9.81,
      x: 9,
      y: 30,
      minusX: -9,
      again: 9,
      minusG: -9.81,
    });
    const builder = new TableBuilder([signal('x'), constant('p', 1)]);
    builder.beginSegment('', [false]);
    builder.append(0, Float64Array.of(1));
    expect([...builder.finish().final()]).toEqual([
      ['x', null],
      ['p', 1],
    ]);
  });

  it('selects by globs in table order, aliases without their targets included', () => {
    const some = jumping().select(['minus*', 'y']);
    expect(some.names).toEqual(['y', 'minusX', 'minusG']);
    expect([...some.get('minusX')]).toEqual([-0, -2, -5, -9]);
    expect(some.has('x')).toBe(false);
    expect(some.model).toBe('Jump');
    expect(some.impulses).toHaveLength(1);
  });

  it('keeps every row when it grows over many chunks', () => {
    const width = 1000;
    const builder = new TableBuilder(Array.from({ length: width }, (_, i) => signal(`x[${i + 1}]`)));
    const values = new Float64Array(width);
    builder.beginSegment('');
    for (let row = 0; row < 3000; row++) {
      for (let i = 0; i < width; i++) values[i] = row * width + i;
      builder.append(row, values);
    }
    const table = builder.finish();
    expect(table.rowCount).toBe(3000);
    const column = table.get('x[7]');
    expect(column.every((value, row) => value === row * width + 6)).toBe(true);
    expect(table.at('x[1000]', 2999)).toBe(2999 * width + 999);
  });

  it('refuses what only a mistake can cause', () => {
    const builder = new TableBuilder([signal('x')]);
    builder.append(1, Float64Array.of(0));
    expect(() => builder.append(0.5, Float64Array.of(0))).toThrow(RangeError);
    expect(() => builder.append(Number.NaN, Float64Array.of(0))).toThrow(RangeError);
    expect(() => builder.finish().get('z')).toThrow('no signal named z');
    expect(() => new TableBuilder([signal('x'), signal('x')])).toThrow('same name');
    expect(() => new TableBuilder([alias('x', 'z')])).toThrow('unknown');
    expect(() => new TableBuilder([alias('x', 'y'), alias('y', 'x')])).toThrow('itself');
  });
});
