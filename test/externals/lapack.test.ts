/** LAPACK, systems of equations, least squares and singular values: what is found is put back into the equations that define it. */
import { describe, expect, it, test } from 'vitest';
import {
  box,
  call,
  isOrthogonal,
  M,
  number,
  random,
  randomMatrix,
  same,
  sizes,
  unit,
  zeros,
} from './matrices.ts';

describe('triangles', () => {
  it.each(sizes)('factors, solves and inverts %i rows', (n) => {
    const a = randomMatrix(n, n, n);
    const [lu, pivots, info] = [a.copy(), zeros(n), box()];
    call('dgetrf', n, n, lu.data, n, pivots, info);
    expect(info.value).toBe(0);
    const l = new M(n, n, (i, j) => (i === j ? 1 : i > j ? lu.at(i, j) : 0));
    const permuted = l.times(lu.upper);
    for (let k = n - 1; k >= 0; k--)
      for (let j = 0; j < n; j++) {
        const p = pivots[k]! - 1;
        const [x, y] = [permuted.at(k, j), permuted.at(p, j)];
        permuted.data[k + j * n] = y;
        permuted.data[p + j * n] = x;
      }
    same(permuted, a);
    const b = randomMatrix(n, 2, n + 100);
    for (const trans of ['N', 'T']) {
      const x = b.copy();
      call('dgetrs', trans, n, 2, lu.data, n, pivots, x.data, n, info);
      same((trans === 'N' ? a : a.t).times(x), b);
    }
    const inverse = lu.copy();
    call('dgetri', n, inverse.data, n, pivots, zeros(1), 1, info);
    same(a.times(inverse), unit(n), 1e-10);
    const rcond = box();
    call(
      'dgecon',
      '1',
      n,
      lu.data,
      n,
      number('dlange', '1', n, n, a.data, n, zeros(1)),
      rcond,
      zeros(1),
      zeros(1),
      info,
    );
    const condition =
      number('dlange', '1', n, n, a.data, n, zeros(1)) *
      number('dlange', '1', n, n, inverse.data, n, zeros(1));
    expect(rcond.value * condition).toBeCloseTo(1, 9);
    const [x, own] = [b.copy(), a.copy()];
    call('dgesv', n, 2, own.data, n, zeros(n), x.data, n, info);
    same(a.times(x), b);
    for (const trans of ['N', 'T']) {
      const [x, rcond] = [new M(n, 2), box()];
      const none = Array.from({ length: 8 }, () => zeros(n));
      call(
        'dgesvx',
        'N',
        trans,
        n,
        2,
        a.copy().data,
        n,
        zeros(n * n),
        n,
        zeros(n),
        ' ',
        none[0],
        none[1],
        b.copy().data,
        n,
        x.data,
        n,
        rcond,
        none[2],
        none[3],
        none[4],
        none[5],
        info,
      );
      same((trans === 'N' ? a : a.t).times(x), b);
      expect(rcond.value).toBeGreaterThan(0);
    }
  });

  it('says which pivot of a singular matrix is zero', () => {
    const a = M.of([
      [1, 2],
      [2, 4],
    ]);
    const [info, x] = [box(), zeros(2)];
    call('dgesv', 2, 1, a.copy().data, 2, zeros(2), x, 2, info);
    expect(info.value).toBe(2);
    expect([...x]).toEqual([0, 0]);
    const [lu, pivots] = [a.copy(), zeros(2)];
    call('dgetrf', 2, 2, lu.data, 2, pivots, info);
    expect(info.value).toBe(2);
    call('dgetri', 2, lu.data, 2, pivots, zeros(1), 1, info);
    expect(info.value).toBe(2);
    const rcond = box();
    call('dgecon', 'I', 2, lu.data, 2, 6, rcond, zeros(1), zeros(1), info);
    expect(rcond.value).toBe(0);
  });

  it('hands numbers on that are not finite', () => {
    const [info, x] = [box(), Float64Array.of(1, 1)];
    call('dgesv', 2, 1, Float64Array.of(Number.NaN, 1, 1, 1), 2, zeros(2), x, 2, info);
    expect(x.some(Number.isNaN)).toBe(true);
  });

  it('refuses arrays that are too short, and pivots that are none', () => {
    expect(() => call('dgesv', 3, 1, zeros(4), 3, zeros(3), zeros(3), 3, box())).toThrow(
      /A has 4 elements, too few for 3 × 3/,
    );
    expect(() => call('dgetrs', 'N', 2, 1, zeros(4), 2, Float64Array.of(1, 5), zeros(2), 2, box())).toThrow(
      /pivot 5 of row 2/,
    );
  });

  it('of rectangles', () => {
    for (const [m, n] of [
      [3, 5],
      [5, 3],
    ] as const) {
      const a = randomMatrix(m, n, 7);
      const k = Math.min(m, n);
      const [lu, pivots, info] = [a.copy(), zeros(k), box()];
      call('dgetrf', m, n, lu.data, m, pivots, info);
      const l = new M(m, k, (i, j) => (i === j ? 1 : i > j ? lu.at(i, j) : 0));
      const product = l.times(lu.upper.part(0, k, 0, n));
      for (let r = k - 1; r >= 0; r--)
        for (let j = 0; j < n; j++) {
          const p = pivots[r]! - 1;
          const [x, y] = [product.at(r, j), product.at(p, j)];
          product.data[r + j * m] = y;
          product.data[p + j * m] = x;
        }
      same(product, a);
    }
  });

  it.each([
    [1, 0, 0],
    [4, 1, 1],
    [7, 2, 1],
    [9, 1, 3],
    [6, 0, 2],
  ])('bands: %i rows, %i below, %i above', (n, kl, ku) => {
    const next = random(n);
    const a = new M(n, n, (i, j) => (i - j <= kl && j - i <= ku ? next() + (i === j ? 0.1 : 0) : 0));
    const bands = new M(2 * kl + ku + 1, n, () => 77);
    for (let j = 0; j < n; j++)
      for (let i = Math.max(0, j - ku); i <= Math.min(n - 1, j + kl); i++)
        bands.data[kl + ku + i - j + j * bands.rows] = a.at(i, j);
    const b = randomMatrix(n, 2, 3);
    const [x, info] = [b.copy(), box()];
    call('dgbsv', n, kl, ku, 2, bands.data, bands.rows, zeros(n), x.data, n, info);
    expect(info.value).toBe(0);
    same(a.times(x), b, 1e-9);
  });

  it.each(sizes)('three diagonals: %i rows', (n) => {
    const next = random(n + 5);
    const a = new M(n, n, (i, j) => (Math.abs(i - j) <= 1 ? next() * (i === j ? 0.2 : 1) : 0));
    const diagonal = (shift: number): Float64Array =>
      Float64Array.from({ length: n - Math.abs(shift) }, (_, k) =>
        a.at(k + Math.max(0, -shift), k + Math.max(0, shift)),
      );
    const b = randomMatrix(n, 2, 9);
    const [x, info] = [b.copy(), box()];
    call('dgtsv', n, 2, diagonal(-1), diagonal(0), diagonal(1), x.data, n, info);
    expect(info.value).toBe(0);
    same(a.times(x), b, 1e-8);
  });

  it('singular bands', () => {
    const info = box();
    call('dgtsv', 2, 1, Float64Array.of(0), zeros(2), Float64Array.of(1), zeros(2), 2, info);
    expect(info.value).toBe(1);
    call('dgbsv', 2, 0, 0, 1, Float64Array.of(1, 0), 1, zeros(2), zeros(2), 2, info);
    expect(info.value).toBe(2);
  });

  it.each(sizes)('symmetric positive definite: %i rows', (n) => {
    const r = randomMatrix(n, n, n);
    const a = r.times(r.t).plus(unit(n));
    for (const uplo of ['U', 'L']) {
      const [own, info] = [a.copy(), box()];
      call('dpotrf', uplo, n, own.data, n, info);
      expect(info.value).toBe(0);
      const u = uplo === 'U' ? own.upper : own.t.upper;
      same(u.t.times(u), a);
    }
    const info = box();
    call('dpotrf', 'U', 2, Float64Array.of(1, 2, 2, 1), 2, info);
    expect(info.value).toBe(2);
  });

  it('triangular systems from both sides', () => {
    const [m, n] = [4, 3];
    const b = randomMatrix(m, n, 1);
    for (const side of ['L', 'R'])
      for (const uplo of ['U', 'L'])
        for (const trans of ['N', 'T'])
          for (const diag of ['N', 'U']) {
            const size = side === 'L' ? m : n;
            const full = randomMatrix(size, size, 5).plus(unit(size), 2);
            const t = new M(size, size, (i, j) =>
              i === j ? (diag === 'U' ? 1 : full.at(i, j)) : i < j === (uplo === 'U') ? full.at(i, j) : 0,
            );
            const op = trans === 'N' ? t : t.t;
            const x = b.copy();
            call('dtrsm', side, uplo, trans, diag, m, n, 2, full.data, size, x.data, m);
            same(side === 'L' ? op.times(x) : x.times(op), b.plus(b));
          }
  });

  test('norms', () => {
    const a = M.of([
      [1, -2, 3],
      [-4, 5, -6],
    ]);
    const norm = (kind: string): number => number('dlange', kind, 2, 3, a.data, 2, zeros(2));
    expect([norm('M'), norm('1'), norm('I'), norm('F')]).toEqual([6, 9, 15, Math.sqrt(91)]);
    expect(() => norm('X')).toThrow(/no norm “X”/);
  });
});

