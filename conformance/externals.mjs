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
  };
}
