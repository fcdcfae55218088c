/** The matrix of a table, given by the model or read from a file, and what must hold for it. */

import { readMatrix } from '../files/matrix.ts';
import type { RunFiles } from '../files/written.ts';
import { type Extrapolation, extrapolationKinds, type Smoothness, smoothnessKinds } from './axis.ts';

export interface Matrix {
  /** As messages call its elements, and itself. */
  readonly name: string;
  readonly label: string;
  readonly rows: number;
  readonly columns: number;
  /** Row by row. */
  readonly values: Float64Array;
}

export interface TableSource {
  readonly fileName: string;
  readonly tableName: string;
  readonly table: Float64Array;
  readonly rows: number;
  readonly columns: number;
  readonly verbose: boolean;
  readonly delimiter: string;
  readonly headerLines: number;
}

export function matrixOf(source: TableSource, files: RunFiles): Matrix {
  const { fileName, tableName, table, rows, columns } = source;
  if (!isName(tableName)) {
    if (isName(fileName)) throw new Error(`the file “${fileName}” is named, but not the table in it`);
    if (table.length !== rows * columns)
      throw new Error(`the table has ${table.length} elements, not ${rows} × ${columns}`);
    return { name: 'table', label: 'the matrix `table`', rows, columns, values: table.slice() };
  }
  if (!isName(fileName))
    throw new Error(
      `the table “${tableName}” is looked for in the C function usertab, which is not supported: name a file, or give the matrix \`table\``,
    );
  if (source.verbose) files.print(`loading “${tableName}” of “${fileName}”`);
  const { delimiter, headerLines } = source;
  const found = readMatrix(files, fileName, tableName, { delimiter, headerLines });
  return { name: tableName, label: `“${tableName}” of “${fileName}”`, ...found };
}

/** A name that is given: neither the default nor blank. */
const isName = (name: string): boolean => name !== 'NoName' && name.trim() !== '';

export function kindsOf(
  smoothness: number,
  extrapolation: number,
): { readonly smoothness: Smoothness; readonly extrapolation: Extrapolation } {
  const kind = smoothnessKinds[smoothness - 1];
  const beyond = extrapolationKinds[extrapolation - 1];
  if (!kind) throw new Error(`there is no smoothness ${smoothness}`);
  if (!beyond) throw new Error(`there is no extrapolation ${extrapolation}`);
  return { smoothness: kind, extrapolation: beyond };
}

/** The points of an axis: they must be numbers that increase, strictly or not. */
export function pointsOf(
  { name, label, columns, values }: Matrix,
  along: 'column' | 'row',
  first: number,
  last: number,
  strict: boolean,
): Float64Array {
  const at = (k: number): string => (along === 'column' ? `${name}[${k + 1}, 1]` : `${name}[1, ${k + 1}]`);
  const points = Float64Array.from({ length: last - first }, (_, i) =>
    along === 'column' ? values[(first + i) * columns]! : values[first + i]!,
  );
  for (const [i, own] of points.entries())
    if (!Number.isFinite(own)) throw new Error(`${at(first + i)} is ${own}, which is no place on an axis`);
  for (let i = 0; i + 1 < points.length; i++) {
    const [own, next] = [points[i]!, points[i + 1]!];
    if (own < next || (!strict && own === next)) continue;
    throw new Error(
      `the first ${along} of ${label} must increase${strict ? ' strictly' : ''}, but ${at(first + i)} = ${own} comes before ${at(first + i + 1)} = ${next}`,
    );
  }
  return points;
}

/** Columns as a table names them, from 1. */
export function requireColumns({ label, columns }: Matrix, wanted: Float64Array): void {
  for (const column of wanted)
    if (column < 1 || column > columns)
      throw new Error(`there is no column ${column} in ${label}, which has ${columns}`);
}
