/** LAPACK, eigenvalues: what is found is put back into the equations that define it. */
import { describe, expect, it } from 'vitest';
import { box, call, isOrthogonal, M, randomMatrix, same, sizes, unit, zeros } from './matrices.ts';

/** A matrix with eigenvalues of all kinds. */
const matrices: readonly (readonly [string, M])[] = [
  ...[...sizes, 20].map((n) => [`random ${n}`, randomMatrix(n, n, n + 31)] as const),
  [
    'a rotation',
    M.of([
      [0, -1],
      [1, 0],
    ]),
  ],
  [
    'a Jordan block',
    M.of([
      [2, 1, 0],
      [0, 2, 1],
      [0, 0, 2],
    ]),
  ],
  ['zero', new M(3, 3)],
  [
    'a permutation',
    M.of([
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ]),
  ],
  [
    'badly scaled',
    M.of([
      [1, 1e8, 0],
      [1e-8, 2, 1e5],
      [0, 1e-6, 3],
    ]),
  ],
  [
    'symmetric',
    M.of([
      [2, -1, 0, 0],
      [-1, 2, -1, 0],
      [0, -1, 2, -1],
      [0, 0, -1, 2],
    ]),
  ],
];

/** Whether a matrix is a Schur form as LAPACK has it. */
function isSchur(t: M): void {
  for (let i = 0; i < t.rows; i++)
    for (let j = 0; j < i; j++) {
      if (j < i - 1) expect(t.at(i, j)).toBe(0);
      else if (t.at(i, j) !== 0) {
        expect(t.at(i, i)).toBe(t.at(j, j));
        expect(t.at(i, j) * t.at(j, i)).toBeLessThan(0);
        if (j > 0) expect(t.at(j, j - 1)).toBe(0);
      }
    }
}

function schurOf(a: M): { t: M; z: M; re: Float64Array; im: Float64Array; info: number } {
  const n = a.rows;
  const [t, z, re, im, info] = [a.copy(), new M(n, n), zeros(n), zeros(n), box()];
  call('dgees', 'V', 'N', zeros(1), n, t.data, n, 0, re, im, z.data, n, zeros(1), 1, [], info);
  return { t, z, re, im, info: info.value };
}

