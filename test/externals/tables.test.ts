/** Tables over one and two inputs: values, derivatives and extrapolation against closed forms. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { extrapolation, functions, matrix, smoothness, vector, type World } from './notation.ts';

type Kind = keyof typeof smoothness;
type Beyond = keyof typeof extrapolation;
type Rows = readonly (readonly number[])[];

interface Curve {
  (u: number): number;
  der(u: number, direction?: number): number;
  der2(u: number): number;
  range(): [number, number];
}

const prefix = 'ModelicaStandardTables_CombiTable1D_';

function curve(
  rows: Rows,
  kind: Kind = 'linear',
  beyond: Beyond = 'lastTwoPoints',
  columns = vector(2),
  file: { name?: string; table?: string; delimiter?: string; skip?: number; world?: World } = {},
): Curve {
  const { number, call } = functions(file.world);
  const { name = 'NoName', table = 'NoName', delimiter = ',', skip = 0 } = file;
  const kinds = [smoothness[kind], extrapolation[beyond]];
  const object = call(
    `${prefix}init3`,
    name,
    table,
    ...matrix(rows),
    columns,
    1,
    ...kinds,
    false,
    delimiter,
    skip,
  );
  return Object.assign((u: number) => number(`${prefix}getValue`, object, 1, u), {
    der: (u: number, direction = 1) => number(`${prefix}getDerValue`, object, 1, u, direction),
    der2: (u: number) => number(`${prefix}getDer2Value`, object, 1, u, 1, 0),
    range: (): [number, number] => [
      number(`${prefix}minimumAbscissa`, object),
      number(`${prefix}maximumAbscissa`, object),
    ],
  });
}

const square = [0, 1, 2, 3, 4].map((x) => [x, x * x]);
const cubics = ['akima', 'modifiedAkima', 'fritschButland', 'steffen'] as const;

describe('interpolation', () => {
  it('is linear between points', () => {
    const f = curve([
      [0, 1],
      [2, 5],
      [3, 4],
    ]);
    expect([f(0), f(0.5), f(2), f(2.5), f(3)]).toEqual([1, 2, 5, 4.5, 4]);
    expect([f.der(0.5), f.der(2.5), f.der(2.5, -3), f.der2(1)]).toEqual([2, -1, 3, 0]);
    expect(f.range()).toEqual([0, 3]);
  });

  it('holds values from point to point', () => {
    const f = curve(
      [
        [0, 1],
        [2, 5],
        [3, 4],
      ],
      'constant',
      'hold',
    );
    expect([f(0), f(1.999), f(2), f(2.9), f(3), f(7), f(-1)]).toEqual([1, 1, 5, 5, 4, 4, 1]);
    expect([f.der(1), f.der2(1)]).toEqual([0, 0]);
  });

  it('is exact for parabolas on equal steps, after Akima', () => {
    const f = curve(square, 'akima');
    for (const u of [0, 0.3, 1, 1.7, 2.5, 3.9, 4]) {
      expect(f(u)).toBeCloseTo(u * u, 13);
      expect(f.der(u)).toBeCloseTo(2 * u, 13);
      expect(f.der2(u)).toBeCloseTo(2, 12);
    }
    // Outside it goes on along the tangent.
    expect([f(5), f.der(5), f.der2(5)]).toEqual([24, 8, 0]);
    expect([f(-1), f.der(-1)]).toEqual([0, 0]);
  });

  // Slopes at the middle point, by the formulas of the papers.
  const bend: Rows = [
    [-2, 0],
    [-1, 0],
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
  ];
  const steep: Rows = [
    [-1, -1],
    [0, 0],
    [1, 10],
    [2, 20],
  ];
  const uneven: Rows = [
    [0, 0],
    [1, 1],
    [4, 7],
    [5, 8],
  ];
  test.each([
    ['akima', bend, 0, 0.5],
    ['modifiedAkima', bend, 0, 0],
    ['fritschButland', bend, 0, 0],
    ['steffen', bend, 0, 0],
    ['fritschButland', steep, 0, 6 / (3 / 1 + 3 / 10)],
    ['steffen', steep, 0, 2],
    // Steps 1 and 3, differences 1 and 2.
    ['fritschButland', uneven, 1, (3 * 4) / ((4 + 3) / 1 + (4 + 1) / 2)],
    ['steffen', uneven, 1, (1 * 3 + 2 * 1) / 4],
    // Differences 0, 1, 2, 1 with weights |1 - 2| after and |1 - 0| before; the first one continues 2, 1 linearly to 0.
    ['akima', uneven, 1, (1 * 1 + 1 * 2) / 2],
    // Weights |1 - 2| + 3/2 after, |1 - 0| + 1/2 before.
    ['modifiedAkima', uneven, 1, (2.5 * 1 + 1.5 * 2) / 4],
  ] as const)('has the slope of %s', (kind, rows, at, slope) => {
    expect(curve(rows, kind).der(at)).toBeCloseTo(slope, 14);
  });

  it('is linear with two points, however smooth', () => {
    for (const kind of cubics) {
      const f = curve(
        [
          [0, 1],
          [2, 5],
        ],
        kind,
      );
      expect([f(1), f.der(1), f(3)]).toEqual([3, 2, 7]);
    }
  });

  it('gives the value of the only row', () => {
    for (const kind of Object.keys(smoothness) as Kind[])
      for (const beyond of Object.keys(extrapolation) as Beyond[]) {
        const f = curve([[3, 7]], kind, beyond);
        expect([f(-100), f(3), f(8), f.der(3), f.der2(3)]).toEqual([7, 7, 7, 0, 0]);
      }
  });

  it('takes the columns that are asked for', () => {
    const rows = [
      [0, 1, 10],
      [1, 2, 20],
    ];
    expect(curve(rows, 'linear', 'hold', vector(3))(0.5)).toBe(15);
  });

  it('is exact where values are equal', () => {
    const f = curve(
      [
        [0, 0.1],
        [0.3, 0.1],
        [1, 0.1],
      ],
      'linear',
      'hold',
    );
    for (let u = -0.5; u < 1.5; u += 0.01) expect(f(u)).toBe(0.1);
  });
});

/**
 * By SciPy 1.17: `Akima1DInterpolator` with both of its methods, and `CubicHermiteSpline` with the slopes of F. N. Fritsch and J. Butland (1984) and of M. Steffen (1990) at inner points, at the ends those of the
 * lines there.
 */
