// What the C and FORTRAN code does that cases of Modelica-Compliance bring along.

/** Implementations for one run of a case: some of them count their calls. */
export function externals() {
  let calls = 0;
  let fails = true;
  return {
    externalSin: Math.sin,
    TestExtra: (x) => x,
    iincr: (x) => x + 1,
    rincr: (x) => x + 1,
    impureFunction: () => ++calls,
    myStrlen: (text) => new TextEncoder().encode(text).length,
    errorNoReturn: (t) => {
      if (t >= 0.5) throw new Error('Failure');
      return t;
    },
    errorOnceReturnIdent: (t) => {
      if (fails && t > 0.5) {
        fails = false;
        throw new Error('Only once');
      }
      return 1;
    },
    initMyTable: (values) => ({ values }),
    closeMyTable: () => {},
    interpolateMyTable: ({ values }, u) => {
      const k = Math.trunc(u);
      if (u < 0 || k >= values.length - 1) throw new Error(`${u} is outside the table interval.`);
      return values[k] * (1 - (u - k)) + values[k + 1] * (u - k);
    },
    dgetrf,
    dgetri,
  };
}

/** LU factorisation with partial pivoting, column by column. */
function dgetrf(m, n, a, lda, pivots, info) {
  const at = (i, j) => i + j * lda;
  info.value = 0;
  for (let k = 0; k < Math.min(m, n); k++) {
    let p = k;
    for (let i = k + 1; i < m; i++) if (Math.abs(a[at(i, k)]) > Math.abs(a[at(p, k)])) p = i;
    pivots[k] = p + 1;
    if (a[at(p, k)] === 0) {
      info.value ||= k + 1;
      continue;
    }
    for (let j = 0; j < n; j++) [a[at(k, j)], a[at(p, j)]] = [a[at(p, j)], a[at(k, j)]];
    for (let i = k + 1; i < m; i++) {
      a[at(i, k)] /= a[at(k, k)];
      for (let j = k + 1; j < n; j++) a[at(i, j)] -= a[at(i, k)] * a[at(k, j)];
    }
  }
}

/** The inverse from such a factorisation: each column of the unit matrix is solved for. */
function dgetri(n, a, lda, pivots, _work, _length, info) {
  const lu = a.slice();
  info.value = 0;
  for (let c = 0; c < n; c++) {
    const x = Float64Array.from({ length: n }, (_, i) => (i === c ? 1 : 0));
    for (let k = 0; k < n; k++) [x[k], x[pivots[k] - 1]] = [x[pivots[k] - 1], x[k]];
    for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) x[i] -= lu[i + k * lda] * x[k];
    for (let i = n - 1; i >= 0; i--) {
      for (let k = i + 1; k < n; k++) x[i] -= lu[i + k * lda] * x[k];
      x[i] /= lu[i + i * lda];
    }
    for (let i = 0; i < n; i++) a[i + c * lda] = x[i];
  }
}
