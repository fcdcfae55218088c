/** What a plot chooses by itself, where it puts it, and what is rounding. */
import { describe, expect, it } from 'vitest';
import { choiceOf, chooseSignals } from '../../../src/results/plot/choose.ts';
import { layoutFigure, runsOf } from '../../../src/results/plot/figure.ts';
import { tableOfColumns } from '../../../src/results/table/builder.ts';
import type { SignalTable } from '../../../src/results/table/table.ts';
import { signal } from '../signals.ts';

const times = [0, 1, 2, 3];

/** States with their units and values over four instants. */
const tableOf = (columns: Record<string, readonly [unit: string, values: readonly number[]]>): SignalTable =>
  tableOfColumns(
    Object.entries(columns).map(([name, [unit]]) => signal(name, undefined, { unit, role: 'state' })),
    times,
    Object.values(columns).map(([, values]) => [...values]),
    [],
    { model: 'M' },
  );

/** The diagrams that are chosen: names, and the range of the axis. */
const diagrams = (table: SignalTable, layout?: string) =>
  layoutFigure(runsOf(table), layout).panels.map(({ diagram, frame }) => ({
    names: diagram.signals.join(' '),
    low: frame.y.low,
    high: frame.y.high,
  }));

const zero = [0, 0, 0, 0];
const noise = [1e-17, -3e-17, 2e-17, 0];

describe('what a plot chooses', () => {
  it('what is zero all the time comes last', () => {
    const table = tableOf({
      'a.r[1]': ['m', zero],
      'a.r[2]': ['m', [0, 1, 4, 9]],
      'a.w': ['rad/s', zero],
      'b.w': ['rad/s', [1, 1, 1, 1]],
    });
    expect(chooseSignals(table)).toEqual(['a.r[2]', 'b.w', 'a.w']);
  });

  it('and makes room where there is little', () => {
    const columns = Object.fromEntries(
      Array.from({ length: 12 }, (_, k) => [`x${k}`, ['m', k < 6 ? zero : [k, 0, 0, 0]] as const]),
    );
    expect(chooseSignals(tableOf(columns))).toEqual(['x6', 'x7', 'x8', 'x9', 'x10', 'x11', 'x0', 'x1']);
  });

  it('rounding is what is small against others of the same unit', () => {
    const table = tableOf({
      'a.x': ['m', noise],
      'a.y': ['m', [0, 1, 4, 9]],
      'a.q': ['C', noise],
      'a.n': ['', noise],
      'a.big': ['', [1e9, 0, 0, 0]],
      'a.v[1]': ['', noise],
      'a.v[2]': ['', [5, 0, 0, 0]],
    });
    const { sizes } = choiceOf(table);
    // Charges of this size may be all that there is, and without a unit two scalars have nothing in common; elements of an array have.
    expect(sizes).toEqual({ 'a.y': 9, 'a.q': 3e-17, 'a.n': 3e-17, 'a.big': 1e9, 'a.v[2]': 5, 'a.x': 0 });
  });

  it('a value that is not finite says nothing of others', () => {
    const { sizes } = choiceOf(
      tableOf({ x: ['m', [1, 2, 3, 4]], y: ['m', [Number.POSITIVE_INFINITY, 1, 1, 1]] }),
    );
    expect(sizes).toEqual({ x: 4, y: 1 });
  });
});

describe('diagrams of a choice', () => {
  it('have curves that can be seen beside each other', () => {
    const table = tableOf({
      'joint.phi': ['rad', [0, 1, 2, 1]],
      'rotor.phi': ['rad', [0, 100, 200, 100]],
      'other.phi': ['rad', [0, 0.5, 0, 0.5]],
      'rest.phi': ['rad', zero],
    });
    expect(diagrams(table).map(({ names }) => names)).toEqual(['rotor.phi rest.phi', 'joint.phi other.phi']);
    expect(diagrams(table, 'joint.phi, rotor.phi').map(({ names }) => names)).toEqual([
      'joint.phi rotor.phi',
    ]);
  });

  it('have the elements of an array together', () => {
    const table = tableOf({
      'r[1]': ['m', [0, 0.1, 0, 0]],
      'r[2]': ['m', [0, 900, 0, 0]],
      s: ['m', [0, 0.1, 0, 0]],
    });
    expect(diagrams(table).map(({ names }) => names)).toEqual(['r[1] r[2]', 's']);
  });

  it('are not split where the ratio is moderate', () => {
    const table = tableOf({ a: ['V', [0, 49, 0, 0]], b: ['V', [0, 1, 0, 0]] });
    expect(diagrams(table).map(({ names }) => names)).toEqual(['a b']);
  });

  it('do not stretch their axis to rounding', () => {
    const angle = ['rad', noise] as const;
    const table = tableOf({ 'a.phi': angle, 'a.x': ['m', [1, 2, 3, 4]] });
    // Nothing else is an angle: this may be all that there is.
    expect(diagrams(table)[0]!.high).toBeLessThan(1e-15);
    const beside = tableOf({
      ...Object.fromEntries(Array.from({ length: 7 }, (_, k) => [`x[${k + 1}]`, angle])),
      'x[8]': ['rad', [0, 1, 0, 0]],
    });
    const [only] = diagrams(beside);
    expect(only!.names).toBe('x[8]');
    const other = tableOfColumns(
      [
        signal('phi', undefined, { unit: 'rad', role: 'state' }),
        signal('seen', undefined, { unit: 'rad', role: 'local' }),
      ],
      times,
      [[...noise], [0, 1, 0, 0]],
      [],
      { model: 'M' },
    );
    expect(diagrams(other)).toEqual([{ names: 'phi', low: -1, high: 1 }]);
    expect(diagrams(other, 'phi')[0]!.high).toBeLessThan(1e-15);
  });
});
