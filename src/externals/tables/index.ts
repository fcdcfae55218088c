/** Implementations of ModelicaStandardTables: `CombiTable1D`, `CombiTable2D`, `CombiTimeTable`. */
import type { Externals, ForeignRun } from '../../symbolic/foreign.ts';
import { filesOf } from '../files/written.ts';
import type { Surroundings } from '../surroundings.ts';
import { kindsOf, matrixOf } from './content.ts';
import { Curves } from './curves.ts';
import { Surface } from './surface.ts';
import { TimeTable, timeEventKinds } from './times.ts';

export const tables = (surroundings: Surroundings): Externals => ({
  ...oneInput(surroundings),
  ...twoInputs(surroundings),
  ...overTime(surroundings),
});

function oneInput(surroundings: Surroundings): Externals {
  const order = (curves: Curves, index: number, u: number, n: number): number =>
    curves.at(index, curves.axis.locate(u, 'u'), n);
  return named('ModelicaStandardTables_CombiTable1D_', {
    init3(
      this: ForeignRun,
      fileName: string,
      tableName: string,
      table: Float64Array,
      rows: number,
      columns: number,
      wanted: Float64Array,
      _count: number,
      smoothness: number,
      extrapolation: number,
      verbose: boolean,
      delimiter: string,
      headerLines: number,
    ) {
      const kinds = kindsOf(smoothness, extrapolation);
      const source = { fileName, tableName, table, rows, columns, verbose, delimiter, headerLines };
      return new Curves(matrixOf(source, filesOf(this, surroundings)), wanted, kinds, false);
    },
    close: () => {},
    getValue: (curves: Curves, index: number, u: number) => order(curves, index, u, 0),
    getDerValue: (curves: Curves, index: number, u: number, der: number) => order(curves, index, u, 1) * der,
    getDer2Value: (curves: Curves, index: number, u: number, der: number, der2: number) =>
      order(curves, index, u, 2) * der * der + order(curves, index, u, 1) * der2,
    minimumAbscissa: ({ axis }: Curves) => axis.min,
    maximumAbscissa: ({ axis }: Curves) => axis.max,
    read: () => 1,
  });
}

function twoInputs(surroundings: Surroundings): Externals {
  return named('ModelicaStandardTables_CombiTable2D_', {
    init3(
      this: ForeignRun,
      fileName: string,
      tableName: string,
      table: Float64Array,
      rows: number,
      columns: number,
      smoothness: number,
      extrapolation: number,
      verbose: boolean,
      delimiter: string,
      headerLines: number,
    ) {
      const kinds = kindsOf(smoothness, extrapolation);
      const source = { fileName, tableName, table, rows, columns, verbose, delimiter, headerLines };
      return new Surface(matrixOf(source, filesOf(this, surroundings)), kinds);
    },
    close: () => {},
    getValue: (surface: Surface, u1: number, u2: number) => surface.at(u1, u2, 0, 0),
    getDerValue: (surface: Surface, u1: number, u2: number, der1: number, der2: number) =>
      surface.at(u1, u2, 1, 0) * der1 + surface.at(u1, u2, 0, 1) * der2,
    getDer2Value: (
      surface: Surface,
      u1: number,
      u2: number,
      der1: number,
      der2: number,
      second1: number,
      second2: number,
    ) => {
      const by = (m: number, n: number): number => surface.at(u1, u2, m, n);
      const curved = by(2, 0) * der1 * der1 + 2 * by(1, 1) * der1 * der2 + by(0, 2) * der2 * der2;
      return curved + by(1, 0) * second1 + by(0, 1) * second2;
    },
    minimumAbscissa: ({ axes }: Surface, into: Float64Array) => into.set(axes.map(({ min }) => min)),
    maximumAbscissa: ({ axes }: Surface, into: Float64Array) => into.set(axes.map(({ max }) => max)),
    read: () => 1,
  });
}

function overTime(surroundings: Surroundings): Externals {
  return named('ModelicaStandardTables_CombiTimeTable_', {
    init3(
      this: ForeignRun,
      fileName: string,
      tableName: string,
      table: Float64Array,
      rows: number,
      columns: number,
      startTime: number,
      wanted: Float64Array,
      _count: number,
      smoothness: number,
      extrapolation: number,
      shiftTime: number,
      timeEvents: number,
      verbose: boolean,
      delimiter: string,
      headerLines: number,
    ) {
      const kinds = kindsOf(smoothness, extrapolation);
      const events = timeEventKinds[timeEvents - 1];
      if (!events) throw new Error(`there are no time events ${timeEvents}`);
      const source = { fileName, tableName, table, rows, columns, verbose, delimiter, headerLines };
      const curves = new Curves(matrixOf(source, filesOf(this, surroundings)), wanted, kinds, true);
      return new TimeTable(curves, startTime, shiftTime, events);
    },
    close: () => {},
    getValue: (table: TimeTable, index: number, time: number, next: number, before: number) =>
      table.at(index, time, next, before, 0),
    getDerValue: (table: TimeTable, index: number, time: number, next: number, before: number, der: number) =>
      table.at(index, time, next, before, 1) * der,
    getDer2Value: (
      table: TimeTable,
      index: number,
      time: number,
      next: number,
      before: number,
      der: number,
      der2: number,
    ) => table.at(index, time, next, before, 2) * der * der + table.at(index, time, next, before, 1) * der2,
    minimumTime: (table: TimeTable) => table.min,
    maximumTime: (table: TimeTable) => table.max,
    nextTimeEvent: (table: TimeTable, time: number) => table.nextTimeEvent(time),
    read: () => 1,
  });
}

const named = (prefix: string, functions: Externals): Externals =>
  Object.fromEntries(Object.entries(functions).map(([name, own]) => [`${prefix}${name}`, own]));