describe('reflections', () => {
  const shapes = [
    [1, 1],
    [4, 4],
    [6, 3],
    [3, 6],
    [9, 2],
  ] as const;

  it.each(shapes)('Q R of %i × %i', (m, n) => {
    const a = randomMatrix(m, n, m * 10 + n);
    const k = Math.min(m, n);
    const [qr, tau, info] = [a.copy(), zeros(k), box()];
    call('dgeqrf', m, n, qr.data, m, tau, zeros(n), n, info);
    const q = qr.part(0, m, 0, k);
    call('dorgqr', m, k, k, q.data, m, tau, zeros(n), n, info);
    isOrthogonal(q);
    same(q.times(qr.upper.part(0, k, 0, n)), a);
    const full = new M(m, m);
    for (let j = 0; j < m; j++) full.data[j + j * m] = 1;
    const c = randomMatrix(m, m, 4);
    const q0 = full.copy();
    call('dormqr', 'L', 'N', m, m, k, qr.data, m, tau, q0.data, m, zeros(m), m, info);
    isOrthogonal(q0);
    for (const side of ['L', 'R'])
      for (const trans of ['N', 'T']) {
        const own = c.copy();
        call('dormqr', side, trans, m, m, k, qr.data, m, tau, own.data, m, zeros(m), m, info);
        const op = trans === 'N' ? q0 : q0.t;
        same(own, side === 'L' ? op.times(c) : c.times(op));
      }
  });

  it.each(shapes)('with columns in another order, %i × %i', (m, n) => {
    const a = randomMatrix(m, n, m * 7 + n);
    const k = Math.min(m, n);
    const [qr, tau, order, info] = [a.copy(), zeros(k), zeros(n), box()];
    call('dgeqp3', m, n, qr.data, m, order, tau, zeros(n), n, info);
    const q = qr.part(0, m, 0, k);
    call('dorgqr', m, k, k, q.data, m, tau, zeros(n), n, info);
    same(q.times(qr.upper.part(0, k, 0, n)), new M(m, n, (i, j) => a.at(i, order[j]! - 1)));
    for (let i = 1; i < k; i++)
      expect(Math.abs(qr.at(i, i))).toBeLessThanOrEqual(Math.abs(qr.at(i - 1, i - 1)) * (1 + 1e-12));
  });

  it.each(shapes)('least squares of %i × %i', (m, n) => {
    const a = randomMatrix(m, n, m + n);
    const b = randomMatrix(m, 1, 2);
    const nx = Math.max(m, n);
    for (const name of ['dgels', 'dgelsy']) {
      const [x, info, rank] = [zeros(nx), box(), box()];
      x.set(b.data);
      if (name === 'dgels') call(name, 'N', m, n, 1, a.copy().data, m, x, nx, zeros(1), 1, info);
      else call(name, m, n, 1, a.copy().data, m, x, nx, zeros(n), 1e-12, rank, zeros(1), 1, info);
      expect(info.value).toBe(0);
      if (name === 'dgelsy') expect(rank.value).toBe(Math.min(m, n));
      const own = new M(n, 1, (i) => x[i]!);
      // The rest is orthogonal to all columns; the solution lies in the space of the rows.
      same(a.t.times(a.times(own).plus(b, -1)), new M(n, 1), 1e-11);
      if (m < n) {
        const y = b.copy();
        call('dgesv', m, 1, a.times(a.t).data, m, zeros(m), y.data, m, info);
        same(own, a.t.times(y), 1e-9);
      }
    }
  });

  it('finds the shortest solution where the rank is not full', () => {
    // x1 + x2 = 2 twice: x = (1, 1).
    const [x, info, rank] = [Float64Array.of(2, 2), box(), box()];
    call('dgelsy', 2, 2, 1, Float64Array.of(1, 1, 1, 1), 2, x, 2, zeros(2), 1e-12, rank, zeros(1), 1, info);
    expect([info.value, rank.value]).toEqual([0, 1]);
    expect([...x].map((own) => Number(own.toFixed(12)))).toEqual([1, 1]);
    call('dgels', 'N', 2, 2, 1, Float64Array.of(1, 0, 0, 0), 2, x, 2, zeros(1), 1, info);
    expect(info.value).toBe(2);
  });

  it('least squares with conditions', () => {
    // Nearest point to (3, 1, 2) with x + y + z = 3: all move by -1.
    const [x, info] = [zeros(3), box()];
    call(
      'dgglse',
      3,
      3,
      1,
      unit(3).data,
      3,
      Float64Array.of(1, 1, 1),
      1,
      Float64Array.of(3, 1, 2),
      Float64Array.of(3),
      x,
      zeros(1),
      1,
      info,
    );
    expect(info.value).toBe(0);
    same(new M(3, 1, (i) => x[i]!), M.of([[2], [0], [1]]));
    call(
      'dgglse',
      3,
      3,
      2,
      unit(3).data,
      3,
      Float64Array.of(1, 2, 1, 2, 1, 2),
      2,
      zeros(3),
      zeros(2),
      x,
      zeros(1),
      1,
      info,
    );
    expect(info.value).toBe(1);
    expect(() =>
      call('dgglse', 1, 3, 1, zeros(3), 1, zeros(3), 1, zeros(1), zeros(1), x, zeros(1), 1, info),
    ).toThrow(/3 unknowns, 1 conditions and 1 equations/);
  });
});