describe('eigenvalues', () => {
  it.each(matrices)('Schur form: %s', (_, a) => {
    const { t, z, info } = schurOf(a);
    const size = Math.max(1, ...a.data.map(Math.abs));
    expect(info).toBe(0);
    isOrthogonal(z);
    isSchur(t);
    same(z.times(t).times(z.t), a, 1e-11 * size);
  });

  it.each(matrices)('Hessenberg form, and the Schur form of it: %s', (_, a) => {
    const n = a.rows;
    const [h, tau, info] = [a.copy(), zeros(Math.max(0, n - 1)), box()];
    call('dgehrd', n, 1, n, h.data, n, tau, zeros(1), 1, info);
    const q = h.copy();
    call('dorghr', n, 1, n, q.data, n, tau, zeros(1), 1, info);
    isOrthogonal(q);
    const plain = new M(n, n, (i, j) => (i > j + 1 ? 0 : h.at(i, j)));
    const size = Math.max(1, ...a.data.map(Math.abs));
    same(q.times(plain).times(q.t), a, 1e-11 * size);
    const c = randomMatrix(n, n, 3);
    for (const side of ['L', 'R'])
      for (const trans of ['N', 'T']) {
        const own = c.copy();
        call('dormhr', side, trans, n, n, 1, n, h.data, n, tau, own.data, n, zeros(1), 1, info);
        const op = trans === 'N' ? q : q.t;
        same(own, side === 'L' ? op.times(c) : c.times(op));
      }
    const [t, z, re, im] = [plain.copy(), q.copy(), zeros(n), zeros(n)];
    call('dhseqr', 'S', 'V', n, 1, n, t.data, n, re, im, z.data, n, zeros(1), 1, info);
    expect(info.value).toBe(0);
    same(z.times(t).times(z.t), a, 1e-11 * size);
  });

  it.each(matrices)('vectors on both sides: %s', (_, a) => {
    const n = a.rows;
    const [re, im, vl, vr, info] = [zeros(n), zeros(n), new M(n, n), new M(n, n), box()];
    call('dgeev', 'V', 'V', n, a.copy().data, n, re, im, vl.data, n, vr.data, n, zeros(1), 1, info);
    expect(info.value).toBe(0);
    const size = Math.max(1, ...a.data.map(Math.abs));
    check(a, vr, re, im, size);
    // u' A = λ u' is A' u = conj(λ) u.
    check(
      a.t,
      vl,
      re,
      im.map((own) => -own),
      size,
    );
  });

  /** A v = λ v, with vectors of length 1. */
  function check(a: M, v: M, re: Float64Array, im: Float64Array, size: number): void {
    const n = a.rows;
    const product = a.times(v);
    for (let k = 0; k < n; k++) {
      const pair = im[k] !== 0;
      let length = 0;
      for (let i = 0; i < n; i++) {
        const [x, y] = [v.at(i, k), pair ? v.at(i, k + 1) : 0];
        length = Math.hypot(length, x, y);
        expect(Math.abs(product.at(i, k) - (re[k]! * x - im[k]! * y))).toBeLessThan(1e-10 * size);
        if (pair)
          expect(Math.abs(product.at(i, k + 1) - (re[k]! * y + im[k]! * x))).toBeLessThan(1e-10 * size);
      }
      expect(length).toBeCloseTo(1, 10);
      if (pair) k++;
    }
  }

  it('known ones', () => {
    const values = (a: M): number[][] => {
      const [re, im, info] = [zeros(a.rows), zeros(a.rows), box()];
      const none = zeros(1);
      call('dgeev', 'N', 'N', a.rows, a.copy().data, a.rows, re, im, none, 1, none, 1, none, 1, info);
      return Array.from(re, (own, k) => [own, im[k]!]).sort((p, q) => p[0]! - q[0]! || p[1]! - q[1]!);
    };
    const near = (found: number[][], wanted: number[][]): void => {
      for (const [k, own] of wanted.entries())
        for (const part of [0, 1]) expect(found[k]![part]).toBeCloseTo(own[part]!, 12);
    };
    near(
      values(
        M.of([
          [0, 1],
          [-2, -2],
        ]),
      ),
      [
        [-1, -1],
        [-1, 1],
      ],
    );
    near(
      values(
        M.of([
          [2, 0],
          [0, -3],
        ]),
      ),
      [
        [-3, 0],
        [2, 0],
      ],
    );
    // 2 - 2 cos(k π / 5)
    near(
      values(matrices.at(-1)![1]),
      [1, 2, 3, 4].map((k) => [2 - 2 * Math.cos((k * Math.PI) / 5), 0]),
    );
    // Roots of x⁴ = 1.
    near(
      values(
        M.of([
          [0, 0, 0, 1],
          [1, 0, 0, 0],
          [0, 1, 0, 0],
          [0, 0, 1, 0],
        ]),
      ),
      [
        [-1, 0],
        [0, -1],
        [0, 1],
        [1, 0],
      ],
    );
  });

  it('of what is not finite are not found, and that is said', () => {
    const a = new M(4, 4, (i, j) => (i === 1 && j === 2 ? Number.NaN : i + j * j + 1));
    const info = box();
    call('dgeev', 'N', 'N', 4, a.data, 4, zeros(4), zeros(4), zeros(1), 1, zeros(1), 1, zeros(1), 1, info);
    expect(info.value).toBeGreaterThan(0);
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY])
      for (let k = 0; k < 4; k++) {
        const a = Float64Array.of(1, 1, 1, 1).fill(wrong, k, k + 1);
        call('dgeev', 'N', 'N', 2, a, 2, zeros(2), zeros(2), zeros(1), 1, zeros(1), 1, zeros(1), 1, info);
        expect(info.value).toBe(2);
      }
  });

  it('of nothing', () => {
    const info = box();
    call('dgeev', 'N', 'V', 0, zeros(0), 0, zeros(0), zeros(0), zeros(1), 1, zeros(0), 0, zeros(1), 1, info);
    expect(info.value).toBe(0);
  });

  it.each(matrices)('vectors of triangles: %s', (_, a) => {
    const n = a.rows;
    const { t, z, re, im } = schurOf(a);
    const [vl, vr, info] = [z.copy(), z.copy(), box()];
    call('dtrevc', 'B', 'B', [], n, t.data, n, vl.data, n, vr.data, n, n, n, zeros(1), info);
    const size = Math.max(1, ...a.data.map(Math.abs));
    const product = a.times(vr);
    for (let k = 0; k < n; k++) {
      const pair = im[k] !== 0;
      const parts = Array.from(
        { length: n },
        (_, i) => Math.abs(vr.at(i, k)) + (pair ? Math.abs(vr.at(i, k + 1)) : 0),
      );
      expect(Math.max(...parts)).toBeCloseTo(1, 12);
      for (let i = 0; i < n; i++) {
        const y = pair ? vr.at(i, k + 1) : 0;
        expect(Math.abs(product.at(i, k) - (re[k]! * vr.at(i, k) - im[k]! * y))).toBeLessThan(1e-9 * size);
      }
      if (pair) k++;
    }
    expect(() =>
      call('dtrevc', 'R', 'S', [], n, t.data, n, vl.data, n, vr.data, n, n, n, zeros(1), info),
    ).toThrow(/selection/);
  });
});