describe('curves through points at uneven distances are those of others', () => {
  const points = [
    [-2, 1],
    [-1.2, 0.3],
    [0, -0.5],
    [0.7, 0.2],
    [1.5, 1.9],
    [3, 2.1],
    [3.4, 1.4],
    [5, -3],
  ];
  const places = [-1.9, -1.5, -0.6, 0.1, 0.5, 1.1, 2.2, 3.1, 3.3, 4.2, 4.9];
  const values: Record<(typeof cubics)[number], readonly number[]> = {
    akima: [
      0.9042715567129628, 0.552463107638889, -0.1668402777777778, -0.5095921853935196, -0.10969678304123467,
      1.063233456798693, 2.4600381466135004, 1.9726579733363387, 1.6235449506496855, -0.6306358381502901,
      -2.679022534320811,
    ],
    modifiedAkima: [
      0.9050281645430026, 0.5468634797527223, -0.18572688087774297, -0.49484728595926486,
      -0.09234210160859199, 1.0786378199594922, 2.3525014110740377, 1.9863130831142133, 1.6148254494734455,
      -0.6010804321728704, -2.6878073885804334,
    ],
    fritschButland: [
      0.9112819602272727, 0.5494495738636364, -0.21454545454545454, -0.47774538386783283,
      -0.07644962747003567, 1.1573627822247583, 2.0448855615159385, 2.0290226063829784, 1.6245678191489363,
      -0.6595744680851074, -2.7208859707446824,
    ],
    steffen: [
      0.9115885416666666, 0.552734375, -0.21875, -0.47989795918367345, -0.09438775510204078,
      1.1758333333333337, 2.043111111111111, 2.0271875, 1.6190625000000003, -0.6400000000000009,
      -2.720312500000001,
    ],
  };

  test.each(cubics)('%s', (kind) => {
    const f = curve(points, kind);
    for (const [k, u] of places.entries()) expect(f(u)).toBeCloseTo(values[kind][k]!, 13);
  });

  test('so are slopes of akima', () => {
    const f = curve(points, 'akima');
    const slopes = [
      -0.9366681134259258, -0.842628761574074, -0.6854745370370371, 0.19616707730928362, 1.511482497326949,
      2.464319405094681, 0.2184023350660286, -1.4278452911910107, -2.069198117764504, -2.711705202312139,
      -3.170147669797687,
    ];
    for (const [k, u] of places.entries()) expect(f.der(u)).toBeCloseTo(slopes[k]!, 12);
  });
});