describe('singular values', () => {
  it.each([
    [1, 1],
    [3, 3],
    [6, 2],
    [2, 6],
    [8, 8],
  ])('of %i × %i', (m, n) => {
    const a = randomMatrix(m, n, m * 3 + n);
    const [sigma, u, vt, info] = [zeros(Math.min(m, n)), new M(m, m), new M(n, n), box()];
    call('dgesvd', 'A', 'A', m, n, a.copy().data, m, sigma, u.data, m, vt.data, n, zeros(1), 1, info);
    expect(info.value).toBe(0);
    isOrthogonal(u);
    isOrthogonal(vt);
    same(u.times(new M(m, n, (i, j) => (i === j ? sigma[i]! : 0))).times(vt), a);
    for (let k = 1; k < sigma.length; k++) expect(sigma[k]!).toBeLessThanOrEqual(sigma[k - 1]!);
  });

  it('of matrices without full rank, of zeros, and of what is not finite', () => {
    for (const a of [
      M.of([
        [1, 2],
        [2, 4],
        [3, 6],
      ]),
      new M(3, 2),
    ]) {
      const [sigma, u, vt, info] = [zeros(2), new M(3, 3), new M(2, 2), box()];
      call('dgesdd', 'A', 3, 2, a.copy().data, 3, sigma, u.data, 3, vt.data, 2, zeros(1), 1, zeros(1), info);
      isOrthogonal(u);
      isOrthogonal(vt);
      same(u.times(new M(3, 2, (i, j) => (i === j ? sigma[i]! : 0))).times(vt), a);
      expect(sigma[1]).toBeLessThan(1e-14);
    }
    const info = box();
    call(
      'dgesvd',
      'N',
      'N',
      1,
      1,
      Float64Array.of(Number.NaN),
      1,
      zeros(1),
      zeros(1),
      1,
      zeros(1),
      1,
      zeros(1),
      1,
      info,
    );
    expect(info.value).toBe(1);
  });

  it('are found wherever the rank is not full, however the zeros come about', () => {
    // Squares are the roots of the characteristic polynomial of A'A: λ (λ² - 283 λ + 865).
    const a = M.of([
      [1, 2, 3],
      [2, 4, 6],
      [7, 8, 10],
    ]);
    for (const size of [1, 1e200, 1e-200]) {
      const [sigma, info] = [zeros(3), box()];
      call(
        'dgesvd',
        'N',
        'N',
        3,
        3,
        a.data.map((own) => own * size),
        3,
        sigma,
        zeros(1),
        1,
        zeros(1),
        1,
        zeros(1),
        1,
        info,
      );
      expect(info.value).toBe(0);
      const root = Math.sqrt(283 ** 2 - 4 * 865);
      expect(sigma[0]! / size / Math.sqrt((283 + root) / 2)).toBeCloseTo(1, 13);
      expect(sigma[1]! / size / Math.sqrt((283 - root) / 2)).toBeCloseTo(1, 13);
      expect(sigma[2]! / size).toBeLessThan(1e-14);
    }
    for (let seed = 1; seed <= 200; seed++) {
      const n = 2 + (seed % 7);
      const whole = (m: M): M => new M(m.rows, m.columns, (i, j) => Math.round(5 * m.at(i, j)));
      const b = whole(randomMatrix(n, 1 + (seed % (n - 1)), seed));
      const c = b.times(whole(randomMatrix(b.columns, n, seed + 1000)));
      const [sigma, u, vt, info] = [zeros(n), new M(n, n), new M(n, n), box()];
      call('dgesvd', 'A', 'A', n, n, c.copy().data, n, sigma, u.data, n, vt.data, n, zeros(1), 1, info);
      expect(info.value).toBe(0);
      isOrthogonal(u);
      isOrthogonal(vt);
      same(u.times(new M(n, n, (i, j) => (i === j ? sigma[i]! : 0))).times(vt), c);
    }
  });

  it('small ones are as exact as large ones', () => {
    // Columns of very different length.
    const a = M.of([
      [1, 1e-9],
      [1, -1e-9],
    ]);
    const [sigma, info] = [zeros(2), box()];
    call('dgesvd', 'N', 'N', 2, 2, a.data, 2, sigma, zeros(1), 1, zeros(1), 1, zeros(1), 1, info);
    expect(sigma[0]).toBeCloseTo(Math.SQRT2, 14);
    expect(sigma[1]! / (Math.SQRT2 * 1e-9)).toBeCloseTo(1, 12);
  });
});
