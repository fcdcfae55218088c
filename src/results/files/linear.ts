/**
 * Linear models, `der(x) = A x + B u`, `y = C x + D u` for small changes of states x, inputs u and outputs y around an operating point, and files of them: JSON, MATLAB
 * files of version 4 with the matrices `A`, `B`, `C`, `D` and the names `xName`, `uName`, `yName` as other Modelica tools give them to MATLAB (a row of text
 * each), with the operating point in `x0`, `u0`, `y0`, `dx0` and `time`, and MATLAB text that assigns the same variables.
 */
import { concatenated } from '../../collections/lists.ts';
import { DOUBLE, littleEndian, matrixHeader, textMatrix } from './mat.ts';

/** A state, input or output at the operating point. */
export interface LinearVariable {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
}

export interface Pole {
  readonly re: number;
  readonly im: number;
}

export interface LinearModel {
  readonly model: string;
  /** When, and in which mode; empty for a model with one structure. */
  readonly time: number;
  readonly mode: string;
  readonly states: readonly LinearVariable[];
  readonly inputs: readonly LinearVariable[];
  readonly outputs: readonly LinearVariable[];
  /** How fast the states change at the operating point: zero at a steady state. */
  readonly rates: readonly number[];
  /** Matrices by rows; those without rows or columns are empty lists, or lists of empty lists. */
  readonly A: readonly (readonly number[])[];
  readonly B: readonly (readonly number[])[];
  readonly C: readonly (readonly number[])[];
  readonly D: readonly (readonly number[])[];
  /** Eigenvalues of A, the slowest first; undefined where there are too many states for them. */
  readonly poles: readonly Pole[] | undefined;
  /** Whether derivatives are exact; otherwise differences stand for some of them. */
  readonly exact: boolean;
}

export const linearExtensions = ['.json', '.mat', '.m'] as const;

/** The file for an extension. */
export function linearFile(linear: LinearModel, extension: string): string | Uint8Array {
  switch (extension) {
    case '.mat':
      return linearToMat(linear);
    case '.m':
      return linearToMatlab(linear);
    default:
      return linearToJson(linear);
  }
}

export function linearToJson(linear: LinearModel): string {
  return `${JSON.stringify(linearJson(linear), null, 1).replace(/\[\s+(-?[\d.][^[\]{}]*?)\s+\]/g, (_, row: string) => `[${row.split(/,\s+/).join(', ')}]`)}\n`;
}

/** What the JSON file holds: a linear model, without what a caller has added. */
export function linearJson(linear: LinearModel): object {
  const { model, time, mode, states, inputs, outputs, rates, A, B, C, D, poles, exact } = linear;
  return { model, time, mode, states, inputs, outputs, rates, A, B, C, D, poles: poles ?? null, exact };
}

interface NamedMatrix {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly at: (row: number, column: number) => number;
}

/** All matrices of numbers, in the order of the files. */
function matricesOf(linear: LinearModel): NamedMatrix[] {
  const { states, inputs, outputs, rates, time } = linear;
  const [n, m, p] = [states.length, inputs.length, outputs.length];
  const matrix = (name: 'A' | 'B' | 'C' | 'D', rows: number, columns: number): NamedMatrix => ({
    name,
    rows,
    columns,
    at: (i, j) => linear[name][i]![j]!,
  });
  const column = (name: string, values: readonly number[]): NamedMatrix => ({
    name,
    rows: values.length,
    columns: 1,
    at: (i) => values[i]!,
  });
  const point = (name: string, list: readonly LinearVariable[]): NamedMatrix =>
    column(
      name,
      list.map(({ value }) => value),
    );
  return [
    matrix('A', n, n),
    matrix('B', n, m),
    matrix('C', p, n),
    matrix('D', p, m),
    point('x0', states),
    point('u0', inputs),
    point('y0', outputs),
    column('dx0', rates),
    column('time', [time]),
  ];
}

const namesOf = ({ states, inputs, outputs }: LinearModel) =>
  Object.entries({ xName: states, uName: inputs, yName: outputs }).map(([name, list]) => ({
    name,
    names: list.map((variable) => variable.name),
  }));

export function linearToMat(linear: LinearModel): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { name, rows, columns, at } of matricesOf(linear)) {
    const values = new Float64Array(rows * columns);
    for (let j = 0; j < columns; j++) for (let i = 0; i < rows; i++) values[j * rows + i] = at(i, j);
    parts.push(matrixHeader(name, DOUBLE, rows, columns), littleEndian(values));
  }
  for (const { name, names } of namesOf(linear)) parts.push(textMatrix(name, names, false));
  return concatenated(parts, Uint8Array);
}

export function linearToMatlab(linear: LinearModel): string {
  const { model, time, mode } = linear;
  const line = (text: string): string => text.replace(/[\r\n]+/g, ' ');
  const head = [
    `% Linear model of ${line(model)} at time ${time} s${mode === '' ? '' : `, ${line(mode)}`}`,
    '% der(x - x0) = A*(x - x0) + B*(u - u0) + dx0;  y - y0 = C*(x - x0) + D*(u - u0)',
  ];
  const numbers = matricesOf(linear).map(({ name, rows, columns, at }) => {
    if (rows * columns === 0) return `${name} = zeros(${rows}, ${columns});`;
    const text = Array.from({ length: rows }, (_, i) =>
      Array.from({ length: columns }, (_, j) => numberText(at(i, j))).join(', '),
    );
    return rows === 1 ? `${name} = [${text[0]}];` : `${name} = [\n  ${text.join(';\n  ')}];`;
  });
  const texts = namesOf(linear).map(
    ({ name, names }) =>
      `${name} = {${names.map((text) => `'${line(text).replaceAll("'", "''")}'`).join('; ')}};`,
  );
  return `${[...head, ...numbers, ...texts].join('\n')}\n`;
}

const numberText = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? String(value) : value > 0 ? 'Inf' : '-Inf';