describe('extrapolation', () => {
  const rows = [
    [0, 1],
    [1, 3],
    [3, 4],
  ];

  it.each([
    ['linear', 4.5],
    ['constant', 4.5],
  ] as const)('goes on through the last two points: %s', (kind, right) => {
    const f = curve(rows, kind);
    expect([f(-1), f(4), f.der(-1), f.der(4)]).toEqual([-1, right, 2, 0.5]);
  });

  it('holds', () => {
    for (const kind of Object.keys(smoothness) as Kind[]) {
      const f = curve(rows, kind, 'hold');
      expect([f(-1), f(4), f.der(-1), f.der(4), f.der2(9)]).toEqual([1, 4, 0, 0, 0]);
    }
  });

  it('repeats', () => {
    const f = curve(rows, 'linear', 'periodic');
    for (const u of [0.25, 1.5, 2.75])
      for (const periods of [-400, -1, 1, 2, 1000]) expect(f(u + 3 * periods)).toBeCloseTo(f(u), 9);
    expect([f(3), f(0)]).toEqual([4, 1]);
    expect(f.der(-2.5)).toBeCloseTo(2, 12);
  });

  it('far away costs no more', () => {
    expect(curve(rows, 'linear', 'periodic')(1e15 + 1)).toBeGreaterThan(0);
  });

  // Values of ModelicaStandardTables.c: it goes back by whole periods until the value is among the points, and stops at the first one that it meets.
  it('takes the last point where periods end and the value comes from the right, the first one from the left', () => {
    const rows = [
      [0, 1],
      [1, 2],
      [2, 5],
    ];
    const f = curve(rows, 'linear', 'periodic');
    expect([0, 2, 4, 6, 400].map(f)).toEqual([1, 5, 5, 5, 5]);
    expect([-2, -4, -400].map(f)).toEqual([1, 1, 1]);
    expect([f.der(4), f.der(-2)]).toEqual([3, 1]);
  });

  it('can be forbidden', () => {
    const f = curve(rows, 'akima', 'none');
    expect([f(0), f(3)]).toEqual([1, 4]);
    expect(() => f(3.5)).toThrow(
      /u is 3\.5, outside of the table, whose largest value is 3.*NoExtrapolation/,
    );
    expect(() => f.der(-1)).toThrow(/least value is 0/);
  });
});

test('derivatives are those of the values', () => {
  const table = fc
    .array(
      fc.tuple(fc.double({ min: 0.1, max: 2, noNaN: true }), fc.double({ min: -5, max: 5, noNaN: true })),
      {
        minLength: 2,
        maxLength: 8,
      },
    )
    .map((pairs) => {
      let x = -3;
      return pairs.map(([gap, y]) => [(x += gap), y]);
    });
  const kinds = fc.constantFrom<Kind>('linear', ...cubics);
  const u = fc.integer({ min: -6000, max: 15000 }).map((k) => k / 1000);
  fc.assert(
    fc.property(
      table,
      kinds,
      fc.constantFrom<Beyond>('hold', 'lastTwoPoints'),
      u,
      (rows, kind, beyond, at) => {
        const h = 1e-5;
        // Not where two pieces meet.
        fc.pre(rows.every(([x]) => Math.abs(x! - at) > 2 * h));
        const f = curve(rows, kind, beyond);
        const size = 1 + Math.abs(f.der(at)) + Math.abs(f.der2(at)) * 10;
        expect(Math.abs((f(at + h) - f(at - h)) / (2 * h) - f.der(at))).toBeLessThan(1e-6 * size);
        expect(Math.abs((f.der(at + h) - f.der(at - h)) / (2 * h) - f.der2(at))).toBeLessThan(1e-5 * size);
      },
    ),
  );
});

test('second derivatives follow the chain rule', () => {
  const { number, call } = functions();
  const object = call(`${prefix}init3`, '', '', ...matrix(square), vector(2), 1, 2, 2, false, ',', 0);
  // (u²)'' with u' = 3, u'' = 5 at u = 1.5
  expect(number(`${prefix}getDer2Value`, object, 1, 1.5, 3, 5)).toBeCloseTo(2 * 9 + 3 * 5, 12);
});

