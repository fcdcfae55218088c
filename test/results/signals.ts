/** Small notation for tables in tests. */
import fc from 'fast-check';
import { tableOfColumns } from '../../src/results/builder.ts';
import type { SignalInfo, SignalSource, SignalTable } from '../../src/results/table.ts';

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

/** Names and values of a table, for comparison. */
export const contents = (table: SignalTable) => ({
  time: [...table.time],
  signals: table.names.map((name) => ({ name, values: [...table.get(name)].map((value) => value + 0) })),
});