describe('Sylvester equations', () => {
  it.each([
    [1, 1],
    [2, 3],
    [5, 4],
    [6, 6],
  ])('of %i and %i rows', (m, n) => {
    const [a, b] = [
      schurOf(randomMatrix(m, m, m + 50)).t,
      schurOf(randomMatrix(n, n, n + 60).plus(unit(n), 4)).t,
    ];
    const c = randomMatrix(m, n, 8);
    for (const tranA of ['N', 'T'])
      for (const tranB of ['N', 'T'])
        for (const sign of [1, -1]) {
          const [x, scale, info] = [c.copy(), box(), box()];
          call('dtrsyl', tranA, tranB, sign, m, n, a.data, m, b.data, n, x.data, m, scale, info);
          expect([scale.value, info.value]).toEqual([1, 0]);
          const [opA, opB] = [tranA === 'N' ? a : a.t, tranB === 'N' ? b : b.t];
          same(opA.times(x).plus(x.times(opB), sign), c, 1e-10);
        }
  });

  it('that have no solution are disturbed, and that is said', () => {
    const [x, info] = [Float64Array.of(1), box()];
    call('dtrsyl', 'N', 'N', -1, 1, 1, Float64Array.of(2), 1, Float64Array.of(2), 1, x, 1, box(), info);
    expect(info.value).toBe(1);
  });

  it.each(matrices)('eigenvalues in another order: %s', (_, a) => {
    const n = a.rows;
    const { t, z, re, im } = schurOf(a);
    const select = Array.from(re, (own) => own < 0);
    const [wr, wi, m, info] = [zeros(n), zeros(n), box(), box()];
    const own = [t.copy(), z.copy()] as const;
    call(
      'dtrsen',
      'N',
      'V',
      select,
      n,
      own[0].data,
      n,
      own[1].data,
      n,
      wr,
      wi,
      m,
      box(),
      box(),
      zeros(1),
      1,
      zeros(1),
      1,
      info,
    );
    expect(info.value).toBe(0);
    expect(m.value).toBe(select.filter(Boolean).length);
    const size = Math.max(1, ...a.data.map(Math.abs));
    isOrthogonal(own[1]);
    isSchur(own[0]);
    same(own[1].times(own[0]).times(own[1].t), a, 1e-10 * size);
    for (let k = 0; k < n; k++) expect(wr[k]! < 1e-12).toBe(k < m.value || (wr[k]! <= 0 && wr[k]! > -1e-12));
    const sum = (x: Float64Array): number => x.reduce((s, one) => s + one, 0);
    expect(sum(wr)).toBeCloseTo(sum(re), 8);
    expect(Math.abs(sum(wi) - sum(im))).toBeLessThan(1e-8 * size);
  });
});