describe('wrong tables', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'points that do not increase',
      () =>
        curve([
          [0, 1],
          [2, 1],
          [2, 3],
        ]),
      /first column of the matrix `table` must increase strictly, but table\[2, 1\] = 2 comes before table\[3, 1\] = 2/,
    ],
    [
      'points that are no numbers',
      () =>
        curve([
          [0, 1],
          [Number.NaN, 1],
        ]),
      /table\[2, 1\] is NaN/,
    ],
    ['one column', () => curve([[0], [1]]), /2 × 1 elements; it needs a column of points/],
    ['no rows', () => curve([]), /0 × 0/],
    ['columns that are not there', () => curve(square, 'linear', 'hold', vector(3)), /no column 3/],
    [
      'a file without a table',
      () => curve([], 'linear', 'hold', vector(2), { name: 'a.txt' }),
      /“a.txt” is named, but not the table/,
    ],
    ['a table without a file', () => curve([], 'linear', 'hold', vector(2), { table: 't' }), /usertab/],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  it('names a column that is not interpolated', () => {
    const { call } = functions();
    const object = call(`${prefix}init3`, '', '', ...matrix(square), vector(2), 1, 1, 1, false, ',', 0);
    expect(() => call(`${prefix}getValue`, object, 2, 0)).toThrow(/no column 2 among the 1/);
  });
});

