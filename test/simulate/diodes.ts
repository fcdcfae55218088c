/** Large models as texts, for tests that stop work on them. */

export const times = (n: number, text: (k: number) => string): string =>
  Array.from({ length: n }, (_, k) => text(k)).join('\n');

/** Ideal diodes that act on each other: their modes have to be found. */
export const diodes = (n: number): string => `model Diodes
${times(n, (k) => `  Real s${k}, u${k}, i${k}, v${k}(start = 0, fixed = true);`)}
equation
${times(n, (k) => `  u${k} = if s${k} < 0 then s${k} else 0; i${k} = if s${k} < 0 then 0 else s${k};`)}
${times(n, (k) => `  der(v${k}) = i${k}; sin(10*time + ${k})${k > 0 ? ` + v${k - 1} + 0.3*i${k - 1}` : ''} - v${k} = u${k} + 0.5*i${k};`)}
end Diodes;`;