describe('pencils', () => {
  const pencils: readonly (readonly [string, M, M])[] = [
    ...sizes.map((n) => [`random ${n}`, randomMatrix(n, n, n + 70), randomMatrix(n, n, n + 80)] as const),
    ['a unit matrix', randomMatrix(6, 6, 5), unit(6)],
    [
      'a singular one',
      M.of([
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 10],
      ]),
      M.of([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ]),
    ],
    [
      'zeros first',
      M.of([
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 10],
      ]),
      M.of([
        [0, 1, 2],
        [0, 3, 1],
        [0, 0, 2],
      ]),
    ],
    [
      'a rotation',
      M.of([
        [0, -1],
        [1, 0],
      ]),
      unit(2),
    ],
  ];

  it.each(pencils)('%s', (_, a, b) => {
    const n = a.rows;
    const [re, im, beta, vl, vr, info] = [zeros(n), zeros(n), zeros(n), new M(n, n), new M(n, n), box()];
    call(
      'dggev',
      'V',
      'V',
      n,
      a.copy().data,
      n,
      b.copy().data,
      n,
      re,
      im,
      beta,
      vl.data,
      n,
      vr.data,
      n,
      zeros(1),
      1,
      info,
    );
    expect(info.value).toBe(0);
    const [av, bv] = [a.times(vr), b.times(vr)];
    const [au, bu] = [a.t.times(vl), b.t.times(vl)];
    for (let k = 0; k < n; k++) {
      const pair = im[k] !== 0;
      const largest = Array.from(
        { length: n },
        (_, i) => Math.abs(vr.at(i, k)) + (pair ? Math.abs(vr.at(i, k + 1)) : 0),
      );
      expect(Math.max(...largest)).toBeCloseTo(1, 10);
      for (let i = 0; i < n; i++) {
        const part = (x: M): [number, number] => [x.at(i, k), pair ? x.at(i, k + 1) : 0];
        // beta A v = alpha B v, and for the left ones with conj(alpha).
        for (const [x, y, sign] of [
          [av, bv, 1],
          [au, bu, -1],
        ] as const) {
          const [[p, q], [r, s]] = [part(x), part(y)];
          expect(Math.abs(beta[k]! * p - (re[k]! * r - sign * im[k]! * s))).toBeLessThan(1e-10);
          expect(Math.abs(beta[k]! * q - (re[k]! * s + sign * im[k]! * r))).toBeLessThan(1e-10);
        }
      }
      if (pair) {
        expect([re[k + 1], im[k + 1], beta[k + 1]]).toEqual([re[k], -im[k]!, beta[k]]);
        expect(im[k]).toBeGreaterThan(0);
        k++;
      }
    }
  });

  it('the infinite eigenvalue of a singular one', () => {
    const [, a, b] = pencils.at(-3)!;
    const [re, im, beta, info] = [zeros(3), zeros(3), zeros(3), box()];
    const none = zeros(1);
    call(
      'dggevx',
      'B',
      'N',
      'N',
      'B',
      3,
      a.copy().data,
      3,
      b.copy().data,
      3,
      re,
      im,
      beta,
      none,
      1,
      none,
      1,
      1,
      3,
      none,
      none,
      0,
      0,
      none,
      none,
      none,
      1,
      none,
      none,
      info,
    );
    expect(beta.filter((own) => own === 0)).toHaveLength(1);
    // det(A - λ B) without λ³: 10 λ² - ... : the finite ones are roots of (10)(λ² - 6 λ - 3) - 48·…, checked by their sum and product.
    const finite = Array.from(beta, (own, k) => (own === 0 ? undefined : re[k]! / own)).filter(
      (x) => x !== undefined,
    );
    // Schur complement of the last row: [1, 2; 4, 5] - [3; 6] [7, 8] / 10.
    const [p, q, r, s] = [1 - 2.1, 2 - 2.4, 4 - 4.2, 5 - 4.8];
    expect(finite[0]! + finite[1]!).toBeCloseTo(p + s, 11);
    expect(finite[0]! * finite[1]!).toBeCloseTo(p * s - q * r, 11);
  });

  it('only eigenvalues of Hessenberg pencils', () => {
    const [re, im, beta, info] = [zeros(2), zeros(2), zeros(2), box()];
    const none = zeros(1);
    const h = M.of([
      [0, 1],
      [-2, -3],
    ]);
    call(
      'dhgeqz',
      'E',
      'N',
      'N',
      2,
      1,
      2,
      h.data,
      2,
      unit(2).data,
      2,
      re,
      im,
      beta,
      none,
      1,
      none,
      1,
      none,
      1,
      info,
    );
    const values = Array.from(re, (own, k) => own / beta[k]!).sort((p, q) => p - q);
    expect(values[0]).toBeCloseTo(-2, 12);
    expect(values[1]).toBeCloseTo(-1, 12);
    expect(() =>
      call(
        'dhgeqz',
        'S',
        'N',
        'N',
        2,
        1,
        2,
        h.data,
        2,
        unit(2).data,
        2,
        re,
        im,
        beta,
        none,
        1,
        none,
        1,
        none,
        1,
        info,
      ),
    ).toThrow(/Schur form/);
  });
});
