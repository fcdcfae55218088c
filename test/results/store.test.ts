/** Rows that are not in memory are read as those that are. */
import { readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileShelf } from '../../src/cli/shelf.ts';
import { toCsv } from '../../src/results/files/csv.ts';
import { readMat, toMat } from '../../src/results/files/mat.ts';
import { TableBuilder } from '../../src/results/table/builder.ts';
import type { SignalInfo } from '../../src/results/table/signal.ts';
import type { Shelf } from '../../src/results/table/store.ts';
import type { SignalTable } from '../../src/results/table/table.ts';

const signal = (name: string): SignalInfo => ({
  ...{ name, unit: '', displayUnit: '', description: '', type: 'Real', hidden: false },
  source: { kind: 'trajectory' },
});

/** Of each row: when, and how signal k follows from it; segments have some of the signals. */
interface Plan {
  readonly segments: readonly { readonly rows: number; readonly present: readonly boolean[] }[];
}

const width = 5;
const sample = (row: number, k: number): number => Math.sin(row * width + k);

function filled({ segments }: Plan, shelf?: Shelf): SignalTable {
  const builder = new TableBuilder(
    Array.from({ length: width }, (_, k) => signal(`x${k}`)),
    shelf,
  );
  const values = new Float64Array(width);
  let row = 0;
  for (const { rows, present } of segments) {
    builder.beginSegment('', present);
    for (let n = 0; n < rows; n++, row++) {
      for (let k = 0; k < width; k++) values[k] = sample(row, k);
      builder.append(row, values);
    }
  }
  return builder.finish();
}

/** What each signal is in each row, from the plan alone. */
const expected = ({ segments }: Plan, k: number): number[] =>
  segments
    .flatMap(({ rows, present }) => new Array<boolean>(rows).fill(present[k]!))
    .map((exists, row) => (exists ? sample(row, k) : Number.NaN));

const plans = fc.record({
  segments: fc.array(
    fc.record({
      rows: fc.integer({ min: 1, max: 900 }),
      present: fc.array(fc.boolean(), { minLength: width, maxLength: width }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

describe('a shelf for rows', () => {
  test('takes any chunks, and gives them back', () => {
    fc.assert(
      fc.property(plans, fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), (plan, pattern) => {
        const shelved: Float64Array[] = [];
        let asked = 0;
        const shelf: Shelf = {
          put: (numbers) =>
            pattern[asked++ % pattern.length] ? shelved.push(numbers.slice()) - 1 : undefined,
          take: (number, into) => into.set(shelved[number]!),
        };
        const table = filled(plan, shelf);
        const all = table.reader.valuesOf(Int32Array.from({ length: width }, (_, k) => k));
        for (let k = 0; k < width; k++) {
          expect([...all[k]!]).toEqual(expected(plan, k));
          for (let row = table.rowCount - 1; row >= 0; row -= 97)
            expect(table.reader.value(k, row)).toBe(expected(plan, k)[row]);
        }
      }),
    );
  });

  test('is a file without a name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shelf-'));
    const plan = { segments: [{ rows: 200_000, present: [true, true, false, true, true] }] };
    const table = filled(plan, new FileShelf(folder, 0));
    expect(readdirSync(folder)).toEqual([]);
    const [first, last] = [expected(plan, 0), expected(plan, 4)];
    const lines = toCsv(table).split('\n');
    expect(lines[199_001]).toBe(
      [199_000, first[199_000], sample(199_000, 1), '', sample(199_000, 3), last[199_000]].join(),
    );
    const again = readMat(toMat(table));
    for (const row of [0, 1000, 123_456, 199_999]) expect(again.reader.value(4, row)).toBe(last[row]);
  });

  test('where there is no disk, rows stay in memory', () => {
    const plan = { segments: [{ rows: 5000, present: new Array<boolean>(width).fill(true) }] };
    const table = filled(plan, new FileShelf(join(tmpdir(), 'no', 'such', 'folder'), 0));
    expect(table.reader.value(2, 4321)).toBe(sample(4321, 2));
  });

  test('rows without any signal need none', () => {
    const builder = new TableBuilder([], new FileShelf());
    builder.beginSegment('');
    builder.append(0, new Float64Array(0));
    expect(toCsv(builder.finish())).toBe('time\n0\n');
  });
});