describe('over two inputs', () => {
  const two = 'ModelicaStandardTables_CombiTable2D_';
  const table = (xs: readonly number[], ys: readonly number[], f: (x: number, y: number) => number): Rows => [
    [0, ...ys],
    ...xs.map((x) => [x, ...ys.map((y) => f(x, y))]),
  ];

  function surface(rows: Rows, kind: Kind = 'linear', beyond: Beyond = 'lastTwoPoints') {
    const { number, call } = functions();
    const kinds = [smoothness[kind], extrapolation[beyond]];
    const object = call(`${two}init3`, 'NoName', 'NoName', ...matrix(rows), ...kinds, false, ',', 0);
    const range = (name: string): number[] => {
      const into = vector(0, 0);
      call(`${two}${name}Abscissa`, object, into);
      return [...into];
    };
    return Object.assign((x: number, y: number) => number(`${two}getValue`, object, x, y), {
      der: (x: number, y: number, dx: number, dy: number) =>
        number(`${two}getDerValue`, object, x, y, dx, dy),
      der2: (x: number, y: number, dx: number, dy: number, ddx = 0, ddy = 0) =>
        number(`${two}getDer2Value`, object, x, y, dx, dy, ddx, ddy),
      range,
    });
  }

  const [xs, ys] = [
    [0, 1, 2, 3, 4],
    [-1, 0, 1, 2],
  ];

  it('is bilinear, also outside', () => {
    const f = (x: number, y: number): number => 1 + 2 * x + 3 * y + 4 * x * y;
    const own = surface(table(xs, ys, f));
    for (const [x, y] of [
      [0, 0],
      [0.3, 1.7],
      [4, 2],
      [5, 3],
      [-2, 0.5],
      [1, -4],
    ] as const) {
      expect(own(x, y)).toBeCloseTo(f(x, y), 12);
      expect(own.der(x, y, 1, 0)).toBeCloseTo(2 + 4 * y, 12);
      expect(own.der(x, y, 0, 1)).toBeCloseTo(3 + 4 * x, 12);
      expect(own.der2(x, y, 2, 5)).toBeCloseTo(2 * 4 * 10, 12);
    }
    expect([own.range('minimum'), own.range('maximum')]).toEqual([
      [0, -1],
      [4, 2],
    ]);
  });

  it('is exact for products of parabolas on equal steps, after Akima', () => {
    const own = surface(
      table(xs, ys, (x, y) => x * x * y * y),
      'akima',
    );
    for (const [x, y] of [
      [0, 0],
      [0.3, 1.7],
      [4, 2],
      [2.5, -0.9],
      [3.9, 0.1],
    ] as const) {
      expect(own(x, y)).toBeCloseTo(x * x * y * y, 12);
      expect(own.der(x, y, 1, 0)).toBeCloseTo(2 * x * y * y, 11);
      expect(own.der(x, y, 0, 1)).toBeCloseTo(2 * x * x * y, 11);
      const curved = 2 * y * y * 9 + 2 * 4 * x * y * 6 + 2 * x * x * 4;
      expect(own.der2(x, y, 3, 2, 1, 7)).toBeCloseTo(curved + 2 * x * y * y + 2 * x * x * y * 7, 10);
    }
    // Tangents outside: f(4, 2) = 64, f_x = 32, f_y = 64, f_xy = 32.
    expect(own(5, 2)).toBeCloseTo(96, 11);
    expect(own(4, 4)).toBeCloseTo(64 + 2 * 64, 11);
    expect(own(5, 4)).toBeCloseTo(64 + 32 + 2 * 64 + 2 * 32, 11);
  });

  it('holds, repeats, refuses', () => {
    const rows = table([0, 1], [0, 2], (x, y) => x + 10 * y);
    const hold = surface(rows, 'linear', 'hold');
    expect([hold(-1, 5), hold(3, 1), hold(0.5, -7)]).toEqual([20, 11, 0.5]);
    expect(hold.der(3, 1, 1, 1)).toBe(10);
    const repeat = surface(rows, 'linear', 'periodic');
    expect(repeat(2.25, -1.5)).toBeCloseTo(repeat(0.25, 0.5), 12);
    expect([repeat(2, 0), repeat(-2, 0), repeat(0, 4), repeat(0, -4)]).toEqual([1, 0, 20, 0]);
    expect(() => surface(rows, 'linear', 'none')(0.5, 3)).toThrow(/u2 is 3, outside .* largest value is 2/);
  });

  it('holds values from point to point', () => {
    const own = surface(
      table([0, 1, 2], [0, 2, 4], (x, y) => x + 10 * y),
      'constant',
      'hold',
    );
    expect([own(0.9, 1.9), own(1, 2), own(2, 4), own(1.5, 3.9), own(9, 9)]).toEqual([0, 21, 42, 21, 42]);
    expect(own.der(0.5, 0.5, 1, 1)).toBe(0);
  });

  it('goes on bilinearly where constant segments end, in both directions', () => {
    const f = (x: number, y: number): number => 1 + x + 10 * y + 3 * x * y;
    const own = surface(table([0, 1, 2], [0, 2, 4], f), 'constant');
    expect([own(0.5, 5), own(3, 1), own(-1, 6), own(0.5, 1)]).toEqual([
      f(0.5, 5),
      f(3, 1),
      f(-1, 6),
      f(0, 0),
    ]);
    expect(own.der(0.5, 5, 1, 0)).toBe(1 + 3 * 5);
  });

  it('is a curve where there is one row or one column, and a number where there is both', () => {
    const row = surface(
      table([5], [0, 1, 2, 3, 4], (_, y) => y * y),
      'akima',
    );
    expect([row(-3, 2.5), row.der(9, 2.5, 1, 1)]).toEqual([6.25, 5]);
    const column = surface(
      table([0, 1, 2, 3, 4], [5], (x) => x * x),
      'akima',
    );
    expect([column(2.5, 100), column.der(2.5, 0, 1, 1), column(5, 0)]).toEqual([6.25, 5, 24]);
    expect(
      surface([
        [0, 1],
        [1, 7],
      ])(9, 9),
    ).toBe(7);
  });

  it('is as smooth as its values along lines: random surfaces', () => {
    const value = fc.double({ min: -5, max: 5, noNaN: true });
    // Not where two pieces meet.
    const place = (min: number, max: number) =>
      fc.integer({ min: min * 100, max: max * 100 - 1 }).map((k) => (k + 0.5) / 100);
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 20, maxLength: 20 }),
        place(-1, 5),
        place(-2, 3),
        (z, x, y) => {
          const h = 1e-5;
          const own = surface(
            table(xs, ys, (a, b) => z[a * 4 + b + 1]!),
            'akima',
          );
          const size = 100;
          expect(Math.abs((own(x + h, y) - own(x - h, y)) / (2 * h) - own.der(x, y, 1, 0))).toBeLessThan(
            1e-6 * size,
          );
          expect(Math.abs((own(x, y + h) - own(x, y - h)) / (2 * h) - own.der(x, y, 0, 1))).toBeLessThan(
            1e-6 * size,
          );
          const slope = (a: number, b: number): number => own.der(a, b, 2, 3);
          const along = (slope(x + 2 * h, y + 3 * h) - slope(x - 2 * h, y - 3 * h)) / (2 * h);
          expect(Math.abs(along - own.der2(x, y, 2, 3))).toBeLessThan(1e-3 * size);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each<[string, Rows, Kind, RegExp]>([
    [
      'rows that do not increase',
      [
        [0, 1, 2],
        [1, 0, 0],
        [1, 0, 0],
      ],
      'linear',
      /table\[2, 1\] = 1 comes before table\[3, 1\] = 1/,
    ],
    [
      'columns that do not increase',
      [
        [0, 2, 1],
        [1, 0, 0],
      ],
      'linear',
      /first row .* table\[1, 2\] = 2 comes before table\[1, 3\] = 1/,
    ],
    ['one row', [[0, 1]], 'linear', /at least 2 × 2/],
    [
      'monotone surfaces',
      [
        [0, 1],
        [1, 0],
      ],
      'steffen',
      /LinearSegments, ContinuousDerivative or ConstantSegments/,
    ],
  ])('refuses %s', (_, rows, kind, message) => {
    expect(() => surface(rows, kind)).toThrow(message);
  });
});
