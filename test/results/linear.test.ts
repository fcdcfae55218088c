/** Files of linear models: what other readers find in them. */
import { describe, expect, test } from 'vitest';
import { type LinearModel, linearToJson, linearToMat, linearToMatlab } from '../../src/results.ts';
import { python, pythonHas } from './python.ts';

const motor: LinearModel = {
  model: 'Motor',
  time: 0.5,
  mode: 'closed',
  states: [
    { name: 'w', unit: 'rad/s', value: 3 },
    { name: "'its i'", unit: 'A', value: -0.25 },
  ],
  inputs: [{ name: 'u', unit: 'V', value: 12 }],
  outputs: [],
  rates: [0, 1e-300],
  A: [
    [1, 2],
    [3, 4.5],
  ],
  B: [[5], [1 / 3]],
  C: [],
  D: [],
  poles: [{ re: -1, im: 2 }],
  exact: true,
};

test('JSON holds all of it, a row of numbers a line', () => {
  const text = linearToJson(motor);
  expect(JSON.parse(text)).toEqual(motor);
  expect(text).toContain('[3, 4.5]');
  expect(JSON.parse(linearToJson({ ...motor, poles: undefined })).poles).toBe(null);
});

test('MATLAB text assigns matrices and names, also empty ones', () => {
  const text = linearToMatlab(motor);
  expect(text).toContain('A = [\n  1, 2;\n  3, 4.5];');
  expect(text).toContain('C = zeros(0, 2);');
  expect(text).toContain('D = zeros(0, 1);');
  expect(text).toContain("xName = {'w'; '''its i'''};");
  expect(text).toContain('yName = {};');
  expect(text).toContain('dx0 = [\n  0;\n  1e-300];');
});

/** The matrices of a file of version 4, by its documentation: five integers, a name, numbers column by column. */
function matrices(
  bytes: Uint8Array,
): Record<string, { size: [number, number]; values: number[] | string[] }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: ReturnType<typeof matrices> = {};
  for (let at = 0; at < bytes.length; ) {
    const [type, rows, columns, , length] = [0, 1, 2, 3, 4].map((k) => view.getInt32(at + 4 * k, true)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const name = String.fromCharCode(...bytes.subarray(at + 20, at + 19 + length));
    at += 20 + length;
    const isText = type === 51;
    const number = (k: number) => (isText ? bytes[at + k]! : view.getFloat64(at + 8 * k, true));
    const all = Array.from({ length: rows * columns }, (_, k) => number(k));
    const line = (i: number) =>
      Array.from({ length: columns }, (_, j) => String.fromCharCode(all[j * rows + i]!))
        .join('')
        .trimEnd();
    found[name] = {
      size: [rows, columns],
      values: isText ? Array.from({ length: rows }, (_, i) => line(i)) : all,
    };
    at += all.length * (isText ? 1 : 8);
  }
  return found;
}

describe('MATLAB files', () => {
  test('hold matrices column by column, and names', () => {
    const found = matrices(linearToMat(motor));
    expect(Object.keys(found)).toEqual([
      'A',
      'B',
      'C',
      'D',
      'x0',
      'u0',
      'y0',
      'dx0',
      'time',
      'xName',
      'uName',
      'yName',
    ]);
    expect(found.A).toEqual({ size: [2, 2], values: [1, 3, 2, 4.5] });
    expect(found.B!.values).toEqual([5, 1 / 3]);
    expect(found.C!.size).toEqual([0, 2]);
    expect(found.x0!.values).toEqual([3, -0.25]);
    expect(found.xName!.values).toEqual(['w', "'its i'"]);
    expect(found.yName!.values).toEqual([]);
  });

  test.skipIf(!pythonHas('scipy'))('are read by SciPy', () => {
    const program = `import scipy.io, json
m = scipy.io.loadmat(path)
print(json.dumps({'A': m['A'].tolist(), 'B': m['B'].tolist(), 'x': [str(n).strip() for n in m['xName']], 't': m['time'].tolist()}))`;
    expect(python(program, linearToMat(motor))).toEqual({
      A: motor.A,
      B: motor.B,
      x: ['w', "'its i'"],
      t: [[0.5]],
    });
  });
});
