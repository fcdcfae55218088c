/** Small notation for tables in tests. */
import fc from 'fast-check';
import { TableBuilder, tableOfColumns } from '../../src/results/table/builder.ts';
import type { SignalInfo, SignalSource } from '../../src/results/table/signal.ts';
import type { SignalTable } from '../../src/results/table/table.ts';

export const signal = (
  name: string,
  source: SignalSource = { kind: 'trajectory' },
  more: Partial<SignalInfo> = {},
): SignalInfo => ({
  name,
  unit: '',
  displayUnit: '',
  description: '',
  type: 'Real',
  hidden: false,
  source,
  ...more,
});

export const alias = (name: string, of: string, sign: 1 | -1 = 1) =>
  signal(name, { kind: 'alias', of, sign });
export const constant = (name: string, value: number) => signal(name, { kind: 'constant', value });

export const missing = Number.NaN;

const anyName = fc.string({ minLength: 1, unit: 'grapheme' });
/** As models have them: no blanks at the ends, no control characters. */
const plainName = fc.stringMatching(/^[a-zäµ][a-z0-9_.äµ]{0,7}(\[[1-9](,[1-9])?\])?$/);

const tables = (name: fc.Arbitrary<string>): fc.Arbitrary<SignalTable> =>
  fc
    .record({
      names: fc.uniqueArray(name, { minLength: 3, maxLength: 6 }),
      steps: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e3, noNaN: true })), {
        maxLength: 8,
      }),
      cells: fc.infiniteStream(fc.double()),
      constantValue: fc.double({ noNaN: true }),
      sign: fc.constantFrom(1 as const, -1 as const),
    })
    .map(({ names, steps, cells, constantValue, sign }) => {
      let now = -3;
      const time = steps.map((step) => (now += step));
      const [first, second, ...rest] = names as [string, string, ...string[]];
      const signals = [
        constant(first, constantValue),
        ...rest.map((name) => signal(name)),
        alias(second, rest[0]!, sign),
      ];
      const values = rest.map(() => time.map(() => cells.next().value));
      return tableOfColumns(signals, time, values, [], { model: 'M' });
    });

/** Tables with awkward names, infinities, missing values, double points, constants and aliases. */
export const anyTable = tables(anyName);

/** The same with ordinary names. */
export const plainTable = tables(plainName.filter((name) => name !== 'time'));

/**
 * Tables as runs with components that come and go make them: several segments, signals that begin and end with them, an array whose size
 * changes, Booleans and Integers, impulses and attributes.
 */
export const segmentedTable: fc.Arbitrary<SignalTable> = fc
  .record({
    sizes: fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }),
    rows: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4, maxLength: 4 }),
    cells: fc.infiniteStream(fc.double({ noNaN: true })),
    isThere: fc.infiniteStream(fc.boolean()),
    weight: fc.double({ noNaN: true }),
    text: fc.string({ unit: 'grapheme' }),
  })
  .map(({ sizes, rows, cells, isThere, weight, text }) => {
    const builder = new TableBuilder([
      constant('p', 1),
      signal('x', undefined, { unit: 'm', description: text, role: 'state' }),
      alias('y', 'x', -1),
      signal('on', undefined, { type: 'Boolean' }),
      signal('n', undefined, { type: 'Integer', hidden: true }),
    ]);
    let time = 0;
    for (const [segment, size] of sizes.entries()) {
      for (let i = 1; i <= size; i++) {
        const name = `c.T[${i}]`;
        if (builder.trajectory(name) === undefined) builder.declare([signal(name, undefined, { unit: 'K' })]);
      }
      const elements = Array.from({ length: size }, (_, i) => builder.trajectory(`c.T[${i + 1}]`)!);
      const always = [0, 1, 2].map(() => isThere.next().value);
      const present = Array.from({ length: builder.width }, (_, i) => always[i] ?? elements.includes(i));
      builder.beginSegment(`segment ${segment}`, present);
      for (let row = 0; row < rows[segment]!; row++) {
        const values = Float64Array.from({ length: builder.width }, () => cells.next().value);
        values[1] = Math.sign(values[1]!) > 0 ? 1 : 0;
        values[2] = Math.round(Math.max(-1e9, Math.min(1e9, values[2]!))) + 0;
        builder.append((time += 0.5), values);
      }
    }
    return builder.finish({
      model: 'M',
      impulses: [{ time: 0.5, variable: 'x', weight }],
      modes: [{ signature: text, from: 0, to: time }],
      attributes: { text, list: [1, null, { deep: true }] },
    });
  });

/** Names and values of a table, for comparison. */
export const contents = (table: SignalTable) => ({
  time: [...table.time],
  signals: table.names.map((name) => ({ name, values: [...table.get(name)].map((value) => value + 0) })),
});
